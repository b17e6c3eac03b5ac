/* Rows of several entities in C++. */
#include "hpp.hpp"

KITH_COMPONENT(Person, (int, age));
KITH_LINKS(Likes, KITH_CLEAR, (float, strength));

using kith::field;
using kith::read;

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        kith::world world = new_world(layout);
        kith::entity ann = world.spawn(Person{20});
        kith::entity bob = world.spawn(Person{21});
        kith::entity cat = world.spawn(Person{22});
        world.spawn(Likes{ann, bob, 1});
        world.spawn(Likes{bob, ann, 2});
        kith::entity link = world.spawn(Likes{cat, bob, 3});

        auto rivals = world.query<read<Person>, kith::other<2, read<Person>>>(
            kith::pair<Likes>(0, 1), kith::pair<Likes>(2, 1), !kith::same(0, 2));
        CHECK(rivals.count() == 2 && rivals.contains(ann) && !rivals.contains(bob));
        std::uint32_t rows = 0;
        for (auto it = rivals.iter(); it.next_rows();) {
            for (std::uint32_t i = 0; i < it.count(); i++, rows++) {
                CHECK(it.others(1)[i] == bob);
                CHECK(it.term_at<Person>(1, i)->age == world.get<Person>(it.others(2)[i])->age);
                CHECK(it.entities()[i] != it.others(2)[i]);
            }
        }
        CHECK(rows == 2);

        auto strong = world.query<read<Person>, kith::other<2, read<Likes>>>(
            kith::pair_by<Likes>(2, 0, 1), kith::other_if(2, field(&Likes::strength) > 2));
        CHECK(strong.count() == 1 && strong.first() == cat);
        for (auto it = strong.iter(); it.next_rows();) {
            CHECK(it.others(2)[0] == link && it.term_at<Likes>(1, 0)->strength == 3);
        }
        auto older = world.query<>(kith::pair<Likes>(0, 1),
                                   field(&Person::age) > kith::of_other(1, field(&Person::age)));
        CHECK(older.count() == 2 && older.contains(bob) && older.contains(cat));
        auto unrequited =
            world.query<read<Person>>(kith::pair<Likes>(0, 1), !kith::pair<Likes>(1, 0));
        CHECK(unrequited.count() == 1 && unrequited.first() == cat);
        auto unliked = world.query<read<Person>>(!kith::pair<Likes>(kith::any, 0));
        CHECK(unliked.count() == 1 && unliked.first() == cat);
        auto likers = world.query<read<Person>>(kith::pair<Likes>(0, kith::any));
        CHECK(likers.count() == 3);
        auto ends = world.query<>(kith::pair_by<Likes>(0, 1, 2),
                                  field(&Likes::source) == kith::the_other(1));
        CHECK(ends.count() == 3);
        CHECK(world.check() == KITH_OK);
    }
}
