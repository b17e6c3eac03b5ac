/* Parents and children. */
#include <kith/hierarchy.h>
#include <kith/namer.h>

#include "base/sort.h"
#include "store/disabled.h"
#include "world/change.h"
#include "world/guard.h"
#include "world/links.h"

/* ---- Reading ---------------------------------------------------------------------------------- */

/* The relation of children; NULL: there are none, or misuse was reported. */
static inline const ki_relation *hierarchy_find(const kith_world *world, const char *call)
{
    return ki_world_require_reader(world, call) == KITH_OK ? world->store.child_of : NULL;
}

/* What an entity is to itself where nobody has a parent. The caller may read. */
static inline kith_entity hierarchy_self(const kith_world *world, kith_entity entity)
{
    return ki_record_of(&world->store.entities, entity) == NULL ? KITH_NONE : entity;
}

/* The slot of a living entity, plus one; of a dead one, and where nobody has a parent, 0. */
static inline uint32_t hierarchy_slot1(const kith_world *world, const ki_relation *relation,
                                       kith_entity entity)
{
    return relation == NULL || ki_record_of(&world->store.entities, entity) == NULL ? 0
                                                                                    : entity.index1;
}

static inline ki_link hierarchy_link(const ki_relation *relation, uint32_t index1)
{
    return index1 == 0 ? (ki_link){0} : ki_relation_link(relation, index1 - 1);
}

kith_entity kith_parent(const kith_world *world, kith_entity child)
{
    return ki_links_target(world, hierarchy_find(world, "kith_parent"), child);
}

kith_entity kith_child_first(const kith_world *world, kith_entity parent)
{
    return ki_links_first(world, hierarchy_find(world, "kith_child_first"), parent);
}

kith_entity kith_child_last(const kith_world *world, kith_entity parent)
{
    return ki_links_last(world, hierarchy_find(world, "kith_child_last"), parent);
}

kith_entity kith_child_next(const kith_world *world, kith_entity child)
{
    return ki_links_next(world, hierarchy_find(world, "kith_child_next"), child);
}

kith_entity kith_child_previous(const kith_world *world, kith_entity child)
{
    return ki_links_previous(world, hierarchy_find(world, "kith_child_previous"), child);
}

kith_sources kith_children(const kith_world *world, kith_entity parent)
{
    return ki_links_scan(world, hierarchy_find(world, "kith_children"), parent);
}

uint32_t kith_child_count(const kith_world *world, kith_entity parent)
{
    return ki_links_count(world, hierarchy_find(world, "kith_child_count"), parent);
}

kith_entity kith_root(const kith_world *world, kith_entity entity)
{
    if (ki_world_require_reader(world, "kith_root") != KITH_OK) {
        return KITH_NONE;
    }
    const ki_relation *relation = hierarchy_find(world, "kith_root");
    uint32_t at1 = hierarchy_slot1(world, relation, entity);
    for (uint32_t parent1 = at1; parent1 != 0;) {
        at1 = parent1;
        parent1 = hierarchy_link(relation, at1).target1;
    }
    return at1 != 0 ? ki_links_entity(world, at1) : hierarchy_self(world, entity);
}

uint32_t kith_depth(const kith_world *world, kith_entity entity)
{
    const ki_relation *relation = hierarchy_find(world, "kith_depth");
    uint32_t at1 = hierarchy_slot1(world, relation, entity);
    return at1 == 0 ? 0 : ki_relation_depth(relation, at1 - 1);
}

bool kith_is_ancestor(const kith_world *world, kith_entity ancestor, kith_entity entity)
{
    const ki_relation *relation = hierarchy_find(world, "kith_is_ancestor");
    uint32_t wanted1 = hierarchy_slot1(world, relation, ancestor);
    uint32_t at1 = hierarchy_slot1(world, relation, entity);
    return wanted1 != 0 && at1 != 0 &&
           ki_relation_leads(relation, hierarchy_link(relation, at1).target1, wanted1 - 1);
}

kith_entity kith_common_ancestor(const kith_world *world, kith_entity a, kith_entity b)
{
    if (ki_world_require_reader(world, "kith_common_ancestor") != KITH_OK) {
        return KITH_NONE;
    }
    const ki_relation *relation = hierarchy_find(world, "kith_common_ancestor");
    uint32_t a1 = hierarchy_slot1(world, relation, a);
    uint32_t b1 = hierarchy_slot1(world, relation, b);
    if (a1 == 0 || b1 == 0) {
        return kith_entity_equal(a, b) ? hierarchy_self(world, a) : KITH_NONE;
    }
    uint32_t depth_a = ki_relation_depth(relation, a1 - 1);
    uint32_t depth_b = ki_relation_depth(relation, b1 - 1);
    for (; depth_a > depth_b; depth_a--) {
        a1 = hierarchy_link(relation, a1).target1;
    }
    for (; depth_b > depth_a; depth_b--) {
        b1 = hierarchy_link(relation, b1).target1;
    }
    while (a1 != b1) {
        a1 = hierarchy_link(relation, a1).target1;
        b1 = hierarchy_link(relation, b1).target1;
    }
    return ki_links_entity(world, a1);
}

bool kith_is_enabled(const kith_world *world, kith_entity entity)
{
    return ki_world_require_reader(world, "kith_is_enabled") == KITH_OK &&
           ki_record_of(&world->store.entities, entity) != NULL &&
           !ki_disabled_climb(&world->store, entity.index1 - 1);
}

/* ---- Descendants ------------------------------------------------------------------------------ */

kith_entity kith_descendant_next(const kith_world *world, kith_entity root, kith_entity previous)
{
    const ki_relation *relation = hierarchy_find(world, "kith_descendant_next");
    const uint32_t root1 = hierarchy_slot1(world, relation, root);
    const uint32_t at1 = hierarchy_slot1(world, relation, previous);
    return root1 == 0 || at1 == 0
               ? KITH_NONE
               : ki_links_entity(world, ki_relation_next_below(relation, root1, at1));
}

/* The first one `level` levels below `root1`, depth first, from the one after `at1` on; 0: there is
 * none. `at1` itself is at level `here`. */
static uint32_t hierarchy_at_level(const ki_relation *relation, uint32_t root1, uint32_t at1,
                                   uint32_t here, uint32_t level)
{
    for (;;) {
        const ki_link link = hierarchy_link(relation, at1);
        if (here < level && link.first1 != 0) {
            at1 = link.first1;
            here++;
        } else {
            uint32_t up1 = at1;
            while (up1 != root1 && hierarchy_link(relation, up1).next1 == 0) {
                up1 = hierarchy_link(relation, up1).target1;
                here--;
            }
            if (up1 == root1) {
                return 0;
            }
            at1 = hierarchy_link(relation, up1).next1;
        }
        if (here == level) {
            return at1;
        }
    }
}

kith_entity kith_descendant_next_by_level(const kith_world *world, kith_entity root,
                                          kith_entity previous)
{
    const ki_relation *relation = hierarchy_find(world, "kith_descendant_next_by_level");
    const uint32_t root1 = hierarchy_slot1(world, relation, root);
    const uint32_t at1 = hierarchy_slot1(world, relation, previous);
    if (root1 == 0 || at1 == 0) {
        return KITH_NONE;
    }
    uint32_t level = 0;
    uint32_t up1 = at1;
    for (; up1 != root1 && up1 != 0; level++) {
        up1 = hierarchy_link(relation, up1).target1;
    }
    if (up1 == 0) {
        return KITH_NONE;
    }
    uint32_t found1 = at1 == root1 ? 0 : hierarchy_at_level(relation, root1, at1, level, level);
    if (found1 == 0) {
        found1 = hierarchy_at_level(relation, root1, root1, 0, level + 1);
    }
    return ki_links_entity(world, found1);
}

/* ---- Changing --------------------------------------------------------------------------------- */

/* Sets the parent of an entity. */
static inline kith_result hierarchy_set(kith_world *world, const char *call, kith_entity child,
                                        kith_entity parent)
{
    const kith_child_of value = {parent};
    return ki_world_is_mine(world) && world->store.child_of != NULL
               ? ki_world_set_checked(world, call, child, world->store.child_of->component, &value)
               : ki_world_set_slow(world, call, child, &kith_child_of_type, &value);
}

kith_result kith_set_parent(kith_world *world, kith_entity child, kith_entity parent)
{
    if (!kith_is_none(parent)) {
        return hierarchy_set(world, "kith_set_parent", child, parent);
    }
    KI_TRY(ki_world_begin_change(world, "kith_set_parent"));
    if (ki_record_of(&world->store.entities, child) == NULL) {
        return ki_world_dead(world, "kith_set_parent", child);
    }
    return kith_is_none(kith_parent(world, child)) ? KITH_OK
                                                   : kith_remove(world, child, &kith_child_of_type);
}

kith_result kith_insert_child(kith_world *world, kith_entity child, kith_entity before)
{
    KI_TRY(ki_world_begin_change(world, "kith_insert_child"));
    ki_store *store = &world->store;
    if (ki_record_of(&store->entities, before) == NULL) {
        return ki_world_dead(world, "kith_insert_child", before);
    }
    if (ki_record_of(&store->entities, child) == NULL) {
        return ki_world_dead(world, "kith_insert_child", child);
    }
    if (child.index1 == before.index1) {
        return ki_fail(&store->context, KITH_ERR_INPUT,
                       "kith_insert_child: the child and the one that it is to go before are the"
                       " same");
    }
    kith_entity parent = kith_parent(world, before);
    if (kith_is_none(parent)) {
        return ki_fail(&store->context, KITH_ERR_ABSENT,
                       "kith_insert_child: %s, which the child is to go before, has no parent",
                       kith_entity_describe(world, before).text);
    }
    ki_relation *relation = store->child_of;
    const ki_link was = ki_relation_link(relation, child.index1 - 1);
    if (was.next1 == before.index1) {
        return KITH_OK;
    }
    KI_TRY(ki_entity_names_reserve(world, relation->component, 1));
    /* The place first, as it can be taken back. Another parent is then set as one that is there. */
    const uint32_t begin = ki_link_changes_begin(store);
    kith_result result = KITH_OK;
    if (was.target1 != parent.index1 &&
        ki_relation_leads(relation, parent.index1, child.index1 - 1)) {
        result = ki_relation_reject_circle(world, &store->context, "kith_insert_child", relation,
                                           child, parent);
    }
    if (result == KITH_OK) {
        result =
            ki_link_changes_add(store, relation, child.index1 - 1, parent.index1, before.index1);
    }
    if (result == KITH_OK && was.target1 != parent.index1) {
        result = hierarchy_set(world, "kith_insert_child", child, parent);
    }
    return ki_link_changes_end(store, begin, result);
}

/* ---- Sorting ---------------------------------------------------------------------------------- */

typedef struct hierarchy_sorting {
    kith_world *world;
    uint32_t *children; /* their slots plus one */
    uint32_t count;
    kith_child_compare_fn compare;
    void *user;
} hierarchy_sorting;

static bool hierarchy_is_before(const void *context, uint32_t a, uint32_t b)
{
    const hierarchy_sorting *sorting = context;
    return sorting->compare(sorting->world, ki_links_entity(sorting->world, a),
                            ki_links_entity(sorting->world, b), sorting->user) < 0;
}

/* Puts the children in order, one after the other to the end. */
static kith_result hierarchy_place_all(const hierarchy_sorting *sorting, ki_relation *relation,
                                       uint32_t parent1)
{
    ki_store *store = &sorting->world->store;
    const uint32_t begin = ki_link_changes_begin(store);
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < sorting->count && result == KITH_OK; i++) {
        result = ki_link_changes_add(store, relation, sorting->children[i] - 1, parent1, 0);
    }
    return ki_link_changes_end(store, begin, result);
}

static kith_result hierarchy_sort(hierarchy_sorting *sorting, ki_relation *relation,
                                  uint32_t parent1)
{
    ki_store *store = &sorting->world->store;
    ki_heap *heap = &store->context.heap;
    size_t bytes = ki_heap_bytes(sorting->count, 2 * sizeof(uint32_t));
    sorting->children = ki_heap_alloc(heap, bytes, _Alignof(uint32_t));
    if (sorting->children == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t at1 = hierarchy_link(relation, parent1).first1;
    for (uint32_t i = 0; at1 != 0; i++, at1 = hierarchy_link(relation, at1).next1) {
        sorting->children[i] = at1;
    }
    store->locks++; /* `compare` changes nothing */
    ki_sort_stable(sorting->children, sorting->children + sorting->count, sorting->count,
                   hierarchy_is_before, sorting);
    store->locks--;
    kith_result result = hierarchy_place_all(sorting, relation, parent1);
    ki_heap_free(heap, sorting->children, bytes, _Alignof(uint32_t));
    return result;
}

kith_result kith_sort_children(kith_world *world, kith_entity parent, kith_child_compare_fn compare,
                               void *user)
{
    KI_TRY(ki_world_begin_change(world, "kith_sort_children"));
    if (KI_CHECKED && compare == NULL) {
        return ki_misuse(&world->store.context, "kith_sort_children: `compare` is NULL");
    }
    if (ki_record_of(&world->store.entities, parent) == NULL) {
        return ki_world_dead(world, "kith_sort_children", parent);
    }
    hierarchy_sorting sorting = {.world = world, .compare = compare, .user = user};
    sorting.count = kith_child_count(world, parent);
    return sorting.count < 2
               ? KITH_OK
               : hierarchy_sort(&sorting, world->store.child_of, parent.index1);
}
