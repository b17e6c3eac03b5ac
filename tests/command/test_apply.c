/* Applying command buffers: whole or not at all, in which order, on what slots, and at what cost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

/* Larger than any piece of memory that a buffer takes for several commands. */
typedef struct Giant {
    uint32_t words[1u << 18];
} Giant;
KITH_TYPE(Giant, KITH_FIELD(Giant, words));

/* Of the largest alignment. */
typedef struct Page {
    _Alignas(4096) uint32_t words[1024];
} Page;
KITH_TYPE(Page, KITH_FIELD(Page, words));

/* ---- Whole or not at all --------------------------------------------------------------------- */

TEST_EACH_LAYOUT(an_empty_buffer_changes_nothing, layout)
{
    scene s = scene_new(layout);
    uint64_t before = kith_world_hash(s.world);
    fail_from(&s.f, 1);
    for (int i = 0; i < 3; i++) {
        scene_apply(&s);
        kith_commands_discard(s.commands);
    }
    CHECK(!fail_nothing(&s.f));
    CHECK_UINT(kith_world_hash(s.world), before);
    fixture_free(&s.f);
}

/* A bit of everything, in a buffer. Returns a new entity's handle. */
static kith_entity queue_everything(scene *s)
{
    kith_commands *c = s->commands;
    kith_entity a = KITH_SPAWN(c, KITH_VALUE(Position, {7, 7}), KITH_VALUE(Burning));
    KITH_SET(c, s->plain, Name, {"plain"});
    kith_entity b = kith_commands_clone(c, s->frozen);
    KITH_SET(c, b, Target, {a});
    kith_commands_despawn(c, s->gone);
    KITH_REMOVE(c, s->frozen, Position);
    KITH_SET_VALUES(c, s->plain, KITH_VALUE(Health, {1, 2}), KITH_VALUE(Big));
    KITH_ADD(c, kith_commands_clone(c, b), Byte);
    KITH_REMOVE(c, s->plain, Byte);
    for (uint8_t i = 0; i < 40; i++) {
        KITH_SPAWN(c, KITH_VALUE(Byte, {i}));
    }
    kith_entity never = kith_commands_clone(c, a);
    kith_commands_remove_all(c, a);
    KITH_SET(c, a, Target, {never});
    kith_commands_despawn(c, never);
    return a;
}

/* On failure the world is as it was, and the buffer keeps its commands: applying may be tried again,
 * as often as it takes. */
TEST_EACH_LAYOUT_WITHIN(10, a_failed_apply_can_be_tried_again, layout)
{
    scene twin = scene_new(layout);
    queue_everything(&twin);
    CHECK_RESULT(kith_commands_apply(twin.commands, NULL), KITH_OK);
    uint64_t after = kith_world_hash(twin.world);
    for (size_t nth = 1;; nth++) {
        CHECK(nth < 1000);
        scene s = scene_new(layout);
        uint64_t before = kith_world_hash(s.world);
        kith_entity a = queue_everything(&s);
        kith_commands_stats stats = kith_commands_memory(s.commands);
        bool reached = false;
        for (int again = 0; again < 2; again++) {
            uint32_t dead = 77;
            fail_from(&s.f, nth);
            kith_result result = kith_commands_apply(s.commands, &dead);
            reached = fail_nothing(&s.f);
            CHECK_WORLD(s.world);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            if (!reached) {
                break;
            }
            CHECK_UINT(dead, 77);
            CHECK_UINT(kith_world_hash(s.world), before);
            CHECK_UINT(kith_commands_memory(s.commands).commands, stats.commands);
            CHECK_UINT(kith_commands_memory(s.commands).spawned, stats.spawned);
            CHECK_UINT(kith_commands_memory(s.commands).dead, 0);
            CHECK(kith_is_none(kith_commands_real(s.commands, a)));
        }
        if (reached) {
            CHECK_RESULT(kith_commands_apply(s.commands, NULL), KITH_OK);
        }
        CHECK_WORLD(s.world);
        CHECK_UINT(kith_world_hash(s.world), after);
        CHECK_UINT(kith_commands_memory(s.commands).dead, 1);
        CHECK(kith_alive(s.world, kith_commands_real(s.commands, a)));
        fixture_free(&s.f);
        if (!reached) {
            CHECK(nth > 10);
            break;
        }
    }
    fixture_free(&twin.f);
}

/* What was queued is still there, and more may be queued, when applying has failed. */
TEST_EACH_LAYOUT(more_may_be_queued_after_a_failed_apply, layout)
{
    scene s = scene_new(layout);
    kith_entity e = KITH_SPAWN(s.commands, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Name));
    KITH_SET(s.commands, s.plain, Name, {"first"});
    fail_from(&s.f, 1);
    CHECK_RESULT(kith_commands_apply(s.commands, NULL), KITH_ERR_MEMORY);
    CHECK(fail_nothing(&s.f));
    CHECK_RESULT(KITH_SET(s.commands, e, Byte, {5}), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(s.commands, s.plain, Position), KITH_OK);
    scene_apply(&s);
    e = kith_commands_real(s.commands, e);
    CHECK_UINT(KITH_GET(s.world, e, Byte)->value, 5);
    CHECK_FLOAT(KITH_GET(s.world, e, Position)->y, 2);
    CHECK_STR(KITH_GET(s.world, s.plain, Name)->text, "first");
    CHECK(!KITH_HAS(s.world, s.plain, Position));
    fixture_free(&s.f);
}

/* ---- The dead -------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(commands_for_the_dead_are_counted, layout)
{
    scene s = scene_new(layout);
    kith_commands *c = s.commands;
    static const kith_entity strange[] = {{0, 0}, {1, 77}, {5000, 0}, {UINT32_MAX, UINT32_MAX}};
    uint64_t before = kith_content_hash(s.world);
    for (int round = 1; round <= 2; round++) {
        for (int i = 0; i < 4; i++) {
            KITH_SET(c, strange[i], Position, {1, 2});
        }
        KITH_SET_VALUES(c, s.gone, KITH_VALUE(Byte), KITH_VALUE(Name), KITH_VALUE(Big));
        KITH_ADD(c, s.gone, Byte);
        KITH_REMOVE(c, s.gone, Byte);
        kith_commands_remove_all(c, s.gone);
        kith_commands_despawn(c, s.gone);
        kith_entity none = kith_commands_clone(c, s.gone);
        KITH_SET(c, none, Byte, {1});
        kith_entity none_either = kith_commands_clone(c, none);
        kith_commands_despawn(c, none_either);
        uint32_t dead = 0;
        CHECK_RESULT(kith_commands_apply(c, &dead), KITH_OK);
        CHECK_UINT(dead, 4 + 3 + 4 + 2 + 2);
        CHECK_UINT(kith_commands_memory(c).dead, (unsigned)round * 15u);
        CHECK(kith_is_none(kith_commands_real(c, none)));
        CHECK(kith_is_none(kith_commands_real(c, none_either)));
        CHECK_WORLD(s.world);
        CHECK_UINT(kith_content_hash(s.world), before);
    }
    fixture_free(&s.f);
}

/* Dead is who was despawned between queueing and applying, and whose slot another has by now. */
TEST_EACH_LAYOUT(entities_that_die_before_applying, layout)
{
    scene s = scene_new(layout);
    KITH_SET(s.commands, s.plain, Byte, {77});
    KITH_SET(s.commands, s.frozen, Byte, {78});
    CHECK_RESULT(kith_despawn(s.world, s.plain), KITH_OK);
    kith_entity heir = kith_spawn_empty(s.world);
    CHECK_UINT(heir.index1, s.plain.index1);
    KITH_SET(s.commands, heir, Health, {1, 2});
    KITH_SET(s.commands, s.plain, Health, {3, 4});
    kith_commands_despawn(s.commands, s.frozen);
    KITH_SET(s.commands, s.frozen, Byte, {79});
    kith_commands_despawn(s.commands, s.frozen);
    uint32_t dead = 0;
    CHECK_RESULT(kith_commands_apply(s.commands, &dead), KITH_OK);
    CHECK_UINT(dead, 2 + 2);
    CHECK_WORLD(s.world);
    CHECK(!KITH_HAS(s.world, heir, Byte) && !kith_alive(s.world, s.frozen));
    CHECK_INT(KITH_GET(s.world, heir, Health)->current, 1);
    fixture_free(&s.f);
}

/* ---- Order ----------------------------------------------------------------------------------- */

static void check_order(scene *s, kith_query *query, const kith_entity *expected, uint32_t count)
{
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK(seen < count);
            CHECK_SAME(kith_entities(&it)[i], expected[seen]);
            CHECK_SAME(KITH_AT(&it, i, Target)->entity, expected[seen]);
            seen++;
        }
    }
    CHECK_UINT(seen, count);
    CHECK_WORLD(s->world);
}

/* Rows come in the order in which the commands first named their entities: whatever is queued for
 * others in between, and for the same ones later. (Slots come in their own order.) */
TEST_EACH_LAYOUT(rows_come_in_the_order_of_first_naming, layout)
{
    scene s = scene_new(layout);
    kith_query *query = KITH_QUERY(s.world, KITH_READ(Target));
    kith_entity e[9];
    for (int i = 0; i < 7; i++) {
        e[i] = i % 2 == 0 ? kith_spawn_empty(s.world) : KITH_SPAWN(s.world, KITH_VALUE(Frozen));
    }
    static const int first[] = {4, 2, 7, 6, 0, 8};
    for (int i = 0; i < 6; i++) {
        int k = first[i];
        if (k >= 7) {
            e[k] = kith_commands_spawn(s.commands);
        } else if (k % 4 == 0) {
            KITH_ADD(s.commands, e[k], Byte);
        } else {
            KITH_REMOVE(s.commands, e[k], Name);
        }
        KITH_SET(s.commands, s.plain, Byte, {(uint8_t)i});
        KITH_SET(s.commands, e[i < 3 ? 1 : 3], Velocity, {1, 2});
        KITH_ADD(s.commands, kith_commands_spawn(s.commands), Extra);
    }
    for (int k = 8; k >= 0; k--) {
        if (k != 1 && k != 3 && k != 5) {
            KITH_SET(s.commands, e[k], Target, {e[k]});
            KITH_ADD(s.commands, e[k], Byte);
        }
    }
    kith_commands_despawn(s.commands, e[1]);
    scene_apply(&s);
    kith_entity expected[6];
    for (int i = 0; i < 6; i++) {
        int k = first[i];
        expected[i] = k >= 7 ? kith_commands_real(s.commands, e[k]) : e[k];
    }
    if (layout == KITH_SLOT) {
        const kith_entity by_slot[] = {e[0], e[2], e[4], e[6], expected[2], expected[5]};
        memcpy(expected, by_slot, sizeof(expected));
    }
    check_order(&s, query, expected, 6);
    fixture_free(&s.f);
}

/* The same calls on equal worlds give equal worlds, in all that later steps can depend on. */
TEST_EACH_LAYOUT(the_same_calls_give_the_same_world, layout)
{
    scene s[2] = {scene_new(layout), scene_new(layout)};
    for (int i = 0; i < 2; i++) {
        void *elsewhere = malloc((size_t)i * 5000 + 1); /* addresses are others */
        for (int round = 0; round < 5; round++) {
            kith_entity a = queue_everything(&s[i]);
            CHECK_RESULT(kith_commands_apply(s[i].commands, NULL), KITH_OK);
            a = kith_commands_real(s[i].commands, a);
            KITH_SET(s[i].commands, s[i].frozen, Position, {(float)round, 1});
            kith_commands_despawn(s[i].commands, a);
            scene_apply(&s[i]);
        }
        free(elsewhere);
    }
    CHECK_UINT(kith_world_hash(s[0].world), kith_world_hash(s[1].world));
    fixture_free(&s[1].f);
    fixture_free(&s[0].f);
}

/* ---- Slots ----------------------------------------------------------------------------------- */

/* Last in, first out, as for single calls; those that never come to be take none. */
TEST_EACH_LAYOUT(new_entities_take_the_free_slots_last_in_first_out, layout)
{
    fixture f = fixture_with_all(layout);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    kith_entity e[7];
    for (uint8_t i = 0; i < 7; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Byte, {i}));
    }
    static const int order[] = {4, 0, 5, 2};
    for (int i = 0; i < 4; i++) {
        CHECK_RESULT(kith_despawn(f.world, e[order[i]]), KITH_OK);
    }
    kith_commands_despawn(commands, e[1]);
    kith_entity made[6];
    for (uint8_t i = 0; i < 6; i++) {
        made[i] = i % 2 == 0 ? KITH_SPAWN(commands, KITH_VALUE(Byte, {i}))
                             : kith_commands_clone(commands, e[3]);
        kith_commands_despawn(commands, kith_commands_clone(commands, made[i]));
    }
    kith_commands_despawn(commands, e[3]);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_WORLD(f.world);
    for (int i = 0; i < 6; i++) {
        kith_entity real = kith_commands_real(commands, made[i]);
        CHECK_UINT(real.index1, i < 4 ? e[order[3 - i]].index1 : (unsigned)i + 4);
        CHECK_UINT(real.generation, i < 4);
        CHECK_UINT(KITH_GET(f.world, real, Byte)->value, i % 2 == 0 ? i : 3);
    }
    /* Those that were despawned meanwhile come next. */
    CHECK_UINT(kith_spawn_empty(f.world).index1 + kith_spawn_empty(f.world).index1,
               e[1].index1 + e[3].index1);
    CHECK_UINT(kith_spawn_empty(f.world).index1, 10);
    fixture_free(&f);
}

/* Slots far apart, in parts of the storages that were given back. */
TEST_EACH_LAYOUT(new_entities_in_slots_far_apart, layout)
{
    enum { COUNT = 70000 };
    static kith_entity e[COUNT];
    fixture f = fixture_with_all(layout);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    const kith_values values = KITH_VALUE(Position, {1, 2});
    CHECK_RESULT(kith_spawn_many(f.world, COUNT, &values, 1, e), KITH_OK);
    CHECK_RESULT(kith_despawn_many(f.world, e, COUNT - 1, NULL), KITH_OK);
    static const uint32_t order[] = {60000, 9, 40000, 20000, 1};
    /* All slots are used again but five, which come to be free in this order. */
    CHECK_RESULT(kith_spawn_many(f.world, COUNT - 1, NULL, 0, e), KITH_OK);
    kith_entity last[5];
    for (uint32_t i = 0; i < COUNT - 1; i++) {
        for (int k = 0; k < 5; k++) {
            if (e[i].index1 == order[k] + 1) {
                last[k] = e[i];
            }
        }
    }
    CHECK_RESULT(kith_despawn_many(f.world, last, 5, NULL), KITH_OK);
    kith_world_trim(f.world);
    kith_entity made[7];
    for (uint32_t i = 0; i < 7; i++) {
        made[i] = KITH_SPAWN(commands, KITH_VALUE(Position, {(float)i, 7}), KITH_VALUE(Frozen),
                             KITH_VALUE(Name, {"far"}));
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_WORLD(f.world);
    for (uint32_t i = 0; i < 7; i++) {
        kith_entity real = kith_commands_real(commands, made[i]);
        CHECK_UINT(real.index1, i < 5 ? order[4 - i] + 1 : COUNT + i - 4);
        CHECK_FLOAT(KITH_GET(f.world, real, Position)->x, i);
        CHECK_STR(KITH_GET(f.world, real, Name)->text, "far");
        CHECK(KITH_HAS(f.world, real, Frozen));
    }
    fixture_free(&f);
}

/* ---- Large and many -------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(values_larger_than_a_chunk, layout)
{
    static Giant giant;
    static Big big;
    scene s = scene_new(layout);
    CHECK_RESULT(kith_register(s.world, &Giant_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    for (uint32_t i = 0; i < sizeof(giant) / 4; i++) {
        giant.words[i] = i * 7;
        big.words[i % 5000] = i * 3;
    }
    KITH_SET(s.commands, s.plain, Byte, {1});
    KITH_SET(s.commands, s.frozen, Giant, giant);
    KITH_SET(s.commands, s.plain, Name, {"between"});
    kith_entity a = KITH_SPAWN(s.commands, KITH_VALUE(Big, big), KITH_VALUE(Giant));
    kith_entity b = kith_commands_clone(s.commands, s.frozen);
    KITH_ADD(s.commands, s.plain, Giant);
    scene_apply(&s);
    a = kith_commands_real(s.commands, a);
    b = kith_commands_real(s.commands, b);
    CHECK_UINT(KITH_GET(s.world, s.plain, Byte)->value, 1);
    CHECK_STR(KITH_GET(s.world, s.plain, Name)->text, "between");
    CHECK_UINT(KITH_GET(s.world, s.plain, Giant)->words[(1u << 18) - 1], 0);
    CHECK(memcmp(KITH_GET(s.world, s.frozen, Giant), &giant, sizeof(giant)) == 0);
    CHECK(memcmp(KITH_GET(s.world, b, Giant), &giant, sizeof(giant)) == 0);
    CHECK(memcmp(KITH_GET(s.world, a, Big), &big, sizeof(big)) == 0);
    CHECK_UINT(KITH_GET(s.world, a, Giant)->words[77], 0);
    kith_entity c = kith_commands_clone(s.commands, b); /* of a value that only the world has */
    kith_commands_despawn(s.commands, b);
    scene_apply(&s);
    CHECK(memcmp(KITH_GET(s.world, kith_commands_real(s.commands, c), Giant), &giant,
                 sizeof(giant)) == 0);
    fixture_free(&s.f);
}

TEST_EACH_LAYOUT(values_of_large_alignment, layout)
{
    static Page page;
    scene s = scene_new(layout);
    CHECK_RESULT(kith_register(s.world, &Page_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    kith_entity e[10];
    for (uint32_t i = 0; i < 10; i++) {
        page.words[1023] = i + 1;
        KITH_SET(s.commands, s.plain, Aligned, {.words = {[7] = i}});
        e[i] = KITH_SPAWN(s.commands, KITH_VALUE(Page, page),
                          KITH_VALUE(Aligned, {.words = {[3] = i}}));
        KITH_ADD(s.commands, kith_commands_clone(s.commands, e[i]), Byte);
    }
    scene_apply(&s);
    CHECK_UINT(KITH_GET(s.world, s.plain, Aligned)->words[7], 9);
    kith_query *query = KITH_QUERY(s.world, KITH_READ(Page), KITH_READ(Aligned));
    uint32_t sum = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const Page *value = KITH_AT(&it, i, Page);
            CHECK_UINT((uintptr_t)value % 4096, 0);
            CHECK_UINT(KITH_AT(&it, i, Aligned)->words[3], value->words[1023] - 1);
            sum += value->words[1023];
        }
    }
    CHECK_UINT(sum, 2 * 55);
    fixture_free(&s.f);
}

/* Forty types that differ in name and size. */
#define TYPES 40
static kith_type many_types[TYPES];
static kith_field many_fields[TYPES];
static char many_names[TYPES][8];

static void register_many(kith_world *world, kith_layout layout)
{
    for (uint32_t i = 0; i < TYPES; i++) {
        snprintf(many_names[i], sizeof(many_names[i]), "T%u", i);
        many_fields[i] = (kith_field){"bytes", 0, i + 1, KITH_U8};
        many_types[i] = (kith_type){many_names[i],   i + 1, 1,          0,     1,
                                    &many_fields[i], NULL,  KITH_TABLE, false, false, 0};
        CHECK_RESULT(kith_register(world, &many_types[i], &(kith_component_def){.layout = layout}),
                     KITH_OK);
    }
}

TEST_EACH_LAYOUT(forty_components_on_one_entity, layout)
{
    scene s = scene_new(layout);
    scene twin = scene_new(layout);
    register_many(s.world, layout);
    register_many(twin.world, layout);
    uint8_t bytes[TYPES];
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < TYPES; i++) {
            uint32_t k = i * 17 % TYPES;
            memset(bytes, (int)(k + 1) * (round + 1), sizeof(bytes));
            if (round == 1 && k % 3 == 0) {
                CHECK_RESULT(kith_commands_remove(s.commands, s.plain, &many_types[k]), KITH_OK);
                CHECK_RESULT(kith_remove(twin.world, s.plain, &many_types[k]), KITH_OK);
            } else if (round == 2 && k % 4 == 0) {
                CHECK_RESULT(kith_commands_add(s.commands, s.plain, &many_types[k]), KITH_OK);
                CHECK_RESULT(kith_add(twin.world, s.plain, &many_types[k]), KITH_OK);
            } else {
                CHECK_RESULT(kith_commands_set(s.commands, s.plain, &many_types[k], bytes),
                             KITH_OK);
                CHECK_RESULT(kith_set(twin.world, s.plain, &many_types[k], bytes), KITH_OK);
            }
        }
        kith_entity clone = kith_commands_clone(s.commands, s.plain);
        CHECK_RESULT(kith_clone(twin.world, s.plain, &clone), KITH_OK);
        scene_apply(&s);
        CHECK_UINT(kith_content_hash(s.world), kith_content_hash(twin.world));
    }
    fixture_free(&twin.f);
    fixture_free(&s.f);
}

/* ---- Cost ------------------------------------------------------------------------------------ */

/* A million commands take memory for what they hold and little more, and the buffer gives it back when
 * it is used for less. */
TEST_EACH_LAYOUT_WITHIN(20, a_million_commands, layout)
{
    enum { ENTITIES = 1000, COMMANDS = 1000000 };
    static kith_entity e[ENTITIES];
    fixture f = fixture_with_all(layout);
    CHECK_RESULT(kith_spawn_many(f.world, ENTITIES, NULL, 0, e), KITH_OK);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (uint32_t i = 0; i < COMMANDS; i++) {
        kith_entity which = e[i * 7 % ENTITIES];
        if (i % 2 == 0) {
            KITH_SET(commands, which, Position, {(float)i, 1});
        } else if (i % 4 == 1) {
            KITH_ADD(commands, which, Frozen);
        } else {
            KITH_REMOVE(commands, which, Frozen);
        }
    }
    kith_commands_stats stats = kith_commands_memory(commands);
    CHECK_UINT(stats.commands, COMMANDS);
    CHECK(stats.used < (size_t)COMMANDS * 24);
    CHECK(stats.used > (size_t)COMMANDS * 8);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK(kith_commands_memory(commands).peak < (size_t)COMMANDS * 25);
    for (uint32_t i = COMMANDS - 2; i >= COMMANDS - 200; i -= 2) {
        CHECK_FLOAT(KITH_GET(f.world, e[i * 7 % ENTITIES], Position)->x, i);
    }
    KITH_SET(commands, e[0], Position, {1, 1});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK(kith_commands_memory(commands).used < 200000);
    CHECK(kith_commands_memory(commands).peak > (size_t)COMMANDS * 8);
    fixture_free(&f);
}

TEST_EACH_LAYOUT_WITHIN(20, many_new_entities, layout)
{
    enum { COUNT = 200000 };
    fixture f = fixture_with_all(layout);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    kith_entity some = KITH_NONE;
    for (uint32_t i = 0; i < COUNT; i++) {
        kith_entity e = KITH_SPAWN(commands, KITH_VALUE(Position, {(float)i, 1}));
        some = i == 77777 ? e : some;
    }
    CHECK(kith_commands_memory(commands).used < (size_t)COUNT * 24);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_UINT(kith_entity_count(f.world), COUNT);
    kith_entity e = kith_commands_real(commands, some);
    CHECK_UINT(e.index1, 77778);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 77777);
    KITH_SET(commands, e, Position, {1, 1});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK(kith_commands_memory(commands).used < (size_t)COUNT * 12);
    fixture_free(&f);
}

/* What clones need while they are made is not kept. */
TEST_EACH_LAYOUT(many_clones, layout)
{
    scene s = scene_new(layout);
    CHECK_RESULT(kith_set(s.world, s.plain, &Big_type, NULL), KITH_OK);
    size_t used = 0;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 5; i++) {
            kith_entity clone = kith_commands_clone(s.commands, i % 2 == 0 ? s.plain : s.frozen);
            kith_commands_despawn(s.commands, clone);
        }
        scene_apply(&s);
        size_t now = kith_commands_memory(s.commands).used;
        CHECK(round < 2 || now <= used);
        used = now;
    }
    CHECK_UINT(kith_entity_count(s.world), 2);
    fixture_free(&s.f);
}
