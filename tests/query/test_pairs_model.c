/* Random links, and random queries with pairs, beside nested loops over all links. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "naive.h"
#include "naive_terms.h"
#include "random.h"
#include "test.h"

KITH_RELATION(Targets, KITH_CLEAR, (uint8_t, rest, 5));
KITH_LINKS(Likes, KITH_CLEAR, (int32_t, number));
KITH_LINKS(Owes, KITH_CASCADE, (int32_t, number), (uint8_t, rest, 40));
KITH_COMPONENT(Level, (int32_t, number));
KITH_COMPONENT(Hull, (int32_t, number), (uint8_t, rest, 36));
KITH_TAG(Wreck);

#define ENTITIES 40u
#define LINKS 160u
#define ROWS 60000u
#define TERMS 9u
#define NUMBERS 5u

static const kith_type *const types[] = {&Level_type, &Hull_type, &Wreck_type};
static const kith_type *const relations[] = {&Likes_type, &Owes_type, &Targets_type,
                                             &kith_child_of_type};

/* A link: an entity of its own, or what has the relation. */
typedef struct record {
    const kith_type *relation;
    kith_entity link;        /* KITH_NONE: this place is free */
    uint32_t source, target; /* numbers in `e` */
    uint64_t made;
} record;

typedef struct pairs_model {
    fixture f;
    kith_world *asked; /* the world that is asked: that of `f`, or a view or a fork of it */
    kith_entity e[ENTITIES];
    record links[LINKS];
    uint32_t link_count;
    naive_link known[4][LINKS]; /* the same by relation, for the naive evaluation */
    uint32_t known_count[4];
    uint64_t made;
    uint64_t random;
    naive_terms t;
    kith_order order;
} pairs_model;

static uint32_t below(pairs_model *m, uint32_t end)
{
    return random_below(&m->random, end);
}

/* ---- Worlds */

/* Drops what the model has of links that ended, or lead from or to what ended. */
static void drop_ended(pairs_model *m)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->link_count; i++) {
        const record *link = &m->links[i];
        m->links[kept] = *link;
        kept += kith_alive(m->f.world, link->link) && kith_alive(m->f.world, m->e[link->source]) &&
                kith_alive(m->f.world, m->e[link->target]);
    }
    m->link_count = kept;
}

static void link_many(pairs_model *m, uint32_t relation, uint32_t source, uint32_t target)
{
    if (m->link_count == LINKS || !kith_alive(m->f.world, m->e[source]) ||
        !kith_alive(m->f.world, m->e[target])) {
        return;
    }
    const int32_t number = (int32_t)below(m, 4);
    const Likes likes = {m->e[source], m->e[target], number};
    const Owes owes = {.source = m->e[source], .target = m->e[target], .number = number};
    kith_entity link = relation == 0 ? KITH_SPAWN(m->f.world, {&Likes_type, &likes})
                                     : KITH_SPAWN(m->f.world, {&Owes_type, &owes});
    KITH_SET(m->f.world, link, Level, {number});
    m->links[m->link_count++] = (record){relations[relation], link, source, target, ++m->made};
}

static void link_one(pairs_model *m, uint32_t relation, uint32_t source, uint32_t target)
{
    kith_world *world = m->f.world;
    const Targets targets = {.target = m->e[target]};
    const kith_child_of parent = {m->e[target]};
    if (!kith_alive(world, m->e[source]) || !kith_alive(world, m->e[target]) ||
        m->link_count == LINKS) {
        return;
    }
    kith_result result = relation == 2
                             ? kith_set(world, m->e[source], &Targets_type, &targets)
                             : kith_set(world, m->e[source], &kith_child_of_type, &parent);
    if (result == KITH_ERR_CYCLE) {
        return;
    }
    CHECK_RESULT(result, KITH_OK);
    record *known = NULL;
    for (uint32_t i = 0; i < m->link_count; i++) {
        if (m->links[i].relation == relations[relation] && m->links[i].source == source) {
            known = &m->links[i];
        }
    }
    if (known != NULL) { /* it keeps its place, or is the last one now */
        if (known->target == target) {
            return;
        }
        memmove(known, known + 1, (size_t)(m->links + m->link_count - known - 1) * sizeof *known);
        m->link_count--;
    }
    m->links[m->link_count++] =
        (record){relations[relation], m->e[source], source, target, ++m->made};
}

static void set_random(pairs_model *m, uint32_t i)
{
    kith_world *world = m->f.world;
    kith_entity e = m->e[i];
    uint32_t other = below(m, ENTITIES);
    if (!kith_alive(world, e)) {
        return;
    }
    switch (below(m, 8)) {
    case 0: KITH_SET(world, e, Level, {(int32_t)below(m, 4)}); break;
    case 1: KITH_SET(world, e, Hull, {.number = (int32_t)below(m, 4)}); break;
    case 2: KITH_ADD(world, e, Wreck); break;
    case 3: kith_remove(world, e, types[below(m, 3)]); break;
    case 4:
    case 5: link_many(m, below(m, 2), i, other); break;
    default: link_one(m, 2 + below(m, 2), i, other); break;
    }
}

static void change_random(pairs_model *m)
{
    if (below(m, 12) != 0) {
        set_random(m, below(m, ENTITIES));
        return;
    }
    switch (below(m, 3)) {
    case 0: kith_despawn(m->f.world, m->e[below(m, ENTITIES)]); break;
    case 1: /* a link ends */
        if (m->link_count != 0) {
            record *link = &m->links[below(m, m->link_count)];
            kith_remove(m->f.world, link->link, link->relation);
            link->link = KITH_NONE;
        }
        break;
    default: /* another entity in the place of one that ended */
        for (uint32_t i = 0; i < ENTITIES; i++) {
            if (!kith_alive(m->f.world, m->e[i])) {
                m->e[i] = kith_spawn_empty(m->f.world);
                break;
            }
        }
    }
    drop_ended(m);
}

static void fill(pairs_model *m, uint64_t seed)
{
    *m = (pairs_model){.f = fixture_new(), .random = seed};
    m->asked = m->f.world;
    for (uint32_t i = 0; i < 4; i++) {
        kith_component_def def = {.layout = (kith_layout)below(m, LAYOUT_COUNT)};
        CHECK_RESULT(kith_register(m->f.world, relations[i], &def), KITH_OK);
        def.layout = (kith_layout)below(m, LAYOUT_COUNT);
        if (i < 3) {
            CHECK_RESULT(kith_register(m->f.world, types[i], &def), KITH_OK);
        }
    }
    for (uint32_t i = 0; i < ENTITIES; i++) {
        m->e[i] = kith_spawn_empty(m->f.world);
    }
    for (uint32_t i = 0; i < ENTITIES * 5; i++) {
        set_random(m, below(m, ENTITIES));
    }
}

/* ---- Queries */

/* Adds a pair that has an end which is known; numbers are given in order. */
static void add_pair(pairs_model *m)
{
    const uint32_t relation = below(m, 4);
    uint32_t numbers[3] = {0, 0, NAIVE_NO_LINK};
    const uint32_t count = relation < 2 && below(m, 3) == 0 ? 3 : 2;
    const uint32_t known = below(m, count);
    const uint32_t before = m->t.numbers;
    for (uint32_t i = 0; i < count; i++) {
        bool is_new = i != known && below(m, 3) != 0 && m->t.numbers < NUMBERS;
        numbers[i] = is_new       ? m->t.numbers++
                     : i == known ? below(m, before)
                                  : below(m, m->t.numbers);
    }
    naive_add(&m->t, naive_pair(&m->t, relations[relation], numbers[0], numbers[1], numbers[2]));
}

/* A link that is asked for, between two of the row or with any; or that two are the same. */
static kith_term some_pair(pairs_model *m)
{
    uint32_t numbers[2] = {below(m, m->t.numbers), below(m, m->t.numbers)};
    const kith_type *type = below(m, 3) == 0 ? NULL : relations[below(m, 4)];
    if (type != NULL && below(m, 2) == 0) {
        numbers[below(m, 2)] = KITH_ANY;
    }
    return naive_pair(&m->t, type, numbers[0], numbers[1], NAIVE_NO_LINK);
}

/* A comparison of a number of the entity that is asked. */
static kith_term some_value(pairs_model *m)
{
    kith_condition *condition = naive_condition(&m->t, (kith_op)(1 + below(m, 6)));
    condition->field = "number";
    condition->value = kith_operand_i64_((int32_t)below(m, 4));
    if (below(m, 2) == 0) {
        kith_operand *field = naive_operands(&m->t, 1);
        *field = kith_operand_field_(types[below(m, 2)], "number", 0);
        condition->value = kith_other_(below(m, m->t.numbers), field);
    }
    return (kith_term){.type = types[below(m, 2)], .condition = condition};
}

static kith_term some_condition(pairs_model *m, uint32_t depth)
{
    switch (below(m, depth < 2 ? 6 : 5)) {
    case 0: return some_value(m);
    case 1:
    case 2: return some_pair(m);
    case 3:
        return m->t.numbers == 1
                   ? some_value(m)
                   : naive_other(&m->t, 1 + below(m, m->t.numbers - 1), some_value(m));
    case 4: return (kith_term){.type = types[below(m, 3)], .role = (kith_role)below(m, 2)};
    default: break;
    }
    const kith_op op = (kith_op)(KITH_OP_ANY + below(m, 3));
    const kith_term first = some_condition(m, depth + 1);
    return naive_group(&m->t, op, first, some_condition(m, depth + 1));
}

static void add_term(pairs_model *m)
{
    const uint32_t kind = m->t.numbers == 1 ? 0 : below(m, 6);
    if (kind == 0) { /* without what the query's entity is required to have */
        naive_add(&m->t, naive_not(&m->t, some_condition(m, 0)));
        return;
    }
    kith_term term = {.type = types[below(m, 3)], .role = (kith_role)below(m, 3)};
    term.access =
        term.role == KITH_MUST_NOT || below(m, 4) == 0 ? KITH_ACCESS_NONE : KITH_ACCESS_READ;
    term = kind == 1 ? some_value(m) : term;
    term = kind == 2 ? naive_via(&m->t, KITH_OP_TARGET, relations[below(m, 4)], NULL, term) : term;
    naive_add(&m->t, naive_other(&m->t, 1 + below(m, m->t.numbers - 1), term));
}

/* ---- What the naive evaluation knows */

static bool is_alive(const void *context, kith_entity e)
{
    return kith_alive(((const pairs_model *)context)->asked, e);
}

static const void *get_value(const void *context, kith_entity e, const kith_type *type)
{
    const pairs_model *m = context;
    if (type->size == 0) {
        return kith_has(m->asked, e, type) ? type : NULL;
    }
    return kith_get(m->asked, e, type);
}

/* Links come in the order in which they were made, as in all lists. */
static naive_links get_links(const void *context, const kith_type *relation, bool from)
{
    const pairs_model *m = context;
    uint32_t number = 0;
    (void)from;
    while (relations[number] != relation) {
        number++;
    }
    return (naive_links){m->known[number], m->known_count[number]};
}

static void note_links(pairs_model *m)
{
    memset(m->known_count, 0, sizeof m->known_count);
    for (uint32_t i = 0; i < m->link_count; i++) {
        const record *link = &m->links[i];
        for (uint32_t k = 0; k < 4; k++) {
            if (link->relation == relations[k]) {
                m->known[k][m->known_count[k]++] =
                    (naive_link){link->link, m->e[link->source], m->e[link->target]};
            }
        }
    }
}

/* ---- Comparing */

/* The entities in the order of the scan of the query without its pairs. */
static uint32_t scan_order(pairs_model *m, kith_entity *order)
{
    kith_term own[TERMS + 1] = {{.type = NULL}};
    uint32_t count = 0;
    uint32_t terms = 0;
    for (uint32_t i = 0; i < m->t.count; i++) {
        const kith_term *term = &m->t.list[i];
        const kith_condition *condition = term->condition;
        const bool of_pair = condition != NULL && condition->op == KITH_OP_PAIR;
        if (condition == NULL) {
            own[terms++] = *term;
        } else if (of_pair) {
            const bool many = term->type == &Likes_type || term->type == &Owes_type;
            const kith_operand *holder = &condition->values[many ? 2 : 0];
            bool named = false;
            for (uint32_t k = 0; k < terms; k++) {
                named = named || own[k].type == term->type;
            }
            if (holder->kind == KITH_OPERAND_OTHER && holder->length == 0 && !named) {
                own[terms++] = (kith_term){.type = term->type};
            }
        }
    }
    const kith_query_def def = {.terms = own, .order = m->order};
    kith_query *query = kith_query_new_or_null(m->asked, &def);
    CHECK_PTR_NOT_NULL(query);
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        memcpy(order + count, kith_entities(&it), it.count * sizeof *order);
        count += it.count;
    }
    kith_query_free(query);
    return count;
}

static void choose_query(pairs_model *m)
{
    naive_begin(&m->t);
    m->order = below(m, 2) == 0 ? KITH_SCAN_ORDER : (kith_order)below(m, 3);
    if (below(m, 2) == 0) {
        naive_add(&m->t, (kith_term){
                             .type = &Level_type, .access = KITH_ACCESS_READ, .role = KITH_MAY});
    }
    for (uint32_t i = 0, count = 1 + below(m, 4); i < count; i++) {
        add_pair(m);
    }
    for (uint32_t i = below(m, 4); i > 0 && m->t.count < TERMS; i--) {
        if (below(m, 4) == 0) { /* not in a group */
            const uint32_t number = below(m, m->t.numbers);
            const bool source = below(m, 2) == 0;
            naive_add(&m->t,
                      naive_pair(&m->t, relations[below(m, 4)], source ? KITH_ANY : number,
                                 source ? number : KITH_ANY, NAIVE_NO_LINK));
        } else {
            add_term(m);
        }
    }
}

static void check_random(pairs_model *m)
{
    static kith_entity order[ENTITIES + LINKS];
    static naive_row list[ROWS];
    const naive_world w = {m, is_alive, get_value, get_links};
    const kith_term *terms = m->t.list;
    naive_rows rows = {.list = list, .room = ROWS};
    choose_query(m);
    note_links(m);
    const kith_query_def def = {.terms = terms, .order = m->order};
    kith_query *query = kith_query_new_or_null(m->asked, &def);
    CHECK_STR(query == NULL ? kith_error(m->asked) : "", "");
    for (uint32_t i = 0, count = scan_order(m, order); i < count; i++) {
        const uint32_t before = rows.count;
        naive_expand(&w, terms, order[i], &rows);
        CHECK(!rows.more);
        CHECK_INT(kith_query_contains(query, order[i]), rows.count != before);
        uint32_t its = 0;
        for (kith_iter it = kith_query_iter_one(query, order[i]); kith_next_rows(&it);) {
            naive_check_batch(&w, &it, terms, m->t.numbers, list + before + its, false);
            its += it.count;
        }
        CHECK_UINT(its, rows.count - before);
    }
    CHECK_UINT(kith_query_count(query), rows.count);
    CHECK_SAME(kith_query_first(query), rows.count == 0 ? KITH_NONE : list[0].e[0]);
    kith_entity only = KITH_NONE;
    CHECK_RESULT(kith_query_single(query, &only), rows.count == 0   ? KITH_ERR_ABSENT
                                                  : rows.count == 1 ? KITH_OK
                                                                    : KITH_ERR_AMBIGUOUS);
    CHECK_SAME(only, rows.count == 1 ? list[0].e[0] : KITH_NONE);
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        CHECK(met + it.count <= rows.count);
        naive_check_batch(&w, &it, terms, m->t.numbers, list + met, false);
        met += it.count;
    }
    CHECK_UINT(met, rows.count);
    kith_query_free(query);
}

/* Whatever the layouts are, in the world itself, in views of it and in forks, while links, values and
 * entities change. */
TEST_WITHIN(60, random_pairs_find_what_nested_loops_find)
{
    for (uint64_t world = 0; world < (test_long() ? 3000 : test_short() ? 6 : 600); world++) {
        static char note[40];
        static pairs_model m;
        snprintf(note, sizeof note, "world %u", (uint32_t)world);
        test_note(note);
        fill(&m, test_number("KITH_TEST_SEED", 1) * 1000 + world);
        for (uint32_t round = 0; round < 12; round++) {
            for (uint32_t k = 0; k < 20; k++) {
                change_random(&m);
            }
            kith_snapshot *snapshot = NULL;
            if (round % 3 == 2) {
                CHECK_RESULT(kith_snapshot_take(m.f.world, &snapshot), KITH_OK);
                CHECK_RESULT(round % 2 == 0 ? kith_view_new(snapshot, NULL, &m.asked)
                                            : kith_fork_new(snapshot, NULL, &m.asked),
                             KITH_OK);
            }
            check_random(&m);
            kith_world *other = m.asked == m.f.world ? NULL : m.asked;
            m.asked = m.f.world;
            check_random(&m);
            kith_world_free(other);
            kith_snapshot_free(snapshot);
        }
        CHECK_WORLD(m.f.world);
        fixture_free(&m.f);
    }
}
