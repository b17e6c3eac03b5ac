/* Relations that tests use, and what they have to be. */
#ifndef KITH_TEST_LINKS_H
#define KITH_TEST_LINKS_H

#include <stdio.h>
#include <string.h>

#include "components.h"

KITH_RELATION(Follows, KITH_CLEAR, (float, distance));
KITH_RELATION(Guards, KITH_REFUSE);
KITH_RELATION(PartOf, KITH_CASCADE | KITH_ACYCLIC);
KITH_RELATION(Owns, KITH_CASCADE);
KITH_RELATION(Before, KITH_CLEAR | KITH_ACYCLIC);

/* A world that knows them, in this layout. */
static inline fixture links_world(kith_layout layout)
{
    static const kith_type *const types[] = {&Follows_type, &Guards_type, &PartOf_type, &Owns_type,
                                             &Before_type};
    fixture f = fixture_new();
    for (size_t i = 0; i < ROWS_OF(types); i++) {
        CHECK_RESULT(kith_register(f.world, types[i], &(kith_component_def){.layout = layout}),
                     KITH_OK);
    }
    return f;
}

/* Fails unless the sources of a target are these, forwards and backwards; the list ends with
 * KITH_NONE. */
#define CHECK_SOURCES(world, target, T, ...)                                                       \
    check_sources(__FILE__, __LINE__, (world), (target), &T##_type,                                \
                  (const kith_entity[]){__VA_ARGS__, {0, 0}})
static inline void check_sources(const char *file, int line, const kith_world *world,
                                 kith_entity target, const kith_type *relation,
                                 const kith_entity *expected)
{
    uint32_t count = 0;
    kith_entity previous = KITH_NONE;
    kith_entity at = kith_source_first(world, target, relation);
    for (; !kith_is_none(at); at = kith_source_next(world, at, relation)) {
        test_check_same(file, line, "source", "expected", at, expected[count++]);
        test_check_same(file, line, "target", "expected", kith_target(world, at, relation), target);
        test_check_same(file, line, "previous", "expected",
                        kith_source_previous(world, at, relation), previous);
        previous = at;
    }
    test_check_same(file, line, "source", "expected", KITH_NONE, expected[count]);
    uint32_t scanned = 0;
    for (kith_sources s = kith_sources_of(world, target, relation); kith_sources_next(&s);) {
        test_check_same(file, line, "scanned", "expected", s.entity, expected[scanned++]);
    }
    test_check_uint(file, line, "scanned", "count", scanned, count);
    test_check_same(file, line, "last", "expected", kith_source_last(world, target, relation),
                    previous);
    test_check_uint(file, line, "count", "expected", kith_source_count(world, target, relation),
                    count);
}

/* Fails unless the world's error ends with the circle that goes on from each of these entities to the
 * next, and then back to the first; of a long one the middle is left out. */
static inline void check_circle(const kith_world *world, const kith_entity *way, uint32_t count,
                                bool named)
{
    char text[1024] = "that would close the circle ";
    for (uint32_t i = 0; i <= count; i++) {
        const size_t length = strlen(text);
        const kith_entity at = way[i % count];
        if (count < 6 || i < 3 || i + 2 >= count) {
            snprintf(text + length, sizeof text - length, "%s%s", i == 0 ? "" : " -> ",
                     named ? kith_entity_describe(world, at).text : kith_entity_to_text(at).text);
        } else if (i == 3) {
            snprintf(text + length, sizeof text - length, " -> ... %u more ...", count - 5);
        }
    }
    const char *error = kith_error(world);
    const size_t length = strlen(text);
    CHECK(strlen(error) > length);
    CHECK_STR(error + strlen(error) - length, text);
}

#endif
