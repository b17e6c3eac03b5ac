/* Each call on nothing: without a world, a query or an iterator. There is no handler to ask, so the
 * program ends, with a message that names the call. */
#include <kith/clock.h>
#include <kith/hierarchy.h>
#include <kith/observer.h>
#include <kith/profile.h>
#include <kith/scene.h>
#include <kith/schedule.h>

#include "children.h"
#include "components.h"
#include "headers.h"

static const kith_entity somebody = {1, 0};
static void *nowhere;
static kith_entity a_handle;
static kith_change a_change;
static kith_text a_text;
static const kith_value no_value = {&Position_type, NULL};
static const kith_operand no_operand = {.kind = KITH_OPERAND_NONE};
static const kith_index_def an_index = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Position, x)};
static const kith_unique_def a_key = {KITH_FIELDS(Position, x)};
static const kith_sort_def a_sort = {.type = &Position_type, .field = "x"};
static const kith_system_def a_system = {.name = "system"};

typedef struct call_on_nothing {
    const char *name;
    void (*run)(void);
    const struct call_on_nothing *next;
} call_on_nothing;

static const call_on_nothing *calls;

/* CALL(name, arguments): a call to make. */
#define CALL(name_, ...)                                                                           \
    static void call_##name_(void)                                                                 \
    {                                                                                              \
        (void)name_(__VA_ARGS__);                                                                  \
    }                                                                                              \
    __attribute__((constructor)) static void list_##name_(void)                                    \
    {                                                                                              \
        static call_on_nothing self = {#name_, call_##name_, NULL};                                \
        self.next = calls;                                                                         \
        calls = &self;                                                                             \
    }

CALL(kith_misuse, NULL, "kith_misuse: nobody to ask")
CALL(kith_log, NULL, KITH_LOG_ERROR, "nobody to tell")
CALL(kith_attach, NULL, NULL, NULL, NULL)
CALL(kith_attach_state, NULL, NULL, NULL)
CALL(kith_attached, NULL, NULL)
CALL(kith_world_allocator, NULL)
CALL(kith_fail, NULL, KITH_ERR_INPUT, "failed")
CALL(kith_require_owner, NULL, "kith_require_owner")
CALL(kith_query_world, NULL)
CALL(kith_queries_close, NULL)
CALL(kith_commands_world, NULL)
CALL(kith_print_value_named, NULL, NULL, NULL, NULL, NULL, NULL, 0)
CALL(kith_print_field, NULL, NULL, NULL, NULL, 0)
CALL(kith_read_token, NULL)
CALL(kith_token_is, NULL, "x")
CALL(kith_read_name, NULL, "a name", NULL, 0)
CALL(kith_read_value, NULL, &Position_type, NULL)
CALL(kith_read_fail, NULL, NULL, "%s", "x")
CALL(kith_read_expected, NULL, "%s", "x")
CALL(kith_read_place, NULL, NULL, NULL, NULL)
CALL(kith_hint_offer, NULL, "x")
CALL(kith_hint_text, NULL)
CALL(kith_print_text_error, NULL, NULL, NULL, 0)
CALL(kith_scene_load, NULL, "", 0, NULL, NULL)
CALL(kith_scene_load_file, NULL, "", NULL, NULL)
CALL(kith_scene_parse, NULL, "", 0, NULL, NULL)
CALL(kith_scene_parse_file, NULL, "", NULL, NULL)
CALL(kith_scene_new, NULL, NULL, NULL, NULL)
CALL(kith_scene_index_of, NULL, (kith_entity){0})
CALL(kith_scene_file, NULL, 0)
CALL(kith_scene_set_name, NULL, 0, "x")
CALL(kith_scene_add, NULL, (kith_entity){0}, NULL, NULL)
CALL(kith_scene_spawn, NULL)
CALL(kith_scene_find, NULL, "x")
CALL(kith_scene_count, NULL)
CALL(kith_scene_at, NULL, 0)
CALL(kith_scene_name, NULL, 0)
CALL(kith_scene_place_at, NULL, 0)
CALL(kith_scene_prefab, NULL, "x")
CALL(kith_scene_prefab_at, NULL, 0)
CALL(kith_prefab_name, NULL)
CALL(kith_prefab_get, NULL, &Position_type, NULL)
CALL(kith_prefab_get_part, NULL, "p", &Position_type, NULL)
CALL(kith_prefab_spawn_parts, NULL, NULL, 0, NULL)
CALL(kith_prefab_queue_parts, NULL, NULL, NULL, 0)
CALL(kith_prefab_spawn, NULL, NULL, 0, NULL)
CALL(kith_prefab_spawn_or_none, NULL, NULL, NULL, 0)
CALL(kith_prefab_spawn_many, NULL, 1, NULL, 0, NULL)
CALL(kith_prefab_queue, NULL, NULL, NULL, 0)
CALL(kith_scene_save, NULL, NULL, NULL, NULL, NULL)
CALL(kith_scene_save_file, NULL, NULL, "", NULL)
CALL(kith_world_release, NULL)
CALL(kith_world_claim, NULL)
CALL(kith_error, NULL)
CALL(kith_world_check, NULL)
CALL(kith_world_hash, NULL)
CALL(kith_content_hash, NULL)
CALL(kith_world_trim, NULL)
CALL(kith_register, NULL, &Position_type, NULL)
CALL(kith_register_many, NULL, NULL, 0)
CALL(kith_type_count, NULL)
CALL(kith_type_at, NULL, 0)
CALL(kith_type_find, NULL, "Position")
CALL(kith_layout_of, NULL, &Position_type, NULL)
CALL(kith_has_hooks, NULL, &Position_type)
CALL(kith_is_transient, NULL, &Position_type)
CALL(kith_require_change, NULL, "kith_require_change")
CALL(kith_spawn, NULL, NULL, 0, &a_handle)
CALL(kith_spawn_or_none, NULL, NULL, 0)
CALL(kith_spawn_empty, NULL)
CALL(kith_spawn_many, NULL, 1, NULL, 0, NULL)
CALL(kith_clone, NULL, somebody, &a_handle)
CALL(kith_clone_or_none, NULL, somebody)
CALL(kith_clone_tree, NULL, somebody, &a_handle)
CALL(kith_clone_tree_or_none, NULL, somebody)
CALL(kith_despawn, NULL, somebody)
CALL(kith_despawn_many, NULL, &somebody, 1, NULL)
CALL(kith_alive, NULL, somebody)
CALL(kith_entity_count, NULL)
CALL(kith_entity_next, NULL, KITH_NONE)
CALL(kith_set, NULL, somebody, &Position_type, NULL)
CALL(kith_set_values, NULL, somebody, &no_value, 1)
CALL(kith_set_bytes, NULL, somebody, &Position_type, &a_handle, 8)
CALL(kith_add, NULL, somebody, &Position_type)
CALL(kith_remove, NULL, somebody, &Position_type)
CALL(kith_remove_all, NULL, somebody)
CALL(kith_has, NULL, somebody, &Position_type)
CALL(kith_get, NULL, somebody, &Position_type)
CALL(kith_get_mut, NULL, somebody, &Position_type, &nowhere)
CALL(kith_get_mut_or_null, NULL, somebody, &Position_type)
CALL(kith_get_bytes, NULL, somebody, &Position_type, &a_handle, 8)
CALL(kith_get_many, NULL, &Position_type, NULL, 0, NULL)
CALL(kith_lookup_new, NULL, &Position_type)
CALL(kith_component_next, NULL, somebody, NULL)
CALL(kith_memory, NULL)
CALL(kith_component_memory, NULL, &Position_type, NULL)
CALL(kith_table_memory, NULL, 0, NULL, NULL, 0)
CALL(kith_resource_set, NULL, &Position_type, NULL)
CALL(kith_resource_get, NULL, &Position_type)
CALL(kith_resource_get_mut, NULL, &Position_type, &nowhere)
CALL(kith_resource_mut_or_null, NULL, &Position_type)
CALL(kith_resource_remove, NULL, &Position_type)
CALL(kith_resource_at, NULL, 0)
CALL(kith_event_register, NULL, &Position_type, NULL)
CALL(kith_event_send, NULL, &Position_type, NULL)
CALL(kith_event_send_many, NULL, &Position_type, NULL, 1)
CALL(kith_event_reserve, NULL, &Position_type, 1)
CALL(kith_event_count, NULL, &Position_type)
CALL(kith_event_at, NULL, &Position_type, 0)
CALL(kith_event_next, NULL, &Position_type, NULL, NULL)
CALL(kith_event_clear, NULL, &Position_type)
CALL(kith_query_new, NULL, NULL, NULL)
CALL(kith_query_new_or_null, NULL, NULL)
CALL(kith_system_add, NULL, &a_system)
CALL(kith_system_remove, NULL, "system")
CALL(kith_system_enable, NULL, "system", true)
CALL(kith_system_bind_operand, NULL, "system", "limit", kith_bound("no value"))
CALL(kith_system_explain, NULL, "system", 0, NULL, 0, NULL)
CALL(kith_system_at, NULL, 0, NULL, NULL)
CALL(kith_system_replace, NULL, &a_system)
CALL(kith_system_group_enable, NULL, "group", true)
CALL(kith_phase_add, NULL, "phase", NULL)
CALL(kith_phase_at, NULL, 0)
CALL(kith_schedule_build, NULL)
CALL(kith_schedule_print, NULL, NULL, 0, NULL)
CALL(kith_schedule_dot, NULL, NULL, 0, NULL)
CALL(kith_workers_set, NULL, NULL)
CALL(kith_thread_count, NULL)
CALL(kith_system_query_at, NULL, 1, "x.c", 1)
CALL(kith_system_parallel, NULL, NULL, NULL, NULL)
CALL(kith_system_alive, NULL, somebody)
CALL(kith_system_has_hooks, NULL, &Position_type)
CALL(kith_query_set_holder, NULL, NULL)
CALL(kith_tracker_set_holder, NULL, NULL)
CALL(kith_namer_add, NULL, NULL)
CALL(kith_entity_describe, NULL, KITH_NONE)
CALL(kith_commands_set_holder, NULL, NULL)
CALL(kith_system_has, NULL, somebody, &Position_type)
CALL(kith_system_get, NULL, somebody, &Position_type)
CALL(kith_system_lookup, NULL, &Position_type)
CALL(kith_system_get_mut, NULL, somebody, &Position_type, &nowhere)
CALL(kith_system_get_mut_or_null, NULL, somebody, &Position_type)
CALL(kith_system_resource, NULL, &Position_type)
CALL(kith_system_resource_mut, NULL, &Position_type, &nowhere)
CALL(kith_system_resource_mut_or_null, NULL, &Position_type)
CALL(kith_system_send, NULL, &Position_type, NULL)
CALL(kith_system_event, NULL, &Position_type, 0)
CALL(kith_system_event_count, NULL, &Position_type)
CALL(kith_system_random, NULL)
CALL(kith_system_random_stream, NULL)
CALL(kith_random_next, NULL)
CALL(kith_random_float, NULL)
CALL(kith_random_uniform, NULL, 0, 1)
CALL(kith_random_int, NULL, 0, 1)
CALL(kith_random_index, NULL, 1)
CALL(kith_random_chance, NULL, 1)
CALL(kith_random_normal, NULL, 0, 1)
CALL(kith_random_shuffle, NULL, NULL, 0, 1)
CALL(kith_clock_start, NULL, NULL)
CALL(kith_clock_frame, NULL)
CALL(kith_observer_new, NULL, NULL, NULL)
CALL(kith_observers_flush, NULL)
CALL(kith_observed_values, NULL, NULL)
CALL(kith_observed_value, NULL, 0, NULL)
CALL(kith_profile_start, NULL, 0)
CALL(kith_profile_stop, NULL)
CALL(kith_profile_system, NULL, "system", NULL)
CALL(kith_profile_trace, NULL, NULL, NULL)
CALL(kith_run, NULL, 1)
CALL(kith_world_random, NULL)
CALL(kith_tick_count, NULL)
CALL(kith_query_count, NULL)
CALL(kith_query_skip_changes, NULL)
CALL(kith_snapshot_take, NULL, (kith_snapshot **)&nowhere)
CALL(kith_snapshot_restore, NULL, NULL)
CALL(kith_snapshot_diff, NULL, NULL, NULL, NULL)
CALL(kith_view_new, NULL, NULL, (kith_world **)&nowhere)
CALL(kith_fork_new, NULL, NULL, (kith_world **)&nowhere)
CALL(kith_snapshot_diff_bytes, NULL, NULL, NULL)
CALL(kith_diff_apply, NULL, "KTHD", 4)
CALL(kith_world_save, NULL, &(kith_bytes){0})
CALL(kith_world_load, NULL, "KTHS", 4)
CALL(kith_world_save_file, NULL, "")
CALL(kith_world_load_file, NULL, "")
CALL(kith_bytes_free, NULL, &(kith_bytes){0})
CALL(kith_print_difference, NULL, NULL, NULL, 0)
CALL(kith_tracker_new, NULL, &Position_type, (kith_tracker **)&nowhere)
CALL(kith_tracker_next, NULL, &a_change)
CALL(kith_tracker_pending, NULL)
CALL(kith_tracker_skip_changes, NULL)
CALL(kith_query_first, NULL)
CALL(kith_within_box, NULL, (kith_point){0}, (kith_point){0}, NULL, &(kith_index_found){0})
CALL(kith_within_radius, NULL, (kith_point){0}, 1, NULL, &(kith_index_found){0})
CALL(kith_nearest, NULL, (kith_point){0}, 1, NULL, &(kith_near){0}, &(uint32_t){0})
CALL(kith_along, NULL, (kith_point){0}, (kith_point){0}, 1, NULL, &(kith_near){0}, &(uint32_t){0})
CALL(kith_pairs, NULL, 1, NULL, &(kith_pairs_found){0})
CALL(kith_query_single, NULL, &a_handle)
CALL(kith_query_contains, NULL, somebody)
CALL(kith_query_bind_operand, NULL, "limit", kith_bound("no value"))
CALL(kith_query_iter_at, NULL, "file", 1)
CALL(kith_query_iter_one_at, NULL, somebody, "file", 1)
CALL(kith_next_slow, NULL)
CALL(kith_iter_close, NULL)
CALL(kith_entities, NULL)
CALL(kith_others, NULL, 0)
CALL(kith_column, NULL, &Position_type)
CALL(kith_column_mut, NULL, &Position_type)
CALL(kith_at_slow, NULL, KITH_TERM_OF_TYPE_, 0, &Position_type, KITH_ACCESS_READ)
CALL(kith_pointers, NULL, &Position_type, KITH_ACCESS_READ)
CALL(kith_term_pointers, NULL, 0, &Position_type)
CALL(kith_next_rows, NULL)
CALL(kith_define, NULL, NULL, NULL)
CALL(kith_get_field, NULL, somebody, &Position_type, "x", KITH_F32, &a_handle, 4)
CALL(kith_sort, NULL, &a_sort)
CALL(kith_index_new_or_null, NULL, &an_index)
CALL(kith_index_new, NULL, &an_index, (kith_index **)&nowhere)
CALL(kith_index_find, NULL, &a_handle, (kith_index_found *)&nowhere)
CALL(kith_index_range, NULL, &(kith_range){0}, (kith_index_found *)&nowhere)
CALL(kith_index_prefix, NULL, "a", (kith_index_found *)&nowhere)
CALL(kith_index_nearest, NULL, &a_handle, 1, (kith_index_found *)&nowhere)
CALL(kith_index_stats, NULL)
CALL(kith_unique_new, NULL, &a_key)
CALL(kith_unique_free, NULL, &Position_type)
CALL(kith_unique_find, NULL, &Position_type, &a_handle)
CALL(kith_target, NULL, somebody, &kith_child_of_type)
CALL(kith_source_first, NULL, somebody, &kith_child_of_type)
CALL(kith_source_last, NULL, somebody, &kith_child_of_type)
CALL(kith_source_next, NULL, somebody, &kith_child_of_type)
CALL(kith_source_previous, NULL, somebody, &kith_child_of_type)
CALL(kith_source_count, NULL, somebody, &kith_child_of_type)
CALL(kith_sources_of, NULL, somebody, &kith_child_of_type)
CALL(kith_links_from, NULL, somebody, &kith_child_of_type)
CALL(kith_links_to, NULL, somebody, &kith_child_of_type)
CALL(kith_link_find, NULL, somebody, somebody, &kith_child_of_type)
CALL(kith_children, NULL, somebody)
CALL(kith_source_place, NULL, somebody, &kith_child_of_type, KITH_NONE)
CALL(kith_set_parent, NULL, somebody, somebody)
CALL(kith_parent, NULL, somebody)
CALL(kith_child_first, NULL, somebody)
CALL(kith_child_last, NULL, somebody)
CALL(kith_child_next, NULL, somebody)
CALL(kith_child_previous, NULL, somebody)
CALL(kith_child_count, NULL, somebody)
CALL(kith_insert_child, NULL, somebody, somebody)
CALL(kith_sort_children, NULL, somebody, NULL, NULL)
CALL(kith_root, NULL, somebody)
CALL(kith_depth, NULL, somebody)
CALL(kith_is_ancestor, NULL, somebody, somebody)
CALL(kith_is_enabled, NULL, somebody)
CALL(kith_common_ancestor, NULL, somebody, somebody)
CALL(kith_descendant_next, NULL, somebody, somebody)
CALL(kith_descendant_next_by_level, NULL, somebody, somebody)
CALL(kith_set_name, NULL, somebody, "named")
CALL(kith_name_of, NULL, somebody)
CALL(kith_find, NULL, "named")
CALL(kith_find_from, NULL, somebody, "named")
CALL(kith_find_child, NULL, somebody, "named")
CALL(kith_path, NULL, somebody, NULL, 0)
CALL(kith_live_new, NULL, NULL, (kith_live **)&nowhere)
CALL(kith_live_next, NULL, (kith_live_changes *)&nowhere)
CALL(kith_live_count, NULL)
CALL(kith_live_has, NULL, somebody)
CALL(kith_live_after, NULL, somebody)
CALL(kith_live_stats, NULL)
CALL(kith_set_field, NULL, somebody, &Position_type, "x", KITH_F32, &a_handle, 4)
CALL(kith_text_intern, NULL, "text", &a_text)
CALL(kith_text_intern_bytes, NULL, "text", 4, &a_text)
CALL(kith_text_get, NULL, a_text, NULL)
CALL(kith_text_find, NULL, "text", NULL)
CALL(kith_print_value, NULL, NULL, NULL, NULL, 0)
CALL(kith_parse_value, NULL, &Position_type, "{ }", &a_handle)
CALL(kith_print_entity, NULL, somebody, NULL, 0, NULL)
CALL(kith_query_text, NULL, "*", NULL)
CALL(kith_query_text_tidy, NULL, "*", NULL, 0, NULL, NULL)
CALL(kith_query_explain, NULL, false, NULL, 0, NULL)
CALL(kith_select_new, NULL, "*", NULL, (kith_select **)&nowhere)
CALL(kith_select_bind_operand, NULL, "x", no_operand)
CALL(kith_select_run, NULL)
CALL(kith_select_row_count, NULL)
CALL(kith_select_column_count, NULL)
CALL(kith_select_column, NULL, 0)
CALL(kith_select_value, NULL, 0, 0)
CALL(kith_select_print, NULL, 0, KITH_SELECT_TEXT, NULL, 0)
CALL(kith_field_from_text, NULL, somebody, &Position_type, "x", "1")
CALL(kith_parse_entity, NULL, somebody, "Position")
CALL(kith_transfer, NULL, &somebody, 1, NULL, NULL)
CALL(kith_commands_new, NULL, NULL)
CALL(kith_commands_apply, NULL, NULL)
CALL(kith_commands_discard, NULL)
CALL(kith_commands_real, NULL, somebody)
CALL(kith_commands_error, NULL)
CALL(kith_commands_memory, NULL)
CALL(kith_commands_spawn, NULL)
CALL(kith_commands_spawn_values, NULL, &no_value, 1)
CALL(kith_commands_clone, NULL, somebody)
CALL(kith_commands_clone_tree, NULL, somebody)
CALL(kith_commands_despawn, NULL, somebody)
CALL(kith_commands_set, NULL, somebody, &Position_type, NULL)
CALL(kith_commands_set_values, NULL, somebody, &no_value, 1)
CALL(kith_commands_set_bytes, NULL, somebody, &Position_type, &a_handle, 8)
CALL(kith_commands_add, NULL, somebody, &Position_type)
CALL(kith_commands_remove, NULL, somebody, &Position_type)
CALL(kith_commands_remove_all, NULL, somebody)

/* The message names the call as a program writes it: without the ending of what a macro stands for, or
 * with the macro after it. */
TEST_WITHIN(10, every_call_on_nothing_ends_the_program)
{
    for (const call_on_nothing *call = calls; call != NULL; call = call->next) {
        child c;
        char text[2048];
        test_note(call->name);
        if (child_start(&c)) {
            call->run();
            _exit(0);
        }
        int status = child_end(&c, text, sizeof(text));
        CHECK(WIFSIGNALED(status));
        CHECK_INT(WTERMSIG(status), SIGABRT);
        CHECK(strncmp(text, "kith: kith_", 11) == 0);
        char *end = text + 6 + strcspn(text + 6, ": ");
        CHECK(*end == ':' || strncmp(end, " (KITH_", 7) == 0);
        *end = '\0';
        CHECK_INT(strncmp(call->name, text + 6, strlen(text + 6)), 0);
        CHECK_CONTAINS(end + 1, "\n");
    }
    test_note(NULL);
}

/* Freeing nothing is fine, and some calls have no object at all. */
static void check_is_listed(const char *name, void *context)
{
    static const char *const others[] = {
        "kith_world_new",      "kith_world_free",       "kith_query_free",    "kith_result_name",
        "kith_version",        "kith_tracker_free",     "kith_kind_size",     "kith_kind_name",
        "kith_entity_to_text", "kith_entity_from_text", "kith_commands_free", "kith_field_find",
        "kith_clock_now",      "kith_observer_free",    "kith_scene_free",    "kith_namer_remove",
        "kith_snapshot_free",  "kith_select_free",      "kith_index_free",    "kith_live_free",
    };
    (void)context;
    if (strncmp(name, "kith_pool_", 10) == 0) {
        return; /* pools belong to no world, and have tests of their own */
    }
    for (const call_on_nothing *call = calls; call != NULL; call = call->next) {
        if (strcmp(call->name, name) == 0) {
            return;
        }
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (strcmp(others[i], name) == 0) {
            return;
        }
    }
    test_fail(__FILE__, __LINE__, "%s is not called on nothing here", name);
}

TEST(every_call_of_the_headers_is_here)
{
    uint32_t count = 0;
    for (const call_on_nothing *call = calls; call != NULL; call = call->next) {
        count++;
    }
    CHECK(headers_each_call(check_is_listed, NULL) >= count);
    kith_world_free(NULL);
    kith_query_free(NULL);
    kith_tracker_free(NULL);
    kith_snapshot_free(NULL);
    kith_select_free(NULL);
    kith_commands_free(NULL);
    kith_scene_free(NULL);
}
