#include "base/map.h"

#include "base/compiler.h"

#define MAP_LEAST 8u

void ki_map_free(ki_heap *heap, ki_map *map)
{
    ki_heap_free(heap, map->slots, map->capacity * sizeof *map->slots, _Alignof(max_align_t));
    *map = (ki_map){0};
}

void ki_map_insert(ki_map *map, uint64_t key, void *item)
{
    KI_ASSERT((map->count + 1) * 2 <= map->capacity);
    uint32_t at = ki_map_start(map, key);
    while (map->slots[at].item != NULL) {
        at = (at + 1) & (map->capacity - 1);
    }
    map->slots[at] = (ki_map_slot){key, item};
    map->count++;
}

kith_result ki_map_reserve(ki_heap *heap, ki_map *map)
{
    if ((map->count + 1) * 2 <= map->capacity) {
        return KITH_OK;
    }
    ki_map larger = {.capacity = map->capacity == 0 ? MAP_LEAST : map->capacity * 2};
    larger.slots =
        ki_heap_alloc_zeroed(heap, larger.capacity * sizeof *larger.slots, _Alignof(max_align_t));
    if (larger.slots == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].item != NULL) {
            ki_map_insert(&larger, map->slots[i].key, map->slots[i].item);
        }
    }
    ki_map_free(heap, map);
    *map = larger;
    return KITH_OK;
}

/* An item after the gap moves into it, unless the search for that item begins after the gap. */
void ki_map_remove(ki_map *map, uint64_t key, const void *item)
{
    uint32_t mask = map->capacity - 1;
    uint32_t gap = ki_map_start(map, key);
    while (map->slots[gap].item != item) {
        KI_ASSERT(map->slots[gap].item != NULL);
        gap = (gap + 1) & mask;
    }
    for (uint32_t at = (gap + 1) & mask; map->slots[at].item != NULL; at = (at + 1) & mask) {
        uint32_t start = ki_map_start(map, map->slots[at].key);
        if (((at - start) & mask) >= ((at - gap) & mask)) {
            map->slots[gap] = map->slots[at];
            gap = at;
        }
    }
    map->slots[gap] = (ki_map_slot){0};
    map->count--;
}
