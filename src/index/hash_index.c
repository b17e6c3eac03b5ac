/* The hash: a table of values, by open addressing. A value's entry names one entity that has it; if
 * several have it, they are a list through their links, which are found by slot. So values that all
 * entities share cost no more than those of one each, and values of one each need no links. */
#include "index/hash_index.h"

#include "index/key.h"
#include "index/refresh.h"

typedef struct hash_entry {
    uint64_t key;
    kith_entity first; /* KITH_NONE: the entry is free */
} hash_entry;

/* Other entities with the same value: their `index1`; 0: there is none. */
typedef struct hash_link {
    uint32_t next;
    uint32_t previous;
} hash_link;

typedef struct hash_data {
    hash_entry *entries;
    uint32_t capacity; /* a power of two, or 0 */
    uint32_t shift;    /* 64 - log2 of that */
    uint32_t used;     /* entries that are not free */
    uint32_t entities;
    bool verify;     /* keys begin with hashes, and values have to be compared */
    bool whole;      /* after its hash a key has all words: the values are a function's, kept nowhere */
    ki_column links; /* hash_link, paged by slot */
} hash_data;

#define HASH_LINK_SHIFT 10u
#define HASH_WHOLE_BYTES (KI_KEY_BYTES_MAX - (uint32_t)sizeof(uint64_t))

static uint32_t hash_place(const hash_data *data, uint64_t key)
{
    return (uint32_t)((key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> data->shift);
}

/* The entry of a key, or the free one where it would be. The table is there. */
static hash_entry *hash_look_up(const hash_data *data, uint64_t key)
{
    uint32_t place = hash_place(data, key);
    while (data->entries[place].first.index1 != 0 && data->entries[place].key != key) {
        place = (place + 1) & (data->capacity - 1);
    }
    return &data->entries[place];
}

static hash_link *hash_link_of(const hash_data *data, uint32_t index1)
{
    return KI_COLUMN_FIND(hash_link, &data->links, index1 - 1, HASH_LINK_SHIFT);
}

static uint32_t hash_next(const hash_data *data, uint32_t index1)
{
    const hash_link *link = hash_link_of(data, index1);
    return link == NULL ? 0 : link->next;
}

/* Words of a whole key. KITH_ERR_INPUT: there are too many. */
static kith_result hash_count_words(const kith_index *index, uint32_t *words)
{
    const uint32_t most = HASH_WHOLE_BYTES / sizeof(uint32_t);
    *words = 0;
    for (uint32_t i = 0; i < index->field_count; i++) {
        const kith_field *field = &index->fields[i];
        *words += field->size > HASH_WHOLE_BYTES ? most + 1 : ki_key_words(field);
    }
    return index->function.call == NULL || *words <= most
               ? KITH_OK
               : ki_fail(ki_world_context(index->askable.world), KITH_ERR_INPUT,
                         "kith_index_new: a hash by a function takes up to %u bytes of fields, and"
                         " those of %s have more",
                         HASH_WHOLE_BYTES, index->type->name);
}

static kith_result hash_make(kith_index *index)
{
    uint32_t words;
    for (uint32_t i = 0; i < index->field_count; i++) {
        if (!ki_key_is_hashed(&index->fields[i])) {
            return ki_fail(ki_world_context(index->askable.world), KITH_ERR_INPUT,
                           "kith_index_new: a hash takes single numbers, bools, enums, entities and"
                           " texts, and %s.%s is none",
                           index->type->name, index->fields[i].name);
        }
    }
    KI_TRY(hash_count_words(index, &words));
    hash_data *data = ki_heap_alloc_zeroed(ki_index_heap(index), sizeof *data, _Alignof(hash_data));
    if (data == NULL) {
        return KITH_ERR_MEMORY;
    }
    const kith_field *field = &index->fields[0];
    data->verify = index->field_count > 1 || ki_key_is_text(field);
    data->whole = data->verify && index->function.call != NULL;
    index->askable.compares = data->verify && !data->whole;
    index->key_size = data->verify ? sizeof(uint64_t) : ki_key_bytes(field);
    index->key_size += data->whole ? words * (uint32_t)sizeof(uint32_t) : 0;
    ki_column_init_paged(&data->links, sizeof(hash_link), _Alignof(hash_link), HASH_LINK_SHIFT);
    index->data = data;
    return KITH_OK;
}

static void hash_clear(kith_index *index)
{
    hash_data *data = index->data;
    ki_heap_free(ki_index_heap(index), data->entries, data->capacity * sizeof *data->entries,
                 _Alignof(hash_entry));
    ki_column_free(&index->mirrors.columns, &data->links);
    ki_columns_free_deferred(&index->mirrors.columns);
    data->entries = NULL;
    data->capacity = 0;
    data->used = 0;
    data->entities = 0;
}

static void hash_free(kith_index *index)
{
    hash_clear(index);
    ki_heap_free(ki_index_heap(index), index->data, sizeof(hash_data), _Alignof(hash_data));
}

/* A function's values come one by one, and an asked value is one. */
static void hash_read_whole(const kith_index *index, const uint8_t *value, uint32_t *key)
{
    ki_key_read_hash(index, value, 0, 1, key);
    ki_key_read_words(index, value, 0, 1, key + sizeof(uint64_t) / sizeof *key);
}

static void hash_read_keys(const kith_index *index, const uint8_t *values, size_t stride,
                           uint32_t count, void *keys)
{
    const hash_data *data = index->data;
    if (data->whole) {
        hash_read_whole(index, values, keys);
    } else if (data->verify) {
        ki_key_read_hash(index, values, stride, count, keys);
    } else {
        ki_key_read_order(index, values, stride, count, keys);
    }
}

/* Makes room for `used` entries, seven of eight. */
static kith_result hash_reserve(kith_index *index, uint32_t used)
{
    hash_data *data = index->data;
    if (used <= data->capacity / 8 * 7) {
        return KITH_OK;
    }
    uint32_t bits = 4;
    while (used > (UINT32_C(1) << bits) / 8 * 7) {
        if (++bits == 32) {
            return KITH_ERR_MEMORY;
        }
    }
    ki_heap *heap = ki_index_heap(index);
    hash_data old = *data;
    size_t bytes = ki_heap_bytes(UINT64_C(1) << bits, sizeof *data->entries);
    hash_entry *entries = ki_heap_alloc_zeroed(heap, bytes, _Alignof(hash_entry));
    if (entries == NULL) {
        return KITH_ERR_MEMORY;
    }
    data->entries = entries;
    data->capacity = UINT32_C(1) << bits;
    data->shift = 64 - bits;
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.entries[i].first.index1 != 0) {
            *hash_look_up(data, old.entries[i].key) = old.entries[i];
        }
    }
    ki_heap_free(heap, old.entries, old.capacity * sizeof *old.entries, _Alignof(hash_entry));
    return KITH_OK;
}

/* Whether a key is of a value that no index has. */
static bool hash_is_nan(const kith_index *index, uint64_t key)
{
    const hash_data *data = index->data;
    return data->verify ? key == 0 : ki_key_is_nan(index, key);
}

/* Puts an entity in front of another one with the same value. */
static kith_result hash_link_before(kith_index *index, uint32_t index1, uint32_t next1)
{
    hash_data *data = index->data;
    ki_column_context *columns = &index->mirrors.columns;
    kith_result result = ki_column_reserve_page(columns, &data->links, index1 - 1);
    if (result == KITH_OK) {
        result = ki_column_reserve_page(columns, &data->links, next1 - 1);
    }
    ki_columns_free_deferred(columns);
    KI_TRY(result);
    *hash_link_of(data, index1) = (hash_link){.next = next1};
    hash_link_of(data, next1)->previous = index1;
    return KITH_OK;
}

static kith_result hash_insert(kith_index *index, const void *key, kith_entity entity)
{
    hash_data *data = index->data;
    uint64_t number = ki_key_number(index, key);
    if (hash_is_nan(index, number)) {
        return KITH_OK;
    }
    KI_TRY(hash_reserve(index, data->used + 1));
    hash_entry *entry = hash_look_up(data, number);
    if (entry->first.index1 != 0) {
        KI_TRY(hash_link_before(index, entity.index1, entry->first.index1));
    }
    data->used += entry->first.index1 == 0;
    data->entities++;
    *entry = (hash_entry){number, entity};
    return KITH_OK;
}

/* Frees an entry, and brings those that it kept from their places closer to them. */
static void hash_remove_entry(hash_data *data, hash_entry *entry)
{
    uint32_t mask = data->capacity - 1;
    uint32_t hole = (uint32_t)(entry - data->entries);
    for (uint32_t at = (hole + 1) & mask; data->entries[at].first.index1 != 0;
         at = (at + 1) & mask) {
        uint32_t place = hash_place(data, data->entries[at].key);
        if (((at - place) & mask) >= ((at - hole) & mask)) {
            data->entries[hole] = data->entries[at];
            hole = at;
        }
    }
    data->entries[hole].first = KITH_NONE;
    data->used--;
}

/* An entity that an index has in its list is alive once all that left is removed: so its record tells
 * its generation. Until then its slot may be one that a restore took away. */
static kith_entity hash_handle(const kith_index *index, uint32_t index1)
{
    const ki_entities *entities = &ki_index_store(index)->entities;
    return index1 <= entities->slots ? ki_entity_at(entities, index1 - 1)
                                     : (kith_entity){index1, 0};
}

static void hash_remove(kith_index *index, const void *key, kith_entity entity)
{
    hash_data *data = index->data;
    uint64_t number = ki_key_number(index, key);
    if (hash_is_nan(index, number)) {
        return;
    }
    hash_entry *entry = hash_look_up(data, number);
    hash_link *link = hash_link_of(data, entity.index1);
    hash_link found = link == NULL ? (hash_link){0} : *link;
    if (link != NULL) {
        *link = (hash_link){0};
    }
    if (found.next != 0) {
        hash_link_of(data, found.next)->previous = found.previous;
    }
    if (found.previous != 0) {
        hash_link_of(data, found.previous)->next = found.next;
    } else if (found.next != 0) {
        entry->first = hash_handle(index, found.next);
    } else {
        hash_remove_entry(data, entry);
    }
    data->entities--;
}

static kith_result hash_change(kith_index *index, const void *from, const void *to,
                               kith_entity entity)
{
    hash_remove(index, from, entity);
    return hash_insert(index, to, entity);
}

static kith_result hash_fill(kith_index *index)
{
    ki_mirror_run run = {0};
    while (ki_mirrors_next(&index->mirrors, &run)) {
        for (uint32_t i = 0; i < run.count; i++) {
            if (run.entities[i].index1 != 0) {
                KI_TRY(hash_insert(index, run.keys + (size_t)i * index->key_size, run.entities[i]));
            }
        }
    }
    return KITH_OK;
}

/* Counts the entities of a list. The first thing wrong with it, or NULL. */
static const char *hash_check_list(const hash_data *data, const hash_entry *entry,
                                   uint32_t *entities)
{
    uint32_t previous = 0;
    for (uint32_t index1 = entry->first.index1; index1 != 0; index1 = hash_next(data, index1)) {
        const hash_link *link = hash_link_of(data, index1);
        if ((link == NULL ? 0 : link->previous) != previous) {
            return "a list of an index has a wrong link";
        }
        if (++*entities > data->entities) {
            return "an index has too many entities";
        }
        previous = index1;
    }
    return NULL;
}

static const char *hash_check(const kith_index *index, uint32_t *entries)
{
    const hash_data *data = index->data;
    uint32_t used = 0;
    uint32_t entities = 0;
    for (uint32_t i = 0; i < data->capacity; i++) {
        const hash_entry *entry = &data->entries[i];
        if (entry->first.index1 == 0) {
            continue;
        }
        used++;
        if (hash_look_up(data, entry->key) != entry) {
            return "an entry of an index is not found by its key";
        }
        const char *wrong = hash_check_list(data, entry, &entities);
        if (wrong != NULL) {
            return wrong;
        }
    }
    if (used != data->used || entities != data->entities) {
        return "an index miscounts its entries";
    }
    *entries = entities;
    return NULL;
}

static uint32_t hash_count(const kith_index *index)
{
    const hash_data *data = index->data;
    return data->entities;
}

static size_t hash_bytes(const kith_index *index)
{
    const hash_data *data = index->data;
    return sizeof *data + data->capacity * sizeof *data->entries + ki_column_reserved(&data->links);
}

const ki_index_calls ki_hash_index = {.make = hash_make,
                                      .free = hash_free,
                                      .read_keys = hash_read_keys,
                                      .insert = hash_insert,
                                      .change = hash_change,
                                      .remove = hash_remove,
                                      .fill = hash_fill,
                                      .clear = hash_clear,
                                      .check = hash_check,
                                      .count = hash_count,
                                      .bytes = hash_bytes};

/* Whether an entity's value is the one that was asked for. The index is up to date. */
static bool hash_has_value(const kith_index *index, kith_entity entity, const void *value)
{
    const hash_data *data = index->data;
    const ki_store *store = ki_index_store(index);
    uint32_t slot = entity.index1 - 1;
    if (data->whole) {
        uint32_t key[KI_KEY_BYTES_MAX / sizeof(uint32_t)];
        const uint8_t *own = ki_index_key_at(index, slot);
        hash_read_whole(index, value, key);
        return own != NULL && memcmp(own, key, index->key_size) == 0;
    }
    const void *own =
        ki_store_value(store, index->component, slot, ki_record_at(&store->entities, slot));
    return ki_key_same_values(index, own, value);
}

/* The first entity with the key of a value, or KITH_NONE. */
static kith_entity hash_first(const kith_index *index, const void *value)
{
    const hash_data *data = index->data;
    uint64_t buffer[KI_KEY_BYTES_MAX / sizeof(uint64_t)];
    hash_read_keys(index, value, 0, 1, buffer);
    uint64_t key = ki_key_number(index, buffer);
    return data->used == 0 || hash_is_nan(index, key) ? KITH_NONE : hash_look_up(data, key)->first;
}

kith_result ki_hash_index_find(kith_index *index, const void *value, uint32_t *count)
{
    const hash_data *data = index->data;
    *count = 0;
    kith_entity entity = hash_first(index, value);
    while (entity.index1 != 0) {
        uint32_t next = hash_next(data, entity.index1);
        if (!data->verify || hash_has_value(index, entity, value)) {
            KI_TRY(ki_index_reserve_found(index, *count + 1));
            index->found[(*count)++] = entity;
        }
        entity = next == 0 ? KITH_NONE : hash_handle(index, next);
    }
    return KITH_OK;
}

kith_result ki_hash_index_slots(const kith_index *index, const void *value, uint32_t enough,
                                ki_slot_list *list, uint32_t *count)
{
    *count = 0;
    uint32_t index1 = hash_first(index, value).index1;
    for (; index1 != 0 && *count < enough; index1 = hash_next(index->data, index1)) {
        if (list != NULL) {
            KI_TRY(ki_slot_list_reserve(ki_index_heap(index), list, 1));
            list->slots[list->count++] = index1 - 1;
        }
        ++*count;
    }
    return KITH_OK;
}
