#include "scene/scene_memory.h"

#include <string.h>

enum { PIECE_ALIGN = 8, CHUNK_LEAST = 4096, CHUNK_MOST = 1 << 18 };

struct ki_scene_chunk {
    ki_scene_chunk *next;
    size_t size; /* with this head */
    size_t used;
};

/* A chunk with room for a piece. Small scenes take one small chunk, large ones a few large ones. */
static ki_scene_chunk *add_chunk(ki_scene_arena *arena, size_t size)
{
    size_t usual = arena->chunks == NULL ? CHUNK_LEAST : arena->chunks->size * 2;
    usual = usual > CHUNK_MOST ? CHUNK_MOST : usual;
    size_t needed = sizeof(ki_scene_chunk) + PIECE_ALIGN + size;
    if (needed < size) {
        return NULL;
    }
    size_t whole = needed > usual ? needed : usual;
    ki_scene_chunk *chunk = arena->allocator.allocate(arena->allocator.context, whole, PIECE_ALIGN);
    if (chunk != NULL) {
        *chunk = (ki_scene_chunk){.next = arena->chunks, .size = whole, .used = sizeof *chunk};
        arena->chunks = chunk;
    }
    return chunk;
}

static void *arena_take(ki_scene_arena *arena, size_t size, size_t align)
{
    ki_scene_chunk *chunk = arena->chunks;
    size_t at = chunk == NULL ? 0 : (chunk->used + align - 1) & ~(align - 1);
    if (chunk == NULL || at > chunk->size || chunk->size - at < size) {
        chunk = add_chunk(arena, size);
        if (chunk == NULL) {
            return NULL;
        }
        at = (chunk->used + align - 1) & ~(align - 1);
    }
    chunk->used = at + size;
    return (char *)chunk + at;
}

void *ki_scene_arena_alloc(ki_scene_arena *arena, size_t size)
{
    return arena_take(arena, size, PIECE_ALIGN);
}

const char *ki_scene_arena_copy(ki_scene_arena *arena, const char *text, size_t length)
{
    char *copy = arena_take(arena, length + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

void ki_scene_arena_free(ki_scene_arena *arena)
{
    while (arena->chunks != NULL) {
        ki_scene_chunk *chunk = arena->chunks;
        arena->chunks = chunk->next;
        arena->allocator.release(arena->allocator.context, chunk, chunk->size, PIECE_ALIGN);
    }
}

void *ki_scene_list_add(const kith_allocator *allocator, ki_scene_list *list, uint32_t count,
                        size_t item_size)
{
    if (count > list->capacity - list->count) {
        uint64_t needed = (uint64_t)list->count + count;
        uint64_t capacity =
            (uint64_t)list->capacity * 2 > needed ? (uint64_t)list->capacity * 2 : needed + 8;
        if (capacity > UINT32_MAX || capacity > SIZE_MAX / item_size) {
            return NULL;
        }
        void *items = allocator->allocate(allocator->context, (size_t)capacity * item_size,
                                          _Alignof(max_align_t));
        if (items == NULL) {
            return NULL;
        }
        if (list->count > 0) {
            memcpy(items, list->items, list->count * item_size);
        }
        uint32_t kept = list->count;
        ki_scene_list_free(allocator, list, item_size);
        *list = (ki_scene_list){.items = items, .count = kept, .capacity = (uint32_t)capacity};
    }
    void *added = (char *)list->items + list->count * item_size;
    memset(added, 0, count * item_size);
    list->count += count;
    return added;
}

void ki_scene_list_free(const kith_allocator *allocator, ki_scene_list *list, size_t item_size)
{
    if (list->items != NULL) {
        allocator->release(allocator->context, list->items, list->capacity * item_size,
                           _Alignof(max_align_t));
    }
    *list = (ki_scene_list){0};
}
