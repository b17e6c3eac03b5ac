/* Signals while the terminal is ours. What the program had set itself is respected: see
 * kith_terminal_open. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE

#include "terminal/tty.h"

#if !defined(_WIN32)

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "terminal/terminal_live.h"

typedef enum signal_use {
    USE_END,   /* ends the program */
    USE_CRASH, /* the program has ended already */
    USE_STOP,
    USE_NOTE /* is noted, and does nothing more */
} signal_use;

static struct watched_signal {
    int number;
    signal_use use;
    bool installed;
    struct sigaction before;
} watched_signals[] = {
    {.number = SIGINT, .use = USE_END},    {.number = SIGTERM, .use = USE_END},
    {.number = SIGHUP, .use = USE_END},    {.number = SIGQUIT, .use = USE_END},
    {.number = SIGSEGV, .use = USE_CRASH}, {.number = SIGBUS, .use = USE_CRASH},
    {.number = SIGILL, .use = USE_CRASH},  {.number = SIGFPE, .use = USE_CRASH},
    {.number = SIGABRT, .use = USE_CRASH}, {.number = SIGTSTP, .use = USE_STOP},
    {.number = SIGCONT, .use = USE_NOTE},  {.number = SIGWINCH, .use = USE_NOTE},
};
#define WATCHED_COUNT (sizeof watched_signals / sizeof watched_signals[0])

static struct watched_signal *watched(int number)
{
    struct watched_signal *found = watched_signals;
    while (found->number != number) {
        found++;
    }
    return found;
}

static bool is_handler(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 ||
           (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

/* ---- Handlers -------------------------------------------------------------------------------- */

/* Lets the signal do what it did without us. It is blocked until the handler returns; then it
 * comes. */
static void on_end(int number)
{
    int saved = errno;
    ki_live_give_back(KI_LIVE_LOST);
    sigaction(number, &watched(number)->before, NULL);
    raise(number);
    errno = saved;
}

static void on_crash(int number, siginfo_t *info, void *context)
{
    (void)context;
    ki_live_give_back(KI_LIVE_LOST);
    sigaction(number, &watched(number)->before, NULL);
    /* What the processor raised comes again, with its address, when the instruction is tried again. */
    if (info->si_code <= 0 || number == SIGABRT) {
        raise(number);
    }
}

static void on_stop(int number)
{
    int saved = errno;
    struct sigaction ours;
    sigset_t stop;
    ki_live_give_back(KI_LIVE_GIVEN);
    sigaction(number, &watched(number)->before, &ours);
    sigemptyset(&stop);
    sigaddset(&stop, number);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &stop, NULL); /* here it stops, and here it goes on */
    pthread_sigmask(SIG_BLOCK, &stop, NULL);
    sigaction(number, &ours, NULL);
    atomic_store(&ki_the_live.resumed, 1);
    errno = saved;
}

static void on_note(int number, siginfo_t *info, void *context)
{
    const struct sigaction *before = &watched(number)->before;
    atomic_store(number == SIGCONT ? &ki_the_live.resumed : &ki_the_live.resized, 1);
    if ((before->sa_flags & SA_SIGINFO) != 0) {
        before->sa_sigaction(number, info, context);
    } else if (is_handler(before)) {
        before->sa_handler(number);
    }
}

/* ---- Installing ------------------------------------------------------------------------------ */

static bool wants_handler(const struct watched_signal *w)
{
    bool ignored = (w->before.sa_flags & SA_SIGINFO) == 0 && w->before.sa_handler == SIG_IGN;
    switch (w->use) {
    case USE_END:
    case USE_STOP: return !ignored && !is_handler(&w->before);
    case USE_CRASH: return !ignored;
    case USE_NOTE: return true;
    }
    return false;
}

void ki_signals_install(void)
{
    for (size_t i = 0; i < WATCHED_COUNT; i++) {
        struct watched_signal *w = &watched_signals[i];
        struct sigaction ours = {.sa_flags = SA_RESTART | SA_ONSTACK};
        sigemptyset(&ours.sa_mask);
        if (w->use == USE_CRASH || w->use == USE_NOTE) {
            ours.sa_flags |= SA_SIGINFO;
            ours.sa_sigaction = w->use == USE_CRASH ? on_crash : on_note;
        } else {
            ours.sa_handler = w->use == USE_END ? on_end : on_stop;
        }
        w->installed = sigaction(w->number, NULL, &w->before) == 0 && wants_handler(w) &&
                       sigaction(w->number, &ours, NULL) == 0;
    }
}

static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0
               ? action->sa_sigaction == on_crash || action->sa_sigaction == on_note
               : action->sa_handler == on_end || action->sa_handler == on_stop;
}

void ki_signals_remove(void)
{
    for (size_t i = 0; i < WATCHED_COUNT; i++) {
        struct watched_signal *w = &watched_signals[i];
        struct sigaction now;
        /* A handler that the program has set since then stays. */
        if (w->installed && sigaction(w->number, NULL, &now) == 0 && is_ours(&now)) {
            sigaction(w->number, &w->before, NULL);
        }
        w->installed = false;
    }
}

#endif
