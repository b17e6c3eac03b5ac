/* Threads read views while the owner of the world moves value between entities: each finds the exact
 * total, and the hash of the world when the snapshot was taken. */
#include <kith/kith.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "components.h"
#include "owned.h"
#include "random.h"
#include "test.h"

enum { READERS = 8, PURSES = 3000, TOTAL = PURSES * 100, SECONDS_WHEN_LONG = 20 };

typedef struct bank bank;

/* A thread, and the view that it was handed. */
typedef struct reader {
    bank *of;
    pthread_t thread;
    kith_world *view; /* NULL: it waits for one */
    uint64_t hash;    /* of the world */
    uint32_t looks;   /* that it finished */
} reader;

struct bank {
    fixture f;
    owned_record owned;
    uint64_t random;
    pthread_mutex_t lock; /* of the readers and `over` */
    pthread_cond_t handed;
    bool over;
    reader readers[READERS];
};

/* ---- The readers ----------------------------------------------------------------------------- */

static int64_t sum_by_query(kith_world *view)
{
    int64_t sum = 0;
    kith_query *query = KITH_QUERY(view, KITH_READ(Health), KITH_IF(Health, max, ==, 1));
    CHECK_PTR_NOT_NULL(query);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        const Health *purses = KITH_COLUMN(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            sum += purses[i].current;
        }
    }
    kith_query_free(query);
    return sum;
}

static int64_t sum_by_handle(kith_world *view)
{
    int64_t sum = 0;
    for (kith_entity e = kith_entity_next(view, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(view, e)) {
        const Health *purse = KITH_GET(view, e, Health);
        sum += purse == NULL ? 0 : purse->current;
    }
    return sum;
}

static int64_t sum_by_text(kith_world *view)
{
    kith_select *select;
    CHECK_RESULT(kith_select_new(view, "Health select sum(Health.current)", NULL, &select),
                 KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), 1);
    return *(const int64_t *)kith_select_value(select, 0, 0);
}

static void find_by_index(kith_world *view)
{
    kith_index *index;
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, max)};
    kith_index_found found;
    CHECK_RESULT(kith_index_new(view, &def, &index), KITH_OK);
    CHECK_RESULT(kith_index_find(index, &(Health){.max = 1}, &found), KITH_OK);
    CHECK(found.count > 0);
}

static void print_first(kith_world *view)
{
    char text[512];
    size_t length;
    kith_entity first = kith_entity_next(view, KITH_NONE);
    CHECK_RESULT(kith_print_entity(view, first, text, sizeof text, &length), KITH_OK);
    CHECK(length > 0);
}

static void look_at(kith_world *view, uint64_t hash)
{
    kith_world_claim(view);
    CHECK_INT(sum_by_query(view), TOTAL);
    CHECK_INT(sum_by_handle(view), TOTAL);
    CHECK_INT(sum_by_text(view), TOTAL);
    CHECK(kith_world_hash(view) == hash);
    CHECK_WORLD(view);
    find_by_index(view);
    print_first(view);
    CHECK_INT(sum_by_query(view), TOTAL);
    kith_world_free(view);
}

static void *read_views(void *context)
{
    reader *r = context;
    bank *b = r->of;
    pthread_mutex_lock(&b->lock);
    while (!b->over || r->view != NULL) {
        if (r->view == NULL) {
            pthread_cond_wait(&b->handed, &b->lock);
            continue;
        }
        pthread_mutex_unlock(&b->lock);
        look_at(r->view, r->hash);
        pthread_mutex_lock(&b->lock);
        r->view = NULL;
        r->looks++;
    }
    pthread_mutex_unlock(&b->lock);
    return NULL;
}

/* ---- The owner ------------------------------------------------------------------------------- */

static kith_entity pick(bank *b)
{
    const kith_entity previous = {random_below(&b->random, PURSES), 0};
    const kith_entity next = kith_entity_next(b->f.world, previous);
    return kith_is_none(next) ? kith_entity_next(b->f.world, KITH_NONE) : next;
}

/* Moves value from one entity to another: by a pointer, by a call, or with one that ends or comes. */
static void move_value(bank *b)
{
    kith_world *world = b->f.world;
    kith_entity from = pick(b);
    kith_entity to = pick(b);
    if (kith_entity_equal(from, to)) {
        return;
    }
    Health *purse = KITH_GET_MUT(world, from, Health);
    const int32_t moved =
        random_below(&b->random, 4) == 0 ? purse->current : purse->current / 2 + 1;
    purse->current -= moved;
    const int32_t had = KITH_GET(world, to, Health)->current;
    if (random_below(&b->random, 4) == 0) {
        CHECK_RESULT(KITH_DESPAWN(world, to), KITH_OK);
        to = KITH_SPAWN(world, KITH_VALUE(Health, {0, 1}), KITH_VALUE(Owned));
    }
    CHECK_RESULT(KITH_SET(world, to, Health, {had + moved, 1}), KITH_OK);
    CHECK_RESULT(KITH_HAS(world, to, Frozen) ? KITH_REMOVE(world, to, Frozen)
                                             : KITH_ADD(world, to, Frozen),
                 KITH_OK);
}

static void move_values(bank *b)
{
    for (uint32_t i = random_below(&b->random, 60); i > 0; i--) {
        move_value(b);
    }
    char name[32];
    kith_text text;
    snprintf(name, sizeof name, "text %u", random_below(&b->random, 100000));
    CHECK_RESULT(kith_text_intern(b->f.world, name, &text), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(b->f.world, Name, {"last"}), KITH_OK);
    CHECK_RESULT(KITH_SEND(b->f.world, Extra, {1, 2, 3}), KITH_OK);
    CHECK_RESULT(kith_run(b->f.world, 1), KITH_OK);
}

/* A view for each thread that waits, of one snapshot, which is freed at once, or soon. */
static void hand_out(bank *b, kith_snapshot **last)
{
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(b->f.world, &snapshot), KITH_OK);
    const uint64_t hash = kith_world_hash(b->f.world);
    pthread_mutex_lock(&b->lock);
    for (uint32_t i = 0; i < READERS; i++) {
        reader *r = &b->readers[i];
        if (r->view == NULL) {
            CHECK_RESULT(kith_view_new(snapshot, NULL, &r->view), KITH_OK);
            kith_world_release(r->view);
            r->hash = hash;
        }
    }
    pthread_cond_broadcast(&b->handed);
    pthread_mutex_unlock(&b->lock);
    kith_snapshot_free(*last);
    *last = NULL;
    if (random_below(&b->random, 2) == 0) {
        kith_snapshot_free(snapshot);
    } else {
        *last = snapshot;
    }
}

static void begin(bank *b, kith_layout layout)
{
    *b = (bank){.f = fixture_with_all(layout), .random = layout + 1};
    kith_hooks hooks = owned_hooks(&b->owned);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(b->f.world, &Owned_type, &def), KITH_OK);
    const kith_values values[] = {KITH_VALUE(Health, {100, 1}), KITH_VALUE(Position, {1, 2})};
    CHECK_RESULT(kith_spawn_many(b->f.world, PURSES, values, 2, NULL), KITH_OK);
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->handed, NULL);
    for (uint32_t i = 0; i < READERS; i++) {
        b->readers[i].of = b;
        CHECK_INT(pthread_create(&b->readers[i].thread, NULL, read_views, &b->readers[i]), 0);
    }
}

static uint32_t end(bank *b)
{
    uint32_t looks = 0;
    pthread_mutex_lock(&b->lock);
    b->over = true;
    pthread_cond_broadcast(&b->handed);
    pthread_mutex_unlock(&b->lock);
    for (uint32_t i = 0; i < READERS; i++) {
        pthread_join(b->readers[i].thread, NULL);
        looks += b->readers[i].looks;
    }
    pthread_cond_destroy(&b->handed);
    pthread_mutex_destroy(&b->lock);
    CHECK_WORLD(b->f.world);
    fixture_free(&b->f);
    CHECK_UINT(b->owned.live, 0);
    return looks;
}

TEST_EACH_LAYOUT_WITHIN(60, each_view_has_the_exact_total, layout)
{
    bank b;
    kith_snapshot *last = NULL;
    begin(&b, layout);
    const time_t began = time(NULL);
    const uint32_t rounds = test_short() ? 3 : 60;
    for (uint32_t round = 0;
         round < rounds || (test_long() && time(NULL) - began < SECONDS_WHEN_LONG); round++) {
        move_values(&b);
        hand_out(&b, &last);
        if (round % 16 == 0) {
            kith_world_trim(b.f.world);
        }
    }
    CHECK(end(&b) >= READERS);
}
