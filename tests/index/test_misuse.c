/* Misuse of indexes: each rule is broken once. */
#include "../world/trips.h"

#include <kith/spatial.h>

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

/* Where the content cannot be hashed, as in a system. */
static void expect_template(fixture *f, const char *template)
{
    CHECK(message_fits(f->misuse, template));
    expect_misuse(f, f->misuse);
}

static kith_result told_inside;

static bool key_of_the_world(const void *value, void *key, void *user)
{
    stage *s = user;
    *(Position *)key = *(const Position *)value;
    told_inside = kith_despawn(s->world, s->e);
    return true;
}

TEST(key_functions_are_used_as_they_are_meant)
{
    stage s = stage_open();
    kith_index *index = NULL;
    kith_index_found found;
    kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Position, x)};
    def.of = &Position_type;
    CHECK_TOLD(&s, kith_index_new(s.world, &def, &index) == KITH_ERR_MISUSE,
               "kith_index_new: a key function (.key) and the type of the values that it is called"
               " with (.of) are given together, or neither is");
    def.of = NULL;
    def.key = key_of_the_world;
    def.user = &s;
    CHECK_TOLD(&s, kith_index_new(s.world, &def, &index) == KITH_ERR_MISUSE,
               "kith_index_new: a key function (.key) and the type of the values that it is called"
               " with (.of) are given together, or neither is");
    def.of = &Position_type;
    CHECK_RESULT(kith_index_new(s.world, &def, &index), KITH_OK);
    CHECK_RESULT(kith_index_find(index, &(Position){.x = 1}, &found), KITH_OK);
    CHECK_UINT(found.count, 1);
    CHECK_RESULT(told_inside, KITH_ERR_MISUSE);
    expect_template(&s.f, "%s: the key function of an index of '%s' is running; it must not call"
                          " into the world");
    kith_index_free(index);
    stage_close(&s);
}

/* Only queries use a filter. */
TEST(filters_are_not_asked)
{
    stage s = stage_open();
    kith_index *filter = NULL;
    kith_index_found found = {.count = 77};
    kith_pairs_found pairs;
    kith_near one[1];
    uint32_t count = 77;
    const kith_index_def def = {.kind = KITH_INDEX_FILTER, KITH_FIELDS(Position, x, y)};
    CHECK_RESULT(kith_index_new(s.world, &def, &filter), KITH_OK);
    CHECK_TOLD(&s, kith_index_find(filter, &(Position){0}, &found) == KITH_ERR_MISUSE,
               "kith_index_find: the index of %s is a filter, which only queries use: make one of"
               " the kind KITH_INDEX_HASH");
    CHECK_TOLD(&s, kith_index_range(filter, &(kith_range){0}, &found) == KITH_ERR_MISUSE,
               "%s: the index of %s has no order: make one of the kind KITH_INDEX_ORDERED");
    CHECK_TOLD(&s, kith_index_prefix(filter, "a", &found) == KITH_ERR_MISUSE,
               "%s: the index of %s has no order: make one of the kind KITH_INDEX_ORDERED");
    CHECK_TOLD(&s, kith_index_nearest(filter, &(Position){0}, 1, &found) == KITH_ERR_MISUSE,
               "%s: the index of %s has no order: make one of the kind KITH_INDEX_ORDERED");
    CHECK_TOLD(&s,
               kith_within_box(filter, KITH_POINT(0, 0), KITH_POINT(1, 1), NULL, &found) ==
                   KITH_ERR_MISUSE,
               "%s: the index of %s is not KITH_INDEX_SPATIAL");
    CHECK_TOLD(&s, kith_within_radius(filter, KITH_POINT(0, 0), 1, NULL, &found) == KITH_ERR_MISUSE,
               "%s: the index of %s is not KITH_INDEX_SPATIAL");
    CHECK_TOLD(&s,
               kith_nearest(filter, KITH_POINT(0, 0), 1, NULL, one, &count) == KITH_ERR_MISUSE,
               "%s: the index of %s is not KITH_INDEX_SPATIAL");
    CHECK_TOLD(&s,
               kith_along(filter, KITH_POINT(0, 0), KITH_POINT(1, 1), 1, NULL, one, &count) ==
                   KITH_ERR_MISUSE,
               "%s: the index of %s is not KITH_INDEX_SPATIAL");
    CHECK_TOLD(&s, kith_pairs(filter, 1, NULL, &pairs) == KITH_ERR_MISUSE,
               "%s: the index of %s is not KITH_INDEX_SPATIAL");
    CHECK_UINT(found.count, 77);
    CHECK_UINT(count, 77);
    kith_index_free(filter);
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
               "kith_live_new: %s is of another world");
    CHECK_RESULT(kith_live_new(s.world, query, &live), KITH_OK);
    CHECK_TOLD(&s, kith_live_new(s.world, query, &second) == KITH_ERR_MISUSE,
               "kith_live_new: %s belongs to another live query");
    CHECK_TOLD(&s, kith_live_next(live, NULL) == KITH_ERR_MISUSE,
               "kith_live_next: there is no place for the changes");
    CHECK_TOLD(&s, (kith_query_free(query), true),
               "kith_query_free: %s belongs to a live query, which frees it");
    kith_iter it = kith_query_iter(query);
    CHECK_TOLD(&s, (kith_live_free(live), true),
               "kith_live_free: %s is open (%s); end its iteration first");
    kith_iter_close(&it);
    kith_live_free(live);
    kith_world_free(other);
    stage_close(&s);
}

/* ---- In systems ---------------------------------------------------------------------------------- */

static kith_index *declared, *undeclared;
static kith_query *weak;

static void ask(kith_iter *it)
{
    stage *s = it->user;
    kith_index_found found;
    CHECK_RESULT(kith_index_find(undeclared, &(Health){0}, &found), KITH_ERR_MISUSE);
    expect_template(
        &s->f, "%s: called from within query system \"%s\", which does not declare the index of"
               " %s: .indexes = KITH_INDEXES(...) in its definition, in C++"
               " kith::named(...).indexes(...)");
    CHECK_RESULT(kith_within_radius(declared, KITH_POINT(0, 0), 1, weak, &found), KITH_ERR_MISUSE);
    expect_template(&s->f, "%s: in a system, the query must not have conditions on values, which"
                           " may be written meanwhile: look at the values of what was found");
}

TEST(what_systems_must_not_ask_is_told)
{
    stage s = stage_open();
    const kith_index_def places = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    const kith_index_def numbers = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current)};
    CHECK_RESULT(kith_index_new(s.world, &places, &declared), KITH_OK);
    CHECK_RESULT(kith_index_new(s.world, &numbers, &undeclared), KITH_OK);
    weak = KITH_QUERY(s.world, KITH_IF(Health, current, <, 5));
    const kith_system_def def = {
        .name = "asks", .run = ask, .user = &s, .indexes = KITH_INDEXES(declared)};
    CHECK_RESULT(kith_system_add(s.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(s.world, 1), KITH_OK);
    CHECK_TOLD(&s, (kith_index_free(declared), true),
               "kith_index_free: systems declare the index of %s (.indexes): remove them first");
    CHECK_RESULT(kith_system_remove(s.world, "asks"), KITH_OK);
    fixture other = fixture_with_all(KITH_TABLE);
    kith_index *others;
    CHECK_RESULT(kith_index_new(other.world, &places, &others), KITH_OK);
    CHECK_TOLD(&s,
               kith_system_add(s.world, &(kith_system_def){.name = "asks",
                                                           .run = ask,
                                                           .indexes = KITH_INDEXES(others)}) ==
                   KITH_ERR_MISUSE,
               "%s: '%s': index number %u of `indexes` is of another world");
    fixture_free(&other);
    stage_close(&s);
}

TEST_WITHIN(10, calls_on_nothing_end_the_program)
{
    CHECK_ENDS(kith_live_count(NULL), "%s: the live query is NULL");
    kith_index_found found;
    CHECK_ENDS(kith_index_find(NULL, &found, &found), "%s: the index is NULL");
}

static void write_byte(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Byte)->value = 9;
        }
    }
}

TEST(values_with_a_unique_key_are_not_written_in_place)
{
    stage s = stage_open();
    void *value = NULL;
    kith_query *query = NULL;
    const kith_term terms[] = {KITH_WRITE(Byte), {0}};
    const kith_query_def writes = {.terms = terms};
    const kith_system_def system = {
        .name = "write", .run = write_byte, .query.terms = KITH_TERMS(KITH_WRITE(Byte))};
    CHECK_TOLD(&s, kith_unique_new(s.world, NULL) == KITH_ERR_MISUSE,
               "kith_unique_new: the definition is NULL");
    CHECK_TOLD(&s, kith_is_none(KITH_FIND_UNIQUE(s.world, Byte, {0})),
               "kith_unique_find: %s has no unique key in this world; see KITH_UNIQUE");
    CHECK_RESULT(KITH_UNIQUE(s.world, Byte, value), KITH_OK);
    CHECK_TOLD(&s, kith_is_none(kith_unique_find(s.world, &Byte_type, NULL)),
               "kith_unique_find: the type or the value is NULL");
    CHECK_TOLD(&s, kith_get_mut(s.world, s.e, &Byte_type, &value) == KITH_ERR_MISUSE,
               "%s: %s has a unique key, and its values are not written in place; set the"
               " whole value (KITH_SET)");
    CHECK_TOLD(&s, KITH_GET_MUT(s.world, s.e, Byte) == NULL,
               "%s: %s has a unique key, and its values are not written in place; set the"
               " whole value (KITH_SET)");
    CHECK_TOLD(&s, kith_query_new(s.world, &writes, &query) == KITH_ERR_MISUSE,
               "%s: %s has a unique key, and its values are not written in place; set the"
               " whole value (KITH_SET)");
    CHECK_TOLD(&s, kith_system_add(s.world, &system) != KITH_OK,
               "%s: %s has a unique key, and its values are not written in place; set the"
               " whole value (KITH_SET)");
    s.it = kith_query_iter(s.query);
    CHECK_TOLD(&s, (kith_unique_free(s.world, &Byte_type), true),
               "%s: the world is being iterated (%s); do it when the loop has ended"
               " (kith_iter_close)");
    kith_iter_close(&s.it);
    stage_close(&s);
}
