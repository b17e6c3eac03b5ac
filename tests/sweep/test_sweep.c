/* Every public call that can run out of memory does so, at each of its allocations, and the world
 * stays as it was. Every other call is shown to need none.
 *
 * The calls are read from the headers: one that stands in neither table (support/calls.h) fails the
 * test. */
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "headers.h"
#include "sweep.h"

/* ---- The list is whole --------------------------------------------------------------------- */

#define LISTING_MAX 512

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

static char note[256];

TEST_EACH_LAYOUT_WITHIN(40, a_call_that_fails_changes_nothing, layout)
{
    sweep_all(layout, false);
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
        for (size_t k = 0; k < sweep_stage_count() && safe_calls[i].ask != NULL; k++) {
            stage_def def = sweep_stages[k];
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
