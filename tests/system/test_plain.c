/* Plain systems: their iterators, what they queue, their queries, and how they fail. */
#include <kith/kith.h>

#include "components.h"
#include "nothing.h"
#include "test.h"

typedef struct watch {
    fixture *f;
    kith_entity e;
    uint32_t calls;
    uint32_t seen;
    uint64_t numbers[4];
    kith_result answer;
} watch;

static void add(kith_world *world, kith_system_def def)
{
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

/* ---- Commands -------------------------------------------------------------------------------- */

static void count_matches(kith_iter *it)
{
    watch *w = it->user;
    w->seen = 0;
    while (kith_next(it)) {
        w->seen += it->count;
    }
}

/* Queues an entity, and an end of the last one. Neither happens while the system runs. */
static kith_result queue_some(kith_world *world, kith_iter *it)
{
    watch *w = it->user;
    CHECK_FLOAT(it->dt, 0.5f);
    uint32_t before = kith_entity_count(world);
    KITH_SPAWN(it->commands, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte));
    KITH_DESPAWN(it->commands, w->e);
    CHECK_UINT(kith_entity_count(world), before);
    w->e = KITH_SPAWN(world, KITH_VALUE(Health)); /* or at once */
    CHECK_UINT(kith_entity_count(world), before + 1);
    w->calls++;
    it->result = w->answer;
    return KITH_OK;
}

TEST_EACH_LAYOUT(what_is_queued_is_applied_after_the_system, layout)
{
    fixture f = fixture_with_all(layout);
    watch w = {.f = &f};
    watch before = {.f = &f};
    watch after = {.f = &f};
    const kith_query_def bytes = {.terms = KITH_TERMS(KITH_READ(Byte))};
    add(f.world,
        (kith_system_def){.name = "before", .run = count_matches, .query = bytes, .user = &before});
    add(f.world, (kith_system_def){.name = "queue", .update = queue_some, .user = &w});
    add(f.world,
        (kith_system_def){.name = "after", .run = count_matches, .query = bytes, .user = &after});
    for (uint32_t tick = 1; tick <= 5; tick++) {
        CHECK_RESULT(kith_run(f.world, 0.5f), KITH_OK);
        CHECK_UINT(w.calls, tick);
        CHECK_UINT(before.seen, tick - 1);
        CHECK_UINT(after.seen, tick);
        CHECK_UINT(kith_entity_count(f.world), tick + 1);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}

static kith_result apply_early(kith_world *world, kith_iter *it)
{
    uint32_t *applied = it->user;
    uint32_t before = kith_entity_count(world);
    kith_entity queued = KITH_SPAWN(it->commands, KITH_VALUE(Position));
    CHECK_RESULT(kith_commands_apply(it->commands, NULL), KITH_OK);
    CHECK_UINT(kith_entity_count(world), before + 1);
    CHECK(KITH_HAS(it, kith_commands_real(it->commands, queued), Position));
    KITH_SPAWN(it->commands, KITH_VALUE(Position));
    ++*applied;
    return KITH_OK;
}

/* Its commands are a buffer like others: it may apply them itself, and go on. */
TEST(a_plain_system_may_apply_its_commands)
{
    fixture f = fixture_with_all(KITH_TABLE);
    uint32_t applied = 0;
    add(f.world, (kith_system_def){.name = "early", .update = apply_early, .user = &applied});
    for (uint32_t tick = 1; tick <= 3; tick++) {
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(applied, tick);
        CHECK_UINT(kith_entity_count(f.world), 2 * tick);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}

static kith_result fail_after_queueing(kith_world *world, kith_iter *it)
{
    watch *w = it->user;
    w->calls++;
    CHECK_RESULT(KITH_SEND(it, Byte, {7}), KITH_OK);
    KITH_SPAWN(it->commands, KITH_VALUE(Position));
    if (w->calls == 3) {
        kith_iter left = kith_system_query(it, 1);
        CHECK(kith_next(&left));
        return KITH_OK;
    }
    if (w->calls == 4) {
        kith_commands *other = kith_commands_new(world, NULL);
        const kith_entity of_other = kith_commands_spawn(other);
        CHECK_RESULT(KITH_ADD(it->commands, of_other, Position), KITH_ERR_INPUT);
        kith_commands_free(other);
    }
    it->result = w->calls == 2 ? KITH_ERR_IO : KITH_OK;
    return w->calls == 1 ? KITH_ERR_SYSTEM : KITH_OK;
}

/* However it fails, what it queued is dropped, what it did stays, and the tick ends. */
TEST(what_a_failing_system_queued_is_dropped)
{
    static const kith_result results[] = {KITH_ERR_SYSTEM, KITH_ERR_IO, KITH_ERR_MISUSE,
                                          KITH_ERR_INPUT};
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Health));
    watch w = {.f = &f};
    watch after = {.f = &f};
    add(f.world,
        (kith_system_def){.name = "fails",
                          .update = fail_after_queueing,
                          .user = &w,
                          .queries = {{.terms = KITH_TERMS(KITH_READ(Health))}}});
    add(f.world, (kith_system_def){.name = "after",
                                   .run = count_matches,
                                   .query.terms = KITH_TERMS(KITH_READ(Position)),
                                   .user = &after});
    after.seen = 99;
    for (size_t i = 0; test_row(i, ROWS_OF(results)); i++) {
        CHECK_RESULT(kith_run(f.world, 1), results[i]);
        CHECK_CONTAINS(kith_error(f.world), "'fails'");
        if (results[i] == KITH_ERR_MISUSE) {
            expect_misuse(&f, "test_plain.c");
        }
        CHECK_UINT(kith_entity_count(f.world), 1);
        CHECK_UINT(kith_event_count(f.world, &Byte_type), 1);
        CHECK_UINT(after.seen, 99);
        CHECK_UINT(kith_memory(f.world).entities, 1);
        CHECK_WORLD(f.world);
    }
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(after.seen, 1);
    fixture_free(&f);
}

static kith_result expect_no_commands(kith_world *world, kith_iter *it)
{
    (void)world;
    CHECK_PTR_NULL(it->commands);
    ((watch *)it->user)->calls++;
    return KITH_OK;
}

TEST(without_commands)
{
    fixture f = fixture_new();
    watch w = {.f = &f};
    add(f.world,
        (kith_system_def){
            .name = "quiet", .update = expect_no_commands, .user = &w, .no_commands = true});
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(w.calls, 1);
    fixture_free(&f);
}

static kith_result only_queue(kith_world *world, kith_iter *it)
{
    (void)world;
    watch *w = it->user;
    w->calls++;
    KITH_SPAWN(it->commands, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte));
    KITH_DESPAWN(it->commands, w->e);
    return KITH_OK;
}

/* Applying may fail. Then the tick ends, and nothing of it has happened. */
TEST_EACH_LAYOUT(commands_survive_every_allocation_failure, layout)
{
    uint32_t failures = 0;
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_all(layout);
        watch w = {.f = &f, .e = KITH_SPAWN(f.world, KITH_VALUE(Big))};
        watch after = {.f = &f, .seen = 99};
        add(f.world, (kith_system_def){.name = "queue", .update = only_queue, .user = &w});
        add(f.world, (kith_system_def){.name = "after",
                                       .run = count_matches,
                                       .query.terms = KITH_TERMS(KITH_READ(Byte)),
                                       .user = &after});
        CHECK_RESULT(kith_schedule_build(f.world), KITH_OK);
        fail_allocation(&f, nth);
        kith_result result = kith_run(f.world, 0.5f);
        bool reached = fail_nothing(&f);
        CHECK(result == KITH_OK || (reached && result == KITH_ERR_MEMORY));
        /* It was done as a whole, or not at all. */
        bool applied = !kith_alive(f.world, w.e);
        CHECK(applied || result != KITH_OK);
        kith_query *bytes = KITH_QUERY(f.world, KITH_READ(Byte), KITH_READ(Position));
        CHECK_UINT(kith_query_count(bytes), applied);
        CHECK_UINT(after.seen, result == KITH_OK ? 1 : 99);
        failures += w.calls == 1 && !applied;
        CHECK_WORLD(f.world);
        CHECK_RESULT(kith_run(f.world, 0.5f), KITH_OK);
        CHECK_WORLD(f.world);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
    CHECK(failures > 0);
}

/* ---- What the calls on its iterator do ------------------------------------------------------- */

/* It declares nothing, and everything is allowed. */
static kith_result use_all(kith_world *world, kith_iter *it)
{
    watch *w = it->user;
    CHECK(KITH_ALIVE(it, w->e));
    CHECK(KITH_HAS(it, w->e, Position) && !KITH_HAS(it, w->e, Health));
    CHECK_FLOAT(KITH_GET(it, w->e, Position)->x, 1);
    KITH_GET_MUT(it, w->e, Position)->x += 1;
    CHECK_FLOAT(KITH_GET(world, w->e, Position)->x, 2);
    CHECK_PTR_NULL(KITH_GET_MUT(it, w->e, Health));
    CHECK_PTR_NULL(KITH_RESOURCE(it, Health));
    CHECK_RESULT(KITH_RESOURCE_SET(world, Health, {3, 4}), KITH_OK);
    KITH_RESOURCE_MUT(it, Health)->current++;
    CHECK_INT(KITH_RESOURCE(it, Health)->current, 4);
    CHECK_PTR_NULL(KITH_EVENT(it, 0, Byte));
    CHECK_RESULT(KITH_SEND(it, Byte, {9}), KITH_OK);
    CHECK_UINT(KITH_EVENT(it, 0, Byte)->value, 9); /* it is there at once */
    CHECK_UINT(kith_system_event_count(it, &Byte_type), 1);
    CHECK(!kith_system_has_hooks(it, &Position_type));
    CHECK_RESULT(KITH_DESPAWN(world, w->e), KITH_OK);
    CHECK(!KITH_ALIVE(it, w->e));
    w->calls++;
    return KITH_OK;
}

TEST_EACH_LAYOUT(its_iterator_reaches_everything, layout)
{
    fixture f = fixture_with_all(layout);
    watch w = {.f = &f, .e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}))};
    add(f.world, (kith_system_def){.name = "use", .update = use_all, .user = &w});
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(w.calls, 1);
    CHECK_STR(f.misuse, "");
    fixture_free(&f);
}

static kith_result draw(kith_world *world, kith_iter *it)
{
    watch *w = it->user;
    (void)world;
    w->numbers[0] = kith_system_random(it);
    w->numbers[1] = kith_random_next(kith_system_random_stream(it));
    kith_iter all = kith_system_query(it, 1);
    w->numbers[2] = kith_system_random(&all);
    CHECK(all.commands == it->commands && all.user == it->user);
    CHECK_FLOAT(all.dt, it->dt);
    kith_iter_close(&all);
    w->numbers[3] = kith_system_random(it);
    return KITH_OK;
}

/* The numbers are those of a query system of its name, and of a stream of one's own with the same
 * state. */
static void draw_in_query(kith_iter *it)
{
    watch *w = it->user;
    for (int i = 0; i < 4; i++) {
        w->numbers[i] = kith_system_random(it);
    }
}

TEST(random_numbers)
{
    watch w[2] = {{.calls = 0}};
    for (int i = 0; i < 2; i++) {
        fixture f = fixture_new_with(&(kith_world_def){.seed = 12});
        CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
        kith_system_def def = {.name = "draw", .user = &w[i]};
        def.update = i == 0 ? draw : NULL;
        def.run = i == 0 ? NULL : draw_in_query;
        def.queries[0] = (kith_query_def){.terms = KITH_TERMS(KITH_READ(Position))};
        add(f.world, def);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        uint64_t first = w[i].numbers[0];
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK(w[i].numbers[0] != first);
        fixture_free(&f);
    }
    for (int i = 0; i < 4; i++) {
        CHECK_UINT(w[0].numbers[i], w[1].numbers[i]);
        CHECK(i == 0 || w[0].numbers[i] != w[0].numbers[i - 1]);
    }
}

/* ---- Queries --------------------------------------------------------------------------------- */

static kith_result count_pairs(kith_world *world, kith_iter *it)
{
    watch *w = it->user;
    w->seen = 0;
    for (kith_iter a = kith_system_query(it, 1); kith_next(&a);) {
        for (kith_iter b = kith_system_query(it, 2); kith_next(&b);) {
            w->seen += a.count * b.count;
            KITH_COLUMN_MUT(&b, Health)[0].current++;
            KITH_ADD(b.commands, kith_entities(&b)[0], Frozen);
            CHECK(kith_is_none(kith_spawn_empty(world)));
            expect_misuse(w->f, "test_plain.c");
        }
    }
    kith_iter changed = kith_system_query(it, 3);
    for (w->calls = 0; kith_next(&changed);) {
        w->calls += changed.count;
    }
    return changed.result;
}

TEST_EACH_LAYOUT(queries_of_a_plain_system, layout)
{
    fixture f = fixture_with_all(layout);
    watch w = {.f = &f};
    add(f.world,
        (kith_system_def){.name = "pairs",
                          .update = count_pairs,
                          .user = &w,
                          .queries = {{.terms = KITH_TERMS(KITH_READ(Position))},
                                                  {.terms = KITH_TERMS(KITH_WRITE(Health))},
                                                  {.terms = KITH_TERMS(KITH_CHANGED(Position))}}});
    for (int i = 0; i < 5; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position));
    }
    kith_entity e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Health));
    }
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(w.seen, 15);
    CHECK_UINT(w.calls, 5); /* its first look */
    CHECK(KITH_HAS(f.world, e[0], Frozen));
    CHECK(KITH_GET(f.world, e[0], Health)->current != 0);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(w.calls, 0);
    CHECK_WORLD(f.world);
    CHECK_RESULT(kith_system_remove(f.world, "pairs"), KITH_OK);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* A definition with queries that make no sense adds nothing, and so does one that memory fails. */
TEST(queries_that_cannot_be_made)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_with_all(KITH_TABLE);
        const uint64_t before = kith_world_hash(f.world);
        const kith_system_def wrong = {
            .name = "wrong",
            .update = update_nothing,
            .queries = {{.terms = KITH_TERMS(KITH_READ(Byte), KITH_WITH(Byte))}}};
        CHECK_RESULT(kith_system_add(f.world, &wrong), KITH_ERR_CONFLICT);
        const kith_system_def def = {.name = "asks",
                                     .update = update_nothing,
                                     .queries =
                                         {{.terms = KITH_TERMS(KITH_READ(Byte))},
                                                      {.terms = KITH_TERMS(KITH_READ(Name))}}};
        fail_allocation(&f, nth);
        kith_result result = kith_system_add(f.world, &def);
        bool reached = fail_nothing(&f);
        CHECK(result == KITH_OK || (reached && result == KITH_ERR_MEMORY));
        CHECK((kith_world_hash(f.world) == before) == (result != KITH_OK));
        CHECK_WORLD(f.world);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}

/* ---- Others ---------------------------------------------------------------------------------- */

static kith_result queue_two(kith_world *world, kith_iter *it)
{
    (void)world;
    KITH_SPAWN(it->commands, KITH_VALUE(Position), KITH_VALUE(Byte));
    return KITH_OK;
}

TEST(the_profile_counts_what_it_queued)
{
    fixture f = fixture_with_all(KITH_TABLE);
    add(f.world, (kith_system_def){.name = "two", .update = queue_two});
    CHECK_RESULT(kith_profile_start(f.world, 10), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    kith_system_stats stats;
    CHECK_RESULT(kith_profile_system(f.world, "two", &stats), KITH_OK);
    CHECK_UINT(stats.runs, 1);
    CHECK_UINT(stats.calls, 1);
    CHECK_UINT(stats.commands, 3); /* an entity, and two values */
    CHECK_UINT(stats.entities, 0);
    CHECK_UINT(stats.batches, 0);
    CHECK(stats.busy >= 0 && stats.wait >= 0 && stats.apply > 0);
    fixture_free(&f);
}

static kith_result run_inner(kith_world *world, kith_iter *it)
{
    (void)world;
    fixture *inner = it->user;
    uint64_t first = kith_system_random(it);
    CHECK_RESULT(kith_run(inner->world, it->dt), KITH_OK);
    CHECK(kith_system_random(it) != first);
    KITH_SPAWN(it->commands, KITH_VALUE(Position));
    return KITH_OK;
}

/* The system of another world that runs within has an iterator and commands of its own. */
TEST(a_tick_of_another_world_within)
{
    fixture f = fixture_with_all(KITH_TABLE);
    fixture g = fixture_with_all(KITH_SPARSE);
    add(f.world, (kith_system_def){.name = "outer", .update = run_inner, .user = &g});
    add(g.world, (kith_system_def){.name = "inner", .update = queue_two});
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_UINT(kith_entity_count(f.world), 1);
    CHECK_UINT(kith_entity_count(g.world), 1);
    fixture_free(&g);
    fixture_free(&f);
}
