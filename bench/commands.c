/* Iterate over everything, queue a change for each, and apply: add Extra, set it, remove it, despawn.
 * And queue new entities. */
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
    state->world = bench_filled_world(layout, n, NULL);
    state->query = KITH_QUERY(state->world, KITH_READ(Position));
    state->extras = KITH_QUERY(state->world, KITH_READ(Extra));
    state->commands = kith_commands_new(state->world, NULL);
    return state;
}

static void close_kith(void *opened)
{
    commands_state *state = opened;
    kith_world_free(state->world);
    free(state);
}

/* Sums up what is in all Extra. */
static uint64_t sum_extras(const commands_state *state)
{
    double sum = 0;
    for (kith_iter it = kith_query_iter(state->extras); kith_next(&it);) {
        const Extra *extra = KITH_COLUMN(&it, Extra);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += (double)extra[i].a + (double)extra[i].b;
        }
    }
    return (uint64_t)sum;
}

/* The passes, each with its apply. */

static void add_pass(commands_state *state)
{
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        const Position *position = KITH_COLUMN(&it, Position);
        const kith_entity *entities = kith_entities(&it);
        for (uint32_t i = 0; i < it.count; i++) {
            Extra value = commands_value(position[i].x);
            KITH_SET(state->commands, entities[i], Extra, value);
        }
    }
    kith_commands_apply(state->commands, NULL);
}

static void remove_pass(commands_state *state)
{
    for (kith_iter it = kith_query_iter(state->extras); kith_next(&it);) {
        const kith_entity *entities = kith_entities(&it);
        for (uint32_t i = 0; i < it.count; i++) {
            KITH_REMOVE(state->commands, entities[i], Extra);
        }
    }
    kith_commands_apply(state->commands, NULL);
}

static void despawn_pass(commands_state *state)
{
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        const kith_entity *entities = kith_entities(&it);
        for (uint32_t i = 0; i < it.count; i++) {
            kith_commands_despawn(state->commands, entities[i]);
        }
    }
    kith_commands_apply(state->commands, NULL);
}

static void spawn_pass(commands_state *state, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        Position position = bench_position(i);
        Velocity velocity = bench_velocity(i);
        KITH_SPAWN(state->commands, KITH_VALUE(Position, position), KITH_VALUE(Velocity, velocity));
    }
    kith_commands_apply(state->commands, NULL);
}

/* Each is done once with cold memory, as the arrays do, and undone; then comes what is measured. */

static bench_sample add_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    commands_state *state = opened;
    bench_frame frame = bench_frame_new(state->world, &Extra_type);
    add_pass(state);
    remove_pass(state);
    double start = bench_frame_start(&frame);
    add_pass(state);
    double ns = bench_now() - start;
    return (bench_sample){ns, sum_extras(state)};
}

static bench_sample set_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    commands_state *state = opened;
    bench_frame frame = bench_frame_new(state->world, &Extra_type);
    add_pass(state);
    double start = bench_frame_start(&frame);
    add_pass(state);
    double ns = bench_now() - start;
    return (bench_sample){ns, sum_extras(state)};
}

static bench_sample remove_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    commands_state *state = opened;
    bench_frame frame = bench_frame_new(state->world, &Extra_type);
    add_pass(state);
    remove_pass(state);
    add_pass(state);
    double start = bench_frame_start(&frame);
    remove_pass(state);
    double ns = bench_now() - start;
    return (bench_sample){ns, sum_extras(state) + kith_query_count(state->query)};
}

static bench_sample despawn_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    commands_state *state = opened;
    bench_frame frame = bench_frame_new(state->world, &Position_type);
    despawn_pass(state);
    spawn_pass(state, n);
    double start = bench_frame_start(&frame);
    despawn_pass(state);
    double ns = bench_now() - start;
    return (bench_sample){ns, kith_entity_count(state->world)};
}

static bench_sample spawn_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    commands_state *state = opened;
    bench_frame frame = bench_frame_new(state->world, &Position_type);
    despawn_pass(state);
    spawn_pass(state, n);
    despawn_pass(state);
    double start = bench_frame_start(&frame);
    spawn_pass(state, n);
    double ns = bench_now() - start;
    double sum = 0;
    for (kith_iter it = kith_query_iter(state->query); kith_next(&it);) {
        const Position *position = KITH_COLUMN(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += (double)position[i].x;
        }
    }
    return (bench_sample){ns, (uint64_t)sum};
}

/* ---- Arrays: a list of what to do, then a sparse set by hand --------------------------------- */

typedef struct arrays_command {
    uint32_t index;
    Extra value;
} arrays_command;

typedef struct arrays_made {
    Position position;
    Velocity velocity;
} arrays_made;

/* Entities have a generation each, and free slots are a list; a command looks whether its entity is
 * alive. */
typedef struct arrays_state {
    Position *positions;
    Velocity *velocities;
    uint32_t *generations;
    bool *alive;
    uint32_t *free;
    uint32_t free_count;
    kith_entity *handles; /* of those who live, densely */
    arrays_command *commands;
    arrays_made *made;
    kith_entity *listed;
    uint32_t *rows;
    uint32_t *owners;
    Extra *extras;
    uint32_t extra_count;
} arrays_state;

static void *open_arrays(uint32_t n, kith_layout layout)
{
    (void)layout;
    arrays_state *state = bench_take(sizeof *state);
    *state = (arrays_state){.positions = bench_take(n * sizeof *state->positions),
                            .velocities = bench_take(n * sizeof *state->velocities),
                            .generations = bench_take(n * sizeof *state->generations),
                            .alive = bench_take(n * sizeof *state->alive),
                            .free = bench_take(n * sizeof *state->free),
                            .handles = bench_take(n * sizeof *state->handles),
                            .commands = bench_take(n * sizeof *state->commands),
                            .made = bench_take(n * sizeof *state->made),
                            .listed = bench_take(n * sizeof *state->listed),
                            .rows = bench_take(n * sizeof *state->rows),
                            .owners = bench_take(n * sizeof *state->owners),
                            .extras = bench_take(n * sizeof *state->extras)};
    for (uint32_t i = 0; i < n; i++) {
        state->positions[i] = bench_position(i);
        state->velocities[i] = bench_velocity(i);
        state->generations[i] = 0;
        state->alive[i] = true;
        state->handles[i] = (kith_entity){i + 1, 0};
        state->rows[i] = UINT32_MAX;
    }
    return state;
}

static void close_arrays(void *opened)
{
    arrays_state *state = opened;
    free(state->positions);
    free(state->velocities);
    free(state->generations);
    free(state->alive);
    free(state->free);
    free(state->handles);
    free(state->commands);
    free(state->made);
    free(state->listed);
    free(state->rows);
    free(state->owners);
    free(state->extras);
    free(state);
}

static void arrays_add(arrays_state *state, uint32_t n)
{
    uint32_t queued = 0;
    for (uint32_t i = 0; i < n; i++) {
        state->commands[queued++] = (arrays_command){i, commands_value(state->positions[i].x)};
    }
    for (uint32_t i = 0; i < queued; i++) {
        uint32_t index = state->commands[i].index;
        uint32_t row = state->rows[index];
        if (row == UINT32_MAX) {
            row = state->extra_count++;
            state->rows[index] = row;
            state->owners[row] = index;
        }
        state->extras[row] = state->commands[i].value;
    }
}

static void arrays_take_away(arrays_state *state)
{
    uint32_t queued = state->extra_count;
    for (uint32_t i = 0; i < queued; i++) {
        state->listed[i] = (kith_entity){state->owners[i] + 1, 0};
    }
    for (uint32_t i = 0; i < queued; i++) {
        uint32_t index = state->listed[i].index1 - 1;
        uint32_t row = state->rows[index];
        if (row != UINT32_MAX) {
            uint32_t last = --state->extra_count;
            state->extras[row] = state->extras[last];
            state->owners[row] = state->owners[last];
            state->rows[state->owners[row]] = row;
            state->rows[index] = UINT32_MAX;
        }
    }
}

static void arrays_end_all(arrays_state *state, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        state->listed[i] = state->handles[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t index = state->listed[i].index1 - 1;
        if (state->alive[index] && state->generations[index] == state->listed[i].generation) {
            state->alive[index] = false;
            state->generations[index]++;
            state->free[state->free_count++] = index;
        }
    }
}

static void arrays_make(arrays_state *state, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        state->made[i] = (arrays_made){bench_position(i), bench_velocity(i)};
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t index = state->free[--state->free_count];
        state->alive[index] = true;
        state->handles[i] = (kith_entity){index + 1, state->generations[index]};
        state->positions[index] = state->made[i].position;
        state->velocities[index] = state->made[i].velocity;
    }
}

static uint64_t arrays_sum(const arrays_state *state)
{
    double sum = 0;
    for (uint32_t i = 0; i < state->extra_count; i++) {
        sum += (double)state->extras[i].a + (double)state->extras[i].b;
    }
    return (uint64_t)sum;
}

static bench_sample add_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    arrays_state *state = opened;
    arrays_add(state, n);
    arrays_take_away(state);
    double start = bench_now();
    arrays_add(state, n);
    double ns = bench_now() - start;
    return (bench_sample){ns, arrays_sum(state)};
}

static bench_sample set_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    arrays_state *state = opened;
    arrays_add(state, n);
    double start = bench_now();
    arrays_add(state, n);
    double ns = bench_now() - start;
    return (bench_sample){ns, arrays_sum(state)};
}

static bench_sample remove_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    arrays_state *state = opened;
    arrays_add(state, n);
    arrays_take_away(state);
    arrays_add(state, n);
    double start = bench_now();
    arrays_take_away(state);
    double ns = bench_now() - start;
    return (bench_sample){ns, arrays_sum(state) + n};
}

static bench_sample despawn_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    arrays_state *state = opened;
    arrays_end_all(state, n);
    arrays_make(state, n);
    double start = bench_now();
    arrays_end_all(state, n);
    double ns = bench_now() - start;
    return (bench_sample){ns, n - state->free_count};
}

static bench_sample spawn_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    arrays_state *state = opened;
    arrays_end_all(state, n);
    arrays_make(state, n);
    arrays_end_all(state, n);
    double start = bench_now();
    arrays_make(state, n);
    double ns = bench_now() - start;
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += (double)state->positions[i].x;
    }
    return (bench_sample){ns, (uint64_t)sum};
}

#define COMMANDS(name, what, change, layout, target)                                               \
    {                                                                                              \
        name, what, 100000, layout, target, {open_kith, change##_by_kith, close_kith},             \
            {open_arrays, change##_by_arrays, close_arrays}, BENCH_ALONE                           \
    }
#define COMMANDS_ALL(name, what, change, target)                                                   \
    COMMANDS(name, what, change, KITH_TABLE, target),                                              \
        COMMANDS(name, "", change, KITH_SPARSE, target),                                           \
        COMMANDS(name, "", change, KITH_SLOT, target)
#define COMMANDS_IN_SETTINGS(name, change)                                                         \
    BENCH_LAYOUTS_IN_SETTINGS(name, open_kith, change##_by_kith, close_kith)

const bench_workload bench_commands[] = {
    COMMANDS_ALL("commands", "iterate, queue \"add Extra\" for each, apply", add, 2.9),
    COMMANDS_ALL("queue-set", "the same where each has an Extra", set, 0),
    COMMANDS_ALL("queue-remove", "iterate, queue \"remove Extra\" for each, apply", remove, 0),
    COMMANDS_ALL("queue-despawn", "iterate, queue the end of each, apply", despawn, 0),
    COMMANDS_ALL("queue-spawn", "queue entities with two components, apply", spawn, 0),
    COMMANDS_IN_SETTINGS("commands", add),
    COMMANDS_IN_SETTINGS("queue-set", set),
    COMMANDS_IN_SETTINGS("queue-remove", remove),
    COMMANDS_IN_SETTINGS("queue-despawn", despawn),
    COMMANDS_IN_SETTINGS("queue-spawn", spawn),
};
const uint32_t bench_commands_count = sizeof bench_commands / sizeof bench_commands[0];
