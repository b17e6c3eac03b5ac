/* Arrays for the length of a tick, and a list that grows. */
#ifndef KI_GAME_MEMORY_H
#define KI_GAME_MEMORY_H

#include <kith/base.h>

/* Room for `count` items, which may be 0; NULL if there is none. */
void *ki_game_alloc(const kith_allocator *allocator, size_t count, size_t item_size);

/* Gives it back. NULL is fine. */
void ki_game_free(const kith_allocator *allocator, void *items, size_t count, size_t item_size);

/* Numbers, in the order in which they were added. */
typedef struct ki_game_keys {
    uint64_t *keys;
    size_t count;
    size_t capacity;
} ki_game_keys;

/* Makes room for one more. False: memory ran out. */
bool ki_game_keys_grow(const kith_allocator *allocator, ki_game_keys *list);

static inline bool ki_game_keys_add(const kith_allocator *allocator, ki_game_keys *list,
                                    uint64_t key)
{
    if (list->count == list->capacity && !ki_game_keys_grow(allocator, list)) {
        return false;
    }
    list->keys[list->count++] = key;
    return true;
}

/* Adds `count` of them. False: memory ran out, and none was added. */
bool ki_game_keys_add_many(const kith_allocator *allocator, ki_game_keys *list,
                           const uint64_t *keys, size_t count);

void ki_game_keys_free(const kith_allocator *allocator, ki_game_keys *list);

/* Sorts a list, in time linear in its length. False: memory ran out, and the order is as it was. */
bool ki_game_keys_sort(const kith_allocator *allocator, ki_game_keys *list);

#endif
