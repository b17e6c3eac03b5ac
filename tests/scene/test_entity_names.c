/* Names in a scene's text that become those of the world: entity_names of the definition. */
#include <kith/kith.h>
#include <kith/scene.h>
#include <string.h>

#include "components.h"
#include "test.h"

static kith_result read_named(fixture *f, const char *text, kith_scene **scene)
{
    const kith_scene_def def = {.text = text, .length = strlen(text), .entity_names = true};
    kith_scene_error error;
    const kith_result result = kith_scene_new(f->world, &def, scene, &error);
    CHECK_STR(result == KITH_OK ? "" : error.message, "");
    return result;
}

static const char fleet[] = "prefab tank\n"
                            "    child turret {\n"
                            "        child gun {\n"
                            "            Health { current = 5 }\n"
                            "        }\n"
                            "        child : wheel\n"
                            "    }\n"
                            "prefab wheel\n"
                            "entity first : tank\n"
                            "    child turret/gun {\n"
                            "        Health { current = 7 }\n"
                            "    }\n"
                            "    child hatch\n"
                            "entity second : tank\n"
                            "    child turret {\n"
                            "        EntityName { text = \"tower\" }\n"
                            "    }\n"
                            "entity : tank\n"
                            "entity v1.2\n"
                            "    EntityName { text = \"said\" }\n"
                            "entity silent\n"
                            "    - EntityName\n";

TEST(entities_are_found_by_their_names_in_the_text)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_scene *scene;
    CHECK_RESULT(read_named(&f, fleet, &scene), KITH_OK);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    const char *const pairs[][2] = {{"first", "first"},
                                    {"first/turret", "first/turret"},
                                    {"first/turret/gun", "first/turret/gun"},
                                    {"first/hatch", "first/hatch"},
                                    {"second", "second"},
                                    {"second/turret", "second/tower"},
                                    {"second/turret/gun", "second/tower/gun"},
                                    {"v1.2", "said"}};
    for (size_t i = 0; test_row(i, ROWS_OF(pairs)); i++) {
        const kith_entity e = kith_scene_find(scene, pairs[i][0]);
        CHECK(!kith_is_none(e));
        CHECK_SAME(kith_find(f.world, pairs[i][1]), e);
    }
    CHECK_INT(KITH_GET(f.world, kith_find(f.world, "first/turret/gun"), Health)->current, 7);
    CHECK_PTR_NULL(kith_name_of(f.world, kith_scene_find(scene, "silent")));
    CHECK(kith_is_none(kith_find(f.world, "v1.2")));
    CHECK(kith_is_none(kith_find(f.world, "tank"))); /* the third one has no name, */
    const kith_entity third = kith_scene_at(scene, kith_scene_index_of(
                                                       scene, kith_scene_find(scene, "v1.2")) -
                                                       4);
    CHECK_PTR_NULL(kith_name_of(f.world, third));
    CHECK(!kith_is_none(kith_find_from(f.world, third, "turret/gun"))); /* but its parts do */

    /* And what is made of a prefab. */
    const kith_entity more = KITH_SPAWN_FROM(f.world, kith_scene_prefab(scene, "tank"));
    CHECK_PTR_NULL(kith_name_of(f.world, more));
    CHECK(!kith_is_none(kith_find_from(f.world, more, "turret/gun")));
    CHECK_WORLD(f.world);
    kith_scene_free(scene);
    fixture_free(&f);
}

TEST(without_the_option_they_are_names_of_the_scene_alone)
{
    fixture f = fixture_with_all(KITH_TABLE);
    static const char text[] = "entity tank\n"
                               "    child turret\n"
                               "entity v1.2\n"
                               "    EntityName { text = \"said\" }\n";
    kith_scene *scene;
    CHECK_RESULT(kith_scene_load(f.world, text, strlen(text), &scene, NULL), KITH_OK);
    CHECK(kith_is_none(kith_find(f.world, "tank")));
    CHECK(kith_is_none(kith_find(f.world, "tank/turret")));
    CHECK(!kith_is_none(kith_scene_find(scene, "tank/turret")));
    CHECK_SAME(kith_find(f.world, "said"), kith_scene_find(scene, "v1.2"));
    kith_scene_free(scene);
    fixture_free(&f);
}

TEST(names_that_others_have_are_told_by_line)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_scene *scene;
    CHECK_RESULT(read_named(&f, fleet, &scene), KITH_OK);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    const uint64_t hash = kith_world_hash(f.world);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_ERR_CONFLICT);
    CHECK_STR(kith_error(f.world),
              "kith_scene_spawn: line 9: the name \"first\" is that of another entity without a"
              " parent; give one of them another name");
    CHECK(kith_world_hash(f.world) == hash);
    kith_scene_free(scene);

    const char *const texts[][2] = {
        {"entity a\nentity b\n    EntityName { text = \"a\" }\n", "line 2: the name \"a\" is"},
        {"entity silent\n\nentity said\n", "line 3: the name \"said\" is"},
        {"entity c\n    child x\n    child y {\n        EntityName { text = \"x\" }\n    }\n",
         "would both have the name \"x\""}};
    for (size_t i = 0; test_row(i, ROWS_OF(texts)); i++) {
        CHECK_RESULT(read_named(&f, texts[i][0], &scene), KITH_OK);
        CHECK_RESULT(kith_scene_spawn(scene), KITH_ERR_CONFLICT);
        CHECK_CONTAINS(kith_error(f.world), texts[i][1]);
        CHECK(kith_world_hash(f.world) == hash);
        CHECK_WORLD(f.world);
        kith_scene_free(scene);
    }
    fixture_free(&f);
}

static char saved[2000];

static bool keep_text(void *context, const char *bytes, size_t count)
{
    (void)context;
    strncat(saved, bytes, count);
    return true;
}

/* Saves a scene, reads that, and checks that what is read has the same names. */
static void check_read_again(const fixture *f, const kith_scene *scene)
{
    saved[0] = '\0';
    CHECK_RESULT(
        kith_scene_save(f->world, &(kith_scene_save_def){.scene = scene}, keep_text, NULL, NULL),
        KITH_OK);
    kith_scene *again;
    fixture other = fixture_with_all(KITH_TABLE);
    CHECK_RESULT(read_named(&other, saved, &again), KITH_OK);
    CHECK_RESULT(kith_scene_spawn(again), KITH_OK);
    CHECK_UINT(kith_content_hash(other.world), kith_content_hash(f->world));
    kith_scene_free(again);
    fixture_free(&other);
}

/* A name that the text does not say is written once it is another one. */
TEST(a_scene_is_saved_as_its_own_text)
{
    static const char text[] = "entity ship   # the first\n"
                               "    child mast {\n"
                               "        Health { current = 3 }\n"
                               "    }\n";
    fixture f = fixture_with_all(KITH_TABLE);
    kith_scene *scene;
    CHECK_RESULT(read_named(&f, text, &scene), KITH_OK);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    const kith_scene_save_def def = {.scene = scene};
    saved[0] = '\0';
    CHECK_RESULT(kith_scene_save(f.world, &def, keep_text, NULL, NULL), KITH_OK);
    CHECK_STR(saved, text);

    CHECK_RESULT(kith_set_name(f.world, kith_find(f.world, "ship/mast"), "pole"), KITH_OK);
    CHECK_RESULT(kith_set_name(f.world, kith_find(f.world, "ship"), NULL), KITH_OK);
    check_read_again(&f, scene);
    CHECK_CONTAINS(saved, "EntityName { text = \"pole\" }");
    CHECK_CONTAINS(saved, "- EntityName");
    kith_scene_free(scene);
    fixture_free(&f);
}

/* What the text calls an entity now is not what the world does. */
TEST(names_of_the_text_that_are_others_now_are_not_those_of_the_world)
{
    static const char text[] = "entity ship\n"
                               "    Health { current = 1 }\n"
                               "entity\n"
                               "    Health { current = 2 }\n"
                               "entity boat\n"
                               "    EntityName { text = \"said\" }\n"
                               "    child oar\n"
                               "entity raft\n"
                               "    - EntityName\n";
    fixture f = fixture_with_all(KITH_TABLE);
    kith_scene *scene;
    CHECK_RESULT(read_named(&f, text, &scene), KITH_OK);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    const kith_entity boat = kith_find(f.world, "said");

    /* The text has another name for it: the world's stays, and for a child too. */
    CHECK_RESULT(kith_scene_set_name(scene, 0, "yacht"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 3, "pole"), KITH_OK);
    check_read_again(&f, scene);
    CHECK_CONTAINS(saved, "entity yacht\n    Health { current = 1 }\n"
                          "    EntityName { text = \"ship\" }");
    CHECK_CONTAINS(saved, "child pole {\n        EntityName { text = \"oar\" }");

    /* An entity without a name gets one in the text, since something refers to it. */
    CHECK_RESULT(KITH_SET(f.world, boat, Target, {kith_scene_at(scene, 1)}), KITH_OK);
    check_read_again(&f, scene);
    CHECK_CONTAINS(saved, "entity e2\n    Health { current = 2 }\n    - EntityName");

    /* One has no name in the text any more, which `- EntityName` could take away. */
    CHECK_RESULT(kith_scene_set_name(scene, 4, NULL), KITH_OK);
    check_read_again(&f, scene);

    /* A line is gone: but then the name in the text would count. */
    CHECK_RESULT(kith_set_name(f.world, boat, NULL), KITH_OK);
    check_read_again(&f, scene);

    /* One that had no name has that of the text. */
    CHECK_RESULT(kith_scene_set_name(scene, 4, "raft"), KITH_OK);
    CHECK_RESULT(kith_set_name(f.world, kith_scene_at(scene, 4), "raft"), KITH_OK);
    check_read_again(&f, scene);

    /* What is added, under another name than the world's, and under none of the world's. */
    uint32_t added;
    for (int named = 0; named < 2; named++) {
        const kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Health, {3 + named, 0}));
        CHECK_RESULT(kith_set_name(f.world, e, named ? "buoy" : NULL), KITH_OK);
        CHECK_RESULT(kith_scene_add(scene, e, NULL, &added), KITH_OK);
        CHECK_RESULT(kith_scene_set_name(scene, added, named ? "float" : "cask"), KITH_OK);
        check_read_again(&f, scene);
    }
    kith_scene_free(scene);
    fixture_free(&f);
}

/* A line EntityName without a text means the name in the text, whichever that is when it is read. */
TEST(lines_without_a_text_mean_the_name_in_the_text)
{
    static const char text[] = "entity ship\n"
                               "    EntityName\n"
                               "    child oar {\n"
                               "        EntityName { }\n"
                               "    }\n"
                               "entity raft\n"
                               "    EntityName   # as it is called\n";
    fixture f = fixture_with_all(KITH_TABLE);
    kith_scene *scene;
    CHECK_RESULT(read_named(&f, text, &scene), KITH_OK);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    check_read_again(&f, scene);
    CHECK_STR(saved, text);

    /* The text has other names for them: the world's stay. */
    CHECK_RESULT(kith_scene_set_name(scene, 0, "yacht"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 1, "pole"), KITH_OK);
    check_read_again(&f, scene);
    CHECK_CONTAINS(saved, "entity yacht\n    EntityName { text = \"ship\" }\n"
                          "    child pole {\n        EntityName { text = \"oar\" }\n");

    /* One has no name in the text any more. */
    CHECK_RESULT(kith_scene_set_name(scene, 2, NULL), KITH_OK);
    check_read_again(&f, scene);
    CHECK_CONTAINS(saved, "entity\n    EntityName { text = \"raft\" }   # as it is called\n");

    /* Both have other names, but the same ones. */
    CHECK_RESULT(kith_set_name(f.world, kith_scene_at(scene, 0), "yacht"), KITH_OK);
    CHECK_RESULT(kith_set_name(f.world, kith_scene_at(scene, 1), "pole"), KITH_OK);
    check_read_again(&f, scene);
    CHECK_CONTAINS(saved, "entity yacht\n    EntityName\n"
                          "    child pole {\n        EntityName { }\n");

    /* None in the world. */
    CHECK_RESULT(kith_set_name(f.world, kith_scene_at(scene, 0), NULL), KITH_OK);
    CHECK_RESULT(kith_set_name(f.world, kith_scene_at(scene, 2), NULL), KITH_OK);
    check_read_again(&f, scene);
    kith_scene_free(scene);
    fixture_free(&f);
}

TEST(named_scenes_survive_every_allocation_failure)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_all(KITH_TABLE);
        kith_scene *scene = NULL;
        const kith_scene_def def = {
            .text = fleet, .length = strlen(fleet), .entity_names = true};
        fail_allocation(&f, nth);
        kith_result result = kith_scene_new(f.world, &def, &scene, NULL);
        result = result == KITH_OK ? kith_scene_spawn(scene) : result;
        const kith_result twice = result == KITH_OK ? kith_scene_spawn(scene) : result;
        const bool reached = fail_nothing(&f);
        CHECK_RESULT(result, result == KITH_OK ? KITH_OK : KITH_ERR_MEMORY);
        CHECK(twice == KITH_ERR_CONFLICT || (reached && twice == KITH_ERR_MEMORY));
        CHECK_INT(kith_is_none(kith_find(f.world, "first/turret/gun")), result != KITH_OK);
        CHECK_WORLD(f.world);
        kith_scene_free(scene);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}
