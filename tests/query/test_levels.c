/* Queries that visit parents before children, and after: what renews the order, and what may be asked
 * meanwhile. */
#include <string.h>

#include "components.h"
#include "share.h"
#include "test.h"

KITH_COMPONENT(Local, (float, x));
KITH_COMPONENT(Global, (float, x));

static kith_query *query_by(kith_world *world, kith_order order, const kith_term *terms)
{
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(world, &(kith_query_def){.terms = terms, .order = order}, &query),
                 KITH_OK);
    return query;
}

static fixture world_of(kith_layout layout)
{
    static const kith_type *const types[] = {&Local_type, &Global_type};
    fixture f = fixture_with_all(layout);
    for (size_t i = 0; i < ROWS_OF(types); i++) {
        CHECK_RESULT(kith_register(f.world, types[i], &(kith_component_def){.layout = layout}),
                     KITH_OK);
    }
    return f;
}

/* Checks the entities of a query; the list ends with KITH_NONE. */
#define CHECK_ORDER(query, ...)                                                                    \
    check_order(__FILE__, __LINE__, (query), (const kith_entity[]){__VA_ARGS__, {0, 0}})
static void check_order(const char *file, int line, kith_query *query, const kith_entity *expected)
{
    for (int rows = 0; rows < 2; rows++) {
        uint32_t met = 0;
        kith_iter it = kith_query_iter(query);
        while (rows != 0 ? kith_next_rows(&it) : kith_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) {
                test_check_same(file, line, "visited", "expected", kith_entities(&it)[i],
                                expected[met++]);
            }
        }
        test_check_same(file, line, "visited", "expected", KITH_NONE, expected[met]);
    }
    test_check_same(file, line, "first", "expected", kith_query_first(query), expected[0]);
}

/* A child that was made before its parent comes after it. Entities between them that do not match count
 * for the depth. */
TEST_EACH_LAYOUT(parents_come_before_children_and_after, layout)
{
    fixture f = world_of(layout);
    kith_entity leaf = KITH_SPAWN(f.world, KITH_VALUE(Local, {3}));
    kith_entity twig = kith_spawn_empty(f.world);
    kith_entity branch = KITH_SPAWN(f.world, KITH_VALUE(Local, {2}));
    kith_entity tree = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
    kith_entity stone = KITH_SPAWN(f.world, KITH_VALUE(Local, {4}));
    kith_query *down = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
    kith_query *up = query_by(f.world, KITH_CHILDREN_FIRST, KITH_TERMS(KITH_READ(Local)));
    CHECK_ORDER(down, leaf, branch, tree, stone);
    kith_set_parent(f.world, leaf, twig);
    CHECK_ORDER(down, branch, tree, stone, leaf);
    kith_set_parent(f.world, twig, branch);
    kith_set_parent(f.world, branch, tree);
    CHECK_ORDER(down, tree, stone, branch, leaf);
    CHECK_ORDER(up, leaf, branch, tree, stone);
    kith_set_parent(f.world, stone, leaf);
    CHECK_ORDER(down, tree, branch, leaf, stone);
    kith_set_parent(f.world, leaf, KITH_NONE);
    CHECK_ORDER(down, leaf, tree, branch, stone);
    CHECK_ORDER(up, branch, stone, leaf, tree);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Every level has a batch of its own, so that what a loop wrote for the parents is there for the
 * children: by KITH_UP, KITH_VIA and handles. */
TEST_EACH_LAYOUT(values_go_down_in_one_loop, layout)
{
    enum { COUNT = 3000 };
    static kith_entity e[COUNT];
    fixture f = world_of(layout);
    for (uint32_t i = COUNT; i-- > 0;) { /* children first */
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}), KITH_VALUE(Global, {0}));
    }
    for (uint32_t i = 1; i < COUNT; i++) {
        kith_set_parent(f.world, e[i], e[(i - 1) / 3]);
    }
    kith_query *query = query_by(f.world, KITH_PARENTS_FIRST,
                                 KITH_TERMS(KITH_READ(Local), KITH_WRITE(Global),
                                            KITH_UP(KITH_OPTIONAL(Global)),
                                            KITH_VIA(kith_child_of, KITH_OPTIONAL(Global))));
    kith_snapshot *snapshot = NULL;
    for (uint32_t round = 0; round < 4; round++) {
        const bool rows = round % 2 == 1;
        kith_iter it = kith_query_iter(query);
        while (rows ? kith_next_rows(&it) : kith_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) {
                const Global *up = KITH_TERM_AT(&it, 2, i, Global);
                const kith_entity parent = kith_parent(f.world, kith_entities(&it)[i]);
                CHECK(up == KITH_TERM_AT(&it, 3, i, Global));
                CHECK(up == KITH_GET(f.world, parent, Global));
                KITH_AT_MUT(&it, i, Global)->x =
                    KITH_AT(&it, i, Local)->x * (float)(round + 1) + (up == NULL ? 0 : up->x);
            }
        }
        CHECK_RESULT(it.result, KITH_OK);
        for (uint32_t i = 0; i < COUNT; i++) {
            CHECK_FLOAT(KITH_GET(f.world, e[i], Global)->x,
                        (float)(kith_depth(f.world, e[i]) + 1) * (float)(round + 1));
        }
        if (round == 1) { /* blocks are copied from then on */
            CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
        }
    }
    CHECK_WORLD(f.world);
    kith_snapshot_free(snapshot);
    fixture_free(&f);
}

/* What a condition about the parent says is asked when the parents were visited, of rows in the same 64
 * too. */
TEST_EACH_LAYOUT(conditions_about_ancestors_see_what_was_written, layout)
{
    fixture f = world_of(layout);
    kith_entity last = KITH_NONE;
    for (uint32_t i = 0; i < 50; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Global, {0}));
        kith_set_parent(f.world, e, last);
        last = i % 2 == 0 ? e : last;
    }
    const kith_term no_parent = KITH_WITHOUT(kith_child_of);
    const kith_term above = KITH_UP(KITH_IF(Global, x, >, 0));
    kith_query *query =
        query_by(f.world, KITH_PARENTS_FIRST,
                 KITH_TERMS(KITH_WRITE(Global), KITH_IF_ANY(no_parent, above)));
    for (int rows = 0; rows < 2; rows++) {
        uint32_t met = 0;
        for (kith_iter it = kith_query_iter(query); rows ? kith_next_rows(&it) : kith_next(&it);) {
            for (uint32_t i = 0; i < it.count; i++) {
                KITH_AT_MUT(&it, i, Global)->x = 1;
            }
            met += it.count;
        }
        CHECK_UINT(met, 50);
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            for (uint32_t i = 0; i < it.count; i++) {
                KITH_AT_MUT(&it, i, Global)->x = 0;
            }
        }
    }
    fixture_free(&f);
}

/* Rows in order of depth are one run a level, in batches as large as blocks. */
TEST(rows_that_are_in_order_make_long_batches)
{
    fixture f = world_of(KITH_TABLE);
    kith_entity parents[3] = {KITH_NONE};
    kith_query *query = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_WRITE(Local)));
    for (uint32_t level = 0; level < 3; level++) {
        for (uint32_t i = 0; i < 2048; i++) {
            kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
            kith_set_parent(f.world, e, parents[level]);
            parents[level == 2 ? 0 : level + 1] = e;
        }
    }
    uint32_t batches = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it); batches++) {
        CHECK_UINT(it.count, 1024);
    }
    CHECK_UINT(batches, 6);
    fixture_free(&f);
}

/* Tables that come and go have no rows, but the matches move. */
TEST(tables_without_rows_do_not_confuse_the_order)
{
    static const kith_type *const more[] = {&Position_type, &Velocity_type, &Health_type,
                                            &Extra_type,    &Name_type,     &Byte_type};
    fixture f = world_of(KITH_TABLE);
    kith_entity child = KITH_SPAWN(f.world, KITH_VALUE(Local, {2}));
    kith_entity parent = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
    kith_set_parent(f.world, child, parent);
    kith_query *query = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
    CHECK_ORDER(query, parent, child);
    for (uint32_t set = 1; set < 1u << ROWS_OF(more); set++) {
        kith_entity e = kith_spawn_empty(f.world);
        for (uint32_t i = 0; i < ROWS_OF(more); i++) {
            if ((set >> i & 1) != 0) {
                kith_add(f.world, e, more[i]);
            }
        }
        KITH_ADD(f.world, e, Local);
        kith_despawn(f.world, e);
    }
    CHECK_ORDER(query, parent, child);
    kith_world_trim(f.world);
    CHECK_ORDER(query, parent, child);
    fixture_free(&f);
}

/* Rows that go, with the blocks that tell of it. A snapshot keeps their tables. */
TEST_EACH_LAYOUT(rows_that_go_with_their_blocks_are_not_visited, layout)
{
    for (int snapped = 0; snapped < 2; snapped++) {
        fixture f = world_of(layout);
        kith_entity other = kith_spawn_empty(f.world);
        kith_entity child = KITH_SPAWN(f.world, KITH_VALUE(Local, {2}));
        kith_entity parent = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
        kith_query *query = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
        kith_set_parent(f.world, child, parent);
        CHECK_ORDER(query, parent, child);
        kith_snapshot *snapshot = NULL;
        CHECK_RESULT(snapped != 0 ? kith_snapshot_take(f.world, &snapshot) : KITH_OK, KITH_OK);
        kith_set_parent(f.world, child, KITH_NONE);
        CHECK_ORDER(query, child, parent);
        KITH_REMOVE(f.world, child, Local);
        KITH_REMOVE(f.world, parent, Local);
        kith_world_trim(f.world);
        CHECK_ORDER(query, KITH_NONE);
        KITH_ADD(f.world, parent, Local);
        KITH_ADD(f.world, other, Local);
        kith_set_parent(f.world, parent, other);
        CHECK_ORDER(query, other, parent);
        if (snapped != 0) {
            CHECK_RESULT(kith_snapshot_restore(f.world, snapshot), KITH_OK);
            CHECK_ORDER(query, parent, child);
        }
        CHECK_WORLD(f.world);
        kith_snapshot_free(snapshot);
        fixture_free(&f);
    }
}

/* A block that has just its full size tells nothing once it is gone. */
TEST_EACH_LAYOUT(a_whole_block_of_rows_may_go, layout)
{
    static kith_entity e[1000];
    fixture f = world_of(layout);
    for (uint32_t i = 0; i < 1000; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
    }
    kith_query *query = query_by(f.world, KITH_CHILDREN_FIRST, KITH_TERMS(KITH_WRITE(Local)));
    CHECK_SAME(kith_query_first(query), e[0]);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
    }
    kith_snapshot *snapshot = NULL; /* keeps the table */
    CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
    for (uint32_t i = 0; i < 1000; i++) {
        KITH_REMOVE(f.world, e[i], Local);
    }
    kith_world_trim(f.world);
    CHECK_ORDER(query, KITH_NONE);
    kith_snapshot_free(snapshot);
    fixture_free(&f);
}

/* As many rows as before are not the same rows. */
TEST_EACH_LAYOUT(one_comes_as_another_goes, layout)
{
    fixture f = world_of(layout);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Local, {2}));
    kith_entity c = kith_spawn_empty(f.world);
    kith_set_parent(f.world, a, c);
    kith_query *query = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
    CHECK_ORDER(query, b, a);
    KITH_REMOVE(f.world, a, Local);
    KITH_ADD(f.world, c, Local);
    CHECK_ORDER(query, b, c);
    fixture_free(&f);
}

/* Links that go with their blocks, and slots that come without links. */
TEST_EACH_LAYOUT(depths_are_found_anew, layout)
{
    fixture f = world_of(layout);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Local, {2}));
    kith_query *query = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
    CHECK_SAME(kith_query_first(query), a);
    kith_set_parent(f.world, a, b);
    CHECK_SAME(kith_query_first(query), b);
    kith_set_parent(f.world, a, KITH_NONE);
    CHECK_SAME(kith_query_first(query), a);
    kith_set_parent(f.world, a, b);
    CHECK_ORDER(query, b, a);
    kith_set_parent(f.world, a, KITH_NONE);
    kith_world_trim(f.world);
    CHECK_ORDER(query, a, b);
    static kith_entity more[300];
    for (uint32_t i = 0; i < 300; i++) {
        more[i] = KITH_SPAWN(f.world, KITH_VALUE(Local, {3}));
    }
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it); met += it.count) {
        CHECK(met + it.count <= 302);
        for (uint32_t i = 0; i < it.count; i++) {
            const uint32_t at = met + i;
            CHECK_SAME(kith_entities(&it)[i], at == 0 ? a : at == 1 ? b : more[at - 2]);
        }
    }
    CHECK_UINT(met, 302);
    fixture_free(&f);
}

/* Views and forks have an order of their own, as of their snapshot. */
TEST_EACH_LAYOUT(views_and_forks_go_by_their_own_parents, layout)
{
    fixture f = world_of(layout);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Local, {2}));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
    kith_query *query = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
    kith_set_parent(f.world, a, b);
    CHECK_ORDER(query, b, a);
    kith_snapshot *snapshot = NULL;
    CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
    kith_set_parent(f.world, a, KITH_NONE);
    kith_set_parent(f.world, b, a);
    CHECK_ORDER(query, a, b);
    kith_world *view = NULL;
    kith_world *fork = NULL;
    CHECK_RESULT(kith_view_new(snapshot, NULL, &view), KITH_OK);
    CHECK_RESULT(kith_fork_new(snapshot, NULL, &fork), KITH_OK);
    kith_query *in_view = query_by(view, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
    kith_query *in_fork = query_by(fork, KITH_CHILDREN_FIRST, KITH_TERMS(KITH_READ(Local)));
    CHECK_ORDER(in_view, b, a);
    CHECK_ORDER(in_fork, a, b);
    kith_set_parent(fork, a, KITH_NONE);
    CHECK_ORDER(in_fork, a, b);
    kith_set_parent(fork, b, a);
    CHECK_ORDER(in_fork, b, a);
    CHECK_ORDER(in_view, b, a);
    CHECK_RESULT(kith_snapshot_restore(f.world, snapshot), KITH_OK);
    CHECK_ORDER(query, b, a);
    CHECK_WORLD(fork);
    kith_world_free(fork);
    kith_world_free(view);
    kith_snapshot_free(snapshot);
    fixture_free(&f);
}

/* A restore brings back who has the component, in as many rows as before, or who is whose child, or only
 * values; asked in between or not; of few entities, and of so many that links are in several blocks. */
TEST_EACH_LAYOUT(restores_bring_the_order_back, layout)
{
    for (int way = 0; way < 4; way++) {
        const int asked = way % 2;
        fixture f = world_of(layout);
        kith_snapshot *before;
        for (uint32_t others = way < 2 ? 0 : 3000; others != 0; others--) {
            kith_spawn_empty(f.world);
        }
        kith_entity leaf = KITH_SPAWN(f.world, KITH_VALUE(Local, {3}));
        kith_entity tree = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
        kith_entity stone = kith_spawn_empty(f.world);
        kith_query *down = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
        CHECK_RESULT(kith_set_parent(f.world, leaf, tree), KITH_OK);
        CHECK_ORDER(down, tree, leaf);
        CHECK_RESULT(kith_snapshot_take(f.world, &before), KITH_OK);
        CHECK_RESULT(KITH_REMOVE(f.world, leaf, Local), KITH_OK);
        CHECK_RESULT(KITH_SET(f.world, stone, Local, {5}), KITH_OK);
        if (asked == 1) {
            CHECK_UINT(kith_query_count(down), 2);
            CHECK(!kith_query_contains(down, leaf));
            kith_query_first(down);
            for (kith_iter it = kith_query_iter(down); kith_next(&it);) {
            }
        }
        CHECK_RESULT(kith_snapshot_restore(f.world, before), KITH_OK);
        CHECK_ORDER(down, tree, leaf);
        CHECK_RESULT(kith_set_parent(f.world, leaf, KITH_NONE), KITH_OK);
        CHECK_RESULT(kith_set_parent(f.world, tree, leaf), KITH_OK);
        if (asked == 1) {
            CHECK_ORDER(down, leaf, tree);
        }
        CHECK_RESULT(kith_snapshot_restore(f.world, before), KITH_OK);
        CHECK_ORDER(down, tree, leaf);
        CHECK_RESULT(KITH_SET(f.world, leaf, Local, {7}), KITH_OK);
        CHECK_RESULT(kith_snapshot_restore(f.world, before), KITH_OK);
        CHECK_ORDER(down, tree, leaf);
        CHECK_WORLD(f.world);
        kith_snapshot_free(before);
        fixture_free(&f);
    }
}

/* A query may be open in itself, and one entity of it be asked for. */
TEST_EACH_LAYOUT(ordered_queries_may_be_open_inside_one_another, layout)
{
    fixture f = world_of(layout);
    kith_entity child = KITH_SPAWN(f.world, KITH_VALUE(Local, {2}));
    kith_entity parent = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
    kith_set_parent(f.world, child, parent);
    kith_query *query = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK_ORDER(query, parent, child);
        for (kith_iter one = kith_query_iter_one(query, child); kith_next(&one);) {
            CHECK_FLOAT(KITH_AT(&one, 0, Local)->x, 2);
            met++;
        }
    }
    CHECK_UINT(met, 2);
    CHECK_INT(kith_query_contains(query, child), true);
    kith_entity single;
    CHECK_RESULT(kith_query_single(query, &single), KITH_ERR_AMBIGUOUS);
    fixture_free(&f);
}

/* The storage that a query names as its driver gives the order within a depth. */
TEST(the_driver_gives_the_order_within_a_depth)
{
    fixture f = fixture_new();
    CHECK_RESULT(
        kith_register(f.world, &Local_type, &(kith_component_def){.layout = KITH_SPARSE}), KITH_OK);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Global, {1}));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Global, {2}));
    kith_entity root = KITH_SPAWN(f.world, KITH_VALUE(Global, {0}));
    kith_entity order[] = {b, root, a};
    for (uint32_t i = 0; i < 3; i++) {
        KITH_SET(f.world, order[i], Local, {0});
    }
    kith_set_parent(f.world, a, root);
    kith_set_parent(f.world, b, root);
    kith_query *query = NULL;
    kith_query_def def = {.terms = KITH_TERMS(KITH_READ(Local), KITH_READ(Global)),
                          .order = KITH_PARENTS_FIRST,
                          .driver = &Local_type};
    CHECK_RESULT(kith_query_new(f.world, &def, &query), KITH_OK);
    CHECK_ORDER(query, root, b, a);
    def.driver = &Global_type;
    CHECK_RESULT(kith_query_new(f.world, &def, &query), KITH_OK);
    CHECK_ORDER(query, root, a, b);
    fixture_free(&f);
}

/* Without memory the query is not open; with it again, all is well. So it is when more levels and
 * rows come than there is room for. */
TEST_EACH_LAYOUT(opening_by_depth_survives_every_allocation_failure, layout)
{
    uint32_t failures = 0;
    for (uint32_t nth = 1, again = 0; again < 2; nth++) {
        fixture f = world_of(layout);
        kith_entity e[200];
        kith_query *query = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
        for (uint32_t i = 0; i < 200; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Local, {(float)i}));
            if (i == 50 && again == 1) {
                CHECK_SAME(kith_query_first(query), e[0]);
                for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
                }
            }
        }
        for (uint32_t i = 0; i < 100; i++) {
            kith_set_parent(f.world, e[2 * i], i < 10 ? e[2 * i + 2] : e[199]);
        }
        fail_allocation(&f, nth);
        kith_iter it = kith_query_iter(query);
        const bool reached = fail_nothing(&f);
        CHECK_RESULT(it.result, reached ? KITH_ERR_MEMORY : KITH_OK);
        kith_iter_close(&it);
        CHECK_SAME(kith_query_first(query), e[1]);
        uint32_t count = 0;
        uint32_t depth = 0;
        for (it = kith_query_iter(query); kith_next(&it);) {
            CHECK(kith_depth(f.world, kith_entities(&it)[0]) >= depth);
            depth = kith_depth(f.world, kith_entities(&it)[0]);
            count += it.count;
        }
        CHECK_UINT(depth, 11);
        CHECK_UINT(count, 200);
        CHECK_WORLD(f.world);
        fixture_free(&f);
        failures += reached;
        again += !reached;
        nth = reached ? nth : 0;
    }
    CHECK(failures >= 8);
}

/* The first one is found without memory as well. */
TEST_EACH_LAYOUT(the_first_by_depth_needs_no_memory, layout)
{
    fixture f = world_of(layout);
    kith_entity child = KITH_SPAWN(f.world, KITH_VALUE(Local, {2}));
    kith_entity parent = KITH_SPAWN(f.world, KITH_VALUE(Local, {1}));
    kith_set_parent(f.world, child, parent);
    kith_query *down = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
    kith_query *up = query_by(f.world, KITH_CHILDREN_FIRST, KITH_TERMS(KITH_READ(Local)));
    fail_allocation(&f, 1);
    CHECK_SAME(kith_query_first(down), parent);
    CHECK(fail_nothing(&f));
    fail_allocation(&f, 1);
    CHECK_SAME(kith_query_first(up), child);
    CHECK(fail_nothing(&f));
    CHECK_SAME(kith_query_first(up), child);
    fixture_free(&f);
}

/* What has no order says so. */
TEST(an_order_that_makes_no_sense_is_an_error)
{
    fixture f = world_of(KITH_TABLE);
    kith_query *query = NULL;
    const kith_query_def none = {.terms = KITH_TERMS(KITH_READ(Local)), .order = (kith_order)3};
    CHECK_RESULT(kith_query_new(f.world, &none, &query), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "there is no order 3");
    query = query_by(f.world, KITH_PARENTS_FIRST, KITH_TERMS(KITH_READ(Local)));
    kith_live *live = NULL;
    CHECK_RESULT(kith_live_new(f.world, query, &live), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "has an `order`");
    fixture_free(&f);
}
