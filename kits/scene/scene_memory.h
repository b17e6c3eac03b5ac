/* The memory of a scene: lists that grow, and an arena for what never moves. */
#ifndef KI_SCENE_MEMORY_H
#define KI_SCENE_MEMORY_H

#include <kith/base.h>

typedef struct ki_scene_chunk ki_scene_chunk;

/* Pieces of any size, given back all at once. */
typedef struct ki_scene_arena {
    kith_allocator allocator;
    ki_scene_chunk *chunks; /* the one in use first */
} ki_scene_arena;

/* Bytes that stay where they are; NULL if memory ran out. They are aligned for pointers. That is
 * enough for values of any type: calls copy those byte by byte. */
void *ki_scene_arena_alloc(ki_scene_arena *arena, size_t size);

/* A copy with a zero after it. */
const char *ki_scene_arena_copy(ki_scene_arena *arena, const char *text, size_t length);

void ki_scene_arena_free(ki_scene_arena *arena);

/* Items of one size, which move as it grows. */
typedef struct ki_scene_list {
    void *items;
    uint32_t count;
    uint32_t capacity;
} ki_scene_list;

/* Appends `count` items, all zero bytes; the first of them, or NULL if memory ran out. */
void *ki_scene_list_add(const kith_allocator *allocator, ki_scene_list *list, uint32_t count,
                        size_t item_size);

void ki_scene_list_free(const kith_allocator *allocator, ki_scene_list *list, size_t item_size);

#endif
