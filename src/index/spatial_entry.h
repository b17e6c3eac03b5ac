/* What a spatial index keeps of an entity: its handle, and a point or a box.
 *
 * In memory an entry is the handle, then the low corner, then the high corner of a box: 2 or 3
 * floats or doubles each. Arithmetic is in double, which is exact for what was a float. */
#ifndef KI_INDEX_SPATIAL_ENTRY_H
#define KI_INDEX_SPATIAL_ENTRY_H

#include <kith/floats.h>

#include <kith/entity.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/compiler.h"

typedef struct ki_spatial_shape {
    uint32_t dims;   /* 2 or 3 */
    bool boxes;      /* else points */
    bool wide;       /* doubles, else floats */
    uint32_t stride; /* bytes of an entry */
} ki_spatial_shape;

/* Where an entity is. The corners of a point are the same. The third coordinate is 0 in 2-D. */
typedef struct ki_spatial_key {
    double low[3], high[3];
} ki_spatial_key;

static inline ki_spatial_shape ki_spatial_shape_of(uint32_t dims, bool boxes, bool wide)
{
    size_t numbers = (size_t)dims * (boxes ? 2 : 1);
    size_t bytes = sizeof(kith_entity) + numbers * (wide ? sizeof(double) : sizeof(float));
    return (ki_spatial_shape){dims, boxes, wide, (uint32_t)bytes};
}

/* isfinite of mingw gives a warning. */
static inline bool ki_spatial_is_finite(double number)
{
    return number - number == 0;
}

/* Whether a search can find what is there: NaN, infinity and a box whose high corner is below its
 * low corner are found by nothing. */
static inline bool ki_spatial_key_is_found(const ki_spatial_key *key)
{
    bool found = true;
    for (uint32_t axis = 0; axis < 3; axis++) {
        found &= ki_spatial_is_finite(key->low[axis]) && ki_spatial_is_finite(key->high[axis]) &&
                 key->low[axis] <= key->high[axis];
    }
    return found;
}

/* Number `index` of the coordinates that begin at `numbers`. */
static inline double ki_spatial_coordinate(const unsigned char *numbers, uint32_t index, bool wide)
{
    if (wide) {
        double number;
        memcpy(&number, numbers + index * sizeof number, sizeof number);
        return number;
    }
    float number;
    memcpy(&number, numbers + index * sizeof number, sizeof number);
    return (double)number;
}

/* Number `index` of an entry's coordinates. */
static inline double ki_spatial_number(const unsigned char *entry, uint32_t index, bool wide)
{
    return ki_spatial_coordinate(entry + sizeof(kith_entity), index, wide);
}

static inline kith_entity ki_spatial_entity(const unsigned char *entry)
{
    kith_entity entity;
    memcpy(&entity, entry, sizeof entity);
    return entity;
}

/* The key whose coordinates begin at `numbers`. */
static inline ki_spatial_key ki_spatial_key_of(ki_spatial_shape shape, const unsigned char *numbers)
{
    const uint32_t dims = shape.dims;
    ki_spatial_key key;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const uint32_t high = shape.boxes ? dims + axis : axis;
        key.low[axis] = axis < dims ? ki_spatial_coordinate(numbers, axis, shape.wide) : 0;
        key.high[axis] = axis < dims ? ki_spatial_coordinate(numbers, high, shape.wide) : 0;
    }
    return key;
}

static inline ki_spatial_key ki_spatial_entry_key(ki_spatial_shape shape,
                                                  const unsigned char *entry)
{
    return ki_spatial_key_of(shape, entry + sizeof(kith_entity));
}

/* ---- Many entries, to build from ----------------------------------------------------------------- */

/* Entities, and the coordinates of each. */
typedef struct ki_spatial_run {
    const unsigned char *entities;
    const unsigned char *keys;
    uint32_t count;
} ki_spatial_run;

/* Runs of entities and their coordinates, which stay where they are: rows of mirrors, or an array of
 * entries. */
typedef struct ki_spatial_source {
    const ki_spatial_run *runs;
    uint32_t run_count;
    uint32_t entity_stride; /* bytes from one to the next */
    uint32_t key_stride;
    uint32_t count; /* of all runs */
} ki_spatial_source;

/* An array of entries; `run` has to stay. */
static inline ki_spatial_source ki_spatial_source_of(ki_spatial_shape shape, ki_spatial_run *run,
                                                     const unsigned char *entries, uint32_t count)
{
    *run = (ki_spatial_run){entries, entries + sizeof(kith_entity), count};
    return (ki_spatial_source){run, 1, shape.stride, shape.stride, count};
}

/* Writes them one after the other in memory, as entries. */
void ki_spatial_source_copy(ki_spatial_shape shape, const ki_spatial_source *source,
                            unsigned char *to);

#endif
