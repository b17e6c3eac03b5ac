/* Observers in C++, values as text, random numbers, and entities that move between worlds. */
#include "hpp.hpp"

#include <string>

using game::Frozen;
using game::Leader;
using game::Position;

/* ---- Observers -------------------------------------------------------------------------------- */

static void test_adding_and_removing(kith_layout layout)
{
    kith::world world = new_world(layout);
    std::string log;
    const auto note = [&](const char *what, float x) {
        log += what + std::to_string(static_cast<int>(x)) + " ";
    };
    CHECK(world.on_add<Position>("added", [&](kith::entity e, Position &p, const Leader *leader) {
        CHECK(world.alive(e) && (leader != nullptr) == (p.x == 2));
        note("+", p.x);
        p.y = 9;
    }) == KITH_OK);
    CHECK(world.on_remove<Position>("lost", [&](const Position &p) { note("-", p.x); }) == KITH_OK);
    CHECK(world.on_despawn<Position>("dead", [&](kith::entity e, const Position *p) {
        CHECK(!world.alive(e) && p != nullptr);
        note("x", p->x);
    }) == KITH_OK);
    CHECK(world.on_remove<Position>("left", [&](const Position &, Leader &leader) {
        leader.who = kith::none;
        log += "led ";
    }) == KITH_OK);
    const kith::entity a = world.spawn(Position{1, 0});
    const kith::entity b = world.spawn(Position{2, 0}, Leader{a});
    CHECK(log.empty() && world.flush_observers() == KITH_OK && log == "+1 +2 ");
    CHECK(world.get<Position>(a)->y == 9);
    log.clear();
    CHECK(world.despawn(a) == KITH_OK && world.remove<Position>(b) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && log == "-1 -2 x1 led ");
    CHECK(world.get<Leader>(b)->who == kith::none);
    log.clear();
    /* Gone before it could be told: there is no value to hand over. */
    const kith::entity c = world.spawn(Position{3, 0});
    CHECK(world.despawn(c) == KITH_OK && world.flush_observers() == KITH_OK && log == "-3 x3 ");
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

static void test_setting_and_queueing(kith_layout layout)
{
    kith::world world = new_world(layout);
    int set = 0;
    CHECK(world.on_change<Position>("set", [&](kith::context &c, const Position &p) {
        set++;
        CHECK(c.random().c() == world.random().c() && c.random().uniform() < 1);
        if (p.x > 5) {
            c.commands().add<Frozen>(c.entity());
        }
    }) == KITH_OK);
    int entered = 0, left = 0;
    CHECK(world.on_enter("enters", [&](kith::entity, const Position &, kith::with<Frozen>) {
        entered++;
    }) == KITH_OK);
    CHECK((world.on_leave<kith::with<Position>, kith::with<Frozen>>(
              "leaves", [&](kith::entity e, kith::commands &later) {
                  left++;
                  later.despawn(e);
              })) == KITH_OK);
    const kith::entity e = world.spawn(Position{1, 0});
    CHECK(world.flush_observers() == KITH_OK && set == 1);
    CHECK(world.set<Position>(e, {7, 0}) == KITH_OK && world.flush_observers() == KITH_OK);
    CHECK(set == 2 && world.has<Frozen>(e) && world.flush_observers() == KITH_OK && entered == 1);
    CHECK(world.remove<Frozen>(e) == KITH_OK && world.flush_observers() == KITH_OK);
    CHECK(left == 1 && !world.alive(e));
    CHECK(world.on_enter("nothing", [](kith::entity) {}) == KITH_ERR_INPUT);
    CHECK(world.error()[0] != '\0' && last_message.empty() && world.check() == KITH_OK);
}

/* What a despawned entity had besides: as it was, or nothing. */
static void test_despawning(kith_layout layout)
{
    kith::world world = new_world(layout);
    std::string log;
    CHECK(world.on_despawn<Leader>("led", [&](const Position *p, const Leader &leader) {
        CHECK(leader.who != kith::none);
        log += p == nullptr ? "none " : std::to_string(static_cast<int>(p->x)) + " ";
    }) == KITH_OK);
    CHECK(world.on_despawn<Position>("both", [&](kith::entity e, const Leader &) {
        CHECK(!world.alive(e));
        log += "both ";
    }) == KITH_OK);
    const kith::entity a = world.spawn(Position{1, 0});
    const kith::entity b = world.spawn(Position{2, 0}, Leader{a});
    const kith::entity c = world.spawn(Leader{a});
    CHECK(world.flush_observers() == KITH_OK && log.empty());
    CHECK(world.despawn(a) == KITH_OK && world.despawn(b) == KITH_OK);
    CHECK(world.despawn(c) == KITH_OK && world.flush_observers() == KITH_OK);
    CHECK(log == "2 none both " && last_message.empty() && world.check() == KITH_OK);
}

/* ---- Texts ------------------------------------------------------------------------------------ */

static void test_texts(kith_layout layout)
{
    kith::world world = new_world(layout);
    const kith::entity e = world.spawn(Position{1, 2.5f}, kith::zero<Frozen>);
    CHECK(std::string(world.print(Position{-3, 0.1f}).c_str()) == "{ x = -3, y = 0.1 }");
    CHECK(std::string(world.print_entity(e)) == "Frozen\nPosition { x = 1, y = 2.5 }\n");
    CHECK(std::string(world.print_entity(kith::none)).empty());
    const auto cut = world.print<6>(Position{1, 2});
    CHECK(!cut.is_whole() && cut.length == 16 && std::string(cut) == "{ x =");
    CHECK(world.set_field<Position>(e, "y", "7") == KITH_OK && world.get<Position>(e)->y == 7);
    CHECK(world.set_field<Position>(e, "z", "7") == KITH_ERR_UNKNOWN && world.error()[0] != '\0');
    Position p{};
    CHECK(world.parse("{ x = 4 }", p) == KITH_OK && p.x == 4);
    CHECK(world.parse("{ x = four }", p) == KITH_ERR_INPUT && p.x == 4);
    CHECK(world.parse_entity(e, "Position { x = 8 }\nLeader") == KITH_OK);
    CHECK(world.get<Position>(e)->x == 8 && world.has<Leader>(e));
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* ---- Random numbers and other worlds ---------------------------------------------------------- */

static void test_random()
{
    kith_random seed{42};
    kith_random same{42};
    kith::random dice(seed);
    CHECK(dice.bits() == kith_random_next(&same));
    CHECK(dice.uniform() == kith_random_float(&same));
    CHECK(dice.uniform(2, 3) == kith_random_uniform(&same, 2, 3));
    CHECK(dice.integer(1, 6) == kith_random_int(&same, 1, 6));
    CHECK(dice.index(9) == kith_random_index(&same, 9));
    CHECK(dice.chance(0.5) == kith_random_chance(&same, 0.5));
    CHECK(dice.normal(0, 1) == kith_random_normal(&same, 0, 1));
    int numbers[] = {1, 2, 3, 4, 5};
    CHECK(dice.pick(numbers) == static_cast<int>(kith_random_index(&same, 5)) + 1);
    dice.shuffle(numbers, 5);
    CHECK(numbers[0] + numbers[1] + numbers[2] + numbers[3] + numbers[4] == 15);
    CHECK(dice.c() == &seed && kith::random(&seed).c() == &seed);
}

static void test_transfer(kith_layout layout)
{
    kith::world level = new_world(layout);
    kith::world world = new_world(layout);
    const kith::entity a = level.spawn(Position{1, 2});
    const kith::entity list[] = {a, level.spawn(Leader{a})};
    kith::entity moved[2];
    CHECK(level.transfer(list, 2, world, moved) == KITH_OK && level.entity_count() == 0);
    CHECK(world.get<Leader>(moved[1])->who == moved[0] && world.get<Position>(moved[0])->y == 2);
    CHECK(level.transfer(list, 2, world) == KITH_ERR_DEAD && world.check() == KITH_OK);
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_adding_and_removing(layout);
        test_setting_and_queueing(layout);
        test_despawning(layout);
        test_texts(layout);
        test_transfer(layout);
    }
    test_random();
    return 0;
}
