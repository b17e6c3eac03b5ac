/* The same bits for any number of workers: a simulation that spawns, despawns, adds and removes
 * in parallel systems, sends events, draws random numbers and reads other entities, while the
 * number of workers changes. */
#define _POSIX_C_SOURCE 200809L

#include <kith/kith.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "components.h"
#include "random.h"
#include "share.h"
#include "test.h"

enum { TICKS = 9 };

/* Some blocks of each storage; in the short form, some parts. */
static int row_count(void)
{
    return test_short() ? 2100 : 5000;
}

static int tick_count(void)
{
    return test_short() ? 6 : TICKS;
}

/* Delays this thread by a time that differs from run to run. */
static void dawdle(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t state = (uint64_t)now.tv_nsec;
    volatile uint32_t idle = random_below(&state, 20000);
    while (idle > 0) {
        idle--;
    }
}

/* Moves rows, in the driving storage and by look-up. */
static void drift(kith_iter *it)
{
    dawdle();
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Position *position = KITH_AT_MUT(it, i, Position);
            const Velocity *velocity = KITH_AT(it, i, Velocity);
            position->x += velocity->dx * it->dt;
            position->y += kith_system_random_float(it);
        }
    }
}

/* Side by side with it: counts ages, and decides what to despawn, spawn, add and remove. */
static void age(kith_iter *it)
{
    dawdle();
    while (kith_next(it)) {
        const kith_entity *entities = kith_entities(it);
        for (uint32_t i = 0; i < it->count; i++) {
            Health *health = KITH_AT_MUT(it, i, Health);
            health->current--;
            uint64_t drawn = kith_system_random(it);
            if (health->current <= 0) {
                kith_commands_despawn(it->commands, entities[i]);
                (void)KITH_SEND(it, Target, {entities[i]});
            } else if (drawn % 16 == 0) {
                kith_entity child = KITH_SPAWN(it->commands, KITH_VALUE(Health, {20, 20}),
                                               KITH_VALUE(Position, {(float)(drawn % 100), 0}),
                                               KITH_VALUE(Velocity, {1, 1}));
                kith_entity other = kith_commands_clone(it->commands, child);
                KITH_SET(it->commands, entities[i], Target, {child});
                KITH_SET(it->commands, child, Target, {other});
            } else if (drawn % 16 == 1) {
                KITH_ADD(it->commands, entities[i], Frozen);
            } else if (drawn % 16 == 2) {
                KITH_REMOVE(it->commands, entities[i], Frozen);
            }
        }
    }
}

/* After both: follows targets by their handles. */
static void follow(kith_iter *it)
{
    dawdle();
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const Position *there = KITH_GET(it, KITH_AT(it, i, Target)->entity, Position);
            Extra *extra = KITH_AT_MUT(it, i, Extra);
            extra->a = there != NULL ? there->x : -1;
            extra->b += KITH_RESOURCE(it, Velocity)->dx;
            if (!kith_system_alive(it, KITH_AT(it, i, Target)->entity)) {
                KITH_REMOVE(it->commands, kith_entities(it)[i], Target);
            }
        }
    }
}

/* Not parallel, but side by side with others: counts the dead, and wounds by handle. */
static void mourn(kith_iter *it)
{
    dawdle();
    void *value;
    CHECK_RESULT(kith_system_resource_mut(it, &Extra_type, &value), KITH_OK);
    Extra *sum = value;
    const Target *dead;
    for (uint32_t i = 0; (dead = KITH_EVENT(it, i, Target)) != NULL; i++) {
        sum->a += (float)(dead->entity.index1 % 7);
        CHECK(!kith_system_alive(it, dead->entity));
    }
    if (kith_next(it)) {
        kith_entity first = kith_entities(it)[0];
        if (kith_system_get_mut(it, first, &Byte_type, &value) == KITH_OK) {
            ((Byte *)value)->value++;
        }
    }
}

/* One now and one by its commands, both with random numbers. */
static kith_result grow(kith_world *world, kith_iter *it)
{
    const Position here = {kith_random_uniform(KITH_RANDOM(world), 0, 80), 0};
    const Position later = {kith_random_uniform(KITH_RANDOM(it), 0, 80), 1};
    KITH_SPAWN(it->commands, KITH_VALUE(Health, {9, 9}), KITH_VALUE(Position, later));
    return kith_is_none(KITH_SPAWN(world, KITH_VALUE(Health, {9, 9}), KITH_VALUE(Byte, {0}),
                                   KITH_VALUE(Extra, {0, 0, 0}), KITH_VALUE(Position, here)))
               ? KITH_ERR_MEMORY
               : KITH_OK;
}

static void look(kith_iter *it)
{
    dawdle();
    uint32_t seen = 0;
    while (kith_next(it)) {
        seen += it->count;
    }
    (void)KITH_SEND(it, Byte, {(uint8_t)seen});
}

static void add_systems(kith_world *world)
{
    const kith_system_def defs[] = {
        {.name = "drift",
         .run = drift,
         .parallel = true,
         .query.terms =
             KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity), KITH_WITHOUT(Frozen))},
        {.name = "age",
         .run = age,
         .parallel = true,
         .query.terms = KITH_TERMS(KITH_WRITE(Health)),
         .events = KITH_TERMS(KITH_WRITE(Target))},
        {.name = "follow",
         .run = follow,
         .parallel = true,
         .query.terms = KITH_TERMS(KITH_READ(Target), KITH_WRITE(Extra)),
         .lookups = KITH_TERMS(KITH_READ(Position)),
         .resources = KITH_TERMS(KITH_READ(Velocity))},
        {.name = "mourn",
         .run = mourn,
         .priority = 1,
         .query.terms = KITH_TERMS(KITH_WITH(Byte)),
         .lookups = KITH_TERMS(KITH_WRITE(Byte)),
         .resources = KITH_TERMS(KITH_WRITE(Extra)),
         .events = KITH_TERMS(KITH_READ(Target))},
        {.name = "look",
         .run = look,
         .priority = 1,
         .parallel = true,
         .query.terms = KITH_TERMS(KITH_CHANGED(Position)),
         .events = KITH_TERMS(KITH_WRITE(Byte))},
        {.name = "grow", .update = grow, .priority = 2, .every_ticks = 3},
    };
    for (size_t i = 0; i < sizeof(defs) / sizeof(defs[0]); i++) {
        CHECK_RESULT(kith_system_add(world, &defs[i]), KITH_OK);
    }
}

/* ---- A host's job system: a thread for each job, and some jobs that are done at once ---------- */

typedef struct job {
    void (*work)(void *job);
    void *user;
    pthread_t thread;
} job;

static void *run_job(void *user)
{
    job *self = user;
    dawdle();
    self->work(self->user);
    return NULL;
}

static void *enqueue(void (*work)(void *job), void *user, void *context)
{
    uint32_t *jobs = context;
    if (++*jobs % 4 == 0) {
        work(user);
        return NULL;
    }
    job *self = malloc(sizeof(*self));
    CHECK_PTR_NOT_NULL(self);
    *self = (job){.work = work, .user = user};
    CHECK_INT(pthread_create(&self->thread, NULL, run_job, self), 0);
    return self;
}

static void finish(void *handle, void *context)
{
    (void)context;
    job *self = handle;
    CHECK_INT(pthread_join(self->thread, NULL), 0);
    free(self);
}

/* ---- The simulation -------------------------------------------------------------------------- */

typedef struct way {
    uint32_t workers;
    bool host;
    bool shared; /* half-way, all columns are shared with a copy */
} way;

/* The hash after each tick. */
static void simulate(kith_layout layout, way w, uint64_t *hashes)
{
    fixture f = fixture_new_with(&(kith_world_def){.seed = 42});
    uint32_t jobs = 0;
    kith_workers_def workers = {.threads = w.workers + 1, .context = &jobs};
    if (w.host) {
        workers.enqueue = enqueue;
        workers.finish = finish;
    }
    register_all(f.world, layout);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Velocity, {0.5f, 0}), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Extra, {0, 0, 0}), KITH_OK);
    const int rows = row_count();
    const int ticks = tick_count();
    for (int i = 0; i < rows; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}),
                                   KITH_VALUE(Health, {5 + i % 40, 50}));
        if (i % 3 != 0) {
            CHECK_RESULT(KITH_SET(f.world, e, Velocity, {1, (float)(i % 5)}), KITH_OK);
        }
        if (i % 4 == 0) {
            CHECK_RESULT(KITH_SET(f.world, e, Extra, {0, 0, (float)i}), KITH_OK);
        }
        if (i % 7 == 0) {
            CHECK_RESULT(KITH_ADD(f.world, e, Frozen), KITH_OK);
        }
    }
    add_systems(f.world);
    CHECK_RESULT(kith_workers_set(f.world, &workers), KITH_OK);
    CHECK_UINT(kith_thread_count(f.world), w.workers + 1);
    test_share *shared = NULL;
    for (int tick = 0; tick < ticks; tick++) {
        if (w.shared && tick == ticks / 2) {
            shared = test_share_world(f.world);
            CHECK_PTR_NOT_NULL(shared);
        }
        CHECK_RESULT(kith_run(f.world, 0.25f), KITH_OK);
        hashes[tick] = kith_world_hash(f.world);
    }
    CHECK_WORLD(f.world);
    CHECK(w.host ? jobs > (uint32_t)ticks : jobs == 0);
    CHECK(kith_entity_count(f.world) > (uint32_t)rows / 2);
    CHECK(kith_entity_count(f.world) != (uint32_t)rows);
    CHECK(kith_event_count(f.world, &Target_type) > 0 && KITH_RESOURCE(f.world, Extra)->a > 0);
    if (shared != NULL) {
        test_share_free(shared);
    }
    fixture_free(&f);
}

static void compare(kith_layout layout, way w, const uint64_t *expected)
{
    uint64_t hashes[TICKS];
    simulate(layout, w, hashes);
    for (int tick = 0; tick < tick_count(); tick++) {
        CHECK_UINT(hashes[tick], expected[tick]);
    }
}

TEST_EACH_LAYOUT_WITHIN(40, the_same_bits_for_any_number_of_workers, layout)
{
    static const uint32_t workers[] = {1, 2, 3, 8};
    uint64_t serial[TICKS];
    simulate(layout, (way){0}, serial);
    compare(layout, (way){0}, serial);
    for (int i = test_short() ? 1 : 0; i < (test_short() ? 2 : 4); i++) {
        compare(layout, (way){.workers = workers[i]}, serial);
        compare(layout, (way){.workers = workers[i], .host = true}, serial);
    }
}

TEST_EACH_LAYOUT_WITHIN(20, the_same_bits_after_sharing, layout)
{
    uint64_t serial[TICKS];
    simulate(layout, (way){0}, serial);
    compare(layout, (way){.shared = true}, serial);
    compare(layout, (way){.workers = 3, .shared = true}, serial);
}

/* ---- Side by side ------------------------------------------------------------------------------- */

/* Two threads that wait for each other, for some seconds. */
typedef struct meeting {
    int here;
    bool met[2];
} meeting;

static bool meet(meeting *m)
{
    __atomic_add_fetch(&m->here, 1, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 5000; i++) {
        if (__atomic_load_n(&m->here, __ATOMIC_SEQ_CST) == 2) {
            return true;
        }
        const struct timespec pause = {0, 1000000};
        nanosleep(&pause, NULL);
    }
    return false;
}

static void meet_first(kith_iter *it)
{
    meeting *m = it->user;
    m->met[0] = meet(m);
}

static void meet_second(kith_iter *it)
{
    meeting *m = it->user;
    m->met[1] = meet(m);
}

/* The call for the first part, and the one for the second. */
static void meet_other_part(kith_iter *it)
{
    meeting *m = it->user;
    bool met = meet(m);
    CHECK(kith_next(it));
    m->met[KITH_COLUMN(it, Byte)->value] = met;
}

static void check_met(const kith_system_def *defs, int count)
{
    for (int host = 0; host < 2; host++) {
        meeting m = {0};
        fixture f = fixture_with_all(KITH_TABLE);
        static Byte bytes[2048];
        for (int i = 0; i < 2048; i++) {
            bytes[i].value = i >= 1024;
        }
        const kith_values values = KITH_VALUES(Byte, bytes);
        CHECK_RESULT(kith_spawn_many(f.world, 2048, &values, 1, NULL), KITH_OK);
        for (int i = 0; i < count; i++) {
            kith_system_def def = defs[i];
            def.user = &m;
            CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        }
        uint32_t jobs = 0;
        kith_workers_def workers = {.threads = 2, .context = &jobs};
        if (host == 1) {
            workers.enqueue = enqueue;
            workers.finish = finish;
        }
        CHECK_RESULT(kith_workers_set(f.world, &workers), KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK(m.met[0] && m.met[1]);
        fixture_free(&f);
    }
}

TEST_WITHIN(20, systems_that_do_not_conflict_run_at_the_same_time)
{
    const kith_system_def defs[] = {
        {.name = "first", .run = meet_first, .query.terms = KITH_TERMS(KITH_WRITE(Position))},
        {.name = "second", .run = meet_second, .query.terms = KITH_TERMS(KITH_READ(Byte))}};
    check_met(defs, 2);
}

TEST_WITHIN(20, parts_of_a_parallel_system_run_at_the_same_time)
{
    const kith_system_def def = {.name = "parts",
                                 .run = meet_other_part,
                                 .parallel = true,
                                 .query.terms = KITH_TERMS(KITH_READ(Byte))};
    check_met(&def, 1);
}

/* ---- Parts -------------------------------------------------------------------------------------- */

enum { PART_ROWS = 130000, PARTS_MOST = 64 };

/* Counts its calls and the entities that it visits. */
static void visit_part(kith_iter *it)
{
    uint32_t *parts = it->user;
    __atomic_add_fetch(parts, 1, __ATOMIC_RELAXED);
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Byte)->value++;
        }
    }
}

/* There are more blocks than parts: all parts except the last ones get several, and still each
 * row is in exactly one. */
TEST_EACH_LAYOUT_WITHIN(40, each_row_is_in_one_part_however_many_there_are, layout)
{
    uint32_t parts[2] = {0};
    uint32_t rows = test_short() ? PART_ROWS / 2 : PART_ROWS;
    for (uint32_t workers = 0; workers < 2; workers++) {
        fixture f = fixture_with_all(layout);
        const kith_values values[] = {{&Byte_type, NULL, true}, {&Position_type, NULL, true}};
        CHECK_RESULT(kith_spawn_many(f.world, 1500, values, 2, NULL), KITH_OK);
        CHECK_RESULT(kith_spawn_many(f.world, rows, values, 1, NULL), KITH_OK);
        const kith_system_def def = {.name = "visit",
                                     .run = visit_part,
                                     .user = &parts[workers],
                                     .parallel = true,
                                     .query.terms = KITH_TERMS(KITH_WRITE(Byte))};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = workers + 1}),
                     KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        uint32_t visited = 0;
        uint32_t wrong = 0;
        kith_query *query = KITH_QUERY(f.world, KITH_READ(Byte));
        for (kith_iter it = kith_query_iter(query); kith_next(&it); visited += it.count) {
            for (uint32_t i = 0; i < it.count; i++) {
                wrong += KITH_AT(&it, i, Byte)->value != 1;
            }
        }
        CHECK_UINT(visited, rows + 1500);
        CHECK_UINT(wrong, 0);
        CHECK(parts[workers] > 32 && parts[workers] <= PARTS_MOST);
        fixture_free(&f);
    }
    CHECK_UINT(parts[0], parts[1]);
}

/* ---- Random numbers -------------------------------------------------------------------------- */

static void draw(kith_iter *it)
{
    uint64_t *drawn = it->user;
    const uint64_t number = kith_system_random(it);
    const float part = kith_system_random_float(it);
    CHECK(part >= 0 && part < 1);
    CHECK(kith_next(it));
    drawn[KITH_COLUMN(it, Byte)->value] = number;
}

/* Random streams differ by seed, system, tick and part, and by nothing else. */
TEST(random_streams)
{
    uint64_t drawn[2][2][2][2][2]; /* by run, seed, system, tick, part */
    static Byte bytes[2048];
    for (int i = 0; i < 2048; i++) {
        bytes[i].value = i >= 1024;
    }
    for (int run = 0; run < 2; run++) {
        for (int seed = 0; seed < 2; seed++) {
            fixture f = fixture_new_with(&(kith_world_def){.seed = (uint64_t)seed});
            register_all(f.world, KITH_SPARSE);
            uint64_t now[2][2] = {{0}};
            const kith_values values = KITH_VALUES(Byte, bytes);
            CHECK_RESULT(kith_spawn_many(f.world, 2048, &values, 1, NULL), KITH_OK);
            kith_system_def def = {.name = "a",
                                   .run = draw,
                                   .user = now[0],
                                   .parallel = true,
                                   .query.terms = KITH_TERMS(KITH_READ(Byte))};
            CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
            def.name = "b";
            def.user = now[1];
            CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
            const kith_workers_def workers = {.threads = (uint32_t)run * 2 + 1};
            CHECK_RESULT(kith_workers_set(f.world, &workers), KITH_OK);
            for (int tick = 0; tick < 2; tick++) {
                CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
                for (int i = 0; i < 4; i++) {
                    drawn[run][seed][i / 2][tick][i % 2] = now[i / 2][i % 2];
                }
            }
            fixture_free(&f);
        }
    }
    const uint64_t *all = &drawn[0][0][0][0][0];
    for (int i = 0; i < 16; i++) {
        CHECK_UINT(all[i], all[i + 16]);
        for (int k = 0; k < i; k++) {
            CHECK(all[i] != all[k]);
        }
    }
}
