/* What kith.hpp forbids, in one file, since its header takes the compilers a while: WRONG says which of
 * the forbidden lines is in, and a comment beside it what the compiler has to say then. */
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

void look(kith::query<kith::optional<Velocity>> &query);
void look(kith::query<kith::optional<Velocity>> &query)
{
#if WRONG == 1 /* says: this function does not fit the query's terms */
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
#if WRONG == 2 /* says: this function does not fit the query's terms */
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
#if WRONG == 3 /* says: this function does not fit the query's terms */
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
#if WRONG == 5 /* says: this type must be trivially copyable */
    Counted(const Counted &other) : count(other.count + 1)
    {
    }
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

/* A system's function is the same for all threads, and in every tick. */
namespace system_that_changes_itself {

kith_result add(kith::world &world);
kith_result add(kith::world &world)
{
#if WRONG == 7 /* says: a system's function is const: leave out `mutable` */
    return world.system("wind", [wind = 1.0f](Velocity &v) mutable { v.dx += wind++; });
#else
    return world.system("wind", [wind = 1.0f](Velocity &v) { v.dx += wind; });
#endif
}

}   // namespace system_that_changes_itself

/* A struct that no KITH_TYPE describes. */
namespace unknown_type {

struct Health {
    int current, max;
};
#if WRONG != 8 /* says: describe it with KITH_TYPE or KITH_TAG, in its own namespace */
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

struct Speed : Velocity {};
#if WRONG != 14 /* says: describe it with KITH_TYPE or KITH_TAG, in its own namespace */
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
#if WRONG == 11 /* says: this type cannot be copied */
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
#if WRONG == 12 /* says: this type cannot be copied */
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
#if WRONG == 13 /* says: this type cannot be copied */
    return world.set_resource(Chest());
#else
    return world.set_resource<Chest>();
#endif
}

}   // namespace resource_that_cannot_be_copied

/* A value that would be written to a copy. */
namespace write_by_value {

void move(kith::query<kith::write<Position>> &query);
void move(kith::query<kith::write<Position>> &query)
{
#if WRONG == 16 /* says: Kith cannot give a function this parameter */
    query.each([](Position p) { p.x++; });
#else
    query.each([](Position &p) { p.x++; });
#endif
}

kith_result add(kith::world &world);
kith_result add(kith::world &world)
{
#if WRONG == 17 /* says: Kith cannot give a function this parameter */
    return world.system("move", [](const Velocity &v, Position p) { p.x += v.dx; });
#else
    return world.system("move", [](const Velocity &v, Position &p) { p.x += v.dx; });
#endif
}

}   // namespace write_by_value

/* Time in whole seconds. */
namespace time_of_another_type {

kith_result add(kith::world &world);
kith_result add(kith::world &world)
{
#if WRONG == 18 /* says: Kith cannot give a function this parameter */
    return world.system("move", [](int dt, Position &p) { p.x += dt; });
#else
    return world.system("move", [](float dt, Position &p) { p.x += dt; });
#endif
}

kith_result add_plain(kith::world &world);
kith_result add_plain(kith::world &world)
{
#if WRONG == 19 /* says: Kith cannot give a function this parameter */
    return world.system("plain", [](kith::world &, int) {});
#else
    return world.system("plain", [](kith::world &, float) {});
#endif
}

}   // namespace time_of_another_type

/* A pointer that is only asked whether it is there. */
namespace presence_for_a_value {

void look(kith::query<kith::optional<Velocity>> &query);
void look(kith::query<kith::optional<Velocity>> &query)
{
#if WRONG == 20 /* says: Kith cannot give a function this parameter */
    query.each([](bool moves) { (void)moves; });
#else
    query.each([](const Velocity *v) { (void)v; });
#endif
}

}   // namespace presence_for_a_value

/* What only systems have. */
namespace systems_arguments_in_a_loop {

void look(kith::query<kith::read<Velocity>> &query, kith::world &world);
void look(kith::query<kith::read<Velocity>> &query, kith::world &world)
{
#if WRONG == 21 /* says: this parameter is for systems */
    query.each([](float dt, const Velocity &v) { (void)(dt * v.dx); });
#elif WRONG == 22 /* says: this parameter is for systems */
    world.each([](kith::subquery<kith::with<Frozen>> all, const Velocity &) { (void)all; });
#else
    query.each([](kith::entity, const Velocity &v) { (void)v.dx; });
    world.each([](kith::lookup<Position> all, kith::entity e, const Velocity &) { all.get(e); });
#endif
}

}   // namespace systems_arguments_in_a_loop

/* What nobody looks at. */
namespace results_that_would_be_lost {

void look(kith::query<kith::read<Velocity>> &query, kith::tracker &tracker);
void look(kith::query<kith::read<Velocity>> &query, kith::tracker &tracker)
{
#if WRONG == 23 /* says: another value would be lost */
    query.each([](const Velocity &v) { return v.dx; });
#else
    query.each([](const Velocity &v) { return v.dx > 0; });
#endif
#if WRONG == 24 /* says: another value would be lost */
    tracker.each([](const kith_change &) { return 1; });
#else
    tracker.each([](const kith_change &) { return KITH_OK; });
#endif
}

kith_result add(kith::world &world);
kith_result add(kith::world &world)
{
#if WRONG == 25 /* says: another value would be lost */
    return world.system<kith::read<Velocity>>("look", [](kith::batches &it) { return it.count(); });
#else
    return world.system<kith::read<Velocity>>("look", [](kith::batches &) { return KITH_OK; });
#endif
}

}   // namespace results_that_would_be_lost

/* A query that is handed on to be read. */
namespace const_query_writes {

#if WRONG == 26 /* says: a const query does not write */
using access = kith::write<Position>;
#else
using access = kith::read<Position>;
#endif

void look(const kith::query<access, kith::optional<Velocity>> &query);
void look(const kith::query<access, kith::optional<Velocity>> &query)
{
    query.each([](const Position &, const Velocity *) {});
}

bool find(const kith::query<kith::optional_mut<Position>> &query);
bool find(const kith::query<kith::optional_mut<Position>> &query)
{
#if WRONG == 27 /* says: a const query does not write */
    return query.iter().next();
#elif WRONG == 28 /* says: a const query does not write */
    return query.iter_one(query.first()).next();
#else
    return query.count() > 0;
#endif
}

}   // namespace const_query_writes

/* A type where a term of it is meant, in a program that goes on as if it were one. */
namespace term_forgotten {

#if WRONG == 29 /* says: this is not a term */
using term = Position;
#else
using term = kith::write<Position>;
#endif

void look(kith::world &world);
void look(kith::world &world)
{
    auto query = world.query<term, kith::read<Velocity>>();
    query.each([](Position &p, const Velocity &v) { p.x += v.dx; });
}

kith_result add(kith::world &world);
kith_result add(kith::world &world)
{
#if WRONG == 30 /* says: this is not a term */
    return world.system<Position>("stop", [](kith::batches &) {});
#else
    return world.system<kith::write<Position>>("stop", [](kith::batches &) {});
#endif
}

}   // namespace term_forgotten

/* Functions that cannot be asked what they take. */
namespace parameters_without_types {

void look(kith::world &world);
void look(kith::world &world)
{
#if WRONG == 31 /* says: write their types out, `Position &p` for `auto &p` */
    world.each([](auto &p) { p.x = 0; });
#elif WRONG == 32 /* says: write their types out, `Position &p` for `auto &p` */
    world.system("stop", [](auto &p) { p.x = 0; });
#elif WRONG == 33 /* says: write their types out, `Position &p` for `auto &p` */
    world.on_add<Position>("stop", [](auto &p) { p.x = 0; });
#else
    world.each([](Position &p) { p.x = 0; });
#endif
}

}   // namespace parameters_without_types

/* Parameters that are not for one another. */
namespace parameters_that_do_not_fit {

#if WRONG == 34 /* says: describe it with KITH_TYPE or KITH_TAG, in its own namespace */
struct Speed {
    float dx;
};
#else
using Speed = Velocity;
#endif

void add(kith::world &world);
void add(kith::world &world)
{
    world.system("speed", [](Speed &speed) { speed.dx = 0; });
#if WRONG == 35 /* says: two parameters are for the same component */
    world.system("twice", [](Position &p, const Position &q) { p.x = q.x; });
#elif WRONG == 36 /* says: kith::world & is for a system that runs alone */
    world.system("alone", [](kith::world &, const Position &) {});
#elif WRONG == 37 /* says: a tag has no value */
    world.system("thaw", [](const Frozen &) {});
#elif WRONG == 41 /* says: Kith cannot give a function this parameter */
    world.system("handles", [](kith::entity &, kith::with<Frozen>) {});
#elif WRONG == 42 /* says: Kith cannot give a function this parameter */
    world.system("context", [](const kith::context &, kith::with<Frozen>) {});
#elif WRONG == 45 /* says: this parameter is given by value: write it without the `&` */
    world.system("score", [](kith::resource<Speed> &, const Position &) {});
#elif WRONG == 46 /* says: this parameter is given by value: write it without the `&` */
    world.system("follow", [](const kith::lookup<const Speed> &, const Position &) {});
#elif WRONG == 47 /* says: this parameter is given by value: write it without the `&` */
    world.system("thaw", [](const Position &, kith::with<Frozen> &) {});
#else
    world.system("alone", [](kith::world &, float) {});
    world.system("score",
                 [](kith::resource<Speed>, kith::lookup<const Speed>, const Position &) {});
#endif
#if WRONG == 38 /* says: an observer takes kith::entity, components */
    world.on_add<Position>("look", [](kith::entity, kith::lookup<Velocity>) {});
#elif WRONG == 43 /* says: kith::with and kith::without are for on_enter and on_leave */
    world.on_add<Position>("look", [](kith::entity, kith::with<Frozen>) {});
#elif WRONG == 44 /* says: an observer takes kith::entity, components */
    world.on_enter("look", [](kith::changed<Position>) {});
#elif WRONG == 39 /* says: an observer returns nothing: it cannot fail */
    world.on_add<Position>("look", [](kith::entity) { return KITH_OK; });
#elif WRONG == 40 /* says: a value that was lost is const: write `const T &` */
    world.on_remove<Position>("look", [](Position &) {});
#else
    world.on_remove<Position>("look", [](const Position &, Velocity *) {});
#endif
}

}   // namespace parameters_that_do_not_fit

namespace sorting_by_nothing {

void put(kith::world &world);
void put(kith::world &world)
{
#if WRONG == 48 /* says: sort takes a pointer to a member, the name of a field, or a function */
    world.sort<Position>([](const Velocity &a, const Velocity &b) { return a.dx < b.dx; });
#elif WRONG == 49 /* says: sort takes a pointer to a member, the name of a field, or a function */
    world.sort<Position>(7);
#elif WRONG == 50 /* says: sort takes a pointer to a member, the name of a field, or a function */
    world.sort<Position>(&Velocity::dx);
#else
    world.sort<Position>(&Position::x);
#endif
}

}   // namespace sorting_by_nothing

namespace keys_of_more_than_a_value {

void make(kith::world &world, float scale);
void make(kith::world &world, float scale)
{
    auto right = [](const Velocity &v, Position &key) { key.x = v.dx; };
    (void)scale, (void)right;
#if WRONG == 51 /* says: a key is computed by a lambda that captures nothing: of the value alone */
    world.ordered_index([scale](const Velocity &v, Position &key) { key.x = v.dx * scale; },
                        &Position::x);
#elif WRONG == 52 /* says: a key is computed by a lambda (const Value &, Key &) */
    world.ordered_index([](const Velocity &v) { return v.dx; }, &Position::x);
#elif WRONG == 53 /* says: the fields are those of the key that the lambda writes */
    world.ordered_index(right, &Velocity::dx);
#elif WRONG == 55 /* says: the fields are those of the key that the lambda writes */
    world.query<>(kith::key_if(right, kith::field(&Velocity::dx) < 1));
#elif WRONG == 56 /* says: the fields are those of the key that the lambda writes */
    world.query<>(kith::key_if(right, kith::field(&Position::x) < 1 ||
                                          !(kith::field(&Velocity::dx) < 1)));
#else
    world.ordered_index(right, &Position::x);
    world.query<>(kith::key_if(right, kith::field(&Position::x) < 1));
#endif
}

}   // namespace keys_of_more_than_a_value

namespace columns_without_values {

void look(kith::selection &selected);
void look(kith::selection &selected)
{
#if WRONG == 54 /* says: a field holds numbers, bools, chars, enums, a kith_entity or a kith_text */
    for (auto [name] : selected.rows<const char *>()) {
#else
    for (auto [name] : selected.rows<char[16]>()) {
#endif
        (void)name;
    }
}

}   // namespace columns_without_values
