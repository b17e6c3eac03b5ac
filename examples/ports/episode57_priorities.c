/* episode57_priorities: why the order of systems matters */

/* After the first program of episode 57 of the "Learn Zig Series", a tutorial in which an ECS is
 * built. It prints the same. */

#include <inttypes.h>
#include <kith/kith.h>
#include <stdio.h>

#include "support/arguments.h"
#include "support/must.h"
#include "support/simulation.h"

static const char help[] =
    "usage: episode57_priorities [--layout table|sparse|slot]\n"
    "\n"
    "Gravity, movement, collision and damage run in this order, five frames\n"
    "of half a second. The systems are in support/simulation.c.\n"
    "It is the first program of episode 57 of the \"Learn Zig Series\", a tutorial\n"
    "in which an ECS is built, and prints the same.\n"
    "The layout is where the components are kept; it changes no output.\n";

static void spawn_all(kith_world *world)
{
    must_spawn(KITH_SPAWN(world,
        KITH_VALUE(Position, { 10, 10 }),
        KITH_VALUE(Velocity, { 2, 0 }),
        KITH_VALUE(Health, { 100, 100 }),
        KITH_VALUE(Sprite, { '@', 2 }),
        KITH_VALUE(Collider, { 1, 1 })));
    /* An enemy in the player's way. */
    must_spawn(KITH_SPAWN(world,
        KITH_VALUE(Position, { 14, 10 }),
        KITH_VALUE(Velocity, { -1, 0 }),
        KITH_VALUE(Health, { 30, 30 }),
        KITH_VALUE(Sprite, { 'E', 1 }),
        KITH_VALUE(Collider, { 1, 1 })));
    /* A projectile for the eye: no health, no box. */
    must_spawn(KITH_SPAWN(world,
        KITH_VALUE(Position, { 10, 5 }),
        KITH_VALUE(Velocity, { 1, 0 }),
        KITH_VALUE(Sprite, { '*', 3 }),
        KITH_VALUE(Gravity, { 3 })));
}

static void print_frame(const kith_world *world)
{
    /* By slot, not by query: a query's order depends on the layout. */
    for (kith_entity e = kith_entity_next(world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(world, e)) {
        const Position *position = KITH_GET(world, e, Position);
        const Sprite *sprite = KITH_GET(world, e, Sprite);
        const Health *health = KITH_GET(world, e, Health);
        if (position == NULL) {
            continue;
        }
        printf("  [%c] pos=(%.1f,%.1f)", sprite != NULL ? sprite->glyph : '?', (double)position->x,
               (double)position->y);
        if (health != NULL) {
            printf(" hp=%" PRId32, health->current);
        }
        printf("\n");
    }
    uint32_t collisions = kith_event_count(world, &Collision_type);
    if (collisions > 0) {
        printf("  Collisions: %" PRIu32 "\n", collisions);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    kith_layout layout = arguments_only_layout(argv, "episode57_priorities", help);
    kith_world *world = must_make(kith_world_new(NULL));
    must(world, simulation_add(world, layout));
    spawn_all(world);

    const float dt = 0.5f;
    for (int frame = 0; frame < 5; frame++) {
        must(world, kith_run(world, dt));
        printf("--- Frame %d (dt=%.1fs) ---\n", frame, (double)dt);
        print_frame(world);
    }
    must_print();
    kith_world_free(world);
    return 0;
}
