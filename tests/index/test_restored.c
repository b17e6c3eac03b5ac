/* Indexes of worlds that go back and forth between snapshots: what they find is what a loop does, and
 * what a restore did not change is not looked at. */
#include "computed.h"
#include "indexes.h"
#include "random.h"

enum { ROWS = 1024, BLOCKS = 5, VALUES = 6, RING = 4, ROUNDS = 40, LONG = 500 };

/* ---- What it costs ------------------------------------------------------------------------------- */

static void spawn_blocks(kith_world *world, kith_entity *entities)
{
    for (uint32_t i = 0; i < BLOCKS * ROWS; i++) {
        entities[i] = KITH_SPAWN(world, KITH_VALUE(Health, {(int32_t)i % VALUES, 1}));
    }
}

static uint64_t rows_compared(const kith_index *index)
{
    return kith_index_stats(index).rows_compared;
}

/* Only the block that is other than what the index saw is compared, and then what the restore of the
 * same snapshot changes: nothing. */
static void restored_block_by_block(kith_layout layout, kith_index_kind kind)
{
    static kith_entity entities[BLOCKS * ROWS];
    indexed t = indexed_new(layout, kind);
    spawn_blocks(t.world, entities);
    expect_all_found(&t, VALUES);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(t.world, &before), KITH_OK);
    for (int asked = 0; asked < 2; asked++) {
        KITH_GET_MUT(t.world, entities[2 * ROWS + 7], Health)->current = VALUES - 1;
        if (asked == 1) {
            expect_all_found(&t, VALUES);
        }
        CHECK_RESULT(kith_snapshot_restore(t.world, before), KITH_OK);
        uint64_t compared = rows_compared(t.index);
        expect_all_found(&t, VALUES);
        CHECK_UINT(rows_compared(t.index) - compared, asked == 1 ? ROWS : 0);
        CHECK_RESULT(kith_snapshot_restore(t.world, before), KITH_OK);
        compared = rows_compared(t.index);
        expect_all_found(&t, VALUES);
        CHECK_UINT(rows_compared(t.index), compared);
    }
    kith_snapshot_free(before);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(a_hash_compares_what_a_restore_changed, layout)
{
    restored_block_by_block(layout, KITH_INDEX_HASH);
}

TEST_EACH_LAYOUT(an_order_compares_what_a_restore_changed, layout)
{
    restored_block_by_block(layout, KITH_INDEX_ORDERED);
}

/* Whose the values are may differ where no value does. */
TEST_EACH_LAYOUT(a_restore_brings_back_who_has_a_value, layout)
{
    static kith_entity entities[BLOCKS * ROWS];
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    spawn_blocks(t.world, entities);
    expect_all_found(&t, VALUES);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(t.world, &before), KITH_OK);
    for (uint32_t last = 0; last < 2; last++) {
        const kith_entity entity = entities[last == 0 ? ROWS + 5 : BLOCKS * ROWS - 1];
        CHECK_RESULT(KITH_REMOVE(t.world, entity, Health), KITH_OK);
        expect_all_found(&t, VALUES);
        CHECK_RESULT(kith_snapshot_restore(t.world, before), KITH_OK);
        expect_all_found(&t, VALUES);
    }
    kith_snapshot_free(before);
    fixture_free(&t.f);
}

/* A filter reads the block that is other than what it read, and no other. */
TEST_EACH_LAYOUT(a_filter_reads_what_a_restore_changed, layout)
{
    static kith_entity entities[BLOCKS * ROWS];
    indexed t = indexed_new(layout, KITH_INDEX_FILTER);
    kith_query *query = KITH_QUERY(t.world, KITH_READ(Health), KITH_IF(Health, current, ==, 77));
    spawn_blocks(t.world, entities);
    CHECK_UINT(kith_query_count(query), 0);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(t.world, &before), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(t.world, entities[ROWS + 5], Health), KITH_OK);
    KITH_GET_MUT(t.world, entities[3 * ROWS + 9], Health)->current = 77;
    for (uint32_t i = 0; i < LONG; i++) {
        CHECK_UINT(kith_query_count(query), 1);
    }
    uint64_t compared = rows_compared(t.index);
    CHECK(compared != 0);
    CHECK_RESULT(kith_snapshot_restore(t.world, before), KITH_OK);
    for (uint32_t i = 0; i < LONG; i++) {
        CHECK_UINT(kith_query_count(query), 0);
    }
    compared = rows_compared(t.index) - compared;
    CHECK(compared >= ROWS && compared <= 3 * ROWS);
    CHECK_WORLD(t.world);
    kith_snapshot_free(before);
    fixture_free(&t.f);
}

/* A value that was set by itself is in a block that is not as it was seen. */
TEST_EACH_LAYOUT(a_restore_takes_back_what_was_set_by_itself, layout)
{
    static kith_entity entities[BLOCKS * ROWS];
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    spawn_blocks(t.world, entities);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(t.world, &before), KITH_OK);
    expect_all_found(&t, VALUES);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = round; i < BLOCKS * ROWS; i += ROWS) {
            CHECK_RESULT(KITH_SET(t.world, entities[i], Health, {1, 2}), KITH_OK);
            CHECK_RESULT(KITH_SET(t.world, entities[i + 1], Health, {VALUES - 1, 2}), KITH_OK);
            expect_found(&t, 1);
        }
        expect_all_found(&t, VALUES);
        CHECK_RESULT(kith_snapshot_restore(t.world, before), KITH_OK);
        const uint64_t compared = rows_compared(t.index);
        expect_all_found(&t, VALUES);
        CHECK_UINT(rows_compared(t.index) - compared, BLOCKS * ROWS);
    }
    kith_snapshot_free(before);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(a_function_is_called_for_what_a_restore_changed, layout)
{
    static kith_entity entities[BLOCKS * ROWS];
    computed t;
    computed_new(&t, layout, KITH_INDEX_ORDERED);
    spawn_blocks(t.world, entities);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(t.world, &before), KITH_OK);
    expect_levels(&t);
    KITH_GET_MUT(t.world, entities[5], Health)->max = 100;
    KITH_GET_MUT(t.world, entities[ROWS], Health)->current = 9;
    expect_levels(&t);
    computed_calls(&t);
    CHECK_RESULT(kith_snapshot_restore(t.world, before), KITH_OK);
    expect_levels(&t);
    CHECK_UINT(computed_calls(&t), 2);
    kith_snapshot_free(before);
    fixture_free(&t.f);
}

/* ---- At random ----------------------------------------------------------------------------------- */

typedef struct player {
    indexed t;
    kith_query *planned; /* that goes by the index */
    kith_live *live;
    bool filters; /* the index is a filter, which only queries ask */
    kith_snapshot *ring[RING];
    kith_entity entities[BLOCKS * ROWS];
    uint32_t count; /* of these; some may be dead, after a restore */
    uint64_t random;
} player;

static uint32_t below(player *p, uint32_t most)
{
    return random_below(&p->random, most);
}

static kith_entity any_entity(player *p)
{
    return p->count == 0 ? KITH_NONE : p->entities[below(p, p->count)];
}

static void spawn_some(player *p)
{
    for (uint32_t i = below(p, 500); i != 0 && p->count < BLOCKS * ROWS; i--) {
        const int32_t value = (int32_t)(p->count / 900) % VALUES; /* the same ones side by side */
        kith_entity made = below(p, 8) == 0
                               ? KITH_SPAWN(p->t.world, KITH_VALUE(Position, {1, 2}))
                               : KITH_SPAWN(p->t.world, KITH_VALUE(Health, {value, 1}));
        CHECK(!kith_is_none(made));
        p->entities[p->count++] = made;
    }
}

static void write_rows(player *p)
{
    uint32_t from = below(p, BLOCKS * ROWS);
    kith_query *query = KITH_QUERY(p->t.world, KITH_WRITE(Health));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Health *health = KITH_COLUMN_MUT(&it, Health);
        for (uint32_t i = 0; i < it.count; i++, from--) {
            if (from < 300) {
                health[i].current = (health[i].current + 1) % VALUES;
            }
        }
    }
    kith_query_free(query);
}

static void change_one(player *p)
{
    kith_world *world = p->t.world;
    const kith_entity entity = any_entity(p);
    if (!kith_alive(world, entity)) {
        return;
    }
    const int32_t value = (int32_t)below(p, VALUES);
    switch (below(p, 5)) {
    case 0: CHECK_RESULT(kith_despawn(world, entity), KITH_OK); break;
    case 1: kith_remove(world, entity, &Health_type); break;
    case 2: CHECK_RESULT(KITH_SET(world, entity, Position, {3, 4}), KITH_OK); break;
    case 3:
        if (KITH_HAS(world, entity, Health)) {
            KITH_GET_MUT(world, entity, Health)->current = value;
        }
        break;
    default: CHECK_RESULT(KITH_SET(world, entity, Health, {value, 2}), KITH_OK); break;
    }
}

/* Takes a snapshot in a place of the ring, or goes back to the one that is there. */
static void go_back(player *p)
{
    kith_snapshot **place = &p->ring[below(p, RING)];
    if (*place != NULL && below(p, 2) == 0) {
        CHECK_RESULT(kith_snapshot_restore(p->t.world, *place), KITH_OK);
    } else {
        kith_snapshot_free(*place);
        CHECK_RESULT(kith_snapshot_take(p->t.world, place), KITH_OK);
    }
}

/* The index, and the live query, find what a loop does. A filter is asked by a query, which uses it once
 * that was asked for long enough without. */
static void ask(player *p)
{
    static kith_entity scanned[FOUND_MAX];
    for (uint32_t i = 0; i < ROUNDS * VALUES; i++) {
        const int32_t value = (int32_t)(i % VALUES);
        CHECK_RESULT(kith_query_bind(p->planned, "value", value), KITH_OK);
        CHECK_UINT(kith_query_count(p->planned), scan_for(&p->t, value, scanned));
    }
    if (!p->filters) {
        expect_found(&p->t, (int32_t)below(p, VALUES));
    }
    kith_live_changes changes;
    CHECK_RESULT(kith_live_next(p->live, &changes), KITH_OK);
    CHECK_UINT(kith_live_count(p->live), scan_for(&p->t, 3, scanned));
    CHECK_WORLD(p->t.world);
}

static void play(kith_layout layout, kith_index_kind kind, uint64_t seed)
{
    static player p;
    p = (player){.t = indexed_new(layout, kind), .random = seed};
    p.filters = kind == KITH_INDEX_FILTER;
    kith_world *world = p.t.world;
    p.planned = KITH_QUERY(world, KITH_READ(Health),
                           KITH_IF(Health, current, ==, kith_bound("value")));
    kith_query *followed = KITH_QUERY(world, KITH_READ(Health), KITH_IF(Health, current, ==, 3));
    CHECK_RESULT(kith_live_new(world, followed, &p.live), KITH_OK);
    for (uint32_t step = 0; step < 400; step++) {
        switch (below(&p, 8)) {
        case 0: spawn_some(&p); break;
        case 1: write_rows(&p); break;
        case 2:
        case 3:
        case 4: change_one(&p); break;
        case 5: go_back(&p); break;
        default: ask(&p); break;
        }
    }
    CHECK(kith_index_stats(p.t.index).refreshes > 10);
    for (uint32_t i = 0; i < RING; i++) {
        kith_snapshot_free(p.ring[i]);
    }
    kith_live_free(p.live);
    fixture_free(&p.t.f);
}

TEST_EACH_LAYOUT(indexes_follow_restores_at_random, layout)
{
    static const kith_index_kind kinds[] = {KITH_INDEX_HASH, KITH_INDEX_ORDERED, KITH_INDEX_FILTER};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        play(layout, kinds[seed % 3], seed);
    }
}
