/* The part of the play that is about indexes: they are made and dropped at any time, and find what a
 * loop over all entities does. */
#include <math.h>
#include <string.h>

#include "components.h"
#include "play.h"

typedef struct indexed_field {
    const kith_type *type; /* this file's copy; play_type has the play's */
    const char *name;
    uint32_t offset;
    uint32_t size;
    bool is_float;
    bool is_text;
} indexed_field;

#define INDEXED(T, name, is_float, is_text)                                                        \
    {                                                                                              \
        &T##_type, #name, offsetof(T, name), sizeof(((T *)0)->name), is_float, is_text             \
    }
static const indexed_field fields[PLAY_INDEXES] = {
    INDEXED(Position, x, true, false),    INDEXED(Health, current, false, false),
    INDEXED(Byte, value, false, false),   INDEXED(Extra, b, true, false),
    INDEXED(Name, text, false, true),     INDEXED(Target, entity, false, false),
    INDEXED(Padded, large, false, false),
};

static indexed_field indexed_at(uint32_t number)
{
    indexed_field field = fields[number];
    field.type = play_same_type(field.type);
    return field;
}

static bool is_same(const indexed_field *field, const void *a, const void *b)
{
    const char *left = (const char *)a + field->offset;
    const char *right = (const char *)b + field->offset;
    if (field->is_float) {
        float x;
        float y;
        memcpy(&x, left, sizeof(x));
        memcpy(&y, right, sizeof(y));
        return x == y;
    }
    return field->is_text ? strncmp(left, right, field->size) == 0
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

/* Asks for a value that some entity has, or for zero. */
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
        if (world == SUBJECT && may_fail && play_wants_failure(p)) {
            play_fail_some(p);
            kith_result result = kith_index_find(w->indexes[number], value, &found);
            bool failed = fail_nothing(&w->f);
            CHECK(result == KITH_OK || (result == KITH_ERR_MEMORY && failed));
        }
        CHECK_RESULT(kith_index_find(w->indexes[number], value, &found), KITH_OK);
        check_answer(w, &field, value, &found);
        if (w->indexed_in_order[number]) {
            check_ranges(w->indexes[number], value, found.count);
        }
    }
}

void play_indexes(play *p)
{
    uint32_t number = input_below(&p->in, PLAY_INDEXES);
    const indexed_field field = indexed_at(number);
    bool drops = input_chance(&p->in, 10);
    bool ordered = input_chance(&p->in, 50);
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
            const kith_index_def def = {.kind = ordered ? KITH_INDEX_ORDERED : KITH_INDEX_HASH,
                                        .type = field.type,
                                        .fields = {field.name}};
            p->worlds[world].indexed_in_order[number] = ordered;
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
