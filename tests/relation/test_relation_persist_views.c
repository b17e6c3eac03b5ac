/* Views and forks have the links of the snapshot: views read them, and forks go their own way. */
#include <kith/kith.h>

#include "kept_relations.h"

static kith_entity spawn_tree(kith_world *world, kith_entity *list)
{
    for (uint32_t i = 0; i < 7; i++) {
        list[i] = KITH_SPAWN(world, KITH_VALUE(Position, {(float)i, 1}));
    }
    for (uint32_t i = 1; i < 7; i++) { /* 0: 1 2; 1: 3 4; 2: 5 6 */
        CHECK_RESULT(kith_set_parent(world, list[i], list[(i - 1) / 2]), KITH_OK);
    }
    CHECK_RESULT(kith_insert_child(world, list[2], list[1]), KITH_OK);
    CHECK_RESULT(KITH_SET(world, list[5], Follows, {list[6], 1}), KITH_OK);
    return list[0];
}

/* All that reads does. */
static void check_tree(kith_world *world, const kith_entity *list)
{
    char walk[64] = "";
    size_t length = 0;
    CHECK_SOURCES(world, list[0], &kith_child_of_type, "2 1");
    CHECK_SAME(kith_target(world, list[5], &Follows_type), list[6]);
    CHECK_SAME(kith_source_first(world, list[6], &Follows_type), list[5]);
    CHECK_SAME(kith_source_last(world, list[6], &Follows_type), list[5]);
    CHECK_UINT(kith_source_count(world, list[6], &Follows_type), 1);
    CHECK_SAME(kith_source_next(world, list[5], &Follows_type), KITH_NONE);
    CHECK_SAME(kith_source_previous(world, list[5], &Follows_type), KITH_NONE);
    CHECK_SAME(kith_parent(world, list[3]), list[1]);
    CHECK_SAME(kith_child_first(world, list[0]), list[2]);
    CHECK_SAME(kith_child_last(world, list[0]), list[1]);
    CHECK_SAME(kith_child_next(world, list[2]), list[1]);
    CHECK_SAME(kith_child_previous(world, list[1]), list[2]);
    CHECK_UINT(kith_child_count(world, list[2]), 2);
    CHECK_SAME(kith_root(world, list[6]), list[0]);
    CHECK_UINT(kith_depth(world, list[6]), 2);
    CHECK(kith_is_ancestor(world, list[0], list[6]));
    CHECK(!kith_is_ancestor(world, list[1], list[6]));
    CHECK_SAME(kith_common_ancestor(world, list[5], list[6]), list[2]);
    CHECK_SAME(kith_common_ancestor(world, list[3], list[6]), list[0]);
    for (kith_entity e = kith_descendant_next(world, list[0], list[0]); !kith_is_none(e);
         e = kith_descendant_next(world, list[0], e)) {
        length += (size_t)snprintf(walk + length, sizeof walk - length, "%u", e.index1 - 1);
    }
    CHECK_STR(walk, "256134");
    length = 0;
    for (kith_entity e = kith_descendant_next_by_level(world, list[0], list[0]); !kith_is_none(e);
         e = kith_descendant_next_by_level(world, list[0], e)) {
        length += (size_t)snprintf(walk + length, sizeof walk - length, "%u", e.index1 - 1);
    }
    CHECK_STR(walk, "215634");
}

static void count_misuse(const char *message, void *context)
{
    CHECK_CONTAINS(message, "view");
    ++*(uint32_t *)context;
}

TEST(a_view_reads_links_and_writes_none)
{
    fixture f = fixture_new();
    uint32_t misused = 0;
    const kith_world_def def = {.on_misuse = count_misuse, .misuse_context = &misused};
    kith_entity list[7];
    kith_snapshot *taken;
    kith_world *view;
    spawn_tree(f.world, list);
    CHECK_RESULT(kith_snapshot_take(f.world, &taken), KITH_OK);
    uint64_t hash = kith_world_hash(f.world);
    uint64_t content = kith_content_hash(f.world);
    CHECK_RESULT(kith_view_new(taken, &def, &view), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, list[2]), KITH_OK);
    CHECK_RESULT(kith_set_parent(f.world, list[3], KITH_NONE), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_WORLD(view);
    CHECK(kith_world_hash(view) == hash);
    CHECK(kith_content_hash(view) == content);
    check_tree(view, list);

    uint32_t by = 1;
    CHECK_RESULT(KITH_SET(view, list[1], Follows, {list[0], 1}), KITH_ERR_MISUSE);
    CHECK_RESULT(KITH_REMOVE(view, list[5], Follows), KITH_ERR_MISUSE);
    CHECK_RESULT(kith_source_place(view, list[1], &kith_child_of_type, list[2]), KITH_ERR_MISUSE);
    CHECK_RESULT(kith_set_parent(view, list[1], list[2]), KITH_ERR_MISUSE);
    CHECK_RESULT(kith_set_parent(view, list[1], KITH_NONE), KITH_ERR_MISUSE);
    CHECK_RESULT(kith_insert_child(view, list[1], list[2]), KITH_ERR_MISUSE);
    CHECK_RESULT(kith_sort_children(view, list[0], kept_compare, &by), KITH_ERR_MISUSE);
    CHECK_UINT(misused, 7);
    CHECK(kith_world_hash(view) == hash);
    check_tree(view, list);
    kith_world_free(view);
    fixture_free(&f);
}

TEST(a_fork_goes_its_own_way)
{
    fixture f = fixture_new();
    kith_entity list[7];
    kith_snapshot *taken;
    kith_world *fork;
    spawn_tree(f.world, list);
    CHECK_RESULT(kith_snapshot_take(f.world, &taken), KITH_OK);
    CHECK_RESULT(kith_fork_new(taken, NULL, &fork), KITH_OK);
    uint64_t hash = kith_world_hash(f.world);
    CHECK(kith_world_hash(fork) == hash);
    check_tree(fork, list);
    CHECK_RESULT(kith_source_place(fork, list[5], &kith_child_of_type, KITH_NONE), KITH_OK);
    CHECK_RESULT(KITH_SET(fork, list[3], Follows, {list[6], 1}), KITH_OK);
    CHECK_RESULT(kith_set_parent(fork, list[0], list[6]), KITH_ERR_CYCLE);
    CHECK_RESULT(kith_despawn(fork, list[1]), KITH_OK);
    CHECK(!kith_alive(fork, list[3]));
    CHECK_SOURCES(fork, list[2], &kith_child_of_type, "6 5");
    CHECK_WORLD(fork);
    CHECK_WORLD(f.world);
    CHECK(kith_world_hash(f.world) == hash);
    check_tree(f.world, list);

    CHECK_RESULT(kith_despawn(f.world, list[0]), KITH_OK);
    CHECK_UINT(kith_entity_count(f.world), 0);
    CHECK_WORLD(f.world);
    CHECK_WORLD(fork);
    CHECK_SOURCES(fork, list[2], &kith_child_of_type, "6 5");
    kith_world_free(fork);
    CHECK_RESULT(kith_snapshot_restore(f.world, taken), KITH_OK);
    check_tree(f.world, list);
    fixture_free(&f);
}

/* The world and the fork play the same: relations come in the same order there. */
TEST_WITHIN(20, a_fork_plays_as_its_world_does)
{
    for (uint64_t seed = 1; seed <= (test_short() ? 6u : 60u); seed++) {
        kept_world k = kept_world_new(seed);
        kith_snapshot *taken;
        kith_world *fork;
        CHECK_RESULT(kith_snapshot_take(k.f.world, &taken), KITH_OK);
        CHECK_RESULT(kith_fork_new(taken, NULL, &fork), KITH_OK);
        kith_entity list[KEPT_ENTITIES];
        uint64_t random = k.random;
        memcpy(list, k.list, sizeof list);
        for (int round = 0; round < 10; round++) {
            kept_play(k.f.world, k.list, &k.random, 20);
            CHECK_WORLD(fork);
            kept_play(fork, list, &random, 20);
            CHECK_WORLD(k.f.world);
            CHECK_WORLD(fork);
            check_same_links(k.f.world, fork);
            CHECK(kith_world_hash(fork) == kith_world_hash(k.f.world));
        }
        /* A fork of the fork, from a snapshot of its own. */
        kith_world *second;
        CHECK_RESULT(kith_snapshot_take(fork, &taken), KITH_OK);
        CHECK_RESULT(kith_fork_new(taken, NULL, &second), KITH_OK);
        uint64_t hash = kith_world_hash(fork);
        kept_play(second, list, &random, 50);
        CHECK_WORLD(second);
        CHECK_WORLD(fork);
        CHECK(kith_world_hash(fork) == hash);
        kith_world_free(second);
        kith_world_free(fork);
        fixture_free(&k.f);
    }
}

/* Relations that came after the snapshot are known in a fork, and empty. */
TEST(relations_that_came_later_are_empty_in_a_fork)
{
    fixture f = fixture_new();
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(KITH_SET(f.world, a, Follows, {b, 1}), KITH_OK);
    kith_snapshot *taken;
    kith_world *fork, *view;
    CHECK_RESULT(kith_snapshot_take(f.world, &taken), KITH_OK);
    CHECK_RESULT(kith_set_parent(f.world, a, b), KITH_OK);
    CHECK_RESULT(kith_fork_new(taken, NULL, &fork), KITH_OK);
    CHECK_RESULT(kith_view_new(taken, NULL, &view), KITH_OK);
    CHECK_SOURCES(fork, b, &Follows_type, "0");
    CHECK_SOURCES(fork, b, &kith_child_of_type, "");
    CHECK_SOURCES(view, b, &kith_child_of_type, "");
    CHECK_WORLD(fork);
    CHECK_WORLD(view);
    CHECK_RESULT(kith_set_parent(fork, b, a), KITH_OK);
    CHECK_RESULT(kith_despawn(fork, a), KITH_OK);
    CHECK_UINT(kith_entity_count(fork), 0);
    CHECK_UINT(kith_child_count(f.world, b), 1);
    CHECK_WORLD(fork);
    CHECK_WORLD(f.world);
    kith_world_free(view);
    kith_world_free(fork);
    fixture_free(&f);
}

/* Whichever allocation fails in a fork, what it shares stays as it was. */
TEST_WITHIN(20, links_of_a_fork_survive_every_allocation_failure)
{
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        fixture f = fixture_new();
        test_memory *memory = test_memory_new();
        kith_allocator allocator = test_memory_allocator(memory);
        kith_entity list[7];
        kith_snapshot *taken;
        kith_world *fork;
        spawn_tree(f.world, list);
        CHECK_RESULT(kith_snapshot_take(f.world, &taken), KITH_OK);
        const kith_fork_def def = {.world = {.allocator = allocator}};
        CHECK_RESULT(kith_fork_new(taken, &def, &fork), KITH_OK);
        uint64_t hash = kith_world_hash(fork);
        test_memory_fail(memory, nth, false);
        kith_result result = kith_despawn(fork, list[2]);
        reached = test_memory_fail_nothing(memory);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK((kith_world_hash(fork) == hash) == reached);
        CHECK_WORLD(fork);
        CHECK_WORLD(f.world);
        check_tree(f.world, list);
        kith_world_free(fork);
        test_memory_free(memory);
        fixture_free(&f);
    }
}
