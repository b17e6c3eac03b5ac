/* Queries that are made, and walked in all ways; and trackers. */
#include "query_calls.h"

kith_result query_call_new(stage *s)
{
    static const kith_term terms[] = {
        KITH_READ(Position),     KITH_WRITE(Velocity),   KITH_WITHOUT(Frozen),
        KITH_OPTIONAL(Extra),    KITH_ANY_OF(Health, 0), KITH_ANY_OF(Byte, 0),
        KITH_ANY_OF(Burning, 1), KITH_ANY_OF(Name, 1),   {0}};
    const kith_query_def def = {.terms = terms, .name = "a name"};
    kith_query *query = NULL;
    kith_result result = kith_query_new(s->world, &def, &query);
    CHECK_INT(query != NULL, result == KITH_OK);
    return result;
}

static bool query_key(const void *value, void *key, void *user)
{
    (void)value, (void)user;
    memcpy(((Name *)key)->text, "key", 4);
    return true;
}

kith_result query_call_new_conditions(stage *s)
{
    const kith_term *terms = KITH_TERMS(
        KITH_READ(Position), KITH_IF(Health, current, <, KITH_ITS(Health, max)),
        KITH_IF_ANY(KITH_IF(Name, text, ==, "a name"), KITH_IF_PREFIX(Name, text, "a"),
                    KITH_IF(Name, text, ==, kith_bound("name")), KITH_WITH(Frozen),
                    KITH_IF_IN(Byte, value, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, kith_bound("byte"))),
        KITH_IF_WITHIN(Position, 1, kith_bound("y"), 3), KITH_IF(Padded, large, >, 3),
        KITH_IF(Target, entity, !=, KITH_NONE),
        KITH_IF(kith_child_of, target, ==, KITH_NONE),
        KITH_IF(Extra, a, >, KITH_ITS(Velocity, dx)), KITH_IF(Extra, b, >, KITH_ITS(Velocity, dy)),
        KITH_IF(Position, x, >=, KITH_ITS(Position, y)),
        KITH_IF_KEY(Health, query_key, NULL,
                    KITH_IF_ANY(KITH_IF(Name, text, ==, "a"), KITH_IF_PREFIX(Name, text, "k"))));
    const kith_query_def def = {.terms = terms, .name = "with conditions"};
    kith_query *query = NULL;
    kith_result result = kith_query_new(s->world, &def, &query);
    CHECK_INT(query != NULL, result == KITH_OK);
    return result;
}

/* The query is made by the call that is tried; but a failure leaves what was bound before. */
kith_result query_call_bind(stage *s)
{
    kith_query *query = KITH_QUERY(s->world, KITH_IF(Name, text, ==, kith_bound("name")));
    if (query == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = kith_query_bind(query, "name", "");
    if (result == KITH_OK) {
        uint32_t count = kith_query_count(query);
        result = kith_query_bind(query, "name", "another name");
        CHECK_UINT(kith_query_count(query), result == KITH_OK ? 0 : count);
    }
    return result;
}

kith_result query_call_new_or_null(stage *s)
{
    kith_query *query = KITH_QUERY(s->world, KITH_READ(Position), KITH_WITHOUT(Health));
    return query == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

/* Opens the query for writing, and writes to all that it hands out. Only if that goes well to the end is
 * the world changed; else what was written is put back. */
static kith_result write_through(stage *s, kith_iter it, bool (*next)(kith_iter *it))
{
    static Position *written[2000];
    uint32_t count = 0;
    while (next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK(count < 2000);
            written[count] = KITH_AT_MUT(&it, i, Position);
            written[count++]->y += 1000;
            Health *health = KITH_AT_MUT(&it, i, Health);
            CHECK_INT(health != NULL, KITH_HAS(s->world, kith_entities(&it)[i], Health));
        }
    }
    while (it.result != KITH_OK && count > 0) {
        written[--count]->y -= 1000;
    }
    return it.result;
}

kith_result query_call_iterate(stage *s)
{
    return write_through(s, kith_query_iter(s->query), kith_next);
}

kith_result query_call_iterate_rows(stage *s)
{
    return write_through(s, kith_query_iter(s->query), kith_next_rows);
}

/* The query is made by the call that is tried. */
kith_result query_call_iterate_by_depth(stage *s)
{
    const kith_query_def def = {.terms =
                                    KITH_TERMS(KITH_WRITE(Position), KITH_OPTIONAL_MUT(Health)),
                                .order = KITH_PARENTS_FIRST};
    kith_query *query = NULL;
    kith_result result = kith_query_new(s->world, &def, &query);
    CHECK_INT(query != NULL, result == KITH_OK);
    return result == KITH_OK ? write_through(s, kith_query_iter(query), kith_next_rows) : result;
}

kith_result query_call_iterate_one(stage *s)
{
    return write_through(s, kith_query_iter_one(s->query, s->full), kith_next);
}

/* So many new tables that a query finds them all again. */
void query_call_make_tables(stage *s)
{
    static const kith_type *const types[] = {&Velocity_type, &Health_type, &Extra_type,  &Name_type,
                                             &Byte_type,     &Frozen_type, &Burning_type};
    for (uint32_t set = 0; set < 128; set++) {
        kith_value values[8] = {{&Position_type, NULL}};
        uint32_t count = 1;
        for (uint32_t i = 0; i < 7; i++) {
            if ((set >> i & 1) != 0) {
                values[count++] = (kith_value){types[i], NULL};
            }
        }
        CHECK(!kith_is_none(kith_spawn_or_none(s->world, values, count)));
    }
}

kith_result query_call_iterate_first(stage *s)
{
    uint32_t count = 0;
    kith_iter it = kith_query_iter(s->fresh);
    while (kith_next(&it)) {
        count += it.count;
    }
    CHECK(it.result != KITH_OK || count == kith_query_count(s->fresh));
    return it.result;
}

kith_result query_call_iterate_again(stage *s)
{
    uint32_t count = 0;
    kith_iter it = kith_query_iter(s->all);
    while (kith_next(&it)) {
        count += it.count;
    }
    CHECK(it.result != KITH_OK || count == kith_query_count(s->all));
    return it.result;
}

kith_result query_call_iterate_changed(stage *s)
{
    uint32_t count = 0;
    kith_iter it = kith_query_iter(s->changed);
    while (kith_next(&it)) {
        count += it.count;
    }
    CHECK(it.result != KITH_OK || kith_query_count(s->changed) == 0);
    CHECK(it.result != KITH_OK || count == kith_query_count(s->all));
    return it.result;
}

kith_result query_call_tracker_new(stage *s)
{
    kith_tracker *tracker = s->tracker;
    kith_result result = kith_tracker_new(s->world, &Position_type, &tracker);
    CHECK((tracker == s->tracker) == (result != KITH_OK));
    return result;
}

kith_result query_call_tracker_new_another(stage *s)
{
    kith_tracker *tracker;
    return kith_tracker_new(s->world, &Burning_type, &tracker);
}

/* Two cursors on one query. */
kith_result query_call_iterate_one_first(stage *s)
{
    uint32_t count = 0;
    kith_iter outer = kith_query_iter_one(s->other, s->full);
    kith_iter inner = kith_query_iter_one(s->other, s->full);
    while (kith_next(&inner)) {
        count++;
    }
    CHECK(inner.result != KITH_OK || count == 1);
    kith_iter_close(&outer);
    CHECK_RESULT(outer.result, KITH_OK);
    return inner.result;
}
