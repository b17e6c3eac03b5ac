/* Several worlds at once, each in a thread of its own. All that they share is the register of types,
 * which must show neither in what they do nor in how they come out. */
#define _POSIX_C_SOURCE 200809L

#include <kith/kith.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

enum { THREADS = 4 };

/* Threads that begin together, so that they get in each other's way. */
typedef struct crew {
    pthread_barrier_t start;
    struct member {
        struct crew *crew;
        uint32_t number;
        uint64_t outcome;
    } members[THREADS];
} crew;

static void run_crew(crew *c, void *(*work)(void *member))
{
    pthread_t threads[THREADS];
    CHECK_INT(pthread_barrier_init(&c->start, NULL, THREADS), 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        c->members[i] = (struct member){c, i, 0};
        CHECK_INT(pthread_create(&threads[i], NULL, work, &c->members[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
    CHECK_INT(pthread_barrier_destroy(&c->start), 0);
}

/* ---- The same in each ------------------------------------------------------------------------ */

static void move(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const Velocity *velocity = KITH_AT(it, i, Velocity);
            KITH_AT_MUT(it, i, Position)->x += velocity->dx * it->dt;
        }
    }
}

static kith_result tell(kith_world *world, kith_iter *it)
{
    (void)it;
    return KITH_SEND(world, Byte, {(uint8_t)kith_tick_count(world)});
}

/* A life of a few hundred steps; returns the world's hash. */
static uint64_t live(uint64_t seed)
{
    fixture f = fixture_new();
    register_mixed(f.world, seed);
    const kith_system_def defs[] = {
        {.name = "move",
         .run = move,
         .query.terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity))},
        {.name = "tell", .update = tell},
    };
    CHECK_RESULT(kith_system_add(f.world, &defs[0]), KITH_OK);
    CHECK_RESULT(kith_system_add(f.world, &defs[1]), KITH_OK);
    kith_entity e[100] = {{0, 0}};
    for (int step = 0; step < 400; step++) {
        uint32_t who = random_below(&seed, 100);
        switch (random_below(&seed, 5)) {
        case 0:
            if (!kith_alive(f.world, e[who])) {
                e[who] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)step, 1}),
                                    KITH_VALUE(Velocity, {1, 1}));
            }
            break;
        case 1: (void)kith_despawn(f.world, e[who]); break;
        case 2: (void)KITH_SET(f.world, e[who], Health, {step, step}); break;
        case 3: (void)KITH_REMOVE(f.world, e[who], Velocity); break;
        default: CHECK_RESULT(kith_run(f.world, 0.5f), KITH_OK); break;
        }
    }
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Extra, {1, 2, 3}), KITH_OK);
    CHECK_WORLD(f.world);
    uint64_t hash = kith_world_hash(f.world);
    fixture_free(&f);
    return hash;
}

static void *live_in_thread(void *user)
{
    struct member *member = user;
    pthread_barrier_wait(&member->crew->start);
    for (uint64_t seed = 0; seed < 10; seed++) {
        member->outcome = member->outcome * 31 + live(seed);
    }
    return NULL;
}

TEST_WITHIN(10, worlds_side_by_side)
{
    static crew c;
    run_crew(&c, live_in_thread);
    uint64_t alone = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        alone = alone * 31 + live(seed);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        CHECK_UINT(c.members[i].outcome, alone);
    }
}

/* ---- The register ---------------------------------------------------------------------------- */

/* All register the same descriptors at the same time, which nobody has before, and use them at once. */
static void *register_in_thread(void *user)
{
    struct member *member = user;
    fixture f = fixture_new();
    pthread_barrier_wait(&member->crew->start);
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        /* Each in an order of its own. */
        const kith_type *type = component_types[(i * 5 + member->number * 3) % COMPONENT_COUNT];
        const kith_component_def def = {.layout = (kith_layout)(i % LAYOUT_COUNT)};
        CHECK_RESULT(kith_register(f.world, type, &def), KITH_OK);
        kith_entity e = kith_spawn_empty(f.world);
        CHECK_RESULT(kith_add(f.world, e, type), KITH_OK);
        CHECK(kith_has(f.world, e, type));
        const kith_term term = {type, type->size != 0 ? KITH_ACCESS_READ : KITH_ACCESS_NONE,
                                KITH_MUST, 0, NULL};
        kith_query *query =
            kith_query_new_or_null(f.world, &(const kith_query_def){.terms = KITH_TERMS(term)});
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            CHECK_SAME(kith_entities(&it)[0], e);
            CHECK(type->size == 0 || kith_at(&it, 0, type, type->size, KITH_ACCESS_READ) != NULL);
        }
    }
    CHECK_UINT(kith_type_count(f.world), COMPONENT_COUNT);
    fixture_free(&f);
    return NULL;
}

TEST_WITHIN(10, the_same_types_at_the_same_time)
{
    static crew c;
    run_crew(&c, register_in_thread);
}

/* Thousands of descriptors that the threads share, each registered by all at the very same time: who
 * comes second finds the number written between two looks at it. */
enum { SHARED = 3000 };

static char shared_names[SHARED][16];
static uint32_t shared_numbers[SHARED];
static kith_type shared_types[SHARED];

static void *register_shared_in_thread(void *user)
{
    struct member *member = user;
    fixture f = fixture_new();
    for (uint32_t i = 0; i < SHARED; i++) {
        if (i % 16 == 0) {
            pthread_barrier_wait(&member->crew->start);
        }
        CHECK_RESULT(kith_register(f.world, &shared_types[i], NULL), KITH_OK);
    }
    CHECK_UINT(kith_type_count(f.world), SHARED);
    for (uint32_t i = 0; i < SHARED; i++) {
        CHECK_RESULT(kith_layout_of(f.world, &shared_types[i], NULL), KITH_OK);
    }
    fixture_free(&f);
    return NULL;
}

TEST_WITHIN(10, the_same_descriptors_at_the_same_time)
{
    static const kith_field field = {"value", 0, 4, KITH_U32};
    static crew c;
    for (uint32_t i = 0; i < SHARED; i++) {
        snprintf(shared_names[i], sizeof(shared_names[i]), "Shared%u", (unsigned)i);
        shared_types[i] = (kith_type){shared_names[i],    4,          4,     0,    1, &field,
                                      &shared_numbers[i], KITH_TABLE, false, false, 0};
    }
    run_crew(&c, register_shared_in_thread);
}

/* Loops in some threads, while others register what those loop over: a descriptor that is read in one
 * place is written in no other. */
static void *loop_in_thread(void *user)
{
    struct member *member = user;
    fixture f = fixture_new();
    if (member->number % 2 == 0) {
        register_all(f.world, KITH_TABLE);
        for (int i = 0; i < 1000; i++) {
            KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 1}), KITH_VALUE(Velocity, {1, 1}));
        }
    }
    pthread_barrier_wait(&member->crew->start);
    for (int round = 0; round < 200; round++) {
        if (member->number % 2 == 0) {
            kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Position), KITH_READ(Velocity));
            for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
                for (uint32_t i = 0; i < it.count; i++) {
                    KITH_AT_MUT(&it, i, Position)->x += KITH_AT(&it, i, Velocity)->dx;
                }
            }
            kith_query_free(query);
        } else {
            fixture g = fixture_with_all(KITH_SPARSE);
            CHECK_RESULT(kith_register(g.world, &Position_type,
                                       &(kith_component_def){.layout = KITH_SPARSE}),
                         KITH_OK);
            CHECK_RESULT(KITH_RESOURCE_SET(g.world, Velocity, {1, 2}), KITH_OK);
            CHECK_RESULT(KITH_SEND(g.world, Position, {1, 2}), KITH_OK);
            fixture_free(&g);
        }
    }
    fixture_free(&f);
    return NULL;
}

TEST_WITHIN(10, loops_while_others_register)
{
    static crew c;
    run_crew(&c, loop_in_thread);
}

/* Hundreds of new types a thread, made and forgotten, with and without a number; half of them are the
 * same in all threads, and half of those mean something else in each. */
static void *invent_in_thread(void *user)
{
    struct member *member = user;
    fixture f = fixture_new();
    static const kith_field field = {"value", 0, 4, KITH_U32};
    uint32_t numbers[300] = {0};
    pthread_barrier_wait(&member->crew->start);
    for (uint32_t i = 0; i < 300; i++) {
        char name[32];
        kith_type type = {name,       4,     4,    0, 1, &field, i % 3 == 0 ? NULL : &numbers[i],
                          KITH_TABLE, false, false, 0};
        switch (i % 4) {
        case 0:
        case 1: snprintf(name, sizeof(name), "Shared%u", (unsigned)i); break;
        case 2:
            snprintf(name, sizeof(name), "Disputed%u", (unsigned)i);
            type.version = member->number;
            break;
        default: snprintf(name, sizeof(name), "Own%u_%u", (unsigned)member->number, (unsigned)i);
        }
        CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_OK);
        const uint32_t value = i + member->number;
        kith_entity e = kith_spawn_or_none(f.world, &(const kith_value){&type, &value}, 1);
        CHECK_UINT(*(const uint32_t *)kith_get(f.world, e, &type), value);
        const kith_type *kept = kith_type_find(f.world, name);
        CHECK_UINT(*(const uint32_t *)kith_get(f.world, e, kept), value);
        CHECK_UINT(kept->version, type.version);
    }
    CHECK_UINT(kith_type_count(f.world), 300);
    member->outcome = kith_world_hash(f.world);
    fixture_free(&f);
    return NULL;
}

TEST_WITHIN(10, new_types_at_the_same_time)
{
    static crew c;
    run_crew(&c, invent_in_thread);
    /* They differ, but not by who came first. */
    uint64_t outcomes[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        outcomes[i] = c.members[i].outcome;
    }
    run_crew(&c, invent_in_thread);
    for (uint32_t i = 0; i < THREADS; i++) {
        CHECK_UINT(c.members[i].outcome, outcomes[i]);
    }
}
