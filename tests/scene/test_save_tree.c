/* Worlds with relations and children, saved as text and as the text that they were read from. */
#include <stdio.h>

#include "trees.h"

static saved_text saved;

static void save(kith_world *world, const kith_scene_save_def *def)
{
    kith_scene_error error = {.message = ""};
    saved.length = 0;
    saved.bytes[0] = '\0';
    kith_result result = kith_scene_save(world, def, write_saved, &saved, &error);
    CHECK_STR(error.message, "");
    CHECK_RESULT(result, KITH_OK);
}

/* Saves what a text says, and what that says. */
static void check_saved(const char *text, const char *expected, kith_layout layout)
{
    static char once[sizeof saved.bytes];
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, text);
    save(f.world, &(kith_scene_save_def){.names = scene});
    CHECK_STR(saved.bytes, expected);
    memcpy(once, saved.bytes, saved.length + 1);
    scene_end(&f, scene);
    f = tree_fixture(layout);
    scene = load(&f, once);
    save(f.world, &(kith_scene_save_def){.names = scene});
    CHECK_STR(saved.bytes, once);
    scene_end(&f, scene);
}

TEST_EACH_LAYOUT(children_are_saved_in_their_parent, layout)
{
    check_saved("prefab turret\n child gun { }\n child : shell\nprefab shell\n Frozen\n"
                "entity a\n Position { x = 1 }\n Target { entity = a/b/gun }\n"
                " child b : turret {\n Health\n child c {\n Target { entity = a }\n }\n }\n"
                " child\n child {\n Target { entity = b }\n }\n"
                "entity last\n Follows { target = a/b }\n",
                "entity a\n"
                "    Position { x = 1, y = 0 }\n"
                "    Target { entity = a/b/gun }\n"
                "    child b {\n"
                "        Health { current = 0, max = 0 }\n"
                "        child gun\n"
                "        child {\n"
                "            Frozen\n"
                "        }\n"
                "        child c {\n"
                "            Target { entity = a }\n"
                "        }\n"
                "    }\n"
                "    child\n"
                "    child {\n"
                "        Target { entity = a/b }\n"
                "    }\n"
                "\n"
                "entity last\n"
                "    Follows { target = a/b, distance = 0 }\n",
                layout);
}

/* Children are in their order, whatever their slots are; parents are named if a child is referred to;
 * names that are not unique any more go. */
TEST_EACH_LAYOUT(children_are_saved_in_their_order, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, "entity a\n child x\nentity b\n child x\n"
                                 "entity c\n Target { entity = d }\nentity d\n child\n");
    kith_entity a = kith_scene_find(scene, "a");
    kith_entity b = kith_scene_find(scene, "b");
    kith_entity ax = kith_scene_find(scene, "a/x");
    kith_entity bx = kith_scene_find(scene, "b/x");
    kith_entity c = kith_scene_find(scene, "c");
    kith_entity d = kith_scene_find(scene, "d");
    CHECK_RESULT(kith_set_parent(f.world, ax, b), KITH_OK);
    CHECK_RESULT(kith_insert_child(f.world, c, bx), KITH_OK);
    CHECK_RESULT(kith_set_parent(f.world, b, d), KITH_OK);
    KITH_SET(f.world, a, Target, {ax});
    KITH_SET(f.world, ax, Follows, {kith_child_first(f.world, d), 2});
    save(f.world, &(kith_scene_save_def){.names = scene});
    CHECK_STR(saved.bytes, "entity a\n"
                           "    Target { entity = d/b/x }\n"
                           "\n"
                           "entity d\n"
                           "    child e7\n"
                           "    child b {\n"
                           "        child c {\n"
                           "            Target { entity = d }\n"
                           "        }\n"
                           "        child\n"
                           "        child x {\n"
                           "            Follows { target = d/e7, distance = 2 }\n"
                           "        }\n"
                           "    }\n");
    scene_end(&f, scene);
}

TEST_EACH_LAYOUT(what_is_not_saved_is_no_target, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, "entity a\n Frozen\n child b {\n child c {\n Frozen\n }\n }\n"
                                 " child d {\n Frozen\n Follows { target = a/b }\n }\n");
    kith_query *query = KITH_QUERY(f.world, KITH_WITH(Frozen));
    kith_scene_save_def def = {.query = query, .names = scene};
    kith_scene_error error;
    saved.length = 0;
    CHECK_RESULT(kith_scene_save(f.world, &def, write_saved, &saved, &error), KITH_ERR_INPUT);
    CHECK_PTR_NOT_NULL(strstr(error.message, "expected an entity that is saved in ChildOf.target"));
    def.lose_references = true;
    save(f.world, &def);
    CHECK_STR(saved.bytes, "entity a\n    Frozen\n    child d {\n        Frozen\n    }\n\n"
                           "entity c\n    Frozen\n");
    scene_end(&f, scene);
}
