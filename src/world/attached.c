#include "world/attached.h"

/* Takes an item out of the list and the map, and ends it. */
static void attached_remove(kith_world *world, ki_attached_items *items, ki_attached_item *removed)
{
    ki_attached_item item = *removed;
    *(item.previous == NULL ? &items->last : &item.previous->next) = item.next;
    if (item.next != NULL) {
        item.next->previous = item.previous;
    }
    ki_map_remove(&items->by_key, item.key, removed);
    ki_heap_free(&world->store.context.heap, removed, sizeof item, _Alignof(ki_attached_item));
    if (item.end != NULL) {
        item.end(item.thing);
    }
}

/* Called first, while all of the world can still be used: what ends may have a query of its own. */
static void attached_end(kith_world *world, void *data)
{
    ki_attached_items *items = data;
    while (items->last != NULL) {
        attached_remove(world, items, items->last);
    }
}

static void attached_free(kith_world *world, void *data)
{
    ki_attached_items *items = data;
    ki_heap *heap = &world->store.context.heap;
    ki_map_free(heap, &items->by_key);
    ki_heap_free(heap, items, sizeof *items, _Alignof(ki_attached_items));
}

static uint64_t attached_hash(uint64_t hash, const void *data)
{
    (void)data;
    return hash;
}

static const char *attached_check(const kith_world *world, const void *data)
{
    (void)world;
    const ki_attached_items *items = data;
    uint32_t count = 0;
    for (const ki_attached_item *item = items->last; item != NULL; item = item->next) {
        if (ki_map_find(&items->by_key, item->key) != item) {
            return "what is attached is not found by its key";
        }
        if (item->next != NULL && item->next->previous != item) {
            return "the list of what is attached is not in order";
        }
        count++;
    }
    return count == items->by_key.count ? NULL : "a key of what is attached has nothing";
}

static const ki_attachment_calls attached_calls = {.end = attached_end,
                                                   .free = attached_free,
                                                   .hash = attached_hash,
                                                   .check = attached_check,
                                                   .state = &ki_attached_state_calls};

static ki_attached_items *attached_of(kith_world *world)
{
    ki_attachment *part = &world->parts[KI_PART_ATTACHED];
    if (part->data == NULL) {
        part->data = ki_heap_alloc_zeroed(&world->store.context.heap, sizeof(ki_attached_items),
                                          _Alignof(ki_attached_items));
        part->calls = part->data == NULL ? NULL : &attached_calls;
    }
    return part->data;
}

kith_result kith_attach(kith_world *world, const void *key, void *thing, void (*end)(void *thing))
{
    KI_TRY(ki_world_require_owner(world, "kith_attach"));
    ki_heap *heap = &world->store.context.heap;
    ki_attached_items *items = attached_of(world);
    if (items == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_attached_item *old = ki_map_find(&items->by_key, (uintptr_t)key);
    if (thing != NULL) {
        KI_TRY(ki_map_reserve(heap, &items->by_key));
        ki_attached_item *item = ki_heap_alloc(heap, sizeof *item, _Alignof(ki_attached_item));
        if (item == NULL) {
            return KITH_ERR_MEMORY;
        }
        *item = (ki_attached_item){.key = (uintptr_t)key,
                                   .number = ++items->numbers,
                                   .thing = thing,
                                   .end = end,
                                   .next = items->last};
        if (item->next != NULL) {
            item->next->previous = item;
        }
        items->last = item;
        ki_map_insert(&items->by_key, item->key, item);
    }
    if (old != NULL) {
        attached_remove(world, items, old);
    }
    return KITH_OK;
}

void *kith_attached(const kith_world *world, const void *key)
{
    if (ki_world_require_owner(world, "kith_attached") != KITH_OK) {
        return NULL;
    }
    const ki_attached_items *items = world->parts[KI_PART_ATTACHED].data;
    const ki_attached_item *item =
        items == NULL ? NULL : ki_map_find(&items->by_key, (uintptr_t)key);
    return item == NULL ? NULL : item->thing;
}
