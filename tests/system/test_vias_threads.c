/* Terms of other entities in the queries of systems. */
#include <string.h>

#include "components.h"
#include "test.h"

KITH_RELATION(Targets, KITH_CLEAR);
KITH_COMPONENT(Aim, (float, x), (float, y));
KITH_COMPONENT(Bullet, (float, speed), (kith_entity, from));

#define SHIPS 700u
#define TURRETS 6000u

static void spawn_fleet(kith_world *world, kith_layout relation, kith_layout value,
                        kith_entity *ships)
{
    kith_register(world, &Targets_type, &(kith_component_def){.layout = relation});
    kith_register(world, &Position_type, &(kith_component_def){.layout = value});
    for (uint32_t i = 0; i < SHIPS; i++) {
        ships[i] = KITH_SPAWN(world, KITH_VALUE(Position, {(float)i, 1}));
    }
    for (uint32_t i = 0; i < TURRETS; i++) {
        kith_entity turret = KITH_SPAWN(world, KITH_VALUE(Aim, {-1, 0}));
        if (i % 5 != 0) {
            KITH_SET(world, turret, Targets, {ships[i * 7919 % SHIPS]});
        }
    }
}

static void aim(kith_iter *it)
{
    while (kith_next(it)) {
        Aim *aims = KITH_COLUMN_MUT(it, Aim);
        for (uint32_t i = 0; i < it->count; i++) {
            aims[i].x = KITH_TERM_AT(it, 1, i, Position)->x;
        }
    }
}

static void aim_by_rows(kith_iter *it)
{
    while (kith_next_rows(it)) {
        const Position *const *positions = KITH_TERM_POINTERS(it, 1, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Aim)->x = positions[i]->x;
        }
    }
}

/* The same is read for any number of workers, by arrays and by rows, on every layout, with and without
 * snapshots. */
TEST_EACH_LAYOUT(parallel_systems_read_other_entities, layout)
{
    for (int k = 0; k < LAYOUT_COUNT * 8; k++) {
        static kith_entity ships[SHIPS];
        fixture f = fixture_new();
        kith_snapshot *snapshot = NULL;
        spawn_fleet(f.world, layout, (kith_layout)(k / 8), ships);
        const kith_workers_def workers = {.threads = k % 2 == 0 ? 0 : 4};
        CHECK_RESULT(kith_workers_set(f.world, &workers), KITH_OK);
        const kith_system_def def = {
            .name = "aim",
            .run = k / 2 % 2 == 0 ? aim : aim_by_rows,
            .query = {.terms = KITH_TERMS(KITH_WRITE(Aim), KITH_VIA(Targets, KITH_READ(Position)),
                                          KITH_VIA(Targets, KITH_IF(Position, x, >=, 100)))},
            .parallel = true};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        if (k / 4 % 2 != 0) {
            CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
        }
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        kith_query *all =
            KITH_QUERY(f.world, KITH_READ(Aim), KITH_VIA(Targets, KITH_OPTIONAL(Position)));
        uint32_t aiming = 0;
        for (kith_iter it = kith_query_iter(all); kith_next_rows(&it);) {
            for (uint32_t i = 0; i < it.count; i++) {
                const Position *position = KITH_TERM_AT(&it, 1, i, Position);
                bool aims = position != NULL && position->x >= 100;
                CHECK_FLOAT(KITH_AT(&it, i, Aim)->x, aims ? position->x : -1);
                aiming += aims;
            }
        }
        CHECK(aiming > TURRETS / 2);
        kith_snapshot_free(snapshot);
        fixture_free(&f);
    }
}

static void nothing(kith_iter *it)
{
    while (kith_next(it)) {
    }
}

/* Whether the reader waits for the writer of Health. */
static bool are_apart(kith_world *world)
{
    char text[2000];
    size_t length;
    CHECK_RESULT(kith_schedule_print(world, text, sizeof text, &length), KITH_OK);
    return strstr(text, "after writer (component Health)") != NULL;
}

/* A system that writes a component is in another stage than one that reads it of other entities. */
TEST(what_is_read_of_other_entities_is_declared)
{
    const struct {
        kith_term term;
        bool conflicts; /* with a system that writes Health */
    } cases[] = {{KITH_VIA(Targets, KITH_READ(Health)), true},
                 {KITH_VIA(Targets, KITH_OPTIONAL(Health)), true},
                 {KITH_VIA(Targets, KITH_VIA(Targets, KITH_READ(Health))), true},
                 {KITH_UP(KITH_READ(Health)), true},
                 {KITH_VIA(Targets, KITH_IF(Health, current, <, 20)), true},
                 {KITH_UP(KITH_IF(Health, current, <, 20)), true},
                 {KITH_IF_NOT(KITH_VIA(Targets, KITH_IF(Health, current, <, 20))), true},
                 {KITH_IF(Aim, x, <, KITH_ITS_VIA(Targets, KITH_ITS(Health, current))), true},
                 {KITH_IF(Aim, x, <, KITH_ITS_UP(KITH_ITS(Health, current))), true},
                 {KITH_VIA(Targets, KITH_IF(Aim, x, <, KITH_OF_THIS(KITH_ITS(Health, max)))), true},
                 {KITH_VIA_FIELD(Bullet, from, KITH_READ(Health)), true},
                 {KITH_VIA(Targets, KITH_IF(Targets, target, ==, KITH_THIS)), false},
                 {KITH_VIA(Targets, KITH_WITH(Health)), false},
                 {KITH_VIA(Targets, KITH_WITHOUT(Health)), false},
                 {KITH_UP(KITH_WITH(Health)), false}};
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        fixture f = fixture_new();
        const kith_system_def writer = {
            .name = "writer", .run = nothing, .query = {.terms = KITH_TERMS(KITH_WRITE(Health))}};
        const kith_term terms[] = {KITH_READ(Position), cases[i].term, {0}};
        const kith_system_def reader = {
            .name = "reader", .run = nothing, .query = {.terms = terms}};
        CHECK_RESULT(kith_system_add(f.world, &writer), KITH_OK);
        CHECK_RESULT(kith_system_add(f.world, &reader), KITH_OK);
        CHECK_INT(are_apart(f.world), cases[i].conflicts);
        fixture_free(&f);
    }
}

static void get_target(kith_iter *it)
{
    while (kith_next(it)) {
        kith_entity target = KITH_GET(it, kith_entities(it)[0], Targets)->target;
        CHECK_FLOAT(KITH_GET(it, target, Position)->x, 5);
    }
}

/* So handles may read the same, as with all that a query declares to read. */
TEST(handles_read_what_terms_of_other_entities_declare)
{
    fixture f = fixture_new();
    kith_entity ship = KITH_SPAWN(f.world, KITH_VALUE(Position, {5, 6}));
    KITH_SPAWN(f.world, KITH_VALUE(Aim, {0, 0}), KITH_VALUE(Targets, {ship}));
    const kith_system_def def = {
        .name = "get",
        .run = get_target,
        .query = {.terms = KITH_TERMS(KITH_VIA(Targets, KITH_READ(Position)))}};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    fixture_free(&f);
}

/* Of a parallel system, one call may be writing what another one would read of other entities. */
TEST(parallel_systems_do_not_read_of_others_what_they_write)
{
    const struct {
        kith_term term;
        bool fails;
    } cases[] = {
        {KITH_VIA(Targets, KITH_READ(Health)), true},
        {KITH_UP(KITH_OPTIONAL(Health)), true},
        {KITH_VIA(Targets, KITH_IF(Health, current, <, 20)), true},
        {KITH_IF_ANY(KITH_WITH(Position), KITH_VIA(Targets, KITH_IF(Health, max, <, 20))), true},
        {KITH_IF(Health, max, <, KITH_ITS_VIA(Targets, KITH_ITS(Health, max))), true},
        {KITH_VIA(Targets, KITH_IF(Position, x, <,
                                   KITH_OF_THIS(KITH_ITS_UP(KITH_ITS(Health, max))))),
         true},
        {KITH_VIA(Targets, KITH_WITH(Health)), false},
        {KITH_VIA(Targets, KITH_READ(Position)), false},
        {KITH_IF_ANY(KITH_VIA(Targets, KITH_WITH(Position)), KITH_IF(Health, current, <, 20)),
         false},
        {KITH_VIA(Targets, KITH_IF(Position, x, <, KITH_OF_THIS(KITH_ITS(Health, max)))), false}};
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        /* Of a further query, the last cases' own values are others'. */
        for (uint32_t further = 0; further < (i >= 8 ? 1u : 2u); further++) {
            fixture f = fixture_new();
            const kith_term terms[] = {
                KITH_WRITE(Health), further == 0 ? cases[i].term : (kith_term){0}, {0}};
            const kith_term others[] = {cases[i].term, {0}};
            kith_system_def def = {
                .name = "heal", .run = nothing, .query = {.terms = terms}, .parallel = true};
            if (further != 0) {
                def.queries[0].terms = others;
            }
            CHECK_RESULT(kith_system_add(f.world, &def), cases[i].fails ? KITH_ERR_INPUT : KITH_OK);
            if (cases[i].fails) {
                CHECK_CONTAINS(kith_error(f.world), "'heal' is parallel and its");
            }
            def.name = "alone";
            def.parallel = false;
            CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
            fixture_free(&f);
        }
    }
}

static void see_nothing(const kith_observed *observed)
{
    (void)observed;
}

/* Other lists, and observers, are about components alone. */
TEST(terms_of_other_entities_are_for_queries)
{
    fixture f = fixture_new();
    const kith_system_def def = {.name = "looks",
                                 .run = nothing,
                                 .query = {.terms = KITH_TERMS(KITH_READ(Position))},
                                 .lookups = KITH_TERMS(KITH_VIA(Targets, KITH_READ(Health)))};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_ERR_INPUT);
    const kith_observer_def observer = {
        .name = "sees",
        .kind = KITH_ON_ENTER,
        .run = see_nothing,
        .query = {.terms = KITH_TERMS(KITH_READ(Position), KITH_VIA(Targets, KITH_READ(Health)))}};
    CHECK_RESULT(kith_observer_new(f.world, &observer, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "'sees' has a condition on values");
    fixture_free(&f);
}
