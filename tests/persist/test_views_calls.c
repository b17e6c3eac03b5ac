/* Each public call is made on a view: those that read work, those that would change it are told, and
 * nothing changes. */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "callers.h"

/* Calls that are misuse on a view. */
static const char *const changing[] = {
    "kith_require_change",
    "kith_world_random",
    "kith_world_trim",
    "kith_register",
    "kith_register_many",
    "kith_spawn",
    "kith_spawn_or_none",
    "kith_spawn_empty",
    "kith_spawn_many",
    "kith_clone",
    "kith_clone_or_none",
    "kith_clone_tree",
    "kith_clone_tree_or_none",
    "kith_despawn",
    "kith_despawn_many",
    "kith_set",
    "kith_set_values",
    "kith_set_bytes",
    "kith_add",
    "kith_remove",
    "kith_remove_all",
    "kith_get_mut",
    "kith_get_mut_or_null",
    "kith_resource_set",
    "kith_resource_get_mut",
    "kith_resource_mut_or_null",
    "kith_resource_remove",
    "kith_event_register",
    "kith_event_send",
    "kith_event_reserve",
    "kith_event_send_many",
    "kith_event_clear",
    "kith_transfer",
    "kith_commands_apply",
    "kith_snapshot_take",
    "kith_snapshot_restore",
    "kith_system_add",
    "kith_system_replace",
    "kith_system_remove",
    "kith_system_enable",
    "kith_system_group_enable",
    "kith_run",
    "kith_phase_add",
    "kith_workers_set",
    "kith_observer_new",
    "kith_observers_flush",
    "kith_define",
    "kith_set_field",
    "kith_sort",
    "kith_field_from_text",
    "kith_parse_entity",
    "kith_scene_load",
    "kith_scene_load_file",
    "kith_diff_apply",
    "kith_world_save",
    "kith_world_load",
    "kith_world_save_file",
    "kith_world_load_file",
    "kith_game_register",
    "kith_game_add_systems",
    "kith_grid_new",
    "kith_set_name",
    "kith_unique_new",
    "kith_unique_free",
    "kith_source_place",
    "kith_set_parent",
    "kith_set_parent_in_place",
    "kith_insert_child",
    "kith_sort_children",
};

/* Calls on what a view cannot have: systems, observers, snapshots, scenes, grids, queries that write. */
static const char *const without[] = {
    "kith_observer_free", "kith_observed_value", "kith_observed_values",
    "kith_snapshot_free", "kith_snapshot_diff",  "kith_snapshot_diff_bytes",
    "kith_view_new",      "kith_fork_new",       "kith_at_slow",        "kith_column_mut",
    "kith_entities",      "kith_others",         "kith_column",         "kith_next_slow",
    "kith_iter_close",    "kith_scene_add",      "kith_system_",
    "kith_scene_",        "kith_prefab_",        "kith_grid_",
    "kith_unique_find",
};

/* Calls that find nothing in a view, or have nothing to say. */
static const char *const finding_nothing[] = {
    "kith_system_at",       "kith_attached",       "kith_profile_system",
    "kith_phase_at",        "kith_queries_close",  "kith_tracker_next",
    "kith_tracker_pending", "kith_schedule_print", "kith_schedule_dot",
};

static bool is_among(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(list[i]);
        if (strcmp(name, list[i]) == 0 ||
            (list[i][length - 1] == '_' && strncmp(name, list[i], length) == 0)) {
            return true;
        }
    }
    return false;
}

#define IS_AMONG(name, list) is_among((name), (list), ROWS_OF(list))

static char told[512];
static uint32_t told_times;

static void be_told_of(const char *message, void *context)
{
    (void)context;
    snprintf(told, sizeof told, "%s", message);
    told_times++;
}

/* A subject whose world is a view of that of another, with what can be made of it. */
static subject view_subject(const subject *of)
{
    subject s = {.e = of->e, .owner = of->owner, .last = of->last, .value = of->value};
    const kith_world_def def = {.on_misuse = be_told_of};
    CHECK_RESULT(kith_view_new(of->snapshot, &def, &s.world), KITH_OK);
    s.query = KITH_QUERY(s.world, KITH_READ(Position), KITH_OPTIONAL(Velocity));
    const kith_index_def places = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    const kith_index_def hash = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Position, x)};
    CHECK_RESULT(kith_index_new(s.world, &places, &s.places), KITH_OK);
    CHECK_RESULT(kith_index_new(s.world, &hash, &s.index), KITH_OK);
    CHECK_RESULT(kith_tracker_new(s.world, &Position_type, &s.tracker), KITH_OK);
    CHECK_RESULT(kith_live_new(s.world, KITH_QUERY(s.world, KITH_READ(Position)), &s.live),
                 KITH_OK);
    CHECK_RESULT(kith_live_next(s.live, &(kith_live_changes){0}), KITH_OK);
    CHECK_RESULT(kith_select_new(s.world, "Position limit $n", NULL, &s.select), KITH_OK);
    CHECK_RESULT(kith_select_bind(s.select, "n", 5), KITH_OK);
    CHECK_RESULT(kith_select_run(s.select), KITH_OK);
    s.commands = kith_commands_new(s.world, NULL);
    s.snapshot = of->snapshot;
    s.namer = s.other_namer = (kith_namer){.name = of->namer.name};
    CHECK_RESULT(kith_fail(s.world, KITH_ERR_INPUT, "for kith_error"), KITH_ERR_INPUT);
    return s;
}

static void make_on_view(const subject *of, const callers_call *call)
{
    subject s = view_subject(of);
    const uint64_t hash = kith_world_hash(s.world);
    s.reader = (kith_reader){.text = "{ x = 1 }", .length = 9, .world = s.world};
    CHECK_RESULT(kith_read_token(&s.reader), KITH_OK);
    told_times = 0;
    told[0] = '\0';
    const int answer = call->make(&s);
    const bool changes = IS_AMONG(call->name, changing);
    CHECK_STR(changes ? "" : told, "");
    CHECK_UINT(told_times, changes);
    if (changes) {
        CHECK(answer != CALLER_ALLOWED);
        CHECK_CONTAINS(told, "the world is a view of a snapshot, which is only read");
        CHECK(strncmp(told, "kith_", 5) == 0);
        CHECK(strstr(told, call->name) == told || strstr(call->name, "_or_none") != NULL ||
              strstr(call->name, "kith_scene") != NULL);
    } else {
        CHECK(answer != CALLER_REFUSED || IS_AMONG(call->name, finding_nothing));
    }
    if (strcmp(call->name, "kith_world_release") == 0) {
        kith_world_claim(s.world);
    }
    if (strcmp(call->name, "kith_world_free") != 0) {
        CHECK_WORLD(s.world);
        CHECK(kith_world_hash(s.world) == hash);
        kith_world_free(s.world);
    }
}

TEST_WITHIN(30, each_call_reads_or_is_told)
{
    subject *s = subject_new();
    static char note[64];
    test_note(note);
    CHECK_RESULT(kith_run(s->world, 1), KITH_OK);
    CHECK_RESULT(kith_event_send(s->world, &Position_type, NULL), KITH_OK);
    kith_snapshot_free(s->snapshot);
    CHECK_RESULT(kith_snapshot_take(s->world, &s->snapshot), KITH_OK);
    const uint64_t hash = kith_world_hash(s->world);
    uint32_t made = 0;
    for (const callers_call *call = callers_calls; call != NULL; call = call->next) {
        if (!IS_AMONG(call->name, without) || IS_AMONG(call->name, changing)) {
            snprintf(note, sizeof note, "%s", call->name);
            make_on_view(s, call);
            made++;
        }
    }
    CHECK(made > 150);
    CHECK(kith_world_hash(s->world) == hash);
    CHECK_WORLD(s->world);
    test_note(NULL);
    subject_free(s);
}
