/* Conditions about what a function computes, in systems: with an index and without, in any number of
 * threads. */
#include <kith/schedule.h>

#include "computed.h"
#include "looped.h"

static const uint32_t thread_counts[] = {1, 2, 4};

#define DIGITS 100

/* It counts no calls: it is called on several threads at once. */
static bool last_digits(const void *value, void *key, void *user)
{
    (void)user;
    ((Danger *)key)->level = (float)(((const Health *)value)->current % DIGITS);
    return true;
}

#define IS_SEVEN KITH_IF_KEY(Health, last_digits, NULL, KITH_IF(Danger, level, ==, 7))

static const kith_index_def by_digits[] = {
    {.kind = KITH_INDEX_HASH,
     KITH_FIELDS(Danger, level),
     .of = &Health_type,
     .key = last_digits},
    {.kind = KITH_INDEX_ORDERED,
     KITH_FIELDS(Danger, level),
     .of = &Health_type,
     .key = last_digits},
};

static void raise(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Health *health = KITH_AT_MUT(it, i, Health);
            CHECK(health->current % DIGITS == 7);
            health->current += health->max % 3 == 0 ? 5 : DIGITS;
        }
    }
}

static uint64_t run_some(kith_layout layout, const kith_index_def *def, uint32_t threads,
                         bool parallel)
{
    static looped t;
    looped_new(&t, layout, def);
    CHECK_RESULT(kith_workers_set(t.world, &(kith_workers_def){.threads = threads}), KITH_OK);
    const kith_system_def system = {.name = "raise",
                                    .run = raise,
                                    .parallel = parallel,
                                    .query.terms = KITH_TERMS(KITH_WRITE(Health), IS_SEVEN)};
    CHECK_RESULT(kith_system_add(t.world, &system), KITH_OK);
    for (int tick = 0; tick < 3; tick++) {
        CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
        CHECK_WORLD(t.world);
    }
    char text[700];
    CHECK_RESULT(kith_system_explain(t.world, "raise", 0, text, sizeof text, NULL), KITH_OK);
    CHECK((strncmp(text, "plan: scan", 10) != 0) == (def != NULL));
    const uint64_t hash = kith_world_hash(t.world);
    fixture_free(&t.f);
    return hash;
}

TEST_EACH_LAYOUT(systems_find_the_same_in_any_number_of_threads, layout)
{
    for (int way = 0; way < 2; way++) {
        const uint64_t scanned = run_some(layout, NULL, 1, way == 0);
        for (uint32_t k = 0; k < ROWS_OF(thread_counts); k++) {
            CHECK(run_some(layout, NULL, thread_counts[k], way == 0) == scanned);
            for (uint32_t i = 0; i < ROWS_OF(by_digits); i++) {
                CHECK(run_some(layout, &by_digits[i], thread_counts[k], way == 0) == scanned);
            }
        }
    }
}

/* It writes by a lookup, which may be of any entity. */
static void look_up(kith_iter *it)
{
    uint32_t *visited = it->user;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            ++*visited;
            KITH_GET_MUT(it, kith_entities(it)[i], Health)->current += 1;
        }
    }
}

TEST_EACH_LAYOUT(a_query_scans_where_its_system_writes_meanwhile, layout)
{
    static looped t;
    uint32_t visited = 0;
    looped_new(&t, layout, &by_digits[0]);
    const kith_system_def system = {.name = "visit",
                                    .run = look_up,
                                    .user = &visited,
                                    .query.terms = KITH_TERMS(KITH_READ(Health), IS_SEVEN),
                                    .lookups = KITH_TERMS(KITH_WRITE(Health))};
    CHECK_RESULT(kith_system_add(t.world, &system), KITH_OK);
    CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
    CHECK_UINT(visited, LOOPED / DIGITS);
    char text[700];
    CHECK_RESULT(kith_system_explain(t.world, "visit", 0, text, sizeof text, NULL), KITH_OK);
    CHECK_CONTAINS(text, "the system may write Health of any entity meanwhile");
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

static void do_nothing(kith_iter *it)
{
    while (kith_next(it)) {
    }
}

TEST(a_condition_reads_what_the_key_is_computed_from)
{
    static looped t;
    looped_new(&t, KITH_TABLE, NULL);
    const kith_system_def defs[] = {
        {.name = "reads",
         .run = do_nothing,
         .query.terms = KITH_TERMS(KITH_READ(Name), IS_SEVEN)},
        {.name = "writes Danger",
         .run = do_nothing,
         .query.terms = KITH_TERMS(KITH_WRITE(Danger))},
        {.name = "writes Health",
         .run = do_nothing,
         .query.terms = KITH_TERMS(KITH_WRITE(Health))},
    };
    for (uint32_t i = 0; i < ROWS_OF(defs); i++) {
        CHECK_RESULT(kith_system_add(t.world, &defs[i]), KITH_OK);
    }
    CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
    char text[4000];
    size_t length;
    CHECK_RESULT(kith_schedule_print(t.world, text, sizeof text, &length), KITH_OK);
    CHECK_STR(text, "stage 0 (update)\n"
                    "  reads (0)\n"
                    "  writes Danger (0)\n"
                    "stage 1 (update)\n"
                    "  writes Health (0): after reads (component Health)\n");
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}
