/* Clones of trees that parallel systems queue: the buffers are joined, and handles get other numbers. */
#include "links.h"

enum { CAMPS = 3000 };

KITH_TAG(Camp);

/* Each camp clones a tree that it has just made, and the one that was there. */
static void settle(kith_iter *it)
{
    while (kith_next(it)) {
        const kith_entity *camps = kith_entities(it);
        for (uint32_t i = 0; i < it->count; i++) {
            const kith_entity top = KITH_SPAWN(it->commands, KITH_VALUE(Position, {1, 0}));
            const kith_entity below = KITH_SPAWN(it->commands, KITH_VALUE(kith_child_of, {top}),
                                                 KITH_VALUE(Target, {top}));
            KITH_SET(it->commands, top, Target, {below});
            KITH_SET(it->commands, top, kith_child_of, {camps[i]});
            const kith_entity second = KITH_CLONE_TREE(it->commands, camps[i]);
            KITH_REMOVE(it->commands, second, Camp);
            KITH_SET(it->commands, second, Target, {KITH_CLONE_TREE(it->commands, second)});
        }
    }
}

static uint64_t settled(uint32_t workers)
{
    fixture f = fixture_new();
    KITH_TYPES(f.world, Camp, Position, Target, Frozen, kith_child_of);
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = workers}), KITH_OK);
    for (uint32_t i = 0; i < CAMPS; i++) {
        const kith_entity camp = KITH_SPAWN(f.world, KITH_VALUE(Camp));
        KITH_SPAWN(f.world, KITH_VALUE(kith_child_of, {camp}), KITH_VALUE(Frozen));
    }
    CHECK_RESULT(kith_system_add(f.world, &(kith_system_def){.name = "settle",
                                                             .run = settle,
                                                             .parallel = true,
                                                             .query.terms =
                                                                 KITH_TERMS(KITH_WITH(Camp))}),
                 KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_UINT(kith_entity_count(f.world), CAMPS * 12);
    uint32_t roots = 0;
    kith_entity e = KITH_NONE;
    while (!kith_is_none(e = kith_entity_next(f.world, e))) {
        if (!kith_is_none(kith_parent(f.world, e))) {
            continue;
        }
        roots++;
        CHECK_UINT(kith_child_count(f.world, e), 2);
        CHECK(KITH_HAS(f.world, kith_child_first(f.world, e), Frozen));
        const kith_entity top = kith_child_last(f.world, e);
        const kith_entity below = kith_child_first(f.world, top);
        CHECK_SAME(KITH_GET(f.world, top, Target)->entity, below);
        CHECK_SAME(KITH_GET(f.world, below, Target)->entity, top);
        if (KITH_HAS(f.world, e, Target)) {
            CHECK(!kith_entity_equal(KITH_GET(f.world, e, Target)->entity, e));
            CHECK(kith_alive(f.world, KITH_GET(f.world, e, Target)->entity));
        }
    }
    CHECK_UINT(roots, CAMPS * 3);
    const uint64_t hash = kith_world_hash(f.world);
    fixture_free(&f);
    return hash;
}

TEST_WITHIN(10, trees_that_systems_clone_are_the_same_for_any_number_of_workers)
{
    const uint64_t alone = settled(1);
    CHECK(settled(2) == alone);
    CHECK(settled(4) == alone);
}
