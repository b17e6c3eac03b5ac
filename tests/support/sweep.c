#include "sweep.h"

#include <stdio.h>

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

/* The hashes of a world before and after the call, when all memory is there. */
typedef struct call_hashes {
    uint64_t before;
    uint64_t content_before;
    uint64_t after;
} call_hashes;

static call_hashes expect(const swept_call *call, stage_def def)
{
    snprintf(note, sizeof(note), "%s, %s: %s, %u rows%s, all memory there", call->name, call->what,
             layout_name(def.layout), def.rows, def.shared ? ", shared" : "");
    stage s = prepared(call, def);
    call_hashes hashes = {.before = kith_world_hash(s.world),
                          .content_before = kith_content_hash(s.world)};
    CHECK_RESULT(call->act(&s), KITH_OK);
    hashes.after = kith_world_hash(s.world);
    stage_free(&s);
    return hashes;
}

/* One attempt, the nth allocation of which fails. Returns whether there was an nth. `*failures`
 * grows if the call failed. */
static bool attempt(const swept_call *call, stage_def def, size_t nth, bool all_behind,
                    const call_hashes *hashes, uint32_t *failures)
{
    snprintf(note, sizeof(note), "%s, %s: %s, %u rows%s, allocation %zu%s", call->name, call->what,
             layout_name(def.layout), def.rows, def.shared ? ", shared" : "", nth,
             all_behind ? " and all behind it" : "");
    stage s = prepared(call, def);
    (all_behind ? fail_from : fail_allocation)(&s.f, nth);
    kith_result result = call->act(&s);
    bool reached = fail_nothing(&s.f);
    CHECK_WORLD(s.world);
    if (result == KITH_ERR_MEMORY) {
        CHECK(reached);
        CHECK(def.shared || !call->only_shared);
        CHECK(kith_world_hash(s.world) == hashes->before);
        CHECK(kith_content_hash(s.world) == hashes->content_before);
        if (s.shared != NULL) {
            test_share_check(s.shared);
        }
        (*failures)++;
        CHECK_RESULT(call->act(&s), KITH_OK);
        CHECK_WORLD(s.world);
    } else {
        CHECK_RESULT(result, KITH_OK);
    }
    CHECK(kith_world_hash(s.world) == hashes->after);
    stage_free(&s);
    return reached;
}

static void sweep(const swept_call *call, stage_def def, uint32_t *failures)
{
    call_hashes hashes = expect(call, def);
    for (int all_behind = 0; all_behind < 2; all_behind++) {
        for (size_t nth = 1; attempt(call, def, nth, all_behind != 0, &hashes, failures); nth++) {
            CHECK(nth < 1000);
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
