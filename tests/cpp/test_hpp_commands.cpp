/* Command buffers in C++: what they queue, how they fail, who owns them, and those of systems. */
#include "hpp.hpp"

#include <string>
#include <type_traits>
#include <utility>

using game::Frozen;
using game::Leader;
using game::Position;

static_assert(!std::is_copy_constructible<kith::commands>::value &&
                  !std::is_copy_assignable<kith::commands>::value &&
                  std::is_nothrow_move_constructible<kith::commands>::value &&
                  std::is_nothrow_move_assignable<kith::commands>::value,
              "a buffer has one owner");

/* What each call queues. */
static void test_queueing(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity a = world.spawn(Position{1, 2}, kith::zero<Frozen>);
    kith::entity b = world.spawn(Position{3, 4});
    kith::entity c = world.spawn(Position{5, 6});
    auto later = world.commands();
    CHECK(later);

    auto frozen = world.query<kith::read<Position>, kith::with<Frozen>>();
    CHECK(frozen.each([&](kith::entity e, const Position &p) {
        CHECK(later.remove<Frozen>(e) == KITH_OK);
        CHECK(later.set<Position>(e, {p.x + 10, p.y}) == KITH_OK);
    }) == KITH_OK);
    CHECK(later.add<Frozen>(b) == KITH_OK);
    CHECK(later.remove_all(c) == KITH_OK);
    kith::entity empty = later.spawn();
    kith::entity spark = later.spawn(Position{7, 8}, kith::zero<Frozen>);
    kith::entity twin = later.clone(b);
    kith::entity never = later.spawn(Leader{spark});
    CHECK(later.despawn(never) == KITH_OK);
    CHECK(later.set(empty, Leader{spark}) == KITH_OK);
    CHECK(later.set_values(spark, Leader{empty}, kith::zero<Position>) == KITH_OK);
    CHECK(later.despawn(kith::none) == KITH_OK);
    CHECK(!world.alive(spark) && later.real(spark) == kith::none && world.entity_count() == 3);

    std::uint32_t dead = 0;
    CHECK(later.apply(&dead) == KITH_OK && dead == 1);
    empty = later.real(empty);
    spark = later.real(spark);
    twin = later.real(twin);
    CHECK(world.entity_count() == 6 && later.real(never) == kith::none);
    CHECK(!world.has<Frozen>(a) && world.get<Position>(a)->x == 11);
    CHECK(world.has<Frozen>(b) && world.has<Frozen>(twin) && world.get<Position>(twin)->y == 4);
    CHECK(world.alive(c) && !world.has<Position>(c));
    CHECK(world.get<Leader>(empty)->who == spark && world.get<Leader>(spark)->who == empty);
    CHECK(world.get<Position>(spark)->x == 0 && world.has<Frozen>(spark));
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* A type that nobody registered. */
static void test_queueing_new_types()
{
    kith_world_def def{};
    def.on_misuse = remember;
    kith::world world(def);
    auto later = world.commands();
    kith::entity spark = later.spawn(Position{7, 8}, kith::zero<Frozen>);
    CHECK(later.set(spark, Leader{spark}) == KITH_OK && later.remove<Frozen>(spark) == KITH_OK);
    CHECK(later.apply() == KITH_OK);
    spark = later.real(spark);
    CHECK(world.get<Position>(spark)->y == 8 && world.get<Leader>(spark)->who == spark);
    CHECK(!world.has<Frozen>(spark) && last_message.empty() && world.check() == KITH_OK);
}

/* A refused call fails the buffer until it forgets. */
static void test_failed_commands(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity e = world.spawn(Position{1, 2});
    auto later = world.commands();
    kith::entity old = later.spawn();
    later.discard();
    CHECK(later.despawn(e) == KITH_OK);
    CHECK(later.set<Leader>(e, {old}) == KITH_ERR_INPUT && later.error()[0] != '\0');
    CHECK(later.spawn() == kith::none && later.apply() == KITH_ERR_INPUT && world.alive(e));
    later.discard();
    CHECK(later.error()[0] == '\0' && later.apply() == KITH_OK && world.alive(e));

    CHECK(later.set<other::Position>(e, {1, 2}) == KITH_OK);
    CHECK(later.apply() == KITH_ERR_CONFLICT);
    CHECK(std::string(later.error()).find("'Position' is registered as another type") !=
          std::string::npos);
    later.discard();
    auto positions = world.query<kith::write<Position>>();
    for (auto it = positions.iter(); it.next();) {
        CHECK(!it.commands()); /* no system's */
        CHECK(later.apply() == KITH_ERR_MISUSE && told("test_hpp_commands.cpp"));
    }
    CHECK(last_message.empty());

    auto small = world.commands(2000);
    CHECK(small);
    while (small.spawn(Position{1, 2}) != kith::none) {
    }
    CHECK(small.apply() == KITH_ERR_MEMORY && world.entity_count() == 1);
    CHECK(kith_commands_memory(small.c()).limit == 2000);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* Buffers are owned once; borrowed ones are left alone. */
static void test_owning_commands()
{
    kith::world world = new_world(KITH_TABLE);
    kith_commands *c = kith_commands_new(world.c(), nullptr);
    {
        kith::commands borrowed = kith::commands::borrow(c);
        kith::commands moved = std::move(borrowed);
        CHECK(!borrowed && moved.c() == c && moved.spawn() != kith::none);
        kith::commands assigned = world.commands();
        assigned = std::move(moved);
        CHECK(assigned.c() == c);
    }
    CHECK(kith_memory(world.c()).commands != 0);
    kith::commands none;
    CHECK(!none);
    {
        kith::commands owner = kith::commands::adopt(c);
        none = std::move(owner);
        CHECK(!owner && none && none.apply() == KITH_OK && world.entity_count() == 1);
        none = world.commands();
        CHECK(none && none.c() != c);
    }
    {
        kith::commands gone = std::move(none);
    }
    CHECK(kith_memory(world.c()).commands == 0 && world.check() == KITH_OK);
}

/* Systems queue: by the open query, and for each entity, with or without its handle and dt. */
static void test_queueing_systems(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity rocket = world.spawn(Position{3, 0});
    world.spawn(Position{9, 0});

    CHECK((world.system<kith::write<Position>>(
              kith::named("burn").priority(1),
              [](kith::commands &later, float dt, kith::entity e, Position &p) {
                  p.x -= dt;
                  if (p.x <= 0) {
                      later.spawn(Leader{later.clone(e)});
                      later.despawn(e);
                  }
              })) == KITH_OK);
    CHECK((world.system<kith::read<Leader>, kith::without<Frozen>>(
              kith::named("freeze").priority(2), [](kith::batches &it) {
                  while (it.next()) {
                      for (std::uint32_t i = 0; i < it.count(); i++) {
                          it.commands().add<Frozen>(it.entities()[i]);
                      }
                  }
              })) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && world.run(1) == KITH_OK && world.alive(rocket));
    CHECK(world.entity_count() == 2 && world.run(1) == KITH_OK);
    CHECK(world.entity_count() == 3 && !world.alive(rocket));
    auto led = world.query<kith::read<Leader>, kith::with<Frozen>>();
    CHECK(led.count() == 1);
    led.each([&](const Leader &leader) { CHECK(world.get<Position>(leader.who)->x == 0); });
    CHECK(world.remove_system("burn") == KITH_OK && world.remove_system("freeze") == KITH_OK);

    CHECK((world.system<kith::with<Frozen>>(kith::named("bare").priority(1),
                                            [](kith::commands &later) { later.spawn(); })) ==
          KITH_OK);
    CHECK((world.system<kith::with<Frozen>>(kith::named("dt").priority(2),
                                            [](kith::commands &later, float dt) {
                                                later.spawn(Position{dt, 1});
                                            })) == KITH_OK);
    CHECK((world.system<kith::read<Leader>>(
              kith::named("entity").priority(3),
              [](kith::commands &later, kith::entity e, const Leader &leader) {
                  later.despawn(leader.who);
                  later.remove<Leader>(e);
              })) == KITH_OK);
    kith::entity other = world.spawn(Leader{kith::none});
    CHECK(world.run(4) == KITH_OK && world.entity_count() == 5);
    CHECK(led.count() == 0 && !world.has<Leader>(other));
    bool found = false;
    world.query<kith::read<Position>>().each(
        [&](const Position &p) { found = found || (p.x == 4 && p.y == 1); });
    CHECK(found);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_queueing(layout);
        test_failed_commands(layout);
        test_queueing_systems(layout);
    }
    test_queueing_new_types();
    test_owning_commands();
    return 0;
}
