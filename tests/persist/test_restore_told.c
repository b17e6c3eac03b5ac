/* What observers and trackers are told after a restore: also those that came or went since the snapshot
 * was taken. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "restoring.h"

/* ---- Observers ------------------------------------------------------------------------------- */

typedef struct told {
    uint32_t calls;
    uint32_t count;
    uint32_t sizes[64];
    kith_entity entities[4096];
} told;

static void tell(const kith_observed *observed)
{
    told *t = observed->user;
    CHECK(t->calls < ROWS_OF(t->sizes) && t->count + observed->count <= ROWS_OF(t->entities));
    t->sizes[t->calls++] = observed->count;
    memcpy(t->entities + t->count, observed->entities,
           observed->count * sizeof(*observed->entities));
    t->count += observed->count;
}

static void flush(const fixture *f)
{
    CHECK_RESULT(kith_observers_flush(f->world), KITH_OK);
    CHECK_WORLD(f->world);
}

static kith_observer *observe(const fixture *f, kith_observer_kind kind, told *t)
{
    kith_observer *observer;
    kith_observer_def def = {.kind = kind, .run = tell, .user = t};
    *t = (told){0};
    def.query.terms = KITH_TERMS(KITH_READ(Position));
    if (kind < KITH_ON_ENTER) {
        def.query.terms = NULL;
        def.type = &Position_type;
    }
    CHECK_RESULT(kith_observer_new(f->world, &def, &observer), KITH_OK);
    return observer;
}

/* What observers saw is shared too. */
TEST_EACH_LAYOUT(what_observers_saw_is_shared_by_snapshots, layout)
{
    enum { ENTITIES = 100000 };
    fixture f = fixture_with_all(layout);
    static told t;
    kith_entity e = KITH_NONE;
    for (int i = 0; i < ENTITIES; i++) {
        e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    }
    observe(&f, KITH_ON_LEAVE, &t);
    take(&f);
    const size_t before = f.memory->bytes;
    CHECK_RESULT(KITH_REMOVE(f.world, e, Position), KITH_OK);
    flush(&f);
    CHECK_UINT(t.count, 1);
    kith_snapshot *left = take(&f);
    CHECK(f.memory->bytes - before < (size_t)ENTITIES * sizeof(uint64_t) / 4);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
    flush(&f);
    restore(&f, left);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
    flush(&f);
    CHECK_RESULT(KITH_REMOVE(f.world, e, Position), KITH_OK);
    flush(&f);
    CHECK_UINT(t.count, 2);
    fixture_free(&f);
}

static const kith_observer_kind kinds[] = {KITH_ON_ADD,    KITH_ON_REMOVE, KITH_ON_DESPAWN,
                                           KITH_ON_CHANGE, KITH_ON_ENTER,  KITH_ON_LEAVE};

/* Whatever kind it is: what was there at the restore is not told. */
TEST_EACH_LAYOUT(an_observer_that_was_made_since_starts_anew, layout)
{
    for (size_t k = 0; test_row(k, ROWS_OF(kinds)); k++) {
        fixture f = fixture_with_all(layout);
        static told t;
        kith_entity stays = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        kith_entity goes = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        kith_snapshot *snapshot = take(&f);
        observe(&f, kinds[k], &t);
        CHECK_RESULT(kith_despawn(f.world, goes), KITH_OK);
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        CHECK_RESULT(KITH_SET(f.world, stays, Position, {1, 2}), KITH_OK);
        restore(&f, snapshot);
        flush(&f);
        CHECK_UINT(t.count, 0);
        CHECK_RESULT(KITH_SET(f.world, stays, Position, {3, 4}), KITH_OK);
        CHECK_RESULT(kith_despawn(f.world, goes), KITH_OK);
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        flush(&f);
        CHECK(t.count > 0);
        fixture_free(&f);
    }
}

/* Also where the world had no systems and observers yet, and more entities than now. */
TEST(the_first_observer_was_made_since)
{
    fixture f = fixture_with_all(KITH_TABLE);
    static told t;
    kith_snapshot *empty = take(&f);
    for (uint32_t i = 0; i < 3000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    }
    kith_snapshot *full = take(&f);
    restore(&f, empty);
    observe(&f, KITH_ON_LEAVE, &t);
    restore(&f, full);
    flush(&f);
    CHECK_UINT(t.count, 0);
    CHECK_RESULT(kith_despawn(f.world, (kith_entity){2999, 0}), KITH_OK);
    flush(&f);
    CHECK_UINT(t.count, 1);
    restore(&f, empty);
    flush(&f);
    CHECK_UINT(t.count, 1);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(an_exact_type_that_came_since_was_never_seen, layout)
{
    fixture f = fixture_new();
    static told t;
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Health));
    kith_snapshot *snapshot = take(&f);
    const kith_component_def exact = {.layout = layout, .exact_changes = true};
    CHECK_RESULT(kith_register(f.world, &Position_type, &exact), KITH_OK);
    observe(&f, KITH_ON_CHANGE, &t);
    for (uint32_t i = 1; i < 4; i++) {
        CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
        flush(&f);
        flush(&f);
        CHECK_UINT(t.count, i);
        restore(&f, snapshot);
    }
    fixture_free(&f);
}

/* What was written and not told before the take is told again; what was told is not. */
TEST_EACH_LAYOUT(an_observer_of_changes_is_told_again, layout)
{
    fixture f = fixture_with_all(layout);
    static told t;
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    observe(&f, KITH_ON_CHANGE, &t);
    flush(&f);
    kith_snapshot *told_all = take(&f);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {3, 4}), KITH_OK);
    kith_snapshot *not_told = take(&f);
    for (uint32_t i = 1; i < 4; i++) {
        flush(&f);
        CHECK_UINT(t.count, i);
        restore(&f, told_all);
        flush(&f);
        CHECK_UINT(t.count, i);
        restore(&f, not_told);
    }
    fixture_free(&f);
}

/* No entity has transient components after a restore: so nobody is told that it got or lost them before,
 * and those that it gets are new. */
TEST(observers_of_transient_components_start_anew)
{
    static const kith_layout layouts[] = {KITH_SPARSE, KITH_SLOT};
    for (size_t row = 0; test_row(row, ROWS_OF(layouts) * ROWS_OF(kinds)); row++) {
        const kith_observer_kind kind = kinds[row / ROWS_OF(layouts)];
        const kith_component_def def = {.layout = layouts[row % ROWS_OF(layouts)],
                                        .transient = true};
        fixture f = fixture_new();
        static told t;
        CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
        kith_entity told_of = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        kith_entity waits = kith_spawn_empty(f.world);
        kith_entity lost = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        observe(&f, kind, &t);
        flush(&f);
        t = (told){0};
        CHECK_RESULT(KITH_SET(f.world, waits, Position, {1, 2}), KITH_OK);
        CHECK_RESULT(kith_despawn(f.world, lost), KITH_OK);
        kith_snapshot *snapshot = take(&f);
        flush(&f);
        CHECK(t.count > 0); /* of each kind */
        for (int round = 0; round < 2; round++) {
            restore(&f, snapshot);
            t = (told){0};
            flush(&f);
            CHECK_UINT(t.count, 0);
            CHECK_RESULT(KITH_SET(f.world, told_of, Position, {1, 2}), KITH_OK);
            flush(&f);
            const bool gains =
                kind == KITH_ON_ADD || kind == KITH_ON_CHANGE || kind == KITH_ON_ENTER;
            CHECK_UINT(t.count, gains ? 1 : 0);
            CHECK_RESULT(kith_despawn(f.world, told_of), KITH_OK);
            flush(&f);
            CHECK_UINT(t.count, 1);
        }
        fixture_free(&f);
    }
}

/* Many entries that wait for their observer are told in the same batches, at every place of a chunk. */
TEST_EACH_LAYOUT(observers_are_told_in_the_same_batches, layout)
{
    enum { MANY = 1300 };
    static told t;
    static told first;
    static kith_entity e[MANY];
    for (uint32_t waits = 0; waits < 1100; waits += 340) {
        fixture f = fixture_with_all(layout);
        kith_tracker *tracker;
        observe(&f, KITH_ON_REMOVE, &t);
        CHECK_RESULT(kith_tracker_new(f.world, &Position_type, &tracker), KITH_OK);
        for (uint32_t i = 0; i < MANY; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
        }
        flush(&f);
        for (uint32_t i = 0; i < waits; i++) {
            CHECK_RESULT(kith_despawn(f.world, e[i]), KITH_OK);
        }
        kith_snapshot *snapshot = take(&f);
        for (int round = 0; round < 3; round++) {
            for (uint32_t i = waits; i < MANY; i++) {
                CHECK_RESULT(kith_despawn(f.world, e[i]), KITH_OK);
            }
            t = (told){0};
            flush(&f);
            CHECK_UINT(t.count, MANY);
            first = round == 0 ? t : first;
            CHECK(memcmp(&t, &first, sizeof t) == 0);
            restore(&f, snapshot);
        }
        fixture_free(&f);
    }
}

/* What a delivery that failed had found is told by the next one; the same after a restore. */
TEST(what_a_failed_delivery_left_over_is_told_again)
{
    fixture f = fixture_with_all(KITH_TABLE);
    static told changed;
    static told entered;
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    observe(&f, KITH_ON_CHANGE, &changed);
    observe(&f, KITH_ON_ENTER, &entered);
    flush(&f);
    kith_entity other = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(KITH_SET(f.world, e, Position, {3, 4}), KITH_OK);
    /* Of the first allocations that it needs, the one that fails is of the second observer. */
    kith_result result = KITH_OK;
    for (size_t nth = 2; nth < 8 && result == KITH_OK; nth++) {
        fail_allocation(&f, nth);
        result = kith_observers_flush(f.world);
        fail_nothing(&f);
    }
    CHECK_RESULT(result, KITH_ERR_MEMORY);
    kith_snapshot *snapshot = take(&f);
    for (int round = 0; round < 3; round++) {
        changed = entered = (told){0};
        flush(&f);
        CHECK_UINT(changed.count, 2);
        CHECK_UINT(entered.count, 1);
        CHECK_SAME(entered.entities[0], other);
        restore(&f, snapshot);
    }
    fixture_free(&f);
}

static void add_name(const kith_observed *observed)
{
    for (uint32_t i = 0; i < observed->count; i++) {
        KITH_SET(observed->commands, observed->entities[i], Name, {"seen"});
    }
}

/* What observers queued when memory ran out is kept for the next delivery, but is about a world that a
 * restore takes back. */
TEST(what_a_failed_delivery_queued_is_dropped_by_a_restore)
{
    for (int restored = 0; restored < 2; restored++) {
        fixture f = fixture_with_all(KITH_TABLE);
        const kith_observer_def def = {
            .kind = KITH_ON_ADD, .type = &Position_type, .run = add_name};
        CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2})); /* so that there is room to queue */
        flush(&f);
        kith_entity e = kith_spawn_empty(f.world);
        kith_snapshot *snapshot = take(&f);
        CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
        const char *const wanted = "what observers queued was not applied";
        for (size_t nth = 1; strstr(kith_error(f.world), wanted) == NULL; nth++) {
            fail_allocation(&f, nth);
            CHECK_RESULT(kith_observers_flush(f.world), KITH_ERR_MEMORY);
            fail_nothing(&f);
        }
        if (restored != 0) {
            restore(&f, snapshot);
        }
        flush(&f);
        CHECK_INT(KITH_HAS(f.world, e, Name), restored == 0);
        fixture_free(&f);
    }
}

TEST(an_observer_that_was_freed_since_is_not_missed)
{
    fixture f = fixture_with_all(KITH_TABLE);
    static told t;
    static told lasting;
    kith_observer *observer = observe(&f, KITH_ON_ADD, &t);
    observe(&f, KITH_ON_ADD, &lasting);
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_snapshot *snapshot = take(&f);
    kith_observer_free(observer);
    flush(&f);
    CHECK_UINT(lasting.count, 1);
    restore(&f, snapshot);
    flush(&f);
    CHECK_UINT(lasting.count, 2);
    CHECK_UINT(t.count, 0);
    fixture_free(&f);
}

/* ---- Trackers -------------------------------------------------------------------------------- */

static void check_next(kith_tracker *tracker, kith_entity entity, kith_change_kind kind)
{
    kith_change change;
    uint64_t pending = kith_tracker_pending(tracker);
    CHECK(pending > 0);
    CHECK(kith_tracker_next(tracker, &change));
    CHECK_SAME(change.entity, entity);
    CHECK_INT(change.kind, kind);
    CHECK_UINT(kith_tracker_pending(tracker), pending - 1);
}

static void check_end(kith_tracker *tracker)
{
    kith_change change;
    CHECK_UINT(kith_tracker_pending(tracker), 0);
    CHECK(!kith_tracker_next(tracker, &change));
}

/* First what it had still to read, then the difference; not what observers are told anew. */
TEST_EACH_LAYOUT(a_tracker_is_told_the_difference, layout)
{
    for (int observed = 0; observed < 2; observed++) {
        fixture f = fixture_with_all(layout);
        static told t;
        kith_tracker *tracker;
        CHECK_RESULT(kith_tracker_new(f.world, &Position_type, &tracker), KITH_OK);
        if (observed != 0) {
            observe(&f, KITH_ON_ADD, &t);
        }
        kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        kith_entity c = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        kith_snapshot *snapshot = take(&f);
        for (int i = 0; i < 3; i++) {
            check_next(tracker, i == 0 ? a : i == 1 ? b : c, KITH_ADDED);
        }
        CHECK_RESULT(kith_despawn(f.world, a), KITH_OK);
        kith_entity again = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        CHECK_UINT(again.index1, a.index1);
        CHECK_RESULT(KITH_REMOVE(f.world, b, Position), KITH_OK);
        check_next(tracker, a, KITH_REMOVED);
        kith_entity late = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        restore(&f, snapshot);
        CHECK_UINT(kith_tracker_pending(tracker), 7);
        check_next(tracker, again, KITH_ADDED);
        check_next(tracker, b, KITH_REMOVED);
        check_next(tracker, late, KITH_ADDED);
        check_next(tracker, again, KITH_REMOVED);
        check_next(tracker, a, KITH_ADDED);
        check_next(tracker, b, KITH_ADDED);
        check_next(tracker, late, KITH_REMOVED);
        check_end(tracker);
        CHECK_RESULT(kith_despawn(f.world, c), KITH_OK);
        check_next(tracker, c, KITH_REMOVED);
        check_end(tracker);
        if (observed != 0) {
            flush(&f);
            CHECK_UINT(t.count, 3);
        }
        restore(&f, snapshot);
        check_next(tracker, c, KITH_ADDED);
        check_end(tracker);
        fixture_free(&f);
    }
}

/* More than a chunk of differences, and of what observers are told anew, which keep values. */
TEST_EACH_LAYOUT(a_tracker_is_told_long_differences, layout)
{
    enum { MANY = 1200 };
    fixture f = fixture_with_all(layout);
    static told t;
    static kith_entity e[MANY];
    t = (told){0};
    kith_tracker *tracker;
    CHECK_RESULT(kith_tracker_new(f.world, &Position_type, &tracker), KITH_OK);
    const kith_observer_def def = {
        .kind = KITH_ON_REMOVE, .type = &Position_type, .values = true, .run = tell, .user = &t};
    CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    }
    kith_snapshot *full = take(&f);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK_RESULT(kith_despawn(f.world, e[i]), KITH_OK);
    }
    kith_snapshot *empty = take(&f);
    kith_tracker_skip_changes(tracker);
    for (int round = 0; round < 3; round++) {
        restore(&f, full);
        for (uint32_t i = 0; i < MANY; i++) {
            check_next(tracker, e[i], KITH_ADDED);
        }
        check_end(tracker);
        flush(&f);
        CHECK_UINT(t.count, 0);
        restore(&f, empty);
        CHECK_UINT(kith_tracker_pending(tracker), MANY);
        flush(&f);
        CHECK_UINT(t.count, MANY);
        t = (told){0};
        for (uint32_t i = 0; i < MANY; i++) {
            check_next(tracker, e[i], KITH_REMOVED);
        }
        check_end(tracker);
    }
    fixture_free(&f);
}
