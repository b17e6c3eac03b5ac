/* Indexes by a function, asked by systems side by side, which write what they are made of. */
#define _POSIX_C_SOURCE 200809L

#include "computed.h"

#include <time.h>

#define ROWS 2500

/* What an entity found: how many with its label, and how many with a lower level. */
typedef struct Found {
    uint32_t same, less;
} Found;
KITH_TYPE(Found, KITH_FIELD(Found, same), KITH_FIELD(Found, less));

typedef struct crowd {
    computed t; /* its index is in order */
    kith_index *labels;
    uint32_t calls; /* of the function of labels */
} crowd;

static void crowd_new(crowd *c, kith_layout layout)
{
    computed_new(&c->t, layout, KITH_INDEX_ORDERED);
    c->calls = 0;
    const kith_index_def labels = {.kind = KITH_INDEX_HASH,
                                   KITH_FIELDS(Label, text, max),
                                   .of = &Health_type,
                                   .key = label_of,
                                   .user = &c->calls};
    CHECK_RESULT(kith_index_new(c->t.world, &labels, &c->labels), KITH_OK);
    for (int32_t i = 0; i < ROWS; i++) {
        KITH_SPAWN(c->t.world, KITH_VALUE(Health, {i, i % 7 - 1}), KITH_VALUE(Found));
    }
}

/* Asks for what was before the stage, and writes all values at once. */
static void look(kith_iter *it)
{
    const crowd *c = it->user;
    kith_index_found found;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Health *health = KITH_AT_MUT(it, i, Health);
            Found *counts = KITH_AT_MUT(it, i, Found);
            Label label = {.max = health->max};
            snprintf(label.text, sizeof(label.text), "n%d", (int)(health->current % LEVELS));
            const Danger danger = {.level = (float)(health->current % LEVELS)};
            const kith_range lower = {.to = &danger, .before_to = true};
            CHECK_RESULT(kith_index_find(c->labels, &label, &found), KITH_OK);
            counts->same = found.count;
            CHECK_RESULT(kith_index_range(c->t.index, &lower, &found), KITH_OK);
            counts->less = found.count;
            *health = (Health){health->current * 7 % ROWS, (health->max + 2) % 7 - 1};
        }
    }
}

/* Counts of labels and levels, by a loop. */
typedef struct tally {
    uint32_t labels[LEVELS][8];
    uint32_t levels[LEVELS];
} tally;

static tally tally_of(const computed *t)
{
    tally all = {0};
    for (kith_iter it = kith_query_iter(t->all); kith_next(&it);) {
        const Health *health = KITH_COLUMN(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            all.labels[health[i].current % LEVELS][health[i].max + 1]++;
            all.levels[health[i].current % LEVELS] += health[i].max > 0;
        }
    }
    return all;
}

static void check_counts(const crowd *c, const Health *before, const tally *all)
{
    uint32_t at = 0;
    kith_query *query = KITH_QUERY(c->t.world, KITH_READ(Health), KITH_READ(Found));
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++, at++) {
            const Found *found = KITH_AT(&it, i, Found);
            const int32_t level = before[at].current % LEVELS;
            uint32_t less = 0;
            for (int32_t k = 0; k < level; k++) {
                less += all->levels[k];
            }
            const int32_t max = before[at].max;
            CHECK_UINT(found->same, max < 0 ? 0 : all->labels[level][max + 1]);
            CHECK_UINT(found->less, less);
        }
    }
    CHECK_UINT(at, ROWS);
    kith_query_free(query);
}

static void copy_values(const crowd *c, Health *values)
{
    uint32_t at = 0;
    kith_query *query = KITH_QUERY(c->t.world, KITH_READ(Health), KITH_READ(Found));
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            values[at++] = *KITH_AT(&it, i, Health);
        }
    }
    kith_query_free(query);
}

/* A hash by a function does not look at values when it is asked: so a system may write them. */
TEST_EACH_LAYOUT_WITHIN(60, each_sees_what_was_before_the_stage, layout)
{
    static Health before[ROWS];
    uint64_t hash = 0;
    for (uint32_t threads = 1; threads <= 4; threads += threads) {
        crowd c;
        crowd_new(&c, layout);
        CHECK_RESULT(kith_workers_set(c.t.world, &(kith_workers_def){.threads = threads}), KITH_OK);
        const kith_system_def def = {
            .name = "look",
            .run = look,
            .parallel = true,
            .user = &c,
            .query.terms = KITH_TERMS(KITH_WRITE(Health), KITH_WRITE(Found)),
            .indexes = KITH_INDEXES(c.labels, c.t.index)};
        CHECK_RESULT(kith_system_add(c.t.world, &def), KITH_OK);
        for (uint32_t tick = 0; tick < 3; tick++) {
            copy_values(&c, before);
            const tally all = tally_of(&c.t);
            const uint32_t calls = c.calls;
            CHECK_RESULT(kith_run(c.t.world, 1), KITH_OK);
            CHECK(c.calls - calls <= ROWS); /* before the stage, and not in it */
            check_counts(&c, before, &all);
            CHECK_WORLD(c.t.world);
        }
        hash = threads == 1 ? kith_world_hash(c.t.world) : hash;
        CHECK_UINT(kith_world_hash(c.t.world), hash);
        fixture_free(&c.t.f);
    }
}

/* ---- Brought up to date side by side ------------------------------------------------------------ */

/* Waits in its first call, for some seconds, until another thread is in the first call of the same for
 * another index. */
typedef struct visitor {
    int *here; /* visitors that have come */
    bool came;
    bool met;
} visitor;

static bool danger_that_meets(const void *value, void *key, void *user)
{
    visitor *v = user;
    ((Danger *)key)->level = (float)((const Health *)value)->current;
    if (!v->came) {
        v->came = true;
        __atomic_add_fetch(v->here, 1, __ATOMIC_SEQ_CST);
    }
    for (int i = 0; !v->met && i < 5000; i++) {
        const struct timespec pause = {0, 1000000};
        v->met = __atomic_load_n(v->here, __ATOMIC_SEQ_CST) >= 2;
        nanosleep(&pause, NULL);
    }
    return true;
}

static void find_all(kith_iter *it)
{
    kith_index *const *indexes = it->user;
    for (uint32_t i = 0; i < 2; i++) {
        kith_index_found found;
        const Danger level = {.level = 7};
        it->result = kith_index_find(indexes[i], &level, &found);
        CHECK_UINT(found.count, 1);
    }
}

TEST_EACH_LAYOUT(two_indexes_are_brought_up_to_date_side_by_side, layout)
{
    fixture f = fixture_with_all(layout);
    kith_world *world = f.world;
    int here = 0;
    visitor visitors[2] = {{.here = &here}, {.here = &here}};
    kith_index *indexes[2];
    for (uint32_t i = 0; i < 2; i++) {
        const kith_index_def def = {.kind = i == 0 ? KITH_INDEX_HASH : KITH_INDEX_ORDERED,
                                    KITH_FIELDS(Danger, level),
                                    .of = &Health_type,
                                    .key = danger_that_meets,
                                    .user = &visitors[i]};
        CHECK_RESULT(kith_index_new(world, &def, &indexes[i]), KITH_OK);
    }
    const kith_entity e = KITH_SPAWN(world, KITH_VALUE(Health, {7, 7}));
    CHECK_RESULT(kith_workers_set(world, &(kith_workers_def){.threads = 2}), KITH_OK);
    const kith_system_def def = {.name = "finds",
                                 .run = find_all,
                                 .user = indexes,
                                 .indexes = KITH_INDEXES(indexes[0], indexes[1], indexes[0])};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
    for (int tick = 1; tick <= 2; tick++) {
        here = 0;
        visitors[0] = visitors[1] = (visitor){.here = &here};
        CHECK_RESULT(KITH_SET(world, e, Health, {7, tick}), KITH_OK);
        CHECK_RESULT(kith_run(world, 1), KITH_OK);
        CHECK(visitors[0].met && visitors[1].met);
        CHECK_UINT(kith_index_stats(indexes[0]).refreshes, (uint64_t)tick);
        CHECK_UINT(kith_index_stats(indexes[1]).refreshes, (uint64_t)tick);
    }
    CHECK_WORLD(world);
    fixture_free(&f);
}
