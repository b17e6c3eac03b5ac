#include "index_calls.h"

#include <kith/kith.h>

kith_result index_call_new(stage *s)
{
    kith_index *index = NULL;
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Target, entity)};
    kith_result result = kith_index_new(s->world, &def, &index);
    CHECK_INT(index != NULL, result == KITH_OK);
    return result;
}

kith_result index_call_find(stage *s)
{
    kith_index *index = NULL;
    kith_index_found found = {0};
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Position, x)};
    kith_result result = kith_index_new(s->world, &def, &index);
    if (result == KITH_OK) {
        result = kith_index_find(index, kith_get(s->world, s->full, &Position_type), &found);
        CHECK_INT(found.count != 0, result == KITH_OK);
    }
    kith_index_free(index);
    return result;
}

/* An index that finds by order, asked the first time. */
kith_result index_call_range(stage *s)
{
    kith_index *index = NULL;
    kith_index_found found = {0};
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Position, x)};
    kith_result result = kith_index_new(s->world, &def, &index);
    if (result == KITH_OK) {
        result = kith_index_range(index, &(kith_range){.limit = 1}, &found);
        CHECK_INT(found.count != 0, result == KITH_OK);
    }
    kith_index_free(index);
    return result;
}

kith_result index_call_prefix(stage *s)
{
    kith_index *index = NULL;
    kith_index_found found = {.count = 77};
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Name, text)};
    kith_result result = kith_index_new(s->world, &def, &index);
    if (result == KITH_OK) {
        result = kith_index_prefix(index, "", &found);
        CHECK_INT(found.count != 77, result == KITH_OK);
    }
    kith_index_free(index);
    return result;
}
