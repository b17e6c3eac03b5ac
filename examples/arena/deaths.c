/* What follows when somebody's health has come to nothing. */
#include <kith/floats.h>

#include <kith/hierarchy.h>

#include "arena/systems.h"

/* One of so many enemies leaves something behind. */
enum { GIFT_OF = 4, BONUS_OF = 3 };

static void add_gift(kith_iter *it, const Death *death)
{
    if (kith_system_random(it) % GIFT_OF != 0) {
        return;
    }
    const char *name = kith_system_random(it) % BONUS_OF == 0 ? "triple" : "medkit";
    const kith_prefab *gift = kith_scene_prefab(((const arena_world *)it->user)->things, name);
    if (gift != NULL) {
        kith_prefab_queue(gift, it->commands,
                          (const kith_value[]){KITH_VALUE(Position, {death->x, death->y})}, 1);
    }
}

static void explode(kith_iter *it, kith_entity entity, uint32_t sparks, float speed)
{
    const Position *at = KITH_GET(it, entity, Position);
    const Sprite *look = KITH_GET(it, entity, Sprite);
    if (at != NULL) {
        KITH_SPAWN(it->commands, KITH_VALUE(Position, *at),
                   KITH_VALUE(Burst, {sparks, look != NULL ? look->foreground : 0, speed}));
    }
}

/* What it carries ends with it: that is what children do. Here is what is to be seen of it. */
static void explode_below(kith_iter *it, kith_entity root)
{
    const kith_world *world = ((const arena_world *)it->user)->world;
    for (kith_entity e = kith_descendant_next(world, root, root); !kith_is_none(e);
         e = kith_descendant_next(world, root, e)) {
        explode(it, e, 30, 12);
    }
}

static void enemy_dies(kith_iter *it, const Death *death, const Enemy *enemy, Game *game)
{
    bool large = enemy->score >= 100;
    game->enemies -= game->enemies > 0;
    game->score += enemy->score;
    explode(it, death->entity, large ? 150 : 40, large ? 22 : 14);
    add_gift(it, death);
    KITH_SEND(it, Quake, {large ? 3 : 0.8f, large ? 0.8f : 0.15f});
}

/* One that was shot off: the boss goes on without it. */
static void turret_dies(kith_iter *it, const Death *death, const Turret *turret, Game *game)
{
    game->score += turret->score;
    explode(it, death->entity, 40, 14);
    KITH_SEND(it, Quake, {1, 0.2f});
}

static void player_dies(kith_iter *it, const Death *death, Game *game)
{
    game->over = true;
    game->best = game->score > game->best ? game->score : game->best;
    explode(it, death->entity, 200, 20);
    KITH_SEND(it, Quake, {4, 1.2f});
}

/* The kit's damage leaves the dead to this system (DamageRules), which asks what they were. */
static void deaths(kith_iter *it)
{
    const Death *death;
    Game *game = RESOURCE_MUT(it, Game);
    for (uint32_t i = 0; game != NULL && (death = KITH_EVENT(it, i, Death)) != NULL; i++) {
        const Enemy *enemy = KITH_GET(it, death->entity, Enemy);
        const Turret *turret = KITH_GET(it, death->entity, Turret);
        if (enemy != NULL) {
            enemy_dies(it, death, enemy, game);
        } else if (turret != NULL) {
            turret_dies(it, death, turret, game);
        } else if (KITH_HAS(it, death->entity, Player)) {
            player_dies(it, death, game);
        }
        explode_below(it, death->entity);
        kith_commands_despawn(it->commands, death->entity);
    }
}

kith_result add_deaths(arena_world *arena)
{
    return KITH_SYSTEM(arena->world, deaths, KITH_WITH(Player), .priority = 450,
                       .user = arena,
                       .lookups = KITH_TERMS(KITH_READ(Enemy), KITH_READ(Turret),
                                             KITH_READ(Position), KITH_READ(Sprite)),
                       .resources = KITH_TERMS(KITH_WRITE(Game)),
                       .events = KITH_TERMS(KITH_READ(Death), KITH_WRITE(Quake)));
}
