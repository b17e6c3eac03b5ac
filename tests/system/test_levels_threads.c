/* Parallel systems that visit parents before children: level by level, each with the new values of
 * the one before. */
#include <stdio.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_COMPONENT(Local, (float, x));
KITH_COMPONENT(Global, (float, x));
KITH_COMPONENT(Wide, (float, x), (uint8_t, rest, 60)); /* few a block */
KITH_COMPONENT(Drawn, (uint32_t, number));
KITH_RELATION(Targets, KITH_CLEAR);
KITH_TAG(Odd);
KITH_TAG(Still, KITH_SLOT);

#define NODES 10000u
#define CHAIN 60u

/* A chain, then levels of up to thousands, then chains again; made in an order that has nothing to do
 * with it. */
static void grow_tree(kith_world *world, kith_layout layout, kith_entity *nodes)
{
    static const kith_type *const types[] = {&Local_type, &Global_type, &Wide_type, &Odd_type};
    static uint32_t order[NODES];
    uint64_t random = 3;
    for (size_t i = 0; i < ROWS_OF(types); i++) {
        CHECK_RESULT(kith_register(world, types[i], &(kith_component_def){.layout = layout}),
                     KITH_OK);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        const uint32_t other = random_below(&random, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[order[i]] = KITH_SPAWN(world, KITH_VALUE(Local, {1}), KITH_VALUE(Global, {0}));
        if (order[i] % 3 == 0) {
            KITH_SET(world, nodes[order[i]], Wide, {.x = 0});
        }
        if (order[i] % 2 == 1) {
            KITH_ADD(world, nodes[order[i]], Odd);
        }
    }
    for (uint32_t i = 1; i < NODES; i++) {
        const bool chain = i < CHAIN || i > NODES - CHAIN;
        const uint32_t parent =
            chain ? i - 1 : CHAIN + random_below(&random, i - CHAIN + 1) / 4;
        CHECK_RESULT(kith_set_parent(world, nodes[i], nodes[parent < i ? parent : i - 1]),
                     KITH_OK);
    }
}

static void descend(kith_iter *it)
{
    const bool rows = it->user != NULL;
    while (rows ? kith_next_rows(it) : kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const Global *parent = KITH_TERM_AT(it, 2, i, Global);
            Global *global = KITH_AT_MUT(it, i, Global);
            Wide *wide = KITH_AT_MUT(it, i, Wide);
            global->x = KITH_AT(it, i, Local)->x + (parent == NULL ? 0 : parent->x);
            if (wide != NULL) {
                wide->x = global->x;
            }
            if (KITH_AT(it, i, Drawn) == NULL || kith_system_random(it) % 16 == 0) {
                KITH_SET(it->commands, kith_entities(it)[i], Drawn,
                         {(uint32_t)kith_system_random(it)});
            }
        }
    }
}

static const kith_term descend_terms[] = {KITH_READ(Local),
                                          KITH_WRITE(Global),
                                          KITH_UP(KITH_OPTIONAL(Global)),
                                          KITH_OPTIONAL_MUT(Wide),
                                          KITH_OPTIONAL(Drawn),
                                          {0}};

/* Runs some ticks with so many threads, and returns the hash after them. */
static uint64_t run_ticks(kith_layout layout, uint32_t threads, bool rows, bool snapped)
{
    static kith_entity nodes[NODES];
    fixture f = fixture_new();
    grow_tree(f.world, layout, nodes);
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = threads}), KITH_OK);
    const kith_system_def def = {.name = "descend",
                                 .run = descend,
                                 .query = {.terms = descend_terms, .order = KITH_PARENTS_FIRST},
                                 .parallel = true,
                                 .user = rows ? &f : NULL};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    kith_snapshot *snapshot = NULL;
    for (uint32_t tick = 0; tick < 2; tick++) {
        if (snapped) {
            kith_snapshot_free(snapshot);
            CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
        }
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        for (uint32_t i = 0; i < NODES; i++) {
            const float expected = (float)(kith_depth(f.world, nodes[i]) + 1);
            CHECK_FLOAT(KITH_GET(f.world, nodes[i], Global)->x, expected);
            if (i % 3 == 0) {
                CHECK_FLOAT(KITH_GET(f.world, nodes[i], Wide)->x, expected);
            }
            CHECK(KITH_HAS(f.world, nodes[i], Drawn));
        }
        for (uint32_t i = NODES - 1; i > NODES - 40; i--) { /* another tree each time */
            CHECK_RESULT(kith_set_parent(f.world, nodes[i], nodes[i / (tick + 2)]), KITH_OK);
        }
    }
    CHECK_WORLD(f.world);
    const uint64_t hash = kith_world_hash(f.world);
    kith_snapshot_free(snapshot);
    fixture_free(&f);
    return hash;
}

TEST_EACH_LAYOUT_WITHIN(20, levels_come_one_after_the_other, layout)
{
    for (int kind = 0; kind < 4; kind++) {
        const bool rows = kind % 2 == 1;
        const uint64_t expected = run_ticks(layout, 0, rows, kind / 2 == 1);
        CHECK_UINT(run_ticks(layout, 1, rows, kind / 2 == 1), expected);
        CHECK_UINT(run_ticks(layout, 4, rows, kind / 2 == 1), expected);
    }
}

/* Parents that are not visited, among children that are: their blocks are copied, since a snapshot has
 * them, and other calls read them. */
TEST_EACH_LAYOUT_WITHIN(10, blocks_of_parents_are_copied_before_they_are_read, layout)
{
    enum { COUNT = 8000 };
    static kith_entity e[COUNT];
    fixture f = fixture_new();
    CHECK_RESULT(
        kith_register(f.world, &Global_type, &(kith_component_def){.layout = layout}), KITH_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}), KITH_VALUE(Global, {(float)i}));
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i % 8 == 0) {
            KITH_ADD(f.world, e[i], Still);
        } else {
            kith_set_parent(f.world, e[i], e[i * 7919 % COUNT / 8 * 8]);
        }
    }
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = 4}), KITH_OK);
    const kith_system_def def = {
        .name = "descend",
        .run = descend,
        .query = {.terms = KITH_TERMS(KITH_READ(Local), KITH_WRITE(Global),
                                      KITH_UP(KITH_OPTIONAL(Global)), KITH_OPTIONAL_MUT(Wide),
                                      KITH_OPTIONAL(Drawn), KITH_WITHOUT(Still)),
                  .order = KITH_PARENTS_FIRST},
        .parallel = true};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    kith_snapshot *snapshot = NULL;
    CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_FLOAT(KITH_GET(f.world, e[i], Global)->x,
                    i % 8 == 0 ? (float)i : (float)(i * 7919 % COUNT / 8 * 8 + 1));
    }
    CHECK_WORLD(f.world);
    kith_snapshot_free(snapshot);
    fixture_free(&f);
}

/* ---- How many calls there are */

static void count_calls(kith_iter *it)
{
    uint32_t *calls = it->user;
    ++*calls;
    while (kith_next(it)) {
    }
}

static uint32_t calls_of(kith_world *world, kith_order order)
{
    uint32_t calls = 0;
    const kith_system_def def = {
        .name = "count",
        .run = count_calls,
        .query = {.terms = KITH_TERMS(KITH_READ(Local)), .order = order},
        .parallel = true,
        .user = &calls};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
    CHECK_RESULT(kith_run(world, 1), KITH_OK);
    CHECK_RESULT(kith_system_remove(world, "count"), KITH_OK);
    return calls;
}

/* A wide level is cut, many narrow ones are not. */
TEST(levels_are_cut_where_that_is_worth_it)
{
    fixture f = fixture_new();
    CHECK_UINT(calls_of(f.world, KITH_PARENTS_FIRST), 1);
    kith_entity last = KITH_NONE;
    for (uint32_t i = 0; i < 3000; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
        kith_set_parent(f.world, e, last);
        last = e;
    }
    CHECK_UINT(calls_of(f.world, KITH_PARENTS_FIRST), 1);
    for (uint32_t i = 0; i < 6000; i++) {
        kith_set_parent(f.world, KITH_SPAWN(f.world, KITH_VALUE(Local, {1})), last);
    }
    /* The chain up to its end, and then rows 3,000 to 4,096, to 5,120, to 6,144, to 7,168, to 8,192 and
     * to 9,000. */
    CHECK_UINT(calls_of(f.world, KITH_PARENTS_FIRST), 1 + 6);
    CHECK_UINT(calls_of(f.world, KITH_CHILDREN_FIRST), 6 + 1);
    for (uint32_t i = 0; i < 400000; i++) {
        kith_set_parent(f.world, KITH_SPAWN(f.world, KITH_VALUE(Local, {1})), last);
    }
    const uint32_t calls = calls_of(f.world, KITH_PARENTS_FIRST);
    CHECK(calls > 20 && calls <= 64);
    fixture_free(&f);
}

/* ---- What may be declared */

static void nothing(kith_iter *it)
{
    while (kith_next(it)) {
    }
}

/* Adds a parallel system, and returns its error; "" if there was none. */
static const char *add_parallel(kith_world *world, kith_order order, const kith_term *terms)
{
    static uint32_t number;
    char name[32];
    snprintf(name, sizeof name, "system %u", ++number);
    const kith_system_def def = {.name = name,
                                 .run = nothing,
                                 .query = {.terms = terms, .order = order},
                                 .parallel = true};
    return kith_system_add(world, &def) == KITH_OK ? "" : kith_error(world);
}

/* Ancestors are settled, others are not. */
TEST(only_ancestors_may_be_read_while_they_are_written)
{
    fixture f = fixture_new();
    const kith_term *up = KITH_TERMS(KITH_WRITE(Global), KITH_UP(KITH_READ(Global)));
    const kith_term *up_if = KITH_TERMS(KITH_WRITE(Global), KITH_UP(KITH_IF(Global, x, >, 1)));
    const kith_term *parent =
        KITH_TERMS(KITH_WRITE(Global), KITH_VIA(kith_child_of, KITH_READ(Global)));
    const kith_term *grandparent =
        KITH_TERMS(KITH_WRITE(Global),
                   KITH_VIA(kith_child_of, KITH_VIA(kith_child_of, KITH_READ(Global))));
    const kith_term *target = KITH_TERMS(KITH_WRITE(Global), KITH_VIA(Targets, KITH_READ(Global)));
    const kith_term *target_up =
        KITH_TERMS(KITH_WRITE(Global), KITH_VIA(Targets, KITH_UP(KITH_READ(Global))));
    const kith_term *parents_target = KITH_TERMS(
        KITH_WRITE(Global), KITH_VIA(kith_child_of, KITH_VIA(Targets, KITH_READ(Global))));
    const kith_term *target_if =
        KITH_TERMS(KITH_WRITE(Global), KITH_VIA(Targets, KITH_IF(Global, x, >, 1)));
    const kith_term within = KITH_VIA(Targets, KITH_IF(Global, x, >, 1));
    const kith_term with = KITH_WITH(Local);
    const kith_term *nested = KITH_TERMS(
        KITH_WRITE(Global), KITH_VIA(kith_child_of, KITH_IF_ANY(with, within)));
    const kith_term *allowed[] = {up, up_if, parent, grandparent};
    const kith_term *refused[] = {target, target_up, parents_target, target_if, nested};
    for (size_t i = 0; test_row(i, ROWS_OF(allowed)); i++) {
        CHECK_CONTAINS(add_parallel(f.world, KITH_SCAN_ORDER, allowed[i]), "KITH_PARENTS_FIRST");
        CHECK_STR(add_parallel(f.world, KITH_PARENTS_FIRST, allowed[i]), "");
        CHECK_STR(add_parallel(f.world, KITH_CHILDREN_FIRST, allowed[i]), "");
    }
    for (size_t i = 0; test_row(i, ROWS_OF(refused)); i++) {
        CHECK_CONTAINS(add_parallel(f.world, KITH_PARENTS_FIRST, refused[i]),
                       "it cannot read another entity's Global too");
    }
    fixture_free(&f);
}

/* The blocks that are read beside are copied before, and the system fails if there is no memory for
 * that. */
TEST_EACH_LAYOUT(a_system_by_levels_survives_every_allocation_failure, layout)
{
    static kith_entity nodes[NODES];
    fixture f = fixture_new();
    grow_tree(f.world, layout, nodes);
    const kith_system_def def = {.name = "descend",
                                 .run = descend,
                                 .query = {.terms = descend_terms, .order = KITH_PARENTS_FIRST},
                                 .parallel = true};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    kith_snapshot *snapshot = NULL;
    CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
    kith_result result = KITH_ERR_MEMORY;
    for (uint32_t nth = 1; result != KITH_OK; nth += 1 + nth / 8) {
        fail_allocation(&f, nth);
        result = kith_run(f.world, 1);
        const bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
    }
    for (uint32_t i = 0; i < NODES; i++) {
        CHECK_FLOAT(KITH_GET(f.world, nodes[i], Global)->x,
                    (float)(kith_depth(f.world, nodes[i]) + 1));
    }
    CHECK_WORLD(f.world);
    kith_snapshot_free(snapshot);
    fixture_free(&f);
}
