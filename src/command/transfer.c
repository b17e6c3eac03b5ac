/* Transfers: entities that move to another world. A command buffer of that world makes them whole, with
 * the new handles in their values; before it is applied, the end of the old ones is reserved, so that
 * it cannot fail afterwards. */
#include <string.h>

#include <kith/namer.h>
#include <kith/text.h>
#include <kith/transfer.h>

#include "command/buffer.h"
#include "world/ends.h"

typedef struct transfer {
    kith_world *from;
    kith_world *to;
    const kith_entity *entities;
    uint32_t count;
    ki_map numbers;       /* of the entities, by handle: place in `entities` plus one */
    kith_entity *handles; /* their provisional handles, in that order */
    kith_commands *commands;
    uint8_t *value; /* a copy of a value of plain bytes */
    uint32_t value_size;
    uint32_t value_align;
} transfer;

static ki_heap *transfer_heap(const transfer *t)
{
    return &t->from->store.context.heap;
}

/* Fails with what went wrong in the other world: its message, or that of its buffer. */
static kith_result transfer_fail(const transfer *t, kith_result result, const char *why)
{
    return result == KITH_ERR_MEMORY || why[0] == '\0'
               ? ki_without_message(transfer_heap(t), result)
               : ki_fail(&t->from->store.context, result, "kith_transfer: %s", why);
}

/* ---- What moves */

static uint64_t transfer_key(kith_entity entity)
{
    return (uint64_t)entity.generation << 32 | entity.index1;
}

/* The place of an entity among those that move, plus one; 0: it is none of them. */
static uintptr_t transfer_number(const transfer *t, kith_entity entity)
{
    return (uintptr_t)ki_map_find(&t->numbers, transfer_key(entity));
}

/* Whether the values of a component may be copied into the other world. Each world has its own
 * `user`. */
static kith_result transfer_check_hooks(const transfer *t, const ki_component *from,
                                        const ki_component *to)
{
    ki_context *context = &t->from->store.context;
    const kith_hooks *a = from->hooks == NULL ? NULL : &from->hooks->calls;
    const kith_hooks *b = to->hooks == NULL ? NULL : &to->hooks->calls;
    bool same = a == NULL || b == NULL
                    ? a == b
                    : a->init == b->init && a->copy == b->copy && a->move == b->move &&
                          a->destroy == b->destroy && a->hash == b->hash;
    return same ? KITH_OK
                : ki_fail(context, KITH_ERR_CONFLICT,
                          "kith_transfer: '%s' has %s hooks in the other world", from->type->name,
                          b == NULL ? "no" : "other");
}

/* Registers a type in the other world, with the layout that it has here. The process-wide register keeps
 * another one if another world declared the type first. */
static kith_result transfer_register(const transfer *t, const ki_component *from,
                                     const kith_hooks *hooks)
{
    kith_type type = *from->type;
    type.layout = from->layout;
    const kith_component_def def = {.layout = from->layout,
                                    .exact_changes = from->value_diff != NULL,
                                    .transient = from->transient,
                                    .hooks = hooks};
    const kith_result result = kith_register(t->to, &type, &def);
    return result == KITH_OK ? KITH_OK : transfer_fail(t, result, kith_error(t->to));
}

/* Makes the other world know a type. */
static kith_result transfer_prepare_type(transfer *t, const ki_component *from)
{
    const kith_hooks *hooks = from->hooks == NULL ? NULL : &from->hooks->calls;
    if (hooks != NULL && hooks->copy == NULL) {
        return ki_fail(&t->from->store.context, KITH_ERR_TYPE,
                       "kith_transfer: '%s' has hooks, but none that copies a value",
                       from->type->name);
    }
    const ki_component *to = ki_world_component(t->to, from->type);
    KI_TRY(to != NULL ? transfer_check_hooks(t, from, to) : transfer_register(t, from, hooks));
    t->value_size = from->type->size > t->value_size ? from->type->size : t->value_size;
    t->value_align = from->type->align > t->value_align ? from->type->align : t->value_align;
    return KITH_OK;
}

/* Looks at an entity and its components, and gives it its number. */
static kith_result transfer_prepare_entity(transfer *t, uint32_t i)
{
    kith_entity entity = t->entities[i];
    ki_context *context = &t->from->store.context;
    if (ki_record_of(&t->from->store.entities, entity) == NULL) {
        return ki_fail(context, KITH_ERR_DEAD, "kith_transfer: %s is not alive",
                       kith_entity_describe(t->from, entity).text);
    }
    if (transfer_number(t, entity) != 0) {
        return ki_fail(context, KITH_ERR_CONFLICT, "kith_transfer: %s is named twice",
                       kith_entity_describe(t->from, entity).text);
    }
    KI_TRY(ki_map_reserve(transfer_heap(t), &t->numbers));
    ki_map_insert(&t->numbers, transfer_key(entity), (void *)((uintptr_t)i + 1));
    const kith_type *type = NULL;
    while ((type = kith_component_next(t->from, entity, type)) != NULL) {
        KI_TRY(transfer_prepare_type(t, ki_world_component(t->from, type)));
    }
    return KITH_OK;
}

static kith_result transfer_prepare(transfer *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        KI_TRY(transfer_prepare_entity(t, i));
    }
    t->handles = ki_heap_alloc(transfer_heap(t), ki_heap_bytes(t->count, sizeof *t->handles), 8);
    t->value = ki_heap_alloc(transfer_heap(t), t->value_size, t->value_align);
    t->commands = kith_commands_new(t->to, NULL);
    return t->handles == NULL || t->value == NULL || t->commands == NULL
               ? ki_without_message(transfer_heap(t), KITH_ERR_MEMORY)
               : KITH_OK;
}

static void transfer_end(transfer *t)
{
    kith_commands_free(t->commands);
    ki_map_free(transfer_heap(t), &t->numbers);
    ki_heap_free(transfer_heap(t), t->handles, ki_heap_bytes(t->count, sizeof *t->handles), 8);
    ki_heap_free(transfer_heap(t), t->value, t->value_size, t->value_align);
}

/* ---- Values */

static void transfer_handles(transfer *t, const kith_type *type, uint8_t *value)
{
    KI_EACH_HANDLE (place, type) {
        kith_entity entity;
        memcpy(&entity, value + place, sizeof entity);
        uintptr_t number = transfer_number(t, entity);
        entity = number == 0 ? KITH_NONE : t->handles[number - 1];
        memcpy(value + place, &entity, sizeof entity);
        t->commands->refers |= number != 0;
    }
}

static kith_result transfer_text(transfer *t, uint8_t *place)
{
    kith_text text;
    memcpy(&text, place, sizeof text);
    size_t length = 0;
    const char *bytes = kith_text_get(t->from, text, &length);
    kith_result result = kith_text_intern_bytes(t->to, bytes, bytes == NULL ? 0 : length, &text);
    memcpy(place, &text, sizeof text);
    return result == KITH_OK ? KITH_OK : transfer_fail(t, result, kith_error(t->to));
}

static kith_result transfer_texts(transfer *t, const kith_type *type, uint8_t *value)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        uint32_t size = field->kind == KITH_TEXT ? field->size : 0;
        for (uint32_t done = 0; done < size; done += (uint32_t)sizeof(kith_text)) {
            KI_TRY(transfer_text(t, value + field->offset + done));
        }
    }
    return KITH_OK;
}

/* Queues a component of an entity that moves, for its new handle. A value with hooks is copied, and its
 * handles are the new ones in the copy. */
static kith_result transfer_value(transfer *t, kith_entity entity, kith_entity made,
                                  const kith_type *type)
{
    const void *value = kith_get(t->from, entity, type);
    bool hooked = ki_world_hooked(t->to, type) != NULL;
    if (value != NULL && !hooked) {
        memcpy(t->value, value, type->size);
        transfer_handles(t, type, t->value);
        KI_TRY(transfer_texts(t, type, t->value));
        value = t->value;
    }
    kith_result result = kith_commands_set(t->commands, made, type, value);
    if (result != KITH_OK || !hooked) {
        return result == KITH_OK ? KITH_OK
                                 : transfer_fail(t, result, kith_commands_error(t->commands));
    }
    uint8_t *copy = ki_owned_value_bytes(t->commands->owned.last);
    transfer_handles(t, type, copy);
    return transfer_texts(t, type, copy);
}

/* Whether an entity has one target of a relation, so that it has a place among the sources of that. */
static bool transfer_has_place(const kith_type *type)
{
    return type->relation != 0 && (type->relation & KITH_MANY) == 0;
}

/* Queues the links among entities that move, so that sources come in the order in which they are. */
static kith_result transfer_links(transfer *t, const ki_relation *relation)
{
    const ki_entities *entities = &t->from->store.entities;
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t at1 = ki_relation_link(relation, t->entities[i].index1 - 1).first1;
        for (; at1 != 0; at1 = ki_relation_link(relation, at1 - 1).next1) {
            const kith_entity source = ki_entity_at(entities, at1 - 1);
            const uintptr_t number = transfer_number(t, source);
            KI_TRY(number == 0 ? KITH_OK
                               : transfer_value(t, source, t->handles[number - 1],
                                                relation->component->type));
        }
    }
    return KITH_OK;
}

/* Whether an entity keeps a component: one of KITH_LINKS moves with both of its ends, or is dropped. */
static bool transfer_keeps(const transfer *t, kith_entity entity, const kith_type *type)
{
    if ((type->relation & KITH_MANY) == 0) {
        return true;
    }
    kith_entity ends[2];
    memcpy(ends, kith_get(t->from, entity, type), sizeof ends);
    return transfer_number(t, ends[0]) != 0 && transfer_number(t, ends[1]) != 0;
}

/* Queues all other components of an entity. */
static kith_result transfer_entity(transfer *t, uint32_t i)
{
    const kith_type *type = NULL;
    while ((type = kith_component_next(t->from, t->entities[i], type)) != NULL) {
        KI_TRY(transfer_has_place(type) || !transfer_keeps(t, t->entities[i], type)
                   ? KITH_OK
                   : transfer_value(t, t->entities[i], t->handles[i], type));
    }
    return KITH_OK;
}

static kith_result transfer_queue(transfer *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        t->handles[i] = kith_commands_spawn(t->commands);
        if (kith_is_none(t->handles[i])) {
            return transfer_fail(t, t->commands->failed, kith_commands_error(t->commands));
        }
    }
    for (uint32_t i = 0; i < t->count; i++) {
        KI_TRY(transfer_entity(t, i));
    }
    for (uint32_t i = 0; i < t->from->store.relation_count; i++) {
        const ki_relation *relation = t->from->store.relations[i];
        KI_TRY(transfer_has_place(relation->component->type) ? transfer_links(t, relation)
                                                             : KITH_OK);
    }
    return KITH_OK;
}

/* ---- The call */

static kith_result transfer_make(transfer *t, kith_entity *moved)
{
    KI_TRY(transfer_prepare(t));
    KI_TRY(transfer_queue(t));
    ki_ends ends;
    KI_TRY(ki_ends_reserve(&ends, t->from, "kith_transfer", t->entities, t->count));
    kith_result result = kith_commands_apply(t->commands, NULL);
    if (result != KITH_OK) {
        ki_ends_cancel(&ends);
        return transfer_fail(t, result, kith_error(t->to));
    }
    ki_ends_commit(&ends);
    for (uint32_t i = 0; moved != NULL && i < t->count; i++) {
        moved[i] = kith_commands_real(t->commands, t->handles[i]);
    }
    return KITH_OK;
}

kith_result kith_transfer(kith_world *from, const kith_entity *entities, uint32_t count,
                          kith_world *to, kith_entity *moved)
{
    KI_TRY(ki_world_begin_change(from, "kith_transfer"));
    if (KI_CHECKED && from == to) {
        return ki_misuse(&from->store.context, "kith_transfer: both worlds are the same");
    }
    KI_TRY(ki_world_begin_change(to, "kith_transfer"));
    if (KI_CHECKED && entities == NULL && count != 0) {
        return ki_misuse(&from->store.context,
                         "kith_transfer: %u handles, but their address is NULL", count);
    }
    if (count == 0) {
        return KITH_OK;
    }
    transfer t = {.from = from,
                  .to = to,
                  .entities = entities,
                  .count = count,
                  .value_size = 1,
                  .value_align = 1};
    kith_result result = transfer_make(&t, moved);
    transfer_end(&t);
    return result;
}
