/* Queries in text, beside the same queries made in C: making them, and running them. */
#include <stdlib.h>

#include "bench.h"

#define LIMIT 8 /* one in eight is below it */

typedef struct found_row {
    kith_entity entity;
    Position position;
} found_row;

typedef struct text_state {
    kith_world *world;
    kith_query *query;
    kith_select *select;
    found_row *rows; /* room for all */
} text_state;

static void *open_texts(uint32_t n, kith_layout layout)
{
    text_state *state = bench_take(sizeof *state);
    *state = (text_state){.world = bench_filled_world(layout, n, NULL)};
    return state;
}

static void close_texts(void *opened)
{
    text_state *state = opened;
    kith_world_free(state->world);
    free(state->rows);
    free(state);
}

static void expect_query(const kith_query *query)
{
    if (query == NULL) {
        bench_fail("a query was not made");
    }
}

/* ---- Making them --------------------------------------------------------------------------------- */

static bench_sample make_by_text(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const text_state *state = opened;
    uint64_t made = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        kith_query *query = kith_query_text(
            state->world,
            "write Position, Velocity, !Extra where Position.x < $limit and Velocity.y >= 1", NULL);
        made += query != NULL;
        kith_query_free(query);
    }
    return (bench_sample){bench_now() - start, made};
}

static bench_sample make_in_c(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const text_state *state = opened;
    uint64_t made = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        kith_query *query =
            KITH_QUERY(state->world, KITH_WRITE(Position), KITH_READ(Velocity), KITH_WITHOUT(Extra),
                       KITH_IF(Position, x, <, kith_bound("limit")), KITH_IF(Velocity, y, >=, 1));
        made += query != NULL;
        kith_query_free(query);
    }
    return (bench_sample){bench_now() - start, made};
}

/* ---- Running them -------------------------------------------------------------------------------- */

static void *open_text_query(uint32_t n, kith_layout layout)
{
    text_state *state = open_texts(n, layout);
    state->query = kith_query_text(state->world, "Position where Position.x < $limit", NULL);
    expect_query(state->query);
    return state;
}

static void *open_c_query(uint32_t n, kith_layout layout)
{
    text_state *state = open_texts(n, layout);
    state->query = KITH_QUERY(state->world, KITH_READ(Position),
                              KITH_IF(Position, x, <, kith_bound("limit")));
    expect_query(state->query);
    return state;
}

static bench_sample run_query(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    const text_state *state = opened;
    double sum = 0;
    double start = bench_now();
    kith_query_bind(state->query, "limit", LIMIT);
    for (kith_iter it = kith_query_iter(state->query); kith_next_rows(&it);) {
        const Position *const *position = KITH_POINTERS(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += (double)position[i]->y;
        }
    }
    return (bench_sample){bench_now() - start, (uint64_t)sum};
}

static void *open_select(uint32_t n, kith_layout layout)
{
    text_state *state = open_texts(n, layout);
    const char *text = "Position where Position.x < $limit select entity, Position.x, Position.y";
    if (kith_select_new(state->world, text, NULL, &state->select) != KITH_OK) {
        bench_fail("a selection was not made");
    }
    return state;
}

static void *open_rows(uint32_t n, kith_layout layout)
{
    text_state *state = open_c_query(n, layout);
    state->rows = bench_take(n * sizeof *state->rows);
    return state;
}

static bench_sample run_select(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    const text_state *state = opened;
    double sum = 0;
    double start = bench_now();
    kith_select_bind(state->select, "limit", LIMIT);
    if (kith_select_run(state->select) != KITH_OK) {
        bench_fail("a selection was not run");
    }
    for (uint32_t row = 0; row < kith_select_row_count(state->select); row++) {
        const kith_entity *entity = kith_select_value(state->select, row, 0);
        const float *y = kith_select_value(state->select, row, 2);
        sum += (double)*y + entity->index1;
    }
    return (bench_sample){bench_now() - start, (uint64_t)sum};
}

/* What a selection does, for just this one: copies what it finds, which is then read. */
static bench_sample copy_rows(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    const text_state *state = opened;
    uint32_t count = 0;
    double sum = 0;
    double start = bench_now();
    kith_query_bind(state->query, "limit", LIMIT);
    for (kith_iter it = kith_query_iter(state->query); kith_next_rows(&it);) {
        const Position *const *position = KITH_POINTERS(&it, Position);
        const kith_entity *entities = kith_entities(&it);
        for (uint32_t i = 0; i < it.count; i++) {
            state->rows[count++] = (found_row){entities[i], *position[i]};
        }
    }
    for (uint32_t row = 0; row < count; row++) {
        sum += (double)state->rows[row].position.y + state->rows[row].entity.index1;
    }
    return (bench_sample){bench_now() - start, (uint64_t)sum};
}

#define TEXT_ROW(name, what, n, target, open, run, open_in_c, run_in_c)                            \
    {                                                                                              \
        name, what, n, KITH_TABLE, target, {open, run, close_texts},                               \
            {open_in_c, run_in_c, close_texts}, BENCH_ALONE                                        \
    }

const bench_workload bench_query_text[] = {
    TEXT_ROW("text-query", "a query of a text, made and freed; beside made in C", 10000, 0,
             open_texts, make_by_text, open_texts, make_in_c),
    TEXT_ROW("text-query-run", "an eighth of all visited; beside the query made in C", 100000, 1.1,
             open_text_query, run_query, open_c_query, run_query),
    TEXT_ROW("text-select-run", "the same copied as rows; beside a loop that copies", 100000, 0,
             open_select, run_select, open_rows, copy_rows),
};
const uint32_t bench_query_text_count = sizeof bench_query_text / sizeof bench_query_text[0];
