/* Leaders by the slots of their entities: a place for each slot from the lowest to the highest that is
 * named, if that is not far. Else open addressing, in groups of neighbours, since entities that are
 * changed together often have slots side by side. */
#include "command/buffer.h"

#define LEADERS_GROUP 8u

static uint32_t leaders_slot(const ki_leader_map *map, uint32_t index1)
{
    uint32_t group = (index1 / LEADERS_GROUP * 0x9e3779b1u) >> 7;
    return (group * LEADERS_GROUP + index1 % LEADERS_GROUP) & (map->capacity - 1);
}

static uint32_t leaders_index1(const ki_leader_map *map, const ki_command *leader)
{
    return ki_leader_entity(map->commands, leader, 0).index1;
}

static ki_command **leaders_place(const ki_leader_map *map, uint32_t index1)
{
    uint32_t slot = leaders_slot(map, index1);
    while (map->places[slot] != NULL && leaders_index1(map, map->places[slot]) != index1) {
        slot = (slot + 1) & (map->capacity - 1);
    }
    return &map->places[slot];
}

static ki_command **leaders_take(const ki_leader_map *map, uint64_t capacity)
{
    return ki_heap_take_zeroed(&map->commands->context.heap,
                               (size_t)capacity * sizeof(ki_command *), _Alignof(max_align_t));
}

void ki_leaders_free(ki_leader_map *map)
{
    ki_heap_give(&map->commands->context.heap, map->places, map->capacity * sizeof *map->places,
                 _Alignof(max_align_t));
}

kith_result ki_leaders_reserve(ki_leader_map *map, const ki_slots_named *named)
{
    uint64_t range = (uint64_t)named->highest - named->lowest + 1;
    if (named->highest < named->lowest || range > named->entries * 2 + 64) {
        return KITH_OK;
    }
    map->places = leaders_take(map, range);
    if (map->places == NULL) {
        return KITH_ERR_MEMORY;
    }
    map->capacity = (uint32_t)range;
    map->direct = true;
    map->lowest = named->lowest;
    return KITH_OK;
}

static kith_result leaders_grow(ki_leader_map *map)
{
    ki_leader_map larger = *map;
    larger.capacity = map->capacity == 0 ? 256 : map->capacity * 2;
    larger.places = leaders_take(map, larger.capacity);
    if (larger.places == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->places[i] != NULL) {
            *leaders_place(&larger, leaders_index1(map, map->places[i])) = map->places[i];
        }
    }
    ki_leaders_free(map);
    *map = larger;
    return KITH_OK;
}

kith_result ki_leaders_add(ki_leader_map *map, ki_command *leader)
{
    uint32_t index1 = leaders_index1(map, leader);
    if (map->direct) {
        map->places[index1 - map->lowest] = leader;
        return KITH_OK;
    }
    if (map->count >= map->capacity / 2) {
        KI_TRY(leaders_grow(map));
    }
    *leaders_place(map, index1) = leader;
    map->count++;
    return KITH_OK;
}

ki_command *ki_leaders_find(const ki_leader_map *map, uint32_t index1)
{
    if (map->direct) {
        uint32_t place = index1 - map->lowest;
        return place < map->capacity ? map->places[place] : NULL;
    }
    return map->places == NULL ? NULL : *leaders_place(map, index1);
}
