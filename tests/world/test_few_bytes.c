/* Values of 4 to 16 bytes are copied as two halves, and by ways of their own: each such size keeps its
 * bytes through all of them, and its neighbours theirs. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

#define FEW_TYPES(X)                                                                               \
    X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17)

#define FEW_TYPE(size)                                                                             \
    typedef struct Few##size {                                                                     \
        uint8_t bytes[size];                                                                       \
    } Few##size;                                                                                   \
    KITH_TYPE(Few##size, KITH_FIELD(Few##size, bytes));
#define FEW_ADDRESS(size) &Few##size##_type,

FEW_TYPES(FEW_TYPE)

static const kith_type *const few[] = {FEW_TYPES(FEW_ADDRESS)};

enum { FEW_COUNT = sizeof few / sizeof few[0], CROWD = 40 };

static const uint8_t *value_of(uint32_t who, uint32_t type)
{
    static uint8_t bytes[17];
    for (uint32_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(who * 31 + type * 7 + i + 1);
    }
    return bytes;
}

static void check_value(const fixture *f, kith_entity e, uint32_t who, uint32_t type)
{
    const void *value = kith_get(f->world, e, few[type]);
    CHECK_PTR_NOT_NULL(value);
    CHECK(memcmp(value, value_of(who, type), few[type]->size) == 0);
}

/* Two types stay on all entities, a third comes and goes. */
static void churn(fixture *f, uint32_t a, uint32_t b, uint32_t c)
{
    kith_entity crowd[CROWD];
    for (uint32_t i = 0; i < CROWD; i++) {
        uint8_t first[17];
        memcpy(first, value_of(i, a), sizeof first);
        const kith_value values[] = {{few[a], first}, {few[b], value_of(i, b)}};
        CHECK_RESULT(kith_spawn(f->world, values, 2, &crowd[i]), KITH_OK);
    }
    for (uint32_t i = 0; i < CROWD; i += 2) {
        CHECK_RESULT(kith_set(f->world, crowd[i], few[c], value_of(i, c)), KITH_OK);
    }
    for (uint32_t i = 0; i < CROWD; i += 4) {
        check_value(f, crowd[i], i, c);
        CHECK_RESULT(kith_remove(f->world, crowd[i], few[c]), KITH_OK);
    }
    CHECK_RESULT(kith_despawn(f->world, crowd[1]), KITH_OK);
    CHECK_RESULT(kith_despawn(f->world, crowd[2]), KITH_OK);
    CHECK_WORLD(f->world);
    for (uint32_t i = 0; i < CROWD; i++) {
        if (i == 1 || i == 2) {
            CHECK_PTR_NULL(kith_get(f->world, crowd[i], few[a]));
            continue;
        }
        check_value(f, crowd[i], i, a);
        check_value(f, crowd[i], i, b);
        if (i % 4 == 2) {
            check_value(f, crowd[i], i, c);
        } else {
            CHECK(!kith_has(f->world, crowd[i], few[c]));
        }
    }
    CHECK_RESULT(kith_despawn_many(f->world, crowd, CROWD, NULL), KITH_OK);
}

TEST_EACH_LAYOUT(each_size_of_few_bytes_moves_whole, layout)
{
    fixture f = fixture_new();
    for (uint32_t i = 0; i < FEW_COUNT; i++) {
        CHECK_RESULT(kith_register(f.world, few[i], &(kith_component_def){.layout = layout}),
                     KITH_OK);
    }
    for (uint32_t a = 0; a < FEW_COUNT; a++) {
        for (uint32_t step = 1; step < FEW_COUNT - 1; step++) {
            churn(&f, a, (a + step) % FEW_COUNT, (a + step + 1) % FEW_COUNT);
        }
    }
    fixture_free(&f);
}

TEST_EACH_LAYOUT(each_size_of_few_bytes_is_spawned_many_times, layout)
{
    fixture f = fixture_new();
    for (uint32_t i = 0; i < FEW_COUNT; i++) {
        CHECK_RESULT(kith_register(f.world, few[i], &(kith_component_def){.layout = layout}),
                     KITH_OK);
        kith_entity made[CROWD];
        const kith_values values = {few[i], value_of(i, i), false};
        CHECK_RESULT(kith_spawn_many(f.world, CROWD, &values, 1, made), KITH_OK);
        for (uint32_t k = 0; k < CROWD; k++) {
            check_value(&f, made[k], i, i);
        }
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}
