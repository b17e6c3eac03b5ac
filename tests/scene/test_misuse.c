/* Misuse of scenes and prefabs. */
#include <kith/scene.h>

#include "../world/trips.h"

static void load_null(stage *s)
{
    CHECK_RESULT(kith_scene_load(s->world, NULL, 0, NULL, NULL), KITH_ERR_MISUSE);
}

static void load_null_file(stage *s)
{
    CHECK_RESULT(kith_scene_load_file(s->world, NULL, NULL, NULL), KITH_ERR_MISUSE);
}

static void read_into_null(stage *s)
{
    CHECK_RESULT(kith_scene_read(s->world, "", 0, NULL, NULL), KITH_ERR_MISUSE);
}

static void read_file_into_null(stage *s)
{
    CHECK_RESULT(kith_scene_read_file(s->world, "x", NULL, NULL), KITH_ERR_MISUSE);
}

static void load_in_open_query(stage *s)
{
    static const char text[] = "entity\n  Position { x = 1 }\n";
    kith_scene *scene = NULL;
    kith_scene_error error = {.message = "untouched"};
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    CHECK_RESULT(kith_scene_load(s->world, text, sizeof text - 1, &scene, &error), KITH_ERR_MISUSE);
    CHECK_PTR_NULL(scene);
    CHECK_STR(error.message, "untouched");
    CHECK_FLOAT(KITH_GET(s->world, s->e, Position)->x, 1);
    kith_iter_end(&it);
}

static void spawn_null(stage *s)
{
    (void)s;
    kith_scene_spawn(NULL);
}

static void find_in_null(stage *s)
{
    (void)s;
    kith_scene_find(NULL, "x");
}

static void count_null(stage *s)
{
    (void)s;
    kith_scene_count(NULL);
}

static void at_null(stage *s)
{
    (void)s;
    kith_scene_at(NULL, 0);
}

static void name_of_null(stage *s)
{
    (void)s;
    kith_scene_name(NULL, 0);
}

static void place_at_null(stage *s)
{
    (void)s;
    kith_scene_place_at(NULL, 0);
}

static void prefab_of_null(stage *s)
{
    (void)s;
    kith_scene_prefab(NULL, "x");
}

static void prefab_at_null(stage *s)
{
    (void)s;
    kith_scene_prefab_at(NULL, 0);
}

static void name_of_null_prefab(stage *s)
{
    (void)s;
    kith_prefab_name(NULL);
}

/* Does something with a prefab that has Position. */
static void with_prefab(stage *s, kith_result (*act)(const kith_prefab *prefab))
{
    static const char text[] = "prefab p\n  Position { x = 1 }\n";
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_read(s->world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    CHECK_RESULT(act(kith_scene_prefab(scene, "p")), KITH_ERR_MISUSE);
    kith_scene_free(scene);
}

static kith_result get_nothing(const kith_prefab *prefab)
{
    return kith_prefab_get(prefab, &Position_type, NULL);
}
static void get_into_null(stage *s)
{
    with_prefab(s, get_nothing);
}

static kith_result spawn_nothing(const kith_prefab *prefab)
{
    return kith_prefab_spawn(prefab, NULL, 1, NULL);
}
static void spawn_with_null(stage *s)
{
    with_prefab(s, spawn_nothing);
}

static kith_result spawn_many_nothing(const kith_prefab *prefab)
{
    return kith_prefab_spawn_many(prefab, 3, NULL, 1, NULL);
}
static void spawn_many_with_null(stage *s)
{
    with_prefab(s, spawn_many_nothing);
}

static void queue_null(stage *s)
{
    (void)s;
    kith_prefab_queue(NULL, NULL, NULL, 0);
}

static void save_to_null(stage *s)
{
    CHECK_RESULT(kith_scene_save(s->world, NULL, NULL, NULL, NULL), KITH_ERR_MISUSE);
}

static void save_to_null_file(stage *s)
{
    CHECK_RESULT(kith_scene_save_file(s->world, NULL, NULL, NULL), KITH_ERR_MISUSE);
}

static void misuse_null(stage *s)
{
    CHECK_RESULT(kith_misuse(s->world, NULL), KITH_ERR_MISUSE);
}

static const trip trips[] = {
    {"kith_misuse: the message is NULL", misuse_null, false},
    {"%s", misuse_null, false},
    {"kith_scene_load: the world or the text is NULL", load_null, false},
    {"kith_scene_load_file: the world or the path is NULL", load_null_file, false},
    {"kith_scene_read: the world, the text or the scene is NULL", read_into_null, false},
    {"kith_scene_read_file: the world, the path or the scene is NULL", read_file_into_null, false},
    {"%s: the world is being iterated (%s); do it when the loop has ended (kith_iter_end)",
     load_in_open_query, false},
    {"kith_scene_spawn: the scene is NULL", spawn_null, true},
    {"kith_scene_find: the scene or the name is NULL", find_in_null, true},
    {"kith_scene_count: the scene is NULL", count_null, true},
    {"kith_scene_at: the scene is NULL", at_null, true},
    {"kith_scene_name: the scene is NULL", name_of_null, true},
    {"kith_scene_place_at: the scene is NULL", place_at_null, true},
    {"kith_scene_prefab: the scene or the name is NULL", prefab_of_null, true},
    {"kith_scene_prefab_at: the scene is NULL", prefab_at_null, true},
    {"kith_prefab_name: the prefab is NULL", name_of_null_prefab, true},
    {"kith_prefab_get: the prefab, the type or the value is NULL", get_into_null, false},
    {"kith_prefab_spawn: the prefab is NULL, or the values are", spawn_with_null, false},
    {"kith_prefab_spawn_many: the prefab is NULL, or the values are", spawn_many_with_null, false},
    {"kith_prefab_queue: the prefab is NULL", queue_null, true},
    {"kith_scene_save: the world or the function is NULL", save_to_null, false},
    {"kith_scene_save_file: the world or the path is NULL", save_to_null_file, false},
};

/* It is the caller's call that is named, not what does its work. */
TEST(changes_in_an_open_query_are_told_as_the_call)
{
    fixture f = fixture_new();
    register_all(f.world, KITH_TABLE);
    static const char text[] = "prefab p\n  Position { x = 1 }\nentity\n  Position { x = 1 }\n";
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_load(f.world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    const kith_prefab *prefab = kith_scene_prefab(scene, "p");
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    CHECK_RESULT(kith_scene_load(f.world, text, sizeof text - 1, NULL, NULL), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_scene_load: the world is being iterated");
    CHECK_RESULT(kith_scene_load_file(f.world, "/nowhere", NULL, NULL), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_scene_load_file: the world is being iterated");
    CHECK_RESULT(kith_scene_spawn(scene), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_scene_spawn: the world is being iterated");
    CHECK_RESULT(kith_prefab_spawn(prefab, NULL, 0, NULL), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_prefab_spawn: the world is being iterated");
    CHECK_RESULT(kith_prefab_spawn_many(prefab, 3, NULL, 0, NULL), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_prefab_spawn_many: the world is being iterated");
    kith_iter_end(&it);
    CHECK_UINT(kith_entity_count(f.world), 1);
    kith_scene_free(scene);
    fixture_free(&f);
}

TEST_WITHIN(10, misuse_is_told)
{
    take_trips(trips, sizeof trips / sizeof trips[0]);
}
