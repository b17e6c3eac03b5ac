/* Nearest values of ordered indexes, compared with a loop over all. */
#include <kith/floats.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "indexes.h"
#include "random.h"

typedef struct distant {
    uint64_t distance;
    kith_entity entity;
} distant;

static int compare_distant(const void *a, const void *b)
{
    const distant *left = a;
    const distant *right = b;
    if (left->distance != right->distance) {
        return left->distance < right->distance ? -1 : 1;
    }
    return kith_entity_slot(left->entity) < kith_entity_slot(right->entity) ? -1 : 1;
}

static void expect_nearest(const indexed *t, int32_t value, uint32_t limit)
{
    static distant all[FOUND_MAX];
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(t->all); kith_next(&it);) {
        const Health *health = KITH_COLUMN(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            int64_t way = (int64_t)health[i].current - value;
            all[count++] = (distant){(uint64_t)(way < 0 ? -way : way), kith_entities(&it)[i]};
        }
    }
    qsort(all, count, sizeof all[0], compare_distant);
    kith_index_found found;
    CHECK_RESULT(kith_index_nearest(t->index, &(Health){.current = value}, limit, &found), KITH_OK);
    CHECK_UINT(found.count, count < limit ? count : limit);
    for (uint32_t i = 0; i < found.count; i++) {
        CHECK_SAME(found.entities[i], all[i].entity);
    }
}

/* Few values, so that many are equal, or values far apart. */
TEST_EACH_LAYOUT(the_nearest_are_found, layout)
{
    static const uint32_t limits[] = {0, 1, 2, 7, 300, 5000};
    for (uint32_t spread = 3; spread <= 3000; spread *= 10) {
        indexed t = indexed_new(layout, KITH_INDEX_ORDERED);
        uint64_t random = spread;
        for (uint32_t round = 0; round < 4; round++) {
            for (uint32_t i = 0; i < 500; i++) {
                int32_t value = (int32_t)random_below(&random, spread) - (int32_t)spread / 2;
                kith_entity e = KITH_SPAWN(t.world, KITH_VALUE(Health, {value * 2, 1}));
                if (i % 3 == 0) {
                    CHECK_RESULT(kith_despawn(t.world, e), KITH_OK);
                }
            }
            for (uint32_t i = 0; i < 60; i++) {
                int32_t value = (int32_t)random_below(&random, 2 * spread) - (int32_t)spread;
                expect_nearest(&t, value, limits[i % 6]);
            }
            expect_nearest(&t, INT32_MAX, 9);
            expect_nearest(&t, INT32_MIN, 9);
            CHECK_WORLD(t.world);
        }
        fixture_free(&t.f);
    }
}

typedef struct Numbers {
    double wide;
    uint64_t huge;
    float single;
    int8_t tiny;
    bool flag;
} Numbers;
KITH_TYPE(Numbers, KITH_FIELD(Numbers, wide), KITH_FIELD(Numbers, huge),
          KITH_FIELD(Numbers, single), KITH_FIELD(Numbers, tiny), KITH_FIELD(Numbers, flag),
          KITH_GAP);

static kith_index *index_of(kith_world *world, const char *field)
{
    kith_index *index = NULL;
    const kith_index_def def = {
        .kind = KITH_INDEX_ORDERED, .type = &Numbers_type, .fields = {field}};
    CHECK_RESULT(kith_index_new(world, &def, &index), KITH_OK);
    return index;
}

/* Expects these slots, which end with -1. */
static void expect_slots(kith_index *index, Numbers value, const int *slots)
{
    kith_index_found found;
    CHECK_RESULT(kith_index_nearest(index, &value, 10, &found), KITH_OK);
    uint32_t count = 0;
    for (; slots[count] >= 0; count++) {
        CHECK(count < found.count);
        CHECK_INT((int)kith_entity_slot(found.entities[count]), slots[count]);
    }
    CHECK_UINT(found.count, count);
}

#define NONE_FOUND ((const int[]){-1})
#define SLOTS(...) ((const int[]){__VA_ARGS__, -1})

TEST(numbers_of_each_kind_have_distances)
{
    fixture f = fixture_new();
    const double nan = strtod("nan", NULL);
    const double inf = HUGE_VAL;
    static const uint64_t ends = UINT64_MAX;
    KITH_SPAWN(f.world, KITH_VALUE(Numbers, {1e300, ends, -2.5f, -128, true}));
    KITH_SPAWN(f.world, KITH_VALUE(Numbers, {-1e300, 0, 2.5f, 127, true}));
    KITH_SPAWN(f.world, KITH_VALUE(Numbers, {nan, ends - 1, (float)nan, 0, true}));
    KITH_SPAWN(f.world, KITH_VALUE(Numbers, {inf, 5, -0.0f, 3, true}));
    KITH_SPAWN(f.world, KITH_VALUE(Numbers, {3, 7, 0.0f, -3, true}));
    expect_slots(index_of(f.world, "single"), (Numbers){.single = 0}, SLOTS(3, 4, 0, 1));
    expect_slots(index_of(f.world, "single"), (Numbers){.single = 2}, SLOTS(1, 3, 4, 0));
    expect_slots(index_of(f.world, "single"), (Numbers){.single = (float)nan}, NONE_FOUND);
    expect_slots(index_of(f.world, "wide"), (Numbers){.wide = 4}, SLOTS(4, 0, 1, 3));
    expect_slots(index_of(f.world, "wide"), (Numbers){.wide = 2e300}, SLOTS(0, 4, 1, 3));
    expect_slots(index_of(f.world, "wide"), (Numbers){.wide = inf}, SLOTS(3, 0, 4, 1));
    expect_slots(index_of(f.world, "wide"), (Numbers){.wide = -inf}, SLOTS(1, 4, 0, 3));
    expect_slots(index_of(f.world, "huge"), (Numbers){.huge = 6}, SLOTS(3, 4, 1, 2, 0));
    expect_slots(index_of(f.world, "huge"), (Numbers){.huge = ends}, SLOTS(0, 2, 4, 3, 1));
    expect_slots(index_of(f.world, "tiny"), (Numbers){.tiny = 0}, SLOTS(2, 3, 4, 1, 0));
    kith_index_found found;
    CHECK_RESULT(kith_index_nearest(index_of(f.world, "flag"), &(Numbers){0}, 1, &found),
                 KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "is not by one number");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Differences that round to the same double are told apart. */
TEST(distances_are_exact)
{
    fixture f = fixture_new();
    KITH_SPAWN(f.world, KITH_VALUE(Numbers, {.wide = 1 + DBL_EPSILON, .single = 1}));
    KITH_SPAWN(f.world, KITH_VALUE(Numbers, {.wide = -1, .single = -1}));
    kith_index *wide = index_of(f.world, "wide");
    kith_index *single = index_of(f.world, "single");
    expect_slots(wide, (Numbers){.wide = 0}, SLOTS(1, 0));
    expect_slots(wide, (Numbers){.wide = DBL_EPSILON / 4}, SLOTS(1, 0));
    expect_slots(wide, (Numbers){.wide = DBL_EPSILON / 2}, SLOTS(0, 1));
    expect_slots(wide, (Numbers){.wide = DBL_EPSILON}, SLOTS(0, 1));
    expect_slots(single, (Numbers){.single = 0}, SLOTS(0, 1));
    expect_slots(single, (Numbers){.single = -FLT_MIN}, SLOTS(1, 0));
    expect_slots(single, (Numbers){.single = FLT_MIN}, SLOTS(0, 1));
    fixture_free(&f);
}
