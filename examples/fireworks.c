/* fireworks: systems that make and end entities: rockets burst into sparks, which go out */

#include <kith/floats.h>

#include <kith/kith.h>
#include <kith/system.h>
#include <stdio.h>

#include "support/must.h"

enum { ROCKETS = 4, SPARKS = 9, FRAMES = 256, FRAMES_PER_LINE = 32 };

typedef struct Body {
    float x, y, dx, dy;
} Body;
KITH_TYPE(Body, KITH_FIELD(Body, x), KITH_FIELD(Body, y), KITH_FIELD(Body, dx),
          KITH_FIELD(Body, dy));

typedef struct Life {
    float seconds;
} Life;
KITH_TYPE(Life, KITH_FIELD(Life, seconds));

typedef struct Follows {
    kith_entity leader;
} Follows;
KITH_TYPE(Follows, KITH_FIELD(Follows, leader));

KITH_TAG(Rocket);

static void fly(kith_iter *it)
{
    while (kith_next(it)) {
        Body *body = KITH_COLUMN_MUT(it, 0, Body);
        for (uint32_t i = 0; i < it->count; i++) {
            body[i].x += body[i].dx * it->dt;
            body[i].y += body[i].dy * it->dt;
        }
    }
}

/* A rocket at the end of its life leaves a flare and sparks that follow it. The flare's handle is
 * provisional: it becomes real, in the sparks too, when this function has returned. */
static void burst(kith_iter *it)
{
    while (kith_next(it)) {
        const Life *life = KITH_COLUMN(it, 0, Life);
        const Body *at = KITH_COLUMN(it, 1, Body);
        for (uint32_t i = 0; i < it->count; i++) {
            if (life[i].seconds <= 0) {
                kith_entity flare = KITH_QUEUE_SPAWN(it->commands, {KITH_FROM(Body, &at[i])},
                                                     KITH_VALUE(Life, {1}));
                for (int s = 0; s < SPARKS; s++) {
                    const Body spark = {at[i].x, at[i].y, (float)(s % 3 - 1), (float)(s / 3 - 1)};
                    KITH_QUEUE_SPAWN(it->commands, {KITH_FROM(Body, &spark)},
                                     KITH_VALUE(Life, {s % 2 == 0 ? 0.75f : 1.25f}),
                                     KITH_VALUE(Follows, {flare}));
                }
            }
        }
    }
}

/* Ends what has lived its time, and a spark with its flare. */
static void burn_out(kith_iter *it)
{
    while (kith_next(it)) {
        Life *life = KITH_COLUMN_MUT(it, 0, Life);
        const Follows *follows = KITH_COLUMN(it, 1, Follows);
        for (uint32_t i = 0; i < it->count; i++) {
            bool alone = follows != NULL && !kith_alive(it->user, follows[i].leader);
            if (life[i].seconds <= 0 || alone) {
                kith_queue_despawn(it->commands, kith_entities(it)[i]);
            }
            life[i].seconds -= it->dt;
        }
    }
}

int main(void)
{
    kith_world *world = kith_world_new(NULL);
    must(NULL, world != NULL ? KITH_OK : KITH_ERR_MEMORY);
    const kith_type *types[] = {&Body_type, &Life_type, &Follows_type, &Rocket_type};
    for (int i = 0; i < 4; i++) {
        must(world, kith_register(world, types[i], NULL));
    }
    must(world, kith_system_add(world, &(kith_system_def){
        .name = "fly", .run = fly, .query = {KITH_TERMS(KITH_WRITE(Body))}}));
    must(world, kith_system_add(world, &(kith_system_def){
        .name = "burst", .run = burst,
        .query = {KITH_TERMS(KITH_READ(Life), KITH_READ(Body), KITH_WITH(Rocket))}}));
    must(world, kith_system_add(world, &(kith_system_def){
        .name = "burn out", .run = burn_out, .user = world,
        .query = {KITH_TERMS(KITH_WRITE(Life), KITH_MAY_READ(Follows))}}));
    kith_query *sparks = KITH_QUERY(world, KITH_WITH(Follows));
    must(world, sparks != NULL ? KITH_OK : KITH_ERR_MEMORY);
    for (int i = 0; i < ROCKETS; i++) {
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Body, {10 * (float)i, 0, 0, 12}),
                              KITH_VALUE(Life, {1 + 0.625f * (float)i}), KITH_ZERO(Rocket)));
    }
    for (int frame = 1; frame <= FRAMES; frame++) {
        must(world, kith_run(world, 1.0f / 64));
        if (frame % FRAMES_PER_LINE == 0) {
            printf("frame %3d: %2u entities, %2u of them sparks\n", frame,
                   kith_entity_count(world), kith_query_count(sparks));
        }
    }
    kith_world_free(world);
    return 0;
}
