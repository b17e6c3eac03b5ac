/* Loops over a world without a query of one's own, and what they queue. */
#include "hpp.hpp"

#include <new>
#include <stdexcept>

using game::Frozen;
using game::Leader;
using game::Position;

static void test_loops(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::world other = new_world(layout);
    for (int i = 0; i < 10; i++) {
        CHECK(world.spawn(Position{static_cast<float>(i), 0}) != kith::none);
    }
    CHECK(other.spawn(Position{100, 0}, kith::zero<Frozen>) != kith::none);
    float sum = 0;
    const auto add = [&](const Position &p) { sum += p.x; };
    CHECK(world.each(add) == KITH_OK && sum == 45);
    CHECK(other.each(add) == KITH_OK && sum == 145);
    CHECK(world.each(add) == KITH_OK && sum == 190);
    int seen = 0;
    CHECK(world.each([&](kith::entity e, kith::without<Frozen>) { seen += world.alive(e); }) ==
          KITH_OK);
    CHECK(seen == 10);
    CHECK(world.each([&](const Position &p) { return p.x < 3; }) == KITH_OK);
    CHECK(world.each([&](const Position &p) { return p.x < 3 ? KITH_OK : KITH_ERR_IO; }) ==
          KITH_ERR_IO);
    /* Each place in the program has a look of its own. */
    const auto look = [&] {
        int changed = 0;
        CHECK(world.each([&](kith::changed<Position>) { changed++; }) == KITH_OK);
        return changed;
    };
    CHECK(look() == 10 && look() == 0);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* A query that was made by a call of C may have other terms than it is said to have. */
static void test_other_terms(kith_layout layout)
{
    kith::world world = new_world(layout);
    const kith::entity e = world.spawn(Position{1, 2}, Leader{kith::none});
    CHECK(world.set<Leader>(e, {e}) == KITH_OK);
    const kith_query_def def = {};
    kith_query *made[3];
    for (kith_query *&query : made) {
        query = kith_query_new_or_null(world.c(), &def);
        CHECK(query != nullptr);
    }
    int called = 0;
    kith::query<kith::read<Position>> reads(made[0]);
    kith::query<kith::write<Position>, kith::read<Leader>> writes(made[1]);
    kith::query<kith::via<Leader, kith::read<Position>>> reaches(made[2]);
    CHECK(reads.each([&](const Position &) { called++; }) == KITH_ERR_MISUSE);
    CHECK(last_message.find("no term") != std::string::npos);
    CHECK(writes.each([&](Position &, const Leader &) { called++; }) == KITH_ERR_MISUSE);
    CHECK(reaches.each([&](kith::via<Leader, kith::read<Position>>) { called++; }) ==
          KITH_ERR_MISUSE);
    CHECK(called == 0 && world.check() == KITH_OK);
    CHECK(reads.count() == 1); /* no loop is open */
    last_message.clear();
}

/* Terms as parameters: with values, also in tables that have only some of them, and of tags. */
static void test_terms(kith_layout layout)
{
    kith::world world = new_world(layout);
    for (int i = 0; i < 3000; i++) {
        const kith::entity e = world.spawn(Position{static_cast<float>(i), 0});
        if (i % 3 == 0) {
            world.set<Leader>(e, {e});
        }
        if (i % 5 == 0) {
            world.add<Frozen>(e);
        }
    }
    int led = 0, frozen = 0;
    CHECK(world.each([&](kith::entity e, kith::changed<Position> p, kith::any_of<Leader> leader,
                         kith::any_of<Frozen> any) {
        CHECK(p && p->x == world.get<Position>(e)->x && !any);
        CHECK(static_cast<bool>(leader) == world.has<Leader>(e));
        CHECK(!leader || leader->who == e);
        led += leader ? 1 : 0;
        frozen += world.has<Frozen>(e);
    }) == KITH_OK);
    CHECK(led == 1000 && frozen == 600 && last_message.empty() && world.check() == KITH_OK);
}

/* In a loop all of the world may be read, and written where it is. */
static void test_contexts(kith_layout layout)
{
    kith::world world = new_world(layout);
    const kith::entity leader = world.spawn(Position{1, 2});
    const kith::entity follower = world.spawn(Leader{leader});
    CHECK(world.set_resource(Position{5, 5}) == KITH_OK);
    CHECK(world.each([&](kith::context &c, const Leader &l, kith::lookup<Position> all,
                         kith::resource<Position> middle, kith::sender<Leader> told) {
        CHECK(c.entity() == follower && c.dt() == 0 && c.world().c() == world.c());
        CHECK(c.get<Position>(l.who)->y == 2 && c.has<Position>(l.who) && c.alive(l.who));
        c.get_mut<Position>(l.who)->y += 1;
        all.get(l.who)->y += 1;
        middle->x += c.resource<Position>()->y;
        c.resource_mut<Position>()->y = 1;
        CHECK(told.send({l.who}) == KITH_OK && c.send(Leader{follower}) == KITH_OK);
        kith_random same = *world.random().c();
        CHECK(c.random().bits() == kith_random_next(&same));
        CHECK(!c.events<Leader>().empty() && c.events<Leader>().at(1)->who == follower);
    }) == KITH_OK);
    CHECK(world.get<Position>(leader)->y == 4 && world.event_count<Leader>() == 2);
    CHECK(world.resource<Position>()->x == 10 && world.resource<Position>()->y == 1);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* A lookup sees what changes while the loop runs, and finds nothing of the dead and of others. */
static void test_lookups(kith_layout layout)
{
    kith::world world = new_world(layout);
    const kith::entity frozen = world.spawn(kith::zero<Frozen>);
    const kith::entity dead = world.spawn(Position{7, 7});
    const kith::entity leader = world.spawn(Position{1, 2});
    world.spawn(Leader{leader});
    CHECK(world.despawn(dead) == KITH_OK);
    float seen = 0;
    const auto look = [&](const Leader &l, kith::lookup<const Position> all) {
        CHECK(all.get(l.who) == world.get<Position>(leader) && all.has(l.who));
        world.get_mut<Position>(leader)->x += 5;
        seen = all.get(l.who)->x;
        CHECK(all.get(frozen) == nullptr && all.get(dead) == nullptr && !all.has(dead));
    };
    CHECK(world.each(look) == KITH_OK && seen == 6);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* A system's lookup is made anew in each tick. */
static void test_lookups_of_systems(kith_layout layout)
{
    kith::world world = new_world(layout);
    const kith::entity leader = world.spawn(Position{1, 2});
    world.spawn(Leader{leader});
    float sum = 0;
    CHECK(world.system("look", [&sum](const Leader &l, kith::lookup<const Position> all) {
        for (int i = 0; i < 3; i++) {
            sum += all.get(l.who)->y;
        }
        CHECK(all.get(kith::none) == nullptr);
    }) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && sum == 6);
    CHECK(world.set(leader, Position{1, 5}) == KITH_OK && world.run(1) == KITH_OK && sum == 21);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* Each follows the one before it, wherever that is now. */
static void test_values_before_the_stage(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity last = kith::none;
    for (int i = 0; i < 3000; i++) {
        last = world.spawn(Position{static_cast<float>(i), 0}, Leader{last});
    }
    const auto follow = [](Position &p, const Leader &l, kith::before<Position> old) {
        const Position *leader = old.get(l.who);
        p.x = leader == nullptr ? -1 : leader->x;
    };
    CHECK(world.system(kith::named("follow").parallel(), follow) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && world.get<Position>(last)->x == 2998);
    CHECK(world.run(1) == KITH_OK && world.get<Position>(last)->x == 2997);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* What is queued is done when the outermost loop has ended, or not at all. */
static void test_queueing(kith_layout layout)
{
    kith::world world = new_world(layout);
    for (int i = 0; i < 6; i++) {
        CHECK(world.spawn(Position{static_cast<float>(i), 0}) != kith::none);
    }
    CHECK(world.each([](kith::context &c, const Position &p) {
        if (p.x > 3) {
            c.commands().despawn(c.entity());
        }
    }) == KITH_OK);
    CHECK(world.entity_count() == 4);
    auto all = world.query<kith::read<Position>>();
    CHECK(all.each([&](kith::commands &later, kith::entity e, const Position &p) {
        CHECK(world.each([&](kith::commands &inner, kith::entity other, const Position &q) {
            if (q.x < p.x && p.x == 3) {
                inner.add<Frozen>(other);
            }
        }) == KITH_OK);
        CHECK(!world.has<Frozen>(e));
        later.set(e, Leader{e});
    }) == KITH_OK);
    CHECK((world.query<kith::with<Frozen>, kith::with<Leader>>().count()) == 3);

    CHECK(world.each([](kith::commands &later, kith::entity e, const Position &p) {
        later.despawn(e);
        return p.x < 2 ? KITH_OK : KITH_ERR_SYSTEM;
    }) == KITH_ERR_SYSTEM);
    CHECK(world.entity_count() == 4);
    CHECK(world.each([](kith::commands &later, kith::entity e, const Position &p) {
        later.despawn(e);
        return p.x < 1;
    }) == KITH_OK);
    CHECK(world.entity_count() == 2);

    /* A loop that queues nothing may be within any other. */
    for (auto it = all.iter(); it.next();) {
        CHECK(world.each([](kith::context &, const Position &) {}) == KITH_OK);
        CHECK(world.each([](kith::context &c, const Position &) {
            c.commands().despawn(c.entity());
        }) == KITH_ERR_MISUSE &&
              told("kith_commands_apply"));
    }
    CHECK(last_message.empty() && world.entity_count() == 2 && world.check() == KITH_OK);
}

/* An exception ends the loop, and nothing of what it queued is done. */
static void test_exceptions(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.spawn(Position{1, 2}) != kith::none);
    bool caught = false;
    try {
        world.each([](kith::commands &later, kith::entity e, const Position &) {
            later.despawn(e);
            throw std::runtime_error("enough");
        });
    } catch (const std::runtime_error &) {
        caught = true;
    }
    CHECK(caught && world.entity_count() == 1);
    CHECK(world.each([](kith::commands &later, const Position &) { later.spawn(); }) == KITH_OK);
    CHECK(world.entity_count() == 2 && last_message.empty() && world.check() == KITH_OK);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

struct meter {
    std::size_t held;
    std::size_t left; /* allocations that still succeed */
    std::size_t made;
};

static void *meter_allocate(void *context, std::size_t size, std::size_t align)
{
    meter *m = static_cast<meter *>(context);
    m->made++;
    if (m->left == 0) {
        return nullptr;
    }
    m->left--;
    m->held += size;
    return ::operator new(size, std::align_val_t(align), std::nothrow);
}

static void meter_release(void *context, void *memory, std::size_t size, std::size_t align)
{
    static_cast<meter *>(context)->held -= size;
    ::operator delete(memory, std::align_val_t(align), std::nothrow);
}

/* One pass of all that takes memory in this wrapper. */
static void use_all(kith::world &world, int &calls)
{
    const auto good = [](kith_result result) {
        CHECK(result == KITH_OK || result == KITH_ERR_MEMORY);
        return result == KITH_OK;
    };
    if (!good(world.register_types<Position, Leader>())) {
        return;
    }
    const bool added = good(world.system("one", [&calls](const Position &) { calls++; }));
    CHECK(added == (world.enable_system("one") == KITH_OK));
    good(world.on_add<Position>("two", [&calls](kith::entity) { calls++; }));
    const kith::entity e = world.spawn(Position{1, 2});
    good(world.each([&](const Position &p) { CHECK(p.x == 1); }));
    const bool applied = good(world.each(
        [&](kith::commands &later, kith::entity, const Position &) { later.spawn(Leader{e}); }));
    CHECK(!applied || e == kith::none || world.entity_count() == 2);
    good(world.run(1));
    CHECK(world.check() == KITH_OK);
}

/* Wherever memory ends, the call says so, and everything is given back. */
static void test_want_of_memory()
{
    std::size_t allocations = 0;
    bool short_of = true;
    for (; short_of; allocations++) {
        meter m{0, allocations, 0};
        kith_world_def def{};
        def.allocator = {meter_allocate, meter_release, &m};
        {
            kith::world world(def);
            int calls = 0;
            if (world) {
                use_all(world, calls);
                short_of = calls < 2;
            }
        }
        CHECK(m.held == 0 && allocations < 1000);
    }
    CHECK(allocations > 10);
}

/* Only the first pass takes memory. */
static void test_allocations(kith_layout layout)
{
    meter m{0, SIZE_MAX, 0};
    kith_world_def def{};
    def.allocator = {meter_allocate, meter_release, &m};
    {
        kith::world world(def);
        CHECK(world.register_type<Position>(layout) == KITH_OK);
        CHECK(world.spawn(Position{1, 2}) != kith::none);
        CHECK(world.set_resource(Position{0, 0}) == KITH_OK);
        CHECK(world.system("move", [](kith::context &c, Position &p, kith::lookup<const Leader> all,
                                      kith::resource<Position> sum) {
            sum->x += p.x;
            p.x += static_cast<float>(all.has(c.entity())) + c.random().uniform();
        }) == KITH_OK);
        const auto pass = [&] {
            CHECK(world.run(1) == KITH_OK);
            CHECK(world.each([](kith::context &c, Position &p) {
                p.y += c.resource<Position>()->x;
            }) == KITH_OK);
        };
        pass();
        pass();
        const std::size_t made = m.made;
        for (int i = 0; i < 10; i++) {
            pass();
        }
        CHECK(m.made == made);
    }
    CHECK(m.held == 0);
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_loops(layout);
        test_other_terms(layout);
        test_terms(layout);
        test_contexts(layout);
        test_lookups(layout);
        test_lookups_of_systems(layout);
        test_values_before_the_stage(layout);
        test_queueing(layout);
        test_exceptions(layout);
        test_allocations(layout);
    }
    test_want_of_memory();
    return 0;
}
