/* The place that a selection is ordered by the distance from. */
#ifndef KI_REFLECT_SELECT_DISTANCE_H
#define KI_REFLECT_SELECT_DISTANCE_H

#include "query/query_source.h"
#include "reflect/query_text_compile.h"
#include "reflect/select_number.h"

typedef struct ki_select_distance {
    const kith_type *type;
    kith_field fields[3];
    uint32_t count; /* of the fields; 0: there is no such order */
    ki_select_number point[3];
} ki_select_distance;

/* Reads the node of a distance, without the numbers. KITH_ERR_INPUT */
kith_result ki_select_find_distance(ki_compiler *compiler, uint32_t number,
                                    ki_select_distance *distance);

/* The order by it, without the place. */
ki_source_order ki_select_order_by(const ki_select_distance *distance);

/* Writes the numbers of the place, which are known. */
void ki_select_point(const ki_select_distance *distance, double point[3]);

/* The square of the distance of a value from the point, as a spatial index computes it. */
double ki_select_square(const ki_select_distance *distance, const double point[3],
                        const void *value);

#endif
