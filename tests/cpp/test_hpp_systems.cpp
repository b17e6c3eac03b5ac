/* Systems in C++: what their parameters declare and give, when they are called, who keeps them. */
#include "hpp.hpp"

#include <memory>
#include <utility>

using game::Frozen;
using game::Leader;
using game::Position;

namespace {

KITH_COMPONENT(Velocity, (float, dx), (float, dy));
KITH_COMPONENT(Score, (std::int32_t, points));
KITH_COMPONENT(Hit, (kith_entity, who), (std::int32_t, damage));

}   // namespace

/* ---- What they take --------------------------------------------------------------------------- */

/* Parameters of all kinds, in any order. */
static void test_values(kith_layout layout)
{
    kith::world world = new_world(layout);
    const kith::entity a = world.spawn(Position{1, 0}, Velocity{2, 3});
    const kith::entity b = world.spawn(Position{1, 0}, Velocity{2, 3}, kith::zero<Frozen>);
    const kith::entity c = world.spawn(Position{1, 0}, Leader{a});
    CHECK(world.system("movement", [](const Velocity &v, Position &p, float dt,
                                      kith::without<Frozen>) { p.x += v.dx * dt; }) == KITH_OK);
    CHECK(world.system("pointers", [=](kith::entity e, Velocity *v, const Leader *leader,
                                       kith::with<Position>) {
        CHECK((v != nullptr) == (e == a || e == b));
        CHECK((leader != nullptr) == (e == c));
        if (v != nullptr) {
            v->dy = 7;
        }
    }) == KITH_OK);
    int some = 0;
    CHECK(world.system("any", [&](kith::any_of<Velocity> v, kith::any_of<Leader> leader) {
        CHECK(static_cast<bool>(v) != static_cast<bool>(leader));
        some += v ? static_cast<int>(v->dx) : 100 * ((*leader).who == a);
    }) == KITH_OK);
    CHECK(world.run(0.5f) == KITH_OK && some == 104);
    CHECK(world.get<Position>(a)->x == 2 && world.get<Position>(b)->x == 1);
    CHECK(world.get<Velocity>(a)->dy == 7 && world.get<Velocity>(b)->dy == 7);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

static void test_changed(kith_layout layout)
{
    kith::world world;
    kith_component_def def{};
    def.layout = layout;
    def.exact_changes = true;
    CHECK(world.register_type<Position>(def) == KITH_OK);
    const kith::entity a = world.spawn(Position{1, 0});
    CHECK(world.spawn(Position{2, 0}) != kith::none);
    float seen = 0;
    CHECK(world.system("look", [&](kith::changed<Position> p) { seen += p->x; }) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && seen == 3);
    CHECK(world.run(1) == KITH_OK && seen == 3);
    CHECK(world.set<Position>(a, {10, 0}) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && seen == 13 && world.check() == KITH_OK);
}

/* What a system declares it reaches, by the parameter and by the context. */
static void test_declared(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.set_resource(Score{5}) == KITH_OK);
    const kith::entity leader = world.spawn(Position{1, 2});
    CHECK(world.spawn(Leader{leader}) != kith::none &&
          world.spawn(Leader{kith::none}) != kith::none);
    CHECK(world.system("hunt", [](kith::context &c, const Leader &l, kith::lookup<Position> all,
                                  kith::resource<const Score> score, kith::sender<Hit> hits) {
        CHECK(score && score->points == 5 && c.resource<Score>() == score.value);
        CHECK(all.has(l.who) == c.alive(l.who) && all.has(l.who) == c.has<Position>(l.who));
        CHECK(all.get(l.who) == c.get<Position>(l.who));
        if (Position *p = all.get(l.who)) {
            p->x += 1;
            CHECK(hits.send({l.who, 3}) == KITH_OK && c.send(Hit{l.who, 4}) == KITH_OK);
            CHECK(hits.send() == KITH_OK && c.send<Hit>() == KITH_OK);
        }
    }) == KITH_OK);
    int told = 0;
    CHECK(world.system(kith::named("score").priority(1),
                       [&](kith::events<Hit> hits, kith::resource<Score> score,
                           kith::resource<const Velocity> wind) {
                           CHECK(!wind && hits.empty() == (hits.at(0) == nullptr));
                           for (const Hit &hit : hits) {
                               score->points += hit.damage;
                           }
                           told++;
                       }) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && told == 1);
    CHECK(world.get<Position>(leader)->x == 2 && world.resource<Score>()->points == 12);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* What it does not declare is misuse, and the message says what is missing. */
static void test_undeclared(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.spawn(Position{1, 2}) != kith::none && world.spawn(Leader{}) != kith::none);
    CHECK(world.system("forgets", [](kith::context &c, const Leader &) {
        CHECK(c.get<Position>(c.entity()) == nullptr && told("\"forgets\""));
        CHECK(c.send(Hit{}) == KITH_ERR_MISUSE && told("Hit"));
        CHECK(c.world().spawn() == kith::none && told("kith_spawn"));
    }) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && world.entity_count() == 2 && world.check() == KITH_OK);
}

static void test_subqueries(kith_layout layout)
{
    kith::world world = new_world(layout);
    for (int i = 0; i < 5; i++) {
        CHECK(world.spawn(Position{1, 0}, kith::zero<Frozen>) != kith::none);
    }
    const kith::entity e = world.spawn(Velocity{0, 0});
    CHECK(world.system("count", [](Velocity &v, kith::subquery<kith::with<Frozen>> frozen,
                                   kith::subquery<kith::read<Position>> all) {
        CHECK(frozen.each([&](kith::entity) { v.dx += 1; }) == KITH_OK);
        CHECK(all.each([&](const Position &p, kith::context &c) {
            v.dy += p.x;
            CHECK(c.alive(c.entity()));
            return v.dy < 3;
        }) == KITH_OK);
    }) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && world.get<Velocity>(e)->dx == 5);
    CHECK(world.get<Velocity>(e)->dy == 3 && last_message.empty() && world.check() == KITH_OK);
}

/* ---- When they are called --------------------------------------------------------------------- */

static void test_calls(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.spawn(Position{1, 2}) != kith::none && world.spawn(Position{3, 4}) != kith::none);
    int each = 0, once = 0, plain = 0;
    CHECK(world.system("each", [&](kith::entity, kith::context &c) {
        each++;
        CHECK(c.dt() == 0.5f);
    }) == KITH_OK);
    CHECK(world.system("filter", [&](kith::with<Position>) { each += 10; }) == KITH_OK);
    CHECK(world.system("once", [&](kith::events<Hit>, kith::context &c, float dt) {
        once++;
        CHECK(c.entity() == kith::none && dt == 0.5f);
    }) == KITH_OK);
    CHECK(world.system("plain", [&](kith::world &w, kith::context &c, float dt) {
        plain++;
        CHECK(w.c() == world.c() && c.world().c() == w.c() && c.dt() == dt);
        CHECK(w.spawn(Leader{}) != kith::none);
        c.commands().spawn(Leader{});
        CHECK(c.random().uniform() < 1);
    }) == KITH_OK);
    CHECK(world.run(0.5f) == KITH_OK && each == 22 && once == 1 && plain == 1);
    CHECK(world.entity_count() == 4 && last_message.empty() && world.check() == KITH_OK);
    CHECK(world.system("fails", [](kith::commands &later, float) {
        later.spawn(Leader{});
        return KITH_ERR_IO;
    }) == KITH_OK);
    CHECK(world.run(0.5f) == KITH_ERR_IO && world.entity_count() == 6);
}

/* All that the name of a system may say. */
static void test_names()
{
    kith::world world = new_world(KITH_TABLE);
    std::string order;
    const auto add = [&](const kith::named &name, char letter) {
        CHECK(world.system(name, [&order, letter](kith::world &) { order += letter; }) == KITH_OK);
    };
    add(kith::named("late").phase(KITH_PHASE_LATE), 'l');
    add(kith::named("b").after("a, z"), 'b');
    add(kith::named("a").before("b, c"), 'a');
    add("z", 'z');
    add(kith::named("c").after("b").group("some"), 'c');
    add(kith::named("off").disabled(), 'o');
    add(kith::named("second").every_ticks(2).priority(5), '2');
    add(kith::named("slow").interval(2).priority(6), '3');
    add(kith::named("never").run_if([](const kith::world &w) { return w.tick_count() > 2; }), '4');
    CHECK(world.run(1) == KITH_OK);
    CHECK(order == "azbcl");
    order.clear();
    CHECK(world.enable_system_group("some", false) == KITH_OK &&
          world.enable_system("off") == KITH_OK);
    CHECK(world.run(1) == KITH_OK && order == "azbo23l");
    order.clear();
    CHECK(world.run(1) == KITH_OK && order == "azbo4l");
}

/* Systems of several threads give the same as one. */
static void test_workers(kith_layout layout)
{
    std::uint64_t hashes[2];
    for (std::uint32_t workers = 0; workers < 2; workers++) {
        kith::world world = new_world(layout);
        std::uint32_t threads = workers * 3 + 1;
        CHECK(world.set_threads(threads) == KITH_OK && world.thread_count() == threads);
        for (int i = 0; i < 5000; i++) {
            CHECK(world.spawn(Position{static_cast<float>(i), 0}, Velocity{1, 1}) != kith::none);
        }
        const float wind = 0.25f;
        CHECK(world.system(kith::named("wind").parallel(),
                           [wind](kith::context &c, Velocity &v, kith::commands &later) {
                               v.dx += wind + c.random().uniform(0, 1);
                               if (c.random().chance(0.01)) {
                                   later.add<Frozen>(c.entity());
                               }
                           }) == KITH_OK);
        CHECK(world.system(kith::named("move").no_commands(),
                           [](Position &p, const Velocity &v) { p.x += v.dx; }) == KITH_OK);
        for (int tick = 0; tick < 5; tick++) {
            CHECK(world.run(1) == KITH_OK);
        }
        hashes[workers] = world.hash();
        CHECK(last_message.empty() && world.check() == KITH_OK);
    }
    CHECK(hashes[0] == hashes[1]);
}

/* A loop of a plain system, in parts. */
static void test_parallel_loops(kith_layout layout)
{
    std::uint64_t hashes[2];
    for (std::uint32_t workers = 0; workers < 2; workers++) {
        kith::world world = new_world(layout);
        CHECK(world.set_threads(workers * 3 + 1) == KITH_OK);
        for (int i = 0; i < 5000; i++) {
            CHECK(world.spawn(Position{static_cast<float>(i), 0}, Velocity{1, 1}) != kith::none);
        }
        auto all = world.query<kith::write<Position>, kith::read<Velocity>>();
        kith_result result = KITH_ERR_LIMIT;
        CHECK(world.system("plain", [&](kith::context &c) {
            const float wind = 0.25f;
            result = all.each_parallel(
                c, [wind](kith::context &part, float dt, Position &p, const Velocity &v) {
                    p.x += v.dx * dt + wind + part.random().uniform(0, 1);
                });
        }) == KITH_OK);
        for (int tick = 0; tick < 3; tick++) {
            CHECK(world.run(0.5f) == KITH_OK && result == KITH_OK);
        }
        CHECK(world.system("fails", [&](kith::context &c) {
            result = all.each_parallel(
                c, [](Position &p) { return p.x < 100 ? KITH_OK : KITH_ERR_INPUT; });
        }) == KITH_OK);
        CHECK(world.run(0.5f) == KITH_OK && result == KITH_ERR_INPUT);
        hashes[workers] = world.hash();
        CHECK(last_message.empty() && world.check() == KITH_OK);
    }
    CHECK(hashes[0] == hashes[1]);
}

/* ---- Who keeps them --------------------------------------------------------------------------- */

/* Counts how many copies of it there are. */
struct counted {
    explicit counted(int *count) noexcept : count_(count) { ++*count_; }
    counted(const counted &other) noexcept : count_(other.count_) { ++*count_; }
    counted &operator=(const counted &) = delete;
    ~counted() { --*count_; }
    int *count_;
};

static void free_position(Position &p)
{
    p.y += 1;
}

/* What a lambda captured lives as long as its world, however the system was added. */
static void test_captures(kith_layout layout)
{
    int count = 0;
    {
        kith::world world = new_world(layout);
        kith::world borrowed = kith::world::borrow(world.c());
        {
            const counted held(&count);
            CHECK(world.system("one", [held](Position &p) { p.x += 1; }) == KITH_OK);
            CHECK(borrowed.system("two", [held](kith::world &) {}) == KITH_OK);
            CHECK(world.on_add<Position>("three", [held](kith::entity) {}) == KITH_OK);
            CHECK(count == 4);
            CHECK(world.system("one", [held](Position &) {}) == KITH_ERR_CONFLICT);
            CHECK(count == 4);
        }
        CHECK(world.system("function", free_position) == KITH_OK);
        CHECK(world.system("pointer", &free_position) == KITH_OK);
        CHECK(count == 3 && world.remove_system("one") == KITH_OK);
        const kith::entity e = world.spawn(Position{0, 0});
        CHECK(world.run(1) == KITH_OK && world.get<Position>(e)->y == 2);
        /* A query of the same world, which ends before it. */
        auto all = std::make_shared<kith::query<kith::read<Position>>>(
            world.query<kith::read<Position>>());
        float sum = 0;
        CHECK(world.system("sum", [all = std::move(all), &sum](kith::world &) {
            all->each([&](const Position &p) { sum += p.y; });
        }) == KITH_OK);
        CHECK(world.run(1) == KITH_OK && sum == 4);
        CHECK(last_message.empty() && world.check() == KITH_OK);
    }
    CHECK(count == 0);
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_values(layout);
        test_changed(layout);
        test_declared(layout);
        test_undeclared(layout);
        test_subqueries(layout);
        test_calls(layout);
        test_workers(layout);
        test_parallel_loops(layout);
        test_captures(layout);
    }
    test_names();
    return 0;
}
