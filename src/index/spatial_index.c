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
    const char *type = index->component->type->name;
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
    ki_spatial_tree_init(&data->tree, heap, shape);
    index->data = data;
    return KITH_OK;
}

static void spatial_clear(kith_index *index)
{
    ki_spatial_data *data = spatial_data(index);
    ki_spatial_tree_end(&data->tree);
    data->moves = 0;
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

static void spatial_read_keys(const kith_index *index, const uint8_t *values, size_t stride,
                              uint32_t count, void *keys)
{
    unsigned char *to = keys;
    const size_t size = index->fields[0].size;
    for (uint32_t i = 0; i < count; i++, values += stride) {
        for (uint32_t field = 0; field < index->field_count; field++, to += size) {
            memcpy(to, values + index->fields[field].offset, size);
        }
    }
}

static void spatial_write_entry(const kith_index *index, unsigned char *entry, kith_entity entity,
                                const void *key)
{
    memcpy(entry, &entity, sizeof entity);
    memcpy(entry + sizeof entity, key, index->key_size);
}

static ki_spatial_key spatial_key(const kith_index *index, const void *key)
{
    double entry[7];
    spatial_write_entry(index, (unsigned char *)entry, KITH_NONE, key);
    return ki_spatial_entry_key(spatial_data(index)->tree.shape, (const unsigned char *)entry);
}

/* There are never more entries than fit, before memory runs out. */
static kith_result spatial_result(kith_result result)
{
    return result == KITH_ERR_LIMIT ? KITH_ERR_MEMORY : result;
}

/* ---- Changes ------------------------------------------------------------------------------------- */

static kith_result spatial_settle(kith_index *index)
{
    ki_spatial_data *data = spatial_data(index);
    const uint32_t moves = data->moves;
    data->moves = 0;
    return spatial_result(ki_spatial_tree_move_many(&data->tree, data->from, data->to, moves));
}

static kith_result spatial_insert(kith_index *index, const void *key, kith_entity entity)
{
    const ki_spatial_key at = spatial_key(index, key);
    return spatial_result(ki_spatial_tree_insert(&spatial_data(index)->tree, entity, &at));
}

static void spatial_remove(kith_index *index, const void *key, kith_entity entity)
{
    const ki_spatial_key at = spatial_key(index, key);
    ki_spatial_tree_remove(&spatial_data(index)->tree, entity, &at);
}

/* Noted, and made with others. An entity is told of once in a refresh, so that nothing depends on
 * the order. */
static kith_result spatial_change(kith_index *index, const void *from, const void *to,
                                  kith_entity entity)
{
    ki_spatial_data *data = spatial_data(index);
    const size_t at = (size_t)data->moves * data->tree.shape.stride;
    spatial_write_entry(index, data->from + at, entity, from);
    spatial_write_entry(index, data->to + at, entity, to);
    return ++data->moves < KI_SPATIAL_MOVES ? KITH_OK : spatial_settle(index);
}

/* Writes entries of all that the mirrors hold, and returns their count. NULL: only counts. */
static uint32_t spatial_gather(const kith_index *index, unsigned char *entries)
{
    const uint32_t stride = spatial_data(index)->tree.shape.stride;
    ki_mirror_run run = {0};
    uint32_t count = 0;
    while (ki_mirrors_next(&index->mirrors, &run)) {
        const uint8_t *key = run.keys;
        for (uint32_t i = 0; i < run.count; i++, key += index->key_size) {
            if (run.entities[i].index1 != 0) {
                if (entries != NULL) {
                    spatial_write_entry(index, entries + (size_t)count * stride, run.entities[i],
                                        key);
                }
                count++;
            }
        }
    }
    return count;
}

static kith_result spatial_fill(kith_index *index)
{
    ki_spatial_tree *tree = &spatial_data(index)->tree;
    const uint32_t count = spatial_gather(index, NULL);
    const size_t bytes = ki_heap_bytes(count, tree->shape.stride);
    unsigned char *entries = ki_heap_alloc(tree->heap, bytes, _Alignof(double));
    if (entries == NULL) {
        return KITH_ERR_MEMORY;
    }
    spatial_gather(index, entries);
    const kith_result result = ki_spatial_tree_fill(tree, entries, count);
    ki_heap_free(tree->heap, entries, bytes, _Alignof(double));
    return spatial_result(result);
}

/* ---- Looking at the whole ------------------------------------------------------------------------ */

static const char *spatial_check(const kith_index *index, uint32_t *entries)
{
    const ki_spatial_data *data = spatial_data(index);
    *entries = data->tree.count;
    return data->moves != 0 ? "a spatial index has not made all moves"
                            : ki_spatial_tree_check(&data->tree);
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
