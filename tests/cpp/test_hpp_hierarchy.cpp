/* Parents, children and names. */
#include "hpp.hpp"

#include <cstring>
#include <vector>

static void test_children(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity ship = world.spawn();
    std::vector<kith::entity> guns;
    for (std::size_t i = 0; i < 4; i++) {
        guns.push_back(world.spawn());
        CHECK(world.set_parent(guns[i], ship) == KITH_OK);
    }
    CHECK(world.parent(guns[2]) == ship && world.parent(ship) == kith::none);
    CHECK(world.set_parent(ship, guns[0]) == KITH_ERR_CYCLE);
    std::vector<kith::entity> found;
    for (kith::entity child : world.children(ship)) {
        found.push_back(child);
    }
    CHECK(found == guns && world.child_count(ship) == 4);
    /* The child at hand may go. */
    for (kith::entity child : world.children(ship)) {
        CHECK((child == guns[0] ? world.set_parent(child, kith::none) : world.despawn(child)) ==
              KITH_OK);
    }
    CHECK(world.child_count(ship) == 0 && world.alive(guns[0]) && !world.alive(guns[3]));
    CHECK(world.check() == KITH_OK);
    for (kith::entity child : world.children(kith::none)) {
        CHECK(child == kith::none); /* there is none */
    }
    CHECK(world.check() == KITH_OK);
}

static void test_ancestors(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity ship = world.spawn();
    kith::entity turret = world.spawn(kith_child_of{ship});
    kith::entity barrel = world.spawn(kith_child_of{turret});
    kith::entity mast = world.spawn();
    CHECK(world.insert_child(mast, turret) == KITH_OK && world.parent(mast) == ship);
    CHECK(world.insert_child(mast, mast) == KITH_ERR_INPUT);
    CHECK(world.root(barrel) == ship && world.root(ship) == ship);
    CHECK(world.depth(barrel) == 2 && world.depth(ship) == 0);
    CHECK(world.is_ancestor(ship, barrel) && !world.is_ancestor(mast, barrel));
    CHECK(world.common_ancestor(mast, barrel) == ship);
    std::vector<kith::entity> found;
    for (kith::entity part : world.descendants(ship)) {
        found.push_back(part);
    }
    CHECK((found == std::vector<kith::entity>{mast, turret, barrel}));
    for (kith::entity part : world.descendants(barrel)) {
        CHECK(part == kith::none); /* there is none */
    }
    CHECK(world.check() == KITH_OK);
}

static void test_disabled(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity ship = world.spawn();
    kith::entity gun = world.spawn(kith_child_of{ship});
    kith::entity rock = world.spawn();
    kith::query on = world.query<kith::without<kith_disabled>>();
    kith::query off = world.query<kith::with<kith_disabled>>();
    CHECK(on.count() == 3 && off.count() == 0 && world.is_enabled(gun));
    CHECK(world.add<kith_disabled>(ship) == KITH_OK);
    CHECK(on.count() == 1 && off.count() == 2 && on.contains(rock) && off.contains(gun));
    CHECK(!world.is_enabled(gun) && !world.has<kith_disabled>(gun));
    CHECK(world.remove<kith_disabled>(ship) == KITH_OK);
    CHECK(on.count() == 3 && world.is_enabled(gun));
    CHECK(world.check() == KITH_OK);
}

static void test_trees(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity ship = world.spawn();
    kith::entity gun = world.spawn(kith_child_of{ship});
    kith::entity copy = kith::none;
    CHECK(world.clone_tree(ship, &copy) == KITH_OK);
    CHECK(world.child_count(copy) == 1 && !(kith_child_first(world.c(), copy) == gun));
    CHECK(world.clone_tree(kith::none, &copy) == KITH_ERR_DEAD);
    auto later = world.commands();
    kith::entity again = later.clone_tree(ship);
    CHECK(later.apply() == KITH_OK);
    CHECK(world.child_count(later.real(again)) == 1 && world.entity_count() == 6);
    CHECK(world.check() == KITH_OK);
}

static void test_names(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity ship = world.spawn();
    kith::entity gun = world.spawn();
    CHECK(world.set_name(ship, "ship") == KITH_OK);
    CHECK(world.set_name(gun, "ship") == KITH_ERR_CONFLICT);
    CHECK(world.set_parent(gun, ship) == KITH_OK);
    CHECK(world.set_name(gun, "gun") == KITH_OK);
    CHECK(std::strcmp(world.name_of(gun), "gun") == 0);
    CHECK(world.find("ship/gun") == gun && world.find("gun") == kith::none);
    CHECK(world.find(ship, "gun") == gun && world.find(gun, "..") == ship);
    CHECK(world.find_child(ship, "gun") == gun);
    char path[16];
    CHECK(world.path(gun, path, sizeof path) == 8 && std::strcmp(path, "ship/gun") == 0);
    /* As a component. */
    CHECK(world.get<kith_child_of>(gun)->target == ship);
    CHECK(world.set(gun, *world.get<kith_name>(ship)) == KITH_OK);
    CHECK(world.find("ship/ship") == gun);
    CHECK(world.set_name(gun, nullptr) == KITH_OK && world.name_of(gun) == nullptr);
    CHECK(world.check() == KITH_OK);
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_children(layout);
        test_ancestors(layout);
        test_disabled(layout);
        test_trees(layout);
        test_names(layout);
    }
    return 0;
}
