/* The boxes of a world, in the order of their entities' slots. */
#ifndef KI_GAME_BODIES_H
#define KI_GAME_BODIES_H

#include <kith/game.h>
#include <math.h>

typedef struct ki_game_box {
    float left, top, right, bottom;
} ki_game_box;

/* Where it came from since the last tick: it was here less this. */
typedef struct ki_game_way {
    float dx, dy;
} ki_game_way;

/* None of the two is 0. */
typedef struct ki_game_tag {
    uint32_t layers, mask;
} ki_game_tag;

/* Spare bytes for each body, and for a few more, for code that arranges bodies. All is one block of
 * memory: allocators keep that for the next tick, but return several large blocks to the system. */
enum { KI_GAME_BODY_ROOM = 40, KI_GAME_BODIES_SPARE = 3 };

/* Each array has a value for each body. */
typedef struct ki_game_bodies {
    kith_allocator allocator;
    kith_entity *entities; /* start of the block of memory that has all arrays */
    ki_game_box *boxes;
    ki_game_tag *tags;
    void *room;        /* for floats and what else needs no more alignment */
    ki_game_way *ways; /* NULL: no body is swept. 0, 0: this body is not. Memory of its own */
    uint32_t count;
    size_t capacity;
} ki_game_bodies;

/* Boxes that overlap at more than their edges; false where a number is NaN. */
static inline bool ki_game_overlap(const ki_game_box *a, const ki_game_box *b)
{
    /* All four are looked at: a branch for each would be guessed wrong too often. */
    return (a->left < b->right) & (a->right > b->left) & (a->top < b->bottom) &
           (a->bottom > b->top);
}

static inline bool ki_game_is_way(const ki_game_bodies *bodies, uint32_t body)
{
    return bodies->ways != NULL && (bodies->ways[body].dx != 0 || bodies->ways[body].dy != 0);
}

/* Stretches an extent to where it came from: outwards, so that no rounding leaves out a part of the
 * way. */
static inline void ki_game_stretch(float *low, float *high, float way)
{
    if (way > 0) {
        *low = nextafterf(*low - way, -INFINITY);
    } else if (way < 0) {
        *high = nextafterf(*high - way, INFINITY);
    }
}

/* A box that holds a body on its way, and is hardly larger than that. */
static inline ki_game_box ki_game_body_hull(const ki_game_bodies *bodies, uint32_t body)
{
    ki_game_box box = bodies->boxes[body];
    if (bodies->ways != NULL) {
        ki_game_stretch(&box.left, &box.right, bodies->ways[body].dx);
        ki_game_stretch(&box.top, &box.bottom, bodies->ways[body].dy);
    }
    return box;
}

/* Gathers the bodies with Position and Collider on one of these layers, except boxes that can
 * collide with nothing. `dt` is how long swept bodies were on their way; 0: no body is swept.
 * KITH_ERR_MEMORY */
kith_result ki_game_bodies_gather(kith_world *world, uint32_t layers, float dt,
                                  ki_game_bodies *bodies);

void ki_game_bodies_free(ki_game_bodies *bodies);

#endif
