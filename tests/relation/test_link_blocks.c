/* Links of slots that are far from each other are in several blocks, each of which a snapshot shares:
 * what one change writes is what a restore puts back. */
#include <stdlib.h>

#include "links.h"

#define SLOTS_A_BLOCK 1024u
#define SOURCES 5u

typedef struct spread {
    fixture f;
    kith_entity target, other;
    kith_entity e[SOURCES]; /* each in a block of its own */
    kith_entity loose;
} spread;

static spread spread_new(void)
{
    spread s = {.f = links_world(KITH_SLOT)};
    kith_entity *all = malloc((SOURCES + 3) * SLOTS_A_BLOCK * sizeof(*all));
    CHECK_PTR_NOT_NULL(all);
    CHECK_RESULT(kith_spawn_many(s.f.world, (SOURCES + 3) * SLOTS_A_BLOCK, NULL, 0, all), KITH_OK);
    for (uint32_t i = 0; i < SOURCES; i++) {
        s.e[i] = all[(i + 3) * SLOTS_A_BLOCK];
        CHECK_RESULT(KITH_SET(s.f.world, s.e[i], Owns, {all[0]}), KITH_OK);
    }
    s.target = all[0];
    s.other = all[SLOTS_A_BLOCK];
    s.loose = all[2 * SLOTS_A_BLOCK];
    free(all);
    return s;
}

/* What is done once; each changes other blocks. */
static kith_result step(const spread *s, uint32_t which)
{
    kith_world *w = s->f.world;
    switch (which) {
    case 0: return KITH_REMOVE(w, s->e[0], Owns);
    case 1: return KITH_REMOVE(w, s->e[2], Owns);
    case 2: return KITH_REMOVE(w, s->e[4], Owns);
    case 3: return KITH_SET(w, s->loose, Owns, {s->target});
    case 4: return KITH_SET(w, s->e[0], Owns, {s->other});
    case 5: return KITH_SET(w, s->e[2], Owns, {s->other});
    case 6: return kith_source_place(w, s->e[4], &Owns_type, s->e[0]);
    case 7: return kith_source_place(w, s->e[0], &Owns_type, s->e[3]);
    case 8: return kith_source_place(w, s->e[2], &Owns_type, KITH_NONE);
    default: return kith_despawn(w, s->e[1]);
    }
}

#define STEPS 10u

/* The sources of the target after a step, as numbers in `e`; the loose one is 9. */
static const char *const after[STEPS] = {"1234", "0134",  "0123",  "012349", "1234",
                                         "0134", "40123", "12034", "01342",  "0234"};

static void check_list(const spread *s, const char *expected)
{
    uint32_t i = 0;
    for (kith_sources c = kith_sources_of(s->f.world, s->target, &Owns_type); kith_sources_next(&c);
         i++) {
        CHECK(expected[i] != '\0');
        CHECK_SAME(c.entity, expected[i] == '9' ? s->loose : s->e[expected[i] - '0']);
    }
    CHECK(expected[i] == '\0');
}

TEST_WITHIN(20, a_restore_puts_back_all_links_that_were_written)
{
    for (uint32_t i = 0; test_row(i, STEPS); i++) {
        spread s = spread_new();
        kith_snapshot *taken;
        CHECK_RESULT(kith_snapshot_take(s.f.world, &taken), KITH_OK);
        const uint64_t hash = kith_world_hash(s.f.world);
        CHECK_RESULT(step(&s, i), KITH_OK);
        check_list(&s, after[i]);
        CHECK_WORLD(s.f.world);
        CHECK_RESULT(kith_snapshot_restore(s.f.world, taken), KITH_OK);
        check_list(&s, "01234");
        CHECK_WORLD(s.f.world);
        CHECK_UINT(kith_world_hash(s.f.world), hash);
        kith_snapshot_free(taken);
        fixture_free(&s.f);
    }
}

/* Rows and records of those that lose a relation are in many blocks too. */
TEST_EACH_LAYOUT_WITHIN(20, a_restore_puts_back_what_a_cascade_cleared, layout)
{
    enum { MANY = 5000, TARGETS = 7 };
    fixture f = links_world(layout);
    kith_entity targets[TARGETS];
    for (uint32_t i = 0; i < TARGETS; i++) {
        targets[i] = kith_spawn_empty(f.world);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}),
                   KITH_VALUE(Follows, {targets[i % TARGETS], (float)i}));
    }
    kith_snapshot *taken;
    CHECK_RESULT(kith_snapshot_take(f.world, &taken), KITH_OK);
    const uint64_t hash = kith_world_hash(f.world);
    for (uint32_t i = 0; i < TARGETS; i++) {
        CHECK_RESULT(kith_despawn(f.world, targets[i]), KITH_OK);
        CHECK_WORLD(f.world);
        CHECK_RESULT(kith_snapshot_restore(f.world, taken), KITH_OK);
        CHECK_UINT(kith_world_hash(f.world), hash);
        CHECK_WORLD(f.world);
    }
    kith_snapshot_free(taken);
    fixture_free(&f);
}

/* Each copy of a block may find no memory. */
TEST_WITHIN(20, blocks_of_links_that_cannot_be_copied_change_nothing)
{
    for (uint32_t i = 0; test_row(i, STEPS); i++) {
        for (size_t nth = 1, reached = 1; reached; nth++) {
            spread s = spread_new();
            kith_snapshot *taken;
            CHECK_RESULT(kith_snapshot_take(s.f.world, &taken), KITH_OK);
            fail_allocation(&s.f, nth);
            kith_result result = step(&s, i);
            reached = fail_nothing(&s.f);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            check_list(&s, reached ? "01234" : after[i]);
            CHECK_WORLD(s.f.world);
            CHECK_RESULT(kith_snapshot_restore(s.f.world, taken), KITH_OK);
            check_list(&s, "01234");
            kith_snapshot_free(taken);
            fixture_free(&s.f);
        }
    }
}
