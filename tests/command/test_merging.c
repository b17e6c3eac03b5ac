/* The commands of one entity are merged. The outcome is that of the same calls made one after another
 * on a twin of the world. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "test.h"

/* What happens to one of many entities, and to its clones, step by step. */
typedef enum step {
    STEP_SET,
    STEP_ADD,
    STEP_REMOVE,
    STEP_SET_OTHER,
    STEP_SEVERAL,
    STEP_CLEAR,
    STEP_DESPAWN,
    STEP_CLONE,    /* and go on with the source */
    STEP_CLONE_GO, /* and go on with the clone */
    STEP_COUNT
} step;

/* How an entity begins. */
typedef enum beginning {
    BEGIN_EMPTY,
    BEGIN_WITH,  /* Position, Name, Target, Frozen */
    BEGIN_OTHER, /* Velocity, Health */
    BEGIN_MADE,  /* is queued to be made, with Position */
    BEGIN_COUNT
} beginning;

#define STEPS 4
#define HANDLES (STEPS + 1)

/* One entity with its clones in both worlds. */
typedef struct pair {
    uint8_t steps[STEPS];
    uint32_t count; /* handles */
    uint32_t at;    /* the one that steps are for */
    kith_entity queued[HANDLES];
    kith_entity direct[HANDLES];
} pair;

typedef struct twins {
    fixture f; /* commands are queued for this one */
    fixture g; /* and the calls made on this one */
    kith_commands *commands;
    uint32_t dead; /* calls that found their entity dead */
} twins;

static twins twins_new(kith_layout layout, uint64_t mixed_seed)
{
    twins t = {.f = fixture_new(), .g = fixture_new()};
    if (mixed_seed != 0) {
        register_mixed(t.f.world, mixed_seed);
        register_mixed(t.g.world, mixed_seed);
    } else {
        register_all(t.f.world, layout);
        register_all(t.g.world, layout);
    }
    t.commands = kith_commands_new(t.f.world, NULL);
    CHECK_PTR_NOT_NULL(t.commands);
    return t;
}

static void twins_free(twins *t)
{
    fixture_free(&t->g);
    fixture_free(&t->f);
}

/* Adding what is there and removing what is not does nothing; the dead are counted. */
static void count_dead(twins *t, kith_result result)
{
    CHECK(result == KITH_OK || result == KITH_ERR_DEAD || result == KITH_ERR_ABSENT);
    t->dead += result == KITH_ERR_DEAD;
}

static void clone_both(twins *t, pair *p)
{
    kith_entity made = KITH_NONE;
    CHECK(p->count < HANDLES);
    count_dead(t, kith_clone(t->g.world, p->direct[p->at], &made));
    p->queued[p->count] = kith_commands_clone(t->commands, p->queued[p->at]);
    CHECK(!kith_is_none(p->queued[p->count]));
    p->direct[p->count++] = made;
}

static void take_step(twins *t, pair *p, step what, uint32_t n)
{
    const float number = (float)n;
    const uint8_t byte = (uint8_t)(n & 255);
    kith_commands *commands = t->commands;
    kith_world *world = t->g.world;
    kith_entity q = p->queued[p->at];
    kith_entity d = p->direct[p->at];
    kith_result result;
    switch (what) {
    case STEP_SET:
        KITH_SET(commands, q, Position, {number, 1});
        count_dead(t, KITH_SET(world, d, Position, {number, 1}));
        break;
    case STEP_ADD:
        KITH_ADD(commands, q, Position);
        count_dead(t, KITH_ADD(world, d, Position));
        break;
    case STEP_REMOVE:
        KITH_REMOVE(commands, q, Position);
        count_dead(t, KITH_REMOVE(world, d, Position));
        break;
    case STEP_SET_OTHER:
        KITH_SET(commands, q, Velocity, {number, 2});
        count_dead(t, KITH_SET(world, d, Velocity, {number, 2}));
        break;
    case STEP_SEVERAL: /* each value counts as a command */
        KITH_SET_VALUES(commands, q, KITH_VALUE(Byte, {byte}), KITH_VALUE(Frozen));
        result = KITH_SET_VALUES(world, d, KITH_VALUE(Byte, {byte}), KITH_VALUE(Frozen));
        count_dead(t, result);
        count_dead(t, result);
        break;
    case STEP_CLEAR:
        kith_commands_remove_all(commands, q);
        count_dead(t, kith_remove_all(world, d));
        break;
    case STEP_DESPAWN:
        kith_commands_despawn(commands, q);
        count_dead(t, kith_despawn(world, d));
        break;
    default:
        clone_both(t, p);
        p->at = what == STEP_CLONE_GO ? p->count - 1 : p->at;
        break;
    }
    CHECK_RESULT(kith_commands_set_values(commands, q, NULL, 0), KITH_OK);
}

static kith_entity begin_in(kith_world *world, beginning how, float number)
{
    switch (how) {
    case BEGIN_WITH:
        return KITH_SPAWN(world, KITH_VALUE(Position, {number, -1}), KITH_VALUE(Name, {"with"}),
                          KITH_VALUE(Target, {{9, 9}}), KITH_VALUE(Frozen));
    case BEGIN_OTHER:
        return KITH_SPAWN(world, KITH_VALUE(Velocity, {number, -2}), KITH_VALUE(Health, {1, 2}));
    case BEGIN_MADE: return KITH_SPAWN(world, KITH_VALUE(Position, {number, -3}));
    default: return kith_spawn_empty(world);
    }
}

static void begin_both(twins *t, pair *p, beginning how, float number)
{
    p->direct[0] = begin_in(t->g.world, how, number);
    p->queued[0] = how == BEGIN_MADE ? KITH_SPAWN(t->commands, KITH_VALUE(Position, {number, -3}))
                                     : begin_in(t->f.world, how, number);
    CHECK(!kith_is_none(p->direct[0]) && !kith_is_none(p->queued[0]));
    p->count = 1;
    p->at = 0;
}

/* Whether two entities of the twins have the same components and values, or are both dead. */
static void check_alike(const twins *t, kith_entity q, kith_entity d)
{
    CHECK_INT(kith_alive(t->f.world, q), kith_alive(t->g.world, d));
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        const kith_type *type = component_types[i];
        CHECK_INT(kith_has(t->f.world, q, type), kith_has(t->g.world, d, type));
        const void *a = kith_get(t->f.world, q, type);
        const void *b = kith_get(t->g.world, d, type);
        CHECK_INT(a != NULL, b != NULL);
        CHECK(a == NULL || memcmp(a, b, type->size) == 0);
    }
}

static char note[128];

static void apply_and_compare(twins *t, pair *pairs, uint32_t count)
{
    uint32_t dead = 0;
    CHECK_RESULT(kith_commands_apply(t->commands, &dead), KITH_OK);
    CHECK_UINT(dead, t->dead);
    CHECK_UINT(kith_commands_memory(t->commands).dead, t->dead);
    CHECK_WORLD(t->f.world);
    CHECK_WORLD(t->g.world);
    CHECK_UINT(kith_entity_count(t->f.world), kith_entity_count(t->g.world));
    for (uint32_t i = 0; i < count; i++) {
        pair *p = &pairs[i];
        snprintf(note, sizeof(note), "steps %u %u %u %u", p->steps[0], p->steps[1], p->steps[2],
                 p->steps[3]);
        for (uint32_t k = 0; k < p->count; k++) {
            kith_entity q = p->queued[k];
            check_alike(t, q.index1 == 0 ? kith_commands_real(t->commands, q) : q, p->direct[k]);
        }
    }
}

/* Every sequence of four steps, each for an entity of its own. */
static void try_all(twins *t, beginning how, step step_count, bool side_by_side)
{
    uint32_t count = 1;
    for (int k = 0; k < STEPS; k++) {
        count *= step_count;
    }
    pair *pairs = calloc(count, sizeof(*pairs));
    CHECK_PTR_NOT_NULL(pairs);
    for (uint32_t i = 0; i < count; i++) {
        begin_both(t, &pairs[i], how, (float)i);
        for (uint32_t k = 0, rest = i; k < STEPS; k++, rest /= step_count) {
            pairs[i].steps[k] = (uint8_t)(rest % step_count);
        }
    }
    for (uint32_t n = 0; n < STEPS * count; n++) {
        uint32_t i = side_by_side ? n % count : n / STEPS;
        uint32_t k = side_by_side ? n / count : n % STEPS;
        take_step(t, &pairs[i], (step)pairs[i].steps[k], n + 1);
    }
    test_note(note);
    apply_and_compare(t, pairs, count);
    test_note(NULL);
    free(pairs);
}

TEST_EACH_LAYOUT_WITHIN(20, all_sequences_of_commands_for_one_entity, layout)
{
    for (int how = 0; how < BEGIN_COUNT; how++) {
        for (int side_by_side = 0; side_by_side < 2; side_by_side++) {
            twins t = twins_new(layout, 0);
            try_all(&t, (beginning)how, STEP_COUNT, side_by_side != 0);
            twins_free(&t);
        }
    }
}

TEST_WITHIN(20, all_sequences_where_each_component_has_a_layout_of_its_own)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        for (int how = 0; how < BEGIN_COUNT; how++) {
            twins t = twins_new(KITH_TABLE, seed);
            try_all(&t, (beginning)how, STEP_COUNT, seed % 2 == 0);
            twins_free(&t);
        }
    }
}

/* Without clones of entities that end, handles too are those that single calls give: the whole content
 * is the same. */
TEST_EACH_LAYOUT_WITHIN(10, without_clones_the_content_is_the_same, layout)
{
    for (int how = 0; how < BEGIN_MADE; how++) {
        twins t = twins_new(layout, 0);
        try_all(&t, (beginning)how, STEP_CLONE, true);
        CHECK(t.dead > 100);
        CHECK_UINT(kith_content_hash(t.f.world), kith_content_hash(t.g.world));
        twins_free(&t);
    }
}

TEST_EACH_LAYOUT_WITHIN(10, new_entities_that_live_get_the_handles_of_single_calls, layout)
{
    twins t = twins_new(layout, 0);
    try_all(&t, BEGIN_MADE, STEP_DESPAWN, false);
    CHECK_UINT(t.dead, 0);
    CHECK_UINT(kith_content_hash(t.f.world), kith_content_hash(t.g.world));
    twins_free(&t);
}
