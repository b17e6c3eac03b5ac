/* Systems in the order of their priorities, switched on and off, added and removed. */
#include <float.h>
#include <kith/kith.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "test.h"

/* What ran, in order: the string of each system. */
typedef struct run_log {
    const char *entries[64];
    uint32_t count;
} run_log;

typedef struct named {
    run_log *log;
    const char *name;
} named;

static kith_result note(kith_world *world, kith_iter *it)
{
    (void)world;
    const named *self = it->user;
    self->log->entries[self->log->count++] = self->name;
    return KITH_OK;
}

static void note_query(kith_iter *it)
{
    const named *self = it->user;
    self->log->entries[self->log->count++] = self->name;
    while (kith_next(it)) {
    }
}

static void add(kith_world *world, named *self, int32_t priority)
{
    const kith_system_def def = {
        .name = self->name, .priority = priority, .update = note, .user = self};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

static void check_runs(kith_world *world, run_log *log, const char *const *expected, uint32_t count)
{
    log->count = 0;
    CHECK_RESULT(kith_run(world, 1), KITH_OK);
    CHECK_UINT(log->count, count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_STR(log->entries[i], expected[i]);
    }
    CHECK_WORLD(world);
}

TEST(lower_priorities_first)
{
    fixture f = fixture_new();
    run_log log = {0};
    named s[] = {{&log, "zero"}, {&log, "last"},  {&log, "first"}, {&log, "minus"},
                 {&log, "plus"}, {&log, "zero2"}, {&log, "first2"}};
    static const int32_t priorities[] = {0, INT32_MAX, INT32_MIN, -1, 1, 0, INT32_MIN};
    for (int i = 0; i < 7; i++) {
        add(f.world, &s[i], priorities[i]);
    }
    const char *const expected[] = {"first", "first2", "minus", "zero", "zero2", "plus", "last"};
    check_runs(f.world, &log, expected, 7);
    for (uint32_t i = 0; i < 7; i++) {
        int32_t priority = 99;
        bool enabled = false;
        CHECK_STR(kith_system_at(f.world, i, &priority, &enabled), expected[i]);
        CHECK(enabled);
        CHECK(i != 2 || priority == -1);
        CHECK_STR(kith_system_at(f.world, i, NULL, NULL), expected[i]);
    }
    CHECK_PTR_NULL(kith_system_at(f.world, 7, NULL, NULL));
    CHECK_PTR_NULL(kith_system_at(f.world, UINT32_MAX, NULL, NULL));

    /* A system that is added later takes its place. */
    named later = {&log, "later"};
    add(f.world, &later, 0);
    check_runs(
        f.world, &log,
        (const char *const[]){"first", "first2", "minus", "zero", "zero2", "later", "plus", "last"},
        8);
    fixture_free(&f);
}

/* Plain systems and query systems in one order. */
TEST(both_kinds_in_one_order)
{
    fixture f = fixture_with_all(KITH_TABLE);
    run_log log = {0};
    named s[] = {{&log, "a"}, {&log, "b"}, {&log, "c"}, {&log, "d"}};
    const kith_query_def query = {.terms = KITH_TERMS(KITH_READ(Position))};
    for (int i = 0; i < 4; i++) {
        kith_system_def def = {.name = s[i].name, .priority = -i / 2, .user = &s[i]};
        if (i % 2 == 0) {
            def.update = note;
        } else {
            def.run = note_query;
            def.query = query;
            def.parallel = true;
        }
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    }
    check_runs(f.world, &log, (const char *const[]){"c", "d", "a", "b"}, 4);
    fixture_free(&f);
}

TEST(enabled_and_disabled)
{
    fixture f = fixture_new();
    run_log log = {0};
    named a = {&log, "a"};
    named b = {&log, "b"};
    add(f.world, &a, 0);
    const kith_system_def off = {.name = "b", .disabled = true, .update = note, .user = &b};
    CHECK_RESULT(kith_system_add(f.world, &off), KITH_OK);
    check_runs(f.world, &log, (const char *const[]){"a"}, 1);
    bool enabled = true;
    CHECK_STR(kith_system_at(f.world, 1, NULL, &enabled), "b");
    CHECK(!enabled);

    CHECK_RESULT(kith_system_enable(f.world, "b", true), KITH_OK);
    check_runs(f.world, &log, (const char *const[]){"a", "b"}, 2);
    CHECK_RESULT(kith_system_enable(f.world, "b", true), KITH_OK);
    CHECK_RESULT(kith_system_enable(f.world, "a", false), KITH_OK);
    check_runs(f.world, &log, (const char *const[]){"b"}, 1);
    CHECK_RESULT(kith_system_enable(f.world, "b", false), KITH_OK);
    check_runs(f.world, &log, NULL, 0);
    fixture_free(&f);
}

TEST(removed)
{
    fixture f = fixture_new();
    run_log log = {0};
    named s[] = {{&log, "a"}, {&log, "b"}, {&log, "c"}};
    for (int i = 0; i < 3; i++) {
        add(f.world, &s[i], 0);
    }
    CHECK_RESULT(kith_system_remove(f.world, "b"), KITH_OK);
    check_runs(f.world, &log, (const char *const[]){"a", "c"}, 2);
    CHECK_RESULT(kith_system_remove(f.world, "b"), KITH_ERR_UNKNOWN);
    CHECK_RESULT(kith_system_enable(f.world, "b", true), KITH_ERR_UNKNOWN);
    CHECK_PTR_NULL(kith_system_at(f.world, 2, NULL, NULL));
    /* Its name is free again, and it is now the last one. */
    add(f.world, &s[1], 0);
    check_runs(f.world, &log, (const char *const[]){"a", "c", "b"}, 3);
    for (int i = 0; i < 3; i++) {
        CHECK_RESULT(kith_system_remove(f.world, s[i].name), KITH_OK);
    }
    check_runs(f.world, &log, NULL, 0);
    CHECK_PTR_NULL(kith_system_at(f.world, 0, NULL, NULL));
    fixture_free(&f);
}

/* Within kith_run, enabling takes effect at once, for later systems. */
static kith_result switch_others(kith_world *world, kith_iter *it)
{
    CHECK_RESULT(note(world, it), KITH_OK);
    CHECK_RESULT(kith_system_enable(world, "off", true), KITH_OK);
    CHECK_RESULT(kith_system_enable(world, "on", false), KITH_OK);
    CHECK_RESULT(kith_system_enable(world, "before", false), KITH_OK);
    CHECK_RESULT(kith_system_enable(world, "switch", false), KITH_OK);
    CHECK_RESULT(kith_system_enable(world, "nobody", false), KITH_ERR_UNKNOWN);
    return KITH_OK;
}

TEST(switched_from_within)
{
    fixture f = fixture_new();
    run_log log = {0};
    named before = {&log, "before"};
    named self = {&log, "switch"};
    named on = {&log, "on"};
    named off = {&log, "off"};
    add(f.world, &before, 0);
    const kith_system_def def = {
        .name = "switch", .priority = 1, .update = switch_others, .user = &self};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    add(f.world, &on, 2);
    const kith_system_def disabled = {
        .name = "off", .priority = 3, .disabled = true, .update = note, .user = &off};
    CHECK_RESULT(kith_system_add(f.world, &disabled), KITH_OK);
    check_runs(f.world, &log, (const char *const[]){"before", "switch", "off"}, 3);
    check_runs(f.world, &log, (const char *const[]){"off"}, 1);
    fixture_free(&f);
}

/* ---- Names ----------------------------------------------------------------------------------- */

TEST(names_are_copied)
{
    fixture f = fixture_new();
    run_log log = {0};
    named self = {&log, "seen"};
    char name[] = "short-lived";
    const kith_system_def def = {.name = name, .update = note, .user = &self};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    memset(name, '?', sizeof(name) - 1);
    CHECK_STR(kith_system_at(f.world, 0, NULL, NULL), "short-lived");
    CHECK_RESULT(kith_system_enable(f.world, "short-lived", false), KITH_OK);
    CHECK_RESULT(kith_system_remove(f.world, "short-lived"), KITH_OK);
    fixture_free(&f);
}

static void check_refused(fixture *f, const kith_system_def *def, kith_result expected,
                          const char *part)
{
    const uint64_t before = kith_world_hash(f->world);
    CHECK_RESULT(kith_system_add(f->world, def), expected);
    CHECK_CONTAINS(kith_error(f->world), part);
    CHECK_UINT(kith_world_hash(f->world), before);
    CHECK_WORLD(f->world);
}

TEST(descriptors_that_make_no_sense)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_query_def query = {.terms = KITH_TERMS(KITH_READ(Position))};
    kith_system_def def = {.update = note};
    check_refused(&f, &def, KITH_ERR_INPUT, "name");
    def.name = "";
    check_refused(&f, &def, KITH_ERR_INPUT, "name");
    char name[130];
    memset(name, 'n', sizeof(name));
    name[128] = '\0';
    def.name = name;
    check_refused(&f, &def, KITH_ERR_INPUT, "name");

    static const char *const unlistable[] = {"a,b", " a", "a "};
    for (size_t i = 0; test_row(i, ROWS_OF(unlistable)); i++) {
        def = (kith_system_def){.name = unlistable[i], .update = note};
        check_refused(&f, &def, KITH_ERR_INPUT, "has no comma, and no space at its ends");
    }
    static const struct {
        const char *names, *part;
    } lists[] = {{"", "name 1 is empty"},
                 {"a,,b", "has `after` \"a,,b\": name 2 is empty"},
                 {"a, ", "name 2 is empty"},
                 {" , b", "name 1 is empty"}};
    for (size_t i = 0; test_row(i, ROWS_OF(lists)); i++) {
        def = (kith_system_def){.name = "subject", .update = note, .after = lists[i].names};
        check_refused(&f, &def, KITH_ERR_INPUT, lists[i].part);
        def = (kith_system_def){.name = "subject", .update = note, .before = lists[i].names};
        check_refused(&f, &def, KITH_ERR_INPUT, "name ");
    }
    def = (kith_system_def){.name = "subject", .update = note, .before = name};
    check_refused(&f, &def, KITH_ERR_INPUT, "name 1 has more than 127 bytes");

    def = (kith_system_def){.name = "subject"};
    check_refused(&f, &def, KITH_ERR_INPUT, "subject");
    def = (kith_system_def){.name = "subject", .update = note, .run = note_query};
    check_refused(&f, &def, KITH_ERR_INPUT, "subject");
    def = (kith_system_def){.name = "subject", .update = note, .query = query};
    check_refused(&f, &def, KITH_ERR_INPUT, "subject");

    /* A query that is not valid: the error has the query's words and the system's name. */
    const kith_term twice[] = {KITH_READ(Position), KITH_READ(Position), {0}};
    def = (kith_system_def){.name = "subject", .run = note_query, .query = {.terms = twice}};
    check_refused(&f, &def, KITH_ERR_CONFLICT, "Position");
    def.query = (kith_query_def){.terms = twice + 1, .driver = &Byte_type};
    check_refused(&f, &def, KITH_ERR_INPUT, "Byte");
    static const kith_type unknown = {.name = "Un known", .align = 1};
    const kith_term stranger = {&unknown, KITH_ACCESS_NONE, KITH_MUST, 0, NULL};
    def.query = (kith_query_def){.terms = KITH_TERMS(stranger)};
    check_refused(&f, &def, KITH_ERR_INPUT, "'Un known' is no name for a type");
    CHECK_PTR_NULL(kith_system_at(f.world, 0, NULL, NULL));

    /* 127 bytes fit. */
    name[127] = '\0';
    def = (kith_system_def){.name = name, .update = note};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    check_refused(&f, &def, KITH_ERR_CONFLICT, name);
    fixture_free(&f);
}

/* The error for an unknown name lists the names that exist, whether they are none or very many. */
TEST(unknown_names)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_system_enable(f.world, "gravty", true), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "gravty");
    CHECK_RESULT(kith_system_remove(f.world, "gravty"), KITH_ERR_UNKNOWN);
    CHECK_RESULT(kith_system_enable(f.world, "", true), KITH_ERR_UNKNOWN);
    for (int i = 0; i < 200; i++) {
        char name[32];
        snprintf(name, sizeof(name), "a_system_of_some_length_%d", i);
        const kith_system_def def = {.name = name, .update = note};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    }
    CHECK_RESULT(kith_system_enable(f.world, "gravty", true), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "gravty");
    CHECK_CONTAINS(kith_error(f.world), "a_system_of_some_length_0");
    char long_name[1000];
    memset(long_name, 'x', sizeof(long_name));
    long_name[999] = '\0';
    CHECK_RESULT(kith_system_enable(f.world, long_name, true), KITH_ERR_UNKNOWN);
    fixture_free(&f);
}

/* ---- Ticks and dt ---------------------------------------------------------------------------- */

static kith_result keep_dt(kith_world *world, kith_iter *it)
{
    float *kept = it->user;
    kept[0] = it->dt;
    kept[1] = (float)kith_tick_count(world);
    return KITH_OK;
}

static void keep_iter_dt(kith_iter *it)
{
    float *kept = it->user;
    kept[2] = it->dt;
    while (kith_next(it)) {
        CHECK_FLOAT(it->dt, kept[2]);
        CHECK(it->user == kept);
    }
}

TEST(dt_and_ticks)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    float kept[3] = {-1, -1, -1};
    const kith_system_def plain = {.name = "plain", .update = keep_dt, .user = kept};
    const kith_system_def query = {.name = "query",
                                   .run = keep_iter_dt,
                                   .query.terms = KITH_TERMS(KITH_READ(Position)),
                                   .user = kept};
    CHECK_RESULT(kith_system_add(f.world, &plain), KITH_OK);
    CHECK_RESULT(kith_system_add(f.world, &query), KITH_OK);
    CHECK_UINT(kith_tick_count(f.world), 0);
    CHECK_RESULT(kith_run(f.world, 0.25f), KITH_OK);
    CHECK_FLOAT(kept[0], 0.25f);
    CHECK_FLOAT(kept[2], 0.25f);
    CHECK_FLOAT(kept[1], 1); /* begun */
    CHECK_UINT(kith_tick_count(f.world), 1);
    CHECK_RESULT(kith_run(f.world, 0), KITH_OK);
    CHECK_FLOAT(kept[0], 0);
    CHECK_RESULT(kith_run(f.world, -0.0f), KITH_OK);
    CHECK_RESULT(kith_run(f.world, FLT_MAX), KITH_OK);
    CHECK_FLOAT(kept[0], FLT_MAX);
    CHECK_UINT(kith_tick_count(f.world), 4);

    /* Nothing runs if dt is not a valid time. */
    kept[0] = 77;
    const uint64_t before = kith_world_hash(f.world);
    const float zero = 0;
    CHECK_RESULT(kith_run(f.world, -1), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_run");
    CHECK_RESULT(kith_run(f.world, -1e-30f), KITH_ERR_INPUT);
    CHECK_RESULT(kith_run(f.world, zero / zero), KITH_ERR_INPUT);
    CHECK_RESULT(kith_run(f.world, -1 / zero), KITH_ERR_INPUT);
    CHECK_RESULT(kith_run(f.world, 1 / zero), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_run: inf seconds cannot be simulated; `dt` is 0 or");
    CHECK_FLOAT(kept[0], 77);
    CHECK_UINT(kith_tick_count(f.world), 4);
    CHECK_UINT(kith_world_hash(f.world), before);
    fixture_free(&f);
}

/* A world without systems has ticks too. */
TEST(ticks_of_a_world_without_systems)
{
    fixture f = fixture_new();
    for (uint64_t i = 0; i < 1000; i++) {
        CHECK_UINT(kith_tick_count(f.world), i);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    }
    fixture_free(&f);
}
