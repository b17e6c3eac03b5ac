#include "store/extent.h"

#include "base/bits.h"
#include "base/compiler.h"

/* Bytes of a head, at whose end the first block is aligned. */
static uint32_t extent_head(uint32_t align)
{
    return (uint32_t)ki_round_up(sizeof(ki_extent), align);
}

static size_t extent_bytes(uint32_t count, uint32_t stride, uint32_t align)
{
    return extent_head(align) + (size_t)count * stride;
}

static uint64_t extent_all(uint32_t count)
{
    return UINT64_MAX >> (64 - count);
}

static void extent_free(ki_heap *heap, ki_extent *extent)
{
    ki_heap_free(heap, extent, extent_bytes(extent->count, extent->stride, extent->align),
                 extent->align);
}

static ki_extent *extent_new(ki_heap *heap, uint32_t stride, uint32_t align, uint32_t most)
{
    uint32_t count =
        ki_min_u32(most, ki_min_u32(KI_EXTENT_BLOCKS_MAX, KI_EXTENT_BYTES_MAX / stride));
    ki_extent *extent =
        count < 2 ? NULL : ki_heap_alloc(heap, extent_bytes(count, stride, align), align);
    if (extent != NULL) {
        *extent = (ki_extent){
            .unused = extent_all(count), .count = count, .stride = stride, .align = align};
    }
    return extent;
}

/* Moves the first extent that has an unused block to the front. False: none has. */
static bool extent_find(ki_extent **extents)
{
    ki_extent **link = extents;
    while (*link != NULL && (*link)->unused == 0) {
        link = &(*link)->next;
    }
    ki_extent *found = *link;
    if (found != NULL) {
        *link = found->next;
        found->next = *extents;
        *extents = found;
    }
    return found != NULL;
}

void *ki_extent_alloc_block(ki_heap *heap, ki_extent **extents, uint32_t stride, uint32_t align,
                            uint32_t most, uint32_t *offset)
{
    if (!extent_find(extents)) {
        ki_extent *extent = extent_new(heap, stride, align, most);
        if (extent == NULL) {
            return NULL;
        }
        extent->next = *extents;
        *extents = extent;
    }
    ki_extent *extent = *extents;
    *offset = extent_head(align) + ki_lowest_bit(extent->unused) * stride;
    extent->unused &= extent->unused - 1;
    return (uint8_t *)extent + *offset;
}

void ki_extent_free_block(ki_heap *heap, ki_extent *extent, uint32_t offset)
{
    uint32_t block = (offset - extent_head(extent->align)) / extent->stride;
    KI_ASSERT(block < extent->count && (extent->unused >> block & 1) == 0);
    extent->unused |= (uint64_t)1 << block;
    if (extent->released && extent->unused == extent_all(extent->count)) {
        extent_free(heap, extent);
    }
}

void ki_extents_trim(ki_heap *heap, ki_extent **extents)
{
    ki_extent **link = extents;
    while (*link != NULL) {
        ki_extent *extent = *link;
        if (extent->unused == extent_all(extent->count)) {
            *link = extent->next;
            extent_free(heap, extent);
        } else {
            link = &extent->next;
        }
    }
}

void ki_extents_release(ki_heap *heap, ki_extent **extents)
{
    ki_extents_trim(heap, extents);
    for (ki_extent *extent = *extents; extent != NULL; extent = extent->next) {
        extent->released = true;
    }
    *extents = NULL;
}

static uint32_t extent_in_use(const ki_extent *extent)
{
    return extent->count - ki_bit_count(extent->unused);
}

size_t ki_extents_unused(const ki_extent *extents, size_t block_bytes)
{
    size_t bytes = 0;
    for (; extents != NULL; extents = extents->next) {
        bytes += extent_bytes(extents->count, extents->stride, extents->align) -
                 extent_in_use(extents) * block_bytes;
    }
    return bytes;
}

const char *ki_extents_check(const ki_extent *extents, uint32_t used)
{
    uint32_t in_use = 0;
    for (; extents != NULL; extents = extents->next) {
        if (extents->released) {
            return "a column has an extent that it let go of";
        }
        if ((extents->unused & ~extent_all(extents->count)) != 0) {
            return "an extent has more unused blocks than blocks";
        }
        in_use += extent_in_use(extents);
    }
    return in_use < used ? "a block of an extent is in use twice" : NULL;
}
