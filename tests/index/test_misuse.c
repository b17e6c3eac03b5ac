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

TEST_WITHIN(10, calls_on_nothing_end_the_program)
{
    kith_index_found found;
    CHECK_ENDS(kith_index_find(NULL, &found, &found), "%s: the index is NULL");
}
