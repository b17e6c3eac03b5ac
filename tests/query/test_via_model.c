/* Random worlds of entities that are linked, and random terms about other entities, beside a naive
 * evaluation by handles. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_RELATION(Targets, KITH_CLEAR);
KITH_RELATION(DockedAt, KITH_CLEAR, (uint32_t, since), (uint8_t, rest, 300)); /* few a block */
KITH_COMPONENT(Level, (int32_t, number));
KITH_COMPONENT(Hull, (int32_t, number), (uint8_t, rest, 36));
KITH_COMPONENT(Mark, (uint32_t, rest), (kith_entity, of)); /* may be of one that is dead */
KITH_TAG(Wreck);

#define ENTITIES 1400u
#define TERMS 5u
#define NODES 64u

static const kith_type *const types[] = {&Level_type, &Hull_type, &Wreck_type};
static const kith_type *const relations[] = {&Targets_type, &DockedAt_type, &kith_child_of_type};

typedef struct via_model {
    fixture f;
    kith_entity e[ENTITIES];
    uint64_t random;
    kith_term terms[NODES]; /* a list is a part of it that ends with a term of zeros */
    kith_condition conditions[NODES];
    kith_operand operands[NODES];
    uint32_t term_count, condition_count, operand_count;
    kith_entity own; /* that the naive evaluation is about */
} via_model;

static uint32_t below(via_model *m, uint32_t end)
{
    return random_below(&m->random, end);
}

/* ---- Worlds */

static void set_random(via_model *m, uint32_t i)
{
    kith_world *world = m->f.world;
    kith_entity e = m->e[i];
    switch (below(m, 7)) {
    case 6: KITH_SET(world, e, Mark, {3, m->e[below(m, ENTITIES)]}); break;
    case 0: KITH_SET(world, e, Level, {(int32_t)below(m, 4)}); break;
    case 1: KITH_SET(world, e, Hull, {.number = (int32_t)below(m, 4)}); break;
    case 2: KITH_ADD(world, e, Wreck); break;
    case 3: KITH_SET(world, e, Targets, {m->e[below(m, ENTITIES)]}); break;
    case 4: KITH_SET(world, e, DockedAt, {.target = m->e[below(m, ENTITIES)]}); break;
    default: /* parents come before children, so that there is no circle */
        if (i != 0) {
            KITH_SET(world, e, kith_child_of, {m->e[i - 1 - below(m, i < 40 ? i : 40)]});
        }
    }
}

static void change_random(via_model *m)
{
    uint32_t i = below(m, ENTITIES);
    if (!kith_alive(m->f.world, m->e[i])) {
        return;
    }
    switch (below(m, 12)) {
    case 0: kith_despawn(m->f.world, m->e[i]); break;
    case 1: kith_remove(m->f.world, m->e[i], types[below(m, 3)]); break;
    case 2: kith_remove(m->f.world, m->e[i], relations[below(m, 3)]); break;
    default: set_random(m, i); break;
    }
}

static void fill(via_model *m, uint64_t seed)
{
    *m = (via_model){.f = fixture_new(), .random = seed};
    for (uint32_t i = 0; i < 3; i++) {
        kith_component_def def = {.layout = (kith_layout)below(m, LAYOUT_COUNT)};
        CHECK_RESULT(kith_register(m->f.world, types[i], &def), KITH_OK);
        def.layout = (kith_layout)below(m, LAYOUT_COUNT);
        CHECK_RESULT(kith_register(m->f.world, relations[i], &def), KITH_OK);
    }
    const kith_component_def of_marks = {.layout = (kith_layout)below(m, LAYOUT_COUNT)};
    CHECK_RESULT(kith_register(m->f.world, &Mark_type, &of_marks), KITH_OK);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        m->e[i] = kith_spawn_empty(m->f.world);
    }
    for (uint32_t i = 0; i < ENTITIES; i++) {
        for (uint32_t k = 0; k < 4; k++) {
            if (kith_alive(m->f.world, m->e[i])) {
                set_random(m, i);
            }
        }
    }
}

/* ---- Terms */

static kith_term *list_of(via_model *m, uint32_t count)
{
    kith_term *list = &m->terms[m->term_count];
    m->term_count += count + 1;
    CHECK(m->term_count <= NODES);
    list[count] = (kith_term){0};
    return list;
}

static kith_condition *condition_of(via_model *m, kith_op op)
{
    kith_condition *condition = &m->conditions[m->condition_count++];
    CHECK(m->condition_count <= NODES);
    *condition = (kith_condition){.op = op};
    return condition;
}

static kith_operand *operand_of(via_model *m)
{
    CHECK(m->operand_count < NODES);
    return &m->operands[m->operand_count++];
}

/* A field of another entity: what KITH_ITS_VIA, KITH_ITS_UP and KITH_OF_THIS are. */
static kith_operand some_way(via_model *m, const kith_type *type, const char *field)
{
    kith_operand way;
    kith_operand *to = &way;
    if (below(m, 3) == 0) {
        kith_operand *of = operand_of(m);
        *to = kith_operand_of_(KITH_OPERAND_THIS, NULL, NULL, 0, of);
        to = of;
    }
    for (uint32_t step = 0; step < 4 && below(m, 2) == 0; step++) {
        kith_operand *of = operand_of(m);
        uint32_t by = below(m, 5);
        *to = by == 4   ? kith_operand_of_(KITH_OPERAND_NEAREST, &kith_child_of_type, NULL, 0, of)
              : by == 3 ? kith_operand_of_(KITH_OPERAND_TARGET, &Mark_type, "of", 0, of)
                        : kith_operand_of_(KITH_OPERAND_TARGET, relations[by], NULL, 0, of);
        to = of;
        if (by == 4) {
            break;
        }
    }
    *to = kith_operand_field_(type, field, 0);
    return way;
}

/* A comparison of a number, or of the target of a relation. */
static kith_term some_value(via_model *m)
{
    bool handles = below(m, 4) == 0;
    kith_op equal = below(m, 3) == 0 ? KITH_OP_NOT_EQUAL : KITH_OP_EQUAL;
    kith_condition *condition = condition_of(m, handles ? equal : (kith_op)(1 + below(m, 6)));
    condition->field = handles ? "target" : "number";
    if (handles) {
        condition->value = below(m, 3) == 0
                               ? kith_operand_of_(KITH_OPERAND_THIS, NULL, NULL, 0, NULL)
                               : some_way(m, relations[below(m, 3)], "target");
        return (kith_term){.type = relations[below(m, 3)], .condition = condition};
    }
    condition->value = below(m, 2) == 0 ? kith_operand_i64_((int32_t)below(m, 4))
                                        : some_way(m, types[below(m, 2)], "number");
    return (kith_term){.type = types[below(m, 2)], .condition = condition};
}

static kith_term some_via(via_model *m, uint32_t depth, bool numbered);

/* What holds of an entity, in a group. */
static kith_term some_condition(via_model *m, uint32_t depth)
{
    switch (below(m, depth < 3 ? 5 : 3)) {
    case 0: return (kith_term){.type = types[below(m, 3)], .role = (kith_role)below(m, 2)};
    case 1:
    case 2: return some_value(m);
    case 3: return some_via(m, depth + 1, false);
    default: break;
    }
    kith_condition *group = condition_of(m, (kith_op)(KITH_OP_ANY + below(m, 3)));
    kith_term *list = list_of(m, 2);
    group->terms = list;
    list[0] = some_condition(m, depth + 1);
    list[1] = some_condition(m, depth + 1);
    return (kith_term){.condition = group};
}

/* What is asked of another entity. */
static kith_term some_asked(via_model *m, uint32_t depth, bool numbered, bool nearest)
{
    static const struct {
        kith_access access;
        kith_role role;
    } asked[] = {{KITH_ACCESS_NONE, KITH_MUST},
                 {KITH_ACCESS_NONE, KITH_MUST_NOT},
                 {KITH_ACCESS_READ, KITH_MUST},
                 {KITH_ACCESS_READ, KITH_MUST},
                 {KITH_ACCESS_READ, KITH_MAY}};
    if (below(m, 3) == 0) {
        return nearest || below(m, 2) == 0 ? some_value(m) : some_condition(m, depth + 1);
    }
    uint32_t kind = below(m, numbered ? 5 : 2);
    return (kith_term){
        .type = types[below(m, 3)], .access = asked[kind].access, .role = asked[kind].role};
}

static kith_term some_via(via_model *m, uint32_t depth, bool numbered)
{
    kith_term term = {0};
    kith_term *to = &term;
    for (uint32_t step = 0;; step++) {
        bool nearest = below(m, 3) == 0;
        kith_condition *condition = condition_of(m, nearest ? KITH_OP_NEAREST : KITH_OP_TARGET);
        kith_term *list = list_of(m, 1);
        condition->terms = list;
        to->condition = condition;
        to->type = nearest ? &kith_child_of_type : relations[below(m, 3)];
        if (!nearest && below(m, 4) == 0) {
            to->type = &Mark_type;
            condition->field = "of";
        }
        if (nearest || step == 3 || below(m, 3) != 0) {
            list[0] = some_asked(m, depth, numbered, nearest);
            return term;
        }
        to = list;
    }
}

/* ---- The naive evaluation */

/* The target of a relation, if it lives; that is its first field. Of a Mark, the field `of`. */
static kith_entity target_of(via_model *m, kith_entity e, const kith_type *relation)
{
    const kith_entity *target = kith_get(m->f.world, e, relation);
    if (relation == &Mark_type && target != NULL) {
        target = &((const Mark *)(const void *)target)->of;
    }
    return target != NULL && kith_alive(m->f.world, *target) ? *target : KITH_NONE;
}

static bool is_via(const kith_term *term)
{
    return term->condition != NULL && term->condition->op >= KITH_OP_TARGET;
}

/* The entity that a term is about in the end; `*asked` becomes what it is asked, `*lacks` whether the
 * nearest one may be missing, and is. */
static kith_entity reach(via_model *m, kith_entity e, const kith_term *term,
                         const kith_term **asked, bool *lacks)
{
    *lacks = false;
    for (; is_via(term); term = term->condition->terms) {
        bool nearest = term->condition->op == KITH_OP_NEAREST;
        const kith_type *type = term->condition->terms->type;
        bool alive = !kith_is_none(e);
        e = alive ? target_of(m, e, term->type) : e;
        while (nearest && !kith_is_none(e) && !kith_has(m->f.world, e, type)) {
            e = target_of(m, e, term->type);
        }
        *lacks = nearest && alive && kith_is_none(e);
    }
    *asked = term;
    return e;
}

/* The value that an operand is for an entity; NULL: there is none. */
static const void *operand_for(via_model *m, kith_entity *e, const kith_operand *operand)
{
    if (operand->kind == KITH_OPERAND_THIS) {
        *e = m->own;
        operand = operand->of;
    }
    for (; operand != NULL && operand->kind != KITH_OPERAND_FIELD; operand = operand->of) {
        *e = target_of(m, *e, operand->type);
        while (operand->kind == KITH_OPERAND_NEAREST && !kith_is_none(*e) &&
               !kith_has(m->f.world, *e, operand->of->type)) {
            *e = target_of(m, *e, operand->type);
        }
    }
    return operand == NULL ? e : kith_get(m->f.world, *e, operand->type);
}

static bool holds(via_model *m, kith_entity e, const kith_term *term)
{
    const kith_condition *condition = term->condition;
    if (condition == NULL) {
        return term->role == KITH_MAY ||
               kith_has(m->f.world, e, term->type) == (term->role != KITH_MUST_NOT);
    }
    if (is_via(term)) {
        const kith_term *asked;
        bool lacks;
        kith_entity other = reach(m, e, term, &asked, &lacks);
        bool absent = asked->condition == NULL && asked->role == KITH_MUST_NOT;
        return (asked->condition == NULL && asked->role == KITH_MAY) ||
               (kith_is_none(other) ? absent && lacks : holds(m, other, asked));
    }
    if (condition->op >= KITH_OP_ANY) {
        uint32_t count = holds(m, e, &condition->terms[0]) + holds(m, e, &condition->terms[1]);
        return condition->op == KITH_OP_ANY   ? count != 0
               : condition->op == KITH_OP_ALL ? count == 2
                                              : count == 0;
    }
    const void *value = kith_get(m->f.world, e, term->type);
    bool constant = condition->value.kind == KITH_OPERAND_I64;
    int32_t number = constant ? (int32_t)condition->value.as.i64 : 0;
    const void *other = constant ? &number : operand_for(m, &e, &condition->value);
    if (value == NULL || other == NULL) {
        return false;
    }
    if (strcmp(condition->field, "target") == 0) {
        return (memcmp(value, other, sizeof e) == 0) == (condition->op == KITH_OP_EQUAL);
    }
    int32_t left = *(const int32_t *)value;
    int32_t right = *(const int32_t *)other;
    uint32_t outcome = left < right ? 1 : left > right ? 4 : 2;
    return ((uint32_t)condition->op & outcome) != 0;
}

/* The value that a term reads. */
static const void *value_of(via_model *m, kith_entity e, const kith_term *term)
{
    const kith_term *asked;
    bool lacks;
    kith_entity other = reach(m, e, term, &asked, &lacks);
    return kith_is_none(other) ? NULL : kith_get(m->f.world, other, asked->type);
}

/* ---- Comparing */

/* Checks the values of a batch that terms of other entities read. */
static void check_values(via_model *m, const kith_iter *it, const kith_term *terms)
{
    const kith_entity *entities = kith_entities(it);
    uint32_t number = 0;
    for (uint32_t k = 0; terms[k].type != NULL || terms[k].condition != NULL; k++) {
        const kith_term *asked = &terms[k];
        while (is_via(asked)) {
            asked = asked->condition->terms;
        }
        if (asked->condition != NULL) {
            continue;
        }
        bool reads = asked->access == KITH_ACCESS_READ && asked->type->size != 0;
        for (uint32_t i = 0; reads && i < it->count; i++) {
            const void *expected = value_of(m, entities[i], &terms[k]);
            const void *value =
                kith_term_at(it, number, i, asked->type, asked->type->size, KITH_ACCESS_READ);
            CHECK(value == expected);
            if (is_via(&terms[k])) {
                const void *const *all = kith_term_pointers(it, number, asked->type);
                CHECK(all[i] == expected);
            }
        }
        number++;
    }
}

/* Checks a query of random terms in all ways of asking. */
static void check_random(via_model *m)
{
    kith_term terms[TERMS + 1] = {0};
    uint32_t count = 0;
    m->term_count = 0;
    m->condition_count = 0;
    m->operand_count = 0;
    if (below(m, 2) == 0) {
        terms[count++] =
            (kith_term){.type = types[0], .access = KITH_ACCESS_READ, .role = KITH_MAY};
    }
    if (below(m, 3) == 0) {
        terms[count++] = (kith_term){.type = relations[below(m, 3)]};
    }
    do {
        terms[count++] = below(m, 5) == 0 ? some_value(m) : some_via(m, 0, true);
    } while (count < TERMS && below(m, 2) == 0);
    kith_query *query = kith_query_new_or_null(m->f.world, &(kith_query_def){.terms = terms});
    if (query == NULL) { /* conditions of conditions may go on and on */
        CHECK_CONTAINS(kith_error(m->f.world), "is the fifth relation of a term");
        return;
    }
    uint32_t expected_count = 0;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        bool expected = kith_alive(m->f.world, m->e[i]);
        m->own = m->e[i];
        for (uint32_t k = 0; k < count && expected; k++) {
            expected = holds(m, m->e[i], &terms[k]);
        }
        expected_count += expected;
        CHECK_INT(kith_query_contains(query, m->e[i]), expected);
    }
    CHECK_UINT(kith_query_count(query), expected_count);
    kith_entity order[ENTITIES];
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        memcpy(order + met, kith_entities(&it), it.count * sizeof *order);
        met += it.count;
        check_values(m, &it, terms);
    }
    CHECK_UINT(met, expected_count);
    met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        CHECK(memcmp(order + met, kith_entities(&it), it.count * sizeof *order) == 0);
        met += it.count;
        check_values(m, &it, terms);
    }
    CHECK_UINT(met, expected_count);
    CHECK_SAME(kith_query_first(query), met == 0 ? KITH_NONE : order[0]);
    for (uint32_t i = 0; i < met; i += 1 + met / 8) {
        for (kith_iter it = kith_query_iter_one(query, order[i]); kith_next(&it);) {
            check_values(m, &it, terms);
        }
    }
    kith_query_free(query);
}

/* Whatever the layouts are, also as values, links and entities change, and with snapshots, which make
 * blocks move. */
TEST_WITHIN(40, random_terms_of_other_entities_find_what_the_model_finds)
{
    for (uint64_t world = 0; world < (test_long() ? 2000 : 40); world++) {
        static char note[40];
        via_model m;
        snprintf(note, sizeof note, "world %u", (uint32_t)world);
        test_note(note);
        fill(&m, test_number("KITH_TEST_SEED", 1) * 1000 + world);
        kith_snapshot *snapshot = NULL;
        for (uint32_t round = 0; round < 12; round++) {
            for (uint32_t k = 0; k < 60; k++) {
                change_random(&m);
            }
            if (round == 8 && world % 2 == 0) {
                CHECK_RESULT(kith_snapshot_take(m.f.world, &snapshot), KITH_OK);
            }
            check_random(&m);
        }
        CHECK_WORLD(m.f.world);
        kith_snapshot_free(snapshot);
        fixture_free(&m.f);
    }
}
