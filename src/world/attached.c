/* What code that is built on Kith keeps with a world: pointers, found again by keys. */
#include "world/world.h"

typedef struct attached_item {
    uint64_t key;
    void *thing;
    void (*end)(void *thing);
    struct attached_item *next; /* the one that was attached before */
} attached_item;

/* The data of KI_PART_ATTACHED. */
typedef struct attached_items {
    attached_item *last;
    ki_map by_key;
} attached_items;

/* Takes an item out of the list and the map, and ends it. `link` is what points to it. */
static void attached_remove(kith_world *world, attached_items *items, attached_item **link)
{
    attached_item item = **link;
    ki_map_remove(&items->by_key, item.key, *link);
    ki_heap_free(&world->store.context.heap, *link, sizeof item, _Alignof(attached_item));
    *link = item.next;
    if (item.end != NULL) {
        item.end(item.thing);
    }
}

/* Called first, while all of the world can still be used: what ends may have a query of its own. */
static void attached_end(kith_world *world, void *data)
{
    attached_items *items = data;
    while (items->last != NULL) {
        attached_remove(world, items, &items->last);
    }
}

static void attached_free(kith_world *world, void *data)
{
    attached_items *items = data;
    ki_heap *heap = &world->store.context.heap;
    ki_map_free(heap, &items->by_key);
    ki_heap_free(heap, items, sizeof *items, _Alignof(attached_items));
}

static uint64_t attached_hash(uint64_t hash, const void *data)
{
    (void)data;
    return hash;
}

static const char *attached_check(const kith_world *world, const void *data)
{
    (void)world;
    const attached_items *items = data;
    uint32_t count = 0;
    for (const attached_item *item = items->last; item != NULL; item = item->next) {
        if (ki_map_find(&items->by_key, item->key) != item) {
            return "what is attached is not found by its key";
        }
        count++;
    }
    return count == items->by_key.count ? NULL : "a key of what is attached has nothing";
}

static const ki_attachment_calls attached_calls = {
    .end = attached_end, .free = attached_free, .hash = attached_hash, .check = attached_check};

static attached_items *attached_of(kith_world *world)
{
    ki_attachment *part = &world->parts[KI_PART_ATTACHED];
    if (part->data == NULL) {
        part->data = ki_heap_alloc_zeroed(&world->store.context.heap, sizeof(attached_items),
                                          _Alignof(attached_items));
        part->calls = part->data == NULL ? NULL : &attached_calls;
    }
    return part->data;
}

static attached_item **attached_link(attached_items *items, const attached_item *item)
{
    attached_item **link = &items->last;
    while (*link != item) {
        link = &(*link)->next;
    }
    return link;
}

kith_result kith_attach(kith_world *world, const void *key, void *thing, void (*end)(void *thing))
{
    KI_TRY(ki_world_require_owner(world, "kith_attach"));
    ki_heap *heap = &world->store.context.heap;
    attached_items *items = attached_of(world);
    if (items == NULL) {
        return KITH_ERR_MEMORY;
    }
    attached_item *old = ki_map_find(&items->by_key, (uintptr_t)key);
    if (thing != NULL) {
        KI_TRY(ki_map_reserve(heap, &items->by_key));
        attached_item *item = ki_heap_alloc(heap, sizeof *item, _Alignof(attached_item));
        if (item == NULL) {
            return KITH_ERR_MEMORY;
        }
        *item = (attached_item){(uintptr_t)key, thing, end, items->last};
        items->last = item;
        ki_map_insert(&items->by_key, item->key, item);
    }
    if (old != NULL) {
        attached_remove(world, items, attached_link(items, old));
    }
    return KITH_OK;
}

void *kith_attached(const kith_world *world, const void *key)
{
    if (ki_world_require_owner(world, "kith_attached") != KITH_OK) {
        return NULL;
    }
    const attached_items *items = world->parts[KI_PART_ATTACHED].data;
    const attached_item *item = items == NULL ? NULL : ki_map_find(&items->by_key, (uintptr_t)key);
    return item == NULL ? NULL : item->thing;
}
