/* Kith: an in-memory database for game entities. This header has all of the core:
 *
 *     entity.h      handles
 *     type.h        types of components, resources and events
 *     world.h       worlds, entities, components
 *     query.h       queries, and loops over what matches;  condition.h  conditions on values
 *     commands.h    changes that are queued, and made later
 *     verbs.h       KITH_SPAWN, KITH_SET, KITH_GET ...: one verb for one thing
 *     resource.h    one value of a type for the world;  event.h  queues of events
 *     system.h      systems;  schedule.h  phases, stages, workers;  clock.h  frames and ticks
 *     observer.h    functions that are told of changes;  tracker.h  lists of changes
 *     sort.h        the order in which loops visit entities;  index.h  entities by their values
 *     unique.h      keys that no two entities have
 *     relation.h    links between entities;  hierarchy.h  parents and children;  name.h  their names
 *     via.h         queries about other entities;  pair.h  about several that are linked
 *     live.h        what a query matches, and what became of that
 *     snapshot.h    what a world was, to go back to
 *     diff.h        what differs between two snapshots;  view.h  one that another thread reads
 *     fork.h        a world that goes on from a snapshot, beside its own
 *     spatial.h     entities by where they are
 *     reflect.h     types at run time, values as text;  reader.h  for formats of your own
 *     query_text.h  queries in text;  select.h  tables of values from them
 *     text.h        interned texts;  random.h  random numbers
 *     profile.h     where the time goes;  namer.h  names of entities in messages
 *     pool.h        pools of whole structs, without a world
 *
 * <kith/static.h>, worlds that are fixed when they are compiled, is apart, and so are the kits:
 * <kith/scene.h>, <kith/game.h>, <kith/terminal.h>. */
#ifndef KITH_KITH_H
#define KITH_KITH_H

#include <kith/base.h>
#include <kith/bytes.h>
#include <kith/clock.h>
#include <kith/commands.h>
#include <kith/condition.h>
#include <kith/diff.h>
#include <kith/diff_bytes.h>
#include <kith/entity.h>
#include <kith/event.h>
#include <kith/fork.h>
#include <kith/hierarchy.h>
#include <kith/index.h>
#include <kith/live.h>
#include <kith/lookup.h>
#include <kith/name.h>
#include <kith/namer.h>
#include <kith/observer.h>
#include <kith/pair.h>
#include <kith/pool.h>
#include <kith/profile.h>
#include <kith/query.h>
#include <kith/query_text.h>
#include <kith/random.h>
#include <kith/reader.h>
#include <kith/reflect.h>
#include <kith/relation.h>
#include <kith/resource.h>
#include <kith/save.h>
#include <kith/schedule.h>
#include <kith/select.h>
#include <kith/snapshot.h>
#include <kith/sort.h>
#include <kith/spatial.h>
#include <kith/system.h>
#include <kith/text.h>
#include <kith/tracker.h>
#include <kith/transfer.h>
#include <kith/type.h>
#include <kith/unique.h>
#include <kith/verbs.h>
#include <kith/via.h>
#include <kith/view.h>
#include <kith/world.h>

#endif
