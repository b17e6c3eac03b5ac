/* Resources: one value of a type for the whole world. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

typedef struct Score {
    int32_t points;
} Score;
KITH_TYPE(Score, KITH_FIELD(Score, points));

TEST(set_get_remove)
{
    fixture f = fixture_new();
    CHECK_PTR_NULL(KITH_RESOURCE(f.world, Score));
    CHECK_PTR_NULL(KITH_RESOURCE_MUT(f.world, Score));
    CHECK_RESULT(kith_resource_remove(f.world, &Score_type), KITH_ERR_ABSENT);
    void *value = &f;
    CHECK_RESULT(kith_resource_get_mut(f.world, &Score_type, &value), KITH_ERR_ABSENT);
    CHECK(value == &f);

    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Score, {5}), KITH_OK);
    CHECK_INT(KITH_RESOURCE(f.world, Score)->points, 5);
    KITH_RESOURCE_MUT(f.world, Score)->points = 6;
    CHECK_INT(KITH_RESOURCE(f.world, Score)->points, 6);
    CHECK_RESULT(kith_resource_get_mut(f.world, &Score_type, &value), KITH_OK);
    CHECK(value == KITH_RESOURCE(f.world, Score));
    CHECK_RESULT(kith_resource_set(f.world, &Score_type, NULL), KITH_OK);
    CHECK_INT(KITH_RESOURCE(f.world, Score)->points, 0);
    CHECK_WORLD(f.world);

    CHECK_RESULT(kith_resource_remove(f.world, &Score_type), KITH_OK);
    CHECK_PTR_NULL(KITH_RESOURCE(f.world, Score));
    CHECK_RESULT(kith_resource_remove(f.world, &Score_type), KITH_ERR_ABSENT);
    fixture_free(&f);
}

/* A pointer to a resource is good until that is removed, whatever else happens. */
TEST(pointers_to_resources_last)
{
    fixture f = fixture_with_all(KITH_TABLE);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Score, {5}), KITH_OK);
    Score *score = KITH_RESOURCE_MUT(f.world, Score);
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        if (component_types[i]->size > 0) {
            CHECK_RESULT(kith_resource_set(f.world, component_types[i], NULL), KITH_OK);
        }
        KITH_SPAWN(f.world, KITH_VALUE(Position));
    }
    CHECK_RESULT(kith_resource_remove(f.world, &Position_type), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Score, {7}), KITH_OK);
    CHECK(score == KITH_RESOURCE(f.world, Score));
    CHECK_INT(score->points, 7);
    fixture_free(&f);
}

/* In the order of their names, whenever they came. */
TEST(resources_in_the_order_of_their_names)
{
    fixture f = fixture_new();
    fixture g = fixture_new();
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        const kith_type *one = component_types[i];
        const kith_type *other = component_types[COMPONENT_COUNT - 1 - i];
        if (one->size > 0) {
            CHECK_RESULT(kith_resource_set(f.world, one, NULL), KITH_OK);
        }
        if (other->size > 0) {
            CHECK_RESULT(kith_resource_set(g.world, other, NULL), KITH_OK);
        }
        CHECK_WORLD(f.world);
    }
    static const char *const names[] = {"Aligned", "Big",    "Byte",     "Extra",  "Health",
                                        "Name",    "Padded", "Position", "Target", "Velocity"};
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_STR(kith_resource_at(f.world, i)->name, names[i]);
        CHECK_STR(kith_resource_at(g.world, i)->name, names[i]);
    }
    CHECK_PTR_NULL(kith_resource_at(f.world, 10));
    CHECK_PTR_NULL(kith_resource_at(f.world, UINT32_MAX));
    CHECK_UINT(kith_world_hash(f.world), kith_world_hash(g.world));
    CHECK_RESULT(kith_resource_remove(f.world, &Extra_type), KITH_OK);
    CHECK_STR(kith_resource_at(f.world, 3)->name, "Health");
    CHECK_PTR_NULL(kith_resource_at(f.world, 9));
    fixture_free(&g);
    fixture_free(&f);
}

/* A type need not be a component to be a resource, and may be both. */
TEST(resources_and_components_are_apart)
{
    fixture f = fixture_new();
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Position, {1, 2}), KITH_OK);
    CHECK_UINT(kith_type_count(f.world), 0);
    CHECK_RESULT(kith_layout_of(f.world, &Position_type, NULL), KITH_ERR_UNKNOWN);
    register_all(f.world, KITH_SPARSE);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {3, 4}));
    CHECK_FLOAT(KITH_RESOURCE(f.world, Position)->x, 1);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 3);
    CHECK_RESULT(kith_resource_remove(f.world, &Position_type), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 3);
    fixture_free(&f);
}

TEST(what_is_no_resource)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_resource_set(f.world, &Frozen_type, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Frozen");
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Position, {1, 2}), KITH_OK);
    const uint64_t before = kith_world_hash(f.world);
    static const kith_field fields[] = {{"x", 0, 4, KITH_I32}, {"y", 4, 4, KITH_I32}};
    static uint32_t number;
    const kith_type other = {"Position", 8, 4, 0, 2, fields, &number, KITH_TABLE, false, false, 0};
    const int32_t integers[] = {1, 2};
    CHECK_RESULT(kith_resource_set(f.world, &other, integers), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "Position");
    CHECK_PTR_NULL(kith_resource_get(f.world, &other));
    CHECK_PTR_NULL(kith_resource_mut_or_null(f.world, &other));
    CHECK_RESULT(kith_resource_remove(f.world, &other), KITH_ERR_ABSENT);
    CHECK_UINT(kith_world_hash(f.world), before);
    CHECK_FLOAT(KITH_RESOURCE(f.world, Position)->y, 2);

    /* Once the one is gone, the name is free. */
    CHECK_RESULT(kith_resource_remove(f.world, &Position_type), KITH_OK);
    CHECK_RESULT(kith_resource_set(f.world, &other, integers), KITH_OK);
    CHECK_INT(((const int32_t *)kith_resource_get(f.world, &other))[1], 2);
    CHECK_PTR_NULL(KITH_RESOURCE(f.world, Position));
    fixture_free(&f);
}

/* A descriptor without a number, one of another file, one from kith_resource_at. */
TEST(resources_by_other_descriptors)
{
    fixture f = fixture_new();
    kith_type nameless = Position_type;
    nameless.number = NULL;
    CHECK_PTR_NULL(kith_resource_get(f.world, &nameless));
    CHECK_RESULT(kith_resource_set(f.world, &nameless, &(Position){1, 2}), KITH_OK);
    CHECK_FLOAT(KITH_RESOURCE(f.world, Position)->y, 2);
    CHECK(kith_resource_get(f.world, component_types[0]) == KITH_RESOURCE(f.world, Position));
    CHECK(kith_resource_get(f.world, kith_resource_at(f.world, 0)) ==
          KITH_RESOURCE(f.world, Position));
    CHECK_RESULT(kith_resource_remove(f.world, &nameless), KITH_OK);
    fixture_free(&f);
}
