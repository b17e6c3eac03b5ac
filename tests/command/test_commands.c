/* Command buffers: what each call queues, the handles of entities to be made, and memory. */
#include <stdio.h>

#include "scene.h"

/* ---- What each call does --------------------------------------------------------------------- */

TEST_EACH_LAYOUT(spawn_and_spawn_values, layout)
{
    scene s = scene_new(layout);
    kith_entity bare = kith_commands_spawn(s.commands);
    kith_entity full = KITH_SPAWN(s.commands, KITH_VALUE(Position, {7, 8}), KITH_VALUE(Burning),
                                  KITH_VALUE(Health));
    kith_entity none = kith_commands_spawn_values(s.commands, NULL, 0);
    CHECK_UINT(kith_entity_count(s.world), 2);
    scene_apply(&s);
    CHECK_UINT(kith_entity_count(s.world), 5);
    bare = kith_commands_real(s.commands, bare);
    full = kith_commands_real(s.commands, full);
    none = kith_commands_real(s.commands, none);
    CHECK(kith_alive(s.world, bare) && kith_alive(s.world, none));
    CHECK_PTR_NULL(kith_component_next(s.world, bare, NULL));
    CHECK_PTR_NULL(kith_component_next(s.world, none, NULL));
    CHECK_FLOAT(KITH_GET(s.world, full, Position)->y, 8);
    CHECK_INT(KITH_GET(s.world, full, Health)->max, 0);
    CHECK(KITH_HAS(s.world, full, Burning) && !KITH_HAS(s.world, full, Frozen));
    fixture_free(&s.f);
}

/* Of a component that stands there twice, the last value counts. */
TEST_EACH_LAYOUT(spawn_values_with_one_component_twice, layout)
{
    scene s = scene_new(layout);
    kith_entity e = KITH_SPAWN(s.commands, KITH_VALUE(Byte, {1}), KITH_VALUE(Frozen),
                               KITH_VALUE(Byte, {2}), KITH_VALUE(Frozen));
    KITH_SET_VALUES(s.commands, s.plain, KITH_VALUE(Byte, {4}), KITH_VALUE(Byte, {5}));
    scene_apply(&s);
    e = kith_commands_real(s.commands, e);
    CHECK_UINT(KITH_GET(s.world, e, Byte)->value, 2);
    CHECK(KITH_HAS(s.world, e, Frozen));
    CHECK_UINT(KITH_GET(s.world, s.plain, Byte)->value, 5);
    fixture_free(&s.f);
}

/* A clone has what its source had by then; what is queued later is for one of the two. */
TEST_EACH_LAYOUT(clone, layout)
{
    scene s = scene_new(layout);
    KITH_SET(s.commands, s.plain, Byte, {30});
    kith_entity early = kith_commands_clone(s.commands, s.plain);
    KITH_SET(s.commands, s.plain, Byte, {31});
    KITH_REMOVE(s.commands, s.plain, Position);
    kith_entity late = kith_commands_clone(s.commands, s.plain);
    KITH_ADD(s.commands, early, Burning);
    kith_commands_despawn(s.commands, s.plain);
    kith_entity second = kith_commands_clone(s.commands, early);
    kith_commands_remove_all(s.commands, late);
    scene_apply(&s);
    early = kith_commands_real(s.commands, early);
    late = kith_commands_real(s.commands, late);
    second = kith_commands_real(s.commands, second);
    CHECK(!kith_alive(s.world, s.plain));
    CHECK_UINT(KITH_GET(s.world, early, Byte)->value, 30);
    CHECK_FLOAT(KITH_GET(s.world, early, Position)->y, 2);
    CHECK(KITH_HAS(s.world, early, Burning));
    CHECK(kith_alive(s.world, late));
    CHECK_PTR_NULL(kith_component_next(s.world, late, NULL));
    CHECK_UINT(KITH_GET(s.world, second, Byte)->value, 30);
    CHECK_FLOAT(KITH_GET(s.world, second, Position)->x, 1);
    CHECK(KITH_HAS(s.world, second, Burning));
    fixture_free(&s.f);
}

TEST_EACH_LAYOUT(set_copies_the_value_when_it_is_queued, layout)
{
    scene s = scene_new(layout);
    Position position = {10, 20};
    Extra extra = {1, 2, 3};
    CHECK_RESULT(kith_commands_set(s.commands, s.plain, &Position_type, &position), KITH_OK);
    CHECK_RESULT(kith_commands_set_bytes(s.commands, s.plain, &Extra_type, &extra, sizeof(extra)),
                 KITH_OK);
    CHECK_RESULT(kith_commands_set(s.commands, s.plain, &Byte_type, NULL), KITH_OK);
    CHECK_RESULT(kith_commands_set(s.commands, s.plain, &Frozen_type, NULL), KITH_OK);
    CHECK_RESULT(kith_commands_set_bytes(s.commands, s.plain, &Burning_type, NULL, 0), KITH_OK);
    position.x = extra.c = 99;
    const kith_value several[] = {KITH_VALUE(Position, position), {&Health_type, NULL}};
    CHECK_RESULT(kith_commands_set_values(s.commands, s.frozen, several, 2), KITH_OK);
    CHECK_RESULT(kith_commands_set_values(s.commands, s.frozen, NULL, 0), KITH_OK);
    position.x = -1;
    uint64_t before = kith_world_hash(s.world);
    CHECK_WORLD(s.world);
    CHECK_UINT(kith_world_hash(s.world), before);
    CHECK_FLOAT(KITH_GET(s.world, s.plain, Position)->x, 1);
    scene_apply(&s);
    CHECK_FLOAT(KITH_GET(s.world, s.plain, Position)->x, 10);
    CHECK_FLOAT(KITH_GET(s.world, s.plain, Extra)->c, 3);
    CHECK_UINT(KITH_GET(s.world, s.plain, Byte)->value, 0);
    CHECK(KITH_HAS(s.world, s.plain, Frozen) && KITH_HAS(s.world, s.plain, Burning));
    CHECK_FLOAT(KITH_GET(s.world, s.frozen, Position)->x, 99);
    CHECK_INT(KITH_GET(s.world, s.frozen, Health)->max, 0);
    fixture_free(&s.f);
}

TEST_EACH_LAYOUT(add_remove_clear_despawn, layout)
{
    scene s = scene_new(layout);
    kith_entity clear;
    kith_entity end;
    CHECK_RESULT(kith_clone(s.world, s.plain, &clear), KITH_OK);
    CHECK_RESULT(kith_clone(s.world, s.frozen, &end), KITH_OK);
    CHECK_RESULT(KITH_ADD(s.commands, s.plain, Byte), KITH_OK);    /* there: stays */
    CHECK_RESULT(KITH_ADD(s.commands, s.plain, Health), KITH_OK);  /* missing */
    CHECK_RESULT(KITH_REMOVE(s.commands, s.plain, Name), KITH_OK); /* missing */
    CHECK_RESULT(KITH_REMOVE(s.commands, s.plain, Position), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(s.commands, s.frozen, Frozen), KITH_OK);
    CHECK_RESULT(kith_commands_remove_all(s.commands, clear), KITH_OK);
    CHECK_RESULT(kith_commands_despawn(s.commands, end), KITH_OK);
    scene_apply(&s);
    CHECK_UINT(KITH_GET(s.world, s.plain, Byte)->value, 3);
    CHECK_INT(KITH_GET(s.world, s.plain, Health)->max, 0);
    CHECK(!KITH_HAS(s.world, s.plain, Position) && !KITH_HAS(s.world, s.plain, Name));
    CHECK(!KITH_HAS(s.world, s.frozen, Frozen) && KITH_HAS(s.world, s.frozen, Position));
    CHECK(kith_alive(s.world, clear) && !kith_alive(s.world, end));
    CHECK_PTR_NULL(kith_component_next(s.world, clear, NULL));
    fixture_free(&s.f);
}

TEST(the_stats_count_what_is_queued)
{
    scene s = scene_new(KITH_TABLE);
    kith_commands_stats stats = kith_commands_memory(s.commands);
    CHECK_UINT(stats.commands, 0);
    CHECK_UINT(stats.spawned, 0);
    CHECK_UINT(stats.limit, 0);
    size_t empty = stats.used;
    CHECK(empty > 0);
    kith_commands_despawn(s.commands, s.gone);
    kith_entity clone = kith_commands_clone(s.commands, s.plain);
    KITH_SPAWN(s.commands, KITH_VALUE(Byte), KITH_VALUE(Name));
    KITH_SET_VALUES(s.commands, clone, KITH_VALUE(Name), KITH_VALUE(Big), KITH_VALUE(Frozen));
    stats = kith_commands_memory(s.commands);
    CHECK_UINT(stats.commands, 1 + 1 + 3 + 3);
    CHECK_UINT(stats.spawned, 2);
    CHECK_UINT(stats.dead, 0);
    CHECK(stats.used >= empty + sizeof(Big) && stats.peak >= stats.used);
    CHECK_UINT(kith_memory(s.world).commands, stats.used);
    kith_commands_discard(s.commands);
    stats = kith_commands_memory(s.commands);
    CHECK_UINT(stats.commands, 0);
    CHECK_UINT(stats.spawned, 0);
    CHECK_UINT(stats.dead, 0);
    CHECK_WORLD(s.world);
    fixture_free(&s.f);
}

/* ---- Provisional handles --------------------------------------------------------------------- */

TEST_EACH_LAYOUT(for_the_world_a_provisional_handle_is_dead, layout)
{
    scene s = scene_new(layout);
    kith_entity e = KITH_SPAWN(s.commands, KITH_VALUE(Position, {1, 2}));
    CHECK(!kith_is_none(e));
    char text[32] = "Entity(~";
    snprintf(text + 8, sizeof(text) - 8, "%u)", e.generation);
    CHECK_STR(kith_entity_to_text(e).text, text);
    kith_query *query = KITH_QUERY(s.world, KITH_READ(Position));
    uint64_t before = kith_world_hash(s.world);
    for (int applied = 0; applied < 2; applied++) {
        kith_entity out = {7, 7};
        void *pointer = NULL;
        uint32_t ended = 7;
        const kith_value value = {&Byte_type, NULL};
        CHECK(!kith_alive(s.world, e) && !KITH_HAS(s.world, e, Position));
        CHECK_PTR_NULL(KITH_GET(s.world, e, Position));
        CHECK_PTR_NULL(kith_component_next(s.world, e, NULL));
        CHECK_RESULT(KITH_SET(s.world, e, Position, {3, 4}), KITH_ERR_DEAD);
        CHECK_RESULT(kith_set_values(s.world, e, &value, 1), KITH_ERR_DEAD);
        CHECK_RESULT(kith_set_bytes(s.world, e, &Byte_type, "x", 1), KITH_ERR_DEAD);
        CHECK_RESULT(KITH_ADD(s.world, e, Frozen), KITH_ERR_DEAD);
        CHECK_RESULT(KITH_REMOVE(s.world, e, Position), KITH_ERR_DEAD);
        CHECK_RESULT(kith_remove_all(s.world, e), KITH_ERR_DEAD);
        CHECK_RESULT(kith_get_mut(s.world, e, &Position_type, &pointer), KITH_ERR_DEAD);
        CHECK_RESULT(kith_clone(s.world, e, &out), KITH_ERR_DEAD);
        CHECK_RESULT(kith_despawn(s.world, e), KITH_ERR_DEAD);
        CHECK_RESULT(kith_despawn_many(s.world, &e, 1, &ended), KITH_OK);
        CHECK_UINT(ended, 0);
        CHECK(!kith_query_contains(query, e));
        CHECK_UINT(kith_world_hash(s.world), before);
        scene_apply(&s);
        before = kith_world_hash(s.world);
    }
    fixture_free(&s.f);
}

/* The real handle is known from applying on, until another entity is queued to be made. */
TEST_EACH_LAYOUT(real_handles, layout)
{
    scene s = scene_new(layout);
    kith_commands *other = kith_commands_new(s.world, NULL);
    kith_entity a = kith_commands_spawn(s.commands);
    kith_entity b = kith_commands_clone(s.commands, s.plain);
    kith_entity never = kith_commands_spawn(s.commands);
    kith_commands_despawn(s.commands, never);
    CHECK(!kith_entity_equal(a, b) && !kith_entity_equal(b, never));
    CHECK(kith_is_none(kith_commands_real(s.commands, a)));
    scene_apply(&s);
    kith_entity real = kith_commands_real(s.commands, a);
    CHECK(kith_alive(s.world, real));
    CHECK_UINT(KITH_GET(s.world, kith_commands_real(s.commands, b), Byte)->value, 3);
    CHECK(kith_is_none(kith_commands_real(s.commands, never)));
    kith_entity beyond = {0, never.generation + 1};
    kith_entity before = {0, a.generation - 1};
    CHECK(kith_is_none(kith_commands_real(s.commands, beyond)));
    CHECK(kith_is_none(kith_commands_real(s.commands, before)));
    CHECK(kith_is_none(kith_commands_real(s.commands, real)));
    CHECK(kith_is_none(kith_commands_real(s.commands, s.plain)));
    CHECK(kith_is_none(kith_commands_real(s.commands, KITH_NONE)));
    CHECK(kith_is_none(kith_commands_real(other, a)));
    CHECK_SAME(kith_commands_real(s.commands, a), real);
    kith_entity again = kith_commands_spawn(s.commands);
    CHECK(!kith_entity_equal(again, a));
    CHECK(kith_is_none(kith_commands_real(s.commands, a)));
    scene_apply(&s);
    CHECK(kith_is_none(kith_commands_real(s.commands, a)));
    CHECK(kith_alive(s.world, kith_commands_real(s.commands, again)));
    kith_commands_discard(s.commands);
    CHECK(kith_is_none(kith_commands_real(s.commands, again)));
    fixture_free(&s.f);
}

/* Other commands leave them known, until they are applied. */
TEST(real_handles_stay_known_until_something_is_applied)
{
    scene s = scene_new(KITH_TABLE);
    for (int i = 0; i < 3; i++) {
        kith_entity e = kith_commands_spawn(s.commands);
        scene_apply(&s);
        kith_entity real = kith_commands_real(s.commands, e);
        CHECK(kith_alive(s.world, real));
        if (i == 0) {
            KITH_SET(s.commands, real, Position, {1, 2});
        } else if (i == 1) {
            KITH_ADD(s.commands, s.plain, Frozen);
        } else {
            kith_commands_despawn(s.commands, real);
        }
        CHECK_SAME(kith_commands_real(s.commands, e), real);
        scene_apply(&s);
        CHECK(kith_is_none(kith_commands_real(s.commands, e)));
    }
    fixture_free(&s.f);
}

/* ---- Handles in values ----------------------------------------------------------------------- */

TEST_EACH_LAYOUT(handles_in_values_become_real, layout)
{
    scene s = scene_new(layout);
    kith_entity a = kith_commands_spawn(s.commands);
    kith_entity b = KITH_SPAWN(s.commands, KITH_VALUE(Target, {a}));
    kith_entity never = kith_commands_spawn(s.commands);
    kith_entity dead = kith_commands_clone(s.commands, s.gone);
    KITH_SET(s.commands, a, Target, {a});
    KITH_SET(s.commands, s.frozen, Target, {never});
    KITH_SET(s.commands, s.plain, Party, {9, b, {s.gone, never, a}});
    kith_entity clone = kith_commands_clone(s.commands, s.plain);
    const Party party = {8, dead, {s.plain, KITH_NONE, {77, 88}}};
    CHECK_RESULT(kith_commands_set_bytes(s.commands, a, &Party_type, &party, sizeof(party)),
                 KITH_OK);
    kith_commands_despawn(s.commands, never);
    uint32_t count = 0;
    CHECK_RESULT(kith_commands_apply(s.commands, &count), KITH_OK);
    CHECK_UINT(count, 1);
    CHECK_WORLD(s.world);
    a = kith_commands_real(s.commands, a);
    b = kith_commands_real(s.commands, b);
    clone = kith_commands_real(s.commands, clone);
    CHECK_SAME(KITH_GET(s.world, a, Target)->entity, a);
    CHECK_SAME(KITH_GET(s.world, b, Target)->entity, a);
    CHECK_SAME(KITH_GET(s.world, s.frozen, Target)->entity, KITH_NONE);
    const kith_entity of_party[] = {s.plain, clone};
    for (int i = 0; i < 2; i++) {
        const Party *p = KITH_GET(s.world, of_party[i], Party);
        CHECK_UINT(p->size, 9);
        CHECK_SAME(p->leader, b);
        CHECK_SAME(p->members[0], s.gone);
        CHECK_SAME(p->members[1], KITH_NONE);
        CHECK_SAME(p->members[2], a);
    }
    const Party *p = KITH_GET(s.world, a, Party);
    CHECK_SAME(p->leader, KITH_NONE);
    CHECK_SAME(p->members[0], s.plain);
    CHECK_SAME(p->members[1], KITH_NONE);
    CHECK_UINT(p->members[2].generation, 88);
    CHECK_UINT(party.leader.generation, dead.generation);
    fixture_free(&s.f);
}

/* The next filling of the buffer has no such handles: its values are taken as they are. */
TEST_EACH_LAYOUT(handles_in_values_of_the_next_filling, layout)
{
    scene s = scene_new(layout);
    KITH_SPAWN(s.commands, KITH_VALUE(Target, {kith_commands_spawn(s.commands)}));
    scene_apply(&s);
    KITH_SET(s.commands, s.plain, Target, {s.frozen});
    scene_apply(&s);
    CHECK_SAME(KITH_GET(s.world, s.plain, Target)->entity, s.frozen);
    kith_entity a = kith_commands_spawn(s.commands);
    KITH_SET(s.commands, s.plain, Target, {a});
    scene_apply(&s);
    CHECK_SAME(KITH_GET(s.world, s.plain, Target)->entity, kith_commands_real(s.commands, a));
    fixture_free(&s.f);
}

/* What stands in the world already may have any bits; also where a clone takes it along. */
TEST_EACH_LAYOUT(handles_in_the_world_are_left_alone, layout)
{
    scene s = scene_new(layout);
    kith_entity a = kith_commands_spawn(s.commands);
    CHECK_RESULT(KITH_SET(s.world, s.plain, Target, {a}), KITH_OK);
    kith_entity clone = kith_commands_clone(s.commands, s.plain);
    KITH_ADD(s.commands, s.plain, Target);
    KITH_SET(s.commands, s.plain, Name, {"moved"});
    KITH_SET(s.commands, s.frozen, Target, {a});
    scene_apply(&s);
    CHECK_SAME(KITH_GET(s.world, s.plain, Target)->entity, a);
    CHECK_SAME(KITH_GET(s.world, kith_commands_real(s.commands, clone), Target)->entity, a);
    CHECK_SAME(KITH_GET(s.world, s.frozen, Target)->entity, kith_commands_real(s.commands, a));
    fixture_free(&s.f);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(a_memory_limit_of_the_buffer, layout)
{
    scene s = scene_new(layout);
    const size_t limit = 20000;
    kith_commands *limited =
        kith_commands_new(s.world, &(kith_commands_def){.memory_limit = limit});
    CHECK_PTR_NOT_NULL(limited);
    CHECK_UINT(kith_commands_memory(limited).limit, limit);
    size_t counts[2] = {0, 0};
    for (int round = 0; round < 2; round++) {
        uint64_t before = kith_world_hash(s.world);
        kith_result result;
        while ((result = KITH_SET(limited, s.plain, Position, {9, 9})) == KITH_OK) {
            counts[round]++;
            CHECK(counts[round] < limit / sizeof(Position));
        }
        CHECK_RESULT(result, KITH_ERR_MEMORY);
        CHECK_CONTAINS(kith_commands_error(limited), "20000");
        CHECK(kith_commands_memory(limited).peak <= limit);
        CHECK_RESULT(kith_commands_apply(limited, NULL), KITH_ERR_MEMORY);
        CHECK_UINT(kith_world_hash(s.world), before);
        kith_commands_discard(limited);
        KITH_SET(limited, s.plain, Position, {(float)round, 9});
        CHECK_RESULT(kith_commands_apply(limited, NULL), KITH_OK);
        CHECK_WORLD(s.world);
        CHECK_FLOAT(KITH_GET(s.world, s.plain, Position)->x, round);
    }
    CHECK(counts[0] > limit / 100);
    CHECK(kith_commands_set(limited, s.plain, &Big_type, NULL) == KITH_ERR_MEMORY);
    CHECK_PTR_NULL(kith_commands_new(s.world, &(kith_commands_def){.memory_limit = 16}));
    CHECK_WORLD(s.world);
    fixture_free(&s.f);
}

/* What it kept would be missed when other buffers, or the next commands, are to fit into the limit. */
TEST_EACH_LAYOUT(only_a_buffer_without_a_limit_keeps_memory_for_the_next_time, layout)
{
    enum { ROWS = 500 };
    static kith_entity e[ROWS];
    fixture f = fixture_with_all(layout);
    const kith_values values = {&Position_type, NULL, true};
    CHECK_RESULT(kith_spawn_many(f.world, ROWS, &values, 1, e), KITH_OK);
    for (int limited = 0; limited < 2; limited++) {
        kith_commands *commands = kith_commands_new(
            f.world, &(kith_commands_def){.memory_limit = limited == 1 ? 1 << 20 : 0});
        const size_t empty = kith_commands_memory(commands).used;
        for (int round = 0; round < 3; round++) {
            for (uint32_t i = 0; i < ROWS; i++) {
                KITH_SET(commands, e[i], Position, {(float)i, (float)round});
                KITH_SET(commands, e[ROWS - 1 - i], Extra, {1, 2, 3});
            }
            CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
            CHECK_WORLD(f.world);
            CHECK_INT(kith_commands_memory(commands).used == empty, limited);
        }
        kith_commands_discard(commands);
        CHECK_UINT(kith_commands_memory(commands).used, empty);
        kith_commands_free(commands);
    }
    fixture_free(&f);
}

/* The world's limit is about the world alone. */
TEST(a_buffer_is_not_limited_by_the_world)
{
    fixture f = fixture_new_with(&(kith_world_def){.memory_limit = 32000});
    CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
    kith_entity e = kith_spawn_empty(f.world);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (uint32_t i = 0; i < 4000; i++) {
        CHECK_RESULT(KITH_SET(commands, e, Position, {(float)i, 0}), KITH_OK);
    }
    CHECK(kith_commands_memory(commands).used > 32000);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 3999);
    for (uint32_t i = 0; i < 20000; i++) {
        KITH_SPAWN(commands, KITH_VALUE(Position, {(float)i, 0}));
    }
    uint64_t before = kith_world_hash(f.world);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_ERR_MEMORY);
    CHECK_UINT(kith_world_hash(f.world), before);
    CHECK_UINT(kith_commands_memory(commands).spawned, 20000);
    CHECK_WORLD(f.world);
    /* What was reserved for them is not missing now. */
    for (uint32_t i = 0; i < 300; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}))));
    }
    fixture_free(&f);
}

/* What applying took is not kept by a buffer that is cleared. */
TEST_EACH_LAYOUT(a_cleared_buffer_holds_nothing, layout)
{
    scene s = scene_new(layout);
    size_t fresh = kith_commands_memory(s.commands).used;
    kith_entity e = KITH_SPAWN(s.world, KITH_VALUE(Position, {1, 2}));
    for (uint32_t i = 0; i < 1000; i++) {
        kith_entity clone = kith_commands_clone(s.commands, e);
        KITH_SET(s.commands, clone, Target, {kith_commands_spawn(s.commands)});
        KITH_SET(s.commands, e, Position, {(float)i, 0});
    }
    CHECK_RESULT(kith_commands_apply(s.commands, NULL), KITH_OK);
    CHECK(kith_commands_memory(s.commands).used > fresh);
    kith_commands_discard(s.commands);
    CHECK_UINT(kith_commands_memory(s.commands).used, fresh);
    CHECK(!kith_is_none(kith_commands_spawn(s.commands)));
    kith_commands_discard(s.commands);
    CHECK_UINT(kith_commands_memory(s.commands).used, fresh);
    CHECK_WORLD(s.world);
    fixture_free(&s.f);
}

/* Buffers are made and freed in any order, also while a query is open; the rest ends with the world. */
TEST(buffers_come_and_go)
{
    scene s = scene_new(KITH_TABLE);
    kith_query *query = KITH_QUERY(s.world, KITH_READ(Position));
    kith_commands *commands[5];
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    for (int i = 0; i < 5; i++) {
        commands[i] = kith_commands_new(s.world, NULL);
        CHECK_PTR_NOT_NULL(commands[i]);
        kith_commands_set(commands[i], s.plain, &Big_type, NULL);
    }
    kith_commands_free(commands[2]);
    kith_commands_free(commands[4]);
    kith_iter_close(&it);
    kith_commands_free(commands[0]);
    kith_commands_free(NULL);
    CHECK_WORLD(s.world);
    CHECK_UINT(kith_memory(s.world).commands, kith_commands_memory(s.commands).used +
                                                  kith_commands_memory(commands[1]).used +
                                                  kith_commands_memory(commands[3]).used);
    CHECK_RESULT(kith_commands_apply(commands[3], NULL), KITH_OK);
    CHECK(KITH_HAS(s.world, s.plain, Big));
    fixture_free(&s.f);
}

/* Each has its own queue and its own handles. */
TEST_EACH_LAYOUT(two_buffers, layout)
{
    scene s = scene_new(layout);
    kith_commands *other = kith_commands_new(s.world, NULL);
    kith_entity a = KITH_SPAWN(s.commands, KITH_VALUE(Byte, {1}));
    kith_entity b = KITH_SPAWN(other, KITH_VALUE(Byte, {2}));
    CHECK(!kith_entity_equal(a, b));
    KITH_SET(s.commands, s.plain, Byte, {1});
    kith_commands_despawn(other, s.frozen);
    KITH_SET(other, s.plain, Byte, {2});
    KITH_SET(s.commands, s.frozen, Byte, {1});
    CHECK_RESULT(kith_commands_apply(other, NULL), KITH_OK);
    CHECK_WORLD(s.world);
    CHECK_UINT(KITH_GET(s.world, s.plain, Byte)->value, 2);
    CHECK_UINT(kith_commands_memory(s.commands).commands, 4);
    uint32_t dead = 0;
    CHECK_RESULT(kith_commands_apply(s.commands, &dead), KITH_OK);
    CHECK_UINT(dead, 1);
    CHECK_WORLD(s.world);
    CHECK_UINT(KITH_GET(s.world, s.plain, Byte)->value, 1);
    CHECK_UINT(KITH_GET(s.world, kith_commands_real(s.commands, a), Byte)->value, 1);
    CHECK_UINT(KITH_GET(s.world, kith_commands_real(other, b), Byte)->value, 2);
    CHECK_UINT(kith_commands_memory(s.commands).dead, 1);
    CHECK_UINT(kith_commands_memory(other).dead, 0);
    fixture_free(&s.f);
}
