/* first: a game in a page: types, layouts, entities, one system, a run of sixty frames */

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
        Position *position = KITH_COLUMN_MUT(it, 0, Position);
        const Velocity *velocity = KITH_COLUMN(it, 1, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            position[i].x += velocity[i].dx * it->dt;
            position[i].y += velocity[i].dy * it->dt;
        }
    }
}

static kith_result set_up(kith_world *world)
{
    kith_result result = kith_register(world, &Position_type, NULL);
    if (result == KITH_OK) {
        result = kith_register(world, &Velocity_type, NULL);
    }
    if (result == KITH_OK) {
        result = kith_register(world, &Health_type,
                               &(kith_component_def){ .layout = KITH_SPARSE });
    }
    if (result == KITH_OK) {
        result = kith_register(world, &Frozen_type, &(kith_component_def){ .layout = KITH_SLOT });
    }
    if (result == KITH_OK) {
        result = kith_system_add(world, &(kith_system_def){
            .name = "movement",
            .priority = 200,
            .run = movement,
            .parallel = true,
            .query = { KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity),
                                  KITH_WITHOUT(Frozen)) },
        });
    }
    return result;
}

int main(void)
{
    kith_world *world = kith_world_new(NULL);
    if (world == NULL || set_up(world) != KITH_OK) {
        fprintf(stderr, "%s\n", world != NULL ? kith_error(world) : "out of memory");
        kith_world_free(world);
        return 1;
    }

    kith_entity player = KITH_SPAWN(world,
        KITH_VALUE(Position, { 40, 12 }),
        KITH_VALUE(Velocity, { 1, 0 }),
        KITH_VALUE(Health, { 100, 100 }));
    kith_entity statue = KITH_SPAWN(world,
        KITH_VALUE(Position, { 10, 5 }),
        KITH_VALUE(Velocity, { 1, 0 }),
        KITH_ZERO(Frozen));

    for (int frame = 0; frame < 60; frame++) {
        kith_run(world, 1.0f / 60.0f);
    }

    const Position *p = KITH_GET(world, player, Position);   /* NULL when dead or absent */
    const Position *s = KITH_GET(world, statue, Position);
    if (p != NULL && s != NULL) {
        printf("player (%.1f, %.1f)\n", (double)p->x, (double)p->y);
        printf("statue (%.1f, %.1f)\n", (double)s->x, (double)s->y);
    }
    kith_world_free(world);
    return 0;
}
