/* A test for each row of traps of source 001 (archetypes). */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"
#include "world/world.h"

/* Types made at run time, one u32 each: as many as a test wants. */
enum { MAKE_MAX = 20 };
static char made_names[MAKE_MAX][16];
static uint32_t made_numbers[MAKE_MAX];
static const kith_field made_field = {"value", 0, 4, KITH_U32};
static kith_type made[MAKE_MAX];

static void make_types(kith_world *world, uint32_t count, kith_layout layout)
{
    for (uint32_t i = 0; i < count; i++) {
        snprintf(made_names[i], sizeof(made_names[i]), "Made%u", (unsigned)i);
        made[i] = (kith_type){made_names[i],    4,          4,     0,    1, &made_field,
                              &made_numbers[i], KITH_TABLE, false, false, 0};
        const kith_component_def def = {.layout = layout};
        CHECK_RESULT(kith_register(world, &made[i], &def), KITH_OK);
    }
}

/* An entity that has exactly the types whose bits are set in `mask`, each with mask * 32 + its number
 * as its value. */
static kith_entity spawn_mask(kith_world *world, uint32_t mask)
{
    kith_value values[MAKE_MAX];
    uint32_t contents[MAKE_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < MAKE_MAX; i++) {
        if ((mask >> i & 1) != 0) {
            contents[i] = mask * 32 + i;
            values[count++] = (kith_value){&made[i], &contents[i]};
        }
    }
    return kith_spawn_or_none(world, values, count);
}

static void check_mask(const kith_world *world, kith_entity entity, uint32_t mask, uint32_t types)
{
    for (uint32_t i = 0; i < types; i++) {
        const uint32_t *value = kith_get(world, entity, &made[i]);
        if ((mask >> i & 1) != 0) {
            CHECK_PTR_NOT_NULL(value);
            CHECK_UINT(*value, mask * 32 + i);
        } else {
            CHECK_PTR_NULL(value);
        }
    }
}

/* ---- table name is an XOR of name hashes ----------------------------------------------------- */

/* Every subset of ten types is a table of its own. In any set of more than 64 names, some two subsets
 * have hashes of the same XOR; in 1,024 subsets of ten 10-bit hashes, nearly all do. */
TEST(table_name_is_an_xor_of_name_hashes)
{
    enum { TYPES = 10, MASKS = 1 << TYPES };
    fixture f = fixture_new();
    make_types(f.world, TYPES, KITH_TABLE);
    static kith_entity e[MASKS];
    for (uint32_t mask = 0; mask < MASKS; mask++) {
        e[mask] = spawn_mask(f.world, mask);
        CHECK(kith_alive(f.world, e[mask]));
    }
    CHECK_UINT(kith_memory(f.world).tables, MASKS);
    for (uint32_t mask = 0; mask < MASKS; mask++) {
        check_mask(f.world, e[mask], mask, TYPES);
    }
    fixture_free(&f);
}

/* With a hash that is the same for all sets, or nearly: tables are told apart all the same, come and go,
 * and are found again. */
TEST(table_name_is_an_xor_of_name_hashes_forced_to_collide)
{
    enum { TYPES = 9, MASKS = 1 << TYPES };
    static const uint64_t hash_masks[] = {0, 1, 6};
    for (size_t i = 0; test_row(i, ROWS_OF(hash_masks)); i++) {
        fixture f = fixture_new();
        CHECK_UINT(kith_memory(f.world).tables, 1);
        f.world->store.hash_mask = hash_masks[i];
        ki_table *root = f.world->store.root;
        ki_map_remove(&f.world->store.by_set, root->hash, root);
        root->hash &= hash_masks[i];
        ki_map_insert(&f.world->store.by_set, root->hash, root);
        make_types(f.world, TYPES, KITH_TABLE);
        static kith_entity e[MASKS];
        for (uint32_t mask = 0; mask < MASKS; mask++) {
            e[mask] = spawn_mask(f.world, mask);
        }
        CHECK_UINT(kith_memory(f.world).tables, MASKS);
        CHECK_WORLD(f.world);
        for (uint32_t mask = 0; mask < MASKS; mask += 3) {
            CHECK_RESULT(kith_despawn(f.world, e[mask]), KITH_OK);
        }
        kith_world_trim(f.world);
        CHECK_WORLD(f.world);
        for (uint32_t mask = 0; mask < MASKS; mask++) {
            if (mask % 3 == 0) {
                e[mask] = spawn_mask(f.world, mask);
            }
            check_mask(f.world, e[mask], mask, TYPES);
        }
        CHECK_UINT(kith_memory(f.world).tables, MASKS);

        /* One step after the other, by edges: to where the entity could have been born. */
        for (uint32_t mask = 0; mask < MASKS; mask++) {
            kith_entity walker = kith_spawn_empty(f.world);
            for (uint32_t type = TYPES; type-- > 0;) {
                if ((mask >> type & 1) != 0) {
                    CHECK_RESULT(kith_add(f.world, walker, &made[type]), KITH_OK);
                }
            }
            for (uint32_t type = 0; type < TYPES; type++) {
                CHECK(kith_has(f.world, walker, &made[type]) == ((mask >> type & 1) != 0));
            }
        }
        CHECK_UINT(kith_memory(f.world).tables, MASKS);
        fixture_free(&f);
    }
}

/* A repeated name cancels itself out in an XOR; here it is told. */
TEST_EACH_LAYOUT(table_name_is_an_xor_of_name_hashes_repeated, layout)
{
    fixture f = fixture_with_all(layout);
    uint64_t before = kith_world_hash(f.world);
    const Position p = {1, 2};
    const kith_value twice[] = {{&Position_type, &p}, {&Velocity_type, NULL}, {&Position_type, &p}};
    kith_entity e = KITH_NONE;
    CHECK_RESULT(kith_spawn(f.world, twice, 3, &e), KITH_ERR_CONFLICT);
    CHECK(kith_is_none(e));
    const kith_values twice_many[] = {{&Position_type, &p, false}, {&Position_type, &p, false}};
    CHECK_RESULT(kith_spawn_many(f.world, 2, twice_many, 2, NULL), KITH_ERR_CONFLICT);
    CHECK_UINT(kith_world_hash(f.world), before);

    e = KITH_SPAWN(f.world, KITH_VALUE(Position, {3, 4}));
    before = kith_world_hash(f.world);
    CHECK_RESULT(kith_set_values(f.world, e, twice, 3), KITH_ERR_CONFLICT);
    CHECK_UINT(kith_world_hash(f.world), before);
    fixture_free(&f);
}

/* ---- wrong type, right name ------------------------------------------------------------------ */

/* Of the same size and another meaning, as Rotation for Location is in the article: what KITH_TYPE
 * makes of another struct Position, in a file of its own. */
static const kith_type *another_position(void)
{
    static const kith_field fields[] = {{"x", 0, 4, KITH_I32}, {"y", 4, 4, KITH_I32}};
    static uint32_t number;
    static const kith_type type = {"Position", 8,       4,          0,     2,
                                   fields,     &number, KITH_TABLE, false, false, 0};
    return &type;
}

TEST_EACH_LAYOUT(wrong_type_right_name, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    const uint64_t before = kith_world_hash(f.world);
    const kith_type *wrong = another_position();
    const int32_t integers[2] = {7, 8};

    CHECK_RESULT(kith_register(f.world, wrong, NULL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "Position");
    CHECK_RESULT(kith_layout_of(f.world, wrong, NULL), KITH_ERR_UNKNOWN);
    CHECK_UINT(misuse_count(&f), 0);

    CHECK_PTR_NULL(kith_get(f.world, e, wrong));
    expect_misuse(&f, "Position");
    CHECK_PTR_NULL(kith_get_mut_or_null(f.world, e, wrong));
    expect_misuse(&f, "Position");
    CHECK_RESULT(kith_set(f.world, e, wrong, integers), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "Position");
    CHECK(!kith_has(f.world, e, wrong));
    expect_misuse(&f, "Position");

    /* The untyped calls get their size from outside: input, not code. */
    unsigned char bytes[12] = {0};
    CHECK_RESULT(kith_set_bytes(f.world, e, &Position_type, bytes, 12), KITH_ERR_TYPE);
    CHECK_RESULT(kith_get_bytes(f.world, e, &Position_type, bytes, 4), KITH_ERR_TYPE);
    CHECK_RESULT(kith_set_bytes(f.world, e, wrong, integers, 8), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_get_bytes(f.world, e, wrong, bytes, 8), KITH_ERR_ABSENT);
    CHECK_UINT(kith_world_hash(f.world), before);
    fixture_free(&f);
}

/* A column of a batch with another type than the term's. */
TEST(wrong_type_right_name_in_a_batch)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}));
    kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Position));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK_PTR_NULL(kith_column(&it, &Velocity_type));
        expect_misuse(&f, "Velocity");
        CHECK_PTR_NULL(kith_column_mut(&it, another_position()));
        expect_misuse(&f, "Position");
        CHECK_PTR_NULL(KITH_AT(&it, 0, Velocity));
        expect_misuse(&f, "Velocity");
        CHECK_PTR_NULL(KITH_AT_MUT(&it, 0, Health));
        expect_misuse(&f, "Health");
        CHECK_PTR_NOT_NULL(KITH_AT(&it, 0, Position));
    }
    fixture_free(&f);
}

/* ---- 16-bit table index ---------------------------------------------------------------------- */

TEST_WITHIN(30, 16_bit_table_index)
{
    enum { TYPES = 17, TABLES = 100000 };
    fixture f = fixture_new();
    make_types(f.world, TYPES, KITH_TABLE);
    for (uint32_t mask = 0; mask < TABLES; mask++) {
        kith_entity e = spawn_mask(f.world, mask);
        CHECK_UINT(e.index1, mask + 1);
    }
    CHECK_UINT(kith_memory(f.world).tables, TABLES);
    for (uint32_t mask = 0; mask < TABLES; mask++) {
        check_mask(f.world, (kith_entity){mask + 1, 0}, mask, TYPES);
    }
    CHECK_WORLD(f.world);

    /* They move between tables of high numbers too, and queries see them all. */
    kith_entity e = spawn_mask(f.world, TABLES - 1);
    CHECK_RESULT(kith_remove(f.world, e, &made[TYPES - 1]), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    const kith_term terms[] = {{&made[16], KITH_ACCESS_READ, KITH_MUST, 0, NULL},
                               {&made[0], KITH_ACCESS_NONE, KITH_MUST_NOT, 0, NULL},
                               {0}};
    kith_query *query = kith_query_new_or_null(f.world, &(const kith_query_def){.terms = terms});
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK_UINT(it.count, 1);
        CHECK_UINT(*(const uint32_t *)kith_column(&it, &made[16]) / 32,
                   kith_entities(&it)[0].index1 - 1);
        seen++;
    }
    CHECK_UINT(seen, (TABLES - (1 << 16)) / 2);
    fixture_free(&f);
}

/* ---- pointers into a growing map ------------------------------------------------------------- */

/* Each step makes a table while a row is on its way there from another. */
TEST(pointers_into_a_growing_map)
{
    enum { TYPES = 14, ENTITIES = 40 };
    fixture f = fixture_new();
    make_types(f.world, TYPES, KITH_TABLE);
    uint32_t masks[ENTITIES] = {0};
    kith_entity e[ENTITIES];
    CHECK_RESULT(kith_spawn_many(f.world, ENTITIES, NULL, 0, e), KITH_OK);
    uint64_t seed = 1;
    for (int step = 0; step < 4000; step++) {
        uint32_t who = random_below(&seed, ENTITIES);
        uint32_t type = random_below(&seed, TYPES);
        if ((masks[who] >> type & 1) != 0) {
            CHECK_RESULT(kith_remove(f.world, e[who], &made[type]), KITH_OK);
        } else {
            uint32_t value = who * 100 + type;
            CHECK_RESULT(kith_set(f.world, e[who], &made[type], &value), KITH_OK);
        }
        masks[who] ^= UINT32_C(1) << type;
        for (uint32_t i = 0; i < TYPES; i++) {
            const uint32_t *value = kith_get(f.world, e[who], &made[i]);
            CHECK((value != NULL) == ((masks[who] >> i & 1) != 0));
            CHECK(value == NULL || *value == who * 100 + i);
        }
        if (step % 100 == 0) {
            CHECK_WORLD(f.world);
        }
    }
    CHECK(kith_memory(f.world).tables > 2000);
    fixture_free(&f);
}

/* ---- growth arithmetic ----------------------------------------------------------------------- */

/* New memory is full of 0xCC here: a row that nobody wrote would show. */
TEST_EACH_LAYOUT(growth_arithmetic, layout)
{
    fixture f = fixture_with_all(layout);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Extra), KITH_READ(Byte));
    for (uint32_t n = 0; n < 3000; n++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Extra));
        CHECK_RESULT(KITH_ADD(f.world, e, Byte), KITH_OK);
        CHECK_FLOAT(KITH_GET(f.world, e, Extra)->c, 0);
        CHECK_UINT(KITH_GET(f.world, e, Byte)->value, 0);
        if (n % 500 != 0) {
            continue;
        }
        CHECK_WORLD(f.world);
        uint32_t seen = 0;
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            for (uint32_t i = 0; i < it.count; i++) {
                CHECK_FLOAT(KITH_AT(&it, i, Extra)->a, 0);
                CHECK_FLOAT(KITH_AT(&it, i, Extra)->b, 0);
                CHECK_FLOAT(KITH_AT(&it, i, Extra)->c, 0);
                CHECK_UINT(KITH_AT(&it, i, Byte)->value, 0);
                seen++;
            }
        }
        CHECK_UINT(seen, n + 1);
    }
    fixture_free(&f);
}

/* ---- id counter never recycles --------------------------------------------------------------- */

TEST_EACH_LAYOUT(id_counter_never_recycles, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity keep[3];
    for (int i = 0; i < 3; i++) {
        keep[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    }
    CHECK_RESULT(kith_despawn(f.world, keep[1]), KITH_OK);
    size_t used = kith_memory(f.world).used;
    kith_entity last = keep[1];
    for (uint32_t i = 0; i < 200000; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {3, 4}));
        CHECK_UINT(e.index1, last.index1);
        CHECK_UINT(e.generation, last.generation + 1);
        CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
        CHECK(!kith_alive(f.world, last));
        last = e;
    }
    CHECK_UINT(kith_memory(f.world).used, used);
    CHECK_UINT(kith_memory(f.world).slots, 3);
    fixture_free(&f);
}

/* ---- void archetype -------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(void_archetype, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity a = kith_spawn_empty(f.world);
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(kith_remove_all(f.world, b), KITH_OK);
    CHECK_WORLD(f.world);

    kith_table_stats stats;
    CHECK_RESULT(kith_table_memory(f.world, 0, &stats, NULL, 0), KITH_OK);
    CHECK_UINT(stats.rows, 2);
    CHECK_UINT(stats.component_count, 0);

    kith_query *query = kith_query_new_or_null(f.world, &(const kith_query_def){0});
    CHECK_UINT(kith_query_count(query), 2);
    CHECK_SAME(kith_query_first(query), a);
    CHECK(kith_query_contains(query, b));
    CHECK(kith_alive(f.world, b));
    CHECK_PTR_NULL(kith_component_next(f.world, b, NULL));
    CHECK_RESULT(KITH_SET(f.world, b, Position, {3, 4}), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, b, Position)->x, 3);
    fixture_free(&f);
}

/* ---- undo on failure ------------------------------------------------------------------------- */

/* A move into a table that has to be made, with every allocation failing in turn. */
TEST_EACH_LAYOUT(undo_on_failure, layout)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_all(layout);
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte, {9}));
        kith_entity other = KITH_SPAWN(f.world, KITH_VALUE(Position, {5, 6}));
        const uint64_t before = kith_world_hash(f.world);

        fail_allocation(&f, nth);
        kith_result result =
            KITH_SET_VALUES(f.world, e, KITH_VALUE(Velocity, {3, 4}), KITH_VALUE(Position, {7, 8}),
                            KITH_VALUE(Frozen), KITH_VALUE(Name, {"nobody"}), KITH_VALUE(Big));
        bool reached = fail_nothing(&f);

        const bool done = result == KITH_OK;
        CHECK(done || (reached && result == KITH_ERR_MEMORY));
        CHECK((kith_world_hash(f.world) != before) == done);
        CHECK(KITH_HAS(f.world, e, Velocity) == done);
        CHECK(KITH_HAS(f.world, e, Frozen) == done);
        CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, done ? 8 : 2);
        CHECK_UINT(KITH_GET(f.world, e, Byte)->value, 9);
        CHECK_FLOAT(KITH_GET(f.world, other, Position)->y, 6);
        fixture_free(&f);
        if (!reached) {
            CHECK(nth > 1);
            break;
        }
    }
}
