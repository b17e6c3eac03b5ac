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

/* Without their parents, two children of one name would be siblings. */
TEST_EACH_LAYOUT(names_that_only_parents_tell_apart_are_not_saved_alone, layout)
{
    fixture f = tree_fixture(layout);
    kith_entity guns[2];
    for (uint32_t i = 0; i < 2; i++) {
        const kith_entity ship = kith_spawn_empty(f.world);
        guns[i] = KITH_SPAWN(f.world, KITH_VALUE(Health, {.max = (int32_t)i}));
        CHECK_RESULT(kith_set_parent(f.world, guns[i], ship), KITH_OK);
        CHECK_RESULT(kith_set_name(f.world, guns[i], "gun"), KITH_OK);
    }
    kith_query *query = KITH_QUERY(f.world, KITH_WITH(Health));
    const kith_scene_save_def def = {.query = query, .lose_references = true};
    kith_scene_error error;
    saved.length = 0;
    CHECK_RESULT(kith_scene_save(f.world, &def, write_saved, &saved, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message, "found \"gun\" twice, of ");
    CHECK_UINT(saved.length, 0);
    CHECK_RESULT(kith_set_name(f.world, guns[1], "turret"), KITH_OK);
    save(f.world, &def);
    CHECK_RESULT(kith_set_name(f.world, guns[1], "gun"), KITH_OK);
    save(f.world, &(kith_scene_save_def){.lose_references = true});
    fixture other = tree_fixture(layout);
    CHECK_RESULT(kith_scene_load(other.world, saved.bytes, saved.length, NULL, &error), KITH_OK);
    CHECK_UINT(kith_entity_count(other.world), 4);
    fixture_free(&other);
    fixture_free(&f);
}

/* ---- As its text ----------------------------------------------------------------------------- */

static const char kept[] = "# A tank.\n"
                           "entity tank : base        # one\n"
                           "    Position { x = 1 }\n"
                           "    Target { entity = turret/gun }\n"
                           "    child turret : turret {\n"
                           "        # It turns.\n"
                           "        Health { max = 5 }\n"
                           "        child flag\n"
                           "        child lamp { }   # bright\n"
                           "    }\n"
                           "    child turret/gun {\n"
                           "        Health { max = 6 }\n"
                           "    }\n"
                           "    child crew {\n"
                           "        Target { entity = turret }\n"
                           "    }\n"
                           "    - child engine/pump\n"
                           "\n"
                           "prefab base\n"
                           "    child engine {\n"
                           "        Health { max = 1 }\n"
                           "        child pump\n"
                           "        child tap\n"
                           "    }\n"
                           "prefab turret\n"
                           "    child gun {\n"
                           "        Target { entity = turret }\n"
                           "    }\n"
                           "# The last.\n"
                           "entity\n"
                           "    Follows { target = tank/crew }\n"
                           "    Target { entity = tank/turret/gun }\n"
                           "    child\n";

typedef struct kept_tree {
    fixture f;
    kith_scene *scene;
    kith_entity tank, turret, gun, flag, lamp, crew, engine, tap, last;
} kept_tree;

static kept_tree kept_new(kith_layout layout)
{
    kept_tree t = {.f = tree_fixture(layout)};
    t.scene = load(&t.f, kept);
    t.tank = kith_scene_find(t.scene, "tank");
    t.turret = kith_scene_find(t.scene, "tank/turret");
    t.gun = kith_scene_find(t.scene, "tank/turret/gun");
    t.flag = kith_scene_find(t.scene, "tank/turret/flag");
    t.lamp = kith_scene_find(t.scene, "tank/turret/lamp");
    t.crew = kith_scene_find(t.scene, "tank/crew");
    t.engine = kith_scene_find(t.scene, "tank/engine");
    t.tap = kith_scene_find(t.scene, "tank/engine/tap");
    t.last = kith_scene_at(
        t.scene, kith_scene_index_of(t.scene, kith_source_first(t.f.world, t.crew, &Follows_type)));
    return t;
}

/* Replaces what is there once. */
static void replace(char *text, const char *from, const char *to)
{
    static char after[sizeof saved.bytes];
    char *at = strstr(text, from);
    CHECK_PTR_NOT_NULL(at);
    snprintf(after, sizeof after, "%s", at + strlen(from));
    memcpy(at, to, strlen(to) + 1);
    strcat(at, after);
}

/* Saves, compares, loads, and saves a world of both: they are the same. Parents and children in order,
 * that is, for the slots may be others. */
static void kept_end(kept_tree *t, const char *expected, kith_layout layout)
{
    static char once[sizeof saved.bytes];
    save(t->f.world, &(kith_scene_save_def){.scene = t->scene});
    CHECK_STR(saved.bytes, expected);
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, saved.bytes);
    CHECK_UINT(kith_entity_count(f.world), kith_entity_count(t->f.world));
    uint32_t linked[2] = {0};
    const kith_world *worlds[2] = {f.world, t->f.world};
    for (int i = 0; i < 2; i++) {
        for (kith_entity e = kith_entity_next(worlds[i], KITH_NONE); !kith_is_none(e);
             e = kith_entity_next(worlds[i], e)) {
            linked[i] =
                linked[i] + kith_child_count(worlds[i], e) * (1 + kith_depth(worlds[i], e) * 7);
        }
    }
    CHECK_UINT(linked[0], linked[1]);
    save(f.world, &(kith_scene_save_def){.scene = scene});
    memcpy(once, saved.bytes, saved.length + 1);
    CHECK_STR(once, expected);
    scene_end(&f, scene);
    scene_end(&t->f, t->scene);
}

TEST_EACH_LAYOUT(a_text_with_children_that_did_not_change_is_the_same, layout)
{
    kept_tree t = kept_new(layout);
    CHECK_UINT(kith_scene_count(t.scene), 10);
    kept_end(&t, kept, layout);
    fixture f = tree_fixture(layout);
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(f.world, kept, sizeof kept - 1, &scene, NULL), KITH_OK);
    save(f.world, &(kith_scene_save_def){.scene = scene});
    CHECK_STR(saved.bytes, kept);
    scene_end(&f, scene);
}

TEST_EACH_LAYOUT(values_of_children_are_changed_in_their_lines, layout)
{
    static char expected[sizeof saved.bytes];
    kept_tree t = kept_new(layout);
    KITH_SET(t.f.world, t.turret, Health, {2, 5});
    KITH_SET(t.f.world, t.gun, Position, {7, 8});
    KITH_ADD(t.f.world, t.flag, Frozen);
    KITH_SET(t.f.world, t.lamp, Health, {1, 1});
    KITH_SET(t.f.world, t.engine, Health, {0, 2});
    KITH_REMOVE(t.f.world, t.crew, Target);
    strcpy(expected, kept);
    replace(expected, "Health { max = 5 }", "Health { max = 5, current = 2 }");
    replace(expected, "Health { max = 6 }\n",
            "Health { max = 6 }\n        Position { x = 7, y = 8 }\n");
    replace(expected, "child flag\n", "child flag {\n            Frozen\n        }\n");
    replace(expected, "child lamp { }",
            "child lamp { \n            Health { current = 1, max = 1 }\n        }");
    replace(expected, "        Target { entity = turret }\n    }\n    - ", "    }\n    - ");
    replace(expected, "pump\n\n",
            "pump\n    child engine {\n        Health { max = 2 }\n    }\n\n");
    kept_end(&t, expected, layout);
}

TEST_EACH_LAYOUT(children_that_die_are_gone, layout)
{
    static char expected[sizeof saved.bytes];
    kept_tree t = kept_new(layout);
    KITH_SET(t.f.world, t.tank, Target, {t.crew});
    KITH_SET(t.f.world, t.last, Target, {t.tank});
    KITH_DESPAWN(t.f.world, t.gun);
    KITH_DESPAWN(t.f.world, t.flag);
    KITH_DESPAWN(t.f.world, t.engine);
    strcpy(expected, kept);
    replace(expected, "entity = turret/gun", "entity = tank/crew");
    replace(expected, "entity = tank/turret/gun", "entity = tank");
    replace(expected, "        child flag\n", "");
    replace(expected, "child turret/gun {\n        Health { max = 6 }\n    }",
            "- child turret/gun");
    replace(expected, "pump\n\n", "pump\n    - child engine\n\n");
    kept_end(&t, expected, layout);
    t = kept_new(layout);
    KITH_REMOVE(t.f.world, t.last, Target);
    KITH_DESPAWN(t.f.world, t.tank);
    save(t.f.world, &(kith_scene_save_def){.scene = t.scene});
    CHECK_PTR_NULL(strstr(saved.bytes, "tank"));
    CHECK_PTR_NOT_NULL(strstr(saved.bytes, "prefab base"));
    scene_end(&t.f, t.scene);
}

/* A child that dies, or gets another parent, takes the line about what it does not inherit with it. */
TEST_EACH_LAYOUT(lines_of_what_is_not_inherited_end_with_their_child, layout)
{
    static const char text[] = "prefab hull\n"
                               "    child mast\n"
                               "    child hold\n"
                               "prefab convoy\n"
                               "    child tug : hull\n"
                               "\n"
                               "entity port\n"
                               "\n"
                               "entity fleet : convoy\n"
                               "    child ship : hull\n"
                               "    # without a mast\n"
                               "    - child ship/mast\n"
                               "    child tug {\n"
                               "        Position { x = 1 }\n"
                               "    }\n"
                               "    - child tug/mast\n";
    static const char *const paths[] = {"fleet/ship", "fleet/tug"};
    for (int i = 0; i < 4; i++) {
        const bool dies = i / 2;
        fixture f = tree_fixture(layout);
        kith_scene *scene = load(&f, text);
        const kith_entity child = kith_scene_find(scene, paths[i % 2]);
        CHECK_RESULT(dies ? kith_despawn(f.world, child)
                          : kith_set_parent(f.world, child, kith_scene_find(scene, "port")),
                     KITH_OK);
        save(f.world, &(kith_scene_save_def){.scene = scene});
        CHECK_INT(strstr(saved.bytes, "- child ship/mast") != NULL, i % 2);
        CHECK_INT(strstr(saved.bytes, "- child tug/mast") != NULL, i % 2 == 0);
        fixture again = tree_fixture(layout);
        kith_scene *read = load(&again, saved.bytes);
        CHECK_UINT(kith_entity_count(again.world), dies ? 4 : 6);
        CHECK_UINT(kith_child_count(again.world, kith_scene_find(read, "port")), !dies);
        CHECK_UINT(kith_child_count(again.world, kith_scene_find(read, "fleet")), 1);
        scene_end(&again, read);
        scene_end(&f, scene);
    }
}

/* The last line has no line break, and lines are added to it and after it. */
TEST_EACH_LAYOUT(lines_are_added_to_the_last_child, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, "prefab hull\n    child mast\n"
                                 "entity fleet\n    child ship : hull");
    KITH_SET(f.world, kith_scene_find(scene, "fleet/ship"), Position, {1, 2});
    KITH_ADD(f.world, kith_scene_find(scene, "fleet/ship/mast"), Frozen);
    save(f.world, &(kith_scene_save_def){.scene = scene});
    CHECK_STR(saved.bytes, "prefab hull\n    child mast\nentity fleet\n    child ship : hull {\n"
                           "        Position { x = 1, y = 2 }\n    }\n"
                           "    child ship/mast {\n        Frozen\n    }\n");
    scene_end(&f, scene);
}

TEST_EACH_LAYOUT(children_of_others_and_in_another_order_are_at_the_end, layout)
{
    kept_tree t = kept_new(layout);
    kith_set_parent(t.f.world, t.turret, t.last);
    save(t.f.world, &(kith_scene_save_def){.scene = t.scene});
    test_note(saved.bytes);
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, saved.bytes);
    CHECK_UINT(kith_entity_count(f.world), kith_entity_count(t.f.world));
    CHECK_PTR_NOT_NULL(strstr(saved.bytes, "ChildOf { target = "));
    kith_entity tank = kith_scene_find(scene, "tank");
    CHECK_UINT(kith_child_count(f.world, tank), 2);
    kith_entity gun = KITH_GET(f.world, tank, Target)->entity;
    kith_entity turret = kith_parent(f.world, gun);
    CHECK_UINT(kith_child_count(f.world, turret), 3);
    CHECK_SAME(kith_child_first(f.world, turret), gun);
    CHECK_SAME(KITH_GET(f.world, gun, Target)->entity, turret);
    CHECK_INT(KITH_GET(f.world, gun, Health)->max, 6);
    CHECK_SAME(kith_child_last(f.world, kith_parent(f.world, turret)), turret);
    CHECK_SAME(KITH_GET(f.world, kith_scene_find(scene, "tank/crew"), Target)->entity, turret);
    scene_end(&f, scene);
    scene_end(&t.f, t.scene);

    t = kept_new(layout);
    kith_insert_child(t.f.world, t.lamp, t.gun);
    kith_insert_child(t.f.world, t.crew, t.engine);
    save(t.f.world, &(kith_scene_save_def){.scene = t.scene});
    test_note(saved.bytes);
    f = tree_fixture(layout);
    scene = load(&f, saved.bytes);
    tank = kith_scene_find(scene, "tank");
    CHECK_UINT(kith_child_count(f.world, tank), 3);
    gun = KITH_GET(f.world, tank, Target)->entity;
    CHECK_SAME(kith_scene_find(scene, "tank/crew"), kith_child_first(f.world, tank));
    turret = kith_parent(f.world, gun);
    CHECK_SAME(kith_child_last(f.world, tank),
               kith_child_next(f.world, kith_child_next(f.world, kith_child_first(f.world, tank))));
    CHECK_SAME(kith_child_last(f.world, tank), turret);
    CHECK_SAME(kith_child_next(f.world, kith_child_first(f.world, turret)), gun);
    CHECK_UINT(kith_child_count(f.world, turret), 3);
    scene_end(&f, scene);
    scene_end(&t.f, t.scene);
}

TEST_EACH_LAYOUT(children_get_other_names, layout)
{
    static char expected[sizeof saved.bytes];
    kept_tree t = kept_new(layout);
    uint32_t turret = kith_scene_index_of(t.scene, t.turret);
    uint32_t crew = kith_scene_index_of(t.scene, t.crew);
    CHECK_RESULT(kith_scene_set_name(t.scene, crew, "turret"), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_scene_set_name(t.scene, crew, "tank"), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_scene_set_name(t.scene, kith_scene_index_of(t.scene, t.gun), "x"),
                 KITH_ERR_INPUT);
    CHECK_RESULT(kith_scene_set_name(t.scene, kith_scene_index_of(t.scene, t.tank), "crew"),
                 KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_scene_set_name(t.scene, crew, "driver"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(t.scene, kith_scene_index_of(t.scene, t.tank), "hero"),
                 KITH_OK);
    CHECK_SAME(kith_scene_find(t.scene, "hero/driver"), t.crew);
    CHECK_SAME(kith_scene_find(t.scene, "hero/crew"), KITH_NONE);
    CHECK_STR(kith_scene_name(t.scene, turret), "turret");
    strcpy(expected, kept);
    replace(expected, "entity tank", "entity hero");
    replace(expected, "child crew", "child driver");
    replace(expected, "target = tank/crew", "target = hero/driver");
    replace(expected, "entity = tank/turret/gun", "entity = hero/turret/gun");
    kept_end(&t, expected, layout);
}

/* What is inherited refers to the whole, which needs no name for that. */
TEST_EACH_LAYOUT(what_is_inherited_gives_nobody_a_name, layout)
{
    fixture f = tree_fixture(layout);
    static const char text[] = "prefab p\n    Follows { target = p }\n    Target { entity = c }\n"
                               "    child c {\n        Target { entity = p }\n    }\n"
                               "entity : p\nentity : p\n    Follows { distance = 2 }\n"
                               "    child d {\n        Target { entity = c }\n    }\n";
    kith_scene *scene = load(&f, text);
    save(f.world, &(kith_scene_save_def){.scene = scene});
    CHECK_STR(saved.bytes, text);
    scene_end(&f, scene);
}

/* Names go back with the world. */
TEST_EACH_LAYOUT(names_of_children_are_restored, layout)
{
    kept_tree t = kept_new(layout);
    kith_snapshot *snapshot = NULL;
    CHECK_RESULT(kith_snapshot_take(t.f.world, &snapshot), KITH_OK);
    uint32_t crew = kith_scene_index_of(t.scene, t.crew);
    CHECK_RESULT(kith_scene_set_name(t.scene, crew, "driver"), KITH_OK);
    CHECK_RESULT(kith_snapshot_restore(t.f.world, snapshot), KITH_OK);
    CHECK_SAME(kith_scene_find(t.scene, "tank/crew"), t.crew);
    CHECK_SAME(kith_scene_find(t.scene, "tank/driver"), KITH_NONE);
    kith_snapshot_free(snapshot);
    kept_end(&t, kept, layout);
}

/* A map whose signs are trees: what is another one now leaves it. */
TEST_EACH_LAYOUT(trees_leave_their_map, layout)
{
    fixture f = tree_fixture(layout);
    static const char text[] =
        "map\n    across Position.x\n    down Position.y\n    't' = tank\n"
        "    |tt.t|\n"
        "prefab tank\n    child gun {\n        Target { entity = tank }\n    }\n";
    kith_scene *scene = load(&f, text);
    save(f.world, &(kith_scene_save_def){.scene = scene});
    CHECK_STR(saved.bytes, text);
    KITH_ADD(f.world, kith_scene_at(scene, 3), Frozen);
    KITH_DESPAWN(f.world, kith_scene_at(scene, 4));
    save(f.world, &(kith_scene_save_def){.scene = scene});
    CHECK_STR(saved.bytes,
              "map\n    across Position.x\n    down Position.y\n    't' = tank\n"
              "    |t...|\n"
              "prefab tank\n    child gun {\n        Target { entity = tank }\n    }\n"
              "\nentity e3\n    Position { x = 1, y = 0 }\n"
              "\nentity\n    ChildOf { target = e3 }\n    Frozen\n    Target { entity = e3 }\n");
    scene_end(&f, scene);
}

/* An entity that others refer to needs a name, and so do its parents; in a map there are none. */
TEST_EACH_LAYOUT(what_is_referred_to_gets_a_name, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, "entity\n child {\n child c\n }\nentity a\n");
    KITH_SET(f.world, kith_scene_find(scene, "a"), Target, {kith_scene_at(scene, 2)});
    save(f.world, &(kith_scene_save_def){.names = scene});
    CHECK_STR(saved.bytes, "entity e1\n    child e2 {\n        child c\n    }\n\n"
                           "entity a\n    Target { entity = e1/e2/c }\n");
    save(f.world, &(kith_scene_save_def){.scene = scene});
    CHECK_STR(saved.bytes, "entity e1\n child e2 {\n child c\n }\nentity a\n"
                           "    Target { entity = e1/e2/c }\n");
    scene_end(&f, scene);
    f = tree_fixture(layout);
    scene = load(&f, "map\n across Position.x\n down Position.y\n 't' = tank\n |tt|\n"
                     "prefab tank\n child gun\nentity a\n");
    KITH_SET(f.world, kith_scene_find(scene, "a"), Target, {kith_scene_at(scene, 1)});
    save(f.world, &(kith_scene_save_def){.scene = scene});
    CHECK_STR(saved.bytes, "map\n across Position.x\n down Position.y\n 't' = tank\n | t|\n"
                           "prefab tank\n child gun\nentity a\n    Target { entity = e2 }\n"
                           "\nentity e1\n    Position { x = 0, y = 0 }\n"
                           "\nentity e2\n    ChildOf { target = e1 }\n");
    scene_end(&f, scene);
}

/* Whichever allocation of saving fails, nothing has changed. */
static void check_failures(fixture *f, const kith_scene_save_def *def)
{
    static saved_text whole;
    save(f->world, def);
    whole = saved;
    const uint64_t before = kith_world_hash(f->world);
    for (size_t nth = 1;; nth++) {
        saved.length = 0;
        fail_allocation(f, nth);
        kith_scene_error error;
        kith_result result = kith_scene_save(f->world, def, write_saved, &saved, &error);
        bool reached = fail_nothing(f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK(kith_world_hash(f->world) == before);
        if (!reached) {
            break;
        }
    }
    CHECK_STR(saved.bytes, whole.bytes);
}

/* As text, and as the world. */
TEST_EACH_LAYOUT(saving_children_survives_every_allocation_failure, layout)
{
    kept_tree t = kept_new(layout);
    kith_set_parent(t.f.world, t.lamp, t.crew);
    kith_insert_child(t.f.world, t.crew, t.engine);
    KITH_SET(t.f.world, t.engine, Position, {1, 2});
    KITH_SET(t.f.world, t.lamp, Target, {t.gun});
    check_failures(&t.f, &(kith_scene_save_def){.scene = t.scene});
    check_failures(&t.f, &(kith_scene_save_def){.names = t.scene});
    scene_end(&t.f, t.scene);
}

/* The name is longer than what is in its place if there is no memory for it. */
TEST_EACH_LAYOUT(saving_a_long_name_survives_every_allocation_failure, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, "entity tank\n child turret {\n child gun\n }\nentity last\n");
    KITH_SET(f.world, kith_scene_find(scene, "last"), Follows,
             {kith_scene_find(scene, "tank/turret/gun"), 1});
    check_failures(&f, &(kith_scene_save_def){.scene = scene});
    CHECK_CONTAINS(saved.bytes, "last\n    Follows { target = tank/turret/gun, distance = 1 }\n");
    check_failures(&f, &(kith_scene_save_def){.names = scene});
    scene_end(&f, scene);
}
