/* The state of the live terminal, which signal handlers read. */
#ifndef KI_TERMINAL_LIVE_H
#define KI_TERMINAL_LIVE_H

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

/* Sends all bytes, unless the terminal takes nothing for long: then what it has not taken yet is thrown
 * away, and tried once more. Safe in signal handlers. */
void ki_live_send(const char *bytes, size_t size);

/* Leaves the alternate screen and ends what else was asked of the terminal. Sent twice it does no
 * harm. */
void ki_live_leave_screen(void);

/* Restores the terminal's modes. */
void ki_live_leave_modes(void);

/* Both, if the terminal is ours: exactly one caller does it, and the stage becomes `next`. Safe in
 * signal handlers, as the two above. */
void ki_live_give_back(ki_live_stage next);

void ki_signals_install(void);
void ki_signals_remove(void);

/* Starts the process that restores the terminal should this one end without doing so. False if the
 * system gives none; ki_the_live.rescue is then -1. */
bool ki_rescue_start(void);

/* What the rescue process is told, safe in signal handlers: that the terminal is about to be taken
 * over, and that it was given back. It has nothing to do if the last word was the second, or none. */
#define KI_RESCUE_TAKEN 't'
#define KI_RESCUE_GIVEN 'g'
void ki_rescue_tell(char word);

/* Lets go of it, which ends it once every child that was forked has done so as well. */
void ki_rescue_end(void);

#endif
