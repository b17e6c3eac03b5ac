/* The part of the play that reads and writes fields by name, and components as text. */
#include <kith/reflect.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "play.h"

/* Whether its bytes are all one field, that reads back from text as it was written. */
static bool is_plain(const kith_type *type)
{
    return play_number(type) >= COMPONENT_COUNT && !play_is_hooked(type) &&
           !play_is_guarded(type) && type->field_count < 2;
}

static kith_result expect_field(play *p, const operation *op, model_value **value)
{
    model_entity *entity = model_find(&p->m, op->entity);
    if (entity == NULL) {
        return KITH_ERR_DEAD;
    }
    *value = model_get(&entity->values, op->type);
    return *value == NULL ? KITH_ERR_ABSENT : KITH_OK;
}

/* The whole field, or one byte of it. */
static const char *field_name(const operation *op, char *text, size_t size)
{
    snprintf(text, size, op->size == 1 && op->type->size > 1 ? "bytes[%u]" : "bytes", op->number);
    return text;
}

static kith_result act_set_field(played *w, const operation *op, outcome *out)
{
    (void)out;
    char name[24];
    return kith_set_field(w->world, op->entity, op->type, field_name(op, name, sizeof(name)),
                          KITH_BYTES, op->bytes, op->size);
}

static kith_result expect_set_field(play *p, const operation *op, outcome *out)
{
    (void)out;
    model_value *value = NULL;
    kith_result result = expect_field(p, op, &value);
    if (result == KITH_OK) {
        memcpy(value->bytes + op->number, op->bytes, op->size);
    }
    return result;
}

static uint32_t bytes_sum(const unsigned char *bytes, size_t size)
{
    uint32_t sum = 1;
    for (size_t i = 0; i < size; i++) {
        sum = sum * 31 + bytes[i];
    }
    return sum;
}

static kith_result act_get_field(played *w, const operation *op, outcome *out)
{
    char name[24];
    static unsigned char bytes[1 << 17];
    CHECK(op->size <= sizeof(bytes));
    kith_result result =
        kith_get_field(w->world, op->entity, op->type, field_name(op, name, sizeof(name)),
                       KITH_BYTES, bytes, op->size);
    out->count = result == KITH_OK ? bytes_sum(bytes, op->size) : out->count;
    return result;
}

static kith_result expect_get_field(play *p, const operation *op, outcome *out)
{
    model_value *value = NULL;
    kith_result result = expect_field(p, op, &value);
    if (result == KITH_OK) {
        out->count = bytes_sum(value->bytes + op->number, op->size);
    }
    return result;
}

/* An entity and a type with one field of bytes, which it has more often than not. */
static bool choose_field(play *p, operation *op)
{
    op->entity = play_entity(p);
    op->type = play_registered(p);
    const model_entity *entity = model_find(&p->m, op->entity);
    if (entity != NULL && entity->values.count != 0 && input_chance(&p->in, 80)) {
        op->type = entity->values.list[input_below(&p->in, entity->values.count)].type;
    }
    if (!is_plain(op->type) || op->type->size == 0) {
        return false;
    }
    op->size = op->type->size;
    if (input_chance(&p->in, 40)) {
        op->number = input_below(&p->in, op->type->size);
        op->size = 1;
    }
    return true;
}

static void set_field(play *p)
{
    operation op = {.name = "kith_set_field",
                    .act = act_set_field,
                    .expect = expect_set_field,
                    .never_fails = true};
    if (!choose_field(p, &op)) {
        return;
    }
    op.bytes = play_bytes(p, op.type, 1);
    if (op.bytes != NULL) {
        play_attempt(p, &op);
    }
}

static void get_field(play *p)
{
    operation op = {.name = "kith_get_field",
                    .act = act_get_field,
                    .expect = expect_get_field,
                    .never_fails = true};
    if (choose_field(p, &op)) {
        play_attempt(p, &op);
    }
}

static kith_result act_set_strange(played *w, const operation *op, outcome *out)
{
    (void)out;
    return op->number == 0
               ? kith_set_field(w->world, op->entity, op->type, "byte", KITH_BYTES, op->bytes, 1)
               : kith_set_field(w->world, op->entity, op->type, "bytes", KITH_I8, op->bytes,
                                op->type->size);
}

static kith_result expect_strange(play *p, const operation *op, outcome *out)
{
    (void)p;
    (void)out;
    return op->number == 0 ? KITH_ERR_UNKNOWN : KITH_ERR_TYPE;
}

/* A field that is not there, or is of another kind. */
static void set_strange_field(play *p)
{
    operation op = {.name = "kith_set_field of another",
                    .act = act_set_strange,
                    .expect = expect_strange,
                    .never_fails = true};
    if (!choose_field(p, &op) || !play_has(p, op.entity, op.type)) {
        return;
    }
    op.number = input_below(&p->in, 2);
    op.bytes = play_scratch(p, op.type->size);
    play_attempt(p, &op);
}

/* ---- Text ---------------------------------------------------------------------------------- */

#define TEXT_VALUE_MAX 64u /* bytes of a value */
#define TEXT_MAX 1024u     /* of a text of two of them */

static kith_result act_parse(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_parse_entity(w->world, op->entity, op->bytes);
}

static kith_result expect_bad_text(play *p, const operation *op, outcome *out)
{
    (void)p;
    (void)op;
    (void)out;
    return KITH_ERR_INPUT;
}

static size_t add_component(char *text, const kith_value *value)
{
    int length = snprintf(text, TEXT_MAX / 2, "%s ", value->type->name);
    size_t at = (size_t)length;
    if (value->data != NULL) {
        at += kith_print_value(NULL, value->type, value->data, text + at, TEXT_MAX / 2 - at);
    }
    CHECK(at + 1 < TEXT_MAX / 2);
    text[at++] = '\n';
    text[at] = '\0';
    return at;
}

/* One or two components as text; now and then with something behind them that is not right. */
static void parse_entity(play *p)
{
    operation op = {.name = "kith_parse_entity", .act = act_parse, .expect = play_expect_several};
    op.entity = play_entity(p);
    char *text = play_scratch(p, TEXT_MAX + 16);
    size_t length = 0;
    for (uint32_t tries = 0; tries < 4 && op.value_count < 2; tries++) {
        const kith_type *type = play_small(p, TEXT_VALUE_MAX);
        if (type->size > TEXT_VALUE_MAX || !is_plain(type) ||
            (op.value_count == 1 && op.values[0].type == type)) {
            continue;
        }
        kith_value value = {type, play_bytes(p, type, 1)};
        op.values[op.value_count++] = value;
        length += add_component(text + length, &value);
    }
    if (op.value_count == 0) {
        return;
    }
    if (input_chance(&p->in, 10)) {
        memcpy(text + length, "Nobody { }", sizeof("Nobody { }"));
        op.entity = play_living(p);
        op.expect = expect_bad_text;
        if (kith_is_none(op.entity)) {
            return;
        }
    }
    op.bytes = text;
    play_attempt(p, &op);
}

void play_fields(play *p, uint32_t choice)
{
    switch (choice) {
    case 0:
    case 1: set_field(p); break;
    case 2: get_field(p); break;
    case 3: set_strange_field(p); break;
    default: parse_entity(p); break;
    }
}
