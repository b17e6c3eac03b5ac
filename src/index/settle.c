/* Tells a kind of what moved. */
#include "index/settle.h"

/* Finds those that came by their slots: open addressing, 0 is free. */
typedef struct move_map {
    uint32_t *numbers; /* in `came`, plus one */
    uint32_t mask;
} move_map;

static uint32_t move_map_place(const move_map *map, uint32_t index1)
{
    return (uint32_t)(index1 * UINT64_C(0x9e3779b97f4a7c15) >> 32) & map->mask;
}

static kith_result move_map_make(ki_heap *heap, const ki_move_list *came, move_map *map)
{
    uint32_t size = 16;
    while (size < 2 * came->count) {
        size *= 2;
    }
    map->mask = size - 1;
    map->numbers = ki_heap_alloc_zeroed(heap, size * sizeof *map->numbers, _Alignof(uint32_t));
    if (map->numbers == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < came->count; i++) {
        uint32_t place = move_map_place(map, came->list[i].entity.index1);
        while (map->numbers[place] != 0) {
            place = (place + 1) & map->mask;
        }
        map->numbers[place] = i + 1;
    }
    return KITH_OK;
}

static void move_map_free(ki_heap *heap, move_map *map)
{
    ki_heap_free(heap, map->numbers, ((size_t)map->mask + 1) * sizeof *map->numbers,
                 _Alignof(uint32_t));
}

/* The one that came with this slot, or NULL. */
static ki_move *move_map_find(const move_map *map, const ki_move_list *came, uint32_t index1)
{
    for (uint32_t place = move_map_place(map, index1); map->numbers[place] != 0;
         place = (place + 1) & map->mask) {
        ki_move *move = &came->list[map->numbers[place] - 1];
        if (move->entity.index1 == index1) {
            return move;
        }
    }
    return NULL;
}

/* Tells the kind of those that left, and of where they came. */
static kith_result settle_left(kith_index *index, const move_map *map)
{
    ki_moves *moves = &index->moves;
    for (uint32_t i = 0; i < moves->left.count; i++) {
        const ki_move *left = &moves->left.list[i];
        ki_move *came = map == NULL ? NULL : move_map_find(map, &moves->came, left->entity.index1);
        if (came == NULL || came->entity.generation != left->entity.generation) {
            index->calls->remove(index, left->key, left->entity);
            continue;
        }
        if (memcmp(left->key, came->key, index->key_size) != 0) {
            KI_TRY(index->calls->change(index, left->key, came->key, left->entity));
        } else {
            index->counts.rows_moved++;
        }
        came->entity = KITH_NONE;
    }
    return KITH_OK;
}

static kith_result settle_came(kith_index *index)
{
    const ki_move_list *came = &index->moves.came;
    for (uint32_t i = 0; i < came->count; i++) {
        if (came->list[i].entity.index1 != 0) {
            KI_TRY(index->calls->insert(index, came->list[i].key, came->list[i].entity));
        }
    }
    return KITH_OK;
}

kith_result ki_index_settle(kith_index *index)
{
    ki_moves *moves = &index->moves;
    ki_heap *heap = ki_index_heap(index);
    if (moves->left.count != 0 && moves->came.count != 0) {
        move_map map;
        KI_TRY(move_map_make(heap, &moves->came, &map));
        kith_result result = settle_left(index, &map);
        move_map_free(heap, &map);
        KI_TRY(result);
    } else {
        KI_TRY(settle_left(index, NULL));
    }
    KI_TRY(settle_came(index));
    moves->left.count = 0;
    moves->came.count = 0;
    return KITH_OK;
}
