/* What flies about when something is hit, and how long that is to be seen. */
#include <kith/floats.h>

#include "arena/systems.h"

/* A direction within a circle: those in the corners of the square are thrown away. */
static Velocity random_velocity(kith_iter *it, float speed)
{
    Velocity v;
    do {
        v.dx = random_around_0(it);
        v.dy = random_around_0(it);
    } while (v.dx * v.dx + v.dy * v.dy > 1);
    return (Velocity){v.dx * speed, v.dy * speed};
}

static void burst(kith_iter *it)
{
    while (kith_next(it)) {
        const Burst *burst = KITH_COLUMN(it, Burst);
        const Position *at = KITH_COLUMN(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            for (uint32_t n = 0; n < burst[i].sparks; n++) {
                const Velocity velocity = random_velocity(it, burst[i].speed);
                const Lifetime life = {0.3f + 0.7f * kith_system_random_float(it)};
                KITH_SPAWN(it->commands, KITH_VALUE(Position, at[i]),
                           KITH_VALUE(Velocity, velocity), KITH_VALUE(Lifetime, life),
                           KITH_VALUE(Gravity, {14}), KITH_VALUE(Solid, {0.4f}),
                           KITH_VALUE(Spark, {burst[i].color, life.seconds}));
            }
            kith_commands_despawn(it->commands, kith_entities(it)[i]);
        }
    }
}

static void heal(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Hurt *hurt = KITH_AT_MUT(it, i, Hurt);
            hurt->seconds -= it->dt;
            if (hurt->seconds <= 0) {
                KITH_REMOVE(it->commands, kith_entities(it)[i], Hurt);
            }
        }
    }
}

kith_result add_sparks(const arena_world *arena)
{
    kith_result result = KITH_SYSTEM(arena->world, burst, KITH_READ(Burst), KITH_READ(Position),
                                     .phase = KITH_PHASE_LATE, .priority = 100, .parallel = true);
    return result != KITH_OK ? result
                             : KITH_SYSTEM(arena->world, heal, KITH_WRITE(Hurt),
                                           .phase = KITH_PHASE_LATE, .priority = 100);
}
