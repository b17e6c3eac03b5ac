/* What else there is in the world of a row: see bench_setting. */
#include "bench.h"

/* Of the side that runs, until a world is in it. */
static bench_setting wanted;

static void expect(bool done)
{
    if (!done) {
        bench_fail("what a row is measured beside was not made");
    }
}

/* Looks for changes, as a game does in each frame. */
static void look(kith_world *world)
{
    kith_query *query = KITH_QUERY(world, KITH_CHANGED(Position));
    expect(query != NULL);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
    }
}

static bool has_index(bench_setting setting)
{
    return setting == BENCH_INDEXED || setting == BENCH_UNINDEXED;
}

static void make_index(bench_frame *frame, const kith_type *indexed)
{
    const kith_index_def def = {
        .kind = KITH_INDEX_HASH, .type = indexed, .fields = {indexed->fields[0].name}};
    expect(kith_index_new(frame->world, &def, &frame->index) == KITH_OK);
}

/* Brings the index up to date. */
static void ask(const bench_frame *frame)
{
    const float zeros[4] = {0}; /* a value of any type that rows have indexes of */
    kith_index_found found;
    expect(kith_index_find(frame->index, zeros, &found) == KITH_OK);
}

static void replace_snapshot(bench_frame *frame)
{
    kith_snapshot *snapshot;
    expect(kith_snapshot_take(frame->world, &snapshot) == KITH_OK);
    kith_snapshot_free(frame->snapshot);
    frame->snapshot = snapshot;
}

bench_frame bench_frame_new(kith_world *world, const kith_type *indexed)
{
    bench_frame frame = {.setting = wanted, .world = world};
    wanted = BENCH_ALONE;
    if (has_index(frame.setting)) {
        make_index(&frame, indexed);
        ask(&frame);
    } else if (frame.setting == BENCH_SNAPSHOTS) {
        replace_snapshot(&frame);
    }
    return frame;
}

double bench_frame_start(bench_frame *frame)
{
    if (frame->setting == BENCH_WATCHED) {
        look(frame->world);
    } else if (has_index(frame->setting)) {
        ask(frame);
    }
    if (frame->setting == BENCH_UNINDEXED) {
        kith_index_free(frame->index);
    }
    double start = bench_now();
    if (frame->setting == BENCH_SNAPSHOTS) {
        replace_snapshot(frame);
    }
    return start;
}

bench_sample bench_run_in(bench_setting setting, const bench_side *side, void *state, uint32_t n,
                          kith_layout layout)
{
    wanted = setting;
    bench_sample sample = side->run(state, n, layout);
    if (wanted != BENCH_ALONE) {
        bench_fail("a row is not in its setting");
    }
    return sample;
}
