#include "callers.h"
#include "nothing.h"

#include <kith/kith.h>
#include <stdlib.h>

const callers_call *callers_calls;

/* CALL(name, by, EXPRESSION): the call is made by an expression that tells whether it was refused. */
#define CALL(name_, by_, ...)                                                                      \
    static int make_##name_(subject *s)                                                            \
    {                                                                                              \
        (void)s;                                                                                   \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
    __attribute__((constructor)) static void list_##name_(void)                                    \
    {                                                                                              \
        static callers_call self = {#name_, by_, make_##name_, NULL};                              \
        self.next = callers_calls;                                                                 \
        callers_calls = &self;                                                                     \
    }

#define IS_MISUSE(...) ((__VA_ARGS__) == KITH_ERR_MISUSE)
#define IS_NOTHING(...) ((__VA_ARGS__) == 0)
#define IS_NONE(...) (kith_is_none(__VA_ARGS__))
#define IS_DONE(...) ((__VA_ARGS__), CALLER_SILENT)

KITH_TAG(Mark, KITH_SLOT);
KITH_LINKS(Bond, KITH_CLEAR); /* from `owner` to `e` */

static const kith_value a_value = {&Position_type, NULL};
static const kith_values some_values = {&Position_type, NULL, false};
static const kith_index_def an_index = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Position, x)};
typedef struct Ticket {
    uint32_t number;
} Ticket;
KITH_TYPE(Ticket, KITH_FIELD(Ticket, number)); /* has a unique key */
static const kith_unique_def a_key = {KITH_FIELDS(Position, x)};
static const kith_sort_def a_sort = {.type = &Position_type, .field = "x"};
static const kith_query_def a_query = {.name = "made"};
static const char a_scene[] = "prefab p\n    Position { x = 1 }\nentity e : p\n";

static const kith_system_def a_system = {.name = "made", .update = update_nothing};

static void be_told(const kith_observed *observed)
{
    (void)observed;
}

static const kith_observer_def an_observer = {.type = &Position_type, .run = be_told};

/* Of the world's owner alone. */
static const char *name_all(void *context, kith_entity entity)
{
    (void)context;
    (void)entity;
    return "named";
}

static bool write_text(const char *text, size_t length, void *context)
{
    (void)context;
    return text != NULL && length != 0;
}

static bool write_scene(void *context, const char *bytes, size_t count)
{
    return write_text(bytes, count, context);
}

/* ---- world.h */

CALL(kith_world_free, BY_OWNER, IS_DONE(kith_world_free(s->world)))
CALL(kith_world_release, BY_OWNER, IS_DONE(kith_world_release(s->world)))
CALL(kith_world_claim, BY_OWNER, IS_DONE(kith_world_claim(s->world)))
CALL(kith_error, BY_READER, strcmp(kith_error(s->world), "") == 0)
CALL(kith_fail, BY_OWNER, IS_MISUSE(kith_fail(s->world, KITH_ERR_INPUT, "failed")))
CALL(kith_require_owner, BY_OWNER, IS_MISUSE(kith_require_owner(s->world, "kith_require_owner")))
CALL(kith_require_change, BY_OWNER, IS_MISUSE(kith_require_change(s->world, "kith_require_change")))
CALL(kith_attach, BY_OWNER, IS_MISUSE(kith_attach(s->world, s, s, NULL)))
CALL(kith_attach_state, BY_OWNER, IS_MISUSE(kith_attach_state(s->world, s, NULL)))
CALL(kith_attached, BY_OWNER, kith_attached(s->world, s) == NULL)
CALL(kith_world_allocator, BY_OWNER, kith_world_allocator(s->world).allocate == NULL)
CALL(kith_world_check, BY_OWNER, IS_MISUSE(kith_world_check(s->world)))
CALL(kith_world_hash, BY_OWNER, IS_NOTHING(kith_world_hash(s->world)))
CALL(kith_world_random, BY_OWNER, kith_world_random(s->world) == NULL)
CALL(kith_content_hash, BY_OWNER, IS_NOTHING(kith_content_hash(s->world)))
CALL(kith_world_trim, BY_OWNER, IS_DONE(kith_world_trim(s->world)))
CALL(kith_register, BY_OWNER, IS_MISUSE(kith_register(s->world, &Extra_type, NULL)))
CALL(kith_register_many, BY_OWNER, IS_MISUSE(kith_register_many(s->world, NULL, 0)))
CALL(kith_type_count, BY_READER, IS_NOTHING(kith_type_count(s->world)))
CALL(kith_type_at, BY_READER, kith_type_at(s->world, 0) == NULL)
CALL(kith_type_find, BY_READER, kith_type_find(s->world, "Position") == NULL)
CALL(kith_layout_of, BY_READER, IS_MISUSE(kith_layout_of(s->world, &Position_type, NULL)))
CALL(kith_has_hooks, BY_READER, !kith_has_hooks(s->world, &Owned_type))
CALL(kith_is_transient, BY_READER, !kith_is_transient(s->world, &Mark_type))
CALL(kith_spawn, BY_OWNER, IS_MISUSE(kith_spawn(s->world, &a_value, 1, &s->out.entity)))
CALL(kith_spawn_or_none, BY_OWNER, IS_NONE(kith_spawn_or_none(s->world, &a_value, 1)))
CALL(kith_spawn_empty, BY_OWNER, IS_NONE(kith_spawn_empty(s->world)))
CALL(kith_spawn_many, BY_OWNER, IS_MISUSE(kith_spawn_many(s->world, 1, &some_values, 1, NULL)))
CALL(kith_clone, BY_OWNER, IS_MISUSE(kith_clone(s->world, s->e, &s->out.entity)))
CALL(kith_clone_or_none, BY_OWNER, IS_NONE(kith_clone_or_none(s->world, s->e)))
CALL(kith_clone_tree, BY_OWNER, IS_MISUSE(kith_clone_tree(s->world, s->e, &s->out.entity)))
CALL(kith_clone_tree_or_none, BY_OWNER, IS_NONE(kith_clone_tree_or_none(s->world, s->e)))
CALL(kith_despawn, BY_OWNER, IS_MISUSE(kith_despawn(s->world, s->e)))
CALL(kith_despawn_many, BY_OWNER, IS_MISUSE(kith_despawn_many(s->world, &s->e, 1, NULL)))
CALL(kith_alive, BY_READER, !kith_alive(s->world, s->e))
CALL(kith_entity_count, BY_READER, IS_NOTHING(kith_entity_count(s->world)))
CALL(kith_entity_next, BY_READER, IS_NONE(kith_entity_next(s->world, KITH_NONE)))
CALL(kith_set, BY_OWNER, IS_MISUSE(kith_set(s->world, s->e, &Position_type, &s->value)))
CALL(kith_set_values, BY_OWNER, IS_MISUSE(kith_set_values(s->world, s->e, &a_value, 1)))
CALL(kith_set_bytes, BY_OWNER,
     IS_MISUSE(kith_set_bytes(s->world, s->e, &Position_type, &s->value, sizeof(Position))))
CALL(kith_add, BY_OWNER, IS_MISUSE(kith_add(s->world, s->e, &Velocity_type)))
CALL(kith_remove, BY_OWNER, IS_MISUSE(kith_remove(s->world, s->e, &Position_type)))
CALL(kith_remove_all, BY_OWNER, IS_MISUSE(kith_remove_all(s->world, s->e)))
CALL(kith_has, BY_OWNER, !kith_has(s->world, s->e, &Position_type))
CALL(kith_get, BY_OWNER, kith_get(s->world, s->e, &Position_type) == NULL)
CALL(kith_get_mut, BY_OWNER,
     IS_MISUSE(kith_get_mut(s->world, s->e, &Position_type, &s->out.pointer)))
CALL(kith_get_mut_or_null, BY_OWNER, kith_get_mut_or_null(s->world, s->e, &Position_type) == NULL)
CALL(kith_get_bytes, BY_OWNER,
     IS_MISUSE(kith_get_bytes(s->world, s->e, &Position_type, &s->out, sizeof(Position))))
CALL(kith_get_many, BY_OWNER,
     IS_NOTHING(kith_get_many(s->world, &Position_type, &s->e, 1, s->out.pointers)))
CALL(kith_lookup_new, BY_OWNER, IS_MISUSE(kith_lookup_new(s->world, &Position_type).result))
CALL(kith_component_next, BY_READER, kith_component_next(s->world, s->e, NULL) == NULL)
CALL(kith_memory, BY_OWNER, IS_NOTHING(kith_memory(s->world).used))
CALL(kith_component_memory, BY_OWNER,
     IS_MISUSE(kith_component_memory(s->world, &Position_type, &s->out.component)))
CALL(kith_table_memory, BY_OWNER, IS_MISUSE(kith_table_memory(s->world, 0, &s->out.table, NULL, 0)))

/* ---- resource.h, event.h, text.h */

CALL(kith_resource_set, BY_OWNER, IS_MISUSE(kith_resource_set(s->world, &Position_type, &s->value)))
CALL(kith_resource_get, BY_OWNER, kith_resource_get(s->world, &Position_type) == NULL)
CALL(kith_resource_get_mut, BY_OWNER,
     IS_MISUSE(kith_resource_get_mut(s->world, &Position_type, &s->out.pointer)))
CALL(kith_resource_mut_or_null, BY_OWNER,
     kith_resource_mut_or_null(s->world, &Position_type) == NULL)
CALL(kith_resource_remove, BY_OWNER, IS_MISUSE(kith_resource_remove(s->world, &Position_type)))
CALL(kith_resource_at, BY_OWNER, kith_resource_at(s->world, 0) == NULL)
CALL(kith_event_register, BY_OWNER, IS_MISUSE(kith_event_register(s->world, &Extra_type, NULL)))
CALL(kith_event_send, BY_OWNER, IS_MISUSE(kith_event_send(s->world, &Position_type, &s->value)))
CALL(kith_event_reserve, BY_OWNER, IS_MISUSE(kith_event_reserve(s->world, &Position_type, 1)))
CALL(kith_event_send_many, BY_OWNER,
     IS_MISUSE(kith_event_send_many(s->world, &Position_type, &s->value, 1)))
CALL(kith_event_count, BY_OWNER, IS_NOTHING(kith_event_count(s->world, &Position_type)))
CALL(kith_event_at, BY_OWNER, kith_event_at(s->world, &Position_type, 0) == NULL)
CALL(kith_event_next, BY_OWNER,
     kith_event_next(s->world, &Position_type, (s->out.number = 0, &s->out.number), NULL) == NULL)
CALL(kith_event_clear, BY_OWNER, IS_DONE(kith_event_clear(s->world, &Position_type)))
CALL(kith_text_intern, BY_OWNER, IS_MISUSE(kith_text_intern(s->world, "new", &s->out.text)))
CALL(kith_text_intern_bytes, BY_OWNER,
     IS_MISUSE(kith_text_intern_bytes(s->world, "new", 3, &s->out.text)))
CALL(kith_text_get, BY_READER, kith_text_get(s->world, (kith_text){0}, NULL) == NULL)
CALL(kith_text_find, BY_READER, !kith_text_find(s->world, "", &s->out.text))

/* ---- query.h, tracker.h */

CALL(kith_query_new, BY_OWNER,
     IS_MISUSE(kith_query_new(s->world, &a_query, (kith_query **)&s->out.pointer)))
CALL(kith_query_new_or_null, BY_OWNER, kith_query_new_or_null(s->world, &a_query) == NULL)
CALL(kith_query_world, BY_ANYONE, kith_query_world(s->query) == NULL)
CALL(kith_query_set_holder, BY_ANYONE, (kith_query_set_holder(s->query, NULL), false))
CALL(kith_query_skip_changes, BY_OWNER, IS_DONE(kith_query_skip_changes(s->query)))
CALL(kith_query_free, BY_OWNER, IS_DONE(kith_query_free(s->query)))
CALL(kith_query_count, BY_OWNER, IS_NOTHING(kith_query_count(s->query)))
CALL(kith_query_first, BY_OWNER, IS_NONE(kith_query_first(s->query)))
CALL(kith_query_single, BY_OWNER, IS_MISUSE(kith_query_single(s->query, &s->out.entity)))
CALL(kith_query_contains, BY_OWNER, !kith_query_contains(s->query, s->e))
CALL(kith_query_bind_operand, BY_OWNER,
     IS_MISUSE(kith_query_bind_operand(s->query, "limit", kith_bound("no value"))))
CALL(kith_queries_close, BY_OWNER, IS_NOTHING(kith_queries_close(s->world)))
CALL(kith_query_iter_at, BY_OWNER, IS_MISUSE(kith_query_iter_at(s->query, "here", 1).result))
CALL(kith_query_iter_one_at, BY_OWNER,
     IS_MISUSE(kith_query_iter_one_at(s->query, s->e, "here", 1).result))
CALL(kith_next_slow, BY_ITER, kith_next_slow(s->it) ? CALLER_ALLOWED : CALLER_SILENT)
CALL(kith_iter_close, BY_ITER, IS_DONE(kith_iter_close(s->it)))
CALL(kith_entities, BY_ITER, kith_entities(s->it) == NULL)
CALL(kith_others, BY_ITER, kith_others(s->it, 0) == NULL)
CALL(kith_column, BY_ITER, kith_column(s->it, &Position_type) == NULL)
CALL(kith_column_mut, BY_ITER, kith_column_mut(s->it, &Position_type) == NULL)
CALL(kith_at_slow, BY_ITER,
     kith_at_slow(s->it, KITH_TERM_OF_TYPE_, 0, &Position_type, KITH_ACCESS_READ) == NULL)
CALL(kith_tracker_new, BY_OWNER,
     IS_MISUSE(kith_tracker_new(s->world, &Position_type, (kith_tracker **)&s->out.pointer)))
CALL(kith_namer_add, BY_OWNER, IS_DONE(kith_namer_add(s->world, &s->other_namer)))
CALL(kith_namer_remove, BY_OWNER, IS_DONE(kith_namer_remove(&s->namer)))
CALL(kith_entity_describe, BY_ANYONE, kith_entity_describe(s->world, s->owner).text[0] == '\0')
CALL(kith_tracker_free, BY_OWNER, IS_DONE(kith_tracker_free(s->tracker)))
CALL(kith_tracker_set_holder, BY_ANYONE, (kith_tracker_set_holder(s->tracker, NULL), false))
CALL(kith_tracker_next, BY_OWNER, !kith_tracker_next(s->tracker, &s->out.change))
CALL(kith_tracker_pending, BY_OWNER, IS_NOTHING(kith_tracker_pending(s->tracker)))
CALL(kith_tracker_skip_changes, BY_OWNER, IS_DONE(kith_tracker_skip_changes(s->tracker)))

/* ---- commands.h: a buffer is filled by any thread, one at a time */

static kith_result transfer_to_another_world(subject *s)
{
    kith_world *other = kith_world_new(NULL);
    const kith_result result = kith_transfer(s->world, &s->e, 1, other, NULL);
    kith_world_free(other);
    return result;
}

CALL(kith_transfer, BY_OWNER, IS_MISUSE(transfer_to_another_world(s)))
CALL(kith_commands_new, BY_OWNER, kith_commands_new(s->world, NULL) == NULL)
CALL(kith_commands_world, BY_ANYONE, kith_commands_world(s->commands) == NULL)
CALL(kith_commands_set_holder, BY_ANYONE, (kith_commands_set_holder(s->commands, NULL), false))
CALL(kith_commands_free, BY_OWNER, IS_DONE(kith_commands_free(s->commands)))
CALL(kith_commands_apply, BY_OWNER, IS_MISUSE(kith_commands_apply(s->commands, NULL)))
CALL(kith_commands_discard, BY_ANYONE, (kith_commands_discard(s->commands), false))
CALL(kith_commands_real, BY_ANYONE, !kith_is_none(kith_commands_real(s->commands, s->e)))
CALL(kith_commands_error, BY_ANYONE, strcmp(kith_commands_error(s->commands), "") != 0)
CALL(kith_commands_memory, BY_ANYONE, kith_commands_memory(s->commands).commands != 0)
CALL(kith_commands_spawn, BY_ANYONE, IS_NONE(kith_commands_spawn(s->commands)))
CALL(kith_commands_spawn_values, BY_ANYONE,
     IS_NONE(kith_commands_spawn_values(s->commands, &a_value, 1)))
CALL(kith_commands_clone, BY_ANYONE, IS_NONE(kith_commands_clone(s->commands, s->e)))
CALL(kith_commands_clone_tree, BY_ANYONE, IS_NONE(kith_commands_clone_tree(s->commands, s->e)))
CALL(kith_commands_despawn, BY_ANYONE, kith_commands_despawn(s->commands, s->e) != KITH_OK)
CALL(kith_commands_set, BY_ANYONE,
     kith_commands_set(s->commands, s->e, &Position_type, &s->value) != KITH_OK)
CALL(kith_commands_set_values, BY_ANYONE,
     kith_commands_set_values(s->commands, s->e, &a_value, 1) != KITH_OK)
CALL(kith_commands_set_bytes, BY_ANYONE,
     kith_commands_set_bytes(s->commands, s->e, &Position_type, &s->value, sizeof(Position)) !=
         KITH_OK)
CALL(kith_commands_add, BY_ANYONE, kith_commands_add(s->commands, s->e, &Velocity_type) != KITH_OK)
CALL(kith_commands_remove, BY_ANYONE,
     kith_commands_remove(s->commands, s->e, &Velocity_type) != KITH_OK)
CALL(kith_commands_remove_all, BY_ANYONE, kith_commands_remove_all(s->commands, s->e) != KITH_OK)

/* ---- snapshot.h */

static kith_result take_snapshot(subject *s)
{
    kith_snapshot *snapshot = NULL;
    const kith_result result = kith_snapshot_take(s->world, &snapshot);
    kith_snapshot_free(snapshot);
    return result;
}

CALL(kith_snapshot_take, BY_OWNER, IS_MISUSE(take_snapshot(s)))
CALL(kith_snapshot_restore, BY_OWNER, IS_MISUSE(kith_snapshot_restore(s->world, s->snapshot)))
CALL(kith_snapshot_free, BY_OWNER, IS_DONE(kith_snapshot_free(s->other_snapshot)))

/* ---- view.h */

CALL(kith_view_new, BY_OWNER,
     IS_MISUSE(kith_view_new(s->snapshot, NULL, (kith_world **)&s->out.pointer)))

/* ---- fork.h */

CALL(kith_fork_new, BY_OWNER,
     IS_MISUSE(kith_fork_new(s->snapshot, NULL, (kith_world **)&s->out.pointer)))

/* ---- diff.h */

static bool visit_nothing(void *context, const kith_difference *difference)
{
    (void)context;
    (void)difference;
    return true;
}

CALL(kith_snapshot_diff, BY_OWNER,
     IS_MISUSE(kith_snapshot_diff(s->snapshot, s->other_snapshot, visit_nothing, NULL)))
CALL(kith_print_difference, BY_OWNER,
     IS_NOTHING(kith_print_difference(s->world,
                                      &(kith_difference){.kind = KITH_DIFF_SPAWNED, .entity = s->e},
                                      s->text, 9)))

CALL(kith_snapshot_diff_bytes, BY_OWNER,
     IS_MISUSE(kith_snapshot_diff_bytes(s->snapshot, s->other_snapshot, &(kith_bytes){0})))
CALL(kith_diff_apply, BY_OWNER, IS_MISUSE(kith_diff_apply(s->world, "KTHD", 4)))
CALL(kith_world_save, BY_OWNER, IS_MISUSE(kith_world_save(s->world, &(kith_bytes){0})))
CALL(kith_world_save_file, BY_OWNER,
     IS_MISUSE(kith_world_save_file(s->world, "/nowhere/at/all")))
CALL(kith_world_load_file, BY_OWNER,
     IS_MISUSE(kith_world_load_file(s->world, "/nowhere/at/all")))
CALL(kith_world_load, BY_OWNER, IS_MISUSE(kith_world_load(s->world, "KTHS", 4)))
CALL(kith_bytes_free, BY_OWNER, IS_DONE(kith_bytes_free(s->world, &(kith_bytes){0})))

/* ---- system.h, schedule.h, observer.h, profile.h */

CALL(kith_system_add, BY_OWNER, IS_MISUSE(kith_system_add(s->world, &a_system)))
CALL(kith_system_replace, BY_OWNER, IS_MISUSE(kith_system_replace(s->world, &a_system)))
CALL(kith_system_remove, BY_OWNER, IS_MISUSE(kith_system_remove(s->world, "system")))
CALL(kith_system_enable, BY_OWNER, IS_MISUSE(kith_system_enable(s->world, "system", true)))
CALL(kith_system_bind_operand, BY_OWNER,
     IS_MISUSE(kith_system_bind_operand(s->world, "system", "limit", kith_bound("no value"))))
CALL(kith_system_explain, BY_OWNER,
     IS_MISUSE(kith_system_explain(s->world, "system", 0, s->text, sizeof(s->text), &s->length)))
CALL(kith_system_group_enable, BY_OWNER,
     IS_MISUSE(kith_system_group_enable(s->world, "group", true)))
CALL(kith_system_at, BY_OWNER, kith_system_at(s->world, 0, NULL, NULL) == NULL)
CALL(kith_run, BY_OWNER, IS_MISUSE(kith_run(s->world, 1)))
CALL(kith_tick_count, BY_READER, IS_NOTHING(kith_tick_count(s->world)))
CALL(kith_system_query_at, BY_SYSTEM, IS_MISUSE(kith_system_query(s->it, 1).result))
CALL(kith_system_parallel, BY_PLAIN,
     IS_MISUSE(kith_system_parallel(s->it, s->query, kith_iter_close, NULL)))
CALL(kith_system_alive, BY_SYSTEM, !kith_system_alive(s->it, s->e))
CALL(kith_system_has, BY_SYSTEM, !kith_system_has(s->it, s->e, &Position_type))
CALL(kith_system_has_hooks, BY_SYSTEM, !kith_system_has_hooks(s->it, &Owned_type))
CALL(kith_system_get, BY_SYSTEM, kith_system_get(s->it, s->e, &Position_type) == NULL)
CALL(kith_system_lookup, BY_SYSTEM, IS_MISUSE(kith_system_lookup(s->it, &Position_type).result))
CALL(kith_system_get_mut, BY_SYSTEM,
     IS_MISUSE(kith_system_get_mut(s->it, s->e, &Position_type, &s->out.pointer)))
CALL(kith_system_get_mut_or_null, BY_SYSTEM,
     kith_system_get_mut_or_null(s->it, s->e, &Position_type) == NULL)
CALL(kith_system_resource, BY_SYSTEM, kith_system_resource(s->it, &Position_type) == NULL)
CALL(kith_system_resource_mut, BY_SYSTEM,
     IS_MISUSE(kith_system_resource_mut(s->it, &Position_type, &s->out.pointer)))
CALL(kith_system_resource_mut_or_null, BY_SYSTEM,
     kith_system_resource_mut_or_null(s->it, &Position_type) == NULL)
CALL(kith_system_send, BY_SYSTEM, IS_MISUSE(kith_system_send(s->it, &Position_type, &s->value)))
CALL(kith_system_event, BY_SYSTEM, kith_system_event(s->it, &Position_type, 0) == NULL)
CALL(kith_system_event_count, BY_SYSTEM, kith_system_event_count(s->it, &Position_type) == 0)
CALL(kith_system_random, BY_SYSTEM, IS_NOTHING(kith_system_random(s->it)))
CALL(kith_system_random_stream, BY_SYSTEM, kith_system_random_stream(s->it) == NULL)
CALL(kith_phase_add, BY_OWNER, IS_MISUSE(kith_phase_add(s->world, "new", NULL)))
CALL(kith_phase_at, BY_OWNER, kith_phase_at(s->world, 0) == NULL)
CALL(kith_schedule_build, BY_OWNER, IS_MISUSE(kith_schedule_build(s->world)))
CALL(kith_schedule_print, BY_OWNER,
     IS_MISUSE(kith_schedule_print(s->world, s->text, sizeof(s->text), &s->length)))
CALL(kith_schedule_dot, BY_OWNER,
     IS_MISUSE(kith_schedule_dot(s->world, s->text, sizeof(s->text), &s->length)))
CALL(kith_workers_set, BY_OWNER, IS_MISUSE(kith_workers_set(s->world, NULL)))
CALL(kith_thread_count, BY_OWNER, IS_NOTHING(kith_thread_count(s->world)))
CALL(kith_observer_new, BY_OWNER, IS_MISUSE(kith_observer_new(s->world, &an_observer, NULL)))
CALL(kith_observer_free, BY_OWNER, IS_DONE(kith_observer_free(s->observer)))
CALL(kith_observed_values, BY_OWNER, kith_observed_values(&s->observed, &Position_type) == NULL)
CALL(kith_observed_value, BY_OWNER, kith_observed_value(&s->observed, 0, &Position_type) == NULL)
CALL(kith_observers_flush, BY_OWNER, IS_MISUSE(kith_observers_flush(s->world)))
CALL(kith_profile_start, BY_OWNER, IS_MISUSE(kith_profile_start(s->world, 1)))
CALL(kith_profile_stop, BY_OWNER, IS_DONE(kith_profile_stop(s->world)))
CALL(kith_profile_system, BY_OWNER,
     IS_MISUSE(kith_profile_system(s->world, "system", (kith_system_stats *)(void *)s->text)))
CALL(kith_profile_trace, BY_OWNER, IS_MISUSE(kith_profile_trace(s->world, write_text, NULL)))

/* ---- reflect.h, reader.h */

CALL(kith_define, BY_OWNER, IS_MISUSE(kith_define(s->world, &(kith_type_def){.name = "M"}, NULL)))
CALL(kith_get_field, BY_OWNER,
     IS_MISUSE(kith_get_field(s->world, s->e, &Position_type, "x", KITH_F32, &s->out, 4)))
CALL(kith_within_box, BY_OWNER,
     IS_MISUSE(kith_within_box(s->places, KITH_POINT(0, 0), KITH_POINT(9, 9), NULL, &s->out.found)))
CALL(kith_within_radius, BY_OWNER,
     IS_MISUSE(kith_within_radius(s->places, KITH_POINT(0, 0), 9, NULL, &s->out.found)))
CALL(kith_nearest, BY_OWNER,
     IS_MISUSE(kith_nearest(s->places, KITH_POINT(0, 0), 1, NULL, &s->out.nearest, &(uint32_t){0})))
CALL(kith_along, BY_OWNER,
     IS_MISUSE(kith_along(s->places, KITH_POINT(0, 0), KITH_POINT(9, 9), 1, NULL, &s->out.nearest,
                          &(uint32_t){0})))
CALL(kith_pairs, BY_OWNER, IS_MISUSE(kith_pairs(s->places, 0, NULL, &(kith_pairs_found){0})))
CALL(kith_index_new_or_null, BY_OWNER, kith_index_new_or_null(s->world, &an_index) == NULL)
CALL(kith_index_new, BY_OWNER,
     IS_MISUSE(kith_index_new(s->world, &an_index, (kith_index **)&s->out.pointer)))
CALL(kith_index_find, BY_OWNER,
     IS_MISUSE(kith_index_find(s->index, &s->value, &(kith_index_found){0})))
CALL(kith_index_range, BY_OWNER,
     IS_MISUSE(kith_index_range(s->index, &(kith_range){0}, &(kith_index_found){0})))
CALL(kith_index_prefix, BY_OWNER,
     IS_MISUSE(kith_index_prefix(s->index, "a", &(kith_index_found){0})))
CALL(kith_index_nearest, BY_OWNER,
     IS_MISUSE(kith_index_nearest(s->index, &s->value, 1, &(kith_index_found){0})))
CALL(kith_unique_new, BY_OWNER, IS_MISUSE(kith_unique_new(s->world, &a_key)))
CALL(kith_unique_find, BY_READER, IS_NONE(kith_unique_find(s->world, &Ticket_type, &(Ticket){7})))
CALL(kith_unique_free, BY_OWNER, IS_DONE(kith_unique_free(s->world, &Ticket_type)))

/* ---- relation.h, hierarchy.h: `e` is the parent of `owner`, and that of `last` */

static int compare_nothing(const kith_world *world, kith_entity a, kith_entity b, void *user)
{
    (void)world, (void)a, (void)b, (void)user;
    return 0;
}

CALL(kith_target, BY_READER, IS_NONE(kith_target(s->world, s->owner, &kith_child_of_type)))
CALL(kith_source_first, BY_READER, IS_NONE(kith_source_first(s->world, s->e, &kith_child_of_type)))
CALL(kith_source_last, BY_READER, IS_NONE(kith_source_last(s->world, s->e, &kith_child_of_type)))
CALL(kith_source_next, BY_READER,
     IS_NONE(kith_source_next(s->world, s->owner, &kith_child_of_type)))
CALL(kith_source_previous, BY_READER,
     IS_NONE(kith_source_previous(s->world, s->last, &kith_child_of_type)))
CALL(kith_source_count, BY_READER,
     IS_NOTHING(kith_source_count(s->world, s->e, &kith_child_of_type)))
CALL(kith_sources_of, BY_READER,
     kith_sources_of(s->world, s->e, &kith_child_of_type).links_ == NULL)
CALL(kith_children, BY_READER, kith_children(s->world, s->e).links_ == NULL)
CALL(kith_links_from, BY_READER, kith_links_from(s->world, s->owner, &Bond_type).links_ == NULL)
CALL(kith_links_to, BY_READER, kith_links_to(s->world, s->e, &Bond_type).links_ == NULL)
CALL(kith_link_find, BY_READER, IS_NONE(kith_link_find(s->world, s->owner, s->e, &Bond_type)))
CALL(kith_source_place, BY_OWNER,
     IS_MISUSE(kith_source_place(s->world, s->owner, &kith_child_of_type, KITH_NONE)))
CALL(kith_set_parent, BY_OWNER, IS_MISUSE(kith_set_parent(s->world, s->owner, KITH_NONE)))
CALL(kith_parent, BY_READER, IS_NONE(kith_parent(s->world, s->owner)))
CALL(kith_child_first, BY_READER, IS_NONE(kith_child_first(s->world, s->e)))
CALL(kith_child_last, BY_READER, IS_NONE(kith_child_last(s->world, s->e)))
CALL(kith_child_next, BY_READER, IS_NONE(kith_child_next(s->world, s->owner)))
CALL(kith_child_previous, BY_READER, IS_NONE(kith_child_previous(s->world, s->last)))
CALL(kith_child_count, BY_READER, IS_NOTHING(kith_child_count(s->world, s->e)))
CALL(kith_insert_child, BY_OWNER, IS_MISUSE(kith_insert_child(s->world, s->last, s->owner)))
CALL(kith_sort_children, BY_OWNER,
     IS_MISUSE(kith_sort_children(s->world, s->e, compare_nothing, NULL)))
CALL(kith_root, BY_READER, IS_NONE(kith_root(s->world, s->owner)))
CALL(kith_depth, BY_READER, IS_NOTHING(kith_depth(s->world, s->owner)))
CALL(kith_is_enabled, BY_READER, IS_NOTHING(kith_is_enabled(s->world, s->e)))
CALL(kith_is_ancestor, BY_READER, IS_NOTHING(kith_is_ancestor(s->world, s->e, s->owner)))
CALL(kith_common_ancestor, BY_READER, IS_NONE(kith_common_ancestor(s->world, s->owner, s->last)))
CALL(kith_descendant_next, BY_READER, IS_NONE(kith_descendant_next(s->world, s->e, s->owner)))
CALL(kith_descendant_next_by_level, BY_READER,
     IS_NONE(kith_descendant_next_by_level(s->world, s->e, s->owner)))

/* ---- live.h */

CALL(kith_set_name, BY_OWNER, IS_MISUSE(kith_set_name(s->world, s->e, "named")))
CALL(kith_name_of, BY_READER, IS_NOTHING(kith_name_of(s->world, s->e)))
CALL(kith_find, BY_READER, IS_NONE(kith_find(s->world, "named")))
CALL(kith_find_from, BY_READER, IS_NONE(kith_find_from(s->world, KITH_NONE, "named")))
CALL(kith_find_child, BY_READER, IS_NONE(kith_find_child(s->world, KITH_NONE, "named")))
CALL(kith_path, BY_READER, IS_NOTHING(kith_path(s->world, s->e, NULL, 0)))
CALL(kith_live_new, BY_OWNER,
     IS_MISUSE(kith_live_new(s->world, s->query, (kith_live **)&s->out.pointer)))
CALL(kith_live_next, BY_OWNER, IS_MISUSE(kith_live_next(s->live, &(kith_live_changes){0})))
CALL(kith_live_count, BY_OWNER, IS_NOTHING(kith_live_count(s->live)))
CALL(kith_live_has, BY_OWNER, IS_NOTHING(kith_live_has(s->live, s->e)))
CALL(kith_live_after, BY_OWNER, IS_NONE(kith_live_after(s->live, KITH_NONE)))
CALL(kith_live_stats, BY_OWNER, IS_NOTHING(kith_live_stats(s->live).bytes))
CALL(kith_live_free, BY_OWNER, IS_DONE(kith_live_free(s->live)))

/* ---- index.h, sort.h, reflect.h */

CALL(kith_index_stats, BY_OWNER, IS_NOTHING(kith_index_stats(s->index).bytes))
CALL(kith_index_free, BY_OWNER, IS_DONE(kith_index_free(s->index)))
CALL(kith_sort, BY_OWNER, IS_MISUSE(kith_sort(s->world, &a_sort)))
CALL(kith_set_field, BY_OWNER,
     IS_MISUSE(kith_set_field(s->world, s->e, &Position_type, "x", KITH_F32, &s->value, 4)))
CALL(kith_print_value, BY_READER,
     IS_NOTHING(kith_print_value(s->world, &Position_type, &s->value, s->text, 9)))
CALL(kith_print_value_named, BY_READER,
     IS_NOTHING(kith_print_value_named(s->world, &Position_type, &s->value, NULL, NULL, NULL, 0)))
CALL(kith_print_field, BY_READER,
     IS_NOTHING(kith_print_field(s->world, Position_type.fields, &s->value, s->text, 9)))
CALL(kith_parse_value, BY_OWNER,
     IS_MISUSE(kith_parse_value(s->world, &Position_type, "{ x = 1 }", &s->out)))
CALL(kith_print_entity, BY_OWNER,
     IS_MISUSE(kith_print_entity(s->world, s->e, s->text, sizeof(s->text), &s->length)))
CALL(kith_field_from_text, BY_OWNER,
     IS_MISUSE(kith_field_from_text(s->world, s->e, &Position_type, "x", "1")))
CALL(kith_parse_entity, BY_OWNER,
     IS_MISUSE(kith_parse_entity(s->world, s->e, "Position { x = 1 }")))
CALL(kith_query_text, BY_OWNER, kith_query_text(s->world, "*", NULL) == NULL)
CALL(kith_query_text_tidy, BY_OWNER,
     IS_MISUSE(kith_query_text_tidy(s->world, "*", NULL, 0, NULL, NULL)))
CALL(kith_query_explain, BY_OWNER,
     IS_MISUSE(kith_query_explain(s->query, true, s->text, sizeof(s->text), &s->length)))
CALL(kith_select_new, BY_OWNER,
     IS_MISUSE(kith_select_new(s->world, "*", NULL, (kith_select **)&s->out.pointer)))
CALL(kith_select_free, BY_OWNER, IS_DONE(kith_select_free(s->select)))
CALL(kith_select_bind_operand, BY_OWNER,
     IS_MISUSE(kith_select_bind_operand(s->select, "x", kith_bound("y"))))
CALL(kith_select_run, BY_OWNER, IS_MISUSE(kith_select_run(s->select)))
CALL(kith_select_row_count, BY_OWNER, IS_NOTHING(kith_select_row_count(s->select)))
CALL(kith_select_column_count, BY_OWNER, IS_NOTHING(kith_select_column_count(s->select)))
CALL(kith_select_column, BY_OWNER, kith_select_column(s->select, 0) == NULL)
CALL(kith_select_value, BY_OWNER, kith_select_value(s->select, 0, 0) == NULL)
CALL(kith_select_print, BY_OWNER,
     IS_NOTHING(kith_select_print(s->select, 0, KITH_SELECT_TEXT, s->text, 9)))
CALL(kith_read_value, BY_OWNER, IS_MISUSE(kith_read_value(&s->reader, &Position_type, &s->out)))

/* ---- scene.h, game.h */

CALL(kith_scene_load, BY_OWNER,
     IS_MISUSE(kith_scene_load(s->world, a_scene, sizeof(a_scene) - 1, NULL, NULL)))
CALL(kith_scene_load_file, BY_OWNER,
     IS_MISUSE(kith_scene_load_file(s->world, "nowhere", NULL, NULL)))
CALL(kith_scene_parse, BY_OWNER,
     IS_MISUSE(kith_scene_parse(s->world, a_scene, 0, (kith_scene **)&s->out.pointer, NULL)))
CALL(kith_scene_parse_file, BY_OWNER,
     IS_MISUSE(kith_scene_parse_file(s->world, "nowhere", (kith_scene **)&s->out.pointer, NULL)))
CALL(kith_scene_new, BY_OWNER,
     IS_MISUSE(kith_scene_new(s->world, &(kith_scene_def){.path = "nowhere"},
                              (kith_scene **)&s->out.pointer, NULL)))
CALL(kith_scene_index_of, BY_ANYONE, kith_scene_index_of(s->scene, s->e) == 0)
CALL(kith_scene_file, BY_ANYONE, kith_scene_file(s->scene, 0) == NULL)
CALL(kith_scene_set_name, BY_OWNER, IS_MISUSE(kith_scene_set_name(s->scene, 0, "e")))
CALL(kith_scene_add, BY_OWNER, IS_MISUSE(kith_scene_add(s->scene, s->owner, NULL, NULL)))
CALL(kith_scene_spawn, BY_OWNER, IS_MISUSE(kith_scene_spawn(s->scene)))
CALL(kith_scene_find, BY_ANYONE, IS_NONE(kith_scene_find(s->scene, "e")))
CALL(kith_scene_count, BY_ANYONE, IS_NOTHING(kith_scene_count(s->scene)))
CALL(kith_scene_at, BY_ANYONE, IS_NONE(kith_scene_at(s->scene, 0)))
CALL(kith_scene_name, BY_ANYONE, kith_scene_name(s->scene, 0) == NULL)
CALL(kith_scene_place_at, BY_ANYONE, IS_NOTHING(kith_scene_place_at(s->scene, 0).line))
CALL(kith_scene_prefab, BY_ANYONE, kith_scene_prefab(s->scene, "p") == NULL)
CALL(kith_scene_prefab_at, BY_ANYONE, kith_scene_prefab_at(s->scene, 0) == NULL)
CALL(kith_prefab_name, BY_ANYONE, kith_prefab_name(s->prefab) == NULL)
CALL(kith_prefab_get, BY_ANYONE, kith_prefab_get(s->prefab, &Position_type, &s->out) != KITH_OK)
CALL(kith_prefab_spawn, BY_OWNER, IS_MISUSE(kith_prefab_spawn(s->prefab, NULL, 0, NULL)))
CALL(kith_prefab_spawn_or_none, BY_OWNER,
     IS_NONE(kith_prefab_spawn_or_none(s->prefab, s->world, NULL, 0)))
CALL(kith_prefab_spawn_many, BY_OWNER,
     IS_MISUSE(kith_prefab_spawn_many(s->prefab, 1, NULL, 0, NULL)))
CALL(kith_prefab_queue, BY_ANYONE, IS_NONE(kith_prefab_queue(s->prefab, s->commands, NULL, 0)))
CALL(kith_prefab_get_part, BY_ANYONE,
     kith_prefab_get_part(s->prefab, "", &Position_type, &s->out) != KITH_OK)
CALL(kith_prefab_spawn_parts, BY_OWNER,
     IS_MISUSE(kith_prefab_spawn_parts(s->prefab, NULL, 0, NULL)))
CALL(kith_prefab_queue_parts, BY_ANYONE,
     IS_NONE(kith_prefab_queue_parts(s->prefab, s->commands, NULL, 0)))
CALL(kith_scene_free, BY_OWNER, IS_DONE(kith_scene_free(s->scene)))
CALL(kith_scene_save, BY_OWNER, IS_MISUSE(kith_scene_save(s->world, NULL, write_scene, NULL, NULL)))
CALL(kith_scene_save_file, BY_OWNER,
     IS_MISUSE(kith_scene_save_file(s->world, NULL, "/nowhere/at/all", NULL)))
CALL(kith_game_register, BY_OWNER, IS_MISUSE(kith_game_register(s->world, NULL)))
CALL(kith_game_add_systems, BY_OWNER,
     IS_MISUSE(kith_game_add_systems(s->world, KITH_GAME_MOVEMENT)))
CALL(kith_grid_new, BY_OWNER, kith_grid_new(s->world) == NULL)
CALL(kith_grid_build, BY_OWNER, IS_MISUSE(kith_grid_build(s->grid, 0)))
CALL(kith_set_parent_in_place, BY_OWNER,
     IS_MISUSE(kith_set_parent_in_place(s->world, s->owner, KITH_NONE, NULL)))
CALL(kith_grid_count, BY_ANYONE, kith_grid_count(s->grid) != 0)
CALL(kith_grid_box, BY_ANYONE, kith_grid_box(s->grid, 0, 0, 1, 1, 0, NULL, 0) != 0)
CALL(kith_grid_point, BY_ANYONE, !kith_is_none(kith_grid_point(s->grid, 0, 0, 0)))
CALL(kith_grid_nearest, BY_ANYONE, !kith_is_none(kith_grid_nearest(s->grid, 0, 0, 9, 0)))

/* ---- The subject ------------------------------------------------------------------------------- */

subject *subject_new(void)
{
    subject *s = calloc(1, sizeof(*s));
    CHECK_PTR_NOT_NULL(s);
    s->f = fixture_new();
    s->world = s->f.world;
    kith_hooks hooks = owned_hooks(&s->record);
    CHECK_RESULT(kith_register(s->world, &Position_type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(s->world, &Velocity_type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(s->world, &Owned_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_OK);
    CHECK_RESULT(kith_register(s->world, &Mark_type, &(kith_component_def){.transient = true}),
                 KITH_OK);
    CHECK_RESULT(kith_game_register(s->world, NULL), KITH_OK);
    s->e = KITH_SPAWN(s->world, KITH_VALUE(Position, {1, 2}));
    s->owner = KITH_SPAWN(s->world, KITH_VALUE(Owned));
    CHECK_RESULT(kith_set_parent(s->world, s->owner, s->e), KITH_OK);
    s->last = KITH_SPAWN(s->world, KITH_VALUE(kith_child_of, {s->e}));
    CHECK(!kith_is_none(KITH_SPAWN(s->world, KITH_VALUE(Bond, {s->owner, s->e}))));
    s->query = KITH_QUERY(s->world, KITH_WRITE(Position));
    CHECK_RESULT(KITH_UNIQUE(s->world, Ticket, number), KITH_OK);
    CHECK(!kith_is_none(KITH_SPAWN(s->world, KITH_VALUE(Ticket, {7}))));
    CHECK_RESULT(kith_set_name(s->world, s->e, "named"), KITH_OK);
    const kith_index_def places = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    CHECK_RESULT(kith_index_new(s->world, &places, &s->places), KITH_OK);
    CHECK_RESULT(kith_tracker_new(s->world, &Position_type, &s->tracker), KITH_OK);
    CHECK_RESULT(kith_select_new(s->world, "Position limit $n", NULL, &s->select), KITH_OK);
    CHECK_RESULT(kith_index_new(s->world, &an_index, &s->index), KITH_OK);
    CHECK_RESULT(kith_live_new(s->world, KITH_QUERY(s->world, KITH_READ(Position)), &s->live),
                 KITH_OK);
    CHECK_RESULT(kith_live_next(s->live, &(kith_live_changes){0}), KITH_OK);
    CHECK_RESULT(kith_observer_new(s->world, &an_observer, &s->observer), KITH_OK);
    s->commands = kith_commands_new(s->world, NULL);
    CHECK_RESULT(kith_scene_load(s->world, a_scene, sizeof(a_scene) - 1, &s->scene, NULL), KITH_OK);
    s->prefab = kith_scene_prefab(s->scene, "p");
    s->grid = kith_grid_new(s->world);
    s->namer = s->other_namer = (kith_namer){.name = name_all};
    kith_namer_add(s->world, &s->namer);
    CHECK(s->query != NULL && s->commands != NULL && s->grid != NULL);
    CHECK_RESULT(kith_resource_set(s->world, &Position_type, NULL), KITH_OK);
    CHECK_RESULT(kith_event_send(s->world, &Position_type, NULL), KITH_OK);
    CHECK_RESULT(kith_profile_start(s->world, 1), KITH_OK);
    s->observed = (kith_observed){.world = s->world,
                                  .type = &Position_type,
                                  .values = &s->value,
                                  .entities = &s->e,
                                  .count = 1};
    s->reader = (kith_reader){.text = "{ x = 1 }", .length = 9, .world = s->world};
    CHECK_RESULT(kith_read_token(&s->reader), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(s->world, &s->snapshot), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(s->world, &s->other_snapshot), KITH_OK);
    CHECK_RESULT(kith_system_remove(s->world, "nobody"), KITH_ERR_UNKNOWN); /* for kith_error */
    return s;
}

void subject_free(subject *s)
{
    kith_scene_free(s->scene);
    kith_grid_free(s->grid);
    fixture_free(&s->f);
    CHECK_UINT(s->record.live, 0);
    free(s);
}
