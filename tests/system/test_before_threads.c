/* KITH_BEFORE: systems that read what they write, as it was before their stage. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "memory.h"
#include "owned.h"
#include "test.h"

enum { TICKS = 4 };

/* Some blocks of each storage. */
static uint32_t row_count(void)
{
    return test_short() ? 2500 : 6000;
}

/* Adds the target's health, before the stage, to one's own; and sees that its own is still the old one
 * after it was written. */
static void add_up(kith_iter *it)
{
    kith_lookup before = KITH_LOOKUP(it, Health);
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Health *health = KITH_AT_MUT(it, i, Health);
            const kith_entity self = kith_entities(it)[i];
            const kith_entity target = KITH_AT(it, i, Target)->entity;
            const Health *there = KITH_GET(it, target, Health);
            const int32_t old = health->current;
            CHECK(there == KITH_GET(&before, target, Health));
            CHECK_INT(KITH_HAS(it, target, Health), there != NULL);
            health->current += there == NULL ? 1 : there->current % 1000;
            CHECK_INT(KITH_GET(it, self, Health)->current, old);
            CHECK_INT(KITH_GET(&before, self, Health)->current, old);
        }
    }
}

/* A world in which each has a target, in another table or in none. */
typedef struct crowd {
    fixture f;
    kith_entity *entities;
    int32_t *current; /* what Health is to be, by entity */
    uint32_t *targets;
    uint32_t count;
} crowd;

static crowd crowd_new(kith_layout layout)
{
    crowd c = {.f = fixture_with_all(layout), .count = row_count()};
    c.entities = malloc(c.count * sizeof *c.entities);
    c.current = malloc(c.count * sizeof *c.current);
    c.targets = malloc(c.count * sizeof *c.targets);
    for (uint32_t i = 0; i < c.count; i++) {
        c.current[i] = (int32_t)(i * 7 % 1001);
        c.targets[i] = (i * 37 + 11) % c.count;
        c.entities[i] = KITH_SPAWN(c.f.world, KITH_VALUE(Health, {c.current[i], 5}));
        if (i % 3 == 0) {
            KITH_ADD(c.f.world, c.entities[i], Byte);
        }
        if (i % 5 == 0) {
            KITH_ADD(c.f.world, c.entities[i], Velocity);
        }
    }
    for (uint32_t i = 0; i < c.count; i++) {
        KITH_SET(c.f.world, c.entities[i], Target, {c.entities[c.targets[i]]});
    }
    const kith_entity alone = KITH_SPAWN(c.f.world, KITH_VALUE(Position, {0, 0}));
    KITH_SET(c.f.world, c.entities[0], Target, {alone});
    c.targets[0] = UINT32_MAX;
    return c;
}

static void crowd_free(crowd *c)
{
    free(c->entities);
    free(c->current);
    free(c->targets);
    fixture_free(&c->f);
}

/* What a tick does, with a copy of all values. */
static void crowd_expect_tick(crowd *c)
{
    int32_t *before = malloc(c->count * sizeof *before);
    memcpy(before, c->current, c->count * sizeof *before);
    for (uint32_t i = 0; i < c->count; i++) {
        c->current[i] += c->targets[i] == UINT32_MAX ? 1 : before[c->targets[i]] % 1000;
    }
    free(before);
}

static void crowd_check(const crowd *c)
{
    CHECK_WORLD(c->f.world);
    for (uint32_t i = 0; i < c->count; i++) {
        CHECK_INT(KITH_GET(c->f.world, c->entities[i], Health)->current, c->current[i]);
    }
}

static void crowd_add_system(crowd *c, bool parallel)
{
    const kith_system_def def = {.name = "sums",
                                 .run = add_up,
                                 .parallel = parallel,
                                 .query.terms = KITH_TERMS(KITH_WRITE(Health), KITH_READ(Target)),
                                 .lookups = KITH_TERMS(KITH_BEFORE(Health))};
    CHECK_RESULT(kith_system_add(c->f.world, &def), KITH_OK);
}

TEST_EACH_LAYOUT_WITHIN(20, all_values_are_those_before_the_stage, layout)
{
    for (uint32_t threads = 1; threads <= 4; threads += threads) {
        crowd c = crowd_new(layout);
        crowd_add_system(&c, threads != 1);
        CHECK_RESULT(kith_workers_set(c.f.world, &(kith_workers_def){.threads = threads}), KITH_OK);
        for (int tick = 0; tick < TICKS; tick++) {
            CHECK_RESULT(kith_run(c.f.world, 1), KITH_OK);
            crowd_expect_tick(&c);
            crowd_check(&c);
        }
        crowd_free(&c);
    }
}

/* With snapshots that share the same blocks, and rows that came and went between the ticks. */
TEST_EACH_LAYOUT_WITHIN(20, snapshots_share_the_same_blocks, layout)
{
    crowd c = crowd_new(layout);
    crowd_add_system(&c, true);
    CHECK_RESULT(kith_run(c.f.world, 1), KITH_OK);
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(c.f.world, &snapshot), KITH_OK);
    CHECK_RESULT(kith_run(c.f.world, 1), KITH_OK);
    for (uint32_t i = 0; i < 1500; i++) {
        KITH_SPAWN(c.f.world, KITH_VALUE(Health, {1, 1}), KITH_VALUE(Target, {c.entities[i]}));
    }
    CHECK_RESULT(kith_run(c.f.world, 1), KITH_OK);
    const uint64_t hash = kith_world_hash(c.f.world);
    CHECK_RESULT(kith_snapshot_restore(c.f.world, snapshot), KITH_OK);
    crowd_expect_tick(&c);
    crowd_check(&c);
    CHECK_RESULT(kith_run(c.f.world, 1), KITH_OK);
    for (uint32_t i = 0; i < 1500; i++) {
        KITH_SPAWN(c.f.world, KITH_VALUE(Health, {1, 1}), KITH_VALUE(Target, {c.entities[i]}));
    }
    CHECK_RESULT(kith_run(c.f.world, 1), KITH_OK);
    CHECK_UINT(kith_world_hash(c.f.world), hash);
    kith_snapshot_free(snapshot);
    crowd_free(&c);
}

/* ---- Want of memory ---------------------------------------------------------------------------- */

/* A tick that runs out of memory fails, and lets go of what it kept: each value is the one before or the
 * one after. Then memory is back, and the next tick runs. */
TEST_EACH_LAYOUT_WITHIN(30, a_tick_without_memory_fails, layout)
{
    crowd c = crowd_new(layout);
    crowd_add_system(&c, true);
    for (size_t nth = 1;; nth++) {
        int32_t *before = malloc(c.count * sizeof *before);
        for (uint32_t i = 0; i < c.count; i++) {
            before[i] = KITH_GET(c.f.world, c.entities[i], Health)->current;
        }
        memcpy(c.current, before, c.count * sizeof *before);
        crowd_expect_tick(&c);
        test_memory_fail(c.f.memory, nth, true);
        const kith_result result = kith_run(c.f.world, 1);
        const bool failed = test_memory_fail_nothing(c.f.memory);
        CHECK_RESULT(result, failed ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_WORLD(c.f.world);
        for (uint32_t i = 0; i < c.count; i++) {
            const int32_t now = KITH_GET(c.f.world, c.entities[i], Health)->current;
            CHECK(now == c.current[i] || (failed && now == before[i]));
        }
        free(before);
        if (!failed) {
            CHECK(nth > 2);
            break;
        }
    }
    crowd_free(&c);
}

static void swap(kith_iter *it)
{
    while (kith_next(it)) {
        Health *health = KITH_COLUMN_MUT(it, Health);
        Extra *extra = KITH_COLUMN_MUT(it, Extra);
        for (uint32_t i = 0; i < it->count; i++) {
            health[i].current = (int32_t)KITH_GET(it, kith_entities(it)[i], Extra)->a;
            extra[i].a = (float)KITH_GET(it, kith_entities(it)[i], Health)->current;
        }
    }
}

/* Two types, of which the one that is kept first has no room any more. */
TEST_EACH_LAYOUT(one_of_two_cannot_be_kept, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 0}), KITH_VALUE(Extra, {2, 0, 0}));
    const kith_system_def def = {.name = "swaps",
                                 .run = swap,
                                 .query.terms = KITH_TERMS(KITH_WRITE(Health), KITH_WRITE(Extra)),
                                 .lookups = KITH_TERMS(KITH_BEFORE(Health), KITH_BEFORE(Extra))};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    for (uint32_t i = 1; i < row_count(); i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 0}), KITH_VALUE(Extra, {2, 0, 0}));
    }
    test_memory_fail(f.memory, 1, true);
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_MEMORY);
    CHECK(test_memory_fail_nothing(f.memory));
    CHECK_WORLD(f.world);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_WORLD(f.world);
    const kith_entity first = kith_entity_next(f.world, KITH_NONE);
    CHECK_INT(KITH_GET(f.world, first, Health)->current, 1);
    CHECK_UINT(KITH_GET(f.world, first, Extra)->a == 2, 1);
    CHECK_INT(KITH_GET(f.world, kith_entity_next(f.world, first), Health)->current, 2);
    fixture_free(&f);
}

/* ---- Values with hooks --------------------------------------------------------------------------- */

static void count_notes(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const kith_entity self = kith_entities(it)[i];
            Owned *owned = KITH_AT_MUT(it, i, Owned);
            const Owned *before = KITH_GET(it, self, Owned);
            CHECK(before != owned && before->number != owned->number);
            *owned->number += *before->number + 1;
            CHECK_UINT(*KITH_GET(it, self, Owned)->number + 1, *owned->number - *before->number);
        }
    }
}

TEST_EACH_LAYOUT(values_with_hooks_are_copied, layout)
{
    owned_record record = {0};
    fixture f = fixture_new();
    const kith_hooks hooks = owned_hooks(&record);
    CHECK_RESULT(kith_register(f.world, &Owned_type,
                               &(kith_component_def){.layout = layout, .hooks = &hooks}),
                 KITH_OK);
    for (uint32_t i = 0; i < 700; i++) {
        KITH_ADD(f.world, KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 0})), Owned);
    }
    CHECK_RESULT(KITH_SYSTEM(f.world, count_notes, KITH_WRITE(Owned), .parallel = true,
                             .lookups = KITH_TERMS(KITH_BEFORE(Owned))),
                 KITH_OK);
    uint32_t number = OWNED_INITIAL;
    for (int tick = 0; tick < TICKS; tick++) {
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_WORLD(f.world);
        CHECK_UINT(record.live, 700);
        number = number * 2 + 1;
        for (kith_entity e = kith_entity_next(f.world, KITH_NONE); !kith_is_none(e);
             e = kith_entity_next(f.world, e)) {
            CHECK_UINT(*KITH_GET(f.world, e, Owned)->number, number);
        }
    }
    owned_fail(&record, 1);
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_MEMORY);
    CHECK_WORLD(f.world);
    CHECK_UINT(record.live, 700);
    owned_fail(&record, 0);
    fixture_free(&f);
    CHECK_UINT(record.live, 0);
}

/* ---- What is refused ----------------------------------------------------------------------------- */

static void nothing(kith_iter *it)
{
    (void)it;
}

static const struct {
    kith_system_def def;
    kith_result result;
    const char *part;
} refused[] = {
    {{.name = "x", .run = nothing, .lookups = KITH_TERMS(KITH_BEFORE(Frozen))},
     KITH_ERR_INPUT,
     "'x': KITH_BEFORE(Frozen): it is a tag, which has no value; use KITH_READ"},
    {{.name = "x", .run = nothing, .lookups = KITH_TERMS(KITH_BEFORE(Byte), KITH_READ(Byte))},
     KITH_ERR_INPUT,
     "KITH_BEFORE(Byte) is not the only term of Byte in `lookups`"},
    {{.name = "x", .run = nothing, .lookups = KITH_TERMS(KITH_WRITE(Byte), KITH_BEFORE(Byte))},
     KITH_ERR_INPUT,
     "is not the only term of Byte in `lookups`"},
    {{.name = "x", .run = nothing, .resources = KITH_TERMS(KITH_BEFORE(Byte))},
     KITH_ERR_INPUT,
     "'x': what it uses besides its query is declared by KITH_READ(Byte) or KITH_WRITE(Byte)"},
    {{.name = "x", .run = nothing, .query.terms = KITH_TERMS(KITH_BEFORE(Byte))},
     KITH_ERR_INPUT,
     "term 0 (Byte): KITH_BEFORE is for the `lookups` of systems"},
    {{.name = "x", .run = nothing, .lookups = KITH_TERMS(KITH_BEFORE(Owned))},
     KITH_ERR_TYPE,
     "'x': KITH_BEFORE(Owned): its values cannot be copied, as its hooks have no `copy`"},
};

TEST(what_cannot_be_kept_is_refused)
{
    owned_record record = {0};
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_hooks hooks = owned_hooks_without_copy(&record);
    CHECK_RESULT(kith_register(f.world, &Owned_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_OK);
    for (size_t i = 0; test_row(i, ROWS_OF(refused)); i++) {
        CHECK_RESULT(kith_system_add(f.world, &refused[i].def), refused[i].result);
        CHECK_CONTAINS(kith_error(f.world), refused[i].part);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}

static void reach(kith_iter *it)
{
    fixture *f = it->user;
    while (kith_next(it)) {
        const kith_entity self = kith_entities(it)[0];
        CHECK(KITH_GET(it, self, Health) == KITH_COLUMN(it, Health));
        CHECK_PTR_NULL(KITH_GET_MUT(it, self, Health));
        expect_misuse(f, "kith_system_get_mut (KITH_GET_MUT): system \"reads\" declares Health as"
                         " KITH_BEFORE, which is to read; write it by the query");
    }
}

static void only_read(kith_iter *it)
{
    while (kith_next(it)) {
        CHECK(KITH_GET(it, kith_entities(it)[0], Health) == KITH_COLUMN(it, Health));
    }
}

/* Adds a system that reads Health, and looks it up as a term says; returns how many allocations there
 * were in the end. */
static size_t read_with(kith_layout layout, void (*run)(kith_iter *it), kith_term lookup)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 2}));
    const kith_system_def def = {.name = "reads",
                                 .run = run,
                                 .user = &f,
                                 .query.terms = KITH_TERMS(KITH_READ(Health)),
                                 .lookups = (const kith_term[]){lookup, {0}}};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    const size_t allocations = f.memory->allocations;
    fixture_free(&f);
    return allocations;
}

TEST_EACH_LAYOUT(what_is_only_read_is_not_kept, layout)
{
    const kith_term before = KITH_BEFORE(Health), now = KITH_READ(Health);
    CHECK_UINT(read_with(layout, only_read, before), read_with(layout, only_read, now));
    read_with(layout, reach, before);
}

/* A component that the world knows late is found in tables in another way. */
KITH_COMPONENT(Late, (int32_t, number), (kith_entity, before));

static void shift(kith_iter *it)
{
    while (kith_next(it)) {
        Late *late = KITH_COLUMN_MUT(it, Late);
        for (uint32_t i = 0; i < it->count; i++) {
            const Late *before = KITH_GET(it, late[i].before, Late);
            late[i].number = before == NULL ? 0 : before->number;
        }
    }
}

TEST(components_that_came_late)
{
    fixture f = fixture_with_all(KITH_TABLE);
    for (int i = 0; i < 80; i++) {
        char name[16];
        snprintf(name, sizeof name, "Early%d", i);
        CHECK_RESULT(kith_define(f.world, &(kith_type_def){.name = name}, NULL), KITH_OK);
    }
    kith_entity last = KITH_NONE;
    for (int32_t i = 0; i < 3000; i++) {
        last = KITH_SPAWN(f.world, KITH_VALUE(Late, {i, last}));
    }
    CHECK_RESULT(KITH_SYSTEM(f.world, shift, KITH_WRITE(Late), .parallel = true,
                             .lookups = KITH_TERMS(KITH_BEFORE(Late))),
                 KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_INT(KITH_GET(f.world, last, Late)->number, 2998);
    fixture_free(&f);
}
