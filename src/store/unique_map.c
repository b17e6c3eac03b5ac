#include "store/unique_map.h"

#include <string.h>

#include "base/hash.h"
#include "store/relation.h"

#define UNIQUE_LEAST 16u

/* The bytes of a key that is one value, as a number. */
static inline uint64_t unique_number(const kith_field *field, const uint8_t *key)
{
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    key += field->offset;
    switch (field->size) {
    case 1: return field->kind == KITH_BOOL ? *key != 0 : *key;
    case sizeof u16: memcpy(&u16, key, sizeof u16); return u16;
    case sizeof u32: memcpy(&u32, key, sizeof u32); return u32;
    default: memcpy(&u64, key, sizeof u64); return u64;
    }
}

/* A number is its own hash. */
static inline uint64_t unique_hash(const ki_unique *unique, const uint8_t *key)
{
    return unique->by_number ? unique_number(&unique->fields[0], key)
                             : ki_key_hash(unique->fields, unique->field_count, key);
}

/* Whether a key is the same as one with this hash. */
static inline bool unique_same(const ki_unique *unique, const uint8_t *a, const uint8_t *b,
                               uint64_t hash)
{
    return unique->by_number ? unique_number(&unique->fields[0], a) == hash
                             : ki_key_same(unique->fields, unique->field_count, a, b);
}

static void unique_init_places(ki_unique *unique)
{
    ki_column_init_paged(&unique->places, sizeof(ki_unique_place), _Alignof(ki_unique_place),
                         KI_SMALL_SHIFT);
}

static inline ki_unique_place *unique_place(const ki_unique *unique, uint32_t at)
{
    return KI_COLUMN_AT(ki_unique_place, &unique->places, at);
}

/* The place where a search for a tag begins; there are places. */
static inline uint32_t unique_start(const ki_unique *unique, uint32_t tag)
{
    return ki_hash_tag_place(tag, unique->places.capacity);
}

static inline uint32_t unique_after(const ki_unique *unique, uint32_t at)
{
    return (at + 1) & (unique->places.capacity - 1);
}

/* Whether a place says where to look. */
static inline bool unique_is_entry(const ki_unique_place *place)
{
    return place->slot1 != 0 && place->slot1 != KI_UNIQUE_FREED;
}

/* The next entry with a tag from place `*at` on; NULL: there is none. Moves `*at` past it. */
static inline ki_unique_place *unique_next(const ki_unique *unique, uint32_t tag, uint32_t *at)
{
    for (;;) {
        ki_unique_place *place = unique_place(unique, *at);
        *at = unique_after(unique, *at);
        if (place->slot1 == 0) {
            return NULL;
        }
        if (place->tag == tag) {
            return place;
        }
    }
}

/* The first entry with a tag, or NULL; `*at` is for unique_next. */
static inline ki_unique_place *unique_first(const ki_unique *unique, uint32_t tag, uint32_t *at)
{
    if (unique->places.capacity == 0) {
        return NULL;
    }
    *at = unique_start(unique, tag);
    return unique_next(unique, tag, at);
}

/* The key of the name with a value that the entity in a slot has, or is to have. */
static inline uint64_t unique_name(const ki_store *store, const uint8_t *value, uint32_t index)
{
    uint32_t text;
    memcpy(&text, value, sizeof text);
    return ki_sibling_key(ki_entity_parent1(store, index), text);
}

const uint8_t *ki_unique_key(const ki_store *store, const ki_unique *unique, const void *value,
                             uint32_t index, uint64_t *name)
{
    const uint8_t *there = ki_unique_value(unique, value);
    if (!unique->names) {
        return there;
    }
    *name = unique_name(store, there, index);
    return (const uint8_t *)name;
}

/* The key of the entity in a slot; NULL: it does not have the component, as no dead one. */
static const uint8_t *unique_at(const ki_store *store, const ki_unique *unique,
                                uint32_t index, uint64_t *name)
{
    uint32_t row;
    const ki_column *column = ki_locate_in_slot(store, unique->component, index, &row);
    return column == NULL
               ? NULL
               : ki_unique_key(store, unique, ki_column_at(column, row), index, name);
}

/* Whether an entry is true: what is in the slot has a key with its tag. */
static bool unique_is_true(const ki_store *store, const ki_unique *unique,
                           const ki_unique_place *place)
{
    uint64_t name;
    const uint8_t *key = unique_at(store, unique, place->slot1 - 1, &name);
    return key != NULL && ki_hash_tag(unique_hash(unique, key)) == place->tag;
}

/* Whether what is in a slot has a key with this hash. */
static inline bool unique_has(const ki_store *store, const ki_unique *unique, uint32_t index,
                              const uint8_t *key, uint64_t hash)
{
    uint32_t row;
    const ki_column *column = ki_locate_in_slot(store, unique->component, index, &row);
    if (column == NULL) {
        return false;
    }
    const uint8_t *value = ki_column_at(column, row);
    return unique->names ? unique_name(store, value, index) == hash
                         : unique_same(unique, value, key, hash);
}

uint32_t ki_unique_find(const ki_store *store, const ki_unique *unique, const void *key)
{
    const uint64_t hash = unique_hash(unique, key);
    const uint32_t tag = ki_hash_tag(hash);
    uint32_t at;
    const ki_unique_place *place = unique_first(unique, tag, &at);
    while (place != NULL && !unique_has(store, unique, place->slot1 - 1, key, hash)) {
        place = unique_next(unique, tag, &at);
    }
    return place == NULL ? 0 : place->slot1;
}

/* ---- The map --------------------------------------------------------------------------------- */

/* Makes an empty map in place of `unique`'s, which stays, with room for so many entries and a 32nd more.
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
static kith_result unique_make_map(ki_store *store, const ki_unique *unique, uint64_t entries,
                                   ki_unique *made)
{
    uint64_t capacity =
        unique->places.capacity < UNIQUE_LEAST ? UNIQUE_LEAST : unique->places.capacity;
    while (capacity < entries * 2 + entries / 16) {
        capacity *= 2;
    }
    if (capacity > (UINT32_C(1) << 31)) {
        return ki_without_message(&store->context.heap, KITH_ERR_LIMIT);
    }
    *made = *unique;
    made->used = 0;
    unique_init_places(made);
    for (uint32_t end = (uint32_t)capacity; end != 0; end = (end - 1) & ~made->places.mask) {
        /* From the end: the first page is as large as its highest row asks, if it is the only one. */
        if (ki_column_reserve_page(&store->columns, &made->places, end - 1) != KITH_OK) {
            ki_column_free(&store->columns, &made->places);
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

/* Adds an entry where nothing is freed, and all places are ready to be written. */
static void unique_insert(ki_unique *unique, uint32_t tag, uint32_t slot1)
{
    uint32_t at = unique_start(unique, tag);
    while (unique_place(unique, at)->slot1 != 0) {
        at = unique_after(unique, at);
    }
    *unique_place(unique, at) = (ki_unique_place){tag, slot1};
    unique->used++;
}

/* Whether what is not true now will not be, either. */
static bool unique_is_settled(const ki_store *store, const ki_unique *unique)
{
    return !unique->held && (!unique->names || store->link_changes.count == 0);
}

/* Makes another map, with room for `count` entries more, of the true ones alone if that is settled. */
static kith_result unique_grow(ki_store *store, ki_unique *unique, uint32_t count)
{
    const bool settled = unique_is_settled(store, unique);
    uint64_t kept = 0;
    ki_unique made;
    for (uint32_t at = 0; at < unique->places.capacity; at++) {
        const ki_unique_place *place = unique_place(unique, at);
        kept += unique_is_entry(place) && (!settled || unique_is_true(store, unique, place));
    }
    KI_TRY(unique_make_map(store, unique, kept + count, &made));
    for (uint32_t at = 0; at < unique->places.capacity; at++) {
        const ki_unique_place *place = unique_place(unique, at);
        if (unique_is_entry(place) && (!settled || unique_is_true(store, unique, place))) {
            unique_insert(&made, place->tag, place->slot1);
        }
    }
    ki_column_replace(&store->columns, &unique->places, &made.places);
    unique->used = made.used;
    return KITH_OK;
}

kith_result ki_unique_reserve(ki_store *store, ki_unique *unique, uint32_t count)
{
    return ((uint64_t)unique->used + count) * 2 <= unique->places.capacity
               ? KITH_OK
               : unique_grow(store, unique, count);
}

/* The place for an entry that is to be put: one that is free, or whose entry with the same tag is not
 * true, or the end of the search. Its own, if there is one. */
static uint32_t unique_find_place(const ki_store *store, const ki_unique *unique, uint32_t tag,
                                  uint32_t own1)
{
    uint32_t found = UINT32_MAX;
    uint32_t at = unique_start(unique, tag);
    for (;; at = unique_after(unique, at)) {
        const ki_unique_place *place = unique_place(unique, at);
        const bool entry = unique_is_entry(place);
        const bool same = entry && place->tag == tag;
        if (same && place->slot1 == own1) {
            return at;
        }
        if (found == UINT32_MAX &&
            (!entry || (same && !unique->held && !unique_is_true(store, unique, place)))) {
            found = at;
        }
        if (place->slot1 == 0) {
            return found;
        }
    }
}

kith_result ki_unique_put(ki_store *store, ki_unique *unique, const void *key, uint32_t index)
{
    KI_TRY(ki_unique_reserve(store, unique, 1));
    const uint32_t tag = ki_hash_tag(unique_hash(unique, key));
    const uint32_t at = unique_find_place(store, unique, tag, index + 1);
    if (unique_place(unique, at)->slot1 == index + 1) {
        return KITH_OK;
    }
    if (!ki_column_mark(&store->columns, &unique->places, at)) {
        return KITH_ERR_MEMORY;
    }
    unique->used += unique_place(unique, at)->slot1 == 0;
    *unique_place(unique, at) = (ki_unique_place){tag, index + 1};
    return KITH_OK;
}

void ki_unique_tidy(const ki_store *store, ki_unique *unique, const void *key)
{
    const uint32_t tag = ki_hash_tag(unique_hash(unique, key));
    uint32_t at;
    for (ki_unique_place *place = unique_first(unique, tag, &at); place != NULL;
         place = unique_next(unique, tag, &at)) {
        const uint32_t row = (at - 1) & (unique->places.capacity - 1);
        if (ki_column_is_marked(&store->columns, &unique->places, row) &&
            !unique_is_true(store, unique, place)) {
            place->slot1 = KI_UNIQUE_FREED;
        }
    }
}

/* ---- All values ------------------------------------------------------------------------------ */

/* Puts all values into an empty map. False: two of them have the same key. */
static bool unique_fill(const ki_store *store, ki_unique *unique, ki_unique_pair *pair)
{
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
        unique_insert(unique, ki_hash_tag(unique_hash(unique, key)), index + 1);
    }
    return true;
}

static void unique_free(ki_store *store, ki_unique *unique)
{
    ki_heap *heap = &store->context.heap;
    ki_column_free(&store->columns, &unique->places);
    ki_heap_free(heap, unique->zero, unique->component->type->size, _Alignof(max_align_t));
    ki_heap_free(heap, unique, sizeof *unique, _Alignof(ki_unique));
}

/* A key with an empty map, which is in no store yet, though there is room for it. NULL: no memory. */
static ki_unique *unique_new(ki_store *store, const ki_unique *key)
{
    ki_heap *heap = &store->context.heap;
    if (ki_heap_grow(heap, &store->uniques, &store->unique_capacity, store->unique_slots + 1,
                     sizeof *store->uniques, 1) != KITH_OK) {
        return NULL;
    }
    ki_unique *unique = ki_heap_alloc(heap, sizeof *unique, _Alignof(ki_unique));
    if (unique == NULL) {
        return NULL;
    }
    *unique = *key;
    unique->by_number = key->field_count == 1 &&
                        (ki_key_is_number(&key->fields[0]) || key->fields[0].kind == KITH_TEXT);
    unique->held = false;
    unique->used = 0;
    unique_init_places(unique);
    unique->zero =
        ki_heap_alloc_zeroed(heap, key->component->type->size, _Alignof(max_align_t));
    if (unique->zero == NULL) {
        unique_free(store, unique);
        return NULL;
    }
    return unique;
}

static void unique_take_effect(ki_store *store, ki_component *component, ki_unique *unique)
{
    unique->number = store->unique_slots;
    store->uniques[store->unique_slots++] = unique;
    store->unique_count++;
    component->unique = unique;
    ki_store_guard(store, component);
}

kith_result ki_unique_begin(ki_store *store, const ki_unique *key, ki_unique_pair *pair)
{
    ki_unique *unique = unique_new(store, key);
    if (unique == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_component *component = ki_store_component(store, key->component->id);
    kith_result result =
        unique_grow(store, unique, ki_store_count(store, component) + 1);
    if (result == KITH_OK && !unique_fill(store, unique, pair)) {
        result = KITH_ERR_CONFLICT;
    }
    if (result != KITH_OK) {
        unique_free(store, unique);
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
    ki_unique *unique = unique_new(store, &key);
    if (unique == NULL) {
        return KITH_ERR_MEMORY;
    }
    unique_take_effect(store, component, unique);
    return KITH_OK;
}

kith_result ki_uniques_copy(ki_store *store, const ki_store *from)
{
    ki_uniques_end(store); /* that of names began with its component */
    for (uint32_t i = 0; i < from->unique_slots; i++) {
        if (from->uniques[i] == NULL) {
            KI_TRY(ki_heap_grow(&store->context.heap, &store->uniques, &store->unique_capacity,
                                i + 1, sizeof *store->uniques, 1));
            store->uniques[store->unique_slots++] = NULL;
            continue;
        }
        ki_unique key = *from->uniques[i];
        ki_component *component = ki_store_component(store, key.component->id);
        key.component = component;
        ki_unique *unique = unique_new(store, &key);
        if (unique == NULL) {
            return KITH_ERR_MEMORY;
        }
        unique_take_effect(store, component, unique);
    }
    return KITH_OK;
}

void ki_unique_end(ki_store *store, ki_component *component)
{
    ki_unique *unique = component->unique;
    if (unique != NULL) {
        store->uniques[unique->number] = NULL;
        store->unique_count--;
        unique_free(store, unique);
        component->unique = NULL;
        ki_store_guard(store, component);
    }
    while (store->unique_slots != 0 && store->uniques[store->unique_slots - 1] == NULL) {
        store->unique_slots--;
    }
}

void ki_uniques_end(ki_store *store)
{
    while (store->unique_slots != 0) { /* of a copy for which memory ran out, the last may be NULL */
        const ki_unique *last = store->uniques[--store->unique_slots];
        if (last != NULL) {
            ki_unique_end(store, ki_store_component(store, last->component->id));
        }
    }
    ki_heap_free(&store->context.heap, store->uniques,
                 store->unique_capacity * sizeof *store->uniques, _Alignof(max_align_t));
    store->uniques = NULL;
    store->unique_capacity = 0;
}

void ki_uniques_release(ki_store *store)
{
    for (uint32_t i = 0; i < store->unique_slots; i++) {
        if (store->uniques[i] != NULL) {
            store->uniques[i]->held = false;
        }
    }
}

const char *ki_unique_check(const ki_store *store, const ki_unique *unique)
{
    uint32_t used = 0;
    for (uint32_t at = 0; at < unique->places.capacity; at++) {
        used += unique_place(unique, at)->slot1 != 0;
    }
    if (unique->held || used != unique->used || (uint64_t)used * 2 > unique->places.capacity) {
        return "the map of a unique key is too full, or miscounts its places";
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
