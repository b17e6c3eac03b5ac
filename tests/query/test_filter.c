/* Queries whose rows are looked at 64 at a time: who is visited does not depend on where the rows, the
 * slots and the words of bits begin and end. */
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

#define MANY 3000u

/* Which of some entities are to carry what. */
typedef struct filter_play {
    fixture f;
    kith_entity e[MANY];
    uint64_t random;
} filter_play;

/* Position in one layout, Frozen and Byte in another. */
static void play_new(filter_play *p, kith_layout position, kith_layout others, bool shuffled)
{
    *p = (filter_play){.f = fixture_new(), .random = 7};
    kith_register(p->f.world, &Position_type, &(kith_component_def){.layout = position});
    kith_register(p->f.world, &Frozen_type, &(kith_component_def){.layout = others});
    kith_register(p->f.world, &Byte_type, &(kith_component_def){.layout = others});
    for (uint32_t i = 0; i < MANY; i++) {
        p->e[i] = KITH_SPAWN(p->f.world, KITH_VALUE(Position, {(float)i, 0}));
    }
    /* Handles then come in an order that is not that of the slots. */
    for (uint32_t i = 0; shuffled && i < MANY; i++) {
        uint32_t which = random_below(&p->random, MANY);
        CHECK_RESULT(kith_despawn(p->f.world, p->e[which]), KITH_OK);
        p->e[which] = KITH_SPAWN(p->f.world, KITH_VALUE(Position, {(float)which, 0}));
    }
}

static void give(filter_play *p, uint32_t of, uint32_t out_of)
{
    for (uint32_t i = 0; i < MANY; i++) {
        if (random_below(&p->random, out_of) < of) {
            CHECK_RESULT(KITH_ADD(p->f.world, p->e[i], Frozen), KITH_OK);
        }
        if (random_below(&p->random, out_of) < of) {
            CHECK_RESULT(KITH_SET(p->f.world, p->e[i], Byte, {(uint8_t)i}), KITH_OK);
        }
    }
}

/* Everybody is visited once who has Frozen, and Byte, or not, as the roles say; runs are as long as
 * they can be where one storage drives. */
static void check_roles(filter_play *p, kith_role frozen, kith_role byte)
{
    const kith_term terms[] = {KITH_READ(Position),
                               {&Frozen_type, KITH_ACCESS_NONE, frozen, 0, NULL},
                               {&Byte_type, KITH_ACCESS_NONE, byte, 0, NULL},
                               {0}};
    const kith_type *const drivers[] = {NULL, &Position_type};
    for (int d = 0; d < 2; d++) {
        const kith_query_def def = {.terms = terms, .driver = drivers[d]};
        kith_query *query;
        CHECK_RESULT(kith_query_new(p->f.world, &def, &query), KITH_OK);
        static bool visited[MANY];
        memset(visited, 0, sizeof visited);
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            for (uint32_t i = 0; i < it.count; i++) {
                const Position *position = KITH_AT(&it, i, Position);
                uint32_t number = (uint32_t)position->x;
                CHECK(kith_entity_equal(kith_entities(&it)[i], p->e[number]));
                CHECK(!visited[number]);
                visited[number] = true;
            }
        }
        for (uint32_t i = 0; i < MANY; i++) {
            bool is_frozen = KITH_HAS(p->f.world, p->e[i], Frozen);
            bool has_byte = KITH_HAS(p->f.world, p->e[i], Byte);
            bool wanted = is_frozen == (frozen == KITH_MUST) && has_byte == (byte == KITH_MUST);
            CHECK_UINT(visited[i], wanted);
            CHECK_UINT(kith_query_contains(query, p->e[i]), wanted);
        }
        kith_query_free(query);
    }
    CHECK_WORLD(p->f.world);
}

static void check_all_roles(filter_play *p)
{
    check_roles(p, KITH_MUST, KITH_MUST);
    check_roles(p, KITH_MUST, KITH_MUST_NOT);
    check_roles(p, KITH_MUST_NOT, KITH_MUST);
    check_roles(p, KITH_MUST_NOT, KITH_MUST_NOT);
}

/* Few, half, and nearly all of them. */
TEST_EACH_LAYOUT_WITHIN(20, rows_are_filtered, position)
{
    static filter_play p;
    for (int others = KITH_TABLE; others <= KITH_SLOT; others++) {
        for (int shuffled = 0; shuffled < 2; shuffled++) {
            for (uint32_t of = 1; of <= 19; of += 9) {
                play_new(&p, position, (kith_layout)others, shuffled != 0);
                give(&p, of, 20);
                check_all_roles(&p);
                fixture_free(&p.f);
            }
        }
    }
}

/* One entity without the tag, at each place near the end of a word and of a block. */
TEST(a_run_ends_where_it_has_to)
{
    static const uint32_t places[] = {0, 1, 62, 63, 64, 65, 127, 128, 1022, 1023, 1024, 1025, 2999};
    static filter_play p;
    for (size_t i = 0; test_row(i, ROWS_OF(places)); i++) {
        play_new(&p, KITH_TABLE, KITH_SLOT, false);
        CHECK_RESULT(KITH_ADD(p.f.world, p.e[places[i]], Frozen), KITH_OK);
        check_roles(&p, KITH_MUST_NOT, KITH_MUST_NOT);
        check_roles(&p, KITH_MUST, KITH_MUST_NOT);
        fixture_free(&p.f);
    }
}
