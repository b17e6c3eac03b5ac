/* Conditions about what a function computes, with and without an index by the function. */
#include <kith/floats.h>

#include "all_ways.h"
#include "computed.h"
#include "owned.h"
#include "rejects.h"

#define MANY 3000u

static void spawn_many(computed *t)
{
    for (uint32_t i = 0; i < MANY; i++) {
        kith_entity entity = KITH_SPAWN(t->world, KITH_VALUE(Health, {(int32_t)(i * 7 % MANY),
                                                                      (int32_t)(i % 7) - 1}));
        if (i % 3 == 0) {
            CHECK_RESULT(KITH_ADD(t->world, entity, Position), KITH_OK);
        }
    }
}

/* What satisfies a condition, found one by one. */
typedef bool (*holds_fn)(const Health *health);

static void check_found(int line, computed *t, kith_query *query, holds_fn holds)
{
    static kith_entity found[MANY + 8];
    uint32_t count = 0;
    uint32_t at = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            found[count++] = kith_entities(&it)[i];
        }
    }
    for (kith_iter it = kith_query_iter(t->all); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const kith_entity entity = kith_entities(&it)[i];
            const bool is = holds(&KITH_COLUMN(&it, Health)[i]);
            CHECK(kith_query_contains(query, entity) == is);
            if (is) {
                test_check_same(__FILE__, line, "found", "scanned", found[at++], entity);
            }
        }
    }
    test_check_uint(__FILE__, line, "found", "scanned", count, at);
    test_check_uint(__FILE__, line, "counted", "scanned", kith_query_count(query), at);
    CHECK_WORLD(t->world);
}
#define expect_found(t, query, holds) check_found(__LINE__, (t), (query), (holds))

static bool is_seven(const Health *health)
{
    return health->max > 0 && health->current % LEVELS == 7;
}

static bool is_high(const Health *health)
{
    return health->max > 0 && health->current % LEVELS >= 8;
}

static bool is_two_or_four(const Health *health)
{
    return health->max > 0 &&
           (health->current % LEVELS == 2 || health->current % LEVELS == 4);
}

static bool is_not_seven(const Health *health)
{
    return !is_seven(health);
}

static bool is_label(const Health *health)
{
    return health->max >= 0 && health->current % LEVELS == 3 && health->max != 2;
}

static bool is_near(const Health *health)
{
    const int32_t x = health->current % LEVELS - 5;
    const int32_t y = health->max - 1;
    return health->max >= 0 && x * x + y * y <= 4;
}

static bool has_level_as_max(const Health *health)
{
    return health->max > 0 && health->current % LEVELS == health->max;
}

/* A query, made and freed. */
static void ask(int line, computed *t, const kith_term *terms, holds_fn holds)
{
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(t->world, &(kith_query_def){.terms = terms}, &query), KITH_OK);
    check_found(line, t, query, holds);
    kith_query_free(query);
}

static void ask_all(computed *t)
{
    ask(__LINE__, t,
        KITH_TERMS(KITH_IF_KEY(Health, danger_of, &t->calls, KITH_IF(Danger, level, ==, 7))),
        is_seven);
    ask(__LINE__, t,
        KITH_TERMS(KITH_IF_KEY(Health, danger_of, &t->calls, KITH_IF(Danger, level, >=, 8))),
        is_high);
    ask(__LINE__, t,
        KITH_TERMS(KITH_IF_KEY(Health, danger_of, &t->calls, KITH_IF_IN(Danger, level, 2, 4))),
        is_two_or_four);
    ask(__LINE__, t,
        KITH_TERMS(KITH_IF_NOT(
            KITH_IF_KEY(Health, danger_of, &t->calls, KITH_IF(Danger, level, ==, 7)))),
        is_not_seven);
    ask(__LINE__, t,
        KITH_TERMS(KITH_IF_KEY(Health, danger_of, &t->calls,
                               KITH_IF(Danger, level, ==, KITH_ITS(Danger, unused)))),
        has_level_as_max);
    ask(__LINE__, t,
        KITH_TERMS(KITH_IF_KEY(Health, label_of, &t->calls,
                               KITH_IF_ALL(KITH_IF(Label, text, ==, "n3"),
                                           KITH_IF_NOT(KITH_IF(Label, max, ==, 2))))),
        is_label);
    ask(__LINE__, t,
        KITH_TERMS(KITH_IF_KEY(Health, spot_of, &t->calls, KITH_IF_WITHIN(Spot, 5, 1, 2))),
        is_near);
}

TEST_EACH_LAYOUT(a_function_is_asked_of_each, layout)
{
    computed t;
    computed_new(&t, layout, KITH_INDEX_HASH);
    kith_index_free(t.index);
    spawn_many(&t);
    ask_all(&t);
    fixture_free(&t.f);
}

static void new_index(computed *t, kith_index_kind kind, const kith_type *type, const char *field,
                      const char *other, kith_index_key_fn key)
{
    kith_index *index;
    const kith_index_def def = {.kind = kind,
                                .type = type,
                                .fields = {field, other},
                                .of = &Health_type,
                                .key = key,
                                .user = &t->calls};
    CHECK_RESULT(kith_index_new(t->world, &def, &index), KITH_OK);
}

TEST_EACH_LAYOUT(answers_are_the_same_with_indexes, layout)
{
    const kith_index_kind kinds[] = {KITH_INDEX_HASH, KITH_INDEX_ORDERED};
    for (int i = 0; i < 2; i++) {
        computed t;
        computed_new(&t, layout, kinds[i]);
        new_index(&t, kinds[i], &Label_type, "text", "max", label_of);
        new_index(&t, KITH_INDEX_SPATIAL, &Spot_type, "x", "y", spot_of);
        spawn_many(&t);
        ask_all(&t);
        ask_all(&t);
        fixture_free(&t.f);
    }
}

/* ---- Which index is found -------------------------------------------------------------------- */

static void expect_plan(kith_query *query, const char *part)
{
    char text[700];
    CHECK_RESULT(kith_query_explain(query, false, text, sizeof(text), NULL), KITH_OK);
    CHECK_CONTAINS(text, part);
}

static uint32_t others;

static bool danger_too(const void *value, void *key, void *user)
{
    return danger_of(value, key, user);
}

TEST_EACH_LAYOUT(queries_find_the_index_of_their_function, layout)
{
    computed t;
    computed_new(&t, layout, KITH_INDEX_HASH);
    spawn_many(&t);
    kith_query *same = KITH_QUERY(t.world, KITH_IF_KEY(Health, danger_of, &t.calls,
                                                       KITH_IF(Danger, level, ==, 7)));
    kith_query *by_other_user = KITH_QUERY(t.world, KITH_IF_KEY(Health, danger_of, &others,
                                                                KITH_IF(Danger, level, ==, 7)));
    kith_query *by_other_call = KITH_QUERY(t.world, KITH_IF_KEY(Health, danger_too, &t.calls,
                                                                KITH_IF(Danger, level, ==, 7)));
    kith_query *by_other_key = KITH_QUERY(t.world, KITH_IF_KEY(Health, spot_of, &t.calls,
                                                               KITH_IF(Spot, y, ==, 7)));
    expect_found(&t, same, is_seven);
    expect_found(&t, by_other_user, is_seven);
    expect_plan(same, "hash of Danger (level), computed from Health");
    expect_plan(by_other_user, "plan: scan");
    expect_plan(by_other_call, "plan: scan");
    expect_plan(by_other_key, "plan: scan");
    /* Nothing changed: it is not called for those that the index does not name. */
    computed_calls(&t);
    const uint32_t found = kith_query_count(same);
    CHECK(found > 0 && computed_calls(&t) <= found);
    fixture_free(&t.f);
}

/* A key and a component of the same shape have fields in the same places. */
TEST_EACH_LAYOUT(an_index_of_the_component_is_another, layout)
{
    computed t;
    computed_new(&t, layout, KITH_INDEX_HASH);
    kith_index_free(t.index);
    spawn_many(&t);
    kith_index *filter;
    kith_index *plain;
    const kith_index_def of_filter = {.kind = KITH_INDEX_FILTER, KITH_FIELDS(Health, max)};
    const kith_index_def of_plain = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Health, current)};
    CHECK_RESULT(kith_index_new(t.world, &of_filter, &filter), KITH_OK);
    CHECK_RESULT(kith_index_new(t.world, &of_plain, &plain), KITH_OK);
    kith_query *current = KITH_QUERY(t.world, KITH_IF(Health, current, <, 40));
    const uint64_t before = ask_all_ways(current);
    ask_all(&t); /* Danger's `unused` is where Health's `current` is */
    kith_query *query = KITH_QUERY(t.world, KITH_IF_KEY(Health, danger_of, &t.calls,
                                                        KITH_IF(Danger, unused, ==, 9999)));
    CHECK_UINT(kith_query_count(query), 0);
    expect_plan(query, "plan: scan");
    new_index(&t, KITH_INDEX_ORDERED, &Danger_type, "unused", NULL, danger_of);
    CHECK_UINT(kith_query_count(query), 0);
    kith_index_free(plain);
    CHECK(ask_all_ways(current) == before);
    expect_plan(current, "plan: scan"); /* not by what is computed */
    fixture_free(&t.f);
}

/* Danger's `unused` is where Health's `current` is, and of its kind; here the greatest comes first. */
static bool opposite_of(const void *value, void *key, void *user)
{
    (void)user;
    ((Danger *)key)->unused = -((const Health *)value)->current;
    return true;
}

TEST_EACH_LAYOUT(rows_are_in_the_order_of_the_component, layout)
{
    computed t;
    computed_new(&t, layout, KITH_INDEX_HASH);
    spawn_many(&t);
    kith_select *select;
    CHECK_RESULT(kith_select_new(t.world, "Health select Health.current order by Health.current"
                                          " limit 10", NULL, &select), KITH_OK);
    new_index(&t, KITH_INDEX_ORDERED, &Danger_type, "unused", NULL, opposite_of);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), 10);
    for (uint32_t row = 0; row < 10; row++) {
        const int32_t *current = kith_select_value(select, row, 0);
        CHECK_INT(*current, (int32_t)row);
    }
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* A loop that writes what the function is asked about sees what it wrote. */
TEST_EACH_LAYOUT(a_loop_may_write_the_value, layout)
{
    computed t;
    computed_new(&t, layout, KITH_INDEX_HASH);
    spawn_many(&t);
    kith_query *query =
        KITH_QUERY(t.world, KITH_WRITE(Health),
                   KITH_IF_KEY(Health, danger_of, &t.calls, KITH_IF(Danger, level, ==, 7)));
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            Health *health = KITH_AT_MUT(&it, i, Health);
            CHECK(is_seven(health));
            health->current++;
            count++;
        }
    }
    CHECK(count > 0);
    CHECK_UINT(kith_query_count(query), 0);
    expect_found(&t, query, is_seven);
    fixture_free(&t.f);
}

static int32_t bound_level;

static bool is_bound(const Health *health)
{
    return health->max > 0 && health->current % LEVELS == bound_level;
}

TEST_EACH_LAYOUT(values_are_bound_and_followed, layout)
{
    computed t;
    computed_new(&t, layout, KITH_INDEX_ORDERED);
    spawn_many(&t);
    kith_query *query =
        KITH_QUERY(t.world, KITH_IF_KEY(Health, danger_of, &t.calls,
                                        KITH_IF(Danger, level, ==, kith_bound("level"))));
    for (bound_level = 0; bound_level < 4; bound_level++) {
        CHECK_RESULT(kith_query_bind(query, "level", bound_level), KITH_OK);
        expect_found(&t, query, is_bound);
        KITH_SPAWN(t.world, KITH_VALUE(Health, {bound_level, 1}));
        expect_found(&t, query, is_bound);
    }
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(a_live_query_follows_what_is_computed, layout)
{
    computed t;
    computed_new(&t, layout, KITH_INDEX_ORDERED);
    spawn_many(&t);
    kith_live *live;
    kith_live_changes changes;
    kith_query *query = KITH_QUERY(t.world, KITH_IF_KEY(Health, danger_of, &t.calls,
                                                        KITH_IF(Danger, level, ==, 4)));
    CHECK_RESULT(kith_live_new(t.world, query, &live), KITH_OK);
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    CHECK_UINT(changes.entered_count, kith_query_count(query));
    kith_entity entity = KITH_SPAWN(t.world, KITH_VALUE(Health, {4, 1}));
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    CHECK_UINT(changes.entered_count, 1);
    KITH_GET_MUT(t.world, entity, Health)->max = -1;
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    CHECK_UINT(changes.left_count, 1);
    CHECK_SAME(changes.left[0], entity);
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* What the parent's value gives. */
TEST_EACH_LAYOUT(another_entity_may_be_asked, layout)
{
    computed t;
    computed_new(&t, layout, KITH_INDEX_HASH);
    kith_entity weak = KITH_SPAWN(t.world, KITH_VALUE(Health, {7, 1}));
    kith_entity other = KITH_SPAWN(t.world, KITH_VALUE(Health, {8, 1}));
    kith_entity child = kith_spawn_empty(t.world);
    CHECK_RESULT(kith_set_parent(t.world, child, other), KITH_OK);
    kith_query *query = KITH_QUERY(
        t.world, KITH_VIA(kith_child_of, KITH_IF_KEY(Health, danger_of, &t.calls,
                                                     KITH_IF(Danger, level, ==, 7))));
    CHECK_UINT(kith_query_count(query), 0);
    CHECK_RESULT(kith_set_parent(t.world, child, weak), KITH_OK);
    CHECK_UINT(kith_query_count(query), 1);
    CHECK_SAME(kith_query_first(query), child);
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* An ancestor, and another entity of a row, with a path, in one query. */
TEST_EACH_LAYOUT(others_are_asked_with_an_index_too, layout)
{
    computed t;
    computed_new(&t, layout, KITH_INDEX_HASH);
    spawn_many(&t);
    kith_entity top = KITH_SPAWN(t.world, KITH_VALUE(Health, {7, 1}));
    kith_entity middle = kith_spawn_empty(t.world);
    kith_entity child = KITH_SPAWN(t.world, KITH_VALUE(Health, {8, 1}));
    CHECK_RESULT(kith_set_parent(t.world, middle, top), KITH_OK);
    CHECK_RESULT(kith_set_parent(t.world, child, middle), KITH_OK);
    CHECK_RESULT(kith_set_name(t.world, top, "top"), KITH_OK);
    kith_query *above = KITH_QUERY(
        t.world, KITH_WITH(Health), KITH_UP(KITH_IF_KEY(Health, danger_of, &t.calls,
                                                        KITH_IF(Danger, level, ==, 7))));
    kith_query *rows = KITH_QUERY(
        t.world, KITH_PAIR(kith_child_of, 0, 1), KITH_OTHER(1, KITH_IF_PATH_LIKE("**/t*/**")),
        KITH_OTHER(1, KITH_IF_KEY(Health, danger_of, &t.calls, KITH_IF(Danger, level, ==, 7))));
    CHECK_UINT(kith_query_count(above), 1);
    CHECK_SAME(kith_query_first(above), child);
    CHECK_UINT(kith_query_count(rows), 1);
    CHECK_SAME(kith_query_first(rows), middle);
    CHECK_RESULT(KITH_SET(t.world, top, Health, {6, 1}), KITH_OK);
    CHECK_UINT(kith_query_count(above), 0);
    CHECK_UINT(kith_query_count(rows), 0);
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* Also of a value that hooks made. */
static bool first_byte(const void *value, void *key, void *user)
{
    (void)user;
    ((Danger *)key)->level = *(void *const *)value == NULL ? 0 : 1;
    return true;
}

/* ---- What is wrong --------------------------------------------------------------------------- */

typedef struct Large {
    int32_t number;
    char text[KITH_KEY_BYTES];
} Large;
KITH_TYPE(Large, KITH_FIELD(Large, number), KITH_FIELD(Large, text));

TEST(conditions_without_sense_are_refused)
{
    fixture f = fixture_with_all(KITH_TABLE);
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    CHECK_RESULT(kith_register(f.world, &Owned_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_OK);
    const kith_term level = KITH_IF(Danger, level, ==, 7);
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Health, NULL, NULL, level)), "Health has no function");
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Frozen, danger_of, NULL, level)),
                  "Frozen has no value from which anything could be computed");
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Health, danger_of, NULL, level, level)),
                  "Health takes one condition; to ask more, write KITH_IF_ALL(...)");
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Health, danger_of, NULL, KITH_IF_ALL({0}))),
                  "asks nothing about what is computed");
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Health, danger_of, NULL,
                                             KITH_IF_ALL(level, KITH_WITH(Danger)))),
                  "asks what is computed something else than KITH_IF and the like");
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Health, danger_of, NULL,
                                             KITH_VIA(kith_child_of, level))),
                  "asks what is computed something else than KITH_IF and the like");
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Health, danger_of, NULL,
                                             KITH_IF_KEY(Danger, danger_of, NULL, level))),
                  "asks what is computed something else than KITH_IF and the like");
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Health, danger_of, NULL,
                                             KITH_IF_ANY(level, KITH_IF(Spot, x, <, 1)))),
                  "asks about fields of several types, of which one is computed");
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Health, danger_of, NULL,
                                           KITH_IF(Danger, level, <,
                                                   KITH_ITS_UP(KITH_ITS(Health, max))))),
                "compares what is computed with what is found from an entity");
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Health, danger_of, NULL,
                                             KITH_IF(Danger, level, <, KITH_ITS(Health, max)))),
                  "asks about fields of several types, of which one is computed");
    const kith_term large = KITH_IF(Large, number, <, 1);
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Health, danger_of, NULL, large)),
                  "computes a type of more than 256 bytes");
    const kith_condition of_owned = {.op = KITH_OP_EQUAL, .field = "number",
                                     .value = {.kind = KITH_OPERAND_I64}};
    const kith_term owned[] = {{.type = &Owned_type, .condition = &of_owned}, {0}};
    const kith_condition key = {.op = KITH_OP_KEY, .key = danger_of, .terms = owned};
    const kith_term terms[] = {{.type = &Health_type, .condition = &key}, {0}};
    rejects_all(&f, terms, "computes what has hooks; keys are plain values");
    const kith_term no_type[] = {{.condition = &key}, {0}};
    rejects_all(&f, no_type, "KITH_IF_KEY: it has no type");
    rejects_all(&f, KITH_TERMS(KITH_IF_KEY(Health, danger_of, NULL,
                                             KITH_IF(Danger, level, ==, "high"))),
                  "Danger.level is f32, and is compared with numbers");
    kith_query *query =
        KITH_QUERY(f.world, KITH_IF_KEY(Owned, first_byte, NULL, KITH_IF(Danger, level, ==, 1)));
    CHECK(query != NULL);
    CHECK_UINT(kith_query_count(query), 0);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

static bool spawns(const void *value, void *key, void *user)
{
    (void)value, (void)key;
    kith_spawn_empty(user);
    return true;
}

TEST_EACH_LAYOUT(a_function_may_not_use_the_world, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 1}));
    kith_query *query =
        KITH_QUERY(f.world, KITH_IF_KEY(Health, spawns, f.world, KITH_IF(Danger, level, ==, 0)));
    CHECK_UINT(kith_query_count(query), 1);
    expect_misuse(&f, "the key function of a condition about 'Health' is running; it must not"
                      " call into the world");
    CHECK_UINT(kith_entity_count(f.world), 1);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}
