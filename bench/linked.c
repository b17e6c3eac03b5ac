/* Friends of friends: rows of three people, linked by KITH_LINKS, and a value of the last one. By a
 * query with pairs, and by hand, with loops over the links of each. Five links a person, in no order. */
#include <stdlib.h>

#include "bench.h"

KITH_LINKS(Likes, KITH_CLEAR);
KITH_COMPONENT(Person, (uint32_t, age));

enum { LIKED = 5, ROWS_PER_PERSON = LIKED * LIKED };

typedef struct pairs_state {
    kith_world *world;
    kith_query *query; /* of the rows, or of the people */
} pairs_state;

static pairs_state *open_people(uint32_t n, kith_layout layout)
{
    pairs_state *state = bench_take(sizeof *state);
    const uint32_t count = n / ROWS_PER_PERSON;
    kith_entity *people = bench_take(count * sizeof *people);
    uint32_t *liked = bench_shuffled(count * LIKED);
    *state = (pairs_state){.world = bench_world(layout)};
    kith_register(state->world, &Likes_type, &(kith_component_def){.layout = layout});
    kith_register(state->world, &Person_type, &(kith_component_def){.layout = layout});
    for (uint32_t i = 0; i < count; i++) {
        people[i] = KITH_SPAWN(state->world, KITH_VALUE(Person, {i}));
    }
    for (uint32_t i = 0; i < count * LIKED; i++) {
        KITH_SPAWN(state->world, KITH_VALUE(Likes, {people[i / LIKED], people[liked[i] % count]}));
    }
    free(liked);
    free(people);
    return state;
}

static void *open_pairs(uint32_t n, kith_layout layout)
{
    pairs_state *state = open_people(n, layout);
    state->query = KITH_QUERY(state->world, KITH_WITH(Person), KITH_PAIR(Likes, 0, 1),
                              KITH_PAIR(Likes, 1, 2), KITH_OTHER(2, KITH_READ(Person)));
    if (state->query == NULL) {
        bench_fail("no memory for a query");
    }
    return state;
}

static void *open_loops(uint32_t n, kith_layout layout)
{
    pairs_state *state = open_people(n, layout);
    state->query = KITH_QUERY(state->world, KITH_WITH(Person));
    if (state->query == NULL) {
        bench_fail("no memory for a query");
    }
    return state;
}

static void close_pairs(void *opened)
{
    pairs_state *state = opened;
    kith_world_free(state->world);
    free(state);
}

static bench_sample run_pairs(void *opened, uint32_t n, kith_layout layout)
{
    const pairs_state *state = opened;
    (void)n;
    (void)layout;
    uint64_t sum = 0;
    double start = bench_now();
    for (kith_iter it = kith_query_iter(state->query); kith_next_rows(&it);) {
        const Person *const *last = KITH_TERM_POINTERS(&it, 1, Person);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += last[i]->age;
        }
    }
    return (bench_sample){bench_now() - start, sum};
}

/* The ages of all that a person likes, added up. */
static uint64_t ages_of_liked(const kith_world *world, kith_entity person)
{
    uint64_t sum = 0;
    for (kith_sources s = kith_links_from(world, person, &Likes_type); kith_sources_next(&s);) {
        sum += KITH_GET(world, KITH_GET(world, s.entity, Likes)->target, Person)->age;
    }
    return sum;
}

static bench_sample run_loops(void *opened, uint32_t n, kith_layout layout)
{
    const pairs_state *state = opened;
    (void)n;
    (void)layout;
    uint64_t sum = 0;
    double start = bench_now();
    for (kith_iter it = kith_query_iter(state->query); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            kith_sources s = kith_links_from(state->world, kith_entities(&it)[i], &Likes_type);
            while (kith_sources_next(&s)) {
                sum += ages_of_liked(state->world,
                                     KITH_GET(state->world, s.entity, Likes)->target);
            }
        }
    }
    return (bench_sample){bench_now() - start, sum};
}

#define PAIRS_SIDES {open_pairs, run_pairs, close_pairs}, {open_loops, run_loops, close_pairs}

const bench_workload bench_linked[] = {
    {"linked-pairs", "friends of friends, beside loops over links", 250000, KITH_TABLE, 0,
     PAIRS_SIDES, BENCH_ALONE},
    {"linked-pairs", "", 250000, KITH_SPARSE, 0, PAIRS_SIDES, BENCH_ALONE},
    {"linked-pairs", "", 250000, KITH_SLOT, 0, PAIRS_SIDES, BENCH_ALONE},
};
const uint32_t bench_linked_count = sizeof bench_linked / sizeof bench_linked[0];
