/* Observers of losses get the values as they were. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "owned.h"
#include "test.h"

/* The losses since the last delivery, with the values. */
typedef struct lost {
    kith_entity entities[4000];
    Position values[4000];
    uint32_t count;
    uint32_t calls;
} lost;

static void keep_lost(const kith_observed *observed)
{
    lost *l = observed->user;
    const Position *values = KITH_COLUMN(observed, Position);
    CHECK_PTR_NOT_NULL(values);
    CHECK(observed->count > 0 && l->count + observed->count <= 4000);
    memcpy(l->entities + l->count, observed->entities,
           observed->count * sizeof(*observed->entities));
    memcpy(l->values + l->count, values, observed->count * sizeof(*values));
    l->count += observed->count;
    l->calls++;
}

static kith_observer *observe_lost(kith_world *world, kith_observer_kind kind, lost *l)
{
    l->count = l->calls = 0;
    kith_observer *observer;
    const kith_observer_def def = {
        .kind = kind, .type = &Position_type, .run = keep_lost, .user = l, .values = true};
    CHECK_RESULT(kith_observer_new(world, &def, &observer), KITH_OK);
    return observer;
}

/* A world in which a tracker follows Position as well. */
static fixture tracked_fixture(kith_layout layout, kith_tracker **tracker)
{
    fixture f = fixture_with_all(layout);
    CHECK_RESULT(kith_tracker_new(f.world, &Position_type, tracker), KITH_OK);
    return f;
}

static void deliver(kith_world *world)
{
    CHECK_WORLD(world);
    CHECK_RESULT(kith_observers_flush(world), KITH_OK);
    CHECK_WORLD(world);
}

static void check_lost(const lost *l, uint32_t i, kith_entity entity, float x)
{
    CHECK(i < l->count);
    CHECK_SAME(l->entities[i], entity);
    CHECK_FLOAT(l->values[i].x, x);
    CHECK_FLOAT(l->values[i].y, x + 1);
}

static kith_entity spawn_at(kith_world *world, float x)
{
    return KITH_SPAWN(world, KITH_VALUE(Position, {x, x + 1}), KITH_VALUE(Velocity));
}

static void set_and_remove(kith_world *world, kith_entity entity, float x)
{
    CHECK_RESULT(KITH_SET(world, entity, Position, {x, x + 1}), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(world, entity, Position), KITH_OK);
}

TEST_EACH_LAYOUT(each_way_of_losing_keeps_the_value, layout)
{
    fixture f = fixture_with_all(layout);
    static lost removed;
    static lost ended;
    observe_lost(f.world, KITH_ON_REMOVE, &removed);
    observe_lost(f.world, KITH_ON_DESPAWN, &ended);
    kith_entity e[7];
    for (int i = 0; i < 7; i++) {
        e[i] = spawn_at(f.world, (float)i);
    }
    CHECK_RESULT(KITH_REMOVE(f.world, e[0], Position), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[0], Position, {90, 91}), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, e[0], Position), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e[1]), KITH_OK);
    CHECK_RESULT(kith_remove_all(f.world, e[2]), KITH_OK);
    CHECK_RESULT(kith_despawn_many(f.world, e + 3, 1, NULL), KITH_OK);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    KITH_REMOVE(commands, e[4], Position);
    kith_commands_despawn(commands, e[5]);
    kith_commands_remove_all(commands, e[6]);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    deliver(f.world);
    CHECK_UINT(removed.count, 8);
    check_lost(&removed, 0, e[0], 0);
    check_lost(&removed, 1, e[0], 90);
    for (uint32_t i = 1; i < 7; i++) {
        check_lost(&removed, i + 1, e[i], (float)i);
    }
    CHECK_UINT(ended.count, 3);
    check_lost(&ended, 0, e[1], 1);
    check_lost(&ended, 1, e[3], 3);
    check_lost(&ended, 2, e[5], 5);
    fixture_free(&f);
}

/* More losses than a chunk holds, with gains between them, which have no value; the calls are
 * few. */
TEST_EACH_LAYOUT(many_values_in_runs, layout)
{
    enum { MANY = 1500 };
    fixture f = fixture_with_all(layout);
    static lost removed;
    static kith_entity e[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        e[i] = spawn_at(f.world, (float)i);
    }
    observe_lost(f.world, KITH_ON_REMOVE, &removed);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK_RESULT(KITH_REMOVE(f.world, e[i], Position), KITH_OK);
        CHECK_RESULT(KITH_SET(f.world, e[i], Position, {(float)i * 2, (float)i * 2 + 1}), KITH_OK);
    }
    deliver(f.world);
    CHECK_UINT(removed.count, MANY);
    CHECK(removed.calls < 10);
    for (uint32_t i = 0; i < MANY; i++) {
        check_lost(&removed, i, e[i], (float)i);
    }
    removed.count = removed.calls = 0;
    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        KITH_REMOVE(commands, e[MANY - 1 - i], Position);
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    deliver(f.world);
    CHECK_UINT(removed.count, MANY);
    CHECK(removed.calls < 6);
    for (uint32_t i = 0; i < MANY; i++) {
        check_lost(&removed, i, e[MANY - 1 - i], (float)(MANY - 1 - i) * 2);
    }
    fixture_free(&f);
}

/* Observers that are made while others have not read all, or freed before they are told; and one
 * tracker that reads through chunks with and without values. */
TEST_EACH_LAYOUT(observers_that_want_values_come_and_go, layout)
{
    kith_tracker *tracker;
    fixture f = tracked_fixture(layout, &tracker);
    kith_entity a = spawn_at(f.world, 1);
    kith_entity b = spawn_at(f.world, 2);
    kith_entity c = spawn_at(f.world, 3);
    CHECK_RESULT(KITH_REMOVE(f.world, a, Position), KITH_OK);
    static lost first;
    static lost second;
    kith_observer *one = observe_lost(f.world, KITH_ON_REMOVE, &first);
    CHECK_WORLD(f.world);
    CHECK_RESULT(KITH_REMOVE(f.world, b, Position), KITH_OK);
    observe_lost(f.world, KITH_ON_REMOVE, &second);
    CHECK_RESULT(KITH_REMOVE(f.world, c, Position), KITH_OK);
    deliver(f.world);
    CHECK_UINT(first.count, 2);
    check_lost(&first, 0, b, 2);
    check_lost(&first, 1, c, 3);
    CHECK_UINT(second.count, 1);
    check_lost(&second, 0, c, 3);
    kith_observer_free(one);
    second.count = 0;
    for (uint32_t i = 0; i < 700; i++) {
        set_and_remove(f.world, a, (float)i);
        CHECK_UINT(first.count, 2);
        if (i == 350) {
            deliver(f.world);
        }
    }
    deliver(f.world);
    CHECK_UINT(second.count, 700);
    for (uint32_t i = 0; i < 700; i++) {
        check_lost(&second, i, a, (float)i);
    }
    kith_change change;
    uint32_t losses = 0;
    while (kith_tracker_next(tracker, &change)) {
        losses += change.kind == KITH_REMOVED;
    }
    CHECK_UINT(losses, 703);
    fixture_free(&f);
}

/* When no observer wants values any more, none are kept. Later observers begin anew. */
TEST_EACH_LAYOUT(values_are_kept_while_somebody_wants_them, layout)
{
    kith_tracker *tracker;
    fixture f = tracked_fixture(layout, &tracker);
    static lost l;
    kith_entity e = spawn_at(f.world, 0);
    for (uint32_t round = 0; round < 5; round++) {
        kith_observer *observer = observe_lost(f.world, KITH_ON_REMOVE, &l);
        for (uint32_t i = 0; i < 600; i++) {
            set_and_remove(f.world, e, (float)i);
        }
        kith_component_stats stats;
        CHECK_RESULT(kith_component_memory(f.world, &Position_type, &stats), KITH_OK);
        CHECK_UINT(stats.tracked,
                   kith_tracker_pending(tracker) * sizeof(kith_entity) + 600 * sizeof(Position));
        CHECK(stats.reserved >= stats.tracked);
        if (round % 2 == 0) {
            deliver(f.world);
            CHECK_UINT(l.count, 600);
            check_lost(&l, 599, e, 599);
        }
        kith_observer_free(observer);
        CHECK_WORLD(f.world);
        for (uint32_t i = 0; i < 600; i++) {
            set_and_remove(f.world, e, 0);
        }
        kith_tracker_skip_changes(tracker);
        CHECK_WORLD(f.world);
        CHECK_RESULT(kith_component_memory(f.world, &Position_type, &stats), KITH_OK);
        CHECK_UINT(stats.tracked, 0);
    }
    fixture_free(&f);
}

/* A second observer finds room that was made while no observer wanted values, and does not use
 * it. */
TEST_EACH_LAYOUT(room_from_before_is_not_used_for_values, layout)
{
    enum { MANY = 200 };
    kith_tracker *tracker;
    fixture f = tracked_fixture(layout, &tracker);
    static lost l;
    static kith_entity e[MANY];
    const kith_values values[] = {KITH_VALUE(Position, {5, 6})};
    kith_observer *first = observe_lost(f.world, KITH_ON_REMOVE, &l);
    CHECK_RESULT(kith_spawn_many(f.world, MANY, values, 1, e), KITH_OK);
    kith_observer_free(first);
    CHECK_WORLD(f.world);
    kith_tracker_skip_changes(tracker);
    /* An entity is named twice: room is made for more than is written. */
    static kith_entity twice[2 * MANY];
    memcpy(twice, e, sizeof e);
    memcpy(twice + MANY, e, sizeof e);
    uint32_t ended;
    CHECK_RESULT(kith_despawn_many(f.world, twice, 2 * MANY, &ended), KITH_OK);
    CHECK_UINT(ended, MANY);
    CHECK_WORLD(f.world);
    observe_lost(f.world, KITH_ON_REMOVE, &l);
    CHECK_WORLD(f.world);
    for (uint32_t round = 0; round < 3; round++) {
        CHECK_RESULT(kith_spawn_many(f.world, MANY, values, 1, e), KITH_OK);
        CHECK_RESULT(kith_despawn_many(f.world, e, MANY, NULL), KITH_OK);
        CHECK_WORLD(f.world);
    }
    deliver(f.world);
    CHECK_UINT(l.count, 3 * MANY);
    for (uint32_t i = 0; i < l.count; i++) {
        CHECK_FLOAT(l.values[i].x, 5);
    }
    fixture_free(&f);
}

/* ---- Values with hooks ----------------------------------------------------------------------- */

static void register_owned(kith_world *world, kith_layout layout, owned_record *record, bool exact)
{
    const kith_hooks hooks = owned_hooks(record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks, .exact_changes = exact};
    CHECK_RESULT(kith_register(world, &Owned_type, &def), KITH_OK);
}

static void sum_owned(const kith_observed *observed)
{
    const Owned *values = KITH_COLUMN(observed, Owned);
    for (uint32_t i = 0; i < observed->count; i++) {
        *(uint64_t *)observed->user += *values[i].number;
    }
}

static kith_observer *observe_owned(kith_world *world, kith_observer_kind kind, uint64_t *sum)
{
    kith_observer *observer;
    const kith_observer_def def = {
        .kind = kind, .type = &Owned_type, .run = sum_owned, .user = sum, .values = true};
    CHECK_RESULT(kith_observer_new(world, &def, &observer), KITH_OK);
    return observer;
}

/* Values with hooks are moved to where they are kept, live until all observers are told, and are
 * then destroyed. */
TEST_EACH_LAYOUT(values_with_hooks_live_until_all_were_told, layout)
{
    enum { MANY = 1100 };
    fixture f = fixture_with_all(layout);
    owned_record record = {0};
    register_owned(f.world, layout, &record, false);
    uint64_t sums[2] = {0, 0};
    observe_owned(f.world, KITH_ON_REMOVE, &sums[0]);
    observe_owned(f.world, KITH_ON_DESPAWN, &sums[1]);
    static kith_entity e[MANY];
    const kith_values values[] = {{&Owned_type, NULL, true}, KITH_VALUE(Position, {1, 2})};
    CHECK_RESULT(kith_spawn_many(f.world, MANY, values, 2, e), KITH_OK);
    CHECK_UINT(record.live, MANY);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        if (i % 4 == 0) {
            CHECK_RESULT(KITH_REMOVE(f.world, e[i], Owned), KITH_OK);
        } else if (i % 4 == 1) {
            CHECK_RESULT(kith_despawn(f.world, e[i]), KITH_OK);
        } else if (i % 4 == 2) {
            KITH_REMOVE(commands, e[i], Owned);
        } else {
            kith_commands_despawn(commands, e[i]);
        }
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_UINT(record.live, MANY); /* no observer was told */
    deliver(f.world);
    CHECK_UINT(sums[0], MANY * OWNED_INITIAL);
    CHECK_UINT(sums[1], MANY / 2 * OWNED_INITIAL);
    CHECK_UINT(record.live, 0);
    CHECK_RESULT(KITH_ADD(f.world, e[0], Owned), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, e[0], Owned), KITH_OK);
    CHECK_UINT(record.live, 1);
    fixture_free(&f);
    CHECK_UINT(record.live, 0);
}

/* An observer that goes leaves the values that another one, which came after some of them, still waits
 * for. */
TEST_EACH_LAYOUT(values_with_hooks_wait_for_observers_that_came_later, layout)
{
    fixture f = fixture_with_all(layout);
    owned_record record = {0};
    register_owned(f.world, layout, &record, false);
    uint64_t sum = 0;
    const kith_observer_def def = {.kind = KITH_ON_REMOVE,
                                   .type = &Owned_type,
                                   .run = sum_owned,
                                   .user = &sum,
                                   .values = true};
    kith_observer *first;
    CHECK_RESULT(kith_observer_new(f.world, &def, &first), KITH_OK);
    kith_entity e[3];
    const kith_values values = {&Owned_type, NULL, true};
    CHECK_RESULT(kith_spawn_many(f.world, 3, &values, 1, e), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e[0]), KITH_OK);
    CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e[1]), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, e[2], Owned), KITH_OK);
    CHECK_UINT(record.live, 3);
    kith_observer_free(first);
    CHECK_UINT(record.live, 2);
    deliver(f.world);
    CHECK_UINT(sum, 2 * OWNED_INITIAL);
    CHECK_UINT(record.live, 0);
    fixture_free(&f);
}

/* A tracker that has not read all wants no values, and keeps none alive; nor does an observer
 * that is freed. */
TEST_EACH_LAYOUT(values_with_hooks_do_not_wait_for_trackers, layout)
{
    enum { MANY = 1100 };
    fixture f = fixture_with_all(layout);
    owned_record record = {0};
    register_owned(f.world, layout, &record, false);
    kith_tracker *tracker;
    CHECK_RESULT(kith_tracker_new(f.world, &Owned_type, &tracker), KITH_OK);
    uint64_t sum = 0;
    static kith_entity e[MANY];
    const kith_values values[] = {{&Owned_type, NULL, true}};
    kith_observer *observers[2];
    observers[0] = observe_owned(f.world, KITH_ON_REMOVE, &sum);
    CHECK_RESULT(kith_spawn_many(f.world, MANY, values, 1, e), KITH_OK);
    observers[1] = observe_owned(f.world, KITH_ON_REMOVE, &sum);
    CHECK_RESULT(kith_despawn_many(f.world, e, MANY, NULL), KITH_OK);
    CHECK_UINT(record.live, MANY);
    deliver(f.world);
    CHECK_UINT(sum, 2 * MANY * OWNED_INITIAL);
    CHECK_UINT(record.live, 0);
    CHECK_RESULT(kith_spawn_many(f.world, MANY, values, 1, e), KITH_OK);
    CHECK_RESULT(kith_despawn_many(f.world, e, MANY, NULL), KITH_OK);
    kith_observer_free(observers[0]);
    CHECK_WORLD(f.world);
    CHECK_UINT(record.live, MANY);
    observers[0] = observe_owned(f.world, KITH_ON_REMOVE, &sum); /* saw none of it */
    kith_observer_free(observers[1]);
    CHECK_WORLD(f.world);
    CHECK_UINT(record.live, 0);
    kith_observer_free(observers[0]);
    CHECK_WORLD(f.world);
    CHECK_UINT(kith_tracker_pending(tracker), 4 * MANY);
    kith_change change;
    for (uint32_t i = 0; i < 4 * MANY; i++) {
        CHECK(kith_tracker_next(tracker, &change));
        CHECK(change.kind == (i / MANY % 2 == 0 ? KITH_ADDED : KITH_REMOVED));
    }
    CHECK(!kith_tracker_next(tracker, &change));
    fixture_free(&f);
}

/* Kept values are destroyed with the world, whether there is nothing else that follows the
 * component, a query that sees exact changes, or a tracker. */
TEST_EACH_LAYOUT(values_with_hooks_end_with_the_world, layout)
{
    static const char *const followers[] = {"nothing else", "a query", "a tracker"};
    for (int who = 0; who < 3; who++) {
        test_note(followers[who]);
        fixture f = fixture_with_all(layout);
        owned_record record = {0};
        register_owned(f.world, layout, &record, who == 1);
        kith_tracker *tracker;
        if (who == 2) {
            CHECK_RESULT(kith_tracker_new(f.world, &Owned_type, &tracker), KITH_OK);
        }
        const kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Owned));
        if (who == 1) {
            kith_iter it = kith_query_iter(KITH_QUERY(f.world, KITH_CHANGED(Owned)));
            CHECK(kith_next(&it));
            CHECK(!kith_next(&it));
        }
        uint64_t sum = 0;
        observe_owned(f.world, KITH_ON_REMOVE, &sum);
        CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
        CHECK_WORLD(f.world);
        CHECK_UINT(record.live, 1);
        fixture_free(&f);
        CHECK_UINT(record.live, 0);
    }
    test_note(NULL);
}

/* Another file's descriptor of the type, which was not used so far, and one without a number. */
static void read_by_copies(const kith_observed *observed)
{
    uint32_t number = 0;
    kith_type copy = Position_type;
    copy.number = &number;
    CHECK(kith_observed_values(observed, &copy) == observed->values);
    copy.number = NULL;
    CHECK(kith_observed_values(observed, &copy) == observed->values);
    *(uint32_t *)observed->user += observed->count;
}

TEST_EACH_LAYOUT(values_by_another_descriptor_of_the_type, layout)
{
    fixture f = fixture_with_all(layout);
    uint32_t told = 0;
    const kith_observer_def def = {.kind = KITH_ON_REMOVE,
                                   .type = &Position_type,
                                   .run = read_by_copies,
                                   .user = &told,
                                   .values = true};
    CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, spawn_at(f.world, 1)), KITH_OK);
    deliver(f.world);
    CHECK_UINT(told, 1);
    fixture_free(&f);
}

/* ---- What goes wrong ------------------------------------------------------------------------- */

TEST(values_that_there_cannot_be)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_observer_def def = {.type = &Position_type, .run = keep_lost, .values = true};
    CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "has `values`, but its kind loses no values");
    def.kind = KITH_ON_CHANGE;
    CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_ERR_INPUT);
    def.kind = KITH_ON_REMOVE;
    def.type = &Frozen_type;
    CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "has `values` of a tag, which has none");
    fixture_free(&f);
}

/* Whichever allocation fails, what was not lost is not told, and what was lost is told with its
 * value. */
TEST_EACH_LAYOUT(losing_survives_every_allocation_failure, layout)
{
    enum { MANY = 900 };
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_all(layout);
        static lost l;
        static kith_entity e[MANY];
        for (uint32_t i = 0; i < MANY; i++) {
            e[i] = spawn_at(f.world, (float)i);
        }
        observe_lost(f.world, KITH_ON_DESPAWN, &l);
        uint64_t hash = kith_world_hash(f.world);
        fail_allocation(&f, nth);
        kith_result result = kith_despawn_many(f.world, e, MANY, NULL);
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK(!reached || kith_world_hash(f.world) == hash);
        deliver(f.world);
        CHECK_UINT(l.count, reached ? 0 : MANY);
        CHECK_RESULT(kith_despawn_many(f.world, e, reached ? MANY : 0, NULL), KITH_OK);
        deliver(f.world);
        CHECK_UINT(l.count, MANY);
        for (uint32_t i = 0; i < MANY; i++) {
            check_lost(&l, i, e[i], (float)i);
        }
        fixture_free(&f);
        if (!reached) {
            CHECK(nth > 3);
            break;
        }
    }
}

/* ---- Types without a number of their own ------------------------------------------------------- */

static void keep_unnumbered(const kith_observed *observed)
{
    const uint32_t *values = kith_observed_values(observed, observed->type);
    CHECK_PTR_NOT_NULL(values);
    CHECK_UINT(observed->count, 1);
    CHECK(kith_observed_value(observed, 0, observed->type) == values);
    *(uint32_t *)observed->user = values[0];
}

TEST_EACH_LAYOUT(a_type_may_have_no_number, layout)
{
    fixture f = fixture_new();
    const kith_field field = {"value", 0, 4, KITH_U32};
    const kith_type type = {.name = "Unnumbered",
                            .size = 4,
                            .align = 4,
                            .field_count = 1,
                            .fields = &field,
                            .layout = layout};
    uint32_t told = 0;
    const kith_observer_def def = {.kind = KITH_ON_REMOVE,
                                   .type = &type,
                                   .run = keep_unnumbered,
                                   .user = &told,
                                   .values = true};
    CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
    const kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_set(f.world, e, &type, &(uint32_t){7}), KITH_OK);
    CHECK_RESULT(kith_remove(f.world, e, &type), KITH_OK);
    deliver(f.world);
    CHECK_UINT(told, 7);
    fixture_free(&f);
}
