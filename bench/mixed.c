/* A frame of five systems over seven components that 17 to 75% of all entities have, each over one to
 * three of them; per entity. By hand the same loops run over the same kind of storage: tables, sparse
 * sets, or bit sets and arrays. */
#include <stdlib.h>

#include "mixed.h"

/* How many percent of all entities have each component. */
static const uint32_t shares[MIXED_TYPES] = {75, 50, 33, 25, 17, 40, 60};

bool mixed_has(uint32_t i, uint32_t type)
{
    uint32_t hash = (i * MIXED_TYPES + type + 1) * 2654435761u;
    hash = (hash ^ hash >> 15) * 2246822519u;
    return (hash >> 8) % 100 < shares[type];
}

typedef struct mixed_state {
    kith_world *world;
    kith_query *queries[MIXED_SYSTEMS];
    mixed_hand *hand;
} mixed_state;

static void spawn_one(kith_world *world, uint32_t i, const kith_type *const *types)
{
    kith_entity e;
    kith_spawn(world, NULL, 0, &e);
    for (uint32_t type = 0; type < MIXED_TYPES; type++) {
        mixed_value value = mixed_start(i, type);
        if (mixed_has(i, type) && kith_set(world, e, types[type], &value) != KITH_OK) {
            bench_fail("no memory for an entity");
        }
    }
}

static void *open_kith(uint32_t n, kith_layout layout)
{
    static const kith_type *const types[MIXED_TYPES] = {&Position_type, &Velocity_type, &Wind_type,
                                                        &Health_type,   &Armor_type,    &Regen_type,
                                                        &Heat_type};
    mixed_state *state = bench_take(sizeof *state);
    *state = (mixed_state){.world = kith_world_new(NULL)};
    for (uint32_t type = 0; type < MIXED_TYPES; type++) {
        kith_register(state->world, types[type], &(kith_component_def){.layout = layout});
    }
    for (uint32_t i = 0; i < n; i++) {
        spawn_one(state->world, i, types);
    }
    kith_world *world = state->world;
    state->queries[0] = KITH_QUERY(world, KITH_WRITE(Position), KITH_READ(Velocity));
    state->queries[1] = KITH_QUERY(world, KITH_WRITE(Health), KITH_READ(Regen));
    state->queries[2] = KITH_QUERY(world, KITH_WRITE(Heat));
    state->queries[3] =
        KITH_QUERY(world, KITH_WRITE(Velocity), KITH_READ(Wind), KITH_READ(Position));
    state->queries[4] = KITH_QUERY(world, KITH_WRITE(Health), KITH_READ(Armor), KITH_READ(Heat));
    return state;
}

static void *open_hand(uint32_t n, kith_layout layout)
{
    mixed_state *state = bench_take(sizeof *state);
    *state = (mixed_state){.hand = mixed_hand_new(n, layout)};
    return state;
}

static void close_mixed(void *opened)
{
    mixed_state *state = opened;
    kith_world_free(state->world);
    mixed_hand_free(state->hand);
    free(state);
}

/* ---- Kith: arrays, which suit tables */

static void frame_of_arrays(const mixed_state *state)
{
    for (kith_iter it = kith_query_iter(state->queries[0]); kith_next(&it);) {
        Position *position = KITH_COLUMN_MUT(&it, Position);
        const Velocity *velocity = KITH_COLUMN(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            mixed_move(&position[i], &velocity[i]);
        }
    }
    for (kith_iter it = kith_query_iter(state->queries[1]); kith_next(&it);) {
        Health *health = KITH_COLUMN_MUT(&it, Health);
        const Regen *regen = KITH_COLUMN(&it, Regen);
        for (uint32_t i = 0; i < it.count; i++) {
            mixed_heal(&health[i], &regen[i]);
        }
    }
    for (kith_iter it = kith_query_iter(state->queries[2]); kith_next(&it);) {
        Heat *heat = KITH_COLUMN_MUT(&it, Heat);
        for (uint32_t i = 0; i < it.count; i++) {
            mixed_warm(&heat[i]);
        }
    }
    for (kith_iter it = kith_query_iter(state->queries[3]); kith_next(&it);) {
        Velocity *velocity = KITH_COLUMN_MUT(&it, Velocity);
        const Wind *wind = KITH_COLUMN(&it, Wind);
        const Position *position = KITH_COLUMN(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            mixed_blow(&velocity[i], &wind[i], &position[i]);
        }
    }
    for (kith_iter it = kith_query_iter(state->queries[4]); kith_next(&it);) {
        Health *health = KITH_COLUMN_MUT(&it, Health);
        const Armor *armor = KITH_COLUMN(&it, Armor);
        const Heat *heat = KITH_COLUMN(&it, Heat);
        for (uint32_t i = 0; i < it.count; i++) {
            mixed_burn(&health[i], &armor[i], &heat[i]);
        }
    }
}

/* ---- Kith: rows, which suit all else */

static void frame_of_rows(const mixed_state *state)
{
    for (kith_iter it = kith_query_iter(state->queries[0]); kith_next_rows(&it);) {
        Position *const *position = KITH_POINTERS_MUT(&it, Position);
        const Velocity *const *velocity = KITH_POINTERS(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            mixed_move(position[i], velocity[i]);
        }
    }
    for (kith_iter it = kith_query_iter(state->queries[1]); kith_next_rows(&it);) {
        Health *const *health = KITH_POINTERS_MUT(&it, Health);
        const Regen *const *regen = KITH_POINTERS(&it, Regen);
        for (uint32_t i = 0; i < it.count; i++) {
            mixed_heal(health[i], regen[i]);
        }
    }
    for (kith_iter it = kith_query_iter(state->queries[2]); kith_next_rows(&it);) {
        Heat *const *heat = KITH_POINTERS_MUT(&it, Heat);
        for (uint32_t i = 0; i < it.count; i++) {
            mixed_warm(heat[i]);
        }
    }
    for (kith_iter it = kith_query_iter(state->queries[3]); kith_next_rows(&it);) {
        Velocity *const *velocity = KITH_POINTERS_MUT(&it, Velocity);
        const Wind *const *wind = KITH_POINTERS(&it, Wind);
        const Position *const *position = KITH_POINTERS(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            mixed_blow(velocity[i], wind[i], position[i]);
        }
    }
    for (kith_iter it = kith_query_iter(state->queries[4]); kith_next_rows(&it);) {
        Health *const *health = KITH_POINTERS_MUT(&it, Health);
        const Armor *const *armor = KITH_POINTERS(&it, Armor);
        const Heat *const *heat = KITH_POINTERS(&it, Heat);
        for (uint32_t i = 0; i < it.count; i++) {
            mixed_burn(health[i], armor[i], heat[i]);
        }
    }
}

/* The sum over all values that change; their types are those that begin with two floats, or one. */
static uint64_t world_sum(kith_world *world)
{
    kith_query *query = KITH_QUERY(world, KITH_OPTIONAL(Position), KITH_OPTIONAL(Velocity),
                                   KITH_OPTIONAL(Health), KITH_OPTIONAL(Heat));
    double sum = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Position *position = KITH_AT(&it, i, Position);
            const Velocity *velocity = KITH_AT(&it, i, Velocity);
            const Health *health = KITH_AT(&it, i, Health);
            const Heat *heat = KITH_AT(&it, i, Heat);
            sum += position == NULL ? 0 : (double)position->x + (double)position->y;
            sum += velocity == NULL ? 0 : (double)velocity->x + (double)velocity->y;
            sum += health == NULL ? 0 : (double)health->value;
            sum += heat == NULL ? 0 : (double)heat->value;
        }
    }
    kith_query_free(query);
    return (uint64_t)(int64_t)sum;
}

static bench_sample mixed_time(const mixed_state *state, void (*frame)(const mixed_state *state))
{
    for (int i = 0; i < 4; i++) {
        frame(state);
    }
    double start = bench_now();
    frame(state);
    double ns = bench_now() - start;
    return (bench_sample){ns, state->hand != NULL ? mixed_hand_sum(state->hand)
                                                  : world_sum(state->world)};
}

static bench_sample by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    return mixed_time(opened, frame_of_arrays);
}

static bench_sample by_rows(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    return mixed_time(opened, frame_of_rows);
}

static void frame_by_hand(const mixed_state *state)
{
    mixed_hand_frame(state->hand);
}

static bench_sample by_hand(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    (void)layout;
    return mixed_time(opened, frame_by_hand);
}

#define MIXED_HAND                                                                                 \
    {                                                                                              \
        open_hand, by_hand, close_mixed                                                            \
    }
#define MIXED_N 65536

const bench_workload bench_mixed[] = {
    {"mixed",
     "five systems over seven components; beside hand loops",
     MIXED_N,
     KITH_TABLE,
     1.1,
     {open_kith, by_arrays, close_mixed},
     MIXED_HAND,
     BENCH_ALONE},
    {"mixed-rows",
     "the same by kith_next_rows",
     MIXED_N,
     KITH_TABLE,
     0,
     {open_kith, by_rows, close_mixed},
     MIXED_HAND,
     BENCH_ALONE},
    {"mixed-rows",
     "",
     MIXED_N,
     KITH_SPARSE,
     2.5,
     {open_kith, by_rows, close_mixed},
     MIXED_HAND,
     BENCH_ALONE},
    {"mixed-rows",
     "",
     MIXED_N,
     KITH_SLOT,
     2,
     {open_kith, by_rows, close_mixed},
     MIXED_HAND,
     BENCH_ALONE},
};
const uint32_t bench_mixed_count = sizeof bench_mixed / sizeof bench_mixed[0];
