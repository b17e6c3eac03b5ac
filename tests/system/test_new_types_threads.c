/* Parallel systems queue and send types that nobody used before: the same bits for any number of
 * workers. */
#include <kith/kith.h>

#include "test.h"

KITH_COMPONENT(Wood, (uint32_t, number), (float, heat));
KITH_COMPONENT(Blaze, (float, seconds));
KITH_COMPONENT(Smoke, KITH_SPARSE, (float, amount), (kith_entity, source));
KITH_COMPONENT(Sooty, KITH_SLOT, (uint8_t, shade));
KITH_COMPONENT(Crackle, (uint32_t, number));
KITH_TAG(Scorched);
KITH_TAG(Wet);

enum { TREES = 3000, TICKS = 5 };

/* Nothing but the first use makes the types known. */
static void ignite(kith_iter *it)
{
    while (kith_next(it)) {
        Wood *wood = KITH_COLUMN_MUT(it, Wood);
        for (uint32_t i = 0; i < it->count; i++) {
            kith_entity tree = kith_entities(it)[i];
            wood[i].heat += 1;
            if (wood[i].number % 7 == 0) {
                KITH_SET(it->commands, tree, Blaze, {3});
                KITH_ADD(it->commands, tree, Scorched);
                kith_entity smoke = KITH_SPAWN(it->commands, KITH_VALUE(Smoke, {0.5f, tree}));
                KITH_SET(it->commands, tree, Smoke, {1, smoke});
                KITH_SEND(it, Crackle, {wood[i].number});
            } else if (wood[i].number % 7 == 1) {
                KITH_REMOVE(it->commands, tree, Wet);
            }
        }
    }
}

/* Side by side with it. */
static void blacken(kith_iter *it)
{
    while (kith_next(it)) {
        const Wood *wood = KITH_COLUMN(it, Wood);
        for (uint32_t i = 0; i < it->count; i++) {
            kith_entity tree = kith_entities(it)[i];
            if (wood[i].number % 5 == 0) {
                KITH_SET_VALUES(it->commands, tree, KITH_VALUE(Sooty, {(uint8_t)i}),
                                KITH_VALUE(Scorched));
            } else if (wood[i].number % 5 == 1) {
                KITH_REMOVE(it->commands, tree, Blaze);
            }
        }
    }
}

static void check_known(kith_world *world, const kith_type *type, kith_layout expected)
{
    kith_layout layout = (kith_layout)77;
    CHECK_RESULT(kith_layout_of(world, type, &layout), KITH_OK);
    CHECK_INT(layout, expected);
}

static void burn_forest(uint32_t workers, uint64_t *hashes)
{
    fixture f = fixture_new();
    for (uint32_t i = 0; i < TREES; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Wood, {i, 0}))));
    }
    const kith_system_def defs[] = {
        {.name = "blacken",
         .run = blacken,
         .parallel = true,
         .query.terms = KITH_TERMS(KITH_READ(Wood))},
        {.name = "ignite",
         .run = ignite,
         .parallel = true,
         .query.terms = KITH_TERMS(KITH_WRITE(Wood)),
         .events = KITH_TERMS(KITH_WRITE(Crackle))},
    };
    CHECK_RESULT(kith_system_add(f.world, &defs[0]), KITH_OK);
    CHECK_RESULT(kith_system_add(f.world, &defs[1]), KITH_OK);
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = workers + 1}), KITH_OK);
    CHECK_UINT(kith_type_count(f.world), 1);
    for (int tick = 0; tick < TICKS; tick++) {
        CHECK_RESULT(kith_run(f.world, 0.25f), KITH_OK);
        hashes[tick] = kith_world_hash(f.world);
        CHECK_UINT(kith_event_count(f.world, &Crackle_type), TREES / 7 + 1);
    }
    check_known(f.world, &Blaze_type, KITH_TABLE);
    check_known(f.world, &Smoke_type, KITH_SPARSE);
    check_known(f.world, &Sooty_type, KITH_SLOT);
    check_known(f.world, &Scorched_type, KITH_TABLE);
    CHECK_UINT(kith_type_count(f.world), 5); /* Wet was only removed */
    const kith_entity tree = {1 + 35, 0};
    CHECK_FLOAT(KITH_GET(f.world, tree, Blaze)->seconds, 3);
    CHECK(kith_alive(f.world, KITH_GET(f.world, tree, Smoke)->source));
    CHECK(KITH_HAS(f.world, tree, Sooty) && KITH_HAS(f.world, tree, Scorched));
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST_WITHIN(20, types_are_first_used_by_parallel_systems)
{
    static const uint32_t workers[] = {1, 4};
    uint64_t expected[TICKS];
    burn_forest(0, expected);
    for (int i = 0; i < 2; i++) {
        uint64_t hashes[TICKS];
        burn_forest(workers[i], hashes);
        for (int tick = 0; tick < TICKS; tick++) {
            CHECK_UINT(hashes[tick], expected[tick]);
        }
    }
}

/* ---- What goes wrong ----------------------------------------------------------------------------- */

/* Another struct of the same name. */
static const kith_field other_fields[] = {{"4 bytes there, 8 here", 0, 8, KITH_F64}};
static uint32_t other_number;
static const kith_type other_blaze = {"Blaze",       8,          8,     0,    1, other_fields,
                                      &other_number, KITH_TABLE, false, false, 0};

/* The first half of the trees takes one struct, the other half the other. */
static void ignite_both(kith_iter *it)
{
    while (kith_next(it)) {
        const Wood *wood = KITH_COLUMN(it, Wood);
        for (uint32_t i = 0; i < it->count; i++) {
            bool early = wood[i].number < TREES / 2;
            kith_commands_add(it->commands, kith_entities(it)[i],
                              early ? &Blaze_type : &other_blaze);
            KITH_ADD(it->commands, kith_entities(it)[i], Scorched);
        }
    }
}

/* Nothing is applied, and which type was first does not depend on the threads. */
static void quarrel(uint32_t workers)
{
    fixture f = fixture_new();
    for (uint32_t i = 0; i < TREES; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Wood, {i, 0}))));
    }
    const kith_system_def def = {.name = "ignite",
                                 .run = ignite_both,
                                 .parallel = true,
                                 .query.terms = KITH_TERMS(KITH_READ(Wood))};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = workers + 1}), KITH_OK);
    const uint64_t before = kith_content_hash(f.world);
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "'Blaze' is registered as another type");
    CHECK_CONTAINS(kith_error(f.world), "4 bytes there, 8 here");
    CHECK(kith_content_hash(f.world) == before);
    check_known(f.world, &Blaze_type, KITH_TABLE);
    CHECK_RESULT(kith_layout_of(f.world, &other_blaze, NULL), KITH_ERR_UNKNOWN);
    fixture_free(&f);
}

TEST_WITHIN(20, two_structs_of_one_name_fail_the_system)
{
    quarrel(0);
    quarrel(1);
    quarrel(4);
}
