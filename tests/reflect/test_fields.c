/* Fields of an entity's components, by name. */
#include <kith/kith.h>
#include <stdio.h>

#include "components.h"
#include "stamps.h"
#include "test.h"

typedef struct Weapon {
    uint8_t level;
    float charge;
    char name[12];
    kith_entity owner;
    int16_t marks[4];
} Weapon;
KITH_TYPE(Weapon, KITH_FIELD(Weapon, level), KITH_GAP, KITH_FIELD(Weapon, charge),
          KITH_FIELD(Weapon, name), KITH_FIELD(Weapon, owner), KITH_FIELD(Weapon, marks));

typedef struct Body {
    struct {
        float x, y;
    } path[3];
} Body;
KITH_TYPE(Body, KITH_FIELD(Body, path[0].x), KITH_FIELD(Body, path[0].y),
          KITH_FIELD(Body, path[1].x), KITH_FIELD(Body, path[1].y), KITH_FIELD(Body, path[2].x),
          KITH_FIELD(Body, path[2].y));

typedef struct armed {
    fixture f;
    kith_world *world;
    kith_entity e;
} armed;

static armed armed_new(kith_layout layout)
{
    const kith_component_def def = {.layout = layout};
    armed a = {.f = fixture_new()};
    a.world = a.f.world;
    CHECK_RESULT(kith_register(a.world, &Weapon_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(a.world, &Body_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(a.world, &Frozen_type, &def), KITH_OK);
    a.e = KITH_SPAWN(a.world, KITH_VALUE(Weapon, {3, 0.5f, "sling", {7, 1}, {1, 2, 3, 4}}),
                     KITH_VALUE(Frozen));
    return a;
}

TEST(fields_are_found_by_name)
{
    CHECK(kith_field_find(&Weapon_type, "charge") == &Weapon_type.fields[2]);
    CHECK(kith_field_find(&Body_type, "path[1].y") == &Body_type.fields[3]);
    CHECK_PTR_NULL(kith_field_find(&Weapon_type, "gap"));
    CHECK_PTR_NULL(kith_field_find(&Weapon_type, "charg"));
    CHECK_PTR_NULL(kith_field_find(&Weapon_type, "charges"));
    CHECK_PTR_NULL(kith_field_find(&Weapon_type, "marks[0]"));
    CHECK_PTR_NULL(kith_field_find(&Weapon_type, ""));
    CHECK_PTR_NULL(kith_field_find(&Frozen_type, "x"));
    CHECK_PTR_NULL(kith_field_find(NULL, "x"));
    CHECK_PTR_NULL(kith_field_find(&Weapon_type, NULL));
}

TEST_EACH_LAYOUT(fields_are_read_and_written, layout)
{
    armed a = armed_new(layout);
    uint8_t level = 0;
    CHECK_RESULT(kith_get_field(a.world, a.e, &Weapon_type, "level", KITH_U8, &level, 1), KITH_OK);
    CHECK_UINT(level, 3);
    float charge = 2.5f;
    CHECK_RESULT(kith_set_field(a.world, a.e, &Weapon_type, "charge", KITH_F32, &charge, 4),
                 KITH_OK);
    CHECK_FLOAT(KITH_GET(a.world, a.e, Weapon)->charge, 2.5f);
    CHECK_UINT(KITH_GET(a.world, a.e, Weapon)->level, 3);
    kith_entity owner = KITH_NONE;
    CHECK_RESULT(
        kith_get_field(a.world, a.e, &Weapon_type, "owner", KITH_ENTITY, &owner, sizeof owner),
        KITH_OK);
    CHECK_SAME(owner, ((kith_entity){7, 1}));

    char name[12] = "long bow";
    CHECK_RESULT(kith_set_field(a.world, a.e, &Weapon_type, "name", KITH_CHAR, name, 12), KITH_OK);
    CHECK_STR(KITH_GET(a.world, a.e, Weapon)->name, "long bow");
    int16_t marks[4] = {0};
    CHECK_RESULT(kith_get_field(a.world, a.e, &Weapon_type, "marks", KITH_I16, marks, sizeof marks),
                 KITH_OK);
    CHECK_INT(marks[3], 4);
    marks[0] = -9;
    CHECK_RESULT(kith_set_field(a.world, a.e, &Weapon_type, "marks[2]", KITH_I16, marks, 2),
                 KITH_OK);
    CHECK_INT(KITH_GET(a.world, a.e, Weapon)->marks[2], -9);
    CHECK_INT(KITH_GET(a.world, a.e, Weapon)->marks[3], 4);
    CHECK_RESULT(kith_get_field(a.world, a.e, &Weapon_type, "marks[2]", KITH_I16, &marks[1], 2),
                 KITH_OK);
    CHECK_INT(marks[1], -9);
    /* One value is an array of one. */
    CHECK_RESULT(kith_get_field(a.world, a.e, &Weapon_type, "level[0]", KITH_U8, &level, 1),
                 KITH_OK);

    KITH_ADD(a.world, a.e, Body);
    CHECK_RESULT(kith_set_field(a.world, a.e, &Body_type, "path[1].y", KITH_F32, &charge, 4),
                 KITH_OK);
    CHECK_FLOAT(KITH_GET(a.world, a.e, Body)->path[1].y, 2.5f);
    fixture_free(&a.f);
}

/* ---- What does not fit ----------------------------------------------------------------------- */

static void check_wrong(armed *a, const char *field, kith_kind kind, size_t size,
                        kith_result expected, const char *message)
{
    char bytes[32] = {'u', 'n', 't'};
    char text[512];
    const uint64_t before = kith_world_hash(a->world);
    CHECK_RESULT(kith_get_field(a->world, a->e, &Weapon_type, field, kind, bytes, size), expected);
    snprintf(text, sizeof text, "kith_get_field: %s", message);
    CHECK_STR(kith_error(a->world), text);
    CHECK_STR(bytes, "unt");
    CHECK_RESULT(kith_set_field(a->world, a->e, &Weapon_type, field, kind, bytes, size), expected);
    snprintf(text, sizeof text, "kith_set_field: %s", message);
    CHECK_STR(kith_error(a->world), text);
    CHECK_UINT(kith_world_hash(a->world), before);
}

TEST_EACH_LAYOUT(what_is_wrong_is_named, layout)
{
    armed a = armed_new(layout);
    check_wrong(&a, "charge", KITH_I32, 4, KITH_ERR_TYPE, "Weapon.charge is f32, not i32");
    check_wrong(&a, "charge", KITH_F64, 8, KITH_ERR_TYPE, "Weapon.charge is f32, not f64");
    check_wrong(&a, "charge", KITH_F32, 8, KITH_ERR_TYPE,
                "Weapon.charge is f32, not 8 bytes of f32");
    check_wrong(&a, "marks", KITH_I16, 2, KITH_ERR_TYPE, "Weapon.marks is 8 bytes of i16, not i16");
    check_wrong(&a, "marks[1]", KITH_I16, 8, KITH_ERR_TYPE,
                "Weapon.marks[1] is i16, not 8 bytes of i16");
    check_wrong(&a, "name", KITH_CHAR, 5, KITH_ERR_TYPE,
                "Weapon.name is 12 bytes of char, not 5 bytes of char");
    check_wrong(&a, "level", (kith_kind)99, 1, KITH_ERR_TYPE,
                "Weapon.level is u8, not 1 bytes of unknown");
    static const char *const near[][2] = {{"Level", "level"},      {"marks[", "marks"},
                                          {"marks[]", "marks"},    {"level ", "level"},
                                          {"charge[x]", "charge"}, {"mark[2]", "marks"}};
    for (size_t i = 0; test_row(i, ROWS_OF(near)); i++) {
        char message[256];
        snprintf(message, sizeof message, "Weapon has no field '%s' (did you mean %s?)", near[i][0],
                 near[i][1]);
        check_wrong(&a, near[i][0], KITH_U8, 1, KITH_ERR_UNKNOWN, message);
    }
    static const char *const unknown[] = {"colour", "", "[1]", "marks[-1]", "marks[1]x", "gap"};
    for (size_t i = 0; test_row(i, ROWS_OF(unknown)); i++) {
        char message[256];
        snprintf(message, sizeof message,
                 "Weapon has no field '%s'; it has level, charge, name, owner, marks", unknown[i]);
        check_wrong(&a, unknown[i], KITH_U8, 1, KITH_ERR_UNKNOWN, message);
    }
    check_wrong(&a, NULL, KITH_U8, 1, KITH_ERR_UNKNOWN,
                "Weapon has no field '(null)'; it has level, charge, name, owner, marks");
    check_wrong(&a, "marks[4]", KITH_I16, 2, KITH_ERR_UNKNOWN,
                "Weapon has no field 'marks[4]': the last value of marks is number 3");
    check_wrong(&a, "marks[99999999999999999999]", KITH_I16, 2, KITH_ERR_UNKNOWN,
                "Weapon has no field 'marks[99999999999999999999]': the last value of marks is"
                " number 3");
    fixture_free(&a.f);
}

/* However many digits it has, and whatever they come to in 32 or 64 bits. */
TEST_EACH_LAYOUT(an_index_that_is_too_large_stays_too_large, layout)
{
    static const char *const indexes[] = {"4",
                                          "5",
                                          "65536",
                                          "2147483648",
                                          "4294967295",
                                          "4294967296",
                                          "4294967297",
                                          "4294967299",
                                          "8589934592",
                                          "42949672960",
                                          "18446744073709551615",
                                          "18446744073709551616",
                                          "18446744073709551617",
                                          "340282366920938463463374607431768211456"};
    armed a = armed_new(layout);
    for (size_t i = 0; test_row(i, ROWS_OF(indexes)); i++) {
        char field[64];
        char message[200];
        snprintf(field, sizeof field, "marks[%s]", indexes[i]);
        snprintf(message, sizeof message,
                 "Weapon has no field '%s': the last value of marks is number 3", field);
        check_wrong(&a, field, KITH_I16, 2, KITH_ERR_UNKNOWN, message);
    }
    fixture_free(&a.f);
}

TEST(what_is_not_there_is_told)
{
    armed a = armed_new(KITH_TABLE);
    float charge = 1;
    const uint32_t types = kith_type_count(a.world);
    CHECK_RESULT(kith_get_field(a.world, a.e, &Velocity_type, "x", KITH_F32, &charge, 4),
                 KITH_ERR_ABSENT);
    CHECK_RESULT(kith_set_field(a.world, a.e, &Velocity_type, "x", KITH_F32, &charge, 4),
                 KITH_ERR_ABSENT);
    CHECK_RESULT(kith_set_field(a.world, KITH_NONE, &Velocity_type, "x", KITH_F32, &charge, 4),
                 KITH_ERR_DEAD);
    CHECK_UINT(kith_type_count(a.world), types);
    CHECK_RESULT(kith_set_field(a.world, a.e, NULL, "x", KITH_F32, &charge, 4), KITH_ERR_UNKNOWN);
    CHECK_STR(kith_error(a.world), "kith_set_field: the type is NULL");
    CHECK_RESULT(kith_get_field(a.world, a.e, &Frozen_type, "x", KITH_F32, &charge, 4),
                 KITH_ERR_UNKNOWN);
    CHECK_STR(kith_error(a.world), "kith_get_field: Frozen has no field 'x', and no other");
    CHECK_RESULT(kith_set_field(a.world, a.e, &Weapon_type, "charge", KITH_F32, NULL, 4),
                 KITH_ERR_TYPE);
    CHECK_STR(kith_error(a.world), "kith_set_field: Weapon.charge is f32, not NULL");

    CHECK_RESULT(KITH_REMOVE(a.world, a.e, Weapon), KITH_OK);
    CHECK_RESULT(kith_get_field(a.world, a.e, &Weapon_type, "charge", KITH_F32, &charge, 4),
                 KITH_ERR_ABSENT);
    CHECK_RESULT(kith_set_field(a.world, a.e, &Weapon_type, "charge", KITH_F32, &charge, 4),
                 KITH_ERR_ABSENT);
    CHECK_RESULT(kith_despawn(a.world, a.e), KITH_OK);
    CHECK_RESULT(kith_get_field(a.world, a.e, &Weapon_type, "charge", KITH_F32, &charge, 4),
                 KITH_ERR_DEAD);
    CHECK_RESULT(kith_set_field(a.world, a.e, &Weapon_type, "charge", KITH_F32, &charge, 4),
                 KITH_ERR_DEAD);
    CHECK_FLOAT(charge, 1);
    fixture_free(&a.f);
}

/* Writing is seen by who looks for changes, reading is not, and neither is what was refused. */
TEST_EACH_LAYOUT(written_fields_are_stamped, layout)
{
    armed a = armed_new(layout);
    float charge = 9;
    test_stamps *stamps = test_stamps_take(a.world);
    CHECK_RESULT(kith_get_field(a.world, a.e, &Weapon_type, "charge", KITH_F32, &charge, 4),
                 KITH_OK);
    CHECK_RESULT(kith_set_field(a.world, a.e, &Weapon_type, "charge", KITH_F64, &charge, 4),
                 KITH_ERR_TYPE);
    test_stamps_check_none(stamps);
    test_stamps_free(stamps);
    stamps = test_stamps_take(a.world);
    charge = 10;
    CHECK_RESULT(kith_set_field(a.world, a.e, &Weapon_type, "charge", KITH_F32, &charge, 4),
                 KITH_OK);
    test_stamps_free(stamps);
    fixture_free(&a.f);
}

/* In an open query too, as with kith_get_mut. */
TEST_EACH_LAYOUT(fields_are_written_in_an_open_query, layout)
{
    armed a = armed_new(layout);
    kith_query *query = KITH_QUERY(a.world, KITH_WITH(Weapon));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    float charge = 9;
    CHECK_RESULT(kith_set_field(a.world, a.e, &Weapon_type, "charge", KITH_F32, &charge, 4),
                 KITH_OK);
    CHECK_FLOAT(KITH_GET(a.world, a.e, Weapon)->charge, 9);
    kith_iter_close(&it);
    fixture_free(&a.f);
}
