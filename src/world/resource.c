/* Resources: one value of a type for the whole world. */
#include <string.h>

#include "store/clone_column.h"
#include "world/staged.h"
#include "world/world_state.h"

/* Where a resource of that name is, or would be. */
static uint32_t resource_place(const kith_world *world, const char *name)
{
    uint32_t low = 0;
    uint32_t high = world->resource_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(world->resources[middle]->type->name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static ki_kept *resource_find(const kith_world *world, const kith_type *type)
{
    return ki_kept_find(&world->resource_numbers, type);
}

bool ki_resource_known(const kith_world *world, const kith_type *type)
{
    return resource_find(world, type) != NULL;
}

static void resource_give(kith_world *world, ki_kept *resource)
{
    ki_column_free(&world->store.columns, &resource->values);
    ki_heap_free(&world->store.context.heap, resource, sizeof *resource, _Alignof(ki_kept));
}

/* Makes a resource with room for its value, but does not add it to the world. */
static kith_result resource_make(kith_world *world, const kith_type *type, ki_kept **made)
{
    ki_context *context = &world->store.context;
    const kith_type *kept;
    KI_TRY(ki_register_add(context, "kith_resource_set", type, &kept, NULL));
    if (type->size == 0) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_resource_set: '%s' is a tag, which has no value", type->name);
    }
    const ki_component *hooked;
    KI_TRY(ki_world_require_hooks(world, "kith_resource_set", kept, &hooked));
    uint32_t place = resource_place(world, type->name);
    if (place < world->resource_count &&
        strcmp(world->resources[place]->type->name, type->name) == 0) {
        return ki_fail(
            context, KITH_ERR_CONFLICT,
            "kith_resource_set: there is a resource '%s' of another type (%u bytes there, %u"
            " here)",
            type->name, world->resources[place]->type->size, type->size);
    }
    KI_TRY(ki_map_reserve(&context->heap, &world->resource_numbers));
    KI_TRY(ki_heap_grow(&context->heap, &world->resources, &world->resource_capacity,
                        world->resource_count + 1, sizeof *world->resources, 4));
    ki_kept *resource = ki_heap_alloc(&context->heap, sizeof *resource, _Alignof(ki_kept));
    if (resource == NULL) {
        return KITH_ERR_MEMORY;
    }
    *resource = (ki_kept){.type = kept, .number = ki_type_number(kept)};
    ki_column_init(&resource->values, kept->size, kept->align);
    ki_column_set_hooks(&resource->values, hooked == NULL ? NULL : hooked->hooks);
    if (ki_column_reserve(&world->store.columns, &resource->values, 1) != KITH_OK) {
        resource_give(world, resource);
        return KITH_ERR_MEMORY;
    }
    *made = resource;
    return KITH_OK;
}

static void resource_insert(kith_world *world, ki_kept *resource)
{
    uint32_t place = resource_place(world, resource->type->name);
    memmove(world->resources + place + 1, world->resources + place,
            (world->resource_count - place) * sizeof *world->resources);
    world->resources[place] = resource;
    world->resource_count++;
    ki_map_insert(&world->resource_numbers, resource->number, resource);
}

static kith_result resource_write(kith_world *world, ki_kept *resource, const void *value)
{
    if (!ki_column_mark(&world->store.columns, &resource->values, 0)) {
        return KITH_ERR_MEMORY;
    }
    ki_column_write(&resource->values, 0, value);
    return KITH_OK;
}

static kith_result resource_write_hooked(kith_world *world, ki_kept *resource, const void *value)
{
    ki_staged staged = {.world = world, .call = "kith_resource_set"};
    void *made;
    kith_result result =
        ki_staged_make(&staged, ki_world_component(world, resource->type), value, 1, false, &made);
    if (result == KITH_OK) {
        result = resource_write(world, resource, made);
    }
    ki_staged_end(&staged, result);
    return result;
}

kith_result kith_resource_set(kith_world *world, const kith_type *type, const void *value)
{
    KI_TRY(ki_world_require_writer(world, "kith_resource_set"));
    if (KI_CHECKED && type == NULL) {
        return ki_misuse(&world->store.context, "kith_resource_set: the type is NULL");
    }
    ki_kept *resource = resource_find(world, type);
    bool is_new = resource == NULL;
    if (is_new) {
        KI_TRY(resource_make(world, type, &resource));
    }
    kith_result result = resource->values.hooks == NULL
                             ? resource_write(world, resource, value)
                             : resource_write_hooked(world, resource, value);
    if (is_new && result == KITH_OK) {
        resource_insert(world, resource);
    } else if (is_new) {
        resource_give(world, resource);
    }
    return result;
}

const void *ki_resource_value(const kith_world *world, const kith_type *type)
{
    const ki_kept *resource = resource_find(world, type);
    return resource == NULL ? NULL : ki_column_at(&resource->values, 0);
}

const void *kith_resource_get(const kith_world *world, const kith_type *type)
{
    if (ki_world_require_owner(world, "kith_resource_get") != KITH_OK) {
        return NULL;
    }
    if (KI_CHECKED && type == NULL) {
        ki_misuse(ki_world_error_context(world), "kith_resource_get: the type is NULL");
        return NULL;
    }
    return ki_resource_value(world, type);
}

kith_result ki_resource_mark(kith_world *world, const kith_type *type, void **value)
{
    ki_kept *resource = resource_find(world, type);
    if (resource == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_ABSENT);
    }
    if (!ki_column_mark(&world->store.columns, &resource->values, 0)) {
        return KITH_ERR_MEMORY;
    }
    *value = ki_column_at(&resource->values, 0);
    return KITH_OK;
}

static kith_result resource_mut(kith_world *world, const char *call, const kith_type *type,
                                void **value)
{
    KI_TRY(ki_world_require_writer(world, call));
    if (KI_CHECKED && (type == NULL || value == NULL)) {
        return ki_misuse(&world->store.context,
                         "%s: the type, or the place for the pointer, is NULL", call);
    }
    return ki_resource_mark(world, type, value);
}

/* KITH_ERR_ABSENT, with a message. */
static kith_result resource_lacks(kith_world *world, const char *call, const kith_type *type)
{
    return ki_fail(&world->store.context, KITH_ERR_ABSENT, "%s: there is no resource %.127s", call,
                   type->name == NULL ? "(unnamed)" : type->name);
}

kith_result kith_resource_get_mut(kith_world *world, const kith_type *type, void **value)
{
    kith_result result = resource_mut(world, "kith_resource_get_mut", type, value);
    return result == KITH_ERR_ABSENT ? resource_lacks(world, "kith_resource_get_mut", type)
                                     : result;
}

void *kith_resource_mut_or_null(kith_world *world, const kith_type *type)
{
    void *value = NULL;
    kith_result result = resource_mut(world, "kith_resource_mut_or_null", type, &value);
    return result == KITH_OK ? value : NULL;
}

kith_result kith_resource_remove(kith_world *world, const kith_type *type)
{
    KI_TRY(ki_world_require_writer(world, "kith_resource_remove"));
    if (KI_CHECKED && type == NULL) {
        return ki_misuse(&world->store.context, "kith_resource_remove: the type is NULL");
    }
    ki_kept *resource = resource_find(world, type);
    if (resource == NULL) {
        return resource_lacks(world, "kith_resource_remove", type);
    }
    uint32_t place = resource_place(world, resource->type->name);
    world->resource_count--;
    memmove(world->resources + place, world->resources + place + 1,
            (world->resource_count - place) * sizeof *world->resources);
    ki_map_remove(&world->resource_numbers, resource->number, resource);
    resource_give(world, resource);
    return KITH_OK;
}

const kith_type *kith_resource_at(const kith_world *world, uint32_t index)
{
    if (ki_world_require_owner(world, "kith_resource_at") != KITH_OK) {
        return NULL;
    }
    return index < world->resource_count ? world->resources[index]->type : NULL;
}

static ki_kept_list resource_list(const kith_world *world)
{
    return (ki_kept_list){world->resources, world->resource_count, world->resource_capacity,
                          world->resource_numbers};
}

void ki_resources_release(kith_world *world, ki_kept_list *resources)
{
    for (uint32_t i = 0; i < resources->count; i++) {
        resource_give(world, resources->items[i]);
    }
    ki_kept_list_free(world, resources);
}

/* Adds a copy of a resource to a list, which comes in the same order. */
static kith_result resource_clone(kith_world *world, const ki_kept *from, ki_kept_list *to)
{
    KI_TRY(ki_kept_list_reserve(world, to));
    ki_kept *resource =
        ki_heap_alloc(&world->store.context.heap, sizeof *resource, _Alignof(ki_kept));
    if (resource == NULL) {
        return KITH_ERR_MEMORY;
    }
    *resource = (ki_kept){.type = from->type, .number = from->number};
    kith_result result =
        ki_column_clone(&world->store.columns, &from->values, 0, 1, &resource->values);
    if (result != KITH_OK) {
        ki_heap_free(&world->store.context.heap, resource, sizeof *resource, _Alignof(ki_kept));
        return result;
    }
    ki_kept_list_add(to, resource);
    return KITH_OK;
}

static kith_result resource_clone_list(kith_world *world, const ki_kept_list *from,
                                       ki_kept_list *to)
{
    *to = (ki_kept_list){0};
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < from->count && result == KITH_OK; i++) {
        result = resource_clone(world, from->items[i], to);
    }
    if (result != KITH_OK) {
        ki_resources_release(world, to);
    }
    return result;
}

kith_result ki_resources_take(kith_world *world, ki_kept_list *taken)
{
    ki_kept_list resources = resource_list(world);
    return resource_clone_list(world, &resources, taken);
}

kith_result ki_resources_reserve(kith_world *world, const ki_kept_list *taken, ki_kept_list *ready)
{
    return resource_clone_list(world, taken, ready);
}

void ki_resources_restore(kith_world *world, ki_kept_list *ready)
{
    ki_kept_list old = resource_list(world);
    world->resources = ready->items;
    world->resource_count = ready->count;
    world->resource_capacity = ready->capacity;
    world->resource_numbers = ready->numbers;
    *ready = (ki_kept_list){0};
    ki_resources_release(world, &old);
}

void ki_resources_free(kith_world *world)
{
    ki_kept_list resources = resource_list(world);
    world->resource_count = 0;
    ki_resources_release(world, &resources);
}
