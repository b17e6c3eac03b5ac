/* Queries that look for what may have changed: they never miss a change, reading is none, and blocks
 * that nobody wrote to are passed over. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "stage.h"
#include "test.h"

/* What one look sees: how many entities, and whether one of them is `wanted`. */
typedef struct sight {
    uint32_t count;
    bool wanted;
} sight;

static sight look(kith_query *query, kith_entity wanted)
{
    sight seen = {0};
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            seen.count++;
            seen.wanted = seen.wanted || kith_entity_equal(kith_entities(&it)[i], wanted);
        }
    }
    CHECK_RESULT(it.result, KITH_OK);
    return seen;
}

static void check_sees(kith_query *query, kith_entity entity)
{
    CHECK(kith_query_contains(query, entity));
    uint32_t count = kith_query_count(query);
    sight seen = look(query, entity);
    CHECK_UINT(seen.count, count);
    CHECK(seen.wanted);
}

static void check_sees_nothing(kith_query *query)
{
    CHECK_UINT(kith_query_count(query), 0);
    CHECK(kith_is_none(kith_query_first(query)));
    CHECK_UINT(look(query, KITH_NONE).count, 0);
}

typedef struct crowd {
    fixture f;
    kith_world *world;
    kith_entity e[3000];
} crowd;

static crowd *crowd_new(kith_layout layout)
{
    static crowd c;
    c.f = fixture_with_all(layout);
    c.world = c.f.world;
    for (uint32_t i = 0; i < 3000; i++) {
        c.e[i] = KITH_SPAWN(c.world, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(Velocity));
    }
    return &c;
}

TEST_EACH_LAYOUT(the_first_look_sees_everything_and_the_second_nothing, layout)
{
    crowd *c = crowd_new(layout);
    kith_query *query = KITH_QUERY(c->world, KITH_CHANGED(Position));
    CHECK_UINT(look(query, KITH_NONE).count, 3000);
    check_sees_nothing(query);
    check_sees_nothing(query);
    fixture_free(&c->f);
}

/* Who drives the look stands far behind all that have what must have changed. */
TEST_EACH_LAYOUT(where_nobody_near_has_it_nothing_changed, layout)
{
    enum { MANY = 100000 };
    static kith_entity e[MANY];
    const kith_type *types[] = {&Extra_type, &Frozen_type};
    for (int i = 0; i < 2; i++) {
        fixture f = fixture_with_all(layout);
        const kith_type *type = types[i];
        CHECK_RESULT(kith_spawn_many(f.world, MANY, NULL, 0, e), KITH_OK);
        for (uint32_t k = 0; k < 200; k++) {
            CHECK_RESULT(kith_add(f.world, e[k], type), KITH_OK);
        }
        for (uint32_t k = 1023; k < MANY; k += 1024) {
            CHECK_RESULT(KITH_ADD(f.world, e[k], Byte), KITH_OK);
        }
        const kith_entity last = e[(MANY / 1024 - 1) * 1024 + 1023];
        const kith_term terms[] = {
            {type, KITH_ACCESS_NONE, KITH_MUST_CHANGED, 0, NULL}, KITH_WITH(Byte), {0}};
        const kith_query_def def = {.terms = terms};
        kith_query *query;
        CHECK_RESULT(kith_query_new(f.world, &def, &query), KITH_OK);
        check_sees_nothing(query);
        CHECK_RESULT(kith_add(f.world, last, type), KITH_OK);
        check_sees(query, last);
        check_sees_nothing(query);
        fixture_free(&f);
    }
}

TEST_EACH_LAYOUT(each_way_of_writing_is_seen, layout)
{
    crowd *c = crowd_new(layout);
    kith_query *query = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_query_skip_changes(query);
    check_sees_nothing(query);

    CHECK_RESULT(KITH_SET(c->world, c->e[5], Position, {1, 1}), KITH_OK);
    check_sees(query, c->e[5]);
    check_sees_nothing(query);

    void *value;
    CHECK_RESULT(kith_get_mut(c->world, c->e[2500], &Position_type, &value), KITH_OK);
    ((Position *)value)->x = 7;
    check_sees(query, c->e[2500]);

    KITH_GET_MUT(c->world, c->e[1], Position)->y = 3;
    check_sees(query, c->e[1]);

    kith_query *writer = KITH_QUERY(c->world, KITH_WRITE(Position));
    kith_iter it = kith_query_iter_one(writer, c->e[2999]);
    CHECK(kith_next(&it));
    KITH_AT_MUT(&it, 0, Position)->x = 1;
    kith_iter_close(&it);
    check_sees(query, c->e[2999]);

    kith_entity added = KITH_SPAWN(c->world, KITH_VALUE(Position));
    check_sees(query, added);

    kith_commands *commands = kith_commands_new(c->world, NULL);
    KITH_SET(commands, c->e[1200], Position, {9, 9});
    check_sees_nothing(query);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    check_sees(query, c->e[1200]);
    CHECK_WORLD(c->world);
    fixture_free(&c->f);
}

/* Also where another storage drives than the one whose values must have changed. */
TEST_EACH_LAYOUT(changes_of_values_that_are_looked_up, layout)
{
    for (int other = KITH_TABLE; other <= KITH_SLOT; other++) {
        fixture f = fixture_new();
        kith_register(f.world, &Position_type, &(kith_component_def){.layout = layout});
        kith_register(f.world, &Velocity_type, &(kith_component_def){.layout = (kith_layout)other});
        kith_entity e[5];
        for (int i = 0; i < 5; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Velocity));
        }
        kith_query *query = kith_query_new_or_null(
            f.world,
            &(kith_query_def){.terms = KITH_TERMS(KITH_READ(Position), KITH_CHANGED(Velocity)),
                              .driver = &Position_type});
        CHECK_UINT(look(query, e[0]).count, 5);
        check_sees_nothing(query);
        CHECK(!kith_query_contains(query, e[2]));
        CHECK_RESULT(KITH_SET(f.world, e[2], Position, {1, 1}), KITH_OK);
        check_sees_nothing(query);
        CHECK_RESULT(KITH_SET(f.world, e[2], Velocity, {1, 1}), KITH_OK);
        check_sees(query, e[2]);
        check_sees_nothing(query);
        fixture_free(&f);
    }
}

/* Looking, counting, asking and reading in all ways leaves no stamp. */
TEST_EACH_LAYOUT(reading_changes_nothing, layout)
{
    crowd *c = crowd_new(layout);
    kith_query *query = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_query *reader = KITH_QUERY(c->world, KITH_READ(Position), KITH_OPTIONAL(Velocity));
    kith_query *mixed = KITH_QUERY(c->world, KITH_READ(Position), KITH_WRITE(Velocity));
    kith_query_skip_changes(query);
    float sum = 0;
    for (kith_iter it = kith_query_iter(reader); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += KITH_AT(&it, i, Position)->x + KITH_AT(&it, i, Velocity)->dx;
        }
    }
    for (kith_iter it = kith_query_iter(mixed); kith_next(&it);) {
        KITH_AT_MUT(&it, 0, Velocity)->dx = 1;
    }
    Position bytes;
    const void *values[3];
    sum += KITH_GET(c->world, c->e[8], Position)->x;
    CHECK_RESULT(kith_get_bytes(c->world, c->e[9], &Position_type, &bytes, sizeof(bytes)), KITH_OK);
    CHECK_UINT(kith_get_many(c->world, &Position_type, c->e, 3, values), 3);
    CHECK(KITH_HAS(c->world, c->e[10], Position));
    CHECK(kith_world_hash(c->world) != 0 && kith_content_hash(c->world) != 0);
    CHECK_UINT(kith_query_count(reader), 3000);
    CHECK(sum > 0);
    check_sees_nothing(query);
    fixture_free(&c->f);
}

/* Not more than a block or two around what was written. */
TEST_EACH_LAYOUT(what_was_not_near_a_change_is_passed_over, layout)
{
    crowd *c = crowd_new(layout);
    kith_query *query = KITH_QUERY(c->world, KITH_CHANGED(Position), KITH_READ(Velocity));
    kith_query_skip_changes(query);
    CHECK_RESULT(KITH_SET(c->world, c->e[1500], Position, {1, 1}), KITH_OK);
    sight seen = look(query, c->e[1500]);
    CHECK(seen.wanted);
    CHECK_UINT(seen.count, 1024);
    CHECK_RESULT(KITH_SET(c->world, c->e[1500], Velocity, {1, 1}), KITH_OK);
    check_sees_nothing(query);
    fixture_free(&c->f);
}

TEST_EACH_LAYOUT(a_look_that_was_left_early_is_none, layout)
{
    crowd *c = crowd_new(layout);
    kith_query *query = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it) && kith_next(&it));
    kith_iter_close(&it);
    CHECK_UINT(look(query, KITH_NONE).count, 3000);
    it = kith_query_iter_one(query, c->e[0]);
    CHECK(!kith_next(&it));
    CHECK_RESULT(KITH_SET(c->world, c->e[0], Position, {1, 1}), KITH_OK);
    it = kith_query_iter_one(query, c->e[0]);
    CHECK(kith_next(&it));
    CHECK(!kith_next(&it));
    check_sees(query, c->e[0]);
    fixture_free(&c->f);
}

TEST_EACH_LAYOUT(each_query_looks_for_itself, layout)
{
    crowd *c = crowd_new(layout);
    kith_query *first = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_query *second = KITH_QUERY(c->world, KITH_CHANGED(Position));
    CHECK_UINT(look(first, KITH_NONE).count, 3000);
    CHECK_UINT(look(second, KITH_NONE).count, 3000);
    CHECK_RESULT(KITH_SET(c->world, c->e[77], Position, {1, 1}), KITH_OK);
    check_sees(first, c->e[77]);
    check_sees_nothing(first);
    check_sees(second, c->e[77]);
    check_sees_nothing(second);
    fixture_free(&c->f);
}

/* A query that writes what it looks at sees that at its next look, and nothing is lost between. */
TEST_EACH_LAYOUT(what_a_look_writes_is_seen_by_the_next, layout)
{
    crowd *c = crowd_new(layout);
    const kith_term terms[] = {{&Position_type, KITH_ACCESS_WRITE, KITH_MUST_CHANGED, 0, NULL},
                               {0}};
    kith_query *query;
    CHECK_RESULT(kith_query_new(c->world, &(kith_query_def){.terms = terms}, &query), KITH_OK);
    kith_query_skip_changes(query);
    CHECK_RESULT(KITH_SET(c->world, c->e[2000], Position, {1, 1}), KITH_OK);
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    CHECK_RESULT(KITH_SET(c->world, c->e[0], Position, {5, 5}), KITH_OK);
    CHECK(!kith_next(&it));
    CHECK(kith_query_contains(query, c->e[0]));
    CHECK(kith_query_contains(query, c->e[2000]));
    fixture_free(&c->f);
}

TEST_EACH_LAYOUT(looking_while_another_query_writes_is_misuse, layout)
{
    crowd *c = crowd_new(layout);
    kith_query *query = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_query *writer = KITH_QUERY(c->world, KITH_WRITE(Velocity));
    kith_query *reader = KITH_QUERY(c->world, KITH_READ(Velocity));
    kith_iter outer = kith_query_iter(writer);
    kith_iter it = kith_query_iter(query);
    expect_misuse(&c->f, "looks for changes");
    CHECK(!kith_next(&it));
    CHECK_RESULT(it.result, KITH_ERR_MISUSE);
    kith_query_skip_changes(query);
    expect_misuse(&c->f, "is open and writes");
    kith_iter inner = kith_query_iter(reader);
    kith_query_skip_changes(query);
    expect_misuse(&c->f, "is open and writes"); /* though it is not the last one */
    kith_iter_close(&inner);
    kith_iter_close(&outer);
    outer = kith_query_iter(reader);
    CHECK_UINT(look(query, KITH_NONE).count, 3000);
    kith_iter_close(&outer);
    fixture_free(&c->f);
}

TEST(tags_change_when_they_come)
{
    for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
        crowd *c = crowd_new((kith_layout)layout);
        const kith_term terms[] = {{&Frozen_type, KITH_ACCESS_NONE, KITH_MUST_CHANGED, 0, NULL},
                                   {0}};
        kith_query *query;
        CHECK_RESULT(kith_query_new(c->world, &(kith_query_def){.terms = terms}, &query), KITH_OK);
        check_sees_nothing(query);
        CHECK_RESULT(KITH_ADD(c->world, c->e[7], Frozen), KITH_OK);
        check_sees(query, c->e[7]);
        check_sees_nothing(query);
        fixture_free(&c->f);
    }
}

TEST(a_role_that_is_none_is_refused)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_term terms[] = {
        {&Position_type, KITH_ACCESS_READ, (kith_role)(KITH_AS_BEFORE + 1), 0, NULL}, {0}};
    kith_query *query;
    CHECK_RESULT(kith_query_new(f.world, &(kith_query_def){.terms = terms}, &query),
                 KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "is not a role");
    fixture_free(&f);
}

/* ---- Exact ----------------------------------------------------------------------------------- */

static crowd *crowd_new_exact(kith_layout layout)
{
    static crowd c;
    c.f = fixture_new();
    c.world = c.f.world;
    kith_component_def def = {.layout = layout, .exact_changes = true};
    CHECK_RESULT(kith_register(c.world, &Position_type, &def), KITH_OK);
    register_all(c.world, layout);
    for (uint32_t i = 0; i < 3000; i++) {
        c.e[i] = KITH_SPAWN(c.world, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(Velocity));
    }
    return &c;
}

TEST_EACH_LAYOUT(exactly_what_changed_is_seen, layout)
{
    crowd *c = crowd_new_exact(layout);
    kith_query *query = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_query *both = KITH_QUERY(c->world, KITH_CHANGED(Position), KITH_READ(Velocity));
    CHECK_UINT(look(query, KITH_NONE).count, 3000);
    check_sees_nothing(query);
    CHECK_RESULT(KITH_SET(c->world, c->e[1500], Position, {1, 1}), KITH_OK);
    CHECK_RESULT(KITH_SET(c->world, c->e[1501], Position, {1501, 0}), KITH_OK);
    KITH_GET_MUT(c->world, c->e[20], Position)->x = 5;
    sight seen = look(query, c->e[1500]);
    CHECK_UINT(seen.count, 2);
    CHECK(seen.wanted);
    check_sees_nothing(query);
    CHECK_UINT(look(both, KITH_NONE).count, 3000);
    CHECK_UINT(look(both, KITH_NONE).count, 0);

    /* The last one moves into the hole, and is what it was. */
    CHECK_RESULT(kith_despawn(c->world, c->e[0]), KITH_OK);
    CHECK_UINT(look(query, KITH_NONE).count, 0);
    kith_entity born = KITH_SPAWN(c->world, KITH_VALUE(Position, {0, 0}));
    seen = look(query, born);
    CHECK(seen.wanted);
    CHECK_UINT(seen.count, 1);
    CHECK_UINT(look(both, KITH_NONE).count, 0);
    CHECK_WORLD(c->world);
    fixture_free(&c->f);
}

/* What is in padding is nobody's. */
TEST_EACH_LAYOUT(padding_changes_nothing, layout)
{
    fixture f = fixture_new();
    kith_component_def def = {.layout = layout, .exact_changes = true};
    CHECK_RESULT(kith_register(f.world, &Padded_type, &def), KITH_OK);
    kith_query *query = KITH_QUERY(f.world, KITH_CHANGED(Padded));
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Padded));
    CHECK_UINT(look(query, e).count, 1);
    Padded value;
    memset(&value, 0xff, sizeof value);
    value.small = 0;
    value.large = 0;
    value.last = 0;
    CHECK_RESULT(kith_set(f.world, e, &Padded_type, &value), KITH_OK);
    CHECK_UINT(look(query, e).count, 0);
    value.last = 1;
    CHECK_RESULT(kith_set(f.world, e, &Padded_type, &value), KITH_OK);
    CHECK_UINT(look(query, e).count, 1);
    CHECK_UINT(look(query, e).count, 0);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(each_query_looks_exactly_for_itself, layout)
{
    crowd *c = crowd_new_exact(layout);
    kith_query *first = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_query *second = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_query_skip_changes(first);
    kith_query_skip_changes(second);
    CHECK_RESULT(KITH_SET(c->world, c->e[10], Position, {1, 1}), KITH_OK);
    CHECK_UINT(look(first, c->e[10]).count, 1);
    CHECK_RESULT(KITH_SET(c->world, c->e[11], Position, {1, 1}), KITH_OK);
    CHECK_UINT(look(first, c->e[11]).count, 1);
    CHECK(kith_query_contains(second, c->e[10]) && !kith_query_contains(second, c->e[12]));
    CHECK_UINT(look(second, c->e[10]).count, 2);
    CHECK_UINT(look(second, KITH_NONE).count, 0);
    fixture_free(&c->f);
}

/* Whoever has looked meanwhile: what was seen of a value is forgotten when it is lost. */
TEST_EACH_LAYOUT(what_was_lost_and_came_back_is_new, layout)
{
    crowd *c = crowd_new_exact(layout);
    kith_query *first = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_query *second = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_query_skip_changes(first);
    kith_commands *commands = kith_commands_new(c->world, NULL);
    for (uint32_t i = 0; i < 40; i++) {
        switch (i % 4) {
        case 0: KITH_REMOVE(c->world, c->e[i], Position); break;
        case 1: kith_remove_all(c->world, c->e[i]); break;
        case 2: KITH_REMOVE(commands, c->e[i], Position); break;
        default: kith_commands_remove_all(commands, c->e[i]); break;
        }
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_UINT(look(first, KITH_NONE).count, 0);
    kith_query_skip_changes(second);
    for (uint32_t i = 0; i < 40; i++) {
        CHECK_RESULT(KITH_SET(c->world, c->e[i], Position, {(float)i, 0}), KITH_OK);
        if (i % 3 == 0) {
            CHECK_UINT(look(first, c->e[i]).count, i == 0 ? 1 : 3);
        }
    }
    CHECK_UINT(look(second, c->e[7]).count, 40);
    check_sees_nothing(first);
    check_sees_nothing(second);

    /* A tracker more or less makes no difference. */
    kith_tracker *tracker;
    CHECK_RESULT(kith_tracker_new(c->world, &Position_type, &tracker), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(c->world, c->e[9], Position), KITH_OK);
    kith_tracker_free(tracker);
    CHECK_RESULT(KITH_REMOVE(c->world, c->e[8], Position), KITH_OK);
    CHECK_UINT(look(first, KITH_NONE).count, 0);
    CHECK_RESULT(KITH_SET(c->world, c->e[9], Position, {9, 0}), KITH_OK);
    CHECK_RESULT(KITH_SET(c->world, c->e[8], Position, {8, 0}), KITH_OK);
    CHECK_UINT(look(first, c->e[9]).count, 2);
    fixture_free(&c->f);
}

/* What a query has seen stays seen when another one compares values for the first time. */
TEST_EACH_LAYOUT(what_was_seen_before_changes_were_exact_stays_seen, layout)
{
    crowd *c = crowd_new(layout);
    kith_query *first = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_query_skip_changes(first);
    const kith_component_def def = {.layout = layout, .exact_changes = true};
    CHECK_RESULT(kith_register(c->world, &Position_type, &def), KITH_OK);
    kith_query *second = KITH_QUERY(c->world, KITH_CHANGED(Position));
    CHECK_UINT(look(second, KITH_NONE).count, 3000);
    check_sees_nothing(first);
    CHECK_RESULT(KITH_SET(c->world, c->e[9], Position, {-1, -1}), KITH_OK);
    CHECK_UINT(look(first, c->e[9]).count, 1);
    fixture_free(&c->f);
}

/* Losses are noted in what is there: nothing that ends needs memory for them. */
TEST_EACH_LAYOUT(exact_changes_take_no_memory_to_lose, layout)
{
    crowd *c = crowd_new_exact(layout);
    kith_query *query = KITH_QUERY(c->world, KITH_CHANGED(Position));
    kith_query_skip_changes(query);
    fail_from(&c->f, 1);
    CHECK_RESULT(kith_despawn_many(c->world, c->e, 2000, NULL), KITH_OK);
    for (uint32_t i = 2000; i < 3000; i++) {
        CHECK_RESULT(kith_despawn(c->world, c->e[i]), KITH_OK);
    }
    fail_nothing(&c->f);
    CHECK_WORLD(c->world);
    fixture_free(&c->f);
}

TEST(tags_have_nothing_to_compare)
{
    fixture f = fixture_new();
    kith_component_def def = {.exact_changes = true};
    CHECK_RESULT(kith_register(f.world, &Frozen_type, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Frozen");
    CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
    kith_query *query = KITH_QUERY(f.world, KITH_CHANGED(Position));
    kith_entity e[2] = {KITH_SPAWN(f.world, KITH_VALUE(Position)),
                        KITH_SPAWN(f.world, KITH_VALUE(Position))};
    CHECK_UINT(look(query, e[0]).count, 2);
    CHECK_RESULT(KITH_SET(f.world, e[0], Position, {1, 1}), KITH_OK);
    CHECK_UINT(look(query, e[0]).count, 1);
    kith_component_stats stats;
    CHECK_RESULT(kith_component_memory(f.world, &Position_type, &stats), KITH_OK);
    CHECK(stats.reserved > 2 * (sizeof(Position) + 16));
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_look_without_memory_is_none, layout)
{
    for (size_t nth = 1;; nth++) {
        crowd *c = crowd_new_exact(layout);
        kith_query *query = KITH_QUERY(c->world, KITH_CHANGED(Position));
        fail_allocation(&c->f, nth);
        kith_iter it = kith_query_iter(query);
        bool any = kith_next(&it);
        kith_iter_close(&it);
        bool reached = fail_nothing(&c->f);
        CHECK_RESULT(it.result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK(any == !reached);
        CHECK_WORLD(c->world);
        CHECK_UINT(look(query, KITH_NONE).count, 3000);
        CHECK_UINT(look(query, KITH_NONE).count, 0);
        fixture_free(&c->f);
        if (!reached) {
            CHECK(nth > 3);
            break;
        }
    }
}
