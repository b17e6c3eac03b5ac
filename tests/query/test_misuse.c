/* Misuse of queries: each rule is broken once. */
#include "../world/trips.h"
#include "owned.h"

/* ---- Trips: queries -------------------------------------------------------------------------- */

static void query_new_null(stage *s)
{
    kith_query *query;
    CHECK_RESULT(kith_query_new(s->world, NULL, &query), KITH_ERR_MISUSE);
}

static void query_new_null_terms(stage *s)
{
    kith_query *query;
    CHECK_RESULT(kith_query_new(s->world, &(kith_query_def){.term_count = 2}, &query),
                 KITH_ERR_MISUSE);
}

static void null_query(stage *s)
{
    (void)s;
    kith_query_count(NULL);
}

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

static void mark_null(stage *s)
{
    (void)s;
    kith_query_mark_seen(NULL);
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

static void single_nowhere(stage *s)
{
    CHECK_RESULT(kith_query_single(s->query, NULL), KITH_ERR_MISUSE);
}

static void free_of_open_query(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    kith_query_free(s->query);
    CHECK(kith_next(&it));
    kith_iter_end(&it);
}

static void iter_of_null(stage *s)
{
    (void)s;
    (void)kith_query_iter(NULL);
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

static void end_of_null(stage *s)
{
    (void)s;
    kith_iter_end(NULL);
}

static void next_of_null(stage *s)
{
    (void)s;
    kith_next(NULL);
}

static void next_of_closed_copy(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    kith_iter copy = it;
    kith_iter_end(&copy);
    CHECK(!kith_next(&it));
}

static void entities_of_null(stage *s)
{
    (void)s;
    kith_entities(NULL);
}

static void column_of_null(stage *s)
{
    (void)s;
    (void)KITH_COLUMN(NULL, Position);
}

static void at_of_null(stage *s)
{
    (void)s;
    kith_at_slow(NULL, 0, 0, &Position_type, KITH_ACCESS_READ);
}

/* The query's terms: Position to read, Byte without its value, Frozen. */
static void on_a_batch(stage *s, const void *(*look)(const kith_iter *it))
{
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    CHECK_PTR_NULL(look(&it));
    CHECK_PTR_NOT_NULL(KITH_AT(&it, 0, Position));
    kith_iter_end(&it);
}

static const void *look_by_null(const kith_iter *it)
{
    return kith_column(it, NULL);
}
static void column_of_null_type(stage *s)
{
    on_a_batch(s, look_by_null);
}

static const void *look_for_velocity(const kith_iter *it)
{
    return KITH_COLUMN(it, Velocity);
}
static void column_of_another_type(stage *s)
{
    on_a_batch(s, look_for_velocity);
}

static const void *look_at_tag(const kith_iter *it)
{
    return kith_column(it, &Frozen_type);
}
static void column_of_a_tag(stage *s)
{
    on_a_batch(s, look_at_tag);
}

static const void *look_to_write(const kith_iter *it)
{
    return KITH_AT_MUT(it, 0, Position);
}
static void write_to_what_is_read(stage *s)
{
    on_a_batch(s, look_to_write);
}

static const void *look_too_far(const kith_iter *it)
{
    return KITH_AT(it, 1, Position);
}
static void entity_behind_the_batch(stage *s)
{
    on_a_batch(s, look_too_far);
}

static void column_of_rows(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next_rows(&it));
    CHECK_PTR_NULL(KITH_COLUMN(&it, Position));
    kith_iter_end(&it);
}

static const void *look_at_pointers(const kith_iter *it)
{
    return KITH_POINTERS(it, Position);
}
static void pointers_of_arrays(stage *s)
{
    on_a_batch(s, look_at_pointers);
}

static void rows_after_arrays(stage *s)
{
    kith_iter it = kith_query_iter(s->query);
    CHECK(kith_next(&it));
    CHECK(!kith_next_rows(&it));
}

static void holder_of_no_query(stage *s)
{
    (void)s;
    kith_query_set_holder(NULL, NULL);
}

static void world_of_no_query(stage *s)
{
    (void)s;
    kith_query_world(NULL);
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

/* The world of a loop that was left, and whose iterator is gone: all of it is given back. */
static void free_of_a_world_with_an_open_query(stage *s)
{
    fixture other = fixture_new();
    CHECK_RESULT(kith_register(other.world, &Position_type, NULL), KITH_OK);
    KITH_SPAWN(other.world, KITH_ZERO(Position));
    kith_iter it = kith_query_iter(KITH_QUERY(other.world, KITH_READ(Position)));
    CHECK(kith_next(&it));
    kith_world_free(other.world);
    snprintf((char *)(uintptr_t)s->f.misuse, 512, "%s", other.misuse); /* it is the other world's */
    expect_misuse(&other, "test_misuse.c");
    const kith_world_def def = {.allocator = test_memory_allocator(other.memory)};
    other.world = kith_world_new(&def);
    fixture_free(&other);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static const trip trips[] = {
    {"kith_query_new: the definition, or the place for the query, is NULL", query_new_null, false},
    {"kith_query_new: %u terms, but their address is NULL", query_new_null_terms, false},
    {"%s: the query is NULL", null_query, true},
    {"%s: the world belongs to another thread; its owner calls kith_world_release, this"
     " one kith_world_claim",
     query_in_another_thread, false},
    {"%s: \"%s\" looks for changes (%s:%d), while \"%s\" is open and writes; close that first",
     look_while_written, false},
    {"kith_query_mark_seen: \"%s\" is open and writes; close that first", mark_while_written,
     false},
    {"kith_query_mark_seen: the query is NULL", mark_null, true},
    {"kith_query_mark_seen: the world belongs to another thread; its owner calls"
     " kith_world_release, this one kith_world_claim",
     mark_in_another_thread, false},
    {"kith_query_world: the query is NULL", world_of_no_query, true},
    {"kith_query_set_holder: the query is NULL", holder_of_no_query, true},
    {"kith_queries_close: %s is under way; call it when that has returned", close_what_is_held,
     false},
    {"kith_world_free: a query is open (%s); call kith_iter_end when leaving a loop early, or"
     " kith_queries_close. It is closed, and the world freed",
     free_of_a_world_with_an_open_query, false},
    {"kith_query_single: there is no place for the handle", single_nowhere, false},
    {"kith_query_free: the query \"%s\" is open (%s); end its iteration first", free_of_open_query,
     false},
    {"%s: the query is NULL (%s:%d)", iter_of_null, true},
    {"%s: a hook of '%s' is running; hooks must not call into the world (%s:%d)", open_in_a_hook,
     false},
    {"%s: the world belongs to another thread; its owner calls kith_world_release, this one"
     " kith_world_claim (%s:%d)",
     iter_in_another_thread, false},
    {"kith_iter_end: the iterator is NULL", end_of_null, true},
    {"%s: the iterator is NULL", next_of_null, true},
    {"%s: the query \"%s\" was closed, or moved on through a copy of this iterator",
     next_of_closed_copy, false},
    {"kith_entities: there is no batch; kith_next has to return true first", entities_of_null,
     true},
    {"%s: there is no batch; kith_next has to return true first", column_of_null, true},
    {"%s: there is no batch; kith_next has to return true first", at_of_null, true},
    {"%s: the type is NULL", column_of_null_type, false},
    {"%s: \"%s\" has no term for %s; give it KITH_%s(%s)", column_of_another_type, false},
    {"%s: %s is a tag, and has no value", column_of_a_tag, false},
    {"%s: \"%s\" has a term for %s that %s; declare it as KITH_%s(%s)", write_to_what_is_read,
     false},
    {"%s: kith_next_rows gives rows of \"%s\", which are no arrays; use KITH_AT or KITH_POINTERS, "
     "or"
     " loop with kith_next",
     column_of_rows, false},
    {"kith_pointers: kith_next gives arrays of \"%s\"; use KITH_COLUMN, or loop with "
     "kith_next_rows",
     pointers_of_arrays, false},
    {"%s: the iteration of \"%s\" was begun with %s; go on with that. The query is closed",
     rows_after_arrays, false},
    {"kith_at: there is no entity number %u in a batch of %u of \"%s\"", entity_behind_the_batch,
     false},
};

TEST_WITHIN(10, every_rule_is_told_when_it_is_broken)
{
    take_trips(trips, sizeof(trips) / sizeof(trips[0]));
}
