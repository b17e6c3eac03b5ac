/* Calls about systems and scenes. */
#include <stdio.h>
#include <string.h>

#include "crowd.h"
#include "nothing.h"

/* ---- Systems ----------------------------------------------------------------------------------- */

static void undo_system(crowd *c)
{
    kith_system_remove(c->world, "new");
}

static void act_system_add(crowd *c)
{
    const kith_system_def def = {
        .name = "new", .run = run_nothing, .query.terms = KITH_TERMS(KITH_READ(Position))};
    CHECK_RESULT(kith_system_add(c->world, &def), KITH_OK);
}

static void act_system_remove(crowd *c)
{
    CHECK_RESULT(kith_system_remove(c->world, "new"), KITH_OK);
}

static void act_system_remove_old(crowd *c)
{
    CHECK_RESULT(kith_system_remove(c->world, c->old[c->try].system), KITH_OK);
}

static void prepare_replace(crowd *c)
{
    const kith_system_def def = {
        .name = "own too", .run = run_nothing, .query.terms = KITH_TERMS(KITH_READ(Name))};
    CHECK_RESULT(kith_system_add(c->world, &def), KITH_OK);
}

static void undo_replace(crowd *c)
{
    kith_system_remove(c->world, "own too");
}

static void act_system_replace(crowd *c)
{
    const kith_system_def def = {.name = "own too",
                                 .group = "own",
                                 .run = run_nothing,
                                 .query.terms = KITH_TERMS(KITH_READ(Extra))};
    CHECK_RESULT(kith_system_replace(c->world, &def), KITH_OK);
}

static void prepare_bound(crowd *c)
{
    const kith_system_def def = {
        .name = "own too",
        .run = run_nothing,
        .query.terms = KITH_TERMS(KITH_IF(Name, text, ==, kith_bound("name")))};
    CHECK_RESULT(kith_system_add(c->world, &def), KITH_OK);
}

static void act_bind(crowd *c)
{
    CHECK_RESULT(kith_system_bind(c->world, "own too", "name", "a text"), KITH_OK);
}

static void act_explain(crowd *c)
{
    CHECK_RESULT(kith_system_explain(c->world, "own", 0, NULL, 0, NULL), KITH_OK);
}

static void act_enable(crowd *c)
{
    CHECK_RESULT(kith_system_enable(c->world, "own", c->turn % 2 != 0), KITH_OK);
    CHECK_RESULT(kith_system_group_enable(c->world, "own", c->turn % 2 == 0), KITH_OK);
}

static void act_system_at(crowd *c)
{
    CHECK(kith_system_at(c->world, 0, NULL, NULL) != NULL);
    CHECK(kith_phase_at(c->world, 2) != NULL && kith_thread_count(c->world) == 1);
    CHECK(kith_tick_count(c->world) != UINT64_MAX && kith_world_random(c->world) != NULL);
}

/* What is asked of the schedule that is built. */
static void act_schedule(crowd *c)
{
    CHECK_RESULT(kith_schedule_build(c->world), KITH_OK);
}

static void act_run(crowd *c)
{
    CHECK_RESULT(kith_run(c->world, 1), KITH_OK);
}

static void act_profile(crowd *c)
{
    kith_system_stats stats;
    CHECK_RESULT(kith_profile_system(c->world, "own", &stats), KITH_OK);
}

static void prepare_profile(crowd *c)
{
    CHECK_RESULT(kith_profile_start(c->world, 0), KITH_OK);
}

static void undo_profile(crowd *c)
{
    kith_profile_stop(c->world);
}

static void act_within(crowd *c, kith_iter *it)
{
    CHECK(kith_system_alive(it, c->own) && !kith_system_has_hooks(it, &Byte_type));
    CHECK(KITH_HAS(it, c->own, Health) && KITH_GET(it, c->own, Health) != NULL);
    kith_lookup healths = KITH_LOOKUP(it, Health);
    CHECK_PTR_NOT_NULL(KITH_GET(&healths, c->own, Health));
    void *value;
    CHECK_RESULT(kith_system_get_mut(it, c->own, &Byte_type, &value), KITH_OK);
    CHECK(KITH_RESOURCE(it, Extra) != NULL && kith_system_random(it) != 0 &&
          kith_system_random_stream(it) != NULL);
    CHECK_RESULT(kith_system_resource_mut(it, &Extra_type, &value), KITH_OK);
    CHECK_RESULT(kith_system_send(it, &Name_type, NULL), KITH_OK);
    kith_system_event(it, &Extra_type, 0);
    kith_system_event_count(it, &Extra_type);
    KITH_SET(it->commands, c->own, Byte, {1});
    kith_iter further = kith_system_query(it, 1);
    CHECK(kith_next(&further));
    kith_iter_close(&further);
}

static void act_phase_add(crowd *c)
{
    char name[32];
    snprintf(name, sizeof name, "mine %u", c->turn);
    CHECK_RESULT(kith_phase_add(c->world, name, KITH_PHASE_END), KITH_OK);
}

/* Before all others. */
static void act_phase_add_first(crowd *c)
{
    char name[32];
    snprintf(name, sizeof name, "mine %u", c->turn);
    CHECK_RESULT(kith_phase_add(c->world, name, NULL), KITH_OK);
}

/* ---- Scenes ------------------------------------------------------------------------------------ */

static const char text[] = "prefab base\n    Position { x = 1 }\n\nentity a : base\n    Velocity\n";

static void act_scene_parse(crowd *c)
{
    kith_scene *scene;
    CHECK_RESULT(kith_scene_parse(c->world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    c->made = scene;
}

static void act_scene_new(crowd *c)
{
    kith_scene *scene;
    const kith_scene_library library = {"other", c->scene};
    const kith_scene_def def = {
        .text = text, .length = sizeof text - 1, .libraries = &library, .library_count = 1};
    CHECK_RESULT(kith_scene_new(c->world, &def, &scene, NULL), KITH_OK);
    c->made = scene;
}

static void act_scene_change(crowd *c)
{
    uint32_t index;
    CHECK_RESULT(kith_scene_add(c->made, c->own, kith_scene_prefab_at(c->scene, 0), &index),
                 KITH_OK);
    CHECK_RESULT(kith_scene_set_name(c->made, index, "own"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(c->made, 0, "b"), KITH_OK);
    CHECK_UINT(kith_scene_index_of(c->made, c->own), index);
    CHECK_STR(kith_scene_file(c->made, 0), "");
}

static void act_scene_save_text(crowd *c)
{
    const kith_scene_save_def def = {.scene = c->made};
    CHECK_RESULT(kith_scene_save(c->world, &def, crowd_write_nowhere, NULL, NULL), KITH_OK);
}

static void act_scene_spawn(crowd *c)
{
    CHECK_RESULT(kith_scene_spawn(c->made), KITH_OK);
    c->made_entity = kith_scene_at(c->made, 0);
}

static void undo_scene(crowd *c)
{
    kith_despawn(c->world, c->made_entity);
    kith_scene_free(c->made);
}

static void act_scene_free(crowd *c)
{
    kith_scene_free(c->made);
}

static void act_scene_free_old(crowd *c)
{
    kith_scene_free(c->old[c->try].scene);
}

static void act_scene_load(crowd *c)
{
    kith_scene *scene;
    CHECK_RESULT(kith_scene_load(c->world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    c->made_entity = kith_scene_find(scene, "a");
    c->made = scene;
}

static void act_scene_ask(crowd *c)
{
    Position value;
    CHECK(kith_is_none(kith_scene_find(c->scene, "one")));
    CHECK(kith_scene_count(c->scene) != 0 && kith_is_none(kith_scene_at(c->scene, 1)));
    CHECK_STR(kith_scene_name(c->scene, 1), "two");
    CHECK(kith_scene_place_at(c->scene, 1).line != 0);
    const kith_prefab *prefab = kith_scene_prefab(c->scene, "thing");
    CHECK(prefab == kith_scene_prefab_at(c->scene, 0));
    CHECK_STR(kith_prefab_name(prefab), "thing");
    CHECK_RESULT(kith_prefab_get(prefab, &Position_type, &value), KITH_OK);
    CHECK_RESULT(kith_prefab_get_part(prefab, "part", &Position_type, &value), KITH_ERR_ABSENT);
}

static void act_prefab_spawn(crowd *c)
{
    const kith_prefab *prefab = kith_scene_prefab(c->scene, "thing");
    kith_entity other;
    CHECK_RESULT(kith_prefab_spawn(prefab, NULL, 0, &c->made_entity), KITH_OK);
    CHECK_RESULT(kith_prefab_spawn_many(prefab, 1, NULL, 0, &other), KITH_OK);
    kith_despawn(c->world, other);
    other = KITH_SPAWN_FROM(c->world, prefab);
    CHECK(!kith_is_none(kith_prefab_queue(prefab, c->commands, NULL, 0)));
    kith_despawn(c->world, other);
    const kith_part_value part = {"", KITH_VALUE(Position, {1, 2})};
    CHECK_RESULT(kith_prefab_spawn_parts(prefab, &part, 1, &other), KITH_OK);
    CHECK(!kith_is_none(kith_prefab_queue_parts(prefab, c->commands, &part, 1)));
    kith_despawn(c->world, other);
}

static void undo_prefab(crowd *c)
{
    kith_commands_discard(c->commands);
    kith_despawn(c->world, c->made_entity);
}

bool crowd_write_nowhere(void *context, const char *bytes, size_t count)
{
    (void)context;
    (void)bytes;
    (void)count;
    return true;
}

static void act_scene_save(crowd *c)
{
    const kith_scene_save_def def = {.query = c->mixed};
    CHECK_RESULT(kith_scene_save(c->world, &def, crowd_write_nowhere, NULL, NULL), KITH_OK);
}

const crowd_call crowd_calls_systems[] = {
    {CALL(kith_system_add), .act = act_system_add, .undo = undo_system},
    {CALL(kith_system_remove), .act = act_system_remove, .prepare = act_system_add},
    {CALL(kith_system_remove), .act = act_system_remove_old},
    {CALL(kith_system_replace), .act = act_system_replace, .prepare = prepare_replace,
     .undo = undo_replace},
    {CALL(kith_system_bind_operand), .act = act_bind, .prepare = prepare_bound,
     .undo = undo_replace},
    {CALL(kith_system_explain), .act = act_explain},
    {CALL(kith_system_enable, kith_system_group_enable), .act = act_enable},
    {CALL(kith_system_at, kith_phase_at, kith_thread_count, kith_tick_count, kith_world_random),
     .act = act_system_at},
    {CALL(kith_schedule_build), .act = act_schedule},
    {CALL(kith_run), .act = act_run},
    {CALL(kith_system_alive, kith_system_has, kith_system_has_hooks, kith_system_get,
          kith_system_get_mut, kith_system_lookup, kith_system_resource, kith_system_resource_mut,
          kith_system_send, kith_system_event, kith_system_event_count, kith_system_random,
          kith_system_random_stream, kith_system_query_at),
     .within = act_within},
    {CALL(kith_profile_system), .act = act_profile, .prepare = prepare_profile,
     .undo = undo_profile},
    {CALL(kith_phase_add), .act = act_phase_add},
    {CALL(kith_phase_add), .act = act_phase_add_first},
    {CALL(kith_scene_parse), .act = act_scene_parse, .undo = act_scene_free},
    {CALL(kith_scene_new), .act = act_scene_new, .undo = act_scene_free},
    {CALL(kith_scene_add, kith_scene_set_name, kith_scene_index_of, kith_scene_file),
     .act = act_scene_change, .prepare = act_scene_new, .undo = act_scene_free},
    {CALL(kith_scene_save), .act = act_scene_save_text, .prepare = act_scene_new,
     .undo = act_scene_free},
    {CALL(kith_scene_free), .act = act_scene_free, .prepare = act_scene_parse},
    {CALL(kith_scene_free), .act = act_scene_free_old},
    {CALL(kith_scene_spawn), .act = act_scene_spawn, .prepare = act_scene_parse,
     .undo = undo_scene},
    {CALL(kith_scene_load), .act = act_scene_load, .undo = undo_scene},
    {CALL(kith_scene_find, kith_scene_count, kith_scene_at, kith_scene_name, kith_scene_place_at,
          kith_scene_prefab, kith_scene_prefab_at, kith_prefab_name, kith_prefab_get,
          kith_prefab_get_part),
     .act = act_scene_ask},
    {CALL(kith_prefab_spawn, kith_prefab_spawn_or_none, kith_prefab_spawn_many, kith_prefab_queue,
          kith_prefab_spawn_parts, kith_prefab_queue_parts),
     .act = act_prefab_spawn, .undo = undo_prefab},
    {CALL(kith_scene_save), .act = act_scene_save},
};
const uint32_t crowd_calls_systems_count =
    sizeof crowd_calls_systems / sizeof crowd_calls_systems[0];
