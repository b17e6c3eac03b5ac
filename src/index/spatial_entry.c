#include <kith/floats.h>

#include "index/spatial_entry.h"

void ki_spatial_entry_write(ki_spatial_shape shape, unsigned char *entry, kith_entity entity,
                            const ki_spatial_key *key)
{
    memcpy(entry, &entity, sizeof entity);
    unsigned char *at = entry + sizeof entity;
    for (uint32_t corner = 0; corner <= (uint32_t)shape.boxes; corner++) {
        const double *numbers = corner == 0 ? key->low : key->high;
        for (uint32_t axis = 0; axis < shape.dims; axis++) {
            const float narrow = (float)numbers[axis];
            const size_t size = shape.wide ? sizeof(double) : sizeof(float);
            memcpy(at, shape.wide ? (const void *)&numbers[axis] : (const void *)&narrow, size);
            at += size;
        }
    }
}

void ki_spatial_source_copy(ki_spatial_shape shape, const ki_spatial_source *source,
                            unsigned char *to)
{
    const size_t head = sizeof(kith_entity);
    for (uint32_t k = 0; k < source->run_count; k++) {
        const ki_spatial_run run = source->runs[k];
        for (size_t i = 0; i < run.count; i++, to += shape.stride) {
            memcpy(to, run.entities + i * source->entity_stride, head);
            memcpy(to + head, run.keys + i * source->key_stride, shape.stride - head);
        }
    }
}
