/* Differences of two snapshots tell of relations as of values, and their bytes carry the order of
 * sources. */
#include <kith/kith.h>

#include "../persist/follower.h"
#include "kept_relations.h"

/* In the two worlds, relations are registered in another order. */
static pair linked_pair(void)
{
    pair p = {.f = fixture_new(), .g = fixture_new()};
    KITH_TYPES(p.f.world, Position, Frozen, Follows, Hangs, Docked, kith_child_of);
    KITH_TYPES(p.g.world, kith_child_of, Docked, Frozen, Hangs, Follows, Position);
    CHECK_RESULT(kith_snapshot_take(p.f.world, &p.before), KITH_OK);
    return p;
}

static void follow_links(pair *p)
{
    follow(p);
    check_same_links(p->f.world, p->g.world);
}

/* A target and six sources of each relation; only by order they differ. */
static kith_entity spawn_six(kith_world *world, kith_entity *s)
{
    kith_entity target = KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}));
    for (uint32_t i = 0; i < 6; i++) {
        s[i] = KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}));
        for (int relation = 0; relation < KEPT_RELATIONS; relation++) {
            CHECK_RESULT(link_to(world, s[i], relation, target), KITH_OK);
        }
    }
    return target;
}

TEST(the_order_of_sources_follows)
{
    for (int r = 0; r < KEPT_RELATIONS; r++) {
        pair p = linked_pair();
        const kith_type *type = kept_relations[r];
        kith_entity s[6];
        kith_entity t = spawn_six(p.f.world, s);
        follow_links(&p);
        CHECK_SOURCES(p.g.world, t, type, "1 2 3 4 5 6");
        static const struct {
            uint32_t source, before;
            const char *sources;
            uint32_t named; /* sources that the bytes name */
        } moves[] = {{0, 6, "2 3 4 5 6 1", 1}, {5, 1, "6 2 3 4 5 1", 1}, {3, 2, "6 2 4 3 5 1", 1},
                     {4, 3, "6 2 5 4 3 1", 1}, {0, 5, "1 6 2 5 4 3", 1}, {1, 2, "1 6 5 4 2 3", 1}};
        write_difference(&p);
        CHECK_RESULT(apply(&p), KITH_OK);
        uint32_t least = p.bytes.size;
        for (size_t i = 0; test_row(i, ROWS_OF(moves)); i++) {
            kith_entity before = moves[i].before == 6 ? KITH_NONE : s[moves[i].before];
            CHECK_RESULT(kith_source_place(p.f.world, s[moves[i].source], type, before), KITH_OK);
            CHECK_SOURCES(p.f.world, t, type, moves[i].sources);
            follow_links(&p);
            /* The name of the type, its length and its hash, the number of the type, two ends, and the
             * sources. */
            CHECK_UINT(p.bytes.size, least + strlen(type->name) + 9 + 1 + 2 + 2 * moves[i].named);
        }
        /* Back at once: several move. */
        for (uint32_t i = 0; i < 6; i++) {
            CHECK_RESULT(kith_source_place(p.f.world, s[i], type, KITH_NONE), KITH_OK);
        }
        CHECK_SOURCES(p.f.world, t, type, "1 2 3 4 5 6");
        follow_links(&p);
        pair_free(&p);
    }
}

/* Sources that come and go name nobody else. */
TEST(sources_that_stay_are_not_named)
{
    pair p = linked_pair();
    kith_entity s[6];
    kith_entity t = spawn_six(p.f.world, s);
    follow_links(&p);
    KITH_REMOVE(p.f.world, s[2], Follows);
    KITH_REMOVE(p.f.world, s[3], Follows);
    KITH_REMOVE(p.f.world, s[5], Follows);
    follow_links(&p);
    CHECK_SOURCES(p.g.world, t, &Follows_type, "1 2 5");
    uint32_t removed = p.bytes.size;
    KITH_SET(p.f.world, s[5], Follows, {t, 1});
    KITH_SET(p.f.world, s[3], Follows, {t, 1});
    CHECK_RESULT(kith_source_place(p.f.world, s[5], &Follows_type, s[0]), KITH_OK);
    CHECK_RESULT(kith_source_place(p.f.world, s[3], &Follows_type, s[0]), KITH_OK);
    follow_links(&p);
    CHECK_SOURCES(p.g.world, t, &Follows_type, "6 4 1 2 5");
    CHECK(removed < 140);
    /* Some go, some come elsewhere, and one only moves, all at once. */
    KITH_REMOVE(p.f.world, s[3], Follows);
    KITH_SET(p.f.world, s[0], Follows, {s[1], 1});
    CHECK_RESULT(kith_source_place(p.f.world, s[4], &Follows_type, s[1]), KITH_OK);
    KITH_SET(p.f.world, s[2], Follows, {t, 1});
    CHECK_SOURCES(p.f.world, t, &Follows_type, "6 5 2 3");
    follow_links(&p);
    pair_free(&p);
}

/* Another entity in the slot of a target, or of a source. */
TEST(links_of_slots_that_are_used_again_follow)
{
    pair p = linked_pair();
    kith_entity s[3];
    kith_entity t = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
    for (int i = 0; i < 3; i++) {
        s[i] = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
        CHECK_RESULT(KITH_SET(p.f.world, s[i], Follows, {t, 1}), KITH_OK);
    }
    follow_links(&p);
    CHECK_RESULT(kith_despawn(p.f.world, t), KITH_OK);
    kith_entity u = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_UINT(u.index1, t.index1);
    for (int i = 2; i >= 0; i--) {
        CHECK_RESULT(KITH_SET(p.f.world, s[i], Follows, {u, 1}), KITH_OK);
    }
    follow_links(&p);
    CHECK_SOURCES(p.g.world, u, &Follows_type, "3 2 1");
    CHECK_RESULT(kith_despawn(p.f.world, s[1]), KITH_OK);
    kith_entity v = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_UINT(v.index1, s[1].index1);
    CHECK_RESULT(KITH_SET(p.f.world, v, Follows, {u, 1}), KITH_OK);
    CHECK_RESULT(kith_source_place(p.f.world, v, &Follows_type, s[0]), KITH_OK);
    follow_links(&p);
    CHECK_RESULT(kith_despawn(p.f.world, u), KITH_OK);
    follow_links(&p);
    pair_free(&p);
}

/* Parents and children change places: at no time before the end is there no circle. */
TEST(a_hierarchy_that_is_turned_over_follows)
{
    pair p = linked_pair();
    kith_entity list[40];
    for (uint32_t i = 0; i < 40; i++) {
        list[i] = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
        if (i > 0) {
            CHECK_RESULT(kith_set_parent(p.f.world, list[i], list[i - 1]), KITH_OK);
        }
    }
    follow_links(&p);
    for (uint32_t i = 1; i < 40; i++) {
        CHECK_RESULT(kith_set_parent(p.f.world, list[i], KITH_NONE), KITH_OK);
        CHECK_RESULT(kith_set_parent(p.f.world, list[i - 1], list[i]), KITH_OK);
    }
    follow_links(&p);
    CHECK_UINT(kith_depth(p.g.world, list[0]), 39);
    pair_free(&p);
}

/* Anything that random changes do, forwards and back. */
TEST_WITHIN(60, random_changes_of_links_follow)
{
    for (uint64_t seed = 1; seed <= (test_short() ? 12u : 120u); seed++) {
        pair p = linked_pair();
        kith_entity list[KEPT_ENTITIES];
        uint64_t random = seed;
        for (uint32_t i = 0; i < KEPT_ENTITIES; i++) {
            list[i] = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
        }
        for (int round = 0; round < 20; round++) {
            kept_play(p.f.world, list, &random, 1 + random_below(&random, round < 10 ? 8 : 80));
            if (random_below(&random, 4) == 0) {
                kith_world_trim(p.f.world);
                kith_world_trim(p.g.world);
            }
            follow_links(&p);
        }
        /* And to what a snapshot was. */
        kith_snapshot *after;
        CHECK_RESULT(kith_snapshot_take(p.f.world, &after), KITH_OK);
        uint64_t hash = kith_world_hash(p.f.world);
        kept_play(p.f.world, list, &random, 200);
        follow_links(&p);
        CHECK_RESULT(kith_snapshot_restore(p.f.world, after), KITH_OK);
        follow_links(&p);
        CHECK(kith_world_hash(p.g.world) == hash);
        pair_free(&p);
    }
}

/* Many sources over many pages of links, of which some are given back. */
TEST_WITHIN(20, thousands_of_links_follow)
{
    enum { MANY = 4000 };
    static kith_entity list[MANY];
    pair p = linked_pair();
    uint64_t random = 5;
    const kith_values values = {&Position_type, NULL, false};
    CHECK_RESULT(kith_spawn_many(p.f.world, MANY, &values, 1, list), KITH_OK);
    for (uint32_t i = 1; i < MANY; i++) {
        CHECK_RESULT(KITH_SET(p.f.world, list[i], Docked, {list[0], 1}), KITH_OK);
    }
    follow(&p);
    for (int round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < 200; i++) {
            kith_entity e = list[1 + random_below(&random, MANY - 1)];
            kith_entity at = list[1 + random_below(&random, MANY - 1)];
            switch (random_below(&random, 4)) {
            case 0: KITH_REMOVE(p.f.world, e, Docked); break;
            case 1: KITH_SET(p.f.world, e, Docked, {list[round % 2], 1}); break;
            default: kith_source_place(p.f.world, e, &Docked_type, at);
            }
        }
        follow(&p);
    }
    for (uint32_t i = 1; i < MANY; i++) {
        KITH_REMOVE(p.f.world, list[i], Docked);
    }
    kith_world_trim(p.f.world);
    follow(&p);
    CHECK_UINT(kith_source_count(p.g.world, list[0], &Docked_type), 0);
    pair_free(&p);
}

/* ---- What is visited ---------------------------------------------------------------------------- */

typedef struct told {
    kith_world *world;
    char text[1024];
} told;

static bool add_line(void *context, const kith_difference *difference)
{
    told *to = context;
    size_t length = strlen(to->text);
    kith_print_difference(to->world, difference, to->text + length, sizeof to->text - length);
    strcat(to->text, "\n");
    return true;
}

TEST(links_are_visited_as_values)
{
    fixture f = fixture_new();
    told to = {.world = f.world};
    kith_snapshot *before, *after;
    kith_entity s[6];
    kith_entity t = spawn_six(f.world, s);
    CHECK_RESULT(kith_snapshot_take(f.world, &before), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, s[1], Follows, {s[0], 2}), KITH_OK);
    KITH_REMOVE(f.world, s[2], Follows);
    CHECK_RESULT(kith_set_parent(f.world, s[3], s[4]), KITH_OK);
    CHECK_RESULT(kith_source_place(f.world, s[5], &Docked_type, s[0]), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, t, Follows, {t, 1}), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(f.world, &after), KITH_OK);
    CHECK_RESULT(kith_snapshot_diff(before, after, add_line, &to), KITH_OK);
    CHECK_STR(to.text, "Entity(0v0): + Follows { target = Entity(0v0), since = 1 }\n"
                       "Entity(2v0): Follows.target Entity(0v0) -> Entity(1v0)\n"
                       "Entity(3v0): - Follows { target = Entity(0v0), since = 2 }\n"
                       "Entity(4v0): ChildOf.target Entity(0v0) -> Entity(5v0)\n");
    fixture_free(&f);
}

/* ---- Refused ------------------------------------------------------------------------------------ */

/* The order of what is not replaced is not compared; that of what is has to be the same. */
TEST(sources_in_another_order_are_refused)
{
    pair p = linked_pair();
    kith_entity s[6];
    kith_entity t = spawn_six(p.f.world, s);
    follow(&p);
    CHECK_RESULT(kith_source_place(p.g.world, s[0], &Docked_type, s[5]), KITH_OK);
    CHECK_RESULT(kith_source_place(p.f.world, s[4], &Docked_type, KITH_NONE), KITH_OK);
    write_difference(&p);
    check_refused(&p, KITH_ERR_CONFLICT, "other values, rows or slots");
    CHECK_RESULT(kith_source_place(p.g.world, s[0], &Docked_type, s[1]), KITH_OK);
    CHECK_RESULT(apply(&p), KITH_OK);
    check_same_links(p.f.world, p.g.world);
    CHECK_SOURCES(p.g.world, t, &Docked_type, "1 2 3 4 6 5");
    pair_free(&p);
}

/* Rules are part of the type. */
TEST(relations_with_other_rules_are_refused)
{
    static const kith_type *const same_name[] = {&Follows_type, &Docked_type};
    for (size_t i = 0; test_row(i, ROWS_OF(same_name)); i++) {
        static uint32_t number;
        kith_type other = *same_name[i];
        other.relation ^= KITH_ACYCLIC;
        other.number = &number;
        number = 0;
        pair p = {.f = fixture_new(), .g = fixture_new()};
        CHECK_RESULT(kith_snapshot_take(p.f.world, &p.before), KITH_OK);
        kith_entity a = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
        CHECK_RESULT(link_to(p.f.world, a, i == 0 ? 0 : 2, a), KITH_OK);
        write_difference(&p);
        KITH_TYPES(p.g.world, Position);
        CHECK_RESULT(kith_register(p.g.world, &other, NULL), KITH_OK);
        check_refused(&p, KITH_ERR_CONFLICT, "has other fields");
        pair_free(&p);
    }
}

TEST_WITHIN(60, bytes_of_links_survive_every_allocation_failure)
{
    for (int writes = 0; writes < 2; writes++) {
        bool reached = true;
        for (size_t nth = 1; reached; nth++) {
            pair p = linked_pair();
            kith_entity s[6];
            kith_entity list[600];
            const kith_values values = {&Position_type, NULL, false};
            spawn_six(p.f.world, s);
            CHECK_RESULT(kith_spawn_many(p.f.world, 600, &values, 1, list), KITH_OK);
            follow(&p);
            for (uint32_t i = 1; i < 600; i += 37) {
                CHECK_RESULT(kith_set_parent(p.f.world, list[i - 1], list[i]), KITH_OK);
                CHECK_RESULT(KITH_SET(p.f.world, list[i], Docked, {s[i % 6], 1}), KITH_OK);
            }
            CHECK_RESULT(kith_source_place(p.f.world, s[4], &Hangs_type, s[0]), KITH_OK);
            CHECK_RESULT(kith_despawn(p.f.world, list[599]), KITH_OK);
            kith_snapshot *after;
            CHECK_RESULT(kith_snapshot_take(p.f.world, &after), KITH_OK);
            if (writes == 0) {
                kith_bytes_free(p.f.world, &p.bytes);
                fail_allocation(&p.f, nth);
            }
            kith_result result = kith_snapshot_diff_bytes(p.before, after, &p.bytes);
            if (writes == 0) {
                reached = fail_nothing(&p.f);
                CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
                CHECK((p.bytes.size == 0) == reached);
                CHECK_RESULT(kith_snapshot_diff_bytes(p.before, after, &p.bytes), KITH_OK);
            }
            CHECK_WORLD(p.f.world);
            uint64_t hash = kith_world_hash(p.g.world);
            if (writes == 1) {
                fail_allocation(&p.g, nth);
            }
            result = kith_diff_apply(p.g.world, p.bytes.data, p.bytes.size);
            if (writes == 1) {
                reached = fail_nothing(&p.g);
                CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
                CHECK(!reached || kith_world_hash(p.g.world) == hash);
                CHECK_WORLD(p.g.world);
            }
            if (result != KITH_OK) {
                result = kith_diff_apply(p.g.world, p.bytes.data, p.bytes.size);
                CHECK_RESULT(result, KITH_OK);
            }
            CHECK_WORLD(p.g.world);
            CHECK(kith_world_hash(p.g.world) == kith_world_hash(p.f.world));
            pair_free(&p);
        }
    }
}
