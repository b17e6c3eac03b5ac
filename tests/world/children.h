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

/* A process of its own, which writes to stderr what the test reads. */
typedef struct child {
    pid_t pid;
    int reads;
} child;

/* Returns twice: true in the child, false in the test. */
static inline bool child_start(child *c)
{
    int ends[2];
    CHECK_INT(pipe(ends), 0);
    fflush(NULL);
    c->pid = fork();
    c->reads = ends[0];
    CHECK(c->pid >= 0);
    if (c->pid == 0) {
        test_on_failure = fail_child;
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        return true;
    }
    close(ends[1]);
    return false;
}

/* Waits for the end of the child; returns its wait status, and what it wrote to stderr. */
static inline int child_end(const child *c, char *text, size_t size)
{
    size_t length = 0;
    ssize_t got;
    while (length + 1 < size && (got = read(c->reads, text + length, size - 1 - length)) > 0) {
        length += (size_t)got;
    }
    text[length] = '\0';
    char *emulator = strstr(text, "qemu: "); /* which tells of the signal on the same stderr */
    if (emulator != NULL) {
        *emulator = '\0';
    }
    close(c->reads);
    int status = 0;
    CHECK_INT(waitpid(c->pid, &status, 0), c->pid);
    return status;
}

#endif
