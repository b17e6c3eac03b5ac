/* Snapshots keep the links of relations: targets, and the order of sources. */
#include <kith/kith.h>

#include "kept_relations.h"
#include "store/relation.h"
#include "world/world.h"

/* Four sources of one target, and the same as children. */
static kith_entity spawn_family(kith_world *world, kith_entity *sources, uint32_t count)
{
    kith_entity target = KITH_SPAWN(world, KITH_VALUE(Position, {0, 0}));
    for (uint32_t i = 0; i < count; i++) {
        sources[i] = KITH_SPAWN(world, KITH_VALUE(Position, {(float)i, 1}));
        CHECK_RESULT(KITH_SET(world, sources[i], Follows, {target, 1}), KITH_OK);
        CHECK_RESULT(kith_set_parent(world, sources[i], target), KITH_OK);
    }
    return target;
}

TEST(a_restore_brings_the_order_of_sources_back)
{
    fixture f = fixture_new();
    kith_entity s[4];
    kith_entity t = spawn_family(f.world, s, 4);
    kith_snapshot *first, *second;
    CHECK_RESULT(kith_source_place(f.world, s[3], &Follows_type, s[1]), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(f.world, &first), KITH_OK);
    uint64_t hash = kith_world_hash(f.world);

    CHECK_RESULT(kith_source_place(f.world, s[0], &Follows_type, KITH_NONE), KITH_OK);
    CHECK_RESULT(kith_insert_child(f.world, s[3], s[0]), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, s[1]), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(f.world, &second), KITH_OK);
    uint64_t later = kith_world_hash(f.world);
    CHECK(later != hash);

    CHECK_RESULT(kith_despawn(f.world, t), KITH_OK); /* and the children */
    CHECK_UINT(kith_entity_count(f.world), 0);
    for (int i = 0; i < 2; i++) { /* back, forth, and again */
        CHECK_RESULT(kith_snapshot_restore(f.world, first), KITH_OK);
        CHECK_WORLD(f.world);
        CHECK(kith_world_hash(f.world) == hash);
        CHECK_SOURCES(f.world, t, &Follows_type, "1 4 2 3");
        CHECK_SOURCES(f.world, t, &kith_child_of_type, "1 2 3 4");
        CHECK_RESULT(kith_snapshot_restore(f.world, second), KITH_OK);
        CHECK_WORLD(f.world);
        CHECK(kith_world_hash(f.world) == later);
        CHECK_SOURCES(f.world, t, &Follows_type, "4 3 1");
        CHECK_SOURCES(f.world, t, &kith_child_of_type, "4 1 3");
    }
    fixture_free(&f);
}

/* What hash differs by nothing but the order of sources. */
TEST(the_order_of_sources_counts_in_hashes)
{
    fixture f = fixture_new();
    kith_entity s[3];
    kith_entity t = spawn_family(f.world, s, 3);
    uint64_t hash = kith_world_hash(f.world);
    uint64_t content = kith_content_hash(f.world);
    CHECK_RESULT(kith_source_place(f.world, s[2], &Follows_type, s[0]), KITH_OK);
    CHECK(kith_world_hash(f.world) != hash);
    CHECK(kith_content_hash(f.world) != content);
    CHECK_SOURCES(f.world, t, &Follows_type, "3 1 2");
    CHECK_RESULT(kith_source_place(f.world, s[2], &Follows_type, KITH_NONE), KITH_OK);
    CHECK(kith_world_hash(f.world) == hash);
    CHECK(kith_content_hash(f.world) == content);
    fixture_free(&f);
}

/* The order in which relations were registered does not count. */
TEST(the_order_of_registration_counts_in_no_hash)
{
    fixture f = fixture_new();
    fixture g = fixture_new();
    KITH_TYPES(f.world, Follows, Hangs, Docked, kith_child_of);
    KITH_TYPES(g.world, kith_child_of, Docked, Hangs, Follows);
    kith_entity list[2][KEPT_ENTITIES];
    uint64_t random[2] = {5, 5};
    for (uint32_t i = 0; i < KEPT_ENTITIES; i++) {
        list[0][i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        list[1][i] = KITH_SPAWN(g.world, KITH_VALUE(Position, {1, 2}));
    }
    kept_play(f.world, list[0], &random[0], 500);
    kept_play(g.world, list[1], &random[1], 500);
    check_same_links(f.world, g.world);
    CHECK(kith_world_hash(f.world) == kith_world_hash(g.world));
    CHECK(kith_content_hash(f.world) == kith_content_hash(g.world));
    fixture_free(&f);
    fixture_free(&g);
}

/* Snapshots of before a relation was known: it is known then, and has nothing. */
TEST(relations_that_came_later_are_empty_after_a_restore)
{
    fixture f = fixture_new();
    kith_snapshot *none, *one, *all;
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(kith_snapshot_take(f.world, &none), KITH_OK);
    uint64_t hash = kith_world_hash(f.world);
    CHECK_RESULT(link_to(f.world, a, 0, b), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(f.world, &one), KITH_OK);
    for (int i = 1; i < KEPT_RELATIONS; i++) {
        CHECK_RESULT(link_to(f.world, a, i, b), KITH_OK);
    }
    CHECK_RESULT(kith_snapshot_take(f.world, &all), KITH_OK);
    uint64_t full = kith_world_hash(f.world);

    CHECK_RESULT(kith_snapshot_restore(f.world, one), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_SOURCES(f.world, b, &Follows_type, "0");
    for (int i = 1; i < KEPT_RELATIONS; i++) {
        CHECK_SOURCES(f.world, b, kept_relations[i], "");
    }
    CHECK_RESULT(kith_snapshot_restore(f.world, none), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK(kith_world_hash(f.world) == hash);
    CHECK_SOURCES(f.world, b, &Follows_type, "");
    CHECK_RESULT(link_to(f.world, b, 3, a), KITH_OK); /* the other way round */
    CHECK_RESULT(kith_snapshot_restore(f.world, all), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK(kith_world_hash(f.world) == full);
    for (int i = 0; i < KEPT_RELATIONS; i++) {
        CHECK_SOURCES(f.world, b, kept_relations[i], "0");
    }
    fixture_free(&f);
}

/* Many snapshots, and restores of any of them, older and newer, some freed between. */
static void play_snapshots(uint64_t seed)
{
    enum { SNAPSHOTS = 6 };
    kept_world k = kept_world_new(seed);
    kith_world *w = k.f.world;
    kith_snapshot *snapshots[SNAPSHOTS] = {NULL};
    uint64_t hashes[SNAPSHOTS] = {0};
    static char links[SNAPSHOTS][16384];
    kith_entity lists[SNAPSHOTS][KEPT_ENTITIES];
    for (int round = 0; round < 60; round++) {
        const uint32_t i = random_below(&k.random, SNAPSHOTS);
        switch (random_below(&k.random, 5)) {
        case 0:
        case 1:
            kith_snapshot_free(snapshots[i]);
            CHECK_RESULT(kith_snapshot_take(w, &snapshots[i]), KITH_OK);
            hashes[i] = kith_world_hash(w);
            write_links(w, links[i], sizeof links[i]);
            memcpy(lists[i], k.list, sizeof k.list);
            break;
        case 2: kith_world_trim(w); break;
        default:
            if (snapshots[i] != NULL) {
                static char now[16384];
                CHECK_RESULT(kith_snapshot_restore(w, snapshots[i]), KITH_OK);
                CHECK(kith_world_hash(w) == hashes[i]);
                write_links(w, now, sizeof now);
                CHECK_STR(now, links[i]);
                memcpy(k.list, lists[i], sizeof k.list);
            }
        }
        CHECK_WORLD(w);
        kept_play(w, k.list, &k.random, 1 + random_below(&k.random, 30));
        CHECK_WORLD(w);
    }
    fixture_free(&k.f);
}

TEST_WITHIN(30, any_snapshot_is_restored_as_it_was)
{
    for (uint64_t seed = 1; seed <= (test_short() ? 4u : 40u); seed++) {
        play_snapshots(seed);
    }
}

/* What is in pages that were given back since: they hold nothing but zeros then. */
TEST(pages_of_links_are_given_back_and_restored)
{
    fixture f = fixture_new();
    kith_entity list[3000];
    const kith_values values = {&Position_type, NULL, false};
    CHECK_RESULT(kith_spawn_many(f.world, 3000, &values, 1, list), KITH_OK);
    kith_component_stats stats;
    CHECK_RESULT(kith_register(f.world, &Docked_type, NULL), KITH_OK);
    CHECK_RESULT(kith_component_memory(f.world, &Docked_type, &stats), KITH_OK);
    size_t least = stats.reserved;
    for (uint32_t i = 1; i < 3000; i++) {
        CHECK_RESULT(KITH_SET(f.world, list[i], Docked, {list[i - 1], 1}), KITH_OK);
    }
    CHECK_RESULT(kith_component_memory(f.world, &Docked_type, &stats), KITH_OK);
    CHECK(stats.reserved >= least + 3000 * (sizeof(Docked) + sizeof(ki_link)));
    kith_snapshot *full;
    CHECK_RESULT(kith_snapshot_take(f.world, &full), KITH_OK);
    uint64_t hash = kith_world_hash(f.world);
    for (uint32_t i = 1; i < 3000; i++) {
        KITH_REMOVE(f.world, list[i], Docked);
    }
    kith_world_trim(f.world);
    CHECK_WORLD(f.world);
    CHECK_RESULT(kith_component_memory(f.world, &Docked_type, &stats), KITH_OK);
    CHECK(stats.reserved < least + 3000 * sizeof(ki_link));
    CHECK_RESULT(kith_snapshot_restore(f.world, full), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK(kith_world_hash(f.world) == hash);
    CHECK_SAME(kith_source_first(f.world, list[1500], &Docked_type), list[1501]);
    fixture_free(&f);
}

/* Transient relations are no part of the state: hashes and snapshots leave them out, targets are let
 * go all the same. */
TEST(transient_relations_are_gone_after_a_restore)
{
    for (int layout = KITH_SPARSE; layout <= KITH_SLOT; layout++) {
        fixture f = fixture_new();
        const kith_component_def def = {.layout = (kith_layout)layout, .transient = true};
        CHECK_RESULT(kith_register(f.world, &Hangs_type, &def), KITH_OK);
        KITH_TYPES(f.world, Follows);
        kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        kith_entity c = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        CHECK_RESULT(KITH_SET(f.world, a, Follows, {b, 1}), KITH_OK);
        uint64_t hash = kith_world_hash(f.world);
        uint64_t content = kith_content_hash(f.world);
        CHECK_RESULT(KITH_SET(f.world, a, Hangs, {b}), KITH_OK);
        CHECK_RESULT(KITH_SET(f.world, c, Hangs, {b}), KITH_OK);
        CHECK(kith_world_hash(f.world) == hash);
        CHECK(kith_content_hash(f.world) == content);
        kith_snapshot *first, *second;
        CHECK_RESULT(kith_snapshot_take(f.world, &first), KITH_OK);
        CHECK_RESULT(kith_source_place(f.world, c, &Hangs_type, a), KITH_OK);
        CHECK_RESULT(kith_snapshot_take(f.world, &second), KITH_OK);
        CHECK_WORLD(f.world);
        CHECK_SOURCES(f.world, b, &Hangs_type, "2 0");

        kith_world *view, *fork;
        CHECK_RESULT(kith_view_new(second, NULL, &view), KITH_OK);
        CHECK_RESULT(kith_fork_new(second, NULL, &fork), KITH_OK);
        CHECK_WORLD(view);
        CHECK_WORLD(fork);
        CHECK_SOURCES(view, b, &Hangs_type, "");
        CHECK_SOURCES(fork, b, &Hangs_type, "");
        CHECK_RESULT(KITH_SET(fork, b, Hangs, {a}), KITH_OK);
        CHECK_RESULT(kith_despawn(fork, a), KITH_OK);
        CHECK(!kith_alive(fork, b));
        CHECK_WORLD(fork);
        kith_world_free(view);
        kith_world_free(fork);

        kith_bytes bytes = {0};
        CHECK_RESULT(kith_despawn(f.world, c), KITH_OK);
        CHECK_RESULT(kith_snapshot_take(f.world, &second), KITH_OK);
        CHECK_RESULT(kith_snapshot_diff_bytes(second, first, &bytes), KITH_OK);
        CHECK_SOURCES(f.world, b, &Hangs_type, "0");
        bytes.data[bytes.size - 1] = 9; /* refused: nothing of it is lost */
        CHECK_RESULT(kith_diff_apply(f.world, bytes.data, bytes.size), KITH_ERR_INPUT);
        CHECK_SOURCES(f.world, b, &Hangs_type, "0");
        CHECK_WORLD(f.world);
        bytes.data[bytes.size - 1] = 0;
        CHECK_RESULT(kith_diff_apply(f.world, bytes.data, bytes.size), KITH_OK);
        CHECK_SOURCES(f.world, b, &Hangs_type, "");
        CHECK_SOURCES(f.world, b, &Follows_type, "0");
        CHECK_WORLD(f.world);
        kith_bytes_free(f.world, &bytes);
        CHECK_RESULT(kith_snapshot_restore(f.world, first), KITH_OK);
        CHECK_WORLD(f.world);
        CHECK(kith_world_hash(f.world) == hash);
        CHECK_SOURCES(f.world, b, &Hangs_type, "");
        CHECK_RESULT(KITH_SET(f.world, c, Hangs, {b}), KITH_OK);
        CHECK_RESULT(kith_despawn(f.world, b), KITH_OK);
        CHECK(!kith_alive(f.world, c) && kith_alive(f.world, a));
        fixture_free(&f);
    }
}

/* ---- Want of memory ---------------------------------------------------------------------------- */

typedef kith_result (*kept_call)(kith_world *world, kith_entity *list, kith_snapshot *older);

static kith_result call_link(kith_world *world, kith_entity *list, kith_snapshot *older)
{
    (void)older;
    return KITH_SET(world, list[900], Follows, {list[0], 3});
}

static kith_result call_relink(kith_world *world, kith_entity *list, kith_snapshot *older)
{
    (void)older;
    return KITH_SET(world, list[500], Docked, {list[1], 3});
}

static kith_result call_unlink(kith_world *world, kith_entity *list, kith_snapshot *older)
{
    (void)older;
    return KITH_REMOVE(world, list[500], Docked);
}

static kith_result call_place(kith_world *world, kith_entity *list, kith_snapshot *older)
{
    (void)older;
    return kith_source_place(world, list[500], &Docked_type, list[301]);
}

static kith_result call_insert(kith_world *world, kith_entity *list, kith_snapshot *older)
{
    (void)older;
    return kith_insert_child(world, list[901], list[600]);
}

static kith_result call_sort(kith_world *world, kith_entity *list, kith_snapshot *older)
{
    (void)older;
    uint32_t by = 7;
    return kith_sort_children(world, list[2], kept_compare, &by);
}

static kith_result call_despawn(kith_world *world, kith_entity *list, kith_snapshot *older)
{
    (void)older;
    return kith_despawn(world, list[2]);
}

static kith_result call_despawn_many(kith_world *world, kith_entity *list, kith_snapshot *older)
{
    (void)older;
    return kith_despawn_many(world, list + 400, 200, NULL);
}

static kith_result call_clone(kith_world *world, kith_entity *list, kith_snapshot *older)
{
    (void)older;
    kith_entity made;
    return kith_clone(world, list[500], &made);
}

static kith_result call_take(kith_world *world, kith_entity *list, kith_snapshot *older)
{
    (void)list, (void)older;
    kith_snapshot *taken = NULL;
    return kith_snapshot_take(world, &taken);
}

static kith_result call_restore(kith_world *world, kith_entity *list, kith_snapshot *older)
{
    (void)list;
    return kith_snapshot_restore(world, older);
}

static const kept_call kept_calls[] = {
    call_link,    call_relink,       call_unlink, call_place, call_insert, call_sort,
    call_despawn, call_despawn_many, call_clone,  call_take,  call_restore};

/* A thousand entities, of which those that follow one another are on several pages of links, all shared
 * with a snapshot; then some are not. */
static fixture fixture_of_pages(kith_entity *list, kith_snapshot **older)
{
    fixture f = fixture_new();
    kith_entity all[4000];
    const kith_values values = {&Position_type, NULL, false};
    CHECK_RESULT(kith_spawn_many(f.world, 4000, &values, 1, all), KITH_OK);
    for (uint32_t i = 0; i < 1000; i++) {
        list[i] = all[i * 1031 % 4000];
    }
    for (uint32_t i = 3; i < 900; i++) {
        CHECK_RESULT(KITH_SET(f.world, list[i], Docked, {list[0], 1}), KITH_OK);
        CHECK_RESULT(KITH_SET(f.world, list[i], Hangs, {list[i - 1]}), KITH_OK);
        if (i % 3 == 0) {
            CHECK_RESULT(KITH_SET(f.world, list[i], Follows, {list[2], 1}), KITH_OK);
        }
        if (i >= 600 && i < 640) {
            CHECK_RESULT(kith_set_parent(f.world, list[i], list[2]), KITH_OK);
        }
    }
    CHECK_RESULT(kith_snapshot_take(f.world, older), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, list[20], Docked), KITH_OK);
    CHECK_RESULT(kith_source_place(f.world, list[850], &Docked_type, list[30]), KITH_OK);
    kith_snapshot *newer;
    CHECK_RESULT(kith_snapshot_take(f.world, &newer), KITH_OK);
    return f;
}

TEST_WITHIN(60, links_that_are_shared_survive_every_allocation_failure)
{
    for (size_t c = 0; test_row(c, ROWS_OF(kept_calls)); c++) {
        bool reached = true;
        uint64_t done = 0;
        for (size_t nth = 1; reached; nth++) {
            kith_entity list[1000];
            kith_snapshot *older;
            fixture f = fixture_of_pages(list, &older);
            const uint64_t hash = kith_world_hash(f.world);
            fail_allocation(&f, nth);
            kith_result result = kept_calls[c](f.world, list, older);
            reached = fail_nothing(&f);
            CHECK_WORLD(f.world);
            if (reached) {
                CHECK_RESULT(result, KITH_ERR_MEMORY);
                CHECK(kith_world_hash(f.world) == hash);
                CHECK_RESULT(kept_calls[c](f.world, list, older), KITH_OK);
                done = nth == 1 ? kith_world_hash(f.world) : done;
            } else {
                CHECK_RESULT(result, KITH_OK);
                done = nth == 1 ? kith_world_hash(f.world) : done;
            }
            CHECK(kith_world_hash(f.world) == done);
            CHECK_WORLD(f.world);
            CHECK_RESULT(kith_snapshot_restore(f.world, older), KITH_OK); /* which is as it was */
            CHECK_WORLD(f.world);
            CHECK_SAME(kith_source_next(f.world, list[19], &Docked_type), list[20]);
            CHECK_SAME(kith_source_last(f.world, list[0], &Docked_type), list[899]);
            fixture_free(&f);
        }
    }
}
