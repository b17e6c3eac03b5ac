/* What becomes of sources when their target is despawned. */
#include "links.h"

/* The trackers' list of what lost a component, in order. */
static void check_lost(kith_tracker *tracker, const kith_entity *expected, uint32_t count)
{
    kith_change change;
    uint32_t found = 0;
    while (kith_tracker_next(tracker, &change)) {
        CHECK(change.kind == KITH_REMOVED);
        CHECK(found < count);
        CHECK_SAME(change.entity, expected[found]);
        found++;
    }
    CHECK_UINT(found, count);
}

TEST_EACH_LAYOUT(cleared_sources_live_on, layout)
{
    fixture f = links_world(layout);
    kith_entity target = kith_spawn_empty(f.world);
    kith_entity other = kith_spawn_empty(f.world);
    kith_entity a =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Follows, {target, 1}));
    kith_entity b =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {3, 4}), KITH_VALUE(Follows, {other, 1}));
    kith_entity c = KITH_SPAWN(f.world, KITH_VALUE(Position, {5, 6}),
                               KITH_VALUE(Follows, {target, 1}), KITH_VALUE(Before, {target}));
    kith_tracker *tracker;
    CHECK_RESULT(kith_tracker_new(f.world, &Follows_type, &tracker), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, target), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK(kith_alive(f.world, a) && kith_alive(f.world, c));
    CHECK(!KITH_HAS(f.world, a, Follows) && !KITH_HAS(f.world, c, Follows));
    CHECK(!KITH_HAS(f.world, c, Before));
    CHECK_FLOAT(KITH_GET(f.world, a, Position)->x, 1);
    CHECK_FLOAT(KITH_GET(f.world, b, Position)->x, 3);
    CHECK_FLOAT(KITH_GET(f.world, c, Position)->x, 5);
    CHECK_SOURCES(f.world, other, Follows, b);
    check_lost(tracker, (kith_entity[]){a, c}, 2);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(what_is_refused_changes_nothing, layout)
{
    fixture f = links_world(layout);
    kith_entity gate = kith_spawn_empty(f.world);
    kith_entity wall = KITH_SPAWN(f.world, KITH_VALUE(PartOf, {gate}));
    kith_entity guard = KITH_SPAWN(f.world, KITH_VALUE(Guards, {wall}));
    const uint64_t hash = kith_world_hash(f.world);
    CHECK_RESULT(kith_despawn(f.world, wall), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "kith_despawn: ");
    CHECK_CONTAINS(kith_error(f.world), kith_entity_to_text(wall).text);
    CHECK_CONTAINS(kith_error(f.world), kith_entity_to_text(guard).text);
    CHECK_CONTAINS(kith_error(f.world), "Guards");
    CHECK_RESULT(kith_despawn(f.world, gate), KITH_ERR_CONFLICT); /* the wall would go with it */
    uint32_t ended = 77;
    CHECK_RESULT(kith_despawn_many(f.world, &gate, 1, &ended), KITH_ERR_CONFLICT);
    CHECK_UINT(ended, 77);
    CHECK_UINT(kith_world_hash(f.world), hash);
    CHECK_WORLD(f.world);
    /* Unless the source goes in the same call. */
    CHECK_RESULT(kith_despawn_many(f.world, (kith_entity[]){gate, guard}, 2, &ended), KITH_OK);
    CHECK_UINT(ended, 3);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_cascade_goes_depth_first, layout)
{
    fixture f = links_world(layout);
    CHECK_RESULT(kith_register(f.world, &Health_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    enum { ROOT, A, B, A1, A2, B1, OWNED, COUNT };
    kith_entity e[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Health, {(int32_t)i, 0}));
    }
    static const uint32_t links[][2] = {{B1, B}, {A2, A}, {A1, A}, {A, ROOT}, {B, ROOT}};
    for (uint32_t i = 0; i < ROWS_OF(links); i++) {
        CHECK_RESULT(KITH_SET(f.world, e[links[i][0]], PartOf, {e[links[i][1]]}), KITH_OK);
    }
    CHECK_RESULT(KITH_SET(f.world, e[OWNED], Owns, {e[A2]}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[ROOT], Owns, {e[OWNED]}), KITH_OK); /* and round */
    kith_entity bystander = KITH_SPAWN(f.world, KITH_VALUE(Follows, {e[A1], 1}));
    kith_tracker *tracker;
    CHECK_RESULT(kith_tracker_new(f.world, &Health_type, &tracker), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e[ROOT]), KITH_OK);
    CHECK_WORLD(f.world);
    check_lost(tracker, (kith_entity[]){e[ROOT], e[A], e[A2], e[OWNED], e[A1], e[B], e[B1]}, 7);
    CHECK(kith_alive(f.world, bystander));
    CHECK(!KITH_HAS(f.world, bystander, Follows));
    CHECK_UINT(kith_entity_count(f.world), 1);
    fixture_free(&f);
}

/* Relations in order of their names, whenever they were registered. */
TEST_EACH_LAYOUT(a_cascade_follows_relations_by_name, layout)
{
    for (uint32_t order = 0; order < 2; order++) {
        fixture f = fixture_new();
        const kith_type *const first = order == 0 ? &PartOf_type : &Owns_type;
        const kith_component_def def = {.layout = layout};
        CHECK_RESULT(kith_register(f.world, first, &def), KITH_OK);
        CHECK_RESULT(kith_register(f.world, order == 0 ? &Owns_type : &PartOf_type, &def), KITH_OK);
        kith_entity root = KITH_SPAWN(f.world, KITH_VALUE(Health));
        kith_entity part = KITH_SPAWN(f.world, KITH_VALUE(Health), KITH_VALUE(PartOf, {root}));
        kith_entity owned = KITH_SPAWN(f.world, KITH_VALUE(Health), KITH_VALUE(Owns, {root}));
        kith_entity last = KITH_SPAWN(f.world, KITH_VALUE(Health), KITH_VALUE(PartOf, {root}));
        kith_tracker *tracker;
        CHECK_RESULT(kith_tracker_new(f.world, &Health_type, &tracker), KITH_OK);
        CHECK_RESULT(kith_despawn(f.world, root), KITH_OK);
        check_lost(tracker, (kith_entity[]){root, owned, part, last}, 4);
        fixture_free(&f);
    }
}

/* A chain of children; `*last` has the lowest one. */
static kith_entity chain(kith_world *world, uint32_t length, kith_entity *last)
{
    const kith_entity first = kith_spawn_empty(world);
    *last = first;
    for (uint32_t i = 1; i < length; i++) {
        *last = KITH_SPAWN(world, KITH_VALUE(kith_child_of, {*last}));
    }
    return first;
}

/* No recursion, whatever the depth. */
TEST_WITHIN(20, a_long_chain_ends_at_once)
{
    const uint32_t length = test_short() ? 200000 : 1000000;
    fixture f = fixture_new();
    kith_entity last;
    const kith_entity first = chain(f.world, length, &last);
    CHECK_UINT(kith_depth(f.world, last), length - 1);
    CHECK_RESULT(kith_set_parent(f.world, first, last), KITH_ERR_CYCLE);
    CHECK_CONTAINS(kith_error(f.world), test_short() ? "199995 more" : "999995 more");
    CHECK_RESULT(kith_despawn(f.world, first), KITH_OK);
    CHECK_UINT(kith_entity_count(f.world), 0);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* It ends as a whole or not at all, also if one refuses at its very end. */
TEST_WITHIN(20, a_long_chain_ends_or_stays)
{
    const uint32_t length = test_short() ? 2000 : 100000;
    fixture f = links_world(KITH_SLOT);
    kith_entity last;
    const kith_entity first = chain(f.world, length, &last);
    const kith_entity guard = KITH_SPAWN(f.world, KITH_VALUE(Guards, {last}));
    const uint64_t hash = kith_world_hash(f.world);
    CHECK_RESULT(kith_despawn(f.world, first), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), kith_entity_to_text(guard).text);
    CHECK_UINT(kith_world_hash(f.world), hash);
    CHECK_RESULT(kith_despawn(f.world, guard), KITH_OK);
    const uint64_t without = kith_world_hash(f.world);
    kith_snapshot *taken;
    CHECK_RESULT(kith_snapshot_take(f.world, &taken), KITH_OK);
    uint32_t failures = 0;
    for (size_t nth = 1, step = 1;; nth += step, step += nth / 8) {
        fail_allocation(&f, nth);
        const kith_result result = kith_despawn(f.world, first);
        const bool failed = fail_nothing(&f);
        CHECK(result == KITH_OK || (failed && result == KITH_ERR_MEMORY));
        if (!failed) {
            break;
        }
        if (result == KITH_OK) { /* there was no memory for an extent, but some for a block */
            CHECK_UINT(kith_entity_count(f.world), 0);
            CHECK_RESULT(kith_snapshot_restore(f.world, taken), KITH_OK);
        }
        CHECK_UINT(kith_world_hash(f.world), without);
        CHECK_UINT(kith_depth(f.world, last), length - 1);
        failures += result != KITH_OK;
    }
    CHECK(failures >= 10);
    CHECK_UINT(kith_entity_count(f.world), 0);
    CHECK_WORLD(f.world);
    CHECK_RESULT(kith_snapshot_restore(f.world, taken), KITH_OK);
    CHECK_UINT(kith_world_hash(f.world), without);
    CHECK_WORLD(f.world);
    kith_snapshot_free(taken);
    fixture_free(&f);
}

/* A cascade with all there is to it: whichever allocation fails, nothing happened. */
static kith_entity tangle(fixture *f)
{
    kith_entity root = KITH_SPAWN(f->world, KITH_VALUE(Position, {0, 0}));
    for (uint32_t i = 0; i < 40; i++) {
        kith_entity child =
            KITH_SPAWN(f->world, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(PartOf, {root}));
        KITH_SPAWN(f->world, KITH_VALUE(Owns, {child}));
        KITH_SPAWN(f->world, KITH_VALUE(Follows, {child, 1}), KITH_VALUE(Before, {child}),
                   KITH_VALUE(Health, {1, 2}));
    }
    return root;
}

static kith_result end_one(kith_world *world, kith_entity root)
{
    return kith_despawn(world, root);
}

static kith_result end_many(kith_world *world, kith_entity root)
{
    return kith_despawn_many(world, &root, 1, NULL);
}

static kith_result end_queued(kith_world *world, kith_entity root)
{
    kith_commands *commands = kith_commands_new(world, NULL);
    kith_result result = commands == NULL ? KITH_ERR_MEMORY : KITH_DESPAWN(commands, root);
    result = result == KITH_OK ? kith_commands_apply(commands, NULL) : result;
    kith_commands_free(commands);
    return result;
}

static void sweep_end(kith_layout layout, bool snapshot,
                      kith_result (*end)(kith_world *world, kith_entity root))
{
    for (size_t nth = 1;; nth++) {
        fixture f = links_world(layout);
        kith_entity root = tangle(&f);
        kith_snapshot *taken = NULL;
        CHECK_RESULT(snapshot ? kith_snapshot_take(f.world, &taken) : KITH_OK, KITH_OK);
        const uint64_t hash = kith_world_hash(f.world);
        fail_allocation(&f, nth);
        kith_result result = end(f.world, root);
        const bool reached = fail_nothing(&f);
        if (result == KITH_OK) {
            CHECK_UINT(kith_entity_count(f.world), 40);
        } else {
            CHECK_RESULT(result, KITH_ERR_MEMORY);
            CHECK_UINT(kith_world_hash(f.world), hash);
        }
        CHECK_WORLD(f.world);
        kith_snapshot_free(taken);
        fixture_free(&f);
        if (!reached) {
            CHECK_RESULT(result, KITH_OK);
            return;
        }
    }
}

TEST_EACH_LAYOUT_WITHIN(20, a_cascade_survives_every_allocation_failure, layout)
{
    sweep_end(layout, false, end_one);
    sweep_end(layout, true, end_one);
    sweep_end(layout, false, end_many);
    sweep_end(layout, true, end_many);
    sweep_end(layout, false, end_queued);
    sweep_end(layout, true, end_queued);
}
