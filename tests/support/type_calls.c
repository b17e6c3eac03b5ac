/* Calls that register types, or are the first to name one, and those about tables. */
#include "type_calls.h"

kith_result type_call_register_type(stage *s)
{
    return kith_register(s->world, &Target_type, &(kith_component_def){.layout = s->def.layout});
}

/* Calls that are the first to name a type, and so register it. */
static const kith_type *const two_new[] = {&Target_type, &Extra_type};
static const kith_term new_terms[] = {{&Target_type, KITH_ACCESS_READ, KITH_MUST, 0, NULL},
                                      {&Extra_type, KITH_ACCESS_NONE, KITH_MUST_NOT, 0, NULL},
                                      {0}};

kith_result type_call_register_many(stage *s)
{
    return kith_register_many(s->world, two_new, 2);
}

kith_result type_call_set_first(stage *s)
{
    return kith_set(s->world, s->plain, &Target_type, NULL);
}

kith_result type_call_add_first(stage *s)
{
    return kith_add(s->world, s->plain, &Target_type);
}

kith_result type_call_set_bytes_first(stage *s)
{
    static const Target target;
    return kith_set_bytes(s->world, s->plain, &Target_type, &target, sizeof target);
}

kith_result type_call_set_several_first(stage *s)
{
    const kith_value values[] = {{two_new[0], NULL}, {two_new[1], NULL}};
    return kith_set_values(s->world, s->plain, values, 2);
}

kith_result type_call_spawn_first(stage *s)
{
    const kith_value values[] = {{two_new[0], NULL}, {two_new[1], NULL}};
    kith_entity made;
    return kith_spawn(s->world, values, 2, &made);
}

kith_result type_call_spawn_many_first(stage *s)
{
    const kith_values values[] = {{two_new[0], NULL, false}, {two_new[1], NULL, false}};
    return kith_spawn_many(s->world, 10, values, 2, NULL);
}

kith_result type_call_query_first(stage *s)
{
    const kith_query_def def = {.terms = new_terms};
    kith_query *query;
    return kith_query_new(s->world, &def, &query);
}

kith_result type_call_tracker_first(stage *s)
{
    kith_tracker *tracker;
    return kith_tracker_new(s->world, &Target_type, &tracker);
}

kith_result type_call_lookup_first(stage *s)
{
    return kith_lookup_new(s->world, &Target_type).result;
}

static void observe_nothing(const kith_observed *observed)
{
    (void)observed;
}

kith_result type_call_observer_first(stage *s)
{
    const kith_observer_def def = {
        .kind = KITH_ON_ADD, .type = &Target_type, .run = observe_nothing};
    return kith_observer_new(s->world, &def, NULL);
}

static void run_nothing(kith_iter *it)
{
    kith_iter_close(it);
}

kith_result type_call_system_first(stage *s)
{
    const kith_system_def def = {
        .name = "first use", .run = run_nothing, .query = {.terms = new_terms}};
    return kith_system_add(s->world, &def);
}

kith_result type_call_table_memory(stage *s)
{
    kith_table_stats stats = {.rows = 77};
    kith_result result = kith_table_memory(s->world, 0, &stats, NULL, 0);
    CHECK(result == KITH_OK || stats.rows == 77);
    return result;
}

/* The list of tables was sorted; since then one went, and one came. */
void type_call_exchange_tables(stage *s)
{
    kith_entity e = KITH_SPAWN(s->world, KITH_VALUE(Byte), KITH_VALUE(Burning));
    CHECK_RESULT(type_call_table_memory(s), KITH_OK);
    CHECK_RESULT(kith_despawn(s->world, e), KITH_OK);
    kith_world_trim(s->world);
    CHECK(!kith_is_none(KITH_SPAWN(s->world, KITH_VALUE(Name), KITH_VALUE(Burning))));
}

kith_result type_call_all_tables_memory(stage *s)
{
    uint32_t rows = 0;
    kith_table_stats stats;
    for (uint32_t i = 0; i < kith_memory(s->world).tables; i++) {
        kith_result result = kith_table_memory(s->world, i, &stats, NULL, 0);
        if (result != KITH_OK) {
            return result;
        }
        rows += stats.rows;
    }
    CHECK_UINT(rows, kith_entity_count(s->world));
    return KITH_OK;
}
