#include "base/threads.h"

#include "base/compiler.h"
#include "base/windows.h"

#if defined(_WIN32)

#include <process.h>

_Static_assert(sizeof(SRWLOCK) == sizeof(ki_lock), "a ki_lock is an SRWLOCK");
_Static_assert(sizeof(CONDITION_VARIABLE) == sizeof(ki_condition), "and so are conditions");

static SRWLOCK *slim_lock(ki_lock *lock)
{
    return (SRWLOCK *)(void *)lock;
}

static CONDITION_VARIABLE *condition_variable(ki_condition *condition)
{
    return (CONDITION_VARIABLE *)(void *)condition;
}

void ki_lock_init(ki_lock *lock)
{
    InitializeSRWLock(slim_lock(lock));
}

void ki_lock_end(ki_lock *lock)
{
    (void)lock;
}

void ki_lock_acquire(ki_lock *lock)
{
    AcquireSRWLockExclusive(slim_lock(lock));
}

void ki_lock_release(ki_lock *lock)
{
    ReleaseSRWLockExclusive(slim_lock(lock));
}

void ki_condition_init(ki_condition *condition)
{
    InitializeConditionVariable(condition_variable(condition));
}

void ki_condition_end(ki_condition *condition)
{
    (void)condition;
}

void ki_condition_wait(ki_condition *condition, ki_lock *lock)
{
    SleepConditionVariableSRW(condition_variable(condition), slim_lock(lock), INFINITE, 0);
}

void ki_condition_wake_one(ki_condition *condition)
{
    WakeConditionVariable(condition_variable(condition));
}

void ki_condition_wake_all(ki_condition *condition)
{
    WakeAllConditionVariable(condition_variable(condition));
}

static unsigned __stdcall thread_main(void *user)
{
    const ki_os_thread *thread = user;
    thread->run(thread->context);
    return 0;
}

bool ki_os_thread_start(ki_os_thread *thread, void (*run)(void *context), void *context)
{
    *thread = (ki_os_thread){.run = run, .context = context};
    thread->handle = (void *)_beginthreadex(NULL, 0, thread_main, thread, 0, NULL);
    return thread->handle != NULL;
}

void ki_os_thread_join(ki_os_thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
}

#else

void ki_lock_init(ki_lock *lock)
{
    pthread_mutex_init(&lock->mutex, NULL);
}

void ki_lock_end(ki_lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}

void ki_lock_acquire(ki_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

void ki_lock_release(ki_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}

void ki_condition_init(ki_condition *condition)
{
    pthread_cond_init(&condition->variable, NULL);
}

void ki_condition_end(ki_condition *condition)
{
    pthread_cond_destroy(&condition->variable);
}

void ki_condition_wait(ki_condition *condition, ki_lock *lock)
{
    pthread_cond_wait(&condition->variable, &lock->mutex);
}

void ki_condition_wake_one(ki_condition *condition)
{
    pthread_cond_signal(&condition->variable);
}

void ki_condition_wake_all(ki_condition *condition)
{
    pthread_cond_broadcast(&condition->variable);
}

static void *thread_main(void *user)
{
    const ki_os_thread *thread = user;
    thread->run(thread->context);
    return NULL;
}

bool ki_os_thread_start(ki_os_thread *thread, void (*run)(void *context), void *context)
{
    thread->run = run;
    thread->context = context;
    return pthread_create(&thread->handle, NULL, thread_main, thread) == 0;
}

void ki_os_thread_join(ki_os_thread *thread)
{
    pthread_join(thread->handle, NULL);
}

#endif
