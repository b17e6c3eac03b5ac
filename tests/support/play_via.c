/* The part of the play that is about queries of several entities: standing ones, whose terms follow
 * relations, or whose rows have what relations link, beside the naive evaluation of the same terms. */
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "naive.h"
#include "naive_terms.h"
#include "play.h"

#define NUMBERS 4u
#define ROWS 4096u

struct play_via {
    bool used;
    bool pairs; /* so that there are no arrays */
    kith_order order;
    naive_terms t;
};

/* ---- Making ------------------------------------------------------------------------------------ */

/* A relation that is registered, mostly the one of several that has the most links. */
static const kith_type *choose_relation(play *p)
{
    const model_relation *best = NULL;
    for (uint32_t tries = input_chance(&p->in, 85) ? 8 : 1; tries > 0; tries--) {
        const model_relation *one = &p->m.relations[input_below(&p->in, p->m.relation_count)];
        best = best == NULL || one->count > best->count ? one : best;
    }
    return best->type;
}

/* What an entity is asked: KITH_READ, KITH_WITH, KITH_WITHOUT or KITH_OPTIONAL. */
static kith_term choose_what(play *p)
{
    static const kith_role roles[] = {KITH_MUST, KITH_MUST, KITH_MUST_NOT, KITH_MAY};
    kith_term what = {.type = play_registered(p), .role = roles[input_below(&p->in, 4)]};
    if (what.type->size != 0 && what.role != KITH_MUST_NOT &&
        (what.role == KITH_MAY || input_chance(&p->in, 60))) {
        what.access = KITH_ACCESS_READ;
    }
    /* A value that may be there is read. */
    what.role = what.role == KITH_MAY && what.type->size == 0 ? KITH_MUST : what.role;
    return what;
}

/* A term about the entity at the end of up to two relations, or about the nearest ancestor of that. */
static kith_term choose_way(play *p, naive_terms *t)
{
    const bool up = input_chance(&p->in, 40);
    const uint32_t length = input_below(&p->in, 3);
    kith_term term = choose_what(p);
    if (up) {
        term = naive_via(t, KITH_OP_NEAREST, play_same_type(&kith_child_of_type), NULL, term);
    }
    for (uint32_t i = up || length != 0 ? length : 1; i > 0; i--) {
        term = naive_via(t, KITH_OP_TARGET, choose_relation(p), NULL, term);
    }
    return term;
}

/* A field with a number, or NULL: none of these is registered. */
static const char *choose_field(play *p, const kith_type **type)
{
    static const char *const fields[] = {"x", NULL, "current", NULL, NULL, NULL, "value",
                                         NULL, NULL, "large"};
    const uint32_t first = input_below(&p->in, ROWS_OF(fields));
    for (uint32_t i = 0; i < ROWS_OF(fields); i++) {
        const uint32_t number = (first + i) % ROWS_OF(fields);
        *type = play_type(number);
        if (fields[number] != NULL && model_rank(&p->m, *type) != UINT32_MAX) {
            return fields[number];
        }
    }
    return NULL;
}

/* A comparison with a number, with what another entity of the row has, or of its target with one. */
static kith_term choose_value(play *p, naive_terms *t)
{
    const kith_type *type;
    const kith_type *of = NULL;
    const char *field = choose_field(p, &type);
    const uint32_t number = input_below(&p->in, t->numbers);
    kith_condition *condition =
        naive_condition(t, (kith_op)(KITH_OP_LESS + input_below(&p->in, 6)));
    condition->field = field;
    if (field == NULL || input_chance(&p->in, 30)) {
        condition->op = input_chance(&p->in, 50) ? KITH_OP_EQUAL : KITH_OP_NOT_EQUAL;
        condition->field = "target";
        condition->value = kith_other_(number, NULL);
        type = choose_relation(p);
    } else if (input_chance(&p->in, 30)) {
        condition->value = kith_operand_i64_((int32_t)input_below(&p->in, 256));
    } else {
        kith_operand *other = naive_operands(t, 1);
        const char *other_field = choose_field(p, &of);
        *other = kith_operand_field_(of, other_field, 0);
        condition->value = kith_other_(number, other);
    }
    return (kith_term){.type = type, .condition = condition};
}

/* Whether two are linked, or one with any; or whether they are the same. */
static kith_term choose_linked(play *p, naive_terms *t)
{
    uint32_t ends[2] = {input_below(&p->in, t->numbers), input_below(&p->in, t->numbers)};
    const kith_type *type = input_chance(&p->in, 20) ? NULL : choose_relation(p);
    if (type != NULL && input_chance(&p->in, 50)) {
        ends[input_below(&p->in, 2)] = KITH_ANY;
    }
    return naive_pair(t, type, ends[0], ends[1], NAIVE_NO_LINK);
}

static kith_term choose_condition(play *p, naive_terms *t)
{
    switch (input_below(&p->in, 4)) {
    case 0: return choose_value(p, t);
    case 1:
    case 2: return choose_linked(p, t);
    default: return (kith_term){.type = play_registered(p)};
    }
}

/* Adds a pair of one that is known and one that is new, or of two that are known. */
static void add_pair(play *p, naive_terms *t)
{
    const kith_type *type = choose_relation(p);
    const uint32_t known = input_below(&p->in, t->numbers);
    const bool finds = t->numbers < NUMBERS && input_chance(&p->in, 80);
    const uint32_t other = finds ? t->numbers++ : input_below(&p->in, t->numbers);
    const bool linked = (type->relation & KITH_MANY) != 0 && t->numbers < NUMBERS;
    const uint32_t link = linked && input_chance(&p->in, 30) ? t->numbers++ : NAIVE_NO_LINK;
    const bool from = input_chance(&p->in, 50);
    naive_add(t, naive_pair(t, type, from ? known : other, from ? other : known, link));
}

/* Adds what is asked besides. */
static void add_question(play *p, naive_terms *t)
{
    const bool rows = t->numbers > 1;
    const uint32_t choice = input_below(&p->in, rows ? 8 : 4);
    const uint32_t other = rows ? 1 + input_below(&p->in, t->numbers - 1) : 0;
    if (choice == 0 || (choice == 1 && !rows)) {
        naive_add(t, choose_way(p, t));
    } else if (choice < 3) {
        naive_add(t, naive_not(t, choose_condition(p, t)));
    } else if (choice < 5) {
        const kith_term first = choose_linked(p, t);
        naive_add(t, naive_group(t, KITH_OP_ANY, first, naive_not(t, choose_condition(p, t))));
    } else {
        naive_add(t, naive_other(t, other,
                                 choice == 5   ? choose_what(p)
                                 : choice == 6 ? choose_value(p, t)
                                               : choose_way(p, t)));
    }
}

static play_via *choose(play *p, play_via *via)
{
    static const kith_order orders[] = {KITH_SCAN_ORDER, KITH_SCAN_ORDER, KITH_PARENTS_FIRST,
                                        KITH_CHILDREN_FIRST};
    naive_terms *t = &via->t;
    naive_begin(t);
    via->pairs = input_chance(&p->in, 50);
    via->order = orders[input_below(&p->in, 4)];
    if (!via->pairs || input_chance(&p->in, 20)) {
        naive_add(t, (kith_term){.type = play_registered(p)});
    }
    for (uint32_t i = via->pairs ? 1 + input_below(&p->in, 2) : 0; i > 0; i--) {
        add_pair(p, t);
    }
    const uint32_t least = via->pairs ? 0 : 1;
    for (uint32_t i = least + input_below(&p->in, 3 - least); i > 0; i--) {
        add_question(p, t);
    }
    return via;
}

static kith_result act_new(played *w, const operation *op, outcome *out)
{
    (void)out;
    const play_via *via = op->bytes;
    return kith_query_new(w->world, &(kith_query_def){.terms = via->t.list, .order = via->order},
                          &w->vias[op->number]);
}

static kith_result expect_new(play *p, const operation *op, outcome *out)
{
    (void)out;
    p->asked.vias[op->number]->used = true;
    return KITH_OK;
}

static void make(play *p, uint32_t number)
{
    const operation op = {.name = "kith_query_new of several entities",
                          .act = act_new,
                          .expect = expect_new,
                          .bytes = choose(p, p->asked.vias[number]),
                          .number = number};
    play_attempt(p, &op);
}

/* ---- Looks ------------------------------------------------------------------------------------- */

/* The rows that a query has, by the place of their first entity among the model's. */
typedef struct expected {
    naive_world world;
    const naive_terms *t;
    naive_rows rows;
    uint32_t *first; /* and the end */
} expected;

/* False: there are too many, or it would take too long. */
static bool find_rows(play *p, const play_via *via, expected *found)
{
    static naive_row list[ROWS];
    uint64_t links = 1;
    for (uint32_t i = 0; i < p->m.relation_count; i++) {
        links += p->m.relations[i].count;
    }
    if (p->m.entity_count * links > 100000 && via->pairs) {
        return false;
    }
    found->world = play_naive_world(play_find_links(p));
    found->t = &via->t;
    found->rows = (naive_rows){.list = list, .room = ROWS};
    found->first = play_scratch(p, (p->m.entity_count + 1) * sizeof(*found->first));
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        found->first[i] = found->rows.count;
        naive_expand(&found->world, via->t.list, p->m.entities[i].handle, &found->rows);
    }
    found->first[p->m.entity_count] = found->rows.count;
    return !found->rows.more;
}

/* Checks all rows of a loop, entity by entity, each of them once. Returns a hash of their order. */
static uint64_t visit(play *p, const expected *found, kith_iter *it, bool rows, bool failing)
{
    static naive_row batch[1024];
    bool *visited = play_scratch(p, p->m.entity_count + 1);
    uint64_t order = 0;
    uint32_t count = 0;
    uint32_t at = p->m.entity_count;
    uint32_t next = 0; /* row of the entity at hand */
    while (rows ? kith_next_rows(it) : kith_next(it)) {
        CHECK(it->count >= 1 && it->count <= ROWS_OF(batch));
        for (uint32_t i = 0; i < it->count; i++) {
            const model_entity *entity = model_find(&p->m, kith_entities(it)[i]);
            CHECK_PTR_NOT_NULL(entity);
            const uint32_t number = (uint32_t)(entity - p->m.entities);
            if (number != at) {
                CHECK(at == p->m.entity_count || next == found->first[at + 1]);
                CHECK(!visited[number]);
                visited[number] = true;
                at = number;
                next = found->first[at];
            }
            CHECK(next < found->first[at + 1]);
            batch[i] = found->rows.list[next++];
            order = (order + number + 1) * 0x9e3779b97f4a7c15;
        }
        naive_check_batch(&found->world, it, found->t->list, found->t->numbers, batch, true);
        count += it->count;
    }
    if (!failing || it->result != KITH_ERR_MEMORY) {
        CHECK_RESULT(it->result, KITH_OK);
        CHECK_UINT(count, found->rows.count);
    }
    return order;
}

static void look(play *p, const play_via *via, uint32_t number)
{
    expected found;
    uint64_t order[WORLD_COUNT];
    if (!find_rows(p, via, &found)) {
        return;
    }
    for (int world = 0; world < WORLD_COUNT; world++) {
        kith_query *query = p->worlds[world].vias[number];
        if (world == SUBJECT && play_wants_failure(p)) {
            play_fail_some(p);
            kith_iter it = kith_query_iter(query);
            visit(p, &found, &it, true, true);
            fail_nothing(&p->worlds[world].f);
        }
        CHECK_UINT(kith_query_count(query), found.rows.count);
        for (uint32_t i = 0; i < p->m.entity_count && p->m.entity_count < 40; i++) {
            CHECK_INT(kith_query_contains(query, p->m.entities[i].handle),
                      found.first[i + 1] != found.first[i]);
        }
        kith_iter it = kith_query_iter(query);
        order[world] = visit(p, &found, &it, true, false);
        if (!via->pairs) {
            it = kith_query_iter(query);
            CHECK(visit(p, &found, &it, false, false) == order[world]);
        }
    }
    CHECK(order[SUBJECT] == order[TWIN]);
}

void play_look_vias(play *p)
{
    play_name(p, "queries of several entities");
    for (uint32_t i = 0; i < PLAY_VIAS; i++) {
        if (p->asked.vias[i] != NULL && p->asked.vias[i]->used) {
            look(p, p->asked.vias[i], i);
        }
    }
}

void play_vias(play *p)
{
    uint32_t number = input_below(&p->in, PLAY_VIAS);
    if (p->m.relation_count == 0) {
        return;
    }
    if (p->asked.vias[number] == NULL) {
        p->asked.vias[number] = calloc(1, sizeof(*p->asked.vias[number]));
        CHECK_PTR_NOT_NULL(p->asked.vias[number]);
    }
    play_via *via = p->asked.vias[number];
    if (!via->used) {
        make(p, number);
    } else if (input_chance(&p->in, 8)) {
        play_name(p, "kith_query_free");
        for (int world = 0; world < WORLD_COUNT; world++) {
            kith_query_free(p->worlds[world].vias[number]);
        }
        via->used = false;
    }
    play_look_vias(p);
}

void play_end_vias(play *p)
{
    for (uint32_t i = 0; i < PLAY_VIAS; i++) {
        free(p->asked.vias[i]);
    }
}
