/* Scenes and prefabs in C++: who owns them, what they make, what is wrong with a text. */
#include "hpp.hpp"

#include <kith/scene.hpp>

#include <type_traits>
#include <utility>

using game::Frozen;
using game::Leader;
using game::Position;

static_assert(!std::is_copy_constructible<kith::scene>::value &&
                  std::is_nothrow_move_constructible<kith::scene>::value &&
                  std::is_nothrow_move_assignable<kith::scene>::value,
              "a scene has one owner");

static const char cave[] = "prefab bat\n"
                           "    Position { y = 9 }\n"
                           "    Frozen\n"
                           "entity king : bat\n"
                           "    Position { x = 1 }\n"
                           "entity guard\n"
                           "    Leader { who = king }\n";

static void test_loading(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::scene level;
    CHECK(!level);
    CHECK(level.load(world, cave) == KITH_OK && level && world.entity_count() == 2);
    const kith::entity king = level.find("king");
    CHECK(world.get<Position>(king)->x == 1 && world.get<Position>(king)->y == 9);
    CHECK(world.get<Leader>(level.find("guard"))->who == king);
    CHECK(level.count() == 2 && level.at(0) == king && std::string(level.name(1)) == "guard");
    CHECK(level.find("queen") == kith::none && !level.prefab("cat"));

    CHECK(level.spawn() == KITH_OK && world.entity_count() == 4 && level.find("king") != king);
    kith::scene moved = std::move(level);
    CHECK(!level && moved.find("king") != kith::none);

    kith::scene only_read;
    CHECK(only_read.parse(world, cave) == KITH_OK && world.entity_count() == 4);
    CHECK(only_read.find("king") == kith::none);
    only_read = std::move(moved);
    CHECK(only_read.find("king") != kith::none);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

static void test_prefabs(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::scene prefabs;
    CHECK(prefabs.parse(world, cave) == KITH_OK);
    const kith::prefab bat = prefabs.prefab("bat");
    CHECK(bat && std::string(bat.name()) == "bat" && prefabs.prefab(0u).c() == bat.c());
    CHECK(!prefabs.prefab(1u));
    const kith::entity plain = bat.spawn();
    CHECK(world.get<Position>(plain)->y == 9 && world.has<Frozen>(plain));
    const kith::entity other = bat.spawn(Position{3, 4}, Leader{plain});
    CHECK(world.get<Position>(other)->y == 4 && world.get<Leader>(other)->who == plain);
    auto later = world.commands();
    kith::entity queued = bat.queue(later, Leader{other});
    CHECK(later.apply() == KITH_OK);
    queued = later.real(queued);
    CHECK(world.get<Position>(queued)->y == 9 && world.get<Leader>(queued)->who == other);
    Position p{};
    CHECK(bat.get(p) == KITH_OK && p.y == 9);
    Leader leader{};
    CHECK(bat.get(leader) == KITH_ERR_ABSENT);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

static void test_children(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::scene prefabs;
    CHECK(prefabs.parse(world, "prefab tank\n    child gun {\n        Position { y = 2 }\n    }\n"
                               "    Frozen\n") == KITH_ERR_INPUT);
    CHECK(prefabs.parse(world,
                        "prefab tank\n    Frozen\n    child gun {\n"
                        "        Position { y = 2 }\n        Leader { who = tank }\n    }\n") ==
          KITH_OK);
    const kith::prefab tank = prefabs.prefab("tank");
    Position p{};
    CHECK(tank.get("gun", p) == KITH_OK && p.y == 2 && tank.get("turret", p) == KITH_ERR_ABSENT);
    const kith::entity made = tank.spawn_parts(kith::at("gun", Position{5, 6}), kith::at("", p));
    kith::entity gun = kith_child_first(world.c(), made);
    CHECK(world.get<Position>(gun)->x == 5 && world.get<Leader>(gun)->who == made);
    CHECK(world.get<Position>(made)->y == 2 && world.has<Frozen>(made));
    auto later = world.commands();
    const kith::entity queued = tank.queue_parts(later, kith::at("gun", Position{7, 8}));
    CHECK(tank.queue_parts(later, kith::at("turret", Position{7, 8})) == kith::none);
    CHECK(later.apply() == KITH_OK);
    gun = kith_child_first(world.c(), later.real(queued));
    CHECK(world.get<Position>(gun)->x == 7 && world.check() == KITH_OK);
}

/* A text that is wrong changes nothing, and the place is told. */
static void test_errors(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::scene level;
    CHECK(level.load(world, cave) == KITH_OK);
    CHECK(level.load(world, "entity e\n    Position { z = 1 }\n") == KITH_ERR_INPUT);
    CHECK(level.error().line == 2 && level.error().column == 16);
    CHECK(std::string(level.error_text().c_str()).find(":2:16: ") == 0);
    CHECK(level.find("king") != kith::none && world.entity_count() == 2);
    CHECK(level.load_file(world, "/nowhere/at/all") == KITH_ERR_IO);
    CHECK(level.parse_file(world, "/nowhere/at/all") == KITH_ERR_IO);
    CHECK(std::string(level.error_text()).find("/nowhere/at/all") == 0);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* What was changed is in the text that is saved. */
static void test_saving(kith_layout layout)
{
    static const char path[] = "test_hpp_scene.kith";
    kith::world world = new_world(layout);
    kith::scene level;
    kith_scene_def def{};
    def.text = cave;
    def.length = sizeof(cave) - 1;
    CHECK(level.parse(world, def) == KITH_OK && level.spawn() == KITH_OK);
    world.get_mut<Position>(level.find("king"))->x = 77;
    CHECK(level.set_name(1, "sentry") == KITH_OK);
    CHECK(level.add(level.prefab("bat").spawn(Position{5, 9}), level.prefab("bat")) == KITH_OK);
    CHECK(level.add(kith::none) == KITH_ERR_DEAD);
    CHECK(level.save_file(path) == KITH_OK);

    kith::world other = new_world(layout);
    kith::scene again;
    CHECK(again.load_file(other, path) == KITH_OK && other.entity_count() == 3);
    CHECK(other.get<Position>(again.find("king"))->x == 77);
    CHECK(other.has<Leader>(again.find("sentry")) && again.prefab("bat"));
    CHECK(other.get<Position>(again.at(2))->x == 5);
    CHECK(std::remove(path) == 0);
    CHECK(last_message.empty() && other.check() == KITH_OK);
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_loading(layout);
        test_prefabs(layout);
        test_children(layout);
        test_errors(layout);
        test_saving(layout);
    }
    return 0;
}
