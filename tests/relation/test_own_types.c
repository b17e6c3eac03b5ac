/* Kith's own components are known by their names in every world, before anything is registered. */
#include <kith/scene.h>
#include <string.h>

#include "components.h"
#include "test.h"

TEST(they_are_found_before_they_are_registered)
{
    static const kith_type *const own[] = {&kith_child_of_type, &kith_name_type,
                                           &kith_disabled_type};
    fixture f = fixture_new();
    for (size_t i = 0; test_row(i, ROWS_OF(own)); i++) {
        const kith_type *found = kith_type_find(f.world, own[i]->name);
        CHECK_PTR_NOT_NULL(found);
        CHECK_STR(found->name, own[i]->name);
        CHECK_RESULT(kith_layout_of(f.world, found, NULL), KITH_ERR_UNKNOWN);
    }
    CHECK_UINT(kith_type_count(f.world), 0);
    CHECK_PTR_NULL(kith_type_find(f.world, "IsA"));
    CHECK_PTR_NULL(kith_type_find(f.world, "disabled"));
    const kith_entity e = kith_spawn_empty(f.world);
    CHECK(!kith_has(f.world, e, kith_type_find(f.world, "Disabled")));
    CHECK_RESULT(kith_add(f.world, e, kith_type_find(f.world, "Disabled")), KITH_OK);
    CHECK(!kith_is_enabled(f.world, e));
    CHECK_UINT(kith_type_count(f.world), 1);
    CHECK(kith_type_find(f.world, "Disabled") == kith_type_at(f.world, 0));
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* A program may have a component of that name. */
TEST(a_type_of_the_program_comes_first)
{
    static const kith_field fields[] = {{.name = "by", .size = 4, .kind = KITH_U32}};
    static const kith_type disabled = {
        .name = "Disabled", .size = 4, .align = 4, .field_count = 1, .fields = fields};
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &disabled, NULL), KITH_OK);
    CHECK_UINT(kith_type_find(f.world, "Disabled")->size, 4);
    fixture_free(&f);
}

static kith_entity load_ship(fixture *f, const char *text)
{
    kith_scene_error error = {.message = ""};
    CHECK_RESULT(kith_scene_load(f->world, text, strlen(text), NULL, &error), KITH_OK);
    CHECK_STR(error.message, "");
    CHECK_WORLD(f->world);
    return kith_find(f->world, "ship/gun");
}

TEST(a_new_world_reads_names_in_scenes_and_texts)
{
    fixture f = fixture_new();
    const kith_entity gun = load_ship(&f, "entity\n EntityName { text = \"ship\" }\n child {\n"
                                          "  EntityName { text = \"gun\" }\n  Disabled\n }\n");
    CHECK(!kith_is_none(gun) && !kith_is_enabled(f.world, gun));
    fixture_free(&f);
    f = fixture_new();
    load_ship(&f, "entity ship\n EntityName { text = \"ship\" }\n"
                  "entity\n ChildOf { target = ship }\n EntityName { text = \"gun\" }\n");
    CHECK(!kith_is_none(kith_find(f.world, "ship/gun")));
    fixture_free(&f);
    f = fixture_new();
    const kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_parse_entity(f.world, e, "Disabled EntityName { text = \"e\" }"), KITH_OK);
    CHECK_SAME(kith_find(f.world, "e"), e);
    CHECK(!kith_is_enabled(f.world, e));
    fixture_free(&f);
}

TEST(queries_in_text_name_them_in_a_new_world)
{
    static const char *const texts[] = {
        "EntityName",
        "* where EntityName.text = 'ship'",
        "!Disabled, ChildOf",
        "* where has(ChildOf) or has(EntityName)",
        "* where ChildOf = none",
        "ChildOf -> EntityName",
        "* where ChildOf -> EntityName.text prefix 's'",
        "* where not ChildOf -> has(Disabled)",
        "any(Disabled, EntityName)",
    };
    for (size_t i = 0; test_row(i, ROWS_OF(texts)); i++) {
        fixture f = fixture_new();
        kith_text_error error = {.message = ""};
        kith_query *query = kith_query_text(f.world, texts[i], &error);
        CHECK_STR(error.message, "");
        CHECK_PTR_NOT_NULL(query);
        CHECK_UINT(kith_query_count(query), 0);
        const kith_entity ship = kith_spawn_empty(f.world);
        const kith_entity gun = kith_spawn_empty(f.world);
        CHECK_RESULT(kith_set_name(f.world, ship, "ship"), KITH_OK);
        CHECK_RESULT(kith_set_name(f.world, gun, "gun"), KITH_OK);
        CHECK_RESULT(kith_set_parent(f.world, gun, ship), KITH_OK);
        CHECK(kith_query_count(query) > 0 || i == 4);
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

/* A world that never had a name takes over one that has some. */
TEST(a_difference_brings_names_to_a_new_world)
{
    fixture from = fixture_new();
    fixture to = fixture_new();
    kith_snapshot *empty;
    kith_snapshot *full;
    kith_bytes bytes = {0};
    CHECK_RESULT(kith_snapshot_take(from.world, &empty), KITH_OK);
    const kith_entity ship = kith_spawn_empty(from.world);
    const kith_entity gun = kith_spawn_empty(from.world);
    CHECK_RESULT(kith_set_name(from.world, ship, "ship"), KITH_OK);
    CHECK_RESULT(kith_set_parent(from.world, gun, ship), KITH_OK);
    CHECK_RESULT(kith_set_name(from.world, gun, "gun"), KITH_OK);
    CHECK_RESULT(kith_add(from.world, gun, &kith_disabled_type), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(from.world, &full), KITH_OK);
    CHECK_RESULT(kith_snapshot_diff_bytes(empty, full, &bytes), KITH_OK);
    CHECK_RESULT(kith_diff_apply(to.world, bytes.data, bytes.size), KITH_OK);
    CHECK_WORLD(to.world);
    CHECK_SAME(kith_find(to.world, "ship/gun"), gun);
    CHECK(!kith_is_enabled(to.world, gun));
    CHECK_UINT(kith_world_hash(to.world), kith_world_hash(from.world));
    kith_bytes_free(from.world, &bytes);
    kith_snapshot_free(empty);
    kith_snapshot_free(full);
    fixture_free(&to);
    fixture_free(&from);
}
