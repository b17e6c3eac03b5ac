/* What kith.hpp adds to the C calls: each of its templates once, on every layout where that matters. */

#include <kith/kith.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);           \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (false)

namespace game {

struct Position {
    float x, y;
};
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

struct Velocity {
    float dx, dy;
};
KITH_TYPE(Velocity, KITH_FIELD(Velocity, dx), KITH_FIELD(Velocity, dy));

struct Hit {
    kith::entity who;
    std::int32_t damage;
};
KITH_TYPE(Hit, KITH_FIELD(Hit, who), KITH_FIELD(Hit, damage));

KITH_TAG(Frozen);

}   // namespace game

using namespace game;

static kith::world new_world(kith_layout layout)
{
    kith::world world;
    CHECK(world);
    CHECK(world.register_type<Position>(layout) == KITH_OK);
    CHECK(world.register_type<Velocity>(layout) == KITH_OK);
    CHECK(world.register_type<Frozen>(layout) == KITH_OK);
    return world;
}

static void test_entities(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity empty = world.spawn();
    kith::entity full = world.spawn(Position{1, 2}, Velocity{3, 4}, kith::zero<Frozen>);
    CHECK(empty != full && full == full && empty != kith::none);
    CHECK(world.alive(full) && world.entity_count() == 2);
    CHECK(world.has<Position>(full) && world.has<Frozen>(full) && !world.has<Position>(empty));
    CHECK(world.get<Velocity>(full)->dy == 4 && world.get<Position>(empty) == nullptr);

    CHECK(world.set<Position>(empty, {5, 6}) == KITH_OK);
    CHECK(world.set(empty, Position{7, 8}) == KITH_OK);
    CHECK(world.get<Position>(empty)->x == 7);
    world.get_mut<Position>(empty)->x = 9;
    Position *position = nullptr;
    CHECK(world.get_mut(empty, &position) == KITH_OK && position->x == 9);
    Velocity *velocity = nullptr;
    CHECK(world.get_mut(empty, &velocity) == KITH_ERR_ABSENT && velocity == nullptr);
    CHECK(world.set_values(empty, Velocity{1, 1}, kith::zero<Frozen>) == KITH_OK);
    CHECK(world.has<Velocity>(empty) && world.has<Frozen>(empty));
    CHECK(world.remove<Frozen>(empty) == KITH_OK && world.remove<Frozen>(empty) == KITH_ERR_ABSENT);
    CHECK(world.add<Frozen>(empty) == KITH_OK && world.has<Frozen>(empty));

    kith::entity twin = kith::none;
    CHECK(world.clone(full, &twin) == KITH_OK && world.get<Position>(twin)->y == 2);
    CHECK(world.remove_all(full) == KITH_OK && !world.has<Position>(full) && world.alive(full));
    CHECK(world.despawn(full) == KITH_OK && world.despawn(full) == KITH_ERR_DEAD);

    std::vector<kith::entity> seen;
    for (kith::entity e : world.entities()) {
        seen.push_back(e);
    }
    CHECK(seen.size() == 2 && seen[0] == empty && seen[1] == twin);
    CHECK(world.check() == KITH_OK);
}

static void test_queries(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity a = world.spawn(Position{1, 0}, Velocity{10, 0});
    kith::entity b = world.spawn(Position{2, 0});
    kith::entity c = world.spawn(Position{3, 0}, Velocity{30, 0}, kith::zero<Frozen>);

    auto moving = world.query<kith::write<Position>, kith::read<Velocity>, kith::without<Frozen>>();
    CHECK(moving && moving.count() == 1 && moving.first() == a);
    CHECK(moving.contains(a) && !moving.contains(c));
    kith::entity single = kith::none;
    CHECK(moving.single(&single) == KITH_OK && single == a);
    CHECK(moving.each([](Position &p, const Velocity &v) { p.x += v.dx; }) == KITH_OK);
    CHECK(world.get<Position>(a)->x == 11 && world.get<Position>(c)->x == 3);

    /* Optional values are pointers, and a handle may come first. */
    auto maybe = world.query<kith::read<Position>, kith::optional_mut<Velocity>>();
    unsigned with_velocity = 0, without_velocity = 0;
    maybe.each([&](kith::entity e, const Position &p, Velocity *v) {
        CHECK((v == nullptr) == (e == b) && p.x > 0);
        if (v != nullptr) {
            v->dy = 1;
        }
        ++(v != nullptr ? with_velocity : without_velocity);
    });
    CHECK(with_velocity == 2 && without_velocity == 1 && world.get<Velocity>(c)->dy == 1);

    auto any_of = world.query<kith::any_of<Velocity>, kith::any_of<Position>>();
    CHECK(any_of.count() == 3);
    any_of.each([&](const Velocity *v, const Position *p) { CHECK(v != nullptr || p != nullptr); });

    auto everything = world.query<>();
    CHECK(everything.count() == world.entity_count());
    unsigned count = 0;
    everything.each([&] { count++; });
    everything.each([&](kith::entity) { count++; });
    CHECK(count == 2 * world.entity_count());
}

static void test_loops_that_end_early(kith_layout layout)
{
    kith::world world = new_world(layout);
    world.spawn(Position{1, 0}, Velocity{10, 0});
    world.spawn(Position{2, 0});
    world.spawn(Position{3, 0}, Velocity{30, 0}, kith::zero<Frozen>);

    /* false ends the loop, and so does an exception: the query is closed after both. */
    unsigned count = 0;
    auto positions = world.query<kith::read<Position>>();
    positions.each([&](const Position &) { return ++count < 2; });
    CHECK(count == 2);
    try {
        positions.each([](const Position &) { throw std::runtime_error("enough"); });
        CHECK(false);
    } catch (const std::runtime_error &) {
    }
    CHECK(world.alive(world.spawn()));

    /* By hand, left early. */
    count = 0;
    for (auto it = positions.iter(); it.next();) {
        CHECK(it.count() > 0 && world.alive(it.entities()[0]));
        CHECK(it.column<Position>()[0].x == it.at<Position>(0)->x);
        count++;
        break;
    }
    CHECK(count == 1 && world.alive(world.spawn()));

    kith::query<kith::read<Position>> moved = std::move(positions);
    CHECK(moved && !positions && moved.count() == 3);
}

static void test_one_entity_of_a_query(kith_layout layout)
{
    kith::world world = new_world(layout);
    world.spawn(Position{1, 0}, Velocity{10, 0});
    kith::entity b = world.spawn(Position{2, 0});
    auto writing = world.query<kith::write<Position>>();
    for (auto it = writing.iter_one(b); it.next();) {
        it.at_mut<Position>(0)->y = 5;
        it.column_mut<Position>()->x = 4;
    }
    CHECK(world.get<Position>(b)->y == 5 && world.get<Position>(b)->x == 4);
}

static void test_systems(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity e = world.spawn(Position{0, 0}, Velocity{2, 0});
    int runs = 0;

    CHECK((world.system<kith::write<Position>, kith::read<Velocity>>(
              kith::named("movement").priority(200),
              [](float dt, Position &p, const Velocity &v) { p.x += v.dx * dt; })) == KITH_OK);
    CHECK((world.system<kith::read<Position>>(
              kith::named("far").priority(300), [&runs](kith::batches &it) {
                  ++runs;
                  while (it.next()) {
                      for (std::uint32_t i = 0; i < it.count(); i++) {
                          if (it.at<Position>(i)->x > 10) {
                              it.fail(KITH_ERR_SYSTEM);
                          }
                      }
                  }
              })) == KITH_OK);
    CHECK(world.system(kith::named("plain").priority(100), [](kith::world &w, float dt) {
        w.send(Hit{kith::none, static_cast<std::int32_t>(dt)});
    }) == KITH_OK);
    CHECK(world.system(kith::named("counted").priority(101), [&runs](kith::world &, float) {
        ++runs;
        return KITH_OK;
    }) == KITH_OK);
    CHECK((world.system<kith::read<Position>, kith::with<Velocity>>(
              kith::named("both").priority(400), [](float, kith::entity who, const Position &) {
                  CHECK(who != kith::none);
              })) == KITH_OK);
    CHECK(world.system(kith::named("plain").priority(1), [](kith::world &, float) {}) ==
          KITH_ERR_CONFLICT);

    CHECK(world.run(2) == KITH_OK && world.tick_count() == 1 && runs == 2);
    CHECK(world.get<Position>(e)->x == 4 && world.event_count<Hit>() == 1);
    CHECK(world.enable_system("counted", false) == KITH_OK);
    CHECK(world.run(4) == KITH_ERR_SYSTEM && runs == 3 && world.error()[0] != '\0');
    CHECK(world.remove_system("far") == KITH_OK && world.run(1) == KITH_OK);
    CHECK(world.remove_system("far") == KITH_ERR_UNKNOWN);
}

static void test_resources_and_events()
{
    kith::world world;
    CHECK(world.resource<Position>() == nullptr && world.resource_mut<Position>() == nullptr);
    CHECK(world.set_resource(Position{1, 2}) == KITH_OK);
    world.resource_mut<Position>()->x = 3;
    CHECK(world.resource<Position>()->x == 3);
    CHECK(world.remove_resource<Position>() == KITH_OK);
    CHECK(world.remove_resource<Position>() == KITH_ERR_ABSENT);

    CHECK(world.register_event<Hit>(1) == KITH_OK);
    for (std::int32_t i = 0; i < 3; i++) {
        CHECK(world.send(Hit{kith::none, i}) == KITH_OK);
    }
    std::int32_t next = 0;
    for (const Hit &hit : world.events<Hit>()) {
        CHECK(hit.damage == next++);
    }
    CHECK(next == 3 && world.event_count<Hit>() == 3);
    world.clear_events<Hit>();
    for (const Hit &hit : world.events<Hit>()) {
        (void)hit;
        CHECK(false);
    }
}

/* Worlds are owned once; borrowed ones are left alone. */
static void test_owning()
{
    kith_world *c = kith_world_new(nullptr);
    {
        kith::world borrowed = kith::world::borrow(c);
        CHECK(borrowed.c() == c);
        kith::world moved = std::move(borrowed);
        CHECK(!borrowed && moved.c() == c);
    }
    kith::world owner = kith::world::adopt(c);
    kith::world other;
    const std::uint64_t hash = other.hash();
    CHECK(hash == owner.hash() && other.content_hash() == owner.content_hash());
    owner = std::move(other);
    CHECK(owner && owner.hash() == hash);

    kith_world_def def{};
    def.memory_limit = 1 << 20;
    kith::world limited(def);
    CHECK(limited && kith_memory(limited.c()).limit == 1 << 20);
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_entities(layout);
        test_queries(layout);
        test_loops_that_end_early(layout);
        test_one_entity_of_a_query(layout);
        test_systems(layout);
    }
    test_resources_and_events();
    test_owning();
}
