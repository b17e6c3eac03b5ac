/* Texts of scenes that are saved: what cannot be said, several files, other scenes, want of memory. */
#include <kith/kith.h>
#include <stdio.h>

#include "owned.h"
#include "scenes.h"

static saved_text saved;

static kith_result keep(fixture *f, const kith_scene_save_def *def, kith_scene_error *error)
{
    saved.length = 0;
    saved.bytes[0] = '\0';
    return kith_scene_save(f->world, def, write_saved, &saved, error);
}

/* ---- What cannot be said ----------------------------------------------------------------------- */

static const char pair[] = "prefab p\n    Target { entity = b } # b\nentity a : p\n"
                           "    Party { members = [a, b] }\n\nentity b\n";

TEST_EACH_LAYOUT(references_to_the_dead_are_told, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, pair);
    kith_scene_save_def def = {.scene = scene};
    kith_scene_error error;
    kith_entity a = kith_scene_find(scene, "a");
    CHECK_RESULT(kith_despawn(f.world, kith_scene_find(scene, "b")), KITH_OK);
    CHECK_RESULT(keep(&f, &def, &error), KITH_ERR_INPUT);
    CHECK_STR(error.message,
              "expected an entity that is saved in Target.entity, found \"b\", which is dead or has"
              " no name; give that name to another one, or set `lose_references`");
    CHECK_UINT(error.line, 2);
    CHECK_UINT(error.column, 23);
    CHECK_UINT(saved.length, 0);
    kith_scene *without = load(&f, "entity a\n  Target { entity = b }\nentity b");
    CHECK_RESULT(kith_despawn(f.world, kith_scene_find(without, "b")), KITH_OK);
    CHECK_RESULT(keep(&f, &(kith_scene_save_def){.scene = without}, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message, "expected an entity that is saved in Target.entity of \"a\" (");
    CHECK_CONTAINS(error.message, "), found \"b\" (");
    CHECK_CONTAINS(error.message, "), which is dead; clear the field, or set `lose_references`");
    CHECK_UINT(error.line, 0);
    kith_scene_free(without);

    def.lose_references = true;
    CHECK_RESULT(keep(&f, &def, &error), KITH_OK);
    CHECK_STR(saved.bytes, "prefab p\n    Target { entity = none } # b\nentity a : p\n"
                           "    Party { members = [a, none] }\n    Target { entity = none }\n");
    def.lose_references = false;
    KITH_SET(f.world, a, Target, {KITH_NONE});
    KITH_SET(f.world, a, Party, {.members = {a}});
    kith_entity other = kith_spawn_empty(f.world); /* the prefab's b, from now on */
    CHECK_RESULT(kith_scene_add(scene, other, NULL, NULL), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 2, "b"), KITH_OK);
    CHECK_RESULT(keep(&f, &def, &error), KITH_OK);
    CHECK_STR(saved.bytes, "prefab p\n    Target { entity = b } # b\nentity a : p\n"
                           "    Party { members = [a, none] }\n    Target { entity = none }\n"
                           "\nentity b\n");
    kith_scene_free(scene);
    fixture_free(&f);
}

/* One that is alive, and of the world, but not of the scene. */
TEST(references_to_others_are_told)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, "entity a\n    Target\nresource Target\n");
    kith_scene_save_def def = {.scene = scene};
    kith_scene_error error;
    kith_entity other = kith_spawn_empty(f.world);
    KITH_SET(f.world, kith_scene_at(scene, 0), Target, {other});
    CHECK_RESULT(keep(&f, &def, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message, "found Entity(1v0), which is not among them; save that one too");
    KITH_SET(f.world, kith_scene_at(scene, 0), Target, {kith_scene_at(scene, 0)});
    KITH_RESOURCE_SET(f.world, Target, {other});
    CHECK_RESULT(keep(&f, &def, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message, "Target.entity of a resource, found Entity(1v0)");
    def.lose_references = true;
    CHECK_RESULT(keep(&f, &def, &error), KITH_OK);
    CHECK_STR(saved.bytes,
              "entity a\n    Target { entity = a }\nresource Target { entity = none }\n");
    kith_scene_free(scene);
    fixture_free(&f);
}

/* Children of two parents may have the same name; without their parents the text cannot have both. */
TEST(names_of_entities_without_their_parents_are_told)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, "entity a\n    EntityName { text = \"ann\" }\nentity b\n");
    kith_scene_save_def def = {.scene = scene, .lose_references = true};
    kith_scene_error error;
    kith_entity outside = kith_spawn_empty(f.world);
    kith_entity a = kith_scene_find(scene, "a");
    kith_entity b = kith_scene_find(scene, "b");
    CHECK_RESULT(kith_set_parent(f.world, b, outside), KITH_OK);
    CHECK_RESULT(kith_set_name(f.world, b, "ann"), KITH_OK);
    CHECK_RESULT(keep(&f, &def, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message, "expected other names for entities whose parents are not saved,"
                                  " found \"ann\" twice, of \"a\" (");
    CHECK_UINT(saved.length, 0);

    CHECK_RESULT(kith_set_parent(f.world, b, a), KITH_OK); /* it is in the text, by a line */
    CHECK_RESULT(keep(&f, &def, &error), KITH_OK);
    fixture other = scene_fixture(KITH_TABLE);
    kith_scene_free(load(&other, saved.bytes));
    CHECK(!kith_is_none(kith_find(other.world, "ann/ann")));
    fixture_free(&other);
    kith_scene_free(scene);
    fixture_free(&f);
}

/* A path goes through the root, which has no name in the text yet. */
TEST_EACH_LAYOUT(what_is_added_names_the_root_of_a_child, layout)
{
    static const char text[] = "prefab p\n    child k {\n        child l\n    }\nentity : p\n";
    for (uint32_t deeper = 0; deeper < 2; deeper++) {
        fixture f = scene_fixture(layout);
        kith_scene *scene = load(&f, text);
        kith_scene_error error;
        kith_entity child = kith_child_first(f.world, kith_scene_at(scene, 0));
        child = deeper != 0 ? kith_child_first(f.world, child) : child;
        kith_entity added = KITH_SPAWN(f.world, KITH_VALUE(Target, {child}));
        CHECK_RESULT(kith_scene_add(scene, added, NULL, NULL), KITH_OK);
        CHECK_RESULT(keep(&f, &(kith_scene_save_def){.scene = scene}, &error), KITH_OK);
        CHECK_CONTAINS(saved.bytes, "\nentity e1 : p\n");
        CHECK_CONTAINS(saved.bytes, deeper != 0 ? "Target { entity = e1/k/l }\n"
                                                : "Target { entity = e1/k }\n");
        fixture other = scene_fixture(layout);
        kith_scene_free(load(&other, saved.bytes));
        CHECK_UINT(kith_entity_count(other.world), 4);
        fixture_free(&other);
        kith_scene_free(scene);
        fixture_free(&f);
    }
}

TEST(values_with_hooks_are_told)
{
    fixture f = scene_fixture(KITH_TABLE);
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    CHECK_RESULT(kith_register(f.world, &Owned_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_OK);
    kith_scene *scene = load(&f, "entity a\n");
    CHECK_RESULT(KITH_ADD(f.world, kith_scene_at(scene, 0), Owned), KITH_OK);
    kith_scene_error error;
    CHECK_RESULT(keep(&f, &(kith_scene_save_def){.scene = scene}, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message, "found Owned of \"a\" (Entity(0v0)), whose values have hooks");
    kith_scene_free(scene);
    fixture_free(&f);
    CHECK_UINT(record.live, 0);
}

/* ---- Several files ----------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    CHECK_PTR_NOT_NULL(file);
    CHECK_UINT(fwrite(text, 1, strlen(text), file), strlen(text));
    CHECK_INT(fclose(file), 0);
}

/* Each file gets what changed in it. */
TEST_EACH_LAYOUT(included_files_are_saved, layout)
{
    static const char top[] = "include \"test_keep_2.kith\" # here\n\nentity a : p\n";
    static const char part[] =
        "prefab p\n    Target { entity = a }\n\nentity b\n    Byte\nmap\n"
        "    across Position.x\n    down Position.y\n    'p' = p\n    |pp|\n";
    fixture f = scene_fixture(layout);
    write_file("test_keep.kith", top);
    write_file("test_keep_2.kith", part);
    kith_scene *scene = NULL;
    kith_scene_error error;
    CHECK_RESULT(kith_scene_load_file(f.world, "test_keep.kith", &scene, &error), KITH_OK);
    CHECK_RESULT(keep(&f, &(kith_scene_save_def){.scene = scene}, &error), KITH_OK);
    CHECK_STR(saved.bytes, top);
    CHECK_RESULT(keep(&f, &(kith_scene_save_def){.scene = scene, .file = 1}, &error), KITH_OK);
    CHECK_STR(saved.bytes, part);
    KITH_SET(f.world, kith_scene_find(scene, "b"), Byte, {5});
    KITH_SET(f.world, kith_scene_at(scene, 2), Byte, {6});
    CHECK_RESULT(kith_scene_set_name(scene, 3, "A"), KITH_OK);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_RESULT(kith_scene_save_file(f.world,
                                          &(kith_scene_save_def){.scene = scene, .file = i},
                                          kith_scene_file(scene, i), &error),
                     KITH_OK);
    }
    kith_scene *again = NULL;
    fixture g = scene_fixture(layout);
    CHECK_RESULT(kith_scene_load_file(g.world, "test_keep.kith", &again, &error), KITH_OK);
    CHECK_RESULT(keep(&g, &(kith_scene_save_def){.scene = again}, &error), KITH_OK);
    CHECK_STR(saved.bytes, "include \"test_keep_2.kith\" # here\n\nentity A : p\n");
    CHECK_RESULT(keep(&g, &(kith_scene_save_def){.scene = again, .file = 1}, &error), KITH_OK);
    CHECK_STR(saved.bytes,
              "prefab p\n    Target { entity = A }\n\nentity b\n    Byte { value = 5 }\nmap\n"
              "    across Position.x\n    down Position.y\n    'p' = p\n    |p |\n"
              "\nentity : p\n    Byte { value = 6 }\n    Position { x = 1, y = 0 }\n");
    CHECK(kith_content_hash(f.world) == kith_content_hash(g.world));
    /* What only a prefab in the second file refers to needs a name in the first, too. */
    CHECK_RESULT(kith_scene_set_name(again, 3, NULL), KITH_OK);
    CHECK_RESULT(keep(&g, &(kith_scene_save_def){.scene = again}, &error), KITH_OK);
    CHECK_CONTAINS(saved.bytes, "\nentity e4 : p\n");
    CHECK_RESULT(keep(&g, &(kith_scene_save_def){.scene = again, .file = 1}, &error), KITH_OK);
    CHECK_CONTAINS(saved.bytes, "Target { entity = e4 }");
    /* A name of the dead is told where it is: in the second file. */
    CHECK_RESULT(kith_despawn(g.world, kith_scene_at(again, 3)), KITH_OK);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_RESULT(keep(&g, &(kith_scene_save_def){.scene = again, .file = i}, &error),
                     KITH_ERR_INPUT);
        CHECK_STR(error.file, "test_keep_2.kith");
        CHECK_UINT(error.line, 2);
    }
    kith_scene_free(again);
    fixture_free(&g);
    CHECK_INT(remove("test_keep.kith"), 0);
    CHECK_INT(remove("test_keep_2.kith"), 0);
    kith_scene_free(scene);
    fixture_free(&f);
}

/* ---- Prefabs of other scenes ------------------------------------------------------------------- */

static kith_scene *load_with(fixture *f, const char *text, const kith_scene *other)
{
    const kith_scene_library library = {"cave", other};
    const kith_scene_def def = {
        .text = text, .length = strlen(text), .libraries = &library, .library_count = 1};
    kith_scene *scene = NULL;
    kith_scene_error error = {.message = ""};
    kith_scene_new(f->world, &def, &scene, &error);
    CHECK_STR(error.message, "");
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    return scene;
}

/* Their references to their own scene stay unsaid, and what is added may be of them. */
TEST_EACH_LAYOUT(prefabs_of_other_scenes_are_kept, layout)
{
    static const char text[] = "entity a : bat from cave # a bat\n    Byte\n\n"
                               "entity b:bat from cave\nmap\n  across Position.x\n"
                               "  down Position.y\n  'b' = bat from cave\n  |b|\n";
    fixture f = scene_fixture(layout);
    kith_scene *cave = load(&f, "prefab bat\n    Health { max = 4 }\n"
                                "    Target { entity = king }\nentity king\n");
    kith_scene *scene = load_with(&f, text, cave);
    const kith_scene_save_def def = {.scene = scene};
    kith_scene_error error = {.message = ""};
    CHECK_RESULT(keep(&f, &def, &error), KITH_OK);
    CHECK_STR(saved.bytes, text);

    kith_entity more;
    const kith_prefab *bat = kith_scene_prefab(cave, "bat");
    CHECK_RESULT(kith_prefab_spawn(bat, NULL, 0, &more), KITH_OK);
    CHECK_RESULT(kith_scene_add(scene, more, bat, NULL), KITH_OK);
    KITH_SET(f.world, more, Health, {1, 4});
    KITH_SET(f.world, kith_scene_find(scene, "b"), Target, {more});
    KITH_ADD(f.world, kith_scene_at(scene, 2), Frozen);
    kith_scene_free(cave);
    CHECK_RESULT(keep(&f, &def, &error), KITH_OK);
    CHECK_STR(saved.bytes,
              "entity a : bat from cave # a bat\n    Byte\n\n"
              "entity b:bat from cave\n    Target { entity = e4 }\nmap\n  across Position.x\n"
              "  down Position.y\n  'b' = bat from cave\n  | |\n"
              "\nentity : bat from cave\n    Frozen\n    Position { x = 0, y = 0 }\n"
              "\nentity e4 : bat from cave\n    Health { current = 1 }\n");
    kith_scene_free(scene);
    fixture_free(&f);
}

/* ---- A scene that made nothing ----------------------------------------------------------------- */

TEST(names_are_saved_before_anything_is_made)
{
    static const char text[] = "prefab p\n  Target { entity = a }\nentity a : p\n"
                               "  Party { leader = a }\nentity\nresource Byte { value = 3 }\n";
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(f.world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    const kith_scene_save_def def = {.scene = scene};
    kith_scene_error error = {.message = ""};
    CHECK_RESULT(kith_scene_set_name(scene, 0, "e1"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 1, "x"), KITH_OK);
    kith_entity self = kith_spawn_empty(f.world);
    KITH_SET(f.world, self, Target, {self});
    CHECK_RESULT(kith_scene_add(scene, self, NULL, NULL), KITH_OK);
    CHECK_RESULT(keep(&f, &def, &error), KITH_OK);
    CHECK_STR(saved.bytes, "prefab p\n  Target { entity = e1 }\nentity e1 : p\n"
                           "  Party { leader = e1 }\nentity x\nresource Byte { value = 3 }\n"
                           "\nentity e1_\n    Target { entity = e1_ }\n");
    CHECK_RESULT(kith_scene_set_name(scene, 0, ""), KITH_OK);
    CHECK_RESULT(keep(&f, &def, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message, "found \"a\", which is dead or has no name");
    kith_scene_free(scene);
    fixture_free(&f);
}

/* ---- Failures ---------------------------------------------------------------------------------- */

static const char some_of_all[] = "prefab p\n    Byte\n    Health { max = 2 }\n"
                                  "resource Target { entity = a }\n"
                                  "entity a : p\n    Party { leader = b }\n    - Byte\n"
                                  "entity b\n    Name { text = \"b\" }\n    Position\nentity c\n"
                                  "map\n    across Position.x\n    down Position.y\n"
                                  "    'p' = p\n    |pp|";

static kith_scene *change_some(fixture *f)
{
    kith_scene *scene = load(f, some_of_all);
    kith_entity a = kith_scene_find(scene, "a");
    kith_entity b = kith_scene_find(scene, "b");
    KITH_SET(f->world, a, Health, {1, 2});
    KITH_SET(f->world, a, Byte, {1});
    KITH_SET(f->world, b, Name, {"more"});
    KITH_SET(f->world, b, Position, {1, 2});
    KITH_ADD(f->world, kith_scene_at(scene, 3), Frozen);
    KITH_RESOURCE_SET(f->world, Target, {b});
    CHECK_RESULT(kith_despawn(f->world, kith_scene_find(scene, "c")), KITH_OK);
    kith_entity more = KITH_SPAWN(f->world, KITH_VALUE(Target, {b}));
    CHECK_RESULT(kith_scene_add(scene, more, kith_scene_prefab(scene, "p"), NULL), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 1, "bb"), KITH_OK);
    return scene;
}

static const char changed_some[] =
    "prefab p\n    Byte\n    Health { max = 2 }\n"
    "resource Target { entity = bb }\n"
    "entity a : p\n    Party { leader = bb }\n    Byte { value = 1 }\n    Health { current = 1 }\n"
    "entity bb\n    Name { text = \"more\" }\n    Position { x = 1, y = 2 }\n"
    "map\n    across Position.x\n    down Position.y\n    'p' = p\n    | p|\n"
    "\nentity : p\n    Frozen\n    Position { x = 0, y = 0 }\n"
    "\nentity : p\n    Target { entity = bb }\n    - Byte\n    - Health\n";

/* Whichever allocation fails, that is told, and world and scene are as they were. */
TEST(want_of_memory_for_a_text_is_told)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = change_some(&f);
    const kith_scene_save_def def = {.scene = scene};
    const uint64_t before = kith_world_hash(f.world);
    bool reached = true;
    size_t tries = 0;
    for (size_t nth = 1; reached; nth++, tries++) {
        fail_allocation(&f, nth);
        kith_scene_error error = {.message = ""};
        kith_result result = keep(&f, &def, &error);
        reached = fail_nothing(&f);
        CHECK_STR(error.message, reached ? "the memory ran out" : "");
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_STR(saved.bytes, reached ? "" : changed_some);
        CHECK(kith_world_hash(f.world) == before);
    }
    CHECK(tries > 10);
    kith_scene_free(scene);
    fixture_free(&f);
}

TEST(a_writer_of_a_text_that_fails_is_told)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = change_some(&f);
    kith_scene_error error;
    saved.most = 20;
    kith_result result = keep(&f, &(kith_scene_save_def){.scene = scene}, &error);
    saved.most = 0;
    CHECK_RESULT(result, KITH_ERR_IO);
    CHECK_STR(error.message, "the text could not be written");
    CHECK_UINT(saved.length, 0);
    kith_scene_free(scene);
    fixture_free(&f);
}
