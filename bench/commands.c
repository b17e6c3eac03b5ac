/* Iterate over everything, queue "add Extra" for each, and apply. */
#include <stdlib.h>

#include "bench.h"

static Extra commands_value(float x)
{
    return (Extra){x, x + 1, 2};
}

/* ---- Kith ------------------------------------------------------------------------------------ */

typedef struct commands_state {
    kith_world *world;
    kith_query *query;
    kith_query *extras;
    kith_commands *commands;
} commands_state;

static void *open_kith(uint32_t n, kith_layout layout)
{
    commands_state *state = bench_take(sizeof *state);
    state->world = bench_world(layout);
    kith_register(state->world, &Extra_type, &(kith_component_def){.layout = layout});
    state->query = KITH_QUERY(state->world, KITH_READ(Position));
    state->extras = KITH_QUERY(state->world, KITH_READ(Extra));
    state->commands = kith_commands_new(state->world, NULL);
    for (uint32_t i = 0; i < n; i++) {
        Position position = bench_position(i);
        Velocity velocity = bench_velocity(i);
        KITH_SPAWN(state->world, {KITH_FROM(Position, &position)},
                   {KITH_FROM(Velocity, &velocity)});
    }
    return state;
}

static void close_kith(void *opened)
{
    commands_state *state = opened;
    kith_world_free(state->world);
    free(state);
}

static uint64_t take_extras_away(commands_state *state)
{
    double sum = 0;
    for (kith_iter it = kith_query_iter(state->extras); kith_next(&it);) {
        const Extra *extra = KITH_COLUMN(&it, 0, Extra);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += (double)extra[i].a + (double)extra[i].b;
            KITH_QUEUE_REMOVE(state->commands, kith_entities(&it)[i], Extra);
        }
    }
    kith_commands_apply(state->commands, NULL);
    return (uint64_t)sum;
}

static void kith_pass(commands_state *state)
{
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        const Position *position = KITH_COLUMN(&it, 0, Position);
        const kith_entity *entities = kith_entities(&it);
        for (uint32_t i = 0; i < it.count; i++) {
            Extra value = commands_value(position[i].x);
            kith_queue_set(state->commands, entities[i], KITH_FROM(Extra, &value));
        }
    }
    kith_commands_apply(state->commands, NULL);
}

static bench_sample commands_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    commands_state *state = opened;
    kith_pass(state); /* once with cold memory, as the arrays do */
    take_extras_away(state);
    double start = bench_now();
    kith_pass(state);
    double ns = bench_now() - start;
    return (bench_sample){ns, take_extras_away(state)};
}

/* ---- Arrays: a list of what to add, then a sparse set by hand -------------------------------- */

typedef struct arrays_command {
    uint32_t index;
    Extra value;
} arrays_command;

typedef struct arrays_state {
    Position *positions;
    arrays_command *commands;
    uint32_t *rows;
    uint32_t *owners;
    Extra *extras;
} arrays_state;

static void *open_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    arrays_state *state = bench_take(sizeof *state);
    state->positions = bench_take(n * sizeof *state->positions);
    state->commands = bench_take(n * sizeof *state->commands);
    state->rows = bench_take(n * sizeof *state->rows);
    state->owners = bench_take(n * sizeof *state->owners);
    state->extras = bench_take(n * sizeof *state->extras);
    for (uint32_t i = 0; i < n; i++) {
        state->positions[i] = bench_position(i);
        state->rows[i] = UINT32_MAX;
    }
    return state;
}

static void close_arrays(void *opened)
{
    arrays_state *state = opened;
    free(state->positions);
    free(state->commands);
    free(state->rows);
    free(state->owners);
    free(state->extras);
    free(state);
}

/* Returns how many there are. */
static uint32_t arrays_pass(arrays_state *state, uint32_t n)
{
    uint32_t queued = 0;
    for (uint32_t i = 0; i < n; i++) {
        state->commands[queued++] = (arrays_command){i, commands_value(state->positions[i].x)};
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < queued; i++) {
        uint32_t index = state->commands[i].index;
        if (state->rows[index] == UINT32_MAX) {
            state->rows[index] = count;
            state->owners[count] = index;
            state->extras[count++] = state->commands[i].value;
        }
    }
    return count;
}

static uint64_t arrays_take_away(arrays_state *state, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sum += (double)state->extras[i].a + (double)state->extras[i].b;
        state->rows[state->owners[i]] = UINT32_MAX;
    }
    return (uint64_t)sum;
}

static bench_sample commands_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    arrays_state *state = opened;
    arrays_take_away(state, arrays_pass(state, n));
    double start = bench_now();
    uint32_t count = arrays_pass(state, n);
    double ns = bench_now() - start;
    return (bench_sample){ns, arrays_take_away(state, count)};
}

#define COMMANDS(layout, target)                                                                   \
    {                                                                                              \
        "commands", "iterate, queue \"add Extra\" for each, apply", 100000, layout, target,        \
            {open_kith, commands_by_kith, close_kith},                                             \
        {                                                                                          \
            open_arrays, commands_by_arrays, close_arrays                                          \
        }                                                                                          \
    }

const bench_workload bench_commands[] = {
    COMMANDS(KITH_TABLE, 3.5),
    COMMANDS(KITH_SPARSE, 3),
    COMMANDS(KITH_SLOT, 0),
};
const uint32_t bench_commands_count = sizeof bench_commands / sizeof bench_commands[0];
