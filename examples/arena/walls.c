/* Walls stop what is Solid. They do not move, so where they are was found out once, when the level
 * was loaded. */
#include <kith/floats.h>

#include "arena/systems.h"

static bool is_blocked(const kith_grid *walls, float x, float y, const Collider *box)
{
    float width = box != NULL ? box->width / 2 : 0;
    float height = box != NULL ? box->height / 2 : 0;
    return kith_grid_box(walls, x - width, y - height, x + width, y + height, LAYER_WALL, NULL, 0) >
           0;
}

/* Goes from a free place towards one in a wall, as far as it is free, to a sixteenth of the way. */
static void approach(const kith_grid *walls, Position *at, Position from, const Collider *box)
{
    float good = 0;
    for (float step = 0.5f; step > 0.04f; step /= 2) {
        float part = good + step;
        bool blocked = is_blocked(walls, from.x + (at->x - from.x) * part,
                                  from.y + (at->y - from.y) * part, box);
        good = blocked ? good : part;
    }
    at->x = from.x + (at->x - from.x) * good;
    at->y = from.y + (at->y - from.y) * good;
}

/* It was moved already. Each axis is looked at by itself: what meets a wall at a slant slides along
 * it. */
static void stop(const kith_grid *walls, Position *at, Velocity *velocity, const Collider *box,
                 float bounce, float dt)
{
    if (!is_blocked(walls, at->x, at->y, box)) {
        return;
    }
    const Position goal = *at;
    *at = (Position){goal.x - velocity->dx * dt, goal.y - velocity->dy * dt};
    Position from = *at;
    at->x = goal.x;
    if (is_blocked(walls, at->x, at->y, box)) {
        approach(walls, at, from, box);
        velocity->dx *= -bounce;
    }
    from = *at;
    at->y = goal.y;
    if (is_blocked(walls, at->x, at->y, box)) {
        approach(walls, at, from, box);
        velocity->dy *= -bounce;
    }
}

static void meet_walls(kith_iter *it)
{
    while (kith_next(it)) {
        Position *at = KITH_COLUMN_MUT(it, Position);
        Velocity *velocity = KITH_COLUMN_MUT(it, Velocity);
        const Solid *solid = KITH_COLUMN(it, Solid);
        const Collider *box = KITH_COLUMN(it, Collider); /* sparks have none */
        for (uint32_t i = 0; i < it->count; i++) {
            stop(it->user, &at[i], &velocity[i], box != NULL ? &box[i] : NULL, solid[i].bounce,
                 it->dt);
        }
    }
}

kith_result add_walls(const arena_world *arena)
{
    return kith_system_add(
        arena->world,
        &(kith_system_def){.name = "walls",
                           .run = meet_walls,
                           .priority = 260,
                           .parallel = true,
                           .no_commands = true,
                           .user = arena->walls,
                           .query.terms = KITH_TERMS(KITH_WRITE(Position), KITH_WRITE(Velocity),
                                                     KITH_READ(Solid), KITH_OPTIONAL(Collider))});
}
