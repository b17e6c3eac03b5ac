/* What a query by paths takes in a chain of entities grows as the chain does, in whatever order they
 * come. */
#include <stdio.h>
#include <stdlib.h>

#include <kith/kith.h>

#include "test.h"
#include "work.h"

enum { FEW = 512, LIMIT = 160 };

typedef struct chain {
    const char *pattern;
    work_order order;
} chain;

/* Every second entity of a chain is called "odd", the others "even". */
static uint64_t work_of_chain(uint32_t n, const void *context)
{
    const chain *of = context;
    kith_world *world = kith_world_new(NULL);
    kith_entity *e = malloc(n * sizeof *e);
    CHECK_PTR_NOT_NULL(e);
    for (uint32_t i = 0; i < n; i++) {
        e[i] = kith_spawn_empty(world);
    }
    for (uint32_t i = 0; i < n; i++) {
        const kith_entity own = e[work_nth(of->order, i, n)];
        kith_set_parent(world, own, i == 0 ? KITH_NONE : e[work_nth(of->order, i - 1, n)]);
        kith_set_name(world, own, i == 0 ? "top" : i % 2 == 0 ? "even" : "odd");
    }
    kith_query *query = KITH_QUERY(world, KITH_IF_PATH_LIKE(kith_bound("path")));
    CHECK_RESULT(kith_query_bind(query, "path", of->pattern), KITH_OK);
    const uint64_t before = work_done();
    kith_query_count(query);
    const uint64_t work = work_done() - before;
    free(e);
    kith_world_free(world);
    return work;
}

TEST_WITHIN(60, a_path_in_a_chain_takes_steps_for_each_entity)
{
    static const char *const patterns[] = {
        "top/**",          "**",         "**/odd",       "top/**/odd/**", "**/odd/**/none/**",
        "top/*/**/e*/**/o*", "none/**",  "**/*/even/**", "*/**/none",
        "top/**/**/odd/**/**", "**/**/e*",
    };
    for (size_t i = 0; test_row(i, ROWS_OF(patterns)); i++) {
        for (work_order order = 0; order < WORK_ORDERS; order++) {
            char what[80];
            snprintf(what, sizeof what, "%s, %s", patterns[i], work_order_names[order]);
            work_check_items(what, work_of_chain, &(chain){patterns[i], order}, FEW, LIMIT);
        }
    }
}
