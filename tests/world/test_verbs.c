/* One verb for one thing: a world does it now, a command buffer when it is applied. */
#include <kith/kith.h>

#include "components.h"
#include "test.h"

/* What each verb does to a target, which is a world or a buffer. */
#define CHANGE_ALL(target, e, at)                                                                  \
    do {                                                                                           \
        CHECK_RESULT(KITH_SET(target, e[0], Position, {3, 4}), KITH_OK);                           \
        CHECK_RESULT(KITH_SET(target, e[0], Velocity, *at), KITH_OK);                              \
        CHECK_RESULT(                                                                              \
            KITH_SET_VALUES(target, e[1], KITH_VALUE(Velocity, *at), KITH_VALUE(Health, {5, 6})),  \
            KITH_OK);                                                                              \
        CHECK_RESULT(KITH_ADD(target, e[1], Frozen), KITH_OK);                                     \
        CHECK_RESULT(KITH_REMOVE(target, e[2], Position), KITH_OK);                                \
        CHECK_RESULT(KITH_REMOVE_ALL(target, e[3]), KITH_OK);                                      \
        CHECK(!kith_is_none(KITH_SPAWN(target, KITH_VALUE(Health, {7, 8}), KITH_VALUE(Frozen))));  \
        CHECK(!kith_is_none(KITH_CLONE(target, e[5])));                                            \
        CHECK_RESULT(KITH_DESPAWN(target, e[4]), KITH_OK);                                         \
    } while (0)

TEST_EACH_LAYOUT(a_verb_takes_a_world_or_a_buffer, layout)
{
    uint64_t contents[2];
    for (int queued = 0; queued < 2; queued++) {
        fixture f = fixture_new();
        register_all(f.world, layout);
        const Velocity at = {1, 2};
        kith_entity e[6];
        for (int i = 0; i < 6; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
        }
        if (queued) {
            kith_commands *commands = kith_commands_new(f.world, NULL);
            CHANGE_ALL(commands, e, &at);
            CHECK_FLOAT(KITH_GET(f.world, e[0], Position)->x, 0); /* not yet */
            CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
        } else {
            CHANGE_ALL(f.world, e, &at);
        }
        CHECK_FLOAT(KITH_GET(f.world, e[0], Position)->x, 3);
        CHECK_FLOAT(KITH_GET(f.world, e[1], Velocity)->dy, 2);
        CHECK(KITH_HAS(f.world, e[1], Frozen) && !KITH_HAS(f.world, e[2], Position));
        CHECK(!KITH_HAS(f.world, e[3], Position) && KITH_ALIVE(f.world, e[3]));
        CHECK(!KITH_ALIVE(f.world, e[4]));
        CHECK_UINT(kith_entity_count(f.world), 7);
        kith_query *query = KITH_QUERY(f.world, KITH_READ(Health), KITH_WITH(Frozen));
        CHECK_UINT(kith_query_count(query), 2);
        contents[queued] = kith_content_hash(f.world);
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
    CHECK_UINT(contents[0], contents[1]);
}

static Position moved(Position from, float dx)
{
    return (Position){from.x + dx, from.y};
}

/* Where a value is given in braces, a struct will do: a variable, what a pointer points to, a result. */
TEST(a_value_may_be_a_struct)
{
    fixture f = fixture_new();
    register_all(f.world, KITH_TABLE);
    const Position place = {1, 2};
    const Position *at = &place;
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, place), KITH_VALUE(Health, {3, 4}));
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    CHECK_RESULT(KITH_SET(f.world, e, Position, moved(*at, 4)), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 5);
    CHECK_RESULT(KITH_SET(f.world, e, Position, *KITH_GET(f.world, e, Position)), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 5);

    const kith_values same[] = {KITH_VALUE(Position, *at)};
    kith_entity two[2];
    CHECK_RESULT(kith_spawn_many(f.world, 2, same, 1, two), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, two[1], Position)->y, 2);

    CHECK_RESULT(KITH_SEND(f.world, Position, moved(place, 5)), KITH_OK);
    CHECK_FLOAT(KITH_EVENT(f.world, 0, Position)->x, 6);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Position, *at), KITH_OK);
    CHECK_FLOAT(KITH_RESOURCE(f.world, Position)->x, 1);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Braces with more commas than those of KITH_VALUE are counted as more values than there are. */
/* clang-format off */
#define MISCOUNTED {&Health_type, &(const Health){1, 2}}, {&Position_type, (const float[2]){3, 4}}
/* clang-format on */

/* What is missing is in the array, and has no type. */
TEST(values_that_are_miscounted_are_in_the_list)
{
    fixture f = fixture_new();
    register_all(f.world, KITH_TABLE);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    kith_entity e = kith_spawn_empty(f.world);
    CHECK(kith_is_none(KITH_SPAWN(f.world, MISCOUNTED)));
    expect_misuse(&f, "kith_spawn: the type is NULL");
    CHECK_RESULT(KITH_SET_VALUES(f.world, e, MISCOUNTED), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_set_values: the type is NULL");
    CHECK(!KITH_HAS(f.world, e, Position));
    CHECK(kith_is_none(KITH_SPAWN(commands, MISCOUNTED)));
    expect_misuse(&f, "the type is NULL");
    kith_commands_discard(commands);
    CHECK_RESULT(KITH_SET_VALUES(commands, e, MISCOUNTED), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_commands_set_values: the type is NULL");
    CHECK_WORLD(f.world);
    kith_commands_free(commands);
    fixture_free(&f);
}

/* A world that is only read may be const. */
TEST(reading_verbs_take_a_const_world)
{
    fixture f = fixture_new();
    register_all(f.world, KITH_TABLE);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Health, {7, 8}), KITH_OK);
    CHECK_RESULT(KITH_SEND(f.world, Byte, {2}), KITH_OK);
    const kith_world *world = f.world;
    CHECK(KITH_ALIVE(world, e) && KITH_HAS(world, e, Position));
    CHECK_FLOAT(KITH_GET(world, e, Position)->y, 2);
    CHECK_INT(KITH_RESOURCE(world, Health)->current, 7);
    CHECK_INT(KITH_EVENT(world, 0, Byte)->value, 2);
    CHECK_UINT(kith_event_count(world, &Byte_type), 1);
    CHECK_UINT(kith_event_count(f.world, &Health_type), 0);
    CHECK(kith_is_none(KITH_CLONE(f.world, KITH_NONE)));
    CHECK_PTR_NULL(KITH_GET_MUT(f.world, KITH_NONE, Position));
    CHECK_WORLD(f.world);
    fixture_free(&f);
}
