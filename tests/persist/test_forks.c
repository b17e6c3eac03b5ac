/* Forks: worlds that go on from a snapshot, beside the world that it was taken of. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "owned.h"
#include "rewound.h"
#include "test.h"

enum { STEPS = 24, MANY = 3000 };

static kith_snapshot *take(kith_world *world)
{
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(world, &snapshot), KITH_OK);
    return snapshot;
}

/* ---- All that goes on ------------------------------------------------------------------------ */

/* Plays and notes the hash after each step. */
static void play(rewound *r, uint64_t *hashes)
{
    for (int i = 0; i < STEPS; i++) {
        hashes[i] = rewound_step(r);
    }
}

static void check_play(rewound *r, const uint64_t *hashes)
{
    for (int i = 0; i < STEPS; i++) {
        CHECK_UINT(rewound_step(r), hashes[i]);
    }
}

static void begin(rewound *r, uint64_t seed, int steps)
{
    rewound_begin(r, seed);
    for (int i = 0; i < steps; i++) {
        rewound_step(r);
    }
    rewound_act(r); /* observers have not been told */
}

/* Systems, observers, events, resources, exact changes, values with hooks: all go on as they do in the
 * world, whichever goes first. */
TEST_WITHIN(120, a_fork_plays_as_its_world_does)
{
    const uint64_t seeds = test_long() ? 400 : test_short() ? 3 : 12;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        rewound r, early, late;
        uint64_t hashes[STEPS];
        begin(&r, seed, (int)(seed * 3 % 40));
        const uint64_t hash = kith_world_hash(r.world);
        const uint64_t content = kith_content_hash(r.world);
        kith_snapshot *snapshot = take(r.world);
        CHECK_RESULT(rewound_fork(&early, &r, snapshot), KITH_OK);
        CHECK_WORLD(early.world);
        CHECK_UINT(kith_world_hash(early.world), hash);
        CHECK_UINT(kith_content_hash(early.world), content);
        play(&early, hashes);
        CHECK_UINT(kith_world_hash(r.world), hash);
        check_play(&r, hashes);
        CHECK_RESULT(rewound_fork(&late, &r, snapshot), KITH_OK);
        CHECK_UINT(kith_world_hash(late.world), hash);
        check_play(&late, hashes);
        CHECK_UINT(kith_world_hash(early.world), hashes[STEPS - 1]);
        CHECK_RESULT(kith_snapshot_restore(r.world, snapshot), KITH_OK);
        CHECK_UINT(kith_world_hash(r.world), hash);
        check_play(&r, hashes);
        CHECK_WORLD(early.world);
        rewound_end_fork(&early);
        rewound_end_fork(&late);
        CHECK_WORLD(r.world);
        rewound_end(&r);
    }
}

/* With trackers of the program before, between and after the observers' own. */
TEST(observers_of_a_fork_are_told_what_was_not_told_yet)
{
    rewound r, fork;
    uint64_t hashes[STEPS];
    kith_tracker *tracker;
    rewound_begin(&r, 3);
    CHECK_RESULT(kith_tracker_new(r.world, &Burning_type, &tracker), KITH_OK);
    CHECK_RESULT(kith_tracker_new(r.world, &Extra_type, &tracker), KITH_OK);
    for (int i = 0; i < 9; i++) {
        rewound_step(&r);
    }
    for (int i = 0; i < 9; i++) {
        rewound_act(&r);
    }
    kith_snapshot *snapshot = take(r.world);
    play(&r, hashes);
    CHECK_RESULT(rewound_fork(&fork, &r, snapshot), KITH_OK);
    check_play(&fork, hashes);
    rewound_end_fork(&fork);
    rewound_end(&r);
}

/* A fork takes snapshots, goes back to them, and is forked itself. */
TEST(forks_have_snapshots_and_forks)
{
    rewound r, fork, second, third;
    uint64_t hashes[STEPS];
    begin(&r, 7, 12);
    CHECK_RESULT(rewound_fork(&fork, &r, take(r.world)), KITH_OK);
    for (int i = 0; i < 5; i++) {
        rewound_step(&r);
        CHECK_UINT(rewound_step(&fork), kith_world_hash(r.world));
    }
    kith_snapshot *early = take(fork.world);
    CHECK_RESULT(rewound_fork(&second, &fork, early), KITH_OK);
    play(&fork, hashes);
    kith_snapshot *late = take(fork.world);
    CHECK_RESULT(kith_snapshot_restore(fork.world, early), KITH_OK);
    CHECK_WORLD(fork.world);
    check_play(&second, hashes);
    check_play(&fork, hashes);
    CHECK_RESULT(rewound_fork(&third, &second, take(second.world)), KITH_OK);
    CHECK_RESULT(kith_snapshot_restore(fork.world, late), KITH_OK);
    CHECK_WORLD(fork.world);
    CHECK_UINT(rewound_step(&third), rewound_step(&fork));
    check_play(&r, hashes);
    CHECK_UINT(rewound_step(&r), kith_world_hash(fork.world));
    CHECK_WORLD(second.world);
    rewound_end_fork(&third);
    rewound_end_fork(&second);
    rewound_end_fork(&fork);
    rewound_end(&r);
}

/* ---- Values ---------------------------------------------------------------------------------- */

typedef struct forked {
    fixture f;
    kith_world *world;
    kith_world *fork;
    kith_snapshot *snapshot;
    kith_entity
        entities[MANY]; /* Position {1, 2} and Health {5, 9}; every third one is Frozen too */
} forked;

static kith_world *fork_of(fixture *f, const kith_snapshot *snapshot)
{
    kith_world *fork = NULL;
    const kith_fork_def def = {.world = {.allocator = test_memory_allocator(f->memory)}};
    CHECK_RESULT(kith_fork_new(snapshot, &def, &fork), KITH_OK);
    CHECK_WORLD(fork);
    return fork;
}

static void forked_begin(forked *s, kith_layout layout)
{
    *s = (forked){.f = fixture_with_all(layout)};
    s->world = s->f.world;
    const kith_values values[] = {KITH_VALUE(Position, {1, 2}), KITH_VALUE(Health, {5, 9})};
    CHECK_RESULT(kith_spawn_many(s->world, MANY, values, 2, s->entities), KITH_OK);
    for (uint32_t i = 0; i < MANY; i += 3) {
        CHECK_RESULT(KITH_ADD(s->world, s->entities[i], Frozen), KITH_OK);
    }
    CHECK_RESULT(KITH_RESOURCE_SET(s->world, Velocity, {7, 8}), KITH_OK);
    CHECK_RESULT(KITH_SEND(s->world, Extra, {1, 2, 3}), KITH_OK);
    s->snapshot = take(s->world);
    s->fork = fork_of(&s->f, s->snapshot);
}

static void forked_end(forked *s)
{
    kith_world_free(s->fork);
    CHECK_WORLD(s->world);
    fixture_free(&s->f);
}

/* Changes a world in all ways that there are; each changes another hash. */
static void change(kith_world *world, const kith_entity *entities, uint32_t how)
{
    switch (how) {
    case 0: KITH_GET_MUT(world, entities[7], Position)->x = 3; break;
    case 1: CHECK_RESULT(KITH_SET(world, entities[2000], Health, {1, 1}), KITH_OK); break;
    case 2: CHECK_RESULT(KITH_DESPAWN(world, entities[5]), KITH_OK); break;
    case 3: CHECK(!kith_is_none(KITH_SPAWN(world, KITH_VALUE(Position, {4, 4})))); break;
    case 4: CHECK_RESULT(KITH_REMOVE(world, entities[9], Position), KITH_OK); break;
    case 5: CHECK_RESULT(KITH_ADD(world, entities[10], Burning), KITH_OK); break;
    case 6: CHECK_RESULT(KITH_REMOVE_ALL(world, entities[12]), KITH_OK); break;
    case 7: CHECK_RESULT(KITH_RESOURCE_SET(world, Velocity, {1, 1}), KITH_OK); break;
    case 8: KITH_RESOURCE_MUT(world, Velocity)->dx = 2; break;
    case 9: CHECK_RESULT(KITH_SEND(world, Extra, {4, 5, 6}), KITH_OK); break;
    case 10: CHECK_RESULT(kith_run(world, 1), KITH_OK); break;
    case 11: {
        kith_query *query = KITH_QUERY(world, KITH_WRITE(Health));
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            memset(KITH_COLUMN_MUT(&it, Health), 1, it.count * sizeof(Health));
        }
        kith_query_free(query);
        break;
    }
    case 12: CHECK_RESULT(kith_despawn_many(world, entities + 2100, 800, NULL), KITH_OK); break;
    default: CHECK_RESULT(kith_despawn_many(world, entities, MANY, NULL), KITH_OK); break;
    }
}
enum { CHANGES = 14 };

/* Neither shows what the other one does, and each change gives the same in both. */
TEST_EACH_LAYOUT(a_fork_and_its_world_are_apart, layout)
{
    for (uint32_t how = 0; how < CHANGES; how++) {
        forked s;
        forked_begin(&s, layout);
        const uint64_t hash = kith_world_hash(s.world);
        change(s.fork, s.entities, how);
        CHECK_WORLD(s.fork);
        CHECK_WORLD(s.world);
        const uint64_t changed = kith_world_hash(s.fork);
        CHECK(changed != hash);
        CHECK_UINT(kith_world_hash(s.world), hash);
        kith_world *later = fork_of(&s.f, s.snapshot);
        CHECK_UINT(kith_world_hash(later), hash);
        change(s.world, s.entities, how);
        CHECK_UINT(kith_world_hash(s.world), changed);
        CHECK_UINT(kith_world_hash(later), hash);
        for (uint32_t more = 0; more < CHANGES; more++) {
            if (more != how && how != CHANGES - 1 && more != 2 && more != 12) {
                change(s.world, s.entities, more);
                change(s.fork, s.entities, more);
                CHECK_UINT(kith_world_hash(s.fork), kith_world_hash(s.world));
                CHECK_WORLD(s.fork);
            }
            if (more == 12 - how) {
                kith_snapshot_free(s.snapshot);
            }
        }
        CHECK_UINT(kith_world_hash(later), hash);
        CHECK_WORLD(later);
        kith_world_free(later);
        forked_end(&s);
    }
}

/* Whichever allocation of a write fails, the fork is as it was, and so is the world. */
TEST_EACH_LAYOUT(memory_runs_out_in_a_fork, layout)
{
    forked s;
    forked_begin(&s, layout);
    const uint64_t hash = kith_world_hash(s.world);
    const kith_entity e = s.entities[1500];
    for (int call = 0; call < 5; call++) {
        kith_world *fork = fork_of(&s.f, s.snapshot);
        kith_result result = KITH_ERR_MEMORY;
        for (size_t nth = 1; result != KITH_OK; nth++) {
            fail_allocation(&s.f, nth);
            switch (call) {
            case 0: result = KITH_SET(fork, e, Health, {1, 1}); break;
            case 1: result = KITH_DESPAWN(fork, e); break;
            case 2: result = KITH_REMOVE(fork, e, Position); break;
            case 3: result = KITH_ADD(fork, e, Burning); break;
            default:
                result = kith_is_none(KITH_SPAWN(fork, KITH_VALUE(Position), KITH_VALUE(Health)))
                             ? KITH_ERR_MEMORY
                             : KITH_OK;
                break;
            }
            fail_nothing(&s.f);
            CHECK(result == KITH_OK || result == KITH_ERR_MEMORY);
            CHECK(result == KITH_OK || kith_world_hash(fork) == hash);
            CHECK_WORLD(fork);
            CHECK(nth < 200);
        }
        CHECK_UINT(kith_world_hash(s.world), hash);
        kith_world_free(fork);
        CHECK_WORLD(s.world);
    }
    forked_end(&s);
}

/* The first write copies a block, and gives it the fork's own values; the snapshot keeps its own. */
TEST_EACH_LAYOUT(values_with_hooks_are_copied_when_they_are_written, layout)
{
    fixture f = fixture_new();
    owned_record record = {0};
    kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Owned));
    kith_entity other = KITH_SPAWN(f.world, KITH_VALUE(Owned));
    CHECK_RESULT(kith_resource_set(f.world, &Owned_type, NULL), KITH_OK);
    CHECK_RESULT(kith_event_send(f.world, &Owned_type, NULL), KITH_OK);
    kith_snapshot *snapshot = take(f.world);
    const uint64_t hash = kith_world_hash(f.world);
    kith_world *fork = fork_of(&f, snapshot);
    kith_world *unwritten = fork_of(&f, snapshot);
    const uint64_t live = record.live;
    CHECK_UINT(kith_world_hash(fork), hash);
    owned_fail(&record, 1);
    CHECK_PTR_NULL(KITH_GET_MUT(fork, e, Owned));
    owned_fail(&record, 0);
    CHECK_UINT(record.live, live);
    CHECK_UINT(kith_world_hash(fork), hash);
    *KITH_GET_MUT(fork, e, Owned)->number = 5;
    CHECK(record.live > live);
    *KITH_RESOURCE_MUT(fork, Owned)->number = 6;
    CHECK_RESULT(KITH_DESPAWN(fork, other), KITH_OK);
    CHECK_RESULT(kith_run(fork, 1), KITH_OK);
    CHECK_WORLD(fork);
    CHECK_UINT(*KITH_GET(f.world, e, Owned)->number, OWNED_INITIAL);
    CHECK_UINT(*KITH_RESOURCE(f.world, Owned)->number, OWNED_INITIAL);
    CHECK(kith_alive(f.world, other));
    CHECK_UINT(kith_world_hash(f.world), hash);
    kith_snapshot_free(snapshot);
    CHECK_RESULT(KITH_DESPAWN(f.world, e), KITH_OK);
    CHECK_UINT(*KITH_GET(fork, e, Owned)->number, 5);
    CHECK_UINT(*KITH_GET(unwritten, e, Owned)->number, OWNED_INITIAL);
    CHECK_UINT(kith_world_hash(unwritten), hash);
    kith_world_free(fork);
    kith_world_free(unwritten);
    fixture_free(&f);
    CHECK_UINT(record.live, 0);
}

static kith_world *of_hook; /* the world that a hook tries to change; NULL: it does not */
static uint32_t refused;

static void destroy_and_try(void *values, uint32_t count, void *user)
{
    (void)values, (void)count, (void)user;
    refused += of_hook != NULL && kith_is_none(KITH_SPAWN(of_hook, KITH_VALUE(Position)));
}

static kith_result copy_bytes(void *to, const void *from, uint32_t count, void *user)
{
    (void)user;
    memcpy(to, from, count * sizeof(Health));
    return KITH_OK;
}

static void be_told(const char *message, void *context)
{
    (void)context;
    CHECK_CONTAINS(message, "kith_spawn: ");
}

/* Hooks of a fork are called as its own: meanwhile it, and no other world, may not be changed. */
TEST_EACH_LAYOUT(hooks_are_those_of_the_fork, layout)
{
    fixture f = fixture_new();
    const kith_hooks hooks = {.copy = copy_bytes, .destroy = destroy_and_try};
    CHECK_RESULT(kith_register(f.world, &Health_type,
                               &(kith_component_def){.layout = layout, .hooks = &hooks}),
                 KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 2}));
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Health, {1, 2}), KITH_OK);
    CHECK_RESULT(KITH_SEND(f.world, Health, {1, 2}), KITH_OK);
    kith_world *fork;
    const kith_fork_def def = {.world = {.on_misuse = be_told}};
    CHECK_RESULT(kith_fork_new(take(f.world), &def, &fork), KITH_OK);
    of_hook = fork;
    for (uint32_t what = 0; what < 3; what++) {
        refused = 0;
        if (what == 0) {
            CHECK_RESULT(KITH_DESPAWN(fork, e), KITH_OK);
        } else if (what == 1) {
            CHECK_RESULT(kith_resource_remove(fork, &Health_type), KITH_OK);
        } else {
            kith_event_clear(fork, &Health_type);
        }
        CHECK_UINT(refused, 1);
    }
    of_hook = NULL;
    kith_world_free(fork);
    fixture_free(&f);
}

/* The only block of a short column is exchanged for a larger one, and pages come beside it. */
TEST_EACH_LAYOUT(a_small_world_grows_in_a_fork, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Health, {1, 2}));
    kith_snapshot *snapshot = take(f.world);
    const uint64_t hash = kith_world_hash(f.world);
    kith_world *fork = fork_of(&f, snapshot);
    for (int i = 0; i < 5000; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(fork, KITH_VALUE(Position), KITH_VALUE(Health))));
        if (i < 40 || i % 1000 == 0) {
            CHECK_WORLD(fork);
        }
    }
    kith_snapshot *grown = take(fork);
    for (kith_entity e; !kith_is_none(e = kith_entity_next(fork, KITH_NONE));) {
        CHECK_RESULT(KITH_DESPAWN(fork, e), KITH_OK);
    }
    kith_world_trim(fork);
    CHECK_WORLD(fork);
    CHECK_RESULT(kith_snapshot_restore(fork, grown), KITH_OK);
    CHECK_UINT(kith_entity_count(fork), 5001);
    CHECK_WORLD(fork);
    kith_world_free(fork);
    CHECK_UINT(kith_world_hash(f.world), hash);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* An event that is sent between two ticks is there as long in the fork. */
TEST(events_end_at_their_time)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_event_register(f.world, &Health_type, &(kith_event_def){.keep = 2}), KITH_OK);
    for (int32_t i = 0; i < 6; i++) {
        CHECK_RESULT(KITH_SEND(f.world, Health, {i, i}), KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    }
    kith_world *fork = fork_of(&f, take(f.world));
    for (int32_t i = 0; i < 6; i++) {
        CHECK_RESULT(i > 2 ? KITH_OK : KITH_SEND(f.world, Health, {i, i}), KITH_OK);
        CHECK_RESULT(i > 2 ? KITH_OK : KITH_SEND(fork, Health, {i, i}), KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_RESULT(kith_run(fork, 1), KITH_OK);
        CHECK_UINT(kith_event_count(fork, &Health_type), kith_event_count(f.world, &Health_type));
        CHECK_WORLD(fork);
    }
    kith_world_free(fork);
    fixture_free(&f);
}

/* What is a unique key of the world is one of the fork, which has its own. */
TEST_EACH_LAYOUT(keys_are_unique_in_a_fork, layout)
{
    forked s;
    forked_begin(&s, layout);
    kith_world_free(s.fork);
    kith_snapshot_free(s.snapshot);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK_RESULT(KITH_SET(s.world, s.entities[i], Extra, {(float)i, 0, 0}), KITH_OK);
        CHECK_RESULT(KITH_SET(s.world, s.entities[i], Health, {(int32_t)i, 9}), KITH_OK);
    }
    CHECK_RESULT(KITH_UNIQUE(s.world, Health, current), KITH_OK);
    s.snapshot = take(s.world);
    s.fork = fork_of(&s.f, s.snapshot);
    CHECK_RESULT(KITH_SET(s.world, s.entities[7], Health, {7000, 9}), KITH_OK);
    CHECK_SAME(KITH_FIND_UNIQUE(s.fork, Health, {.current = 7}), s.entities[7]);
    CHECK(kith_is_none(KITH_FIND_UNIQUE(s.fork, Health, {.current = 7000})));
    CHECK_RESULT(KITH_SET(s.fork, s.entities[8], Health, {7, 9}), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(s.fork), "would have the same Health: current 7");
    CHECK_RESULT(KITH_SET(s.world, s.entities[8], Health, {7, 9}), KITH_OK);
    CHECK_RESULT(KITH_DESPAWN(s.fork, s.entities[7]), KITH_OK);
    CHECK_RESULT(KITH_SET(s.fork, s.entities[8], Health, {7, 9}), KITH_OK);
    CHECK_SAME(KITH_FIND_UNIQUE(s.fork, Health, {.current = 7}), s.entities[8]);
    CHECK_WORLD(s.fork);
    CHECK_SAME(KITH_FIND_UNIQUE(s.world, Health, {.current = 7000}), s.entities[7]);
    forked_end(&s);
}

/* Types that a fork registers and texts that it interns are its own. */
TEST(types_and_texts_of_a_fork_are_its_own)
{
    fixture f = fixture_new();
    kith_text first, own, other;
    CHECK_RESULT(kith_text_intern(f.world, "first", &first), KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_world *fork = fork_of(&f, take(f.world));
    CHECK_RESULT(kith_text_intern(fork, "own", &own), KITH_OK);
    CHECK_RESULT(kith_text_intern(f.world, "other", &other), KITH_OK);
    CHECK_STR(kith_text_get(fork, first, NULL), "first");
    CHECK_STR(kith_text_get(fork, own, NULL), "own");
    CHECK_STR(kith_text_get(f.world, other, NULL), "other");
    CHECK_RESULT(KITH_SET(fork, e, Velocity, {3, 4}), KITH_OK);
    CHECK_FLOAT(KITH_GET(fork, e, Velocity)->dx, 3);
    CHECK_PTR_NULL(KITH_GET(f.world, e, Velocity));
    CHECK_WORLD(fork);
    CHECK_WORLD(f.world);
    kith_world_free(fork);
    fixture_free(&f);
}

/* ---- Ends ------------------------------------------------------------------------------------ */

TEST(a_world_is_not_freed_before_its_forks)
{
    fixture f = fixture_new();
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_snapshot *snapshot = take(f.world);
    kith_world *fork = fork_of(&f, snapshot);
    kith_snapshot_free(snapshot);
    kith_world_free(f.world);
    expect_misuse(&f, "kith_world_free: there are views of its snapshots");
    kith_world_free(fork);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* An empty world, and the memory of what a fork wrote comes home. */
TEST(an_empty_world_has_forks)
{
    fixture f = fixture_new();
    kith_world *fork = fork_of(&f, take(f.world));
    CHECK_UINT(kith_world_hash(fork), kith_world_hash(f.world));
    for (int i = 0; i < 2000; i++) {
        KITH_SPAWN(fork, KITH_VALUE(Position, {1, 2}));
    }
    CHECK_WORLD(fork);
    CHECK_UINT(kith_entity_count(f.world), 0);
    kith_world_free(fork);
    fixture_free(&f);
}

static kith_result fail_to_set_up(kith_world *fork, void *context)
{
    kith_result *result = context;
    return *result != KITH_OK ? *result : kith_system_add(fork, &(kith_system_def){.name = ""});
}

TEST(what_set_up_returns_ends_the_fork)
{
    fixture f = fixture_new();
    kith_snapshot *snapshot = take(f.world);
    kith_result result = KITH_ERR_INPUT;
    const kith_fork_def def = {.set_up = fail_to_set_up,
                               .context = &result,
                               .world = {.allocator = test_memory_allocator(f.memory)}};
    kith_world *fork = NULL;
    CHECK_RESULT(kith_fork_new(snapshot, &def, &fork), KITH_ERR_INPUT);
    CHECK_STR(kith_error(f.world), "kith_fork_new: `set_up` failed: ");
    result = KITH_OK;
    CHECK_RESULT(kith_fork_new(snapshot, &def, &fork), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_fork_new: `set_up` failed: kith_system_add: ");
    CHECK_PTR_NULL(fork);
    CHECK_RESULT(kith_fork_new(snapshot, NULL, &fork), KITH_OK);
    kith_world_free(fork);
    fixture_free(&f);
}
