/* What a pool does with its values: create, get, kill, clear, reserve, at every size. */
#include "pools.h"

/* ---- One pool -------------------------------------------------------------------------------- */

TEST(an_empty_pool_has_nobody)
{
    enemy_pool *pool = enemies_new();
    enemy_pool_id none = {0};
    CHECK_UINT(enemy_pool_count(pool), 0);
    CHECK(enemy_pool_is_none(none));
    CHECK(!enemy_pool_alive(pool, none));
    CHECK_PTR_NULL(enemy_pool_get(pool, none));
    CHECK_PTR_NULL(enemy_pool_next(pool, &none));
    CHECK_UINT(enemy_pool_memory(pool).allocations, 1);
    enemy_pool_clear(pool);
    CHECK_POOL(pool);
    end_pool(pool);
    enemy_pool_free(NULL);
}

TEST(a_value_is_copied_and_can_be_written)
{
    enemy_pool *pool = enemies_new();
    Enemy mine = {1, 2, 3};
    enemy_pool_id a = enemy_pool_create(pool, &mine);
    CHECK_ID(a.raw, 1, 0);
    CHECK(!enemy_pool_is_none(a));
    mine.health = 99;
    CHECK_INT(enemy_pool_get(pool, a)->health, 3);
    enemy_pool_get_mut(pool, a)->health = 4;
    CHECK_INT(enemy_pool_get(pool, a)->health, 4);
    CHECK(enemy_pool_get(pool, a) == enemy_pool_get_mut(pool, a));

    enemy_pool_id b = {{77, 77}};
    CHECK_RESULT(enemy_pool_try_create(pool, enemy_pool_get(pool, a), &b), KITH_OK);
    CHECK_ID(b.raw, 2, 0);
    CHECK(!enemy_pool_same(a, b));
    CHECK(enemy_pool_same(b, b));
    CHECK_INT(enemy_pool_get(pool, b)->health, 4);
    CHECK_UINT(enemy_pool_count(pool), 2);
    end_pool(pool);
}

/* Also in a slot that somebody lived in. */
TEST(no_value_is_zero_bytes)
{
    enemy_pool *pool = enemies_new();
    for (int round = 0; round < 3; round++) {
        enemy_pool_id e = enemy_pool_create(pool, NULL);
        CHECK_FLOAT(enemy_pool_get(pool, e)->y, 0);
        CHECK_INT(enemy_pool_get(pool, e)->health, 0);
        *enemy_pool_get_mut(pool, e) = (Enemy){1, 2, 3};
        CHECK_RESULT(enemy_pool_kill(pool, e), KITH_OK);
    }
    CHECK_UINT(enemy_pool_memory(pool).slots, 1);
    end_pool(pool);
}

/* Of four: -n is the death of who lives in slot n, and n a birth, which has to be in slot n. */
static const struct {
    const char *name;
    bool oldest_first;
    int steps[7];
} replacements[] = {
    {"the last to die is replaced first", false, {-3, -1, -4, 4, 1, 3, 5}},
    {"the first to die is replaced first if asked for", true, {-3, -1, 3, -4, 1, 4, 5}},
};

TEST(the_dead_are_replaced_in_order)
{
    for (size_t i = 0; test_row(i, ROWS_OF(replacements)); i++) {
        kith_pool_def def = pool_def();
        def.oldest_first = replacements[i].oldest_first;
        enemy_pool *pool = enemy_pool_new(&def);
        enemy_pool_id e[4];
        test_note(replacements[i].name);
        for (int k = 0; k < 4; k++) {
            e[k] = enemy_pool_create(pool, NULL);
        }
        for (int k = 0; k < 7; k++) {
            int slot = replacements[i].steps[k];
            if (slot < 0) {
                CHECK_RESULT(enemy_pool_kill(pool, e[-slot - 1]), KITH_OK);
            } else {
                CHECK_ID(enemy_pool_create(pool, NULL).raw, (uint32_t)slot, slot <= 4);
            }
            CHECK_POOL(pool);
        }
        end_pool(pool);
    }
}

static void clear_some(bool oldest_first)
{
    kith_pool_def def = pool_def();
    def.oldest_first = oldest_first;
    enemy_pool *pool = enemy_pool_new(&def);
    enemy_pool_id e[6];
    for (int i = 0; i < 6; i++) {
        e[i] = enemy_pool_create(pool, &(Enemy){0, 0, i});
    }
    CHECK_RESULT(enemy_pool_kill(pool, e[1]), KITH_OK);
    size_t used = enemy_pool_memory(pool).used;
    enemy_pool_clear(pool);
    CHECK_POOL(pool);
    CHECK_UINT(enemy_pool_count(pool), 0);
    CHECK_UINT(enemy_pool_memory(pool).used, used);
    for (int i = 0; i < 6; i++) {
        CHECK(!enemy_pool_alive(pool, e[i]));
        CHECK_PTR_NULL(enemy_pool_get(pool, e[i]));
    }
    static const uint32_t last_first[] = {1, 3, 4, 5, 6, 2};
    static const uint32_t first_first[] = {2, 1, 3, 4, 5, 6};
    for (int i = 0; i < 6; i++) {
        e[i] = enemy_pool_create(pool, NULL);
        CHECK_ID(e[i].raw, (oldest_first ? first_first : last_first)[i], 1);
    }
    end_pool(pool);
}

TEST(clearing_kills_all)
{
    clear_some(false);
    clear_some(true);
}

/* ---- Plain ids ------------------------------------------------------------------------------- */

TEST(plain_ids_are_slot_numbers)
{
    kith_pool_def def = pool_def();
    plain_pool *pool = plain_pool_new(&def);
    CHECK_UINT(sizeof(plain_pool_id), 4);
    plain_pool_id e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = plain_pool_create(pool, &(Enemy){0, 0, i});
        CHECK_UINT(e[i].index1, i + 1);
        CHECK(plain_pool_alive(pool, e[i]));
    }
    plain_pool_get_mut(pool, e[1])->health = 7;
    CHECK_INT(plain_pool_get(pool, e[1])->health, 7);
    CHECK(plain_pool_same(e[1], e[1]) && !plain_pool_same(e[0], e[1]));
    CHECK(!plain_pool_is_none(e[0]) && plain_pool_is_none((plain_pool_id){0}));

    plain_pool_id cursor = {0};
    for (int i = 0; i < 3; i++) {
        CHECK(plain_pool_next(pool, &cursor) == plain_pool_get(pool, e[i]));
        CHECK(plain_pool_same(cursor, e[i]));
    }
    CHECK_PTR_NULL(plain_pool_next_mut(pool, &cursor));
    CHECK(plain_pool_is_none(cursor));
    CHECK(plain_pool_next_mut(pool, &cursor) == plain_pool_get(pool, e[0]));

    CHECK_UINT(plain_pool_count(pool), 3);
    CHECK_RESULT(plain_pool_reserve(pool, 10), KITH_OK);
    plain_pool_clear(pool);
    CHECK_UINT(plain_pool_memory(pool).alive, 0);
    CHECK_RESULT(plain_pool_check(pool, NULL), KITH_OK);
    end_pool(pool);
}

/* A plain id that was forgotten stays dead until all who were free before have been replaced. */
TEST(plain_ids_stay_dead_for_long)
{
    kith_pool_def def = pool_def();
    plain_pool *pool = plain_pool_new(&def);
    plain_pool_id e[100];
    for (int i = 0; i < 100; i++) {
        CHECK_RESULT(plain_pool_try_create(pool, NULL, &e[i]), KITH_OK);
    }
    for (int i = 0; i < 100; i++) {
        CHECK_RESULT(plain_pool_kill(pool, e[i]), KITH_OK);
    }
    for (int i = 0; i < 99; i++) {
        plain_pool_create(pool, NULL);
        CHECK(!plain_pool_alive(pool, e[99]));
    }
    end_pool(pool);
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

static void fill(uint8_t *bytes, size_t size, uint32_t seed)
{
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(seed * 31 + i * 7 + (i >> 8));
    }
}

/* Values of any size stand apart, aligned, and where they were. */
static void try_size(size_t size, size_t align, uint32_t count)
{
    static uint8_t expected[1 << 20];
    static kith_pool_id ids[3000];
    static void *pointers[3000];
    kith_pool_def def = pool_def();
    kith_pool *pool = kith_pool_new(&def, size, align);
    CHECK_PTR_NOT_NULL(pool);
    for (uint32_t i = 0; i < count; i++) {
        fill(expected, size, i);
        CHECK_RESULT(kith_pool_create(pool, expected, &ids[i]), KITH_OK);
        pointers[i] = kith_pool_get_mut(pool, ids[i]);
        CHECK((uintptr_t)pointers[i] % align == 0);
        CHECK(i % 100 != 0 || kith_pool_check(pool, NULL) == KITH_OK);
    }
    for (uint32_t i = 0; i < count; i += 3) {
        CHECK_RESULT(kith_pool_kill(pool, ids[i]), KITH_OK);
        memset(pointers[i], 0xEE, size); /* nobody else's bytes */
    }
    CHECK_POOL(pool);
    for (uint32_t i = 0; i < count; i++) {
        fill(expected, size, i);
        const void *value = kith_pool_get(pool, ids[i]);
        CHECK(value == (i % 3 == 0 ? NULL : pointers[i]));
        CHECK(value == NULL || memcmp(value, expected, size) == 0);
    }
    end_pool(pool);
}

TEST_WITHIN(10, values_of_any_size)
{
    static const struct {
        size_t size, align;
        uint32_t count;
    } sizes[] = {{1, 1, 3000},       {2, 1, 3000},      {3, 1, 3000},      {16, 16, 3000},
                 {17, 1, 3000},      {64, 64, 1000},    {128, 128, 300},   {4096, 4096, 20},
                 {8192, 4096, 20},   {16384, 8, 20},    {16385, 1, 20},    {1 << 20, 4096, 3}};
    for (size_t i = 0; test_row(i, ROWS_OF(sizes)); i++) {
        try_size(sizes[i].size, sizes[i].align, sizes[i].count);
    }
}

TEST(typed_values_of_any_size)
{
    kith_pool_def def = pool_def();
    byte_pool *bytes = byte_pool_new(&def);
    for (int i = 0; i < 2000; i++) {
        byte_pool_id b = byte_pool_create(bytes, &(Byte1){(uint8_t)i});
        CHECK_UINT(byte_pool_get(bytes, b)->value, (uint8_t)i);
    }
    end_pool(bytes);

    static const Large large = {.bytes = {[20000] = 7}};
    def = pool_def();
    large_pool *larges = large_pool_new(&def);
    for (int i = 0; i < 5; i++) {
        large_pool_id l = large_pool_create(larges, &large);
        CHECK_UINT(large_pool_get(larges, l)->bytes[20000], 7);
    }
    end_pool(larges);

    def = pool_def();
    aligned_pool *aligned = aligned_pool_new(&def);
    for (int i = 0; i < 300; i++) {
        aligned_pool_id a = aligned_pool_create(aligned, NULL);
        CHECK((uintptr_t)aligned_pool_get(aligned, a) % 64 == 0);
    }
    end_pool(aligned);
}

TEST(sizes_that_make_no_sense)
{
    static const struct {
        size_t size, align;
    } wrong[] = {{0, 1},         {0, 0},  {8, 0},        {8, 3},    {12, 8},
                 {8192, 8192}, {4, 8},  {SIZE_MAX, 1}, {(1 << 20) + 1, 1}, {8, SIZE_MAX}};
    for (size_t i = 0; test_row(i, ROWS_OF(wrong)); i++) {
        CHECK_PTR_NULL(kith_pool_new(NULL, wrong[i].size, wrong[i].align));
    }
}

/* ---- Two pools ------------------------------------------------------------------------------- */

/* They share nothing, and the same calls give the same ids. */
TEST(pools_stand_alone)
{
    kith_pool_def def_a = pool_def();
    kith_pool_def def_b = pool_def();
    enemy_pool *a = enemy_pool_new(&def_a);
    enemy_pool *b = enemy_pool_new(&def_b);
    for (int i = 0; i < 100; i++) {
        enemy_pool_id in_a = enemy_pool_create(a, &(Enemy){0, 0, i});
        enemy_pool_id in_b = enemy_pool_create(b, &(Enemy){0, 0, -i});
        CHECK(enemy_pool_same(in_a, in_b));
        if (i % 3 == 0) {
            CHECK_RESULT(enemy_pool_kill(a, in_a), KITH_OK);
            CHECK_INT(enemy_pool_get(b, in_b)->health, -i);
            CHECK_RESULT(enemy_pool_kill(b, in_b), KITH_OK);
        }
    }
    end_pool(a);
    CHECK_UINT(enemy_pool_count(b), 66);
    end_pool(b);
}
