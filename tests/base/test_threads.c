/* What base/threads.h makes of the system's threads. */
#include "base/threads.h"

#include <stdint.h>

#include "base/context.h"
#include "test.h"

enum { THREADS = 4, ROUNDS = 2000 };

/* ---- Locks ------------------------------------------------------------------------------------- */

typedef struct counter {
    ki_lock lock;
    uint32_t count;
} counter;

static ki_lock static_lock = KI_LOCK_INIT;
static uint32_t static_count;

static void count_up(void *context)
{
    counter *c = context;
    for (int i = 0; i < ROUNDS; i++) {
        ki_lock_acquire(&c->lock);
        c->count++;
        ki_lock_release(&c->lock);
        ki_lock_acquire(&static_lock);
        static_count++;
        ki_lock_release(&static_lock);
    }
}

TEST(a_lock_lets_in_one_thread_at_a_time)
{
    counter c = {.count = 0};
    ki_os_thread threads[THREADS];
    ki_lock_init(&c.lock);
    for (int i = 0; i < THREADS; i++) {
        CHECK(ki_os_thread_start(&threads[i], count_up, &c));
    }
    for (int i = 0; i < THREADS; i++) {
        ki_os_thread_join(&threads[i]);
    }
    ki_lock_end(&c.lock);
    CHECK_UINT(c.count, THREADS * ROUNDS);
    CHECK_UINT(static_count, THREADS * ROUNDS);
}

/* ---- Conditions -------------------------------------------------------------------------------- */

/* Threads take turns: each waits for its own, and wakes the next one. */
typedef struct round_table {
    ki_lock lock;
    ki_condition turned;
    uint32_t turn;
    bool wake_one; /* for two threads, of which one waits */
} round_table;

typedef struct guest {
    round_table *table;
    uint32_t number;
    uint32_t guests;
    uint32_t turns;
} guest;

static void take_turns(void *context)
{
    guest *self = context;
    round_table *table = self->table;
    ki_lock_acquire(&table->lock);
    for (int i = 0; i < ROUNDS / 4; i++) {
        while (table->turn % self->guests != self->number) {
            ki_condition_wait(&table->turned, &table->lock);
        }
        table->turn++;
        self->turns++;
        (table->wake_one ? ki_condition_wake_one : ki_condition_wake_all)(&table->turned);
    }
    ki_lock_release(&table->lock);
}

static void check_turns(uint32_t guests, bool wake_one)
{
    round_table table = {.wake_one = wake_one};
    guest all[THREADS];
    ki_os_thread threads[THREADS];
    ki_lock_init(&table.lock);
    ki_condition_init(&table.turned);
    for (uint32_t i = 0; i < guests; i++) {
        all[i] = (guest){&table, i, guests, 0};
        CHECK(ki_os_thread_start(&threads[i], take_turns, &all[i]));
    }
    for (uint32_t i = 0; i < guests; i++) {
        ki_os_thread_join(&threads[i]);
        CHECK_UINT(all[i].turns, ROUNDS / 4);
    }
    CHECK_UINT(table.turn, guests * (ROUNDS / 4));
    ki_condition_end(&table.turned);
    ki_lock_end(&table.lock);
}

TEST(a_condition_wakes_who_waits)
{
    check_turns(2, true);
    check_turns(THREADS, false);
}

/* ---- Thread-local variables -------------------------------------------------------------------- */

typedef struct token_note {
    const void *first;
    const void *second;
} token_note;

static void note_token(void *context)
{
    token_note *note = context;
    note->first = ki_thread();
    note->second = ki_thread();
}

TEST(a_thread_has_a_token_of_its_own)
{
    /* Asked for now, whatever the compiler thinks: what a thread had that ended, another may get. */
    const void *volatile own = ki_thread();
    token_note note = {NULL, NULL};
    ki_os_thread thread;
    CHECK(ki_os_thread_start(&thread, note_token, &note));
    ki_os_thread_join(&thread);
    CHECK_PTR_NOT_NULL(note.first);
    CHECK(note.first == note.second);
    CHECK(note.first != own && own == ki_thread());
}
