/* Control, gravity, movement, lifetime: on every layout. */
#include <math.h>
#include <string.h>

#include "nothing.h"
#include "worlds.h"

TEST_EACH_LAYOUT(position_follows_velocity, layout)
{
    fixture f = game_new(layout, KITH_GAME_MOVEMENT);
    kith_entity e =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {100, 50}), KITH_VALUE(Velocity, {-20, 10}));
    kith_entity still = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));

    game_tick(&f, 0.5f);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 90);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 55);
    CHECK_FLOAT(KITH_GET(f.world, still, Position)->x, 1);
    fixture_free(&f);
}

/* As in the source's test "gravity then movement produces correct arc". */
TEST_EACH_LAYOUT(gravity_comes_before_movement, layout)
{
    fixture f = game_new(layout, KITH_GAME_MOVEMENT | KITH_GAME_GRAVITY);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 0}), KITH_VALUE(Velocity, {5, 0}),
                               KITH_VALUE(Gravity, {10}));
    kith_entity wall = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 0}), KITH_VALUE(Gravity, {10}));

    game_tick(&f, 1);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 5);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 10);
    game_tick(&f, 1);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 10);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 30);
    CHECK_FLOAT(KITH_GET(f.world, wall, Position)->y, 0);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(controllers_steer, layout)
{
    static const struct {
        Controller wish;
        Velocity outcome;
    } cases[] = {
        {{.x = 1, .speed = 10}, {10, 0}},
        {{.y = -0.5f, .speed = 10}, {0, -5}},
        {{.x = 3, .y = 4, .speed = 10}, {6, 8}},
        {{.speed = 10}, {0, 0}},
        {{.x = NAN, .y = 1, .speed = 10}, {0, 0}},
        {{.x = INFINITY, .speed = 10}, {0, 0}},
        {{.x = 3e38f, .y = 0, .speed = 10}, {10, 0}},
        {{.x = 0, .y = 1, .speed = INFINITY}, {0, 0}},
        {{.x = 1, .y = 0, .speed = -INFINITY}, {0, 0}},
        {{.x = 0, .y = 1, .speed = NAN}, {0, 0}},
        {{.x = 0, .y = 4, .speed = 3e38f}, {0, 3e38f}},
    };
    fixture f = game_new(layout, KITH_GAME_CONTROL);
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Velocity, {7, 7}));
        CHECK_RESULT(KITH_SET(f.world, e, Controller, cases[i].wish), KITH_OK);
        game_tick(&f, 1);
        CHECK_FLOAT(KITH_GET(f.world, e, Velocity)->dx, cases[i].outcome.dx);
        CHECK_FLOAT(KITH_GET(f.world, e, Velocity)->dy, cases[i].outcome.dy);
    }
    fixture_free(&f);
}

/* Time that does not pass moves nothing, and time without end is refused: neither makes a number of what
 * is none. */
TEST_EACH_LAYOUT(no_time_and_infinite_time_move_nothing, layout)
{
    fixture f = game_new(layout, KITH_GAME_ALL);
    kith_entity resting = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}),
                                     KITH_VALUE(Velocity, {0, 0}), KITH_VALUE(Gravity, {0}));
    kith_entity fast = KITH_SPAWN(f.world, KITH_VALUE(Position, {3, -0.0f}),
                                  KITH_VALUE(Velocity, {INFINITY, -INFINITY}));
    kith_entity pulled =
        KITH_SPAWN(f.world, KITH_VALUE(Velocity, {0, 5}), KITH_VALUE(Gravity, {INFINITY}));
    const uint64_t content = kith_content_hash(f.world);
    const uint64_t tick = kith_tick_count(f.world);
    CHECK_RESULT(kith_run(f.world, INFINITY), KITH_ERR_INPUT);
    CHECK_RESULT(kith_run(f.world, -INFINITY), KITH_ERR_INPUT);
    CHECK_RESULT(kith_run(f.world, NAN), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "nan seconds cannot be simulated");
    CHECK_UINT(kith_tick_count(f.world), tick);
    game_tick(&f, 0);
    CHECK(kith_content_hash(f.world) == content);
    game_tick(&f, 1);
    CHECK_FLOAT(KITH_GET(f.world, resting, Position)->x, 1);
    CHECK(isinf(KITH_GET(f.world, fast, Position)->x));
    CHECK(isinf(KITH_GET(f.world, pulled, Velocity)->dy));
    fixture_free(&f);
}

TEST_EACH_LAYOUT(lifetimes_end, layout)
{
    fixture f = game_new(layout, KITH_GAME_LIFETIME);
    kith_entity brief = KITH_SPAWN(f.world, KITH_VALUE(Lifetime, {1}));
    kith_entity longer = KITH_SPAWN(f.world, KITH_VALUE(Lifetime, {1.5f}));
    kith_entity nonsense = KITH_SPAWN(f.world, KITH_VALUE(Lifetime, {NAN}));
    kith_entity ever = KITH_SPAWN(f.world, KITH_VALUE(Lifetime, {INFINITY}));

    game_tick(&f, 0.5f);
    CHECK(kith_alive(f.world, brief));
    CHECK(!kith_alive(f.world, nonsense));
    game_tick(&f, 0.5f);
    CHECK(!kith_alive(f.world, brief));
    CHECK(kith_alive(f.world, longer));
    game_tick(&f, 0.5f);
    CHECK(!kith_alive(f.world, longer));
    CHECK(kith_alive(f.world, ever));
    fixture_free(&f);
}

/* ---- Registration ------------------------------------------------------------------------------ */

TEST(systems_have_the_names_and_priorities_that_the_header_tells)
{
    static const struct {
        const char *name;
        int32_t priority;
    } expected[] = {{"timer", -100}, {"control", 50},    {"gravity", 100}, {"movement", 200},
                    {"bounds", 250}, {"collision", 300}, {"damage", 400},  {"lifetime", 500},
                    {"transforms", 0}};
    fixture f = fixture_new();
    CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_ALL), KITH_OK);
    for (uint32_t i = 0; i < 9; i++) {
        int32_t priority;
        bool enabled;
        const char *name = kith_system_at(f.world, i, &priority, &enabled);
        CHECK_STR(name, expected[i].name);
        CHECK_INT(priority, expected[i].priority);
        CHECK(enabled);
    }
    CHECK_PTR_NULL(kith_system_at(f.world, 9, NULL, NULL));
    CHECK_UINT(kith_type_count(f.world), 16);
    CHECK_RESULT(kith_schedule_build(f.world), KITH_OK);
    CHECK_RESULT(kith_system_group_enable(f.world, "game", false), KITH_OK);
    fixture_free(&f);
}

TEST(each_system_can_be_added_alone_and_switched_off)
{
    for (uint32_t bit = 1; bit <= KITH_GAME_TRANSFORMS; bit *= 2) {
        fixture f = fixture_new();
        CHECK_RESULT(kith_game_add_systems(f.world, bit), KITH_OK);
        const char *name = kith_system_at(f.world, 0, NULL, NULL);
        CHECK_PTR_NOT_NULL(name);
        CHECK_PTR_NULL(kith_system_at(f.world, 1, NULL, NULL));
        CHECK_RESULT(kith_game_add_systems(f.world, bit), KITH_ERR_CONFLICT);
        game_tick(&f, 1);
        CHECK_RESULT(kith_system_enable(f.world, name, false), KITH_OK);
        game_tick(&f, 1);
        fixture_free(&f);
    }
}

TEST(systems_can_be_replaced_by_name)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_MOVEMENT);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 0}), KITH_VALUE(Velocity, {1, 1}));
    CHECK_RESULT(kith_system_replace(f.world, &(kith_system_def){.name = "movement",
                                                                 .priority = 200,
                                                                 .update = update_nothing}),
                 KITH_OK);
    game_tick(&f, 1);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 0);
    fixture_free(&f);
}

TEST(systems_are_added_all_or_none)
{
    fixture f = fixture_new();
    CHECK_RESULT(
        kith_system_add(f.world, &(kith_system_def){.name = "bounds", .update = update_nothing}),
        KITH_OK);
    CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_ALL), KITH_ERR_CONFLICT);
    CHECK_STR(kith_system_at(f.world, 0, NULL, NULL), "bounds");
    CHECK_PTR_NULL(kith_system_at(f.world, 1, NULL, NULL));
    CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_ALL & ~KITH_GAME_BOUNDS), KITH_OK);
    CHECK_RESULT(kith_game_add_systems(f.world, 512), KITH_ERR_INPUT);
    fixture_free(&f);
}

/* A struct of the program's own, of the same name and fields, is the same type. */
typedef struct own_position {
    float x, y;
} own_position;
KITH_TYPE_NAMED(own_position, "Position", KITH_FIELD(own_position, x), KITH_FIELD(own_position, y));

typedef struct own_velocity {
    double dx, dy;
} own_velocity;
KITH_TYPE_NAMED(own_velocity, "Velocity", KITH_FIELD(own_velocity, dx),
                KITH_FIELD(own_velocity, dy));

TEST(types_of_the_same_name_and_fields_are_shared)
{
    fixture f = fixture_new();
    CHECK_RESULT(
        kith_register(f.world, &own_position_type, &(kith_component_def){.layout = KITH_SPARSE}),
        KITH_OK);
    CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_MOVEMENT), KITH_OK);
    kith_layout layout;
    CHECK_RESULT(kith_layout_of(f.world, &Position_type, &layout), KITH_OK);
    CHECK_INT(layout, KITH_SPARSE);
    CHECK_RESULT(kith_layout_of(f.world, &Velocity_type, &layout), KITH_OK);
    CHECK_INT(layout, KITH_TABLE);
    kith_entity e =
        KITH_SPAWN(f.world, KITH_VALUE(own_position, {1, 2}), KITH_VALUE(Velocity, {1, 1}));
    game_tick(&f, 1);
    CHECK_FLOAT(KITH_GET(f.world, e, own_position)->x, 2);
    fixture_free(&f);
}

TEST(a_type_of_the_same_name_and_other_fields_is_a_conflict)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &own_velocity_type, NULL), KITH_OK);
    CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_ALL), KITH_ERR_CONFLICT);
    CHECK_PTR_NULL(kith_system_at(f.world, 0, NULL, NULL));
    CHECK(strstr(kith_error(f.world), "Velocity") != NULL);
    fixture_free(&f);
}
