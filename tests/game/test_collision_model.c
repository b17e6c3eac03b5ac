/* Collisions beside all pairs, compared one by one: random boxes of all sizes on a raster, so that many
 * edges touch, with and without masks, near and far out, swept ones, and all that may happen to them in
 * between. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "worlds.h"

enum { MODEL_BOXES = 160, MODEL_PAIRS = MODEL_BOXES * MODEL_BOXES / 2 };

typedef struct model_box {
    kith_entity entity;
    float left, top, right, bottom;
    uint32_t layers, mask;
    float dx, dy; /* its way */
} model_box;

typedef struct model_pair {
    kith_entity a, b;
    float time;
} model_pair;

typedef struct model_pairs {
    model_pair pairs[MODEL_PAIRS];
    uint32_t count;
} model_pairs;

/* ---- All pairs ---------------------------------------------------------------------------------- */

/* Whether they overlap if the first is moved back by a part of both ways. */
static bool overlap_at(const model_box *a, const model_box *b, double back)
{
    double x = ((double)a->dx - (double)b->dx) * back;
    double y = ((double)a->dy - (double)b->dy) * back;
    return a->left - x < b->right && a->right - x > b->left && a->top - y < b->bottom &&
           a->bottom - y > b->top;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* When they began to overlap; negative: they did not. What may begin or end does so when edges meet:
 * so it is enough to look in between. */
static float model_time(const model_box *a, const model_box *b)
{
    double x = (double)a->dx - (double)b->dx;
    double y = (double)a->dy - (double)b->dy;
    if (x == 0 && y == 0) {
        bool swept = a->dx != 0 || a->dy != 0 || b->dx != 0 || b->dy != 0;
        return !overlap_at(a, b, 0) ? -1 : swept ? 0 : 1;
    }
    double times[] = {0,
                      1,
                      x == 0 ? 0 : ((double)a->left - (double)b->right) / x,
                      x == 0 ? 0 : ((double)a->right - (double)b->left) / x,
                      y == 0 ? 0 : ((double)a->top - (double)b->bottom) / y,
                      y == 0 ? 0 : ((double)a->bottom - (double)b->top) / y};
    qsort(times, 6, sizeof times[0], compare_doubles);
    for (int i = 5; i > 0; i--) {
        double from = times[i - 1] < 0 ? 0 : times[i - 1];
        double to = times[i] > 1 ? 1 : times[i];
        if (from < to && overlap_at(a, b, (from + to) / 2)) {
            return (float)(1 - to);
        }
    }
    return overlap_at(a, b, 0) ? 1 : -1;
}

static uint32_t gather_boxes(const kith_world *world, float dt, model_box *boxes)
{
    uint32_t count = 0;
    for (kith_entity e = kith_entity_next(world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(world, e)) {
        const Position *at = KITH_GET(world, e, Position);
        const Collider *c = KITH_GET(world, e, Collider);
        const Velocity *v = KITH_GET(world, e, Velocity);
        if (at == NULL || c == NULL || !(c->width >= 0) || !(c->height >= 0)) {
            continue;
        }
        bool moves = c->swept && v != NULL && isfinite(c->width) && isfinite(c->height);
        boxes[count++] = (model_box){e,
                                     at->x - c->width / 2,
                                     at->y - c->height / 2,
                                     at->x + c->width / 2,
                                     at->y + c->height / 2,
                                     c->layers != 0 ? c->layers : 1,
                                     c->mask != 0 ? c->mask : UINT32_MAX,
                                     moves ? v->dx * dt : 0,
                                     moves ? v->dy * dt : 0};
    }
    return count;
}

static void model_collide(const kith_world *world, float dt, model_pairs *now)
{
    static model_box boxes[MODEL_BOXES];
    uint32_t count = gather_boxes(world, dt, boxes);
    now->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count; j++) {
            if ((boxes[i].mask & boxes[j].layers) == 0 || (boxes[j].mask & boxes[i].layers) == 0) {
                continue;
            }
            float time = model_time(&boxes[i], &boxes[j]);
            if (time >= 0) {
                now->pairs[now->count++] = (model_pair){boxes[i].entity, boxes[j].entity, time};
            }
        }
    }
}

static int compare_slots(const void *pair, const void *other)
{
    const model_pair *x = pair;
    const model_pair *y = other;
    return x->a.index1 != y->a.index1   ? (x->a.index1 > y->a.index1 ? 1 : -1)
           : x->b.index1 != y->b.index1 ? (x->b.index1 > y->b.index1 ? 1 : -1)
                                        : 0;
}

/* All pairs come in the order of slots. */
static const model_pair *find_pair(const model_pairs *pairs, kith_entity a, kith_entity b)
{
    const model_pair *pair = bsearch(&(model_pair){a, b, 0}, pairs->pairs, pairs->count,
                                     sizeof pairs->pairs[0], compare_slots);
    return pair != NULL && kith_entity_equal(pair->a, a) && kith_entity_equal(pair->b, b) ? pair
                                                                                          : NULL;
}

/* ---- The comparison ------------------------------------------------------------------------------ */

static void check_order(const kith_world *world)
{
    for (uint32_t i = 1; i < kith_event_count(world, &Collision_type); i++) {
        const Collision a = *KITH_EVENT(world, i - 1, Collision);
        const Collision b = *KITH_EVENT(world, i, Collision);
        bool slots =
            a.a.index1 < b.a.index1 || (a.a.index1 == b.a.index1 && a.b.index1 <= b.b.index1);
        CHECK(a.time < b.time || (a.time == b.time && slots));
    }
}

/* Each event is right, and there are as many as there should be, all different. */
static void check_events(const kith_world *world, const model_pairs *before, const model_pairs *now)
{
    uint32_t expected = now->count;
    for (uint32_t i = 0; i < before->count; i++) {
        expected += find_pair(now, before->pairs[i].a, before->pairs[i].b) == NULL;
    }
    uint32_t count = kith_event_count(world, &Collision_type);
    CHECK_UINT(count, expected);
    static bool seen[2][MODEL_PAIRS];
    memset(seen, 0, sizeof seen);
    for (uint32_t i = 0; i < count; i++) {
        const Collision *hit = KITH_EVENT(world, i, Collision);
        bool over = hit->phase == KITH_COLLISION_EXIT;
        const model_pairs *from = over ? before : now;
        const model_pair *pair = find_pair(from, hit->a, hit->b);
        CHECK_PTR_NOT_NULL(pair);
        bool *mark = &seen[over][pair - from->pairs];
        CHECK(!*mark);
        *mark = true;
        const model_pair *other = find_pair(over ? now : before, hit->a, hit->b);
        CHECK_INT((other != NULL), hit->phase == KITH_COLLISION_STAY);
        CHECK(fabsf(hit->time - (over ? 1 : pair->time)) < 1e-5f);
    }
    check_order(world);
}

/* ---- What happens in between ---------------------------------------------------------------------- */

/* What a seed is about. */
static struct model_theme {
    uint32_t masked; /* of three bodies, so many have layers and masks of their own */
    float middle;    /* of the place where all happens */
    float speed;     /* by which velocities are multiplied */
    uint32_t range;  /* of positions: small, and nearly all overlap with all */
    uint32_t boxes;  /* at most */
} theme;

static void choose_theme(uint64_t seed)
{
    theme.masked = (uint32_t)(seed % 4);
    theme.middle = seed % 3 == 0 ? 1e6f : 0;
    theme.speed = seed % 3 == 0 ? 1.0f / 3 : 1; /* ways are no multiples of the raster out there */
    theme.range = theme.masked == 3 ? 2 : 20;
    theme.boxes = theme.masked == 3 ? MODEL_BOXES : MODEL_BOXES / 2;
}

static float raster(uint64_t *random, uint32_t range)
{
    return ((float)random_below(random, range * 8) - (float)range * 4) / 4;
}

static float any_size(uint64_t *random)
{
    static const float sizes[] = {0, 0.25f, 0.5f, 1, 1, 1, 1.5f, 2, 3, 4, 7, 12, 40, 1000};
    switch (random_below(random, 40)) {
    case 0: return INFINITY;
    case 1: return -1;
    case 2: return NAN;
    case 3: return 1e30f;
    default: return sizes[random_below(random, sizeof sizes / sizeof sizes[0])];
    }
}

static Position any_position(uint64_t *random)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 3e38f, -1e9f, 65536, 1e-40f};
    Position at = {theme.middle + raster(random, theme.range),
                   theme.middle + raster(random, theme.range)};
    if (random_below(random, 30) == 0) {
        at.x = odd[random_below(random, 7)];
    }
    return at;
}

static Collider any_collider(uint64_t *random)
{
    Collider c = {.width = any_size(random), .height = any_size(random)};
    if (random_below(random, 2) == 0) {
        c.height = c.width;
    }
    if (random_below(random, 3) < theme.masked) {
        c.layers = random_below(random, 8);
        c.mask = random_below(random, 8);
    }
    c.swept = random_below(random, 4) == 0;
    return c;
}

static void spawn_any(kith_world *world, uint64_t *random)
{
    const Position at = any_position(random);
    const Velocity velocity = {raster(random, 30) * theme.speed, raster(random, 30) * theme.speed};
    const Collider collider = any_collider(random);
    const kith_value values[] = {KITH_VALUE(Position, at), KITH_VALUE(Collider, collider),
                                 KITH_VALUE(Velocity, velocity)};
    kith_entity e;
    CHECK_RESULT(kith_spawn(world, values, 2 + random_below(random, 2), &e), KITH_OK);
}

static void change_any(kith_world *world, kith_entity e, uint64_t *random)
{
    const Position at = any_position(random);
    const Collider collider = any_collider(random);
    switch (random_below(random, 8)) {
    case 0: CHECK_RESULT(kith_despawn(world, e), KITH_OK); break;
    case 1: kith_remove(world, e, &Collider_type); break;
    case 2: kith_remove(world, e, &Position_type); break;
    case 3: CHECK_RESULT(KITH_SET(world, e, Collider, collider), KITH_OK); break;
    default: CHECK_RESULT(KITH_SET(world, e, Position, at), KITH_OK);
    }
}

static void play_tick(kith_world *world, uint64_t *random)
{
    uint32_t changes = random_below(random, 12);
    for (uint32_t i = 0; i < changes; i++) {
        uint32_t alive = kith_entity_count(world);
        if (alive < theme.boxes / 2 || (alive < theme.boxes && random_below(random, 3) == 0)) {
            spawn_any(world, random);
            continue;
        }
        kith_entity e = kith_entity_next(world, KITH_NONE);
        for (uint32_t skip = random_below(random, alive); skip > 0; skip--) {
            e = kith_entity_next(world, e);
        }
        change_any(world, e, random);
    }
}

TEST_EACH_LAYOUT_WITHIN(20, collisions_are_those_of_all_pairs, layout)
{
    static model_pairs pairs[2];
    char note[32];
    for (uint64_t seed = 1; seed <= (test_long() ? 3000 : 12); seed++) {
        uint64_t random = seed * 1000 + (uint64_t)layout;
        choose_theme(seed);
        snprintf(note, sizeof note, "seed %d", (int)seed);
        test_note(note);
        fixture f = game_new(layout, KITH_GAME_COLLISION);
        pairs[0].count = pairs[1].count = 0;
        for (int tick = 0; tick < 60; tick++) {
            float dt = tick % 5 == 0 ? 0 : 0.25f * (float)(1 + tick % 3);
            play_tick(f.world, &random);
            game_tick(&f, dt);
            model_collide(f.world, dt, &pairs[tick % 2]);
            check_events(f.world, &pairs[(tick + 1) % 2], &pairs[tick % 2]);
        }
        fixture_free(&f);
    }
    test_note(NULL);
}
