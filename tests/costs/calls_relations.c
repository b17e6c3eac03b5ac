/* Calls about relations and hierarchies. */
#include "crowd.h"

static void act_source(crowd *c)
{
    const kith_type *type = &kith_child_of_type;
    CHECK(kith_entity_equal(kith_target(c->world, c->child, type), c->parent));
    CHECK(kith_entity_equal(kith_source_last(c->world, c->parent, type), c->child));
    CHECK(!kith_is_none(kith_source_first(c->world, c->parent, type)));
    CHECK(!kith_is_none(kith_source_previous(c->world, c->child, type)));
    CHECK(kith_is_none(kith_source_next(c->world, c->child, type)));
}

static void act_child(crowd *c)
{
    CHECK(kith_entity_equal(kith_parent(c->world, c->child), c->parent));
    CHECK(kith_entity_equal(kith_child_last(c->world, c->parent), c->child));
    CHECK(!kith_is_none(kith_child_first(c->world, c->parent)));
    CHECK(!kith_is_none(kith_child_previous(c->world, c->child)));
    CHECK(kith_is_none(kith_child_next(c->world, c->child)));
    CHECK(kith_is_none(kith_descendant_next(c->world, c->child, c->child)));
    kith_sources none = kith_children(c->world, c->child);
    CHECK(!kith_sources_next(&none));
    none = kith_sources_of(c->world, c->child, &kith_child_of_type);
    CHECK(!kith_sources_next(&none));
}

static void act_source_count(crowd *c)
{
    CHECK(kith_source_count(c->world, c->parent, &kith_child_of_type) > 1);
}

static void act_child_count(crowd *c)
{
    CHECK(kith_child_count(c->world, c->parent) > 1);
}

static void act_source_place(crowd *c)
{
    kith_entity first = kith_child_first(c->world, c->parent);
    CHECK_RESULT(kith_source_place(c->world, c->child, &kith_child_of_type, first), KITH_OK);
    CHECK_RESULT(kith_source_place(c->world, c->child, &kith_child_of_type, KITH_NONE), KITH_OK);
}

static void act_set_parent(crowd *c)
{
    CHECK_RESULT(kith_set_parent(c->world, c->plain, c->parent), KITH_OK);
    CHECK_RESULT(kith_set_parent(c->world, c->plain, c->own), KITH_OK);
    CHECK_RESULT(kith_set_parent(c->world, c->plain, KITH_NONE), KITH_OK);
}

/* An ancestor of others is looked for among the ancestors of its new parent. */
static void act_set_parent_of_parent(crowd *c)
{
    CHECK_RESULT(KITH_SET(c->world, c->family, kith_child_of, {c->child}), KITH_OK);
}

static void undo_parent_of_parent(crowd *c)
{
    CHECK_RESULT(kith_set_parent(c->world, c->family, KITH_NONE), KITH_OK);
}

static void act_insert_child(crowd *c)
{
    kith_entity first = kith_child_first(c->world, c->parent);
    CHECK_RESULT(kith_insert_child(c->world, c->made_entity, first), KITH_OK);
}

static void prepare_childless(crowd *c)
{
    c->made_entity = KITH_SPAWN(c->world, KITH_VALUE(Position));
}

static void prepare_child(crowd *c)
{
    c->made_entity = KITH_SPAWN(c->world, KITH_VALUE(kith_child_of, {c->parent}));
}

static void act_despawn(crowd *c)
{
    CHECK_RESULT(kith_despawn(c->world, c->made_entity), KITH_OK);
}

/* With one child. */
static void prepare_parent(crowd *c)
{
    c->made_entity = kith_spawn_empty(c->world);
    CHECK(!kith_is_none(KITH_SPAWN(c->world, KITH_VALUE(kith_child_of, {c->made_entity}))));
}

static int by_slot(const kith_world *world, kith_entity a, kith_entity b, void *user)
{
    (void)world, (void)user;
    return a.index1 < b.index1 ? -1 : a.index1 > b.index1;
}

static void act_sort(crowd *c)
{
    CHECK_RESULT(kith_sort_children(c->world, c->parent, by_slot, NULL), KITH_OK);
}

static void act_root(crowd *c)
{
    CHECK(!kith_is_none(kith_root(c->world, c->child)));
}

static void act_depth(crowd *c)
{
    CHECK(kith_depth(c->world, c->child) > 0);
}

static void act_is_ancestor(crowd *c)
{
    CHECK(!kith_is_ancestor(c->world, c->own, c->child));
}

static void act_common_ancestor(crowd *c)
{
    CHECK(kith_is_none(kith_common_ancestor(c->world, c->own, c->child)));
}

static void act_is_enabled(crowd *c)
{
    CHECK(kith_is_enabled(c->world, c->child));
}

static void act_by_level(crowd *c)
{
    CHECK(kith_is_none(kith_descendant_next_by_level(c->world, c->parent, c->child)));
}

const crowd_call crowd_calls_relations[] = {
    {CALL(kith_target, kith_source_first, kith_source_last, kith_source_next, kith_source_previous),
     .act = act_source},
    {CALL(kith_parent, kith_child_first, kith_child_last, kith_child_next, kith_child_previous,
          kith_descendant_next, kith_children, kith_sources_of),
     .act = act_child},
    {CALL(kith_source_count), .act = act_source_count},
    {CALL(kith_child_count), .act = act_child_count},
    {CALL(kith_source_place), .act = act_source_place},
    {CALL(kith_set_parent), .act = act_set_parent},
    {CALL(kith_set), .act = act_set_parent_of_parent, .undo = undo_parent_of_parent},
    {CALL(kith_insert_child), .act = act_insert_child, .prepare = prepare_childless,
     .undo = crowd_undo_entity},
    {CALL(kith_despawn), .act = act_despawn, .prepare = prepare_child},
    {CALL(kith_despawn), .act = act_despawn, .prepare = prepare_parent},
    {CALL(kith_sort_children), .act = act_sort},
    {CALL(kith_root), .act = act_root},
    {CALL(kith_depth), .act = act_depth},
    {CALL(kith_is_ancestor), .act = act_is_ancestor},
    {CALL(kith_common_ancestor), .act = act_common_ancestor},
    {CALL(kith_is_enabled), .act = act_is_enabled},
    {CALL(kith_descendant_next_by_level), .act = act_by_level},
};
const uint32_t crowd_calls_relations_count =
    sizeof crowd_calls_relations / sizeof crowd_calls_relations[0];
