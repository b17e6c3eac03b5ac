/* Parents and children, beside links by hand in an array: set and changed, visited, cloned and
 * despawned. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { LINKED = 100000, FAMILIES = 10000, CHILDREN = 10 };

/* By hand: what an entity is as a child and as a parent; 0: nobody. */
typedef struct hand_link {
    uint32_t parent, first, last, next, previous;
} hand_link;

typedef struct links_state {
    kith_world *world;
    kith_query *query; /* of the children of one; or NULL */
    kith_entity *parents;
    kith_entity *children;
    uint32_t parent_count;
    uint32_t child_count;
    /* By hand: parents are from 1 on, and children come after them. */
    hand_link *links;
    Position *positions;
    uint32_t *generations;
    uint32_t *free_slots;
    uint32_t free_count;
} links_state;

static links_state *open_families(uint32_t parents, uint32_t children)
{
    links_state *state = bench_take(sizeof *state);
    *state = (links_state){.parent_count = parents, .child_count = children};
    return state;
}

static void close_links(void *opened)
{
    links_state *state = opened;
    kith_world_free(state->world);
    free(state->parents);
    free(state->children);
    free(state->links);
    free(state->positions);
    free(state->generations);
    free(state->free_slots);
    free(state);
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static void make_entities(links_state *state)
{
    state->world = bench_world(KITH_TABLE);
    state->parents = bench_take(state->parent_count * sizeof *state->parents);
    state->children = bench_take(state->child_count * sizeof *state->children);
    Position *positions = bench_take(state->child_count * sizeof *positions);
    for (uint32_t i = 0; i < state->child_count; i++) {
        positions[i] = bench_position(i);
    }
    const kith_values values[] = {{&Position_type, positions, true}};
    if (kith_spawn_many(state->world, state->parent_count, NULL, 0, state->parents) != KITH_OK ||
        kith_spawn_many(state->world, state->child_count, values, 1, state->children) != KITH_OK) {
        bench_fail("no memory for parents and children");
    }
    free(positions);
}

static void link_to(const links_state *state, uint32_t offset)
{
    for (uint32_t i = 0; i < state->child_count; i++) {
        kith_entity parent = state->parents[(i / CHILDREN + offset) % state->parent_count];
        if (kith_set_parent(state->world, state->children[i], parent) != KITH_OK) {
            bench_fail("no memory for links");
        }
    }
}

static void *open_unlinked(uint32_t n, kith_layout layout)
{
    (void)layout;
    links_state *state = open_families(n / CHILDREN + 1, n);
    make_entities(state);
    return state;
}

/* Each child gets two parents, one after the other. */
static bench_sample time_links(const links_state *state, uint32_t offset)
{
    bench_frame frame = bench_frame_new(state->world, &kith_child_of_type);
    double start = bench_frame_start(&frame);
    link_to(state, offset);
    link_to(state, offset + 1);
    double end = bench_now();
    uint64_t sum = 0;
    for (uint32_t i = 0; i < state->child_count; i++) {
        sum += kith_parent(state->world, state->children[i]).index1;
    }
    return (bench_sample){end - start, sum};
}

static bench_sample set_parents(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    return time_links(opened, 0);
}

static void *open_children(uint32_t n, kith_layout layout)
{
    links_state *state = open_unlinked(n, layout);
    link_to(state, 0);
    return state;
}

/* Where all have parents, there are links that a snapshot holds. */
static bench_sample change_parents(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    return time_links(opened, 1);
}

static bench_sample visit_children(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    const links_state *state = opened;
    double sum = 0;
    double start = bench_now();
    const kith_lookup positions = KITH_LOOKUP(state->world, Position);
    for (uint32_t i = 0; i < state->parent_count; i++) {
        kith_sources children = kith_children(state->world, state->parents[i]);
        while (kith_sources_next(&children)) {
            sum += (double)KITH_GET(&positions, children.entity, Position)->x;
        }
    }
    return (bench_sample){bench_now() - start, (uint64_t)sum};
}

static void *open_children_of_one(uint32_t n, kith_layout layout)
{
    links_state *state = open_children(n, layout);
    state->query = KITH_QUERY(state->world, KITH_READ(Position),
                              KITH_IF(kith_child_of, target, ==, kith_bound("parent")));
    if (state->query == NULL) {
        bench_fail("no memory for a query");
    }
    return state;
}

static bench_sample query_children(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    const links_state *state = opened;
    double sum = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < state->parent_count; i++) {
        kith_query_bind(state->query, "parent", state->parents[i]);
        for (kith_iter it = kith_query_iter(state->query); kith_next_rows(&it);) {
            for (uint32_t k = 0; k < it.count; k++) {
                sum += (double)KITH_AT(&it, k, Position)->x;
            }
        }
    }
    return (bench_sample){bench_now() - start, (uint64_t)sum};
}

static void *open_families_to_end(uint32_t n, kith_layout layout)
{
    (void)layout;
    links_state *state = open_families(n, n * CHILDREN);
    make_entities(state);
    link_to(state, 0);
    return state;
}

static bench_sample despawn_parents(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    links_state *state = opened;
    bench_frame frame = bench_frame_new(state->world, &Position_type);
    double start = bench_frame_start(&frame);
    for (uint32_t i = 0; i < n; i++) {
        kith_despawn(state->world, state->parents[i]);
    }
    return (bench_sample){bench_now() - start, kith_entity_count(state->world)};
}

static bench_sample clone_trees(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const links_state *state = opened;
    kith_entity last = state->parents[0];
    bench_frame frame = bench_frame_new(state->world, &Position_type);
    double start = bench_frame_start(&frame);
    for (uint32_t i = 0; i < n; i++) {
        last = KITH_CLONE_TREE(state->world, state->parents[i]);
    }
    double end = bench_now();
    return (bench_sample){end - start, kith_entity_count(state->world) -
                                           kith_child_count(state->world, last)};
}

/* ---- By hand ------------------------------------------------------------------------------------- */

static void make_by_hand(links_state *state)
{
    uint32_t count = state->parent_count + state->child_count + 1;
    state->links = bench_take(count * sizeof *state->links);
    state->positions = bench_take(count * sizeof *state->positions);
    state->generations = bench_take(count * sizeof *state->generations);
    state->free_slots = bench_take(count * sizeof *state->free_slots);
    memset(state->links, 0, count * sizeof *state->links);
    memset(state->generations, 0, count * sizeof *state->generations);
    memset(state->free_slots, 0, count * sizeof *state->free_slots);
    memset(state->positions, 0, count * sizeof *state->positions);
    for (uint32_t i = 0; i < state->child_count; i++) {
        state->positions[state->parent_count + 1 + i] = bench_position(i);
    }
}

static void unlink_by_hand(hand_link *links, uint32_t child)
{
    hand_link *link = &links[child];
    hand_link *parent = &links[link->parent];
    *(link->previous != 0 ? &links[link->previous].next : &parent->first) = link->next;
    *(link->next != 0 ? &links[link->next].previous : &parent->last) = link->previous;
}

static void append_by_hand(hand_link *links, uint32_t child, uint32_t parent)
{
    links[child].parent = parent;
    links[child].next = 0;
    links[child].previous = links[parent].last;
    *(links[parent].last != 0 ? &links[links[parent].last].next : &links[parent].first) = child;
    links[parent].last = child;
}

static void link_by_hand(const links_state *state, uint32_t offset)
{
    for (uint32_t i = 0; i < state->child_count; i++) {
        uint32_t child = state->parent_count + 1 + i;
        if (state->links[child].parent != 0) {
            unlink_by_hand(state->links, child);
        }
        append_by_hand(state->links, child, (i / CHILDREN + offset) % state->parent_count + 1);
    }
}

static void *open_unlinked_by_hand(uint32_t n, kith_layout layout)
{
    (void)layout;
    links_state *state = open_families(n / CHILDREN + 1, n);
    make_by_hand(state);
    return state;
}

static bench_sample set_by_hand(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    links_state *state = opened;
    double start = bench_now();
    link_by_hand(state, 0);
    link_by_hand(state, 1);
    double end = bench_now();
    uint64_t sum = 0;
    for (uint32_t i = 0; i < state->child_count; i++) {
        sum += state->links[state->parent_count + 1 + i].parent;
    }
    return (bench_sample){end - start, sum};
}

static void *open_children_by_hand(uint32_t n, kith_layout layout)
{
    links_state *state = open_unlinked_by_hand(n, layout);
    link_by_hand(state, 0);
    return state;
}

static bench_sample visit_by_hand(void *opened, uint32_t n, kith_layout layout)
{
    (void)n, (void)layout;
    const links_state *state = opened;
    double sum = 0;
    double start = bench_now();
    for (uint32_t i = 1; i <= state->parent_count; i++) {
        for (uint32_t at = state->links[i].first; at != 0; at = state->links[at].next) {
            sum += (double)state->positions[at].x;
        }
    }
    return (bench_sample){bench_now() - start, (uint64_t)sum};
}

static void *open_families_by_hand(uint32_t n, kith_layout layout)
{
    (void)layout;
    links_state *state = open_families(n, n * CHILDREN);
    make_by_hand(state);
    link_by_hand(state, 0);
    return state;
}

/* Twice as many, of which half are free. */
static void *open_families_to_clone(uint32_t n, kith_layout layout)
{
    links_state *state = open_families(2 * n, 2 * n * CHILDREN);
    (void)layout;
    make_by_hand(state);
    state->parent_count = n;
    state->child_count = n * CHILDREN;
    link_by_hand(state, 0);
    for (uint32_t at = 2 * n * (CHILDREN + 1); at > n * (CHILDREN + 1); at--) {
        state->free_slots[state->free_count++] = at;
    }
    return state;
}

static uint32_t clone_by_hand(links_state *state, uint32_t source)
{
    const uint32_t at = state->free_slots[--state->free_count];
    state->positions[at] = state->positions[source];
    return at;
}

static bench_sample clone_trees_by_hand(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    links_state *state = opened;
    double start = bench_now();
    for (uint32_t i = 1; i <= n; i++) {
        const uint32_t parent = clone_by_hand(state, i);
        for (uint32_t at = state->links[i].first; at != 0; at = state->links[at].next) {
            append_by_hand(state->links, clone_by_hand(state, at), parent);
        }
    }
    double end = bench_now();
    return (bench_sample){end - start, 2 * n * (CHILDREN + 1) - state->free_count - CHILDREN};
}

static void end_by_hand(links_state *state, uint32_t at)
{
    state->generations[at]++;
    state->free_slots[state->free_count++] = at;
    state->links[at] = (hand_link){0};
}

static bench_sample end_families_by_hand(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    links_state *state = opened;
    double start = bench_now();
    for (uint32_t i = 1; i <= n; i++) {
        for (uint32_t at = state->links[i].first; at != 0;) {
            uint32_t next = state->links[at].next;
            end_by_hand(state, at);
            at = next;
        }
        end_by_hand(state, i);
    }
    double end = bench_now();
    return (bench_sample){end - start, n + n * CHILDREN - state->free_count};
}

/* kith_child_of has slots. */
const bench_workload bench_links[] = {
    {"set-parent",
     "given a parent, then another; beside lists",
     LINKED,
     KITH_SLOT,
     3,
     {open_unlinked, set_parents, close_links},
     {open_unlinked_by_hand, set_by_hand, close_links},
     BENCH_ALONE},
    {"children",
     "visit children, a value of each by lookup; beside lists",
     LINKED,
     KITH_SLOT,
     1.5,
     {open_children, visit_children, close_links},
     {open_children_by_hand, visit_by_hand, close_links},
     BENCH_ALONE},
    {"children-query",
     "the same, by a query for those of each parent",
     LINKED,
     KITH_SLOT,
     0,
     {open_children_of_one, query_children, close_links},
     {open_children_by_hand, visit_by_hand, close_links},
     BENCH_ALONE},
    {"clone-tree",
     "a parent with 10 children cloned",
     FAMILIES,
     KITH_SLOT,
     0,
     {open_families_to_end, clone_trees, close_links},
     {open_families_to_clone, clone_trees_by_hand, close_links},
     BENCH_ALONE},
    {"cascade",
     "a parent with 10 children despawned",
     FAMILIES,
     KITH_SLOT,
     0,
     {open_families_to_end, despawn_parents, close_links},
     {open_families_by_hand, end_families_by_hand, close_links},
     BENCH_ALONE},
    BENCH_ROW_IN_SETTINGS("set-parent", LINKED, KITH_SLOT, open_children, change_parents,
                          close_links),
    BENCH_ROW_IN_SETTINGS("clone-tree", FAMILIES, KITH_SLOT, open_families_to_end, clone_trees,
                          close_links),
    BENCH_ROW_IN_SETTINGS("cascade", FAMILIES, KITH_SLOT, open_families_to_end, despawn_parents,
                          close_links),
};
const uint32_t bench_links_count = sizeof bench_links / sizeof bench_links[0];
