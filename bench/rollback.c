/* What rollback costs: 10,000 entities of 64 bytes, all of them written in each frame, and a ring
 * with the snapshots of the last 8. Beside that, copying the same bytes and reading them. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define ENTITIES 10000u
#define FRAMES 8u
#define ROUNDS 101u

typedef struct Body {
    uint64_t words[8];
} Body;
KITH_TYPE(Body, KITH_FIELD(Body, words));

typedef struct rolled {
    kith_world *world;
    kith_query *query;
    Body *bodies;
    Body *copies; /* of all bodies, in each frame */
    kith_snapshot *taken[FRAMES];
    uint64_t sum; /* of what was read and hashed, so that it is */
} rolled;

static void expect(kith_result result)
{
    if (result != KITH_OK) {
        bench_fail("a rollback fails");
    }
}

static rolled rolled_new(void)
{
    rolled r = {.world = bench_world(KITH_TABLE),
                .bodies = bench_take(ENTITIES * sizeof(Body)),
                .copies = bench_take(FRAMES * ENTITIES * sizeof(Body))};
    memset(r.bodies, 1, ENTITIES * sizeof(Body));
    memset(r.copies, 1, FRAMES * ENTITIES * sizeof(Body));
    const kith_component_def def = {.layout = KITH_TABLE};
    expect(kith_register(r.world, &Body_type, &def));
    for (uint32_t i = 0; i < ENTITIES; i++) {
        KITH_SPAWN(r.world, KITH_VALUE(Body, {{i}}));
    }
    r.query = kith_query_new_or_null(r.world,
                                     &(kith_query_def){.terms = KITH_TERMS(KITH_WRITE(Body))});
    return r;
}

static void rolled_free(rolled *r)
{
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        kith_snapshot_free(r->taken[frame]);
    }
    kith_world_free(r->world);
    free(r->bodies);
    free(r->copies);
}

static void write_all(rolled *r)
{
    for (kith_iter it = kith_query_iter(r->query); kith_next(&it);) {
        Body *body = KITH_COLUMN_MUT(&it, Body);
        for (uint32_t i = 0; i < it.count; i++) {
            for (uint32_t w = 0; w < 8; w++) {
                body[i].words[w]++;
            }
        }
    }
}

static void write_frames(rolled *r)
{
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        write_all(r);
    }
}

static void hash_frames(rolled *r)
{
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        r->sum += kith_world_hash(r->world);
    }
}

/* Takes a snapshot after each frame in place of the oldest, with its hash if that is wanted, and
 * goes back to the first. */
static void take_frames(rolled *r, bool hashed)
{
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        write_all(r);
        kith_snapshot_free(r->taken[frame]);
        expect(kith_snapshot_take(r->world, &r->taken[frame]));
        r->sum += hashed ? kith_world_hash(r->world) : 0;
    }
    expect(kith_snapshot_restore(r->world, r->taken[0]));
}

static void roll_back(rolled *r)
{
    take_frames(r, true);
}

static void roll_back_unhashed(rolled *r)
{
    take_frames(r, false);
}

static void copy_frames(rolled *r)
{
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        r->bodies[frame].words[0]++; /* or the copies could be seen to be the same */
        memcpy(r->copies + frame * ENTITIES, r->bodies, ENTITIES * sizeof(Body));
    }
}

static void read_frames(rolled *r)
{
    for (uint32_t i = 0; i < FRAMES * ENTITIES; i++) {
        for (uint32_t w = 0; w < 8; w++) {
            r->sum += r->copies[i].words[w];
        }
    }
}

static bench_figure measure_rollback(const char *what, rolled *r, void (*play)(rolled *r))
{
    double us[ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; i++) {
        double start = bench_now();
        play(r);
        us[i] = (bench_now() - start) / 1e3;
    }
    bench_sort(us, ROUNDS);
    bench_figure figure = {
        .what = what, .unit = "us", .least = us[0], .median = us[ROUNDS / 2], .of_median = true};
    bench_print_figure(figure);
    return figure;
}

static void print_rollback_ratio(const char *what, bench_figure all, double least, double median,
                                 double target)
{
    bench_print_figure((bench_figure){.what = what,
                                      .unit = "",
                                      .least = all.least / least,
                                      .median = all.median / median,
                                      .target = target});
}

void bench_rollback(void)
{
    bench_print_figure_head("8 frames of 10,000 entities of 64 bytes");
    rolled r = rolled_new();
    bench_figure copied = measure_rollback("copying the bytes 8 times", &r, copy_frames);
    bench_figure read = measure_rollback("reading them 8 times", &r, read_frames);
    bench_figure written = measure_rollback("8 frames, no snapshot", &r, write_frames);
    measure_rollback("8 hashes of the world, nothing written", &r, hash_frames);
    measure_rollback("8 frames and takes, 1 restore", &r, roll_back_unhashed);
    bench_figure all = measure_rollback("8 frames, takes and hashes, 1 restore", &r, roll_back);
    double least = copied.least + read.least;
    double median = copied.median + read.median;
    print_rollback_ratio("... beside copying and reading", all, least, median, 1.5);
    print_rollback_ratio("... beside that and the frames", all, least + written.least,
                         median + written.median, 0);
    if (r.sum == 0) {
        bench_fail("nothing was read");
    }
    rolled_free(&r);
}
