/* What follows when somebody's health has come to nothing. */
#include <kith/floats.h>

#include "arena/systems.h"

/* One of so many enemies leaves something behind. */
enum { GIFT_OF = 4, BONUS_OF = 3 };

static void add_gift(kith_iter *it, const Death *death)
{
    if (kith_system_random(it) % GIFT_OF != 0) {
        return;
    }
    const char *name = kith_system_random(it) % BONUS_OF == 0 ? "triple" : "medkit";
    const kith_prefab *gift = kith_scene_prefab(it->user, name);
    if (gift != NULL) {
        kith_prefab_queue(gift, it->commands,
                          (const kith_value[]){KITH_VALUE(Position, {death->x, death->y})}, 1);
    }
}

static void explode(kith_iter *it, const Death *death, uint32_t sparks, float speed)
{
    const Sprite *look = KITH_GET(it, death->entity, Sprite);
    KITH_SPAWN(it->commands, KITH_VALUE(Position, {death->x, death->y}),
               KITH_VALUE(Burst, {sparks, look != NULL ? look->foreground : 0, speed}));
}

static void enemy_dies(kith_iter *it, const Death *death, const Enemy *enemy, Game *game)
{
    bool large = enemy->score >= 100;
    game->enemies -= game->enemies > 0;
    game->score += enemy->score;
    explode(it, death, large ? 150 : 40, large ? 22 : 14);
    add_gift(it, death);
    KITH_SEND(it, Quake, {large ? 3 : 0.8f, large ? 0.8f : 0.15f});
}

static void player_dies(kith_iter *it, const Death *death, Game *game)
{
    game->over = true;
    game->best = game->score > game->best ? game->score : game->best;
    explode(it, death, 200, 20);
    KITH_SEND(it, Quake, {4, 1.2f});
}

/* The kit's damage leaves the dead to this system (DamageRules), which asks what they were. */
static void deaths(kith_iter *it)
{
    const Death *death;
    Game *game = RESOURCE_MUT(it, Game);
    for (uint32_t i = 0; game != NULL && (death = KITH_EVENT(it, i, Death)) != NULL; i++) {
        const Enemy *enemy = KITH_GET(it, death->entity, Enemy);
        if (enemy != NULL) {
            enemy_dies(it, death, enemy, game);
        } else if (KITH_HAS(it, death->entity, Player)) {
            player_dies(it, death, game);
        }
        kith_commands_despawn(it->commands, death->entity);
    }
}

kith_result add_deaths(const arena_world *arena)
{
    return KITH_SYSTEM(arena->world, deaths, KITH_WITH(Player), .priority = 450,
                       .user = arena->things,
                       .lookups = KITH_TERMS(KITH_READ(Enemy), KITH_READ(Sprite)),
                       .resources = KITH_TERMS(KITH_WRITE(Game)),
                       .events = KITH_TERMS(KITH_READ(Death), KITH_WRITE(Quake)));
}
