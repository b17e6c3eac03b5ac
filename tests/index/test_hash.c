/* Hash indexes: what has a value, whatever was done since the index was asked last. */
#include <stdlib.h>

#include "indexes.h"
#include "random.h"

TEST_EACH_LAYOUT(each_way_of_changing_is_followed, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    expect_all_found(&t, 4);
    kith_entity a = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 9}));
    kith_entity b = KITH_SPAWN(t.world, KITH_VALUE(Health, {2, 9}), KITH_VALUE(Position, {1, 1}));
    kith_entity c = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 9}), KITH_VALUE(Position, {1, 1}));
    expect_all_found(&t, 4);
    CHECK_RESULT(KITH_SET(t.world, a, Health, {2, 9}), KITH_OK);
    expect_all_found(&t, 4);
    KITH_GET_MUT(t.world, b, Health)->current = 3;
    expect_all_found(&t, 4);
    CHECK_RESULT(KITH_ADD(t.world, a, Position), KITH_OK); /* a move */
    expect_all_found(&t, 4);
    CHECK_RESULT(KITH_REMOVE(t.world, b, Health), KITH_OK);
    expect_all_found(&t, 4);
    CHECK_RESULT(kith_despawn(t.world, a), KITH_OK);
    expect_all_found(&t, 4);
    a = KITH_SPAWN(t.world, KITH_VALUE(Health, {2, 9})); /* in the same slot */
    CHECK_RESULT(kith_clone(t.world, c, &b), KITH_OK);
    expect_all_found(&t, 4);
    CHECK_RESULT(kith_remove_all(t.world, c), KITH_OK);
    kith_world_trim(t.world);
    expect_all_found(&t, 4);
    kith_index_counts counts = kith_index_stats(t.index);
    CHECK_UINT(counts.entries, 2);
    kith_index_free(t.index);
    fixture_free(&t.f);
}

/* The value of an entity is another one in the same row, with a handle of another generation. */
TEST_EACH_LAYOUT(a_slot_that_is_used_again_is_another_entity, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    for (int i = 0; i < 5; i++) {
        kith_entity a = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 9}));
        expect_all_found(&t, 2);
        CHECK_RESULT(kith_despawn(t.world, a), KITH_OK);
    }
    expect_all_found(&t, 2);
    fixture_free(&t.f);
}

/* Pages of slots that hold nothing are given back, with what they knew. */
TEST_EACH_LAYOUT(what_was_lost_before_a_trim_is_not_found, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    static kith_entity entities[9000];
    for (uint32_t i = 0; i < 9000; i++) {
        entities[i] = KITH_SPAWN(t.world, KITH_VALUE(Health, {(int32_t)(i % 2), 9}));
    }
    expect_all_found(&t, 3);
    for (uint32_t i = 100; i < 9000; i++) {
        CHECK_RESULT(KITH_REMOVE(t.world, entities[i], Health), KITH_OK);
    }
    kith_world_trim(t.world);
    expect_all_found(&t, 3);
    for (uint32_t i = 5000; i < 9000; i++) {
        CHECK_RESULT(KITH_SET(t.world, entities[i], Health, {2, 9}), KITH_OK);
    }
    expect_all_found(&t, 3);
    fixture_free(&t.f);
}

/* A restore undoes what the index has seen, and what it has not. */
TEST_EACH_LAYOUT(a_restore_is_followed, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    kith_snapshot *before;
    kith_entity a = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 9}));
    kith_entity b = KITH_SPAWN(t.world, KITH_VALUE(Health, {2, 9}));
    expect_all_found(&t, 4);
    CHECK_RESULT(KITH_SET(t.world, a, Health, {3, 9}), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(t.world, &before), KITH_OK);
    expect_all_found(&t, 4);
    for (int seen = 0; seen < 2; seen++) {
        CHECK_RESULT(KITH_SET(t.world, a, Health, {2, 9}), KITH_OK);
        KITH_GET_MUT(t.world, b, Health)->current = 1;
        KITH_SPAWN(t.world, KITH_VALUE(Health, {3, 9}));
        if (seen == 1) {
            expect_all_found(&t, 4);
        }
        CHECK_RESULT(kith_snapshot_restore(t.world, before), KITH_OK);
        expect_all_found(&t, 4);
    }
    kith_snapshot_free(before);
    fixture_free(&t.f);
}

/* Random changes; values are few, so that many entities have the same, or many, so that few have. */
static void play(kith_layout layout, int32_t values, uint64_t seed)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    static kith_entity entities[600];
    uint32_t count = 0;
    uint64_t random = seed;
    for (uint32_t step = 0; step < 1500; step++) {
        Health health = {(int32_t)random_below(&random, (uint32_t)values), 1};
        uint32_t at = count == 0 ? 0 : random_below(&random, count);
        switch (random_below(&random, 8)) {
        case 0:
        case 1:
            if (count < 600) {
                entities[count] = KITH_SPAWN(t.world, KITH_VALUE(Health, {health.current, 1}));
                count++;
            }
            break;
        case 2:
            if (count != 0) {
                CHECK_RESULT(kith_despawn(t.world, entities[at]), KITH_OK);
                entities[at] = entities[--count];
            }
            break;
        case 3:
            if (count != 0) {
                CHECK_RESULT(kith_add(t.world, entities[at], &Position_type), KITH_OK);
            }
            break;
        case 4:
            if (count != 0) {
                kith_remove(t.world, entities[at], &Health_type);
            }
            break;
        case 5:
            if (layout != KITH_SLOT) {
                CHECK_RESULT(KITH_SORT(t.world, Health, current), KITH_OK);
            }
            break;
        default:
            if (count != 0) {
                CHECK_RESULT(kith_set(t.world, entities[at], &Health_type, &health), KITH_OK);
            }
            break;
        }
        if (random_below(&random, 3) == 0) {
            expect_found(&t, health.current);
        }
        if (step % 100 == 0) {
            expect_all_found(&t, values);
        }
    }
    expect_all_found(&t, values);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(random_changes_are_followed, layout)
{
    play(layout, 3, 1);
    play(layout, 300, 2);
}

/* ---- Loops that are open */

static void spawn_many(indexed *t, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        KITH_SPAWN(t->world, KITH_VALUE(Health, {(int32_t)(i % 3), 9}));
    }
}

/* Whether the index finds so many entities. */
static uint32_t found_count(const indexed *t, int32_t current)
{
    kith_index_found found;
    CHECK_RESULT(kith_index_find(t->index, &(Health){.current = current}, &found), KITH_OK);
    return found.count;
}

TEST_EACH_LAYOUT(an_open_loop_over_arrays_may_go_on_writing, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    spawn_many(&t, 3000);
    kith_query *query = KITH_QUERY(t.world, KITH_WRITE(Health));
    uint32_t written = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Health *health = KITH_COLUMN_MUT(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            health[i].current = 7;
            written++;
            if (written % 500 == 0) {
                CHECK_UINT(found_count(&t, 7), written);
            }
        }
    }
    CHECK_UINT(found_count(&t, 7), 3000);
    /* Asked in the first batch, and written after that. */
    written = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Health *health = KITH_COLUMN_MUT(&it, Health);
        if (written == 0) {
            CHECK_UINT(found_count(&t, 8), 0);
        }
        for (uint32_t i = 0; i < it.count; i++) {
            health[i].current = 8;
            written++;
        }
    }
    CHECK_UINT(found_count(&t, 8), 3000);
    expect_all_found(&t, 9);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(an_open_loop_that_ends_early_has_written, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    spawn_many(&t, 10);
    kith_query *query = KITH_QUERY(t.world, KITH_WRITE(Health));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    CHECK_UINT(found_count(&t, 7), 0);
    KITH_COLUMN_MUT(&it, Health)[0].current = 7;
    kith_iter_close(&it);
    CHECK_UINT(found_count(&t, 7), 1);
    expect_all_found(&t, 9);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(an_open_loop_over_rows_may_go_on_writing, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    spawn_many(&t, 3000);
    kith_query *query = KITH_QUERY(t.world, KITH_WRITE(Health));
    uint32_t written = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (written % 700 == 0) {
                CHECK_UINT(found_count(&t, 7), written);
            }
            KITH_AT_MUT(&it, i, Health)->current = 7;
            written++;
        }
    }
    CHECK_UINT(found_count(&t, 7), 3000);
    fixture_free(&t.f);
}

/* The values are found by look-up, or by handle. */
TEST_EACH_LAYOUT(open_loops_that_find_values_elsewhere_may_go_on_writing, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    KITH_COMPONENT(Rare, (int, number));
    CHECK_RESULT(kith_register(t.world, &Rare_type, &(kith_component_def){.layout = KITH_SPARSE}),
                 KITH_OK);
    kith_query *query = KITH_QUERY(t.world, KITH_READ(Rare), KITH_WRITE(Health));
    kith_entity entities[40];
    for (int i = 0; i < 40; i++) {
        entities[i] = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 9}));
    }
    for (int i = 39; i >= 0; i -= 3) {
        CHECK_RESULT(KITH_SET(t.world, entities[i], Rare, {i}), KITH_OK);
    }
    uint32_t written = 0;
    for (int rows = 0; rows < 2; rows++) {
        kith_iter it = kith_query_iter(query);
        while (rows != 0 ? kith_next_rows(&it) : kith_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) {
                CHECK_UINT(found_count(&t, 7 + rows), written);
                KITH_AT_MUT(&it, i, Health)->current = 7 + rows;
                written++;
            }
        }
        CHECK_UINT(found_count(&t, 7 + rows), 14);
        written = 0;
    }
    kith_iter one = kith_query_iter_one(query, entities[0]);
    CHECK(kith_next(&one));
    CHECK_UINT(found_count(&t, 30), 0);
    KITH_AT_MUT(&one, 0, Health)->current = 30;
    CHECK_UINT(found_count(&t, 30), 1);
    KITH_AT_MUT(&one, 0, Health)->current = 31;
    kith_iter_close(&one);
    CHECK_UINT(found_count(&t, 30), 0);
    CHECK_UINT(found_count(&t, 31), 1);
    fixture_free(&t.f);
}

/* A look for changes after the loop sees what was written in it after the index was asked. */
TEST_EACH_LAYOUT(a_look_for_changes_sees_what_was_written_after_asking, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    spawn_many(&t, 10);
    kith_query *changed = KITH_QUERY(t.world, KITH_CHANGED(Health));
    kith_query *query = KITH_QUERY(t.world, KITH_WRITE(Health));
    CHECK_UINT(kith_query_count(changed), 10);
    kith_query_skip_changes(changed);
    CHECK_UINT(kith_query_count(changed), 0);
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    CHECK_UINT(found_count(&t, 7), 0);
    KITH_COLUMN_MUT(&it, Health)[0].current = 7;
    kith_iter_close(&it);
    CHECK(kith_query_count(changed) != 0);
    fixture_free(&t.f);
}

/* ---- What it costs */

TEST_EACH_LAYOUT(what_did_not_change_is_not_looked_at, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    spawn_many(&t, 5000);
    CHECK_UINT(found_count(&t, 1), 1667);
    kith_index_counts before = kith_index_stats(t.index);
    CHECK_UINT(before.refreshes, 1);
    CHECK_UINT(before.rows_compared, 5000);
    for (int i = 0; i < 100; i++) {
        found_count(&t, 1);
    }
    kith_index_counts after = kith_index_stats(t.index);
    CHECK_UINT(after.refreshes, before.refreshes);
    /* One value is one row. */
    kith_index_found found;
    CHECK_RESULT(kith_index_find(t.index, &(Health){.current = 2}, &found), KITH_OK);
    kith_entity entity = found.entities[0];
    for (int i = 0; i < 100; i++) {
        CHECK_RESULT(KITH_SET(t.world, entity, Health, {100 + i, 9}), KITH_OK);
        CHECK_UINT(found_count(&t, 100 + i), 1);
    }
    after = kith_index_stats(t.index);
    CHECK_UINT(after.rows_compared, before.rows_compared + 100);
    /* What was written through a pointer is a block. */
    KITH_GET_MUT(t.world, entity, Health)->current = 1;
    CHECK_UINT(found_count(&t, 1), 1668);
    before = after;
    after = kith_index_stats(t.index);
    CHECK(after.rows_compared - before.rows_compared <= 1024);
    fixture_free(&t.f);
}

/* Two indexes of one component read what was set, each at its own pace. */
TEST_EACH_LAYOUT(several_indexes_are_asked_at_any_time, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    indexed u = t;
    spawn_many(&t, 2000);
    CHECK_UINT(found_count(&t, 0), 667);
    kith_index_new(t.world,
                   &(kith_index_def){.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current)},
                   &u.index);
    static kith_entity entities[FOUND_MAX];
    uint32_t count = scan_for(&t, 0, entities);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_RESULT(KITH_SET(t.world, entities[i], Health, {(int)(i % 5), 9}), KITH_OK);
        if (i % 50 == 0) {
            expect_found(&t, (int32_t)(i % 5));
        }
        if (i % 80 == 0) {
            expect_found(&u, (int32_t)(i % 5));
        }
        if (i % 90 == 0) {
            KITH_GET_MUT(t.world, entities[i], Health)->current = 4;
        }
    }
    expect_all_found(&t, 5);
    expect_all_found(&u, 5);
    kith_index_free(t.index);
    CHECK_RESULT(KITH_SET(t.world, entities[0], Health, {6, 9}), KITH_OK);
    expect_all_found(&u, 7);
    fixture_free(&t.f);
}

/* ---- Kinds of values */

typedef struct Mixed {
    double wide;
    int64_t number;
    kith_entity target;
    float single;
    kith_text word;
    char text[6];
    _Bool flag;
    int8_t tiny;
} Mixed;
KITH_TYPE(Mixed, KITH_FIELD(Mixed, wide), KITH_FIELD(Mixed, number), KITH_FIELD(Mixed, target),
          KITH_FIELD(Mixed, single), KITH_FIELD(Mixed, word), KITH_FIELD(Mixed, text),
          KITH_FIELD(Mixed, flag), KITH_FIELD(Mixed, tiny));

static uint32_t mixed_count(kith_index *index, Mixed value)
{
    kith_index_found found;
    CHECK_RESULT(kith_index_find(index, &value, &found), KITH_OK);
    return found.count;
}

static kith_index *mixed_index(kith_world *world, const char *a, const char *b)
{
    kith_index *index = NULL;
    kith_index_def def = {.kind = KITH_INDEX_HASH, .type = &Mixed_type, .fields = {a, b}};
    CHECK_RESULT(kith_index_new(world, &def, &index), KITH_OK);
    return index;
}

TEST(values_of_each_kind_are_found)
{
    fixture f = fixture_new();
    const double nan = strtod("nan", NULL);
    kith_entity one = kith_spawn_empty(f.world);
    kith_text word;
    CHECK_RESULT(kith_text_intern(f.world, "word", &word), KITH_OK);
    KITH_SPAWN(f.world, KITH_VALUE(Mixed, {1e300, -5, one, -0.0f, word, "abc", true, -3}));
    KITH_SPAWN(
        f.world,
        KITH_VALUE(Mixed, {-0.0, 5, {0, 0}, 0.0f, word, {'a', 'b', 'c', 'd', 'e', 'f'}, true, 3}));
    KITH_SPAWN(f.world, KITH_VALUE(Mixed, {nan, -5, one, (float)nan, {0}, "abc", false, 0}));
    kith_index *index = mixed_index(f.world, "single", NULL);
    CHECK_UINT(mixed_count(index, (Mixed){.single = 0}), 2);
    CHECK_UINT(mixed_count(index, (Mixed){.single = -0.0f}), 2);
    CHECK_UINT(mixed_count(index, (Mixed){.single = (float)nan}), 0);
    CHECK_UINT(kith_index_stats(index).entries, 2);
    index = mixed_index(f.world, "wide", NULL);
    CHECK_UINT(mixed_count(index, (Mixed){.wide = 1e300}), 1);
    CHECK_UINT(mixed_count(index, (Mixed){.wide = 0}), 1);
    CHECK_UINT(mixed_count(index, (Mixed){.wide = -nan}), 0);
    index = mixed_index(f.world, "text", NULL);
    CHECK_UINT(mixed_count(index, (Mixed){.text = "abc"}), 2);
    CHECK_UINT(mixed_count(index, (Mixed){.text = {'a', 'b', 'c', 'd', 'e', 'f'}}), 1);
    CHECK_UINT(mixed_count(index, (Mixed){.text = "abcde"}), 0);
    index = mixed_index(f.world, "target", NULL);
    CHECK_UINT(mixed_count(index, (Mixed){.target = one}), 2);
    CHECK_UINT(mixed_count(index, (Mixed){.target = KITH_NONE}), 1);
    index = mixed_index(f.world, "number", "flag");
    CHECK_UINT(mixed_count(index, (Mixed){.number = -5, .flag = true}), 1);
    CHECK_UINT(mixed_count(index, (Mixed){.number = 5, .flag = false}), 0);
    index = mixed_index(f.world, "single", "text");
    CHECK_UINT(mixed_count(index, (Mixed){.single = 0, .text = "abc"}), 1);
    CHECK_UINT(mixed_count(index, (Mixed){.single = (float)nan, .text = "abc"}), 0);
    index = mixed_index(f.world, "tiny", NULL);
    CHECK_UINT(mixed_count(index, (Mixed){.tiny = -3}), 1);
    index = mixed_index(f.world, "word", NULL);
    CHECK_UINT(mixed_count(index, (Mixed){.word = word}), 2);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(a_definition_may_be_wrong)
{
    fixture f = fixture_new();
    kith_index *index = NULL;
    kith_index_def def = {.type = &Health_type, .fields = {"current"}};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "0 is not a kind of index");
    def.kind = KITH_INDEX_HASH;
    def.fields[0] = "corrent";
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "Health has no field 'corrent' (did you mean current?)");
    def.fields[0] = NULL;
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "names no field");
    def.fields[1] = "max";
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_STR(kith_error(f.world),
              "kith_index_new: fields[1] of Health is \"max\", but fields[0] is NULL, which ends"
              " the list");
    def.fields[0] = "current";
    def.fields[1] = NULL;
    def.fields[KITH_INDEX_FIELDS - 1] = "max";
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_STR(kith_error(f.world),
              "kith_index_new: fields[5] of Health is \"max\", but fields[1] is NULL, which ends"
              " the list");
    def = (kith_index_def){.kind = KITH_INDEX_HASH, .type = &Big_type, .fields = {"words"}};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Big.words is none");
    CHECK_PTR_NULL(index);
    fixture_free(&f);
}

/* Whichever allocation fails, the answer is an error, and then it is right. */
TEST_EACH_LAYOUT(a_refresh_survives_every_allocation_failure, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_HASH);
    spawn_many(&t, 1500);
    for (uint32_t round = 0; round < 3; round++) {
        bool reached = true;
        for (size_t nth = 1; reached; nth++) {
            if (round == 1) {
                spawn_many(&t, 40);
            }
            if (round == 2) {
                kith_index_found found;
                CHECK_RESULT(kith_index_find(t.index, &(Health){.current = 1}, &found), KITH_OK);
                for (uint32_t i = 0; i < 3; i++) {
                    CHECK_RESULT(kith_despawn(t.world, found.entities[i]), KITH_OK);
                }
                spawn_many(&t, 70);
            }
            fail_allocation(&t.f, nth);
            kith_index_found found;
            kith_result result = kith_index_find(t.index, &(Health){.current = 1}, &found);
            reached = fail_nothing(&t.f);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            expect_all_found(&t, 4);
        }
    }
    fixture_free(&t.f);
}

typedef struct Bytes {
    uint8_t a, b, c, d, e, f;
} Bytes;
KITH_TYPE(Bytes, KITH_FIELD(Bytes, a), KITH_FIELD(Bytes, b), KITH_FIELD(Bytes, c),
          KITH_FIELD(Bytes, d), KITH_FIELD(Bytes, e), KITH_FIELD(Bytes, f));

/* Each index is filled with more at once than the one before. */
TEST(six_fields_are_found)
{
    fixture f = fixture_new();
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Bytes, a, b, c, d, e, f)};
    for (uint32_t round = 1; round <= 5; round++) {
        for (uint32_t i = 0; i < 700; i++) {
            const Bytes bytes = {.a = (uint8_t)(i % 100), .f = (uint8_t)(i / 100)};
            KITH_SPAWN(f.world, {&Bytes_type, &bytes});
        }
        kith_index *index;
        kith_index_found found;
        CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
        CHECK_RESULT(kith_index_find(index, &(Bytes){.a = 77, .f = 6}, &found), KITH_OK);
        CHECK_UINT(found.count, round);
        CHECK_RESULT(kith_index_find(index, &(Bytes){.a = 77, .e = 1, .f = 6}, &found), KITH_OK);
        CHECK_UINT(found.count, 0);
        kith_index_free(index);
    }
    fixture_free(&f);
}

/* In one expression; NULL with an error, also where none is left by the call inside. */
TEST(an_index_is_made_in_one_expression)
{
    fixture f = fixture_new();
    kith_entity one = KITH_SPAWN(f.world, KITH_VALUE(Bytes, {.a = 1, .c = 3}));
    KITH_SPAWN(f.world, KITH_VALUE(Bytes, {.a = 1, .c = 4}));
    kith_index *index = KITH_INDEX(f.world, KITH_INDEX_HASH, Bytes, a, c);
    CHECK_PTR_NOT_NULL(index);
    kith_index_found found;
    CHECK_RESULT(kith_index_find(index, &(Bytes){.a = 1, .c = 3}, &found), KITH_OK);
    CHECK_UINT(found.count, 1);
    CHECK_SAME(found.entities[0], one);
    CHECK_WORLD(f.world);
    CHECK_PTR_NULL(KITH_INDEX(f.world, KITH_INDEX_SPATIAL, Bytes, a, b));
    CHECK_CONTAINS(kith_error(f.world), "kith_index_new: ");
    bool failed = true;
    for (size_t nth = 1; failed; nth++) {
        fail_allocation(&f, nth);
        index = KITH_INDEX(f.world, KITH_INDEX_ORDERED, Bytes, a, b, c, d, e, f);
        failed = fail_nothing(&f);
        CHECK_INT(index == NULL, failed);
        CHECK(!failed || kith_error(f.world)[0] != '\0');
        CHECK(nth < 20);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}
