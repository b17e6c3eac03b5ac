/* entity_system: one struct for all, in a pool, without components */

#include <kith/pool.h>
#include <kith/reflect.h>
#include <stdio.h>
#include <string.h>

#include "support/arguments.h"
#include "support/must.h"

enum { STEPS = 4 };
static const float dt = (float)(1.0 / 60.0);

static const char help[] =
    "usage: entity_system [--generations]\n"
    "\n"
    "Moves an entity, and prints where it is after each of four frames.\n"
    "Its id is the number of its slot. With --generations an id also tells how\n"
    "often that slot was used before, and a second entity follows the first for as\n"
    "long as it lives. The output is the same.\n";

typedef struct Vec2 {
    float x, y;
} Vec2;

enum { FLIPPED = 1 << 0 }; /* whether it is dead, the pool knows */

typedef struct Entity {
    Vec2 pos, vel;
    Vec2 collider_size;
    Vec2 sprite_size, sprite_offset;
    int health, max_health;
    uint32_t flags;
} Entity;

static void move(Entity *entity)
{
    entity->pos.x += entity->vel.x * dt;
    entity->pos.y += entity->vel.y * dt;
}

/* In the fewest digits that read back as the same numbers. */
static void print(const Vec2 *at)
{
    static const kith_field x = KITH_FIELD(Vec2, x);
    static const kith_field y = KITH_FIELD(Vec2, y);
    char texts[2][32];
    kith_print_field(NULL, &x, at, texts[0], sizeof texts[0]);
    kith_print_field(NULL, &y, at, texts[1], sizeof texts[1]);
    printf("[%s, %s]\n", texts[0], texts[1]);
}

/* What the program relies on: if it does not hold, the program says so and ends. */
static void expect(bool holds, const char *what)
{
    if (!holds) {
        fail("%s", what);
    }
}

/* ---- The first style: plain ids --------------------------------------------------------------- */

KITH_POOL(entities, Entity, plain);

static void update(entities *pool)
{
    Entity *entity;
    for (entities_id e = {0}; (entity = entities_next_mut(pool, &e)) != NULL;) {
        move(entity);
    }
}

static void run_plain(void)
{
    entities *pool = must_make(entities_new(NULL));
    entities_id id = {0};
    must(NULL, entities_try_create(pool, &(Entity){.pos = {100, 100}, .vel = {200, 200}}, &id));
    for (int i = 0; i < STEPS; i++) {
        update(pool);
        print(&entities_get(pool, id)->pos);
    }
    must(NULL, entities_kill(pool, id));
    expect(entities_get(pool, id) == NULL, "the dead answer");
    entities_free(pool);
}

/* ---- The second style: ids with generations --------------------------------------------------- */

KITH_POOL(actors, Entity);

/* Who follows whom. The id brings the generation along. */
typedef struct Follow {
    actors_id follower, leader;
} Follow;

static void update_actors(actors *pool)
{
    Entity *entity;
    for (actors_id e = {0}; (entity = actors_next_mut(pool, &e)) != NULL;) {
        move(entity);
    }
}

/* The follower goes where its leader is. If one of them has died, it is over: true. */
static bool follow(actors *pool, const Follow *pair)
{
    const Entity *leader = actors_get(pool, pair->leader);
    Entity *follower = actors_get_mut(pool, pair->follower);
    if (leader == NULL || follower == NULL) {
        return true;
    }
    follower->pos = leader->pos;
    return false;
}

/* The leader dies, and another entity gets its slot before the follower has looked. */
static void replace_leader(actors *pool, const Follow *pair)
{
    actors_id heir = {0};
    must(NULL, actors_kill(pool, pair->leader));
    must(NULL, actors_try_create(pool, &(Entity){.pos = {-1, -1}, .flags = FLIPPED}, &heir));
    expect(heir.raw.index1 == pair->leader.raw.index1, "the heir has another slot");
}

static void run_generations(void)
{
    actors *pool = must_make(actors_new(NULL));
    Follow pair = {0};
    must(NULL,
         actors_try_create(pool, &(Entity){.pos = {100, 100}, .vel = {200, 200}}, &pair.leader));
    must(NULL, actors_try_create(pool, &(Entity){.health = 10, .max_health = 10}, &pair.follower));
    for (int i = 0; i < STEPS; i++) {
        update_actors(pool);
        expect(!follow(pool, &pair), "the follower has lost its living leader");
        print(&actors_get(pool, pair.follower)->pos);
    }
    replace_leader(pool, &pair);
    expect(follow(pool, &pair), "the follower runs after its leader's heir");
    expect(actors_get(pool, pair.follower)->pos.x > 0, "the follower has moved");
    actors_free(pool);
}

int main(int argc, char **argv)
{
    (void)argc;
    bool generations = false;
    arguments args = arguments_of(argv, "entity_system", help);
    for (const char *option; (option = arguments_next(&args)) != NULL;) {
        if (strcmp(option, "--generations") != 0) {
            arguments_unknown(&args);
        }
        generations = true;
    }
    if (generations) {
        run_generations();
    } else {
        run_plain();
    }
    must_print();
    return 0;
}
