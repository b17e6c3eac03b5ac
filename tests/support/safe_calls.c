/* Calls that cannot fail for want of memory. */
#include <kith/kith.h>

#include "calls.h"
#include "command_calls.h"
#include "mix.h"
#include "name_calls.h"
#include "pool_calls.h"
#include "reflect_calls.h"
#include "relation_calls.h"
#include "scene_calls.h"
#include "system_asks.h"
#include "text_calls.h"

static uint64_t ask_event_count(stage *s)
{
    return kith_event_count(s->world, &Position_type);
}

static uint64_t ask_event_at(stage *s)
{
    return mix_position(1, KITH_EVENT(s->world, 0, Position));
}

static uint64_t ask_event_next(stage *s)
{
    uint64_t reader = 0;
    uint64_t missed = 0;
    uint64_t answer = 0;
    const Position *position;
    while ((position = kith_event_next(s->world, &Position_type, &reader, &missed)) != NULL) {
        answer = mix_position(answer, position);
    }
    return mix(answer, missed);
}

static uint64_t ask_event_clear(stage *s)
{
    kith_event_clear(s->world, &Position_type);
    return kith_event_count(s->world, &Position_type);
}

static uint64_t ask_query_free(stage *s)
{
    kith_query_free(s->query);
    return 0;
}

static uint64_t ask_query_set_holder(stage *s)
{
    kith_query *held = s->query;
    kith_query_set_holder(s->query, &held);
    kith_query_free(s->query);
    return held == NULL;
}

static uint64_t ask_query_count(stage *s)
{
    return mix(kith_query_count(s->query), kith_query_count(s->other));
}

static uint64_t ask_query_first(stage *s)
{
    return mix_entity(mix_entity(0, kith_query_first(s->query)), kith_query_first(s->other));
}

static uint64_t ask_query_single(stage *s)
{
    kith_entity entity = KITH_NONE;
    uint64_t answer = kith_query_single(s->query, &entity);
    answer = mix(answer, kith_query_single(s->other, &entity));
    return mix_entity(answer, entity);
}

static uint64_t ask_query_explain(stage *s)
{
    size_t length = 0;
    uint64_t answer = kith_query_explain(s->other, false, NULL, 0, &length);
    answer = mix(answer, kith_query_explain(s->query, true, NULL, 0, NULL));
    return mix(answer, length);
}

static uint64_t ask_query_contains(stage *s)
{
    return 1u + kith_query_contains(s->query, s->plain) + kith_query_contains(s->other, s->full);
}

static uint64_t ask_query_world(stage *s)
{
    return 1u + (kith_query_world(s->query) == s->world);
}

static uint64_t ask_queries_close(stage *s)
{
    kith_iter it = kith_query_iter(s->other);
    bool any = kith_next(&it);
    return any + kith_queries_close(s->world);
}

static uint64_t ask_query_mark_seen(stage *s)
{
    kith_query_skip_changes(s->query);
    return kith_query_count(s->query);
}

static uint64_t ask_tracker_next(stage *s)
{
    uint64_t answer = 0;
    kith_change change;
    while (kith_tracker_next(s->tracker, &change)) {
        answer = mix_entity(answer, change.entity) + (uint64_t)change.kind;
    }
    return answer;
}

static uint64_t ask_tracker_pending(stage *s)
{
    return kith_tracker_pending(s->tracker);
}

static const char *name_the_full_one(void *context, kith_entity entity)
{
    const stage *s = context;
    return kith_entity_equal(entity, s->full) ? "full" : NULL;
}

static uint64_t ask_names(stage *s)
{
    kith_namer namer = {.name = name_the_full_one, .context = s};
    kith_namer_add(s->world, &namer);
    const uint64_t answer = kith_entity_describe(s->world, s->full).text[1] == 'f';
    kith_namer_remove(&namer);
    return answer + (namer.world == NULL);
}

static uint64_t ask_tracker_skip(stage *s)
{
    kith_tracker_skip_changes(s->tracker);
    return kith_tracker_pending(s->tracker);
}

static uint64_t ask_attach_state(stage *s)
{
    CHECK_RESULT(kith_attach_state(s->world, s, NULL), KITH_ERR_ABSENT);
    return 1;
}

static uint64_t ask_bytes_free(stage *s)
{
    kith_bytes bytes = {0};
    kith_bytes_free(s->world, &bytes);
    return bytes.size;
}

static uint64_t ask_snapshot_free(stage *s)
{
    kith_snapshot_free(s->snapshot);
    s->snapshot = NULL;
    return kith_content_hash(s->world);
}

static uint64_t ask_tracker_set_holder(stage *s)
{
    kith_tracker *held = s->tracker;
    kith_tracker_set_holder(s->tracker, &held);
    kith_tracker_free(s->tracker);
    return held == NULL;
}

static uint64_t ask_index(stage *s)
{
    kith_index *index = NULL;
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Position, x)};
    const uint64_t answer = (uint64_t)kith_index_new(s->world, &def, &index);
    kith_index_counts counts = {0};
    if (index != NULL) {
        counts = kith_index_stats(index);
    }
    kith_index_free(index);
    return answer == KITH_OK ? counts.entries : 0;
}

static uint64_t ask_unique(stage *s)
{
    kith_entity found = KITH_FIND_UNIQUE(s->world, Pass, {7});
    kith_unique_free(s->world, &Pass_type);
    return found.index1;
}

static uint64_t ask_live(stage *s)
{
    kith_live *live = NULL;
    kith_query *query = KITH_QUERY(s->world, KITH_READ(Position));
    uint64_t answer = 0;
    if (query != NULL && kith_live_new(s->world, query, &live) == KITH_OK) {
        answer = kith_live_count(live) + kith_live_has(live, s->full) +
                 kith_live_after(live, KITH_NONE).index1 + kith_live_stats(live).tested;
        query = NULL;
    }
    kith_live_free(live);
    kith_query_free(query);
    return answer;
}

static uint64_t ask_tracker_free(stage *s)
{
    kith_tracker_free(s->tracker);
    return 0;
}

/* Iterates to read: opening, batches, handles, columns and values. */
static uint64_t ask_iteration(stage *s)
{
    uint64_t answer = 0;
    kith_iter it = kith_query_iter(s->other);
    while (kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            answer = mix_entity(answer, kith_entities(&it)[i]);
            answer = mix_entity(answer, kith_others(&it, 0)[i]);
            answer = mix(answer, (uint32_t)KITH_AT(&it, i, Health)->current);
            const Health *slow = kith_at_slow(&it, 0, i, &Health_type, KITH_ACCESS_READ);
            answer = mix(answer, (uint32_t)slow->max);
        }
    }
    CHECK_RESULT(it.result, KITH_OK);
    return answer;
}

static uint64_t ask_iter_close(stage *s)
{
    kith_iter it = kith_query_iter(s->other);
    bool any = kith_next(&it);
    kith_iter_close(&it);
    return any;
}

/* To write, too, where no block has to be copied for that. */
static uint64_t ask_column(stage *s)
{
    uint64_t answer = 0;
    kith_iter it = kith_query_iter(s->all);
    CHECK(kith_next(&it));
    answer = mix_position(answer, KITH_COLUMN(&it, Position));
    kith_iter_close(&it);
    if (!s->def.shared) {
        it = kith_query_iter(s->query);
        CHECK(kith_next(&it));
        answer = mix_position(answer, KITH_COLUMN_MUT(&it, Position));
        kith_iter_close(&it);
    }
    return answer;
}

static uint64_t ask_resource_get(stage *s)
{
    return (uint64_t)KITH_RESOURCE(s->world, Health)->current;
}

static uint64_t ask_resource_remove(stage *s)
{
    return kith_resource_remove(s->world, &Health_type);
}

static uint64_t ask_resource_at(stage *s)
{
    return mix_text(0, kith_resource_at(s->world, 0)->name);
}

static uint64_t ask_run(stage *s)
{
    return mix(kith_run(s->world, 1), kith_tick_count(s->world));
}

static uint64_t ask_tick(stage *s)
{
    return kith_tick_count(s->world);
}

static uint64_t ask_random(stage *s)
{
    return kith_random_next(kith_world_random(s->world));
}

static uint64_t ask_yield(stage *s)
{
    kith_world_release(s->world);
    kith_world_claim(s->world);
    return 0;
}

static uint64_t ask_error(stage *s)
{
    CHECK_RESULT(kith_system_remove(s->world, "nobody"), KITH_ERR_UNKNOWN);
    uint64_t answer = mix_text(0, kith_error(s->world));
    CHECK_RESULT(kith_fail(s->world, KITH_ERR_SYSTEM, "failed"), KITH_ERR_SYSTEM);
    return mix_text(answer, kith_error(s->world));
}

static uint64_t ask_check(stage *s)
{
    return kith_world_check(s->world);
}

static uint64_t ask_world_hash(stage *s)
{
    return kith_world_hash(s->world);
}

static uint64_t ask_content_hash(stage *s)
{
    return kith_content_hash(s->world);
}

static uint64_t ask_reclaim(stage *s)
{
    kith_world_trim(s->world);
    return 0;
}

static uint64_t ask_types(stage *s)
{
    kith_layout layout = KITH_TABLE;
    uint64_t answer = kith_type_count(s->world);
    answer = mix_text(answer, kith_type_at(s->world, 2)->name);
    answer = mix_text(answer, kith_type_find(s->world, "Extra")->name);
    answer = mix(answer, kith_layout_of(s->world, &Extra_type, &layout));
    answer = mix(answer, kith_has_hooks(s->world, &Owned_type));
    answer = mix(answer, kith_is_transient(s->world, &Owned_type));
    answer = mix(answer, kith_require_change(s->world, "ask_types"));
    answer = mix(answer, kith_require_owner(s->world, "ask_types"));
    return mix(answer, layout);
}

static uint64_t ask_entities(stage *s)
{
    uint64_t answer = kith_entity_count(s->world);
    answer = mix(answer, 1u + kith_alive(s->world, s->plain) + kith_alive(s->world, s->gone));
    kith_entity e = KITH_NONE;
    while (!kith_is_none(e = kith_entity_next(s->world, e))) {
        answer = mix_entity(answer, e);
    }
    return answer;
}

static uint64_t ask_values(stage *s)
{
    uint64_t answer = KITH_HAS(s->world, s->full, Extra);
    answer = mix_position(answer, KITH_GET(s->world, s->plain, Position));
    Position copy = {0, 0};
    answer = mix(answer, kith_get_bytes(s->world, s->plain, &Position_type, &copy, sizeof(copy)));
    answer = mix_position(answer, &copy);
    const kith_entity entities[] = {s->plain, s->gone, s->full};
    const void *values[3];
    answer = mix(answer, kith_get_many(s->world, &Position_type, entities, 3, values));
    for (uint32_t i = 0; i < 3; i++) {
        answer = mix_position(answer, values[i]);
    }
    const kith_type *type = NULL;
    while ((type = kith_component_next(s->world, s->full, type)) != NULL) {
        answer = mix_text(answer, type->name);
    }
    return answer;
}

static uint64_t ask_memory(stage *s)
{
    kith_memory_stats memory = kith_memory(s->world);
    kith_component_stats component;
    uint64_t answer = mix(memory.used, memory.tables);
    answer = mix(answer, kith_component_memory(s->world, &Position_type, &component));
    return mix(mix(answer, component.entities), component.reserved);
}

static const char no_world[] = "has no world, and no memory of its own";
static const char reads[] = "only reads";
static const char gives_back[] = "only gives memory back";
static const char within[] = "of a tick, what was done stays: tests/system has them fail";

const safe_call safe_calls[] = {
    {"kith_result_name", no_world, NULL},
    {"kith_version", no_world, NULL},
    {"kith_entity_to_text", no_world, NULL},
    {"kith_entity_from_text", no_world, NULL},
    {"kith_kind_size", no_world, NULL},
    {"kith_kind_name", no_world, NULL},
    {"kith_misuse", no_world, NULL},
    {"kith_log", no_world, NULL},
    {"kith_world_allocator", reads, scene_call_ask},
    {"kith_attached", reads, scene_call_ask},
    {"kith_attach_state", "only notes three functions", ask_attach_state},
    {"kith_fail", "the text has a place of its own", ask_error},
    {"kith_query_world", reads, ask_query_world},
    {"kith_queries_close", gives_back, ask_queries_close},
    {"kith_require_owner", reads, ask_types},
    {"kith_print_value_named", "writes into what it is given", scene_call_ask},
    {"kith_print_field", "writes into what it is given", scene_call_ask},
    {"kith_read_token", no_world, scene_call_ask},
    {"kith_token_is", no_world, scene_call_ask},
    {"kith_read_name", no_world, scene_call_ask},
    {"kith_read_value", no_world, scene_call_ask},
    {"kith_read_fail", no_world, scene_call_ask},
    {"kith_read_expected", no_world, scene_call_ask},
    {"kith_read_place", no_world, scene_call_ask},
    {"kith_hint_offer", no_world, scene_call_ask},
    {"kith_hint_text", no_world, scene_call_ask},
    {"kith_print_text_error", no_world, text_call_ask_error},
    {"kith_select_free", gives_back, NULL},
    {"kith_select_row_count", "only reads a selection, which takes memory", NULL},
    {"kith_select_column_count", "only reads a selection, which takes memory", NULL},
    {"kith_select_column", "only reads a selection, which takes memory", NULL},
    {"kith_select_value", "only reads a selection, which takes memory", NULL},
    {"kith_select_print", "only reads a selection, which takes memory", NULL},
    {"kith_scene_free", "gives back what a scene took", NULL},
    {"kith_scene_find", "only reads a scene, which takes memory", NULL},
    {"kith_scene_index_of", "only reads a scene, which takes memory", NULL},
    {"kith_scene_file", "only reads a scene, which takes memory", NULL},
    {"kith_scene_count", "only reads a scene, which takes memory", NULL},
    {"kith_scene_at", "only reads a scene, which takes memory", NULL},
    {"kith_scene_place_at", "only reads a scene, which takes memory", NULL},
    {"kith_scene_name", "only reads a scene, which takes memory", NULL},
    {"kith_scene_prefab", "only reads a scene, which takes memory", NULL},
    {"kith_scene_prefab_at", "only reads a scene, which takes memory", NULL},
    {"kith_prefab_name", "only reads a scene, which takes memory", NULL},
    {"kith_prefab_get", "only reads a scene, which takes memory", NULL},
    {"kith_prefab_get_part", "only reads a scene, which takes memory", NULL},
    {"kith_world_new", "swept by a test of its own: there is no world before it", NULL},
    {"kith_world_free", "gives back; each fixture ends with it", NULL},
    {"kith_world_release", "changes the owner alone", ask_yield},
    {"kith_world_claim", "changes the owner alone", ask_yield},
    {"kith_error", "the text has a place of its own", ask_error},
    {"kith_world_check", reads, ask_check},
    {"kith_world_hash", reads, ask_world_hash},
    {"kith_content_hash", reads, ask_content_hash},
    {"kith_world_random", "the stream has a place of its own", ask_random},
    {"kith_world_trim", gives_back, ask_reclaim},
    {"kith_type_count", reads, ask_types},
    {"kith_type_at", reads, ask_types},
    {"kith_type_find", reads, ask_types},
    {"kith_layout_of", reads, ask_types},
    {"kith_has_hooks", reads, ask_types},
    {"kith_is_transient", reads, ask_types},
    {"kith_require_change", reads, ask_types},
    {"kith_alive", reads, ask_entities},
    {"kith_entity_count", reads, ask_entities},
    {"kith_entity_next", reads, ask_entities},
    {"kith_has", reads, ask_values},
    {"kith_get", reads, ask_values},
    {"kith_get_bytes", reads, ask_values},
    {"kith_get_many", reads, ask_values},
    {"kith_component_next", reads, ask_values},
    {"kith_memory", reads, ask_memory},
    {"kith_component_memory", reads, ask_memory},
    {"kith_event_count", reads, ask_event_count},
    {"kith_event_at", reads, ask_event_at},
    {"kith_event_next", reads, ask_event_next},
    {"kith_event_clear", "moves a mark over what is dropped", ask_event_clear},
    {"kith_query_free", gives_back, ask_query_free},
    {"kith_query_set_holder", "notes a place", ask_query_set_holder},
    {"kith_query_count", reads, ask_query_count},
    {"kith_query_first", reads, ask_query_first},
    {"kith_query_single", reads, ask_query_single},
    {"kith_query_explain", reads, ask_query_explain},
    {"kith_query_contains", reads, ask_query_contains},
    {"kith_query_skip_changes", reads, ask_query_mark_seen},
    {"kith_tracker_next", gives_back, ask_tracker_next},
    {"kith_tracker_pending", reads, ask_tracker_pending},
    {"kith_tracker_skip_changes", gives_back, ask_tracker_skip},
    {"kith_tracker_free", gives_back, ask_tracker_free},
    {"kith_snapshot_free", gives_back, ask_snapshot_free},
    {"kith_bytes_free", gives_back, ask_bytes_free},
    {"kith_index_stats", reads, ask_index},
    {"kith_unique_find", reads, ask_unique},
    {"kith_unique_free", gives_back, ask_unique},
    {"kith_target", reads, relation_call_ask},
    {"kith_source_first", reads, relation_call_ask},
    {"kith_source_last", reads, relation_call_ask},
    {"kith_source_next", reads, relation_call_ask},
    {"kith_source_previous", reads, relation_call_ask},
    {"kith_source_count", reads, relation_call_ask},
    {"kith_sources_of", reads, relation_call_ask},
    {"kith_links_from", reads, relation_call_ask},
    {"kith_links_to", reads, relation_call_ask},
    {"kith_link_find", reads, relation_call_ask},
    {"kith_children", reads, relation_call_ask},
    {"kith_parent", reads, relation_call_ask},
    {"kith_child_first", reads, relation_call_ask},
    {"kith_child_last", reads, relation_call_ask},
    {"kith_child_next", reads, relation_call_ask},
    {"kith_child_previous", reads, relation_call_ask},
    {"kith_child_count", reads, relation_call_ask},
    {"kith_root", reads, relation_call_ask},
    {"kith_depth", reads, relation_call_ask},
    {"kith_is_enabled", reads, relation_call_ask},
    {"kith_is_ancestor", reads, relation_call_ask},
    {"kith_common_ancestor", reads, relation_call_ask},
    {"kith_descendant_next", reads, relation_call_ask},
    {"kith_descendant_next_by_level", reads, relation_call_ask},
    {"kith_name_of", reads, name_call_ask},
    {"kith_find", reads, name_call_ask},
    {"kith_find_from", reads, name_call_ask},
    {"kith_find_child", reads, name_call_ask},
    {"kith_path", reads, name_call_ask},
    {"kith_live_count", reads, ask_live},
    {"kith_live_has", reads, ask_live},
    {"kith_live_after", reads, ask_live},
    {"kith_live_stats", reads, ask_live},
    {"kith_live_free", gives_back, ask_live},
    {"kith_index_free", gives_back, ask_index},
    {"kith_tracker_set_holder", "notes a place", ask_tracker_set_holder},
    {"kith_namer_add", "links a struct of the caller's", ask_names},
    {"kith_namer_remove", "links a struct of the caller's", ask_names},
    {"kith_entity_describe", reads, ask_names},
    {"kith_iter_close", gives_back, ask_iter_close},
    {"kith_entities", reads, ask_iteration},
    {"kith_others", reads, ask_iteration},
    {"kith_column", "kith_next has made it ready", ask_column},
    {"kith_column_mut", "kith_next has made it ready", ask_column},
    {"kith_at_slow", "kith_next has made it ready", ask_iteration},
    {"kith_pointers", "kith_next_rows has made room for them", NULL},
    {"kith_term_pointers", "the batch has room for them", NULL},
    {"kith_resource_get", reads, ask_resource_get},
    {"kith_resource_remove", gives_back, ask_resource_remove},
    {"kith_resource_at", reads, ask_resource_at},
    {"kith_system_remove", gives_back, system_ask_remove},
    {"kith_system_enable", "changes a flag", system_ask_enable},
    {"kith_system_explain", reads, system_ask_explain},
    {"kith_system_at", reads, system_ask_at},
    {"kith_clock_start", "a struct of the caller's", NULL},
    {"kith_clock_frame", "a struct of the caller's", NULL},
    {"kith_clock_now", "asks the system", NULL},
    {"kith_observer_free", gives_back, system_ask_observer_free},
    {"kith_observed_values", reads, system_ask_observed_values},
    {"kith_observed_value", reads, system_ask_observed_value},
    {"kith_profile_stop", gives_back, system_ask_profile_stop},
    {"kith_profile_system", reads, system_ask_profile_system},
    {"kith_profile_trace", reads, system_ask_profile_trace},
    {"kith_system_group_enable", "changes a flag", system_ask_group_enable},
    {"kith_phase_at", reads, system_ask_phase_at},
    {"kith_schedule_build", "there is room since systems were added", system_ask_schedule_build},
    {"kith_schedule_print", "writes to the caller's text", system_ask_schedule_print},
    {"kith_schedule_dot", "writes to the caller's text", system_ask_schedule_dot},
    {"kith_thread_count", reads, system_ask_thread_count},
    {"kith_system_query_at", within, NULL},
    {"kith_system_parallel", within, NULL},
    {"kith_system_alive", within, NULL},
    {"kith_system_has", within, NULL},
    {"kith_system_has_hooks", within, NULL},
    {"kith_system_get", within, NULL},
    {"kith_system_lookup", within, NULL},
    {"kith_system_get_mut", within, NULL},
    {"kith_system_get_mut_or_null", within, NULL},
    {"kith_system_resource", within, NULL},
    {"kith_system_resource_mut", within, NULL},
    {"kith_system_resource_mut_or_null", within, NULL},
    {"kith_system_send", within, NULL},
    {"kith_system_event", within, NULL},
    {"kith_system_event_count", within, NULL},
    {"kith_system_random", within, NULL},
    {"kith_system_random_stream", within, NULL},
    {"kith_random_next", "a struct of the caller's", NULL},
    {"kith_random_float", "a struct of the caller's", NULL},
    {"kith_random_uniform", "a struct of the caller's", NULL},
    {"kith_random_int", "a struct of the caller's", NULL},
    {"kith_random_index", "a struct of the caller's", NULL},
    {"kith_random_chance", "a struct of the caller's", NULL},
    {"kith_random_normal", "a struct of the caller's", NULL},
    {"kith_random_shuffle", "a struct of the caller's", NULL},
    {"kith_run", "needs none but what its systems need, and what they did is to stay", ask_run},
    {"kith_tick_count", reads, ask_tick},
    {"kith_field_find", reads, reflect_call_ask},
    {"kith_get_field", reads, reflect_call_ask},
    {"kith_print_value", reads, reflect_call_ask},
    {"kith_print_entity", reads, reflect_call_ask},
    {"kith_print_difference", reads, reflect_call_ask},
    {"kith_text_get", reads, text_call_ask},
    {"kith_text_find", reads, text_call_ask},
    {"kith_pool_free", gives_back, pool_call_ask},
    {"kith_pool_kill", "the list of free slots runs through the dead records", pool_call_ask},
    {"kith_pool_clear", "the list of free slots runs through the dead records", pool_call_ask},
    {"kith_pool_alive", reads, pool_call_ask},
    {"kith_pool_get", reads, pool_call_ask},
    {"kith_pool_get_mut", "blocks of pools are never shared", pool_call_ask},
    {"kith_pool_next", reads, pool_call_ask},
    {"kith_pool_next_mut", "blocks of pools are never shared", pool_call_ask},
    {"kith_pool_at", reads, pool_call_ask},
    {"kith_pool_count", reads, pool_call_ask},
    {"kith_pool_memory", reads, pool_call_ask},
    {"kith_pool_check", reads, pool_call_ask},
    {"kith_commands_free", gives_back, command_call_ask},
    {"kith_commands_set_holder", "notes a place", command_call_ask},
    {"kith_commands_discard", gives_back, command_call_ask},
    {"kith_commands_real", reads, command_call_ask},
    {"kith_commands_error", "the text has a place of its own", command_call_ask},
    {"kith_commands_memory", reads, command_call_ask},
    {"kith_commands_world", reads, command_call_ask},
};
const size_t safe_count = sizeof(safe_calls) / sizeof(safe_calls[0]);
