/* Spatial indexes that are asked. */
#include <kith/floats.h>

#include "spatial_calls.h"

#include <math.h>

static kith_index *places;

void spatial_call_prepare(stage *s)
{
    const kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    CHECK_RESULT(kith_index_new(s->world, &def, &places), KITH_OK);
}

static kith_result find_all(kith_index_found *found)
{
    return kith_within_box(places, KITH_POINT(-INFINITY, -INFINITY), KITH_POINT(INFINITY, INFINITY),
                           NULL, found);
}

void spatial_call_prepare_moved(stage *s)
{
    spatial_call_prepare(s);
    kith_index_found found;
    CHECK_RESULT(find_all(&found), KITH_OK);
    CHECK_UINT(found.count, kith_query_count(s->all));
    uint32_t step = 0;
    for (kith_iter it = kith_query_iter(s->query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++, step++) {
            *KITH_AT_MUT(&it, i, Position) = (Position){(float)(step % 40), (float)(step / 40)};
        }
    }
}

kith_result spatial_call_box(stage *s)
{
    kith_index_found found = {.count = 77};
    kith_result result = find_all(&found);
    CHECK_UINT(found.count, result == KITH_OK ? kith_query_count(s->all) : 77);
    return result;
}

kith_result spatial_call_radius(stage *s)
{
    kith_index_found found = {.count = 77};
    kith_result result = kith_within_radius(places, KITH_POINT(0, 0), 1e9, NULL, &found);
    CHECK_UINT(found.count, result == KITH_OK ? kith_query_count(s->all) : 77);
    return result;
}

kith_result spatial_call_nearest(stage *s)
{
    kith_near found[3];
    uint32_t count = 77;
    kith_result result = kith_nearest(places, KITH_POINT(1, 1), 3, NULL, found, &count);
    CHECK_UINT(count, result == KITH_OK ? 3 : 77);
    (void)s;
    return result;
}

kith_result spatial_call_along(stage *s)
{
    const kith_along_def wide = {.radius = 1e6};
    kith_near found[3];
    uint32_t count = 77;
    kith_result result =
        kith_along(places, KITH_POINT(1, 1), KITH_POINT(9, 9), 3, &wide, found, &count);
    CHECK_UINT(count, result == KITH_OK ? 3 : 77);
    (void)s;
    return result;
}

/* How many pairs of positions are at most `distance` apart. */
static uint32_t count_pairs(const stage *s, float distance)
{
    static Position at[4096];
    uint32_t count = 0;
    uint32_t pairs = 0;
    for (kith_iter it = kith_query_iter(s->all); kith_next(&it);) {
        CHECK(count + it.count <= sizeof at / sizeof at[0]);
        for (uint32_t i = 0; i < it.count; i++) {
            at[count++] = *KITH_AT(&it, i, Position);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const float x = at[i].x - at[k].x;
            const float y = at[i].y - at[k].y;
            pairs += x * x + y * y <= distance * distance;
        }
    }
    return pairs;
}

kith_result spatial_call_pairs(stage *s)
{
    kith_pairs_found found = {.count = 77};
    kith_result result = kith_pairs(places, 50, NULL, &found);
    CHECK_UINT(found.count, result == KITH_OK ? count_pairs(s, 50) : 77);
    return result;
}
