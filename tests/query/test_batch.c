/* Batches: runs of entities that match, whose values in the driving storage stand in a row. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

/* ---- Columns --------------------------------------------------------------------------------- */

/* A column is what the look-ups say, value for value, and no batch is empty or longer than 1,024. */
TEST_EACH_LAYOUT(columns_are_the_values, layout)
{
    enum { COUNT = 5000 };
    fixture f = fixture_new();
    register_all(f.world, layout);
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
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Where the columns' blocks are of different lengths, a batch is within one block of each. */
TEST(batches_end_where_a_column_s_block_ends)
{
    enum { COUNT = 3000 };
    fixture f = fixture_new();
    register_all(f.world, KITH_TABLE);
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
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* An optional term of the driving storage: a column where it is there, NULL where it is not. */
TEST(columns_of_optional_terms)
{
    fixture f = fixture_new();
    register_all(f.world, KITH_TABLE);
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
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- Where a column is misuse ---------------------------------------------------------------- */

/* In every batch, also in one where it happened to work, so that no test can miss it. */
TEST(columns_only_of_the_driving_storage)
{
    static const kith_layout others[] = {KITH_SPARSE, KITH_SLOT};
    for (int o = 0; o < 2; o++) {
        fixture f = fixture_new();
        const kith_component_def def = {.layout = others[o]};
        CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Velocity_type, &def), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Health_type, &def), KITH_OK);
        KITH_SPAWN(f.world, KITH_ZERO(Position), KITH_ZERO(Velocity), KITH_ZERO(Health));

        /* Two storages that could drive: neither is sure to. */
        kith_query *open = KITH_QUERY(f.world, KITH_WRITE(Position), KITH_WRITE(Velocity));
        for (kith_iter it = kith_query_iter(open); kith_next(&it);) {
            CHECK_PTR_NULL(KITH_COLUMN(&it, Position));
            expect_misuse(&f, "Position");
            CHECK_PTR_NULL(KITH_COLUMN_MUT(&it, Velocity));
            expect_misuse(&f, "KITH_AT");
            CHECK_PTR_NOT_NULL(KITH_AT(&it, 0, Position));
            CHECK_PTR_NOT_NULL(KITH_AT_MUT(&it, 0, Velocity));
        }

        /* Pinned, each in turn. */
        const kith_term terms[] = {KITH_WRITE(Position), KITH_WRITE(Velocity)};
        for (uint32_t driver = 0; driver < 2; driver++) {
            kith_query *pinned = kith_query_new_or_null(
                f.world, &(const kith_query_def){
                             .terms = terms, .term_count = 2, .driver = terms[driver].type});
            for (kith_iter it = kith_query_iter(pinned); kith_next(&it);) {
                CHECK_PTR_NOT_NULL(kith_column(&it, terms[driver].type));
                CHECK_PTR_NOT_NULL(kith_column_mut(&it, terms[driver].type));
                CHECK_PTR_NULL(kith_column(&it, terms[1 - driver].type));
                expect_misuse(&f, "kith_column");
            }
        }

        /* An optional term of another storage never is; the one required term is. */
        kith_query *optional = KITH_QUERY(f.world, KITH_READ(Velocity), KITH_OPTIONAL(Health),
                                          KITH_OPTIONAL(Position));
        for (kith_iter it = kith_query_iter(optional); kith_next(&it);) {
            CHECK_PTR_NOT_NULL(KITH_COLUMN(&it, Velocity));
            CHECK_PTR_NULL(KITH_COLUMN(&it, Health));
            expect_misuse(&f, "Health");
            CHECK_PTR_NULL(KITH_COLUMN(&it, Position));
            expect_misuse(&f, "Position");
            CHECK_PTR_NOT_NULL(KITH_AT(&it, 0, Health));
            CHECK_PTR_NOT_NULL(KITH_AT(&it, 0, Position));
        }
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
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
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

/* Holes of every shape in a slot array: the runs between them, and nothing else. */
TEST(slots_with_holes)
{
    enum { COUNT = 2100 };
    static const uint32_t gaps[] = {1, 2, 3, 7, 63, 64, 65, 127, 128, 1000, 1024, 2050};
    for (size_t g = 0; g < sizeof(gaps) / sizeof(gaps[0]); g++) {
        for (int inverted = 0; inverted < 2; inverted++) {
            fixture f = fixture_new();
            register_all(f.world, KITH_SLOT);
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
            CHECK_WORLD(f.world);
            fixture_free(&f);
        }
    }
}

/* Handles of a batch are whole handles, on slots whose entities have lived before. */
TEST_EACH_LAYOUT(handles_of_a_batch_have_generations, layout)
{
    fixture f = fixture_new();
    register_all(f.world, layout);
    kith_entity e[50];
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 50; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_ZERO(Position));
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
        const kith_values values = {&Position_type, NULL, false};
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
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

/* ---- Nothing to visit ------------------------------------------------------------------------ */

TEST_EACH_LAYOUT(an_empty_query_has_no_batch, layout)
{
    fixture f = fixture_new();
    register_all(f.world, layout);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_query *all = kith_query_new_or_null(f.world, &(const kith_query_def){0});
    for (int round = 0; round < 2; round++) {
        kith_iter it = kith_query_iter(query);
        CHECK(!kith_next(&it));
        CHECK_RESULT(it.result, KITH_OK);
        CHECK(!kith_next(&it));
        kith_iter_end(&it);
        it = kith_query_iter(all);
        CHECK(!kith_next(&it));
        CHECK_UINT(kith_query_count(query), 0);
        CHECK(kith_is_none(kith_query_first(query)));
        CHECK_RESULT(kith_query_single(query, &(kith_entity){0, 0}), KITH_ERR_ABSENT);

        /* Closed: the structure may change. */
        kith_entity e = KITH_SPAWN(f.world, KITH_ZERO(Position));
        CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Outside of a system, there is no dt and no user. */
TEST(an_iteration_of_one_s_own)
{
    fixture f = fixture_new();
    register_all(f.world, KITH_TABLE);
    KITH_SPAWN(f.world, KITH_ZERO(Position));
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_iter it = kith_query_iter(query);
    CHECK_FLOAT(it.dt, 0);
    CHECK_PTR_NULL(it.user);
    CHECK_RESULT(it.result, KITH_OK);
    kith_iter_end(&it);
    fixture_free(&f);
}
