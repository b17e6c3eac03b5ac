/* Conditions about names and paths, beside a naive matching of what kith_path writes. */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

#define ENTITIES 900u

typedef struct tree {
    fixture f;
    uint64_t random;
    kith_entity e[ENTITIES];
} tree;

/* Names are of few letters, so that many are alike; some entities have none. */
static void fill(tree *w, kith_layout names, kith_layout links, uint64_t seed)
{
    *w = (tree){.f = fixture_new(), .random = seed};
    kith_world *world = w->f.world;
    if (names != KITH_TABLE) {
        CHECK_RESULT(kith_register(world, &kith_name_type, &(kith_component_def){.layout = names}),
                     KITH_OK);
    }
    CHECK_RESULT(kith_register(world, &kith_child_of_type, &(kith_component_def){.layout = links}),
                 KITH_OK);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        static const char *const words[] = {"a", "b", "ab", "aab", "a*", "ship", "ba"};
        char name[20];
        w->e[i] = KITH_SPAWN(world, KITH_VALUE(Health, {(int32_t)i, 0}));
        if (i >= 6 && random_below(&w->random, 30) != 0) {
            CHECK_RESULT(
                kith_set_parent(world, w->e[i], w->e[random_below(&w->random, i < 50 ? 6 : 50)]),
                KITH_OK);
        }
        if (i < 6 || random_below(&w->random, 12) != 0) {
            snprintf(name, sizeof name, "%s", words[random_below(&w->random, 7)]);
            while (kith_set_name(world, w->e[i], name) == KITH_ERR_CONFLICT) {
                size_t length = strlen(name);
                name[length] = (char)('a' + random_below(&w->random, 2));
                name[length + 1] = '\0';
                if (length > 16) {
                    break;
                }
            }
        }
    }
}

/* Whether a path is as a pattern says, in the slowest way. */
static bool naive_like(const char *path, const char *pattern, bool first)
{
    if (first && strncmp(pattern, "**", 2) == 0 && (pattern[2] == '/' || pattern[2] == '\0')) {
        /* Any number of parts. */
        const char *rest = pattern + 2;
        if (*rest == '\0') {
            return true;
        }
        for (const char *at = path; at != NULL;
             at = strchr(at, '/'), at = at == NULL ? NULL : at + 1) {
            if (naive_like(at, rest + 1, true)) {
                return true;
            }
        }
        return false;
    }
    if (*pattern == '*') {
        for (const char *at = path;; at++) {
            if (naive_like(at, pattern + 1, false)) {
                return true;
            }
            if (*at == '\0' || *at == '/') {
                return false;
            }
        }
    }
    if (*path == '\0' && strcmp(pattern, "/**") == 0) {
        return true;
    }
    if (*path == '\0' && strncmp(pattern, "/**/", 4) == 0) {
        return naive_like(path, pattern + 3, false);
    }
    return *path == *pattern && (*path == '\0' || naive_like(path + 1, pattern + 1, *path == '/'));
}

/* Checks a query against a function of the path of each entity. */
static void check(tree *w, kith_query *query, const char *path, bool like)
{
    uint32_t count = 0;
    CHECK_PTR_NOT_NULL(query);
    const char *wanted = *path == '/' ? path + 1 : path;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        char own[200];
        bool has = kith_path(w->f.world, w->e[i], own, sizeof own) != 0;
        bool expected = has && (like ? naive_like(own, wanted, true) : strcmp(own, wanted) == 0);
        CHECK_INT(kith_query_contains(query, w->e[i]), expected);
        count += expected;
    }
    CHECK_UINT(kith_query_count(query), count);
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        met += it.count;
    }
    CHECK_UINT(met, count);
}

/* A pattern of parts, wildcards among them. */
static void some_pattern(tree *w, char *pattern)
{
    static const char *const parts[] = {"a",   "*",    "**", "ab", "a*",
                                        "*b*", "ship", "b",  "*a", "a**b"};
    *pattern = '\0';
    for (uint32_t parts_left = 1 + random_below(&w->random, 4); parts_left != 0; parts_left--) {
        strcat(pattern, parts[random_below(&w->random, 10)]);
        strcat(pattern, parts_left == 1 ? "" : "/");
    }
}

TEST_WITHIN(20, paths_match_as_a_naive_matching_does)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * 2; i++) {
        static tree w;
        fill(&w, i % 2 == 0 ? KITH_SLOT : KITH_SPARSE, (kith_layout)(i / 2), 1 + i);
        kith_world *world = w.f.world;
        kith_query *bound = KITH_QUERY(world, KITH_IF_PATH_LIKE(kith_bound("path")));
        kith_query *text = kith_query_text(world, "Health where path like $path", NULL);
        kith_query *same = kith_query_text(world, "* where path = $path", NULL);
        for (uint32_t k = 0; k < 60; k++) {
            char pattern[100];
            some_pattern(&w, pattern);
            test_note(pattern);
            CHECK_RESULT(kith_query_bind(bound, "path", pattern), KITH_OK);
            CHECK_RESULT(kith_query_bind(text, "path", pattern), KITH_OK);
            CHECK_RESULT(kith_query_bind(same, "path", pattern), KITH_OK);
            check(&w, bound, pattern, true);
            check(&w, text, pattern, true);
            check(&w, same, pattern, false);
            char own[100];
            if (kith_path(world, w.e[random_below(&w.random, ENTITIES)], own, sizeof own) != 0) {
                kith_query_bind(same, "path", own);
                CHECK_UINT(kith_query_count(same), 1);
                CHECK_SAME(kith_query_first(same), kith_find(world, own));
            }
            if (k % 10 == 9) { /* what the names are changes */
                kith_set_parent(world, w.e[60 + k], w.e[k]);
                kith_set_name(world, w.e[k + 100], "renamed");
                kith_set_name(world, w.e[k + 1], NULL);
            }
        }
        CHECK_WORLD(world);
        fixture_free(&w.f);
    }
}

TEST(names_are_asked_as_fields)
{
    static tree w;
    fill(&w, KITH_SLOT, KITH_SLOT, 3);
    kith_world *world = w.f.world;
    const struct {
        const char *text;
        const char *name;
        int kind; /* 0: equal, 1: prefix, 2: contains, 3: like */
    } names[] = {{"* where name = 'ab'", "ab", 0},
                 {"* where name prefix \"a\"", "a", 1},
                 {"* where name contains 'hi'", "hi", 2},
                 {"* where name like 'a*b*'", "a*b*", 3},
                 {"Health where EntityName.text like '*p'", "*p", 3}};
    for (size_t i = 0; test_row(i, ROWS_OF(names)); i++) {
        kith_query *query = kith_query_text(world, names[i].text, NULL);
        CHECK_PTR_NOT_NULL(query);
        uint32_t count = 0;
        for (uint32_t k = 0; k < ENTITIES; k++) {
            const char *name = kith_name_of(world, w.e[k]);
            bool expected =
                name != NULL && (names[i].kind == 0   ? strcmp(name, names[i].name) == 0
                                 : names[i].kind == 1 ? strncmp(name, "a", 1) == 0
                                 : names[i].kind == 2 ? strstr(name, "hi") != NULL
                                                      : naive_like(name, names[i].name, false));
            CHECK_INT(kith_query_contains(query, w.e[k]), expected);
            count += expected;
        }
        CHECK(count > 0);
        CHECK_UINT(kith_query_count(query), count);
    }

    /* Of other entities, and given out. */
    kith_select *select = NULL;
    CHECK_RESULT(kith_select_new(world,
                                 "ChildOf where ChildOf -> name prefix 'ship' and name != 'a'"
                                 " select name, ChildOf -> name order by name",
                                 NULL, &select),
                 KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK(kith_select_row_count(select) > 0);
    CHECK_STR(kith_select_column(select, 1)->name, "ChildOf -> name");
    for (uint32_t row = 0; row < kith_select_row_count(select); row++) {
        kith_text text = *(const kith_text *)kith_select_value(select, row, 1);
        CHECK(strncmp(kith_text_get(world, text, NULL), "ship", 4) == 0);
    }
    fixture_free(&w.f);
}

static void check_plan(kith_query *query, const char *part)
{
    char plan[500];
    CHECK_RESULT(kith_query_explain(query, true, plan, sizeof plan, NULL), KITH_OK);
    CHECK_CONTAINS(plan, part);
}

/* A path leads to few of many: the names are followed from the top. */
TEST(paths_are_found_by_names)
{
    static tree w;
    fill(&w, KITH_SLOT, KITH_SLOT, 5);
    kith_world *world = w.f.world;
    for (uint32_t i = 0; i < 5000; i++) {
        kith_spawn_empty(world);
    }
    kith_entity ship = kith_spawn_empty(world);
    kith_set_name(world, ship, "long ship");
    for (int32_t i = 0; i < 40; i++) {
        char name[20];
        snprintf(name, sizeof name, "turret %d", (int)i);
        kith_entity turret = KITH_SPAWN(world, KITH_VALUE(kith_child_of, {ship}));
        kith_entity barrel = KITH_SPAWN(world, KITH_VALUE(kith_child_of, {turret}));
        kith_set_name(world, turret, name);
        kith_set_name(world, barrel, "barrel");
    }
    static const struct {
        const char *text;
        const char *plan;
        uint32_t count;
    } cases[] = {
        {"* where path = 'long ship/turret 3'", "plan: names of entities\nrows: about 1 of", 1},
        {"* where path like '/long ship/turret 3/barrel'", "rows: about 1 of", 1},
        {"* where path like 'long ship/*/barrel'", "rows: about 40 of", 40},
        {"* where path like 'long ship/turret 1*'", "rows: about 11 of", 11},
        {"* where path like 'long ship/**'", "rows: about 81 of", 81},
        {"* where path like 'long ship/**/barrel'", "met: 40 of 81 rows asked", 40},
        {"* where path = 'long ship/nothing'", "rows: about 0 of", 0},
        {"* where path like '*/turret 3'", "plan: scan", 1},
        {"* where path = 'long ship' or path = 'a'", "plan: scan", 2},
        {"* where path = ''", "plan: names of entities", 0},
        {"* where path like '**'", "plan: scan", UINT32_MAX},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_query *query = kith_query_text(world, cases[i].text, NULL);
        CHECK_PTR_NOT_NULL(query);
        check_plan(query, cases[i].plan);
        if (cases[i].count != UINT32_MAX) {
            CHECK_UINT(kith_query_count(query), cases[i].count);
        }
    }
    CHECK_WORLD(world);
    fixture_free(&w.f);
}

/* Where chains are long, and patterns too. */
TEST(long_paths_end)
{
    fixture f = fixture_new();
    kith_entity parent = KITH_NONE;
    kith_entity last = KITH_NONE;
    for (uint32_t i = 0; i < 3000; i++) {
        last = kith_spawn_empty(f.world);
        if (i != 0) {
            kith_set_parent(f.world, last, parent);
        }
        kith_set_name(f.world, last, "a");
        parent = last;
    }
    static char pattern[3000 * 2 + 20];
    strcpy(pattern, "a/");
    for (uint32_t i = 1; i < 2999; i++) {
        strcat(pattern, "*/");
    }
    strcat(pattern, "a");
    kith_query *query = KITH_QUERY(f.world, KITH_IF_PATH_LIKE(kith_bound("path")));
    CHECK_RESULT(kith_query_bind(query, "path", pattern), KITH_OK);
    CHECK_UINT(kith_query_count(query), 1);
    CHECK_SAME(kith_query_first(query), last);
    CHECK_RESULT(kith_query_bind(query, "path", "**/*a/**/a*/**"), KITH_OK);
    CHECK_UINT(kith_query_count(query), 2999);
    fixture_free(&f);
}

TEST(views_find_paths_by_names)
{
    static tree w;
    fill(&w, KITH_SLOT, KITH_SLOT, 7);
    kith_snapshot *snapshot = NULL;
    kith_world *view = NULL;
    kith_set_name(w.f.world, w.e[400], "one");
    kith_set_parent(w.f.world, w.e[400], w.e[0]);
    CHECK_RESULT(kith_snapshot_take(w.f.world, &snapshot), KITH_OK);
    CHECK_RESULT(kith_view_new(snapshot, NULL, &view), KITH_OK);
    kith_query *query = kith_query_text(view, "* where path like '**/one'", NULL);
    CHECK_UINT(kith_query_count(query), 1);
    char path[50];
    kith_path(view, w.e[400], path, sizeof path);
    kith_query *same = kith_query_text(view, "* where path = $path", NULL);
    CHECK_RESULT(kith_query_bind(same, "path", path), KITH_OK);
    CHECK_SAME(kith_query_first(same), w.e[400]);
    check_plan(same, "plan: names of entities");
    CHECK_WORLD(view);
    kith_world_free(view);
    kith_snapshot_free(snapshot);
    fixture_free(&w.f);
}

TEST(mistakes_about_paths_and_names)
{
    fixture f = fixture_new();
    CHECK_RESULT(KITH_TYPES(f.world, Health, Name), KITH_OK);
    static const struct {
        const char *text;
        uint32_t column;
        const char *message;
    } cases[] = {
        {"* where path != 'a'", 9, "expected path = or path like, or not before it"},
        {"* where path prefix 'a'", 9, "expected path = or path like"},
        {"* where path in ('a')", 9, "expected path = or path like"},
        {"* where path = 3", 16, "expected a text in ' ' for a path, or $name"},
        {"* where path like name", 19, "expected a text in ' ' for a path"},
        {"* where \"path\" = 'a'", 9, "expected a field, like Health.current"},
        {"* where name < 'a'", 9, "expected a field that is a number (EntityName.text is"},
        {"* where name = 3", 16, "expected a text in ' ' for EntityName.text"},
        {"* where Health.current like 'a'", 9, "expected a field that is a text"},
        {"* where Name.text lik 'a'", 19, "in prefix contains like, after a field"},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_text_error error = {.line = 0};
        CHECK_PTR_NULL(kith_query_text(f.world, cases[i].text, &error));
        CHECK_CONTAINS(error.message, cases[i].message);
        CHECK_UINT(error.column, cases[i].column);
    }
    CHECK_PTR_NULL(KITH_QUERY(f.world, KITH_IF_PATH(3)));
    CHECK_CONTAINS(kith_error(f.world), "a path is compared with texts, not with the number 3");
    CHECK_PTR_NULL(KITH_QUERY(f.world, KITH_IF_LIKE(Health, current, "a")));
    CHECK_CONTAINS(kith_error(f.world), "only texts begin with a given text");
    const kith_condition wrong = {.op = KITH_OP_PATH, .value = kith_operand_string_("a")};
    CHECK_PTR_NULL(KITH_QUERY(f.world, {&Health_type, KITH_ACCESS_NONE, KITH_MUST, 0, &wrong}));
    CHECK_CONTAINS(kith_error(f.world), "a path is about kith_name, not about Health");
    kith_query *query = KITH_QUERY(f.world, KITH_IF_PATH(kith_bound("path")));
    CHECK_RESULT(kith_query_bind(query, "path", 4.5), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "a path is compared with texts");
    kith_live *live = NULL;
    CHECK_RESULT(kith_live_new(f.world, query, &live), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "a condition about the path of an entity");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* How many entities a query visits; `*result` is how that ended. */
static uint32_t count_visited(kith_query *query, kith_result *result)
{
    uint32_t count = 0;
    kith_iter it = kith_query_iter(query);
    for (; kith_next_rows(&it); count += it.count) {
    }
    *result = it.result;
    return count;
}

TEST(paths_survive_every_allocation_failure)
{
    uint32_t right = 0; /* what is found if nothing fails */
    for (size_t nth = 0;; nth++) { /* 0: none fails */
        static tree w;
        fill(&w, KITH_SLOT, KITH_SLOT, 9);
        if (nth != 0) {
            fail_allocation(&w.f, nth);
        }
        kith_query *query =
            kith_query_text(w.f.world, "* where path like 'ship/**' and name like $name", NULL);
        kith_result result = query == NULL ? KITH_ERR_MEMORY : KITH_OK;
        if (query != NULL) {
            result = kith_query_bind(query, "name", "a*");
        }
        uint32_t count = result == KITH_OK ? count_visited(query, &result) : 0;
        right = nth == 0 ? count : right;
        CHECK(result != KITH_OK || count == right);
        bool reached = nth == 0 || fail_nothing(&w.f);
        CHECK(result == KITH_OK || reached);
        CHECK_WORLD(w.f.world);
        fixture_free(&w.f);
        if (!reached) {
            break;
        }
    }
    CHECK(right != 0);
}
