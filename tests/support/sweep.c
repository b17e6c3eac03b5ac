#include "sweep.h"

#include <stdio.h>
#include <string.h>

#include "world/world.h"

static char note[256];

const stage_def sweep_stages[] = {
    {.rows = 3}, {.rows = 8, .dead = 1}, {.rows = 64}, {.rows = 1024, .dead = 3}, {.rows = 1500},
};

size_t sweep_stage_count(void)
{
    size_t count = sizeof(sweep_stages) / sizeof(sweep_stages[0]);
    return test_long() ? count : count - 1;
}

static stage prepared(const swept_call *call, stage_def def)
{
    stage s = stage_new(def);
    if (call->prepare != NULL) {
        call->prepare(&s);
    }
    return s;
}

/* What a call does when all memory is there: the hashes of the world before it and after, how often
 * it asks for memory, and how many bytes more than before it has at most. */
typedef struct call_effect {
    uint64_t before;
    uint64_t content_before;
    uint64_t after;
    size_t allocations;
    size_t bytes;
} call_effect;

static void note_attempt(const swept_call *call, stage_def def, const char *memory)
{
    snprintf(note, sizeof(note), "%s, %s: %s, %u rows%s, %s", call->name, call->what,
             layout_name(def.layout), def.rows, def.shared ? ", shared" : "", memory);
}

static call_effect expect(const swept_call *call, stage_def def)
{
    note_attempt(call, def, "all memory there");
    stage s = prepared(call, def);
    call_effect effect = {.before = kith_world_hash(s.world),
                          .content_before = kith_content_hash(s.world)};
    size_t allocations = s.f.memory->allocations;
    ki_heap *heap = &s.world->store.context.heap;
    size_t bytes = heap->used;
    heap->peak = bytes;
    CHECK_RESULT(call->act(&s), KITH_OK);
    effect.allocations = s.f.memory->allocations - allocations;
    effect.bytes = heap->peak - bytes;
    CHECK_WORLD(s.world);
    effect.after = kith_world_hash(s.world);
    stage_free(&s);
    return effect;
}

static const char told_before[] = "of an older call";

/* A call that fails leaves its own message for kith_error, or none. What is queued is told elsewhere,
 * and pools have no messages. */
static void check_told(const swept_call *call, const stage *s)
{
    static const char *const others[] = {
        "kith_commands_spawn", "kith_commands_clone",  "kith_commands_despawn", "kith_commands_set",
        "kith_commands_add",   "kith_commands_remove", "kith_prefab_queue",     "kith_pool_"};
    bool other = false;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        other = other || strncmp(call->name, others[i], strlen(others[i])) == 0;
    }
    CHECK(other || strcmp(kith_error(s->world), told_before) != 0);
}

/* After an attempt: the world is as it was if the call failed for want of memory, and then the call
 * succeeds once there is some. `*failures` grows if it failed. Frees the stage. */
static void check_outcome(const swept_call *call, stage *s, kith_result result,
                          const call_effect *effect, uint32_t *failures)
{
    CHECK_WORLD(s->world);
    if (result == KITH_ERR_MEMORY) {
        CHECK(s->def.shared || !call->only_shared);
        check_told(call, s);
        CHECK(kith_world_hash(s->world) == effect->before);
        CHECK(kith_content_hash(s->world) == effect->content_before);
        if (s->shared != NULL) {
            test_share_check(s->shared);
        }
        (*failures)++;
        CHECK_RESULT(call->act(s), KITH_OK);
        CHECK_WORLD(s->world);
    } else {
        CHECK_RESULT(result, KITH_OK);
    }
    CHECK(kith_world_hash(s->world) == effect->after);
    stage_free(s);
}

/* One attempt, the nth allocation of which fails. Returns whether the call asked for memory again after
 * that. */
static bool attempt(const swept_call *call, stage_def def, size_t nth, bool all_behind,
                    const call_effect *effect, uint32_t *failures)
{
    char which[64];
    snprintf(which, sizeof(which), "allocation %zu%s", nth, all_behind ? " and all after it" : "");
    note_attempt(call, def, which);
    stage s = prepared(call, def);
    kith_fail(s.world, KITH_ERR_INPUT, told_before);
    (all_behind ? fail_from : fail_allocation)(&s.f, nth);
    kith_result result = call->act(&s);
    bool asked_again = s.f.memory->asked_again;
    CHECK(fail_nothing(&s.f));
    check_outcome(call, &s, result, effect, failures);
    return asked_again;
}

/* One attempt with a limit to the world's memory: so many bytes more than it has. */
static void attempt_within(const swept_call *call, stage_def def, size_t bytes,
                           const call_effect *effect, uint32_t *failures)
{
    char which[64];
    snprintf(which, sizeof(which), "a limit %zu bytes away", bytes);
    note_attempt(call, def, which);
    stage s = prepared(call, def);
    kith_fail(s.world, KITH_ERR_INPUT, told_before);
    ki_heap *heap = &s.world->store.context.heap;
    heap->limit = heap->used + bytes;
    heap->peak = heap->used;
    kith_result result = call->act(&s);
    CHECK(heap->peak <= heap->limit);
    heap->limit = 0;
    check_outcome(call, &s, result, effect, failures);
}

/* If the call gives up with the allocation that fails, then those after it are none of its business:
 * that all of them fail is another attempt only if it goes on asking. */
static void sweep(const swept_call *call, stage_def def, uint32_t *failures)
{
    call_effect effect = expect(call, def);
    CHECK(effect.allocations < 1000);
    for (size_t nth = 1; nth <= effect.allocations; nth++) {
        if (attempt(call, def, nth, false, &effect, failures)) {
            attempt(call, def, nth, true, &effect, failures);
        }
    }
}

void sweep_all(kith_layout layout, bool shared)
{
    test_note(note);
    for (size_t i = 0; i < swept_count; i++) {
        uint32_t failures = 0;
        for (size_t k = 0; k < sweep_stage_count(); k++) {
            stage_def def = sweep_stages[k];
            def.layout = layout;
            def.shared = shared;
            sweep(&swept_calls[i], def, &failures);
        }
        /* A sweep in which nothing ever failed has shown nothing. Perhaps there was room for one more
         * row; with some other number there is not. (Other layouts may need no memory at all.) */
        bool must_fail = (shared && swept_calls[i].prepare == NULL) ||
                         (layout == KITH_TABLE && !swept_calls[i].only_shared);
        stage_def def = {.layout = layout, .shared = shared};
        for (def.rows = 1; must_fail && failures == 0; def.rows++) {
            if (def.rows == 50) {
                test_fail(__FILE__, __LINE__, "no failure reached the caller");
            }
            sweep(&swept_calls[i], def, &failures);
        }
    }
    test_note(NULL);
}

void sweep_limits(kith_layout layout, bool shared)
{
    test_note(note);
    uint32_t failures = 0;
    for (size_t i = 0; i < swept_count; i++) {
        for (size_t k = 0; k < sweep_stage_count(); k++) {
            stage_def def = sweep_stages[k];
            def.layout = layout;
            def.shared = shared;
            call_effect effect = expect(&swept_calls[i], def);
            for (size_t part = 0; part < 4 && effect.bytes > part; part++) {
                attempt_within(&swept_calls[i], def, (effect.bytes - 1) * part / 3, &effect,
                               &failures);
            }
        }
    }
    CHECK(failures > 1000);
    test_note(NULL);
}
