/* Trips over the rules of the API: how one is made, run and looked at. What ends the program
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

/* Trips: copies the message that the handler got, checks that nothing changed, and goes on with
 * the world. */
static inline void take_trip(const trip *t, char *text, size_t size)
{
    stage s = {.f = fixture_new()};
    s.world = s.f.world;
    register_all(s.world, KITH_TABLE);
    s.e = KITH_SPAWN(s.world, KITH_VALUE(Position, {1, 2}), KITH_ZERO(Byte), KITH_ZERO(Frozen));
    s.query = KITH_QUERY(s.world, KITH_READ(Position), KITH_WITH(Byte), KITH_WITH(Frozen));
    const uint64_t before = kith_content_hash(s.world);
    t->run(&s);
    snprintf(text, size, "%s", s.f.misuse);
    if (misuse_count(&s.f) != 0) {
        expect_misuse(&s.f, "kith_");
    }
    CHECK_UINT(kith_content_hash(s.world), before);
    CHECK_WORLD(s.world);
    CHECK(kith_alive(s.world, KITH_SPAWN(s.world, KITH_ZERO(Velocity))));
    CHECK_RESULT(kith_run(s.world, 1), KITH_OK);
    fixture_free(&s.f);
}

#if HAS_CHILDREN

static void child_trips(const void *t)
{
    char text[2048];
    take_trip(t, text, sizeof(text));
}

/* Takes a trip that ends the program, and copies what it printed. */
static inline void take_last_trip(const trip *t, char *text, size_t size)
{
    char printed[2048];
    int status = run_child(child_trips, t, printed, sizeof(printed));
    CHECK(WIFSIGNALED(status));
    CHECK_INT(WTERMSIG(status), SIGABRT);
    CHECK(strncmp(printed, "kith: ", 6) == 0);
    char *newline = strchr(printed, '\n');
    CHECK_PTR_NOT_NULL(newline);
    *newline = '\0';
    snprintf(text, size, "%s", printed + 6);
}

#else

/* Leaves it out. */
static inline void take_last_trip(const trip *t, char *text, size_t size)
{
    snprintf(text, size, "%s", t->message);
}

#endif

/* Takes each trip, and compares the message. */
static inline void take_trips(const trip *trips, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        char text[2048];
        test_note(trips[i].message);
        if (trips[i].ends) {
            take_last_trip(&trips[i], text, sizeof(text));
        } else {
            take_trip(&trips[i], text, sizeof(text));
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
