/* A map: finds items by a key of 64 bits. Several items may have the same key. A number is its own key.
 * The key of a text is its hash: the caller compares the texts of the items found. Zeroed, a map is
 * empty. */
#ifndef KI_BASE_MAP_H
#define KI_BASE_MAP_H

#include "base/hash.h"
#include "base/heap.h"

typedef struct ki_map_slot {
    uint64_t key;
    void *item; /* NULL: the slot is empty */
} ki_map_slot;

typedef struct ki_map {
    ki_map_slot *slots; /* open addressing, linear probing; at most half of them are in use */
    uint32_t capacity;  /* a power of two, or 0 */
    uint32_t count;
} ki_map;

void ki_map_free(ki_heap *heap, ki_map *map);

/* Makes one ki_map_insert certain. KITH_ERR_MEMORY. */
kith_result ki_map_reserve(ki_heap *heap, ki_map *map);

void ki_map_insert(ki_map *map, uint64_t key, void *item);

/* Removes an item that has this key. */
void ki_map_remove(ki_map *map, uint64_t key, const void *item);

/* Bytes that the map holds. */
static inline size_t ki_map_reserved(const ki_map *map)
{
    return map->capacity * sizeof *map->slots;
}

/* The slot where a search for a key begins. */
static inline uint32_t ki_map_start(const ki_map *map, uint64_t key)
{
    return ki_hash_place(key, map->capacity);
}

/* The next item with this key from slot `*at` on, or NULL. Moves `*at` past it. */
static inline void *ki_map_next(const ki_map *map, uint64_t key, uint32_t *at)
{
    for (;;) {
        const ki_map_slot *slot = &map->slots[*at];
        *at = (*at + 1) & (map->capacity - 1);
        if (slot->key == key || slot->item == NULL) {
            return slot->item;
        }
    }
}

/* The first item with this key, or NULL; `*at` is for ki_map_next. */
static inline void *ki_map_first(const ki_map *map, uint64_t key, uint32_t *at)
{
    if (map->capacity == 0) {
        return NULL;
    }
    *at = ki_map_start(map, key);
    return ki_map_next(map, key, at);
}

/* The only item with this key, or NULL. */
static inline void *ki_map_find(const ki_map *map, uint64_t key)
{
    uint32_t at;
    return ki_map_first(map, key, &at);
}

#endif
