/* Kith: versions, results, memory, misuse. Everything else includes this. */
#ifndef KITH_BASE_H
#define KITH_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KITH_VERSION_MAJOR 0
#define KITH_VERSION_MINOR 1
#define KITH_VERSION_PATCH 0

/* Public symbols. The library hides all others. */
#if defined(_WIN32) && defined(KITH_BUILD)
#define KITH_API __declspec(dllexport)
#elif defined(_WIN32) && !defined(KITH_STATIC)
#define KITH_API __declspec(dllimport)
#elif defined(__GNUC__)
#define KITH_API __attribute__((visibility("default")))
#else
#define KITH_API
#endif

#if defined(__GNUC__)
#define KITH_UNUSED_ __attribute__((unused))
#else
#define KITH_UNUSED_
#endif

/* Private, like all that ends in `_`: what headers and kits ask of a compiler beyond C17 and C++17.
 *
 * KITH_LIKELY_       what is usual, so that this is what is laid out in one line
 * KITH_FORMAT_       arguments number `text` and `first` are printf's; `first` 0: a va_list
 * KITH_CTZ64_        how many bits of a word are 0 below the lowest that is 1; the word is not 0
 * KITH_POPCOUNT64_   how many bits of a word are 1
 * KITH_LOAD_         a uint32_t that another thread may be writing
 * KITH_PREFETCH_     memory that is wanted soon; to be written, if a 1 follows
 * KITH_THREAD_VARIABLE_  a variable of each thread, one load away: what defines it is there when the
 *                    program starts */
#if defined(__GNUC__)
#define KITH_LIKELY_(condition) __builtin_expect(!!(condition), 1)
#define KITH_CTZ64_(word) ((uint32_t)__builtin_ctzll(word))
#define KITH_POPCOUNT64_(word) ((uint32_t)__builtin_popcountll(word))
#define KITH_LOAD_(number) __atomic_load_n((number), __ATOMIC_RELAXED)
#define KITH_PREFETCH_(...) __builtin_prefetch(__VA_ARGS__)
#define KITH_THREAD_VARIABLE_ __attribute__((tls_model("initial-exec"))) __thread
#else
#define KITH_LIKELY_(condition) (condition)
#define KITH_CTZ64_(word) kith_ctz64_(word)
#define KITH_POPCOUNT64_(word) kith_popcount64_(word)
#define KITH_LOAD_(number) (*(volatile const uint32_t *)(number))
#define KITH_PREFETCH_(...) ((void)0)
static inline uint32_t kith_ctz64_(uint64_t word)
{
    uint32_t number = 0;
    for (; (word & 1) == 0; word >>= 1) {
        number++;
    }
    return number;
}
static inline uint32_t kith_popcount64_(uint64_t word)
{
    uint32_t count = 0;
    for (; word != 0; word &= word - 1) {
        count++;
    }
    return count;
}
#endif
#if defined(__MINGW32__) && !defined(__clang__) /* which means the C library of Windows otherwise */
#define KITH_FORMAT_(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define KITH_FORMAT_(text, first) __attribute__((format(printf, text, first)))
#else
#define KITH_FORMAT_(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a call that can fail returns. A call that fails leaves the world as it was, unless its
 * comment says otherwise. */
typedef enum kith_result {
    KITH_OK = 0,
    KITH_ERR_MEMORY,    /* the allocator gave nothing, or the world's memory limit is reached */
    KITH_ERR_LIMIT,     /* a limit that the documentation names, such as 2^32 - 2 entities */
    KITH_ERR_DEAD,      /* the entity is not alive, or never was */
    KITH_ERR_ABSENT,    /* the entity or the world has no such value */
    KITH_ERR_AMBIGUOUS, /* more than one, where one was asked for */
    KITH_ERR_CONFLICT,  /* the name is taken by something else */
    KITH_ERR_UNKNOWN,   /* no such name */
    KITH_ERR_TYPE,      /* a value of another type or size than was registered */
    KITH_ERR_INPUT,     /* a descriptor or a text that makes no sense; kith_error tells where */
    KITH_ERR_SYSTEM,    /* for a system to return when it fails in a way of its own */
    KITH_ERR_CORRUPT,   /* kith_world_check: a broken invariant, by a bug or a wild pointer */
    KITH_ERR_IO,        /* the operating system refused: a file, a terminal */
    KITH_ERR_CYCLE,     /* a relation would lead back to where it began */
    KITH_ERR_MISUSE     /* the misuse handler was called, and returned */
} kith_result;

/* "KITH_ERR_DEAD" for KITH_ERR_DEAD; "unknown result" for a number that is none. A static string. */
KITH_API const char *kith_result_name(kith_result result);

/* The version of the library that is linked, "0.1.0": compare with KITH_VERSION_MAJOR and so on,
 * which are those of the headers. A static string. */
KITH_API const char *kith_version(void);

/* Where a world gets its memory. `context` is handed to both functions.
 *
 * allocate   returns `size` bytes (never 0) aligned to `align` (a power of two, up to 4,096), or
 *            NULL if there are none. What is in them does not matter.
 * release    takes back what `allocate` gave, with the same size and alignment. Never NULL.
 *
 * A world calls its allocator from its owner thread, and from its workers while they run systems,
 * but never from two threads at a time; command buffers that other threads fill call it from those. */
typedef struct kith_allocator {
    void *(*allocate)(void *context, size_t size, size_t align);
    void (*release)(void *context, void *memory, size_t size, size_t align);
    void *context;
} kith_allocator;

/* How urgent a message of a world's log is, from the most urgent on. */
typedef enum kith_log_level {
    KITH_LOG_DEFAULT = 0, /* for kith_world_def: KITH_LOG_WARNING */
    KITH_LOG_ERROR,       /* a mistake of the program: misuse */
    KITH_LOG_WARNING,     /* what works, but is probably not meant: systems without an order */
    KITH_LOG_INFO,        /* what happens seldom, and helps to understand a player's report */
    KITH_LOG_DEBUG        /* details: a schedule that was built */
} kith_log_level;

/* Gets what a world logs: messages of Kith, of kits, and of the program (kith_log). `message` is one
 * line without its end, and lives until the function returns.
 *
 * It is called at once by the thread that logs: the owner of the world, a worker that runs a system,
 * or any other thread that misuses the world or calls kith_log, maybe several at a time. It must not
 * call into the world. */
typedef void (*kith_log_fn)(kith_log_level level, const char *message, void *context);

/* Called when a program breaks a rule of the API that no correct program breaks: a change of
 * structure in an open query, a column of the wrong type, a second thread. `message` names the call
 * and the remedy, and lives until the handler returns.
 *
 * Without a handler, the message is logged (to stderr, unless the world has an `on_log`), and the
 * program aborts. If a handler of yours returns, the call that was misused changes nothing and
 * returns KITH_ERR_MISUSE, NULL, false or 0. The handler must not call into the world. If there are
 * both, `on_log` is called first. With NULL in place of the object that a call is about (a world, a
 * query, a command buffer) there is no world whose handler could be called: the message goes to stderr,
 * and the program aborts. */
typedef void (*kith_misuse_fn)(const char *message, void *context);

#ifdef __cplusplus
}
#endif
#endif
