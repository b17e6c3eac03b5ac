/* The components of transforms in worlds: by their names, in texts, in an index of places. */
#include <kith/reflect.h>
#include <kith/scene.h>
#include <kith/spatial.h>

#include <string.h>

#include "worlds.h"

TEST_EACH_LAYOUT(transforms_are_components_with_names, layout)
{
    fixture f = game_new(layout, 0);
    static const char text[] = "entity ship\n"
                               "    Local2 { x = 3, y = 4, angle = 0.5 }\n"
                               "    Global2 { x_axis.x = 1, y_axis.y = 2, x = 7 }\n"
                               "    Local3 { position.z = 5, rotation.w = 1, scale.y = 2 }\n"
                               "    Global3 { z_axis.x = 9, position.y = 6 }\n";
    kith_scene *scene;
    CHECK_RESULT(kith_scene_load(f.world, text, strlen(text), &scene, NULL), KITH_OK);
    const kith_entity ship = kith_scene_find(scene, "ship");
    CHECK_FLOAT(KITH_GET(f.world, ship, Local2)->angle, 0.5f);
    CHECK_FLOAT(KITH_GET(f.world, ship, Local2)->scale_x, 0);
    CHECK_FLOAT(KITH_GET(f.world, ship, Global2)->y_axis.y, 2);
    CHECK_FLOAT(KITH_GET(f.world, ship, Global2)->x, 7);
    CHECK_FLOAT(KITH_GET(f.world, ship, Local3)->position.z, 5);
    CHECK_FLOAT(KITH_GET(f.world, ship, Local3)->rotation.w, 1);
    CHECK_FLOAT(KITH_GET(f.world, ship, Local3)->scale.y, 2);
    CHECK_FLOAT(KITH_GET(f.world, ship, Global3)->z_axis.x, 9);
    CHECK_FLOAT(KITH_GET(f.world, ship, Global3)->position.y, 6);
    kith_scene_free(scene);
    fixture_free(&f);
}

/* Every number is a field, at its place: none is left out of a hash. */
TEST(every_number_of_a_transform_is_a_field)
{
    static const kith_type *const types[] = {&Local2_type, &Global2_type, &Local3_type,
                                             &Global3_type};
    for (size_t i = 0; test_row(i, ROWS_OF(types)); i++) {
        CHECK_UINT(types[i]->field_count * sizeof(float), types[i]->size);
        for (uint32_t j = 0; j < types[i]->field_count; j++) {
            CHECK_UINT(types[i]->fields[j].offset, j * sizeof(float));
            CHECK_INT(types[i]->fields[j].kind, KITH_F32);
        }
    }
}

/* What was written by a transform is found where it is. */
TEST(an_index_of_places_finds_transforms)
{
    fixture f = fixture_new();
    const Global2 parent = kith_transform2_from_local((Local2){.x = 10, .angle = KITH_PI / 2});
    const Global2 part = kith_transform2_compose(parent, (Local2){.x = 5});
    const kith_entity flat = KITH_SPAWN(f.world, KITH_VALUE(Global2, part));
    const kith_entity solid =
        KITH_SPAWN(f.world, KITH_VALUE(Local3, {.position = {1, 2, 3}}));
    kith_index *flats, *solids;
    const kith_index_def in_2d = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Global2, x, y)};
    const kith_index_def in_3d = {.kind = KITH_INDEX_SPATIAL,
                                  KITH_FIELDS(Local3, position.x, position.y, position.z)};
    CHECK_RESULT(kith_index_new(f.world, &in_2d, &flats), KITH_OK);
    CHECK_RESULT(kith_index_new(f.world, &in_3d, &solids), KITH_OK);
    kith_near found;
    uint32_t count;
    CHECK_RESULT(kith_nearest(flats, KITH_POINT(10, 5), 1, NULL, &found, &count), KITH_OK);
    CHECK(count == 1 && kith_entity_equal(found.entity, flat) && found.distance < 1e-5);
    CHECK_RESULT(kith_nearest(solids, KITH_POINT(1, 2, 4), 1, NULL, &found, &count), KITH_OK);
    CHECK(count == 1 && kith_entity_equal(found.entity, solid));
    CHECK_FLOAT(found.distance, 1);
    kith_index_free(flats);
    kith_index_free(solids);
    fixture_free(&f);
}
