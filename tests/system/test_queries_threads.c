/* The same bits for any number of workers, of systems with several queries. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

enum { TOWERS = 6000, FOES = 60, TICKS = 4 };

/* Each tower aims at the foe that is nearest, hurts it by a command, and now and then builds. */
static void aim(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Extra *tower = KITH_AT_MUT(it, i, Extra);
            const Position *at = KITH_AT(it, i, Position);
            float best = 1e9f;
            kith_entity target = KITH_NONE;
            for (kith_iter foe = kith_system_query(it, 1); kith_next(&foe);) {
                for (uint32_t k = 0; k < foe.count; k++) {
                    const Position *there = KITH_AT(&foe, k, Position);
                    float dx = there->x - at->x;
                    float dy = there->y - at->y;
                    float far_away = dx * dx + dy * dy;
                    if (far_away < best) {
                        best = far_away;
                        target = kith_entities(&foe)[k];
                    }
                }
            }
            tower->a = best;
            tower->b += kith_system_random_float(it);
            if (!kith_is_none(target) && kith_system_random(it) % 64 == 0) {
                KITH_SET(it->commands, target, Byte, {(uint8_t)i});
                KITH_SPAWN(it->commands, KITH_VALUE(Position, {tower->b, best}),
                           KITH_VALUE(Health, {1, 1}));
            }
        }
    }
}

/* Side by side with it: counts towers for each foe. */
static void flee(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Velocity *velocity = KITH_AT_MUT(it, i, Velocity);
            for (kith_iter tower = kith_system_query(it, 1); kith_next(&tower);) {
                velocity->dx += (float)tower.count;
            }
            kith_iter first = kith_system_query(it, 1);
            velocity->dy += kith_next(&first) ? KITH_AT(&first, 0, Position)->x : 0;
            kith_iter_close(&first);
        }
    }
}

static void simulate(kith_layout layout, uint32_t workers, uint64_t *hashes)
{
    fixture f = fixture_new_with(&(kith_world_def){.seed = 7});
    register_all(f.world, layout);
    for (int i = 0; i < TOWERS; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Extra, {0, 0, 0}),
                   KITH_VALUE(Position, {(float)(i % 100), (float)(i / 100)}));
    }
    for (int i = 0; i < FOES; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {9, 9}), KITH_VALUE(Velocity, {0, 0}),
                   KITH_VALUE(Position, {(float)(i * 37 % 100), (float)(i * 11 % 60)}));
    }
    const kith_system_def defs[] = {
        {.name = "aim",
         .run = aim,
         .parallel = true,
         .query.terms = KITH_TERMS(KITH_WRITE(Extra), KITH_READ(Position)),
         .queries = {{.terms = KITH_TERMS(KITH_READ(Position), KITH_WITH(Health))}}},
        {.name = "flee",
         .run = flee,
         .parallel = true,
         .query.terms = KITH_TERMS(KITH_WRITE(Velocity), KITH_WITH(Health)),
         .queries = {{.terms = KITH_TERMS(KITH_READ(Position), KITH_WITH(Extra))}}},
    };
    for (size_t i = 0; i < sizeof defs / sizeof defs[0]; i++) {
        CHECK_RESULT(kith_system_add(f.world, &defs[i]), KITH_OK);
    }
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = workers + 1}), KITH_OK);
    for (int tick = 0; tick < TICKS; tick++) {
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        hashes[tick] = kith_world_hash(f.world);
    }
    CHECK(kith_entity_count(f.world) > TOWERS + FOES);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST_EACH_LAYOUT_WITHIN(60, the_same_bits_for_any_number_of_workers, layout)
{
    static const uint32_t workers[] = {0, 1, 2, 8};
    uint64_t expected[TICKS];
    simulate(layout, 0, expected);
    for (size_t i = 1; i < sizeof workers / sizeof workers[0]; i++) {
        uint64_t hashes[TICKS];
        simulate(layout, workers[i], hashes);
        CHECK(memcmp(hashes, expected, sizeof hashes) == 0);
    }
}
