/* Misuse of indexes: each rule is broken once. */
#include "../world/trips.h"

TEST(arguments_that_are_nothing_are_told)
{
    stage s = stage_open();
    kith_index *index = NULL;
    kith_index_found found;
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current)};
    CHECK_TOLD(&s, kith_index_new(s.world, NULL, &index) == KITH_ERR_MISUSE,
               "kith_index_new: the definition is NULL");
    CHECK_TOLD(&s, kith_index_new(s.world, &def, NULL) == KITH_ERR_MISUSE,
               "kith_index_new: there is no place for the index");
    CHECK_RESULT(kith_index_new(s.world, &def, &index), KITH_OK);
    CHECK_TOLD(&s, kith_index_find(index, NULL, &found) == KITH_ERR_MISUSE,
               "kith_index_find: the value, or the place for what is found, is NULL");
    CHECK_TOLD(&s, kith_index_find(index, &(Health){0}, NULL) == KITH_ERR_MISUSE,
               "kith_index_find: the value, or the place for what is found, is NULL");
    CHECK_TOLD(&s, kith_index_range(index, &(kith_range){0}, &found) == KITH_ERR_MISUSE,
               "%s: the index of %s has no order: make one of the kind KITH_INDEX_ORDERED");
    CHECK_TOLD(&s, kith_index_range(index, NULL, &found) == KITH_ERR_MISUSE,
               "%s: what to find, or the place for what is found, is NULL");
    CHECK_TOLD(&s, kith_index_prefix(index, "a", NULL) == KITH_ERR_MISUSE,
               "%s: what to find, or the place for what is found, is NULL");
    kith_index_free(NULL);
    stage_close(&s);
}

TEST(live_queries_are_used_as_they_are_meant)
{
    stage s = stage_open();
    kith_live *live = NULL;
    kith_live *second = NULL;
    kith_world *other = kith_world_new(NULL);
    kith_query *query = KITH_QUERY(s.world, KITH_READ(Health));
    kith_query *foreign = KITH_QUERY(other, KITH_READ(Health));
    CHECK_TOLD(&s, kith_live_new(s.world, NULL, &live) == KITH_ERR_MISUSE,
               "kith_live_new: the query, or the place for the live query, is NULL");
    CHECK_TOLD(&s, kith_live_new(s.world, query, NULL) == KITH_ERR_MISUSE,
               "kith_live_new: the query, or the place for the live query, is NULL");
    CHECK_TOLD(&s, kith_live_new(s.world, foreign, &live) == KITH_ERR_MISUSE,
               "kith_live_new: the query \"%s\" is of another world");
    CHECK_RESULT(kith_live_new(s.world, query, &live), KITH_OK);
    CHECK_TOLD(&s, kith_live_new(s.world, query, &second) == KITH_ERR_MISUSE,
               "kith_live_new: the query \"%s\" belongs to another live query");
    CHECK_TOLD(&s, kith_live_next(live, NULL) == KITH_ERR_MISUSE,
               "kith_live_next: there is no place for the changes");
    CHECK_TOLD(&s, (kith_query_free(query), true),
               "kith_query_free: the query \"%s\" belongs to a live query, which frees it");
    kith_iter it = kith_query_iter(query);
    CHECK_TOLD(&s, (kith_live_free(live), true),
               "kith_live_free: the query \"%s\" is open (%s); end its iteration first");
    kith_iter_close(&it);
    kith_live_free(live);
    kith_world_free(other);
    stage_close(&s);
}

TEST_WITHIN(10, calls_on_nothing_end_the_program)
{
    CHECK_ENDS(kith_live_count(NULL), "%s: the live query is NULL");
    kith_index_found found;
    CHECK_ENDS(kith_index_find(NULL, &found, &found), "%s: the index is NULL");
}
