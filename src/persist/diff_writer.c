/* Shared by all parts that write the difference of two snapshots: types, and parts that may be empty. */
#include "persist/diff_write.h"

ki_diff_mark ki_diff_writer_mark(const ki_diff_writer *to)
{
    return (ki_diff_mark){to->body.size, to->type_count, to->values.before};
}

void ki_diff_writer_return(ki_diff_writer *to, ki_diff_mark mark)
{
    to->body.size = mark.size;
    to->values.before = mark.before;
    while (to->type_count > mark.types) {
        uintptr_t place1 = to->type_count--;
        ki_map_remove(&to->type_places, ki_type_number(to->types[place1 - 1]),
                      (const void *)place1);
    }
}

uint32_t ki_diff_writer_type(ki_diff_writer *to, const kith_type *type)
{
    uint32_t number = ki_type_number(type);
    uintptr_t place1 = (uintptr_t)ki_map_find(&to->type_places, number);
    if (place1 != 0 || to->body.result != KITH_OK) {
        return (uint32_t)(place1 - (place1 != 0));
    }
    ki_heap *heap = to->body.heap;
    kith_result result = ki_map_reserve(heap, &to->type_places);
    if (result == KITH_OK) {
        result = ki_heap_grow(heap, &to->types, &to->type_capacity, to->type_count + 1,
                              sizeof *to->types, 16);
    }
    if (result != KITH_OK) {
        to->body.result = result;
        return 0;
    }
    to->types[to->type_count++] = type;
    ki_map_insert(&to->type_places, number, (void *)(uintptr_t)to->type_count);
    return to->type_count - 1;
}

bool ki_diff_writer_differs(ki_diff_writer *to, const kith_type *type, const void *before,
                            const void *after)
{
    const ki_component *hooked = ki_world_hooked(to->diff->world, type);
    if (hooked == NULL) {
        return ki_packed_values_differ(type, before, after);
    }
    bool hashes = hooked->hooks->calls.hash != NULL;
    bool differs = before == NULL ||
                   (before != after && (hashes ? ki_diff_differs(hooked, NULL, before, after)
                                               : ki_packed_values_differ(type, before, after)));
    to->owner = differs ? type : to->owner;
    return false;
}
