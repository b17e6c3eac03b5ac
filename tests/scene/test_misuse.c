/* Misuse of scenes and prefabs. */
#include <kith/scene.h>

#include "../world/trips.h"
#include "headers.h"

TEST(arguments_that_are_nothing_are_told)
{
    stage s = stage_open();
    kith_world *w = s.world;
    CHECK_TOLD(&s, kith_misuse(w, NULL) == KITH_ERR_MISUSE, "kith_misuse: the message is NULL");
    CHECK_TOLD(&s, kith_misuse(w, NULL) == KITH_ERR_MISUSE, "%s");
    CHECK_TOLD(&s, kith_scene_load(w, NULL, 0, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_scene_load: the world or the text is NULL");
    CHECK_TOLD(&s, kith_scene_load_file(w, NULL, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_scene_load_file: the world or the path is NULL");
    CHECK_TOLD(&s, kith_scene_parse(w, "", 0, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_scene_parse: the world, the text or the scene is NULL");
    CHECK_TOLD(&s, kith_scene_parse_file(w, "x", NULL, NULL) == KITH_ERR_MISUSE,
               "kith_scene_parse_file: the world, the path or the scene is NULL");
    CHECK_TOLD(&s, kith_scene_save(w, NULL, NULL, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_scene_save: the world or the function is NULL");
    CHECK_TOLD(&s, kith_scene_save_file(w, NULL, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_scene_save_file: the world or the path is NULL");

    /* What asks a scene, or a prefab, tells its world. */
    static const char text[] = "prefab p\n  Position { x = 1 }\nentity hero : p\n";
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(w, text, sizeof text - 1, &scene, NULL), KITH_OK);
    CHECK_TOLD(&s, kith_is_none(kith_scene_find(scene, NULL)),
               "kith_scene_find: the scene or the name is NULL");
    CHECK_TOLD(&s, kith_scene_prefab(scene, NULL) == NULL,
               "kith_scene_prefab: the scene or the name is NULL");
    const kith_prefab *prefab = kith_scene_prefab(scene, "p");
    CHECK_TOLD(&s, kith_prefab_get(prefab, &Position_type, NULL) == KITH_ERR_MISUSE,
               "kith_prefab_get: the prefab, the type or the value is NULL");
    CHECK_TOLD(&s,
               kith_prefab_get_part(prefab, "", &Position_type, NULL) == KITH_ERR_MISUSE,
               "kith_prefab_get_part: the prefab, the type or the value is NULL");
    CHECK_TOLD(&s, kith_prefab_spawn_parts(prefab, NULL, 1, NULL) == KITH_ERR_MISUSE,
               "kith_prefab_spawn_parts: the prefab is NULL, or the values are");
    CHECK_TOLD(&s, kith_is_none(kith_prefab_queue_parts(prefab, NULL, NULL, 1)),
               "kith_prefab_queue_parts: the prefab is NULL, or the values are");
    CHECK_TOLD(&s, kith_prefab_spawn(prefab, NULL, 1, NULL) == KITH_ERR_MISUSE,
               "kith_prefab_spawn: the prefab is NULL, or the values are");
    CHECK_TOLD(&s, kith_prefab_spawn_many(prefab, 3, NULL, 1, NULL) == KITH_ERR_MISUSE,
               "kith_prefab_spawn_many: the prefab is NULL, or the values are");
    CHECK_TOLD(&s, kith_is_none(kith_prefab_queue(prefab, NULL, NULL, 1)),
               "kith_prefab_queue: the values are NULL");
    kith_scene_free(scene);
    stage_close(&s);
}

TEST(definitions_of_a_scene_that_make_no_sense_are_told)
{
    stage s = stage_open();
    kith_scene *scene = NULL;
    kith_scene_def def = {.text = ""};
    CHECK_TOLD(&s, kith_scene_new(s.world, &def, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_scene_new: the world, the def or the scene is NULL");
    CHECK_TOLD(&s, kith_scene_new(s.world, NULL, &scene, NULL) == KITH_ERR_MISUSE,
               "kith_scene_new: the world, the def or the scene is NULL");
    def.library_count = 1;
    CHECK_TOLD(&s, kith_scene_new(s.world, &def, &scene, NULL) == KITH_ERR_MISUSE,
               "kith_scene_new: the libraries are NULL, but their number is not 0");
    const kith_scene_library nameless = {NULL, NULL};
    def.libraries = &nameless;
    CHECK_TOLD(&s, kith_scene_new(s.world, &def, &scene, NULL) == KITH_ERR_MISUSE,
               "kith_scene_new: a library has no name or no scene");
    def = (kith_scene_def){0};
    CHECK_TOLD(&s, kith_scene_new(s.world, &def, &scene, NULL) == KITH_ERR_MISUSE,
               "kith_scene_new: set `text` or `path` of the def");
    CHECK_PTR_NULL(scene);
    stage_close(&s);
}

TEST_WITHIN(10, calls_on_nothing_end_the_program)
{
    CHECK_ENDS(kith_scene_spawn(NULL), "kith_scene_spawn: the scene is NULL");
    CHECK_ENDS(kith_scene_find(NULL, "x"), "kith_scene_find: the scene or the name is NULL");
    CHECK_ENDS(kith_scene_count(NULL), "kith_scene_count: the scene is NULL");
    CHECK_ENDS(kith_scene_at(NULL, 0), "kith_scene_at: the scene is NULL");
    CHECK_ENDS(kith_scene_name(NULL, 0), "kith_scene_name: the scene is NULL");
    CHECK_ENDS(kith_scene_place_at(NULL, 0), "kith_scene_place_at: the scene is NULL");
    CHECK_ENDS(kith_scene_file(NULL, 0), "kith_scene_file: the scene is NULL");
    CHECK_ENDS(kith_scene_index_of(NULL, KITH_NONE), "kith_scene_index_of: the scene is NULL");
    CHECK_ENDS(kith_scene_set_name(NULL, 0, "a"), "kith_scene_set_name: the scene is NULL");
    CHECK_ENDS(kith_scene_add(NULL, KITH_NONE, NULL, NULL), "kith_scene_add: the scene is NULL");
    CHECK_ENDS(kith_scene_prefab(NULL, "x"), "kith_scene_prefab: the scene or the name is NULL");
    CHECK_ENDS(kith_scene_prefab_at(NULL, 0), "kith_scene_prefab_at: the scene is NULL");
    CHECK_ENDS(kith_prefab_name(NULL), "kith_prefab_name: the prefab is NULL");
    CHECK_ENDS(kith_prefab_queue(NULL, NULL, NULL, 0), "kith_prefab_queue: the prefab is NULL");
    CHECK_ENDS(kith_prefab_spawn_or_none(NULL, NULL, NULL, 0),
               "kith_prefab_spawn_or_none: the prefab or the world is NULL");
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
    kith_iter_close(&it);
}

/* ---- Objects of another world ---------------------------------------------------------------- */

/* A world with as many entities as the stage's, of which a handle could be taken for one of the other's:
 * scenes, queries and buffers are looked at. */
static fixture other_world(void)
{
    fixture other = fixture_with_all(KITH_TABLE);
    CHECK(!kith_is_none(KITH_SPAWN(other.world, KITH_VALUE(Position, {7, 8}))));
    return other;
}

static void queue_in_another_world(stage *s)
{
    static const char text[] = "prefab p\n  Position { x = 1 }\n";
    fixture other = other_world();
    kith_commands *anothers = kith_commands_new(other.world, NULL);
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(s->world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    CHECK(kith_is_none(kith_prefab_queue(kith_scene_prefab(scene, "p"), anothers, NULL, 0)));
    CHECK_UINT(kith_commands_memory(anothers).commands, 0);
    CHECK_STR(kith_commands_error(anothers), "");
    kith_scene_free(scene);
    fixture_free(&other);
}

static void queue_parts_in_another_world(stage *s)
{
    static const char text[] = "prefab p\n  child c\n";
    fixture other = other_world();
    kith_commands *anothers = kith_commands_new(other.world, NULL);
    kith_scene *scene = NULL;
    const kith_part_value value = {"c", KITH_VALUE(Position, {1, 2})};
    CHECK_RESULT(kith_scene_parse(s->world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    const kith_prefab *prefab = kith_scene_prefab(scene, "p");
    CHECK(kith_is_none(kith_prefab_queue_parts(prefab, anothers, &value, 1)));
    CHECK_UINT(kith_commands_memory(anothers).commands, 0);
    kith_scene_free(scene);
    fixture_free(&other);
}

static bool write_never(void *context, const char *bytes, size_t count)
{
    (void)context;
    (void)bytes;
    (void)count;
    CHECK(false);
    return false;
}

static void save_by_anothers_query(stage *s)
{
    fixture other = other_world();
    const kith_scene_save_def def = {.query = KITH_QUERY(other.world, KITH_READ(Position))};
    CHECK_RESULT(kith_scene_save(s->world, &def, write_never, NULL, NULL), KITH_ERR_MISUSE);
    fixture_free(&other);
}

/* The file is not even made. */
static void save_file_by_anothers_query(stage *s)
{
    fixture other = other_world();
    const kith_scene_save_def def = {.query = KITH_QUERY(other.world, KITH_READ(Position))};
    CHECK_RESULT(kith_scene_save_file(s->world, &def, "test_scene_misuse.kith", NULL),
                 KITH_ERR_MISUSE);
    CHECK(remove("test_scene_misuse.kith") != 0);
    CHECK(remove("test_scene_misuse.kith.new") != 0);
    fixture_free(&other);
}

static void save_with_anothers_names(stage *s)
{
    static const char text[] = "entity hero\n  Position { x = 1 }\n";
    fixture other = other_world();
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_load(other.world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    const kith_scene_save_def def = {.names = scene};
    CHECK_RESULT(kith_scene_save(s->world, &def, write_never, NULL, NULL), KITH_ERR_MISUSE);
    kith_scene_free(scene);
    fixture_free(&other);
}

static const char a_scene[] = "prefab p\nentity hero\n  Position { x = 1 }\n";

/* A scene of another world, for a call that uses it. */
typedef void (*use_scene)(stage *s, kith_scene *other);

static void use_other(stage *s, use_scene use)
{
    fixture other = other_world();
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_load(other.world, a_scene, sizeof a_scene - 1, &scene, NULL), KITH_OK);
    use(s, scene);
    kith_scene_free(scene);
    fixture_free(&other);
}

static void save_text_of(stage *s, kith_scene *other)
{
    const kith_scene_save_def def = {.scene = other};
    CHECK_RESULT(kith_scene_save(s->world, &def, write_never, NULL, NULL), KITH_ERR_MISUSE);
}

static void save_anothers_text(stage *s)
{
    use_other(s, save_text_of);
}

static void read_with_library(stage *s, kith_scene *other)
{
    kith_scene *scene = NULL;
    const kith_scene_library library = {"other", other};
    const kith_scene_def def = {.text = "", .libraries = &library, .library_count = 1};
    CHECK_RESULT(kith_scene_new(s->world, &def, &scene, NULL), KITH_ERR_MISUSE);
    CHECK_PTR_NULL(scene);
}

static void read_with_anothers_library(stage *s)
{
    use_other(s, read_with_library);
}

static void add_of_prefab(stage *s, kith_scene *other)
{
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(s->world, a_scene, sizeof a_scene - 1, &scene, NULL), KITH_OK);
    CHECK_RESULT(kith_scene_add(scene, s->e, kith_scene_prefab(other, "p"), NULL), KITH_ERR_MISUSE);
    CHECK_UINT(kith_scene_count(scene), 1);
    kith_scene_free(scene);
}

static void add_of_anothers_prefab(stage *s)
{
    use_other(s, add_of_prefab);
}

/* A scene of this world, saved in a way that is none. */
static void save_own(stage *s, kith_scene_save_def def)
{
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(s->world, a_scene, sizeof a_scene - 1, &scene, NULL), KITH_OK);
    def.scene = scene;
    CHECK_RESULT(kith_scene_save(s->world, &def, write_never, NULL, NULL), KITH_ERR_MISUSE);
    kith_scene_free(scene);
}

static void save_text_by_query(stage *s)
{
    save_own(s, (kith_scene_save_def){.query = s->query});
}

static void save_text_and_resources(stage *s)
{
    save_own(s, (kith_scene_save_def){.resources = true});
}

static void save_no_file(stage *s)
{
    save_own(s, (kith_scene_save_def){.file = 1});
}

static kith_result open_nothing(void *context, const char *path, const char **text, size_t *length)
{
    (void)context;
    (void)path;
    (void)text;
    (void)length;
    return KITH_OK;
}

static void open_without_text(stage *s)
{
    static const char text[] = "include \"x\"";
    kith_scene *scene = NULL;
    const kith_scene_def def = {.text = text, .length = sizeof text - 1, .open = open_nothing};
    CHECK_RESULT(kith_scene_new(s->world, &def, &scene, NULL), KITH_ERR_MISUSE);
}

static void spawn_in_another_world(stage *s)
{
    static const char text[] = "prefab p\n  Position { x = 1 }\n";
    fixture other = other_world();
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(s->world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    const uint64_t before = kith_world_hash(other.world);
    CHECK(kith_is_none(KITH_SPAWN_FROM(other.world, kith_scene_prefab(scene, "p"))));
    CHECK_UINT(kith_world_hash(other.world), before);
    kith_scene_free(scene);
    fixture_free(&other);
}

static const trip trips[] = {
    {"%s: the world is being iterated (%s); do it when the loop has ended (kith_iter_close)",
     load_in_open_query},
    {"%s: prefab '%s' is of one world, the %s of another; read the prefab's scene in that world"
     " too",
     queue_in_another_world},
    {"%s: prefab '%s' is of one world, the %s of another; read the prefab's scene in that world"
     " too",
     queue_parts_in_another_world},
    {"%s: prefab '%s' is of one world, the %s of another; read the prefab's scene in that world"
     " too",
     spawn_in_another_world},
    {"kith_scene_save: the query is of another world than the one that is saved; make one with"
     " kith_query_new for this world",
     save_by_anothers_query},
    {"kith_scene_save: the query is of another world than the one that is saved; make one with"
     " kith_query_new for this world",
     save_file_by_anothers_query},
    {"kith_scene_save: the scene in `names` is of another world than the one that is saved, and"
     " knows nobody there",
     save_with_anothers_names},
    {"kith_scene_save: the scene is of another world than the one that is saved",
     save_anothers_text},
    {"kith_scene_save: with `scene`, the scene says what is saved; leave `query`, `names` and"
     " `resources` at 0",
     save_text_by_query},
    {"kith_scene_save: with `scene`, the scene says what is saved; leave `query`, `names` and"
     " `resources` at 0",
     save_text_and_resources},
    {"kith_scene_save: the scene has no `file` of that number", save_no_file},
    {"kith_scene_new: a library is a scene of another world; read its text for this one too",
     read_with_anothers_library},
    {"kith_scene_new: `open` returned KITH_OK without a text", open_without_text},
    {"kith_scene_add: the prefab is of another world than the scene", add_of_anothers_prefab},
};

TEST_WITHIN(10, every_rule_is_told_when_it_is_broken)
{
    take_trips(trips, sizeof trips / sizeof trips[0]);
}

/* It is the caller's call that is named, not what does its work. */
TEST(changes_in_an_open_query_are_told_as_the_call)
{
    fixture f = fixture_with_all(KITH_TABLE);
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
    CHECK_RESULT(kith_prefab_spawn_parts(prefab, NULL, 0, NULL), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_prefab_spawn_parts: the world is being iterated");
    CHECK_RESULT(kith_prefab_spawn_many(prefab, 3, NULL, 0, NULL), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_prefab_spawn_many: the world is being iterated");
    kith_iter_close(&it);
    CHECK_UINT(kith_entity_count(f.world), 1);
    kith_scene_free(scene);
    fixture_free(&f);
}

/* What belongs to a world, and is passed by its address. */
static const char *const objects[] = {
    "kith_world *",     "kith_query *",    "kith_commands *", "kith_tracker *",
    "kith_observer *",  "kith_scene *",    "kith_prefab *",   "kith_grid *",
    "kith_iter *",      "kith_observed *", "kith_reader *",   "kith_scene_save_def *",
    "kith_scene_def *",
};

/* Calls that take two of them, which may be of two worlds. All are among the trips. */
static void check_two_objects(const char *name, const char *declaration, void *context)
{
    uint32_t *found = context;
    uint32_t count = 0;
    for (const char *at = strchr(declaration, '('); at != NULL; at = strchr(at + 1, ',')) {
        for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
            const char *object = at + 1 + strspn(at + 1, " \n");
            object += strncmp(object, "const ", 6) == 0 ? 6 : 0;
            count += strncmp(object, objects[i], strlen(objects[i])) == 0 &&
                     object[strlen(objects[i])] != '*'; /* else it is what the call makes */
        }
    }
    if (count > 1) {
        if (strcmp(name, "kith_prefab_queue") != 0 &&
            strcmp(name, "kith_prefab_queue_parts") != 0 &&
            strcmp(name, "kith_prefab_spawn_or_none") != 0 &&
            strcmp(name, "kith_scene_save") != 0 && strcmp(name, "kith_scene_add") != 0 &&
            strcmp(name, "kith_scene_new") != 0 && strcmp(name, "kith_scene_save_file") != 0 &&
            strcmp(name, "kith_transfer") != 0 && strcmp(name, "kith_live_new") != 0 &&
            strcmp(name, "kith_system_parallel") != 0) {
            test_fail(__FILE__, __LINE__, "%s takes objects that may be of two worlds", name);
        }
        *found += 1;
    }
}

TEST(calls_that_take_two_objects_are_known)
{
    uint32_t found = 0;
    headers_each_declaration(check_two_objects, &found);
    headers_each_declaration_of("game", check_two_objects, &found);
    CHECK_UINT(found, 10);
}
