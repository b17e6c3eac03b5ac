/* Scenes, saved: the text is readable, and loads as the same. */
#define _POSIX_C_SOURCE 200809L /* symlink */

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(_WIN32)
#include <direct.h>
#define MAKE_DIRECTORY(path) _mkdir(path)
#define NOT_A_FILE "Permission denied"
#else
#define MAKE_DIRECTORY(path) mkdir((path), 0700)
#define NOT_A_FILE "what is there is not a file"
#endif

#include "kinds.h"
#include "label.h"
#include "owned.h"
#include "scenes.h"

static const char text[] = "entity boss\n"
                           "    Frozen\n"
                           "    Health { current = 3, max = 4 }\n"
                           "    Position { x = 5, y = 10.5 }\n"
                           "\n"
                           "entity\n"
                           "    Name { text = \"a \\\"b\\\"\\n\" }\n"
                           "\n"
                           "entity e3\n"
                           "    Party { leader = boss, size = 2, members = [e3, none] }\n"
                           "\n"
                           "entity\n";

static kith_result save(fixture *f, const kith_scene_save_def *def, saved_text *saved,
                        kith_scene_error *error)
{
    saved->length = 0;
    saved->bytes[0] = '\0';
    return kith_scene_save(f->world, def, write_saved, saved, error);
}

/* Loads what was saved into `again`, and ends that world. */
static void check_loads_as(const fixture *f, const saved_text *saved, fixture *again)
{
    kith_scene_free(load(again, saved->bytes));
    CHECK(kith_content_hash(again->world) == kith_content_hash(f->world));
    fixture_free(again);
}

TEST_EACH_LAYOUT(what_is_saved_loads_as_the_same, layout)
{
    static saved_text saved;
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, text);
    CHECK_RESULT(save(&f, &(kith_scene_save_def){.names = scene}, &saved, NULL), KITH_OK);
    CHECK_STR(saved.bytes, text);
    CHECK_RESULT(save(&f, NULL, &saved, NULL), KITH_OK);
    CHECK(strncmp(saved.bytes, "entity e1\n", 10) == 0);
    CHECK_CONTAINS(saved.bytes, "Party { leader = e1, size = 2, members = [e3, none] }");

    fixture again = scene_fixture(layout);
    kith_scene_free(load(&again, saved.bytes));
    CHECK(kith_content_hash(again.world) == kith_content_hash(f.world));
    CHECK(kith_world_hash(again.world) == kith_world_hash(f.world));
    fixture_free(&again);
    scene_end(&f, scene);
}

KITH_COMPONENT(Mark, (uint32_t, color));

/* Transient components are left out of a new text and of one that is edited, whether they have hooks or
 * not. */
TEST_EACH_LAYOUT(what_is_transient_is_not_saved, layout)
{
    static saved_text saved;
    fixture f = scene_fixture(layout);
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    kith_component_def def = {.layout = KITH_SLOT, .transient = true};
    CHECK_RESULT(kith_register(f.world, &Mark_type, &def), KITH_OK);
    def.hooks = &hooks;
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    kith_scene *scene = load(&f, "entity boss\n    Mark { color = 1 }\n    Health { max = 4 }\n");
    kith_entity boss = kith_scene_find(scene, "boss");
    CHECK_RESULT(kith_add(f.world, boss, &Owned_type), KITH_OK);
    CHECK_RESULT(save(&f, NULL, &saved, NULL), KITH_OK);
    CHECK_STR(saved.bytes, "entity\n    Health { current = 0, max = 4 }\n");
    CHECK_RESULT(save(&f, &(kith_scene_save_def){.scene = scene}, &saved, NULL), KITH_OK);
    CHECK_STR(saved.bytes, "entity boss\n    Health { max = 4 }\n");
    kith_scene_free(scene);
    fixture_free(&f);
}

/* The bytes come in pieces, with the rest of the world still to be read. */
static bool write_and_despawn(void *context, const char *bytes, size_t count)
{
    fixture *f = context;
    (void)bytes;
    (void)count;
    kith_world_free(f->world);
    expect_misuse(f, "kith_world_free: kith_scene_save is under way");
    CHECK_UINT(kith_queries_close(f->world), 0);
    expect_misuse(f, "kith_queries_close: kith_scene_save is under way");
    CHECK_RESULT(kith_despawn(f->world, kith_entity_next(f->world, KITH_NONE)), KITH_ERR_MISUSE);
    expect_misuse(f, "kith_despawn: the world is being iterated (opened by kith_scene_save)");
    return true;
}

TEST_EACH_LAYOUT(a_world_is_not_changed_while_it_is_saved, layout)
{
    fixture f = scene_fixture(layout);
    for (uint32_t i = 0; i < 500; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    }
    kith_scene_error error;
    CHECK_RESULT(kith_scene_save(f.world, NULL, write_and_despawn, &f, &error), KITH_OK);
    CHECK_UINT(kith_entity_count(f.world), 500);
    CHECK_RESULT(kith_despawn(f.world, kith_entity_next(f.world, KITH_NONE)), KITH_OK);
    fixture_free(&f);
}

/* Entities are saved in the order of their slots, and refer to each other, in whichever order a
 * query finds them: two of two tables here. */
TEST_EACH_LAYOUT(what_a_query_finds_is_saved_in_order, layout)
{
    static saved_text saved;
    fixture f = scene_fixture(layout);
    kith_entity leader = KITH_SPAWN(f.world, KITH_VALUE(Party));
    kith_entity member =
        KITH_SPAWN(f.world, KITH_VALUE(Party, {.leader = leader}), KITH_VALUE(Frozen));
    KITH_GET_MUT(f.world, leader, Party)->members[1] = member;
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Party));
    CHECK(layout != KITH_TABLE || kith_entity_equal(kith_query_first(query), member));
    CHECK_RESULT(save(&f, &(kith_scene_save_def){.query = query}, &saved, NULL), KITH_OK);
    const char *first = strstr(saved.bytes, "entity e1\n");
    CHECK(first == saved.bytes);
    CHECK_CONTAINS(first, "Party { leader = none, size = 0, members = [none, e2] }");
    const char *second = strstr(saved.bytes, "\nentity e2\n");
    CHECK_PTR_NOT_NULL(second);
    CHECK_CONTAINS(second, "Party { leader = e1, size = 0, members = [none, none] }");
    kith_query_free(query);
    fixture_free(&f);
}

TEST(an_empty_world_is_an_empty_text)
{
    static saved_text saved;
    fixture f = scene_fixture(KITH_TABLE);
    CHECK_RESULT(save(&f, NULL, &saved, NULL), KITH_OK);
    CHECK_STR(saved.bytes, "");
    fixture_free(&f);
}

/* Every kind of field to the bit, in a value that is larger than the buffer as well. */
TEST(every_kind_is_saved)
{
    static saved_text saved;
    fixture f = scene_fixture(KITH_TABLE);
    CHECK_RESULT(kith_register(f.world, &Kinds_type, NULL), KITH_OK);
    Kinds kinds = {.i8 = -128,
                   .u64 = UINT64_MAX,
                   .f32 = 0.1f,
                   .f64 = -1.0 / 3,
                   .flag = true,
                   .letter = '\'',
                   .byte = 200,
                   .text = "\x01\xff#",
                   .reals = {-0.0, 1e300},
                   .bytes = {0, 1, 255}};
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Big));
    kinds.entity = e;
    kinds.entities[1] = e;
    CHECK_RESULT(kith_set(f.world, e, &Kinds_type, &kinds), KITH_OK);
    CHECK_RESULT(save(&f, NULL, &saved, NULL), KITH_OK);
    fixture again = scene_fixture(KITH_TABLE);
    CHECK_RESULT(kith_register(again.world, &Kinds_type, NULL), KITH_OK);
    check_loads_as(&f, &saved, &again);
    fixture_free(&f);
}

/* What has hooks is not written, though all of its fields could be: no text would make it again. That is
 * told, and nothing is dropped. */
TEST(a_value_with_hooks_is_told)
{
    static saved_text saved;
    const kith_type *const types[] = {&Owned_type, &Kinds_type};
    for (size_t i = 0; i < 2; i++) {
        fixture f = scene_fixture(KITH_TABLE);
        const kith_hooks none = {0};
        owned_record record = {0};
        const kith_hooks hooks = i == 0 ? owned_hooks(&record) : none;
        CHECK(!kith_has_hooks(f.world, types[i]));
        CHECK_RESULT(kith_register(f.world, types[i], &(kith_component_def){.hooks = &hooks}),
                     KITH_OK);
        CHECK(kith_has_hooks(f.world, types[i]) && !kith_has_hooks(f.world, &Position_type));
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        CHECK_RESULT(kith_add(f.world, e, types[i]), KITH_OK);
        kith_scene_error error;
        CHECK_RESULT(save(&f, NULL, &saved, &error), KITH_ERR_INPUT);
        CHECK_CONTAINS(error.message, types[i]->name);
        CHECK_CONTAINS(error.message, "of Entity(0v0), whose values have hooks");
        CHECK_STR(saved.bytes, "");
        fixture_free(&f);
        CHECK_UINT(record.live, 0);
    }
}

/* Whoever is referred to from anywhere in an array gets a name, and nobody else. */
TEST_EACH_LAYOUT(all_that_are_referred_to_have_names, layout)
{
    static saved_text saved;
    for (int place = 0; place < 3; place++) {
        fixture f = scene_fixture(layout);
        fixture again = scene_fixture(layout);
        kith_entity target = kith_spawn_empty(f.world);
        kith_spawn_empty(f.world);
        Party party = {.size = 3};
        *(place == 0 ? &party.leader : &party.members[place - 1]) = target;
        kith_entity e = kith_spawn_empty(f.world);
        CHECK_RESULT(KITH_SET(f.world, e, Party, party), KITH_OK);
        CHECK_RESULT(save(&f, NULL, &saved, NULL), KITH_OK);
        static const char named[] = "entity e1\n\nentity\n\nentity\n    Party ";
        CHECK(strncmp(saved.bytes, named, sizeof named - 1) == 0);
        check_loads_as(&f, &saved, &again);
        fixture_free(&f);
    }
}

/* The name of one that has ended is not that of the entity which has its slot now. */
TEST_EACH_LAYOUT(a_name_ends_with_its_entity, layout)
{
    static saved_text saved;
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, "entity first\n    Byte\nentity second\n    Byte { value = 2 }\n");
    const kith_scene_save_def def = {.names = scene};
    CHECK_RESULT(kith_despawn(f.world, kith_scene_find(scene, "first")), KITH_OK);
    kith_entity other = KITH_SPAWN(f.world, KITH_VALUE(Byte, {9}));
    CHECK_UINT(kith_entity_slot(other), 0);
    CHECK_RESULT(save(&f, &def, &saved, NULL), KITH_OK);
    CHECK_STR(saved.bytes, "entity\n    Byte { value = 9 }\n\n"
                           "entity second\n    Byte { value = 2 }\n");
    KITH_SPAWN(f.world, KITH_VALUE(Target, {other}));
    CHECK_RESULT(save(&f, &def, &saved, NULL), KITH_OK);
    CHECK_STR(saved.bytes, "entity e1\n    Byte { value = 9 }\n\n"
                           "entity second\n    Byte { value = 2 }\n\n"
                           "entity\n    Target { entity = e1 }\n");
    scene_end(&f, scene);
}

/* A value whose text is about as long as what is written at once, or twice that: whichever byte is the
 * last for which there is room. */
typedef struct Line {
    char text[9000];
} Line;
KITH_TYPE(Line, KITH_FIELD(Line, text));

TEST_EACH_LAYOUT(values_of_any_length_are_saved, layout)
{
    static saved_text saved;
    static char expected[10000];
    fixture f = scene_fixture_with(&Line_type, layout);
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(KITH_ADD(f.world, e, Line), KITH_OK);
    for (uint32_t about = 4096; about <= 8192; about += 4096) {
        for (uint32_t length = about - 70; length < about + 20; length++) {
            Line *line = KITH_GET_MUT(f.world, e, Line);
            memset(line->text, 'a' + (int)(length % 26), length);
            line->text[length] = '\0';
            snprintf(expected, sizeof expected, "entity\n    Line { text = \"%s\" }\n", line->text);
            CHECK_RESULT(save(&f, NULL, &saved, NULL), KITH_OK);
            CHECK_STR(saved.bytes, expected);
        }
    }
    fixture_free(&f);
}

/* Texts of the world are written as what they say, and interned by the world that loads them. */
TEST_EACH_LAYOUT(interned_texts_are_saved, layout)
{
    static saved_text saved;
    fixture f = scene_fixture(KITH_TABLE);
    fixture again = scene_fixture(KITH_TABLE);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Label_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(again.world, &Label_type, &def), KITH_OK);
    kith_text other;
    CHECK_RESULT(kith_text_intern(again.world, "another", &other), KITH_OK);
    kith_scene_free(
        load(&f, "entity\n    Label { text = \"a \\\"b\\\"\", more = [\"c\", \"\"] }\n"));
    CHECK_RESULT(save(&f, NULL, &saved, NULL), KITH_OK);
    CHECK_CONTAINS(saved.bytes, "Label { text = \"a \\\"b\\\"\", more = [\"c\", \"\"] }");
    kith_scene_free(load(&again, saved.bytes));
    CHECK(kith_world_hash(again.world) == kith_world_hash(f.world));
    fixture_free(&again);
    fixture_free(&f);
}

/* Those of another world cannot be said. */
TEST_EACH_LAYOUT(unknown_texts_are_told, layout)
{
    static saved_text saved;
    fixture f = scene_fixture(KITH_TABLE);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Label_type, &def), KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Label, {.more = {{0}, {7}}}));
    kith_scene_error error;
    CHECK_RESULT(save(&f, NULL, &saved, &error), KITH_ERR_INPUT);
    CHECK_STR(error.message, "expected texts of this world, found number 7 in Label.more of"
                             " Entity(0v0), which is none");
    CHECK_STR(saved.bytes, "");
    CHECK_RESULT(KITH_SET(f.world, e, Label, {.more = {{0}}}), KITH_OK);
    CHECK_RESULT(save(&f, NULL, &saved, &error), KITH_OK);
    fixture_free(&f);
}

TEST(odd_names_of_components_stand_in_quotes)
{
    static saved_text saved;
    static const char *const names[] = {"entity", "prefab", "map", ".hidden", "a:b"};
    fixture f = scene_fixture(KITH_TABLE);
    fixture again = scene_fixture(KITH_TABLE);
    kith_entity e = kith_spawn_empty(f.world);
    for (size_t i = 0; test_row(i, ROWS_OF(names)); i++) {
        const kith_type type = {names[i], 0, 1, 0, 0, NULL, NULL, KITH_TABLE, false, false, 0};
        CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_OK);
        CHECK_RESULT(kith_register(again.world, &type, NULL), KITH_OK);
        CHECK_RESULT(kith_add(f.world, e, &type), KITH_OK);
    }
    CHECK_RESULT(save(&f, NULL, &saved, NULL), KITH_OK);
    check_loads_as(&f, &saved, &again);
    fixture_free(&f);
}

/* ---- Some of the entities ---------------------------------------------------------------------- */

TEST_EACH_LAYOUT(a_query_says_which, layout)
{
    static saved_text saved;
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, text);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    CHECK_RESULT(save(&f, &(kith_scene_save_def){.query = query}, &saved, NULL), KITH_OK);
    CHECK_STR(saved.bytes, "entity\n    Frozen\n    Health { current = 3, max = 4 }\n"
                           "    Position { x = 5, y = 10.5 }\n");
    scene_end(&f, scene);
}

/* What a text cannot say is an error, or is said to be lost. */
TEST_EACH_LAYOUT(lost_references_are_told, layout)
{
    static saved_text saved;
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, text);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Party));
    kith_scene_save_def def = {.query = query, .names = scene};
    kith_scene_error error;
    CHECK_RESULT(save(&f, &def, &saved, &error), KITH_ERR_INPUT);
    CHECK_STR(error.message,
              "expected an entity that is saved in Party.leader of \"e3\" (Entity(2v0)), found"
              " \"boss\" (Entity(0v0)), which is not among them; save that one too, clear the"
              " field, or set `lose_references`");
    CHECK_UINT(saved.length, 0);
    def.lose_references = true;
    CHECK_RESULT(save(&f, &def, &saved, &error), KITH_OK);
    CHECK_STR(saved.bytes,
              "entity e3\n    Party { leader = none, size = 2, members = [e3, none] }\n");

    CHECK_RESULT(kith_despawn(f.world, kith_scene_find(scene, "boss")), KITH_OK);
    CHECK_RESULT(save(&f, NULL, &saved, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message,
                   "found \"boss\" (Entity(0v0)), which is dead; clear the field, or set");
    CHECK_STR(kith_error(f.world), error.message);
    CHECK_RESULT(save(&f, &(kith_scene_save_def){.names = scene}, &saved, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message, "found \"boss\" (Entity(0v0)), which is dead;");
    /* The slot is used again, and the old handle is as dead as before. */
    kith_entity heir = kith_spawn_empty(f.world);
    CHECK_UINT(kith_entity_slot(heir), 0);
    CHECK_RESULT(save(&f, NULL, &saved, NULL), KITH_ERR_INPUT);
    /* Nor has the new one the old one's name. */
    KITH_GET_MUT(f.world, kith_scene_find(scene, "e3"), Party)->leader = heir;
    def.lose_references = false;
    CHECK_RESULT(save(&f, &def, &saved, &error), KITH_ERR_INPUT);
    CHECK_CONTAINS(error.message, "found Entity(0v1), which is not among them");
    scene_end(&f, scene);
}

/* A name that is made up is not one that is kept. */
TEST(names_do_not_collide)
{
    static saved_text saved;
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, "entity e3\nentity e3_\nentity\n");
    kith_entity third = kith_scene_at(scene, 2);
    CHECK_RESULT(kith_set(f.world, third, &Party_type, &(Party){.leader = third}), KITH_OK);
    CHECK_RESULT(save(&f, &(kith_scene_save_def){.names = scene}, &saved, NULL), KITH_OK);
    CHECK_CONTAINS(saved.bytes, "entity e3\n\nentity e3_\n\nentity e3__\n");
    CHECK_CONTAINS(saved.bytes, "leader = e3__,");
    kith_scene_free(load(&f, saved.bytes));
    scene_end(&f, scene);
}

/* ---- Failures ---------------------------------------------------------------------------------- */

TEST(a_writer_that_fails_is_told)
{
    static saved_text saved;
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene_error error;
    for (int i = 0; i < 300; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    }
    for (saved.most = 1; saved.most < 9000; saved.most += 4000) {
        CHECK_RESULT(save(&f, NULL, &saved, &error), KITH_ERR_IO);
        CHECK_STR(error.message, "the text could not be written");
    }
    fixture_free(&f);
}

TEST(files_are_whole_or_as_they_were)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, text);
    const char *path = "test_scene_save.kith";
    kith_scene_error error;
    CHECK_RESULT(kith_scene_save_file(f.world, NULL, path, &error), KITH_OK);
    fixture again = scene_fixture(KITH_TABLE);
    CHECK_RESULT(kith_scene_load_file(again.world, path, NULL, &error), KITH_OK);
    CHECK(kith_content_hash(again.world) == kith_content_hash(f.world));
    fixture_free(&again);

    CHECK_RESULT(kith_despawn(f.world, kith_scene_find(scene, "boss")), KITH_OK);
    CHECK_RESULT(kith_scene_save_file(f.world, NULL, path, &error), KITH_ERR_INPUT);
    CHECK_STR(error.file, path);
    fixture third = scene_fixture(KITH_TABLE);
    CHECK_RESULT(kith_scene_load_file(third.world, path, NULL, &error), KITH_OK);
    CHECK_UINT(kith_entity_count(third.world), 4);
    fixture_free(&third);
    CHECK_INT(remove(path), 0);
    CHECK(remove("test_scene_save.kith.new") != 0);

    CHECK_RESULT(kith_scene_save_file(f.world, NULL, "no/such/place", &error), KITH_ERR_IO);
    CHECK_STR(error.message, "No such file or directory");
    CHECK_STR(error.file, "no/such/place");
    scene_end(&f, scene);
}

/* The last bytes are written when the file is closed, which may fail as well: here where they would go,
 * which is beside the file, nothing can be written. */
TEST(a_file_that_cannot_be_closed_is_not_kept)
{
    static const char path[] = "test_scene_full.kith";
    static const char beside[] = "test_scene_full.kith.new";
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene_error error;
    kith_scene_free(load(&f, text));
    remove(beside);
    CHECK_RESULT(kith_scene_save_file(f.world, NULL, path, &error), KITH_OK);
    CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Position))));
#if !defined(_WIN32) /* which has no file that is always full */
    CHECK_INT(symlink("/dev/full", beside), 0);
    CHECK_RESULT(kith_scene_save_file(f.world, NULL, path, &error), KITH_ERR_IO);
    CHECK_STR(error.message, "No space left on device");
    CHECK_STR(error.file, path);
#endif
    CHECK(remove(beside) != 0);
    fixture again = scene_fixture(KITH_TABLE);
    CHECK_RESULT(kith_scene_load_file(again.world, path, NULL, &error), KITH_OK);
    CHECK_UINT(kith_entity_count(again.world), 4);
    CHECK_INT(remove(path), 0);
    fixture_free(&again);
    fixture_free(&f);
}

/* What is no file keeps its place, and nothing is left beside it. */
TEST(a_directory_is_left_alone)
{
    static const char path[] = "test_scene_save.d";
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene_error error;
    rmdir(path);
    CHECK_INT(MAKE_DIRECTORY(path), 0);
    CHECK_RESULT(kith_scene_save_file(f.world, NULL, path, &error), KITH_ERR_IO);
    CHECK_STR(error.message, NOT_A_FILE);
    CHECK_STR(error.file, path);
    CHECK(remove("test_scene_save.d.new") != 0);
    CHECK_INT(rmdir(path), 0);
    fixture_free(&f);
}

/* Keeping names takes memory as well. */
TEST(want_of_memory_is_told)
{
    static saved_text saved;
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, text);
    const kith_scene_save_def def = {.names = scene};
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        fail_allocation(&f, nth);
        kith_scene_error error;
        kith_result result = save(&f, &def, &saved, &error);
        reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_INT(strcmp(saved.bytes, text) == 0, !reached);
    }
    scene_end(&f, scene);
}

/* A type may have colons in its name, which are no part of a word but in pairs. */
TEST(names_of_types_read_back)
{
    static const kith_type types[] = {{.name = "Odd:", .align = 1},
                                      {.name = "a:b", .align = 1},
                                      {.name = "game::Lit", .align = 1},
                                      {.name = "c::", .align = 1}};
    static saved_text saved;
    fixture f = fixture_new();
    fixture again = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    for (size_t i = 0; test_row(i, ROWS_OF(types)); i++) {
        CHECK_RESULT(kith_register(f.world, &types[i], NULL), KITH_OK);
        CHECK_RESULT(kith_register(again.world, &types[i], NULL), KITH_OK);
        CHECK_RESULT(kith_add(f.world, e, &types[i]), KITH_OK);
    }
    CHECK_RESULT(save(&f, NULL, &saved, NULL), KITH_OK);
    CHECK_STR(saved.bytes, "entity\n    \"Odd:\"\n    \"a:b\"\n    \"c::\"\n    game::Lit\n");
    check_loads_as(&f, &saved, &again);
    fixture_free(&f);
}
