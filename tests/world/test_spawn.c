/* Entities come and go: spawn, spawn many, clone, despawn, despawn many. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "share.h"
#include "test.h"

/* ---- Spawn ----------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(spawn_with_values, layout)
{
    fixture f = fixture_with_all(layout);
    Big *big = calloc(1, sizeof(*big));
    CHECK_PTR_NOT_NULL(big);
    for (uint32_t i = 0; i < 5000; i++) {
        big->words[i] = i * i;
    }
    kith_entity target = kith_spawn_empty(f.world);
    kith_entity e = KITH_SPAWN(
        f.world, KITH_VALUE(Burning), KITH_VALUE(Padded, {1, 2, 3}), KITH_VALUE(Target, {target}),
        KITH_VALUE(Aligned, {.words = {1, 2, 3, 4, 5, 6, 7, 8}}), KITH_VALUE(Byte, {200}),
        KITH_VALUE(Big, *big), KITH_VALUE(Name, {"fifteen letters"}), KITH_VALUE(Extra, {1, 2, 3}),
        KITH_VALUE(Health, {-5, 5}), KITH_VALUE(Velocity), KITH_VALUE(Position, {.y = 2}));
    CHECK_STR(kith_entity_to_text(e).text, "Entity(1v0)");
    CHECK_WORLD(f.world);

    CHECK(KITH_HAS(f.world, e, Burning));
    CHECK(!KITH_HAS(f.world, e, Frozen));
    CHECK_UINT(KITH_GET(f.world, e, Padded)->small, 1);
    CHECK_UINT(KITH_GET(f.world, e, Padded)->large, 2);
    CHECK_UINT(KITH_GET(f.world, e, Padded)->last, 3);
    CHECK_SAME(KITH_GET(f.world, e, Target)->entity, target);
    CHECK_UINT(KITH_GET(f.world, e, Aligned)->words[7], 8);
    CHECK_UINT(KITH_GET(f.world, e, Byte)->value, 200);
    CHECK(memcmp(KITH_GET(f.world, e, Big), big, sizeof(*big)) == 0);
    CHECK_STR(KITH_GET(f.world, e, Name)->text, "fifteen letters");
    CHECK_FLOAT(KITH_GET(f.world, e, Extra)->c, 3);
    CHECK_INT(KITH_GET(f.world, e, Health)->current, -5);
    CHECK_FLOAT(KITH_GET(f.world, e, Velocity)->dx, 0);
    CHECK_FLOAT(KITH_GET(f.world, e, Velocity)->dy, 0);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 0);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    free(big);
    fixture_free(&f);
}

/* The order in which values are named makes no difference. */
TEST_EACH_LAYOUT(spawn_in_any_order_of_values, layout)
{
    fixture f = fixture_with_all(layout);
    fixture g = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte, {3}), KITH_VALUE(Frozen));
    KITH_SPAWN(g.world, KITH_VALUE(Frozen), KITH_VALUE(Byte, {3}), KITH_VALUE(Position, {1, 2}));
    CHECK_UINT(kith_world_hash(f.world), kith_world_hash(g.world));
    CHECK_UINT(kith_memory(f.world).tables, kith_memory(g.world).tables);
    fixture_free(&g);
    fixture_free(&f);
}

TEST(spawn_empty)
{
    fixture f = fixture_new();
    kith_entity e[3];
    e[0] = kith_spawn_empty(f.world);
    e[1] = kith_spawn_or_none(f.world, NULL, 0);
    CHECK_RESULT(kith_spawn(f.world, NULL, 0, &e[2]), KITH_OK);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_UINT(e[i].index1, i + 1);
        CHECK(kith_alive(f.world, e[i]));
        CHECK_PTR_NULL(kith_component_next(f.world, e[i], NULL));
    }
    CHECK_UINT(kith_entity_count(f.world), 3);
    fixture_free(&f);
}

/* A failed spawn leaves its output alone. */
TEST(spawn_writes_only_on_success)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_value twice[] = {KITH_VALUE(Byte), KITH_VALUE(Byte)};
    kith_entity e = {77, 88};
    CHECK_RESULT(kith_spawn(f.world, twice, 2, &e), KITH_ERR_CONFLICT);
    CHECK_UINT(e.index1, 77);
    CHECK_UINT(e.generation, 88);
    CHECK(kith_is_none(kith_spawn_or_none(f.world, twice, 2)));
    CHECK_UINT(kith_entity_count(f.world), 0);
    fixture_free(&f);
}

/* ---- Slots ----------------------------------------------------------------------------------- */

/* Last in, first out; and the generation counts. */
TEST_EACH_LAYOUT(slots_are_used_again_last_in_first_out, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e[6];
    for (int i = 0; i < 6; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Byte, {(uint8_t)i}));
    }
    static const int order[] = {4, 0, 5, 2};
    for (int i = 0; i < 4; i++) {
        CHECK_RESULT(kith_despawn(f.world, e[order[i]]), KITH_OK);
        CHECK_WORLD(f.world);
    }
    for (int i = 3; i >= 0; i--) {
        kith_entity again = kith_spawn_empty(f.world);
        CHECK_UINT(again.index1, e[order[i]].index1);
        CHECK_UINT(again.generation, 1);
    }
    kith_entity fresh = kith_spawn_empty(f.world);
    CHECK_STR(kith_entity_to_text(fresh).text, "Entity(6v0)");
    fixture_free(&f);
}

/* ---- Spawn many ------------------------------------------------------------------------------ */

TEST_EACH_LAYOUT(spawn_many_from_arrays, layout)
{
    enum { COUNT = 3000 };
    static Position positions[COUNT];
    static Byte bytes[COUNT];
    static kith_entity e[COUNT];
    fixture f = fixture_with_all(layout);
    for (uint32_t i = 0; i < COUNT; i++) {
        positions[i] = (Position){(float)i, (float)(i * 2)};
        bytes[i].value = (uint8_t)i;
    }
    const kith_values values[] = {
        KITH_VALUES(Byte, bytes),         KITH_VALUE(Health, {100, 100}),
        KITH_VALUES(Position, positions), {&Frozen_type, NULL, true},
        {&Extra_type, NULL, true},        {&Padded_type, NULL, false},
    };
    CHECK_RESULT(kith_spawn_many(f.world, COUNT, values, 6, e), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_UINT(kith_entity_count(f.world), COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_UINT(e[i].index1, i + 1);
        CHECK_UINT(e[i].generation, 0);
        CHECK_FLOAT(KITH_GET(f.world, e[i], Position)->y, (float)(i * 2));
        CHECK_UINT(KITH_GET(f.world, e[i], Byte)->value, (uint8_t)i);
        CHECK_INT(KITH_GET(f.world, e[i], Health)->max, 100);
        CHECK_FLOAT(KITH_GET(f.world, e[i], Extra)->c, 0);
        CHECK_UINT(KITH_GET(f.world, e[i], Padded)->large, 0);
        CHECK(KITH_HAS(f.world, e[i], Frozen));
    }
    fixture_free(&f);
}

/* The same world as single calls would have made: slots, generations, rows and all. */
TEST_EACH_LAYOUT(spawn_many_is_many_spawns, layout)
{
    enum { COUNT = 50 };
    fixture f = fixture_with_all(layout);
    fixture g = fixture_with_all(layout);
    fixture *both[] = {&f, &g};
    for (int i = 0; i < 2; i++) {
        kith_entity e[40];
        for (int k = 0; k < 40; k++) {
            e[k] = KITH_SPAWN(both[i]->world, KITH_VALUE(Position, {(float)k, 0}));
        }
        for (int k = 0; k < 40; k += 3) {
            CHECK_RESULT(kith_despawn(both[i]->world, e[k]), KITH_OK);
        }
    }
    Position positions[COUNT];
    kith_entity many[COUNT];
    for (int i = 0; i < COUNT; i++) {
        positions[i] = (Position){(float)i, 7};
    }
    const kith_values values[] = {KITH_VALUES(Position, positions), KITH_VALUE(Byte, {9})};
    CHECK_RESULT(kith_spawn_many(f.world, COUNT, values, 2, many), KITH_OK);
    for (int i = 0; i < COUNT; i++) {
        kith_entity one =
            KITH_SPAWN(g.world, KITH_VALUE(Position, positions[i]), KITH_VALUE(Byte, {9}));
        CHECK_SAME(one, many[i]);
    }
    CHECK_UINT(kith_world_hash(f.world), kith_world_hash(g.world));
    fixture_free(&g);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(spawn_none_of_many, layout)
{
    fixture f = fixture_with_all(layout);
    const uint64_t before = kith_world_hash(f.world);
    const kith_values values[] = {KITH_VALUE(Position, {1, 2})};
    CHECK_RESULT(kith_spawn_many(f.world, 0, values, 1, NULL), KITH_OK);
    CHECK_RESULT(kith_spawn_many(f.world, 0, NULL, 0, NULL), KITH_OK);
    CHECK_UINT(kith_world_hash(f.world), before);
    CHECK_UINT(kith_entity_count(f.world), 0);
    fixture_free(&f);
}

/* The handles are not asked for, and come all the same in order. */
TEST(spawn_many_without_handles)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_values values[] = {KITH_VALUE(Position, {1, 2})};
    CHECK_RESULT(kith_spawn_many(f.world, 10, values, 1, NULL), KITH_OK);
    uint32_t number = 0;
    for (kith_entity e = kith_entity_next(f.world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(f.world, e)) {
        CHECK_UINT(e.index1, ++number);
        CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    }
    CHECK_UINT(number, 10);
    fixture_free(&f);
}

/* More than there are slots, or memory for. */
TEST(spawn_too_many)
{
    fixture f = fixture_new_with(&(kith_world_def){.memory_limit = 1 << 20});
    register_all(f.world, KITH_TABLE);
    kith_entity first = kith_spawn_empty(f.world);
    const uint64_t before = kith_world_hash(f.world);
    kith_result result = kith_spawn_many(f.world, UINT32_MAX, NULL, 0, NULL);
    CHECK(result == KITH_ERR_LIMIT || result == KITH_ERR_MEMORY);
    CHECK_RESULT(kith_spawn_many(f.world, UINT32_MAX / 2, NULL, 0, NULL), KITH_ERR_MEMORY);
    const kith_values values[] = {{&Big_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(f.world, 1000, values, 1, NULL), KITH_ERR_MEMORY);
    CHECK_UINT(kith_world_hash(f.world), before);
    CHECK_UINT(kith_entity_count(f.world), 1);
    CHECK(kith_alive(f.world, first));
    CHECK_WORLD(f.world);

    /* What was too much has not used up the limit. */
    CHECK_RESULT(KITH_SET(f.world, first, Big, {{1}}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, kith_spawn_empty(f.world), Big, {{2}}), KITH_OK);
    fixture_free(&f);
}

/* ---- Clone ----------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(clone_has_the_same, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity original = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen),
                                      KITH_VALUE(Name, {"original"}), KITH_VALUE(Byte, {3}),
                                      KITH_VALUE(Padded, {4, 5, 6}), KITH_VALUE(Big));
    kith_entity clone = KITH_NONE;
    CHECK_RESULT(kith_clone(f.world, original, &clone), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK(!kith_entity_equal(original, clone));

    const kith_type *a = NULL;
    const kith_type *b = NULL;
    do {
        a = kith_component_next(f.world, original, a);
        b = kith_component_next(f.world, clone, b);
        CHECK(a == b);
        if (a != NULL && a->size > 0) {
            CHECK(kith_get(f.world, original, a) != kith_get(f.world, clone, a));
        }
    } while (a != NULL);
    CHECK_FLOAT(KITH_GET(f.world, clone, Position)->y, 2);
    CHECK_STR(KITH_GET(f.world, clone, Name)->text, "original");
    CHECK_UINT(KITH_GET(f.world, clone, Padded)->large, 5);
    CHECK(KITH_HAS(f.world, clone, Frozen));

    /* They are two. */
    KITH_GET_MUT(f.world, clone, Position)->y = 9;
    CHECK_FLOAT(KITH_GET(f.world, original, Position)->y, 2);
    CHECK_RESULT(kith_despawn(f.world, original), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, clone, Position)->y, 9);
    fixture_free(&f);
}

/* Blocks grow while values are read from them. */
TEST_EACH_LAYOUT(clone_of_clone_of_clone, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Extra, {3, 4, 5}),
                               KITH_VALUE(Burning));
    for (int i = 0; i < 2000; i++) {
        kith_entity next;
        CHECK_RESULT(kith_clone(f.world, e, &next), KITH_OK);
        CHECK_FLOAT(KITH_GET(f.world, next, Position)->y, 2);
        CHECK_FLOAT(KITH_GET(f.world, next, Extra)->c, 5);
        CHECK(KITH_HAS(f.world, next, Burning));
        e = next;
    }
    fixture_free(&f);
}

TEST(clone_of_nothing)
{
    fixture f = fixture_new();
    kith_entity bare = kith_spawn_empty(f.world);
    kith_entity clone = KITH_NONE;
    CHECK_RESULT(kith_clone(f.world, bare, &clone), KITH_OK);
    CHECK(kith_alive(f.world, clone));
    kith_entity untouched = {5, 5};
    CHECK_RESULT(kith_clone(f.world, KITH_NONE, &untouched), KITH_ERR_DEAD);
    CHECK_UINT(untouched.index1, 5);
    fixture_free(&f);
}

/* ---- Despawn --------------------------------------------------------------------------------- */

/* The row that fills the hole is still found by its own handle. */
TEST_EACH_LAYOUT(despawn_moves_only_rows, layout)
{
    enum { COUNT = 2500 };
    static kith_entity e[COUNT];
    fixture f = fixture_with_all(layout);
    for (uint32_t i = 0; i < COUNT; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 1}), KITH_VALUE(Byte, {1}));
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t victim = i * 997 % COUNT;
        CHECK_RESULT(kith_despawn(f.world, e[victim]), KITH_OK);
        CHECK(!kith_alive(f.world, e[victim]));
        CHECK_UINT(kith_entity_count(f.world), COUNT - 1 - i);
        if (i % 250 == 0) {
            CHECK_WORLD(f.world);
            for (uint32_t k = 0; k < COUNT; k++) {
                const Position *p = KITH_GET(f.world, e[k], Position);
                CHECK((p != NULL) == kith_alive(f.world, e[k]));
                CHECK(p == NULL || p->x == (float)k);
            }
        }
    }
    fixture_free(&f);
}

TEST_EACH_LAYOUT(despawn_many_counts_the_living, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e[5];
    for (int i = 0; i < 5; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(Frozen));
    }
    CHECK_RESULT(kith_despawn(f.world, e[1]), KITH_OK);
    const kith_entity list[] = {e[3], e[1], KITH_NONE, e[0], e[3], {99, 0}, {0, 7}, {1, 1}};
    uint32_t ended = 99;
    CHECK_RESULT(kith_despawn_many(f.world, list, 8, &ended), KITH_OK);
    CHECK_UINT(ended, 2);
    CHECK_UINT(kith_entity_count(f.world), 2);
    CHECK(kith_alive(f.world, e[2]));
    CHECK(kith_alive(f.world, e[4]));
    CHECK_WORLD(f.world);

    /* In order: the last to end is the first to be used again. */
    CHECK_UINT(kith_spawn_empty(f.world).index1, e[0].index1);
    CHECK_UINT(kith_spawn_empty(f.world).index1, e[3].index1);
    CHECK_RESULT(kith_despawn_many(f.world, NULL, 0, &ended), KITH_OK);
    CHECK_UINT(ended, 0);
    CHECK_RESULT(kith_despawn_many(f.world, e, 5, NULL), KITH_OK);
    CHECK_UINT(kith_entity_count(f.world), 2);
    fixture_free(&f);
}

/* Named as often as its table has rows: it ends, or the call fails and nothing changes. */
TEST_EACH_LAYOUT(despawn_many_of_one_named_often_survives_every_allocation_failure, layout)
{
    enum { ROWS = 2100 };
    static kith_entity e[ROWS];
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        fixture f = fixture_with_all(layout);
        const kith_values values = {&Position_type, NULL, true};
        CHECK_RESULT(kith_spawn_many(f.world, ROWS, &values, 1, e), KITH_OK);
        for (uint32_t i = 1; i < ROWS; i++) {
            e[i] = e[0];
        }
        test_share *shared = test_share_world(f.world);
        CHECK_PTR_NOT_NULL(shared);
        uint32_t ended = 99;
        fail_from(&f, nth);
        kith_result result = kith_despawn_many(f.world, e, ROWS, &ended);
        reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_UINT(ended, reached ? 99 : 1);
        CHECK_UINT(kith_entity_count(f.world), reached ? ROWS : ROWS - 1);
        test_share_check(shared);
        CHECK_WORLD(f.world);
        test_share_free(shared);
        fixture_free(&f);
    }
}

#define CROWD 3000u
#define ENDED 40u

/* A crowd in two tables, part of which has a component that is followed, in a log without room for more;
 * and some of the first two thirds, to be ended: one is dead already, and one is named twice. */
static fixture fixture_with_crowd(kith_layout layout, kith_entity *ended, kith_tracker **tracker)
{
    fixture f = fixture_with_all(layout);
    CHECK_RESULT(kith_tracker_new(f.world, &Health_type, tracker), KITH_OK);
    for (uint32_t i = 0; i < CROWD; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
        if (i % 3 != 0) {
            CHECK_RESULT(KITH_SET(f.world, e, Health, {(int32_t)i, 1}), KITH_OK);
        }
        if (i % 50 == 7 && i / 50 < ENDED) {
            ended[i / 50] = e;
        }
    }
    ended[5] = ended[9];
    CHECK_RESULT(kith_despawn(f.world, ended[19]), KITH_OK); /* which has no Health */
    return f;
}

/* Many at once end as they would one after the other, and what a snapshot has stays as it was. */
TEST_EACH_LAYOUT(despawn_many_is_despawn_of_each, layout)
{
    kith_entity ended[ENDED];
    kith_tracker *tracker;
    fixture one = fixture_with_crowd(layout, ended, &tracker);
    for (uint32_t i = 0; i < ENDED; i++) {
        kith_despawn(one.world, ended[i]);
    }
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        fixture many = fixture_with_crowd(layout, ended, &tracker);
        test_share *shared = test_share_world(many.world);
        CHECK_PTR_NOT_NULL(shared);
        uint64_t before = kith_world_hash(many.world);
        uint32_t count = 99;
        fail_from(&many, nth);
        kith_result result = kith_despawn_many(many.world, ended, ENDED, &count);
        reached = fail_nothing(&many);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_UINT(count, reached ? 99 : ENDED - 2);
        CHECK(kith_world_hash(many.world) == (reached ? before : kith_world_hash(one.world)));
        test_share_check(shared);
        CHECK_WORLD(many.world);
        test_share_free(shared);
        fixture_free(&many);
    }
    fixture_free(&one);
}

/* Everything that it had is gone from every storage. */
TEST_EACH_LAYOUT(despawn_takes_all_components, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = kith_spawn_empty(f.world);
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        CHECK_RESULT(kith_add(f.world, e, component_types[i]), KITH_OK);
    }
    CHECK_WORLD(f.world);
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    CHECK_WORLD(f.world);
    kith_entity heir = kith_spawn_empty(f.world);
    CHECK_UINT(heir.index1, e.index1);
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        kith_component_stats stats;
        CHECK_RESULT(kith_component_memory(f.world, component_types[i], &stats), KITH_OK);
        CHECK_UINT(stats.entities, 0);
        CHECK(!kith_has(f.world, heir, component_types[i]));
    }
    fixture_free(&f);
}

/* ---- All entities ---------------------------------------------------------------------------- */

TEST(entities_in_order_of_their_slots)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_entity e[300];
    CHECK_RESULT(kith_spawn_many(f.world, 300, NULL, 0, e), KITH_OK);
    CHECK(kith_is_none(kith_entity_next(f.world, e[299])));
    for (int i = 0; i < 300; i++) {
        if (i % 7 != 3) {
            CHECK_RESULT(kith_despawn(f.world, e[i]), KITH_OK);
        }
    }
    int expected = 3;
    for (kith_entity at = kith_entity_next(f.world, KITH_NONE); !kith_is_none(at);
         at = kith_entity_next(f.world, at)) {
        CHECK_SAME(at, e[expected]);
        expected += 7;
    }
    CHECK(expected >= 300);
    /* From a dead one, from one of the future: the next slot that lives. */
    CHECK_SAME(kith_entity_next(f.world, e[4]), e[10]);
    CHECK_SAME(kith_entity_next(f.world, (kith_entity){5, 999}), e[10]);
    CHECK(kith_is_none(kith_entity_next(f.world, (kith_entity){301, 0})));
    CHECK(kith_is_none(kith_entity_next(f.world, (kith_entity){UINT32_MAX, UINT32_MAX})));

    /* Whatever happens meanwhile: here, each that is visited ends. */
    uint32_t visited = 0;
    for (kith_entity at = kith_entity_next(f.world, KITH_NONE); !kith_is_none(at);
         at = kith_entity_next(f.world, at)) {
        CHECK_RESULT(kith_despawn(f.world, at), KITH_OK);
        visited++;
    }
    CHECK_UINT(visited, 43);
    CHECK(kith_is_none(kith_entity_next(f.world, KITH_NONE)));
    fixture_free(&f);
}
