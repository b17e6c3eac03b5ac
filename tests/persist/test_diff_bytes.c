/* The difference of two snapshots as bytes: a world that follows by them, and what is told there. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "follower.h"
#include "random.h"
#include "world/world.h"

TEST_EACH_LAYOUT(a_world_follows_another_by_differences, layout)
{
    pair p = pair_new(layout);
    kith_world *w = p.f.world;
    follow(&p);
    kith_entity a = KITH_SPAWN(w, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen));
    kith_entity b = KITH_SPAWN(w, KITH_VALUE(Position, {3, 4}), KITH_VALUE(Health, {5, 6}));
    kith_entity c = KITH_SPAWN(w, KITH_VALUE(Target, {a}), KITH_VALUE(Name, {"gamma"}));
    KITH_SET(w, c, Label, {text_of(w, "first"), -7, 0.5, {1, 65535}});
    follow(&p);
    CHECK_SAME(KITH_GET(p.g.world, c, Target)->entity, a);
    CHECK_STR(kith_text_get(p.g.world, KITH_GET(p.g.world, c, Label)->text, NULL), "first");

    KITH_SET(w, a, Position, {1, 9});
    KITH_ADD(w, b, Burning);
    KITH_REMOVE(w, a, Frozen);
    Label *label = KITH_GET_MUT(w, c, Label);
    label->score += 1000;
    label->pair[1] = 3;
    follow(&p);
    kith_despawn(w, a);
    KITH_SET(w, c, Label, {text_of(w, ""), INT64_MIN, -0.0, {0, 0}});
    follow(&p);
    kith_entity d = KITH_SPAWN(w, KITH_VALUE(Position, {7, 7}), KITH_VALUE(Burning));
    CHECK_UINT(d.index1, a.index1);
    kith_despawn(w, b);
    kith_despawn(w, c);
    follow(&p);
    CHECK(kith_alive(p.g.world, d) && !kith_alive(p.g.world, a));

    /* The next handles are the same ones. */
    for (int i = 0; i < 4; i++) {
        kith_entity here = KITH_SPAWN(w, KITH_VALUE(Byte, {9}));
        kith_entity there = KITH_SPAWN(p.g.world, KITH_VALUE(Byte, {9}));
        CHECK_SAME(here, there);
    }
    CHECK(kith_world_hash(p.g.world) == kith_world_hash(w));
    pair_free(&p);
}

TEST(resources_events_ticks_and_random_numbers_follow)
{
    pair p = pair_new(KITH_TABLE);
    kith_world *w = p.f.world;
    kith_entity a = KITH_SPAWN(w, KITH_VALUE(Position, {1, 2}));
    KITH_RESOURCE_SET(w, Wind, {0.5f, a});
    KITH_RESOURCE_SET(w, Health, {1, 2});
    KITH_SEND(w, Hit, {a, -3});
    kith_event_send(w, &Bell_type, NULL);
    kith_event_send(w, &Bell_type, NULL);
    follow(&p);
    CHECK_INT(((const Hit *)kith_event_at(p.g.world, &Hit_type, 0))->damage, -3);
    CHECK_UINT(kith_event_count(p.g.world, &Bell_type), 2);

    CHECK_RESULT(kith_run(w, 1.0f), KITH_OK);
    KITH_SEND(w, Hit, {KITH_NONE, 400});
    kith_random_next(kith_world_random(w));
    KITH_RESOURCE_SET(w, Wind, {0.25f, a});
    kith_resource_remove(w, &Health_type);
    KITH_RESOURCE_SET(w, Byte, {8});
    follow(&p);
    CHECK_UINT(kith_tick_count(p.g.world), 1);
    CHECK_PTR_NULL(KITH_RESOURCE(p.g.world, Health));
    KITH_RESOURCE_SET(w, Name, {"between"});
    follow(&p);
    for (int i = 0; i < 4; i++) {
        CHECK_RESULT(kith_run(w, 1.0f), KITH_OK);
        follow(&p);
    }
    CHECK_UINT(kith_event_count(p.g.world, &Hit_type), 0);
    CHECK(kith_random_next(kith_world_random(w)) == kith_random_next(kith_world_random(p.g.world)));
    pair_free(&p);
}

/* Many entities, over several blocks: all move to other rows and back, some end. */
TEST_EACH_LAYOUT_WITHIN(20, thousands_follow, layout)
{
    pair p = pair_new(layout);
    kith_entity *entities = calloc(5000, sizeof *entities);
    CHECK_PTR_NOT_NULL(entities);
    uint64_t random = 7;
    const kith_values values[] = {{&Position_type, NULL, false}, {&Padded_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(p.f.world, 5000, values, 2, entities), KITH_OK);
    follow(&p);
    for (int round = 0; round < 6; round++) {
        for (uint32_t i = 0; i < 5000; i++) {
            kith_entity e = entities[i];
            switch (random_below(&random, 12)) {
            case 0: KITH_SET(p.f.world, e, Position, {(float)i, (float)round}); break;
            case 1: KITH_ADD(p.f.world, e, Health); break;
            case 2: KITH_REMOVE(p.f.world, e, Position); break;
            case 3: kith_despawn(p.f.world, e); break;
            case 4: KITH_ADD(p.f.world, e, Frozen); break;
            case 5:
                if (!kith_alive(p.f.world, e)) {
                    entities[i] = KITH_SPAWN(p.f.world, KITH_VALUE(Padded, {1, i, 2}));
                }
                break;
            default: break;
            }
        }
        follow(&p);
    }
    kith_despawn_many(p.f.world, entities, 5000, NULL);
    follow(&p);
    free(entities);
    pair_free(&p);
}

/* Of an array, only runs of elements travel. */
TEST_EACH_LAYOUT(arrays_follow, layout)
{
    pair p = pair_new(layout);
    kith_entity a = KITH_SPAWN(p.f.world, KITH_VALUE(Big), KITH_VALUE(Name, {"0123456789abcde"}));
    follow(&p);
    uint64_t random = 3;
    for (int round = 0; round < 30; round++) {
        Big *big = KITH_GET_MUT(p.f.world, a, Big);
        for (uint32_t i = random_below(&random, 40); i > 0; i--) {
            uint32_t at = random_below(&random, 4990);
            for (uint32_t k = random_below(&random, 9); k > 0; k--) {
                big->words[at + k] = (uint32_t)random_next(&random);
            }
        }
        Name *name = KITH_GET_MUT(p.f.world, a, Name);
        for (uint32_t i = 0; i < 15; i++) {
            name->text[i] ^= (char)(random_below(&random, 3) == 0);
        }
        follow(&p);
    }
    pair_free(&p);
}

/* A slot whose generations are used up. */
TEST(retired_slots_follow)
{
    pair p = pair_new(KITH_TABLE);
    kith_entity first = KITH_SPAWN(p.f.world, KITH_VALUE(Byte, {1}));
    KITH_SPAWN(p.f.world, KITH_VALUE(Byte, {1}));
    kith_despawn(p.f.world, first);
    ki_record_at(&p.f.world->store.entities, first.index1 - 1)->generation = UINT32_MAX;
    kith_entity last = KITH_SPAWN(p.f.world, KITH_VALUE(Byte, {2}));
    CHECK_UINT(last.generation, UINT32_MAX);
    follow(&p);
    CHECK(kith_alive(p.g.world, last));
    kith_despawn(p.f.world, last);
    follow(&p);
    kith_entity here = KITH_SPAWN(p.f.world, KITH_VALUE(Byte, {3}));
    kith_entity there = KITH_SPAWN(p.g.world, KITH_VALUE(Byte, {3}));
    CHECK_SAME(here, there);
    CHECK_UINT(here.index1, 3);
    pair_free(&p);
}

/* What bytes there are for a change of one field among many entities. */
TEST(a_difference_is_small)
{
    pair p = pair_new(KITH_TABLE);
    kith_entity entities[4000];
    const kith_values values[] = {{&Position_type, NULL, false}, {&Big_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(p.f.world, 4000, values, 1, entities), KITH_OK);
    kith_entity big;
    CHECK_RESULT(kith_spawn_many(p.f.world, 1, values + 1, 1, &big), KITH_OK);
    follow(&p);
    write_difference(&p);
    CHECK(p.bytes.size <= 48); /* of nothing */
    uint32_t least = p.bytes.size;
    KITH_GET_MUT(p.f.world, entities[3000], Position)->y = 2;
    write_difference(&p);
    CHECK(p.bytes.size <= least + 9 + 8 + 2 + 16); /* a name, a hash, ... */
    KITH_GET_MUT(p.f.world, big, Big)->words[4321] = 5;
    write_difference(&p);
    CHECK(p.bytes.size <= least + 4 + 8 + 2 + 16);
    pair_free(&p);
}

/* The bytes of a difference, which are the same on every machine. */
TEST(the_bytes_are_as_documented)
{
    pair p = pair_new(KITH_TABLE);
    kith_entity a = KITH_SPAWN(p.f.world, KITH_VALUE(Byte, {7}));
    KITH_SET(p.f.world, a, Label, {text_of(p.f.world, "hi"), 300, 0.5, {0, 2}});
    write_difference(&p);
    const unsigned char head[] = {'K', 'T', 'H', 'D', 3};
    CHECK(p.bytes.size > 21 && memcmp(p.bytes.data, head, sizeof head) == 0);
    /* The hashes of types are not shown. */
    unsigned char shown[256];
    uint32_t count = 0;
    for (uint32_t i = 21; i < p.bytes.size; i++) {
        i += i == 27 || i == 41 ? 8 : 0;
        shown[count++] = p.bytes.data[i];
    }
    const unsigned char expected[] = {
        2, 4, 'B', 'y', 't', 'e', 5, 'L', 'a', 'b', 'e', 'l', /* types */
        1, 2, 'h', 'i',                                       /* texts */
        0, 1, 0,   0,   0,   0,   0, 0,   0,   0, /* ticks, random numbers, which are not compared */
        0,                                        /* systems */
        1, 0, 1,   1,   0,   0,                   /* slots */
        3, 0, 1,   1,   1,   0,   0,              /* a table and its row */
    };
    for (uint32_t i = 0; i < sizeof expected; i++) {
        if (i < 18 || i > 25) {
            CHECK_UINT(shown[i], expected[i]);
        }
    }
    const unsigned char rest[] = {1,    1,  7, 0, /* Byte */
                                  1,    15, 0, 0xd8, 4, 0, 0, 0, 0, 0, 0, 0xe0,
                                  0x3f, 2,  1, 4,    0, 0, 0, 0, 0, 0, 0, 0};
    CHECK_UINT(count, sizeof expected + sizeof rest);
    for (uint32_t i = 0; i < sizeof rest; i++) {
        CHECK_UINT(shown[sizeof expected + i], rest[i]);
    }
    pair_free(&p);
}

/* ---- What else is told ----------------------------------------------------------------------- */

static uint32_t count_changed(kith_query *query)
{
    uint32_t count = 0;
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        count += it.count;
    }
    return count;
}

TEST(trackers_and_queries_see_what_differs)
{
    pair p = pair_new(KITH_TABLE);
    kith_entity list[3000];
    const kith_values values[] = {{&Position_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(p.f.world, 3000, values, 1, list), KITH_OK);
    follow_difference(&p);
    kith_query *changed = KITH_QUERY(p.g.world, KITH_CHANGED(Position));
    kith_tracker *tracker;
    CHECK_RESULT(kith_tracker_new(p.g.world, &Position_type, &tracker), KITH_OK);
    count_changed(changed);
    CHECK_UINT(count_changed(changed), 0);

    KITH_SET(p.f.world, list[2500], Position, {1, 1});
    follow_difference(&p);
    CHECK_UINT(count_changed(changed), 3000 - 2048); /* a block */
    CHECK_UINT(count_changed(changed), 0);
    kith_despawn(p.f.world, list[7]);
    follow_difference(&p);
    kith_change change;
    CHECK(kith_tracker_next(tracker, &change) && change.kind == KITH_REMOVED);
    CHECK_SAME(change.entity, list[7]);
    CHECK(!kith_tracker_next(tracker, &change));
    kith_tracker_free(tracker);
    kith_query_free(changed);
    pair_free(&p);
}

typedef struct told {
    uint32_t added;
    uint32_t left;
} told;

static void note_observed(const kith_observed *observed)
{
    told *to = observed->user;
    *(observed->kind == KITH_ON_ADD ? &to->added : &to->left) += observed->count;
}

static void observe(kith_world *world, told *to)
{
    const kith_observer_def added = {
        .kind = KITH_ON_ADD, .type = &Position_type, .run = note_observed, .user = to};
    const kith_observer_def left = {.kind = KITH_ON_LEAVE,
                                    .query = {.terms = KITH_TERMS(KITH_READ(Position))},
                                    .run = note_observed,
                                    .user = to};
    CHECK_RESULT(kith_observer_new(world, &added, NULL), KITH_OK);
    CHECK_RESULT(kith_observer_new(world, &left, NULL), KITH_OK);
}

/* What they did is in the difference, if it was done where that comes from. */
/* The tracker is told of one that went, of the one that came, and of nothing else. */
static void expect_replaced(kith_tracker *tracker, kith_entity gone, kith_entity came)
{
    kith_change change;
    CHECK_UINT(kith_tracker_pending(tracker), 2);
    CHECK(kith_tracker_next(tracker, &change) && change.kind == KITH_REMOVED);
    CHECK_SAME(change.entity, gone);
    CHECK(kith_tracker_next(tracker, &change) && change.kind == KITH_ADDED);
    CHECK_SAME(change.entity, came);
}

/* No value and no bit differs, only who has them. */
TEST_EACH_LAYOUT(another_entity_with_the_same_values_is_another_one, layout)
{
    pair p = pair_new(layout);
    kith_world *w = p.f.world, *g = p.g.world;
    kith_entity gone = KITH_SPAWN(w, KITH_VALUE(Health, {5, 6}), KITH_VALUE(Burning));
    follow_difference(&p);
    kith_tracker *valued, *tagged;
    kith_index *index;
    kith_live *live;
    kith_live_changes changes;
    kith_index_found found;
    const kith_index_def by_health = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current)};
    CHECK_RESULT(kith_tracker_new(g, &Health_type, &valued), KITH_OK);
    CHECK_RESULT(kith_tracker_new(g, &Burning_type, &tagged), KITH_OK);
    CHECK_RESULT(kith_index_new(g, &by_health, &index), KITH_OK);
    CHECK_RESULT(kith_live_new(g, KITH_QUERY(g, KITH_WITH(Burning)), &live), KITH_OK);
    kith_query *changed = KITH_QUERY(g, KITH_CHANGED(Health));
    CHECK_RESULT(kith_index_find(index, &(Health){.current = 5}, &found), KITH_OK);
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    kith_query_skip_changes(changed);
    kith_despawn(w, gone);
    kith_entity came = KITH_SPAWN(w, KITH_VALUE(Health, {5, 6}), KITH_VALUE(Burning));
    CHECK_UINT(came.index1, gone.index1);
    follow_difference(&p);
    expect_replaced(valued, gone, came);
    expect_replaced(tagged, gone, came);
    CHECK_RESULT(kith_index_find(index, &(Health){.current = 5}, &found), KITH_OK);
    CHECK_UINT(found.count, 1);
    CHECK_SAME(found.entities[0], came);
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    CHECK(changes.left_count == 1 && changes.entered_count == 1 && changes.changed_count == 0);
    CHECK_SAME(changes.entered[0], came);
    CHECK_SAME(kith_query_first(changed), came);
    pair_free(&p);
}

TEST_EACH_LAYOUT(observers_are_as_if_they_were_made_now, layout)
{
    pair p = pair_new(layout);
    told to = {0};
    observe(p.g.world, &to);
    kith_entity a = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
    kith_entity b = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
    follow(&p);
    kith_despawn(p.f.world, a);
    follow(&p);
    CHECK_RESULT(kith_observers_flush(p.g.world), KITH_OK);
    CHECK_UINT(to.added + to.left, 0);
    kith_despawn(p.g.world, b);
    KITH_SPAWN(p.g.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(kith_observers_flush(p.g.world), KITH_OK);
    CHECK_UINT(to.added, 1);
    CHECK_UINT(to.left, 1);
    CHECK_WORLD(p.g.world);
    pair_free(&p);
}

/* They do not travel, stay if nothing comes of it, and go as after a restore. */
TEST(transient_components_go)
{
    for (int sparse = 0; sparse < 2; sparse++) {
        pair p = {.f = fixture_new(), .g = fixture_new()};
        const kith_component_def def = {.layout = sparse ? KITH_SPARSE : KITH_SLOT,
                                        .transient = true};
        CHECK_RESULT(kith_register(p.f.world, &Byte_type, &def), KITH_OK);
        CHECK_RESULT(kith_register(p.g.world, &Byte_type, &def), KITH_OK);
        KITH_TYPES(p.g.world, Position);
        CHECK_RESULT(kith_snapshot_take(p.f.world, &p.before), KITH_OK);
        kith_entity a = KITH_SPAWN(p.f.world, KITH_VALUE(Byte, {1}), KITH_VALUE(Position, {1, 2}));
        follow(&p);
        CHECK(!KITH_HAS(p.g.world, a, Byte));
        KITH_SET(p.g.world, a, Byte, {2});
        KITH_SET(p.f.world, a, Position, {2, 2});
        write_difference(&p);
        p.bytes.size--;
        check_refused(&p, KITH_ERR_INPUT, "expected");
        CHECK_UINT(KITH_GET(p.g.world, a, Byte)->value, 2);
        p.bytes.size++;
        CHECK_RESULT(apply(&p), KITH_OK);
        CHECK(!KITH_HAS(p.g.world, a, Byte));
        pair_free(&p);
    }
}

/* The room is used again, and what was there is freed with it. */
TEST(bytes_use_their_room_again)
{
    pair p = pair_new(KITH_TABLE);
    KITH_SPAWN(p.f.world, KITH_VALUE(Name, {"a long name"}));
    write_difference(&p);
    const uint8_t *data = p.bytes.data;
    uint32_t capacity = p.bytes.capacity;
    CHECK(p.bytes.size <= capacity);
    write_difference(&p);
    CHECK(p.bytes.data == data && p.bytes.capacity == capacity);
    kith_bytes_free(p.f.world, NULL);
    pair_free(&p);
}
