/* Who may ask for rows: whoever may ask for arrays. */
#include <kith/kith.h>
#include <pthread.h>

#include "components.h"
#include "share.h"
#include "test.h"

static void *ask_there(void *context)
{
    kith_iter *it = context;
    CHECK(!kith_next_rows(it));
    return NULL;
}

static void *look_there(void *context)
{
    const kith_iter *it = context;
    CHECK_PTR_NULL(KITH_POINTERS(it, Position));
    return NULL;
}

static void in_another_thread(fixture *f, void *(*make)(void *), kith_iter *it, const char *told)
{
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, make, it), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
    expect_misuse(f, told);
}

TEST(rows_of_another_threads_world)
{
    fixture f = fixture_new();
    register_all(f.world, KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_iter it = kith_query_iter(query);
    in_another_thread(&f, ask_there, &it, "kith_next_rows: the world belongs to another thread");
    CHECK(kith_next_rows(&it));
    in_another_thread(&f, look_there, &it, "kith_pointers: the world belongs to another thread");
    CHECK_PTR_NOT_NULL(KITH_POINTERS(&it, Position)[0]);
    CHECK(!kith_next_rows(&it));
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

static void move_by_rows(kith_iter *it)
{
    while (kith_next_rows(it)) {
        Position *const *position = KITH_POINTERS_MUT(it, Position);
        const Velocity *const *velocity = KITH_POINTERS(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            position[i]->x += velocity[i]->dx * it->dt;
        }
    }
}

static void move_by_arrays(kith_iter *it)
{
    while (kith_next(it)) {
        Position *position = KITH_COLUMN_MUT(it, Position);
        const Velocity *velocity = KITH_COLUMN(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            position[i].x += velocity[i].dx * it->dt;
        }
    }
}

/* Parallel systems, by arrays and by rows, with workers and without: the same bits. */
TEST_EACH_LAYOUT(parallel_rows_and_arrays, layout)
{
    uint64_t hashes[4];
    for (int round = 0; round < 4; round++) {
        fixture f = fixture_new();
        register_all(f.world, layout);
        const kith_system_def def = {.name = "movement",
                                     .parallel = true,
                                     .run = round % 2 == 0 ? move_by_rows : move_by_arrays,
                                     .query.terms =
                                         KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity))};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = round < 2 ? 1 : 4}),
                     KITH_OK);
        kith_entity e[5000];
        for (uint32_t i = 0; i < 5000; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
        }
        for (uint32_t i = 5000; i-- > 0;) {
            if (i % 3 != 0) {
                CHECK_RESULT(KITH_SET(f.world, e[i], Velocity, {(float)i, 1}), KITH_OK);
            }
        }
        for (int tick = 0; tick < 3; tick++) {
            test_share *shared = test_share_world(f.world); /* each block is copied by one worker */
            CHECK_RESULT(kith_run(f.world, 0.5f), KITH_OK);
            test_share_free(shared);
            CHECK_WORLD(f.world);
        }
        CHECK_FLOAT(KITH_GET(f.world, e[10], Position)->x, 25);
        hashes[round] = kith_world_hash(f.world);
        fixture_free(&f);
    }
    for (int round = 1; round < 4; round++) {
        CHECK_UINT(hashes[round], hashes[0]);
    }
}
