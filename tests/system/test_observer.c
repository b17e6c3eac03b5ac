/* Observers: what each is told, in which order, and when. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

/* What an observer was told since the last check. */
typedef struct told {
    kith_entity entities[3000];
    uint32_t count;
    uint32_t calls;
    uint32_t largest;
    kith_observer_kind kind;
} told;

static void keep(const kith_observed *observed)
{
    told *t = observed->user;
    CHECK(observed->count > 0 && t->count + observed->count <= 3000);
    memcpy(t->entities + t->count, observed->entities,
           observed->count * sizeof(*observed->entities));
    t->count += observed->count;
    t->calls++;
    t->largest = observed->count > t->largest ? observed->count : t->largest;
    t->kind = observed->kind;
}

static void observe_type(kith_world *world, kith_observer_kind kind, const kith_type *type, told *t)
{
    *t = (told){0};
    const kith_observer_def def = {.kind = kind, .type = type, .run = keep, .user = t};
    CHECK_RESULT(kith_observer_new(world, &def, NULL), KITH_OK);
}

/* Delivers, and checks that these entities were told, in this order. */
static void check_told(kith_world *world, told *t, const kith_entity *expected, uint32_t count)
{
    CHECK_RESULT(kith_observers_flush(world), KITH_OK);
    CHECK_WORLD(world);
    CHECK_UINT(t->count, count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_SAME(t->entities[i], expected[i]);
    }
    *t = (told){0};
}

#define CHECK_TOLD(world, t, ...)                                                                  \
    check_told((world), (t), (const kith_entity[]){__VA_ARGS__},                                   \
               (uint32_t)(sizeof((const kith_entity[]){__VA_ARGS__}) / sizeof(kith_entity)))
#define CHECK_TOLD_NOTHING(world, t) check_told((world), (t), NULL, 0)

TEST_EACH_LAYOUT(added_removed_and_despawned, layout)
{
    fixture f = fixture_with_all(layout);
    static told added;
    static told removed;
    static told ended;
    kith_entity before = KITH_SPAWN(f.world, KITH_VALUE(Position));
    observe_type(f.world, KITH_ON_ADD, &Position_type, &added);
    observe_type(f.world, KITH_ON_REMOVE, &Position_type, &removed);
    observe_type(f.world, KITH_ON_DESPAWN, &Position_type, &ended);
    CHECK_TOLD_NOTHING(f.world, &added);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Position));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Velocity));
    CHECK_RESULT(KITH_ADD(f.world, b, Position), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, a, Position), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, a, Position, {1, 1}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, a, Position, {2, 2}), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, before), KITH_OK);
    CHECK_RESULT(kith_remove_all(f.world, b), KITH_OK);
    CHECK_TOLD(f.world, &added, a, b, a);
    /* All were told at the same delivery. */
    CHECK_UINT(removed.count, 3);
    CHECK_SAME(removed.entities[0], a);
    CHECK_SAME(removed.entities[1], before);
    CHECK_SAME(removed.entities[2], b);
    CHECK_UINT(ended.count, 1);
    CHECK_SAME(ended.entities[0], before);
    CHECK_INT(ended.kind, KITH_ON_DESPAWN);
    removed = ended = (told){0};
    CHECK_TOLD_NOTHING(f.world, &removed);
    CHECK_UINT(added.count + ended.count, 0);
    fixture_free(&f);
}

/* Many entities are told in long batches, of 1,024 at most, and no entity twice. */
TEST_EACH_LAYOUT(in_runs, layout)
{
    fixture f = fixture_with_all(layout);
    static told added;
    observe_type(f.world, KITH_ON_ADD, &Byte_type, &added);
    static kith_entity e[2500];
    const kith_values values = KITH_VALUE(Byte, {1});
    CHECK_RESULT(kith_spawn_many(f.world, 2500, &values, 1, e), KITH_OK);
    CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
    CHECK(added.calls >= 3 && added.calls <= 6);
    CHECK(added.largest >= 417 && added.largest <= 1024);
    check_told(f.world, &added, e, 2500);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(values_that_were_set, layout)
{
    fixture f = fixture_with_all(layout);
    CHECK_RESULT(kith_register(f.world, &Health_type,
                               &(kith_component_def){.layout = layout, .exact_changes = true}),
                 KITH_OK);
    kith_entity e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Health, {i, 9}));
    }
    static told set;
    observe_type(f.world, KITH_ON_CHANGE, &Health_type, &set);
    CHECK_TOLD_NOTHING(f.world, &set);
    CHECK_RESULT(KITH_SET(f.world, e[2], Health, {7, 9}), KITH_OK);
    KITH_GET_MUT(f.world, e[0], Health)->current = 8;
    CHECK_RESULT(KITH_SET(f.world, e[1], Health, {1, 9}), KITH_OK); /* what it was */
    CHECK_TOLD(f.world, &set, e[0], e[2]);
    CHECK_TOLD_NOTHING(f.world, &set);
    kith_entity late = KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 1}));
    CHECK_TOLD(f.world, &set, late);
    fixture_free(&f);
}

/* Whichever allocation of making an observer fails, there is no observer. If none fails, it is
 * told nothing that was there before. */
TEST_EACH_LAYOUT(what_was_there_is_not_set_whatever_allocation_fails, layout)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_all(layout);
        const kith_component_def exact = {.layout = layout, .exact_changes = true};
        CHECK_RESULT(kith_register(f.world, &Health_type, &exact), KITH_OK);
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 9}));
        static told set;
        set = (told){0};
        const kith_observer_def def = {
            .kind = KITH_ON_CHANGE, .type = &Health_type, .run = keep, .user = &set};
        fail_allocation(&f, nth);
        kith_result result = kith_observer_new(f.world, &def, NULL);
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_TOLD_NOTHING(f.world, &set);
        CHECK_RESULT(KITH_SET(f.world, e, Health, {2, 9}), KITH_OK);
        check_told(f.world, &set, &e, reached ? 0 : 1);
        fixture_free(&f);
        if (!reached) {
            CHECK(nth > 3);
            break;
        }
    }
}

static void observe_match(kith_world *world, kith_observer_kind kind, told *t)
{
    *t = (told){0};
    const kith_observer_def def = {
        .name = "match",
        .kind = kind,
        .run = keep,
        .user = t,
        .query.terms = KITH_TERMS(KITH_READ(Position), KITH_WITHOUT(Frozen), KITH_ANY_OF(Byte, 0),
                                  KITH_ANY_OF(Health, 0), KITH_OPTIONAL(Extra))};
    CHECK_RESULT(kith_observer_new(world, &def, NULL), KITH_OK);
}

TEST_EACH_LAYOUT(a_query_s_match, layout)
{
    fixture f = fixture_with_all(layout);
    static told enters;
    static told leaves;
    kith_entity before = KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Byte));
    observe_match(f.world, KITH_ON_ENTER, &enters);
    observe_match(f.world, KITH_ON_LEAVE, &leaves);
    CHECK_TOLD_NOTHING(f.world, &enters);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Byte));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Position));
    kith_entity c = KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Byte), KITH_VALUE(Frozen));
    CHECK_TOLD(f.world, &enters, a);
    CHECK_RESULT(KITH_ADD(f.world, b, Health), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, c, Frozen), KITH_OK);
    CHECK_RESULT(KITH_ADD(f.world, a, Health), KITH_OK); /* matches as before */
    CHECK_RESULT(KITH_ADD(f.world, a, Extra), KITH_OK);
    CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
    CHECK_UINT(enters.count, 2);
    CHECK_UINT(leaves.count, 0);
    enters = (told){0};

    CHECK_RESULT(KITH_REMOVE(f.world, a, Byte), KITH_OK); /* still has Health */
    CHECK_RESULT(KITH_ADD(f.world, b, Frozen), KITH_OK);
    CHECK_RESULT(KITH_ADD(f.world, c, Frozen), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, c, Frozen), KITH_OK); /* there and back */
    CHECK_RESULT(kith_despawn(f.world, before), KITH_OK);
    kith_entity next = KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Byte));
    CHECK_UINT(next.index1, before.index1); /* in the slot of the dead one */
    CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK_UINT(enters.count, 1);
    CHECK_SAME(enters.entities[0], next);
    CHECK_UINT(leaves.count, 2);
    bool first = kith_entity_equal(leaves.entities[0], before);
    CHECK_SAME(leaves.entities[first ? 0 : 1], before);
    CHECK_SAME(leaves.entities[first ? 1 : 0], b);
    fixture_free(&f);
}

/* ---- In ticks -------------------------------------------------------------------------------- */

static void queue_spawn(kith_iter *it)
{
    if (kith_next(it)) {
        KITH_SPAWN(it->commands, KITH_VALUE(Byte, {1}));
    }
}

/* Gives new entities a name, and notes how many there were. */
static void name_them(const kith_observed *observed)
{
    for (uint32_t i = 0; i < observed->count; i++) {
        CHECK(KITH_HAS(observed->world, observed->entities[i], Byte));
        KITH_SET(observed->commands, observed->entities[i], Name, {"named"});
    }
    *(uint32_t *)observed->user += observed->count;
}

static void count_names(const kith_observed *observed)
{
    *(uint32_t *)observed->user += observed->count;
}

static kith_result expect_names(kith_world *world, kith_iter *it)
{
    kith_query *names = it->user;
    CHECK_UINT(kith_query_count(names), kith_tick_count(world));
    return KITH_OK;
}

/* What systems do is told when their stage has ended. What observers queue is applied before the
 * next stage, and told after it. */
TEST_EACH_LAYOUT(observers_in_a_tick, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    uint32_t named = 0;
    uint32_t names = 0;
    const kith_observer_def defs[] = {
        {.kind = KITH_ON_ADD, .type = &Name_type, .run = count_names, .user = &names},
        {.kind = KITH_ON_ADD, .type = &Byte_type, .run = name_them, .user = &named}};
    kith_observer *counting;
    CHECK_RESULT(kith_observer_new(f.world, &defs[0], &counting), KITH_OK);
    CHECK_RESULT(kith_observer_new(f.world, &defs[1], NULL), KITH_OK);
    const kith_system_def systems[] = {
        {.name = "queue", .run = queue_spawn, .query.terms = KITH_TERMS(KITH_WITH(Position))},
        {.name = "expect", .update = expect_names, .user = KITH_QUERY(f.world, KITH_READ(Name))}};
    CHECK_RESULT(kith_system_add(f.world, &systems[0]), KITH_OK);
    CHECK_RESULT(kith_system_add(f.world, &systems[1]), KITH_OK);
    for (uint32_t tick = 1; tick <= 4; tick++) {
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(named, tick);
        CHECK_UINT(names, tick);
        CHECK_WORLD(f.world);
    }
    kith_observer_free(counting);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(named, 5);
    CHECK_UINT(names, 4);
    fixture_free(&f);
}

static kith_result spawn_and_fail(kith_world *world, kith_iter *it)
{
    (void)it;
    KITH_SPAWN(world, KITH_VALUE(Position));
    return KITH_ERR_IO;
}

/* What happened in a stage that failed is told at the next delivery: kith_run delivers nothing
 * after it. */
TEST(a_stage_that_failed_is_told_of_later)
{
    fixture f = fixture_with_all(KITH_TABLE);
    static told added;
    observe_type(f.world, KITH_ON_ADD, &Position_type, &added);
    const kith_system_def def = {.name = "failing", .update = spawn_and_fail};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_IO);
    CHECK_UINT(added.count, 0);
    CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
    CHECK_UINT(added.count, 1);
    fixture_free(&f);
}

static char called[16];

static void note_letter(const kith_observed *observed)
{
    strncat(called, observed->user, 1);
}

/* Observers are called in the order in which they were made, whatever their kinds, also if some
 * are made and freed in between. */
TEST(observers_are_called_in_the_order_in_which_they_were_made)
{
    static char letters[] = "abcdef";
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_observer_def defs[] = {
        {.kind = KITH_ON_ADD, .type = &Position_type},
        {.kind = KITH_ON_ENTER, .query.terms = KITH_TERMS(KITH_READ(Position))},
        {.kind = KITH_ON_CHANGE, .type = &Position_type},
        {.kind = KITH_ON_ADD, .type = &Velocity_type},
        {.kind = KITH_ON_ADD, .type = &Position_type},
        {.kind = KITH_ON_CHANGE, .type = &Velocity_type}};
    kith_observer *observers[6];
    for (int i = 0; i < 6; i++) {
        kith_observer_def def = defs[i];
        def.run = note_letter;
        def.user = &letters[i];
        CHECK_RESULT(kith_observer_new(f.world, &def, &observers[i]), KITH_OK);
    }
    static const char *const expected[] = {"abcdef", "abdef", "bdef", "bdefa"};
    for (int round = 0; round < 4; round++) {
        called[0] = '\0';
        KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Velocity));
        CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
        CHECK_STR(called, expected[round]);
        CHECK_WORLD(f.world);
        if (round < 2) {
            kith_observer_free(observers[round == 0 ? 2 : 0]);
        } else if (round == 2) {
            kith_observer_def def = defs[0];
            def.run = note_letter;
            def.user = letters;
            CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
        }
    }
    fixture_free(&f);
}

TEST_EACH_LAYOUT(an_observer_is_made_in_one_expression, layout)
{
    fixture f = fixture_with_all(layout);
    told added = {0};
    told lost = {0};
    CHECK_RESULT(KITH_OBSERVE(f.world, KITH_ON_ADD, Position, keep, .user = &added), KITH_OK);
    CHECK_RESULT(
        KITH_OBSERVE(f.world, KITH_ON_REMOVE, Position, keep, .values = true, .user = &lost),
        KITH_OK);
    const kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_WORLD(f.world);
    check_told(f.world, &added, &e, 1);
    CHECK_TOLD_NOTHING(f.world, &lost);
    CHECK_RESULT(KITH_REMOVE(f.world, e, Position), KITH_OK);
    CHECK_WORLD(f.world);
    check_told(f.world, &lost, &e, 1);
    CHECK_TOLD_NOTHING(f.world, &added);
    CHECK_RESULT(KITH_OBSERVE(f.world, KITH_ON_ENTER, Position, keep), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "'keep'");
    fixture_free(&f);
}

/* ---- What goes wrong ------------------------------------------------------------------------- */

static void check_refused(fixture *f, kith_observer_def def, const char *part)
{
    CHECK_RESULT(kith_observer_new(f->world, &def, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f->world), part);
    CHECK_WORLD(f->world);
}

TEST(definitions_that_make_no_sense)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_query_def query = {.terms = KITH_TERMS(KITH_READ(Position))};
    const kith_query_def changed = {.terms = KITH_TERMS(KITH_CHANGED(Position), KITH_READ(Byte))};
    const kith_query_def only_changed = {.terms = KITH_TERMS(KITH_CHANGED(Position))};
    const kith_query_def without = {.terms = KITH_TERMS(KITH_WITHOUT(Position))};
    const kith_observer_kind none = (kith_observer_kind)6;
    check_refused(&f, (kith_observer_def){.name = "o", .type = &Byte_type},
                  "'o' has no function; set `run`");
    check_refused(&f, (kith_observer_def){.kind = none, .type = &Byte_type, .run = keep},
                  "'(unnamed)' has a kind that does not exist");
    check_refused(&f, (kith_observer_def){.type = &Byte_type, .query = query, .run = keep},
                  "has a `query`, but its kind takes a `type`");
    check_refused(
        &f,
        (kith_observer_def){.kind = KITH_ON_ENTER, .type = &Byte_type, .query = query, .run = keep},
        "has a `type`, but its kind takes a `query`");
    check_refused(&f, (kith_observer_def){.kind = KITH_ON_LEAVE, .run = keep, .query = changed},
                  "a term that must have changed");
    check_refused(&f,
                  (kith_observer_def){.kind = KITH_ON_ENTER, .run = keep, .query = only_changed},
                  "a term that must have changed");
    check_refused(&f, (kith_observer_def){.kind = KITH_ON_LEAVE, .run = keep, .query = without},
                  "no required term");
    check_refused(&f,
                  (kith_observer_def){.kind = KITH_ON_CHANGE, .run = keep, .type = &Frozen_type},
                  "a tag");
    CHECK_RESULT(kith_observer_new(f.world, &(kith_observer_def){.run = keep}, NULL),
                 KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_observer_new: '(unnamed)' has no type; set `type`");
    CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
    fixture_free(&f);
}

static void fail_to_queue(const kith_observed *observed)
{
    KITH_ADD(observed->commands, observed->entities[0], Burning);
    if (*(bool *)observed->user) {
        kith_commands_despawn(observed->commands, (kith_entity){0, 1u << 23});
    }
}

TEST(what_a_failing_observer_queues_is_forgotten)
{
    fixture f = fixture_with_all(KITH_SPARSE);
    bool fails = true;
    const kith_observer_def def = {.type = &Byte_type, .run = fail_to_queue, .user = &fails};
    CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Byte));
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_run: what observers queued was not applied");
    CHECK(!KITH_HAS(f.world, a, Burning));
    fails = false;
    CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
    CHECK(!KITH_HAS(f.world, a, Burning));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Byte));
    CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
    CHECK(KITH_HAS(f.world, b, Burning));
    fixture_free(&f);
}

/* Whichever allocation fails, all observers are told once in the end, and what they queue is
 * applied once. (The buffer had room for as many commands before: what cannot be queued is
 * dropped.) */
TEST_EACH_LAYOUT(delivering_survives_every_allocation_failure, layout)
{
    static told enters;
    static told added;
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_all(layout);
        uint32_t named = 0;
        const kith_observer_def naming = {.type = &Byte_type, .run = name_them, .user = &named};
        observe_type(f.world, KITH_ON_ADD, &Byte_type, &added);
        observe_match(f.world, KITH_ON_ENTER, &enters);
        CHECK_RESULT(kith_observer_new(f.world, &naming, NULL), KITH_OK);
        const kith_values values[] = {KITH_VALUE(Byte, {1}), KITH_VALUE(Position, {1, 2})};
        CHECK_RESULT(kith_spawn_many(f.world, 1200, values, 2, NULL), KITH_OK);
        CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
        CHECK_UINT(named, 1200);
        named = 0;
        added = enters = (told){0};
        CHECK_RESULT(kith_spawn_many(f.world, 1200, values, 2, NULL), KITH_OK);
        fail_allocation(&f, nth);
        kith_result result = kith_observers_flush(f.world);
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_WORLD(f.world);
        if (reached) {
            CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
        }
        CHECK_UINT(added.count, 1200);
        CHECK_UINT(enters.count, 1200);
        kith_query *names = KITH_QUERY(f.world, KITH_READ(Name), KITH_READ(Byte));
        CHECK_UINT(kith_query_count(names), 2400);
        CHECK_UINT(named, 1200);
        fixture_free(&f);
        if (!reached) {
            CHECK(nth > 4);
            break;
        }
    }
}

static bool was_told(const told *t, kith_entity entity)
{
    for (uint32_t i = 0; i < t->count; i++) {
        if (kith_entity_equal(t->entities[i], entity)) {
            return true;
        }
    }
    return false;
}

/* A delivery fails after some observers have collected what to tell. What happens before the
 * next one counts: no observer is told an entity twice, nor something that is no longer so. */
TEST_EACH_LAYOUT(what_changes_after_a_failed_delivery, layout)
{
    static told set;
    static told enters;
    static told leaves;
    static told last;
    uint32_t failed = 0;
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_all(layout);
        kith_entity e[4];
        for (int i = 0; i < 4; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Byte), KITH_VALUE(Position));
        }
        CHECK_RESULT(KITH_REMOVE(f.world, e[3], Position), KITH_OK);
        observe_type(f.world, KITH_ON_CHANGE, &Byte_type, &set);
        observe_match(f.world, KITH_ON_ENTER, &enters);
        observe_match(f.world, KITH_ON_LEAVE, &leaves);
        observe_match(f.world, KITH_ON_ENTER, &last);
        CHECK_RESULT(KITH_SET(f.world, e[0], Byte, {1}), KITH_OK);
        CHECK_RESULT(KITH_REMOVE(f.world, e[1], Position), KITH_OK);
        CHECK_RESULT(KITH_ADD(f.world, e[3], Position), KITH_OK);
        kith_entity made = KITH_SPAWN(f.world, KITH_VALUE(Byte), KITH_VALUE(Position));
        fail_allocation(&f, nth);
        kith_result result = kith_observers_flush(f.world);
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_WORLD(f.world);
        if (!reached) {
            fixture_free(&f);
            break;
        }
        failed++;
        CHECK_UINT(set.count + enters.count + leaves.count + last.count, 0);
        CHECK_RESULT(KITH_SET(f.world, e[0], Byte, {2}), KITH_OK);
        CHECK_RESULT(KITH_ADD(f.world, e[1], Position), KITH_OK);
        CHECK_RESULT(KITH_REMOVE(f.world, e[3], Position), KITH_OK);
        CHECK_RESULT(kith_despawn(f.world, made), KITH_OK);
        CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
        CHECK_WORLD(f.world);
        CHECK(was_told(&set, e[0]) && !was_told(&set, made));
        for (uint32_t i = 1; i < set.count; i++) {
            CHECK(!was_told(&(told){.entities = {set.entities[i]}, .count = 1}, set.entities[0]));
        }
        CHECK_UINT(enters.count + leaves.count + last.count, 0);
        set = (told){0};
        CHECK_RESULT(KITH_ADD(f.world, e[3], Position), KITH_OK);
        CHECK_TOLD(f.world, &enters, e[3]);
        enters = last = set = (told){0};
        fixture_free(&f);
    }
    CHECK(failed > 2);
}

/* ---- The type
 * ------------------------------------------------------------------------------------ */

static const kith_type *type_seen;

static void see_type(const kith_observed *observed)
{
    type_seen = observed->type;
}

/* An observer is told the pointer that the program gave, even if there are other descriptors of
 * the type. So it can be compared. */
TEST_EACH_LAYOUT(the_type_is_the_programs_own, layout)
{
    static const kith_observer_kind kinds[] = {KITH_ON_ADD, KITH_ON_REMOVE, KITH_ON_DESPAWN,
                                               KITH_ON_CHANGE};
    for (size_t i = 0; test_row(i, ROWS_OF(kinds)); i++) {
        fixture f = fixture_with_all(layout);
        kith_type mine = Byte_type;
        mine.number = NULL;
        const kith_observer_def def = {.kind = kinds[i], .type = &mine, .run = see_type};
        CHECK_RESULT(kith_observer_new(f.world, &def, NULL), KITH_OK);
        type_seen = NULL;
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Byte, {3}));
        CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
        CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
        CHECK_RESULT(kith_observers_flush(f.world), KITH_OK);
        CHECK(type_seen == &mine);
        fixture_free(&f);
    }
}
