/* kith_error tells of the last call that failed, and of no other: whatever a call fails with, the
 * message of an older one is gone. (Where memory runs out, the sweeps look.) */
#include <kith/hierarchy.h>
#include <kith/profile.h>
#include <kith/reflect.h>
#include <kith/resource.h>
#include <kith/schedule.h>
#include <kith/text.h>
#include <stdio.h>
#include <string.h>

#include "callers.h"
#include "headers.h"
#include "nothing.h"

typedef struct failure {
    const char *name;
    kith_result result;
    kith_result (*make)(subject *s);
    int line;
    const struct failure *next;
} failure;

static const failure *failures;

/* FAIL(name, KITH_ERR_..., EXPRESSION): a way in which a call fails, as often as there are ways. */
#define FAIL(name, result, ...) FAIL_AT_(name, result, __LINE__, __VA_ARGS__)
#define FAIL_AT_(name, result, line, ...) FAIL_IN_(name, result, line, __VA_ARGS__)
#define FAIL_IN_(name_, result_, line_, ...)                                                       \
    static kith_result fail_##line_(subject *s)                                                    \
    {                                                                                              \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
    __attribute__((constructor)) static void list_##line_(void)                                    \
    {                                                                                              \
        static failure self = {#name_, result_, fail_##line_, line_, NULL};                        \
        self.next = failures;                                                                      \
        failures = &self;                                                                          \
    }

static const kith_entity nobody = {1000, 0};
static const kith_type stranger = {.name = "Stranger", .align = 1};
static const kith_type nameless = {.name = "", .align = 1};
static const kith_type other_position = {.name = "Position", .align = 1};
static const kith_type *const nameless_types[] = {&nameless};
static const kith_type *const other_types[] = {&Velocity_type, &other_position};
static const kith_value twice[] = {{&Position_type, NULL}, {&Position_type, NULL}};
static const kith_values many_twice[] = {{&Position_type, NULL, false},
                                         {&Position_type, NULL, false}};
static const kith_term terms_twice[] = {KITH_READ(Position), KITH_READ(Position), {0}};
static const kith_query_def query_twice = {.terms = terms_twice};
static const kith_component_def elsewhere = {.layout = KITH_SPARSE};
static const kith_sort_def sort_unknown = {.type = &Position_type, .field = "z"};
static const kith_sort_def sort_by_nothing = {.type = &Position_type};
static const kith_unique_def key_unknown = {.type = &Position_type, .fields = {"z"}};
static const kith_unique_def key_of_floats = {KITH_FIELDS(Position, x)};
static const kith_unique_def key_of_bytes = {KITH_FIELDS(Byte, value)};
static const kith_index_def index_unknown = {
    .kind = KITH_INDEX_HASH, .type = &Position_type, .fields = {"z"}};
static const kith_index_def index_of_nothing = {.kind = KITH_INDEX_HASH, .type = &Position_type};
static bool no_key(const void *value, void *key, void *user)
{
    (void)value, (void)key, (void)user;
    return false;
}

static const kith_index_def index_of_a_tag = {
    .kind = KITH_INDEX_HASH, KITH_FIELDS(Position, x), .of = &Frozen_type, .key = no_key};
static const kith_index_def ordered_numbers = {
    .kind = KITH_INDEX_ORDERED, .type = &Position_type, .fields = {"x"}};

static kith_result make_key_twice(subject *s)
{
    kith_result result = kith_unique_new(s->world, &key_of_bytes);
    return result != KITH_OK ? result : kith_unique_new(s->world, &key_of_bytes);
}

static kith_result ask_too_many_fields(subject *s)
{
    kith_index *index = NULL;
    kith_result result = kith_index_new(s->world, &ordered_numbers, &index);
    return result != KITH_OK
               ? result
               : kith_index_range(index, &(kith_range){.fields = 2}, &(kith_index_found){0});
}

static kith_result ask_numbers_for_a_prefix(subject *s)
{
    kith_index *index = NULL;
    kith_result result = kith_index_new(s->world, &ordered_numbers, &index);
    return result != KITH_OK ? result : kith_index_prefix(index, "a", &(kith_index_found){0});
}

static kith_result ask_pairs_for_the_nearest(subject *s)
{
    kith_index *index = NULL;
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Position, x, y)};
    kith_result result = kith_index_new(s->world, &def, &index);
    return result != KITH_OK ? result
                             : kith_index_nearest(index, &s->value, 1, &(kith_index_found){0});
}

static kith_result ask_live_unbound(subject *s)
{
    kith_live *live = NULL;
    kith_query *query = KITH_QUERY(s->world, KITH_IF(Position, x, <, kith_bound("limit")));
    kith_result result = kith_live_new(s->world, query, &live);
    return result != KITH_OK ? result : kith_live_next(live, &(kith_live_changes){0});
}

static const kith_field misplaced = {"x", 8, 4, KITH_F32};
static const char bad_text[] = "entity\n    Nothing";

static kith_result fail_update(kith_world *world, kith_iter *it)
{
    (void)world;
    (void)it;
    return KITH_ERR_SYSTEM;
}

static bool write_never(const char *text, size_t length, void *context)
{
    (void)text;
    (void)length;
    (void)context;
    return false;
}

static bool save_never(void *context, const char *bytes, size_t count)
{
    return write_never(bytes, count, context);
}

static kith_result with_another_world(subject *s, const kith_entity *entities, uint32_t count)
{
    kith_world *other = kith_world_new(NULL);
    const kith_result result = kith_transfer(s->world, entities, count, other, NULL);
    kith_world_free(other);
    return result;
}

/* ---- world.h */

FAIL(kith_register, KITH_ERR_INPUT, kith_register(s->world, &nameless, NULL))
FAIL(kith_register, KITH_ERR_CONFLICT, kith_register(s->world, &Position_type, &elsewhere))
FAIL(kith_register_many, KITH_ERR_INPUT, kith_register_many(s->world, nameless_types, 1))
FAIL(kith_lookup_new, KITH_ERR_CONFLICT, kith_lookup_new(s->world, &other_position).result)
FAIL(kith_register_many, KITH_ERR_CONFLICT, kith_register_many(s->world, other_types, 2))
FAIL(kith_spawn, KITH_ERR_INPUT,
     kith_spawn(s->world, &(const kith_value){&nameless, NULL}, 1, &s->out.entity))
FAIL(kith_set, KITH_ERR_CONFLICT, kith_set(s->world, s->e, &other_position, &s->value))
FAIL(kith_set, KITH_ERR_INPUT, kith_set(s->world, s->e, &nameless, NULL))
FAIL(kith_set, KITH_ERR_DEAD, kith_set(s->world, nobody, &nameless, NULL))
FAIL(kith_set_values, KITH_ERR_DEAD,
     kith_set_values(s->world, nobody, &(const kith_value){&nameless, NULL}, 1))
FAIL(kith_remove, KITH_ERR_ABSENT, kith_remove(s->world, s->e, &stranger))
FAIL(kith_remove, KITH_ERR_DEAD, kith_remove(s->world, nobody, &stranger))
FAIL(kith_get_mut, KITH_ERR_ABSENT, kith_get_mut(s->world, s->e, &stranger, &s->out.pointer))
FAIL(kith_get_mut, KITH_ERR_DEAD, kith_get_mut(s->world, nobody, &stranger, &s->out.pointer))
FAIL(kith_set_bytes, KITH_ERR_UNKNOWN, kith_set_bytes(s->world, s->e, NULL, NULL, 0))
FAIL(kith_get_bytes, KITH_ERR_UNKNOWN, kith_get_bytes(s->world, s->e, NULL, NULL, 0))
FAIL(kith_layout_of, KITH_ERR_UNKNOWN, kith_layout_of(s->world, &stranger, NULL))
FAIL(kith_spawn, KITH_ERR_CONFLICT, kith_spawn(s->world, twice, 2, &s->out.entity))
FAIL(kith_spawn_many, KITH_ERR_CONFLICT, kith_spawn_many(s->world, 1, many_twice, 2, NULL))
FAIL(kith_clone, KITH_ERR_DEAD, kith_clone(s->world, nobody, &s->out.entity))
FAIL(kith_clone_tree, KITH_ERR_DEAD, kith_clone_tree(s->world, nobody, &s->out.entity))
FAIL(kith_despawn, KITH_ERR_DEAD, kith_despawn(s->world, nobody))
FAIL(kith_set, KITH_ERR_DEAD, kith_set(s->world, nobody, &Position_type, &s->value))
FAIL(kith_set_values, KITH_ERR_DEAD, kith_set_values(s->world, nobody, NULL, 0))
FAIL(kith_set_values, KITH_ERR_DEAD, kith_set_values(s->world, nobody, twice, 1))
FAIL(kith_set_values, KITH_ERR_CONFLICT, kith_set_values(s->world, s->e, twice, 2))
FAIL(kith_set_bytes, KITH_ERR_INPUT, kith_set_bytes(s->world, s->e, &nameless, NULL, 0))
FAIL(kith_set_bytes, KITH_ERR_TYPE, kith_set_bytes(s->world, s->e, &Position_type, &s->value, 3))
FAIL(kith_set_bytes, KITH_ERR_DEAD, kith_set_bytes(s->world, nobody, &Position_type, &s->value, 8))
FAIL(kith_add, KITH_ERR_DEAD, kith_add(s->world, nobody, &Position_type))
FAIL(kith_remove, KITH_ERR_DEAD, kith_remove(s->world, nobody, &Position_type))
FAIL(kith_remove, KITH_ERR_ABSENT, kith_remove(s->world, s->e, &Velocity_type))
FAIL(kith_remove, KITH_ERR_ABSENT, kith_remove(s->world, s->e, &Byte_type))   /* KITH_SPARSE */
FAIL(kith_remove, KITH_ERR_ABSENT, kith_remove(s->world, s->e, &Frozen_type)) /* KITH_SLOT */
FAIL(kith_remove_all, KITH_ERR_DEAD, kith_remove_all(s->world, nobody))
FAIL(kith_get_mut, KITH_ERR_DEAD, kith_get_mut(s->world, nobody, &Position_type, &s->out.pointer))
FAIL(kith_get_mut, KITH_ERR_ABSENT, kith_get_mut(s->world, s->e, &Velocity_type, &s->out.pointer))
FAIL(kith_get_bytes, KITH_ERR_ABSENT, kith_get_bytes(s->world, s->e, &stranger, NULL, 0))
FAIL(kith_get_bytes, KITH_ERR_TYPE, kith_get_bytes(s->world, s->e, &Position_type, &s->out, 3))
FAIL(kith_get_bytes, KITH_ERR_DEAD, kith_get_bytes(s->world, nobody, &Position_type, &s->out, 8))
FAIL(kith_get_bytes, KITH_ERR_ABSENT, kith_get_bytes(s->world, s->e, &Velocity_type, &s->out, 8))
FAIL(kith_component_memory, KITH_ERR_UNKNOWN,
     kith_component_memory(s->world, &stranger, &s->out.component))
FAIL(kith_table_memory, KITH_ERR_UNKNOWN, kith_table_memory(s->world, 1000, &s->out.table, NULL, 0))

FAIL(kith_transfer, KITH_ERR_DEAD, with_another_world(s, &nobody, 1))
FAIL(kith_transfer, KITH_ERR_CONFLICT, with_another_world(s, (const kith_entity[]){s->e, s->e}, 2))

/* What a hook fails with. */
FAIL(kith_set, KITH_ERR_SYSTEM,
     (owned_fail(&s->record, 1), kith_set(s->world, s->e, &Owned_type, NULL)))

/* ---- relation.h, hierarchy.h */

KITH_RELATION(Likes, KITH_CLEAR);
KITH_RELATION(Needs, KITH_REFUSE);

static int compare_nothing(const kith_world *world, kith_entity a, kith_entity b, void *user)
{
    (void)world, (void)a, (void)b, (void)user;
    return 0;
}

FAIL(kith_set, KITH_ERR_DEAD, KITH_SET(s->world, s->e, Likes, {nobody}))
FAIL(kith_add, KITH_ERR_DEAD, KITH_ADD(s->world, s->e, Likes))
FAIL(kith_set, KITH_ERR_CYCLE, KITH_SET(s->world, s->e, kith_child_of, {s->e}))
FAIL(kith_despawn, KITH_ERR_CONFLICT,
     (KITH_SPAWN(s->world, KITH_VALUE(Needs, {s->e})), kith_despawn(s->world, s->e)))
FAIL(kith_despawn_many, KITH_ERR_CONFLICT,
     (KITH_SPAWN(s->world, KITH_VALUE(Needs, {s->e})),
      kith_despawn_many(s->world, &s->e, 1, &(uint32_t){0})))
FAIL(kith_source_place, KITH_ERR_DEAD,
     kith_source_place(s->world, nobody, &kith_child_of_type, KITH_NONE))
FAIL(kith_source_place, KITH_ERR_DEAD,
     kith_source_place(s->world, s->owner, &kith_child_of_type, nobody))
FAIL(kith_source_place, KITH_ERR_ABSENT, kith_source_place(s->world, s->e, &Likes_type, KITH_NONE))
FAIL(kith_source_place, KITH_ERR_ABSENT,
     kith_source_place(s->world, s->e, &kith_child_of_type, KITH_NONE))
FAIL(kith_source_place, KITH_ERR_INPUT,
     kith_source_place(s->world, s->owner, &kith_child_of_type, s->e))
FAIL(kith_set_parent, KITH_ERR_DEAD, kith_set_parent(s->world, s->e, nobody))
FAIL(kith_set_parent, KITH_ERR_DEAD, kith_set_parent(s->world, nobody, s->e))
FAIL(kith_set_parent, KITH_ERR_DEAD, kith_set_parent(s->world, nobody, KITH_NONE))
FAIL(kith_set_parent, KITH_ERR_CYCLE, kith_set_parent(s->world, s->e, s->e))
FAIL(kith_set_parent, KITH_ERR_CYCLE, kith_set_parent(s->world, s->e, s->owner))
FAIL(kith_set_parent_in_place, KITH_ERR_DEAD,
     kith_set_parent_in_place(s->world, s->e, nobody, NULL))
FAIL(kith_set_parent_in_place, KITH_ERR_CYCLE,
     kith_set_parent_in_place(s->world, s->e, s->owner, NULL))
FAIL(kith_insert_child, KITH_ERR_DEAD, kith_insert_child(s->world, nobody, s->owner))
FAIL(kith_insert_child, KITH_ERR_DEAD, kith_insert_child(s->world, s->e, nobody))
FAIL(kith_insert_child, KITH_ERR_ABSENT, kith_insert_child(s->world, s->owner, s->e))
FAIL(kith_insert_child, KITH_ERR_INPUT, kith_insert_child(s->world, s->owner, s->owner))
FAIL(kith_insert_child, KITH_ERR_CYCLE, kith_insert_child(s->world, s->e, s->owner))
FAIL(kith_sort_children, KITH_ERR_DEAD, kith_sort_children(s->world, nobody, compare_nothing, NULL))

/* ---- resource.h, event.h, query.h, commands.h */

FAIL(kith_resource_set, KITH_ERR_INPUT, kith_resource_set(s->world, &Frozen_type, NULL))
FAIL(kith_resource_get_mut, KITH_ERR_ABSENT,
     kith_resource_get_mut(s->world, &Velocity_type, &s->out.pointer))
FAIL(kith_resource_remove, KITH_ERR_ABSENT, kith_resource_remove(s->world, &Velocity_type))
FAIL(kith_event_register, KITH_ERR_CONFLICT,
     kith_event_register(s->world, &Position_type, &(kith_event_def){.keep = 3}))
FAIL(kith_event_send, KITH_ERR_INPUT, kith_event_send(s->world, &nameless, NULL))
FAIL(kith_event_reserve, KITH_ERR_INPUT, kith_event_reserve(s->world, &nameless, 1))
FAIL(kith_event_send_many, KITH_ERR_LIMIT,
     kith_event_send_many(s->world, &Position_type, NULL, UINT32_MAX))
FAIL(kith_query_new, KITH_ERR_CONFLICT,
     kith_query_new(s->world, &query_twice, (kith_query **)&s->out.pointer))
FAIL(kith_query_bind_operand, KITH_ERR_UNKNOWN, kith_query_bind(s->query, "limit", 1))
FAIL(kith_query_single, KITH_ERR_AMBIGUOUS, kith_query_single(s->query, &s->out.entity))
FAIL(kith_query_single, KITH_ERR_ABSENT,
     (kith_remove_all(s->world, s->e), kith_despawn_many(s->world, &s->e, 0, NULL),
      kith_query_single(KITH_QUERY(s->world, KITH_READ(Velocity)), &s->out.entity)))
FAIL(kith_commands_apply, KITH_ERR_INPUT,
     (kith_commands_despawn(s->commands, (kith_entity){0, 77}),
      kith_commands_apply(s->commands, NULL)))

/* ---- system.h, schedule.h, observer.h, profile.h */

static const kith_system_def no_function = {.name = "empty"};
static const kith_system_def nowhere = {
    .name = "nowhere", .update = update_nothing, .phase = "nowhere"};
static const kith_system_def waiting = {
    .name = "waiting", .update = update_nothing, .after = "unknown"};
static const kith_system_def failing = {.name = "failing", .update = fail_update};

FAIL(kith_system_add, KITH_ERR_INPUT, kith_system_add(s->world, &no_function))
FAIL(kith_system_add, KITH_ERR_UNKNOWN, kith_system_add(s->world, &nowhere))
FAIL(kith_system_replace, KITH_ERR_UNKNOWN, kith_system_replace(s->world, &waiting))
FAIL(kith_system_remove, KITH_ERR_UNKNOWN, kith_system_remove(s->world, "nobody"))
FAIL(kith_system_enable, KITH_ERR_UNKNOWN, kith_system_enable(s->world, "nobody", true))
FAIL(kith_system_bind_operand, KITH_ERR_UNKNOWN, kith_system_bind(s->world, "nobody", "x", 1))
FAIL(kith_system_explain, KITH_ERR_UNKNOWN,
     kith_system_explain(s->world, "nobody", 0, NULL, 0, NULL))
FAIL(kith_system_group_enable, KITH_ERR_UNKNOWN, kith_system_group_enable(s->world, "nobody", true))
FAIL(kith_run, KITH_ERR_INPUT, kith_run(s->world, -1))
FAIL(kith_run, KITH_ERR_SYSTEM, (kith_system_add(s->world, &failing), kith_run(s->world, 1)))
FAIL(kith_phase_add, KITH_ERR_CONFLICT, kith_phase_add(s->world, "update", NULL))
FAIL(kith_phase_add, KITH_ERR_UNKNOWN, kith_phase_add(s->world, "new", "unknown"))
FAIL(kith_phase_add, KITH_ERR_INPUT, kith_phase_add(s->world, "", NULL))
FAIL(kith_schedule_build, KITH_ERR_UNKNOWN,
     (kith_system_add(s->world, &waiting), kith_schedule_build(s->world)))
FAIL(kith_schedule_print, KITH_ERR_UNKNOWN,
     (kith_system_add(s->world, &waiting), kith_schedule_print(s->world, s->text, 9, &s->length)))
FAIL(kith_schedule_dot, KITH_ERR_UNKNOWN,
     (kith_system_add(s->world, &waiting), kith_schedule_dot(s->world, s->text, 9, &s->length)))
FAIL(kith_workers_set, KITH_ERR_INPUT,
     kith_workers_set(s->world, &(kith_workers_def){.threads = 65}))
FAIL(kith_observer_new, KITH_ERR_INPUT,
     kith_observer_new(s->world, &(kith_observer_def){.type = &Position_type}, NULL))
FAIL(kith_profile_system, KITH_ERR_UNKNOWN,
     kith_profile_system(s->world, "nobody", (kith_system_stats *)(void *)s->text))
FAIL(kith_profile_system, KITH_ERR_ABSENT,
     (kith_system_add(s->world, &failing), kith_profile_stop(s->world),
      kith_profile_system(s->world, "failing", (kith_system_stats *)(void *)s->text)))
FAIL(kith_profile_trace, KITH_ERR_ABSENT,
     (kith_profile_stop(s->world), kith_profile_trace(s->world, write_never, NULL)))
FAIL(kith_profile_trace, KITH_ERR_SYSTEM, kith_profile_trace(s->world, write_never, NULL))

/* ---- reflect.h */

FAIL(kith_define, KITH_ERR_INPUT,
     kith_define(s->world, &(kith_type_def){"M", 4, 4, 0, &misplaced, 1, KITH_TABLE, NULL, false,
                                               0},
                 NULL))
FAIL(kith_get_field, KITH_ERR_UNKNOWN,
     kith_get_field(s->world, s->e, &Position_type, "z", KITH_F32, &s->out, 4))
FAIL(kith_get_field, KITH_ERR_TYPE,
     kith_get_field(s->world, s->e, &Position_type, "x", KITH_I32, &s->out, 4))
FAIL(kith_get_field, KITH_ERR_DEAD,
     kith_get_field(s->world, nobody, &Position_type, "x", KITH_F32, &s->out, 4))
FAIL(kith_get_field, KITH_ERR_ABSENT,
     kith_get_field(s->world, s->e, &Velocity_type, "dx", KITH_F32, &s->out, 4))
FAIL(kith_unique_new, KITH_ERR_UNKNOWN, kith_unique_new(s->world, &key_unknown))
FAIL(kith_unique_new, KITH_ERR_INPUT, kith_unique_new(s->world, &key_of_floats))
FAIL(kith_unique_new, KITH_ERR_CONFLICT, make_key_twice(s))
FAIL(kith_set_name, KITH_ERR_DEAD, kith_set_name(s->world, nobody, "named"))
FAIL(kith_set_name, KITH_ERR_INPUT, kith_set_name(s->world, s->e, "a/b"))
FAIL(kith_set_name, KITH_ERR_CONFLICT, kith_set_name(s->world, kith_spawn_empty(s->world), "named"))
FAIL(kith_index_new, KITH_ERR_UNKNOWN,
     kith_index_new(s->world, &index_unknown, (kith_index **)&s->out.pointer))
FAIL(kith_index_range, KITH_ERR_INPUT, ask_too_many_fields(s))
FAIL(kith_index_prefix, KITH_ERR_INPUT, ask_numbers_for_a_prefix(s))
FAIL(kith_index_nearest, KITH_ERR_INPUT, ask_pairs_for_the_nearest(s))
FAIL(kith_live_new, KITH_ERR_INPUT,
     kith_live_new(s->world, KITH_QUERY(s->world), (kith_live **)&s->out.pointer))
FAIL(kith_live_next, KITH_ERR_INPUT, ask_live_unbound(s))
FAIL(kith_index_new, KITH_ERR_INPUT,
     kith_index_new(s->world, &index_of_nothing, (kith_index **)&s->out.pointer))
FAIL(kith_index_new, KITH_ERR_INPUT,
     kith_index_new(s->world, &index_of_a_tag, (kith_index **)&s->out.pointer))
FAIL(kith_sort, KITH_ERR_UNKNOWN, kith_sort(s->world, &sort_unknown))
FAIL(kith_sort, KITH_ERR_INPUT, kith_sort(s->world, &sort_by_nothing))
FAIL(kith_set_field, KITH_ERR_DEAD,
     kith_set_field(s->world, nobody, &Position_type, "x", KITH_F32, &s->value, 4))
FAIL(kith_set_field, KITH_ERR_ABSENT,
     kith_set_field(s->world, s->e, &Velocity_type, "dx", KITH_F32, &s->value, 4))
FAIL(kith_parse_value, KITH_ERR_INPUT,
     kith_parse_value(s->world, &Position_type, "{ z = 1 }", &s->out))
FAIL(kith_print_entity, KITH_ERR_DEAD, kith_print_entity(s->world, nobody, NULL, 0, NULL))
FAIL(kith_query_explain, KITH_ERR_INPUT,
     kith_query_explain(KITH_QUERY(s->world, KITH_IF(Health, current, <, kith_bound("limit"))),
                        false, NULL, 0, NULL))
FAIL(kith_select_new, KITH_ERR_INPUT,
     kith_select_new(s->world, "* limit x", NULL, (kith_select **)&s->out.pointer))
FAIL(kith_select_bind_operand, KITH_ERR_UNKNOWN, kith_select_bind(s->select, "x", 1))
FAIL(kith_select_bind_operand, KITH_ERR_INPUT, kith_select_bind(s->select, "n", -1))
FAIL(kith_select_run, KITH_ERR_INPUT, kith_select_run(s->select))
FAIL(kith_query_text_tidy, KITH_ERR_INPUT,
     kith_query_text_tidy(s->world, "Position,", NULL, 0, NULL, NULL))
FAIL(kith_field_from_text, KITH_ERR_UNKNOWN,
     kith_field_from_text(s->world, s->e, &Position_type, "z", "1"))
FAIL(kith_field_from_text, KITH_ERR_INPUT,
     kith_field_from_text(s->world, s->e, &Position_type, "x", "one"))
FAIL(kith_field_from_text, KITH_ERR_TYPE,
     kith_field_from_text(s->world, s->owner, &Owned_type, "number", "1"))
FAIL(kith_field_from_text, KITH_ERR_DEAD,
     kith_field_from_text(s->world, nobody, &Position_type, "x", "1"))
FAIL(kith_field_from_text, KITH_ERR_ABSENT,
     kith_field_from_text(s->world, s->e, &Velocity_type, "dx", "1"))
FAIL(kith_parse_entity, KITH_ERR_INPUT, kith_parse_entity(s->world, s->e, "Nothing"))
FAIL(kith_parse_entity, KITH_ERR_DEAD, kith_parse_entity(s->world, nobody, "Position { x = 1 }"))

/* ---- scene.h, game.h */

FAIL(kith_scene_load, KITH_ERR_INPUT,
     kith_scene_load(s->world, bad_text, sizeof(bad_text) - 1, NULL, NULL))
FAIL(kith_scene_load_file, KITH_ERR_IO,
     kith_scene_load_file(s->world, "/nowhere/at/all", NULL, NULL))
FAIL(kith_scene_parse, KITH_ERR_INPUT,
     kith_scene_parse(s->world, bad_text, sizeof(bad_text) - 1, (kith_scene **)&s->out.pointer,
                      NULL))
FAIL(kith_scene_parse_file, KITH_ERR_IO,
     kith_scene_parse_file(s->world, "/nowhere/at/all", (kith_scene **)&s->out.pointer, NULL))
FAIL(kith_scene_new, KITH_ERR_IO,
     kith_scene_new(s->world, &(kith_scene_def){.path = "/nowhere/at/all"},
                    (kith_scene **)&s->out.pointer, NULL))
FAIL(kith_scene_set_name, KITH_ERR_INPUT, kith_scene_set_name(s->scene, 0, "7"))
FAIL(kith_scene_add, KITH_ERR_DEAD, kith_scene_add(s->scene, KITH_NONE, NULL, NULL))
FAIL(kith_scene_save, KITH_ERR_INPUT, kith_scene_save(s->world, NULL, save_never, NULL, NULL))
FAIL(kith_scene_save, KITH_ERR_IO,
     kith_scene_save(s->world, &(kith_scene_save_def){.query = s->query}, save_never, NULL, NULL))
FAIL(kith_scene_save_file, KITH_ERR_IO,
     kith_scene_save_file(s->world, NULL, "/nowhere/at/all", NULL))
FAIL(kith_game_add_systems, KITH_ERR_INPUT, kith_game_add_systems(s->world, 1u << 31))
FAIL(kith_game_add_systems, KITH_ERR_CONFLICT,
     (kith_game_add_systems(s->world, KITH_GAME_MOVEMENT),
      kith_game_add_systems(s->world, KITH_GAME_MOVEMENT)))

/* ---- snapshot.h */

/* Of a world with values that cannot be copied. */
static kith_result take_snapshot(subject *s)
{
    static kith_type type;
    type = Owned_type;
    type.name = "NotCopied";
    type.number = NULL;
    const kith_hooks hooks = owned_hooks_without_copy(&s->record);
    const kith_component_def def = {.hooks = &hooks};
    CHECK_RESULT(kith_register(s->world, &type, &def), KITH_OK);
    return kith_snapshot_take(s->world, (kith_snapshot **)&s->out.pointer);
}

FAIL(kith_snapshot_take, KITH_ERR_TYPE, take_snapshot(s))

static kith_result write_owned_difference(subject *s)
{
    kith_snapshot *before, *after;
    kith_bytes bytes = {0};
    CHECK_RESULT(kith_snapshot_take(s->world, &before), KITH_OK);
    ++*KITH_GET_MUT(s->world, s->owner, Owned)->number;
    CHECK_RESULT(kith_snapshot_take(s->world, &after), KITH_OK);
    kith_result result = kith_snapshot_diff_bytes(before, after, &bytes);
    CHECK_PTR_NULL(bytes.data);
    return result;
}

FAIL(kith_snapshot_diff_bytes, KITH_ERR_TYPE, write_owned_difference(s))
FAIL(kith_diff_apply, KITH_ERR_INPUT, kith_diff_apply(s->world, bad_text, sizeof(bad_text) - 1))
FAIL(kith_diff_apply, KITH_ERR_CONFLICT, kith_diff_apply(s->world, "KTHD\3................", 21))

static kith_result save_owned(subject *s)
{
    kith_bytes bytes = {0};
    kith_result result = kith_world_save(s->world, &bytes);
    CHECK_PTR_NULL(bytes.data);
    return result;
}

FAIL(kith_world_save, KITH_ERR_TYPE, save_owned(s))
FAIL(kith_world_load, KITH_ERR_INPUT, kith_world_load(s->world, "KTHS\3........", 13))
FAIL(kith_world_save_file, KITH_ERR_TYPE, kith_world_save_file(s->world, "/nowhere/at/all"))
FAIL(kith_world_load_file, KITH_ERR_IO, kith_world_load_file(s->world, "/nowhere/at/all"))

/* ---- world.h: what is attached */

FAIL(kith_attach_state, KITH_ERR_ABSENT, kith_attach_state(s->world, s, NULL))

/* ---- All of them */

/* Calls whose failures are not the world's, or that only fail for want of memory. */
static const char *const others[] = {
    "kith_fail",
    "kith_misuse",
    "kith_attach",
    "kith_require_owner",
    "kith_require_change",
    "kith_world_check",
    "kith_tracker_new",
    "kith_snapshot_restore",
    "kith_snapshot_diff",
    "kith_view_new",
    "kith_fork_new",
    "kith_index_find",
    "kith_profile_start",
    "kith_text_intern",
    "kith_observers_flush",
    "kith_entity_from_text",
    "kith_text_intern_bytes",
    "kith_scene_spawn",
    "kith_prefab_get",
    "kith_prefab_get_part",
    "kith_prefab_spawn_parts",
    "kith_prefab_spawn",
    "kith_prefab_spawn_many",
    "kith_system_send",
    "kith_system_parallel",
    "kith_system_get_mut",
    "kith_game_register",
    "kith_system_resource_mut",
    "kith_within_box",
    "kith_within_radius",
    "kith_nearest",
    "kith_along",
    "kith_pairs",
    "kith_grid_build",
    "kith_commands_despawn",
    "kith_commands_set",
    "kith_commands_set_values",
    "kith_commands_set_bytes",
    "kith_commands_add",
    "kith_commands_remove",
    "kith_commands_remove_all",
    "kith_pool_",
    "kith_read_",
};

static void check_is_listed(const char *name, const char *declaration, void *context)
{
    (void)context;
    if (strncmp(declaration, "KITH_API kith_result ", 21) != 0) {
        return;
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        size_t length = strlen(others[i]);
        if (strncmp(name, others[i], length) == 0 &&
            (name[length] == '\0' || others[i][length - 1] == '_')) {
            return;
        }
    }
    const failure *f = failures;
    while (f != NULL && strcmp(f->name, name) != 0) {
        f = f->next;
    }
    if (f == NULL) {
        test_fail(__FILE__, __LINE__, "%s does not fail here", name);
    }
}

TEST(every_call_with_a_result_fails_here)
{
    headers_each_declaration(check_is_listed, NULL);
    headers_each_declaration_of("game", check_is_listed, NULL);
}

TEST(a_message_is_about_the_last_call_that_failed)
{
    static const char older[] = "kith_older: it failed";
    for (const failure *f = failures; f != NULL; f = f->next) {
        test_note(f->name);
        subject *s = subject_new();
        const kith_component_def slot = {.layout = KITH_SLOT};
        CHECK_RESULT(kith_register(s->world, &Byte_type, &elsewhere), KITH_OK);
        CHECK_RESULT(kith_register(s->world, &Frozen_type, &slot), KITH_OK);
        CHECK_RESULT(kith_fail(s->world, KITH_ERR_INPUT, older), KITH_ERR_INPUT);
        CHECK_STR(kith_error(s->world), older);
        kith_result result = f->make(s);
        if (result != f->result) {
            test_fail(__FILE__, f->line, "%s, not %s: %s", kith_result_name(result),
                      kith_result_name(f->result), kith_error(s->world));
        }
        if (strcmp(kith_error(s->world), older) == 0) {
            test_fail(__FILE__, f->line, "an older message is left");
        }
        subject_free(s);
    }
    test_note(NULL);
}

/* A call that succeeds leaves what an older one has told. */
TEST(a_message_lives_until_a_call_fails)
{
    subject *s = subject_new();
    CHECK_RESULT(kith_run(s->world, -1), KITH_ERR_INPUT);
    CHECK_RESULT(kith_set(s->world, s->e, &Position_type, NULL), KITH_OK);
    CHECK_RESULT(kith_run(s->world, 1), KITH_OK);
    CHECK_CONTAINS(kith_error(s->world), "kith_run: -1 seconds");
    CHECK_RESULT(kith_fail(s->world, KITH_ERR_MEMORY, NULL), KITH_ERR_MEMORY);
    CHECK_STR(kith_error(s->world), "");
    subject_free(s);
}
