/* Rows: the same entities as arrays, and no more of the world written than what is handed out. */
#include <string.h>

#include "components.h"
#include "share.h"
#include "test.h"

enum { ROWS_COUNT = 3000 };

/* Entities with Position in tables and Health in a layout, in the opposite order; the first ten are
 * Frozen, in another layout. */
typedef struct crowd {
    fixture f;
    kith_entity e[ROWS_COUNT];
} crowd;

static crowd crowd_new(kith_layout health, kith_layout frozen)
{
    crowd c = {.f = fixture_new()};
    CHECK_RESULT(kith_register(c.f.world, &Position_type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(c.f.world, &Health_type, &(kith_component_def){.layout = health}),
                 KITH_OK);
    CHECK_RESULT(kith_register(c.f.world, &Frozen_type, &(kith_component_def){.layout = frozen}),
                 KITH_OK);
    for (uint32_t i = 0; i < ROWS_COUNT; i++) {
        c.e[i] = KITH_SPAWN(c.f.world, KITH_VALUE(Position, {(float)i, 0}));
    }
    for (uint32_t i = ROWS_COUNT; i-- > 0;) {
        CHECK_RESULT(KITH_SET(c.f.world, c.e[i], Health, {1, 2}), KITH_OK);
    }
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_RESULT(KITH_ADD(c.f.world, c.e[i], Frozen), KITH_OK);
    }
    return c;
}

/* Health of ten entities is written, on every layout and by every driver: their block has changed, and
 * no other. */
TEST_EACH_LAYOUT(rows_mark_the_blocks_that_they_hand_out, layout)
{
    for (int frozen = 0; frozen < 3; frozen++) {
        crowd c = crowd_new(layout, (kith_layout)frozen);
        kith_query *changed = KITH_QUERY(c.f.world, KITH_CHANGED(Health));
        kith_query *query = KITH_QUERY(c.f.world, KITH_WITH(Frozen), KITH_WRITE(Health));
        kith_query_skip_changes(changed);
        kith_iter it = kith_query_iter(query);
        CHECK(kith_next_rows(&it));
        CHECK_UINT(it.count, 10);
        for (uint32_t i = 0; i < it.count; i++) {
            KITH_AT_MUT(&it, i, Health)->current = 5;
        }
        CHECK(!kith_next_rows(&it));
        uint32_t count = kith_query_count(changed);
        CHECK(count >= 10 && count <= 1024);
        CHECK_WORLD(c.f.world);
        fixture_free(&c.f);
    }
}

/* What is read is not marked, and neither is an optional value that nobody has. */
TEST_EACH_LAYOUT(rows_that_read_mark_nothing, layout)
{
    crowd c = crowd_new(layout, KITH_SPARSE);
    kith_query *changed = KITH_QUERY(c.f.world, KITH_CHANGED(Health));
    kith_query *query = KITH_QUERY(c.f.world, KITH_WITH(Frozen), KITH_READ(Health),
                                   KITH_OPTIONAL_MUT(Velocity), KITH_WRITE(Position));
    kith_query_skip_changes(changed);
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        const Health *const *health = KITH_POINTERS(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_INT(health[i]->current, 1);
            CHECK_PTR_NULL(KITH_AT_MUT(&it, i, Velocity));
        }
    }
    CHECK_UINT(kith_query_count(changed), 0);
    fixture_free(&c.f);
}

/* A snapshot that is taken between two batches keeps what it has: the next batch copies the blocks that
 * it hands out. */
TEST_EACH_LAYOUT(a_snapshot_between_batches, layout)
{
    crowd c = crowd_new(layout, KITH_SPARSE);
    kith_query *query = KITH_QUERY(c.f.world, KITH_WRITE(Health), KITH_READ(Position));
    test_share *shared = NULL;
    uint32_t batches = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it); batches++) {
        Health *const *health = KITH_POINTERS_MUT(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK(health[i] == KITH_GET(c.f.world, kith_entities(&it)[i], Health));
            CHECK_INT(health[i]->current, 1);
            health[i]->current = 7;
        }
        if (shared != NULL) {
            test_share_free(shared); /* which checks it */
        }
        shared = test_share_world(c.f.world);
        CHECK_PTR_NOT_NULL(shared);
    }
    CHECK(batches >= 3);
    test_share_free(shared);
    CHECK_WORLD(c.f.world);
    fixture_free(&c.f);
}

/* Shared blocks are copied when a batch is handed out; without memory for that the iteration ends. */
TEST_EACH_LAYOUT(rows_without_memory_to_write, layout)
{
    crowd c = crowd_new(layout, KITH_SPARSE);
    kith_query *query = KITH_QUERY(c.f.world, KITH_WITH(Frozen), KITH_WRITE(Health));
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
    }
    test_share *shared = test_share_world(c.f.world);
    fail_allocation(&c.f, 1);
    kith_iter it = kith_query_iter(query);
    CHECK(!kith_next_rows(&it));
    CHECK_RESULT(it.result, KITH_ERR_MEMORY);
    CHECK(fail_nothing(&c.f));
    CHECK_UINT(kith_queries_close(c.f.world), 0);
    it = kith_query_iter(query);
    CHECK(kith_next_rows(&it));
    KITH_AT_MUT(&it, 0, Health)->current = 9;
    kith_iter_close(&it);
    test_share_free(shared);
    CHECK_WORLD(c.f.world);
    fixture_free(&c.f);
}

/* Batches are full wherever the entities that match are. */
TEST(rows_fill_their_batches)
{
    static const kith_layout layouts[] = {KITH_TABLE, KITH_SPARSE, KITH_SLOT};
    for (int l = 0; l < 3; l++) {
        fixture f = fixture_new();
        const kith_component_def def = {.layout = layouts[l]};
        const kith_component_def slot = {.layout = KITH_SLOT};
        CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Frozen_type, &slot), KITH_OK);
        for (uint32_t i = 0; i < 20000; i++) {
            kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
            if (i % 20 != 3) {
                CHECK_RESULT(KITH_ADD(f.world, e, Frozen), KITH_OK);
            }
        }
        const kith_query_def def_query = {.terms =
                                              KITH_TERMS(KITH_READ(Position), KITH_WITHOUT(Frozen)),
                                          .driver = &Position_type};
        kith_query *query = kith_query_new_or_null(f.world, &def_query);
        uint32_t seen = 0;
        uint32_t batches = 0;
        for (kith_iter it = kith_query_iter(query); kith_next_rows(&it); batches++) {
            const Position *const *position = KITH_POINTERS(&it, Position);
            for (uint32_t i = 0; i < it.count; i++) {
                CHECK_FLOAT(position[i]->x, (float)(seen++ * 20 + 3));
            }
        }
        CHECK_UINT(seen, 1000);
        CHECK(batches <= 2);
        fixture_free(&f);
    }
}

/* 32 of them in a block. */
typedef struct Wide {
    uint32_t words[70];
} Wide;
KITH_TYPE(Wide, KITH_FIELD(Wide, words));

/* Blocks of large values have few rows: those that changed are found, by arrays, rows and counts. */
TEST_EACH_LAYOUT(rows_of_large_values_that_changed, layout)
{
    enum { COUNT = 200 };
    fixture f = fixture_new();
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Wide_type, &def), KITH_OK);
    kith_entity e[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Wide));
    }
    uint32_t rows = 1;
    while (rows * 2 * sizeof(Wide) <= 16384) {
        rows *= 2;
    }
    kith_query *query = KITH_QUERY(f.world, KITH_CHANGED(Wide));
    for (uint32_t k = 0; k < COUNT; k += 7) {
        kith_query_skip_changes(query);
        CHECK_PTR_NOT_NULL(KITH_GET_MUT(f.world, e[k], Wide));
        uint32_t first = k / rows * rows;
        uint32_t count = first + rows < COUNT ? rows : COUNT - first;
        CHECK_UINT(kith_query_count(query), count);
        kith_iter it = kith_query_iter(query);
        CHECK(kith_next_rows(&it));
        CHECK_UINT(it.count, count);
        CHECK_SAME(kith_entities(&it)[0], e[first]);
        CHECK(!kith_next_rows(&it));
        CHECK_UINT(kith_query_count(query), 0);
    }
    fixture_free(&f);
}

/* One entity as rows, with values of every layout. */
TEST_EACH_LAYOUT(rows_of_one_entity, layout)
{
    crowd c = crowd_new(layout, KITH_SLOT);
    kith_query *query = KITH_QUERY(c.f.world, KITH_READ(Position), KITH_WRITE(Health),
                                   KITH_OPTIONAL(Velocity), KITH_WITH(Frozen));
    kith_iter it = kith_query_iter_one(query, c.e[4]);
    CHECK(kith_next_rows(&it));
    CHECK_UINT(it.count, 1);
    CHECK_SAME(kith_entities(&it)[0], c.e[4]);
    CHECK_FLOAT(KITH_AT(&it, 0, Position)->x, 4);
    CHECK(KITH_POINTERS_MUT(&it, Health)[0] == KITH_GET(c.f.world, c.e[4], Health));
    CHECK_PTR_NULL(KITH_POINTERS(&it, Velocity)[0]);
    CHECK(!kith_next_rows(&it));
    it = kith_query_iter_one(query, c.e[10]);
    CHECK(!kith_next_rows(&it));
    fixture_free(&c.f);
}

/* Of the first table the last blocks did not change: its batch does not go on in the next one. */
TEST(a_batch_ends_with_its_table_also_where_the_rest_is_skipped)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_query *changed = KITH_QUERY(f.world, KITH_CHANGED(Health));
    static kith_entity first[3000];
    for (uint32_t i = 0; i < 3000; i++) {
        first[i] = KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 1}));
    }
    kith_entity second =
        KITH_SPAWN(f.world, KITH_VALUE(Health, {2, 2}), KITH_VALUE(Position, {0, 0}));
    kith_query_skip_changes(changed);
    CHECK_RESULT(KITH_SET(f.world, first[0], Health, {3, 3}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, second, Health, {4, 4}), KITH_OK);
    bool met = false;
    for (kith_iter it = kith_query_iter(changed); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            kith_entity entity = kith_entities(&it)[i];
            CHECK_INT(KITH_AT(&it, i, Health)->max, KITH_GET(f.world, entity, Health)->max);
            met = met || kith_entity_equal(entity, second);
        }
    }
    CHECK(met);
    fixture_free(&f);
}
