/* episode55: entities, handles that go stale, slots used again */

/* After the program of episode 55 of the "Learn Zig Series", a tutorial in which an ECS is built. It
 * prints the same. Two programs of episode 57 are here as well. */

#include <inttypes.h>
#include <kith/kith.h>
#include <stdio.h>

#include "support/arguments.h"
#include "support/must.h"

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

typedef struct Sprite {
    char glyph;
    uint8_t color;
} Sprite;
KITH_TYPE(Sprite, KITH_FIELD(Sprite, glyph), KITH_FIELD(Sprite, color));

typedef struct Gravity {
    float force;
} Gravity;
KITH_TYPE(Gravity, KITH_FIELD(Gravity, force));

static const char help[] =
    "usage: episode55 [--layout table|sparse|slot]\n"
    "\n"
    "Spawns a player, two enemies and a bullet, lists them, and ends one.\n"
    "It is the program of episode 55 of the \"Learn Zig Series\", a tutorial in\n"
    "which an ECS is built, and prints the same.\n"
    "The layout is where the components are kept; it changes no output.\n";

static kith_world *new_world(kith_layout layout)
{
    kith_world *world = must_make(kith_world_new(NULL));
    const kith_component_def def = {.layout = layout};
    must(world, kith_register(world, &Position_type, &def));
    must(world, kith_register(world, &Velocity_type, &def));
    must(world, kith_register(world, &Health_type, &def));
    must(world, kith_register(world, &Sprite_type, &def));
    must(world, kith_register(world, &Gravity_type, &def));
    return world;
}

int main(int argc, char **argv)
{
    (void)argc;
    kith_world *world = new_world(arguments_only_layout(argv, "episode55", help));

    kith_entity player =
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Position, {40, 12}), KITH_VALUE(Velocity, {0, 0}),
                              KITH_VALUE(Health, {100, 100}), KITH_VALUE(Sprite, {'@', 2})));
    kith_entity enemy1 =
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Position, {10, 5}), KITH_VALUE(Velocity, {0.5f, 0}),
                              KITH_VALUE(Health, {50, 50}), KITH_VALUE(Sprite, {'E', 1})));
    kith_entity enemy2 = must_spawn(
        KITH_SPAWN(world, KITH_VALUE(Position, {70, 8}), KITH_VALUE(Velocity, {-0.3f, 0.1f}),
                   KITH_VALUE(Health, {30, 30}), KITH_VALUE(Sprite, {'e', 1})));
    /* A projectile: no health, but it falls. */
    kith_entity bullet =
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Position, {40, 11}), KITH_VALUE(Velocity, {0, -2}),
                              KITH_VALUE(Sprite, {'|', 3}), KITH_VALUE(Gravity, {0.1f})));

    printf("Spawned entities:\n");
    printf("  Player: %s\n", kith_entity_to_text(player).text);
    printf("  Enemy1: %s\n", kith_entity_to_text(enemy1).text);
    printf("  Enemy2: %s\n", kith_entity_to_text(enemy2).text);
    printf("  Bullet: %s\n", kith_entity_to_text(bullet).text);

    kith_query *positions = must_make(KITH_QUERY(world, KITH_READ(Position)));
    kith_query *falling = must_make(KITH_QUERY(world, KITH_READ(Gravity)));
    kith_query *mortal = must_make(KITH_QUERY(world, KITH_READ(Health)));

    /* A query visits entities in the order in which their layout keeps them. Slots have one order. */
    printf("\nPositions (%" PRIu32 " entities):\n", kith_query_count(positions));
    for (kith_entity e = kith_entity_next(world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(world, e)) {
        const Position *position = KITH_GET(world, e, Position);
        if (position != NULL) {
            printf("  entity %" PRIu32 ": (%.1f, %.1f)\n", e.index1 - 1, (double)position->x,
                   (double)position->y);
        }
    }

    printf("\nEntities with gravity: %" PRIu32 "\n", kith_query_count(falling));
    printf("Entities with health: %" PRIu32 "\n", kith_query_count(mortal));

    printf("\nDestroying enemy2...\n");
    must(world, kith_despawn(world, enemy2));
    printf("Positions after despawn: %" PRIu32 "\n", kith_query_count(positions));
    printf("Is enemy2 alive? %s\n", kith_alive(world, enemy2) ? "true" : "false");

    kith_entity pickup =
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Position, {70, 8}), KITH_VALUE(Sprite, {'+', 4})));
    printf("New pickup: %s (recycled slot)\n", kith_entity_to_text(pickup).text);

    must_print();
    kith_world_free(world);
    return 0;
}
