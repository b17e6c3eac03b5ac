/* Misuse of worlds, types, entities, resources and events: each rule is broken once. The message is
 * seen, the call changes nothing, and a world whose handler returns goes on; the default aborts. */
#include <kith/kith.h>

#include "owned.h"
#include "trips.h"

static const kith_type stranger = {.name = "Stranger", .align = 1};

/* ---- Trips: world ---------------------------------------------------------------------------- */

static void null_world(stage *s)
{
    (void)s;
    kith_spawn_empty(NULL);
}

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
    kith_iter_end(&it);
}

/* What no buffer takes: applying one, for example. */
static void apply_in_open_query(stage *s)
{
    kith_commands *commands = kith_commands_new(s->world, NULL);
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_ERR_MISUSE);
    kith_iter_end(&it);
}

static void change_in_a_hook(stage *s)
{
    static owned_record record;
    kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.hooks = &hooks};
    CHECK_RESULT(kith_register(s->world, &Owned_type, &def), KITH_OK);
    kith_entity e = KITH_SPAWN(s->world, KITH_ZERO(Owned));
    record.world = s->world;
    CHECK_RESULT(kith_despawn(s->world, e), KITH_OK);
    CHECK_RESULT(record.inner, KITH_ERR_MISUSE);
    record.world = NULL;
}

static void use_of_the_buffer(void *context)
{
    CHECK(kith_is_none(kith_queue_spawn(context)));
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
    kith_commands_clear(commands);
    record.inside = NULL;
    CHECK_UINT(record.live, 0);
    CHECK_UINT(kith_commands_memory(commands).commands, 0);
    CHECK(!kith_is_none(kith_queue_spawn(commands)));
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

static void require_owner_nameless(stage *s)
{
    CHECK_RESULT(kith_require_owner(s->world, NULL), KITH_ERR_MISUSE);
    CHECK_RESULT(kith_require_owner(s->world, "name"), KITH_OK);
}

/* ---- Trips: types and entities --------------------------------------------------------------- */

static void null_type(stage *s)
{
    CHECK_RESULT(kith_set(s->world, s->e, NULL, NULL), KITH_ERR_MISUSE);
}

static void unknown_type(stage *s)
{
    CHECK_PTR_NULL(kith_component_next(s->world, s->e, &stranger));
}

static void register_null_types(stage *s)
{
    CHECK_RESULT(kith_register_many(s->world, NULL, 2), KITH_ERR_MISUSE);
}

static void other_definition(stage *s)
{
    static const kith_field fields[] = {{"x", 0, 4, KITH_I32}, {"y", 4, 4, KITH_I32}};
    const kith_type other = {"Position", 8, 4, 0, 2, fields, NULL, KITH_TABLE, false, false};
    CHECK_PTR_NULL(kith_get(s->world, s->e, &other));
}

static void register_null(stage *s)
{
    CHECK_RESULT(kith_register(s->world, NULL, NULL), KITH_ERR_MISUSE);
}

static void find_null(stage *s)
{
    CHECK_PTR_NULL(kith_type_find(s->world, NULL));
}

static void has_hooks_null(stage *s)
{
    CHECK(!kith_has_hooks(s->world, NULL));
}

static void log_nothing(stage *s)
{
    kith_log(s->world, KITH_LOG_INFO, NULL);
}

static void require_nameless(stage *s)
{
    CHECK_RESULT(kith_require_change(s->world, NULL), KITH_ERR_MISUSE);
}

static void layout_of_null(stage *s)
{
    CHECK_RESULT(kith_layout_of(s->world, NULL, NULL), KITH_ERR_MISUSE);
}

static void spawn_null_values(stage *s)
{
    kith_entity e;
    CHECK_RESULT(kith_spawn(s->world, NULL, 2, &e), KITH_ERR_MISUSE);
}

static void spawn_nowhere(stage *s)
{
    CHECK_RESULT(kith_spawn(s->world, NULL, 0, NULL), KITH_ERR_MISUSE);
}

static void spawn_many_null_values(stage *s)
{
    CHECK_RESULT(kith_spawn_many(s->world, 2, NULL, 2, NULL), KITH_ERR_MISUSE);
}

static void clone_nowhere(stage *s)
{
    CHECK_RESULT(kith_clone(s->world, s->e, NULL), KITH_ERR_MISUSE);
}

static void despawn_many_null(stage *s)
{
    CHECK_RESULT(kith_despawn_many(s->world, NULL, 2, NULL), KITH_ERR_MISUSE);
}

static void get_mut_nowhere(stage *s)
{
    CHECK_RESULT(kith_get_mut(s->world, s->e, &Position_type, NULL), KITH_ERR_MISUSE);
}

static void get_many_null(stage *s)
{
    CHECK_UINT(kith_get_many(s->world, &Position_type, &s->e, 1, NULL), 0);
}

static void set_several_null(stage *s)
{
    CHECK_RESULT(kith_set_values(s->world, s->e, NULL, 2), KITH_ERR_MISUSE);
}

static void component_memory_nowhere(stage *s)
{
    CHECK_RESULT(kith_component_memory(s->world, &Position_type, NULL), KITH_ERR_MISUSE);
}

static void table_memory_nowhere(stage *s)
{
    CHECK_RESULT(kith_table_memory(s->world, 0, NULL, NULL, 0), KITH_ERR_MISUSE);
}

/* ---- Trips: resources and events ------------------------------------------------------------- */

static void resource_set_null(stage *s)
{
    CHECK_RESULT(kith_resource_set(s->world, NULL, NULL), KITH_ERR_MISUSE);
}

static void resource_get_null(stage *s)
{
    CHECK_PTR_NULL(kith_resource_get(s->world, NULL));
}

static void resource_get_mut_null(stage *s)
{
    CHECK_RESULT(kith_resource_get_mut(s->world, &Position_type, NULL), KITH_ERR_MISUSE);
}

static void resource_remove_null(stage *s)
{
    CHECK_RESULT(kith_resource_remove(s->world, NULL), KITH_ERR_MISUSE);
}

static void event_register_null(stage *s)
{
    CHECK_RESULT(kith_event_register(s->world, NULL, NULL), KITH_ERR_MISUSE);
}

static void event_send_null(stage *s)
{
    CHECK_RESULT(kith_event_send(s->world, NULL, NULL), KITH_ERR_MISUSE);
}

static void event_send_many_null(stage *s)
{
    CHECK_RESULT(kith_event_send_many(s->world, NULL, NULL, 1), KITH_ERR_MISUSE);
}

static void event_reserve_null(stage *s)
{
    CHECK_RESULT(kith_event_reserve(s->world, NULL, 1), KITH_ERR_MISUSE);
}

static void event_count_null(stage *s)
{
    CHECK_UINT(kith_event_count(s->world, NULL), 0);
}

static void event_at_null(stage *s)
{
    CHECK_PTR_NULL(kith_event_at(s->world, NULL, 0));
}

static void event_next_null(stage *s)
{
    CHECK_PTR_NULL(kith_event_next(s->world, &Position_type, NULL, NULL));
}

static void event_clear_null(stage *s)
{
    kith_event_clear(s->world, NULL);
}

/* ---- Trips: commands ------------------------------------------------------------------------- */

static void queue_on_nothing(stage *s)
{
    kith_queue_despawn(NULL, s->e);
}

static void apply_nothing(stage *s)
{
    (void)s;
    kith_commands_apply(NULL, NULL);
}

static void hold_nothing(stage *s)
{
    (void)s;
    kith_commands_set_holder(NULL, NULL);
}

static void memory_of_nothing(stage *s)
{
    (void)s;
    (void)kith_commands_memory(NULL);
}

static void error_of_nothing(stage *s)
{
    (void)s;
    kith_commands_error(NULL);
}

static void queue_null_values(stage *s)
{
    kith_commands *commands = kith_commands_new(s->world, NULL);
    CHECK_RESULT(kith_queue_set_values(commands, s->e, NULL, 2), KITH_ERR_MISUSE);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_ERR_MISUSE);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static void intern_null(stage *s)
{
    kith_text text = {7};
    CHECK_RESULT(kith_text_intern(s->world, NULL, &text), KITH_ERR_MISUSE);
    CHECK_UINT(text.number, 7);
}

static void intern_null_bytes(stage *s)
{
    kith_text text = {7};
    CHECK_RESULT(kith_text_intern_bytes(s->world, NULL, 3, &text), KITH_ERR_MISUSE);
    CHECK_UINT(text.number, 7);
}

static void intern_nowhere(stage *s)
{
    CHECK_RESULT(kith_text_intern(s->world, "text", NULL), KITH_ERR_MISUSE);
    CHECK(!kith_text_find(s->world, "text", NULL));
}

static void find_null_text(stage *s)
{
    CHECK(!kith_text_find(s->world, NULL, NULL));
}

/* ---- Commands -------------------------------------------------------------------------------- */

static void free_what_is_lent(kith_iter *it)
{
    kith_commands_free(it->commands);
    kith_queue_despawn(it->commands, KITH_NONE);
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
    CHECK_RESULT(kith_queue_despawn(observed->commands, KITH_NONE), KITH_OK);
}

static void free_of_the_observers_buffer(stage *s)
{
    const kith_observer_def def = {.type = &Velocity_type, .run = free_what_observers_queue_on};
    kith_observer *observer;
    CHECK_RESULT(kith_observer_new(s->world, &def, &observer), KITH_OK);
    kith_entity e = KITH_SPAWN(s->world, KITH_ZERO(Velocity));
    CHECK_RESULT(kith_observers_flush(s->world), KITH_OK);
    CHECK_RESULT(kith_despawn(s->world, e), KITH_OK);
    kith_observer_free(observer);
}

static void queue_where_none_is(kith_iter *it)
{
    CHECK_PTR_NULL(it->commands);
    CHECK_RESULT(kith_queue_despawn(it->commands, KITH_NONE), KITH_ERR_MISUSE);
}

static void queue_in_a_quiet_system(stage *s)
{
    const kith_system_def def = {.name = "hushed", .run = queue_where_none_is, .no_commands = true};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_OK);
    CHECK_RESULT(kith_run(s->world, 0), KITH_OK);
    CHECK_RESULT(kith_system_remove(s->world, "hushed"), KITH_OK);
}

static void world_of_no_buffer(stage *s)
{
    (void)s;
    kith_commands_world(NULL);
}

/* ---- Trackers -------------------------------------------------------------------------------- */

static void tracker_nowhere(stage *s)
{
    CHECK_RESULT(kith_tracker_new(s->world, &Position_type, NULL), KITH_ERR_MISUSE);
}

static void tracker_null(stage *s)
{
    (void)s;
    kith_tracker_skip(NULL);
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
    kith_entity e = KITH_SPAWN(other, KITH_ZERO(Velocity));
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    CHECK_RESULT(kith_transfer(other, &e, 1, s->world, NULL), KITH_ERR_MISUSE);
    CHECK(kith_alive(other, e));
    kith_iter_end(&it);
    kith_world_free(other);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static const trip trips[] = {
    {"kith_transfer: both worlds are the same", transfer_to_itself, false},
    {"kith_transfer: %u handles, but their address is NULL", transfer_of_null, false},
    {"kith_transfer: the world is being iterated (%s); do it when the loop has ended"
     " (kith_iter_end)",
     transfer_into_an_open_query, false},
    {"kith_commands_free: %s belongs to the world, which frees it; kith_commands_clear forgets what"
     " is queued there",
     free_of_a_systems_buffer, false},
    {"kith_commands_free: observed->commands belongs to the world, which frees it;"
     " kith_commands_clear forgets what is queued there",
     free_of_the_observers_buffer, false},
    {"%s: the world was yielded, and belongs to no thread; call kith_world_claim first",
     call_of_a_yielded_world, false},
    {"kith_require_owner: the name of the call is NULL", require_owner_nameless, false},
    {"kith_commands_world: the command buffer is NULL", world_of_no_buffer, true},
    {"kith_tracker_new: there is no place for the tracker", tracker_nowhere, false},
    {"%s: the tracker is NULL", tracker_null, true},
    {"kith_tracker_pending: the world belongs to another thread; its owner calls"
     " kith_world_release, this one kith_world_claim",
     tracker_in_another_thread, false},
    {"kith_tracker_next: there is no place for the change", change_nowhere, false},
    {"%s: the world is NULL", null_world, true},
    {"%s: the world belongs to another thread; its owner calls kith_world_release, this"
     " one kith_world_claim",
     foreign_thread, false},
    {"kith_world_claim: another thread owns the world; it has to call kith_world_release first",
     claim_of_what_is_owned, false},
    {"%s: a hook of '%s' is running; hooks must not call into the world", change_in_a_hook, false},
    {"%s: hooks of the values in a command buffer must not use it", use_in_a_hook, false},
    {"%s: the world is being iterated (%s); queue it on a kith_commands (in a system it->commands),"
     " or do it when the loop has ended (kith_iter_end)",
     change_in_open_query, false},
    {"%s: the world is being iterated (%s); do it when the loop has ended (kith_iter_end)",
     apply_in_open_query, false},
    {"kith_world_free: %s is under way; call it when that has returned", free_in_a_run, false},
    {"kith_world_release: %s is under way; call it when that has returned", yield_in_a_run, false},
    {"%s: the type is NULL", null_type, false},
    {"%s: '%s' is not registered in this world; call kith_register first", unknown_type, false},
    {"%s: this world's '%s' is another type than the one that was passed: %s", other_definition,
     false},
    {"kith_register: the type is NULL", register_null, false},
    {"kith_register_many: %u types, but their address is NULL", register_null_types, false},
    {"kith_text_intern: the text, or the place for the answer, is NULL", intern_null, false},
    {"kith_text_intern: the text, or the place for the answer, is NULL", intern_null_bytes, false},
    {"kith_text_intern: the text, or the place for the answer, is NULL", intern_nowhere, false},
    {"kith_text_find: the text is NULL", find_null_text, false},
    {"kith_type_find: the name is NULL", find_null, false},
    {"kith_layout_of: the type is NULL", layout_of_null, false},
    {"kith_has_hooks: the type is NULL", has_hooks_null, false},
    {"kith_log: the message is NULL, or %d is not a level", log_nothing, false},
    {"kith_require_change: the name of the call is NULL", require_nameless, false},
    {"kith_spawn: %u values, but their address is NULL", spawn_null_values, false},
    {"kith_spawn: there is no place for the new handle", spawn_nowhere, false},
    {"kith_spawn_many: %u values, but their address is NULL", spawn_many_null_values, false},
    {"kith_clone: there is no place for the new handle", clone_nowhere, false},
    {"kith_despawn_many: %u handles, but their address is NULL", despawn_many_null, false},
    {"kith_get_mut: there is no place for the pointer", get_mut_nowhere, false},
    {"kith_get_many: %u handles, but an address is NULL", get_many_null, false},
    {"kith_set_values: %u values, but their address is NULL", set_several_null, false},
    {"kith_component_memory: the type, or the place for the answer, is NULL",
     component_memory_nowhere, false},
    {"kith_table_memory: there is no place for the answer", table_memory_nowhere, false},
    {"kith_resource_set: the type is NULL", resource_set_null, false},
    {"kith_resource_get: the type is NULL", resource_get_null, false},
    {"%s: the type, or the place for the pointer, is NULL", resource_get_mut_null, false},
    {"kith_resource_remove: the type is NULL", resource_remove_null, false},
    {"kith_event_register: the type is NULL", event_register_null, false},
    {"kith_event_send: the type is NULL", event_send_null, false},
    {"kith_event_send_many: the type is NULL", event_send_many_null, false},
    {"kith_event_reserve: the type is NULL", event_reserve_null, false},
    {"kith_event_count: the type is NULL", event_count_null, false},
    {"kith_event_at: the type is NULL", event_at_null, false},
    {"kith_event_next: the type, or the reader, is NULL", event_next_null, false},
    {"kith_event_clear: the type is NULL", event_clear_null, false},
    {"%s: the command buffer is NULL; make one with kith_commands_new (the iterator that a query"
     " system is given has one, other iterators do not)",
     queue_on_nothing, true},
    {"%s: the command buffer is NULL: system \"%s\" is `no_commands`, and so its iterator has none;"
     " leave `no_commands` out of its definition",
     queue_in_a_quiet_system, false},
    {"kith_commands_apply: the command buffer is NULL", apply_nothing, true},
    {"kith_commands_memory: the command buffer is NULL", memory_of_nothing, true},
    {"kith_commands_set_holder: the command buffer is NULL", hold_nothing, true},
    {"kith_commands_error: the command buffer is NULL", error_of_nothing, true},
    {"%s: %u values, but their address is NULL", queue_null_values, false},
};

TEST_WITHIN(10, every_rule_is_told_when_it_is_broken)
{
    take_trips(trips, sizeof(trips) / sizeof(trips[0]));
}

/* ---- The default handler --------------------------------------------------------------------- */

#if HAS_CHILDREN

static void child_misuses_default(const void *context)
{
    (void)context;
    kith_world *world = kith_world_new(NULL);
    kith_entity e = kith_spawn_empty(world);
    kith_component_next(world, e, &stranger);
}

TEST(the_default_handler_prints_and_aborts)
{
    char text[2048];
    int status = run_child(child_misuses_default, NULL, text, sizeof(text));
    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGABRT);
    CHECK_STR(text, "kith: kith_component_next: 'Stranger' is not registered in this world; call"
                    " kith_register first\n");
}

#endif

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
