/* What is in a file of its own in the single-file distribution: types at run time, values as text. */
#include <kith/kith.h>
#include <stdio.h>

int main(void)
{
    kith_world *world = kith_world_new(NULL);
    const kith_field field = {"x", 0, 0, KITH_F32};
    const kith_type_def def = {.name = "Made", .fields = &field, .field_count = 1};
    kith_result result = kith_define(world, &def, NULL);
    kith_entity entity = kith_spawn_empty(world);
    if (result == KITH_OK) {
        result = kith_parse_entity(world, entity, "Made { x = 0.5 }");
    }
    puts(result == KITH_OK ? "made" : kith_error(world));
    kith_world_free(world);
    return result == KITH_OK ? 0 : 1;
}
