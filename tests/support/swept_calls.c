/* Calls that can fail for want of memory. */
#include "calls.h"
#include "command_calls.h"
#include "event_calls.h"
#include "hook_calls.h"
#include "index_calls.h"
#include "kept_calls.h"
#include "name_calls.h"
#include "pool_calls.h"
#include "query_calls.h"
#include "reflect_calls.h"
#include "relation_calls.h"
#include "scene_calls.h"
#include "snapshot_calls.h"
#include "spatial_calls.h"
#include "system_calls.h"
#include "text_calls.h"

static kith_result memory_if(bool failed)
{
    return failed ? KITH_ERR_MEMORY : KITH_OK;
}

static const kith_entity untouched = {0xEEEEEEEE, 0xEEEEEEEE};

static kith_result spawn_values(stage *s, const kith_value *values, uint32_t count)
{
    kith_entity entity = untouched;
    kith_result result = kith_spawn(s->world, values, count, &entity);
    CHECK_INT(kith_entity_equal(entity, untouched), result != KITH_OK);
    return result;
}

static kith_result spawn_known(stage *s)
{
    const kith_value values[] = {KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4})};
    return spawn_values(s, values, 2);
}

static kith_result spawn_new_kind(stage *s)
{
    const kith_value values[] = {KITH_VALUE(Name, {"new"}), KITH_VALUE(Burning),
                                 KITH_VALUE(Position, {1, 2})};
    return spawn_values(s, values, 3);
}

static kith_result spawn_nothing(stage *s)
{
    return spawn_values(s, NULL, 0);
}

static kith_result spawn_or_none(stage *s)
{
    return memory_if(kith_is_none(
        KITH_SPAWN(s->world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}))));
}

static kith_result spawn_empty(stage *s)
{
    return memory_if(kith_is_none(kith_spawn_empty(s->world)));
}

static kith_result spawn_some(stage *s, uint32_t count)
{
    static Position positions[1500];
    static kith_entity entities[1500];
    for (uint32_t i = 0; i < count; i++) {
        positions[i] = (Position){(float)i, 7};
        entities[i] = untouched;
    }
    const kith_values values[] = {
        KITH_VALUES(Position, positions), KITH_VALUE(Byte, {3}), {&Frozen_type, NULL, false}};
    kith_result result = kith_spawn_many(s->world, count, values, 3, entities);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(kith_entity_equal(entities[i], untouched), result != KITH_OK);
    }
    return result;
}

static kith_result spawn_few(stage *s)
{
    return spawn_some(s, 7);
}

static kith_result spawn_blocks(stage *s)
{
    return spawn_some(s, 1500);
}

/* Values that stand in the world, in a column that may have to grow for the copy. */
static kith_result spawn_from(stage *s)
{
    const kith_value values[] = {{&Position_type, KITH_GET(s->world, s->plain, Position)},
                                 {&Velocity_type, KITH_GET(s->world, s->plain, Velocity)}};
    Position expected = *KITH_GET(s->world, s->plain, Position);
    kith_entity entity = untouched;
    kith_result result = kith_spawn(s->world, values, 2, &entity);
    if (result == KITH_OK) {
        CHECK_FLOAT(KITH_GET(s->world, entity, Position)->x, expected.x);
        CHECK_FLOAT(KITH_GET(s->world, entity, Position)->y, expected.y);
        CHECK_FLOAT(KITH_GET(s->world, entity, Velocity)->dy, 2);
    }
    return result;
}

static kith_result set_from(stage *s)
{
    Position expected = *KITH_GET(s->world, s->plain, Position);
    kith_result result =
        kith_set(s->world, s->empty, &Position_type, kith_get(s->world, s->plain, &Position_type));
    if (result == KITH_OK) {
        CHECK_FLOAT(KITH_GET(s->world, s->empty, Position)->x, expected.x);
        CHECK_FLOAT(KITH_GET(s->world, s->empty, Position)->y, expected.y);
    }
    return result;
}

static kith_result clone_of(stage *s, kith_entity entity)
{
    kith_entity clone = untouched;
    kith_result result = kith_clone(s->world, entity, &clone);
    CHECK_INT(kith_entity_equal(clone, untouched), result != KITH_OK);
    return result;
}

/* Into a world that has all the memory that it wants. */
static kith_result transfer_full(stage *s)
{
    kith_world *other = kith_world_new(NULL);
    const kith_entity all[] = {s->plain, s->full};
    kith_entity moved[2] = {untouched, untouched};
    kith_result result = kith_transfer(s->world, all, 2, other, moved);
    CHECK_INT(kith_entity_equal(moved[1], untouched), result != KITH_OK);
    CHECK_UINT(kith_entity_count(other), result == KITH_OK ? 2 : 0);
    CHECK_WORLD(other);
    kith_world_free(other);
    return result;
}

static char attach_key, attach_first, attach_second;

static kith_result attach_thing(stage *s)
{
    kith_result result = kith_attach(s->world, &attach_key, &attach_first, NULL);
    CHECK(kith_attached(s->world, &attach_key) == (result == KITH_OK ? &attach_first : NULL));
    return result;
}

static void attach_prepare(stage *s)
{
    CHECK_RESULT(attach_thing(s), KITH_OK);
}

static kith_result attach_again(stage *s)
{
    kith_result result = kith_attach(s->world, &attach_key, &attach_second, NULL);
    CHECK(kith_attached(s->world, &attach_key) ==
          (result == KITH_OK ? &attach_second : &attach_first));
    return result;
}

static kith_result clone_plain(stage *s)
{
    return clone_of(s, s->plain);
}

static kith_result clone_or_none(stage *s)
{
    return memory_if(kith_is_none(KITH_CLONE(s->world, s->plain)));
}

static kith_result clone_tree_or_none(stage *s)
{
    return memory_if(kith_is_none(KITH_CLONE_TREE(s->world, s->plain)));
}

static kith_result clone_full(stage *s)
{
    return clone_of(s, s->full);
}

static kith_result despawn_plain(stage *s)
{
    return kith_despawn(s->world, s->plain);
}

static kith_result despawn_full(stage *s)
{
    return kith_despawn(s->world, s->full);
}

static kith_result despawn_several(stage *s)
{
    kith_entity entities[] = {s->plain, s->full,      s->gone, s->crates[0],
                              s->empty, s->crates[1], s->plain};
    uint32_t ended = 77;
    kith_result result = kith_despawn_many(s->world, entities, 7, &ended);
    CHECK_UINT(ended, result == KITH_OK ? 5 : 77);
    return result;
}

static kith_result despawn_all(stage *s)
{
    static kith_entity entities[2000];
    uint32_t count = 0;
    kith_entity e = KITH_NONE;
    while (!kith_is_none(e = kith_entity_next(s->world, e))) {
        CHECK(count < 2000);
        entities[count++] = e;
    }
    return kith_despawn_many(s->world, entities, count, NULL);
}

static kith_result set_over(stage *s)
{
    return KITH_SET(s->world, s->plain, Position, {9, 9});
}

static kith_result set_known_kind(stage *s)
{
    return KITH_SET(s->world, s->empty, Position, {9, 9});
}

static kith_result set_new_kind(stage *s)
{
    return KITH_SET(s->world, s->plain, Name, {"named"});
}

static kith_result set_several(stage *s)
{
    const kith_value values[] = {KITH_VALUE(Position, {9, 9}), KITH_VALUE(Name, {"several"}),
                                 KITH_VALUE(Byte, {1}), KITH_VALUE(Burning)};
    return kith_set_values(s->world, s->plain, values, 4);
}

static kith_result set_several_over(stage *s)
{
    const kith_value values[] = {KITH_VALUE(Position, {9, 9}), KITH_VALUE(Health, {1, 2}),
                                 KITH_VALUE(Frozen)};
    return kith_set_values(s->world, s->full, values, 3);
}

static kith_result set_bytes(stage *s)
{
    Extra extra = {1, 2, 3};
    return kith_set_bytes(s->world, s->plain, &Extra_type, &extra, sizeof(extra));
}

static kith_result set_bytes_over(stage *s)
{
    Position position = {9, 9};
    return kith_set_bytes(s->world, s->plain, &Position_type, &position, sizeof(position));
}

static kith_result add_tag(stage *s)
{
    return KITH_ADD(s->world, s->plain, Burning);
}

static kith_result add_value(stage *s)
{
    return KITH_ADD(s->world, s->empty, Big);
}

static kith_result remove_value(stage *s)
{
    return KITH_REMOVE(s->world, s->plain, Velocity);
}

static kith_result remove_tag(stage *s)
{
    return KITH_REMOVE(s->world, s->frozen, Frozen);
}

static kith_result clear_full(stage *s)
{
    return kith_remove_all(s->world, s->full);
}

static kith_result clear_plain(stage *s)
{
    return kith_remove_all(s->world, s->plain);
}

static kith_result get_mut(stage *s)
{
    void *value = s;
    kith_result result = kith_get_mut(s->world, s->plain, &Position_type, &value);
    CHECK_INT(value == s, result != KITH_OK);
    if (result == KITH_OK) {
        ((Position *)value)->x = 77;
    }
    return result;
}

static kith_result get_mut_or_null(stage *s)
{
    Position *value = KITH_GET_MUT(s->world, s->plain, Position);
    if (value != NULL) {
        value->x = 77;
    }
    return memory_if(value == NULL);
}

static kith_result register_type(stage *s)
{
    return kith_register(s->world, &Target_type, &(kith_component_def){.layout = s->def.layout});
}

/* Calls that are the first to name a type, and so register it. */
static const kith_type *const two_new[] = {&Target_type, &Extra_type};
static const kith_term new_terms[] = {{&Target_type, KITH_ACCESS_READ, KITH_MUST, 0, NULL},
                                      {&Extra_type, KITH_ACCESS_NONE, KITH_MUST_NOT, 0, NULL},
                                      {0}};

static kith_result register_many(stage *s)
{
    return kith_register_many(s->world, two_new, 2);
}

static kith_result set_first(stage *s)
{
    return kith_set(s->world, s->plain, &Target_type, NULL);
}

static kith_result add_first(stage *s)
{
    return kith_add(s->world, s->plain, &Target_type);
}

static kith_result set_bytes_first(stage *s)
{
    static const Target target;
    return kith_set_bytes(s->world, s->plain, &Target_type, &target, sizeof target);
}

static kith_result set_several_first(stage *s)
{
    const kith_value values[] = {{two_new[0], NULL}, {two_new[1], NULL}};
    return kith_set_values(s->world, s->plain, values, 2);
}

static kith_result spawn_first(stage *s)
{
    const kith_value values[] = {{two_new[0], NULL}, {two_new[1], NULL}};
    kith_entity made;
    return kith_spawn(s->world, values, 2, &made);
}

static kith_result spawn_many_first(stage *s)
{
    const kith_values values[] = {{two_new[0], NULL, false}, {two_new[1], NULL, false}};
    return kith_spawn_many(s->world, 10, values, 2, NULL);
}

static kith_result query_first(stage *s)
{
    const kith_query_def def = {.terms = new_terms};
    kith_query *query;
    return kith_query_new(s->world, &def, &query);
}

static kith_result tracker_first(stage *s)
{
    kith_tracker *tracker;
    return kith_tracker_new(s->world, &Target_type, &tracker);
}

static kith_result lookup_first(stage *s)
{
    return kith_lookup_new(s->world, &Target_type).result;
}

static void observe_nothing(const kith_observed *observed)
{
    (void)observed;
}

static kith_result observer_first(stage *s)
{
    const kith_observer_def def = {
        .kind = KITH_ON_ADD, .type = &Target_type, .run = observe_nothing};
    return kith_observer_new(s->world, &def, NULL);
}

static void run_nothing(kith_iter *it)
{
    kith_iter_close(it);
}

static kith_result system_first(stage *s)
{
    const kith_system_def def = {
        .name = "first use", .run = run_nothing, .query = {.terms = new_terms}};
    return kith_system_add(s->world, &def);
}

static kith_result table_memory(stage *s)
{
    kith_table_stats stats = {.rows = 77};
    kith_result result = kith_table_memory(s->world, 0, &stats, NULL, 0);
    CHECK(result == KITH_OK || stats.rows == 77);
    return result;
}

/* The list of tables was sorted; since then one went, and one came. */
static void exchange_tables(stage *s)
{
    kith_entity e = KITH_SPAWN(s->world, KITH_VALUE(Byte), KITH_VALUE(Burning));
    CHECK_RESULT(table_memory(s), KITH_OK);
    CHECK_RESULT(kith_despawn(s->world, e), KITH_OK);
    kith_world_trim(s->world);
    CHECK(!kith_is_none(KITH_SPAWN(s->world, KITH_VALUE(Name), KITH_VALUE(Burning))));
}

static kith_result all_tables_memory(stage *s)
{
    uint32_t rows = 0;
    kith_table_stats stats;
    for (uint32_t i = 0; i < kith_memory(s->world).tables; i++) {
        kith_result result = kith_table_memory(s->world, i, &stats, NULL, 0);
        if (result != KITH_OK) {
            return result;
        }
        rows += stats.rows;
    }
    CHECK_UINT(rows, kith_entity_count(s->world));
    return KITH_OK;
}

const swept_call swept_calls[] = {
    {"kith_spawn", "a value with hooks", spawn_hooked, false, NULL},
    {"kith_spawn_many", "values with hooks", spawn_many_hooked, false, NULL},
    {"kith_clone", "a value with hooks", clone_hooked, false, NULL},
    {"kith_despawn", "a value with hooks", despawn_hooked, true, NULL},
    {"kith_set", "over a value with hooks", set_hooked, false, NULL},
    {"kith_set", "a new value with hooks", set_new_hooked, false, NULL},
    {"kith_set", "on one with hooks, which moves", move_hooked, false, NULL},
    {"kith_set_values", "one of them with hooks", set_several_hooked, false, NULL},
    {"kith_add", "a value with hooks", add_hooked, false, NULL},
    {"kith_remove", "a value with hooks", remove_hooked, false, NULL},
    {"kith_remove_all", "a value with hooks", clear_hooked, false, NULL},
    {"kith_get_mut", "a value with hooks", write_hooked, true, NULL},
    {"kith_spawn", "into a known table", spawn_known, false, NULL},
    {"kith_spawn", "into a new table", spawn_new_kind, false, NULL},
    {"kith_spawn", "without components", spawn_nothing, false, NULL},
    {"kith_spawn", "from another's values", spawn_from, false, NULL},
    {"kith_spawn_or_none", "into a known table", spawn_or_none, false, NULL},
    {"kith_spawn_empty", "", spawn_empty, false, NULL},
    {"kith_spawn_many", "a few", spawn_few, false, NULL},
    {"kith_spawn_many", "more than a block", spawn_blocks, false, NULL},
    {"kith_transfer", "many components", transfer_full, false, NULL},
    {"kith_clone", "few components", clone_plain, false, NULL},
    {"kith_clone_or_none", "few components", clone_or_none, false, NULL},
    {"kith_clone", "many components", clone_full, false, NULL},
    {"kith_despawn", "from the middle of a table", despawn_plain, true, NULL},
    {"kith_despawn", "many components", despawn_full, true, NULL},
    {"kith_despawn_many", "some", despawn_several, false, NULL},
    {"kith_despawn_many", "all", despawn_all, false, NULL},
    {"kith_set", "what is there", set_over, true, NULL},
    {"kith_set", "what others have", set_known_kind, false, NULL},
    {"kith_set", "what nobody has", set_new_kind, false, NULL},
    {"kith_set", "from another's value", set_from, false, NULL},
    {"kith_set_values", "old and new", set_several, false, NULL},
    {"kith_set_values", "what is there", set_several_over, true, NULL},
    {"kith_set_bytes", "what is missing", set_bytes, false, NULL},
    {"kith_set_bytes", "what is there", set_bytes_over, true, NULL},
    {"kith_add", "a tag", add_tag, false, NULL},
    {"kith_add", "a large value", add_value, false, NULL},
    {"kith_remove", "a value", remove_value, false, NULL},
    {"kith_remove", "a tag", remove_tag, false, NULL},
    {"kith_remove_all", "many components", clear_full, false, NULL},
    {"kith_remove_all", "few components", clear_plain, false, NULL},
    {"kith_get_mut", "", get_mut, true, NULL},
    {"kith_get_mut_or_null", "", get_mut_or_null, true, NULL},
    {"kith_register", "", register_type, false, NULL},
    {"kith_register_many", "", register_many, false, NULL},
    {"kith_set", "a type's first use", set_first, false, NULL},
    {"kith_add", "a type's first use", add_first, false, NULL},
    {"kith_set_bytes", "a type's first use", set_bytes_first, false, NULL},
    {"kith_set_values", "first uses", set_several_first, false, NULL},
    {"kith_spawn", "first uses", spawn_first, false, NULL},
    {"kith_spawn_many", "first uses", spawn_many_first, false, NULL},
    {"kith_query_new", "first uses", query_first, false, NULL},
    {"kith_tracker_new", "a type's first use", tracker_first, false, NULL},
    {"kith_index_new", "a type's first use", index_call_new, false, NULL},
    {"kith_index_find", "the first time", index_call_find, false, NULL},
    {"kith_index_new", "by a function", index_call_new_by_function, false, NULL},
    {"kith_index_new", "a filter", index_call_new_filter, false, NULL},
    {"kith_index_find", "by a function, the first time", index_call_find_by_function, false, NULL},
    {"kith_index_range", "the first time", index_call_range, false, NULL},
    {"kith_index_prefix", "the first time", index_call_prefix, false, NULL},
    {"kith_index_nearest", "the first time", index_call_nearest, false, NULL},
    {"kith_unique_new", "a type's first use", unique_call_new, false, NULL},
    {"kith_set", "a relation", relation_call_set, false, NULL},
    {"kith_set", "another target", relation_call_set_target, false, NULL},
    {"kith_set", "the same target", relation_call_set_value, true, NULL},
    {"kith_set_values", "two relations", relation_call_set_several, false, NULL},
    {"kith_set_field", "a target", relation_call_set_field, false, NULL},
    {"kith_remove", "a relation", relation_call_remove, false, NULL},
    {"kith_remove_all", "relations", relation_call_clear, false, NULL},
    {"kith_despawn", "a source", relation_call_despawn_source, true, NULL},
    {"kith_despawn", "a parent, with its children", relation_call_despawn_parent, false, NULL},
    {"kith_despawn", "a target, which is cleared", relation_call_despawn_target, false, NULL},
    {"kith_source_place", "", relation_call_place, true, NULL},
    {"kith_source_place", "after all", relation_call_place_last, true, NULL},
    {"kith_set_parent", "the first one", relation_call_parent, false, NULL},
    {"kith_set_parent", "another one", relation_call_other_parent, true, NULL},
    {"kith_set_parent", "none", relation_call_no_parent, true, NULL},
    {"kith_insert_child", "of the same parent", relation_call_insert, true, NULL},
    {"kith_insert_child", "of none", relation_call_insert_new, false, NULL},
    {"kith_sort_children", "", relation_call_sort, false, NULL},
    {"kith_despawn_many", "targets and sources", relation_call_despawn_both, false, NULL},
    {"kith_spawn", "with relations", relation_call_spawn, false, NULL},
    {"kith_spawn_many", "with relations", relation_call_spawn_many, false, NULL},
    {"kith_clone", "a source", relation_call_clone, false, NULL},
    {"kith_clone_tree", "a parent with children", relation_call_clone_tree, false, NULL},
    {"kith_clone_tree_or_none", "few components", clone_tree_or_none, false, NULL},
    {"kith_commands_apply", "relations and a cascade", command_call_apply_links, false, NULL},
    {"kith_set_name", "the first of the world", name_call_first, false, NULL},
    {"kith_set_name", "another one", name_call_next, false, name_call_prepare},
    {"kith_live_new", "", live_call_new, false, NULL},
    {"kith_live_next", "the first time", live_call_next, false, NULL},
    {"kith_live_next", "after a change", live_call_again, false, NULL},
    {"kith_lookup_new", "a type's first use", lookup_first, false, NULL},
    {"kith_observer_new", "a type's first use", observer_first, false, NULL},
    {"kith_system_add", "first uses", system_first, false, NULL},
    {"kith_event_register", "", event_call_register, false, NULL},
    {"kith_event_send", "the first of its type", event_call_send_first, false, NULL},
    {"kith_event_send", "more", event_call_send_more, false, NULL},
    {"kith_event_send", "one again", event_call_send_from, false, NULL},
    {"kith_event_send_many", "the first of their type", event_call_send_many_first, false, NULL},
    {"kith_event_send_many", "more", event_call_send_many_more, false, NULL},
    {"kith_event_reserve", "the first of their type", event_call_reserve_first, false, NULL},
    {"kith_event_reserve", "more", event_call_reserve_more, false, NULL},
    {"kith_resource_set", "a new one", event_call_resource_add, false, NULL},
    {"kith_resource_set", "what is there", event_call_resource_over, true, NULL},
    {"kith_resource_get_mut", "", event_call_resource_get_mut, true, NULL},
    {"kith_resource_mut_or_null", "", event_call_resource_mut, true, NULL},
    {"kith_query_new", "", query_call_new, false, NULL},
    {"kith_query_new_or_null", "", query_call_new_or_null, false, NULL},
    {"kith_query_new", "with conditions", query_call_new_conditions, false, NULL},
    {"kith_query_bind_operand", "a text", query_call_bind, false, NULL},
    {"kith_query_text", "", text_call_query, false, NULL},
    {"kith_query_text_tidy", "", text_call_tidy, false, NULL},
    {"kith_select_new", "", text_call_select, false, NULL},
    {"kith_select_bind_operand", "a text", text_call_bind, false, text_call_prepare_select},
    {"kith_select_run", "", text_call_run, false, text_call_prepare_select},
    {"kith_select_run", "with sums", text_call_run, false, text_call_prepare_sums},
    {"kith_query_iter_at", "for the first time", query_call_iterate_first, false, NULL},
    {"kith_query_iter_at", "when tables came", query_call_iterate_again, false,
     query_call_make_tables},
    {"kith_query_iter_at", "writing", query_call_iterate, true, NULL},
    {"kith_next_slow", "writing", query_call_iterate, true, NULL},
    {"kith_next_rows", "writing", query_call_iterate_rows, false, NULL},
    {"kith_query_iter_at", "by depth", query_call_iterate_by_depth, false, NULL},
    {"kith_query_iter_one_at", "twice at once", query_call_iterate_one_first, false, NULL},
    {"kith_query_iter_one_at", "writing", query_call_iterate_one, true, NULL},
    {"kith_query_iter_at", "that looks for changes", query_call_iterate_changed, false, NULL},
    {"kith_tracker_new", "the first of its type", query_call_tracker_new, false, NULL},
    {"kith_tracker_new", "another of its type", query_call_tracker_new_another, false, NULL},
    {"kith_table_memory", "for the first time", table_memory, false, NULL},
    {"kith_table_memory", "for other tables", all_tables_memory, false, exchange_tables},
    {"kith_system_add", "a plain one", system_call_add, false, NULL},
    {"kith_system_add", "a query system", system_call_add_query, false, NULL},
    {"kith_system_replace", "", system_call_replace, false, NULL},
    {"kith_phase_add", "", system_call_phase_add, false, NULL},
    {"kith_workers_set", "of the host", system_call_workers_of_the_host, false, NULL},
    {"kith_workers_set", "threads", system_call_workers_of_kith, false, NULL},
    {"kith_observer_new", "of a type", system_call_observer_new, false, NULL},
    {"kith_observer_new", "of values", system_call_observer_of_values, false, NULL},
    {"kith_observer_new", "of matches", system_call_observer_of_matches, false, NULL},
    {"kith_observer_new", "with values", kept_call_observer_new, false, NULL},
    {"kith_observer_new", "with values of other types", kept_call_observer_also, false, NULL},
    {"kith_despawn", "what it had is kept", kept_call_despawn, false, kept_call_keep_also},
    {"kith_observers_flush", "what one had that was despawned", system_call_observe, false,
     kept_call_end_one},
    {"kith_remove", "a value that is kept", kept_call_remove, false, kept_call_keep},
    {"kith_despawn", "values that are kept", kept_call_despawn, false, kept_call_keep},
    {"kith_remove_all", "values that are kept", kept_call_clear, false, kept_call_keep},
    {"kith_despawn_many", "large values that are kept", kept_call_despawn_many, false,
     kept_call_keep},
    {"kith_commands_apply", "values that are kept", kept_call_apply, false, kept_call_queue},
    {"kith_observers_flush", "values that are kept", system_call_observe, true, kept_call_lose},
    {"kith_observers_flush", "", system_call_observe, false, system_call_burn_all},
    {"kith_profile_start", "", system_call_profile_start, false, NULL},
    {"kith_sort", "by a number", reflect_call_sort, false, reflect_call_prepare_sort},
    {"kith_sort", "by comparing", reflect_call_sort_by_comparing, false, reflect_call_prepare_sort},
    {"kith_define", "a few fields", reflect_call_define, false, NULL},
    {"kith_define", "many fields", reflect_call_define_many_fields, false, NULL},
    {"kith_set_field", "", reflect_call_set_field, true, NULL},
    {"kith_field_from_text", "a number", reflect_call_field_from_text, false, NULL},
    {"kith_field_from_text", "a new text", text_call_parse_field, false, text_call_prepare_label},
    {"kith_parse_value", "of a type with many fields", reflect_call_parse_value, false, NULL},
    {"kith_parse_value", "with texts", text_call_parse, false, text_call_prepare},
    {"kith_parse_entity", "with texts", text_call_parse_entity, false, text_call_prepare},
    {"kith_attach", "", attach_thing, false, NULL},
    {"kith_attach", "in place of another", attach_again, false, attach_prepare},
    {"kith_text_intern", "", text_call_intern, false, NULL},
    {"kith_text_intern", "when others are there", text_call_intern, false, text_call_prepare},
    {"kith_text_intern_bytes", "a long one", text_call_intern_long, false, text_call_prepare},
    {"kith_parse_entity", "what others have", reflect_call_parse_known, false, NULL},
    {"kith_parse_entity", "old and new", reflect_call_parse_new, false, NULL},
    {"kith_parse_entity", "what is there", reflect_call_parse_over, false, NULL},
    {"kith_pool_new", "", pool_call_new, false, NULL},
    {"kith_pool_create", "", pool_call_create, false, NULL},
    {"kith_pool_reserve", "", pool_call_reserve, false, NULL},
    {"kith_commands_new", "", command_call_new, false, NULL},
    {"kith_commands_spawn", "the first", command_call_one_spawn, false, NULL},
    {"kith_commands_spawn", "17 of them", command_call_17_spawns, false, NULL},
    {"kith_commands_spawn_values", "a large value", command_call_large_spawn, false, NULL},
    {"kith_commands_clone", "clones of clones", command_call_clones, false, NULL},
    {"kith_commands_clone_tree", "trees of trees", command_call_clone_trees, false, NULL},
    {"kith_commands_set", "a small value", command_call_set_small, false, NULL},
    {"kith_commands_set", "large values", command_call_set_large, false, NULL},
    {"kith_commands_set_values", "small and large", command_call_set_several, false, NULL},
    {"kith_commands_set_bytes", "small and large", command_call_set_bytes, false, NULL},
    {"kith_commands_add", "many", command_call_adds, false, NULL},
    {"kith_commands_remove", "many", command_call_removes, false, NULL},
    {"kith_commands_remove_all", "many", command_call_clears, false, NULL},
    {"kith_commands_despawn", "many", command_call_despawns, false, NULL},
    {"kith_commands_apply", "17 entities", command_call_apply_17_spawns, false, NULL},
    {"kith_commands_apply", "a large value", command_call_apply_large_spawn, false, NULL},
    {"kith_commands_apply", "clones of clones", command_call_apply_clones, false, NULL},
    {"kith_commands_apply", "trees of trees", command_call_apply_clone_trees, false, NULL},
    {"kith_commands_apply", "large values for one", command_call_apply_set_large, false, NULL},
    {"kith_commands_apply", "removing", command_call_apply_removes, false, NULL},
    {"kith_commands_apply", "clearing", command_call_apply_clears, false, NULL},
    {"kith_commands_apply", "despawning", command_call_apply_despawns, false, NULL},
    {"kith_commands_apply", "a bit of everything", command_call_apply_mix, false, NULL},
    {"kith_commands_apply", "many entities", command_call_apply_for_all, false, NULL},
    {"kith_commands_apply", "many new entities", command_call_apply_many_spawns, false, NULL},
    {"kith_commands_apply", "handles in values", command_call_apply_handles, false,
     command_call_register_target},
    {"kith_commands_set", "types that nobody registered", command_call_new_types, false, NULL},
    {"kith_commands_apply", "types that nobody registered", command_call_apply_new_types, false,
     NULL},
    {"kith_commands_apply", "overwriting", command_call_apply_overwriting, false, NULL},
    {"kith_commands_apply", "values with hooks", command_call_apply_hooked, false, NULL},
    {"kith_commands_set", "values with hooks", command_call_hooked, false, NULL},
    {"kith_resource_set", "a value with hooks", resource_hooked, false, NULL},
    {"kith_event_send", "a value with hooks", event_hooked, false, NULL},
    {"kith_snapshot_take", "the first", snapshot_call_take, false, snapshot_call_prepare_first},
    {"kith_snapshot_take", "with attached things", snapshot_call_take, false,
     snapshot_call_prepare_attached},
    {"kith_snapshot_take", "after a change", snapshot_call_take, false, snapshot_call_prepare},
    {"kith_snapshot_restore", "after many changes", snapshot_call_restore, false,
     snapshot_call_prepare_restore},
    {"kith_snapshot_diff", "after many changes", snapshot_call_diff, false,
     snapshot_call_prepare_diff},
    {"kith_view_new", "with memory of its world", snapshot_call_view, false,
     snapshot_call_prepare_view},
    {"kith_fork_new", "with memory of its world", snapshot_call_fork, false,
     snapshot_call_prepare_view},
    {"kith_snapshot_diff_bytes", "after many changes", snapshot_call_diff_bytes, false,
     snapshot_call_prepare_diff},
    {"kith_diff_apply", "many changes", snapshot_call_apply, false, snapshot_call_prepare_apply},
    {"kith_within_box", "asked first", spatial_call_box, false, spatial_call_prepare},
    {"kith_within_box", "after moves", spatial_call_box, false, spatial_call_prepare_moved},
    {"kith_within_radius", "asked first", spatial_call_radius, false, spatial_call_prepare},
    {"kith_nearest", "asked first", spatial_call_nearest, false, spatial_call_prepare},
    {"kith_pairs", "asked first", spatial_call_pairs, false, spatial_call_prepare},
    {"kith_along", "asked first", spatial_call_along, false, spatial_call_prepare},
    {"kith_scene_load", "entities of prefabs", scene_call_load, false, scene_call_prepare},
    {"kith_scene_load_file", "", scene_call_load_file, false, scene_call_prepare},
    {"kith_scene_parse", "", scene_call_parse, false, scene_call_prepare},
    {"kith_scene_parse_file", "", scene_call_read_file, false, scene_call_prepare},
    {"kith_scene_new", "includes and prefabs of another scene", scene_call_new, false,
     scene_call_prepare},
    {"kith_scene_spawn", "resources", scene_call_spawn_resources, false, scene_call_prepare},
    {"kith_scene_add", "of a prefab of another scene", scene_call_add, false, scene_call_prepare},
    {"kith_scene_set_name", "", scene_call_set_name, false, scene_call_prepare},
    {"kith_scene_spawn", "twice", scene_call_spawn, false, scene_call_prepare},
    {"kith_prefab_spawn", "with few values", scene_call_prefab_spawn, false, scene_call_prepare},
    {"kith_prefab_spawn_or_none", "", scene_call_prefab_spawn_or_none, false, scene_call_prepare},
    {"kith_prefab_spawn_many", "with many values", scene_call_prefab_spawn_many, false,
     scene_call_prepare},
    {"kith_prefab_queue", "", scene_call_prefab_queue, false, scene_call_prepare},
    {"kith_scene_load", "children", scene_call_load_trees, false, scene_call_prepare},
    {"kith_prefab_spawn_many", "with children", scene_call_prefab_spawn_trees, false,
     scene_call_prepare},
    {"kith_prefab_spawn_parts", "", scene_call_prefab_spawn_parts, false, scene_call_prepare},
    {"kith_prefab_queue_parts", "many", scene_call_prefab_queue_parts, false, scene_call_prepare},
    {"kith_scene_save", "all", scene_call_save, false, scene_call_prepare_save},
    {"kith_scene_save", "a query, with names", scene_call_save_some, false,
     scene_call_prepare_save},
    {"kith_scene_save_file", "", scene_call_save_file, false, scene_call_prepare_save},
};
const size_t swept_count = sizeof(swept_calls) / sizeof(swept_calls[0]);
