/* Parents before children in C++. */
#include "hpp.hpp"

KITH_COMPONENT(Local, (float, x));
KITH_COMPONENT(Global, (float, x));

using kith::field;
using kith::read;
using kith::up;
using kith::write;

int main()
{
    kith::world world = new_world(KITH_TABLE);
    kith::entity part[3];
    for (int i = 0; i < 3; i++) { /* children first */
        part[i] = world.spawn(Local{static_cast<float>(i + 1)}, Global{0});
    }
    world.set<kith_child_of>(part[0], {part[1]});
    world.set<kith_child_of>(part[1], {part[2]});

    kith_query_def def{};
    def.order = KITH_PARENTS_FIRST;
    auto down = world.query<read<Local>, write<Global>, up<kith::optional<Global>>>(def);
    CHECK(down.first() == part[2]);
    down.each([](const Local &local, Global &global, up<kith::optional<Global>> parent) {
        global.x = local.x + (parent ? parent->x : 0);
    });
    CHECK(world.get<Global>(part[0])->x == 6 && world.get<Global>(part[1])->x == 5);

    /* With conditions, too. */
    def.order = KITH_CHILDREN_FIRST;
    auto some = world.query<read<Local>>(def, field(&Local::x) < 3);
    CHECK(some.count() == 2 && some.first() == part[0]);
    kith::entity met[2];
    int count = 0;
    some.each([&](kith::entity e) { met[count++] = e; });
    CHECK(count == 2 && met[0] == part[0] && met[1] == part[1]);

    /* A parallel system reads of parents what it writes; without the order that is an error. */
    const auto place = [](const Local &local, Global &global,
                          up<kith::optional<Global>> parent) {
        global.x = local.x * 10 + (parent ? parent->x : 0);
    };
    CHECK(world.system(kith::named("no").parallel(), place) == KITH_ERR_INPUT);
    CHECK(world.system(kith::named("place").parallel().order(KITH_PARENTS_FIRST), place) ==
          KITH_OK);
    CHECK(world.run(1) == KITH_OK);
    CHECK(world.get<Global>(part[0])->x == 60 && world.get<Global>(part[2])->x == 30);
    return 0;
}
