/* What is measured of systems, and the trace of it. */
#define _POSIX_C_SOURCE 200809L

#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "components.h"
#include "nothing.h"
#include "test.h"

static void pass_time(void)
{
    const struct timespec pause = {0, 2000000};
    CHECK_INT(nanosleep(&pause, NULL), 0);
}

static void queue_and_send(kith_iter *it)
{
    pass_time();
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i += 2) {
            KITH_ADD(it->commands, kith_entities(it)[i], Frozen);
            CHECK_RESULT(KITH_SEND(it, Byte, {1}), KITH_OK);
        }
    }
}

static kith_result wait_plain(kith_world *world, kith_iter *it)
{
    (void)world;
    (void)it;
    pass_time();
    return KITH_OK;
}

static fixture measured(uint32_t workers)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_values values = KITH_VALUE(Position, {1, 2});
    CHECK_RESULT(kith_spawn_many(f.world, 3000, &values, 1, NULL), KITH_OK);
    const kith_system_def defs[] = {{.name = "q\"s",
                                     .run = queue_and_send,
                                     .parallel = true,
                                     .query.terms = KITH_TERMS(KITH_READ(Position)),
                                     .events = KITH_TERMS(KITH_WRITE(Byte))},
                                    {.name = "plain", .update = wait_plain, .every_ticks = 2}};
    CHECK_RESULT(kith_system_add(f.world, &defs[0]), KITH_OK);
    CHECK_RESULT(kith_system_add(f.world, &defs[1]), KITH_OK);
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = workers + 1}), KITH_OK);
    return f;
}

TEST(numbers_per_system)
{
    for (uint32_t workers = 0; workers < 3; workers++) {
        fixture f = measured(workers);
        kith_system_stats stats = {.runs = 77};
        CHECK_RESULT(kith_profile_system(f.world, "plain", &stats), KITH_ERR_ABSENT);
        CHECK_RESULT(kith_profile_system(f.world, "nobody", &stats), KITH_ERR_UNKNOWN);
        CHECK_UINT(stats.runs, 77);
        const uint64_t before = kith_world_hash(f.world);
        CHECK_RESULT(kith_profile_start(f.world, 0), KITH_OK);
        CHECK_UINT(kith_world_hash(f.world), before);
        CHECK_RESULT(kith_profile_system(f.world, "q\"s", &stats), KITH_OK);
        CHECK_UINT(stats.runs, 0);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_RESULT(kith_profile_system(f.world, "q\"s", &stats), KITH_OK);
        CHECK_UINT(stats.runs, 1);
        CHECK_UINT(stats.tick, 1);
        CHECK_UINT(stats.calls, 3);
        CHECK_UINT(stats.batches, 3);
        CHECK_UINT(stats.entities, 3000);
        CHECK_UINT(stats.commands, 1500);
        CHECK_UINT(stats.events, 1500);
        CHECK(stats.busy >= 0.006 && stats.elapsed >= 0.002 && stats.elapsed < 4);
        CHECK_FLOAT(stats.total, stats.busy);
        CHECK(stats.wait >= 0 && stats.apply > 0);
        CHECK_RESULT(kith_profile_system(f.world, "plain", &stats), KITH_OK);
        CHECK_UINT(stats.runs, 0);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_RESULT(kith_profile_system(f.world, "plain", &stats), KITH_OK);
        CHECK_UINT(stats.runs, 1);
        CHECK_UINT(stats.tick, 2);
        CHECK_UINT(stats.calls, 1);
        CHECK(stats.busy >= 0.002 && stats.total >= stats.busy);
        CHECK_RESULT(kith_profile_system(f.world, "q\"s", &stats), KITH_OK);
        CHECK_UINT(stats.runs, 2);
        CHECK(stats.total > stats.busy);
        kith_profile_stop(f.world);
        CHECK_RESULT(kith_profile_system(f.world, "plain", &stats), KITH_ERR_ABSENT);
        fixture_free(&f);
    }
}

static uint32_t runs_to_take;

static void take_runs(kith_iter *it)
{
    for (uint32_t taken = 0; taken < runs_to_take && kith_next(it); taken++) {
        CHECK_UINT(it->count, 1);
    }
}

/* Every other entity is frozen: batches of one, most of which kith_next hands out inline. A system that
 * is left early, or that takes none, counts as many as it took. */
TEST(short_runs_are_counted)
{
    enum { ROWS = 300 };
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Frozen_type, &(kith_component_def){.layout = KITH_SLOT}),
                 KITH_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        if (i % 2 != 0) {
            CHECK_RESULT(KITH_ADD(f.world, e, Frozen), KITH_OK);
        }
    }
    CHECK_RESULT(KITH_SYSTEM(f.world, take_runs, KITH_READ(Position), KITH_WITHOUT(Frozen)),
                 KITH_OK);
    for (uint32_t round = 0; round < 5; round++) {
        runs_to_take = (const uint32_t[]){UINT32_MAX, 0, 1, 40, ROWS / 2}[round];
        const uint32_t taken = runs_to_take == UINT32_MAX ? ROWS / 2 : runs_to_take;
        kith_system_stats stats;
        CHECK_RESULT(kith_profile_start(f.world, 0), KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_RESULT(kith_profile_system(f.world, "take_runs", &stats), KITH_OK);
        CHECK_UINT(stats.batches, taken);
        CHECK_UINT(stats.entities, taken);
        kith_profile_stop(f.world);
    }
    fixture_free(&f);
}

static char text[20000];

static bool collect(const char *piece, size_t length, void *context)
{
    (void)context;
    CHECK(strlen(text) + length < sizeof(text));
    strncat(text, piece, length);
    return true;
}

static bool refuse(const char *piece, size_t length, void *context)
{
    (void)piece;
    (void)length;
    ++*(uint32_t *)context;
    return false;
}

static uint32_t count_of(const char *part)
{
    uint32_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        count++;
    }
    return count;
}

/* Brackets, braces and quotation marks are balanced. */
static void check_shape(void)
{
    char open[64];
    int depth = 0;
    bool quoted = false;
    for (const char *at = text; *at != '\0'; at++) {
        if (quoted && *at == '\\') {
            at++;
        } else if (*at == '"') {
            quoted = !quoted;
        } else if (!quoted && (*at == '{' || *at == '[')) {
            open[depth++] = *at;
            CHECK(depth < 64);
        } else if (!quoted && (*at == '}' || *at == ']')) {
            CHECK(depth > 0 && open[--depth] == (*at == '}' ? '{' : '['));
        }
    }
    CHECK(!quoted && depth == 0);
}

TEST(a_trace)
{
    fixture f = measured(2);
    CHECK_RESULT(kith_profile_trace(f.world, collect, NULL), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_profile_start(f.world, 100), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_RESULT(kith_system_remove(f.world, "plain"), KITH_OK); /* its past calls stay */
    text[0] = '\0';
    CHECK_RESULT(kith_profile_trace(f.world, collect, NULL), KITH_OK);
    check_shape();
    CHECK_CONTAINS(text,
                   "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"lost\":0},\"traceEvents\":[\n");
    CHECK_UINT(count_of("\"name\":\"thread_name\""), 3);
    CHECK_UINT(count_of("\"name\":\"q\\\"s\",\"cat\":\"system\",\"ph\":\"X\",\"pid\":1,\"tid\":"),
               6);
    CHECK_UINT(count_of("\"name\":\"q\\\"s: commands\",\"cat\":\"apply\""), 2);
    CHECK_UINT(count_of("\"name\":\"plain\",\"cat\":\"system\""), 1);
    CHECK_UINT(count_of("\"tick\":1,"), 4);
    CHECK_UINT(count_of("\"entities\":1024}"), 3); /* by then, half of them are in another table */

    /* A reader that stops early. */
    uint32_t calls = 0;
    CHECK_RESULT(kith_profile_trace(f.world, refuse, &calls), KITH_ERR_SYSTEM);
    CHECK_UINT(calls, 1);

    /* With room for two, the newest two are kept, and the others are counted. */
    CHECK_RESULT(kith_profile_start(f.world, 2), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    text[0] = '\0';
    CHECK_RESULT(kith_profile_trace(f.world, collect, NULL), KITH_OK);
    check_shape();
    CHECK_CONTAINS(text, "{\"lost\":2}");
    CHECK_UINT(count_of("\"ph\":\"X\""), 2);
    CHECK_CONTAINS(text, "{\"lost\":2}");
    CHECK_UINT(count_of("\"ph\":\"X\""), 2);
    fixture_free(&f);
}

/* The JSON is UTF-8, whatever bytes the name of a system has. */
TEST(names_in_a_trace)
{
    static const struct {
        const char *name, *json;
    } names[] = {
        {"caf\xc3\xa9 \xf0\x9f\x90\x9d", "\"caf\xc3\xa9 \xf0\x9f\x90\x9d\""},
        {"latin \xe9t", "\"latin \\ufffdt\""},
        {"cut \xc3", "\"cut \\ufffd\""},
        {"\xff\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""},
        {"a\\b\n", "\"a\\\\b\\u000a\""},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(names)); i++) {
        fixture f = fixture_new();
        kith_system_def def = {.name = names[i].name, .update = update_nothing};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        CHECK_RESULT(kith_profile_start(f.world, 10), KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        text[0] = '\0';
        CHECK_RESULT(kith_profile_trace(f.world, collect, NULL), KITH_OK);
        check_shape();
        CHECK_CONTAINS(text, names[i].json);
        fixture_free(&f);
    }
}
