/* Batches: runs of entities that match, whose values in the driving storage stand in a row. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

/* ---- Columns --------------------------------------------------------------------------------- */

/* A column is what the look-ups say, value for value, and no batch is empty or longer than 1,024. */
TEST_EACH_LAYOUT(columns_are_the_values, layout)
{
    enum { COUNT = 5000 };
    fixture f = fixture_with_all(layout);
    for (uint32_t i = 0; i < COUNT; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 1}));
    }
    kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Position));
    uint32_t seen = 0;
    uint32_t batches = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK(it.count >= 1 && it.count <= 1024);
        const Position *column = KITH_COLUMN(&it, Position);
        Position *column_mut = KITH_COLUMN_MUT(&it, Position);
        CHECK(column == column_mut);
        for (uint32_t i = 0; i < it.count; i++) {
            kith_entity e = kith_entities(&it)[i];
            CHECK(&column[i] == KITH_AT(&it, i, Position));
            CHECK(&column[i] == KITH_AT_MUT(&it, i, Position));
            CHECK(&column[i] == KITH_GET(f.world, e, Position));
            CHECK_FLOAT(column[i].x, (float)(e.index1 - 1));
            column_mut[i].y = column[i].x + 1;
        }
        seen += it.count;
        batches++;
    }
    CHECK_UINT(seen, COUNT);
    CHECK_UINT(batches, 5); /* 1,024 values of 8 bytes are a block on every layout */
    for (uint32_t i = 0; i < COUNT; i++) {
        const kith_entity e = {i + 1, 0};
        CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, (float)(i + 1));
    }
    fixture_free(&f);
}

/* Where the columns' blocks are of different lengths, a batch is within one block of each. */
TEST(batches_end_where_a_column_s_block_ends)
{
    enum { COUNT = 3000 };
    fixture f = fixture_with_all(KITH_TABLE);
    /* 1,024 Bytes, 256 Aligneds and 1 Big a block. */
    for (uint32_t i = 0; i < COUNT; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Byte, {(uint8_t)i}), KITH_VALUE(Aligned, {.words = {i}}));
    }
    kith_query *both = KITH_QUERY(f.world, KITH_READ(Byte), KITH_READ(Aligned));
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(both); kith_next(&it);) {
        CHECK(it.count <= 256);
        const Byte *bytes = KITH_COLUMN(&it, Byte);
        const Aligned *aligned = KITH_COLUMN(&it, Aligned);
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_UINT(bytes[i].value, (uint8_t)seen);
            CHECK_UINT(aligned[i].words[0], seen);
            seen++;
        }
    }
    CHECK_UINT(seen, COUNT);

    for (uint32_t i = 0; i < 20; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Big, {{i}}), KITH_VALUE(Byte, {(uint8_t)i}));
    }
    kith_query *big = KITH_QUERY(f.world, KITH_READ(Byte), KITH_READ(Big));
    seen = 0;
    for (kith_iter it = kith_query_iter(big); kith_next(&it);) {
        CHECK_UINT(it.count, 1);
        CHECK_UINT(KITH_COLUMN(&it, Byte)[0].value, seen);
        CHECK_UINT(KITH_COLUMN(&it, Big)[0].words[0], seen);
        seen++;
    }
    CHECK_UINT(seen, 20);
    fixture_free(&f);
}

/* An optional term of the driving storage: a column where it is there, NULL where it is not. */
TEST(columns_of_optional_terms)
{
    fixture f = fixture_with_all(KITH_TABLE);
    for (int i = 0; i < 10; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 1}));
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 1}), KITH_VALUE(Velocity, {2, 2}));
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 1}), KITH_VALUE(Health, {3, 3}));
    }
    kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Position), KITH_OPTIONAL_MUT(Velocity),
                                   KITH_OPTIONAL(Health));
    uint32_t with_velocity = 0;
    uint32_t with_health = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Velocity *velocity = KITH_COLUMN_MUT(&it, Velocity);
        const Health *health = KITH_COLUMN(&it, Health);
        CHECK(velocity == KITH_AT_MUT(&it, 0, Velocity));
        CHECK(health == KITH_AT(&it, 0, Health));
        with_velocity += velocity != NULL ? it.count : 0;
        with_health += health != NULL ? it.count : 0;
        for (uint32_t i = 0; velocity != NULL && i < it.count; i++) {
            CHECK_FLOAT(velocity[i].dx, 2);
        }
    }
    CHECK_UINT(with_velocity, 10);
    CHECK_UINT(with_health, 10);
    fixture_free(&f);
}

/* ---- Arrays on every layout, and rows -------------------------------------------------------- */

/* Entities of which some lack Velocity, Health or Frozen; Velocity came in another order. */
#define MIXED 300
static void spawn_mixed(fixture *f, uint64_t seed)
{
    kith_entity e[MIXED];
    uint64_t random = seed;
    for (uint32_t i = 0; i < MIXED; i++) {
        e[i] = KITH_SPAWN(f->world, KITH_VALUE(Position, {(float)i, 0}));
        if (random_below(&random, 3) != 0) {
            CHECK_RESULT(KITH_SET(f->world, e[i], Health, {(int32_t)i, 9}), KITH_OK);
        }
        if (random_below(&random, 8) == 0) {
            CHECK_RESULT(KITH_ADD(f->world, e[i], Frozen), KITH_OK);
        }
    }
    for (uint32_t n = 0; n < MIXED; n++) {
        uint32_t i = n < MIXED / 2 ? n : MIXED + MIXED / 2 - 1 - n; /* half of them backwards */
        if (random_below(&random, 4) != 0) {
            CHECK_RESULT(KITH_SET(f->world, e[i], Velocity, {(float)i, 1}), KITH_OK);
        }
    }
}

/* One batch of arrays: each value is the entity's own, or none of the batch has it. */
static void check_arrays(const fixture *f, const kith_iter *it, float *sum)
{
    const Position *position = KITH_COLUMN(it, Position);
    const Velocity *velocity = KITH_COLUMN(it, Velocity);
    const Health *health = KITH_COLUMN(it, Health);
    for (uint32_t i = 0; i < it->count; i++) {
        kith_entity e = kith_entities(it)[i];
        CHECK(&position[i] == KITH_GET(f->world, e, Position));
        CHECK((velocity == NULL ? NULL : &velocity[i]) == KITH_GET(f->world, e, Velocity));
        CHECK((health == NULL ? NULL : &health[i]) == KITH_GET(f->world, e, Health));
        CHECK(KITH_AT(it, i, Health) == KITH_GET(f->world, e, Health));
        *sum += position[i].x;
    }
}

/* The same by rows, one by one and by their addresses. */
static void check_rows(fixture *f, const kith_iter *it, float *sum)
{
    const Position *const *position = KITH_POINTERS(it, Position);
    Velocity *const *velocity = KITH_POINTERS_MUT(it, Velocity);
    const Health *const *health = KITH_POINTERS(it, Health);
    CHECK(position == KITH_POINTERS(it, Position));
    for (uint32_t i = 0; i < it->count; i++) {
        kith_entity e = kith_entities(it)[i];
        CHECK(position[i] == KITH_GET(f->world, e, Position) && position[i] != NULL);
        CHECK(velocity[i] == KITH_GET(f->world, e, Velocity));
        CHECK(velocity[i] == KITH_AT_MUT(it, i, Velocity));
        CHECK(health[i] == KITH_GET(f->world, e, Health));
        *sum += position[i]->x;
    }
    CHECK_PTR_NULL(KITH_COLUMN(it, Position));
    expect_misuse(f, "kith_next_rows gives rows");
}

/* Whatever layouts the components have, whatever drives: arrays and rows give the same entities, in the
 * same order, with their own values. */
TEST(arrays_and_rows_on_every_layout)
{
    for (uint32_t layouts = 0; layouts < 27; layouts++) {
        fixture f = fixture_new();
        const kith_component_def defs[] = {{.layout = KITH_TABLE + layouts % 3},
                                           {.layout = KITH_TABLE + layouts / 3 % 3},
                                           {.layout = KITH_TABLE + layouts / 9}};
        CHECK_RESULT(kith_register(f.world, &Position_type, &defs[0]), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Velocity_type, &defs[1]), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Health_type, &defs[2]), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Frozen_type, &defs[layouts % 3]), KITH_OK);
        spawn_mixed(&f, layouts);
        const kith_term sets[][5] = {
            {KITH_READ(Position), KITH_WRITE(Velocity), KITH_OPTIONAL(Health)},
            {KITH_READ(Position), KITH_OPTIONAL_MUT(Velocity), KITH_OPTIONAL(Health)},
            {KITH_READ(Position), KITH_OPTIONAL_MUT(Velocity), KITH_READ(Health),
             KITH_WITHOUT(Frozen)},
        };
        for (uint32_t i = 0; i < 3; i++) {
            const kith_query_def def = {.terms = sets[i]};
            kith_query *query = kith_query_new_or_null(f.world, &def);
            kith_entity order[MIXED];
            uint32_t count = 0;
            float sums[2] = {0, 0};
            for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
                check_arrays(&f, &it, &sums[0]);
                memcpy(order + count, kith_entities(&it), it.count * sizeof *order);
                count += it.count;
            }
            uint32_t rows = 0;
            for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
                check_rows(&f, &it, &sums[1]);
                CHECK(rows + it.count <= count);
                CHECK(memcmp(order + rows, kith_entities(&it), it.count * sizeof *order) == 0);
                rows += it.count;
            }
            CHECK_UINT(rows, count);
            CHECK_UINT(count, kith_query_count(query));
            CHECK_FLOAT(sums[0], sums[1]);
        }
        fixture_free(&f);
    }
}

/* At least one of two: a batch of arrays has each of them throughout, or not at all. */
TEST(arrays_of_one_of_several)
{
    static const kith_layout layouts[] = {KITH_TABLE, KITH_SPARSE, KITH_SLOT};
    for (int l = 0; l < 3; l++) {
        fixture f = fixture_new();
        const kith_component_def def = {.layout = layouts[l]};
        CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Velocity_type, &def), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Health_type, &def), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Frozen_type, &def), KITH_OK);
        spawn_mixed(&f, 5);
        kith_query *query = KITH_QUERY(f.world, KITH_READ(Position), KITH_ANY_OF(Velocity, 0),
                                       KITH_ANY_OF(Health, 0));
        uint32_t count = 0;
        float sum = 0;
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            CHECK(KITH_COLUMN(&it, Velocity) != NULL || KITH_COLUMN(&it, Health) != NULL);
            check_arrays(&f, &it, &sum);
            count += it.count;
        }
        CHECK_UINT(count, kith_query_count(query));
        CHECK(count > MIXED / 2 && count < MIXED);
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

/* Two arrays in opposite orders: each batch has one entity, and no run is searched twice. */
TEST(arrays_mark_the_blocks_that_they_hand_out)
{
    fixture f = fixture_new();
    const kith_component_def sparse = {.layout = KITH_SPARSE};
    CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Health_type, &sparse), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Frozen_type, NULL), KITH_OK);
    kith_entity e[3000];
    for (uint32_t i = 0; i < 3000; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
    }
    for (uint32_t i = 3000; i-- > 0;) {
        CHECK_RESULT(KITH_SET(f.world, e[i], Health, {1, 2}), KITH_OK);
    }
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_RESULT(KITH_ADD(f.world, e[i], Frozen), KITH_OK);
    }
    kith_query *changed = KITH_QUERY(f.world, KITH_CHANGED(Health));
    kith_query *query = KITH_QUERY(f.world, KITH_WITH(Frozen), KITH_WRITE(Health));
    kith_query_skip_changes(changed);
    uint32_t batches = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        KITH_COLUMN_MUT(&it, Health)->current = 5;
        CHECK_UINT(it.count, 1);
        batches++;
    }
    CHECK_UINT(batches, 10);
    CHECK_UINT(kith_query_count(changed), 3000 - 2048); /* the last block: theirs */
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* One iteration is of arrays or of rows. */
TEST(arrays_and_rows_are_not_mixed)
{
    for (int rows = 0; rows < 2; rows++) {
        fixture f = fixture_new();
        CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
        KITH_SPAWN(f.world, KITH_VALUE(Position));
        kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
        kith_iter it = kith_query_iter(query);
        CHECK(rows ? kith_next_rows(&it) : kith_next(&it));
        if (!rows) {
            CHECK_PTR_NULL(KITH_POINTERS(&it, Position));
            expect_misuse(&f, "kith_next gives arrays");
        }
        CHECK(!(rows ? kith_next(&it) : kith_next_rows(&it)));
        expect_misuse(&f, rows ? "was begun with kith_next_rows" : "was begun with kith_next;");
        CHECK_RESULT(it.result, KITH_ERR_MISUSE);
        CHECK_UINT(kith_queries_close(f.world), 0); /* it is closed */
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

/* Rows need room for the addresses. */
TEST(rows_without_memory)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_query_count(query);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
    }
    fail_allocation(&f, 1);
    kith_iter it = kith_query_iter(query);
    CHECK(!kith_next_rows(&it));
    CHECK_RESULT(it.result, KITH_ERR_MEMORY);
    CHECK(fail_nothing(&f));
    it = kith_query_iter(query);
    CHECK(kith_next_rows(&it));
    CHECK_PTR_NOT_NULL(KITH_POINTERS(&it, Position)[0]);
    CHECK(!kith_next_rows(&it));
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* A filter on another storage leaves the driver's columns what they are. */
TEST(a_filter_on_slots_splits_the_runs)
{
    enum { COUNT = 300 };
    static const kith_layout others[] = {KITH_SPARSE, KITH_SLOT};
    for (int o = 0; o < 2; o++) {
        fixture f = fixture_new();
        const kith_component_def def = {.layout = others[o]};
        CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Frozen_type, &def), KITH_OK);
        for (uint32_t i = 0; i < COUNT; i++) {
            kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
            if (i % 10 == 4 || i % 10 == 5) {
                CHECK_RESULT(KITH_ADD(f.world, e, Frozen), KITH_OK);
            }
        }
        kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Position), KITH_WITHOUT(Frozen));
        uint32_t seen = 0;
        uint32_t batches = 0;
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            Position *position = KITH_COLUMN_MUT(&it, Position);
            CHECK_PTR_NOT_NULL(position);
            CHECK(it.count <= 8);
            for (uint32_t i = 0; i < it.count; i++) {
                CHECK(!KITH_HAS(f.world, kith_entities(&it)[i], Frozen));
                CHECK_UINT(kith_entities(&it)[i].index1, (uint32_t)position[i].x + 1);
                position[i].y = 1;
                seen++;
            }
            batches++;
        }
        CHECK_UINT(seen, COUNT * 8 / 10);
        CHECK_UINT(kith_query_count(query), seen);
        CHECK_UINT(batches, COUNT / 10 + 1); /* 0-3, 6-13, 16-23, ..., 296-299 */
        for (uint32_t i = 0; i < COUNT; i++) {
            const kith_entity e = {i + 1, 0};
            CHECK((KITH_GET(f.world, e, Position)->y == 1) == !KITH_HAS(f.world, e, Frozen));
        }
        fixture_free(&f);
    }
}

/* Holes of every shape in a slot array: the runs between them, and nothing else. */
TEST(slots_with_holes)
{
    enum { COUNT = 2100 };
    static const uint32_t gaps[] = {1, 2, 3, 7, 63, 64, 65, 127, 128, 1000, 1024, 2050};
    for (size_t g = 0; test_row(g, ROWS_OF(gaps)); g++) {
        for (int inverted = 0; inverted < 2; inverted++) {
            fixture f = fixture_with_all(KITH_SLOT);
            uint32_t expected = 0;
            for (uint32_t i = 0; i < COUNT; i++) {
                kith_entity e = kith_spawn_empty(f.world);
                if ((i % gaps[g] == 0) == (inverted == 0)) {
                    CHECK_RESULT(KITH_SET(f.world, e, Position, {(float)i, 0}), KITH_OK);
                    expected++;
                }
            }
            kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
            uint32_t seen = 0;
            uint32_t last = 0;
            for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
                const Position *position = KITH_COLUMN(&it, Position);
                for (uint32_t i = 0; i < it.count; i++) {
                    uint32_t slot = kith_entities(&it)[i].index1 - 1;
                    CHECK(seen == 0 || slot > last);
                    CHECK_FLOAT(position[i].x, (float)slot);
                    last = slot;
                    seen++;
                }
            }
            CHECK_UINT(seen, expected);
            CHECK_UINT(kith_query_count(query), expected);
            fixture_free(&f);
        }
    }
}

/* Handles of a batch are whole handles, on slots whose entities have lived before. */
TEST_EACH_LAYOUT(handles_of_a_batch_have_generations, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e[50];
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 50; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position));
        }
        if (round < 3) {
            CHECK_RESULT(kith_despawn_many(f.world, e, 50, NULL), KITH_OK);
        }
    }
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_UINT(kith_entities(&it)[i].generation, 3);
            CHECK(kith_alive(f.world, kith_entities(&it)[i]));
            seen++;
        }
    }
    CHECK_UINT(seen, 50);
    fixture_free(&f);
}

/* Also where no value is asked for, and so no column keeps a batch within one of its blocks. */
TEST_EACH_LAYOUT(handles_of_a_batch_stand_in_one_block, layout)
{
    enum { ROWS = 3000 };
    static kith_entity e[ROWS];
    for (int filter = 0; filter < LAYOUT_COUNT; filter++) {
        fixture f = fixture_new();
        const kith_component_def position = {.layout = layout};
        const kith_component_def velocity = {.layout = (kith_layout)filter};
        CHECK_RESULT(kith_register(f.world, &Position_type, &position), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Velocity_type, &velocity), KITH_OK);
        const kith_values values = {&Position_type, NULL, true};
        CHECK_RESULT(kith_spawn_many(f.world, ROWS, &values, 1, e), KITH_OK);
        CHECK_RESULT(KITH_ADD(f.world, e[ROWS - 1], Velocity), KITH_OK);
        kith_query *queries[] = {KITH_QUERY(f.world, KITH_WITH(Position)),
                                 KITH_QUERY(f.world, KITH_WITH(Position), KITH_WITHOUT(Velocity))};
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t seen = 0;
            for (kith_iter it = kith_query_iter(queries[k]); kith_next(&it);) {
                CHECK(it.count <= 1024);
                for (uint32_t i = 0; i < it.count; i++) {
                    CHECK_SAME(kith_entities(&it)[i], e[seen++]);
                }
            }
            CHECK_UINT(seen, ROWS - k);
        }
        fixture_free(&f);
    }
}

/* ---- Nothing to visit ------------------------------------------------------------------------ */

TEST_EACH_LAYOUT(an_empty_query_has_no_batch, layout)
{
    fixture f = fixture_with_all(layout);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_query *all = kith_query_new_or_null(f.world, &(const kith_query_def){0});
    for (int round = 0; round < 2; round++) {
        kith_iter it = kith_query_iter(query);
        CHECK(!kith_next(&it));
        CHECK_RESULT(it.result, KITH_OK);
        CHECK(!kith_next(&it));
        kith_iter_close(&it);
        it = kith_query_iter(all);
        CHECK(!kith_next(&it));
        CHECK_UINT(kith_query_count(query), 0);
        CHECK(kith_is_none(kith_query_first(query)));
        CHECK_RESULT(kith_query_single(query, &(kith_entity){0, 0}), KITH_ERR_ABSENT);

        /* Closed: the structure may change. */
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position));
        CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    }
    fixture_free(&f);
}

/* Outside of a system, there is no dt and no user. */
TEST(an_iteration_of_one_s_own)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_iter it = kith_query_iter(query);
    CHECK_FLOAT(it.dt, 0);
    CHECK_PTR_NULL(it.user);
    CHECK_RESULT(it.result, KITH_OK);
    kith_iter_close(&it);
    fixture_free(&f);
}
