/* What may happen to a planned query between two questions, and while it is open: indexes come and go,
 * values are written, the world is set back. What it visits is what the scan does. */
#include <kith/floats.h>

#include <kith/fork.h>
#include <kith/view.h>

#include <stdlib.h>

#include "looped.h"
#include "random.h"

/* ---- Indexes that come and go ---------------------------------------------------------------- */

TEST_EACH_LAYOUT(indexes_come_and_go_between_two_batches, layout)
{
    static looped t;
    looped_new(&t, layout, NULL);
    const met expected = meet_all(t.query, false);
    CHECK_UINT(expected.count, 4);
    for (uint32_t way = 0; way < 4 * BY_NUMBER; way++) {
        bool rows = way % 2 != 0;
        uint64_t random = way;
        t.index = new_index(t.world, &by_number[way / 2 % BY_NUMBER]);
        kith_index *second =
            way < 2 * BY_NUMBER ? NULL : new_index(t.world, &by_number[way / 2 % BY_NUMBER]);
        met m = {.count = 0};
        kith_iter it = kith_query_iter(t.query);
        CHECK(is_planned(t.query));
        while (rows ? kith_next_rows(&it) : kith_next(&it)) {
            meet(&m, &it);
            kith_index_free(second);
            second = NULL;
            kith_index_free(t.index);
            CHECK_UINT(kith_query_count(t.query), 4);
            t.index = new_index(t.world, &by_number[random_below(&random, BY_NUMBER)]);
            /* Another loop of the same query within has a plan of its own. */
            const met inner = meet_all(t.query, !rows);
            check_met(&inner, &expected);
        }
        CHECK_RESULT(it.result, KITH_OK);
        check_met(&m, &expected);
        kith_index_free(t.index);
        CHECK_WORLD(t.world);
    }
    CHECK(!is_planned(t.query));
    fixture_free(&t.f);
}

/* A loop that ends early leaves nothing to the next one; nor does one entity that is asked alone. */
TEST_EACH_LAYOUT(loops_that_end_early_leave_nothing, layout)
{
    static looped t;
    looped_new(&t, layout, &by_number[0]);
    const met all = meet_all(t.query, false);
    for (uint32_t turn = 0; turn < 3; turn++) {
        kith_iter it = kith_query_iter(t.query);
        CHECK(kith_next(&it));
        kith_iter_close(&it);
        kith_iter one = kith_query_iter_one(t.query, all.entities[2]);
        CHECK(kith_next(&one));
        CHECK_UINT(one.count, 1);
        CHECK_SAME(kith_entities(&one)[0], all.entities[2]);
        CHECK(!kith_next(&one));
        one = kith_query_iter_one(t.query, t.entities[1]);
        CHECK(!kith_next(&one));
        CHECK(kith_query_contains(t.query, all.entities[3]));
        CHECK(!kith_query_contains(t.query, t.entities[1]));
        const met again = meet_all(t.query, turn % 2 == 0);
        check_met(&again, &all);
    }
    CHECK(is_planned(t.query));
    /* Another number, which fewer or more have; and none. */
    CHECK_RESULT(KITH_SET(t.world, t.entities[5], Health, {-4, 0}), KITH_OK);
    CHECK_RESULT(kith_query_bind(t.query, "number", -4), KITH_OK);
    CHECK_UINT(meet_all(t.query, false).count, 1);
    CHECK_RESULT(kith_query_bind(t.query, "number", -5), KITH_OK);
    CHECK_UINT(meet_all(t.query, true).count, 0);
    CHECK(kith_is_none(kith_query_first(t.query)));
    CHECK_RESULT(kith_query_bind(t.query, "number", 77), KITH_OK);
    const met again = meet_all(t.query, true);
    check_met(&again, &all);
    fixture_free(&t.f);
}

/* Numbers that few or more have, in turn, in tables that come in another order than they were made. */
TEST_EACH_LAYOUT(one_query_asks_for_many_numbers, layout)
{
    enum { NUMBERS = 1500 };
    static uint64_t scanned[NUMBERS];
    static looped t;
    looped_new(&t, layout, NULL);
    uint64_t random = 9;
    for (uint32_t i = 0; i < LOOPED; i++) {
        uint32_t shape = random_below(&random, 16);
        uint32_t number = random_below(&random, NUMBERS);
        number = number % 8 == 0 ? random_below(&random, NUMBERS) : number;
        CHECK_RESULT(KITH_SET(t.world, t.entities[i], Health, {(int32_t)number, 0}), KITH_OK);
        const kith_type *types[] = {&Velocity_type, &Byte_type, &Extra_type, &Frozen_type};
        for (uint32_t k = 0; k < 4; k++) {
            if ((shape >> k & 1) != 0) {
                CHECK_RESULT(kith_add(t.world, t.entities[i], types[k]), KITH_OK);
            }
        }
    }
    for (int32_t i = 0; i < NUMBERS; i++) {
        CHECK_RESULT(kith_query_bind(t.query, "number", i), KITH_OK);
        scanned[i] = ask_all_ways(t.query);
    }
    uint32_t planned = 0;
    for (uint32_t turn = 0; turn < 3000; turn++) {
        if (turn % 1000 == 0) {
            kith_index_free(t.index);
            t.index = new_index(t.world, &by_number[turn / 1000 % 2]);
        }
        uint32_t number = random_below(&random, NUMBERS);
        CHECK_RESULT(kith_query_bind(t.query, "number", number), KITH_OK);
        CHECK(ask_all_ways(t.query) == scanned[number]);
        planned += is_planned(t.query);
    }
    CHECK(planned > 1000);
    fixture_free(&t.f);
}

/* The loop writes what it asked for, of the entities that it has: each is met once, in order. */
TEST_EACH_LAYOUT(a_loop_writes_what_it_asks_for, layout)
{
    static looped t;
    looped_new(&t, layout, NULL);
    const met expected = meet_all(t.query, false);
    kith_query *writer =
        KITH_QUERY(t.world, KITH_WRITE(Health), KITH_IF(Health, current, ==, kith_bound("number")));
    for (int32_t way = 0; way < 2 * (int32_t)BY_NUMBER; way++) {
        t.index = new_index(t.world, &by_number[(uint32_t)way % BY_NUMBER]);
        CHECK_RESULT(kith_query_bind(writer, "number", 77), KITH_OK);
        met m = {.count = 0};
        kith_iter it = kith_query_iter(writer);
        while (way < (int32_t)BY_NUMBER ? kith_next(&it) : kith_next_rows(&it)) {
            meet(&m, &it);
            for (uint32_t i = 0; i < it.count; i++) {
                KITH_AT_MUT(&it, i, Health)->current = -way;
            }
        }
        check_met(&m, &expected);
        CHECK_UINT(kith_query_count(t.query), 0);
        CHECK_RESULT(kith_query_bind(writer, "number", -way), KITH_OK);
        /* The number 0 has four already. */
        CHECK_UINT(kith_query_count(writer), way == 0 ? 8 : 4);
        for (uint32_t i = 0; i < expected.count; i++) {
            CHECK_RESULT(KITH_SET(t.world, expected.entities[i], Health, {77, 0}), KITH_OK);
        }
        CHECK_UINT(kith_query_count(t.query), 4);
        kith_index_free(t.index);
        CHECK_WORLD(t.world);
    }
    fixture_free(&t.f);
}

/* ---- Other worlds ---------------------------------------------------------------------------- */

/* Each world has its own indexes and plans, though types and numbers are the same. */
TEST_EACH_LAYOUT(worlds_do_not_mix_their_plans, layout)
{
    static looped a;
    static looped b;
    looped_new(&a, layout, &by_number[0]);
    looped_new(&b, (kith_layout)((layout + 1) % LAYOUT_COUNT), &by_number[1]);
    for (int32_t i = 0; i < 10; i++) {
        CHECK_RESULT(KITH_SET(b.world, b.entities[i * 100], Health, {77, 0}), KITH_OK);
    }
    const uint32_t more = kith_query_count(b.query) - 4;
    CHECK(more >= 9);
    kith_iter one = kith_query_iter(a.query);
    kith_iter two = kith_query_iter(b.query);
    met met_a = {.count = 0};
    met met_b = {.count = 0};
    for (bool next_a = true, next_b = true; next_a || next_b;) {
        if ((next_a = next_a && kith_next(&one))) {
            meet(&met_a, &one);
        }
        if ((next_b = next_b && kith_next_rows(&two))) {
            meet(&met_b, &two);
        }
        kith_index_free(b.index);
        b.index = NULL;
    }
    CHECK_UINT(met_a.count, 4);
    CHECK_UINT(met_b.count, 4 + more);
    CHECK(is_planned(a.query) && !is_planned(b.query));
    fixture_free(&b.f);
    CHECK_UINT(kith_query_count(a.query), 4);
    fixture_free(&a.f);
}

/* Back and forth: the index knows what is there now. */
TEST_EACH_LAYOUT(a_restore_between_two_questions, layout)
{
    static looped t;
    looped_new(&t, layout, &by_number[1]);
    const met before = meet_all(t.query, false);
    kith_snapshot *early;
    kith_snapshot *late;
    CHECK_RESULT(kith_snapshot_take(t.world, &early), KITH_OK);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_RESULT(kith_despawn(t.world, before.entities[i]), KITH_OK);
    }
    for (int32_t i = 0; i < 6; i++) {
        KITH_SPAWN(t.world, KITH_VALUE(Position), KITH_VALUE(Health, {77, i}));
    }
    CHECK_RESULT(KITH_SET(t.world, t.entities[9], Health, {77, 0}), KITH_OK);
    const met after = meet_all(t.query, false);
    CHECK_UINT(after.count, 4 - 3 + 6 + 1);
    CHECK_RESULT(kith_snapshot_take(t.world, &late), KITH_OK);
    for (uint32_t turn = 0; turn < 3; turn++) {
        CHECK_RESULT(kith_snapshot_restore(t.world, turn == 1 ? late : early), KITH_OK);
        CHECK_UINT(kith_query_count(t.query), turn == 1 ? 8 : 4);
        const met now = meet_all(t.query, turn == 2);
        check_met(&now, turn == 1 ? &after : &before);
        CHECK_WORLD(t.world);
    }
    /* It is filled anew, once scans have paid for that. */
    ask_until_planned(t.query);
    const met now = meet_all(t.query, false);
    check_met(&now, &before);
    kith_snapshot_free(early);
    kith_snapshot_free(late);
    fixture_free(&t.f);
}

/* Views and forks have indexes and plans of their own, and none of the world that they came from. */
TEST_EACH_LAYOUT(views_and_forks_plan_by_themselves, layout)
{
    static looped t;
    looped_new(&t, layout, &by_number[0]);
    const met before = meet_all(t.query, false);
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(t.world, &snapshot), KITH_OK);
    kith_world *worlds[2];
    CHECK_RESULT(kith_view_new(snapshot, NULL, &worlds[0]), KITH_OK);
    CHECK_RESULT(kith_fork_new(snapshot, NULL, &worlds[1]), KITH_OK);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_RESULT(kith_despawn(t.world, before.entities[i]), KITH_OK);
    }
    for (int i = 0; i < 2; i++) {
        kith_query *query = number_query(worlds[i], 77);
        CHECK(!is_planned(query));
        const met scanned = meet_all(query, false);
        check_met(&scanned, &before);
        kith_index *own = new_index(worlds[i], &by_number[1 - i]);
        const met found = meet_all(query, true);
        check_met(&found, &before);
        CHECK(is_planned(query));
        kith_index_free(t.index);
        t.index = NULL;
        CHECK_UINT(kith_query_count(query), 4);
        CHECK_UINT(kith_query_count(t.query), 1);
        if (i == 1) {
            CHECK_RESULT(KITH_SET(worlds[i], t.entities[9], Health, {77, 0}), KITH_OK);
            CHECK_UINT(kith_query_count(query), 5);
            CHECK_UINT(kith_query_count(t.query), 1);
            kith_index_free(own);
            CHECK_UINT(kith_query_count(query), 5);
        }
        t.index = new_index(t.world, &by_number[0]);
        CHECK_WORLD(worlds[i]);
    }
    kith_world_free(worlds[0]);
    kith_world_free(worlds[1]);
    CHECK_UINT(kith_query_count(t.query), 1);
    kith_snapshot_free(snapshot);
    fixture_free(&t.f);
}

/* ---- Order, changes, selections -------------------------------------------------------------- */

/* Rows are in another order then, and the plan is, too. */
TEST_EACH_LAYOUT(sorted_rows_come_in_their_order, layout)
{
    static looped t;
    looped_new(&t, layout, NULL);
    kith_query *max = KITH_QUERY(t.world, KITH_READ(Health), KITH_IF(Health, current, >=, 41),
                                 KITH_IF(Health, current, <=, 42));
    for (int turn = 0; turn < 2; turn++) {
        CHECK_RESULT(KITH_SORT(t.world, Health, max, .descending = turn == 1),
                     layout == KITH_SLOT ? KITH_ERR_INPUT : KITH_OK);
        const met scanned = meet_all(max, false);
        t.index = new_index(t.world, &by_number[1]);
        CHECK_UINT(kith_query_count(max), 8);
        const met found = meet_all(max, turn == 0);
        CHECK(is_planned(max));
        check_met(&found, &scanned);
        kith_index_free(t.index);
    }
    fixture_free(&t.f);
}

/* An index looks at what was written as well. That takes no change from a query that looks for them. */
TEST_EACH_LAYOUT(changes_are_told_once_with_a_plan_as_without, layout)
{
    static looped t;
    looped_new(&t, layout, &by_number[0]);
    kith_query *changed = KITH_QUERY(t.world, KITH_CHANGED(Health),
                                     KITH_IF(Health, current, ==, kith_bound("number")));
    CHECK_RESULT(kith_query_bind(changed, "number", 77), KITH_OK);
    CHECK_UINT(meet_all(changed, false).count, 4);
    CHECK_UINT(meet_all(changed, false).count, 0);
    CHECK_UINT(kith_query_count(t.query), 4);
    const met all = meet_all(t.query, false);
    CHECK_RESULT(KITH_SET(t.world, all.entities[1], Health, {77, 5}), KITH_OK);
    CHECK_UINT(kith_query_count(t.query), 4); /* brings the index up to date */
    CHECK_UINT(kith_query_count(t.query), 4);
    CHECK(is_planned(changed));
    CHECK(kith_query_count(changed) >= 1);
    const met told = meet_all(changed, true);
    bool is_told = false;
    for (uint32_t i = 0; i < told.count; i++) {
        is_told = is_told || kith_entity_equal(told.entities[i], all.entities[1]);
    }
    CHECK(is_told);
    CHECK_UINT(meet_all(changed, false).count, 0);
    fixture_free(&t.f);
}

/* Sums of floats depend on the order, and the first few do. */
TEST_EACH_LAYOUT(selections_have_the_same_rows, layout)
{
    static looped t;
    static const char *const texts[] = {
        "Health where Health.current < 3",
        "Health where Health.current < 3 limit 2",
        "Health where Health.current < 3 order by Health.max desc limit 5",
        "Health where Health.current < 3 group by Health.current",
        "Health, ?Name where Health.current < 3 group by Name.text select Name.text, count",
        "Position, Health where Health.current < 3 select sum(Position.x), avg(Position.y), count",
        "* where Name.text prefix 'n199' and Health.current > 1990 select Name.text, entity",
        "* where Name.text prefix 'n12' order by Name.text",
        "Health where Health.current < 3 and within(Position, 0, 0, 30) select entity",
    };
    looped_new(&t, layout, NULL);
    for (int32_t i = 0; i < LOOPED; i++) {
        CHECK_RESULT(KITH_SET(t.world, t.entities[i], Position, {1.0f / (float)(1 + i), (float)i}),
                     KITH_OK);
    }
    char *lines[ROWS_OF(texts)];
    kith_select *selects[ROWS_OF(texts)];
    for (int with = 0; with < 2; with++) {
        for (size_t i = 0; test_row(i, ROWS_OF(texts)); i++) {
            if (with == 0) {
                CHECK_RESULT(kith_select_new(t.world, texts[i], NULL, &selects[i]), KITH_OK);
                lines[i] = calloc(1, 20000);
            }
            CHECK_RESULT(kith_select_run(selects[i]), KITH_OK);
            char all[20000] = "";
            size_t length = 0;
            for (uint32_t row = 0; row < kith_select_row_count(selects[i]); row++) {
                length += kith_select_print(selects[i], row, KITH_SELECT_JSON, all + length,
                                            sizeof(all) - length);
            }
            CHECK(length > 0 && length < sizeof(all));
            if (with == 1) {
                CHECK_STR(all, lines[i]);
                free(lines[i]);
                kith_select_free(selects[i]);
            } else {
                strcpy(lines[i], all);
            }
        }
        if (with == 0) {
            new_index(t.world, &by_number[1]);
            new_index(t.world,
                      &(kith_index_def){.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Name, text)});
        }
    }
    fixture_free(&t.f);
}
