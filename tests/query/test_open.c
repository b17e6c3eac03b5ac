/* Open queries: what is misuse while one is, what is not, and when it is over. */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "nothing.h"
#include "share.h"
#include "test.h"

/* ---- Structure ------------------------------------------------------------------------------- */

/* A world with an open query, and what the message must tell about it. */
typedef struct opened {
    fixture f;
    kith_query *query;
    kith_iter it;
    kith_entity e;    /* has Position and Byte */
    kith_entity bare; /* has nothing */
    uint64_t hash;
    char where[300]; /* file and line of kith_query_iter */
} opened;

static opened open_world(kith_layout layout)
{
    opened o = {.f = fixture_new()};
    register_all(o.f.world, layout);
    o.e = KITH_SPAWN(o.f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte, {3}));
    o.bare = kith_spawn_empty(o.f.world);
    for (int i = 0; i < 3; i++) {
        KITH_SPAWN(o.f.world, KITH_VALUE(Position, {4, 5}));
    }
    CHECK_RESULT(kith_despawn(o.f.world, KITH_SPAWN(o.f.world, KITH_VALUE(Extra))), KITH_OK);
    o.query = KITH_QUERY(o.f.world, KITH_READ(Position));
    o.hash = kith_world_hash(o.f.world);
    snprintf(o.where, sizeof(o.where), "%s:%d", __FILE__, __LINE__ + 1);
    o.it = kith_query_iter(o.query);
    CHECK(kith_next(&o.it));
    return o;
}

/* Told, with the call and the place, and nothing changed. */
static void check_refused(const char *file, int line, opened *o, const char *call)
{
    test_check_contains(file, line, "the message", o->f.misuse, o->where);
    test_expect_misuse(file, line, &o->f, call);
    test_check_uint(file, line, "the hash", "what it was", kith_world_hash(o->f.world), o->hash);
    test_check_world(file, line, o->f.world);
}

/* A call is refused: it returns what `holds` says. */
#define CHECK_REFUSED(o, holds, call) (CHECK(holds), check_refused(__FILE__, __LINE__, (o), (call)))

static void close_world(opened *o)
{
    kith_iter_close(&o->it);
    CHECK_UINT(kith_world_hash(o->f.world), o->hash);
    CHECK(kith_alive(o->f.world, kith_spawn_empty(o->f.world)));
    fixture_free(&o->f);
}

TEST_EACH_LAYOUT(no_entity_comes, layout)
{
    opened o = open_world(layout);
    kith_world *w = o.f.world;
    kith_entity out = {7, 7};
    CHECK_REFUSED(&o, kith_is_none(kith_spawn_empty(w)), "kith_spawn_empty");
    CHECK_REFUSED(&o, kith_is_none(KITH_SPAWN(w, KITH_VALUE(Position))), "kith_spawn");
    const kith_value value = KITH_VALUE(Position);
    CHECK_REFUSED(&o, kith_spawn(w, &value, 1, &out) == KITH_ERR_MISUSE, "kith_spawn");
    const kith_values values = KITH_VALUE(Position, {1, 2});
    CHECK_REFUSED(&o, kith_spawn_many(w, 3, &values, 1, &out) == KITH_ERR_MISUSE,
                  "kith_spawn_many");
    CHECK_REFUSED(&o, kith_spawn_many(w, 0, NULL, 0, NULL) == KITH_ERR_MISUSE, "kith_spawn_many");
    CHECK_REFUSED(&o, kith_clone(w, o.e, &out) == KITH_ERR_MISUSE, "kith_clone");
    CHECK_REFUSED(&o, kith_clone_tree(w, o.e, &out) == KITH_ERR_MISUSE, "kith_clone_tree");
    CHECK_UINT(out.index1, 7);
    close_world(&o);
}

TEST_EACH_LAYOUT(no_entity_goes, layout)
{
    opened o = open_world(layout);
    uint32_t ended = 7;
    CHECK_REFUSED(&o, kith_despawn(o.f.world, o.e) == KITH_ERR_MISUSE, "kith_despawn");
    CHECK_REFUSED(&o, kith_despawn(o.f.world, o.bare) == KITH_ERR_MISUSE, "kith_despawn");
    CHECK_REFUSED(&o, kith_despawn_many(o.f.world, &o.e, 1, &ended) == KITH_ERR_MISUSE,
                  "kith_despawn_many");
    CHECK_UINT(ended, 7);
    CHECK(kith_alive(o.f.world, o.e));
    CHECK(kith_alive(o.f.world, o.bare));
    close_world(&o);
}

/* Of the type that is visited, and of any other. */
TEST_EACH_LAYOUT(no_component_comes, layout)
{
    opened o = open_world(layout);
    kith_world *w = o.f.world;
    CHECK_REFUSED(&o, KITH_SET(w, o.bare, Position, {1, 2}) == KITH_ERR_MISUSE, "kith_set");
    CHECK_REFUSED(&o, KITH_SET(w, o.e, Velocity, {1, 2}) == KITH_ERR_MISUSE, "kith_set");
    CHECK_REFUSED(&o, kith_set(w, o.e, &Frozen_type, NULL) == KITH_ERR_MISUSE, "kith_set");
    CHECK_REFUSED(&o, KITH_ADD(w, o.e, Velocity) == KITH_ERR_MISUSE, "kith_add");
    CHECK_REFUSED(&o, KITH_ADD(w, o.e, Frozen) == KITH_ERR_MISUSE, "kith_add");
    CHECK_REFUSED(&o,
                  KITH_SET_VALUES(w, o.e, KITH_VALUE(Position, {8, 8}), KITH_VALUE(Velocity)) ==
                      KITH_ERR_MISUSE,
                  "kith_set_values");
    const Velocity v = {1, 2};
    CHECK_REFUSED(&o, kith_set_bytes(w, o.e, &Velocity_type, &v, sizeof(v)) == KITH_ERR_MISUSE,
                  "kith_set_bytes");
    CHECK(!KITH_HAS(w, o.e, Velocity));
    CHECK_FLOAT(KITH_GET(w, o.e, Position)->x, 1);
    close_world(&o);
}

TEST_EACH_LAYOUT(no_component_goes, layout)
{
    opened o = open_world(layout);
    CHECK_REFUSED(&o, KITH_REMOVE(o.f.world, o.e, Position) == KITH_ERR_MISUSE, "kith_remove");
    CHECK_REFUSED(&o, KITH_REMOVE(o.f.world, o.e, Byte) == KITH_ERR_MISUSE, "kith_remove");
    CHECK_REFUSED(&o, kith_remove_all(o.f.world, o.e) == KITH_ERR_MISUSE, "kith_remove_all");
    CHECK_REFUSED(&o, kith_remove_all(o.f.world, o.bare) == KITH_ERR_MISUSE, "kith_remove_all");
    close_world(&o);
}

TEST_EACH_LAYOUT(the_world_stays_as_it_is, layout)
{
    opened o = open_world(layout);
    kith_world *w = o.f.world;
    static const kith_type late = {.name = "Late", .align = 1};
    CHECK_REFUSED(&o, kith_register(w, &late, NULL) == KITH_ERR_MISUSE, "kith_register");
    const kith_component_def def = {.layout = layout};
    CHECK_REFUSED(&o, kith_register(w, &Position_type, &def) == KITH_ERR_MISUSE, "kith_register");
    const size_t used = kith_memory(w).used;
    CHECK_REFUSED(&o, (kith_world_trim(w), true), "kith_world_trim");
    CHECK_UINT(kith_memory(w).used, used);
    CHECK_REFUSED(&o, (kith_world_release(w), true), "kith_world_release");
    CHECK_REFUSED(&o, kith_run(w, 1) == KITH_ERR_MISUSE, "kith_run");
    CHECK_UINT(kith_tick_count(w), 0);
    const kith_system_def system = {.name = "system", .update = update_nothing};
    CHECK_REFUSED(&o, kith_system_add(w, &system) == KITH_ERR_MISUSE, "kith_system_add");
    CHECK_REFUSED(&o, (kith_query_free(o.query), true), "kith_query_free");
    CHECK(kith_alive(w, o.e));
    close_world(&o);
}

/* Reading and overwriting is fine; so are events, resources and queries. */
TEST_EACH_LAYOUT(overwriting_is_allowed, layout)
{
    opened o = open_world(layout);
    kith_world *w = o.f.world;
    CHECK_RESULT(KITH_SET(w, o.e, Position, {10, 20}), KITH_OK);
    CHECK_RESULT(KITH_ADD(w, o.e, Position), KITH_OK);
    CHECK_FLOAT(KITH_GET(w, o.e, Position)->y, 20);
    CHECK_RESULT(KITH_SET_VALUES(w, o.e, KITH_VALUE(Position, {11, 21}), KITH_VALUE(Byte, {9})),
                 KITH_OK);
    CHECK_RESULT(kith_set_bytes(w, o.e, &Position_type, &(Position){12, 22}, 8), KITH_OK);
    KITH_GET_MUT(w, o.e, Position)->x = 13;
    CHECK_FLOAT(KITH_GET(w, o.e, Position)->x, 13);
    CHECK_FLOAT(KITH_GET(w, o.e, Position)->y, 22);
    CHECK_UINT(KITH_GET(w, o.e, Byte)->value, 9);
    CHECK_RESULT(KITH_REMOVE(w, o.bare, Position), KITH_ERR_MISUSE);
    expect_misuse(&o.f, "kith_remove");
    CHECK_RESULT(KITH_RESOURCE_SET(w, Extra, {1, 2, 3}), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(w, Extra, {4, 5, 6}), KITH_OK);
    CHECK_RESULT(kith_resource_remove(w, &Extra_type), KITH_OK);
    CHECK_RESULT(KITH_SEND(w, Extra, {1, 2, 3}), KITH_OK);
    kith_event_clear(w, &Extra_type);
    kith_query *other = KITH_QUERY(w, KITH_READ(Byte));
    CHECK_UINT(kith_query_count(other), 1);
    CHECK_UINT(kith_query_count(o.query), 4);
    CHECK(kith_query_contains(o.query, o.e));
    kith_query_free(other);
    CHECK_RESULT(kith_world_check(w), KITH_OK);
    o.hash = kith_world_hash(w);
    close_world(&o);
}

/* Values that the loop itself reads or writes may be overwritten by call. */
TEST_EACH_LAYOUT(overwriting_what_is_visited, layout)
{
    enum { COUNT = 1500 };
    fixture f = fixture_with_all(layout);
    for (int i = 0; i < COUNT; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 0}));
    }
    kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Health));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_RESULT(KITH_SET(f.world, kith_entities(&it)[i], Health, {5, 6}), KITH_OK);
            CHECK_INT(KITH_AT(&it, i, Health)->current, 5);
            KITH_AT_MUT(&it, i, Health)->current++;
        }
    }
    for (uint32_t i = 1; i <= COUNT; i++) {
        const kith_entity e = {i, 0};
        CHECK_INT(KITH_GET(f.world, e, Health)->current, 6);
    }
    fixture_free(&f);
}

/* ---- Nested ---------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(queries_within_queries, layout)
{
    fixture f = fixture_with_all(layout);
    for (uint32_t i = 0; i < 40; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(Health, {0, 0}));
    }
    kith_query *a = KITH_QUERY(f.world, KITH_READ(Position));
    kith_query *b = KITH_QUERY(f.world, KITH_WRITE(Health));
    uint32_t pairs = 0;
    for (kith_iter outer = kith_query_iter(a); kith_next(&outer);) {
        for (uint32_t i = 0; i < outer.count; i++) {
            for (kith_iter inner = kith_query_iter(b); kith_next(&inner);) {
                for (uint32_t k = 0; k < inner.count; k++) {
                    KITH_AT_MUT(&inner, k, Health)->current++;
                    pairs++;
                }
                CHECK(kith_is_none(kith_spawn_empty(f.world)));
                expect_misuse(&f, "kith_spawn");
            }
            /* The inner one is over, the outer one is not. */
            CHECK(kith_is_none(kith_spawn_empty(f.world)));
            expect_misuse(&f, "kith_spawn");
            for (kith_iter again = kith_query_iter(a); kith_next(&again);) {
                CHECK_UINT(KITH_AT(&again, 0, Position)->y == 0, 1);
            }
        }
    }
    CHECK_UINT(pairs, 1600);
    CHECK_INT(KITH_GET(f.world, kith_query_first(b), Health)->current, 40);
    CHECK(kith_alive(f.world, kith_spawn_empty(f.world)));
    fixture_free(&f);
}

/* They may end in any order. */
TEST_EACH_LAYOUT(queries_that_end_out_of_order, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Velocity));
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_iter its[5];
    for (int i = 0; i < 5; i++) {
        its[i] = kith_query_iter(query);
        CHECK(kith_next(&its[i]));
    }
    static const int order[] = {2, 0, 4, 1, 3};
    for (int i = 0; i < 5; i++) {
        CHECK(kith_is_none(kith_spawn_empty(f.world)));
        expect_misuse(&f, "kith_spawn_empty");
        if (i % 2 == 0) {
            kith_iter_close(&its[order[i]]);
        } else {
            CHECK(!kith_next(&its[order[i]]));
        }
        CHECK_RESULT(kith_world_check(f.world), KITH_OK);
    }
    CHECK(kith_alive(f.world, kith_spawn_empty(f.world)));
    fixture_free(&f);
}

/* ---- Ends ------------------------------------------------------------------------------------ */

TEST_EACH_LAYOUT(a_loop_that_leaves_early, layout)
{
    fixture f = fixture_with_all(layout);
    for (int i = 0; i < 3000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position));
    }
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    for (int round = 0; round < 3; round++) {
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            kith_iter_close(&it);
            CHECK_RESULT(it.result, KITH_OK);
            kith_iter_close(&it); /* does nothing */
            CHECK(!kith_next(&it));
            break;
        }
        CHECK(kith_alive(f.world, KITH_SPAWN(f.world, KITH_VALUE(Position))));
    }
    /* Before the first step as well. */
    kith_iter it = kith_query_iter(query);
    CHECK(kith_is_none(kith_spawn_empty(f.world)));
    expect_misuse(&f, "kith_spawn_empty");
    kith_iter_close(&it);
    CHECK(kith_alive(f.world, kith_spawn_empty(f.world)));
    fixture_free(&f);
}

/* A copy is void as soon as the query is moved on or closed through the other. */
TEST(copies_of_an_iterator)
{
    fixture f = fixture_with_all(KITH_TABLE);
    for (int i = 0; i < 3000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position));
    }
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_iter it = kith_query_iter(query);
    kith_iter copy = it;
    uint32_t seen = 0;
    while (kith_next(&copy)) {
        seen += copy.count;
        CHECK(!kith_next(&it));
        expect_misuse(&f, "copy");
        CHECK_PTR_NULL(kith_entities(&it));
        expect_misuse(&f, "kith_entities");
    }
    CHECK_UINT(seen, 3000);
    CHECK(kith_alive(f.world, kith_spawn_empty(f.world)));
    CHECK(!kith_next(&it));
    expect_misuse(&f, "copy");
    kith_iter_close(&it);
    CHECK(!kith_next(&it));

    /* Also where another query has been opened since, perhaps in the same place. */
    it = kith_query_iter(query);
    copy = it;
    kith_iter_close(&copy);
    kith_iter other = kith_query_iter(query);
    CHECK(!kith_next(&it));
    expect_misuse(&f, "copy");
    kith_iter_close(&it);
    CHECK(!kith_next(&it));
    CHECK(kith_next(&other));
    CHECK_UINT(other.count, 1024);

    /* Ending the void one leaves the other open. */
    copy = other;
    CHECK(kith_next(&other));
    kith_iter_close(&copy);
    CHECK(kith_is_none(kith_spawn_empty(f.world)));
    expect_misuse(&f, "kith_spawn_empty");
    CHECK(kith_next(&other));
    kith_iter_close(&other);
    CHECK(kith_alive(f.world, kith_spawn_empty(f.world)));
    fixture_free(&f);
}

/* A loop that forgot to end is told at the next change, with its place; and the world can be saved by
 * ending it late. */
TEST(a_loop_that_forgot_to_end)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    kith_query *query = kith_query_new_or_null(
        f.world,
        &(const kith_query_def){.terms = KITH_TERMS(KITH_READ(Position)), .name = "forgetful"});
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        break;
    }
    CHECK(kith_is_none(kith_spawn_empty(f.world)));
    CHECK_CONTAINS(f.misuse, "test_open.c");
    CHECK_CONTAINS(f.misuse, "kith_iter_close");
    expect_misuse(&f, "kith_spawn_empty");
    kith_iter_close(&it);
    CHECK(kith_alive(f.world, kith_spawn_empty(f.world)));
    fixture_free(&f);
}

/* Freeing is refused by the place where that very query was opened, whatever else is open. */
TEST(freeing_one_of_several_open_queries)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Byte));
    kith_query *outer = KITH_QUERY(f.world, KITH_READ(Position));
    kith_query *inner = KITH_QUERY(f.world, KITH_READ(Byte));
    char where[300];
    snprintf(where, sizeof(where), "%s:%d", __FILE__, __LINE__ + 1);
    kith_iter first = kith_query_iter(outer);
    kith_iter second = kith_query_iter(inner);
    kith_query_free(outer);
    CHECK_CONTAINS(f.misuse, where);
    expect_misuse(&f, "kith_query_free");
    CHECK(kith_next(&first));
    kith_iter_close(&first);
    kith_query_free(outer);
    CHECK(kith_next(&second));
    kith_iter_close(&second);
    kith_query_free(inner);
    fixture_free(&f);
}

/* Before the first step and behind the end there is no batch; the world's handler is told. */
static void check_no_batch(fixture *f, kith_iter *it)
{
    CHECK_PTR_NULL(kith_entities(it));
    expect_misuse(f, "kith_entities");
    CHECK_PTR_NULL(KITH_COLUMN(it, Position));
    expect_misuse(f, "kith_column");
    CHECK_PTR_NULL(KITH_COLUMN_MUT(it, Position));
    expect_misuse(f, "kith_column_mut");
    CHECK_PTR_NULL(KITH_AT(it, 0, Position));
    expect_misuse(f, "kith_at");
    CHECK_PTR_NULL(KITH_AT_MUT(it, 0, Position));
    expect_misuse(f, "kith_at");
    CHECK_UINT(it->count, 0);
}

TEST_EACH_LAYOUT(looking_where_there_is_no_batch, layout)
{
    fixture f = fixture_with_all(layout);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Position));
    kith_iter it = kith_query_iter(query);
    check_no_batch(&f, &it);
    CHECK(kith_next(&it));
    CHECK_PTR_NOT_NULL(KITH_AT(&it, 0, Position));
    CHECK(!kith_next(&it));
    check_no_batch(&f, &it);
    it = kith_query_iter(query);
    CHECK(kith_next(&it));
    kith_iter_close(&it);
    check_no_batch(&f, &it);
    fixture_free(&f);
}

/* ---- One entity ------------------------------------------------------------------------------ */

TEST_EACH_LAYOUT(a_query_of_one_entity, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = kith_spawn_empty(f.world);
    for (int i = 0; i < 1030; i++) {
        kith_entity next = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 1}));
        e = i == 1027 ? next : e;
    }
    CHECK_RESULT(KITH_SET(f.world, e, Velocity, {1, 2}), KITH_OK);
    kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Position), KITH_OPTIONAL(Velocity));
    kith_iter it = kith_query_iter_one(query, e);
    CHECK(kith_is_none(kith_spawn_empty(f.world)));
    CHECK_CONTAINS(f.misuse, "test_open.c");
    expect_misuse(&f, "kith_spawn_empty");
    CHECK(kith_next(&it));
    CHECK_UINT(it.count, 1);
    CHECK_SAME(kith_entities(&it)[0], e);
    CHECK_FLOAT(KITH_AT_MUT(&it, 0, Position)->x, 1027);
    CHECK_FLOAT(KITH_AT(&it, 0, Velocity)->dy, 2);
    CHECK(KITH_AT_MUT(&it, 0, Position) == KITH_GET_MUT(f.world, e, Position));
    KITH_AT_MUT(&it, 0, Position)->y = 5;
    CHECK(!kith_next(&it));
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 5);
    CHECK(kith_alive(f.world, kith_spawn_empty(f.world)));

    /* One that does not match, and one that is dead. */
    kith_entity bare = kith_spawn_empty(f.world);
    it = kith_query_iter_one(query, bare);
    CHECK(!kith_next(&it));
    it = kith_query_iter_one(query, KITH_NONE);
    CHECK(!kith_next(&it));
    it = kith_query_iter_one(query, e);
    kith_iter_close(&it);
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    it = kith_query_iter_one(query, e);
    CHECK(!kith_next(&it));
    fixture_free(&f);
}

/* What a query writes by look-up is made ready each time that it is opened. */
TEST_EACH_LAYOUT(optional_values_that_are_shared_between_two_loops, layout)
{
    fixture f = fixture_new();
    kith_register(f.world, &Position_type, NULL);
    kith_register(f.world, &Velocity_type, &(kith_component_def){.layout = layout});
    for (int i = 0; i < 100; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}));
    }
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position), KITH_OPTIONAL_MUT(Velocity));
    test_share *shared = NULL;
    for (int loop = 0; loop < 3; loop++) {
        uint32_t found = 0;
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            for (uint32_t i = 0; i < it.count; i++) {
                KITH_AT_MUT(&it, i, Velocity)->dx += 1;
                found++;
            }
        }
        CHECK_UINT(found, 100);
        if (shared != NULL) {
            test_share_free(shared);
        }
        shared = test_share_world(f.world);
        CHECK_PTR_NOT_NULL(shared);
    }
    test_share_free(shared);
    fixture_free(&f);
}

/* ---- Loops that were left ------------------------------------------------------------------------ */

/* Leaves a loop as nobody should: nothing is left that could close it. */
static void leave_loop(kith_query *query)
{
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        break;
    }
}

TEST_EACH_LAYOUT(what_was_left_open_can_be_closed, layout)
{
    fixture f = fixture_with_all(layout);
    kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Position));
    kith_query *other = KITH_QUERY(f.world, KITH_READ(Byte));
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte));
    CHECK_UINT(kith_queries_close(f.world), 0);
    leave_loop(query);
    leave_loop(other);
    leave_loop(query);
    kith_iter there = kith_query_iter(other);
    CHECK(kith_next(&there));
    CHECK_WORLD(f.world);
    CHECK_UINT(kith_queries_close(f.world), 4);
    CHECK_WORLD(f.world);
    CHECK_UINT(kith_queries_close(f.world), 0);
    CHECK(!kith_next(&there));
    expect_misuse(&f, "kith_next: the query of Byte was closed");
    kith_iter_close(&there); /* does nothing */

    CHECK_RESULT(KITH_ADD(f.world, e, Velocity), KITH_OK);
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    CHECK_FLOAT(KITH_AT_MUT(&it, 0, Position)->y, 2);
    CHECK(!kith_next(&it));
    kith_query_free(other);
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    fixture_free(&f);
}
