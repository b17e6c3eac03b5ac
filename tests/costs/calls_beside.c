/* Calls about buffers, trackers, observers, events, resources and texts. */
#include <stdio.h>
#include <string.h>

#include "crowd.h"

/* ---- Commands ---------------------------------------------------------------------------------- */

static void act_commands_new(crowd *c)
{
    c->made = kith_commands_new(c->world, NULL);
    CHECK_PTR_NOT_NULL(c->made);
}

static void act_commands_free(crowd *c)
{
    kith_commands_free(c->made);
}

/* Made before all others. */
static void act_commands_free_old(crowd *c)
{
    kith_commands_free(c->old[c->try].commands);
}

static void act_commands_hold(crowd *c)
{
    kith_commands *held = c->old[c->try].commands;
    kith_commands_set_holder(held, &held);
    kith_commands_set_holder(held, NULL);
}

static void act_queue(crowd *c)
{
    kith_entity made = KITH_SPAWN(c->commands, KITH_VALUE(Position), KITH_VALUE(Health));
    kith_commands_spawn(c->commands);
    kith_commands_clone(c->commands, c->own);
    kith_commands_clone_tree(c->commands, c->own);
    KITH_SET(c->commands, c->own, Position, {1, 2});
    KITH_SET_VALUES(c->commands, c->own, KITH_VALUE(Extra), KITH_VALUE(Health));
    kith_commands_set_bytes(c->commands, c->own, &Byte_type, &(Byte){1}, 1);
    KITH_ADD(c->commands, c->plain, Frozen);
    KITH_REMOVE(c->commands, c->own, Extra);
    kith_commands_remove_all(c->commands, c->made_entity);
    kith_commands_despawn(c->commands, made);
    CHECK_UINT(kith_commands_memory(c->commands).spawned, 4);
    CHECK_STR(kith_commands_error(c->commands), "");
}

static void act_clear_queue(crowd *c)
{
    kith_commands_discard(c->commands);
}

static void undo_queue(crowd *c)
{
    kith_commands_discard(c->commands);
    kith_despawn(c->world, c->made_entity);
}

static void prepare_apply(crowd *c)
{
    c->made_entity = KITH_SPAWN(c->world, KITH_VALUE(Position), KITH_VALUE(Velocity),
                                KITH_VALUE(Health), KITH_VALUE(Frozen), KITH_VALUE(Byte));
    KITH_SET(c->commands, c->own, Extra, {1, 2, 3});
    KITH_SET(c->commands, c->plain, Health, {1, 2});
    KITH_ADD(c->commands, c->plain, Velocity);
    KITH_REMOVE(c->commands, c->own, Frozen);
    kith_commands_despawn(c->commands, c->made_entity);
}

static void act_apply(crowd *c)
{
    CHECK_RESULT(kith_commands_apply(c->commands, NULL), KITH_OK);
}

static void undo_apply(crowd *c)
{
    kith_remove(c->world, c->own, &Extra_type);
    kith_remove(c->world, c->plain, &Health_type);
    kith_remove(c->world, c->plain, &Velocity_type);
    kith_add(c->world, c->own, &Frozen_type);
}

static void act_real(crowd *c)
{
    CHECK(kith_is_none(kith_commands_real(c->commands, c->own)));
}

/* ---- Trackers and observers -------------------------------------------------------------------- */

static void act_tracker_new(crowd *c)
{
    kith_tracker *tracker;
    CHECK_RESULT(
        kith_tracker_new(c->world, c->turn % 2 == 0 ? &Velocity_type : &Extra_type, &tracker),
        KITH_OK);
    c->made = tracker;
}

static const kith_index_def an_index = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Extra, a)};

static void act_index_new(crowd *c)
{
    kith_index *index;
    CHECK_RESULT(kith_index_new(c->world, &an_index, &index), KITH_OK);
    CHECK_UINT(kith_index_stats(index).entries, 0);
    c->made = index;
}

static void act_index_free(crowd *c)
{
    kith_index_free(c->made);
}

static void act_tracker_free(crowd *c)
{
    kith_tracker_free(c->made);
}

static void act_tracker_free_old(crowd *c)
{
    kith_tracker_free(c->old[c->try].tracker);
}

static void act_tracker_hold(crowd *c)
{
    kith_tracker *held = c->old[c->try].tracker;
    kith_tracker_set_holder(held, &held);
    kith_tracker_set_holder(held, NULL);
}

static const char *name_nothing(void *context, kith_entity entity)
{
    (void)context;
    (void)entity;
    return NULL;
}

/* A namer comes and goes beside others. */
static void act_namer(crowd *c)
{
    kith_namer namer = {.name = name_nothing};
    kith_namer_add(c->world, &namer);
    kith_namer_remove(&namer);
}

static void prepare_tracker(crowd *c)
{
    KITH_ADD(c->world, c->plain, Velocity);
    KITH_REMOVE(c->world, c->plain, Velocity);
}

static void act_tracker_next(crowd *c)
{
    kith_change change;
    CHECK(kith_tracker_pending(c->tracker) != 0);
    CHECK(kith_tracker_next(c->tracker, &change));
    kith_tracker_skip_changes(c->tracker);
}

static void observe_nothing(const kith_observed *observed)
{
    CHECK(observed->values == NULL || KITH_COLUMN(observed, Velocity) != NULL);
}

static void act_observer_new(crowd *c)
{
    kith_observer *observer;
    const kith_observer_def def = {
        .kind = KITH_ON_ADD, .type = &Velocity_type, .run = observe_nothing};
    CHECK_RESULT(kith_observer_new(c->world, &def, &observer), KITH_OK);
    c->made = observer;
}

static void act_observer_free(crowd *c)
{
    kith_observer_free(c->made);
}

static void act_observer_free_old(crowd *c)
{
    kith_observer_free(c->old[c->try].observer);
}

static void act_observe(crowd *c)
{
    CHECK_RESULT(kith_observers_flush(c->world), KITH_OK);
}

/* ---- Events, resources and texts ----------------------------------------------------------------- */

static void act_events(crowd *c)
{
    uint64_t reader = 0;
    const Extra values[2] = {{1, 2, 3}, {4, 5, 6}};
    CHECK_RESULT(kith_event_reserve(c->world, &Extra_type, 3), KITH_OK);
    CHECK_RESULT(kith_event_send(c->world, &Extra_type, &values[0]), KITH_OK);
    CHECK_RESULT(kith_event_send_many(c->world, &Extra_type, values, 2), KITH_OK);
    CHECK(kith_event_count(c->world, &Extra_type) != 0);
    CHECK(kith_event_at(c->world, &Extra_type, 0) != NULL);
    CHECK(kith_event_next(c->world, &Extra_type, &reader, NULL) != NULL);
    kith_event_clear(c->world, &Extra_type);
}

static void act_event_register(crowd *c)
{
    CHECK_RESULT(kith_event_register(c->world, &c->strange[c->turn], NULL), KITH_OK);
}

static void act_resources(crowd *c)
{
    void *value;
    CHECK_RESULT(KITH_RESOURCE_SET(c->world, Extra, {1, 2, 3}), KITH_OK);
    CHECK(kith_resource_get(c->world, &Extra_type) != NULL);
    CHECK_RESULT(kith_resource_get_mut(c->world, &Extra_type, &value), KITH_OK);
    CHECK(kith_resource_mut_or_null(c->world, &Extra_type) != NULL);
    CHECK(kith_resource_at(c->world, 0) != NULL);
}

static void act_resource_new(crowd *c)
{
    CHECK_RESULT(kith_resource_set(c->world, &c->strange[c->turn], NULL), KITH_OK);
}

static void act_resource_remove(crowd *c)
{
    CHECK_RESULT(kith_resource_remove(c->world, &c->strange[c->turn]), KITH_OK);
}

static void act_texts(crowd *c)
{
    kith_text text;
    CHECK_RESULT(kith_text_intern(c->world, "own", &text), KITH_OK);
    CHECK_STR(kith_text_get(c->world, text, NULL), "own");
    CHECK(kith_text_find(c->world, "own", &text) && !kith_text_find(c->world, "other", &text));
}

static void act_text_new(crowd *c)
{
    kith_text interned;
    char text[32];
    int length = snprintf(text, sizeof text, "new %u", c->turn);
    CHECK_RESULT(kith_text_intern_bytes(c->world, text, (size_t)length, &interned), KITH_OK);
}

const crowd_call crowd_calls_beside[] = {
    {CALL(kith_commands_new), .act = act_commands_new, .undo = act_commands_free},
    {CALL(kith_commands_free), .act = act_commands_free, .prepare = act_commands_new},
    {CALL(kith_commands_set_holder), .act = act_commands_hold},
    {CALL(kith_commands_free), .act = act_commands_free_old},
    {CALL(kith_commands_spawn, kith_commands_spawn_values, kith_commands_clone,
          kith_commands_clone_tree, kith_commands_set,
          kith_commands_set_values, kith_commands_set_bytes, kith_commands_add,
          kith_commands_remove, kith_commands_remove_all, kith_commands_despawn,
          kith_commands_memory, kith_commands_error),
     .act = act_queue, .prepare = prepare_apply, .undo = undo_queue},
    {CALL(kith_commands_discard), .act = act_clear_queue, .prepare = prepare_apply,
     .undo = undo_queue},
    {CALL(kith_commands_apply), .act = act_apply, .prepare = prepare_apply, .undo = undo_apply},
    {CALL(kith_commands_real), .act = act_real},
    {CALL(kith_tracker_new), .act = act_tracker_new, .undo = act_tracker_free},
    {CALL(kith_index_new, kith_index_new_or_null, kith_index_stats),
     .act = act_index_new, .undo = act_index_free},
    {CALL(kith_index_free), .act = act_index_free, .prepare = act_index_new},
    {CALL(kith_tracker_free), .act = act_tracker_free, .prepare = act_tracker_new},
    {CALL(kith_tracker_free), .act = act_tracker_free_old},
    {CALL(kith_tracker_set_holder), .act = act_tracker_hold},
    {CALL(kith_namer_add), .act = act_namer},
    {CALL(kith_namer_remove), .act = act_namer},
    {CALL(kith_tracker_next, kith_tracker_pending, kith_tracker_skip_changes),
     .act = act_tracker_next, .prepare = prepare_tracker},
    {CALL(kith_observer_new), .act = act_observer_new, .undo = act_observer_free},
    {CALL(kith_observer_free), .act = act_observer_free, .prepare = act_observer_new},
    {CALL(kith_observer_free), .act = act_observer_free_old},
    {CALL(kith_observers_flush), .act = act_observe},
    {CALL(kith_event_send, kith_event_send_many, kith_event_reserve, kith_event_count,
          kith_event_at, kith_event_next, kith_event_clear),
     .act = act_events},
    {CALL(kith_event_register), .act = act_event_register},
    {CALL(kith_resource_get, kith_resource_set, kith_resource_get_mut, kith_resource_mut_or_null,
          kith_resource_at),
     .act = act_resources},
    {CALL(kith_resource_set), .act = act_resource_new, .undo = act_resource_remove},
    {CALL(kith_resource_remove), .act = act_resource_remove, .prepare = act_resource_new},
    {CALL(kith_text_intern, kith_text_get, kith_text_find), .act = act_texts},
    {CALL(kith_text_intern_bytes), .act = act_text_new},
};
const uint32_t crowd_calls_beside_count = sizeof crowd_calls_beside / sizeof crowd_calls_beside[0];
