#include "base/map.h"

#include <string.h>

#include "base/bits.h"
#include "base/compiler.h"

#define MAP_CAPACITY_MIN 4u

void ki_map_free(ki_heap *heap, ki_map *map)
{
    ki_heap_give(heap, map->entries, ki_map_reserved(map), _Alignof(ki_map_entry));
    *map = (ki_map){0};
}

static ki_map_entry *map_put(ki_map *map, ki_map_entry added)
{
    uint32_t place = ki_map_home(map, added.key);
    while (map->entries[place & (map->capacity - 1)].value != 0) {
        place++;
    }
    map->count++;
    ki_map_entry *entry = &map->entries[place & (map->capacity - 1)];
    *entry = added;
    return entry;
}

kith_result ki_map_reserve(ki_heap *heap, ki_map *map, uint32_t count)
{
    uint64_t needed = (uint64_t)map->count + count;
    if (needed * 4 <= (uint64_t)map->capacity * 3) {
        return KITH_OK;
    }
    uint64_t capacity = map->capacity == 0 ? MAP_CAPACITY_MIN : (uint64_t)map->capacity * 2;
    while (needed * 4 > capacity * 3) {
        capacity *= 2;
    }
    if (capacity > UINT32_MAX) {
        return KITH_ERR_MEMORY;
    }
    ki_map larger = {.capacity = (uint32_t)capacity, .shift = 64 - ki_highest_bit(capacity)};
    larger.entries = ki_heap_take_zeroed(heap, ki_heap_bytes(capacity, sizeof *larger.entries),
                                         _Alignof(ki_map_entry));
    if (larger.entries == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->entries[i].value != 0) {
            map_put(&larger, map->entries[i]);
        }
    }
    ki_map_free(heap, map);
    *map = larger;
    return KITH_OK;
}

ki_map_entry *ki_map_add(ki_map *map, uint64_t key, uintptr_t value)
{
    KI_ASSERT(value != 0 && ((uint64_t)map->count + 1) * 4 <= (uint64_t)map->capacity * 3);
    return map_put(map, (ki_map_entry){key, value});
}

/* Moves the entries after it up as far as that brings them nearer to their homes, so that no entry is
 * left that only marks a removal (Knuth, algorithm R of 6.4). */
void ki_map_remove(ki_map *map, uint64_t key, uintptr_t value)
{
    const ki_map_entry *entry = ki_map_first(map, key);
    while (entry->value != value) {
        entry = ki_map_next(map, entry);
    }
    uint32_t mask = map->capacity - 1;
    uint32_t hole = (uint32_t)(entry - map->entries);
    for (uint32_t place = (hole + 1) & mask; map->entries[place].value != 0;
         place = (place + 1) & mask) {
        uint32_t home = ki_map_home(map, map->entries[place].key);
        if (((place - home) & mask) >= ((place - hole) & mask)) {
            map->entries[hole] = map->entries[place];
            hole = place;
        }
    }
    map->entries[hole] = (ki_map_entry){0};
    map->count--;
}

void ki_map_clear(ki_map *map)
{
    if (map->count != 0) {
        memset(map->entries, 0, ki_map_reserved(map));
        map->count = 0;
    }
}
