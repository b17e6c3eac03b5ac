/* Relations in C++: targets, sources, links. */
#include "hpp.hpp"

#include <vector>

KITH_RELATION(Hunts, KITH_CLEAR);
KITH_LINKS(Likes, KITH_CLEAR, (float, strength));

static std::vector<kith::entity> list_of(const kith::source_range &range)
{
    std::vector<kith::entity> list;
    for (kith::entity e : range) {
        list.push_back(e);
    }
    return list;
}

using entities = std::vector<kith::entity>;

static void test_sources(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<Hunts>(layout) == KITH_OK);
    kith::entity prey = world.spawn();
    CHECK(list_of(world.sources<Hunts>(prey)).empty());
    entities hunters;
    for (std::size_t i = 0; i < 4; i++) {
        hunters.push_back(world.spawn(Hunts{prey}));
    }
    CHECK(world.target<Hunts>(hunters[2]) == prey && world.target<Hunts>(prey) == kith::none);
    CHECK(list_of(world.sources<Hunts>(prey)) == hunters);
    CHECK(world.source_count<Hunts>(prey) == 4 && world.source_count<Hunts>(hunters[0]) == 0);
    CHECK(world.place_source<Hunts>(hunters[3], hunters[0]) == KITH_OK);
    CHECK((list_of(world.sources<Hunts>(prey)) ==
           entities{hunters[3], hunters[0], hunters[1], hunters[2]}));
    CHECK(world.place_source<Hunts>(hunters[3], kith::none) == KITH_OK);
    CHECK(list_of(world.sources<Hunts>(prey)) == hunters);
    CHECK(world.place_source<Hunts>(prey, kith::none) == KITH_ERR_ABSENT);
    CHECK(world.check() == KITH_OK);
    /* The one at hand may go. */
    for (kith::entity hunter : world.sources<Hunts>(prey)) {
        CHECK((hunter == hunters[0] ? world.remove<Hunts>(hunter) : world.despawn(hunter)) ==
              KITH_OK);
    }
    CHECK(world.source_count<Hunts>(prey) == 0 && world.alive(hunters[0]));
    CHECK(world.check() == KITH_OK);
}

static void test_links(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<Likes>(layout) == KITH_OK);
    kith::entity ann = world.spawn(), bob = world.spawn(), cat = world.spawn();
    kith::entity first = world.spawn(Likes{ann, bob, 3});
    kith::entity second = world.spawn(Likes{ann, cat, 1});
    kith::entity back = world.spawn(Likes{cat, bob, 2});
    CHECK((list_of(world.links_from<Likes>(ann)) == entities{first, second}));
    CHECK((list_of(world.links_to<Likes>(bob)) == entities{first, back}));
    CHECK(list_of(world.links_from<Likes>(bob)).empty());
    CHECK(world.find_link<Likes>(cat, bob) == back);
    CHECK(world.find_link<Likes>(bob, cat) == kith::none);
    CHECK(world.check() == KITH_OK);
}

static void test_misuse()
{
    kith::world world = new_world(KITH_TABLE);
    kith::entity e = world.spawn(game::Position{1, 2});
    CHECK(world.target<game::Position>(e) == kith::none);
    CHECK(told("kith_target: "));
    CHECK(list_of(world.links_from<game::Position>(e)).empty());
    CHECK(told("kith_links_from: "));
    CHECK(world.check() == KITH_OK);
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_sources(layout);
        test_links(layout);
    }
    test_misuse();
    return 0;
}
