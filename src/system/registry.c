/* Which systems there are. */
#include <string.h>

#include "base/hash.h"
#include "system/system.h"

KI_RARE static void registry_free(kith_world *world, void *data)
{
    ki_systems *systems = data;
    ki_heap *heap = &world->store.context.heap;
    ki_crew_free(world, systems->crew);
    ki_observers_free(systems);
    ki_profile_free(systems);
    for (uint32_t i = 0; i < systems->count; i++) {
        ki_system_free(world, systems->in_order[i]);
    }
    for (uint32_t i = 0; i < systems->phase_count; i++) {
        ki_heap_give_text(heap, systems->phases[i]);
    }
    ki_outboxes_free(systems);
    ki_heap_give(heap, systems->phases, systems->phase_capacity * sizeof *systems->phases,
                 _Alignof(max_align_t));
    ki_heap_give(heap, systems->in_order, (size_t)systems->capacity * 2 * sizeof *systems->in_order,
                 _Alignof(max_align_t));
    ki_heap_give(heap, systems->tasks, systems->task_capacity * sizeof *systems->tasks,
                 _Alignof(max_align_t));
    ki_lock_end(&systems->lock);
    ki_heap_give(heap, systems, sizeof *systems, _Alignof(ki_systems));
}

KI_RARE static const char *registry_check(const kith_world *world, const void *data)
{
    const ki_systems *systems = data;
    if (systems->built && (!systems->sorted || !ki_order_is_right(systems))) {
        return "the systems are out of order";
    }
    for (uint32_t i = 0; i < systems->count; i++) {
        const ki_system *system = systems->in_order[i];
        if (ki_phase_find(systems, system->phase) == systems->phase_count) {
            return "a system is in a phase that is not there";
        }
        if (systems->built && system->stage >= systems->stage_count) {
            return "a system is in no stage";
        }
        for (uint32_t k = 0; systems->built && k < i; k++) {
            const ki_system *before = systems->in_order[k];
            if (before->stage >= system->stage &&
                ki_schedule_wait(systems, before, system).kind != KI_WAIT_NOT) {
                return "a system does not run behind one that it waits for";
            }
        }
    }
    for (uint32_t i = 0; i < systems->outbox_count; i++) {
        if (systems->outboxes[i]->sent.filling != NULL) {
            return "an event that a system sent has not arrived";
        }
    }
    return ki_context_owner(&world->store.context) == &ki_owned_by_systems ||
                   world->store.space.lock != NULL
               ? "query systems are said to run"
               : NULL;
}

/* What decides about later ticks: which systems run, when, and in which order. Their functions
 * cannot be told. */
KI_RARE static uint64_t registry_hash(uint64_t hash, const void *data)
{
    ki_systems *systems = (ki_systems *)(uintptr_t)data;
    ki_systems_sort(systems);
    hash = systems->count == 0 ? hash : ki_hash_u64(hash, systems->world->seed);
    for (uint32_t i = 0; i < systems->count; i++) {
        const ki_system *system = systems->in_order[i];
        hash = ki_hash_text(hash, system->name);
        hash = ki_hash_u64(hash, (uint64_t)(uint32_t)system->priority << 1 | system->enabled);
        hash = ki_hash_f64(hash, system->since);
        hash = ki_hash_f64(hash, system->due);
        hash = ki_hash_u64(hash, system->ticks);
    }
    return hash;
}

/* What systems send stands in memory beside the world's heap. Their buffers count as all do. */
KI_RARE static void registry_count(const void *data, kith_memory_stats *stats)
{
    const ki_systems *systems = data;
    for (uint32_t i = 0; i < systems->outbox_count; i++) {
        stats->commands += systems->outboxes[i]->heap.used;
        stats->allocations += systems->outboxes[i]->heap.allocations;
    }
}

static const ki_attachment_calls registry_calls = {.free = registry_free,
                                                   .hash = registry_hash,
                                                   .check = registry_check,
                                                   .count = registry_count};

uint32_t ki_systems_find(const ki_systems *systems, const char *name)
{
    uint32_t place = 0;
    while (systems != NULL && place < systems->count &&
           strcmp(systems->in_order[place]->name, name) != 0) {
        place++;
    }
    return place;
}

KI_RARE static kith_result registry_unknown(kith_world *world, const char *call, const char *name)
{
    ki_systems *systems = ki_systems_of(world);
    char known[320] = "";
    size_t length = 0;
    if (systems != NULL) {
        ki_systems_sort(systems);
    }
    for (uint32_t i = 0; systems != NULL && i < systems->count; i++) {
        const char *next = systems->in_order[i]->name;
        if (length + strlen(next) + 8 > sizeof known) {
            memcpy(known + length, ", ...", 6);
            break;
        }
        memcpy(known + length, ", ", 2);
        memcpy(known + length + 2, next, strlen(next) + 1);
        length += strlen(next) + 2;
    }
    return ki_fail(&world->store.context, KITH_ERR_UNKNOWN,
                   "%s: there is no system '%.100s'; there %s%s", call, name,
                   length == 0 ? "are none" : "are: ", length == 0 ? "" : known + 2);
}

/* ---- Phases ---------------------------------------------------------------------------------- */

KI_RARE uint32_t ki_phase_find(const ki_systems *systems, const char *name)
{
    uint32_t number = 0;
    while (number < systems->phase_count && strcmp(systems->phases[number], name) != 0) {
        number++;
    }
    return number;
}

KI_RARE static kith_result registry_insert_phase(ki_systems *systems, const char *name,
                                                 uint32_t place)
{
    ki_heap *heap = &systems->world->store.context.heap;
    KI_TRY(ki_heap_grow(heap, &systems->phases, &systems->phase_capacity, systems->phase_count + 1,
                        sizeof *systems->phases, 8));
    char *copy = ki_heap_copy_text(heap, name);
    if (copy == NULL) {
        return KITH_ERR_MEMORY;
    }
    memmove(systems->phases + place + 1, systems->phases + place,
            (systems->phase_count - place) * sizeof *systems->phases);
    systems->phases[place] = copy;
    systems->phase_count++;
    return KITH_OK;
}

KI_RARE ki_systems *ki_systems_make(kith_world *world)
{
    static const char *const usual[] = {KITH_PHASE_BEGIN, KITH_PHASE_EARLY, KITH_PHASE_UPDATE,
                                        KITH_PHASE_LATE, KITH_PHASE_END};
    ki_attachment *part = &world->parts[KI_PART_SYSTEMS];
    if (part->data != NULL) {
        return part->data;
    }
    ki_systems *systems =
        ki_heap_take_zeroed(&world->store.context.heap, sizeof *systems, _Alignof(ki_systems));
    if (systems == NULL) {
        return NULL;
    }
    systems->world = world;
    ki_lock_init(&systems->lock);
    for (uint32_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        if (registry_insert_phase(systems, usual[i], i) != KITH_OK) {
            registry_free(world, systems);
            return NULL;
        }
    }
    part->calls = &registry_calls;
    part->data = systems;
    return systems;
}

KI_RARE kith_result kith_phase_add(kith_world *world, const char *name, const char *behind)
{
    KI_REQUIRE_OWNER(world, "kith_phase_add", KITH_ERR_MISUSE);
    ki_context *context = &world->store.context;
    KITH_REQUIRE(context, !world->running, KITH_ERR_MISUSE,
                 "kith_phase_add: kith_run is under way; add phases between ticks");
    if (name == NULL || name[0] == '\0' || strlen(name) > KI_SYSTEM_NAME_MAX) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_phase_add: a phase's name has 1 to %d bytes, not '%.140s'",
                       KI_SYSTEM_NAME_MAX, name == NULL ? "(null)" : name);
    }
    ki_systems *systems = ki_systems_make(world);
    if (systems == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (ki_phase_find(systems, name) != systems->phase_count) {
        return ki_fail(context, KITH_ERR_CONFLICT, "kith_phase_add: there is a phase '%s' already",
                       name);
    }
    uint32_t place = behind == NULL ? 0 : ki_phase_find(systems, behind) + 1;
    if (place > systems->phase_count) {
        return ki_fail(context, KITH_ERR_UNKNOWN,
                       "kith_phase_add: '%s' is to come behind '%.100s', which is no phase", name,
                       behind);
    }
    KI_TRY(registry_insert_phase(systems, name, place));
    systems->built = false; /* systems point to the names, which have not moved */
    return KITH_OK;
}

KI_RARE const char *kith_phase_at(const kith_world *world, uint32_t index)
{
    static const char *const usual[] = {KITH_PHASE_BEGIN, KITH_PHASE_EARLY, KITH_PHASE_UPDATE,
                                        KITH_PHASE_LATE, KITH_PHASE_END};
    KI_REQUIRE_OWNER(world, "kith_phase_at", NULL);
    const ki_systems *systems = ki_systems_of(world);
    if (systems == NULL) {
        return index < sizeof usual / sizeof usual[0] ? usual[index] : NULL;
    }
    return index < systems->phase_count ? systems->phases[index] : NULL;
}

/* ---- Coming and going ------------------------------------------------------------------------ */

/* Room for one system more in both orders, which stand one behind the other. */
KI_RARE static kith_result registry_make_room(ki_systems *systems)
{
    if (systems->count < systems->capacity) {
        return KITH_OK;
    }
    ki_heap *heap = &systems->world->store.context.heap;
    uint32_t capacity = systems->capacity == 0 ? 8 : systems->capacity * 2;
    size_t size = sizeof *systems->in_order;
    ki_system **orders = ki_heap_take(heap, (size_t)capacity * 2 * size, _Alignof(max_align_t));
    if (orders == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (systems->count != 0) {
        memcpy(orders, systems->in_order, systems->count * size);
        memcpy(orders + capacity, systems->staged, systems->count * size);
    }
    ki_heap_give(heap, systems->in_order, (size_t)systems->capacity * 2 * size,
                 _Alignof(max_align_t));
    systems->in_order = orders;
    systems->staged = orders + capacity;
    systems->capacity = capacity;
    return KITH_OK;
}

static void registry_changed(ki_systems *systems)
{
    systems->sorted = false;
    systems->built = false;
}

KI_RARE kith_result kith_system_add(kith_world *world, const kith_system_def *def)
{
    KI_BEGIN_CHANGE(world, "kith_system_add", KITH_ERR_MISUSE);
    ki_context *context = &world->store.context;
    KITH_REQUIRE(context, def != NULL, KITH_ERR_MISUSE, "kith_system_add: the definition is NULL");
    KITH_REQUIRE(context, !world->running, KITH_ERR_MISUSE,
                 "kith_system_add: kith_run is under way; add systems between ticks");
    ki_systems *systems = ki_systems_make(world);
    if (systems == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (def->name != NULL && ki_systems_find(systems, def->name) != systems->count) {
        return ki_fail(context, KITH_ERR_CONFLICT,
                       "kith_system_add: there is a system '%s' already", def->name);
    }
    KI_TRY(registry_make_room(systems));
    ki_system *system;
    KI_TRY(ki_system_make(world, "kith_system_add", def, &system));
    system->born = systems->born++;
    systems->in_order[systems->count++] = system;
    registry_changed(systems);
    return KITH_OK;
}

KI_RARE kith_result kith_system_replace(kith_world *world, const kith_system_def *def)
{
    KI_BEGIN_CHANGE(world, "kith_system_replace", KITH_ERR_MISUSE);
    ki_context *context = &world->store.context;
    KITH_REQUIRE(context, def != NULL, KITH_ERR_MISUSE,
                 "kith_system_replace: the definition is NULL");
    KITH_REQUIRE(context, !world->running, KITH_ERR_MISUSE,
                 "kith_system_replace: kith_run is under way; replace systems between ticks");
    ki_systems *systems = ki_systems_of(world);
    const char *name = def->name == NULL ? "(null)" : def->name;
    uint32_t place = ki_systems_find(systems, name);
    if (systems == NULL || place == systems->count) {
        return registry_unknown(world, "kith_system_replace", name);
    }
    ki_system *system;
    KI_TRY(ki_system_make(world, "kith_system_replace", def, &system));
    ki_system *old = systems->in_order[place];
    system->born = old->born;
    system->enabled = old->enabled;
    system->since = old->since;
    system->due = old->due;
    system->ticks = old->ticks;
    ki_system_free(world, old);
    systems->in_order[place] = system;
    registry_changed(systems);
    return KITH_OK;
}

KI_RARE kith_result kith_system_remove(kith_world *world, const char *name)
{
    KI_BEGIN_CHANGE(world, "kith_system_remove", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, name != NULL, KITH_ERR_MISUSE,
                 "kith_system_remove: the name is NULL");
    KITH_REQUIRE(&world->store.context, !world->running, KITH_ERR_MISUSE,
                 "kith_system_remove: kith_run is under way; remove systems between ticks");
    ki_systems *systems = ki_systems_of(world);
    uint32_t place = ki_systems_find(systems, name);
    if (systems == NULL || place == systems->count) {
        return registry_unknown(world, "kith_system_remove", name);
    }
    ki_system_free(world, systems->in_order[place]);
    systems->count--;
    memmove(systems->in_order + place, systems->in_order + place + 1,
            (systems->count - place) * sizeof *systems->in_order);
    registry_changed(systems);
    return KITH_OK;
}

/* ---- Switching ------------------------------------------------------------------------------- */

static void registry_switch(ki_system *system, bool enabled)
{
    if (enabled && !system->enabled) {
        system->since = 0;
        system->due = 0;
        system->ticks = 0;
    }
    system->enabled = enabled;
}

KI_RARE kith_result kith_system_enable(kith_world *world, const char *name, bool enabled)
{
    KI_REQUIRE_OWNER(world, "kith_system_enable", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, name != NULL, KITH_ERR_MISUSE,
                 "kith_system_enable: the name is NULL");
    const ki_systems *systems = ki_systems_of(world);
    uint32_t place = ki_systems_find(systems, name);
    if (systems == NULL || place == systems->count) {
        return registry_unknown(world, "kith_system_enable", name);
    }
    registry_switch(systems->in_order[place], enabled);
    return KITH_OK;
}

KI_RARE kith_result kith_group_enable(kith_world *world, const char *group, bool enabled)
{
    KI_REQUIRE_OWNER(world, "kith_group_enable", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, group != NULL, KITH_ERR_MISUSE,
                 "kith_group_enable: the group's name is NULL");
    const ki_systems *systems = ki_systems_of(world);
    bool found = false;
    for (uint32_t i = 0; systems != NULL && i < systems->count; i++) {
        ki_system *system = systems->in_order[i];
        if (system->group != NULL && strcmp(system->group, group) == 0) {
            registry_switch(system, enabled);
            found = true;
        }
    }
    return found ? KITH_OK
                 : ki_fail(&world->store.context, KITH_ERR_UNKNOWN,
                           "kith_group_enable: no system is in a group '%.100s'", group);
}

KI_RARE const char *kith_system_at(const kith_world *world, uint32_t index, int32_t *priority,
                                   bool *enabled)
{
    KI_REQUIRE_OWNER(world, "kith_system_at", NULL);
    ki_systems *systems = ki_systems_of(world);
    if (systems == NULL || index >= systems->count) {
        return NULL;
    }
    ki_systems_sort(systems);
    const ki_system *system = systems->in_order[index];
    if (priority != NULL) {
        *priority = system->priority;
    }
    if (enabled != NULL) {
        *enabled = system->enabled;
    }
    return system->name;
}
