/* The part of the play that sorts, by values or by the hierarchy. The model has no order: what is
 * checked is that entities keep what they have, that TWIN gets the same order, and that rows which are
 * together are in order. */
#include <string.h>

#include "components.h"
#include "play.h"

/* A field of each type of components.h that has an order. */
static const char *const fields[COMPONENT_COUNT] = {"x",      "dx",       "current", "a",
                                                    "text",   "words[7]", "value",   "words[3]",
                                                    "entity", "large",    NULL,      NULL};

/* By the first byte, so that many are equal. */
static int compare_first_bytes(const void *a, const void *b, void *user)
{
    (void)user;
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

static kith_sort_def definition(const operation *op)
{
    static const kith_order orders[] = {KITH_PARENTS_FIRST, KITH_CHILDREN_FIRST};
    bool by_field = op->number >= 2 && play_number(op->type) < COMPONENT_COUNT;
    if (op->number >= 4 || op->type->size == 0) {
        return (kith_sort_def){.type = op->type, .order = orders[op->number % 2]};
    }
    return (kith_sort_def){.type = op->type,
                           .field = by_field ? fields[play_number(op->type)] : NULL,
                           .compare = by_field ? NULL : compare_first_bytes,
                           .descending = op->number % 2 != 0};
}

static kith_result act_sort(played *w, const operation *op, outcome *out)
{
    (void)out;
    kith_sort_def def = definition(op);
    kith_result result = kith_sort(w->world, &def);
    if (play_layout(w, op->type) == KITH_SLOT) {
        CHECK_RESULT(result, KITH_ERR_INPUT);
        return KITH_OK;
    }
    return result;
}

static uint32_t depth_of(const play *p, kith_entity entity)
{
    uint32_t depth = 0;
    while (!kith_is_none(entity = model_parent(&p->m, entity))) {
        depth++;
    }
    return depth;
}

/* The place of a child in the list of all links of children, in which those of one parent are in their
 * order. */
static uint32_t place_of(const play *p, kith_entity child)
{
    const model_relation *children = NULL;
    uint32_t place = 0;
    for (uint32_t i = 0; i < p->m.relation_count; i++) {
        if (strcmp(p->m.relations[i].type->name, kith_child_of_type.name) == 0) {
            children = &p->m.relations[i];
        }
    }
    while (children != NULL && place < children->count &&
           !kith_entity_equal(children->list[place].source, child)) {
        place++;
    }
    return place;
}

/* Checks rows of one table: one depth after the other, and the children of one parent together and in
 * their order. */
static void check_hierarchy(const play *p, const kith_entity *e, uint32_t count, bool down)
{
    uint32_t before = count == 0 ? 0 : depth_of(p, e[0]);
    count = count < 100 ? count : 100; /* it takes long */
    for (uint32_t i = 1; i < count; i++, before = depth_of(p, e[i - 1])) {
        const uint32_t depth = depth_of(p, e[i]);
        const kith_entity parent = model_parent(&p->m, e[i]);
        CHECK(depth == before || (depth > before) == down);
        if (depth != 0 && kith_entity_equal(model_parent(&p->m, e[i - 1]), parent)) {
            CHECK(place_of(p, e[i - 1]) < place_of(p, e[i]));
            continue;
        }
        for (uint32_t k = 0; k < i && depth != 0; k++) {
            CHECK(!kith_entity_equal(model_parent(&p->m, e[k]), parent));
        }
    }
}

/* A batch of arrays is of one table. */
static kith_result expect_sort(play *p, const operation *op, outcome *out)
{
    (void)out;
    const kith_sort_def def = definition(op);
    played *w = &p->worlds[SUBJECT];
    if (def.field != NULL || play_layout(w, op->type) == KITH_SLOT) {
        return KITH_OK;
    }
    const kith_term terms[] = {{.type = op->type}, {0}};
    const kith_query_def rows = {.terms = terms, .driver = op->type};
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(w->world, &rows, &query), KITH_OK);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        const kith_entity *entities = kith_entities(&it);
        if (def.order != KITH_SCAN_ORDER) {
            check_hierarchy(p, entities, it.count, def.order == KITH_PARENTS_FIRST);
        }
        for (uint32_t i = 1; def.compare != NULL && i < it.count; i++) {
            const unsigned char *left = kith_get(w->world, entities[i - 1], op->type);
            const unsigned char *right = kith_get(w->world, entities[i], op->type);
            CHECK(def.descending ? *left >= *right : *left <= *right);
        }
    }
    kith_query_free(query);
    return KITH_OK;
}

void play_sort(play *p)
{
    operation op = {.name = "kith_sort",
                    .act = act_sort,
                    .expect = expect_sort,
                    .type = play_registered(p),
                    .number = input_below(&p->in, 7)};
    if (op.type != p->m.disabled_type) { /* which loops take for what is inherited */
        play_attempt(p, &op);
    }
}
