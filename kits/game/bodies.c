#include <kith/floats.h>

#include "game/bodies.h"

#include <math.h>
#include <string.h>

#include "game/game_memory.h"

enum {
    BODY_SIZE = sizeof(kith_entity) + sizeof(ki_game_box) + sizeof(ki_game_tag) + KI_GAME_BODY_ROOM
};

/* Takes the block of memory for so many bodies. */
static bool take_bodies(ki_game_bodies *bodies, size_t capacity)
{
    bodies->capacity = capacity;
    bodies->entities = ki_game_alloc(&bodies->allocator, capacity, BODY_SIZE);
    if (bodies->entities != NULL) {
        bodies->boxes = (ki_game_box *)(void *)(bodies->entities + capacity);
        bodies->tags = (ki_game_tag *)(void *)(bodies->boxes + capacity);
        bodies->room = bodies->tags + capacity;
    }
    return bodies->entities != NULL;
}

static bool is_finite_box(const ki_game_box *box)
{
    return isfinite(box->left) && isfinite(box->top) && isfinite(box->right) &&
           isfinite(box->bottom);
}

/* Notes the way of a body; it has none if a number is not finite. False: memory ran out. */
static bool note_way(ki_game_bodies *bodies, const kith_velocity *velocity, float dt)
{
    const ki_game_way way = {velocity->dx * dt, velocity->dy * dt};
    if (!isfinite(way.dx) || !isfinite(way.dy) || !is_finite_box(&bodies->boxes[bodies->count])) {
        return true;
    }
    if (bodies->ways == NULL) {
        bodies->ways = ki_game_alloc(&bodies->allocator, bodies->capacity, sizeof *bodies->ways);
        if (bodies->ways == NULL) {
            return false;
        }
        memset(bodies->ways, 0, bodies->capacity * sizeof *bodies->ways);
    }
    bodies->ways[bodies->count] = way;
    return true;
}

/* Adds a box, unless it can collide with nothing. False: memory ran out. */
static bool add_body(ki_game_bodies *bodies, kith_entity entity, const kith_position *at,
                     const kith_collider *collider, uint32_t layers, const kith_velocity *velocity,
                     float dt)
{
    float half_width = collider->width / 2;
    float half_height = collider->height / 2;
    const ki_game_box box = {at->x - half_width, at->y - half_height, at->x + half_width,
                             at->y + half_height};
    /* Far out a negative side is lost in rounding, so it is asked for itself. */
    if (!(collider->width >= 0 && collider->height >= 0 && box.left <= box.right &&
          box.top <= box.bottom)) {
        return true;
    }
    bodies->entities[bodies->count] = entity;
    bodies->boxes[bodies->count] = box;
    bodies->tags[bodies->count] =
        (ki_game_tag){layers, collider->mask != 0 ? collider->mask : UINT32_MAX};
    if (collider->swept && velocity != NULL && dt > 0 && !note_way(bodies, velocity, dt)) {
        return false;
    }
    bodies->count++;
    return true;
}

/* Adds the bodies of a batch. `columns`: Position and Collider are in tables. */
static bool gather_batch(const kith_iter *it, bool columns, uint32_t layers, float dt,
                         ki_game_bodies *bodies)
{
    const kith_entity *entities = kith_entities(it);
    const kith_position *positions = columns ? KITH_COLUMN(it, kith_position) : NULL;
    const kith_collider *colliders = columns ? KITH_COLUMN(it, kith_collider) : NULL;
    for (uint32_t i = 0; i < it->count; i++) {
        const kith_position *at = columns ? &positions[i] : KITH_AT(it, i, kith_position);
        const kith_collider *collider = columns ? &colliders[i] : KITH_AT(it, i, kith_collider);
        uint32_t own = collider->layers != 0 ? collider->layers : 1;
        if ((own & layers) != 0 &&
            !add_body(bodies, entities[i], at, collider, own,
                      collider->swept ? KITH_AT(it, i, kith_velocity) : NULL, dt)) {
            return false;
        }
    }
    return true;
}

/* Walks a query whose terms are Position, Collider and maybe Velocity. */
static kith_result gather_from(kith_query *query, bool columns, uint32_t layers, float dt,
                               ki_game_bodies *bodies)
{
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        if (!gather_batch(&it, columns, layers, dt, bodies)) {
            kith_iter_close(&it);
            return KITH_ERR_MEMORY;
        }
    }
    return it.result;
}

static bool is_ordered(const ki_game_bodies *bodies)
{
    for (uint32_t i = 1; i < bodies->count; i++) {
        if (bodies->entities[i - 1].index1 > bodies->entities[i].index1) {
            return false;
        }
    }
    return true;
}

/* Copies bodies, and their ways, in the order of their slots. False: memory ran out. */
static bool copy_ordered(ki_game_bodies *to, const ki_game_bodies *from, ki_game_keys *order)
{
    const kith_allocator *allocator = &from->allocator;
    bool enough = take_bodies(to, from->capacity);
    if (enough && from->ways != NULL) {
        to->ways = ki_game_alloc(allocator, from->capacity, sizeof *to->ways);
        enough = to->ways != NULL;
    }
    for (uint32_t i = 0; enough && i < from->count; i++) {
        enough = ki_game_keys_add(allocator, order, (uint64_t)from->entities[i].index1 << 32 | i);
    }
    if (!enough || !ki_game_keys_sort(allocator, order)) {
        return false;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        uint32_t at = (uint32_t)order->keys[i];
        to->entities[i] = from->entities[at];
        to->boxes[i] = from->boxes[at];
        to->tags[i] = from->tags[at];
        if (to->ways != NULL) {
            to->ways[i] = from->ways[at];
        }
    }
    return true;
}

/* Bodies come by table and row. */
static kith_result order_by_slot(ki_game_bodies *bodies)
{
    if (is_ordered(bodies)) {
        return KITH_OK;
    }
    ki_game_keys order = {0};
    ki_game_bodies ordered = {.allocator = bodies->allocator, .count = bodies->count};
    bool enough = copy_ordered(&ordered, bodies, &order);
    ki_game_keys_free(&bodies->allocator, &order);
    ki_game_bodies_free(enough ? bodies : &ordered);
    if (enough) {
        *bodies = ordered;
    }
    return enough ? KITH_OK : KITH_ERR_MEMORY;
}

kith_result ki_game_bodies_gather(kith_world *world, uint32_t layers, float dt,
                                  ki_game_bodies *bodies)
{
    const kith_query_def def = {.terms =
                                    KITH_TERMS(KITH_READ(kith_position), KITH_READ(kith_collider),
                                               KITH_OPTIONAL(kith_velocity)),
                                .name = "collision"};
    kith_query *query;
    kith_result result = kith_query_new(world, &def, &query);
    if (result != KITH_OK) {
        return result;
    }
    *bodies = (ki_game_bodies){.allocator = kith_world_allocator(world)};
    kith_layout layouts[2] = {KITH_TABLE, KITH_TABLE};
    kith_layout_of(world, &kith_position_type, &layouts[0]);
    kith_layout_of(world, &kith_collider_type, &layouts[1]);
    bool columns = layouts[0] == KITH_TABLE && layouts[1] == KITH_TABLE;
    result = take_bodies(bodies, (size_t)kith_query_count(query) + KI_GAME_BODIES_SPARE)
                 ? gather_from(query, columns, layers, dt, bodies)
                 : KITH_ERR_MEMORY;
    kith_query_free(query);
    if (result == KITH_OK) {
        result = order_by_slot(bodies);
    }
    if (result != KITH_OK) {
        ki_game_bodies_free(bodies);
    }
    return result;
}

void ki_game_bodies_free(ki_game_bodies *bodies)
{
    ki_game_free(&bodies->allocator, bodies->entities, bodies->capacity, BODY_SIZE);
    ki_game_free(&bodies->allocator, bodies->ways, bodies->capacity, sizeof *bodies->ways);
    *bodies = (ki_game_bodies){0};
}
