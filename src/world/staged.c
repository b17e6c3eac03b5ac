#include "world/staged.h"

struct ki_staged_chunk {
    ki_staged_chunk *next;
    const ki_hooks *hooks; /* NULL: no values, or the caller's own until the call succeeds */
    uint32_t count;
    uint32_t offset; /* where its values begin */
    size_t bytes;
    size_t align;
    bool taken;
};

static void *staged_data(ki_staged_chunk *piece)
{
    return (uint8_t *)piece + piece->offset;
}

static ki_staged_chunk *staged_chunk(ki_staged *staged, size_t bytes, size_t align)
{
    size_t most = align > _Alignof(ki_staged_chunk) ? align : _Alignof(ki_staged_chunk);
    size_t offset = ki_round_up(sizeof(ki_staged_chunk), most);
    ki_staged_chunk *piece =
        ki_heap_alloc(&staged->world->store.context.heap, offset + bytes, most);
    if (piece != NULL) {
        *piece = (ki_staged_chunk){
            .offset = (uint32_t)offset, .bytes = offset + bytes, .align = most, .taken = true};
        if (staged->last == NULL) {
            staged->first = piece;
        } else {
            staged->last->next = piece;
        }
        staged->last = piece;
    }
    return piece;
}

void *ki_staged_alloc(ki_staged *staged, size_t bytes, size_t align)
{
    ki_staged_chunk *piece = staged_chunk(staged, bytes, align);
    return piece == NULL ? NULL : staged_data(piece);
}

/* Copies one value `count` times: all, or none. */
static kith_result staged_repeat(const ki_hooks *hooks, uint8_t *to, const void *value,
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

kith_result ki_staged_make(ki_staged *staged, const ki_component *component, const void *values,
                           uint32_t count, bool repeat, void **made)
{
    const ki_hooks *hooks = component->hooks;
    uint32_t size = component->type->size;
    bool taken_over = values != NULL && hooks->calls.copy == NULL;
    if (taken_over && repeat && count > 1) {
        return ki_fail(&staged->world->store.context, KITH_ERR_TYPE,
                       "%s: '%s' has hooks, but none to copy one value for %u entities",
                       staged->call, component->type->name, count);
    }
    ki_staged_chunk *piece =
        staged_chunk(staged, ki_heap_bytes(count, size), component->type->align);
    if (piece == NULL) {
        return KITH_ERR_MEMORY;
    }
    void *data = staged_data(piece);
    *made = data;
    if (count == 0) {
        return KITH_OK;
    }
    if (taken_over) {
        memcpy(data, values, (size_t)count * size);
        return KITH_OK;
    }
    KI_TRY(values == NULL ? ki_hooks_init(hooks, data, count)
           : repeat       ? staged_repeat(hooks, data, values, count)
                          : ki_hooks_copy(hooks, data, values, count));
    piece->hooks = hooks;
    piece->count = count;
    return KITH_OK;
}

kith_result ki_staged_clone(ki_staged *staged, const ki_component *component, const void *value)
{
    if (component->hooks->calls.copy == NULL) {
        return ki_fail(&staged->world->store.context, KITH_ERR_TYPE,
                       "%s: '%s' has hooks, but none to copy its values", staged->call,
                       component->type->name);
    }
    void *made;
    KI_TRY(ki_staged_make(staged, component, value, 1, false, &made));
    staged->last->taken = false;
    return KITH_OK;
}

kith_result ki_staged_copy(ki_staged *staged, const ki_bundle_entry *entries, uint32_t count,
                           const kith_value **values)
{
    kith_value *copied = ki_staged_alloc(staged, count * sizeof *copied, _Alignof(kith_value));
    if (copied == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        copied[i] = (*values)[i];
        if (entries[i].component->hooks != NULL) {
            void *made;
            KI_TRY(ki_staged_make(staged, entries[i].component, copied[i].data, 1, false, &made));
            copied[i].data = made;
        }
    }
    *values = copied;
    return KITH_OK;
}

void *ki_staged_next(ki_staged *staged)
{
    ki_staged_chunk *piece = staged->first;
    while (piece->taken) {
        piece = piece->next;
    }
    piece->taken = true;
    return staged_data(piece);
}

void ki_staged_end(ki_staged *staged, kith_result result)
{
    while (staged->first != NULL) {
        ki_staged_chunk *piece = staged->first;
        staged->first = piece->next;
        if (result != KITH_OK && piece->hooks != NULL) {
            ki_hooks_destroy(piece->hooks, staged_data(piece), piece->count);
        }
        ki_heap_free(&staged->world->store.context.heap, piece, piece->bytes, piece->align);
    }
    staged->last = NULL;
}
