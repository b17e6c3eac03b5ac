/* Values with hooks as resources and as events: made once, and ended once. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "owners.h"
#include "share.h"

/* ---- Resources */

static kith_result keep_number(owners *o, uint32_t number)
{
    const Owned value = {&number, number, 0};
    return kith_resource_set(o->world, &Owned_type, &value);
}

TEST(a_resource_is_made_and_ended_once)
{
    owners o;
    owners_new(&o, KITH_TABLE);
    CHECK_RESULT(keep_number(&o, 1), KITH_OK);
    check_live(&o, 1);
    const Owned *kept = KITH_RESOURCE(o.world, Owned);
    CHECK_UINT(*kept->number, 1);
    CHECK_RESULT(keep_number(&o, 2), KITH_OK);
    check_live(&o, 1);
    CHECK(KITH_RESOURCE(o.world, Owned) == kept);
    CHECK_UINT(*kept->number, 2);
    CHECK_RESULT(kith_resource_set(o.world, &Owned_type, NULL), KITH_OK);
    CHECK_UINT(*kept->number, OWNED_INITIAL);
    *KITH_RESOURCE_MUT(o.world, Owned)->number = 3;
    CHECK_RESULT(kith_resource_set(o.world, &Owned_type, kept), KITH_OK); /* of itself */
    CHECK_UINT(*kept->number, 3);
    check_live(&o, 1);
    CHECK_RESULT(kith_resource_remove(o.world, &Owned_type), KITH_OK);
    check_live(&o, 0);
    CHECK_PTR_NULL(KITH_RESOURCE(o.world, Owned));
    CHECK_RESULT(keep_number(&o, 4), KITH_OK);
    owners_free(&o);
}

TEST(a_resource_whose_hook_fails_stays_what_it_is)
{
    owners o;
    owners_new(&o, KITH_TABLE);
    owned_fail(&o.record, 1);
    CHECK_RESULT(kith_resource_set(o.world, &Owned_type, NULL), KITH_ERR_SYSTEM);
    CHECK_PTR_NULL(KITH_RESOURCE(o.world, Owned));
    CHECK_RESULT(keep_number(&o, 1), KITH_OK);
    owned_fail(&o.record, 1);
    CHECK_RESULT(keep_number(&o, 2), KITH_ERR_MEMORY);
    CHECK_UINT(*KITH_RESOURCE(o.world, Owned)->number, 1);
    check_live(&o, 1);
    for (size_t nth = 1;; nth++) {
        fail_allocation(&o.f, nth);
        kith_result result = keep_number(&o, 3);
        if (!fail_nothing(&o.f)) {
            CHECK_RESULT(result, KITH_OK);
            break;
        }
        CHECK_RESULT(result, KITH_ERR_MEMORY);
        check_live(&o, 1);
    }
    owners_free(&o);
}

/* A view keeps the value that it was made of, as long as it lives. */
TEST(a_shared_resource_is_copied)
{
    owners o;
    owners_new(&o, KITH_TABLE);
    CHECK_RESULT(keep_number(&o, 1), KITH_OK);
    test_share *share = test_share_world(o.world);
    owned_fail(&o.record, 2); /* un-sharing, behind the new value */
    CHECK_RESULT(keep_number(&o, 2), KITH_ERR_MEMORY);
    check_live(&o, 1);
    CHECK_RESULT(keep_number(&o, 2), KITH_OK);
    check_live(&o, 2);
    test_share_free(share);
    check_live(&o, 1);
    share = test_share_world(o.world);
    CHECK_RESULT(kith_resource_remove(o.world, &Owned_type), KITH_OK);
    check_live(&o, 1);
    test_share_free(share);
    check_live(&o, 0);
    owners_free(&o);
}

TEST(a_resource_counts_as_its_hook_says)
{
    owners o;
    owners_new(&o, KITH_TABLE);
    CHECK_RESULT(keep_number(&o, 1), KITH_OK);
    uint64_t hash = kith_world_hash(o.world);
    uint64_t content = kith_content_hash(o.world);
    CHECK_RESULT(keep_number(&o, 1), KITH_OK); /* another, and the same */
    CHECK(kith_world_hash(o.world) == hash && kith_content_hash(o.world) == content);
    *KITH_RESOURCE_MUT(o.world, Owned)->number = 2;
    CHECK(kith_world_hash(o.world) != hash && kith_content_hash(o.world) != content);
    owners_free(&o);
}

TEST(a_resource_without_copy_is_taken_over)
{
    owners o;
    owners_new_without_copy(&o, KITH_TABLE);
    Owned value = owned_new(&o.record, 1);
    fail_allocation(&o.f, 1);
    CHECK_RESULT(kith_resource_set(o.world, &Owned_type, &value), KITH_ERR_MEMORY);
    fail_nothing(&o.f);
    check_live(&o, 1);
    CHECK_RESULT(kith_resource_set(o.world, &Owned_type, &value), KITH_OK);
    CHECK(KITH_RESOURCE(o.world, Owned)->number == value.number);
    check_live(&o, 1);
    owners_free(&o);
}

/* ---- Events */

static kith_result send_number(owners *o, uint32_t number)
{
    const Owned value = {&number, number, 0};
    return kith_event_send(o->world, &Owned_type, &value);
}

static void check_events(owners *o, uint32_t first, uint32_t count)
{
    CHECK_UINT(kith_event_count(o->world, &Owned_type), count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_UINT(*KITH_EVENT(o->world, i, Owned)->number, first + i);
    }
    CHECK_WORLD(o->world);
}

TEST(an_event_ends_when_it_is_dropped)
{
    owners o;
    owners_new(&o, KITH_TABLE);
    uint32_t next = 0;
    for (uint32_t round = 0; round < 40; round++) {
        for (uint32_t i = 0; i < round * 3; i++) {
            CHECK_RESULT(send_number(&o, next++), KITH_OK);
        }
        CHECK_RESULT(kith_run(o.world, 1), KITH_OK);
        check_events(&o, next - round * 3, round * 3);
        check_live(&o, round * 3);
    }
    CHECK_RESULT(kith_event_send(o.world, &Owned_type, NULL), KITH_OK);
    CHECK_UINT(*KITH_EVENT(o.world, 117, Owned)->number, OWNED_INITIAL);
    kith_event_clear(o.world, &Owned_type);
    check_live(&o, 0);
    CHECK_RESULT(send_number(&o, 1), KITH_OK);
    owners_free(&o);
}

/* Some stay, and move to the front, while the older ones go. */
TEST(events_that_are_kept_move_up)
{
    owners o;
    owners_new(&o, KITH_TABLE);
    const kith_event_def def = {.keep = 2};
    CHECK_RESULT(kith_event_register(o.world, &Owned_type, &def), KITH_OK);
    uint32_t sent = 0;
    const uint32_t counts[] = {500, 3, 7, 0, 1200, 1, 1, 1, 0, 0, 0, 20, 0};
    uint32_t alive[4] = {0};
    for (size_t i = 0; test_row(i, ROWS_OF(counts)); i++) {
        for (uint32_t k = 0; k < counts[i]; k++) {
            CHECK_RESULT(send_number(&o, sent++), KITH_OK);
        }
        CHECK_RESULT(kith_run(o.world, 1), KITH_OK);
        alive[i % 3] = counts[i];
        uint32_t count = alive[0] + alive[1] + alive[2];
        check_events(&o, sent - count, count);
        check_live(&o, count);
    }
    owners_free(&o);
}

/* While a view holds their blocks, values that are dropped wait for memory to part from it. */
TEST(shared_events_end_when_they_can)
{
    owners o;
    owners_new(&o, KITH_TABLE);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_RESULT(send_number(&o, i), KITH_OK);
    }
    test_share *share = test_share_world(o.world);
    CHECK_RESULT(send_number(&o, 100), KITH_OK);
    CHECK(o.record.live > 101);
    test_share_free(share);
    check_live(&o, 101);
    share = test_share_world(o.world);
    owned_fail(&o.record, 1);
    kith_event_clear(o.world, &Owned_type);
    check_events(&o, 0, 0);
    check_live(&o, 101);
    CHECK_RESULT(send_number(&o, 7), KITH_OK); /* behind them */
    check_events(&o, 7, 1);
    test_share_free(share);
    CHECK_RESULT(kith_run(o.world, 1), KITH_OK);
    check_events(&o, 7, 1);
    check_live(&o, 1);
    CHECK_RESULT(kith_run(o.world, 1), KITH_OK);
    check_live(&o, 0);
    owners_free(&o);
}

/* What moves up leaves a block that a view holds, too. */
TEST(events_move_up_out_of_shared_blocks)
{
    owners o;
    owners_new(&o, KITH_TABLE);
    enum { BLOCKS = 2048, MORE = 100 };
    const kith_event_def def = {.keep = 1};
    CHECK_RESULT(kith_event_register(o.world, &Owned_type, &def), KITH_OK);
    for (uint32_t i = 0; i < BLOCKS; i++) {
        CHECK_RESULT(send_number(&o, i), KITH_OK);
    }
    CHECK_RESULT(kith_run(o.world, 1), KITH_OK);
    CHECK_RESULT(kith_run(o.world, 1), KITH_OK);
    for (uint32_t i = 0; i < MORE; i++) {
        CHECK_RESULT(send_number(&o, BLOCKS + i), KITH_OK);
    }
    test_share *share = test_share_world(o.world);
    owned_fail(&o.record, 2 * BLOCKS / 2 + MORE / 2); /* the first time, it has to wait */
    CHECK_RESULT(kith_run(o.world, 1), KITH_OK);
    check_events(&o, BLOCKS, MORE);
    test_share_check(share);
    CHECK_RESULT(kith_run(o.world, 1), KITH_OK);
    check_events(&o, BLOCKS, MORE);
    test_share_free(share);
    check_live(&o, MORE);
    owners_free(&o);
}

TEST(an_event_whose_hook_fails_is_not_sent)
{
    owners o;
    owners_new(&o, KITH_TABLE);
    owned_fail(&o.record, 1);
    CHECK_RESULT(kith_event_send(o.world, &Owned_type, NULL), KITH_ERR_SYSTEM);
    CHECK_UINT(kith_event_count(o.world, &Owned_type), 0);
    CHECK_RESULT(send_number(&o, 0), KITH_OK);
    for (size_t nth = 1;; nth++) {
        fail_allocation(&o.f, nth);
        kith_result result = send_number(&o, 1);
        if (!fail_nothing(&o.f)) {
            CHECK_RESULT(result, KITH_OK);
            break;
        }
        CHECK_RESULT(result, KITH_ERR_MEMORY);
        check_events(&o, 0, 1);
        check_live(&o, 1);
    }
    check_events(&o, 0, 2);
    uint64_t hash = kith_world_hash(o.world);
    *((Owned *)(uintptr_t)KITH_EVENT(o.world, 1, Owned))->number = 9;
    CHECK(kith_world_hash(o.world) != hash); /* its hook counts */
    owners_free(&o);
}

/* ---- Hooks that call into the world */

static void reach_back(void *context)
{
    owners *o = context;
    o->record.inside = NULL;
    const kith_entity e = {1, 0};
    const kith_value values[] = {KITH_VALUE(Owned)};
    CHECK_RESULT(kith_set(o->world, e, &Owned_type, NULL), KITH_ERR_MISUSE);
    expect_misuse(&o->f, "kith_set: a hook of 'Owned' is running");
    CHECK_RESULT(kith_set_values(o->world, e, values, 1), KITH_ERR_MISUSE);
    expect_misuse(&o->f, "kith_set_values: a hook of 'Owned' is running");
    CHECK_RESULT(kith_resource_set(o->world, &Owned_type, NULL), KITH_ERR_MISUSE);
    expect_misuse(&o->f, "kith_resource_set: a hook of 'Owned' is running");
    CHECK_RESULT(kith_resource_remove(o->world, &Owned_type), KITH_ERR_MISUSE);
    expect_misuse(&o->f, "kith_resource_remove: a hook of 'Owned' is running");
    CHECK_RESULT(kith_event_send(o->world, &Owned_type, NULL), KITH_ERR_MISUSE);
    expect_misuse(&o->f, "kith_event_send: a hook of 'Owned' is running");
    kith_event_clear(o->world, &Owned_type);
    expect_misuse(&o->f, "kith_event_clear: a hook of 'Owned' is running");
}

TEST(hooks_must_not_change_values_with_hooks)
{
    owners o;
    owners_new(&o, KITH_TABLE);
    const kith_entity e = spawn_number(&o, 1);
    CHECK_RESULT(keep_number(&o, 1), KITH_OK);
    CHECK_RESULT(send_number(&o, 1), KITH_OK);
    o.record.context = &o;
    o.record.inside = reach_back;
    CHECK_RESULT(keep_number(&o, 2), KITH_OK);
    o.record.inside = reach_back;
    CHECK_RESULT(send_number(&o, 2), KITH_OK);
    o.record.inside = reach_back;
    kith_event_clear(o.world, &Owned_type);
    CHECK_PTR_NULL(o.record.inside);
    o.record.inside = reach_back;
    CHECK_RESULT(kith_resource_remove(o.world, &Owned_type), KITH_OK);
    check_live(&o, 1);
    o.record.inside = reach_back;
    CHECK_RESULT(set_number(&o, e, 2), KITH_OK);
    CHECK_PTR_NULL(o.record.inside);
    CHECK_UINT(number_of(&o, e), 2);
    check_live(&o, 1);
    owners_free(&o);
}

/* What a hook may hold of the world, and must not use. */
typedef struct reach {
    owners *o;
    kith_query *query;
    kith_tracker *tracker;
    kith_iter *open; /* of the caller's; or NULL */
    uint32_t times;
} reach;

static void reach_around(void *context)
{
    reach *r = context;
    owners *o = r->o;
    if (r->times++ != 0) {
        return; /* each of the hooks of one call does so once */
    }
    kith_change change;
    kith_iter it = kith_query_iter(r->query);
    expect_misuse(&o->f, "kith_query_iter: a hook of 'Owned' is running");
    CHECK_RESULT(it.result, KITH_ERR_MISUSE);
    kith_iter_close(&it);
    CHECK_RESULT(kith_despawn(o->world, (kith_entity){1, 0}), KITH_ERR_MISUSE);
    expect_misuse(&o->f, "kith_despawn: a hook of 'Owned' is running");
    kith_query_skip_changes(r->query);
    expect_misuse(&o->f, "kith_query_skip_changes: a hook of 'Owned' is running");
    kith_query_free(r->query);
    expect_misuse(&o->f, "kith_query_free: a hook of 'Owned' is running");
    CHECK(!kith_tracker_next(r->tracker, &change));
    expect_misuse(&o->f, "kith_tracker_next: a hook of 'Owned' is running");
    kith_tracker_free(r->tracker);
    expect_misuse(&o->f, "kith_tracker_free: a hook of 'Owned' is running");
    kith_world_claim(o->world);
    expect_misuse(&o->f, "kith_world_claim: a hook of 'Owned' is running");
    if (r->open != NULL) {
        kith_iter_close(r->open);
        expect_misuse(&o->f, "kith_iter_close: a hook of 'Owned' is running");
        CHECK(!kith_next(r->open));
        expect_misuse(&o->f, "kith_next: a hook of 'Owned' is running");
    }
}

TEST(hooks_must_not_use_queries_and_trackers)
{
    owners o;
    owners_new(&o, KITH_TABLE);
    const kith_entity e = spawn_number(&o, 1);
    reach r = {.o = &o, .query = KITH_QUERY(o.world, KITH_READ(Owned))};
    CHECK_RESULT(kith_tracker_new(o.world, &Owned_type, &r.tracker), KITH_OK);
    o.record.context = &r;
    o.record.inside = reach_around;
    CHECK_RESULT(set_number(&o, e, 2), KITH_OK);
    CHECK_UINT(r.times, 3); /* it was copied, the old one destroyed, and the new one moved there */
    CHECK_UINT(number_of(&o, e), 2);

    kith_iter it = kith_query_iter(r.query);
    CHECK(kith_next(&it));
    r.open = &it;
    r.times = 0;
    CHECK_RESULT(set_number(&o, e, 3), KITH_OK);
    CHECK_UINT(it.count, 1); /* the batch is still there */
    CHECK_UINT(*KITH_COLUMN(&it, Owned)->number, 3);
    CHECK(!kith_next(&it));
    CHECK_RESULT(it.result, KITH_OK);
    CHECK_WORLD(o.world);
    o.record.inside = NULL;
    CHECK_RESULT(kith_despawn(o.world, e), KITH_OK);
    check_live(&o, 0);
    kith_tracker_free(r.tracker);
    owners_free(&o);
}

/* ---- Systems */

static void shout(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t number = kith_entities(it)[i].index1 - 1;
            const Owned value = {&number, number, 0};
            kith_result result = kith_system_send(it, &Owned_type, &value);
            kith_entity made = kith_commands_spawn(it->commands);
            if (result != KITH_OK ||
                kith_commands_set(it->commands, made, &Owned_type, &value) != KITH_OK) {
                return; /* the run tells */
            }
            const Bond bond = {&number, made};
            (void)kith_commands_set(it->commands, kith_entities(it)[i], &Bond_type, &bond);
        }
    }
}

static void shouters_new(owners *o, kith_layout layout, uint32_t count)
{
    owners_new(o, layout);
    for (uint32_t i = 0; i < count; i++) {
        kith_entity e = kith_spawn_empty(o->world);
        CHECK_RESULT(KITH_SET(o->world, e, Position, {(float)i, 0}), KITH_OK);
    }
    const kith_system_def def = {.name = "shout",
                                 .run = shout,
                                 .parallel = true,
                                 .query.terms = KITH_TERMS(KITH_WITH(Position)),
                                 .events = KITH_TERMS(KITH_WRITE(Owned))};
    CHECK_RESULT(kith_system_add(o->world, &def), KITH_OK);
}

/* Events come in order, and what a system's calls queue apart is joined, handles in values included. */
TEST_EACH_LAYOUT(systems_send_and_queue_values, layout)
{
    owners o;
    enum { COUNT = 3000 };
    shouters_new(&o, layout, COUNT);
    for (uint32_t run = 0; run < 2; run++) {
        CHECK_RESULT(kith_run(o.world, 1), KITH_OK);
        check_events(&o, 0, COUNT);
        check_live(&o, COUNT + (run + 1) * COUNT + COUNT);
        for (uint32_t i = 0; i < COUNT; i++) {
            const kith_entity e = {i + 1, 0};
            CHECK_UINT(number_of(&o, KITH_GET(o.world, e, Bond)->to), i);
        }
    }
    owners_free(&o);
}

/* A run whose hook fails keeps nothing of what the system sent and queued. */
TEST_EACH_LAYOUT(a_hook_that_fails_in_a_system_fails_the_run, layout)
{
    for (uint64_t nth = 1; nth <= 30; nth++) {
        owners o;
        shouters_new(&o, layout, 10);
        owned_fail(&o.record, nth);
        CHECK_RESULT(kith_run(o.world, 1), KITH_ERR_MEMORY);
        check_live(&o, 0);
        check_events(&o, 0, 0);
        CHECK_RESULT(kith_run(o.world, 1), KITH_OK);
        check_events(&o, 0, 10);
        check_live(&o, 30);
        owners_free(&o);
    }
}
