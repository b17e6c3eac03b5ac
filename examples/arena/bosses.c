/* Bosses: what they carry turns and flies with them. A boss and its turrets are one prefab with
 * children: things.kith says where each turret sits, and the kit's system "transforms" where that is in
 * the world. */
#include <kith/floats.h>

#include <math.h>

#include "arena/map.h"
#include "arena/systems.h"

#define AIMED 0.15f /* radians off its target with which a turret shoots */

/* Where a boss is, its Position says, as for all that flies here; what it carries goes by its Local2. */
static void lead(kith_iter *it)
{
    while (kith_next(it)) {
        Local2 *local = KITH_COLUMN_MUT(it, Local2);
        const Position *at = KITH_COLUMN(it, Position);
        const Boss *boss = KITH_COLUMN(it, Boss);
        for (uint32_t i = 0; i < it->count; i++) {
            local[i].x = at[i].x;
            local[i].y = at[i].y;
            local[i].angle += boss[i].turn * it->dt;
        }
    }
}

/* The other way around: guns, collisions and the view go by a turret's Position. It has moved by its
 * Velocity since it was last carried, so what is missing is a change of that. A new one has neither of
 * them, so that nothing meets it before it is where it belongs. */
static void carry(kith_iter *it)
{
    while (kith_next(it)) {
        const Global2 *global = KITH_COLUMN(it, Global2);
        Position *at = KITH_COLUMN_MUT(it, Position);
        Velocity *velocity = KITH_COLUMN_MUT(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            const Position to = {global[i].x, global[i].y};
            if (at == NULL || velocity == NULL) {
                KITH_SET(it->commands, kith_entities(it)[i], Position, to);
                KITH_SET(it->commands, kith_entities(it)[i], Velocity, {0, 0});
            } else {
                velocity[i].dx += (to.x - at[i].x) / it->dt;
                velocity[i].dy += (to.y - at[i].y) / it->dt;
                at[i] = to;
            }
        }
    }
}

/* How far a turret has to turn to point at a place. False: that cannot be told, it is new. */
static bool angle_to(const Global2 *global, float x, float y, float *angle)
{
    Global2 own;
    if (!kith_transform2_invert(*global, &own)) {
        return false;
    }
    const kith_vec2 seen = kith_transform2_point(own, x, y);
    *angle = kith_atan2_f32(seen.y, seen.x);
    return true;
}

/* Turrets turn to the player while they see it. They shoot ahead, on their own. */
static void track(kith_iter *it)
{
    const Target *target = KITH_RESOURCE(it, Target);
    const Terrain *terrain = KITH_RESOURCE(it, Terrain);
    while (kith_next(it)) {
        Local2 *local = KITH_COLUMN_MUT(it, Local2);
        Aim *aim = KITH_COLUMN_MUT(it, Aim);
        const Global2 *global = KITH_COLUMN(it, Global2);
        const Turret *turret = KITH_COLUMN(it, Turret);
        for (uint32_t i = 0; i < it->count; i++) {
            const float dx = target->x - global[i].x;
            const float dy = target->y - global[i].y;
            float angle;
            aim[i].fire = target->alive &&
                          dx * dx + dy * dy < turret[i].sight * turret[i].sight &&
                          map_sees(terrain, global[i].x, global[i].y, target->x, target->y) &&
                          angle_to(&global[i], target->x, target->y, &angle);
            if (aim[i].fire) {
                const float most = turret[i].turn * it->dt;
                local[i].angle += fmaxf(-most, fminf(angle, most));
                aim[i].fire = fabsf(angle) < AIMED;
            }
            aim[i].x = global[i].x_axis.x; /* of length 1: nothing here is scaled */
            aim[i].y = global[i].x_axis.y;
        }
    }
}

kith_result add_bosses(const arena_world *arena)
{
    kith_result result = KITH_SYSTEM(
        arena->world, track, KITH_WRITE(Local2), KITH_WRITE(Aim), KITH_READ(Global2),
        KITH_READ(Turret), .phase = KITH_PHASE_EARLY, .priority = 200, .parallel = true,
        .no_commands = true, .resources = KITH_TERMS(KITH_READ(Target), KITH_READ(Terrain)));
    if (result == KITH_OK) {
        result = KITH_SYSTEM(arena->world, lead, KITH_WRITE(Local2), KITH_READ(Position),
                             KITH_READ(Boss), .priority = 270, .no_commands = true);
    }
    return result != KITH_OK
               ? result
               : KITH_SYSTEM(arena->world, carry, KITH_READ(Global2), KITH_WITH(Turret),
                             KITH_OPTIONAL_MUT(Position), KITH_OPTIONAL_MUT(Velocity),
                             .phase = KITH_PHASE_LATE, .priority = 50);
}
