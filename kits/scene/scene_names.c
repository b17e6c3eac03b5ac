#include "scene/scene_names.h"

#include <string.h>

/* FNV-1a (Fowler, Noll, Vo), its bits mixed once more, for the low ones choose the slot. */
uint32_t ki_scene_names_hash(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    }
    return (uint32_t)(hash ^ hash >> 32);
}

ki_scene_name *ki_scene_names_at(const ki_scene_names *names, uint32_t number)
{
    return (ki_scene_name *)names->names.items + number;
}

/* The slot of a name, or the free slot for it. There is always a free one. */
static uint32_t *find_slot(const ki_scene_names *names, const char *text, size_t length)
{
    uint32_t *slots = names->slots.items;
    uint32_t mask = names->slots.count - 1;
    for (uint32_t i = ki_scene_names_hash(text, length) & mask;; i = (i + 1) & mask) {
        if (slots[i] == 0) {
            return &slots[i];
        }
        const ki_scene_name *name = ki_scene_names_at(names, slots[i] - 1);
        if (name->length == length && memcmp(name->text, text, length) == 0) {
            return &slots[i];
        }
    }
}

uint32_t ki_scene_names_find(const ki_scene_names *names, const char *text, size_t length)
{
    uint32_t found = names->slots.count == 0 ? 0 : *find_slot(names, text, length);
    return found == 0 ? KI_SCENE_NOTHING : found - 1;
}

/* Half of the slots stay free. */
static bool grow_slots(ki_scene_names *names, const kith_allocator *allocator)
{
    if ((names->names.count + 1) * 2 <= names->slots.count) {
        return true;
    }
    ki_scene_names grown = {.names = names->names};
    uint32_t count = names->slots.count == 0 ? 16 : names->slots.count * 2;
    if (count == 0 || ki_scene_list_add(allocator, &grown.slots, count, sizeof(uint32_t)) == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < names->names.count; i++) {
        const ki_scene_name *name = ki_scene_names_at(names, i);
        *find_slot(&grown, name->text, name->length) = i + 1;
    }
    ki_scene_list_free(allocator, &names->slots, sizeof(uint32_t));
    names->slots = grown.slots;
    return true;
}

uint32_t ki_scene_names_add(ki_scene_names *names, ki_scene_arena *arena, const char *text,
                            size_t length)
{
    const char *copy = ki_scene_arena_copy(arena, text, length);
    if (copy == NULL || !grow_slots(names, &arena->allocator)) {
        return KI_SCENE_NOTHING;
    }
    ki_scene_name *name =
        ki_scene_list_add(&arena->allocator, &names->names, 1, sizeof(ki_scene_name));
    if (name == NULL) {
        return KI_SCENE_NOTHING;
    }
    *name = (ki_scene_name){.text = copy,
                            .length = length,
                            .stands_for = KI_SCENE_NOTHING,
                            .where = text,
                            .owner = KI_SCENE_NOTHING};
    *find_slot(names, text, length) = names->names.count;
    return names->names.count - 1;
}

void ki_scene_names_free(ki_scene_names *names, const kith_allocator *allocator)
{
    ki_scene_list_free(allocator, &names->names, sizeof(ki_scene_name));
    ki_scene_list_free(allocator, &names->slots, sizeof(uint32_t));
}
