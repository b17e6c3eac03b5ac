/* The counter. Not instrumented itself; what the library calls of the C library comes by here, for the
 * linker wraps it. */
#include "work.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "test.h"

#define WORK_CHUNK 64 /* bytes that count as one block */

static uint64_t blocks;

uint64_t work_done(void)
{
    return blocks;
}

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    blocks++;
}

void *__real_memcpy(void *to, const void *from, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size);
void *__wrap_memcpy(void *to, const void *from, size_t size)
{
    blocks += size / WORK_CHUNK;
    return __real_memcpy(to, from, size);
}

void *__real_memmove(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size);
void *__wrap_memmove(void *to, const void *from, size_t size)
{
    blocks += size / WORK_CHUNK;
    return __real_memmove(to, from, size);
}

void *__real_memset(void *to, int byte, size_t size);
void *__wrap_memset(void *to, int byte, size_t size);
void *__wrap_memset(void *to, int byte, size_t size)
{
    blocks += size / WORK_CHUNK;
    return __real_memset(to, byte, size);
}

int __real_memcmp(const void *a, const void *b, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size);
int __wrap_memcmp(const void *a, const void *b, size_t size)
{
    blocks += size / WORK_CHUNK;
    return __real_memcmp(a, b, size);
}

/* ---- Types ----------------------------------------------------------------------------------- */

static kith_type *make_types(const char *prefix, uint32_t count, uint32_t size)
{
    static const kith_field field = {"value", 0, sizeof(float), KITH_F32};
    kith_type *types = calloc(count, sizeof *types);
    uint32_t *numbers = calloc(count, sizeof *numbers);
    char(*names)[24] = calloc(count, sizeof *names);
    CHECK(types != NULL && numbers != NULL && names != NULL);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "%.12s%u", prefix, i);
        types[i] = (kith_type){.name = names[i],
                               .size = size,
                               .align = size == 0 ? 1 : (uint32_t) _Alignof(float),
                               .fields = size == 0 ? NULL : &field,
                               .field_count = size == 0 ? 0 : 1,
                               .number = &numbers[i]};
    }
    return types;
}

kith_type *work_types(const char *prefix, uint32_t count)
{
    return make_types(prefix, count, sizeof(float));
}

kith_type *work_tags(const char *prefix, uint32_t count)
{
    return make_types(prefix, count, 0);
}

/* ---- Orders ---------------------------------------------------------------------------------- */

const char *const work_order_names[WORK_ORDERS] = {"in order", "reversed", "mixed"};

uint32_t work_nth(work_order order, uint32_t i, uint32_t n)
{
    return order == WORK_IN_ORDER ? i : order == WORK_REVERSED ? n - 1 - i : (i * 37 + 5) % n;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

void work_check_items(const char *what, uint64_t (*work)(uint32_t n, const void *context),
                      const void *context, uint32_t few, uint32_t limit)
{
    uint32_t many = few * 8;
    double one_of_few = (double)work(few, context) / few;
    double one_of_many = (double)work(many, context) / many;
    double percent = 100 * one_of_many / one_of_few;
    if (getenv("KITH_TEST_WORK") != NULL) {
        fprintf(stderr, "%-44s %6u: %10.1f  %6u: %10.1f  %5.0f%% of %u%%\n", what, few, one_of_few,
                many, one_of_many, percent, limit);
    }
    if (!(percent <= limit)) {
        test_fail(__FILE__, __LINE__,
                  "%s: one of %u takes %.0f blocks, one of %u takes %.0f: %.0f%%, not %u%%", what,
                  few, one_of_few, many, one_of_many, percent, limit);
    }
}
