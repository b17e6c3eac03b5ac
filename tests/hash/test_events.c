/* Events and the hash of a world: those that are in the queue count, and no others. */
#include "hashes.h"

#include <kith/kith.h>

enum { TICKS = 12 };

/* Sends so many events, of which the first says `value`. */
static void send(kith_world *world, uint32_t count, uint8_t value)
{
    for (uint32_t i = 0; i < count; i++) {
        ok(KITH_SEND(world, Byte, { i == 0 ? value : 0 }));
    }
}

static bool same_events(const kith_world *a, const kith_world *b)
{
    bool same = kith_event_count(a, &Byte_type) == kith_event_count(b, &Byte_type);
    for (uint32_t i = 0; same && i < kith_event_count(a, &Byte_type); i++) {
        same = KITH_EVENT(a, i, Byte)->value == KITH_EVENT(b, i, Byte)->value;
    }
    return same;
}

/* Two worlds in which one event says something else. As soon as that is dropped they are equal, wherever
 * its bytes may still lie. */
TEST(events_that_were_dropped_do_not_count)
{
    static const uint32_t counts[][4] = { { 1, 1, 1, 1 }, { 1, 3, 3, 3 }, { 1, 0, 5, 0 },
                                          { 2, 9, 1, 9 }, { 5, 1, 0, 0 } };
    for (uint32_t keep = 0; keep < 4; keep++) {
        for (size_t k = 0; test_row(k, ROWS_OF(counts)); k++) {
            for (uint32_t odd = 0; odd < 4; odd++) {
                fixture a = fixture_new();
                fixture b = fixture_new();
                uint32_t differed = 0;
                const kith_event_def def = { .keep = keep };
                ok(kith_event_register(a.world, &Byte_type, &def));
                ok(kith_event_register(b.world, &Byte_type, &def));
                for (uint32_t tick = 0; tick < TICKS; tick++) {
                    send(a.world, counts[k][tick % 4], 1);
                    send(b.world, counts[k][tick % 4], tick == odd ? 2 : 1);
                    bool same = same_events(a.world, b.world);
                    differed += !same;
                    CHECK_INT(kith_world_hash(a.world) == kith_world_hash(b.world), same);
                    ok(kith_run(a.world, 1));
                    ok(kith_run(b.world, 1));
                    same = same_events(a.world, b.world);
                    CHECK_INT(kith_world_hash(a.world) == kith_world_hash(b.world), same);
                    CHECK_WORLD(b.world);
                }
                CHECK(differed == 0 ? counts[k][odd] == 0 : differed <= keep + 2);
                CHECK(same_events(a.world, b.world));
                fixture_free(&b);
                fixture_free(&a);
            }
        }
    }
}
