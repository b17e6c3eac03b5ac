/* Scenes name their entities in messages of their world. */
#include "scenes.h"

static void check_described(const fixture *f, kith_entity entity, const char *expected)
{
    CHECK_STR(kith_entity_describe(f->world, entity).text, expected);
}

static const char party[] = "entity ship\n    Position\nentity ship.turret\n    Position\nentity\n";

TEST(a_scene_names_what_it_made)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, party);
    kith_entity turret = kith_scene_at(scene, 1);
    check_described(&f, kith_scene_at(scene, 0), "\"ship\" (Entity(0v0))");
    check_described(&f, turret, "\"ship.turret\" (Entity(1v0))");
    check_described(&f, kith_scene_at(scene, 2), "Entity(2v0)");
    check_described(&f, kith_spawn_empty(f.world), "Entity(3v0)");
    CHECK_RESULT(kith_scene_set_name(scene, 1, "gun"), KITH_OK);
    check_described(&f, turret, "\"gun\" (Entity(1v0))");
    /* One that ended is still called so, and the next one in its slot is not. */
    CHECK_RESULT(kith_despawn(f.world, turret), KITH_OK);
    check_described(&f, turret, "\"gun\" (Entity(1v0))");
    check_described(&f, kith_spawn_empty(f.world), "Entity(1v1)");
    kith_scene_free(scene);
    check_described(&f, turret, "Entity(1v0)");
    fixture_free(&f);
}

/* Names are of those that were made last, and of those that were added. */
TEST(a_scene_that_is_spawned_again)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = NULL;
    CHECK_RESULT(kith_scene_parse(f.world, party, sizeof party - 1, &scene, NULL), KITH_OK);
    kith_entity own = kith_spawn_empty(f.world);
    check_described(&f, own, "Entity(0v0)");
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    kith_entity first = kith_scene_at(scene, 0);
    check_described(&f, first, "\"ship\" (Entity(1v0))");
    uint32_t number;
    CHECK_RESULT(kith_scene_add(scene, own, NULL, &number), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, number, "own"), KITH_OK);
    check_described(&f, own, "\"own\" (Entity(0v0))");
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    check_described(&f, first, "Entity(1v0)");
    check_described(&f, own, "Entity(0v0)");
    check_described(&f, kith_scene_at(scene, 0), "\"ship\" (Entity(4v0))");
    scene_end(&f, scene);
}

TEST(several_scenes_and_worlds)
{
    fixture f = scene_fixture(KITH_TABLE);
    fixture other = scene_fixture(KITH_TABLE);
    kith_scene *a = load(&f, "entity a\n");
    kith_scene *b = load(&f, "entity b\n");
    kith_scene *elsewhere = load(&other, "entity elsewhere\n");
    check_described(&f, kith_scene_at(a, 0), "\"a\" (Entity(0v0))");
    check_described(&f, kith_scene_at(b, 0), "\"b\" (Entity(1v0))");
    check_described(&other, kith_scene_at(elsewhere, 0), "\"elsewhere\" (Entity(0v0))");
    kith_entity first = kith_scene_at(a, 0);
    kith_scene_free(a);
    check_described(&f, first, "Entity(0v0)");
    check_described(&f, kith_scene_at(b, 0), "\"b\" (Entity(1v0))");
    kith_scene_error error;
    CHECK_RESULT(kith_scene_load(f.world, "entity x\n  Nothing\n", 19, &a, &error), KITH_ERR_INPUT);
    check_described(&f, kith_scene_at(b, 0), "\"b\" (Entity(1v0))");
    scene_end(&other, elsewhere);
    scene_end(&f, b);
}

/* A scene may be freed after its world, and in any order. */
TEST(scenes_that_outlive_their_world)
{
    kith_world *world = kith_world_new(NULL);
    kith_scene *scenes[2];
    for (int i = 0; i < 2; i++) {
        CHECK_RESULT(kith_scene_load(world, "entity a\n", 9, &scenes[i], NULL), KITH_OK);
    }
    kith_entity first = kith_scene_at(scenes[0], 0);
    CHECK_STR(kith_entity_describe(world, first).text, "\"a\" (Entity(0v0))");
    kith_world_free(world);
    kith_scene_free(scenes[0]);
    kith_scene_free(scenes[1]);
}

TEST(messages_have_the_names)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, party);
    kith_entity ship = kith_scene_at(scene, 0);
    CHECK_RESULT(kith_scene_add(scene, ship, NULL, NULL), KITH_ERR_CONFLICT);
    CHECK_STR(kith_error(f.world),
              "kith_scene_add: \"ship\" (Entity(0v0)) is in the scene already");
    CHECK_RESULT(kith_despawn(f.world, ship), KITH_OK);
    CHECK_RESULT(kith_scene_add(scene, ship, NULL, NULL), KITH_ERR_DEAD);
    CHECK_STR(kith_error(f.world), "kith_scene_add: \"ship\" (Entity(0v0)) is dead");
    CHECK_RESULT(kith_scene_add(scene, KITH_NONE, NULL, NULL), KITH_ERR_DEAD);
    CHECK_STR(kith_error(f.world), "kith_scene_add: Entity(null) is dead");
    fixture to = scene_fixture(KITH_TABLE);
    kith_entity gone[2] = {kith_scene_at(scene, 1), kith_scene_at(scene, 1)};
    CHECK_RESULT(kith_transfer(f.world, gone, 2, to.world, NULL), KITH_ERR_CONFLICT);
    CHECK_STR(kith_error(f.world), "kith_transfer: \"ship.turret\" (Entity(1v0)) is named twice");
    fixture_free(&to);
    scene_end(&f, scene);
}
