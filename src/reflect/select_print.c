/* Writes the rows of a selection as lines of text. */
#include <kith/floats.h>

#include <string.h>

#include <kith/reflect.h>

#include "base/text_out.h"
#include "query/condition.h"
#include "reflect/selection.h"
#include "reflect/text.h"

typedef struct row_out {
    const kith_world *world;
    ki_text_out to;
} row_out;

static void row_bytes(row_out *out, const char *bytes, size_t count)
{
    ki_text_add_bytes(&out->to, bytes, count);
}

static void row_text(row_out *out, const char *text)
{
    ki_text_add_string(&out->to, text);
}

/* Writes a value as kith_print_field does. */
static void row_plain(row_out *out, const kith_field *shown, const void *value)
{
    size_t room;
    char *rest = ki_text_rest(&out->to, &room);
    out->to.length += kith_print_field(out->world, shown, value, rest, room);
}

/* ---- JSON */

static void row_json_bytes(row_out *out, const char *bytes, size_t length)
{
    row_text(out, "\"");
    for (size_t i = 0, step; i < length; i += step) {
        unsigned char byte = (unsigned char)bytes[i];
        size_t known =
            byte < 0x80 ? 1 : ki_text_character((const unsigned char *)bytes + i, length - i);
        step = known == 0 ? 1 : known;
        if (byte == '"' || byte == '\\') {
            row_text(out, "\\");
            row_bytes(out, bytes + i, 1);
        } else if (known == 0 || byte < 0x20 || byte == 0x7f) {
            ki_text_add(&out->to, "\\u%04x", byte);
        } else {
            row_bytes(out, bytes + i, step);
        }
    }
    row_text(out, "\"");
}

/* A float that JSON has no number for is a text. */
static bool row_is_number(kith_kind kind, const void *value)
{
    if (kind == KITH_F32 || kind == KITH_F64) {
        double number = ki_number_read(kind, value);
        return number - number == 0;
    }
    return kind != KITH_ENTITY;
}

static void row_json_one(row_out *out, kith_kind kind, const char *value)
{
    const kith_field one = {NULL, 0, kith_kind_size(kind), kind};
    if (kind == KITH_TEXT) {
        kith_text text;
        size_t length = 0;
        memcpy(&text, value, sizeof text);
        const char *bytes = kith_text_get(out->world, text, &length);
        bytes == NULL ? row_text(out, "null") : row_json_bytes(out, bytes, length);
    } else if (kind == KITH_BYTES) {
        char number[KI_NUMBER_TEXT];
        ki_number_print(KITH_U8, value, number);
        row_text(out, number);
    } else {
        const char *quote = row_is_number(kind, value) ? "" : "\"";
        row_text(out, quote);
        row_plain(out, &one, value);
        row_text(out, quote);
    }
}

static void row_json(row_out *out, const kith_field *shown, const char *value)
{
    uint32_t size = kith_kind_size(shown->kind);
    if (shown->kind == KITH_CHAR) {
        size_t length = shown->size;
        while (length > 0 && value[length - 1] == '\0') {
            length--;
        }
        row_json_bytes(out, value, length);
        return;
    }
    row_text(out, shown->size == size ? "" : "[");
    for (uint32_t at = 0; at < shown->size; at += size) {
        row_text(out, at == 0 ? "" : ", ");
        row_json_one(out, shown->kind, value + at);
    }
    row_text(out, shown->size == size ? "" : "]");
}

/* ---- Rows */

static void row_print_text(row_out *out, const kith_select *select, uint32_t row)
{
    for (uint32_t i = 0; i < select->shown_count; i++) {
        const void *value = kith_select_value(select, row, i);
        row_text(out, i == 0 ? "" : "\t");
        if (value == NULL) {
            row_text(out, "-");
        } else {
            row_plain(out, kith_select_column(select, i), value);
        }
    }
}

static void row_print_json(row_out *out, const kith_select *select, uint32_t row)
{
    row_text(out, "{");
    for (uint32_t i = 0; i < select->shown_count; i++) {
        const kith_field *shown = kith_select_column(select, i);
        const void *value = kith_select_value(select, row, i);
        row_text(out, i == 0 ? "" : ", ");
        row_json_bytes(out, shown->name, strlen(shown->name));
        row_text(out, ": ");
        if (value == NULL) {
            row_text(out, "null");
        } else {
            row_json(out, shown, value);
        }
    }
    row_text(out, "}");
}

size_t kith_select_print(const kith_select *select, uint32_t row, kith_select_format format,
                         char *text, size_t size)
{
    row_out out = {.to = ki_text_start(text, size)};
    if (KI_CHECKED && select == NULL) {
        ki_misuse(NULL, "kith_select_print: the selection is NULL");
        return 0;
    }
    out.world = select->world;
    if (ki_world_require_owner(out.world, "kith_select_print") != KITH_OK) {
        return 0;
    }
    if (row >= select->row_count) {
        return 0;
    }
    (format == KITH_SELECT_JSON ? row_print_json : row_print_text)(&out, select, row);
    return out.to.length;
}
