/* Load a scene of n entities with Position and Velocity from its text. */
#include <kith/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const char scene_line[] = "entity e%u\n"
                                 "    Position { x = %.9g, y = %.9g }\n"
                                 "    Velocity { x = %.9g, y = %.9g }\n";

typedef struct scene_text {
    char *bytes;
    size_t length;
} scene_text;

/* Numbers as a saved game has them: half of them with digits behind the point. */
static void *write_text(uint32_t n, kith_layout layout)
{
    (void)layout;
    scene_text *text = bench_take(sizeof *text);
    text->bytes = bench_take((size_t)n * 160 + 1);
    text->length = 0;
    for (uint32_t i = 0; i < n; i++) {
        Position position = bench_position(i);
        Velocity velocity = bench_velocity(i);
        text->length += (size_t)sprintf(text->bytes + text->length, scene_line, i,
                                        (double)position.x + i * 0.125, (double)position.y,
                                        (double)velocity.x + 0.25, (double)velocity.y);
    }
    return text;
}

static void free_text(void *opened)
{
    scene_text *text = opened;
    free(text->bytes);
    free(text);
}

static bench_sample scene_by_kith(void *opened, uint32_t n, kith_layout layout)
{
    (void)n;
    const scene_text *text = opened;
    kith_world *world = bench_world(layout);
    double start = bench_now();
    kith_result result = kith_scene_load(world, text->bytes, text->length, NULL, NULL);
    double ns = bench_now() - start;
    double sum = 0;
    kith_entity entity = KITH_NONE;
    while (result == KITH_OK && !kith_is_none(entity = kith_entity_next(world, entity))) {
        sum += (double)KITH_GET(world, entity, Position)->x +
               (double)KITH_GET(world, entity, Velocity)->x;
    }
    kith_world_free(world);
    return (bench_sample){ns, (uint64_t)sum};
}

/* The least that reads the same numbers: no names, no mistakes, fields in this order alone. */
static bench_sample scene_by_arrays(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const scene_text *text = opened;
    Position *positions = bench_take(n * sizeof *positions);
    Velocity *velocities = bench_take(n * sizeof *velocities);
    double start = bench_now();
    const char *at = text->bytes;
    for (uint32_t i = 0; i < n; i++) {
        float *const numbers[] = {&positions[i].x, &positions[i].y, &velocities[i].x,
                                  &velocities[i].y};
        for (int k = 0; k < 4; k++) {
            char *end;
            at = strchr(at, '=') + 1;
            *numbers[k] = strtof(at, &end);
            at = end;
        }
    }
    double ns = bench_now() - start;
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum += (double)positions[i].x + (double)velocities[i].x;
    }
    free(positions);
    free(velocities);
    return (bench_sample){ns, (uint64_t)sum};
}

const bench_workload bench_scene[] = {
    {"scene",
     "load entities with Position and Velocity from a text",
     100000,
     KITH_TABLE,
     0,
     {write_text, scene_by_kith, free_text},
     {write_text, scene_by_arrays, free_text},
     BENCH_ALONE},
};
const uint32_t bench_scene_count = sizeof bench_scene / sizeof bench_scene[0];
