#include "name_calls.h"

#include <kith/kith.h>
#include <string.h>

void name_call_prepare(stage *s)
{
    CHECK_RESULT(kith_set_parent(s->world, s->plain, s->full), KITH_OK);
    CHECK_RESULT(kith_set_name(s->world, s->full, "full"), KITH_OK);
    CHECK_RESULT(kith_set_name(s->world, s->plain, "plain"), KITH_OK);
}

/* The first name of the world. */
kith_result name_call_first(stage *s)
{
    kith_result result = kith_set_name(s->world, s->plain, "the first name");
    CHECK_SAME(kith_find(s->world, "the first name"), result == KITH_OK ? s->plain : KITH_NONE);
    return result;
}

/* One that is too long to go beside other texts. */
kith_result name_call_next(stage *s)
{
    static char name[1001];
    memset(name, 'n', sizeof name - 1);
    kith_result result = kith_set_name(s->world, s->empty, name);
    CHECK_SAME(kith_find(s->world, name), result == KITH_OK ? s->empty : KITH_NONE);
    CHECK_SAME(kith_find(s->world, "full/plain"), s->plain);
    return result;
}

uint64_t name_call_ask(stage *s)
{
    char path[32];
    return (kith_name_of(s->world, s->full) != NULL) + kith_find(s->world, "full").index1 +
           kith_find_from(s->world, s->full, "plain").index1 +
           kith_find_child(s->world, s->full, "plain").index1 +
           kith_path(s->world, s->plain, path, sizeof path);
}
