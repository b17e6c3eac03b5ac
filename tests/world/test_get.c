/* Values are read and written in place: has, get, get_mut, get_many, component_next. */
#include <kith/kith.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "share.h"
#include "test.h"

TEST_EACH_LAYOUT(get_and_get_mut_are_one_value, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen));
    void *value = NULL;
    CHECK_RESULT(kith_get_mut(f.world, e, &Position_type, &value), KITH_OK);
    CHECK(value == KITH_GET(f.world, e, Position));
    CHECK(value == KITH_GET_MUT(f.world, e, Position));
    ((Position *)value)->y = 9;
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 9);
    CHECK_WORLD(f.world);

    /* The output is written on success alone. */
    int sentinel;
    value = &sentinel;
    CHECK_RESULT(kith_get_mut(f.world, e, &Velocity_type, &value), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_get_mut(f.world, e, &Frozen_type, &value), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_get_mut(f.world, e, &Burning_type, &value), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_get_mut(f.world, KITH_NONE, &Position_type, &value), KITH_ERR_DEAD);
    CHECK(value == &sentinel);
    CHECK_PTR_NULL(KITH_GET(f.world, e, Velocity));
    CHECK_PTR_NULL(KITH_GET_MUT(f.world, e, Velocity));
    CHECK_PTR_NULL(kith_get(f.world, e, &Frozen_type));
    CHECK_PTR_NULL(kith_get_mut_or_null(f.world, e, &Frozen_type));
    CHECK_PTR_NULL(KITH_GET(f.world, KITH_NONE, Position));
    CHECK(!KITH_HAS(f.world, KITH_NONE, Position));
    fixture_free(&f);
}

/* So many types that those which come behind are searched for in tables. */
static void register_others(kith_world *world)
{
    static uint32_t numbers[70];
    for (uint32_t i = 0; i < 70; i++) {
        char name[16];
        snprintf(name, sizeof(name), "Other%u", (unsigned)i);
        const kith_type type = {.name = name, .align = 1, .number = &numbers[i]};
        CHECK_RESULT(kith_register(world, &type, NULL), KITH_OK);
    }
}

static void check_has_nothing(kith_world *world, kith_entity entity, const kith_type *type)
{
    const void *value = &value;
    CHECK(!kith_has(world, entity, type));
    CHECK_PTR_NULL(kith_get(world, entity, type));
    CHECK_PTR_NULL(kith_get_mut_or_null(world, entity, type));
    CHECK_UINT(kith_get_many(world, type, &entity, 1, &value), 0);
    CHECK_PTR_NULL(value);
}

/* A slot that waits has the generation of who comes next already, whose handle is nobody's yet. */
TEST_EACH_LAYOUT(who_is_still_to_come_has_nothing, layout)
{
    for (int others = 0; others < 2; others++) {
        fixture f = fixture_new();
        if (others != 0) {
            register_others(f.world);
        }
        register_all(f.world, layout);
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen));
        const kith_entity next = {e.index1, e.generation + 1};
        check_has_nothing(f.world, next, &Position_type);
        check_has_nothing(f.world, next, &Frozen_type);
        CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
        check_has_nothing(f.world, e, &Position_type);
        check_has_nothing(f.world, next, &Position_type);
        check_has_nothing(f.world, next, &Frozen_type);
        e = KITH_SPAWN(f.world, KITH_VALUE(Position, {3, 4}));
        CHECK(kith_entity_equal(e, next));
        CHECK_FLOAT(KITH_GET(f.world, next, Position)->x, 3);
        check_has_nothing(f.world, next, &Frozen_type);
        fixture_free(&f);
    }
}

/* A pointer is good until a change of structure that concerns its component. */
TEST_EACH_LAYOUT(pointers_last_through_other_changes, layout)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Velocity_type, NULL), KITH_OK);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_entity other = KITH_SPAWN(f.world, KITH_VALUE(Velocity, {1, 2}));
    Position *p = KITH_GET_MUT(f.world, e, Position);
    for (int i = 0; i < 2000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Velocity, {3, 4}));
    }
    CHECK_RESULT(kith_despawn(f.world, other), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Extra, {1, 2, 3}), KITH_OK);
    CHECK_RESULT(KITH_SEND(f.world, Extra, {1, 2, 3}), KITH_OK);
    p->y = 7;
    CHECK(p == KITH_GET(f.world, e, Position));
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 7);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(get_many_is_many_gets, layout)
{
    enum { COUNT = 3000, ASKED = 5000 };
    static kith_entity e[COUNT];
    static kith_entity asked[ASKED];
    static const void *values[ASKED];
    fixture f = fixture_with_all(layout);
    uint64_t seed = 7;
    for (uint32_t i = 0; i < COUNT; i++) {
        switch (random_below(&seed, 4)) {
        case 0: e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0})); break;
        case 1:
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 1}), KITH_VALUE(Byte));
            break;
        case 2: e[i] = KITH_SPAWN(f.world, KITH_VALUE(Byte)); break;
        default: e[i] = kith_spawn_empty(f.world); break;
        }
    }
    for (uint32_t i = 0; i < COUNT; i += 9) {
        CHECK_RESULT(kith_despawn(f.world, e[i]), KITH_OK);
    }
    for (uint32_t i = 0; i < ASKED; i++) {
        asked[i] = random_below(&seed, 50) == 0
                       ? (kith_entity){(uint32_t)random_next(&seed), (uint32_t)random_next(&seed)}
                       : e[random_below(&seed, COUNT)];
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < ASKED; i++) {
        found += KITH_GET(f.world, asked[i], Position) != NULL;
    }
    CHECK(found > 1000);
    CHECK_UINT(kith_get_many(f.world, &Position_type, asked, ASKED, values), found);
    for (uint32_t i = 0; i < ASKED; i++) {
        CHECK(values[i] == kith_get(f.world, asked[i], &Position_type));
    }
    for (uint32_t count = 0; count < 20; count++) {
        values[count] = &seed;
        kith_get_many(f.world, &Position_type, asked, count, values);
        CHECK(values[count] == &seed);
    }
    CHECK_UINT(kith_get_many(f.world, &Position_type, NULL, 0, NULL), 0);

    /* A tag has no value, also for those that have it. */
    CHECK_RESULT(KITH_ADD(f.world, e[1], Frozen), KITH_OK);
    CHECK_UINT(kith_get_many(f.world, &Frozen_type, &e[1], 1, values), 0);
    CHECK_PTR_NULL(values[0]);
    fixture_free(&f);
}

/* In order of the names of types, whatever the layouts and the order of adding. */
TEST(component_next_goes_by_name)
{
    const kith_type *by_name[COMPONENT_COUNT];
    fixture all = fixture_new();
    register_all(all.world, KITH_TABLE);
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        const kith_type *type = kith_type_at(all.world, i);
        by_name[i] = type;
        CHECK(i == 0 || strcmp(by_name[i - 1]->name, type->name) < 0);
    }
    fixture_free(&all);
    for (uint64_t seed = 0; seed < 20; seed++) {
        fixture f = fixture_new();
        register_mixed(f.world, seed);
        for (uint32_t mask = 0; mask < 1 << COMPONENT_COUNT; mask += 37) {
            kith_entity e = kith_spawn_empty(f.world);
            for (uint32_t i = COMPONENT_COUNT; i-- > 0;) {
                if ((mask >> i & 1) != 0 && by_name[i] != &Big_type) {
                    CHECK_RESULT(kith_add(f.world, e, by_name[i]), KITH_OK);
                }
            }
            const kith_type *at = NULL;
            for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
                if ((mask >> i & 1) != 0 && by_name[i] != &Big_type) {
                    at = kith_component_next(f.world, e, at);
                    CHECK_PTR_NOT_NULL(at);
                    CHECK_STR(at->name, by_name[i]->name);
                }
            }
            CHECK_PTR_NULL(kith_component_next(f.world, e, at));
            /* After one that it does not have: the next that it has. */
            at = kith_component_next(f.world, e, by_name[9]);
            CHECK((at != NULL) == ((mask >> 10) != 0));
            CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
            CHECK_PTR_NULL(kith_component_next(f.world, e, NULL));
        }
        fixture_free(&f);
    }
}

/* ---- Alignment and size ---------------------------------------------------------------------- */

static const kith_field page_fields[] = {{"bytes", 0, 4096, KITH_BYTES}};
static uint32_t page_number;
static const kith_type page_type = {"Page",      4096,         4096,       0,     1,
                                    page_fields, &page_number, KITH_TABLE, false, false, 0};

static const kith_field lane_fields[] = {{"bytes", 0, 256, KITH_BYTES}};
static uint32_t lane_number;
static const kith_type lane_type = {"Lane",      256,          256,        0,     1,
                                    lane_fields, &lane_number, KITH_TABLE, false, false, 0};

/* A small value of large alignment is as large as that. */
static const kith_field wide_fields[] = {{"value", 0, 4, KITH_U32}, {"rest", 4, 0, KITH_PADDING}};
static uint32_t wide_number;
static const kith_type wide_type = {"Wide",      2048,         2048,       0,     2,
                                    wide_fields, &wide_number, KITH_TABLE, false, false, 0};

static const kith_field mega_fields[] = {{"bytes", 0, 1 << 20, KITH_BYTES}};
static uint32_t mega_number;
static const kith_type mega_type = {"Mega",      1 << 20,      16,         0,     1,
                                    mega_fields, &mega_number, KITH_TABLE, false, false, 0};

static void check_aligned(const void *value, const kith_type *type)
{
    CHECK_PTR_NOT_NULL(value);
    CHECK_UINT((uintptr_t)value % type->align, 0);
}

TEST_EACH_LAYOUT_WITHIN(10, values_are_aligned, layout)
{
    static const kith_type *const types[] = {&Byte_type, &Position_type, &Aligned_type, &Big_type,
                                             &page_type, &lane_type,     &wide_type};
    enum { TYPES = sizeof(types) / sizeof(types[0]), COUNT = 70 };
    const kith_component_def def = {.layout = layout};
    fixture f = fixture_new();
    for (int t = 0; t < TYPES; t++) {
        CHECK_RESULT(kith_register(f.world, types[t], &def), KITH_OK);
    }
    static kith_entity e[TYPES][COUNT];
    static unsigned char value[sizeof(Big)];
    for (int i = 0; i < COUNT; i++) {
        for (int t = 0; t < TYPES; t++) {
            memset(value, i, sizeof(value));
            e[t][i] = kith_spawn_empty(f.world);
            CHECK_RESULT(kith_set(f.world, e[t][i], types[t], value), KITH_OK);
        }
    }
    CHECK_WORLD(f.world);
    for (int t = 0; t < TYPES; t++) {
        for (int i = 0; i < COUNT; i++) {
            const unsigned char *seen = kith_get(f.world, e[t][i], types[t]);
            check_aligned(seen, types[t]);
            check_aligned(kith_get_mut_or_null(f.world, e[t][i], types[t]), types[t]);
            CHECK_UINT(seen[0], (unsigned char)i);
            CHECK_UINT(seen[types[t]->size - 1],
                       types[t] == &wide_type ? seen[types[t]->size - 1] : (unsigned char)i);
        }
        const kith_term term = {types[t], KITH_ACCESS_WRITE, KITH_MUST, 0, NULL};
        kith_query *query =
            kith_query_new_or_null(f.world, &(const kith_query_def){.terms = KITH_TERMS(term)});
        uint32_t count = 0;
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            check_aligned(kith_column(&it, types[t]), types[t]);
            check_aligned(kith_column_mut(&it, types[t]), types[t]);
            count += it.count;
        }
        CHECK_UINT(count, COUNT);
        kith_query_free(query);
    }
    fixture_free(&f);
}

/* Values of a megabyte: one a block. */
TEST_EACH_LAYOUT_WITHIN(10, values_of_a_megabyte, layout)
{
    const kith_component_def def = {.layout = layout};
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &mega_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Byte_type, &def), KITH_OK);
    unsigned char *value = malloc(1 << 20);
    CHECK_PTR_NOT_NULL(value);
    kith_entity e[5];
    for (int i = 0; i < 5; i++) {
        memset(value, 'a' + i, 1 << 20);
        e[i] = kith_spawn_empty(f.world);
        CHECK_RESULT(kith_set(f.world, e[i], &mega_type, value), KITH_OK);
    }
    CHECK_RESULT(KITH_ADD(f.world, e[3], Byte), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e[0]), KITH_OK);
    CHECK_WORLD(f.world);
    for (int i = 1; i < 5; i++) {
        memset(value, 'a' + i, 1 << 20);
        CHECK(memcmp(kith_get(f.world, e[i], &mega_type), value, 1 << 20) == 0);
    }
    kith_entity clone;
    CHECK_RESULT(kith_clone(f.world, e[3], &clone), KITH_OK);
    memset(value, 'd', 1 << 20);
    CHECK(memcmp(kith_get(f.world, clone, &mega_type), value, 1 << 20) == 0);
    CHECK_WORLD(f.world);
    free(value);
    fixture_free(&f);
}

/* As a resource and as an event too. */
TEST(resources_and_events_are_aligned)
{
    fixture f = fixture_new();
    static const kith_type *const types[] = {&Byte_type, &Aligned_type, &Big_type, &page_type,
                                             &lane_type, &wide_type,    &mega_type};
    for (size_t t = 0; test_row(t, ROWS_OF(types)); t++) {
        CHECK_RESULT(kith_resource_set(f.world, types[t], NULL), KITH_OK);
        for (uint32_t i = 0; i < 9; i++) {
            CHECK_RESULT(kith_event_send(f.world, types[t], NULL), KITH_OK);
            check_aligned(kith_event_at(f.world, types[t], i), types[t]);
        }
        check_aligned(kith_resource_get(f.world, types[t]), types[t]);
        check_aligned(kith_resource_mut_or_null(f.world, types[t]), types[t]);
    }
    fixture_free(&f);
}

/* Where memory runs out, KITH_GET_MUT is NULL, and kith_error tells why. */
TEST_EACH_LAYOUT(a_value_that_cannot_be_made_writable, layout)
{
    fixture f = fixture_new();
    register_all(f.world, layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    test_share *shared = test_share_world(f.world);
    fail_allocation(&f, 1);
    CHECK_PTR_NULL(KITH_GET_MUT(f.world, e, Position));
    CHECK_STR(kith_error(f.world), "kith_get_mut: no memory to make values of Position writable");
    CHECK(fail_nothing(&f));
    CHECK_PTR_NOT_NULL(KITH_GET_MUT(f.world, e, Position));
    test_share_check(shared);
    test_share_free(shared);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}
