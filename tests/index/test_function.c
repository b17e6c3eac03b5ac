/* Indexes by a function: what they find, and for which values the function is called. */
#include "computed.h"

#include <stdlib.h>

#include "base/hash.h"
#include "owned.h"
#include "random.h"

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

TEST_EACH_LAYOUT(it_is_called_for_all_after_a_restore, layout)
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
    CHECK_UINT(calls_of_asking(&t), MANY);
    expect_levels(&t);
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

/* ---- Values with hooks: what they own changes while their bytes do not */

typedef struct Number {
    uint32_t number;
} Number;
KITH_TYPE(Number, KITH_FIELD(Number, number));

static bool number_of(const void *value, void *key, void *user)
{
    const Owned *owned = value;
    uint32_t *calls = user;
    ++*calls;
    ((Number *)key)->number = *owned->number;
    return *owned->number != 13;
}

static uint32_t count_of_number(kith_index *index, uint32_t number)
{
    kith_index_found found;
    CHECK_RESULT(kith_index_find(index, &(Number){number}, &found), KITH_OK);
    return found.count;
}

TEST_EACH_LAYOUT(what_values_own_is_looked_at, layout)
{
    fixture f = fixture_new();
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    const kith_component_def component = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &component), KITH_OK);
    uint32_t calls = 0;
    const kith_index_def def = {.kind = KITH_INDEX_HASH,
                                KITH_FIELDS(Number, number),
                                .of = &Owned_type,
                                .key = number_of,
                                .user = &calls};
    kith_index *index;
    kith_entity entities[9];
    for (uint32_t i = 0; i < 9; i++) {
        entities[i] = kith_spawn_empty(f.world);
        CHECK_RESULT(KITH_ADD(f.world, entities[i], Owned), KITH_OK);
    }
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    CHECK_UINT(count_of_number(index, OWNED_INITIAL), 9);
    *KITH_GET_MUT(f.world, entities[3], Owned)->number = 5; /* the same bytes */
    *KITH_GET_MUT(f.world, entities[4], Owned)->number = 13;
    CHECK_UINT(count_of_number(index, OWNED_INITIAL), 7);
    CHECK_UINT(count_of_number(index, 5), 1);
    CHECK_UINT(count_of_number(index, 13), 0);
    CHECK_RESULT(KITH_REMOVE(f.world, entities[5], Owned), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, entities[3]), KITH_OK);
    calls = 0;
    CHECK_UINT(count_of_number(index, OWNED_INITIAL), 6);
    CHECK(calls <= 9);
    calls = 0;
    CHECK_UINT(count_of_number(index, 5), 0);
    CHECK_UINT(calls, 0);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- Several indexes, and memory that runs out */

/* Random changes, with an index of each kind by functions. */
typedef struct crowd {
    computed t;
    kith_index *labels;
    kith_index *spots;
    kith_index *ordered_labels;
} crowd;

static kith_index *index_of(kith_world *world, kith_index_def def, uint32_t *calls)
{
    kith_index *index = NULL;
    def.of = &Health_type;
    def.user = calls;
    CHECK_RESULT(kith_index_new(world, &def, &index), KITH_OK);
    return index;
}

static void crowd_new(crowd *c, kith_layout layout)
{
    const kith_index_def labels = {
        .kind = KITH_INDEX_HASH, KITH_FIELDS(Label, text, max), .key = label_of};
    const kith_index_def ordered = {
        .kind = KITH_INDEX_ORDERED, KITH_FIELDS(Label, max, text), .key = label_of};
    const kith_index_def spots = {
        .kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, x, y), .key = spot_of};
    computed_new(&c->t, layout, KITH_INDEX_ORDERED);
    c->labels = index_of(c->t.world, labels, &c->t.calls);
    c->ordered_labels = index_of(c->t.world, ordered, &c->t.calls);
    c->spots = index_of(c->t.world, spots, &c->t.calls);
}

static void sort_by_slot(kith_entity *entities, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = i; k > 0 && entities[k].index1 < entities[k - 1].index1; k--) {
            kith_entity other = entities[k];
            entities[k] = entities[k - 1];
            entities[k - 1] = other;
        }
    }
}

static void expect_labels(crowd *c, int level, int32_t max)
{
    static kith_entity entities[SCANNED_MAX];
    kith_index_found found;
    Label label = {.max = max};
    snprintf(label.text, sizeof(label.text), "n%d", level);
    uint32_t count = scan_levels(&c->t, level, max, entities);
    CHECK_RESULT(kith_index_find(c->labels, &label, &found), KITH_OK);
    check_same_entities(__LINE__, &found, entities, count);
    CHECK_RESULT(kith_index_find(c->ordered_labels, &label, &found), KITH_OK);
    check_same_entities(__LINE__, &found, entities, count);
    const kith_range range = {.from = &label, .to = &label};
    CHECK_RESULT(kith_index_range(c->ordered_labels, &range, &found), KITH_OK);
    sort_by_slot(entities, count);
    check_same_entities(__LINE__, &found, entities, count);
    const kith_point at = {(double)level, (double)max, 0};
    CHECK_RESULT(kith_within_box(c->spots, at, at, NULL, &found), KITH_OK);
    check_same_entities(__LINE__, &found, entities, count);
}

static void expect_all(crowd *c)
{
    for (int level = 0; level < LEVELS; level++) {
        for (int32_t max = 0; max < 3; max++) {
            expect_labels(c, level, max);
        }
    }
    expect_levels(&c->t);
}

static void change_one(crowd *c, kith_entity *entity, uint64_t *random)
{
    kith_world *world = c->t.world;
    Health health = {(int32_t)random_below(random, 25), (int32_t)random_below(random, 4) - 1};
    switch (random_below(random, 8)) {
    case 0: kith_despawn(world, *entity); break;
    case 1: kith_add(world, *entity, &Position_type); break;
    case 2: kith_remove(world, *entity, &Position_type); break;
    case 3: kith_remove(world, *entity, &Health_type); break;
    case 4:
        if (KITH_HAS(world, *entity, Health)) {
            KITH_GET_MUT(world, *entity, Health)->max = health.max;
        }
        break;
    case 5:
        if (KITH_HAS(world, *entity, Health)) {
            CHECK_RESULT(kith_set(world, *entity, &Health_type, &health), KITH_OK);
        }
        break;
    default: break;
    }
    if (!KITH_ALIVE(world, *entity)) {
        *entity = KITH_SPAWN(world, KITH_VALUE(Health, {health.current, health.max}));
    }
}

TEST_EACH_LAYOUT(random_changes_are_followed, layout)
{
    static kith_entity entities[1300];
    crowd c;
    crowd_new(&c, layout);
    uint64_t random = 5;
    memset(entities, 0, sizeof(entities));
    const uint32_t steps = test_short() ? 600 : 3000;
    for (uint32_t step = 0; step < steps; step++) {
        change_one(&c, &entities[random_below(&random, 1300)], &random);
        if (random_below(&random, 5) == 0) {
            expect_labels(&c, (int)random_below(&random, LEVELS),
                          (int32_t)random_below(&random, 3));
        }
        if (layout != KITH_SLOT && step % 250 == 0) {
            CHECK_RESULT(KITH_SORT(c.t.world, Health, current), KITH_OK);
        }
        if (step % 200 == 0) {
            expect_all(&c);
        }
    }
    expect_all(&c);
    fixture_free(&c.t.f);
}

/* Whichever allocation fails, the answer is an error, and then it is right. */
TEST_EACH_LAYOUT(a_refresh_survives_every_allocation_failure, layout)
{
    crowd c;
    crowd_new(&c, layout);
    kith_index *const all[] = {c.labels, c.ordered_labels, c.t.index};
    const Label label = {"n3", 1};
    const Danger danger = {0, 3};
    for (uint32_t which = 0; which < 3; which++) {
        bool reached = true;
        for (size_t nth = 1; reached; nth++) {
            kith_entity last = KITH_NONE;
            for (int i = 0; i < 60; i++) {
                last = KITH_SPAWN(c.t.world, KITH_VALUE(Health, {i, i % 4 - 1}));
            }
            kith_index_found found;
            fail_allocation(&c.t.f, nth);
            kith_result result = kith_index_find(
                all[which], which == 2 ? (const void *)&danger : (const void *)&label, &found);
            reached = fail_nothing(&c.t.f);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            CHECK_RESULT(KITH_SET(c.t.world, last, Health, {3, 1}), KITH_OK);
            expect_labels(&c, 3, 1);
            expect_levels(&c.t);
        }
    }
    fixture_free(&c.t.f);
}

/* A definition is made, or nothing is. */
TEST(making_one_survives_every_allocation_failure)
{
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        fixture f = fixture_new();
        uint32_t calls = 0;
        const kith_index_def def = {.kind = KITH_INDEX_HASH,
                                    KITH_FIELDS(Label, text),
                                    .of = &Health_type,
                                    .key = label_of,
                                    .user = &calls};
        kith_index *index = NULL;
        fail_allocation(&f, nth);
        kith_result result = kith_index_new(f.world, &def, &index);
        reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_INT(index != NULL, result == KITH_OK);
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

/* ---- Keys with one hash ---------------------------------------------------------------------------- */

typedef struct Wide {
    uint64_t first;
    uint64_t second;
} Wide;
KITH_TYPE(Wide, KITH_FIELD(Wide, first), KITH_FIELD(Wide, second));

/* A hash of two numbers mixes the second one into that of the first: so all of these have the same. */
static bool wide_of(const void *value, void *key, void *user)
{
    const uint64_t first = (uint64_t)((const Health *)value)->current;
    (void)user;
    *(Wide *)key = (Wide){first, ki_hash_u64(KI_HASH_SEED, first)};
    return true;
}

TEST_EACH_LAYOUT(keys_with_one_hash_are_different_keys, layout)
{
    fixture f = fixture_with_all(layout);
    const kith_index_def def = {
        .kind = KITH_INDEX_HASH, KITH_FIELDS(Wide, first, second), .of = &Health_type, .key = wide_of};
    kith_index *index;
    kith_index_found found;
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    for (int32_t i = 0; i < 60; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {i % 20, i}));
    }
    for (int32_t i = 0; i < 21; i++) {
        Wide wide;
        wide_of(&(Health){.current = i}, &wide, NULL);
        CHECK_RESULT(kith_index_find(index, &wide, &found), KITH_OK);
        CHECK_UINT(found.count, i < 20 ? 3 : 0);
        for (uint32_t k = 0; k < found.count; k++) {
            CHECK_INT(KITH_GET(f.world, found.entities[k], Health)->current, i);
        }
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- What it is not for ---------------------------------------------------------------------------- */

/* The planner may not take the keys for the component's own fields, of whatever name. */
static bool negate(const void *value, void *key, void *user)
{
    (void)user;
    *(Health *)key = (Health){-((const Health *)value)->current, 0};
    return true;
}

TEST(queries_do_not_ask_it)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED,
                                KITH_FIELDS(Health, current),
                                .of = &Health_type,
                                .key = negate};
    kith_index *index;
    kith_index_found found;
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    for (int i = 0; i < 5000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {i, 1}));
    }
    CHECK_RESULT(kith_index_find(index, &(Health){.current = -77}, &found), KITH_OK);
    CHECK_UINT(found.count, 1);
    CHECK_UINT(kith_entity_slot(found.entities[0]), 77);
    kith_query *query = KITH_QUERY(f.world, KITH_IF(Health, current, ==, 77));
    char text[700];
    for (int i = 0; i < 20; i++) {
        CHECK_UINT(kith_query_count(query), 1);
    }
    CHECK_RESULT(kith_query_explain(query, false, text, sizeof(text), NULL), KITH_OK);
    CHECK_CONTAINS(text, "plan: scan");
    fixture_free(&f);
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
    CHECK_CONTAINS(kith_error(f.world), "Frozen has no value, from which a key could be made");
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
    CHECK_CONTAINS(kith_error(f.world), "Long has no field \"current\"");
    def.fields[0] = NULL;
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "an index of Long names no field");
    CHECK_PTR_NULL(index);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}
