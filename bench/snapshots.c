/* What snapshots cost: taking one of a world in which nothing was written, and one in each frame. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define ENTITIES 1000000u
#define ROUNDS 101u
#define BLOCK 1024u
#define STEP 100u /* one of so many blocks is written in a frame */

typedef struct filmed {
    kith_world *world;
    kith_entity *handles;
    Position *copied; /* as many as there are entities */
    kith_snapshot *last;
    uint32_t frame;
} filmed;

static void expect(kith_result result)
{
    if (result != KITH_OK) {
        bench_fail("a snapshot fails");
    }
}

static filmed filmed_new(void)
{
    filmed f = {.handles = bench_take(ENTITIES * sizeof *f.handles)};
    f.world = bench_filled_world(KITH_TABLE, ENTITIES, f.handles);
    f.copied = bench_take(ENTITIES * sizeof *f.copied);
    memset(f.copied, 1, ENTITIES * sizeof *f.copied);
    return f;
}

static void filmed_free(filmed *f)
{
    kith_world_free(f->world);
    free(f->handles);
    free(f->copied);
}

/* Moves those in one block of a hundred. */
static void move_some(filmed *f)
{
    for (uint32_t first = f->frame++ % STEP * BLOCK; first < ENTITIES; first += STEP * BLOCK) {
        for (uint32_t i = first; i < first + BLOCK && i < ENTITIES; i++) {
            Position *position = KITH_GET_MUT(f->world, f->handles[i], Position);
            position->x += BENCH_DT;
        }
    }
}

static void take(filmed *f)
{
    kith_snapshot *snapshot;
    expect(kith_snapshot_take(f->world, &snapshot));
    kith_snapshot_free(f->last);
    f->last = snapshot;
}

static void frame_alone(filmed *f)
{
    move_some(f);
}

static void frame_taken(filmed *f)
{
    move_some(f);
    take(f);
}

static void frame_restored(filmed *f)
{
    move_some(f);
    expect(kith_snapshot_restore(f->world, f->last));
}

/* Copies from as many places as a frame writes blocks in, to where the last frame's were copied. */
static void copy_blocks(filmed *f)
{
    static uint8_t to[ENTITIES / BLOCK / STEP + 1][BLOCK * sizeof(Position)];
    uint32_t copied = 0;
    for (uint32_t first = f->frame++ % STEP * BLOCK; first < ENTITIES; first += STEP * BLOCK) {
        uint32_t rows = ENTITIES - first < BLOCK ? ENTITIES - first : BLOCK;
        memcpy(to[copied++], f->copied + first, rows * sizeof(Position));
    }
}

static bench_figure measure(const char *what, filmed *f, void (*frame)(filmed *f), double target)
{
    double us[ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; i++) {
        double start = bench_now();
        frame(f);
        us[i] = (bench_now() - start) / 1e3;
    }
    bench_sort(us, ROUNDS);
    bench_figure figure = {.what = what,
                           .unit = "us",
                           .least = us[0],
                           .median = us[ROUNDS / 2],
                           .target = target,
                           .of_median = true};
    bench_print_figure(figure);
    return figure;
}

/* What a frame takes, beside one without a snapshot and copying the blocks that it writes. */
static void print_ratio(const char *what, bench_figure frame, bench_figure alone, bench_figure copy)
{
    bench_print_figure((bench_figure){.what = what,
                                      .unit = "",
                                      .least = frame.least / (alone.least + copy.least),
                                      .median = frame.median / (alone.median + copy.median),
                                      .target = 1.15,
                                      .of_median = true});
}

void bench_snapshots(void)
{
    bench_print_figure_head("snapshots of 10^6 entities");
    filmed f = filmed_new();
    bench_figure alone = measure("a frame that writes 1% of the blocks", &f, frame_alone, 0);
    bench_figure copy = measure("copying as many bytes", &f, copy_blocks, 0);
    take(&f);
    measure("kith_snapshot_take, nothing was written", &f, take, 10);
    bench_figure taken = measure("the frame, with a snapshot", &f, frame_taken, 0);
    print_ratio("... beside the frame and the copy", taken, alone, copy);
    bench_figure restored = measure("the frame, and back to before", &f, frame_restored, 0);
    print_ratio("... beside the frame and the copy", restored, alone, copy);
    filmed_free(&f);
    bench_snapshot_tables();
    bench_snapshot_found();
}
