#include <kith/floats.h>

#include "arena/ahead.h"

#include "support/must.h"

enum {
    HOLD_STEPS = 5, /* that it goes one way, before it looks again */
    AS_IT_LIKES = 0 /* the way that the pilot would go by itself */
};

/* The keys of each way. */
static const uint32_t ways[] = {
    AS_IT_LIKES,
    INPUT_RIGHT,
    INPUT_LEFT,
    INPUT_UP | INPUT_RIGHT,
    INPUT_UP,
    INPUT_DOWN,
    INPUT_UP | INPUT_LEFT,
    0,
    INPUT_DOWN | INPUT_LEFT,
    INPUT_DOWN | INPUT_RIGHT,
};
enum { WAYS = sizeof(ways) / sizeof(ways[0]) };

static void go(Input *input, uint32_t way)
{
    const uint32_t all = INPUT_UP | INPUT_DOWN | INPUT_LEFT | INPUT_RIGHT;
    if (way != AS_IT_LIKES) {
        input->keys = (input->keys & ~all) | ways[way];
    }
}

/* How good it is to be in a game: unhurt, with a score and a better gun. */
static float worth(const arena_pilot *pilot)
{
    const kith_world *world = pilot->arena->world;
    kith_entity player = kith_query_first(pilot->players);
    const Health *health = KITH_GET(world, player, Health);
    const Gun *gun = KITH_GET(world, player, Gun);
    const float score = (float)KITH_RESOURCE(world, Game)->score;
    return health == NULL || gun == NULL ? score
                                         : score + 100 * (float)health->current + 5 * gun->bonus;
}

/* Plays a copy of the game for some steps, at first going one way. To live longer counts more than
 * anything else. */
static double try_way(const arena_ahead *ahead, const arena_pilot *pilot, const kith_snapshot *now,
                      uint32_t way)
{
    arena_world copy;
    arena_fork(&copy, pilot->arena, now);
    arena_pilot there;
    pilot_open(&there, &copy);
    there.step = pilot->step;
    there.over = pilot->over;
    there.pressed = pilot->pressed;
    uint32_t lived = 0;
    while (lived < ahead->steps && !KITH_RESOURCE(copy.world, Game)->over) {
        Input input = pilot_think(&there);
        go(&input, lived < HOLD_STEPS ? way : AS_IT_LIKES);
        arena_step(&copy, &input);
        lived++;
    }
    const double result = 1e9 * lived + (double)worth(&there);
    arena_end_fork(&copy);
    return result;
}

static uint32_t choose(const arena_ahead *ahead, const arena_pilot *pilot)
{
    uint32_t best = AS_IT_LIKES;
    double most = 0;
    kith_snapshot *now;
    must(pilot->arena->world, kith_snapshot_take(pilot->arena->world, &now));
    for (uint32_t way = 0; way < WAYS; way++) {
        double result = try_way(ahead, pilot, now, way);
        if (way == 0 || result > most) {
            best = way;
            most = result;
        }
    }
    kith_snapshot_free(now);
    return best;
}

Input ahead_think(arena_ahead *ahead, arena_pilot *pilot)
{
    const bool over = KITH_RESOURCE(pilot->arena->world, Game)->over;
    if (ahead->steps != 0 && !over && ahead->left == 0) {
        ahead->way = choose(ahead, pilot);
        ahead->left = HOLD_STEPS;
    }
    Input input = pilot_think(pilot);
    if (ahead->left != 0) {
        ahead->left--;
        go(&input, ahead->way);
    }
    return input;
}
