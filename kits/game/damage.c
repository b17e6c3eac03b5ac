/* What collisions do to Health.
 *
 * First all damage of a tick is computed, in memory of its own. Then the memory for the changes is
 * reserved, and the world is changed last: a tick that fails has hurt nothing. To tell the deaths
 * and to despawn the dead has to be one change, which only a plain system can make. */
#include <kith/floats.h>
#include <kith/kith.h>

#include "game/game_memory.h"
#include "game/systems.h"

/* One side of a collision, as the other feels it. */
typedef struct blow {
    int32_t amount;
    bool ends; /* it is fragile, and done with */
} blow;

/* A body that hurts or is hurt, after the collisions so far. */
typedef struct fighter {
    kith_entity entity;
    int32_t before; /* its Health; 0 if it has none */
    int32_t health;
    int32_t max;
    bool spent; /* it was fragile, and has hurt */
} fighter;

typedef struct damage_tick {
    kith_world *world;
    kith_damage_rules rules;
    kith_allocator allocator;
    ki_game_keys hits; /* numbers of the events that matter */
    uint32_t *sides;   /* for each of these two numbers of fighters: of `a` and of `b` */
    fighter *fighters; /* by slot */
    uint32_t fighter_count;
    kith_death *deaths; /* as many as there are fighters, at most */
    uint32_t death_count;
    kith_commands *ends; /* entities to be despawned; NULL: none so far */
} damage_tick;

/* ---- Who takes part ---------------------------------------------------------------------------- */

static blow blow_of(const damage_tick *tick, kith_entity entity, const kith_collision *hit)
{
    const kith_damage *damage = KITH_GET(tick->world, entity, kith_damage);
    if (damage == NULL) {
        return (blow){tick->rules.touch, false};
    }
    bool hurts = !damage->once || hit->phase == KITH_COLLISION_ENTER;
    return (blow){hurts ? damage->amount : 0, damage->fragile};
}

static bool does_something(blow by)
{
    return by.amount != 0 || by.ends;
}

/* Whether an event may change anything: both are there still, and one of them does something. */
static bool matters(const damage_tick *tick, const kith_collision *hit)
{
    return hit->phase != KITH_COLLISION_EXIT && kith_alive(tick->world, hit->a) &&
           kith_alive(tick->world, hit->b) &&
           (does_something(blow_of(tick, hit->a, hit)) ||
            does_something(blow_of(tick, hit->b, hit)));
}

/* Notes the events that matter, and a key for each of their sides: its slot, and its number. */
static kith_result gather_hits(damage_tick *tick, ki_game_keys *keys)
{
    const kith_collision *hit;
    for (uint32_t i = 0; (hit = KITH_EVENT(tick->world, i, kith_collision)) != NULL; i++) {
        if (!matters(tick, hit)) {
            continue;
        }
        uint64_t side = (uint64_t)tick->hits.count * 2;
        if (side > UINT32_MAX - 1) {
            return KITH_ERR_LIMIT;
        }
        if (!ki_game_keys_add(&tick->allocator, &tick->hits, i) ||
            !ki_game_keys_add(&tick->allocator, keys, (uint64_t)hit->a.index1 << 32 | side) ||
            !ki_game_keys_add(&tick->allocator, keys, (uint64_t)hit->b.index1 << 32 | (side + 1))) {
            return KITH_ERR_MEMORY;
        }
    }
    return ki_game_keys_sort(&tick->allocator, keys) ? KITH_OK : KITH_ERR_MEMORY;
}

static const kith_collision *hit_at(const damage_tick *tick, size_t hit)
{
    return KITH_EVENT(tick->world, (uint32_t)tick->hits.keys[hit], kith_collision);
}

/* Numbers the sides' entities: sorted keys have those of one slot in a row. All are alive, so that
 * a slot is one entity. */
static void number_fighters(damage_tick *tick, const ki_game_keys *keys)
{
    for (size_t i = 0; i < keys->count; i++) {
        uint32_t side = (uint32_t)keys->keys[i];
        if (i == 0 || keys->keys[i] >> 32 != keys->keys[i - 1] >> 32) {
            const kith_collision *hit = hit_at(tick, side / 2);
            kith_entity entity = side % 2 == 0 ? hit->a : hit->b;
            const kith_health *health = KITH_GET(tick->world, entity, kith_health);
            tick->fighters[tick->fighter_count++] =
                (fighter){.entity = entity,
                          .before = health != NULL ? health->current : 0,
                          .health = health != NULL ? health->current : 0,
                          .max = health != NULL ? health->max : 0};
        }
        tick->sides[side] = tick->fighter_count - 1;
    }
}

static kith_result find_fighters(damage_tick *tick)
{
    ki_game_keys keys = {0};
    kith_result result = gather_hits(tick, &keys);
    if (result == KITH_OK && keys.count > 0) {
        tick->sides = ki_game_alloc(&tick->allocator, keys.count, sizeof *tick->sides);
        tick->fighters = ki_game_alloc(&tick->allocator, keys.count, sizeof *tick->fighters);
        tick->deaths = ki_game_alloc(&tick->allocator, keys.count, sizeof *tick->deaths);
        if (tick->sides == NULL || tick->fighters == NULL || tick->deaths == NULL) {
            result = KITH_ERR_MEMORY;
        } else {
            number_fighters(tick, &keys);
        }
    }
    ki_game_keys_free(&tick->allocator, &keys);
    return result;
}

/* ---- What happens to them ---------------------------------------------------------------------- */

/* Health less a damage, or more: never below 0, and not above `max` by healing. */
static int32_t health_after(const fighter *self, int32_t amount)
{
    int64_t left = (int64_t)self->health - amount;
    int64_t most = self->health > self->max ? self->health : self->max;
    return (int32_t)(left < 0 ? 0 : left > most ? most : left);
}

static kith_result end(damage_tick *tick, kith_entity entity)
{
    if (tick->ends == NULL) {
        tick->ends = kith_commands_new(tick->world, NULL);
    }
    return tick->ends == NULL ? KITH_ERR_MEMORY : kith_commands_despawn(tick->ends, entity);
}

static kith_result suffer(damage_tick *tick, fighter *self, const fighter *from, int32_t amount)
{
    if (self->health <= 0) {
        return KITH_OK;
    }
    self->health = health_after(self, amount);
    if (self->health > 0) {
        return KITH_OK;
    }
    const kith_position *at = KITH_GET(tick->world, self->entity, kith_position);
    tick->deaths[tick->death_count++] =
        (kith_death){self->entity, from->entity, at != NULL ? at->x : 0, at != NULL ? at->y : 0};
    return tick->rules.keep_dead ? KITH_OK : end(tick, self->entity);
}

/* A fragile one hurts nobody else. It ends with this tick. */
static kith_result spend(damage_tick *tick, fighter *self, blow by)
{
    if (!by.ends) {
        return KITH_OK;
    }
    self->spent = true;
    return end(tick, self->entity);
}

static kith_result play_hit(damage_tick *tick, size_t number)
{
    const kith_collision *hit = hit_at(tick, number);
    fighter *a = &tick->fighters[tick->sides[number * 2]];
    fighter *b = &tick->fighters[tick->sides[number * 2 + 1]];
    const blow by_a = a->spent ? (blow){0, false} : blow_of(tick, a->entity, hit);
    const blow by_b = b->spent ? (blow){0, false} : blow_of(tick, b->entity, hit);
    kith_result results[] = {suffer(tick, a, b, by_b.amount), suffer(tick, b, a, by_a.amount),
                             spend(tick, a, by_a), spend(tick, b, by_b)};
    kith_result result = KITH_OK;
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        result = result == KITH_OK ? results[i] : result;
    }
    return result;
}

/* ---- What becomes of the world ----------------------------------------------------------------- */

/* Writes the Health of all that it has changed of: as it is now, or as it was `before`. */
static kith_result write_health(const damage_tick *tick, bool before)
{
    for (uint32_t i = 0; i < tick->fighter_count; i++) {
        const fighter *self = &tick->fighters[i];
        if (self->health == self->before) {
            continue;
        }
        void *health;
        kith_result result = kith_get_mut(tick->world, self->entity, &kith_health_type, &health);
        if (result != KITH_OK) {
            return result;
        }
        ((kith_health *)health)->current = before ? self->before : self->health;
    }
    return KITH_OK;
}

/* Writes Health and despawns the dead, or changes nothing. */
static kith_result hurt_and_end(const damage_tick *tick)
{
    kith_result result = write_health(tick, false);
    if (result == KITH_OK && tick->ends != NULL) {
        result = kith_commands_apply(tick->ends, NULL);
    }
    if (result != KITH_OK) {
        write_health(tick, true);
    }
    return result;
}

/* Changes the world, or leaves it as it is. Telling the deaths comes last: there is room for that. */
static kith_result commit(const damage_tick *tick)
{
    if (tick->death_count == 0) {
        return hurt_and_end(tick);
    }
    kith_result result = kith_event_reserve(tick->world, &kith_death_type, tick->death_count);
    if (result == KITH_OK) {
        result = hurt_and_end(tick);
    }
    return result == KITH_OK ? kith_event_send_many(tick->world, &kith_death_type, tick->deaths,
                                                    tick->death_count)
                             : result;
}

static kith_result damage(kith_world *world, kith_iter *it)
{
    (void)it;
    const kith_damage_rules *rules = KITH_RESOURCE(world, kith_damage_rules);
    damage_tick tick = {.world = world,
                        .rules = rules != NULL ? *rules : (kith_damage_rules){0},
                        .allocator = kith_world_allocator(world)};
    kith_result result = find_fighters(&tick);
    size_t sides = tick.hits.count * 2;
    for (size_t i = 0; result == KITH_OK && i < tick.hits.count; i++) {
        result = play_hit(&tick, i);
    }
    if (result == KITH_OK && tick.hits.count > 0) {
        result = commit(&tick);
    }
    kith_commands_free(tick.ends);
    ki_game_free(&tick.allocator, tick.deaths, sides, sizeof *tick.deaths);
    ki_game_free(&tick.allocator, tick.fighters, sides, sizeof *tick.fighters);
    ki_game_free(&tick.allocator, tick.sides, sides, sizeof *tick.sides);
    ki_game_keys_free(&tick.allocator, &tick.hits);
    return result;
}

kith_result ki_game_add_damage(kith_world *world)
{
    /* Events that were kept from earlier runs would hurt once more. */
    kith_result result = kith_event_register(world, &kith_collision_type, NULL);
    if (result == KITH_OK) {
        result = kith_event_reserve(world, &kith_death_type, 0);
    }
    if (result == KITH_OK) {
        result = ki_game_require_resource(world, &kith_damage_rules_type);
    }
    return result != KITH_OK ? result
                             : kith_system_add(world, &(kith_system_def){.name = "damage",
                                                                         .priority = 400,
                                                                         .update = damage,
                                                                         .no_commands = true,
                                                                         .group = KI_GAME_GROUP});
}
