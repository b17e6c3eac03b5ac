/* Commands for entities in no order, neither of their slots nor of their rows: an entity that is named
 * twice is found, wherever its slot is among the others. */
#include <kith/kith.h>

#include "components.h"
#include "test.h"

enum { MOST = 700, NAMED = 5 };

static void queue_number(kith_commands *commands, kith_entity e, float number)
{
    CHECK_RESULT(KITH_SET(commands, e, Extra, {number, 0, 0}), KITH_OK);
}

/* Of `span` + 1 entities, five are named: the last one first. With `twice` below five, one of them is
 * named once more. */
static void check_span(kith_layout layout, uint32_t span, uint32_t twice)
{
    static kith_entity e[MOST];
    fixture f = fixture_with_all(layout);
    for (uint32_t i = 0; i <= span; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
    }
    const uint32_t named[NAMED] = {span, 0, span - 1, span / 2, 1};
    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (uint32_t i = 0; i < NAMED; i++) {
        queue_number(commands, e[named[i]], (float)i);
    }
    if (twice < NAMED) {
        queue_number(commands, e[named[twice]], 100);
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_WORLD(f.world);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Extra));
    CHECK_UINT(kith_query_count(query), NAMED);
    for (uint32_t i = 0; i < NAMED; i++) {
        CHECK_FLOAT(KITH_GET(f.world, e[named[i]], Extra)->a, i == twice ? 100 : i);
    }
    CHECK_UINT(kith_entity_count(f.world), span + 1);
    fixture_free(&f);
}

/* The slots span one less than a multiple of 64, just that, and one more. */
TEST_EACH_LAYOUT(entities_in_any_order_over_any_span_of_slots, layout)
{
    for (uint32_t words = 1; words <= 10; words++) {
        for (uint32_t span = words * 64 - 2; span <= words * 64 + 2; span++) {
            for (uint32_t twice = 0; twice <= NAMED; twice++) {
                check_span(layout, span, twice);
            }
        }
    }
}
