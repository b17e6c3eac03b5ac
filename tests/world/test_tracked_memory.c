/* What is kept for trackers and observers of a type: as much as they were not told yet, and nothing once
 * there are none. */
#include <kith/kith.h>

#include "components.h"
#include "test.h"

enum { CHANGE = 8 }; /* bytes of a change that waits */

static size_t tracked_bytes(kith_world *world, const kith_type *type)
{
    kith_component_stats stats;
    CHECK_RESULT(kith_component_memory(world, type, &stats), KITH_OK);
    CHECK_WORLD(world);
    return stats.tracked;
}

static size_t reserved_bytes(kith_world *world, const kith_type *type)
{
    kith_component_stats stats;
    CHECK_RESULT(kith_component_memory(world, type, &stats), KITH_OK);
    return stats.reserved;
}

static void sum_lost(const kith_observed *observed)
{
    float *sum = observed->user;
    const Position *lost = KITH_COLUMN(observed, Position);
    for (uint32_t i = 0; i < observed->count; i++) {
        *sum += lost[i].x;
    }
}

/* Lost values wait with the changes, and count until the observer that wants them was told. */
TEST_EACH_LAYOUT(lost_values_that_were_told_are_not_counted, layout)
{
    enum { COUNT = 1500, SOME = 200 };
    static kith_entity e[COUNT];
    fixture f = fixture_with_all(layout);
    float sum = 0;
    const kith_observer_def def = {.kind = KITH_ON_REMOVE,
                                   .type = &Position_type,
                                   .values = true,
                                   .run = sum_lost,
                                   .user = &sum};
    CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
    const kith_values values = KITH_VALUE(Position, {1, 2});
    CHECK_RESULT(kith_spawn_many(f.world, COUNT, &values, 1, e), KITH_OK);
    CHECK_UINT(tracked_bytes(f.world, &Position_type), COUNT * CHANGE);
    CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
    CHECK_UINT(tracked_bytes(f.world, &Position_type), 0);
    for (uint32_t gone = 0; gone < COUNT; gone += SOME) {
        uint32_t count = COUNT - gone < SOME ? COUNT - gone : SOME;
        for (uint32_t i = gone; i < gone + count; i++) {
            CHECK_RESULT(i % 2 == 0 ? KITH_REMOVE(f.world, e[i], Position)
                                    : kith_despawn(f.world, e[i]),
                         KITH_OK);
        }
        CHECK_UINT(tracked_bytes(f.world, &Position_type), count * (CHANGE + sizeof(Position)));
        CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
        CHECK_UINT(tracked_bytes(f.world, &Position_type), 0);
        CHECK_FLOAT(sum, gone + count);
    }
    fixture_free(&f);
}

static void ignore(const kith_observed *observed)
{
    (void)observed;
}

/* What waits is part of what the type reserves. */
TEST_EACH_LAYOUT(lost_values_that_wait_are_reserved, layout)
{
    enum { COUNT = 1500 };
    static kith_entity e[COUNT];
    fixture f = fixture_with_all(layout);
    const kith_observer_def def = {
        .kind = KITH_ON_REMOVE, .type = &Aligned_type, .values = true, .run = ignore};
    CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
    const kith_values values = {&Aligned_type, NULL, true};
    CHECK_RESULT(kith_spawn_many(f.world, COUNT, &values, 1, e), KITH_OK);
    CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
    const size_t before = reserved_bytes(f.world, &Aligned_type);
    const size_t used = kith_memory(f.world).used;
    CHECK_RESULT(kith_despawn_many(f.world, e, COUNT, NULL), KITH_OK);
    CHECK_UINT(tracked_bytes(f.world, &Aligned_type), COUNT * (CHANGE + sizeof(Aligned)));
    const size_t grown = reserved_bytes(f.world, &Aligned_type) - before;
    CHECK(grown >= COUNT * sizeof(Aligned));
    CHECK(grown <= kith_memory(f.world).used - used);
    fixture_free(&f);
}

/* Exact changes take a copy of each value and 16 bytes from the first look on, which the type
 * reserves. */
TEST_EACH_LAYOUT(copies_for_exact_changes_are_reserved, layout)
{
    enum { COUNT = 3000 };
    fixture f = fixture_new();
    const kith_component_def def = {.layout = layout, .exact_changes = true};
    CHECK_RESULT(kith_register(f.world, &Name_type, &def), KITH_OK);
    const kith_values values = {&Name_type, NULL, true};
    CHECK_RESULT(kith_spawn_many(f.world, COUNT, &values, 1, NULL), KITH_OK);
    kith_query *query = KITH_QUERY(f.world, KITH_CHANGED(Name));
    const size_t before = reserved_bytes(f.world, &Name_type);
    const size_t used = kith_memory(f.world).used;
    kith_query_skip_changes(query);
    const size_t grown = reserved_bytes(f.world, &Name_type) - before;
    CHECK(grown >= COUNT * (sizeof(Name) + 16));
    CHECK(grown <= kith_memory(f.world).used - used);
    fixture_free(&f);
}

/* Of several readers the slowest counts. */
TEST_EACH_LAYOUT(changes_count_until_the_last_reader_has_read_them, layout)
{
    fixture f = fixture_with_all(layout);
    kith_tracker *quick;
    kith_tracker *slow;
    CHECK_RESULT(kith_tracker_new(f.world, &Position_type, &quick), KITH_OK);
    CHECK_RESULT(kith_tracker_new(f.world, &Position_type, &slow), KITH_OK);
    const kith_values values = {&Position_type, NULL, true};
    CHECK_RESULT(kith_spawn_many(f.world, 700, &values, 1, NULL), KITH_OK);
    kith_tracker_skip_changes(quick);
    kith_change change;
    for (uint32_t read = 0; read < 700; read++) {
        CHECK_UINT(tracked_bytes(f.world, &Position_type), (700 - read) * CHANGE);
        CHECK(kith_tracker_next(slow, &change));
    }
    CHECK_UINT(tracked_bytes(f.world, &Position_type), 0);
    fixture_free(&f);
}

/* As many come and go as would fill a log that nobody reads. */
static void come_and_go(kith_world *world, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        kith_entity e = KITH_SPAWN(world, KITH_VALUE(Position));
        CHECK_RESULT(KITH_REMOVE(world, e, Position), KITH_OK);
        CHECK_RESULT(kith_despawn(world, e), KITH_OK);
    }
}

/* The log ends with the last tracker: nothing is noted, nothing kept, and losing needs no memory. */
TEST_EACH_LAYOUT(nothing_is_noted_once_the_last_tracker_is_gone, layout)
{
    fixture f = fixture_with_all(layout);
    come_and_go(f.world, 1);
    const size_t reserved = reserved_bytes(f.world, &Position_type);
    for (int round = 0; round < 2; round++) {
        kith_tracker *first;
        kith_tracker *last;
        CHECK_RESULT(kith_tracker_new(f.world, &Position_type, &first), KITH_OK);
        CHECK_RESULT(kith_tracker_new(f.world, &Position_type, &last), KITH_OK);
        come_and_go(f.world, 100);
        kith_tracker_free(first);
        CHECK_UINT(kith_tracker_pending(last), 200);
        come_and_go(f.world, 100);
        CHECK_UINT(kith_tracker_pending(last), 400);
        CHECK_UINT(tracked_bytes(f.world, &Position_type), 400 * CHANGE);
        kith_tracker_free(last);
        CHECK_UINT(tracked_bytes(f.world, &Position_type), 0);
        CHECK_UINT(reserved_bytes(f.world, &Position_type), reserved);
        const size_t used = kith_memory(f.world).used;
        fail_from(&f, 1);
        come_and_go(f.world, 1000);
        CHECK(!fail_nothing(&f));
        CHECK_UINT(kith_memory(f.world).used, used);
    }
    fixture_free(&f);
}
