/* Scenes whose entities are named and added by the program. */
#include "scenes.h"

static const char text[] = "prefab p\n    Byte\n\n"
                           "entity a\n    Target { entity = b }\n\n"
                           "entity b\n\nentity\n";

TEST_EACH_LAYOUT(entities_get_other_names, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, text);
    kith_entity a = kith_scene_find(scene, "a");
    kith_entity b = kith_scene_find(scene, "b");
    CHECK_UINT(kith_scene_index_of(scene, b), 1);
    CHECK_RESULT(kith_scene_set_name(scene, 1, "c"), KITH_OK);
    CHECK_SAME(kith_scene_find(scene, "c"), b);
    CHECK_SAME(kith_scene_find(scene, "b"), KITH_NONE);
    CHECK_RESULT(kith_scene_set_name(scene, 0, "b"), KITH_OK);
    CHECK_SAME(kith_scene_find(scene, "b"), a);
    CHECK_STR(kith_scene_name(scene, 0), "b");
    CHECK_RESULT(kith_scene_set_name(scene, 0, "b"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 2, "third.of_3"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 0, NULL), KITH_OK);
    CHECK_SAME(kith_scene_find(scene, "b"), KITH_NONE);
    CHECK_STR(kith_scene_name(scene, 0), "");
    CHECK_RESULT(kith_scene_set_name(scene, 0, "a"), KITH_OK);

    /* The next ones have the names of now, and the references of the text. */
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    CHECK(!kith_entity_equal(kith_scene_find(scene, "c"), b));
    CHECK_SAME(KITH_GET(f.world, kith_scene_find(scene, "a"), Target)->entity,
               kith_scene_find(scene, "c"));
    CHECK_UINT(kith_scene_index_of(scene, b), UINT32_MAX);
    CHECK_UINT(kith_scene_index_of(scene, KITH_NONE), UINT32_MAX);
    kith_scene_free(scene);
    fixture_free(&f);
}

TEST(what_is_not_a_name_is_refused)
{
    static const char *const wrong[] = {"7",  "a b", "none",  "a:b", "a::b", "a[1]", "a(b)",
                                        " a", "a ",  "\"a\"", "-",   "a#",   "\n"};
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, text);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        test_note(wrong[i]);
        CHECK_RESULT(kith_scene_set_name(scene, 0, wrong[i]), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(f.world), "names are of letters, digits, `_` and `.`");
    }
    CHECK_RESULT(kith_scene_set_name(scene, 3, "x"), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "no entity of that number");
    CHECK_RESULT(kith_scene_set_name(scene, 0, "b"), KITH_ERR_CONFLICT);
    CHECK_STR(kith_scene_name(scene, 0), "a");
    CHECK_STR(kith_scene_name(scene, 1), "b");
    kith_scene_free(scene);
    fixture_free(&f);
}

/* Before anything is made all names are taken; later those of the dead are free. */
TEST(a_name_of_the_dead_is_free)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(f.world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 0, "b"), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, kith_scene_at(scene, 1)), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 2, "b"), KITH_OK);
    CHECK_SAME(kith_scene_find(scene, "b"), kith_scene_at(scene, 2));
    CHECK_STR(kith_scene_name(scene, 1), "");
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    CHECK_SAME(kith_scene_find(scene, "b"), kith_scene_at(scene, 2));
    kith_scene_free(scene);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(entities_are_added, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, text);
    kith_entity one = KITH_SPAWN(f.world, KITH_VALUE(Byte, {1}));
    uint32_t index = 0;
    CHECK_RESULT(kith_scene_add(scene, one, kith_scene_prefab(scene, "p"), &index), KITH_OK);
    CHECK_UINT(index, 3);
    CHECK_UINT(kith_scene_count(scene), 4);
    CHECK_SAME(kith_scene_at(scene, 3), one);
    CHECK_STR(kith_scene_name(scene, 3), "");
    CHECK_UINT(kith_scene_place_at(scene, 3).line, 0);
    CHECK_UINT(kith_scene_place_at(scene, 4).line, 10);
    CHECK_UINT(kith_scene_index_of(scene, one), 3);
    CHECK_RESULT(kith_scene_add(scene, one, NULL, NULL), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_scene_add(scene, kith_scene_at(scene, 0), NULL, NULL), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_scene_set_name(scene, 3, "a"), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_scene_set_name(scene, 3, "one"), KITH_OK);
    CHECK_SAME(kith_scene_find(scene, "one"), one);
    CHECK_RESULT(kith_despawn(f.world, one), KITH_OK);
    CHECK_RESULT(kith_scene_add(scene, one, NULL, NULL), KITH_ERR_DEAD);

    kith_scene *other = load(&f, "prefab q\n");
    kith_entity two = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_scene_add(scene, two, kith_scene_prefab(other, "q"), NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "of a scene that is not one of the `libraries`");
    CHECK_UINT(kith_scene_count(scene), 4);
    kith_scene_free(other);

    /* What was added was of those that were made before. */
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    CHECK_UINT(kith_scene_count(scene), 3);
    CHECK_SAME(kith_scene_find(scene, "one"), KITH_NONE);
    CHECK_RESULT(kith_scene_set_name(scene, 0, "one"), KITH_OK);
    kith_scene_free(scene);
    fixture_free(&f);
}

/* Before anything of the text is made, too. */
TEST(a_scene_that_made_nothing_may_be_added_to)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(f.world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    kith_entity one = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_scene_add(scene, one, NULL, NULL), KITH_OK);
    CHECK_SAME(kith_scene_at(scene, 3), one);
    CHECK_SAME(kith_scene_at(scene, 0), KITH_NONE);
    CHECK_SAME(kith_scene_find(scene, "a"), KITH_NONE);
    kith_scene_free(scene);
    fixture_free(&f);
}
