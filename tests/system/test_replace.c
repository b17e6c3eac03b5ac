/* A system that replaces another one goes on where the old one was. */
#include <kith/kith.h>

#include "components.h"
#include "test.h"

enum { TICKS = 12, MOST = TICKS };

/* The calls of a system: in which tick, and for how long. */
typedef struct steps {
    uint32_t count;
    uint64_t ticks[MOST];
    float dts[MOST];
} steps;

static kith_result note_step(kith_world *world, kith_iter *it)
{
    steps *s = it->user;
    CHECK(s->count < MOST);
    s->ticks[s->count] = kith_tick_count(world);
    s->dts[s->count++] = it->dt;
    return KITH_OK;
}

static void note_query_step(kith_iter *it)
{
    steps *s = it->user;
    CHECK(s->count < MOST);
    s->ticks[s->count] = 0;
    s->dts[s->count++] = it->dt;
}

static void check_replace(kith_world *world, const kith_system_def *def)
{
    CHECK_RESULT(kith_system_replace(world, def), KITH_OK);
    CHECK_WORLD(world);
}

/* Two worlds have the same system. In one of them it is replaced by itself before tick `run_if`. */
static void check_goes_on(kith_system_def def, uint64_t when)
{
    steps kept = {0};
    steps replaced = {0};
    fixture a = fixture_new();
    fixture b = fixture_new();
    def.user = &kept;
    CHECK_RESULT(kith_system_add(a.world, &def), KITH_OK);
    def.user = &replaced;
    CHECK_RESULT(kith_system_add(b.world, &def), KITH_OK);
    for (uint64_t tick = 1; tick <= TICKS; tick++) {
        if (tick == when) {
            check_replace(b.world, &def);
        }
        CHECK(kith_world_hash(a.world) == kith_world_hash(b.world));
        float dt = 0.0625f * (float)(1 + tick % 3);
        CHECK_RESULT(kith_run(a.world, dt), KITH_OK);
        CHECK_RESULT(kith_run(b.world, dt), KITH_OK);
    }
    CHECK(kept.count > 0);
    CHECK_UINT(replaced.count, kept.count);
    for (uint32_t i = 0; i < kept.count; i++) {
        CHECK_UINT(replaced.ticks[i], kept.ticks[i]);
        CHECK_FLOAT(replaced.dts[i], kept.dts[i]);
    }
    CHECK(kith_world_hash(a.world) == kith_world_hash(b.world));
    fixture_free(&b);
    fixture_free(&a);
}

TEST(a_replaced_system_keeps_its_clocks)
{
    const kith_system_def defs[] = {
        {.name = "each tick", .update = note_step},
        {.name = "third", .update = note_step, .every_ticks = 3},
        {.name = "interval", .update = note_step, .interval = 0.3f},
        {.name = "query", .run = note_query_step, .every_ticks = 4},
        {.name = "query interval", .run = note_query_step, .interval = 0.4f},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(defs)); i++) {
        for (uint64_t when = 1; when <= TICKS; when++) {
            check_goes_on(defs[i], when);
        }
    }
}

/* It keeps its place among systems of equal priority. */
TEST(a_replaced_system_keeps_its_place_and_its_switch)
{
    static const char *const names[] = {"first", "second", "third"};
    for (int which = 0; which < 3; which++) {
        for (int enabled = 0; enabled < 2; enabled++) {
            fixture f = fixture_new();
            steps s = {0};
            kith_system_def def = {.update = note_step, .user = &s};
            for (int i = 0; i < 3; i++) {
                def.name = names[i];
                CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
            }
            CHECK_RESULT(kith_system_enable(f.world, names[which], enabled), KITH_OK);
            def.name = names[which];
            def.disabled = enabled; /* counts only when the system is added */
            check_replace(f.world, &def);
            for (uint32_t i = 0; i < 3; i++) {
                bool is_enabled = !enabled;
                CHECK_STR(kith_system_at(f.world, i, NULL, &is_enabled), names[i]);
                CHECK_INT(is_enabled, (int)i != which || enabled);
            }
            fixture_free(&f);
        }
    }
}
