/* What is to be seen and felt of collisions. Who loses how much health, the game kit does. */
#include <kith/floats.h>

#include <math.h>
#include <stdio.h>

#include "arena/systems.h"

enum { HURT_MILLISECONDS = 1500 };

/* The systems' order has it that nothing was despawned since these two met. */
typedef struct meeting {
    kith_entity self, other;
    uint32_t layers, other_layers;
    float time; /* when in the step, from 0 to 1 */
} meeting;

static uint32_t layers_of(const kith_iter *it, kith_entity entity)
{
    const Collider *box = KITH_GET(it, entity, Collider);
    return box != NULL ? box->layers : 0;
}

static void add_burst(kith_iter *it, const Position *at, const Burst *burst)
{
    KITH_SPAWN(it->commands, KITH_VALUE(Position, *at), KITH_VALUE(Burst, *burst));
}

/* A shot ends where it was when it met something: that is some way back. */
static void shatter(kith_iter *it, const meeting *m)
{
    const Velocity *velocity = KITH_GET(it, m->self, Velocity);
    const Position *at = KITH_GET(it, m->self, Position);
    const Sprite *look = KITH_GET(it, m->self, Sprite);
    if (at != NULL && velocity != NULL && look != NULL) {
        float back = it->dt * (1 - m->time) + 0.01f;
        const Position where = {at->x - velocity->dx * back, at->y - velocity->dy * back};
        bool wall = m->other_layers == LAYER_WALL;
        add_burst(it, &where, &(Burst){wall ? 3 : 6, look->foreground, wall ? 5 : 9});
    }
}

/* Pushes somebody away from what hit it, by way of its Controller, which then recovers. */
static void push(kith_iter *it, const meeting *m, float strength)
{
    const Position *at = KITH_GET(it, m->self, Position);
    const Position *from = KITH_GET(it, m->other, Position);
    void *value;
    if (at == NULL || from == NULL ||
        kith_system_get_mut(it, m->self, &Controller_type, &value) != KITH_OK) {
        return;
    }
    Controller *controller = value;
    float dx = at->x - from->x;
    float dy = at->y - from->y;
    float length = fmaxf(sqrtf(dx * dx + dy * dy), 0.1f);
    controller->x += dx / length * strength;
    controller->y += dy / length * strength;
}

static void hurt(kith_iter *it, const meeting *m, float strength)
{
    KITH_SET(it->commands, m->self, Hurt, {HURT_MILLISECONDS / 1000.0f});
    push(it, m, strength);
}

static void take(kith_iter *it, const meeting *m)
{
    const Gift *gift = KITH_GET(it, m->other, Gift);
    const Damage *damage = KITH_GET(it, m->other, Damage);
    void *value;
    if (gift != NULL && kith_system_get_mut(it, m->self, &Gun_type, &value) == KITH_OK) {
        Gun *gun = value;
        gun->bonus += gift->bonus;
    }
    Notice notice = {"triple shot"};
    if (damage != NULL && damage->amount < 0) {
        snprintf(notice.text, sizeof(notice.text), "+%d health", -damage->amount);
    }
    kith_system_send(it, &Notice_type, &notice);
}

static void meet(kith_iter *it, const meeting *m)
{
    switch (m->layers) {
    case LAYER_SHOT:
    case LAYER_BOLT: shatter(it, m); break;
    case LAYER_ENEMY: hurt(it, m, m->other_layers == LAYER_SHOT ? 0.5f : 1.5f); break;
    case LAYER_PLAYER:
        if (m->other_layers == LAYER_GIFT) {
            take(it, m);
        } else {
            hurt(it, m, 0.8f);
            KITH_SEND(it, Quake, {1.5f, 0.25f});
        }
        break;
    default: break;
    }
}

static void hits(kith_iter *it)
{
    const Collision *hit;
    for (uint32_t i = 0; (hit = KITH_EVENT(it, i, Collision)) != NULL; i++) {
        if (hit->phase == KITH_COLLISION_ENTER) {
            uint32_t a = layers_of(it, hit->a);
            uint32_t b = layers_of(it, hit->b);
            meet(it, &(meeting){hit->a, hit->b, a, b, hit->time});
            meet(it, &(meeting){hit->b, hit->a, b, a, hit->time});
        }
    }
}

kith_result add_hits(const arena_world *arena)
{
    return KITH_SYSTEM(
        arena->world, hits, KITH_WITH(Player), .priority = 350,
        .lookups = KITH_TERMS(KITH_READ(Position), KITH_READ(Velocity), KITH_READ(Sprite),
                              KITH_READ(Collider), KITH_READ(Damage), KITH_READ(Gift),
                              KITH_WRITE(Gun), KITH_WRITE(Controller)),
        .events = KITH_TERMS(KITH_READ(Collision), KITH_WRITE(Quake), KITH_WRITE(Notice)));
}
