/* What kith_error says names what is missing or dead, and the call that wanted it. */
#include <kith/hierarchy.h>
#include <kith/reflect.h>
#include <kith/resource.h>
#include <stdio.h>

#include "callers.h"

static const kith_entity nobody = {1000, 0};
static const kith_type stranger = {.name = "Stranger", .align = 1};

static int leave_the_order(const kith_world *world, kith_entity a, kith_entity b, void *user)
{
    (void)world, (void)a, (void)b, (void)user;
    return 0;
}

/* The message of a result names the call, the entity and the type. */
static void lacks(const subject *s, const char *call, const kith_type *type)
{
    char expected[256];
    snprintf(expected, sizeof expected, "%s: %s has no value of %s", call,
             kith_entity_describe(s->world, s->e).text, type->name);
    CHECK_STR(kith_error(s->world), expected);
}

TEST(a_read_that_finds_nothing_names_what_is_missing)
{
    subject *s = subject_new();
    const kith_type *const missing[] = {&stranger, &Velocity_type, &Byte_type};
    void *value;
    char byte;
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
        const kith_type *type = missing[i];
        CHECK_RESULT(kith_get_mut(s->world, s->e, type, &value), KITH_ERR_ABSENT);
        lacks(s, "kith_get_mut", type);
        CHECK_RESULT(kith_get_bytes(s->world, s->e, type, &byte, type->size), KITH_ERR_ABSENT);
        lacks(s, "kith_get_bytes", type);
        CHECK_RESULT(kith_resource_get_mut(s->world, type, &value), KITH_ERR_ABSENT);
        CHECK_CONTAINS(kith_error(s->world), "kith_resource_get_mut: there is no resource ");
        CHECK_CONTAINS(kith_error(s->world), type->name);
        CHECK_RESULT(kith_resource_remove(s->world, type), KITH_ERR_ABSENT);
        CHECK_CONTAINS(kith_error(s->world), "kith_resource_remove: there is no resource ");
    }
    float x;
    CHECK_RESULT(kith_get_field(s->world, s->e, &Velocity_type, "dx", KITH_F32, &x, sizeof x),
                 KITH_ERR_ABSENT);
    lacks(s, "kith_get_field", &Velocity_type);
    CHECK_RESULT(kith_set_field(s->world, s->e, &Velocity_type, "dx", KITH_F32, &x, sizeof x),
                 KITH_ERR_ABSENT);
    lacks(s, "kith_set_field", &Velocity_type);
    CHECK_RESULT(kith_despawn(s->world, s->e), KITH_OK);
    CHECK_RESULT(kith_get_mut(s->world, s->e, &Position_type, &value), KITH_ERR_DEAD);
    CHECK_CONTAINS(kith_error(s->world), "kith_get_mut: ");
    CHECK_CONTAINS(kith_error(s->world), " is not alive");
    CHECK_WORLD(s->world);
    subject_free(s);
}

/* A change of an entity that is dead names the call and the entity. */
TEST(a_change_of_the_dead_names_them)
{
    const kith_value value = KITH_VALUE(Position);
    subject *s = subject_new();
    CHECK_RESULT(kith_set(s->world, nobody, &Position_type, NULL), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), "kith_set: \"named\" (Entity(999v0)) is not alive");
    CHECK_RESULT(kith_set(s->world, nobody, &stranger, NULL), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), "kith_set: \"named\" (Entity(999v0)) is not alive");
    CHECK_RESULT(kith_add(s->world, nobody, &Position_type), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), "kith_add: \"named\" (Entity(999v0)) is not alive");
    CHECK_RESULT(kith_remove(s->world, nobody, &Position_type), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), "kith_remove: \"named\" (Entity(999v0)) is not alive");
    CHECK_RESULT(kith_remove_all(s->world, nobody), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), "kith_remove_all: \"named\" (Entity(999v0)) is not alive");
    CHECK_RESULT(kith_set_parent(s->world, nobody, s->e), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), "kith_set_parent: \"named\" (Entity(999v0)) is not alive");
    CHECK_RESULT(kith_set_parent(s->world, nobody, KITH_NONE), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), "kith_set_parent: \"named\" (Entity(999v0)) is not alive");
    CHECK_RESULT(kith_sort_children(s->world, nobody, leave_the_order, NULL), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), "kith_sort_children: \"named\" (Entity(999v0)) is not alive");
    CHECK_RESULT(kith_set_values(s->world, nobody, &value, 1), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), "kith_set_values: \"named\" (Entity(999v0)) is not alive");
    CHECK_RESULT(kith_set_values(s->world, nobody, NULL, 0), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), "kith_set_values: \"named\" (Entity(999v0)) is not alive");
    CHECK_UINT(kith_clone_or_none(s->world, nobody).index1, 0);
    CHECK_STR(kith_error(s->world), "kith_clone: \"named\" (Entity(999v0)) is not alive");
    CHECK_RESULT(kith_despawn(s->world, KITH_NONE), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), "kith_despawn: \"named\" (Entity(null)) is not alive");
    subject_free(s);
}

/* A handle that a command buffer gave out is dead for the world, which says what to do with it. */
TEST(a_provisional_handle_is_told_from_a_dead_one)
{
    subject *s = subject_new();
    kith_commands *commands = kith_commands_new(s->world, NULL);
    const kith_entity made = kith_commands_spawn(commands);
    void *value;
    char said[200];
    snprintf(said, sizeof said,
             "kith_add: \"named\" (%s) is not alive; a command buffer gave out this handle: after "
             "kith_commands_apply, kith_commands_real has the one of the entity",
             kith_entity_to_text(made).text);
    CHECK_RESULT(kith_add(s->world, made, &Position_type), KITH_ERR_DEAD);
    CHECK_STR(kith_error(s->world), said);
    CHECK_RESULT(kith_get_mut(s->world, made, &Position_type, &value), KITH_ERR_DEAD);
    CHECK_CONTAINS(kith_error(s->world), "kith_commands_real has the one of the entity");
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_RESULT(kith_add(s->world, kith_commands_real(commands, made), &Position_type), KITH_OK);
    kith_commands_free(commands);
    CHECK_WORLD(s->world);
    subject_free(s);
}
