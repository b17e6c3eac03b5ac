/* Unique keys, live queries, selections, snapshots, views, forks. */
#include "hpp.hpp"

#include <cstdio>
#include <vector>

namespace game {

struct Health {
    std::int32_t current;
};
KITH_TYPE(Health, KITH_FIELD(Health, current));

struct Account {
    std::uint32_t id;
    char name[8];
};
KITH_TYPE(Account, KITH_FIELD(Account, id), KITH_FIELD(Account, name));

}   // namespace game

using game::Account;
using game::Frozen;
using game::Health;

static kith::world new_health_world(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<Health>(layout) == KITH_OK);
    CHECK(world.register_type<Account>(layout) == KITH_OK);
    return world;
}

static void test_unique(kith_layout layout)
{
    kith::world world = new_health_world(layout);
    kith::entity a = world.spawn(Account{1, "anna"});
    CHECK(world.make_unique(&Account::id) == KITH_OK);
    CHECK(world.make_unique(&Account::id) == KITH_ERR_CONFLICT);
    kith::entity b = world.spawn(Account{2, "bert"});
    CHECK(world.find_unique(Account{2, ""}) == b);
    CHECK(world.find_unique(Account{3, ""}) == kith::none);
    CHECK(world.set(b, Account{1, "bert"}) == KITH_ERR_CONFLICT);
    CHECK(world.get<Account>(b)->id == 2);
    CHECK(world.check() == KITH_OK);
    world.drop_unique<Account>();
    CHECK(world.set(b, Account{1, "bert"}) == KITH_OK);
    CHECK(world.make_unique(&Account::id) == KITH_ERR_CONFLICT);
    CHECK(world.make_unique(&Account::id, &Account::name) == KITH_OK);
    CHECK(world.find_unique(Account{1, "bert"}) == b);
    CHECK(world.find_unique(Account{1, "anna"}) == a);
    CHECK(world.check() == KITH_OK);
}

static void check_list(const kith::found &list, const std::vector<kith::entity> &expected)
{
    CHECK(list.size() == expected.size());
    for (std::uint32_t i = 0; i < list.size(); i++) {
        CHECK(list[i] == expected[i]);
    }
}

static void test_live(kith_layout layout)
{
    kith::world world = new_health_world(layout);
    kith::entity a = world.spawn(Health{10});
    kith::entity b = world.spawn(Health{50});
    kith::entity c = world.spawn(Health{15}, kith::zero<Frozen>);
    auto weak = world.live_query<kith::with<Health>>(kith::field(&Health::current) <
                                                     kith_bound("least"));
    auto warm = world.live_query<kith::read<Health>, kith::without<Frozen>>();
    CHECK(weak && warm);
    CHECK(!weak.next()); /* without a bound */
    CHECK(weak.bind("least", 20) == KITH_OK);
    kith::live_changes changes = weak.next();
    CHECK(changes);
    check_list(changes.entered, {a, c});
    CHECK(changes.left.empty() && changes.changed.empty());
    world.get_mut<Health>(b)->current = 5;
    world.get_mut<Health>(a)->current = 11;
    world.despawn(c);
    changes = weak.next();
    CHECK(changes);
    check_list(changes.entered, {b});
    check_list(changes.left, {c});
    check_list(changes.changed, {a});
    std::vector<kith::entity> set;
    for (kith::entity e : weak) {
        set.push_back(e);
    }
    CHECK(set == (std::vector<kith::entity>{a, b}));
    CHECK(weak.size() == 2 && weak.contains(a) && !weak.contains(c));
    check_list(warm.next().entered, {a, b});
    CHECK(weak.stats().tested != 0);
    const std::size_t before = kith_memory(world.c()).allocations;
    weak.free();
    CHECK(!weak && warm);
    const std::size_t pieces = kith_memory(world.c()).allocations;
    CHECK(pieces < before);
    CHECK(!world.live_query<kith::without<Frozen>>()); /* nothing that must be there */
    CHECK(kith_memory(world.c()).allocations == pieces);
    CHECK(world.check() == KITH_OK);
}

static void test_query_text(kith_layout layout)
{
    kith::world world = new_health_world(layout);
    kith::entity a = world.spawn(Health{30});
    world.spawn(Health{10}, kith::zero<Frozen>);
    kith_text_error error{};
    const char *wrong = "Health where Health.curent < 3";
    CHECK(!world.query_text(wrong, &error) && error.line == 1 && error.column == 14);
    const std::string shown = kith::print_text_error(wrong, error).c_str();
    CHECK(shown.find("did you mean current?") != std::string::npos);
    CHECK(shown.find("\n    Health where Health.curent < 3\n                 ^") !=
          std::string::npos);
    auto all = world.query_text<kith::write<Health>, kith::without<Frozen>>(
        "write Health, !Frozen where Health.current > $low");
    CHECK(all && all.bind("low", 5) == KITH_OK && all.count() == 1 && all.first() == a);
    CHECK(all.each([](Health &h) { h.current++; }) == KITH_OK);
    CHECK(world.get<Health>(a)->current == 31);
    auto any = world.query_text("Health");
    int count = 0;
    for (auto it = any.iter(); it.next();) {
        for (std::uint32_t i = 0; i < it.count(); i++, count++) {
            CHECK(it.at<Health>(i)->current >= 10);
        }
    }
    CHECK(count == 2);
    char tidy[80];
    CHECK(world.tidy_query_text("Health ,  !Frozen where (Health.current<3)", tidy, sizeof tidy) ==
          std::string(tidy).size());
    CHECK(std::string(tidy) == "Health, !Frozen where Health.current < 3");
    CHECK(world.tidy_query_text("Health where", tidy, sizeof tidy, &error) == 0);
    CHECK(error.line == 1 && error.column == 13);
    CHECK(world.check() == KITH_OK);
}

static void test_select(kith_layout layout)
{
    kith::world world = new_health_world(layout);
    kith::entity a = world.spawn(Health{30});
    kith::entity b = world.spawn(Health{10});
    world.spawn(Health{20});
    kith_text_error error{};
    CHECK(!world.select("Helth", &error));
    CHECK(error.line == 1 && error.column == 1);
    auto rows = world.select("Health where Health.current != $not select entity, Health.current "
                             "order by Health.current");
    CHECK(rows && rows.column_count() == 2);
    CHECK(rows.run() == KITH_ERR_INPUT); /* without a value */
    CHECK(rows.bind("not", 20) == KITH_OK && rows.run() == KITH_OK);
    CHECK(rows.row_count() == 2);
    CHECK(*rows.value<kith::entity>(0, 0) == b && *rows.value<kith::entity>(1, 0) == a);
    CHECK(*rows.value<std::int32_t>(1, 1) == 30);
    CHECK(rows.value<std::int64_t>(1, 1) == nullptr); /* of another size */
    CHECK(rows.value<std::int32_t>(1, 2) == nullptr && rows.value<std::int32_t>(2, 1) == nullptr);
    CHECK(std::string(rows.column(1)->name) == "Health.current" && rows.column(2) == nullptr);
    std::int32_t sum = 0;
    for (auto [who, health] : rows.rows<kith::entity, std::int32_t>()) {
        CHECK(world.get<Health>(*who)->current == *health);
        sum = sum * 100 + *health;
    }
    CHECK(sum == 1030);
    for (auto [who, health, none] : rows.rows<std::uint64_t, std::uint32_t, float>()) {
        CHECK(who == nullptr && health == nullptr && none == nullptr); /* of other kinds, or none */
    }
    char line[80];
    CHECK(rows.print(0, line, sizeof line, KITH_SELECT_JSON) < sizeof line);
    CHECK(std::string(line).find("\"Health.current\": 10}") != std::string::npos);
    rows.free();
    CHECK(!rows);
    world.spawn(Account{7, "anna"});
    auto named = world.select("Account select Account.name, Health.current");
    CHECK(named.run() == KITH_OK);
    for (auto [name, health] : named.rows<char[8], std::int32_t>()) {
        CHECK(std::string(*name) == "anna" && health == nullptr);
    }

    auto weak = world.query<kith::read<Health>>(kith::field(&Health::current) < 25);
    char plan[400];
    const std::size_t length = weak.explain(plan, sizeof plan, true);
    CHECK(length == std::string(plan).size());
    CHECK(std::string(plan).find("met: 2 of") != std::string::npos);
    auto unbound = world.query<kith::read<Health>>(kith::field(&Health::current) < kith_bound("x"));
    CHECK(unbound.explain(plan, sizeof plan) == 0);
    CHECK(world.check() == KITH_OK);
}

static kith_result add_decay(kith::world &world)
{
    return world.system("decay", [](Health &health) { health.current--; });
}

static void test_snapshots(kith_layout layout)
{
    kith::world world = new_health_world(layout);
    CHECK(add_decay(world) == KITH_OK);
    kith::entity a = world.spawn(Health{10});
    kith::snapshot before = world.take_snapshot();
    CHECK(before);
    const std::uint64_t hash = world.hash();
    CHECK(world.run(1) == KITH_OK);
    kith::entity b = world.spawn(Health{70});
    const std::uint64_t played = world.hash();
    kith::snapshot after = world.take_snapshot();

    std::string kinds;
    CHECK(before.diff(after, [&](const kith_difference &difference) {
        kinds += difference.kind == KITH_DIFF_CHANGED ? 'c'
                 : difference.kind == KITH_DIFF_SPAWNED && difference.entity == b ? 's' : '.';
    }) == KITH_OK);
    CHECK(kinds.substr(0, 3) == "cs.");
    int visits = 0;
    const auto once = [&](const kith_difference &) { return ++visits < 1; };
    CHECK(before.diff(after, once) == KITH_OK && visits == 1);

    std::vector<unsigned char> bytes;
    CHECK(before.diff_bytes(after, bytes) == KITH_OK && !bytes.empty());
    CHECK(world.restore(before) == KITH_OK);
    CHECK(world.get<Health>(a)->current == 10 && !world.alive(b) && world.hash() == hash);
    CHECK(world.apply_diff(bytes.data(), bytes.size()) == KITH_OK);
    CHECK(world.get<Health>(a)->current == 9 && world.get<Health>(b)->current == 70);
    CHECK(world.apply_diff(bytes.data(), bytes.size()) == KITH_ERR_CONFLICT);
    CHECK(world.restore(after) == KITH_OK && world.hash() == played);
    CHECK(world.check() == KITH_OK);
    CHECK(world.save(bytes) == KITH_OK && !bytes.empty());
    CHECK(world.despawn(a) == KITH_OK);
    CHECK(world.load(bytes.data(), bytes.size()) == KITH_OK && world.hash() == played);
    CHECK(world.load(bytes.data(), bytes.size() - 1) == KITH_ERR_INPUT && world.hash() == played);
    CHECK(world.save_file("test_hpp_database.save") == KITH_OK && world.despawn(a) == KITH_OK);
    CHECK(world.load_file("test_hpp_database.save") == KITH_OK && world.hash() == played);
    CHECK(std::remove("test_hpp_database.save") == 0);
    before.free();
    CHECK(!before && after);
    CHECK(world.make_unique(&Account::id) == KITH_ERR_CONFLICT); /* there is a snapshot */
    after.free();
    CHECK(world.make_unique(&Account::id) == KITH_OK);
}

static void test_views(kith_layout layout)
{
    kith::world world = new_health_world(layout);
    kith::entity a = world.spawn(Health{10});
    kith::snapshot now = world.take_snapshot();
    kith_world_def def{};
    def.on_misuse = remember;
    kith::world view = now.view(def);
    CHECK(view && now.view());
    world.set(a, Health{99});
    CHECK(view.get<Health>(a)->current == 10);
    view.release(); /* another thread may claim it now */
    CHECK(view.get<Health>(a) == nullptr && told("belongs to no thread"));
    view.claim();
    CHECK(view.query<kith::read<Health>>().count() == 1);
    CHECK(view.check() == KITH_OK);
    view.set(a, Health{1});
    CHECK(told("view")); /* it is only read */
    CHECK(view.get<Health>(a)->current == 10);
}

static void test_forks(kith_layout layout)
{
    kith::world world = new_health_world(layout);
    CHECK(add_decay(world) == KITH_OK);
    kith::entity a = world.spawn(Health{10});
    kith::snapshot now = world.take_snapshot();
    int set_ups = 0;
    kith::world fork = now.fork([&](kith::world &made) {
        set_ups++;
        return add_decay(made);
    });
    CHECK(fork && set_ups == 1);
    for (int i = 0; i < 3; i++) {
        CHECK(fork.run(1) == KITH_OK);
    }
    CHECK(fork.get<Health>(a)->current == 7 && world.get<Health>(a)->current == 10);
    kith::world still = now.fork();
    CHECK(still && still.run(1) == KITH_OK && still.get<Health>(a)->current == 10);
    CHECK(!now.fork([](kith::world &) { return KITH_ERR_LIMIT; }));
    kith_world_def def{};
    def.on_misuse = remember;
    kith::world told_of = now.fork([&](kith::world &) { set_ups++; }, def);
    CHECK(told_of && set_ups == 2);
    CHECK(told_of.find_unique(Health{1}) == kith::none && told("Health"));
    for (int i = 0; i < 3; i++) {
        CHECK(world.run(1) == KITH_OK);
    }
    CHECK(world.hash() == fork.hash());
    CHECK(fork.check() == KITH_OK && world.check() == KITH_OK);
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_unique(layout);
        test_live(layout);
        test_query_text(layout);
        test_select(layout);
        test_snapshots(layout);
        test_views(layout);
        test_forks(layout);
    }
    return 0;
}
