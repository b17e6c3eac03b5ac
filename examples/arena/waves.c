/* Waves: when all enemies are gone, more come. Which kinds there are, the prefabs tell: those that
 * have a Recruit. */
#include <kith/floats.h>

#include <stdio.h>

#include "arena/systems.h"

enum { MOST_NESTS = 32, REST_SECONDS = 3 };

typedef struct nests {
    Position at[MOST_NESTS];
    float distance[MOST_NESTS]; /* from the player, squared */
    uint32_t count;
} nests;

/* Those that are nearer to the player than this are not used, so that nobody comes out of thin air. */
enum { NEAR = 12 };

static nests find_nests(kith_iter *it)
{
    const Target *target = KITH_RESOURCE(it, Target);
    nests found = {.count = 0};
    while (kith_next(it)) {
        const Position *at = KITH_COLUMN(it, Position);
        for (uint32_t i = 0; i < it->count && found.count < MOST_NESTS; i++) {
            float dx = at[i].x - target->x;
            float dy = at[i].y - target->y;
            if (dx * dx + dy * dy > NEAR * NEAR) {
                found.distance[found.count] = dx * dx + dy * dy;
                found.at[found.count++] = at[i];
            }
        }
    }
    return found;
}

/* One of the kinds that this wave may have and can pay; NULL if there is none. */
static const kith_prefab *choose_kind(kith_iter *it, uint32_t wave, uint32_t budget, uint32_t *cost)
{
    const kith_prefab *chosen = NULL;
    const kith_prefab *prefab;
    uint32_t seen = 0;
    for (uint32_t i = 0; (prefab = kith_scene_prefab_at(it->user, i)) != NULL; i++) {
        Recruit recruit;
        if (kith_prefab_get(prefab, &Recruit_type, &recruit) == KITH_OK && recruit.cost > 0 &&
            recruit.wave <= wave && recruit.cost <= budget && recruit.every == 0) {
            seen++;
            if (kith_system_random(it) % seen == 0) { /* each with the same chance */
                chosen = prefab;
                *cost = recruit.cost;
            }
        }
    }
    return chosen;
}

/* The boss of this wave: of those that it may have, the last one in the text. NULL: it has none. */
static const kith_prefab *choose_boss(const kith_scene *things, uint32_t wave, uint32_t *cost)
{
    const kith_prefab *chosen = NULL;
    const kith_prefab *prefab;
    for (uint32_t i = 0; (prefab = kith_scene_prefab_at(things, i)) != NULL; i++) {
        Recruit recruit;
        if (kith_prefab_get(prefab, &Recruit_type, &recruit) == KITH_OK && recruit.every > 0 &&
            wave % recruit.every == 0 && recruit.wave <= wave) {
            chosen = prefab;
            *cost = recruit.cost;
        }
    }
    return chosen;
}

/* Of two, the one that is nearer: waiting is no fun. */
static const Position *choose_nest(kith_iter *it, const nests *from)
{
    uint32_t a = (uint32_t)(kith_system_random(it) % from->count);
    uint32_t b = (uint32_t)(kith_system_random(it) % from->count);
    return &from->at[from->distance[a] < from->distance[b] ? a : b];
}

static void add_enemy(kith_iter *it, Game *game, const nests *from, const kith_prefab *kind)
{
    const Position *nest = choose_nest(it, from);
    kith_prefab_queue(kind, it->commands, (const kith_value[]){KITH_VALUE(Position, *nest)}, 1);
    game->enemies++;
}

static void announce(kith_iter *it, uint32_t wave, const kith_prefab *boss)
{
    Boss called = {.turn = 0};
    Notice notice = {0}; /* all of it counts for the hash */
    if (boss != NULL && kith_prefab_get(boss, &Boss_type, &called) == KITH_OK) {
        snprintf(notice.text, sizeof(notice.text), "wave %u: %.16s", wave, called.name);
    } else {
        snprintf(notice.text, sizeof(notice.text), "wave %u", wave);
    }
    kith_system_send(it, &Notice_type, &notice);
}

static void begin_wave(kith_iter *it, Game *game, const nests *from)
{
    const kith_prefab *kind;
    uint32_t cost = 0;
    game->wave++;
    game->rest = REST_SECONDS;
    uint32_t budget = 2 + 2 * game->wave;
    const kith_prefab *boss = choose_boss(it->user, game->wave, &cost);
    if (boss != NULL) {
        add_enemy(it, game, from, boss);
        budget -= cost < budget ? cost : budget;
    }
    for (; (kind = choose_kind(it, game->wave, budget, &cost)) != NULL; budget -= cost) {
        add_enemy(it, game, from, kind);
    }
    announce(it, game->wave, boss);
}

static void waves(kith_iter *it)
{
    Game *game = RESOURCE_MUT(it, Game);
    if (game == NULL || game->over || game->enemies > 0) {
        return;
    }
    game->rest -= it->dt;
    if (game->rest <= 0) {
        nests found = find_nests(it);
        if (found.count > 0) {
            begin_wave(it, game, &found);
        }
    }
}

kith_result add_waves(const arena_world *arena)
{
    return KITH_SYSTEM(arena->world, waves, KITH_READ(Position), KITH_WITH(Nest),
                       .phase = KITH_PHASE_LATE, .priority = 200, .user = arena->things,
                       .resources = KITH_TERMS(KITH_WRITE(Game), KITH_READ(Target)),
                       .events = KITH_TERMS(KITH_WRITE(Notice)));
}
