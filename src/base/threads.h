/* Threads, locks and conditions: the only place that asks which operating system this is for. */
#ifndef KI_BASE_THREADS_H
#define KI_BASE_THREADS_H

#include <stdbool.h>

#if !defined(_WIN32)
#include <pthread.h>
#endif

/* One thread at a time. Static ones start as KI_LOCK_INIT; nothing has to be ended then. */
typedef struct ki_lock {
#if defined(_WIN32)
    void *slim; /* an SRWLOCK */
#else
    pthread_mutex_t mutex;
#endif
} ki_lock;

#if defined(_WIN32)
#define KI_LOCK_INIT {NULL}
#else
#define KI_LOCK_INIT {PTHREAD_MUTEX_INITIALIZER}
#endif

void ki_lock_init(ki_lock *lock);
void ki_lock_end(ki_lock *lock);
void ki_lock_take(ki_lock *lock);
void ki_lock_give(ki_lock *lock);

/* What threads sleep on until another one wakes them. They may also wake up without that. */
typedef struct ki_condition {
#if defined(_WIN32)
    void *variable; /* a CONDITION_VARIABLE */
#else
    pthread_cond_t variable;
#endif
} ki_condition;

void ki_condition_init(ki_condition *condition);
void ki_condition_end(ki_condition *condition);

/* Gives the lock back, sleeps, and takes it again. */
void ki_condition_wait(ki_condition *condition, ki_lock *lock);
void ki_condition_wake_one(ki_condition *condition);
void ki_condition_wake_all(ki_condition *condition);

/* A thread, in memory that stays until it was joined. */
typedef struct ki_os_thread {
    void (*run)(void *context);
    void *context;
#if defined(_WIN32)
    void *handle;
#else
    pthread_t handle;
#endif
} ki_os_thread;

/* Starts a thread that calls `run`. False: the system gave none. */
bool ki_os_thread_start(ki_os_thread *thread, void (*run)(void *context), void *context);

/* Waits until `run` has returned. */
void ki_os_thread_join(ki_os_thread *thread);

#endif
