/* Events: sent, read in order, and dropped when their time has come. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

typedef struct Hit {
    uint32_t number;
} Hit;
KITH_TYPE(Hit, KITH_FIELD(Hit, number));

typedef struct Score {
    int32_t points;
} Score;
KITH_TYPE(Score, KITH_FIELD(Score, points));

/* The queue holds exactly these numbers, `first` and up. */
static void check_queue(const fixture *f, uint32_t first, uint32_t count)
{
    CHECK_UINT(kith_event_count(f->world, &Hit_type), count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_UINT(KITH_EVENT(f->world, i, Hit)->number, first + i);
    }
    CHECK_PTR_NULL(KITH_EVENT(f->world, count, Hit));
    CHECK_PTR_NULL(KITH_EVENT(f->world, UINT32_MAX, Hit));
    CHECK_WORLD(f->world);
}

static void run(const fixture *f)
{
    CHECK_RESULT(kith_run(f->world, 1), KITH_OK);
}

/* ---- How long they live ---------------------------------------------------------------------- */

TEST(a_queue_that_is_not_there_has_none)
{
    fixture f = fixture_new();
    uint64_t reader = 0;
    uint64_t missed = 0;
    check_queue(&f, 0, 0);
    CHECK_PTR_NULL(kith_event_next(f.world, &Hit_type, &reader, &missed));
    CHECK_UINT(reader, 0);
    CHECK_UINT(missed, 0);
    kith_event_clear(f.world, &Hit_type);
    run(&f);
    check_queue(&f, 0, 0);
    fixture_free(&f);
}

/* Sent between two runs, an event belongs to the next one, and goes when the one after that starts. */
TEST(events_between_runs_last_through_the_next)
{
    fixture f = fixture_new();
    CHECK_RESULT(KITH_SEND(f.world, Hit, {0}), KITH_OK);
    CHECK_RESULT(KITH_SEND(f.world, Hit, {1}), KITH_OK);
    check_queue(&f, 0, 2);
    run(&f);
    check_queue(&f, 0, 2);
    CHECK_RESULT(KITH_SEND(f.world, Hit, {2}), KITH_OK);
    check_queue(&f, 0, 3);
    run(&f);
    check_queue(&f, 2, 1);
    run(&f);
    check_queue(&f, 0, 0);
    run(&f);
    check_queue(&f, 0, 0);
    fixture_free(&f);
}

/* Sent by a system, it belongs to that run: those behind see it in it, and all until the next starts. */
typedef struct relay {
    uint32_t seen_before; /* by the system in front of the sender */
    uint32_t seen_after;
    uint32_t sent;
} relay;

static kith_result look_before(kith_world *world, kith_iter *it)
{
    ((relay *)it->user)->seen_before = kith_event_count(world, &Hit_type);
    return KITH_OK;
}

static kith_result send_three(kith_world *world, kith_iter *it)
{
    for (int i = 0; i < 3; i++) {
        CHECK_RESULT(KITH_SEND(world, Hit, {((relay *)it->user)->sent}), KITH_OK);
        ((relay *)it->user)->sent++;
    }
    return KITH_OK;
}

static kith_result look_after(kith_world *world, kith_iter *it)
{
    ((relay *)it->user)->seen_after = kith_event_count(world, &Hit_type);
    return KITH_OK;
}

static void add_relay(kith_world *world, relay *r)
{
    const kith_system_def defs[] = {
        {.name = "before", .priority = 0, .update = look_before, .user = r},
        {.name = "send", .priority = 1, .update = send_three, .user = r},
        {.name = "after", .priority = 2, .update = look_after, .user = r},
    };
    for (int i = 0; i < 3; i++) {
        CHECK_RESULT(kith_system_add(world, &defs[i]), KITH_OK);
    }
}

TEST(events_of_a_run_last_until_the_next)
{
    fixture f = fixture_new();
    relay r = {0};
    add_relay(f.world, &r);
    CHECK_RESULT(KITH_SEND(f.world, Hit, {r.sent++}), KITH_OK);
    run(&f);
    CHECK_UINT(r.seen_before, 1);
    CHECK_UINT(r.seen_after, 4);
    check_queue(&f, 0, 4);
    run(&f);
    CHECK_UINT(r.seen_before, 0);
    CHECK_UINT(r.seen_after, 3);
    check_queue(&f, 4, 3);
    fixture_free(&f);
}

/* A run that was refused is none: nothing is dropped. A run that failed is one. */
TEST(runs_that_fail)
{
    fixture f = fixture_new();
    CHECK_RESULT(KITH_SEND(f.world, Hit, {0}), KITH_OK);
    run(&f);
    CHECK_RESULT(kith_run(f.world, -1), KITH_ERR_INPUT);
    check_queue(&f, 0, 1);
    run(&f);
    check_queue(&f, 0, 0);
    fixture_free(&f);
}

TEST(events_that_are_kept_longer)
{
    static const uint32_t keeps[] = {0, 1, 2, 3, 7, 1024};
    for (size_t k = 0; test_row(k, ROWS_OF(keeps)); k++) {
        const kith_event_def def = {.keep = keeps[k]};
        fixture f = fixture_new();
        CHECK_RESULT(kith_event_register(f.world, &Hit_type, &def), KITH_OK);
        check_queue(&f, 0, 0);
        uint32_t sent = 0;
        for (uint32_t r = 1; r <= 2 * keeps[k] + 6; r++) {
            /* Two for run r; at the end those of runs r - keep to r are there. */
            CHECK_RESULT(KITH_SEND(f.world, Hit, {sent++}), KITH_OK);
            CHECK_RESULT(KITH_SEND(f.world, Hit, {sent++}), KITH_OK);
            CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
            uint32_t runs = r < keeps[k] + 1 ? r : keeps[k] + 1;
            if (keeps[k] < 100 || r % 64 == 0) {
                check_queue(&f, sent - 2 * runs, 2 * runs);
            }
        }
        for (uint32_t r = 0; r < keeps[k] + 1; r++) {
            CHECK(kith_event_count(f.world, &Hit_type) > 0);
            run(&f);
        }
        check_queue(&f, 0, 0);
        fixture_free(&f);
    }
}

/* A world that never runs keeps them until they are cleared. */
TEST(a_world_that_never_runs)
{
    fixture f = fixture_new();
    for (uint32_t i = 0; i < 5000; i++) {
        CHECK_RESULT(KITH_SEND(f.world, Hit, {i}), KITH_OK);
    }
    check_queue(&f, 0, 5000);
    kith_event_clear(f.world, &Hit_type);
    check_queue(&f, 0, 0);
    CHECK_RESULT(KITH_SEND(f.world, Hit, {7}), KITH_OK);
    check_queue(&f, 7, 1);
    run(&f);
    check_queue(&f, 7, 1);
    run(&f);
    check_queue(&f, 0, 0);
    fixture_free(&f);
}

/* Sent by the thousand, run after run, the queue does not grow for ever. */
TEST(a_queue_stays_as_large_as_what_it_holds)
{
    const kith_event_def def = {.keep = 2};
    fixture f = fixture_new();
    CHECK_RESULT(kith_event_register(f.world, &Hit_type, &def), KITH_OK);
    uint32_t sent = 0;
    size_t used = 0;
    for (uint32_t r = 0; r < 300; r++) {
        for (int i = 0; i < 500; i++) {
            CHECK_RESULT(KITH_SEND(f.world, Hit, {sent++}), KITH_OK);
        }
        run(&f);
        if (r == 20) {
            used = kith_memory(f.world).used;
        }
    }
    CHECK(kith_memory(f.world).used <= used);
    check_queue(&f, sent - 1500, 1500);
    fixture_free(&f);
}

/* ---- Readers --------------------------------------------------------------------------------- */

/* Each reads each event once, at its own pace, and is told what it missed. */
TEST(readers_at_their_own_pace)
{
    const kith_event_def def = {.keep = 1};
    fixture f = fixture_new();
    CHECK_RESULT(kith_event_register(f.world, &Hit_type, &def), KITH_OK);
    uint64_t quick = 0;
    uint64_t slow = 0;
    uint64_t slow_missed = 0;
    uint32_t quick_seen = 0;
    uint32_t slow_seen = 0;
    uint32_t sent = 0;
    for (int r = 0; r < 50; r++) {
        for (int i = 0; i < 3; i++) {
            CHECK_RESULT(KITH_SEND(f.world, Hit, {sent++}), KITH_OK);
        }
        const Hit *hit;
        while ((hit = kith_event_next(f.world, &Hit_type, &quick, NULL)) != NULL) {
            CHECK_UINT(hit->number, quick_seen);
            quick_seen++;
        }
        CHECK_UINT(quick_seen, sent);
        if (r % 5 == 4) {
            uint64_t missed = 0;
            while ((hit = kith_event_next(f.world, &Hit_type, &slow, &missed)) != NULL) {
                slow_missed += missed;
                missed = 0;
                CHECK_UINT(hit->number, slow_seen + slow_missed);
                slow_seen++;
            }
            CHECK_UINT(slow_seen + slow_missed, sent);
        }
        run(&f);
    }
    CHECK(slow_missed > 0);
    CHECK_UINT(quick, sent);

    /* A reader that comes when all are gone is told that as well. */
    run(&f);
    run(&f);
    uint64_t late = 0;
    uint64_t missed = 10;
    CHECK_PTR_NULL(kith_event_next(f.world, &Hit_type, &late, &missed));
    CHECK_UINT(missed, 10 + sent);
    CHECK_PTR_NULL(kith_event_next(f.world, &Hit_type, &late, &missed));
    CHECK_UINT(missed, 10 + sent);
    fixture_free(&f);
}

/* Clearing counts as dropping; a reader from the future waits. */
TEST(readers_of_a_cleared_queue)
{
    fixture f = fixture_new();
    uint64_t reader = 0;
    uint64_t missed = 0;
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_RESULT(KITH_SEND(f.world, Hit, {i}), KITH_OK);
    }
    const Hit *hit = kith_event_next(f.world, &Hit_type, &reader, &missed);
    CHECK_UINT(hit->number, 0);
    kith_event_clear(f.world, &Hit_type);
    CHECK_RESULT(KITH_SEND(f.world, Hit, {10}), KITH_OK);
    hit = kith_event_next(f.world, &Hit_type, &reader, &missed);
    CHECK_UINT(hit->number, 10);
    CHECK_UINT(missed, 9);
    CHECK_PTR_NULL(kith_event_next(f.world, &Hit_type, &reader, &missed));

    uint64_t future = UINT64_MAX;
    CHECK_PTR_NULL(kith_event_next(f.world, &Hit_type, &future, &missed));
    CHECK_UINT(future, UINT64_MAX);
    CHECK_UINT(missed, 9);
    fixture_free(&f);
}

/* ---- Many at a time --------------------------------------------------------------------------- */

/* The outcome is that of single calls. */
TEST(many_events_are_sent_as_one_by_one)
{
    static const uint32_t counts[] = {0, 1, 3, 1000, 2048, 5};
    static Position values[2048];
    fixture f = fixture_new();
    fixture g = fixture_new();
    uint32_t sent = 0;
    for (size_t i = 0; test_row(i, ROWS_OF(counts)); i++) {
        for (uint32_t k = 0; k < counts[i]; k++) {
            values[k] = (Position){(float)(sent + k), 1};
        }
        CHECK_RESULT(kith_event_send_many(f.world, &Position_type, values, counts[i]), KITH_OK);
        for (uint32_t k = 0; k < counts[i]; k++) {
            CHECK_RESULT(kith_event_send(g.world, &Position_type, &values[k]), KITH_OK);
        }
        sent += counts[i];
        CHECK_UINT(kith_event_count(f.world, &Position_type), sent);
        CHECK_WORLD(f.world);
    }
    CHECK_UINT(kith_world_hash(f.world), kith_world_hash(g.world));
    for (uint32_t i = 0; i < sent; i++) {
        CHECK_FLOAT(KITH_EVENT(f.world, i, Position)->x, i);
    }
    CHECK_RESULT(kith_event_send_many(f.world, &Position_type, NULL, 2), KITH_OK);
    CHECK_FLOAT(KITH_EVENT(f.world, sent + 1, Position)->y, 0);
    CHECK_RESULT(kith_event_send_many(f.world, &Frozen_type, NULL, 2000), KITH_OK);
    CHECK_UINT(kith_event_count(f.world, &Frozen_type), 2000);
    CHECK_RESULT(kith_event_send_many(f.world, &Position_type, NULL, UINT32_MAX - 1),
                 KITH_ERR_LIMIT);
    CHECK_RESULT(kith_run(f.world, 0), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 0), KITH_OK);
    CHECK_UINT(kith_event_count(f.world, &Position_type), 0);
    fixture_free(&f);
    fixture_free(&g);
}

/* ---- Types ----------------------------------------------------------------------------------- */

/* Tags are sent, counted and read, though they hold nothing. */
TEST(events_without_data)
{
    fixture f = fixture_new();
    CHECK_PTR_NULL(kith_event_at(f.world, &Frozen_type, 0));
    for (uint32_t i = 0; i < 2000; i++) {
        CHECK_RESULT(kith_event_send(f.world, &Frozen_type, NULL), KITH_OK);
    }
    CHECK_UINT(kith_event_count(f.world, &Frozen_type), 2000);
    CHECK_PTR_NOT_NULL(kith_event_at(f.world, &Frozen_type, 0));
    CHECK_PTR_NOT_NULL(kith_event_at(f.world, &Frozen_type, 1999));
    CHECK_PTR_NULL(kith_event_at(f.world, &Frozen_type, 2000));
    uint64_t reader = 0;
    uint32_t seen = 0;
    while (kith_event_next(f.world, &Frozen_type, &reader, NULL) != NULL) {
        seen++;
    }
    CHECK_UINT(seen, 2000);
    run(&f);
    run(&f);
    CHECK_UINT(kith_event_count(f.world, &Frozen_type), 0);
    fixture_free(&f);
}

TEST(queues_of_several_types)
{
    fixture f = fixture_new();
    for (uint32_t round = 0; round < 50; round++) {
        for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
            if (component_types[i]->size < 1000) {
                CHECK_RESULT(kith_event_send(f.world, component_types[i], NULL), KITH_OK);
            }
        }
        CHECK_RESULT(KITH_SEND(f.world, Position, {(float)round, 0}), KITH_OK);
    }
    CHECK_UINT(kith_event_count(f.world, &Position_type), 100);
    CHECK_UINT(kith_event_count(f.world, &Byte_type), 50);
    CHECK_FLOAT(KITH_EVENT(f.world, 99, Position)->x, 49);
    kith_event_clear(f.world, &Position_type);
    CHECK_UINT(kith_event_count(f.world, &Position_type), 0);
    CHECK_UINT(kith_event_count(f.world, &Byte_type), 50);
    CHECK_UINT(kith_type_count(f.world), 0); /* they are no components */
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(registering_a_queue)
{
    fixture f = fixture_new();
    kith_event_def def = {.keep = 1025};
    CHECK_RESULT(kith_event_register(f.world, &Hit_type, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_event_register");
    def.keep = UINT32_MAX;
    CHECK_RESULT(kith_event_register(f.world, &Hit_type, &def), KITH_ERR_INPUT);
    def.keep = 1;
    CHECK_RESULT(kith_event_register(f.world, &Hit_type, &def), KITH_OK);
    CHECK_RESULT(kith_event_register(f.world, &Hit_type, &def), KITH_OK);
    const uint64_t before = kith_world_hash(f.world);
    CHECK_RESULT(kith_event_register(f.world, &Hit_type, NULL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "Hit");
    def.keep = 2;
    CHECK_RESULT(kith_event_register(f.world, &Hit_type, &def), KITH_ERR_CONFLICT);

    /* Another struct of that name. */
    static const kith_field fields[] = {{"number", 0, 4, KITH_F32}};
    static uint32_t number;
    const kith_type other = {"Hit", 4, 4, 0, 1, fields, &number, KITH_TABLE, false, false, 0};
    def.keep = 1;
    CHECK_RESULT(kith_event_register(f.world, &other, &def), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_event_send(f.world, &other, NULL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "Hit");
    CHECK_UINT(kith_event_count(f.world, &other), 0);
    CHECK_PTR_NULL(kith_event_at(f.world, &other, 0));
    CHECK_UINT(kith_world_hash(f.world), before);

    /* A first event makes a queue of the def of zeros. */
    CHECK_RESULT(KITH_SEND(f.world, Score, {1}), KITH_OK);
    CHECK_RESULT(kith_event_register(f.world, &Score_type, NULL), KITH_OK);
    CHECK_RESULT(kith_event_register(f.world, &Score_type, &def), KITH_ERR_CONFLICT);
    fixture_free(&f);
}

/* Asking whether events can be sent makes no queue: its def can still be chosen. */
TEST(reserving_for_none_only_asks)
{
    fixture f = fixture_new();
    const uint64_t before = kith_world_hash(f.world);
    CHECK_RESULT(kith_event_reserve(f.world, &Hit_type, 0), KITH_OK);
    CHECK_UINT(kith_world_hash(f.world), before);
    const kith_event_def def = {.keep = 3};
    CHECK_RESULT(kith_event_register(f.world, &Hit_type, &def), KITH_OK);
    CHECK_RESULT(kith_event_reserve(f.world, &Hit_type, 0), KITH_OK);

    static const kith_field fields[] = {{"number", 0, 4, KITH_F32}};
    static uint32_t number;
    const kith_type other = {"Hit", 4, 4, 0, 1, fields, &number, KITH_TABLE, false, false, 0};
    CHECK_RESULT(kith_event_reserve(f.world, &other, 0), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "kith_event_reserve: there are events 'Hit'");
    CHECK_RESULT(kith_event_reserve(f.world, &Hit_type, UINT32_MAX), KITH_ERR_LIMIT);
    CHECK_RESULT(kith_event_reserve(f.world, &Score_type, UINT32_MAX), KITH_ERR_LIMIT);
    CHECK_RESULT(kith_event_register(f.world, &Score_type, &def), KITH_OK);
    fixture_free(&f);
}

/* What was reserved is sent without memory, beside events that are there. */
TEST(reserved_events_need_no_memory)
{
    fixture f = fixture_new();
    static Hit hits[3000];
    for (uint32_t i = 0; i < 3000; i++) {
        hits[i].number = i;
    }
    CHECK_RESULT(kith_event_send_many(f.world, &Hit_type, hits, 700), KITH_OK);
    CHECK_RESULT(kith_event_reserve(f.world, &Hit_type, 2300), KITH_OK);
    check_queue(&f, 0, 700);
    fail_from(&f, 1);
    CHECK_RESULT(kith_event_send_many(f.world, &Hit_type, hits + 700, 2299), KITH_OK);
    CHECK_RESULT(kith_event_send(f.world, &Hit_type, &hits[2999]), KITH_OK);
    CHECK(!fail_nothing(&f));
    check_queue(&f, 0, 3000);
    fixture_free(&f);
}

/* An event is sent whole or not at all. */
TEST(sending_survives_every_allocation_failure)
{
    for (uint32_t count = 0; count <= 1024; count = count * 2 + 1) {
        for (size_t nth = 1;; nth++) {
            fixture f = fixture_new();
            for (uint32_t i = 0; i < count; i++) {
                CHECK_RESULT(KITH_SEND(f.world, Hit, {i}), KITH_OK);
            }
            const uint64_t before = kith_world_hash(f.world);
            fail_allocation(&f, nth);
            kith_result result = KITH_SEND(f.world, Hit, {count});
            bool reached = fail_nothing(&f);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            CHECK((kith_world_hash(f.world) == before) == reached);
            check_queue(&f, 0, count + !reached);
            fixture_free(&f);
            if (!reached) {
                break;
            }
        }
    }
}
