/* Trips over the rules of the API: a call that breaks one, and what is told then. What ends the program
 * runs in a child, and only where there are children. */
#ifndef TRIPS_H
#define TRIPS_H

#include <kith/kith.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "test.h"

#if defined(_WIN32) || defined(__EMSCRIPTEN__)
#define HAS_CHILDREN 0
#else
#define HAS_CHILDREN 1
#include "children.h"
#endif

/* What a trip may use: a world with an entity of Position, Byte and Frozen, and a query over it. */
typedef struct stage {
    fixture f;
    kith_world *world;
    kith_entity e;
    kith_query *query;
    uint64_t content; /* the hash of the world's content */
    kith_iter it;     /* one that a trip leaves open */
    kith_result (*within)(struct stage *s);
} stage;

static inline stage stage_open(void)
{
    stage s = {.f = fixture_with_all(KITH_TABLE)};
    s.world = s.f.world;
    s.e = KITH_SPAWN(s.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte), KITH_VALUE(Frozen));
    s.query = KITH_QUERY(s.world, KITH_READ(Position), KITH_WITH(Byte), KITH_WITH(Frozen));
    s.content = kith_content_hash(s.world);
    return s;
}

/* Goes on with the world, and frees it. */
static inline void stage_close(stage *s)
{
    CHECK(kith_alive(s->world, KITH_SPAWN(s->world, KITH_VALUE(Velocity))));
    CHECK_RESULT(kith_run(s->world, 1), KITH_OK);
    fixture_free(&s->f);
}

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

/* Fails if a message is another one than the template makes. */
static inline void check_fits(const char *file, int line, const char *message, const char *pattern)
{
    if (!message_fits(message, pattern)) {
        test_check_str(file, line, "the message", "the rule's", message, pattern);
    }
}

/* The handler got this message, once, and nothing has changed. */
static inline void check_told(const char *file, int line, stage *s, const char *pattern)
{
    check_fits(file, line, s->f.misuse, pattern);
    test_expect_misuse(file, line, &s->f, "kith_");
    test_check_uint(file, line, "the content", "what it was", kith_content_hash(s->world),
                    s->content);
    test_check_world(file, line, s->world);
}

/* A call breaks a rule: what it returns is as `holds` says, and it is told with this message, as the
 * source has it. */
#define CHECK_TOLD(s, holds, message) (CHECK(holds), check_told(__FILE__, __LINE__, (s), (message)))

/* Where no world is known, there is no handler to ask: a call that breaks a rule ends the program with
 * this message. */
#if HAS_CHILDREN

#define CHECK_ENDS(call, message)                                                                  \
    do {                                                                                           \
        child c_;                                                                                  \
        if (child_start(&c_)) {                                                                    \
            (void)(call);                                                                          \
            _exit(0);                                                                              \
        }                                                                                          \
        check_ended(__FILE__, __LINE__, &c_, (message));                                           \
    } while (0)

static inline void check_ended(const char *file, int line, const child *c, const char *pattern)
{
    char text[2048];
    int status = child_end(c, text, sizeof(text));
    char *newline = strchr(text, '\n');
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT || strncmp(text, "kith: ", 6) != 0 ||
        newline == NULL || newline[1] != '\0') {
        test_fail(file, line, "no misuse has ended the program; it printed: %s", text);
    }
    *newline = '\0';
    check_fits(file, line, text + 6, pattern);
}

#else

#define CHECK_ENDS(call, message)                                                                  \
    do {                                                                                           \
        if (false) {                                                                               \
            (void)(call);                                                                          \
        }                                                                                          \
    } while (0)

#endif

/* A rule that takes more than one call to break: the message as the source has it, and how to get
 * it. */
typedef struct trip {
    const char *message;
    void (*run)(stage *s);
} trip;

/* Takes each trip, in a world of its own. */
static inline void take_trips(const trip *trips, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        stage s = stage_open();
        test_note(trips[i].message);
        trips[i].run(&s);
        check_told(__FILE__, __LINE__, &s, trips[i].message);
        stage_close(&s);
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
static kith_result call_within(kith_world *world, kith_iter *it)
{
    (void)world;
    stage *s = it->user;
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
