/* Every test of source 002 (bit masks over component arrays), on every layout; its own is KITH_SLOT. */
#include <kith/kith.h>

#include "test.h"

typedef struct Position {
    float pos[2];
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, pos));

typedef struct Velocity {
    float v[2];
} Velocity;
KITH_TYPE(Velocity, KITH_FIELD(Velocity, v));

typedef struct Age {
    uint16_t age;
} Age;
KITH_TYPE(Age, KITH_FIELD(Age, age));

/* Registers two types, in this order. */
static void register_two(kith_world *world, const kith_type *first, const kith_type *second,
                         kith_layout layout)
{
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(world, first, &def), KITH_OK);
    CHECK_RESULT(kith_register(world, second, &def), KITH_OK);
}

TEST_EACH_LAYOUT(ecs_simple, layout)
{
    fixture f = fixture_new();
    register_two(f.world, &Position_type, &Velocity_type, layout);
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_UINT(kith_entity_slot(e), 0);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {{1, 3}}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e, Velocity, {{0.5f, 0}}), KITH_OK);
    const Position *p0 = KITH_GET(f.world, e, Position);
    const Velocity *v0 = KITH_GET(f.world, e, Velocity);
    CHECK(p0 != NULL && p0->pos[0] == 1 && p0->pos[1] == 3);
    CHECK(v0 != NULL && v0->v[0] == 0.5f && v0->v[1] == 0);

    /* What the article shows before its tests. */
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    CHECK_PTR_NULL(KITH_GET(f.world, e, Position));
    fixture_free(&f);
}

TEST_EACH_LAYOUT(ecs_alignment, layout)
{
    fixture f = fixture_new();
    register_two(f.world, &Age_type, &Position_type, layout);
    kith_entity e0 = kith_spawn_empty(f.world);
    CHECK_RESULT(KITH_SET(f.world, e0, Position, {{1, 3}}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e0, Age, {13}), KITH_OK);
    const Position *p0 = KITH_GET(f.world, e0, Position);
    const Age *a0 = KITH_GET(f.world, e0, Age);
    CHECK(p0 != NULL && p0->pos[0] == 1 && p0->pos[1] == 3);
    CHECK(a0 != NULL && a0->age == 13);
    CHECK_UINT((uintptr_t)p0 % _Alignof(Position), 0);
    CHECK_UINT((uintptr_t)a0 % _Alignof(Age), 0);

    /* The source reads entity 1 before it has made one. */
    CHECK_PTR_NULL(KITH_GET(f.world, ((kith_entity){2, 0}), Age));
    CHECK_PTR_NULL(KITH_GET(f.world, ((kith_entity){2, 0}), Position));
    kith_entity e1 = kith_spawn_empty(f.world);
    CHECK_UINT(kith_entity_slot(e1), 1);
    CHECK_PTR_NULL(KITH_GET(f.world, e1, Age));
    CHECK_PTR_NULL(KITH_GET(f.world, e1, Position));
    CHECK_RESULT(KITH_SET(f.world, e1, Position, {{1, 1}}), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e1, Position)->pos[0], 1);
    CHECK_PTR_NULL(KITH_GET(f.world, e1, Age));
    fixture_free(&f);
}

/* The three functions whose machine code the article shows. */
TEST_EACH_LAYOUT(set_get_and_iterate, layout)
{
    fixture f = fixture_new();
    register_two(f.world, &Age_type, &Position_type, layout);
    kith_entity e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = kith_spawn_empty(f.world);
    }
    CHECK_RESULT(KITH_SET(f.world, e[1], Position, {{7, 8}}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[1], Age, {15}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[2], Age, {1}), KITH_OK);
    CHECK_UINT(KITH_GET(f.world, e[1], Age)->age, 15);
    CHECK_PTR_NULL(KITH_GET(f.world, e[0], Age));

    kith_query *query = KITH_QUERY(f.world, KITH_WITH(Position));
    kith_entity out[4] = {KITH_NONE, KITH_NONE, KITH_NONE, KITH_NONE};
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            out[count++] = kith_entities(&it)[i];
        }
    }
    CHECK_UINT(count, 1);
    CHECK_SAME(out[0], e[1]);
    fixture_free(&f);
}
