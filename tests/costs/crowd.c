/* Worlds with many others of one kind. */
#include "crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "note.h"
#include "nothing.h"
#include "work.h"

static void ok(kith_result result)
{
    CHECK_RESULT(result, KITH_OK);
}

static void register_some(kith_world *world, const kith_type *types, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        ok(kith_register(world, &types[i], NULL));
    }
}

/* ---- What there are many of -------------------------------------------------------------------- */

static void fill_worlds(crowd *c, uint32_t count)
{
    (void)c;
    for (uint32_t i = 0; i < count; i++) {
        kith_world *world = kith_world_new(NULL);
        register_all(world, KITH_TABLE);
        KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}));
    }
}

static void fill_types(crowd *c, uint32_t count)
{
    register_some(c->world, work_types("Many", count), count);
}

/* Not kept in tables. */
static void fill_others(crowd *c, uint32_t count)
{
    const kith_type *types = work_types("Other", count);
    for (uint32_t i = 0; i < count; i++) {
        const kith_component_def def = {.layout = i % 2 == 0 ? KITH_SPARSE : KITH_SLOT};
        ok(kith_register(c->world, &types[i], &def));
    }
}

/* Of which each is followed. */
static void fill_tracked(crowd *c, uint32_t count)
{
    kith_type *types = work_types("Followed", count);
    register_some(c->world, types, count);
    for (uint32_t i = 0; i < count; i++) {
        kith_tracker *tracker;
        ok(kith_tracker_new(c->world, &types[i], &tracker));
    }
}

/* Half of them with Position. */
static void fill_tables(crowd *c, uint32_t count)
{
    enum { BITS = 13 };
    kith_type *tags = work_tags("Bit", BITS);
    register_some(c->world, tags, BITS);
    CHECK(count < 1u << BITS);
    for (uint32_t set = 1; set <= count; set++) {
        kith_value values[BITS + 1];
        uint32_t value_count = 0;
        for (uint32_t bit = 0; bit < BITS; bit++) {
            if (set >> bit & 1) {
                values[value_count++] = (kith_value){&tags[bit], NULL};
            }
        }
        if (set % 2 == 0) {
            values[value_count++] = (kith_value){&Position_type, NULL};
        }
        CHECK(!kith_is_none(kith_spawn_or_none(c->world, values, value_count)));
    }
}

static void fill_entities(crowd *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        KITH_SPAWN(c->world, KITH_VALUE(Position), KITH_VALUE(Velocity), KITH_VALUE(Health),
                   KITH_VALUE(Frozen));
        KITH_SPAWN(c->world, KITH_VALUE(Position));
    }
}

/* Of entities that ended. */
static void fill_slots(crowd *c, uint32_t count)
{
    kith_entity *entities = calloc(count, sizeof *entities);
    CHECK_PTR_NOT_NULL(entities);
    ok(kith_spawn_many(c->world, count, NULL, 0, entities));
    ok(kith_despawn_many(c->world, entities, count, NULL));
    free(entities);
}

static void fill_systems(crowd *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        char group[32];
        snprintf(name, sizeof name, "system %u", i);
        snprintf(group, sizeof group, "group %u", i);
        ok(kith_system_add(c->world,
                           &(kith_system_def){.name = name,
                                              .run = run_nothing,
                                              .group = group,
                                              .query.terms = KITH_TERMS(KITH_READ(Position))}));
    }
}

static void fill_phases(crowd *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        char before[32];
        snprintf(name, sizeof name, "phase %u", i);
        snprintf(before, sizeof before, "phase %u", i - 1);
        ok(kith_phase_add(c->world, name, i == 0 ? NULL : before));
    }
}

static kith_query *new_query(crowd *c)
{
    kith_query *query = KITH_QUERY(c->world, KITH_READ(Position), KITH_OPTIONAL(Velocity));
    CHECK_PTR_NOT_NULL(query);
    return query;
}

static void fill_queries(crowd *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kith_iter it = kith_query_iter(new_query(c));
        while (kith_next(&it)) {
        }
    }
}

static void fill_trackers(crowd *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kith_tracker *tracker;
        ok(kith_tracker_new(c->world, &Velocity_type, &tracker));
        ok(kith_tracker_new(c->world, &Health_type, &tracker));
    }
}

static void observe_nothing(const kith_observed *observed)
{
    (void)observed;
}

static void fill_observers(crowd *c, uint32_t count)
{
    static const kith_observer_kind kinds[] = {KITH_ON_ADD, KITH_ON_REMOVE, KITH_ON_CHANGE};
    for (uint32_t i = 0; i < count; i++) {
        kith_observer_def def = {
            .kind = kinds[i % 3], .type = &Velocity_type, .run = observe_nothing};
        def.values = def.kind == KITH_ON_REMOVE;
        ok(kith_observer_new(c->world, &def, NULL));
    }
}

/* That are handed values with hooks. */
static void fill_holders(crowd *c, uint32_t count)
{
    ok(kith_register(c->world, &Note_type, &(kith_component_def){.hooks = &note_hooks}));
    for (uint32_t i = 0; i < count; i++) {
        const kith_observer_def def = {
            .kind = KITH_ON_REMOVE, .type = &Note_type, .values = true, .run = observe_nothing};
        ok(kith_observer_new(c->world, &def, NULL));
    }
}

static void fill_buffers(crowd *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        CHECK_PTR_NOT_NULL(kith_commands_new(c->world, NULL));
    }
}

static void fill_events(crowd *c, uint32_t count)
{
    kith_type *types = work_types("Event", count);
    for (uint32_t i = 0; i < count; i++) {
        ok(kith_event_register(c->world, &types[i], NULL));
    }
}

static void fill_resources(crowd *c, uint32_t count)
{
    kith_type *types = work_types("Resource", count);
    for (uint32_t i = 0; i < count; i++) {
        ok(kith_resource_set(c->world, &types[i], NULL));
    }
}

static void fill_texts(crowd *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char text[32];
        kith_text interned;
        snprintf(text, sizeof text, "text %u", i);
        ok(kith_text_intern(c->world, text, &interned));
    }
}

static const char small_scene[] = "prefab thing\n    Position { x = 1 }\n\n"
                                  "entity one : thing\n    Velocity\n\nentity two : thing\n";

static kith_scene *read_scene(crowd *c, const char *text)
{
    kith_scene *scene = NULL;
    kith_scene_error error;
    if (kith_scene_parse(c->world, text, strlen(text), &scene, &error) != KITH_OK) {
        test_fail(__FILE__, __LINE__, "line %u: %s", error.line, error.message);
    }
    return scene;
}

static void fill_scenes(crowd *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        read_scene(c, small_scene);
    }
}

/* One scene, in which there are many. */
static void fill_prefabs(crowd *c, uint32_t count)
{
    size_t size = count * (size_t)96 + sizeof small_scene;
    char *text = malloc(size);
    CHECK_PTR_NOT_NULL(text);
    size_t length = (size_t)snprintf(text, size, "%s", small_scene);
    for (uint32_t i = 0; i < count; i++) {
        length += (size_t)snprintf(text + length, size - length,
                                   "\nprefab p%u\n    Position\n\nentity e%u : p%u\n", i, i, i);
    }
    kith_scene_free(c->scene);
    c->scene = read_scene(c, text);
    free(text);
}

static kith_pool *new_pool(void)
{
    kith_pool *pool = kith_pool_new(NULL, sizeof(Extra), _Alignof(Extra));
    CHECK_PTR_NOT_NULL(pool);
    return pool;
}

static void fill_pools(crowd *c, uint32_t count)
{
    (void)c;
    for (uint32_t i = 0; i < count; i++) {
        new_pool();
    }
}

/* Of one pool. */
static void fill_items(crowd *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kith_pool_id id;
        ok(kith_pool_create(c->pool, NULL, &id));
    }
}

/* Relations that nobody has. */
static void fill_relations(crowd *c, uint32_t count)
{
    static const kith_field target = {"target", 0, sizeof(kith_entity), KITH_ENTITY};
    kith_type *types = work_types("Relation", count);
    for (uint32_t i = 0; i < count; i++) {
        types[i].size = sizeof(kith_entity);
        types[i].align = (uint32_t) _Alignof(kith_entity);
        types[i].fields = &target;
        types[i].relation = KITH_CLEAR;
    }
    register_some(c->world, types, count);
}

/* Other parents, each with two children. */
static void fill_families(crowd *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kith_entity parent = kith_spawn_empty(c->world);
        CHECK(!kith_is_none(KITH_SPAWN(c->world, KITH_VALUE(kith_child_of, {parent}))));
        CHECK(!kith_is_none(KITH_SPAWN(c->world, KITH_VALUE(kith_child_of, {parent}))));
    }
}

/* More children of the one parent. */
static void fill_siblings(crowd *c, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(c->world, KITH_VALUE(kith_child_of, {c->parent}))));
    }
}

/* A line of parents above it. */
static void fill_ancestors(crowd *c, uint32_t count)
{
    kith_entity top = c->parent;
    for (uint32_t i = 0; i < count; i++) {
        kith_entity above = kith_spawn_empty(c->world);
        ok(kith_set_parent(c->world, top, above));
        top = above;
    }
}

const crowd_kind crowd_kinds[] = {
    {"worlds", 64, fill_worlds},        {"types", 512, fill_types},
    {"others", 512, fill_others},       {"tracked", 512, fill_tracked},
    {"tables", 512, fill_tables},       {"entities", 1024, fill_entities},
    {"slots", 4096, fill_slots},        {"systems", 128, fill_systems},
    {"phases", 128, fill_phases},       {"queries", 512, fill_queries},
    {"trackers", 512, fill_trackers},   {"observers", 192, fill_observers},
    {"holders", 192, fill_holders},     {"buffers", 512, fill_buffers},
    {"events", 512, fill_events},       {"resources", 512, fill_resources},
    {"texts", 512, fill_texts},         {"scenes", 64, fill_scenes},
    {"prefabs", 256, fill_prefabs},     {"pools", 256, fill_pools},
    {"items", 1024, fill_items},        {"relations", 128, fill_relations},
    {"families", 512, fill_families},   {"siblings", 512, fill_siblings},
    {"ancestors", 512, fill_ancestors},
};
const uint32_t crowd_kind_count = sizeof crowd_kinds / sizeof crowd_kinds[0];

/* ---- The world ------------------------------------------------------------------------------- */

static void ignore_misuse(const char *message, void *context)
{
    (void)message;
    (void)context;
}

static void run_own(kith_iter *it)
{
    crowd *c = it->user;
    if (c->within != NULL) {
        uint64_t before = work_done();
        c->within(c, it);
        c->within_work = work_done() - before;
    }
}

static kith_observer *new_observer(crowd *c, const char *name)
{
    const kith_observer_def def = {
        .name = name, .kind = KITH_ON_ADD, .type = &Velocity_type, .run = observe_nothing};
    kith_observer *observer = NULL;
    ok(kith_observer_new(c->world, &def, &observer));
    return observer;
}

static void make_old(crowd *c)
{
    for (uint32_t i = 0; i < CROWD_TRIES; i++) {
        crowd_old *old = &c->old[i];
        old->commands = kith_commands_new(c->world, NULL);
        CHECK_PTR_NOT_NULL(old->commands);
        ok(kith_tracker_new(c->world, &Velocity_type, &old->tracker));
        old->observer = new_observer(c, "old");
        old->query = new_query(c);
        old->scene = read_scene(c, small_scene);
        old->pool = new_pool();
        old->entity = KITH_SPAWN(c->world, KITH_VALUE(Position), KITH_VALUE(Health));
        snprintf(old->system, sizeof old->system, "old %u", i);
        ok(kith_system_add(c->world,
                           &(kith_system_def){.name = old->system,
                                              .group = "old",
                                              .run = run_nothing,
                                              .query.terms = KITH_TERMS(KITH_READ(Velocity))}));
    }
}

static void make_own_system(crowd *c)
{
    ok(kith_system_add(
        c->world, &(kith_system_def){.name = "own",
                                     .group = "own",
                                     .run = run_own,
                                     .user = c,
                                     .query.terms = KITH_TERMS(KITH_READ(Name)),
                                     .queries = {{.terms = KITH_TERMS(KITH_READ(Health))}},
                                     .lookups = KITH_TERMS(KITH_READ(Health), KITH_WRITE(Byte)),
                                     .resources = KITH_TERMS(KITH_WRITE(Extra)),
                                     .events = KITH_TERMS(KITH_READ(Extra), KITH_WRITE(Name))}));
}

static void make_own(crowd *c)
{
    c->own = KITH_SPAWN(c->world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}),
                        KITH_VALUE(Name), KITH_VALUE(Health, {5, 6}), KITH_VALUE(Frozen),
                        KITH_VALUE(Byte, {7}));
    c->plain = KITH_SPAWN(c->world, KITH_VALUE(Position, {1, 2}));
    c->child = KITH_SPAWN(c->world, KITH_VALUE(kith_child_of, {c->parent}));
    c->family = kith_spawn_empty(c->world);
    CHECK(!kith_is_none(KITH_SPAWN(c->world, KITH_VALUE(kith_child_of, {c->family}))));
    c->query = KITH_QUERY(c->world, KITH_READ(Position), KITH_READ(Name));
    c->mixed = KITH_QUERY(c->world, KITH_READ(Byte), KITH_READ(Position));
    c->wide = KITH_QUERY(c->world, KITH_READ(Position));
    c->changed = KITH_QUERY(c->world, KITH_CHANGED(Name));
    c->commands = kith_commands_new(c->world, NULL);
    CHECK(c->query != NULL && c->mixed != NULL && c->wide != NULL && c->changed != NULL &&
          c->commands != NULL);
    ok(kith_tracker_new(c->world, &Velocity_type, &c->tracker));
    c->observer = new_observer(c, "own");
    ok(kith_event_send(c->world, &Extra_type, NULL));
    ok(kith_event_register(c->world, &Name_type, NULL));
    ok(kith_resource_set(c->world, &Extra_type, NULL));
    kith_text text;
    ok(kith_text_intern(c->world, "own", &text));
    make_own_system(c);
}

/* Types of the test's own are registered before and after the others, and so are its things made. */
crowd *crowd_new(const crowd_kind *kind, uint32_t count)
{
    crowd *c = calloc(1, sizeof *c);
    CHECK_PTR_NOT_NULL(c);
    c->world = kith_world_new(&(kith_world_def){.on_misuse = ignore_misuse});
    CHECK_PTR_NOT_NULL(c->world);
    ok(kith_register(c->world, &Position_type, NULL));
    ok(kith_register(c->world, &Health_type, &(kith_component_def){.layout = KITH_SPARSE}));
    ok(kith_register(c->world, &Velocity_type, NULL));
    ok(kith_register(c->world, &Frozen_type, &(kith_component_def){.layout = KITH_SLOT}));
    c->scene = read_scene(c, small_scene);
    c->pool = new_pool();
    make_old(c);
    c->parent = kith_spawn_empty(c->world);
    CHECK(!kith_is_none(KITH_SPAWN(c->world, KITH_VALUE(kith_child_of, {c->parent}))));
    kind->fill(c, count);
    ok(kith_register(c->world, &Name_type, &(kith_component_def){.exact_changes = true}));
    ok(kith_register(c->world, &Extra_type, NULL));
    ok(kith_register(c->world, &kith_disabled_type, NULL));
    ok(kith_register(c->world, &Byte_type, &(kith_component_def){.layout = KITH_SPARSE}));
    kith_type *fresh = work_tags("Fresh", CROWD_FRESH);
    register_some(c->world, fresh, CROWD_FRESH);
    c->fresh = fresh;
    c->strange = work_types("Strange", 1u << CROWD_FRESH);
    make_own(c);
    return c;
}
