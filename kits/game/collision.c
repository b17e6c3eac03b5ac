/* The collision system: what collides, and since when.
 *
 * It is a plain system, since it needs memory for as long as it runs, and an allocator is not for
 * two systems at a time. */
#include <kith/floats.h>

#include <string.h>

#include "game/contacts.h"
#include "game/pairs.h"
#include "game/systems.h"

/* So many pairs before its turn comes, the handles of one are fetched. */
enum { CONTACTS_AHEAD = 8 };

/* What one tick of the system has in hand. */
typedef struct collision_tick {
    kith_world *world;
    ki_game_bodies bodies;
    ki_game_cells cells;
    ki_game_pairs pairs;
    ki_game_keys early;     /* pairs that collided before the tick's end */
    kith_collision *events; /* to be sent at the end, all of them or none */
    size_t event_count;
    size_t event_capacity; /* as many as there may be */
} collision_tick;

static void tell(collision_tick *tick, const ki_game_contact *pair, kith_collision_phase phase,
                 float time)
{
    tick->events[tick->event_count++] = (kith_collision){pair->a, pair->b, phase, time};
}

static ki_game_contact contact_at(const collision_tick *tick, size_t pair)
{
    return (ki_game_contact){tick->bodies.entities[ki_game_pair_a(&tick->pairs, pair)],
                             tick->bodies.entities[ki_game_pair_b(&tick->pairs, pair)]};
}

/* Prefetches what contact_at will read: bodies that collide may be anywhere in memory. */
static void fetch_contact(const collision_tick *tick, size_t pair)
{
    if (pair < tick->pairs.keys.count) {
        KITH_PREFETCH_(&tick->bodies.entities[ki_game_pair_b(&tick->pairs, pair)]);
    }
}

/* The order of pairs: by a's slot, then b's. Handles of one slot may be of different lives of it. */
static int compare_slots(const ki_game_contact *one, const ki_game_contact *other)
{
    uint64_t a = (uint64_t)one->a.index1 << 32 | one->b.index1;
    uint64_t b = (uint64_t)other->a.index1 << 32 | other->b.index1;
    return (a > b) - (a < b);
}

static bool same_contact(const ki_game_contact *one, const ki_game_contact *other)
{
    return kith_entity_equal(one->a, other->a) && kith_entity_equal(one->b, other->b);
}

/* Goes through the contacts that come before this pair, which are over, and tells whether the pair
 * was one of them. Those that are over are told if that is wanted. NULL: goes on to the end. */
static bool pass_contacts(collision_tick *tick, ki_game_contact_reader *before,
                          const ki_game_contact *pair, bool telling)
{
    ki_game_contact old;
    while (ki_game_contacts_peek(before, &old)) {
        int order = pair == NULL ? -1 : compare_slots(&old, pair);
        if (order > 0) {
            return false;
        }
        ki_game_contacts_skip(before);
        if (order == 0 && same_contact(&old, pair)) {
            return true;
        }
        if (telling) {
            tell(tick, &old, KITH_COLLISION_EXIT, 1);
        }
    }
    return false;
}

/* When a pair began to overlap in this tick: 1 if neither is swept. */
static float time_of(const collision_tick *tick, size_t pair)
{
    uint32_t a = ki_game_pair_a(&tick->pairs, pair);
    uint32_t b = ki_game_pair_b(&tick->pairs, pair);
    bool swept = ki_game_is_way(&tick->bodies, a) || ki_game_is_way(&tick->bodies, b);
    return swept ? ki_game_sweep(&tick->bodies, a, b) : 1;
}

/* Gathers the pairs that come first, as keys: the time, which is below 1 and so has 30 bits, the
 * pair's number, and whether it is a contact of the last tick. */
static kith_result find_early(collision_tick *tick)
{
    ki_game_contact_reader before = ki_game_contacts_read(tick->world);
    for (size_t i = 0; i < tick->pairs.keys.count; i++) {
        const ki_game_contact pair = contact_at(tick, i);
        bool stays = pass_contacts(tick, &before, &pair, false);
        float time = time_of(tick, i);
        if (!(time < 1)) {
            continue;
        }
        uint32_t bits;
        memcpy(&bits, &time, sizeof bits);
        if (i > UINT32_MAX) {
            return KITH_ERR_LIMIT;
        }
        if (!ki_game_keys_add(&tick->bodies.allocator, &tick->early,
                              (uint64_t)bits << 33 | (uint64_t)i << 1 | stays)) {
            return KITH_ERR_MEMORY;
        }
    }
    return ki_game_keys_sort(&tick->bodies.allocator, &tick->early) ? KITH_OK : KITH_ERR_MEMORY;
}

static void tell_early(collision_tick *tick)
{
    for (size_t i = 0; i < tick->early.count; i++) {
        uint64_t key = tick->early.keys[i];
        uint32_t bits = (uint32_t)(key >> 33);
        float time;
        memcpy(&time, &bits, sizeof time);
        const ki_game_contact pair = contact_at(tick, (uint32_t)(key >> 1));
        tell(tick, &pair, key & 1 ? KITH_COLLISION_STAY : KITH_COLLISION_ENTER, time);
    }
}

/* Tells the others, and those that are over; notes all that collide for the next tick. */
static kith_result tell_pairs(collision_tick *tick, ki_game_contact_writer *now)
{
    ki_game_contact_reader before = ki_game_contacts_read(tick->world);
    for (size_t i = 0; i < tick->pairs.keys.count; i++) {
        const ki_game_contact pair = contact_at(tick, i);
        fetch_contact(tick, i + CONTACTS_AHEAD);
        bool stays = pass_contacts(tick, &before, &pair, true);
        if (tick->early.count == 0 || time_of(tick, i) >= 1) {
            tell(tick, &pair, stays ? KITH_COLLISION_STAY : KITH_COLLISION_ENTER, 1);
        }
        kith_result result = ki_game_contacts_add(now, &pair);
        if (result != KITH_OK) {
            return result;
        }
    }
    pass_contacts(tick, &before, NULL, true);
    return KITH_OK;
}

/* Sends what was told, and makes the new contacts those that count: both, or neither. */
static kith_result send_events(collision_tick *tick, ki_game_contact_writer *now)
{
    kith_result result = ki_game_contacts_flush(now);
    if (result == KITH_OK && tick->event_count > UINT32_MAX) {
        result = KITH_ERR_LIMIT;
    }
    if (result == KITH_OK && tick->event_count > 0) {
        result = kith_event_send_many(tick->world, &kith_collision_type, tick->events,
                                      (uint32_t)tick->event_count);
    }
    return result;
}

static kith_result tell_all(collision_tick *tick)
{
    tick->event_capacity = tick->pairs.keys.count + ki_game_contacts_count(tick->world);
    tick->events =
        ki_game_alloc(&tick->bodies.allocator, tick->event_capacity, sizeof *tick->events);
    if (tick->events == NULL) {
        return KITH_ERR_MEMORY;
    }
    tell_early(tick);
    ki_game_contact_writer now = ki_game_contacts_write(tick->world);
    kith_result result = tell_pairs(tick, &now);
    if (result == KITH_OK) {
        result = send_events(tick, &now);
    }
    ki_game_contacts_finish(&now, result == KITH_OK);
    return result;
}

static kith_result find_pairs(collision_tick *tick, float dt)
{
    kith_result result = ki_game_contacts_register(tick->world);
    if (result == KITH_OK) {
        result = ki_game_bodies_gather(tick->world, UINT32_MAX, dt, &tick->bodies);
    }
    if (result == KITH_OK) {
        result = ki_game_cells_build(&tick->cells, &tick->bodies);
    }
    if (result == KITH_OK) {
        result = ki_game_pairs_find(&tick->pairs, &tick->cells);
    }
    if (result == KITH_OK && tick->bodies.ways != NULL) {
        result = find_early(tick);
    }
    return result;
}

static kith_result collision(kith_world *world, kith_iter *it)
{
    collision_tick tick = {.world = world};
    kith_result result = find_pairs(&tick, it->dt);
    if (result == KITH_OK) {
        result = tell_all(&tick);
    }
    ki_game_free(&tick.bodies.allocator, tick.events, tick.event_capacity, sizeof *tick.events);
    ki_game_keys_free(&tick.bodies.allocator, &tick.early);
    ki_game_pairs_free(&tick.pairs, &tick.bodies);
    ki_game_cells_free(&tick.cells);
    ki_game_bodies_free(&tick.bodies);
    return result;
}

kith_result ki_game_add_collision(kith_world *world)
{
    kith_result result = ki_game_contacts_register(world);
    if (result == KITH_OK) {
        result = kith_event_reserve(world, &kith_collision_type, 0);
    }
    return result != KITH_OK ? result
                             : kith_system_add(world, &(kith_system_def){.name = "collision",
                                                                         .priority = 300,
                                                                         .update = collision,
                                                                         .no_commands = true,
                                                                         .group = KI_GAME_GROUP});
}
