/* Links of KITH_LINKS in scenes: entities that are nothing without both ends. */
#include <stdio.h>

#include "trees.h"

KITH_LINKS(Fears, KITH_CLEAR, (float, strength));

static fixture fears_fixture(kith_layout layout)
{
    fixture f = tree_fixture(layout);
    CHECK_RESULT(kith_register(f.world, &Fears_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    return f;
}

TEST_EACH_LAYOUT(links_are_read_and_saved, layout)
{
    static const char text[] = "entity a\n"
                               "    Fears { source = b, target = a/c, strength = 2 }\n"
                               "    child c\n"
                               "\n"
                               "entity b\n"
                               "\n"
                               "entity\n"
                               "    Fears { source = a/c, target = a/c, strength = 3 }\n";
    fixture f = fears_fixture(layout);
    kith_scene *scene = load(&f, text);
    const kith_entity c = kith_scene_find(scene, "a/c");
    kith_sources s = kith_links_to(f.world, c, &Fears_type);
    CHECK(kith_sources_next(&s));
    CHECK_SAME(s.entity, kith_scene_find(scene, "a"));
    CHECK(kith_sources_next(&s));
    CHECK_SAME(s.entity, kith_scene_at(scene, 3));
    CHECK(!kith_sources_next(&s));
    static saved_text saved;
    saved.length = 0;
    CHECK_RESULT(kith_scene_save(f.world, &(kith_scene_save_def){.names = scene}, write_saved,
                                 &saved, NULL),
                 KITH_OK);
    CHECK_STR(saved.bytes, text);
    scene_end(&f, scene);
}

/* A link that has lost an end would not be one when it is read. */
TEST_EACH_LAYOUT(a_link_to_what_is_not_saved_is_left_out, layout)
{
    static const char *const ends[] = {"source = b, target = a", "source = a, target = b"};
    for (size_t i = 0; test_row(i, ROWS_OF(ends)); i++) {
        char text[128];
        snprintf(text, sizeof text, "entity a\n Frozen\nentity b\nentity\n Frozen\n Fears { %s }\n",
                 ends[i]);
        fixture f = fears_fixture(layout);
        kith_scene *scene = load(&f, text);
        kith_query *query = KITH_QUERY(f.world, KITH_WITH(Frozen));
        kith_scene_save_def def = {.query = query, .lose_references = true};
        static saved_text saved;
        saved.length = 0;
        CHECK_RESULT(kith_scene_save(f.world, &def, write_saved, &saved, NULL), KITH_OK);
        CHECK_STR(saved.bytes, "entity e1\n    Frozen\n\nentity\n    Frozen\n");
        saved.length = 0;
        def.lose_references = false;
        CHECK_RESULT(kith_scene_save(f.world, &def, write_saved, &saved, NULL), KITH_ERR_INPUT);
        scene_end(&f, scene);
    }
}

TEST_EACH_LAYOUT(a_link_in_a_text_has_both_ends, layout)
{
    static const struct {
        const char *value;
        const char *message;
    } rows[] = {{"Fears { source = a }", "expected an entity as the target of Fears, found none"},
                {"Fears { target = a }", "expected an entity as the source of Fears, found none"},
                {"Fears", "expected an entity as the source of Fears, found none"}};
    for (size_t i = 0; test_row(i, ROWS_OF(rows)); i++) {
        char text[128];
        kith_scene_error error = {.message = ""};
        fixture f = fears_fixture(layout);
        snprintf(text, sizeof text, "entity a\n Frozen\nentity\n %s\n", rows[i].value);
        CHECK_RESULT(kith_scene_load(f.world, text, strlen(text), NULL, &error), KITH_ERR_INPUT);
        CHECK_CONTAINS(error.message, rows[i].message);
        CHECK_UINT(error.line, 4);
        CHECK_UINT(kith_entity_count(f.world), 0);
        fixture_free(&f);
    }
}

/* What a prefab names outside of it has to live. */
TEST_EACH_LAYOUT(a_link_of_a_prefab_has_both_ends, layout)
{
    static const struct {
        const char *text; /* of a prefab `fear` */
        const char *message;
    } rows[] = {
        {"prefab fear\n Fears { source = a, target = b }\n child c\n",
         "the target of Fears is not alive"},
        {"prefab fear\n Fears { source = b, target = a }\n child c\n",
         "the source of Fears is not alive"},
        {"prefab fear\n Fears { source = c, target = b }\n child c\n",
         "the target of Fears is not alive"},
        {"prefab fear\n Fears { source = a }\n child c\n", "the target of Fears is none"},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(rows)); i++) {
        char text[256];
        fixture f = fears_fixture(layout);
        snprintf(text, sizeof text, "%sentity a\nentity b\n", rows[i].text);
        kith_scene *scene = load(&f, text);
        const kith_prefab *fear = kith_scene_prefab(scene, "fear");
        kith_entity made = KITH_NONE;
        CHECK_RESULT(kith_despawn(f.world, kith_scene_find(scene, "b")), KITH_OK);
        CHECK_RESULT(kith_prefab_spawn(fear, NULL, 0, &made), KITH_ERR_DEAD);
        CHECK_CONTAINS(kith_error(f.world), rows[i].message);
        CHECK_UINT(kith_entity_count(f.world), 1);
        const kith_entity a = kith_scene_find(scene, "a");
        const kith_value whole = KITH_VALUE(Fears, {a, a, 1});
        CHECK_RESULT(kith_prefab_spawn(fear, &whole, 1, &made), KITH_OK);
        CHECK(kith_alive(f.world, made));
        const kith_value half = KITH_VALUE(Fears, {a, KITH_NONE, 1});
        CHECK_RESULT(kith_prefab_spawn(fear, &half, 1, &made), KITH_ERR_DEAD);
        CHECK_CONTAINS(kith_error(f.world), "the target of Fears is none");
        scene_end(&f, scene);
    }
}
