/* All three layouts, changes of structure, queries, resources and events, with the single file. */
#include <kith/kith.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

typedef struct Velocity {
    float x, y;
} Velocity;
KITH_TYPE(Velocity, KITH_FIELD(Velocity, x), KITH_FIELD(Velocity, y));

KITH_TAG(Frozen);

static void move(kith_world *world, float dt)
{
    const kith_query_def def = {
        .terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity), KITH_WITHOUT(Frozen))};
    kith_query *query;
    if (kith_query_new(world, &def, &query) != KITH_OK) {
        return;
    }
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            Position *position = KITH_AT_MUT(&it, i, Position);
            const Velocity *velocity = KITH_AT(&it, i, Velocity);
            position->x += velocity->x * dt;
            position->y += velocity->y * dt;
        }
    }
    kith_query_free(query);
}

int main(void)
{
    kith_world *world = kith_world_new(NULL);
    kith_register(world, &Position_type, NULL);
    kith_register(world, &Velocity_type, &(kith_component_def){.layout = KITH_SPARSE});
    kith_register(world, &Frozen_type, &(kith_component_def){.layout = KITH_SLOT});
    kith_event_register(world, &Position_type, NULL);
    kith_entity player = KITH_SPAWN(world, KITH_VALUE(Position, {40, 12}));
    KITH_SET(world, player, Velocity, {1, 0});
    kith_entity stone =
        KITH_SPAWN(world, KITH_VALUE(Position, {0, 0}), KITH_VALUE(Velocity, {9, 9}));
    KITH_ADD(world, stone, Frozen);
    KITH_RESOURCE_SET(world, Velocity, {0.5f, 0});

    move(world, KITH_RESOURCE(world, Velocity)->x);
    move(world, KITH_RESOURCE(world, Velocity)->x);
    kith_event_send(world, &Position_type, KITH_GET(world, player, Position));
    kith_despawn(world, player);

    const Position *end = KITH_EVENT(world, 0, Position);
    printf("(%.1f, %.1f)\n", end->x, end->y);
    bool whole = !kith_alive(world, player) && KITH_GET(world, stone, Position)->x == 0;
    kith_world_free(world);
    return whole ? 0 : 1;
}
