/* Calls about entities and their components. */
#include <string.h>

#include "crowd.h"

/* ---- Entities and their components ------------------------------------------------------------- */

void crowd_undo_entity(crowd *c)
{
    kith_despawn(c->world, c->made_entity);
}

static void prepare_entity(crowd *c)
{
    c->made_entity = KITH_SPAWN(c->world, KITH_VALUE(Position), KITH_VALUE(Velocity),
                                KITH_VALUE(Health), KITH_VALUE(Frozen));
}

static void act_spawn(crowd *c)
{
    const kith_value values[] = {KITH_VALUE(Position), KITH_VALUE(Velocity), KITH_VALUE(Health),
                                 KITH_VALUE(Frozen)};
    CHECK_RESULT(kith_spawn(c->world, values, 4, &c->made_entity), KITH_OK);
}

/* Into a table that was not there. */
void crowd_spawn_new(crowd *c)
{
    kith_value values[CROWD_FRESH + 1] = {KITH_VALUE(Position)};
    uint32_t count = 1;
    for (uint32_t bit = 0; bit < CROWD_FRESH; bit++) {
        if (c->turn >> bit & 1) {
            values[count++] = (kith_value){&c->fresh[bit], NULL};
        }
    }
    CHECK_RESULT(kith_spawn(c->world, values, count, &c->made_entity), KITH_OK);
}

static void act_spawn_or_none(crowd *c)
{
    c->made_entity = KITH_SPAWN(c->world, KITH_VALUE(Position));
}

static void act_spawn_empty(crowd *c)
{
    c->made_entity = kith_spawn_empty(c->world);
}

static void act_spawn_many(crowd *c)
{
    const kith_values values[] = {KITH_VALUE(Position, {1, 2}), KITH_VALUE(Health, {3, 4})};
    CHECK_RESULT(kith_spawn_many(c->world, 1, values, 2, &c->made_entity), KITH_OK);
}

static void act_clone(crowd *c)
{
    CHECK_RESULT(kith_clone(c->world, c->own, &c->made_entity), KITH_OK);
}

static void act_clone_tree(crowd *c)
{
    CHECK_RESULT(kith_clone_tree(c->world, c->own, &c->made_entity), KITH_OK);
}

static void act_transfer(crowd *c)
{
    kith_world *other = kith_world_new(NULL);
    CHECK_RESULT(kith_transfer(c->world, &c->made_entity, 1, other, NULL), KITH_OK);
    kith_world_free(other);
}

static void act_despawn(crowd *c)
{
    CHECK_RESULT(kith_despawn(c->world, c->made_entity), KITH_OK);
}

static void act_despawn_many(crowd *c)
{
    CHECK_RESULT(kith_despawn_many(c->world, &c->made_entity, 1, NULL), KITH_OK);
}

/* Made before all others. */
static void act_despawn_old(crowd *c)
{
    CHECK_RESULT(kith_despawn(c->world, c->old[c->try].entity), KITH_OK);
}

static void act_alive(crowd *c)
{
    CHECK(kith_alive(c->world, c->own));
}

static void act_entity_count(crowd *c)
{
    CHECK(kith_entity_count(c->world) != 0);
}

static void act_entity_next(crowd *c)
{
    CHECK(!kith_is_none(kith_entity_next(c->world, (kith_entity){c->own.index1 - 1, 0})));
}

static void act_set(crowd *c)
{
    KITH_SET(c->world, c->own, Position, {3, 4});
    KITH_SET(c->world, c->own, Health, {3, 4});
}

/* Adds, and thus moves. */
static void act_set_new(crowd *c)
{
    CHECK_RESULT(KITH_SET(c->world, c->plain, Velocity, {3, 4}), KITH_OK);
    CHECK_RESULT(KITH_SET(c->world, c->plain, Health, {3, 4}), KITH_OK);
}

static void undo_set(crowd *c)
{
    kith_remove(c->world, c->plain, &Velocity_type);
    kith_remove(c->world, c->plain, &Health_type);
    kith_remove(c->world, c->plain, &Frozen_type);
    kith_remove(c->world, c->plain, &Extra_type);
}

static void act_set_several(crowd *c)
{
    CHECK_RESULT(KITH_SET_VALUES(c->world, c->plain, KITH_VALUE(Velocity), KITH_VALUE(Health),
                                 KITH_VALUE(Extra)),
                 KITH_OK);
}

static void act_set_name(crowd *c)
{
    char path[32];
    CHECK_RESULT(kith_set_parent(c->world, c->own, c->plain), KITH_OK);
    CHECK_RESULT(kith_set_name(c->world, c->plain, "plain"), KITH_OK);
    CHECK_RESULT(kith_set_name(c->world, c->own, "own"), KITH_OK);
    CHECK_STR(kith_name_of(c->world, c->own), "own");
    CHECK_SAME(kith_find(c->world, "plain/own"), c->own);
    CHECK_SAME(kith_find_from(c->world, c->own, "../own"), c->own);
    CHECK_SAME(kith_find_child(c->world, c->plain, "own"), c->own);
    CHECK_UINT(kith_path(c->world, c->own, path, sizeof path), 9);
}

static void undo_set_name(crowd *c)
{
    CHECK_RESULT(kith_set_name(c->world, c->own, NULL), KITH_OK);
    CHECK_RESULT(kith_set_name(c->world, c->plain, NULL), KITH_OK);
    CHECK_RESULT(kith_set_parent(c->world, c->own, KITH_NONE), KITH_OK);
}

static void act_set_bytes(crowd *c)
{
    const Position value = {1, 2};
    CHECK_RESULT(kith_set_bytes(c->world, c->own, &Position_type, &value, sizeof value), KITH_OK);
}

static void act_add(crowd *c)
{
    CHECK_RESULT(KITH_ADD(c->world, c->plain, Velocity), KITH_OK);
    CHECK_RESULT(KITH_ADD(c->world, c->plain, Frozen), KITH_OK);
}

static void act_remove(crowd *c)
{
    CHECK_RESULT(KITH_REMOVE(c->world, c->made_entity, Velocity), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(c->world, c->made_entity, Health), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(c->world, c->made_entity, Frozen), KITH_OK);
}

static void act_clear(crowd *c)
{
    CHECK_RESULT(kith_remove_all(c->world, c->made_entity), KITH_OK);
}

static void act_has(crowd *c)
{
    CHECK(KITH_HAS(c->world, c->own, Extra) + KITH_HAS(c->world, c->own, Frozen) == 1);
}

static void act_get(crowd *c)
{
    CHECK(KITH_GET(c->world, c->own, Velocity) != NULL && KITH_GET(c->world, c->own, Byte) != NULL);
}

static void act_get_mut(crowd *c)
{
    void *value;
    CHECK_RESULT(kith_get_mut(c->world, c->own, &Velocity_type, &value), KITH_OK);
    CHECK(KITH_GET_MUT(c->world, c->own, Byte) != NULL);
}

static void act_get_bytes(crowd *c)
{
    Position value;
    CHECK_RESULT(kith_get_bytes(c->world, c->own, &Position_type, &value, sizeof value), KITH_OK);
}

static void act_get_many(crowd *c)
{
    const void *values[2];
    const kith_entity entities[] = {c->own, c->plain};
    CHECK_UINT(kith_get_many(c->world, &Position_type, entities, 2, values), 2);
    CHECK_UINT(kith_get_many(c->world, &Health_type, entities, 2, values), 1);
}

static void act_lookup(crowd *c)
{
    kith_lookup lookup = KITH_LOOKUP(c->world, Position);
    CHECK_PTR_NOT_NULL(KITH_GET(&lookup, c->own, Position));
    CHECK(kith_lookup_has(&lookup, c->plain));
}

static void act_component_next(crowd *c)
{
    const kith_type *type = NULL;
    uint32_t count = 0;
    while ((type = kith_component_next(c->world, c->own, type)) != NULL) {
        count++;
    }
    CHECK_UINT(count, 6);
}

static void act_get_field(crowd *c)
{
    float value;
    CHECK_RESULT(
        kith_get_field(c->world, c->own, &Position_type, "y", KITH_F32, &value, sizeof value),
        KITH_OK);
    CHECK_RESULT(
        kith_set_field(c->world, c->own, &Position_type, "y", KITH_F32, &value, sizeof value),
        KITH_OK);
    CHECK_RESULT(kith_field_from_text(c->world, c->own, &Position_type, "y", "2.5"), KITH_OK);
}

static void act_print_entity(crowd *c)
{
    char text[256];
    size_t length;
    CHECK_RESULT(kith_print_entity(c->world, c->own, text, sizeof text, &length), KITH_OK);
}

static void act_parse_entity(crowd *c)
{
    CHECK_RESULT(
        kith_parse_entity(c->world, c->own, "Position { x = 1, y = 2 } Health { max = 3 } Frozen"),
        KITH_OK);
}

static void act_print_value(crowd *c)
{
    char text[64];
    const Extra value = {1, 2, 3};
    CHECK(kith_print_value(c->world, &Extra_type, &value, text, sizeof text) != 0);
    CHECK(kith_print_value_named(c->world, &Extra_type, &value, NULL, NULL, text, 64) != 0);
    CHECK(kith_print_field(c->world, &Extra_type.fields[1], &value, text, sizeof text) != 0);
}

static void act_print_difference(crowd *c)
{
    char text[128];
    const Extra value = {1, 2, 3};
    const kith_difference difference = {
        .kind = KITH_DIFF_RESOURCE_ADDED, .type = &Extra_type, .after = &value};
    CHECK(kith_print_difference(c->world, &difference, text, sizeof text) != 0);
}

static void act_parse_value(crowd *c)
{
    Extra value;
    CHECK_RESULT(kith_parse_value(c->world, &Extra_type, "{ a = 1, c = 2 }", &value), KITH_OK);
}

const crowd_call crowd_calls_entities[] = {
    {CALL(kith_spawn), .act = act_spawn, .undo = crowd_undo_entity},
    {CALL(kith_spawn), .act = crowd_spawn_new, .undo = crowd_undo_entity},
    {CALL(kith_spawn_or_none), .act = act_spawn_or_none, .undo = crowd_undo_entity},
    {CALL(kith_spawn_empty), .act = act_spawn_empty, .undo = crowd_undo_entity},
    {CALL(kith_spawn_many), .act = act_spawn_many, .undo = crowd_undo_entity},
    {CALL(kith_clone), .act = act_clone, .undo = crowd_undo_entity},
    {CALL(kith_clone_tree), .act = act_clone_tree, .undo = crowd_undo_entity},
    {CALL(kith_transfer), .act = act_transfer, .prepare = prepare_entity},
    {CALL(kith_despawn), .act = act_despawn, .prepare = prepare_entity},
    {CALL(kith_despawn), .act = act_despawn_old},
    {CALL(kith_despawn_many), .act = act_despawn_many, .prepare = prepare_entity},
    {CALL(kith_alive), .act = act_alive},
    {CALL(kith_entity_count), .act = act_entity_count},
    {CALL(kith_entity_next), .act = act_entity_next},
    {CALL(kith_set), .act = act_set},
    {CALL(kith_set), .act = act_set_new, .undo = undo_set},
    {CALL(kith_set_values), .act = act_set_several, .undo = undo_set},
    {CALL(kith_set_bytes), .act = act_set_bytes},
    {CALL(kith_set_name, kith_name_of, kith_find, kith_find_from, kith_find_child, kith_path),
     .act = act_set_name,
     .undo = undo_set_name},
    {CALL(kith_add), .act = act_add, .undo = undo_set},
    {CALL(kith_remove), .act = act_remove, .prepare = prepare_entity, .undo = crowd_undo_entity},
    {CALL(kith_remove_all), .act = act_clear, .prepare = prepare_entity, .undo = crowd_undo_entity},
    {CALL(kith_has), .act = act_has},
    {CALL(kith_get), .act = act_get},
    {CALL(kith_get_mut), .act = act_get_mut},
    {CALL(kith_get_bytes), .act = act_get_bytes},
    {CALL(kith_get_many), .act = act_get_many},
    {CALL(kith_lookup_new), .act = act_lookup},
    {CALL(kith_component_next), .act = act_component_next},
    {CALL(kith_get_field, kith_set_field, kith_field_from_text, kith_field_find),
     .act = act_get_field},
    {CALL(kith_print_entity), .act = act_print_entity},
    {CALL(kith_parse_entity), .act = act_parse_entity},
    {CALL(kith_print_value, kith_print_value_named, kith_print_field), .act = act_print_value},
    {CALL(kith_print_difference), .act = act_print_difference},
    {CALL(kith_parse_value), .act = act_parse_value},
};
const uint32_t crowd_calls_entities_count =
    sizeof crowd_calls_entities / sizeof crowd_calls_entities[0];
