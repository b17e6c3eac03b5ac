/* The world: a store, the types that it knows, resources, events, and what hangs on it. */
#ifndef KI_WORLD_WORLD_H
#define KI_WORLD_WORLD_H

#include <kith/event.h>
#include <kith/query.h>
#include <kith/resource.h>
#include <kith/text.h>
#include <kith/world.h>

#include "base/map.h"
#include "store/others.h"
#include "store/ranks.h"
#include "store/register.h"
#include "store/store.h"
#include "store/texts.h"
#include "world/kept.h"
#include "world/part.h"
#include "world/plans.h"

struct kith_world {
    ki_store store;
    ki_component **by_number; /* by the type's number; NULL where the world does not know it */
    uint32_t by_number_capacity;
    ki_kept **resources; /* sorted by name */
    uint32_t resource_count;
    uint32_t resource_capacity;
    ki_map resource_numbers; /* the same by the numbers of their types */
    ki_kept **queues;        /* each the first member of a ki_queue */
    uint32_t queue_count;
    uint32_t queue_capacity;
    ki_map queue_numbers;
    ki_texts *texts; /* NULL: there never was one */
    ki_guest *guest; /* what kits take */
    uint64_t tick;   /* ticks begun */
    bool running;    /* inside of kith_run */
    bool observing;  /* observers are being called */
    uint64_t seed;   /* of systems' random numbers */
    kith_conflicts conflicts;
    kith_misuse_fn on_warning;
    void *warning_context;
    ki_attachment parts[KI_PART_COUNT];
    struct {
        uint64_t name; /* hashed; of the type that kith_register refused last, and why */
        char why[256];
    } refused;
    uint32_t command_tags; /* given out: see ki_world_command_tag */
    ki_ranks tables;       /* in order, for kith_table_memory; void in another epoch */
    uint32_t tables_seen;  /* of the store's created tables */
    uint64_t tables_epoch;
    const ki_plan *last_plan; /* the cached plan that was used last; never NULL */
    ki_cached_plan *plans;    /* KI_PLAN_CACHE; NULL before there is one */
    ki_several several;
};

static inline ki_store *ki_world_store(kith_world *world)
{
    return &world->store;
}

static inline ki_context *ki_world_context(const kith_world *world)
{
    return (ki_context *)(uintptr_t)&world->store.context;
}

/* A number that tells the provisional handles of one filling of a command buffer from those of the
 * others: another one than the last 255. Any thread may ask. */
static inline uint32_t ki_world_command_tag(kith_world *world)
{
    return (KI_FETCH_ADD(&world->command_tags, 1) + 1) % 256;
}

/* Where misuse of a call on `world`, which may be NULL, is told. */
static inline const ki_context *ki_world_judge(const kith_world *world)
{
    return world == NULL ? NULL : &world->store.context;
}

/* Whether the calling thread is known to own the world, which then is not NULL. */
static inline bool ki_world_is_mine(const kith_world *world)
{
    _Static_assert(offsetof(kith_world, store.context) == 0, "a world's key is its own address");
    return !KI_CHECKED || ki_this_thread.key == (const void *)world;
}

/* Whether the structure may change, for the thread that owns the world: no query is open. */
static inline bool ki_world_is_unlocked(const kith_world *world)
{
    return !KI_CHECKED || world->store.open == NULL;
}

static inline bool ki_world_may_change(const kith_world *world)
{
    return ki_world_is_mine(world) && ki_world_is_unlocked(world);
}

/* For when it is not known who owns the world, or there is none: whether the calling thread owns it, may
 * change its structure too, or at least runs one of its query systems. */
bool ki_world_lets_call(const kith_world *world);
bool ki_world_lets_change(const kith_world *world);
bool ki_world_lets_read(const kith_world *world);

/* At the start of the slow part of a call: whether nothing is wrong, except that this thread used another
 * world before. The call then starts again. */
static inline bool ki_world_may_retry(const kith_world *world)
{
    return !ki_world_is_mine(world) && ki_world_lets_call(world);
}

/* Reports what keeps a call from a world: it is NULL, another thread's, or a hook or query systems run. */
kith_result ki_refuse_world(const kith_world *world, const char *call);

/* The same for a change of structure. */
kith_result ki_refuse_change(const kith_world *world, const char *call);

/* Each call starts with one of these. KITH_ERR_MISUSE: the call may not go on, and that is reported.
 *
 * For calls of the owner that change no structure. */
static inline kith_result ki_world_require_owner(const kith_world *world, const char *call)
{
    if (KI_LIKELY(ki_world_is_mine(world)) || ki_world_lets_call(world)) {
        return KITH_OK;
    }
    ki_refuse_world(world, call);
    return KITH_ERR_MISUSE;
}

/* For those that query systems may make too: they read what no system writes. */
static inline kith_result ki_world_require_reader(const kith_world *world, const char *call)
{
    if (KI_LIKELY(ki_world_is_mine(world)) || ki_world_lets_read(world)) {
        return KITH_OK;
    }
    ki_refuse_world(world, call);
    return KITH_ERR_MISUSE;
}

/* For calls that change structure: no query may be open. */
static inline kith_result ki_world_require_change(const kith_world *world, const char *call)
{
    if (KI_LIKELY(ki_world_may_change(world)) || ki_world_lets_change(world)) {
        return KITH_OK;
    }
    ki_refuse_change(world, call);
    return KITH_ERR_MISUSE;
}

/* The same. Also frees what earlier calls outgrew; a call that finds everything ready does without. */
static inline kith_result ki_world_begin_change(kith_world *world, const char *call)
{
    KI_TRY(ki_world_require_change(world, call));
    if (world->store.space.outgrown != NULL) {
        ki_space_sweep(&world->store.space);
    }
    return KITH_OK;
}

/* Lets query systems in, which may run in other threads, and nobody else; and out again. How a system
 * fails is told by kith_run. */
static inline void ki_world_close(kith_world *world)
{
    ki_context *context = &world->store.context;
    ki_context_set_owner(context, &ki_owned_by_systems);
    context->heap.told = NULL;
}

static inline void ki_world_open(kith_world *world)
{
    ki_context *context = &world->store.context;
    context->heap.told = context->error;
    ki_context_set_owner(context, ki_thread());
}

/* Makes a type known as a component, for kith_register and whatever else brings types along: their
 * errors, told as those of `call`. `*kept` is the register's copy. The structure may change. */
kith_result ki_world_add_type(kith_world *world, const char *call, const kith_type *type,
                              kith_layout layout, const kith_hooks *hooks, const kith_type **kept);

/* The component that a type is registered as with hooks, which values elsewhere have then too; NULL if
 * there is none. KITH_ERR_TYPE for a type that cannot be without hooks, and is. */
kith_result ki_world_require_hooks(kith_world *world, const char *call, const kith_type *type,
                                   const ki_component **hooked);

/* The first field that is KITH_OPAQUE, or NULL. */
const kith_field *ki_type_opaque(const kith_type *type);

/* kith_tracker_new for a component that there is, and where it is not a tag, maybe with the values
 * that were lost. */
kith_result ki_tracker_new(ki_store *store, ki_component *component, bool valued,
                           kith_tracker **tracker);

/* kith_set_several, for whatever does so: its errors, with misuse told as that of `call`. */
kith_result ki_world_set_several(kith_world *world, const char *call, kith_entity entity,
                                 const kith_value *values, uint32_t count);

/* Whether the world knows the type with a number, for the register. */
bool ki_world_knows(const void *context, uint32_t number);

ki_component *ki_world_component_slow(const kith_world *world, const kith_type *type);

/* The component of a type; NULL if the world does not know it. */
static inline ki_component *ki_world_component(const kith_world *world, const kith_type *type)
{
    uint32_t number = ki_type_number(type);
    if (number < world->by_number_capacity && world->by_number[number] != NULL) {
        return world->by_number[number];
    }
    return ki_world_component_slow(world, type);
}

/* The same for values with hooks: NULL if those of the type have none. */
static inline const ki_component *ki_world_hooked(const kith_world *world, const kith_type *type)
{
    if (!world->store.hooked) {
        return NULL;
    }
    const ki_component *component = ki_world_component(world, type);
    return component == NULL || component->hooks == NULL ? NULL : component;
}

/* The component of a type in the usual case, for calls of the owner. NULL where a call has to look
 * again, or to tell what is wrong: then it goes another way, so that this one needs no frame. */
static inline ki_component *ki_world_known(const kith_world *world, const kith_type *type)
{
    if (KI_UNLIKELY(!ki_world_is_mine(world) || type == NULL)) {
        return NULL;
    }
    uint32_t number = ki_type_number(type);
    return KI_LIKELY(number < world->by_number_capacity) ? world->by_number[number] : NULL;
}

/* Tells that a type is NULL, or not known to the world, and why that may be. */
kith_result ki_refuse_type(const kith_world *world, const char *call, const kith_type *type);

/* The component of a type, which the program must have registered. NULL: the misuse was told. */
ki_component *ki_world_require_component_slow(const kith_world *world, const char *call,
                                              const kith_type *type);
static inline ki_component *ki_world_require_component(const kith_world *world, const char *call,
                                                       const kith_type *type)
{
    ki_component *known = ki_world_known(world, type);
    return KI_LIKELY(known != NULL) ? known : ki_world_require_component_slow(world, call, type);
}

/* The component of a type whose values are `size` bytes, at `bytes`, and nothing more. KITH_ERR_UNKNOWN,
 * KITH_ERR_TYPE. */
kith_result ki_world_bytes_of(const kith_world *world, const char *call, const kith_type *type,
                              const void *bytes, size_t size, ki_component **component);

/* Drops the events whose time has come; the tick has been counted. */
void ki_events_begin_tick(kith_world *world);

/* kith_event_reserve, on behalf of `call`: ki_event_write cannot fail `count` times, without hooks. For
 * what systems send side by side. */
kith_result ki_event_reserve(kith_world *world, const char *call, const kith_type *type,
                             uint32_t count);
void ki_event_write(kith_world *world, const kith_type *type, const void *value);

/* kith_event_at, also while query systems run. */
const void *ki_event_at(const kith_world *world, const kith_type *type, uint32_t index);

/* kith_resource_get and kith_resource_get_mut, also while query systems run. */
const void *ki_resource_value(const kith_world *world, const kith_type *type);
kith_result ki_resource_touch(kith_world *world, const kith_type *type, void **value);

/* The values of a type among those that are kept; NULL if there are none. */
static inline ki_kept *ki_kept_find(const ki_map *numbers, const kith_type *type)
{
    return ki_map_find(numbers, ki_type_number_found(type));
}

/* Whether there are events of a type, and a resource. */
bool ki_event_known(const kith_world *world, const kith_type *type);
bool ki_resource_known(const kith_world *world, const kith_type *type);

void ki_events_free(kith_world *world);
void ki_resources_free(kith_world *world);
/* Calls `visit` for every column of the world, the store's included. */
void ki_world_each_column(kith_world *world, void (*visit)(ki_column *column, void *context),
                          void *context);

#endif
