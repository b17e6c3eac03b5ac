/* Processes of their own for what ends the program. */
#ifndef CHILDREN_H
#define CHILDREN_H

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static void fail_child(const char *file, int line, const char *message)
{
    fprintf(stdout, "%s:%d: %s\n", file, line, message);
    fflush(stdout);
    _exit(4);
}

/* Runs `body` in a child; returns its wait status, and what it wrote to stderr. */
static int run_child(void (*body)(const void *context), const void *context, char *text,
                     size_t size)
{
    int ends[2];
    CHECK_INT(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        test_on_failure = fail_child;
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        body(context);
        _exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    ssize_t got;
    while (length + 1 < size && (got = read(ends[0], text + length, size - 1 - length)) > 0) {
        length += (size_t)got;
    }
    text[length] = '\0';
    char *emulator = strstr(text, "qemu: "); /* which tells of the signal on the same stderr */
    if (emulator != NULL) {
        *emulator = '\0';
    }
    close(ends[0]);
    int status = 0;
    CHECK_INT(waitpid(child, &status, 0), child);
    return status;
}

#endif
