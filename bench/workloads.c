/* All workloads, and what they have in common. */
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"

/* What needs both cores has more rounds, since in one of them both have to be free; what makes a million
 * entities and an index in each has fewer. */
enum { ROUNDS = 30, ROUNDS_PARALLEL = 60, ROUNDS_MILLION = 12 };

typedef struct workload_group {
    const bench_workload *workloads;
    const uint32_t *count;
    uint32_t rounds;
} workload_group;

static const workload_group groups[] = {
    {bench_create, &bench_create_count, ROUNDS},
    {bench_destroy, &bench_destroy_count, ROUNDS},
    {bench_change, &bench_change_count, ROUNDS},
    {bench_get, &bench_get_count, ROUNDS},
    {bench_loop, &bench_loop_count, ROUNDS},
    {bench_filter, &bench_filter_count, ROUNDS},
    {bench_mixed, &bench_mixed_count, ROUNDS},
    {bench_count, &bench_count_count, ROUNDS},
    {bench_condition, &bench_condition_count, ROUNDS},
    {bench_planned, &bench_planned_count, ROUNDS},
    {bench_filtered, &bench_filtered_count, ROUNDS},
    {bench_join, &bench_join_count, ROUNDS},
    {bench_linked, &bench_linked_count, ROUNDS},
    {bench_tables, &bench_tables_count, ROUNDS},
    {bench_commands, &bench_commands_count, ROUNDS},
    {bench_systems, &bench_systems_count, ROUNDS},
    {bench_parallel, &bench_parallel_count, ROUNDS_PARALLEL},
    {bench_observers, &bench_observers_count, ROUNDS},
    {bench_scene, &bench_scene_count, ROUNDS},
    {bench_collide, &bench_collide_count, ROUNDS},
    {bench_sorting, &bench_sorting_count, ROUNDS},
    {bench_places, &bench_places_count, ROUNDS},
    {bench_boxes, &bench_boxes_count, ROUNDS_MILLION},
    {bench_space, &bench_space_count, ROUNDS_MILLION},
    {bench_prefix, &bench_prefix_count, ROUNDS_MILLION},
    {bench_ordered, &bench_ordered_count, ROUNDS},
    {bench_refresh, &bench_refresh_count, ROUNDS_MILLION},
    {bench_live, &bench_live_count, ROUNDS},
    {bench_unique, &bench_unique_count, ROUNDS},
    {bench_links, &bench_links_count, ROUNDS},
    {bench_levels, &bench_levels_count, ROUNDS},
    {bench_names, &bench_names_count, ROUNDS},
    {bench_query_text, &bench_query_text_count, ROUNDS},
    {bench_transforms, &bench_transforms_count, ROUNDS},
};
#define GROUP_COUNT (sizeof groups / sizeof groups[0])

uint32_t bench_workload_count(void)
{
    uint32_t count = 0;
    for (uint32_t group = 0; group < GROUP_COUNT; group++) {
        count += *groups[group].count;
    }
    return count;
}

/* The group that a workload is of; `number` becomes its number there. */
static const workload_group *group_of(uint32_t *number)
{
    const workload_group *group = groups;
    while (*number >= *group->count) {
        *number -= *group->count;
        group++;
    }
    return group;
}

const bench_workload *bench_workload_at(uint32_t number)
{
    const workload_group *group = group_of(&number);
    return &group->workloads[number];
}

uint32_t bench_workload_rounds(uint32_t number)
{
    return group_of(&number)->rounds;
}

uint32_t bench_round;

void bench_fail(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

void *bench_take(size_t size)
{
    void *memory = malloc(size);
    if (memory == NULL) {
        bench_fail("no memory");
    }
    return memory;
}

kith_world *bench_world(kith_layout layout)
{
    kith_world *world = kith_world_new(NULL);
    const kith_component_def def = {.layout = layout};
    if (world == NULL || kith_register(world, &Position_type, &def) != KITH_OK ||
        kith_register(world, &Velocity_type, &def) != KITH_OK) {
        bench_fail("no memory for a world");
    }
    return world;
}

kith_world *bench_filled_world(kith_layout layout, uint32_t n, kith_entity *handles)
{
    kith_world *world = bench_world(layout);
    const kith_component_def def = {.layout = layout};
    if (kith_register(world, &Extra_type, &def) != KITH_OK ||
        kith_register(world, &Marker_type, &def) != KITH_OK) {
        bench_fail("no memory for a world");
    }
    for (uint32_t i = 0; i < n; i++) {
        Position position = bench_position(i);
        Velocity velocity = bench_velocity(i);
        kith_entity entity =
            KITH_SPAWN(world, KITH_VALUE(Position, position), KITH_VALUE(Velocity, velocity));
        if (handles != NULL) {
            handles[i] = entity;
        }
    }
    return world;
}

uint32_t *bench_shuffled(uint32_t n)
{
    uint32_t *numbers = bench_take(n * sizeof *numbers);
    for (uint32_t i = 0; i < n; i++) {
        numbers[i] = i;
    }
    uint64_t state = 42;
    for (uint32_t i = n - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t other = (uint32_t)((state >> 33) % (i + 1));
        uint32_t kept = numbers[i];
        numbers[i] = numbers[other];
        numbers[other] = kept;
    }
    return numbers;
}

const char *bench_layout_name(kith_layout layout)
{
    return layout == KITH_TABLE ? "table" : layout == KITH_SPARSE ? "sparse" : "slot";
}

static int compare_doubles(const void *a, const void *b)
{
    double first = *(const double *)a;
    double second = *(const double *)b;
    return (first > second) - (first < second);
}

double *bench_sort(double *samples, uint32_t count)
{
    qsort(samples, count, sizeof *samples, compare_doubles);
    return samples;
}
