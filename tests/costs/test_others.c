/* What a call takes does not depend on how many others there are: worlds, types, tables, entities,
 * systems and so on. Each public call in worlds with some of them and with eight times as many. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "headers.h"
#include "work.h"

/* A call that may take more among many others of a kind, and how much more at most. */
typedef struct exception {
    const char *kind;
    const char *call;
    uint32_t limit; /* percent */
} exception;

enum {
    LIMIT = 125,    /* percent */
    SOME = 24,      /* blocks by which what is small may vary */
    GROWN = 110,    /* percent: what has an exception takes at least as much, by any compiler */
    OF_EACH = 850,  /* there is a look at each of them */
    BY_ROUND = 200, /* there is a look at each 1,024 of them */
    BY_DEPTH = 175, /* of a tree */
};

static const exception exceptions[] = {
    /* Which components that are not in tables an entity may have, two bits tell: the same ones for
     * each 1,024. */
    {"others", "kith_clone", BY_ROUND},
    {"others", "kith_component_next", BY_ROUND},
    {"others", "kith_print_entity", BY_ROUND}, /* by kith_component_next */
    {"others", "kith_scene_save",
     BY_ROUND}, /* by kith_component_next, which looks at all of them */
    /* Those after a new one move on. */
    {"phases", "kith_phase_add", OF_EACH},
    /* It adds up what they take. */
    {"buffers", "kith_memory", OF_EACH},
    /* They are run, or asked whether they have something to tell. */
    {"systems", "kith_run", OF_EACH},
    {"observers", "kith_observers_flush", OF_EACH},
    {"observers", "kith_run", OF_EACH},
    {"holders", "kith_observers_flush", OF_EACH},
    {"holders", "kith_run", OF_EACH},
    /* Each queue drops the events whose time has come. */
    {"events", "kith_run", OF_EACH},
    /* Each relation may lead to or from an entity. A command buffer clones trees and spawns scenes; what
     * is spawned of a prefab here is despawned. */
    {"relations", "kith_despawn", OF_EACH},
    {"relations", "kith_despawn_many", OF_EACH},
    {"relations", "kith_remove_all", OF_EACH},
    {"relations", "kith_transfer", OF_EACH},
    {"relations", "kith_commands_apply", OF_EACH},
    {"relations", "kith_clone_tree", OF_EACH},
    {"relations", "kith_prefab_spawn", OF_EACH},
    {"relations", "kith_scene_load", OF_EACH},
    {"relations", "kith_scene_spawn", OF_EACH},
    /* They go through the children. */
    {"siblings", "kith_source_count", OF_EACH},
    {"siblings", "kith_child_count", OF_EACH},
    {"siblings", "kith_sort_children", OF_EACH},
    {"siblings", "kith_descendant_next_by_level", OF_EACH},
    /* They go up to the root; kith_set and kith_insert_child do that to see whether there would be a
     * circle. */
    {"ancestors", "kith_root", OF_EACH},
    {"ancestors", "kith_depth", OF_EACH},
    {"ancestors", "kith_is_ancestor", OF_EACH},
    {"ancestors", "kith_common_ancestor", OF_EACH},
    {"ancestors", "kith_is_enabled", OF_EACH},
    {"ancestors", "kith_set", OF_EACH},
    {"ancestors", "kith_insert_child", OF_EACH},
};
enum { EXCEPTIONS = sizeof exceptions / sizeof exceptions[0] };

static bool takes_more[EXCEPTIONS];

/* Calls that are not tried here. */
static const char *const untried[] = {
    /* They are about all that there is: see test_whole.c. */
    "kith_world_check",
    "kith_world_hash",
    "kith_content_hash",
    "kith_world_trim",
    "kith_snapshot_take",
    "kith_snapshot_restore",
    "kith_snapshot_free",
    "kith_snapshot_diff",
    "kith_view_new",
    "kith_fork_new",
    "kith_snapshot_diff_bytes",
    "kith_diff_apply",
    "kith_world_save",
    "kith_world_load",
    "kith_world_save_file",
    "kith_world_load_file",
    "kith_bytes_free",
    "kith_sort",
    "kith_index_find",
    "kith_index_range",
    "kith_index_prefix",
    "kith_index_nearest",
    "kith_links_from",
    "kith_links_to",
    "kith_link_find",
    "kith_unique_new",
    "kith_unique_find",
    "kith_unique_free",
    "kith_live_new",
    "kith_live_free",
    "kith_live_next",
    "kith_live_count",
    "kith_live_has",
    "kith_live_after",
    "kith_live_stats",
    "kith_pool_clear",
    "kith_pool_reserve",
    "kith_pool_check",
    /* They look at all that was written of a component. */
    "kith_within_box",
    "kith_within_radius",
    "kith_nearest",
    "kith_along",
    "kith_pairs",
    /* It goes through all that a query matches. */
    "kith_system_parallel",
    /* They are about all systems: see test_systems.c. */
    "kith_schedule_print",
    "kith_schedule_dot",
    "kith_profile_start",
    "kith_profile_stop",
    "kith_profile_trace",
    "kith_workers_set",
    /* They know nothing but their arguments. */
    "kith_version",
    "kith_fail",
    "kith_commands_world",
    "kith_query_world",
    "kith_require_owner",
    "kith_entity_to_text",
    "kith_entity_describe",
    "kith_entity_from_text",
    "kith_result_name",
    "kith_kind_name",
    "kith_kind_size",
    "kith_hint_offer",
    "kith_hint_text",
    "kith_print_text_error",
    "kith_token_is",
    "kith_read_expected",
    "kith_read_fail",
    "kith_read_name",
    "kith_read_place",
    "kith_read_token",
    "kith_read_value",
    "kith_random_next",
    "kith_random_float",
    "kith_random_uniform",
    "kith_random_int",
    "kith_random_index",
    "kith_random_chance",
    "kith_random_normal",
    "kith_random_shuffle",
    "kith_clock_start",
    "kith_clock_frame",
    "kith_clock_now",
    /* They are calls that are tried, in other words. */
    "kith_get_mut_or_null",
    "kith_column_mut",
    "kith_at_slow",
    "kith_clone_or_none",
    "kith_clone_tree_or_none",
    "kith_pointers",
    "kith_term_pointers",
    "kith_others",
    "kith_next_rows",
    "kith_system_get_mut_or_null",
    "kith_system_resource_mut_or_null",
    "kith_observed_values",
    "kith_observed_value",
    "kith_scene_parse_file",
    "kith_scene_load_file",
    "kith_scene_save_file",
};

typedef struct call_list {
    const crowd_call *calls;
    const uint32_t *count;
} call_list;

static const call_list lists[] = {
    {crowd_calls_entities, &crowd_calls_entities_count},
    {crowd_calls_world, &crowd_calls_world_count},
    {crowd_calls_beside, &crowd_calls_beside_count},
    {crowd_calls_systems, &crowd_calls_systems_count},
    {crowd_calls_relations, &crowd_calls_relations_count},
};
enum { LISTS = sizeof lists / sizeof lists[0] };

static bool is_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = strstr(words, word); at != NULL; at = strstr(at + 1, word)) {
        if ((at == words || at[-1] == ' ') && (at[length] == '\0' || at[length] == ',')) {
            return true;
        }
    }
    return false;
}

static uint64_t work_of_try(crowd *c, const crowd_call *call)
{
    if (call->within != NULL) {
        c->within = call->within;
        CHECK_RESULT(kith_run(c->world, 1), KITH_OK);
        c->within = NULL;
        return c->within_work;
    }
    uint64_t before = work_done();
    call->act(c);
    return work_done() - before;
}

/* The least work of a few tries: what grows by doubling grows now and then. */
static uint64_t work_of(crowd *c, const crowd_call *call)
{
    uint64_t least = UINT64_MAX;
    for (c->try = 0; c->try < CROWD_TRIES; c->try++) {
        c->turn++;
        CHECK(c->turn < 1u << CROWD_FRESH);
        if (call->prepare != NULL) {
            call->prepare(c);
        }
        uint64_t work = work_of_try(c, call);
        least = work < least ? work : least;
        if (call->undo != NULL) {
            call->undo(c);
        }
    }
    return least;
}

static uint32_t limit_of(const crowd_kind *kind, const crowd_call *call, uint32_t *number)
{
    for (*number = 0; *number < EXCEPTIONS; ++*number) {
        const exception *e = &exceptions[*number];
        if (strcmp(e->kind, kind->name) == 0 && is_word(call->names, e->call)) {
            return e->limit;
        }
    }
    return LIMIT;
}

static void check_call(const crowd_kind *kind, crowd *few, crowd *many, const crowd_call *call)
{
    uint64_t one = work_of(few, call);
    uint64_t other = work_of(many, call);
    uint32_t number;
    uint32_t limit = limit_of(kind, call, &number);
    if (number < EXCEPTIONS && other > one * GROWN / 100) {
        takes_more[number] = true;
    }
    if (getenv("KITH_TEST_WORK") != NULL) {
        fprintf(stderr, "%-10s %8llu %8llu  %s\n", kind->name, (unsigned long long)one,
                (unsigned long long)other, call->names);
    }
    if (other > one * limit / 100 + SOME) {
        test_fail(__FILE__, __LINE__, "%.80s: %llu blocks with %u %s, %llu with %u", call->names,
                  (unsigned long long)one, kind->count, kind->name, (unsigned long long)other,
                  kind->count * 8);
    }
}

TEST_WITHIN(30, a_call_takes_the_same_among_many_others)
{
    for (uint32_t kind = 0; kind < crowd_kind_count; kind++) {
        crowd *few = crowd_new(&crowd_kinds[kind], crowd_kinds[kind].count);
        crowd *many = crowd_new(&crowd_kinds[kind], crowd_kinds[kind].count * 8);
        for (uint32_t i = 0; i < LISTS; i++) {
            for (uint32_t k = 0; k < *lists[i].count; k++) {
                check_call(&crowd_kinds[kind], few, many, &lists[i].calls[k]);
            }
        }
    }
    for (uint32_t i = 0; i < EXCEPTIONS; i++) {
        if (!takes_more[i]) {
            test_fail(__FILE__, __LINE__, "%s no longer takes more among many %s: no exception",
                      exceptions[i].call, exceptions[i].kind);
        }
    }
}

static bool is_tried(const char *name)
{
    for (uint32_t i = 0; i < LISTS; i++) {
        for (uint32_t k = 0; k < *lists[i].count; k++) {
            if (is_word(lists[i].calls[k].names, name)) {
                return true;
            }
        }
    }
    return false;
}

static void check_is_listed(const char *name, void *context)
{
    uint32_t *listed = context;
    bool is_untried = false;
    for (size_t i = 0; i < sizeof untried / sizeof untried[0]; i++) {
        is_untried = is_untried || strcmp(untried[i], name) == 0;
    }
    *listed += is_untried;
    if (is_tried(name) == is_untried) {
        test_fail(__FILE__, __LINE__, "%s is %s", name,
                  is_untried ? "tried, and listed as not tried" : "neither tried nor listed");
    }
}

TEST(every_public_call_is_tried)
{
    uint32_t listed = 0;
    headers_each_call(check_is_listed, &listed);
    CHECK_UINT(listed, sizeof untried / sizeof untried[0]);
}
