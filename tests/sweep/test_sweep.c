/* Every public call that can run out of memory does so, at each of its allocations, and the world stays
 * as it was. Every other call is shown to need none.
 *
 * The calls are read from the headers: one that stands in neither table fails the test. */
#include <stdio.h>
#include <string.h>

#include "headers.h"
#include "pools.h"
#include "stage.h"

/* ---- Calls that can fail ------------------------------------------------------------------- */

typedef struct swept_call {
    const char *name; /* of the function */
    const char *what; /* is tried with it */
    /* A failure is KITH_ERR_MEMORY; of calls that return a pointer or a handle, too. */
    kith_result (*act)(stage *s);
    bool only_shared; /* while no block is shared, it does not fail */
    void (*prepare)(stage *s); /* what comes before, with all memory there; or NULL */
} swept_call;

static kith_result memory_if(bool failed)
{
    return failed ? KITH_ERR_MEMORY : KITH_OK;
}

static const kith_entity untouched = { 0xEEEEEEEE, 0xEEEEEEEE };

static kith_result spawn_values(stage *s, const kith_value *values, uint32_t count)
{
    kith_entity entity = untouched;
    kith_result result = kith_spawn(s->world, values, count, &entity);
    CHECK_INT(kith_same(entity, untouched), result != KITH_OK);
    return result;
}

static kith_result spawn_known(stage *s)
{
    const kith_value values[] = { KITH_VALUE(Position, { 1, 2 }), KITH_VALUE(Velocity, { 3, 4 }) };
    return spawn_values(s, values, 2);
}

static kith_result spawn_new_kind(stage *s)
{
    const kith_value values[] = { KITH_VALUE(Name, { "new" }), KITH_ZERO(Burning),
                                  KITH_VALUE(Position, { 1, 2 }) };
    return spawn_values(s, values, 3);
}

static kith_result spawn_nothing(stage *s)
{
    return spawn_values(s, NULL, 0);
}

static kith_result spawn_or_none(stage *s)
{
    return memory_if(kith_is_none(
        KITH_SPAWN(s->world, KITH_VALUE(Position, { 1, 2 }), KITH_VALUE(Velocity, { 3, 4 }))));
}

static kith_result spawn_empty(stage *s)
{
    return memory_if(kith_is_none(kith_spawn_empty(s->world)));
}

static kith_result spawn_some(stage *s, uint32_t count)
{
    static Position positions[1500];
    static kith_entity entities[1500];
    for (uint32_t i = 0; i < count; i++) {
        positions[i] = (Position){ (float)i, 7 };
        entities[i] = untouched;
    }
    const kith_values values[] = { KITH_EACH(Position, positions), KITH_REPEAT(Byte, { 3 }),
                                   { &Frozen_type, NULL, true } };
    kith_result result = kith_spawn_many(s->world, count, values, 3, entities);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_INT(kith_same(entities[i], untouched), result != KITH_OK);
    }
    return result;
}

static kith_result spawn_few(stage *s)
{
    return spawn_some(s, 7);
}

static kith_result spawn_blocks(stage *s)
{
    return spawn_some(s, 1500);
}

/* Values that stand in the world, in a column that may have to grow for the copy. */
static kith_result spawn_from(stage *s)
{
    const kith_value values[] = { { &Position_type, KITH_GET(s->world, s->plain, Position) },
                                  { &Velocity_type, KITH_GET(s->world, s->plain, Velocity) } };
    Position expected = *KITH_GET(s->world, s->plain, Position);
    kith_entity entity = untouched;
    kith_result result = kith_spawn(s->world, values, 2, &entity);
    if (result == KITH_OK) {
        CHECK_FLOAT(KITH_GET(s->world, entity, Position)->x, expected.x);
        CHECK_FLOAT(KITH_GET(s->world, entity, Position)->y, expected.y);
        CHECK_FLOAT(KITH_GET(s->world, entity, Velocity)->dy, 2);
    }
    return result;
}

static kith_result set_from(stage *s)
{
    Position expected = *KITH_GET(s->world, s->plain, Position);
    kith_result result = kith_set(s->world, s->empty, &Position_type,
                                  kith_get(s->world, s->plain, &Position_type));
    if (result == KITH_OK) {
        CHECK_FLOAT(KITH_GET(s->world, s->empty, Position)->x, expected.x);
        CHECK_FLOAT(KITH_GET(s->world, s->empty, Position)->y, expected.y);
    }
    return result;
}

static kith_result event_send_from(stage *s)
{
    uint32_t count = kith_event_count(s->world, &Position_type);
    Position expected = *KITH_EVENT(s->world, count - 1, Position);
    kith_result result =
        kith_event_send(s->world, &Position_type, KITH_EVENT(s->world, count - 1, Position));
    if (result == KITH_OK) {
        CHECK_FLOAT(KITH_EVENT(s->world, count, Position)->x, expected.x);
        CHECK_FLOAT(KITH_EVENT(s->world, count, Position)->y, expected.y);
    }
    return result;
}

static kith_result clone_of(stage *s, kith_entity entity)
{
    kith_entity clone = untouched;
    kith_result result = kith_clone(s->world, entity, &clone);
    CHECK_INT(kith_same(clone, untouched), result != KITH_OK);
    return result;
}

static kith_result clone_plain(stage *s)
{
    return clone_of(s, s->plain);
}

static kith_result clone_full(stage *s)
{
    return clone_of(s, s->full);
}

static kith_result despawn_plain(stage *s)
{
    return kith_despawn(s->world, s->plain);
}

static kith_result despawn_full(stage *s)
{
    return kith_despawn(s->world, s->full);
}

static kith_result despawn_several(stage *s)
{
    kith_entity entities[] = { s->plain, s->full,     s->gone,  s->crates[0],
                               s->empty, s->crates[1], s->plain };
    uint32_t ended = 77;
    kith_result result = kith_despawn_many(s->world, entities, 7, &ended);
    CHECK_UINT(ended, result == KITH_OK ? 5 : 77);
    return result;
}

static kith_result despawn_all(stage *s)
{
    static kith_entity entities[2000];
    uint32_t count = 0;
    kith_entity e = KITH_NONE;
    while (!kith_is_none(e = kith_entity_next(s->world, e))) {
        CHECK(count < 2000);
        entities[count++] = e;
    }
    return kith_despawn_many(s->world, entities, count, NULL);
}

static kith_result set_over(stage *s)
{
    return KITH_SET(s->world, s->plain, Position, { 9, 9 });
}

static kith_result set_known_kind(stage *s)
{
    return KITH_SET(s->world, s->empty, Position, { 9, 9 });
}

static kith_result set_new_kind(stage *s)
{
    return KITH_SET(s->world, s->plain, Name, { "named" });
}

static kith_result set_several(stage *s)
{
    const kith_value values[] = { KITH_VALUE(Position, { 9, 9 }), KITH_VALUE(Name, { "several" }),
                                  KITH_VALUE(Byte, { 1 }), KITH_ZERO(Burning) };
    return kith_set_several(s->world, s->plain, values, 4);
}

static kith_result set_several_over(stage *s)
{
    const kith_value values[] = { KITH_VALUE(Position, { 9, 9 }), KITH_VALUE(Health, { 1, 2 }),
                                  KITH_ZERO(Frozen) };
    return kith_set_several(s->world, s->full, values, 3);
}

static kith_result set_bytes(stage *s)
{
    Extra extra = { 1, 2, 3 };
    return kith_set_bytes(s->world, s->plain, &Extra_type, &extra, sizeof(extra));
}

static kith_result set_bytes_over(stage *s)
{
    Position position = { 9, 9 };
    return kith_set_bytes(s->world, s->plain, &Position_type, &position, sizeof(position));
}

static kith_result add_tag(stage *s)
{
    return KITH_ADD(s->world, s->plain, Burning);
}

static kith_result add_value(stage *s)
{
    return KITH_ADD(s->world, s->empty, Big);
}

static kith_result remove_value(stage *s)
{
    return KITH_REMOVE(s->world, s->plain, Velocity);
}

static kith_result remove_tag(stage *s)
{
    return KITH_REMOVE(s->world, s->frozen, Frozen);
}

static kith_result clear_full(stage *s)
{
    return kith_clear(s->world, s->full);
}

static kith_result clear_plain(stage *s)
{
    return kith_clear(s->world, s->plain);
}

static kith_result get_mut(stage *s)
{
    void *value = s;
    kith_result result = kith_get_mut(s->world, s->plain, &Position_type, &value);
    CHECK_INT(value == s, result != KITH_OK);
    if (result == KITH_OK) {
        ((Position *)value)->x = 77;
    }
    return result;
}

static kith_result get_mut_or_null(stage *s)
{
    Position *value = KITH_GET_MUT(s->world, s->plain, Position);
    if (value != NULL) {
        value->x = 77;
    }
    return memory_if(value == NULL);
}

static kith_result register_type(stage *s)
{
    return kith_register(s->world, &Target_type,
                         &(kith_component_def){ .layout = s->def.layout });
}

static kith_result event_register(stage *s)
{
    return kith_event_register(s->world, &Extra_type, &(kith_event_def){ .keep = 2 });
}

static kith_result event_send_first(stage *s)
{
    return KITH_SEND(s->world, Extra, { 1, 2, 3 });
}

static kith_result event_send_more(stage *s)
{
    return KITH_SEND(s->world, Position, { 1, 2 });
}

static kith_result resource_add(stage *s)
{
    return KITH_RESOURCE_SET(s->world, Big, { .words = { 1 } });
}

static kith_result resource_over(stage *s)
{
    return KITH_RESOURCE_SET(s->world, Health, { 1, 2 });
}

static kith_result resource_get_mut(stage *s)
{
    void *value = s;
    kith_result result = kith_resource_get_mut(s->world, &Health_type, &value);
    CHECK_INT(value == s, result != KITH_OK);
    if (result == KITH_OK) {
        ((Health *)value)->max = 77;
    }
    return result;
}

static kith_result resource_mut(stage *s)
{
    Health *value = KITH_RESOURCE_MUT(s->world, Health);
    if (value != NULL) {
        value->max = 77;
    }
    return memory_if(value == NULL);
}

static kith_result query_new(stage *s)
{
    static const kith_term terms[] = { KITH_READ(Position),      KITH_WRITE(Velocity),
                                       KITH_WITHOUT(Frozen),     KITH_MAY_READ(Extra),
                                       KITH_EITHER(Health, 0),   KITH_EITHER(Byte, 0),
                                       KITH_EITHER(Burning, 1),  KITH_EITHER(Name, 1) };
    const kith_query_def def = { .terms = terms, .term_count = 8, .name = "a name" };
    kith_query *query = NULL;
    kith_result result = kith_query_new(s->world, &def, &query);
    CHECK_INT(query != NULL, result == KITH_OK);
    return result;
}

static kith_result query_new_or_null(stage *s)
{
    return memory_if(KITH_QUERY(s->world, KITH_READ(Position), KITH_WITHOUT(Health)) == NULL);
}

/* Opens the query for writing, and writes to all that it hands out. Only if that goes well to the end is
 * the world changed; else what was written is put back. */
static kith_result write_through(stage *s, kith_iter it)
{
    static Position *written[2000];
    uint32_t count = 0;
    while (kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK(count < 2000);
            written[count] = KITH_AT_MUT(&it, 0, i, Position);
            written[count++]->y += 1000;
            Health *health = KITH_AT_MUT(&it, 1, i, Health);
            CHECK_INT(health != NULL, KITH_HAS(s->world, kith_entities(&it)[i], Health));
        }
    }
    while (it.result != KITH_OK && count > 0) {
        written[--count]->y -= 1000;
    }
    return it.result;
}

static kith_result iterate(stage *s)
{
    return write_through(s, kith_query_iter(s->query));
}

static kith_result iterate_one(stage *s)
{
    return write_through(s, kith_query_iter_one(s->query, s->full));
}

/* So many new tables that a query finds them all again. */
static void make_tables(stage *s)
{
    static const kith_type *const types[] = { &Velocity_type, &Health_type, &Extra_type, &Name_type,
                                              &Byte_type,     &Frozen_type, &Burning_type };
    for (uint32_t set = 0; set < 128; set++) {
        kith_value values[8] = { { &Position_type, NULL } };
        uint32_t count = 1;
        for (uint32_t i = 0; i < 7; i++) {
            if ((set >> i & 1) != 0) {
                values[count++] = (kith_value){ types[i], NULL };
            }
        }
        CHECK(!kith_is_none(kith_spawn_or_none(s->world, values, count)));
    }
}

static kith_result iterate_first(stage *s)
{
    uint32_t count = 0;
    kith_iter it = kith_query_iter(s->fresh);
    while (kith_next(&it)) {
        count += it.count;
    }
    CHECK(it.result != KITH_OK || count == kith_query_count(s->fresh));
    return it.result;
}

static kith_result iterate_again(stage *s)
{
    uint32_t count = 0;
    kith_iter it = kith_query_iter(s->all);
    while (kith_next(&it)) {
        count += it.count;
    }
    CHECK(it.result != KITH_OK || count == kith_query_count(s->all));
    return it.result;
}

/* Two cursors on one query. */
static kith_result iterate_one_first(stage *s)
{
    uint32_t count = 0;
    kith_iter outer = kith_query_iter_one(s->other, s->full);
    kith_iter inner = kith_query_iter_one(s->other, s->full);
    while (kith_next(&inner)) {
        count++;
    }
    CHECK(inner.result != KITH_OK || count == 1);
    kith_iter_end(&outer);
    CHECK_RESULT(outer.result, KITH_OK);
    return inner.result;
}

static kith_result table_memory(stage *s)
{
    kith_table_stats stats = { .rows = 77 };
    kith_result result = kith_table_memory(s->world, 0, &stats, NULL, 0);
    CHECK(result == KITH_OK || stats.rows == 77);
    return result;
}

static kith_result plain_system(kith_world *world, float dt, void *user)
{
    (void)world;
    (void)dt;
    (void)user;
    return KITH_OK;
}

static void query_system(kith_iter *it)
{
    (void)it;
}

static kith_result system_add(stage *s)
{
    const kith_system_def def = { .name = "plain", .update = plain_system };
    return kith_system_add(s->world, &def);
}

static kith_result system_add_query(stage *s)
{
    const kith_system_def def = { .name = "query",
                                  .run = query_system,
                                  .priority = -1,
                                  .query = { KITH_TERMS(KITH_WRITE(Position), KITH_READ(Extra)) } };
    return kith_system_add(s->world, &def);
}

static const swept_call swept_calls[] = {
    { "kith_spawn", "into a known table", spawn_known, false, NULL },
    { "kith_spawn", "into a new table", spawn_new_kind, false, NULL },
    { "kith_spawn", "without components", spawn_nothing, false, NULL },
    { "kith_spawn", "from another's values", spawn_from, false, NULL },
    { "kith_spawn_or_none", "into a known table", spawn_or_none, false, NULL },
    { "kith_spawn_empty", "", spawn_empty, false, NULL },
    { "kith_spawn_many", "a few", spawn_few, false, NULL },
    { "kith_spawn_many", "more than a block", spawn_blocks, false, NULL },
    { "kith_clone", "few components", clone_plain, false, NULL },
    { "kith_clone", "many components", clone_full, false, NULL },
    { "kith_despawn", "from the middle of a table", despawn_plain, true, NULL },
    { "kith_despawn", "many components", despawn_full, true, NULL },
    { "kith_despawn_many", "some", despawn_several, true, NULL },
    { "kith_despawn_many", "all", despawn_all, true, NULL },
    { "kith_set", "what is there", set_over, true, NULL },
    { "kith_set", "what others have", set_known_kind, false, NULL },
    { "kith_set", "what nobody has", set_new_kind, false, NULL },
    { "kith_set", "from another's value", set_from, false, NULL },
    { "kith_set_several", "old and new", set_several, false, NULL },
    { "kith_set_several", "what is there", set_several_over, true, NULL },
    { "kith_set_bytes", "what is missing", set_bytes, false, NULL },
    { "kith_set_bytes", "what is there", set_bytes_over, true, NULL },
    { "kith_add", "a tag", add_tag, false, NULL },
    { "kith_add", "a large value", add_value, false, NULL },
    { "kith_remove", "a value", remove_value, false, NULL },
    { "kith_remove", "a tag", remove_tag, false, NULL },
    { "kith_clear", "many components", clear_full, false, NULL },
    { "kith_clear", "few components", clear_plain, false, NULL },
    { "kith_get_mut", "", get_mut, true, NULL },
    { "kith_get_mut_or_null", "", get_mut_or_null, true, NULL },
    { "kith_register", "", register_type, false, NULL },
    { "kith_event_register", "", event_register, false, NULL },
    { "kith_event_send", "the first of its type", event_send_first, false, NULL },
    { "kith_event_send", "more", event_send_more, false, NULL },
    { "kith_event_send", "one again", event_send_from, false, NULL },
    { "kith_resource_set", "a new one", resource_add, false, NULL },
    { "kith_resource_set", "what is there", resource_over, true, NULL },
    { "kith_resource_get_mut", "", resource_get_mut, true, NULL },
    { "kith_resource_mut_or_null", "", resource_mut, true, NULL },
    { "kith_query_new", "", query_new, false, NULL },
    { "kith_query_new_or_null", "", query_new_or_null, false, NULL },
    { "kith_query_iter_at", "for the first time", iterate_first, false, NULL },
    { "kith_query_iter_at", "when tables came", iterate_again, false, make_tables },
    { "kith_query_iter_at", "writing", iterate, true, NULL },
    { "kith_next", "writing", iterate, true, NULL },
    { "kith_query_iter_one_at", "twice at once", iterate_one_first, false, NULL },
    { "kith_query_iter_one_at", "writing", iterate_one, true, NULL },
    { "kith_table_memory", "for the first time", table_memory, false, NULL },
    { "kith_system_add", "a plain one", system_add, false, NULL },
    { "kith_system_add", "a query system", system_add_query, false, NULL },
    { "kith_pool_new", "", pool_new, false, NULL },
    { "kith_pool_create", "", pool_create, false, NULL },
    { "kith_pool_reserve", "", pool_reserve, false, NULL },
};
#define SWEPT_COUNT (sizeof(swept_calls) / sizeof(swept_calls[0]))

/* ---- Calls that cannot fail for want of memory --------------------------------------------- */

typedef struct safe_call {
    const char *name;
    const char *reason;
    /* What the call answers: the same without memory. NULL where there is nothing to try. */
    uint64_t (*ask)(stage *s);
} safe_call;

static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a ^ b) * UINT64_C(0x9E3779B97F4A7C15) + (a >> 29);
}

static uint64_t mix_entity(uint64_t a, kith_entity entity)
{
    return mix(a, (uint64_t)entity.index1 << 32 | entity.generation);
}

static uint64_t mix_text(uint64_t a, const char *text)
{
    for (; text != NULL && *text != '\0'; text++) {
        a = mix(a, (unsigned char)*text);
    }
    return a;
}

static uint64_t mix_position(uint64_t a, const Position *position)
{
    uint64_t bits = 0;
    if (position != NULL) {
        memcpy(&bits, position, sizeof(bits));
    }
    return mix(a, position != NULL ? bits : 12345);
}

static uint64_t ask_event_count(stage *s)
{
    return kith_event_count(s->world, &Position_type);
}

static uint64_t ask_event_at(stage *s)
{
    return mix_position(1, KITH_EVENT(s->world, 0, Position));
}

static uint64_t ask_event_next(stage *s)
{
    uint64_t reader = 0;
    uint64_t missed = 0;
    uint64_t answer = 0;
    const Position *position;
    while ((position = kith_event_next(s->world, &Position_type, &reader, &missed)) != NULL) {
        answer = mix_position(answer, position);
    }
    return mix(answer, missed);
}

static uint64_t ask_event_clear(stage *s)
{
    kith_event_clear(s->world, &Position_type);
    return kith_event_count(s->world, &Position_type);
}

static uint64_t ask_query_free(stage *s)
{
    kith_query_free(s->query);
    return 0;
}

static uint64_t ask_query_count(stage *s)
{
    return mix(kith_query_count(s->query), kith_query_count(s->other));
}

static uint64_t ask_query_first(stage *s)
{
    return mix_entity(mix_entity(0, kith_query_first(s->query)), kith_query_first(s->other));
}

static uint64_t ask_query_single(stage *s)
{
    kith_entity entity = KITH_NONE;
    uint64_t answer = kith_query_single(s->query, &entity);
    answer = mix(answer, kith_query_single(s->other, &entity));
    return mix_entity(answer, entity);
}

static uint64_t ask_query_contains(stage *s)
{
    return 1u + kith_query_contains(s->query, s->plain) + kith_query_contains(s->other, s->full);
}

/* Iterates to read: opening, batches, handles, columns and values. */
static uint64_t ask_iteration(stage *s)
{
    uint64_t answer = 0;
    kith_iter it = kith_query_iter(s->other);
    while (kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            answer = mix_entity(answer, kith_entities(&it)[i]);
            answer = mix(answer, (uint32_t)KITH_AT(&it, 0, i, Health)->current);
            const Health *slow = kith_at_slow(&it, 0, i, &Health_type, KITH_ACCESS_READ);
            answer = mix(answer, (uint32_t)slow->max);
        }
    }
    CHECK_RESULT(it.result, KITH_OK);
    return answer;
}

static uint64_t ask_iter_end(stage *s)
{
    kith_iter it = kith_query_iter(s->other);
    bool any = kith_next(&it);
    kith_iter_end(&it);
    return any;
}

/* To write, too, where no block has to be copied for that. */
static uint64_t ask_column(stage *s)
{
    uint64_t answer = 0;
    kith_iter it = kith_query_iter(s->all);
    CHECK(kith_next(&it));
    answer = mix_position(answer, KITH_COLUMN(&it, 0, Position));
    kith_iter_end(&it);
    if (!s->def.shared) {
        it = kith_query_iter(s->query);
        CHECK(kith_next(&it));
        answer = mix_position(answer, KITH_COLUMN_MUT(&it, 0, Position));
        kith_iter_end(&it);
    }
    return answer;
}

static uint64_t ask_resource_get(stage *s)
{
    return (uint64_t)KITH_RESOURCE(s->world, Health)->current;
}

static uint64_t ask_resource_remove(stage *s)
{
    return kith_resource_remove(s->world, &Health_type);
}

static uint64_t ask_resource_at(stage *s)
{
    return mix_text(0, kith_resource_at(s->world, 0)->name);
}

static uint64_t ask_system_remove(stage *s)
{
    return kith_system_remove(s->world, "look");
}

static uint64_t ask_system_enable(stage *s)
{
    return kith_system_enable(s->world, "look", false);
}

static uint64_t ask_system_at(stage *s)
{
    return mix_text(0, kith_system_at(s->world, 0, NULL, NULL));
}

static uint64_t ask_run(stage *s)
{
    return mix(kith_run(s->world, 1), kith_tick(s->world));
}

static uint64_t ask_tick(stage *s)
{
    return kith_tick(s->world);
}

static uint64_t ask_yield(stage *s)
{
    kith_world_yield(s->world);
    kith_world_claim(s->world);
    return 0;
}

static uint64_t ask_error(stage *s)
{
    CHECK_RESULT(kith_system_remove(s->world, "nobody"), KITH_ERR_UNKNOWN);
    return mix_text(0, kith_error(s->world));
}

static uint64_t ask_check(stage *s)
{
    return kith_world_check(s->world);
}

static uint64_t ask_world_hash(stage *s)
{
    return kith_world_hash(s->world);
}

static uint64_t ask_content_hash(stage *s)
{
    return kith_content_hash(s->world);
}

static uint64_t ask_reclaim(stage *s)
{
    kith_reclaim(s->world);
    return 0;
}

static uint64_t ask_types(stage *s)
{
    kith_layout layout = KITH_TABLE;
    uint64_t answer = kith_type_count(s->world);
    answer = mix_text(answer, kith_type_at(s->world, 2)->name);
    answer = mix_text(answer, kith_type_find(s->world, "Extra")->name);
    answer = mix(answer, kith_layout_of(s->world, &Extra_type, &layout));
    return mix(answer, layout);
}

static uint64_t ask_entities(stage *s)
{
    uint64_t answer = kith_entity_count(s->world);
    answer = mix(answer, 1u + kith_alive(s->world, s->plain) + kith_alive(s->world, s->gone));
    kith_entity e = KITH_NONE;
    while (!kith_is_none(e = kith_entity_next(s->world, e))) {
        answer = mix_entity(answer, e);
    }
    return answer;
}

static uint64_t ask_values(stage *s)
{
    uint64_t answer = KITH_HAS(s->world, s->full, Extra);
    answer = mix_position(answer, KITH_GET(s->world, s->plain, Position));
    Position copy = { 0, 0 };
    answer = mix(answer, kith_get_bytes(s->world, s->plain, &Position_type, &copy, sizeof(copy)));
    answer = mix_position(answer, &copy);
    const kith_entity entities[] = { s->plain, s->gone, s->full };
    const void *values[3];
    answer = mix(answer, kith_get_many(s->world, &Position_type, entities, 3, values));
    for (uint32_t i = 0; i < 3; i++) {
        answer = mix_position(answer, values[i]);
    }
    const kith_type *type = NULL;
    while ((type = kith_component_next(s->world, s->full, type)) != NULL) {
        answer = mix_text(answer, type->name);
    }
    return answer;
}

static uint64_t ask_memory(stage *s)
{
    kith_memory_stats memory = kith_memory(s->world);
    kith_component_stats component;
    uint64_t answer = mix(memory.used, memory.tables);
    answer = mix(answer, kith_component_memory(s->world, &Position_type, &component));
    return mix(mix(answer, component.entities), component.reserved);
}

static const char no_world[] = "has no world, and no memory of its own";
static const char reads[] = "only reads";
static const char gives_back[] = "only gives memory back";

static const safe_call safe_calls[] = {
    { "kith_result_name", no_world, NULL },
    { "kith_version", no_world, NULL },
    { "kith_print", no_world, NULL },
    { "kith_parse", no_world, NULL },
    { "kith_kind_size", no_world, NULL },
    { "kith_kind_name", no_world, NULL },
    { "kith_world_new", "swept by a test of its own: there is no world before it", NULL },
    { "kith_world_free", "gives back; each fixture ends with it", NULL },
    { "kith_world_yield", "changes the owner alone", ask_yield },
    { "kith_world_claim", "changes the owner alone", ask_yield },
    { "kith_error", "the text has a place of its own", ask_error },
    { "kith_world_check", reads, ask_check },
    { "kith_world_hash", reads, ask_world_hash },
    { "kith_content_hash", reads, ask_content_hash },
    { "kith_reclaim", gives_back, ask_reclaim },
    { "kith_type_count", reads, ask_types },
    { "kith_type_at", reads, ask_types },
    { "kith_type_find", reads, ask_types },
    { "kith_layout_of", reads, ask_types },
    { "kith_alive", reads, ask_entities },
    { "kith_entity_count", reads, ask_entities },
    { "kith_entity_next", reads, ask_entities },
    { "kith_has", reads, ask_values },
    { "kith_get", reads, ask_values },
    { "kith_get_bytes", reads, ask_values },
    { "kith_get_many", reads, ask_values },
    { "kith_component_next", reads, ask_values },
    { "kith_memory", reads, ask_memory },
    { "kith_component_memory", reads, ask_memory },
    { "kith_event_count", reads, ask_event_count },
    { "kith_event_at", reads, ask_event_at },
    { "kith_event_next", reads, ask_event_next },
    { "kith_event_clear", "moves a mark over what is dropped", ask_event_clear },
    { "kith_query_free", gives_back, ask_query_free },
    { "kith_query_count", reads, ask_query_count },
    { "kith_query_first", reads, ask_query_first },
    { "kith_query_single", reads, ask_query_single },
    { "kith_query_contains", reads, ask_query_contains },
    { "kith_iter_end", gives_back, ask_iter_end },
    { "kith_entities", reads, ask_iteration },
    { "kith_column", "kith_next has made it ready", ask_column },
    { "kith_column_mut", "kith_next has made it ready", ask_column },
    { "kith_at_slow", "kith_next has made it ready", ask_iteration },
    { "kith_resource_get", reads, ask_resource_get },
    { "kith_resource_remove", gives_back, ask_resource_remove },
    { "kith_resource_at", reads, ask_resource_at },
    { "kith_system_remove", gives_back, ask_system_remove },
    { "kith_system_enable", "changes a flag", ask_system_enable },
    { "kith_system_at", reads, ask_system_at },
    { "kith_run", "needs none but what its systems need, and what they did is to stay", ask_run },
    { "kith_tick", reads, ask_tick },
    { "kith_pool_free", gives_back, ask_pool },
    { "kith_pool_kill", "the list of free slots runs through the dead records", ask_pool },
    { "kith_pool_clear", "the list of free slots runs through the dead records", ask_pool },
    { "kith_pool_alive", reads, ask_pool },
    { "kith_pool_get", reads, ask_pool },
    { "kith_pool_get_mut", "blocks of pools are never shared", ask_pool },
    { "kith_pool_next", reads, ask_pool },
    { "kith_pool_next_mut", "blocks of pools are never shared", ask_pool },
    { "kith_pool_at", reads, ask_pool },
    { "kith_pool_count", reads, ask_pool },
    { "kith_pool_memory", reads, ask_pool },
    { "kith_pool_check", reads, ask_pool },
};
#define SAFE_COUNT (sizeof(safe_calls) / sizeof(safe_calls[0]))

/* ---- The list is whole --------------------------------------------------------------------- */

typedef struct listing {
    bool swept[SWEPT_COUNT];
    bool safe[SAFE_COUNT];
    char missing[1024];
} listing;

static void tick_off(const char *name, void *context)
{
    listing *list = context;
    bool known = false;
    for (size_t i = 0; i < SWEPT_COUNT; i++) {
        if (strcmp(swept_calls[i].name, name) == 0) {
            list->swept[i] = known = true;
        }
    }
    for (size_t i = 0; i < SAFE_COUNT; i++) {
        if (strcmp(safe_calls[i].name, name) == 0) {
            if (known) {
                test_fail(__FILE__, __LINE__, "%s stands in both tables", name);
            }
            list->safe[i] = known = true;
        }
    }
    size_t length = strlen(list->missing);
    if (!known) {
        snprintf(list->missing + length, sizeof(list->missing) - length, " %s", name);
    }
}

TEST(every_call_of_the_headers_is_swept_or_has_a_reason)
{
    listing list = { 0 };
    uint32_t count = headers_each_call(tick_off, &list);
    CHECK(count > 70);
    if (list.missing[0] != '\0') {
        test_fail(__FILE__, __LINE__, "neither swept nor told why not:%s", list.missing);
    }
    for (size_t i = 0; i < SWEPT_COUNT; i++) {
        if (!list.swept[i]) {
            test_fail(__FILE__, __LINE__, "no header has %s", swept_calls[i].name);
        }
    }
    for (size_t i = 0; i < SAFE_COUNT; i++) {
        if (!list.safe[i]) {
            test_fail(__FILE__, __LINE__, "no header has %s", safe_calls[i].name);
        }
    }
}

/* ---- The sweep ----------------------------------------------------------------------------- */

/* Worlds on which the calls are tried: few rows, blocks that are just full, a full-size block just
 * full and, in the long run, more than one. */
static const stage_def stage_defs[] = {
    { .rows = 3 }, { .rows = 8, .dead = 1 }, { .rows = 64 }, { .rows = 1024, .dead = 3 },
    { .rows = 1500 },
};

static size_t stage_count(void)
{
    size_t count = sizeof(stage_defs) / sizeof(stage_defs[0]);
    return test_long() ? count : count - 1;
}

static char note[256];

static stage prepared(const swept_call *call, stage_def def)
{
    stage s = stage_new(def);
    if (call->prepare != NULL) {
        call->prepare(&s);
    }
    return s;
}

/* One attempt, the nth allocation of which fails. Returns whether there was an nth. `*failures` grows if
 * the call failed. */
static bool attempt(const swept_call *call, stage_def def, size_t nth, bool all_behind,
                    uint64_t expected_hash, uint32_t *failures)
{
    snprintf(note, sizeof(note), "%s, %s: %s, %u rows%s, allocation %zu%s", call->name, call->what,
             layout_name(def.layout), def.rows, def.shared ? ", shared" : "", nth,
             all_behind ? " and all behind it" : "");
    stage s = prepared(call, def);
    uint64_t hash = kith_world_hash(s.world);
    uint64_t content = kith_content_hash(s.world);
    (all_behind ? fail_from : fail_allocation)(&s.f, nth);
    kith_result result = call->act(&s);
    bool reached = fail_nothing(&s.f);
    CHECK_WORLD(s.world);
    if (result == KITH_ERR_MEMORY) {
        CHECK(reached);
        CHECK(def.shared || !call->only_shared);
        CHECK(kith_world_hash(s.world) == hash);
        CHECK(kith_content_hash(s.world) == content);
        if (s.shared != NULL) {
            test_share_check(s.shared);
        }
        (*failures)++;
        CHECK_RESULT(call->act(&s), KITH_OK);
        CHECK_WORLD(s.world);
    } else {
        CHECK_RESULT(result, KITH_OK);
    }
    CHECK(kith_world_hash(s.world) == expected_hash);
    stage_free(&s);
    return reached;
}

static uint64_t hash_after(const swept_call *call, stage_def def)
{
    snprintf(note, sizeof(note), "%s, %s: %s, %u rows%s, all memory there", call->name, call->what,
             layout_name(def.layout), def.rows, def.shared ? ", shared" : "");
    stage s = prepared(call, def);
    CHECK_RESULT(call->act(&s), KITH_OK);
    uint64_t hash = kith_world_hash(s.world);
    stage_free(&s);
    return hash;
}

static void sweep(const swept_call *call, stage_def def, uint32_t *failures)
{
    uint64_t expected = hash_after(call, def);
    for (int all_behind = 0; all_behind < 2; all_behind++) {
        for (size_t nth = 1; attempt(call, def, nth, all_behind != 0, expected, failures); nth++) {
            CHECK(nth < 1000);
        }
    }
}

static void sweep_all(kith_layout layout, bool shared)
{
    test_note(note);
    for (size_t i = 0; i < SWEPT_COUNT; i++) {
        uint32_t failures = 0;
        for (size_t k = 0; k < stage_count(); k++) {
            stage_def def = stage_defs[k];
            def.layout = layout;
            def.shared = shared;
            sweep(&swept_calls[i], def, &failures);
        }
        /* A sweep in which nothing ever failed has shown nothing. Perhaps there was room for one more
         * row; with some other number there is not. (Other layouts may need no memory at all.) */
        bool must_fail = (shared && swept_calls[i].prepare == NULL) ||
                         (layout == KITH_TABLE && !swept_calls[i].only_shared);
        stage_def def = { .layout = layout, .shared = shared };
        for (def.rows = 1; must_fail && failures == 0; def.rows++) {
            if (def.rows == 50) {
                test_fail(__FILE__, __LINE__, "no failure reached the caller");
            }
            sweep(&swept_calls[i], def, &failures);
        }
    }
    test_note(NULL);
}

TEST_EACH_LAYOUT_WITHIN(20, a_call_that_fails_changes_nothing, layout)
{
    sweep_all(layout, false);
}

TEST_EACH_LAYOUT_WITHIN(20, a_call_that_fails_changes_nothing_while_blocks_are_shared, layout)
{
    sweep_all(layout, true);
}

/* ---- The rest ------------------------------------------------------------------------------ */

static void ask_without_memory(const safe_call *call, stage_def def)
{
    snprintf(note, sizeof(note), "%s: %s, %u rows%s", call->name, layout_name(def.layout), def.rows,
             def.shared ? ", shared" : "");
    stage with = stage_new(def);
    stage without = stage_new(def);
    uint64_t expected = call->ask(&with);
    fail_from(&without.f, 1);
    uint64_t answer = call->ask(&without);
    fail_nothing(&without.f);
    CHECK(answer == expected);
    CHECK_WORLD(without.world);
    CHECK(kith_world_hash(without.world) == kith_world_hash(with.world));
    stage_free(&with);
    stage_free(&without);
}

TEST_EACH_LAYOUT_WITHIN(10, a_call_with_a_reason_needs_no_memory, layout)
{
    test_note(note);
    for (size_t i = 0; i < SAFE_COUNT; i++) {
        for (size_t k = 0; k < stage_count() && safe_calls[i].ask != NULL; k++) {
            stage_def def = stage_defs[k];
            def.layout = layout;
            ask_without_memory(&safe_calls[i], def);
            def.shared = true;
            ask_without_memory(&safe_calls[i], def);
        }
    }
    test_note(NULL);
}

static bool new_world_fails(const kith_world_def *def, size_t nth)
{
    test_memory *memory = test_memory_new();
    kith_world_def own = *def;
    own.allocator = test_memory_allocator(memory);
    test_memory_fail(memory, nth, false);
    kith_world *world = kith_world_new(&own);
    bool reached = test_memory_fail_nothing(memory);
    CHECK_INT(world == NULL, reached);
    if (world != NULL) {
        CHECK_WORLD(world);
    }
    kith_world_free(world);
    test_memory_free(memory);
    return reached;
}

TEST(a_world_that_cannot_be_made_leaves_nothing)
{
    static const uint32_t expected[] = { 0, 1, 100, 5000 };
    for (size_t i = 0; i < 4; i++) {
        kith_world_def def = { .expected_entities = expected[i] };
        size_t nth = 1;
        while (new_world_fails(&def, nth)) {
            nth++;
        }
        CHECK(nth > 1);
    }
}

/* The limit is kept, and to run into it is like any other want of memory. */
TEST_EACH_LAYOUT(a_memory_limit_is_kept, layout)
{
    const size_t limit = 100000;
    fixture f = fixture_new_with(&(kith_world_def){ .memory_limit = limit });
    register_all(f.world, layout);
    kith_result result = KITH_OK;
    uint32_t count = 0;
    while (result == KITH_OK) {
        CHECK(f.memory->bytes <= limit);
        uint64_t hash = kith_world_hash(f.world);
        kith_entity e;
        const kith_value values[] = { KITH_VALUE(Position, { 1, 2 }), KITH_VALUE(Name, { "n" }) };
        result = kith_spawn(f.world, values, 2, &e);
        CHECK_WORLD(f.world);
        CHECK_INT(kith_world_hash(f.world) == hash, result != KITH_OK);
        count += result == KITH_OK;
    }
    CHECK_RESULT(result, KITH_ERR_MEMORY);
    CHECK(count > 500);
    CHECK_UINT(kith_entity_count(f.world), count);
    CHECK_UINT(kith_memory(f.world).limit, limit);
    CHECK(kith_memory(f.world).peak <= limit);
    fixture_free(&f);
}
