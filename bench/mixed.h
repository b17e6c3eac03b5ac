/* What the workload `mixed` works on, and the same by hand. */
#ifndef BENCH_MIXED_H
#define BENCH_MIXED_H

#include "bench.h"

#define MIXED_TYPES 7u
#define MIXED_SYSTEMS 5u

KITH_COMPONENT(Wind, (float, x), (float, y));
KITH_COMPONENT(Health, (float, value));
KITH_COMPONENT(Armor, (float, value));
KITH_COMPONENT(Regen, (float, rate));
KITH_COMPONENT(Heat, (float, value));

/* A value of any of the types; one with a single float is the first. */
typedef struct mixed_value {
    float x, y;
} mixed_value;

/* Whether entity number `i` has a component, and the value that it starts with. */
bool mixed_has(uint32_t i, uint32_t type);
static inline mixed_value mixed_start(uint32_t i, uint32_t type)
{
    return (mixed_value){(float)((i + type) % 8), (float)(i % 4)};
}

/* The systems, for one entity. Sums of small integers and halves are exact. */
static inline void mixed_move(Position *position, const Velocity *velocity)
{
    position->x += velocity->x * BENCH_DT;
    position->y += velocity->y * BENCH_DT;
}
static inline void mixed_heal(Health *health, const Regen *regen)
{
    health->value += regen->rate * BENCH_DT;
}
static inline void mixed_warm(Heat *heat)
{
    heat->value += BENCH_DT;
}
static inline void mixed_blow(Velocity *velocity, const Wind *wind, const Position *position)
{
    velocity->x += position->x > 16 ? wind->x : -wind->x;
    velocity->y += position->y > 16 ? wind->y : -wind->y;
}
static inline void mixed_burn(Health *health, const Armor *armor, const Heat *heat)
{
    health->value -= heat->value > armor->value ? heat->value - armor->value : 0;
}

/* The same entities by hand, in the kind of storage that a layout has. */
typedef struct mixed_hand mixed_hand;
mixed_hand *mixed_hand_new(uint32_t n, kith_layout layout);
void mixed_hand_free(mixed_hand *hand); /* NULL is fine */
void mixed_hand_frame(mixed_hand *hand);
uint64_t mixed_hand_sum(const mixed_hand *hand);

#endif
