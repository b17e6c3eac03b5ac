#include "text_calls.h"

#include <stdio.h>
#include <string.h>

void text_call_prepare(stage *s)
{
    CHECK_RESULT(kith_register(s->world, &Label_type, NULL), KITH_OK);
    for (int i = 0; i < 8; i++) {
        char name[24];
        kith_text text;
        snprintf(name, sizeof name, "prepared text number %d", i);
        CHECK_RESULT(kith_text_intern(s->world, name, &text), KITH_OK);
    }
}

static kith_result intern(stage *s, const char *text)
{
    kith_text interned = {0xEEEEEEEE};
    kith_result result = kith_text_intern(s->world, text, &interned);
    CHECK_INT(interned.number == 0xEEEEEEEE, result != KITH_OK);
    CHECK_INT(kith_text_find(s->world, text, NULL), result == KITH_OK);
    return result;
}

kith_result text_call_intern(stage *s)
{
    return intern(s, "a text that nobody has interned so far");
}

/* More than goes into a chunk with others. */
kith_result text_call_intern_long(stage *s)
{
    static char text[100001];
    memset(text, 'l', sizeof text - 1);
    return intern(s, text);
}

kith_result text_call_parse(stage *s)
{
    Label label = {{7}, {{8}, {9}}};
    kith_result result = kith_parse_value(s->world, &Label_type,
                                          "{ text = \"new\", more = [\"newer\", \"\"] }", &label);
    if (result != KITH_OK) {
        CHECK_UINT(label.text.number, 7);
        CHECK_UINT(label.more[1].number, 9);
    } else {
        CHECK_STR(kith_text_get(s->world, label.more[0], NULL), "newer");
        CHECK_UINT(label.more[1].number, 0);
    }
    return result;
}

kith_result text_call_parse_entity(stage *s)
{
    return kith_parse_entity(s->world, s->plain, "Label { text = \"first\" } Burning");
}

void text_call_prepare_label(stage *s)
{
    text_call_prepare(s);
    CHECK_RESULT(KITH_ADD(s->world, s->plain, Label), KITH_OK);
}

kith_result text_call_parse_field(stage *s)
{
    return kith_field_from_text(s->world, s->plain, &Label_type, "text", "\"a new text\"");
}

uint64_t text_call_ask(stage *s)
{
    kith_text found = {0};
    uint64_t answer = kith_text_find(s->world, "prepared text number 3", &found);
    size_t length = 0;
    const char *bytes = kith_text_get(s->world, found, &length);
    CHECK_UINT(strlen(bytes), length);
    return answer + (uint64_t)found.number * 2 + length * 16;
}

static const char query_text[] = "Position, write Velocity, !Frozen, ?Extra, any(Health, Byte), "
                                 "any(Burning, Name) where Health.max > 3 or"
                                 " Health.current in (1, 2) and not Name.text contains 'x'";

/* A failure is that of memory: the text is right. */
kith_result text_call_query(stage *s)
{
    kith_text_error error = {.line = 7};
    kith_query *query = kith_query_text(s->world, query_text, &error);
    CHECK_UINT(error.line, query == NULL ? 0 : 7);
    if (query == NULL) {
        CHECK_STR(error.message, "kith_query_text: memory ran out");
    }
    return query == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

kith_result text_call_tidy(stage *s)
{
    char tidy[200] = "";
    kith_result result = kith_query_text_tidy(s->world, query_text, tidy, sizeof tidy, NULL, NULL);
    CHECK_INT(strcmp(tidy, query_text) == 0, result == KITH_OK);
    return result;
}

uint64_t text_call_ask_error(stage *s)
{
    (void)s;
    char shown[64];
    kith_text_error error = {.line = 1, .column = 2, .message = "wrong"};
    return kith_print_text_error("text", &error, shown, sizeof shown);
}

kith_result text_call_select(stage *s)
{
    kith_text_error error = {.line = 7};
    kith_select *select = NULL;
    kith_result result = kith_select_new(
        s->world,
        "Position, ?Health where within(Position, $x, 2, $far)"
        " group by Health.max select sum(Position.x), Health.max order by count limit $n",
        &error, &select);
    CHECK_INT(select != NULL, result == KITH_OK);
    CHECK_UINT(error.line, select == NULL ? 0 : 7);
    return result;
}

static const int select_key;

static kith_select *prepared(stage *s)
{
    kith_select *select = kith_attached(s->world, &select_key);
    CHECK_PTR_NOT_NULL(select);
    return select;
}

static void prepare(stage *s, const char *text)
{
    kith_select *select;
    CHECK_RESULT(kith_select_new(s->world, text, NULL, &select), KITH_OK);
    CHECK_RESULT(kith_attach(s->world, &select_key, select, NULL), KITH_OK);
    CHECK_RESULT(kith_select_bind(select, "n", 100000), KITH_OK);
    CHECK_RESULT(kith_select_bind(select, "name", "nobody"), KITH_OK);
}

void text_call_prepare_select(stage *s)
{
    prepare(s, "Position, ?Health where not Name.text = $name order by Position.y desc limit $n");
}

void text_call_prepare_sums(stage *s)
{
    prepare(s, "Position where not Name.text = $name group by Position.x select count, Position.x, "
               "max(Position.y) order by"
               " max(Position.y) limit $n");
}

kith_result text_call_bind(stage *s)
{
    return kith_select_bind(prepared(s), "name", "a text that is not there");
}

/* After a failure there are no rows. */
kith_result text_call_run(stage *s)
{
    kith_select *select = prepared(s);
    kith_result result = kith_select_run(select);
    CHECK_INT(kith_select_row_count(select) != 0, result == KITH_OK);
    return result;
}
