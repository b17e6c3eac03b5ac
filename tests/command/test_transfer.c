/* Entities that move to another world: with all that they have, all or none. */
#include <kith/observer.h>
#include <kith/text.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "owners.h"
#include "test.h"

typedef struct Crew {
    kith_entity captain;
    kith_entity others[2];
    kith_text name;
    kith_text lines[2];
    uint32_t pay;
} Crew;
KITH_TYPE(Crew, KITH_FIELD(Crew, captain), KITH_FIELD(Crew, others), KITH_FIELD(Crew, name),
          KITH_FIELD(Crew, lines), KITH_FIELD(Crew, pay));

/* Two worlds, and in the first an island with a few entities. */
typedef struct worlds {
    fixture a, b;
    kith_world *from, *to;
    kith_entity entities[3]; /* ship: Position, Crew, Frozen; port: Position, Byte; rock: nothing */
    kith_entity left;        /* stays behind, and names the ship */
} worlds;

static void register_in(kith_world *world, kith_layout layout)
{
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(world, &Position_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(world, &Crew_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(world, &Byte_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(world, &Frozen_type, &def), KITH_OK);
}

static kith_text text_in(kith_world *world, const char *bytes)
{
    kith_text text;
    CHECK_RESULT(kith_text_intern(world, bytes, &text), KITH_OK);
    return text;
}

static worlds worlds_new(kith_layout layout)
{
    worlds w = {.a = fixture_new(), .b = fixture_new()};
    w.from = w.a.world;
    w.to = w.b.world;
    register_in(w.from, layout);
    text_in(w.from, "a text that the other world lacks");
    text_in(w.to, "and one that this one lacks");
    kith_entity gone = kith_spawn_empty(w.from);
    w.left = KITH_SPAWN(w.from, KITH_VALUE(Position, {0, 0}));
    w.entities[1] = KITH_SPAWN(w.from, KITH_VALUE(Position, {3, 4}), KITH_VALUE(Byte, {7}));
    w.entities[2] = kith_spawn_empty(w.from);
    w.entities[0] =
        KITH_SPAWN(w.from, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen),
                   KITH_VALUE(Crew, {.captain = w.entities[1],
                                     .others = {w.left, gone},
                                     .name = text_in(w.from, "Argo"),
                                     .lines = {text_in(w.from, ""), text_in(w.from, "row")},
                                     .pay = 5}));
    KITH_GET_MUT(w.from, w.entities[0], Crew)->others[0] = w.entities[0];
    CHECK_RESULT(KITH_SET(w.from, w.left, Crew, {w.entities[0], {w.left, gone}, {0}, {{0}}, 1}),
                 KITH_OK);
    CHECK_RESULT(kith_despawn(w.from, gone), KITH_OK);
    return w;
}

static void worlds_free(worlds *w)
{
    fixture_free(&w->a);
    fixture_free(&w->b);
}

/* All that moved is in the other world, and nothing else. */
static void check_moved(const worlds *w, const kith_entity moved[3])
{
    const kith_entity ship = moved[0], port = moved[1], rock = moved[2];
    CHECK_FLOAT(KITH_GET(w->to, ship, Position)->y, 2);
    CHECK_FLOAT(KITH_GET(w->to, port, Position)->x, 3);
    CHECK_UINT(KITH_GET(w->to, port, Byte)->value, 7);
    CHECK(KITH_HAS(w->to, ship, Frozen) && !KITH_HAS(w->to, port, Frozen));
    CHECK(!KITH_HAS(w->to, port, Crew) && !KITH_HAS(w->to, ship, Byte));
    CHECK(kith_alive(w->to, rock) && kith_component_next(w->to, rock, NULL) == NULL);
    const Crew *crew = KITH_GET(w->to, ship, Crew);
    CHECK_SAME(crew->captain, port);
    CHECK_SAME(crew->others[0], ship);
    CHECK_SAME(crew->others[1], KITH_NONE);
    CHECK_STR(kith_text_get(w->to, crew->name, NULL), "Argo");
    CHECK_STR(kith_text_get(w->to, crew->lines[0], NULL), "");
    CHECK_STR(kith_text_get(w->to, crew->lines[1], NULL), "row");
    CHECK_UINT(crew->pay, 5);

    CHECK_UINT(kith_entity_count(w->from), 1);
    for (int i = 0; i < 3; i++) {
        CHECK(!kith_alive(w->from, w->entities[i]));
    }
    CHECK_SAME(KITH_GET(w->from, w->left, Crew)->captain, w->entities[0]); /* dead now */
    CHECK_WORLD(w->from);
    CHECK_WORLD(w->to);
}

TEST_EACH_LAYOUT(entities_move_with_all_that_they_have, layout)
{
    for (int other = 0; other < LAYOUT_COUNT; other++) {
        worlds w = worlds_new(layout);
        register_in(w.to, (kith_layout)other);
        const kith_entity before = KITH_SPAWN(w.to, KITH_VALUE(Position, {9, 9}));
        CHECK_RESULT(kith_despawn(w.to, kith_spawn_empty(w.to)), KITH_OK);
        kith_entity moved[3];
        CHECK_RESULT(kith_transfer(w.from, w.entities, 3, w.to, moved), KITH_OK);
        check_moved(&w, moved);
        CHECK_FLOAT(KITH_GET(w.to, before, Position)->x, 9);
        CHECK_UINT(kith_entity_count(w.to), 4);
        CHECK_UINT(moved[0].generation, 1); /* the slot that was free, then new ones */
        CHECK_UINT(moved[2].index1, moved[1].index1 + 1);
        worlds_free(&w);
    }
}

TEST_EACH_LAYOUT(types_are_registered_as_they_were, layout)
{
    worlds w = worlds_new(layout);
    const kith_component_def exact = {.layout = layout, .exact_changes = true};
    CHECK_RESULT(kith_register(w.from, &Position_type, &exact), KITH_OK);
    CHECK_RESULT(kith_transfer(w.from, w.entities, 3, w.to, w.entities), KITH_OK); /* in place */
    kith_layout there;
    CHECK_RESULT(kith_layout_of(w.to, &Crew_type, &there), KITH_OK);
    CHECK_INT(there, layout);
    kith_query *changed = KITH_QUERY(w.to, KITH_CHANGED(Position));
    kith_query_skip_changes(changed);
    KITH_GET_MUT(w.to, w.entities[1], Position)->x = 8;
    kith_iter it = kith_query_iter(changed);
    CHECK(kith_next(&it) && it.count == 1);
    CHECK_SAME(kith_entities(&it)[0], w.entities[1]);
    kith_iter_close(&it);
    kith_query_free(changed);
    worlds_free(&w);
}

/* A type of the same name and fields may be declared with other layouts: what counts is the world. */
TEST_EACH_LAYOUT(a_layout_is_that_of_the_world_it_came_from, layout)
{
    fixture first = fixture_new();
    worlds w = worlds_new(layout);
    const int32_t value = 5;
    const kith_field field = {"value", 0, 4, KITH_I32};
    kith_type crossed = {
        .name = "Crossed", .size = 4, .align = 4, .field_count = 1, .fields = &field};
    crossed.layout = layout == KITH_TABLE ? KITH_SLOT : KITH_TABLE;
    CHECK_RESULT(kith_register(first.world, &crossed, NULL), KITH_OK);
    crossed.layout = layout;
    CHECK_RESULT(kith_set(w.from, w.entities[0], &crossed, &value), KITH_OK);
    kith_entity moved;
    CHECK_RESULT(kith_transfer(w.from, w.entities, 1, w.to, &moved), KITH_OK);
    kith_layout now;
    CHECK_RESULT(kith_layout_of(w.to, &crossed, &now), KITH_OK);
    CHECK_INT(now, layout);
    CHECK_INT(*(const int32_t *)kith_get(w.to, moved, &crossed), 5);
    fixture_free(&first);
    worlds_free(&w);
}

TEST(nothing_and_nobody_may_move)
{
    worlds w = worlds_new(KITH_TABLE);
    CHECK_RESULT(kith_transfer(w.from, NULL, 0, w.to, NULL), KITH_OK);
    CHECK_UINT(kith_entity_count(w.to), 0);
    CHECK_RESULT(kith_transfer(w.from, w.entities, 3, w.to, NULL), KITH_OK);
    CHECK_UINT(kith_entity_count(w.to), 3);
    worlds_free(&w);
}

/* There and back: the content is the same, if for the handles. */
TEST_EACH_LAYOUT(many_move_and_come_back, layout)
{
    enum { MANY = 3000 };
    static kith_entity all[MANY];
    worlds w = worlds_new(layout);
    for (uint32_t i = 0; i < MANY; i++) {
        all[i] = KITH_SPAWN(w.from, KITH_VALUE(Crew, {.pay = i}), KITH_VALUE(Byte));
        KITH_GET_MUT(w.from, all[i], Crew)->captain = all[i / 2];
        if (i % 3 == 0) {
            KITH_ADD(w.from, all[i], Frozen);
        }
    }
    for (int round = 0; round < 2; round++) {
        CHECK_RESULT(
            kith_transfer(round == 0 ? w.from : w.to, all, MANY, round == 0 ? w.to : w.from, all),
            KITH_OK);
        kith_world *now = round == 0 ? w.to : w.from;
        for (uint32_t i = 0; i < MANY; i++) {
            const Crew *crew = KITH_GET(now, all[i], Crew);
            CHECK(crew->pay == i && kith_entity_equal(crew->captain, all[i / 2]) &&
                  KITH_HAS(now, all[i], Frozen) == (i % 3 == 0));
        }
        CHECK_WORLD(now);
    }
    CHECK_UINT(kith_entity_count(w.to), 0);
    worlds_free(&w);
}

/* ---- What fails --------------------------------------------------------------------------------- */

typedef struct hashes {
    uint64_t from, to;
} hashes;

static hashes hashes_of(const worlds *w)
{
    return (hashes){kith_world_hash(w->from), kith_world_hash(w->to)};
}

static void check_unchanged(const worlds *w, hashes before)
{
    CHECK_UINT(kith_world_hash(w->from), before.from);
    CHECK_UINT(kith_world_hash(w->to), before.to);
    CHECK_WORLD(w->from);
    CHECK_WORLD(w->to);
}

static void check_refused(worlds *w, const kith_entity *entities, uint32_t count,
                          kith_result expected, const char *message)
{
    kith_entity moved[4] = {{77, 7}, {77, 7}, {77, 7}, {77, 7}};
    const hashes before = hashes_of(w);
    CHECK_RESULT(kith_transfer(w->from, entities, count, w->to, moved), expected);
    CHECK_STR(kith_error(w->from), message);
    CHECK_UINT(moved[0].index1, 77);
    check_unchanged(w, before);
}

TEST_EACH_LAYOUT(who_is_dead_or_named_twice_is_told, layout)
{
    worlds w = worlds_new(layout);
    const kith_entity twice[] = {w.entities[0], w.entities[2], w.entities[0]};
    const kith_entity dead[] = {w.entities[0], KITH_NONE};
    check_refused(&w, twice, 3, KITH_ERR_CONFLICT, "kith_transfer: Entity(4v0) is named twice");
    check_refused(&w, dead, 2, KITH_ERR_DEAD, "kith_transfer: Entity(null) is not alive");
    worlds_free(&w);
}

typedef struct OtherPosition {
    double x;
} OtherPosition;
KITH_TYPE_NAMED(OtherPosition, "Position", KITH_FIELD(OtherPosition, x));

TEST(another_type_of_the_name_is_told)
{
    worlds w = worlds_new(KITH_TABLE);
    CHECK_RESULT(kith_register(w.to, &OtherPosition_type, NULL), KITH_OK);
    const hashes before = hashes_of(&w);
    CHECK_RESULT(kith_transfer(w.from, w.entities, 3, w.to, NULL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(w.from), "'Position' is registered as another type");
    check_unchanged(&w, before);
    worlds_free(&w);
}

/* Each allocation of either world fails in turn, with a tracker and an observer that make the end of
 * the old entities need memory too. */
static void be_told(const kith_observed *observed)
{
    *(uint32_t *)observed->user += observed->count;
}

static bool transfer_fails(kith_layout layout, bool in_target, size_t nth)
{
    worlds w = worlds_new(layout);
    kith_tracker *tracker;
    uint32_t told = 0;
    const kith_observer_def lost = {
        .kind = KITH_ON_REMOVE, .type = &Crew_type, .values = true, .run = be_told, .user = &told};
    CHECK_RESULT(kith_tracker_new(w.from, &Position_type, &tracker), KITH_OK);
    CHECK_RESULT(kith_observer_new(w.from, &lost, NULL), KITH_OK);
    CHECK_RESULT(kith_observers_flush(w.from), KITH_OK);
    const hashes before = hashes_of(&w);
    kith_entity moved[3];
    fixture *failing = in_target ? &w.b : &w.a;
    fail_allocation(failing, nth);
    const kith_result result = kith_transfer(w.from, w.entities, 3, w.to, moved);
    const bool reached = fail_nothing(failing);
    CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
    if (reached) {
        CHECK_STR(kith_error(w.from), "");
        check_unchanged(&w, before);
        CHECK_RESULT(kith_transfer(w.from, w.entities, 3, w.to, moved), KITH_OK);
    }
    check_moved(&w, moved);
    CHECK_RESULT(kith_observers_flush(w.from), KITH_OK);
    CHECK_UINT(told, 1);
    worlds_free(&w);
    return reached;
}

TEST_EACH_LAYOUT_WITHIN(20, each_allocation_of_both_worlds_may_fail, layout)
{
    for (int in_target = 0; in_target < 2; in_target++) {
        size_t nth = 1;
        while (transfer_fails(layout, in_target != 0, nth)) {
            nth++;
        }
        CHECK(nth > 4);
    }
}

/* ---- Who follows what happens ------------------------------------------------------------------- */

TEST_EACH_LAYOUT(trackers_of_both_worlds_are_told, layout)
{
    worlds w = worlds_new(layout);
    register_in(w.to, layout);
    kith_tracker *lost, *got;
    CHECK_RESULT(kith_tracker_new(w.from, &Crew_type, &lost), KITH_OK);
    CHECK_RESULT(kith_tracker_new(w.to, &Crew_type, &got), KITH_OK);
    kith_change change;
    while (kith_tracker_next(lost, &change)) {
    }
    kith_entity moved[3];
    CHECK_RESULT(kith_transfer(w.from, w.entities, 3, w.to, moved), KITH_OK);
    CHECK(kith_tracker_next(lost, &change) && change.kind == KITH_REMOVED);
    CHECK_SAME(change.entity, w.entities[0]);
    CHECK(!kith_tracker_next(lost, &change));
    CHECK(kith_tracker_next(got, &change) && change.kind == KITH_ADDED);
    CHECK_SAME(change.entity, moved[0]);
    CHECK(!kith_tracker_next(got, &change));
    worlds_free(&w);
}

/* ---- Values with hooks -------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(values_with_hooks_are_copied_and_destroyed, layout)
{
    owners a, b;
    owners_new(&a, layout);
    owners_new(&b, layout);
    kith_entity e[2] = {spawn_number(&a, 5), spawn_number(&a, 6)};
    check_live(&a, 2);
    CHECK_RESULT(kith_transfer(a.world, e, 2, b.world, e), KITH_OK);
    CHECK_UINT(number_of(&b, e[0]), 5);
    CHECK_UINT(number_of(&b, e[1]), 6);
    check_live(&a, 0); /* each world counts its own */
    check_live(&b, 2);
    owners_free(&a);
    owners_free(&b);
}

TEST_EACH_LAYOUT(handles_beside_what_hooks_keep_are_the_new_ones, layout)
{
    owners a, b;
    owners_new(&a, layout);
    owners_new(&b, layout);
    kith_entity e[3] = {kith_spawn_empty(a.world), kith_spawn_empty(a.world),
                        kith_spawn_empty(a.world)};
    for (int i = 0; i < 2; i++) {
        CHECK_RESULT(kith_add(a.world, e[i], &Bond_type), KITH_OK);
        KITH_GET_MUT(a.world, e[i], Bond)->to = e[i + 1];
    }
    CHECK_RESULT(kith_transfer(a.world, e, 2, b.world, e), KITH_OK);
    CHECK_SAME(KITH_GET(b.world, e[0], Bond)->to, e[1]);
    CHECK_SAME(KITH_GET(b.world, e[1], Bond)->to, KITH_NONE); /* that one stayed */
    CHECK_WORLD(b.world);
    owners_free(&a);
    owners_free(&b);
}

/* The bytes of an Owned, with a text beside the number, for the same hooks. */
typedef struct Titled {
    uint32_t *number;
    kith_text title;
    uint32_t unused;
} Titled;
KITH_TYPE(Titled, KITH_FIELD(Titled, number, KITH_OPAQUE), KITH_FIELD(Titled, title),
          KITH_FIELD(Titled, unused));

TEST_EACH_LAYOUT(texts_beside_what_hooks_keep_are_interned, layout)
{
    owners a, b;
    owners_new(&a, layout);
    owners_new(&b, layout);
    const kith_hooks hooks = owned_hooks(&a.record);
    CHECK_RESULT(kith_register(a.world, &Titled_type,
                               &(kith_component_def){.layout = layout, .hooks = &hooks}),
                 KITH_OK);
    text_in(b.world, "another text");
    kith_entity e = kith_spawn_empty(a.world);
    CHECK_RESULT(KITH_ADD(a.world, e, Titled), KITH_OK);
    KITH_GET_MUT(a.world, e, Titled)->title = text_in(a.world, "the title");
    CHECK_RESULT(kith_transfer(a.world, &e, 1, b.world, &e), KITH_OK);
    CHECK_STR(kith_text_get(b.world, KITH_GET(b.world, e, Titled)->title, NULL), "the title");
    check_live(&a, 1); /* by the hooks, and the `user`, of the first world */
    owners_free(&b);
    owners_free(&a);
}

TEST_EACH_LAYOUT(a_copy_that_fails_changes_nothing, layout)
{
    for (uint64_t nth = 1; nth <= 3; nth++) {
        owners a, b;
        owners_new(&a, layout);
        owners_new(&b, layout);
        kith_entity e[3];
        for (uint32_t i = 0; i < 3; i++) {
            e[i] = spawn_number(&a, i);
        }
        const uint64_t before[] = {kith_world_hash(a.world), kith_world_hash(b.world)};
        owned_fail(&b.record, nth);
        CHECK_RESULT(kith_transfer(a.world, e, 3, b.world, NULL), KITH_ERR_MEMORY);
        CHECK_STR(kith_error(a.world), "");
        owned_fail(&b.record, 0);
        CHECK_UINT(kith_world_hash(a.world), before[0]);
        CHECK_UINT(kith_world_hash(b.world), before[1]);
        check_live(&a, 3);
        check_live(&b, 0);
        owners_free(&a);
        owners_free(&b);
    }
}

static bool owners_fail(kith_layout layout, bool in_target, size_t nth)
{
    owners a, b;
    owners_new(&a, layout);
    owners_new(&b, layout);
    kith_entity e[3] = {spawn_number(&a, 5), spawn_number(&a, 6), spawn_number(&a, 7)};
    const uint64_t before[] = {kith_world_hash(a.world), kith_world_hash(b.world)};
    owners *failing = in_target ? &b : &a;
    fail_allocation(&failing->f, nth);
    const kith_result result = kith_transfer(a.world, e, 3, b.world, e);
    const bool reached = fail_nothing(&failing->f);
    CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
    check_live(&a, reached ? 3 : 0);
    check_live(&b, reached ? 0 : 3);
    CHECK(!reached ||
          (kith_world_hash(a.world) == before[0] && kith_world_hash(b.world) == before[1]));
    CHECK_UINT(number_of(reached ? &a : &b, e[2]), 7);
    owners_free(&a);
    owners_free(&b);
    return reached;
}

TEST_EACH_LAYOUT_WITHIN(20, each_allocation_may_fail_with_hooks_too, layout)
{
    for (int in_target = 0; in_target < 2; in_target++) {
        size_t nth = 1;
        while (owners_fail(layout, in_target != 0, nth)) {
            nth++;
        }
        CHECK(nth > 3);
    }
}

TEST_EACH_LAYOUT(hooks_must_copy_and_be_the_same, layout)
{
    owners a, b;
    owners_new_without_copy(&a, layout);
    owners_new(&b, layout);
    kith_entity e = kith_spawn_empty(a.world);
    CHECK_RESULT(KITH_ADD(a.world, e, Owned), KITH_OK);
    CHECK_RESULT(kith_transfer(a.world, &e, 1, b.world, NULL), KITH_ERR_TYPE);
    CHECK_STR(kith_error(a.world),
              "kith_transfer: 'Owned' has hooks, but none that copies a value");
    kith_entity back = spawn_number(&b, 6);
    CHECK_RESULT(kith_transfer(b.world, &back, 1, a.world, NULL), KITH_ERR_CONFLICT);
    CHECK_STR(kith_error(b.world), "kith_transfer: 'Owned' has other hooks in the other world");
    check_live(&a, 1);
    check_live(&b, 1);
    owners_free(&a);
    owners_free(&b);
}
