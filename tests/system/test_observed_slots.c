/* Which entities entered a query and left it, if a slot has several entities between two
 * deliveries. */
#include <kith/kith.h>

#include "components.h"
#include "test.h"

/* What happens to the slot between two deliveries, step by step. An entity in it matches if it has
 * Position without Frozen. */
typedef enum event {
    NOTHING,
    COMES,        /* a new entity, which matches */
    COMES_FROZEN, /* a new one, which does not */
    GOES,         /* the entity ends */
    FREEZES,
    THAWS,
    LOSES, /* Position */
    GETS
} event;

/* The observers are told the entity that matched before, and the last one in the slot. */
static const struct {
    bool before; /* whether there is an entity at first, which matches */
    event events[4];
    bool left;
    bool entered;
} cases[] = {
    {true, {NOTHING}, false, false},
    {true, {GOES}, true, false},
    {true, {FREEZES}, true, false},
    {true, {FREEZES, THAWS}, false, false},
    {true, {LOSES, GETS}, false, false},
    {true, {LOSES, FREEZES, GETS}, true, false},
    {true, {GOES, COMES}, true, true},
    {true, {GOES, COMES_FROZEN}, true, false},
    {true, {GOES, COMES_FROZEN, THAWS}, true, true},
    {true, {GOES, COMES, GOES}, true, false},
    {true, {GOES, COMES, FREEZES}, true, false},
    {true, {FREEZES, GOES, COMES}, true, true},
    {false, {COMES}, false, true},
    {false, {COMES_FROZEN}, false, false},
    {false, {COMES_FROZEN, THAWS}, false, true},
    {false, {COMES, FREEZES}, false, false},
    {false, {COMES, GOES}, false, false},
    {false, {COMES, GOES, COMES}, false, true},
    {false, {COMES, GOES, COMES, GOES}, false, false},
};

typedef struct told {
    uint32_t count;
    kith_entity last;
} told;

static void note_told(const kith_observed *observed)
{
    told *t = observed->user;
    t->count += observed->count;
    t->last = observed->entities[observed->count - 1];
}

static kith_entity take_step(kith_world *world, kith_entity at, event step)
{
    switch (step) {
    case NOTHING: break;
    case COMES: at = KITH_SPAWN(world, KITH_VALUE(Position)); break;
    case COMES_FROZEN: at = KITH_SPAWN(world, KITH_VALUE(Position), KITH_VALUE(Frozen)); break;
    case GOES: CHECK_RESULT(kith_despawn(world, at), KITH_OK); break;
    case FREEZES: CHECK_RESULT(KITH_ADD(world, at, Frozen), KITH_OK); break;
    case THAWS: CHECK_RESULT(KITH_REMOVE(world, at, Frozen), KITH_OK); break;
    case LOSES: CHECK_RESULT(KITH_REMOVE(world, at, Position), KITH_OK); break;
    case GETS: CHECK_RESULT(KITH_ADD(world, at, Position), KITH_OK); break;
    }
    CHECK_WORLD(world);
    return at;
}

static void check_told(const told *t, bool expected, kith_entity entity)
{
    CHECK_UINT(t->count, expected);
    if (expected) {
        CHECK_SAME(t->last, entity);
    }
}

TEST_EACH_LAYOUT(each_life_of_a_slot_leaves_and_enters_for_itself, layout)
{
    /* Changes of the first term's type are read first. */
    const kith_query_def queries[2] = {
        {.terms = KITH_TERMS(KITH_READ(Position), KITH_WITHOUT(Frozen))},
        {.terms = KITH_TERMS(KITH_WITHOUT(Frozen), KITH_READ(Position))}};
    for (size_t k = 0; k < 2 * sizeof(cases) / sizeof(cases[0]); k++) {
        const size_t i = k / 2;
        fixture f = fixture_with_all(layout);
        KITH_SPAWN(f.world, KITH_VALUE(Position)); /* beside it */
        kith_entity before = KITH_NONE;
        if (cases[i].before) {
            before = KITH_SPAWN(f.world, KITH_VALUE(Position));
        }
        told left = {0};
        told entered = {0};
        kith_observer_def def = {
            .kind = KITH_ON_LEAVE, .query = queries[k % 2], .run = note_told, .user = &left};
        CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
        def.kind = KITH_ON_ENTER;
        def.user = &entered;
        CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
        CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
        CHECK_UINT(left.count + entered.count, 0);
        kith_entity at = before;
        for (int step = 0; step < 4; step++) {
            at = take_step(f.world, at, cases[i].events[step]);
        }
        CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
        check_told(&left, cases[i].left, before);
        check_told(&entered, cases[i].entered, at);
        CHECK_RESULT(kith_observers_flush(f.world), KITH_OK); /* once */
        CHECK_UINT(left.count, cases[i].left);
        CHECK_UINT(entered.count, cases[i].entered);
        fixture_free(&f);
    }
}
