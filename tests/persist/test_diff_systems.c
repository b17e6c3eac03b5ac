/* Systems in the difference of two snapshots as bytes: they go on where those of the other world are. */
#include <kith/kith.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "follower.h"
#include "wrong_bytes.h"

static kith_result beat(kith_world *world, kith_iter *it)
{
    (void)it;
    void *value;
    CHECK_RESULT(kith_resource_get_mut(world, &Health_type, &value), KITH_OK);
    Health *health = value;
    health->current += (int)(it->dt * 64);
    health->max++;
    return KITH_OK;
}

static void add_beat(kith_world *world, const char *name, float interval, uint32_t every_ticks)
{
    const kith_system_def def = {
        .name = name, .update = beat, .interval = interval, .every_ticks = every_ticks};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
}

static void add_beats(kith_world *world)
{
    add_beat(world, "half", 0.5f, 0);
    add_beat(world, "quarter", 0.25f, 0);
    add_beat(world, "third", 0, 3);
    add_beat(world, "each", 0, 0);
}

static void run(kith_world *world, uint32_t ticks)
{
    for (uint32_t i = 0; i < ticks; i++) {
        CHECK_RESULT(kith_run(world, 0.1875f), KITH_OK);
    }
}

static pair pair_with_beats(void)
{
    pair p = pair_new(KITH_TABLE);
    KITH_RESOURCE_SET(p.f.world, Health, {0, 0});
    follow_difference(&p);
    add_beats(p.f.world);
    add_beats(p.g.world);
    return p;
}

/* After any number of ticks; the first difference begins where there were no systems. */
TEST(systems_go_on_where_they_were)
{
    pair p = pair_with_beats();
    for (uint32_t ticks = 0; ticks < 9; ticks++) {
        run(p.f.world, ticks);
        if (ticks == 4 || ticks == 6) {
            CHECK_RESULT(kith_system_enable(p.f.world, "quarter", ticks == 6), KITH_OK);
        }
        follow(&p);
        for (uint32_t i = 0; i < 8; i++) {
            run(p.f.world, 1);
            run(p.g.world, 1);
            CHECK_UINT(kith_world_hash(p.g.world), kith_world_hash(p.f.world));
        }
        write_difference(&p); /* both are there already */
    }
    pair_free(&p);
}

/* Found by their names, wherever they are among others. */
TEST(systems_are_found_among_others)
{
    pair p = pair_with_beats();
    for (uint32_t i = 0; i < 40; i++) {
        char name[16];
        snprintf(name, sizeof name, "more %u", i);
        kith_system_def def = {.name = name, .update = beat, .interval = 0.5f};
        def.priority = (int32_t)(i % 7);
        CHECK_RESULT(kith_system_add(p.f.world, &def), KITH_OK);
        run(p.f.world, i % 3);
        def.priority = (int32_t)(i % 5) - 2; /* they come in another order */
        CHECK_RESULT(kith_system_add(p.g.world, &def), KITH_OK);
        write_difference(&p);
        CHECK_RESULT(apply(&p), KITH_OK);
    }
    for (uint32_t i = 0; i < 8; i++) {
        run(p.f.world, 1);
        run(p.g.world, 1);
        CHECK_UINT(kith_content_hash(p.g.world), kith_content_hash(p.f.world));
    }
    pair_free(&p);
}

/* What has no such systems, or other ones, follows all the same. */
TEST(systems_that_are_not_there_are_left_out)
{
    pair p = pair_with_beats();
    CHECK_RESULT(kith_system_remove(p.g.world, "half"), KITH_OK);
    add_beat(p.g.world, "halfway", 0.5f, 0);
    add_beat(p.f.world, "hal", 0.5f, 0);
    run(p.f.world, 4);
    write_difference(&p);
    CHECK_RESULT(apply(&p), KITH_OK);
    CHECK_UINT(kith_content_hash(p.g.world), kith_content_hash(p.f.world));
    pair_free(&p);
    pair q = pair_with_beats();
    CHECK_RESULT(kith_system_remove(q.g.world, "half"), KITH_OK);
    CHECK_RESULT(kith_system_remove(q.g.world, "quarter"), KITH_OK);
    CHECK_RESULT(kith_system_remove(q.g.world, "third"), KITH_OK);
    CHECK_RESULT(kith_system_remove(q.g.world, "each"), KITH_OK);
    run(q.f.world, 4);
    write_difference(&q);
    CHECK_RESULT(apply(&q), KITH_OK);
    CHECK_UINT(kith_content_hash(q.g.world), kith_content_hash(q.f.world));
    pair_free(&q);
}

/* Systems whose times are the same take no bytes. */
TEST(only_systems_that_differ_travel)
{
    pair p = pair_with_beats();
    follow(&p);
    run(p.f.world, 1);
    follow(&p);
    const uint32_t with_all = p.bytes.size;
    KITH_RESOURCE_SET(p.f.world, Health, {1, 2});
    write_difference(&p);
    const uint32_t with_none = p.bytes.size;
    CHECK_RESULT(apply(&p), KITH_OK);
    CHECK_RESULT(kith_system_enable(p.f.world, "each", false), KITH_OK);
    KITH_RESOURCE_SET(p.f.world, Health, {2, 3});
    follow(&p);
    CHECK_UINT(p.bytes.size, with_none + 1 + 4 + 8 + 8 + 1 + 1);
    CHECK(with_all > with_none + 50);
    pair_free(&p);
}

/* Where the bytes of a system begin that is named in a difference. */
static uint32_t bytes_after(const pair *p, const char *name)
{
    const uint32_t length = (uint32_t)strlen(name);
    for (uint32_t at = 0; at + length <= p->bytes.size; at++) {
        if (memcmp(p->bytes.data + at, name, length) == 0) {
            return at + length;
        }
    }
    test_fail(__FILE__, __LINE__, "the difference does not name '%s'", name);
    return 0;
}

TEST(times_that_no_system_has_are_refused)
{
    static const double wrong[] = {-1, -0.0, -1e300, INFINITY, -INFINITY, NAN};
    pair p = pair_with_beats();
    run(p.f.world, 1);
    write_difference(&p);
    const uint32_t at = bytes_after(&p, "half");
    for (uint32_t second = 0; second < 2; second++) {
        for (uint32_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            unsigned char kept[8];
            uint64_t bits;
            unsigned char *here = p.bytes.data + at + 8 * second;
            memcpy(kept, here, 8);
            memcpy(&bits, &wrong[i], 8);
            for (int byte = 0; byte < 8; byte++) {
                here[byte] = (unsigned char)(bits >> 8 * byte);
            }
            check_refused(&p, KITH_ERR_INPUT, "expected a number of seconds, 0 or more");
            memcpy(here, kept, 8);
        }
    }
    p.bytes.data[at + 17] = 2;
    check_refused(&p, KITH_ERR_INPUT, "expected 0 or 1");
    p.bytes.data[at + 17] = 1;
    CHECK_RESULT(apply(&p), KITH_OK);
    pair_free(&p);
}

TEST_WITHIN(60, wrong_bytes_of_systems_change_nothing)
{
    pair p = pair_with_beats();
    run(p.f.world, 2);
    write_difference(&p);
    apply_all_wrong(&p);
    pair_free(&p);
}
