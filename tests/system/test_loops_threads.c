/* Plain systems that go through a query in parallel: kith_system_parallel. */
#include <kith/hierarchy.h>
#include <kith/snapshot.h>
#include <kith/via.h>
#include <string.h>

#include "components.h"
#include "nothing.h"
#include "test.h"

KITH_COMPONENT(Sum, (uint64_t, value));
KITH_COMPONENT(Part, (uint32_t, number));
KITH_RELATION(Beside, KITH_CLEAR);

enum { COUNT = 12000 };

typedef struct loops {
    fixture f;
    kith_query *query; /* writes Sum, reads Part */
    void (*run)(kith_iter *it);
    kith_result result; /* of the loop */
    uint32_t parts;     /* calls that failed, or that there were */
} loops;

static kith_result go_through(kith_world *world, kith_iter *it)
{
    (void)world;
    loops *l = it->user;
    l->result = kith_system_parallel(it, l->query, l->run, l);
    return KITH_OK;
}

static kith_entity entities[COUNT];

static loops loops_new(kith_layout layout, kith_order order, uint32_t workers,
                       void (*run)(kith_iter *it))
{
    loops l = {.f = fixture_new(), .run = run};
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(l.f.world, &Sum_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(l.f.world, &Part_type, &def), KITH_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        entities[i] = KITH_SPAWN(l.f.world, KITH_VALUE(Sum, {0}), KITH_VALUE(Part, {i}));
        const kith_entity parent = i == 0 ? KITH_NONE : entities[i * 7 / 10 % i];
        CHECK_RESULT(kith_set_parent(l.f.world, entities[i], parent), KITH_OK);
    }
    const kith_query_def asked = {
        .terms = KITH_TERMS(KITH_WRITE(Sum), KITH_READ(Part),
                            KITH_UP(KITH_OPTIONAL(Part))),
        .order = order};
    CHECK_RESULT(kith_query_new(l.f.world, &asked, &l.query), KITH_OK);
    CHECK_RESULT(kith_workers_set(l.f.world, &(kith_workers_def){.threads = workers + 1}), KITH_OK);
    return l;
}

static void add_update(kith_world *world, kith_result (*update)(kith_world *, kith_iter *),
                       void *user)
{
    const kith_system_def def = {.name = "plain", .update = update, .user = user};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

/* Runs a tick with a plain system that does no more than the loop. */
static void loops_tick(loops *l)
{
    add_update(l->f.world, go_through, l);
    CHECK_RESULT(kith_run(l->f.world, 0.5f), KITH_OK);
    CHECK_RESULT(kith_system_remove(l->f.world, "plain"), KITH_OK);
    CHECK_WORLD(l->f.world);
}

/* ---- What comes of it ------------------------------------------------------------------------ */

static void add_numbers(kith_iter *it)
{
    CHECK(it->commands == NULL && it->dt == 0.5f);
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const kith_entity e = kith_entities(it)[i];
            const Part *part = KITH_AT(it, i, Part);
            CHECK(KITH_GET(it, e, Part) == part);
            KITH_AT_MUT(it, i, Sum)->value += part->number + kith_system_random(it) % 1000;
        }
    }
}

/* Two loops in each tick, beside numbers of the system's own. */
static kith_result add_twice(kith_world *world, kith_iter *it)
{
    loops *l = it->user;
    const uint64_t first = kith_system_random(it);
    CHECK_RESULT(kith_system_parallel(it, l->query, add_numbers, l), KITH_OK);
    CHECK_RESULT(kith_system_parallel(it, l->query, add_numbers, l), KITH_OK);
    CHECK(kith_system_random(it) != first);
    KITH_SPAWN(it->commands, KITH_VALUE(Part, {(uint32_t)first}));
    return KITH_SPAWN(world, KITH_VALUE(Part, {1})).index1 != 0 ? KITH_OK : KITH_ERR_MEMORY;
}

static uint64_t hash_of_ticks(kith_layout layout, kith_order order, uint32_t workers)
{
    loops l = loops_new(layout, order, workers, add_numbers);
    add_update(l.f.world, add_twice, &l);
    for (int tick = 0; tick < 3; tick++) {
        CHECK_RESULT(kith_run(l.f.world, 0.5f), KITH_OK);
    }
    CHECK_WORLD(l.f.world);
    const uint64_t hash = kith_world_hash(l.f.world);
    fixture_free(&l.f);
    return hash;
}

TEST_EACH_LAYOUT_WITHIN(20, workers_do_not_change_what_loops_do, layout)
{
    for (int order = KITH_SCAN_ORDER; order <= KITH_CHILDREN_FIRST; order++) {
        const uint64_t alone = hash_of_ticks(layout, (kith_order)order, 0);
        CHECK_UINT(hash_of_ticks(layout, (kith_order)order, 1), alone);
        CHECK_UINT(hash_of_ticks(layout, (kith_order)order, 3), alone);
    }
}

/* The two loops of a tick, and its own call, have numbers of their own. */
static uint64_t drawn[3];

static void draw(kith_iter *it)
{
    drawn[*(uint32_t *)it->user] = kith_system_random(it);
}

static kith_result draw_thrice(kith_world *world, kith_iter *it)
{
    (void)world;
    kith_query *query = it->user;
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_RESULT(kith_system_parallel(it, query, draw, &i), KITH_OK);
    }
    drawn[2] = kith_system_random(it);
    return KITH_OK;
}

TEST(each_call_has_its_own_random_numbers)
{
    fixture f = fixture_with_all(KITH_TABLE);
    uint64_t before = 0;
    add_update(f.world, draw_thrice, KITH_QUERY(f.world, KITH_READ(Position)));
    for (int tick = 0; tick < 2; tick++) {
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK(drawn[0] != drawn[1] && drawn[0] != drawn[2] && drawn[1] != drawn[2]);
        CHECK(drawn[0] != before);
        before = drawn[0];
    }
    fixture_free(&f);
}

/* ---- Levels ---------------------------------------------------------------------------------- */

static void add_to_parent(kith_iter *it)
{
    while (kith_next_rows(it)) {
        const Sum *const *parents = KITH_TERM_POINTERS(it, 2, Sum);
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Sum)->value = 1 + (parents[i] == NULL ? 0 : parents[i]->value);
        }
    }
}

/* Also after a snapshot, which shares the blocks. */
TEST_EACH_LAYOUT(new_values_of_parents_are_found, layout)
{
    for (uint32_t workers = 0; workers < 4; workers += 3) {
        loops l = loops_new(layout, KITH_PARENTS_FIRST, workers, add_to_parent);
        const kith_query_def def = {.terms = KITH_TERMS(KITH_WRITE(Sum), KITH_READ(Part),
                                                        KITH_UP(KITH_OPTIONAL(Sum))),
                                    .order = KITH_PARENTS_FIRST};
        CHECK_RESULT(kith_query_new(l.f.world, &def, &l.query), KITH_OK);
        kith_snapshot *snapshot;
        CHECK_RESULT(kith_snapshot_take(l.f.world, &snapshot), KITH_OK);
        loops_tick(&l);
        CHECK_RESULT(l.result, KITH_OK);
        for (kith_entity e = kith_entity_next(l.f.world, KITH_NONE); !kith_is_none(e);
             e = kith_entity_next(l.f.world, e)) {
            CHECK_UINT(KITH_GET(l.f.world, e, Sum)->value, kith_depth(l.f.world, e) + 1);
        }
        kith_snapshot_free(snapshot);
        fixture_free(&l.f);
    }
}

/* Parents that are not visited, among children that are: their blocks, which a snapshot has, are copied
 * before the loop, since other calls read them. */
KITH_TAG(Still, KITH_SLOT);

TEST_EACH_LAYOUT(blocks_of_parents_are_copied_first, layout)
{
    loops l = loops_new(layout, KITH_PARENTS_FIRST, 3, add_to_parent);
    const kith_query_def def = {.terms = KITH_TERMS(KITH_WRITE(Sum), KITH_READ(Part),
                                                    KITH_UP(KITH_OPTIONAL(Sum)),
                                                    KITH_WITHOUT(Still)),
                                .order = KITH_PARENTS_FIRST};
    CHECK_RESULT(kith_query_new(l.f.world, &def, &l.query), KITH_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        kith_set_parent(l.f.world, entities[i], KITH_NONE);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i % 8 == 0) {
            KITH_ADD(l.f.world, entities[i], Still);
            KITH_SET(l.f.world, entities[i], Sum, {i});
        } else {
            kith_set_parent(l.f.world, entities[i], entities[i * 7919 % COUNT / 8 * 8]);
        }
    }
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(l.f.world, &snapshot), KITH_OK);
    loops_tick(&l);
    CHECK_RESULT(l.result, KITH_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_UINT(KITH_GET(l.f.world, entities[i], Sum)->value,
                   i % 8 == 0 ? i : i * 7919 % COUNT / 8 * 8 + 1);
    }
    kith_snapshot_free(snapshot);
    fixture_free(&l.f);
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* Each part fails, the first one in another way. */
static void fail_all(kith_iter *it)
{
    CHECK(kith_next(it));
    const bool first = KITH_AT(it, 0, Part)->number == 0;
    it->result = first ? KITH_ERR_INPUT : KITH_ERR_LIMIT;
}

TEST(the_first_call_that_fails_counts)
{
    for (uint32_t workers = 0; workers < 4; workers++) {
        loops l = loops_new(KITH_TABLE, KITH_SCAN_ORDER, workers, fail_all);
        loops_tick(&l);
        CHECK_RESULT(l.result, KITH_ERR_INPUT);
        fixture_free(&l.f);
    }
}

TEST(what_others_write_is_not_read)
{
    loops l = loops_new(KITH_TABLE, KITH_SCAN_ORDER, 0, run_nothing);
    l.query = KITH_QUERY(l.f.world, KITH_WRITE(Sum), KITH_UP(KITH_OPTIONAL(Sum)));
    loops_tick(&l);
    CHECK_RESULT(l.result, KITH_ERR_INPUT);
    CHECK(strstr(kith_error(l.f.world), "kith_system_parallel: 'plain' is parallel") != NULL);
    l.query = KITH_QUERY(l.f.world, KITH_IF(Part, number, >, kith_bound("least")));
    loops_tick(&l);
    CHECK_RESULT(l.result, KITH_ERR_INPUT);
    CHECK(strstr(kith_error(l.f.world), "least") != NULL);
    fixture_free(&l.f);
}

/* A loop without memory fails, and the next one does not. */
TEST_WITHIN(20, a_loop_without_memory_fails)
{
    for (uint32_t workers = 0; workers < 3; workers += 2) {
        for (size_t nth = 1;; nth++) {
            loops l = loops_new(KITH_TABLE, KITH_PARENTS_FIRST, workers, add_numbers);
            add_update(l.f.world, go_through, &l);
            CHECK_RESULT(kith_schedule_build(l.f.world), KITH_OK);
            fail_allocation(&l.f, nth);
            const kith_result result = kith_run(l.f.world, 0.5f);
            const bool reached = fail_nothing(&l.f);
            CHECK(result == KITH_OK || result == KITH_ERR_MEMORY);
            CHECK(reached == (result != KITH_OK || l.result != KITH_OK));
            CHECK_WORLD(l.f.world);
            CHECK_RESULT(kith_run(l.f.world, 0.5f), KITH_OK);
            CHECK_RESULT(l.result, KITH_OK);
            fixture_free(&l.f);
            if (!reached) {
                CHECK(nth > 3);
                break;
            }
        }
    }
}

/* ---- Looks ----------------------------------------------------------------------------------- */

static bool leaves;

static void count_or_leave(kith_iter *it)
{
    loops *l = it->user;
    while (kith_next(it)) {
        l->parts += it->count;
        if (leaves) {
            break;
        }
    }
}

/* A loop counts as a look if all of its calls come to the end. */
TEST(a_loop_is_a_look)
{
    loops l = loops_new(KITH_TABLE, KITH_SCAN_ORDER, 0, count_or_leave);
    l.query = KITH_QUERY(l.f.world, KITH_CHANGED(Sum));
    leaves = true;
    loops_tick(&l);
    CHECK(l.parts > 0);
    leaves = false;
    for (int i = 0; i < 3; i++) {
        l.parts = 0;
        loops_tick(&l);
        CHECK_UINT(l.parts, i == 0 ? COUNT : 0);
    }
    fixture_free(&l.f);
}

/* ---- In the profile -------------------------------------------------------------------------- */

TEST(the_profile_has_the_time_of_the_loop)
{
    loops l = loops_new(KITH_TABLE, KITH_SCAN_ORDER, 2, add_numbers);
    CHECK_RESULT(kith_profile_start(l.f.world, 100), KITH_OK);
    add_update(l.f.world, go_through, &l);
    CHECK_RESULT(kith_run(l.f.world, 0.5f), KITH_OK);
    kith_system_stats stats;
    CHECK_RESULT(kith_profile_system(l.f.world, "plain", &stats), KITH_OK);
    CHECK_UINT(stats.calls, 1);
    CHECK(stats.busy > 0 && stats.elapsed > 0);
    fixture_free(&l.f);
}
