/* Random worlds of entities that are linked, and random terms about other entities, beside a naive
 * evaluation by handles. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "naive.h"
#include "naive_terms.h"
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

static const kith_type *const types[] = {&Level_type, &Hull_type, &Wreck_type};
static const kith_type *const relations[] = {&Targets_type, &DockedAt_type, &kith_child_of_type};

typedef struct via_model {
    fixture f;
    kith_entity e[ENTITIES];
    uint64_t random;
    naive_terms t;
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

/* A field of another entity: what KITH_ITS_VIA, KITH_ITS_UP and KITH_OF_THIS are. */
static kith_operand some_way(via_model *m, const kith_type *type, const char *field)
{
    kith_operand way;
    kith_operand *to = &way;
    if (below(m, 3) == 0) {
        kith_operand *of = naive_operands(&m->t, 1);
        *to = kith_operand_of_(KITH_OPERAND_THIS, NULL, NULL, 0, of);
        to = of;
    }
    for (uint32_t step = 0; step < 4 && below(m, 2) == 0; step++) {
        kith_operand *of = naive_operands(&m->t, 1);
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
    const kith_op op = handles ? equal : (kith_op)(1 + below(m, 6));
    kith_condition *condition = naive_condition(&m->t, op);
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
    const kith_op op = (kith_op)(KITH_OP_ANY + below(m, 3));
    const kith_term first = some_condition(m, depth + 1);
    return naive_group(&m->t, op, first, some_condition(m, depth + 1));
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
        const kith_op op = nearest ? KITH_OP_NEAREST : KITH_OP_TARGET;
        kith_condition *condition = naive_condition(&m->t, op);
        kith_term *list = naive_list(&m->t, 1);
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

/* ---- What the naive evaluation knows */

static bool is_alive(const void *context, kith_entity e)
{
    return kith_alive(((const via_model *)context)->f.world, e);
}

static const void *get_value(const void *context, kith_entity e, const kith_type *type)
{
    const kith_world *world = ((const via_model *)context)->f.world;
    if (type->size == 0) {
        return kith_has(world, e, type) ? type : NULL;
    }
    return kith_get(world, e, type);
}

/* ---- Comparing */

/* Checks the values of a batch that terms of other entities read. */
static void check_values(const naive_world *w, const kith_iter *it, const kith_term *terms)
{
    const kith_entity *entities = kith_entities(it);
    uint32_t number = 0;
    for (uint32_t k = 0; terms[k].type != NULL || terms[k].condition != NULL; k++) {
        const kith_term *asked = &terms[k];
        while (naive_leads(asked)) {
            asked = asked->condition->terms;
        }
        if (asked->condition != NULL) {
            continue;
        }
        for (uint32_t i = 0; i < it->count; i++) {
            const kith_type *type;
            bool reads;
            const void *expected = naive_value(w, &entities[i], &terms[k], &type, &reads);
            if (!reads) {
                break;
            }
            CHECK(kith_term_at(it, number, i, type, type->size, KITH_ACCESS_READ) == expected);
            if (naive_leads(&terms[k])) {
                const void *const *all = kith_term_pointers(it, number, type);
                CHECK(all[i] == expected);
            }
        }
        number++;
    }
}

/* Checks a query of random terms in all ways of asking. */
static void check_random(via_model *m)
{
    const naive_world w = {.context = m, .alive = is_alive, .get = get_value};
    const kith_term *terms = m->t.list;
    naive_begin(&m->t);
    if (below(m, 2) == 0) {
        naive_add(&m->t, (kith_term){
                             .type = types[0], .access = KITH_ACCESS_READ, .role = KITH_MAY});
    }
    if (below(m, 3) == 0) {
        naive_add(&m->t, (kith_term){.type = relations[below(m, 3)]});
    }
    do {
        naive_add(&m->t, below(m, 5) == 0 ? some_value(m) : some_via(m, 0, true));
    } while (m->t.count < TERMS && below(m, 2) == 0);
    kith_query *query = kith_query_new_or_null(m->f.world, &(kith_query_def){.terms = terms});
    if (query == NULL) { /* conditions of conditions may go on and on */
        CHECK_CONTAINS(kith_error(m->f.world), "is the fifth relation of a term");
        return;
    }
    uint32_t expected_count = 0;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        bool expected = kith_alive(m->f.world, m->e[i]);
        for (uint32_t k = 0; k < m->t.count && expected; k++) {
            expected = naive_holds(&w, &m->e[i], m->e[i], &terms[k]);
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
        check_values(&w, &it, terms);
    }
    CHECK_UINT(met, expected_count);
    met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        CHECK(memcmp(order + met, kith_entities(&it), it.count * sizeof *order) == 0);
        met += it.count;
        check_values(&w, &it, terms);
    }
    CHECK_UINT(met, expected_count);
    CHECK_SAME(kith_query_first(query), met == 0 ? KITH_NONE : order[0]);
    for (uint32_t i = 0; i < met; i += 1 + met / 8) {
        for (kith_iter it = kith_query_iter_one(query, order[i]); kith_next(&it);) {
            check_values(&w, &it, terms);
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
