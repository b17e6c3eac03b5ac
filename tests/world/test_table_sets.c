/* In which tables a component is: those of high numbers before those of low ones, and many. */
#include <kith/kith.h>
#include <stdio.h>

#include "test.h"

KITH_TAG(Late);

#define BITS 10u
#define SETS (1u << BITS) /* of the tags below; each makes a table, whose number is the set's */

static const kith_type *bit(uint32_t number)
{
    static char names[BITS][8];
    static uint32_t numbers[BITS];
    static kith_type types[BITS];
    snprintf(names[number], sizeof(names[number]), "Bit%u", number);
    types[number] = (kith_type){.name = names[number], .align = 1, .number = &numbers[number]};
    return &types[number];
}

static kith_result spawn_set(fixture *f, uint32_t set, bool late, kith_entity *entity)
{
    kith_value values[BITS + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < BITS; i++) {
        if ((set >> i & 1) != 0) {
            values[count++] = (kith_value){bit(i), NULL};
        }
    }
    if (late) {
        values[count++] = (kith_value){&Late_type, NULL};
    }
    return kith_spawn(f->world, values, count, entity);
}

/* One entity of each set, in tables 0 to SETS - 1, and one that is late, in table SETS. */
static fixture full(kith_entity entities[SETS], kith_query **late)
{
    fixture f = fixture_new();
    for (uint32_t i = 0; i < BITS; i++) {
        CHECK_RESULT(kith_register(f.world, bit(i), NULL), KITH_OK);
    }
    CHECK_RESULT(kith_register(f.world, &Late_type, NULL), KITH_OK);
    for (uint32_t set = 0; set < SETS; set++) {
        CHECK_RESULT(spawn_set(&f, set, false, &entities[set]), KITH_OK);
    }
    kith_entity e;
    CHECK_RESULT(spawn_set(&f, 0, true, &e), KITH_OK);
    CHECK_UINT(kith_memory(f.world).tables, SETS + 1);
    *late = KITH_QUERY(f.world, KITH_WITH(Late));
    return f;
}

static uint32_t count_late(kith_query *late)
{
    uint32_t found = 0;
    for (kith_iter it = kith_query_iter(late); kith_next(&it);) {
        found += it.count;
    }
    return found;
}

TEST(tables_of_lower_numbers_come_later)
{
    static kith_entity e[SETS];
    kith_query *late;
    fixture f = full(e, &late);
    CHECK_UINT(count_late(late), 1);
    CHECK_RESULT(kith_despawn_many(f.world, e, SETS, NULL), KITH_OK);
    kith_world_trim(f.world);
    CHECK_UINT(kith_memory(f.world).tables, 2);
    for (uint32_t set = 1; set < SETS; set++) {
        kith_entity made;
        CHECK_RESULT(spawn_set(&f, set, true, &made), KITH_OK);
        if (set % 100 == 1) {
            CHECK_UINT(count_late(late), set + 1);
            kith_component_stats stats;
            CHECK_RESULT(kith_component_memory(f.world, &Late_type, &stats), KITH_OK);
            CHECK_UINT(stats.entities, set + 1);
            CHECK_WORLD(f.world);
        }
    }
    CHECK_UINT(count_late(late), SETS);
    CHECK_UINT(kith_memory(f.world).tables, SETS + 1);
    fixture_free(&f);
}

/* The same for the first of them, whichever allocation of it fails. */
TEST(want_of_memory_for_a_table_of_a_lower_number)
{
    static kith_entity e[SETS];
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        kith_query *late;
        fixture f = full(e, &late);
        CHECK_RESULT(kith_despawn_many(f.world, e, SETS, NULL), KITH_OK);
        kith_world_trim(f.world);
        const uint64_t before = kith_world_hash(f.world);
        kith_entity made;
        fail_allocation(&f, nth);
        kith_result result = spawn_set(&f, 1, true, &made);
        reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK(reached == (kith_world_hash(f.world) == before));
        CHECK_UINT(count_late(late), reached ? 1 : 2);
        CHECK_WORLD(f.world);
        CHECK(nth < 10);
        fixture_free(&f);
    }
}
