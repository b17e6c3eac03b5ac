/* Guns: a system for the player's and the enemies' alike. */
#include <kith/floats.h>

#include <math.h>
#include <string.h>

#include "arena/systems.h"

/* One of several shots: they fan out, and each goes a little astray. */
static void shoot_one(kith_iter *it, const kith_prefab *shot, const Gun *gun, const Position *at,
                      const Aim *aim, float side)
{
    float astray = side * 0.12f + random_around_0(it) * gun->spread;
    const Position muzzle = {at->x + aim->x * 0.9f, at->y + aim->y * 0.9f};
    const Velocity velocity = {(aim->x - aim->y * astray) * gun->speed,
                               (aim->y + aim->x * astray) * gun->speed};
    kith_prefab_queue(shot, it->commands,
                      (const kith_value[]){KITH_VALUE(Position, muzzle),
                                           KITH_VALUE(Velocity, velocity),
                                           KITH_VALUE(Gravity, {gun->drop})},
                      3);
}

static void fire(kith_iter *it, const kith_scene *things, Gun *gun, const Position *at,
                 const Aim *aim)
{
    char name[sizeof(gun->shot) + 1] = {0}; /* a text that fills its field has no zero */
    memcpy(name, gun->shot, sizeof(gun->shot));
    const kith_prefab *shot = kith_scene_prefab(things, name);
    uint32_t many = gun->bonus > 0 ? gun->many * 3 : gun->many;
    for (uint32_t i = 0; shot != NULL && i < many; i++) {
        shoot_one(it, shot, gun, at, aim, (float)i - (float)(many - 1) / 2);
    }
    gun->wait = gun->every;
}

static void shoot(kith_iter *it)
{
    while (kith_next(it)) {
        Gun *gun = KITH_COLUMN_MUT(it, Gun);
        const Aim *aim = KITH_COLUMN(it, Aim);
        const Position *at = KITH_COLUMN(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            gun[i].wait = fmaxf(gun[i].wait - it->dt, 0);
            gun[i].bonus = fmaxf(gun[i].bonus - it->dt, 0);
            if (aim[i].fire && gun[i].wait <= 0 && gun[i].many > 0) {
                fire(it, it->user, &gun[i], &at[i], &aim[i]);
            }
        }
    }
}

kith_result add_guns(const arena_world *arena)
{
    return KITH_SYSTEM(arena->world, shoot, KITH_WRITE(Gun), KITH_READ(Aim), KITH_READ(Position),
                       .phase = KITH_PHASE_EARLY, .priority = 300, .parallel = true,
                       .user = arena->things);
}
