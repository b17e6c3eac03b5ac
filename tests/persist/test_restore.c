/* What a restore makes of systems, events, resources and exact changes: also of those that came or went
 * since the snapshot was taken. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "owned.h"
#include "restoring.h"
#include "rewound.h"

/* ---- Resources and events -------------------------------------------------------------------- */

TEST(resources_are_those_of_the_snapshot)
{
    fixture f = fixture_new();
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Health, {1, 2}), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Extra, {1, 2, 3}), KITH_OK);
    kith_snapshot *snapshot = take(&f);
    for (int i = 0; i < 2; i++) {
        CHECK_RESULT(KITH_RESOURCE_SET(f.world, Health, {5, 6}), KITH_OK);
        CHECK_RESULT(KITH_RESOURCE_SET(f.world, Position, {5, 6}), KITH_OK);
        CHECK_RESULT(kith_resource_remove(f.world, &Extra_type), KITH_OK);
        restore(&f, snapshot);
        CHECK_INT(((const Health *)kith_resource_get(f.world, &Health_type))->max, 2);
        CHECK_FLOAT(((const Extra *)kith_resource_get(f.world, &Extra_type))->c, 3);
        CHECK_PTR_NULL(kith_resource_get(f.world, &Position_type));
    }
    fixture_free(&f);
}

/* A reader that goes back with its world reads the same events again. */
TEST(events_are_those_of_the_snapshot)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_event_register(f.world, &Health_type, &(kith_event_def){.keep = 2}), KITH_OK);
    for (int32_t i = 0; i < 5; i++) {
        CHECK_RESULT(kith_event_send(f.world, &Health_type, &(Health){i, i}), KITH_OK);
        run(&f);
    }
    uint32_t count = kith_event_count(f.world, &Health_type);
    CHECK_UINT(count, 3);
    kith_snapshot *snapshot = take(&f);
    for (int32_t i = 5; i < 9; i++) {
        CHECK_RESULT(kith_event_send(f.world, &Health_type, &(Health){i, i}), KITH_OK);
        run(&f);
    }
    kith_event_clear(f.world, &Health_type);
    restore(&f, snapshot);
    uint64_t reader = 0;
    uint64_t missed = 0;
    for (int32_t i = 2; i < 5; i++) {
        const Health *event = kith_event_next(f.world, &Health_type, &reader, &missed);
        CHECK_PTR_NOT_NULL(event);
        CHECK_INT(event->current, i);
    }
    CHECK_UINT(missed, 2);
    CHECK_PTR_NULL(kith_event_next(f.world, &Health_type, &reader, &missed));
    run(&f);
    CHECK_UINT(kith_event_count(f.world, &Health_type), 2);
    fixture_free(&f);
}

TEST(a_queue_that_came_since_stays_but_is_empty)
{
    fixture f = fixture_new();
    kith_snapshot *snapshot = take(&f);
    uint64_t hash = kith_world_hash(f.world);
    CHECK_RESULT(kith_event_register(f.world, &Health_type, &(kith_event_def){.keep = 3}), KITH_OK);
    CHECK_RESULT(kith_event_send(f.world, &Health_type, NULL), KITH_OK);
    for (int i = 0; i < 6; i++) {
        run(&f);
    }
    CHECK_RESULT(kith_event_send(f.world, &Health_type, NULL), KITH_OK);
    restore(&f, snapshot);
    CHECK_UINT(kith_world_hash(f.world), hash);
    CHECK_UINT(kith_event_count(f.world, &Health_type), 0);
    CHECK_RESULT(kith_event_register(f.world, &Health_type, &(kith_event_def){.keep = 3}), KITH_OK);
    CHECK_RESULT(kith_event_send(f.world, &Health_type, NULL), KITH_OK);
    for (int i = 0; i < 4; i++) {
        CHECK_UINT(kith_event_count(f.world, &Health_type), 1);
        run(&f);
    }
    run(&f);
    CHECK_UINT(kith_event_count(f.world, &Health_type), 0);
    fixture_free(&f);
}

/* ---- Systems --------------------------------------------------------------------------------- */

typedef struct seen {
    uint32_t runs;
    uint32_t entities;
    float dt;
} seen;

static void watch(kith_iter *it)
{
    seen *s = it->user;
    s->runs++;
    s->dt = it->dt;
    while (kith_next(it)) {
        s->entities += it->count;
    }
}

static void add_watcher(const fixture *f, const char *name, float interval, seen *s)
{
    const kith_system_def def = {.name = name,
                                 .run = watch,
                                 .user = s,
                                 .interval = interval,
                                 .query.terms = KITH_TERMS(KITH_CHANGED(Position))};
    CHECK_RESULT(kith_system_add(f->world, &def), KITH_OK);
}

TEST(a_system_that_was_added_since_starts_anew)
{
    fixture f = fixture_new();
    seen s = {0};
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_snapshot *snapshot = take(&f);
    add_watcher(&f, "late", 3, &s);
    for (int i = 0; i < 5; i++) {
        run(&f);
    }
    CHECK_UINT(s.runs, 1);
    CHECK_UINT(s.entities, 1);
    restore(&f, snapshot);
    run(&f);
    run(&f);
    CHECK_UINT(s.runs, 1);
    run(&f);
    CHECK_UINT(s.runs, 2);
    CHECK_FLOAT(s.dt, 3);
    CHECK_UINT(s.entities, 2);
    fixture_free(&f);
}

TEST(a_system_that_was_replaced_goes_on_from_the_snapshot)
{
    fixture f = fixture_new();
    seen s = {0};
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    add_watcher(&f, "watch", 4, &s);
    add_watcher(&f, "gone", 0, &s);
    run(&f);
    CHECK_RESULT(kith_system_enable(f.world, "gone", false), KITH_OK);
    kith_snapshot *snapshot = take(&f);
    seen later = {0};
    const kith_system_def def = {.name = "watch",
                                 .run = watch,
                                 .user = &later,
                                 .interval = 4,
                                 .queries = {{.terms = KITH_TERMS(KITH_READ(Health))}},
                                 .query.terms = KITH_TERMS(KITH_READ(Position))};
    CHECK_RESULT(kith_system_replace(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_system_remove(f.world, "gone"), KITH_OK);
    run(&f);
    run(&f);
    restore(&f, snapshot);
    CHECK_UINT(later.runs, 0);
    for (int i = 0; i < 3; i++) {
        run(&f);
    }
    CHECK_UINT(later.runs, 1);
    CHECK_FLOAT(later.dt, 4);
    fixture_free(&f);
}

/* A system that the snapshot knows has seen what it had seen; and sees what it had not. */
TEST(a_system_has_seen_what_it_had_seen)
{
    fixture f = fixture_new();
    seen s = {0};
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    add_watcher(&f, "watch", 0, &s);
    run(&f);
    kith_snapshot *seen_all = take(&f);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {3, 4}), KITH_OK);
    kith_snapshot *not_seen = take(&f);
    run(&f);
    CHECK_UINT(s.entities, 2);
    restore(&f, seen_all);
    run(&f);
    CHECK_UINT(s.entities, 2);
    restore(&f, not_seen);
    run(&f);
    CHECK_UINT(s.entities, 3);
    run(&f);
    CHECK_UINT(s.entities, 3);
    fixture_free(&f);
}

/* ---- Exact changes --------------------------------------------------------------------------- */

/* Of a value that was written but not looked at before the take, and of one that was. */
TEST_EACH_LAYOUT(exact_changes_are_seen_again, layout)
{
    fixture f = fixture_new();
    seen s = {0};
    const kith_component_def exact = {.layout = layout, .exact_changes = true};
    CHECK_RESULT(kith_register(f.world, &Position_type, &exact), KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    add_watcher(&f, "watch", 0, &s);
    run(&f);
    CHECK_UINT(s.entities, 2);
    kith_snapshot *seen_all = take(&f);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {3, 4}), KITH_OK);
    kith_snapshot *not_seen = take(&f);
    run(&f);
    CHECK_UINT(s.entities, 3);
    restore(&f, not_seen);
    run(&f);
    CHECK_UINT(s.entities, 4);
    restore(&f, seen_all);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
    run(&f);
    CHECK_UINT(s.entities, 4);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {3, 4}), KITH_OK);
    run(&f);
    CHECK_UINT(s.entities, 5);
    fixture_free(&f);
}

static kith_result add_watchers(kith_world *fork, void *context)
{
    const fixture f = {.world = fork};
    add_watcher(&f, "watch", 0, context);
    return KITH_OK;
}

/* What was removed and added again is new, though the value is the same: before the take, between take
 * and restore, after it, and in a fork. What was removed and is there again by a restore is not. */
TEST_EACH_LAYOUT(exact_values_that_were_lost_are_new, layout)
{
    fixture f = fixture_new();
    seen s = {0};
    const kith_component_def exact = {.layout = layout, .exact_changes = true};
    CHECK_RESULT(kith_register(f.world, &Position_type, &exact), KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_entity beside = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    add_watcher(&f, "watch", 0, &s);
    run(&f);
    CHECK_UINT(s.entities, 2);
    kith_snapshot *there = take(&f);
    CHECK_RESULT(KITH_REMOVE(f.world, e, Position), KITH_OK);
    kith_snapshot *lost = take(&f);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
    run(&f);
    CHECK_UINT(s.entities, 3);
    restore(&f, lost);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
    run(&f);
    CHECK_UINT(s.entities, 4);
    CHECK_RESULT(KITH_REMOVE(f.world, e, Position), KITH_OK);
    restore(&f, there);
    CHECK_RESULT(KITH_SET(f.world, beside, Position, {3, 4}), KITH_OK);
    run(&f);
    CHECK_UINT(s.entities, 5); /* the other one, in the same block */
    CHECK_RESULT(KITH_REMOVE(f.world, e, Position), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
    run(&f);
    CHECK_UINT(s.entities, 6);

    kith_world *fork;
    seen own = {0};
    const kith_fork_def def = {.set_up = add_watchers, .context = &own};
    CHECK_RESULT(kith_fork_new(there, &def, &fork), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(fork, e, Position), KITH_OK);
    CHECK_RESULT(KITH_SET(fork, e, Position, {1, 2}), KITH_OK);
    CHECK_RESULT(kith_run(fork, 1), KITH_OK);
    CHECK_WORLD(fork);
    CHECK_UINT(own.entities, 1);
    kith_world_free(fork);
    fixture_free(&f);
}

/* A snapshot shares what was seen: it takes memory for what was written since the last one. */
TEST_EACH_LAYOUT(exact_changes_are_shared_by_snapshots, layout)
{
    enum { ENTITIES = 20000, BYTES_EACH = sizeof(Position) + 16 };
    fixture f = fixture_new();
    seen s = {0};
    const kith_component_def exact = {.layout = layout, .exact_changes = true};
    CHECK_RESULT(kith_register(f.world, &Position_type, &exact), KITH_OK);
    kith_entity e = KITH_NONE;
    for (int i = 0; i < ENTITIES; i++) {
        e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    }
    add_watcher(&f, "watch", 0, &s);
    run(&f);
    take(&f);
    const size_t before = f.memory->bytes;
    CHECK_RESULT(KITH_SET(f.world, e, Position, {3, 4}), KITH_OK);
    run(&f);
    CHECK_UINT(s.entities, ENTITIES + 1);
    take(&f);
    CHECK(f.memory->bytes - before < (size_t)ENTITIES * BYTES_EACH / 4);
    fixture_free(&f);
}

/* ---- Failures -------------------------------------------------------------------------------- */

TEST(values_that_cannot_be_copied_fail_the_snapshot_by_name)
{
    for (int event = 0; event < 2; event++) {
        fixture f = fixture_new();
        owned_record record = {0};
        const kith_hooks hooks = owned_hooks_without_copy(&record);
        kith_snapshot *snapshot = NULL;
        CHECK_RESULT(kith_register(f.world, &Owned_type, &(kith_component_def){.hooks = &hooks}),
                     KITH_OK);
        CHECK_RESULT(event != 0 ? kith_event_send(f.world, &Owned_type, NULL)
                                : kith_resource_set(f.world, &Owned_type, NULL),
                     KITH_OK);
        CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_ERR_TYPE);
        CHECK_CONTAINS(kith_error(f.world), "'Owned'");
        CHECK_PTR_NULL(snapshot);
        fixture_free(&f);
    }
}

/* Each allocation of a take and of a restore fails in turn: the world is as it was, and plays on so. */
TEST_WITHIN(20, a_take_or_restore_that_fails_changes_nothing)
{
    rewound r;
    rewound plain;
    kith_snapshot *snapshot = NULL;
    kith_snapshot *second = NULL;
    rewound_begin(&r, 5);
    rewound_begin(&plain, 5);
    for (int i = 0; i < 20; i++) {
        CHECK_UINT(rewound_step(&r), rewound_step(&plain));
    }
    rewound_act(&r);
    rewound_act(&plain);
    uint64_t hash = kith_world_hash(r.world);
    kith_result result = KITH_ERR_MEMORY;
    for (size_t nth = 1; result != KITH_OK; nth++) {
        size_t used = kith_memory(r.world).used;
        fail_allocation(&r.f, nth);
        result = kith_snapshot_take(r.world, &snapshot);
        fail_nothing(&r.f);
        CHECK(result == KITH_OK || result == KITH_ERR_MEMORY);
        CHECK(result == KITH_OK || (snapshot == NULL && kith_memory(r.world).used == used));
        CHECK_UINT(kith_world_hash(r.world), hash);
        CHECK_WORLD(r.world);
    }
    for (int i = 0; i < 7; i++) {
        CHECK_UINT(rewound_step(&r), rewound_step(&plain));
    }
    hash = kith_world_hash(r.world);
    result = KITH_ERR_MEMORY;
    for (size_t nth = 1; result != KITH_OK; nth++) {
        fail_allocation(&r.f, nth);
        result = kith_snapshot_restore(r.world, snapshot);
        fail_nothing(&r.f);
        CHECK(result == KITH_OK || result == KITH_ERR_MEMORY);
        CHECK(result == KITH_OK || kith_world_hash(r.world) == hash);
        CHECK_WORLD(r.world);
        if (nth == 9) { /* and it plays on */
            CHECK_UINT(rewound_step(&r), rewound_step(&plain));
            hash = kith_world_hash(r.world);
        }
    }
    CHECK_RESULT(kith_snapshot_take(r.world, &second), KITH_OK);
    CHECK_RESULT(kith_snapshot_restore(r.world, second), KITH_OK);
    rewound_end(&plain);
    rewound_end(&r);
}

/* The same for each value that a hook copies. */
TEST_WITHIN(20, a_hook_that_fails_changes_nothing)
{
    rewound r;
    kith_snapshot *snapshot = NULL;
    rewound_begin(&r, 6);
    for (int i = 0; i < 30; i++) {
        rewound_step(&r);
    }
    rewound_act(&r);
    CHECK_RESULT(kith_resource_set(r.world, &Owned_type, NULL), KITH_OK);
    CHECK_RESULT(kith_event_send(r.world, &Owned_type, NULL), KITH_OK);
    uint64_t hash = kith_world_hash(r.world);
    uint64_t failed = 0;
    for (int restores = 0; restores < 2; restores++) {
        kith_result result = KITH_ERR_MEMORY;
        for (uint64_t nth = 1; result != KITH_OK; nth++) {
            uint64_t live = r.owned.live;
            owned_fail(&r.owned, nth);
            result = restores != 0 ? kith_snapshot_restore(r.world, snapshot)
                                   : kith_snapshot_take(r.world, &snapshot);
            owned_fail(&r.owned, 0);
            failed += result != KITH_OK;
            CHECK(result == KITH_OK || r.owned.live == live);
            CHECK_UINT(kith_world_hash(r.world), hash);
            CHECK_WORLD(r.world);
        }
    }
    CHECK(failed > 3);
    rewound_end(&r);
}
