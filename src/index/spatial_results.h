/* Collects what a search finds: those that come first, in order, whatever the order in which they
 * were found. */
#ifndef KI_INDEX_SPATIAL_RESULTS_H
#define KI_INDEX_SPATIAL_RESULTS_H

#include <kith/spatial.h>
#include <stdbool.h>
#include <stdint.h>

/* Entities, up to a capacity. */
typedef struct ki_spatial_entities {
    kith_entity *entities;
    uint32_t capacity;
    uint32_t found; /* with those that did not fit */
} ki_spatial_entities;

static inline void ki_spatial_entities_add(ki_spatial_entities *results, kith_entity entity)
{
    if (results->found < results->capacity) {
        results->entities[results->found] = entity;
    }
    results->found++;
}

/* Puts them in the order of their slots, if all fitted. */
void ki_spatial_entities_sort(ki_spatial_entities *results);

/* Those with the least distances, up to a capacity of at least 1. Distances are squares here. */
typedef struct ki_spatial_nearest {
    kith_near *list; /* a heap with the largest distance on top */
    uint32_t capacity;
    uint32_t count;
} ki_spatial_nearest;

/* Whether an entity would be added. */
static inline bool ki_spatial_nearest_has_place(const ki_spatial_nearest *results,
                                                kith_entity entity, double square)
{
    const kith_near *last = results->list;
    return results->count < results->capacity || square < last->distance ||
           (square == last->distance && entity.index1 < last->entity.index1);
}

/* Adds one that has a place. */
void ki_spatial_nearest_add(ki_spatial_nearest *results, kith_entity entity, double square);
void ki_spatial_nearest_sort(ki_spatial_nearest *results);

#endif
