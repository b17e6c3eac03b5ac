#include "index/moves.h"

#include <string.h>

kith_result ki_move_list_reserve(ki_heap *heap, ki_move_list *list)
{
    return ki_heap_grow(heap, &list->list, &list->capacity, list->count + 1, sizeof *list->list,
                        64);
}

void ki_move_list_add(ki_move_list *list, kith_entity entity, const void *key, uint32_t key_size)
{
    ki_move *move = &list->list[list->count++];
    move->entity = entity;
    memcpy(move->key, key, key_size);
}

static void move_list_free(ki_heap *heap, ki_move_list *list)
{
    ki_heap_free(heap, list->list, list->capacity * sizeof *list->list, _Alignof(max_align_t));
    *list = (ki_move_list){0};
}

void ki_moves_free(ki_heap *heap, ki_moves *moves)
{
    move_list_free(heap, &moves->left);
    move_list_free(heap, &moves->came);
}
