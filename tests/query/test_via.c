/* Terms of other entities: the targets of relations, and ancestors. */
#include "components.h"
#include "rejects.h"

KITH_RELATION(Targets, KITH_CLEAR);
KITH_RELATION(DockedAt, KITH_CLEAR, (float, since));
KITH_COMPONENT(Turret, (int32_t, number));
KITH_COMPONENT(Large, (uint64_t, most), (int16_t, low), (bool, flag));
KITH_TAG(Wreck);

/* A ship with a turret, which aims at another ship that is docked at a station. */
typedef struct fleet {
    fixture f;
    kith_entity ship, turret, enemy, station, idle;
} fleet;

static void fleet_register(fleet *w, kith_layout relations, kith_layout others)
{
    const kith_component_def of_relations = {.layout = relations};
    const kith_component_def of_others = {.layout = others};
    CHECK_RESULT(kith_register(w->f.world, &Targets_type, &of_relations), KITH_OK);
    CHECK_RESULT(kith_register(w->f.world, &DockedAt_type, &of_relations), KITH_OK);
    CHECK_RESULT(kith_register(w->f.world, &kith_child_of_type, &of_relations), KITH_OK);
    CHECK_RESULT(kith_register(w->f.world, &Health_type, &of_others), KITH_OK);
    CHECK_RESULT(kith_register(w->f.world, &Position_type, &of_others), KITH_OK);
    CHECK_RESULT(kith_register(w->f.world, &Turret_type, &of_others), KITH_OK);
    CHECK_RESULT(kith_register(w->f.world, &Wreck_type, &of_others), KITH_OK);
}

static fleet fleet_with(kith_layout relations, kith_layout others)
{
    fleet w = {.f = fixture_new()};
    fleet_register(&w, relations, others);
    kith_world *world = w.f.world;
    w.station = KITH_SPAWN(world, KITH_VALUE(Health, {900, 1000}), KITH_VALUE(Position, {7, 8}));
    w.ship = KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}));
    w.enemy = KITH_SPAWN(world, KITH_VALUE(Health, {15, 100}));
    KITH_SET(world, w.enemy, DockedAt, {w.station, 0});
    w.turret = KITH_SPAWN(world, KITH_VALUE(Turret, {1}), KITH_VALUE(Targets, {w.enemy}));
    KITH_SET(world, w.turret, kith_child_of, {w.ship});
    w.idle = KITH_SPAWN(world, KITH_VALUE(Turret, {2}));
    return w;
}

static fleet fleet_new(void)
{
    return fleet_with(KITH_TABLE, KITH_TABLE);
}

/* The number of entities that a query visits by either kind of batches, after a look at them. */
static uint32_t visited(kith_query *query)
{
    uint32_t arrays = 0;
    uint32_t rows = 0;
    CHECK_PTR_NOT_NULL(query);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        arrays += it.count;
    }
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        rows += it.count;
    }
    CHECK_UINT(arrays, rows);
    CHECK_UINT(kith_query_count(query), rows);
    return rows;
}

/* Whether a query finds an entity alone. */
static bool finds_only(kith_query *query, kith_entity e)
{
    kith_entity single = KITH_NONE;
    bool found = visited(query) == 1 && kith_query_contains(query, e) &&
                 kith_entity_equal(kith_query_first(query), e) &&
                 kith_query_single(query, &single) == KITH_OK && kith_entity_equal(single, e);
    kith_query_free(query);
    return found;
}

static bool finds_none(kith_query *query)
{
    bool none = visited(query) == 0 && kith_is_none(kith_query_first(query));
    kith_query_free(query);
    return none;
}

/* ---- What terms ask */

TEST(what_kinds_of_terms_ask_of_a_target)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * LAYOUT_COUNT; i++) {
        fleet w = fleet_with((kith_layout)(i / LAYOUT_COUNT), (kith_layout)(i % LAYOUT_COUNT));
        kith_world *world = w.f.world;
        test_note(layout_name((kith_layout)(i % LAYOUT_COUNT)));
        CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_READ(Health))), w.turret));
        CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_WITH(Health))), w.turret));
        CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_WITHOUT(Wreck))), w.turret));
        CHECK(finds_none(KITH_QUERY(world, KITH_VIA(Targets, KITH_WITHOUT(Health)))));
        CHECK(finds_none(KITH_QUERY(world, KITH_VIA(Targets, KITH_WITH(Wreck)))));
        KITH_ADD(world, w.enemy, Wreck);
        CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_WITH(Wreck))), w.turret));
        CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_READ(Wreck))), w.turret));
        CHECK(finds_none(KITH_QUERY(world, KITH_VIA(Targets, KITH_WITHOUT(Wreck)))));
        kith_query *all =
            KITH_QUERY(world, KITH_READ(Turret), KITH_VIA(Targets, KITH_OPTIONAL(Health)));
        CHECK_UINT(visited(all), 2);
        CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(Health, current, <, 20))),
                         w.turret));
        CHECK(finds_none(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(Health, current, <, 15)))));
        fixture_free(&w.f);
    }
}

TEST(what_kinds_of_terms_ask_of_ancestors)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * LAYOUT_COUNT; i++) {
        fleet w = fleet_with((kith_layout)(i / LAYOUT_COUNT), (kith_layout)(i % LAYOUT_COUNT));
        kith_world *world = w.f.world;
        kith_entity barrel = KITH_SPAWN(world, KITH_VALUE(kith_child_of, {w.turret}));
        kith_query *placed = KITH_QUERY(world, KITH_UP(KITH_READ(Position)));
        CHECK_UINT(visited(placed), 2); /* the ship is its own ancestor for nobody */
        CHECK(!kith_query_contains(placed, w.ship));
        CHECK(finds_only(KITH_QUERY(world, KITH_UP(KITH_WITH(Turret))), barrel));
        CHECK(finds_none(KITH_QUERY(world, KITH_UP(KITH_WITH(Wreck)))));
        CHECK(finds_only(KITH_QUERY(world, KITH_WITH(kith_child_of), KITH_UP(KITH_WITHOUT(Turret))),
                         w.turret));
        CHECK_UINT(visited(KITH_QUERY(world, KITH_UP(KITH_WITHOUT(Turret)))), 5); /* all but it */
        CHECK_UINT(visited(KITH_QUERY(world, KITH_UP(KITH_OPTIONAL(Turret)))), 6);
        CHECK(finds_only(KITH_QUERY(world, KITH_UP(KITH_IF(Turret, number, ==, 1))), barrel));

        /* The nearest counts, not one further up. */
        KITH_SET(world, w.turret, Position, {50, 60});
        CHECK(finds_only(KITH_QUERY(world, KITH_UP(KITH_IF(Position, x, ==, 50))), barrel));
        CHECK(finds_only(KITH_QUERY(world, KITH_UP(KITH_IF(Position, x, ==, 1))), w.turret));
        for (kith_iter it = kith_query_iter_one(placed, barrel); kith_next(&it);) {
            CHECK_FLOAT(KITH_TERM_AT(&it, 0, 0, Position)->x, 50);
        }
        fixture_free(&w.f);
    }
}

TEST(terms_may_lead_over_several_relations)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT; i++) {
        fleet w = fleet_with((kith_layout)i, KITH_SPARSE);
        kith_world *world = w.f.world;
        kith_query *far = KITH_QUERY(world, KITH_READ(Turret),
                                     KITH_VIA(Targets, KITH_VIA(DockedAt, KITH_READ(Health))));
        CHECK_UINT(visited(far), 1);
        for (kith_iter it = kith_query_iter(far); kith_next_rows(&it);) {
            CHECK_INT(KITH_TERM_AT(&it, 1, 0, Health)->current, 900);
        }
        CHECK(finds_only(
            KITH_QUERY(world,
                       KITH_VIA(Targets, KITH_VIA(DockedAt, KITH_IF(Health, current, >, 899)))),
            w.turret));
        CHECK(finds_none(
            KITH_QUERY(world, KITH_VIA(DockedAt, KITH_VIA(DockedAt, KITH_WITHOUT(Wreck))))));
        KITH_SET(world, w.idle, DockedAt, {w.turret, 0}); /* up from a target */
        CHECK(finds_only(KITH_QUERY(world, KITH_VIA(DockedAt, KITH_UP(KITH_READ(Position)))),
                         w.idle));
        CHECK(finds_only(
            KITH_QUERY(
                world,
                KITH_VIA(DockedAt,
                         KITH_VIA(Targets, KITH_VIA(DockedAt, KITH_UP(KITH_OPTIONAL(Wreck))))),
                KITH_WITH(DockedAt), KITH_WITH(Turret)),
            w.idle));
        CHECK(finds_none(KITH_QUERY(world, KITH_VIA(DockedAt, KITH_UP(KITH_WITHOUT(Position))),
                                    KITH_WITH(Turret))));

        /* That nobody above it has something is said of a target, so there has to be one. */
        kith_query *either =
            KITH_QUERY(world, KITH_IF_ANY(KITH_VIA(DockedAt, KITH_UP(KITH_WITHOUT(Position)))));
        CHECK(finds_only(either, w.enemy));
        fixture_free(&w.f);
    }
}

TEST(terms_of_other_entities_are_conditions_too)
{
    fleet w = fleet_new();
    kith_world *world = w.f.world;
    kith_query *poor = KITH_QUERY(
        world, KITH_WITH(Turret),
        KITH_IF_ANY(KITH_VIA(Targets, KITH_IF(Health, current, <, 20)), KITH_WITH(Wreck)));
    CHECK(finds_only(poor, w.turret));
    CHECK(finds_only(
        KITH_QUERY(world, KITH_WITH(Turret), KITH_IF_NOT(KITH_VIA(Targets, KITH_WITH(Health)))),
        w.idle));
    CHECK(finds_only(
        KITH_QUERY(world,
                   KITH_VIA(Targets, KITH_IF_ALL(KITH_IF(Health, current, <, KITH_ITS(Health, max)),
                                                 KITH_VIA(DockedAt, KITH_WITH(Position)),
                                                 KITH_WITHOUT(Wreck)))),
        w.turret));
    CHECK(finds_none(KITH_QUERY(
        world, KITH_VIA(Targets, KITH_IF_NOT(KITH_VIA(DockedAt, KITH_WITH(Position)))))));
    kith_query *bound =
        KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(Health, current, ==, kith_bound("health"))));
    CHECK_RESULT(kith_query_bind(bound, "health", 15), KITH_OK);
    CHECK(finds_only(bound, w.turret));
    CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF_IN(Health, max, 3, 100))),
                     w.turret));

    /* Handles, texts, and numbers of all sizes. */
    KITH_SET(world, w.enemy, Padded, {7, 1, 9});
    KITH_SET(world, w.enemy, Name, {"zig"});
    KITH_SET(world, w.enemy, Large, {UINT64_MAX, -2, true});
    CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(DockedAt, target, ==, w.station))),
                     w.turret));
    CHECK(finds_none(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(DockedAt, target, ==, w.ship)))));
    CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(Padded, last, ==, 9))), w.turret));
    CHECK(finds_none(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(Padded, small, ==, 9)))));
    CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(Large, most, >, UINT64_MAX - 1))),
                     w.turret));
    CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(Large, low, ==, -2))), w.turret));
    CHECK(
        finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(Large, flag, ==, true))), w.turret));
    CHECK(finds_only(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF_PREFIX(Name, text, "zi"))),
                     w.turret));
    CHECK(finds_none(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(Name, text, ==, "zi")))));
    fixture_free(&w.f);
}

TEST(a_dead_target_is_none)
{
    fleet w = fleet_new();
    kith_world *world = w.f.world;
    kith_query *aiming = KITH_QUERY(world, KITH_VIA(Targets, KITH_READ(Health)));
    kith_query *without = KITH_QUERY(world, KITH_VIA(Targets, KITH_WITHOUT(Wreck)));
    kith_query *far = KITH_QUERY(world, KITH_VIA(Targets, KITH_VIA(DockedAt, KITH_WITH(Health))));
    kith_query *any =
        KITH_QUERY(world, KITH_WITH(Turret), KITH_VIA(Targets, KITH_OPTIONAL(Health)));
    CHECK_UINT(visited(far), 1);
    kith_despawn(world, w.enemy);
    CHECK_UINT(visited(aiming) + visited(without) + visited(far), 0);
    KITH_SPAWN(world, KITH_VALUE(Health, {1, 1}), KITH_VALUE(Position, {0, 0})); /* in its slot */
    CHECK_UINT(visited(aiming) + visited(without) + visited(far), 0);
    for (kith_iter it = kith_query_iter(any); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_PTR_NULL(KITH_TERM_AT(&it, 1, i, Health));
        }
    }
    fixture_free(&w.f);
}

/* ---- Values */

/* Numbers count the terms that are no conditions; one type may be in several terms. */
TEST(values_are_read_by_the_number_of_the_term)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * LAYOUT_COUNT; i++) {
        fleet w = fleet_with((kith_layout)(i / LAYOUT_COUNT), (kith_layout)(i % LAYOUT_COUNT));
        kith_world *world = w.f.world;
        KITH_SET(world, w.turret, Health, {33, 44});
        KITH_SET(world, w.turret, Position, {3, 4});
        kith_query *query = KITH_QUERY(
            world, KITH_IF(Turret, number, <, 9), KITH_WRITE(Health),
            KITH_VIA(Targets, KITH_IF(Health, current, <, 20)), KITH_UP(KITH_READ(Position)),
            KITH_VIA(Targets, KITH_WITHOUT(Wreck)), KITH_VIA(Targets, KITH_READ(Health)),
            KITH_READ(Position), KITH_VIA(Targets, KITH_OPTIONAL(Position)));
        CHECK_UINT(visited(query), 1);
        for (uint32_t rows = 0; rows < 2; rows++) {
            for (kith_iter it = kith_query_iter(query);
                 rows == 0 ? kith_next(&it) : kith_next_rows(&it);) {
                CHECK_INT(KITH_TERM_AT(&it, 0, 0, Health)->current, 33);
                CHECK_FLOAT(KITH_TERM_AT(&it, 1, 0, Position)->y, 2);
                CHECK_INT(KITH_TERM_AT(&it, 3, 0, Health)->max, 100);
                CHECK_INT(KITH_TERM_POINTERS(&it, 3, Health)[0]->max, 100);
                CHECK_PTR_NULL(KITH_TERM_POINTERS(&it, 5, Position)[0]);
                if (rows != 0) {
                    CHECK_INT(KITH_TERM_POINTERS(&it, 0, Health)[0]->max, 44);
                }
                CHECK_FLOAT(KITH_TERM_AT(&it, 4, 0, Position)->y, 4);
                CHECK_PTR_NULL(KITH_TERM_AT(&it, 5, 0, Position));
                CHECK_INT(KITH_AT(&it, 0, Health)->max, 44);
                CHECK_FLOAT(KITH_AT(&it, 0, Position)->x, 3);
                KITH_AT_MUT(&it, 0, Health)->max = 44;
            }
        }
        fixture_free(&w.f);
    }
}

/* What a loop writes is seen of the other entities, also once blocks are shared with a snapshot. */
TEST(what_a_loop_writes_is_what_it_reads_of_others)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * 4; i++) {
        fixture f = fixture_new();
        kith_register(f.world, &Health_type, &(kith_component_def){.layout = (kith_layout)(i / 4)});
        const bool rows = i % 2 != 0;
        const bool shared = i % 4 >= 2;
        kith_entity before = KITH_NONE;
        for (int32_t k = 0; k < 100; k++) {
            kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Health, {0, k}));
            KITH_SET(f.world, e, Targets, {k == 0 ? e : before});
            before = e;
        }
        kith_query *query =
            KITH_QUERY(f.world, KITH_WRITE(Health), KITH_VIA(Targets, KITH_READ(Health)));
        kith_snapshot *snapshot = NULL;
        for (uint32_t turn = 0; turn < 2; turn++) {
            if (shared) {
                kith_snapshot_free(snapshot);
                CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
            }
            int32_t sum = 0;
            for (kith_iter it = kith_query_iter(query);
                 rows ? kith_next_rows(&it) : kith_next(&it);) {
                for (uint32_t k = 0; k < it.count; k++) {
                    int32_t of_other = KITH_TERM_AT(&it, 1, k, Health)->current;
                    KITH_AT_MUT(&it, k, Health)->current = of_other + 1;
                    sum += KITH_AT(&it, k, Health)->current;
                }
            }
            CHECK_INT(sum, turn == 0 ? 5050 : 5150);
        }
        kith_snapshot_free(snapshot);
        fixture_free(&f);
    }
}

/* ---- Mistakes */

TEST(terms_of_other_entities_that_make_no_sense_are_refused)
{
    fixture f = fixture_new();
    rejects(&f, (kith_term)KITH_VIA(Health, KITH_READ(Position)), "Health does not lead");
    rejects(&f, (kith_term)KITH_VIA(Targets, KITH_CHANGED(Position)), "about Position is not");
    rejects(&f,
            (kith_term)KITH_VIA(Targets, {&Position_type, KITH_ACCESS_READ, KITH_MUST, 3, NULL}),
            "about Position is not");
    rejects(&f, (kith_term)KITH_VIA(Targets, KITH_BEFORE(Position)), "about Position is not");
    rejects(&f, (kith_term)KITH_VIA(Targets, KITH_READ(Position), KITH_READ(Health)),
            "one more KITH_VIA");
    rejects(&f, (kith_term)KITH_UP(KITH_IF_ANY(KITH_WITH(Health))), "no group of conditions");
    rejects(&f, (kith_term)KITH_UP(KITH_VIA(Targets, KITH_WITH(Health))), "does not go on");
    rejects(&f, (kith_term)KITH_UP(KITH_UP(KITH_WITH(Health))), "does not go on");
    rejects(&f, (kith_term)KITH_IF_ANY(KITH_VIA(Targets, KITH_READ(Health))), "within a group");
    rejects(&f, (kith_term)KITH_IF_ANY(KITH_VIA(Targets, KITH_OPTIONAL(Health))), "within a group");
    rejects(
        &f,
        (kith_term)KITH_VIA(
            Targets,
            KITH_VIA(Targets,
                     KITH_VIA(Targets, KITH_VIA(Targets, KITH_VIA(Targets, KITH_WITH(Wreck)))))),
        "fifth relation");
    rejects(&f, (kith_term)KITH_VIA(Targets, KITH_IF(Health, current, ==, "text")),
            "Health.current");
    kith_condition circle = {.op = KITH_OP_NEAREST, .terms = KITH_TERMS(KITH_WITH(Health))};
    rejects(&f, (kith_term){.type = &Targets_type, .condition = &circle}, "could lead in a circle");
    circle.terms = NULL;
    rejects(&f, (kith_term){.type = &kith_child_of_type, .condition = &circle},
            "is about one term");
    circle.terms = KITH_TERMS({0});
    rejects(&f, (kith_term){.type = &kith_child_of_type, .condition = &circle},
            "is about one term");
    circle.terms = KITH_TERMS({.role = (kith_role)77});
    rejects(&f, (kith_term){.type = &kith_child_of_type, .condition = &circle}, "not a role");
    circle = (kith_condition){.op = KITH_OP_TARGET, .terms = KITH_TERMS(KITH_WITH(Health))};
    rejects(&f, (kith_term){.condition = &circle}, "(null) does not lead");
    circle.terms = KITH_TERMS({.access = KITH_ACCESS_READ});
    rejects(&f, (kith_term){.type = &Targets_type, .condition = &circle}, "about (null) is not");
    rejects(&f, (kith_term){.type = &Targets_type, .role = KITH_MAY, .condition = &circle},
            "a term is in a group of conditions, or is one");
    fixture_free(&f);
}

TEST(other_entities_are_not_written)
{
    fleet w = fleet_new();
    CHECK_PTR_NULL(KITH_QUERY(w.f.world, KITH_VIA(Targets, KITH_WRITE(Health))));
    expect_misuse(&w.f, "writes Health; read it, and write it through a lookup or a command");
    CHECK_PTR_NULL(KITH_QUERY(w.f.world, KITH_UP(KITH_OPTIONAL_MUT(Health))));
    expect_misuse(&w.f, "writes Health");
    fixture_free(&w.f);
}

TEST(reading_the_wrong_term_is_misuse)
{
    fleet w = fleet_new();
    kith_query *query =
        KITH_QUERY(w.f.world, KITH_READ(Turret), KITH_VIA(Targets, KITH_READ(Health)),
                   KITH_VIA(Targets, KITH_WITH(Health)), KITH_VIA(Targets, KITH_OPTIONAL(Wreck)),
                   KITH_VIA(Targets, KITH_IF(Health, max, >, 5)));
    kith_iter it = kith_query_iter(query);
    CHECK_PTR_NULL(KITH_TERM_AT(&it, 1, 0, Health));
    expect_misuse(&w.f, "kith_term_at: there is no batch");
    CHECK(kith_next(&it));
    CHECK_PTR_NULL(KITH_AT(&it, 0, Health));
    expect_misuse(&w.f, "of another entity, which KITH_TERM_AT(it, 1, i, Health) reads");
    CHECK_PTR_NULL(KITH_COLUMN(&it, Health));
    expect_misuse(&w.f, "of another entity");
    CHECK_PTR_NULL(KITH_TERM_AT(&it, 1, 0, Turret));
    expect_misuse(&w.f, " is about Health, not about Turret");
    CHECK_PTR_NULL(KITH_TERM_AT(&it, 4, 0, Health));
    expect_misuse(&w.f, "no term number 4: there are 4");
    CHECK_PTR_NULL(KITH_TERM_AT(&it, 2, 0, Health));
    expect_misuse(&w.f, "does not access it; declare it as KITH_VIA");
    CHECK_PTR_NULL(kith_term_at(&it, 3, 0, &Wreck_type, 1, KITH_ACCESS_READ));
    expect_misuse(&w.f, "Wreck is a tag");
    CHECK_PTR_NULL(KITH_TERM_AT(&it, 1, it.count, Health));
    expect_misuse(&w.f, "kith_term_at: there is no entity number 1");
    CHECK_PTR_NULL(kith_term_at(&it, 1, 0, &Health_type, sizeof(Health), KITH_ACCESS_WRITE));
    expect_misuse(&w.f, "only reads Health of another entity");
    CHECK_PTR_NULL(KITH_TERM_POINTERS(&it, 0, Turret));
    expect_misuse(&w.f, "kith_term_pointers: kith_next gives arrays of");
    CHECK_PTR_NULL(KITH_TERM_POINTERS(&it, 0, Health));
    expect_misuse(&w.f, "kith_term_pointers: term number 0 of");
    CHECK_PTR_NULL(KITH_POINTERS(&it, Health));
    expect_misuse(&w.f, " has a term for Health of another entity");
    CHECK_INT(KITH_TERM_AT(&it, 1, 0, Health)->current, 15);
    kith_iter_close(&it);
    CHECK_PTR_NULL(KITH_TERM_AT(&it, 1, 0, Health));
    expect_misuse(&w.f, "there is no batch");
    fixture_free(&w.f);
}

/* An iterator that was copied, and left behind, finds no values. */
TEST(values_end_with_the_loop)
{
    fleet w = fleet_new();
    kith_query *query = KITH_QUERY(w.f.world, KITH_VIA(Targets, KITH_READ(Health)));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    kith_iter copy = it;
    CHECK_INT(KITH_TERM_AT(&copy, 0, 0, Health)->current, 15);
    CHECK(!kith_next(&it));
    CHECK_PTR_NULL(KITH_TERM_AT(&copy, 0, 0, Health));
    expect_misuse(&w.f, "there is no batch");
    fixture_free(&w.f);
}

/* ---- Memory */

TEST(queries_over_others_survive_every_allocation_failure)
{
    for (size_t nth = 1;; nth++) {
        fleet w = fleet_new();
        fail_allocation(&w.f, nth);
        kith_query *query =
            KITH_QUERY(w.f.world, KITH_READ(Turret), KITH_VIA(Targets, KITH_READ(Health)),
                       KITH_VIA(Targets, KITH_IF(Health, current, <, kith_bound("limit"))),
                       KITH_UP(KITH_OPTIONAL(Position)));
        kith_result result = query == NULL ? KITH_ERR_MEMORY : KITH_OK;
        if (query != NULL) {
            result = kith_query_bind(query, "limit", 20);
        }
        for (uint32_t rows = 0; rows < 2 && result == KITH_OK; rows++) {
            uint32_t count = 0;
            kith_iter it = kith_query_iter(query);
            for (; rows == 0 ? kith_next(&it) : kith_next_rows(&it); count += it.count) {
                CHECK_INT(KITH_TERM_AT(&it, 1, 0, Health)->max, 100);
            }
            result = it.result;
            CHECK_UINT(count, result == KITH_OK);
        }
        bool reached = fail_nothing(&w.f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_WORLD(w.f.world);
        fixture_free(&w.f);
        if (!reached) {
            break;
        }
    }
}
