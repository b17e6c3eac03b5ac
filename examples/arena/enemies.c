/* The enemies: they come for the player, by the shortest way until they see it, and shoot. */
#include <kith/floats.h>

#include <math.h>

#include "arena/map.h"
#include "arena/systems.h"

enum { TURN_SPEED = 5 }; /* as the player's STEER_SPEED */

/* So that they come from all sides, each has a place beside the player that it makes for. */
static Position place_beside(kith_entity enemy, const Target *target)
{
    static const float places[8][2] = {{2, 0},  {-2, -1}, {0, -2},  {1, 2},
                                       {-2, 1}, {2, -2},  {-1, -2}, {0, 1}};
    const float *place = places[kith_entity_slot(enemy) % 8];
    return (Position){target->x + place[0], target->y + place[1]};
}

/* Where to go: a vector of any length. Straight to the goal, but no nearer than it likes; or else by the
 * map, if that knows a way. */
static Position way_to_go(const Enemy *enemy, const Position *at, Position goal, bool straight,
                          const Paths *paths)
{
    Position next = goal;
    if (!straight) {
        map_way(paths, at->x, at->y, &next.x, &next.y);
    }
    float dx = next.x - at->x;
    float dy = next.y - at->y;
    bool too_close = straight && dx * dx + dy * dy < enemy->keep * enemy->keep;
    return too_close ? (Position){-dx, -dy} : (Position){dx, dy};
}

static void turn_to(Controller *controller, Position way, float dt)
{
    float length = sqrtf(way.x * way.x + way.y * way.y);
    float part = fminf(1, TURN_SPEED * dt);
    controller->x += (way.x / fmaxf(length, 1) - controller->x) * part;
    controller->y += (way.y / fmaxf(length, 1) - controller->y) * part;
}

/* Aims higher by what its shot will fall on the way. */
static void aim_at(Aim *aim, const Gun *gun, const Position *at, const Target *target)
{
    float dx = target->x - at->x;
    float dy = target->y - at->y;
    float seconds = sqrtf(dx * dx + dy * dy) / fmaxf(gun->speed, 1);
    dy -= gun->drop * seconds * seconds / 2;
    float length = fmaxf(sqrtf(dx * dx + dy * dy), 0.1f);
    aim->x = dx / length;
    aim->y = dy / length;
}

static void think(kith_iter *it)
{
    const Target *target = KITH_RESOURCE(it, Target);
    const Terrain *terrain = KITH_RESOURCE(it, Terrain);
    const Paths *paths = KITH_RESOURCE(it, Paths);
    while (kith_next(it)) {
        const kith_entity *self = kith_entities(it);
        const Position *at = KITH_COLUMN(it, Position);
        const Enemy *enemy = KITH_COLUMN(it, Enemy);
        const Gun *gun = KITH_COLUMN(it, Gun);
        Aim *aim = KITH_COLUMN_MUT(it, Aim);
        Controller *controller = KITH_COLUMN_MUT(it, Controller);
        for (uint32_t i = 0; i < it->count; i++) {
            float dx = target->x - at[i].x;
            float dy = target->y - at[i].y;
            bool sees = target->alive && dx * dx + dy * dy < enemy[i].sight * enemy[i].sight &&
                        map_sees(terrain, at[i].x, at[i].y, target->x, target->y);
            bool narrow = map_is_narrow(terrain, map_cell(at[i].x), map_cell(at[i].y));
            Position goal = place_beside(self[i], target);
            turn_to(&controller[i], way_to_go(&enemy[i], &at[i], goal, sees && !narrow, paths),
                    it->dt);
            aim[i].fire = sees;
            if (sees) {
                aim_at(&aim[i], &gun[i], &at[i], target);
            }
        }
    }
}

kith_result add_enemies(const arena_world *arena)
{
    return KITH_SYSTEM(arena->world, think, KITH_READ(Position), KITH_READ(Enemy), KITH_READ(Gun),
                       KITH_WRITE(Aim), KITH_WRITE(Controller), .phase = KITH_PHASE_EARLY,
                       .priority = 200, .parallel = true, .no_commands = true,
                       .resources =
                           KITH_TERMS(KITH_READ(Target), KITH_READ(Terrain), KITH_READ(Paths)));
}
