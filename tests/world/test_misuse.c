/* Misuse of worlds, types, entities, resources and events: each rule is broken once. The message is
 * seen, the call changes nothing, and a world whose handler returns goes on; the default aborts. */
#include <kith/kith.h>

#include "owned.h"
#include "trips.h"

static const kith_type stranger = {.name = "Stranger", .align = 1};

/* ---- One call -------------------------------------------------------------------------------- */

static const char *name_nothing(void *context, kith_entity entity)
{
    (void)context;
    (void)entity;
    return NULL;
}

TEST(arguments_that_are_nothing_are_told)
{
    stage s = stage_open();
    kith_world *w = s.world;
    kith_entity e = KITH_NONE;
    CHECK_TOLD(&s, kith_require_owner(w, NULL) == KITH_ERR_MISUSE,
               "kith_require_owner: the name of the call is NULL");
    CHECK_RESULT(kith_require_owner(w, "name"), KITH_OK);
    CHECK_TOLD(&s, kith_require_change(w, NULL) == KITH_ERR_MISUSE,
               "kith_require_change: the name of the call is NULL");
    CHECK_TOLD(&s, kith_set(w, s.e, NULL, NULL) == KITH_ERR_MISUSE, "%s: the type is NULL");
    CHECK_TOLD(&s, kith_register(w, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_register: the type is NULL");
    CHECK_TOLD(&s, kith_register_many(w, NULL, 2) == KITH_ERR_MISUSE,
               "kith_register_many: %u types, but their address is NULL");
    CHECK_TOLD(&s, (kith_log(w, KITH_LOG_INFO, NULL), true),
               "kith_log: the message is NULL, or %d is not a level");
    CHECK_TOLD(&s, kith_type_find(w, NULL) == NULL, "kith_type_find: the name is NULL");
    CHECK_TOLD(&s, !kith_has_hooks(w, NULL), "kith_has_hooks: the type is NULL");
    CHECK_TOLD(&s, !kith_is_transient(w, NULL), "kith_is_transient: the type is NULL");
    CHECK_TOLD(&s, kith_layout_of(w, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_layout_of: the type is NULL");
    CHECK_TOLD(&s, kith_spawn(w, NULL, 2, &e) == KITH_ERR_MISUSE,
               "kith_spawn: %u values, but their address is NULL");
    CHECK_TOLD(&s, kith_spawn(w, NULL, 0, NULL) == KITH_ERR_MISUSE,
               "kith_spawn: there is no place for the new handle");
    CHECK_TOLD(&s, kith_spawn_many(w, 2, NULL, 2, NULL) == KITH_ERR_MISUSE,
               "kith_spawn_many: %u values, but their address is NULL");
    CHECK_TOLD(&s, kith_clone(w, s.e, NULL) == KITH_ERR_MISUSE,
               "kith_clone: there is no place for the new handle");
    CHECK_TOLD(&s, kith_clone_tree(w, s.e, NULL) == KITH_ERR_MISUSE,
               "kith_clone_tree: there is no place for the new handle");
    CHECK_TOLD(&s, kith_despawn_many(w, NULL, 2, NULL) == KITH_ERR_MISUSE,
               "kith_despawn_many: %u handles, but their address is NULL");
    CHECK_TOLD(&s, kith_get_mut(w, s.e, &Position_type, NULL) == KITH_ERR_MISUSE,
               "kith_get_mut: there is no place for the pointer");
    kith_lookup lookup = KITH_LOOKUP(w, Position);
    CHECK_TOLD(&s, KITH_GET(&lookup, s.e, Velocity) == NULL,
               "kith_lookup: this one is of %s, not of %s");
    CHECK_TOLD(&s, kith_get_many(w, &Position_type, &s.e, 1, NULL) == 0,
               "kith_get_many: %u handles, but an address is NULL");
    CHECK_TOLD(&s, kith_set_values(w, s.e, NULL, 2) == KITH_ERR_MISUSE,
               "kith_set_values: %u values, but their address is NULL");
    CHECK_TOLD(&s, kith_component_memory(w, &Position_type, NULL) == KITH_ERR_MISUSE,
               "kith_component_memory: the type, or the place for the answer, is NULL");
    CHECK_TOLD(&s, kith_table_memory(w, 0, NULL, NULL, 0) == KITH_ERR_MISUSE,
               "kith_table_memory: there is no place for the answer");
    CHECK_TOLD(&s, kith_tracker_new(w, &Position_type, NULL) == KITH_ERR_MISUSE,
               "kith_tracker_new: there is no place for the tracker");
    stage_close(&s);
}

TEST(resources_and_events_of_nothing_are_told)
{
    stage s = stage_open();
    kith_world *w = s.world;
    CHECK_TOLD(&s, kith_resource_set(w, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_resource_set: the type is NULL");
    CHECK_TOLD(&s, kith_resource_get(w, NULL) == NULL, "kith_resource_get: the type is NULL");
    CHECK_TOLD(&s, kith_resource_get_mut(w, &Position_type, NULL) == KITH_ERR_MISUSE,
               "%s: the type, or the place for the pointer, is NULL");
    CHECK_TOLD(&s, kith_resource_remove(w, NULL) == KITH_ERR_MISUSE,
               "kith_resource_remove: the type is NULL");
    CHECK_TOLD(&s, kith_event_register(w, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_event_register: the type is NULL");
    CHECK_TOLD(&s, kith_event_send(w, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_event_send: the type is NULL");
    CHECK_TOLD(&s, kith_event_send_many(w, NULL, NULL, 1) == KITH_ERR_MISUSE,
               "kith_event_send_many: the type is NULL");
    CHECK_TOLD(&s, kith_event_reserve(w, NULL, 1) == KITH_ERR_MISUSE,
               "kith_event_reserve: the type is NULL");
    CHECK_TOLD(&s, kith_event_count(w, NULL) == 0, "kith_event_count: the type is NULL");
    CHECK_TOLD(&s, kith_event_at(w, NULL, 0) == NULL, "kith_event_at: the type is NULL");
    CHECK_TOLD(&s, kith_event_next(w, &Position_type, NULL, NULL) == NULL,
               "kith_event_next: the type, or the reader, is NULL");
    CHECK_TOLD(&s, (kith_event_clear(w, NULL), true), "kith_event_clear: the type is NULL");
    stage_close(&s);
}

TEST(texts_that_are_nothing_are_told)
{
    stage s = stage_open();
    kith_world *w = s.world;
    kith_text text = {7};
    CHECK_TOLD(&s, kith_text_intern(w, NULL, &text) == KITH_ERR_MISUSE,
               "kith_text_intern: the text, or the place for the answer, is NULL");
    CHECK_TOLD(&s, kith_text_intern_bytes(w, NULL, 3, &text) == KITH_ERR_MISUSE,
               "kith_text_intern: the text, or the place for the answer, is NULL");
    CHECK_UINT(text.number, 7);
    static kith_namer nameless;
    CHECK_TOLD(&s, (kith_namer_add(w, NULL), true),
               "kith_namer_add: the namer, or its `name`, is NULL");
    CHECK_TOLD(&s, (kith_namer_add(w, &nameless), true),
               "kith_namer_add: the namer, or its `name`, is NULL");
    kith_namer namer = {.name = name_nothing};
    kith_namer_add(w, &namer);
    CHECK_TOLD(&s, (kith_namer_add(w, &namer), true),
               "kith_namer_add: the namer is added already; remove it first");
    kith_namer_remove(&namer);
    CHECK_TOLD(&s, kith_text_intern(w, "text", NULL) == KITH_ERR_MISUSE,
               "kith_text_intern: the text, or the place for the answer, is NULL");
    CHECK(!kith_text_find(w, "text", NULL));
    CHECK_TOLD(&s, !kith_text_find(w, NULL, NULL), "kith_text_find: the text is NULL");
    stage_close(&s);
}

TEST_WITHIN(10, calls_on_nothing_end_the_program)
{
    CHECK_ENDS(kith_spawn_empty(NULL), "%s: the world is NULL");
    CHECK_ENDS(kith_tracker_skip_changes(NULL), "%s: the tracker is NULL");
    CHECK_ENDS(kith_commands_despawn(NULL, KITH_NONE),
               "%s: the command buffer is NULL; make one with kith_commands_new (the iterator that"
               " a system is given has one, other iterators do not)");
    CHECK_ENDS(kith_commands_apply(NULL, NULL), "kith_commands_apply: the command buffer is NULL");
    CHECK_ENDS(kith_commands_memory(NULL), "kith_commands_memory: the command buffer is NULL");
    CHECK_ENDS(kith_commands_set_holder(NULL, NULL),
               "kith_commands_set_holder: the command buffer is NULL");
    CHECK_ENDS(kith_commands_error(NULL), "kith_commands_error: the command buffer is NULL");
    CHECK_ENDS(kith_commands_world(NULL), "kith_commands_world: the command buffer is NULL");
}

/* ---- Trips: worlds and types ----------------------------------------------------------------- */

static void *spawn_there(void *user)
{
    stage *s = user;
    CHECK(kith_is_none(kith_spawn_empty(s->world)));
    return NULL;
}
static void foreign_thread(stage *s)
{
    in_another_thread(spawn_there, s);
}

static void *claim_there(void *user)
{
    stage *s = user;
    kith_world_claim(s->world);
    return NULL;
}
static void claim_of_what_is_owned(stage *s)
{
    in_another_thread(claim_there, s);
}

static void change_in_open_query(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    CHECK_RESULT(kith_despawn(s->world, s->e), KITH_ERR_MISUSE);
    kith_iter_close(&it);
}

/* What no buffer takes: applying one, for example. */
static void apply_in_open_query(stage *s)
{
    kith_commands *commands = kith_commands_new(s->world, NULL);
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_ERR_MISUSE);
    kith_iter_close(&it);
}

static void change_in_a_hook(stage *s)
{
    static owned_record record;
    kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.hooks = &hooks};
    CHECK_RESULT(kith_register(s->world, &Owned_type, &def), KITH_OK);
    kith_entity e = KITH_SPAWN(s->world, KITH_VALUE(Owned));
    record.world = s->world;
    CHECK_RESULT(kith_despawn(s->world, e), KITH_OK);
    CHECK_RESULT(record.inner, KITH_ERR_MISUSE);
    record.world = NULL;
}

static void use_of_the_buffer(void *context)
{
    CHECK(kith_is_none(kith_commands_spawn(context)));
}

static void use_in_a_hook(stage *s)
{
    owned_record record = {0};
    kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.hooks = &hooks};
    CHECK_RESULT(kith_register(s->world, &Owned_type, &def), KITH_OK);
    kith_commands *commands = kith_commands_new(s->world, NULL);
    CHECK_RESULT(KITH_ADD(commands, s->e, Owned), KITH_OK);
    record.context = commands;
    record.inside = use_of_the_buffer;
    kith_commands_discard(commands);
    record.inside = NULL;
    CHECK_UINT(record.live, 0);
    CHECK_UINT(kith_commands_memory(commands).commands, 0);
    CHECK(!kith_is_none(kith_commands_spawn(commands)));
    kith_commands_free(commands);
}

static kith_result free_within(stage *s)
{
    kith_world_free(s->world);
    return KITH_OK;
}
static void free_in_a_run(stage *s)
{
    CHECK_RESULT(in_a_run(free_within, s), KITH_OK);
}

static kith_result yield_within(stage *s)
{
    kith_world_release(s->world);
    return KITH_OK;
}
static void yield_in_a_run(stage *s)
{
    CHECK_RESULT(in_a_run(yield_within, s), KITH_OK);
}

static void call_of_a_yielded_world(stage *s)
{
    kith_world_release(s->world);
    CHECK(!kith_alive(s->world, s->e));
    kith_world_claim(s->world);
}

static void unknown_type(stage *s)
{
    CHECK_PTR_NULL(kith_component_next(s->world, s->e, &stranger));
}

static void other_definition(stage *s)
{
    static const kith_field fields[] = {{"x", 0, 4, KITH_I32}, {"y", 4, 4, KITH_I32}};
    const kith_type other = {"Position", 8, 4, 0, 2, fields, NULL, KITH_TABLE, false, false, 0};
    CHECK_PTR_NULL(kith_get(s->world, s->e, &other));
}

/* ---- Trips: commands and trackers ------------------------------------------------------------ */

static void queue_null_values(stage *s)
{
    kith_commands *commands = kith_commands_new(s->world, NULL);
    CHECK_RESULT(kith_commands_set_values(commands, s->e, NULL, 2), KITH_ERR_MISUSE);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_ERR_MISUSE);
}

static void free_what_is_lent(kith_iter *it)
{
    kith_commands_free(it->commands);
    kith_commands_despawn(it->commands, KITH_NONE);
}

static void free_of_a_systems_buffer(stage *s)
{
    const kith_system_def def = {.name = "frees", .run = free_what_is_lent};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_OK);
    CHECK_RESULT(kith_run(s->world, 0), KITH_OK);
    CHECK_RESULT(kith_system_remove(s->world, "frees"), KITH_OK);
}

static void free_what_observers_queue_on(const kith_observed *observed)
{
    kith_commands_free(observed->commands);
    CHECK_RESULT(kith_commands_despawn(observed->commands, KITH_NONE), KITH_OK);
}

static void free_of_the_observers_buffer(stage *s)
{
    const kith_observer_def def = {.type = &Velocity_type, .run = free_what_observers_queue_on};
    kith_observer *observer;
    CHECK_RESULT(kith_observer_new(s->world, &def, &observer), KITH_OK);
    kith_entity e = KITH_SPAWN(s->world, KITH_VALUE(Velocity));
    CHECK_RESULT(kith_observers_flush(s->world), KITH_OK);
    CHECK_RESULT(kith_despawn(s->world, e), KITH_OK);
    kith_observer_free(observer);
}

static void queue_where_none_is(kith_iter *it)
{
    CHECK_PTR_NULL(it->commands);
    CHECK_RESULT(kith_commands_despawn(it->commands, KITH_NONE), KITH_ERR_MISUSE);
}

static void queue_in_a_quiet_system(stage *s)
{
    const kith_system_def def = {.name = "hushed", .run = queue_where_none_is, .no_commands = true};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_OK);
    CHECK_RESULT(kith_run(s->world, 0), KITH_OK);
    CHECK_RESULT(kith_system_remove(s->world, "hushed"), KITH_OK);
}

static kith_tracker *handed_over;

static void *tracker_there(void *user)
{
    (void)user;
    CHECK_UINT(kith_tracker_pending(handed_over), 0);
    return NULL;
}
static void tracker_in_another_thread(stage *s)
{
    CHECK_RESULT(kith_tracker_new(s->world, &Position_type, &handed_over), KITH_OK);
    in_another_thread(tracker_there, s);
}

static void change_nowhere(stage *s)
{
    kith_tracker *tracker;
    CHECK_RESULT(kith_tracker_new(s->world, &Position_type, &tracker), KITH_OK);
    CHECK(!kith_tracker_next(tracker, NULL));
}

static void transfer_to_itself(stage *s)
{
    CHECK_RESULT(kith_transfer(s->world, &s->e, 1, s->world, NULL), KITH_ERR_MISUSE);
}

static void transfer_of_null(stage *s)
{
    kith_world *other = kith_world_new(NULL);
    CHECK_RESULT(kith_transfer(s->world, NULL, 2, other, NULL), KITH_ERR_MISUSE);
    kith_world_free(other);
}

static void transfer_into_an_open_query(stage *s)
{
    kith_world *other = kith_world_new(NULL);
    CHECK_RESULT(kith_register(other, &Velocity_type, NULL), KITH_OK);
    kith_entity e = KITH_SPAWN(other, KITH_VALUE(Velocity));
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    CHECK_RESULT(kith_transfer(other, &e, 1, s->world, NULL), KITH_ERR_MISUSE);
    CHECK(kith_alive(other, e));
    kith_iter_close(&it);
    kith_world_free(other);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static const trip trips[] = {
    {"kith_transfer: both worlds are the same", transfer_to_itself},
    {"kith_transfer: %u handles, but their address is NULL", transfer_of_null},
    {"kith_transfer: the world is being iterated (%s); do it when the loop has ended"
     " (kith_iter_close)",
     transfer_into_an_open_query},
    {"kith_commands_free: %s belongs to the world, which frees it; kith_commands_discard forgets "
     "what"
     " is queued there",
     free_of_a_systems_buffer},
    {"kith_commands_free: observed->commands belongs to the world, which frees it;"
     " kith_commands_discard forgets what is queued there",
     free_of_the_observers_buffer},
    {"%s: the world was released, and belongs to no thread; call kith_world_claim first",
     call_of_a_yielded_world},
    {"kith_tracker_pending: the world belongs to another thread; its owner calls"
     " kith_world_release, this one kith_world_claim",
     tracker_in_another_thread},
    {"kith_tracker_next: there is no place for the change", change_nowhere},
    {"%s: the world belongs to another thread; its owner calls kith_world_release, this"
     " one kith_world_claim",
     foreign_thread},
    {"kith_world_claim: another thread owns the world; it has to call kith_world_release first",
     claim_of_what_is_owned},
    {"%s: a hook of '%s' is running; hooks must not call into the world", change_in_a_hook},
    {"%s: hooks of the values in a command buffer must not use it", use_in_a_hook},
    {"%s: the world is being iterated (%s); queue it on a kith_commands (in a system it->commands),"
     " or do it when the loop has ended (kith_iter_close)",
     change_in_open_query},
    {"%s: the world is being iterated (%s); do it when the loop has ended (kith_iter_close)",
     apply_in_open_query},
    {"kith_world_free: %s is under way; call it when that has returned", free_in_a_run},
    {"kith_world_release: %s is under way; call it when that has returned", yield_in_a_run},
    {"%s: '%s' is not registered in this world; register it first, by kith_register or KITH_TYPES,"
     " in C++ register_types",
     unknown_type},
    {"%s: this world's '%s' is another type than the one that was passed: %s", other_definition},
    {"%s: the command buffer is NULL: system \"%s\" is `no_commands`, and so its iterator has none;"
     " leave `no_commands` out of its definition",
     queue_in_a_quiet_system},
    {"%s: %u values, but their address is NULL", queue_null_values},
};

TEST_WITHIN(10, every_rule_is_told_when_it_is_broken)
{
    take_trips(trips, sizeof(trips) / sizeof(trips[0]));
}

/* ---- Names ------------------------------------------------------------------------------------- */

TEST(names_are_asked_for_and_not_written_in_place)
{
    stage s = stage_open();
    void *value = NULL;
    kith_query *query = NULL;
    const kith_term terms[] = {KITH_WRITE(kith_name), {0}};
    const kith_query_def writes = {.terms = terms};
    CHECK_RESULT(kith_set_name(s.world, s.e, "named"), KITH_OK);
    s.content = kith_content_hash(s.world);
    CHECK_TOLD(&s, kith_is_none(kith_find(s.world, NULL)), "%s: the name is NULL");
    CHECK_TOLD(&s, kith_is_none(kith_find_from(s.world, s.e, NULL)), "%s: the name is NULL");
    CHECK_TOLD(&s, kith_is_none(kith_find_child(s.world, s.e, NULL)), "%s: the name is NULL");
    CHECK_TOLD(&s, kith_path(s.world, s.e, NULL, 1) == 0,
               "kith_path: the buffer is NULL, but its size is not 0");
    CHECK_TOLD(&s, kith_get_mut(s.world, s.e, &kith_name_type, &value) == KITH_ERR_MISUSE,
               "%s: %s %s, and its values are not written in place; set the whole value"
               " (KITH_SET)");
    CHECK_TOLD(&s, KITH_GET_MUT(s.world, s.e, kith_name) == NULL,
               "%s: %s is the name of an entity, and its values are not written in place; set"
               " the whole value (KITH_SET)");
    CHECK_TOLD(&s, kith_query_new(s.world, &writes, &query) == KITH_ERR_MISUSE,
               "%s: %s is the name of an entity, and its values are not written in place; set"
               " the whole value (KITH_SET)");
    CHECK_TOLD(&s, kith_is_none(KITH_FIND_UNIQUE(s.world, kith_name, {{1}})),
               "kith_unique_find: %s has no unique key in this world; see KITH_UNIQUE");
    kith_unique_free(s.world, &kith_name_type); /* it stays */
    CHECK_RESULT(KITH_UNIQUE(s.world, kith_name, text), KITH_ERR_CONFLICT);
    s.it = kith_query_iter(s.query);
    CHECK_TOLD(&s, kith_set_name(s.world, s.e, NULL) == KITH_ERR_MISUSE,
               "%s: the world is being iterated (%s); queue it on a kith_commands (in a system"
               " it->commands), or do it when the loop has ended (kith_iter_close)");
    CHECK_RESULT(kith_set_name(s.world, s.e, "renamed"), KITH_OK); /* its value alone */
    kith_iter_close(&s.it);
    CHECK_SAME(kith_find(s.world, "renamed"), s.e);
    s.content = kith_content_hash(s.world);
    stage_close(&s);
}

/* ---- The default handler --------------------------------------------------------------------- */

static void misuse_by_default(void)
{
    kith_world *world = kith_world_new(NULL);
    kith_entity e = kith_spawn_empty(world);
    kith_component_next(world, e, &stranger);
}

TEST(the_default_handler_prints_and_aborts)
{
    CHECK_ENDS(misuse_by_default(),
               "kith_component_next: 'Stranger' is not registered in this world; register it"
               " first, by kith_register or KITH_TYPES, in C++ register_types");
}

static void silent(const char *message, void *context)
{
    (void)message;
    ++*(int *)context;
}

/* A handler of one's own gets its context, and no line is printed. */
TEST(a_handler_gets_its_context)
{
    int count = 0;
    const kith_world_def def = {.on_misuse = silent, .misuse_context = &count};
    kith_world *world = kith_world_new(&def);
    kith_entity e = kith_spawn_empty(world);
    for (int i = 1; i <= 3; i++) {
        CHECK_PTR_NULL(kith_component_next(world, e, &stranger));
        CHECK_INT(count, i);
    }
    CHECK_CONTAINS(kith_error(world),
                   "kith_component_next: 'Stranger' is not registered"); /* told there too */
    kith_world_free(world);
}
