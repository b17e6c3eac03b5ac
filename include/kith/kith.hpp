/* Kith for C++17: the same calls with templates instead of macros. The types of components are
 * described as in C, by KITH_TYPE and KITH_TAG, beside the struct (in its namespace).
 *
 *     kith::world world;
 *     world.register_type<Position>();
 *     world.register_type<Health>(KITH_SPARSE);
 *     kith::entity player = world.spawn(Position{40, 12}, Health{100, 100});
 *     world.set<Position>(player, {41, 12});
 *
 *     auto moving = world.query<kith::write<Position>, kith::read<Velocity>>();
 *     moving.each([](Position &p, const Velocity &v) { p.x += v.dx; });
 *
 * This is the header to include. What it is made of, to be looked up:
 *
 *     entity.hpp     kith::entity, kith::none, kith::text
 *     type.hpp       how structs and classes are stored; kith::zero
 *     world.hpp      kith::world: types, entities, components, resources, events, systems
 *     query.hpp      terms, such as kith::read, and kith::query
 *     held.hpp       what a query, a tracker and a buffer keep of a world that may end first
 *     each.hpp       which parameters a function over entities may have
 *     iter.hpp       kith::batches and kith::iter: a query's batches, and what a system reaches
 *     commands.hpp   kith::commands
 *     tracker.hpp    kith::tracker
 *     system.hpp     how a lambda becomes a system
 *
 * Nothing here allocates or throws; exceptions may pass through `each` and `iter`, which then close
 * their query, but not through a system, an observer or a misuse handler. What a call returns and when
 * is told in the C headers; `c()` gives the C object, for all that is not repeated here. */
#ifndef KITH_KITH_HPP
#define KITH_KITH_HPP

#include <kith/kith.h>

#include <kith/commands.hpp>
#include <kith/each.hpp>
#include <kith/entity.hpp>
#include <kith/iter.hpp>
#include <kith/observer.hpp>
#include <kith/parameter.hpp>
#include <kith/query.hpp>
#include <kith/system.hpp>
#include <kith/tracker.hpp>
#include <kith/type.hpp>
#include <kith/world.hpp>

#endif
