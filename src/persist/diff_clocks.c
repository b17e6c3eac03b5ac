/* Writes and reads what differs of clocks: those of systems, which decide when they run next. */
#include <kith/floats.h>

#include <string.h>

#include "persist/diff_edit.h"
#include "persist/diff_write.h"

/* The clocks that a snapshot has; false: none. NULL: a snapshot of nothing. */
static bool clocks_of(const kith_snapshot *snapshot, const ki_state_calls **calls, void **state)
{
    if (snapshot == NULL) {
        return false;
    }
    *calls = ki_snapshot_calls(snapshot->world, KI_SNAPSHOT_OWN + KI_PART_SYSTEMS);
    *state = snapshot->states[KI_SNAPSHOT_OWN + KI_PART_SYSTEMS];
    return *calls != NULL && *state != NULL;
}

/* ---- Writing ------------------------------------------------------------------------------------- */

static bool clocks_are_same(const ki_state_clock *a, const ki_state_clock *b)
{
    return a->since == b->since && a->due == b->due && a->ticks == b->ticks &&
           a->enabled == b->enabled;
}

static void clock_write(ki_pack *to, const ki_state_clock *clock)
{
    uint64_t bits;
    ki_pack_number(to, (uint64_t)clock->length + 1);
    ki_pack_bytes(to, clock->name, clock->length);
    memcpy(&bits, &clock->since, sizeof bits);
    ki_pack_fixed(to, bits, 8);
    memcpy(&bits, &clock->due, sizeof bits);
    ki_pack_fixed(to, bits, 8);
    ki_pack_number(to, clock->ticks);
    ki_pack_number(to, clock->enabled);
}

static bool clock_is(const ki_state_calls *calls, const void *state, uint32_t number,
                     const ki_state_clock *named, ki_state_clock *clock)
{
    return calls->clock(state, number, clock) && clock->length == named->length &&
           memcmp(clock->name, named->name, named->length) == 0;
}

/* The clock of that name: most often number `*next`, since both snapshots have them in one order. */
static bool clock_find(const ki_state_calls *calls, const void *state, uint32_t *next,
                       const ki_state_clock *named, ki_state_clock *found)
{
    if (!clock_is(calls, state, *next, named, found)) {
        uint32_t number = 0;
        while (!clock_is(calls, state, number, named, found)) {
            if (!calls->clock(state, number++, found)) {
                return false;
            }
        }
        *next = number;
    }
    (*next)++;
    return true;
}

void ki_diff_write_clocks(ki_diff_writer *to)
{
    const ki_state_calls *calls;
    void *before = NULL;
    void *after;
    const bool had = clocks_of(to->diff->before, &calls, &before);
    const bool has = clocks_of(to->diff->after, &calls, &after);
    ki_state_clock was;
    ki_state_clock is;
    uint32_t next = 0;
    for (uint32_t i = 0; has && calls->clock(after, i, &is); i++) {
        if (!had || !clock_find(calls, before, &next, &is, &was) || !clocks_are_same(&was, &is)) {
            clock_write(&to->body, &is);
        }
    }
    ki_pack_number(&to->body, 0);
}

/* ---- Reading ------------------------------------------------------------------------------------- */

static double clock_read_seconds(ki_unpack *from)
{
    const uint32_t at = from->at;
    const uint64_t bits = ki_unpack_fixed(from, 8);
    double seconds;
    memcpy(&seconds, &bits, sizeof seconds);
    if (bits > 0x7fefffffffffffffu) { /* -0 and less, infinite, or none */
        ki_unpack_wrong(from, at, "a number of seconds, 0 or more");
    }
    return seconds;
}

kith_result ki_diff_edit_clocks(ki_diff_edit *edit)
{
    ki_unpack *from = &edit->from;
    const ki_state_calls *calls;
    void *state;
    const bool has = clocks_of(edit->taken, &calls, &state);
    uint64_t length1;
    while ((length1 = ki_unpack_number(from, (uint64_t)ki_unpack_rest(from) + 1,
                                       "the length of a name")) != 0) {
        ki_state_clock clock = {.length = (uint32_t)(length1 - 1)};
        clock.name = (const char *)ki_unpack_bytes(from, clock.length);
        clock.since = clock_read_seconds(from);
        clock.due = clock_read_seconds(from);
        clock.ticks = (uint32_t)ki_unpack_number(from, UINT32_MAX, "a number of ticks");
        clock.enabled = ki_unpack_number(from, 1, "0 or 1") != 0;
        KI_TRY(ki_diff_edit_status(edit));
        if (has) {
            calls->set_clock(state, &clock);
        }
    }
    return ki_diff_edit_status(edit);
}
