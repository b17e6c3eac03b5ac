/* Making entities: without components, with two one at a time, and with two in bulk. */
#include <stdlib.h>

#include "bench.h"

/* Hand-written entities: handles, and components by index, in arrays that double. */
typedef struct hand_entities {
    uint32_t count;
    uint32_t capacity;
    uint32_t *generations;
    Position *positions;
    Velocity *velocities;
} hand_entities;

static void *hand_grow(void *old, size_t size)
{
    void *grown = realloc(old, size);
    if (grown == NULL) {
        abort();
    }
    return grown;
}

static void hand_reserve(hand_entities *hand, uint32_t count, bool components)
{
    if (count <= hand->capacity) {
        return;
    }
    uint32_t capacity = hand->capacity == 0 ? 64 : hand->capacity * 2;
    capacity = capacity < count ? count : capacity;
    hand->generations = hand_grow(hand->generations, capacity * sizeof *hand->generations);
    if (components) {
        hand->positions = hand_grow(hand->positions, capacity * sizeof *hand->positions);
        hand->velocities = hand_grow(hand->velocities, capacity * sizeof *hand->velocities);
    }
    hand->capacity = capacity;
}

static void hand_free(hand_entities *hand)
{
    free(hand->generations);
    free(hand->positions);
    free(hand->velocities);
}

static uint64_t sum_handles(const kith_entity *handles, uint32_t n)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += handles[i].index1 + handles[i].generation;
    }
    return sum;
}

/* All arrays are read in the end, or the compiler leaves out what is written to them. */
static uint64_t sum_generations(const hand_entities *hand)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < hand->count; i++) {
        sum += hand->generations[i];
    }
    return sum;
}

static void *open_handles(uint32_t n, kith_layout layout)
{
    (void)layout;
    return bench_take(n * sizeof(kith_entity));
}

static bench_sample empty_by_kith(void *state, uint32_t n, kith_layout layout)
{
    kith_entity *handles = state;
    kith_world *world = bench_world(layout);
    bench_frame frame = bench_frame_new(world, &Position_type);
    double start = bench_frame_start(&frame);
    for (uint32_t i = 0; i < n; i++) {
        handles[i] = kith_spawn_empty(world);
    }
    double ns = bench_now() - start;
    kith_world_free(world);
    return (bench_sample){ns, sum_handles(handles, n)};
}

static bench_sample empty_by_arrays(void *state, uint32_t n, kith_layout layout)
{
    (void)layout;
    kith_entity *handles = state;
    hand_entities hand = {0};
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        hand_reserve(&hand, hand.count + 1, false);
        hand.generations[hand.count] = 0;
        handles[i] = (kith_entity){++hand.count, 0};
    }
    double ns = bench_now() - start;
    uint64_t sum = sum_handles(handles, n) + sum_generations(&hand);
    hand_free(&hand);
    return (bench_sample){ns, sum};
}

static uint64_t sum_world(kith_world *world)
{
    kith_query *query = KITH_QUERY(world, KITH_READ(Position), KITH_READ(Velocity));
    double sum = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += KITH_AT(&it, i, Position)->x + KITH_AT(&it, i, Velocity)->y;
        }
    }
    return (uint64_t)sum;
}

static uint64_t sum_hand(const hand_entities *hand)
{
    double sum = 0;
    for (uint32_t i = 0; i < hand->count; i++) {
        sum += hand->positions[i].x + hand->velocities[i].y;
    }
    return (uint64_t)sum + sum_generations(hand);
}

static bench_sample two_by_kith(void *state, uint32_t n, kith_layout layout)
{
    (void)state;
    kith_world *world = bench_world(layout);
    bench_frame frame = bench_frame_new(world, &Position_type);
    double start = bench_frame_start(&frame);
    for (uint32_t i = 0; i < n; i++) {
        Position position = bench_position(i);
        Velocity velocity = bench_velocity(i);
        KITH_SPAWN(world, KITH_VALUE(Position, position), KITH_VALUE(Velocity, velocity));
    }
    double ns = bench_now() - start;
    uint64_t sum = sum_world(world);
    kith_world_free(world);
    return (bench_sample){ns, sum};
}

static bench_sample two_by_arrays(void *state, uint32_t n, kith_layout layout)
{
    (void)state;
    (void)layout;
    hand_entities hand = {0};
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        hand_reserve(&hand, hand.count + 1, true);
        hand.generations[hand.count] = 0;
        hand.positions[hand.count] = bench_position(i);
        hand.velocities[hand.count] = bench_velocity(i);
        hand.count++;
    }
    double ns = bench_now() - start;
    uint64_t sum = sum_hand(&hand);
    hand_free(&hand);
    return (bench_sample){ns, sum};
}

/* The two arrays that a bulk call reads. */
typedef struct bulk_values {
    Position *positions;
    Velocity *velocities;
} bulk_values;

static void *open_bulk(uint32_t n, kith_layout layout)
{
    (void)layout;
    bulk_values *values = bench_take(sizeof *values);
    values->positions = bench_take(n * sizeof(Position));
    values->velocities = bench_take(n * sizeof(Velocity));
    for (uint32_t i = 0; i < n; i++) {
        values->positions[i] = bench_position(i);
        values->velocities[i] = bench_velocity(i);
    }
    return values;
}

static void close_bulk(void *state)
{
    bulk_values *values = state;
    free(values->positions);
    free(values->velocities);
    free(values);
}

static bench_sample bulk_by_kith(void *state, uint32_t n, kith_layout layout)
{
    const bulk_values *from = state;
    kith_world *world = bench_world(layout);
    const kith_values values[] = {KITH_VALUES(Position, from->positions),
                                  KITH_VALUES(Velocity, from->velocities)};
    bench_frame frame = bench_frame_new(world, &Position_type);
    double start = bench_frame_start(&frame);
    kith_spawn_many(world, n, values, 2, NULL);
    double ns = bench_now() - start;
    uint64_t sum = sum_world(world);
    kith_world_free(world);
    return (bench_sample){ns, sum};
}

static bench_sample bulk_by_arrays(void *state, uint32_t n, kith_layout layout)
{
    (void)layout;
    const bulk_values *from = state;
    hand_entities hand = {0};
    double start = bench_now();
    hand_reserve(&hand, n, true);
    for (uint32_t i = 0; i < n; i++) {
        hand.generations[i] = 0;
        hand.positions[i] = from->positions[i];
        hand.velocities[i] = from->velocities[i];
    }
    hand.count = n;
    double ns = bench_now() - start;
    uint64_t sum = sum_hand(&hand);
    hand_free(&hand);
    return (bench_sample){ns, sum};
}

#define EMPTY_SIDES                                                                                \
    {open_handles, empty_by_kith, free},                                                           \
    {                                                                                              \
        open_handles, empty_by_arrays, free                                                        \
    }
#define TWO_SIDES                                                                                  \
    {NULL, two_by_kith, NULL},                                                                     \
    {                                                                                              \
        NULL, two_by_arrays, NULL                                                                  \
    }
#define BULK_SIDES                                                                                 \
    {open_bulk, bulk_by_kith, close_bulk},                                                         \
    {                                                                                              \
        open_bulk, bulk_by_arrays, close_bulk                                                      \
    }

const bench_workload bench_create[] = {
    {"create", "entities without components, handles kept", 1000000, KITH_TABLE, 4, EMPTY_SIDES,
     BENCH_ALONE},
    {"create-two", "entities with two components, one at a time", 100000, KITH_TABLE, 3.1,
     TWO_SIDES, BENCH_ALONE},
    {"create-two", "", 1000000, KITH_TABLE, 4, TWO_SIDES, BENCH_ALONE},
    {"create-two", "", 100000, KITH_SPARSE, 0, TWO_SIDES, BENCH_ALONE},
    {"create-two", "", 100000, KITH_SLOT, 0, TWO_SIDES, BENCH_ALONE},
    {"create-bulk", "entities with two components in one call", 100000, KITH_TABLE, 1.9, BULK_SIDES,
     BENCH_ALONE},
    {"create-bulk", "", 1000000, KITH_TABLE, 1.4, BULK_SIDES, BENCH_ALONE},
    {"create-bulk", "", 100000, KITH_SPARSE, 0, BULK_SIDES, BENCH_ALONE},
    {"create-bulk", "", 100000, KITH_SLOT, 0, BULK_SIDES, BENCH_ALONE},
    BENCH_ROW_IN_SETTINGS("create", 1000000, KITH_TABLE, open_handles, empty_by_kith, free),
    BENCH_LAYOUTS_IN_SETTINGS("create-two", NULL, two_by_kith, NULL),
    BENCH_ROW_IN_SETTINGS("create-bulk", 100000, KITH_TABLE, open_bulk, bulk_by_kith, close_bulk),
};
const uint32_t bench_create_count = sizeof bench_create / sizeof bench_create[0];
