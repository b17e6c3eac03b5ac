/* The part of the play that is about indexes: they are made and dropped at any time, and find what a
 * loop over all entities does; and so do queries with a condition, whether they use an index or not. */
#include <math.h>
#include <string.h>

#include "components.h"
#include "links.h"
#include "play.h"

typedef struct indexed_field {
    const kith_type *type; /* this file's copy; play_type has the play's */
    const char *name;
    uint32_t offset;
    uint32_t size;
    kith_kind kind;
} indexed_field;

#define INDEXED(T, name, kind)                                                                     \
    {                                                                                              \
        &T##_type, #name, offsetof(T, name), sizeof(((T *)0)->name), kind                          \
    }
static const indexed_field fields[PLAY_INDEXES] = {
    INDEXED(Position, x, KITH_F32),   INDEXED(Health, current, KITH_I32),
    INDEXED(Byte, value, KITH_U8),    INDEXED(Extra, b, KITH_F32),
    INDEXED(Name, text, KITH_CHAR),   INDEXED(Target, entity, KITH_ENTITY),
    INDEXED(Padded, large, KITH_U32), INDEXED(Follows, target, KITH_ENTITY),
};

static indexed_field indexed_at(uint32_t number)
{
    indexed_field field = fields[number];
    field.type = play_same_type(field.type);
    return field;
}

/* What the function of an index by a call leaves out. */
static bool is_left_out(const indexed_field *field, const void *value)
{
    return ((const uint8_t *)value)[field->offset] % 8 == 7;
}

/* The key is the field in a value of the same type, so that the index finds what others do. */
static bool key_of(const void *value, void *key, void *user)
{
    const indexed_field *field = user;
    memcpy((char *)key + field->offset, (const char *)value + field->offset, field->size);
    return !is_left_out(field, value);
}

static bool is_same(const indexed_field *field, const void *a, const void *b)
{
    const char *left = (const char *)a + field->offset;
    const char *right = (const char *)b + field->offset;
    if (field->kind == KITH_F32) {
        float x;
        float y;
        memcpy(&x, left, sizeof(x));
        memcpy(&y, right, sizeof(y));
        return x == y;
    }
    return field->kind == KITH_CHAR ? strncmp(left, right, field->size) == 0
                                    : memcmp(left, right, field->size) == 0;
}

/* Compares an answer with a loop. */
static void check_answer(played *w, const indexed_field *field, const void *value,
                         const kith_index_found *found)
{
    kith_query *query = NULL;
    const kith_term terms[] = {{.type = field->type, .access = KITH_ACCESS_READ}, {0}};
    CHECK_RESULT(kith_query_new(w->world, &(kith_query_def){.terms = terms}, &query), KITH_OK);
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        const char *values = kith_column(&it, field->type);
        for (uint32_t i = 0; i < it.count; i++) {
            if (is_same(field, values + (size_t)i * field->type->size, value)) {
                CHECK(count < found->count);
                CHECK_SAME(found->entities[count], kith_entities(&it)[i]);
                count++;
            }
        }
    }
    CHECK_UINT(found->count, count);
    kith_query_free(query);
}

/* ---- Queries with a condition ---------------------------------------------------------------- */

static kith_operand operand_of(const indexed_field *field, const void *value)
{
    const char *at = (const char *)value + field->offset;
    int32_t i32 = 0;
    uint32_t u32 = 0;
    float f32 = 0;
    kith_entity entity = KITH_NONE;
    switch (field->kind) {
    case KITH_F32: memcpy(&f32, at, sizeof(f32)); return kith_operand_f64_((double)f32);
    case KITH_I32: memcpy(&i32, at, sizeof(i32)); return kith_operand_i64_(i32);
    case KITH_U8: return kith_operand_u64_(*(const uint8_t *)at);
    case KITH_ENTITY: memcpy(&entity, at, sizeof(entity)); return kith_operand_entity_(entity);
    case KITH_CHAR: {
        const char *end = memchr(at, 0, field->size);
        uint32_t length = end == NULL ? field->size : (uint32_t)(end - at);
        return (kith_operand){.kind = KITH_OPERAND_STRING, .length = length, .as = {.string = at}};
    }
    default: memcpy(&u32, at, sizeof(u32)); return kith_operand_u64_(u32);
    }
}

/* A standing query for one value, of the field or of what a function computes. First comes what holds
 * for all, and takes long to ask: so an index is used in a world of some hundred entities. */
static kith_query *valued_query(played *w, uint32_t number, bool by_key)
{
    const indexed_field field = indexed_at(number);
    const kith_type *place = play_same_type(&Position_type);
    const kith_operand y = {.kind = KITH_OPERAND_FIELD, .as = {.string = "y"}, .type = place};
    const kith_condition less = {.op = KITH_OP_LESS, .field = "x", .value = y};
    const kith_condition greater = {.op = KITH_OP_GREATER, .field = "x", .value = y};
    const kith_term both[] = {
        {.type = place, .condition = &less}, {.type = place, .condition = &greater}, {0}};
    const kith_condition all = {.op = KITH_OP_ALL, .terms = both};
    const kith_term one[] = {{.condition = &all}, {0}};
    const kith_condition not_both = {.op = KITH_OP_NOT, .terms = one};
    const kith_condition same = {
        .op = KITH_OP_EQUAL, .field = field.name, .value = kith_bound("value")};
    const kith_term of_key[] = {{.type = field.type, .condition = &same}, {0}};
    const kith_condition key = {.op = KITH_OP_KEY,
                                .key = key_of,
                                .user = (void *)(uintptr_t)&fields[number],
                                .terms = of_key};
    const kith_term terms[] = {{.type = field.type, .access = KITH_ACCESS_READ},
                               {.condition = &not_both},
                               {.type = field.type, .condition = by_key ? &key : &same},
                               {0}};
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(w->world, &(kith_query_def){.terms = terms}, &query), KITH_OK);
    return query;
}

static void check_valued(played *w, kith_query *query, const kith_index_found *found, bool rows)
{
    kith_entity first = kith_query_first(query);
    CHECK_UINT(kith_query_count(query), found->count);
    CHECK_SAME(first, found->count == 0 ? KITH_NONE : found->entities[0]);
    uint32_t count = 0;
    kith_iter it = kith_query_iter(query);
    while (rows ? kith_next_rows(&it) : kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK(count < found->count);
            CHECK_SAME(kith_entities(&it)[i], found->entities[count]);
            count++;
        }
    }
    CHECK_RESULT(it.result, KITH_OK);
    CHECK_UINT(count, found->count);
    CHECK_UINT(misuse_count(&w->f), 0);
}

/* Asks a query for what an index found. */
static void ask_query(play *p, played *w, uint32_t number, bool by_key, const indexed_field *field,
                      const void *value, const kith_index_found *found)
{
    kith_query **made = by_key ? &w->keyed[number] : &w->valued[number];
    if (*made == NULL) {
        *made = valued_query(w, number, by_key);
    }
    kith_query *query = *made;
    CHECK_RESULT(kith_query_bind_operand(query, "value", operand_of(field, value)), KITH_OK);
    if (w == &p->worlds[SUBJECT] && play_wants_failure(p)) {
        play_fail_some(p);
        uint32_t count = kith_query_count(query);
        fail_nothing(&w->f);
        CHECK_UINT(count, found->count);
    }
    check_valued(w, query, found, p->step % 2 == 0);
}

/* A range of one value has the same entities, by slot; a range of all has each entry. */
static void check_ranges(kith_index *index, const void *value, uint32_t count)
{
    kith_index_found found;
    CHECK_RESULT(kith_index_range(index, &(kith_range){.from = value, .to = value}, &found),
                 KITH_OK);
    CHECK_UINT(found.count, count);
    for (uint32_t i = 1; i < count; i++) {
        CHECK(kith_entity_slot(found.entities[i - 1]) < kith_entity_slot(found.entities[i]));
    }
    CHECK_RESULT(kith_index_range(index, &(kith_range){.descending = true}, &found), KITH_OK);
    CHECK_UINT(found.count, kith_index_stats(index).entries);
}

/* What a loop finds, in place of an index. */
static void find_by_loop(play *p, played *w, const indexed_field *field, const void *value,
                         kith_index_found *found)
{
    kith_query *query = NULL;
    const kith_term terms[] = {{.type = field->type, .access = KITH_ACCESS_READ}, {0}};
    CHECK_RESULT(kith_query_new(w->world, &(kith_query_def){.terms = terms}, &query), KITH_OK);
    kith_entity *entities = play_scratch(p, kith_query_count(query) * sizeof(*entities) + 1);
    *found = (kith_index_found){entities, 0};
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        const char *values = kith_column(&it, field->type);
        for (uint32_t i = 0; i < it.count; i++) {
            if (is_same(field, values + (size_t)i * field->type->size, value)) {
                entities[found->count++] = kith_entities(&it)[i];
            }
        }
    }
    kith_query_free(query);
}

/* Asks an index itself. False: it leaves out what queries ask for. */
static bool ask_index(play *p, int world, uint32_t number, const indexed_field *field,
                      const void *value, bool may_fail, kith_index_found *found)
{
    played *w = &p->worlds[world];
    if (world == SUBJECT && may_fail && play_wants_failure(p)) {
        play_fail_some(p);
        kith_result result = kith_index_find(w->indexes[number], value, found);
        bool failed = fail_nothing(&w->f);
        CHECK(result == KITH_OK || (result == KITH_ERR_MEMORY && failed));
    }
    CHECK_RESULT(kith_index_find(w->indexes[number], value, found), KITH_OK);
    if (w->indexed_by_call[number] && is_left_out(field, value)) {
        CHECK_UINT(found->count, 0);
        return false;
    }
    check_answer(w, field, value, found);
    return true;
}

/* Asks for a value that some entity has, for one that it had, or for zero. */
static void ask(play *p, uint32_t number, bool may_fail)
{
    const indexed_field field = indexed_at(number);
    kith_entity entity = play_living(p);
    for (uint32_t tries = 0; tries < 8 && !play_has(p, entity, field.type); tries++) {
        entity = play_living(p);
    }
    const void *value = play_scratch(p, field.type->size);
    memset((void *)(uintptr_t)value, 0, field.type->size);
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        const void *own = kith_is_none(entity) ? NULL : kith_get(w->world, entity, field.type);
        kith_index_found found;
        if (own != NULL) {
            memcpy((void *)(uintptr_t)value, own, field.type->size);
        }
        if (own != NULL && p->step % 3 == 0) {
            ((char *)(uintptr_t)value)[field.offset] ^= (char)(p->step % 7);
        }
        bool filter = w->indexed_as[number] == KITH_INDEX_FILTER;
        if (filter) {
            find_by_loop(p, w, &field, value, &found);
        } else if (!ask_index(p, world, number, &field, value, may_fail, &found)) {
            continue;
        }
        ask_query(p, w, number, false, &field, value, &found);
        if (!is_left_out(&field, value)) {
            ask_query(p, w, number, true, &field, value, &found);
        }
        if (w->indexed_as[number] == KITH_INDEX_ORDERED) {
            check_ranges(w->indexes[number], value, found.count);
        }
    }
}

void play_indexes(play *p)
{
    uint32_t number = input_below(&p->in, PLAY_INDEXES);
    const indexed_field field = indexed_at(number);
    bool drops = input_chance(&p->in, 10);
    static const kith_index_kind kinds[] = {KITH_INDEX_HASH, KITH_INDEX_ORDERED, KITH_INDEX_FILTER};
    const kith_index_kind kind = kinds[input_below(&p->in, 3)];
    bool by_call = input_chance(&p->in, 30) && kind != KITH_INDEX_FILTER;
    if (model_rank(&p->m, field.type) == UINT32_MAX) {
        return;
    }
    play_name(p, "kith_index_find");
    for (int world = 0; world < WORLD_COUNT; world++) {
        kith_index **index = &p->worlds[world].indexes[number];
        if (drops) {
            kith_index_free(*index);
            *index = NULL;
        } else if (*index == NULL) {
            const kith_index_def def = {.kind = kind,
                                        .type = field.type,
                                        .fields = {field.name},
                                        .of = by_call ? field.type : NULL,
                                        .key = by_call ? key_of : NULL,
                                        .user = (void *)(uintptr_t)&fields[number]};
            p->worlds[world].indexed_as[number] = kind;
            p->worlds[world].indexed_by_call[number] = by_call;
            CHECK_RESULT(kith_index_new(p->worlds[world].world, &def, index), KITH_OK);
        }
    }
    for (uint32_t count = drops ? 0 : 8; count > 0; count--) {
        ask(p, number, count == 8);
    }
}

void play_look_indexes(play *p)
{
    for (uint32_t i = 0; i < PLAY_INDEXES; i++) {
        if (p->worlds[SUBJECT].indexes[i] != NULL) {
            ask(p, i, false);
        }
    }
}
