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
