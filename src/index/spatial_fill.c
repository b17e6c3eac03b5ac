/* Fills a tree with many entries at once. */
#include <kith/floats.h>

#include "index/spatial_fill.h"

#include "index/spatial_build.h"

/* Sizes by the exponent of a double, and entries that nothing finds. */
enum { SIZE_UNFOUND = 2048, SIZES };

/* Entries by size. */
typedef struct fill_draft {
    uint16_t *sizes;            /* of each entry */
    uint32_t counts[SIZES];     /* of each size; then of each level */
    uint32_t places[SIZES + 1]; /* where those of each size begin */
} fill_draft;

static uint16_t size_of_key(const ki_spatial_key *key)
{
    if (!ki_spatial_key_is_found(key)) {
        return SIZE_UNFOUND;
    }
    const double size = ki_spatial_key_size(key);
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    return (uint16_t)(bits >> 52);
}

static kith_result build_level(ki_spatial_tree *tree, double size, const ki_spatial_source *source)
{
    ki_spatial_level *level = ki_spatial_level_make(tree, size);
    if (level == NULL) {
        return KITH_ERR_MEMORY;
    }
    tree->count += source->count;
    return ki_spatial_cell_build(tree, source, 0, &level->root);
}

/* Counts the entries of each size, and says where those of each begin. */
static void count_sizes(ki_spatial_shape shape, const ki_spatial_source *source, fill_draft *draft)
{
    uint16_t *sizes = draft->sizes;
    for (uint32_t k = 0; k < source->run_count; k++) {
        const ki_spatial_run run = source->runs[k];
        for (size_t i = 0; i < run.count; i++) {
            const ki_spatial_key key = ki_spatial_key_of(shape, run.keys + i * source->key_stride);
            sizes[i] = size_of_key(&key);
            draft->counts[sizes[i]]++;
        }
        sizes += run.count;
    }
    for (uint32_t size = 0; size < SIZES; size++) {
        draft->places[size + 1] = draft->places[size] + draft->counts[size];
    }
}

/* Counts the entries of a size with those of the next larger one if that has no fewer: they share a
 * level. At most twice as many entries are met in one place then, and there is a level less. */
static void join_sizes(fill_draft *draft)
{
    uint32_t least = 0, before = 0;
    for (uint32_t size = 1; size < SIZE_UNFOUND; size++) {
        if (draft->counts[size] == 0) {
            continue;
        }
        if (before > 0 && draft->counts[before] <= draft->counts[size] &&
            size - least < KI_SPATIAL_LEVEL_SIZES) {
            draft->counts[size] += draft->counts[before];
            draft->counts[before] = 0;
        } else {
            least = size;
        }
        before = size;
    }
}

/* Writes entries by size. `places` are then where those of each size end. */
static void sort_by_size(ki_spatial_shape shape, const ki_spatial_source *source, fill_draft *draft,
                         unsigned char *sorted)
{
    const uint16_t *sizes = draft->sizes;
    for (uint32_t k = 0; k < source->run_count; k++) {
        const ki_spatial_run run = source->runs[k];
        for (size_t i = 0; i < run.count; i++) {
            unsigned char *to = sorted + (size_t)draft->places[sizes[i]]++ * shape.stride;
            memcpy(to, run.entities + i * source->entity_stride, sizeof(kith_entity));
            memcpy(to + sizeof(kith_entity), run.keys + i * source->key_stride,
                   shape.stride - sizeof(kith_entity));
        }
        sizes += run.count;
    }
}

/* Sorts entries by size into `sorted`, and builds a level of each. */
static kith_result build_levels(ki_spatial_tree *tree, const ki_spatial_source *source,
                                fill_draft *draft, unsigned char *sorted)
{
    count_sizes(tree->shape, source, draft);
    sort_by_size(tree->shape, source, draft, sorted);
    join_sizes(draft);
    for (uint32_t size = 0; size < SIZE_UNFOUND; size++) {
        const uint64_t bits = (uint64_t)size << 52;
        double side;
        memcpy(&side, &bits, sizeof side);
        if (draft->counts[size] > 0) {
            const size_t first = draft->places[size] - draft->counts[size];
            ki_spatial_run run;
            const ki_spatial_source level = ki_spatial_source_of(
                tree->shape, &run, sorted + first * tree->shape.stride, draft->counts[size]);
            KI_TRY(build_level(tree, side, &level));
        }
    }
    return KITH_OK;
}

static kith_result fill_levels(ki_spatial_tree *tree, const ki_spatial_source *source)
{
    ki_heap *heap = tree->heap;
    const size_t count = source->count;
    const size_t bytes = ki_heap_bytes(count, tree->shape.stride);
    fill_draft *draft = ki_heap_alloc_zeroed(heap, sizeof *draft, _Alignof(fill_draft));
    uint16_t *sizes = ki_heap_alloc(heap, count * sizeof *sizes, _Alignof(uint16_t));
    unsigned char *sorted = ki_heap_alloc(heap, bytes, _Alignof(double));
    kith_result result = KITH_ERR_MEMORY;
    if (draft != NULL && sizes != NULL && sorted != NULL) {
        draft->sizes = sizes;
        result = build_levels(tree, source, draft, sorted);
    }
    ki_heap_free(heap, sorted, bytes, _Alignof(double));
    ki_heap_free(heap, sizes, count * sizeof *sizes, _Alignof(uint16_t));
    ki_heap_free(heap, draft, sizeof *draft, _Alignof(fill_draft));
    return result;
}

kith_result ki_spatial_tree_fill(ki_spatial_tree *tree, const ki_spatial_source *source)
{
    ki_spatial_tree filled;
    ki_spatial_tree_init(&filled, tree->heap, tree->shape);
    kith_result result = KITH_ERR_INPUT;
    if (!tree->shape.boxes && source->count > KI_SPATIAL_LEAF) {
        result = build_level(&filled, 0, source);
    }
    if (result == KITH_ERR_INPUT) {
        ki_spatial_tree_end(&filled);
        result = fill_levels(&filled, source);
    }
    ki_spatial_tree *dropped = result == KITH_OK ? tree : &filled;
    ki_spatial_tree_end(dropped);
    if (result == KITH_OK) {
        *tree = filled;
    }
    return result;
}
