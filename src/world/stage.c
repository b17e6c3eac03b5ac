#include "world/stage.h"

struct ki_stage_piece {
    ki_stage_piece *next;
    const ki_hooks *hooks; /* NULL: no values, or the caller's own until the call succeeds */
    uint32_t count;
    uint32_t offset; /* where its values begin */
    size_t bytes;
    size_t align;
    bool taken;
};

static void *stage_data(ki_stage_piece *piece)
{
    return (uint8_t *)piece + piece->offset;
}

static ki_stage_piece *stage_piece(ki_stage *stage, size_t bytes, size_t align)
{
    size_t most = align > _Alignof(ki_stage_piece) ? align : _Alignof(ki_stage_piece);
    size_t offset = ki_round_up(sizeof(ki_stage_piece), most);
    ki_stage_piece *piece = ki_heap_take(&stage->world->store.context.heap, offset + bytes, most);
    if (piece != NULL) {
        *piece = (ki_stage_piece){
            .offset = (uint32_t)offset, .bytes = offset + bytes, .align = most, .taken = true};
        if (stage->last == NULL) {
            stage->first = piece;
        } else {
            stage->last->next = piece;
        }
        stage->last = piece;
    }
    return piece;
}

void *ki_stage_take(ki_stage *stage, size_t bytes, size_t align)
{
    ki_stage_piece *piece = stage_piece(stage, bytes, align);
    return piece == NULL ? NULL : stage_data(piece);
}

/* Copies one value `count` times: all, or none. */
static kith_result stage_repeat(const ki_hooks *hooks, uint8_t *to, const void *value,
                                uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kith_result result = ki_hooks_copy(hooks, to + (size_t)i * hooks->type->size, value, 1);
        if (result != KITH_OK) {
            if (i != 0) {
                ki_hooks_destroy(hooks, to, i);
            }
            return result;
        }
    }
    return KITH_OK;
}

kith_result ki_stage_make(ki_stage *stage, const ki_component *component, const void *values,
                          uint32_t count, bool repeat, void **made)
{
    const ki_hooks *hooks = component->hooks;
    uint32_t size = component->type->size;
    bool taken_over = values != NULL && hooks->calls.copy == NULL;
    if (taken_over && repeat && count > 1) {
        return ki_fail(&stage->world->store.context, KITH_ERR_TYPE,
                       "%s: '%s' has hooks, but none to copy one value for %u entities",
                       stage->call, component->type->name, count);
    }
    ki_stage_piece *piece = stage_piece(stage, ki_heap_bytes(count, size), component->type->align);
    if (piece == NULL) {
        return KITH_ERR_MEMORY;
    }
    void *data = stage_data(piece);
    *made = data;
    if (count == 0) {
        return KITH_OK;
    }
    if (taken_over) {
        memcpy(data, values, (size_t)count * size);
        return KITH_OK;
    }
    KI_TRY(values == NULL ? ki_hooks_init(hooks, data, count)
           : repeat       ? stage_repeat(hooks, data, values, count)
                          : ki_hooks_copy(hooks, data, values, count));
    piece->hooks = hooks;
    piece->count = count;
    return KITH_OK;
}

kith_result ki_stage_clone(ki_stage *stage, const ki_component *component, const void *value)
{
    if (component->hooks->calls.copy == NULL) {
        return ki_fail(&stage->world->store.context, KITH_ERR_TYPE,
                       "%s: '%s' has hooks, but none to copy its values", stage->call,
                       component->type->name);
    }
    void *made;
    KI_TRY(ki_stage_make(stage, component, value, 1, false, &made));
    stage->last->taken = false;
    return KITH_OK;
}

kith_result ki_stage_values(ki_stage *stage, const ki_plan_entry *entries, uint32_t count,
                            const kith_value **values)
{
    kith_value *staged = ki_stage_take(stage, count * sizeof *staged, _Alignof(kith_value));
    if (staged == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        staged[i] = (*values)[i];
        if (entries[i].component->hooks != NULL) {
            void *made;
            KI_TRY(ki_stage_make(stage, entries[i].component, staged[i].data, 1, false, &made));
            staged[i].data = made;
        }
    }
    *values = staged;
    return KITH_OK;
}

void *ki_stage_next(ki_stage *stage)
{
    ki_stage_piece *piece = stage->first;
    while (piece->taken) {
        piece = piece->next;
    }
    piece->taken = true;
    return stage_data(piece);
}

void ki_stage_end(ki_stage *stage, kith_result result)
{
    while (stage->first != NULL) {
        ki_stage_piece *piece = stage->first;
        stage->first = piece->next;
        if (result != KITH_OK && piece->hooks != NULL) {
            ki_hooks_destroy(piece->hooks, stage_data(piece), piece->count);
        }
        ki_heap_give(&stage->world->store.context.heap, piece, piece->bytes, piece->align);
    }
    stage->last = NULL;
}
