/* Of what is made many times, each takes the same to be made and to be freed, in whichever order;
 * and none of them takes much longer than the others. */
#include <stdio.h>

#include "crowd.h"
#include "work.h"

enum { FEW = 128, MOST = FEW * 8, LIMIT = 160 };

/* ---- What is made and freed
 * ------------------------------------------------------------------------- */

typedef struct life {
    const char *name;
    void *(*make)(kith_world *world);
    void (*end)(void *made);
    work_order how;
} life;

static void *make_commands(kith_world *world)
{
    return kith_commands_new(world, NULL);
}

static void end_commands(void *made)
{
    kith_commands_free(made);
}

static void *make_tracker(kith_world *world)
{
    kith_tracker *tracker = NULL;
    kith_tracker_new(world, &Health_type, &tracker);
    return tracker;
}

static void end_tracker(void *made)
{
    kith_tracker_free(made);
}

static void observe_nothing(const kith_observed *observed)
{
    (void)observed;
}

static void *make_observer(kith_world *world)
{
    const kith_observer_def def = {
        .kind = KITH_ON_REMOVE, .type = &Health_type, .values = true, .run = observe_nothing};
    kith_observer *observer = NULL;
    kith_observer_new(world, &def, &observer);
    return observer;
}

static void *make_observer_also(kith_world *world)
{
    const kith_observer_def def = {.kind = KITH_ON_DESPAWN,
                                   .type = &Health_type,
                                   .also = KITH_TERMS(KITH_READ(Position), KITH_READ(Frozen)),
                                   .run = observe_nothing};
    kith_observer *observer = NULL;
    kith_observer_new(world, &def, &observer);
    return observer;
}

static void end_observer(void *made)
{
    kith_observer_free(made);
}

static void *make_query(kith_world *world)
{
    return KITH_QUERY(world, KITH_READ(Health));
}

static void end_query(void *made)
{
    kith_query_free(made);
}

static void *make_pool(kith_world *world)
{
    (void)world;
    return kith_pool_new(NULL, 4, 4);
}

static void end_pool(void *made)
{
    kith_pool_free(made);
}

static void *make_scene(kith_world *world)
{
    kith_scene *scene = NULL;
    kith_scene_parse(world, "entity\n    Health\n", 18, &scene, NULL);
    return scene;
}

static void end_scene(void *made)
{
    kith_scene_free(made);
}

static void *make_world(kith_world *world)
{
    (void)world;
    return kith_world_new(NULL);
}

static void end_world(void *made)
{
    kith_world_free(made);
}

static const life lives[] = {
    {"buffers", make_commands, end_commands, 0},
    {"trackers", make_tracker, end_tracker, 0},
    {"observers", make_observer, end_observer, 0},
    {"observers of despawns", make_observer_also, end_observer, 0},
    {"queries", make_query, end_query, 0},
    {"pools", make_pool, end_pool, 0},
    {"scenes", make_scene, end_scene, 0},
    {"worlds", make_world, end_world, 0},
};

static uint64_t work_of_lives(uint32_t n, const void *context)
{
    const life *of = context;
    kith_world *world = kith_world_new(NULL);
    register_all(world, KITH_TABLE);
    kith_entity entity = KITH_SPAWN(world, KITH_VALUE(Health));
    void *made[MOST];
    uint64_t before = work_done();
    for (uint32_t i = 0; i < n; i++) {
        made[i] = of->make(world);
        CHECK_PTR_NOT_NULL(made[i]);
    }
    CHECK_RESULT(KITH_REMOVE(world, entity, Health), KITH_OK);
    for (uint32_t i = 0; i < n; i++) {
        of->end(made[work_nth(of->how, i, n)]);
    }
    uint64_t work = work_done() - before;
    kith_world_free(world);
    return work;
}

TEST(what_is_made_and_freed)
{
    for (size_t i = 0; i < sizeof lives / sizeof lives[0]; i++) {
        for (uint32_t how = 0; how < WORK_ORDERS; how++) {
            life of = lives[i];
            char name[64];
            snprintf(name, sizeof name, "%s, %s", of.name, work_order_names[how]);
            of.how = (work_order)how;
            work_check_items(name, work_of_lives, &of, FEW, LIMIT);
        }
    }
}

/* ---- What is told
 * ------------------------------------------------------------------------------------- */

static void look_at_positions(const kith_observed *observed)
{
    for (uint32_t i = 0; i < observed->count; i++) {
        CHECK((KITH_AT(observed, i, Position) == NULL) == (*(bool *)observed->user));
    }
}

/* Each of n entities is despawned, and told with what it had. With `context`, it had nothing. */
static uint64_t work_of_despawns(uint32_t n, const void *context)
{
    bool had_nothing = context != NULL;
    kith_world *world = kith_world_new(NULL);
    register_all(world, KITH_TABLE);
    const kith_observer_def def = {.kind = KITH_ON_DESPAWN,
                                   .type = &Health_type,
                                   .also = KITH_TERMS(KITH_READ(Position)),
                                   .run = look_at_positions,
                                   .user = &had_nothing};
    CHECK_RESULT(kith_observer_new(world, &def, NULL), KITH_OK);
    static kith_entity entities[MOST];
    const kith_values values[] = {KITH_VALUE(Health, {1, 2}), KITH_VALUE(Position, {1, 2})};
    CHECK_RESULT(kith_spawn_many(world, n, values, had_nothing ? 1 : 2, entities), KITH_OK);
    uint64_t before = work_done();
    CHECK_RESULT(kith_despawn_many(world, entities, n, NULL), KITH_OK);
    CHECK_RESULT(kith_observers_flush(world), KITH_OK);
    uint64_t work = work_done() - before;
    kith_world_free(world);
    return work;
}

TEST(what_despawned_entities_had)
{
    work_check_items("despawned with a position", work_of_despawns, NULL, FEW, LIMIT);
    work_check_items("despawned without one", work_of_despawns, "", FEW, LIMIT);
}

/* ---- No call takes long now and then
 * ------------------------------------------------------------------ */

/* The most that one of so many calls to intern a text takes. */
static uint64_t longest_text(uint32_t n)
{
    kith_world *world = kith_world_new(NULL);
    uint64_t longest = 0;
    for (uint32_t i = 0; i < n; i++) {
        char text[16];
        kith_text interned;
        snprintf(text, sizeof text, "text %u", i);
        uint64_t before = work_done();
        CHECK_RESULT(kith_text_intern(world, text, &interned), KITH_OK);
        uint64_t work = work_done() - before;
        longest = work > longest ? work : longest;
    }
    kith_world_free(world);
    return longest;
}

TEST(a_text_is_interned_without_a_stall)
{
    uint64_t some = longest_text(8192);
    uint64_t more = longest_text(8192 * 8);
    if (more > some * 3 / 2) {
        test_fail(__FILE__, __LINE__, "the longest of 8192 takes %llu blocks, of 65536 %llu",
                  (unsigned long long)some, (unsigned long long)more);
    }
}
