/* What a saved world costs: 100,000 entities, half of which have a third component. Beside that, copying
 * the same handles and values from arrays. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define ENTITIES 100000u
#define ROUNDS 21u

typedef struct saved {
    kith_world *world;
    kith_bytes bytes;
    unsigned char *arrays; /* handles, positions, velocities and extras, one after the other */
    unsigned char *copy;
    size_t size;
} saved;

static saved saved_new(void)
{
    saved s = {.world = bench_world(KITH_TABLE)};
    s.size = ENTITIES * (sizeof(kith_entity) + sizeof(Position) + sizeof(Velocity)) +
             ENTITIES / 2 * sizeof(Extra);
    s.arrays = bench_take(s.size);
    s.copy = bench_take(s.size);
    memset(s.arrays, 1, s.size);
    memset(s.copy, 1, s.size);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        const float x = (float)i;
        const kith_entity e = KITH_SPAWN(s.world, KITH_VALUE(Position, {x, x / 3}),
                                         KITH_VALUE(Velocity, {1 / (x + 1), 2}));
        if (i % 2 == 0) {
            KITH_SET(s.world, e, Extra, {x, 1, 2});
        }
    }
    return s;
}

static void saved_free(saved *s)
{
    kith_bytes_free(s->world, &s->bytes);
    kith_world_free(s->world);
    free(s->arrays);
    free(s->copy);
}

static void save_world(saved *s)
{
    if (kith_world_save(s->world, &s->bytes) != KITH_OK) {
        bench_fail("a world is not saved");
    }
}

static void load_world(saved *s)
{
    if (kith_world_load(s->world, s->bytes.data, s->bytes.size) != KITH_OK) {
        bench_fail("a world is not loaded");
    }
}

static void copy_arrays(saved *s)
{
    s->arrays[0]++; /* or the copies could be seen to be the same */
    memcpy(s->copy, s->arrays, s->size);
}

static void measure_saved(const char *what, saved *s, void (*play)(saved *s))
{
    double us[ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const double start = bench_now();
        play(s);
        us[i] = (bench_now() - start) / 1e3;
    }
    bench_sort(us, ROUNDS);
    bench_print_figure((bench_figure){
        .what = what, .unit = "us", .least = us[0], .median = us[ROUNDS / 2], .of_median = true});
}

void bench_save(void)
{
    bench_print_figure_head("a world of 100,000 entities as bytes");
    saved s = saved_new();
    const uint64_t hash = kith_world_hash(s.world);
    measure_saved("copying the arrays", &s, copy_arrays);
    measure_saved("kith_world_save", &s, save_world);
    measure_saved("kith_world_load", &s, load_world);
    const double bytes = (double)s.bytes.size / ENTITIES;
    bench_print_figure((bench_figure){
        .what = "bytes of an entity", .unit = "bytes", .least = bytes, .median = bytes});
    const double arrays = (double)s.size / ENTITIES;
    bench_print_figure((bench_figure){
        .what = "the same in arrays", .unit = "bytes", .least = arrays, .median = arrays});
    if (kith_world_hash(s.world) != hash) {
        bench_fail("a world is another one after loading");
    }
    saved_free(&s);
}
