#include "game/bodies.h"

#include <math.h>
#include <string.h>

#include "game/memory.h"

static float lesser(float a, float b)
{
    return a < b ? a : b;
}

static float greater(float a, float b)
{
    return a > b ? a : b;
}

ki_game_box ki_game_body_hull(const ki_game_bodies *bodies, uint32_t body)
{
    ki_game_box box = bodies->bodies[body].box;
    if (ki_game_is_way(bodies, body)) {
        ki_game_way way = bodies->ways[body];
        box.left = lesser(box.left, box.left - way.dx);
        box.right = greater(box.right, box.right - way.dx);
        box.top = lesser(box.top, box.top - way.dy);
        box.bottom = greater(box.bottom, box.bottom - way.dy);
    }
    return box;
}

static bool is_finite_box(const ki_game_box *box)
{
    return isfinite(box->left) && isfinite(box->top) && isfinite(box->right) &&
           isfinite(box->bottom);
}

/* Notes the way of a body; it has none if a number is not finite. False: there is no memory. */
static bool note_way(ki_game_bodies *bodies, const kith_velocity *velocity, float dt)
{
    const ki_game_way way = {velocity->dx * dt, velocity->dy * dt};
    if (!isfinite(way.dx) || !isfinite(way.dy) ||
        !is_finite_box(&bodies->bodies[bodies->count].box)) {
        return true;
    }
    if (bodies->ways == NULL) {
        bodies->ways = ki_game_take(&bodies->allocator, bodies->capacity, sizeof *bodies->ways);
        if (bodies->ways == NULL) {
            return false;
        }
        memset(bodies->ways, 0, bodies->capacity * sizeof *bodies->ways);
    }
    bodies->ways[bodies->count] = way;
    return true;
}

/* Takes a box in, unless it can collide with nothing. False: there is no memory. */
static bool add_body(ki_game_bodies *bodies, kith_entity entity, const kith_position *at,
                     const kith_collider *collider, const kith_velocity *velocity, float dt)
{
    float half_width = collider->width / 2;
    float half_height = collider->height / 2;
    const ki_game_body body = {
        entity,
        {at->x - half_width, at->y - half_height, at->x + half_width, at->y + half_height},
        collider->layers != 0 ? collider->layers : 1,
        collider->mask != 0 ? collider->mask : UINT32_MAX};
    if (!(body.box.left <= body.box.right) || !(body.box.top <= body.box.bottom)) {
        return true;
    }
    bodies->bodies[bodies->count] = body;
    if (collider->swept && velocity != NULL && dt > 0 && !note_way(bodies, velocity, dt)) {
        return false;
    }
    bodies->count++;
    return true;
}

/* Walks a query whose terms are Position, Collider and maybe Velocity. */
static kith_result gather_from(kith_query *query, uint32_t layers, float dt, ki_game_bodies *bodies)
{
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        const kith_entity *entities = kith_entities(&it);
        for (uint32_t i = 0; i < it.count; i++) {
            const kith_collider *collider = KITH_AT(&it, 1, i, kith_collider);
            uint32_t own = collider->layers != 0 ? collider->layers : 1;
            if ((own & layers) != 0 &&
                !add_body(bodies, entities[i], KITH_AT(&it, 0, i, kith_position), collider,
                          collider->swept ? KITH_AT(&it, 2, i, kith_velocity) : NULL, dt)) {
                kith_iter_end(&it);
                return KITH_ERR_MEMORY;
            }
        }
    }
    return it.result;
}

/* Bodies come by table and row. Puts them, and their ways, in the order of their slots. */
static kith_result order_by_slot(ki_game_bodies *bodies)
{
    const kith_allocator *allocator = &bodies->allocator;
    bool ordered = true;
    for (uint32_t i = 1; ordered && i < bodies->count; i++) {
        ordered = bodies->bodies[i - 1].entity.index1 < bodies->bodies[i].entity.index1;
    }
    if (ordered) {
        return KITH_OK;
    }
    ki_game_keys order = {0};
    ki_game_body *sorted = ki_game_take(allocator, bodies->capacity, sizeof *sorted);
    ki_game_way *ways =
        bodies->ways == NULL ? NULL : ki_game_take(allocator, bodies->capacity, sizeof *ways);
    bool enough = sorted != NULL && (ways != NULL || bodies->ways == NULL);
    for (uint32_t i = 0; enough && i < bodies->count; i++) {
        enough = ki_game_keys_add(allocator, &order,
                                  (uint64_t)bodies->bodies[i].entity.index1 << 32 | i);
    }
    enough = enough && ki_game_keys_sort(allocator, &order);
    for (uint32_t i = 0; enough && i < bodies->count; i++) {
        uint32_t from = (uint32_t)order.keys[i];
        sorted[i] = bodies->bodies[from];
        if (ways != NULL) {
            ways[i] = bodies->ways[from];
        }
    }
    if (enough) {
        ki_game_body *unsorted = bodies->bodies;
        ki_game_way *unsorted_ways = bodies->ways;
        bodies->bodies = sorted;
        bodies->ways = ways;
        sorted = unsorted;
        ways = unsorted_ways;
    }
    ki_game_give(allocator, sorted, bodies->capacity, sizeof *sorted);
    ki_game_give(allocator, ways, bodies->capacity, sizeof *ways);
    ki_game_keys_free(allocator, &order);
    return enough ? KITH_OK : KITH_ERR_MEMORY;
}

kith_result ki_game_bodies_gather(kith_world *world, uint32_t layers, float dt,
                                  ki_game_bodies *bodies)
{
    const kith_query_def def = {KITH_TERMS(KITH_READ(kith_position), KITH_READ(kith_collider),
                                           KITH_MAY_READ(kith_velocity)),
                                .name = "collision"};
    kith_query *query;
    kith_result result = kith_query_new(world, &def, &query);
    if (result != KITH_OK) {
        return result;
    }
    *bodies = (ki_game_bodies){.allocator = kith_world_allocator(world),
                               .capacity = kith_query_count(query)};
    bodies->bodies = ki_game_take(&bodies->allocator, bodies->capacity, sizeof *bodies->bodies);
    result = bodies->bodies == NULL ? KITH_ERR_MEMORY : gather_from(query, layers, dt, bodies);
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
    ki_game_give(&bodies->allocator, bodies->bodies, bodies->capacity, sizeof *bodies->bodies);
    ki_game_give(&bodies->allocator, bodies->ways, bodies->capacity, sizeof *bodies->ways);
    *bodies = (ki_game_bodies){0};
}
