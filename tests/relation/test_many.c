/* Relations in which an entity may have many targets: links that are entities. */
#include "links.h"

KITH_LINKS(Likes, KITH_CLEAR, (float, strength));
KITH_LINKS(Needs, KITH_CASCADE, KITH_SPARSE);
KITH_LINKS(Holds, KITH_REFUSE, KITH_SLOT, (int, count));

#define CHECK_LINKS(scan, ...)                                                                     \
    check_links(__FILE__, __LINE__, (scan), (const kith_entity[]){__VA_ARGS__, {0, 0}})
static void check_links(const char *file, int line, kith_sources scan, const kith_entity *expected)
{
    while (kith_sources_next(&scan)) {
        test_check_same(file, line, "link", "expected", scan.entity, *expected);
        expected++;
    }
    test_check_same(file, line, "link", "expected", KITH_NONE, *expected);
}

typedef struct crowd {
    fixture f;
    kith_entity a, b, c;
} crowd;

static crowd crowd_new(kith_layout layout)
{
    crowd t = {.f = fixture_new()};
    CHECK_RESULT(kith_register(t.f.world, &Likes_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    t.a = kith_spawn_empty(t.f.world);
    t.b = kith_spawn_empty(t.f.world);
    t.c = kith_spawn_empty(t.f.world);
    return t;
}

TEST_EACH_LAYOUT(links_are_found_from_both_ends, layout)
{
    crowd t = crowd_new(layout);
    kith_world *w = t.f.world;
    kith_entity ab = KITH_SPAWN(w, KITH_VALUE(Likes, {t.a, t.b, 1}));
    kith_entity ac = KITH_SPAWN(w, KITH_VALUE(Likes, {t.a, t.c, 2}));
    kith_entity cb = KITH_SPAWN(w, KITH_VALUE(Likes, {t.c, t.b, 3}));
    kith_entity aa = KITH_SPAWN(w, KITH_VALUE(Likes, {t.a, t.a, 4}));
    CHECK_LINKS(kith_links_from(w, t.a, &Likes_type), ab, ac, aa);
    CHECK_LINKS(kith_links_to(w, t.b, &Likes_type), ab, cb);
    CHECK_LINKS(kith_links_to(w, t.a, &Likes_type), aa);
    CHECK_LINKS(kith_links_from(w, t.b, &Likes_type), KITH_NONE);
    CHECK_SAME(kith_link_find(w, t.a, t.c, &Likes_type), ac);
    CHECK_SAME(kith_link_find(w, t.c, t.b, &Likes_type), cb);
    CHECK_SAME(kith_link_find(w, t.c, t.a, &Likes_type), KITH_NONE);
    CHECK_SAME(kith_link_find(w, KITH_NONE, t.a, &Likes_type), KITH_NONE);
    CHECK_FLOAT(KITH_GET(w, ac, Likes)->strength, 2);
    CHECK_RESULT(KITH_SET(w, ab, Likes, {t.b, t.c, 5}), KITH_OK); /* another link now */
    CHECK_LINKS(kith_links_from(w, t.a, &Likes_type), ac, aa);
    CHECK_LINKS(kith_links_from(w, t.b, &Likes_type), ab);
    CHECK_LINKS(kith_links_to(w, t.c, &Likes_type), ac, ab);
    CHECK_RESULT(KITH_REMOVE(w, ac, Likes), KITH_OK);
    CHECK_LINKS(kith_links_to(w, t.c, &Likes_type), ab);
    CHECK_WORLD(w);
    CHECK_RESULT(KITH_SET(w, ab, Likes, {t.b, KITH_NONE, 5}), KITH_ERR_DEAD);
    CHECK_CONTAINS(kith_error(w), "as the target of Likes");
    CHECK_RESULT(KITH_SET(w, ab, Likes, {{99, 0}, t.c, 5}), KITH_ERR_DEAD);
    CHECK_CONTAINS(kith_error(w), "as the source of Likes");
    CHECK_LINKS(kith_links_to(w, t.c, &Likes_type), ab);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(links_end_with_either_end, layout)
{
    crowd t = crowd_new(layout);
    kith_world *w = t.f.world;
    kith_entity ab = KITH_SPAWN(w, KITH_VALUE(Likes, {t.a, t.b, 1}));
    kith_entity bc = KITH_SPAWN(w, KITH_VALUE(Likes, {t.b, t.c, 1}));
    kith_entity ac = KITH_SPAWN(w, KITH_VALUE(Likes, {t.a, t.c, 1}));
    CHECK_RESULT(kith_despawn(w, t.b), KITH_OK);
    CHECK(!kith_alive(w, ab) && !kith_alive(w, bc) && kith_alive(w, ac));
    CHECK(kith_alive(w, t.a));
    CHECK_LINKS(kith_links_to(w, t.c, &Likes_type), ac);
    CHECK_RESULT(kith_despawn(w, ac), KITH_OK);
    CHECK_LINKS(kith_links_to(w, t.c, &Likes_type), KITH_NONE);
    fixture_free(&t.f);
}

TEST(the_rules_of_links)
{
    crowd t = crowd_new(KITH_TABLE);
    kith_world *w = t.f.world;
    kith_entity needs = KITH_SPAWN(w, KITH_VALUE(Needs, {t.a, t.b}));
    kith_entity more = KITH_SPAWN(w, KITH_VALUE(Needs, {t.c, t.a}));
    kith_entity holds = KITH_SPAWN(w, KITH_VALUE(Holds, {t.a, t.c, 1}));
    const uint64_t hash = kith_world_hash(w);
    CHECK_RESULT(kith_despawn(w, t.c), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(w), "Holds");
    CHECK_UINT(kith_world_hash(w), hash);
    CHECK_WORLD(w);
    /* a needs b, c needs a: all go, and with them the link that would refuse. */
    CHECK_RESULT(kith_despawn(w, t.b), KITH_OK);
    CHECK_UINT(kith_entity_count(w), 0);
    CHECK(!kith_alive(w, needs) && !kith_alive(w, more) && !kith_alive(w, holds));
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(links_are_queued, layout)
{
    crowd t = crowd_new(layout);
    kith_world *w = t.f.world;
    kith_commands *later = kith_commands_new(w, NULL);
    kith_entity d = kith_commands_spawn(later);
    kith_entity ad = KITH_SPAWN(later, KITH_VALUE(Likes, {t.a, d, 1}));
    kith_entity da = KITH_SPAWN(later, KITH_VALUE(Likes, {d, t.a, 2}));
    kith_entity ab = KITH_SPAWN(later, KITH_VALUE(Likes, {t.a, t.b, 3}));
    kith_entity none = KITH_SPAWN(later, KITH_VALUE(Likes, {t.a, KITH_NONE, 4}));
    kith_entity dead = KITH_SPAWN(later, KITH_VALUE(Likes, {{77, 0}, t.a, 5}));
    CHECK_RESULT(KITH_DESPAWN(later, t.b), KITH_OK);
    CHECK_RESULT(kith_commands_apply(later, NULL), KITH_OK);
    CHECK_WORLD(w);
    CHECK_SAME(kith_commands_real(later, ab), KITH_NONE);
    CHECK_SAME(kith_commands_real(later, none), KITH_NONE);
    CHECK_SAME(kith_commands_real(later, dead), KITH_NONE);
    ad = kith_commands_real(later, ad);
    da = kith_commands_real(later, da);
    d = kith_commands_real(later, d);
    CHECK_LINKS(kith_links_from(w, t.a, &Likes_type), ad);
    CHECK_LINKS(kith_links_from(w, d, &Likes_type), da);
    CHECK_UINT(kith_entity_count(w), 5);
    fixture_free(&t.f);
}

/* No two links of the same ends, where that is asked for. */
TEST_EACH_LAYOUT(links_may_be_unique, layout)
{
    crowd t = crowd_new(layout);
    kith_world *w = t.f.world;
    CHECK_RESULT(KITH_UNIQUE(w, Likes, source, target), KITH_OK);
    kith_entity ab = KITH_SPAWN(w, KITH_VALUE(Likes, {t.a, t.b, 1}));
    CHECK(kith_is_none(KITH_SPAWN(w, KITH_VALUE(Likes, {t.a, t.b, 2}))));
    CHECK(!kith_is_none(KITH_SPAWN(w, KITH_VALUE(Likes, {t.b, t.a, 3}))));
    CHECK_SAME(KITH_FIND_UNIQUE(w, Likes, {t.a, t.b, 0}), ab);
    CHECK_LINKS(kith_links_from(w, t.a, &Likes_type), ab);
    CHECK_WORLD(w);
    fixture_free(&t.f);
}

TEST(links_and_other_relations_are_told_apart)
{
    crowd t = crowd_new(KITH_TABLE);
    kith_sources none = kith_links_from(t.f.world, t.a, &Follows_type);
    CHECK(!kith_sources_next(&none));
    expect_misuse(&t.f, "kith_links_from: Follows does not have links; see KITH_LINKS");
    none = kith_links_to(t.f.world, t.a, &Position_type);
    expect_misuse(&t.f, "kith_links_to: Position does not have links");
    CHECK_SAME(kith_link_find(t.f.world, t.a, t.b, &Follows_type), KITH_NONE);
    expect_misuse(&t.f, "kith_link_find: Follows does not have links");
    CHECK_SAME(kith_target(t.f.world, t.a, &Likes_type), KITH_NONE);
    expect_misuse(&t.f, "Likes has many targets; ask kith_links_from and kith_links_to");
    CHECK_RESULT(kith_source_place(t.f.world, t.a, &Likes_type, KITH_NONE), KITH_ERR_MISUSE);
    expect_misuse(&t.f, "Likes has many targets");
    static const kith_field fields[] = {{"source", 0, sizeof(kith_entity), KITH_ENTITY},
                                        {"target", 8, sizeof(kith_entity), KITH_U32}};
    kith_type wrong = {
        "Wrong", 16, 4, 0, 2, fields, NULL, KITH_TABLE, false, false, KITH_MANY | KITH_CLEAR};
    CHECK_RESULT(kith_register(t.f.world, &wrong, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(t.f.world),
                   "its first field is one kith_entity, and its second another");
    wrong.relation |= KITH_ACYCLIC;
    CHECK_RESULT(kith_register(t.f.world, &wrong, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(t.f.world), "the rules of a relation");
    fixture_free(&t.f);
}
