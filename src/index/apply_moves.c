/* Tells a kind of index which entities left and came. One that did both has moved: its entry stays. */
#include "index/apply_moves.h"

#include "base/map.h"

/* Has a map find those that came by their slots. KITH_ERR_MEMORY. */
static kith_result moves_map_came(ki_heap *heap, const ki_move_list *came, ki_map *map)
{
    for (uint32_t i = 0; i < came->count; i++) {
        KI_TRY(ki_map_reserve(heap, map));
        ki_map_insert(map, came->list[i].entity.index1, &came->list[i]);
    }
    return KITH_OK;
}

/* Tells the kind of those that left, and of those that left and came: `map` finds what came. */
static kith_result moves_apply_left(kith_index *index, const ki_map *map)
{
    ki_moves *moves = &index->moves;
    for (uint32_t i = 0; i < moves->left.count; i++) {
        const ki_move *left = &moves->left.list[i];
        ki_move *came = ki_map_find(map, left->entity.index1);
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

/* Tells the kind of the others that came. */
static kith_result moves_apply_came(kith_index *index)
{
    const ki_move_list *came = &index->moves.came;
    for (uint32_t i = 0; i < came->count; i++) {
        if (came->list[i].entity.index1 != 0) {
            KI_TRY(index->calls->insert(index, came->list[i].key, came->list[i].entity));
        }
    }
    return KITH_OK;
}

kith_result ki_index_apply_moves(kith_index *index)
{
    ki_moves *moves = &index->moves;
    ki_heap *heap = ki_index_heap(index);
    ki_map map = {0};
    kith_result result =
        moves->left.count == 0 ? KITH_OK : moves_map_came(heap, &moves->came, &map);
    if (result == KITH_OK) {
        result = moves_apply_left(index, &map);
    }
    ki_map_free(heap, &map);
    KI_TRY(result);
    KI_TRY(moves_apply_came(index));
    moves->left.count = 0;
    moves->came.count = 0;
    return KITH_OK;
}
