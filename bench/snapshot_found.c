/* What a restore costs where entities are found by a unique key, by indexes and by a tracker: all of
 * that goes by the blocks that the restore changes. */
#include <kith/kith.h>

#include "bench.h"

#define ENTITIES 1000000u
#define ROUNDS 101u

typedef struct Player {
    uint32_t number; /* a unique key */
    int32_t points;  /* in two indexes */
} Player;
KITH_TYPE(Player, KITH_FIELD(Player, number), KITH_FIELD(Player, points));

typedef struct found {
    kith_world *world;
    kith_entity player; /* who scores */
    kith_index *hash;
    kith_index *order;
    kith_tracker *tracker;
    kith_snapshot *before;
} found;

static void expect(bool is)
{
    if (!is) {
        bench_fail("what is found after a restore is wrong");
    }
}

static found found_new(void)
{
    const kith_component_def def = {.layout = KITH_TABLE};
    const kith_index_def hash = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Player, points)};
    const kith_index_def order = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Player, points)};
    found f = {.world = bench_world(KITH_TABLE)};
    expect(kith_register(f.world, &Player_type, &def) == KITH_OK);
    expect(KITH_UNIQUE(f.world, Player, number) == KITH_OK);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        f.player = KITH_SPAWN(f.world, KITH_VALUE(Player, {i, (int32_t)i}));
    }
    expect(kith_index_new(f.world, &hash, &f.hash) == KITH_OK &&
           kith_index_new(f.world, &order, &f.order) == KITH_OK &&
           kith_tracker_new(f.world, &Player_type, &f.tracker) == KITH_OK);
    return f;
}

/* Asks for the player by its number and its points, and for the entities that came or went. */
static void ask(const found *f, uint32_t number, int32_t points)
{
    const Player wanted = {number, points};
    kith_index_found players;
    kith_change change;
    expect(kith_entity_equal(kith_unique_find(f->world, &Player_type, &wanted), f->player));
    expect(kith_index_find(f->hash, &wanted, &players) == KITH_OK && players.count == 1);
    expect(kith_index_find(f->order, &wanted, &players) == KITH_OK && players.count == 1);
    expect(!kith_tracker_next(f->tracker, &change));
}

static void score(const found *f, uint32_t number, int32_t points)
{
    expect(KITH_SET(f->world, f->player, Player, {number, points}) == KITH_OK);
}

/* Measures what follows a value that was set, and asked for: a restore if `restores`, and asking. */
static void measure_found(const char *what, found *f, bool restores)
{
    double us[ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; i++) {
        score(f, ENTITIES + i, -1);
        ask(f, ENTITIES + i, -1);
        if (!restores) {
            score(f, ENTITIES - 1, ENTITIES - 1);
        }
        double start = bench_now();
        if (restores) {
            expect(kith_snapshot_restore(f->world, f->before) == KITH_OK);
        }
        ask(f, ENTITIES - 1, ENTITIES - 1);
        us[i] = (bench_now() - start) / 1e3;
    }
    bench_sort(us, ROUNDS);
    bench_print_figure((bench_figure){
        .what = what, .unit = "us", .least = us[0], .median = us[ROUNDS / 2], .of_median = true});
}

void bench_snapshot_found(void)
{
    found f = found_new();
    ask(&f, ENTITIES - 1, ENTITIES - 1);
    measure_found("found by a key and two indexes, one was set", &f, false);
    expect(kith_snapshot_take(f.world, &f.before) == KITH_OK);
    measure_found("back to before, and found", &f, true);
    kith_snapshot_free(f.before);
    kith_world_free(f.world);
}
