/* Kith: an in-memory database for game entities: worlds, entities, components, queries, commands,
 * resources, events, texts, reflection. Systems are in <kith/system.h>, pools of whole structs in
 * <kith/pool.h>. */
#ifndef KITH_KITH_H
#define KITH_KITH_H

#include <kith/base.h>
#include <kith/commands.h>
#include <kith/entity.h>
#include <kith/event.h>
#include <kith/query.h>
#include <kith/reflect.h>
#include <kith/resource.h>
#include <kith/text.h>
#include <kith/tracker.h>
#include <kith/type.h>
#include <kith/world.h>

#endif
