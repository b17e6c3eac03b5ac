/* Which systems there are. */
#include <string.h>

#include "base/hash.h"
#include "system/system.h"

/* Both orders and the scratch, one after the other. */
static size_t registry_bytes(uint32_t capacity)
{
    return (size_t)capacity * (3 * sizeof(ki_system *) + sizeof(uint32_t));
}

static void phase_free(ki_heap *heap, ki_phase *phase)
{
    if (phase != NULL) {
        ki_heap_give_text(heap, phase->name);
        ki_heap_give(heap, phase, sizeof *phase, _Alignof(ki_phase));
    }
}

static void registry_free(kith_world *world, void *data)
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
        phase_free(heap, systems->phases[i]);
    }
    ki_map_free(heap, &systems->names);
    ki_map_free(heap, &systems->groups);
    ki_map_free(heap, &systems->phase_names);
    ki_things_free(systems);
    ki_outboxes_free(systems);
    ki_heap_give(heap, systems->phases, systems->phase_capacity * sizeof *systems->phases,
                 _Alignof(max_align_t));
    ki_heap_give(heap, systems->in_order, registry_bytes(systems->capacity), _Alignof(max_align_t));
    ki_heap_give(heap, systems->tasks, systems->task_capacity * sizeof *systems->tasks,
                 _Alignof(max_align_t));
    ki_lock_end(&systems->lock);
    ki_heap_give(heap, systems, sizeof *systems, _Alignof(ki_systems));
}

static const char *registry_check_names(const ki_systems *systems)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        const ki_system *system = systems->in_order[i];
        if (system->phase->number >= systems->phase_count ||
            systems->phases[system->phase->number] != system->phase) {
            return "a system is in a phase that is not there";
        }
        if (ki_system_find(systems, system->name) != system) {
            return "a system is not found by its name";
        }
        if (systems->sorted && system->place != i) {
            return "a system is not in its place";
        }
    }
    return NULL;
}

static const char *registry_check(const kith_world *world, const void *data)
{
    ki_systems *systems = (ki_systems *)(uintptr_t)data; /* its scratch is used */
    const char *wrong = registry_check_names(systems);
    if (wrong == NULL && systems->built && (!systems->sorted || !ki_order_is_right(systems))) {
        wrong = "the systems are out of order";
    }
    wrong = wrong == NULL && systems->built ? ki_schedule_check(systems) : wrong;
    for (uint32_t i = 0; i < systems->outbox_count && wrong == NULL; i++) {
        if (systems->outboxes[i]->sent.filling != NULL) {
            wrong = "an event that a system sent has not arrived";
        }
    }
    if (wrong != NULL) {
        return wrong;
    }
    return ki_context_owner(&world->store.context) == &ki_owned_by_systems ||
                   world->store.space.lock != NULL
               ? "query systems are said to run"
               : NULL;
}

/* What decides about later ticks: which systems run, when, and in which order. Their functions
 * cannot be told. */
static uint64_t registry_hash(uint64_t hash, const void *data)
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
static void registry_count(const void *data, kith_memory_stats *stats)
{
    const ki_systems *systems = data;
    for (uint32_t i = 0; i < systems->outbox_count; i++) {
        stats->commands += systems->outboxes[i]->heap.used;
        stats->allocations += systems->outboxes[i]->heap.allocations;
    }
}

static const ki_attachment_calls registry_calls = {
    .free = registry_free, .hash = registry_hash, .check = registry_check, .count = registry_count};

static uint64_t registry_key(const char *name)
{
    return ki_hash_text(KI_HASH_SEED, name);
}

ki_system *ki_system_find(const ki_systems *systems, const char *name)
{
    uint32_t at;
    uint64_t key = registry_key(name);
    ki_system *system = systems == NULL ? NULL : ki_map_first(&systems->names, key, &at);
    while (system != NULL && strcmp(system->name, name) != 0) {
        system = ki_map_next(&systems->names, key, &at);
    }
    return system;
}

static kith_result registry_unknown(kith_world *world, const char *call, const char *name)
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

ki_phase *ki_phase_find(const ki_systems *systems, const char *name)
{
    uint32_t at;
    uint64_t key = registry_key(name);
    ki_phase *phase = ki_map_first(&systems->phase_names, key, &at);
    while (phase != NULL && strcmp(phase->name, name) != 0) {
        phase = ki_map_next(&systems->phase_names, key, &at);
    }
    return phase;
}

static kith_result registry_insert_phase(ki_systems *systems, const char *name, uint32_t place)
{
    ki_heap *heap = &systems->world->store.context.heap;
    KI_TRY(ki_heap_grow(heap, &systems->phases, &systems->phase_capacity, systems->phase_count + 1,
                        sizeof *systems->phases, 8));
    KI_TRY(ki_map_reserve(heap, &systems->phase_names));
    ki_phase *phase = ki_heap_take_zeroed(heap, sizeof *phase, _Alignof(ki_phase));
    if (phase != NULL) {
        phase->name = ki_heap_copy_text(heap, name);
    }
    if (phase == NULL || phase->name == NULL) {
        phase_free(heap, phase);
        return KITH_ERR_MEMORY;
    }
    memmove(systems->phases + place + 1, systems->phases + place,
            (systems->phase_count - place) * sizeof *systems->phases);
    systems->phases[place] = phase;
    systems->phase_count++;
    for (uint32_t i = place; i < systems->phase_count; i++) {
        systems->phases[i]->number = i;
    }
    ki_map_insert(&systems->phase_names, registry_key(name), phase);
    return KITH_OK;
}

ki_systems *ki_systems_make(kith_world *world)
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

kith_result kith_phase_add(kith_world *world, const char *name, const char *behind)
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
    if (ki_phase_find(systems, name) != NULL) {
        return ki_fail(context, KITH_ERR_CONFLICT, "kith_phase_add: there is a phase '%s' already",
                       name);
    }
    const ki_phase *last = behind == NULL ? NULL : ki_phase_find(systems, behind);
    if (behind != NULL && last == NULL) {
        return ki_fail(context, KITH_ERR_UNKNOWN,
                       "kith_phase_add: '%s' is to come behind '%.100s', which is no phase", name,
                       behind);
    }
    KI_TRY(registry_insert_phase(systems, name, last == NULL ? 0 : last->number + 1));
    systems->built = false;
    return KITH_OK;
}

const char *kith_phase_at(const kith_world *world, uint32_t index)
{
    static const char *const usual[] = {KITH_PHASE_BEGIN, KITH_PHASE_EARLY, KITH_PHASE_UPDATE,
                                        KITH_PHASE_LATE, KITH_PHASE_END};
    KI_REQUIRE_OWNER(world, "kith_phase_at", NULL);
    const ki_systems *systems = ki_systems_of(world);
    if (systems == NULL) {
        return index < sizeof usual / sizeof usual[0] ? usual[index] : NULL;
    }
    return index < systems->phase_count ? systems->phases[index]->name : NULL;
}

/* ---- Coming and going ------------------------------------------------------------------------ */

/* Room for one system more. */
static kith_result registry_make_room(ki_systems *systems)
{
    ki_heap *heap = &systems->world->store.context.heap;
    KI_TRY(ki_map_reserve(heap, &systems->names));
    KI_TRY(ki_map_reserve(heap, &systems->groups));
    if (systems->count < systems->capacity) {
        return KITH_OK;
    }
    uint32_t capacity = systems->capacity == 0 ? 8 : systems->capacity * 2;
    ki_system **orders = ki_heap_take(heap, registry_bytes(capacity), _Alignof(max_align_t));
    if (orders == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (systems->count != 0) {
        memcpy(orders, systems->in_order, systems->count * sizeof *orders);
        memcpy(orders + capacity, systems->staged, systems->count * sizeof *orders);
    }
    ki_heap_give(heap, systems->in_order, registry_bytes(systems->capacity), _Alignof(max_align_t));
    systems->in_order = orders;
    systems->staged = orders + capacity;
    systems->found = orders + 2 * (size_t)capacity;
    systems->numbers = (uint32_t *)(orders + 3 * (size_t)capacity);
    systems->capacity = capacity;
    return KITH_OK;
}

/* The last system that came into a group, which leads to the others. */
static ki_system *registry_group(const ki_systems *systems, const char *group)
{
    uint32_t at;
    uint64_t key = registry_key(group);
    ki_system *last = ki_map_first(&systems->groups, key, &at);
    while (last != NULL && strcmp(last->group, group) != 0) {
        last = ki_map_next(&systems->groups, key, &at);
    }
    return last;
}

static void registry_enter_group(ki_systems *systems, ki_system *system)
{
    uint64_t key = registry_key(system->group);
    system->next_in_group = registry_group(systems, system->group);
    if (system->next_in_group != NULL) {
        system->next_in_group->previous_in_group = system;
        ki_map_remove(&systems->groups, key, system->next_in_group);
    }
    ki_map_insert(&systems->groups, key, system);
}

static void registry_leave_group(ki_systems *systems, ki_system *system)
{
    uint64_t key = registry_key(system->group);
    if (system->next_in_group != NULL) {
        system->next_in_group->previous_in_group = system->previous_in_group;
    }
    if (system->previous_in_group != NULL) {
        system->previous_in_group->next_in_group = system->next_in_group;
        return;
    }
    ki_map_remove(&systems->groups, key, system);
    if (system->next_in_group != NULL) {
        ki_map_insert(&systems->groups, key, system->next_in_group);
    }
}

/* Lets a system in, for which there is room, at a place. */
static void registry_enter(ki_systems *systems, ki_system *system, uint32_t place)
{
    systems->in_order[place] = system;
    system->place = place;
    ki_map_insert(&systems->names, registry_key(system->name), system);
    if (system->group != NULL) {
        registry_enter_group(systems, system);
    }
}

/* Frees one whose place is another's by now, or will be. */
static void registry_leave(ki_systems *systems, ki_system *system)
{
    ki_map_remove(&systems->names, registry_key(system->name), system);
    if (system->group != NULL) {
        registry_leave_group(systems, system);
    }
    ki_system_free(systems->world, system);
}

static void registry_changed(ki_systems *systems)
{
    systems->sorted = false;
    systems->built = false;
}

kith_result kith_system_add(kith_world *world, const kith_system_def *def)
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
    if (def->name != NULL && ki_system_find(systems, def->name) != NULL) {
        return ki_fail(context, KITH_ERR_CONFLICT,
                       "kith_system_add: there is a system '%s' already", def->name);
    }
    KI_TRY(registry_make_room(systems));
    ki_system *system;
    KI_TRY(ki_system_make(world, "kith_system_add", def, &system));
    system->born = systems->born++;
    registry_enter(systems, system, systems->count++);
    registry_changed(systems);
    return KITH_OK;
}

kith_result kith_system_replace(kith_world *world, const kith_system_def *def)
{
    KI_BEGIN_CHANGE(world, "kith_system_replace", KITH_ERR_MISUSE);
    ki_context *context = &world->store.context;
    KITH_REQUIRE(context, def != NULL, KITH_ERR_MISUSE,
                 "kith_system_replace: the definition is NULL");
    KITH_REQUIRE(context, !world->running, KITH_ERR_MISUSE,
                 "kith_system_replace: kith_run is under way; replace systems between ticks");
    ki_systems *systems = ki_systems_of(world);
    const char *name = def->name == NULL ? "(null)" : def->name;
    ki_system *old = ki_system_find(systems, name);
    if (old == NULL) {
        return registry_unknown(world, "kith_system_replace", name);
    }
    KI_TRY(registry_make_room(systems));
    ki_system *system;
    KI_TRY(ki_system_make(world, "kith_system_replace", def, &system));
    uint32_t place = old->place;
    system->born = old->born;
    system->enabled = old->enabled;
    system->since = old->since;
    system->due = old->due;
    system->ticks = old->ticks;
    registry_leave(systems, old);
    registry_enter(systems, system, place);
    registry_changed(systems);
    return KITH_OK;
}

kith_result kith_system_remove(kith_world *world, const char *name)
{
    KI_BEGIN_CHANGE(world, "kith_system_remove", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, name != NULL, KITH_ERR_MISUSE,
                 "kith_system_remove: the name is NULL");
    KITH_REQUIRE(&world->store.context, !world->running, KITH_ERR_MISUSE,
                 "kith_system_remove: kith_run is under way; remove systems between ticks");
    ki_systems *systems = ki_systems_of(world);
    ki_system *system = ki_system_find(systems, name);
    if (system == NULL) {
        return registry_unknown(world, "kith_system_remove", name);
    }
    ki_system *last = systems->in_order[--systems->count];
    systems->in_order[system->place] = last;
    last->place = system->place;
    registry_leave(systems, system);
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

kith_result kith_system_enable(kith_world *world, const char *name, bool enabled)
{
    KI_REQUIRE_OWNER(world, "kith_system_enable", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, name != NULL, KITH_ERR_MISUSE,
                 "kith_system_enable: the name is NULL");
    const ki_systems *systems = ki_systems_of(world);
    ki_system *system = ki_system_find(systems, name);
    if (system == NULL) {
        return registry_unknown(world, "kith_system_enable", name);
    }
    registry_switch(system, enabled);
    return KITH_OK;
}

kith_result kith_group_enable(kith_world *world, const char *group, bool enabled)
{
    KI_REQUIRE_OWNER(world, "kith_group_enable", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, group != NULL, KITH_ERR_MISUSE,
                 "kith_group_enable: the group's name is NULL");
    const ki_systems *systems = ki_systems_of(world);
    ki_system *last = systems == NULL ? NULL : registry_group(systems, group);
    for (ki_system *system = last; system != NULL; system = system->next_in_group) {
        registry_switch(system, enabled);
    }
    return last != NULL ? KITH_OK
                        : ki_fail(&world->store.context, KITH_ERR_UNKNOWN,
                                  "kith_group_enable: no system is in a group '%.100s'", group);
}

const char *kith_system_at(const kith_world *world, uint32_t index, int32_t *priority,
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
