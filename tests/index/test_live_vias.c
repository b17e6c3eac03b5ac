/* Live queries over other entities, beside what queries find. */
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_RELATION(Targets, KITH_CLEAR);
KITH_RELATION(DockedAt, KITH_CLEAR);
KITH_LINKS(Likes, KITH_CLEAR, (int32_t, number));
KITH_COMPONENT(Level, (int32_t, number));
KITH_COMPONENT(Hull, (int32_t, number));
KITH_COMPONENT(Aim, (int32_t, since), (kith_entity, at));
KITH_TAG(Wreck);

#define ENTITIES 300u

typedef struct seen {
    bool member;
    kith_entity entity;
    bool reads; /* a value of another entity */
    int32_t value;
} seen;

typedef struct live_vias {
    fixture f;
    kith_entity e[ENTITIES];
    uint64_t random;
    seen before[ENTITIES];
} live_vias;

static uint32_t below(live_vias *m, uint32_t end)
{
    return random_below(&m->random, end);
}

/* Makes a link, has it lead from another entity or to another, or ends it. */
static void change_link(live_vias *m, kith_entity e, kith_entity other)
{
    kith_world *world = m->f.world;
    kith_sources links = kith_links_from(world, e, &Likes_type);
    const bool there = kith_sources_next(&links);
    switch (there ? below(m, 4) : 0) {
    case 0: KITH_SPAWN(world, KITH_VALUE(Likes, {e, other, 0})); break;
    case 1: KITH_SET(world, links.entity, Likes, {other, e, 1}); break;
    case 2: KITH_REMOVE(world, links.entity, Likes); break;
    default: KITH_DESPAWN(world, links.entity); break;
    }
}

/* Changes something of one entity; targets come before what targets them, so that no circle closes, and
 * entities live on or are made anew in their place. */
static void change_random(live_vias *m)
{
    kith_world *world = m->f.world;
    uint32_t i = below(m, ENTITIES);
    kith_entity e = m->e[i];
    if (!kith_alive(world, e)) {
        m->e[i] = KITH_SPAWN(world, KITH_VALUE(Level, {1}));
        return;
    }
    kith_entity other = m->e[below(m, i + 1)];
    bool links = i != 0 && kith_alive(world, other) && !kith_entity_equal(e, other);
    if (links && below(m, 5) == 0) {
        change_link(m, e, other);
        return;
    }
    switch (below(m, 16)) {
    case 0: kith_despawn(world, e); break;
    case 1: KITH_REMOVE(world, e, Hull); break;
    case 2: KITH_REMOVE(world, e, Level); break;
    case 3: KITH_REMOVE(world, e, Targets); break;
    case 4: KITH_REMOVE(world, e, kith_child_of); break;
    case 5: KITH_REMOVE(world, e, Wreck); break;
    case 6: KITH_ADD(world, e, Wreck); break;
    case 7:
    case 8: KITH_SET(world, e, Level, {(int32_t)below(m, 5)}); break;
    case 9:
    case 10: KITH_SET(world, e, Hull, {(int32_t)below(m, 5)}); break;
    case 14:
    case 15: /* of one that may be dead by the next round, and written where it is */
        if (KITH_HAS(world, e, Aim) && below(m, 2) == 0) {
            KITH_GET_MUT(world, e, Aim)->at = other;
        } else {
            KITH_SET(world, e, Aim, {1, other});
        }
        break;
    case 11:
        if (links) {
            KITH_SET(world, e, Targets, {other});
        }
        break;
    case 12:
        if (links) {
            KITH_SET(world, e, DockedAt, {other});
        }
        break;
    default:
        if (links) {
            KITH_SET(world, e, kith_child_of, {other});
        }
    }
}

/* What the query's first term reads of another entity, for one that matches. */
static seen see(kith_query *query, kith_entity e)
{
    seen now = {.entity = e};
    for (kith_iter it = kith_query_iter_one(query, e); kith_next(&it);) {
        const Hull *hull = KITH_TERM_AT(&it, 0, 0, Hull);
        now.member = true;
        now.reads = hull != NULL;
        now.value = hull == NULL ? 0 : hull->number;
    }
    CHECK_INT(kith_query_contains(query, e), now.member);
    return now;
}

static bool is_in(const kith_entity *list, uint32_t count, kith_entity e)
{
    for (uint32_t i = 0; i < count; i++) {
        if (kith_entity_equal(list[i], e)) {
            return true;
        }
    }
    return false;
}

static void check_changes(live_vias *m, kith_live *live, kith_query *query)
{
    kith_live_changes changes;
    uint32_t members = 0;
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        seen before = m->before[i];
        seen now = see(query, m->e[i]);
        bool same = kith_entity_equal(before.entity, now.entity);
        CHECK_INT(kith_live_has(live, now.entity), now.member);
        CHECK_INT(is_in(changes.entered, changes.entered_count, now.entity),
                  now.member && !(same && before.member));
        CHECK_INT(is_in(changes.left, changes.left_count, before.entity),
                  before.member && !(same && now.member));
        if (same && before.member && now.member &&
            (before.reads != now.reads || before.value != now.value)) {
            CHECK(is_in(changes.changed, changes.changed_count, now.entity));
        }
        members += now.member;
        m->before[i] = now;
    }
    CHECK_UINT(kith_live_count(live), members);
    CHECK_WORLD(m->f.world);
}

static void check_queries(live_vias *m, const kith_term *terms)
{
    memset(m->before, 0, sizeof m->before);
    kith_query *query = kith_query_new_or_null(m->f.world, &(kith_query_def){.terms = terms});
    kith_live *live = NULL;
    CHECK_PTR_NOT_NULL(query);
    CHECK_RESULT(kith_live_new(m->f.world, query, &live), KITH_OK);
    kith_snapshot *snapshot = NULL;
    static kith_entity entities[ENTITIES];
    for (uint32_t round = 0; round < 60; round++) {
        for (uint32_t k = below(m, 12); k != 0; k--) {
            change_random(m);
        }
        if (round == 20) {
            CHECK_RESULT(kith_snapshot_take(m->f.world, &snapshot), KITH_OK);
            memcpy(entities, m->e, sizeof entities);
        } else if (round == 40) {
            CHECK_RESULT(kith_snapshot_restore(m->f.world, snapshot), KITH_OK);
            memcpy(m->e, entities, sizeof entities);
        }
        check_changes(m, live, query);
    }
    kith_snapshot_free(snapshot);
    kith_live_free(live);
}

TEST_WITHIN(20, live_queries_follow_relations)
{
    for (uint32_t layouts = 0; layouts < LAYOUT_COUNT * LAYOUT_COUNT; layouts++) {
        live_vias m = {.f = fixture_new(), .random = layouts + 1};
        const kith_component_def of_values = {.layout = (kith_layout)(layouts % LAYOUT_COUNT)};
        const kith_component_def of_links = {.layout = (kith_layout)(layouts / LAYOUT_COUNT)};
        kith_register(m.f.world, &Hull_type, &of_values);
        kith_register(m.f.world, &Level_type, &of_values);
        kith_register(m.f.world, &Wreck_type, &of_values);
        kith_register(m.f.world, &Aim_type, &of_values);
        kith_register(m.f.world, &Targets_type, &of_links);
        kith_register(m.f.world, &DockedAt_type, &of_links);
        kith_register(m.f.world, &Likes_type, &of_links);
        kith_register(m.f.world, &kith_child_of_type, &of_links);
        for (uint32_t i = 0; i < 12 * ENTITIES; i++) {
            change_random(&m);
        }
        check_queries(&m, KITH_TERMS(KITH_VIA(Targets, KITH_READ(Hull))));
        check_queries(&m, KITH_TERMS(KITH_UP(KITH_READ(Hull)), KITH_READ(Level)));
        check_queries(&m, KITH_TERMS(KITH_VIA(Targets, KITH_OPTIONAL(Hull)), KITH_READ(Level),
                                     KITH_UP(KITH_WITHOUT(Wreck))));
        check_queries(&m, KITH_TERMS(KITH_VIA(Targets, KITH_VIA(DockedAt, KITH_READ(Hull))),
                                     KITH_VIA(Targets, KITH_IF(Level, number, <, 3))));
        check_queries(&m, KITH_TERMS(KITH_VIA(Targets, KITH_UP(KITH_READ(Hull))),
                                     KITH_IF_ANY(KITH_UP(KITH_IF(Level, number, >, 1)),
                                                 KITH_VIA(DockedAt, KITH_WITHOUT(Wreck)))));
        check_queries(&m, KITH_TERMS(KITH_VIA(Targets, KITH_READ(Hull)),
                                     KITH_IF(Level, number, <,
                                             KITH_ITS_VIA(DockedAt, KITH_ITS(Hull, number)))));
        check_queries(&m,
                      KITH_TERMS(KITH_UP(KITH_READ(Hull)),
                                 KITH_VIA(Targets, KITH_IF(Level, number, >=,
                                                           KITH_OF_THIS(KITH_ITS(Hull, number))))));
        check_queries(
            &m, KITH_TERMS(KITH_VIA_FIELD(Aim, at, KITH_OPTIONAL(Hull)), KITH_WITH(Level),
                           KITH_VIA_FIELD(Aim, at, KITH_IF(Targets, target, !=, KITH_THIS)),
                           KITH_IF_NOT(KITH_IF(Level, number, ==,
                                               KITH_ITS_UP(KITH_ITS(Level, number))))));
        check_queries(&m, KITH_TERMS(KITH_VIA(Targets, KITH_OPTIONAL(Hull)), KITH_WITH(Aim),
                                     KITH_VIA_FIELD(Aim, at, KITH_WITHOUT(Wreck))));
        check_queries(&m, KITH_TERMS(KITH_VIA(Targets, KITH_OPTIONAL(Hull)), KITH_READ(Level),
                                     KITH_IF_NOT(KITH_PAIR(Targets, KITH_ANY, 0))));
        check_queries(&m, KITH_TERMS(KITH_READ(Hull), KITH_PAIR(Likes, KITH_ANY, 0),
                                     KITH_IF_NOT(KITH_PAIR(Likes, 0, KITH_ANY))));
        check_queries(&m,
                      KITH_TERMS(KITH_READ(Hull),
                                 KITH_IF_ANY(KITH_PAIR(DockedAt, 0, KITH_ANY),
                                             KITH_VIA(Targets, KITH_IF(Level, number, <, 3)),
                                             KITH_IF_NOT(KITH_PAIR(kith_child_of, KITH_ANY, 0)))));
        fixture_free(&m.f);
    }
}

/* Whether an entity is told as changed, which matched before. */
static bool is_told(kith_live *live, kith_entity e)
{
    kith_live_changes changes;
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    CHECK(!is_in(changes.entered, changes.entered_count, e));
    CHECK(!is_in(changes.left, changes.left_count, e));
    return is_in(changes.changed, changes.changed_count, e);
}

static kith_live *live_of(kith_world *world, const kith_term *terms, kith_entity e)
{
    kith_query *query = kith_query_new_or_null(world, &(kith_query_def){.terms = terms});
    kith_live *live = NULL;
    kith_live_changes changes;
    CHECK_RESULT(kith_live_new(world, query, &live), KITH_OK);
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    CHECK(is_in(changes.entered, changes.entered_count, e));
    return live;
}

/* Of an entity that is reached, only the values count that the query asks of it, and the link that leads
 * on from it. */
TEST(only_what_is_asked_of_others_counts)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    const kith_entity end = KITH_SPAWN(world, KITH_VALUE(Hull, {1}), KITH_VALUE(Level, {1}));
    const kith_entity further = KITH_SPAWN(world, KITH_VALUE(Hull, {2}), KITH_VALUE(Level, {1}));
    const kith_entity middle = KITH_SPAWN(world, KITH_VALUE(Level, {1}));
    KITH_SET(world, middle, DockedAt, {end});
    KITH_SET(world, middle, kith_child_of, {end});
    const kith_entity e = KITH_SPAWN(world, KITH_VALUE(Targets, {middle}));
    KITH_SET(world, e, kith_child_of, {middle});
    kith_live *up = live_of(world, KITH_TERMS(KITH_UP(KITH_READ(Hull))), e);
    kith_live *one = live_of(world, KITH_TERMS(KITH_VIA(Targets, KITH_READ(Level))), e);
    kith_live *two =
        live_of(world, KITH_TERMS(KITH_VIA(Targets, KITH_VIA(DockedAt, KITH_READ(Level)))), e);

    /* The value of the one in the middle. */
    KITH_SET(world, middle, Level, {2});
    CHECK(!is_told(up, e));
    CHECK(is_told(one, e));
    CHECK(!is_told(two, e));

    /* A link that leads on from the last one. */
    KITH_SET(world, middle, Targets, {end});
    KITH_SET(world, end, kith_child_of, {further});
    KITH_SET(world, end, DockedAt, {further});
    CHECK(!is_told(up, e));
    CHECK(!is_told(one, e));
    CHECK(!is_told(two, e));

    /* Values of the last one, and what is on the way. */
    KITH_SET(world, end, Hull, {3});
    CHECK(is_told(up, e));
    CHECK(!is_told(two, e));
    KITH_SET(world, end, Level, {3});
    CHECK(!is_told(up, e));
    CHECK(!is_told(one, e));
    CHECK(is_told(two, e));
    KITH_SET(world, middle, DockedAt, {further});
    CHECK(!is_told(up, e));
    CHECK(!is_told(one, e));
    CHECK(is_told(two, e));
    KITH_SET(world, middle, kith_child_of, {further});
    CHECK(is_told(up, e));
    CHECK(!is_told(one, e));
    CHECK(!is_told(two, e));

    /* The nearest one is no more, and is again. */
    KITH_SET(world, middle, kith_child_of, {end});
    CHECK(is_told(up, e));
    KITH_REMOVE(world, end, Hull);
    CHECK(is_told(up, e));
    KITH_SET(world, end, Level, {4});
    CHECK(!is_told(up, e));
    KITH_SET(world, end, Hull, {4});
    CHECK(is_told(up, e));
    fixture_free(&f);
}

/* Another entity in the slot of one that died is not the one that a field names. */
TEST(values_in_the_slot_of_a_dead_entity_are_those_of_another)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    kith_entity target = KITH_SPAWN(world, KITH_VALUE(Hull, {1}));
    const kith_entity e = KITH_SPAWN(world, KITH_VALUE(Level, {1}), KITH_VALUE(Aim, {0, target}));
    kith_live *live = live_of(
        world, KITH_TERMS(KITH_VIA_FIELD(Aim, at, KITH_OPTIONAL(Hull)), KITH_WITH(Level)), e);
    const uint32_t slot = kith_entity_slot(target);
    for (uint32_t together = 0; together < 2; together++) {
        KITH_SET(world, e, Aim, {0, target});
        CHECK_INT(is_told(live, e), together);
        KITH_DESPAWN(world, target);
        CHECK(together || is_told(live, e));
        target = KITH_SPAWN(world, KITH_VALUE(Hull, {1}));
        CHECK_UINT(kith_entity_slot(target), slot);
        CHECK_INT(is_told(live, e), together);
        KITH_SET(world, target, Hull, {2});
        CHECK(!is_told(live, e));
        KITH_DESPAWN(world, target);
        CHECK(!is_told(live, e));
        target = KITH_SPAWN(world, KITH_VALUE(Hull, {1}));
        CHECK(!is_told(live, e));
    }
    fixture_free(&f);
}

/* A field still names what is dead, and may name what does not live yet. Where such an entity has to
 * lack something, its end and its birth change nothing else. */
TEST(live_queries_see_the_end_of_what_lacks_a_component)
{
    const kith_term terms[] = {
        KITH_VIA_FIELD(Aim, at, KITH_WITHOUT(Wreck)),
        KITH_VIA_FIELD(Aim, at, KITH_UP(KITH_WITHOUT(Wreck))),
        KITH_VIA_FIELD(Aim, at, KITH_IF_NOT(KITH_IF(Level, number, <, 3))),
        KITH_IF_NOT(KITH_VIA_FIELD(Aim, at, KITH_WITHOUT(Wreck))),
    };
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        const bool lacks = i == 3; /* matches where there is no such entity */
        fixture f = fixture_new();
        kith_entity target = kith_spawn_empty(f.world);
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Aim, {1, target}), KITH_VALUE(Hull, {1}));
        kith_query *query = KITH_QUERY(f.world, KITH_WITH(Hull), terms[i]);
        kith_live *live = NULL;
        kith_live_changes changes;
        CHECK_RESULT(kith_live_new(f.world, query, &live), KITH_OK);
        CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
        CHECK_INT(kith_live_has(live, e), !lacks);
        kith_snapshot *snapshot = NULL;
        CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);

        CHECK_RESULT(kith_despawn(f.world, target), KITH_OK);
        CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
        CHECK_INT(kith_live_has(live, e), lacks);
        CHECK_UINT(changes.left_count, !lacks);

        kith_entity next = kith_spawn_empty(f.world); /* in its slot */
        CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
        CHECK_UINT(changes.entered_count + changes.left_count, 0);
        CHECK_RESULT(KITH_SET(f.world, e, Aim, {1, next}), KITH_OK);
        CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
        CHECK_INT(kith_live_has(live, e), !lacks);

        kith_despawn(f.world, next);
        CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
        CHECK_RESULT(kith_snapshot_restore(f.world, snapshot), KITH_OK);
        CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
        CHECK_INT(kith_live_has(live, e), !lacks);
        CHECK_RESULT(KITH_SET(f.world, e, Aim, {1, next}), KITH_OK);
        CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
        CHECK_INT(kith_live_has(live, e), lacks);
        kith_despawn(f.world, target);
        CHECK(kith_entity_equal(kith_spawn_empty(f.world), next));
        CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
        CHECK_INT(kith_live_has(live, e), !lacks);
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

/* Of each refresh, whose lists grow with the slots; what it could not tell comes later. */
TEST(ends_of_others_survive_every_allocation_failure)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_new();
        const kith_entity target = kith_spawn_empty(f.world);
        const kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Aim, {1, target}));
        kith_query *query = KITH_QUERY(f.world, KITH_VIA_FIELD(Aim, at, KITH_WITHOUT(Wreck)));
        kith_live *live = NULL;
        kith_live_changes changes;
        CHECK_RESULT(kith_live_new(f.world, query, &live), KITH_OK);
        CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
        CHECK(kith_live_has(live, e));
        for (int i = 0; i < 3000; i++) {
            kith_spawn_empty(f.world);
        }
        CHECK_RESULT(kith_despawn(f.world, target), KITH_OK);
        fail_allocation(&f, nth);
        const kith_result result = kith_live_next(live, &changes);
        const bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_WORLD(f.world);
        if (reached) {
            CHECK(kith_live_has(live, e));
            CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
        }
        CHECK_UINT(changes.left_count, 1);
        CHECK(!kith_live_has(live, e));
        fixture_free(&f);
        if (!reached) {
            CHECK(nth > 3);
            break;
        }
    }
}

/* What is asked at the end of a condition about another entity cannot be told from its beginning. */
TEST(live_queries_take_no_nested_conditions_about_others)
{
    fixture f = fixture_new();
    kith_live *live = NULL;
    kith_query *query =
        KITH_QUERY(f.world, KITH_VIA(Targets, KITH_IF_ALL(KITH_VIA(DockedAt, KITH_WITH(Wreck)))));
    CHECK_RESULT(kith_live_new(f.world, query, &live), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "name both relations at once");
    query = KITH_QUERY(f.world, KITH_VIA(Targets, KITH_IF(Level, number, ==,
                                                          KITH_ITS_VIA(DockedAt,
                                                                       KITH_ITS(Level, number)))));
    CHECK_RESULT(kith_live_new(f.world, query, &live), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "name both relations at once");
    fixture_free(&f);
}

TEST(live_queries_over_others_survive_every_allocation_failure)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_new();
        kith_entity ship = KITH_SPAWN(f.world, KITH_VALUE(Hull, {1}));
        kith_entity turret = KITH_SPAWN(f.world, KITH_VALUE(Targets, {ship}));
        kith_query *query = KITH_QUERY(f.world, KITH_VIA(Targets, KITH_READ(Hull)));
        kith_live *live = NULL;
        kith_live_changes changes = {0};
        fail_allocation(&f, nth);
        kith_result result = kith_live_new(f.world, query, &live);
        if (result == KITH_OK) {
            result = kith_live_next(live, &changes);
        }
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        if (live != NULL && reached) {
            CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
        }
        CHECK(live == NULL || kith_live_has(live, turret));
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}
