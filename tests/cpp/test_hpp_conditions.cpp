/* Conditions on values in C++. */
#include "hpp.hpp"

KITH_COMPONENT(Life, (float, current), (float, maximum));
KITH_COMPONENT(Place, (double, x), (double, y), (std::int64_t, z));
KITH_COMPONENT(Soldier, (char, name, 12), (std::uint8_t, level), (std::int16_t, marks, 3));

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
    return 0;
}
