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

kith_result index_call_new_or_null(stage *s)
{
    kith_index *index = KITH_INDEX(s->world, KITH_INDEX_ORDERED, Extra, a, b);
    return index == NULL ? KITH_ERR_MEMORY : KITH_OK;
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

static bool index_call_key(const void *value, void *key, void *user)
{
    (void)user;
    ((Target *)key)->entity.index1 = (uint32_t)((const Position *)value)->x + 1;
    return true;
}

/* Only queries use it. */
kith_result index_call_new_filter(stage *s)
{
    kith_index *index = NULL;
    const kith_index_def def = {.kind = KITH_INDEX_FILTER, KITH_FIELDS(Position, x, y)};
    kith_result result = kith_index_new(s->world, &def, &index);
    CHECK_INT(index != NULL, result == KITH_OK);
    return result;
}

/* By a function, with a type of keys that is used first. */
static const kith_index_def by_function = {.kind = KITH_INDEX_HASH,
                                           KITH_FIELDS(Target, entity),
                                           .of = &Position_type,
                                           .key = index_call_key};

kith_result index_call_new_by_function(stage *s)
{
    kith_index *index = NULL;
    kith_result result = kith_index_new(s->world, &by_function, &index);
    CHECK_INT(index != NULL, result == KITH_OK);
    return result;
}

kith_result index_call_find_by_function(stage *s)
{
    kith_index *index = NULL;
    kith_index_found found = {0};
    kith_result result = kith_index_new(s->world, &by_function, &index);
    if (result == KITH_OK) {
        Target key = {0};
        index_call_key(kith_get(s->world, s->full, &Position_type), &key, NULL);
        result = kith_index_find(index, &key, &found);
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

kith_result index_call_nearest(stage *s)
{
    kith_index *index = NULL;
    kith_index_found found = {0};
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Position, x)};
    kith_result result = kith_index_new(s->world, &def, &index);
    if (result == KITH_OK) {
        result = kith_index_nearest(index, &(Position){0}, 2, &found);
        CHECK_INT(found.count != 0, result == KITH_OK);
    }
    kith_index_free(index);
    return result;
}

/* Where there is a snapshot it is refused, once the type is registered. */
kith_result unique_call_new(stage *s)
{
    kith_result result = KITH_UNIQUE(s->world, Target, entity);
    return s->snapshot != NULL && result == KITH_ERR_CONFLICT ? KITH_OK : result;
}

/* A live query of what `full` has; NULL where memory ran out. */
static kith_result live_call_make(stage *s, kith_live **live)
{
    const kith_term terms[] = {KITH_READ(Position), KITH_WITH(Frozen), {0}};
    kith_query *query = NULL;
    kith_result result = kith_query_new(s->world, &(kith_query_def){.terms = terms}, &query);
    if (result == KITH_OK) {
        result = kith_live_new(s->world, query, live);
    }
    if (result != KITH_OK) {
        kith_query_free(query);
    }
    return result;
}

kith_result live_call_new(stage *s)
{
    kith_live *live = NULL;
    kith_result result = live_call_make(s, &live);
    CHECK_INT(live != NULL, result == KITH_OK);
    return result;
}

kith_result live_call_next(stage *s)
{
    kith_live *live = NULL;
    kith_live_changes changes = {.entered_count = 77};
    kith_result result = live_call_make(s, &live);
    if (result == KITH_OK) {
        result = kith_live_next(live, &changes);
        CHECK_INT(changes.entered_count != 77, result == KITH_OK);
        CHECK_INT(kith_live_has(live, s->full), result == KITH_OK);
    }
    kith_live_free(live);
    return result;
}

/* Asked until it answers, then once more. */
kith_result live_call_again(stage *s)
{
    kith_live *live = NULL;
    kith_live_changes changes = {.changed_count = 77};
    kith_result result = live_call_make(s, &live);
    if (result == KITH_OK) {
        result = kith_live_next(live, &changes);
    }
    if (result == KITH_OK) {
        result = kith_live_next(live, &changes);
        CHECK_INT(changes.changed_count == 0, result == KITH_OK);
    }
    kith_live_free(live);
    return result;
}
