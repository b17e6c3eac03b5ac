/* Misuse of queries: each rule is broken once. */
#include "../world/trips.h"
#include "owned.h"

/* ---- One call -------------------------------------------------------------------------------- */

TEST(arguments_that_are_nothing_are_told)
{
    stage s = stage_open();
    kith_query *query;
    CHECK_TOLD(&s, kith_query_new(s.world, NULL, &query) == KITH_ERR_MISUSE,
               "kith_query_new: the definition, or the place for the query, is NULL");
    const kith_query_def no_terms = {.term_count = 2};
    CHECK_TOLD(&s, kith_query_new(s.world, &no_terms, &query) == KITH_ERR_MISUSE,
               "kith_query_new: %u terms, but their address is NULL");
    CHECK_TOLD(&s, kith_query_single(s.query, NULL) == KITH_ERR_MISUSE,
               "kith_query_single: there is no place for the handle");
    stage_close(&s);
}

TEST_WITHIN(10, calls_on_nothing_end_the_program)
{
    CHECK_ENDS(kith_query_count(NULL), "%s: the query is NULL");
    CHECK_ENDS(kith_query_mark_seen(NULL), "kith_query_mark_seen: the query is NULL");
    CHECK_ENDS(kith_query_world(NULL), "kith_query_world: the query is NULL");
    CHECK_ENDS(kith_query_set_holder(NULL, NULL), "kith_query_set_holder: the query is NULL");
    CHECK_ENDS(kith_query_iter(NULL), "%s: the query is NULL (%s:%d)");
    CHECK_ENDS(kith_iter_end(NULL), "kith_iter_end: the iterator is NULL");
    CHECK_ENDS(kith_next(NULL), "%s: the iterator is NULL");
    CHECK_ENDS(kith_next_rows(NULL), "%s: the iterator is NULL");
    CHECK_ENDS(kith_entities(NULL),
               "kith_entities: there is no batch; kith_next has to return true first");
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
               "%s: \"%s\" has no term for %s; give it KITH_%s(%s)");
    CHECK_TOLD(&s, kith_column(&it, &Frozen_type) == NULL, "%s: %s is a tag, and has no value");
    CHECK_TOLD(&s, KITH_AT_MUT(&it, 0, Position) == NULL,
               "%s: \"%s\" has a term for %s that %s; declare it as KITH_%s(%s)");
    CHECK_TOLD(&s, KITH_POINTERS(&it, Position) == NULL,
               "kith_pointers: kith_next gives arrays of \"%s\"; use KITH_COLUMN, or loop with "
               "kith_next_rows");
    CHECK_TOLD(&s, KITH_AT(&it, 1, Position) == NULL,
               "kith_at: there is no entity number %u in a batch of %u of \"%s\"");
    CHECK_PTR_NOT_NULL(KITH_AT(&it, 0, Position));
    kith_iter_end(&it);
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
    kith_iter_end(&it);
    kith_query_free(writer);
    kith_query_free(changed);
}

static void mark_while_written(stage *s)
{
    kith_query *changed = KITH_QUERY(s->world, KITH_CHANGED(Position));
    kith_query *writer = KITH_QUERY(s->world, KITH_WRITE(Byte));
    kith_iter it = kith_query_iter(writer);
    kith_query_mark_seen(changed);
    CHECK(kith_query_count(changed) != 0);
    kith_iter_end(&it);
    kith_query_free(writer);
    kith_query_free(changed);
}

static void *mark_there(void *user)
{
    stage *s = user;
    kith_query_mark_seen(s->query);
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
    kith_iter_end(&it);
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
    kith_iter_end(&copy);
    CHECK(!kith_next(&it));
}

static void column_of_rows(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next_rows(&it));
    CHECK_PTR_NULL(KITH_COLUMN(&it, Position));
    kith_iter_end(&it);
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
    kith_iter_end(&it);
}

static const trip trips[] = {
    {"%s: the world belongs to another thread; its owner calls kith_world_release, this"
     " one kith_world_claim",
     query_in_another_thread},
    {"%s: \"%s\" looks for changes (%s:%d), while \"%s\" is open and writes; close that first",
     look_while_written},
    {"kith_query_mark_seen: \"%s\" is open and writes; close that first", mark_while_written},
    {"kith_query_mark_seen: the world belongs to another thread; its owner calls"
     " kith_world_release, this one kith_world_claim",
     mark_in_another_thread},
    {"kith_queries_close: %s is under way; call it when that has returned", close_what_is_held},
    {"kith_query_free: the query \"%s\" is open (%s); end its iteration first", free_of_open_query},
    {"%s: a hook of '%s' is running; hooks must not call into the world (%s:%d)", open_in_a_hook},
    {"%s: the world belongs to another thread; its owner calls kith_world_release, this one"
     " kith_world_claim (%s:%d)",
     iter_in_another_thread},
    {"%s: the query \"%s\" was closed, or moved on through a copy of this iterator",
     next_of_closed_copy},
    {"%s: kith_next_rows gives rows of \"%s\", which are no arrays; use KITH_AT or KITH_POINTERS, "
     "or"
     " loop with kith_next",
     column_of_rows},
    {"%s: the iteration of \"%s\" was begun with %s; go on with that. The query is closed",
     rows_after_arrays},
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
    KITH_SPAWN(f.world, KITH_ZERO(Position));
    kith_iter it = kith_query_iter(KITH_QUERY(f.world, KITH_READ(Position)));
    CHECK(kith_next(&it));
    kith_world_free(f.world);
    check_fits(
        __FILE__, __LINE__, f.misuse,
        "kith_world_free: a query is open (%s); call kith_iter_end when leaving a loop early,"
        " or kith_queries_close. It is closed, and the world freed");
    expect_misuse(&f, "test_misuse.c");
    const kith_world_def def = {.allocator = test_memory_allocator(f.memory)};
    f.world = kith_world_new(&def);
    fixture_free(&f);
}
