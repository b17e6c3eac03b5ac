/* named_components: components that are made up as the program runs */

#include <kith/kith.h>
#include <stdio.h>

#include "support/arguments.h"
#include "support/must.h"

static const char help[] =
    "usage: named_components\n"
    "\n"
    "Makes components without a struct, while it runs, and shows what is said of\n"
    "mistakes with them.\n";

/* What an editor, a server or a script might say. No struct of these is compiled in. */
static void define_components(kith_world *world)
{
    const kith_field name[] = {{"value", .size = 16, .kind = KITH_CHAR}};
    must(world,
         kith_define(world, &(kith_type_def){.name = "Name", .fields = name, .field_count = 1},
                     NULL));

    const kith_field location[] = {
        {"x", .kind = KITH_F32},
        {"y", .kind = KITH_F32},
        {"z", .kind = KITH_F32},
    };
    must(world,
         kith_define(world,
                     &(kith_type_def){.name = "Location", .fields = location, .field_count = 3},
                     NULL));

    must(world, kith_define(world, &(kith_type_def){.name = "Utensil", .layout = KITH_SLOT}, NULL));
}

static void print(kith_world *world, const char *who, kith_entity entity)
{
    char text[512];
    must(world, kith_print_entity(world, entity, text, sizeof text, NULL));
    printf("%s is %s\n%s", who, kith_entity_to_text(entity).text, text);
}

/* A call that cannot work: an error, and the world is as it was. */
static void print_mistake(const kith_world *world, kith_result result)
{
    if (result == KITH_OK) {
        fail("what does not fit was taken");
    }
    must(world, result == KITH_ERR_MEMORY ? result : KITH_OK);
    printf("  %s\n", kith_error(world));
}

static void go_wrong(kith_world *world, kith_entity player)
{
    const kith_type *location = kith_type_find(world, "Location");
    const kith_field fields[] = {{"x", .kind = KITH_F64}};
    const kith_type_def other = {.name = "Location", .fields = fields, .field_count = 1};
    double x = 0;
    print_mistake(world, kith_get_field(world, player, location, "x", KITH_F64, &x, sizeof x));
    print_mistake(world, kith_get_field(world, player, location, "height", KITH_F32, &x, 4));
    print_mistake(world, kith_get_bytes(world, player, location, &x, sizeof x));
    print_mistake(world, kith_parse_entity(world, player,
                                           "Name { value = \"jack\" }\nLocation { x = left }"));
    print_mistake(world, kith_define(world, &other, NULL));
}

/* A loop over a type that nobody knew when this was compiled: the same columns as any other, with the
 * field's place looked up once. */
static void cook(kith_world *world, const kith_type *cookable, float minutes)
{
    const kith_field *field = kith_field_find(cookable, "minutes");
    const kith_query_def def = {.terms =
                                    KITH_TERMS({.type = cookable, .access = KITH_ACCESS_WRITE})};
    kith_query *query = NULL;
    must(world, kith_query_new(world, &def, &query));
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        char *values = kith_column_mut(&it, cookable);
        for (uint32_t i = 0; i < it.count; i++) {
            float *left = (float *)(void *)(values + i * cookable->size + field->offset);
            *left -= minutes;
        }
    }
    must(world, it.result);
    kith_query_free(query);
}

int main(int argc, char **argv)
{
    (void)argc;
    arguments_none(argv, "named_components", help);
    kith_world *world = must_make(kith_world_new(NULL));
    define_components(world);

    kith_entity player = must_spawn(kith_spawn_empty(world));
    must(world, kith_parse_entity(world, player, "Name { value = \"jane\" }"));
    must(world, kith_parse_entity(world, player, "Location"));
    must(world, kith_parse_entity(world, player, "Name { value = \"joe\" }"));
    print(world, "the player", player);

    printf("what does not fit:\n");
    go_wrong(world, player);
    print(world, "the player", player);

    /* While the game runs, somebody asks: what if utensils were cookable? */
    kith_entity ladle = must_spawn(kith_spawn_empty(world));
    must(world, kith_parse_entity(world, ladle, "Utensil  Name { value = \"ladle\" }"));
    const kith_field fields[] = {{"minutes", .kind = KITH_F32}, {"done", .kind = KITH_BOOL}};
    const kith_type *cookable = NULL;
    must(world, kith_define(
                    world, &(kith_type_def){.name = "Cookable", .fields = fields, .field_count = 2},
                    &cookable));
    must(world, kith_parse_entity(world, ladle, "Cookable { minutes = 7.5 }"));
    cook(world, cookable, 2.25f);
    print(world, "the ladle", ladle);

    must_print();
    kith_world_free(world);
    return 0;
}
