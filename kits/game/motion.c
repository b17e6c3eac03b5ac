/* What moves: control, gravity, movement; and what ends by itself. */
#include <kith/floats.h>

#include <float.h>
#include <math.h>

#include "game/systems.h"

/* Where both components of a query are in tables, its batches are arrays. The layout of a component
 * never changes, so that is asked once: this is the `user` of a system with such a query. */
static char in_columns;

static void *columns_of(const kith_world *world, const kith_type *first, const kith_type *second)
{
    kith_layout layouts[2] = {KITH_TABLE, KITH_TABLE};
    kith_layout_of(world, first, &layouts[0]);
    kith_layout_of(world, second, &layouts[1]);
    return layouts[0] == KITH_TABLE && layouts[1] == KITH_TABLE ? &in_columns : NULL;
}

/* ---- Control ----------------------------------------------------------------------------------- */

static kith_velocity wanted_velocity(const kith_controller *controller)
{
    double x = controller->x, y = controller->y;
    double length = sqrt(kith_mul_f64(x, x) + kith_mul_f64(y, y));
    if (!(length <= DBL_MAX) || !isfinite(controller->speed)) {
        return (kith_velocity){0, 0};
    }
    double scale = (double)controller->speed / (length > 1 ? length : 1);
    return (kith_velocity){(float)(x * scale), (float)(y * scale)};
}

static void control(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            *KITH_AT_MUT(it, i, kith_velocity) = wanted_velocity(KITH_AT(it, i, kith_controller));
        }
    }
}

kith_result ki_game_add_control(kith_world *world)
{
    return kith_system_add(world,
                           &(kith_system_def){.name = "control",
                                              .priority = 50,
                                              .run = control,
                                              .query.terms = KITH_TERMS(KITH_WRITE(kith_velocity),
                                                                        KITH_READ(kith_controller)),
                                              .parallel = true,
                                              .no_commands = true,
                                              .group = KI_GAME_GROUP});
}

/* In a tick that takes no time nothing moves, by whatever velocity or force: infinity times nothing
 * would not be a number. */
static bool takes_time(const kith_iter *it)
{
    return it->dt > 0;
}

/* ---- Gravity ----------------------------------------------------------------------------------- */

static void fall(kith_velocity *velocity, const kith_gravity *gravity, float dt)
{
    velocity->dy += kith_mul_f32(gravity->force, dt);
}

static void gravity(kith_iter *it)
{
    while (takes_time(it) && kith_next(it)) {
        if (it->user != NULL) {
            kith_velocity *velocities = KITH_COLUMN_MUT(it, kith_velocity);
            const kith_gravity *gravities = KITH_COLUMN(it, kith_gravity);
            for (uint32_t i = 0; i < it->count; i++) {
                fall(&velocities[i], &gravities[i], it->dt);
            }
        } else {
            for (uint32_t i = 0; i < it->count; i++) {
                fall(KITH_AT_MUT(it, i, kith_velocity), KITH_AT(it, i, kith_gravity), it->dt);
            }
        }
    }
}

kith_result ki_game_add_gravity(kith_world *world)
{
    return kith_system_add(
        world, &(kith_system_def){
                   .name = "gravity",
                   .priority = 100,
                   .run = gravity,
                   .query.terms = KITH_TERMS(KITH_WRITE(kith_velocity), KITH_READ(kith_gravity)),
                   .parallel = true,
                   .no_commands = true,
                   .user = columns_of(world, &kith_velocity_type, &kith_gravity_type),
                   .group = KI_GAME_GROUP});
}

/* ---- Movement ---------------------------------------------------------------------------------- */

static void move(kith_position *position, const kith_velocity *velocity, float dt)
{
    position->x += kith_mul_f32(velocity->dx, dt);
    position->y += kith_mul_f32(velocity->dy, dt);
}

static void movement(kith_iter *it)
{
    while (takes_time(it) && kith_next(it)) {
        if (it->user != NULL) {
            kith_position *positions = KITH_COLUMN_MUT(it, kith_position);
            const kith_velocity *velocities = KITH_COLUMN(it, kith_velocity);
            for (uint32_t i = 0; i < it->count; i++) {
                move(&positions[i], &velocities[i], it->dt);
            }
        } else {
            for (uint32_t i = 0; i < it->count; i++) {
                move(KITH_AT_MUT(it, i, kith_position), KITH_AT(it, i, kith_velocity), it->dt);
            }
        }
    }
}

kith_result ki_game_add_movement(kith_world *world)
{
    return kith_system_add(
        world, &(kith_system_def){
                   .name = "movement",
                   .priority = 200,
                   .run = movement,
                   .query.terms = KITH_TERMS(KITH_WRITE(kith_position), KITH_READ(kith_velocity)),
                   .parallel = true,
                   .no_commands = true,
                   .user = columns_of(world, &kith_position_type, &kith_velocity_type),
                   .group = KI_GAME_GROUP});
}

/* ---- Lifetime ---------------------------------------------------------------------------------- */

static void lifetime(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            kith_lifetime *life = KITH_AT_MUT(it, i, kith_lifetime);
            life->seconds -= it->dt;
            if (!(life->seconds > 0)) {
                kith_commands_despawn(it->commands, kith_entities(it)[i]);
            }
        }
    }
}

kith_result ki_game_add_lifetime(kith_world *world)
{
    return kith_system_add(world,
                           &(kith_system_def){.name = "lifetime",
                                              .priority = 500,
                                              .run = lifetime,
                                              .query.terms = KITH_TERMS(KITH_WRITE(kith_lifetime)),
                                              .parallel = true,
                                              .group = KI_GAME_GROUP});
}
