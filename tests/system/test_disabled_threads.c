/* What is switched off, in systems: it is known before each stage. */
#include <string.h>

#include "components.h"
#include "test.h"

#define SHIPS 400u
#define PARTS 12u

KITH_COMPONENT(Ship, (uint32_t, number), (uint32_t, ticks));
KITH_COMPONENT(Part, (uint32_t, ship), (uint32_t, ticks), (uint32_t, idle));

/* Ships switch themselves off and on, by commands. */
static void turn_ships(kith_iter *it)
{
    while (kith_next(it)) {
        Ship *ships = KITH_COLUMN_MUT(it, Ship);
        for (uint32_t i = 0; i < it->count; i++) {
            kith_entity ship = kith_entities(it)[i];
            uint32_t tick = ships[i].ticks++;
            if ((tick + ships[i].number) % 3 == 0) {
                KITH_ADD(it->commands, ship, kith_disabled);
            } else {
                KITH_REMOVE(it->commands, ship, kith_disabled);
            }
        }
    }
}

static void count_on(kith_iter *it)
{
    while (kith_next(it)) {
        Part *parts = KITH_COLUMN_MUT(it, Part);
        for (uint32_t i = 0; i < it->count; i++) {
            parts[i].ticks++;
        }
    }
}

static void count_off(kith_iter *it)
{
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Part)->idle++;
        }
    }
}

static void add_system(kith_world *world, const char *name, void (*run)(kith_iter *),
                       const kith_term *terms)
{
    const kith_system_def def = {.name = name,
                                 .run = run,
                                 .query = {.terms = terms},
                                 .parallel = true,
                                 .after = strcmp(name, "turn") == 0 ? NULL : "turn"};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

static uint64_t run_fleet(kith_layout layout, uint32_t threads)
{
    fixture f = fixture_new();
    kith_world *w = f.world;
    const kith_workers_def workers = {.threads = threads};
    CHECK_RESULT(kith_workers_set(w, &workers), KITH_OK);
    kith_register(w, &Part_type, &(kith_component_def){.layout = layout});
    static kith_entity ships[SHIPS];
    for (uint32_t i = 0; i < SHIPS; i++) {
        ships[i] = KITH_SPAWN(w, KITH_VALUE(Ship, {i, 0}));
    }
    static kith_entity parts[SHIPS * PARTS];
    for (uint32_t i = 0; i < SHIPS * PARTS; i++) { /* a part hangs on a part, and some on the ship */
        uint32_t ship = i % SHIPS;
        kith_entity parent = i < 3 * SHIPS ? ships[ship] : parts[i - 2 * SHIPS];
        parts[i] = KITH_SPAWN(w, KITH_VALUE(Part, {ship, 0, 0}),
                              KITH_VALUE(kith_child_of, {parent}));
    }
    add_system(w, "turn", turn_ships, KITH_TERMS(KITH_WRITE(Ship)));
    add_system(w, "on", count_on, KITH_TERMS(KITH_WRITE(Part), KITH_WITHOUT(kith_disabled)));
    add_system(w, "off", count_off, KITH_TERMS(KITH_WRITE(Part), KITH_WITH(kith_disabled)));
    for (uint32_t tick = 0; tick < 7; tick++) {
        CHECK_RESULT(kith_run(w, 1), KITH_OK);
        CHECK_WORLD(w);
    }
    for (uint32_t i = 0; i < SHIPS * PARTS; i++) {
        const Part *part = KITH_GET(w, parts[i], Part);
        uint32_t idle = 0;
        for (uint32_t tick = 0; tick < 7; tick++) {
            idle += (tick + part->ship) % 3 == 0;
        }
        CHECK_UINT(part->idle, idle);
        CHECK_UINT(part->ticks, 7 - idle);
    }
    uint64_t hash = kith_world_hash(w);
    fixture_free(&f);
    return hash;
}

TEST_EACH_LAYOUT(any_number_of_workers_passes_over_the_same, layout)
{
    const uint64_t hash = run_fleet(layout, 0);
    CHECK_UINT(run_fleet(layout, 1), hash);
    CHECK_UINT(run_fleet(layout, 4), hash);
}

/* A system may ask an index with a query that filters; what that asks is known before the stage, though
 * no system has the term. */
typedef struct near_rocks {
    kith_index *places;
    kith_query *on;
} near_rocks;

static void count_near(kith_iter *it)
{
    const near_rocks *near = it->user;
    while (kith_next(it)) {
        Ship *ships = KITH_COLUMN_MUT(it, Ship);
        for (uint32_t i = 0; i < it->count; i++) {
            kith_index_found found;
            CHECK_RESULT(
                kith_within_radius(near->places, KITH_POINT(0, 0), 100, near->on, &found), KITH_OK);
            ships[i].ticks = found.count;
        }
    }
}

TEST(an_index_that_a_system_asks_is_filtered_by_what_is_on)
{
    fixture f = fixture_new();
    kith_world *w = f.world;
    near_rocks near;
    const kith_workers_def workers = {.threads = 4};
    CHECK_RESULT(kith_workers_set(w, &workers), KITH_OK);
    const kith_index_def places = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    CHECK_RESULT(kith_index_new(w, &places, &near.places), KITH_OK);
    near.on = KITH_QUERY(w, KITH_READ(Position), KITH_WITHOUT(kith_disabled));
    kith_entity ship = kith_spawn_empty(w);
    for (uint32_t i = 0; i < 5; i++) {
        kith_entity rock = KITH_SPAWN(w, KITH_VALUE(Position, {(float)i, 1}));
        if (i < 3) {
            CHECK_RESULT(kith_set_parent(w, rock, ship), KITH_OK);
        }
        KITH_SPAWN(w, KITH_VALUE(Ship, {i, 0}));
    }
    const kith_system_def def = {.name = "near",
                                 .run = count_near,
                                 .user = &near,
                                 .parallel = true,
                                 .query = {.terms = KITH_TERMS(KITH_WRITE(Ship))},
                                 .lookups = KITH_TERMS(KITH_READ(Position)),
                                 .indexes = KITH_INDEXES(near.places)};
    CHECK_RESULT(kith_system_add(w, &def), KITH_OK);
    kith_query *ships = KITH_QUERY(w, KITH_READ(Ship));
    for (uint32_t tick = 0; tick < 4; tick++) {
        if (tick % 2 != 0) {
            KITH_ADD(w, ship, kith_disabled);
        } else {
            KITH_REMOVE(w, ship, kith_disabled);
        }
        CHECK_RESULT(kith_run(w, 1), KITH_OK);
        CHECK_UINT(KITH_GET(w, kith_query_first(ships), Ship)->ticks, tick % 2 != 0 ? 2 : 5);
    }
    fixture_free(&f);
}
