/* Threads, locks and conditions, with the same calls on every operating system. */
#ifndef KI_BASE_THREADS_H
#define KI_BASE_THREADS_H

#include <stdbool.h>

#if !defined(_WIN32)
#include <pthread.h>
#endif

/* A mutex. A static one starts as KI_LOCK_INIT, and need not be freed. */
typedef struct ki_lock {
#if defined(_WIN32)
    void *slim; /* an SRWLOCK */
#else
    pthread_mutex_t mutex;
#endif
} ki_lock;

#if defined(_WIN32)
#define KI_LOCK_INIT                                                                               \
    {                                                                                              \
        NULL                                                                                       \
    }
#else
#define KI_LOCK_INIT                                                                               \
    {                                                                                              \
        PTHREAD_MUTEX_INITIALIZER                                                                  \
    }
#endif

void ki_lock_init(ki_lock *lock);
void ki_lock_end(ki_lock *lock);
void ki_lock_acquire(ki_lock *lock);
void ki_lock_release(ki_lock *lock);

/* Threads wait here until another thread wakes them. They may also wake without that. */
typedef struct ki_condition {
#if defined(_WIN32)
    void *variable; /* a CONDITION_VARIABLE */
#else
    pthread_cond_t variable;
#endif
} ki_condition;

void ki_condition_init(ki_condition *condition);
void ki_condition_end(ki_condition *condition);

/* Unlocks, sleeps, and locks again. */
void ki_condition_wait(ki_condition *condition, ki_lock *lock);
void ki_condition_wake_one(ki_condition *condition);
void ki_condition_wake_all(ki_condition *condition);

/* A thread. The struct has to stay in place until the thread is joined. */
typedef struct ki_os_thread {
    void (*run)(void *context);
    void *context;
#if defined(_WIN32)
    void *handle;
#else
    pthread_t handle;
#endif
} ki_os_thread;

/* Starts a thread that calls `run`. False: the system could not start one. */
bool ki_os_thread_start(ki_os_thread *thread, void (*run)(void *context), void *context);

/* Waits until `run` has returned. */
void ki_os_thread_join(ki_os_thread *thread);

#endif
