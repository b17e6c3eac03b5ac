/* Hooks of queued values that fail, and hooks that use the buffer that they work for. */
#include <string.h>

#include "queuing.h"
#include "share.h"

TEST_EACH_LAYOUT(a_hook_that_fails_fails_the_call, layout)
{
    queuing q;
    queuing_new(&q, layout);
    queue_number(&q, q.bare, 1);
    owned_fail(&q.o.record, 1);
    CHECK_RESULT(queue_number(&q, q.owner, 2), KITH_ERR_MEMORY);
    CHECK_STR(kith_commands_error(q.commands),
              "kith_commands_set: no value of 'Owned' was made: KITH_ERR_MEMORY");
    CHECK_UINT(kith_commands_memory(q.commands).commands, 1);
    CHECK_RESULT(queue_number(&q, q.owner, 2), KITH_ERR_MEMORY);
    CHECK_RESULT(kith_commands_apply(q.commands, NULL), KITH_ERR_MEMORY);
    check_live(&q.o, 2);
    kith_commands_discard(q.commands);
    check_live(&q.o, 1);
    owned_fail(&q.o.record, 1);
    CHECK_RESULT(KITH_ADD(q.commands, q.bare, Owned), KITH_ERR_SYSTEM);
    CHECK_CONTAINS(kith_commands_error(q.commands),
                   "kith_commands_add: no value of 'Owned' was made");
    kith_commands_discard(q.commands);
    uint32_t number = 1;
    const Owned value = {&number, 1, 0};
    const kith_value values[] = {{&Owned_type, &value}, KITH_VALUE(Bond)};
    owned_fail(&q.o.record, 2);
    CHECK(kith_is_none(kith_commands_spawn_values(q.commands, values, 2)));
    CHECK_RESULT(kith_commands_apply(q.commands, NULL), KITH_ERR_SYSTEM);
    check_live(&q.o, 1);
    owners_free(&q.o);
}

/* A mix of all that applying does; returns a handle of a clone. */
static kith_entity queue_mix(queuing *q)
{
    queue_number(q, q->bare, 1);
    KITH_SET(q->commands, q->bare, Velocity, {1, 2});
    kith_entity spawned = kith_commands_spawn(q->commands);
    queue_bond(q, spawned, q->owner);
    queue_bond(q, q->owner, spawned);
    KITH_ADD(q->commands, q->owner, Owned);
    kith_entity clone = kith_commands_clone(q->commands, q->owner);
    kith_commands_clone(q->commands, clone);
    queue_number(q, spawned, 8);
    queue_number(q, q->gone, 9);
    return clone;
}

static void check_mix(queuing *q, kith_entity clone)
{
    check_live(&q->o, 9);
    clone = kith_commands_real(q->commands, clone);
    CHECK_UINT(number_of(&q->o, clone), 5);
    CHECK_UINT(number_of(&q->o, KITH_GET(q->world, clone, Bond)->to), 8);
}

/* Applying that fails changes nothing, whichever hook or allocation is to blame; and then succeeds. */
static bool attempt(kith_layout layout, bool hooks, bool shared, size_t nth)
{
    queuing q;
    queuing_new(&q, layout);
    test_share *share = shared ? test_share_world(q.world) : NULL;
    kith_entity clone = queue_mix(&q);
    uint64_t live = q.o.record.live;
    uint64_t hash = kith_world_hash(q.world);
    uint64_t calls = q.o.record.calls;
    if (hooks) {
        owned_fail(&q.o.record, nth);
    } else {
        fail_allocation(&q.o.f, nth);
    }
    kith_result result = kith_commands_apply(q.commands, NULL);
    bool reached = hooks ? q.o.record.calls >= calls + nth : fail_nothing(&q.o.f);
    CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
    if (reached) {
        CHECK(kith_world_hash(q.world) == hash);
        CHECK_WORLD(q.world);
        CHECK(shared ? q.o.record.live >= live : q.o.record.live == live);
        apply(&q, 1);
    }
    if (share != NULL) {
        test_share_free(share);
    }
    check_mix(&q, clone);
    owners_free(&q.o);
    return reached;
}

static void sweep(kith_layout layout, bool hooks, bool shared, size_t least)
{
    size_t nth = 1;
    while (attempt(layout, hooks, shared, nth)) {
        nth++;
    }
    CHECK(nth > least);
}

TEST_EACH_LAYOUT(applying_survives_every_hook_that_fails, layout)
{
    sweep(layout, true, false, 4);
    sweep(layout, true, true, 5);
}

TEST_EACH_LAYOUT_WITHIN(8, applying_survives_every_allocation_that_fails, layout)
{
    sweep(layout, false, false, 10);
    sweep(layout, false, true, 14);
}

TEST_EACH_LAYOUT(held_values_count_for_the_limit, layout)
{
    queuing q;
    queuing_new(&q, layout);
    kith_commands_free(q.commands);
    const kith_commands_def def = {.memory_limit = 16384};
    q.commands = kith_commands_new(q.world, &def);
    uint32_t queued = 0;
    while (queue_number(&q, q.owner, queued) == KITH_OK) {
        queued++;
    }
    CHECK(queued > 100 && queued < 16384 / sizeof(Owned));
    CHECK_CONTAINS(kith_commands_error(q.commands), "kith_commands_set: no");
    CHECK(kith_commands_memory(q.commands).used <= 16384);
    kith_commands_discard(q.commands);
    check_live(&q.o, 1);
    CHECK(queue_number(&q, q.owner, 1) == KITH_OK);
    apply(&q, 0);
    owners_free(&q.o);
}

/* ---- Hooks that use the buffer */

/* Each call on a buffer that fills or empties it, by a hook of a value in it. */
static void reach_back(void *context)
{
    queuing *q = context;
    q->o.record.inside = NULL;
    CHECK(kith_is_none(kith_commands_spawn(q->commands)));
    expect_misuse(&q->o.f, "kith_commands_spawn: hooks of the values in a command buffer must not");
    CHECK_RESULT(kith_commands_despawn(q->commands, q->bare), KITH_ERR_MISUSE);
    CHECK_RESULT(KITH_ADD(q->commands, q->bare, Owned), KITH_ERR_MISUSE);
    CHECK_RESULT(KITH_REMOVE(q->commands, q->bare, Owned), KITH_ERR_MISUSE);
    CHECK_RESULT(KITH_SET(q->commands, q->bare, Position, {1, 2}), KITH_ERR_MISUSE);
    CHECK_UINT(misuse_count(&q->o.f), 0); /* it is told once */
    kith_commands_discard(q->commands);
    expect_misuse(&q->o.f, "kith_commands_discard: hooks of the values");
    kith_commands_free(q->commands);
    expect_misuse(&q->o.f, "kith_commands_free: hooks of the values");
    CHECK_RESULT(kith_commands_apply(q->commands, NULL), KITH_ERR_MISUSE);
    expect_misuse(&q->o.f, "kith_commands_apply: a hook of 'Owned' is running");
}

TEST_EACH_LAYOUT(hooks_must_not_use_the_buffer, layout)
{
    queuing q;
    queuing_new(&q, layout);
    q.o.record.context = &q;
    KITH_SET(q.commands, q.owner, Position, {1, 2});
    q.o.record.inside = reach_back;
    CHECK_RESULT(queue_number(&q, q.bare, 1), KITH_ERR_MISUSE); /* the copy has spoilt it */
    CHECK_STR(kith_commands_error(q.commands), "kith_commands_spawn: it was misused");
    CHECK_PTR_NULL(q.o.record.inside);
    check_live(&q.o, 1);
    kith_commands_discard(q.commands);

    queue_number(&q, q.owner, 6);
    q.o.record.inside = reach_back;
    apply(&q, 0); /* what goes when it is applied cannot */
    CHECK_PTR_NULL(q.o.record.inside);
    CHECK_UINT(number_of(&q.o, q.owner), 6);

    queue_number(&q, q.owner, 7);
    q.o.record.inside = reach_back;
    kith_commands_discard(q.commands);
    CHECK_PTR_NULL(q.o.record.inside);
    CHECK_RESULT(queue_number(&q, q.owner, 8), KITH_OK);
    apply(&q, 0);
    CHECK_UINT(number_of(&q.o, q.owner), 8);
    check_live(&q.o, 1);
    owners_free(&q.o);
}

/* The calls that queueing has a short form for, each expected when the hook makes it. */

static void add_again(void *context)
{
    queuing *q = context;
    q->o.record.inside = NULL;
    CHECK_RESULT(KITH_ADD(q->commands, q->owner, Position), KITH_ERR_MISUSE);
    expect_misuse(&q->o.f, "kith_commands_add: hooks of the values in a command buffer must not");
}

static void spawn_again(void *context)
{
    queuing *q = context;
    q->o.record.inside = NULL;
    CHECK(kith_is_none(kith_commands_spawn(q->commands)));
    expect_misuse(&q->o.f, "kith_commands_spawn: hooks of the values in a command buffer must not");
}

static void check_expected_call(queuing *q, void (*inside)(void *context))
{
    q->o.record.context = q;
    q->o.record.inside = inside;
    CHECK_RESULT(queue_number(q, q->bare, 1), KITH_ERR_MISUSE);
    CHECK_PTR_NULL(q->o.record.inside);
    kith_commands_discard(q->commands);
    CHECK_RESULT(queue_number(q, q->bare, 2), KITH_OK);
    apply(q, 0);
    CHECK_UINT(number_of(&q->o, q->bare), 2);
}

TEST_EACH_LAYOUT(hooks_must_not_queue_what_is_expected_next, layout)
{
    queuing q;
    queuing_new(&q, layout);
    KITH_ADD(q.commands, q.bare, Position);
    check_expected_call(&q, add_again);
    KITH_ADD(q.commands, q.bare, Position);
    KITH_ADD(q.commands, q.bare, Velocity);
    check_expected_call(&q, add_again);
    kith_commands_spawn(q.commands);
    kith_commands_spawn(q.commands);
    check_expected_call(&q, spawn_again);
    owners_free(&q.o);
}
