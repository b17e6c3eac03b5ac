/* Pairs in the queries of systems. */
#include <string.h>

#include "components.h"
#include "test.h"

KITH_LINKS(Likes, KITH_CLEAR, (float, strength));
KITH_COMPONENT(Mood, (double, joy), (uint32_t, friends));
KITH_COMPONENT(Charm, (double, value));
KITH_COMPONENT(Bullet, (float, speed), (kith_entity, from));

#define PEOPLE 4000u

static void spawn_people(kith_world *world, kith_layout links, kith_layout values)
{
    static kith_entity people[PEOPLE];
    kith_register(world, &Likes_type, &(kith_component_def){.layout = links});
    kith_register(world, &Charm_type, &(kith_component_def){.layout = values});
    for (uint32_t i = 0; i < PEOPLE; i++) {
        people[i] = KITH_SPAWN(world, KITH_VALUE(Mood, {0, 0}), KITH_VALUE(Charm, {1.0 / (i + 1)}));
    }
    for (uint32_t i = 0; i < PEOPLE; i++) {
        for (uint32_t k = 0; k < i % 4; k++) {
            KITH_SPAWN(world,
                       KITH_VALUE(Likes, {people[i], people[(i * 7919 + k) % PEOPLE], (float)k}));
        }
    }
}

static void cheer(kith_iter *it)
{
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Mood *mood = KITH_AT_MUT(it, i, Mood);
            mood->joy +=
                KITH_TERM_AT(it, 1, i, Charm)->value * KITH_TERM_AT(it, 2, i, Likes)->strength;
            mood->friends++;
            KITH_SEND(it, Health, {(int32_t)kith_others(it, 1)[i].index1, 0});
        }
    }
}

/* The same rows in the same order, for any number of workers. */
TEST_EACH_LAYOUT(parallel_systems_go_through_rows, layout)
{
    uint64_t hashes[2] = {0};
    for (uint32_t k = 0; k < LAYOUT_COUNT * 4; k++) {
        fixture f = fixture_new();
        kith_snapshot *snapshot = NULL;
        spawn_people(f.world, layout, (kith_layout)(k / 4));
        const kith_workers_def workers = {.threads = k % 2 == 0 ? 0 : 4};
        CHECK_RESULT(kith_workers_set(f.world, &workers), KITH_OK);
        const kith_system_def def = {
            .name = "cheer",
            .run = cheer,
            .query = {.terms = KITH_TERMS(KITH_WRITE(Mood), KITH_PAIR_BY(Likes, 2, 0, 1),
                                          KITH_OTHER(1, KITH_READ(Charm)),
                                          KITH_OTHER(2, KITH_READ(Likes)),
                                          KITH_OTHER(2, KITH_IF(Likes, strength, <, 2)))},
            .events = KITH_TERMS(KITH_WRITE(Health)),
            .parallel = true};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        if (k / 2 % 2 != 0) {
            CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
        }
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        uint32_t friends = 0;
        kith_query *moods = KITH_QUERY(f.world, KITH_READ(Mood));
        for (kith_iter it = kith_query_iter(moods); kith_next_rows(&it);) {
            for (uint32_t i = 0; i < it.count; i++) {
                friends += KITH_AT(&it, i, Mood)->friends;
            }
        }
        CHECK_UINT(friends, 2 * (PEOPLE / 4 + 2 * (PEOPLE / 2)));
        hashes[k % 2] = kith_world_hash(f.world);
        CHECK(k % 2 == 0 || hashes[0] == hashes[1]);
        kith_snapshot_free(snapshot);
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

static void nothing(kith_iter *it)
{
    while (kith_next_rows(it)) {
    }
}

/* What is read of the others is declared: a system that writes it is in another stage, and a parallel
 * one cannot write it itself. */
TEST(what_is_read_of_rows_is_declared)
{
    const struct {
        kith_term term;
        bool reads; /* Health */
    } cases[] = {
        {KITH_OTHER(1, KITH_READ(Health)), true},
        {KITH_OTHER(1, KITH_OPTIONAL(Health)), true},
        {KITH_OTHER(1, KITH_IF(Health, current, <, 20)), true},
        {KITH_OTHER(1, KITH_IF(Mood, joy, <, KITH_OF_THIS(KITH_ITS(Charm, value)))), false},
        {KITH_IF(Mood, joy, <, KITH_OF_OTHER(1, KITH_ITS(Health, current))), true},
        {KITH_IF_NOT(KITH_OTHER(1, KITH_IF(Health, current, <, 20))), true},
        {KITH_IF_NOT(KITH_IF_SAME(0, 1)), false},
        {KITH_OTHER(1, KITH_WITH(Health)), false},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        fixture f = fixture_new();
        char text[2000];
        size_t length;
        const kith_term terms[] = {KITH_READ(Mood), KITH_PAIR(Likes, 0, 1), cases[i].term, {0}};
        const kith_term writes[] = {KITH_WRITE(Health), KITH_PAIR(Likes, 0, 1), cases[i].term, {0}};
        KITH_SYSTEM(f.world, nothing, KITH_WRITE(Health));
        CHECK_RESULT(kith_system_add(f.world, &(kith_system_def){.name = "reader",
                                                                 .run = nothing,
                                                                 .query = {.terms = terms}}),
                     KITH_OK);
        CHECK_RESULT(kith_schedule_print(f.world, text, sizeof text, &length), KITH_OK);
        CHECK_INT(strstr(text, "after nothing (component Health)") != NULL, cases[i].reads);
        CHECK_RESULT(kith_system_add(f.world, &(kith_system_def){.name = "writer",
                                                                 .run = nothing,
                                                                 .query = {.terms = writes},
                                                                 .parallel = true}),
                     cases[i].reads ? KITH_ERR_INPUT : KITH_OK);
        if (cases[i].reads) {
            CHECK_CONTAINS(kith_error(f.world), "cannot read another entity's Health too");
        }
        fixture_free(&f);
    }
}

/* Parents that come first have been visited; the others of a row may not. And a field of theirs that
 * leads on is read too. */
TEST(parallel_systems_cannot_read_of_rows_what_they_write)
{
    fixture f = fixture_new();
    kith_system_def def = {
        .name = "down",
        .run = nothing,
        .query = {.terms = KITH_TERMS(KITH_WRITE(Health), KITH_PAIR(kith_child_of, 0, 1),
                                      KITH_OTHER(1, KITH_READ(Health))),
                  .order = KITH_PARENTS_FIRST},
        .parallel = true};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "cannot read another entity's Health too");
    def.query.order = KITH_SCAN_ORDER;
    def.query.terms = KITH_TERMS(
        KITH_WRITE(Bullet), KITH_PAIR(Likes, 0, 1),
        KITH_IF(Mood, joy, <,
                KITH_OF_OTHER(1, KITH_ITS_VIA_FIELD(Bullet, from, KITH_ITS(Charm, value)))));
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "cannot read another entity's Bullet too");
    def.parallel = false;
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    fixture_free(&f);
}
