/* Calls about entities and their values that need memory. */
#include "entity_calls.h"

static kith_result memory_if(bool failed)
{
    return failed ? KITH_ERR_MEMORY : KITH_OK;
}

static const kith_entity untouched = {0xEEEEEEEE, 0xEEEEEEEE};

static kith_result spawn_values(stage *s, const kith_value *values, uint32_t count)
{
    kith_entity entity = untouched;
    kith_result result = kith_spawn(s->world, values, count, &entity);
    CHECK_INT(kith_entity_equal(entity, untouched), result != KITH_OK);
    return result;
}

kith_result entity_call_spawn_known(stage *s)
{
    const kith_value values[] = {KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4})};
    return spawn_values(s, values, 2);
}

kith_result entity_call_spawn_new_kind(stage *s)
{
    const kith_value values[] = {KITH_VALUE(Name, {"new"}), KITH_VALUE(Burning),
                                 KITH_VALUE(Position, {1, 2})};
    return spawn_values(s, values, 3);
}

kith_result entity_call_spawn_nothing(stage *s)
{
    return spawn_values(s, NULL, 0);
}

kith_result entity_call_spawn_or_none(stage *s)
{
    return memory_if(kith_is_none(
        KITH_SPAWN(s->world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}))));
}

kith_result entity_call_spawn_empty(stage *s)
{
    return memory_if(kith_is_none(kith_spawn_empty(s->world)));
}

static kith_result spawn_some(stage *s, uint32_t count)
{
    static Position positions[1500];
    static kith_entity entities[1500];
    for (uint32_t i = 0; i < count; i++) {
        positions[i] = (Position){(float)i, 7};
        entities[i] = untouched;
    }
    const kith_values values[] = {
        KITH_VALUES(Position, positions), KITH_VALUE(Byte, {3}), {&Frozen_type, NULL, false}};
    kith_result result = kith_spawn_many(s->world, count, values, 3, entities);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(kith_entity_equal(entities[i], untouched), result != KITH_OK);
    }
    return result;
}

kith_result entity_call_spawn_few(stage *s)
{
    return spawn_some(s, 7);
}

kith_result entity_call_spawn_blocks(stage *s)
{
    return spawn_some(s, 1500);
}

/* Values that stand in the world, in a column that may have to grow for the copy. */
kith_result entity_call_spawn_from(stage *s)
{
    const kith_value values[] = {{&Position_type, KITH_GET(s->world, s->plain, Position)},
                                 {&Velocity_type, KITH_GET(s->world, s->plain, Velocity)}};
    Position expected = *KITH_GET(s->world, s->plain, Position);
    kith_entity entity = untouched;
    kith_result result = kith_spawn(s->world, values, 2, &entity);
    if (result == KITH_OK) {
        CHECK_FLOAT(KITH_GET(s->world, entity, Position)->x, expected.x);
        CHECK_FLOAT(KITH_GET(s->world, entity, Position)->y, expected.y);
        CHECK_FLOAT(KITH_GET(s->world, entity, Velocity)->dy, 2);
    }
    return result;
}

kith_result entity_call_set_from(stage *s)
{
    Position expected = *KITH_GET(s->world, s->plain, Position);
    kith_result result =
        kith_set(s->world, s->empty, &Position_type, kith_get(s->world, s->plain, &Position_type));
    if (result == KITH_OK) {
        CHECK_FLOAT(KITH_GET(s->world, s->empty, Position)->x, expected.x);
        CHECK_FLOAT(KITH_GET(s->world, s->empty, Position)->y, expected.y);
    }
    return result;
}

static kith_result clone_of(stage *s, kith_entity entity)
{
    kith_entity clone = untouched;
    kith_result result = kith_clone(s->world, entity, &clone);
    CHECK_INT(kith_entity_equal(clone, untouched), result != KITH_OK);
    return result;
}

/* Into a world that has all the memory that it wants. */
kith_result entity_call_transfer_full(stage *s)
{
    kith_world *other = kith_world_new(NULL);
    const kith_entity all[] = {s->plain, s->full};
    kith_entity moved[2] = {untouched, untouched};
    kith_result result = kith_transfer(s->world, all, 2, other, moved);
    CHECK_INT(kith_entity_equal(moved[1], untouched), result != KITH_OK);
    CHECK_UINT(kith_entity_count(other), result == KITH_OK ? 2 : 0);
    CHECK_WORLD(other);
    kith_world_free(other);
    return result;
}

static char attach_key, attach_first, attach_second;

kith_result entity_call_attach_thing(stage *s)
{
    kith_result result = kith_attach(s->world, &attach_key, &attach_first, NULL);
    CHECK(kith_attached(s->world, &attach_key) == (result == KITH_OK ? &attach_first : NULL));
    return result;
}

void entity_call_attach_prepare(stage *s)
{
    CHECK_RESULT(entity_call_attach_thing(s), KITH_OK);
}

kith_result entity_call_attach_again(stage *s)
{
    kith_result result = kith_attach(s->world, &attach_key, &attach_second, NULL);
    CHECK(kith_attached(s->world, &attach_key) ==
          (result == KITH_OK ? &attach_second : &attach_first));
    return result;
}

kith_result entity_call_clone_plain(stage *s)
{
    return clone_of(s, s->plain);
}

kith_result entity_call_clone_or_none(stage *s)
{
    return memory_if(kith_is_none(KITH_CLONE(s->world, s->plain)));
}

kith_result entity_call_clone_tree_or_none(stage *s)
{
    return memory_if(kith_is_none(KITH_CLONE_TREE(s->world, s->plain)));
}

kith_result entity_call_clone_full(stage *s)
{
    return clone_of(s, s->full);
}

kith_result entity_call_despawn_plain(stage *s)
{
    return kith_despawn(s->world, s->plain);
}

kith_result entity_call_despawn_full(stage *s)
{
    return kith_despawn(s->world, s->full);
}

kith_result entity_call_despawn_several(stage *s)
{
    kith_entity entities[] = {s->plain, s->full,      s->gone, s->crates[0],
                              s->empty, s->crates[1], s->plain};
    uint32_t ended = 77;
    kith_result result = kith_despawn_many(s->world, entities, 7, &ended);
    CHECK_UINT(ended, result == KITH_OK ? 5 : 77);
    return result;
}

kith_result entity_call_despawn_all(stage *s)
{
    static kith_entity entities[2000];
    uint32_t count = 0;
    kith_entity e = KITH_NONE;
    while (!kith_is_none(e = kith_entity_next(s->world, e))) {
        CHECK(count < 2000);
        entities[count++] = e;
    }
    return kith_despawn_many(s->world, entities, count, NULL);
}

kith_result entity_call_set_over(stage *s)
{
    return KITH_SET(s->world, s->plain, Position, {9, 9});
}

kith_result entity_call_set_known_kind(stage *s)
{
    return KITH_SET(s->world, s->empty, Position, {9, 9});
}

kith_result entity_call_set_new_kind(stage *s)
{
    return KITH_SET(s->world, s->plain, Name, {"named"});
}

kith_result entity_call_set_several(stage *s)
{
    const kith_value values[] = {KITH_VALUE(Position, {9, 9}), KITH_VALUE(Name, {"several"}),
                                 KITH_VALUE(Byte, {1}), KITH_VALUE(Burning)};
    return kith_set_values(s->world, s->plain, values, 4);
}

kith_result entity_call_set_several_over(stage *s)
{
    const kith_value values[] = {KITH_VALUE(Position, {9, 9}), KITH_VALUE(Health, {1, 2}),
                                 KITH_VALUE(Frozen)};
    return kith_set_values(s->world, s->full, values, 3);
}

kith_result entity_call_set_bytes(stage *s)
{
    Extra extra = {1, 2, 3};
    return kith_set_bytes(s->world, s->plain, &Extra_type, &extra, sizeof(extra));
}

kith_result entity_call_set_bytes_over(stage *s)
{
    Position position = {9, 9};
    return kith_set_bytes(s->world, s->plain, &Position_type, &position, sizeof(position));
}

kith_result entity_call_add_tag(stage *s)
{
    return KITH_ADD(s->world, s->plain, Burning);
}

kith_result entity_call_add_value(stage *s)
{
    return KITH_ADD(s->world, s->empty, Big);
}

kith_result entity_call_remove_value(stage *s)
{
    return KITH_REMOVE(s->world, s->plain, Velocity);
}

kith_result entity_call_remove_tag(stage *s)
{
    return KITH_REMOVE(s->world, s->frozen, Frozen);
}

kith_result entity_call_clear_full(stage *s)
{
    return kith_remove_all(s->world, s->full);
}

kith_result entity_call_clear_plain(stage *s)
{
    return kith_remove_all(s->world, s->plain);
}

kith_result entity_call_get_mut(stage *s)
{
    void *value = s;
    kith_result result = kith_get_mut(s->world, s->plain, &Position_type, &value);
    CHECK_INT(value == s, result != KITH_OK);
    if (result == KITH_OK) {
        ((Position *)value)->x = 77;
    }
    return result;
}

kith_result entity_call_get_mut_or_null(stage *s)
{
    Position *value = KITH_GET_MUT(s->world, s->plain, Position);
    if (value != NULL) {
        value->x = 77;
    }
    return memory_if(value == NULL);
}
