/* Conflicts: which uses of one thing keep two systems out of one stage. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "nothing.h"
#include "test.h"

/* What a system declares about Position. */
typedef enum use {
    USE_ASKS,
    USE_READS,
    USE_WRITES,
    USE_READS_BY_HANDLE,
    USE_WRITES_BY_HANDLE,
    USE_READS_RESOURCE,
    USE_WRITES_RESOURCE,
    USE_HEARS,
    USE_SENDS,
    USE_HEARS_AND_SENDS
} use;

static kith_system_def def_of(use declared)
{
    static const kith_term asks[] = {KITH_WITH(Position), {0}};
    static const kith_term one[][2] = {{KITH_READ(Position)}, {KITH_WRITE(Position)}};
    static const kith_term both[] = {KITH_READ(Position), KITH_WRITE(Position), {0}};
    kith_system_def def = {.run = run_nothing};
    switch (declared) {
    case USE_ASKS: def.query = (kith_query_def){.terms = asks}; break;
    case USE_READS:
    case USE_WRITES: def.query = (kith_query_def){.terms = one[declared - USE_READS]}; break;
    case USE_READS_BY_HANDLE:
    case USE_WRITES_BY_HANDLE: def.lookups = one[declared - USE_READS_BY_HANDLE]; break;
    case USE_READS_RESOURCE:
    case USE_WRITES_RESOURCE: def.resources = one[declared - USE_READS_RESOURCE]; break;
    case USE_HEARS:
    case USE_SENDS: def.events = one[declared - USE_HEARS]; break;
    case USE_HEARS_AND_SENDS: def.events = both; break;
    }
    return def;
}

static void add_two(kith_world *world, use first, use second)
{
    register_all(world, KITH_TABLE);
    kith_system_def def = def_of(first);
    def.name = "first";
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
    def = def_of(second);
    def.name = "second";
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

/* Checks whether two systems conflict over `what` (NULL: they do not): by the error that a world can
 * make of it, by the stages, and by the reason that the schedule gives. */
static void check_pair(use first, use second, const char *what)
{
    fixture f = fixture_new_with(&(kith_world_def){.conflicts = KITH_CONFLICTS_ERROR});
    add_two(f.world, first, second);
    CHECK_RESULT(kith_schedule_build(f.world), what == NULL ? KITH_OK : KITH_ERR_CONFLICT);
    if (what != NULL) {
        CHECK_CONTAINS(kith_error(f.world), "'first' and 'second' conflict (");
        CHECK_CONTAINS(kith_error(f.world), what);
    }
    fixture_free(&f);

    f = fixture_new();
    add_two(f.world, first, second);
    char text[300];
    size_t length;
    CHECK_RESULT(kith_schedule_print(f.world, text, sizeof(text), &length), KITH_OK);
    CHECK_INT(strstr(text, "stage 1") != NULL, what != NULL);
    if (what != NULL) {
        CHECK_CONTAINS(text, "second (0): after first (");
        CHECK_CONTAINS(text, what);
    }
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    fixture_free(&f);
}

typedef struct pair {
    use one, other;
    bool conflicts;
} pair;

/* In both orders of the two. */
static void check_pairs(const pair *pairs, size_t count, const char *what)
{
    for (size_t i = 0; i < count; i++) {
        check_pair(pairs[i].one, pairs[i].other, pairs[i].conflicts ? what : NULL);
        check_pair(pairs[i].other, pairs[i].one, pairs[i].conflicts ? what : NULL);
    }
}

#define CHECK_PAIRS(what, ...)                                                                     \
    check_pairs((const pair[]){__VA_ARGS__}, sizeof((const pair[]){__VA_ARGS__}) / sizeof(pair),   \
                (what))

TEST(reading_and_writing_a_component_is_a_conflict)
{
    CHECK_PAIRS("component Position", {USE_READS, USE_WRITES, true}, {USE_WRITES, USE_WRITES, true},
                {USE_READS, USE_WRITES_BY_HANDLE, true}, {USE_READS_BY_HANDLE, USE_WRITES, true},
                {USE_WRITES, USE_WRITES_BY_HANDLE, true},
                {USE_WRITES_BY_HANDLE, USE_WRITES_BY_HANDLE, true}, {USE_READS, USE_READS, false},
                {USE_READS, USE_READS_BY_HANDLE, false},
                {USE_READS_BY_HANDLE, USE_READS_BY_HANDLE, false});
}

/* Which components an entity has does not change while a stage runs. */
TEST(asking_for_a_component_is_no_conflict)
{
    CHECK_PAIRS(NULL, {USE_ASKS, USE_ASKS, false}, {USE_ASKS, USE_READS, false},
                {USE_ASKS, USE_WRITES, false}, {USE_ASKS, USE_WRITES_BY_HANDLE, false});
}

TEST(reading_and_writing_a_resource_is_a_conflict)
{
    CHECK_PAIRS("resource Position", {USE_READS_RESOURCE, USE_WRITES_RESOURCE, true},
                {USE_WRITES_RESOURCE, USE_WRITES_RESOURCE, true},
                {USE_READS_RESOURCE, USE_READS_RESOURCE, false});
}

/* Systems that only send do not wait for each other: their events arrive in the systems' order. */
TEST(sending_and_hearing_events_is_a_conflict)
{
    CHECK_PAIRS("event Position", {USE_HEARS, USE_SENDS, true},
                {USE_HEARS, USE_HEARS_AND_SENDS, true}, {USE_SENDS, USE_HEARS_AND_SENDS, true},
                {USE_HEARS_AND_SENDS, USE_HEARS_AND_SENDS, true}, {USE_SENDS, USE_SENDS, false},
                {USE_HEARS, USE_HEARS, false});
}

/* A type may be a component, a resource and an event: these are three different things. */
TEST(uses_of_different_kinds_do_not_conflict)
{
    CHECK_PAIRS(NULL, {USE_WRITES, USE_WRITES_RESOURCE, false},
                {USE_WRITES, USE_HEARS_AND_SENDS, false},
                {USE_WRITES_RESOURCE, USE_HEARS_AND_SENDS, false},
                {USE_WRITES_BY_HANDLE, USE_WRITES_RESOURCE, false});
}
