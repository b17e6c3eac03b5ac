/* For the tests of indexes by functions: what functions compute of a Health, and how often they are
 * called. */
#ifndef KITH_TEST_COMPUTED_H
#define KITH_TEST_COMPUTED_H

#include <kith/floats.h>

#include <kith/spatial.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "test.h"

#define LEVELS 10

/* Keys: of one number, of several fields with a text, and of a place. */
typedef struct Danger {
    int32_t unused;
    float level;
} Danger;
KITH_TYPE(Danger, KITH_FIELD(Danger, unused), KITH_FIELD(Danger, level));

typedef struct Label {
    char text[12];
    int64_t max;
} Label;
KITH_TYPE(Label, KITH_FIELD(Label, text), KITH_GAP, KITH_FIELD(Label, max));

typedef struct Spot {
    float x, y;
} Spot;
KITH_TYPE(Spot, KITH_FIELD(Spot, x), KITH_FIELD(Spot, y));

/* Those with a max below zero are left out; a max of zero gives a NaN, which is in no index. */
static inline bool danger_of(const void *value, void *key, void *user)
{
    const Health *health = value;
    Danger *danger = key;
    uint32_t *calls = user;
    ++*calls;
    CHECK(danger->unused == 0 && danger->level == 0);
    danger->unused = health->max;
    danger->level = health->max == 0 ? NAN : (float)(health->current % LEVELS);
    return health->max >= 0;
}

static inline bool label_of(const void *value, void *key, void *user)
{
    const Health *health = value;
    Label *label = key;
    uint32_t *calls = user;
    ++*calls;
    snprintf(label->text, sizeof(label->text), "n%d", (int)(health->current % LEVELS));
    label->max = health->max;
    return health->max >= 0;
}

static inline bool spot_of(const void *value, void *key, void *user)
{
    const Health *health = value;
    uint32_t *calls = user;
    ++*calls;
    *(Spot *)key = (Spot){(float)(health->current % LEVELS), (float)health->max};
    return health->max >= 0;
}

typedef struct computed {
    fixture f;
    kith_world *world;
    kith_index *index;
    uint32_t calls; /* of the function */
    kith_query *all;
} computed;

static inline void computed_new(computed *t, kith_layout layout, kith_index_kind kind)
{
    *t = (computed){.f = fixture_with_all(layout)};
    t->world = t->f.world;
    t->all = KITH_QUERY(t->world, KITH_READ(Health));
    const kith_index_def def = {.kind = kind,
                                KITH_FIELDS(Danger, level),
                                .of = &Health_type,
                                .key = danger_of,
                                .user = &t->calls};
    CHECK_RESULT(kith_index_new(t->world, &def, &t->index), KITH_OK);
    CHECK_UINT(t->calls, 0);
}

/* Calls since this was asked last. */
static inline uint32_t computed_calls(computed *t)
{
    uint32_t calls = t->calls;
    t->calls = 0;
    return calls;
}

/* Entities with a health of a level, and with a max or, below 0, any that is in the index; in the order
 * of a loop. */
#define SCANNED_MAX 8000u
static inline uint32_t scan_levels(const computed *t, int level, int32_t max, kith_entity *entities)
{
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(t->all); kith_next(&it);) {
        const Health *health = KITH_COLUMN(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            const bool is = max >= 0 ? health[i].max == max : health[i].max > 0;
            if (is && health[i].current % LEVELS == level) {
                CHECK(count < SCANNED_MAX);
                entities[count++] = kith_entities(&it)[i];
            }
        }
    }
    return count;
}

static inline void check_same_entities(int line, const kith_index_found *found,
                                       const kith_entity *entities, uint32_t count)
{
    test_check_uint(__FILE__, line, "found", "scanned", found->count, count);
    for (uint32_t i = 0; i < count; i++) {
        test_check_same(__FILE__, line, "found", "scanned", found->entities[i], entities[i]);
    }
}

/* The index of Danger finds what a loop does. */
#define expect_levels(t) check_levels(__LINE__, (t))
static inline void check_levels(int line, computed *t)
{
    static kith_entity entities[SCANNED_MAX];
    kith_index_found found;
    uint32_t all = 0;
    for (int level = 0; level < LEVELS; level++) {
        uint32_t count = scan_levels(t, level, -1, entities);
        const Danger danger = {.level = (float)level, .unused = 99};
        CHECK_RESULT(kith_index_find(t->index, &danger, &found), KITH_OK);
        check_same_entities(line, &found, entities, count);
        all += count;
    }
    CHECK_RESULT(kith_index_find(t->index, &(Danger){.level = NAN}, &found), KITH_OK);
    CHECK_UINT(found.count, 0);
    CHECK_UINT(kith_index_stats(t->index).entries, all);
    const uint32_t calls = t->calls;
    CHECK_WORLD(t->world);
    t->calls = calls;
}

#endif
