/* Names of entities: each call by itself, and each way to give two siblings one name. */
#include <stdio.h>
#include <string.h>

#include "names.h"

/* ---- Calls ------------------------------------------------------------------------------------- */

TEST(a_name_is_set_replaced_and_removed)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    kith_entity a = kith_spawn_empty(world);
    CHECK_PTR_NULL(kith_name_of(world, a));
    CHECK_SAME(kith_find(world, "ship"), KITH_NONE);
    CHECK_RESULT(kith_set_name(world, a, NULL), KITH_OK);
    CHECK_RESULT(kith_set_name(world, a, "ship"), KITH_OK);
    CHECK_STR(kith_name_of(world, a), "ship");
    CHECK_SAME(kith_find(world, "ship"), a);
    CHECK_RESULT(kith_set_name(world, a, "ship"), KITH_OK);
    CHECK_RESULT(kith_set_name(world, a, "boat"), KITH_OK);
    CHECK_STR(kith_name_of(world, a), "boat");
    CHECK_SAME(kith_find(world, "ship"), KITH_NONE);
    CHECK_SAME(kith_find(world, "boat"), a);
    CHECK_SAME(kith_find(world, "Boat"), KITH_NONE);
    CHECK_RESULT(kith_set_name(world, a, ""), KITH_OK);
    CHECK_PTR_NULL(kith_name_of(world, a));
    CHECK_SAME(kith_find(world, "boat"), KITH_NONE);
    CHECK(!kith_has(world, a, &kith_name_type));
    CHECK_RESULT(kith_set_name(world, a, "boat"), KITH_OK);
    CHECK_RESULT(kith_despawn(world, a), KITH_OK);
    CHECK_PTR_NULL(kith_name_of(world, a));
    CHECK_SAME(kith_find(world, "boat"), KITH_NONE);
    CHECK_REFUSED(world, kith_set_name(world, a, "boat"), KITH_ERR_DEAD);
    CHECK_REFUSED(world, kith_set_name(world, a, NULL), KITH_ERR_DEAD);
    CHECK_CONTAINS(kith_error(world), "kith_set_name: Entity(0v0) is not alive");
    kith_entity b = kith_spawn_empty(world); /* in the same slot */
    CHECK_PTR_NULL(kith_name_of(world, b));
    CHECK_RESULT(kith_set_name(world, b, "boat"), KITH_OK);
    CHECK_SAME(kith_find(world, "boat"), b);
    CHECK_WORLD(world);
    fixture_free(&f);
}

TEST(paths_lead_from_roots_and_from_entities)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    kith_entity lonely = named(world, "lonely", KITH_NONE); /* before there is a parent */
    CHECK_SAME(kith_find(world, "lonely"), lonely);
    CHECK_SAME(kith_find(world, "lonely/a"), KITH_NONE);
    CHECK_SAME(kith_find_from(world, lonely, ".."), KITH_NONE);
    kith_entity ship = named(world, "ship", KITH_NONE);
    kith_entity turret = named(world, "turret", ship);
    kith_entity barrel = named(world, "barrel", turret);
    kith_entity other = named(world, "turret", lonely);
    kith_entity bare = kith_spawn_empty(world);
    CHECK_SAME(kith_find(world, "ship"), ship);
    CHECK_SAME(kith_find(world, "/ship"), ship);
    CHECK_SAME(kith_find(world, "ship/turret"), turret);
    CHECK_SAME(kith_find(world, "ship/turret/barrel"), barrel);
    CHECK_SAME(kith_find(world, "lonely/turret"), other);
    CHECK_SAME(kith_find(world, "lonely/turret/barrel"), KITH_NONE);
    CHECK_SAME(kith_find(world, "turret"), KITH_NONE);
    CHECK_SAME(kith_find(world, "ship/barrel"), KITH_NONE);
    static const char *const wrong[] = {
        "",  "/",  "//ship", "ship/",   "ship//turret", "ship/x",
        ".", "..", "./ship", "ship/..", "x/ship",       "ship/turret/barrel/x"};
    for (size_t i = 0; test_row(i, ROWS_OF(wrong)); i++) {
        CHECK_SAME(kith_find(world, wrong[i]), KITH_NONE);
        CHECK_SAME(kith_find_from(world, KITH_NONE, wrong[i]), KITH_NONE);
        CHECK_SAME(kith_find_child(world, KITH_NONE, wrong[i]), KITH_NONE);
        CHECK_SAME(kith_find_child(world, ship, wrong[i]), KITH_NONE);
    }
    CHECK_SAME(kith_find_from(world, KITH_NONE, "ship/turret"), turret);
    CHECK_SAME(kith_find_from(world, ship, "turret/barrel"), barrel);
    CHECK_SAME(kith_find_from(world, ship, "barrel"), KITH_NONE);
    CHECK_SAME(kith_find_from(world, barrel, ".."), turret);
    CHECK_SAME(kith_find_from(world, barrel, "../.."), ship);
    CHECK_SAME(kith_find_from(world, barrel, "../../.."), KITH_NONE);
    CHECK_SAME(kith_find_from(world, barrel, "../../turret"), turret);
    CHECK_SAME(kith_find_from(world, barrel, "."), barrel);
    CHECK_SAME(kith_find_from(world, turret, "./barrel/./.."), turret);
    CHECK_SAME(kith_find_from(world, barrel, "/lonely/turret"), other);
    CHECK_SAME(kith_find_from(world, bare, "ship"), KITH_NONE);
    CHECK_SAME(kith_find_from(world, ship, ""), KITH_NONE);
    CHECK_SAME(kith_find_child(world, ship, "turret"), turret);
    CHECK_SAME(kith_find_child(world, KITH_NONE, "ship"), ship);
    CHECK_SAME(kith_find_child(world, ship, "turret/barrel"), KITH_NONE);
    CHECK_SAME(kith_find_child(world, bare, "turret"), KITH_NONE);
    kith_despawn(world, turret);
    CHECK_SAME(kith_find_child(world, turret, "barrel"), KITH_NONE);
    CHECK_SAME(kith_find_from(world, turret, "."), KITH_NONE);
    CHECK_SAME(kith_find(world, "ship/turret"), KITH_NONE);
    CHECK_WORLD(world);
    fixture_free(&f);
}

TEST(a_path_is_written_as_it_is_found)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    char path[40];
    kith_entity ship = named(world, "ship", KITH_NONE);
    CHECK_UINT(kith_path(world, ship, path, sizeof path), 4);
    CHECK_STR(path, "ship");
    kith_entity turret = named(world, "turret", ship);
    kith_entity barrel = named(world, "barrel", turret);
    CHECK_UINT(kith_path(world, barrel, path, sizeof path), 18);
    CHECK_STR(path, "ship/turret/barrel");
    CHECK_UINT(kith_path(world, barrel, NULL, 0), 18);
    for (size_t size = 1; size <= 19; size++) {
        memset(path, '#', sizeof path);
        CHECK_UINT(kith_path(world, barrel, path, size), 18);
        CHECK_UINT(strlen(path), size - 1);
        CHECK_INT(strncmp(path, "ship/turret/barrel", size - 1), 0);
        CHECK(path[size] == '#');
    }
    kith_entity bare = kith_spawn_empty(world);
    kith_entity below = named(world, "below", bare);
    CHECK_UINT(kith_path(world, bare, path, sizeof path), 0);
    CHECK_STR(path, "");
    path[0] = '#';
    CHECK_UINT(kith_path(world, below, path, sizeof path), 0);
    CHECK_STR(path, "");
    CHECK_UINT(kith_path(world, KITH_NONE, path, sizeof path), 0);
    CHECK_RESULT(kith_despawn(world, below), KITH_OK);
    CHECK_UINT(kith_path(world, below, path, sizeof path), 0);
    CHECK_STR(path, "");
    CHECK_UINT(kith_path(world, below, NULL, 0), 0);
    fixture_free(&f);
}

TEST(what_cannot_be_a_name)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    kith_entity a = named(world, "a", KITH_NONE);
    static const char *const wrong[] = {"/", "a/b", "/a", "b/", ".", ".."};
    for (size_t i = 0; test_row(i, ROWS_OF(wrong)); i++) {
        const kith_name name = name_value(world, wrong[i]);
        const kith_values many = {&kith_name_type, &name, false};
        const kith_value value = {&kith_name_type, &name};
        kith_entity made;
        CHECK_REFUSED(world, kith_set_name(world, a, wrong[i]), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(world), "cannot be the name of an entity");
        CHECK_CONTAINS(kith_error(world), wrong[i]);
        CHECK_REFUSED(world, kith_set(world, a, &kith_name_type, &name), KITH_ERR_INPUT);
        CHECK_REFUSED(world, kith_spawn(world, &value, 1, &made), KITH_ERR_INPUT);
        CHECK_REFUSED(world, kith_spawn_many(world, 1, &many, 1, NULL), KITH_ERR_INPUT);
        CHECK_REFUSED(
            world, kith_set_field(world, a, &kith_name_type, "text", KITH_TEXT, &name, sizeof name),
            KITH_ERR_INPUT);
        kith_commands *commands = kith_commands_new(world, NULL);
        kith_commands_set(commands, a, &kith_name_type, &name);
        CHECK_REFUSED(world, kith_commands_apply(commands, NULL), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(world), "kith_commands_apply: ");
        CHECK_CONTAINS(kith_error(world), "cannot be the name of an entity");
        kith_commands_free(commands);
    }
    kith_name zero;
    CHECK_RESULT(kith_text_intern_bytes(world, "a\0b", 3, &zero.text), KITH_OK);
    CHECK_REFUSED(world, kith_set(world, a, &kith_name_type, &zero), KITH_ERR_INPUT);
    const kith_name unknown = {{123456}};
    CHECK_REFUSED(world, kith_set(world, a, &kith_name_type, &unknown), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(world), "text number 123456");
    kith_entity b = kith_spawn_empty(world);
    CHECK_REFUSED(world, kith_add(world, b, &kith_name_type), KITH_ERR_INPUT); /* zero bytes */
    CHECK_CONTAINS(kith_error(world), "it is empty");
    CHECK_RESULT(kith_set_name(world, b, "..."), KITH_OK);
    CHECK_RESULT(kith_set_name(world, b, ".x"), KITH_OK);
    CHECK_RESULT(kith_set_name(world, b, "x."), KITH_OK);
    CHECK_RESULT(kith_set_name(world, b, "-"), KITH_OK);
    CHECK_RESULT(kith_add(world, b, &kith_name_type), KITH_OK); /* it has it */
    CHECK_STR(kith_name_of(world, b), "-");
    fixture_free(&f);
}

/* ---- Siblings ---------------------------------------------------------------------------------- */

TEST(no_call_gives_two_siblings_one_name)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_world *world = f.world;
    kith_entity ship = named(world, "ship", KITH_NONE);
    kith_entity base = named(world, "base", KITH_NONE);
    kith_entity gun = named(world, "gun", ship);
    kith_entity other = named(world, "gun", base);
    kith_entity free = named(world, "gun", KITH_NONE);
    kith_entity bare = kith_spawn_empty(world);
    kith_entity made;
    const kith_name name = name_value(world, "gun");
    const kith_child_of below = {ship};
    const kith_value both[] = {{&kith_name_type, &name}, {&kith_child_of_type, &below}};
    const kith_value turned[] = {{&kith_child_of_type, &below}, {&kith_name_type, &name}};
    const kith_value with[] = {KITH_VALUE(Velocity), {&kith_name_type, &name}};
    CHECK_CLASH(world, kith_set_name(world, bare, "gun"));
    CHECK_CLASH(world, kith_set_name(world, ship, "base"));
    CHECK_CLASH(world, kith_set(world, bare, &kith_name_type, &name));
    CHECK_CLASH(world, kith_set(world, ship, &kith_name_type, &name));
    CHECK_CLASH(world, kith_set_bytes(world, bare, &kith_name_type, &name, sizeof name));
    CHECK_CLASH(world, kith_set_values(world, bare, with, 2));
    CHECK_CLASH(world, kith_set_values(world, bare, both, 2));
    CHECK_CLASH(world, kith_set_values(world, bare, turned, 2));
    CHECK_CLASH(world, kith_set_values(world, base, both, 2));
    CHECK_CLASH(world, kith_spawn(world, both, 1, &made));
    CHECK_CLASH(world, kith_spawn(world, both, 2, &made));
    CHECK_CLASH(world, kith_spawn(world, turned, 2, &made));
    CHECK_CLASH(world, kith_spawn(world, with, 2, &made));
    CHECK_CLASH(
        world, kith_set_field(world, ship, &kith_name_type, "text", KITH_TEXT, &name, sizeof name));
    CHECK_CLASH(world, kith_field_from_text(world, ship, &kith_name_type, "text", "\"gun\""));
    /* Another parent, or none. */
    CHECK_CLASH(world, kith_set_parent(world, free, ship));
    CHECK_CLASH(world, kith_set_parent(world, gun, base));
    CHECK_CLASH(world, kith_set_parent(world, gun, KITH_NONE));
    CHECK_CLASH(world, kith_remove(world, gun, &kith_child_of_type));
    CHECK_CLASH(world, kith_set(world, free, &kith_child_of_type, &below));
    CHECK_CLASH(world, kith_set_values(world, free, &both[1], 1));
    CHECK_CLASH(world, kith_insert_child(world, gun, other));
    CHECK_CLASH(world, kith_set_field(world, other, &kith_child_of_type, "target", KITH_ENTITY,
                                      &ship, sizeof ship));
    CHECK_SAME(kith_find(world, "gun"), free);
    CHECK_SAME(kith_find(world, "ship/gun"), gun);
    CHECK_SAME(kith_find(world, "base/gun"), other);
    /* With another name in the same call, or once the sibling is gone. */
    const kith_name second = name_value(world, "second");
    const kith_value moved[] = {{&kith_child_of_type, &below}, {&kith_name_type, &second}};
    CHECK_RESULT(kith_set_values(world, other, moved, 2), KITH_OK);
    CHECK_SAME(kith_find(world, "ship/second"), other);
    CHECK_SAME(kith_find(world, "base/gun"), KITH_NONE);
    CHECK_RESULT(kith_despawn(world, free), KITH_OK);
    CHECK_RESULT(kith_set_parent(world, gun, KITH_NONE), KITH_OK);
    CHECK_SAME(kith_find(world, "gun"), gun);
    CHECK_WORLD(world);
    CHECK_RESULT(kith_set_parent(world, gun, ship), KITH_OK);
    CHECK_RESULT(kith_remove_all(world, gun), KITH_OK);
    CHECK_SAME(kith_find(world, "ship/gun"), KITH_NONE);
    CHECK_SAME(kith_find(world, "gun"), KITH_NONE);
    CHECK_WORLD(world);
    fixture_free(&f);
}

TEST(many_are_spawned_with_names_of_their_own)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    kith_entity ship = named(world, "ship", KITH_NONE);
    kith_entity base = named(world, "base", KITH_NONE);
    kith_despawn(world, kith_spawn_empty(world)); /* a slot that is free */
    kith_name names[3] = {name_value(world, "a"), name_value(world, "b"), name_value(world, "a")};
    kith_child_of parents[3] = {{ship}, {ship}, {base}};
    const kith_values values[] = {{&kith_name_type, names, true},
                                  {&kith_child_of_type, parents, true}};
    kith_entity made[3];
    CHECK_CLASH(world, kith_spawn_many(world, 3, values, 1, NULL));
    CHECK_STR(kith_error(world),
              "kith_spawn_many: the new entity number 1 and the new entity number"
              " 3 would both have the name \"a\" without a parent; names of"
              " siblings differ");
    CHECK_RESULT(kith_spawn_many(world, 3, values, 2, made), KITH_OK);
    CHECK_SAME(kith_find(world, "ship/a"), made[0]);
    CHECK_SAME(kith_find(world, "ship/b"), made[1]);
    CHECK_SAME(kith_find(world, "base/a"), made[2]);
    CHECK_WORLD(world);
    CHECK_CLASH(world, kith_spawn_many(world, 3, values, 2, NULL));
    CHECK_STR(kith_error(world), "kith_spawn_many: \"ship/a\" (Entity(2v1)) and the new entity"
                                 " number 1 would both have the name \"a\" below \"ship\""
                                 " (Entity(0v0)); names of siblings differ");
    names[0] = name_value(world, "c");
    names[1] = name_value(world, "c");
    CHECK_CLASH(world, kith_spawn_many(world, 2, values, 2, NULL));
    const kith_values one_for_all[] = {{&kith_name_type, names, false}};
    CHECK_CLASH(world, kith_spawn_many(world, 2, one_for_all, 1, NULL));
    CHECK_RESULT(kith_spawn_many(world, 1, one_for_all, 1, NULL), KITH_OK);
    CHECK_WORLD(world);
    fixture_free(&f);
}

TEST(a_clone_has_no_name)
{
    fixture f = fixture_with_all(KITH_SLOT);
    kith_world *world = f.world;
    kith_entity ship = named(world, "ship", KITH_NONE);
    kith_entity gun = named(world, "gun", ship);
    KITH_SET(world, gun, Position, {1, 2});
    kith_entity clone;
    CHECK_RESULT(kith_clone(world, gun, &clone), KITH_OK);
    CHECK_SAME(kith_parent(world, clone), ship);
    CHECK_PTR_NULL(kith_name_of(world, clone));
    CHECK_FLOAT(KITH_GET(world, clone, Position)->y, 2);
    CHECK_SAME(kith_find(world, "ship/gun"), gun);
    CHECK_WORLD(world);
    kith_commands *commands = kith_commands_new(world, NULL);
    kith_entity first = kith_commands_clone(commands, gun);
    kith_entity fresh = kith_commands_spawn(commands);
    const kith_name name = name_value(world, "fresh");
    kith_commands_set(commands, fresh, &kith_name_type, &name);
    kith_entity second = kith_commands_clone(commands, fresh);
    kith_entity third = kith_commands_clone(commands, gun);
    const kith_name own = name_value(world, "own");
    kith_commands_set(commands, third, &kith_name_type, &own);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_PTR_NULL(kith_name_of(world, kith_commands_real(commands, first)));
    CHECK_FLOAT(KITH_GET(world, kith_commands_real(commands, first), Position)->y, 2);
    CHECK_PTR_NULL(kith_name_of(world, kith_commands_real(commands, second)));
    CHECK_SAME(kith_find(world, "fresh"), kith_commands_real(commands, fresh));
    CHECK_SAME(kith_find(world, "ship/own"), kith_commands_real(commands, third));
    CHECK_WORLD(world);
    kith_commands_free(commands);
    fixture_free(&f);
}

TEST(errors_name_both_siblings)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    kith_entity ship = named(world, "ship", KITH_NONE);
    kith_entity gun = named(world, "gun", ship);
    kith_entity bare = kith_spawn_empty(world);
    CHECK_CLASH(world, kith_set_name(world, bare, "ship"));
    CHECK_STR(kith_error(world), "kith_set_name: \"ship\" (Entity(0v0)) and Entity(2v0) would both"
                                 " have the name \"ship\" without a parent; names of siblings"
                                 " differ");
    kith_set_name(world, bare, "gun");
    CHECK_CLASH(world, kith_set_parent(world, bare, ship));
    CHECK_STR(kith_error(world), "kith_set_parent: \"ship/gun\" (Entity(1v0)) and \"ship/gun\""
                                 " (Entity(2v0)) would both have the name \"gun\" below \"ship\""
                                 " (Entity(0v0)); names of siblings differ");
    CHECK_CLASH(world, kith_set_parent(world, gun, KITH_NONE));
    CHECK_CONTAINS(kith_error(world), "kith_remove: \"gun\" (Entity(2v0)) and \"gun\" (Entity(1v0))"
                                      " would both have the name \"gun\" without a parent");
    fixture_free(&f);
}

/* ---- Messages ---------------------------------------------------------------------------------- */

static const char *name_by_namer(void *context, kith_entity entity)
{
    return entity.index1 == 1 ? context : NULL;
}

TEST(messages_show_names_where_no_namer_does)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    kith_entity ship = named(world, "ship", KITH_NONE);
    kith_entity gun = named(world, "gun", ship);
    CHECK_STR(kith_entity_describe(world, gun).text, "\"ship/gun\" (Entity(1v0))");
    char shown[] = "by namer";
    kith_namer namer = {.name = name_by_namer, .context = shown};
    kith_namer_add(world, &namer);
    CHECK_STR(kith_entity_describe(world, ship).text, "\"by namer\" (Entity(0v0))");
    CHECK_STR(kith_entity_describe(world, gun).text, "\"ship/gun\" (Entity(1v0))");
    kith_namer_remove(&namer);
    kith_entity bare = kith_spawn_empty(world);
    kith_entity below = named(world, "below", bare);
    CHECK_STR(kith_entity_describe(world, bare).text, "Entity(2v0)");
    CHECK_STR(kith_entity_describe(world, below).text, "\"below\" (Entity(3v0))");
    CHECK_RESULT(kith_despawn(world, below), KITH_OK);
    CHECK_STR(kith_entity_describe(world, below).text, "Entity(3v0)");
    /* What does not fit is cut in front; a name alone at its end. */
    char text[200];
    kith_entity at = ship;
    for (int i = 0; i < 20; i++) {
        snprintf(text, sizeof text, "part%02d", i);
        at = named(world, text, at);
    }
    snprintf(text, sizeof text, "%s", kith_entity_describe(world, at).text);
    CHECK_CONTAINS(text, "\".../part08/part09/");
    CHECK_CONTAINS(text, "/part18/part19\" (Entity(");
    for (size_t length = 80; length < 100; length++) {
        memset(text, 'x', length);
        text[length] = '\0';
        CHECK_RESULT(kith_set_name(world, at, text), KITH_OK);
        const kith_entity_description described = kith_entity_describe(world, at);
        CHECK_CONTAINS(described.text, "xxxxxxxx");
        CHECK_INT(strncmp(described.text, length < 80 ? "\".../x" : "\"", length < 80 ? 6 : 1), 0);
    }
    fixture_free(&f);
}

/* ---- Other worlds ------------------------------------------------------------------------------ */

TEST(names_go_along_with_a_transfer)
{
    fixture f = fixture_new();
    fixture g = fixture_new();
    kith_entity ship = named(f.world, "ship", KITH_NONE);
    const kith_entity both[] = {ship, named(f.world, "gun", ship)};
    kith_entity there = named(g.world, "gun", KITH_NONE);
    kith_entity moved[2];
    const uint64_t hash = kith_world_hash(g.world);
    /* Alone, it would be without a parent. */
    CHECK_CLASH(f.world, kith_transfer(f.world, &both[1], 1, g.world, moved));
    CHECK_CONTAINS(kith_error(f.world), "would both have the name \"gun\" without a parent");
    CHECK(kith_world_hash(g.world) == hash);
    CHECK_RESULT(kith_transfer(f.world, both, 2, g.world, moved), KITH_OK);
    CHECK_SAME(kith_find(g.world, "ship/gun"), moved[1]);
    CHECK_SAME(kith_find(g.world, "gun"), there);
    CHECK_SAME(kith_find(f.world, "ship"), KITH_NONE);
    CHECK_WORLD(g.world);
    fixture_free(&f);
    fixture_free(&g);
}

/* Writes another text over one in the bytes of a difference. */
static void write_over(const kith_bytes *bytes, const char *from, const char *to)
{
    const size_t length = strlen(from);
    bool found = false;
    for (size_t i = 0; !found && i + length <= bytes->size; i++) {
        found = memcmp((char *)bytes->data + i, from, length) == 0;
        if (found) {
            memcpy((char *)bytes->data + i, to, length);
        }
    }
    CHECK(found);
}

TEST(a_difference_is_applied_if_its_names_are_right)
{
    fixture f = fixture_new();
    fixture g = fixture_new();
    kith_snapshot *before;
    kith_snapshot *after;
    kith_bytes bytes = {0};
    kith_entity second[2];
    kith_world *const worlds[] = {f.world, g.world};
    for (int i = 0; i < 2; i++) {
        named(worlds[i], "first", KITH_NONE);
        second[i] = named(worlds[i], "second", KITH_NONE);
    }
    CHECK_RESULT(kith_snapshot_take(f.world, &before), KITH_OK);
    CHECK_RESULT(kith_set_name(f.world, second[0], "other"), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(f.world, &after), KITH_OK);
    CHECK_RESULT(kith_snapshot_diff_bytes(before, after, &bytes), KITH_OK);
    write_over(&bytes, "other", "first");
    CHECK_CLASH(g.world, kith_diff_apply(g.world, bytes.data, bytes.size));
    CHECK_CONTAINS(kith_error(g.world), "would both have the name \"first\" without a parent");
    write_over(&bytes, "first", "a/bcd");
    CHECK_REFUSED(g.world, kith_diff_apply(g.world, bytes.data, bytes.size), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(g.world), "\"a/bcd\" cannot be the name of an entity");
    write_over(&bytes, "a/bcd", "other");
    CHECK_RESULT(kith_diff_apply(g.world, bytes.data, bytes.size), KITH_OK);
    CHECK_SAME(kith_find(g.world, "other"), second[1]);
    CHECK_SAME(kith_find(g.world, "second"), KITH_NONE);
    CHECK_WORLD(g.world);
    kith_bytes_free(f.world, &bytes);
    kith_snapshot_free(before);
    kith_snapshot_free(after);
    fixture_free(&f);
    fixture_free(&g);
}

/* A child that gets another parent has its name among other siblings then. */
TEST(a_difference_moves_names_with_their_entities)
{
    fixture f = fixture_new();
    fixture g = fixture_new();
    kith_entity entities[2][4]; /* two parents, a child of the first, and one of the second */
    kith_world *const worlds[] = {f.world, g.world};
    for (int i = 0; i < 2; i++) {
        entities[i][0] = named(worlds[i], "left", KITH_NONE);
        entities[i][1] = named(worlds[i], "right", KITH_NONE);
        entities[i][2] = named(worlds[i], "gun", entities[i][0]);
        entities[i][3] = named(worlds[i], "gun", entities[i][1]);
    }
    for (int round = 0; round < 2; round++) {
        kith_snapshot *before;
        kith_snapshot *after;
        kith_bytes bytes = {0};
        CHECK_RESULT(kith_snapshot_take(f.world, &before), KITH_OK);
        CHECK_RESULT(kith_set_parent(f.world, entities[0][2], KITH_NONE), KITH_OK);
        CHECK_RESULT(kith_set_parent(f.world, entities[0][3], entities[0][0]), KITH_OK);
        if (round == 0) {
            CHECK_RESULT(kith_set_parent(f.world, entities[0][2], entities[0][1]), KITH_OK);
        }
        CHECK_RESULT(kith_snapshot_take(f.world, &after), KITH_OK);
        CHECK_RESULT(kith_snapshot_diff_bytes(before, after, &bytes), KITH_OK);
        CHECK_RESULT(kith_snapshot_restore(f.world, before), KITH_OK);
        CHECK_RESULT(kith_diff_apply(g.world, bytes.data, bytes.size), KITH_OK);
        CHECK_SAME(kith_find(g.world, "left/gun"), entities[1][3]);
        CHECK_SAME(kith_find(g.world, "right/gun"), round == 0 ? entities[1][2] : KITH_NONE);
        CHECK_SAME(kith_find(g.world, "gun"), round == 0 ? KITH_NONE : entities[1][2]);
        CHECK_WORLD(g.world);
        CHECK_RESULT(kith_snapshot_diff_bytes(after, before, &bytes), KITH_OK);
        CHECK_RESULT(kith_diff_apply(g.world, bytes.data, bytes.size), KITH_OK);
        CHECK_SAME(kith_find(g.world, "left/gun"), entities[1][2]);
        CHECK_SAME(kith_find(g.world, "right/gun"), entities[1][3]);
        CHECK_WORLD(g.world);
        kith_bytes_free(f.world, &bytes);
        kith_snapshot_free(before);
        kith_snapshot_free(after);
    }
    fixture_free(&f);
    fixture_free(&g);
}

TEST(layouts_and_hooks_of_names)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    static const kith_hooks hooks;
    const kith_component_def hooked = {.hooks = &hooks};
    const kith_type_def in_tables = {.name = "EntityName",
                                     .fields = kith_name_type.fields,
                                     .field_count = kith_name_type.field_count};
    CHECK_RESULT(kith_register(world, &kith_name_type, &hooked), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(world), "'EntityName': names of entities have layout KITH_SLOT");
    kith_layout layout;
    const kith_type *defined;
    const kith_result result = kith_define(world, &in_tables, &defined);
    CHECK_RESULT(result, KITH_ERR_INPUT);
    CHECK_RESULT(kith_register(world, &kith_name_type, NULL), KITH_OK);
    CHECK_RESULT(kith_layout_of(world, &kith_name_type, &layout), KITH_OK);
    CHECK_INT(layout, KITH_SLOT);
    fixture_free(&f);
}
