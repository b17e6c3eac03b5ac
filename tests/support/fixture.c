#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

/* What the misuse handler writes to. Apart from the fixture, so that a fixture may be returned and
 * copied. */
typedef struct fixture_record {
    uint32_t misuse_count;
    char misuse[512];
} fixture_record;

static void record_misuse(const char *message, void *context)
{
    fixture_record *record = context;
    record->misuse_count++;
    snprintf(record->misuse, sizeof(record->misuse), "%s", message);
}

fixture fixture_new(void)
{
    return fixture_new_with(NULL);
}

fixture fixture_new_with(const kith_world_def *def)
{
    fixture f = {.memory = test_memory_new(), .record = calloc(1, sizeof(*f.record))};
    CHECK_PTR_NOT_NULL(f.record);
    f.misuse = f.record->misuse;
    kith_world_def own = def != NULL ? *def : (kith_world_def){0};
    own.allocator = test_memory_allocator(f.memory);
    own.on_misuse = record_misuse;
    own.misuse_context = f.record;
    f.world = kith_world_new(&own);
    CHECK_PTR_NOT_NULL(f.world);
    return f;
}

void fixture_free(fixture *f)
{
    if (f->record->misuse_count != 0) {
        test_fail(__FILE__, __LINE__, "%u times misuse that nobody expected, the last: %s",
                  f->record->misuse_count, f->record->misuse);
    }
    CHECK_WORLD(f->world);
    kith_world_free(f->world);
    if (f->record->misuse_count != 0) {
        test_fail(__FILE__, __LINE__, "misuse at the end: %s", f->record->misuse);
    }
    test_memory_free(f->memory);
    free(f->record);
    *f = (fixture){0};
}

uint32_t misuse_count(const fixture *f)
{
    return f->record->misuse_count;
}

void test_expect_misuse(const char *file, int line, fixture *f, const char *part)
{
    if (f->record->misuse_count != 1) {
        test_fail(file, line, "%u times misuse, not once; the last: %s", f->record->misuse_count,
                  f->record->misuse);
    }
    test_check_contains(file, line, "the message", f->record->misuse, part);
    f->record->misuse_count = 0;
    f->record->misuse[0] = '\0';
}

void fail_allocation(fixture *f, size_t nth)
{
    test_memory_fail(f->memory, nth, false);
}

void fail_from(fixture *f, size_t nth)
{
    test_memory_fail(f->memory, nth, true);
}

bool fail_nothing(fixture *f)
{
    return test_memory_fail_nothing(f->memory);
}
