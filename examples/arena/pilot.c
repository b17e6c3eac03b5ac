#include <kith/floats.h>

#include "arena/pilot.h"

#include <math.h>

#include "arena/map.h"
#include "support/must.h"

static kith_query *find(const arena_world *arena, const kith_type *tag)
{
    kith_query *query;
    const kith_query_def def = {.terms = KITH_TERMS(KITH_READ(Position), {.type = tag})};
    must(arena->world, kith_query_new(arena->world, &def, &query));
    return query;
}

void pilot_open(arena_pilot *pilot, const arena_world *arena)
{
    *pilot = (arena_pilot){.arena = arena,
                           .players = find(arena, &Player_type),
                           .enemies = find(arena, &Enemy_type),
                           .turrets = find(arena, &Turret_type),
                           .gifts = find(arena, &Gift_type)};
}

/* ---- Looking around -------------------------------------------------------------------------- */

enum { SIGHT = 26 };

/* From the player to something. */
typedef struct sight {
    bool found;
    float dx, dy, distance;
} sight;

static bool find_player(const arena_pilot *pilot, Position *at)
{
    kith_entity player = kith_query_first(pilot->players);
    const Position *found = KITH_GET(pilot->arena->world, player, Position);
    if (found != NULL) {
        *at = *found;
    }
    return found != NULL;
}

/* The nearest that is to be seen within `range`, and in the direction x, y: `narrow` is the least
 * cosine of the angle in between. */
static sight look(const arena_pilot *pilot, kith_query *query, Position from, float range, float x,
                  float y, float narrow)
{
    sight best = {.distance = range};
    const Terrain *terrain = KITH_RESOURCE(pilot->arena->world, Terrain);
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        const Position *at = KITH_COLUMN(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            float dx = at[i].x - from.x;
            float dy = at[i].y - from.y;
            float distance = sqrtf(dx * dx + dy * dy);
            if (distance < best.distance && dx * x + dy * y >= distance * narrow &&
                map_sees(terrain, from.x, from.y, at[i].x, at[i].y)) {
                best = (sight){true, dx, dy, distance};
            }
        }
    }
    must(NULL, it.result);
    return best;
}

/* As above, of all that is worth a shot. */
static sight look_for_enemy(const arena_pilot *pilot, Position from, float x, float y, float narrow)
{
    const sight enemy = look(pilot, pilot->enemies, from, SIGHT, x, y, narrow);
    const sight turret = look(pilot, pilot->turrets, from, SIGHT, x, y, narrow);
    return turret.distance < enemy.distance ? turret : enemy;
}

static void aim(Input *input, float dx, float dy)
{
    input->aim_x = (int32_t)(dx * 16);
    input->aim_y = (int32_t)(dy * 16);
}

/* Aims higher, by what a shot falls on its way. */
static void aim_at(const arena_pilot *pilot, Input *input, const sight *at)
{
    kith_entity player = kith_query_first(pilot->players);
    const Gun *gun = KITH_GET(pilot->arena->world, player, Gun);
    float seconds = at->distance / gun->speed;
    aim(input, at->dx, at->dy - gun->drop * seconds * seconds / 2);
}

/* ---- The keys -------------------------------------------------------------------------------- */

static uint32_t held(const kith_terminal *term, uint32_t arrow, uint32_t letter, uint32_t bit)
{
    return kith_terminal_held(term, arrow) || kith_terminal_held(term, letter) ? bit : 0;
}

/* Shots go to what is nearest: who moves chooses the direction, roughly; who stands shoots at all. */
static void assist(const arena_pilot *pilot, Input *input, Position from)
{
    const bool moves = (input->keys & (INPUT_UP | INPUT_DOWN | INPUT_LEFT | INPUT_RIGHT)) != 0;
    kith_entity player = kith_query_first(pilot->players);
    const Aim *ahead = KITH_GET(pilot->arena->world, player, Aim);
    sight enemy = look_for_enemy(pilot, from, ahead->x, ahead->y, moves ? 0.5f : -1);
    if (enemy.found) {
        aim_at(pilot, input, &enemy);
    }
}

Input pilot_read_keys(arena_pilot *pilot, const kith_terminal *term, const kith_camera *camera,
                      const kith_input_event *mouse)
{
    Input input = {.keys = pilot->pressed | held(term, KITH_KEY_UP, 'w', INPUT_UP) |
                           held(term, KITH_KEY_DOWN, 's', INPUT_DOWN) |
                           held(term, KITH_KEY_LEFT, 'a', INPUT_LEFT) |
                           held(term, KITH_KEY_RIGHT, 'd', INPUT_RIGHT) |
                           held(term, KITH_KEY_SPACE, KITH_MOUSE_LEFT, INPUT_FIRE)};
    Position at;
    const bool points = pilot->clicked || kith_terminal_held(term, KITH_MOUSE_LEFT);
    pilot->pressed = 0;
    pilot->clicked = false;
    if ((input.keys & INPUT_FIRE) == 0 || !find_player(pilot, &at)) {
        return input;
    }
    if (points) {
        float x;
        float y;
        kith_camera_to_world(camera, mouse->x, mouse->y, &x, &y);
        aim(&input, x - at.x, y - at.y);
    } else {
        assist(pilot, &input, at);
    }
    return input;
}

/* ---- The game itself ------------------------------------------------------------------------- */

static uint32_t keys_towards(float dx, float dy)
{
    uint32_t keys = 0;
    float most = fmaxf(fabsf(dx), fabsf(dy)) * 0.4f;
    keys |= dx > most ? INPUT_RIGHT : dx < -most ? INPUT_LEFT : 0;
    keys |= dy > most ? INPUT_DOWN : dy < -most ? INPUT_UP : 0;
    return keys;
}

/* Circles around an enemy, the other way every few seconds, at the distance that it likes. */
static uint32_t keys_around(const arena_pilot *pilot, const sight *enemy)
{
    float side = pilot->step / 50 % 2 == 0 ? 1.0f : -1.0f;
    float ahead = enemy->distance < 10 ? -1.2f : 0.4f;
    return keys_towards(enemy->dx * ahead - enemy->dy * side, enemy->dy * ahead + enemy->dx * side);
}

/* Goes its rounds while there is nothing to be seen. */
static uint32_t keys_wander(const arena_pilot *pilot)
{
    static const uint32_t ways[] = {
        INPUT_RIGHT, INPUT_LEFT | INPUT_UP,    INPUT_DOWN, INPUT_RIGHT | INPUT_UP,
        INPUT_LEFT,  INPUT_DOWN | INPUT_RIGHT, INPUT_UP,   INPUT_LEFT | INPUT_DOWN};
    return ways[pilot->step / 40 % (sizeof(ways) / sizeof(ways[0]))];
}

/* Caught at a corner: up and down, until it is past it. */
static uint32_t keys_free(const arena_pilot *pilot, uint32_t keys)
{
    kith_entity player = kith_query_first(pilot->players);
    const Velocity *velocity = KITH_GET(pilot->arena->world, player, Velocity);
    bool caught = velocity->dx * velocity->dx + velocity->dy * velocity->dy < 1;
    if (!caught) {
        return keys;
    }
    return (keys & ~(uint32_t)(INPUT_UP | INPUT_DOWN)) |
           (pilot->step / 16 % 2 == 0 ? INPUT_UP : INPUT_DOWN);
}

Input pilot_think(arena_pilot *pilot)
{
    const Game *game = KITH_RESOURCE(pilot->arena->world, Game);
    Input input = {.keys = pilot->pressed};
    Position at;
    pilot->step++;
    pilot->pressed = 0;
    pilot->over = game->over ? pilot->over + 1 : 0;
    if (pilot->over > 3 * STEPS_PER_SECOND) {
        input.keys |= INPUT_AGAIN;
    }
    if (!find_player(pilot, &at)) {
        return input;
    }
    sight enemy = look_for_enemy(pilot, at, 0, 0, 0);
    sight gift = look(pilot, pilot->gifts, at, SIGHT, 0, 0, 0);
    if (enemy.found) {
        input.keys |= INPUT_FIRE;
        aim_at(pilot, &input, &enemy);
    }
    uint32_t keys = gift.found    ? keys_towards(gift.dx, gift.dy)
                    : enemy.found ? keys_around(pilot, &enemy)
                                  : keys_wander(pilot);
    input.keys |= keys_free(pilot, keys);
    return input;
}
