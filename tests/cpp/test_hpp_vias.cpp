/* Terms of other entities in C++. */
#include "hpp.hpp"

KITH_COMPONENT(Life, (float, current), (float, maximum));
KITH_COMPONENT(Aim, (float, x), (float, seen));
KITH_RELATION(Hunts, KITH_CLEAR);
KITH_RELATION(Guards, KITH_CLEAR);
KITH_LINKS(Knows, KITH_CLEAR);

using game::Frozen;
using game::Position;
using kith::field;
using kith::read;
using kith::up;
using kith::via;

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        kith::world world = new_world(layout);
        kith::entity treasure = world.spawn(Position{9, 9});
        kith::entity prey = world.spawn(Life{10, 50});
        kith::entity den = world.spawn(Position{3, 4});
        world.set<Guards>(prey, {treasure});
        kith::entity hunter = world.spawn(Aim{0, 0}, Life{7, 8});
        world.set<Hunts>(hunter, {prey});
        world.set<kith_child_of>(hunter, {den});
        kith::entity idle = world.spawn(Aim{0, 0}, Life{1, 2});

        auto hunting = world.query<read<Aim>, via<Hunts, read<Life>>, up<read<Position>>,
                                   via<Hunts, via<Guards, read<Position>>>>();
        CHECK(hunting.count() == 1 && hunting.contains(hunter) && !hunting.contains(idle));
        for (auto it = hunting.iter(); it.next();) {
            CHECK(it.term_at<Life>(1, 0)->current == 10);
            CHECK(it.term_pointers<Position>(2)[0]->y == 4);
            CHECK(it.term_at<Position>(3, 0)->x == 9);
        }
        CHECK((world.query<via<Hunts, kith::with<Life>>>().count() == 1));
        CHECK((world.query<via<Hunts, kith::without<Frozen>>>().count() == 1));
        CHECK((world.query<via<Hunts, kith::with<Frozen>>>().count() == 0));
        CHECK((world.query<read<Aim>, via<Hunts, kith::optional<Life>>>().count() == 2));

        /* As a parameter, beside the entity's own. */
        std::uint32_t calls = 0;
        hunting.each([&](const Aim &, via<Hunts, read<Life>> p, up<read<Position>> home) {
            CHECK(p->maximum == 50 && home->x == 3);
            calls++;
        });
        world.each([&](Aim &aim, const Life &own, via<Hunts, kith::optional<Life>> other) {
            CHECK(own.current < 10);
            aim.seen = other ? other->current : -1;
            calls++;
        });
        CHECK(calls == 3);
        CHECK(world.get<Aim>(hunter)->seen == 10 && world.get<Aim>(idle)->seen == -1);
        world.system("aim", [](Aim &aim, via<Hunts, read<Life>> p,
                               via<Hunts, kith::without<Frozen>>) { aim.x = p->current; });
        world.run(1);
        CHECK(world.get<Aim>(hunter)->x == 10 && world.get<Aim>(idle)->x == 0);

        /* One of several, of which some are of other entities. */
        std::uint32_t own = 0;
        std::uint32_t others = 0;
        world.each([&](kith::any_of<Position> here, via<Hunts, kith::any_of<Life>> p) {
            CHECK((here && !p) || (p && p->maximum == 50));
            own += here ? 1 : 0;
            others += p ? 1 : 0;
        });
        CHECK(own == 2 && others == 1);
        CHECK((world.query<read<Aim>, up<kith::any_of<Position, 2>>>().first() == hunter));

        CHECK(world.query<read<Aim>>(kith::via_if<Hunts>(field(&Life::current) < 20)).count() == 1);
        CHECK(world.query<>(kith::via_if<Hunts>(field(&Life::current) > 20)).count() == 0);
        CHECK(world.query<>(kith::via_if<Hunts>(kith::via_if<Guards>(field(&Position::x) == 9)))
                  .count() == 1);
        CHECK(world
                  .query<>(kith::up_if(field(&Position::x) == 3) ||
                           kith::via_if<Guards>(field(&Position::x) == 9))
                  .count() == 2);

        /* Fields that lead on, and comparisons with what is there. */
        kith::entity link = world.spawn(Knows{hunter, prey});
        std::uint32_t links = 0;
        world.each([&](const Knows &, kith::via_field<&Knows::source, read<Life>> p) {
            CHECK(p->current == 7);
            links++;
        });
        CHECK(links == 1);
        CHECK((world.query<kith::via_field<&Knows::target, kith::with<Aim>>>().count() == 0));
        CHECK(world.query<>(kith::via_if(&Knows::target, field(&Life::current) == 10)).first() ==
              link);
        CHECK(world
                  .query<>(kith::via_if(
                      &Knows::source,
                      field(&Life::current) <
                          kith::of_this(kith::its_via(&Knows::target, field(&Life::current)))))
                  .first() == link);
        CHECK(world.query<>(field(&Life::current) < kith::its_via<Hunts>(field(&Life::current)))
                  .first() == hunter);
        CHECK(world.query<>(kith::via_if<Hunts>(field(&Hunts::target) == kith::this_entity()))
                  .count() == 0);
        world.set<Hunts>(prey, {hunter});
        auto pairs =
            world.query<>(kith::via_if<Hunts>(field(&Hunts::target) == kith::this_entity()) ||
                          field(&Life::current) == 1000);
        CHECK(pairs.count() == 2 && pairs.contains(prey));
        world.set<Life>(den, {7, 9});
        CHECK(world.query<>(field(&Life::current) == kith::its_up(field(&Life::current))).first() ==
              hunter);
        kith_set_name(world.c(), den, "den");
        kith_set_name(world.c(), hunter, "hunter");
        CHECK(world.query<>(kith::path("den/hunter")).first() == hunter);
        CHECK(world.query<>(kith::path_like("den/**")).count() == 2);
        CHECK(world.query<>(kith::like(&kith_name::text, "h*r")).first() == hunter);
    }
    return 0;
}
