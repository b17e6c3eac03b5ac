/* Random trees are cloned, and compared with what they are clones of. A second world gets the same calls
 * from command buffers, and is to be like the first. */
#include <stdio.h>
#include <string.h>

#include "links.h"
#include "random.h"

#define LISTED 24u
#define MOST 400u

KITH_LINKS(Wired, KITH_CLEAR, (float, length));
typedef struct Pair {
    kith_entity two[2];
} Pair;
KITH_TYPE(Pair, KITH_FIELD(Pair, two));

#define RELATIONS 5u
static const kith_type *const relations[RELATIONS] = {&kith_child_of_type, &Follows_type,
                                                      &Guards_type, &Owns_type, &Before_type};

typedef struct twin {
    kith_entity a; /* in the first world, */
    kith_entity b; /* and in the second; provisional until the buffer is applied */
    bool fresh;    /* made since then */
    bool touched;  /* its relations were changed since then */
} twin;

typedef struct twins {
    fixture fa, fb;
    kith_world *a, *b;
    kith_commands *later; /* of the second world */
    uint64_t random;
    twin list[MOST];
    uint32_t count;
} twins;

static uint32_t below(twins *t, uint32_t limit)
{
    return random_below(&t->random, limit);
}

/* ---- Comparing --------------------------------------------------------------------------------- */

/* Entities, each with the one that is to be like it. */
typedef struct pairing {
    const kith_world *from_world, *to_world;
    kith_entity from[MOST], to[MOST];
    uint32_t count;
    bool all; /* nothing else is alive */
} pairing;

static kith_entity other_of(const pairing *p, kith_entity entity)
{
    for (uint32_t i = 0; i < p->count; i++) {
        if (kith_entity_equal(p->from[i], entity)) {
            return p->to[i];
        }
    }
    return p->all && kith_alive(p->from_world, entity) ? (kith_entity){0xBAD, 0xBAD} : entity;
}

/* Whether the values of a component are the same, but for what they name. */
static void compare_values(const pairing *p, uint32_t i, const kith_type *type)
{
    const uint8_t *from = kith_get(p->from_world, p->from[i], type);
    const uint8_t *to = kith_get(p->to_world, p->to[i], type);
    CHECK(from != NULL && to != NULL);
    for (uint32_t k = 0; k < type->field_count; k++) {
        const kith_field *field = &type->fields[k];
        if (field->kind != KITH_ENTITY) {
            CHECK(memcmp(from + field->offset, to + field->offset, field->size) == 0);
            continue;
        }
        for (uint32_t at = 0; at < field->size; at += (uint32_t)sizeof(kith_entity)) {
            kith_entity old, new;
            memcpy(&old, from + field->offset + at, sizeof old);
            memcpy(&new, to + field->offset + at, sizeof new);
            const bool stays = !p->all && i == 0 && strcmp(type->name, "ChildOf") == 0;
            const kith_entity expected = stays ? old : other_of(p, old);
            if (p->all && !kith_alive(p->from_world, old)) {
                CHECK(!kith_alive(p->to_world, new));
            } else {
                CHECK_SAME(new, expected);
            }
        }
    }
}

static void compare_components(const pairing *p, uint32_t i)
{
    const kith_type *type = NULL;
    const kith_type *other = NULL;
    do {
        type = kith_component_next(p->from_world, p->from[i], type);
        other = kith_component_next(p->to_world, p->to[i], other);
        CHECK(type == other);
        if (type != NULL && type->size != 0) {
            compare_values(p, i, type);
        }
    } while (type != NULL);
}

/* ---- A tree and its clone, in one world -------------------------------------------------------- */

static bool is_from(const pairing *p, kith_entity entity)
{
    bool is = false;
    for (uint32_t i = 0; i < p->count && !is; i++) {
        is = kith_entity_equal(p->from[i], entity);
    }
    return is;
}

static void add_below(pairing *p, kith_entity root)
{
    for (kith_entity e = root; !kith_is_none(e); e = kith_descendant_next(p->from_world, root, e)) {
        if (!is_from(p, e)) {
            CHECK(p->count < MOST);
            p->from[p->count] = e;
            p->to[p->count++] = KITH_NONE;
        }
    }
}

/* All that is cloned, in the order of the clones: the tree, then the links from it that are elsewhere,
 * each with what is below it, and the links from these. */
static void add_cloned(pairing *p, kith_entity root)
{
    add_below(p, root);
    for (uint32_t i = 0; i < p->count; i++) {
        for (kith_sources s = kith_links_from(p->from_world, p->from[i], &Wired_type);
             kith_sources_next(&s);) {
            add_below(p, s.entity);
        }
    }
}

static kith_sources children_of(const kith_world *world, kith_entity parent)
{
    return kith_children(world, parent);
}

static kith_sources wires_from(const kith_world *world, kith_entity source)
{
    return kith_links_from(world, source, &Wired_type);
}

static kith_sources wires_to(const kith_world *world, kith_entity target)
{
    return kith_links_to(world, target, &Wired_type);
}

static kith_entity parent_of(const kith_world *world, kith_entity child)
{
    return kith_parent(world, child);
}

static kith_entity wire_source(const kith_world *world, kith_entity wire)
{
    const Wired *wired = KITH_GET(world, wire, Wired);
    return wired == NULL ? KITH_NONE : wired->source;
}

static kith_entity wire_target(const kith_world *world, kith_entity wire)
{
    const Wired *wired = KITH_GET(world, wire, Wired);
    return wired == NULL ? KITH_NONE : wired->target;
}

/* Finds the clones that lead to a clone, which are in the order in which they were made, and nothing
 * else is among them. */
static void pair_sources(pairing *p, uint32_t i,
                         kith_sources (*sources)(const kith_world *world, kith_entity target),
                         kith_entity (*target)(const kith_world *world, kith_entity source))
{
    kith_sources scan = sources(p->to_world, p->to[i]);
    for (uint32_t k = 0; k < p->count; k++) {
        const bool root = k == 0 && target == parent_of; /* which stays with its parent */
        if (!root && kith_entity_equal(target(p->from_world, p->from[k]), p->from[i])) {
            CHECK(kith_sources_next(&scan));
            p->to[k] = kith_is_none(p->to[k]) ? scan.entity : p->to[k];
            CHECK_SAME(scan.entity, p->to[k]);
        }
    }
    CHECK(!kith_sources_next(&scan));
}

/* What was led to from the tree is led to from clones, after all others. */
static void compare_outside(const pairing *p, kith_entity target)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < p->count; k++) {
        count += kith_entity_equal(wire_target(p->to_world, p->to[k]), target);
    }
    uint32_t all = 0;
    for (kith_sources s = wires_to(p->to_world, target); kith_sources_next(&s);) {
        all++;
    }
    kith_sources scan = wires_to(p->to_world, target);
    for (uint32_t i = 0; i < all - count; i++) {
        CHECK(kith_sources_next(&scan));
    }
    for (uint32_t k = 0; k < p->count; k++) {
        if (kith_entity_equal(wire_target(p->to_world, p->to[k]), target)) {
            CHECK(kith_sources_next(&scan));
            CHECK_SAME(scan.entity, p->to[k]);
        }
    }
}

/* The clone that comes next in the list of sources, after number `i`: the next one with that target. */
static kith_entity next_in_tree(const pairing *p, uint32_t i, const kith_type *relation,
                                kith_entity target)
{
    for (; i < p->count; i++) {
        if (kith_entity_equal(kith_target(p->to_world, p->to[i], relation), target)) {
            return p->to[i];
        }
    }
    return KITH_NONE;
}

static void compare_tree(const kith_world *world, pairing *p, kith_entity clone)
{
    p->to[0] = clone;
    for (uint32_t i = 0; i < p->count; i++) {
        CHECK(!kith_is_none(p->to[i]));
        pair_sources(p, i, children_of, parent_of);
        pair_sources(p, i, wires_from, wire_source);
    }
    for (uint32_t i = 0; i < p->count; i++) {
        compare_components(p, i);
        pair_sources(p, i, wires_to, wire_target);
        if (KITH_HAS(world, p->from[i], Wired) && !is_from(p, wire_target(world, p->from[i]))) {
            compare_outside(p, wire_target(world, p->from[i]));
        }
        for (uint32_t r = 0; r < RELATIONS; r++) {
            const kith_entity target = kith_target(world, p->to[i], relations[r]);
            CHECK_SAME(kith_source_first(world, p->to[i], relations[r]),
                       next_in_tree(p, 0, relations[r], p->to[i]));
            if (!kith_is_none(target)) {
                CHECK_SAME(kith_source_next(world, p->to[i], relations[r]),
                           next_in_tree(p, i + 1, relations[r], target));
            }
        }
    }
}

/* ---- Two worlds -------------------------------------------------------------------------------- */

/* Pairs what is below two entities that are like one another. */
static void pair_below(pairing *p, kith_entity from, kith_entity to)
{
    kith_entity a = from;
    kith_entity b = to;
    while (!kith_is_none(a)) {
        CHECK(!kith_is_none(b));
        bool known = false;
        for (uint32_t i = 0; i < p->count && !known; i++) {
            known = kith_entity_equal(p->from[i], a);
        }
        if (!known) {
            CHECK(p->count < MOST);
            p->from[p->count] = a;
            p->to[p->count++] = b;
        }
        a = kith_descendant_next(p->from_world, from, a);
        b = kith_descendant_next(p->to_world, to, b);
    }
    CHECK(kith_is_none(b));
}

/* The same with the links from all that is paired. */
static void pair_wires(pairing *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        kith_sources b = wires_from(p->to_world, p->to[i]);
        for (kith_sources a = wires_from(p->from_world, p->from[i]); kith_sources_next(&a);) {
            CHECK(kith_sources_next(&b));
            pair_below(p, a.entity, b.entity);
        }
    }
}

static void compare_lists(const pairing *p, kith_sources a, kith_sources b)
{
    while (kith_sources_next(&a)) {
        CHECK(kith_sources_next(&b));
        CHECK_SAME(b.entity, other_of(p, a.entity));
    }
    CHECK(!kith_sources_next(&b));
}

static void compare_sources(const pairing *p, uint32_t i)
{
    for (uint32_t r = 0; r < RELATIONS; r++) {
        compare_lists(p, kith_sources_of(p->from_world, p->from[i], relations[r]),
                      kith_sources_of(p->to_world, p->to[i], relations[r]));
    }
    compare_lists(p, wires_from(p->from_world, p->from[i]), wires_from(p->to_world, p->to[i]));
    compare_lists(p, wires_to(p->from_world, p->from[i]), wires_to(p->to_world, p->to[i]));
}

/* Applies what is queued, compares all, and lists entities anew. */
static void settle(twins *t)
{
    static pairing p;
    p = (pairing){.from_world = t->a, .to_world = t->b};
    CHECK_RESULT(kith_commands_apply(t->later, NULL), KITH_OK);
    CHECK_WORLD(t->a);
    CHECK_WORLD(t->b);
    for (uint32_t i = 0; i < t->count; i++) {
        twin *one = &t->list[i];
        const kith_entity real = kith_commands_real(t->later, one->b);
        one->b = one->fresh ? real : one->b;
        CHECK_INT(kith_alive(t->a, one->a), kith_alive(t->b, one->b));
        if (kith_alive(t->a, one->a)) {
            pair_below(&p, one->a, one->b);
        }
    }
    pair_wires(&p);
    p.all = true;
    CHECK_UINT(p.count, kith_entity_count(t->a));
    CHECK_UINT(p.count, kith_entity_count(t->b));
    for (uint32_t i = 0; i < p.count; i++) {
        compare_components(&p, i);
        compare_sources(&p, i);
    }
    /* The roots are listed, so that all is found from there, and some of what is below them. */
    t->count = 0;
    for (uint32_t i = 0; i < p.count; i++) {
        if (kith_is_none(kith_parent(t->a, p.from[i])) || below(t, 3) == 0) {
            const twin one = {p.from[i], p.to[i], false, false};
            if (t->count < LISTED - 8 || kith_despawn(t->a, one.a) != KITH_OK) {
                t->list[t->count++] = one;
            } else {
                CHECK_RESULT(kith_despawn(t->b, one.b), KITH_OK);
            }
        }
    }
}

/* ---- Calls ------------------------------------------------------------------------------------- */

static void list_new(twins *t, kith_entity a, kith_entity b)
{
    CHECK(!kith_is_none(b));
    t->list[t->count++] = (twin){a, b, true, false};
}

static twin *some(twins *t)
{
    return t->count == 0 ? NULL : &t->list[below(t, t->count)];
}

static void call_spawn(twins *t)
{
    const float x = (float)below(t, 100);
    list_new(t, KITH_SPAWN(t->a, KITH_VALUE(Position, {x, 0})),
             KITH_SPAWN(t->later, KITH_VALUE(Position, {x, 0})));
}

static void call_relate(twins *t)
{
    const twin *target = some(t);
    twin *source = some(t);
    const kith_type *relation = relations[below(t, 3) == 0 ? below(t, RELATIONS) : 0];
    if (target == NULL || (source->touched && !source->fresh) ||
        kith_entity_equal(kith_target(t->a, source->a, relation), target->a)) {
        return;
    }
    const Follows in_a = {target->a, 2};
    const Follows in_b = {target->b, 2};
    if (kith_set(t->a, source->a, relation, &in_a) == KITH_OK) {
        kith_commands_set(t->later, source->b, relation, &in_b);
        source->touched = true;
    }
}

static void call_unrelate(twins *t)
{
    twin *source = some(t);
    const kith_type *relation = relations[below(t, RELATIONS)];
    if (source != NULL && (!source->touched || source->fresh) &&
        kith_remove(t->a, source->a, relation) == KITH_OK) {
        kith_commands_remove(t->later, source->b, relation);
        source->touched = true;
    }
}

/* Adding what is there does nothing. */
static void call_add(twins *t)
{
    const twin *one = some(t);
    const kith_type *relation = relations[below(t, RELATIONS)];
    if (one != NULL && kith_has(t->a, one->a, relation)) {
        kith_commands_add(t->later, one->b, relation);
    }
}

static void call_set(twins *t)
{
    const twin *one = some(t);
    const twin *two = some(t);
    const twin *three = some(t);
    if (one != NULL && kith_alive(t->a, one->a)) {
        KITH_SET(t->a, one->a, Pair, {{two->a, three->a}});
        KITH_SET(t->later, one->b, Pair, {{two->b, three->b}});
    }
}

/* A link, below another entity or on its own. */
static void call_wire(twins *t)
{
    const twin *from = some(t);
    const twin *to = some(t);
    const twin *parent = below(t, 2) == 0 ? NULL : some(t);
    if (from == NULL || !kith_alive(t->a, from->a) || !kith_alive(t->a, to->a)) {
        return;
    }
    if (parent == NULL) {
        list_new(t, KITH_SPAWN(t->a, KITH_VALUE(Wired, {from->a, to->a, 1})),
                 KITH_SPAWN(t->later, KITH_VALUE(Wired, {from->b, to->b, 1})));
    } else if (kith_alive(t->a, parent->a)) {
        list_new(t,
                 KITH_SPAWN(t->a, KITH_VALUE(Wired, {from->a, to->a, 1}),
                            KITH_VALUE(kith_child_of, {parent->a})),
                 KITH_SPAWN(t->later, KITH_VALUE(Wired, {from->b, to->b, 1}),
                            KITH_VALUE(kith_child_of, {parent->b})));
    }
}

/* A link leads elsewhere, or is none any more. */
static void call_rewire(twins *t)
{
    const twin *from = some(t);
    const twin *to = some(t);
    twin *wire = some(t);
    for (uint32_t i = 0; i < 8 && wire != NULL && !KITH_HAS(t->a, wire->a, Wired); i++) {
        wire = some(t);
    }
    if (wire == NULL || wire->touched || wire->fresh || !KITH_HAS(t->a, wire->a, Wired) ||
        !kith_alive(t->a, from->a) || !kith_alive(t->a, to->a)) {
        return;
    }
    wire->touched = true;
    if (below(t, 4) == 0) {
        KITH_REMOVE(t->a, wire->a, Wired);
        KITH_REMOVE(t->later, wire->b, Wired);
    } else {
        KITH_SET(t->a, wire->a, Wired, {from->a, to->a, 2});
        KITH_SET(t->later, wire->b, Wired, {from->b, to->b, 2});
    }
}

static void call_clear(twins *t)
{
    twin *one = some(t);
    if (one != NULL && !one->touched && kith_alive(t->a, one->a)) {
        CHECK_RESULT(kith_remove_all(t->a, one->a), KITH_OK);
        kith_commands_remove_all(t->later, one->b);
        one->touched = true;
    }
}

static void call_despawn(twins *t)
{
    const twin *one = some(t);
    if (one != NULL && kith_despawn(t->a, one->a) == KITH_OK) {
        kith_commands_despawn(t->later, one->b);
    }
}

static void call_clone(twins *t)
{
    const twin *one = some(t);
    if (one != NULL && kith_alive(t->a, one->a)) {
        list_new(t, KITH_CLONE(t->a, one->a), KITH_CLONE(t->later, one->b));
    }
}

static void call_clone_tree(twins *t)
{
    const twin *one = some(t);
    if (one == NULL || !kith_alive(t->a, one->a) || kith_entity_count(t->a) > MOST / 4) {
        return;
    }
    static pairing p;
    p = (pairing){.from_world = t->a, .to_world = t->a};
    add_cloned(&p, one->a);
    const uint32_t count = kith_entity_count(t->a);
    const uint64_t hash = kith_world_hash(t->a);
    kith_entity clone = KITH_NONE;
    if (below(t, 4) == 0) {
        fail_allocation(&t->fa, 1 + below(t, 12));
    }
    kith_result result = kith_clone_tree(t->a, one->a, &clone);
    fail_nothing(&t->fa);
    if (result != KITH_OK) {
        CHECK_RESULT(result, KITH_ERR_MEMORY);
        CHECK_UINT(kith_world_hash(t->a), hash);
        CHECK_RESULT(kith_clone_tree(t->a, one->a, &clone), KITH_OK);
    }
    CHECK_UINT(kith_entity_count(t->a), count + p.count);
    compare_tree(t->a, &p, clone);
    list_new(t, clone, KITH_CLONE_TREE(t->later, one->b));
}

static void play(kith_layout layout, uint64_t seed, uint32_t rounds)
{
    static void (*const calls[])(twins * t) = {
        call_spawn,    call_spawn, call_relate, call_relate,  call_relate,
        call_relate,   call_set,   call_wire,    call_wire,       call_rewire,
        call_clear,    call_add,   call_unrelate, call_clone,     call_despawn,
        call_clone_tree, call_clone_tree};
    static const kith_type *const types[] = {&kith_child_of_type, &Wired_type, &Pair_type,
                                             &Position_type};
    twins t = {.fa = links_world(layout), .fb = links_world(layout), .random = seed};
    char note[64];
    test_note(note);
    t.a = t.fa.world;
    t.b = t.fb.world;
    for (size_t i = 0; i < ROWS_OF(types); i++) {
        const kith_component_def def = {.layout = layout};
        CHECK_RESULT(kith_register(t.a, types[i], &def), KITH_OK);
        CHECK_RESULT(kith_register(t.b, types[i], &def), KITH_OK);
    }
    t.later = kith_commands_new(t.b, NULL);
    for (uint32_t round = 0; round < rounds; round++) {
        snprintf(note, sizeof(note), "seed %llu, round %u", (unsigned long long)seed, round);
        for (uint32_t i = 1 + below(&t, 30); i > 0 && t.count < LISTED; i--) {
            calls[below(&t, ROWS_OF(calls))](&t);
        }
        settle(&t);
    }
    test_note(NULL);
    fixture_free(&t.fa);
    fixture_free(&t.fb);
}

TEST_EACH_LAYOUT_WITHIN(30, clones_of_trees_are_what_they_are_clones_of, layout)
{
    const uint32_t worlds = test_long() ? 2000 : test_short() ? 4 : 40;
    for (uint32_t i = 0; i < worlds; i++) {
        play(layout, test_number("KITH_TEST_SEED", 1) * 1000 + i, 40);
    }
}
