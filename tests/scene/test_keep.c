/* Scenes that are saved as the text that they were read from. */
#include <kith/kith.h>

#include "scenes.h"

static kith_result keep(fixture *f, const kith_scene *scene, uint32_t file, saved_text *saved,
                        kith_scene_error *error)
{
    const kith_scene_save_def def = {.scene = scene, .file = file};
    saved->length = 0;
    saved->bytes[0] = '\0';
    return kith_scene_save(f->world, &def, write_saved, saved, error);
}

/* ---- Nothing changed --------------------------------------------------------------------------- */

static const char *const unchanged[] = {
    "",
    "\n",
    "# nothing but this",
    "\xef\xbb\xbf# mark\r\nentity a\r\n\tPosition{x=1,}#\r\n\r\n",
    "entity",
    "prefab a:b # x\n  Position { x=16.0 , y = 1e3,}\nprefab b\n  Byte\n\n\n\nentity x:a\n"
    "- Byte  # gone\n   Position { y\n=\n# in it\n3 }\n\n\n# end\n",
    "prefab p\n  Position { x = 1 }\n  Frozen\nentity : p\n  - Position\n  - Frozen\n  Position\n"
    "  Frozen\n",
    "resource Health { max = 3 } # here\nresource Byte\n\nentity q\n  Party { members = [ q,none ] "
    "}\n",
    "prefab g\nmap\n  across Position.x\n  down Position.y\n  'g' = g\n  '.' = g\n\n  |g. |\n # c\n"
    "  ||\n  |  g\x7c\n  # after\nentity\n",
    "entity\n  \"Byte\" { \"value\" = 0x3 }\n",
    "prefab p\n  Disabled\nentity : p\n  - Disabled # not registered by then\nentity : p\n",
    "entity a\n    Name { text = \"} # \\\" { \" } # } {\nentity b\n    Target { entity = a }",
};

TEST_EACH_LAYOUT(what_did_not_change_is_the_same_text, layout)
{
    static saved_text saved;
    for (size_t i = 0; i < sizeof unchanged / sizeof unchanged[0]; i++) {
        fixture f = scene_fixture(layout);
        kith_scene *scene = NULL;
        size_t length = strlen(unchanged[i]);
        test_note(unchanged[i]);
        kith_scene_error error = {.message = ""};
        kith_scene_parse(f.world, unchanged[i], length, &scene, &error);
        CHECK_STR(error.message, "");
        CHECK_RESULT(keep(&f, scene, 0, &saved, NULL), KITH_OK);
        CHECK_STR(saved.bytes, unchanged[i]);
        for (int times = 0; times < 2; times++) {
            CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
            CHECK_RESULT(keep(&f, scene, 0, &saved, NULL), KITH_OK);
            CHECK_STR(saved.bytes, unchanged[i]);
        }
        kith_scene_free(scene);
        fixture_free(&f);
    }
}

/* ---- Something did ----------------------------------------------------------------------------- */

/* A change of the world, and what becomes of the text. */
typedef struct change {
    const char *name;
    const char *text;
    void (*make)(fixture *f, kith_scene *scene);
    const char *expected;
    bool moves; /* entities get other slots when the text is loaded again */
} change;

static kith_entity find(const kith_scene *scene, const char *name)
{
    kith_entity entity = kith_scene_find(scene, name);
    CHECK(!kith_is_none(entity));
    return entity;
}

static void move_a(fixture *f, kith_scene *scene)
{
    KITH_SET(f->world, find(scene, "a"), Position, {7, 2});
}

static void set_all(fixture *f, kith_scene *scene)
{
    KITH_SET(f->world, find(scene, "a"), Position, {7, 8});
    KITH_SET(f->world, find(scene, "b"), Health, {1, 2});
    KITH_SET(f->world, find(scene, "c"), Name, {"\"}"});
}

static void get_and_lose(fixture *f, kith_scene *scene)
{
    kith_entity a = find(scene, "a");
    CHECK_RESULT(KITH_REMOVE(f->world, a, Position), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f->world, a, Byte), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f->world, a, Health), KITH_OK);
    KITH_SET(f->world, a, Velocity, {1, 2});
    KITH_ADD(f->world, a, Frozen);
    KITH_SET(f->world, a, Name, {"x"});
    KITH_SET(f->world, find(scene, "b"), Byte, {3});
}

static void rename_all(fixture *f, kith_scene *scene)
{
    (void)f;
    CHECK_RESULT(kith_scene_set_name(scene, 0, "long_name"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 1, "a"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 2, "c"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 3, ""), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 4, ""), KITH_OK);
}

static void end_b(fixture *f, kith_scene *scene)
{
    CHECK_RESULT(kith_despawn(f->world, find(scene, "b")), KITH_OK);
}

static void end_all(fixture *f, kith_scene *scene)
{
    for (uint32_t i = 0; i < kith_scene_count(scene); i++) {
        CHECK_RESULT(kith_despawn(f->world, kith_scene_at(scene, i)), KITH_OK);
    }
}

static void add_some(fixture *f, kith_scene *scene)
{
    kith_entity one = KITH_SPAWN(f->world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen));
    const kith_prefab *p = kith_scene_prefab(scene, "p");
    kith_entity two =
        KITH_SPAWN_FROM(f->world, p, KITH_VALUE(Health, {5, 9}), KITH_VALUE(Target, {one}));
    CHECK_RESULT(KITH_REMOVE(f->world, two, Byte), KITH_OK);
    CHECK_RESULT(kith_scene_add(scene, one, NULL, NULL), KITH_OK);
    CHECK_RESULT(kith_scene_add(scene, two, p, NULL), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 2, "two"), KITH_OK);
    KITH_SET(f->world, find(scene, "a"), Target, {two});
    kith_entity outside = kith_spawn_empty(f->world); /* of no scene */
    CHECK_RESULT(kith_despawn(f->world, outside), KITH_OK);
}

static void change_resources(fixture *f, kith_scene *scene)
{
    KITH_RESOURCE_SET(f->world, Health, {4, 3});
    KITH_RESOURCE_SET(f->world, Target, {find(scene, "b")});
    KITH_RESOURCE_SET(f->world, Velocity, {1, 1});
    CHECK_RESULT(kith_resource_remove(f->world, &Byte_type), KITH_OK);
}

static void change_drawn(fixture *f, kith_scene *scene)
{
    KITH_SET(f->world, kith_scene_at(scene, 0), Position, {9, 0.5f});
    CHECK_RESULT(kith_despawn(f->world, kith_scene_at(scene, 1)), KITH_OK);
    KITH_ADD(f->world, kith_scene_at(scene, 3), Frozen);
    CHECK_RESULT(kith_scene_set_name(scene, 4, "last"), KITH_OK);
}

static void refer_to_drawn(fixture *f, kith_scene *scene)
{
    KITH_SET(f->world, find(scene, "a"), Target, {kith_scene_at(scene, 0)});
}

static void change_members(fixture *f, kith_scene *scene)
{
    kith_entity a = find(scene, "a");
    KITH_SET(f->world, a, Party, {.size = 2, .members = {a, find(scene, "b")}});
    CHECK_RESULT(kith_scene_set_name(scene, 1, "bb"), KITH_OK);
}

static void swap_names(fixture *f, kith_scene *scene)
{
    (void)f;
    CHECK_RESULT(kith_scene_set_name(scene, 0, "x"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 1, "a"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 0, "b"), KITH_OK);
}

static void give_name_on(fixture *f, kith_scene *scene)
{
    kith_entity b = find(scene, "b");
    CHECK_RESULT(kith_despawn(f->world, b), KITH_OK);
    kith_entity other = KITH_SPAWN(f->world, KITH_VALUE(Byte, {4}));
    CHECK_RESULT(kith_scene_add(scene, other, NULL, NULL), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 2, "b"), KITH_OK);
    KITH_SET(f->world, find(scene, "a"), Target, {other});
}

static const change changes[] = {
    {"a value", "# x\nentity a\n    Position { x=5, # left\n      y = 2 }  # here\nentity\n",
     move_a, "# x\nentity a\n    Position { x=7, # left\n      y = 2 }  # here\nentity\n", false},
    {"fields that had none",
     "entity a\n  Position\nentity b # b\n  Health {} # h\nentity c\n  Name { } # c", set_all,
     "entity a\n  Position { x = 7, y = 8 }\nentity b # b\n  Health { current = 1, max = 2 } # h\n"
     "entity c\n  Name { text = \"\\\"}\" } # c",
     false},
    {"fields after others",
     "entity a\n  Position{y=1,}\nentity b\n  Health { max = 2\n # more\n}\nentity c\n Name {}",
     set_all,
     "entity a\n  Position{y=8, x = 7,}\nentity b\n  Health { max = 2, current = 1\n # more\n}\n"
     "entity c\n Name { text = \"\\\"}\" }",
     false},
    {"what is inherited",
     "prefab p\n  Position { x = 1, y = 2 }\n  Health\n  Name\nentity a : p\nentity b : p\n"
     "  # b\n  Health { max = 2 }\n# of c\nentity c : p # more\n\n",
     set_all,
     "prefab p\n  Position { x = 1, y = 2 }\n  Health\n  Name\nentity a : p\n"
     "    Position { x = 7, y = 8 }\nentity b : p\n"
     "  # b\n  Health { max = 2, current = 1 }\n# of c\nentity c : p # more\n"
     "    Name { text = \"\\\"}\" }\n\n",
     false},
    {"components",
     "prefab p\n  Byte\n  Health\n  Velocity\nentity a : p\n\tPosition\n\tHealth { max = 3 } # h\n"
     "\t- Velocity # v\n\nentity b",
     get_and_lose,
     "prefab p\n  Byte\n  Health\n  Velocity\nentity a : p\n\t- Health # h\n"
     "\tVelocity { dx = 1, dy = 2 } # v\n\tFrozen\n\tName { text = \"x\" }\n\t- Byte\n\n"
     "entity b\n    Byte { value = 3 }\n",
     false},
    {"components without prefabs",
     "entity a\r\n  Position\r\n  Byte # b\r\n  # more\r\n  Health\r\n\r\nentity b\r\n",
     get_and_lose,
     "entity a\r\n  # more\r\n  Frozen\r\n  Name { text = \"x\" }\r\n"
     "  Velocity { dx = 1, dy = 2 }\r\n\r\nentity b\r\n    Byte { value = 3 }\r\n",
     false},
    {"names",
     "prefab p # a\n  Target { entity = a } # a\nentity a:p\nentity b : p\n  Target { entity = c2 "
     "}\n"
     "entity\nentity c2\nentity d: p\nresource Party { members = [b, a] }",
     rename_all,
     "prefab p # a\n  Target { entity = long_name } # a\nentity long_name:p\nentity a : p\n"
     "  Target { entity = e4 }\nentity c\nentity e4\nentity : p\n"
     "resource Party { members = [a, long_name] }",
     false},
    {"names that change places",
     "entity a\n  Target { entity = b }\nentity b\n  Target { entity = a }", swap_names,
     "entity b\n  Target { entity = a }\nentity a\n  Target { entity = b }", false},
    {"an end",
     "# of all\n\n# a\nentity a\n  Byte # c\n\n# b\n# bb\nentity b # b\n  # b\n  Byte\n"
     "  # b\n\n  \n# c\nentity\n",
     end_b, "# of all\n\n# a\nentity a\n  Byte # c\n\n# c\nentity\n", true},
    {"an end at the end", "entity a\n  Byte\n  # of a\n\n# b\nentity b\n\n", end_b,
     "entity a\n  Byte\n  # of a\n", false},
    {"an end after comments of another", "entity a\n  Byte\n  # of a\n# b\nentity b\nprefab p\n",
     end_b, "entity a\n  Byte\n  # of a\nprefab p\n", false},
    {"an end between", "entity a\n# b\nentity b\nprefab p\n", end_b, "entity a\nprefab p\n", false},
    {"all ends", "# top\n\nentity a\n\n\nentity b\n  Byte\n", end_all, "# top\n\n", false},
    {"more", "prefab p\n  Health { max = 9 }\n  Byte\nentity a\n  Target\nentity\n# end", add_some,
     "prefab p\n  Health { max = 9 }\n  Byte\nentity a\n  Target { entity = e4 }\nentity\n# end\n"
     "\nentity two\n    Frozen\n    Position { x = 1, y = 2 }\n"
     "\nentity e4 : p\n    Health { current = 5 }\n    Target { entity = two }\n    - Byte\n",
     false},
    {"resources",
     "resource Health { max = 3 } # h\nresource Target # t\n\n# b\nresource Byte\n"
     "entity b\n",
     change_resources,
     "resource Health { max = 3, current = 4 } # h\nresource Target { entity = b } # t\n\nentity "
     "b\n",
     false},
    {"what is drawn",
     "prefab g\n  Byte\nmap # m\n  across Position.x\n  down Position.y\n  'g' = g # not g\n  "
     "|gg.| # 1\n  |gg |\n"
     "# x\nentity q",
     change_drawn,
     "prefab g\n  Byte\nmap # m\n  across Position.x\n  down Position.y\n  'g' = g # not g\n  | "
     "..| # 1\n  |g  |\n"
     "\nentity : g\n    Position { x = 9, y = 0.5 }\n"
     "\nentity : g\n    Frozen\n    Position { x = 1, y = 1 }\n"
     "# x\nentity last",
     true},
    {"what is drawn in points",
     "prefab g\n  Byte\nprefab h\nmap\n  across Position.x\n  down Position.y\n  'g' = g\n  '.' = "
     "h\n"
     "  |gg..|\n  |.|",
     change_drawn,
     "prefab g\n  Byte\nprefab h\nmap\n  across Position.x\n  down Position.y\n  'g' = g\n  '.' = "
     "h\n"
     "  |  . |\n  | |\n"
     "\nentity : g\n    Position { x = 9, y = 0.5 }\n"
     "\nentity : h\n    Frozen\n    Position { x = 3, y = 0 }\n"
     "\nentity last : h\n    Position { x = 0, y = 1 }\n",
     true},
    {"what is referred to",
     "prefab g\nmap\n  'g' = g\n  across Position.x\n  down Position.y\n  |.g.|\n"
     "entity a\n  Target\n",
     refer_to_drawn,
     "prefab g\nmap\n  'g' = g\n  across Position.x\n  down Position.y\n  |...|\n"
     "\nentity e1 : g\n    Position { x = 1, y = 0 }\n"
     "entity a\n  Target { entity = e1 }\n",
     false},
    {"lists", "entity a\n  Party { members = [ b,# x\n none ], leader = b }\nentity b\n",
     change_members,
     "entity a\n  Party { members = [a, bb], leader = none, size = 2 }\nentity bb\n", false},
    {"a value from zero on",
     "prefab p\n  Position { x = 1, y = 2 }\nentity a : p\n  - Position # p\n  Position { y = 2 "
     "}\n",
     move_a,
     "prefab p\n  Position { x = 1, y = 2 }\nentity a : p\n  - Position # p\n"
     "  Position { y = 2, x = 7 }\n",
     false},
    {"a value from zero on that is lost",
     "prefab p\n  Byte\n  Health\n  Position\nentity a : p\n  - Health\n  - Position # p\n"
     "  Position\n  Health # h\nentity b\n",
     get_and_lose,
     "prefab p\n  Byte\n  Health\n  Position\nentity a : p\n  - Health\n  - Position # p\n"
     "  Frozen\n  Name { text = \"x\" }\n  Velocity { dx = 1, dy = 2 }\n  - Byte\n"
     "entity b\n    Byte { value = 3 }\n",
     false},
    {"lines after the last one",
     "prefab p\n  Byte\n  Health\n  Velocity\nentity b\nentity a : p\n  Position # p", get_and_lose,
     "prefab p\n  Byte\n  Health\n  Velocity\nentity b\n    Byte { value = 3 }\nentity a : p\n"
     "  Frozen\n  Name { text = \"x\" }\n  Velocity { dx = 1, dy = 2 }\n  - Byte\n  - Health\n",
     false},
    {"a name that is given on", "prefab p\n  Target { entity = b }\nentity a : p\nentity b\n",
     give_name_on,
     "prefab p\n  Target { entity = b }\nentity a : p\n    Target { entity = b }\n"
     "\nentity b\n    Byte { value = 4 }\n",
     true},
};

TEST_EACH_LAYOUT(only_what_changed_is_another_text, layout)
{
    static saved_text saved;
    static saved_text second;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const change *c = &changes[i];
        fixture f = scene_fixture(layout);
        test_note(c->name);
        kith_scene *scene = load(&f, c->text);
        c->make(&f, scene);
        kith_scene_error error = {.message = ""};
        kith_result result = keep(&f, scene, 0, &saved, &error);
        CHECK_STR(error.message, "");
        CHECK_RESULT(result, KITH_OK);
        CHECK_STR(saved.bytes, c->expected);
        CHECK_RESULT(keep(&f, scene, 0, &second, &error), KITH_OK);
        CHECK_STR(second.bytes, saved.bytes);

        fixture again = scene_fixture(layout);
        kith_scene *loaded = load(&again, saved.bytes);
        if (strcmp(c->name, "resources") == 0) {
            CHECK_RESULT(kith_resource_remove(f.world, &Velocity_type), KITH_OK);
        }
        CHECK_UINT(kith_entity_count(again.world), kith_entity_count(f.world));
        CHECK((kith_content_hash(again.world) == kith_content_hash(f.world)) || c->moves);
        CHECK_RESULT(keep(&again, loaded, 0, &second, &error), KITH_OK);
        CHECK_STR(second.bytes, saved.bytes);
        kith_scene_free(loaded);
        fixture_free(&again);
        kith_scene_free(scene);
        fixture_free(&f);
    }
}

/* A line about a type that nobody has registered by then is not taken for one about another type. */
TEST(a_removal_of_what_is_not_registered_stays)
{
    static saved_text saved;
    static const char text[] = "prefab p\n  Disabled\nentity a : p\n  - Disabled\nentity b\n";
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_load(f.world, text, strlen(text), &scene, NULL), KITH_OK);
    kith_entity a = kith_scene_find(scene, "a");
    CHECK_RESULT(kith_set_parent(f.world, a, kith_scene_find(scene, "b")), KITH_OK);
    CHECK_RESULT(keep(&f, scene, 0, &saved, NULL), KITH_OK);
    CHECK_CONTAINS(saved.bytes, "entity a : p\n  - Disabled\n");
    CHECK_CONTAINS(saved.bytes, "ChildOf { target = b }");
    kith_scene_free(scene);
    fixture_free(&f);
}
