/* Systems ask for paths in trees that are deep: their threads note side by side what they find out about
 * entities, beside a naive matching of what kith_path writes. */
#include <kith/kith.h>
#include <stdio.h>

#include "components.h"
#include "path_like.h"
#include "test.h"

static void mark(kith_iter *it)
{
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Health)->max++;
        }
    }
}

enum { CHAINS = 20, CHAIN = 300, ALL = CHAINS * CHAIN };

static const char *const patterns[] = {"**", "a*/**", "**/b/**", "**/a*/**/b/**/*", "**/ship"};

/* Runs the systems once, each of which counts in what it matches, and adds up what they have to. */
static void run_and_add(kith_world *world, const kith_entity *e, uint32_t *expected)
{
    for (uint32_t i = 0; i < ALL; i++) {
        static char own[CHAIN * 10];
        const bool has = kith_path(world, e[i], own, sizeof own) != 0;
        for (size_t p = 0; p < ROWS_OF(patterns); p++) {
            expected[i] += has && path_is_like(own, patterns[p]);
        }
    }
    CHECK_RESULT(kith_run(world, 1), KITH_OK);
    for (uint32_t i = 0; i < ALL; i++) {
        CHECK_UINT((uint32_t)KITH_GET(world, e[i], Health)->max, expected[i]);
    }
    CHECK_WORLD(world);
}

/* Several threads ask about the same trees, and note what they find side by side. */
TEST_WITHIN(60, systems_ask_for_deep_paths_side_by_side)
{
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        static kith_entity e[ALL];
        static uint32_t expected[ALL];
        memset(expected, 0, sizeof expected);
        fixture f = fixture_new();
        CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = threads}), KITH_OK);
        for (uint32_t i = 0; i < ALL; i++) { /* neighbours are of different trees */
            static const char *const names[] = {"a", "b", "ab", "ship", "c"};
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Health, {(int32_t)i, 0}));
            char name[20];
            snprintf(name, sizeof name, "%s%u", names[i % 5], (unsigned)i);
            kith_set_parent(f.world, e[i], i < CHAINS ? KITH_NONE : e[i - CHAINS]);
            CHECK_RESULT(
                kith_set_name(f.world, e[i], i < CHAINS ? name : names[i * 7 / CHAINS % 5]),
                KITH_OK);
        }
        for (size_t p = 0; p < ROWS_OF(patterns); p++) {
            char name[20];
            snprintf(name, sizeof name, "mark %u", (unsigned)p);
            const kith_system_def def = {
                .name = name,
                .run = mark,
                .parallel = true,
                .query.terms = KITH_TERMS(KITH_WRITE(Health), KITH_IF_PATH_LIKE(patterns[p]))};
            CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        }
        run_and_add(f.world, e, expected);
        CHECK_RESULT(kith_set_name(f.world, e[CHAINS * 50], "renamed"), KITH_OK);
        CHECK_RESULT(kith_set_name(f.world, e[CHAINS * 20 + 1], NULL), KITH_OK);
        run_and_add(f.world, e, expected);
        fixture_free(&f);
    }
}
