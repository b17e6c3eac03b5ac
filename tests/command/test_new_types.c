/* Commands about types that nobody registered: applying does, as they are declared. */
#include <stdio.h>
#include <string.h>

#include "note.h"
#include "scene.h"

KITH_COMPONENT(Fuel, (float, liters), (uint8_t, kind));
KITH_COMPONENT(Heat, KITH_SPARSE, (float, degrees));
KITH_COMPONENT(Owner, KITH_SLOT, (kith_entity, entity), (uint8_t, share));
KITH_COMPONENT(Bulk, (uint64_t, words, 60));
KITH_TAG(Marked, KITH_SPARSE);
KITH_TAG(Hidden);

static void check_layout(kith_world *world, const kith_type *type, kith_layout expected)
{
    kith_layout layout = (kith_layout)77;
    CHECK_RESULT(kith_layout_of(world, type, &layout), KITH_OK);
    CHECK_INT(layout, expected);
}

static void check_unknown(kith_world *world, const kith_type *type)
{
    CHECK_RESULT(kith_layout_of(world, type, NULL), KITH_ERR_UNKNOWN);
}

/* ---- Applying registers ---------------------------------------------------------------------- */

TEST_EACH_LAYOUT(each_call_registers, layout)
{
    scene s = scene_new(layout);
    const uint32_t types = kith_type_count(s.world);
    const Fuel fuel = {4, 5};
    CHECK_RESULT(KITH_SET(s.commands, s.plain, Heat, {36.6f}), KITH_OK);
    CHECK_RESULT(KITH_ADD(s.commands, s.plain, Hidden), KITH_OK);
    CHECK_RESULT(kith_commands_set_bytes(s.commands, s.frozen, &Fuel_type, &fuel, sizeof fuel),
                 KITH_OK);
    kith_entity made =
        KITH_SPAWN(s.commands, KITH_VALUE(Owner, {s.plain, 7}), KITH_VALUE(Position, {8, 9}));
    CHECK_RESULT(KITH_SET_VALUES(s.commands, s.frozen, KITH_VALUE(Marked), KITH_VALUE(Heat, {-4})),
                 KITH_OK);
    CHECK_WORLD(s.world);
    CHECK_UINT(kith_type_count(s.world), types);
    scene_apply(&s);
    check_layout(s.world, &Heat_type, KITH_SPARSE);
    check_layout(s.world, &Hidden_type, KITH_TABLE);
    check_layout(s.world, &Fuel_type, KITH_TABLE);
    check_layout(s.world, &Owner_type, KITH_SLOT);
    check_layout(s.world, &Marked_type, KITH_SPARSE);
    CHECK_UINT(kith_type_count(s.world), types + 5);
    CHECK_FLOAT(KITH_GET(s.world, s.plain, Heat)->degrees, 36.6f);
    CHECK_FLOAT(KITH_GET(s.world, s.frozen, Heat)->degrees, -4);
    CHECK(KITH_HAS(s.world, s.plain, Hidden) && KITH_HAS(s.world, s.frozen, Marked));
    CHECK_FLOAT(KITH_GET(s.world, s.frozen, Fuel)->liters, 4);
    CHECK_UINT(KITH_GET(s.world, s.frozen, Fuel)->kind, 5);
    made = kith_commands_real(s.commands, made);
    CHECK_UINT(KITH_GET(s.world, made, Owner)->share, 7);
    CHECK(kith_entity_equal(KITH_GET(s.world, made, Owner)->entity, s.plain));
    fixture_free(&s.f);
}

/* The world's hash is that of single calls, before and after which kith_register could have come. */
TEST_EACH_LAYOUT(the_outcome_is_that_of_types_known_before, layout)
{
    uint64_t hashes[2];
    for (int known = 0; known < 2; known++) {
        scene s = scene_new(layout);
        if (known != 0) {
            CHECK_RESULT(KITH_TYPES(s.world, Bulk, Owner, Heat, Marked), KITH_OK);
        }
        for (uint32_t i = 0; i < 300; i++) {
            kith_entity a = KITH_SPAWN(s.commands, KITH_VALUE(Heat, {(float)i}));
            kith_entity b =
                KITH_SPAWN(s.commands, KITH_VALUE(Bulk, {{i, 2, 3}}), KITH_VALUE(Owner, {a, 1}));
            KITH_SET(s.commands, a, Owner, {b, 2});
            KITH_ADD(s.commands, i % 2 == 0 ? a : s.plain, Marked);
        }
        CHECK_WORLD(s.world);
        scene_apply(&s);
        hashes[known] = kith_world_hash(s.world);
        fixture_free(&s.f);
    }
    CHECK_UINT(hashes[0], hashes[1]);
}

/* Whatever comes after the first command: the same again, others about it, by another descriptor. */
TEST(commands_of_new_types_are_merged)
{
    scene s = scene_new(KITH_TABLE);
    kith_type heat = Heat_type;
    heat.number = NULL;
    KITH_SET(s.commands, s.plain, Heat, {1});
    KITH_SET(s.commands, s.plain, Heat, {2});
    const Heat three = {3};
    kith_commands_set(s.commands, s.plain, &heat, &three);
    KITH_ADD(s.commands, s.plain, Heat);
    KITH_SET(s.commands, s.frozen, Heat, {4});
    KITH_REMOVE(s.commands, s.frozen, Heat);
    kith_entity clone = kith_commands_clone(s.commands, s.plain);
    KITH_SET(s.commands, s.plain, Heat, {5});
    CHECK_UINT(kith_commands_memory(s.commands).commands, 8);
    scene_apply(&s);
    CHECK_FLOAT(KITH_GET(s.world, s.plain, Heat)->degrees, 5);
    CHECK(!KITH_HAS(s.world, s.frozen, Heat));
    CHECK_FLOAT(KITH_GET(s.world, kith_commands_real(s.commands, clone), Heat)->degrees, 3);
    fixture_free(&s.f);
}

TEST(removing_registers_nothing)
{
    scene s = scene_new(KITH_TABLE);
    const uint32_t types = kith_type_count(s.world);
    const uint64_t before = kith_world_hash(s.world);
    CHECK_RESULT(KITH_REMOVE(s.commands, s.plain, Fuel), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(s.commands, s.gone, Fuel), KITH_OK);
    kith_entity made = kith_commands_spawn(s.commands);
    CHECK_RESULT(KITH_REMOVE(s.commands, made, Fuel), KITH_OK);
    kith_commands_despawn(s.commands, made);
    uint32_t dead = 0;
    CHECK_RESULT(kith_commands_apply(s.commands, &dead), KITH_OK);
    CHECK_UINT(dead, 1);
    CHECK_UINT(kith_type_count(s.world), types);
    CHECK_UINT(kith_world_hash(s.world), before);

    /* Nobody knew it when this was queued. */
    CHECK_RESULT(KITH_REMOVE(s.commands, s.plain, Fuel), KITH_OK);
    CHECK_RESULT(KITH_SET(s.world, s.plain, Fuel, {1, 2}), KITH_OK);
    scene_apply(&s);
    CHECK(!KITH_HAS(s.world, s.plain, Fuel));
    fixture_free(&s.f);
}

/* The world gets to know it while commands wait, and keeps another layout than the type declares. */
TEST(a_type_may_be_registered_in_the_meantime)
{
    scene s = scene_new(KITH_TABLE);
    KITH_SET(s.commands, s.plain, Heat, {1});
    KITH_ADD(s.commands, s.plain, Byte);
    CHECK_RESULT(kith_register(s.world, &Heat_type, &(kith_component_def){.layout = KITH_SLOT}),
                 KITH_OK);
    KITH_SET(s.commands, s.frozen, Heat, {2});
    KITH_SET(s.commands, s.plain, Heat, {3});
    CHECK_WORLD(s.world);
    scene_apply(&s);
    check_layout(s.world, &Heat_type, KITH_SLOT);
    CHECK_FLOAT(KITH_GET(s.world, s.frozen, Heat)->degrees, 2);
    CHECK_FLOAT(KITH_GET(s.world, s.plain, Heat)->degrees, 3);
    fixture_free(&s.f);
}

/* Of descriptors that differ in the layout alone, the first counts. */
TEST(the_layout_is_that_of_the_first_command)
{
    scene s = scene_new(KITH_TABLE);
    fixture elsewhere = fixture_new();
    CHECK_RESULT(KITH_TYPES(elsewhere.world, Heat), KITH_OK);
    fixture_free(&elsewhere);
    kith_type slot = Heat_type;
    slot.layout = KITH_SLOT;
    KITH_REMOVE(s.commands, s.plain, Fuel);
    kith_commands_add(s.commands, s.plain, &slot);
    KITH_SET(s.commands, s.frozen, Heat, {2});
    scene_apply(&s);
    check_layout(s.world, &Heat_type, KITH_SLOT);
    CHECK_FLOAT(KITH_GET(s.world, s.frozen, Heat)->degrees, 2);
    fixture_free(&s.f);
}

TEST(clearing_forgets_new_types)
{
    scene s = scene_new(KITH_TABLE);
    const size_t empty = kith_commands_memory(s.commands).used;
    KITH_SET(s.commands, s.plain, Heat, {1});
    kith_commands_discard(s.commands);
    CHECK_UINT(kith_commands_memory(s.commands).used, empty);
    KITH_SET(s.commands, s.plain, Fuel, {1, 1});
    scene_apply(&s);
    check_unknown(s.world, &Heat_type);
    CHECK(KITH_HAS(s.world, s.plain, Fuel));
    fixture_free(&s.f);
}

/* ---- What goes wrong ------------------------------------------------------------------------- */

/* Nothing of the buffer is applied, and the buffer stays as it was. */
static void check_not_applied(scene *s, kith_result expected, const char *text)
{
    const uint64_t before = kith_world_hash(s->world);
    const uint32_t queued = kith_commands_memory(s->commands).commands;
    uint32_t dead = 77;
    for (int i = 0; i < 2; i++) {
        CHECK_RESULT(kith_commands_apply(s->commands, &dead), expected);
        CHECK_CONTAINS(kith_error(s->world), text);
        CHECK_CONTAINS(kith_error(s->world), "kith_commands_apply: ");
        CHECK_STR(kith_commands_error(s->commands), kith_error(s->world));
        CHECK_UINT(kith_commands_memory(s->commands).commands, queued);
        CHECK_WORLD(s->world);
        CHECK(kith_world_hash(s->world) == before);
    }
    CHECK_UINT(dead, 77);
}

static const kith_field other_fields[] = {{"kelvin", 0, 8, KITH_F64}};
static uint32_t other_number;
static const kith_type other_heat = {"Heat",        8,          8,     0,    1, other_fields,
                                     &other_number, KITH_TABLE, false, false, 0};

TEST(another_type_of_the_name_fails_the_apply)
{
    scene s = scene_new(KITH_TABLE);
    KITH_SET(s.commands, s.plain, Position, {9, 9});
    KITH_SET(s.commands, s.plain, Heat, {1});
    CHECK_RESULT(kith_commands_add(s.commands, s.plain, &other_heat), KITH_OK);
    check_not_applied(&s, KITH_ERR_CONFLICT, "'Heat' is registered as another type");
    CHECK_RESULT(KITH_REMOVE(s.commands, s.frozen, Hidden), KITH_OK);
    check_not_applied(&s, KITH_ERR_CONFLICT, "'Heat' is registered as another type");
    kith_commands_discard(s.commands);
    CHECK_RESULT(kith_commands_remove(s.commands, s.plain, &other_heat), KITH_OK);
    KITH_SET(s.commands, s.plain, Heat, {1});
    scene_apply(&s);
    CHECK_FLOAT(KITH_GET(s.world, s.plain, Heat)->degrees, 1);
    fixture_free(&s.f);
}

TEST(what_kith_register_refused_is_told_again)
{
    scene s = scene_new(KITH_TABLE);
    CHECK_RESULT(
        kith_register(s.world, &Heat_type, &(kith_component_def){.layout = (kith_layout)9}),
        KITH_ERR_INPUT);
    CHECK_RESULT(KITH_SET(s.commands, s.plain, Heat, {1}), KITH_OK);
    check_not_applied(&s, KITH_ERR_INPUT, "9 is no layout");
    CHECK_RESULT(kith_register(s.world, &Heat_type, NULL), KITH_OK);
    scene_apply(&s);
    CHECK(KITH_HAS(s.world, s.plain, Heat));
    fixture_free(&s.f);
}

TEST(hooks_that_come_too_late_fail_the_apply)
{
    scene s = scene_new(KITH_TABLE);
    KITH_ADD(s.commands, s.frozen, Heat);
    CHECK_RESULT(KITH_ADD(s.commands, s.plain, Note), KITH_OK);
    CHECK_RESULT(kith_register(s.world, &Note_type, &(kith_component_def){.hooks = &note_hooks}),
                 KITH_OK);
    check_not_applied(&s, KITH_ERR_CONFLICT, "'Note' was registered with hooks");
    kith_commands_discard(s.commands);
    CHECK_RESULT(KITH_ADD(s.commands, s.plain, Note), KITH_OK);
    scene_apply(&s);
    CHECK(KITH_HAS(s.world, s.plain, Note));
    fixture_free(&s.f);
}

/* A type that needs hooks, and one that makes no sense, fail the buffer when they are queued. */
TEST(types_that_cannot_be_registered_fail_the_buffer)
{
    scene s = scene_new(KITH_TABLE);
    kith_type hooked = Heat_type;
    hooked.number = NULL;
    hooked.name = "Hot";
    hooked.hooked = true;
    kith_type nameless = hooked;
    nameless.name = "1";
    nameless.hooked = false;
    CHECK_RESULT(kith_commands_remove(s.commands, s.plain, &hooked), KITH_OK);
    CHECK_RESULT(kith_commands_add(s.commands, s.plain, &hooked), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_commands_error(s.commands), "kith_commands_add: 'Hot' needs hooks");
    CHECK_RESULT(kith_commands_add(s.commands, s.plain, &Heat_type), KITH_ERR_INPUT);
    kith_commands_discard(s.commands);
    CHECK_RESULT(kith_commands_set(s.commands, s.plain, &nameless, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_commands_error(s.commands), "kith_commands_set: ");
    CHECK_CONTAINS(kith_commands_error(s.commands), "'1'");
    CHECK_RESULT(kith_commands_apply(s.commands, NULL), KITH_ERR_INPUT);
    kith_commands_discard(s.commands);
    scene_apply(&s);
    fixture_free(&s.f);
}

/* A buffer with a limit has room for what it holds, and no more. */
TEST(new_types_count_for_the_limit)
{
    scene s = scene_new(KITH_TABLE);
    kith_commands *tight = kith_commands_new(s.world, &(kith_commands_def){.memory_limit = 2400});
    const size_t empty = kith_commands_memory(tight).used;
    CHECK_RESULT(KITH_ADD(tight, s.plain, Byte), KITH_OK);
    CHECK_RESULT(KITH_ADD(tight, s.plain, Hidden), KITH_ERR_MEMORY);
    CHECK_CONTAINS(kith_commands_error(tight), "kith_commands_add: no memory for 'Hidden'");
    kith_commands_discard(tight);
    CHECK_UINT(kith_commands_memory(tight).used, empty);
    kith_commands_free(tight);
    fixture_free(&s.f);
}

enum { TYPES_MAX = 65535 };

static const kith_type *numbered_type(uint32_t index)
{
    static const kith_field field = {"value", 0, 4, KITH_U32};
    static char names[TYPES_MAX + 1][12];
    static uint32_t numbers[TYPES_MAX + 1];
    static kith_type type;
    snprintf(names[index], sizeof(names[index]), "Type%05u", (unsigned)index);
    type =
        (kith_type){names[index], 4, 4, 0, 1, &field, &numbers[index], KITH_TABLE, false, false, 0};
    return &type;
}

TEST_WITHIN(20, the_number_of_types_has_a_limit)
{
    fixture f = fixture_new();
    kith_commands *full = kith_commands_new(f.world, NULL);
    kith_commands *more = kith_commands_new(f.world, NULL);
    for (uint32_t i = 0; i < TYPES_MAX; i++) {
        CHECK_RESULT(kith_commands_add(full, KITH_NONE, numbered_type(i)), KITH_OK);
    }
    CHECK_RESULT(kith_commands_add(more, KITH_NONE, numbered_type(TYPES_MAX)), KITH_OK);
    uint32_t dead = 0;
    CHECK_RESULT(kith_commands_apply(full, &dead), KITH_OK);
    CHECK_UINT(dead, TYPES_MAX);
    CHECK_UINT(kith_type_count(f.world), TYPES_MAX);
    CHECK_RESULT(kith_commands_apply(more, NULL), KITH_ERR_LIMIT);
    CHECK_CONTAINS(kith_error(f.world), "'Type65535'");
    kith_commands_free(full);
    kith_commands_free(more);

    kith_world *empty = kith_world_new(NULL);
    kith_commands *over = kith_commands_new(empty, NULL);
    for (uint32_t i = 0; i < TYPES_MAX; i++) {
        CHECK_RESULT(kith_commands_remove(over, KITH_NONE, numbered_type(i)), KITH_OK);
    }
    CHECK_RESULT(kith_commands_remove(over, KITH_NONE, numbered_type(TYPES_MAX)), KITH_ERR_LIMIT);
    CHECK_CONTAINS(kith_commands_error(over), "kith_commands_remove: 'Type65535'");
    kith_world_free(empty);
    fixture_free(&f);
}

/* The world's own limit: what the types take is told by their name. */
TEST(no_memory_to_register_names_the_type)
{
    scene s = scene_new(KITH_TABLE);
    KITH_SET(s.commands, s.plain, Position, {9, 9});
    KITH_ADD(s.commands, s.plain, Marked);
    fail_from(&s.f, 1);
    check_not_applied(&s, KITH_ERR_MEMORY, "no memory to register 'Marked'");
    CHECK(fail_nothing(&s.f));
    scene_apply(&s);
    CHECK(KITH_HAS(s.world, s.plain, Marked));
    CHECK_FLOAT(KITH_GET(s.world, s.plain, Position)->x, 9);
    fixture_free(&s.f);
}
