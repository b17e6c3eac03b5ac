/* The lists of systems, groups and phases, as a program changes them. */
#include <kith/schedule.h>

#include "system/name.h"
#include "system/order.h"
#include "system/system_definition.h"
#include "system/system_state.h"

/* Fails, and lists the systems that there are. */
kith_result ki_system_require(kith_world *world, const char *call, const char *name,
                              ki_system **system)
{
    ki_systems *systems = ki_systems_of(world);
    *system = ki_system_find(systems, name);
    if (*system != NULL) {
        return KITH_OK;
    }
    char known[320] = "";
    size_t length = 0;
    if (systems != NULL) {
        ki_order_sort(systems);
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

kith_result kith_phase_add(kith_world *world, const char *name, const char *after)
{
    KI_TRY(ki_world_require_writer(world, "kith_phase_add"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && ki_systems_run(world)) {
        return ki_misuse(context,
                         "kith_phase_add: kith_run is under way; add phases between ticks");
    }
    if (!ki_name_is_valid(name)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_phase_add: a phase's name has 1 to %d bytes, not '%.140s'",
                       KI_SYSTEM_NAME_MAX, name == NULL ? "(null)" : name);
    }
    ki_systems *systems = ki_systems_make(world);
    if (systems == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_phases *phases = &systems->phases;
    if (ki_phase_find(phases, name) != NULL) {
        return ki_fail(context, KITH_ERR_CONFLICT, "kith_phase_add: there is a phase '%s' already",
                       name);
    }
    const ki_phase *last = after == NULL ? NULL : ki_phase_find(phases, after);
    if (after != NULL && last == NULL) {
        return ki_fail(context, KITH_ERR_UNKNOWN,
                       "kith_phase_add: '%s' is to come after '%.100s', which is not a phase%s",
                       name, after, ki_phase_hint(phases, after).text);
    }
    KI_TRY(ki_phases_insert(&context->heap, phases, name, last == NULL ? 0 : last->number + 1));
    systems->built = false;
    return KITH_OK;
}

const char *kith_phase_at(const kith_world *world, uint32_t index)
{
    if (ki_world_require_owner(world, "kith_phase_at") != KITH_OK) {
        return NULL;
    }
    const ki_systems *systems = ki_systems_of(world);
    if (systems == NULL) {
        return ki_phase_built_in(index);
    }
    return index < systems->phases.count ? systems->phases.list[index]->name : NULL;
}

/* ---- Adding and removing --------------------------------------------------------------------- */

/* Makes room for one more system. */
static kith_result registry_reserve(ki_systems *systems)
{
    ki_heap *heap = &systems->world->store.context.heap;
    KI_TRY(ki_map_reserve(heap, &systems->names));
    KI_TRY(ki_map_reserve(heap, &systems->groups));
    if (systems->count < systems->capacity) {
        return KITH_OK;
    }
    uint32_t capacity = systems->capacity == 0 ? 8 : systems->capacity * 2;
    ki_system **orders = ki_heap_alloc(heap, ki_systems_bytes(capacity), _Alignof(max_align_t));
    if (orders == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (systems->count != 0) {
        memcpy(orders, systems->in_order, systems->count * sizeof *orders);
        memcpy(orders + capacity, systems->by_stage, systems->count * sizeof *orders);
    }
    ki_heap_free(heap, systems->in_order, ki_systems_bytes(systems->capacity),
                 _Alignof(max_align_t));
    systems->in_order = orders;
    systems->by_stage = orders + capacity;
    systems->found = orders + 2 * (size_t)capacity;
    systems->numbers = (uint32_t *)(orders + 3 * (size_t)capacity);
    systems->capacity = capacity;
    return KITH_OK;
}

/* The system that joined a group last, which links to the others; NULL: the group is empty. */
static ki_system *registry_group(const ki_systems *systems, const char *group)
{
    uint32_t at;
    uint64_t key = ki_name_key(group);
    ki_system *last = ki_map_first(&systems->groups, key, &at);
    while (last != NULL && strcmp(last->group, group) != 0) {
        last = ki_map_next(&systems->groups, key, &at);
    }
    return last;
}

static void registry_join_group(ki_systems *systems, ki_system *system)
{
    uint64_t key = ki_name_key(system->group);
    system->next_in_group = registry_group(systems, system->group);
    if (system->next_in_group != NULL) {
        system->next_in_group->previous_in_group = system;
        ki_map_remove(&systems->groups, key, system->next_in_group);
    }
    ki_map_insert(&systems->groups, key, system);
}

static void registry_leave_group(ki_systems *systems, ki_system *system)
{
    uint64_t key = ki_name_key(system->group);
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

/* Puts a system into the lists, at a place of the order; registry_reserve has made room. */
static void registry_insert(ki_systems *systems, ki_system *system, uint32_t place)
{
    systems->in_order[place] = system;
    system->place = place;
    ki_map_insert(&systems->names, ki_name_key(system->name), system);
    if (system->group != NULL) {
        registry_join_group(systems, system);
    }
}

/* Takes a system out of the lists and frees it. The caller gives its place to another one. */
static void registry_remove(ki_systems *systems, ki_system *system)
{
    ki_map_remove(&systems->names, ki_name_key(system->name), system);
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
    KI_TRY(ki_world_begin_change(world, "kith_system_add"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && def == NULL) {
        return ki_misuse(context, "kith_system_add: the definition is NULL");
    }
    if (KI_CHECKED && ki_systems_run(world)) {
        return ki_misuse(context,
                         "kith_system_add: kith_run is under way; add systems between ticks");
    }
    ki_systems *systems = ki_systems_make(world);
    if (systems == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (def->name != NULL && ki_system_find(systems, def->name) != NULL) {
        return ki_fail(context, KITH_ERR_CONFLICT,
                       "kith_system_add: there is a system '%s' already", def->name);
    }
    KI_TRY(registry_reserve(systems));
    ki_system *system;
    KI_TRY(ki_system_make(world, "kith_system_add", def, &system));
    system->added = systems->added++;
    registry_insert(systems, system, systems->count++);
    registry_changed(systems);
    return KITH_OK;
}

kith_result kith_system_replace(kith_world *world, const kith_system_def *def)
{
    KI_TRY(ki_world_begin_change(world, "kith_system_replace"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && def == NULL) {
        return ki_misuse(context, "kith_system_replace: the definition is NULL");
    }
    if (KI_CHECKED && ki_systems_run(world)) {
        return ki_misuse(
            context, "kith_system_replace: kith_run is under way; replace systems between ticks");
    }
    ki_systems *systems = ki_systems_of(world);
    const char *name = def->name == NULL ? "(null)" : def->name;
    ki_system *old;
    KI_TRY(ki_system_require(world, "kith_system_replace", name, &old));
    KI_TRY(registry_reserve(systems));
    ki_system *system;
    KI_TRY(ki_system_make(world, "kith_system_replace", def, &system));
    uint32_t place = old->place;
    system->added = old->added;
    system->enabled = old->enabled;
    system->since = old->since;
    system->due = old->due;
    system->ticks = old->ticks;
    registry_remove(systems, old);
    registry_insert(systems, system, place);
    registry_changed(systems);
    return KITH_OK;
}

kith_result kith_system_remove(kith_world *world, const char *name)
{
    KI_TRY(ki_world_begin_change(world, "kith_system_remove"));
    if (KI_CHECKED && name == NULL) {
        return ki_misuse(&world->store.context, "kith_system_remove: the name is NULL");
    }
    if (KI_CHECKED && ki_systems_run(world)) {
        return ki_misuse(&world->store.context,
                         "kith_system_remove: kith_run is under way; remove systems between ticks");
    }
    ki_systems *systems = ki_systems_of(world);
    ki_system *system;
    KI_TRY(ki_system_require(world, "kith_system_remove", name, &system));
    ki_system *last = systems->in_order[--systems->count];
    systems->in_order[system->place] = last;
    last->place = system->place;
    registry_remove(systems, system);
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
    KI_TRY(ki_world_require_writer(world, "kith_system_enable"));
    if (KI_CHECKED && name == NULL) {
        return ki_misuse(&world->store.context, "kith_system_enable: the name is NULL");
    }
    ki_system *system;
    KI_TRY(ki_system_require(world, "kith_system_enable", name, &system));
    registry_switch(system, enabled);
    return KITH_OK;
}

kith_result kith_system_group_enable(kith_world *world, const char *group, bool enabled)
{
    KI_TRY(ki_world_require_writer(world, "kith_system_group_enable"));
    if (KI_CHECKED && group == NULL) {
        return ki_misuse(&world->store.context,
                         "kith_system_group_enable: the group's name is NULL");
    }
    const ki_systems *systems = ki_systems_of(world);
    ki_system *last = systems == NULL ? NULL : registry_group(systems, group);
    for (ki_system *system = last; system != NULL; system = system->next_in_group) {
        registry_switch(system, enabled);
    }
    return last != NULL
               ? KITH_OK
               : ki_fail(&world->store.context, KITH_ERR_UNKNOWN,
                         "kith_system_group_enable: no system is in a group '%.100s'", group);
}

const char *kith_system_at(const kith_world *world, uint32_t index, int32_t *priority,
                           bool *enabled)
{
    if (ki_world_require_owner(world, "kith_system_at") != KITH_OK) {
        return NULL;
    }
    ki_systems *systems = ki_systems_of(world);
    if (systems == NULL || index >= systems->count) {
        return NULL;
    }
    ki_order_sort(systems);
    const ki_system *system = systems->in_order[index];
    if (priority != NULL) {
        *priority = system->priority;
    }
    if (enabled != NULL) {
        *enabled = system->enabled;
    }
    return system->name;
}
