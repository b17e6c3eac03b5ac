/* Queries of systems that find indexes by themselves: they visit what a scan visits, in the same order,
 * with the same random numbers and commands, for any number of threads. */
#include <kith/schedule.h>

#include "looped.h"
#include "random.h"

KITH_COMPONENT(Bound, (int32_t, number));

static const uint32_t thread_counts[] = {1, 2, 4};

static bool is_system_planned(kith_world *world, uint32_t number)
{
    char text[700];
    CHECK_RESULT(kith_system_explain(world, "visit", number, text, sizeof text, NULL), KITH_OK);
    return strncmp(text, "plan: scan", 10) != 0;
}

/* Notes in each entity when it was visited: the next random number of the call. Some get another number,
 * which another tick asks for; some queue changes. */
static void note(kith_iter *it, uint32_t i, Health *health)
{
    const kith_entity entity = kith_entities(it)[i];
    const uint64_t random = kith_system_random(it);
    health[0].max = (int32_t)(random >> 34);
    if (random % 3 == 0) {
        health[0].current = (health[0].current + 1) % LOOPED_VALUES;
    }
    if (it->commands != NULL && random % 5 == 0) {
        KITH_SET(it->commands, entity, Bound, {health[0].max % 100});
    }
    if (it->commands != NULL && random % 7 == 0) {
        KITH_DESPAWN(it->commands, entity);
    }
}

static void visit_arrays(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            note(it, i, KITH_AT_MUT(it, i, Health));
        }
    }
}

static void visit_rows(kith_iter *it)
{
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            note(it, i, KITH_AT_MUT(it, i, Health));
        }
    }
}

/* ---- The first query ------------------------------------------------------------------------- */

/* The hash of a world after some ticks, in which a system writes what its conditions are about. */
static uint64_t run_visits(kith_layout layout, const kith_index_def *index, uint32_t threads,
                           bool rows, bool parallel)
{
    static looped t;
    looped_new(&t, layout, index);
    CHECK_RESULT(kith_workers_set(t.world, &(kith_workers_def){.threads = threads}), KITH_OK);
    const kith_system_def def = {
        .name = "visit",
        .run = rows ? visit_rows : visit_arrays,
        .parallel = parallel,
        /* The first one is asked row by row: so a scan takes long enough, also with four threads. */
        .query.terms = KITH_TERMS(KITH_WRITE(Health), KITH_OPTIONAL(Name),
                                  KITH_IF_NOT(KITH_IF_CONTAINS(Name, text, "7")),
                                  KITH_IF_IN(Health, current, 5, 77, kith_bound("number")))};
    CHECK_RESULT(kith_system_add(t.world, &def), KITH_OK);
    uint32_t planned = 0;
    for (int32_t tick = 0; tick < 5; tick++) {
        CHECK_RESULT(kith_system_bind(t.world, "visit", "number", 900 + tick), KITH_OK);
        planned += index != NULL && is_system_planned(t.world, 0);
        CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
        CHECK_WORLD(t.world);
    }
    if (index != NULL) {
        /* Nobody else asked it. */
        CHECK(kith_index_stats(t.index).refreshes >= 1);
        CHECK(planned >= 1);
    }
    const uint64_t hash = kith_world_hash(t.world);
    fixture_free(&t.f);
    return hash;
}

TEST_EACH_LAYOUT_WITHIN(60, a_system_visits_the_same_by_an_index, layout)
{
    for (uint32_t way = 0; way < 4; way++) {
        const bool rows = way % 2 != 0;
        const bool parallel = way < 2;
        const uint64_t scanned = run_visits(layout, NULL, 1, rows, parallel);
        for (uint32_t i = 0; i < BY_NUMBER; i++) {
            for (uint32_t k = 0; k < ROWS_OF(thread_counts); k++) {
                CHECK(run_visits(layout, &by_number[i], thread_counts[k], rows, parallel) ==
                      scanned);
            }
        }
        CHECK(run_visits(layout, NULL, 4, rows, parallel) == scanned);
    }
}

/* By depth: levels come one after the other, and each has its part of what an index names. */
TEST_EACH_LAYOUT_WITHIN(60, a_system_goes_by_depth_and_by_an_index, layout)
{
    uint64_t scanned = 0;
    for (uint32_t turn = 0; turn < 1 + BY_NUMBER; turn++) {
        for (uint32_t k = 0; k < ROWS_OF(thread_counts); k++) {
            static looped t;
            looped_new(&t, layout, turn == 0 ? NULL : &by_number[turn - 1]);
            for (uint32_t i = 1; i < LOOPED; i += 3) {
                CHECK_RESULT(kith_set_parent(t.world, t.entities[i], t.entities[i / 4 * 3 / 2]),
                             KITH_OK);
            }
            const kith_workers_def workers = {.threads = thread_counts[k]};
            CHECK_RESULT(kith_workers_set(t.world, &workers), KITH_OK);
            const kith_system_def def = {
                .name = "visit",
                .run = k % 2 == 0 ? visit_rows : visit_arrays,
                .parallel = true,
                .no_commands = true,
                .query = {.terms = KITH_TERMS(KITH_WRITE(Health), KITH_IF(Health, current, <, 9)),
                          .order = KITH_PARENTS_FIRST}};
            CHECK_RESULT(kith_system_add(t.world, &def), KITH_OK);
            for (uint32_t tick = 0; tick < 3; tick++) {
                CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
                CHECK_WORLD(t.world);
            }
            const uint64_t hash = kith_world_hash(t.world);
            scanned = turn == 0 && k == 0 ? hash : scanned;
            CHECK(hash == scanned);
            fixture_free(&t.f);
        }
    }
}

/* A loop of a plain system, over a query of the program. */
static kith_result update_in_parallel(kith_world *world, kith_iter *it)
{
    (void)world;
    kith_query *query = it->user;
    return kith_system_parallel(it, query, visit_rows, NULL);
}

TEST_EACH_LAYOUT_WITHIN(60, a_loop_of_a_plain_system_goes_by_an_index, layout)
{
    uint64_t scanned = 0;
    for (uint32_t turn = 0; turn < 1 + BY_NUMBER; turn++) {
        for (uint32_t k = 0; k < ROWS_OF(thread_counts); k++) {
            static looped t;
            looped_new(&t, layout, turn == 0 ? NULL : &by_number[turn - 1]);
            const kith_workers_def workers = {.threads = thread_counts[k]};
            CHECK_RESULT(kith_workers_set(t.world, &workers), KITH_OK);
            kith_query *query = KITH_QUERY(t.world, KITH_WRITE(Health),
                                           KITH_IF(Health, current, ==, kith_bound("number")));
            const kith_system_def def = {
                .name = "plain", .update = update_in_parallel, .user = query};
            CHECK_RESULT(kith_system_add(t.world, &def), KITH_OK);
            for (int32_t tick = 0; tick < 4; tick++) {
                CHECK_RESULT(kith_query_bind(query, "number", 44 + tick), KITH_OK);
                CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
                CHECK_WORLD(t.world);
            }
            CHECK(turn == 0 || kith_index_stats(t.index).refreshes >= 1);
            const uint64_t hash = kith_world_hash(t.world);
            scanned = turn == 0 && k == 0 ? hash : scanned;
            CHECK(hash == scanned);
            fixture_free(&t.f);
        }
    }
}

/* ---- Further queries -------------------------------------------------------------------------- */

/* How many the further query visits, in which order, for each entity of the first one. */
static void visit_others(kith_iter *it)
{
    while (kith_next(it)) {
        Bound *bound = KITH_COLUMN_MUT(it, Bound);
        for (uint32_t i = 0; i < it->count; i++) {
            uint64_t hash = 1;
            kith_iter others = kith_system_query(it, 1);
            while (i % 2 == 0 ? kith_next(&others) : kith_next_rows(&others)) {
                for (uint32_t k = 0; k < others.count; k++) {
                    hash = fold(hash, kith_entities(&others)[k].index1);
                    hash = fold(hash, (uint64_t)KITH_AT(&others, k, Health)->max);
                }
            }
            bound[i].number = (int32_t)(hash >> 40);
        }
    }
}

TEST_EACH_LAYOUT_WITHIN(60, a_further_query_goes_by_an_index_in_every_call, layout)
{
    int32_t scanned = 0;
    for (uint32_t turn = 0; turn < 1 + BY_NUMBER; turn++) {
        for (uint32_t k = 0; k < ROWS_OF(thread_counts); k++) {
            static looped t;
            looped_new(&t, layout, turn == 0 ? NULL : &by_number[turn - 1]);
            for (uint32_t i = 0; i < LOOPED; i += 2) {
                CHECK_RESULT(KITH_SET(t.world, t.entities[i], Bound, {0}), KITH_OK);
            }
            const kith_workers_def workers = {.threads = thread_counts[k]};
            CHECK_RESULT(kith_workers_set(t.world, &workers), KITH_OK);
            const kith_system_def def = {
                .name = "visit",
                .run = visit_others,
                .parallel = true,
                .query.terms = KITH_TERMS(KITH_WRITE(Bound), KITH_WITH(Health)),
                .queries = {{.terms = KITH_TERMS(
                                 KITH_READ(Health),
                                 KITH_IF(Health, current, ==, kith_bound("number")))}}};
            CHECK_RESULT(kith_system_add(t.world, &def), KITH_OK);
            for (int32_t tick = 0; tick < 2; tick++) {
                CHECK_RESULT(kith_system_bind(t.world, "visit", "number", 14 + tick), KITH_OK);
                CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
            }
            CHECK_UINT(is_system_planned(t.world, 1), turn != 0);
            const int32_t got = KITH_GET(t.world, t.entities[0], Bound)->number;
            for (uint32_t i = 0; i < LOOPED; i += 2) {
                CHECK_INT(KITH_GET(t.world, t.entities[i], Bound)->number, got);
            }
            scanned = turn == 0 && k == 0 ? got : scanned;
            CHECK_INT(got, scanned);
            CHECK_WORLD(t.world);
            fixture_free(&t.f);
        }
    }
}

/* ---- Values that are written by other means --------------------------------------------------- */

typedef struct chain {
    looped *t;
    uint32_t met;
} chain;

/* Each entity lets one that comes later match, by a lookup. In every layout that is not among the 64
 * rows that are asked together. */
static void pass_on(kith_iter *it)
{
    chain *c = it->user;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const int32_t number = KITH_AT(it, i, Health)->max;
            c->met++;
            if (number + 300 < LOOPED) {
                KITH_GET_MUT(it, c->t->entities[number + 300], Health)->current = -1;
            }
        }
    }
}

/* The same by a further query, which writes. */
static void pass_on_by_query(kith_iter *it)
{
    chain *c = it->user;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const int32_t number = KITH_AT(it, i, Health)->max;
            c->met++;
            kith_iter all = kith_system_query(it, 1);
            while (kith_next_rows(&all)) {
                for (uint32_t k = 0; k < all.count; k++) {
                    Health *health = KITH_AT_MUT(&all, k, Health);
                    health->current = health->max == number + 300 ? -1 : health->current;
                }
            }
        }
    }
}

/* The first query writes what a further one asks for. */
static void count_what_was_written(kith_iter *it)
{
    chain *c = it->user;
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Health)->current = -1;
        }
        for (kith_iter all = kith_system_query(it, 1); kith_next(&all);) {
            c->met += all.count;
        }
    }
}

/* A further query writes what it asks for itself, and is opened again. */
static void write_twice(kith_iter *it)
{
    chain *c = it->user;
    for (int turn = 0; turn < 2; turn++) {
        for (kith_iter all = kith_system_query(it, 1); kith_next_rows(&all);) {
            for (uint32_t i = 0; i < all.count; i++) {
                c->met++;
                Health *health = KITH_AT_MUT(&all, i, Health);
                const int32_t next = health->max + 1;
                health->current = 0;
                if (turn == 0 && next < LOOPED) {
                    KITH_GET_MUT(it, c->t->entities[next], Health)->current = -1;
                }
            }
        }
    }
}

#define IS_ONE KITH_IF(Health, current, ==, -1)

static void add_writer(kith_world *world, uint32_t way, chain *c)
{
    const kith_system_def defs[] = {
        {.run = pass_on,
         .query.terms = KITH_TERMS(KITH_READ(Health), IS_ONE),
         .lookups = KITH_TERMS(KITH_WRITE(Health))},
        {.run = pass_on_by_query,
         .query.terms = KITH_TERMS(KITH_READ(Health), IS_ONE),
         .queries = {{.terms = KITH_TERMS(KITH_WRITE(Health))}}},
        {.run = count_what_was_written,
         .query.terms = KITH_TERMS(KITH_WRITE(Health), KITH_IF(Health, max, <, 3000)),
         .queries = {{.terms = KITH_TERMS(KITH_READ(Health), IS_ONE)}}},
        {.run = write_twice,
         .query.terms = KITH_TERMS(KITH_READ(Name)),
         .queries = {{.terms = KITH_TERMS(KITH_WRITE(Health), IS_ONE)}},
         .lookups = KITH_TERMS(KITH_WRITE(Health))},
    };
    kith_system_def def = defs[way];
    def.name = "visit";
    def.user = c;
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

/* What a scan finds is what was just written: so there is a scan, and it says why. */
TEST_EACH_LAYOUT(a_query_scans_for_what_its_system_writes_meanwhile, layout)
{
    for (uint32_t way = 0; way < 4; way++) {
        static looped t;
        uint32_t scanned = 0;
        for (uint32_t turn = 0; turn < 1 + BY_NUMBER; turn++) {
            looped_new(&t, layout, turn == 0 ? NULL : &by_number[turn - 1]);
            CHECK_RESULT(KITH_SET(t.world, t.entities[0], Health, {-1, 0}), KITH_OK);
            chain c = {&t, 0};
            add_writer(t.world, way, &c);
            CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
            scanned = turn == 0 ? c.met : scanned;
            CHECK_UINT(c.met, scanned);
            CHECK(way == 3 ? c.met >= 2 : c.met > 20);
            char text[700];
            CHECK_RESULT(
                kith_system_explain(t.world, "visit", way < 2 ? 0 : 1, text, sizeof text, NULL),
                KITH_OK);
            CHECK_CONTAINS(text, "the system may write Health of any entity meanwhile");
            CHECK_WORLD(t.world);
            fixture_free(&t.f);
        }
    }
}

/* ---- Targets and names ------------------------------------------------------------------------ */

static void count_visited(kith_iter *it)
{
    uint32_t *visited = it->user;
    while (kith_next_rows(it)) {
        *visited += it->count;
    }
}

/* Who has a target, and who has a path of names, is found without an index. */
TEST_EACH_LAYOUT(targets_and_names_are_found_in_systems, layout)
{
    static looped t;
    looped_new(&t, layout, NULL);
    CHECK_RESULT(kith_workers_set(t.world, &(kith_workers_def){.threads = 3}), KITH_OK);
    CHECK_RESULT(kith_set_name(t.world, t.entities[7], "seven"), KITH_OK);
    for (uint32_t i = 1; i < 6; i++) {
        CHECK_RESULT(kith_set_parent(t.world, t.entities[i * 1001], t.entities[7]), KITH_OK);
    }
    uint32_t visited[2] = {0};
    const kith_system_def by_target = {
        .name = "visit",
        .run = count_visited,
        .user = &visited[0],
        .query.terms = KITH_TERMS(KITH_READ(Health),
                                  KITH_IF(kith_child_of, target, ==, kith_bound("target")))};
    const kith_system_def by_path = {
        .name = "named",
        .run = count_visited,
        .user = &visited[1],
        .query.terms = KITH_TERMS(KITH_WITH(Health), KITH_IF_PATH(kith_bound("path")))};
    CHECK_RESULT(kith_system_add(t.world, &by_target), KITH_OK);
    CHECK_RESULT(kith_system_add(t.world, &by_path), KITH_OK);
    CHECK_RESULT(kith_system_bind(t.world, "visit", "target", t.entities[7]), KITH_OK);
    CHECK_RESULT(kith_system_bind(t.world, "named", "path", "seven"), KITH_OK);
    CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
    CHECK_UINT(visited[0], 5);
    CHECK_UINT(visited[1], 1);
    char text[700];
    CHECK_RESULT(kith_system_explain(t.world, "visit", 0, text, sizeof text, NULL), KITH_OK);
    CHECK_CONTAINS(text, "plan: sources of ChildOf");
    CHECK_RESULT(kith_system_explain(t.world, "named", 0, text, sizeof text, NULL), KITH_OK);
    CHECK_CONTAINS(text, "plan: names of entities");
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* ---- Several systems, and indexes that come and go --------------------------------------------- */

static const char *const adder_names[] = {"visit", "two", "three"};

static void add_up(kith_iter *it)
{
    uint64_t *visited = it->user;
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            *visited = fold(*visited, kith_entities(it)[i].index1);
        }
    }
}

/* Three systems of one stage, which ask for a number each. */
static void add_adders(kith_world *world, uint64_t *visited, kith_index *const *declared)
{
    CHECK_RESULT(kith_workers_set(world, &(kith_workers_def){.threads = 3}), KITH_OK);
    for (uint32_t i = 0; i < 3; i++) {
        const kith_system_def def = {
            .name = adder_names[i],
            .run = add_up,
            .user = &visited[i],
            .indexes = i == 1 ? declared : NULL,
            .query.terms = KITH_TERMS(KITH_READ(Health),
                                      KITH_IF(Health, current, ==, kith_bound("number")))};
        CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
    }
}

TEST_EACH_LAYOUT(indexes_come_and_go_between_ticks, layout)
{
    static looped with;
    static looped without;
    uint64_t found[3] = {0};
    uint64_t scanned[3] = {0};
    looped_new(&with, layout, NULL);
    looped_new(&without, layout, NULL);
    add_adders(with.world, found, NULL);
    add_adders(without.world, scanned, NULL);
    uint64_t random = 5;
    uint32_t planned = 0;
    for (uint32_t tick = 0; tick < 60; tick++) {
        if (tick % 3 == 0) {
            kith_index_free(with.index);
            with.index =
                tick % 6 == 0 ? new_index(with.world, &by_number[tick / 6 % BY_NUMBER]) : NULL;
        }
        for (uint32_t i = 0; i < 3; i++) {
            const uint32_t number = random_below(&random, LOOPED_VALUES);
            CHECK_RESULT(kith_system_bind(with.world, adder_names[i], "number", number), KITH_OK);
            CHECK_RESULT(kith_system_bind(without.world, adder_names[i], "number", number),
                         KITH_OK);
        }
        for (uint32_t i = 0; i < 20; i++) {
            const Health health = {(int32_t)random_below(&random, LOOPED_VALUES), 0};
            const uint32_t at = random_below(&random, LOOPED);
            kith_set(with.world, with.entities[at], &Health_type, &health);
            kith_set(without.world, without.entities[at], &Health_type, &health);
        }
        planned += is_system_planned(with.world, 0);
        CHECK_RESULT(kith_run(with.world, 1), KITH_OK);
        CHECK_RESULT(kith_run(without.world, 1), KITH_OK);
        for (uint32_t i = 0; i < 3; i++) {
            CHECK(found[i] == scanned[i]);
        }
        CHECK_WORLD(with.world);
    }
    CHECK(planned >= 20);
    fixture_free(&with.f);
    fixture_free(&without.f);
}

/* One of the stage declares the index, which the others find. */
TEST_EACH_LAYOUT(an_index_is_declared_by_one_and_found_by_others, layout)
{
    static looped t;
    uint64_t found[3] = {0};
    looped_new(&t, layout, &by_number[1]);
    add_adders(t.world, found, KITH_INDEXES(t.index));
    for (int32_t tick = 0; tick < 10; tick++) {
        for (uint32_t i = 0; i < 3; i++) {
            CHECK_RESULT(kith_system_bind(t.world, adder_names[i], "number", 50 + tick), KITH_OK);
        }
        CHECK_RESULT(KITH_SET(t.world, t.entities[tick * 9], Health, {50 + tick, 0}), KITH_OK);
        CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
        CHECK(found[0] != 0 && found[0] == found[1] && found[1] == found[2]);
        CHECK_WORLD(t.world);
    }
    CHECK(is_system_planned(t.world, 0));
    fixture_free(&t.f);
}

/* Whatever memory is missing, a system visits the same, or fails as a whole. */
TEST_EACH_LAYOUT_WITHIN(60, a_system_scans_without_memory_for_an_index, layout)
{
    for (size_t nth = 1;; nth++) {
        static looped t;
        uint64_t visited[3] = {0};
        looped_new(&t, layout, &by_number[nth % BY_NUMBER]);
        add_adders(t.world, visited, NULL);
        for (uint32_t i = 0; i < 3; i++) {
            CHECK_RESULT(kith_system_bind(t.world, adder_names[i], "number", 77), KITH_OK);
        }
        fail_allocation(&t.f, nth);
        const kith_result result = kith_run(t.world, 1);
        const bool reached = fail_nothing(&t.f);
        CHECK(result == KITH_OK || (reached && result == KITH_ERR_MEMORY));
        CHECK_WORLD(t.world);
        CHECK(visited[0] == visited[2] || result != KITH_OK);
        memset(visited, 0, sizeof visited);
        CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
        CHECK(visited[0] != 0 && visited[0] == visited[1] && visited[1] == visited[2]);
        fixture_free(&t.f);
        if (!reached) {
            break;
        }
    }
}
