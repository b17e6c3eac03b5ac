/* What functions over entities may be, what becomes of what they return, and what outlives its world. */
#include "hpp.hpp"

#include <cstring>
#include <functional>
#include <new>
#include <optional>
#include <utility>

using game::Frozen;
using game::Leader;
using game::Position;

/* ---- Once an entity -------------------------------------------------------------------------- */

static float total;

static void add_up(const Position &p)
{
    total += p.x;
}

/* Functions of all kinds, each of which tells what it takes. */
static void test_kinds_of_functions(kith_layout layout)
{
    kith::world world = new_world(layout);
    const kith::entity e = world.spawn(Position{2, 3});
    auto query = world.query<kith::read<Position>>();
    total = 0;
    CHECK(query.each(add_up) == KITH_OK && query.each(&add_up) == KITH_OK);
    CHECK(query.each(std::function<void(const Position &)>(add_up)) == KITH_OK);
    int calls = 0;
    CHECK(query.each([&calls](const Position &p) mutable noexcept { calls += p.x == 2; }) ==
          KITH_OK);
    CHECK(total == 6 && calls == 1);
    auto maybe = world.query<kith::optional_mut<Position>, kith::optional<Leader>>();
    maybe.each([&](const kith::entity &who, Position *p, const Leader *leader) {
        CHECK(who == e && leader == nullptr);
        p->x = 5;
    });
    CHECK(world.get<Position>(e)->x == 5);
    CHECK((world.system<kith::write<Position>>(kith::named("long dt").priority(1),
                                               [](const float dt, Position &p) { p.y += dt; })) ==
          KITH_OK);
    CHECK((world.system<kith::write<Position>>(kith::named("batches").priority(2),
                                               [](kith::batches &it) {
                                                   while (it.next()) {
                                                       it.column_mut<Position>()->y *= 2;
                                                   }
                                               })) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && world.get<Position>(e)->y == 8);
    CHECK(last_message.empty());
}

/* A const query reads. */
static void test_const_queries(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.spawn(Position{2, 3}) != kith::none);
    const auto query = world.query<kith::read<Position>, kith::without<Frozen>>();
    int seen = 0;
    CHECK(query.each([&](const Position &) { seen++; }) == KITH_OK);
    for (auto it = query.iter(); it.next();) {
        CHECK(it.column<Position>()->x == 2);
        seen++;
    }
    for (auto it = query.iter_one(query.first()); it.next();) {
        seen++;
    }
    CHECK(seen == 3 && last_message.empty());
}

/* ---- What functions return ------------------------------------------------------------------- */

static void test_results_of_loops(kith_layout layout)
{
    kith::world world = new_world(layout);
    for (float x = 0; x < 5; x++) {
        CHECK(world.spawn(Position{x, 0}) != kith::none);
    }
    auto query = world.query<kith::read<Position>>();
    int seen = 0;
    const auto fail_at_two = [&](const Position &p) {
        seen++;
        return p.x == 2 ? KITH_ERR_SYSTEM : KITH_OK;
    };
    CHECK(query.each(fail_at_two) == KITH_ERR_SYSTEM && seen == 3);
    CHECK(query.each([&](const Position &) { return KITH_OK; }) == KITH_OK);
    CHECK(query.each([&](const Position &p) { return p.x < 2; }) == KITH_OK);

    kith::tracker tracker = world.track<Position>();
    CHECK(tracker.pending() == 0);
    CHECK(world.spawn(Position{5, 0}) != kith::none && world.spawn(Position{6, 0}) != kith::none);
    CHECK(tracker.each([](const kith_change &) { return KITH_ERR_IO; }) == KITH_ERR_IO);
    CHECK(tracker.pending() == 1);
    CHECK(tracker.each([](const kith_change &) {}) == KITH_OK && tracker.pending() == 0);
    CHECK(world.spawn(Position{7, 0}) != kith::none && last_message.empty());
}

/* A system whose function returns a failure has failed: nothing of what it queued is done. */
static void test_results_of_systems(kith_layout layout)
{
    for (int kind = 0; kind < 3; kind++) {
        kith::world world = new_world(layout);
        for (float x = 0; x < 5; x++) {
            CHECK(world.spawn(Position{x, 0}) != kith::none);
        }
        if (kind == 0) {
            CHECK((world.system<kith::write<Position>>(
                      kith::named("fails").priority(1),
                      [](kith::commands &later, kith::entity e, Position &p) {
                          p.y = 1;
                          const kith_result result = later.despawn(e);
                          return p.x < 3 ? result : KITH_ERR_SYSTEM;
                      })) == KITH_OK);
        } else if (kind == 1) {
            CHECK((world.system<kith::write<Position>>(kith::named("fails").priority(1),
                                                       [](kith::batches &it) {
                                                           it.next();
                                                           it.at_mut<Position>(3)->y = 1;
                                                           it.commands().despawn(it.entities()[0]);
                                                           return KITH_ERR_SYSTEM;
                                                       })) == KITH_OK);
        } else {
            CHECK((world.system<kith::write<Position>>(
                      kith::named("fails").priority(1), [](kith::context &c, Position &p) {
                          p.y = 1;
                          c.commands().despawn(c.entity());
                          return p.x < 3 ? KITH_OK : KITH_ERR_SYSTEM;
                      })) == KITH_OK);
        }
        CHECK(world.run(1) == KITH_ERR_SYSTEM);
        CHECK(std::string(world.error()).find("'fails'") != std::string::npos);
        CHECK(world.entity_count() == 5);
        int written = 0;
        int after = 0;
        world.query<kith::read<Position>>().each([&](const Position &p) {
            written += p.y == 1;
            after += p.x > 3 && p.y == 1;
        });
        CHECK(written == (kind == 1 ? 1 : 4) && after == 0);
        CHECK(last_message.empty() && world.check() == KITH_OK);
    }
}

/* ---- What outlives its world ----------------------------------------------------------------- */

/* Nothing is freed twice, and what is left knows that it is nothing. */
static void test_ends_of_worlds(kith_layout layout)
{
    kith::query<kith::write<Position>> moved;
    std::optional<kith::tracker> tracker;
    kith::commands later;
    {
        kith::world world = new_world(layout);
        CHECK(world.spawn(Position{1, 2}) != kith::none);
        auto made = world.query<kith::write<Position>>();
        auto other = world.query<kith::write<Position>>();
        moved = std::move(made);
        CHECK(!made && moved.count() == 1);
        std::swap(moved, other);
        CHECK(moved && other && moved.c() != other.c());
        tracker.emplace(world.track<Position>());
        later = world.commands();
        CHECK(*tracker && later && later.despawn(moved.first()) == KITH_OK);
        kith::commands borrowed = kith::commands::borrow(later.c());
        kith::commands lent = std::move(borrowed);
        CHECK(!borrowed && lent.c() == later.c());
        kith::world other_world = std::move(world);
        CHECK(moved.count() == 1);
    }
    CHECK(!moved && moved.c() == nullptr);
    CHECK(!*tracker && !later);
    kith::world next = new_world(layout);
    moved = next.query<kith::write<Position>>();
    later = next.commands();
    CHECK(moved && later && moved.count() == 0 && last_message.empty());
}

/* A query that ended while it was open is the world's to free; the object's memory is then
 * somebody else's. */
static void test_queries_that_end_open(kith_layout layout)
{
    using reading = kith::query<kith::read<Position>>;
    alignas(reading) unsigned char memory[sizeof(reading)];
    {
        kith::world world = new_world(layout);
        CHECK(world.spawn(Position{1, 2}) != kith::none);
        auto *query = new (memory) reading(world.query<kith::read<Position>>());
        kith_iter it = kith_query_iter(query->c());
        CHECK(kith_next(&it));
        query->~reading();
        CHECK(told("is open"));
        std::memset(memory, 0xA5, sizeof(memory));
        kith_iter_close(&it);
    }
    for (unsigned char byte : memory) {
        CHECK(byte == 0xA5);
    }
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_kinds_of_functions(layout);
        test_const_queries(layout);
        test_results_of_loops(layout);
        test_results_of_systems(layout);
        test_ends_of_worlds(layout);
        test_queries_that_end_open(layout);
    }
    return 0;
}
