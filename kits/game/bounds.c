/* What happens at the border: one axis at a time. */
#include <kith/floats.h>

#include <math.h>

#include "game/systems.h"

/* One axis of an entity and of its rectangle. */
typedef struct bounds_axis {
    float *position;
    float *velocity; /* NULL: it has none */
    float half;      /* of its box */
    float low, high;
} bounds_axis;

/* Whether the axis bounds anything; numbers that are none do not. */
static bool has_inside(const bounds_axis *axis)
{
    return axis->low <= axis->high;
}

/* Where the middle may be so that the box is inside. A box that is too large has just one place. */
static void inner_range(const bounds_axis *axis, float *least, float *most)
{
    *least = axis->low + axis->half;
    *most = axis->high - axis->half;
    if (*least > *most) {
        *least = *most = axis->low + kith_mul_f32(axis->high - axis->low, 0.5f);
    }
}

static void clamp(const bounds_axis *axis)
{
    float least, most;
    inner_range(axis, &least, &most);
    if (!(*axis->position >= least)) { /* NaN comes here */
        *axis->position = least;
    } else if (*axis->position > most) {
        *axis->position = most;
    }
}

/* Away from the border by as much as it was beyond, or to the border where that leads out at the
 * other side. The velocity is turned inward, not around: a body that is out already and coming back goes
 * on. */
static void bounce(const bounds_axis *axis)
{
    float least, most;
    inner_range(axis, &least, &most);
    float position = *axis->position;
    float sign = 0;
    if (position < least) {
        float mirrored = least + (least - position);
        *axis->position = mirrored <= most ? mirrored : least;
        sign = 1;
    } else if (position > most) {
        float mirrored = most - (position - most);
        *axis->position = mirrored >= least ? mirrored : most;
        sign = -1;
    } else {
        clamp(axis);
    }
    if (sign != 0 && axis->velocity != NULL) {
        *axis->velocity = copysignf(*axis->velocity, sign);
    }
}

static void wrap(const bounds_axis *axis)
{
    float position = *axis->position;
    if (position >= axis->low && position < axis->high) {
        return;
    }
    float span = axis->high - axis->low;
    float into = fmodf(position - axis->low, span); /* NaN for what is infinite, and for no span */
    position = axis->low + (into < 0 ? into + span : into);
    *axis->position = position < axis->high ? position : axis->low;
}

static bool is_outside(const bounds_axis *axis)
{
    return !(*axis->position + axis->half >= axis->low &&
             *axis->position - axis->half <= axis->high);
}

/* Nearly all are, and then no rule has anything to do. Infinity never is. */
static bool is_well_inside(const bounds_axis *axis)
{
    return *axis->position > axis->low + axis->half && *axis->position < axis->high - axis->half;
}

/* Edges are no farther out than finite numbers, so that nobody is kept at infinity. False: it is to
 * be despawned. */
static bool keep_within(bounds_axis *axis, kith_bounds_rule rule)
{
    axis->low = axis->low < -FLT_MAX ? -FLT_MAX : axis->low;
    axis->high = axis->high > FLT_MAX ? FLT_MAX : axis->high;
    if (!has_inside(axis)) {
        return true;
    }
    switch (rule) {
    case KITH_BOUNDS_BOUNCE: bounce(axis); break;
    case KITH_BOUNDS_WRAP: wrap(axis); break;
    case KITH_BOUNDS_CLAMP: clamp(axis); break;
    case KITH_BOUNDS_DESPAWN: return !is_outside(axis);
    }
    return true;
}

/* The rectangle of an entity; false if it has none. */
static bool rectangle_of(const kith_bounds *own, const kith_space *space, kith_space *rectangle)
{
    *rectangle = (kith_space){own->left, own->top, own->right, own->bottom};
    if (own->left != 0 || own->top != 0 || own->right != 0 || own->bottom != 0) {
        return true;
    }
    if (space != NULL) {
        *rectangle = *space;
    }
    return space != NULL;
}

static float half_of(float side)
{
    return side > 0 && side < INFINITY ? kith_mul_f32(side, 0.5f) : 0;
}

static void bounds(kith_iter *it)
{
    const kith_space *space = KITH_RESOURCE(it, kith_space);
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            kith_position *position = KITH_AT_MUT(it, i, kith_position);
            const kith_bounds *own = KITH_AT(it, i, kith_bounds);
            kith_velocity *velocity = KITH_AT_MUT(it, i, kith_velocity);
            const kith_collider *box = KITH_AT(it, i, kith_collider);
            kith_space within;
            if (!rectangle_of(own, space, &within)) {
                continue;
            }
            bounds_axis x = {&position->x, velocity != NULL ? &velocity->dx : NULL,
                             box != NULL ? half_of(box->width) : 0, within.left, within.right};
            bounds_axis y = {&position->y, velocity != NULL ? &velocity->dy : NULL,
                             box != NULL ? half_of(box->height) : 0, within.top, within.bottom};
            if (is_well_inside(&x) && is_well_inside(&y)) {
                continue;
            }
            bool stays_x = keep_within(&x, own->rule);
            bool stays_y = keep_within(&y, own->rule);
            if (!stays_x || !stays_y) {
                kith_commands_despawn(it->commands, kith_entities(it)[i]);
            }
        }
    }
}

kith_result ki_game_add_bounds(kith_world *world)
{
    kith_result result = ki_game_require_resource(world, &kith_space_type);
    if (result != KITH_OK) {
        return result;
    }
    return kith_system_add(
        world, &(kith_system_def){.name = "bounds",
                                  .priority = 250,
                                  .run = bounds,
                                  .query.terms =
                                      KITH_TERMS(KITH_WRITE(kith_position), KITH_READ(kith_bounds),
                                                 KITH_OPTIONAL_MUT(kith_velocity),
                                                 KITH_OPTIONAL(kith_collider)),
                                  .resources = KITH_TERMS(KITH_READ(kith_space)),
                                  .parallel = true,
                                  .group = KI_GAME_GROUP});
}
