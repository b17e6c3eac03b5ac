/* Keeps a spatial tree of the entities that have a component. A key is the coordinates as they are
 * in the component, one after the other, so that an entry is the entity and its key. */
#include <kith/floats.h>

#include "index/spatial_index.h"

#include <string.h>

#include "index/spatial_fill.h"

static ki_spatial_data *spatial_data(const kith_index *index)
{
    return index->data;
}

/* ---- Fields -------------------------------------------------------------------------------------- */

/* Two or three fields are a point, four or six a box. */
static kith_result spatial_check_fields(const kith_index *index)
{
    const kith_field *fields = index->fields;
    ki_context *context = ki_world_context(index->askable.world);
    const char *type = index->type->name;
    if (index->field_count < 2 || index->field_count == 5) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_index_new: a spatial index of %s takes the fields of a point or a box:"
                       " x, y or x, y, z, or of the low and then the high corner of a box",
                       type);
    }
    for (uint32_t i = 0; i < index->field_count; i++) {
        const bool is_float = fields[i].kind == KITH_F32 && fields[i].size == sizeof(float);
        const bool is_double = fields[i].kind == KITH_F64 && fields[i].size == sizeof(double);
        if ((!is_float && !is_double) || fields[i].kind != fields[0].kind) {
            return ki_fail(context, KITH_ERR_INPUT,
                           "kith_index_new: a spatial index takes floats or doubles, all of one"
                           " kind, and %s.%s is something else",
                           type, fields[i].name);
        }
    }
    return KITH_OK;
}

/* Whether the fields come one after the other in the component, as they do in a key. */
static bool fields_are_adjacent(const kith_index *index)
{
    bool adjacent = true;
    for (uint32_t i = 1; i < index->field_count; i++) {
        const kith_field *field = &index->fields[i];
        adjacent &= field->offset == field[-1].offset + field->size;
    }
    return adjacent;
}

static kith_result spatial_make(kith_index *index)
{
    KI_TRY(spatial_check_fields(index));
    const bool boxes = index->field_count > 3, wide = index->fields[0].kind == KITH_F64;
    const ki_spatial_shape shape =
        ki_spatial_shape_of(boxes ? index->field_count / 2 : index->field_count, boxes, wide);
    index->key_size = shape.stride - (uint32_t)sizeof(kith_entity);
    ki_heap *heap = ki_index_heap(index);
    ki_spatial_data *data = ki_heap_alloc(heap, sizeof *data, _Alignof(ki_spatial_data));
    const size_t bytes = (size_t)2 * KI_SPATIAL_MOVES * shape.stride;
    unsigned char *moves = ki_heap_alloc(heap, bytes, _Alignof(double));
    if (data == NULL || moves == NULL) {
        ki_heap_free(heap, data, sizeof *data, _Alignof(ki_spatial_data));
        ki_heap_free(heap, moves, bytes, _Alignof(double));
        return KITH_ERR_MEMORY;
    }
    *data = (ki_spatial_data){.from = moves, .to = moves + bytes / 2};
    data->adjacent = fields_are_adjacent(index);
    ki_spatial_tree_init(&data->tree, heap, shape);
    index->data = data;
    return KITH_OK;
}

static void spatial_clear(kith_index *index)
{
    ki_spatial_data *data = spatial_data(index);
    ki_spatial_tree_end(&data->tree);
    data->moves = data->changes = data->known = 0;
}

static void spatial_free(kith_index *index)
{
    ki_spatial_data *data = spatial_data(index);
    ki_heap *heap = ki_index_heap(index);
    const size_t bytes = (size_t)2 * KI_SPATIAL_MOVES * data->tree.shape.stride;
    spatial_clear(index);
    ki_heap_free(heap, data->from, bytes, _Alignof(double));
    ki_heap_free(heap, data, sizeof *data, _Alignof(ki_spatial_data));
}

/* ---- Keys and entries ---------------------------------------------------------------------------- */

/* Copies `size` bytes of each value: a move or two if the compiler knows how many. */
static inline void read_numbers(unsigned char *to, size_t step, const uint8_t *values,
                                size_t stride, uint32_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to + i * step, values + i * stride, size);
    }
}

static void spatial_read_keys(const kith_index *index, const uint8_t *values, size_t stride,
                              uint32_t count, void *keys)
{
    const size_t size = index->fields[0].size;
    if (stride == index->key_size && spatial_data(index)->adjacent) {
        memcpy(keys, values, count * stride);
        return;
    }
    unsigned char *to = keys;
    for (uint32_t field = 0; field < index->field_count; field++, to += size) {
        const uint8_t *from = values + index->fields[field].offset;
        if (size == sizeof(float)) {
            read_numbers(to, index->key_size, from, stride, count, sizeof(float));
        } else {
            read_numbers(to, index->key_size, from, stride, count, sizeof(double));
        }
    }
}

static void spatial_write_entry(const kith_index *index, unsigned char *entry, kith_entity entity,
                                const void *key)
{
    memcpy(entry, &entity, sizeof entity);
    memcpy(entry + sizeof entity, key, index->key_size);
}

/* There are never more entries than fit, before memory runs out. */
static kith_result spatial_result(kith_result result)
{
    return result == KITH_ERR_LIMIT ? KITH_ERR_MEMORY : result;
}

/* ---- Changes ------------------------------------------------------------------------------------- */

static kith_result spatial_make_moves(ki_spatial_data *data)
{
    const uint32_t moves = data->moves;
    data->moves = 0;
    return spatial_result(ki_spatial_tree_move_many(&data->tree, data->from, data->to, moves));
}

/* Whether this refresh told of so many changes that they are not made one by one: the tree is left
 * as it is, and filled anew when all are known. */
static bool spatial_is_left(const ki_spatial_data *data)
{
    return data->changes > KI_SPATIAL_CHANGES &&
           data->changes > data->tree.count / KI_SPATIAL_PER_CHANGE;
}

static kith_result spatial_insert(kith_index *index, const void *key, kith_entity entity)
{
    ki_spatial_data *data = spatial_data(index);
    if (spatial_is_left(data)) {
        return KITH_OK;
    }
    data->changes++;
    data->known++;
    double entry[7];
    spatial_write_entry(index, (unsigned char *)entry, entity, key);
    return spatial_result(ki_spatial_tree_insert(&data->tree, (unsigned char *)entry));
}

static void spatial_remove(kith_index *index, const void *key, kith_entity entity)
{
    ki_spatial_data *data = spatial_data(index);
    if (!spatial_is_left(data)) {
        data->changes++;
        data->known--;
        double entry[7];
        spatial_write_entry(index, (unsigned char *)entry, entity, key);
        ki_spatial_tree_remove(&data->tree, (unsigned char *)entry);
    }
}

/* Noted, and made with others. An entity is told of once in a refresh, so that nothing depends on
 * the order. */
static kith_result spatial_change(kith_index *index, const void *from, const void *to,
                                  kith_entity entity)
{
    ki_spatial_data *data = spatial_data(index);
    if (spatial_is_left(data)) {
        return KITH_OK;
    }
    data->changes++;
    const size_t at = (size_t)data->moves * data->tree.shape.stride;
    spatial_write_entry(index, data->from + at, entity, from);
    spatial_write_entry(index, data->to + at, entity, to);
    return ++data->moves < KI_SPATIAL_MOVES ? KITH_OK : spatial_make_moves(data);
}

/* The rows of mirrors that have an entity, as runs: a build reads the mirrors where they are. */
typedef struct mirror_runs {
    ki_spatial_run *list;
    uint32_t count;
    uint32_t capacity;
    uint32_t rows; /* of all */
} mirror_runs;

static kith_result add_run(ki_heap *heap, mirror_runs *runs, const ki_spatial_run *run)
{
    KI_TRY(
        ki_heap_grow(heap, &runs->list, &runs->capacity, runs->count + 1, sizeof *runs->list, 64));
    runs->list[runs->count++] = *run;
    runs->rows += run->count;
    return KITH_OK;
}

static kith_result list_runs(const kith_index *index, mirror_runs *runs)
{
    ki_mirror_run run = {0};
    while (ki_mirrors_next(&index->mirrors, &run)) {
        for (uint32_t i = 0, first; i < run.count;) {
            for (; i < run.count && run.entities[i].index1 == 0; i++) {
            }
            for (first = i; i < run.count && run.entities[i].index1 != 0; i++) {
            }
            const ki_spatial_run found = {(const unsigned char *)&run.entities[first],
                                          run.keys + (size_t)first * index->key_size, i - first};
            if (found.count > 0) {
                KI_TRY(add_run(ki_index_heap(index), runs, &found));
            }
        }
    }
    return KITH_OK;
}

static kith_result spatial_fill(kith_index *index)
{
    ki_heap *heap = ki_index_heap(index);
    mirror_runs runs = {0};
    kith_result result = list_runs(index, &runs);
    if (result == KITH_OK) {
        const ki_spatial_source source = {runs.list, runs.count, sizeof(kith_entity),
                                          index->key_size, runs.rows};
        result = ki_spatial_tree_fill(&spatial_data(index)->tree, &source);
        spatial_data(index)->known = runs.rows;
    }
    ki_heap_free(heap, runs.list, runs.capacity * sizeof *runs.list, _Alignof(max_align_t));
    return spatial_result(result);
}

static kith_result spatial_settle(kith_index *index)
{
    ki_spatial_data *data = spatial_data(index);
    const bool is_left = spatial_is_left(data);
    data->changes = 0;
    if (is_left) {
        data->moves = 0;
        return spatial_fill(index);
    }
    return spatial_make_moves(data);
}

/* ---- Looking at the whole ------------------------------------------------------------------------ */

/* How many entities the mirrors hold. */
static uint32_t count_mirrored(const kith_index *index)
{
    uint32_t count = 0;
    ki_mirror_run run = {0};
    while (ki_mirrors_next(&index->mirrors, &run)) {
        for (uint32_t i = 0; i < run.count; i++) {
            count += run.entities[i].index1 != 0;
        }
    }
    return count;
}

static const char *spatial_check(const kith_index *index, uint32_t *entries)
{
    const ki_spatial_data *data = spatial_data(index);
    *entries = data->tree.count;
    if (data->moves + data->changes != 0) {
        return "a spatial index has not made all changes";
    }
    if (data->known != count_mirrored(index)) {
        return "a spatial index has not counted what it was told of";
    }
    return ki_spatial_tree_check(&data->tree);
}

static uint32_t spatial_count(const kith_index *index)
{
    return spatial_data(index)->tree.count;
}

static size_t spatial_bytes(const kith_index *index)
{
    const ki_spatial_tree *tree = &spatial_data(index)->tree;
    return sizeof(ki_spatial_data) + (size_t)2 * KI_SPATIAL_MOVES * tree->shape.stride +
           ki_spatial_tree_bytes(tree);
}

const ki_index_calls ki_spatial_index = {.make = spatial_make,
                                         .free = spatial_free,
                                         .read_keys = spatial_read_keys,
                                         .insert = spatial_insert,
                                         .change = spatial_change,
                                         .remove = spatial_remove,
                                         .settle = spatial_settle,
                                         .fill = spatial_fill,
                                         .clear = spatial_clear,
                                         .check = spatial_check,
                                         .count = spatial_count,
                                         .bytes = spatial_bytes};
