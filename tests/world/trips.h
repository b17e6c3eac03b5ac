/* Trips over the rules of the API: how one is made, run and looked at. */
#ifndef TRIPS_H
#define TRIPS_H

#include <kith/kith.h>
#include <kith/system.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "components.h"
#include "test.h"

/* What a trip may use: a world with an entity of Position, Byte and Frozen, and a query over it. */
typedef struct stage {
    fixture f;
    kith_world *world;
    kith_entity e;
    kith_query *query;
    kith_iter it; /* one that a trip leaves open */
    kith_result (*within)(struct stage *s);
} stage;

/* The message as the source has it, and how to get it. Where no world is known, there is no handler
 * to ask: the program ends. */
typedef struct trip {
    const char *message;
    void (*run)(stage *s);
    bool ends;
} trip;

/* Whether a message is what its template makes: %s stands for anything, %u and %d for digits. */
static inline bool message_fits(const char *message, const char *pattern)
{
    for (; *pattern != '\0'; message++, pattern++) {
        if (pattern[0] == '%' && pattern[1] == 's') {
            for (const char *rest = message + strlen(message); rest >= message; rest--) {
                if (message_fits(rest, pattern + 2)) {
                    return true;
                }
            }
            return false;
        }
        if (pattern[0] == '%') {
            size_t digits = strspn(message, "0123456789");
            return digits > 0 && message_fits(message + digits, pattern + 2);
        }
        if (*message != *pattern) {
            return false;
        }
    }
    return *message == '\0';
}

/* Runs in a process of its own: writes the message that the handler got, checks that nothing changed,
 * and goes on with the world. */
static void child_trips(const trip *t, int out)
{
    stage s = {.f = fixture_new()};
    s.world = s.f.world;
    register_all(s.world, KITH_TABLE);
    s.e = KITH_SPAWN(s.world, KITH_VALUE(Position, {1, 2}), KITH_ZERO(Byte), KITH_ZERO(Frozen));
    s.query = KITH_QUERY(s.world, KITH_READ(Position), KITH_WITH(Byte), KITH_WITH(Frozen));
    const uint64_t before = kith_content_hash(s.world);
    t->run(&s);
    if (write(out, s.f.misuse, strlen(s.f.misuse)) < 0) {
        _exit(3);
    }
    if (misuse_count(&s.f) != 0) {
        expect_misuse(&s.f, "kith_");
    }
    CHECK_UINT(kith_content_hash(s.world), before);
    CHECK_WORLD(s.world);
    CHECK(kith_alive(s.world, KITH_SPAWN(s.world, KITH_ZERO(Velocity))));
    CHECK_RESULT(kith_run(s.world, 1), KITH_OK);
    fixture_free(&s.f);
}

static void fail_child(const char *file, int line, const char *message)
{
    fprintf(stdout, "%s:%d: %s\n", file, line, message);
    fflush(stdout);
    _exit(4);
}

/* Runs `body` in a child; returns its wait status, and what it wrote to stderr. */
static int run_child(void (*body)(const trip *t, int out), const trip *t, char *text, size_t size)
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
        body(t, ends[1]);
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

/* Takes each trip in a process of its own, and compares the message. */
static inline void take_trips(const trip *trips, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char text[2048];
        test_note(trips[i].message);
        int status = run_child(child_trips, &trips[i], text, sizeof(text));
        if (trips[i].ends) {
            CHECK(WIFSIGNALED(status));
            CHECK_INT(WTERMSIG(status), SIGABRT);
            CHECK(strncmp(text, "kith: ", 6) == 0);
            char *newline = strchr(text, '\n');
            CHECK_PTR_NOT_NULL(newline);
            *newline = '\0';
            memmove(text, text + 6, strlen(text + 6) + 1);
        } else {
            CHECK(WIFEXITED(status));
            CHECK_INT(WEXITSTATUS(status), 0);
        }
        if (!message_fits(text, trips[i].message)) {
            CHECK_STR(text, trips[i].message);
        }
    }
    test_note(NULL);
}

/* Runs a call in another thread, with this thread's stage. */
static inline void in_another_thread(void *(*call)(void *), stage *s)
{
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, call, s), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
}

/* Runs a call from within kith_run; returns what that does. */
static kith_result call_within(kith_world *world, float dt, void *user)
{
    (void)world;
    (void)dt;
    stage *s = user;
    return s->within(s);
}

static inline kith_result in_a_run(kith_result (*call)(stage *s), stage *s)
{
    s->within = call;
    const kith_system_def def = {.name = "tripping", .update = call_within, .user = s};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_OK);
    kith_result result = kith_run(s->world, 1);
    CHECK_RESULT(kith_system_enable(s->world, "tripping", false), KITH_OK);
    return result;
}

#endif
