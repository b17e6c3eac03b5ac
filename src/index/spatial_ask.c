/* The calls that ask a spatial index. */
#include <kith/floats.h>

#include <kith/spatial.h>

#include "base/roots.h"
#include "index/reader.h"
#include "index/spatial_find.h"
#include "index/spatial_index.h"
#include "index/spatial_pairs.h"
#include "index/spatial_ray.h"
#include "query/admission.h"
#include "query/condition.h"

/* A question, as each call begins it. */
typedef struct spatial_question {
    const ki_spatial_tree *tree;
    ki_spatial_filter filter;
} spatial_question;

static bool matches_query(void *query, kith_entity entity)
{
    return ki_query_has(query, entity);
}

/* Whether a query may filter. */
static kith_result require_query(const kith_index *index, const char *call, const kith_query *query)
{
    const ki_context *context = ki_world_context(index->askable.world);
    if (KI_CHECKED && query->store != ki_index_store(index)) {
        return ki_misuse(context, "%s: the query is of another world than the index", call);
    }
    if (KI_CHECKED && query->conditions != NULL && index->reads_for != NULL) {
        return ki_misuse(context,
                         "%s: in a system, the query must not have conditions on values, which may"
                         " be written meanwhile: look at the values of what was found",
                         call);
    }
    if (index->reads_for == NULL) { /* in a system, that was done before the stage */
        ki_query_refresh_derived(query);
    }
    return query->conditions == NULL ? KITH_OK : ki_conditions_require_bound(query, call);
}

/* Whether the caller may ask, and the index is spatial; and brings it up to date. `place` is where the
 * answer goes. */
static kith_result begin_question(kith_index **asked, const char *call, const void *place,
                                  kith_query *query, spatial_question *question)
{
    KI_TRY(ki_index_ask(asked, call));
    const kith_index *index = *asked;
    const ki_context *context = ki_world_context(index->askable.world);
    if (KI_CHECKED && index->kind != KITH_INDEX_SPATIAL) {
        return ki_misuse(context, "%s: the index of %s is not KITH_INDEX_SPATIAL", call,
                         index->component->type->name);
    }
    if (KI_CHECKED && place == NULL) {
        return ki_misuse(context, "%s: there is no place for what is found", call);
    }
    KI_TRY(query == NULL ? KITH_OK : require_query(index, call, query));
    const ki_spatial_data *data = index->data;
    question->tree = &data->tree;
    question->filter = (ki_spatial_filter){query == NULL ? NULL : matches_query, query};
    return KITH_OK;
}

/* ---- Boxes and circles --------------------------------------------------------------------------- */

/* In 2-D all are at z = 0. */
static void read_point(const ki_spatial_tree *tree, const kith_point *point, double *numbers)
{
    KI_ASSERT(tree != NULL);
    numbers[0] = point->x;
    numbers[1] = point->y;
    numbers[2] = tree->shape.dims == 3 ? point->z : 0;
}

/* Asks, and once more if there was no room for all. */
static kith_result find_all(kith_index *index, const spatial_question *question,
                            void (*find)(const spatial_question *, const void *,
                                         ki_spatial_entities *),
                            const void *what, kith_index_found *found)
{
    ki_spatial_entities results = {0};
    do {
        KI_TRY(ki_index_reserve_found(index, results.found));
        results = (ki_spatial_entities){index->found, index->found_capacity, 0};
        find(question, what, &results);
    } while (results.found > results.capacity);
    *found = (kith_index_found){index->found, results.found};
    return KITH_OK;
}

static void find_in_box(const spatial_question *question, const void *what,
                        ki_spatial_entities *results)
{
    ki_spatial_find_box(question->tree, what, question->filter, results);
}

kith_result kith_within_box(kith_index *index, kith_point low, kith_point high, kith_query *query,
                            kith_index_found *found)
{
    spatial_question question = {0};
    KI_TRY(begin_question(&index, "kith_within_box", found, query, &question));
    ki_spatial_key box;
    read_point(question.tree, &low, box.low);
    read_point(question.tree, &high, box.high);
    return find_all(index, &question, find_in_box, &box, found);
}

typedef struct radius_question {
    kith_point center;
    double radius;
} radius_question;

static void find_in_radius(const spatial_question *question, const void *what,
                           ki_spatial_entities *results)
{
    const radius_question *radius = what;
    double center[3];
    read_point(question->tree, &radius->center, center);
    ki_spatial_find_radius(question->tree, center, radius->radius, question->filter, results);
}

kith_result kith_within_radius(kith_index *index, kith_point center, double radius,
                               kith_query *query, kith_index_found *found)
{
    spatial_question question = {0};
    KI_TRY(begin_question(&index, "kith_within_radius", found, query, &question));
    return find_all(index, &question, find_in_radius, &(radius_question){center, radius}, found);
}

/* ---- The nearest --------------------------------------------------------------------------------- */

kith_result kith_nearest(kith_index *index, kith_point point, uint32_t most,
                         const kith_near_def *def, kith_near *results, uint32_t *count)
{
    const kith_near_def every = {0};
    def = def == NULL ? &every : def;
    spatial_question question = {0};
    const void *place = results == NULL && most > 0 ? NULL : count;
    KI_TRY(begin_question(&index, "kith_nearest", place, def->query, &question));
    double numbers[3];
    read_point(question.tree, &point, numbers);
    ki_spatial_nearest nearest = {results, most, 0};
    ki_spatial_find_nearest(question.tree, numbers, def->within == 0 ? INFINITY : def->within,
                            question.filter, &nearest);
    KI_ASSERT(results != NULL || nearest.count == 0);
    for (uint32_t i = 0; i < nearest.count; i++) {
        results[i].distance = ki_square_root(results[i].distance);
    }
    *count = nearest.count;
    return KITH_OK;
}

/* ---- Along a line -------------------------------------------------------------------------------- */

kith_result kith_along(kith_index *index, kith_point from, kith_point to, uint32_t most,
                       const kith_along_def *def, kith_near *results, uint32_t *count)
{
    const kith_along_def every = {0};
    def = def == NULL ? &every : def;
    spatial_question question = {0};
    const void *place = results == NULL && most > 0 ? NULL : count;
    KI_TRY(begin_question(&index, "kith_along", place, def->query, &question));
    ki_spatial_ray ray = {.radius = def->radius};
    read_point(question.tree, &from, ray.from);
    read_point(question.tree, &to, ray.to);
    ki_spatial_nearest nearest = {results, most, 0};
    ki_spatial_find_along(question.tree, &ray, question.filter, &nearest);
    KI_ASSERT(results != NULL || nearest.count == 0);
    double square = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        const double way = ray.to[axis] - ray.from[axis];
        square += kith_mul_f64(way, way);
    }
    for (uint32_t i = 0; i < nearest.count; i++) {
        results[i].distance = kith_mul_f64(results[i].distance, ki_square_root(square));
    }
    *count = nearest.count;
    return KITH_OK;
}

/* ---- Pairs --------------------------------------------------------------------------------------- */

kith_result kith_pairs(kith_index *index, double distance, kith_query *query,
                       kith_pairs_found *found)
{
    spatial_question question = {0};
    KI_TRY(begin_question(&index, "kith_pairs", found, query, &question));
    ki_spatial_pairs results = {0};
    do {
        if (results.found > KI_PAIRS_MOST) {
            return ki_index_fail(index, KITH_ERR_LIMIT, "kith_pairs: there are more than %u pairs",
                                 (unsigned)KI_PAIRS_MOST);
        }
        const uint64_t bytes = results.found * KI_PAIR_BYTES + sizeof(kith_entity) - 1;
        KI_TRY(ki_index_reserve_found(index, (uint32_t)(bytes / sizeof(kith_entity))));
        const uint64_t room = (uint64_t)index->found_capacity * sizeof(kith_entity);
        results = (ki_spatial_pairs){(kith_pair *)(void *)index->found,
                                     (uint32_t)(room / KI_PAIR_BYTES), 0};
        ki_spatial_find_pairs(question.tree, distance, question.filter, &results);
    } while (results.found > results.capacity);
    *found = (kith_pairs_found){results.pairs, (uint32_t)results.found};
    return KITH_OK;
}
