/* Random links, and random queries with pairs, beside nested loops over all links. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
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
#define TERMS 8u
#define NODES 64u
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

typedef struct row {
    kith_entity e[NUMBERS];
} row;

typedef struct pair {
    uint32_t relation;
    uint32_t source, target, link; /* numbers in the row; `link` UINT32_MAX: it has none */
} pair;

typedef struct pairs_model {
    fixture f;
    kith_world *asked; /* the world that is asked: that of `f`, or a view or a fork of it */
    kith_entity e[ENTITIES];
    record links[LINKS];
    uint32_t link_count;
    uint64_t made;
    uint64_t random;
    kith_term terms[NODES];
    kith_condition conditions[NODES];
    kith_operand operands[NODES];
    uint32_t term_count, condition_count, operand_count;
    kith_term list[TERMS + 1]; /* of the query at hand */
    uint32_t list_count;
    pair pairs[TERMS];
    uint32_t pair_count, number_count;
    kith_order order;
    row *rows; /* that are expected */
    uint32_t row_count;
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
    m->rows = malloc(ROWS * sizeof *m->rows);
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

static kith_term *list_of(pairs_model *m, uint32_t count)
{
    kith_term *list = &m->terms[m->term_count];
    m->term_count += count + 1;
    CHECK(m->term_count <= NODES);
    list[count] = (kith_term){0};
    return list;
}

static kith_condition *condition_of(pairs_model *m, kith_op op)
{
    kith_condition *condition = &m->conditions[m->condition_count++];
    CHECK(m->condition_count <= NODES);
    *condition = (kith_condition){.op = op};
    return condition;
}

static kith_term pair_of(pairs_model *m, const kith_type *type, uint32_t source, uint32_t target,
                         uint32_t link)
{
    kith_operand *numbers = &m->operands[m->operand_count];
    m->operand_count += 4;
    CHECK(m->operand_count <= NODES);
    numbers[0] = kith_other_(source, NULL);
    numbers[1] = kith_other_(target, NULL);
    numbers[2] = link == UINT32_MAX ? (kith_operand){0} : kith_other_(link, NULL);
    numbers[3] = (kith_operand){0};
    kith_condition *condition = condition_of(m, KITH_OP_PAIR);
    condition->values = numbers;
    return (kith_term){.type = type, .condition = condition};
}

/* Adds a pair that has an end which is known; numbers are given in order. */
static void add_pair(pairs_model *m)
{
    pair p = {.relation = below(m, 4), .link = UINT32_MAX};
    uint32_t *numbers[3] = {&p.source, &p.target, &p.link};
    const uint32_t count = p.relation < 2 && below(m, 3) == 0 ? 3 : 2;
    const uint32_t known = below(m, count);
    const uint32_t before = m->number_count;
    for (uint32_t i = 0; i < count; i++) {
        bool is_new = i != known && below(m, 3) != 0 && m->number_count < NUMBERS;
        *numbers[i] = is_new       ? m->number_count++
                      : i == known ? below(m, before)
                                   : below(m, m->number_count);
    }
    m->pairs[m->pair_count++] = p;
    m->list[m->list_count++] = pair_of(m, relations[p.relation], p.source, p.target, p.link);
}

/* A comparison of a number of the entity that is asked. */
static kith_term some_value(pairs_model *m)
{
    kith_condition *condition = condition_of(m, (kith_op)(1 + below(m, 6)));
    condition->field = "number";
    condition->value = kith_operand_i64_((int32_t)below(m, 4));
    if (below(m, 2) == 0) {
        kith_operand *field = &m->operands[m->operand_count++];
        *field = kith_operand_field_(types[below(m, 2)], "number", 0);
        condition->value = kith_other_(below(m, m->number_count), field);
    }
    return (kith_term){.type = types[below(m, 2)], .condition = condition};
}

static kith_term other_of(pairs_model *m, uint32_t number, kith_term asked)
{
    kith_condition *condition = condition_of(m, KITH_OP_OTHER);
    kith_term *list = list_of(m, 1);
    list[0] = asked;
    condition->offset = number;
    condition->terms = list;
    return (kith_term){.condition = condition};
}

/* The target of a relation is asked. */
static kith_term via_of(pairs_model *m, kith_term asked)
{
    kith_condition *condition = condition_of(m, KITH_OP_TARGET);
    kith_term *list = list_of(m, 1);
    list[0] = asked;
    condition->terms = list;
    return (kith_term){.type = relations[below(m, 4)], .condition = condition};
}

static kith_term some_condition(pairs_model *m, uint32_t depth)
{
    switch (below(m, depth < 2 ? 6 : 5)) {
    case 0: return some_value(m);
    case 1:
        return pair_of(m, relations[below(m, 4)], below(m, m->number_count),
                       below(m, m->number_count), UINT32_MAX);
    case 2:
        return pair_of(m, NULL, below(m, m->number_count), below(m, m->number_count), UINT32_MAX);
    case 3:
        return m->number_count == 1 ? some_value(m)
                                    : other_of(m, 1 + below(m, m->number_count - 1), some_value(m));
    case 4: return (kith_term){.type = types[below(m, 3)], .role = (kith_role)below(m, 2)};
    default: break;
    }
    kith_condition *group = condition_of(m, (kith_op)(KITH_OP_ANY + below(m, 3)));
    kith_term *list = list_of(m, 2);
    group->terms = list;
    list[0] = some_condition(m, depth + 1);
    list[1] = some_condition(m, depth + 1);
    return (kith_term){.condition = group};
}

static void add_term(pairs_model *m)
{
    kith_term *to = &m->list[m->list_count++];
    const uint32_t kind = m->number_count == 1 ? 0 : below(m, 6);
    if (kind == 0) { /* without what the query's entity is required to have */
        kith_condition *group = condition_of(m, KITH_OP_NOT);
        kith_term *list = list_of(m, 1);
        group->terms = list;
        list[0] = some_condition(m, 0);
        *to = (kith_term){.condition = group};
        return;
    }
    kith_term term = {.type = types[below(m, 3)], .role = (kith_role)below(m, 3)};
    term.access =
        term.role == KITH_MUST_NOT || below(m, 4) == 0 ? KITH_ACCESS_NONE : KITH_ACCESS_READ;
    term = kind == 1 ? some_value(m) : term;
    term = kind == 2 ? via_of(m, term) : term;
    *to = other_of(m, 1 + below(m, m->number_count - 1), term);
}

/* ---- The naive evaluation: of whole rows, by handles */

static kith_entity target_of(const pairs_model *m, kith_entity e, const kith_type *relation)
{
    const kith_entity *ends = kith_get(m->asked, e, relation);
    const bool many = relation == &Likes_type || relation == &Owes_type;
    return ends == NULL ? KITH_NONE : ends[many];
}

static bool is_linked(const pairs_model *m, const kith_type *relation, kith_entity a, kith_entity b)
{
    bool linked = relation == NULL && kith_entity_equal(a, b);
    for (uint32_t i = 0; i < m->link_count && relation != NULL; i++) {
        const record *link = &m->links[i];
        linked =
            linked || (link->relation == relation && kith_entity_equal(m->e[link->source], a) &&
                       kith_entity_equal(m->e[link->target], b));
    }
    return linked;
}

static bool holds(const pairs_model *m, const row *r, kith_entity e, const kith_term *term)
{
    const kith_condition *condition = term->condition;
    if (condition == NULL) {
        return term->role == KITH_MAY ||
               kith_has(m->asked, e, term->type) == (term->role != KITH_MUST_NOT);
    }
    switch (condition->op) {
    case KITH_OP_PAIR:
        return is_linked(m, term->type, r->e[condition->values[0].length],
                         r->e[condition->values[1].length]);
    case KITH_OP_OTHER: return holds(m, r, r->e[condition->offset], condition->terms);
    case KITH_OP_TARGET: {
        kith_entity target = target_of(m, e, term->type);
        const kith_term *asked = condition->terms;
        return (asked->role == KITH_MAY && asked->condition == NULL) ||
               (!kith_is_none(target) && holds(m, r, target, asked));
    }
    case KITH_OP_ANY:
    case KITH_OP_ALL:
    case KITH_OP_NOT: {
        uint32_t count = 0;
        uint32_t all = 0;
        for (; condition->terms[all].type != NULL || condition->terms[all].condition != NULL;
             all++) {
            count += holds(m, r, e, &condition->terms[all]);
        }
        return condition->op == KITH_OP_ANY   ? count != 0
               : condition->op == KITH_OP_ALL ? count == all
                                              : count == 0;
    }
    default: break;
    }
    const int32_t *value = kith_get(m->asked, e, term->type);
    const kith_operand *to = &condition->value;
    const int32_t number = (int32_t)to->as.i64;
    const int32_t *other =
        to->kind == KITH_OPERAND_I64 ? &number : kith_get(m->asked, r->e[to->length], to->of->type);
    if (value == NULL || other == NULL) {
        return false;
    }
    uint32_t outcome = *value < *other ? 1 : *value > *other ? 4 : 2;
    return ((uint32_t)condition->op & outcome) != 0;
}

/* Whether a number of a row is this entity, which it becomes if it is none yet. */
static bool takes(row *r, uint32_t number, kith_entity e)
{
    if (number == UINT32_MAX) {
        return true;
    }
    if (kith_is_none(r->e[number])) {
        r->e[number] = e;
    }
    return kith_entity_equal(r->e[number], e);
}

/* Adds the rows that go on from one by the pairs from number `k` on. Links come in the order in which
 * they were made, as in all lists. */
static void expand(pairs_model *m, const row *r, uint32_t k)
{
    if (k == m->pair_count) {
        bool match = true;
        for (uint32_t i = 0; match && i < m->list_count; i++) {
            bool pairs = m->list[i].condition != NULL && m->list[i].condition->op == KITH_OP_PAIR;
            match = pairs || holds(m, r, r->e[0], &m->list[i]);
        }
        CHECK(m->row_count < ROWS);
        m->rows[m->row_count] = *r;
        m->row_count += match;
        return;
    }
    const pair *p = &m->pairs[k];
    for (uint32_t i = 0; i < m->link_count; i++) {
        const record *link = &m->links[i];
        row next = *r;
        if (link->relation == relations[p->relation] &&
            takes(&next, p->source, m->e[link->source]) &&
            takes(&next, p->target, m->e[link->target]) && takes(&next, p->link, link->link)) {
            expand(m, &next, k + 1);
        }
    }
}

/* ---- Comparing */

/* The value that a term reads; `*reads`: whether it reads one; `*numbered`: whether it has a number. */
static const void *value_of(const pairs_model *m, const row *r, const kith_term *term, bool *reads,
                            bool *numbered, const kith_type **type)
{
    kith_entity e = r->e[0];
    while (term->condition != NULL && term->condition->terms != NULL &&
           (term->condition->op == KITH_OP_OTHER || term->condition->op == KITH_OP_TARGET)) {
        e = term->condition->op == KITH_OP_OTHER ? r->e[term->condition->offset]
                                                 : target_of(m, e, term->type);
        term = term->condition->terms;
    }
    *numbered = term->condition == NULL;
    *reads = *numbered && term->access == KITH_ACCESS_READ && term->type->size != 0;
    *type = term->type;
    return *reads && !kith_is_none(e) ? kith_get(m->asked, e, term->type) : NULL;
}

static void check_batch(const pairs_model *m, const kith_iter *it, const row *rows)
{
    for (uint32_t i = 0; i < it->count; i++) {
        for (uint32_t k = 0; k < m->number_count; k++) {
            CHECK_SAME(kith_others(it, k)[i], rows[i].e[k]);
        }
        uint32_t number = 0;
        for (uint32_t k = 0; k < m->list_count; k++) {
            const kith_type *type;
            bool reads, numbered;
            const void *expected = value_of(m, &rows[i], &m->list[k], &reads, &numbered, &type);
            if (reads) {
                CHECK(kith_term_at(it, number, i, type, type->size, KITH_ACCESS_READ) == expected);
            }
            number += numbered;
        }
    }
}

/* The entities in the order of the scan of the query without its pairs. */
static uint32_t scan_order(pairs_model *m, kith_entity *order)
{
    kith_term own[TERMS + 1] = {{.type = NULL}};
    uint32_t count = 0;
    uint32_t terms = 0;
    for (uint32_t i = 0; i < m->list_count; i++) {
        const kith_term *term = &m->list[i];
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
    m->term_count = 0;
    m->condition_count = 0;
    m->operand_count = 0;
    m->list_count = 0;
    m->pair_count = 0;
    m->number_count = 1;
    m->order = below(m, 2) == 0 ? KITH_SCAN_ORDER : (kith_order)below(m, 3);
    if (below(m, 2) == 0) {
        m->list[m->list_count++] =
            (kith_term){.type = &Level_type, .access = KITH_ACCESS_READ, .role = KITH_MAY};
    }
    for (uint32_t i = 0, count = 1 + below(m, 4); i < count; i++) {
        add_pair(m);
    }
    for (uint32_t i = below(m, 4); i > 0 && m->list_count < TERMS; i--) {
        add_term(m);
    }
    memset(&m->list[m->list_count], 0, sizeof m->list[0]);
}

static void check_random(pairs_model *m)
{
    static kith_entity order[ENTITIES + LINKS];
    choose_query(m);
    const kith_query_def def = {.terms = m->list, .order = m->order};
    kith_query *query = kith_query_new_or_null(m->asked, &def);
    CHECK_STR(query == NULL ? kith_error(m->asked) : "", "");
    m->row_count = 0;
    for (uint32_t i = 0, count = scan_order(m, order); i < count; i++) {
        const uint32_t before = m->row_count;
        const row first = {{order[i]}};
        expand(m, &first, 0);
        CHECK_INT(kith_query_contains(query, order[i]), m->row_count != before);
        uint32_t its = 0;
        for (kith_iter it = kith_query_iter_one(query, order[i]); kith_next_rows(&it);) {
            check_batch(m, &it, m->rows + before + its);
            its += it.count;
        }
        CHECK_UINT(its, m->row_count - before);
    }
    CHECK_UINT(kith_query_count(query), m->row_count);
    CHECK_SAME(kith_query_first(query), m->row_count == 0 ? KITH_NONE : m->rows[0].e[0]);
    kith_entity only = KITH_NONE;
    CHECK_RESULT(kith_query_single(query, &only), m->row_count == 0   ? KITH_ERR_ABSENT
                                                  : m->row_count == 1 ? KITH_OK
                                                                      : KITH_ERR_AMBIGUOUS);
    CHECK_SAME(only, m->row_count == 1 ? m->rows[0].e[0] : KITH_NONE);
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        CHECK(met + it.count <= m->row_count);
        check_batch(m, &it, m->rows + met);
        met += it.count;
    }
    CHECK_UINT(met, m->row_count);
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
        free(m.rows);
    }
}
