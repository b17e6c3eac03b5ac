/* Fields by name. */
#include <stdio.h>
#include <string.h>

#include <kith/reflect.h>

#include "reflect/text.h"
#include "store/field_names.h"
#include "world/first_use.h"
#include "world/guard.h"

/* The field that a call asks for, and where it was found. */
typedef struct fields_request {
    const char *call;
    const kith_type *type;
    const char *field; /* as it was written: a name, or a name and [index] */
    kith_field found;  /* under the name that was written */
} fields_request;

/* "u8", or "12 bytes of u8". */
static void fields_describe(kith_kind kind, size_t size, char *text, size_t capacity)
{
    if (size == kith_kind_size(kind)) {
        snprintf(text, capacity, "%s", kith_kind_name(kind));
    } else {
        snprintf(text, capacity, "%zu bytes of %s", size, kith_kind_name(kind));
    }
}

static kith_result fields_wrong(ki_context *context, const fields_request *request, kith_kind kind,
                                size_t size)
{
    char is[48];
    char asked[48];
    fields_describe(request->found.kind, request->found.size, is, sizeof is);
    fields_describe(kind, size, asked, sizeof asked);
    return ki_fail(context, KITH_ERR_TYPE, "%s: %s.%s is %s, not %s", request->call,
                   request->type->name, request->field, is, asked);
}

/* Finds a field of a registered component; `request->type` becomes the registered type. */
static kith_result fields_prepare(const kith_world *world, kith_entity entity,
                                  fields_request *request, ki_component **component)
{
    ki_context *context = ki_world_context(world);
    KI_TRY(ki_world_find_of(world, request->call, entity, request->type, component));
    request->type = (*component)->type;
    KI_TRY(ki_field_locate(context, request->call, KITH_ERR_UNKNOWN, request->type, request->field,
                           &request->found));
    return request->found.kind != KITH_OPAQUE
               ? KITH_OK
               : ki_fail(context, KITH_ERR_TYPE, "%s: %s.%s is opaque: only its hooks can read it",
                         request->call, request->type->name, request->field);
}

/* Compares kind and size with those that a program expects. */
static kith_result fields_compare(const kith_world *world, const fields_request *request,
                                  kith_kind kind, const void *value, size_t size)
{
    ki_context *context = ki_world_context(world);
    if (kind != request->found.kind || size != request->found.size) {
        return fields_wrong(context, request, kind, size);
    }
    if (value == NULL) {
        return ki_fail(context, KITH_ERR_TYPE, "%s: %s.%s is %s, not NULL", request->call,
                       request->type->name, request->field, kith_kind_name(kind));
    }
    return KITH_OK;
}

static kith_result fields_get(const kith_world *world, kith_entity entity, const kith_type *type,
                              const char *field, kith_kind kind, void *value, size_t size)
{
    fields_request request = {.call = "kith_get_field", .type = type, .field = field};
    ki_component *component;
    KI_TRY(fields_prepare(world, entity, &request, &component));
    KI_TRY(fields_compare(world, &request, kind, value, size));
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    if (record == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_DEAD);
    }
    const char *bytes = ki_store_value(&world->store, component, entity.index1 - 1, record);
    if (bytes == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_ABSENT);
    }
    memmove(value, bytes + request.found.offset, size);
    return KITH_OK;
}

kith_result kith_get_field(const kith_world *world, kith_entity entity, const kith_type *type,
                           const char *field, kith_kind kind, void *value, size_t size)
{
    KI_TRY(ki_world_require_owner(world, "kith_get_field"));
    return ki_world_tell_lack(world, "kith_get_field", entity, type,
                              fields_get(world, entity, type, field, kind, value, size));
}

/* Asks about the value of a guarded component as it is once the field is written. */
static kith_result fields_guard(kith_world *world, const char *call, kith_entity entity,
                                ki_component *component, const kith_field *field,
                                const void *bytes)
{
    ki_heap *heap = &world->store.context.heap;
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    uint32_t size = component->type->size;
    const void *value = ki_store_value(&world->store, component, entity.index1 - 1, record);
    if (value == NULL) {
        return ki_without_message(heap, KITH_ERR_ABSENT);
    }
    uint8_t *copy = ki_heap_alloc(heap, size, _Alignof(max_align_t));
    if (copy == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(copy, value, size);
    memcpy(copy + field->offset, bytes, field->size);
    kith_result result = ki_guard_value(world, call, component, entity, copy);
    ki_heap_free(heap, copy, size, _Alignof(max_align_t));
    return result;
}

/* Writes the bytes of a field, which may be the world's own. */
static kith_result fields_write(kith_world *world, kith_entity entity, ki_component *component,
                                const kith_field *field, const void *bytes, const char *call)
{
    ki_store *store = &world->store;
    const uint32_t begin = ki_link_changes_begin(store);
    kith_result result = KITH_OK;
    void *value;
    if (component->relation != NULL) {
        KI_TRY(ki_world_begin_change(world, call));
    }
    if (component->guarded) {
        result = fields_guard(world, call, entity, component, field, bytes);
    }
    if (result == KITH_OK) {
        result = ki_store_mark_value(store, component, entity.index1 - 1,
                                     ki_record_of(&store->entities, entity), &value);
    }
    if (result == KITH_OK) {
        memmove((char *)value + field->offset, bytes, field->size);
    }
    return ki_link_changes_end(store, begin, result);
}

static kith_result fields_set(kith_world *world, kith_entity entity, const kith_type *type,
                              const char *field, kith_kind kind, const void *value, size_t size)
{
    fields_request request = {.call = "kith_set_field", .type = type, .field = field};
    ki_component *component;
    KI_TRY(fields_prepare(world, entity, &request, &component));
    KI_TRY(fields_compare(world, &request, kind, value, size));
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    if (record == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_DEAD);
    }
    request.found.size = (uint32_t)size;
    return fields_write(world, entity, component, &request.found, value, request.call);
}

kith_result kith_set_field(kith_world *world, kith_entity entity, const kith_type *type,
                           const char *field, kith_kind kind, const void *value, size_t size)
{
    KI_TRY(ki_world_require_writer(world, "kith_set_field"));
    return ki_world_tell_lack(world, "kith_set_field", entity, type,
                              fields_set(world, entity, type, field, kind, value, size));
}

/* Whether text may make the field, and the entity has the component. */
static kith_result fields_may_parse(kith_world *world, kith_entity entity,
                                    const fields_request *request, const ki_component *component)
{
    ki_context *context = &world->store.context;
    if (ki_world_hooked(world, request->type) != NULL) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: %s has hooks, and cannot be made of text; write its fields in code",
                       request->call, request->type->name);
    }
    const ki_record *record = ki_record_of(&world->store.entities, entity);
    if (record == NULL) {
        return ki_without_message(&context->heap, KITH_ERR_DEAD);
    }
    return ki_store_has(&world->store, component, entity.index1 - 1, record)
               ? KITH_OK
               : ki_without_message(&context->heap, KITH_ERR_ABSENT);
}

static kith_result fields_from_text(kith_world *world, kith_entity entity, const kith_type *type,
                                    const char *field, const char *text)
{
    fields_request request = {.call = "kith_field_from_text", .type = type, .field = field};
    ki_context *context = &world->store.context;
    if (KI_CHECKED && text == NULL) {
        return ki_misuse(context, "kith_field_from_text: the text is NULL");
    }
    ki_component *component;
    KI_TRY(fields_prepare(world, entity, &request, &component));
    KI_TRY(fields_may_parse(world, entity, &request, component));
    KI_TRY(ki_text_parse_field(world, request.call, request.type, &request.found, text, NULL));
    char *bytes = ki_heap_alloc_zeroed(&context->heap, request.found.size, 1);
    if (bytes == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result =
        ki_text_parse_field(world, request.call, request.type, &request.found, text, bytes);
    if (result == KITH_OK) {
        result = fields_write(world, entity, component, &request.found, bytes, request.call);
    }
    ki_heap_free(&context->heap, bytes, request.found.size, 1);
    return result;
}

kith_result kith_field_from_text(kith_world *world, kith_entity entity, const kith_type *type,
                                 const char *field, const char *text)
{
    KI_TRY(ki_world_require_writer(world, "kith_field_from_text"));
    return ki_world_tell_lack(world, "kith_field_from_text", entity, type,
                              fields_from_text(world, entity, type, field, text));
}
