/* Whole worlds as bytes: what they become, whatever they were. Each test of differences loads too: see
 * follow. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "follower.h"
#include "owned.h"
#include "random.h"

static void save(pair *p)
{
    CHECK_RESULT(kith_world_save(p->f.world, &p->saved), KITH_OK);
    CHECK_WORLD(p->f.world);
    p->saved_hash = kith_world_hash(p->f.world);
}

/* Loads what was saved, which is refused and changes nothing. */
static void check_not_loaded(pair *p, kith_result expected, const char *message)
{
    uint64_t hash = kith_world_hash(p->g.world);
    CHECK_RESULT(kith_world_load(p->g.world, p->saved.data, p->saved.size), expected);
    CHECK_CONTAINS(kith_error(p->g.world), message);
    CHECK_WORLD(p->g.world);
    CHECK(kith_world_hash(p->g.world) == hash);
}

/* ---- What comes and goes --------------------------------------------------------------------- */

/* A world that was played otherwise, with as many changes as it takes to move slots and rows. */
static void play_otherwise(kith_world *world, uint32_t count)
{
    kith_entity list[3000];
    for (uint32_t i = 0; i < count; i++) {
        list[i] = KITH_SPAWN(world, KITH_VALUE(Health, {(int)i, 1}), KITH_VALUE(Burning));
        if (i % 3 == 0) {
            KITH_SET(world, list[i], Target, {list[i / 2]});
            KITH_SET(world, list[i], Label, {text_of(world, "otherwise"), 1, 2, {3, 4}});
        }
        if (i % 5 == 4) {
            kith_despawn(world, list[i - 2]);
        }
    }
    KITH_RESOURCE_SET(world, Health, {77, 78});
    KITH_RESOURCE_SET(world, Name, {"otherwise"});
    KITH_SEND(world, Hit, {list[0], 9});
    kith_event_send(world, &Bell_type, NULL);
    kith_random_next(kith_world_random(world));
    for (int tick = 0; tick < 3; tick++) { /* events are dropped */
        CHECK_RESULT(kith_run(world, 0.5f), KITH_OK);
    }
    kith_event_send(world, &Bell_type, NULL);
}

TEST_EACH_LAYOUT_WITHIN(20, a_world_becomes_the_saved_one_whatever_it_was, layout)
{
    pair p = pair_new(layout);
    kith_world *w = p.f.world, *g = p.g.world;
    kith_entity list[2500];
    for (uint32_t i = 0; i < 2500; i++) {
        list[i] = KITH_SPAWN(w, KITH_VALUE(Position, {(float)i, 2}), KITH_VALUE(Frozen));
        if (i % 7 == 0) {
            KITH_SET(w, list[i], Health, {(int)i, 3});
            KITH_SET(w, list[i], Label, {text_of(w, "saved"), -7, 0.5, {1, 65535}});
        }
    }
    for (uint32_t i = 0; i < 2500; i += 4) {
        kith_despawn(w, list[i]);
    }
    KITH_RESOURCE_SET(w, Wind, {0.5f, list[1]});
    KITH_SEND(w, Hit, {list[1], -3});
    CHECK_RESULT(kith_run(w, 1.0f), KITH_OK);
    save(&p);
    const uint32_t counts[] = {0, 10, 3000};
    for (uint32_t i = 0; i < 3; i++) {
        if (counts[i] != 0) {
            play_otherwise(g, counts[i]);
        }
        load(&p);
        CHECK(kith_content_hash(g) == kith_content_hash(w));
        CHECK_UINT(kith_entity_count(g), 1875);
        CHECK_STR(kith_text_get(g, KITH_GET(g, list[7], Label)->text, NULL), "saved");
        CHECK_PTR_NULL(KITH_RESOURCE(g, Health));
        CHECK_PTR_NULL(KITH_RESOURCE(g, Name));
        CHECK_FLOAT(KITH_RESOURCE(g, Wind)->x, 0.5f);
        CHECK_UINT(kith_event_count(g, &Bell_type), 0);
        CHECK_UINT(kith_event_count(g, &Hit_type), 1);
        CHECK_UINT(kith_tick_count(g), 1);
    }
    for (int i = 0; i < 700; i++) { /* the next handles are the same ones, old slots and new ones */
        CHECK_SAME(KITH_SPAWN(w, KITH_VALUE(Byte, {9})), KITH_SPAWN(g, KITH_VALUE(Byte, {9})));
    }
    CHECK(kith_random_next(kith_world_random(w)) == kith_random_next(kith_world_random(g)));
    CHECK(kith_world_hash(w) == kith_world_hash(g));
    pair_free(&p);
}

TEST_EACH_LAYOUT(an_empty_world_empties_another, layout)
{
    pair p = pair_new(layout);
    save(&p);
    play_otherwise(p.g.world, 100);
    load(&p);
    CHECK_UINT(kith_entity_count(p.g.world), 0);
    CHECK(kith_content_hash(p.g.world) == kith_content_hash(p.f.world));
    pair_free(&p);
}

/* Snapshots of before, queries, trackers and indexes are as after a restore. */
TEST_EACH_LAYOUT(what_knows_of_the_world_is_told, layout)
{
    pair p = pair_new(layout);
    kith_world *w = p.f.world, *g = p.g.world;
    kith_entity a = KITH_SPAWN(w, KITH_VALUE(Health, {5, 6}), KITH_VALUE(Burning));
    kith_entity b = KITH_SPAWN(w, KITH_VALUE(Health, {7, 6}));
    save(&p);
    load(&p);
    kith_despawn(g, b);
    kith_entity c = KITH_SPAWN(g, KITH_VALUE(Health, {8, 6}));
    kith_tracker *tracker;
    kith_index *index;
    kith_live *live;
    kith_live_changes changes;
    kith_index_found found;
    kith_snapshot *between;
    const kith_index_def by_health = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Health, current)};
    CHECK_RESULT(kith_tracker_new(g, &Health_type, &tracker), KITH_OK);
    CHECK_RESULT(kith_index_new(g, &by_health, &index), KITH_OK);
    CHECK_RESULT(kith_live_new(g, KITH_QUERY(g, KITH_WITH(Health)), &live), KITH_OK);
    CHECK_RESULT(kith_index_find(index, &(Health){.current = 8}, &found), KITH_OK);
    CHECK_UINT(found.count, 1);
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(g, &between), KITH_OK);
    const uint64_t hash = kith_world_hash(g);
    load(&p);
    kith_change change;
    CHECK_UINT(kith_tracker_pending(tracker), 2);
    CHECK(kith_tracker_next(tracker, &change) && change.kind == KITH_REMOVED);
    CHECK_SAME(change.entity, c);
    CHECK(kith_tracker_next(tracker, &change) && change.kind == KITH_ADDED);
    CHECK_SAME(change.entity, b);
    CHECK_RESULT(kith_index_find(index, &(Health){.current = 8}, &found), KITH_OK);
    CHECK_UINT(found.count, 0);
    CHECK_RESULT(kith_index_find(index, &(Health){.current = 7}, &found), KITH_OK);
    CHECK_SAME(found.entities[0], b);
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    CHECK_UINT(changes.left_count, 1);
    CHECK_SAME(changes.left[0], c);
    CHECK_UINT(changes.entered_count, 1);
    CHECK_SAME(changes.entered[0], b);
    CHECK_RESULT(kith_snapshot_restore(g, between), KITH_OK);
    CHECK_WORLD(g);
    CHECK(kith_world_hash(g) == hash);
    CHECK(kith_alive(g, a) && kith_alive(g, c) && !kith_alive(g, b));
    pair_free(&p);
}

/* ---- Systems --------------------------------------------------------------------------------- */

static kith_result count_runs(kith_world *world, kith_iter *it)
{
    (void)world;
    ++*(uint32_t *)it->user;
    return KITH_OK;
}

TEST(systems_go_on)
{
    pair p = pair_new(KITH_TABLE);
    uint32_t runs[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        kith_world *world = i == 0 ? p.f.world : p.g.world;
        const kith_system_def def = {
            .name = "slow", .update = count_runs, .interval = 1.0f, .user = &runs[i]};
        const kith_system_def off = {.name = "off", .update = count_runs, .user = &runs[i]};
        CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
        CHECK_RESULT(kith_system_add(world, &off), KITH_OK);
    }
    CHECK_RESULT(kith_system_enable(p.f.world, "off", false), KITH_OK);
    CHECK_RESULT(kith_run(p.f.world, 0.75f), KITH_OK);
    save(&p);
    load(&p);
    runs[0] = 0;
    for (int tick = 0; tick < 9; tick++) {
        CHECK_RESULT(kith_run(p.f.world, 0.25f), KITH_OK);
        CHECK_RESULT(kith_run(p.g.world, 0.25f), KITH_OK);
        CHECK_UINT(runs[1], runs[0]);
        CHECK(kith_world_hash(p.g.world) == kith_world_hash(p.f.world));
    }
    CHECK(runs[0] > 1);
    pair_free(&p);
}

/* ---- Relations, names and unique keys -------------------------------------------------------- */

TEST(families_come_in_their_order)
{
    pair p = {.f = fixture_new(), .g = fixture_new()};
    kith_world *w = p.f.world, *g = p.g.world;
    KITH_TYPES(w, Position);
    KITH_TYPES(g, Position);
    kith_entity root = kith_spawn_empty(w), list[20];
    CHECK_RESULT(kith_set_name(w, root, "root"), KITH_OK);
    for (uint32_t i = 0; i < 20; i++) {
        char name[8];
        snprintf(name, sizeof name, "n%u", i);
        list[i] = KITH_SPAWN(w, KITH_VALUE(Position, {(float)i, 0}));
        CHECK_RESULT(kith_set_parent(w, list[i], i < 10 ? root : list[i - 10]), KITH_OK);
        CHECK_RESULT(kith_set_name(w, list[i], name), KITH_OK);
    }
    CHECK_RESULT(kith_insert_child(w, list[9], list[3]), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(w, &p.before), KITH_OK);
    save(&p);
    kith_entity other = kith_spawn_empty(g), child = kith_spawn_empty(g); /* in the same slots */
    CHECK_RESULT(kith_set_parent(g, other, child), KITH_OK);
    CHECK_RESULT(kith_set_name(g, other, "root"), KITH_OK);
    load(&p);
    CHECK_SAME(kith_find(g, "root/n3/n13"), list[13]);
    CHECK_SAME(kith_find(g, "root/n9"), list[9]);
    CHECK(kith_is_none(kith_parent(g, root)));
    CHECK(kith_content_hash(g) == kith_content_hash(w));
    load(&p); /* over itself */
    CHECK_RESULT(kith_set_name(g, list[3], "n9"), KITH_ERR_CONFLICT);
    pair_free(&p);
}

TEST_EACH_LAYOUT(unique_keys_are_guarded, layout)
{
    pair p = pair_new(layout);
    kith_world *w = p.f.world, *g = p.g.world;
    kith_entity a = KITH_SPAWN(w, KITH_VALUE(Health, {1, 6}));
    kith_entity b = KITH_SPAWN(w, KITH_VALUE(Health, {2, 6}));
    save(&p);
    CHECK_RESULT(KITH_UNIQUE(g, Health, current), KITH_OK);
    KITH_SPAWN(g, KITH_VALUE(Health, {2, 0})); /* in the slot of the other one */
    load(&p);
    CHECK_SAME(kith_unique_find(g, &Health_type, &(Health){.current = 2}), b);
    CHECK_SAME(kith_unique_find(g, &Health_type, &(Health){.current = 1}), a);
    KITH_SET(w, a, Health, {2, 6});
    save(&p);
    check_not_loaded(&p, KITH_ERR_CONFLICT, "kith_world_load: ");
    CHECK_CONTAINS(kith_error(g), "would have the same Health: current 2");
    pair_free(&p);
}

/* ---- What is refused ------------------------------------------------------------------------- */

TEST(bytes_of_another_kind_are_told)
{
    pair p = pair_new(KITH_TABLE);
    KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
    write_difference(&p);
    save(&p);
    CHECK_RESULT(kith_world_load(p.g.world, p.bytes.data, p.bytes.size), KITH_ERR_INPUT);
    CHECK_STR(kith_error(p.g.world),
              "kith_world_load: byte 0: expected \"KTHS\", with which a saved world begins");
    CHECK_RESULT(kith_diff_apply(p.g.world, p.saved.data, p.saved.size), KITH_ERR_INPUT);
    CHECK_STR(kith_error(p.g.world),
              "kith_diff_apply: byte 0: expected \"KTHD\", with which a difference begins");
    CHECK_RESULT(kith_world_load(p.g.world, NULL, 0), KITH_ERR_INPUT);
    CHECK_RESULT(kith_world_load(p.g.world, "KTHS", 4), KITH_ERR_INPUT);
    p.saved.data[4]++;
    check_not_loaded(&p, KITH_ERR_INPUT, "kith_world_load: byte 4: expected version 3");
    pair_free(&p);
}

/* Any byte that is another one, and any end that is missing. */
TEST_EACH_LAYOUT_WITHIN(20, damage_is_noticed, layout)
{
    pair p = pair_new(layout);
    kith_entity a = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen));
    KITH_SET(p.f.world, a, Label, {text_of(p.f.world, "text"), 1, 2, {3, 4}});
    KITH_SEND(p.f.world, Hit, {a, 5});
    save(&p);
    KITH_SPAWN(p.g.world, KITH_VALUE(Health, {1, 2}));
    const uint32_t size = p.saved.size;
    for (p.saved.size = 0; p.saved.size < size; p.saved.size++) {
        check_not_loaded(&p, KITH_ERR_INPUT, "kith_world_load: byte ");
    }
    for (uint32_t at = 0; at < size; at++) {
        for (unsigned bit = 1; bit < 256; bit *= 2) {
            p.saved.data[at] ^= (uint8_t)bit;
            check_not_loaded(&p, KITH_ERR_INPUT, "kith_world_load: byte ");
            p.saved.data[at] ^= (uint8_t)bit;
        }
    }
    CHECK(!kith_text_find(p.g.world, "text", NULL));
    load(&p);
    pair_free(&p);
}

TEST(types_have_to_be_the_same_to_load)
{
    for (int i = 0; i < 3; i++) {
        pair p = {.f = fixture_new(), .g = fixture_new()};
        KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
        KITH_SEND(p.f.world, Hit, {KITH_NONE, 5});
        save(&p);
        const kith_component_def slot = {.layout = KITH_SLOT};
        const kith_event_def keep = {.keep = 9};
        switch (i) {
        case 0: break;
        case 1: CHECK_RESULT(kith_register(p.g.world, &Position_type, &slot), KITH_OK); break;
        default:
            KITH_TYPES(p.g.world, Position);
            CHECK_RESULT(kith_event_register(p.g.world, &Hit_type, &keep), KITH_OK);
        }
        if (i == 1) {
            KITH_TYPES(p.g.world, Hit);
        }
        check_not_loaded(&p, i == 0 ? KITH_ERR_UNKNOWN : KITH_ERR_CONFLICT,
                         i == 0   ? "kith_world_load: the type 'Position' is not known"
                         : i == 1 ? "kith_world_load: 'Position' has another layout"
                                  : "kith_world_load: events 'Hit' are kept for 9 runs here");
        CHECK_RESULT(kith_snapshot_take(p.f.world, &p.before), KITH_OK);
        pair_free(&p);
    }
}

/* Those of the world that is saved have no bytes; those of the one that loads go. */
TEST_EACH_LAYOUT(values_with_hooks_are_not_saved_and_go, layout)
{
    owned_record record = {0};
    kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    pair p = pair_new(layout);
    CHECK_RESULT(kith_register(p.g.world, &Owned_type, &def), KITH_OK);
    KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
    save(&p);
    kith_entity owner = KITH_SPAWN(p.g.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(KITH_ADD(p.g.world, owner, Owned), KITH_OK);
    CHECK_RESULT(kith_event_send(p.g.world, &Owned_type, NULL), KITH_OK);
    kith_bytes bytes = {0};
    CHECK_RESULT(kith_world_save(p.g.world, &bytes), KITH_ERR_TYPE);
    CHECK_STR(kith_error(p.g.world),
              "kith_world_save: 'Owned' has hooks: a value of it has no bytes");
    CHECK_UINT(bytes.size, 0);
    kith_bytes_free(p.g.world, &bytes);
    p.saved.size--;
    check_not_loaded(&p, KITH_ERR_INPUT, "damaged");
    CHECK_UINT(*KITH_GET(p.g.world, owner, Owned)->number, OWNED_INITIAL);
    p.saved.size++;
    load(&p);
    CHECK_UINT(record.live, 0);
    pair_free(&p);
}

/* Saved worlds that nobody saved: each byte is another one, two are, or one is left out or double, and
 * the hash is right. They are refused, or the world is sound. */
static void load_wrong(pair *p, const kith_snapshot *before, const uint8_t *bytes, uint32_t size)
{
    uint8_t wrong[20000];
    CHECK(size >= 13 && size <= sizeof wrong);
    memcpy(wrong, bytes, size);
    const uint64_t right = ki_hash_bytes(KI_HASH_SEED, wrong + 13, size - 13);
    for (uint32_t i = 0; i < 8; i++) {
        wrong[5 + i] = (uint8_t)(right >> 8 * i);
    }
    const uint64_t hash = kith_world_hash(p->g.world);
    kith_result result = kith_world_load(p->g.world, wrong, size);
    CHECK_WORLD(p->g.world);
    if (result != KITH_OK) {
        CHECK(kith_world_hash(p->g.world) == hash);
    } else {
        CHECK_RESULT(kith_snapshot_restore(p->g.world, before), KITH_OK);
    }
}

TEST_EACH_LAYOUT_WITHIN(60, saved_worlds_that_nobody_saved, layout)
{
    pair p = pair_new(layout);
    kith_entity a = KITH_SPAWN(p.f.world, KITH_VALUE(Byte, {1}), KITH_VALUE(Frozen));
    kith_entity b = KITH_SPAWN(p.f.world, KITH_VALUE(Byte, {2}));
    KITH_SPAWN(p.f.world, KITH_VALUE(Target, {a}));
    kith_despawn(p.f.world, b);
    save(&p);
    kith_entity there = KITH_NONE;
    for (int i = 0; i < 6; i++) {
        there = KITH_SPAWN(p.g.world, KITH_VALUE(Byte, {3}), KITH_VALUE(Burning));
    }
    kith_despawn(p.g.world, there);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(p.g.world, &before), KITH_OK);
    const uint32_t size = p.saved.size;
    uint8_t bytes[1024];
    uint64_t random = 11;
    CHECK(size < 1000);
    for (uint32_t at = 13; at < size; at++) {
        for (uint32_t value = 0; value < 256; value += value < 10 ? 1 : 49) {
            memcpy(bytes, p.saved.data, size);
            bytes[at] = (uint8_t)value;
            load_wrong(&p, before, bytes, size);
        }
        memcpy(bytes, p.saved.data, at);
        memcpy(bytes + at, p.saved.data + at + 1, size - at - 1);
        load_wrong(&p, before, bytes, size - 1);
        memcpy(bytes + at + 1, p.saved.data + at, size - at);
        load_wrong(&p, before, bytes, size + 1);
    }
    for (uint32_t i = 0; i < (test_short() ? 2000u : 20000u); i++) {
        memcpy(bytes, p.saved.data, size);
        for (uint32_t k = 2 + random_below(&random, 2); k > 0; k--) {
            bytes[13 + random_below(&random, size - 13)] = (uint8_t)random_below(&random, 8);
        }
        load_wrong(&p, before, bytes, size);
    }
    pair_free(&p);
}

/* A block of slots, where each number 1,024 is taken for 1,500: the slots after that block do not stay
 * what they were before, which would be entities that are nowhere. */
TEST_EACH_LAYOUT(slots_that_are_not_named_are_refused, layout)
{
    pair p = pair_new(layout);
    for (int i = 0; i < 1500; i++) {
        if (i < 1024) {
            KITH_SPAWN(p.f.world, KITH_VALUE(Byte, {1}));
        }
        KITH_SPAWN(p.g.world, KITH_VALUE(Byte, {3}));
    }
    save(&p);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(p.g.world, &before), KITH_OK);
    uint32_t tried = 0;
    for (uint32_t at = 13; at + 1 < p.saved.size; at++) {
        uint8_t *number = p.saved.data + at;
        if (number[0] == 0x80 && number[1] == 1024 >> 7) {
            number[0] = 0x80 | (1500 & 0x7f);
            number[1] = 1500 >> 7;
            load_wrong(&p, before, p.saved.data, p.saved.size);
            number[0] = 0x80;
            number[1] = 1024 >> 7;
            tried++;
        }
    }
    CHECK(tried > 1);
    pair_free(&p);
}

/* Each allocation fails once. */
TEST_EACH_LAYOUT_WITHIN(20, want_of_memory_saves_nothing, layout)
{
    pair p = pair_new(layout);
    for (uint32_t i = 0; i < 40; i++) {
        KITH_SPAWN(p.f.world, KITH_VALUE(Position, {(float)i, 2}), KITH_VALUE(Frozen));
    }
    uint32_t failures = 0;
    for (bool failed = true; failed; failures += failed) {
        kith_bytes bytes = {0};
        fail_allocation(&p.f, failures + 1);
        kith_result result = kith_world_save(p.f.world, &bytes);
        failed = fail_nothing(&p.f);
        CHECK_RESULT(result, failed ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_INT(bytes.size == 0, failed);
        CHECK_WORLD(p.f.world);
        kith_bytes_free(p.f.world, &bytes);
    }
    CHECK(failures > 5);
    pair_free(&p);
}

TEST_EACH_LAYOUT_WITHIN(20, want_of_memory_changes_nothing, layout)
{
    pair p = pair_new(layout);
    for (uint32_t i = 0; i < 1500; i++) {
        KITH_SPAWN(p.f.world, KITH_VALUE(Position, {(float)i, 2}), KITH_VALUE(Frozen));
    }
    KITH_SEND(p.f.world, Hit, {KITH_NONE, 5});
    KITH_RESOURCE_SET(p.f.world, Wind, {1, KITH_NONE});
    save(&p);
    play_otherwise(p.g.world, 40);
    const uint64_t hash = kith_world_hash(p.g.world);
    uint32_t failures = 0;
    for (;;) {
        fail_allocation(&p.g, failures + 1);
        kith_result result = kith_world_load(p.g.world, p.saved.data, p.saved.size);
        if (!fail_nothing(&p.g)) {
            CHECK_RESULT(result, KITH_OK);
            break;
        }
        CHECK_RESULT(result, KITH_ERR_MEMORY);
        CHECK_WORLD(p.g.world);
        CHECK(kith_world_hash(p.g.world) == hash);
        failures++;
    }
    CHECK(failures > 10);
    CHECK(kith_world_hash(p.g.world) == p.saved_hash);
    pair_free(&p);
}
