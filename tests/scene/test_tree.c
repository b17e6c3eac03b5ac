/* Scenes with relations and children. */
#include <kith/query_text.h>
#include <stdio.h>
#include <stdlib.h>

#include "trees.h"

/* Sources are in the order of the text, wherever their target is. */
TEST_EACH_LAYOUT(relations_link_forwards_and_backwards, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene =
        load(&f, "entity a\n Follows { target = d, distance = 1 }\n Guards { target = d }\n"
                 "entity b\n Follows { target = b }\n Before { target = c }\n"
                 "entity c\n Follows { target = d }\n Before { target = d }\n"
                 "entity d\n Follows { target = a }\n ChildOf { target = e }\n"
                 "entity e\n"
                 "entity f\n Follows { target = d }\n ChildOf { target = e }\n");
    for (int round = 0; round < 2; round++) {
        kith_entity e[6];
        for (uint32_t i = 0; i < 6; i++) {
            e[i] = kith_scene_at(scene, i);
        }
        CHECK_SOURCES(f.world, e[3], Follows, e[0], e[2], e[5]);
        CHECK_SOURCES(f.world, e[1], Follows, e[1]);
        CHECK_SOURCES(f.world, e[3], Guards, e[0]);
        CHECK_SOURCES(f.world, e[3], Before, e[2]);
        CHECK_CHILDREN(f.world, e[4], e[3], e[5]);
        CHECK_FLOAT(KITH_GET(f.world, e[0], Follows)->distance, 1);
        CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
        CHECK_WORLD(f.world);
    }
    scene_end(&f, scene);
}

typedef struct wrong_tree {
    const char *text;
    uint32_t line;
    uint32_t column;
    const char *message;
} wrong_tree;

static const wrong_tree wrong_trees[] = {
    {"entity a\n Follows { target = none }", 2, 2,
     "expected an entity as the target of Follows, found none: a relation has one, or is not "
     "there"},
    {"entity a\n Position\n Follows { distance = 2 }\n", 3, 2,
     "expected an entity as the target of Follows, found none: a relation has one, or is not "
     "there"},
    {"entity a\n Guards\n", 2, 2,
     "expected an entity as the target of Guards, found none: a relation has one, or is not there"},
    {"prefab p\n Follows { distance = 2 }\nentity\n\n  entity : p", 2, 2,
     "expected an entity as the target of Follows, found none: a relation has one, or is not "
     "there"},
    {"entity a\n Follows { target = b }", 2, 21,
     "expected the name of an entity of this scene (there are a), found \"b\""},
    {"entity a\n Before { target = a }", 2, 2,
     "expected targets of Before that never come back, found a circle through \"a\""},
    {"entity z\n Before { target = c }\nentity a\n Before { target = b }\nentity b\n"
     " Before { target = c }\nentity c\n Before { target = a }",
     8, 2, "expected targets of Before that never come back, found a circle through \"c\""},
    {"entity a\n ChildOf { target = a/b }\n child b", 2, 2,
     "expected targets of ChildOf that never come back, found a circle through \"a\""},
    {"entity a\n child b {\n ChildOf { target = a }\n }", 3, 2,
     "expected no ChildOf: the parent of a child is what it is written in"},
    {"prefab p\n child b\nentity : p\n child b {\n - ChildOf\n }", 5, 2,
     "expected no ChildOf: the parent of a child is what it is written in"},
    {"entity a\n child b\n Position", 3, 2,
     "expected \"child\" or the next block: components come before children, found \"Position\""},
    {"entity a\n child b {\n child c\n Position\n }", 4, 2,
     "expected \"child\" or \"}\": components come before children, found \"Position\""},
    {"entity a\n child b {\n Position\n", 4, 1,
     "expected \"}\" for the child in line 2, found the end of the text"},
    {"entity a\n child b {\n child c {\nentity x", 4, 1,
     "expected \"}\" for the child in line 3, found \"entity\""},
    {"entity a\n }", 2, 2,
     "expected \"child\" or the next block: components come before children, found \"}\""},
    {"entity a\n child b { Position }", 2, 12, "expected the end of the line, found \"Position\""},
    {"entity a\n child b c", 2, 10, "expected \":\", \"{\" or the end of the line, found \"c\""},
    {"entity a\n child b {\n } x", 3, 4, "expected the end of the line, found \"x\""},
    {"entity a\n child b : x", 2, 12, "expected a prefab of this scene, found \"x\""},
    {"prefab p\n child q : p", 2, 12, "expected a prefab that does not extend itself, found p : p"},
    {"prefab p\n child : q\nprefab q\n child : r\nprefab r : p", 5, 12,
     "expected a prefab that does not extend itself, found p : q : r : p"},
    {"entity a\n child b\n child b", 3, 8, "expected another name: \"b\" is taken in line 2"},
    {"entity a\n child none", 2, 8, "expected another name: \"none\" means no entity"},
    {"prefab p\n child b\nentity : p\n child b : p", 4, 12,
     "expected no prefab: the child \"b\" is inherited, with what it extends"},
    {"prefab p\n child b\nentity : p\n child c/d", 4, 8,
     "expected a child that is inherited (there are b), found \"c\""},
    {"prefab p\n child turret\nentity : p\n child turret/gun", 4, 15,
     "expected a child that is inherited, found \"gun\""},
    {"prefab p\n child turret\nentity : p\n - child turet", 4, 10,
     "expected a child that is inherited (did you mean turret?), found \"turet\""},
    {"entity a\n - child", 2, 9,
     "expected the name of a child after \"- child\", found the end of the text"},
    {"prefab p\n child b\nentity : p\n - child b x", 4, 12,
     "expected the end of the line, found \"x\""},
    {"entity a\n Target { entity = a/b }\n child c", 2, 22,
     "expected the name of a child of \"a\", found \"b\""},
    {"entity a\n child b\nentity\n Target { entity = a/b/c }", 4, 24,
     "expected the name of a child of \"a/b\", found \"c\""},
    {"entity a\n child b {\n Target { entity = b/c }\n }", 3, 22,
     "expected the name of a child of \"b\", found \"c\""},
    {"entity a\n Target { entity = x/c }\n", 2, 20,
     "expected the name of an entity of this scene (there are a), found \"x\""},
    {"child a", 1, 1,
     "expected \"entity\", \"prefab\", \"map\", \"resource\" or \"include\" before the first"
     " component, found \"child\""},
    {"entity a\n chlid b", 2, 2,
     "expected \"entity\", \"prefab\", \"map\", \"resource\", \"include\", \"child\" or a component"
     " (did you mean child?), found \"chlid\""},
};

TEST_EACH_LAYOUT(what_is_wrong_with_a_tree_is_told, layout)
{
    fixture f = tree_fixture(layout);
    const uint64_t before = kith_world_hash(f.world);
    for (size_t i = 0; test_row(i, ROWS_OF(wrong_trees)); i++) {
        const wrong_tree *wrong = &wrong_trees[i];
        test_note(wrong->text);
        kith_scene *scene = NULL;
        kith_scene_error error = {.message = ""};
        CHECK_RESULT(kith_scene_load(f.world, wrong->text, strlen(wrong->text), &scene, &error),
                     KITH_ERR_INPUT);
        CHECK_STR(error.message, wrong->message);
        CHECK_UINT(error.line, wrong->line);
        CHECK_UINT(error.column, wrong->column);
        CHECK_PTR_NULL(scene);
        CHECK(kith_world_hash(f.world) == before);
    }
    fixture_free(&f);
}

static const char tank[] = "entity tank\n"
                           "    Position { x = 1 }\n"
                           "    Target { entity = turret/gun }\n"
                           "\n"
                           "    child turret {\n"
                           "        Position { x = 2 }\n"
                           "        Target { entity = other }\n"
                           "        child gun {\n"
                           "            Target { entity = crew }\n"
                           "        }\n"
                           "        child : shell\n"
                           "    }\n"
                           "    child crew {\n"
                           "        Follows { target = tank/turret }\n"
                           "    }\n"
                           "    child\n"
                           "prefab shell\n"
                           "    Health { max = 3 }\n"
                           "entity other\n"
                           "    Target { entity = tank/turret/gun }\n"
                           "    Party { members = [tank/crew, tank] }\n"
                           "entity gun\n";

TEST_EACH_LAYOUT(children_are_written_in_their_parent, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, tank);
    CHECK_UINT(kith_scene_count(scene), 8);
    for (int round = 0; round < 2; round++) {
        kith_entity root = kith_scene_find(scene, "tank");
        kith_entity turret = kith_scene_find(scene, "tank/turret");
        kith_entity gun = kith_scene_find(scene, "tank/turret/gun");
        kith_entity crew = kith_scene_find(scene, "tank/crew");
        kith_entity other = kith_scene_find(scene, "other");
        kith_entity shell = kith_scene_at(scene, 3);
        CHECK_SAME(root, kith_scene_at(scene, 0));
        CHECK_SAME(turret, kith_scene_at(scene, 1));
        CHECK_SAME(gun, kith_scene_at(scene, 2));
        CHECK_SAME(crew, kith_scene_at(scene, 4));
        CHECK_SAME(other, kith_scene_at(scene, 6));
        CHECK_STR(kith_scene_name(scene, 2), "gun");
        CHECK_CHILDREN(f.world, root, turret, crew, kith_scene_at(scene, 5));
        CHECK_CHILDREN(f.world, turret, gun, shell);
        CHECK_SAME(KITH_GET(f.world, root, Target)->entity, gun);
        CHECK_SAME(KITH_GET(f.world, turret, Target)->entity, other);
        CHECK_SAME(KITH_GET(f.world, gun, Target)->entity, crew);
        CHECK_SAME(KITH_GET(f.world, crew, Follows)->target, turret);
        CHECK_SAME(KITH_GET(f.world, other, Target)->entity, gun);
        CHECK_SAME(KITH_GET(f.world, other, Party)->members[0], crew);
        CHECK_SAME(KITH_GET(f.world, other, Party)->members[1], root);
        CHECK_INT(KITH_GET(f.world, shell, Health)->max, 3);
        CHECK_FLOAT(KITH_GET(f.world, turret, Position)->x, 2);
        CHECK(!KITH_HAS(f.world, root, kith_child_of));
        CHECK_SAME(kith_scene_find(scene, "tank/gun"), KITH_NONE);
        CHECK_SAME(kith_scene_find(scene, "turret"), KITH_NONE);
        CHECK_SAME(kith_scene_find(scene, "tank/"), KITH_NONE);
        CHECK(!kith_entity_equal(kith_scene_find(scene, "gun"), gun));
        CHECK_UINT(kith_scene_place_at(scene, 2).line, 8);
        CHECK_UINT(kith_scene_place_at(scene, 2).column, 9);
        CHECK_UINT(kith_scene_place_at(scene, 5).line, 16);
        CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
        CHECK_WORLD(f.world);
    }
    scene_end(&f, scene);
}

static const char fleet[] = "entity first : heavy           # before what it extends\n"
                            "    Position { x = 10 }\n"
                            "    child turret/gun {\n"
                            "        Health { max = 9 }\n"
                            "    }\n"
                            "prefab heavy : tank\n"
                            "    Health { max = 50 }\n"
                            "    child turret {\n"
                            "        Health { current = 4 }\n"
                            "        child flag { }\n"
                            "    }\n"
                            "    child second : turret\n"
                            "    - child crew\n"
                            "prefab tank\n"
                            "    Position { x = 1 }\n"
                            "    Target { entity = crew }\n"
                            "    child turret : turret {\n"
                            "        Target { entity = tank }\n"
                            "    }\n"
                            "    child crew {\n"
                            "        Follows { target = turret/gun }\n"
                            "    }\n"
                            "prefab turret\n"
                            "    Health { max = 7 }\n"
                            "    Party { leader = gun, members = [turret, boss] }\n"
                            "    child gun {\n"
                            "        Health { current = 1, max = 2 }\n"
                            "        Party { leader = turret, members = [gun, none] }\n"
                            "    }\n"
                            "entity boss\n"
                            "entity plain : tank\n"
                            "    child turret/gun {\n"
                            "        Party { size = 3, members = [crew, plain] }\n"
                            "    }\n";

TEST_EACH_LAYOUT(children_are_inherited, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, fleet);
    CHECK_UINT(kith_scene_count(scene), 6 + 1 + 4);
    for (int round = 0; round < 2; round++) {
        kith_entity first = kith_scene_find(scene, "first");
        kith_entity turret = kith_scene_find(scene, "first/turret");
        kith_entity gun = kith_scene_find(scene, "first/turret/gun");
        kith_entity flag = kith_scene_find(scene, "first/turret/flag");
        kith_entity second = kith_scene_find(scene, "first/second");
        kith_entity boss = kith_scene_find(scene, "boss");
        CHECK_SAME(kith_scene_find(scene, "first/crew"), KITH_NONE);
        CHECK_CHILDREN(f.world, first, turret, second);
        CHECK_CHILDREN(f.world, turret, gun, flag);
        CHECK_SAME(KITH_GET(f.world, first, Target)->entity, KITH_NONE); /* the crew */
        CHECK_SAME(KITH_GET(f.world, turret, Target)->entity, first);
        CHECK_SAME(KITH_GET(f.world, turret, Party)->leader, gun);
        CHECK_SAME(KITH_GET(f.world, turret, Party)->members[0], turret);
        CHECK_SAME(KITH_GET(f.world, turret, Party)->members[1], boss);
        CHECK_SAME(KITH_GET(f.world, gun, Party)->leader, turret);
        CHECK_SAME(KITH_GET(f.world, gun, Party)->members[0], gun);
        CHECK_SAME(KITH_GET(f.world, second, Party)->leader,
                   kith_scene_find(scene, "first/second/gun"));
        CHECK_SAME(KITH_GET(f.world, second, Party)->members[0], second);
        CHECK_INT(KITH_GET(f.world, turret, Health)->current, 4);
        CHECK_INT(KITH_GET(f.world, turret, Health)->max, 7);
        CHECK_INT(KITH_GET(f.world, gun, Health)->current, 1);
        CHECK_INT(KITH_GET(f.world, gun, Health)->max, 9);
        CHECK_INT(KITH_GET(f.world, kith_scene_find(scene, "first/second/gun"), Health)->max, 2);
        CHECK_FLOAT(KITH_GET(f.world, first, Position)->x, 10);

        kith_entity plain = kith_scene_find(scene, "plain");
        kith_entity crew = kith_scene_find(scene, "plain/crew");
        gun = kith_scene_find(scene, "plain/turret/gun");
        CHECK_SAME(KITH_GET(f.world, plain, Target)->entity, crew);
        CHECK_SAME(KITH_GET(f.world, crew, Follows)->target, gun);
        const Party *party = KITH_GET(f.world, gun, Party); /* one field is new */
        CHECK_SAME(party->leader, kith_scene_find(scene, "plain/turret"));
        CHECK_SAME(party->members[0], crew);
        CHECK_SAME(party->members[1], plain);
        CHECK_UINT(party->size, 3);
        CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
        CHECK_WORLD(f.world);
    }
    scene_end(&f, scene);
}

/* A cell of a map is a tree as well. */
TEST_EACH_LAYOUT(maps_are_drawn_of_trees, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, "map\n across Position.x\n down Position.y\n 't' = tank\n"
                                 " |t.t|\n |tt |\n"
                                 "prefab tank\n child turret {\n Target { entity = tank }\n }\n");
    CHECK_UINT(kith_scene_count(scene), 8);
    for (uint32_t i = 0; i < 8; i += 2) {
        kith_entity e = kith_scene_at(scene, i);
        kith_entity turret = kith_scene_at(scene, i + 1);
        CHECK_CHILDREN(f.world, e, turret);
        CHECK_SAME(KITH_GET(f.world, turret, Target)->entity, e);
        CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, i == 2 ? 2 : i == 6 ? 1 : 0);
    }
    scene_end(&f, scene);
}

/* ---- Prefabs --------------------------------------------------------------------------------- */

/* Fails unless an entity is a tank of `fleet`, with such children. */
static void check_tank(const kith_world *world, kith_entity root, int32_t turret_max,
                       int32_t gun_max)
{
    kith_entity turret = kith_child_first(world, root);
    kith_entity crew = kith_child_last(world, root);
    kith_entity gun = kith_child_first(world, turret);
    CHECK_CHILDREN(world, root, turret, crew);
    CHECK_CHILDREN(world, turret, gun);
    CHECK_SAME(KITH_GET(world, root, Target)->entity, crew);
    CHECK_SAME(KITH_GET(world, turret, Target)->entity, root);
    CHECK_SAME(KITH_GET(world, turret, Party)->leader, gun);
    CHECK_SAME(KITH_GET(world, turret, Party)->members[0], turret);
    CHECK_SAME(KITH_GET(world, gun, Party)->leader, turret);
    CHECK_SAME(KITH_GET(world, crew, Follows)->target, gun);
    CHECK_INT(KITH_GET(world, turret, Health)->max, turret_max);
    CHECK_INT(KITH_GET(world, gun, Health)->max, gun_max);
}

TEST_EACH_LAYOUT(prefabs_are_spawned_with_their_children, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, fleet);
    const kith_prefab *prefab = kith_scene_prefab(scene, "tank");
    uint32_t count = kith_entity_count(f.world);
    kith_entity roots[4];
    const kith_value value = KITH_VALUE(Position, {8, 9});
    CHECK_RESULT(kith_prefab_spawn(prefab, &value, 1, &roots[0]), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, roots[0], Position)->y, 9);
    check_tank(f.world, roots[0], 7, 2);
    CHECK_SAME(KITH_GET(f.world, kith_child_first(f.world, roots[0]), Party)->members[1],
               kith_scene_find(scene, "boss"));
    static const Position places[3] = {{1, 0}, {2, 0}, {3, 0}};
    const kith_values rows = {&Position_type, places, true};
    CHECK_RESULT(kith_prefab_spawn_many(prefab, 3, &rows, 1, roots), KITH_OK);
    for (int i = 0; i < 3; i++) {
        check_tank(f.world, roots[i], 7, 2);
        CHECK_FLOAT(KITH_GET(f.world, roots[i], Position)->x, places[i].x);
    }
    CHECK_RESULT(kith_prefab_spawn_many(prefab, 2, NULL, 0, NULL), KITH_OK);
    CHECK_RESULT(kith_prefab_spawn_many(prefab, 0, NULL, 0, NULL), KITH_OK);
    check_tank(f.world, KITH_SPAWN_FROM(f.world, prefab), 7, 2);
    CHECK_UINT(kith_entity_count(f.world), count + 7 * 4);
    CHECK_WORLD(f.world);
    CHECK_RESULT(kith_despawn(f.world, roots[1]), KITH_OK);
    CHECK_UINT(kith_entity_count(f.world), count + 6 * 4);

    kith_entity heavy;
    CHECK_RESULT(kith_prefab_spawn(kith_scene_prefab(scene, "heavy"), NULL, 0, &heavy), KITH_OK);
    CHECK_UINT(kith_child_count(f.world, heavy), 2);
    CHECK_SAME(KITH_GET(f.world, heavy, Target)->entity, KITH_NONE);
    CHECK_INT(KITH_GET(f.world, heavy, Health)->max, 50);
    CHECK_UINT(kith_entity_count(f.world), count + 6 * 4 + 6);
    scene_end(&f, scene);
}

TEST_EACH_LAYOUT(values_of_children_are_given_by_path, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene = load(&f, fleet);
    const kith_prefab *prefab = kith_scene_prefab(scene, "tank");
    Health health = {0, 0};
    CHECK_RESULT(kith_prefab_get_part(prefab, "turret/gun", &Health_type, &health), KITH_OK);
    CHECK_INT(health.current, 1);
    CHECK_RESULT(kith_prefab_get_part(prefab, "turret", &Health_type, &health), KITH_OK);
    CHECK_INT(health.max, 7);
    CHECK_RESULT(kith_prefab_get_part(prefab, "gun", &Health_type, &health), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_prefab_get_part(prefab, NULL, &Health_type, &health), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_prefab_get_part(prefab, "turret", &Frozen_type, NULL), KITH_ERR_ABSENT);
    Party party;
    CHECK_RESULT(kith_prefab_get_part(prefab, "turret", &Party_type, &party), KITH_OK);
    CHECK_SAME(party.leader, KITH_NONE);
    CHECK_SAME(party.members[1], kith_scene_find(scene, "boss"));

    kith_entity root;
    const kith_part_value values[] = {{"turret/gun", KITH_VALUE(Health, {1, 40})},
                                      {"turret", KITH_VALUE(Health, {1, 30})},
                                      {"turret/gun", KITH_VALUE(Frozen)},
                                      {"", KITH_VALUE(Position, {5, 6})},
                                      {NULL, KITH_VALUE(Frozen)},
                                      {"turret/gun", KITH_VALUE(Health, {1, 41})}};
    CHECK_RESULT(kith_prefab_spawn_parts(prefab, values, 6, &root), KITH_OK);
    check_tank(f.world, root, 30, 41);
    CHECK_FLOAT(KITH_GET(f.world, root, Position)->x, 5);
    CHECK(KITH_HAS(f.world, root, Frozen));
    CHECK(KITH_HAS(f.world, kith_child_first(f.world, kith_child_first(f.world, root)), Frozen));
    CHECK(!KITH_HAS(f.world, kith_child_first(f.world, root), Frozen));

    CHECK_RESULT(kith_prefab_spawn_parts(prefab, &values[1], 1, &root), KITH_OK);
    check_tank(f.world, root, 30, 2); /* and not its gun */
    CHECK_RESULT(kith_prefab_spawn(prefab, &values[1].value, 1, &root), KITH_OK);
    check_tank(f.world, root, 7, 2);
    CHECK_INT(KITH_GET(f.world, root, Health)->max, 30);

    kith_commands *commands = kith_commands_new(f.world, NULL);
    kith_entity queued = kith_prefab_queue_parts(prefab, commands, values, 2);
    kith_entity plain = kith_prefab_queue(prefab, commands, NULL, 0);
    kith_entity verb = KITH_SPAWN_FROM(commands, prefab, KITH_VALUE(Position, {9, 9}));
    kith_entity beside = kith_commands_spawn(commands);
    CHECK_RESULT(kith_commands_set(commands, beside, &Target_type, &queued), KITH_OK);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    root = kith_commands_real(commands, queued);
    check_tank(f.world, root, 30, 40);
    check_tank(f.world, kith_commands_real(commands, plain), 7, 2);
    check_tank(f.world, kith_commands_real(commands, verb), 7, 2);
    CHECK_SAME(KITH_GET(f.world, kith_commands_real(commands, beside), Target)->entity, root);
    CHECK_WORLD(f.world);

    const uint64_t before = kith_world_hash(f.world);
    const kith_part_value wrong[] = {{"turret", KITH_VALUE(Frozen)},
                                     {"turret/barrel", KITH_VALUE(Frozen)}};
    kith_entity untouched = {7, 7};
    CHECK_RESULT(kith_prefab_spawn_parts(prefab, wrong, 2, &untouched), KITH_ERR_ABSENT);
    CHECK_STR(kith_error(f.world),
              "kith_prefab_spawn_parts: prefab 'tank' has no child 'turret/barrel'");
    CHECK_SAME(kith_prefab_queue_parts(prefab, commands, wrong, 2), KITH_NONE);
    CHECK_UINT(kith_commands_memory(commands).commands, 0);
    const kith_part_value gone[] = {{"turret", KITH_VALUE(Follows, {{9, 9}, 0})}};
    CHECK_RESULT(kith_prefab_spawn_parts(prefab, gone, 1, &untouched), KITH_ERR_DEAD);
    CHECK_STR(kith_error(f.world), "prefab 'tank': the target of Follows is not alive");
    CHECK_SAME(untouched, ((kith_entity){7, 7}));
    CHECK(kith_world_hash(f.world) == before);
    kith_commands_free(commands);
    scene_end(&f, scene);
}

/* A relation of a prefab to an entity of the scene, before that is made, and after it died. */
TEST_EACH_LAYOUT(a_prefab_links_to_what_lives, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *scene = NULL;
    static const char text[] = "prefab p\n Follows { target = boss }\n child c\n"
                               "prefab q\n Follows { target = boss }\n"
                               "prefab self\n Follows { target = self }\n"
                               "prefab circle\n child c {\n Before { target = circle }\n }\n"
                               "entity boss\n";
    CHECK_RESULT(kith_scene_parse(f.world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    for (int i = 0; i < 3; i++) {
        const char *const names[] = {"p", "q"};
        for (int k = 0; k < 2; k++) {
            const uint64_t before = kith_world_hash(f.world);
            kith_entity e = KITH_NONE;
            kith_result result = kith_prefab_spawn(kith_scene_prefab(scene, names[k]), NULL, 0, &e);
            CHECK_RESULT(result, i == 1 ? KITH_OK : KITH_ERR_DEAD);
            CHECK_INT(kith_world_hash(f.world) == before, i != 1);
            CHECK_SAME(kith_target(f.world, e, &Follows_type),
                       kith_scene_find(scene, i == 1 ? "boss" : ""));
        }
        if (i == 0) {
            CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
        } else if (i == 1) {
            CHECK_RESULT(kith_despawn(f.world, kith_scene_find(scene, "boss")), KITH_OK);
        }
    }
    kith_entity self = KITH_SPAWN_FROM(f.world, kith_scene_prefab(scene, "self"));
    CHECK_SAME(kith_target(f.world, self, &Follows_type), self);
    const kith_value before = KITH_VALUE(Before, {self});
    CHECK_RESULT(kith_prefab_spawn(kith_scene_prefab(scene, "circle"), &before, 1, NULL), KITH_OK);
    scene_end(&f, scene);
}

/* Prefabs of another scene come with their children. What they link to there has to live. */
TEST_EACH_LAYOUT(trees_of_other_scenes, layout)
{
    fixture f = tree_fixture(layout);
    kith_scene *other = load(&f, "entity boss\n"
                                 "prefab tank\n Follows { target = boss }\n"
                                 " child turret {\n Target { entity = tank }\n child gun\n }\n");
    static const char text[] = "entity a : tank from other\n child turret/gun {\n Frozen\n }\n"
                               "entity b\n child : tank from other\n";
    const kith_scene_library library = {"other", other};
    const kith_scene_def def = {
        .text = text, .length = sizeof text - 1, .libraries = &library, .library_count = 1};
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_new(f.world, &def, &scene, NULL), KITH_OK);
    kith_entity boss = kith_scene_find(other, "boss");
    kith_scene_free(other);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    CHECK_UINT(kith_scene_count(scene), 7);
    kith_entity a = kith_scene_find(scene, "a");
    CHECK(KITH_HAS(f.world, kith_scene_find(scene, "a/turret/gun"), Frozen));
    CHECK_SAME(KITH_GET(f.world, kith_scene_find(scene, "a/turret"), Target)->entity, a);
    kith_entity nameless = kith_child_first(f.world, kith_scene_find(scene, "b"));
    CHECK_SAME(KITH_GET(f.world, kith_child_first(f.world, nameless), Target)->entity, nameless);
    CHECK_SOURCES(f.world, boss, Follows, a, nameless);
    CHECK_RESULT(kith_despawn(f.world, boss), KITH_OK);
    const uint64_t before = kith_world_hash(f.world);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_ERR_DEAD);
    CHECK_STR(kith_error(f.world),
              "kith_scene_spawn: the target of Follows of entity 0 (\"a\") is not alive");
    CHECK(kith_world_hash(f.world) == before);
    CHECK_SAME(kith_scene_find(scene, "a"), a);
    scene_end(&f, scene);
}

/* ---- Kinds ------------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(entities_tell_their_prefab, layout)
{
    fixture f = tree_fixture(layout);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &kith_is_a_type, &def), KITH_OK);
    kith_scene *scene = load(&f, "prefab goblin\n Position\n child hat : hat\n child\n"
                                 "prefab hat\n"
                                 "prefab chief : goblin\n"
                                 "entity a : goblin\nentity b : chief\nentity c\n"
                                 "entity d : goblin\n IsA { prefab = \"other\" }\n");
    static const char *const expected[] = {"goblin", "hat", NULL,    "chief", "hat",
                                           NULL,     NULL,  "other", "hat",   NULL};
    for (uint32_t i = 0; i < 10; i++) {
        const kith_is_a *is = KITH_GET(f.world, kith_scene_at(scene, i), kith_is_a);
        CHECK_INT(is == NULL, expected[i] == NULL);
        CHECK_STR(is == NULL ? "" : kith_text_get(f.world, is->prefab, NULL),
                  expected[i] == NULL ? "" : expected[i]);
    }
    KITH_SPAWN_FROM(f.world, kith_scene_prefab(scene, "goblin"));
    kith_query *goblins =
        KITH_QUERY(f.world, KITH_READ(Position), KITH_IF(kith_is_a, prefab, ==, "goblin"));
    CHECK_UINT(kith_query_count(goblins), 2);
    kith_query *in_text = kith_query_text(f.world, "* where IsA.prefab = 'hat'", NULL);
    CHECK_PTR_NOT_NULL(in_text);
    CHECK_UINT(kith_query_count(in_text), 4);
    scene_end(&f, scene);
}

/* Whatever it extends, to any depth, also from another scene. */
TEST_EACH_LAYOUT(entities_tell_all_that_their_prefab_extends, layout)
{
    fixture f = tree_fixture(layout);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &kith_is_a_type, &def), KITH_OK);
    kith_scene *monsters = load(&f, "prefab king : chief\nprefab chief : goblin\nprefab goblin\n"
                                    "prefab goblins\n");
    static const char text[] = "entity a : king from cave\nentity b : chief from cave\n"
                               "prefab lord : king from cave\nentity c : lord\n"
                               "entity d : goblins from cave\nentity e\n";
    const kith_scene_library cave = {"cave", monsters};
    const kith_scene_def scene_def = {
        .text = text, .length = strlen(text), .libraries = &cave, .library_count = 1};
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_new(f.world, &scene_def, &scene, NULL), KITH_OK);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    static const char *const expected[] = {" goblin chief king ", " goblin chief ",
                                           " goblin chief king lord ", " goblins ", NULL};
    for (uint32_t i = 0; i < 5; i++) {
        const kith_is_a *is = KITH_GET(f.world, kith_scene_at(scene, i), kith_is_a);
        CHECK_STR(is == NULL ? "" : kith_text_get(f.world, is->kinds, NULL),
                  expected[i] == NULL ? "" : expected[i]);
    }
    CHECK_UINT(kith_query_count(KITH_QUERY(f.world, KITH_IF_IS_A("goblin"))), 3);
    CHECK_UINT(kith_query_count(KITH_QUERY(f.world, KITH_IF_IS_A("king"))), 2);
    CHECK_UINT(kith_query_count(KITH_QUERY(f.world, KITH_IF_IS_A("lord"))), 1);
    CHECK_UINT(kith_query_count(KITH_QUERY(f.world, KITH_IF_IS_A("gob"))), 0);
    KITH_SPAWN_FROM(f.world, kith_scene_prefab(scene, "lord"));
    kith_query *in_text = kith_query_text(f.world, "* where IsA.kinds contains ' chief '", NULL);
    CHECK_PTR_NOT_NULL(in_text);
    CHECK_UINT(kith_query_count(in_text), 4);
    kith_scene_free(monsters);
    scene_end(&f, scene);
}

/* Names that are too long together are told where the last one extends the others. */
TEST(names_of_kinds_have_a_limit)
{
    fixture f = tree_fixture(KITH_TABLE);
    kith_scene *scene = NULL;
    kith_scene_error error;
    char text[9000] = "prefab p0\n";
    size_t length = strlen(text);
    CHECK_RESULT(kith_register(f.world, &kith_is_a_type, NULL), KITH_OK);
    for (int i = 1; i < 42; i++) { /* of a hundred bytes each */
        length += (size_t)snprintf(text + length, sizeof text - length, "prefab p%098d : p%0*d\n",
                                   i, i == 1 ? 1 : 98, i - 1);
    }
    CHECK_RESULT(kith_scene_parse(f.world, text, length, &scene, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message, "of at most 4096 bytes, as IsA.kinds has them");
    CHECK_UINT(error.line, 42);
    fixture_free(&f);
}

/* ---- Large ones ---------------------------------------------------------------------------------- */

/* As deep and as wide as you like, without recursion. */
TEST_WITHIN(20, trees_may_be_deep_and_wide)
{
    enum { DEPTH = 20000 };
    fixture f = tree_fixture(KITH_TABLE);
    char *text = malloc(DEPTH * 64);
    CHECK_PTR_NOT_NULL(text);
    size_t length = (size_t)sprintf(text, "prefab p\n");
    for (int i = 0; i < DEPTH; i++) {
        length += (size_t)sprintf(text + length, "child c {\n");
    }
    length += (size_t)sprintf(text + length, "Target { entity = p }\n");
    for (int i = 0; i < DEPTH; i++) {
        length += (size_t)sprintf(text + length, "}\n");
    }
    length += (size_t)sprintf(text + length, "entity wide : p\n");
    for (int i = 0; i < DEPTH; i++) {
        length += (size_t)sprintf(text + length, "child w%d {\nTarget { entity = w%d }\n}\n", i,
                                  (i + 1) % DEPTH);
    }
    kith_scene *scene = load(&f, text);
    CHECK_UINT(kith_scene_count(scene), 1 + 2 * DEPTH);
    CHECK_UINT(kith_depth(f.world, kith_scene_at(scene, DEPTH)), DEPTH);
    CHECK_SAME(KITH_GET(f.world, kith_scene_at(scene, DEPTH), Target)->entity,
               kith_scene_at(scene, 0));
    CHECK_SAME(KITH_GET(f.world, kith_scene_find(scene, "wide/w7"), Target)->entity,
               kith_scene_find(scene, "wide/w8"));
    CHECK_UINT(kith_child_count(f.world, kith_scene_at(scene, 0)), DEPTH + 1);
    kith_entity made = KITH_NONE;
    CHECK_RESULT(kith_prefab_spawn(kith_scene_prefab(scene, "p"), NULL, 0, &made), KITH_OK);
    CHECK_UINT(kith_child_count(f.world, made), 1);
    free(text);
    scene_end(&f, scene);
}

/* A few lines ask for more than any memory holds. */
TEST(inherited_children_are_not_without_end)
{
    fixture f = tree_fixture(KITH_TABLE);
    char text[4000] = "prefab p0\n";
    for (int i = 1; i < 40; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "prefab p%d\nchild : p%d\nchild : p%d\n", i, i - 1, i - 1);
    }
    kith_world *small = kith_world_new(&(kith_world_def){.memory_limit = 1 << 24});
    CHECK_RESULT(kith_scene_load(small, text, strlen(text), NULL, NULL), KITH_ERR_MEMORY);
    kith_world_free(small);
    fixture_free(&f);
}
