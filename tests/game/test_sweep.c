/* Memory runs out at each single allocation: calls leave the world as it was, a tick fails and the next
 * one goes on, and what is told is told once. */
#include "worlds.h"

static void spawn_crowd(kith_world *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(
            world, KITH_VALUE(Position, {(float)(i % 10), (float)(i / 10)}),
            KITH_VALUE(Collider,
                       {.width = i % 7 == 0 ? 3 : 1.25f, .height = 1.25f, .swept = i % 5 == 0}),
            KITH_VALUE(Velocity, {1, 0}), KITH_VALUE(Health, {20, 20}),
            KITH_VALUE(Damage, {.amount = 1, .fragile = i % 6 == 0}))));
    }
    /* Another table, so that the order of bodies is not that of slots. */
    CHECK(!kith_is_none(KITH_SPAWN(world, KITH_VALUE(Position, {0, 0}),
                                   KITH_VALUE(Collider, {.width = 2, .height = 2}))));
}

TEST_EACH_LAYOUT(registering_needs_memory, layout)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_new();
        const kith_component_def def = {.layout = layout};
        fail_allocation(&f, nth);
        kith_result result = kith_game_register(f.world, &def);
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_WORLD(f.world);
        CHECK_RESULT(kith_game_register(f.world, &def), KITH_OK);
        CHECK_UINT(kith_type_count(f.world), 16);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}

TEST(adding_systems_needs_memory)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_new();
        CHECK_RESULT(kith_game_register(f.world, NULL), KITH_OK);
        fail_allocation(&f, nth);
        kith_result result = kith_game_add_systems(f.world, KITH_GAME_ALL);
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_INT(kith_system_at(f.world, 0, NULL, NULL) == NULL, reached);
        CHECK_WORLD(f.world);
        if (reached) {
            CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_ALL), KITH_OK);
        }
        game_tick(&f, 1);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}

/* Two ticks behind a failure come to what they come to without it. */
TEST_EACH_LAYOUT_WITHIN(20, a_tick_of_collisions_fails_whole, layout)
{
    for (int all = 0; all < 2; all++) {
        for (size_t nth = 1;; nth++) {
            fixture f = game_new(layout, KITH_GAME_COLLISION);
            fixture g = game_new(layout, KITH_GAME_COLLISION);
            spawn_crowd(f.world, 40);
            spawn_crowd(g.world, 40);
            game_tick(&f, 0.5f);
            game_tick(&g, 0.5f);
            KITH_GET_MUT(f.world, kith_entity_next(f.world, KITH_NONE), Position)->x = 4;
            KITH_GET_MUT(g.world, kith_entity_next(g.world, KITH_NONE), Position)->x = 4;
            (all ? fail_from : fail_allocation)(&f, nth);
            kith_result result = kith_run(f.world, 0.5f);
            bool reached = fail_nothing(&f);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            CHECK_WORLD(f.world);
            if (reached) {
                CHECK_UINT(kith_event_count(f.world, &Collision_type), 0);
                game_tick(&f, 0.5f);
            }
            game_tick(&g, 0.5f);
            uint32_t count = kith_event_count(g.world, &Collision_type);
            CHECK(count > 20);
            CHECK_UINT(kith_event_count(f.world, &Collision_type), count);
            for (uint32_t i = 0; i < count; i++) {
                const Collision *hit = KITH_EVENT(f.world, i, Collision);
                const Collision *other = KITH_EVENT(g.world, i, Collision);
                CHECK_SAME(hit->a, other->a);
                CHECK_SAME(hit->b, other->b);
                CHECK_INT(hit->phase, other->phase);
                CHECK_FLOAT(hit->time, other->time);
            }
            fixture_free(&f);
            fixture_free(&g);
            if (!reached) {
                break;
            }
        }
    }
}

/* ---- Damage -------------------------------------------------------------------------------------- */

/* A fight: some are hurt, some die at the first blow or the second, bullets end, some heal. */
static fixture fight_new(kith_layout layout, bool keep_dead)
{
    fixture f = game_new(layout, KITH_GAME_COLLISION | KITH_GAME_DAMAGE);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, DamageRules, {.touch = 1, .keep_dead = keep_dead}),
                 KITH_OK);
    for (int i = 0; i < 24; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i * 0.75f, 0}),
                                       KITH_VALUE(Collider, {.width = 1, .height = 1}),
                                       KITH_VALUE(Health, {i % 5 * 3 + 1, 30}),
                                       KITH_VALUE(Damage, {.amount = i % 7 - 1,
                                                           .fragile = i % 4 == 0}))));
        CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i * 0.75f, 0.5f}),
                                       KITH_VALUE(Collider, {.width = 0.5f, .height = 1}),
                                       KITH_VALUE(Health, {4, 30}))));
    }
    return f;
}

/* Memory that despawning needs: a note of who lost its Health. */
static kith_tracker *follow_health(fixture *f)
{
    kith_tracker *tracker;
    CHECK_RESULT(kith_tracker_new(f->world, &Health_type, &tracker), KITH_OK);
    return tracker;
}

typedef struct fight_end {
    uint64_t content;
    uint32_t deaths;
    uint32_t alive;
} fight_end;

static fight_end end_of(const fixture *f)
{
    return (fight_end){kith_content_hash(f->world), kith_event_count(f->world, &Death_type),
                       kith_entity_count(f->world)};
}

static void check_end(const fixture *f, const fight_end *end)
{
    CHECK(kith_content_hash(f->world) == end->content);
    CHECK_UINT(kith_event_count(f->world, &Death_type), end->deaths);
    CHECK_UINT(kith_entity_count(f->world), end->alive);
}

/* A tick that fails has hurt nobody, ended nobody and told nothing; the next one does what it would have
 * done. */
TEST_EACH_LAYOUT_WITHIN(20, a_tick_of_damage_fails_whole, layout)
{
    for (int variant = 0; variant < 4; variant++) {
        bool keep_dead = (variant & 1) != 0;
        bool all = (variant & 2) != 0;
        fixture g = fight_new(layout, keep_dead);
        kith_tracker *follower = follow_health(&g);
        const fight_end start = end_of(&g);
        game_tick(&g, 0);
        const fight_end end = end_of(&g);
        CHECK(end.deaths > 5 && (end.alive < start.alive) && end.content != start.content);
        kith_tracker_free(follower);
        fixture_free(&g);
        uint32_t failures = 0;
        for (size_t nth = 1;; nth++) {
            fixture f = fight_new(layout, keep_dead);
            follower = follow_health(&f);
            (all ? fail_from : fail_allocation)(&f, nth);
            kith_result result = kith_run(f.world, 0);
            bool reached = fail_nothing(&f);
            CHECK_WORLD(f.world);
            if (result != KITH_OK) {
                CHECK_RESULT(result, KITH_ERR_MEMORY);
                failures++;
                check_end(&f, &start);
                game_tick(&f, 0);
            }
            check_end(&f, &end);
            kith_tracker_free(follower);
            fixture_free(&f);
            if (!reached) {
                break;
            }
        }
        CHECK(failures > 20);
    }
}

/* With all systems: whichever allocation fails, the next tick is possible. (Command buffers can do
 * without some of what they ask for.) */
TEST_WITHIN(20, any_tick_may_fail_and_the_next_goes_on)
{
    uint32_t failures = 0;
    for (size_t nth = 1;; nth++) {
        fixture f = game_new(KITH_TABLE, KITH_GAME_ALL);
        spawn_crowd(f.world, 60);
        CHECK_RESULT(KITH_RESOURCE_SET(f.world, DamageRules, {.touch = 9}), KITH_OK);
        game_tick(&f, 0.25f);
        fail_allocation(&f, nth);
        kith_result result = kith_run(f.world, 0.25f);
        bool reached = fail_nothing(&f);
        CHECK(result == KITH_OK || (reached && result == KITH_ERR_MEMORY));
        failures += result != KITH_OK;
        CHECK_WORLD(f.world);
        game_tick(&f, 0.25f);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
    CHECK(failures > 20);
}

TEST_EACH_LAYOUT(a_grid_that_is_not_built_stays_as_it_was, layout)
{
    for (size_t nth = 1;; nth++) {
        fixture f = game_new(layout, 0);
        fail_allocation(&f, nth);
        kith_grid *grid = kith_grid_new(f.world);
        CHECK_INT(grid == NULL, fail_nothing(&f));
        if (grid == NULL) {
            grid = kith_grid_new(f.world);
        }
        spawn_crowd(f.world, 10);
        CHECK_RESULT(kith_grid_build(grid, 0), KITH_OK);
        spawn_crowd(f.world, 200);
        fail_allocation(&f, nth);
        kith_result result = kith_grid_build(grid, 0);
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_UINT(kith_grid_count(grid), reached ? 11 : 212);
        kith_entity found[64];
        CHECK(kith_grid_box(grid, -2, -2, 30, 30, 0, found, 64) == kith_grid_count(grid));
        CHECK(!kith_is_none(kith_grid_point(grid, 0, 0, 0)));
        CHECK_WORLD(f.world);
        kith_grid_free(grid);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}
