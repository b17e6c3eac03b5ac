/* The player: from keys to where it goes and shoots. */
#include <kith/floats.h>

#include <math.h>

#include "arena/systems.h"

/* How fast the player takes up a new direction, and lets go of it: the part of the difference in a
 * second. It glides on for a moment, since most terminals do not tell two keys that are held. */
enum { STEER_SPEED = 14, GLIDE_SPEED = 3 };

static float axis(uint32_t keys, uint32_t less, uint32_t more)
{
    return (float)((keys & more) != 0) - (float)((keys & less) != 0);
}

static void steer_to(Controller *controller, float x, float y, float dt)
{
    bool wants = x != 0 || y != 0;
    float part = fminf(1, (wants ? STEER_SPEED : GLIDE_SPEED) * dt);
    float length = wants ? sqrtf(x * x + y * y) : 1;
    controller->x += (x / length - controller->x) * part;
    controller->y += (y / length - controller->y) * part;
}

static void look_to(Aim *aim, float x, float y)
{
    float length = sqrtf(x * x + y * y);
    if (length > 0) {
        aim->x = x / length;
        aim->y = y / length;
    }
}

static void steer(kith_iter *it)
{
    const Input *input = KITH_RESOURCE(it, Input);
    float x = axis(input->keys, INPUT_LEFT, INPUT_RIGHT);
    float y = axis(input->keys, INPUT_UP, INPUT_DOWN);
    while (kith_next(it)) {
        Controller *controller = KITH_COLUMN_MUT(it, Controller);
        Aim *aim = KITH_COLUMN_MUT(it, Aim);
        for (uint32_t i = 0; i < it->count; i++) {
            bool points = input->aim_x != 0 || input->aim_y != 0;
            steer_to(&controller[i], x, y, it->dt);
            look_to(&aim[i], points ? (float)input->aim_x : x, points ? (float)input->aim_y : y);
            aim[i].fire = (input->keys & INPUT_FIRE) != 0;
        }
    }
}

kith_result add_player(const arena_world *arena)
{
    return KITH_SYSTEM(arena->world, steer, KITH_WRITE(Controller), KITH_WRITE(Aim),
                       KITH_WITH(Player), .phase = KITH_PHASE_EARLY, .priority = 100,
                       .no_commands = true, .resources = KITH_TERMS(KITH_READ(Input)));
}
