/* Snapshots of a world's entities and components: what is restored is what was, to the bit. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "owned.h"
#include "random.h"
#include "store/store_view.h"
#include "test.h"
#include "world/world.h"

static kith_snapshot *take(kith_world *world)
{
    kith_snapshot *snapshot = NULL;
    uint64_t hash = kith_world_hash(world);
    CHECK_RESULT(kith_snapshot_take(world, &snapshot), KITH_OK);
    CHECK_PTR_NOT_NULL(snapshot);
    CHECK(kith_world_hash(world) == hash);
    CHECK_WORLD(world);
    return snapshot;
}

static void restore(kith_world *world, const kith_snapshot *snapshot)
{
    CHECK_RESULT(kith_snapshot_restore(world, snapshot), KITH_OK);
    CHECK_WORLD(world);
}

/* A handle that lives: any of the first ones. */
static kith_entity pick(kith_world *world, uint32_t number)
{
    kith_entity entity = KITH_NONE;
    for (uint32_t i = number % (kith_entity_count(world) + 1); i > 0; i--) {
        entity = kith_entity_next(world, entity);
    }
    return entity;
}

/* Changes of all sorts, which depend on the numbers alone. Returns what the handles made were. */
static uint64_t play_on(kith_world *world, uint32_t seed, uint32_t steps)
{
    uint64_t random = seed;
    uint64_t made = 0;
    for (uint32_t i = 0; i < steps; i++) {
        uint32_t number = random_below(&random, 40);
        kith_entity entity = pick(world, random_below(&random, 60));
        float x = (float)random_below(&random, 1000);
        switch (number % 8) {
        case 0:
        case 1:
            entity = KITH_SPAWN(world, KITH_VALUE(Position, {x, 1}), KITH_VALUE(Velocity));
            made = made * 31 + entity.index1 + entity.generation;
            break;
        case 2: kith_despawn(world, entity); break;
        case 3: KITH_SET(world, entity, Health, {(int32_t)x, 2}); break;
        case 4: KITH_SET(world, entity, Position, {x, 3}); break;
        case 5: kith_add(world, entity, component_types[number % COMPONENT_COUNT]); break;
        case 6: kith_remove(world, entity, component_types[number % COMPONENT_COUNT]); break;
        default: KITH_SET(world, entity, Extra, {x, 1, 2}); break;
        }
    }
    return made;
}

TEST_EACH_LAYOUT(what_is_restored_is_what_was, layout)
{
    fixture f = fixture_with_all(layout);
    play_on(f.world, 1, 300);
    uint64_t hash = kith_world_hash(f.world);
    kith_snapshot *before = take(f.world);
    for (uint32_t round = 0; round < 3; round++) {
        play_on(f.world, 2 + round, 300);
        CHECK(kith_world_hash(f.world) != hash);
        restore(f.world, before);
        CHECK(kith_world_hash(f.world) == hash);
    }
    kith_snapshot_free(before);
    CHECK(kith_world_hash(f.world) == hash);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(the_same_calls_do_the_same_again, layout)
{
    fixture f = fixture_with_all(layout);
    play_on(f.world, 1, 500);
    kith_snapshot *before = take(f.world);
    uint64_t made = play_on(f.world, 2, 500);
    uint64_t hash = kith_world_hash(f.world);
    for (uint32_t round = 0; round < 3; round++) {
        restore(f.world, before);
        play_on(f.world, 7 + round, 200);
        restore(f.world, before);
        CHECK(play_on(f.world, 2, 500) == made);
        CHECK(kith_world_hash(f.world) == hash);
    }
    fixture_free(&f);
}

/* Many blocks a column, which chunks of views share. */
static void spawn_crowd(kith_world *world, uint32_t count, kith_entity *entities)
{
    const kith_values values[] = {
        KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}), {&Frozen_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(world, count, values, 3, entities), KITH_OK);
}

enum { CROWD = 40000, KEPT = 12 };

TEST_EACH_LAYOUT_WITHIN(20, snapshots_are_restored_in_any_order, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity *entities = calloc(CROWD, sizeof *entities);
    CHECK_PTR_NOT_NULL(entities);
    spawn_crowd(f.world, CROWD, entities);
    kith_snapshot *kept[KEPT];
    uint64_t hashes[KEPT];
    uint64_t random = 5;
    for (uint32_t i = 0; i < KEPT; i++) {
        for (uint32_t k = 0; k < 5; k++) {
            kith_entity entity = entities[random_below(&random, CROWD)];
            KITH_SET(f.world, entity, Position, {(float)i, (float)k});
            kith_remove(f.world, entities[random_below(&random, CROWD)], &Frozen_type);
            kith_despawn(f.world, entities[random_below(&random, CROWD)]);
        }
        kept[i] = take(f.world);
        hashes[i] = kith_world_hash(f.world);
    }
    for (uint32_t i = 0; i < 4 * KEPT; i++) {
        uint32_t number = random_below(&random, KEPT);
        restore(f.world, kept[number]);
        CHECK(kith_world_hash(f.world) == hashes[number]);
        KITH_SET(f.world, entities[i], Velocity, {(float)i, 0});
        if (i % 3 == 0) { /* another in its place */
            kith_snapshot_free(kept[number]);
            kept[number] = take(f.world);
            hashes[number] = kith_world_hash(f.world);
        }
    }
    for (uint32_t i = 0; i < KEPT; i += 2) {
        kith_snapshot_free(kept[i]);
    }
    free(entities);
    fixture_free(&f); /* the others end with their world */
}

TEST_EACH_LAYOUT(what_came_since_is_gone, layout)
{
    fixture f = fixture_new();
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    kith_entity old = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    uint64_t hash = kith_world_hash(f.world);
    kith_snapshot *before = take(f.world);
    CHECK_RESULT(kith_register(f.world, &Health_type, &def), KITH_OK);
    for (int32_t i = 0; i < 3000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {i, i}), KITH_VALUE(Position, {3, 4}));
    }
    KITH_SET(f.world, old, Health, {1, 2});
    kith_snapshot *after = take(f.world);
    restore(f.world, before);
    CHECK_UINT(kith_entity_count(f.world), 1);
    CHECK(!kith_has(f.world, old, &Health_type));
    CHECK_FLOAT(KITH_GET(f.world, old, Position)->y, 2);
    kith_component_stats stats;
    CHECK_RESULT(kith_component_memory(f.world, &Health_type, &stats), KITH_OK);
    CHECK_UINT(stats.entities, 0);
    restore(f.world, after);
    CHECK_UINT(kith_entity_count(f.world), 3001);
    CHECK_INT(KITH_GET(f.world, old, Health)->max, 2);
    restore(f.world, before);
    kith_snapshot_free(after);
    kith_snapshot_free(before);
    CHECK(kith_world_hash(f.world) == hash);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(trimming_keeps_what_a_snapshot_needs, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity *entities = calloc(CROWD, sizeof *entities);
    CHECK_PTR_NOT_NULL(entities);
    spawn_crowd(f.world, CROWD, entities);
    play_on(f.world, 3, 200);
    uint64_t hash = kith_world_hash(f.world);
    kith_snapshot *before = take(f.world);
    CHECK_RESULT(kith_despawn_many(f.world, entities, CROWD, NULL), KITH_OK);
    kith_world_trim(f.world);
    CHECK_WORLD(f.world);
    play_on(f.world, 4, 200);
    restore(f.world, before);
    CHECK(kith_world_hash(f.world) == hash);
    kith_world_trim(f.world);
    CHECK(kith_world_hash(f.world) == hash);
    restore(f.world, before);
    CHECK(kith_world_hash(f.world) == hash);
    kith_snapshot_free(before);
    kith_world_trim(f.world);
    CHECK_WORLD(f.world);
    CHECK(kith_world_hash(f.world) == hash);
    free(entities);
    fixture_free(&f);
}

/* The slots that wait to be used again, those that are used up, and how many there are. */
TEST(handles_are_given_out_as_the_first_time)
{
    fixture f = fixture_new();
    kith_entity entities[100];
    for (uint32_t i = 0; i < 100; i++) {
        entities[i] = kith_spawn_empty(f.world);
    }
    ki_record_at(&f.world->store.entities, entities[7].index1 - 1)->generation = UINT32_MAX;
    entities[7].generation = UINT32_MAX;
    const ki_rows *rows = &f.world->store.root->rows;
    *KI_COLUMN_AT(kith_entity, &rows->entities, 7) = entities[7];
    kith_despawn(f.world, entities[3]);
    kith_snapshot *before = take(f.world);
    kith_despawn(f.world, entities[7]);
    kith_despawn(f.world, entities[5]);
    kith_snapshot *after = take(f.world);
    CHECK_UINT(kith_memory(f.world).retired, 1);
    restore(f.world, before);
    CHECK_UINT(kith_memory(f.world).retired, 0);
    CHECK(kith_alive(f.world, entities[7]) && kith_alive(f.world, entities[5]));
    CHECK_UINT(kith_spawn_empty(f.world).index1, entities[3].index1);
    CHECK_UINT(kith_spawn_empty(f.world).index1, 101);
    restore(f.world, after);
    CHECK_UINT(kith_memory(f.world).retired, 1);
    CHECK_UINT(kith_memory(f.world).slots, 100);
    CHECK_UINT(kith_spawn_empty(f.world).index1, entities[5].index1);
    CHECK_UINT(kith_spawn_empty(f.world).index1, entities[3].index1);
    fixture_free(&f);
}

TEST(the_random_numbers_of_the_world_come_again)
{
    fixture f = fixture_new();
    kith_random_next(kith_world_random(f.world));
    kith_snapshot *before = take(f.world);
    uint64_t next = kith_random_next(kith_world_random(f.world));
    restore(f.world, before);
    CHECK(kith_random_next(kith_world_random(f.world)) == next);
    const uint64_t run = f.world->run;
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(kith_tick_count(f.world), 1);
    CHECK(f.world->run != run);
    restore(f.world, before);
    CHECK_UINT(kith_tick_count(f.world), 0);
    CHECK_UINT(f.world->run, run); /* what events that are sent now belong to */
    fixture_free(&f);
}

/* ---- Values with hooks */

TEST_EACH_LAYOUT(values_with_hooks_are_copied_and_destroyed, layout)
{
    fixture f = fixture_with_all(layout);
    owned_record record = {.live = 0};
    kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    kith_entity entities[3000];
    for (uint32_t i = 0; i < 3000; i++) {
        entities[i] = KITH_SPAWN(f.world, KITH_VALUE(Owned), KITH_VALUE(Position));
    }
    CHECK_UINT(record.live, 3000);
    kith_snapshot *before = take(f.world);
    CHECK_UINT(record.live, 3000); /* shared, not copied */
    for (uint32_t i = 0; i < 3000; i += 7) {
        *KITH_GET_MUT(f.world, entities[i], Owned)->number = i;
        kith_despawn(f.world, entities[i + 1 < 3000 ? i + 1 : 0]);
    }
    kith_snapshot *after = take(f.world);
    restore(f.world, before);
    for (uint32_t i = 0; i < 3000; i++) {
        CHECK_UINT(*KITH_GET(f.world, entities[i], Owned)->number, OWNED_INITIAL);
    }
    kith_snapshot_free(before);
    restore(f.world, after);
    CHECK_UINT(*KITH_GET(f.world, entities[7], Owned)->number, 7);
    CHECK(!kith_alive(f.world, entities[8]));
    kith_snapshot_free(after);
    CHECK_UINT(record.live, kith_entity_count(f.world));
    kith_snapshot *last = take(f.world);
    for (uint32_t i = 0; i < 3000; i++) {
        kith_despawn(f.world, entities[i]);
    }
    CHECK(last != NULL && record.live > 0);
    fixture_free(&f);
    CHECK_UINT(record.live, 0);
}

TEST(values_that_cannot_be_copied_are_told)
{
    fixture f = fixture_with_all(KITH_TABLE);
    owned_record record = {.live = 0};
    kith_hooks hooks = owned_hooks_without_copy(&record);
    const kith_component_def def = {.hooks = &hooks};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    kith_snapshot *snapshot = NULL;
    CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_ERR_TYPE);
    CHECK_PTR_NULL(snapshot);
    CHECK_STR(kith_error(f.world), "kith_snapshot_take: 'Owned' has hooks, but no `copy`");
    fixture g = fixture_with_all(KITH_TABLE);
    kith_bytes bytes = {0};
    CHECK_RESULT(kith_world_save(g.world, &bytes), KITH_OK);
    CHECK_RESULT(kith_world_load(f.world, bytes.data, bytes.size), KITH_ERR_TYPE);
    CHECK_STR(kith_error(f.world), "kith_world_load: 'Owned' has hooks, but no `copy`");
    kith_bytes_free(g.world, &bytes);
    CHECK_RESULT(kith_world_save(f.world, &bytes), KITH_ERR_TYPE);
    CHECK_STR(kith_error(f.world), "kith_world_save: 'Owned' has hooks, but no `copy`");
    CHECK_WORLD(f.world);
    fixture_free(&g);
    fixture_free(&f);
}

/* ---- What is shared */

TEST_EACH_LAYOUT(what_is_not_written_is_shared, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity *entities = calloc(CROWD, sizeof *entities);
    CHECK_PTR_NOT_NULL(entities);
    spawn_crowd(f.world, CROWD, entities);
    kith_snapshot *first = take(f.world);
    size_t bytes = f.memory->bytes;
    size_t pieces = f.memory->pieces;
    kith_snapshot *second = take(f.world);
    /* Itself, its list of storages, numbers, and other state. */
    CHECK_UINT(f.memory->pieces - pieces, 4);
    CHECK(f.memory->bytes - bytes < 1024);
    KITH_SET(f.world, entities[0], Position, {9, 9});
    bytes = f.memory->bytes;
    kith_snapshot *third = take(f.world);
    CHECK(f.memory->bytes - bytes < 4096);
    restore(f.world, first);
    bytes = f.memory->bytes;
    kith_snapshot *fourth = take(f.world);
    CHECK(f.memory->bytes - bytes < 1024); /* it is the first again */
    kith_snapshot_free(first);
    kith_snapshot_free(second);
    kith_snapshot_free(third);
    kith_snapshot_free(fourth);
    free(entities);
    fixture_free(&f);
}

/* The last block of each column is given back and comes again, so that there are as many as before. */
TEST_EACH_LAYOUT(a_block_that_came_anew_is_seen, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity entities[3000];
    spawn_crowd(f.world, 3000, entities);
    CHECK_RESULT(kith_despawn_many(f.world, entities + 2048, 952, NULL), KITH_OK);
    kith_snapshot *before = take(f.world);
    kith_world_trim(f.world);
    kith_entity e =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {7, 7}), KITH_VALUE(Velocity), KITH_VALUE(Frozen));
    kith_snapshot *after = take(f.world);
    uint64_t hash = kith_world_hash(f.world);
    restore(f.world, before);
    CHECK(!kith_alive(f.world, e));
    restore(f.world, after);
    CHECK(kith_world_hash(f.world) == hash);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 7);
    fixture_free(&f);
}

/* ---- Write stamps */

typedef struct stamps {
    uint64_t all[4096];
    uint32_t count;
} stamps;

static void note_stamps(ki_column *column, void *context)
{
    stamps *noted = context;
    for (uint32_t i = 0; i < column->block_count && noted->count < 4096; i++) {
        noted->all[noted->count++] = column->blocks[i].stamp & ~KI_SHARED;
    }
}

/* Blocks of tags have nothing else. */
TEST_EACH_LAYOUT(tags_have_the_stamps_that_they_had, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity entities[3000];
    spawn_crowd(f.world, 3000, entities);
    take(f.world);
    CHECK_RESULT(kith_set(f.world, entities[0], &Frozen_type, NULL), KITH_OK);
    kith_snapshot *before = take(f.world);
    static stamps old, now;
    ki_store_each_column(&f.world->store, note_stamps, &old);
    CHECK_RESULT(kith_set(f.world, entities[0], &Frozen_type, NULL), KITH_OK);
    CHECK_RESULT(kith_set(f.world, entities[2000], &Frozen_type, NULL), KITH_OK);
    restore(f.world, before);
    ki_store_each_column(&f.world->store, note_stamps, &now);
    CHECK(old.count > 10 && old.count == now.count);
    CHECK(memcmp(old.all, now.all, old.count * sizeof(uint64_t)) == 0);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(blocks_have_the_stamps_that_they_had, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity entities[5000];
    spawn_crowd(f.world, 5000, entities);
    kith_snapshot_free(take(f.world)); /* the clock goes on */
    KITH_SET(f.world, entities[0], Position, {1, 1});
    kith_snapshot *before = take(f.world);
    static stamps old, now;
    ki_store_each_column(&f.world->store, note_stamps, &old);
    for (uint32_t i = 0; i < 5000; i += 600) {
        KITH_SET(f.world, entities[i], Position, {2, 2});
        kith_despawn(f.world, entities[i + 1]);
    }
    restore(f.world, before);
    ki_store_each_column(&f.world->store, note_stamps, &now);
    CHECK(old.count > 10 && old.count == now.count);
    CHECK(memcmp(old.all, now.all, old.count * sizeof(uint64_t)) == 0);
    fixture_free(&f);
}

static uint32_t count_changed(kith_query *query)
{
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        count += it.count;
    }
    return count;
}

/* What a program keeps of what it saw is brought up to date, whatever was restored. */
TEST_EACH_LAYOUT(a_query_of_the_program_sees_what_was_restored, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 1}));
    kith_query *changed = KITH_QUERY(f.world, KITH_CHANGED(Position));
    CHECK_UINT(count_changed(changed), 1);
    kith_snapshot *before = take(f.world);
    CHECK_UINT(count_changed(changed), 0);
    KITH_SET(f.world, e, Position, {2, 2});
    CHECK_UINT(count_changed(changed), 1);
    CHECK_UINT(count_changed(changed), 0);
    restore(f.world, before);
    CHECK_UINT(count_changed(changed), 1);
    CHECK_UINT(count_changed(changed), 0);
    KITH_SET(f.world, e, Position, {2, 2});
    CHECK_UINT(count_changed(changed), 1);
    fixture_free(&f);
}

/* ---- What a view tells */

TEST_EACH_LAYOUT(a_view_tells_who_had_a_component, layout)
{
    fixture f = fixture_with_all(layout);
    play_on(f.world, 1, 300);
    bool had[COMPONENT_COUNT][600] = {{false}};
    for (kith_entity e = kith_entity_next(f.world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(f.world, e)) {
        for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
            had[i][e.index1 - 1] = kith_has(f.world, e, component_types[i]);
        }
    }
    ki_store *store = &f.world->store;
    ki_store_view *view;
    CHECK_RESULT(ki_store_view_take(store, &view), KITH_OK);
    play_on(f.world, 2, 300);
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        const ki_component *component = ki_world_component(f.world, component_types[i]);
        for (uint32_t index = 0; index < 600; index++) {
            CHECK_INT(ki_store_view_has(store, view, component, index), had[i][index]);
        }
    }
    ki_store_view_free(store, view);
    fixture_free(&f);
}

/* Transient components are left out: after a restore no entity has them, and their values are ended.
 * They need no `copy`. */
TEST(transient_components_are_left_out)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        fixture f = fixture_new();
        owned_record record = {0};
        kith_hooks hooks = owned_hooks(&record);
        hooks.copy = NULL;
        kith_component_def def = {.layout = sparse ? KITH_SPARSE : KITH_SLOT, .transient = true};
        CHECK_RESULT(kith_register(f.world, &Velocity_type, &def), KITH_OK);
        def.hooks = &hooks;
        CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
        kith_tracker *tracker;
        CHECK_RESULT(kith_tracker_new(f.world, &Velocity_type, &tracker), KITH_OK);
        kith_entity first = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        CHECK_RESULT(KITH_SET(f.world, first, Velocity, {3, 4}), KITH_OK);
        CHECK_RESULT(kith_add(f.world, first, &Owned_type), KITH_OK);
        kith_snapshot *before = take(f.world);
        CHECK(KITH_GET(f.world, first, Velocity)->dx == 3);

        kith_entity second = KITH_SPAWN(f.world, KITH_VALUE(Velocity, {5, 6}));
        CHECK_RESULT(kith_add(f.world, second, &Owned_type), KITH_OK);
        CHECK_UINT(record.live, 2);
        restore(f.world, before);
        CHECK_UINT(record.live, 0);
        CHECK(!kith_alive(f.world, second));
        CHECK(!KITH_HAS(f.world, first, Velocity) && !kith_has(f.world, first, &Owned_type));
        CHECK(KITH_GET(f.world, first, Position)->y == 2);
        uint32_t told = 0;
        for (kith_change change; kith_tracker_next(tracker, &change);) {
            told++;
        }
        CHECK_UINT(told, 4); /* both came, and both went */
        CHECK_RESULT(KITH_SET(f.world, first, Velocity, {7, 8}), KITH_OK);
        CHECK(KITH_GET(f.world, first, Velocity)->dy == 8);
        CHECK_WORLD(f.world);
        kith_snapshot_free(before);
        fixture_free(&f);
    }
}
