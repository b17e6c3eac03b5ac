/* Clones of trees: what names an entity of the tree names its clone in the clone. */
#include <stdlib.h>
#include <string.h>

#include "links.h"
#include "names.h"
#include "owned.h"

/* Names entities, and has hooks: each copy tells that it is one. */
typedef struct Grip {
    kith_entity who[3];
    uint64_t copies;
} Grip;
KITH_TYPE(Grip, KITH_FIELD(Grip, who), KITH_FIELD(Grip, copies));

static kith_result grip_copy(void *to, const void *from, uint32_t count, void *user)
{
    Grip *copies = to;
    memcpy(copies, from, count * sizeof *copies);
    for (uint32_t i = 0; i < count; i++) {
        copies[i].copies++;
    }
    *(int *)user += (int)count;
    return KITH_OK;
}

static void grip_destroy(void *values, uint32_t count, void *user)
{
    memset(values, 0x5a, count * sizeof(Grip));
    *(int *)user -= (int)count;
}

/* A tank with two turrets, of which one has a gun, and an enemy. */
typedef struct army {
    fixture f;
    kith_world *world;
    int *grips; /* how many live */
    kith_entity enemy, tank, left, right, gun;
} army;

static army army_new(kith_layout layout)
{
    army a = {.f = links_world(layout), .grips = calloc(1, sizeof(int))};
    a.world = a.f.world;
    const kith_hooks hooks = {.copy = grip_copy, .destroy = grip_destroy, .user = a.grips};
    const kith_component_def def = {.layout = layout};
    const kith_component_def hooked = {.layout = layout, .hooks = &hooks};
    const kith_type *const types[] = {&kith_child_of_type, &Target_type, &Health_type,
                                      &Position_type, &Frozen_type};
    for (size_t i = 0; i < ROWS_OF(types); i++) {
        CHECK_RESULT(kith_register(a.world, types[i], &def), KITH_OK);
    }
    CHECK_RESULT(kith_register(a.world, &Grip_type, &hooked), KITH_OK);
    a.enemy = KITH_SPAWN(a.world, KITH_VALUE(Position, {9, 9}));
    a.tank = KITH_SPAWN(a.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Health, {3, 4}));
    a.left = KITH_SPAWN(a.world, KITH_VALUE(kith_child_of, {a.tank}), KITH_VALUE(Frozen));
    a.right = KITH_SPAWN(a.world, KITH_VALUE(kith_child_of, {a.tank}), KITH_VALUE(Health, {5, 6}));
    a.gun = KITH_SPAWN(a.world, KITH_VALUE(kith_child_of, {a.left}));
    CHECK_RESULT(kith_set_name(a.world, a.tank, "tank"), KITH_OK);
    CHECK_RESULT(kith_set_name(a.world, a.left, "left"), KITH_OK);
    CHECK_RESULT(kith_set_name(a.world, a.right, "right"), KITH_OK);
    CHECK_RESULT(kith_set_name(a.world, a.gun, "gun"), KITH_OK);
    return a;
}

static void army_free(army *a)
{
    fixture_free(&a->f);
    CHECK_INT(*a->grips, 0);
    free(a->grips);
}

static kith_entity cloned(army *a, kith_entity root)
{
    kith_entity clone = KITH_NONE;
    CHECK_RESULT(kith_clone_tree(a->world, root, &clone), KITH_OK);
    CHECK_WORLD(a->world);
    return clone;
}

TEST_EACH_LAYOUT(a_tree_is_cloned_with_values_names_and_order, layout)
{
    army a = army_new(layout);
    const kith_entity clone = cloned(&a, a.tank);
    CHECK_UINT(kith_entity_count(a.world), 9);
    CHECK(!kith_entity_equal(clone, a.tank));
    CHECK_FLOAT(KITH_GET(a.world, clone, Position)->y, 2);
    CHECK_INT(KITH_GET(a.world, clone, Health)->current, 3);
    CHECK(kith_name_of(a.world, clone) == NULL);
    const kith_entity left = kith_find_from(a.world, clone, "left");
    const kith_entity right = kith_find_from(a.world, clone, "right");
    const kith_entity gun = kith_find_from(a.world, clone, "left/gun");
    CHECK_SOURCES(a.world, clone, kith_child_of, left, right);
    CHECK_SOURCES(a.world, left, kith_child_of, gun);
    CHECK_SOURCES(a.world, a.tank, kith_child_of, a.left, a.right);
    CHECK_SOURCES(a.world, a.left, kith_child_of, a.gun);
    CHECK(KITH_HAS(a.world, left, Frozen));
    CHECK(!KITH_HAS(a.world, right, Frozen));
    CHECK_INT(KITH_GET(a.world, right, Health)->max, 6);
    /* New slots, each before its children, these in order. */
    CHECK_UINT(left.index1, clone.index1 + 1);
    CHECK_UINT(gun.index1, clone.index1 + 2);
    CHECK_UINT(right.index1, clone.index1 + 3);
    CHECK_RESULT(kith_despawn(a.world, clone), KITH_OK);
    CHECK_UINT(kith_entity_count(a.world), 5);
    army_free(&a);
}

TEST_EACH_LAYOUT(a_part_stays_with_its_parent_and_comes_last, layout)
{
    army a = army_new(layout);
    const kith_entity clone = cloned(&a, a.left);
    CHECK_SOURCES(a.world, a.tank, kith_child_of, a.left, a.right, clone);
    CHECK(kith_name_of(a.world, clone) == NULL);
    CHECK_STR(kith_name_of(a.world, kith_child_first(a.world, clone)), "gun");
    army_free(&a);
}

TEST_EACH_LAYOUT(what_names_the_tree_names_the_clone, layout)
{
    army a = army_new(layout);
    CHECK_RESULT(KITH_SET(a.world, a.tank, Target, {a.gun}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.right, Target, {a.right}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.left, Target, {a.enemy}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.gun, Grip, {{a.tank, a.enemy, a.left}, 0}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.gun, Follows, {a.enemy, 2}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.right, Follows, {a.left, 3}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.gun, Owns, {a.right}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.tank, Owns, {a.right}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.enemy, Follows, {a.left, 4}), KITH_OK);
    const kith_entity tank = cloned(&a, a.tank);
    const kith_entity left = kith_child_first(a.world, tank);
    const kith_entity right = kith_child_last(a.world, tank);
    const kith_entity gun = kith_child_first(a.world, left);
    CHECK_SAME(KITH_GET(a.world, tank, Target)->entity, gun);
    CHECK_SAME(KITH_GET(a.world, right, Target)->entity, right);
    CHECK_SAME(KITH_GET(a.world, left, Target)->entity, a.enemy);
    const Grip *grip = KITH_GET(a.world, gun, Grip);
    CHECK_SAME(grip->who[0], tank);
    CHECK_SAME(grip->who[1], a.enemy);
    CHECK_SAME(grip->who[2], left);
    CHECK_UINT(grip->copies, KITH_GET(a.world, a.gun, Grip)->copies + 1);
    CHECK_SAME(KITH_GET(a.world, a.gun, Grip)->who[0], a.tank);
    CHECK_SOURCES(a.world, a.enemy, Follows, a.gun, gun);
    CHECK_SOURCES(a.world, left, Follows, right);
    CHECK_FLOAT(KITH_GET(a.world, right, Follows)->distance, 3);
    CHECK_SOURCES(a.world, a.left, Follows, a.right, a.enemy);
    CHECK_SOURCES(a.world, right, Owns, tank, gun); /* as they come in the tree */
    CHECK_SOURCES(a.world, a.right, Owns, a.gun, a.tank);
    army_free(&a);
}

TEST_EACH_LAYOUT(links_with_both_ends_in_the_tree_lead_to_clones, layout)
{
    army a = army_new(layout);
    KITH_LINKS(Wired, KITH_CLEAR, (float, length));
    const kith_entity wire = KITH_SPAWN(a.world, KITH_VALUE(Wired, {a.left, a.right, 2}),
                                        KITH_VALUE(kith_child_of, {a.tank}));
    const kith_entity free_wire = KITH_SPAWN(a.world, KITH_VALUE(Wired, {a.left, a.right, 3}));
    const kith_entity tank = cloned(&a, a.tank);
    const kith_entity left = kith_child_first(a.world, tank);
    const kith_entity right = kith_child_next(a.world, left);
    const kith_entity link = kith_link_find(a.world, left, right, &Wired_type);
    CHECK_SAME(link, kith_child_last(a.world, tank));
    CHECK_FLOAT(KITH_GET(a.world, link, Wired)->length, 2);
    kith_sources from = kith_links_from(a.world, a.left, &Wired_type);
    CHECK(kith_sources_next(&from) && kith_entity_equal(from.entity, wire));
    CHECK(kith_sources_next(&from) && kith_entity_equal(from.entity, free_wire));
    CHECK(!kith_sources_next(&from));
    army_free(&a);
}

TEST_EACH_LAYOUT(what_cannot_be_cloned_leaves_the_world_as_it_was, layout)
{
    army a = army_new(layout);
    kith_entity clone = {7, 7};
    CHECK_REFUSED(a.world, kith_clone_tree(a.world, KITH_NONE, &clone), KITH_ERR_DEAD);
    CHECK_CONTAINS(kith_error(a.world), "kith_clone_tree");
    CHECK_RESULT(kith_unique_new(a.world, &(kith_unique_def){&Health_type, {"current"}}), KITH_OK);
    CHECK_CLASH(a.world, kith_clone_tree(a.world, a.tank, &clone));
    CHECK_CONTAINS(kith_error(a.world), "kith_clone_tree: ");
    CHECK_CONTAINS(kith_error(a.world), "\"tank\"");
    kith_unique_free(a.world, &Health_type);
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks_without_copy(&record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(a.world, &Owned_type, &def), KITH_OK);
    Owned value = owned_new(&record, 3);
    CHECK_RESULT(kith_set(a.world, a.gun, &Owned_type, &value), KITH_OK);
    CHECK_REFUSED(a.world, kith_clone_tree(a.world, a.tank, &clone), KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(a.world), "Owned");
    CHECK_CONTAINS(kith_error(a.world), "gun");
    CHECK_UINT(clone.index1, 7);
    CHECK(kith_is_none(KITH_CLONE_TREE(a.world, a.tank)));
    army_free(&a);
}

/* Copies that were made are destroyed again. */
TEST_EACH_LAYOUT(a_copy_that_fails_undoes_the_others, layout)
{
    army a = army_new(layout);
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(a.world, &Owned_type, &def), KITH_OK);
    const kith_entity all[] = {a.tank, a.left, a.gun, a.right};
    for (uint32_t i = 0; i < 4; i++) {
        Owned value = owned_new(&record, i);
        CHECK_RESULT(kith_set(a.world, all[i], &Owned_type, &value), KITH_OK);
        owned_end(&record, &value);
    }
    for (uint64_t nth = 1; nth <= 4; nth++) {
        kith_entity clone;
        owned_fail(&record, nth);
        CHECK_REFUSED(a.world, kith_clone_tree(a.world, a.tank, &clone), KITH_ERR_MEMORY);
        CHECK_UINT(record.live, 4);
    }
    owned_fail(&record, 0);
    const kith_entity tank = cloned(&a, a.tank);
    CHECK_UINT(record.live, 8);
    CHECK_UINT(*KITH_GET(a.world, kith_child_last(a.world, tank), Owned)->number, 3);
    army_free(&a);
    CHECK_UINT(record.live, 0);
}

static void count_observed(const kith_observed *observed)
{
    *(uint32_t *)observed->user += observed->count;
}

TEST_EACH_LAYOUT(trackers_and_observers_see_each_clone, layout)
{
    army a = army_new(layout);
    kith_tracker *tracker;
    uint32_t observed = 0;
    const kith_observer_def def = {.name = "children",
                                   .kind = KITH_ON_ADD,
                                   .type = &kith_child_of_type,
                                   .run = count_observed,
                                   .user = &observed};
    CHECK_RESULT(kith_tracker_new(a.world, &kith_child_of_type, &tracker), KITH_OK);
    CHECK_RESULT(kith_observer_new(a.world, &def, NULL), KITH_OK);
    const kith_entity tank = cloned(&a, a.tank);
    kith_entity e = tank;
    kith_change change;
    while (!kith_is_none(e = kith_descendant_next(a.world, tank, e))) {
        CHECK(kith_tracker_next(tracker, &change));
        CHECK_SAME(change.entity, e);
        CHECK_INT(change.kind, KITH_ADDED);
    }
    CHECK(!kith_tracker_next(tracker, &change));
    CHECK_RESULT(kith_observers_flush(a.world), KITH_OK);
    CHECK_UINT(observed, 3);
    army_free(&a);
}

TEST(without_children_it_is_a_clone)
{
    fixture f = fixture_new();
    const kith_entity one = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    const kith_entity clone = KITH_CLONE_TREE(f.world, one);
    CHECK_FLOAT(KITH_GET(f.world, clone, Position)->x, 1);
    CHECK_UINT(kith_entity_count(f.world), 2);
    fixture_free(&f);
}

/* ---- In a buffer ------------------------------------------------------------------------------- */

static void apply(army *a, kith_commands *commands, uint32_t dead)
{
    uint32_t found = 77;
    CHECK_RESULT(kith_commands_apply(commands, &found), KITH_OK);
    CHECK_UINT(found, dead);
    CHECK_WORLD(a->world);
}

TEST_EACH_LAYOUT(a_queued_clone_has_what_commands_before_it_made, layout)
{
    army a = army_new(layout);
    kith_commands *later = kith_commands_new(a.world, NULL);
    const kith_entity flag = KITH_SPAWN(later, KITH_VALUE(kith_child_of, {a.right}));
    KITH_SET(later, flag, Target, {a.right});
    KITH_SET(later, a.gun, kith_child_of, {a.tank}); /* last now */
    KITH_REMOVE(later, a.left, kith_child_of);
    const kith_entity clone = KITH_CLONE_TREE(later, a.tank);
    KITH_SET(later, clone, Health, {8, 9});
    KITH_SET(later, a.left, kith_child_of, {a.tank}); /* too late */
    KITH_SPAWN(later, KITH_VALUE(kith_child_of, {clone}), KITH_VALUE(Position, {6, 6}));
    apply(&a, later, 0);
    const kith_entity tank = kith_commands_real(later, clone);
    CHECK_UINT(kith_child_count(a.world, tank), 3);
    const kith_entity right = kith_child_first(a.world, tank);
    const kith_entity gun = kith_child_next(a.world, right);
    CHECK_STR(kith_name_of(a.world, right), "right");
    CHECK_STR(kith_name_of(a.world, gun), "gun");
    CHECK_FLOAT(KITH_GET(a.world, kith_child_last(a.world, tank), Position)->x, 6);
    CHECK_INT(KITH_GET(a.world, tank, Health)->max, 9);
    CHECK_UINT(kith_child_count(a.world, right), 1);
    CHECK_SAME(KITH_GET(a.world, kith_child_first(a.world, right), Target)->entity, right);
    army_free(&a);
}

TEST_EACH_LAYOUT(a_spawned_tree_is_cloned_in_its_buffer_again_and_again, layout)
{
    army a = army_new(layout);
    kith_commands *later = kith_commands_new(a.world, NULL);
    const kith_entity top = KITH_SPAWN(later, KITH_VALUE(Position, {1, 0}));
    const kith_entity one = KITH_SPAWN(later, KITH_VALUE(kith_child_of, {top}));
    const kith_entity two = KITH_SPAWN(later, KITH_VALUE(kith_child_of, {top}));
    KITH_SET(later, two, Target, {one});
    KITH_SET(later, one, Grip, {{two, a.enemy, top}, 0});
    kith_entity trees[4] = {top};
    for (uint32_t i = 1; i < 4; i++) {
        trees[i] = KITH_CLONE_TREE(later, trees[i - 1]);
    }
    const kith_entity plain = KITH_CLONE(later, trees[3]); /* without what is below */
    kith_commands_despawn(later, trees[1]);
    apply(&a, later, 0);
    CHECK_SAME(kith_commands_real(later, trees[1]), KITH_NONE);
    CHECK_UINT(kith_child_count(a.world, kith_commands_real(later, plain)), 0);
    CHECK_UINT(kith_entity_count(a.world), 5 + 9 + 1);
    for (uint32_t i = 0; i < 4; i += i == 0 ? 2 : 1) {
        const kith_entity root = kith_commands_real(later, trees[i]);
        const kith_entity first = kith_child_first(a.world, root);
        const kith_entity last = kith_child_last(a.world, root);
        CHECK_SOURCES(a.world, root, kith_child_of, first, last);
        CHECK_SAME(KITH_GET(a.world, last, Target)->entity, first);
        const Grip *grip = KITH_GET(a.world, first, Grip);
        CHECK_SAME(grip->who[0], last);
        CHECK_SAME(grip->who[1], a.enemy);
        CHECK_SAME(grip->who[2], root);
    }
    army_free(&a);
}

/* The values of what is never made are not looked at, but a clone of it has them. */
TEST_EACH_LAYOUT(a_clone_of_a_clone_that_is_despawned_has_its_values, layout)
{
    army a = army_new(layout);
    CHECK_RESULT(KITH_SET(a.world, a.tank, Target, {a.gun}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.tank, Grip, {{a.left, a.enemy, a.tank}, 0}), KITH_OK);
    kith_commands *later = kith_commands_new(a.world, NULL);
    const kith_entity tree = KITH_CLONE_TREE(later, a.tank);
    const kith_entity plain = KITH_CLONE(later, tree);
    kith_commands_despawn(later, tree);
    apply(&a, later, 0);
    const kith_entity made = kith_commands_real(later, plain);
    CHECK_SAME(KITH_GET(a.world, made, Target)->entity, KITH_NONE);
    CHECK_SAME(KITH_GET(a.world, made, Grip)->who[0], KITH_NONE);
    CHECK_SAME(KITH_GET(a.world, made, Grip)->who[1], a.enemy);
    CHECK_UINT(kith_entity_count(a.world), 6);
    army_free(&a);
}

TEST_EACH_LAYOUT(the_dead_have_no_clones, layout)
{
    army a = army_new(layout);
    kith_commands *later = kith_commands_new(a.world, NULL);
    kith_commands_despawn(later, a.left);
    const kith_entity none = KITH_CLONE_TREE(later, a.left);
    KITH_SET(later, none, Health, {1, 1});
    const kith_entity clone = KITH_CLONE_TREE(later, a.tank);
    apply(&a, later, 2);
    CHECK_SAME(kith_commands_real(later, none), KITH_NONE);
    const kith_entity tank = kith_commands_real(later, clone);
    CHECK_UINT(kith_child_count(a.world, tank), 1);
    CHECK_STR(kith_name_of(a.world, kith_child_first(a.world, tank)), "right");
    CHECK_UINT(kith_entity_count(a.world), 5);
    army_free(&a);
}

/* What the world holds that looks like a handle of the buffer's is left alone. */
TEST_EACH_LAYOUT(strange_handles_stay_what_they_are, layout)
{
    army a = army_new(layout);
    const kith_entity strange[] = {{0, 0xFFFFFFFF}, {0, 1}, {0x7FFFFFFF, 3}, {0, 0x00FFFFFF}};
    for (uint32_t i = 0; i < 4; i++) {
        const Target target = {strange[i]};
        CHECK_RESULT(KITH_SET(a.world, a.gun, Target, target), KITH_OK);
        CHECK_RESULT(KITH_SET(a.world, a.left, Grip, {{a.gun, strange[i], a.left}, 0}), KITH_OK);
        const kith_entity left = cloned(&a, a.left);
        const kith_entity gun = kith_child_first(a.world, left);
        CHECK_SAME(KITH_GET(a.world, gun, Target)->entity, strange[i]);
        const Grip *grip = KITH_GET(a.world, left, Grip);
        CHECK_SAME(grip->who[0], gun);
        CHECK_SAME(grip->who[1], strange[i]);
        CHECK_SAME(grip->who[2], left);
    }
    army_free(&a);
}

/* With a unique key the handles in copies are looked at before anything is made. */
TEST_EACH_LAYOUT(keys_of_clones_are_what_they_name, layout)
{
    army a = army_new(layout);
    CHECK_RESULT(kith_unique_new(a.world, &(kith_unique_def){&Target_type, {"entity"}}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.gun, Target, {a.left}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.right, Target, {a.tank}), KITH_OK);
    const kith_entity tank = cloned(&a, a.tank);
    CHECK_SAME(kith_unique_find(a.world, &Target_type, &(Target){tank}),
               kith_child_last(a.world, tank));
    CHECK_CLASH(a.world, kith_clone_tree(a.world, a.right, &(kith_entity){0}));
    /* A strange one, which goes over to the clone. */
    kith_commands *later = kith_commands_new(a.world, NULL);
    CHECK_RESULT(KITH_SET(a.world, a.gun, Target, {{0, 0xFFFFFF}}), KITH_OK);
    const kith_entity made = KITH_CLONE_TREE(later, a.left);
    KITH_REMOVE(later, a.gun, Target);
    apply(&a, later, 0);
    const kith_entity gun = kith_child_first(a.world, kith_commands_real(later, made));
    CHECK_SAME(KITH_GET(a.world, gun, Target)->entity, ((kith_entity){0, 0xFFFFFF}));
    army_free(&a);
}

TEST_EACH_LAYOUT(circles_that_commands_make_are_refused, layout)
{
    army a = army_new(layout);
    kith_commands *later = kith_commands_new(a.world, NULL);
    KITH_SET(later, a.tank, kith_child_of, {a.gun});
    KITH_CLONE_TREE(later, a.left);
    CHECK_REFUSED(a.world, kith_commands_apply(later, NULL), KITH_ERR_CYCLE);
    kith_commands_discard(later);
    /* What was a circle and is none in the end. */
    KITH_SET(later, a.tank, kith_child_of, {a.gun});
    const kith_entity clone = KITH_CLONE_TREE(later, a.gun);
    KITH_REMOVE(later, a.tank, kith_child_of);
    KITH_REMOVE(later, clone, kith_child_of);
    apply(&a, later, 0);
    CHECK_UINT(kith_entity_count(a.world), 9);
    army_free(&a);
}

/* What a relation ends after that takes no part of the tree away that was there before. */
TEST_EACH_LAYOUT(clones_follow_the_rules_of_relations, layout)
{
    army a = army_new(layout);
    CHECK_RESULT(KITH_SET(a.world, a.left, Owns, {a.enemy}), KITH_OK);
    CHECK_RESULT(KITH_SET(a.world, a.right, Follows, {a.enemy, 1}), KITH_OK);
    kith_commands *later = kith_commands_new(a.world, NULL);
    const kith_entity clone = KITH_CLONE_TREE(later, a.tank);
    kith_commands_despawn(later, a.enemy);
    const kith_entity second = KITH_CLONE_TREE(later, a.tank);
    apply(&a, later, 0);
    const kith_entity trees[] = {a.tank, kith_commands_real(later, clone),
                                 kith_commands_real(later, second)};
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_UINT(kith_child_count(a.world, trees[i]), 1);
        CHECK(!KITH_HAS(a.world, kith_child_first(a.world, trees[i]), Follows));
    }
    CHECK_UINT(kith_entity_count(a.world), 6);
    army_free(&a);
}

/* ---- Large ones -------------------------------------------------------------------------------- */

/* A chain as deep as it is long, and a crowd of siblings. */
TEST_WITHIN(30, a_million_are_cloned_without_recursion)
{
    enum { COUNT = 1000000 };
    fixture f = fixture_new();
    const kith_entity top = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 0}));
    kith_entity above = top;
    for (uint32_t i = 1; i < COUNT; i++) {
        above = KITH_SPAWN(f.world, KITH_VALUE(kith_child_of, {i < COUNT / 2 ? above : top}));
    }
    const kith_entity clone = KITH_CLONE_TREE(f.world, top);
    CHECK_UINT(kith_entity_count(f.world), 2 * COUNT);
    uint32_t count = 0;
    kith_entity e = clone;
    for (; !kith_is_none(e); e = kith_descendant_next(f.world, clone, e)) {
        count++;
    }
    CHECK_UINT(count, COUNT);
    CHECK_UINT(kith_child_count(f.world, clone), COUNT / 2 + 1);
    fixture_free(&f);
}

/* What is below counts among the 2^24 - 1 that a buffer makes. */
TEST_WITHIN(10, a_tree_counts_among_what_a_buffer_makes)
{
    army a = army_new(KITH_TABLE);
    kith_commands *later = kith_commands_new(a.world, NULL);
    const uint32_t most = (1u << 24) - 1;
    CHECK(!kith_is_none(KITH_CLONE_TREE(later, a.left)));
    for (uint32_t i = 1; i < most; i++) {
        kith_commands_spawn(later);
    }
    CHECK_REFUSED(a.world, kith_commands_apply(later, NULL), KITH_ERR_LIMIT);
    CHECK_CONTAINS(kith_error(a.world), "16777215");
    kith_commands_discard(later);
    army_free(&a);
}
