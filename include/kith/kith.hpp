/* Kith for C++17: the same calls with templates instead of macros. The types of components are described
 * as in C, by KITH_COMPONENT and KITH_TAG, or by KITH_TYPE beside a struct (in its namespace).
 *
 *     kith::world world;
 *     kith::entity player = world.spawn(Position{40, 12}, Health{100, 100});
 *     world.set<Position>(player, {41, 12});
 *     world.each([](Position &p, const Velocity &v) { p.x += v.dx; });
 *     world.system("movement", [](Position &p, const Velocity &v, float dt) { p.x += v.dx * dt; });
 *
 * This is the header to include. What it is made of, to be looked up:
 *
 *     parameter.hpp     what a function that Kith calls may take
 *     given.hpp         kith::lookup, resource, sender, subquery: what it is given by these
 *     context.hpp       kith::context: all that such a function reaches
 *     world.hpp         kith::world: queries, loops, systems, observers
 *     world_values.hpp  its entities, components, resources, events, texts
 *     world_owner.hpp   its types, log, hashes, workers
 *     hierarchy.hpp     its parents, children and names;  relation.hpp  its other relations
 *     system.hpp        kith::named, and how a function becomes a system
 *     observer.hpp      functions that are told of changes
 *     query.hpp         kith::query;  query_term.hpp  its terms, such as kith::read
 *     condition.hpp     kith::field, and what its values have to be;  pair.hpp  kith::pair
 *     index.hpp         kith::index: entities by values, and by place;  key.hpp  keys by a lambda
 *     live.hpp          kith::live_query: what became of those that match
 *     select.hpp        kith::selection: queries in text
 *     snapshot.hpp      kith::snapshot: what a world was; views, forks, differences
 *     commands.hpp      kith::commands;  tracker.hpp  kith::tracker
 *     iter.hpp          kith::batches and kith::iter: a query's batches
 *     entity.hpp        kith::entity, kith::none, kith::text
 *     type.hpp          how structs and classes are stored; kith::zero
 *     event.hpp         kith::events;  random.hpp  kith::random;  reflect.hpp  values as text
 *     each.hpp          how a function is called for entities
 *     attached.hpp, held.hpp  what a world keeps, and what is kept of a world that may end first
 *
 * Kits have headers of their own: <kith/scene.hpp>, <kith/game.hpp>.
 *
 * A world keeps the functions of its systems and observers, and a query for each function that
 * world::each is called with. Nothing else here allocates, and nothing throws, other than the container
 * that snapshot::diff_bytes and world::save fill; exceptions may pass through `each` and `iter`, which
 * then close their query, but not through a system, an observer or a misuse handler. What a call returns
 * and when is told in the C headers; `c()` gives the C object, for all that is not repeated here. */
#ifndef KITH_KITH_HPP
#define KITH_KITH_HPP

#include <kith/kith.h>

#include <kith/commands.hpp>
#include <kith/condition.hpp>
#include <kith/context.hpp>
#include <kith/each.hpp>
#include <kith/entity.hpp>
#include <kith/event.hpp>
#include <kith/given.hpp>
#include <kith/hierarchy.hpp>
#include <kith/index.hpp>
#include <kith/iter.hpp>
#include <kith/key.hpp>
#include <kith/live.hpp>
#include <kith/observer.hpp>
#include <kith/pair.hpp>
#include <kith/parameter.hpp>
#include <kith/query.hpp>
#include <kith/random.hpp>
#include <kith/reflect.hpp>
#include <kith/relation.hpp>
#include <kith/select.hpp>
#include <kith/snapshot.hpp>
#include <kith/system.hpp>
#include <kith/tracker.hpp>
#include <kith/type.hpp>
#include <kith/world.hpp>

#endif
