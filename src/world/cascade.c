#include "world/cascade.h"

#include "base/sort.h"
#include "world/guard.h"

void ki_cascade_begin(ki_cascade *cascade, kith_world *world, const char *call,
                      ki_context *context)
{
    *cascade = (ki_cascade){.world = world, .context = context, .call = call};
}

void ki_cascade_free(ki_cascade *cascade)
{
    ki_heap *heap = &cascade->context->heap;
    for (uint32_t i = 0; i < cascade->end_count; i++) {
        ki_bitset_remove(&cascade->world->store.ended, cascade->ends[i]);
    }
    ki_heap_free(heap, cascade->ends, cascade->end_capacity * sizeof *cascade->ends,
                 _Alignof(max_align_t));
    ki_heap_free(heap, cascade->waiting, cascade->waiting_capacity * sizeof *cascade->waiting,
                 _Alignof(max_align_t));
    ki_heap_free(heap, cascade->cleared, cascade->cleared_capacity * sizeof *cascade->cleared,
                 _Alignof(max_align_t));
}

static kith_result cascade_wait(ki_cascade *cascade, uint32_t index)
{
    KI_TRY(ki_heap_grow(&cascade->context->heap, &cascade->waiting, &cascade->waiting_capacity,
                        cascade->waiting_count + 1, sizeof *cascade->waiting, 16));
    cascade->waiting[cascade->waiting_count++] = index;
    return KITH_OK;
}

static kith_result cascade_clear(ki_cascade *cascade, ki_relation *relation, uint32_t index)
{
    KI_TRY(ki_heap_grow(&cascade->context->heap, &cascade->cleared, &cascade->cleared_capacity,
                        cascade->cleared_count + 1, sizeof *cascade->cleared, 16));
    cascade->cleared[cascade->cleared_count++] = (ki_cleared){relation, index};
    return KITH_OK;
}

/* What the entity that is a link leads to by the first end ends with it. */
static kith_result cascade_pull(ki_cascade *cascade, const ki_relation *relation, uint32_t index)
{
    const ki_relation *first = relation->component->relation;
    const uint32_t source1 = ki_relation_link(first, index).target1;
    return source1 == 0 ? KITH_OK : cascade_wait(cascade, source1 - 1);
}

/* What becomes of the sources of a slot that ends. Those that end with it wait in the other order, as
 * the last is visited first. */
static kith_result cascade_follow(ki_cascade *cascade, ki_relation *relation, ki_link target)
{
    const uint32_t rules = relation->rules;
    if ((rules & KITH_CASCADE) != 0) {
        uint32_t at1 = ki_relation_last(relation, target);
        while (at1 != 0) {
            if (relation->pulls) {
                KI_TRY(cascade_pull(cascade, relation, at1 - 1));
            }
            KI_TRY(cascade_wait(cascade, at1 - 1));
            at1 = at1 == target.first1 ? 0 : ki_relation_link(relation, at1 - 1).previous1;
        }
    }
    uint32_t at1 = (rules & KITH_CLEAR) != 0 ? target.first1 : 0;
    for (; at1 != 0; at1 = ki_relation_link(relation, at1 - 1).next1) {
        KI_TRY(cascade_clear(cascade, relation, at1 - 1));
    }
    return KITH_OK;
}

static kith_result cascade_visit(ki_cascade *cascade, uint32_t index)
{
    ki_store *store = &cascade->world->store;
    if (ki_bitset_has(&store->ended, index)) {
        return KITH_OK;
    }
    KI_TRY(ki_bitset_reserve(&store->ended, &store->context.heap, index));
    KI_TRY(ki_heap_grow(&cascade->context->heap, &cascade->ends, &cascade->end_capacity,
                        cascade->end_count + 1, sizeof *cascade->ends, 16));
    ki_bitset_insert(&store->ended, index);
    cascade->ends[cascade->end_count++] = index;
    ki_relation *relation = store->last_relation;
    for (; relation != NULL; relation = relation->previous) {
        const ki_link target = ki_relation_link(relation, index);
        if (target.first1 != 0) {
            KI_TRY(cascade_follow(cascade, relation, target));
        }
    }
    return KITH_OK;
}

kith_result ki_cascade_add(ki_cascade *cascade, uint32_t index)
{
    KI_TRY(cascade_wait(cascade, index));
    while (cascade->waiting_count > 0) {
        KI_TRY(cascade_visit(cascade, cascade->waiting[--cascade->waiting_count]));
    }
    return KITH_OK;
}

/* The entity in a slot, which may be about to be made. */
static kith_entity cascade_entity(const ki_cascade *cascade, uint32_t index)
{
    return ki_world_entity_in(cascade->world, index);
}

/* Whether no source that stays has one of the entities as a target that it must not lose. */
static kith_result cascade_check(const ki_cascade *cascade, const ki_relation *relation)
{
    for (uint32_t i = 0; i < cascade->end_count; i++) {
        uint32_t at1 = ki_relation_link(relation, cascade->ends[i]).first1;
        for (; at1 != 0; at1 = ki_relation_link(relation, at1 - 1).next1) {
            if (!ki_bitset_has(&cascade->world->store.ended, at1 - 1)) {
                return ki_relation_reject_end(cascade->world, cascade->context, cascade->call,
                                              relation, cascade_entity(cascade, at1 - 1),
                                              cascade_entity(cascade, cascade->ends[i]));
            }
        }
    }
    return KITH_OK;
}

static bool cascade_is_before(const void *context, uint32_t a, uint32_t b)
{
    const ki_cleared *cleared = context;
    return cleared[a].index != cleared[b].index ? cleared[a].index < cleared[b].index : a < b;
}

/* Sorts what is cleared by slot. */
static kith_result cascade_sort(ki_cascade *cascade)
{
    uint32_t count = cascade->cleared_count;
    ki_heap *heap = &cascade->context->heap;
    size_t bytes = count * (sizeof(uint32_t) + sizeof(ki_cleared));
    ki_cleared *sorted = ki_heap_alloc(heap, bytes, _Alignof(ki_cleared));
    if (sorted == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t *order = (uint32_t *)(void *)(sorted + count);
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    ki_sort(order, count, cascade_is_before, cascade->cleared);
    for (uint32_t i = 0; i < count; i++) {
        sorted[i] = cascade->cleared[order[i]];
    }
    memcpy(cascade->cleared, sorted, count * sizeof *sorted);
    ki_heap_free(heap, sorted, bytes, _Alignof(ki_cleared));
    return KITH_OK;
}

kith_result ki_cascade_finish(ki_cascade *cascade)
{
    const ki_relation *relation = cascade->world->store.last_relation;
    for (; relation != NULL; relation = relation->previous) {
        if ((relation->rules & KITH_REFUSE) != 0) {
            KI_TRY(cascade_check(cascade, relation));
        }
    }
    uint32_t stay = 0;
    for (uint32_t i = 0; i < cascade->cleared_count; i++) {
        if (!ki_bitset_has(&cascade->world->store.ended, cascade->cleared[i].index)) {
            cascade->cleared[stay++] = cascade->cleared[i];
        }
    }
    cascade->cleared_count = stay;
    return stay < 2 ? KITH_OK : cascade_sort(cascade);
}
