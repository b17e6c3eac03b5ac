/* The schedule: phases, order by name, stages, conflicts, groups, clocks of systems, hot reload. */
#include <float.h>
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "test.h"

static char ran[512];

/* Appends the system's name, which is its user. */
static kith_result note(kith_world *world, kith_iter *it)
{
    (void)world;
    strcat(strcat(ran, ran[0] == '\0' ? "" : " "), it->user);
    return KITH_OK;
}

static void note_query(kith_iter *it)
{
    strcat(strcat(ran, ran[0] == '\0' ? "" : " "), it->user);
}

static void add(kith_world *world, kith_system_def def)
{
    union {
        const char *from;
        void *to;
    } name = {.from = def.name};
    def.user = name.to;
    def.update = def.run == NULL ? note : NULL;
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

#define ADD(world, ...) add((world), (kith_system_def){__VA_ARGS__})

static void check_runs(kith_world *world, const char *expected)
{
    ran[0] = '\0';
    CHECK_RESULT(kith_run(world, 1), KITH_OK);
    CHECK_STR(ran, expected);
    CHECK_WORLD(world);
}

/* ---- Order ----------------------------------------------------------------------------------- */

TEST(phases_one_after_another)
{
    fixture f = fixture_new();
    CHECK_STR(kith_phase_at(f.world, 2), "update");
    ADD(f.world, .name = "draw", .phase = KITH_PHASE_END, .priority = -9);
    ADD(f.world, .name = "camera", .phase = KITH_PHASE_LATE);
    ADD(f.world, .name = "move");
    ADD(f.world, .name = "think", .phase = KITH_PHASE_EARLY, .priority = 9);
    ADD(f.world, .name = "input", .phase = KITH_PHASE_BEGIN);
    check_runs(f.world, "input think move camera draw");

    /* The program's own phases, between two of them and before all. */
    CHECK_RESULT(kith_phase_add(f.world, "physics", KITH_PHASE_UPDATE), KITH_OK);
    CHECK_RESULT(kith_phase_add(f.world, "first", NULL), KITH_OK);
    ADD(f.world, .name = "collide", .phase = "physics");
    ADD(f.world, .name = "clear", .phase = "first");
    check_runs(f.world, "clear input think move collide camera draw");
    static const char *const expected[] = {"first",   "begin", "early", "update",
                                           "physics", "late",  "end",   NULL};
    for (uint32_t i = 0; i < 8; i++) {
        const char *phase = kith_phase_at(f.world, i);
        CHECK(phase == NULL ? expected[i] == NULL : strcmp(phase, expected[i]) == 0);
    }

    CHECK_RESULT(kith_phase_add(f.world, "physics", NULL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "physics");
    CHECK_RESULT(kith_phase_add(f.world, "more", "fysics"), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "'fysics', which is not a phase (did you mean physics?)");
    CHECK_RESULT(kith_phase_add(f.world, "", NULL), KITH_ERR_INPUT);
    CHECK_RESULT(kith_phase_add(f.world, NULL, NULL), KITH_ERR_INPUT);
    const kith_system_def lost = {.name = "lost", .phase = "lat", .update = note};
    CHECK_RESULT(kith_system_add(f.world, &lost), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "'lost'");
    CHECK_CONTAINS(kith_error(f.world), "'lat', which is not there (did you mean late?)");
    const kith_system_def unnamed = {.update = note};
    CHECK_RESULT(kith_system_add(f.world, &unnamed), KITH_ERR_INPUT);
    CHECK_STR(kith_error(f.world), "kith_system_add: the system has no name; set `name`");
    fixture_free(&f);
}

TEST(before_and_after_by_name)
{
    fixture f = fixture_new();
    ADD(f.world, .name = "a", .priority = 1, .after = " c ,d");
    ADD(f.world, .name = "b", .priority = 2);
    ADD(f.world, .name = "c", .priority = 3);
    ADD(f.world, .name = "d", .priority = 4, .before = "b");
    /* Of the systems that wait for no other, the one of the lowest priority comes first. */
    check_runs(f.world, "c d a b");
    CHECK_STR(kith_system_at(f.world, 0, NULL, NULL), "c");
    CHECK_STR(kith_system_at(f.world, 3, NULL, NULL), "b");
    CHECK_RESULT(kith_system_remove(f.world, "c"), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "system 'a' is to run after 'c', which is not there"
                                        " (there are d, a, b)");
    CHECK_UINT(kith_tick_count(f.world), 1);
    ADD(f.world, .name = "c", .priority = -1);
    check_runs(f.world, "c d a b");
    fixture_free(&f);
}

TEST(a_name_that_no_system_has_is_an_error_in_before_and_in_after)
{
    for (int after = 0; after < 2; after++) {
        fixture f = fixture_new();
        ADD(f.world, .name = "other");
        ADD(f.world, .name = "it", .before = after ? NULL : "other, gone",
            .after = after ? "other, gone" : NULL);
        CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_UNKNOWN);
        CHECK_CONTAINS(kith_error(f.world), after ? "'it' is to run after 'gone', which is not"
                                                  : "'it' is to run before 'gone', which is not");
        CHECK_UINT(kith_tick_count(f.world), 0);
        ADD(f.world, .name = "gone");
        check_runs(f.world, after ? "other gone it" : "it other gone");
        fixture_free(&f);
    }
}

static void check_circle(kith_world *world, const char *part)
{
    CHECK_RESULT(kith_schedule_build(world), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(world), "kith_schedule_build: systems wait for each other");
    CHECK_CONTAINS(kith_error(world), part);
    CHECK_RESULT(kith_run(world, 1), KITH_ERR_CONFLICT);
    CHECK_UINT(kith_tick_count(world), 0);
    CHECK_WORLD(world);
}

TEST(circles)
{
    fixture f = fixture_new();
    ADD(f.world, .name = "outside", .priority = 9, .after = "a");
    ADD(f.world, .name = "a", .after = "b");
    ADD(f.world, .name = "b", .after = "c");
    ADD(f.world, .name = "c", .after = "a");
    ADD(f.world, .name = "free");
    check_circle(f.world, "'b' after 'c' after 'a' after 'b'");
    CHECK_RESULT(kith_system_remove(f.world, "b"), KITH_OK);
    ADD(f.world, .name = "b");
    check_runs(f.world, "free b a c outside");
    fixture_free(&f);

    /* A circle with itself, and one against the order of the phases. */
    f = fixture_new();
    ADD(f.world, .name = "self", .before = "self");
    check_circle(f.world, "'self' after 'self'");
    fixture_free(&f);
    f = fixture_new();
    ADD(f.world, .name = "soon", .after = "late");
    ADD(f.world, .name = "late", .phase = KITH_PHASE_LATE);
    check_circle(f.world, "'soon' after 'late' after 'soon'");
    fixture_free(&f);
}

/* ---- Conflicts ------------------------------------------------------------------------------- */

static char warned[2000];

static void keep_warning(kith_log_level level, const char *message, void *context)
{
    CHECK_INT(level, KITH_LOG_WARNING);
    CHECK(context == warned);
    strcat(strcat(warned, message), "\n");
}

static void add_conflicting(kith_world *world)
{
    register_all(world, KITH_TABLE);
    ADD(world, .name = "write", .run = note_query, .query.terms = KITH_TERMS(KITH_WRITE(Position)));
    ADD(world, .name = "read", .run = note_query, .query.terms = KITH_TERMS(KITH_READ(Position)));
    ADD(world, .name = "read too", .run = note_query,
        .query.terms = KITH_TERMS(KITH_READ(Position)));
    ADD(world, .name = "ask", .run = note_query, .query.terms = KITH_TERMS(KITH_WITH(Position)));
    ADD(world, .name = "later", .priority = 1, .run = note_query,
        .query.terms = KITH_TERMS(KITH_WRITE(Position)));
    ADD(world, .name = "told", .run = note_query, .after = "write",
        .events = KITH_TERMS(KITH_READ(Byte)), .query.terms = KITH_TERMS(KITH_READ(Velocity)));
    ADD(world, .name = "told on", .run = note_query, .after = "told",
        .query.terms = KITH_TERMS(KITH_READ(Position)));
    ADD(world, .name = "sends", .run = note_query, .events = KITH_TERMS(KITH_WRITE(Byte)));
    ADD(world, .name = "sends too", .run = note_query, .events = KITH_TERMS(KITH_WRITE(Byte)),
        .after = "told");
}

TEST(conflicts_without_order)
{
    fixture f = fixture_new();
    add_conflicting(f.world);
    CHECK_RESULT(kith_schedule_build(f.world), KITH_OK);
    fixture_free(&f);

    f = fixture_new_with(&(kith_world_def){.conflicts = KITH_CONFLICTS_ERROR});
    add_conflicting(f.world);
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "'write' and 'read' conflict (component Position)");
    CHECK_UINT(kith_tick_count(f.world), 0);
    fixture_free(&f);

    f = fixture_new_with(&(kith_world_def){
        .conflicts = KITH_CONFLICTS_WARN, .on_log = keep_warning, .log_context = warned});
    add_conflicting(f.world);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_CONTAINS(warned, "'write' and 'read' conflict (component Position)");
    CHECK_CONTAINS(warned, "'write' and 'read too' conflict (component Position)");
    CHECK_CONTAINS(warned, "'told' and 'sends' conflict (event Byte)");
    uint32_t lines = 0;
    for (const char *at = warned; *at != '\0'; at++) {
        lines += *at == '\n';
    }
    CHECK_UINT(lines, 3);
    const size_t told = strlen(warned);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK); /* once for each schedule */
    CHECK_UINT(strlen(warned), told);
    fixture_free(&f);
}

static void read_and_send(kith_iter *it)
{
    uint32_t seen = 0;
    while (KITH_EVENT(it, seen, Byte) != NULL) {
        seen++;
    }
    *(uint32_t *)it->user = seen;
    CHECK_UINT(kith_system_event_count(it, &Byte_type), seen);
    CHECK_RESULT(KITH_SEND(it, Byte, {1}), KITH_OK);
    CHECK_UINT(kith_system_event_count(it, &Byte_type), seen); /* what is sent comes later */
}

/* A system that reads events waits for one that sends them, also if it sends such events itself. */
TEST(a_reader_of_events_waits_though_it_sends_them_too)
{
    fixture f = fixture_new();
    uint32_t seen[2] = {99, 99};
    for (uint32_t i = 0; i < 2; i++) {
        kith_system_def def = {.name = i == 0 ? "one" : "other",
                               .run = read_and_send,
                               .user = &seen[i],
                               .events = KITH_TERMS(KITH_WRITE(Byte), KITH_READ(Byte))};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    }
    ADD(f.world, .name = "sends", .run = note_query, .events = KITH_TERMS(KITH_WRITE(Byte)));
    char text[500];
    size_t length;
    CHECK_RESULT(kith_schedule_print(f.world, text, sizeof(text), &length), KITH_OK);
    CHECK_STR(text, "stage 0 (update)\n  one (0)\n"
                    "stage 1 (update)\n  other (0): after one (event Byte)\n"
                    "stage 2 (update)\n  sends (0): after other (event Byte)\n");
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(seen[0], 0);
    CHECK_UINT(seen[1], 1);
    fixture_free(&f);
}

/* ---- As text --------------------------------------------------------------------------------- */

TEST(printed)
{
    fixture f = fixture_new();
    char text[2000];
    size_t length = 77;
    CHECK_RESULT(kith_schedule_print(f.world, text, sizeof(text), &length), KITH_OK);
    CHECK_STR(text, "");
    CHECK_UINT(length, 0);
    register_all(f.world, KITH_TABLE);
    ADD(f.world, .name = "move", .run = note_query, .parallel = true,
        .query.terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity)));
    ADD(f.world, .name = "age", .run = note_query, .query.terms = KITH_TERMS(KITH_WRITE(Health)));
    ADD(f.world, .name = "slow", .run = note_query, .disabled = true,
        .query.terms = KITH_TERMS(KITH_WRITE(Velocity)));
    ADD(f.world, .name = "\"last\"", .priority = 5);
    ADD(f.world, .name = "draw", .phase = KITH_PHASE_END);
    static const char expected[] =
        "stage 0 (update)\n"
        "  move (0), parallel\n"
        "  age (0)\n"
        "stage 1 (update)\n"
        "  slow (0), off: after move (component Velocity)\n"
        "stage 2 (update)\n"
        "  \"last\" (5), alone: after age (runs alone), slow (runs alone)\n"
        "stage 3 (end)\n"
        "  draw (0), alone: after \"last\" (phase)\n";
    CHECK_RESULT(kith_schedule_print(f.world, text, sizeof(text), &length), KITH_OK);
    CHECK_STR(text, expected);
    CHECK_UINT(length, strlen(expected));
    /* What does not fit is left out, and counted. */
    CHECK_RESULT(kith_schedule_print(f.world, text, 12, &length), KITH_OK);
    CHECK_STR(text, "stage 0 (up");
    CHECK_UINT(length, strlen(expected));
    CHECK_RESULT(kith_schedule_print(f.world, NULL, 0, &length), KITH_OK);
    CHECK_UINT(length, strlen(expected));

    CHECK_RESULT(kith_schedule_dot(f.world, text, sizeof(text), &length), KITH_OK);
    CHECK_UINT(length, strlen(text));
    CHECK_CONTAINS(text, "digraph schedule {\n");
    CHECK_CONTAINS(text, "subgraph cluster_0 {\n        label=\"stage 0\";\n        \"move\";\n"
                         "        \"age\";\n    }\n");
    CHECK_CONTAINS(text, "\"slow\" [style=dashed];");
    CHECK_CONTAINS(text, "\"move\" -> \"slow\" [label=\"component Velocity\"];\n");
    CHECK_CONTAINS(text, "\"slow\" -> \"\\\"last\\\"\" [label=\"runs alone\"];\n");
    fixture_free(&f);
}

/* ---- Stages ---------------------------------------------------------------------------------- */

static void queue_one(kith_iter *it)
{
    CHECK_PTR_NOT_NULL(it->commands);
    KITH_SPAWN(it->commands, KITH_VALUE(Byte, {1}));
}

static void count_bytes(kith_iter *it)
{
    uint32_t *count = it->user;
    *count = 0;
    while (kith_next(it)) {
        *count += it->count;
    }
}

static void is_quiet(kith_iter *it)
{
    CHECK_PTR_NULL(it->commands);
    count_bytes(it);
}

/* Which systems see what was queued: those of higher priorities and those that are later by
 * name, but not those of the same stage. */
TEST_EACH_LAYOUT(what_is_queued_is_there_when_the_stage_has_ended, layout)
{
    fixture f = fixture_with_all(layout);
    uint32_t seen[4] = {9, 9, 9, 9};
    const kith_query_def bytes = {.terms = KITH_TERMS(KITH_WITH(Byte))};
    const kith_system_def defs[] = {
        {.name = "queue", .run = queue_one, .query.terms = KITH_TERMS(KITH_WITH(Health))},
        {.name = "beside", .run = count_bytes, .user = &seen[0], .query = bytes},
        {.name = "later", .run = count_bytes, .user = &seen[1], .query = bytes, .after = "queue"},
        {.name = "higher", .run = count_bytes, .user = &seen[2], .query = bytes, .priority = 1},
        {.name = "quiet",
         .run = is_quiet,
         .no_commands = true,
         .user = &seen[3],
         .query = bytes,
         .priority = -1}};
    for (size_t i = 0; i < 5; i++) {
        CHECK_RESULT(kith_system_add(f.world, &defs[i]), KITH_OK);
    }
    for (uint32_t tick = 0; tick < 3; tick++) {
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(seen[0], tick);
        CHECK_UINT(seen[1], tick + 1);
        CHECK_UINT(seen[2], tick + 1);
        CHECK_UINT(seen[3], tick);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}

/* ---- Groups, conditions, clocks -------------------------------------------------------------- */

TEST(groups_are_switched_together)
{
    fixture f = fixture_new();
    ADD(f.world, .name = "a", .group = "enemies");
    ADD(f.world, .name = "b");
    ADD(f.world, .name = "c", .group = "enemies", .disabled = true);
    ADD(f.world, .name = "d", .group = "friends");
    check_runs(f.world, "a b d");
    CHECK_RESULT(kith_system_group_enable(f.world, "enemies", true), KITH_OK);
    check_runs(f.world, "a b c d");
    CHECK_RESULT(kith_system_group_enable(f.world, "enemies", false), KITH_OK);
    check_runs(f.world, "b d");
    CHECK_RESULT(kith_system_enable(f.world, "c", true), KITH_OK);
    check_runs(f.world, "b c d");
    CHECK_RESULT(kith_system_group_enable(f.world, "enemys", true), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "enemys");
    fixture_free(&f);
}

static bool is_odd(const kith_world *world, void *user)
{
    CHECK_STR(user, "when");
    return kith_tick_count(world) % 2 == 1;
}

TEST(conditions)
{
    fixture f = fixture_new();
    ADD(f.world, .name = "always");
    ADD(f.world, .name = "when", .run_if = is_odd);
    check_runs(f.world, "always when");
    check_runs(f.world, "always");
    check_runs(f.world, "always when");
    CHECK_RESULT(kith_system_enable(f.world, "when", false), KITH_OK);
    check_runs(f.world, "always");
    check_runs(f.world, "always");
    fixture_free(&f);
}

static kith_query *left_open;

static bool leaves_open(const kith_world *world, void *user)
{
    (void)world;
    (void)user;
    kith_iter it = kith_query_iter(left_open);
    return kith_next(&it);
}

TEST(a_condition_that_leaves_a_query_open)
{
    fixture f = fixture_with_all(KITH_TABLE);
    left_open = KITH_QUERY(f.world, KITH_READ(Position));
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    ADD(f.world, .name = "asked", .run_if = leaves_open);
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_MISUSE);
    expect_misuse(&f, "`run_if` of system \"asked\" returned with a query open (opened at ");
    CHECK_CONTAINS(kith_error(f.world), "system 'asked' failed: KITH_ERR_MISUSE");
    fixture_free(&f);
}

typedef struct beats {
    uint32_t count;
    float dt;
    float sum;
} beats;

static kith_result beat(kith_world *world, kith_iter *it)
{
    (void)world;
    beats *b = it->user;
    b->count++;
    b->dt = it->dt;
    b->sum += it->dt;
    return KITH_OK;
}

TEST(intervals_and_every_nth_tick)
{
    fixture f = fixture_new();
    beats third = {0};
    beats half = {0};
    beats quarter = {0};
    const kith_system_def defs[] = {
        {.name = "third", .update = beat, .user = &third, .every_ticks = 3},
        {.name = "half", .update = beat, .user = &half, .interval = 0.5f},
        {.name = "quarter", .update = beat, .user = &quarter, .interval = 0.25f},
    };
    for (int i = 0; i < 3; i++) {
        CHECK_RESULT(kith_system_add(f.world, &defs[i]), KITH_OK);
    }
    for (uint32_t tick = 1; tick <= 12; tick++) {
        uint64_t hash = kith_world_hash(f.world);
        CHECK_RESULT(kith_run(f.world, 0.1875f), KITH_OK);
        CHECK(kith_world_hash(f.world) != hash);
        CHECK_UINT(third.count, tick / 3);
        CHECK_UINT(half.count, (uint32_t)((float)tick * 0.1875f / 0.5f));
        CHECK_UINT(quarter.count, (uint32_t)((float)tick * 0.1875f / 0.25f));
    }
    CHECK_FLOAT(third.dt, 0.5625f);
    CHECK_FLOAT(third.sum, 2.25f);
    CHECK_FLOAT(half.sum, 9 * 0.1875f + 2 * 0.1875f);

    /* Time beyond one missed interval is not made up for. */
    CHECK_RESULT(kith_run(f.world, 10), KITH_OK);
    uint32_t before = quarter.count;
    CHECK_FLOAT(quarter.dt, 10);
    CHECK_RESULT(kith_run(f.world, 0.125f), KITH_OK);
    CHECK_UINT(quarter.count, before);
    CHECK_RESULT(kith_run(f.world, 0.125f), KITH_OK);
    CHECK_UINT(quarter.count, before + 1);

    /* While a system is disabled its time stops. It begins anew when the system is enabled. */
    CHECK_RESULT(kith_system_enable(f.world, "quarter", false), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 5), KITH_OK);
    CHECK_RESULT(kith_system_enable(f.world, "quarter", true), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 0.25f), KITH_OK);
    CHECK_UINT(quarter.count, before + 2);
    CHECK_FLOAT(quarter.dt, 0.25f);
    CHECK_WORLD(f.world);

    kith_system_def wrong = {.name = "wrong", .update = beat, .interval = -1};
    CHECK_RESULT(kith_system_add(f.world, &wrong), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "'wrong' has an interval of -1 seconds");
    wrong.interval = 1;
    wrong.every_ticks = 2;
    CHECK_RESULT(kith_system_add(f.world, &wrong), KITH_ERR_INPUT);
    fixture_free(&f);
}

/* However long the ticks were before, a system that replaces another one takes over its time. */
TEST(an_interval_after_ticks_as_long_as_can_be)
{
    fixture f = fixture_new();
    beats b = {0};
    kith_system_def def = {.name = "beat", .update = beat, .user = &b, .every_ticks = 2};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(f.world, FLT_MAX), KITH_OK);
    CHECK_RESULT(kith_run(f.world, FLT_MAX), KITH_OK);
    CHECK_UINT(b.count, 1);
    CHECK_FLOAT(b.dt, FLT_MAX); /* finite, though that is less than the time that passed */
    def.every_ticks = 0;
    def.interval = 0.5f;
    CHECK_RESULT(kith_system_replace(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 0.5f), KITH_OK);
    CHECK_UINT(b.count, 2);
    fixture_free(&f);
}

/* ---- Hot reload ------------------------------------------------------------------------------ */

TEST(replaced)
{
    fixture f = fixture_with_all(KITH_TABLE);
    ADD(f.world, .name = "a");
    ADD(f.world, .name = "b", .run = note_query, .query.terms = KITH_TERMS(KITH_READ(Position)));
    ADD(f.world, .name = "c");
    check_runs(f.world, "a b c");
    beats b = {0};
    CHECK_RESULT(kith_system_enable(f.world, "b", false), KITH_OK);
    kith_system_def def = {.name = "b", .update = beat, .user = &b};
    CHECK_RESULT(kith_system_replace(f.world, &def), KITH_OK);
    check_runs(f.world, "a c");
    CHECK_RESULT(kith_system_enable(f.world, "b", true), KITH_OK);
    check_runs(f.world, "a c");
    CHECK_UINT(b.count, 1);
    CHECK_STR(kith_system_at(f.world, 1, NULL, NULL),
              "b"); /* its place among systems of equal priority */

    def.name = "d";
    CHECK_RESULT(kith_system_replace(f.world, &def), KITH_ERR_UNKNOWN);
    CHECK_CONTAINS(kith_error(f.world), "there is no system 'd'; there are: a, b, c");
    def = (kith_system_def){.name = "b", .update = beat, .run = note_query};
    CHECK_RESULT(kith_system_replace(f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_system_replace: 'b' has both");
    check_runs(f.world, "a c");
    CHECK_UINT(b.count, 2);
    fixture_free(&f);
}

/* ---- Workers ----------------------------------------------------------------------------------- */

static void *never_called(void (*work)(void *job), void *job, void *context)
{
    (void)work;
    (void)job;
    (void)context;
    CHECK(false);
    return NULL;
}

TEST(workers_come_and_go)
{
    fixture f = fixture_new();
    CHECK_UINT(kith_thread_count(f.world), 1);
    ADD(f.world, .name = "a", .run = note_query);
    static const uint32_t threads[] = {3, 64, 0, 1, 2};
    for (int i = 0; i < 5; i++) {
        CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = threads[i]}),
                     KITH_OK);
        CHECK_UINT(kith_thread_count(f.world), threads[i] == 0 ? 1 : threads[i]);
        check_runs(f.world, "a");
    }
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = 65}), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "65 threads; at most 64");
    kith_workers_def def = {.threads = 3, .enqueue = never_called};
    CHECK_RESULT(kith_workers_set(f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "only one of");
    CHECK_UINT(kith_thread_count(f.world), 2);
    CHECK_RESULT(kith_workers_set(f.world, NULL), KITH_OK);
    CHECK_UINT(kith_thread_count(f.world), 1);
    check_runs(f.world, "a");
    fixture_free(&f);
}
