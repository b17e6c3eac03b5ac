/* Misuse of queries: each rule is broken once. */
#include <stdlib.h>

#include "../world/trips.h"
#include "owned.h"

/* ---- One call -------------------------------------------------------------------------------- */

/* A list of as many terms, which has no end. */
static kith_term *many_terms(uint32_t count)
{
    kith_term *terms = malloc(count * sizeof *terms);
    CHECK_PTR_NOT_NULL(terms);
    for (uint32_t i = 0; i < count; i++) {
        terms[i] = (kith_term)KITH_READ(Position);
    }
    return terms;
}

TEST(arguments_that_are_nothing_are_told)
{
    stage s = stage_open();
    kith_query *query;
    CHECK_TOLD(&s, kith_query_new(s.world, NULL, &query) == KITH_ERR_MISUSE,
               "%s: the definition, or the place for the query, is NULL");
    kith_term *endless = many_terms(4097);
    const kith_query_def no_end = {.terms = endless};
    CHECK_TOLD(&s, kith_query_new(s.world, &no_end, &query) == KITH_ERR_MISUSE,
               "%s: more than %u terms in `%s`; a list ends with a term of zeros, which KITH_TERMS"
               " adds");
    free(endless);
    CHECK_TOLD(&s, kith_query_single(s.query, NULL) == KITH_ERR_MISUSE,
               "kith_query_single: there is no place for the handle");
    CHECK_TOLD(&s, kith_query_bind(s.query, NULL, 1) == KITH_ERR_MISUSE,
               "kith_query_bind: the name is NULL");
    CHECK_TOLD(&s, kith_query_explain(s.query, false, NULL, 9, NULL) == KITH_ERR_MISUSE,
               "kith_query_explain: the room for the text is NULL");
    stage_close(&s);
}

TEST_WITHIN(10, calls_on_nothing_end_the_program)
{
    CHECK_ENDS(kith_query_count(NULL), "%s: the query is NULL");
    CHECK_ENDS(kith_query_explain(NULL, false, NULL, 0, NULL),
               "kith_query_explain: the query is NULL");
    CHECK_ENDS(kith_query_bind(NULL, "limit", 1), "kith_query_bind: the query is NULL");
    CHECK_ENDS(kith_query_skip_changes(NULL), "kith_query_skip_changes: the query is NULL");
    CHECK_ENDS(kith_query_world(NULL), "kith_query_world: the query is NULL");
    CHECK_ENDS(kith_query_set_holder(NULL, NULL), "kith_query_set_holder: the query is NULL");
    CHECK_ENDS(kith_query_iter(NULL), "%s: the query is NULL (%s:%d)");
    CHECK_ENDS(kith_iter_close(NULL), "kith_iter_close: the iterator is NULL");
    CHECK_ENDS(kith_next(NULL), "%s: the iterator is NULL");
    CHECK_ENDS(kith_next_rows(NULL), "%s: the iterator is NULL");
    CHECK_ENDS(kith_entities(NULL),
               "kith_entities: there is no batch; kith_next has to return true first");
    CHECK_ENDS(kith_others(NULL, 0),
               "kith_others: there is no batch; kith_next_rows has to return true first");
    CHECK_ENDS(KITH_COLUMN(NULL, Position),
               "%s: there is no batch; kith_next has to return true first");
    CHECK_ENDS(kith_at_slow(NULL, 0, 0, &Position_type, KITH_ACCESS_READ),
               "%s: there is no batch; kith_next has to return true first");
}

/* The query's terms: Position to read, Byte without its value, Frozen. */
TEST(what_a_batch_does_not_have_is_told)
{
    stage s = stage_open();
    kith_iter it = kith_query_iter(s.query);
    CHECK(kith_next(&it));
    CHECK_TOLD(&s, kith_column(&it, NULL) == NULL, "%s: the type is NULL");
    CHECK_TOLD(&s, KITH_COLUMN(&it, Velocity) == NULL,
               "%s: %s has no term for %s; give it KITH_%s(%s), in C++ kith::%s<%s>");
    CHECK_TOLD(&s, kith_column(&it, &Frozen_type) == NULL, "%s: %s is a tag, and has no value");
    CHECK_TOLD(&s, KITH_AT_MUT(&it, 0, Position) == NULL,
               "%s: %s has a term for %s that %s; declare it as KITH_%s(%s), in C++"
               " kith::%s<%s>");
    CHECK_TOLD(
        &s, KITH_POINTERS(&it, Position) == NULL,
        "%s: kith_next gives arrays of %s; use KITH_COLUMN, or loop with kith_next_rows");
    CHECK_TOLD(&s, KITH_AT(&it, 1, Position) == NULL,
               "%s: there is no entity number %u in a batch of %u of %s");
    CHECK_PTR_NOT_NULL(KITH_AT(&it, 0, Position));
    kith_iter_close(&it);
    stage_close(&s);
}

/* The handler got just this message, once. */
static void check_message(stage *s, const char *expected)
{
    CHECK_STR(s->f.misuse, expected);
    expect_misuse(&s->f, "kith_");
}

/* A query may have a name, and any number of loops over it. */
TEST(mistakes_in_a_loop_name_where_it_was_opened)
{
    stage s = stage_open();
    char expected[400];
    const int line = __LINE__ + 1;
    kith_iter it = kith_query_iter(KITH_QUERY(s.world, KITH_READ(Position)));
    CHECK(kith_next(&it));
    CHECK_PTR_NULL(KITH_COLUMN(&it, Velocity));
    snprintf(expected, sizeof expected,
             "kith_column: the query opened at %s:%d has no term for Velocity; give it"
             " KITH_READ(Velocity), in C++ kith::read<Velocity>",
             __FILE__, line);
    check_message(&s, expected);
    CHECK_PTR_NULL(KITH_AT(&it, 7, Position));
    snprintf(expected, sizeof expected,
             "kith_at: there is no entity number 7 in a batch of %u of the query opened at %s:%d",
             it.count, __FILE__, line);
    check_message(&s, expected);
    kith_iter_close(&it);

    const kith_query_def def = {.terms = KITH_TERMS(KITH_READ(Position)), .name = "still"};
    kith_query *named = kith_query_new_or_null(s.world, &def);
    it = kith_query_iter_at(named, "game.c", 48);
    CHECK(kith_next(&it));
    CHECK_PTR_NULL(KITH_AT_MUT(&it, 0, Position));
    check_message(&s, "kith_at: \"still\" (opened at game.c:48) has a term for Position that only"
                      " reads it; declare it as KITH_WRITE(Position), in C++"
                      " kith::write<Position>");
    kith_iter_close(&it);

    it = kith_query_iter_at(named, NULL, 5);
    CHECK(kith_next(&it));
    CHECK_PTR_NULL(KITH_AT(&it, 7, Position));
    CHECK_CONTAINS(s.f.misuse, "\"still\" (opened at (no file):5)");
    expect_misuse(&s.f, "kith_");
    kith_iter_close(&it);
    CHECK_WORLD(s.world);
    stage_close(&s);
}

KITH_RELATION(Follows, KITH_CLEAR);

TEST(what_terms_of_other_entities_do_not_have_is_told)
{
    stage s = stage_open();
    CHECK_TOLD(&s, KITH_QUERY(s.world, KITH_VIA(Follows, KITH_WRITE(Velocity))) == NULL,
               "%s: a term of another entity writes %s; read it, and write it through a lookup or a"
               " command");
    kith_query *query =
        KITH_QUERY(s.world, KITH_READ(Position), KITH_VIA(Follows, KITH_OPTIONAL(Velocity)),
                   KITH_UP(KITH_WITHOUT(Velocity)));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    CHECK_TOLD(&s, KITH_COLUMN(&it, Velocity) == NULL,
               "%s: %s has a term for %s of another entity, which KITH_TERM_AT(it, %u, i, %s)"
               " reads, and none for the entity's own");
    CHECK_TOLD(
        &s, KITH_TERM_AT(&it, 3, 0, Velocity) == NULL,
        "%s: %s has no term number %u: there are %u, counted from 0, without conditions");
    CHECK_TOLD(&s, KITH_TERM_AT(&it, 1, 0, Position) == NULL,
               "%s: term number %u of %s is about %s, not about %s");
    CHECK_TOLD(&s, KITH_TERM_AT(&it, 2, 0, Velocity) == NULL,
               "%s: %s has a term for %s of another entity that does not access it; declare it"
               " as KITH_VIA(relation, KITH_READ(%s)) or KITH_UP(KITH_READ(%s))");
    CHECK_TOLD(
        &s, kith_term_at(&it, 1, 0, &Velocity_type, sizeof(Velocity), KITH_ACCESS_WRITE) == NULL,
        "%s: %s only reads %s of another entity; write it through a lookup or a command");
    kith_iter_close(&it);
    kith_query_free(query);
    stage_close(&s);
}

typedef struct Unmet {
    int number;
} Unmet;
KITH_TYPE(Unmet, KITH_FIELD(Unmet, number));

/* Whether there are no terms or one: a type that no world has met has no number yet. */
TEST(columns_of_a_type_that_is_not_registered_are_told)
{
    stage s = stage_open();
    kith_query *all = kith_query_new_or_null(s.world, &(const kith_query_def){0});
    kith_query *queries[] = {all, s.query};
    for (int i = 0; i < 2; i++) {
        kith_iter it = kith_query_iter(queries[i]);
        CHECK_TOLD(&s, KITH_COLUMN(&it, Unmet) == NULL,
                   "%s: there is no batch; kith_next has to return true first");
        CHECK(kith_next(&it));
        CHECK_TOLD(&s, KITH_COLUMN(&it, Unmet) == NULL,
                   "%s: %s has no term for %s; give it KITH_%s(%s), in C++ kith::%s<%s>");
        CHECK_TOLD(&s, KITH_AT(&it, 0, Unmet) == NULL,
                   "%s: %s has no term for %s; give it KITH_%s(%s), in C++ kith::%s<%s>");
        kith_iter_close(&it);
        CHECK_TOLD(&s, KITH_COLUMN(&it, Unmet) == NULL,
                   "%s: there is no batch; kith_next has to return true first");
    }
    stage_close(&s);
}

/* ---- Trips ----------------------------------------------------------------------------------- */

static void *count_there(void *user)
{
    stage *s = user;
    CHECK_UINT(kith_query_count(s->query), 0);
    return NULL;
}

static void query_in_another_thread(stage *s)
{
    in_another_thread(count_there, s);
}

static void open_it(void *context)
{
    stage *s = context;
    kith_iter it = kith_query_iter(s->query);
    CHECK_RESULT(it.result, KITH_ERR_MISUSE);
    CHECK(!kith_next(&it));
}

static void open_in_a_hook(stage *s)
{
    static owned_record record;
    kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.hooks = &hooks};
    CHECK_RESULT(kith_register(s->world, &Owned_type, &def), KITH_OK);
    CHECK_RESULT(KITH_ADD(s->world, s->e, Owned), KITH_OK);
    record.context = s;
    record.inside = open_it;
    kith_result result = KITH_REMOVE(s->world, s->e, Owned);
    record.inside = NULL;
    CHECK_RESULT(result, KITH_OK);
}

static void look_while_written(stage *s)
{
    kith_query *changed = KITH_QUERY(s->world, KITH_CHANGED(Position));
    kith_query *writer = KITH_QUERY(s->world, KITH_WRITE(Byte));
    kith_iter it = kith_query_iter(writer);
    kith_iter look = kith_query_iter(changed);
    CHECK(!kith_next(&look));
    CHECK_RESULT(look.result, KITH_ERR_MISUSE);
    CHECK(kith_next(&it));
    kith_iter_close(&it);
    kith_query_free(writer);
    kith_query_free(changed);
}

static void mark_while_written(stage *s)
{
    kith_query *changed = KITH_QUERY(s->world, KITH_CHANGED(Position));
    kith_query *writer = KITH_QUERY(s->world, KITH_WRITE(Byte));
    kith_iter it = kith_query_iter(writer);
    kith_query_skip_changes(changed);
    CHECK(kith_query_count(changed) != 0);
    kith_iter_close(&it);
    kith_query_free(writer);
    kith_query_free(changed);
}

static void *mark_there(void *user)
{
    stage *s = user;
    kith_query_skip_changes(s->query);
    return NULL;
}

static void mark_in_another_thread(stage *s)
{
    in_another_thread(mark_there, s);
}

static void free_of_open_query(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    kith_query_free(s->query);
    CHECK(kith_next(&it));
    kith_iter_close(&it);
}

static void bind_open_query(stage *s)
{
    kith_query *query = KITH_QUERY(s->world, KITH_IF(Position, x, <, kith_bound("limit")));
    CHECK_RESULT(kith_query_bind(query, "limit", 1000), KITH_OK);
    kith_iter it = kith_query_iter(query);
    CHECK_RESULT(kith_query_bind(query, "limit", -1000), KITH_ERR_MISUSE);
    CHECK(kith_next(&it));
    kith_iter_close(&it);
    kith_query_free(query);
}

static void *iter_there(void *user)
{
    stage *s = user;
    kith_iter it = kith_query_iter(s->query);
    CHECK(!kith_next(&it));
    CHECK_RESULT(it.result, KITH_ERR_MISUSE);
    return NULL;
}

static void iter_in_another_thread(stage *s)
{
    in_another_thread(iter_there, s);
}

static void next_of_closed_copy(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    kith_iter copy = it;
    kith_iter_close(&copy);
    CHECK(!kith_next(&it));
}

static void column_of_rows(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next_rows(&it));
    CHECK_PTR_NULL(KITH_COLUMN(&it, Position));
    kith_iter_close(&it);
}

static void rows_after_arrays(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    CHECK(!kith_next_rows(&it));
}

/* As calls do that call the program back. */
static void close_what_is_held(stage *s)
{
    kith_iter it = kith_query_iter_at(s->query, "kith_scene_save", 0);
    CHECK_UINT(kith_queries_close(s->world), 0);
    CHECK_CONTAINS(s->f.misuse, "kith_scene_save");
    CHECK(kith_next(&it));
    kith_iter_close(&it);
}

static void arrays_of_pairs(stage *s)
{
    kith_query *pairs = KITH_QUERY(s->world, KITH_READ(Position), KITH_PAIR(kith_child_of, 1, 0));
    kith_iter it = kith_query_iter(pairs);
    CHECK(!kith_next(&it));
    CHECK_RESULT(it.result, KITH_ERR_MISUSE);
    kith_query_free(pairs);
}

static void others_of_rows_of_one(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next_rows(&it));
    CHECK_PTR_NULL(kith_others(&it, 1));
    CHECK(kith_others(&it, 0) == kith_entities(&it));
    kith_iter_close(&it);
}

static const trip trips[] = {
    {"%s: the world belongs to another thread; its owner calls kith_world_release, this"
     " one kith_world_claim",
     query_in_another_thread},
    {"%s: %s looks for changes%s, while %s is open and writes; close that first",
     look_while_written},
    {"kith_query_skip_changes: %s is open and writes; close that first", mark_while_written},
    {"kith_query_skip_changes: the world belongs to another thread; its owner calls"
     " kith_world_release, this one kith_world_claim",
     mark_in_another_thread},
    {"kith_queries_close: %s is under way; call it when that has returned", close_what_is_held},
    {"kith_query_free: %s is open (%s); end its iteration first", free_of_open_query},
    {"%s: %s is open (%s); end its iteration first", bind_open_query},
    {"%s: a hook of '%s' is running; hooks must not call into the world (%s:%d)", open_in_a_hook},
    {"%s: the world belongs to another thread; its owner calls kith_world_release, this one"
     " kith_world_claim (%s:%d)",
     iter_in_another_thread},
    {"%s: %s was closed, or moved on through a copy of this iterator",
     next_of_closed_copy},
    {"%s: kith_next_rows gives rows of %s, which are no arrays; use KITH_AT or KITH_POINTERS, "
     "or"
     " loop with kith_next",
     column_of_rows},
    {"%s: the iteration of %s was begun with %s; go on with that. The query is closed",
     rows_after_arrays},
    {"kith_next: rows of %s have several entities, as KITH_PAIR says, and are no arrays; loop "
     "with"
     " kith_next_rows. The query is closed",
     arrays_of_pairs},
    {"kith_others: rows of %s have no entity number %u; there are %u, counted from 0",
     others_of_rows_of_one},
};

TEST_WITHIN(10, every_rule_is_told_when_it_is_broken)
{
    take_trips(trips, sizeof(trips) / sizeof(trips[0]));
}

/* ---- A world of its own --------------------------------------------------------------------- */

/* The world of a loop that was left, and whose iterator is gone: all of it is given back. */
TEST(a_world_that_is_freed_with_an_open_query_is_told)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    kith_iter it = kith_query_iter(KITH_QUERY(f.world, KITH_READ(Position)));
    CHECK(kith_next(&it));
    kith_world_free(f.world);
    check_fits(
        __FILE__, __LINE__, f.misuse,
        "kith_world_free: a query is open (%s); call kith_iter_close when leaving a loop early,"
        " or kith_queries_close. It is closed, and the world freed");
    expect_misuse(&f, "test_misuse.c");
    const kith_world_def def = {.allocator = test_memory_allocator(f.memory)};
    f.world = kith_world_new(&def);
    fixture_free(&f);
}

TEST(questions_that_an_index_cannot_answer_are_told)
{
    stage s = stage_open();
    stage other = stage_open();
    kith_index *hash, *places;
    kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Position, x)};
    CHECK_RESULT(kith_index_new(s.world, &def, &hash), KITH_OK);
    def = (kith_index_def){.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    CHECK_RESULT(kith_index_new(s.world, &def, &places), KITH_OK);
    const kith_point here = KITH_POINT(1, 2);
    kith_index_found found;
    uint32_t count;
    CHECK_TOLD(&s, kith_within_box(hash, here, here, NULL, &found) == KITH_ERR_MISUSE,
               "%s: the index of %s is not KITH_INDEX_SPATIAL");
    CHECK_TOLD(&s, kith_within_box(places, here, here, NULL, NULL) == KITH_ERR_MISUSE,
               "%s: there is no place for what is found");
    CHECK_TOLD(&s, kith_nearest(places, here, 3, NULL, NULL, &count) == KITH_ERR_MISUSE,
               "%s: there is no place for what is found");
    CHECK_TOLD(&s, kith_along(places, here, here, 3, NULL, NULL, &count) == KITH_ERR_MISUSE,
               "%s: there is no place for what is found");
    CHECK_TOLD(&s, kith_pairs(places, 1, NULL, NULL) == KITH_ERR_MISUSE,
               "%s: there is no place for what is found");
    CHECK_TOLD(&s, kith_along(hash, here, here, 0, NULL, NULL, &count) == KITH_ERR_MISUSE,
               "%s: the index of %s is not KITH_INDEX_SPATIAL");
    CHECK_TOLD(&s, kith_pairs(places, 1, other.query, &(kith_pairs_found){0}) == KITH_ERR_MISUSE,
               "%s: the query is of another world than the index");
    CHECK_TOLD(&s, kith_within_radius(places, here, 1, other.query, &found) == KITH_ERR_MISUSE,
               "%s: the query is of another world than the index");
    CHECK_TOLD(&s, kith_index_find(places, &(Position){1, 1}, &found) == KITH_ERR_MISUSE,
               "kith_index_find: the index of %s finds by place: ask kith_within_box,"
               " kith_within_radius or kith_nearest");
    stage_close(&other);
    stage_close(&s);
}
