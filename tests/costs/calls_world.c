/* Calls about worlds, types, queries, and pools. */
#include <stdio.h>

#include "crowd.h"

/* ---- Worlds ------------------------------------------------------------------------------------ */

static void act_world_new(crowd *c)
{
    kith_world_free(kith_world_new(NULL));
    (void)c;
}

static void act_yield(crowd *c)
{
    kith_world_release(c->world);
    kith_world_claim(c->world);
}

static void act_error(crowd *c)
{
    CHECK(kith_error(c->world) != NULL);
    CHECK_RESULT(kith_require_change(c->world, "a test"), KITH_OK);
    CHECK_RESULT(kith_misuse(c->world, "none"), KITH_ERR_MISUSE);
    kith_log(c->world, KITH_LOG_INFO, "entity %u", c->own.index1);
    CHECK(kith_world_allocator(c->world).allocate != NULL);
}

static void act_attach(crowd *c)
{
    const char *key = (const char *)c + c->try; /* each has another place in a map */
    CHECK_RESULT(kith_attach(c->world, key, c, NULL), KITH_OK);
    CHECK(kith_attached(c->world, key) == c);
    CHECK_RESULT(kith_attach_state(c->world, key, NULL), KITH_OK);
    CHECK_RESULT(kith_attach(c->world, key, NULL, NULL), KITH_OK);
}

static void act_memory(crowd *c)
{
    CHECK(kith_memory(c->world).used != 0);
}

static void act_component_memory(crowd *c)
{
    kith_component_stats stats;
    CHECK_RESULT(kith_component_memory(c->world, &Extra_type, &stats), KITH_OK);
    CHECK_RESULT(kith_component_memory(c->world, &Byte_type, &stats), KITH_OK);
}

/* Before and after a table is new. */
static void act_table_memory(crowd *c)
{
    kith_table_stats stats;
    CHECK_RESULT(kith_table_memory(c->world, 3, &stats, NULL, 0), KITH_OK);
}

static void prepare_first_table_memory(crowd *c)
{
    act_table_memory(c);
    crowd_spawn_new(c);
}

/* ---- Types ------------------------------------------------------------------------------------- */

static void act_register(crowd *c)
{
    CHECK_RESULT(kith_register(c->world, &c->strange[c->turn], NULL), KITH_OK);
}

static void act_register_again(crowd *c)
{
    CHECK_RESULT(kith_register(c->world, &Extra_type, NULL), KITH_OK);
}

static void act_register_many(crowd *c)
{
    const kith_type *const types[] = {&c->strange[c->turn], &Extra_type};
    CHECK_RESULT(kith_register_many(c->world, types, 2), KITH_OK);
}

static void act_define(crowd *c)
{
    char name[32];
    snprintf(name, sizeof name, "Defined%u", c->turn);
    const kith_field field = {"x", 0, 4, KITH_F32};
    const kith_type_def def = {.name = name, .fields = &field, .field_count = 1};
    CHECK_RESULT(kith_define(c->world, &def, NULL), KITH_OK);
}

static void act_types(crowd *c)
{
    kith_layout layout;
    CHECK(kith_type_count(c->world) != 0 && kith_type_at(c->world, 3) != NULL);
    CHECK(kith_type_find(c->world, "Extra") != NULL && !kith_has_hooks(c->world, &Extra_type));
    CHECK(!kith_is_transient(c->world, &Extra_type));
    CHECK_RESULT(kith_layout_of(c->world, &Extra_type, &layout), KITH_OK);
}

/* ---- Queries ----------------------------------------------------------------------------------- */

static const kith_term terms[] = {KITH_READ(Velocity), KITH_READ(Health), {0}};

static void act_query_new(crowd *c)
{
    kith_query *query;
    const kith_query_def def = {.terms = terms};
    CHECK_RESULT(kith_query_new(c->world, &def, &query), KITH_OK);
    c->made = query;
}

static void prepare_query_bound(crowd *c)
{
    c->made = KITH_QUERY(c->world, KITH_IF(Name, text, ==, kith_bound("name")));
}

static void act_query_bind(crowd *c)
{
    CHECK_RESULT(kith_query_bind((kith_query *)c->made, "name", "a text"), KITH_OK);
}

static void act_query_text(crowd *c)
{
    size_t length = 0;
    const char *text = "write Position, Velocity, !Frozen";
    CHECK_RESULT(kith_query_text_tidy(c->world, text, NULL, 0, &length, NULL), KITH_OK);
    c->made = kith_query_text(c->world, text, NULL);
    CHECK(c->made != NULL);
}

static void act_select(crowd *c)
{
    kith_select *select;
    char row[100];
    CHECK_RESULT(kith_select_new(c->world,
                                 "Position, Name where within(Position, $x, 0, 1e30)"
                                 " select Position order by Position.x",
                                 NULL, &select),
                 KITH_OK);
    CHECK_RESULT(kith_select_bind(select, "x", 1), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), 1);
    CHECK_UINT(kith_select_column_count(select), 2);
    CHECK(kith_select_column(select, 1) != NULL && kith_select_value(select, 0, 1) != NULL);
    CHECK(kith_select_print(select, 0, KITH_SELECT_TEXT, row, sizeof row) != 0);
    kith_select_free(select);
}

static void act_query_free(crowd *c)
{
    kith_query_free(c->made);
}

static void act_query_free_old(crowd *c)
{
    kith_query_free(c->old[c->try].query);
}

static void act_query_hold(crowd *c)
{
    kith_query *held = c->old[c->try].query;
    kith_query_set_holder(held, &held);
    kith_query_set_holder(held, NULL);
}

static void visit(kith_query *query, kith_entity one)
{
    kith_iter it = kith_is_none(one) ? kith_query_iter(query) : kith_query_iter_one(query, one);
    while (kith_next(&it)) {
        CHECK(kith_entities(&it) != NULL && kith_column(&it, &Position_type) != NULL);
    }
}

static void act_iterate(crowd *c)
{
    visit(c->query, KITH_NONE);
}

static void act_iterate_mixed(crowd *c)
{
    kith_iter it = kith_query_iter(c->mixed);
    while (kith_next(&it)) {
        CHECK(kith_entities(&it) != NULL);
    }
}

static void act_iterate_one(crowd *c)
{
    visit(c->wide, c->own);
}

/* A new table among those that match. */
static void prepare_iterate_new(crowd *c)
{
    visit(c->wide, KITH_NONE);
    crowd_spawn_new(c);
}

static void act_iterate_new(crowd *c)
{
    kith_iter it = kith_query_iter(c->wide);
    CHECK(kith_next(&it));
    kith_iter_close(&it);
}

static void prepare_changed(crowd *c)
{
    kith_query_skip_changes(c->changed);
    CHECK_RESULT(KITH_SET(c->world, c->own, Name, {{(char)('a' + c->try)}}), KITH_OK);
}

static void act_iterate_changed(crowd *c)
{
    kith_iter it = kith_query_iter(c->changed);
    CHECK(kith_next(&it));
    CHECK_UINT(it.count, 1);
    CHECK(!kith_next(&it));
}

static void act_query_count(crowd *c)
{
    CHECK(kith_query_count(c->query) != 0);
}

static void act_query_explain(crowd *c)
{
    CHECK_RESULT(kith_query_explain(c->query, true, NULL, 0, NULL), KITH_OK);
}

static void act_query_first(crowd *c)
{
    CHECK(!kith_is_none(kith_query_first(c->query)));
}

static void act_query_single(crowd *c)
{
    kith_entity entity;
    CHECK_RESULT(kith_query_single(c->mixed, &entity), KITH_OK);
}

static void act_query_contains(crowd *c)
{
    CHECK(kith_query_contains(c->query, c->own) && !kith_query_contains(c->query, c->plain));
}

static void act_mark_seen(crowd *c)
{
    kith_query_skip_changes(c->query);
}

static void act_iter_close(crowd *c)
{
    kith_iter it = kith_query_iter(c->wide);
    kith_iter_close(&it);
}

static void act_queries_close(crowd *c)
{
    (void)kith_query_iter(c->wide);
    CHECK_UINT(kith_queries_close(c->world), 1);
}

/* ---- Pools ------------------------------------------------------------------------------------- */

static void act_pool_new(crowd *c)
{
    c->made = kith_pool_new(NULL, sizeof(Extra), _Alignof(Extra));
    CHECK_PTR_NOT_NULL(c->made);
}

static void act_pool_free(crowd *c)
{
    kith_pool_free(c->made);
}

static void act_pool_free_old(crowd *c)
{
    kith_pool_free(c->old[c->try].pool);
}

static void act_pool(crowd *c)
{
    kith_pool_id id;
    CHECK_RESULT(kith_pool_create(c->pool, NULL, &id), KITH_OK);
    CHECK(kith_pool_alive(c->pool, id) && kith_pool_get(c->pool, id) != NULL);
    CHECK(kith_pool_get_mut(c->pool, id) != NULL && kith_pool_count(c->pool) != 0);
    CHECK_UINT(kith_pool_at(c->pool, id.index1 - 1).index1, id.index1);
    kith_pool_id cursor = {0};
    CHECK(kith_pool_next(c->pool, &cursor) != NULL && kith_pool_memory(c->pool).used != 0);
    CHECK_RESULT(kith_pool_kill(c->pool, id), KITH_OK);
}

const crowd_call crowd_calls_world[] = {
    {CALL(kith_world_new, kith_world_free), .act = act_world_new},
    {CALL(kith_world_release, kith_world_claim), .act = act_yield},
    {CALL(kith_error, kith_misuse, kith_log, kith_require_change, kith_world_allocator),
     .act = act_error},
    {CALL(kith_attach, kith_attach_state, kith_attached), .act = act_attach},
    {CALL(kith_memory), .act = act_memory},
    {CALL(kith_component_memory), .act = act_component_memory},
    {CALL(kith_table_memory), .act = act_table_memory},
    {CALL(kith_table_memory), .act = act_table_memory, .prepare = prepare_first_table_memory,
     .undo = crowd_undo_entity},
    {CALL(kith_register), .act = act_register},
    {CALL(kith_register), .act = act_register_again},
    {CALL(kith_register_many), .act = act_register_many},
    {CALL(kith_define), .act = act_define},
    {CALL(kith_type_count, kith_type_at, kith_type_find, kith_layout_of, kith_has_hooks,
          kith_is_transient),
     .act = act_types},
    {CALL(kith_query_new, kith_query_new_or_null), .act = act_query_new, .undo = act_query_free},
    {CALL(kith_query_text, kith_query_text_tidy), .act = act_query_text, .undo = act_query_free},
    {CALL(kith_select_new, kith_select_bind_operand, kith_select_run, kith_select_row_count,
          kith_select_column_count, kith_select_column, kith_select_value, kith_select_print,
          kith_select_free),
     .act = act_select},
    {CALL(kith_query_free), .act = act_query_free, .prepare = act_query_new},
    {CALL(kith_query_set_holder), .act = act_query_hold},
    {CALL(kith_query_free), .act = act_query_free_old},
    {CALL(kith_query_bind_operand), .act = act_query_bind, .prepare = prepare_query_bound,
     .undo = act_query_free},
    {CALL(kith_query_iter_at, kith_next_slow, kith_entities, kith_column), .act = act_iterate},
    {CALL(kith_query_iter_at), .act = act_iterate_mixed},
    {CALL(kith_query_iter_at), .act = act_iterate_changed, .prepare = prepare_changed},
    {CALL(kith_query_iter_at), .act = act_iterate_new, .prepare = prepare_iterate_new,
     .undo = crowd_undo_entity},
    {CALL(kith_query_iter_one_at), .act = act_iterate_one},
    {CALL(kith_iter_close), .act = act_iter_close},
    {CALL(kith_queries_close), .act = act_queries_close},
    {CALL(kith_query_count), .act = act_query_count},
    {CALL(kith_query_explain), .act = act_query_explain},
    {CALL(kith_query_first), .act = act_query_first},
    {CALL(kith_query_single), .act = act_query_single},
    {CALL(kith_query_contains), .act = act_query_contains},
    {CALL(kith_query_skip_changes), .act = act_mark_seen},
    {CALL(kith_pool_new), .act = act_pool_new, .undo = act_pool_free},
    {CALL(kith_pool_free), .act = act_pool_free, .prepare = act_pool_new},
    {CALL(kith_pool_free), .act = act_pool_free_old},
    {CALL(kith_pool_create, kith_pool_alive, kith_pool_get, kith_pool_get_mut, kith_pool_count,
          kith_pool_at, kith_pool_next, kith_pool_next_mut, kith_pool_memory, kith_pool_kill),
     .act = act_pool},
};
const uint32_t crowd_calls_world_count = sizeof crowd_calls_world / sizeof crowd_calls_world[0];
