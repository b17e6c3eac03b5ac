/* What command buffers refuse: handles that are not theirs, wrong types and sizes. A call that fails
 * fails the buffer. */
#include "scene.h"

/* A type that no world takes without hooks. */
static const kith_type stranger = {.name = "Stranger", .align = 1, .hooked = true};

/* ---- Handles that are not the buffer's ------------------------------------------------------- */

static const kith_entity first = {1, 0};

/* Each call that takes an entity. */
static kith_result queue_1(kith_commands *commands, kith_entity e)
{
    return KITH_SET(commands, e, Position, {1, 2});
}
static kith_result queue_2(kith_commands *commands, kith_entity e)
{
    return KITH_SET_VALUES(commands, e, KITH_VALUE(Byte), KITH_VALUE(Frozen));
}
static kith_result queue_3(kith_commands *commands, kith_entity e)
{
    return kith_commands_set_bytes(commands, e, &Byte_type, "x", 1);
}
static kith_result queue_4(kith_commands *commands, kith_entity e)
{
    return KITH_ADD(commands, e, Burning);
}
static kith_result queue_5(kith_commands *commands, kith_entity e)
{
    return KITH_REMOVE(commands, e, Burning);
}
static kith_result queue_6(kith_commands *commands, kith_entity e)
{
    return kith_commands_remove_all(commands, e);
}
static kith_result queue_7(kith_commands *commands, kith_entity e)
{
    return kith_commands_despawn(commands, e);
}
static kith_result queue_8(kith_commands *commands, kith_entity e)
{
    bool none = kith_is_none(kith_commands_clone(commands, e));
    kith_result result = kith_commands_set_values(commands, KITH_NONE, NULL, 0);
    CHECK_INT(none, result != KITH_OK);
    return result;
}
/* And each that puts a handle into a value. */
static kith_result queue_9(kith_commands *commands, kith_entity e)
{
    return KITH_SET(commands, first, Target, {e});
}
static kith_result queue_10(kith_commands *commands, kith_entity e)
{
    return KITH_SET_VALUES(commands, first, KITH_VALUE(Byte),
                           KITH_VALUE(Party, {2, {2, 0}, {{0, 0}, {1, 0}, e}}));
}
static kith_result queue_11(kith_commands *commands, kith_entity e)
{
    const Party party = {2, e, {{0, 0}, {1, 0}, {5, 5}}};
    return kith_commands_set_bytes(commands, first, &Party_type, &party, sizeof(party));
}
static kith_result queue_12(kith_commands *commands, kith_entity e)
{
    bool none =
        kith_is_none(KITH_SPAWN(commands, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Target, {e})));
    kith_result result = kith_commands_set_values(commands, KITH_NONE, NULL, 0);
    CHECK_INT(none, result != KITH_OK);
    return result;
}

typedef kith_result (*queue_call)(kith_commands *commands, kith_entity entity);
#define CALLS 12
static const queue_call calls[CALLS] = {queue_1, queue_2, queue_3, queue_4,  queue_5,  queue_6,
                                        queue_7, queue_8, queue_9, queue_10, queue_11, queue_12};

static void check_refused(scene *s, kith_entity e)
{
    uint64_t before = kith_world_hash(s->world);
    for (int i = 0; i < CALLS; i++) {
        KITH_SET(s->commands, s->plain, Position, {7, 7});
        CHECK_RESULT(calls[i](s->commands, e), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_commands_error(s->commands), kith_entity_to_text(e).text);
        CHECK_CONTAINS(kith_commands_error(s->commands), "kith_commands_");
        CHECK_RESULT(kith_commands_apply(s->commands, NULL), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(s->world), kith_entity_to_text(e).text);
        CHECK_WORLD(s->world);
        kith_commands_discard(s->commands);
        CHECK_UINT(kith_world_hash(s->world), before);
    }
}

TEST_EACH_LAYOUT(a_provisional_handle_of_another_buffer_is_refused, layout)
{
    scene s = scene_new(layout);
    kith_commands *other = kith_commands_new(s.world, NULL);
    kith_entity e = kith_commands_spawn(other);
    check_refused(&s, e);
    CHECK_UINT(kith_commands_memory(other).commands, 1);
    CHECK_RESULT(queue_1(other, e), KITH_OK);
    CHECK_RESULT(kith_commands_apply(other, NULL), KITH_OK);
    check_refused(&s, e);
    fixture_free(&s.f);
}

TEST_EACH_LAYOUT(a_provisional_handle_from_before_is_refused, layout)
{
    scene s = scene_new(layout);
    kith_entity e = kith_commands_spawn(s.commands);
    kith_commands_discard(s.commands);
    check_refused(&s, e);
    e = kith_commands_spawn(s.commands);
    scene_apply(&s);
    check_refused(&s, e);
    fixture_free(&s.f);
}

/* The buffer's own, as long as they are not from the future. */
TEST_EACH_LAYOUT(a_provisional_handle_that_was_never_given_is_refused, layout)
{
    scene s = scene_new(layout);
    kith_entity e = kith_commands_spawn(s.commands);
    for (int i = 0; i < CALLS; i++) {
        CHECK_RESULT(calls[i](s.commands, e), KITH_OK);
    }
    kith_commands_discard(s.commands);
    e = kith_commands_spawn(s.commands);
    CHECK_RESULT(queue_1(s.commands, (kith_entity){0, e.generation + 1}), KITH_ERR_INPUT);
    kith_commands_discard(s.commands);
    e = kith_commands_spawn(s.commands);
    CHECK_RESULT(queue_9(s.commands, (kith_entity){0, e.generation - 1}), KITH_ERR_INPUT);
    fixture_free(&s.f);
}

/* Also where the command before was the same, for another entity. */
TEST_EACH_LAYOUT(a_handle_is_looked_at_in_each_of_equal_commands, layout)
{
    scene s = scene_new(layout);
    kith_commands *other = kith_commands_new(s.world, NULL);
    kith_entity foreign = kith_commands_spawn(other);
    kith_entity e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = kith_spawn_empty(s.world);
    }
    for (int several = 0; several < 2; several++) {
        for (int i = 0; i < 3; i++) {
            if (several != 0) {
                KITH_ADD(s.commands, e[i], Byte);
            }
            kith_entity to = i < 2 ? s.plain : foreign;
            kith_result expected = i < 2 ? KITH_OK : KITH_ERR_INPUT;
            CHECK_RESULT(KITH_SET(s.commands, e[i], Target, {to}), expected);
        }
        kith_commands_discard(s.commands);
    }
    /* One's own becomes real, though the first value has none. */
    kith_entity own = kith_commands_spawn(s.commands);
    KITH_SET(s.commands, e[0], Target, {s.plain});
    KITH_SET(s.commands, e[1], Target, {own});
    scene_apply(&s);
    kith_entity real = kith_commands_real(s.commands, own);
    CHECK(kith_alive(s.world, real));
    CHECK(kith_entity_equal(KITH_GET(s.world, e[1], Target)->entity, real));
    fixture_free(&s.f);
}

/* A handle stays refused for a long while, however often the buffer is filled. */
TEST(provisional_handles_do_not_come_back_soon)
{
    scene s = scene_new(KITH_TABLE);
    kith_entity e = kith_commands_spawn(s.commands);
    for (int i = 0; i < 200; i++) {
        kith_commands_discard(s.commands);
        CHECK(!kith_entity_equal(kith_commands_spawn(s.commands), e));
        CHECK_RESULT(kith_commands_despawn(s.commands, e), KITH_ERR_INPUT);
    }
    fixture_free(&s.f);
}

/* ---- Failing --------------------------------------------------------------------------------- */

typedef struct failure {
    kith_result (*queue)(scene *s);
    kith_result result;
    const char *text; /* in kith_commands_error; NULL for misuse, which the handler is told */
} failure;

static kith_result fail_handle(scene *s)
{
    return kith_commands_despawn(s->commands, (kith_entity){0, 12345});
}
static kith_result fail_no_type(scene *s)
{
    return kith_commands_set(s->commands, s->plain, NULL, NULL);
}
static kith_result fail_stranger(scene *s)
{
    return kith_commands_add(s->commands, s->plain, &stranger);
}
static kith_result fail_removing(scene *s)
{
    return kith_commands_remove(s->commands, s->plain, NULL);
}
static kith_result fail_no_values(scene *s)
{
    return kith_commands_set_values(s->commands, s->plain, NULL, 1);
}
static kith_result fail_half_way(scene *s)
{
    return KITH_SET_VALUES(s->commands, s->plain, KITH_VALUE(Position, {9, 9}), {&stranger, NULL},
                           KITH_VALUE(Frozen));
}
static kith_result fail_spawn(scene *s)
{
    CHECK(kith_is_none(KITH_SPAWN(s->commands, KITH_VALUE(Position, {9, 9}), {&stranger, NULL})));
    return KITH_ERR_INPUT;
}
static kith_result fail_spawn_values(scene *s)
{
    CHECK(kith_is_none(kith_commands_spawn_values(s->commands, NULL, 3)));
    return KITH_ERR_MISUSE;
}
static kith_result fail_size(scene *s)
{
    return kith_commands_set_bytes(s->commands, s->plain, &Position_type, "1234567", 7);
}
static kith_result fail_no_bytes(scene *s)
{
    return kith_commands_set_bytes(s->commands, s->plain, &Byte_type, NULL, 1);
}
static kith_result fail_tag_with_bytes(scene *s)
{
    return kith_commands_set_bytes(s->commands, s->plain, &Frozen_type, "1", 1);
}
static kith_result fail_unknown(scene *s)
{
    return kith_commands_set_bytes(s->commands, s->plain, &stranger, NULL, 0);
}
static kith_result fail_unknown_null(scene *s)
{
    return kith_commands_set_bytes(s->commands, s->plain, NULL, "x", 1);
}
static kith_result fail_memory(scene *s)
{
    fail_from(&s->f, 1);
    kith_result result = kith_commands_set(s->commands, s->plain, &Big_type, NULL);
    CHECK(fail_nothing(&s->f));
    return result;
}

static const failure failures[] = {
    {fail_handle, KITH_ERR_INPUT, "kith_commands_despawn: Entity(~12345)"},
    {fail_no_type, KITH_ERR_MISUSE, NULL},
    {fail_stranger, KITH_ERR_INPUT, "kith_commands_add: 'Stranger' needs hooks"},
    {fail_removing, KITH_ERR_MISUSE, NULL},
    {fail_no_values, KITH_ERR_MISUSE, NULL},
    {fail_half_way, KITH_ERR_INPUT, "kith_commands_set_values: 'Stranger' needs hooks"},
    {fail_spawn, KITH_ERR_INPUT, "kith_commands_spawn_values: 'Stranger' needs hooks"},
    {fail_spawn_values, KITH_ERR_MISUSE, NULL},
    {fail_size, KITH_ERR_TYPE, "Position has 8 bytes, not 7"},
    {fail_no_bytes, KITH_ERR_TYPE, "Byte has 1 bytes, not 1 at NULL"},
    {fail_tag_with_bytes, KITH_ERR_TYPE, "Frozen has 0 bytes, not 1"},
    {fail_unknown, KITH_ERR_INPUT, "kith_commands_set_bytes: 'Stranger' needs hooks"},
    {fail_unknown_null, KITH_ERR_UNKNOWN, "kith_commands_set_bytes"},
    {fail_memory, KITH_ERR_MEMORY, "kith_commands_set"},
};
#define FAILURES (sizeof(failures) / sizeof(failures[0]))

/* From then on nothing is queued, and each call returns the same, until the buffer is cleared. */
TEST_EACH_LAYOUT(a_failed_call_fails_the_buffer, layout)
{
    scene s = scene_new(layout);
    uint64_t before = kith_world_hash(s.world);
    for (size_t i = 0; i < FAILURES; i++) {
        const failure *failing = &failures[i];
        CHECK_RESULT(KITH_SET(s.commands, s.plain, Position, {9, 9}), KITH_OK);
        CHECK(!kith_is_none(kith_commands_spawn(s.commands)));
        CHECK_RESULT(failing->queue(&s), failing->result);
        if (failing->text == NULL) {
            expect_misuse(&s.f, "kith_commands_");
        } else {
            CHECK_CONTAINS(kith_commands_error(s.commands), failing->text);
        }
        uint32_t count = kith_commands_memory(s.commands).commands;
        for (int k = 0; k < CALLS; k++) {
            CHECK_RESULT(calls[k](s.commands, s.plain), failing->result);
        }
        CHECK(kith_is_none(kith_commands_spawn(s.commands)));
        CHECK(kith_is_none(kith_commands_spawn_values(s.commands, NULL, 0)));
        CHECK_UINT(kith_commands_memory(s.commands).commands, count);
        uint32_t dead = 77;
        CHECK_RESULT(kith_commands_apply(s.commands, &dead), failing->result);
        CHECK_RESULT(kith_commands_apply(s.commands, &dead), failing->result);
        CHECK_UINT(dead, 77);
        CHECK_CONTAINS(kith_error(s.world), "kith_commands_apply");
        CHECK_WORLD(s.world);
        CHECK_UINT(kith_world_hash(s.world), before);
        kith_commands_discard(s.commands);
        CHECK_STR(kith_commands_error(s.commands), "");
        CHECK_UINT(kith_commands_memory(s.commands).commands, 0);
        scene_apply(&s);
        CHECK_UINT(kith_world_hash(s.world), before);
    }
    KITH_SET(s.commands, s.plain, Position, {9, 9});
    scene_apply(&s);
    CHECK_FLOAT(KITH_GET(s.world, s.plain, Position)->x, 9);
    fixture_free(&s.f);
}

/* A second failure neither changes the result nor the text about the first. */
TEST(the_first_failure_is_what_is_told)
{
    scene s = scene_new(KITH_TABLE);
    for (size_t i = 0; i < FAILURES; i++) {
        if (failures[i].text == NULL) {
            continue;
        }
        CHECK_RESULT(failures[i].queue(&s), failures[i].result);
        CHECK_RESULT(fail_handle(&s), failures[i].result);
        CHECK_CONTAINS(kith_commands_error(s.commands), failures[i].text);
        CHECK_RESULT(fail_size(&s), failures[i].result);
        CHECK_CONTAINS(kith_commands_error(s.commands), failures[i].text);
        CHECK_RESULT(kith_commands_apply(s.commands, NULL), failures[i].result);
        CHECK_CONTAINS(kith_error(s.world), failures[i].text);
        kith_commands_discard(s.commands);
    }
    fixture_free(&s.f);
}
