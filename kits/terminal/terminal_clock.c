#define _POSIX_C_SOURCE 200809L /* clock_gettime, clock_nanosleep */

#include "terminal/terminal_clock.h"

#define SECOND UINT64_C(1000000000)

#if !defined(_WIN32)

#include <errno.h>
#include <time.h>

static uint64_t system_now(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* Until a time, not for one: what passes between looking at the clock and falling asleep is not
 * added. A signal wakes up early; then it goes on sleeping. */
static void system_sleep(uint64_t until)
{
#if defined(__APPLE__) || defined(__EMSCRIPTEN__) /* clock_nanosleep takes no end there */
    for (uint64_t now = system_now(); now < until; now = system_now()) {
        struct timespec left = {(time_t)((until - now) / SECOND), (long)((until - now) % SECOND)};
        nanosleep(&left, NULL);
    }
#else
    struct timespec end = {(time_t)(until / SECOND), (long)(until % SECOND)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) {
    }
#endif
}

#else

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#if !defined(CREATE_WAITABLE_TIMER_HIGH_RESOLUTION)
#define CREATE_WAITABLE_TIMER_HIGH_RESOLUTION 2
#endif

static uint64_t system_now(void)
{
    LARGE_INTEGER ticks;
    LARGE_INTEGER per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&per_second);
    uint64_t count = (uint64_t)ticks.QuadPart;
    uint64_t rate = (uint64_t)per_second.QuadPart;
    return count / rate * SECOND + count % rate * SECOND / rate;
}

/* Sleep is as coarse as the system's tick. The timer that is not came with Windows 10. */
static void system_sleep(uint64_t until)
{
    HANDLE timer = CreateWaitableTimerExW(NULL, NULL, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION,
                                          TIMER_MODIFY_STATE | SYNCHRONIZE);
    for (uint64_t now = system_now(); now < until; now = system_now()) {
        LARGE_INTEGER left = {.QuadPart = -(LONGLONG)((until - now) / 100)}; /* from now on */
        if (timer != NULL && left.QuadPart != 0 &&
            SetWaitableTimer(timer, &left, 0, NULL, NULL, FALSE)) {
            WaitForSingleObject(timer, INFINITE);
        } else {
            Sleep((DWORD)((until - now) / 1000000));
        }
    }
    if (timer != NULL) {
        CloseHandle(timer);
    }
}

#endif

bool ki_clock_is_whole(const kith_loop_clock *clock)
{
    return (clock->now == NULL) == (clock->wait == NULL);
}

uint64_t ki_clock_now(const kith_loop_clock *clock)
{
    return clock->now != NULL ? clock->now(clock->context) : system_now();
}

void ki_clock_wait(const kith_loop_clock *clock, uint64_t until, uint64_t spin)
{
    if (clock->wait != NULL) {
        clock->wait(clock->context, until);
        return;
    }
    if (until > spin && system_now() < until - spin) {
        system_sleep(until - spin);
    }
    while (spin > 0 && system_now() < until) {
    }
}

static uint64_t virtual_now(void *context)
{
    return *(const uint64_t *)context;
}

static void virtual_wait(void *context, uint64_t until)
{
    uint64_t *time = context;
    *time = until > *time ? until : *time;
}

kith_loop_clock kith_loop_clock_virtual(uint64_t *time)
{
    return time == NULL ? (kith_loop_clock){0} : (kith_loop_clock){virtual_now, virtual_wait, time};
}
