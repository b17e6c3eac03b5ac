/* What looking ahead costs: a fork of a world of entities of 64 bytes, and ten ticks in each of which a
 * hundredth of them is written. Beside that, copying the same bytes and writing to the copy. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define FEW 10000u
#define MANY 1000000u
#define TICKS 10u
#define PART 100u /* one of so many is written in a tick */
#define ROUNDS 101u

typedef struct Piece {
    uint64_t words[8];
} Piece;
KITH_TYPE(Piece, KITH_FIELD(Piece, words));

typedef struct board {
    kith_world *world;
    kith_snapshot *snapshot;
    kith_entity *handles;
    Piece *pieces;
    Piece *copies;
    uint32_t count;
    uint64_t sum; /* of what was written, so that it is */
} board;

static void expect(kith_result result)
{
    if (result != KITH_OK) {
        bench_fail("a fork fails");
    }
}

/* Writes those of a tick, which are next to one another. */
static kith_result write_part(kith_world *world, kith_iter *it)
{
    const board *b = it->user;
    const uint32_t part = b->count / PART;
    const uint32_t first = (uint32_t)kith_tick_count(world) % PART * part;
    for (uint32_t i = first; i < first + part; i++) {
        KITH_GET_MUT(world, b->handles[i], Piece)->words[0]++;
    }
    return KITH_OK;
}

static kith_result set_up(kith_world *world, void *context)
{
    const kith_system_def def = {.name = "write", .update = write_part, .user = context};
    return kith_system_add(world, &def);
}

static void begin(board *b, uint32_t count)
{
    *b = (board){.world = bench_world(KITH_TABLE),
                 .handles = bench_take(count * sizeof(kith_entity)),
                 .pieces = bench_take(count * sizeof(Piece)),
                 .copies = bench_take(count * sizeof(Piece)),
                 .count = count};
    memset(b->pieces, 1, count * sizeof(Piece));
    memset(b->copies, 1, count * sizeof(Piece));
    const kith_values values[] = {{&Piece_type, b->pieces, true}};
    expect(kith_spawn_many(b->world, count, values, 1, b->handles));
    expect(set_up(b->world, b));
    expect(kith_snapshot_take(b->world, &b->snapshot));
}

static void end(board *b)
{
    kith_world_free(b->world);
    free(b->handles);
    free(b->pieces);
    free(b->copies);
}

static kith_world *make_fork(board *b)
{
    kith_world *fork;
    const kith_fork_def def = {.set_up = set_up, .context = b};
    expect(kith_fork_new(b->snapshot, &def, &fork));
    return fork;
}

static void fork_alone(board *b)
{
    kith_world_free(make_fork(b));
}

static void fork_and_play(board *b)
{
    kith_world *fork = make_fork(b);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        expect(kith_run(fork, 1));
    }
    b->sum += KITH_GET(fork, b->handles[0], Piece)->words[0];
    kith_world_free(fork);
}

static void copy_and_write(board *b)
{
    memcpy(b->copies, b->pieces, b->count * sizeof(Piece));
    const uint32_t part = b->count / PART;
    for (uint32_t tick = 1; tick <= TICKS; tick++) {
        for (uint32_t i = tick * part; i < (tick + 1) * part; i++) {
            b->copies[i].words[0]++;
        }
    }
    b->sum += b->copies[part].words[0];
}

static bench_figure measure(const char *what, board *b, void (*run)(board *b))
{
    double us[ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; i++) {
        double start = bench_now();
        run(b);
        us[i] = (bench_now() - start) / 1e3;
    }
    bench_sort(us, ROUNDS);
    bench_figure figure = {.what = what, .unit = "us", .least = us[0], .median = us[ROUNDS / 2]};
    bench_print_figure(figure);
    return figure;
}

static void measure_beside(board *b, const char *with_ticks, const char *by_hand)
{
    bench_figure forked = measure(with_ticks, b, fork_and_play);
    bench_figure copied = measure(by_hand, b, copy_and_write);
    bench_print_figure((bench_figure){.what = "... beside that copy",
                                      .unit = "",
                                      .least = forked.least / copied.least,
                                      .median = forked.median / copied.median});
}

void bench_forks(void)
{
    bench_print_figure_head("forks");
    board b;
    begin(&b, FEW);
    measure("kith_fork_new and its end, 10^4 entities", &b, fork_alone);
    measure_beside(&b, "the same with 10 ticks", "a copy of the bytes, and the writes");
    end(&b);
    begin(&b, MANY);
    measure("kith_fork_new and its end, 10^6 entities", &b, fork_alone);
    measure_beside(&b, "the same with 10 ticks, 10^6", "a copy of the bytes, and the writes, 10^6");
    end(&b);
}
