/* What systems may do while they run, how they fail, and what is misuse in between. */
#include <kith/kith.h>

#include "components.h"
#include "test.h"

/* What a test wants to see from inside. */
typedef struct watch {
    fixture *f;
    kith_query *query;
    kith_iter it;
    uint32_t calls;
    uint32_t seen;
    kith_result answer;
} watch;

static kith_result count_call(kith_world *world, kith_iter *it)
{
    (void)world;
    ((watch *)it->user)->calls++;
    return ((watch *)it->user)->answer;
}

static void add_plain(kith_world *world, const char *name, int32_t priority,
                      kith_result (*update)(kith_world *, kith_iter *), void *user)
{
    const kith_system_def def = {
        .name = name, .priority = priority, .update = update, .user = user};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

static void add_query(kith_world *world, const char *name, int32_t priority,
                      void (*run)(kith_iter *), void *user)
{
    const kith_system_def def = {.name = name,
                                 .priority = priority,
                                 .run = run,
                                 .query.terms = KITH_TERMS(KITH_WRITE(Position)),
                                 .user = user};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

/* ---- Query systems --------------------------------------------------------------------------- */

static void move_right(kith_iter *it)
{
    watch *w = it->user;
    w->calls++;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Position)->x += it->dt;
            w->seen++;
        }
    }
}

static void look_too_early(kith_iter *it)
{
    watch *w = it->user;
    CHECK_PTR_NULL(KITH_COLUMN_MUT(it, Position));
    expect_misuse(w->f, "there is no batch");
    CHECK_PTR_NULL(KITH_AT(it, 0, Position));
    expect_misuse(w->f, "there is no batch");
    while (kith_next(it)) {
        w->seen += it->count;
    }
}

/* Before its first batch, a system has nothing of its last run. */
TEST(a_run_has_no_batch_before_the_first)
{
    fixture f = fixture_new();
    watch w = {.f = &f};
    kith_register(f.world, &Position_type, NULL);
    add_query(f.world, "early", 0, look_too_early, &w);
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    for (uint32_t run = 1; run <= 3; run++) {
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(w.seen, run);
    }
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_query_system_visits_all, layout)
{
    fixture f = fixture_with_all(layout);
    watch w = {.f = &f};
    add_query(f.world, "move", 0, move_right, &w);
    /* It is called also when nothing matches. */
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(w.calls, 1);
    CHECK_UINT(w.seen, 0);
    kith_entity e[1500];
    for (int i = 0; i < 1500; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
    }
    CHECK_RESULT(kith_run(f.world, 0.5f), KITH_OK);
    CHECK_UINT(w.calls, 2);
    CHECK_UINT(w.seen, 1500);
    for (int i = 0; i < 1500; i++) {
        CHECK_FLOAT(KITH_GET(f.world, e[i], Position)->x, (float)i + 0.5f);
    }
    fixture_free(&f);
}

static void leave_early(kith_iter *it)
{
    ((watch *)it->user)->calls++;
    CHECK(kith_next(it));
}

static void never_begin(kith_iter *it)
{
    ((watch *)it->user)->calls++;
}

static void end_early(kith_iter *it)
{
    ((watch *)it->user)->calls++;
    CHECK(kith_next(it));
    kith_iter_close(it);
    CHECK(!kith_next(it));
}

/* A query system need not reach the end; its query is closed when it returns. */
TEST_EACH_LAYOUT(query_systems_that_leave_early, layout)
{
    fixture f = fixture_with_all(layout);
    for (int i = 0; i < 1500; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position));
    }
    watch w = {.f = &f};
    add_query(f.world, "early", 0, leave_early, &w);
    add_query(f.world, "never", 1, never_begin, &w);
    add_query(f.world, "end", 2, end_early, &w);
    add_plain(f.world, "plain", 3, count_call, &w);
    for (uint32_t i = 1; i <= 3; i++) {
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(w.calls, 4 * i);
        CHECK(kith_alive(f.world, kith_spawn_empty(f.world)));
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}

static void change_structure(kith_iter *it)
{
    watch *w = it->user;
    while (kith_next(it)) {
        CHECK_RESULT(kith_despawn(w->f->world, kith_entities(it)[0]), KITH_ERR_MISUSE);
        CHECK_CONTAINS(w->f->misuse, "reaper");
        expect_misuse(w->f, "kith_despawn");
        w->seen += it->count;
    }
    /* Nor may it do that after the end of the query. */
    CHECK(kith_is_none(KITH_SPAWN(w->f->world, KITH_VALUE(Position))));
    expect_misuse(w->f, "reaper");
    KITH_SPAWN(it->commands, KITH_VALUE(Position));
}

/* The message of a change within a query system names the system. */
TEST_EACH_LAYOUT(query_systems_change_no_structure, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    watch w = {.f = &f};
    add_query(f.world, "reaper", 0, change_structure, &w);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(w.seen, 1);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(w.seen, 3);
    fixture_free(&f);
}

/* ---- Plain systems --------------------------------------------------------------------------- */

static kith_result grow_and_shrink(kith_world *world, kith_iter *it)
{
    watch *w = it->user;
    kith_entity e = KITH_SPAWN(world, KITH_VALUE(Position), KITH_VALUE(Byte));
    CHECK_RESULT(KITH_ADD(world, e, Health), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(world, e, Byte), KITH_OK);
    kith_entity clone;
    CHECK_RESULT(kith_clone(world, e, &clone), KITH_OK);
    CHECK_RESULT(kith_despawn(world, e), KITH_OK);
    static const kith_type late = {.name = "Late", .align = 1};
    CHECK_RESULT(kith_register(world, &late, NULL), KITH_OK);
    CHECK_RESULT(kith_add(world, clone, &late), KITH_OK);
    kith_world_trim(world);
    w->calls++;
    return KITH_OK;
}

/* A plain system may change anything; later query systems see it. */
TEST_EACH_LAYOUT(plain_systems_change_structure, layout)
{
    fixture f = fixture_with_all(layout);
    watch w = {.f = &f};
    watch m = {.f = &f};
    add_plain(f.world, "change", 0, grow_and_shrink, &w);
    add_query(f.world, "move", 1, move_right, &m);
    for (uint32_t i = 1; i <= 20; i++) {
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(kith_entity_count(f.world), i);
        CHECK_UINT(m.seen, i * (i + 1) / 2);
        CHECK_WORLD(f.world);
    }
    CHECK_UINT(w.calls, 20);
    fixture_free(&f);
}

static kith_result leave_open(kith_world *world, kith_iter *it)
{
    (void)world;
    watch *w = it->user;
    w->calls++;
    w->it = kith_query_iter(w->query);
    CHECK(kith_next(&w->it));
    return KITH_OK;
}

/* If a plain system does not end its query, the misuse names it, and the tick ends there. */
TEST(a_plain_system_that_leaves_a_query_open)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    watch w = {.f = &f, .query = KITH_QUERY(f.world, KITH_READ(Position))};
    watch after = {.f = &f};
    add_plain(f.world, "forgetful", 0, leave_open, &w);
    add_plain(f.world, "after", 1, count_call, &after);
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_MISUSE);
    CHECK_CONTAINS(f.misuse, "test_running.c");
    expect_misuse(&f, "forgetful");
    kith_iter_close(&w.it);
    CHECK(kith_alive(f.world, kith_spawn_empty(f.world)));
    CHECK_WORLD(f.world);

    /* The next tick is possible. */
    CHECK_RESULT(kith_system_enable(f.world, "forgetful", false), KITH_OK);
    after.calls = 0;
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(after.calls, 1);
    fixture_free(&f);
}

/* ---- Failing --------------------------------------------------------------------------------- */

static void move_and_fail(kith_iter *it)
{
    watch *w = it->user;
    w->calls++;
    while (kith_next(it)) {
        KITH_AT_MUT(it, 0, Position)->x += 1;
        it->result = w->answer;
        if (w->answer != KITH_OK) {
            return;
        }
    }
}

TEST_EACH_LAYOUT(a_system_that_fails_ends_the_tick, layout)
{
    static const kith_result failures[] = {KITH_ERR_SYSTEM, KITH_ERR_MEMORY, KITH_ERR_DEAD,
                                           KITH_ERR_INPUT};
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position));
    watch before = {.f = &f};
    watch query = {.f = &f};
    watch plain = {.f = &f};
    watch after = {.f = &f};
    add_plain(f.world, "before", 0, count_call, &before);
    add_query(f.world, "breaks_first", 1, move_and_fail, &query);
    add_plain(f.world, "breaks_second", 2, count_call, &plain);
    add_plain(f.world, "after", 3, count_call, &after);
    uint32_t ticks = 0;
    for (int i = 0; i < 4; i++) {
        query.answer = failures[i];
        CHECK_RESULT(kith_run(f.world, 1), failures[i]);
        CHECK_CONTAINS(kith_error(f.world), "breaks_first");
        CHECK_UINT(kith_tick_count(f.world), ++ticks);
        CHECK(kith_alive(f.world, kith_spawn_empty(f.world)));
        CHECK_UINT(plain.calls, (uint32_t)i);
        CHECK_WORLD(f.world);

        query.answer = KITH_OK;
        plain.answer = failures[i];
        CHECK_RESULT(kith_run(f.world, 1), failures[i]);
        CHECK_CONTAINS(kith_error(f.world), "breaks_second");
        CHECK_UINT(kith_tick_count(f.world), ++ticks);
        CHECK_UINT(plain.calls, (uint32_t)i + 1);
        plain.answer = KITH_OK;
        CHECK_WORLD(f.world);
    }
    /* What was applied before stays. */
    CHECK_UINT(before.calls, 8);
    CHECK_UINT(query.calls, 8);
    CHECK_UINT(after.calls, 0);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 8);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(after.calls, 1);
    fixture_free(&f);
}

/* ---- Misuse from within ---------------------------------------------------------------------- */

static kith_result misuse_all(kith_world *world, kith_iter *it)
{
    watch *w = it->user;
    w->calls++;
    CHECK_RESULT(kith_run(world, it->dt), KITH_ERR_MISUSE);
    expect_misuse(w->f, "kith_run");
    const kith_system_def def = {.name = "inner", .update = count_call};
    CHECK_RESULT(kith_system_add(world, &def), KITH_ERR_MISUSE);
    expect_misuse(w->f, "kith_system_add");
    CHECK_RESULT(kith_system_remove(world, "self"), KITH_ERR_MISUSE);
    expect_misuse(w->f, "kith_system_remove");
    kith_world_release(world);
    expect_misuse(w->f, "kith_world_release");
    kith_world_free(world);
    expect_misuse(w->f, "kith_world_free");
    return KITH_OK;
}

static void misuse_all_in_query(kith_iter *it)
{
    watch *w = it->user;
    w->calls++;
    CHECK(kith_next(it));
    CHECK_RESULT(kith_run(w->f->world, 1), KITH_ERR_MISUSE);
    expect_misuse(w->f, "kith_run");
    const kith_system_def def = {.name = "inner", .update = count_call};
    CHECK_RESULT(kith_system_add(w->f->world, &def), KITH_ERR_MISUSE);
    expect_misuse(w->f, "kith_system_add");
    CHECK_RESULT(kith_system_remove(w->f->world, "self"), KITH_ERR_MISUSE);
    expect_misuse(w->f, "kith_system_remove");
    kith_world_release(w->f->world);
    expect_misuse(w->f, "kith_world_release");
    kith_world_free(w->f->world);
    expect_misuse(w->f, "kith_world_free");
    CHECK_RESULT(kith_system_enable(w->f->world, "self", true), KITH_ERR_MISUSE);
    expect_misuse(w->f, "kith_system_enable: called from within query system \"in_query\"");
}

TEST(misuse_from_within)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    watch plain = {.f = &f};
    watch query = {.f = &f};
    add_plain(f.world, "self", 0, misuse_all, &plain);
    add_query(f.world, "in_query", 1, misuse_all_in_query, &query);
    for (uint32_t i = 1; i <= 2; i++) {
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(plain.calls, i);
        CHECK_UINT(query.calls, i);
        CHECK_UINT(kith_tick_count(f.world), i);
        CHECK_WORLD(f.world);
    }
    CHECK_RESULT(kith_system_remove(f.world, "self"), KITH_OK);
    fixture_free(&f);
}

/* Another world may be run from within. */
static kith_result run_other(kith_world *world, kith_iter *it)
{
    (void)world;
    return kith_run(it->user, it->dt);
}

TEST(a_world_within_a_system)
{
    fixture f = fixture_new();
    fixture g = fixture_new();
    watch w = {.f = &g};
    add_plain(f.world, "outer", 0, run_other, g.world);
    add_plain(g.world, "inner", 0, count_call, &w);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(w.calls, 1);
    w.answer = KITH_ERR_SYSTEM;
    CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_SYSTEM);
    CHECK_CONTAINS(kith_error(f.world), "outer");
    CHECK_CONTAINS(kith_error(g.world), "inner");
    fixture_free(&g);
    fixture_free(&f);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* If adding a system fails, nothing has changed. */
TEST(adding_survives_every_allocation_failure)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_all(KITH_TABLE);
        watch w = {.f = &f};
        add_plain(f.world, "before", 0, count_call, &w);
        const uint64_t before = kith_world_hash(f.world);
        const kith_system_def def = {.name = "added",
                                     .run = move_right,
                                     .query.terms =
                                         KITH_TERMS(KITH_WRITE(Position), KITH_READ(Byte)),
                                     .user = &w};
        fail_allocation(&f, nth);
        kith_result result = kith_system_add(f.world, &def);
        bool reached = fail_nothing(&f);
        const bool made = result == KITH_OK;
        CHECK(made || (reached && result == KITH_ERR_MEMORY));
        CHECK(made || kith_world_hash(f.world) == before);
        CHECK((kith_system_at(f.world, 1, NULL, NULL) != NULL) == made);
        CHECK_WORLD(f.world);
        w.calls = 0;
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(w.calls, made ? 2 : 1);
        if (!made) {
            CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        }
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}
