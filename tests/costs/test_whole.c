/* What calls about a whole world take, for each of the things in it, does not depend on how many
 * there are; nor does making them. */
#include <stdio.h>
#include <stdlib.h>

#include "crowd.h"
#include "work.h"

/* A call, and a kind of things that it goes through. */
typedef struct whole {
    const crowd_kind *kind;
    void (*act)(crowd *c);
} whole;

static void act_check(crowd *c)
{
    CHECK_RESULT(kith_world_check(c->world), KITH_OK);
}

static void act_hash(crowd *c)
{
    CHECK(kith_world_hash(c->world) != 0);
}

static void act_content_hash(crowd *c)
{
    CHECK(kith_content_hash(c->world) != 0);
}

static void act_reclaim(crowd *c)
{
    kith_world_trim(c->world);
}

/* Turns around the order of all, table by table. */
static void act_sort(crowd *c)
{
    kith_query *query = KITH_QUERY(c->world, KITH_WRITE(Position));
    float number = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Position *positions = KITH_COLUMN_MUT(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            positions[i].x = number++;
        }
    }
    CHECK_RESULT(KITH_SORT(c->world, Position, x, .descending = true), KITH_OK);
}

static bool visit_nothing(void *context, const kith_difference *difference)
{
    (void)context;
    (void)difference;
    return true;
}

static void act_snapshot(crowd *c)
{
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(c->world, &snapshot), KITH_OK);
    act_sort(c);
    kith_snapshot *sorted;
    CHECK_RESULT(kith_snapshot_take(c->world, &sorted), KITH_OK);
    CHECK_RESULT(kith_snapshot_diff(snapshot, sorted, visit_nothing, NULL), KITH_OK);
    kith_bytes bytes = {0};
    CHECK_RESULT(kith_snapshot_diff_bytes(snapshot, sorted, &bytes), KITH_OK);
    kith_snapshot_free(sorted);
    CHECK_RESULT(kith_snapshot_restore(c->world, snapshot), KITH_OK);
    CHECK_RESULT(kith_diff_apply(c->world, bytes.data, bytes.size), KITH_OK);
    kith_bytes_free(c->world, &bytes);
    CHECK_RESULT(kith_snapshot_restore(c->world, snapshot), KITH_OK);
    kith_snapshot_free(snapshot);
}

static void act_free(crowd *c)
{
    kith_world_free(c->world);
    c->world = NULL;
}

static void act_save(crowd *c)
{
    CHECK_RESULT(kith_scene_save(c->world, NULL, crowd_write_nowhere, NULL, NULL), KITH_OK);
}

static void act_pool(crowd *c)
{
    CHECK_RESULT(kith_pool_check(c->pool, NULL), KITH_OK);
    CHECK_RESULT(kith_pool_reserve(c->pool, kith_pool_count(c->pool) + 1), KITH_OK);
    kith_pool_clear(c->pool);
}

static const struct {
    const char *name;
    void (*act)(crowd *c);
} calls[] = {{"kith_world_check", act_check},
             {"kith_world_hash", act_hash},
             {"kith_content_hash", act_content_hash},
             {"kith_scene_save", act_save},
             {"kith_world_trim", act_reclaim},
             {"kith_sort", act_sort},
             {"calls of snapshots", act_snapshot},
             {"calls of pools", act_pool},
             {"kith_world_free", act_free}};

static uint64_t work_of_making(uint32_t n, const void *context)
{
    uint64_t before = work_done();
    crowd *c = crowd_new(context, n);
    uint64_t work = work_done() - before;
    kith_world_free(c->world);
    return work;
}

static uint64_t work_of_call(uint32_t n, const void *context)
{
    const whole *w = context;
    crowd *c = crowd_new(w->kind, n);
    uint64_t before = work_done();
    w->act(c);
    uint64_t work = work_done() - before;
    kith_world_free(c->world);
    return work;
}

TEST_WITHIN(30, to_be_made)
{
    for (uint32_t i = 0; i < crowd_kind_count; i++) {
        work_check_items(crowd_kinds[i].name, work_of_making, &crowd_kinds[i], crowd_kinds[i].count,
                         150);
    }
}

TEST_WITHIN(30, to_be_gone_through)
{
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++) {
        for (uint32_t i = 0; i < crowd_kind_count; i++) {
            const whole w = {&crowd_kinds[i], calls[k].act};
            char name[64];
            snprintf(name, sizeof name, "%s, %s", calls[k].name, w.kind->name);
            work_check_items(name, work_of_call, &w, w.kind->count, 150);
        }
    }
}

/* What one write takes to be found, between two snapshots of `n` entities. */
static uint64_t work_of_difference(uint32_t n, bool as_bytes)
{
    kith_world *world = kith_world_new(NULL);
    const kith_values values[] = {{&Position_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(world, n, values, 1, NULL), KITH_OK);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(world, &before), KITH_OK);
    CHECK_RESULT(KITH_SET(world, kith_entity_next(world, KITH_NONE), Position, {1, 2}), KITH_OK);
    kith_snapshot *after;
    CHECK_RESULT(kith_snapshot_take(world, &after), KITH_OK);
    const uint64_t start = work_done();
    kith_bytes bytes = {0};
    CHECK_RESULT(as_bytes ? kith_snapshot_diff_bytes(before, after, &bytes)
                          : kith_snapshot_diff(before, after, visit_nothing, NULL),
                 KITH_OK);
    const uint64_t work = work_done() - start;
    kith_bytes_free(world, &bytes);
    kith_world_free(world);
    return work;
}

TEST_WITHIN(20, one_difference_among_many_entities)
{
    const uint64_t few = work_of_difference(1u << 16, false);
    const uint64_t many = work_of_difference(1u << 19, false);
    if (many > few + few / 4) {
        test_fail(__FILE__, __LINE__, "among 65,536 it takes %llu blocks, among 524,288 %llu",
                  (unsigned long long)few, (unsigned long long)many);
    }
}

/* Of eight times as many entities, of which one differs too: what grows is what is passed over. */
TEST_WITHIN(20, bytes_of_one_difference_among_many_entities)
{
    const uint64_t few = work_of_difference(1u << 16, true);
    const uint64_t many = work_of_difference(1u << 19, true);
    if (many > 2 * few) {
        test_fail(__FILE__, __LINE__, "among 65,536 it takes %llu blocks, among 524,288 %llu",
                  (unsigned long long)few, (unsigned long long)many);
    }
}

/* What it takes to write that one of `n` sources has gone and another has come, or to apply that. */
static uint64_t work_of_link_bytes(uint32_t n, bool applies)
{
    kith_world *world = kith_world_new(NULL);
    kith_entity *list = malloc(n * sizeof *list);
    CHECK_PTR_NOT_NULL(list);
    const kith_values values[] = {{&Position_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(world, n, values, 1, list), KITH_OK);
    for (uint32_t i = 2; i < n; i++) {
        CHECK_RESULT(kith_set_parent(world, list[i], list[0]), KITH_OK);
    }
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(world, &before), KITH_OK);
    CHECK_RESULT(kith_set_parent(world, list[n / 2], KITH_NONE), KITH_OK);
    CHECK_RESULT(kith_insert_child(world, list[1], list[n / 4]), KITH_OK);
    kith_snapshot *after;
    CHECK_RESULT(kith_snapshot_take(world, &after), KITH_OK);
    uint64_t start = work_done();
    kith_bytes bytes = {0};
    CHECK_RESULT(kith_snapshot_diff_bytes(after, before, &bytes), KITH_OK);
    uint64_t work = work_done() - start;
    if (applies) {
        start = work_done();
        CHECK_RESULT(kith_diff_apply(world, bytes.data, bytes.size), KITH_OK);
        work = work_done() - start;
    }
    kith_bytes_free(world, &bytes);
    kith_world_free(world);
    free(list);
    return work;
}

/* The sources that stay are not gone through. */
TEST_WITHIN(20, bytes_of_one_link_among_many)
{
    for (int applies = 0; applies < 2; applies++) {
        const uint64_t few = work_of_link_bytes(1u << 15, applies != 0);
        const uint64_t many = work_of_link_bytes(1u << 18, applies != 0);
        if (many > 2 * few) {
            test_fail(__FILE__, __LINE__, "%s among 32,768 takes %llu blocks, among 262,144 %llu",
                      applies != 0 ? "applying" : "writing", (unsigned long long)few,
                      (unsigned long long)many);
        }
    }
}

/* What it takes to check `n` entities that lead to one another: in a row, or all to one. */
static uint64_t work_of_link_check(uint32_t n, const void *context)
{
    const bool *row = context;
    kith_world *world = kith_world_new(NULL);
    kith_entity first = kith_spawn_empty(world);
    kith_entity target = first;
    for (uint32_t i = 0; i < n; i++) {
        kith_entity source = kith_spawn_empty(world);
        CHECK_RESULT(kith_set_parent(world, source, target), KITH_OK);
        target = *row ? source : first;
    }
    const uint64_t start = work_done();
    CHECK_RESULT(kith_world_check(world), KITH_OK);
    const uint64_t work = work_done() - start;
    kith_world_free(world);
    return work;
}

TEST_WITHIN(20, links_are_checked_in_a_time_that_goes_with_their_number)
{
    for (int i = 0; i < 2; i++) {
        const bool row = i != 0;
        work_check_items("checking links", work_of_link_check, &row, 1u << 12, 150);
    }
}

/* A world of 65,536 entities whose blocks a snapshot shares, and that was hashed then. */
static kith_world *world_hashed(kith_layout layout)
{
    kith_world *world = kith_world_new(NULL);
    CHECK_RESULT(kith_register(world, &Position_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    const kith_values values[] = {{&Position_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(world, 1u << 16, values, 1, NULL), KITH_OK);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(world, &before), KITH_OK);
    return world;
}

/* After one write and one more snapshot, a hash reads what was written. */
TEST_EACH_LAYOUT(a_hash_after_one_write, layout)
{
    kith_world *world = world_hashed(layout);
    uint64_t start = work_done();
    const uint64_t before = kith_world_hash(world);
    const uint64_t first = work_done() - start;
    CHECK_RESULT(KITH_SET(world, kith_entity_next(world, KITH_NONE), Position, {1, 2}), KITH_OK);
    kith_snapshot *after;
    CHECK_RESULT(kith_snapshot_take(world, &after), KITH_OK);
    start = work_done();
    CHECK(kith_world_hash(world) != before);
    const uint64_t again = work_done() - start;
    if (again > first / 10) {
        test_fail(__FILE__, __LINE__, "the first hash takes %llu blocks, the next one %llu",
                  (unsigned long long)first, (unsigned long long)again);
    }
    kith_world_free(world);
}

/* ---- One table of many ----------------------------------------------------------------------- */

#define TABLE_TAGS 14u

/* A world with so many tables, each with an entity, that has a snapshot. */
static kith_world *world_of_tables(uint32_t count, kith_snapshot **taken)
{
    static kith_type *tags;
    tags = tags == NULL ? work_tags("Table", TABLE_TAGS) : tags;
    kith_world *world = kith_world_new(NULL);
    for (uint32_t i = 0; i < TABLE_TAGS; i++) {
        CHECK_RESULT(kith_register(world, &tags[i], &(kith_component_def){.layout = KITH_TABLE}),
                     KITH_OK);
    }
    for (uint32_t i = 0; i < count; i++) {
        kith_value values[TABLE_TAGS + 1] = {KITH_VALUE(Position, {1, 2})};
        uint32_t value_count = 1;
        for (uint32_t bit = 0; bit < TABLE_TAGS; bit++) {
            if ((i >> bit & 1) != 0) {
                values[value_count++] = (kith_value){&tags[bit], NULL};
            }
        }
        kith_entity e;
        CHECK_RESULT(kith_spawn(world, values, value_count, &e), KITH_OK);
    }
    CHECK_RESULT(kith_snapshot_take(world, taken), KITH_OK);
    return world;
}

/* What it takes to write one value, take a snapshot, write again, and restore either. */
static uint64_t work_of_one_table(uint32_t count)
{
    kith_snapshot *first, *second;
    kith_world *world = world_of_tables(count, &first);
    kith_entity e = kith_entity_next(world, KITH_NONE);
    const uint64_t start = work_done();
    CHECK_RESULT(KITH_SET(world, e, Position, {3, 4}), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(world, &second), KITH_OK);
    CHECK_RESULT(KITH_SET(world, e, Position, {5, 6}), KITH_OK);
    CHECK_RESULT(kith_snapshot_restore(world, second), KITH_OK);
    CHECK_RESULT(kith_snapshot_restore(world, first), KITH_OK);
    const uint64_t work = work_done() - start;
    CHECK_FLOAT(KITH_GET(world, e, Position)->x, 1);
    CHECK_WORLD(world);
    kith_world_free(world);
    return work;
}

/* What grows with the other tables is a word for each 64 of them, which each call looks at. */
TEST_WITHIN(20, snapshots_of_one_table_among_many)
{
    const uint64_t few = work_of_one_table(1250);
    const uint64_t many = work_of_one_table(10000);
    if (many > few + 2 * (10000 - 1250)) {
        test_fail(__FILE__, __LINE__, "among 1,250 tables it takes %llu blocks, among 10,000 %llu",
                  (unsigned long long)few, (unsigned long long)many);
    }
}

/* Tables, and tags by slot, are not gone through again as long as they are what a snapshot has. */
TEST_WITHIN(20, a_hash_when_nothing_was_written)
{
    kith_snapshot *taken;
    for (uint32_t slots = 0; slots < 2; slots++) {
        kith_world *world = world_of_tables(slots != 0 ? 1 : 2048, &taken);
        if (slots != 0) {
            const kith_component_def by_slot = {.layout = KITH_SLOT};
            CHECK_RESULT(kith_register(world, &Frozen_type, &by_slot), KITH_OK);
            const kith_values values[] = {{&Frozen_type, NULL, false}};
            CHECK_RESULT(kith_spawn_many(world, 1u << 18, values, 1, NULL), KITH_OK);
            CHECK_RESULT(kith_snapshot_take(world, &taken), KITH_OK);
        }
        uint64_t work[2];
        uint64_t hashes[2];
        for (uint32_t i = 0; i < 2; i++) {
            const uint64_t start = work_done();
            hashes[i] = kith_world_hash(world);
            work[i] = work_done() - start;
        }
        CHECK_UINT(hashes[0], hashes[1]);
        if (work[1] > work[0] / 10) {
            test_fail(__FILE__, __LINE__, "the first hash takes %llu blocks, the next one %llu",
                      (unsigned long long)work[0], (unsigned long long)work[1]);
        }
        kith_world_free(world);
    }
}
