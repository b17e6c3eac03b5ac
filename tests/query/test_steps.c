/* Where a filter leaves short runs, kith_next takes up to 64 entities' worth of them by itself. What it
 * hands out must be what a look at the world would find, also when values move in between. */
#include <kith/kith.h>

#include "components.h"
#include "random.h"
#include "share.h"
#include "test.h"

#define MANY 2500u

/* 16 of them are a block. */
typedef struct Wide {
    uint8_t bytes[1024];
} Wide;
KITH_TYPE(Wide, KITH_FIELD(Wide, bytes));

/* Position in `layout`; Frozen, in slots, where `frozen` says. */
typedef struct walked {
    fixture f;
    kith_entity e[MANY];
    bool frozen[MANY];
} walked;

static walked *walked_new(kith_layout layout, uint32_t of, uint32_t out_of)
{
    static walked w;
    w.f = fixture_new();
    uint64_t random = of;
    kith_register(w.f.world, &Position_type, &(kith_component_def){.layout = layout});
    kith_register(w.f.world, &Wide_type, &(kith_component_def){.layout = layout});
    kith_register(w.f.world, &Frozen_type, &(kith_component_def){.layout = KITH_SLOT});
    for (uint32_t i = 0; i < MANY; i++) {
        w.e[i] = KITH_SPAWN(w.f.world, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(Wide));
        w.frozen[i] = random_below(&random, out_of) < of;
        if (w.frozen[i]) {
            CHECK_RESULT(KITH_ADD(w.f.world, w.e[i], Frozen), KITH_OK);
        }
    }
    return &w;
}

/* Checks that the batch is the longest run from the first entity behind `from` on, within a block of
 * `block` rows, and returns where it ends. */
static uint32_t check_run(const walked *w, const kith_iter *it, uint32_t from, uint32_t block)
{
    while (from < MANY && w->frozen[from]) {
        from++;
    }
    uint32_t end = from;
    while (end < MANY && !w->frozen[end] && end / block == from / block) {
        end++;
    }
    CHECK_UINT(it->count, end - from);
    const Position *position = KITH_COLUMN(it, Position);
    const kith_entity *entities = kith_entities(it);
    for (uint32_t i = 0; i < it->count; i++) {
        CHECK_SAME(entities[i], w->e[from + i]);
        CHECK(&position[i] == KITH_GET(w->f.world, w->e[from + i], Position));
        CHECK(&position[i] == KITH_AT(it, i, Position));
        CHECK(&position[i] == (const Position *)kith_column(it, &Position_type) + i);
        CHECK(&position[i] == kith_at_slow(it, 0, i, &Position_type, KITH_ACCESS_READ));
    }
    return end;
}

/* Batches are the longest runs: of few, half, and nearly all, also where a block ends among them. */
TEST_EACH_LAYOUT(batches_are_the_longest_runs, layout)
{
    for (uint32_t of = 1; of < 20; of += 6) {
        walked *w = walked_new(layout, of, 20);
        kith_query *small = KITH_QUERY(w->f.world, KITH_READ(Position), KITH_WITHOUT(Frozen));
        kith_query *large = kith_query_new_or_null(
            w->f.world, &(kith_query_def){.terms = KITH_TERMS(KITH_READ(Position), KITH_READ(Wide),
                                                              KITH_WITHOUT(Frozen)),
                                          .driver = &Position_type});
        kith_query *const queries[] = {small, large};
        static const uint32_t blocks[] = {1024, 16};
        for (int q = 0; q < 2; q++) {
            uint32_t end = 0;
            uint32_t visited = 0;
            for (kith_iter it = kith_query_iter(queries[q]); kith_next(&it);) {
                end = check_run(w, &it, end, blocks[q]);
                visited += it.count;
            }
            CHECK_UINT(visited, kith_query_count(queries[q]));
        }
        CHECK_WORLD(w->f.world);
        fixture_free(&w->f);
    }
}

/* A slot array with holes: the runs between them. */
TEST(runs_of_a_slot_array)
{
    walked *w = walked_new(KITH_SLOT, 10, 20);
    for (uint32_t i = 0; i < MANY; i++) {
        if (w->frozen[i]) {
            CHECK_RESULT(KITH_REMOVE(w->f.world, w->e[i], Position), KITH_OK);
        }
    }
    kith_query *query = KITH_QUERY(w->f.world, KITH_READ(Position));
    uint32_t end = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        end = check_run(w, &it, end, 1024);
    }
    CHECK(end == MANY || kith_query_count(query) < MANY - end);
    CHECK_WORLD(w->f.world);
    fixture_free(&w->f);
}

/* Bits stand in pages of 8,192, and what is counted may be a longer run. */
TEST(runs_over_pages_of_bits)
{
    enum { ALL = 20000 };
    static kith_entity e[ALL];
    fixture f = fixture_new();
    kith_register(f.world, &Frozen_type, &(kith_component_def){.layout = KITH_SLOT});
    CHECK_RESULT(kith_spawn_many(f.world, ALL, NULL, 0, e), KITH_OK);
    for (uint32_t i = 0; i < ALL; i++) {
        CHECK_RESULT(KITH_ADD(f.world, e[i], Frozen), KITH_OK);
    }
    kith_query *query = KITH_QUERY(f.world, KITH_WITH(Frozen));
    CHECK_UINT(kith_query_count(query), ALL);
    static const uint32_t holes[] = {8190, 8192, 8191, 16384, 16382, 5, ALL - 1};
    for (uint32_t h = 0; h < sizeof holes / sizeof holes[0]; h++) {
        CHECK_RESULT(KITH_REMOVE(f.world, e[holes[h]], Frozen), KITH_OK);
        CHECK_UINT(kith_query_count(query), ALL - 1 - h);
        uint32_t visited = 0;
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            for (uint32_t i = 0; i < it.count; i++) {
                CHECK(KITH_HAS(f.world, kith_entities(&it)[i], Frozen));
            }
            visited += it.count;
        }
        CHECK_UINT(visited, ALL - 1 - h);
    }
    fixture_free(&f);
}

/* A block that is read, and copied in the middle of the loop because a snapshot shares it, is read
 * where it is now. */
TEST_EACH_LAYOUT(values_that_move_between_runs, layout)
{
    for (int when = 0; when < 2; when++) {
        walked *w = walked_new(layout, 10, 20);
        kith_query *query = KITH_QUERY(w->f.world, KITH_READ(Position), KITH_WITHOUT(Frozen));
        test_share *shared = when == 0 ? test_share_world(w->f.world) : NULL;
        uint32_t end = 0;
        uint32_t batches = 0;
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            end = check_run(w, &it, end, 1024);
            if (++batches == 5) {
                shared = shared == NULL ? test_share_world(w->f.world) : shared;
                CHECK_RESULT(KITH_SET(w->f.world, w->e[end + 5], Position, {-1, -1}), KITH_OK);
                test_share_free(shared);
            }
        }
        CHECK(batches > 100);
        CHECK_WORLD(w->f.world);
        fixture_free(&w->f);
    }
}

/* Whichever batch a snapshot is taken behind: what the next ones write is not in it. */
TEST_EACH_LAYOUT(a_snapshot_behind_any_batch, layout)
{
    walked *w = walked_new(layout, 10, 20);
    kith_query *query = KITH_QUERY(w->f.world, KITH_WRITE(Position), KITH_WITHOUT(Frozen));
    for (uint32_t taken = 1; taken < 100; taken++) {
        test_share *shared = NULL;
        uint32_t batches = 0;
        kith_iter it = kith_query_iter(query);
        while (batches < taken + 3 && kith_next(&it)) {
            Position *position = KITH_COLUMN_MUT(&it, Position);
            for (uint32_t i = 0; i < it.count; i++) {
                position[i].y++;
            }
            shared = ++batches == taken ? test_share_world(w->f.world) : shared;
        }
        kith_iter_close(&it);
        CHECK_UINT(batches, taken + 3);
        test_share_free(shared);
    }
    CHECK_WORLD(w->f.world);
    fixture_free(&w->f);
}

/* An iterator that was moved on through its copy is void, however it was moved. */
TEST(copies_are_void_after_each_step)
{
    walked *w = walked_new(KITH_TABLE, 10, 20);
    kith_query *query = KITH_QUERY(w->f.world, KITH_READ(Position), KITH_WITHOUT(Frozen));
    kith_iter it = kith_query_iter(query);
    for (int i = 0; i < 50; i++) {
        CHECK(kith_next(&it));
        kith_iter copy = it;
        CHECK(kith_next(&it));
        CHECK(!kith_next(&copy));
        expect_misuse(&w->f, "through a copy");
        CHECK_PTR_NULL(kith_entities(&copy));
        expect_misuse(&w->f, "there is no batch");
        kith_iter_close(&copy);
        CHECK_PTR_NOT_NULL(KITH_COLUMN(&it, Position));
    }
    kith_iter copy = it;
    kith_iter_close(&copy);
    CHECK_PTR_NULL(KITH_COLUMN(&it, Position));
    expect_misuse(&w->f, "there is no batch");
    CHECK_PTR_NULL(KITH_AT(&it, 0, Position));
    expect_misuse(&w->f, "there is no batch");
    CHECK(!kith_next(&it));
    expect_misuse(&w->f, "through a copy");

    /* The next one that is opened is none of theirs. */
    kith_iter again = kith_query_iter(query);
    CHECK(kith_next(&again));
    CHECK(!kith_next(&it));
    expect_misuse(&w->f, "through a copy");
    kith_iter_close(&it);
    CHECK(kith_next(&again));
    kith_iter_close(&again);
    CHECK_WORLD(w->f.world);
    fixture_free(&w->f);
}

/* Loops within loops, over the same query, each at its own pace. */
TEST(runs_within_runs)
{
    walked *w = walked_new(KITH_TABLE, 18, 20);
    kith_query *query = KITH_QUERY(w->f.world, KITH_READ(Position), KITH_WITHOUT(Frozen));
    uint32_t all = kith_query_count(query);
    uint32_t end = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        uint32_t inner_end = 0;
        uint32_t inner = 0;
        for (kith_iter in = kith_query_iter(query); kith_next(&in);) {
            inner_end = check_run(w, &in, inner_end, 1024);
            inner += in.count;
            if (inner > all / 4) {
                kith_iter_close(&in);
                break;
            }
        }
        end = check_run(w, &it, end, 1024);
    }
    fixture_free(&w->f);
}

/* ---- Columns of several slot arrays ----------------------------------------------------------- */

/* The slot arrays of a query have the same order: their columns are pages. */
TEST(columns_of_slot_arrays)
{
    fixture f = fixture_with_all(KITH_SLOT);
    uint64_t random = 3;
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
        bool moves = random_below(&random, 10) != 0;
        if (moves) {
            CHECK_RESULT(KITH_SET(f.world, e, Velocity, {1, 1}), KITH_OK);
        }
        wanted += moves;
    }
    kith_query *changed = KITH_QUERY(f.world, KITH_CHANGED(Position));
    kith_query_skip_changes(changed);
    kith_query *query =
        KITH_QUERY(f.world, KITH_WRITE(Position), KITH_WRITE(Velocity), KITH_OPTIONAL(Health));
    uint32_t visited = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Position *position = KITH_COLUMN_MUT(&it, Position);
        Velocity *velocity = KITH_COLUMN_MUT(&it, Velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            const kith_entity e = kith_entities(&it)[i];
            CHECK(&position[i] == KITH_GET(f.world, e, Position));
            CHECK(&velocity[i] == KITH_GET(f.world, e, Velocity));
            position[i].y = velocity[i].dx;
        }
        CHECK_PTR_NULL(KITH_COLUMN(&it, Health)); /* nobody has it */
        visited += it.count;
        if (visited > 100) {
            kith_iter_close(&it); /* pages that were not reached are not written */
            break;
        }
    }
    CHECK(visited > 100 && visited < 1024);
    CHECK_UINT(kith_query_count(changed), 1024);
    CHECK_UINT(kith_query_count(query), wanted);
    fixture_free(&f);
}

/* ---- In systems -------------------------------------------------------------------------------- */

static void visit_so_many(kith_iter *it)
{
    uint32_t *left = it->user;
    while (kith_next(it)) {
        if (left != NULL && --*left == 0) {
            return;
        }
    }
}

static void check_counts(const walked *w, const char *name, uint32_t batches, uint32_t entities)
{
    kith_system_stats stats;
    CHECK_RESULT(kith_profile_system(w->f.world, name, &stats), KITH_OK);
    CHECK_UINT(stats.batches, batches);
    CHECK_UINT(stats.entities, entities);
}

/* The profile counts what was handed out: all of it, or what a system took before it left. */
TEST(batches_are_counted_one_by_one)
{
    walked *w = walked_new(KITH_TABLE, 10, 20);
    uint32_t left = 7;
    CHECK_RESULT(kith_profile_start(w->f.world, 0), KITH_OK);
    const kith_query_def query = {.terms = KITH_TERMS(KITH_READ(Position), KITH_WITHOUT(Frozen))};
    CHECK_RESULT(
        kith_system_add(w->f.world,
                        &(kith_system_def){.name = "all", .run = visit_so_many, .query = query}),
        KITH_OK);
    CHECK_RESULT(kith_system_add(w->f.world, &(kith_system_def){.name = "some",
                                                                .run = visit_so_many,
                                                                .user = &left,
                                                                .query = query}),
                 KITH_OK);
    CHECK_RESULT(kith_run(w->f.world, 1), KITH_OK);
    uint32_t runs = 0;
    uint32_t entities = 0;
    uint32_t some = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        entities += !w->frozen[i];
        runs += !w->frozen[i] && (i % 1024 == 0 || w->frozen[i - 1]);
        some += !w->frozen[i] && runs <= 7;
    }
    check_counts(w, "all", runs, entities);
    check_counts(w, "some", 7, some);
    fixture_free(&w->f);
}
