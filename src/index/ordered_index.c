/* The ordered index: keys in words, most significant first, so that one comparison serves numbers,
 * texts and several fields; and the entity as the last two words, so that no entry is there twice and
 * those with equal values come by slot. */
#include "index/ordered_index.h"

#include "base/sort.h"
#include "index/key.h"
#include "index/text_ranks.h"

static ki_ordered_runs *ordered_runs(const kith_index *index)
{
    return index->data;
}

/* ---- Keys */

/* Words of a field: of an interned text its rank. */
static uint32_t ordered_words(const kith_field *field)
{
    return field->kind == KITH_TEXT ? 2 : ki_key_words(field);
}

/* Reads the key of one value. Returns whether it has a number that no text has. */
static bool ordered_read_key(const kith_index *index, const uint8_t *value, uint32_t *words)
{
    bool unknown = false;
    for (uint32_t i = 0; i < index->field_count; i++) {
        const kith_field *field = &index->fields[i];
        if (field->kind == KITH_TEXT) {
            kith_text text;
            memcpy(&text, value + field->offset, sizeof text);
            const uint64_t rank = ki_text_rank(index->texts, text.number);
            unknown = unknown || rank == 0;
            words[0] = (uint32_t)(rank >> 32);
            words[1] = (uint32_t)rank;
        } else {
            ki_key_read_field(field, value, words);
        }
        words += ordered_words(field);
    }
    return unknown;
}

static void ordered_read_keys(const kith_index *index, const uint8_t *values, size_t stride,
                              uint32_t count, void *keys)
{
    if (index->texts != NULL) {
        uint32_t *words = keys;
        for (uint32_t i = 0; i < count; i++, words += index->key_size / sizeof *words) {
            const bool unknown = ordered_read_key(index, values + i * stride, words);
            index->texts->unknown = index->texts->unknown || unknown;
        }
    } else if (index->key_size == sizeof(uint32_t) && !ki_key_is_text(&index->fields[0])) {
        ki_key_read_order(index, values, stride, count, keys);
    } else {
        ki_key_read_words(index, values, stride, count, keys);
    }
}

/* Whether one of the first fields is a NaN. No other value has words that are all ones. */
static bool ordered_is_nan(const kith_index *index, const uint32_t *words, uint32_t fields)
{
    for (uint32_t i = 0; i < fields; i++) {
        kith_kind kind = index->fields[i].kind;
        if ((kind == KITH_F32 && words[0] == UINT32_MAX) ||
            (kind == KITH_F64 && words[0] == UINT32_MAX && words[1] == UINT32_MAX)) {
            return true;
        }
        words += ordered_words(&index->fields[i]);
    }
    return false;
}

static void ordered_make_entry(const kith_index *index, const void *key, kith_entity entity,
                               uint32_t *entry)
{
    uint32_t words = index->key_size / (uint32_t)sizeof *entry;
    memcpy(entry, key, index->key_size);
    entry[words] = entity.index1;
    entry[words + 1] = entity.generation;
}

/* ---- The kind */

static kith_result ordered_make(kith_index *index)
{
    ki_context *context = ki_world_context(index->askable.world);
    uint32_t words = 0;
    bool texts = false;
    for (uint32_t i = 0; i < index->field_count; i++) {
        const kith_field *field = &index->fields[i];
        if (!ki_key_is_hashed(field)) {
            return ki_fail(context, KITH_ERR_INPUT,
                           "kith_index_new: an ordered index takes single numbers, bools, enums,"
                           " entities and interned texts, and arrays of char, and %s.%s is none",
                           index->type->name, field->name);
        }
        words += field->size > KI_KEY_BYTES_MAX ? KI_KEY_BYTES_MAX : ordered_words(field);
        texts = texts || field->kind == KITH_TEXT;
    }
    if (words > KI_KEY_BYTES_MAX / sizeof(uint32_t)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_index_new: an ordered index takes up to %u bytes of fields, and those"
                       " of %s have more",
                       KI_KEY_BYTES_MAX, index->type->name);
    }
    ki_ordered_runs *runs =
        ki_heap_alloc_zeroed(ki_index_heap(index), sizeof *runs, _Alignof(ki_ordered_runs));
    if (runs == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (texts) {
        index->texts = ki_heap_alloc_zeroed(ki_index_heap(index), sizeof *index->texts,
                                            _Alignof(ki_text_ranks));
        if (index->texts == NULL) {
            ki_heap_free(ki_index_heap(index), runs, sizeof *runs, _Alignof(ki_ordered_runs));
            return KITH_ERR_MEMORY;
        }
    }
    index->key_size = words * (uint32_t)sizeof(uint32_t);
    runs->width = words + 2;
    index->data = runs;
    return KITH_OK;
}

static void ordered_clear(kith_index *index)
{
    ki_ordered_runs_free(ki_index_heap(index), ordered_runs(index));
}

static void ordered_free(kith_index *index)
{
    ki_heap *heap = ki_index_heap(index);
    ordered_clear(index);
    ki_heap_free(heap, index->data, sizeof(ki_ordered_runs), _Alignof(ki_ordered_runs));
    if (index->texts != NULL) {
        ki_text_ranks_free(heap, index->texts);
        ki_heap_free(heap, index->texts, sizeof *index->texts, _Alignof(ki_text_ranks));
    }
}

static kith_result ordered_insert(kith_index *index, const void *key, kith_entity entity)
{
    uint32_t entry[KI_ORDERED_WORDS_MAX];
    ordered_make_entry(index, key, entity, entry);
    return ordered_is_nan(index, entry, index->field_count)
               ? KITH_OK
               : ki_ordered_insert(ki_index_heap(index), ordered_runs(index), entry);
}

static void ordered_remove(kith_index *index, const void *key, kith_entity entity)
{
    uint32_t entry[KI_ORDERED_WORDS_MAX];
    ordered_make_entry(index, key, entity, entry);
    if (!ordered_is_nan(index, entry, index->field_count)) {
        ki_ordered_remove(ki_index_heap(index), ordered_runs(index), entry);
    }
}

static kith_result ordered_change(kith_index *index, const void *from, const void *to,
                                  kith_entity entity)
{
    ordered_remove(index, from, entity);
    return ordered_insert(index, to, entity);
}

/* ---- Filling an empty one */

typedef struct ordered_list {
    uint64_t *keys; /* the first two words of each entry */
    ki_keyed_number *scratch;
    uint32_t *entries;
    uint32_t *numbers; /* of entries, in order */
    uint32_t count;
    uint32_t width;
} ordered_list;

static bool ordered_list_is_before(const void *context, uint32_t a, uint32_t b)
{
    const ordered_list *list = context;
    return ki_ordered_is_before(list->entries + (size_t)a * list->width,
                                list->entries + (size_t)b * list->width, list->width);
}

/* Reads the entries of all mirrors; only counts them where there is no room yet. */
static void ordered_list_read(const kith_index *index, ordered_list *list)
{
    list->count = 0;
    uint32_t entry[KI_ORDERED_WORDS_MAX];
    ki_mirror_run run = {0};
    while (ki_mirrors_next(&index->mirrors, &run)) {
        for (uint32_t i = 0; i < run.count; i++) {
            ordered_make_entry(index, run.keys + (size_t)i * index->key_size, run.entities[i],
                               entry);
            if (run.entities[i].index1 == 0 || ordered_is_nan(index, entry, index->field_count)) {
                continue;
            }
            if (list->entries != NULL) {
                memcpy(list->entries + (size_t)list->count * list->width, entry,
                       list->width * sizeof *entry);
                list->keys[list->count] = (uint64_t)entry[0] << 32 | entry[1];
            }
            list->count++;
        }
    }
}

/* Sorts by two words at once, and by all where these are equal. */
static void ordered_list_sort(const ordered_list *list)
{
    ki_sort_by_keys(list->numbers, list->keys, list->count, list->scratch);
    for (uint32_t first = 0, end; first < list->count; first = end) {
        end = first + 1;
        while (end < list->count &&
               list->keys[list->numbers[end]] == list->keys[list->numbers[first]]) {
            end++;
        }
        if (end - first > 1) {
            ki_sort_stable(list->numbers + first, (uint32_t *)(void *)list->scratch, end - first,
                           ordered_list_is_before, list);
        }
    }
}

static kith_result ordered_fill(kith_index *index)
{
    ki_heap *heap = ki_index_heap(index);
    ki_ordered_runs *runs = ordered_runs(index);
    ordered_list list = {.width = runs->width};
    ordered_list_read(index, &list);
    if (list.count == 0) {
        return KITH_OK;
    }
    size_t bytes = ki_heap_bytes(list.count, sizeof *list.keys + 2 * sizeof *list.scratch +
                                                 (list.width + 1) * sizeof *list.entries);
    list.keys = ki_heap_alloc(heap, bytes, _Alignof(uint64_t));
    if (list.keys == NULL) {
        return KITH_ERR_MEMORY;
    }
    list.scratch = (ki_keyed_number *)(void *)(list.keys + list.count);
    list.entries = (uint32_t *)(void *)(list.scratch + (size_t)2 * list.count);
    list.numbers = list.entries + (size_t)list.count * list.width;
    ordered_list_read(index, &list);
    ordered_list_sort(&list);
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < list.count && result == KITH_OK; i++) {
        result = ki_ordered_append(heap, runs, list.entries + (size_t)list.numbers[i] * list.width);
    }
    ki_heap_free(heap, list.keys, bytes, _Alignof(uint64_t));
    return result;
}

static const char *ordered_check(const kith_index *index, uint32_t *entries)
{
    const char *wrong = ki_ordered_runs_check(ordered_runs(index));
    *entries = ordered_runs(index)->entries;
    return wrong != NULL || index->texts == NULL
               ? wrong
               : ki_text_ranks_check(index->texts, index->askable.world->texts);
}

static uint32_t ordered_count(const kith_index *index)
{
    return ordered_runs(index)->entries;
}

static size_t ordered_bytes(const kith_index *index)
{
    return sizeof(ki_ordered_runs) + ki_ordered_runs_bytes(ordered_runs(index)) +
           (index->texts == NULL ? 0 : ki_text_ranks_bytes(index->texts));
}

const ki_index_calls ki_ordered_index = {.make = ordered_make,
                                         .free = ordered_free,
                                         .read_keys = ordered_read_keys,
                                         .insert = ordered_insert,
                                         .change = ordered_change,
                                         .remove = ordered_remove,
                                         .fill = ordered_fill,
                                         .clear = ordered_clear,
                                         .check = ordered_check,
                                         .count = ordered_count,
                                         .bytes = ordered_bytes};

/* ---- Asking */

/* Makes a bound: the first fields of a value, then zeros or ones. False: one of them is a NaN. */
static bool ordered_bound(const kith_index *index, const void *value, uint32_t fields, bool after,
                          uint32_t *bound)
{
    uint32_t words = 0;
    uint32_t key[KI_ORDERED_WORDS_MAX];
    memset(bound, after ? 0xff : 0, KI_ORDERED_WORDS_MAX * sizeof *bound);
    if (value == NULL) {
        return true;
    }
    ordered_read_key(index, value, key);
    for (uint32_t i = 0; i < fields; i++) {
        words += ordered_words(&index->fields[i]);
    }
    memcpy(bound, key, words * sizeof *bound);
    return !ordered_is_nan(index, bound, fields);
}

bool ki_ordered_bounds_of(const kith_index *index, const kith_range *range,
                          ki_ordered_bounds *bounds)
{
    uint32_t fields = range->fields == 0 ? index->field_count : range->fields;
    bool after_low = range->from != NULL && range->after_from;
    bool after_high = range->to == NULL || !range->before_to;
    return ordered_bound(index, range->from, fields, after_low, bounds->low) &&
           ordered_bound(index, range->to, fields, after_high, bounds->high);
}

bool ki_ordered_has_distances(const kith_index *index)
{
    kith_kind kind = index->fields[0].kind;
    return index->field_count == 1 && ki_key_is_number(&index->fields[0]) && kind != KITH_BOOL &&
           kind != KITH_ENTITY;
}

bool ki_ordered_entry_of(const kith_index *index, const void *value, uint32_t *entry)
{
    return ordered_bound(index, value, index->field_count, false, entry);
}

bool ki_ordered_has_prefixes(const kith_index *index)
{
    return ki_key_is_text(&index->fields[0]) || index->fields[0].kind == KITH_TEXT;
}

static void ordered_rank_bound(const kith_index *index, const char *prefix, uint32_t length,
                               bool after, uint32_t *bound)
{
    const uint64_t rank =
        ki_text_ranks_bound(index->texts, index->askable.world->texts, prefix, length, after);
    memset(bound, 0, KI_ORDERED_WORDS_MAX * sizeof *bound);
    bound[0] = (uint32_t)(rank >> 32);
    bound[1] = (uint32_t)rank;
}

bool ki_ordered_prefix_bounds(const kith_index *index, const char *prefix, uint32_t length,
                              ki_ordered_bounds *bounds)
{
    if (index->fields[0].kind == KITH_TEXT) {
        ordered_rank_bound(index, prefix, length, false, bounds->low);
        ordered_rank_bound(index, prefix, length, true, bounds->high);
        return true;
    }
    if (length > index->fields[0].size) {
        return false;
    }
    memset(bounds->low, 0, sizeof bounds->low);
    memset(bounds->high, 0xff, sizeof bounds->high);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t shift = 24 - i % 4 * 8;
        uint32_t letter = (uint32_t)(uint8_t)prefix[i] << shift;
        bounds->low[i / 4] |= letter;
        bounds->high[i / 4] &= letter | ~(UINT32_C(0xff) << shift);
    }
    return true;
}

/* Takes entities of one run, from `row` to before `end`. */
static kith_result ordered_take(kith_index *index, uint32_t run, uint32_t row, uint32_t end,
                                bool descending, uint32_t limit, uint32_t *count)
{
    const ki_ordered_runs *runs = ordered_runs(index);
    uint32_t take = ki_min_u32(end - row, limit - *count);
    if (take == 0) {
        return KITH_OK;
    }
    KI_TRY(ki_index_reserve_found(index, *count + take));
    const uint32_t *entry = runs->list[run].entries;
    entry += (size_t)(descending ? end : row + 1) * runs->width - 2;
    ptrdiff_t step = descending ? -(ptrdiff_t)runs->width : (ptrdiff_t)runs->width;
    kith_entity *found = index->found + *count;
    for (uint32_t i = 0; i < take; i++) {
        const uint32_t *words = entry + (ptrdiff_t)i * step;
        found[i] = (kith_entity){words[0], words[1]};
    }
    *count += take;
    return KITH_OK;
}

kith_result ki_ordered_index_find(kith_index *index, const ki_ordered_bounds *bounds,
                                  bool descending, uint32_t limit, uint32_t *count)
{
    const ki_ordered_runs *runs = ordered_runs(index);
    *count = 0;
    if (runs->count == 0 || !ki_ordered_is_before(bounds->low, bounds->high, runs->width)) {
        return KITH_OK;
    }
    ki_ordered_place low = ki_ordered_seek(runs, bounds->low);
    ki_ordered_place high = ki_ordered_seek(runs, bounds->high);
    for (uint32_t i = 0; i <= high.run - low.run && *count < limit; i++) {
        uint32_t run = descending ? high.run - i : low.run + i;
        uint32_t row = run == low.run ? low.row : 0;
        uint32_t end = run == high.run ? high.row : runs->list[run].count;
        KI_TRY(ordered_take(index, run, row, end, descending, limit, count));
    }
    return KITH_OK;
}

kith_result ki_ordered_index_slots(const kith_index *index, const ki_ordered_bounds *bounds,
                                   uint32_t enough, ki_slot_list *list, uint32_t *count)
{
    const ki_ordered_runs *runs = ordered_runs(index);
    *count = 0;
    if (runs->count == 0 || !ki_ordered_is_before(bounds->low, bounds->high, runs->width)) {
        return KITH_OK;
    }
    ki_ordered_place low = ki_ordered_seek(runs, bounds->low);
    ki_ordered_place high = ki_ordered_seek(runs, bounds->high);
    for (uint32_t run = low.run; run <= high.run && *count < enough; run++) {
        uint32_t row = run == low.run ? low.row : 0;
        uint32_t end = run == high.run ? high.row : runs->list[run].count;
        uint32_t take = ki_min_u32(end - row, enough - *count);
        *count += take;
        if (list == NULL || take == 0) {
            continue;
        }
        KI_TRY(ki_slot_list_reserve(ki_index_heap(index), list, take));
        const uint32_t *index1 = ki_ordered_entry(runs, run, row) + runs->width - 2;
        for (uint32_t i = 0; i < take; i++) {
            list->slots[list->count++] = index1[(size_t)i * runs->width] - 1;
        }
    }
    return KITH_OK;
}

/* The entry after a place between entries, or before it; NULL: there is none. The place may move to
 * where runs meet. */
static const uint32_t *ordered_peek(const ki_ordered_runs *runs, ki_ordered_place *at,
                                    bool descending)
{
    if (descending) {
        while (at->row == 0) {
            if (at->run == 0) {
                return NULL;
            }
            at->row = runs->list[--at->run].count;
        }
        return ki_ordered_entry(runs, at->run, at->row - 1);
    }
    while (at->run < runs->count && at->row == runs->list[at->run].count) {
        *at = (ki_ordered_place){at->run + 1, 0};
    }
    return at->run < runs->count ? ki_ordered_entry(runs, at->run, at->row) : NULL;
}

kith_result ki_ordered_index_next(const kith_index *index, ki_source_place *place, bool descending,
                                  uint32_t limit, ki_slot_list *list)
{
    const ki_ordered_runs *runs = ordered_runs(index);
    const size_t bytes = ordered_words(&index->fields[0]) * sizeof(uint32_t);
    ki_ordered_place at = {place->at[0], place->at[1]};
    if (!place->begun) {
        at = (ki_ordered_place){descending ? runs->count : 0, 0};
    }
    const uint32_t *first = ordered_peek(runs, &at, descending);
    const uint32_t *entry = first;
    for (uint32_t count = 0; entry != NULL && memcmp(entry, first, bytes) == 0; count++) {
        if (count == limit) {
            return KITH_ERR_LIMIT;
        }
        KI_TRY(ki_slot_list_reserve(ki_index_heap(index), list, 1));
        list->slots[list->count++] = entry[runs->width - 2] - 1;
        at.row = descending ? at.row - 1 : at.row + 1;
        entry = ordered_peek(runs, &at, descending);
    }
    *place = (ki_source_place){{at.run, at.row}, true};
    return KITH_OK;
}
