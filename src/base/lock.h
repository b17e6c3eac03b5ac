/* A lock, and nothing more. */
#ifndef KI_BASE_LOCK_H
#define KI_BASE_LOCK_H

#include <pthread.h>

typedef struct ki_lock {
    pthread_mutex_t mutex;
} ki_lock;

static inline void ki_lock_take(ki_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

static inline void ki_lock_give(ki_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

#endif
