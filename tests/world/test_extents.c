/* Long columns: their blocks are next to one another in memory, and so are copies of shared blocks. */
#include <kith/kith.h>

#include "components.h"
#include "share.h"
#include "test.h"
#include "world/world.h"

/* A value of Big has a block to itself. */
enum { LONG = 400, ROUNDS = 4 };

/* Finds the column of Big. */
static void find_column(ki_column *column, void *context)
{
    if (column->size == sizeof(Big)) {
        *(const ki_column **)context = column;
    }
}

/* How many blocks of the column of Big begin right after the one before them. */
static uint32_t neighbours(const fixture *f)
{
    const ki_column *column = NULL;
    ki_world_each_column(f->world, find_column, &column);
    CHECK_PTR_NOT_NULL(column);
    CHECK_UINT(column->block_count, LONG);
    uint32_t found = 0;
    for (uint32_t i = 1; i < column->block_count; i++) {
        uintptr_t before = (uintptr_t)column->blocks[i - 1].data;
        uintptr_t gap = (uintptr_t)column->blocks[i].data - before - sizeof(Big);
        found += gap < 128; /* the end of a block and alignment */
    }
    return found;
}

static fixture fixture_with_big(kith_layout layout, size_t limit)
{
    fixture f = fixture_new_with(&(kith_world_def){.memory_limit = limit});
    CHECK_RESULT(kith_register(f.world, &Big_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    return f;
}

static void spawn_one_by_one(fixture *f, kith_entity *entities)
{
    for (uint32_t i = 0; i < LONG; i++) {
        entities[i] = KITH_SPAWN(f->world, KITH_VALUE(Big));
        KITH_GET_MUT(f->world, entities[i], Big)->words[7] = i;
    }
}

static void check_values(fixture *f, const kith_entity *entities, uint32_t more)
{
    for (uint32_t i = 0; i < LONG; i++) {
        CHECK_UINT(KITH_GET(f->world, entities[i], Big)->words[7], i + more);
    }
    CHECK_WORLD(f->world);
}

TEST_EACH_LAYOUT(blocks_of_a_long_column_are_neighbours, layout)
{
    kith_entity entities[LONG];
    fixture f = fixture_with_big(layout, 0);
    spawn_one_by_one(&f, entities);
    CHECK(neighbours(&f) >= 250); /* in pairs from the 64th on */
    check_values(&f, entities, 0);
    fixture_free(&f);
}

TEST(blocks_that_are_taken_at_once_are_neighbours)
{
    fixture f = fixture_with_big(KITH_TABLE, 0);
    const kith_values values = {.type = &Big_type};
    CHECK_RESULT(kith_spawn_many(f.world, LONG, &values, 1, NULL), KITH_OK);
    CHECK(neighbours(&f) >= 300);
    size_t used = kith_memory(f.world).used;
    CHECK(used < (size_t)LONG * (sizeof(Big) + 128) + 200000); /* none is in reserve */
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* While a snapshot is taken for each frame, the blocks of the last one but one are used again. */
TEST_EACH_LAYOUT(copies_are_neighbours_and_their_memory_is_used_again, layout)
{
    kith_entity entities[LONG];
    fixture f = fixture_with_big(layout, 0);
    spawn_one_by_one(&f, entities);
    size_t used = 0;
    test_share *before = NULL;
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        test_share *now = test_share_world(f.world);
        CHECK_PTR_NOT_NULL(now);
        if (before != NULL) {
            test_share_free(before);
        }
        before = now;
        for (uint32_t i = 0; i < LONG; i++) {
            KITH_GET_MUT(f.world, entities[i], Big)->words[7]++;
        }
        CHECK(neighbours(&f) >= 250);
        check_values(&f, entities, round);
        if (round >= 3) {
            CHECK_UINT(kith_memory(f.world).used, used);
        }
        used = kith_memory(f.world).used;
    }
    test_share_free(before);
    fixture_free(&f);
}

/* A snapshot may hold blocks of a column that is gone; the extent ends with the last of them. */
TEST_EACH_LAYOUT(extents_live_as_long_as_a_block_of_theirs, layout)
{
    kith_entity entities[LONG];
    fixture f = fixture_with_big(layout, 0);
    spawn_one_by_one(&f, entities);
    test_share *shared = test_share_world(f.world);
    for (uint32_t i = 0; i < LONG; i++) {
        CHECK_RESULT(kith_despawn(f.world, entities[i]), KITH_OK);
    }
    kith_world_trim(f.world);
    CHECK_WORLD(f.world);
    test_share_free(shared); /* looks at every byte */
    CHECK(kith_memory(f.world).used < 100000);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Little memory is in reserve when a limit is met. */
TEST_EACH_LAYOUT(a_limit_is_used_up, layout)
{
    const size_t limit = (size_t)LONG * sizeof(Big);
    fixture f = fixture_with_big(layout, limit);
    uint32_t count = 0;
    while (!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Big)))) {
        count++;
    }
    CHECK(count > LONG - 8);
    CHECK(kith_memory(f.world).used + 2 * sizeof(Big) > limit);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Where there is no memory for an extent, there may be some for a block. */
TEST(every_allocation_of_a_long_column_fails)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_big(KITH_TABLE, 0);
        fail_from(&f, nth);
        uint32_t count = 0;
        while (count < LONG && !kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Big)))) {
            count++;
        }
        bool reached = fail_nothing(&f);
        CHECK_UINT(count < LONG, reached);
        CHECK_UINT(kith_entity_count(f.world), count);
        CHECK_WORLD(f.world);
        fail_allocation(&f, nth);
        kith_entity last = KITH_SPAWN(f.world, KITH_VALUE(Big));
        CHECK_UINT(kith_entity_count(f.world), count + !kith_is_none(last));
        fail_nothing(&f);
        CHECK_WORLD(f.world);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}
