/* Transfers of entities with relations: what moves together stays linked, in its order; what does not is
 * let go by the rule. */
#include <kith/kith.h>

#include "kept_relations.h"

KITH_COMPONENT(Mate, (kith_entity, of));
KITH_LINKS(Knows, KITH_CLEAR, (int32_t, years));
KITH_RELATION(Signed, KITH_CLEAR, KITH_SPARSE, (kith_text, name), (kith_entity, witness));

/* 0 to 3, and sources of 0 in the order 3 1 2 by all relations. */
typedef struct crossing {
    fixture a, b;
    kith_world *from, *to;
    kith_entity list[4];
    kith_entity moved[4];
} crossing;

static crossing crossing_new(kith_layout layout)
{
    crossing c = {.a = fixture_new(), .b = fixture_new()};
    const kith_component_def def = {.layout = layout};
    c.from = c.a.world;
    c.to = c.b.world;
    for (int r = 0; r < KEPT_RELATIONS; r++) {
        CHECK_RESULT(kith_register(c.from, kept_relations[r], &def), KITH_OK);
    }
    CHECK_RESULT(kith_register(c.to, &kith_child_of_type, NULL), KITH_OK);
    KITH_SPAWN(c.to, KITH_VALUE(Position, {9, 9})); /* slots are others there */
    for (uint32_t i = 0; i < 4; i++) {
        c.list[i] = KITH_SPAWN(c.from, KITH_VALUE(Position, {(float)i, 1}));
    }
    return c;
}

static void crossing_link(crossing *c, int relation)
{
    for (uint32_t i = 1; i < 4; i++) {
        CHECK_RESULT(link_to(c->from, c->list[i], relation, c->list[0]), KITH_OK);
    }
    CHECK_RESULT(
        kith_source_place(c->from, c->list[3], kept_relations[relation], c->list[1]), KITH_OK);
}

static void crossing_free(crossing *c)
{
    CHECK_WORLD(c->from);
    CHECK_WORLD(c->to);
    fixture_free(&c->a);
    fixture_free(&c->b);
}

static kith_result cross(crossing *c, uint32_t first, uint32_t count)
{
    kith_result result = kith_transfer(c->from, c->list + first, count, c->to, c->moved + first);
    CHECK_WORLD(c->from);
    CHECK_WORLD(c->to);
    return result;
}

TEST_EACH_LAYOUT(links_among_those_that_move_come_along, layout)
{
    crossing c = crossing_new(layout);
    for (int r = 0; r < KEPT_RELATIONS; r++) {
        crossing_link(&c, r);
    }
    CHECK_RESULT(KITH_SET(c.from, c.list[0], Follows, {c.list[0], 5}), KITH_OK); /* itself */
    CHECK_RESULT(cross(&c, 0, 4), KITH_OK);
    CHECK_UINT(kith_entity_count(c.from), 0);
    for (int r = 0; r < KEPT_RELATIONS; r++) {
        CHECK_SOURCES(c.to, c.moved[0], kept_relations[r], r == 0 ? "4 2 3 1" : "4 2 3");
    }
    CHECK_FLOAT(KITH_GET(c.to, c.moved[0], Follows)->since, 5);
    CHECK_UINT(KITH_GET(c.to, c.moved[3], Docked)->berth, 7);
    crossing_free(&c);
}

/* The order of the handles decides about new handles, not about sources. */
TEST(sources_move_in_their_order)
{
    crossing c = crossing_new(KITH_SPARSE);
    crossing_link(&c, 1);
    kith_entity turned[4] = {c.list[2], c.list[1], c.list[3], c.list[0]};
    CHECK_RESULT(kith_transfer(c.from, turned, 4, c.to, turned), KITH_OK);
    CHECK_SOURCES(c.to, turned[3], &Hangs_type, "3 2 1"); /* 3, 1, 2 as they were */
    crossing_free(&c);
}

TEST(the_other_fields_of_a_relation_come_along)
{
    crossing c = crossing_new(KITH_TABLE);
    kith_text text;
    CHECK_RESULT(kith_text_intern(c.from, "not there", &text), KITH_OK);
    CHECK_RESULT(KITH_SET(c.from, c.list[1], Signed, {c.list[0], text, c.list[2]}), KITH_OK);
    CHECK_RESULT(KITH_SET(c.from, c.list[2], Signed, {c.list[0], text, c.list[3]}), KITH_OK);
    CHECK_RESULT(cross(&c, 0, 3), KITH_OK);
    const Signed *first = KITH_GET(c.to, c.moved[1], Signed);
    CHECK_SAME(first->target, c.moved[0]);
    CHECK_SAME(first->witness, c.moved[2]);
    CHECK_STR(kith_text_get(c.to, first->name, NULL), "not there");
    CHECK_SAME(KITH_GET(c.to, c.moved[2], Signed)->witness, KITH_NONE);
    crossing_free(&c);
}

/* They live there without the relation, whatever its rule is. */
TEST(links_to_what_stays_are_dropped)
{
    for (int r = 0; r < KEPT_RELATIONS; r++) {
        crossing c = crossing_new(KITH_TABLE);
        crossing_link(&c, r);
        CHECK_RESULT(KITH_SET(c.from, c.list[1], Mate, {c.list[0]}), KITH_OK);
        CHECK_RESULT(cross(&c, 1, 2), KITH_OK);
        CHECK(kith_alive(c.to, c.moved[1]) && kith_alive(c.to, c.moved[2]));
        CHECK(!kith_has(c.to, c.moved[1], kept_relations[r]));
        CHECK_FLOAT(KITH_GET(c.to, c.moved[2], Position)->x, 2);
        CHECK_SAME(KITH_GET(c.to, c.moved[1], Mate)->of, KITH_NONE);
        CHECK_SOURCES(c.from, c.list[0], kept_relations[r], "3");
        crossing_free(&c);
    }
}

/* A link of KITH_LINKS is an entity that moves like others, and leads to both ends or to none. */
TEST_EACH_LAYOUT(links_move_with_both_ends, layout)
{
    for (uint32_t stays = 0; stays < 3; stays++) { /* none, the source, the target */
        crossing c = crossing_new(layout);
        const kith_component_def def = {.layout = layout};
        CHECK_RESULT(kith_register(c.from, &Knows_type, &def), KITH_OK);
        CHECK_RESULT(KITH_SET(c.from, c.list[1], Knows, {c.list[0], c.list[2], 7}), KITH_OK);
        CHECK_RESULT(cross(&c, stays == 1, stays == 2 ? 2 : 3 - (stays == 1)), KITH_OK);
        CHECK(kith_alive(c.to, c.moved[1]));
        CHECK_FLOAT(KITH_GET(c.to, c.moved[1], Position)->x, 1);
        CHECK_INT(KITH_HAS(c.to, c.moved[1], Knows), stays == 0);
        if (stays == 0) {
            CHECK_SAME(kith_link_find(c.to, c.moved[0], c.moved[2], &Knows_type), c.moved[1]);
            CHECK_INT(KITH_GET(c.to, c.moved[1], Knows)->years, 7);
        }
        crossing_free(&c);
    }
}

/* Sources whose target moves away. */
TEST(what_stays_follows_the_rule)
{
    for (int r = 0; r < KEPT_RELATIONS; r++) {
        crossing c = crossing_new(KITH_TABLE);
        crossing_link(&c, r);
        kith_entity leaf = KITH_SPAWN(c.from, KITH_VALUE(Position, {7, 7}));
        CHECK_RESULT(kith_set_parent(c.from, leaf, c.list[3]), KITH_OK);
        const uint64_t hash = kith_world_hash(c.from);
        const uint64_t there = kith_world_hash(c.to);
        kith_result result = cross(&c, 0, 2); /* 2 and 3 stay */
        switch (r) {
        case 0:
            CHECK_RESULT(result, KITH_OK);
            CHECK(!kith_has(c.from, c.list[2], &Follows_type));
            CHECK_UINT(kith_entity_count(c.from), 3);
            break;
        case 2:
            CHECK_RESULT(result, KITH_ERR_CONFLICT);
            CHECK_CONTAINS(kith_error(c.from), "kith_transfer: Entity(0v0) cannot be despawned");
            CHECK(kith_world_hash(c.from) == hash);
            CHECK(kith_world_hash(c.to) == there);
            CHECK_SOURCES(c.from, c.list[0], &Docked_type, "3 1 2");
            CHECK_RESULT(cross(&c, 0, 4), KITH_OK); /* together they may */
            break;
        default:
            CHECK_RESULT(result, KITH_OK);
            CHECK_UINT(kith_entity_count(c.from), 0); /* with the leaf */
        }
        CHECK_UINT(kith_source_count(c.to, c.moved[0], kept_relations[r]), r == 2 ? 3 : 1);
        crossing_free(&c);
    }
}

/* A tree moves as a whole: all below a root, and the root. */
TEST(a_tree_moves_as_a_whole)
{
    crossing c = crossing_new(KITH_SLOT);
    kith_entity tree[15];
    kith_entity moved[15];
    for (uint32_t i = 0; i < 15; i++) {
        tree[i] = KITH_SPAWN(c.from, KITH_VALUE(Position, {(float)i, 0}));
        if (i > 0) {
            CHECK_RESULT(kith_set_parent(c.from, tree[i], tree[(i - 1) / 2]), KITH_OK);
        }
    }
    CHECK_RESULT(kith_set_parent(c.from, tree[0], c.list[0]), KITH_OK);
    uint32_t count = 0;
    for (kith_entity e = tree[0]; !kith_is_none(e); e = kith_descendant_next(c.from, tree[0], e)) {
        moved[count++] = e;
    }
    CHECK_UINT(count, 15);
    CHECK_RESULT(kith_transfer(c.from, moved, 15, c.to, moved), KITH_OK);
    CHECK_UINT(kith_entity_count(c.from), 4);
    CHECK_SAME(kith_parent(c.to, moved[0]), KITH_NONE);
    count = 0;
    for (kith_entity e = moved[0]; !kith_is_none(e); e = kith_descendant_next(c.to, moved[0], e)) {
        CHECK_SAME(e, moved[count++]); /* they were named in that order */
    }
    CHECK_UINT(count, 15);
    crossing_free(&c);
}

TEST(a_relation_with_other_rules_there_is_a_conflict)
{
    static uint32_t number;
    kith_type other = Follows_type;
    other.relation = KITH_CASCADE;
    other.number = &number;
    number = 0;
    crossing c = crossing_new(KITH_TABLE);
    crossing_link(&c, 0);
    CHECK_RESULT(kith_register(c.to, &other, NULL), KITH_OK);
    const uint64_t hash = kith_world_hash(c.from);
    CHECK_RESULT(cross(&c, 0, 4), KITH_ERR_CONFLICT);
    CHECK(kith_world_hash(c.from) == hash);
    crossing_free(&c);
}

TEST_WITHIN(30, transfers_of_links_survive_every_allocation_failure)
{
    for (int there = 0; there < 2; there++) {
        bool reached = true;
        for (size_t nth = 1; reached; nth++) {
            crossing c = crossing_new(KITH_SPARSE);
            for (int r = 0; r < KEPT_RELATIONS; r++) {
                if (r != 2) {
                    crossing_link(&c, r);
                }
            }
            kith_snapshot *taken; /* blocks of links are shared */
            CHECK_RESULT(kith_snapshot_take(c.from, &taken), KITH_OK);
            const uint64_t hash = kith_world_hash(c.from);
            const uint64_t hash_there = kith_world_hash(c.to);
            fail_allocation(there != 0 ? &c.b : &c.a, nth);
            kith_result result = kith_transfer(c.from, c.list, 3, c.to, c.moved);
            reached = fail_nothing(there != 0 ? &c.b : &c.a);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            CHECK_WORLD(c.from);
            CHECK_WORLD(c.to);
            if (reached) {
                CHECK(kith_world_hash(c.from) == hash);
                CHECK(kith_world_hash(c.to) == hash_there);
                CHECK_RESULT(cross(&c, 0, 3), KITH_OK);
            }
            CHECK_UINT(kith_entity_count(c.from), 0); /* 3 hung on 0 */
            CHECK_SOURCES(c.to, c.moved[0], &Hangs_type, "2 3");
            CHECK_RESULT(kith_snapshot_restore(c.from, taken), KITH_OK);
            CHECK(kith_world_hash(c.from) == hash);
            crossing_free(&c);
        }
    }
}
