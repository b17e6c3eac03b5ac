/* Bounds: each rule, on each layout, with any numbers. */
#include <float.h>
#include <math.h>

#include "worlds.h"

typedef struct bounds_case {
    Position at;
    Velocity velocity;
    Position outcome;
    Velocity velocity_outcome;
} bounds_case;

static kith_entity spawn_case(fixture *f, const bounds_case *c, bounds_case *own, Bounds bounds)
{
    *own = *c;
    kith_entity e;
    const kith_value values[] = {KITH_VALUE(Position, own->at), KITH_VALUE(Velocity, own->velocity),
                                 KITH_VALUE(Bounds, bounds)};
    CHECK_RESULT(kith_spawn(f->world, values, 3, &e), KITH_OK);
    return e;
}

static void check_number(float a, float b)
{
    CHECK(a == b || (isnan(a) && isnan(b)));
}

static void check_cases(kith_layout layout, const bounds_case *cases, size_t count, Bounds bounds)
{
    fixture f = game_new(layout, KITH_GAME_BOUNDS);
    for (size_t i = 0; i < count; i++) {
        bounds_case own;
        kith_entity e = spawn_case(&f, &cases[i], &own, bounds);
        game_tick(&f, 1);
        check_number(KITH_GET(f.world, e, Position)->x, cases[i].outcome.x);
        check_number(KITH_GET(f.world, e, Position)->y, cases[i].outcome.y);
        check_number(KITH_GET(f.world, e, Velocity)->dx, cases[i].velocity_outcome.dx);
        check_number(KITH_GET(f.world, e, Velocity)->dy, cases[i].velocity_outcome.dy);
    }
    fixture_free(&f);
}

#define CHECK_CASES(layout, cases, ...)                                                            \
    check_cases((layout), (cases), sizeof(cases) / sizeof((cases)[0]), (Bounds)__VA_ARGS__)

TEST_EACH_LAYOUT(who_bounces_is_reflected_with_its_velocity, layout)
{
    static const bounds_case cases[] = {
        {{5, 5}, {1, -1}, {5, 5}, {1, -1}},
        {{10, 0}, {1, -1}, {10, 0}, {1, -1}},
        {{12, 5}, {3, 1}, {8, 5}, {-3, 1}},
        {{-1, 21}, {-3, 4}, {1, 19}, {3, -4}},
        {{12, 5}, {-3, 1}, {8, 5}, {-3, 1}},                /* it was coming back already */
        {{1000, -1000}, {900, -900}, {10, 0}, {-900, 900}}, /* farther than the rectangle is long */
        {{INFINITY, -INFINITY}, {1, -1}, {10, 0}, {-1, 1}},
        {{NAN, NAN}, {1, -1}, {0, 0}, {1, -1}},
        {{3e38f, 5}, {3e38f, 0}, {10, 5}, {-3e38f, 0}},
    };
    CHECK_CASES(layout, cases, {0, 0, 10, 20, KITH_BOUNDS_BOUNCE});
}

TEST_EACH_LAYOUT(who_wraps_comes_back_on_the_other_side, layout)
{
    static const bounds_case cases[] = {
        {{5, 5}, {1, 0}, {5, 5}, {1, 0}},          {{12, 5}, {1, 0}, {2, 5}, {1, 0}},
        {{10, 5}, {1, 0}, {0, 5}, {1, 0}},         {{-1, -21}, {1, 0}, {9, 19}, {1, 0}},
        {{1003, 5}, {1, 0}, {3, 5}, {1, 0}},       {{-1e-30f, 5}, {1, 0}, {0, 5}, {1, 0}},
        {{INFINITY, NAN}, {1, 0}, {0, 0}, {1, 0}},
    };
    CHECK_CASES(layout, cases, {0, 0, 10, 20, KITH_BOUNDS_WRAP});
}

TEST_EACH_LAYOUT(who_is_clamped_stays, layout)
{
    static const bounds_case cases[] = {
        {{12, -3}, {1, -1}, {10, 0}, {1, -1}},
        {{INFINITY, -INFINITY}, {1, -1}, {10, 0}, {1, -1}},
        {{NAN, 5}, {1, -1}, {0, 5}, {1, -1}},
    };
    CHECK_CASES(layout, cases, {0, 0, 10, 20, KITH_BOUNDS_CLAMP});
}

/* A rectangle that is none bounds nothing, on that axis. */
TEST(nonsense_bounds_nothing)
{
    static const bounds_case cases[] = {{{50, 50}, {1, 1}, {50, 10}, {1, 1}},
                                        {{NAN, 5}, {1, 1}, {NAN, 5}, {1, 1}}};
    CHECK_CASES(KITH_TABLE, cases, {10, 0, 0, 10, KITH_BOUNDS_CLAMP});
    static const bounds_case same[] = {{{50, 5}, {1, 1}, {50, 5}, {1, 1}}};
    CHECK_CASES(KITH_TABLE, same, {NAN, 0, 10, 10, KITH_BOUNDS_CLAMP});
    static const bounds_case point[] = {{{50, 5}, {1, 1}, {3, 4}, {1, 1}}};
    CHECK_CASES(KITH_TABLE, point, {3, 4, 3, 4, KITH_BOUNDS_CLAMP});
    CHECK_CASES(KITH_TABLE, point, {3, 4, 3, 4, KITH_BOUNDS_WRAP});
    static const bounds_case unknown[] = {{{50, 50}, {1, 1}, {50, 50}, {1, 1}}};
    CHECK_CASES(KITH_TABLE, unknown, {0, 0, 10, 10, (kith_bounds_rule)9});
}

/* Nobody is kept at infinity, or put there, however far the rectangle reaches. */
TEST_EACH_LAYOUT(an_infinite_edge_keeps_nothing_infinite, layout)
{
    static const bounds_case right[] = {
        {{7, -7}, {1, -1}, {7, -7}, {1, -1}},
        {{FLT_MAX / 2, 0}, {1, 0}, {FLT_MAX / 2, 0}, {1, 0}},
        {{INFINITY, INFINITY}, {1, 1}, {FLT_MAX, FLT_MAX}, {1, 1}},
        {{-INFINITY, -INFINITY}, {1, 1}, {0, -FLT_MAX}, {1, 1}},
        {{NAN, NAN}, {1, 1}, {0, -FLT_MAX}, {1, 1}},
    };
    CHECK_CASES(layout, right, {0, -INFINITY, INFINITY, INFINITY, KITH_BOUNDS_CLAMP});
    static const bounds_case bounced[] = {
        {{-7, 7}, {-1, 1}, {7, 7}, {1, 1}},
        {{INFINITY, INFINITY}, {1, 1}, {FLT_MAX, FLT_MAX}, {-1, -1}},
        {{-INFINITY, -INFINITY}, {-1, -1}, {0, -FLT_MAX}, {1, 1}},
        {{-FLT_MAX, 0}, {-1, 1}, {FLT_MAX, 0}, {1, 1}},
    };
    CHECK_CASES(layout, bounced, {0, -INFINITY, INFINITY, INFINITY, KITH_BOUNDS_BOUNCE});
    static const bounds_case wrapped[] = {
        {{7, 7}, {1, 1}, {7, -FLT_MAX}, {1, 1}},
        {{INFINITY, -INFINITY}, {1, 1}, {0, -FLT_MAX}, {1, 1}},
        {{-7, -7}, {1, 1}, {0, -7}, {1, 1}},
    };
    CHECK_CASES(layout, wrapped, {0, -INFINITY, INFINITY, 5, KITH_BOUNDS_WRAP});
    static const bounds_case nowhere[] = {{{7, -7}, {1, 1}, {7, -7}, {1, 1}}};
    CHECK_CASES(layout, nowhere, {INFINITY, -INFINITY, INFINITY, -INFINITY, KITH_BOUNDS_CLAMP});
}

TEST_EACH_LAYOUT(boxes_stay_inside_as_a_whole, layout)
{
    fixture f = game_new(layout, KITH_GAME_BOUNDS);
    kith_entity box = KITH_SPAWN(f.world, KITH_VALUE(Position, {9.5f, 1}),
                                 KITH_VALUE(Collider, {.width = 2, .height = 4}),
                                 KITH_VALUE(Bounds, {0, 0, 10, 10, KITH_BOUNDS_CLAMP}));
    kith_entity large = KITH_SPAWN(f.world, KITH_VALUE(Position, {9.5f, 1}),
                                   KITH_VALUE(Collider, {.width = 20, .height = 4}),
                                   KITH_VALUE(Bounds, {0, 0, 10, 10, KITH_BOUNDS_BOUNCE}));
    kith_entity endless = KITH_SPAWN(f.world, KITH_VALUE(Position, {11, 1}),
                                     KITH_VALUE(Collider, {.width = INFINITY, .height = -4}),
                                     KITH_VALUE(Bounds, {0, 0, 10, 10, KITH_BOUNDS_CLAMP}));
    game_tick(&f, 1);
    CHECK_FLOAT(KITH_GET(f.world, box, Position)->x, 9);
    CHECK_FLOAT(KITH_GET(f.world, box, Position)->y, 2);
    CHECK_FLOAT(KITH_GET(f.world, large, Position)->x, 5);
    CHECK_FLOAT(KITH_GET(f.world, large, Position)->y, 3);
    CHECK_FLOAT(KITH_GET(f.world, endless, Position)->x, 10);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(who_leaves_is_despawned, layout)
{
    static const struct {
        Position at;
        float size;
        bool lives;
    } cases[] = {{{5, 5}, 0, true},     {{0, 10}, 0, true},       {{-0.5f, 5}, 0, false},
                 {{-0.5f, 5}, 2, true}, {{-1.5f, 5}, 2, false},   {{5, 12}, 2, false},
                 {{NAN, 5}, 0, false},  {{5, INFINITY}, 0, false}};
    fixture f = game_new(layout, KITH_GAME_BOUNDS);
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        Position at = cases[i].at;
        kith_entity e =
            KITH_SPAWN(f.world, KITH_VALUE(Bounds, {0, 0, 10, 10, KITH_BOUNDS_DESPAWN}),
                       KITH_VALUE(Collider, {cases[i].size, cases[i].size, 0, 0, false}));
        CHECK_RESULT(KITH_SET(f.world, e, Position, at), KITH_OK);
        game_tick(&f, 1);
        CHECK_INT(kith_alive(f.world, e), cases[i].lives);
    }
    for (float sign = -1; sign <= 1; sign += 2) {
        kith_entity far = KITH_SPAWN(
            f.world, KITH_VALUE(Position, {sign * INFINITY, 0}),
            KITH_VALUE(Bounds, {-INFINITY, -INFINITY, INFINITY, INFINITY, KITH_BOUNDS_DESPAWN}));
        game_tick(&f, 1);
        CHECK(!kith_alive(f.world, far));
    }
    fixture_free(&f);
}

TEST_EACH_LAYOUT(bounds_without_a_rectangle_are_the_space, layout)
{
    fixture f = game_new(layout, KITH_GAME_BOUNDS);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {50, -3}),
                               KITH_VALUE(Bounds, {.rule = KITH_BOUNDS_CLAMP}));
    game_tick(&f, 1);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 50);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Space, {2, 3, 20, 30}), KITH_OK);
    game_tick(&f, 1);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 20);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 3);
    fixture_free(&f);
}
