/* What snapshots of a world of many tables cost, one of which is written in each frame. */
#include <kith/kith.h>
#include <stdio.h>

#include "bench.h"

#define TABLES 10000u
#define TAGS 14u
#define ROUNDS 101u

typedef struct tabled {
    kith_world *world;
    kith_entity entity; /* of one of the tables */
    kith_snapshot *last;
} tabled;

static void need(kith_result result)
{
    if (result != KITH_OK) {
        bench_fail("a snapshot of tables fails");
    }
}

/* A table for each set of tags, with an entity in each. */
static tabled tabled_new(void)
{
    static char names[TAGS][8];
    static kith_type tags[TAGS];
    tabled t = {.world = bench_world(KITH_TABLE)};
    for (uint32_t i = 0; i < TAGS; i++) {
        snprintf(names[i], sizeof names[i], "tag%u", i);
        tags[i] = (kith_type){.name = names[i], .align = 1};
        need(kith_register(t.world, &tags[i], &(kith_component_def){.layout = KITH_TABLE}));
    }
    for (uint32_t table = 0; table < TABLES; table++) {
        kith_value values[TAGS + 1] = {KITH_VALUE(Position, {1, 2})};
        uint32_t count = 1;
        for (uint32_t i = 0; i < TAGS; i++) {
            if ((table >> i & 1) != 0) {
                values[count++] = (kith_value){&tags[i], NULL};
            }
        }
        need(kith_spawn(t.world, values, count, &t.entity));
    }
    need(kith_snapshot_take(t.world, &t.last));
    return t;
}

static void write_one(tabled *t)
{
    KITH_GET_MUT(t->world, t->entity, Position)->x += BENCH_DT;
}

static void write_and_take(tabled *t)
{
    kith_snapshot *snapshot;
    write_one(t);
    need(kith_snapshot_take(t->world, &snapshot));
    kith_snapshot_free(t->last);
    t->last = snapshot;
}

static void write_and_go_back(tabled *t)
{
    write_one(t);
    need(kith_snapshot_restore(t->world, t->last));
}

static void measure_tabled(const char *what, tabled *t, void (*frame)(tabled *t))
{
    double us[ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; i++) {
        double start = bench_now();
        frame(t);
        us[i] = (bench_now() - start) / 1e3;
    }
    bench_sort(us, ROUNDS);
    bench_print_figure((bench_figure){.what = what,
                                      .unit = "us",
                                      .least = us[0],
                                      .median = us[ROUNDS / 2],
                                      .of_median = true});
}

void bench_snapshot_tables(void)
{
    tabled t = tabled_new();
    measure_tabled("one of 10,000 tables written, with a snapshot", &t, write_and_take);
    measure_tabled("one of 10,000 tables written, and back", &t, write_and_go_back);
    kith_world_free(t.world);
}
