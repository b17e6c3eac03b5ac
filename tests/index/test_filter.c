/* Filters: what is skipped has nothing that a query asks for, whatever was done since it was asked
 * last. */
#include <kith/fork.h>
#include <kith/view.h>

#include "filtered.h"
#include "owned.h"
#include "random.h"

TEST_EACH_LAYOUT(each_way_of_changing_is_seen, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    CHECK_UINT(expect_number(&t, 7), 40);
    CHECK(is_planned(t.query));
    CHECK_RESULT(KITH_SET(t.world, t.entities[3000], Crate, {.number = 7}), KITH_OK);
    CHECK_UINT(expect_number(&t, 7), 41);
    CHECK(is_planned(t.query));
    KITH_GET_MUT(t.world, t.entities[2000], Crate)->number = 7;
    CHECK_UINT(expect_number(&t, 7), 42);
    for (kith_iter it = kith_query_iter(KITH_QUERY(t.world, KITH_WRITE(Crate))); kith_next(&it);) {
        KITH_COLUMN_MUT(&it, Crate)[0].number = 7;
    }
    CHECK(expect_number(&t, 7) >= 43);
    kith_query *few = KITH_QUERY(t.world, KITH_WRITE(Crate), KITH_IF(Crate, number, ==, 60));
    for (kith_iter it = kith_query_iter(few); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            KITH_AT_MUT(&it, i, Crate)->number = 7;
        }
    }
    CHECK(expect_number(&t, 7) >= 82);
    CHECK_UINT(expect_number(&t, 60), 0);
    expect_all_numbers(&t);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(entities_that_come_go_and_move_are_seen, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    expect_all_numbers(&t);
    for (uint32_t i = 0; i < CRATES; i += 3) {
        CHECK_RESULT(KITH_ADD(t.world, t.entities[i], Burning), KITH_OK);
    }
    expect_all_numbers(&t);
    for (uint32_t i = 0; i < CRATES; i += 5) {
        CHECK_RESULT(KITH_REMOVE(t.world, t.entities[i], Crate), KITH_OK);
    }
    expect_all_numbers(&t);
    for (uint32_t i = 1; i < CRATES; i += 5) {
        CHECK_RESULT(kith_despawn(t.world, t.entities[i]), KITH_OK);
        t.entities[i] = KITH_SPAWN(t.world, KITH_VALUE(Position), KITH_VALUE(Crate, {.number = 9}));
    }
    expect_all_numbers(&t);
    for (uint32_t i = 0; i < 50; i++) {
        kith_entity clone;
        CHECK_RESULT(kith_clone(t.world, t.entities[1 + 5 * i], &clone), KITH_OK);
    }
    expect_all_numbers(&t);
    /* All but a few go, and with them tables, blocks and pages. */
    for (uint32_t i = 0; i < CRATES; i++) {
        if (i % 400 != 1) {
            CHECK_RESULT(kith_remove_all(t.world, t.entities[i]), KITH_OK);
        }
    }
    kith_world_trim(t.world);
    expect_all_numbers(&t);
    for (uint32_t i = 0; i < CRATES; i++) {
        CHECK_RESULT(KITH_SET(t.world, t.entities[i], Crate, {.number = (int32_t)(i % 100)}),
                     KITH_OK);
    }
    expect_all_numbers(&t);
    CHECK_UINT(kith_index_stats(t.index).entries, CRATES + 50);
    fixture_free(&t.f);
}

/* Blocks and pages at the end are given back before the filter has looked at them. */
TEST_EACH_LAYOUT(blocks_that_were_given_back_are_forgotten, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    expect_all_numbers(&t);
    for (uint32_t i = 300; i < CRATES; i++) {
        CHECK_RESULT(KITH_REMOVE(t.world, t.entities[i], Crate), KITH_OK);
    }
    kith_world_trim(t.world);
    CHECK_WORLD(t.world);
    for (uint32_t times = 0; times < 100; times++) {
        CHECK_UINT(kith_query_count(t.query), 0);
        CHECK_RESULT(kith_query_bind(t.query, "number", 7 + (times + 1) % 2), KITH_OK);
        CHECK_UINT(kith_query_count(t.query), times % 2 == 0 ? 0 : 20);
        CHECK_RESULT(kith_query_bind(t.query, "number", 90), KITH_OK);
    }
    CHECK_UINT(kith_index_stats(t.index).entries, 300);
    CHECK_WORLD(t.world);
    for (uint32_t i = 300; i < CRATES; i++) {
        CHECK_RESULT(KITH_SET(t.world, t.entities[i], Crate, {.number = 8}), KITH_OK);
    }
    expect_all_numbers(&t);
    fixture_free(&t.f);
}

/* Commands, and a sort, which moves rows. */
TEST_EACH_LAYOUT(rows_that_are_moved_are_seen, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    expect_all_numbers(&t);
    kith_commands *commands = kith_commands_new(t.world, NULL);
    for (uint32_t i = 0; i < CRATES; i += 7) {
        KITH_SET(commands, t.entities[i], Crate, {.number = 100, .weight = (float)(i % 10)});
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    expect_all_numbers(&t);
    CHECK_RESULT(KITH_SORT(t.world, Crate, weight), layout == KITH_SLOT ? KITH_ERR_INPUT : KITH_OK);
    expect_all_numbers(&t);
    CHECK_RESULT(KITH_SORT(t.world, Crate, number, .descending = true),
                 layout == KITH_SLOT ? KITH_ERR_INPUT : KITH_OK);
    expect_all_numbers(&t);
    fixture_free(&t.f);
}

/* Asks so often that the filter is brought up to date. */
static void ask_often(kith_query *query, uint32_t expected)
{
    for (uint32_t times = 0; times < 100; times++) {
        CHECK_UINT(kith_query_count(query), expected);
    }
}

/* Blocks come one by one, while those before them stay as they were; then they go. */
TEST_EACH_LAYOUT(storages_that_grow_and_shrink_are_seen, layout)
{
    fixture f = fixture_with_all(layout);
    static kith_entity made[20 * CRATE_ROWS];
    CHECK_RESULT(kith_register(f.world, &Crate_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    kith_index *index = new_filter(f.world, &numbers_filter);
    kith_query *query = KITH_QUERY(f.world, KITH_IF(Crate, number, ==, kith_bound("number")));
    CHECK_RESULT(kith_query_bind(query, "number", 0), KITH_OK);
    for (uint32_t i = 0; i < ROWS_OF(made); i++) {
        made[i] = KITH_SPAWN(f.world, KITH_VALUE(Crate, {.number = (int32_t)(i / CRATE_ROWS)}));
        if ((i + 1) % (CRATE_ROWS / 2) == 0) {
            ask_often(query, i < CRATE_ROWS ? i + 1 : CRATE_ROWS);
            CHECK_WORLD(f.world);
        }
    }
    CHECK(is_planned(query));
    for (uint32_t i = ROWS_OF(made); i-- > 2 * CRATE_ROWS;) {
        if (i % 3 == 0) {
            CHECK_RESULT(KITH_REMOVE(f.world, made[i], Crate), KITH_OK);
        } else {
            CHECK_RESULT(kith_despawn(f.world, made[i]), KITH_OK);
        }
        if (i % (CRATE_ROWS / 2) == 0) {
            ask_often(query, CRATE_ROWS);
            CHECK_WORLD(f.world);
        }
    }
    CHECK(kith_index_stats(index).entries >= 2 * CRATE_ROWS);
    fixture_free(&f);
}

/* Random writes of single values, by pointers and by calls, with questions in between. */
TEST_EACH_LAYOUT(random_writes_are_seen, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    uint64_t random = 5;
    uint32_t planned = 0;
    for (uint32_t step = 0; step < 1500; step++) {
        kith_entity entity = t.entities[random_below(&random, CRATES)];
        const int32_t number = (int32_t)random_below(&random, 102);
        for (uint32_t more = random_below(&random, 4); more > 0; more--) {
            if (random_below(&random, 5) == 0) {
                KITH_GET_MUT(t.world, entity, Crate)->number = number;
            } else {
                CHECK_RESULT(KITH_SET(t.world, entity, Crate, {.number = number}), KITH_OK);
            }
            entity = t.entities[random_below(&random, CRATES)];
        }
        expect_number(&t, number);
        planned += is_planned(t.query);
        expect_number(&t, (int32_t)random_below(&random, 102));
    }
    CHECK(planned > 300);
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* A loop has rows to write; what it writes after a question is seen by the next one. */
TEST_EACH_LAYOUT(writes_of_an_open_loop_are_seen, layout)
{
    for (int rows = 0; rows < 2; rows++) {
        static filtered t;
        filtered_new(&t, layout);
        kith_query *writer = KITH_QUERY(t.world, KITH_WRITE(Crate));
        kith_iter it = kith_query_iter(writer);
        for (int32_t turn = 0; rows == 1 ? kith_next_rows(&it) : kith_next(&it); turn++) {
            for (uint32_t i = 0; i < it.count && i < 3; i++) {
                KITH_AT_MUT(&it, i, Crate)->number = 200 + (int32_t)i;
                CHECK_UINT(expect_number(&t, 200 + (int32_t)i), (uint32_t)turn + 1);
                CHECK_WORLD(t.world);
            }
        }
        CHECK_RESULT(it.result, KITH_OK);
        expect_all_numbers(&t);
        fixture_free(&t.f);
    }
}

/* ---- Other worlds ---------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(a_restore_is_seen, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    kith_snapshot *snapshot;
    expect_all_numbers(&t);
    CHECK_RESULT(kith_snapshot_take(t.world, &snapshot), KITH_OK);
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < CRATES; i += 9) {
            CHECK_RESULT(KITH_SET(t.world, t.entities[i], Crate, {.number = 3}), KITH_OK);
        }
        if (turn == 1) {
            expect_all_numbers(&t);
        }
        CHECK_RESULT(kith_snapshot_restore(t.world, snapshot), KITH_OK);
        CHECK_UINT(expect_number(&t, 3), 40);
        expect_all_numbers(&t);
    }
    kith_snapshot_free(snapshot);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(views_and_forks_have_filters_of_their_own, layout)
{
    static filtered t;
    filtered_new(&t, layout);
    expect_all_numbers(&t);
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(t.world, &snapshot), KITH_OK);
    for (int fork = 0; fork < 2; fork++) {
        static filtered other;
        other = t;
        CHECK_RESULT(fork == 1 ? kith_fork_new(snapshot, NULL, &other.world)
                               : kith_view_new(snapshot, NULL, &other.world),
                     KITH_OK);
        other.all = KITH_QUERY(other.world, KITH_READ(Crate));
        other.query = KITH_QUERY(other.world, KITH_READ(Crate),
                                 KITH_IF(Crate, number, ==, kith_bound("number")));
        other.index = new_filter(other.world, &numbers_filter);
        CHECK_RESULT(KITH_SET(t.world, t.entities[5], Crate, {.number = 55}), KITH_OK);
        CHECK_UINT(expect_number(&other, 55), 40);
        CHECK(is_planned(other.query));
        if (fork == 1) {
            CHECK_RESULT(KITH_SET(other.world, t.entities[7], Crate, {.number = 3}), KITH_OK);
            CHECK_UINT(expect_number(&other, 3), 41);
            CHECK_UINT(expect_number(&t, 3), 40);
        }
        expect_all_numbers(&other);
        kith_world_free(other.world);
    }
    CHECK_UINT(expect_number(&t, 55), 41);
    kith_snapshot_free(snapshot);
    fixture_free(&t.f);
}

/* ---- Kinds of components --------------------------------------------------------------------- */

TEST_EACH_LAYOUT(transient_values_are_filtered, layout)
{
    static filtered t;
    if (layout == KITH_TABLE) {
        return; /* there are none */
    }
    filtered_new_with(&t, layout, &(kith_component_def){.transient = true});
    t.index = new_filter(t.world, &numbers_filter);
    expect_all_numbers(&t);
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(t.world, &snapshot), KITH_OK);
    CHECK_RESULT(KITH_SET(t.world, t.entities[5], Crate, {.number = 70}), KITH_OK);
    expect_all_numbers(&t);
    CHECK_RESULT(kith_snapshot_restore(t.world, snapshot), KITH_OK);
    expect_all_numbers(&t);
    kith_snapshot_free(snapshot);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(values_with_hooks_are_filtered, layout)
{
    enum { THINGS = 3000 };
    static kith_entity things[THINGS];
    owned_record record = {0};
    fixture f = fixture_with_all(layout);
    const kith_hooks hooks = owned_hooks(&record);
    CHECK_RESULT(kith_register(f.world, &Owned_type,
                               &(kith_component_def){.layout = layout, .hooks = &hooks}),
                 KITH_OK);
    for (uint32_t i = 0; i < THINGS; i++) {
        things[i] = kith_spawn_empty(f.world);
        CHECK_RESULT(KITH_ADD(f.world, things[i], Owned), KITH_OK);
        KITH_GET_MUT(f.world, things[i], Owned)->tag = i;
    }
    new_filter(f.world, &(kith_index_def){.kind = KITH_INDEX_FILTER, KITH_FIELDS(Owned, tag)});
    kith_query *query = KITH_QUERY(f.world, KITH_IF(Owned, tag, ==, kith_bound("tag")));
    for (uint32_t tag = 0; tag < THINGS; tag += 100) {
        CHECK_RESULT(kith_query_bind(query, "tag", tag), KITH_OK);
        CHECK_UINT(kith_query_count(query), 1);
        CHECK(is_planned(query));
        CHECK_SAME(kith_query_first(query), things[tag]);
    }
    for (uint32_t i = 0; i < THINGS; i += 2) {
        CHECK_RESULT(kith_despawn(f.world, things[i]), KITH_OK);
    }
    for (uint32_t tag = 0; tag < 30; tag++) {
        CHECK_RESULT(kith_query_bind(query, "tag", tag), KITH_OK);
        CHECK_UINT(kith_query_count(query), tag % 2);
    }
    fixture_free(&f);
    CHECK_UINT(record.live, 0);
}

/* Larger than a block: a row a block, of which 64 are asked at once. */
TEST_EACH_LAYOUT(values_may_be_larger_than_a_block, layout)
{
    enum { HEAPS = 300 };
    KITH_COMPONENT(Heap, (uint32_t, number), (char, rest, 20000));
    fixture f = fixture_with_all(layout);
    CHECK_RESULT(kith_register(f.world, &Heap_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    for (uint32_t i = 0; i < HEAPS; i++) {
        kith_entity entity = kith_spawn_empty(f.world);
        CHECK_RESULT(KITH_ADD(f.world, entity, Heap), KITH_OK);
        KITH_GET_MUT(f.world, entity, Heap)->number = i % 100;
    }
    kith_query *query =
        KITH_QUERY(f.world, KITH_READ(Heap), KITH_IF(Heap, number, ==, kith_bound("number")));
    static uint64_t scanned[101];
    for (uint32_t i = 0; i <= 100; i++) {
        CHECK_RESULT(kith_query_bind(query, "number", i), KITH_OK);
        CHECK_UINT(kith_query_count(query), i < 100 ? 3 : 0);
        scanned[i] = ask_all_ways(query);
    }
    new_filter(f.world, &(kith_index_def){.kind = KITH_INDEX_FILTER, KITH_FIELDS(Heap, number)});
    for (uint32_t i = 0; i <= 100; i++) {
        CHECK_RESULT(kith_query_bind(query, "number", i), KITH_OK);
        CHECK(ask_all_ways(query) == scanned[i]);
        CHECK(is_planned(query));
    }
    fixture_free(&f);
}

/* Each entity is in a table of its own kind: most have few rows, and some are gone in between. */
TEST(tables_that_come_and_go_are_seen)
{
    static filtered t;
    filtered_new(&t, KITH_TABLE);
    uint64_t random = 3;
    static const kith_type *const types[] = {&Position_type, &Velocity_type, &Health_type,
                                             &Extra_type,    &Byte_type,     &Padded_type,
                                             &Frozen_type,   &Burning_type};
    for (uint32_t turn = 0; turn < 8; turn++) {
        for (uint32_t i = 0; i < CRATES; i += 3) {
            const kith_type *type = types[random_below(&random, ROWS_OF(types))];
            kith_result result = kith_has(t.world, t.entities[i], type)
                                     ? kith_remove(t.world, t.entities[i], type)
                                     : kith_add(t.world, t.entities[i], type);
            CHECK_RESULT(result, KITH_OK);
        }
        if (turn % 2 == 1) {
            for (uint32_t i = 0; i < CRATES; i++) {
                for (uint32_t k = 0; k < ROWS_OF(types); k++) {
                    if (kith_has(t.world, t.entities[i], types[k])) {
                        CHECK_RESULT(kith_remove(t.world, t.entities[i], types[k]), KITH_OK);
                    }
                }
            }
            kith_world_trim(t.world);
        }
        expect_all_numbers(&t);
    }
    CHECK_UINT(kith_index_stats(t.index).entries, CRATES);
    fixture_free(&t.f);
}
