/* What is attached to a world goes back with it: what it had copied comes back once for each restore,
 * and is freed once. */
#include <kith/kith.h>
#include <stdlib.h>

#include "../world/trips.h"

typedef struct counter {
    int value;
    int ended;
} counter;

static counter counters[8];
static int states;     /* that are there now */
static int takes_left; /* until one fails; -1: none does */

static kith_result counter_take(void *thing, void **state)
{
    if (takes_left == 0) {
        return KITH_ERR_LIMIT;
    }
    takes_left -= takes_left > 0;
    int *value = malloc(sizeof *value);
    CHECK_PTR_NOT_NULL(value);
    *value = ((const counter *)thing)->value;
    *state = value;
    states++;
    return KITH_OK;
}

static void counter_restore(void *thing, const void *state)
{
    ((counter *)thing)->value = state == NULL ? -1 : *(const int *)state;
}

static void counter_free(void *state)
{
    free(state);
    states--;
}

static const kith_attached_state calls = {counter_take, counter_restore, counter_free};

static void end_counter(void *thing)
{
    ((counter *)thing)->ended++;
}

static void attach(kith_world *world, int first, int end)
{
    for (int i = first; i < end; i++) {
        counters[i] = (counter){.value = i};
        CHECK_RESULT(kith_attach(world, &counters[i], &counters[i], end_counter), KITH_OK);
        CHECK_RESULT(kith_attach_state(world, &counters[i], &calls), KITH_OK);
    }
    takes_left = -1;
}

static kith_snapshot *take(kith_world *world)
{
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(world, &snapshot), KITH_OK);
    CHECK_WORLD(world);
    return snapshot;
}

static void restore(kith_world *world, const kith_snapshot *snapshot)
{
    CHECK_RESULT(kith_snapshot_restore(world, snapshot), KITH_OK);
    CHECK_WORLD(world);
}

TEST(what_is_attached_goes_back)
{
    fixture f = fixture_new();
    attach(f.world, 0, 5);
    kith_snapshot *first = take(f.world);
    for (int i = 0; i < 5; i++) {
        counters[i].value += 10;
    }
    kith_snapshot *second = take(f.world);
    CHECK_INT(states, 10);
    counters[2].value = 99;
    for (int round = 0; round < 2; round++) {
        restore(f.world, first);
        for (int i = 0; i < 5; i++) {
            CHECK_INT(counters[i].value, i);
        }
        restore(f.world, second);
        for (int i = 0; i < 5; i++) {
            CHECK_INT(counters[i].value, i + 10);
        }
    }
    kith_snapshot_free(first);
    CHECK_INT(states, 5);
    restore(f.world, second);
    fixture_free(&f); /* and what is left of snapshots */
    CHECK_INT(states, 0);
    CHECK_INT(counters[4].ended, 1);
}

/* Also between others, at both ends, and one in place of another. */
TEST(what_came_or_went_since_is_told_apart)
{
    fixture f = fixture_new();
    attach(f.world, 0, 5);
    kith_snapshot *snapshot = take(f.world);
    CHECK_RESULT(kith_attach(f.world, &counters[0], NULL, NULL), KITH_OK);
    CHECK_RESULT(kith_attach(f.world, &counters[2], NULL, NULL), KITH_OK);
    attach(f.world, 3, 4);
    CHECK_RESULT(kith_attach_state(f.world, &counters[4], NULL), KITH_OK);
    attach(f.world, 5, 7);
    for (int i = 0; i < 7; i++) {
        counters[i].value = 50 + i;
    }
    CHECK_INT(states, 5);
    restore(f.world, snapshot);
    static const int expected[] = {50, 1, 52, -1, 54, -1, -1};
    for (int i = 0; i < 7; i++) {
        CHECK_INT(counters[i].value, expected[i]);
    }
    kith_snapshot *other = take(f.world);
    CHECK_INT(states, 5 + 4);
    kith_snapshot_free(snapshot);
    kith_snapshot_free(other);
    CHECK_INT(states, 0);
    for (int i = 0; i < 7; i++) {
        CHECK_RESULT(kith_attach(f.world, &counters[i], NULL, NULL), KITH_OK);
    }
    kith_snapshot_free(take(f.world));
    CHECK_INT(states, 0);
    fixture_free(&f);
}

static kith_result other_take(void *thing, void **state)
{
    return counter_take(thing, state);
}

/* A state is of the functions that made it: others could not read it. */
TEST(other_functions_do_not_get_the_state)
{
    static const kith_attached_state others = {other_take, counter_restore, counter_free};
    fixture f = fixture_new();
    attach(f.world, 0, 2);
    kith_snapshot *snapshot = take(f.world);
    CHECK_RESULT(kith_attach_state(f.world, &counters[0], &others), KITH_OK);
    restore(f.world, snapshot);
    CHECK_INT(counters[0].value, -1);
    CHECK_INT(counters[1].value, 1);
    CHECK_RESULT(kith_attach_state(f.world, &counters[0], &calls), KITH_OK);
    restore(f.world, snapshot);
    CHECK_INT(counters[0].value, 0);
    fixture_free(&f);
    CHECK_INT(states, 0);
}

TEST(a_copy_that_fails_fails_the_snapshot)
{
    fixture f = fixture_new();
    attach(f.world, 0, 5);
    for (int i = 0; i < 5; i++) {
        kith_snapshot *snapshot = NULL;
        takes_left = i;
        CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_ERR_LIMIT);
        CHECK_PTR_NULL(snapshot);
        CHECK_INT(states, 0);
        CHECK_WORLD(f.world);
    }
    takes_left = -1;
    kith_snapshot_free(take(f.world));
    fixture_free(&f);
}

TEST(a_key_of_nothing_is_refused)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_attach_state(f.world, &f, &calls), KITH_ERR_ABSENT);
    CHECK_STR(kith_error(f.world), "kith_attach_state: nothing is attached by that key");
    attach(f.world, 0, 1);
    CHECK_RESULT(kith_attach_state(f.world, &f, &calls), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_attach_state(f.world, &f, NULL), KITH_ERR_ABSENT);
    fixture_free(&f);
}

/* ---- Misuse ------------------------------------------------------------------------------------ */

static stage *asked;

static kith_result asking_take(void *thing, void **state)
{
    CHECK_UINT(kith_entity_count(asked->world), 0);
    expect_misuse(&asked->f, "kith_entity_count: kith_snapshot_take is under way; what it calls");
    return counter_take(thing, state);
}

static void asking_restore(void *thing, const void *state)
{
    CHECK_RESULT(kith_despawn(asked->world, asked->e), KITH_ERR_MISUSE);
    expect_misuse(&asked->f, "kith_despawn: kith_snapshot_restore is under way; what it calls");
    counter_restore(thing, state);
}

/* Of the snapshots that there are: freeing another one here would be the worst that it can do. */
static kith_snapshot *other;

static void asking_free(void *state)
{
    kith_snapshot_free(other);
    expect_misuse(&asked->f, "kith_snapshot_free: a snapshot is being freed; what it calls");
    counter_free(state);
}

TEST(the_functions_may_not_ask_the_world)
{
    stage s = stage_open();
    static const kith_attached_state asking = {asking_take, asking_restore, asking_free};
    asked = &s;
    attach(s.world, 0, 1);
    CHECK_RESULT(kith_attach_state(s.world, &counters[0], &asking), KITH_OK);
    kith_snapshot *snapshot = take(s.world);
    counters[0].value = 3;
    restore(s.world, snapshot);
    CHECK_INT(counters[0].value, 0);
    CHECK(kith_alive(s.world, s.e));
    for (int i = 0; i < 3; i++) {
        other = take(s.world);
    }
    kith_snapshot_free(snapshot);
    CHECK_INT(states, 3);
    stage_close(&s); /* which frees the others */
    CHECK_INT(states, 0);
}
