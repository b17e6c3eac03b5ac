#include <kith/floats.h>

#include "simulation.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

static void gravity(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Velocity *velocity = KITH_AT_MUT(it, i, Velocity);
            velocity->dy += KITH_AT(it, i, Gravity)->force * it->dt;
        }
    }
}

static void movement(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Position *position = KITH_AT_MUT(it, i, Position);
            const Velocity *velocity = KITH_AT(it, i, Velocity);
            position->x += velocity->dx * it->dt;
            position->y += velocity->dy * it->dt;
        }
    }
}

/* Boxes that only touch do not overlap. */
static bool overlap(const Position *a, const Collider *box_a, const Position *b,
                    const Collider *box_b)
{
    return a->x - box_a->width / 2 < b->x + box_b->width / 2 &&
           a->x + box_a->width / 2 > b->x - box_b->width / 2 &&
           a->y - box_a->height / 2 < b->y + box_b->height / 2 &&
           a->y + box_a->height / 2 > b->y - box_b->height / 2;
}

/* Compares entity number `i` of the open batch `it` with all others. Of the two times that each pair
 * comes by, the one with the lower slot first counts. */
static kith_result collide(kith_world *world, kith_query *boxes, const kith_iter *it, uint32_t i)
{
    kith_entity self = kith_entities(it)[i];
    const Position *position = KITH_AT(it, i, Position);
    const Collider *box = KITH_AT(it, i, Collider);

    kith_iter others = kith_query_iter(boxes);
    while (kith_next(&others)) {
        for (uint32_t j = 0; j < others.count; j++) {
            kith_entity other = kith_entities(&others)[j];
            if (self.index1 < other.index1 && overlap(position, box, KITH_AT(&others, j, Position),
                                                      KITH_AT(&others, j, Collider))) {
                kith_result result = KITH_SEND(world, Collision, {self, other});
                if (result != KITH_OK) {
                    kith_iter_close(&others);
                    return result;
                }
            }
        }
    }
    return others.result;
}

/* Every pair: fine for the few entities that are here. */
static kith_result collision(kith_world *world, kith_iter *it)
{
    kith_query *boxes = it->user;
    kith_iter each = kith_query_iter(boxes);
    while (kith_next(&each)) {
        for (uint32_t i = 0; i < each.count; i++) {
            kith_result result = collide(world, boxes, &each, i);
            if (result != KITH_OK) {
                kith_iter_close(&each);
                return result;
            }
        }
    }
    return each.result;
}

static void hurt(kith_world *world, kith_entity entity)
{
    Health *health = KITH_GET_MUT(world, entity, Health);
    if (health != NULL) {
        health->current = health->current > 0 ? health->current - 1 : 0;
    }
}

/* Events live until the next kith_run, so these are the collisions of this one. */
static kith_result damage(kith_world *world, kith_iter *it)
{
    (void)it;
    const Collision *hit;
    for (uint32_t i = 0; (hit = KITH_EVENT(world, i, Collision)) != NULL; i++) {
        hurt(world, hit->a);
        hurt(world, hit->b);
    }
    return KITH_OK;
}

static kith_result add_components(kith_world *world, kith_layout layout)
{
    const kith_type *const types[] = {
        &Position_type, &Velocity_type, &Health_type, &Sprite_type, &Gravity_type, &Collider_type,
    };
    const kith_component_def def = {.layout = layout};
    for (uint32_t i = 0; i < sizeof types / sizeof *types; i++) {
        kith_result result = kith_register(world, types[i], &def);
        if (result != KITH_OK) {
            return result;
        }
    }
    return KITH_OK;
}

kith_result simulation_add(kith_world *world, kith_layout layout)
{
    kith_result result = add_components(world, layout);
    if (result != KITH_OK) {
        return result;
    }
    kith_query *boxes = KITH_QUERY(world, KITH_READ(Position), KITH_READ(Collider));
    if (boxes == NULL) {
        return KITH_ERR_MEMORY;
    }
    const kith_system_def systems[] = {
        {
            .name = "gravity",
            .priority = 100,
            .run = gravity,
            .query.terms = KITH_TERMS(KITH_WRITE(Velocity), KITH_READ(Gravity)),
        },
        {
            .name = "movement",
            .priority = 200,
            .run = movement,
            .query.terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity)),
        },
        {.name = "collision", .priority = 300, .update = collision, .user = boxes},
        {.name = "damage", .priority = 400, .update = damage},
    };
    for (uint32_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        result = kith_system_add(world, &systems[i]);
        if (result != KITH_OK) {
            return result;
        }
    }
    return KITH_OK;
}

void simulation_print_systems(const kith_world *world)
{
    const char *name;
    int32_t priority;
    printf("Systems:");
    for (uint32_t i = 0; (name = kith_system_at(world, i, &priority, NULL)) != NULL; i++) {
        printf("%s %s(%" PRId32 ")", i > 0 ? " ->" : "", name, priority);
    }
    printf("\n");
}

static void print_entity(const kith_world *world, kith_entity entity)
{
    const Position *position = KITH_GET(world, entity, Position);
    const Sprite *sprite = KITH_GET(world, entity, Sprite);
    const Health *health = KITH_GET(world, entity, Health);
    if (position == NULL) {
        return;
    }
    /* A scene may say any character, and a terminal obeys some. */
    bool visible = sprite != NULL && isprint((unsigned char)sprite->glyph);
    printf("  [%c] (%.1f, %.1f)", visible ? sprite->glyph : '?', (double)position->x,
           (double)position->y);
    if (health != NULL) {
        printf(" hp=%" PRId32 "/%" PRId32, health->current, health->max);
    }
    printf("\n");
}

void simulation_print_frame(const kith_world *world, uint32_t frame)
{
    printf("Frame %" PRIu32 ":\n", frame);
    for (kith_entity e = kith_entity_next(world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(world, e)) {
        print_entity(world, e);
    }
    uint32_t collisions = kith_event_count(world, &Collision_type);
    if (collisions > 0) {
        printf("  ** %" PRIu32 " collision(s) detected **\n", collisions);
    }
    printf("\n");
}
