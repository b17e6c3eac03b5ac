/* Relations of each layout and rule, and changes of them at random, for what keeps worlds. */
#ifndef KITH_TEST_KEPT_RELATIONS_H
#define KITH_TEST_KEPT_RELATIONS_H

#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_RELATION(Follows, KITH_CLEAR, (float, since));
KITH_RELATION(Hangs, KITH_CASCADE | KITH_ACYCLIC, KITH_SPARSE);
KITH_RELATION(Docked, KITH_REFUSE, KITH_SLOT, (uint8_t, berth));

enum { KEPT_RELATIONS = 4, KEPT_ENTITIES = 24 };
static const kith_type *const kept_relations[KEPT_RELATIONS] = {&Follows_type, &Hangs_type,
                                                                &Docked_type, &kith_child_of_type};

/* A world with entities that come and go, and lead to one another. */
typedef struct kept_world {
    fixture f;
    kith_entity list[KEPT_ENTITIES];
    uint64_t random;
} kept_world;

/* Writes who the sources of an entity are, by slot. Both directions have to be the same. */
static inline void write_sources(kith_world *world, kith_entity target, const kith_type *relation,
                                 char *text, size_t size)
{
    uint32_t count = 0;
    size_t length = 0;
    kith_entity last = KITH_NONE;
    text[0] = '\0';
    for (kith_entity e = kith_source_first(world, target, relation); !kith_is_none(e);
         e = kith_source_next(world, e, relation)) {
        CHECK_SAME(kith_source_previous(world, e, relation), last);
        CHECK_SAME(kith_target(world, e, relation), target);
        length += (size_t)snprintf(text + length, size - length, "%s%u", count == 0 ? "" : " ",
                                   e.index1 - 1);
        CHECK(length < size);
        last = e;
        count++;
    }
    CHECK_SAME(kith_source_last(world, target, relation), last);
    CHECK_UINT(kith_source_count(world, target, relation), count);
}

/* Checks the sources of an entity: their slots in order. */
#define CHECK_SOURCES(world, target, relation, expected)                                           \
    do {                                                                                           \
        char sources_[512];                                                                        \
        write_sources((world), (target), (relation), sources_, sizeof sources_);                   \
        CHECK_STR(sources_, (expected));                                                           \
    } while (0)

/* Writes all sources of all entities. */
static inline void write_links(kith_world *world, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (kith_entity e = kith_entity_next(world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(world, e)) {
        for (int i = 0; i < KEPT_RELATIONS; i++) {
            char sources[512];
            write_sources(world, e, kept_relations[i], sources, sizeof sources);
            length += (size_t)snprintf(text + length, size - length, "%u %d: %s\n", e.index1 - 1, i,
                                       sources);
            CHECK(length < size);
        }
    }
}

/* Checks that two worlds have the same sources in the same order. */
static inline void check_same_links(kith_world *a, kith_world *b)
{
    static char text_a[16384];
    static char text_b[16384];
    write_links(a, text_a, sizeof text_a);
    write_links(b, text_b, sizeof text_b);
    CHECK_STR(text_a, text_b);
}

/* Sets the value of a relation, whose other fields are zero. */
static inline kith_result link_by(kith_world *world, kith_entity source, const kith_type *relation,
                                  kith_entity target)
{
    unsigned char value[16] = {0};
    CHECK(relation->size <= sizeof value);
    memcpy(value, &target, sizeof target);
    return kith_set(world, source, relation, value);
}

static inline kith_result link_to(kith_world *world, kith_entity source, int relation,
                                  kith_entity target)
{
    switch (relation) {
    case 0: return KITH_SET(world, source, Follows, {target, 2});
    case 1: return KITH_SET(world, source, Hangs, {target});
    case 2: return KITH_SET(world, source, Docked, {target, 7});
    default: return kith_set_parent(world, source, target);
    }
}

static inline int kept_compare(const kith_world *world, kith_entity a, kith_entity b, void *user)
{
    (void)world;
    const uint32_t by = *(const uint32_t *)user;
    const uint32_t x = a.index1 * by % 31;
    const uint32_t y = b.index1 * by % 31;
    return (x > y) - (x < y);
}

static inline bool kept_is_allowed(kith_result result)
{
    return result == KITH_OK || result == KITH_ERR_DEAD || result == KITH_ERR_CYCLE ||
           result == KITH_ERR_CONFLICT || result == KITH_ERR_ABSENT || result == KITH_ERR_INPUT;
}

/* Makes one change, or none if it is refused. */
static inline void kept_step(kith_world *world, kith_entity *list, uint64_t *random)
{
    kith_entity *at = &list[random_below(random, KEPT_ENTITIES)];
    const kith_entity a = *at;
    const kith_entity b = list[random_below(random, KEPT_ENTITIES)];
    const int relation = (int)random_below(random, KEPT_RELATIONS);
    kith_result result = KITH_OK;
    switch (random_below(random, 12)) {
    case 0: result = kith_despawn(world, a); break;
    case 1:
        if (!kith_alive(world, a)) {
            *at = KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}));
        }
        break;
    case 2: result = kith_remove(world, a, kept_relations[relation]); break;
    case 3: result = kith_source_place(world, a, kept_relations[relation], b); break;
    case 4: result = kith_source_place(world, a, kept_relations[relation], KITH_NONE); break;
    case 5: result = kith_insert_child(world, a, b); break;
    case 6: {
        uint32_t by = 1 + random_below(random, 29);
        result = kith_sort_children(world, a, kept_compare, &by);
        break;
    }
    case 7: result = KITH_ADD(world, a, Frozen); break;
    default: result = link_to(world, a, relation, b);
    }
    CHECK(kept_is_allowed(result));
}

static inline void kept_play(kith_world *world, kith_entity *list, uint64_t *random, uint32_t steps)
{
    for (uint32_t i = 0; i < steps; i++) {
        kept_step(world, list, random);
    }
}

static inline kept_world kept_world_new(uint64_t seed)
{
    kept_world k = {.f = fixture_new(), .random = seed};
    for (uint32_t i = 0; i < KEPT_ENTITIES; i++) {
        k.list[i] = KITH_SPAWN(k.f.world, KITH_VALUE(Position, {(float)i, 2}));
    }
    kept_play(k.f.world, k.list, &k.random, 120);
    CHECK_WORLD(k.f.world);
    return k;
}

#endif
