/* Terms: every role and access on every layout, what they match, and what they let one do. */
#include <kith/kith.h>

#include "components.h"
#include "random.h"
#include "test.h"

/* Who has what: a naive picture, by slot. */
enum { ENTITIES = 400, TYPES = 8 };

/* Small types, so that many combinations come about; two of them tags. */
static const kith_type *const types[TYPES] = {
    &Position_type, &Velocity_type, &Health_type, &Extra_type,
    &Byte_type,     &Target_type,   &Frozen_type, &Burning_type,
};

static bool model_matches(const kith_term *terms, uint32_t count, uint32_t mask)
{
    for (uint32_t i = 0; i < count; i++) {
        bool has = false;
        for (uint32_t type = 0; type < TYPES; type++) {
            has |= types[type] == terms[i].type && (mask >> type & 1) != 0;
        }
        bool fits = terms[i].role == KITH_MAY || (terms[i].role == KITH_MUST && has) ||
                    (terms[i].role == KITH_MUST_NOT && !has);
        if (terms[i].role == KITH_ONE_OF) {
            for (uint32_t k = 0; k < count; k++) {
                for (uint32_t type = 0; type < TYPES; type++) {
                    fits |= terms[k].role == KITH_ONE_OF && terms[k].group == terms[i].group &&
                            types[type] == terms[k].type && (mask >> type & 1) != 0;
                }
            }
        }
        if (!fits) {
            return false;
        }
    }
    return true;
}

/* The first byte of a value says whose and what it is. */
static unsigned char mark(uint32_t slot, uint32_t type)
{
    return (unsigned char)(slot * 31 + type * 7 + 1);
}

static void populate(kith_world *world, uint32_t *masks, uint64_t *seed, uint32_t likely)
{
    static unsigned char value[64];
    for (uint32_t slot = 0; slot < ENTITIES; slot++) {
        kith_entity e = kith_spawn_empty(world);
        CHECK_UINT(e.index1, slot + 1);
        masks[slot] = 0;
        for (uint32_t type = 0; type < TYPES; type++) {
            if (random_below(seed, 100) < likely) {
                value[0] = mark(slot, type);
                CHECK_RESULT(kith_set(world, e, types[type], types[type]->size ? value : NULL),
                             KITH_OK);
                masks[slot] |= UINT32_C(1) << type;
            }
        }
    }
    /* Rows and dense orders that are no longer those of the slots. */
    for (uint32_t i = 0; i < ENTITIES; i++) {
        uint32_t slot = random_below(seed, ENTITIES);
        uint32_t type = random_below(seed, TYPES);
        const kith_entity e = {slot + 1, 0};
        if ((masks[slot] >> type & 1) != 0) {
            CHECK_RESULT(kith_remove(world, e, types[type]), KITH_OK);
            masks[slot] ^= UINT32_C(1) << type;
        }
    }
}

static uint32_t random_terms(kith_term *terms, uint64_t *seed)
{
    uint32_t count = random_below(seed, TYPES + 1);
    uint32_t left = (1u << TYPES) - 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t type;
        do {
            type = random_below(seed, TYPES);
        } while ((left >> type & 1) == 0);
        left &= ~(1u << type);
        static const kith_role roles[] = {KITH_MUST,     KITH_MUST, KITH_MUST,
                                          KITH_MUST_NOT, KITH_MAY,  KITH_ONE_OF};
        terms[i].type = types[type];
        terms[i].role = roles[random_below(seed, 6)];
        terms[i].access = terms[i].role == KITH_MUST_NOT || types[type]->size == 0
                              ? KITH_ACCESS_NONE
                              : (kith_access)random_below(seed, 3);
        terms[i].group = terms[i].role == KITH_ONE_OF ? random_below(seed, 2) * 40 : 0;
    }
    return count;
}

/* Each value of a batch: there where it should be, the entity's own, and the same by every way. */
static void check_values(const fixture *f, kith_iter *it, const kith_term *terms, uint32_t count,
                         const uint32_t *masks)
{
    for (uint32_t i = 0; i < it->count; i++) {
        kith_entity e = kith_entities(it)[i];
        for (uint32_t term = 0; term < count; term++) {
            const kith_type *type = terms[term].type;
            if (terms[term].access == KITH_ACCESS_NONE || type->size == 0) {
                continue;
            }
            uint32_t number = 0;
            while (types[number] != type) {
                number++;
            }
            bool has = (masks[e.index1 - 1] >> number & 1) != 0;
            const unsigned char *at = kith_at(it, i, type, type->size, KITH_ACCESS_READ);
            CHECK((at != NULL) == has);
            CHECK(!has || at[0] == mark(e.index1 - 1, number));
            CHECK((const void *)at == kith_get(f->world, e, type));
            if (terms[term].access == KITH_ACCESS_WRITE) {
                CHECK(kith_at(it, i, type, type->size, KITH_ACCESS_WRITE) == (void *)at);
            }
        }
    }
}

static void check_query(const fixture *f, const kith_query_def *def, uint32_t term_count,
                        const uint32_t *masks)
{
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(f->world, def, &query), KITH_OK);
    static bool seen[ENTITIES];
    uint32_t expected = 0;
    for (uint32_t slot = 0; slot < ENTITIES; slot++) {
        seen[slot] = false;
        bool matches = model_matches(def->terms, term_count, masks[slot]);
        expected += matches;
        CHECK(kith_query_contains(query, (kith_entity){slot + 1, 0}) == matches);
    }
    CHECK_UINT(kith_query_count(query), expected);

    uint32_t visited = 0;
    kith_entity first = KITH_NONE;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK(it.count >= 1 && it.count <= 1024);
        for (uint32_t i = 0; i < it.count; i++) {
            kith_entity e = kith_entities(&it)[i];
            CHECK(model_matches(def->terms, term_count, masks[e.index1 - 1]));
            CHECK(!seen[e.index1 - 1]);
            seen[e.index1 - 1] = true;
            if (visited++ == 0) {
                first = e;
            }
        }
        check_values(f, &it, def->terms, term_count, masks);
    }
    CHECK_UINT(visited, expected);
    CHECK_SAME(kith_query_first(query), first);
    kith_entity single = {9, 9};
    CHECK_RESULT(kith_query_single(query, &single), expected == 0   ? KITH_ERR_ABSENT
                                                    : expected == 1 ? KITH_OK
                                                                    : KITH_ERR_AMBIGUOUS);
    CHECK_SAME(single, expected == 1 ? first : ((kith_entity){9, 9}));

    for (uint32_t slot = 0; slot < ENTITIES; slot += 17) {
        const kith_entity e = {slot + 1, 0};
        kith_iter it = kith_query_iter_one(query, e);
        CHECK(kith_next(&it) == seen[slot]);
        if (seen[slot]) {
            CHECK_UINT(it.count, 1);
            CHECK_UINT(kith_entities(&it)[0].index1, slot + 1);
            check_values(f, &it, def->terms, term_count, masks);
            CHECK(!kith_next(&it));
        }
        CHECK_RESULT(it.result, KITH_OK);
    }
    kith_query_free(query);
}

static void check_random_queries(const fixture *f, uint64_t *seed, int queries)
{
    static uint32_t masks[ENTITIES];
    static const uint32_t likely[] = {3, 30, 60, 97};
    populate(f->world, masks, seed, likely[random_below(seed, 4)]);
    CHECK_WORLD(f->world);
    for (int i = 0; i < queries; i++) {
        kith_term terms[TYPES + 1] = {{0}};
        kith_query_def def = {.terms = terms};
        uint32_t term_count = random_terms(terms, seed);
        check_query(f, &def, term_count, masks);
        /* Each of its required storages may drive it. */
        for (uint32_t term = 0; term < term_count; term++) {
            if (terms[term].role == KITH_MUST && random_below(seed, 3) == 0) {
                def.driver = terms[term].type;
                check_query(f, &def, term_count, masks);
            }
        }
    }
    CHECK_WORLD(f->world);
}

TEST_EACH_LAYOUT_WITHIN(10, random_terms_match_what_they_say, layout)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        uint64_t random = seed;
        fixture f = fixture_with_all(layout);
        check_random_queries(&f, &random, 15);
        fixture_free(&f);
    }
}

TEST_WITHIN(20, random_terms_on_mixed_layouts)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        uint64_t random = seed;
        fixture f = fixture_new();
        register_mixed(f.world, seed);
        check_random_queries(&f, &random, 12);
        fixture_free(&f);
    }
}

/* ---- One by one ------------------------------------------------------------------------------ */

static uint32_t count_of(kith_world *world, const kith_term *terms)
{
    kith_query *query = kith_query_new_or_null(world, &(const kith_query_def){.terms = terms});
    CHECK_PTR_NOT_NULL(query);
    uint32_t matches = kith_query_count(query);
    kith_query_free(query);
    return matches;
}

TEST_EACH_LAYOUT(roles, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Velocity));
    KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Frozen));
    KITH_SPAWN(f.world, KITH_VALUE(Velocity), KITH_VALUE(Burning));
    kith_spawn_empty(f.world);
#define COUNT(...) count_of(f.world, KITH_TERMS(__VA_ARGS__))
    CHECK_UINT(count_of(f.world, NULL), 5);
    CHECK_UINT(COUNT(KITH_READ(Position)), 3);
    CHECK_UINT(COUNT(KITH_WRITE(Position)), 3);
    CHECK_UINT(COUNT(KITH_WITH(Position)), 3);
    CHECK_UINT(COUNT(KITH_WITHOUT(Position)), 2);
    CHECK_UINT(COUNT(KITH_OPTIONAL(Position)), 5);
    CHECK_UINT(COUNT(KITH_OPTIONAL_MUT(Position)), 5);
    CHECK_UINT(COUNT(KITH_ANY_OF(Position, 0)), 3);
    CHECK_UINT(COUNT(KITH_ANY_OF(Position, 0), KITH_ANY_OF(Velocity, 0)), 4);
    CHECK_UINT(COUNT(KITH_ANY_OF(Position, 0), KITH_ANY_OF(Velocity, 1)), 1);
    CHECK_UINT(COUNT(KITH_ANY_OF(Frozen, 5), KITH_ANY_OF(Burning, 5)), 2);
    CHECK_UINT(COUNT(KITH_ANY_OF(Frozen, UINT32_MAX), KITH_WITHOUT(Velocity)), 1);
    CHECK_UINT(COUNT(KITH_WITH(Position), KITH_WITHOUT(Frozen)), 2);
    CHECK_UINT(COUNT(KITH_WITHOUT(Frozen), KITH_WITHOUT(Burning)), 3);
    CHECK_UINT(COUNT(KITH_OPTIONAL(Position), KITH_WITH(Velocity)), 2);
    CHECK_UINT(COUNT(KITH_WITH(Frozen), KITH_WITH(Burning)), 0);
    CHECK_UINT(COUNT(KITH_READ(Health)), 0);
#undef COUNT
    fixture_free(&f);
}

TEST_EACH_LAYOUT(what_is_declared_as_read_is_not_written, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Velocity), KITH_VALUE(Frozen));
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position), KITH_WITH(Velocity),
                                   KITH_OPTIONAL(Byte), KITH_WITH(Frozen), KITH_WITHOUT(Burning));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK_PTR_NOT_NULL(KITH_AT(&it, 0, Position));
        CHECK_PTR_NULL(KITH_AT_MUT(&it, 0, Position));
        expect_misuse(&f, "Position");
        CHECK_PTR_NULL(kith_column_mut(&it, &Position_type));
        expect_misuse(&f, "Position");
        /* Not even asked for. */
        CHECK_PTR_NULL(KITH_AT(&it, 0, Velocity));
        expect_misuse(&f, "Velocity");
        CHECK_PTR_NULL(KITH_AT_MUT(&it, 0, Velocity));
        expect_misuse(&f, "Velocity");
        CHECK_PTR_NULL(KITH_COLUMN(&it, Velocity));
        expect_misuse(&f, "Velocity");
        CHECK_PTR_NULL(KITH_AT(&it, 0, Byte));
        CHECK_UINT(misuse_count(&f), 0);
        CHECK_PTR_NULL(KITH_AT_MUT(&it, 0, Byte));
        expect_misuse(&f, "Byte");
        /* Tags have no value. */
        CHECK_PTR_NULL(kith_at(&it, 0, &Frozen_type, 0, KITH_ACCESS_READ));
        expect_misuse(&f, "Frozen");
        CHECK_PTR_NULL(kith_column(&it, &Frozen_type));
        expect_misuse(&f, "Frozen");
        CHECK_PTR_NULL(kith_at(&it, 0, &Burning_type, 0, KITH_ACCESS_READ));
        expect_misuse(&f, "Burning");
        /* No such term, no such entity of the batch. */
        CHECK_PTR_NULL(KITH_AT(&it, 0, Extra));
        expect_misuse(&f, "has no term for Extra; give it KITH_READ(Extra)");
        CHECK_PTR_NULL(kith_term_at(&it, 5, 0, &Position_type, sizeof(Position), KITH_ACCESS_READ));
        expect_misuse(&f, "kith_term_at");
        CHECK_PTR_NULL(KITH_AT(&it, it.count, Position));
        expect_misuse(&f, "kith_at");
        CHECK_PTR_NULL(KITH_AT(&it, 1, Position));
        expect_misuse(&f, "kith_at");
        CHECK_PTR_NULL(KITH_AT(&it, UINT32_MAX, Position));
        expect_misuse(&f, "kith_at");
    }
    fixture_free(&f);
}

/* What a loop writes is there afterwards, also by look-up and in optional terms. */
TEST(values_are_written_in_place)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        fixture f = fixture_new();
        register_mixed(f.world, seed);
        for (int i = 0; i < 3000; i++) {
            if (i % 3 == 0) {
                KITH_SPAWN(f.world, KITH_VALUE(Health), KITH_VALUE(Byte, {1}));
            } else {
                KITH_SPAWN(f.world, KITH_VALUE(Health));
            }
        }
        kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Health), KITH_OPTIONAL_MUT(Byte));
        for (int round = 1; round <= 3; round++) {
            for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
                for (uint32_t i = 0; i < it.count; i++) {
                    int32_t number = (int32_t)kith_entities(&it)[i].index1;
                    KITH_AT_MUT(&it, i, Health)->current += number;
                    Byte *byte = KITH_AT_MUT(&it, i, Byte);
                    if (byte != NULL) {
                        byte->value++;
                    }
                }
            }
            CHECK_WORLD(f.world);
        }
        for (uint32_t i = 1; i <= 3000; i++) {
            const kith_entity e = {i, 0};
            CHECK_INT(KITH_GET(f.world, e, Health)->current, 3 * i);
            CHECK((i % 3 == 1) == KITH_HAS(f.world, e, Byte));
            CHECK(i % 3 != 1 || KITH_GET(f.world, e, Byte)->value == 4);
        }
        fixture_free(&f);
    }
}
