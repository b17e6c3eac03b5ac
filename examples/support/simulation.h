/* The components and systems of falling_rocks, episode57_demo and episode57_priorities: things that
 * fall, move, bump into each other and get hurt by it. */
#ifndef EXAMPLES_SIMULATION_H
#define EXAMPLES_SIMULATION_H

#include <kith/kith.h>

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

typedef struct Velocity {
    float dx, dy; /* units a second */
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
    float force; /* units a second, each second; downwards is positive */
} Gravity;
KITH_TYPE(Gravity, KITH_FIELD(Gravity, force));

/* A box, centred on the entity's position. */
typedef struct Collider {
    float width, height;
} Collider;
KITH_TYPE(Collider, KITH_FIELD(Collider, width), KITH_FIELD(Collider, height));

/* An event: two boxes overlap. Both handles are whole, so that a reader who comes late does not take
 * another entity for one that died. */
typedef struct Collision {
    kith_entity a, b;
} Collision;
KITH_TYPE(Collision, KITH_FIELD(Collision, a), KITH_FIELD(Collision, b));

/* Registers the components, all with the same layout, and the systems: gravity (100), movement
 * (200), collision (300), damage (400). To be called once a world. */
kith_result simulation_add(kith_world *world, kith_layout layout);

/* Prints the systems of the world in the order in which they run. */
void simulation_print_systems(const kith_world *world);

/* Prints what has a position, in the order of the slots, which is the same on every layout, and how
 * many collisions the last kith_run saw. */
void simulation_print_frame(const kith_world *world, uint32_t frame);

#endif
