/* Every test of source 001 (archetype tables, components named at run time), on every layout; its own
 * is KITH_TABLE. */
#include <kith/kith.h>
#include <string.h>

#include "test.h"

/* Names, and what they mean, as text: no struct is compiled in. */
static const kith_type *define_name(kith_world *world, kith_layout layout)
{
    const kith_field fields[] = {{"value", 0, 16, KITH_CHAR}};
    const kith_type_def def = {
        .name = "Name", .fields = fields, .field_count = 1, .layout = layout};
    const kith_type *type = NULL;
    CHECK_RESULT(kith_define(world, &def, &type), KITH_OK);
    return type;
}

static const kith_type *define_location(kith_world *world, kith_layout layout)
{
    const kith_field fields[] = {
        {"x", .kind = KITH_F32}, {"y", .kind = KITH_F32}, {"z", .kind = KITH_F32}};
    const kith_type_def def = {
        .name = "Location", .fields = fields, .field_count = 3, .layout = layout};
    const kith_type *type = NULL;
    CHECK_RESULT(kith_define(world, &def, &type), KITH_OK);
    return type;
}

static void check_entity(kith_world *world, kith_entity entity, const char *expected)
{
    char text[256];
    CHECK_RESULT(kith_print_entity(world, entity, text, sizeof text, NULL), KITH_OK);
    CHECK_STR(text, expected);
}

/* test "ecs", where it makes a world and an entity. */
TEST(ecs_makes_a_player)
{
    fixture f = fixture_new();
    kith_entity player = kith_spawn_empty(f.world);
    CHECK(kith_alive(f.world, player));
    CHECK_UINT(kith_entity_slot(player), 0);
    fixture_free(&f);
}

/* test "ecs", where components are added and updated by name. */
TEST_EACH_LAYOUT(ecs_sets_components_by_name, layout)
{
    fixture f = fixture_new();
    define_name(f.world, layout);
    define_location(f.world, layout);
    kith_entity player = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_parse_entity(f.world, player, "Name { value = \"jane\" }"), KITH_OK);
    check_entity(f.world, player, "Name { value = \"jane\" }\n");
    CHECK_RESULT(kith_parse_entity(f.world, player, "Location"), KITH_OK);
    CHECK_RESULT(kith_parse_entity(f.world, player, "Name { value = \"joe\" }"), KITH_OK);
    check_entity(f.world, player, "Location { x = 0, y = 0, z = 0 }\nName { value = \"joe\" }\n");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* The same through bytes, and the move of the row behind it: the other rows keep their entities. */
TEST_EACH_LAYOUT(rows_that_move_take_their_values_along, layout)
{
    fixture f = fixture_new();
    const kith_type *name = define_name(f.world, layout);
    const kith_type *location = define_location(f.world, layout);
    const char *const names[] = {"jane", "joe", "ziggy"};
    kith_entity players[3];
    for (int i = 0; i < 3; i++) {
        char value[16] = "";
        strcpy(value, names[i]);
        players[i] = kith_spawn_empty(f.world);
        CHECK_RESULT(kith_set_bytes(f.world, players[i], name, value, sizeof value), KITH_OK);
    }
    const float place[3] = {1, 2, 3};
    CHECK_RESULT(kith_set_bytes(f.world, players[0], location, place, sizeof place), KITH_OK);
    for (int i = 0; i < 3; i++) {
        CHECK_STR((const char *)kith_get(f.world, players[i], name), names[i]);
    }
    CHECK(kith_has(f.world, players[0], location) && !kith_has(f.world, players[1], location));

    /* "Removing components, entities". */
    CHECK_RESULT(kith_remove(f.world, players[0], name), KITH_OK);
    check_entity(f.world, players[0], "Location { x = 1, y = 2, z = 3 }\n");
    CHECK_RESULT(kith_despawn(f.world, players[1]), KITH_OK);
    CHECK_STR((const char *)kith_get(f.world, players[2], name), "ziggy");
    fixture_free(&f);
}

/* "Both the name of the component and the provided type must be correct, or else undefined behavior
 * could occur. This is a fatal flaw." */
TEST_EACH_LAYOUT(the_wrong_name_or_type_is_an_error, layout)
{
    fixture f = fixture_new();
    const kith_type *location = define_location(f.world, layout);
    kith_entity player = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_parse_entity(f.world, player, "Location { x = 1, y = 2, z = 3 }"), KITH_OK);
    float x = 0;
    CHECK_RESULT(kith_get_field(f.world, player, location, "x", KITH_F32, &x, sizeof x), KITH_OK);
    CHECK_FLOAT(x, 1);
    double wrong = 7;
    CHECK_RESULT(kith_get_field(f.world, player, location, "x", KITH_F64, &wrong, sizeof wrong),
                 KITH_ERR_TYPE);
    CHECK_STR(kith_error(f.world), "kith_get_field: Location.x is f32, not f64");
    CHECK_RESULT(kith_get_bytes(f.world, player, location, &wrong, sizeof wrong), KITH_ERR_TYPE);
    CHECK_RESULT(kith_get_field(f.world, player, kith_type_find(f.world, "Locaton"), "x", KITH_F32,
                                &x, sizeof x),
                 KITH_ERR_UNKNOWN);
    CHECK_FLOAT(wrong, 7);
    fixture_free(&f);
}

/* "What if utensils were cookable?" Whatever is in the kitchen becomes so while the game runs. */
TEST_EACH_LAYOUT(utensils_become_cookable, layout)
{
    fixture f = fixture_new();
    const kith_type *utensil = NULL;
    const kith_type *cookable = NULL;
    CHECK_RESULT(
        kith_define(f.world, &(kith_type_def){.name = "Utensil", .layout = layout}, &utensil),
        KITH_OK);
    kith_entity ladle = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_add(f.world, ladle, utensil), KITH_OK);
    CHECK_RESULT(
        kith_define(f.world, &(kith_type_def){.name = "Cookable", .layout = layout}, &cookable),
        KITH_OK);
    CHECK(!kith_has(f.world, ladle, cookable));
    CHECK_RESULT(kith_add(f.world, ladle, cookable), KITH_OK);
    check_entity(f.world, ladle, "Cookable\nUtensil\n");
    CHECK_RESULT(kith_remove(f.world, ladle, cookable), KITH_OK);
    CHECK(kith_has(f.world, ladle, utensil) && !kith_has(f.world, ladle, cookable));
    fixture_free(&f);
}
