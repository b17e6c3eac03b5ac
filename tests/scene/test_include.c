/* Scenes of several texts: files that include files, and prefabs of other scenes. */
#define _POSIX_C_SOURCE 200809L /* mkdir */

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(_WIN32)
#include <direct.h>
#define MAKE_DIRECTORY(path) _mkdir(path)
#else
#define MAKE_DIRECTORY(path) mkdir((path), 0700)
#endif

#include "label.h"
#include "scenes.h"

/* Texts by their paths, in memory. */
typedef struct memory_file {
    const char *path;
    const char *text;
} memory_file;

static kith_result open_memory(void *context, const char *path, const char **text, size_t *length)
{
    for (const memory_file *file = context; file->path != NULL; file++) {
        if (strcmp(file->path, path) == 0) {
            *text = file->text;
            *length = strlen(file->text);
            return KITH_OK;
        }
    }
    return KITH_ERR_IO;
}

/* Reads the first of some files. */
static kith_result read_files(fixture *f, const memory_file *files, kith_scene **scene,
                              kith_scene_error *error)
{
    const kith_scene_def def = {.text = files->text,
                                .length = strlen(files->text),
                                .path = files->path,
                                .open = open_memory,
                                .context = (void *)(uintptr_t)files};
    return kith_scene_new(f->world, &def, scene, error);
}

TEST_EACH_LAYOUT(an_include_counts_as_its_text, layout)
{
    static const memory_file files[] = {
        {"levels/one.kith", "\xef\xbb\xbf# first\n"
                            "include \"../lib/./prefabs.kith\"\n"
                            "entity a : goblin\n"
                            "    Target { entity = deep }\n"
                            "include \"/abs/end.kith\" # at the end\n"},
        {"lib/prefabs.kith", "entity first\ninclude \"more/deep.kith\"\nprefab goblin : base\n"},
        {"lib/more/deep.kith", "prefab base\n    Health { max = 7 }\n\nentity deep\n"
                               "    Target { entity = a }"},
        {"/abs/end.kith", "\xef\xbb\xbf"
                          "entity last"},
        {NULL, NULL}};
    fixture f = scene_fixture(layout);
    kith_scene *scene = NULL;
    CHECK_RESULT(read_files(&f, files, &scene, NULL), KITH_OK);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    static const struct {
        const char *name;
        kith_scene_place place;
    } expected[] = {
        {"first", {1, 1, 1}}, {"deep", {4, 1, 2}}, {"a", {3, 1, 0}}, {"last", {1, 1, 3}}};
    CHECK_UINT(kith_scene_count(scene), 4);
    for (uint32_t i = 0; i < 4; i++) {
        CHECK_STR(kith_scene_name(scene, i), expected[i].name);
        kith_scene_place place = kith_scene_place_at(scene, i);
        CHECK_UINT(place.line, expected[i].place.line);
        CHECK_UINT(place.column, expected[i].place.column);
        CHECK_UINT(place.file, expected[i].place.file);
        CHECK_STR(kith_scene_file(scene, i), files[i].path);
    }
    CHECK_PTR_NULL((void *)(uintptr_t)kith_scene_file(scene, 4));
    CHECK_UINT(kith_scene_place_at(scene, 4).line, 6);
    CHECK_UINT(kith_scene_place_at(scene, 4).file, 0);
    kith_entity a = kith_scene_find(scene, "a");
    CHECK_INT(KITH_GET(f.world, a, Health)->max, 7);
    CHECK_SAME(KITH_GET(f.world, kith_scene_find(scene, "deep"), Target)->entity, a);
    kith_scene_free(scene);
    fixture_free(&f);
}

/* Two files may need the same third one. */
TEST(a_file_counts_once)
{
    static const memory_file files[] = {
        {"m", "include \"a\"\ninclude \"b\"\ninclude \"./x/../a\"\n"},
        {"a", "include \"c\"\nentity : p"},
        {"b", "include \"c\"\nentity : p"},
        {"c", "prefab p\n"},
        {NULL, NULL}};
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = NULL;
    CHECK_RESULT(read_files(&f, files, &scene, NULL), KITH_OK);
    CHECK_UINT(kith_scene_count(scene), 2);
    CHECK_STR(kith_scene_file(scene, 3), "b");
    CHECK_PTR_NULL((void *)(uintptr_t)kith_scene_file(scene, 4));
    kith_scene_free(scene);
    fixture_free(&f);
}

/* As deep as there are files. */
TEST(includes_may_be_deep)
{
    enum { DEPTH = 500 };
    static memory_file files[DEPTH + 1];
    static char texts[DEPTH][64];
    static char paths[DEPTH][16];
    for (int i = 0; i < DEPTH; i++) {
        snprintf(paths[i], sizeof paths[i], "f%d", i);
        snprintf(texts[i], sizeof texts[i], "include \"f%d\"\nentity e%d\n", i + 1, i);
        files[i] = (memory_file){paths[i], i + 1 < DEPTH ? texts[i] : "entity end\n"};
    }
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = NULL;
    CHECK_RESULT(read_files(&f, files, &scene, NULL), KITH_OK);
    CHECK_UINT(kith_scene_count(scene), DEPTH);
    CHECK_STR(kith_scene_name(scene, 0), "end");
    CHECK_STR(kith_scene_name(scene, DEPTH - 1), "e0");
    kith_scene_free(scene);
    texts[DEPTH - 2][0] = '?';
    kith_scene_error error;
    CHECK_RESULT(read_files(&f, files, &scene, &error), KITH_ERR_INPUT);
    CHECK_STR(error.file, "f498");
    CHECK_CONTAINS(error.message, "; included by f497:1, f496:1, ");
    CHECK_STR(error.message + strlen(error.message) - 3, "...");
    fixture_free(&f);
}

/* What is wrong: in which file, where, and how it got there. */
typedef struct wrong_files {
    memory_file files[5];
    kith_result result;
    const char *file;
    uint32_t line;
    uint32_t column;
    const char *message;
} wrong_files;

static const wrong_files wrong[] = {
    {{{"d/m", "\ninclude \"a\"\n"}, {"d/a", "\n\ninclude \"b\""}, {"d/b", "entity\n  Positon\n"}},
     KITH_ERR_INPUT,
     "d/b",
     2,
     3,
     "expected \"entity\", \"prefab\", \"map\", \"resource\", \"include\", \"child\" or a "
     "component (did you"
     " mean Position?), found \"Positon\"; included by d/a:3, d/m:2"},
    {{{"m", "include \"m\""}},
     KITH_ERR_INPUT,
     "m",
     1,
     9,
     "expected a file that does not include itself, found m > m"},
    {{{"m", "include \"a\""}, {"a", "include \"b\""}, {"b", "entity\n\ninclude \"./a\""}},
     KITH_ERR_INPUT,
     "b",
     3,
     9,
     "expected a file that does not include itself, found a > b > a; included by a:1, m:1"},
    {{{"m", "entity a\ninclude \"x/y\" # no\n"}},
     KITH_ERR_IO,
     "m",
     2,
     9,
     "expected a file to include, found \"x/y\": KITH_ERR_IO"},
    {{{"m", "include \"../../a\""}},
     KITH_ERR_IO,
     "m",
     1,
     9,
     "expected a file to include, found \"../../a\": KITH_ERR_IO"},
    {{{"m", "include a"}},
     KITH_ERR_INPUT,
     "m",
     1,
     9,
     "expected a path in quotes after \"include\", found \"a\""},
    {{{"m", "include \"\""}},
     KITH_ERR_INPUT,
     "m",
     1,
     9,
     "expected a path in quotes after \"include\", found the text \"\""},
    {{{"m", "include\n\"a\""}},
     KITH_ERR_INPUT,
     "m",
     2,
     1,
     "expected a path in quotes after \"include\", found the text \"a\""},
    {{{"m", "include \"a\" \"b\""}},
     KITH_ERR_INPUT,
     "m",
     1,
     13,
     "expected the end of the line, found the text \"b\""},
    {{{"m", "include \"a\"\nPosition"}, {"a", "entity"}},
     KITH_ERR_INPUT,
     "m",
     2,
     1,
     "expected \"entity\", \"prefab\", \"map\", \"resource\" or \"include\" before the first"
     " component, found \"Position\""},
    {{{"m", "entity\ninclude \"a\""}, {"a", "Position"}},
     KITH_ERR_INPUT,
     "a",
     1,
     1,
     "expected \"entity\", \"prefab\", \"map\", \"resource\" or \"include\" before the first"
     " component, found \"Position\"; included by m:2"},
    {{{"m", "entity x\ninclude \"a\""}, {"a", "\nentity x"}},
     KITH_ERR_INPUT,
     "a",
     2,
     8,
     "expected another name: \"x\" is taken in line 1 of m; included by m:2"},
    {{{"m", "include \"a\"\nentity : q"}, {"a", "prefab p : q\n\nprefab q : p"}},
     KITH_ERR_INPUT,
     "a",
     3,
     12,
     "expected a prefab that does not extend itself, found p : q : p; included by m:1"},
    {{{"m", "include \"a\"\nentity : p"}, {"a", "prefab p : x"}},
     KITH_ERR_INPUT,
     "a",
     1,
     12,
     "expected a prefab of this scene (there are p), found \"x\"; included by m:1"},
    {{{"m", "include \"a\"\nentity x\n"}, {"a", "entity\n  Target { entity = y }"}},
     KITH_ERR_INPUT,
     "a",
     2,
     21,
     "expected the name of an entity of this scene (there are x), found \"y\"; included by m:1"},
};

TEST_EACH_LAYOUT(mistakes_are_told_with_their_files, layout)
{
    fixture f = scene_fixture(layout);
    const uint64_t before = kith_world_hash(f.world);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const wrong_files *w = &wrong[i];
        kith_scene *scene = NULL;
        kith_scene_error error;
        test_note(w->message);
        CHECK_RESULT(read_files(&f, w->files, &scene, &error), w->result);
        CHECK_STR(error.message, w->message);
        CHECK_STR(error.file, w->file);
        CHECK_UINT(error.line, w->line);
        CHECK_UINT(error.column, w->column);
        CHECK_CONTAINS(kith_error(f.world), w->message);
        CHECK_PTR_NULL(scene);
        CHECK(kith_world_hash(f.world) == before);
    }
    fixture_free(&f);
}

/* From memory there is nothing that an include could be relative to. */
TEST(a_text_from_memory_includes_nothing)
{
    static const char text[] = "include \"a\"";
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene_error error;
    CHECK_RESULT(kith_scene_load(f.world, text, sizeof text - 1, NULL, &error), KITH_ERR_INPUT);
    CHECK_STR(error.message,
              "expected no \"include\" in a text without a path: read it from a file,"
              " or set `path` or `open` of kith_scene_new");
    CHECK_UINT(error.column, 9);
    fixture_free(&f);
}

static void write_file(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "wb");
    CHECK_PTR_NOT_NULL(file);
    CHECK_UINT(fwrite(text, 1, length, file), length);
    CHECK_INT(fclose(file), 0);
}

/* On the disk, and with a text of the program beside those there. */
TEST(files_include_files)
{
    static const char top[] = "include \"test_include.d/part.kith\"\nentity : p\n";
    static const char part[] =
        "prefab p\n    Health { max = 3 }\ninclude \"../test_include_2.kith\"";
    fixture f = scene_fixture(KITH_TABLE);
    remove("test_include.d/part.kith");
    rmdir("test_include.d");
    CHECK_INT(MAKE_DIRECTORY("test_include.d"), 0);
    write_file("test_include.kith", top, strlen(top));
    write_file("test_include.d/part.kith", part, strlen(part));
    write_file("test_include_2.kith", "entity z", 8);
    kith_scene *scene = NULL;
    kith_scene_error error;
    CHECK_RESULT(kith_scene_load_file(f.world, "test_include.kith", &scene, &error), KITH_OK);
    CHECK_UINT(kith_entity_count(f.world), 2);
    CHECK_STR(kith_scene_file(scene, 2), "test_include_2.kith");
    kith_scene_free(scene);
    const kith_scene_def def = {.text = top, .length = strlen(top), .path = "none.kith"};
    CHECK_RESULT(kith_scene_new(f.world, &def, &scene, &error), KITH_OK);
    kith_scene_free(scene);

    write_file("test_include_2.kith", "entity\n\0", 8);
    CHECK_RESULT(kith_scene_load_file(f.world, "test_include.kith", NULL, &error), KITH_ERR_INPUT);
    CHECK_STR(error.message, "expected text, found the byte 0x00; included by"
                             " test_include.d/part.kith:3, test_include.kith:1");
    CHECK_STR(error.file, "test_include_2.kith");
    CHECK_UINT(error.line, 2);
    CHECK_INT(remove("test_include_2.kith"), 0);
    CHECK_RESULT(kith_scene_load_file(f.world, "test_include.kith", NULL, &error), KITH_ERR_IO);
    CHECK_STR(error.message, "expected a file to include, found \"test_include_2.kith\": No such"
                             " file or directory; included by test_include.kith:1");
    CHECK_STR(error.file, "test_include.d/part.kith");
    CHECK_INT(remove("test_include.d/part.kith"), 0);
    CHECK_INT(remove("test_include.kith"), 0);
    CHECK_INT(rmdir("test_include.d"), 0);
    fixture_free(&f);
}

/* ---- Prefabs of other scenes ------------------------------------------------------------------- */

static const char cave[] = "prefab bat\n"
                           "    Health { current = 3, max = 4 }\n"
                           "    Label { text = \"a bat\" }\n"
                           "    Party { leader = king, size = 1 }\n"
                           "    Frozen\n"
                           "entity king\n";

static kith_result read_with(fixture *f, const char *text, const kith_scene *other,
                             kith_scene **scene, kith_scene_error *error)
{
    const kith_scene_library libraries[] = {{"cave", other}, {"cave2", other}};
    const kith_scene_def def = {
        .text = text, .length = strlen(text), .libraries = libraries, .library_count = 2};
    return kith_scene_new(f->world, &def, scene, error);
}

/* Copied with what they refer to and their texts, so the other scene may be gone. */
TEST_EACH_LAYOUT(prefabs_of_other_scenes_are_used, layout)
{
    fixture f = scene_fixture_with(&Label_type, layout);
    kith_scene *other = load(&f, cave);
    kith_entity king = kith_scene_find(other, "king");
    kith_scene *scene = NULL;
    CHECK_RESULT(read_with(&f,
                           "prefab big:bat from cave # \n"
                           "    Health { max = 9 }\n"
                           "    - Frozen\n"
                           "entity a : big\n"
                           "    Party { members = [a, none] }\n"
                           "    Label { more = [\"x\", \"a bat\"] }\n"
                           "entity b : bat from cave2\n"
                           "map\n"
                           "    across Position.x\n"
                           "    down Position.y\n"
                           "    'b' = bat from cave\n"
                           "    |.b|\n",
                           other, &scene, NULL),
                 KITH_OK);
    kith_scene_free(other);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    kith_entity a = kith_scene_find(scene, "a");
    kith_entity b = kith_scene_find(scene, "b");
    CHECK_INT(KITH_GET(f.world, a, Health)->current, 3);
    CHECK_INT(KITH_GET(f.world, a, Health)->max, 9);
    CHECK(!KITH_HAS(f.world, a, Frozen) && KITH_HAS(f.world, b, Frozen));
    CHECK_SAME(KITH_GET(f.world, a, Party)->leader, king);
    CHECK_SAME(KITH_GET(f.world, a, Party)->members[0], a);
    CHECK_SAME(KITH_GET(f.world, b, Party)->leader, king);
    const Label *label = KITH_GET(f.world, a, Label);
    CHECK_STR(kith_text_get(f.world, label->text, NULL), "a bat");
    CHECK_STR(kith_text_get(f.world, label->more[0], NULL), "x");
    CHECK_UINT(label->text.number, label->more[1].number);
    CHECK_FLOAT(KITH_GET(f.world, kith_scene_at(scene, 2), Position)->x, 1);
    CHECK_UINT(kith_scene_count(scene), 3);
    CHECK_PTR_NULL((void *)(uintptr_t)kith_scene_prefab(scene, "bat"));
    CHECK_SAME(kith_scene_find(scene, "king"), KITH_NONE);
    kith_scene_free(scene);
    fixture_free(&f);
}

TEST(unknown_prefabs_of_other_scenes_are_told)
{
    static const struct {
        const char *text;
        uint32_t column;
        const char *message;
    } mistakes[] = {
        {"entity : bat from cav", 19,
         "expected the name of a scene after \"from\" (did you mean cave?), found \"cav\""},
        {"entity : bta from cave", 10,
         "expected a prefab of the scene \"cave\" (did you mean bat?), found \"bta\""},
        {"entity : bat from cave x", 24, "expected the end of the line, found \"x\""},
        {"prefab a : bat", 12, "expected a prefab of this scene (there are a), found \"bat\""},
    };
    fixture f = scene_fixture_with(&Label_type, KITH_TABLE);
    kith_scene *other = load(&f, cave);
    kith_scene *scene = NULL;
    kith_scene_error error;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        CHECK_RESULT(read_with(&f, mistakes[i].text, other, &scene, &error), KITH_ERR_INPUT);
        CHECK_STR(error.message, mistakes[i].message);
        CHECK_UINT(error.column, mistakes[i].column);
    }
    CHECK_RESULT(kith_scene_load(f.world, "entity : bat from cave", 22, NULL, &error),
                 KITH_ERR_INPUT);
    CHECK_STR(error.message, "expected a prefab of this scene: the program gave no other scenes"
                             " (`libraries`), found \"cave\"");
    kith_scene_free(other);
    fixture_free(&f);
}
