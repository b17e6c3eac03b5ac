/* A system from its definition: what it declares, copied and found sound. */
#include <kith/floats.h>

#include <string.h>

#include "store/register.h"
#include "system/system.h"

/* How many names a list has, and their bytes, with the zeros that end them. */
static uint32_t define_count_names(const char *const *names, size_t *bytes)
{
    uint32_t count = 0;
    for (; names != NULL && names[count] != NULL; count++) {
        *bytes += strlen(names[count]) + 1;
    }
    return count;
}

/* Copies a list, its texts to `text`, and returns where the next one goes. */
static char *define_copy_names(ki_system *system, ki_naming *namings, const char *const *names,
                               uint32_t count, char *text)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t size = strlen(names[i]) + 1;
        memcpy(text, names[i], size);
        namings[i] = (ki_naming){.name = text, .owner = system};
        text += size;
    }
    return text;
}

/* The names in `before` and `after`, in one piece of memory. */
static kith_result define_namings(ki_heap *heap, const kith_system_def *def, ki_system *system)
{
    size_t bytes = 0;
    uint32_t before = define_count_names(def->before, &bytes);
    uint32_t after = define_count_names(def->after, &bytes);
    size_t count = (size_t)before + after;
    if (count == 0) {
        return KITH_OK;
    }
    system->naming_bytes = count * sizeof *system->namings + bytes;
    system->namings = ki_heap_take(heap, system->naming_bytes, _Alignof(ki_naming));
    if (system->namings == NULL) {
        return KITH_ERR_MEMORY;
    }
    system->before_count = before;
    system->after_count = after;
    char *text = (char *)(system->namings + count);
    text = define_copy_names(system, system->namings, def->before, before, text);
    define_copy_names(system, system->namings + before, def->after, after, text);
    return KITH_OK;
}

void ki_system_free(kith_world *world, ki_system *system)
{
    ki_heap *heap = &world->store.context.heap;
    if (system->cursor != NULL) {
        ki_cursor_give(system->cursor);
    }
    for (uint32_t i = 0; i < system->cursor_count; i++) {
        ki_cursor_give(system->cursors[i]);
    }
    ki_heap_give(heap, system->cursors, system->cursor_count * sizeof *system->cursors,
                 _Alignof(max_align_t));
    kith_query_free(system->query);
    ki_heap_give(heap, system->uses, system->use_count * sizeof *system->uses, _Alignof(ki_use));
    ki_heap_give(heap, system->namings, system->naming_bytes, _Alignof(ki_naming));
    ki_heap_give_text(heap, system->group);
    ki_heap_give_text(heap, system->name);
    ki_heap_give(heap, system, sizeof *system, _Alignof(ki_system));
}

/* ---- What it touches ------------------------------------------------------------------------- */

const ki_use *ki_system_use(const ki_system *system, ki_use_kind kind, const kith_type *type)
{
    uint32_t number = ki_type_number_found(type);
    for (uint32_t i = 0; i < system->use_count; i++) {
        if (system->uses[i].number == number && system->uses[i].kind == kind) {
            return &system->uses[i];
        }
    }
    return NULL;
}

/* The register's copy of a type that a list names. */
static kith_result define_find_type(kith_world *world, const char *call, ki_use_kind kind,
                                    const kith_type *type, const kith_type **kept)
{
    KITH_REQUIRE(&world->store.context, type != NULL, KITH_ERR_MISUSE,
                 "%s: a type in the lists of what the system touches is NULL", call);
    if (kind != KI_USE_COMPONENT) {
        return ki_register_add(&world->store.context, call, type, kept, NULL);
    }
    KI_REQUIRE_COMPONENT(component, world, call, type, KITH_ERR_MISUSE)
    *kept = component->type;
    return KITH_OK;
}

/* A system's use of a thing, made if need be; there is room for it. */
static ki_use *define_use(ki_system *system, ki_use_kind kind, const kith_type *type,
                          ki_thing *thing)
{
    uint32_t number = thing->defined;
    if (number < system->use_count && system->uses[number].thing == thing) {
        return &system->uses[number]; /* otherwise it was the number in another system */
    }
    thing->defined = system->use_count;
    ki_use *use = &system->uses[system->use_count++];
    *use = (ki_use){.type = type,
                    .number = ki_type_number(type),
                    .kind = (uint8_t)kind,
                    .system = system,
                    .thing = thing};
    return use;
}

/* Adds one list; there is room for it. */
static kith_result define_add_uses(kith_world *world, const char *call, ki_system *system,
                                   ki_use_kind kind, const kith_term *terms, uint32_t count,
                                   bool by_query)
{
    ki_context *context = &world->store.context;
    KITH_REQUIRE(context, terms != NULL || count == 0, KITH_ERR_MISUSE,
                 "%s: %u things that the system touches, but their address is NULL", call, count);
    for (uint32_t i = 0; i < count; i++) {
        const kith_term *term = &terms[i];
        const kith_type *type;
        KI_TRY(define_find_type(world, call, kind, term->type, &type));
        bool declared = term->access == KITH_ACCESS_READ || term->access == KITH_ACCESS_WRITE;
        if (!by_query && (!declared || term->role != KITH_MUST || term->group != 0)) {
            return ki_fail(
                context, KITH_ERR_INPUT,
                "%s: '%s': what it touches besides its query is declared by KITH_READ(%s) or"
                " KITH_WRITE(%s)",
                call, system->name, type->name, type->name);
        }
        if (kind == KI_USE_RESOURCE && type->size == 0) {
            return ki_fail(
                context, KITH_ERR_INPUT,
                "%s: '%s': '%s' is a tag, which has no value, so there is no such resource;"
                " entities' tags are declared by KITH_OTHERS",
                call, system->name, type->name);
        }
        ki_thing *thing = ki_thing_make(ki_systems_of(world), kind, ki_type_number(type));
        if (thing == NULL) {
            return KITH_ERR_MEMORY;
        }
        ki_use *use = define_use(system, kind, type, thing);
        bool writes = term->access == KITH_ACCESS_WRITE;
        bool shared = system->parallel && kind != KI_USE_EVENT && !by_query;
        if (shared && writes) {
            return ki_fail(context, KITH_ERR_INPUT,
                           "%s: '%s' is parallel: one of its calls would write %s %s while others"
                           " touch it; queue commands, or do without `parallel`",
                           call, system->name,
                           kind == KI_USE_RESOURCE ? "resource" : "any entity's", type->name);
        }
        if (shared && use->access == KITH_ACCESS_WRITE) {
            return ki_fail(context, KITH_ERR_INPUT,
                           "%s: '%s' is parallel and its query writes %s: it cannot read any"
                           " entity's %s too, which another of its calls may be writing; read them"
                           " in a system before this one, or do without `parallel`",
                           call, system->name, type->name, type->name);
        }
        use->access = term->access > use->access ? (uint8_t)term->access : use->access;
        use->reads = use->reads || term->access == KITH_ACCESS_READ;
        use->reached = !system->parallel || use->access != KITH_ACCESS_WRITE;
    }
    return KITH_OK;
}

static kith_result define_uses(kith_world *world, const char *call, const kith_system_def *def,
                               ki_system *system)
{
    ki_heap *heap = &world->store.context.heap;
    size_t most =
        (size_t)def->query.term_count + def->other_count + def->resource_count + def->event_count;
    if (most == 0) {
        return KITH_OK;
    }
    system->uses = ki_heap_take(heap, most * sizeof *system->uses, _Alignof(ki_use));
    if (system->uses == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = define_add_uses(world, call, system, KI_USE_COMPONENT, def->query.terms,
                                         def->query.term_count, true);
    if (result == KITH_OK) {
        result = define_add_uses(world, call, system, KI_USE_COMPONENT, def->others,
                                 def->other_count, false);
    }
    if (result == KITH_OK) {
        result = define_add_uses(world, call, system, KI_USE_RESOURCE, def->resources,
                                 def->resource_count, false);
    }
    if (result == KITH_OK) {
        result = define_add_uses(world, call, system, KI_USE_EVENT, def->events, def->event_count,
                                 false);
    }
    /* To be given back by the count, in a piece that fits it. */
    ki_use *uses = NULL;
    if (result == KITH_OK) {
        uses = ki_heap_take(heap, system->use_count * sizeof *uses, _Alignof(ki_use));
        result = uses == NULL ? KITH_ERR_MEMORY : KITH_OK;
    }
    if (uses != NULL) {
        memcpy(uses, system->uses, system->use_count * sizeof *uses);
    }
    ki_heap_give(heap, system->uses, most * sizeof *uses, _Alignof(ki_use));
    system->uses = uses;
    return result;
}

/* ---- The rest -------------------------------------------------------------------------------- */

static kith_result define_check(kith_world *world, const char *call, const kith_system_def *def)
{
    ki_context *context = &world->store.context;
    if (def->name == NULL || def->name[0] == '\0' || strlen(def->name) > KI_SYSTEM_NAME_MAX) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: a system's name has 1 to %d bytes, not '%.140s'", call,
                       KI_SYSTEM_NAME_MAX, def->name == NULL ? "(null)" : def->name);
    }
    if ((def->run == NULL) == (def->update == NULL)) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: '%s' has %s of `run` and `update`", call,
                       def->name, def->run == NULL ? "neither" : "both");
    }
    bool declares = def->query.term_count != 0 || def->query.driver != NULL ||
                    def->other_count != 0 || def->resource_count != 0 || def->event_count != 0;
    if (def->update != NULL && (declares || def->parallel || def->quiet)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: '%s' has %s, which a plain system (`update`) cannot use", call,
                       def->name,
                       declares        ? "a query, or declares what it touches"
                       : def->parallel ? "`parallel`"
                                       : "`quiet`");
    }
    if (!(def->interval >= 0) || (def->interval > 0 && def->every != 0)) {
        return ki_fail(
            context, KITH_ERR_INPUT,
            "%s: '%s' has an interval of %g seconds, and is to run every %u ticks; one of"
            " them is 0, and the interval not negative",
            call, def->name, (double)def->interval, def->every);
    }
    return KITH_OK;
}

static kith_result define_fill(kith_world *world, const char *call, const kith_system_def *def,
                               ki_system *system)
{
    ki_systems *systems = ki_systems_of(world);
    ki_heap *heap = &world->store.context.heap;
    const char *phase = def->phase == NULL ? KITH_PHASE_UPDATE : def->phase;
    system->phase = ki_phase_find(systems, phase);
    if (system->phase == NULL) {
        return ki_fail(
            &world->store.context, KITH_ERR_UNKNOWN,
            "%s: '%s' is to run in phase '%.100s', which is not there; see kith_phase_add", call,
            def->name, phase);
    }
    system->name = ki_heap_copy_text(heap, def->name);
    system->group = def->group == NULL ? NULL : ki_heap_copy_text(heap, def->group);
    if (system->name == NULL || (def->group != NULL && system->group == NULL)) {
        return KITH_ERR_MEMORY;
    }
    KI_TRY(define_namings(heap, def, system));
    system->whole = (ki_use){.access = def->run == NULL ? KITH_ACCESS_WRITE : KITH_ACCESS_READ,
                             .kind = KI_USE_COMPONENT,
                             .system = system,
                             .thing = &systems->whole};
    if (def->run == NULL) {
        return KITH_OK;
    }
    kith_query_def query = def->query;
    query.name = query.name != NULL ? query.name : def->name;
    KI_TRY(kith_query_new(world, &query, &system->query));
    KI_TRY(define_uses(world, call, def, system));
    system->cursor = ki_cursor_take(system->query);
    return system->cursor == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

kith_result ki_system_make(kith_world *world, const char *call, const kith_system_def *def,
                           ki_system **made)
{
    KI_TRY(define_check(world, call, def));
    ki_system *system =
        ki_heap_take(&world->store.context.heap, sizeof *system, _Alignof(ki_system));
    if (system == NULL) {
        return KITH_ERR_MEMORY;
    }
    *system = (ki_system){.priority = def->priority,
                          .enabled = !def->disabled,
                          .parallel = def->parallel,
                          .quiet = def->quiet,
                          .run = def->run,
                          .update = def->update,
                          .when = def->when,
                          .user = def->user,
                          .interval = def->interval,
                          .every = def->every};
    kith_result result = define_fill(world, call, def, system);
    if (result != KITH_OK) {
        ki_system_free(world, system);
        return result;
    }
    *made = system;
    return KITH_OK;
}
