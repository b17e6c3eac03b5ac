#include <kith/floats.h>

#include "index/spatial_entry.h"

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
