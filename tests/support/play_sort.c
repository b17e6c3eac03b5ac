/* The part of the play that sorts. The model has no order: what is checked is that entities keep what
 * they have, that TWIN gets the same order, and that rows which are together are in order. */
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
    bool by_field = op->number >= 2 && play_number(op->type) < COMPONENT_COUNT;
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

/* A batch of arrays is of one table. */
static kith_result expect_sort(play *p, const operation *op, outcome *out)
{
    (void)out;
    const kith_sort_def def = definition(op);
    played *w = &p->worlds[SUBJECT];
    if (def.compare == NULL || play_layout(w, op->type) == KITH_SLOT) {
        return KITH_OK;
    }
    const kith_term terms[] = {{.type = op->type, .access = KITH_ACCESS_READ}, {0}};
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(w->world, &(kith_query_def){.terms = terms}, &query), KITH_OK);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        const unsigned char *values = kith_column(&it, op->type);
        for (uint32_t i = 1; i < it.count; i++) {
            int order = values[(i - 1) * op->type->size] - values[i * op->type->size];
            CHECK(def.descending ? order >= 0 : order <= 0);
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
                    .number = input_below(&p->in, 4)};
    if (op.type->size != 0) {
        play_attempt(p, &op);
    }
}
