/* A map from numbers to values that are not 0, by open addressing with linear probing (Knuth, The Art
 * of Computer Programming, volume 3, 6.4). Zeroed, a map is empty.
 *
 * A key may have several values, as hashes have that collide: ki_map_first and ki_map_next visit them. */
#ifndef KI_BASE_MAP_H
#define KI_BASE_MAP_H

#include "base/heap.h"

typedef struct ki_map_entry {
    uint64_t key;
    uintptr_t value; /* 0: the entry is free */
} ki_map_entry;

typedef struct ki_map {
    ki_map_entry *entries;
    uint32_t count;
    uint32_t capacity; /* a power of two, at least 4/3 of `count`; or 0 */
    uint32_t shift;    /* 64 - log2 of the capacity */
} ki_map;

void ki_map_free(ki_heap *heap, ki_map *map);

/* Makes `count` calls of ki_map_add certain. KITH_ERR_MEMORY. */
kith_result ki_map_reserve(ki_heap *heap, ki_map *map, uint32_t count);

/* Adds a value, which is not 0, also where the key has one. The entry stays where it is until the map
 * grows. */
ki_map_entry *ki_map_add(ki_map *map, uint64_t key, uintptr_t value);

/* Removes a value that the key has. */
void ki_map_remove(ki_map *map, uint64_t key, uintptr_t value);

/* Forgets all, and keeps the memory. */
void ki_map_clear(ki_map *map);

/* Bytes held. */
static inline size_t ki_map_reserved(const ki_map *map)
{
    return map->capacity * sizeof *map->entries;
}

/* Where the search for a key begins: Fibonacci hashing, so that keys in a row do not cluster. */
static inline uint32_t ki_map_home(const ki_map *map, uint64_t key)
{
    return (uint32_t)((key * 0x9e3779b97f4a7c15u) >> map->shift);
}

/* The first entry of a key from a place on; NULL if there is none. */
static inline ki_map_entry *ki_map_find(const ki_map *map, uint64_t key, uint32_t place)
{
    for (;; place++) {
        ki_map_entry *entry = &map->entries[place & (map->capacity - 1)];
        if (entry->value == 0) {
            return NULL;
        }
        if (entry->key == key) {
            return entry;
        }
    }
}

static inline ki_map_entry *ki_map_first(const ki_map *map, uint64_t key)
{
    return map->capacity == 0 ? NULL : ki_map_find(map, key, ki_map_home(map, key));
}

static inline ki_map_entry *ki_map_next(const ki_map *map, const ki_map_entry *entry)
{
    return ki_map_find(map, entry->key, (uint32_t)(entry - map->entries) + 1);
}

/* A value of a key, or 0. */
static inline uintptr_t ki_map_get(const ki_map *map, uint64_t key)
{
    const ki_map_entry *entry = ki_map_first(map, key);
    return entry == NULL ? 0 : entry->value;
}

#endif
