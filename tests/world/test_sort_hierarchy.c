/* kith_sort along the hierarchy: rows level by level, the children of each parent in their order. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_COMPONENT(Node, (int32_t, number), (uint8_t, rest, 20));
KITH_TAG(Leaf);

#define NODES 24u
#define MANY 2000u

/* What a loop over Node visits: "a b c", by number; tables are divided by " | ". */
static const char *order_of(kith_world *world)
{
    static char text[4 * NODES];
    size_t length = 0;
    const void *last = NULL;
    kith_query *query = KITH_QUERY(world, KITH_READ(Node), KITH_OPTIONAL(Health));
    text[0] = '\0';
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        const Node *nodes = KITH_COLUMN(&it, Node);
        const bool other = length != 0 && (const void *)nodes != last;
        for (uint32_t i = 0; i < it.count; i++) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%c",
                                       length == 0       ? ""
                                       : i == 0 && other ? " | "
                                                         : " ",
                                       'a' + nodes[i].number);
            CHECK(KITH_GET(world, kith_entities(&it)[i], Node) == &nodes[i]);
        }
        last = nodes + it.count;
    }
    kith_query_free(query);
    return text;
}

static kith_result sort_by(kith_world *world, kith_order order)
{
    return kith_sort(world, &(kith_sort_def){.type = &Node_type, .order = order});
}

/* Nodes 'a' and so on, made backwards; parents are given by letters, '-' for none. */
static void make_nodes(kith_world *world, const char *parents, kith_entity *e)
{
    const uint32_t count = (uint32_t)strlen(parents);
    for (uint32_t i = count; i-- > 0;) {
        e[i] = KITH_SPAWN(world, KITH_VALUE(Node, {.number = (int32_t)i}));
    }
    for (uint32_t i = 0; i < count; i++) {
        if (parents[i] != '-') {
            CHECK_RESULT(kith_set_parent(world, e[i], e[parents[i] - 'a']), KITH_OK);
        }
    }
}

static fixture fixture_of(kith_layout layout)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Node_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Leaf_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    return f;
}

TEST_EACH_LAYOUT(children_follow_their_parents, layout)
{
    fixture f = fixture_of(layout);
    kith_entity e[NODES];
    /*                   abcdefghi */
    make_nodes(f.world, "--abaebcd", e);
    if (layout == KITH_SLOT) {
        CHECK_RESULT(sort_by(f.world, KITH_PARENTS_FIRST), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(f.world), "Node is KITH_SLOT");
        fixture_free(&f);
        return;
    }
    CHECK_STR(order_of(f.world), "i h g f e d c b a");
    CHECK_RESULT(sort_by(f.world, KITH_PARENTS_FIRST), KITH_OK);
    CHECK_STR(order_of(f.world), "b a d g c e i h f"); /* roots keep their order */
    const uint64_t hash = kith_world_hash(f.world);
    CHECK_RESULT(sort_by(f.world, KITH_PARENTS_FIRST), KITH_OK);
    CHECK(kith_world_hash(f.world) == hash);

    KITH_SORT(f.world, Node, number);
    CHECK_STR(order_of(f.world), "a b c d e f g h i");
    CHECK_RESULT(sort_by(f.world, KITH_PARENTS_FIRST), KITH_OK);
    CHECK_STR(order_of(f.world), "a b c e d g h f i");
    CHECK_RESULT(sort_by(f.world, KITH_CHILDREN_FIRST), KITH_OK);
    CHECK_STR(order_of(f.world), "h f i c e d g a b");
    CHECK_RESULT(kith_sort(f.world, &(kith_sort_def){.type = &Node_type,
                                                     .order = KITH_PARENTS_FIRST,
                                                     .descending = true}),
                 KITH_OK);
    CHECK_STR(order_of(f.world), "i f h g d e c b a");

    /* The order of children is theirs, whatever the rows are. */
    kith_insert_child(f.world, e[4], e[2]);
    CHECK_RESULT(kith_set_parent(f.world, e[6], e[0]), KITH_OK);
    KITH_SORT(f.world, Node, number);
    CHECK_RESULT(sort_by(f.world, KITH_PARENTS_FIRST), KITH_OK);
    CHECK_STR(order_of(f.world), "a b e c g d f h i");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Parents that are in another table, or do not have the component, count as others do. */
TEST(each_table_is_sorted_by_the_whole_hierarchy)
{
    fixture f = fixture_of(KITH_TABLE);
    kith_entity e[NODES];
    /*                   abcdefghijkl */
    make_nodes(f.world, "----dcbaabhh", e);
    KITH_REMOVE(f.world, e[2], Node); /* a root elsewhere, which is in the slot after that of 'd' */
    KITH_SET(f.world, e[7], Health, {1, 2});
    KITH_SET(f.world, e[5], Health, {1, 2});
    KITH_SET(f.world, e[9], Health, {1, 2});
    KITH_SORT(f.world, Node, number);
    CHECK_STR(order_of(f.world), "f h j | a b d e g i k l");
    CHECK_RESULT(sort_by(f.world, KITH_PARENTS_FIRST), KITH_OK);
    /* In the first table: h and j, whose parents are rows of the other, and then f. */
    CHECK_STR(order_of(f.world), "h j f | a b d i g e k l");
    CHECK_RESULT(sort_by(f.world, KITH_PARENTS_FIRST), KITH_OK);
    CHECK_STR(order_of(f.world), "h j f | a b d i g e k l");

    /* Of two roots elsewhere, the one in the first slot comes first. */
    kith_entity low = e[11];
    kith_set_parent(f.world, low, KITH_NONE);
    KITH_REMOVE(f.world, low, Node);
    kith_set_parent(f.world, e[8], e[2]);
    kith_set_parent(f.world, e[10], low);
    CHECK(low.index1 < e[2].index1);
    CHECK_RESULT(sort_by(f.world, KITH_PARENTS_FIRST), KITH_OK);
    CHECK_STR(order_of(f.world), "h j f | a b d g e k i");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* A tag has no values, but its entities are in the hierarchy. */
TEST_EACH_LAYOUT(tags_are_sorted_by_the_hierarchy, layout)
{
    fixture f = fixture_of(layout);
    kith_entity e[NODES];
    make_nodes(f.world, "-abac", e);
    for (uint32_t i = 5; i-- > 0;) {
        KITH_ADD(f.world, e[i], Leaf);
    }
    const kith_sort_def def = {.type = &Leaf_type, .order = KITH_PARENTS_FIRST};
    CHECK_RESULT(kith_sort(f.world, &def), layout == KITH_SLOT ? KITH_ERR_INPUT : KITH_OK);
    if (layout != KITH_SLOT) {
        static const uint32_t expected[] = {0, 1, 3, 2, 4};
        uint32_t met = 0;
        kith_query *query = KITH_QUERY(f.world, KITH_WITH(Leaf));
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            for (uint32_t i = 0; i < it.count; i++) {
                CHECK_SAME(kith_entities(&it)[i], e[expected[met]]);
                met++;
            }
        }
        CHECK_UINT(met, 5);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Loops by depth then have one batch for each level, and those told of changes hear of what moved. */
TEST_EACH_LAYOUT(rows_in_order_make_long_batches, layout)
{
    if (layout == KITH_SLOT) {
        return;
    }
    fixture f = fixture_of(layout);
    static kith_entity e[MANY];
    uint64_t random = 7;
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Node, {.number = (int32_t)i}));
    }
    for (uint32_t i = 1; i < MANY; i++) {
        CHECK_RESULT(kith_set_parent(f.world, e[i], e[random_below(&random, i)]), KITH_OK);
        const uint32_t depth = kith_depth(f.world, e[i]);
        deepest = depth > deepest ? depth : deepest;
    }
    kith_query *changed = KITH_QUERY(f.world, KITH_CHANGED(Node));
    CHECK_UINT(kith_query_count(changed), MANY);
    for (kith_iter it = kith_query_iter(changed); kith_next(&it);) {
    }
    CHECK_RESULT(sort_by(f.world, KITH_PARENTS_FIRST), KITH_OK);
    CHECK(kith_query_count(changed) > 0);
    for (kith_iter it = kith_query_iter(changed); kith_next(&it);) {
    }
    CHECK_RESULT(sort_by(f.world, KITH_PARENTS_FIRST), KITH_OK);
    CHECK_UINT(kith_query_count(changed), 0); /* nothing moved */

    kith_query *levels = NULL;
    const kith_query_def def = {KITH_TERMS(KITH_READ(Node)), .order = KITH_PARENTS_FIRST};
    CHECK_RESULT(kith_query_new(f.world, &def, &levels), KITH_OK);
    uint32_t batches = 0;
    uint32_t rows = 0;
    uint32_t blocks = 0;
    for (kith_iter it = kith_query_iter(levels); kith_next(&it); batches++) {
        rows += it.count;
        blocks += it.count / 64;
    }
    CHECK_UINT(rows, MANY);
    CHECK(batches <= deepest + 1 + MANY / 128); /* and where a block of rows ends */
    CHECK(blocks > 0);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_sort_by_the_hierarchy_survives_every_allocation_failure, layout)
{
    if (layout == KITH_SLOT) {
        return;
    }
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_of(layout);
        kith_entity e[NODES];
        kith_snapshot *snapshot = NULL;
        make_nodes(f.world, "--abaebcd", e);
        CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
        const uint64_t hash = kith_world_hash(f.world);
        fail_allocation(&f, nth);
        const kith_result result = sort_by(f.world, KITH_PARENTS_FIRST);
        const bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK(!reached || kith_world_hash(f.world) == hash);
        CHECK_STR(order_of(f.world), reached ? "i h g f e d c b a" : "b a d g c e i h f");
        CHECK_WORLD(f.world);
        CHECK_RESULT(kith_snapshot_restore(f.world, snapshot), KITH_OK);
        CHECK_STR(order_of(f.world), "i h g f e d c b a");
        kith_snapshot_free(snapshot);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}

TEST(orders_that_make_no_sense)
{
    fixture f = fixture_of(KITH_TABLE);
    kith_sort_def def = {.type = &Node_type, .order = KITH_PARENTS_FIRST};
    CHECK_RESULT(kith_sort(f.world, &def), KITH_OK); /* nobody is there */
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Node, {.number = 0}));
    CHECK_RESULT(kith_sort(f.world, &def), KITH_OK); /* nor is a hierarchy */
    def.field = "number";
    CHECK_RESULT(kith_sort(f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Node: give `field`, `compare` or `order`, not several");
    def = (kith_sort_def){.type = &Node_type, .order = (kith_order)3};
    CHECK_RESULT(kith_sort(f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Node: `order` is no kith_order");
    KITH_DESPAWN(f.world, e);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}
