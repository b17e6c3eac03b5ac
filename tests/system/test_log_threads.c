/* Systems log from the threads that run them. */
#include <kith/kith.h>
#include <stdatomic.h>
#include <string.h>

#include "components.h"
#include "test.h"

static void count_logged(kith_log_level level, const char *message, void *context)
{
    if (level == KITH_LOG_INFO && strncmp(message, "batch of ", 9) == 0) {
        atomic_fetch_add((atomic_uint *)context, 1);
    }
}

static void log_batches(kith_iter *it)
{
    while (kith_next(it)) {
        kith_log(it->user, KITH_LOG_INFO, "batch of %u", it->count);
    }
}

TEST(systems_log_from_any_thread)
{
    enum { BLOCKS = 40 };
    for (uint32_t workers = 0; workers <= 2; workers++) {
        atomic_uint logged = 0;
        fixture f = fixture_new_with(&(kith_world_def){
            .on_log = count_logged, .log_context = &logged, .log_level = KITH_LOG_INFO});
        register_all(f.world, KITH_TABLE);
        const kith_values values[] = {{&Position_type, NULL, false}};
        CHECK_RESULT(kith_spawn_many(f.world, BLOCKS * 1024, values, 1, NULL), KITH_OK);
        const kith_system_def def = {.name = "logs",
                                     .run = log_batches,
                                     .parallel = true,
                                     .user = f.world,
                                     .query.terms = KITH_TERMS(KITH_READ(Position))};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = workers + 1}),
                     KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(atomic_load(&logged), BLOCKS);
        fixture_free(&f);
    }
}
