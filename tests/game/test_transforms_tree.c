/* Transforms down a hierarchy: after each tick all Globals are what a naive computation comes to, to the
 * bit, whatever happened before; and what did not change is not written. */
#include <kith/commands.h>
#include <kith/fork.h>
#include <kith/hierarchy.h>
#include <kith/snapshot.h>
#include <string.h>

#include "bits.h"
#include "naive.h"

static void tick_and_check(fixture *f)
{
    game_tick(f, 1);
    check_all(f->world);
}

static kith_entity spawn_part(kith_world *world, kith_entity parent, Local2 local)
{
    const kith_entity e = KITH_SPAWN(world, KITH_VALUE(Local2, local));
    CHECK_RESULT(kith_set_parent(world, e, parent), KITH_OK);
    return e;
}

/* ---- Small trees ----------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(parts_follow_what_they_are_part_of, layout)
{
    fixture f = game_new(layout, KITH_GAME_TRANSFORMS);
    const kith_entity tank = spawn_part(f.world, KITH_NONE, (Local2){.x = 10});
    const kith_entity turret = spawn_part(f.world, tank, (Local2){.y = 2, .scale_x = 3});
    const kith_entity gun = spawn_part(f.world, turret, (Local2){.x = 1});
    const kith_entity crate = spawn_part(f.world, KITH_NONE, (Local2){.x = 7});
    CHECK(!KITH_HAS(f.world, tank, Global2));
    tick_and_check(&f);
    CHECK_FLOAT(KITH_GET(f.world, gun, Global2)->x, 13);
    CHECK_FLOAT(KITH_GET(f.world, gun, Global2)->y, 2);
    KITH_GET_MUT(f.world, tank, Local2)->angle = KITH_PI / 2;
    tick_and_check(&f);
    CHECK(KITH_GET(f.world, gun, Global2)->y > 2.9f);
    CHECK_RESULT(kith_set_parent(f.world, gun, crate), KITH_OK);
    tick_and_check(&f);
    CHECK_FLOAT(KITH_GET(f.world, gun, Global2)->x, 8);
    CHECK_RESULT(kith_set_parent(f.world, gun, KITH_NONE), KITH_OK);
    tick_and_check(&f);
    CHECK_FLOAT(KITH_GET(f.world, gun, Global2)->x, 1);
    CHECK_RESULT(kith_despawn(f.world, tank), KITH_OK);
    tick_and_check(&f);
    CHECK(!kith_alive(f.world, turret));
    CHECK(kith_alive(f.world, gun));
    fixture_free(&f);
}

TEST_EACH_LAYOUT(both_dimensions_do_not_meet, layout)
{
    fixture f = game_new(layout, KITH_GAME_TRANSFORMS);
    const kith_entity flat = spawn_part(f.world, KITH_NONE, (Local2){.x = 10});
    const kith_entity solid = KITH_SPAWN(f.world, KITH_VALUE(Local3, {.position = {0, 0, 4}}));
    const kith_entity both = spawn_part(f.world, flat, (Local2){.x = 1});
    CHECK_RESULT(KITH_SET(f.world, both, Local3, {.position = {1, 2, 3}}), KITH_OK);
    tick_and_check(&f);
    CHECK_FLOAT(KITH_GET(f.world, both, Global2)->x, 11);
    CHECK_FLOAT(KITH_GET(f.world, both, Global3)->position.z, 3);
    CHECK(!KITH_HAS(f.world, solid, Global2));
    CHECK(!KITH_HAS(f.world, flat, Global3));
    CHECK_RESULT(kith_set_parent(f.world, both, solid), KITH_OK);
    tick_and_check(&f);
    CHECK_FLOAT(KITH_GET(f.world, both, Global2)->x, 1);
    CHECK_FLOAT(KITH_GET(f.world, both, Global3)->position.z, 7);
    fixture_free(&f);
}

/* A parent counts if it has a Local: an ancestor further up does not. */
TEST_EACH_LAYOUT(parents_get_and_lose_their_local, layout)
{
    fixture f = game_new(layout, KITH_GAME_TRANSFORMS);
    const kith_entity ship = spawn_part(f.world, KITH_NONE, (Local2){.x = 100});
    const kith_entity group = kith_spawn_empty(f.world);
    const kith_entity part = spawn_part(f.world, group, (Local2){.x = 1});
    const kith_entity bolt = spawn_part(f.world, part, (Local2){.x = 1});
    CHECK_RESULT(kith_set_parent(f.world, group, ship), KITH_OK);
    tick_and_check(&f);
    CHECK_FLOAT(KITH_GET(f.world, bolt, Global2)->x, 2);
    CHECK(!KITH_HAS(f.world, group, Global2));
    CHECK_RESULT(KITH_SET(f.world, group, Local2, {.x = 10}), KITH_OK);
    tick_and_check(&f);
    CHECK_FLOAT(KITH_GET(f.world, bolt, Global2)->x, 112);
    CHECK_RESULT(KITH_REMOVE(f.world, group, Local2), KITH_OK);
    tick_and_check(&f);
    CHECK_FLOAT(KITH_GET(f.world, bolt, Global2)->x, 2);
    CHECK_FLOAT(KITH_GET(f.world, group, Global2)->x, 110); /* it keeps that */
    KITH_GET_MUT(f.world, ship, Local2)->x = 50;
    tick_and_check(&f);
    CHECK_FLOAT(KITH_GET(f.world, bolt, Global2)->x, 2);
    CHECK_FLOAT(KITH_GET(f.world, group, Global2)->x, 110);
    fixture_free(&f);
}

/* What others write to a Global, and with it, does not last. */
TEST_EACH_LAYOUT(a_global_is_put_right, layout)
{
    fixture f = game_new(layout, KITH_GAME_TRANSFORMS);
    const kith_entity ship = spawn_part(f.world, KITH_NONE, (Local2){.x = 100});
    const kith_entity part = spawn_part(f.world, ship, (Local2){.x = 1});
    tick_and_check(&f);
    KITH_GET_MUT(f.world, ship, Global2)->x = 5;
    tick_and_check(&f);
    CHECK_RESULT(KITH_REMOVE(f.world, ship, Global2), KITH_OK);
    tick_and_check(&f);
    CHECK_RESULT(KITH_REMOVE(f.world, ship, Global2), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, ship, Global2, {.x = 9}), KITH_OK);
    KITH_GET_MUT(f.world, part, Global2)->y = 5;
    tick_and_check(&f);
    /* A Local and the right Global for it: the part has to hear of it. */
    KITH_GET_MUT(f.world, ship, Local2)->x = 30;
    KITH_GET_MUT(f.world, ship, Global2)->x = 30;
    tick_and_check(&f);
    CHECK_FLOAT(KITH_GET(f.world, part, Global2)->x, 31);
    fixture_free(&f);
}

TEST(it_is_a_system_of_the_late_phase)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_TRANSFORMS);
    CHECK_STR(kith_system_at(f.world, 0, NULL, NULL), "transforms");
    const kith_entity e = spawn_part(f.world, KITH_NONE, (Local2){.x = 1});
    CHECK_RESULT(kith_system_enable(f.world, "transforms", false), KITH_OK);
    game_tick(&f, 1);
    CHECK(!KITH_HAS(f.world, e, Global2));
    CHECK_RESULT(kith_system_group_enable(f.world, "game", true), KITH_OK);
    tick_and_check(&f);
    CHECK_RESULT(kith_system_remove(f.world, "transforms"), KITH_OK);
    KITH_GET_MUT(f.world, e, Local2)->x = 2;
    game_tick(&f, 1);
    CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_TRANSFORMS), KITH_OK);
    tick_and_check(&f);
    fixture_free(&f);
}

/* ---- Large ones ------------------------------------------------------------------------------ */

TEST_WITHIN(10, a_long_chain_takes_no_stack)
{
    enum { LENGTH = 100000 };
    fixture f = game_new(KITH_TABLE, KITH_GAME_TRANSFORMS);
    const kith_entity root = spawn_part(f.world, KITH_NONE, (Local2){.x = 1});
    kith_entity last = root;
    for (uint32_t i = 1; i < LENGTH; i++) {
        last = spawn_part(f.world, last, (Local2){.x = 1});
    }
    game_tick(&f, 1);
    CHECK_FLOAT(KITH_GET(f.world, last, Global2)->x, LENGTH);
    KITH_GET_MUT(f.world, root, Local2)->y = 3;
    game_tick(&f, 1);
    CHECK_FLOAT(KITH_GET(f.world, last, Global2)->y, 3);
    KITH_GET_MUT(f.world, last, Local2)->x = 5;
    game_tick(&f, 1);
    CHECK_FLOAT(KITH_GET(f.world, last, Global2)->x, LENGTH + 4);
    CHECK_RESULT(kith_despawn(f.world, root), KITH_OK);
    game_tick(&f, 1);
    fixture_free(&f);
}

/* Two chains, and their rows from the last part to the first. */
TEST_EACH_LAYOUT(parents_may_come_after_all_others, layout)
{
    enum { LENGTH = 1500, ALL = 2 * LENGTH };
    fixture f = game_new(layout, KITH_GAME_TRANSFORMS);
    static kith_entity parts[ALL];
    for (uint32_t i = 0; i < ALL; i++) {
        parts[i] = spawn_part(f.world, KITH_NONE, (Local2){.x = 1});
        if (i % LENGTH > 0) {
            CHECK_RESULT(kith_set_parent(f.world, parts[i - 1], parts[i]), KITH_OK);
        }
    }
    for (uint32_t y = 0; y < 3; y++) {
        KITH_GET_MUT(f.world, parts[LENGTH - 1], Local2)->y = (float)y;
        KITH_GET_MUT(f.world, parts[ALL - 1], Local2)->y = (float)y;
        game_tick(&f, 1);
        for (uint32_t i = 0; i < ALL; i++) {
            const Global2 *global = KITH_GET(f.world, parts[i], Global2);
            CHECK_FLOAT(global->x, (float)(LENGTH - i % LENGTH));
            CHECK_FLOAT(global->y, (float)y);
        }
    }
    fixture_free(&f);
}

static uint32_t count_seen(kith_query *query)
{
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        count += it.count;
    }
    return count;
}

/* 1 + 16 + 16 * 256 parts, the last ones in other blocks than the first. */
TEST(what_does_not_change_is_not_written)
{
    enum { ARMS = 16, FINGERS = 256 };
    fixture f = game_new(KITH_TABLE, KITH_GAME_TRANSFORMS);
    static kith_entity arms[ARMS], fingers[ARMS][FINGERS];
    const kith_entity root = spawn_part(f.world, KITH_NONE, (Local2){.x = 1});
    for (uint32_t i = 0; i < ARMS; i++) {
        arms[i] = spawn_part(f.world, root, (Local2){.y = (float)i});
    }
    for (uint32_t i = 0; i < ARMS; i++) {
        for (uint32_t j = 0; j < FINGERS; j++) {
            fingers[i][j] = spawn_part(f.world, arms[i], (Local2){.x = (float)j});
        }
    }
    const uint32_t all = 1 + ARMS + ARMS * FINGERS;
    kith_query *blocks = KITH_QUERY(f.world, KITH_CHANGED(Global2));
    tick_and_check(&f);
    CHECK_UINT(count_seen(blocks), all);
    game_tick(&f, 1);
    CHECK_UINT(count_seen(blocks), 0);
    KITH_GET_MUT(f.world, fingers[ARMS - 1][FINGERS - 1], Local2)->x = -1;
    tick_and_check(&f);
    const uint32_t block = count_seen(blocks);
    CHECK(block > 0 && block <= 1024);
    KITH_GET_MUT(f.world, root, Local2)->x = 1; /* as it was */
    tick_and_check(&f);
    CHECK_UINT(count_seen(blocks), 0);
    KITH_GET_MUT(f.world, fingers[0][0], Global2)->x = 77;
    count_seen(blocks);
    tick_and_check(&f);
    CHECK(count_seen(blocks) <= 1024);
    CHECK_PTR_NOT_NULL(KITH_GET_MUT(f.world, fingers[0][0], Global2));
    CHECK(count_seen(blocks) <= 1024);
    tick_and_check(&f);
    CHECK_UINT(count_seen(blocks), 0);
    /* So many that all are computed. */
    for (uint32_t i = 0; i < 3; i++) {
        KITH_GET_MUT(f.world, arms[i], Local2)->angle = 1;
    }
    tick_and_check(&f);
    CHECK_UINT(count_seen(blocks), all);
    game_tick(&f, 1);
    CHECK_UINT(count_seen(blocks), 0);

    CHECK_RESULT(kith_register(f.world, &Global2_type,
                               &(kith_component_def){.exact_changes = true}),
                 KITH_OK);
    count_seen(blocks);
    for (uint32_t i = 0; i < 3; i++) {
        KITH_GET_MUT(f.world, arms[i], Local2)->angle = 2;
    }
    tick_and_check(&f);
    CHECK_UINT(count_seen(blocks), 3 * (1 + FINGERS));
    KITH_GET_MUT(f.world, arms[3], Local2)->angle = 1;
    KITH_GET_MUT(f.world, fingers[3][7], Local2)->angle = 1;
    KITH_GET_MUT(f.world, fingers[5][9], Local2)->angle = 1;
    tick_and_check(&f);
    CHECK_UINT(count_seen(blocks), 1 + FINGERS + 1);
    CHECK_RESULT(kith_set_parent(f.world, arms[4], arms[3]), KITH_OK);
    tick_and_check(&f);
    CHECK_UINT(count_seen(blocks), 1 + FINGERS);
    fixture_free(&f);
}

/* Nobody is noted, which would take memory. */
TEST_EACH_LAYOUT(where_nothing_changes_nothing_is_looked_at, layout)
{
    fixture f = game_new(layout, KITH_GAME_TRANSFORMS);
    const kith_entity root = spawn_part(f.world, KITH_NONE, (Local2){.x = 1});
    for (int i = 0; i < 100; i++) {
        spawn_part(f.world, root, (Local2){.x = 1});
    }
    tick_and_check(&f);
    tick_and_check(&f); /* queries take memory for new tables */
    for (int i = 2; i < 5; i++) {
        KITH_GET_MUT(f.world, root, Local2)->x = (float)i;
        tick_and_check(&f);
        fail_from(&f, 1);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK(!fail_nothing(&f));
    }
    fixture_free(&f);
}

/* ---- Worlds ---------------------------------------------------------------------------------- */

TEST(two_worlds_do_not_meet)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_TRANSFORMS);
    fixture g = game_new(KITH_SLOT, KITH_GAME_TRANSFORMS);
    const kith_entity a = spawn_part(f.world, KITH_NONE, (Local2){.x = 1});
    const kith_entity b = spawn_part(g.world, KITH_NONE, (Local2){.x = 2});
    for (int i = 0; i < 3; i++) {
        spawn_part(f.world, a, (Local2){.x = 1});
        KITH_GET_MUT(g.world, b, Local2)->x += 1;
        tick_and_check(&f);
        tick_and_check(&g);
    }
    fixture_free(&f);
    KITH_GET_MUT(g.world, b, Local2)->x += 1;
    tick_and_check(&g);
    fixture_free(&g);
}

static kith_result set_up_fork(kith_world *fork, void *context)
{
    (void)context;
    return kith_game_add_systems(fork, KITH_GAME_TRANSFORMS);
}

/* What is not computed yet when a snapshot is taken is computed after a restore, and in a fork. */
TEST_EACH_LAYOUT(restores_and_forks_go_on, layout)
{
    fixture f = game_new(layout, KITH_GAME_TRANSFORMS);
    const kith_entity ship = spawn_part(f.world, KITH_NONE, (Local2){.x = 100});
    const kith_entity part = spawn_part(f.world, ship, (Local2){.x = 1});
    const kith_entity other = spawn_part(f.world, part, (Local2){.x = 1});
    tick_and_check(&f);
    KITH_GET_MUT(f.world, ship, Local2)->x = 30;
    CHECK_RESULT(kith_set_parent(f.world, other, ship), KITH_OK);
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
    tick_and_check(&f);
    const uint64_t hash = kith_world_hash(f.world);
    for (int i = 0; i < 2; i++) {
        KITH_GET_MUT(f.world, part, Local2)->y = 8;
        CHECK_RESULT(kith_set_parent(f.world, part, KITH_NONE), KITH_OK);
        tick_and_check(&f);
        CHECK_RESULT(kith_snapshot_restore(f.world, snapshot), KITH_OK);
        tick_and_check(&f);
        CHECK(kith_world_hash(f.world) == hash);
        game_tick(&f, 1);
    }
    kith_world *fork;
    CHECK_RESULT(kith_fork_new(snapshot, &(kith_fork_def){.set_up = set_up_fork}, &fork), KITH_OK);
    CHECK_RESULT(kith_run(fork, 1), KITH_OK);
    check_all(fork);
    CHECK(kith_world_hash(fork) == hash);
    kith_world_free(fork);
    kith_snapshot_free(snapshot);
    fixture_free(&f);
}

/* ---- Whatever happens ------------------------------------------------------------------------ */

enum { SOME = 24 };

typedef struct crowd {
    fixture f;
    kith_entity entities[SOME];
    uint64_t random;
} crowd;

static crowd crowd_new(kith_layout layout, uint64_t random)
{
    crowd c = {.f = game_new(layout, KITH_GAME_TRANSFORMS), .random = random};
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(c.f.world, &kith_child_of_type, &def), KITH_OK);
    for (uint32_t i = 0; i < SOME; i++) {
        c.entities[i] = kith_spawn_empty(c.f.world);
    }
    return c;
}

static float some_number(crowd *c)
{
    return (float)random_below(&c->random, 9) - 4;
}

static void change_local(crowd *c, kith_entity e)
{
    const float x = some_number(c), y = some_number(c);
    if (random_below(&c->random, 2) == 0) {
        CHECK_RESULT(KITH_SET(c->f.world, e, Local2, {.x = x, .angle = y}), KITH_OK);
    } else {
        const Local3 local = {.position = {x, 1, 2}, .rotation = {y, 0, 0, 1}};
        CHECK_RESULT(KITH_SET(c->f.world, e, Local3, local), KITH_OK);
    }
}

static void write_globals(crowd *c, kith_entity e)
{
    Global2 *flat = KITH_GET_MUT(c->f.world, e, Global2);
    Global3 *solid = KITH_GET_MUT(c->f.world, e, Global3);
    if (flat != NULL) {
        flat->x = some_number(c);
    }
    if (solid != NULL) {
        solid->position.x = some_number(c);
    }
}

static void write_locals(kith_world *world)
{
    kith_query *query = KITH_QUERY(world, KITH_WRITE(Local2));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Local2 *local = KITH_COLUMN_MUT(&it, Local2);
        for (uint32_t i = 0; i < it.count; i++) {
            local[i].x += (float)(kith_entity_slot(kith_entities(&it)[i]) % 2);
        }
    }
    kith_query_free(query);
}

/* One thing that may happen; with a parent that would be a circle nothing does. */
static void happen(crowd *c)
{
    kith_world *world = c->f.world;
    kith_entity *e = &c->entities[random_below(&c->random, SOME)];
    const kith_entity other = c->entities[random_below(&c->random, SOME)];
    switch (random_below(&c->random, 12)) {
    case 0: kith_set_parent(world, *e, KITH_NONE); break;
    case 1: KITH_REMOVE(world, *e, Local2); break;
    case 2: KITH_REMOVE(world, *e, Local3); break;
    case 3: KITH_REMOVE(world, *e, Global2); break;
    case 4: KITH_REMOVE(world, *e, Global3); break;
    case 5: write_globals(c, *e); break;
    case 6: write_locals(c->f.world); break;
    case 7: kith_despawn(world, *e); break;
    case 8:
    case 9: kith_set_parent(world, *e, other); break;
    default: change_local(c, *e); break;
    }
    for (uint32_t i = 0; i < SOME; i++) {
        if (!kith_alive(world, c->entities[i])) {
            c->entities[i] = kith_spawn_empty(world);
        }
    }
}

TEST_EACH_LAYOUT_WITHIN(20, globals_are_right_after_each_tick, layout)
{
    crowd c = crowd_new(layout, 17);
    kith_snapshot *snapshot = NULL;
    kith_entity kept[SOME];
    for (uint32_t step = 0; step < 3000; step++) {
        for (uint32_t i = random_below(&c.random, 4); i > 0; i--) {
            happen(&c);
        }
        const uint32_t turn = random_below(&c.random, 12);
        if (turn == 0) {
            kith_snapshot_free(snapshot);
            CHECK_RESULT(kith_snapshot_take(c.f.world, &snapshot), KITH_OK);
            memcpy(kept, c.entities, sizeof kept);
        } else if (turn == 1 && snapshot != NULL) {
            CHECK_RESULT(kith_snapshot_restore(c.f.world, snapshot), KITH_OK);
            memcpy(c.entities, kept, sizeof kept);
        }
        tick_and_check(&c.f);
    }
    kith_snapshot_free(snapshot);
    fixture_free(&c.f);
}

/* Parents and Locals that are queued, by a system before. */
static void shuffle_parts(kith_iter *it)
{
    while (kith_next(it)) {
        const kith_entity *e = kith_entities(it);
        for (uint32_t i = 1; i < it->count; i++) {
            KITH_SET(it->commands, e[i], kith_child_of, {e[i - 1]});
            KITH_SET(it->commands, e[i], Local2, {.x = (float)i});
        }
    }
}

TEST(queued_parents_count_in_the_same_tick)
{
    fixture f = game_new(KITH_TABLE, KITH_GAME_TRANSFORMS);
    CHECK_RESULT(KITH_SYSTEM(f.world, shuffle_parts, KITH_READ(Local2)), KITH_OK);
    for (int i = 0; i < 10; i++) {
        spawn_part(f.world, KITH_NONE, (Local2){.x = 5});
    }
    tick_and_check(&f);
    tick_and_check(&f);
    fixture_free(&f);
}

TEST_EACH_LAYOUT_WITHIN(20, a_tick_that_fails_is_made_up_for, layout)
{
    for (int all = 0; all < 2; all++) {
        for (size_t nth = 1;; nth++) {
            crowd c = crowd_new(layout, 5);
            for (int i = 0; i < 60; i++) {
                happen(&c);
            }
            const bool begun = nth % 2 == 0; /* or else it is the first tick */
            if (begun) {
                tick_and_check(&c.f);
            }
            for (int i = 0; i < 30; i++) {
                happen(&c);
            }
            kith_snapshot *snapshot; /* now writing takes memory */
            CHECK_RESULT(kith_snapshot_take(c.f.world, &snapshot), KITH_OK);
            (all ? fail_from : fail_allocation)(&c.f, (nth + 1) / 2);
            const kith_result result = kith_run(c.f.world, 1);
            const bool reached = fail_nothing(&c.f);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            CHECK_WORLD(c.f.world);
            tick_and_check(&c.f);
            const uint64_t hash = kith_content_hash(c.f.world);
            CHECK_RESULT(kith_snapshot_restore(c.f.world, snapshot), KITH_OK);
            tick_and_check(&c.f);
            CHECK(kith_content_hash(c.f.world) == hash);
            kith_snapshot_free(snapshot);
            fixture_free(&c.f);
            if (!reached && begun) {
                break;
            }
        }
    }
}

/* Parents that keep a Global without a Local, in tables that are new: to find them takes memory. */
TEST_WITHIN(10, a_sweep_knows_of_new_tables)
{
    enum { PARENTS = 64 };
    static const kith_type *const types[] = {&Position_type, &Velocity_type, &Gravity_type,
                                             &Lifetime_type, &Health_type,   &Bounds_type};
    for (size_t nth = 1, reached = 1; reached; nth++) {
        fixture f = game_new(KITH_TABLE, KITH_GAME_TRANSFORMS);
        kith_entity parents[PARENTS];
        for (uint32_t i = 0; i < PARENTS; i++) {
            parents[i] = spawn_part(f.world, KITH_NONE, (Local2){.x = 10});
            spawn_part(f.world, parents[i], (Local2){.x = 1});
        }
        tick_and_check(&f);
        for (uint32_t i = 0; i < PARENTS; i++) {
            CHECK_RESULT(KITH_REMOVE(f.world, parents[i], Local2), KITH_OK);
            for (uint32_t bit = 0; bit < sizeof types / sizeof types[0]; bit++) {
                if ((i >> bit & 1) != 0) {
                    CHECK_RESULT(kith_set(f.world, parents[i], types[bit], NULL), KITH_OK);
                }
            }
        }
        write_locals(f.world);
        fail_allocation(&f, nth);
        const kith_result result = kith_run(f.world, 1);
        reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        tick_and_check(&f);
        fixture_free(&f);
    }
}
