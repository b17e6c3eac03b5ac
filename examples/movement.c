/* movement: the first program: types, layouts, entities, one system */

#include <kith/kith.h>
#include <stdio.h>

#include "support/arguments.h"
#include "support/must.h"

KITH_COMPONENT(Position, (float, x), (float, y));
KITH_COMPONENT(Velocity, (float, dx), (float, dy));
KITH_COMPONENT(Health, KITH_SPARSE, (int32_t, current), (int32_t, max));
KITH_TAG(Frozen, KITH_SLOT);

static const char help[] =
    "usage: movement\n"
    "\n"
    "A player walks for a second, in sixty frames. A statue, which is frozen,\n"
    "does not.\n";

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

/* What can fail goes through `must`, which ends the program with a message. */
static void set_up(kith_world *world)
{
    must(world, KITH_SYSTEM(world, movement, KITH_WRITE(Position), KITH_READ(Velocity),
                            KITH_WITHOUT(Frozen)));
}

int main(int argc, char **argv)
{
    (void)argc;
    arguments_none(argv, "movement", help);
    kith_world *world = must_make(kith_world_new(NULL));
    set_up(world);

    kith_entity player =
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Position, {40, 12}), KITH_VALUE(Velocity, {1, 0}),
                              KITH_VALUE(Health, {100, 100})));
    kith_entity statue = must_spawn(KITH_SPAWN(world, KITH_VALUE(Position, {10, 5}),
                                               KITH_VALUE(Velocity, {1, 0}), KITH_VALUE(Frozen)));

    for (int frame = 0; frame < 60; frame++) {
        must(world, kith_run(world, 1.0f / 60.0f));
    }

    const Position *p = KITH_GET(world, player, Position); /* NULL when dead or absent */
    const Position *s = KITH_GET(world, statue, Position);
    if (p != NULL && s != NULL) {
        printf("player (%.1f, %.1f)\n", (double)p->x, (double)p->y);
        printf("statue (%.1f, %.1f)\n", (double)s->x, (double)s->y);
    }
    must_print();
    kith_world_free(world);
    return 0;
}
