/* Live queries: what they tell is compared with the difference of two full looks. */
#include <string.h>

#include "components.h"
#include "live_model.h"
#include "random.h"
#include "test.h"

/* Weak ones that burn and are not frozen, with what else is known of them. */
typedef struct burning {
    fixture f;
    kith_world *world;
    live_model model;
} burning;

static burning burning_in(fixture f)
{
    burning t = {.f = f, .world = f.world};
    kith_query *query =
        KITH_QUERY(t.world, KITH_WITH(Burning), KITH_WITHOUT(Frozen), KITH_READ(Padded),
                   KITH_OPTIONAL(Name), KITH_IF(Health, current, <, 20));
    const kith_type *types[] = {&Health_type, &Padded_type, &Name_type, NULL};
    t.model = live_model_new(t.world, query, types);
    return t;
}

static burning burning_new(kith_layout layout)
{
    return burning_in(fixture_with_all(layout));
}

static void burning_free(burning *t)
{
    live_model_free(&t->model);
    fixture_free(&t->f);
}

static kith_entity spawn_burning(burning *t, int32_t health)
{
    return KITH_SPAWN(t->world, KITH_VALUE(Health, {health, 9}), KITH_VALUE(Padded, {1, 2, 3}),
                      KITH_VALUE(Burning));
}

static void look(burning *t)
{
    live_model_check(&t->model);
    CHECK_WORLD(t->world);
}

/* How many are told: entered, left, changed. */
static void expect_told(kith_live *live, uint32_t entered, uint32_t left, uint32_t changed)
{
    kith_live_changes changes;
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    CHECK_UINT(changes.entered_count, entered);
    CHECK_UINT(changes.left_count, left);
    CHECK_UINT(changes.changed_count, changed);
}

TEST_EACH_LAYOUT(each_change_is_told_once, layout)
{
    burning t = burning_new(layout);
    kith_entity a = spawn_burning(&t, 10);
    kith_entity b = spawn_burning(&t, 30);
    expect_told(t.model.live, 1, 0, 0);
    CHECK(kith_live_has(t.model.live, a));
    expect_told(t.model.live, 0, 0, 0);
    CHECK_RESULT(KITH_SET(t.world, b, Health, {19, 9}), KITH_OK);
    KITH_GET_MUT(t.world, a, Padded)->last = 7;
    CHECK(!kith_live_has(t.model.live, b)); /* as told last */
    expect_told(t.model.live, 1, 0, 1);
    CHECK_RESULT(KITH_ADD(t.world, a, Frozen), KITH_OK);
    expect_told(t.model.live, 0, 1, 0);
    CHECK_RESULT(KITH_SET(t.world, b, Name, {"b"}), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(t.world, a, Frozen), KITH_OK);
    expect_told(t.model.live, 1, 0, 1);
    CHECK_RESULT(KITH_SET(t.world, b, Velocity, {1, 2}), KITH_OK); /* nobody asked for it */
    CHECK_RESULT(KITH_REMOVE(t.world, b, Name), KITH_OK);
    CHECK_RESULT(kith_despawn(t.world, a), KITH_OK);
    expect_told(t.model.live, 0, 1, 1);
    CHECK_UINT(kith_live_count(t.model.live), 1);
    CHECK_SAME(kith_live_after(t.model.live, KITH_NONE), b);
    CHECK(kith_is_none(kith_live_after(t.model.live, b)));
    CHECK(!kith_live_has(t.model.live, a) && !kith_live_has(t.model.live, KITH_NONE));
    CHECK_WORLD(t.world);
    burning_free(&t);
}

/* What came to the same in the end is not told, and padding is not looked at. */
TEST_EACH_LAYOUT(only_the_difference_is_told, layout)
{
    burning t = burning_new(layout);
    kith_entity a = spawn_burning(&t, 10);
    spawn_burning(&t, 11);
    expect_told(t.model.live, 2, 0, 0);
    CHECK_RESULT(KITH_REMOVE(t.world, a, Burning), KITH_OK);
    CHECK_RESULT(KITH_ADD(t.world, a, Burning), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(t.world, a, Health), KITH_OK);
    CHECK_RESULT(KITH_SET(t.world, a, Health, {10, 9}), KITH_OK);
    Padded *padded = KITH_GET_MUT(t.world, a, Padded);
    Padded same = *padded;
    memset(padded, 0xee, sizeof *padded);
    padded->small = same.small;
    padded->large = same.large;
    padded->last = same.last;
    kith_entity gone = spawn_burning(&t, 1);
    CHECK_RESULT(kith_despawn(t.world, gone), KITH_OK);
    expect_told(t.model.live, 0, 0, 0);
    CHECK_RESULT(kith_despawn(t.world, a), KITH_OK);
    spawn_burning(&t, 10); /* in the same slot */
    expect_told(t.model.live, 1, 1, 0);
    burning_free(&t);
}

TEST_EACH_LAYOUT(a_restore_is_told_as_the_difference, layout)
{
    burning t = burning_new(layout);
    kith_entity some[40];
    for (uint32_t i = 0; i < 40; i++) {
        some[i] = spawn_burning(&t, (int32_t)i);
    }
    for (int seen = 0; seen < 3; seen++) {
        kith_snapshot *snapshot;
        look(&t);
        CHECK_RESULT(KITH_SET(t.world, some[2], Health, {seen, 8}), KITH_OK);
        CHECK_RESULT(kith_snapshot_take(t.world, &snapshot), KITH_OK);
        look(&t);
        CHECK_RESULT(KITH_SET(t.world, some[2], Health, {seen, 7}), KITH_OK);
        CHECK_RESULT(KITH_SET(t.world, some[3], Health, {4, 9}), KITH_OK);
        CHECK_RESULT(KITH_SET(t.world, some[30], Health, {3, 9}), KITH_OK);
        KITH_GET_MUT(t.world, some[5], Health)->current = 50;
        CHECK_RESULT(KITH_REMOVE(t.world, some[6], Burning), KITH_OK);
        CHECK_RESULT(kith_despawn(t.world, some[7]), KITH_OK);
        spawn_burning(&t, 7);
        for (uint32_t i = 0; i < (seen == 2 ? 3000 : 3); i++) {
            spawn_burning(&t, 1);
        }
        if (seen != 0) {
            look(&t);
        }
        CHECK_RESULT(kith_snapshot_restore(t.world, snapshot), KITH_OK);
        look(&t);
        CHECK_RESULT(KITH_SET(t.world, some[3], Health, {5, 9}), KITH_OK);
        look(&t);
        CHECK_RESULT(kith_snapshot_restore(t.world, snapshot), KITH_OK);
        kith_snapshot_free(snapshot);
    }
    look(&t);
    burning_free(&t);
}

/* What was set, one by one, in slots that a restore takes away. So many that their records are in blocks
 * of their own, which go with them. */
TEST_EACH_LAYOUT(values_that_a_restore_takes_away_were_set, layout)
{
    for (uint32_t more = 3; more < 9000; more *= 50) {
        burning t = burning_new(layout);
        kith_snapshot *snapshot;
        kith_entity last = spawn_burning(&t, 1);
        look(&t);
        CHECK_RESULT(kith_snapshot_take(t.world, &snapshot), KITH_OK);
        for (uint32_t i = 0; i < more; i++) {
            last = spawn_burning(&t, 2);
        }
        for (int32_t set = 3; set < 6; set++) {
            look(&t);
            CHECK_RESULT(KITH_SET(t.world, last, Health, {set, 9}), KITH_OK);
        }
        CHECK_RESULT(kith_snapshot_restore(t.world, snapshot), KITH_OK);
        kith_world_trim(t.world);
        look(&t);
        spawn_burning(&t, 3);
        look(&t);
        burning_free(&t);
    }
}

/* Its marks have room for more slots than there are, and are told of slots that a restore takes away. */
TEST_EACH_LAYOUT(slots_that_a_restore_takes_away_were_used, layout)
{
    burning t = burning_new(layout);
    kith_live *live = t.model.live;
    const uint32_t counts[] = {33 * 64, 1, 40 * 64};
    for (uint32_t i = 0; i < counts[0]; i++) {
        spawn_burning(&t, 5);
    }
    expect_told(live, counts[0], 0, 0);
    spawn_burning(&t, 5);
    expect_told(live, counts[1], 0, 0);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(t.world, &before), KITH_OK);
    for (uint32_t i = 0; i < counts[2]; i++) {
        spawn_burning(&t, 5);
    }
    CHECK_RESULT(kith_snapshot_restore(t.world, before), KITH_OK);
    expect_told(live, 0, 0, 0);
    kith_snapshot_free(before);
    CHECK_WORLD(t.world);
    burning_free(&t);
}

/* Open loops go on writing after the live query was asked; that is told later. */
TEST_EACH_LAYOUT(an_open_loop_may_go_on_writing, layout)
{
    burning t = burning_new(layout);
    for (int32_t i = 0; i < 50; i++) {
        spawn_burning(&t, 10 + i);
    }
    kith_query *all = KITH_QUERY(t.world, KITH_WRITE(Health));
    for (int rows = 0; rows < 2; rows++) {
        kith_iter it = kith_query_iter(all);
        while (rows == 0 ? kith_next(&it) : kith_next_rows(&it)) {
            for (uint32_t i = 0; i < it.count; i++) {
                Health *health =
                    rows == 0 ? &KITH_COLUMN_MUT(&it, Health)[i] : KITH_AT_MUT(&it, i, Health);
                health->current += rows == 0 ? 3 : -5;
                if (i % 16 == 3) {
                    look(&t);
                }
            }
        }
        look(&t);
    }
    burning_free(&t);
}

static void change_one(burning *t, kith_entity *entities, uint32_t *count, uint64_t *random)
{
    uint32_t at = *count == 0 ? 0 : random_below(random, *count);
    kith_entity entity = entities[at];
    int32_t health = (int32_t)random_below(random, 40);
    uint32_t choice = *count == 0 ? 0 : random_below(random, 16);
    switch (choice) {
    case 0:
    case 1:
        if (*count < 400) {
            entities[(*count)++] = spawn_burning(t, health);
        }
        break;
    case 2:
        CHECK_RESULT(kith_despawn(t->world, entity), KITH_OK);
        entities[at] = entities[--*count];
        break;
    case 3: CHECK_RESULT(KITH_ADD(t->world, entity, Frozen), KITH_OK); break;
    case 4: kith_remove(t->world, entity, &Frozen_type); break;
    case 5: kith_remove(t->world, entity, &Burning_type); break;
    case 6: CHECK_RESULT(KITH_ADD(t->world, entity, Burning), KITH_OK); break;
    case 7: kith_remove(t->world, entity, &Health_type); break;
    case 8: CHECK_RESULT(KITH_SET(t->world, entity, Name, {"name"}), KITH_OK); break;
    case 9: kith_remove(t->world, entity, &Name_type); break;
    case 10: {
        kith_layout layout;
        CHECK_RESULT(kith_layout_of(t->world, &Health_type, &layout), KITH_OK);
        if (layout != KITH_SLOT) {
            CHECK_RESULT(KITH_SORT(t->world, Health, current), KITH_OK);
        }
        break;
    }
    case 11: kith_world_trim(t->world); break;
    case 12:
        if (*count < 400) {
            CHECK_RESULT(kith_clone(t->world, entity, &entities[(*count)++]), KITH_OK);
        }
        break;
    case 13:
        if (KITH_HAS(t->world, entity, Health)) {
            KITH_GET_MUT(t->world, entity, Health)->current = health;
        }
        break;
    default:
        CHECK_RESULT(kith_set(t->world, entity, &Health_type, &(Health){health, 9}), KITH_OK);
        break;
    }
}

/* The first look comes before anything is there, or late. */
static void play(fixture f, uint64_t seed)
{
    burning t = burning_in(f);
    kith_entity entities[400];
    uint32_t count = 0;
    uint64_t random = seed;
    for (uint32_t step = 0; step < 1200; step++) {
        change_one(&t, entities, &count, &random);
        if (step % 400 >= 300 || random_below(&random, 1 + (uint32_t)step % 9) == 0) {
            live_model_check(&t.model);
        }
        if (step % 50 == 0) {
            CHECK_WORLD(t.world);
        }
    }
    look(&t);
    burning_free(&t);
}

TEST_EACH_LAYOUT(random_changes_are_told, layout)
{
    play(fixture_with_all(layout), 1);
    play(fixture_with_all(layout), 2);
}

TEST(random_changes_in_mixed_layouts_are_told)
{
    for (uint64_t seed = 3; seed < 9; seed++) {
        fixture f = fixture_new();
        register_mixed(f.world, seed);
        play(f, seed);
    }
}

/* Many entities, so that there are many blocks, groups of marks and tables. */
TEST_EACH_LAYOUT(a_crowd_is_followed, layout)
{
    burning t = burning_new(layout);
    static kith_entity entities[20000];
    for (uint32_t i = 0; i < 20000; i++) {
        entities[i] = spawn_burning(&t, (int32_t)(i % 40));
    }
    look(&t);
    for (uint32_t i = 0; i < 20000; i += 777) {
        CHECK_RESULT(KITH_SET(t.world, entities[i], Health, {5, 5}), KITH_OK);
        CHECK_RESULT(kith_despawn(t.world, entities[i + 1]), KITH_OK);
    }
    look(&t);
    CHECK_RESULT(kith_despawn_many(t.world, entities + 1000, 500, NULL), KITH_OK);
    look(&t);
    CHECK_RESULT(kith_despawn_many(t.world, entities + 4000, 15000, NULL), KITH_OK);
    kith_world_trim(t.world);
    look(&t);
    burning_free(&t);
}

/* Values that are larger than a key are followed in parts. */
TEST_EACH_LAYOUT(every_byte_of_a_large_value_counts, layout)
{
    fixture f = fixture_with_all(layout);
    const kith_type *types[] = {&Aligned_type, &Byte_type, &Extra_type, NULL};
    live_model model = live_model_new(
        f.world, KITH_QUERY(f.world, KITH_READ(Aligned), KITH_OPTIONAL(Byte), KITH_OPTIONAL(Extra)),
        types);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Aligned, {{0}}), KITH_VALUE(Byte, {1}),
                               KITH_VALUE(Extra, {1, 2, 3}));
    live_model_check(&model);
    for (uint32_t word = 0; word < 8; word++) {
        KITH_GET_MUT(f.world, e, Aligned)->words[word]++;
        expect_told(model.live, 0, 0, 1);
    }
    KITH_GET_MUT(f.world, e, Byte)->value = 200;
    expect_told(model.live, 0, 0, 1);
    KITH_GET_MUT(f.world, e, Extra)->c = 4;
    expect_told(model.live, 0, 0, 1);
    CHECK_WORLD(f.world);
    live_model_free(&model);
    fixture_free(&f);
}

/* Groups, text, two fields, either of two components. */
TEST_EACH_LAYOUT(any_query_can_be_live, layout)
{
    fixture f = fixture_with_all(layout);
    const kith_type *types[] = {&Health_type, &Position_type, &Name_type, NULL};
    live_model models[] = {
        live_model_new(f.world,
                       KITH_QUERY(f.world, KITH_WITH(Byte),
                                  KITH_IF_ANY(KITH_IF(Health, current, <, KITH_ITS(Health, max)),
                                              KITH_IF_NOT(KITH_IF_PREFIX(Name, text, "ab")),
                                              KITH_IF(Position, x, >, 3), KITH_WITH(Frozen))),
                       types),
        live_model_new(f.world,
                       KITH_QUERY(f.world, KITH_IF(Health, current, <=, KITH_ITS(Byte, value))),
                       (const kith_type *[]){&Health_type, &Byte_type, NULL}),
        live_model_new(f.world,
                       KITH_QUERY(f.world, KITH_ANY_OF(Health, 0), KITH_ANY_OF(Position, 0),
                                  KITH_OPTIONAL(Name)),
                       types),
    };
    uint64_t random = 5;
    kith_entity entities[60];
    for (uint32_t i = 0; i < 60; i++) {
        entities[i] = kith_spawn_empty(f.world);
    }
    for (uint32_t step = 0; step < 800; step++) {
        kith_entity e = entities[random_below(&random, 60)];
        switch (random_below(&random, 9)) {
        case 0: KITH_SET(f.world, e, Byte, {(uint8_t)random_below(&random, 3)}); break;
        case 1: KITH_SET(f.world, e, Position, {(float)random_below(&random, 6), 0}); break;
        case 2: KITH_SET(f.world, e, Name, {"abc"}); break;
        case 3: KITH_SET(f.world, e, Name, {"acb"}); break;
        case 4: KITH_ADD(f.world, e, Frozen); break;
        case 5:
            kith_remove(f.world, e, component_types[random_below(&random, COMPONENT_COUNT)]);
            break;
        case 6: kith_remove_all(f.world, e); break;
        default: KITH_SET(f.world, e, Health, {(int32_t)random_below(&random, 3), 1}); break;
        }
        for (uint32_t i = 0; i < 3 && step % 3 == 0; i++) {
            live_model_check(&models[i]);
        }
        CHECK_WORLD(f.world);
    }
    live_model_free(&models[0]);
    live_model_free(&models[1]);
    live_model_free(&models[2]);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(another_bound_value_is_told_as_the_difference, layout)
{
    fixture f = fixture_with_all(layout);
    const kith_type *types[] = {&Health_type, NULL};
    live_model model = live_model_new(
        f.world, KITH_QUERY(f.world, KITH_IF(Health, current, <, kith_bound("limit"))), types);
    kith_live_changes changes;
    CHECK_RESULT(kith_live_next(model.live, &changes), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_live_next");
    for (int32_t i = 0; i < 100; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {i, 9}));
    }
    CHECK_RESULT(kith_query_bind(model.query, "limit", 10), KITH_OK);
    live_model_check(&model);
    CHECK_UINT(kith_live_count(model.live), 10);
    CHECK_RESULT(kith_query_bind(model.query, "limit", 30), KITH_OK);
    expect_told(model.live, 20, 0, 0);
    CHECK_RESULT(kith_query_bind(model.query, "limit", 5), KITH_OK);
    expect_told(model.live, 0, 25, 0);
    CHECK_WORLD(f.world);
    live_model_free(&model);
    fixture_free(&f);
}

/* What did not change is not looked at. */
TEST_EACH_LAYOUT(the_cost_follows_what_changed, layout)
{
    burning t = burning_new(layout);
    kith_entity last = KITH_NONE;
    for (uint32_t i = 0; i < 10000; i++) {
        last = spawn_burning(&t, 10);
    }
    expect_told(t.model.live, 10000, 0, 0);
    kith_live_counts before = kith_live_stats(t.model.live);
    expect_told(t.model.live, 0, 0, 0);
    CHECK_UINT(kith_live_stats(t.model.live).rows_compared, before.rows_compared);
    CHECK_RESULT(KITH_SET(t.world, last, Health, {12, 9}), KITH_OK);
    expect_told(t.model.live, 0, 0, 1);
    kith_live_counts after = kith_live_stats(t.model.live);
    CHECK_UINT(after.rows_compared, before.rows_compared + 1);
    CHECK_UINT(after.tested, before.tested + 1);
    CHECK(after.bytes >= before.bytes);
    burning_free(&t);
}

TEST(a_query_may_not_be_fit)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_live *live = NULL;
    kith_query *all = KITH_QUERY(f.world, KITH_WITHOUT(Frozen));
    kith_query *changed = KITH_QUERY(f.world, KITH_CHANGED(Health));
    CHECK_RESULT(kith_live_new(f.world, all, &live), KITH_ERR_INPUT);
    CHECK_STR(kith_error(f.world),
              "kith_live_new: the query of !Frozen has no component that an entity must have");
    CHECK_RESULT(kith_live_new(f.world, changed, &live), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world),
                   "kith_live_new: the query of Health has a term about what changed");
    CHECK_PTR_NULL(live);
    kith_query_free(all);
    kith_query_free(changed);
    fixture_free(&f);
}

/* One that is never freed ends with its world, and one that is leaves nothing. */
TEST(live_queries_end_in_any_order)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_live *lives[3];
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_RESULT(kith_live_new(f.world, KITH_QUERY(f.world, KITH_READ(Health)), &lives[i]),
                     KITH_OK);
    }
    KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 2}));
    kith_live_free(lives[1]);
    expect_told(lives[0], 1, 0, 0);
    expect_told(lives[2], 1, 0, 0);
    kith_live_free(lives[2]);
    KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 2}));
    expect_told(lives[0], 1, 0, 0);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Comes, goes, moves and changes; a failure may be anywhere between. No value comes back. */
static void change_some(burning *t, kith_entity *entities, uint32_t *count, uint32_t round)
{
    static uint32_t numbers = 100;
    for (uint32_t i = 0; i < (round == 1 ? 5 : 90); i++) {
        CHECK(*count < 4000);
        entities[(*count)++] = spawn_burning(t, (int32_t)(i % 40));
    }
    for (uint32_t i = 0; round != 0 && i < 40 && i < *count; i += 9) {
        CHECK_RESULT(kith_despawn(t->world, entities[i]), KITH_OK);
        entities[i] = entities[--*count];
        KITH_GET_MUT(t->world, entities[i + 1], Health)->max = (int32_t)++numbers;
        KITH_ADD(t->world, entities[i + 2], Frozen);
        KITH_SET(t->world, entities[i + 3], Health, {(int32_t)round, (int32_t)++numbers});
    }
}

/* Moves all to other tables, and gives the empty ones back. */
static void move_all(burning *t, const kith_entity *entities, uint32_t count)
{
    bool moving = count != 0 && KITH_HAS(t->world, entities[0], Velocity);
    for (uint32_t i = 0; i < count; i++) {
        kith_result result = moving ? kith_remove(t->world, entities[i], &Velocity_type)
                                    : kith_add(t->world, entities[i], &Velocity_type);
        CHECK(result == KITH_OK || (moving && result == KITH_ERR_ABSENT));
    }
    kith_world_trim(t->world);
}

/* Whichever allocation fails, the set is as it was, and nothing is told twice or never. */
TEST_EACH_LAYOUT(asking_survives_every_allocation_failure, layout)
{
    burning t = burning_new(layout);
    static kith_entity entities[4000];
    uint32_t count = 0;
    for (uint32_t round = 0; round < 4; round++) {
        bool reached = true;
        for (size_t nth = 1; reached; nth++) {
            change_some(&t, entities, &count, round);
            if (round == 3) {
                move_all(&t, entities, count);
            }
            uint32_t before = kith_live_count(t.model.live);
            kith_live_changes changes;
            fail_allocation(&t.f, nth);
            kith_result result = kith_live_next(t.model.live, &changes);
            reached = fail_nothing(&t.f);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            if (reached) {
                CHECK_UINT(kith_live_count(t.model.live), before);
                CHECK_WORLD(t.world);
                change_some(&t, entities, &count, round % 2);
                look(&t);
            } else {
                live_model_compare(&t.model, &changes);
            }
        }
    }
    burning_free(&t);
}

/* Room for slots is made in steps of all sizes, while the world grows a little at a time. */
TEST_EACH_LAYOUT(a_growing_world_is_told_of, layout)
{
    burning t = burning_new(layout);
    for (uint32_t count = 0; count < 9000; count += 150) {
        for (uint32_t i = 0; i < 150; i++) {
            spawn_burning(&t, i % 75 == 0 ? 10 : 30);
        }
        expect_told(t.model.live, 2, 0, 0);
        CHECK_WORLD(t.world);
    }
    burning_free(&t);
}
