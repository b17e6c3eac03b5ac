#include "scene/index.h"

#include <string.h>

typedef struct index_slot {
    const kith_type *type; /* NULL: none */
    uint32_t place;
} index_slot;

bool ki_scene_same_type(const kith_type *a, const kith_type *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a->name, b->name) == 0);
}

/* The slot of a type, or the free slot for it. There is always a free one. */
static index_slot *find_index_slot(const ki_scene_index *index, const kith_type *type)
{
    index_slot *slots = index->slots.items;
    uint32_t mask = index->slots.count - 1;
    uint32_t i = ki_scene_names_hash(type->name, strlen(type->name)) & mask;
    while (slots[i].type != NULL && !ki_scene_same_type(slots[i].type, type)) {
        i = (i + 1) & mask;
    }
    return &slots[i];
}

bool ki_scene_index_clear(ki_scene_index *index, const kith_allocator *allocator, uint32_t count)
{
    uint64_t slots = 64;
    while (slots < (uint64_t)count * 2) {
        slots *= 2;
    }
    index->slots.count = 0;
    return slots <= UINT32_MAX &&
           ki_scene_list_add(allocator, &index->slots, (uint32_t)slots, sizeof(index_slot)) != NULL;
}

void ki_scene_index_put(ki_scene_index *index, const kith_type *type, uint32_t place)
{
    *find_index_slot(index, type) = (index_slot){type, place};
}

uint32_t ki_scene_index_get(const ki_scene_index *index, const kith_type *type)
{
    const index_slot *slot = find_index_slot(index, type);
    return slot->type == NULL ? KI_SCENE_NOTHING : slot->place;
}

void ki_scene_index_free(ki_scene_index *index, const kith_allocator *allocator)
{
    ki_scene_list_free(allocator, &index->slots, sizeof(index_slot));
}
