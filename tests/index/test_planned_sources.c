/* Queries about the target of a relation visit the sources of that target: the same entities, in
 * the same batches, as where all are asked. */
#include <kith/fork.h>
#include <kith/kith.h>
#include <kith/view.h>
#include <stdlib.h>

#include "all_ways.h"
#include "components.h"
#include "random.h"

KITH_RELATION(Targets, KITH_CLEAR, (float, since));
KITH_LINKS(Likes, KITH_CLEAR, (int, number));

#define SHIPS 40u
#define TURRETS 3000u
#define ALL (SHIPS + TURRETS)

/* A query that may use lists of sources, and one that asks the same of all: no source serves what is in
 * KITH_IF_NOT. */
enum { ASKED = 7 };
typedef struct asking {
    kith_query *planned[ASKED];
    kith_query *scanned[ASKED];
} asking;

typedef struct linked {
    fixture f;
    kith_world *world;
    uint64_t random;
    kith_entity entities[ALL]; /* some are dead */
    asking asking;
    uint32_t planned;
} linked;

#define IS(T, field) KITH_IF(T, field, ==, kith_bound("one"))
#define IS_NOT(T, field) KITH_IF_NOT(KITH_IF(T, field, !=, kith_bound("one")))

static void asking_new(asking *a, kith_world *world)
{
    *a = (asking){
        .planned =
            {
                KITH_QUERY(world, KITH_READ(Targets), IS(Targets, target)),
                KITH_QUERY(world, KITH_WRITE(Health), IS(Targets, target), KITH_WITHOUT(Frozen)),
                KITH_QUERY(world, KITH_CHANGED(Health), KITH_WITH(Targets), IS(Targets, target)),
                KITH_QUERY(world, KITH_WITH(Likes), IS(Likes, source)),
                KITH_QUERY(world, KITH_READ(Likes), IS(Likes, target)),
                KITH_QUERY(world, KITH_READ(Likes), IS(Likes, source),
                           KITH_IF(Likes, target, ==, kith_bound("two"))),
                KITH_QUERY(world, KITH_READ(Targets),
                           KITH_IF_IN(Targets, target, kith_bound("one"), kith_bound("two"))),
            },
        .scanned =
            {
                KITH_QUERY(world, KITH_READ(Targets), IS_NOT(Targets, target)),
                KITH_QUERY(world, KITH_WRITE(Health), KITH_WITH(Targets), IS_NOT(Targets, target),
                           KITH_WITHOUT(Frozen)),
                KITH_QUERY(world, KITH_CHANGED(Health), KITH_WITH(Targets),
                           IS_NOT(Targets, target)),
                KITH_QUERY(world, KITH_WITH(Likes), IS_NOT(Likes, source)),
                KITH_QUERY(world, KITH_READ(Likes), IS_NOT(Likes, target)),
                KITH_QUERY(world, KITH_READ(Likes), IS_NOT(Likes, source),
                           KITH_IF_NOT(KITH_IF(Likes, target, !=, kith_bound("two")))),
                KITH_QUERY(world, KITH_READ(Targets),
                           KITH_IF_NOT(KITH_IF_ALL(
                               KITH_IF(Targets, target, !=, kith_bound("one")),
                               KITH_IF(Targets, target, !=, kith_bound("two"))))),
            },
    };
    for (uint32_t i = 0; i < ASKED; i++) {
        CHECK_PTR_NOT_NULL(a->planned[i]);
        CHECK_PTR_NOT_NULL(a->scanned[i]);
    }
}

static void asking_bind(kith_query *query, uint32_t number, kith_entity one, kith_entity two)
{
    CHECK_RESULT(kith_query_bind(query, "one", one), KITH_OK);
    if (number >= 5) {
        CHECK_RESULT(kith_query_bind(query, "two", two), KITH_OK);
    }
}

/* Both ask the same. Returns how many of the queries used a list. */
static uint32_t ask_both(const asking *a, kith_entity one, kith_entity two)
{
    uint32_t planned = 0;
    for (uint32_t i = 0; i < ASKED; i++) {
        asking_bind(a->planned[i], i, one, two);
        asking_bind(a->scanned[i], i, one, two);
        CHECK(!is_planned(a->scanned[i]));
        planned += is_planned(a->planned[i]);
        CHECK_UINT(ask_all_ways(a->planned[i]), ask_all_ways(a->scanned[i]));
    }
    return planned;
}

static kith_entity some(linked *t, uint32_t first, uint32_t count)
{
    return t->entities[first + random_below(&t->random, count)];
}

/* Most have a target; the ships are targets, some of few and some of many. */
static void linked_spawn(linked *t, uint32_t at)
{
    const uint32_t kind = random_below(&t->random, 8);
    const kith_entity ship = some(t, 0, random_below(&t->random, 3) == 0 ? 2 : SHIPS);
    t->entities[at] = KITH_SPAWN(t->world, KITH_VALUE(Health, {(int32_t)at, 0}));
    if (at >= SHIPS && kind < 6 && kith_alive(t->world, ship)) {
        CHECK_RESULT(KITH_SET(t->world, t->entities[at], Targets, {ship, 1}), KITH_OK);
    }
    if (at >= SHIPS && kind % 2 != 0 && kith_alive(t->world, ship)) {
        CHECK_RESULT(KITH_SET(t->world, t->entities[at], Likes,
                              {.source = ship, .target = t->entities[at]}),
                     KITH_OK);
    }
}

static void linked_new(linked *t, kith_layout layout)
{
    *t = (linked){.f = fixture_with_all(layout), .random = 3 + (uint64_t)layout};
    t->world = t->f.world;
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(t->world, &Targets_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(t->world, &Likes_type, &def), KITH_OK);
    for (uint32_t i = 0; i < ALL; i++) {
        linked_spawn(t, i);
    }
    asking_new(&t->asking, t->world);
}

static void linked_change(linked *t)
{
    const uint32_t at = random_below(&t->random, ALL);
    const kith_entity entity = t->entities[at];
    const kith_entity other = some(t, 0, SHIPS);
    switch (random_below(&t->random, 8)) {
    case 0: KITH_ADD(t->world, entity, Frozen); break;
    case 1: KITH_REMOVE(t->world, entity, Targets); break;
    case 2: KITH_SET(t->world, entity, Targets, {other, 2}); break;
    case 3: KITH_SET(t->world, entity, Health, {1, 1}); break;
    case 4: KITH_SET(t->world, entity, Likes, {.source = other, .target = some(t, 0, ALL)}); break;
    case 5: kith_source_place(t->world, entity, &Targets_type, KITH_NONE); break;
    default:
        kith_despawn(t->world, entity);
        if (random_below(&t->random, 3) != 0 && at >= SHIPS) {
            linked_spawn(t, at);
        }
    }
}

TEST_EACH_LAYOUT_WITHIN(20, sources_are_what_a_scan_finds, layout)
{
    static linked t;
    linked_new(&t, layout);
    for (uint32_t round = 0; round < (test_short() ? 30u : 200u); round++) {
        for (uint32_t i = 0; i < 20; i++) {
            linked_change(&t);
        }
        CHECK_WORLD(t.world);
        t.planned += ask_both(&t.asking, some(&t, 0, SHIPS), some(&t, 0, ALL));
        if (round % 8 == 0) { /* one that few have, if it lives; one of many; nobody */
            t.planned += ask_both(&t.asking, some(&t, 2, SHIPS - 2), KITH_NONE);
            ask_both(&t.asking, t.entities[0], t.entities[1]);
            ask_both(&t.asking, KITH_NONE, t.entities[5]);
        }
    }
    CHECK(t.planned > 50);
    fixture_free(&t.f);
}

/* A handle that is not current leads to nothing, also where another entity has its slot by now. */
TEST_EACH_LAYOUT(handles_of_the_dead_have_no_sources, layout)
{
    static linked t;
    linked_new(&t, layout);
    const kith_entity dead = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 1}));
    for (uint32_t i = SHIPS; i < SHIPS + 10; i++) {
        CHECK_RESULT(KITH_SET(t.world, t.entities[i], Targets, {dead, 1}), KITH_OK);
    }
    ask_both(&t.asking, dead, dead);
    CHECK_UINT(kith_query_count(t.asking.planned[0]), 10);
    CHECK(is_planned(t.asking.planned[0]));
    CHECK_RESULT(kith_despawn(t.world, dead), KITH_OK);
    ask_both(&t.asking, dead, KITH_NONE);
    CHECK_UINT(kith_query_count(t.asking.planned[0]), 0);
    CHECK(is_planned(t.asking.planned[0]));
    const kith_entity next = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 1}));
    CHECK_UINT(next.index1, dead.index1);
    CHECK_RESULT(KITH_SET(t.world, t.entities[SHIPS], Targets, {next, 1}), KITH_OK);
    ask_both(&t.asking, dead, next);
    CHECK_UINT(kith_query_count(t.asking.planned[0]), 0);
    ask_both(&t.asking, next, dead);
    CHECK_UINT(kith_query_count(t.asking.planned[0]), 1);
    ask_both(&t.asking, KITH_NONE, KITH_NONE);
    ask_both(&t.asking, (kith_entity){UINT32_MAX, 7}, (kith_entity){0, 3});
    CHECK_UINT(kith_query_count(t.asking.planned[0]), 0);
    fixture_free(&t.f);
}

/* Each world has lists of its own: a view those of its snapshot, a fork what it made of them. */
TEST_EACH_LAYOUT(views_and_forks_have_their_sources, layout)
{
    static linked t;
    linked_new(&t, layout);
    const kith_entity ship = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 1}));
    const kith_entity turret = t.entities[SHIPS];
    CHECK_RESULT(KITH_SET(t.world, turret, Targets, {ship, 1}), KITH_OK);
    kith_snapshot *taken = NULL;
    kith_world *view = NULL;
    kith_world *fork = NULL;
    CHECK_RESULT(kith_snapshot_take(t.world, &taken), KITH_OK);
    CHECK_RESULT(kith_view_new(taken, NULL, &view), KITH_OK);
    CHECK_RESULT(kith_fork_new(taken, NULL, &fork), KITH_OK);
    CHECK_RESULT(KITH_SET(fork, t.entities[SHIPS + 1], Targets, {ship, 1}), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(t.world, turret, Targets), KITH_OK);
    kith_world *const worlds[] = {t.world, view, fork};
    for (uint32_t i = 0; i < 3; i++) {
        kith_query *planned = KITH_QUERY(worlds[i], IS(Targets, target));
        kith_query *scanned = KITH_QUERY(worlds[i], KITH_WITH(Targets), IS_NOT(Targets, target));
        asking_bind(planned, 0, ship, KITH_NONE);
        asking_bind(scanned, 0, ship, KITH_NONE);
        CHECK_UINT(ask_all_ways(planned), ask_all_ways(scanned));
        CHECK_UINT(kith_query_count(planned), i);
        CHECK(is_planned(planned));
        CHECK_WORLD(worlds[i]);
    }
    kith_world_free(view);
    kith_world_free(fork);
    CHECK_RESULT(kith_snapshot_restore(t.world, taken), KITH_OK);
    ask_both(&t.asking, ship, KITH_NONE);
    CHECK_SAME(kith_query_first(t.asking.planned[0]), turret);
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

static void count_met(kith_iter *it)
{
    while (kith_next_rows(it)) {
        *(uint32_t *)it->user += it->count;
    }
}

static void count_by_query(kith_iter *it)
{
    kith_iter found = kith_system_query(it, 1);
    count_met(it);
    *(uint32_t *)it->user = 0;
    while (kith_next_rows(&found)) {
        *(uint32_t *)it->user += found.count;
    }
}

/* Those that drive systems, on workers too, and their further queries. */
TEST_EACH_LAYOUT(systems_find_sources, layout)
{
    static linked t;
    linked_new(&t, layout);
    const kith_entity ship = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 1}));
    for (uint32_t i = SHIPS; i < SHIPS + 17; i++) {
        CHECK_RESULT(KITH_SET(t.world, t.entities[i], Targets, {ship, 1}), KITH_OK);
    }
    uint32_t met[3] = {0};
    const kith_query_def of_ship = {.terms = KITH_TERMS(KITH_IF(Targets, target, ==, ship))};
    const kith_system_def defs[] = {
        {.name = "one", .run = count_met, .query = of_ship, .user = &met[0]},
        {.name = "split", .run = count_met, .query = of_ship, .parallel = true, .user = &met[1]},
        {.name = "further",
         .run = count_by_query,
         .query = {.terms = KITH_TERMS(KITH_READ(Frozen))},
         .queries = {of_ship},
         .user = &met[2]},
    };
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_RESULT(kith_system_add(t.world, &defs[i]), KITH_OK);
    }
    CHECK_RESULT(kith_run(t.world, 1), KITH_OK);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_UINT(met[i], 17);
    }
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

static void check_plan(kith_query *query, const char *part)
{
    char plan[500];
    CHECK_RESULT(kith_query_explain(query, true, plan, sizeof plan, NULL), KITH_OK);
    CHECK_CONTAINS(plan, part);
}

/* What a text asks, and what the plan says of it. */
TEST_EACH_LAYOUT(texts_about_targets_tell_their_plan, layout)
{
    static linked t;
    linked_new(&t, layout);
    const kith_entity ship = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 1}));
    kith_query *few =
        kith_query_text(t.world, "Health where Targets = $one and Health.max = 0", NULL);
    CHECK_PTR_NOT_NULL(few);
    CHECK_RESULT(kith_query_bind(few, "one", ship), KITH_OK);
    check_plan(few, "plan: sources of Targets\nrows: about 0 of ");
    CHECK_RESULT(KITH_SET(t.world, t.entities[SHIPS], Targets, {ship, 1}), KITH_OK);
    CHECK_RESULT(KITH_SET(t.world, t.entities[SHIPS + 1], Targets, {ship, 1}), KITH_OK);
    CHECK_RESULT(KITH_SET(t.world, t.entities[SHIPS + 1], Health, {1, 1}), KITH_OK);
    check_plan(few, "plan: sources of Targets\nrows: about 2 of ");
    check_plan(few, "met: 1 of 2 rows asked");
    CHECK_SAME(kith_query_first(few), t.entities[SHIPS]);

    /* Many sources; a target that is not to be; a field that is not the target. */
    CHECK_RESULT(kith_query_bind(few, "one", t.entities[0]), KITH_OK);
    check_plan(few, "plan: scan");
    check_plan(few, "sources of Targets has about ");
    kith_query *other = kith_query_text(t.world, "* where Targets != $one", NULL);
    CHECK_RESULT(kith_query_bind(other, "one", ship), KITH_OK);
    check_plan(other, "why: no index serves the conditions");
    CHECK_UINT(kith_query_count(other) + 2,
               kith_query_count(KITH_QUERY(t.world, KITH_READ(Targets))));
    check_plan(KITH_QUERY(t.world, KITH_IF(Targets, since, ==, 3)),
               "why: no index serves the conditions");
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* The list names the sources of each. */
TEST_EACH_LAYOUT(lists_of_targets_are_served, layout)
{
    static linked t;
    linked_new(&t, layout);
    kith_entity ships[2];
    for (uint32_t i = 0; i < 2; i++) {
        ships[i] = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 1}));
        CHECK_RESULT(KITH_SET(t.world, t.entities[SHIPS + i], Targets, {ships[i], 1}), KITH_OK);
    }
    CHECK_RESULT(KITH_SET(t.world, t.entities[SHIPS + 2], Targets, {ships[1], 1}), KITH_OK);
    kith_query *list = t.asking.planned[ASKED - 1];
    asking_bind(list, ASKED - 1, ships[0], ships[1]);
    check_plan(list, "plan: sources of Targets\nrows: about 3 of ");
    CHECK_UINT(kith_query_count(list), 3);
    asking_bind(list, ASKED - 1, ships[1], ships[1]);
    CHECK_UINT(kith_query_count(list), 2);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(a_condition_after_another_is_served, layout)
{
    fixture f = fixture_with_all(layout);
    CHECK_RESULT(kith_register(f.world, &Targets_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    const kith_entity ship = KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 1}));
    const kith_entity many = KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 1}));
    for (int i = 0; i < 2000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {i, 0}), KITH_VALUE(Targets, {many, 1}));
    }
    const kith_entity turret =
        KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 0}), KITH_VALUE(Targets, {ship, 1}));
    kith_query *query = KITH_QUERY(f.world, KITH_IF(Health, max, ==, 0), IS(Targets, target));
    CHECK_RESULT(kith_query_bind(query, "one", ship), KITH_OK);
    check_plan(query, "plan: sources of Targets\nrows: about 1 of ");
    CHECK_SAME(kith_query_first(query), turret);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Also where many queries ask about the targets, one after the other. */
TEST(a_relation_has_one_source_for_all_queries)
{
    fixture f = fixture_new();
    kith_query *first = KITH_QUERY(f.world, IS(Likes, source));
    CHECK_PTR_NOT_NULL(first);
    const uint64_t used = kith_memory(f.world).used;
    for (uint32_t i = 0; i < 5; i++) {
        kith_query *query = KITH_QUERY(f.world, IS(Likes, source));
        CHECK_PTR_NOT_NULL(query);
        kith_query_free(query);
        CHECK_UINT(kith_memory(f.world).used, used);
    }
    fixture_free(&f);
}

/* Of two ends of a link, the one that fewer links have is followed. */
TEST_EACH_LAYOUT(the_end_of_fewer_links_is_followed, layout)
{
    fixture f = fixture_with_all(layout);
    CHECK_RESULT(kith_register(f.world, &Likes_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    const kith_entity often = KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 1}));
    const kith_entity seldom = KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 1}));
    const kith_entity last = KITH_SPAWN(f.world, KITH_VALUE(Likes, {often, seldom, 1}));
    KITH_SPAWN(f.world, KITH_VALUE(Likes, {seldom, often, 1}));
    for (int i = 0; i < 1000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Likes, {often, often, i}));
    }
    kith_query *query = kith_query_text(
        f.world, "Likes where Likes.source = $one and Likes.target = $two", NULL);
    CHECK_PTR_NOT_NULL(query);
    CHECK_RESULT(kith_query_bind(query, "one", often), KITH_OK);
    CHECK_RESULT(kith_query_bind(query, "two", seldom), KITH_OK);
    check_plan(query, "plan: sources of Likes\nrows: about 1 of ");
    CHECK_SAME(kith_query_first(query), last);
    CHECK_RESULT(kith_query_bind(query, "one", seldom), KITH_OK);
    CHECK_RESULT(kith_query_bind(query, "two", often), KITH_OK);
    check_plan(query, "met: 1 of 1 rows asked");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Without memory for the list, all are asked. */
TEST_EACH_LAYOUT(without_memory_all_are_asked, layout)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_all(layout);
        const kith_component_def def = {.layout = layout};
        CHECK_RESULT(kith_register(f.world, &Targets_type, &def), KITH_OK);
        const kith_entity ship = KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 1}));
        for (int i = 0; i < 20000; i++) {
            const kith_entity target = i % 100 == 0 ? ship : KITH_NONE;
            kith_entity made = KITH_SPAWN(f.world, KITH_VALUE(Health, {i, 1}));
            if (!kith_is_none(target)) {
                KITH_SET(f.world, made, Targets, {target, 1});
            }
        }
        kith_query *query = KITH_QUERY(f.world, KITH_READ(Health), KITH_OPTIONAL(Targets),
                                       KITH_IF(Targets, target, ==, ship));
        CHECK_PTR_NOT_NULL(query);
        fail_allocation(&f, nth);
        const uint32_t count = kith_query_count(query);
        const bool reached = fail_nothing(&f);
        CHECK_UINT(count, 200);
        CHECK_UINT(kith_query_count(query), 200);
        CHECK_WORLD(f.world);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}
