/* Values and entities, read. Everything is read twice: first it is only looked at, so that nothing
 * is written of a text that turns out to be wrong. */
#include <string.h>

#include <kith/reflect.h>

#include "reflect/text.h"
#include "world/world.h"

/* What is being read: for messages, and where it goes. */
typedef struct parse_target {
    ki_text_reader *reader;
    const kith_type *type;
    const kith_field *field;
    char *bytes; /* where the next part goes; NULL: only look */
} parse_target;

#define PARSE_FORMAT "%.100s.%.100s"
#define PARSE_NAMES(target) (target)->type->name, (target)->field->name

/* ---- One value of a kind */

KI_RARE static void parse_store(const parse_target *target, const void *value, size_t size)
{
    if (target->bytes != NULL) {
        memcpy(target->bytes, value, size);
    }
}

KI_RARE static kith_result parse_number(const parse_target *target)
{
    ki_text_reader *reader = target->reader;
    kith_kind kind = target->field->kind;
    bool may_be = reader->token.kind == KI_TOKEN_NUMBER || reader->token.kind == KI_TOKEN_WORD;
    if (!may_be ||
        !ki_number_parse(kind, reader->token.start, reader->token.length, target->bytes)) {
        char expected[96];
        ki_number_expected(kind, expected, sizeof expected);
        return ki_text_expected(reader, "%s for " PARSE_FORMAT, expected, PARSE_NAMES(target));
    }
    return KITH_OK;
}

KI_RARE static kith_result parse_bool(const parse_target *target)
{
    bool value = ki_text_is(target->reader, "true");
    if (!value && !ki_text_is(target->reader, "false")) {
        return ki_text_expected(target->reader, "true or false for " PARSE_FORMAT,
                                PARSE_NAMES(target));
    }
    parse_store(target, &value, sizeof value);
    return KITH_OK;
}

KI_RARE static kith_result parse_char(const parse_target *target)
{
    size_t count = 0;
    char byte = '\0';
    if (target->reader->token.kind == KI_TOKEN_CHAR) {
        KI_TRY(ki_text_unquote(target->reader, &byte, 1, &count));
    }
    if (count != 1) {
        return ki_text_expected(target->reader,
                                "a character of one byte, like '@', for " PARSE_FORMAT,
                                PARSE_NAMES(target));
    }
    parse_store(target, &byte, 1);
    return KITH_OK;
}

KI_RARE static kith_result parse_handle(const parse_target *target)
{
    const ki_text_reader *reader = target->reader;
    kith_entity entity = KITH_NONE;
    char text[KI_NUMBER_TEXT] = "";
    if (reader->token.kind == KI_TOKEN_WORD && reader->token.length < sizeof text) {
        memcpy(text, reader->token.start, reader->token.length);
        text[reader->token.length] = '\0';
    }
    if (strcmp(text, "none") != 0 && kith_parse(text, &entity) != KITH_OK) {
        return ki_text_expected(target->reader,
                                "an entity, like Entity(2v1), or none, for " PARSE_FORMAT,
                                PARSE_NAMES(target));
    }
    parse_store(target, &entity, sizeof entity);
    return KITH_OK;
}

KI_RARE static kith_result parse_one(const parse_target *target)
{
    switch (target->field->kind) {
    case KITH_BOOL: return parse_bool(target);
    case KITH_CHAR: return parse_char(target);
    case KITH_ENTITY: return parse_handle(target);
    default: return parse_number(target);
    }
}

/* ---- Fields */

KI_RARE static kith_result parse_chars(const parse_target *target)
{
    ki_text_reader *reader = target->reader;
    size_t count = 0;
    if (reader->token.kind != KI_TOKEN_TEXT) {
        return ki_text_expected(reader, "a text in \" for " PARSE_FORMAT, PARSE_NAMES(target));
    }
    KI_TRY(ki_text_unquote(reader, target->bytes, target->field->size, &count));
    if (count > target->field->size) {
        return ki_text_fail(reader, reader->token.start,
                            "expected a text of at most %u bytes for " PARSE_FORMAT
                            ", found one of %zu",
                            target->field->size, PARSE_NAMES(target), count);
    }
    return KITH_OK;
}

/* [1, 2, 3]: neither more nor less than the field holds. */
KI_RARE static kith_result parse_list(parse_target *target)
{
    ki_text_reader *reader = target->reader;
    uint32_t size = kith_kind_size(target->field->kind);
    uint32_t length = target->field->size / size;
    if (!ki_text_is(reader, "[")) {
        return ki_text_expected(reader, "a list in [ ] of %u values for " PARSE_FORMAT, length,
                                PARSE_NAMES(target));
    }
    for (uint32_t i = 0; i < length; i++) {
        KI_TRY(ki_text_next(reader));
        KI_TRY(parse_one(target));
        if (target->bytes != NULL) {
            target->bytes += size;
        }
        KI_TRY(ki_text_next(reader));
        const char *mark = i + 1 < length ? "," : "]";
        if (!ki_text_is(reader, mark)) {
            return ki_text_expected(reader, "\"%s\" behind value %u of %u for " PARSE_FORMAT, mark,
                                    i + 1, length, PARSE_NAMES(target));
        }
    }
    return KITH_OK;
}

/* A name, plain or in quotes: `name` has room for 128 bytes, the last of them zero. */
KI_RARE static kith_result parse_name(ki_text_reader *reader, const char *what, char *name)
{
    size_t length = reader->token.length;
    if (reader->token.kind == KI_TOKEN_TEXT) {
        KI_TRY(ki_text_unquote(reader, name, 127, &length));
    } else if (reader->token.kind == KI_TOKEN_WORD) {
        memcpy(name, reader->token.start, length < 127 ? length : 127);
    } else {
        return ki_text_expected(reader, "%s", what);
    }
    name[length < 127 ? length : 127] = '\0';
    /* A name that is too long, or has a zero byte in it, is nobody's. */
    if (length > 127 || strlen(name) != length) {
        return ki_text_expected(reader, "%s", what);
    }
    return KITH_OK;
}

/* The fields that were read so far: a bit each. */
typedef struct parse_seen {
    uint64_t words[KI_TYPE_FIELDS_MAX / 64];
} parse_seen;

KI_RARE static kith_result parse_field_name(ki_text_reader *reader, const kith_type *type,
                                            parse_seen *seen, const kith_field **field)
{
    char name[128];
    KI_TRY(parse_name(reader, "the name of a field or }", name));
    *field = kith_field_find(type, name);
    if (*field == NULL) {
        return ki_text_expected(reader, "a field of %s", type->name);
    }
    uint32_t number = (uint32_t)(*field - type->fields);
    uint64_t bit = UINT64_C(1) << number % 64;
    if ((seen->words[number / 64] & bit) != 0) {
        return ki_text_fail(reader, reader->token.start, "expected a field once, found %s again",
                            (*field)->name);
    }
    seen->words[number / 64] |= bit;
    return KITH_OK;
}

/* name = value, and reads on. */
KI_RARE static kith_result parse_field(ki_text_reader *reader, const kith_type *type,
                                       parse_seen *seen, char *bytes)
{
    const kith_field *field;
    KI_TRY(parse_field_name(reader, type, seen, &field));
    parse_target target = {reader, type, field, bytes == NULL ? NULL : bytes + field->offset};
    KI_TRY(ki_text_next(reader));
    if (!ki_text_is(reader, "=")) {
        return ki_text_expected(reader, "= behind " PARSE_FORMAT, PARSE_NAMES(&target));
    }
    KI_TRY(ki_text_next(reader));
    if (field->size == kith_kind_size(field->kind)) {
        KI_TRY(parse_one(&target));
    } else if (field->kind == KITH_CHAR) {
        KI_TRY(parse_chars(&target));
    } else {
        KI_TRY(parse_list(&target));
    }
    return ki_text_next(reader);
}

/* { name = value, ... }, whose first token is there, and reads on. Fields that are not named are
 * zero: `bytes` is. */
KI_RARE static kith_result parse_fields(ki_text_reader *reader, const kith_type *type, char *bytes)
{
    parse_seen seen;
    memset(&seen, 0, sizeof seen);
    if (!ki_text_is(reader, "{")) {
        return ki_text_expected(reader, "{ before the fields of %s", type->name);
    }
    KI_TRY(ki_text_next(reader));
    while (!ki_text_is(reader, "}")) {
        KI_TRY(parse_field(reader, type, &seen, bytes));
        if (ki_text_is(reader, ",")) {
            KI_TRY(ki_text_next(reader));
        } else if (!ki_text_is(reader, "}")) {
            return ki_text_expected(reader, ", or } behind a field of %s", type->name);
        }
    }
    return ki_text_next(reader);
}

/* ---- Values */

KI_RARE static kith_result parse_value(ki_text_reader reader, const kith_type *type, char *bytes)
{
    KI_TRY(ki_text_next(&reader));
    KI_TRY(parse_fields(&reader, type, bytes));
    if (reader.token.kind != KI_TOKEN_END) {
        return ki_text_expected(&reader, "the end of the text");
    }
    return KITH_OK;
}

KI_RARE kith_result kith_parse_value(const kith_world *world, const kith_type *type,
                                     const char *text, void *value)
{
    KI_REQUIRE_WORLD(world, "kith_parse_value", KITH_ERR_MISUSE);
    ki_context *context = ki_world_context(world);
    KITH_REQUIRE(context, type != NULL && text != NULL, KITH_ERR_MISUSE,
                 "kith_parse_value: the type or the text is NULL");
    const ki_component *component = ki_world_component(world, type);
    if (component == NULL) {
        KI_TRY(ki_type_validate(context, "kith_parse_value", type));
    } else {
        type = component->type; /* which was looked at when it was registered */
    }
    if (ki_type_opaque(type) != NULL) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_parse_value: %s.%s is opaque, and cannot be made of text", type->name,
                       ki_type_opaque(type)->name);
    }
    ki_text_reader reader = {.context = context, .call = "kith_parse_value", .text = text};
    reader.next = text;
    KI_TRY(parse_value(reader, type, NULL));
    if (value != NULL && type->size != 0) {
        memset(value, 0, type->size);
        kith_result result = parse_value(reader, type, value);
        KI_ASSERT(result == KITH_OK);
        (void)result;
    }
    return KITH_OK;
}

/* ---- Entities */

/* The components that a text names. */
typedef struct parse_entity {
    const kith_world *world;
    bool *named;        /* by id - 1 */
    kith_value *values; /* NULL while the text is only looked at, and `bytes` too */
    char *bytes;
    uint32_t count;
    uint64_t size; /* bytes of all values */
} parse_entity;

/* The component that a token names, which must not have been there before. */
KI_RARE static kith_result parse_component_name(ki_text_reader *reader, parse_entity *all,
                                                const kith_type **type)
{
    char name[128];
    KI_TRY(parse_name(reader, "the name of a component", name));
    *type = kith_type_find(all->world, name);
    if (*type == NULL) {
        return ki_text_expected(reader, "a component that is registered");
    }
    const ki_component *component = ki_world_component(all->world, *type);
    if (component->hooks != NULL) {
        return ki_text_expected(reader, "a component whose values have no hooks");
    }
    uint32_t number = component->id - 1;
    if (all->named[number]) {
        return ki_text_fail(reader, reader->token.start,
                            "expected a component once, found %s again", (*type)->name);
    }
    all->named[number] = true;
    return KITH_OK;
}

/* Name, or Name { name = value, ... }, and reads on. */
KI_RARE static kith_result parse_component(ki_text_reader *reader, parse_entity *all)
{
    const kith_type *type;
    KI_TRY(parse_component_name(reader, all, &type));
    KI_TRY(ki_text_next(reader));
    char *bytes = all->bytes == NULL ? NULL : all->bytes + all->size;
    if (bytes != NULL) {
        memset(bytes, 0, type->size);
        all->values[all->count] = (kith_value){type, type->size == 0 ? NULL : bytes};
    }
    all->count++;
    all->size += type->size;
    return ki_text_is(reader, "{") ? parse_fields(reader, type, bytes) : KITH_OK;
}

KI_RARE static kith_result parse_components(ki_text_reader reader, parse_entity *all)
{
    memset(all->named, 0, all->world->store.component_count * sizeof *all->named);
    all->count = 0;
    all->size = 0;
    KI_TRY(ki_text_next(&reader));
    while (reader.token.kind != KI_TOKEN_END) {
        KI_TRY(parse_component(&reader, all));
    }
    return KITH_OK;
}

/* The text is known to be right: reads its values, and sets them. */
KI_RARE static kith_result parse_and_set(kith_world *world, kith_entity entity,
                                         ki_text_reader reader, parse_entity *all)
{
    ki_heap *heap = &world->store.context.heap;
    uint32_t count = all->count;
    if (count == 0) {
        return KITH_OK;
    }
    uint64_t needed = count * sizeof *all->values + all->size + 1;
    if (needed > SIZE_MAX / 2) {
        return KITH_ERR_MEMORY;
    }
    size_t size = (size_t)needed;
    all->values = ki_heap_take(heap, size, _Alignof(kith_value));
    if (all->values == NULL) {
        return KITH_ERR_MEMORY;
    }
    all->bytes = (char *)(all->values + count);
    kith_result result = parse_components(reader, all);
    KI_ASSERT(result == KITH_OK && all->count == count);
    result = ki_world_set_several(world, reader.call, entity, all->values, count);
    ki_heap_give(heap, all->values, size, _Alignof(kith_value));
    return result;
}

KI_RARE kith_result kith_parse_entity(kith_world *world, kith_entity entity, const char *text)
{
    KI_REQUIRE_OWNER(world, "kith_parse_entity", KITH_ERR_MISUSE);
    ki_context *context = &world->store.context;
    KITH_REQUIRE(context, text != NULL, KITH_ERR_MISUSE, "kith_parse_entity: the text is NULL");
    if (ki_record_of(&world->store.entities, entity) == NULL) {
        return KITH_ERR_DEAD;
    }
    size_t flags = world->store.component_count * sizeof(bool);
    parse_entity all = {.world = world, .named = ki_heap_take(&context->heap, flags, 1)};
    if (all.named == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_text_reader reader = {.context = context, .call = "kith_parse_entity", .text = text};
    reader.next = text;
    kith_result result = parse_components(reader, &all);
    if (result == KITH_OK) {
        result = parse_and_set(world, entity, reader, &all);
    }
    ki_heap_give(&context->heap, all.named, flags, 1);
    return result;
}
