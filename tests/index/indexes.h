/* Shared by the tests of indexes: what an index answers is compared with a loop over all entities. */
#ifndef KITH_TEST_INDEXES_H
#define KITH_TEST_INDEXES_H

#include <string.h>

#include "components.h"
#include "test.h"

#define FOUND_MAX 20000u

typedef struct indexed {
    fixture f;
    kith_world *world;
    kith_index *index;
    kith_query *all; /* that reads Health */
} indexed;

static inline indexed indexed_new(kith_layout layout, kith_index_kind kind)
{
    indexed t = {.f = fixture_with_all(layout)};
    t.world = t.f.world;
    t.all = KITH_QUERY(t.world, KITH_READ(Health));
    CHECK_RESULT(kith_index_new(t.world,
                                &(kith_index_def){.kind = kind, KITH_FIELDS(Health, current)},
                                &t.index),
                 KITH_OK);
    return t;
}

/* The entities with a health, in the order of a loop. */
static inline uint32_t scan_for(const indexed *t, int32_t current, kith_entity *entities)
{
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(t->all); kith_next(&it);) {
        const Health *health = KITH_COLUMN(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            if (health[i].current == current) {
                CHECK(count < FOUND_MAX);
                entities[count++] = kith_entities(&it)[i];
            }
        }
    }
    return count;
}

/* Whether the index finds what a loop does. */
#define expect_found(t, current) check_found(__LINE__, (t), (current))
static inline void check_found(int line, const indexed *t, int32_t current)
{
    static kith_entity entities[FOUND_MAX];
    kith_index_found found;
    CHECK_RESULT(kith_index_find(t->index, &(Health){.current = current}, &found), KITH_OK);
    uint32_t count = scan_for(t, current, entities);
    if (found.count != count) {
        test_fail(__FILE__, line, "%u entities were found with %d, and there are %u", found.count,
                  (int)current, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        test_check_same(__FILE__, line, "found", "scanned", found.entities[i], entities[i]);
    }
}

/* The same for all values that a test uses. */
#define expect_all_found(t, values)                                                                \
    do {                                                                                           \
        for (int32_t value_ = 0; value_ < (values); value_++) {                                    \
            expect_found((t), value_);                                                             \
        }                                                                                          \
        CHECK_WORLD((t)->world);                                                                   \
    } while (0)

#endif
