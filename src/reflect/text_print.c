/* Writes values and entities as text. */
#include <string.h>

#include <kith/reflect.h>

#include "base/text_out.h"
#include "reflect/text.h"
#include "world/world.h"

typedef struct print_out {
    ki_text_out to;
    kith_entity_name_fn name; /* of entities; NULL: as handles */
    void *context;
    const ki_texts *texts; /* the texts that KITH_TEXT fields number; NULL: none are known */
} print_out;

static void print_bytes(print_out *out, const char *bytes, size_t count)
{
    ki_text_add_bytes(&out->to, bytes, count);
}

static void print_text(print_out *out, const char *text)
{
    ki_text_add_string(&out->to, text);
}

/* ---- Text in quotes */

/* Writes one byte or character, escaped if need be; returns how many bytes it took. */
static size_t print_quoted(print_out *out, const char *bytes, size_t left, char quote)
{
    unsigned char byte = (unsigned char)*bytes;
    size_t length = byte < 0x80 ? 1 : ki_text_character((const unsigned char *)bytes, left);
    if (byte == '\n' || byte == '\t' || byte == '\0') {
        print_text(out, byte == '\n' ? "\\n" : byte == '\t' ? "\\t" : "\\0");
    } else if (length == 0 || byte < 0x20 || byte == 0x7f) {
        ki_text_add(&out->to, "\\x%02x", byte);
    } else {
        if (byte == '\\' || *bytes == quote) {
            print_text(out, "\\");
        }
        print_bytes(out, bytes, length);
    }
    return length == 0 ? 1 : length;
}

static void print_string(print_out *out, const char *bytes, size_t length)
{
    print_text(out, "\"");
    for (size_t i = 0; i < length;) {
        i += print_quoted(out, bytes + i, length - i, '"');
    }
    print_text(out, "\"");
}

/* Writes all chars except the zeros at the end; zeros before others are written. */
static void print_chars(print_out *out, const char *bytes, size_t size)
{
    while (size > 0 && bytes[size - 1] == '\0') {
        size--;
    }
    print_string(out, bytes, size);
}

static void print_name(print_out *out, const char *name)
{
    if (ki_text_is_word(name)) {
        print_text(out, name);
    } else {
        print_string(out, name, strlen(name));
    }
}

/* The number of an unknown text is written so that it does not read back. */
static void print_interned(print_out *out, const char *bytes)
{
    kith_text text;
    memcpy(&text, bytes, sizeof text);
    const ki_text *known = ki_texts_at(out->texts, text.number);
    if (known != NULL) {
        print_string(out, known->bytes, known->length);
    } else {
        ki_text_add(&out->to, "unknown text %u", text.number);
    }
}

/* ---- Values */

static void print_one(print_out *out, kith_kind kind, const char *bytes)
{
    if (kind == KITH_BOOL) {
        print_text(out, *bytes != 0 ? "true" : "false");
    } else if (kind == KITH_CHAR) {
        print_text(out, "'");
        print_quoted(out, bytes, 1, '\'');
        print_text(out, "'");
    } else if (kind == KITH_TEXT) {
        print_interned(out, bytes);
    } else if (kind == KITH_ENTITY) {
        kith_entity entity;
        memcpy(&entity, bytes, sizeof entity);
        const char *name = out->name == NULL ? NULL : out->name(out->context, entity);
        print_text(out, name == NULL ? kith_entity_to_text(entity).text : name);
    } else {
        char number[KI_NUMBER_TEXT];
        ki_number_print(kind, bytes, number);
        print_text(out, number);
    }
}

static void print_field(print_out *out, const kith_field *field, const char *bytes)
{
    uint32_t size = kith_kind_size(field->kind);
    if (field->size == size) {
        print_one(out, field->kind, bytes);
    } else if (field->kind == KITH_CHAR) {
        print_chars(out, bytes, field->size);
    } else {
        for (uint32_t at = 0; at < field->size; at += size) {
            print_text(out, at == 0 ? "[" : ", ");
            print_one(out, field->kind, bytes + at);
        }
        print_text(out, "]");
    }
}

static bool print_is_shown(const kith_field *field)
{
    return field->kind != KITH_PADDING && field->kind != KITH_OPAQUE;
}

static void print_value(print_out *out, const kith_type *type, const char *bytes)
{
    const char *before = "{ ";
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (print_is_shown(field)) {
            print_text(out, before);
            print_name(out, field->name);
            print_text(out, " = ");
            print_field(out, field, bytes + field->offset);
            before = ", ";
        }
    }
    print_text(out, *before == '{' ? "{ }" : " }");
}

/* Starts with an empty text. */
static print_out print_start(const kith_world *world, char *text, size_t size)
{
    return (print_out){.to = ki_text_start(text, size),
                       .texts = world == NULL ? NULL : world->texts};
}

/* Whether the kind and the size of a field fit, as registering a type checks; if not, that is
 * reported. */
static bool print_fits(const ki_context *context, const char *call, const kith_field *field)
{
    const char *name = field->name == NULL ? "(unnamed)" : field->name;
    uint32_t size = kith_kind_size(field->kind);
    if (KI_CHECKED && size == 0) {
        ki_misuse(context, "%s: field %s: %u is not a kind of field", call, name,
                  (unsigned)field->kind);
        return false;
    }
    if (KI_CHECKED && field->kind != KITH_PADDING &&
        (field->size == 0 || field->size % size != 0)) {
        ki_misuse(context,
                  "%s: field %s: %u bytes are not one or more values of kind %s (%u bytes)", call,
                  name, field->size, kith_kind_name(field->kind), size);
        return false;
    }
    return true;
}

static bool print_fits_all(const ki_context *context, const char *call, const kith_type *type)
{
    if (KI_CHECKED && type->fields == NULL && type->field_count != 0) {
        ki_misuse(context, "%s: %s has %u fields, but their address is NULL", call, type->name,
                  type->field_count);
        return false;
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        uint64_t end = (uint64_t)field->offset + field->size;
        if (!print_fits(context, call, field)) {
            return false;
        }
        if (KI_CHECKED && field->name == NULL && print_is_shown(field)) {
            ki_misuse(context, "%s: field number %u of %s has no name", call, i, type->name);
            return false;
        }
        if (KI_CHECKED && end > type->size && field->kind != KITH_PADDING) {
            ki_misuse(context,
                      "%s: field %s, %u bytes from byte %u on, is not within a struct of %u bytes",
                      call, field->name == NULL ? "(unnamed)" : field->name, field->size,
                      field->offset, type->size);
            return false;
        }
    }
    return true;
}

static size_t print_whole(const kith_world *world, const char *call, const kith_type *type,
                          const void *value, print_out out)
{
    if (world != NULL) { /* needed for its texts alone */
        if (ki_world_require_reader(world, call) != KITH_OK) {
            return 0;
        }
    }
    const ki_context *context = ki_world_error_context(world);
    if (KI_CHECKED && (type == NULL || (value == NULL && type->size != 0))) {
        ki_misuse(context, "%s: the type or the value is NULL", call);
        return 0;
    }
    if (!print_fits_all(context, call, type)) {
        return 0;
    }
    print_value(&out, type, value);
    return out.to.length;
}

size_t kith_print_value(const kith_world *world, const kith_type *type, const void *value,
                        char *text, size_t size)
{
    return print_whole(world, "kith_print_value", type, value, print_start(world, text, size));
}

size_t kith_print_value_named(const kith_world *world, const kith_type *type, const void *value,
                              kith_entity_name_fn name, void *context, char *text, size_t size)
{
    print_out out = print_start(world, text, size);
    out.name = name;
    out.context = context;
    return print_whole(world, "kith_print_value_named", type, value, out);
}

size_t kith_print_field(const kith_world *world, const kith_field *field, const void *value,
                        char *text, size_t size)
{
    print_out out = print_start(world, text, size);
    if (world != NULL) {
        if (ki_world_require_reader(world, "kith_print_field") != KITH_OK) {
            return 0;
        }
    }
    if (KI_CHECKED && (field == NULL || value == NULL)) {
        ki_misuse(ki_world_error_context(world),
                  "kith_print_field: the field or the value is NULL");
        return 0;
    }
    if (!print_fits(ki_world_error_context(world), "kith_print_field", field)) {
        return 0;
    }
    if (print_is_shown(field)) {
        print_field(&out, field, (const char *)value + field->offset);
    }
    return out.to.length;
}

kith_result kith_print_entity(const kith_world *world, kith_entity entity, char *text, size_t size,
                              size_t *length)
{
    KI_TRY(ki_world_require_owner(world, "kith_print_entity"));
    const ki_store *store = &world->store;
    const ki_record *record = ki_record_of(&store->entities, entity);
    if (record == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_DEAD);
    }
    print_out out = print_start(world, text, size);
    uint32_t index = entity.index1 - 1;
    const ki_component *component = NULL;
    const kith_type *type;
    while ((type = ki_store_next(store, index, record, component)) != NULL) {
        component = ki_world_component(world, type);
        print_name(&out, component->type->name);
        if (component->type->size != 0) {
            print_text(&out, " ");
            print_value(&out, component->type, ki_store_value(store, component, index, record));
        }
        print_text(&out, "\n");
    }
    if (length != NULL) {
        *length = out.to.length;
    }
    return KITH_OK;
}
