/* The world: a store, the types that it knows, resources, events, and the parts above it. */
#ifndef KI_WORLD_WORLD_H
#define KI_WORLD_WORLD_H

#include <kith/event.h>
#include <kith/query.h>
#include <kith/resource.h>
#include <kith/text.h>
#include <kith/world.h>

#include "base/map.h"
#include "store/ranks.h"
#include "store/register.h"
#include "store/storages.h"
#include "store/store.h"
#include "store/texts.h"
#include "world/bundle_cache.h"
#include "world/kept.h"
#include "world/part.h"

/* A type that kith_register refused. A later use of it fails in the same way: it may have been meant to
 * have hooks or another layout. */
typedef struct ki_refusal {
    uint64_t name;      /* hash of its name */
    kith_result result; /* KITH_OK: none */
    char why[128];
} ki_refusal;

#define KI_REFUSALS 8u

struct kith_world {
    ki_store store;
    ki_kept **resources; /* sorted by name */
    uint32_t resource_count;
    uint32_t resource_capacity;
    ki_map resource_numbers; /* the resources by the numbers of their types */
    ki_kept **queues;        /* each the first member of a ki_queue */
    uint32_t queue_count;
    uint32_t queue_capacity;
    ki_map queue_numbers;
    ki_texts *texts;           /* NULL: no text was interned yet */
    ki_guest *guest;           /* memory that kits take */
    struct kith_namer *namers; /* the last one that was added first */
    uint64_t tick;             /* ticks begun */
    kith_random random;        /* kith_world_random */
    uint64_t run;              /* the tick that events sent now belong to */
    kith_world_def def;        /* what it was made with, for the parts */
    ki_attachment parts[KI_PART_COUNT];
    ki_refusal refusals[KI_REFUSALS]; /* the last ones */
    uint32_t refusal_next;            /* which is overwritten next */
    uint32_t command_tags;            /* how many were given out: see ki_world_command_tag */
    ki_ranks tables;      /* in order, for kith_table_memory; not valid in another epoch */
    uint32_t tables_seen; /* how many of the tables ever made `tables` has */
    uint64_t tables_epoch;
    const ki_bundle *last_bundle; /* the cached bundle that was used last; never NULL */
    ki_cached_bundle *bundles;    /* KI_BUNDLE_CACHE; NULL before there is one */
    ki_last_transition last_transition;
};

static inline ki_store *ki_world_store(kith_world *world)
{
    return &world->store;
}

static inline ki_context *ki_world_context(const kith_world *world)
{
    return (ki_context *)(uintptr_t)&world->store.context;
}

/* The entity in a slot, which may be about to be made. */
static inline kith_entity ki_world_entity_in(const kith_world *world, uint32_t index)
{
    const ki_entities *entities = &world->store.entities;
    return index < entities->slots ? ki_entity_at(entities, index) : (kith_entity){index + 1, 0};
}

/* A number for the provisional handles of one filling of a command buffer. It differs from the last 255
 * numbers. Any thread may call. */
static inline uint32_t ki_world_command_tag(kith_world *world)
{
    return (KI_FETCH_ADD(&world->command_tags, 1) + 1) % 256;
}

/* The context to report misuse to; NULL if `world` is. */
static inline const ki_context *ki_world_error_context(const kith_world *world)
{
    return world == NULL ? NULL : &world->store.context;
}

/* Whether the calling thread is known to own the world. Then the world is not NULL. */
static inline bool ki_world_is_mine(const kith_world *world)
{
    _Static_assert(offsetof(kith_world, store.context) == 0, "a world's key is its own address");
    return !KI_CHECKED || kith_thread_.key == (const void *)world;
}

/* Whether the world is a view of a snapshot. */
static inline bool ki_world_is_view(const kith_world *world)
{
    return world->store.columns.borrowed;
}

/* Whether no query is open, and the world is no view, so that the owner thread may change the
 * structure. */
static inline bool ki_world_is_unlocked(const kith_world *world)
{
    return !KI_CHECKED || world->store.locks == 0;
}

static inline bool ki_world_may_change(const kith_world *world)
{
    return ki_world_is_mine(world) && ki_world_is_unlocked(world);
}

/* The full checks, for a thread that is not known to own the world, which may be NULL. Whether
 * the thread owns it; owns it, and the structure may change; owns it, or runs one of its query
 * systems. */
bool ki_world_lets_call(const kith_world *world);
bool ki_world_lets_change(const kith_world *world);
bool ki_world_lets_read(const kith_world *world);

/* Whether the slow part of a call was reached only because this thread used another world
 * before. The call then starts again. */
static inline bool ki_world_may_retry(const kith_world *world)
{
    return !ki_world_is_mine(world) && ki_world_lets_call(world);
}

/* Reports why a call may not use a world: it is NULL or another thread's, or a hook or systems run. */
kith_result ki_reject_world(const kith_world *world, const char *call);

/* Reports why a call may not change the structure of a world. */
kith_result ki_reject_change(const kith_world *world, const char *call);

/* Most calls start with one of these. KITH_ERR_MISUSE: the call may not go on, which has been reported.
 *
 * For calls of the owner that change no structure. */
static inline kith_result ki_world_require_owner(const kith_world *world, const char *call)
{
    if (ki_world_is_mine(world) || ki_world_lets_call(world)) {
        return KITH_OK;
    }
    ki_reject_world(world, call);
    return KITH_ERR_MISUSE;
}

/* Reports that a call writes, and the world is a view. */
kith_result ki_reject_view(const kith_world *world, const char *call);

/* For calls of the owner that write without changing structure: the world is no view. */
static inline kith_result ki_world_require_written(const kith_world *world, const char *call)
{
    return KI_CHECKED && ki_world_is_view(world) ? ki_reject_view(world, call) : KITH_OK;
}

static inline kith_result ki_world_require_writer(const kith_world *world, const char *call)
{
    KI_TRY(ki_world_require_owner(world, call));
    return ki_world_require_written(world, call);
}

/* For those that query systems may make too: they read what no system writes. */
static inline kith_result ki_world_require_reader(const kith_world *world, const char *call)
{
    if (ki_world_is_mine(world) || ki_world_lets_read(world)) {
        return KITH_OK;
    }
    ki_reject_world(world, call);
    return KITH_ERR_MISUSE;
}

/* For calls that change structure: no query may be open. */
static inline kith_result ki_world_require_change(const kith_world *world, const char *call)
{
    if (ki_world_may_change(world) || ki_world_lets_change(world)) {
        return KITH_OK;
    }
    ki_reject_change(world, call);
    return KITH_ERR_MISUSE;
}

/* ki_world_require_change, which also frees deferred blocks. */
static inline kith_result ki_world_begin_change(kith_world *world, const char *call)
{
    KI_TRY(ki_world_require_change(world, call));
    ki_columns_free_deferred(&world->store.columns);
    return KITH_OK;
}

/* The call under way that calls the program back, such as "kith_run"; NULL: none is. */
const char *ki_world_busy(const kith_world *world);

/* Closes the world to all calls except those that functions of a part may make, in any thread; and opens
 * it again. `why` is for messages. No error messages are kept in between. */
static inline void ki_world_close(kith_world *world, const char *why)
{
    ki_context *context = &world->store.context;
    KI_STORE(&context->closed, why);
    ki_context_set_owner(context, &ki_nobody);
    context->heap.message = NULL;
}

static inline void ki_world_open(kith_world *world)
{
    ki_context *context = &world->store.context;
    context->heap.message = context->error;
    KI_STORE(&context->closed, NULL);
    ki_context_set_owner(context, ki_thread());
}

/* Makes a type known as a component: the shared part of all calls that add types, with the errors of
 * kith_register. Messages name `call`. `*kept` is the register's copy. The structure may change. */
kith_result ki_world_add_type(kith_world *world, const char *call, const kith_type *type,
                              kith_layout layout, const kith_hooks *hooks, const kith_type **kept);

/* Makes room for the place of the component of the type with a number. KITH_ERR_MEMORY. */
kith_result ki_world_reserve_number(kith_world *world, uint32_t number);

/* The component that gives hooks to all values of a type, also to resources and events; NULL if the type
 * is not registered with hooks. KITH_ERR_TYPE if it has none but needs them for an opaque field. */
kith_result ki_world_require_hooks(kith_world *world, const char *call, const kith_type *type,
                                   const ki_component **hooked);

/* The first field that is KITH_OPAQUE, or NULL. */
const kith_field *ki_type_opaque(const kith_type *type);

/* kith_tracker_new for a component. With `valued` it also keeps the values that entities lose, and which
 * of the losses are despawns. */
kith_result ki_tracker_new(ki_store *store, ki_component *component, bool valued,
                           kith_tracker **tracker);

/* kith_set_values, with misuse reported as that of `call`. */
kith_result ki_world_set_values(kith_world *world, const char *call, kith_entity entity,
                                const kith_value *values, uint32_t count);

/* Whether the world knows the type with this number; `context` is the world. For the register. */
bool ki_world_knows(const void *context, uint32_t number);

/* The component of the type with a number; NULL if the world does not know it. */
static inline ki_component *ki_world_numbered(const kith_world *world, uint32_t number)
{
    const struct kith_known_ *known = &world->store.context.known;
    return number < known->count ? (ki_component *)known->places[number] : NULL;
}

ki_component *ki_world_component_slow(const kith_world *world, const kith_type *type);

/* The component of a type; NULL if the world does not know it. */
static inline ki_component *ki_world_component(const kith_world *world, const kith_type *type)
{
    ki_component *component = ki_world_numbered(world, ki_type_number(type));
    return component != NULL ? component : ki_world_component_slow(world, type);
}

/* The component of a type that has hooks; NULL if the type has none. */
static inline const ki_component *ki_world_hooked(const kith_world *world, const kith_type *type)
{
    if (!world->store.hooked) {
        return NULL;
    }
    const ki_component *component = ki_world_component(world, type);
    return component == NULL || component->hooks == NULL ? NULL : component;
}

/* The component of a type in the usual case, for calls of the owner. NULL: the call goes on in its slow
 * part, which looks again or reports what is wrong. The usual case then needs no stack frame. */
static inline ki_component *ki_world_known(const kith_world *world, const kith_type *type)
{
    if (!ki_world_is_mine(world) || type == NULL) {
        return NULL;
    }
    return ki_world_numbered(world, ki_type_number(type));
}

/* Reports that a type is NULL or not known to the world, and the likely cause. */
kith_result ki_reject_type(const kith_world *world, const char *call, const kith_type *type);

/* Checks a value of a component that is given as `size` bytes at `bytes`. KITH_ERR_TYPE if its values
 * have another size or hooks. */
kith_result ki_world_check_bytes(const kith_world *world, const char *call,
                                 const ki_component *component, const void *bytes, size_t size);

/* Drops old events, and takes new ones as those of this tick, until it ends. It is already counted. */
void ki_events_begin_tick(kith_world *world);
void ki_events_end_tick(kith_world *world);

/* kith_event_reserve, with errors reported as those of `call`: afterwards `count` calls of
 * ki_event_write cannot fail. For events without hooks that systems send in parallel. */
kith_result ki_event_reserve(kith_world *world, const char *call, const kith_type *type,
                             uint32_t count);
void ki_event_write(kith_world *world, const kith_type *type, const void *value);

/* kith_event_at, also while query systems run. */
const void *ki_event_at(const kith_world *world, const kith_type *type, uint32_t index);
uint32_t ki_event_count(const kith_world *world, const kith_type *type);

/* kith_resource_get and kith_resource_get_mut, also while query systems run. */
const void *ki_resource_value(const kith_world *world, const kith_type *type);
kith_result ki_resource_mark(kith_world *world, const kith_type *type, void **value);

/* The resource or the queue of a type, in the map of these; NULL if there is none. */
static inline ki_kept *ki_kept_find(const ki_map *numbers, const kith_type *type)
{
    return ki_map_find(numbers, ki_type_number_found(type));
}

/* Whether the world has a queue of events, and a resource, of a type. */
bool ki_event_known(const kith_world *world, const kith_type *type);
bool ki_resource_known(const kith_world *world, const kith_type *type);

/* Lets go of all namers, which are not the world's. */
void ki_namers_release(kith_world *world);

void ki_events_free(kith_world *world);
void ki_resources_free(kith_world *world);

/* Calls `visit` for every column of the world, including those of the store. */
void ki_world_each_column(kith_world *world, void (*visit)(ki_column *column, void *context),
                          void *context);

#endif
