/* What finding and setting one of many keys takes does not depend on what the program's numbers look
 * like: ids often differ in their highest bits alone, or in some in the middle. */
#include <kith/unique.h>
#include <stdio.h>

#include "test.h"
#include "work.h"

enum { FEW = 256, BITS = 11, LIMIT = 160 }; /* eight times as many have 11 bits */

typedef struct Ticket {
    uint64_t number;
} Ticket;
KITH_TYPE(Ticket, KITH_FIELD(Ticket, number));

/* Numbers that differ in some bits from `shift` on; and in both halves, if there is `also`. */
typedef struct numbers {
    uint32_t shift;
    bool also;
} numbers;

static Ticket ticket_of(const numbers *like, uint64_t i)
{
    return (Ticket){i << like->shift | (like->also ? i : 0)};
}

static uint64_t work_unique(uint32_t n, const void *context)
{
    kith_world *world = kith_world_new(NULL);
    CHECK_RESULT(KITH_UNIQUE(world, Ticket, number), KITH_OK);
    const uint64_t before = work_done();
    for (uint32_t i = 0; i < n; i++) {
        const Ticket ticket = ticket_of(context, i);
        CHECK(!kith_is_none(KITH_SPAWN(world, KITH_VALUE(Ticket, ticket))));
        CHECK(!kith_is_none(kith_unique_find(world, &Ticket_type, &ticket)));
    }
    const uint64_t work = work_done() - before;
    kith_world_free(world);
    return work;
}

static uint64_t work_hash(uint32_t n, const void *context)
{
    kith_world *world = kith_world_new(NULL);
    kith_index *index;
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Ticket, number)};
    CHECK_RESULT(kith_index_new(world, &def, &index), KITH_OK);
    const uint64_t before = work_done();
    for (uint32_t i = 0; i < n; i++) {
        const Ticket ticket = ticket_of(context, i);
        CHECK(!kith_is_none(KITH_SPAWN(world, KITH_VALUE(Ticket, ticket))));
    }
    for (uint32_t i = 0; i < n; i++) {
        const Ticket ticket = ticket_of(context, i);
        kith_index_found found;
        CHECK_RESULT(kith_index_find(index, &ticket, &found), KITH_OK);
        CHECK_UINT(found.count, 1);
    }
    const uint64_t work = work_done() - before;
    kith_world_free(world);
    return work;
}

static void check_keys(const numbers *like)
{
    char what[80];
    const char *also = like->also ? ", and from bit 0" : "";
    snprintf(what, sizeof what, "a unique key that differs from bit %u on%s", like->shift, also);
    work_check_items(what, work_unique, like, FEW, LIMIT);
    snprintf(what, sizeof what, "a hash of what differs from bit %u on%s", like->shift, also);
    work_check_items(what, work_hash, like, FEW, LIMIT);
}

TEST_WITHIN(20, a_key_among_many_with_other_bits)
{
    for (uint32_t shift = 0; shift + BITS <= 64; shift += 4) {
        check_keys(&(numbers){shift, false});
        if (shift >= BITS) {
            check_keys(&(numbers){shift, true});
        }
    }
}
