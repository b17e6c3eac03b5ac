/* Parents and children. */
#include <stdio.h>
#include <string.h>

#include "links.h"

typedef struct family {
    fixture f;
    kith_entity ship, left, right, gun, muzzle, other;
} family;

static family family_new(void)
{
    family t = {.f = fixture_new()};
    kith_entity *all[] = {&t.ship, &t.left, &t.right, &t.gun, &t.muzzle, &t.other};
    for (size_t i = 0; i < ROWS_OF(all); i++) {
        *all[i] = kith_spawn_empty(t.f.world);
    }
    CHECK_RESULT(kith_set_parent(t.f.world, t.left, t.ship), KITH_OK);
    CHECK_RESULT(kith_set_parent(t.f.world, t.right, t.ship), KITH_OK);
    CHECK_RESULT(kith_set_parent(t.f.world, t.gun, t.left), KITH_OK);
    CHECK_RESULT(kith_set_parent(t.f.world, t.muzzle, t.gun), KITH_OK);
    return t;
}

#define CHECK_CHILDREN(world, parent, ...) CHECK_SOURCES(world, parent, kith_child_of, __VA_ARGS__)

TEST(a_family_knows_itself)
{
    family t = family_new();
    kith_world *w = t.f.world;
    CHECK_CHILDREN(w, t.ship, t.left, t.right);
    CHECK_SAME(kith_parent(w, t.left), t.ship);
    CHECK_SAME(kith_parent(w, t.ship), KITH_NONE);
    CHECK_SAME(kith_child_first(w, t.ship), t.left);
    CHECK_SAME(kith_child_last(w, t.ship), t.right);
    CHECK_SAME(kith_child_next(w, t.left), t.right);
    CHECK_SAME(kith_child_next(w, t.right), KITH_NONE);
    CHECK_SAME(kith_child_previous(w, t.right), t.left);
    CHECK_SAME(kith_child_previous(w, t.left), KITH_NONE);
    CHECK_UINT(kith_child_count(w, t.ship), 2);
    CHECK_UINT(kith_child_count(w, t.muzzle), 0);
    CHECK_SAME(kith_root(w, t.muzzle), t.ship);
    CHECK_SAME(kith_root(w, t.ship), t.ship);
    CHECK_SAME(kith_root(w, KITH_NONE), KITH_NONE);
    CHECK_UINT(kith_depth(w, t.muzzle), 3);
    CHECK_UINT(kith_depth(w, t.ship), 0);
    CHECK(kith_is_ancestor(w, t.ship, t.muzzle));
    CHECK(kith_is_ancestor(w, t.gun, t.muzzle));
    CHECK(!kith_is_ancestor(w, t.muzzle, t.muzzle));
    CHECK(!kith_is_ancestor(w, t.right, t.muzzle));
    CHECK(!kith_is_ancestor(w, t.muzzle, t.ship));
    CHECK_SAME(kith_common_ancestor(w, t.muzzle, t.right), t.ship);
    CHECK_SAME(kith_common_ancestor(w, t.right, t.muzzle), t.ship);
    CHECK_SAME(kith_common_ancestor(w, t.muzzle, t.left), t.left);
    CHECK_SAME(kith_common_ancestor(w, t.muzzle, t.muzzle), t.muzzle);
    CHECK_SAME(kith_common_ancestor(w, t.muzzle, t.other), KITH_NONE);
    CHECK_SAME(kith_common_ancestor(w, t.muzzle, KITH_NONE), KITH_NONE);
    fixture_free(&t.f);
}

TEST(without_any_parent_each_is_a_root)
{
    fixture f = fixture_new();
    kith_entity a = kith_spawn_empty(f.world);
    CHECK_SAME(kith_root(f.world, a), a);
    CHECK_SAME(kith_root(f.world, (kith_entity){9, 9}), KITH_NONE);
    CHECK_UINT(kith_depth(f.world, a), 0);
    CHECK_SAME(kith_parent(f.world, a), KITH_NONE);
    CHECK_SAME(kith_child_first(f.world, a), KITH_NONE);
    CHECK(!kith_is_ancestor(f.world, a, a));
    CHECK_SAME(kith_common_ancestor(f.world, a, a), a);
    CHECK_SAME(kith_common_ancestor(f.world, KITH_NONE, KITH_NONE), KITH_NONE);
    CHECK_SAME(kith_descendant_next(f.world, a, a), KITH_NONE);
    CHECK_SAME(kith_descendant_next_by_level(f.world, a, a), KITH_NONE);
    CHECK_RESULT(kith_set_parent(f.world, a, KITH_NONE), KITH_OK);
    CHECK_RESULT(kith_set_parent(f.world, KITH_NONE, KITH_NONE), KITH_ERR_DEAD);
    CHECK_RESULT(kith_insert_child(f.world, a, a), KITH_ERR_INPUT);
    fixture_free(&f);
}

static void check_descendants(const kith_world *world, kith_entity root, bool by_level,
                              const kith_entity *expected, uint32_t count)
{
    uint32_t found = 0;
    for (kith_entity at = root;;) {
        at = by_level ? kith_descendant_next_by_level(world, root, at)
                      : kith_descendant_next(world, root, at);
        if (kith_is_none(at)) {
            break;
        }
        CHECK(found < count);
        CHECK_SAME(at, expected[found]);
        found++;
    }
    CHECK_UINT(found, count);
}

TEST(descendants_are_visited_once)
{
    family t = family_new();
    kith_world *w = t.f.world;
    kith_entity wing = KITH_SPAWN(w, KITH_VALUE(kith_child_of, {t.right}));
    check_descendants(w, t.ship, false, (kith_entity[]){t.left, t.gun, t.muzzle, t.right, wing}, 5);
    check_descendants(w, t.ship, true, (kith_entity[]){t.left, t.right, t.gun, wing, t.muzzle}, 5);
    check_descendants(w, t.left, false, (kith_entity[]){t.gun, t.muzzle}, 2);
    check_descendants(w, t.left, true, (kith_entity[]){t.gun, t.muzzle}, 2);
    check_descendants(w, t.other, false, NULL, 0);
    check_descendants(w, t.muzzle, true, NULL, 0);
    fixture_free(&t.f);
}

/* Such as one that got another parent on the way. */
TEST(descendants_from_elsewhere_end)
{
    family t = family_new();
    kith_world *w = t.f.world;
    const kith_entity part = KITH_SPAWN(w, KITH_VALUE(kith_child_of, {t.other}));
    const kith_entity last = KITH_SPAWN(w, KITH_VALUE(kith_child_of, {t.other}));
    const kith_entity elsewhere[] = {t.other, part, last, t.ship, t.right};
    for (size_t i = 0; i < ROWS_OF(elsewhere); i++) {
        CHECK_SAME(kith_descendant_next_by_level(w, t.left, elsewhere[i]), KITH_NONE);
    }
    CHECK_SAME(kith_descendant_next(w, t.left, t.other), part);
    CHECK_SAME(kith_descendant_next(w, t.left, part), last);
    CHECK_SAME(kith_descendant_next(w, t.left, last), KITH_NONE);
    CHECK_SAME(kith_descendant_next(w, t.left, t.right), KITH_NONE);
    CHECK_SAME(kith_descendant_next(w, t.left, KITH_NONE), KITH_NONE);
    CHECK_SAME(kith_descendant_next_by_level(w, t.left, KITH_NONE), KITH_NONE);
    fixture_free(&t.f);
}

TEST(a_child_gets_another_parent_and_loses_it)
{
    family t = family_new();
    kith_world *w = t.f.world;
    CHECK_RESULT(kith_set_parent(w, t.gun, t.right), KITH_OK);
    CHECK_CHILDREN(w, t.left, KITH_NONE);
    CHECK_CHILDREN(w, t.right, t.gun);
    CHECK_SAME(KITH_GET(w, t.gun, kith_child_of)->target, t.right);
    CHECK_RESULT(kith_set_parent(w, t.ship, t.muzzle), KITH_ERR_CYCLE);
    CHECK_CONTAINS(kith_error(w), "ChildOf");
    CHECK_RESULT(kith_set_parent(w, t.ship, t.ship), KITH_ERR_CYCLE);
    CHECK_CONTAINS(kith_error(w), "they are the same entity");
    CHECK_RESULT(kith_set_parent(w, t.gun, KITH_NONE), KITH_OK);
    CHECK_RESULT(kith_set_parent(w, t.gun, KITH_NONE), KITH_OK);
    CHECK(!KITH_HAS(w, t.gun, kith_child_of));
    CHECK_SAME(kith_root(w, t.muzzle), t.gun);
    CHECK_RESULT(kith_despawn(w, t.ship), KITH_OK);
    CHECK(!kith_alive(w, t.left) && !kith_alive(w, t.right));
    CHECK(kith_alive(w, t.gun) && kith_alive(w, t.muzzle));
    fixture_free(&t.f);
}

TEST(children_are_inserted_before_others)
{
    family t = family_new();
    kith_world *w = t.f.world;
    CHECK_RESULT(kith_insert_child(w, t.other, t.left), KITH_OK);
    CHECK_CHILDREN(w, t.ship, t.other, t.left, t.right);
    CHECK_SAME(KITH_GET(w, t.other, kith_child_of)->target, t.ship);
    CHECK_RESULT(kith_insert_child(w, t.gun, t.right), KITH_OK); /* from another parent */
    CHECK_CHILDREN(w, t.ship, t.other, t.left, t.gun, t.right);
    CHECK_CHILDREN(w, t.left, KITH_NONE);
    CHECK_RESULT(kith_insert_child(w, t.right, t.other), KITH_OK);
    CHECK_CHILDREN(w, t.ship, t.right, t.other, t.left, t.gun);
    CHECK_RESULT(kith_insert_child(w, t.right, t.other), KITH_OK);
    CHECK_WORLD(w);
    const uint64_t hash = kith_world_hash(w);
    CHECK_RESULT(kith_insert_child(w, t.ship, t.muzzle), KITH_ERR_CYCLE);
    CHECK_RESULT(kith_insert_child(w, t.left, t.ship), KITH_ERR_ABSENT);
    CHECK_CONTAINS(kith_error(w), kith_entity_describe(w, t.ship).text);
    CHECK_RESULT(kith_insert_child(w, t.left, t.left), KITH_ERR_INPUT);
    CHECK_RESULT(kith_insert_child(w, KITH_NONE, t.left), KITH_ERR_DEAD);
    CHECK_RESULT(kith_insert_child(w, t.left, KITH_NONE), KITH_ERR_DEAD);
    CHECK_UINT(kith_world_hash(w), hash);
    fixture_free(&t.f);
}

static int by_health(const kith_world *world, kith_entity a, kith_entity b, void *user)
{
    (void)user;
    int32_t first = KITH_GET(world, a, Health)->current;
    int32_t second = KITH_GET(world, b, Health)->current;
    return (first > second) - (first < second);
}

static int meddling(const kith_world *world, kith_entity a, kith_entity b, void *user)
{
    (void)world;
    (void)b;
    kith_despawn(user, a);
    return 0;
}

TEST(children_are_sorted)
{
    fixture f = fixture_new();
    kith_entity parent = kith_spawn_empty(f.world);
    kith_entity e[5];
    static const int32_t health[5] = {3, 1, 2, 1, 3};
    for (uint32_t i = 0; i < 5; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Health, {health[i], 0}),
                          KITH_VALUE(kith_child_of, {parent}));
    }
    for (size_t nth = 1, reached = 1; reached; nth++) {
        fail_allocation(&f, nth);
        kith_result result = kith_sort_children(f.world, parent, by_health, NULL);
        reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        if (reached) {
            CHECK_CHILDREN(f.world, parent, e[0], e[1], e[2], e[3], e[4]);
        }
    }
    CHECK_CHILDREN(f.world, parent, e[1], e[3], e[2], e[0], e[4]);
    CHECK_RESULT(kith_sort_children(f.world, KITH_NONE, by_health, NULL), KITH_ERR_DEAD);
    CHECK_RESULT(kith_sort_children(f.world, parent, NULL, NULL), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_sort_children: `compare` is NULL");
    CHECK_RESULT(kith_sort_children(f.world, e[0], by_health, NULL), KITH_OK);
    fixture_free(&f);
}

/* What was noted to take changes back is freed, also where that is much. */
TEST(many_changes_of_links_leave_no_memory)
{
    fixture f = fixture_new();
    kith_entity parent = kith_spawn_empty(f.world);
    for (int32_t i = 0; i < 50; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {50 - i, 0}), KITH_VALUE(kith_child_of, {parent}));
    }
    const size_t used = f.memory->bytes;
    CHECK_RESULT(kith_sort_children(f.world, parent, by_health, NULL), KITH_OK);
    CHECK_INT(KITH_GET(f.world, kith_child_first(f.world, parent), Health)->current, 1);
    CHECK_UINT(f.memory->bytes, used);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(what_sorts_children_changes_nothing)
{
    fixture f = fixture_new();
    kith_entity parent = kith_spawn_empty(f.world);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(kith_child_of, {parent}));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(kith_child_of, {parent}));
    CHECK_RESULT(kith_sort_children(f.world, parent, meddling, f.world), KITH_OK);
    expect_misuse(&f, "kith_despawn");
    CHECK_CHILDREN(f.world, parent, a, b);
    fixture_free(&f);
}

/* What is refused for a relation names the call, both entities and the relation. */
TEST(a_link_that_is_refused_names_both_ends)
{
    fixture f = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    kith_entity other = kith_spawn_empty(f.world);
    char source[128], target[128];
    snprintf(source, sizeof source, "%s", kith_entity_describe(f.world, e).text);
    snprintf(target, sizeof target, "%s", kith_entity_describe(f.world, other).text);
    char expected[1024];
    CHECK_RESULT(kith_set_parent(f.world, other, e), KITH_OK);
    CHECK_RESULT(kith_set_parent(f.world, e, other), KITH_ERR_CYCLE);
    snprintf(expected, sizeof expected,
             "kith_set_parent: %s cannot have %s as the target of ChildOf: that would close"
             " the circle %s -> %s -> %s",
             source, target, source, target, source);
    CHECK_STR(kith_error(f.world), expected);
    CHECK_RESULT(kith_set_parent(f.world, e, e), KITH_ERR_CYCLE);
    snprintf(expected, sizeof expected,
             "kith_set_parent: %s cannot have %s as the target of ChildOf: that would close"
             " a circle, since they are the same entity",
             source, source);
    CHECK_STR(kith_error(f.world), expected);
    CHECK_RESULT(KITH_SET(f.world, other, Guards, {e}), KITH_OK);
    CHECK_RESULT(kith_set_parent(f.world, other, KITH_NONE), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e), KITH_ERR_CONFLICT);
    snprintf(expected, sizeof expected,
             "kith_despawn: %s cannot be despawned, since it is the target of %s, which has the"
             " relation Guards (KITH_REFUSE)",
             source, target);
    CHECK_STR(kith_error(f.world), expected);
    fixture_free(&f);
}

/* Asking for what is not there, and taking away no parent, are no failures. */
TEST(no_parent_is_no_failure)
{
    fixture f = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    kith_entity other = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_fail(f.world, KITH_ERR_INPUT, "older"), KITH_ERR_INPUT);
    CHECK_RESULT(kith_set_parent(f.world, e, KITH_NONE), KITH_OK);
    CHECK(kith_is_none(kith_parent(f.world, e)));
    CHECK_RESULT(kith_set_parent(f.world, other, e), KITH_OK);
    CHECK_RESULT(kith_set_parent(f.world, other, KITH_NONE), KITH_OK);
    CHECK(kith_is_none(kith_parent(f.world, other)));
    CHECK_RESULT(kith_set_parent(f.world, other, KITH_NONE), KITH_OK);
    CHECK_STR(kith_error(f.world), "older");
    fixture_free(&f);
}
