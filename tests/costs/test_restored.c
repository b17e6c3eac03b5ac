/* What one value costs among many that are found by unique keys, names and indexes: a frame with a
 * snapshot, a restore, a difference, a fork and a view. */
#include <stdio.h>

#include "components.h"
#include "test.h"
#include "work.h"

typedef struct Badge {
    uint32_t number;
} Badge;
KITH_TYPE(Badge, KITH_FIELD(Badge, number));

typedef struct found_among {
    kith_world *world;
    kith_index *hash;
    kith_index *order;
    kith_tracker *tracker; /* of Extra, which the last one loses */
    kith_query *enabled;   /* and not disabled */
    kith_entity last;      /* the one whose values are set */
} found_among;

static found_among found_among_new(uint32_t count)
{
    found_among a = {.world = kith_world_new(NULL)};
    const kith_index_def hash = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current)};
    const kith_index_def order = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Health, current)};
    CHECK_RESULT(KITH_UNIQUE(a.world, Badge, number), KITH_OK);
    CHECK_RESULT(kith_index_new(a.world, &hash, &a.hash), KITH_OK);
    CHECK_RESULT(kith_index_new(a.world, &order, &a.order), KITH_OK);
    CHECK_RESULT(kith_tracker_new(a.world, &Extra_type, &a.tracker), KITH_OK);
    a.enabled = KITH_QUERY(a.world, KITH_READ(Extra), KITH_WITHOUT(kith_disabled));
    for (uint32_t i = 0; i < count; i++) {
        char name[20];
        a.last = KITH_SPAWN(a.world, KITH_VALUE(Badge, {i}), KITH_VALUE(Health, {(int32_t)i, 1}));
        snprintf(name, sizeof name, "n%u", i);
        CHECK_RESULT(kith_set_name(a.world, a.last, name), KITH_OK);
        CHECK_RESULT(KITH_ADD(a.world, a.last, Extra), KITH_OK);
    }
    CHECK_RESULT(KITH_ADD(a.world, kith_entity_next(a.world, KITH_NONE), kith_disabled), KITH_OK);
    kith_tracker_skip_changes(a.tracker);
    CHECK_UINT(kith_query_count(a.enabled), count - 1);
    return a;
}

/* Gives the last one a number, as its key, its points and its name, and takes Extra away. */
static void change_last(const found_among *a, kith_world *world, uint32_t number)
{
    char name[20];
    snprintf(name, sizeof name, "n%u", number);
    CHECK_RESULT(KITH_SET(world, a->last, Badge, {number}), KITH_OK);
    CHECK_RESULT(KITH_SET(world, a->last, Health, {(int32_t)number, 1}), KITH_OK);
    CHECK_RESULT(kith_set_name(world, a->last, name), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(world, a->last, Extra), KITH_OK);
}

/* Whether the tracker is told of one change. */
static void expect_told(const found_among *a, kith_change_kind kind)
{
    kith_change change;
    CHECK(kith_tracker_next(a->tracker, &change));
    CHECK(change.kind == kind);
    CHECK_SAME(change.entity, a->last);
    CHECK(!kith_tracker_next(a->tracker, &change));
    kith_iter it = kith_query_iter(a->enabled);
    CHECK(kith_next(&it));
    kith_iter_close(&it);
}

/* Whether it is found by a number in a world, and where there are indexes by these. */
static void expect_last(const found_among *a, kith_world *world, uint32_t number)
{
    char name[20];
    snprintf(name, sizeof name, "n%u", number);
    CHECK_SAME(KITH_FIND_UNIQUE(world, Badge, {number}), a->last);
    CHECK_SAME(kith_find(world, name), a->last);
    kith_index *const indexes[] = {a->hash, a->order};
    for (uint32_t i = 0; world == a->world && i < 2; i++) {
        kith_index_found found;
        CHECK_RESULT(kith_index_find(indexes[i], &(Health){.current = (int32_t)number}, &found),
                     KITH_OK);
        CHECK_UINT(found.count, 1);
        CHECK_SAME(found.entities[0], a->last);
    }
}

static uint64_t work_of_one_among(uint32_t count)
{
    found_among a = found_among_new(count);
    kith_snapshot *snapshot;
    kith_snapshot *after;
    kith_bytes bytes = {0};
    kith_world *fork;
    kith_world *view;
    expect_last(&a, a.world, count - 1);
    CHECK_RESULT(kith_snapshot_take(a.world, &snapshot), KITH_OK);
    uint64_t work = work_done();
    change_last(&a, a.world, count);
    expect_last(&a, a.world, count);
    expect_told(&a, KITH_REMOVED);
    CHECK_RESULT(kith_snapshot_take(a.world, &after), KITH_OK);
    CHECK_RESULT(kith_snapshot_diff_bytes(snapshot, after, &bytes), KITH_OK);
    CHECK_RESULT(kith_snapshot_restore(a.world, snapshot), KITH_OK);
    expect_last(&a, a.world, count - 1);
    expect_told(&a, KITH_ADDED);
    CHECK_RESULT(kith_diff_apply(a.world, bytes.data, bytes.size), KITH_OK);
    expect_last(&a, a.world, count);
    expect_told(&a, KITH_REMOVED);
    CHECK_RESULT(kith_fork_new(snapshot, NULL, &fork), KITH_OK);
    change_last(&a, fork, count + 1);
    expect_last(&a, fork, count + 1);
    kith_world_free(fork);
    CHECK_RESULT(kith_view_new(snapshot, NULL, &view), KITH_OK);
    expect_last(&a, view, count - 1);
    kith_world_free(view);
    work = work_done() - work;
    CHECK_WORLD(a.world);
    kith_bytes_free(a.world, &bytes);
    kith_snapshot_free(after);
    kith_snapshot_free(snapshot);
    kith_world_free(a.world);
    return work;
}

/* What grows with the others is a look at each block of up to 1,024 of them, in each column. Numbers of
 * others that are no power of two: the maps do not grow in between. */
TEST_WITHIN(20, one_value_among_many_that_are_found)
{
    enum { FEW = 5000, MANY = 8 * FEW, BLOCK = 1024, STEPS = 2000 };
    const uint64_t few = work_of_one_among(FEW);
    const uint64_t many = work_of_one_among(MANY);
    if (many > few + (uint64_t)STEPS * (MANY - FEW) / BLOCK) {
        test_fail(__FILE__, __LINE__, "among %d it takes %llu blocks, among %d %llu", FEW,
                  (unsigned long long)few, MANY, (unsigned long long)many);
    }
}

/* A key that went from one to the next, by commands, is found at once, and not at the end of all that it
 * led to. */
TEST_WITHIN(20, a_key_that_is_passed_on)
{
    enum { MANY = 3000, STEPS = 100 };
    static kith_entity entities[MANY];
    kith_world *world = kith_world_new(NULL);
    kith_commands *commands = kith_commands_new(world, NULL);
    CHECK_RESULT(KITH_UNIQUE(world, Badge, number), KITH_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        entities[i] = KITH_SPAWN(world, KITH_VALUE(Badge, {i}));
    }
    for (uint32_t i = 1; i < MANY; i++) {
        KITH_SET(commands, entities[i - 1], Badge, {i - 1});
        KITH_SET(commands, entities[i], Badge, {MANY});
        CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    }
    uint64_t work = work_done();
    CHECK_SAME(KITH_FIND_UNIQUE(world, Badge, {MANY}), entities[MANY - 1]);
    work = work_done() - work;
    if (work > STEPS) {
        test_fail(__FILE__, __LINE__, "it takes %llu blocks", (unsigned long long)work);
    }
    CHECK_WORLD(world);
    kith_commands_free(commands);
    kith_world_free(world);
}
