/* Moths: harmless, and as many as you like. They show how many things a world can have. */
#include <kith/floats.h>

#include <math.h>
#include <stdio.h>

#include "arena/map.h"
#include "arena/systems.h"

enum { MOTHS_AT_ONCE = 1000, MOST_MOTHS = 100000 };

/* Each turns a little, and slows down if it is too fast. */
static void flutter(kith_iter *it)
{
    while (kith_next(it)) {
        Velocity *velocity = KITH_COLUMN_MUT(it, Velocity);
        const Moth *moth = KITH_COLUMN(it, Moth);
        for (uint32_t i = 0; i < it->count; i++) {
            float dx = velocity[i].dx + random_around_0(it) * moth[i].speed * 6 * it->dt;
            float dy = velocity[i].dy + random_around_0(it) * moth[i].speed * 6 * it->dt;
            float length = sqrtf(dx * dx + dy * dy);
            float slower = fminf(1, moth[i].speed / fmaxf(length, 0.01f));
            velocity[i] = (Velocity){dx * slower, dy * slower};
        }
    }
}

/* They have no Collider: all that they can meet is one player, and the distance to that is less work
 * than finding out who else is near. */
static void eat(kith_iter *it)
{
    const Target *target = KITH_RESOURCE(it, Target);
    Game *game = RESOURCE_MUT(it, Game);
    if (game == NULL || !target->alive) {
        return;
    }
    while (kith_next(it)) {
        const Position *at = KITH_COLUMN(it, Position);
        const Moth *moth = KITH_COLUMN(it, Moth);
        for (uint32_t i = 0; i < it->count; i++) {
            float dx = at[i].x - target->x;
            float dy = at[i].y - target->y;
            if (dx * dx + dy * dy < moth[i].reach * moth[i].reach) {
                kith_commands_despawn(it->commands, kith_entities(it)[i]);
                game->moths--;
                game->score++;
            }
        }
    }
}

static void add_moth(kith_iter *it, const kith_prefab *moth, const Terrain *terrain)
{
    /* One after the other: in a list in braces, the compiler decides which one is drawn first. */
    float x = kith_system_random_float(it) * (float)(terrain->columns - 1);
    float y = kith_system_random_float(it) * (float)(terrain->rows - 1);
    float dx = random_around_0(it);
    float dy = random_around_0(it);
    const Position at = {x, y};
    const Velocity velocity = {dx, dy};
    kith_prefab_queue(
        moth, it->commands,
        (const kith_value[]){KITH_VALUE(Position, at), KITH_VALUE(Velocity, velocity)}, 2);
}

static void release_moths(kith_iter *it)
{
    const Input *input = KITH_RESOURCE(it, Input);
    const kith_prefab *moth = kith_scene_prefab(it->user, "moth");
    if ((input->keys & INPUT_MOTHS) == 0 || moth == NULL) {
        return;
    }
    Game *game = RESOURCE_MUT(it, Game);
    for (uint32_t i = 0; i < MOTHS_AT_ONCE && game != NULL && game->moths < MOST_MOTHS; i++) {
        add_moth(it, moth, KITH_RESOURCE(it, Terrain));
        game->moths++;
    }
    if (game != NULL) {
        Notice notice = {0}; /* all of it counts for the hash */
        snprintf(notice.text, sizeof(notice.text), "%u moths%s", game->moths,
                 game->moths == MOST_MOTHS ? ": no more" : "");
        kith_system_send(it, &Notice_type, &notice);
    }
}

kith_result add_moths(const arena_world *arena)
{
    const kith_system_def release_def = {
        .name = "moths",
        .run = release_moths,
        .phase = KITH_PHASE_LATE,
        .priority = 300,
        .user = arena->things,
        .query.terms = KITH_TERMS(KITH_WITH(Player)),
        .resources = KITH_TERMS(KITH_READ(Input), KITH_WRITE(Game), KITH_READ(Terrain)),
        .events = KITH_TERMS(KITH_WRITE(Notice))};
    kith_result result = KITH_SYSTEM(arena->world, flutter, KITH_WRITE(Velocity), KITH_READ(Moth),
                                     .phase = KITH_PHASE_EARLY, .priority = 200, .parallel = true,
                                     .no_commands = true);
    if (result == KITH_OK) {
        result = KITH_SYSTEM(arena->world, eat, KITH_READ(Position), KITH_READ(Moth),
                             .phase = KITH_PHASE_LATE, .priority = 100,
                             .resources = KITH_TERMS(KITH_READ(Target), KITH_WRITE(Game)));
    }
    return result != KITH_OK ? result : kith_system_add(arena->world, &release_def);
}
