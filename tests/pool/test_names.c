/* A program may call its own things what it likes: the macros' names hide none of them. The compiler's
 * warnings are errors here. */
#include <kith/pool.h>

#include "test.h"

static int pool = 1, id = 2, value = 3, cursor = 4, count = 5, raw = 6, own = 7, def = 8, a = 9,
           b = 10, wrong = 11, result = 12, plain = 13, T = 14, P = 15;

typedef struct Thing {
    int pool, id, value;
} Thing;
KITH_POOL(things, Thing);
KITH_POOL(others, Thing, plain);

TEST(names_of_ones_own)
{
    things *full = things_new(NULL);
    others *slots = others_new(NULL);
    things_id one = things_create(full, &(Thing){pool, id, value});
    others_id other = others_create(slots, &(Thing){cursor, count, raw});
    CHECK_INT(things_get(full, one)->value, 3);
    CHECK_INT(others_get(slots, other)->id, 5);
    CHECK_INT(own + def + a + b + wrong + result + plain + T + P, 99);
    things_free(full);
    others_free(slots);
}
