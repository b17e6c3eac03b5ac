#include "store/unique_map.h"

#include <string.h>

#include "store/relation.h"

#define UNIQUE_LEAST 16u

/* A number is its own hash. */
static uint64_t unique_hash(const ki_unique *unique, const uint8_t *key)
{
    return unique->number ? ki_key_of_field(&unique->fields[0], key)
                          : ki_key_hash(unique->fields, unique->field_count, key);
}

/* Whether a key is the same as one with this hash. */
static bool unique_same(const ki_unique *unique, const uint8_t *a, const uint8_t *b, uint64_t hash)
{
    return unique->number ? ki_key_of_field(&unique->fields[0], a) == hash
                          : ki_key_same(unique->fields, unique->field_count, a, b);
}

const uint8_t *ki_unique_key(const ki_store *store, const ki_unique *unique, const void *value,
                             uint32_t index, uint64_t *name)
{
    const uint8_t *there = ki_unique_value(unique, value);
    if (!unique->names) {
        return there;
    }
    uint32_t text;
    memcpy(&text, there, sizeof text);
    const ki_relation *parents = store->child_of;
    *name = ki_sibling_key(parents == NULL ? 0 : ki_relation_link(parents, index).target1, text);
    return (const uint8_t *)name;
}

/* The key of the entity in a slot; NULL: it is dead, or does not have the component. */
static const uint8_t *unique_at(const ki_store *store, const ki_unique *unique, uint32_t index,
                                uint64_t *name)
{
    if (index >= store->entities.slots) {
        return NULL;
    }
    const ki_record *record = ki_record_at(&store->entities, index);
    const void *value = record->table < KI_RETIRED_TABLE
                            ? ki_store_value(store, unique->component, index, record)
                            : NULL;
    return value == NULL ? NULL : ki_unique_key(store, unique, value, index, name);
}

/* Whether an entry is true: what is in the slot has a key with this hash. */
static bool unique_is_true(const ki_store *store, const ki_unique *unique, uint64_t hash,
                           const void *item)
{
    uint64_t name;
    const uint8_t *key = unique_at(store, unique, (uint32_t)((uintptr_t)item - 1), &name);
    return key != NULL && unique_hash(unique, key) == hash;
}

/* Whether the entity in a slot has the name with a key. Names are in no table, so the dead have none:
 * nothing is read of the entity besides its bit or row, the text and the link. */
static inline bool unique_has_name(const ki_store *store, const ki_unique *unique, uint32_t index,
                                   uint64_t key)
{
    uint32_t row;
    uint64_t name;
    const ki_column *column = ki_storage_locate(unique->component, index, &row);
    if (column == NULL) {
        return false;
    }
    ki_unique_key(store, unique, ki_column_at(column, row), index, &name);
    return name == key;
}

/* ki_unique_find for names. */
static uint32_t unique_find_name(const ki_store *store, const ki_unique *unique, uint64_t key)
{
    uint32_t at;
    const void *item = ki_map_first(&unique->map, key, &at);
    while (item != NULL &&
           !unique_has_name(store, unique, (uint32_t)((uintptr_t)item - 1), key)) {
        item = ki_map_next(&unique->map, key, &at);
    }
    return (uint32_t)(uintptr_t)item;
}

uint32_t ki_unique_find(const ki_store *store, const ki_unique *unique, const void *key)
{
    uint64_t name;
    if (unique->names) {
        memcpy(&name, key, sizeof name);
        return unique_find_name(store, unique, name);
    }
    uint64_t hash = unique_hash(unique, key);
    uint32_t at;
    const void *item = ki_map_first(&unique->map, hash, &at);
    for (; item != NULL; item = ki_map_next(&unique->map, hash, &at)) {
        uint32_t index = (uint32_t)((uintptr_t)item - 1);
        const uint8_t *there = unique_at(store, unique, index, &name);
        if (there != NULL && unique_same(unique, there, key, hash)) {
            return index + 1;
        }
    }
    return 0;
}

/* ---- The map --------------------------------------------------------------------------------- */

/* Whether an entry is kept in a larger map. NULL `store`: all are. */
static bool unique_keeps(const ki_store *store, const ki_unique *unique, const ki_map_slot *slot)
{
    return slot->item != NULL &&
           (store == NULL || unique_is_true(store, unique, slot->key, slot->item));
}

static uint32_t unique_count_kept(const ki_store *store, const ki_unique *unique)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < unique->map.capacity; i++) {
        count += unique_keeps(store, unique, &unique->map.slots[i]);
    }
    return count;
}

/* Makes another map, of the true entries alone. With `count` more there is room for at least a 32nd of
 * them until the next time. NULL `store`: of all entries. */
static kith_result unique_grow(ki_heap *heap, const ki_store *store, ki_unique *unique,
                               uint32_t count)
{
    uint64_t entries = (uint64_t)unique_count_kept(store, unique) + count;
    uint64_t capacity = unique->map.capacity < UNIQUE_LEAST ? UNIQUE_LEAST : unique->map.capacity;
    while (capacity < entries * 2 + entries / 16) {
        capacity *= 2;
    }
    if (capacity > (UINT32_C(1) << 31)) {
        return ki_without_message(heap, KITH_ERR_LIMIT);
    }
    ki_map map = {.capacity = (uint32_t)capacity};
    map.slots = ki_heap_alloc_zeroed(heap, map.capacity * sizeof *map.slots, _Alignof(max_align_t));
    if (map.slots == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < unique->map.capacity; i++) {
        const ki_map_slot *slot = &unique->map.slots[i];
        if (unique_keeps(store, unique, slot)) {
            ki_map_insert(&map, slot->key, slot->item);
        }
    }
    ki_map_free(heap, &unique->map);
    unique->map = map;
    return KITH_OK;
}

kith_result ki_unique_reserve(ki_store *store, ki_unique *unique, uint32_t count)
{
    /* Names that are not true may be true again if links are taken back. */
    const bool settled = !unique->names || store->link_changes.count == 0;
    uint64_t entries = (uint64_t)unique->map.count + count;
    return entries * 2 <= unique->map.capacity
               ? KITH_OK
               : unique_grow(&store->context.heap, settled ? store : NULL, unique, count);
}

void ki_unique_put(ki_store *store, ki_unique *unique, const void *key, uint32_t index)
{
    ki_map *map = &unique->map;
    uint64_t hash = unique_hash(unique, key);
    void *own = (void *)((uintptr_t)index + 1);
    ki_map_slot *free_slot = NULL;
    uint32_t at;
    const void *item = ki_map_first(map, hash, &at);
    for (; item != NULL && item != own; item = ki_map_next(map, hash, &at)) {
        if (free_slot == NULL && !unique_is_true(store, unique, hash, item)) {
            free_slot = &map->slots[(at - 1) & (map->capacity - 1)];
        }
    }
    if (item != NULL) {
        return;
    }
    if (free_slot != NULL) {
        free_slot->item = own;
    } else {
        ki_map_insert(map, hash, own);
    }
}

/* ---- All values ------------------------------------------------------------------------------ */

/* Fills the map, which has room, with all values. False: two of them have the same key. */
static bool unique_fill(ki_store *store, ki_unique *unique, ki_unique_pair *pair)
{
    if (unique->map.capacity != 0) { /* of names, it is none until there is one */
        memset(unique->map.slots, 0, unique->map.capacity * sizeof *unique->map.slots);
    }
    unique->map.count = 0;
    for (uint32_t index = 0; index < store->entities.slots; index++) {
        uint64_t name;
        const uint8_t *key = unique_at(store, unique, index, &name);
        if (key == NULL) {
            continue;
        }
        uint32_t other = ki_unique_find(store, unique, key);
        if (other != 0) {
            *pair = (ki_unique_pair){ki_entity_at(&store->entities, other - 1),
                                     ki_entity_at(&store->entities, index)};
            return false;
        }
        ki_map_insert(&unique->map, unique_hash(unique, key), (void *)((uintptr_t)index + 1));
    }
    return true;
}

static void unique_free(ki_heap *heap, ki_unique *unique)
{
    if (unique != NULL) {
        uint32_t size = unique->component->type->size;
        ki_map_free(heap, &unique->map);
        ki_heap_free(heap, unique->zero, size, _Alignof(max_align_t));
        ki_heap_free(heap, unique, sizeof *unique, _Alignof(ki_unique));
    }
}

/* A key with an empty map. NULL: no memory. */
static ki_unique *unique_new(ki_heap *heap, const ki_unique *key)
{
    ki_unique *unique = ki_heap_alloc(heap, sizeof *unique, _Alignof(ki_unique));
    if (unique == NULL) {
        return NULL;
    }
    *unique = *key;
    unique->number = key->field_count == 1 &&
                     (ki_key_is_number(&key->fields[0]) || key->fields[0].kind == KITH_TEXT);
    unique->map = (ki_map){0};
    unique->zero =
        ki_heap_alloc_zeroed(heap, key->component->type->size, _Alignof(max_align_t));
    if (unique->zero == NULL) {
        unique_free(heap, unique);
        return NULL;
    }
    return unique;
}

static void unique_take_effect(ki_store *store, ki_component *component, ki_unique *unique)
{
    component->unique = unique;
    ki_store_guard(store, component);
    store->unique_count++;
}

kith_result ki_unique_begin(ki_store *store, const ki_unique *key, ki_unique_pair *pair)
{
    ki_heap *heap = &store->context.heap;
    ki_component *component = ki_store_component(store, key->component->id);
    ki_unique *unique = unique_new(heap, key);
    if (unique == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = ki_unique_reserve(store, unique, ki_store_count(store, component) + 1);
    if (result == KITH_OK && !unique_fill(store, unique, pair)) {
        result = KITH_ERR_CONFLICT;
    }
    if (result != KITH_OK) {
        unique_free(heap, unique);
        return result;
    }
    unique_take_effect(store, component, unique);
    return KITH_OK;
}

kith_result ki_unique_begin_names(ki_store *store, ki_component *component)
{
    const ki_unique key = {.component = component,
                           .fields = {{"", 0, sizeof(uint64_t), KITH_U64}},
                           .field_count = 1,
                           .names = true};
    ki_unique *unique = unique_new(&store->context.heap, &key);
    if (unique == NULL) {
        return KITH_ERR_MEMORY;
    }
    unique_take_effect(store, component, unique);
    return KITH_OK;
}

void ki_unique_end(ki_store *store, ki_component *component)
{
    if (component->unique != NULL) {
        unique_free(&store->context.heap, component->unique);
        component->unique = NULL;
        ki_store_guard(store, component);
        store->unique_count--;
    }
}

void ki_uniques_end(ki_store *store)
{
    for (uint32_t i = 0; store->unique_count != 0; i++) {
        ki_unique_end(store, store->components[i]);
    }
}

void ki_uniques_refill(ki_store *store)
{
    for (uint32_t i = 0; store->unique_count != 0 && i < store->component_count; i++) {
        ki_unique *unique = store->components[i]->unique;
        ki_unique_pair pair;
        if (unique != NULL) {
            KI_ASSERT((uint64_t)ki_store_count(store, unique->component) * 2 <=
                      unique->map.capacity);
            /* A key is made while there are no views, and holds in all that are taken since. */
            const bool filled = unique_fill(store, unique, &pair);
            KI_ASSERT(filled);
            (void)filled;
        }
    }
}

kith_result ki_uniques_verify(ki_store *store, const ki_unique **doubled, ki_unique_pair *pair)
{
    ki_heap *heap = &store->context.heap;
    for (uint32_t i = 0; store->unique_count != 0 && i < store->component_count; i++) {
        ki_unique *unique = store->components[i]->unique;
        if (unique == NULL) {
            continue;
        }
        uint32_t count = ki_store_count(store, unique->component);
        ki_unique all = *unique;
        all.map = (ki_map){0};
        KI_TRY(ki_unique_reserve(store, &all, count + 1));
        bool filled = unique_fill(store, &all, pair);
        ki_map_free(heap, &all.map);
        if (!filled) {
            *doubled = unique;
            return KITH_ERR_CONFLICT;
        }
        /* Entries of the world as it was may not be dropped: they will be true again. */
        KI_TRY((uint64_t)count * 2 <= unique->map.capacity
                   ? KITH_OK
                   : unique_grow(heap, NULL, unique, count));
    }
    return KITH_OK;
}

const char *ki_unique_check(const ki_store *store, const ki_unique *unique)
{
    if ((uint64_t)unique->map.count * 2 > unique->map.capacity) {
        return "the map of a unique key is too full";
    }
    for (uint32_t index = 0; index < store->entities.slots; index++) {
        uint64_t name;
        const uint8_t *key = unique_at(store, unique, index, &name);
        if (key != NULL && ki_unique_find(store, unique, key) != index + 1) {
            return "an entity is not found by its unique key, or by its name";
        }
    }
    return NULL;
}
