/* Which systems there are. */
#include <string.h>

#include "base/hash.h"
#include "system/system.h"

#define SYSTEM_NAME_MAX 127

KI_RARE static void registry_free_system(kith_world *world, ki_system *system)
{
    ki_heap *heap = &world->store.context.heap;
    kith_query_free(system->query);
    ki_heap_give_text(heap, system->name);
    ki_heap_give(heap, system, sizeof *system, _Alignof(ki_system));
}

KI_RARE static void registry_free(kith_world *world, void *data)
{
    ki_systems *systems = data;
    ki_heap *heap = &world->store.context.heap;
    for (uint32_t i = 0; i < systems->count; i++) {
        registry_free_system(world, systems->in_order[i]);
    }
    ki_heap_give(heap, systems->in_order, systems->capacity * sizeof *systems->in_order,
                 _Alignof(max_align_t));
    ki_heap_give(heap, systems, sizeof *systems, _Alignof(ki_systems));
}

KI_RARE static const char *registry_check(const kith_world *world, const void *data)
{
    (void)world;
    const ki_systems *systems = data;
    for (uint32_t i = 1; i < systems->count; i++) {
        if (systems->in_order[i - 1]->priority > systems->in_order[i]->priority) {
            return "the systems are out of order";
        }
    }
    return NULL;
}

/* What decides about later ticks: which systems run, and in which order. Their functions cannot be
 * told. */
KI_RARE static uint64_t registry_hash(uint64_t hash, const void *data)
{
    const ki_systems *systems = data;
    for (uint32_t i = 0; i < systems->count; i++) {
        const ki_system *system = systems->in_order[i];
        hash = ki_hash_text(hash, system->name);
        hash = ki_hash_u64(hash, (uint64_t)(uint32_t)system->priority << 1 | system->enabled);
    }
    return hash;
}

static const ki_attachment_calls registry_calls = {registry_free, registry_hash, registry_check,
                                                   NULL};

/* The place of the system of that name; the count if there is none. */
KI_RARE static uint32_t registry_find(const ki_systems *systems, const char *name)
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
    const ki_systems *systems = ki_systems_of(world);
    char known[320] = "";
    size_t length = 0;
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

KI_RARE static kith_result registry_make_room(kith_world *world)
{
    ki_heap *heap = &world->store.context.heap;
    ki_attachment *part = &world->parts[KI_PART_SYSTEMS];
    if (part->data == NULL) {
        part->data = ki_heap_take_zeroed(heap, sizeof(ki_systems), _Alignof(ki_systems));
        if (part->data == NULL) {
            return KITH_ERR_MEMORY;
        }
        part->calls = &registry_calls;
    }
    ki_systems *systems = part->data;
    if (systems->commands == NULL) {
        systems->commands = kith_commands_new(world, NULL); /* freed with the world */
        if (systems->commands == NULL) {
            return KITH_ERR_MEMORY;
        }
        systems->commands->lent = true;
    }
    return ki_heap_grow(heap, &systems->in_order, &systems->capacity, systems->count + 1,
                        sizeof *systems->in_order, 8);
}

KI_RARE static kith_result registry_check_def(kith_world *world, const kith_system_def *def)
{
    ki_context *context = &world->store.context;
    if (def->name == NULL || def->name[0] == '\0' || strlen(def->name) > SYSTEM_NAME_MAX) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_system_add: a system's name has 1 to %d bytes, not '%.140s'",
                       SYSTEM_NAME_MAX, def->name == NULL ? "(null)" : def->name);
    }
    if ((def->run == NULL) == (def->update == NULL)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_system_add: '%s' has %s of `run` and `update`", def->name,
                       def->run == NULL ? "neither" : "both");
    }
    if (def->update != NULL && (def->query.term_count != 0 || def->query.driver != NULL)) {
        return ki_fail(
            context, KITH_ERR_INPUT,
            "kith_system_add: '%s' has a query, which a plain system (`update`) cannot use",
            def->name);
    }
    const ki_systems *systems = ki_systems_of(world);
    if (systems != NULL && registry_find(systems, def->name) != systems->count) {
        return ki_fail(context, KITH_ERR_CONFLICT,
                       "kith_system_add: there is a system '%s' already", def->name);
    }
    return KITH_OK;
}

KI_RARE static kith_result registry_make(kith_world *world, const kith_system_def *def,
                                         ki_system *system)
{
    system->name = ki_heap_copy_text(&world->store.context.heap, def->name);
    if (system->name == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (def->run == NULL) {
        return KITH_OK;
    }
    kith_query_def query = def->query;
    query.name = query.name != NULL ? query.name : def->name;
    return kith_query_new(world, &query, &system->query);
}

KI_RARE kith_result kith_system_add(kith_world *world, const kith_system_def *def)
{
    KI_BEGIN_CHANGE(world, "kith_system_add", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, def != NULL, KITH_ERR_MISUSE,
                 "kith_system_add: the definition is NULL");
    KITH_REQUIRE(&world->store.context, !world->running, KITH_ERR_MISUSE,
                 "kith_system_add: kith_run is under way; add systems between ticks");
    KI_TRY(registry_check_def(world, def));
    KI_TRY(registry_make_room(world));
    ki_systems *systems = ki_systems_of(world);
    ki_system *system =
        ki_heap_take(&world->store.context.heap, sizeof *system, _Alignof(ki_system));
    if (system == NULL) {
        return KITH_ERR_MEMORY;
    }
    *system = (ki_system){.priority = def->priority,
                          .enabled = !def->disabled,
                          .run = def->run,
                          .update = def->update,
                          .user = def->user};
    kith_result result = registry_make(world, def, system);
    if (result != KITH_OK) {
        registry_free_system(world, system);
        return result;
    }
    /* Behind all of the same priority: ties run in the order of registration. */
    uint32_t place = systems->count;
    while (place > 0 && systems->in_order[place - 1]->priority > def->priority) {
        systems->in_order[place] = systems->in_order[place - 1];
        place--;
    }
    systems->in_order[place] = system;
    systems->count++;
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
    uint32_t place = registry_find(systems, name);
    if (systems == NULL || place == systems->count) {
        return registry_unknown(world, "kith_system_remove", name);
    }
    registry_free_system(world, systems->in_order[place]);
    systems->count--;
    memmove(systems->in_order + place, systems->in_order + place + 1,
            (systems->count - place) * sizeof *systems->in_order);
    return KITH_OK;
}

KI_RARE kith_result kith_system_enable(kith_world *world, const char *name, bool enabled)
{
    KI_REQUIRE_OWNER(world, "kith_system_enable", KITH_ERR_MISUSE);
    KITH_REQUIRE(&world->store.context, name != NULL, KITH_ERR_MISUSE,
                 "kith_system_enable: the name is NULL");
    ki_systems *systems = ki_systems_of(world);
    uint32_t place = registry_find(systems, name);
    if (systems == NULL || place == systems->count) {
        return registry_unknown(world, "kith_system_enable", name);
    }
    systems->in_order[place]->enabled = enabled;
    return KITH_OK;
}

KI_RARE const char *kith_system_at(const kith_world *world, uint32_t index, int32_t *priority,
                                   bool *enabled)
{
    KI_REQUIRE_WORLD(world, "kith_system_at", NULL);
    const ki_systems *systems = ki_systems_of(world);
    if (systems == NULL || index >= systems->count) {
        return NULL;
    }
    const ki_system *system = systems->in_order[index];
    if (priority != NULL) {
        *priority = system->priority;
    }
    if (enabled != NULL) {
        *enabled = system->enabled;
    }
    return system->name;
}
