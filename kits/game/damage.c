/* What collisions do to Health. */
#include <kith/floats.h>

#include "game/systems.h"

/* One side of a collision, as the other feels it. */
typedef struct blow {
    kith_entity by;
    int32_t amount;
    bool ends; /* it is fragile, and done with */
} blow;

static blow blow_of(kith_iter *it, kith_entity entity, const kith_collision *hit,
                    const kith_damage_rules *rules)
{
    const kith_damage *damage = KITH_SYSTEM_GET(it, entity, kith_damage);
    if (damage == NULL) {
        return (blow){entity, rules->touch, false};
    }
    bool hurts = !damage->once || hit->phase == KITH_COLLISION_ENTER;
    return (blow){entity, hurts ? damage->amount : 0, damage->fragile};
}

/* Health less a damage, or more: never below 0, and not above `max` by healing. */
static int32_t health_after(const kith_health *health, int32_t amount)
{
    int64_t left = (int64_t)health->current - amount;
    int64_t most = health->current > health->max ? health->current : health->max;
    return (int32_t)(left < 0 ? 0 : left > most ? most : left);
}

static kith_result tell_death(kith_iter *it, kith_entity entity, kith_entity killer,
                              const kith_damage_rules *rules)
{
    const kith_position *at = KITH_SYSTEM_GET(it, entity, kith_position);
    kith_result result = KITH_SYSTEM_SEND(
        it, kith_death, {entity, killer, at != NULL ? at->x : 0, at != NULL ? at->y : 0});
    if (result == KITH_OK && !rules->keep_dead) {
        result = kith_queue_despawn(it->commands, entity);
    }
    return result;
}

static kith_result suffer(kith_iter *it, kith_entity entity, const blow *from,
                          const kith_damage_rules *rules)
{
    void *found;
    if (from->amount == 0) {
        return KITH_OK;
    }
    kith_result result = kith_system_get_mut(it, entity, &kith_health_type, &found);
    if (result != KITH_OK) {
        return result == KITH_ERR_MEMORY ? result : KITH_OK;
    }
    kith_health *health = found;
    if (health->current <= 0) {
        return KITH_OK;
    }
    health->current = health_after(health, from->amount);
    return health->current == 0 ? tell_death(it, entity, from->by, rules) : KITH_OK;
}

/* A fragile one ends behind this tick's damage. That it hurts nobody else until then is kept where it
 * dies with it. */
static kith_result end_fragile(kith_iter *it, const blow *from)
{
    void *found;
    if (!from->ends) {
        return KITH_OK;
    }
    kith_result result = kith_system_get_mut(it, from->by, &kith_damage_type, &found);
    if (result != KITH_OK) {
        return result;
    }
    *(kith_damage *)found = (kith_damage){0};
    return kith_queue_despawn(it->commands, from->by);
}

static void damage(kith_iter *it)
{
    static const kith_damage_rules none = {0};
    const kith_damage_rules *rules = KITH_SYSTEM_RESOURCE(it, kith_damage_rules);
    rules = rules != NULL ? rules : &none;
    const kith_collision *hit;
    for (uint32_t i = 0; (hit = KITH_SYSTEM_EVENT(it, i, kith_collision)) != NULL; i++) {
        if (hit->phase == KITH_COLLISION_EXIT) {
            continue;
        }
        const blow by_a = blow_of(it, hit->a, hit, rules);
        const blow by_b = blow_of(it, hit->b, hit, rules);
        kith_result results[] = {suffer(it, hit->a, &by_b, rules), suffer(it, hit->b, &by_a, rules),
                                 end_fragile(it, &by_a), end_fragile(it, &by_b)};
        for (size_t r = 0; r < sizeof results / sizeof results[0]; r++) {
            it->result = it->result == KITH_OK ? results[r] : it->result;
        }
        if (it->result != KITH_OK) {
            return;
        }
    }
}

kith_result ki_game_add_damage(kith_world *world)
{
    /* Events that were kept from earlier runs would hurt once more. */
    kith_result result = kith_event_register(world, &kith_collision_type, NULL);
    if (result != KITH_OK) {
        return result;
    }
    return kith_system_add(
        world, &(kith_system_def){.name = "damage",
                                  .priority = 400,
                                  .run = damage,
                                  .query = {KITH_TERMS(KITH_WITH(kith_health))},
                                  KITH_OTHERS(KITH_WRITE(kith_health), KITH_WRITE(kith_damage),
                                              KITH_READ(kith_position)),
                                  KITH_RESOURCES(KITH_READ(kith_damage_rules)),
                                  KITH_EVENTS(KITH_READ(kith_collision), KITH_WRITE(kith_death)),
                                  .group = KI_GAME_GROUP});
}
