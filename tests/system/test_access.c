/* What systems declare and what they may use; what a failing system does to the others. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "nothing.h"
#include "test.h"

static void add(kith_world *world, kith_system_def def)
{
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

/* A type that is not valid. */
static const kith_field odd_field = {"x", 4, 4, KITH_F32};
static uint32_t odd_number;
static const kith_type Odd_type = {.name = "Odd",
                                   .size = 4,
                                   .align = 4,
                                   .field_count = 1,
                                   .fields = &odd_field,
                                   .number = &odd_number};
static const kith_term odd_terms[] = {{&Odd_type, KITH_ACCESS_READ, KITH_MUST, 0, NULL}, {0}};

/* Systems that declare what makes no sense, and what the error says. */
static const struct {
    kith_system_def def;
    const char *part;
} wrong_systems[] = {
    {{.name = "x", .run = run_nothing, .lookups = KITH_TERMS(KITH_WITH(Byte))},
     "'x': what it uses besides its query is declared by KITH_READ(Byte)"},
    {{.name = "x", .run = run_nothing, .resources = KITH_TERMS(KITH_OPTIONAL(Byte))},
     "KITH_READ(Byte)"},
    {{.name = "x", .update = update_nothing, .events = KITH_TERMS(KITH_READ(Byte))},
     "'x' is a plain system (`update`), and has a list of what it uses"},
    {{.name = "x", .update = update_nothing, .query.terms = KITH_TERMS(KITH_READ(Byte))},
     "'x' is a plain system (`update`), and has a `query`; its queries are in `queries`"},
    {{.name = "x", .update = update_nothing, .query = {.driver = &Byte_type}}, "has a `query`"},
    {{.name = "x", .update = update_nothing, .parallel = true}, "`parallel`"},
    {{.name = "x", .run = run_nothing, .parallel = true, .lookups = KITH_TERMS(KITH_WRITE(Byte))},
     "'x' is parallel: one of its calls would write any entity's Byte"},
    {{.name = "x",
      .run = run_nothing,
      .parallel = true,
      .query.terms = KITH_TERMS(KITH_WRITE(Byte)),
      .lookups = KITH_TERMS(KITH_READ(Byte))},
     "'x' is parallel and its query writes Byte: it cannot read any entity's Byte"},
    {{.name = "x", .run = run_nothing, .parallel = true, .resources = KITH_TERMS(KITH_WRITE(Byte))},
     "'x' is parallel: one of its calls would write resource Byte"},
    {{.name = "x", .run = run_nothing, .resources = KITH_TERMS(KITH_WRITE(Frozen))},
     "'x': 'Frozen' is a tag, which has no value, so there is no such resource"},
    {{.name = "x", .run = run_nothing, .resources = KITH_TERMS(KITH_READ(Frozen))},
     "'Frozen' is a tag"},
    {{.name = "x", .run = run_nothing, .events = odd_terms}, "kith_system_add: Odd.x"},
};

TEST(declarations_that_make_no_sense)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const uint64_t before = kith_world_hash(f.world);
    for (size_t i = 0; test_row(i, ROWS_OF(wrong_systems)); i++) {
        CHECK_RESULT(kith_system_add(f.world, &wrong_systems[i].def), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(f.world), wrong_systems[i].part);
        CHECK_UINT(kith_world_hash(f.world), before);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}

/* ---- Reaching -------------------------------------------------------------------------------- */

typedef struct reach {
    kith_entity e;
    kith_entity gone;
    uint32_t calls;
} reach;

static void reach_all(kith_iter *it)
{
    reach *r = it->user;
    void *value = NULL;
    CHECK(kith_system_alive(it, r->e) && !kith_system_alive(it, r->gone));
    CHECK(!kith_system_has_hooks(it, &Position_type));
    CHECK(KITH_HAS(it, r->e, Position) && !KITH_HAS(it, r->gone, Position));
    CHECK(KITH_HAS(it, r->e, Frozen) && !KITH_HAS(it, r->e, Health));
    CHECK_FLOAT(KITH_GET(it, r->e, Position)->x, 1);
    CHECK_PTR_NULL(KITH_GET(it, r->gone, Position));
    CHECK_PTR_NULL(KITH_GET(it, r->e, Health));
    kith_lookup positions = KITH_LOOKUP(it, Position);
    CHECK(KITH_GET(&positions, r->e, Position) == KITH_GET(it, r->e, Position));
    CHECK_PTR_NULL(KITH_GET(&positions, r->gone, Position));
    kith_lookup frozen = KITH_LOOKUP(it, Frozen);
    CHECK(kith_lookup_has(&frozen, r->e) && !kith_lookup_has(&frozen, r->gone));
    CHECK_RESULT(kith_system_get_mut(it, r->gone, &Velocity_type, &value), KITH_ERR_DEAD);
    CHECK_RESULT(kith_system_get_mut(it, r->e, &Health_type, &value), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_system_get_mut(it, r->e, &Burning_type, &value), KITH_ERR_ABSENT);
    CHECK_PTR_NULL(value);
    CHECK_RESULT(kith_system_get_mut(it, r->e, &Velocity_type, &value), KITH_OK);
    ((Velocity *)value)->dx += 1;
    CHECK_PTR_NULL(KITH_RESOURCE(it, Extra));
    CHECK_RESULT(kith_system_resource_mut(it, &Extra_type, &value), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_system_resource_mut(it, &Byte_type, &value), KITH_OK);
    ((Byte *)value)->value++;
    CHECK_UINT(KITH_RESOURCE(it, Byte)->value, r->calls + 1);
    CHECK_RESULT(KITH_SEND(it, Byte, {(uint8_t)(10 + r->calls)}), KITH_OK);
    CHECK_RESULT(kith_system_send(it, &Frozen_type, NULL), KITH_OK);
    CHECK_RESULT(kith_system_send(it, &Extra_type, NULL), KITH_OK);
    CHECK_PTR_NULL(KITH_EVENT(it, 0, Byte)); /* those of the last tick are gone */
    r->calls++;
}

TEST_EACH_LAYOUT(all_that_is_declared_is_reached, layout)
{
    fixture f = fixture_with_all(layout);
    reach r = {.gone = kith_spawn_empty(f.world)};
    CHECK_RESULT(kith_despawn(f.world, r.gone), KITH_OK);
    r.e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}),
                     KITH_VALUE(Frozen), KITH_VALUE(Burning));
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Byte, {0}), KITH_OK);
    add(f.world,
        (kith_system_def){
            .name = "reach",
            .run = reach_all,
            .user = &r,
            .query.terms =
                KITH_TERMS(KITH_READ(Position), KITH_OPTIONAL_MUT(Health), KITH_WITH(Frozen)),
            .lookups = KITH_TERMS(KITH_WRITE(Velocity), KITH_WRITE(Burning), KITH_READ(Health)),
            .resources = KITH_TERMS(KITH_WRITE(Byte), KITH_WRITE(Extra)),
            .events = KITH_TERMS(KITH_WRITE(Byte), KITH_READ(Byte), KITH_WRITE(Frozen),
                                 KITH_WRITE(Extra))});
    for (uint32_t tick = 1; tick <= 3; tick++) {
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(r.calls, tick);
        CHECK_FLOAT(KITH_GET(f.world, r.e, Velocity)->dx, 3 + (float)tick);
        CHECK_UINT(KITH_RESOURCE(f.world, Byte)->value, tick);
        CHECK_UINT(kith_event_count(f.world, &Byte_type), 1);
        CHECK_UINT(KITH_EVENT(f.world, 0, Byte)->value, 9 + tick);
        CHECK_UINT(kith_event_count(f.world, &Frozen_type), 1);
        CHECK_FLOAT(KITH_EVENT(f.world, 0, Extra)->c, 0);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}

/* Calls that a system repeats are inline. They see the same, and allow no more. */
typedef struct repeats {
    fixture f;
    kith_entity e;
    kith_entity gone;
} repeats;

static void repeat_calls(kith_iter *it)
{
    repeats *r = it->user;
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(KITH_HAS(it, r->e, Health) && !KITH_HAS(it, r->gone, Health));
        CHECK_PTR_NULL(KITH_GET(it, r->e, Health));
        expect_misuse(&r->f, "declares component Health as not accessed; declare it as KITH_READ");
        CHECK_FLOAT(KITH_GET(it, r->e, Position)->x, 1);
        CHECK_PTR_NULL(KITH_GET(it, r->gone, Position));
        CHECK_PTR_NULL(KITH_GET(it, KITH_NONE, Position));
        CHECK(KITH_HAS(it, r->e, Position) && !KITH_HAS(it, r->gone, Position));
        CHECK_PTR_NULL(KITH_GET_MUT(it, r->e, Position));
        expect_misuse(&r->f, "declares component Position as read; declare it as KITH_WRITE");
        KITH_GET_MUT(it, r->e, Velocity)->dx += 1;
        CHECK(KITH_GET_MUT(it, r->e, Velocity) == KITH_GET(it, r->e, Velocity));
        CHECK_PTR_NULL(KITH_GET_MUT(it, r->gone, Velocity));
        CHECK_PTR_NULL(KITH_GET(it, r->e, Extra));
        expect_misuse(&r->f, "does not declare component Extra");
        CHECK(!KITH_HAS(it, r->e, Extra));
        expect_misuse(&r->f, "does not declare component Extra");
    }
}

TEST_EACH_LAYOUT(repeated_calls_see_and_allow_the_same, layout)
{
    repeats r = {.f = fixture_with_all(layout)};
    kith_world *world = r.f.world;
    r.gone = KITH_SPAWN(world, KITH_VALUE(Position), KITH_VALUE(Velocity), KITH_VALUE(Health));
    CHECK_RESULT(kith_despawn(world, r.gone), KITH_OK);
    r.e = KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}),
                     KITH_VALUE(Health), KITH_VALUE(Extra));
    add(world, (kith_system_def){.name = "repeats",
                                 .run = repeat_calls,
                                 .user = &r,
                                 .query.terms = KITH_TERMS(KITH_READ(Position), KITH_WITH(Health)),
                                 .lookups = KITH_TERMS(KITH_WRITE(Velocity))});
    kith_query *changed = KITH_QUERY(world, KITH_CHANGED(Velocity));
    CHECK_PTR_NOT_NULL(changed);
    for (uint32_t tick = 1; tick <= 3; tick++) {
        uint32_t seen = 0;
        for (kith_iter it = kith_query_iter(changed); kith_next(&it);) {
            seen += it.count;
        }
        CHECK_UINT(seen, 1); /* written since the look before */
        CHECK_RESULT(kith_run(world, 1), KITH_OK);
        CHECK_FLOAT(KITH_GET(world, r.e, Velocity)->dx, 3 + 3 * (float)tick);
        CHECK_WORLD(world);
    }
    fixture_free(&r.f);
}

static kith_query *a_query; /* the program's own type */

/* What a system does to what it has not declared. */
static void reach_undeclared(kith_iter *it, fixture *f, kith_entity e)
{
    void *value = f;
    CHECK_PTR_NULL(KITH_AT_MUT(it, 0, Position));
    expect_misuse(f, "\"rules\" has a term for Position that only reads it; declare it as");
    CHECK_PTR_NULL(KITH_GET(it, e, Velocity));
    expect_misuse(
        f,
        "system \"rules\" does not declare component Velocity: .lookups = KITH_TERMS(KITH_READ(");
    CHECK(!KITH_HAS(it, e, Velocity));
    expect_misuse(
        f, "kith_system_has (KITH_HAS): system \"rules\" does not declare component Velocity");
    CHECK_RESULT(kith_system_get_mut(it, e, &Position_type, &value), KITH_ERR_MISUSE);
    expect_misuse(f, "declares component Position as read; declare it as KITH_WRITE(Position)");
    CHECK_RESULT(kith_system_resource_mut(it, &Byte_type, &value), KITH_ERR_MISUSE);
    expect_misuse(f,
                  "kith_system_resource_mut (KITH_RESOURCE_MUT): system \"rules\" declares resource"
                  " Byte as read");
    CHECK_PTR_NULL(KITH_RESOURCE(it, Extra));
    expect_misuse(
        f, "does not declare resource Extra: .resources = KITH_TERMS(KITH_READ(Extra)) in its"
           " definition; in C++ a parameter kith::resource<const Extra>");
    CHECK_RESULT(KITH_SEND(it, Byte, {1}), KITH_ERR_MISUSE);
    expect_misuse(
        f, "does not declare event Byte: .events = KITH_TERMS(KITH_WRITE(Byte)) in its definition;"
           " in C++ a parameter kith::sender<Byte>");
    CHECK_PTR_NULL(KITH_EVENT(it, 0, Extra));
    expect_misuse(f,
                  "kith_system_event (KITH_EVENT): system \"rules\" does not declare event Extra");
    CHECK_UINT(kith_system_event_count(it, &Extra_type), 0);
    expect_misuse(f, "kith_system_event_count: system \"rules\" does not declare event Extra");
    CHECK_RESULT(KITH_SEND(it, Health, {1, 1}), KITH_ERR_MISUSE);
    expect_misuse(f, "kith_system_send (KITH_SEND): system \"rules\" declares event Health as read;"
                     " declare KITH_WRITE(Health) too");
    CHECK_PTR_NULL(KITH_EVENT(it, 0, Position));
    expect_misuse(f, "declares event Position as sent; declare KITH_READ(Position) too");
    CHECK_UINT(kith_system_event_count(it, &Position_type), 0);
    expect_misuse(f, "declares event Position as sent; declare KITH_READ(Position) too");
    CHECK(value == f);

    CHECK(!kith_system_has_hooks(it, NULL));
    expect_misuse(f, "kith_system_has_hooks: the type is NULL");
}

/* The world itself is misuse in every thread. */
static void reach_world(fixture *f, kith_entity e)
{
    CHECK_PTR_NULL(KITH_GET(f->world, e, Position));
    expect_misuse(f, "kith_get: called from within query system \"rules\"");
    CHECK(!KITH_HAS(f->world, e, Position));
    expect_misuse(f, "kith_has: called from within");
    CHECK_RESULT(KITH_SET(f->world, e, Position, {1, 1}), KITH_ERR_MISUSE);
    expect_misuse(f, "kith_set: called from within");
    CHECK_PTR_NULL(KITH_RESOURCE(f->world, Byte));
    expect_misuse(f, "kith_resource_get: called from within");
    CHECK_RESULT(KITH_RESOURCE_SET(f->world, Byte, {1}), KITH_ERR_MISUSE);
    expect_misuse(f, "kith_resource_set: called from within");
    CHECK_RESULT(KITH_SEND(f->world, Byte, {1}), KITH_ERR_MISUSE);
    expect_misuse(f, "kith_event_send: called from within");
    CHECK_UINT(kith_event_count(f->world, &Byte_type), 0);
    expect_misuse(f, "kith_event_count: called from within");
    CHECK_UINT(kith_world_hash(f->world), 0);
    expect_misuse(f, "kith_world_hash: called from within");
    CHECK_RESULT(kith_world_check(f->world), KITH_ERR_MISUSE);
    expect_misuse(f, "kith_world_check: called from within");
    CHECK_PTR_NULL(KITH_QUERY(f->world, KITH_READ(Position)));
    expect_misuse(f, "kith_query_new: called from within");
    CHECK_UINT(kith_query_count(a_query), 0);
    expect_misuse(f, "kith_query_count: called from within query system \"rules\"");
    CHECK_UINT(kith_memory(f->world).used, 0);
    expect_misuse(f, "kith_memory: called from within");
    kith_world_claim(f->world);
    expect_misuse(f, "kith_world_claim: called from within");
    CHECK(kith_alive(f->world, e) && kith_entity_count(f->world) == 1);
    CHECK_UINT(kith_tick_count(f->world), 1);
    const kith_type *type = kith_component_next(f->world, e, NULL);
    CHECK_STR(type->name, "Position");
    CHECK_STR(kith_component_next(f->world, e, type)->name, "Velocity");
    CHECK(kith_type_find(f->world, "Position") == type);
}

static void break_rules(kith_iter *it)
{
    CHECK(kith_next(it));
    kith_entity e = kith_entities(it)[0];
    reach_undeclared(it, it->user, e);
    reach_world(it->user, e);
}

static void hurry(kith_iter *it)
{
    while (kith_next(it)) {
        Position *position = KITH_COLUMN_MUT(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            position[i].x += it->dt;
        }
    }
}

/* A system in a line: its name is the function's. */
TEST_EACH_LAYOUT(a_system_in_a_line, layout)
{
    fixture f = fixture_new();
    register_all(f.world, layout);
    CHECK_RESULT(KITH_SYSTEM(f.world, hurry, KITH_WRITE(Position), KITH_WITHOUT(Frozen)), KITH_OK);
    CHECK_RESULT(KITH_SYSTEM(f.world, hurry, KITH_WRITE(Position)), KITH_ERR_CONFLICT);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 0}));
    kith_entity frozen = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 0}), KITH_VALUE(Frozen));
    CHECK_RESULT(kith_run(f.world, 2), KITH_OK);
    CHECK_STR(kith_system_at(f.world, 0, NULL, NULL), "hurry");
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 3);
    CHECK_FLOAT(KITH_GET(f.world, frozen, Position)->x, 1);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* After the terms come fields of the definition, up to 16 terms; a system may do without either. */
TEST(a_system_in_a_line_has_fields)
{
    fixture f = fixture_new();
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 0}));
    CHECK_RESULT(KITH_SYSTEM(f.world, hurry, KITH_WRITE(Position), KITH_WITHOUT(Frozen),
                             .every_ticks = 2, .priority = 7),
                 KITH_OK);
    int32_t priority = 0;
    CHECK_STR(kith_system_at(f.world, 0, &priority, NULL), "hurry");
    CHECK_INT(priority, 7);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 3);

    CHECK_RESULT(KITH_SYSTEM(f.world, run_nothing, KITH_WRITE(Position),
                             .query.terms = KITH_TERMS(KITH_WRITE(Position))),
                 KITH_ERR_INPUT);
    CHECK_STR(kith_error(f.world),
              "kith_system_add: 'run_nothing' has terms in KITH_SYSTEM and in `query`;"
              " write all of them as .query.terms = KITH_TERMS(...)");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Sixteen terms fit; the seventeenth is told, and not lost. */
TEST(a_system_in_a_line_has_up_to_16_terms)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQ";
    fixture f = fixture_new();
    kith_type types[17];
    char names[17][2];
    kith_system_def def = {.name = "many", .run = hurry};
    for (uint32_t i = 0; i < 17; i++) {
        memcpy(names[i], (char[2]){letters[i]}, 2);
        types[i] = (kith_type){.name = names[i], .align = 1};
        def.terms[i + 1] = (kith_term){.type = &types[i]};
    }
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_ERR_INPUT);
    CHECK_STR(kith_error(f.world), "kith_system_add: 'many' has more than 16 terms in KITH_SYSTEM;"
                                   " write all of them as .query.terms = KITH_TERMS(...)");
    def.terms[17] = (kith_term){0};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* The same verbs as in a system, on an iterator that the program opened: they are those of its world. */
TEST_EACH_LAYOUT(an_iterator_of_ones_own_stands_for_its_world, layout)
{
    fixture f = fixture_new();
    register_all(f.world, layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen));
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Health, {7, 8}), KITH_OK);
    kith_query *query = KITH_QUERY(f.world, KITH_WITH(Position));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    CHECK(KITH_ALIVE(&it, e) && !KITH_ALIVE(&it, KITH_NONE));
    CHECK(KITH_HAS(&it, e, Frozen) && !KITH_HAS(&it, e, Velocity));
    CHECK(KITH_GET(&it, e, Position) == KITH_GET(f.world, e, Position));
    CHECK(KITH_GET_MUT(&it, e, Position) == KITH_GET_MUT(f.world, e, Position));
    CHECK_PTR_NULL(KITH_GET_MUT(&it, e, Velocity));
    CHECK_INT(KITH_RESOURCE(&it, Health)->current, 7);
    KITH_RESOURCE_MUT(&it, Health)->current = 9;
    CHECK_INT(KITH_RESOURCE(f.world, Health)->current, 9);
    CHECK_PTR_NULL(KITH_RESOURCE_MUT(&it, Velocity));
    const Byte byte = {3};
    CHECK_RESULT(KITH_SEND(&it, Byte, {2}), KITH_OK);
    CHECK_RESULT(KITH_SEND(&it, Byte, byte), KITH_OK);
    CHECK_INT(KITH_EVENT(&it, 1, Byte)->value, 3);
    CHECK_INT(KITH_EVENT(f.world, 0, Byte)->value, 2);
    CHECK_PTR_NULL(KITH_EVENT(&it, 2, Byte));
    CHECK_UINT(kith_system_event_count(&it, &Byte_type), 2);
    CHECK_UINT(kith_system_event_count(&it, &Extra_type), 0);
    CHECK_UINT(misuse_count(&f), 0);
    kith_iter_close(&it);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(what_is_not_declared_is_refused, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}));
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Byte, {0}), KITH_OK);
    uint64_t before = kith_content_hash(f.world);
    a_query = KITH_QUERY(f.world, KITH_READ(Position));
    add(f.world, (kith_system_def){.name = "rules",
                                   .run = break_rules,
                                   .user = &f,
                                   .query.terms = KITH_TERMS(KITH_READ(Position)),
                                   .resources = KITH_TERMS(KITH_READ(Byte)),
                                   .events = KITH_TERMS(KITH_READ(Health), KITH_WRITE(Position))});
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(kith_content_hash(f.world), before);
    CHECK_PTR_NOT_NULL(KITH_RESOURCE(f.world, Byte));
    fixture_free(&f);
}

/* The remedy for reading is not the one for writing. */
static void reach_for_others(kith_iter *it)
{
    fixture *f = it->user;
    void *value;
    while (kith_next(it)) {
        CHECK_PTR_NULL(KITH_GET(it, kith_entities(it)[0], Position));
        expect_misuse(f,
                      "writing the value; declare KITH_BEFORE, for values before the stage, or do");
        CHECK_RESULT(kith_system_get_mut(it, kith_entities(it)[0], &Position_type, &value),
                     KITH_ERR_MISUSE);
        expect_misuse(f, "writing the value; queue commands, or do without `parallel`");
    }
}

TEST(a_parallel_system_is_told_what_helps)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    add(f.world, (kith_system_def){.name = "reaches",
                                   .run = reach_for_others,
                                   .parallel = true,
                                   .user = &f,
                                   .query.terms = KITH_TERMS(KITH_WRITE(Position))});
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    fixture_free(&f);
}

/* ---- Failing --------------------------------------------------------------------------------- */

/* Writes, queues and sends, and then fails if it is told to. */
static void act(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Health)->current++;
            (void)KITH_SEND(it, Byte, {1});
            KITH_SPAWN(it->commands, KITH_VALUE(Byte, {1}));
        }
    }
    it->result = *(kith_result *)it->user;
}

static void act_extra(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Extra)->a++;
            (void)KITH_SEND(it, Extra, {1, 2, 3});
            KITH_SPAWN(it->commands, KITH_VALUE(Extra, {1, 0, 0}));
        }
    }
    it->result = *(kith_result *)it->user;
}

static void count_call(kith_iter *it)
{
    ++*(uint32_t *)it->user;
}

static void add_acts(kith_world *world, kith_result *first, kith_result *second, uint32_t *later)
{
    add(world, (kith_system_def){.name = "first",
                                 .run = act,
                                 .user = first,
                                 .parallel = true,
                                 .query.terms = KITH_TERMS(KITH_WRITE(Health)),
                                 .events = KITH_TERMS(KITH_WRITE(Byte))});
    add(world, (kith_system_def){.name = "second",
                                 .run = act_extra,
                                 .user = second,
                                 .query.terms = KITH_TERMS(KITH_WRITE(Extra)),
                                 .events = KITH_TERMS(KITH_WRITE(Extra))});
    add(world, (kith_system_def){.name = "later", .run = count_call, .user = later, .priority = 1});
}

/* All memory from the allocator is counted, also that of sent events. */
static void check_memory(const fixture *f)
{
    const kith_memory_stats stats = kith_memory(f->world);
    CHECK_UINT(stats.used + stats.commands, f->memory->bytes);
    CHECK_UINT(stats.allocations, f->memory->pieces);
}

/* If one system of a stage fails, the others run to their end, and what they queued and sent is
 * applied. What the failed one queued and sent is not; what both wrote stays; no later stage
 * runs. With and without workers. */
TEST_EACH_LAYOUT(a_system_fails_beside_others, layout)
{
    for (uint32_t workers = 0; workers < 3; workers++) {
        fixture f = fixture_with_all(layout);
        kith_entity e =
            KITH_SPAWN(f.world, KITH_VALUE(Health, {0, 0}), KITH_VALUE(Extra, {0, 0, 0}));
        kith_result first = KITH_ERR_SYSTEM;
        kith_result second = KITH_OK;
        uint32_t later = 0;
        add_acts(f.world, &first, &second, &later);
        CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = workers + 1}),
                     KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_SYSTEM);
        CHECK_CONTAINS(kith_error(f.world), "system 'first' failed: KITH_ERR_SYSTEM");
        CHECK_UINT(later, 0);
        CHECK_INT(KITH_GET(f.world, e, Health)->current, 1);
        CHECK_FLOAT(KITH_GET(f.world, e, Extra)->a, 1);
        CHECK_UINT(kith_entity_count(f.world), 2);
        CHECK_UINT(kith_event_count(f.world, &Byte_type), 0);
        CHECK_UINT(kith_event_count(f.world, &Extra_type), 1);
        CHECK_WORLD(f.world);
        check_memory(&f);

        /* Both fail: the error names the first one in the order. */
        second = KITH_ERR_LIMIT;
        CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_SYSTEM);
        CHECK_CONTAINS(kith_error(f.world), "'first'");
        CHECK_UINT(kith_entity_count(f.world), 2);
        first = KITH_OK;
        CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_LIMIT);
        CHECK_CONTAINS(kith_error(f.world), "'second'");
        CHECK_UINT(kith_entity_count(f.world), 3);
        CHECK_UINT(kith_event_count(f.world, &Byte_type), 1);

        second = KITH_OK;
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(later, 1);
        CHECK_UINT(kith_entity_count(f.world), 6);
        fixture_free(&f);
    }
}

/* Whichever allocation of a tick fails, each system fails completely or succeeds, and the next
 * tick is possible. */
static bool run_without(kith_layout layout, uint32_t workers, size_t nth)
{
    fixture f = fixture_with_all(layout);
    static Health health[1500];
    const kith_values values[] = {KITH_VALUES(Health, health), KITH_VALUE(Extra, {0, 0, 0})};
    CHECK_RESULT(kith_spawn_many(f.world, 1500, values, 2, NULL), KITH_OK);
    kith_result fine = KITH_OK;
    uint32_t later = 0;
    add_acts(f.world, &fine, &fine, &later);
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = workers + 1}), KITH_OK);
    fail_allocation(&f, nth);
    kith_result result = kith_run(f.world, 1);
    bool reached = fail_nothing(&f);
    CHECK_WORLD(f.world);
    CHECK(result == KITH_OK || (reached && result == KITH_ERR_MEMORY));
    uint32_t bytes = kith_event_count(f.world, &Byte_type);
    uint32_t extras = kith_event_count(f.world, &Extra_type);
    CHECK(bytes == 0 || bytes == 1500);
    CHECK(extras == 0 || extras == 1500);
    CHECK_UINT(kith_entity_count(f.world), 1500 + bytes + extras);
    CHECK_UINT(later, result == KITH_OK);
    if (result == KITH_OK) {
        CHECK_UINT(bytes + extras, 3000);
    } else {
        CHECK_CONTAINS(kith_error(f.world), bytes == 0    ? "'first'"
                                            : extras == 0 ? "'second'"
                                                          : "'later'");
    }
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(later, 1 + (result == KITH_OK));
    CHECK_WORLD(f.world);
    check_memory(&f);
    fixture_free(&f);
    return reached;
}

TEST_EACH_LAYOUT_WITHIN(10, ticks_survive_every_allocation_failure, layout)
{
    for (uint32_t workers = 0; workers < 3; workers += 2) {
        size_t nth = 1;
        while (run_without(layout, workers, nth)) {
            nth += nth < 40 ? 1 : 7;
        }
        CHECK(nth > 10);
    }
}
