/* System access: the calls of systems on the world by their iterators. Those of a query system are
 * checked against what it declares, in release builds too. Messages name the verb that programs write
 * beside the function that it calls. */
#include "base/hash.h"
#include "store/kept_values.h"
#include "store/register.h"
#include "system/parallel_loop.h"
#include "system/system_state.h"
#include "world/guard.h"
#include "world/lookup.h"

static void access_reject_iter(const kith_iter *it, const char *call)
{
    const ki_context *context = it == NULL ? NULL : it->context;
    if (it == NULL || it->task == NULL) {
        ki_misuse(context, "%s: the iterator is not one that a system was given", call);
    } else {
        ki_reject_lent(context, call);
    }
}

/* The world of an iterator whose calls do what those on the world do: the program opened it, or it is a
 * plain system's. NULL: it is a query system's, or was never opened. */
static inline kith_world *access_world(const kith_iter *it)
{
    return it == NULL || (it->task != NULL && !it->plain) || it->context == NULL
               ? NULL
               : (kith_world *)((uintptr_t)it->context - offsetof(kith_world, store.context));
}

/* The task of an iterator that a system was given, while this thread runs that task. NULL: the
 * misuse was reported. */
static inline ki_task *access_task(const kith_iter *it, const char *call)
{
    ki_task *task = it == NULL ? NULL : it->task;
    bool runs = task != NULL && (kith_thread_.key == task || ki_inside_enter(task));
    if (KI_CHECKED && !runs) {
        access_reject_iter(it, call);
        return NULL;
    }
    return task;
}

/* The parameter by which a C++ function declares an access. */
static const char *access_parameter(ki_use_kind kind, kith_access access)
{
    bool writes = access == KITH_ACCESS_WRITE;
    switch (kind) {
    case KI_USE_COMPONENT: return writes ? "lookup<" : "lookup<const ";
    case KI_USE_RESOURCE: return writes ? "resource<" : "resource<const ";
    default: return writes ? "sender<" : "events<";
    }
}

/* Reports what is wrong with an access. `use` is what the system declares about the type, or NULL. */
static void access_reject(const ki_task *task, const char *call, const ki_use *use,
                          ki_use_kind kind, const kith_type *type, kith_access access)
{
    const ki_context *context = &task->world->store.context;
    const char *what = ki_use_kind_name(kind);
    const char *list = kind == KI_USE_COMPONENT  ? "lookups"
                       : kind == KI_USE_RESOURCE ? "resources"
                                                 : "events";
    const char *system = task->system->name;
    const char *name = type->name == NULL ? "(null)" : type->name;
    const char *how = access == KITH_ACCESS_WRITE ? "WRITE" : "READ";
    const char *parameter = access_parameter(kind, access);
    if (task->system->is_loop) {
        ki_misuse(context,
                  "%s: a loop of system \"%s\" cannot use %s %s: by a handle it reads what its"
                  " query reads and does not write, and it sends nothing; do the rest before or"
                  " after it",
                  call, system, what, name);
    } else if (use != NULL && kind == KI_USE_EVENT) {
        ki_misuse(context,
                  "%s: system \"%s\" declares event %s as %s; declare KITH_%s(%s) too, in C++ by"
                  " a parameter kith::%s%s>",
                  call, system, name, use->reads ? "read" : "sent", how, name, parameter, name);
    } else if (use != NULL && use->before && access == KITH_ACCESS_WRITE) {
        ki_misuse(context,
                  "%s: system \"%s\" declares %s as KITH_BEFORE, which is to read; write it by the"
                  " query, or queue commands",
                  call, system, name);
    } else if (use != NULL && use->access >= (uint8_t)access) {
        ki_misuse(context,
                  "%s: system \"%s\" is parallel and writes component %s: other calls of it may be"
                  " writing the value; %s, or do without `parallel`",
                  call, system, name,
                  access == KITH_ACCESS_WRITE ? "queue commands"
                                              : "declare KITH_BEFORE, for values before the stage");
    } else if (use != NULL) {
        ki_misuse(context,
                  "%s: system \"%s\" declares %s %s as %s; declare it as KITH_%s(%s), in C++ by a"
                  " parameter kith::%s%s>",
                  call, system, what, name,
                  use->access == KITH_ACCESS_NONE ? "not accessed" : "read", how, name, parameter,
                  name);
    } else {
        ki_misuse(context,
                  "%s: system \"%s\" does not declare %s %s: .%s = KITH_TERMS(KITH_%s(%s)) in"
                  " its definition; in C++ a parameter kith::%s%s>",
                  call, system, what, name, list, how, name, parameter, name);
    }
}

static bool access_is_declared(const ki_use *use, ki_use_kind kind, kith_access access)
{
    if (use->access < (uint8_t)access) {
        return false;
    }
    if (kind == KI_USE_EVENT) {
        return access == KITH_ACCESS_WRITE || use->reads;
    }
    if (use->before && access == KITH_ACCESS_WRITE) {
        return false;
    }
    return kind == KI_USE_RESOURCE || access == KITH_ACCESS_NONE || use->by_handle;
}

/* The use that allows an access; NULL: the misuse was reported. */
static const ki_use *access_use(const ki_task *task, const char *call, ki_use_kind kind,
                                const kith_type *type, kith_access access)
{
    if (KI_CHECKED && type == NULL) {
        ki_misuse(&task->world->store.context, "%s: the type is NULL", call);
        return NULL;
    }
    const ki_use *use = ki_use_find(task->system, kind, type);
    if (use == NULL || !access_is_declared(use, kind, access)) {
        access_reject(task, call, use, kind, type, access);
        return NULL;
    }
    return use;
}

/* Where the values are that a use allowed to reach by a handle. */
static const struct kith_place_ *access_place(const ki_task *task, const ki_use *use)
{
    return use->kept != NULL ? &use->kept->place
                             : &ki_world_component(task->world, use->type)->place;
}

/* The same. The call may do so again inline. */
static const struct kith_place_ *access_grant(ki_task *task, const ki_use *use,
                                              const kith_type *type)
{
    uint32_t access = use->before      ? KITH_ACCESS_READ
                      : use->by_handle ? use->access
                                       : KITH_ACCESS_NONE;
    const struct kith_place_ *place = access_place(task, use);
    task->grants.last[use->number % KITH_GRANTS_] =
        (struct kith_grant_){.type = type, .place = place, .access = access};
    return place;
}

kith_iter kith_system_query_at(const kith_iter *it, uint32_t number, const char *file, int line)
{
    ki_task *task = access_task(it, "kith_system_query");
    if (task == NULL) {
        return (kith_iter){.result = KITH_ERR_MISUSE};
    }
    return ki_system_query_open(task, it, number, file, line);
}

kith_result kith_system_parallel(const kith_iter *it, kith_query *query,
                                 void (*run)(kith_iter *it), void *user)
{
    ki_task *task = access_task(it, "kith_system_parallel");
    return task == NULL ? KITH_ERR_MISUSE : ki_parallel_loop_run(task, it, query, run, user);
}

bool kith_system_has_hooks(const kith_iter *it, const kith_type *type)
{
    kith_world *world = access_world(it);
    if (world != NULL) {
        return kith_has_hooks(world, type);
    }
    ki_task *task = access_task(it, "kith_system_has_hooks");
    if (task == NULL) {
        return false;
    }
    if (KI_CHECKED && type == NULL) {
        ki_misuse(&task->world->store.context, "%s: the type is NULL", "kith_system_has_hooks");
        return false;
    }
    return ki_world_hooked(task->world, type) != NULL;
}

bool kith_system_alive(const kith_iter *it, kith_entity entity)
{
    kith_world *world = access_world(it);
    if (world != NULL) {
        return kith_alive(world, entity);
    }
    ki_task *task = access_task(it, "kith_system_alive (KITH_ALIVE)");
    if (task == NULL) {
        return false;
    }
    return ki_record_of(&task->world->store.entities, entity) != NULL;
}

bool kith_system_has(const kith_iter *it, kith_entity entity, const kith_type *type)
{
    kith_world *world = access_world(it);
    if (world != NULL) {
        return kith_has(world, entity, type);
    }
    ki_task *task = access_task(it, "kith_system_has (KITH_HAS)");
    if (task == NULL) {
        return false;
    }
    const ki_use *use =
        access_use(task, "kith_system_has (KITH_HAS)", KI_USE_COMPONENT, type, KITH_ACCESS_NONE);
    return use != NULL && kith_is_at_(access_grant(task, use, type), entity);
}

const void *kith_system_get(const kith_iter *it, kith_entity entity, const kith_type *type)
{
    kith_world *world = access_world(it);
    if (world != NULL) {
        return kith_get(world, entity, type);
    }
    ki_task *task = access_task(it, "kith_system_get (KITH_GET)");
    if (task == NULL) {
        return NULL;
    }
    const ki_use *use =
        access_use(task, "kith_system_get (KITH_GET)", KI_USE_COMPONENT, type, KITH_ACCESS_READ);
    if (use == NULL || use->type->size == 0) {
        return NULL;
    }
    const struct kith_place_ *place = access_grant(task, use, type);
    return kith_value_(place, entity, place->size, false);
}

kith_lookup kith_system_lookup(const kith_iter *it, const kith_type *type)
{
    kith_world *world = access_world(it);
    if (world != NULL) {
        return kith_lookup_new(world, type);
    }
    ki_task *task = access_task(it, "kith_system_lookup (KITH_LOOKUP)");
    if (task == NULL) {
        return ki_lookup_make(NULL, NULL, type, KITH_ERR_MISUSE);
    }
    kith_access access = type == NULL || type->size == 0 ? KITH_ACCESS_NONE : KITH_ACCESS_READ;
    const ki_use *use =
        access_use(task, "kith_system_lookup (KITH_LOOKUP)", KI_USE_COMPONENT, type, access);
    return use == NULL ? ki_lookup_make(NULL, NULL, type, KITH_ERR_MISUSE)
                       : ki_lookup_make(task->world, access_place(task, use), type, KITH_OK);
}

kith_result kith_system_get_mut(const kith_iter *it, kith_entity entity, const kith_type *type,
                                void **value)
{
    kith_world *world = access_world(it);
    if (world != NULL) {
        return kith_get_mut(world, entity, type, value);
    }
    ki_task *task = access_task(it, "kith_system_get_mut (KITH_GET_MUT)");
    if (task == NULL) {
        return KITH_ERR_MISUSE;
    }
    ki_store *store = &task->world->store;
    if (KI_CHECKED && value == NULL) {
        return ki_misuse(&store->context, "kith_system_get_mut: there is no place for the pointer");
    }
    const ki_use *use = access_use(task, "kith_system_get_mut (KITH_GET_MUT)", KI_USE_COMPONENT,
                                   type, KITH_ACCESS_WRITE);
    if (use == NULL) {
        return KITH_ERR_MISUSE;
    }
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (record == NULL) {
        return KITH_ERR_DEAD;
    }
    void *found = NULL;
    if (use->type->size == 0) {
        return KITH_ERR_ABSENT;
    }
    access_grant(task, use, type);
    ki_component *component = ki_world_component(task->world, use->type);
    if (KI_CHECKED && component->guarded) {
        return ki_reject_guarded(task->world, "kith_system_get_mut", component);
    }
    KI_TRY(ki_store_mark_value(store, component, entity.index1 - 1, record, &found));
    *value = found;
    return KITH_OK;
}

void *kith_system_get_mut_or_null(const kith_iter *it, kith_entity entity, const kith_type *type)
{
    void *value = NULL;
    return kith_system_get_mut(it, entity, type, &value) == KITH_OK ? value : NULL;
}

const void *kith_system_resource(const kith_iter *it, const kith_type *type)
{
    kith_world *world = access_world(it);
    if (world != NULL) {
        return kith_resource_get(world, type);
    }
    ki_task *task = access_task(it, "kith_system_resource (KITH_RESOURCE)");
    if (task == NULL) {
        return NULL;
    }
    const ki_use *use = access_use(task, "kith_system_resource (KITH_RESOURCE)", KI_USE_RESOURCE,
                                   type, KITH_ACCESS_READ);
    return use == NULL ? NULL : ki_resource_value(task->world, use->type);
}

kith_result kith_system_resource_mut(const kith_iter *it, const kith_type *type, void **value)
{
    kith_world *world = access_world(it);
    if (world != NULL) {
        return kith_resource_get_mut(world, type, value);
    }
    ki_task *task = access_task(it, "kith_system_resource_mut (KITH_RESOURCE_MUT)");
    if (task == NULL) {
        return KITH_ERR_MISUSE;
    }
    if (KI_CHECKED && value == NULL) {
        return ki_misuse(&task->world->store.context,
                         "kith_system_resource_mut: there is no place for the pointer");
    }
    const ki_use *use = access_use(task, "kith_system_resource_mut (KITH_RESOURCE_MUT)",
                                   KI_USE_RESOURCE, type, KITH_ACCESS_WRITE);
    return use == NULL ? KITH_ERR_MISUSE : ki_resource_mark(task->world, use->type, value);
}

void *kith_system_resource_mut_or_null(const kith_iter *it, const kith_type *type)
{
    void *value;
    return kith_system_resource_mut(it, type, &value) == KITH_OK ? value : NULL;
}

kith_result kith_system_send(kith_iter *it, const kith_type *type, const void *value)
{
    kith_world *world = access_world(it);
    if (world != NULL) {
        return kith_event_send(world, type, value);
    }
    ki_task *task = access_task(it, "kith_system_send (KITH_SEND)");
    if (task == NULL) {
        return KITH_ERR_MISUSE;
    }
    const ki_use *use =
        access_use(task, "kith_system_send (KITH_SEND)", KI_USE_EVENT, type, KITH_ACCESS_WRITE);
    if (use == NULL) {
        return KITH_ERR_MISUSE;
    }
    return ki_output_send(task, use, value);
}

const void *kith_system_event(const kith_iter *it, const kith_type *type, uint32_t index)
{
    kith_world *world = access_world(it);
    if (world != NULL) {
        return kith_event_at(world, type, index);
    }
    ki_task *task = access_task(it, "kith_system_event (KITH_EVENT)");
    if (task == NULL) {
        return NULL;
    }
    const ki_use *use =
        access_use(task, "kith_system_event (KITH_EVENT)", KI_USE_EVENT, type, KITH_ACCESS_READ);
    return use == NULL ? NULL : ki_event_at(task->world, use->type, index);
}

uint32_t kith_system_event_count(const kith_iter *it, const kith_type *type)
{
    kith_world *world = access_world(it);
    if (world != NULL) {
        return kith_event_count(world, type);
    }
    ki_task *task = access_task(it, "kith_system_event_count");
    if (task == NULL) {
        return 0;
    }
    const ki_use *use = access_use(task, "kith_system_event_count", KI_USE_EVENT,
                                   type, KITH_ACCESS_READ);
    return use == NULL ? 0 : ki_event_count(task->world, use->type);
}

static uint64_t access_seed(const ki_task *task)
{
    uint64_t hash = ki_hash_u64(KI_HASH_SEED, task->world->def.seed);
    hash = ki_hash_text(hash, task->system->name);
    return ki_hash_u64(ki_hash_u64(hash, task->world->tick), task->number);
}

/* The stream of a system's call, or of the world; NULL: the misuse was reported. */
static kith_random *access_random(const kith_iter *it, const char *call)
{
    kith_world *world = access_world(it);
    if (world != NULL && it->task == NULL) {
        return kith_world_random(world);
    }
    ki_task *task = access_task(it, call);
    if (task == NULL) {
        return NULL;
    }
    if (!task->seeded) {
        task->seeded = true;
        task->random.state = access_seed(task);
    }
    return &task->random;
}

uint64_t kith_system_random(kith_iter *it)
{
    kith_random *random = access_random(it, "kith_system_random");
    return random == NULL ? 0 : kith_random_next(random);
}

kith_random *kith_system_random_stream(kith_iter *it)
{
    return access_random(it, "kith_system_random_stream (KITH_RANDOM)");
}
