/* Conditions on values in C++. */
#include "hpp.hpp"

#include <cstring>
#include <vector>

KITH_COMPONENT(Life, (float, current), (float, maximum));
KITH_COMPONENT(Place, (double, x), (double, y), (std::int64_t, z));
KITH_COMPONENT(Soldier, (char, name, 12), (std::uint8_t, level), (std::int16_t, marks, 3));

/* Systems with conditions after their function: for each entity, by batches, parallel. */
static void run_systems(kith::world &world)
{
    using kith::field;
    CHECK(world.system(
              kith::named("promote").parallel(), [](Soldier &soldier) { soldier.level += 100; },
              field(&Soldier::level) < kith_bound("limit"),
              kith::prefix(&Soldier::name, "ab") || kith::prefix(&Soldier::name, "ac")) == KITH_OK);
    CHECK(world.system<kith::write<Life>>(
              "heal",
              [](kith::batches &it) {
                  while (it.next()) {
                      Life *life = it.column_mut<Life>();
                      for (std::uint32_t i = 0; i < it.count(); i++) {
                          life[i].current += 1;
                      }
                  }
              },
              field(&Life::current) >= kith_bound("limit")) == KITH_OK);
    CHECK(world.run(1) == KITH_ERR_INPUT); /* nothing is bound */
    CHECK(world.bind_system("promote", "limit", 20) == KITH_OK);
    CHECK(world.bind_system("heal", "limit", 90.0f) == KITH_OK);
    CHECK(world.bind_system("heal", "limits", 90) == KITH_ERR_UNKNOWN);
    CHECK(world.bind_system("heel", "limit", 90) == KITH_ERR_UNKNOWN);
    CHECK(world.run(1) == KITH_OK);
    CHECK(world.query<>(field(&Soldier::level) >= 100).count() == 4);
    CHECK(world.query<>(field(&Life::current) == 99).count() == 1);
    char text[300];
    CHECK(world.explain_system("heal", text, sizeof text) != 0);
    CHECK(std::strncmp(text, "plan: scan", 10) == 0);
    CHECK(world.explain_system("heal", text, sizeof text, 1) == 0);
    CHECK(world.remove_system("promote") == KITH_OK && world.remove_system("heal") == KITH_OK);
}

/* What a lambda computes: an index by the same one is found. */
static void ask_keys(kith::world &world)
{
    constexpr auto rest = [](const Life &life, Place &key) {
        key.x = static_cast<double>(life.maximum - life.current);
        return life.current < life.maximum;
    };
    auto few = world.query<kith::read<Life>>(
        kith::key_if(rest, kith::field(&Place::x) <= kith_bound("most")));
    CHECK(few.bind("most", 10) == KITH_OK);
    CHECK(few.count() == 5);
    CHECK(world.query<>(!kith::key_if(rest, kith::field(&Place::x) <= 10)).count() ==
          kith_entity_count(world.c()) - 5);
    char text[300];
    CHECK(few.explain(text, sizeof text) != 0);
    CHECK(std::strstr(text, "ordered index") == nullptr);
    std::vector<kith::entity> more(20000);
    for (kith::entity &e : more) {
        e = world.spawn(Life{1, 100});
    }
    auto index = world.ordered_index(rest, &Place::x);
    CHECK(index && few.count() == 5);
    CHECK(few.explain(text, sizeof text) != 0);
    CHECK(std::strstr(text, "ordered index of Place (x), computed from Life") != nullptr);
}

int main()
{
    kith::world world;
    for (int i = 0; i < 100; i++) {
        Soldier soldier{};
        soldier.name[0] = 'a';
        soldier.name[1] = static_cast<char>('a' + i % 10);
        soldier.level = static_cast<std::uint8_t>(i);
        soldier.marks[2] = static_cast<std::int16_t>(-i);
        kith::entity e = world.spawn(soldier);
        if (i % 2 == 0) {
            world.set<Life>(e, {static_cast<float>(i), 50});
        }
    }
    using kith::field;
    CHECK(world.query<kith::read<Soldier>>(field(&Soldier::level) < 20).count() == 20);
    CHECK(world.query<>(field(&Soldier::level) >= 19.5, field(&Soldier::level) <= 30u).count() ==
          11);
    CHECK(world.query<>(field(&Soldier::marks)[2] > -5).count() == 5);
    CHECK(world.query<>(field(&Soldier::name) == "ab").count() == 10);
    CHECK(world.query<>(field(&Soldier::name) != "ab").count() == 90);
    CHECK(world.query<>(kith::prefix(&Soldier::name, "a")).count() == 100);
    CHECK(world.query<>(kith::contains(&Soldier::name, "c")).count() == 10);
    CHECK(world.query<>(field(&Life::current) < field(&Life::maximum)).count() == 25);
    CHECK(world.query<>(!(field(&Life::current) < 50)).count() == 75);
    CHECK(world
              .query<>(field(&Soldier::level) == 3 ||
                       (field(&Life::current) > 90 && !(field(&Soldier::level) == 96)))
              .count() == 4);
    for (int i = 0; i < 20; i++) {
        world.spawn(Place{static_cast<double>(i), 3, 1});
    }
    CHECK(world.query<>(kith::within<Place>(5, 3, 2)).count() == 5);
    CHECK(world.query<>(kith::within<Place>(5, 3, 1, 2)).count() == 5);
    CHECK(world.query<>(!kith::within<Place>(5, 3, 1.5, 2.0f)).count() == 115 + 2);
    auto near = world.query<kith::read<Place>>(kith::within<Place>(kith_bound("x"), 3, 1));
    CHECK(near.bind("x", 19) == KITH_OK && near.count() == 2);
    auto below = world.query<kith::read<Soldier>>(field(&Soldier::level) < kith_bound("level"));
    CHECK(below.count() == 0);
    CHECK(below.bind("level", 7) == KITH_OK);
    std::uint32_t sum = 0;
    below.each([&](const Soldier &soldier) { sum += soldier.level; });
    CHECK(sum == 21);
    CHECK(below.bind("level", "seven") == KITH_ERR_INPUT);
    CHECK(below.bind("rank", 7) == KITH_ERR_UNKNOWN);
    CHECK(!world.query<>(field(&Soldier::level) == "three"));
    run_systems(world);
    ask_keys(world);
    return 0;
}
