/* Systems with several queries: the first one drives, the others are opened any number of times. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

enum { TOWERS = 30, FOES = 1500, HIDDEN = 7 };

static void add(kith_world *world, kith_system_def def)
{
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

/* Towers have Extra, foes have Health; every HIDDEN-th foe is frozen. */
static void spawn_all(kith_world *world)
{
    for (int i = 0; i < TOWERS; i++) {
        KITH_SPAWN(world, KITH_VALUE(Extra, {0, 0, (float)i}));
    }
    for (int i = 0; i < FOES; i++) {
        kith_entity foe = KITH_SPAWN(world, KITH_VALUE(Health, {i, 0}));
        if (i % HIDDEN == 0) {
            CHECK_RESULT(KITH_ADD(world, foe, Frozen), KITH_OK);
        }
    }
}

static const kith_term tower_terms[] = {KITH_WRITE(Extra), {0}};
static const kith_term foe_terms[] = {KITH_READ(Health), KITH_WITHOUT(Frozen), {0}};
static const kith_query_def towers = {.terms = tower_terms};
static const kith_query_def foes = {.terms = foe_terms};

/* ---- Loops ----------------------------------------------------------------------------------- */

static void count_foes(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Extra *extra = KITH_AT_MUT(it, i, Extra);
            for (kith_iter foe = kith_system_query(it, 1); kith_next(&foe);) {
                CHECK(foe.user == it->user && foe.commands == it->commands);
                CHECK_FLOAT(foe.dt, it->dt);
                for (uint32_t k = 0; k < foe.count; k++) {
                    extra->a += (float)KITH_AT(&foe, k, Health)->current;
                    extra->b++;
                }
            }
        }
    }
}

TEST_EACH_LAYOUT(every_row_of_the_first_meets_every_row_of_the_second, layout)
{
    for (int parallel = 0; parallel < 2; parallel++) {
        fixture f = fixture_new();
        register_all(f.world, layout);
        spawn_all(f.world);
        add(f.world,
            (kith_system_def){.name = "count",
                              .run = count_foes,
                              .parallel = parallel == 1,
                              .query = towers,
                              .queries = {
                                  {.terms = KITH_TERMS(KITH_READ(Health), KITH_WITHOUT(Frozen))}}});
        float sum = 0;
        float count = 0;
        for (int i = 0; i < FOES; i++) {
            sum += i % HIDDEN != 0 ? (float)i : 0;
            count += i % HIDDEN != 0;
        }
        for (int tick = 1; tick <= 3; tick++) {
            CHECK_RESULT(kith_run(f.world, 0.5f), KITH_OK);
            kith_query *query = KITH_QUERY(f.world, KITH_READ(Extra));
            uint32_t seen = 0;
            for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
                for (uint32_t i = 0; i < it.count; i++, seen++) {
                    CHECK_FLOAT(KITH_AT(&it, i, Extra)->a, sum * (float)tick);
                    CHECK_FLOAT(KITH_AT(&it, i, Extra)->b, count * (float)tick);
                }
            }
            CHECK_UINT(seen, TOWERS);
            kith_query_free(query);
            CHECK_WORLD(f.world);
        }
        fixture_free(&f);
    }
}

/* Pairs: the same query twice at a time, ended early, left open and opened again. */
static void count_pairs(kith_iter *it)
{
    uint32_t *pairs = it->user;
    for (kith_iter a = kith_system_query(it, 1); kith_next(&a);) {
        for (uint32_t i = 0; i < a.count; i++) {
            for (kith_iter b = kith_system_query(&a, 1); kith_next(&b);) {
                *pairs += b.count;
            }
            kith_iter first = kith_system_query(it, 1);
            CHECK(kith_next(&first));
            kith_iter_close(&first);
            CHECK(!kith_next(&first));
        }
    }
    kith_iter open = kith_system_query(it, 2);
    CHECK(kith_next(&open) && kith_system_alive(&open, kith_entities(&open)[0]));
}

TEST_EACH_LAYOUT(a_query_is_open_several_times, layout)
{
    fixture f = fixture_new();
    register_all(f.world, layout);
    spawn_all(f.world);
    uint32_t pairs = 0;
    add(f.world,
        (kith_system_def){.name = "pairs",
                          .run = count_pairs,
                          .user = &pairs,
                          .query = foes,
                          .queries = {{.terms = KITH_TERMS(KITH_READ(Extra))}, foes}});
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(pairs, TOWERS * TOWERS);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(pairs, 2 * TOWERS * TOWERS);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* As many queries as a system may have: the last one is found by its number. */
static void count_with_last(kith_iter *it)
{
    uint32_t *counts = it->user;
    for (uint32_t number = 1; number <= KITH_SYSTEM_QUERIES; number++) {
        for (kith_iter last = kith_system_query(it, number); kith_next(&last);) {
            counts[number - 1] += last.count;
        }
    }
}

TEST(a_system_has_sixteen_further_queries)
{
    fixture f = fixture_new();
    register_all(f.world, KITH_TABLE);
    spawn_all(f.world);
    uint32_t counts[KITH_SYSTEM_QUERIES] = {0};
    kith_system_def def = {.name = "many", .run = count_with_last, .user = counts, .query = foes};
    for (uint32_t i = 0; i < KITH_SYSTEM_QUERIES; i++) {
        def.queries[i] = i % 2 == 0 ? foes : towers;
    }
    add(f.world, def);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    for (uint32_t i = 0; i < KITH_SYSTEM_QUERIES; i++) {
        CHECK_UINT(counts[i], i % 2 == 0 ? FOES - (FOES + HIDDEN - 1) / HIDDEN : TOWERS);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* A system that is not parallel may write by all of its queries. */
static void hurt(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            for (kith_iter foe = kith_system_query(it, 1); kith_next(&foe);) {
                for (uint32_t k = 0; k < foe.count; k++) {
                    KITH_AT_MUT(&foe, k, Health)->max++;
                }
            }
        }
    }
}

TEST_EACH_LAYOUT(a_second_query_writes, layout)
{
    fixture f = fixture_new();
    register_all(f.world, layout);
    spawn_all(f.world);
    kith_query *changed = KITH_QUERY(f.world, KITH_CHANGED(Health));
    CHECK_UINT(kith_query_count(changed), FOES);
    kith_query_skip_changes(changed);
    CHECK_UINT(kith_query_count(changed), 0);
    add(f.world,
        (kith_system_def){.name = "hurt",
                          .run = hurt,
                          .query = towers,
                          .queries = {{.terms = KITH_TERMS(KITH_WRITE(Health))}}});
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(kith_query_count(changed), FOES); /* they were handed out for writing */
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Health));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_INT(KITH_AT(&it, i, Health)->max, TOWERS);
        }
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- Changes --------------------------------------------------------------------------------- */

typedef struct look {
    uint32_t seen; /* changed values that the second query visited */
    bool stop;     /* the first query is left before its end */
} look;

static void count_changed(kith_iter *it)
{
    look *l = it->user;
    for (kith_iter changed = kith_system_query(it, 1); kith_next(&changed);) {
        l->seen += changed.count;
    }
    while (!l->stop && kith_next(it)) {
    }
}

TEST_EACH_LAYOUT(a_second_query_sees_what_changed_since_the_last_run, layout)
{
    fixture f = fixture_new();
    register_all(f.world, layout);
    spawn_all(f.world);
    look l = {0};
    add(f.world,
        (kith_system_def){.name = "look",
                          .run = count_changed,
                          .user = &l,
                          .query = towers,
                          .queries = {{.terms = KITH_TERMS(KITH_CHANGED(Health))}}});
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(l.seen, FOES);
    l.seen = 0;
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(l.seen, 0);

    KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 1}));
    l.stop = true;
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK(l.seen != 0);
    uint32_t seen = l.seen;
    l = (look){0};
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(l.seen, seen); /* the last run was left early, and was no look */
    l.seen = 0;
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(l.seen, 0);
    fixture_free(&f);
}

/* ---- What may not be together ----------------------------------------------------------------- */

static void idle(kith_iter *it)
{
    (void)it;
}

static void check_refused(fixture *f, kith_system_def def, const char *part)
{
    def.name = "x";
    const uint64_t before = kith_world_hash(f->world);
    CHECK_RESULT(kith_system_add(f->world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f->world), part);
    /* The first time may leave room for one more system, but nothing else. */
    const size_t allocations = kith_memory(f->world).allocations;
    CHECK_RESULT(kith_system_add(f->world, &def), KITH_ERR_INPUT);
    CHECK_UINT(kith_world_hash(f->world), before);
    CHECK_UINT(kith_memory(f->world).allocations, allocations);
    CHECK_WORLD(f->world);
}

TEST(queries_that_disturb_each_other_are_refused)
{
    fixture f = fixture_new();
    register_all(f.world, KITH_TABLE);
    add(f.world, /* so that all that systems use is known */
        (kith_system_def){.name = "first",
                          .run = idle,
                          .query.terms = KITH_TERMS(KITH_WRITE(Extra), KITH_WRITE(Health))});
    check_refused(
        &f,
        (kith_system_def){.run = idle,
                          .parallel = true,
                          .query = towers,
                          .queries = {{.terms = KITH_TERMS(KITH_WRITE(Health))}}},
        "'x' is parallel, and its query number 1 writes Health");
    check_refused(
        &f,
        (kith_system_def){.run = idle,
                          .parallel = true,
                          .query = towers,
                          .queries = {foes, {.terms = KITH_TERMS(KITH_READ(Extra))}}},
        "'x' is parallel and its first query writes Extra: its query number 2 cannot read");
    for (int parallel = 0; parallel < 2; parallel++) {
        check_refused(
            &f,
            (kith_system_def){.run = idle,
                              .parallel = parallel == 1,
                              .query = towers,
                              .queries = {{.terms = KITH_TERMS(KITH_CHANGED(Extra))}}},
            "'x': one of its queries looks for changes of Extra, which another one writes");
    }
    check_refused(
        &f,
        (kith_system_def){.run = idle,
                          .query = towers,
                          .queries = {{.terms = KITH_TERMS(KITH_CHANGED(Health))},
                                                  {.terms = KITH_TERMS(KITH_WRITE(Health))}}},
        "'x': one of its queries looks for changes of Health");

    /* What is fine: whether something is there, and a system that is not parallel. */
    add(f.world,
        (kith_system_def){.name = "there",
                          .run = idle,
                          .parallel = true,
                          .query = towers,
                          .queries = {{.terms = KITH_TERMS(KITH_WITH(Extra))},
                                                  {.terms = KITH_TERMS(KITH_WITHOUT(Extra))}}});
    add(f.world,
        (kith_system_def){.name = "alone",
                          .run = idle,
                          .query = towers,
                          .queries = {{.terms = KITH_TERMS(KITH_WRITE(Extra))}}});
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    fixture_free(&f);
}

/* ---- Order ----------------------------------------------------------------------------------- */

TEST(what_further_queries_use_decides_about_stages)
{
    fixture f = fixture_new();
    register_all(f.world, KITH_TABLE);
    char text[512];
    size_t length;
    add(f.world, (kith_system_def){
                     .name = "heal", .run = idle, .query.terms = KITH_TERMS(KITH_WRITE(Health))});
    add(f.world, (kith_system_def){
                     .name = "aim", .run = idle, .query = towers, .queries = {foes}});
    CHECK_RESULT(kith_schedule_print(f.world, text, sizeof text, &length), KITH_OK);
    CHECK_STR(text, "stage 0 (update)\n  heal (0)\n"
                    "stage 1 (update)\n  aim (0): after heal (component Health)\n");
    fixture_free(&f);
}

/* ---- Want of memory -------------------------------------------------------------------------- */

/* Whichever allocation fails, the tick succeeds or says so, and the next one is right. */
TEST_EACH_LAYOUT(want_of_memory_fails_the_system, layout)
{
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        fixture f = fixture_new();
        register_all(f.world, layout);
        spawn_all(f.world);
        uint32_t pairs = 0;
        add(f.world, (kith_system_def){
                         .name = "pairs",
                         .run = count_pairs,
                         .user = &pairs,
                         .query = foes,
                         .queries = {{.terms = KITH_TERMS(KITH_READ(Extra))}, foes}});
        fail_allocation(&f, nth);
        kith_system_def off = {.name = "later", .run = idle, .queries = {foes}};
        kith_result added = kith_system_add(f.world, &off);
        reached = fail_nothing(&f);
        CHECK_RESULT(added, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_WORLD(f.world);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        fixture_free(&f);
    }
}

static void open_one(kith_iter *it)
{
    uint32_t *seen = it->user;
    *seen = 0;
    kith_iter foe = kith_system_query(it, 1);
    kith_iter again = kith_system_query(it, 1);
    while (kith_next(&foe)) {
        *seen += foe.count;
    }
    while (kith_next(&again)) {
        *seen += again.count;
    }
}

TEST_EACH_LAYOUT(want_of_memory_while_it_runs_fails_the_system, layout)
{
    bool reached = true;
    uint32_t failures = 0;
    for (size_t nth = 1; reached; nth++) {
        fixture f = fixture_new();
        register_all(f.world, layout);
        spawn_all(f.world);
        uint32_t seen = 0;
        add(f.world, (kith_system_def){.name = "one",
                                       .run = open_one,
                                       .user = &seen,
                                       .parallel = true,
                                       .query = {.name = "all"},
                                       .queries = {foes}});
        fail_allocation(&f, nth);
        kith_result result = kith_run(f.world, 1);
        reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        failures += result != KITH_OK;
        CHECK_WORLD(f.world);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(seen, 2 * (FOES - (FOES + HIDDEN - 1) / HIDDEN));
        fixture_free(&f);
    }
    CHECK(failures >= 3);
}

/* ---- What makes no sense ----------------------------------------------------------------------- */

static void nothing_seen(const kith_observed *observed)
{
    (void)observed;
}

/* A mistake in a query is told in the name of the call that has it. */
TEST(calls_tell_of_mistakes_in_their_queries)
{
    static const kith_term twice[] = {KITH_READ(Health), KITH_WITH(Health), {0}};
    const char *told = "kith_system_add: 'Health' is in terms 0 and 1";
    fixture f = fixture_with_all(KITH_TABLE);
    kith_system_def def = {.name = "count", .run = count_foes, .query = {.terms = twice}};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_ERR_CONFLICT);
    CHECK_STR(kith_error(f.world), told);
    def.query.terms = tower_terms;
    def.queries[0].terms = twice;
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_ERR_CONFLICT);
    CHECK_STR(kith_error(f.world), told);
    def.queries[0].terms = NULL;
    const kith_term no_text[] = {KITH_READ(Health), KITH_IF_PREFIX(Health, current, "a"), {0}};
    def.query.terms = no_text;
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_system_add: ");
    def.query = (kith_query_def){.terms = tower_terms, .driver = &Health_type};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_system_add: the driver 'Health' is not");
    const kith_observer_def observer = {
        .kind = KITH_ON_ENTER, .run = nothing_seen, .query = {.terms = twice}};
    CHECK_RESULT(kith_observer_new(f.world, &observer, NULL), KITH_ERR_CONFLICT);
    CHECK_STR(kith_error(f.world), "kith_observer_new: 'Health' is in terms 0 and 1");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}
