/* Which types a world knows as components. */
#include <string.h>

#include <kith/hierarchy.h>
#include <kith/name.h>

#include "world/refusals.h"

static const char *types_layout_name(kith_layout layout)
{
    return layout == KITH_TABLE    ? "KITH_TABLE"
           : layout == KITH_SPARSE ? "KITH_SPARSE"
                                   : "KITH_SLOT";
}

static kith_result types_conflict(kith_world *world, const char *call, const kith_type *type,
                                  const kith_type *other)
{
    char difference[256];
    ki_type_difference(other, type, difference, sizeof difference);
    return ki_fail(&world->store.context, KITH_ERR_CONFLICT,
                   "%s: '%s' is registered as another type: %s", call, type->name, difference);
}

kith_result ki_world_reserve_number(kith_world *world, uint32_t number)
{
    struct kith_known_ *known = &world->store.context.known;
    uint32_t old = known->count;
    KI_TRY(ki_heap_grow(&world->store.context.heap, &known->places, &known->count, number + 1,
                        sizeof *known->places, 8));
    if (known->count > old) {
        memset(known->places + old, 0, (known->count - old) * sizeof *known->places);
    }
    return KITH_OK;
}

static bool types_same_hooks(const kith_hooks *a, const kith_hooks *b)
{
    return a->init == b->init && a->copy == b->copy && a->move == b->move &&
           a->destroy == b->destroy && a->hash == b->hash && a->user == b->user;
}

/* Checks the hooks of a type that is new to the world: opaque fields need them, tags have none. */
static kith_result types_check_hooks(kith_world *world, const char *call, const kith_type *type,
                                     const kith_hooks *hooks)
{
    ki_context *context = &world->store.context;
    const kith_field *opaque = ki_type_opaque(type);
    if (hooks == NULL) {
        return opaque == NULL
                   ? KITH_OK
                   : ki_fail(context, KITH_ERR_INPUT,
                             "%s: '%s': its field %s is opaque: only hooks know what to do with it,"
                             " and none were given",
                             call, type->name, opaque->name);
    }
    if (type->size == 0) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: '%s' is a tag, and has no values to hook",
                       call, type->name);
    }
    if (type->relation != 0) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: '%s': a relation has no hooks", call,
                       type->name);
    }
    bool taken = ki_resource_known(world, type) || ki_event_known(world, type);
    return taken ? ki_fail(context, KITH_ERR_CONFLICT,
                           "%s: there is a resource or an event '%s' already, made without hooks",
                           call, type->name)
                 : KITH_OK;
}

/* A clone gets all that its source has in tables, and no name. */
static kith_result types_check_names(kith_world *world, const char *call, const kith_type *type,
                                     kith_layout layout, const kith_hooks *hooks)
{
    return ki_type_number_found(&kith_name_type) != ki_type_number(type) ||
                   (layout != KITH_TABLE && hooks == NULL)
               ? KITH_OK
               : ki_fail(&world->store.context, KITH_ERR_INPUT,
                         "%s: '%s': names of entities have layout KITH_SLOT or KITH_SPARSE, and no"
                         " hooks",
                         call, type->name);
}

/* What is disabled follows from bits by slot. */
static kith_result types_check_disabled(kith_world *world, const char *call, const kith_type *type,
                                        kith_layout layout)
{
    return layout == KITH_SLOT || ki_type_number_found(&kith_disabled_type) != ki_type_number(type)
               ? KITH_OK
               : ki_fail(&world->store.context, KITH_ERR_INPUT,
                         "%s: '%s' is the tag of <kith/hierarchy.h>, kith_disabled, and has layout"
                         " KITH_SLOT",
                         call, type->name);
}

static const char *types_when(const ki_component *component)
{
    return component->by_use ? ": its first use did that; call kith_register before it" : "";
}

/* Checks a type that is registered again: with the same properties, or fewer. */
static kith_result types_check_again(kith_world *world, const char *call,
                                     const ki_component *component, kith_layout layout,
                                     const kith_hooks *hooks)
{
    ki_context *context = &world->store.context;
    if (component->layout != layout) {
        return ki_fail(context, KITH_ERR_CONFLICT,
                       "%s: '%s' is registered with layout %s, not %s%s", call,
                       component->type->name, types_layout_name(component->layout),
                       types_layout_name(layout), types_when(component));
    }
    if (hooks == NULL ||
        (component->hooks != NULL && types_same_hooks(&component->hooks->calls, hooks))) {
        return KITH_OK;
    }
    return ki_fail(context, KITH_ERR_CONFLICT, "%s: '%s' is registered with%s hooks%s", call,
                   component->type->name, component->hooks == NULL ? "out" : " other",
                   types_when(component));
}

kith_result ki_world_add_type(kith_world *world, const char *call, const kith_type *type,
                              kith_layout layout, const kith_hooks *hooks, const kith_type **kept)
{
    ki_context *context = &world->store.context;
    bool alone;
    KI_TRY(ki_register_add(context, call, type, kept, &alone));
    if (layout != KITH_TABLE && layout != KITH_SPARSE && layout != KITH_SLOT) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: '%s': %d is no layout", call, type->name,
                       (int)layout);
    }
    uint32_t number = ki_type_number(*kept);
    if (ki_world_knows(world, number)) {
        return types_check_again(world, call, ki_world_numbered(world, number), layout, hooks);
    }
    const kith_type *other = alone ? NULL : ki_register_find_namesake(*kept, ki_world_knows, world);
    if (other != NULL) {
        return types_conflict(world, call, type, other);
    }
    KI_TRY(types_check_hooks(world, call, *kept, hooks));
    KI_TRY(types_check_names(world, call, *kept, layout, hooks));
    KI_TRY(types_check_disabled(world, call, *kept, layout));
    if (world->store.component_count == KI_COMPONENTS_MAX) {
        return ki_fail(context, KITH_ERR_LIMIT, "%s: '%s': there are %u types, and may be no more",
                       call, type->name, KI_COMPONENTS_MAX);
    }
    KI_TRY(ki_world_reserve_number(world, number));
    ki_component *component;
    KI_TRY(ki_store_add_component(&world->store, *kept, layout, hooks, &component));
    world->store.context.known.places[number] = &component->place;
    return KITH_OK;
}

/* Makes the struct for exact changes of a type. `*exact` is NULL if none are asked for. */
static kith_result types_make_value_diff(kith_world *world, const kith_type *type,
                                         const kith_component_def *def, ki_value_diff **value_diff)
{
    ki_context *context = &world->store.context;
    const char *name = type->name == NULL ? "(null)" : type->name;
    *value_diff = NULL;
    if (!def->exact_changes) {
        return KITH_OK;
    }
    if (type->size == 0) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_register: '%.127s' is a tag: it has no value to compare for exact"
                       " changes",
                       name);
    }
    const ki_component *there = ki_world_component(world, type);
    const kith_hooks *hooks =
        there != NULL && there->hooks != NULL ? &there->hooks->calls : def->hooks;
    if (hooks != NULL && hooks->hash == NULL) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_register: '%.127s': without a hook that hashes its values, their"
                       " changes cannot be exact",
                       name);
    }
    return ki_value_diff_make(&world->store, hooks != NULL ? sizeof(uint64_t) : type->size,
                              value_diff);
}

/* Whether a type is transient is said when it is registered first. */
static kith_result types_check_transient(kith_world *world, const kith_type *type,
                                         kith_layout layout, const ki_component *there)
{
    ki_context *context = &world->store.context;
    const char *name = type->name == NULL ? "(null)" : type->name;
    if (layout == KITH_TABLE) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_register: '%.127s' has layout KITH_TABLE, which a transient component"
                       " cannot have: make it KITH_SPARSE or KITH_SLOT",
                       name);
    }
    if (strcmp(name, kith_child_of_type.name) == 0) {
        return ki_fail(
            context, KITH_ERR_INPUT,
            "kith_register: '%.127s' cannot be transient: the names of siblings would not"
            " be unique where parents are left out",
            name);
    }
    return there == NULL || there->transient
               ? KITH_OK
               : ki_fail(context, KITH_ERR_CONFLICT,
                         "kith_register: '%.127s' is registered as not transient%s", name,
                         types_when(there));
}

static kith_result types_register(kith_world *world, const kith_type *type,
                                  const kith_component_def *def)
{
    kith_layout layout = def->layout == KITH_TABLE ? type->layout : def->layout;
    if (def->transient) {
        KI_TRY(types_check_transient(world, type, layout, ki_world_component(world, type)));
    }
    ki_value_diff *value_diff;
    KI_TRY(types_make_value_diff(world, type, def, &value_diff));
    const kith_type *kept;
    kith_result result = ki_world_add_type(world, "kith_register", type, layout, def->hooks, &kept);
    if (result == KITH_OK) {
        ki_component *component = ki_world_component(world, kept);
        component->transient = component->transient || def->transient;
        if (component->value_diff == NULL && value_diff != NULL) {
            ki_value_diff_begin(&world->store, component, value_diff);
            value_diff = NULL;
        }
    }
    ki_value_diff_free(&world->store.columns, value_diff);
    return result;
}

kith_result kith_register(kith_world *world, const kith_type *type, const kith_component_def *def)
{
    KI_TRY(ki_world_begin_change(world, "kith_register"));
    if (KI_CHECKED && type == NULL) {
        return ki_misuse(&world->store.context, "kith_register: the type is NULL");
    }
    static const kith_component_def defaults;
    kith_result result = types_register(world, type, def == NULL ? &defaults : def);
    ki_world_remember_registration(world, type, result);
    return result;
}

uint32_t kith_type_count(const kith_world *world)
{
    if (ki_world_require_reader(world, "kith_type_count") != KITH_OK) {
        return 0;
    }
    return world->store.component_count;
}

const kith_type *kith_type_at(const kith_world *world, uint32_t index)
{
    if (ki_world_require_reader(world, "kith_type_at") != KITH_OK) {
        return NULL;
    }
    const ki_component *component = ki_names_at(world->store.names, index);
    return component == NULL ? NULL : component->type;
}

/* Kith's own component of that name; NULL if there is none. */
static const kith_type *types_find_own(const char *name)
{
    static const kith_type *const own[] = {&kith_child_of_type, &kith_name_type,
                                           &kith_disabled_type};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (strcmp(own[i]->name, name) == 0) {
            return own[i];
        }
    }
    return NULL;
}

const kith_type *kith_type_find(const kith_world *world, const char *name)
{
    if (ki_world_require_reader(world, "kith_type_find") != KITH_OK) {
        return NULL;
    }
    if (KI_CHECKED && name == NULL) {
        ki_misuse(ki_world_error_context(world), "kith_type_find: the name is NULL");
        return NULL;
    }
    const kith_type *type = ki_register_find_name(name, ki_world_knows, world);
    return type != NULL ? type : types_find_own(name);
}

bool kith_has_hooks(const kith_world *world, const kith_type *type)
{
    if (ki_world_require_reader(world, "kith_has_hooks") != KITH_OK) {
        return false;
    }
    if (KI_CHECKED && type == NULL) {
        ki_misuse(ki_world_error_context(world), "kith_has_hooks: the type is NULL");
        return false;
    }
    return ki_world_hooked(world, type) != NULL;
}

bool kith_is_transient(const kith_world *world, const kith_type *type)
{
    if (ki_world_require_reader(world, "kith_is_transient") != KITH_OK) {
        return false;
    }
    if (KI_CHECKED && type == NULL) {
        ki_misuse(ki_world_error_context(world), "kith_is_transient: the type is NULL");
        return false;
    }
    const ki_component *component = ki_world_component(world, type);
    return component != NULL && component->transient;
}

kith_result kith_layout_of(const kith_world *world, const kith_type *type, kith_layout *layout)
{
    KI_TRY(ki_world_require_reader(world, "kith_layout_of"));
    if (KI_CHECKED && type == NULL) {
        return ki_misuse(ki_world_error_context(world), "kith_layout_of: the type is NULL");
    }
    const ki_component *component = ki_world_component(world, type);
    if (component == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_UNKNOWN);
    }
    if (layout != NULL) {
        *layout = component->layout;
    }
    return KITH_OK;
}
