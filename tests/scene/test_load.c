/* Scenes, loaded: what the text says is there; what is wrong is told, and changes nothing. */
#include <kith/unique.h>
#include <stdio.h>
#include <stdlib.h>

#include "kinds.h"
#include "scenes.h"

static const char party[] = "# Who goes with whom.\n"
                            "entity leader\n"
                            "    Position { x = 5,\n"
                            "               y = 10.5 }   # over two lines\n"
                            "    Party { leader = leader, members = [follower, none], size = 1 }\n"
                            "\n"
                            "entity follower\r\n"
                            "\tPosition\n"
                            "    Party { leader = leader }\n"
                            "    Frozen\n"
                            "    Burning { }\n"
                            "entity\n"
                            "    \"Health\" { max = 3, current = -2, }";

TEST_EACH_LAYOUT(the_text_is_there, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, party);
    CHECK_UINT(kith_entity_count(f.world), 3);
    CHECK_UINT(kith_scene_count(scene), 3);
    kith_entity leader = kith_scene_find(scene, "leader");
    kith_entity follower = kith_scene_find(scene, "follower");
    CHECK_SAME(leader, kith_scene_at(scene, 0));
    CHECK_SAME(follower, kith_scene_at(scene, 1));
    CHECK_UINT(kith_entity_slot(kith_scene_at(scene, 2)), 2);
    CHECK_SAME(kith_scene_at(scene, 3), KITH_NONE);
    CHECK_SAME(kith_scene_find(scene, "nobody"), KITH_NONE);
    CHECK_STR(kith_scene_name(scene, 1), "follower");
    CHECK_STR(kith_scene_name(scene, 2), "");
    CHECK_PTR_NULL(kith_scene_name(scene, 3));
    CHECK_FLOAT(KITH_GET(f.world, leader, Position)->y, 10.5);
    const Party *of_leader = KITH_GET(f.world, leader, Party);
    CHECK_SAME(of_leader->leader, leader);
    CHECK_SAME(of_leader->members[0], follower);
    CHECK_SAME(of_leader->members[1], KITH_NONE);
    CHECK_SAME(KITH_GET(f.world, follower, Party)->leader, leader);
    CHECK(KITH_HAS(f.world, follower, Frozen) && KITH_HAS(f.world, follower, Burning));
    CHECK_FLOAT(KITH_GET(f.world, follower, Position)->x, 0);
    CHECK_INT(KITH_GET(f.world, kith_scene_at(scene, 2), Health)->current, -2);
    kith_scene_free(scene);
    CHECK(kith_alive(f.world, leader));
    fixture_free(&f);
}

TEST_EACH_LAYOUT(loading_twice_gives_the_same, layout)
{
    fixture a = scene_fixture(layout);
    fixture b = scene_fixture(layout);
    kith_scene_free(load(&a, party));
    kith_scene_free(load(&b, party));
    CHECK(kith_world_hash(a.world) == kith_world_hash(b.world));
    CHECK(kith_content_hash(a.world) == kith_content_hash(b.world));
    fixture_free(&a);
    fixture_free(&b);
}

/* Each time has entities of its own, which refer to one another. */
TEST_EACH_LAYOUT(a_scene_may_be_spawned_again, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, party);
    kith_entity first = kith_scene_find(scene, "leader");
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    kith_entity second = kith_scene_find(scene, "leader");
    CHECK(!kith_entity_equal(first, second));
    CHECK_UINT(kith_entity_count(f.world), 6);
    CHECK_SAME(KITH_GET(f.world, second, Party)->leader, second);
    CHECK_SAME(KITH_GET(f.world, first, Party)->leader, first);
    scene_end(&f, scene);
}

/* References one by one and in an array, to entities before and after, also to itself. */
typedef struct Links {
    kith_entity first[5];
    uint32_t between;
    kith_entity one;
    kith_entity last[3];
} Links;
KITH_TYPE(Links, KITH_FIELD(Links, first), KITH_FIELD(Links, between), KITH_FIELD(Links, one),
          KITH_FIELD(Links, last));

TEST_EACH_LAYOUT(every_reference_of_an_array_is_linked, layout)
{
    fixture f = scene_fixture_with(&Links_type, layout);
    kith_scene *scene = load(&f, "prefab linked\n"
                                 "    Links { last = [c, none, b] }\n"
                                 "entity a\n"
                                 "entity b : linked\n"
                                 "    Links { first = [c, none, a, b, c], one = a }\n"
                                 "entity c\n");
    for (int round = 0; round < 2; round++) {
        kith_entity a = kith_scene_find(scene, "a");
        kith_entity b = kith_scene_find(scene, "b");
        kith_entity c = kith_scene_find(scene, "c");
        kith_entity made[2] = {b};
        CHECK_RESULT(kith_prefab_spawn(kith_scene_prefab(scene, "linked"), NULL, 0, &made[1]),
                     KITH_OK);
        for (int i = 0; i < 2; i++) {
            const Links *links = KITH_GET(f.world, made[i], Links);
            const kith_entity first[] = {c, KITH_NONE, a, b, c};
            const kith_entity last[] = {c, KITH_NONE, b};
            for (int k = 0; k < 5; k++) {
                CHECK_SAME(links->first[k], i == 0 ? first[k] : KITH_NONE);
            }
            for (int k = 0; k < 3; k++) {
                CHECK_SAME(links->last[k], last[k]);
            }
            CHECK_SAME(links->one, i == 0 ? a : KITH_NONE);
        }
        CHECK_RESULT(kith_scene_spawn(scene), KITH_OK); /* the next time, to others */
        CHECK(!kith_entity_equal(kith_scene_find(scene, "a"), a));
        CHECK_WORLD(f.world);
    }
    scene_end(&f, scene);
}

/* Each value has references of its own, however many refer in one entity. */
TEST_EACH_LAYOUT(several_components_of_an_entity_refer, layout)
{
    fixture f = scene_fixture_with(&Links_type, layout);
    kith_scene *scene = load(&f, "entity a\nentity b\nentity c\n"
                                 "entity\n"
                                 "    Target { entity = a }\n"
                                 "    Party { leader = b, size = 5, members = [c, a] }\n"
                                 "    Position { x = 1, y = 2 }\n"
                                 "    Links { one = c, between = 7 }\n");
    kith_entity a = kith_scene_find(scene, "a");
    kith_entity b = kith_scene_find(scene, "b");
    kith_entity c = kith_scene_find(scene, "c");
    kith_entity e = kith_scene_at(scene, 3);
    CHECK_SAME(KITH_GET(f.world, e, Target)->entity, a);
    CHECK_SAME(KITH_GET(f.world, e, Party)->leader, b);
    CHECK_UINT(KITH_GET(f.world, e, Party)->size, 5);
    CHECK_SAME(KITH_GET(f.world, e, Party)->members[0], c);
    CHECK_SAME(KITH_GET(f.world, e, Party)->members[1], a);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    CHECK_SAME(KITH_GET(f.world, e, Links)->one, c);
    CHECK_UINT(KITH_GET(f.world, e, Links)->between, 7);
    scene_end(&f, scene);
}

/* Behind names of any length, of entities and of prefabs. */
TEST_EACH_LAYOUT(values_of_any_alignment_are_loaded, layout)
{
    for (int length = 1; length < 40; length++) {
        char text[400];
        snprintf(text, sizeof text,
                 "prefab p%0*d\n    Aligned { words = [1, 2, 3, 4, 5, 6, 7, 8] }\n    Byte\n"
                 "entity e%0*d : p%0*d\n    Byte { value = 3 }\n    Party { leader = e%0*d }\n",
                 length, 0, length, 0, length, 0, length, 0);
        fixture f = scene_fixture(layout);
        kith_scene *scene = load(&f, text);
        kith_entity made[2] = {kith_scene_at(scene, 0)};
        CHECK_RESULT(kith_prefab_spawn(kith_scene_prefab_at(scene, 0), NULL, 0, &made[1]), KITH_OK);
        for (int i = 0; i < 2; i++) {
            for (uint32_t word = 0; word < 8; word++) {
                CHECK_UINT(KITH_GET(f.world, made[i], Aligned)->words[word], word + 1);
            }
            CHECK_UINT(KITH_GET(f.world, made[i], Byte)->value, i == 0 ? 3 : 0);
        }
        CHECK_SAME(KITH_GET(f.world, made[0], Party)->leader, made[0]);
        scene_end(&f, scene);
    }
}

/* "T", "Ta" to "Tz", and "Taa" to "Tzz": each comes after one that it begins with. */
TEST_WITHIN(10, components_whose_names_begin_alike_are_told_apart)
{
    enum { LETTERS = 26, NAMES = 1 + LETTERS + LETTERS * LETTERS };
    static char text[NAMES * 40];
    static char names[NAMES][4];
    static const kith_type *types[NAMES];
    size_t length = 0;
    fixture f = scene_fixture(KITH_SPARSE);
    for (int i = 0; i < NAMES; i++) {
        int pair = i - 1 - LETTERS;
        names[i][0] = 'T';
        names[i][1] = (char)(i == 0 ? '\0' : 'a' + (pair < 0 ? i - 1 : pair / LETTERS));
        names[i][2] = (char)(pair < 0 ? '\0' : 'a' + pair % LETTERS);
        const kith_type_def def = {.name = names[i], .layout = KITH_SPARSE};
        CHECK_RESULT(kith_define(f.world, &def, &types[i]), KITH_OK);
    }
    for (int i = 1; i < NAMES; i++) {
        const char begins[3] = {'T', i > LETTERS ? names[i][1] : '\0', '\0'};
        length += (size_t)snprintf(text + length, sizeof text - length, "entity\n%s\n%s\n", begins,
                                   names[i]);
    }
    kith_scene *scene = load(&f, text);
    CHECK_UINT(kith_scene_count(scene), NAMES - 1);
    for (int i = 1; i < NAMES; i++) {
        int before = i > LETTERS ? 1 + (i - 1 - LETTERS) / LETTERS : 0;
        kith_entity e = kith_scene_at(scene, (uint32_t)i - 1);
        CHECK(kith_has(f.world, e, types[i]) && kith_has(f.world, e, types[before]));
    }
    scene_end(&f, scene);
}

/* A scene's memory is the world's: it counts for its limit while the scene is there. */
TEST(a_scene_counts_for_the_limit_of_its_world)
{
    enum { ENTITIES = 2000, LINE = 16, LIMIT = 200000 };
    static char text[ENTITIES * LINE + 1];
    for (int i = 0; i < ENTITIES; i++) {
        snprintf(text + i * LINE, LINE + 1, "entity e%07d", i);
        text[i * LINE + LINE - 1] = '\n';
    }
    fixture f = fixture_new_with(&(kith_world_def){.memory_limit = LIMIT});
    kith_scene *scene = NULL;
    kith_scene_error error;
    kith_scene_free(load(&f, "")); /* with the first one the world begins to know scenes */
    const size_t used = kith_memory(f.world).used;
    CHECK_RESULT(kith_scene_parse(f.world, text, LINE * 10, &scene, &error), KITH_OK);
    CHECK(kith_memory(f.world).used > used);
    kith_scene_free(scene);
    CHECK_UINT(kith_memory(f.world).used, used);

    CHECK_RESULT(kith_scene_parse(f.world, text, strlen(text), &scene, &error), KITH_ERR_MEMORY);
    CHECK(kith_memory(f.world).peak <= LIMIT);
    CHECK_UINT(kith_memory(f.world).used, used);
    fixture_free(&f);
}

/* kith_error has the reason of what failed within: that of the command buffer, say. */
TEST(why_a_scene_was_not_spawned_is_told)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, "entity a\nPosition { x = 1 }\nFrozen");
    CHECK_RESULT(kith_despawn(f.world, kith_scene_at(scene, 0)), KITH_OK);
    uint32_t reasons = 0;
    for (size_t nth = 1;; nth++) {
        fail_allocation(&f, nth);
        kith_result result = kith_scene_spawn(scene);
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        if (!reached) {
            break;
        }
        reasons += strstr(kith_error(f.world), "no memory for") != NULL;
    }
    CHECK(reasons > 0);
    scene_end(&f, scene);
}

TEST(a_prefab_and_an_entity_may_have_the_same_name)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, "prefab hero\nFrozen\nentity hero : hero");
    CHECK_STR(kith_prefab_name(kith_scene_prefab(scene, "hero")), "hero");
    CHECK(KITH_HAS(f.world, kith_scene_find(scene, "hero"), Frozen));
    scene_end(&f, scene);
}

TEST(an_empty_text_is_a_scene)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, "");
    CHECK_UINT(kith_scene_count(scene), 0);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    kith_scene_free(scene);
    kith_scene_free(load(&f, " # nothing\n\n"));
    kith_scene_free(load(&f, "\xef\xbb\xbf"
                             "entity a"));
    CHECK_UINT(kith_entity_count(f.world), 1);
    CHECK_RESULT(kith_scene_load(f.world, "entity b", 8, NULL, NULL), KITH_OK);
    fixture_free(&f);
}

/* A scene lives without its world. */
TEST(a_scene_may_outlive_its_world)
{
    kith_world *world = kith_world_new(NULL);
    CHECK_RESULT(kith_register(world, &Position_type, NULL), KITH_OK);
    kith_scene *scene = NULL;
    static const char text[] = "prefab p\nPosition { x = 4 }\nentity e : p";
    CHECK_RESULT(kith_scene_load(world, text, sizeof text - 1, &scene, NULL), KITH_OK);
    kith_world_free(world);
    Position position = {0, 0};
    const kith_prefab *prefab = kith_scene_prefab(scene, "p");
    CHECK_RESULT(kith_prefab_get(prefab, &Position_type, &position), KITH_OK);
    CHECK_FLOAT(position.x, 4);
    CHECK_STR(kith_scene_name(scene, 0), "e");
    kith_scene_free(scene);
}

TEST_WITHIN(10, many_entities_with_names)
{
    enum { COUNT = 20000 };
    fixture f = scene_fixture(KITH_TABLE);
    char *text = malloc(COUNT * 80);
    CHECK_PTR_NOT_NULL(text);
    size_t length = 0;
    for (int i = 0; i < COUNT; i++) {
        length += (size_t)sprintf(text + length,
                                  "entity n%d\nPosition { x = %d }\nParty { leader = n%d }\n", i, i,
                                  COUNT - 1 - i);
    }
    kith_scene *scene = load(&f, text);
    free(text);
    for (uint32_t i = 0; i < COUNT; i += 501) {
        char name[16];
        snprintf(name, sizeof name, "n%u", i);
        kith_entity entity = kith_scene_find(scene, name);
        CHECK_UINT(kith_entity_slot(entity), i);
        CHECK_FLOAT(KITH_GET(f.world, entity, Position)->x, i);
        CHECK_UINT(kith_entity_slot(KITH_GET(f.world, entity, Party)->leader), COUNT - 1 - i);
    }
    scene_end(&f, scene);
}

/* ---- What is wrong --------------------------------------------------------------------------- */

typedef struct wrong_scene {
    const char *text;
    uint32_t line;
    uint32_t column;
    const char *message;
} wrong_scene;

static const wrong_scene wrong_scenes[] = {
    {"Position", 1, 1,
     "expected \"entity\", \"prefab\", \"map\", \"resource\" or \"include\" before the first "
     "component, found \"Position\""},
    {"\n  entity 7", 2, 10,
     "expected a name, \":\" or the end of the line after \"entity\", found 7"},
    {"entity a b", 1, 10, "expected \":\" or the end of the line, found \"b\""},
    {"entity none", 1, 8, "expected another name: \"none\" means no entity"},
    {"entity a[1]", 1, 8,
     "expected a name, \":\" or the end of the line after \"entity\", found \"a[1]\""},
    {"entity Entity(1v1)", 1, 8,
     "expected a name, \":\" or the end of the line after \"entity\", found \"Entity(1v1)\""},
    {"entity a\n\nentity a", 3, 8, "expected another name: \"a\" is taken in line 1"},
    {"entity b\nParty { leader = a }\nentity a\nentity a", 4, 8,
     "expected another name: \"a\" is taken in line 3"},
    {"prefab\nentity", 2, 1, "expected a name after \"prefab\", found \"entity\""},
    {"prefab", 1, 7, "expected a name after \"prefab\", found the end of the text"},
    {"entity a :", 1, 11, "expected the name of a prefab after \":\", found the end of the text"},
    {"entity a : b c", 1, 14, "expected the end of the line, found \"c\""},
    {"entity\nPositon { x = 1 }", 2, 1,
     "expected \"entity\", \"prefab\", \"map\", \"resource\", \"include\", \"child\" or a component"
     " (did you mean Position?), found \"Positon\""},
    {"entity\nentty", 2, 1,
     "expected \"entity\", \"prefab\", \"map\", \"resource\", \"include\", \"child\" or a component"
     " (did you mean entity?), found \"entty\""},
    {"entity\n{ x = 1 }", 2, 1,
     "expected \"entity\", \"prefab\", \"map\", \"resource\", \"include\", \"child\" or a "
     "component (there "
     "are Aligned, Big, Burning,"
     " Byte, Extra, Frozen, Health, Name, Padded, Party, Position, Target, Velocity), found \"{\""},
    {"entity\nPosition\nFrozen\nPosition { x = 1 }", 4, 1,
     "expected a component once, found Position again"},
    {"entity\nPosition x = 1", 2, 10, "expected \"{\" or the end of the line, found \"x\""},
    {"entity\nPosition { x = 1 } y", 2, 20, "expected the end of the line, found \"y\""},
    {"entity\nPosition { z = 1 }", 2, 12,
     "expected a field of Position (there are x, y), found \"z\""},
    {"entity\nPosition { x = ten }", 2, 16,
     "expected a number for Position.x, found \"ten\""},
    {"entity\nPosition { x = 1", 2, 17,
     "expected , or } after a field of Position, found the end of the text"},
    {"entity\nFrozen { deep = 1 }", 2, 10, 
     "expected }, as Frozen has no fields, found \"deep\""},
    {"entity\n- Position", 2, 1,
     "expected a component that is inherited, found Position, which is not"},
    {"prefab p\nFrozen\nentity : p\nBurning\n-Burning", 5, 1,
     "expected a component that is inherited, found Burning, which has a line of its own"},
    {"prefab p\nFrozen\nentity : p\n-\nFrozen", 5, 1,
     "expected a component after \"-\", found \"Frozen\""},
    {"entity hero\nParty { leader = hreo }", 2, 18,
     "expected the name of an entity of this scene (did you mean hero?), found \"hreo\""},
    {"entity\nParty { leader = Entity(0v0) }", 2, 18,
     "expected the name of an entity of this scene, found \"Entity(0v0)\""},
    {"entity\nParty { leader = 3 }", 2, 18,
     "expected the name of an entity, or none, for Party.leader, found 3"},
    /* The first in the text, though the lines of what extends are read later, and of what waits last. */
    {"entity a : p\nParty { leader = x }\nentity\nParty { leader = yy }\nprefab p\nFrozen", 2, 18,
     "expected the name of an entity of this scene (there are a), found \"x\""},
    {"entity : q\nParty { leader = one }\nentity : p\nParty { leader = two }\nprefab p\n"
     "Party { leader = three }\nprefab q : p",
     2, 18, "expected the name of an entity of this scene, found \"one\""},
    {"prefab p\nentity\nParty { leader = p }", 3, 18,
     "expected the name of an entity of this scene, found \"p\""},
    {"entity : goblni\nprefab goblin", 1, 10,
     "expected a prefab of this scene (did you mean goblin?), found \"goblni\""},
    {"entity a\nentity : a", 2, 10, "expected a prefab of this scene, found \"a\""},
    {"prefab a : a", 1, 12, "expected a prefab that does not extend itself, found a : a"},
    {"prefab a:b\nprefab b:c\nprefab c:b\nentity : a", 3, 10,
     "expected a prefab that does not extend itself, found b : c : b"},
    {"entity\n\x01", 2, 1, "expected text, found the byte 0x01"},
};

TEST_EACH_LAYOUT(what_is_wrong_is_told_and_changes_nothing, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene_free(load(&f, party));
    const uint64_t before = kith_world_hash(f.world);
    for (size_t i = 0; test_row(i, ROWS_OF(wrong_scenes)); i++) {
        const wrong_scene *wrong = &wrong_scenes[i];
        char text[512];
        snprintf(text, sizeof text, "%s", wrong->text);
        test_note(wrong->text);
        kith_scene *scene = NULL;
        kith_scene_error error;
        CHECK_RESULT(kith_scene_load(f.world, text, strlen(text), &scene, &error), KITH_ERR_INPUT);
        CHECK_STR(error.message, wrong->message);
        CHECK_UINT(error.line, wrong->line);
        CHECK_UINT(error.column, wrong->column);
        CHECK_STR(error.file, "");
        CHECK_PTR_NULL(scene);
        CHECK(kith_world_hash(f.world) == before);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}

typedef struct Sign {
    kith_text text, others[2];
} Sign;
KITH_TYPE(Sign, KITH_FIELD(Sign, text), KITH_FIELD(Sign, others));

/* Arrays of texts, of which some are the same, some empty, some inherited; the world knows some
 * already. */
TEST_EACH_LAYOUT(every_text_of_an_array_is_interned, layout)
{
    fixture f = scene_fixture_with(&Sign_type, layout);
    kith_text known;
    for (int i = 0; i < 9; i++) {
        char text[8];
        snprintf(text, sizeof text, "k%d", i);
        CHECK_RESULT(kith_text_intern(f.world, text, &known), KITH_OK);
    }
    kith_scene *scene = load(&f, "prefab p\nSign { text = \"one\", others = [\"two\", \"k8\"] }\n"
                                 "entity : p\n"
                                 "entity : p\nSign { text = \"two\" }\n"
                                 "entity\nSign { others = [\"\", \"three\"] }\n"
                                 "entity : p\nSign { others = [\"three\", \"one\"] }\n");
    static const char *const expected[][3] = {
        {"one", "two", "k8"}, {"two", "two", "k8"}, {"", "", "three"}, {"one", "three", "one"}};
    for (uint32_t i = 0; i < 4; i++) {
        const Sign *sign = KITH_GET(f.world, kith_scene_at(scene, i), Sign);
        CHECK_STR(kith_text_get(f.world, sign->text, NULL), expected[i][0]);
        CHECK_STR(kith_text_get(f.world, sign->others[0], NULL), expected[i][1]);
        CHECK_STR(kith_text_get(f.world, sign->others[1], NULL), expected[i][2]);
    }
    CHECK_UINT(kith_memory(f.world).text_count, 9 + 3);
    scene_end(&f, scene);
}

/* Texts become the world's when all of a scene is known to be right, whoever inherits them. */
TEST_EACH_LAYOUT(texts_are_interned_last, layout)
{
    fixture f = scene_fixture_with(&Sign_type, layout);
    static const char right[] = "entity : board\nSign { others = [\"b\", \"\"] }\n"
                                "prefab post\nSign { text = \"a\", others = [\"a\", \"b\"] }\n"
                                "prefab board : post\nSign { text = \"c\" }\nentity : post\n";
    static const char *const wrong[] = {"entity\nSign { text = \"d\" } x", "entity : nobody",
                                        "map\nx", "entity\nParty { leader = nobody }"};
    for (size_t i = 0; test_row(i, ROWS_OF(wrong)); i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", right, wrong[i]);
        test_note(wrong[i]);
        CHECK_RESULT(kith_scene_load(f.world, text, strlen(text), NULL, NULL), KITH_ERR_INPUT);
        CHECK_UINT(kith_memory(f.world).text_count, 0);
    }
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_load(f.world, right, strlen(right), &scene, NULL), KITH_OK);
    CHECK_UINT(kith_memory(f.world).text_count, 3);
    static const char *const printed[] = {"Sign { text = \"c\", others = [\"b\", \"\"] }\n",
                                          "Sign { text = \"a\", others = [\"a\", \"b\"] }\n"};
    for (uint32_t i = 0; i < 2; i++) {
        char text[128];
        CHECK_RESULT(kith_print_entity(f.world, kith_scene_at(scene, i), text, sizeof text, NULL),
                     KITH_OK);
        CHECK_STR(text, printed[i]);
    }
    Sign sign;
    CHECK_RESULT(kith_prefab_get(kith_scene_prefab(scene, "board"), &Sign_type, &sign), KITH_OK);
    CHECK_STR(kith_text_get(f.world, sign.others[1], NULL), "b");
    scene_end(&f, scene);
}

/* Zero bytes, and every cut: no byte behind the end is looked at (AddressSanitizer sees to that). */
TEST(any_bytes_are_safe)
{
    fixture f = scene_fixture(KITH_TABLE);
    for (size_t length = 0; length < sizeof party; length++) {
        char *cut = malloc(length + 1);
        CHECK_PTR_NOT_NULL(cut);
        memcpy(cut, party, length);
        char *whole = realloc(cut, length == 0 ? 1 : length);
        CHECK_PTR_NOT_NULL(whole);
        kith_scene *scene = NULL;
        kith_result result = kith_scene_parse(f.world, whole, length, &scene, NULL);
        CHECK(result == KITH_OK || result == KITH_ERR_INPUT);
        CHECK_INT(scene != NULL, result == KITH_OK);
        kith_scene_free(scene);
        free(whole);
    }
    kith_scene_error error;
    CHECK_RESULT(kith_scene_load(f.world, "entity\0", 7, NULL, &error), KITH_ERR_INPUT);
    CHECK_STR(error.message, "expected text, found the byte 0x00");
    fixture_free(&f);
}

/* ---- Files ----------------------------------------------------------------------------------- */

TEST(files_are_named_in_errors)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene_error error;
    CHECK_RESULT(kith_scene_load_file(f.world, "no/such.kith", NULL, &error), KITH_ERR_IO);
    CHECK_STR(error.file, "no/such.kith");
    CHECK_STR(error.message, "No such file or directory");
    CHECK_STR(kith_error(f.world), "no/such.kith: No such file or directory");
    CHECK_UINT(error.line, 0);
    CHECK_RESULT(kith_scene_load_file(f.world, "/", NULL, &error), KITH_ERR_IO);

    char path[] = "test_scene_load.kith";
    FILE *file = fopen(path, "wb");
    CHECK_PTR_NOT_NULL(file);
    fputs("prefab p\n\nentity a : q\n", file);
    fclose(file);
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_load_file(f.world, path, NULL, &error), KITH_ERR_INPUT);
    CHECK_STR(error.file, path);
    CHECK_UINT(error.line, 3);
    CHECK_RESULT(kith_scene_parse_file(f.world, path, &scene, &error), KITH_ERR_INPUT);
    CHECK_UINT(error.column, 12);
    CHECK_CONTAINS(kith_error(f.world), "test_scene_load.kith:3:12: expected a prefab");

    file = fopen(path, "wb");
    CHECK_PTR_NOT_NULL(file);
    for (int i = 0; i < 5000; i++) { /* more than is read at once */
        fprintf(file, "entity\n  Position { x = %d }\n", i);
    }
    fclose(file);
    CHECK_RESULT(kith_scene_load_file(f.world, path, &scene, &error), KITH_OK);
    CHECK_UINT(kith_scene_count(scene), 5000);
    CHECK_FLOAT(KITH_GET(f.world, kith_scene_at(scene, 4999), Position)->x, 4999);
    kith_scene_free(scene);
    remove(path);
    fixture_free(&f);
}

/* Nor does a text name it. */
TEST(a_component_with_hooks_is_not_loaded)
{
    fixture f = scene_fixture(KITH_TABLE);
    const kith_hooks hooks = {0};
    CHECK_RESULT(kith_register(f.world, &Kinds_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_OK);
    kith_scene_error error;
    static const char text[] = "entity\n    Kinds { }\n";
    CHECK_RESULT(kith_scene_load(f.world, text, sizeof text - 1, NULL, &error), KITH_ERR_INPUT);
    CHECK_STR(error.message, "expected a component whose values have no hooks, found \"Kinds\"");
    CHECK_UINT(error.line, 2);
    CHECK_UINT(error.column, 5);
    static const char map[] = "map\nacross Kinds.i32\n";
    CHECK_RESULT(kith_scene_load(f.world, map, sizeof map - 1, NULL, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message, "expected a component whose values have no hooks");
    CHECK_UINT(kith_entity_count(f.world), 0);
    fixture_free(&f);
}

/* A scene is loaded as a whole: if two would have the same unique key, nobody comes. */
TEST_EACH_LAYOUT(a_scene_in_which_two_have_a_key_is_not_loaded, layout)
{
    static const char twice[] = "entity a\n    Health { current = 7 }\n"
                                "entity b\n    Position\n    Health { current = 7, max = 9 }\n";
    static const char once[] = "entity a\n    Health { current = 7 }\nentity b\n    Health\n";
    fixture f = scene_fixture(layout);
    kith_scene *scene = NULL;
    kith_scene_error error;
    CHECK_RESULT(KITH_UNIQUE(f.world, Health, current), KITH_OK);
    CHECK_RESULT(kith_scene_load(f.world, twice, strlen(twice), &scene, &error), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "would have the same Health: current 7");
    CHECK_PTR_NULL(scene);
    CHECK_UINT(kith_entity_count(f.world), 0);
    CHECK_WORLD(f.world);
    scene = load(&f, once);
    CHECK_SAME(KITH_FIND_UNIQUE(f.world, Health, {.current = 7}), kith_scene_at(scene, 0));
    CHECK_RESULT(kith_scene_spawn(scene), KITH_ERR_CONFLICT); /* once more */
    CHECK_UINT(kith_entity_count(f.world), 2);
    CHECK_WORLD(f.world);
    scene_end(&f, scene);
}
