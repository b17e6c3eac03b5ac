/* Every public call that can run out of memory does so, at each of its allocations, and the world
 * stays as it was. Every other call is shown to need none.
 *
 * The calls are read from the headers: one that stands in neither table (support/calls.h) fails the
 * test. */
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "headers.h"

/* ---- The list is whole --------------------------------------------------------------------- */

#define LISTING_MAX 256

typedef struct listing {
    bool swept[LISTING_MAX];
    bool safe[LISTING_MAX];
    char missing[1024];
} listing;

static void tick_off(const char *name, void *context)
{
    listing *list = context;
    bool known = false;
    for (size_t i = 0; i < swept_count; i++) {
        if (strcmp(swept_calls[i].name, name) == 0) {
            list->swept[i] = known = true;
        }
    }
    for (size_t i = 0; i < safe_count; i++) {
        if (strcmp(safe_calls[i].name, name) == 0) {
            if (known) {
                test_fail(__FILE__, __LINE__, "%s stands in both tables", name);
            }
            list->safe[i] = known = true;
        }
    }
    size_t length = strlen(list->missing);
    if (!known) {
        snprintf(list->missing + length, sizeof(list->missing) - length, " %s", name);
    }
}

TEST(every_call_of_the_headers_is_swept_or_has_a_reason)
{
    listing list = {0};
    uint32_t count = headers_each_call(tick_off, &list);
    CHECK(count > 70 && swept_count <= LISTING_MAX && safe_count <= LISTING_MAX);
    if (list.missing[0] != '\0') {
        test_fail(__FILE__, __LINE__, "neither swept nor told why not:%s", list.missing);
    }
    for (size_t i = 0; i < swept_count; i++) {
        if (!list.swept[i]) {
            test_fail(__FILE__, __LINE__, "no header has %s", swept_calls[i].name);
        }
    }
    for (size_t i = 0; i < safe_count; i++) {
        if (!list.safe[i]) {
            test_fail(__FILE__, __LINE__, "no header has %s", safe_calls[i].name);
        }
    }
}

/* ---- The sweep ----------------------------------------------------------------------------- */

/* Worlds on which the calls are tried: few rows, blocks that are just full, a full-size block just
 * full and, in the long run, more than one. */
static const stage_def stage_defs[] = {
    {.rows = 3}, {.rows = 8, .dead = 1}, {.rows = 64}, {.rows = 1024, .dead = 3}, {.rows = 1500},
};

static size_t stage_count(void)
{
    size_t count = sizeof(stage_defs) / sizeof(stage_defs[0]);
    return test_long() ? count : count - 1;
}

static char note[256];

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

static void sweep_all(kith_layout layout, bool shared)
{
    test_note(note);
    for (size_t i = 0; i < swept_count; i++) {
        uint32_t failures = 0;
        for (size_t k = 0; k < stage_count(); k++) {
            stage_def def = stage_defs[k];
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

TEST_EACH_LAYOUT_WITHIN(20, a_call_that_fails_changes_nothing, layout)
{
    sweep_all(layout, false);
}

TEST_EACH_LAYOUT_WITHIN(20, a_call_that_fails_changes_nothing_while_blocks_are_shared, layout)
{
    sweep_all(layout, true);
}

/* ---- The rest ------------------------------------------------------------------------------ */

static void ask_without_memory(const safe_call *call, stage_def def)
{
    snprintf(note, sizeof(note), "%s: %s, %u rows%s", call->name, layout_name(def.layout), def.rows,
             def.shared ? ", shared" : "");
    stage with = stage_new(def);
    stage without = stage_new(def);
    uint64_t expected = call->ask(&with);
    fail_from(&without.f, 1);
    uint64_t answer = call->ask(&without);
    fail_nothing(&without.f);
    CHECK(answer == expected);
    CHECK_WORLD(without.world);
    CHECK(kith_world_hash(without.world) == kith_world_hash(with.world));
    stage_free(&with);
    stage_free(&without);
}

TEST_EACH_LAYOUT_WITHIN(10, a_call_with_a_reason_needs_no_memory, layout)
{
    test_note(note);
    for (size_t i = 0; i < safe_count; i++) {
        for (size_t k = 0; k < stage_count() && safe_calls[i].ask != NULL; k++) {
            stage_def def = stage_defs[k];
            def.layout = layout;
            ask_without_memory(&safe_calls[i], def);
            def.shared = true;
            ask_without_memory(&safe_calls[i], def);
        }
    }
    test_note(NULL);
}

static bool new_world_fails(const kith_world_def *def, size_t nth)
{
    test_memory *memory = test_memory_new();
    kith_world_def own = *def;
    own.allocator = test_memory_allocator(memory);
    test_memory_fail(memory, nth, false);
    kith_world *world = kith_world_new(&own);
    bool reached = test_memory_fail_nothing(memory);
    CHECK_INT(world == NULL, reached);
    if (world != NULL) {
        CHECK_WORLD(world);
    }
    kith_world_free(world);
    test_memory_free(memory);
    return reached;
}

TEST(a_world_that_cannot_be_made_leaves_nothing)
{
    static const uint32_t expected[] = {0, 1, 100, 5000};
    for (size_t i = 0; i < 4; i++) {
        kith_world_def def = {.expected_entities = expected[i], .expected_types = expected[3 - i]};
        size_t nth = 1;
        while (new_world_fails(&def, nth)) {
            nth++;
        }
        CHECK(nth > 1);
    }
}

/* The limit is kept, and to run into it is like any other want of memory. */
TEST_EACH_LAYOUT(a_memory_limit_is_kept, layout)
{
    const size_t limit = 100000;
    fixture f = fixture_new_with(&(kith_world_def){.memory_limit = limit});
    register_all(f.world, layout);
    kith_result result = KITH_OK;
    uint32_t count = 0;
    while (result == KITH_OK) {
        CHECK(f.memory->bytes <= limit);
        uint64_t hash = kith_world_hash(f.world);
        kith_entity e;
        const kith_value values[] = {KITH_VALUE(Position, {1, 2}), KITH_VALUE(Name, {"n"})};
        result = kith_spawn(f.world, values, 2, &e);
        CHECK_WORLD(f.world);
        CHECK_INT(kith_world_hash(f.world) == hash, result != KITH_OK);
        count += result == KITH_OK;
    }
    CHECK_RESULT(result, KITH_ERR_MEMORY);
    CHECK(count > 500);
    CHECK_UINT(kith_entity_count(f.world), count);
    CHECK_UINT(kith_memory(f.world).limit, limit);
    CHECK(kith_memory(f.world).peak <= limit);
    fixture_free(&f);
}
