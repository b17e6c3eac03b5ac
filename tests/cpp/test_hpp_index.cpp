/* Indexes: by value, in order, by place. */
#include "hpp.hpp"

#include <string>

namespace game {

struct Unit {
    std::int32_t team;
    float health;
    char name[8];
};
KITH_TYPE(Unit, KITH_FIELD(Unit, team), KITH_FIELD(Unit, health), KITH_FIELD(Unit, name));

struct Place {
    float x, y;
};
KITH_TYPE(Place, KITH_FIELD(Place, x), KITH_FIELD(Place, y));

struct Tower {
    Place at; /* described by its members */
};
KITH_TYPE(Tower, KITH_FIELD(Tower, at.x), KITH_FIELD(Tower, at.y));

/* Keys. */
struct Strength {
    float per_team;
};
KITH_TYPE(Strength, KITH_FIELD(Strength, per_team));

}   // namespace game

using game::Place;
using game::Strength;
using game::Tower;
using game::Unit;

/* The first letters of their names. */
static std::string names(const kith::world &world, const kith::found &all)
{
    std::string text = all ? "" : "failed";
    for (kith::entity e : all) {
        text += world.get<Unit>(e)->name[0];
    }
    return text;
}

static void test_values(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<Unit>(layout) == KITH_OK);
    kith::entity a = world.spawn(Unit{1, 30, "anna"});
    kith::entity b = world.spawn(Unit{2, 10, "bert"});
    kith::entity c = world.spawn(Unit{1, 20, "carl"});
    kith::entity d = world.spawn(Unit{1, 10, "dora"});
    auto teams = world.hash_index(&Unit::team);
    auto both = world.hash_index(&Unit::team, &Unit::health);
    auto by_health = world.ordered_index(&Unit::health);
    auto by_name = world.ordered_index(&Unit::name);
    CHECK(teams && both && by_health && by_name);
    CHECK(names(world, teams.find({1, 0, ""})) == "acd");
    CHECK(names(world, both.find({1, 10, ""})) == "d");
    CHECK(teams.find({9, 0, ""}).empty());
    CHECK(names(world, by_health.range()) == "bdca");
    CHECK(names(world, by_health.between({0, 15, ""}, {0, 30, ""})) == "ca");
    CHECK(names(world, by_health.least(3)) == "bdc");
    CHECK(names(world, by_health.greatest(2)) == "ac");
    CHECK(by_health.greatest(0).empty());
    CHECK(names(world, by_health.nearest({0, 19, ""}, 2)) == "cb");
    CHECK(names(world, by_name.prefix("do")) == "d");
    world.get_mut<Unit>(b)->team = 1;
    world.despawn(c);
    const kith::found now = teams.find({1, 0, ""});
    CHECK(now.size() == 3 && now[0] == a && now[1] == b && now[2] == d);
    CHECK(teams.stats().entries == 3);
    auto copy = teams;
    teams.free();
    CHECK(!teams && copy);
    CHECK(world.check() == KITH_OK);
}

static void test_places(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<Place>(layout) == KITH_OK);
    kith::entity e[4];
    for (int i = 0; i < 4; i++) {
        e[i] = world.spawn(Place{static_cast<float>(i * 10), 0}, Unit{i % 2, 1, ""});
    }
    auto places = world.spatial_index(&Place::x, &Place::y);
    auto odd = world.query<kith::with<Unit>>(kith::field(&Unit::team) == 1);
    CHECK(places && odd);
    CHECK(places.within_box({5, -1, 0}, {25, 1, 0}).size() == 2);
    CHECK(places.within_box({5, -1, 0}, {25, 1, 0}, odd)[0] == e[1]);
    CHECK(places.within_radius({0, 0, 0}, 10).size() == 2);
    CHECK(places.within_radius({0, 0, 0}, 10, odd).size() == 1);
    kith_near nearest[3];
    CHECK(places.nearest_to({21, 0, 0}, nearest) == 3);
    CHECK(nearest[0].entity == e[2] && nearest[0].distance == 1 && nearest[1].entity == e[3]);
    kith_near_def def{};
    def.query = odd.c();
    kith_result result = KITH_ERR_MEMORY;
    CHECK(places.nearest_to({21, 0, 0}, nearest, def, &result) == 2 && result == KITH_OK);
    CHECK(places.along({-5, 0, 0}, {50, 0, 0}, nearest) == 3 && nearest[0].entity == e[0]);
    std::uint32_t sum = 0;
    for (const kith_pair &pair : places.pairs(10)) {
        sum += kith_entity_slot(pair.first) + kith_entity_slot(pair.second);
    }
    CHECK(sum == 9 && places.pairs(10));
}

static void test_computed(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<Unit>(layout) == KITH_OK);
    world.spawn(Unit{1, 30, "anna"});
    world.spawn(Unit{2, 20, "bert"});
    kith::entity c = world.spawn(Unit{0, 10, "carl"});
    auto strongest = world.ordered_index(
        [](const Unit &u, Strength &s) {
            s.per_team = u.health / static_cast<float>(u.team);
            return u.team != 0;
        },
        &Strength::per_team);
    auto strength = world.hash_index(
        [](const Unit &u, Strength &s) { s.per_team = u.health * 2; }, &Strength::per_team);
    auto by_strength = world.spatial_index(
        [](const Unit &u, Place &p) { p = {u.health, u.name[0] == 'b' ? 1.0f : 0.0f}; }, &Place::x,
        &Place::y);
    CHECK(strongest && strength && by_strength);
    CHECK(names(world, strongest.greatest(3)) == "ab");
    CHECK(names(world, strength.find({20})) == "c");
    CHECK(names(world, by_strength.within_box({0, 0, 0}, {50, 0.5, 0})) == "ac");
    world.get_mut<Unit>(c)->team = 1;
    CHECK(names(world, strongest.between({10}, {10})) == "bc");
    CHECK(world.check() == KITH_OK);
}

/* A filter changes nothing but the time. */
static void test_filtered(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<Unit>(layout) == KITH_OK);
    for (int i = 0; i < 5000; i++) {
        world.spawn(Unit{i / 100, static_cast<float>(i), "unit"});
    }
    auto filter = world.filter_index(&Unit::team, &Unit::health);
    CHECK(filter);
    auto team = world.query<kith::read<Unit>>(kith::field(&Unit::team) == 7);
    CHECK(team.count() == 100 && filter.stats().entries == 5000);
    char text[200];
    CHECK(kith_query_explain(team.c(), false, text, sizeof text, nullptr) == KITH_OK);
    CHECK(std::string(text).find("plan: filter of Unit (team, health), which skips blocks") == 0);
    filter.free();
    CHECK(team.count() == 100 && !filter);
    CHECK(world.check() == KITH_OK);
}

/* Systems ask the indexes that they declare, and no others. */
static void test_in_systems(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<Unit>(layout) == KITH_OK);
    CHECK(world.register_type<Place>(layout) == KITH_OK);
    auto places = world.spatial_index(&Place::x, &Place::y);
    auto teams = world.hash_index(&Unit::team);
    for (int i = 0; i < 9; i++) {
        world.spawn(Unit{i % 3, 0, ""}, Place{static_cast<float>(i), 0});
    }
    CHECK(world.system(kith::named("both").parallel().indexes(places, teams),
                       [places, teams](Unit &unit, const Place &at) {
                           unit.health =
                               static_cast<float>(places.within_radius({at.x, 0, 0}, 2).size() +
                                                  10 * teams.find({unit.team, 0, ""}).size());
                       }) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && last_message.empty());
    kith::named named = kith::named("copied").indexes(teams);
    const kith::named copy = named;
    CHECK(named.c().indexes[0] == teams.c() && named.c().indexes[1] == nullptr);
    CHECK(copy.c().indexes[0] == teams.c() && copy.c().indexes != named.c().indexes);
    CHECK(kith::named("none").c().indexes == nullptr);
    kith_index *const list[] = {places.c(), nullptr};
    kith::named by_def("by_def");
    by_def.def.indexes = list;
    CHECK(by_def.c().indexes == list);
    float least = 100;
    float sum = 0;
    world.each([&](const Unit &unit) {
        least = unit.health < least ? unit.health : least;
        sum += unit.health;
    });
    CHECK(least == 33 && sum == 9 * 30 + 2 * 3 + 2 * 4 + 5 * 5);

    CHECK(world.remove_system("both") == KITH_OK);
    CHECK(world.system(kith::named("one").indexes(teams), [places](const Unit &, const Place &at) {
        CHECK(!places.within_radius({at.x, 0, 0}, 2));
    }) == KITH_OK);
    world.run(1);
    CHECK(told("does not declare the index of Place: .indexes = KITH_INDEXES(...) in its"
               " definition, in C++ kith::named(...).indexes(...)"));
    places.free(); /* no system declares it */
    teams.free();
    CHECK(told("systems declare the index of Unit"));
    CHECK(world.check() == KITH_OK);
}

static void test_no_index()
{
    kith::world world;
    CHECK(!world.hash_index(&Tower::at));
    CHECK(std::string(world.error()).find("a member that its description leaves out") !=
          std::string::npos);
    CHECK(!kith::index<Unit>());
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_values(layout);
        test_places(layout);
        test_computed(layout);
        test_filtered(layout);
        test_in_systems(layout);
    }
    test_no_index();
    return 0;
}
