/* A scene goes back with its world: which entities are in it, and their names. */
#include <kith/snapshot.h>

#include "scenes.h"

static const char text[] = "prefab p\n    Target { entity = b }\n\n"
                           "entity a\n    Target { entity = b }\n\n"
                           "entity b\n\nentity\n";

static kith_snapshot *take(const fixture *f)
{
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(f->world, &snapshot), KITH_OK);
    CHECK_WORLD(f->world);
    return snapshot;
}

static void restore(const fixture *f, const kith_snapshot *snapshot)
{
    CHECK_RESULT(kith_snapshot_restore(f->world, snapshot), KITH_OK);
    CHECK_WORLD(f->world);
}

static void save(const fixture *f, const kith_scene *scene, saved_text *saved)
{
    const kith_scene_save_def def = {.scene = scene};
    saved->length = 0;
    saved->bytes[0] = '\0';
    CHECK_RESULT(kith_scene_save(f->world, &def, write_saved, saved, NULL), KITH_OK);
}

static kith_entity add(const fixture *f, kith_scene *scene, const char *name)
{
    kith_entity entity;
    uint32_t index;
    CHECK_RESULT(kith_spawn(f->world, NULL, 0, &entity), KITH_OK);
    CHECK_RESULT(kith_scene_add(scene, entity, kith_scene_prefab(scene, "p"), &index), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, index, name), KITH_OK);
    return entity;
}

TEST_EACH_LAYOUT(a_scene_goes_back_and_ahead, layout)
{
    static saved_text states[4];
    static saved_text now;
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, text);
    kith_entity b = kith_scene_find(scene, "b");
    kith_snapshot *snapshots[4];
    snapshots[0] = take(&f);
    save(&f, scene, &states[0]);
    add(&f, scene, "c");
    add(&f, scene, "d");
    snapshots[1] = take(&f);
    save(&f, scene, &states[1]);
    CHECK_RESULT(kith_scene_set_name(scene, 1, "e"), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 4, "b"), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, kith_scene_find(scene, "a")), KITH_OK);
    CHECK_RESULT(kith_scene_set_name(scene, 3, "a"), KITH_OK); /* the name of the dead */
    snapshots[2] = take(&f);
    save(&f, scene, &states[2]);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    CHECK_UINT(kith_scene_count(scene), 3);
    snapshots[3] = take(&f);
    save(&f, scene, &states[3]);
    static const int order[] = {0, 1, 2, 3, 1, 3, 0, 2, 2, 0, 3, 2, 1, 0};
    static const uint32_t counts[] = {3, 5, 5, 3};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        restore(&f, snapshots[order[i]]);
        save(&f, scene, &now);
        CHECK_STR(now.bytes, states[order[i]].bytes);
        CHECK_UINT(kith_scene_count(scene), counts[order[i]]);
    }
    CHECK_SAME(kith_scene_find(scene, "b"), b);
    CHECK_UINT(kith_scene_index_of(scene, b), 1);
    CHECK_SAME(kith_scene_find(scene, "d"), KITH_NONE);
    scene_end(&f, scene);
}

/* Other entities get the handles of those that were taken back. */
TEST(what_is_added_after_going_back_is_another)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, text);
    kith_snapshot *before = take(&f);
    kith_entity c = add(&f, scene, "c");
    restore(&f, before);
    CHECK_SAME(add(&f, scene, "d"), c);
    CHECK_SAME(kith_scene_find(scene, "d"), c);
    CHECK_SAME(kith_scene_find(scene, "c"), KITH_NONE);
    CHECK_UINT(kith_scene_index_of(scene, c), 3);
    scene_end(&f, scene);
}

/* What a prefab names is the entity of now, and of then. */
TEST(prefabs_go_back)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, text);
    kith_entity b = kith_scene_find(scene, "b");
    kith_snapshot *before = take(&f);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    restore(&f, before);
    kith_entity made;
    CHECK_RESULT(kith_prefab_spawn(kith_scene_prefab(scene, "p"), NULL, 0, &made), KITH_OK);
    CHECK_SAME(KITH_GET(f.world, made, Target)->entity, b);
    scene_end(&f, scene);
}

/* A scene that was read after the snapshot has no entities then, and can be made anew. */
TEST(a_scene_that_came_since_has_no_entities)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_snapshot *before = take(&f);
    kith_scene *scene = load(&f, text);
    add(&f, scene, "c");
    restore(&f, before);
    CHECK_UINT(kith_entity_count(f.world), 0);
    CHECK_UINT(kith_scene_count(scene), 3);
    CHECK_SAME(kith_scene_find(scene, "a"), KITH_NONE);
    CHECK_SAME(kith_scene_find(scene, "c"), KITH_NONE);
    kith_entity made;
    CHECK_RESULT(kith_prefab_spawn(kith_scene_prefab(scene, "p"), NULL, 0, &made), KITH_OK);
    CHECK_SAME(KITH_GET(f.world, made, Target)->entity, KITH_NONE);
    CHECK_UINT(kith_scene_index_of(scene, made), UINT32_MAX);
    CHECK_RESULT(kith_scene_spawn(scene), KITH_OK);
    CHECK(kith_alive(f.world, kith_scene_find(scene, "a")));
    scene_end(&f, scene);
}

/* A scene that is gone stays gone; what snapshots kept of it goes with them, or with the world. */
TEST(a_scene_that_went_stays_away)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, text);
    kith_scene *other = load(&f, text);
    kith_snapshot *both = take(&f);
    kith_snapshot *again = take(&f);
    kith_scene_free(scene);
    add(&f, other, "c");
    restore(&f, both);
    CHECK_SAME(kith_scene_find(other, "c"), KITH_NONE);
    kith_snapshot_free(both);
    restore(&f, again);
    scene_end(&f, other);
}

/* A scene may be freed after its world, and so may what was kept of it. */
TEST(a_scene_outlives_its_world_and_its_snapshots)
{
    fixture f = {.world = kith_world_new(NULL)};
    register_for_scenes(f.world, KITH_TABLE);
    kith_scene *scene = load(&f, text);
    take(&f);
    add(&f, scene, "c");
    take(&f);
    kith_world_free(f.world);
    kith_scene_free(scene); /* LeakSanitizer looks for the rest */
}

/* Taking a snapshot of a large scene that nobody changes copies nothing of it. */
TEST(a_scene_that_does_not_change_is_shared)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, text);
    kith_snapshot *first = take(&f);
    size_t one = kith_memory(f.world).used;
    kith_snapshot *second = take(&f);
    size_t two = kith_memory(f.world).used;
    kith_snapshot *third = take(&f);
    CHECK_UINT(kith_memory(f.world).used - two, two - one);
    CHECK_RESULT(kith_scene_set_name(scene, 2, "z"), KITH_OK);
    kith_snapshot *fourth = take(&f);
    CHECK(kith_memory(f.world).used - two > 2 * (two - one));
    restore(&f, third);
    kith_snapshot_free(fourth);
    kith_snapshot_free(first);
    kith_snapshot_free(third);
    restore(&f, second);
    CHECK_STR(kith_scene_name(scene, 2), "");
    kith_snapshot_free(second);
    scene_end(&f, scene);
}
