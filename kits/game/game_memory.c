#include <kith/floats.h>

#include "game/game_memory.h"

#include <string.h>

enum { SORT_BITS = 12, SORT_DIGITS = 1 << SORT_BITS, KEYS_LEAST = 256 };

void *ki_game_alloc(const kith_allocator *allocator, size_t count, size_t item_size)
{
    count += count == 0;
    return count > SIZE_MAX / item_size
               ? NULL
               : allocator->allocate(allocator->context, count * item_size, _Alignof(max_align_t));
}

void ki_game_free(const kith_allocator *allocator, void *items, size_t count, size_t item_size)
{
    if (items != NULL) {
        count += count == 0;
        allocator->release(allocator->context, items, count * item_size, _Alignof(max_align_t));
    }
}

bool ki_game_keys_grow(const kith_allocator *allocator, ki_game_keys *list)
{
    size_t capacity = list->capacity == 0 ? KEYS_LEAST : list->capacity * 2;
    uint64_t *keys = ki_game_alloc(allocator, capacity, sizeof *keys);
    if (keys == NULL) {
        return false;
    }
    if (list->count > 0) {
        memcpy(keys, list->keys, list->count * sizeof *keys);
    }
    ki_game_free(allocator, list->keys, list->capacity, sizeof *keys);
    list->keys = keys;
    list->capacity = capacity;
    return true;
}

bool ki_game_keys_add_many(const kith_allocator *allocator, ki_game_keys *list,
                           const uint64_t *keys, size_t count)
{
    while (list->capacity - list->count < count) {
        if (!ki_game_keys_grow(allocator, list)) {
            return false;
        }
    }
    if (count > 0) {
        memcpy(list->keys + list->count, keys, count * sizeof *keys);
    }
    list->count += count;
    return true;
}

void ki_game_keys_free(const kith_allocator *allocator, ki_game_keys *list)
{
    ki_game_free(allocator, list->keys, list->capacity, sizeof *list->keys);
    *list = (ki_game_keys){0};
}

/* The bits in which not all keys are the same; 0 if the keys are in order. */
static uint64_t unsorted_bits(const ki_game_keys *list)
{
    uint64_t any = 0;
    bool sorted = true;
    for (size_t i = 1; i < list->count; i++) {
        any |= list->keys[i] ^ list->keys[0];
        sorted = sorted && list->keys[i - 1] <= list->keys[i];
    }
    return sorted ? 0 : any;
}

/* Puts the keys in order of one digit of so many bits, those of the same digit in the order in
 * which they stood. */
static void scatter_keys(const uint64_t *from, uint64_t *to, size_t count, uint32_t shift,
                         uint32_t bits)
{
    size_t starts[SORT_DIGITS];
    uint64_t digits = UINT64_C(1) << bits;
    memset(starts, 0, (size_t)digits * sizeof *starts);
    for (size_t i = 0; i < count; i++) {
        starts[from[i] >> shift & (digits - 1)]++;
    }
    size_t at = 0;
    for (size_t digit = 0; digit < digits; digit++) {
        size_t keys = starts[digit];
        starts[digit] = at;
        at += keys;
    }
    for (size_t i = 0; i < count; i++) {
        to[starts[from[i] >> shift & (digits - 1)]++] = from[i];
    }
}

bool ki_game_keys_sort(const kith_allocator *allocator, ki_game_keys *list)
{
    uint64_t differ = unsorted_bits(list);
    if (differ == 0) {
        return true;
    }
    uint64_t *spare = ki_game_alloc(allocator, list->capacity, sizeof *spare);
    if (spare == NULL) {
        return false;
    }
    uint32_t width = 0;
    while (width < 64 && differ >> width != 0) {
        width++;
    }
    uint32_t digits = (width + SORT_BITS - 1) / SORT_BITS;
    uint32_t bits = (width + digits - 1) / digits;
    for (uint32_t shift = 0; shift < width; shift += bits) {
        if ((differ >> shift & ((UINT64_C(1) << bits) - 1)) == 0) {
            continue; /* all have the same digit here */
        }
        scatter_keys(list->keys, spare, list->count, shift, bits);
        uint64_t *sorted = spare;
        spare = list->keys;
        list->keys = sorted;
    }
    ki_game_free(allocator, spare, list->capacity, sizeof *spare);
    return true;
}
