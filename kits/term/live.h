/* The state of the live terminal, which signal handlers read. */
#ifndef KI_TERM_LIVE_H
#define KI_TERM_LIVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

typedef enum ki_live_stage {
    KI_LIVE_NONE,
    KI_LIVE_OURS,  /* raw, alternate screen */
    KI_LIVE_GIVEN, /* given back while the program is stopped */
    KI_LIVE_LOST   /* given back by a handler: the program is about to end */
} ki_live_stage;

typedef struct ki_live {
    atomic_int stage;
    atomic_int resized;
    atomic_int resumed;
    int fd;
    pid_t owner; /* a child that was forked later must leave the terminal alone */
    struct termios saved;
    struct termios raw;
    char enter[512];
    size_t enter_size;
    char leave[256];
    size_t leave_size;
    int rescue; /* the socket to the rescue process; -1: none */
} ki_live;

extern ki_live ki_the_live;

/* Restores the terminal's modes. Safe in signal handlers. */
void ki_live_leave(void);

/* The same, if the terminal is ours: exactly one caller does it, and the stage becomes `next`. */
void ki_live_give_back(ki_live_stage next);

void ki_signals_install(void);
void ki_signals_remove(void);

/* Starts the process that restores the terminal should this one end without doing so. False if the
 * system gives none; ki_the_live.rescue is then -1. */
bool ki_rescue_start(void);

/* Tells it that it is not needed any more; a child that was forked later just lets go of it. */
void ki_rescue_end(bool is_owner);

#endif
