/* The live terminal: one in a process, so that signal handlers find it. Where there is no POSIX,
 * there is none. */
#ifndef KI_TERMINAL_TTY_H
#define KI_TERMINAL_TTY_H

#include <kith/terminal.h>

/* Whether standard input and output are a terminal, and one that has a screen. */
bool ki_tty_is_there(void);

/* Takes the terminal over.
 * KITH_ERR_ABSENT, KITH_ERR_CONFLICT, KITH_ERR_IO: everything is as it was */
kith_result ki_tty_open(const kith_terminal_def *def);

/* Gives it back. */
void ki_tty_close(void);

/* In cells, up to 2,000 by 500; 80 by 24 if it does not know. */
void ki_tty_size(int *width, int *height);

/* Neither waits. How many bytes; 0: none now; -1: the terminal is gone. */
int ki_tty_read(void *bytes, int size);
int ki_tty_write(const char *bytes, size_t size);

/* Whether the size may have changed, or the program was stopped and goes on, since the last call.
 * After the latter the terminal is taken over again. */
bool ki_tty_was_resized(void);
bool ki_tty_was_resumed(void);

/* Whether a handler of ours has given the terminal back for good. */
bool ki_tty_is_lost(void);

/* Sends this process the signal of Ctrl and a key. False: there is none. */
bool ki_tty_signal_key(uint32_t key);

#endif
