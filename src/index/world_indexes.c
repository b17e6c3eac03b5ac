/* Makes, asks and frees indexes. */
#include "index/filter_index.h"
#include "index/hash_index.h"
#include "index/index_source.h"
#include "index/ordered_index.h"
#include "index/reader.h"
#include "index/spatial_index.h"
#include "store/field_names.h"
#include "world/first_use.h"

/* ---- The indexes of a world */

static void index_drop(kith_index *index)
{
    ki_index_withdraw(index);
    index->calls->free(index);
    ki_index_end(index);
    ki_key_function_free(index);
    ki_index_free_readers(index);
    ki_heap_free(ki_index_heap(index), index, sizeof *index, _Alignof(kith_index));
}

static void indexes_free(kith_world *world, void *data)
{
    (void)world;
    for (kith_index *index = data; index != NULL;) {
        kith_index *next = index->next;
        index_drop(index);
        index = next;
    }
}

/* Whether an index's mirrors hold each entity once, and as many as its kind. */
static const char *index_check(const kith_index *index)
{
    uint32_t entries = 0;
    const char *wrong = index->calls->check(index, &entries);
    if (wrong == NULL) {
        wrong = ki_key_function_check(index);
    }
    if (wrong != NULL) {
        return wrong;
    }
    if (index->moves.left.count != 0 || index->moves.came.count != 0) {
        return "an index has not settled what moved";
    }
    if (index->reader.place > index->component->write_log->count) {
        return "an index has read more than was written";
    }
    if (index->calls->look != NULL) {
        return NULL; /* it has no mirrors */
    }
    uint32_t seen = 0;
    ki_mirror_run run = {0};
    while (ki_mirrors_next(&index->mirrors, &run)) {
        for (uint32_t i = 0; i < run.count; i++) {
            seen += run.entities[i].index1 != 0;
        }
    }
    return entries > seen ? "an index has entities that it never saw" : NULL;
}

static const char *indexes_check(const kith_world *world, const void *data)
{
    (void)world;
    const char *wrong = NULL;
    for (const kith_index *index = data; index != NULL && wrong == NULL; index = index->next) {
        wrong = index_check(index);
    }
    return wrong;
}

static void indexes_state_restore(kith_world *world, const void *state)
{
    (void)state;
    for (kith_index *index = world->parts[KI_PART_INDEXES].data; index != NULL;
         index = index->next) {
        ki_index_distrust(index);
    }
}

/* A snapshot keeps nothing of them. */
static const ki_state_calls indexes_state = {.take = ki_derived_take,
                                             .reserve = ki_derived_reserve,
                                             .restore = indexes_state_restore,
                                             .free = ki_derived_free};

static const ki_attachment_calls indexes_calls = {
    .free = indexes_free, .check = indexes_check, .state = &indexes_state};

/* ---- Making one */

static const ki_index_calls *index_calls_of(kith_index_kind kind)
{
    switch (kind) {
    case KITH_INDEX_HASH: return &ki_hash_index;
    case KITH_INDEX_SPATIAL: return &ki_spatial_index;
    case KITH_INDEX_ORDERED: return &ki_ordered_index;
    case KITH_INDEX_FILTER: return &ki_filter_index_calls;
    default: return NULL;
    }
}

static kith_result index_read_def(kith_index *index, const kith_index_def *def)
{
    ki_context *context = ki_world_context(index->askable.world);
    index->kind = def->kind;
    index->calls = index_calls_of(def->kind);
    if (index->calls == NULL) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_index_new: %d is not a kind of index; set `kind`, to KITH_INDEX_HASH"
                       " for one",
                       (int)def->kind);
    }
    KI_TRY(ki_field_list_check(context, "kith_index_new", index->type, def->fields,
                               KITH_INDEX_FIELDS));
    for (uint32_t i = 0; i < KITH_INDEX_FIELDS && def->fields[i] != NULL; i++) {
        const kith_field *field;
        KI_TRY(ki_field_require(context, "kith_index_new", index->type, def->fields[i], &field));
        index->fields[index->field_count++] = *field;
    }
    return index->field_count != 0
               ? KITH_OK
               : ki_fail(context, KITH_ERR_INPUT,
                         "kith_index_new: an index of %s names no field; give it KITH_FIELDS",
                         index->type->name);
}

/* Makes what an index owns. What was made before a failure is freed. */
static kith_result index_make(kith_index *index, const kith_index_def *def)
{
    ki_heap *heap = ki_index_heap(index);
    KI_TRY(ki_key_function_init(index, def));
    kith_result result = index_read_def(index, def);
    if (result == KITH_OK) {
        result = index->calls->make(index);
    }
    if (result == KITH_OK) {
        result = ki_index_begin(index);
        if (result != KITH_OK) {
            index->calls->free(index);
        }
    }
    if (result != KITH_OK) {
        ki_key_function_free(index);
    }
    return result == KITH_ERR_MEMORY ? ki_without_message(heap, result) : result;
}

kith_result kith_index_new(kith_world *world, const kith_index_def *def, kith_index **index)
{
    KI_TRY(ki_world_require_owner(world, "kith_index_new"));
    const ki_context *context = &world->store.context;
    if (KI_CHECKED && def == NULL) {
        return ki_misuse(context, "kith_index_new: the definition is NULL");
    }
    if (KI_CHECKED && index == NULL) {
        return ki_misuse(context, "kith_index_new: there is no place for the index");
    }
    if (KI_CHECKED && (def->of == NULL) != (def->key == NULL)) {
        return ki_misuse(context,
                         "kith_index_new: a key function (.key) and the type of the values that it"
                         " is called with (.of) are given together, or neither is");
    }
    ki_component *component;
    const kith_type *type = def->key == NULL ? def->type : def->of;
    KI_TRY(ki_world_use(world, "kith_index_new", type, &component));
    ki_heap *heap = &world->store.context.heap;
    kith_index *made = ki_heap_alloc_zeroed(heap, sizeof *made, _Alignof(kith_index));
    if (made == NULL) {
        return ki_without_message(heap, KITH_ERR_MEMORY);
    }
    made->askable.world = world;
    made->askable.type = component->type;
    made->component = component;
    ki_index_make_askable(made);
    kith_result result = index_make(made, def);
    if (result != KITH_OK) {
        ki_heap_free(heap, made, sizeof *made, _Alignof(kith_index));
        return result;
    }
    ki_attachment *part = &world->parts[KI_PART_INDEXES];
    made->next = part->data;
    part->data = made;
    part->calls = &indexes_calls;
    ki_index_offer(made);
    *index = made;
    return KITH_OK;
}

kith_index *kith_index_new_or_null(kith_world *world, const kith_index_def *def)
{
    kith_index *index = NULL;
    kith_result result = kith_index_new(world, def, &index);
    if (world != NULL) {
        ki_tell_memory(&world->store.context, result, "kith_index_new");
    }
    return index;
}

void kith_index_free(kith_index *index)
{
    if (index == NULL || ki_index_require(index, "kith_index_free") != KITH_OK) {
        return;
    }
    if (KI_CHECKED && index->askable.declared != 0) {
        ki_misuse(&index->askable.world->store.context,
                  "kith_index_free: systems declare the index of %s (.indexes): remove them first",
                  index->component->type->name);
        return;
    }
    ki_attachment *part = &index->askable.world->parts[KI_PART_INDEXES];
    if (part->data == index) {
        part->data = index->next;
    } else {
        kith_index *before = part->data;
        while (before->next != index) {
            before = before->next;
        }
        before->next = index->next;
    }
    index_drop(index);
}

/* ---- Asking */

kith_result kith_index_find(kith_index *index, const void *value, kith_index_found *found)
{
    KI_TRY(ki_index_ask(&index, "kith_index_find"));
    if (KI_CHECKED && (value == NULL || found == NULL)) {
        return ki_misuse(&index->askable.world->store.context,
                         "kith_index_find: the value, or the place for what is found, is NULL");
    }
    if (KI_CHECKED && index->kind == KITH_INDEX_SPATIAL) {
        return ki_misuse(&index->askable.world->store.context,
                         "kith_index_find: the index of %s finds by place: ask kith_within_box,"
                         " kith_within_radius or kith_nearest",
                         index->component->type->name);
    }
    if (KI_CHECKED && index->kind == KITH_INDEX_FILTER) {
        return ki_misuse(&index->askable.world->store.context,
                         "kith_index_find: the index of %s is a filter, which only queries use:"
                         " make one of the kind KITH_INDEX_HASH",
                         index->component->type->name);
    }
    uint32_t count = 0;
    if (index->kind == KITH_INDEX_HASH) {
        KI_TRY(ki_hash_index_find(index, value, &count));
    } else {
        ki_ordered_bounds bounds;
        kith_range range = {.from = value, .to = value};
        if (ki_ordered_bounds_of(index, &range, &bounds)) {
            KI_TRY(ki_ordered_index_find(index, &bounds, false, UINT32_MAX, &count));
        }
    }
    KI_TRY(ki_index_sort_found(index, count));
    *found = (kith_index_found){index->found, count};
    return KITH_OK;
}

/* What the calls for ordered indexes ask first. `given` is what they were called with. */
static kith_result index_ask_ordered(kith_index **asked, const char *call, const void *given,
                                     const kith_index_found *found)
{
    KI_TRY(ki_index_ask(asked, call));
    const kith_index *index = *asked;
    const ki_context *context = &index->askable.world->store.context;
    if (KI_CHECKED && (given == NULL || found == NULL)) {
        return ki_misuse(context, "%s: what to find, or the place for what is found, is NULL",
                         call);
    }
    if (KI_CHECKED && index->kind != KITH_INDEX_ORDERED) {
        return ki_misuse(context,
                         "%s: the index of %s has no order: make one of the kind"
                         " KITH_INDEX_ORDERED",
                         call, index->component->type->name);
    }
    return KITH_OK;
}

kith_result kith_index_range(kith_index *index, const kith_range *range, kith_index_found *found)
{
    KI_TRY(index_ask_ordered(&index, "kith_index_range", range, found));
    if (range->fields > index->field_count) {
        return ki_index_fail(
            index, KITH_ERR_INPUT,
            "kith_index_range: a range of %u fields was asked of an index of %s by %u",
            range->fields, index->component->type->name, index->field_count);
    }
    uint32_t count = 0;
    ki_ordered_bounds bounds;
    if (ki_ordered_bounds_of(index, range, &bounds)) {
        uint32_t limit = range->limit == 0 ? UINT32_MAX : range->limit;
        KI_TRY(ki_ordered_index_find(index, &bounds, range->descending, limit, &count));
    }
    *found = (kith_index_found){index->found, count};
    return KITH_OK;
}

kith_result kith_index_nearest(kith_index *index, const void *value, uint32_t count,
                               kith_index_found *found)
{
    KI_TRY(index_ask_ordered(&index, "kith_index_nearest", value, found));
    if (!ki_ordered_has_distances(index)) {
        return ki_index_fail(index, KITH_ERR_INPUT,
                             "kith_index_nearest: the index of %s is not by one number",
                             index->component->type->name);
    }
    uint32_t there = 0;
    uint32_t entry[KI_ORDERED_WORDS_MAX];
    if (ki_ordered_entry_of(index, value, entry)) {
        KI_TRY(ki_ordered_nearest(index, entry, count, &there));
    }
    *found = (kith_index_found){index->found, there};
    return KITH_OK;
}

kith_result kith_index_prefix(kith_index *index, const char *prefix, kith_index_found *found)
{
    KI_TRY(index_ask_ordered(&index, "kith_index_prefix", prefix, found));
    if (!ki_ordered_has_prefixes(index)) {
        return ki_index_fail(index, KITH_ERR_INPUT,
                             "kith_index_prefix: %s.%s is neither an array of char nor an interned"
                             " text",
                             index->type->name, index->fields[0].name);
    }
    uint32_t count = 0;
    ki_ordered_bounds bounds;
    if (ki_ordered_prefix_bounds(index, prefix, (uint32_t)strlen(prefix), &bounds)) {
        KI_TRY(ki_ordered_index_find(index, &bounds, false, UINT32_MAX, &count));
    }
    *found = (kith_index_found){index->found, count};
    return KITH_OK;
}

kith_index_counts kith_index_stats(const kith_index *index)
{
    if (ki_index_require(index, "kith_index_stats") != KITH_OK) {
        return (kith_index_counts){0};
    }
    kith_index_counts counts = index->counts;
    counts.entries = index->calls->count(index);
    counts.bytes = sizeof *index + ki_key_function_bytes(index) +
                   (index->wanted == NULL ? 0 : 2 * index->type->size) +
                   ki_mirrors_bytes(&index->mirrors) + index->calls->bytes(index) +
                   index->found_capacity * sizeof *index->found + ki_index_readers_bytes(index);
    return counts;
}
