/* What kith.hpp forbids, in one file, since its header takes the compilers a while: WRONG says which of
 * the forbidden lines is in. */
#include <kith/kith.hpp>

struct Position {
    float x, y;
};
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

struct Velocity {
    float dx, dy;
};
KITH_TYPE(Velocity, KITH_FIELD(Velocity, dx), KITH_FIELD(Velocity, dy));

KITH_TAG(Frozen);

/* A class that can be moved, not copied. */
struct Chest {
    Chest() = default;
    Chest(Chest &&other) noexcept = default;
    ~Chest() {}
    int *things = nullptr;
};
KITH_OPAQUE_TYPE(Chest);

/* A reference to what may be absent. */
namespace each_forgets_absence {

void look(kith::query<kith::may_read<Velocity>> &query);
void look(kith::query<kith::may_read<Velocity>> &query)
{
#if WRONG == 1
    query.each([](const Velocity &v) { (void)v; });
#else
    query.each([](const Velocity *v) { (void)v; });
#endif
}

}   // namespace each_forgets_absence

/* A function for other types than those of the terms. */
namespace each_of_another_type {

void look(kith::query<kith::read<Velocity>> &query);
void look(kith::query<kith::read<Velocity>> &query)
{
#if WRONG == 2
    query.each([](const Position &p) { (void)p; });
#else
    query.each([](const Velocity &v) { (void)v; });
#endif
}

}   // namespace each_of_another_type

/* A function that writes what the query declares as read. */
namespace each_writes_read {

void halt(kith::query<kith::read<Velocity>, kith::write<Position>> &query);
void halt(kith::query<kith::read<Velocity>, kith::write<Position>> &query)
{
#if WRONG == 3
    query.each([](Velocity &v, Position &p) { p.x = v.dx; });
#else
    query.each([](const Velocity &v, Position &p) { p.x = v.dx; });
#endif
}

}   // namespace each_writes_read

/* Writing through a value that was looked up for reading. */
namespace get_is_const {

void halt(kith::world &world, kith::entity e);
void halt(kith::world &world, kith::entity e)
{
#if WRONG == 4
    world.get<Velocity>(e)->dx = 0;
#else
    world.get_mut<Velocity>(e)->dx = 0;
#endif
}

}   // namespace get_is_const

/* A struct that cannot be copied as plain bytes. */
namespace not_plain_bytes {

struct Counted {
    int count;
#if WRONG == 5
    Counted(const Counted &other) : count(other.count + 1) {}
#else
    Counted(const Counted &other) = default;
#endif
};
KITH_TYPE(Counted, KITH_FIELD(Counted, count));

const Counted *look(kith::world &world, kith::entity e);
const Counted *look(kith::world &world, kith::entity e)
{
    return world.get<Counted>(e);
}

}   // namespace not_plain_bytes

/* A Velocity where Position is named. */
namespace set_another_type {

void place(kith::world &world, kith::entity e);
void place(kith::world &world, kith::entity e)
{
#if WRONG == 6
    world.set<Position>(e, Velocity{1, 2});
#else
    world.set<Position>(e, Position{1, 2});
#endif
}

}   // namespace set_another_type

/* A system that keeps a reference to a local. */
namespace system_with_capture {

kith_result add(kith::world &world, float &wind);
kith_result add(kith::world &world, float &wind)
{
#if WRONG == 7
    return world.add_system<kith::write<Velocity>>("wind", 0,
                                                   [&](Velocity &v) { v.dx += wind; });
#else
    return world.add_system<kith::write<Velocity>>(
        "wind", 0,
        [](kith::batches &it) {
            while (it.next()) {
                it.column_mut<Velocity>(0)->dx += *static_cast<float *>(it.user());
            }
        },
        &wind);
#endif
}

}   // namespace system_with_capture

/* A struct that no KITH_TYPE describes. */
namespace unknown_type {

struct Health {
    int current, max;
};
#if WRONG != 8
KITH_TYPE(Health, KITH_FIELD(Health, current), KITH_FIELD(Health, max));
#endif

kith_result heal(kith::world &world, kith::entity e);
kith_result heal(kith::world &world, kith::entity e)
{
    return world.set(e, Health{100, 100});
}

}   // namespace unknown_type

/* A struct whose base alone is described: it may be larger, and is another component anyway. */
namespace unknown_type_of_a_known_base {

struct Speed : Velocity {
};
#if WRONG != 14
KITH_TYPE(Speed, KITH_FIELD(Speed, dx), KITH_FIELD(Speed, dy));
#endif

const Speed *look(kith::world &world, kith::entity e);
const Speed *look(kith::world &world, kith::entity e)
{
    return world.get<Speed>(e);
}

}   // namespace unknown_type_of_a_known_base

/* Batches of an open query that has gone. */
namespace batches_of_a_temporary {

bool look(kith::query<kith::read<Velocity>> &query);
bool look(kith::query<kith::read<Velocity>> &query)
{
#if WRONG == 15
    kith::batches it = query.iter();
#else
    kith::iter it = query.iter();
#endif
    return it.next();
}

}   // namespace batches_of_a_temporary

/* A tag has no value. */
namespace value_of_tag {

kith_result freeze(kith::world &world, kith::entity e);
kith_result freeze(kith::world &world, kith::entity e)
{
#if WRONG == 9
    return world.set(e, Frozen{});
#else
    return world.add<Frozen>(e);
#endif
}

}   // namespace value_of_tag

/* A world has one owner. */
namespace world_is_not_copied {

kith::world pass(kith::world &world);
kith::world pass(kith::world &world)
{
#if WRONG == 10
    return world;
#else
    return static_cast<kith::world &&>(world);
#endif
}

}   // namespace world_is_not_copied

/* What cannot be copied is not sent: it is told by another event where it stands. */
namespace send_of_what_cannot_be_copied {

kith_result tell(kith::world &world);
kith_result tell(kith::world &world)
{
#if WRONG == 11
    return world.send(Chest());
#else
    return world.send(Position{1, 2});
#endif
}

}   // namespace send_of_what_cannot_be_copied

/* Nor is it queued but as a new one. */
namespace queue_what_cannot_be_copied {

kith_result give(kith::commands &later, kith::entity e);
kith_result give(kith::commands &later, kith::entity e)
{
#if WRONG == 12
    return later.set(e, Chest());
#else
    return later.add<Chest>(e);
#endif
}

}   // namespace queue_what_cannot_be_copied

/* And made in place as a resource. */
namespace resource_that_cannot_be_copied {

kith_result keep(kith::world &world);
kith_result keep(kith::world &world)
{
#if WRONG == 13
    return world.set_resource(Chest());
#else
    return world.set_resource<Chest>();
#endif
}

}   // namespace resource_that_cannot_be_copied
