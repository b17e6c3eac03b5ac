/* Forks of one snapshot are played in two threads, each with another input, while the world goes on.
 * Each comes to what the world comes to after a restore, with that input. */
#include <kith/kith.h>
#include <pthread.h>
#include <stdlib.h>

#include "components.h"
#include "random.h"
#include "test.h"

enum { THREADS = 2, TICKS = 10 };

/* So many forks, of a world of so many entities. */
typedef struct scale {
    uint32_t forks;
    uint32_t entities;
} scale;

static scale scale_of_run(void)
{
    return test_long() ? (scale){1000, 10000} : test_short() ? (scale){6, 300} : (scale){60, 3000};
}

typedef struct Order {
    uint32_t number;
} Order;
KITH_TYPE(Order, KITH_FIELD(Order, number));

/* ---- The game -------------------------------------------------------------------------------- */

/* Each moves as the order says. */
static void march(kith_iter *it)
{
    const uint32_t order = KITH_RESOURCE(it, Order)->number;
    while (kith_next(it)) {
        Position *positions = KITH_COLUMN_MUT(it, Position);
        const Velocity *velocities = KITH_COLUMN(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            positions[i].x += velocities[i].dx * (float)(order % 7);
            positions[i].y += (float)(kith_system_random(it) % 16);
        }
    }
}

/* Some are hurt and end, some burn; who was changed loses health. */
static void fight(kith_iter *it)
{
    const uint32_t order = KITH_RESOURCE(it, Order)->number;
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            const kith_entity entity = kith_entities(it)[i];
            Health *health = KITH_AT_MUT(it, i, Health);
            health->current -= (int32_t)(kith_system_random(it) % 8);
            if ((kith_entity_slot(entity) + order) % 37 == 0) {
                KITH_ADD(it->commands, entity, Burning);
            }
            if (health->current < 0) {
                KITH_DESPAWN(it->commands, entity);
                KITH_SPAWN(it->commands, KITH_VALUE(Position, {0, 0}), KITH_VALUE(Velocity, {1, 2}),
                           KITH_VALUE(Health, {50, 50}));
            }
        }
    }
}

static void count_fires(const kith_observed *observed)
{
    Extra *fires = KITH_RESOURCE_MUT(observed->world, Extra);
    fires->a += (float)observed->count;
}

static kith_result set_up(kith_world *world, void *context)
{
    (void)context;
    kith_result result = KITH_SYSTEM(world, march, KITH_WRITE(Position), KITH_READ(Velocity),
                                     .parallel = true, .resources = KITH_TERMS(KITH_READ(Order)));
    result = result != KITH_OK
                 ? result
                 : KITH_SYSTEM(world, fight, KITH_WRITE(Health), KITH_CHANGED(Position),
                               .every_ticks = 2, .priority = 1,
                               .resources = KITH_TERMS(KITH_READ(Order)));
    return result != KITH_OK ? result
                             : kith_observer_new(world,
                                                 &(kith_observer_def){.kind = KITH_ON_ADD,
                                                                      .type = &Burning_type,
                                                                      .run = count_fires},
                                                 NULL);
}

static uint64_t play(kith_world *world, uint32_t input)
{
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        CHECK_RESULT(KITH_RESOURCE_SET(world, Order, {input * TICKS + tick}), KITH_OK);
        CHECK_RESULT(kith_run(world, 1), KITH_OK);
    }
    return kith_world_hash(world);
}

/* ---- The threads ----------------------------------------------------------------------------- */

/* A fork that waits to be played, or has been. */
typedef struct job {
    kith_world *fork; /* NULL: it was played */
    uint64_t hash;
} job;

typedef struct jobs {
    pthread_mutex_t lock; /* of the rest */
    pthread_cond_t came;
    job *list;
    uint32_t made, taken, count;
} jobs;

/* Plays forks as they come. */
static void *play_forks(void *context)
{
    jobs *all = context;
    pthread_mutex_lock(&all->lock);
    while (all->taken < all->count) {
        if (all->taken == all->made) {
            pthread_cond_wait(&all->came, &all->lock);
            continue;
        }
        const uint32_t number = all->taken++;
        job *own = &all->list[number];
        pthread_mutex_unlock(&all->lock);
        kith_world_claim(own->fork);
        own->hash = play(own->fork, number);
        if (number % 16 == 0) {
            CHECK_WORLD(own->fork);
        }
        kith_world_free(own->fork);
        pthread_mutex_lock(&all->lock);
    }
    pthread_cond_broadcast(&all->came);
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

/* Makes the forks, and lets the world go on meanwhile. */
static void make_forks(jobs *all, kith_world *world, const kith_snapshot *snapshot)
{
    for (uint32_t i = 0; i < all->count; i++) {
        kith_world *fork;
        CHECK_RESULT(kith_fork_new(snapshot, &(kith_fork_def){.set_up = set_up}, &fork), KITH_OK);
        kith_world_release(fork);
        pthread_mutex_lock(&all->lock);
        all->list[i].fork = fork;
        all->made++;
        pthread_cond_broadcast(&all->came);
        pthread_mutex_unlock(&all->lock);
        if (i % 8 == 0) {
            play(world, i);
        }
    }
}

TEST_EACH_LAYOUT_WITHIN(300, forks_in_threads_play_as_the_world_does, layout)
{
    const scale how_much = scale_of_run();
    fixture f = fixture_with_all(layout);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Order, {0}), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Extra, {0, 0, 0}), KITH_OK);
    CHECK_RESULT(set_up(f.world, NULL), KITH_OK);
    for (uint32_t i = 0; i < how_much.entities; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}),
                   KITH_VALUE(Velocity, {(float)(i % 5), 1}),
                   KITH_VALUE(Health, {(int32_t)(i % 90), 90}));
    }
    play(f.world, 3);
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
    jobs all = {.count = how_much.forks, .list = calloc(how_much.forks, sizeof(job))};
    pthread_mutex_init(&all.lock, NULL);
    pthread_cond_init(&all.came, NULL);
    pthread_t threads[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, play_forks, &all), 0);
    }
    make_forks(&all, f.world, snapshot);
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    for (uint32_t i = 0; i < how_much.forks; i++) {
        CHECK_RESULT(kith_snapshot_restore(f.world, snapshot), KITH_OK);
        CHECK(play(f.world, i) == all.list[i].hash);
    }
    CHECK(how_much.forks < 2 || all.list[0].hash != all.list[1].hash);
    CHECK_WORLD(f.world);
    pthread_cond_destroy(&all.came);
    pthread_mutex_destroy(&all.lock);
    free(all.list);
    fixture_free(&f);
}
