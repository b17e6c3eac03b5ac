/* Trackers: who got a component and who lost it. */
#include <stdio.h>

#include "components.h"
#include "test.h"

typedef struct tracked {
    fixture f;
    kith_world *world;
    kith_tracker *tracker;
} tracked;

static tracked tracked_new(kith_layout layout)
{
    tracked t = {.f = fixture_with_all(layout)};
    t.world = t.f.world;
    CHECK_RESULT(kith_tracker_new(t.world, &Position_type, &t.tracker), KITH_OK);
    return t;
}

#define expect_change(t, entity, kind) check_change(__LINE__, (t), (entity), (kind))
static void check_change(int line, tracked *t, kith_entity entity, kith_change_kind kind)
{
    kith_change change;
    if (!kith_tracker_next(t->tracker, &change)) {
        test_fail(__FILE__, line, "there is no change to read");
    }
    test_check_same(__FILE__, line, "change.entity", "entity", change.entity, entity);
    test_check_int(__FILE__, line, "change.kind", "kind", change.kind, kind);
    CHECK_WORLD(t->world);
}

static void expect_no_change(tracked *t)
{
    kith_change change = {{7, 7}, KITH_REMOVED};
    CHECK_UINT(kith_tracker_pending(t->tracker), 0);
    CHECK(!kith_tracker_next(t->tracker, &change));
    CHECK_UINT(change.entity.index1, 7);
    CHECK_WORLD(t->world);
}

TEST_EACH_LAYOUT(each_way_of_getting_and_losing_is_noted, layout)
{
    tracked t = tracked_new(layout);
    kith_entity a = KITH_SPAWN(t.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity));
    expect_change(&t, a, KITH_ADDED);
    kith_entity b = kith_spawn_empty(t.world);
    CHECK_RESULT(KITH_ADD(t.world, b, Velocity), KITH_OK);
    expect_no_change(&t);
    CHECK_RESULT(KITH_SET(t.world, b, Position, {3, 4}), KITH_OK);
    expect_change(&t, b, KITH_ADDED);
    CHECK_RESULT(KITH_SET(t.world, b, Position, {5, 6}), KITH_OK);
    CHECK_RESULT(KITH_ADD(t.world, b, Position), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(t.world, a, Velocity), KITH_OK);
    expect_no_change(&t);
    kith_entity c;
    CHECK_RESULT(kith_clone(t.world, a, &c), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(t.world, a, Position), KITH_OK);
    CHECK_RESULT(kith_remove_all(t.world, b), KITH_OK);
    CHECK_RESULT(kith_despawn(t.world, c), KITH_OK);
    CHECK_RESULT(kith_despawn(t.world, a), KITH_OK);
    expect_change(&t, c, KITH_ADDED);
    expect_change(&t, a, KITH_REMOVED);
    expect_change(&t, b, KITH_REMOVED);
    expect_change(&t, c, KITH_REMOVED);
    expect_no_change(&t);
    CHECK_RESULT(KITH_SET_VALUES(t.world, b, KITH_VALUE(Position), KITH_VALUE(Health)), KITH_OK);
    expect_change(&t, b, KITH_ADDED);
    fixture_free(&t.f);
}

/* The same list for one entity after the other: those behind the first go its way. */
TEST_EACH_LAYOUT(several_at_once_are_noted_each_time, layout)
{
    tracked t = tracked_new(layout);
    for (uint32_t i = 0; i < 20; i++) {
        kith_entity e = kith_spawn_empty(t.world);
        CHECK_RESULT(KITH_SET_VALUES(t.world, e, KITH_VALUE(Position, {(float)i, 2}),
                                     KITH_VALUE(Velocity, {3, 4})),
                     KITH_OK);
        CHECK_FLOAT(KITH_GET(t.world, e, Position)->x, (float)i);
        expect_change(&t, e, KITH_ADDED);
        expect_no_change(&t);
    }
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(many_at_once_are_noted_in_order, layout)
{
    tracked t = tracked_new(layout);
    static kith_entity e[2000];
    CHECK_RESULT(
        kith_spawn_many(t.world, 2000, (const kith_values[]){{&Position_type, NULL, true}}, 1, e),
        KITH_OK);
    CHECK_UINT(kith_tracker_pending(t.tracker), 2000);
    for (uint32_t i = 0; i < 2000; i++) {
        kith_change change;
        CHECK(kith_tracker_next(t.tracker, &change));
        CHECK_SAME(change.entity, e[i]);
    }
    CHECK_RESULT(kith_despawn_many(t.world, e + 500, 1500, NULL), KITH_OK);
    for (uint32_t i = 500; i < 2000; i++) {
        kith_change change;
        CHECK(kith_tracker_next(t.tracker, &change));
        CHECK_SAME(change.entity, e[i]);
        CHECK_INT(change.kind, KITH_REMOVED);
    }
    expect_no_change(&t);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(commands_are_noted, layout)
{
    tracked t = tracked_new(layout);
    kith_commands *commands = kith_commands_new(t.world, NULL);
    kith_entity a = KITH_SPAWN(t.world, KITH_VALUE(Position));
    kith_entity b = kith_spawn_empty(t.world);
    kith_tracker_skip_changes(t.tracker);
    kith_entity made = KITH_SPAWN(commands, KITH_VALUE(Position));
    KITH_SET(commands, b, Position, {1, 1});
    kith_commands_despawn(commands, a);
    expect_no_change(&t);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    expect_change(&t, kith_commands_real(commands, made), KITH_ADDED);
    expect_change(&t, b, KITH_ADDED);
    expect_change(&t, a, KITH_REMOVED);
    expect_no_change(&t);
    fixture_free(&t.f);
}

/* Each reader at its own pace; what both have read is given back. */
TEST_EACH_LAYOUT(memory_is_bounded_by_the_slowest, layout)
{
    tracked t = tracked_new(layout);
    kith_tracker *slow;
    CHECK_RESULT(kith_tracker_new(t.world, &Position_type, &slow), KITH_OK);
    kith_entity e = kith_spawn_empty(t.world);
    CHECK_RESULT(KITH_ADD(t.world, e, Position), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(t.world, e, Position), KITH_OK);
    kith_tracker_skip_changes(t.tracker);
    kith_tracker_skip_changes(slow);
    size_t before = kith_memory(t.world).used;
    kith_change change;
    for (uint32_t i = 0; i < 5000; i++) {
        CHECK_RESULT(KITH_ADD(t.world, e, Position), KITH_OK);
        CHECK_RESULT(KITH_REMOVE(t.world, e, Position), KITH_OK);
        CHECK(kith_tracker_next(t.tracker, &change) && kith_tracker_next(t.tracker, &change));
    }
    CHECK_UINT(kith_tracker_pending(slow), 10000);
    kith_component_stats stats;
    CHECK_RESULT(kith_component_memory(t.world, &Position_type, &stats), KITH_OK);
    CHECK_UINT(stats.tracked, 10000 * sizeof(kith_entity));
    CHECK(kith_memory(t.world).used + 4096 >= before + stats.tracked);
    CHECK(kith_memory(t.world).used <= before + stats.tracked * 11 / 10);
    for (uint32_t i = 0; i < 10000; i++) {
        CHECK(kith_tracker_next(slow, &change));
        CHECK_INT(change.kind, i % 2 == 0 ? KITH_ADDED : KITH_REMOVED);
        CHECK_SAME(change.entity, e);
    }
    CHECK(!kith_tracker_next(slow, &change));
    CHECK_WORLD(t.world);
    kith_world_trim(t.world); /* what is kept for as many changes again */
    CHECK_WORLD(t.world);
    CHECK(kith_memory(t.world).used <= before + 4096);
    CHECK_RESULT(kith_component_memory(t.world, &Position_type, &stats), KITH_OK);
    CHECK_UINT(stats.tracked, 0);
    fixture_free(&t.f);
}

/* One that goes lets go of what only it had not read; the last one ends the tracking. */
TEST_EACH_LAYOUT(trackers_come_and_go, layout)
{
    tracked t = tracked_new(layout);
    size_t before = kith_memory(t.world).allocations;
    kith_tracker *late;
    kith_tracker *other;
    kith_entity e = KITH_SPAWN(t.world, KITH_VALUE(Position));
    CHECK_RESULT(kith_tracker_new(t.world, &Position_type, &late), KITH_OK);
    CHECK_RESULT(kith_tracker_new(t.world, &Velocity_type, &other), KITH_OK);
    CHECK_UINT(kith_tracker_pending(late), 0);
    CHECK_RESULT(KITH_ADD(t.world, e, Velocity), KITH_OK);
    CHECK_UINT(kith_tracker_pending(other), 1);
    expect_change(&t, e, KITH_ADDED);
    kith_tracker_free(t.tracker);
    CHECK_WORLD(t.world);
    CHECK_RESULT(kith_despawn(t.world, e), KITH_OK);
    kith_change change;
    CHECK(kith_tracker_next(late, &change));
    CHECK_INT(change.kind, KITH_REMOVED);
    kith_tracker_free(late);
    kith_tracker_free(NULL);
    CHECK_WORLD(t.world);
    CHECK(!kith_is_none(KITH_SPAWN(t.world, KITH_VALUE(Position))));
    CHECK_WORLD(t.world);
    CHECK(kith_memory(t.world).allocations >= before - 3);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(readers_may_read_in_an_open_query, layout)
{
    tracked t = tracked_new(layout);
    kith_entity e = KITH_SPAWN(t.world, KITH_VALUE(Position));
    kith_query *query = KITH_QUERY(t.world, KITH_READ(Position));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    expect_change(&t, e, KITH_ADDED);
    kith_tracker *another;
    CHECK_RESULT(kith_tracker_new(t.world, &Position_type, &another), KITH_OK);
    kith_tracker_free(another);
    kith_iter_close(&it);
    fixture_free(&t.f);
}

/* More of them than a chunk of the track holds, made one by one. */
TEST_EACH_LAYOUT(each_clone_is_noted, layout)
{
    enum { CLONES = 2500 };
    tracked t = tracked_new(layout);
    kith_entity e = KITH_SPAWN(t.world, KITH_VALUE(Position, {1, 2}));
    static kith_entity clones[CLONES];
    for (uint32_t i = 0; i < CLONES; i++) {
        CHECK_RESULT(kith_clone(t.world, e, &clones[i]), KITH_OK);
    }
    CHECK_UINT(kith_tracker_pending(t.tracker), 1 + CLONES);
    CHECK_WORLD(t.world);
    expect_change(&t, e, KITH_ADDED);
    for (uint32_t i = 0; i < CLONES; i++) {
        expect_change(&t, clones[i], KITH_ADDED);
    }
    expect_no_change(&t);
    fixture_free(&t.f);
}

/* Changes all of these entities: at once, or by commands, whose changes are more than a chunk of the
 * track. */
static kith_result change_all(tracked *t, kith_commands *commands, const kith_entity *e,
                              uint32_t count, uint32_t way)
{
    for (uint32_t i = 0; i < count; i++) {
        switch (way) {
        case 0: kith_commands_despawn(commands, e[i]); break;
        case 1: KITH_REMOVE(commands, e[i], Position); break;
        case 2: kith_commands_remove_all(commands, e[i]); break;
        case 3: kith_commands_clone(commands, e[i]); break;
        default: break;
        }
    }
    if (way < 4) {
        return kith_commands_apply(commands, NULL);
    }
    uint32_t ended = 12345;
    kith_result result = kith_despawn_many(t->world, e, count, &ended);
    CHECK_UINT(ended, result == KITH_OK ? count : 12345);
    return result;
}

/* A call that fails for want of the track's memory has changed nothing, and noted nothing. */
TEST_EACH_LAYOUT(a_call_that_fails_is_not_noted, layout)
{
    enum { MANY = 800 };
    for (uint32_t way = 0; way < 5; way++) {
        for (size_t nth = 1;; nth++) {
            tracked t = tracked_new(layout);
            static kith_entity e[MANY];
            const kith_values positions = {&Position_type, NULL, true};
            CHECK_RESULT(kith_spawn_many(t.world, MANY, &positions, 1, e), KITH_OK);
            kith_tracker_skip_changes(t.tracker);
            kith_world_trim(t.world);
            kith_commands *commands = kith_commands_new(t.world, NULL);
            CHECK_PTR_NOT_NULL(commands);
            uint64_t hash = kith_world_hash(t.world);
            fail_from(&t.f, nth);
            kith_result result = change_all(&t, commands, e, MANY, way);
            bool reached = fail_nothing(&t.f);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            CHECK_UINT(kith_tracker_pending(t.tracker), reached ? 0 : MANY);
            CHECK(!reached || kith_world_hash(t.world) == hash);
            fixture_free(&t.f);
            if (!reached) {
                CHECK(nth > 2);
                break;
            }
        }
    }
}

/* What trackers have read is not the world's. */
TEST_EACH_LAYOUT(trackers_have_no_say_in_the_hash, layout)
{
    tracked t = tracked_new(layout);
    fixture twin = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(t.world, KITH_VALUE(Position));
    CHECK_SAME(KITH_SPAWN(twin.world, KITH_VALUE(Position)), e);
    CHECK(kith_world_hash(t.world) == kith_world_hash(twin.world));
    kith_tracker_skip_changes(t.tracker);
    CHECK(kith_world_hash(t.world) == kith_world_hash(twin.world));
    fixture_free(&twin);
    fixture_free(&t.f);
}

/* What a way between two tables means for trackers is another thing when trackers have come, or gone. */
TEST_EACH_LAYOUT(ways_that_were_gone_before_are_looked_at_anew, layout)
{
    tracked t = tracked_new(layout);
    kith_entity e = KITH_SPAWN(t.world, KITH_VALUE(Position));
    kith_tracker *late = NULL;
    kith_change change;
    for (int round = 0; round < 4; round++) {
        CHECK_RESULT(KITH_ADD(t.world, e, Velocity), KITH_OK);
        CHECK_RESULT(KITH_REMOVE(t.world, e, Velocity), KITH_OK);
        CHECK_UINT(kith_tracker_pending(t.tracker), 1);
        if (late == NULL) {
            CHECK_RESULT(kith_tracker_new(t.world, &Velocity_type, &late), KITH_OK);
            continue;
        }
        CHECK(kith_tracker_next(late, &change) && change.kind == KITH_ADDED);
        CHECK(kith_tracker_next(late, &change) && change.kind == KITH_REMOVED);
        CHECK(!kith_tracker_next(late, &change));
        kith_tracker_free(late);
        late = NULL;
        CHECK_WORLD(t.world);
    }
    fixture_free(&t.f);
}

/* Types that differ in name alone: more of them than a table has bits for what is tracked. */
#define MANY 70
static kith_type many_types[MANY];
static char many_names[MANY][8];

static void register_many(kith_world *world)
{
    static const kith_field field = {"value", 0, 4, KITH_U32};
    for (uint32_t i = 0; i < MANY; i++) {
        snprintf(many_names[i], sizeof(many_names[i]), "M%u", i);
        many_types[i] =
            (kith_type){many_names[i], 4, 4, 0, 1, &field, NULL, KITH_TABLE, false, false, 0};
        CHECK_RESULT(kith_register(world, &many_types[i], NULL), KITH_OK);
    }
}

/* Reads all changes of a tracker, which are of these entities and of one kind. */
static void check_changes(kith_tracker *tracker, const kith_entity *entities, uint32_t count,
                          kith_change_kind kind)
{
    CHECK_UINT(kith_tracker_pending(tracker), count);
    kith_change change;
    for (uint32_t i = 0; i < count; i++) {
        CHECK(kith_tracker_next(tracker, &change));
        CHECK_SAME(change.entity, entities[i]);
        CHECK_INT(change.kind, kind);
    }
}

/* Each of many components in one table is told of for itself, wherever its column is: by steps, by
 * calls that change several, by spawning and ending, and by commands. */
TEST(many_tracked_components_in_one_table)
{
    fixture f = fixture_new();
    register_many(f.world);
    static const uint32_t followed[] = {0, 31, 62, 63, 64, 69};
    enum { FOLLOWED = sizeof(followed) / sizeof(followed[0]) };
    kith_tracker *trackers[FOLLOWED];
    kith_value values[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        values[i] = (kith_value){&many_types[i], NULL};
    }
    kith_entity e[3];
    CHECK_RESULT(kith_spawn(f.world, values, MANY, &e[0]), KITH_OK); /* a table from before */
    for (uint32_t i = 0; i < FOLLOWED; i++) {
        CHECK_RESULT(kith_tracker_new(f.world, &many_types[followed[i]], &trackers[i]), KITH_OK);
        CHECK_WORLD(f.world);
    }
    CHECK_RESULT(kith_spawn(f.world, values, MANY, &e[1]), KITH_OK);
    e[2] = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_set_values(f.world, e[2], values, MANY), KITH_OK);
    for (uint32_t i = 0; i < FOLLOWED; i++) {
        check_changes(trackers[i], e + 1, 2, KITH_ADDED);
    }
    for (uint32_t i = 0; i < MANY; i++) { /* now there are tables with fewer, one of each */
        CHECK_RESULT(kith_remove(f.world, e[2], &many_types[i]), KITH_OK);
    }
    CHECK_RESULT(kith_despawn(f.world, e[1]), KITH_OK);
    CHECK_RESULT(kith_remove_all(f.world, e[0]), KITH_OK);
    const kith_entity lost[] = {e[2], e[1], e[0]};
    for (uint32_t i = 0; i < FOLLOWED; i++) {
        check_changes(trackers[i], lost, 3, KITH_REMOVED);
        CHECK_WORLD(f.world);
        kith_tracker_free(trackers[i]);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}
