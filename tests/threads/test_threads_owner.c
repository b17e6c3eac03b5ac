/* A world belongs to one thread at a time, and is handed over explicitly. */
#include <kith/kith.h>
#include <pthread.h>

#include "components.h"
#include "nothing.h"
#include "test.h"

/* Calls in another thread, and waits for it. */
static void elsewhere(void *(*call)(void *user), void *user)
{
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, call, user), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
}

/* What the other thread tries, and what it may not. */
typedef struct shared {
    fixture f;
    kith_entity e;
    kith_query *query;
} shared;

static shared shared_new(void)
{
    shared s = {.f = fixture_with_all(KITH_TABLE)};
    s.e = KITH_SPAWN(s.f.world, KITH_VALUE(Position, {1, 2}));
    s.query = KITH_QUERY(s.f.world, KITH_WRITE(Position));
    return s;
}

/* ---- Without being the owner ----------------------------------------------------------------- */

#define REFUSED(s, call, result)                                                                   \
    do {                                                                                           \
        CHECK_RESULT(call, result);                                                                \
        expect_misuse(&(s)->f, "thread");                                                          \
    } while (false)

/* Everything that changes the world, and opening a query. */
static void *try_all(void *user)
{
    shared *s = user;
    kith_world *w = s->f.world;
    kith_entity out;
    void *value;
    const Position p = {3, 4};
    const kith_component_def def = {.layout = KITH_TABLE};
    const kith_value values[] = {{&Position_type, &p}};
    REFUSED(s, kith_register(w, &Position_type, &def), KITH_ERR_MISUSE);
    REFUSED(s, kith_spawn(w, NULL, 0, &out), KITH_ERR_MISUSE);
    REFUSED(s, kith_spawn_many(w, 1, NULL, 0, NULL), KITH_ERR_MISUSE);
    REFUSED(s, kith_clone(w, s->e, &out), KITH_ERR_MISUSE);
    REFUSED(s, kith_clone_tree(w, s->e, &out), KITH_ERR_MISUSE);
    REFUSED(s, kith_despawn(w, s->e), KITH_ERR_MISUSE);
    REFUSED(s, kith_despawn_many(w, &s->e, 1, NULL), KITH_ERR_MISUSE);
    REFUSED(s, kith_set(w, s->e, &Position_type, &p), KITH_ERR_MISUSE);
    REFUSED(s, kith_set(w, s->e, &Velocity_type, NULL), KITH_ERR_MISUSE);
    REFUSED(s, kith_set_values(w, s->e, values, 1), KITH_ERR_MISUSE);
    REFUSED(s, kith_set_bytes(w, s->e, &Position_type, &p, sizeof(p)), KITH_ERR_MISUSE);
    REFUSED(s, kith_add(w, s->e, &Velocity_type), KITH_ERR_MISUSE);
    REFUSED(s, kith_remove(w, s->e, &Position_type), KITH_ERR_MISUSE);
    REFUSED(s, kith_remove_all(w, s->e), KITH_ERR_MISUSE);
    REFUSED(s, kith_get_mut(w, s->e, &Position_type, &value), KITH_ERR_MISUSE);
    REFUSED(s, kith_resource_set(w, &Position_type, &p), KITH_ERR_MISUSE);
    REFUSED(s, kith_resource_remove(w, &Position_type), KITH_ERR_MISUSE);
    REFUSED(s, kith_event_register(w, &Position_type, NULL), KITH_ERR_MISUSE);
    REFUSED(s, kith_event_send(w, &Position_type, &p), KITH_ERR_MISUSE);
    REFUSED(s, kith_system_remove(w, "none"), KITH_ERR_MISUSE);
    REFUSED(s, kith_system_enable(w, "none", true), KITH_ERR_MISUSE);
    const kith_system_def system = {.name = "system", .update = update_nothing};
    REFUSED(s, kith_system_add(w, &system), KITH_ERR_MISUSE);
    REFUSED(s, kith_run(w, 1), KITH_ERR_MISUSE);
    REFUSED(s, kith_world_check(w), KITH_ERR_MISUSE);
    kith_query *query;
    REFUSED(s, kith_query_new(w, &(kith_query_def){0}, &query), KITH_ERR_MISUSE);
    kith_event_clear(w, &Position_type);
    expect_misuse(&s->f, "thread");
    kith_world_trim(w);
    expect_misuse(&s->f, "thread");
    kith_world_release(w);
    expect_misuse(&s->f, "thread");
    kith_world_claim(w);
    expect_misuse(&s->f, "kith_world_release");
    kith_world_free(w);
    expect_misuse(&s->f, "thread");
    kith_query_free(s->query);
    expect_misuse(&s->f, "thread");
    CHECK_UINT(kith_query_count(s->query), 0);
    expect_misuse(&s->f, "thread");
    kith_iter it = kith_query_iter(s->query);
    CHECK_CONTAINS(s->f.misuse, "test_threads_owner.c");
    expect_misuse(&s->f, "thread");
    CHECK(!kith_next(&it));
    CHECK_RESULT(it.result, KITH_ERR_MISUSE);
    it = kith_query_iter_one(s->query, s->e);
    expect_misuse(&s->f, "thread");
    CHECK(!kith_next(&it));
    return NULL;
}

TEST(another_thread_is_refused)
{
    shared s = shared_new();
    const uint64_t before = kith_world_hash(s.f.world);
    elsewhere(try_all, &s);
    CHECK_UINT(kith_world_hash(s.f.world), before);
    CHECK_UINT(kith_query_count(s.query), 1);
    CHECK_WORLD(s.f.world);
    fixture_free(&s.f);
}

/* A world that was released belongs to nobody: not to the thread that had it either. */
TEST(a_yielded_world_belongs_to_nobody)
{
    shared s = shared_new();
    const uint64_t before = kith_world_hash(s.f.world);
    kith_world_release(s.f.world);
    CHECK_RESULT(kith_despawn(s.f.world, s.e), KITH_ERR_MISUSE);
    expect_misuse(&s.f, "kith_world_claim");
    kith_world_release(s.f.world);
    expect_misuse(&s.f, "kith_world_release");
    CHECK_RESULT(kith_run(s.f.world, 1), KITH_ERR_MISUSE);
    expect_misuse(&s.f, "kith_run");
    kith_world_claim(s.f.world);
    kith_world_claim(s.f.world); /* one's own: does nothing */
    CHECK_UINT(kith_world_hash(s.f.world), before);
    CHECK_RESULT(kith_despawn(s.f.world, s.e), KITH_OK);
    CHECK_WORLD(s.f.world);
    fixture_free(&s.f);
}

/* ---- Handing over ---------------------------------------------------------------------------- */

/* Adds an entity with everything that was prepared elsewhere, and lets go. */
static void *take_and_give(void *user)
{
    shared *s = user;
    kith_world *w = s->f.world;
    kith_world_claim(w);
    for (kith_iter it = kith_query_iter(s->query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            KITH_AT_MUT(&it, i, Position)->x += 1;
        }
    }
    s->e = KITH_SPAWN(w, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(kith_run(w, 1), KITH_OK);
    CHECK_RESULT(kith_world_check(w), KITH_OK);
    kith_world_release(w);
    return NULL;
}

TEST(a_world_goes_round)
{
    shared s = shared_new();
    kith_entity first = s.e;
    for (int i = 0; i < 20; i++) {
        kith_world_release(s.f.world);
        elsewhere(take_and_give, &s);
        kith_world_claim(s.f.world);
        CHECK(kith_alive(s.f.world, s.e));
        CHECK_FLOAT(KITH_GET(s.f.world, first, Position)->x, 2 + (float)i);
        CHECK_UINT(kith_query_count(s.query), 2 + i);
        CHECK_UINT(kith_tick_count(s.f.world), 1 + i);
    }
    CHECK_WORLD(s.f.world);
    fixture_free(&s.f);
}

/* Several threads want it; a lock decides who gets it. */
typedef struct contended {
    shared s;
    pthread_mutex_t lock;
} contended;

static void *take_turns(void *user)
{
    contended *c = user;
    for (int i = 0; i < 100; i++) {
        CHECK_INT(pthread_mutex_lock(&c->lock), 0);
        take_and_give(&c->s);
        CHECK_INT(pthread_mutex_unlock(&c->lock), 0);
    }
    return NULL;
}

TEST(threads_take_turns)
{
    contended c = {.s = shared_new(), .lock = PTHREAD_MUTEX_INITIALIZER};
    kith_world_release(c.s.f.world);
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, take_turns, &c), 0);
    }
    for (int i = 0; i < 3; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
    kith_world_claim(c.s.f.world);
    CHECK_UINT(kith_entity_count(c.s.f.world), 301);
    CHECK_UINT(kith_tick_count(c.s.f.world), 300);
    CHECK_WORLD(c.s.f.world);
    fixture_free(&c.s.f);
}

/* Made in one thread, freed in another, which was given it. */
static void *free_here(void *user)
{
    shared *s = user;
    kith_world_claim(s->f.world);
    CHECK_UINT(kith_query_count(s->query), 1);
    fixture_free(&s->f);
    return NULL;
}

TEST(a_world_is_freed_by_who_has_it)
{
    shared s = shared_new();
    kith_world_release(s.f.world);
    elsewhere(free_here, &s);
}

static void *make_here(void *user)
{
    shared *s = user;
    *s = shared_new();
    kith_world_release(s->f.world);
    return NULL;
}

TEST(a_world_comes_from_elsewhere)
{
    shared s;
    elsewhere(make_here, &s);
    kith_world_claim(s.f.world);
    CHECK_FLOAT(KITH_GET(s.f.world, s.e, Position)->y, 2);
    CHECK_WORLD(s.f.world);
    fixture_free(&s.f);
}

/* An open query keeps the world where it is. */
TEST(no_yield_in_an_open_query)
{
    shared s = shared_new();
    kith_iter it = kith_query_iter(s.query);
    kith_world_release(s.f.world);
    CHECK_CONTAINS(s.f.misuse, "test_threads_owner.c");
    expect_misuse(&s.f, "kith_world_release");
    CHECK(kith_next(&it));
    kith_iter_close(&it);
    kith_world_release(s.f.world);
    kith_world_claim(s.f.world);
    fixture_free(&s.f);
}
