/* A game in a page: what every consumer project here builds and runs. */
#include <kith/kith.h>
#include <kith/system.h>

#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

typedef struct Velocity {
    float dx, dy;
} Velocity;
KITH_TYPE(Velocity, KITH_FIELD(Velocity, dx), KITH_FIELD(Velocity, dy));

typedef struct Health {
    int32_t current, max;
} Health;
KITH_TYPE(Health, KITH_FIELD(Health, current), KITH_FIELD(Health, max));

KITH_TAG(Frozen);

static void movement(kith_iter *it)
{
    while (kith_next(it)) {
        Position *position = KITH_COLUMN_MUT(it, Position);
        const Velocity *velocity = KITH_COLUMN(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            position[i].x += velocity[i].dx * it->dt;
            position[i].y += velocity[i].dy * it->dt;
        }
    }
}

int main(void)
{
    kith_world *world = kith_world_new(NULL);
    kith_register(world, &Position_type, NULL);
    kith_register(world, &Velocity_type, NULL);
    kith_register(world, &Health_type, &(kith_component_def){.layout = KITH_SPARSE});
    kith_register(world, &Frozen_type, &(kith_component_def){.layout = KITH_SLOT});

    kith_entity player = KITH_SPAWN(world, KITH_VALUE(Position, {40, 12}),
                                    KITH_VALUE(Velocity, {1, 0}), KITH_VALUE(Health, {100, 100}));

    kith_system_add(world, &(kith_system_def){
                               .name = "movement",
                               .run = movement,
                               .priority = 200,
                               .parallel = true,
                               .query.terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity),
                                                         KITH_WITHOUT(Frozen)),
                           });

    for (int frame = 0; frame < 60; frame++) {
        kith_run(world, 1.0f / 60.0f);
    }
    const Position *p = KITH_GET(world, player, Position);
    printf("(%.1f, %.1f)\n", p->x, p->y);
    kith_world_free(world);
    return 0;
}
