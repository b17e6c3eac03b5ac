/* Brings an index up to date: compares what was written since the last look with the mirrors. */
#include "index/refresh.h"

#include "index/apply_moves.h"
#include "index/index_storage.h"
#include "index/text_ranks.h"
#include "query/open_writes.h"
#include "store/write_log.h"

/* Rows that are compared at a time: few, since workers may have little stack. */
#define REFRESH_ROWS 128u

/* Rows of a storage, all in one block, as they are now. */
typedef struct refresh_block {
    ki_mirror *mirror;
    uint32_t first;
    uint32_t count;              /* with those that only the mirror has */
    const kith_entity *entities; /* KITH_NONE: none */
    const uint8_t *keys;
} refresh_block;

/* Room for these rows. */
typedef struct refresh_room {
    kith_entity entities[REFRESH_ROWS];
    uint32_t keys[(size_t)REFRESH_ROWS * KI_KEY_BYTES_MAX / sizeof(uint32_t)];
} refresh_room;

/* The slots of a slot array that have a value, from `first` on. */
static void refresh_read_slots(const kith_index *index, const ki_slots *slots, uint32_t first,
                               uint32_t count, kith_entity *entities)
{
    const ki_entities *all = &ki_index_store(index)->entities;
    memset(entities, 0, count * sizeof *entities);
    uint32_t end = first + count;
    for (uint32_t slot = ki_slots_next(slots, first, end); slot < end;
         slot = ki_slots_next(slots, slot + 1, end)) {
        entities[slot - first] = ki_entity_at(all, slot);
    }
}

/* Reads the keys of values whose rows begin at `row` in a mirror. A key function may leave entities
 * out. */
static void refresh_read_values(const kith_index *index, const ki_mirror *mirror, uint32_t row,
                                const uint8_t *values, uint32_t count, kith_entity *entities,
                                void *keys)
{
    const size_t stride = index->component->type->size;
    if (index->function.call != NULL) {
        ki_key_function_read(index, mirror, row, values, count, entities, keys);
    } else {
        index->calls->read_keys(index, values, stride, count, keys);
    }
}

/* Reads the keys of `there` rows from `first` on. Those without a value, up to `count`, are zero. */
static void refresh_read_keys(const kith_index *index, const ki_index_storage *storage,
                              const ki_mirror *mirror, uint32_t first, uint32_t there,
                              uint32_t count, kith_entity *entities, void *keys)
{
    bool paged = storage->slots == NULL || ki_column_has_page(storage->values, first);
    uint32_t capacity = storage->values->capacity;
    uint32_t valued = paged && first < capacity ? ki_min_u32(there, capacity - first) : 0;
    if (valued != 0) { /* the first page of a slot array may be shorter */
        refresh_read_values(index, mirror, first, ki_column_at(storage->values, first), valued,
                            entities, keys);
    }
    memset((uint8_t *)keys + (size_t)valued * index->key_size, 0,
           (size_t)(count - valued) * index->key_size);
}

/* Reads `there` rows from `first` on, and notes that up to `count` are none. */
static refresh_block refresh_read(const kith_index *index, const ki_index_storage *storage,
                                  ki_mirror *mirror, refresh_room *room, uint32_t first,
                                  uint32_t there, uint32_t count)
{
    refresh_block block = {.mirror = mirror,
                           .first = first,
                           .count = count,
                           .entities = room->entities,
                           .keys = (const uint8_t *)room->keys};
    if (storage->slots != NULL) {
        refresh_read_slots(index, storage->slots, first, there, room->entities);
    } else if (there == count && index->function.call == NULL) {
        block.entities = ki_column_at(&storage->rows->entities, first);
    } else if (there != 0) {
        memcpy(room->entities, ki_column_at(&storage->rows->entities, first),
               there * sizeof(kith_entity));
    }
    memset(room->entities + there, 0, (count - there) * sizeof(kith_entity));
    refresh_read_keys(index, storage, mirror, first, there, count, room->entities, room->keys);
    return block;
}

/* One row that is not as it was. */
static kith_result refresh_row(kith_index *index, const refresh_block *block, uint32_t i)
{
    ki_heap *heap = ki_index_heap(index);
    uint32_t size = index->key_size;
    kith_entity *seen = ki_mirror_entity(block->mirror, block->first + i);
    uint8_t *seen_key = ki_mirror_key(block->mirror, block->first + i);
    kith_entity now = block->entities[i];
    const uint8_t *key = block->keys + (size_t)i * size;
    bool same = kith_entity_equal(*seen, now);
    if (same && (now.index1 == 0 || memcmp(seen_key, key, size) == 0)) {
        return KITH_OK;
    }
    if (same) {
        KI_TRY(index->calls->change(index, seen_key, key, now));
    } else {
        KI_TRY(ki_move_list_reserve(heap, &index->moves.left));
        KI_TRY(ki_move_list_reserve(heap, &index->moves.came));
        if (seen->index1 != 0) {
            ki_move_list_add(&index->moves.left, *seen, seen_key, size);
        }
        if (now.index1 != 0) {
            ki_move_list_add(&index->moves.came, now, key, size);
        }
        *seen = now;
    }
    memcpy(seen_key, key, size);
    return KITH_OK;
}

/* Rows that are compared together: first many, and few where these are not all as they were. */
#define REFRESH_MANY 32u
#define REFRESH_FEW 4u

/* Whether so many rows from row `i` of a block on are as the mirror has them. */
static bool refresh_is_same(const kith_index *index, const refresh_block *block, uint32_t i,
                            uint32_t rows)
{
    const uint32_t size = index->key_size;
    const uint32_t row = block->first + i;
    return memcmp(ki_mirror_entity(block->mirror, row), block->entities + i,
                  rows * sizeof(kith_entity)) == 0 &&
           memcmp(ki_mirror_key(block->mirror, row), block->keys + (size_t)i * size,
                  (size_t)rows * size) == 0;
}

static kith_result refresh_each(kith_index *index, const refresh_block *block, uint32_t i,
                                uint32_t end)
{
    for (; i < end; i++) {
        KI_TRY(refresh_row(index, block, i));
    }
    return KITH_OK;
}

/* Compares rows with their mirror. */
static kith_result refresh_compare(kith_index *index, const refresh_block *block)
{
    for (uint32_t i = 0, end; i < block->count; i = end) {
        end = i + ki_min_u32(REFRESH_MANY, block->count - i);
        bool same = refresh_is_same(index, block, i, end - i);
        for (uint32_t few = i, next; !same && few < end; few = next) {
            next = few + ki_min_u32(REFRESH_FEW, end - few);
            if (!refresh_is_same(index, block, few, next - few)) {
                KI_TRY(refresh_each(index, block, few, next));
            }
        }
    }
    index->counts.rows_compared += block->count;
    return KITH_OK;
}

/* Brings the mirror of a block up to date, whose rows from `first` on are `count`, of which `there` are
 * there still. */
static kith_result refresh_in_block(kith_index *index, const ki_index_storage *storage,
                                    ki_mirror *mirror, refresh_room *room, uint32_t first,
                                    uint32_t there, uint32_t count)
{
    for (uint32_t done = 0, rows; done < count; done += rows) {
        rows = ki_min_u32(count - done, REFRESH_ROWS);
        const uint32_t left = done < there ? ki_min_u32(there - done, rows) : 0;
        const refresh_block block =
            refresh_read(index, storage, mirror, room, first + done, left, rows);
        KI_TRY(refresh_compare(index, &block));
    }
    *ki_mirror_seen(&index->mirrors, mirror, first) = ki_index_storage_stamp(storage, first);
    return KITH_OK;
}

/* Takes over a storage that the index never saw, without telling the kind. */
static kith_result refresh_take(kith_index *index, const ki_index_storage *storage,
                                ki_mirror *mirror)
{
    KI_TRY(ki_mirror_reserve(&index->mirrors, mirror, storage->count));
    for (uint32_t first = 0, count; first < storage->count; first += count) {
        count = ki_mirrors_run(&index->mirrors, first, storage->count - first);
        if (storage->slots != NULL) {
            refresh_read_slots(index, storage->slots, first, count,
                               ki_mirror_entity(mirror, first));
        } else {
            memcpy(ki_mirror_entity(mirror, first), ki_column_at(&storage->rows->entities, first),
                   count * sizeof(kith_entity));
        }
        refresh_read_keys(index, storage, mirror, first, count, count,
                          ki_mirror_entity(mirror, first), ki_mirror_key(mirror, first));
        *ki_mirror_seen(&index->mirrors, mirror, first) = ki_index_storage_stamp(storage, first);
    }
    index->counts.rows_compared += storage->count;
    return KITH_OK;
}

/* Whether something in the block of a row that is there may be other than the mirror has it, by more
 * than what the log tells. */
static bool refresh_is_stale(const kith_index *index, const ki_index_storage *storage,
                             const ki_mirror *mirror, uint32_t row)
{
    return index->reader.looked != 0
               ? ki_index_storage_is_written(index, storage, row)
               : ki_index_storage_stamp(storage, row) !=
                     *ki_mirror_seen(&index->mirrors, mirror, row);
}

/* Brings one storage's mirror up to date. */
static kith_result refresh_storage(kith_index *index, const ki_index_storage *storage,
                                   ki_mirror *mirror, refresh_room *room)
{
    uint32_t seen = mirror->count;
    KI_TRY(ki_mirror_grow(&index->mirrors, mirror, storage->count));
    for (uint32_t first = 0, count; first < mirror->count; first += count) {
        count = ki_mirrors_run(&index->mirrors, first, mirror->count - first);
        uint32_t there = first < storage->count ? ki_min_u32(count, storage->count - first) : 0;
        uint32_t known = first < seen ? ki_min_u32(count, seen - first) : 0;
        if (there == known && !refresh_is_stale(index, storage, mirror, first)) {
            continue;
        }
        KI_TRY(refresh_in_block(index, storage, mirror, room, first, there, count));
    }
    ki_mirror_shrink(&index->mirrors, mirror, storage->count);
    return KITH_OK;
}

/* A storage that is gone, since its table was reclaimed. All that was in there has left. */
static kith_result refresh_gone(kith_index *index, uint32_t number)
{
    const ki_mirror *mirror = index->mirrors.list[number];
    ki_move_list *left = &index->moves.left;
    for (uint32_t row = 0; row < mirror->count; row++) {
        kith_entity *entity = ki_mirror_entity(mirror, row);
        if (entity->index1 != 0) {
            KI_TRY(ki_move_list_reserve(ki_index_heap(index), left));
            ki_move_list_add(left, *entity, ki_mirror_key(mirror, row), index->key_size);
            *entity = KITH_NONE;
        }
    }
    ki_mirrors_drop(&index->mirrors, number);
    return KITH_OK;
}

static kith_result refresh_one(kith_index *index, uint32_t number, refresh_room *room)
{
    ki_index_storage storage = ki_index_storage_of(index, number);
    ki_mirror *mirror = ki_mirrors_at(&index->mirrors, number);
    if (mirror == NULL) {
        return KITH_ERR_MEMORY;
    }
    return index->filled ? refresh_storage(index, &storage, mirror, room)
                         : refresh_take(index, &storage, mirror);
}

/* Goes through all storages. */
static kith_result refresh_all(kith_index *index)
{
    refresh_room room;
    const bool tables = index->component->layout == KITH_TABLE;
    for (uint32_t number = 0; tables && number < index->mirrors.capacity; number++) {
        if (index->mirrors.list[number] != NULL &&
            ki_index_storage_next(index, number) != number) {
            KI_TRY(refresh_gone(index, number));
        }
    }
    for (uint32_t number = ki_index_storage_next(index, 0); number != UINT32_MAX;
         number = ki_index_storage_next(index, number + 1)) {
        KI_TRY(refresh_one(index, number, &room));
    }
    return KITH_OK;
}

/* Where a value that was set is. */
typedef struct refresh_place {
    const ki_column *values;
    ki_mirror *mirror;
    uint32_t row;
} refresh_place;

/* False: the value is gone; or not in a row that the index saw, which is in a block that was written. */
static bool refresh_locate(const kith_index *index, uint32_t slot, refresh_place *place)
{
    uint32_t number;
    place->values = ki_index_locate(index, slot, &number, &place->row);
    if (place->values == NULL) {
        return false;
    }
    place->mirror = number < index->mirrors.capacity ? index->mirrors.list[number] : NULL;
    return place->mirror != NULL && place->row < place->mirror->count;
}

const uint8_t *ki_index_key_at(const kith_index *index, uint32_t slot)
{
    refresh_place place;
    return refresh_locate(index, slot, &place) ? ki_mirror_key(place.mirror, place.row) : NULL;
}

/* Looks at one value that was set. */
static kith_result refresh_slot(kith_index *index, uint32_t slot, const refresh_place *place)
{
    uint32_t key[KI_KEY_BYTES_MAX / sizeof(uint32_t)];
    kith_entity entity = ki_entity_at(&ki_index_store(index)->entities, slot);
    refresh_read_values(index, place->mirror, place->row, ki_column_at(place->values, place->row),
                        1, &entity, key);
    refresh_block block = {.mirror = place->mirror,
                           .first = place->row,
                           .count = 1,
                           .entities = &entity,
                           .keys = (const uint8_t *)key};
    index->counts.rows_compared++;
    return refresh_row(index, &block, 0);
}

/* So many values are fetched from memory at once before the first of them is looked at. */
#define REFRESH_AHEAD 32u

/* Finds values that were set. The place of one that is not to be looked at has no mirror. */
static void refresh_fetch(const kith_index *index, const uint32_t *slots, uint32_t count,
                          refresh_place *places)
{
    const ki_entities *entities = &ki_index_store(index)->entities;
    for (uint32_t i = 0; i < count; i++) {
        if (slots[i] < entities->slots) {
            KITH_PREFETCH_(ki_record_at(entities, slots[i]));
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        refresh_place *place = &places[i];
        if (refresh_locate(index, slots[i], place)) {
            KITH_PREFETCH_(ki_column_at(place->values, place->row));
            KITH_PREFETCH_(ki_mirror_entity(place->mirror, place->row));
            KITH_PREFETCH_(ki_mirror_key(place->mirror, place->row));
        } else {
            place->mirror = NULL;
        }
    }
}

/* Looks at all values that were set one by one. */
static kith_result refresh_set(kith_index *index)
{
    const ki_write_log *log = index->component->write_log;
    refresh_place places[REFRESH_AHEAD];
    for (uint32_t first = index->reader.place, count; first < log->count; first += count) {
        const uint32_t *slots = log->slots + first;
        count = ki_min_u32(REFRESH_AHEAD, log->count - first);
        refresh_fetch(index, slots, count, places);
        for (uint32_t i = 0; i < count; i++) {
            if (places[i].mirror != NULL) {
                KI_TRY(refresh_slot(index, slots[i], &places[i]));
            }
        }
    }
    return KITH_OK;
}

/* Whether texts came that have no ranks yet. */
static bool refresh_lacks_texts(const kith_index *index)
{
    return index->texts != NULL &&
           index->texts->count != ki_text_ranks_wanted(index->askable.world->texts);
}

/* Gives ranks to texts that came. If others change by that, the index is filled anew. */
static kith_result refresh_texts(kith_index *index)
{
    bool renewed;
    KI_TRY(ki_text_ranks_update(ki_index_heap(index), index->texts, index->askable.world->texts,
                                &renewed));
    if (renewed) {
        ki_index_clear(index);
    }
    return KITH_OK;
}

static kith_result refresh_changes(kith_index *index)
{
    if (refresh_lacks_texts(index)) {
        KI_TRY(refresh_texts(index));
    }
    if (index->calls->look != NULL) {
        KI_TRY(index->calls->look(index));
        index->filled = true;
        return KITH_OK;
    }
    if (!index->filled) {
        KI_TRY(refresh_all(index));
        KI_TRY(index->calls->fill(index));
        index->filled = true;
        return KITH_OK;
    }
    if (ki_index_store(index)->columns.marked > index->reader.looked) {
        KI_TRY(refresh_all(index));
    }
    KI_TRY(refresh_set(index));
    KI_TRY(ki_index_apply_moves(index));
    return index->calls->settle == NULL ? KITH_OK : index->calls->settle(index);
}

bool ki_index_refresh_begin(kith_index *index)
{
    ki_store *store = ki_index_store(index);
    if (store->open != NULL) {
        ki_open_writes_mark(store, index->component);
    }
    if (index->filled && store->columns.marked <= index->reader.looked &&
        index->component->write_log->count == index->reader.place && !refresh_lacks_texts(index)) {
        return false;
    }
    index->refresh.began = store->columns.write_clock++;
    index->counts.refreshes++;
    return true;
}

void ki_index_refresh_work(kith_index *index)
{
    index->refresh.result = refresh_changes(index);
}

kith_result ki_index_refresh_end(kith_index *index)
{
    if (index->refresh.result != KITH_OK) {
        if (!index->filled || !index->calls->resumes) {
            ki_index_clear(index);
        }
        return ki_without_message(ki_index_heap(index), KITH_ERR_MEMORY);
    }
    index->reader.looked = index->refresh.began;
    ki_write_log_read(index->component->write_log, &index->reader);
    return KITH_OK;
}

kith_result ki_index_refresh(kith_index *index)
{
    if (!ki_index_refresh_begin(index)) {
        return KITH_OK;
    }
    ki_index_refresh_work(index);
    return ki_index_refresh_end(index);
}

/* A value that was set, and is somewhere, costs as much as so many rows. */
#define REFRESH_SET_ROWS 8u

/* Rows in blocks of a storage that were written. */
static uint64_t refresh_stale_in(const kith_index *index, uint32_t number)
{
    uint64_t rows = 0;
    const ki_index_storage storage = ki_index_storage_of(index, number);
    const ki_mirror *mirror = number < index->mirrors.capacity ? index->mirrors.list[number] : NULL;
    uint32_t seen = mirror == NULL ? 0 : mirror->count;
    uint32_t end = storage.count > seen ? storage.count : seen;
    for (uint32_t first = 0, count; first < end; first += count) {
        count = ki_mirrors_run(&index->mirrors, first, end - first);
        uint32_t there = first < storage.count ? ki_min_u32(count, storage.count - first) : 0;
        uint32_t known = first < seen ? ki_min_u32(count, seen - first) : 0;
        rows += there != known || refresh_is_stale(index, &storage, mirror, first) ? count : 0;
    }
    return rows;
}

uint32_t ki_index_stale_rows(const kith_index *index)
{
    const ki_component *component = index->component;
    uint64_t rows = 0;
    if (!index->filled) {
        rows = ki_store_count(ki_index_store(index), component);
        return rows == 0 ? 1 : (uint32_t)rows;
    }
    if (ki_index_store(index)->columns.marked > index->reader.looked) {
        for (uint32_t number = ki_index_storage_next(index, 0); number != UINT32_MAX;
             number = ki_index_storage_next(index, number + 1)) {
            rows += refresh_stale_in(index, number);
        }
    }
    rows += (uint64_t)(component->write_log->count - index->reader.place) * REFRESH_SET_ROWS;
    return rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX;
}
