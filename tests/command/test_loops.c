/* Commands that are queued while a query is open, and in query systems. */
#include <kith/kith.h>

#include "scene.h"

enum { ROWS = 3000 };

/* ---- Loops ----------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(applying_while_a_query_is_open_is_misuse, layout)
{
    scene s = scene_new(layout);
    kith_query *query = KITH_QUERY(s.world, KITH_READ(Position));
    kith_entity e = KITH_SPAWN(s.commands, KITH_VALUE(Byte, {1}));
    KITH_SET(s.commands, s.plain, Name, {"later"});
    uint64_t before = kith_world_hash(s.world);
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        uint32_t dead = 77;
        CHECK_RESULT(kith_commands_apply(s.commands, &dead), KITH_ERR_MISUSE);
        expect_misuse(&s.f, "kith_commands_apply");
        CHECK_UINT(dead, 77);
        CHECK_UINT(kith_commands_memory(s.commands).commands, 3);
        CHECK_RESULT(KITH_ADD(s.commands, e, Frozen), KITH_OK);
        kith_iter_close(&it);
    }
    CHECK_UINT(kith_world_hash(s.world), before);
    scene_apply(&s);
    CHECK(KITH_HAS(s.world, kith_commands_real(s.commands, e), Frozen));
    CHECK_STR(KITH_GET(s.world, s.plain, Name)->text, "later");
    fixture_free(&s.f);
}

/* Positions 0, 1, 2 ..., every third with Frozen, and an Extra that is the same on each. */
static void spawn_rows(kith_world *world, kith_entity *e)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        e[i] = KITH_SPAWN(world, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(Extra, {1, 2, 3}));
        if (i % 3 == 0) {
            CHECK_RESULT(KITH_ADD(world, e[i], Frozen), KITH_OK);
        }
    }
}

/* What is queued for the entity with number `i`: each kind of command for some. */
static void queue_one(kith_commands *c, kith_entity e, uint32_t i)
{
    kith_entity made;
    switch (i % 10) {
    case 0: kith_commands_despawn(c, e); break;
    case 1: kith_commands_remove_all(c, e); break;
    case 2: KITH_REMOVE(c, e, Extra); break;
    case 3: KITH_ADD(c, e, Health); break;
    case 4: KITH_SET(c, e, Position, {(float)i, 1}); break;
    case 5:
        KITH_SET_VALUES(c, e, KITH_VALUE(Name, {"five"}), KITH_VALUE(Position, {(float)i, 2}));
        break;
    case 6: kith_commands_set_bytes(c, e, &Byte_type, "6", 1); break;
    case 7:
        made = kith_commands_clone(c, e);
        KITH_SET(c, e, Target, {made});
        break;
    case 8:
        made = KITH_SPAWN(c, KITH_VALUE(Position, {(float)i, 3}), KITH_VALUE(Target, {e}));
        KITH_SET(c, e, Target, {made});
        break;
    default: break;
    }
}

static void check_one(kith_world *world, kith_entity e, uint32_t i)
{
    uint32_t k = i % 10;
    CHECK_INT(kith_alive(world, e), k != 0);
    CHECK_INT(KITH_HAS(world, e, Position), k > 1);
    CHECK_INT(KITH_HAS(world, e, Extra), k > 2);
    CHECK_INT(KITH_HAS(world, e, Frozen), i % 3 == 0 && k > 1);
    CHECK_INT(KITH_HAS(world, e, Health), k == 3);
    CHECK_INT(KITH_HAS(world, e, Name), k == 5);
    CHECK_INT(KITH_HAS(world, e, Byte), k == 6);
    CHECK_INT(KITH_HAS(world, e, Target), k == 7 || k == 8);
    if (k > 1) {
        CHECK_FLOAT(KITH_GET(world, e, Position)->x, i);
        CHECK_FLOAT(KITH_GET(world, e, Position)->y, k == 4 ? 1 : k == 5 ? 2 : 0);
    }
    if (k > 2) {
        CHECK_FLOAT(KITH_GET(world, e, Extra)->c, 3);
    }
    if (k == 7 || k == 8) {
        kith_entity made = KITH_GET(world, e, Target)->entity;
        CHECK(kith_alive(world, made));
        CHECK_FLOAT(KITH_GET(world, made, Position)->x, i);
        CHECK_INT(KITH_HAS(world, made, Frozen), k == 7 && i % 3 == 0);
        if (k == 8) {
            CHECK_SAME(KITH_GET(world, made, Target)->entity, e);
        }
    }
}

/* A loop sees none of what it queues; afterwards all of it is there. */
TEST_EACH_LAYOUT(every_kind_of_command_from_a_loop, layout)
{
    static kith_entity e[ROWS];
    fixture f = fixture_with_all(layout);
    spawn_rows(f.world, e);
    kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Position), KITH_OPTIONAL(Frozen));
    kith_commands *commands = kith_commands_new(f.world, NULL);
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK_PTR_NULL(it.commands);
        for (uint32_t i = 0; i < it.count; i++) {
            uint32_t number = (uint32_t)KITH_AT(&it, i, Position)->x;
            CHECK_SAME(kith_entities(&it)[i], e[number]);
            queue_one(commands, kith_entities(&it)[i], number);
            CHECK(KITH_HAS(f.world, e[number], Extra));
            seen++;
        }
    }
    CHECK_UINT(seen, ROWS);
    CHECK_UINT(kith_entity_count(f.world), ROWS);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_WORLD(f.world);
    for (uint32_t i = 0; i < ROWS; i++) {
        check_one(f.world, e[i], i);
    }
    CHECK_UINT(kith_entity_count(f.world), ROWS - ROWS / 10 + 2 * (ROWS / 10));
    fixture_free(&f);
}

/* ---- Systems --------------------------------------------------------------------------------- */

/* What the systems below do, and what they saw. */
typedef struct plan {
    kith_world *world;
    kith_query *other;
    fixture *f;
    bool fails;      /* sets it->result */
    bool leaves;     /* opens another query */
    bool out_of;     /* memory runs out when the system has returned */
    bool refused;    /* a queue call fails */
    bool early;      /* breaks out of the loop */
    uint32_t before; /* entities with Frozen that the second system saw */
    kith_commands *commands;
} plan;

static void freeze(kith_iter *it)
{
    plan *p = it->user;
    CHECK_PTR_NOT_NULL(it->commands);
    CHECK_UINT(kith_commands_memory(it->commands).commands, 0);
    p->commands = it->commands;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            kith_entity e = kith_entities(it)[i];
            KITH_ADD(it->commands, e, Frozen);
            kith_entity spark = KITH_SPAWN(it->commands, KITH_VALUE(Velocity));
            KITH_SET(it->commands, spark, Target, {e});
        }
        if (p->early) {
            return;
        }
    }
    it->result = p->fails ? KITH_ERR_SYSTEM : KITH_OK;
    if (p->leaves) {
        kith_iter other = kith_query_iter(p->other);
        CHECK_RESULT(other.result, KITH_ERR_MISUSE);
        it->result = other.result;
    }
    if (p->refused) {
        kith_commands_despawn(it->commands, (kith_entity){0, 1u << 23});
    }
    if (p->out_of) {
        fail_from(p->f, 1);
    }
}

static void count_frozen(kith_iter *it)
{
    plan *p = it->user;
    CHECK_UINT(kith_commands_memory(it->commands).commands, 0);
    p->before = 0;
    while (kith_next(it)) {
        p->before += it->count;
    }
}

static void add_systems(scene *s, plan *p)
{
    *p = (plan){.world = s->world, .f = &s->f};
    p->other = KITH_QUERY(s->world, KITH_READ(Position));
    const kith_system_def freezing = {
        .name = "freeze", .run = freeze, .user = p, .query.terms = KITH_TERMS(KITH_WITH(Byte))};
    const kith_system_def counting = {.name = "count",
                                      .run = count_frozen,
                                      .user = p,
                                      .priority = 1,
                                      .query.terms = KITH_TERMS(KITH_WITH(Frozen))};
    CHECK_RESULT(kith_system_add(s->world, &counting), KITH_OK);
    CHECK_RESULT(kith_system_add(s->world, &freezing), KITH_OK);
}

/* What a system queues is there when the next one runs. */
TEST_EACH_LAYOUT(what_a_system_queues_is_applied_when_it_returns, layout)
{
    scene s = scene_new(layout);
    plan p;
    add_systems(&s, &p);
    for (uint32_t tick = 1; tick <= 3; tick++) {
        p.early = tick == 3;
        CHECK_RESULT(kith_run(s.world, 1), KITH_OK);
        CHECK_WORLD(s.world);
        CHECK(KITH_HAS(s.world, s.plain, Frozen));
        CHECK_UINT(p.before, 2);
        CHECK_UINT(kith_entity_count(s.world), 2 + tick);
    }
    uint32_t sparks = 0;
    kith_query *query = KITH_QUERY(s.world, KITH_READ(Target), KITH_WITH(Velocity));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++, sparks++) {
            CHECK_SAME(KITH_AT(&it, i, Target)->entity, s.plain);
        }
    }
    CHECK_UINT(sparks, 3);
    fixture_free(&s.f);
}

/* Runs a tick that fails in some way: nothing of what was queued is applied, then or later. */
static void run_failing(scene *s, plan *p, kith_result expected)
{
    uint64_t before = kith_content_hash(s->world);
    p->before = 77;
    CHECK_RESULT(kith_run(s->world, 1), expected);
    fail_nothing(&s->f);
    if (p->leaves) {
        expect_misuse(&s->f, "kith_query_iter: called from within query system");
    }
    CHECK_CONTAINS(kith_error(s->world), "'freeze' failed");
    CHECK_UINT(p->before, 77);
    CHECK_WORLD(s->world);
    CHECK_UINT(kith_content_hash(s->world), before);
    CHECK_UINT(kith_commands_memory(p->commands).commands, 0);
    CHECK_STR(kith_commands_error(p->commands), "");
    p->fails = p->leaves = p->out_of = p->refused = false;
    CHECK_RESULT(kith_system_enable(s->world, "freeze", false), KITH_OK);
    CHECK_RESULT(kith_run(s->world, 1), KITH_OK);
    CHECK_UINT(p->before, 1);
    CHECK_UINT(kith_content_hash(s->world), before);
    CHECK_RESULT(kith_system_enable(s->world, "freeze", true), KITH_OK);
}

TEST_EACH_LAYOUT(what_a_failing_system_queues_is_dropped, layout)
{
    scene s = scene_new(layout);
    plan p;
    add_systems(&s, &p);
    p.fails = true;
    run_failing(&s, &p, KITH_ERR_SYSTEM);
    p.leaves = true;
    run_failing(&s, &p, KITH_ERR_MISUSE);
    p.refused = true;
    run_failing(&s, &p, KITH_ERR_INPUT);
    p.out_of = true;
    run_failing(&s, &p, KITH_ERR_MEMORY);
    p.fails = p.refused = true;
    run_failing(&s, &p, KITH_ERR_SYSTEM);
    CHECK_RESULT(kith_run(s.world, 1), KITH_OK);
    CHECK_UINT(p.before, 2);
    CHECK(KITH_HAS(s.world, s.plain, Frozen));
    CHECK_WORLD(s.world);
    fixture_free(&s.f);
}

/* Applying it oneself is misuse, and so is asking other queries; what is queued then is applied. */
static void apply_within(kith_iter *it)
{
    plan *p = it->user;
    while (kith_next(it)) {
        KITH_ADD(it->commands, kith_entities(it)[0], Burning);
        CHECK_RESULT(kith_commands_apply(it->commands, NULL), KITH_ERR_MISUSE);
        expect_misuse(p->f, "kith_commands_apply");
    }
    CHECK_RESULT(kith_commands_apply(it->commands, NULL), KITH_ERR_MISUSE);
    expect_misuse(p->f, "kith_commands_apply");
    CHECK(kith_is_none(kith_query_first(p->other)));
    expect_misuse(p->f, "kith_query_first");
}

TEST_EACH_LAYOUT(a_system_that_applies_by_itself, layout)
{
    scene s = scene_new(layout);
    plan p = {.world = s.world, .f = &s.f};
    p.other = KITH_QUERY(s.world, KITH_READ(Position), KITH_WITH(Frozen));
    const kith_system_def def = {.name = "apply",
                                 .run = apply_within,
                                 .user = &p,
                                 .query.terms = KITH_TERMS(KITH_WITH(Byte))};
    CHECK_RESULT(kith_system_add(s.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(s.world, 1), KITH_OK);
    CHECK(KITH_HAS(s.world, s.plain, Burning) && !KITH_HAS(s.world, s.frozen, Burning));
    CHECK_WORLD(s.world);
    fixture_free(&s.f);
}
