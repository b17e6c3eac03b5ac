/* Conditions about paths in trees that are deep, where climbs end at entities that were asked before:
 * beside a naive matching of what kith_path writes, while the trees change. */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "path_like.h"
#include "random.h"
#include "test.h"

#define DEEP 400u
#define PATTERN_MAX 100

typedef struct forest {
    fixture f;
    uint64_t random;
    kith_entity e[DEEP];
} forest;

/* ---- Trees */

static void give_name(forest *w, uint32_t i)
{
    static const char *const words[] = {"a", "b", "ab", "a*", "ship"};
    char name[20];
    do {
        const char *word = words[random_below(&w->random, 5)];
        const uint32_t number = random_below(&w->random, 40);
        if (number < 30) {
            snprintf(name, sizeof name, "%s", word);
        } else {
            snprintf(name, sizeof name, "%s%u", word, (unsigned)number);
        }
    } while (kith_set_name(w->f.world, w->e[i], name) == KITH_ERR_CONFLICT);
}

static void give_parent(forest *w, uint32_t i)
{
    const uint32_t back = 1 + random_below(&w->random, 3);
    const kith_entity parent = i < back || random_below(&w->random, 60) == 0 ? KITH_NONE
                                                                             : w->e[i - back];
    const kith_result result = kith_set_parent(w->f.world, w->e[i], parent);
    CHECK(result == KITH_OK || result == KITH_ERR_CONFLICT || result == KITH_ERR_CYCLE);
}

/* Some trees, which are up to hundreds of entities deep. The handles come in some other order than
 * the entities. */
static void plant(forest *w, kith_layout names, kith_layout links, uint64_t seed)
{
    *w = (forest){.f = fixture_new(), .random = seed};
    kith_world *world = w->f.world;
    if (names != KITH_TABLE) {
        CHECK_RESULT(kith_register(world, &kith_name_type, &(kith_component_def){.layout = names}),
                     KITH_OK);
    }
    CHECK_RESULT(kith_register(world, &kith_child_of_type, &(kith_component_def){.layout = links}),
                 KITH_OK);
    for (uint32_t i = 0; i < DEEP; i++) {
        w->e[i] = KITH_SPAWN(world, KITH_VALUE(Health, {(int32_t)i, 0}));
    }
    for (uint32_t i = DEEP - 1; seed % 3 != 0 && i > 0; i--) {
        const uint32_t other = seed % 3 == 1 ? random_below(&w->random, i + 1) : DEEP - 1 - i;
        if (seed % 3 == 1 || other < i) {
            const kith_entity e = w->e[i];
            w->e[i] = w->e[other];
            w->e[other] = e;
        }
    }
    for (uint32_t i = 0; i < DEEP; i++) {
        give_parent(w, i);
        give_name(w, i);
    }
}

static void some_pattern(forest *w, char *pattern)
{
    static const char *const words[] = {"**", "**", "**", "*", "a", "ab*", "ship", "*b*"};
    *pattern = '\0';
    for (uint32_t left = 1 + random_below(&w->random, 6); left != 0; left--) {
        strcat(pattern, words[random_below(&w->random, 8)]);
        strcat(pattern, left == 1 ? "" : "/");
    }
}

/* ---- Checks */

static bool expects(const forest *w, kith_world *world, uint32_t i, const char *pattern)
{
    char own[DEEP * 8];
    return kith_path(world, w->e[i], own, sizeof own) != 0 && path_is_like(own, pattern);
}

static uint32_t check(const forest *w, kith_world *world, kith_query *query, const char *pattern)
{
    uint32_t count = 0;
    uint32_t met = 0;
    bool expected[DEEP];
    for (uint32_t i = 0; i < DEEP; i++) {
        expected[i] = expects(w, world, i, pattern);
        count += expected[i];
    }
    test_note(pattern);
    CHECK_UINT(kith_query_count(query), count);
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        met += it.count;
    }
    CHECK_UINT(met, count);
    for (uint32_t i = 0; i < DEEP; i++) {
        CHECK_INT(kith_query_contains(query, w->e[i]), expected[i]);
    }
    return count;
}

/* Changes a few names and parents, and lets an entity begin anew in its slot. */
static void change(forest *w)
{
    kith_world *world = w->f.world;
    const uint32_t i = random_below(&w->random, DEEP);
    switch (random_below(&w->random, 5)) {
    case 0: give_name(w, i); break;
    case 1: give_parent(w, i); break;
    case 2: kith_set_name(world, w->e[i], NULL); break;
    case 3:
        CHECK_RESULT(kith_despawn(world, w->e[i]), KITH_OK); /* and what is below it */
        for (uint32_t k = 0; k < DEEP; k++) {
            if (!kith_alive(world, w->e[k])) {
                w->e[k] = KITH_SPAWN(world, KITH_VALUE(Health, {(int32_t)k, 0}));
                give_parent(w, k);
                if (random_below(&w->random, 20) != 0) {
                    give_name(w, k);
                }
            }
        }
        break;
    default: break; /* nothing */
    }
}

TEST_WITHIN(60, deep_paths_match_as_a_naive_matching_does)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * 2; i++) {
        static forest w;
        uint32_t found = 0;
        plant(&w, i % 2 == 0 ? KITH_SLOT : KITH_SPARSE, (kith_layout)(i / 2), 1 + i);
        kith_world *world = w.f.world;
        kith_query *bound = KITH_QUERY(world, KITH_IF_PATH_LIKE(kith_bound("path")));
        kith_query *other = kith_query_text(
            world, "Health where path like $path or ChildOf -> path like 'a/**'", NULL);
        for (uint32_t k = 0; k < 40; k++) {
            char pattern[PATTERN_MAX];
            some_pattern(&w, pattern);
            CHECK_RESULT(kith_query_bind(bound, "path", pattern), KITH_OK);
            CHECK_RESULT(kith_query_bind(other, "path", pattern), KITH_OK);
            for (uint32_t n = 0; n < 3; n++) { /* of the same pattern, what is known is kept */
                found += check(&w, world, bound, pattern);
                for (uint32_t of = 0; of < DEEP; of++) {
                    const kith_entity parent = kith_parent(world, w.e[of]);
                    char path[DEEP * 8] = "";
                    kith_path(world, parent, path, sizeof path);
                    CHECK_INT(kith_query_contains(other, w.e[of]),
                              expects(&w, world, of, pattern) ||
                                  (*path != '\0' && path_is_like(path, "a/**")));
                }
                change(&w);
                CHECK_WORLD(world);
            }
        }
        CHECK(found > 1000);
        fixture_free(&w.f);
    }
}

/* What is known ends with a restore, and a view and a fork know their own. */
TEST_WITHIN(20, restored_paths_are_asked_anew)
{
    for (uint32_t i = 0; i < 6; i++) {
        static forest w;
        plant(&w, i % 2 == 0 ? KITH_SLOT : KITH_SPARSE, (kith_layout)(i / 2), 20 + i);
        kith_world *world = w.f.world;
        kith_query *query = KITH_QUERY(world, KITH_IF_PATH_LIKE("**/a*/**/b/**"));
        check(&w, world, query, "**/a*/**/b/**");
        kith_snapshot *snapshot = NULL;
        CHECK_RESULT(kith_snapshot_take(world, &snapshot), KITH_OK);
        static forest then;
        then = w;
        for (uint32_t k = 0; k < 30; k++) {
            change(&w);
        }
        check(&w, world, query, "**/a*/**/b/**");
        kith_world *view = NULL;
        kith_world *fork = NULL;
        CHECK_RESULT(kith_view_new(snapshot, NULL, &view), KITH_OK);
        CHECK_RESULT(kith_fork_new(snapshot, NULL, &fork), KITH_OK);
        check(&then, view, KITH_QUERY(view, KITH_IF_PATH_LIKE("**/a*/**/b/**")), "**/a*/**/b/**");
        kith_query *forked = KITH_QUERY(fork, KITH_IF_PATH_LIKE("**/a*/**/b/**"));
        check(&then, fork, forked, "**/a*/**/b/**");
        CHECK_RESULT(kith_set_name(fork, then.e[DEEP / 2], "elsewhere"), KITH_OK);
        CHECK_RESULT(kith_set_parent(fork, then.e[DEEP / 2], KITH_NONE), KITH_OK);
        check(&then, fork, forked, "**/a*/**/b/**");
        CHECK_WORLD(fork);
        kith_world_free(view);
        kith_world_free(fork);
        CHECK_RESULT(kith_snapshot_restore(world, snapshot), KITH_OK);
        check(&then, world, query, "**/a*/**/b/**");
        CHECK_WORLD(world);
        kith_snapshot_free(snapshot);
        fixture_free(&w.f);
    }
}

/* Nothing is left of what parents, or names, were in. */
TEST(parents_and_names_that_are_all_gone_are_forgotten)
{
    for (uint32_t i = 0; i < 2; i++) {
        static forest w;
        plant(&w, KITH_SLOT, i == 0 ? KITH_SLOT : KITH_SPARSE, 30);
        kith_world *world = w.f.world;
        for (uint32_t k = 0; k < DEEP; k++) {
            char name[20];
            snprintf(name, sizeof name, "n%u", (unsigned)k);
            CHECK_RESULT(kith_set_name(world, w.e[k], name), KITH_OK);
        }
        kith_query *query = KITH_QUERY(world, KITH_IF_PATH_LIKE("n*/**/n*/**"));
        CHECK(check(&w, world, query, "n*/**/n*/**") > DEEP / 2);
        for (uint32_t k = 0; k < DEEP; k++) {
            CHECK_RESULT(kith_set_parent(world, w.e[k], KITH_NONE), KITH_OK);
        }
        kith_world_trim(world);
        CHECK_UINT(check(&w, world, query, "n*/**/n*/**"), 0);
        for (uint32_t k = 0; k < DEEP; k++) {
            CHECK_RESULT(kith_set_name(world, w.e[k], NULL), KITH_OK);
        }
        kith_world_trim(world);
        CHECK_UINT(check(&w, world, query, "n*/**/n*/**"), 0);
        CHECK_WORLD(world);
        fixture_free(&w.f);
    }
}

/* In an open loop, names may be overwritten. */
TEST_WITHIN(20, names_that_are_overwritten_in_a_loop_are_not_remembered)
{
    static forest w;
    plant(&w, KITH_SLOT, KITH_SLOT, 3);
    kith_world *world = w.f.world;
    kith_query *query = KITH_QUERY(world, KITH_IF_PATH_LIKE("**/a*/**/ship*/**"));
    uint32_t loops = 0;
    for (kith_iter it = kith_query_iter(query); loops < 30 && kith_next_rows(&it); loops++) {
        give_name(&w, random_below(&w.random, DEEP));
        for (uint32_t i = 0; i < DEEP; i++) {
            CHECK_INT(kith_query_contains(query, w.e[i]), expects(&w, world, i, "**/a*/**/ship*/**"));
        }
        if (it.count != 0) {
            kith_iter_close(&it);
            it = kith_query_iter(query);
        }
    }
    CHECK(loops > 0);
    kith_queries_close(world);
    CHECK_WORLD(world);
    fixture_free(&w.f);
}

/* Without memory, a query climbs to the top: the answers are the same. */
TEST_WITHIN(20, deep_paths_are_found_without_memory)
{
    static forest w;
    plant(&w, KITH_SPARSE, KITH_SLOT, 4);
    kith_query *query = KITH_QUERY(w.f.world, KITH_IF_PATH_LIKE("**/a*/**/b/**"));
    const uint32_t count = kith_query_count(query);
    kith_query_free(query);
    CHECK(count > 0);
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        query = KITH_QUERY(w.f.world, KITH_IF_PATH_LIKE("**/a*/**/b/**"));
        fail_allocation(&w.f, nth);
        CHECK_UINT(kith_query_count(query), count);
        reached = fail_nothing(&w.f);
        CHECK_UINT(kith_query_count(query), count);
        CHECK_WORLD(w.f.world);
        kith_query_free(query);
    }
    fixture_free(&w.f);
}
