/* Links of KITH_LINKS and clones of trees: a clone is linked as what it is a clone of. */
#include "links.h"
#include "names.h"

KITH_LINKS(Likes, KITH_CLEAR, (float, strength));
KITH_LINKS(Needs, KITH_CASCADE);
KITH_LINKS(Holds, KITH_REFUSE);
KITH_TAG(Pizza);
KITH_COMPONENT(Number, (int, value));

/* A tank with a turret, which has a gun, and what they like. */
typedef struct camp {
    fixture f;
    kith_world *world;
    kith_entity tank, turret, gun, pizza;
} camp;

static camp camp_new(kith_layout layout)
{
    static const kith_type *const types[] = {&Likes_type,         &Needs_type,    &Holds_type,
                                             &kith_child_of_type, &Position_type, &Pizza_type,
                                             &Number_type};
    camp c = {.f = links_world(layout)};
    c.world = c.f.world;
    for (size_t i = 0; i < ROWS_OF(types); i++) {
        CHECK_RESULT(kith_register(c.world, types[i], &(kith_component_def){.layout = layout}),
                     KITH_OK);
    }
    c.pizza = KITH_SPAWN(c.world, KITH_VALUE(Pizza));
    c.tank = KITH_SPAWN(c.world, KITH_VALUE(Position, {1, 2}));
    c.turret = KITH_SPAWN(c.world, KITH_VALUE(kith_child_of, {c.tank}));
    c.gun = KITH_SPAWN(c.world, KITH_VALUE(kith_child_of, {c.turret}));
    CHECK_RESULT(kith_set_name(c.world, c.turret, "turret"), KITH_OK);
    return c;
}

static void camp_free(camp *c)
{
    CHECK_WORLD(c->world);
    fixture_free(&c->f);
}

static kith_entity cloned(camp *c, kith_entity root)
{
    kith_entity clone = KITH_NONE;
    CHECK_RESULT(kith_clone_tree(c->world, root, &clone), KITH_OK);
    CHECK_WORLD(c->world);
    return clone;
}

/* Fails unless the links from an entity have these targets and strengths, in this order. */
typedef struct liking {
    kith_entity target;
    float strength;
} liking;

#define CHECK_LIKES(world, source, ...)                                                            \
    check_likes(__FILE__, __LINE__, (world), (source), (const liking[]){__VA_ARGS__, {{0, 0}, 0}})
static void check_likes(const char *file, int line, const kith_world *world, kith_entity source,
                        const liking *expected)
{
    for (kith_sources s = kith_links_from(world, source, &Likes_type); kith_sources_next(&s);) {
        const Likes *likes = KITH_GET(world, s.entity, Likes);
        test_check_same(file, line, "source", "expected", likes->source, source);
        test_check_same(file, line, "target", "expected", likes->target, expected->target);
        test_check_float(file, line, "strength", "expected", likes->strength, expected->strength);
        expected++;
    }
    test_check_same(file, line, "target", "expected", KITH_NONE, expected->target);
}

static uint32_t liked(const kith_world *world, kith_entity target)
{
    uint32_t count = 0;
    for (kith_sources s = kith_links_to(world, target, &Likes_type); kith_sources_next(&s);) {
        count++;
    }
    return count;
}

/* Also after a restore, and with the same bits again. */
TEST_EACH_LAYOUT(a_clone_likes_what_its_original_likes, layout)
{
    camp c = camp_new(layout);
    const kith_entity fan = KITH_SPAWN(c.world, KITH_VALUE(Position, {5, 5}));
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.turret, c.pizza, 1}));
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.turret, c.gun, 2}));
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.turret, c.turret, 3}));
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.tank, c.pizza, 4}));
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {fan, c.turret, 5}));
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {fan, c.pizza, 6}));
    const uint64_t before = kith_world_hash(c.world);
    kith_snapshot *taken = NULL;
    CHECK_RESULT(kith_snapshot_take(c.world, &taken), KITH_OK);
    uint64_t after = 0;
    for (uint32_t round = 0; round < 2; round++) {
        const kith_entity tank = cloned(&c, c.tank);
        const kith_entity turret = kith_find_from(c.world, tank, "turret");
        const kith_entity gun = kith_child_first(c.world, turret);
        CHECK_UINT(kith_entity_count(c.world), 5 + 6 + 3 + 4);
        CHECK_LIKES(c.world, tank, {c.pizza, 4});
        CHECK_LIKES(c.world, turret, {c.pizza, 1}, {gun, 2}, {turret, 3});
        CHECK_LIKES(c.world, c.turret, {c.pizza, 1}, {c.gun, 2}, {c.turret, 3});
        CHECK_LIKES(c.world, fan, {c.turret, 5}, {c.pizza, 6});
        CHECK_UINT(liked(c.world, c.turret), 2);
        CHECK_UINT(liked(c.world, turret), 1);
        CHECK_UINT(liked(c.world, c.pizza), 5);
        CHECK_INT(round == 0 || kith_world_hash(c.world) == after, true);
        after = kith_world_hash(c.world);
        CHECK_RESULT(kith_despawn(c.world, tank), KITH_OK);
        CHECK_UINT(kith_entity_count(c.world), 5 + 6);
        CHECK_RESULT(kith_snapshot_restore(c.world, taken), KITH_OK);
        CHECK_UINT(kith_world_hash(c.world), before);
        CHECK_WORLD(c.world);
    }
    kith_snapshot_free(taken);
    camp_free(&c);
}

TEST_EACH_LAYOUT(a_single_clone_has_no_links, layout)
{
    camp c = camp_new(layout);
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.gun, c.pizza, 1}));
    const kith_entity gun = KITH_CLONE(c.world, c.gun);
    CHECK_UINT(liked(c.world, c.pizza), 1);
    const kith_entity another = cloned(&c, c.gun);
    CHECK_LIKES(c.world, gun, {KITH_NONE, 0});
    CHECK_LIKES(c.world, another, {c.pizza, 1});
    camp_free(&c);
}

/* Links have what entities have: children, names, parents, and links of their own. */
TEST_EACH_LAYOUT(links_are_cloned_with_all_that_is_theirs, layout)
{
    camp c = camp_new(layout);
    const kith_entity list = KITH_SPAWN(c.world, KITH_VALUE(Position, {0, 0}));
    const kith_entity link = KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.gun, c.pizza, 1}),
                                        KITH_VALUE(kith_child_of, {list}));
    CHECK_RESULT(kith_set_name(c.world, link, "link"), KITH_OK);
    const kith_entity note = KITH_SPAWN(c.world, KITH_VALUE(kith_child_of, {link}));
    CHECK_RESULT(kith_set_name(c.world, note, "note"), KITH_OK);
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {note, link, 2}));
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {link, c.tank, 3}), KITH_VALUE(Follows, {note, 4}));
    KITH_SET(c.world, c.tank, Follows, {link, 7});
    const kith_entity tank = cloned(&c, c.tank);
    const kith_entity gun = kith_child_first(c.world, kith_child_first(c.world, tank));
    kith_sources from = kith_links_from(c.world, gun, &Likes_type);
    CHECK(kith_sources_next(&from));
    const kith_entity copy = from.entity;
    CHECK_SOURCES(c.world, list, kith_child_of, link, copy);
    CHECK(kith_name_of(c.world, copy) == NULL);
    CHECK_STR(kith_name_of(c.world, link), "link");
    const kith_entity second = kith_child_first(c.world, copy);
    CHECK_STR(kith_name_of(c.world, second), "note");
    CHECK_LIKES(c.world, second, {copy, 2});
    CHECK_LIKES(c.world, copy, {tank, 3});
    CHECK_SAME(kith_target(c.world, tank, &Follows_type), copy);
    CHECK_SAME(kith_target(c.world, c.tank, &Follows_type), link);
    from = kith_links_from(c.world, copy, &Likes_type);
    CHECK(kith_sources_next(&from));
    CHECK_SAME(kith_target(c.world, from.entity, &Follows_type), second);
    CHECK_UINT(kith_entity_count(c.world), 5 + 4 + 3 + 4);
    camp_free(&c);
}

/* The link is then cloned with what else is below it. */
TEST_EACH_LAYOUT(a_root_below_a_link_of_its_own_stays_with_its_parent, layout)
{
    camp c = camp_new(layout);
    const kith_entity link = KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.gun, c.pizza, 1}));
    const kith_entity sibling = KITH_SPAWN(c.world, KITH_VALUE(kith_child_of, {link}));
    CHECK_RESULT(kith_set_parent(c.world, c.tank, link), KITH_OK);
    const kith_entity tank = cloned(&c, c.tank);
    CHECK_SOURCES(c.world, link, kith_child_of, sibling, c.tank, tank);
    const kith_entity gun = kith_child_first(c.world, kith_child_first(c.world, tank));
    kith_sources from = kith_links_from(c.world, gun, &Likes_type);
    CHECK(kith_sources_next(&from));
    CHECK_UINT(kith_child_count(c.world, from.entity), 1);
    camp_free(&c);
}

TEST_EACH_LAYOUT(cloned_links_follow_their_rules, layout)
{
    camp c = camp_new(layout);
    const kith_entity fuel = KITH_SPAWN(c.world, KITH_VALUE(Position, {0, 0}));
    const kith_entity crew = KITH_SPAWN(c.world, KITH_VALUE(Position, {0, 0}));
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.gun, c.pizza, 1}));
    KITH_SPAWN(c.world, KITH_VALUE(Needs, {c.gun, fuel}));
    KITH_SPAWN(c.world, KITH_VALUE(Holds, {c.turret, crew}));
    const kith_entity turret = cloned(&c, c.turret);
    const kith_entity gun = kith_child_first(c.world, turret);
    CHECK_RESULT(kith_despawn(c.world, c.pizza), KITH_OK);
    CHECK_LIKES(c.world, gun, {KITH_NONE, 0});
    CHECK(kith_alive(c.world, gun));
    CHECK_RESULT(kith_despawn(c.world, fuel), KITH_OK);
    CHECK(!kith_alive(c.world, gun) && !kith_alive(c.world, c.gun));
    CHECK_RESULT(kith_despawn(c.world, kith_link_find(c.world, c.turret, crew, &Holds_type)),
                 KITH_OK);
    CHECK_RESULT(kith_despawn(c.world, crew), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(c.world), "Holds");
    CHECK_RESULT(kith_despawn(c.world, turret), KITH_OK);
    CHECK_RESULT(kith_despawn(c.world, crew), KITH_OK);
    camp_free(&c);
}

/* Links with both ends as their key have another one in a clone. */
TEST_EACH_LAYOUT(keys_of_cloned_links, layout)
{
    camp c = camp_new(layout);
    CHECK_RESULT(KITH_UNIQUE(c.world, Likes, source, target), KITH_OK);
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.gun, c.pizza, 1}));
    const kith_entity gun = cloned(&c, c.gun);
    CHECK_LIKES(c.world, gun, {c.pizza, 1});
    CHECK_RESULT(KITH_UNIQUE(c.world, Number, value), KITH_OK);
    KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.gun, c.tank, 2}), KITH_VALUE(Number, {3}));
    CHECK_CLASH(c.world, kith_clone_tree(c.world, c.gun, &(kith_entity){0}));
    camp_free(&c);
}

/* ---- In a buffer ------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(a_queued_clone_has_the_links_that_commands_left, layout)
{
    camp c = camp_new(layout);
    const kith_entity stays = KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.gun, c.pizza, 1}));
    const kith_entity leaves = KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.gun, c.pizza, 2}));
    const kith_entity ends = KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.gun, c.pizza, 3}));
    const kith_entity bare = KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.gun, c.pizza, 4}));
    const kith_entity none = KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.gun, c.pizza, 5}));
    const kith_entity comes = KITH_SPAWN(c.world, KITH_VALUE(Likes, {c.tank, c.pizza, 6}));
    kith_commands *later = kith_commands_new(c.world, NULL);
    const kith_entity cook = KITH_SPAWN(later, KITH_VALUE(Position, {3, 3}));
    KITH_SPAWN(later, KITH_VALUE(Likes, {c.gun, cook, 7}));
    KITH_SET(later, stays, Likes, {c.gun, c.tank, 8});
    KITH_SET(later, leaves, Likes, {c.tank, c.pizza, 9});
    KITH_DESPAWN(later, ends);
    kith_commands_remove_all(later, bare);
    KITH_REMOVE(later, none, Likes);
    KITH_SET(later, comes, Likes, {c.gun, c.gun, 10});
    KITH_SET(later, KITH_CLONE(later, comes), Position, {6, 6});
    const kith_entity first = KITH_CLONE_TREE(later, c.gun);
    KITH_SPAWN(later, KITH_VALUE(Likes, {first, first, 11}));
    KITH_SPAWN(later, KITH_VALUE(Likes, {c.gun, c.pizza, 12})); /* too late */
    const kith_entity second = KITH_CLONE_TREE(later, first);
    KITH_DESPAWN(later, cook);
    CHECK_RESULT(kith_commands_apply(later, NULL), KITH_OK);
    CHECK_WORLD(c.world);
    const kith_entity gun = kith_commands_real(later, first);
    const kith_entity last = kith_commands_real(later, second);
    CHECK_LIKES(c.world, gun, {c.tank, 8}, {gun, 10}, {gun, 10}, {gun, 11});
    CHECK_LIKES(c.world, last, {c.tank, 8}, {last, 10}, {last, 10}, {last, 11});
    CHECK_LIKES(c.world, c.gun, {c.tank, 8}, {c.gun, 10}, {c.gun, 10}, {c.pizza, 12});
    camp_free(&c);
}

/* All is there, or nothing: in one call, and in a buffer with what is spawned there. */
static kith_result clone_at_once(camp *c)
{
    kith_entity clone;
    return kith_clone_tree(c->world, c->tank, &clone);
}

static kith_result clone_queued(camp *c)
{
    kith_commands *later = kith_commands_new(c->world, NULL);
    if (later == NULL) {
        return KITH_ERR_MEMORY;
    }
    const kith_entity cook = KITH_SPAWN(later, KITH_VALUE(kith_child_of, {c->gun}));
    KITH_SPAWN(later, KITH_VALUE(Likes, {cook, c->pizza, 1}));
    KITH_SPAWN(later, KITH_VALUE(Likes, {c->tank, cook, 2}));
    const kith_entity clone = KITH_CLONE_TREE(later, c->tank);
    KITH_CLONE_TREE(later, clone);
    const kith_result result = kith_commands_apply(later, NULL);
    kith_commands_free(later);
    return result;
}

static void sweep(kith_layout layout, uint32_t made, kith_result (*act)(camp *c))
{
    for (size_t nth = 1, reached = 1; reached; nth++) {
        camp c = camp_new(layout);
        for (uint32_t i = 0; i < 20; i++) {
            const kith_entity link = KITH_SPAWN(
                c.world, KITH_VALUE(Likes, {i % 2 == 0 ? c.tank : c.gun, c.turret, (float)i}));
            KITH_SPAWN(c.world, KITH_VALUE(Needs, {link, c.pizza}));
        }
        const uint32_t count = kith_entity_count(c.world);
        const uint64_t hash = kith_world_hash(c.world);
        fail_allocation(&c.f, nth);
        const kith_result result = act(&c);
        reached = fail_nothing(&c.f);
        CHECK_RESULT(result, reached && result != KITH_OK ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_UINT(kith_entity_count(c.world), count + (result == KITH_OK ? made : 0));
        CHECK(result == KITH_OK || kith_world_hash(c.world) == hash);
        camp_free(&c);
    }
}

TEST_EACH_LAYOUT_WITHIN(20, clones_with_links_survive_every_allocation_failure, layout)
{
    sweep(layout, 3 + 40, clone_at_once);
    sweep(layout, 3 + 2 * (4 + 40 + 2), clone_queued);
}
