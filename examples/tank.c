/* tank: a turret and a gun follow their tank, and end with it */
#include <kith/floats.h>

#define KITH_GAME_NAMES
#include <kith/game.h>
#include <kith/hierarchy.h>
#include <math.h>
#include <stdio.h>

#include "support/arguments.h"
#include "support/must.h"

KITH_COMPONENT(Engine, (float, speed), (float, turn)); /* a second: forward, and to the right */
KITH_COMPONENT(Turret, (float, turn));                 /* radians a second, at most */
KITH_COMPONENT(Gun, (float, every), (float, wait), (float, length));
KITH_TAG(Post);

#define RANGE 22.0f
#define AIMED 0.05f /* radians that are near enough */

static const char help[] =
    "usage: tank [--seconds N]\n"
    "\n"
    "A tank drives in a circle past posts that shoot at it. Its turret turns to the\n"
    "nearest post, its gun fires. The posts hit the tank or the turret in turn, until\n"
    "the turret is shot off, and at last the tank. Says what happens, and when.\n";

static kith_entity spawn_part(kith_world *world, kith_entity parent, Local2 local)
{
    const kith_entity part = must_spawn(KITH_SPAWN(world, KITH_VALUE(Local2, local)));
    must(world, kith_set_parent(world, part, parent));
    return part;
}

static kith_entity spawn_tank(kith_world *world)
{
    const kith_entity tank = spawn_part(world, KITH_NONE, (Local2){.x = 10, .y = 20});
    must(world, KITH_SET(world, tank, Engine, {.speed = 4, .turn = 0.4f}));
    must(world, KITH_SET(world, tank, Health, {5, 5}));
    const kith_entity turret = spawn_part(world, tank, (Local2){.x = -0.5f});
    must(world, KITH_SET(world, turret, Turret, {.turn = 1.5f}));
    must(world, KITH_SET(world, turret, Health, {2, 2}));
    const kith_entity gun = spawn_part(world, turret, (Local2){.x = 1});
    must(world, KITH_SET(world, gun, Gun, {.every = 1, .length = 2}));
    return tank;
}

static void spawn_posts(kith_world *world)
{
    static const float places[][2] = {{20, 10}, {4, 28}, {30, 32}, {12, 36}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Position, {places[i][0], places[i][1]}),
                              KITH_VALUE(Health, {2, 2}), KITH_VALUE(Post),
                              KITH_VALUE(Timer, {.remaining = 3 + 2 * (double)i, .period = 5})));
    }
}

/* ---- What the tank does ---------------------------------------------------------------------- */

static void drive(kith_iter *it)
{
    while (kith_next(it)) {
        Local2 *local = KITH_COLUMN_MUT(it, Local2);
        const Engine *engine = KITH_COLUMN(it, Engine);
        for (uint32_t i = 0; i < it->count; i++) {
            float sine, cosine;
            kith_sincos_f32(local[i].angle, &sine, &cosine);
            const float way = engine[i].speed * it->dt;
            local[i].x += kith_mul_f32(cosine, way);
            local[i].y += kith_mul_f32(sine, way);
            local[i].angle += kith_mul_f32(engine[i].turn, it->dt);
        }
    }
}

/* The post that is nearest to a place, in range. */
static kith_entity nearest_post(kith_iter *it, float x, float y)
{
    kith_entity nearest = KITH_NONE;
    float least = RANGE * RANGE;
    for (kith_iter posts = kith_system_query(it, 1); kith_next(&posts);) {
        for (uint32_t i = 0; i < posts.count; i++) {
            const Position *at = KITH_AT(&posts, i, Position);
            const float dx = at->x - x, dy = at->y - y;
            const float square = kith_mul_f32(dx, dx) + kith_mul_f32(dy, dy);
            if (square < least) {
                least = square;
                nearest = kith_entities(&posts)[i];
            }
        }
    }
    return nearest;
}

/* How far a thing has to turn to point at a place. False: that cannot be told. */
static bool angle_to(const Global2 *global, const Position *at, float *angle)
{
    Global2 own;
    if (!kith_transform2_invert(*global, &own)) {
        return false;
    }
    const kith_vec2 seen = kith_transform2_point(own, at->x, at->y);
    *angle = kith_atan2_f32(seen.y, seen.x);
    return true;
}

/* Turrets go by where they were at the end of the last tick. */
static void aim(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const Global2 *global = KITH_AT(it, i, Global2);
            const kith_entity post = nearest_post(it, global->x, global->y);
            const Position *at = KITH_GET(it, post, Position);
            float angle;
            if (at != NULL && angle_to(global, at, &angle)) {
                const float most = KITH_AT(it, i, Turret)->turn * it->dt;
                KITH_AT_MUT(it, i, Local2)->angle += fmaxf(-most, fminf(angle, most));
            }
        }
    }
}

/* ---- Hits ----------------------------------------------------------------------------------- */

/* Takes a point of health. What has none left ends, and its parts with it. */
static void hit(kith_iter *it, kith_entity entity, const char *what)
{
    Health *health = KITH_GET_MUT(it, entity, Health);
    if (health != NULL && --health->current == 0) {
        printf("; the %s is gone", what);
        kith_commands_despawn(it->commands, entity);
    }
    puts("");
}

static double seconds_of(const kith_world *world, const kith_iter *it)
{
    return (double)kith_tick_count(world) * (double)it->dt;
}

/* After transforms: the gun is where it is drawn. */
static void fire(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Gun *gun = KITH_AT_MUT(it, i, Gun);
            const Global2 *global = KITH_AT(it, i, Global2);
            const kith_entity post = nearest_post(it, global->x, global->y);
            const Position *at = KITH_GET(it, post, Position);
            float angle;
            gun->wait -= it->dt;
            if (gun->wait > 0 || at == NULL || !angle_to(global, at, &angle) ||
                fabsf(angle) > AIMED) {
                continue;
            }
            gun->wait = gun->every;
            const kith_vec2 muzzle = kith_transform2_point(*global, gun->length, 0);
            printf("%5.2f  the gun fires from %.1f, %.1f at the post at %.0f, %.0f",
                   seconds_of(it->user, it), (double)muzzle.x, (double)muzzle.y, (double)at->x,
                   (double)at->y);
            hit(it, post, "post");
        }
    }
}

/* Posts shoot at the tank and at its turret in turn. */
static kith_result shoot(kith_world *world, kith_iter *it)
{
    const kith_entity tank = *(const kith_entity *)it->user;
    uint32_t shots = 0;
    for (kith_iter posts = kith_system_query(it, 1); kith_next(&posts);) {
        for (uint32_t i = 0; i < posts.count; i++) {
            shots += KITH_AT(&posts, i, Timer)->finished;
        }
    }
    for (; shots > 0 && kith_alive(world, tank); shots--) {
        const kith_entity turret = kith_child_first(world, tank);
        const bool high = !kith_is_none(turret) && kith_tick_count(world) % 32 < 16;
        printf("%5.2f  a post hits the %s", seconds_of(world, it), high ? "turret" : "tank");
        hit(it, high ? turret : tank, high ? "turret" : "tank");
    }
    return KITH_OK;
}

/* ---- The program ----------------------------------------------------------------------------- */

static void add_systems(kith_world *world, kith_entity *tank)
{
    must(world, kith_game_add_systems(world, KITH_GAME_TIMER | KITH_GAME_TRANSFORMS));
    must(world, KITH_SYSTEM(world, drive, KITH_WRITE(Local2), KITH_READ(Engine)));
    const kith_query_def posts = {
        .terms = KITH_TERMS(KITH_READ(Position), KITH_READ(Timer), KITH_WITH(Post))};
    must(world, KITH_SYSTEM(world, aim, KITH_WRITE(Local2), KITH_READ(Turret), KITH_READ(Global2),
                            .queries = {posts}, .lookups = KITH_TERMS(KITH_READ(Position))));
    must(world,
         KITH_SYSTEM(world, fire, KITH_WRITE(Gun), KITH_READ(Global2), .phase = KITH_PHASE_END,
                     .user = world, .queries = {posts},
                     .lookups = KITH_TERMS(KITH_READ(Position), KITH_WRITE(Health))));
    must(world, kith_system_add(world, &(kith_system_def){.name = "shoot",
                                                          .update = shoot,
                                                          .user = tank,
                                                          .phase = KITH_PHASE_END,
                                                          .queries = {posts}}));
}

int main(int argc, char **argv)
{
    (void)argc;
    uint32_t seconds = 40;
    const argument options[] = {{.option = "--seconds", .number = &seconds, .most = 100000}, {0}};
    arguments_read(argv, "tank", help, options);
    kith_world *world = must_make(kith_world_new(NULL));
    kith_entity tank = KITH_NONE;
    add_systems(world, &tank);
    tank = spawn_tank(world);
    spawn_posts(world);
    for (uint32_t tick = 0; tick < seconds * 16 && kith_alive(world, tank); tick++) {
        must(world, kith_run(world, 1.0f / 16));
    }
    printf("%u entities are left\n", kith_entity_count(world));
    must_print();
    kith_world_free(world);
    return 0;
}
