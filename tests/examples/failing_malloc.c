/* Takes the place of malloc and its like in a program (LD_PRELOAD), and lets some calls fail.
 * FAILING says which: "once 7" the seventh alone, "from 7" all from the seventh on, "every 7" each
 * seventh. At the end of the program, their number is written to the file that FAILING_COUNT names. */
#define _GNU_SOURCE /* RTLD_NEXT */

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *(*real_malloc)(size_t size);
static void *(*real_calloc)(size_t count, size_t size);
static void *(*real_realloc)(void *block, size_t size);
static void *(*real_aligned_alloc)(size_t alignment, size_t size);
static int (*real_posix_memalign)(void **block, size_t alignment, size_t size);

static atomic_ulong calls;
static unsigned long failing; /* 0: none */
static enum { FAIL_ONCE, FAIL_FROM, FAIL_EVERY } mode;

static void look_up(void *function, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found); /* POSIX lets both be of one size */
}

__attribute__((constructor)) static void begin(void)
{
    if (real_malloc != NULL) {
        return;
    }
    look_up(&real_calloc, "calloc");
    look_up(&real_realloc, "realloc");
    look_up(&real_aligned_alloc, "aligned_alloc");
    look_up(&real_posix_memalign, "posix_memalign");
    look_up(&real_malloc, "malloc");
    const char *plan = getenv("FAILING");
    char word[8];
    if (plan != NULL && sscanf(plan, "%7s %lu", word, &failing) == 2) {
        mode = word[0] == 'o' ? FAIL_ONCE : word[0] == 'f' ? FAIL_FROM : FAIL_EVERY;
    }
    atomic_store(&calls, 0);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAILING_COUNT");
    unsigned long count = atomic_load(&calls);
    failing = 0;
    FILE *file = path == NULL ? NULL : fopen(path, "w");
    if (file != NULL) {
        fprintf(file, "%lu\n", count);
        fclose(file);
    }
}

static bool fails(void)
{
    begin();
    unsigned long n = atomic_fetch_add(&calls, 1) + 1;
    bool now = failing != 0 && (mode == FAIL_ONCE   ? n == failing
                                : mode == FAIL_FROM ? n >= failing
                                                    : n % failing == 0);
    errno = now ? ENOMEM : errno;
    return now;
}

void *malloc(size_t size)
{
    return fails() ? NULL : real_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : real_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails() ? NULL : real_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : real_aligned_alloc(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    return fails() ? ENOMEM : real_posix_memalign(block, alignment, size);
}
