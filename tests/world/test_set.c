/* Values are set: one, several, from bytes, as zeros; and taken away again. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "share.h"
#include "test.h"

/* ---- Set ------------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(set_adds_and_overwrites, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
    CHECK(KITH_HAS(f.world, e, Position));
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 1);
    CHECK_WORLD(f.world);

    const Position *before = KITH_GET(f.world, e, Position);
    const size_t allocations = f.memory->allocations;
    CHECK_RESULT(KITH_SET(f.world, e, Position, {3, 4}), KITH_OK);
    CHECK(KITH_GET(f.world, e, Position) == before);
    CHECK_UINT(f.memory->allocations, allocations);
    CHECK_FLOAT(before->y, 4);

    CHECK_RESULT(kith_set(f.world, e, &Position_type, NULL), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 0);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 0);
    CHECK_RESULT(kith_set(f.world, e, &Extra_type, NULL), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Extra)->b, 0);
    fixture_free(&f);
}

/* What was there before a move is there after it. */
TEST_EACH_LAYOUT(set_keeps_the_others, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity neighbours[2];
    for (int i = 0; i < 2; i++) {
        neighbours[i] = KITH_SPAWN(f.world, KITH_VALUE(Byte, {(uint8_t)(50 + i)}));
    }
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Byte, {7}));
    CHECK_RESULT(KITH_SET(f.world, e, Name, {"in between"}), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_RESULT(KITH_ADD(f.world, e, Burning), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_RESULT(KITH_SET(f.world, e, Padded, {1, 2, 3}), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_UINT(KITH_GET(f.world, e, Byte)->value, 7);
    CHECK_STR(KITH_GET(f.world, e, Name)->text, "in between");
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    CHECK(KITH_HAS(f.world, e, Burning));
    CHECK_UINT(KITH_GET(f.world, e, Padded)->large, 2);
    for (int i = 0; i < 2; i++) {
        CHECK_UINT(KITH_GET(f.world, neighbours[i], Byte)->value, 50 + i);
    }

    CHECK_RESULT(KITH_REMOVE(f.world, e, Name), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_UINT(KITH_GET(f.world, e, Byte)->value, 7);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    CHECK_UINT(KITH_GET(f.world, e, Padded)->large, 2);
    CHECK_PTR_NULL(KITH_GET(f.world, e, Name));
    fixture_free(&f);
}

/* Each of the types alone, so that each size goes through every path. */
TEST_EACH_LAYOUT(set_each_type, layout)
{
    static unsigned char value[sizeof(Big)];
    memset(value, 0x5A, sizeof(value));
    fixture f = fixture_with_all(layout);
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        const kith_type *type = component_types[i];
        kith_entity e[3];
        for (int k = 0; k < 3; k++) {
            e[k] = KITH_SPAWN(f.world, KITH_VALUE(Byte, {1}), KITH_VALUE(Frozen));
            CHECK_RESULT(kith_set(f.world, e[k], type, type->size > 0 ? value : NULL), KITH_OK);
            CHECK_WORLD(f.world);
        }
        CHECK_RESULT(kith_despawn(f.world, e[0]), KITH_OK);
        CHECK_WORLD(f.world);
        for (int k = 1; k < 3; k++) {
            CHECK(kith_has(f.world, e[k], type));
            const void *seen = kith_get(f.world, e[k], type);
            if (type->size > 0) {
                CHECK(memcmp(seen, value, type->size) == 0);
            } else {
                CHECK_PTR_NULL(seen);
            }
            CHECK_RESULT(kith_remove(f.world, e[k], type), KITH_OK);
            CHECK(!kith_has(f.world, e[k], type));
            CHECK_WORLD(f.world);
        }
    }
    fixture_free(&f);
}

/* ---- Set several ----------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(set_several_adds_and_overwrites, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte, {7}));
    CHECK_RESULT(KITH_SET_VALUES(f.world, e, KITH_VALUE(Velocity, {3, 4}),
                                 KITH_VALUE(Position, {5, 6}), KITH_VALUE(Frozen),
                                 KITH_VALUE(Extra)),
                 KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 6);
    CHECK_FLOAT(KITH_GET(f.world, e, Velocity)->dy, 4);
    CHECK_FLOAT(KITH_GET(f.world, e, Extra)->a, 0);
    CHECK(KITH_HAS(f.world, e, Frozen));
    CHECK_UINT(KITH_GET(f.world, e, Byte)->value, 7);

    /* Again, where all are there: nothing moves. */
    const Position *before = KITH_GET(f.world, e, Position);
    CHECK_RESULT(KITH_SET_VALUES(f.world, e, KITH_VALUE(Position, {7, 8}), KITH_VALUE(Byte, {9})),
                 KITH_OK);
    CHECK(KITH_GET(f.world, e, Position) == before);
    CHECK_FLOAT(before->y, 8);
    CHECK_UINT(KITH_GET(f.world, e, Byte)->value, 9);
    CHECK_RESULT(kith_set_values(f.world, e, NULL, 0), KITH_OK);
    fixture_free(&f);
}

/* One move: the tables in between are not made. */
/* One list for entities of several tables in turn: of some it overwrites values, to others it adds, and
 * tables go in between. */
TEST_EACH_LAYOUT(set_several_again_and_again, layout)
{
    fixture f = fixture_with_all(layout);
    for (uint32_t i = 0; i < 200; i++) {
        kith_entity e = kith_spawn_empty(f.world);
        uint32_t run = i / 3 % 5; /* three of a kind behind one another */
        if (run == 1 || run == 4) {
            CHECK_RESULT(KITH_SET(f.world, e, Name, {"of old"}), KITH_OK);
        }
        if (run == 2 || run == 4) {
            CHECK_RESULT(KITH_SET(f.world, e, Position, {-1, -1}), KITH_OK);
        }
        if (run == 3) {
            CHECK_RESULT(KITH_SET_VALUES(f.world, e, KITH_VALUE(Velocity), KITH_VALUE(Position),
                                         KITH_VALUE(Frozen)),
                         KITH_OK);
        }
        const kith_query_def def = {.terms = KITH_TERMS(KITH_READ(Byte))};
        kith_query *query = kith_query_new_or_null(f.world, &def);
        if (i % 7 == 0) { /* adding is misuse now, whatever was known */
            kith_iter it = kith_query_iter(query);
            CHECK_RESULT(KITH_SET_VALUES(f.world, e, KITH_VALUE(Position, {(float)i, 5}),
                                         KITH_VALUE(Velocity, {6, (float)i}), KITH_VALUE(Frozen)),
                         run == 3 ? KITH_OK : KITH_ERR_MISUSE);
            if (run != 3) {
                expect_misuse(&f, "kith_set_values");
            }
            kith_iter_close(&it);
        }
        kith_query_free(query);
        CHECK_RESULT(KITH_SET_VALUES(f.world, e, KITH_VALUE(Position, {(float)i, 5}),
                                     KITH_VALUE(Velocity, {6, (float)i}), KITH_VALUE(Frozen)),
                     KITH_OK);
        CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, (float)i);
        CHECK_FLOAT(KITH_GET(f.world, e, Velocity)->dy, (float)i);
        CHECK(KITH_HAS(f.world, e, Frozen));
        CHECK(KITH_HAS(f.world, e, Name) == (run == 1 || run == 4));
        CHECK_WORLD(f.world);
        if (i % 10 == 9) {
            CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
            kith_world_trim(f.world);
            CHECK_WORLD(f.world);
        }
    }
    fixture_free(&f);
}

TEST(set_several_is_one_move)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Byte, {7}));
    const uint32_t tables = kith_memory(f.world).tables;
    CHECK_RESULT(KITH_SET_VALUES(f.world, e, KITH_VALUE(Velocity), KITH_VALUE(Position),
                                 KITH_VALUE(Health), KITH_VALUE(Frozen)),
                 KITH_OK);
    CHECK_UINT(kith_memory(f.world).tables, tables + 1);
    fixture_free(&f);
}

/* As many as there are types: some new, some there, tags among them. */
TEST_EACH_LAYOUT(set_several_sets_all, layout)
{
    for (uint32_t there = 0; there <= COMPONENT_COUNT; there += 4) {
        fixture f = fixture_with_all(layout);
        static unsigned char value[sizeof(Big)];
        memset(value, 0x11, sizeof(value));
        kith_entity e = kith_spawn_empty(f.world);
        kith_value values[COMPONENT_COUNT];
        for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
            values[i] =
                (kith_value){component_types[COMPONENT_COUNT - 1 - i],
                             component_types[COMPONENT_COUNT - 1 - i]->size > 0 ? value : NULL};
            if (i < there) {
                CHECK_RESULT(kith_add(f.world, e, component_types[i * 7 % COMPONENT_COUNT]),
                             KITH_OK);
            }
        }
        CHECK_RESULT(kith_set_values(f.world, e, values, COMPONENT_COUNT), KITH_OK);
        CHECK_WORLD(f.world);
        for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
            CHECK(kith_has(f.world, e, component_types[i]));
            CHECK(component_types[i]->size == 0 || memcmp(kith_get(f.world, e, component_types[i]),
                                                          value, component_types[i]->size) == 0);
        }
        fixture_free(&f);
    }
}

/* A call that is refused has set none of them, whichever it was about. */
TEST_EACH_LAYOUT(set_several_all_or_nothing, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    const uint64_t before = kith_world_hash(f.world);
    CHECK_RESULT(KITH_SET_VALUES(f.world, e, KITH_VALUE(Position, {3, 4}), KITH_VALUE(Byte),
                                 KITH_VALUE(Position, {5, 6})),
                 KITH_ERR_CONFLICT);
    static const kith_type unknown = {.name = "Un known", .align = 1};
    CHECK_RESULT(KITH_SET_VALUES(f.world, e, KITH_VALUE(Position, {3, 4}), {&unknown, NULL}),
                 KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_set_values: 'Un known' is no name for a type");
    CHECK_UINT(kith_world_hash(f.world), before);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    CHECK(!KITH_HAS(f.world, e, Byte));
    fixture_free(&f);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(bytes_go_in_and_out, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Byte, {1}));
    /* From an address that fits no float. */
    unsigned char raw[1 + sizeof(Position)];
    const Position in = {1, 2};
    memcpy(raw + 1, &in, sizeof(in));
    CHECK_RESULT(kith_set_bytes(f.world, e, &Position_type, raw + 1, sizeof(in)), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    memset(raw, 0, sizeof(raw));
    CHECK_RESULT(kith_get_bytes(f.world, e, &Position_type, raw + 1, sizeof(in)), KITH_OK);
    CHECK(memcmp(raw + 1, &in, sizeof(in)) == 0);
    CHECK_UINT(raw[0], 0);
    CHECK_WORLD(f.world);

    CHECK_RESULT(kith_set_bytes(f.world, e, &Position_type, raw, 7), KITH_ERR_TYPE);
    CHECK_RESULT(kith_set_bytes(f.world, e, &Position_type, raw, 9), KITH_ERR_TYPE);
    CHECK_RESULT(kith_set_bytes(f.world, e, &Position_type, NULL, 0), KITH_ERR_TYPE);
    CHECK_RESULT(kith_get_bytes(f.world, e, &Position_type, raw, 9), KITH_ERR_TYPE);
    CHECK_RESULT(kith_get_bytes(f.world, e, &Position_type, raw, SIZE_MAX), KITH_ERR_TYPE);
    CHECK_RESULT(kith_get_bytes(f.world, e, &Velocity_type, raw, 8), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_get_bytes(f.world, KITH_NONE, &Position_type, raw, 8), KITH_ERR_DEAD);
    CHECK_RESULT(kith_set_bytes(f.world, KITH_NONE, &Position_type, raw, 8), KITH_ERR_DEAD);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);

    /* A tag has no bytes. */
    CHECK_RESULT(kith_set_bytes(f.world, e, &Frozen_type, NULL, 0), KITH_OK);
    CHECK(KITH_HAS(f.world, e, Frozen));
    CHECK_RESULT(kith_set_bytes(f.world, e, &Frozen_type, raw, 1), KITH_ERR_TYPE);
    fixture_free(&f);
}

/* ---- Add ------------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(add_leaves_what_is_there, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(KITH_ADD(f.world, e, Position), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    CHECK_RESULT(KITH_ADD(f.world, e, Health), KITH_OK);
    CHECK_INT(KITH_GET(f.world, e, Health)->current, 0);
    CHECK_RESULT(KITH_ADD(f.world, e, Frozen), KITH_OK);
    const uint64_t before = kith_world_hash(f.world);
    CHECK_RESULT(KITH_ADD(f.world, e, Frozen), KITH_OK);
    CHECK_RESULT(kith_set(f.world, e, &Frozen_type, NULL), KITH_OK);
    CHECK_UINT(kith_world_hash(f.world), before);
    fixture_free(&f);
}

/* What was removed does not come back with an add. */
TEST_EACH_LAYOUT(add_after_remove_is_zero, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Name, {"old"}));
    CHECK_RESULT(KITH_REMOVE(f.world, e, Name), KITH_OK);
    CHECK_RESULT(KITH_ADD(f.world, e, Name), KITH_OK);
    for (size_t i = 0; i < sizeof(Name); i++) {
        CHECK_UINT(KITH_GET(f.world, e, Name)->text[i], 0);
    }
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    e = kith_spawn_empty(f.world);
    CHECK_RESULT(KITH_ADD(f.world, e, Position), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 0);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 0);
    fixture_free(&f);
}

/* ---- Remove, clear --------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(remove_what_is_not_there, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    const uint64_t before = kith_world_hash(f.world);
    CHECK_RESULT(KITH_REMOVE(f.world, e, Velocity), KITH_ERR_ABSENT);
    CHECK_RESULT(KITH_REMOVE(f.world, e, Frozen), KITH_ERR_ABSENT);
    CHECK_RESULT(KITH_REMOVE(f.world, KITH_NONE, Position), KITH_ERR_DEAD);
    CHECK_UINT(kith_world_hash(f.world), before);
    CHECK_RESULT(KITH_REMOVE(f.world, e, Position), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, e, Position), KITH_ERR_ABSENT);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(clear_takes_all, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = kith_spawn_empty(f.world);
    kith_entity other = kith_spawn_empty(f.world);
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        CHECK_RESULT(kith_add(f.world, e, component_types[i]), KITH_OK);
        CHECK_RESULT(kith_add(f.world, other, component_types[i]), KITH_OK);
    }
    CHECK_RESULT(kith_remove_all(f.world, e), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK(kith_alive(f.world, e));
    CHECK_PTR_NULL(kith_component_next(f.world, e, NULL));
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        CHECK(!kith_has(f.world, e, component_types[i]));
        CHECK(kith_has(f.world, other, component_types[i]));
    }
    CHECK_RESULT(kith_remove_all(f.world, e), KITH_OK);
    CHECK_RESULT(kith_remove_all(f.world, KITH_NONE), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    fixture_free(&f);
}

/* On and off, with others around that keep theirs. */
TEST_EACH_LAYOUT(tags_come_and_go, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e[200];
    CHECK_RESULT(kith_spawn_many(f.world, 200, NULL, 0, e), KITH_OK);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 200; i++) {
            if (i % (round + 2) == 0) {
                CHECK_RESULT(KITH_ADD(f.world, e[i], Burning), KITH_OK);
            } else if (KITH_HAS(f.world, e[i], Burning)) {
                CHECK_RESULT(KITH_REMOVE(f.world, e[i], Burning), KITH_OK);
            }
        }
        CHECK_WORLD(f.world);
        for (int i = 0; i < 200; i++) {
            CHECK(KITH_HAS(f.world, e[i], Burning) == (i % (round + 2) == 0));
            CHECK_PTR_NULL(kith_get(f.world, e[i], &Burning_type));
        }
    }
    fixture_free(&f);
}

/* ---- Mixed ----------------------------------------------------------------------------------- */

/* The same calls lead to the same content, whatever the layouts. */
TEST(layouts_make_no_difference_to_the_content)
{
    uint64_t expected = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        fixture f = fixture_new();
        register_mixed(f.world, seed);
        kith_entity e[30];
        for (uint32_t i = 0; i < 30; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 1}), KITH_VALUE(Byte));
        }
        for (uint32_t i = 0; i < 30; i++) {
            const kith_type *type = component_types[i * 5 % COMPONENT_COUNT];
            CHECK_RESULT(kith_add(f.world, e[i], type), KITH_OK);
            CHECK_RESULT(KITH_SET(f.world, e[i * 7 % 30], Target, {e[i]}), KITH_OK);
            if (i % 4 == 0) {
                CHECK_RESULT(KITH_REMOVE(f.world, e[i], Byte), KITH_OK);
            }
            if (i % 11 == 0) {
                CHECK_RESULT(kith_despawn(f.world, e[(i + 3) % 30]), KITH_OK);
                e[(i + 3) % 30] = KITH_SPAWN(f.world, KITH_VALUE(Extra, {1, 2, (float)i}));
            }
            CHECK_WORLD(f.world);
        }
        if (seed == 0) {
            expected = kith_content_hash(f.world);
        }
        CHECK_UINT(kith_content_hash(f.world), expected);
        fixture_free(&f);
    }
}

/* What comes to an entity leaves what is shared as it was, and is seen, where all that it writes is
 * ready except for the page of its own slot. */
TEST_EACH_LAYOUT(what_comes_writes_to_no_shared_page, layout)
{
    enum { ENTITIES = 2000, NEAR = 2, FAR = 1502 }; /* in two pages of slots */
    fixture f = fixture_with_all(layout);
    static kith_entity e[ENTITIES];
    CHECK_RESULT(kith_spawn_many(f.world, ENTITIES, NULL, 0, e), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[NEAR - 1], Position, {1, 1}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[FAR - 1], Position, {2, 2}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[FAR + 1], Health, {3, 3}), KITH_OK);
    kith_query *query = KITH_QUERY(f.world, KITH_CHANGED(Position));
    kith_query_skip_changes(query);
    test_share *shared = test_share_world(f.world);
    CHECK_PTR_NOT_NULL(shared);
    CHECK_RESULT(KITH_SET(f.world, e[NEAR], Position, {4, 4}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[FAR + 2], Health, {5, 5}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[FAR], Position, {6, 6}), KITH_OK);
    test_share_check(shared);
    CHECK(kith_query_contains(query, e[NEAR]) && kith_query_contains(query, e[FAR]));
    CHECK_FLOAT(KITH_GET(f.world, e[FAR], Position)->x, 6);
    CHECK_WORLD(f.world);
    test_share_free(shared);
    fixture_free(&f);
}
