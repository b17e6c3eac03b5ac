/* Indexes by a function: what they find, and for which values the function is called. */
#include "computed.h"
#include "owned.h"

static const kith_index_kind by_value[] = {KITH_INDEX_HASH, KITH_INDEX_ORDERED};

TEST_EACH_LAYOUT(each_way_of_changing_is_followed, layout)
{
    for (int kind = 0; kind < 2; kind++) {
        computed t;
        computed_new(&t, layout, by_value[kind]);
        expect_levels(&t);
        kith_entity a = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 9}));
        kith_entity b = KITH_SPAWN(t.world, KITH_VALUE(Health, {2, 9}));
        kith_entity out = KITH_SPAWN(t.world, KITH_VALUE(Health, {2, -1}));
        kith_entity nan = KITH_SPAWN(t.world, KITH_VALUE(Health, {2, 0}));
        expect_levels(&t);
        CHECK_UINT(kith_index_stats(t.index).entries, 2);
        CHECK_RESULT(KITH_SET(t.world, a, Health, {12, 9}), KITH_OK);
        expect_levels(&t);
        CHECK_RESULT(KITH_SET(t.world, out, Health, {2, 1}), KITH_OK); /* comes in */
        CHECK_RESULT(KITH_SET(t.world, a, Health, {12, -9}), KITH_OK); /* and goes */
        expect_levels(&t);
        KITH_GET_MUT(t.world, nan, Health)->max = 5;
        KITH_GET_MUT(t.world, b, Health)->max = -5;
        expect_levels(&t);
        CHECK_RESULT(KITH_ADD(t.world, a, Position), KITH_OK); /* moves, while it is out */
        CHECK_RESULT(KITH_ADD(t.world, nan, Position), KITH_OK);
        expect_levels(&t);
        KITH_GET_MUT(t.world, a, Health)->max = 5;
        CHECK_RESULT(KITH_REMOVE(t.world, a, Position), KITH_OK); /* moves, and comes in */
        expect_levels(&t);
        KITH_GET_MUT(t.world, nan, Health)->max = -1;
        CHECK_RESULT(KITH_REMOVE(t.world, nan, Position), KITH_OK);
        expect_levels(&t);
        CHECK_RESULT(KITH_REMOVE(t.world, out, Health), KITH_OK);
        CHECK_RESULT(kith_despawn(t.world, b), KITH_OK);
        expect_levels(&t);
        b = KITH_SPAWN(t.world, KITH_VALUE(Health, {12, -9})); /* in the same slot */
        CHECK_RESULT(kith_clone(t.world, a, &out), KITH_OK);
        expect_levels(&t);
        CHECK_RESULT(kith_remove_all(t.world, a), KITH_OK);
        kith_world_trim(t.world);
        expect_levels(&t);
        kith_index_free(t.index);
        fixture_free(&t.f);
    }
}

/* ---- Calls */

#define MANY 3000u

static void spawn_many(computed *t, kith_entity *entities)
{
    for (uint32_t i = 0; i < MANY; i++) {
        entities[i] =
            KITH_SPAWN(t->world, KITH_VALUE(Health, {(int32_t)i, (int32_t)(i % 5) - 1}));
    }
}

/* Asks once: calls that it took. */
static uint32_t calls_of_asking(computed *t)
{
    kith_index_found found;
    CHECK_RESULT(kith_index_find(t->index, &(Danger){.level = 3}, &found), KITH_OK);
    return computed_calls(t);
}

static void write_some(computed *t, int32_t every)
{
    kith_query *query = KITH_QUERY(t->world, KITH_WRITE(Health));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Health *health = KITH_COLUMN_MUT(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            health[i].current += health[i].current % every == 0 ? every : 0;
        }
    }
    kith_query_free(query);
}

TEST_EACH_LAYOUT(it_is_called_for_values_that_changed, layout)
{
    for (int kind = 0; kind < 2; kind++) {
        static kith_entity entities[MANY];
        computed t;
        computed_new(&t, layout, by_value[kind]);
        spawn_many(&t, entities);
        CHECK_UINT(calls_of_asking(&t), MANY);
        CHECK_UINT(calls_of_asking(&t), 0);
        CHECK_RESULT(KITH_SET(t.world, entities[1500], Health, {7, 7}), KITH_OK);
        CHECK_UINT(calls_of_asking(&t), 1);
        CHECK_RESULT(KITH_SET(t.world, entities[1500], Health, {7, 7}), KITH_OK); /* the same */
        CHECK_UINT(calls_of_asking(&t), 0);
        KITH_GET_MUT(t.world, entities[1500], Health)->current = 8;
        KITH_GET_MUT(t.world, entities[1501], Health)->current += 0;
        CHECK_UINT(calls_of_asking(&t), 1);
        KITH_GET_MUT(t.world, entities[10], Health)->max = -1; /* was out already */
        KITH_GET_MUT(t.world, entities[11], Health)->max = -1;
        CHECK_UINT(calls_of_asking(&t), 1);
        write_some(&t, 1000); /* values are looked at, and 0, 1000 and 2000 are others */
        CHECK_UINT(calls_of_asking(&t), 3);
        write_some(&t, 1000000); /* written, and nothing is another */
        CHECK_UINT(calls_of_asking(&t), 0);
        expect_levels(&t);
        CHECK_UINT(calls_of_asking(&t), 0);
        fixture_free(&t.f);
    }
}

/* Each has an entity, a key and a copy of its value, and 8 bytes more if it is in the index. */
TEST_EACH_LAYOUT(copies_are_counted_and_given_back, layout)
{
    static kith_entity entities[MANY];
    computed t;
    computed_new(&t, layout, KITH_INDEX_HASH);
    spawn_many(&t, entities);
    calls_of_asking(&t);
    const kith_index_counts full = kith_index_stats(t.index);
    CHECK(full.bytes >= (8 + 4 + 8) * MANY + 8 * full.entries);
    for (uint32_t i = 100; i < MANY; i++) {
        CHECK_RESULT(kith_despawn(t.world, entities[i]), KITH_OK);
    }
    CHECK_UINT(calls_of_asking(&t), 0);
    const kith_index_counts few = kith_index_stats(t.index);
    CHECK(layout == KITH_SLOT || full.bytes - few.bytes >= (8 + 4 + 8) * (MANY - 1024));
    expect_levels(&t);
    fixture_free(&t.f);
}

/* Values that look like memory which was never written, in the tests: 0xCC. */
TEST_EACH_LAYOUT(a_first_value_is_not_taken_for_known, layout)
{
    computed t;
    Health health;
    memset(&health, 0xCC, sizeof(health));
    computed_new(&t, layout, KITH_INDEX_ORDERED);
    for (uint32_t i = 0; i < 100; i++) {
        KITH_SPAWN(t.world, {&Health_type, &health});
    }
    CHECK_UINT(calls_of_asking(&t), 100);
    CHECK_UINT(kith_index_stats(t.index).entries, 0);
    fixture_free(&t.f);
}

/* Which row comes to another place is the layout's affair: one that fills a hole, or none. */
TEST_EACH_LAYOUT(it_is_called_for_values_that_came_to_a_row, layout)
{
    static kith_entity entities[MANY];
    computed t;
    computed_new(&t, layout, KITH_INDEX_HASH);
    spawn_many(&t, entities);
    calls_of_asking(&t);
    CHECK_RESULT(kith_despawn(t.world, entities[77]), KITH_OK);
    CHECK_UINT(calls_of_asking(&t), layout == KITH_SLOT ? 0 : 1);
    CHECK_RESULT(kith_despawn(t.world, entities[MANY - 2]), KITH_OK); /* before the new last one */
    CHECK(calls_of_asking(&t) <= 1);
    CHECK_RESULT(KITH_ADD(t.world, entities[500], Position), KITH_OK);
    CHECK_UINT(calls_of_asking(&t), layout == KITH_TABLE ? 2 : 0);
    CHECK_RESULT(KITH_REMOVE(t.world, entities[600], Health), KITH_OK);
    CHECK_UINT(calls_of_asking(&t), layout == KITH_SLOT ? 0 : 1);
    CHECK_RESULT(KITH_SET(t.world, entities[600], Health, {1, 1}), KITH_OK);
    CHECK_UINT(calls_of_asking(&t), 1);
    KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 1}));
    CHECK_UINT(calls_of_asking(&t), 1);
    kith_spawn_empty(t.world); /* has none */
    KITH_SPAWN(t.world, KITH_VALUE(Position, {1, 1}));
    CHECK_UINT(calls_of_asking(&t), 0);
    expect_levels(&t);
    fixture_free(&t.f);
}

/* A slot that had another value meanwhile, and one without a value: what lies there is none. */
TEST_EACH_LAYOUT(what_lies_in_rows_without_an_entity_is_no_value, layout)
{
    computed t;
    computed_new(&t, layout, KITH_INDEX_ORDERED);
    static kith_entity entities[MANY];
    spawn_many(&t, entities);
    calls_of_asking(&t);
    for (uint32_t i = 0; i < MANY; i += 2) {
        CHECK_RESULT(KITH_REMOVE(t.world, entities[i], Health), KITH_OK);
    }
    expect_levels(&t);
    computed_calls(&t);
    for (uint32_t i = 0; i < MANY; i += 2) { /* by zero bytes, and then the same as before */
        CHECK_RESULT(KITH_ADD(t.world, entities[i], Health), KITH_OK);
    }
    CHECK(calls_of_asking(&t) >= (layout == KITH_SLOT ? MANY / 2 : 1));
    expect_levels(&t);
    fixture_free(&t.f);
}

/* For each that is other than it was, or in another row: all these were written in one block. */
TEST_EACH_LAYOUT(it_is_called_for_what_a_restore_changed, layout)
{
    static kith_entity entities[MANY];
    computed t;
    computed_new(&t, layout, KITH_INDEX_ORDERED);
    spawn_many(&t, entities);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(t.world, &before), KITH_OK);
    calls_of_asking(&t);
    KITH_GET_MUT(t.world, entities[5], Health)->max = 100;
    CHECK_RESULT(kith_despawn(t.world, entities[6]), KITH_OK);
    expect_levels(&t);
    CHECK_RESULT(kith_snapshot_restore(t.world, before), KITH_OK);
    computed_calls(&t);
    CHECK_UINT(calls_of_asking(&t), layout == KITH_SLOT ? 2 : 3);
    expect_levels(&t);
    kith_snapshot_free(before);
    fixture_free(&t.f);
}

/* A view has indexes of its own, of what was, also by keys that its world does not know. */
TEST_EACH_LAYOUT(a_view_has_its_own, layout)
{
    static kith_entity entities[MANY];
    computed t;
    computed_new(&t, layout, KITH_INDEX_ORDERED);
    spawn_many(&t, entities);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(t.world, &before), KITH_OK);
    KITH_GET_MUT(t.world, entities[5], Health)->max = -1;
    computed view = {.calls = 0};
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED,
                                KITH_FIELDS(Spot, x),
                                .of = &Health_type,
                                .key = spot_of,
                                .user = &view.calls};
    kith_index_found found;
    CHECK_RESULT(kith_view_new(before, NULL, &view.world), KITH_OK);
    view.all = KITH_QUERY(view.world, KITH_READ(Health));
    CHECK_RESULT(kith_index_new(view.world, &def, &view.index), KITH_OK);
    for (int level = 0; level < LEVELS; level++) {
        static kith_entity with[SCANNED_MAX];
        uint32_t count = 0;
        for (int32_t max = 0; max < 5; max++) {
            count += scan_levels(&view, level, max, with);
        }
        CHECK_RESULT(kith_index_find(view.index, &(Spot){.x = (float)level}, &found), KITH_OK);
        CHECK_UINT(found.count, count);
    }
    CHECK_UINT(computed_calls(&view), MANY);
    CHECK_WORLD(view.world);
    expect_levels(&t);
    kith_world_free(view.world);
    kith_snapshot_free(before);
    fixture_free(&t.f);
}

/* What is written in a loop that is open is seen, whenever the index is asked. */
TEST_EACH_LAYOUT(an_open_loop_may_go_on_writing, layout)
{
    static kith_entity entities[MANY];
    computed t;
    computed_new(&t, layout, KITH_INDEX_ORDERED);
    spawn_many(&t, entities);
    calls_of_asking(&t);
    kith_query *query = KITH_QUERY(t.world, KITH_WRITE(Health));
    uint32_t written = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Health *health = KITH_COLUMN_MUT(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            health[i] = (Health){7, 1000};
            if (++written % 400 == 0) {
                CHECK_UINT(calls_of_asking(&t), 400);
            }
        }
    }
    CHECK_UINT(calls_of_asking(&t), MANY % 400);
    expect_levels(&t);
    fixture_free(&t.f);
}

/* ---- What is wrong */

static int32_t mood;

static bool moody(const void *value, void *key, void *user)
{
    (void)user;
    ((Health *)key)->current = ((const Health *)value)->current + mood;
    return mood < 5;
}

/* A function that depends on more than the value. */
TEST_EACH_LAYOUT(a_function_with_other_answers_is_found_by_checking, layout)
{
    fixture f = fixture_with_all(layout);
    const kith_index_def def = {
        .kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current), .of = &Health_type, .key = moody};
    kith_index *index;
    kith_index_found found;
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Health, {7, 1}));
    mood = 0;
    CHECK_RESULT(kith_index_find(index, &(Health){.current = 7}, &found), KITH_OK);
    CHECK_UINT(found.count, 1);
    CHECK_WORLD(f.world);
    for (mood = 1; mood <= 5; mood += 4) {
        CHECK_RESULT(kith_world_check(f.world), KITH_ERR_CORRUPT);
        CHECK_CONTAINS(kith_error(f.world),
                       "the key function of an index says something else of the same value");
    }
    mood = 0; /* now a key of zero bytes, as one that is left out has */
    CHECK_RESULT(KITH_SET(f.world, e, Health, {INT32_MIN, 1}), KITH_OK);
    CHECK_RESULT(kith_index_find(index, &(Health){.current = INT32_MIN}, &found), KITH_OK);
    CHECK_UINT(found.count, 1);
    CHECK_WORLD(f.world);
    mood = 5;
    CHECK_RESULT(kith_world_check(f.world), KITH_ERR_CORRUPT);
    mood = 0;
    fixture_free(&f);
}

typedef struct Long {
    char text[41];
} Long;
KITH_TYPE(Long, KITH_FIELD(Long, text));

TEST(a_definition_may_be_wrong)
{
    fixture f = fixture_with_all(KITH_TABLE);
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    kith_index *index = NULL;
    kith_index_def def = {.kind = KITH_INDEX_ORDERED,
                          KITH_FIELDS(Danger, level),
                          .of = &Frozen_type,
                          .key = danger_of};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_OK);
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Frozen has no value to make a key from");
    def = (kith_index_def){
        .kind = KITH_INDEX_HASH, KITH_FIELDS(Owned, tag), .of = &Health_type, .key = danger_of};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "keys are plain values, and Owned has hooks");
    def = (kith_index_def){
        .kind = KITH_INDEX_HASH, KITH_FIELDS(Long, text), .of = &Health_type, .key = danger_of};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world),
                   "a hash by a function takes up to 40 bytes of fields, and those of Long have"
                   " more");
    def.kind = KITH_INDEX_SPATIAL;
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "a spatial index of Long takes");
    def.fields[0] = "current";
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "Long has no field 'current'; it has ");
    def.fields[0] = NULL;
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "an index of Long names no field");
    CHECK_PTR_NULL(index);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}
