/* The kit for games in C++: its structs as components, its systems, its events, a grid. */
#define KITH_GAME_NAMES
#include <kith/game.hpp>

#include <cstdio>
#include <cstdlib>
#include <utility>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);     \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (false)

static void test_systems(kith_layout layout)
{
    kith::world world;
    CHECK(world.register_type<Position>(layout) == KITH_OK);
    CHECK(kith::add_game_systems(world, KITH_GAME_MOVEMENT | KITH_GAME_COLLISION |
                                            KITH_GAME_TIMER) == KITH_OK);
    CHECK(kith::add_game_systems(world, KITH_GAME_MOVEMENT) == KITH_ERR_CONFLICT);
    const kith::entity wall = world.spawn(Position{3, 0}, Collider{1, 1, 0, 0, false});
    const kith::entity ball =
        world.spawn(Position{0, 0}, Velocity{1, 0}, Collider{1, 1, 0, 0, false});
    CHECK(world.spawn(Timer{0, 2, 0, false}) != kith::none);
    int hits = 0, rings = 0;
    CHECK(world.system(kith::named("hits").after("collision"),
                       [&](kith::events<Collision> collisions) {
                           for (const Collision &c : collisions) {
                               CHECK(c.a == wall && c.b == ball);
                               hits += c.phase == KITH_COLLISION_ENTER;
                           }
                       }) == KITH_OK);
    CHECK(world.system("rings", [&](const Timer &t) { rings += static_cast<int>(t.finished); }) ==
          KITH_OK);
    for (int i = 0; i < 4; i++) {
        CHECK(world.run(1) == KITH_OK);
    }
    CHECK(hits == 1 && rings == 2 && world.get<Position>(ball)->x == 4);
}

static void test_grid(kith_layout layout)
{
    kith::world world;
    CHECK(world.register_type<Collider>(layout) == KITH_OK);
    kith::entity all[10];
    for (int i = 0; i < 10; i++) {
        all[i] = world.spawn(Position{static_cast<float>(i) * 10, 0}, Collider{2, 2, 0, 0, false});
    }
    kith::grid made(world);
    CHECK(made && made.build() == KITH_OK && made.count() == 10);
    kith::grid grid = std::move(made);
    CHECK(!made && grid.at(20.5f, 0.5f) == all[2] && grid.at(5, 5) == kith::none);
    kith::entity found[2] = {kith::none, kith::none};
    CHECK(grid.box(15, -1, 45, 1, found) == 3 && found[0] == all[2] && found[1] == all[3]);
    CHECK(grid.nearest(34, 3, 10) == all[3] && grid.nearest(34, 3, 4) == kith::none);
}

/* Values in and out, as in C. */
static void test_transforms(kith_layout layout)
{
    kith::world world;
    CHECK(world.register_type<Local3>(layout) == KITH_OK);
    const kith::entity ship = world.spawn(
        Local2{3, 4, KITH_PI / 2, 0, 0},
        Local3{{0, 0, 7}, kith_quat_about(0, 0, 1, KITH_PI / 2), {0, 0, 0}});
    const Global2 flat = kith_transform2_from_local(*world.get<Local2>(ship));
    const kith_vec2 bow = kith_transform2_point(flat, 2, 0);
    CHECK(bow.x > 2.999f && bow.x < 3.001f && bow.y == 6);
    Global3 solid = kith_transform3_from_local(*world.get<Local3>(ship));
    const kith_vec3 mast = kith_transform3_point(solid, 0, 0, 1);
    CHECK(mast.x == 0 && mast.y == 0 && mast.z == 8);
    CHECK(kith_transform3_invert(solid, &solid) && solid.position.z == -7);
    CHECK(kith_atan2_f32(kith_sin_f32(1), kith_cos_f32(1)) == 1);

    const kith::entity boat = world.spawn(Local2{5, 0, 0, 0, 0});
    bool exact = false;
    CHECK(world.set_parent(boat, ship) == KITH_OK);
    CHECK(kith::set_parent_in_place(world, boat, kith::none, &exact) == KITH_OK && exact);
    CHECK(world.get<Local2>(boat)->y > 8.999f && world.get<Local2>(boat)->y < 9.001f);
    CHECK(kith::set_parent_in_place(world, boat, ship) == KITH_OK && world.parent(boat) == ship);
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_systems(layout);
        test_grid(layout);
        test_transforms(layout);
    }
    return 0;
}
