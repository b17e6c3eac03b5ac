/* What scripts/check-static-asm compiles: the three functions whose machine code source 002 shows, in
 * listings.s. Unlike its iterateEntities, this one stores every slot in a place of its own. */
#include <kith/static.h>

typedef struct Age {
    uint16_t age;
} Age;

typedef struct Position {
    float x, y;
} Position;

#define AGE_POSITION(X, W)                                                                         \
    X(W, Age, age)                                                                                 \
    X(W, Position, position)
KITH_STATIC_WORLD(ecs, AGE_POSITION, 1000);

void setTest(ecs *world, uint32_t slot, Position position);
void setTest(ecs *world, uint32_t slot, Position position)
{
    ecs_set_position_unchecked(world, slot, position);
    ecs_set_age_unchecked(world, slot, (Age){15});
}

Age *getTest(ecs *world, uint32_t slot);
Age *getTest(ecs *world, uint32_t slot)
{
    return ecs_get_mut_age_unchecked(world, slot);
}

void iterateEntities(const ecs *world, uint32_t *out);
void iterateEntities(const ecs *world, uint32_t *out)
{
    ecs_iter it = ecs_query_iter(world, (ecs_query){.with = {.position = true}});
    while (ecs_next(&it)) {
        *out++ = it.slot;
    }
}
