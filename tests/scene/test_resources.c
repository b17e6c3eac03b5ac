/* Resources in scenes. */
#include <kith/kith.h>

#include "label.h"
#include "owned.h"
#include "scenes.h"

static const char text[] = "resource Health { max = 9 }\n"
                           "entity a\n"
                           "resource Target { entity = b }   # forwards\n"
                           "entity b\n"
                           "resource Big\n";

/* They are set with the entities, and refer to them. */
TEST_EACH_LAYOUT(resources_are_set, layout)
{
    fixture f = scene_fixture(layout);
    KITH_RESOURCE_SET(f.world, Health, {1, 1});
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(f.world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    CHECK_PTR_NULL((void *)(uintptr_t)KITH_RESOURCE(f.world, Target));
    CHECK_INT(KITH_RESOURCE(f.world, Health)->max, 1);
    for (int i = 0; i < 2; i++) { /* each time to those that were made */
        CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
        CHECK_INT(KITH_RESOURCE(f.world, Health)->max, 9);
        CHECK_INT(KITH_RESOURCE(f.world, Health)->current, 0);
        CHECK_SAME(KITH_RESOURCE(f.world, Target)->entity, kith_scene_find(scene, "b"));
        KITH_RESOURCE_MUT(f.world, Big)->words[7] = 1;
    }
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    CHECK_UINT(KITH_RESOURCE(f.world, Big)->words[7], 0);
    CHECK_UINT(kith_scene_count(scene), 2);
    CHECK_WORLD(f.world);
    kith_scene_free(scene);
    fixture_free(&f);
}

/* Whichever allocation fails, the world has neither entities nor resources of the scene. */
TEST(resources_are_set_with_the_entities_or_not_at_all)
{
    fixture f = scene_fixture(KITH_TABLE);
    KITH_RESOURCE_SET(f.world, Health, {1, 1});
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(f.world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    const uint64_t before = kith_world_hash(f.world);
    bool reached = true;
    uint32_t tries = 0;
    for (size_t nth = 1; reached; nth++, tries++) {
        fail_allocation(&f, nth);
        kith_result result = kith_scene_spawn(scene);
        reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK((kith_world_hash(f.world) == before) == reached);
        CHECK_WORLD(f.world);
    }
    CHECK(tries > 5);
    kith_scene_free(scene);
    fixture_free(&f);
}

/* A type of which the world has a resource is known; it need not be a component. */
TEST(a_resource_need_not_be_a_component)
{
    static const char label[] = "resource Label { text = \"x\", more = [\"y\", \"x\"] }";
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene_error error;
    CHECK_RESULT(kith_scene_load(f.world, label, sizeof label - 1, NULL, &error), KITH_ERR_INPUT);
    CHECK_STR(error.message,
              "expected the type of a resource after \"resource\" (there are Aligned,"
              " Big, Burning, Byte, Extra, Frozen, Health, Name, Padded, Party,"
              " Position, Target, Velocity), found \"Label\"");
    KITH_RESOURCE_SET(f.world, Label, {.text = {0}});
    KITH_RESOURCE_SET(f.world, Health, {1, 2});
    CHECK_RESULT(kith_scene_load(f.world, "resource Q", 10, NULL, &error), KITH_ERR_INPUT);
    CHECK_STR(error.message,
              "expected the type of a resource after \"resource\" (there are Health, Label,"
              " Aligned, Big, Burning, Byte, Extra, Frozen, Name, Padded, Party,"
              " Position, Target, Velocity), found \"Q\"");
    kith_scene_free(load(&f, label));
    const Label *value = KITH_RESOURCE(f.world, Label);
    CHECK_STR(kith_text_get(f.world, value->text, NULL), "x");
    CHECK_STR(kith_text_get(f.world, value->more[0], NULL), "y");
    fixture_free(&f);
}

TEST(wrong_resources_are_told)
{
    static const struct {
        const char *text;
        uint32_t column;
        const char *message;
    } mistakes[] = {
        {"resource", 9, "expected the type of a resource after \"resource\", found the end"},
        {"resource Frozen", 10, "expected a resource that has a value, found Frozen"},
        {"resource Healht", 10,
         "expected the type of a resource after \"resource\" (did you mean Health?), found "
         "\"Healht\""},
        {"resource Health resource Health", 17,
         "expected \"{\" or the end of the line, found \"resource\""},
        {"resource Health { x = 1 }", 19,
         "expected a field of Health (there are current, max), "
         "found \"x\""},
        {"resource Health { } Byte", 21, "expected the end of the line, found \"Byte\""},
        {"resource Owned", 10, "expected a component whose values have no hooks, found \"Owned\""},
        {"resource Target { entity = x }", 28,
         "expected the name of an entity of this scene, found"
         " \"x\""},
    };
    fixture f = scene_fixture(KITH_TABLE);
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    CHECK_RESULT(kith_register(f.world, &Owned_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_OK);
    const uint64_t before = kith_world_hash(f.world);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        kith_scene_error error;
        CHECK_RESULT(
            kith_scene_load(f.world, mistakes[i].text, strlen(mistakes[i].text), NULL, &error),
            KITH_ERR_INPUT);
        if (i == 0) {
            CHECK_CONTAINS(error.message, mistakes[i].message);
        } else {
            CHECK_STR(error.message, mistakes[i].message);
        }
        CHECK_UINT(error.column, mistakes[i].column);
        CHECK(kith_world_hash(f.world) == before);
    }
    static const char twice[] = "resource Health\n\nresource Health";
    kith_scene_error error;
    CHECK_RESULT(kith_scene_load(f.world, twice, sizeof twice - 1, NULL, &error), KITH_ERR_INPUT);
    CHECK_STR(error.message, "expected a resource once, found Health again");
    CHECK_UINT(error.line, 3);
    fixture_free(&f);
}

/* What the world became since the text was read may not take its resources: neither with another
 * struct, nor with hooks. */
TEST(resources_that_do_not_fit_any_more_are_told)
{
    static const char label[] = "entity\nresource Byte { value = 1 }\nresource Label";
    static const kith_field field = {.name = "value", .size = 8, .kind = KITH_F64};
    static const kith_type other = {
        .name = "Label", .size = 8, .align = 8, .field_count = 1, .fields = &field};
    fixture f = scene_fixture(KITH_TABLE);
    KITH_RESOURCE_SET(f.world, Label, {.text = {0}});
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(f.world, label, sizeof label - 1, &scene, NULL), KITH_OK);
    CHECK_RESULT(kith_resource_remove(f.world, &Label_type), KITH_OK);
    CHECK_RESULT(kith_resource_set(f.world, &other, NULL), KITH_OK);
    const uint64_t before = kith_world_hash(f.world);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "there is a resource 'Label' of another type");
    CHECK(kith_world_hash(f.world) == before);

    CHECK_RESULT(kith_resource_remove(f.world, &other), KITH_OK);
    const kith_hooks hooks = {0};
    CHECK_RESULT(kith_register(f.world, &Label_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_OK);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_ERR_TYPE);
    CHECK_STR(kith_error(f.world),
              "kith_scene_spawn: a text cannot make resource 'Label', whose type"
              " has hooks");
    CHECK_UINT(kith_entity_count(f.world), 0);
    CHECK_PTR_NULL((void *)(uintptr_t)KITH_RESOURCE(f.world, Byte));
    kith_scene_free(scene);
    fixture_free(&f);
}

/* A saved world has them if that is asked for. */
TEST_EACH_LAYOUT(resources_are_saved, layout)
{
    static saved_text saved;
    fixture f = scene_fixture(layout);
    fixture again = scene_fixture(layout);
    static const char some[] = "resource Health { current = 0, max = 9 }\n"
                               "resource Target { entity = b }\n"
                               "\n"
                               "entity\n"
                               "\n"
                               "entity b\n";
    kith_scene *scene = load(&f, some);
    CHECK_RESULT(
        kith_scene_save(f.world, &(kith_scene_save_def){.names = scene}, write_saved, &saved, NULL),
        KITH_OK);
    CHECK_STR(saved.bytes, "entity\n\nentity b\n");
    saved.length = 0;
    CHECK_RESULT(kith_scene_save(f.world, &(kith_scene_save_def){.names = scene, .resources = true},
                                 write_saved, &saved, NULL),
                 KITH_OK);
    CHECK_STR(saved.bytes, some);
    kith_scene_free(load(&again, saved.bytes));
    CHECK(kith_content_hash(again.world) == kith_content_hash(f.world));
    saved.length = 0;
    CHECK_RESULT(kith_despawn(f.world, kith_scene_find(scene, "b")), KITH_OK);
    kith_scene_error error;
    CHECK_RESULT(kith_scene_save(f.world, &(kith_scene_save_def){.resources = true}, write_saved,
                                 &saved, &error),
                 KITH_ERR_INPUT);
    CHECK_STR(error.message, "expected an entity that is saved in Target.entity of a resource,"
                             " found \"b\" (Entity(1v0)), which is dead; clear the field, or set"
                             " `lose_references`");
    kith_scene_free(scene);
    fixture_free(&again);
    fixture_free(&f);
}
