/* One field of an entity's component, read from a text. */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "owners.h"
#include "stamps.h"
#include "test.h"

typedef struct Weapon {
    uint8_t level;
    float charge;
    char name[12];
    kith_entity owner;
    kith_text title;
    kith_text lines[2];
    int16_t marks[4];
    uint8_t flags[3];
    char letter;
    bool sharp;
    struct {
        float x, y;
    } velocity;
} Weapon;
KITH_TYPE(Weapon, KITH_FIELD(Weapon, level), KITH_GAP, KITH_FIELD(Weapon, charge),
          KITH_FIELD(Weapon, name), KITH_FIELD(Weapon, owner), KITH_FIELD(Weapon, title),
          KITH_FIELD(Weapon, lines), KITH_FIELD(Weapon, marks), KITH_FIELD(Weapon, flags),
          KITH_FIELD(Weapon, letter), KITH_FIELD(Weapon, sharp), KITH_GAP,
          KITH_FIELD(Weapon, velocity.x), KITH_FIELD(Weapon, velocity.y));

typedef struct armed {
    fixture f;
    kith_world *world;
    kith_entity e;
} armed;

static armed armed_new(const kith_component_def *def)
{
    armed a = {.f = fixture_new()};
    a.world = a.f.world;
    CHECK_RESULT(kith_register(a.world, &Weapon_type, def), KITH_OK);
    CHECK_RESULT(kith_register(a.world, &Frozen_type, &(kith_component_def){.layout = def->layout}),
                 KITH_OK);
    a.e = KITH_SPAWN(a.world,
                     KITH_VALUE(Weapon, {.level = 3, .name = "sling", .marks = {1, 2, 3, 4}}),
                     KITH_VALUE(Frozen));
    return a;
}

static armed armed_layout(kith_layout layout)
{
    return armed_new(&(kith_component_def){.layout = layout});
}

static const Weapon *set_field(armed *a, const char *field, const char *text)
{
    CHECK_RESULT(kith_field_from_text(a->world, a->e, &Weapon_type, field, text), KITH_OK);
    CHECK_STR(kith_error(a->world), "");
    return KITH_GET(a->world, a->e, Weapon);
}

TEST_EACH_LAYOUT(fields_are_set_by_text, layout)
{
    armed a = armed_layout(layout);
    CHECK_UINT(set_field(&a, "level", "0x10")->level, 16);
    CHECK_FLOAT(set_field(&a, "charge", " -2.5 # a comment")->charge, -2.5f);
    CHECK_STR(set_field(&a, "name", "\"bow\"")->name, "bow");
    CHECK_INT(KITH_GET(a.world, a.e, Weapon)->name[4], 0); /* nothing is left of the longer one */
    CHECK_SAME(set_field(&a, "owner", "Entity(2v1)")->owner, ((kith_entity){3, 1}));
    CHECK_SAME(set_field(&a, "owner", "none")->owner, KITH_NONE);
    CHECK_INT(set_field(&a, "marks", "[5, 6, -7, 8]")->marks[2], -7);
    CHECK_INT(set_field(&a, "marks[1]", "9")->marks[1], 9);
    CHECK_INT(KITH_GET(a.world, a.e, Weapon)->marks[0], 5);
    CHECK_INT(KITH_GET(a.world, a.e, Weapon)->marks[2], -7);
    CHECK_UINT(set_field(&a, "flags[2]", "255")->flags[2], 255);
    CHECK_INT(set_field(&a, "letter", "'@'")->letter, '@');
    CHECK_INT(set_field(&a, "name[2]", "'x'")->name[2], 'x');
    CHECK(set_field(&a, "sharp", "true")->sharp);
    CHECK_FLOAT(set_field(&a, "velocity.y", "0.125")->velocity.y, 0.125f);
    CHECK_FLOAT(KITH_GET(a.world, a.e, Weapon)->velocity.x, 0);
    CHECK_STR(kith_text_get(a.world, set_field(&a, "title", "\"The first\"")->title, NULL),
              "The first");
    CHECK_STR(kith_text_get(a.world, set_field(&a, "lines[1]", "\"two\"")->lines[1], NULL), "two");
    CHECK_STR(kith_text_get(a.world, set_field(&a, "lines", "[\"a\", \"b\"]")->lines[1], NULL),
              "b");
    CHECK_UINT(KITH_GET(a.world, a.e, Weapon)->level, 16);
    CHECK_WORLD(a.world);
    fixture_free(&a.f);
}

/* What kith_print_field writes of each field makes the same value of another entity. */
TEST_EACH_LAYOUT(what_is_printed_reads_back, layout)
{
    armed a = armed_layout(layout);
    CHECK_RESULT(
        kith_parse_entity(a.world, a.e,
                          "Weapon { level = 7, charge = 0.1, name = \"a \\\"b\\\"\", owner ="
                          " Entity(9v4), title = \"T\", lines = [\"u\", \"\"], marks = [-1, 0,"
                          " 32767, 5], flags = [1, 2, 3], letter = '\\n', sharp = true,"
                          " velocity.x = nan(0x7fc00001), velocity.y = -inf }"),
        KITH_OK);
    const kith_entity copy = KITH_SPAWN(a.world, KITH_VALUE(Weapon));
    for (uint32_t i = 0; i < Weapon_type.field_count; i++) {
        const kith_field *field = &Weapon_type.fields[i];
        char text[128];
        kith_print_field(a.world, field, KITH_GET(a.world, a.e, Weapon), text, sizeof text);
        if (field->kind != KITH_PADDING) {
            CHECK_RESULT(kith_field_from_text(a.world, copy, &Weapon_type, field->name, text),
                         KITH_OK);
        }
    }
    CHECK(memcmp(KITH_GET(a.world, copy, Weapon), KITH_GET(a.world, a.e, Weapon), sizeof(Weapon)) ==
          0);
    fixture_free(&a.f);
}

/* ---- What is wrong ------------------------------------------------------------------------------ */

static void check_wrong(armed *a, const char *field, const char *text, kith_result expected,
                        const char *message)
{
    char whole[512];
    const uint64_t before = kith_world_hash(a->world);
    test_stamps *stamps = test_stamps_take(a->world);
    CHECK_RESULT(kith_field_from_text(a->world, a->e, &Weapon_type, field, text), expected);
    snprintf(whole, sizeof whole, "kith_field_from_text: %s", message);
    CHECK_STR(kith_error(a->world), whole);
    test_stamps_check_none(stamps);
    test_stamps_free(stamps);
    CHECK_UINT(kith_world_hash(a->world), before);
}

TEST_EACH_LAYOUT(a_wrong_text_is_told_with_its_place, layout)
{
    armed a = armed_layout(layout);
    check_wrong(
        &a, "level", "256", KITH_ERR_INPUT,
        "line 1, column 1: expected a whole number from 0 to 255 for Weapon.level, found 256");
    check_wrong(
        &a, "marks[1]", "\n  many", KITH_ERR_INPUT,
        "line 2, column 3: expected a whole number from -32768 to 32767 for Weapon.marks[1],"
        " found \"many\"");
    check_wrong(
        &a, "marks", "[1, 2]", KITH_ERR_INPUT,
        "line 1, column 6: expected \",\" after value 2 of 4 for Weapon.marks, found \"]\"");
    check_wrong(
        &a, "marks[1]", "[1]", KITH_ERR_INPUT,
        "line 1, column 1: expected a whole number from -32768 to 32767 for Weapon.marks[1],"
        " found \"[\"");
    check_wrong(&a, "velocity.x", "1 2", KITH_ERR_INPUT,
                "line 1, column 3: expected the end of the text, found 2");
    check_wrong(
        &a, "sharp", "", KITH_ERR_INPUT,
        "line 1, column 1: expected true or false for Weapon.sharp, found the end of the text");
    check_wrong(
        &a, "name", "\"more than twelve\"", KITH_ERR_INPUT,
        "line 1, column 1: expected a text of at most 12 bytes for Weapon.name, found one of 16");
    check_wrong(&a, "title", "\"open", KITH_ERR_INPUT,
                "line 1, column 1: expected \" at the end of what starts here, found the end"
                " of the line");
    CHECK(!kith_text_find(a.world, "never", NULL));
    check_wrong(&a, "lines", "[\"never\", 1]", KITH_ERR_INPUT,
                "line 1, column 11: expected a text in \" for Weapon.lines, found 1");
    CHECK(!kith_text_find(a.world, "never", NULL)); /* nothing was interned */
    CHECK_WORLD(a.world);
    fixture_free(&a.f);
}

TEST_EACH_LAYOUT(a_misspelt_path_is_told_with_the_nearest, layout)
{
    armed a = armed_layout(layout);
    check_wrong(&a, "chrage", "1", KITH_ERR_UNKNOWN,
                "Weapon has no field 'chrage' (did you mean charge?)");
    check_wrong(&a, "mark[1]", "1", KITH_ERR_UNKNOWN,
                "Weapon has no field 'mark[1]' (did you mean marks?)");
    check_wrong(&a, "velocity.z", "1", KITH_ERR_UNKNOWN,
                "Weapon has no field 'velocity.z' (did you mean velocity.x?)");
    check_wrong(&a, "marks[4]", "1", KITH_ERR_UNKNOWN,
                "Weapon has no field 'marks[4]': the last value of marks is number 3");
    check_wrong(
        &a, "weight", "1", KITH_ERR_UNKNOWN,
        "Weapon has no field 'weight'; it has level, charge, name, owner, title, lines, marks,"
        " flags, letter, sharp, velocity.x, velocity.y");
    CHECK_RESULT(kith_field_from_text(a.world, a.e, &Frozen_type, "x", "1"), KITH_ERR_UNKNOWN);
    CHECK_STR(kith_error(a.world), "kith_field_from_text: Frozen has no field 'x', and no other");
    /* Nobody has what is not registered. */
    CHECK_RESULT(kith_field_from_text(a.world, a.e, &Position_type, "x", "1"), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_field_from_text(a.world, a.e, NULL, "x", "1"), KITH_ERR_UNKNOWN);
    CHECK_RESULT(kith_field_from_text(a.world, a.e, &Weapon_type, NULL, "1"), KITH_ERR_UNKNOWN);
    fixture_free(&a.f);
}

TEST_EACH_LAYOUT(who_is_dead_or_lacks_it_is_told, layout)
{
    armed a = armed_layout(layout);
    const kith_entity bare = KITH_SPAWN(a.world, KITH_VALUE(Frozen));
    CHECK_RESULT(kith_field_from_text(a.world, bare, &Weapon_type, "level", "1"), KITH_ERR_ABSENT);
    CHECK_CONTAINS(kith_error(a.world), kith_entity_to_text(bare).text);
    CHECK_CONTAINS(kith_error(a.world), " has no value of Weapon");
    CHECK_RESULT(kith_despawn(a.world, a.e), KITH_OK);
    CHECK_RESULT(kith_field_from_text(a.world, a.e, &Weapon_type, "level", "1"), KITH_ERR_DEAD);
    fixture_free(&a.f);
}

TEST_EACH_LAYOUT(components_with_hooks_are_refused, layout)
{
    owners o;
    owners_new(&o, layout);
    const kith_entity e = spawn_number(&o, 5);
    CHECK_RESULT(kith_field_from_text(o.world, e, &Owned_type, "tag", "6"), KITH_ERR_INPUT);
    CHECK_STR(kith_error(o.world),
              "kith_field_from_text: Owned has hooks, and cannot be made of text;"
              " write its fields in code");
    CHECK_RESULT(kith_field_from_text(o.world, e, &Owned_type, "number", "6"), KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(o.world), "Owned.number is opaque");
    uint32_t tag;
    CHECK_RESULT(kith_get_field(o.world, e, &Owned_type, "tag", KITH_U32, &tag, 4), KITH_OK);
    CHECK_UINT(tag, 5);
    owners_free(&o);
}

/* ---- Changes ------------------------------------------------------------------------------------ */

static uint32_t count_changed(kith_query *query)
{
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        count += it.count;
    }
    return count;
}

TEST_EACH_LAYOUT(a_field_that_is_set_is_a_change, layout)
{
    for (int exact = 0; exact < 2; exact++) {
        armed a = armed_new(&(kith_component_def){.layout = layout, .exact_changes = exact != 0});
        KITH_SPAWN(a.world, KITH_VALUE(Weapon), KITH_VALUE(Frozen)); /* in the same block */
        kith_query *query = KITH_QUERY(a.world, KITH_CHANGED(Weapon));
        CHECK_UINT(count_changed(query), 2);
        CHECK_UINT(count_changed(query), 0);
        test_stamps *stamps = test_stamps_take(a.world);
        set_field(&a, "marks[3]", "77");
        test_stamps_check(stamps);
        test_stamps_free(stamps);
        CHECK_UINT(count_changed(query), exact != 0 ? 1 : 2); /* by blocks, or exactly */
        set_field(&a, "marks[3]", "77");
        CHECK_UINT(count_changed(query), exact != 0 ? 0 : 2);
        kith_query_free(query);
        fixture_free(&a.f);
    }
}

TEST_EACH_LAYOUT(fields_are_set_in_an_open_query, layout)
{
    armed a = armed_layout(layout);
    kith_query *query = KITH_QUERY(a.world, KITH_WITH(Weapon));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    CHECK_UINT(set_field(&a, "level", "9")->level, 9);
    kith_iter_close(&it);
    fixture_free(&a.f);
}
