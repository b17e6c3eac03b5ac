/* Random conditions about two components, with random indexes of one field or several: whatever the
 * planner takes, what queries tell is what they told before there was an index. */
#include <kith/floats.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "all_ways.h"
#include "components.h"
#include "random.h"

/* Fields at the same offsets, of the same kinds. */
KITH_COMPONENT(One, (int32_t, a), (int32_t, b), (float, x), (float, y), (char, name, 8),
               (uint8_t, c), (bool, flag));
KITH_COMPONENT(Two, (int32_t, a), (int32_t, b), (float, x), (double, z));
KITH_TAG(Tag);

#define CROWD 4000u
#define CROWD_QUERIES 24u
#define CROWD_INDEXES 8u
#define CROWD_TEXT 2000u

typedef struct crowd {
    fixture f;
    kith_world *world;
    uint64_t random;
    kith_entity entities[CROWD];
    char texts[CROWD_QUERIES][CROWD_TEXT];
    char *text; /* one of them, of `length` bytes */
    size_t length;
} crowd;

static uint32_t below(crowd *t, uint32_t limit)
{
    return random_below(&t->random, limit);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static float some_float(crowd *t)
{
    uint32_t number = below(t, 800);
    return number < 8 ? NAN : number < 12 ? -0.0f : (float)(number / 2);
}

static One some_one(crowd *t)
{
    One one = {.a = (int32_t)below(t, 500),
               .b = (int32_t)below(t, 30),
               .x = some_float(t),
               .y = some_float(t),
               .c = (uint8_t)below(t, 90),
               .flag = below(t, 2) == 0};
    snprintf(one.name, sizeof(one.name), "n%u", below(t, 700));
    return one;
}

static Two some_two(crowd *t)
{
    return (Two){(int32_t)below(t, 500), (int32_t)below(t, 30), some_float(t),
                 (double)some_float(t)};
}

static void crowd_set(crowd *t, uint32_t i)
{
    const One one = some_one(t);
    const Two two = some_two(t);
    const kith_value values[] = {{&One_type, &one}, {&Two_type, &two}};
    const uint32_t first = below(t, 12) == 0 ? 1 : 0;
    const uint32_t count = first == 0 && below(t, 3) != 0 ? 2 : 1;
    CHECK_RESULT(kith_set_values(t->world, t->entities[i], values + first, count), KITH_OK);
    if (below(t, 6) == 0) {
        CHECK_RESULT(KITH_ADD(t->world, t->entities[i], Tag), KITH_OK);
    }
}

static void crowd_new(crowd *t, kith_layout layout, kith_layout other)
{
    memset(t, 0, sizeof(*t));
    t->f = fixture_new();
    t->world = t->f.world;
    t->random = 77 + (uint64_t)layout * 3 + (uint64_t)other;
    CHECK_RESULT(kith_register(t->world, &One_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    CHECK_RESULT(kith_register(t->world, &Two_type, &(kith_component_def){.layout = other}),
                 KITH_OK);
    CHECK_RESULT(kith_register(t->world, &Tag_type, &(kith_component_def){.layout = other}),
                 KITH_OK);
    for (uint32_t i = 0; i < CROWD; i++) {
        t->entities[i] = kith_spawn_empty(t->world);
    }
    /* In another order than the slots. */
    for (uint32_t i = 0; i < CROWD; i++) {
        crowd_set(t, (i * 1237 + 11) % CROWD);
    }
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static void say(crowd *t, const char *format, ...) KITH_FORMAT_(2, 3);

static void say(crowd *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(t->text + t->length, CROWD_TEXT - t->length, format, list);
    va_end(list);
    t->length += (size_t)length;
    CHECK(t->length < CROWD_TEXT);
}

static void say_number(crowd *t)
{
    uint32_t number = below(t, 500);
    say(t, below(t, 12) == 0 ? "%u.5" : below(t, 12) == 0 ? "-%u" : "%u", number);
}

static void say_comparison(crowd *t)
{
    static const char *const fields[] = {"One.a", "One.a", "One.b", "One.x", "One.y", "One.c",
                                         "Two.a", "Two.a", "Two.b", "Two.x", "Two.z"};
    static const char *const ops[] = {"=", "=", "=", "=", "<", "<=", ">", ">=", "!="};
    const char *field = fields[below(t, ROWS_OF(fields))];
    uint32_t first = below(t, 480);
    switch (below(t, 6)) {
    case 0: say(t, "%s between %u and %u", field, first, first + below(t, 6)); break;
    case 1:
        say(t, "%s in (%u", field, first);
        for (uint32_t more = below(t, 4); more > 0; more--) {
            say(t, ", ");
            say_number(t);
        }
        say(t, ")");
        break;
    default: say(t, "%s %s ", field, ops[below(t, ROWS_OF(ops))]); say_number(t);
    }
}

static void say_condition(crowd *t, uint32_t depth);

/* Conditions in parentheses, joined by one word. */
static void say_group(crowd *t, uint32_t depth)
{
    const char *word = below(t, 2) == 0 ? " or " : " and ";
    say(t, "(");
    for (uint32_t count = 1 + below(t, 3), i = 0; i < count; i++) {
        say(t, "%s", i == 0 ? "" : word);
        say_condition(t, depth + 1);
    }
    say(t, ")");
}

/* A list that is not one: its fields or components differ. */
static void say_false_list(crowd *t)
{
    static const char *const fields[] = {"One.a", "One.a", "Two.a", "Two.a", "One.b", "One.x"};
    say(t, "(");
    for (uint32_t count = 2 + below(t, 2), i = 0; i < count; i++) {
        say(t, "%s%s %s %u", i == 0 ? "" : " or ", fields[below(t, ROWS_OF(fields))],
            below(t, 8) == 0 ? ">" : "=", below(t, 2) == 0 ? below(t, 500) : 480);
    }
    say(t, ")");
}

static void say_condition(crowd *t, uint32_t depth)
{
    switch (below(t, depth < 3 ? 15 : 9)) {
    case 0: say(t, "One.name = 'n%u'", below(t, 700)); break;
    case 1: say(t, "One.name prefix 'n%u'", 10 + below(t, 690)); break;
    case 2: say(t, "One.flag = %s", below(t, 2) == 0 ? "true" : "false"); break;
    case 9: say_group(t, depth); break;
    case 10:
        say(t, "not ");
        say_condition(t, depth + 1);
        break;
    case 11: say(t, "has(Tag)"); break;
    case 12:
    case 13: say_false_list(t); break;
    default: say_comparison(t); break;
    }
}

/* A query, whose text is kept. */
static kith_query *some_query(crowd *t, uint32_t number)
{
    static const char *const terms[] = {"*",
                                        "One",
                                        "Two",
                                        "write One",
                                        "write Two",
                                        "One, ?Two",
                                        "?write One, Two",
                                        "One, !Tag",
                                        "Two, with One",
                                        "any(One, Two)",
                                        "with Tag"};
    t->text = t->texts[number];
    t->length = 0;
    say(t, "%s where ", terms[below(t, ROWS_OF(terms))]);
    if (below(t, 2) == 0) {
        say(t, "One.name != 'none' and ");
    }
    for (uint32_t count = 1 + below(t, 4), i = 0; i < count; i++) {
        say(t, "%s", i == 0 ? "" : " and ");
        say_condition(t, 0);
    }
    kith_text_error error;
    kith_query *query = kith_query_text(t->world, t->text, &error);
    if (query == NULL) {
        test_fail(__FILE__, __LINE__, "%s: %s", t->text, error.message);
    }
    return query;
}

/* ---- With and without indexes ---------------------------------------------------------------- */

static kith_index *some_index(crowd *t)
{
    static const kith_index_def defs[] = {
        {.kind = KITH_INDEX_HASH, KITH_FIELDS(One, a)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(One, a)},
        {.kind = KITH_INDEX_HASH, KITH_FIELDS(One, a, b)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(One, a, b)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(One, a, x)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(One, x, y)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(One, b, x, a)},
        {.kind = KITH_INDEX_HASH, KITH_FIELDS(One, name)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(One, name)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(One, name, a)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(One, c, name)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(One, c, flag, a)},
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(One, x, y)},
        {.kind = KITH_INDEX_HASH, KITH_FIELDS(Two, a)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Two, x)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Two, a, z)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Two, b, a)},
        {.kind = KITH_INDEX_HASH, KITH_FIELDS(Two, x, b)},
        {.kind = KITH_INDEX_FILTER, KITH_FIELDS(One, a)},
        {.kind = KITH_INDEX_FILTER, KITH_FIELDS(One, b, x, y, name, c, flag)},
        {.kind = KITH_INDEX_FILTER, KITH_FIELDS(One, name, a)},
        {.kind = KITH_INDEX_FILTER, KITH_FIELDS(Two, a, b, x, z)},
        {.kind = KITH_INDEX_FILTER, KITH_FIELDS(Two, z)},
    };
    kith_index *index;
    CHECK_RESULT(kith_index_new(t->world, &defs[below(t, ROWS_OF(defs))], &index), KITH_OK);
    return index;
}

/* Returns how many of some queries an index served. */
static uint32_t compare_some(crowd *t)
{
    kith_query *queries[CROWD_QUERIES];
    uint64_t scanned[CROWD_QUERIES];
    kith_index *indexes[CROWD_INDEXES];
    uint32_t planned = 0;
    for (uint32_t i = 0; i < CROWD_QUERIES; i++) {
        queries[i] = some_query(t, i);
        scanned[i] = ask_all_ways(queries[i]);
    }
    for (uint32_t i = 0; i < CROWD_INDEXES; i++) {
        indexes[i] = some_index(t);
    }
    for (uint32_t i = 0; i < CROWD_QUERIES; i++) {
        if (ask_all_ways(queries[i]) != scanned[i]) {
            char plan[700];
            kith_query_explain(queries[i], true, plan, sizeof(plan), NULL);
            test_fail(__FILE__, __LINE__, "%s: another answer with %s", t->texts[i], plan);
        }
        planned += is_planned(queries[i]);
        kith_query_free(queries[i]);
    }
    for (uint32_t i = 0; i < CROWD_INDEXES; i++) {
        kith_index_free(indexes[i]);
    }
    return planned;
}

TEST_EACH_LAYOUT_WITHIN(20, random_conditions_find_the_same_by_an_index, layout)
{
    static crowd t;
    uint32_t planned = 0;
    for (int other = 0; other < LAYOUT_COUNT; other++) {
        crowd_new(&t, layout, (kith_layout)other);
        for (uint32_t step = 0; step < (test_long() ? 60u : 9u); step++) {
            planned += compare_some(&t);
            for (uint32_t i = 0; i < 40; i++) {
                crowd_set(&t, below(&t, CROWD));
            }
        }
        CHECK_WORLD(t.world);
        fixture_free(&t.f);
    }
    CHECK(planned > 100);
}
