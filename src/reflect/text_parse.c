/* Reads values and entities. Everything is read twice. The first time only checks the text, so that
 * a wrong one writes nothing and interns nothing. */
#include <string.h>

#include <kith/reflect.h>

#include "base/hash.h"
#include "reflect/text.h"
#include "world/first_use.h"

/* The field that is being read: its names for messages, and where the value goes. */
typedef struct parse_target {
    kith_reader *reader;
    const kith_type *type;
    const kith_field *field;
    char *bytes; /* where the next value goes; NULL: only check */
} parse_target;

#define PARSE_FORMAT "%.100s.%.100s"
#define PARSE_NAMES(target) (target)->type->name, (target)->field->name

static inline bool parse_at(const kith_reader *reader, char mark)
{
    return reader->token.kind == KITH_TOKEN_MARK && *reader->token.start == mark;
}

/* ---- One value of a kind */

static void parse_store(const parse_target *target, const void *value, size_t size)
{
    if (target->bytes != NULL) {
        memcpy(target->bytes, value, size);
    }
}

static kith_result parse_number(const parse_target *target)
{
    kith_reader *reader = target->reader;
    kith_kind kind = target->field->kind;
    bool may_be = reader->token.kind == KITH_TOKEN_NUMBER || reader->token.kind == KITH_TOKEN_WORD;
    if (!may_be ||
        !ki_number_parse(kind, reader->token.start, reader->token.length, target->bytes)) {
        char expected[96] = "a number";
        if (reader->token.kind == KITH_TOKEN_NUMBER || (kind != KITH_F32 && kind != KITH_F64)) {
            ki_number_expected(kind, expected, sizeof expected); /* and its range */
        }
        return kith_read_expected(reader, "%s for " PARSE_FORMAT, expected, PARSE_NAMES(target));
    }
    return KITH_OK;
}

static kith_result parse_bool(const parse_target *target)
{
    bool value = kith_token_is(target->reader, "true");
    if (!value && !kith_token_is(target->reader, "false")) {
        return kith_read_expected(target->reader, "true or false for " PARSE_FORMAT,
                                  PARSE_NAMES(target));
    }
    parse_store(target, &value, sizeof value);
    return KITH_OK;
}

static kith_result parse_char(const parse_target *target)
{
    size_t count = 0;
    char byte = '\0';
    if (target->reader->token.kind == KITH_TOKEN_CHAR) {
        KI_TRY(ki_text_unquote(target->reader, &byte, 1, &count));
    }
    if (count != 1) {
        return kith_read_expected(target->reader,
                                  "a character of one byte, like '@', for " PARSE_FORMAT,
                                  PARSE_NAMES(target));
    }
    parse_store(target, &byte, 1);
    return KITH_OK;
}

static kith_result parse_handle(const parse_target *target)
{
    kith_reader *reader = target->reader;
    kith_entity entity = KITH_NONE;
    char text[KI_NUMBER_TEXT] = "";
    if (reader->find_entity != NULL && reader->token.kind == KITH_TOKEN_WORD &&
        !kith_token_is(reader, "none")) {
        KI_TRY(reader->find_entity(reader, reader->context, &entity));
        parse_store(target, &entity, sizeof entity);
        return KITH_OK;
    }
    if (reader->find_entity == NULL && reader->token.kind == KITH_TOKEN_WORD &&
        reader->token.length < sizeof text) {
        memcpy(text, reader->token.start, reader->token.length);
        text[reader->token.length] = '\0';
    }
    if (!kith_token_is(reader, "none") && kith_entity_from_text(text, &entity) != KITH_OK) {
        return kith_read_expected(reader, "%s, or none, for " PARSE_FORMAT,
                                  reader->find_entity != NULL ? "the name of an entity"
                                                              : "an entity, like Entity(2v1)",
                                  PARSE_NAMES(target));
    }
    parse_store(target, &entity, sizeof entity);
    return KITH_OK;
}

/* Interns or keeps the bytes in the quotes of a token. They are never more than the token has. */
static kith_result parse_intern(const parse_target *target)
{
    kith_reader *reader = target->reader;
    kith_world *world = reader->world;
    if (world == NULL) {
        return kith_read_fail(reader, reader->token.start,
                              "expected nothing for " PARSE_FORMAT
                              ", since there is no world to keep texts",
                              PARSE_NAMES(target));
    }
    ki_heap *heap = &world->store.context.heap;
    size_t size = reader->token.length;
    size_t length = 0;
    kith_text text;
    char *bytes = ki_heap_alloc(heap, size, 1);
    if (bytes == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = ki_text_unquote(reader, bytes, size, &length);
    if (result == KITH_OK) {
        result = reader->keep_text != NULL
                     ? reader->keep_text(reader, reader->context, bytes, length, &text)
                     : kith_text_intern_bytes(world, bytes, length, &text);
    }
    ki_heap_free(heap, bytes, size, 1);
    if (result == KITH_OK) {
        parse_store(target, &text, sizeof text);
    }
    return result;
}

static kith_result parse_text(const parse_target *target)
{
    kith_reader *reader = target->reader;
    size_t length;
    if (reader->token.kind != KITH_TOKEN_TEXT) {
        return kith_read_expected(reader, "a text in \" for " PARSE_FORMAT, PARSE_NAMES(target));
    }
    return target->bytes == NULL ? ki_text_unquote(reader, NULL, 0, &length) : parse_intern(target);
}

static kith_result parse_one(const parse_target *target)
{
    switch (target->field->kind) {
    case KITH_BOOL: return parse_bool(target);
    case KITH_CHAR: return parse_char(target);
    case KITH_ENTITY: return parse_handle(target);
    case KITH_TEXT: return parse_text(target);
    default: return parse_number(target);
    }
}

/* ---- Fields */

static kith_result parse_chars(const parse_target *target)
{
    kith_reader *reader = target->reader;
    size_t count = 0;
    if (reader->token.kind != KITH_TOKEN_TEXT) {
        return kith_read_expected(reader, "a text in \" for " PARSE_FORMAT, PARSE_NAMES(target));
    }
    if (target->bytes != NULL) {
        memset(target->bytes, 0, target->field->size);
    }
    KI_TRY(ki_text_unquote(reader, target->bytes, target->field->size, &count));
    if (count > target->field->size) {
        return kith_read_fail(reader, reader->token.start,
                              "expected a text of at most %u bytes for " PARSE_FORMAT
                              ", found one of %zu",
                              target->field->size, PARSE_NAMES(target), count);
    }
    return KITH_OK;
}

/* Reads [1, 2, 3]: exactly as many values as the field holds. */
static kith_result parse_list(parse_target *target)
{
    kith_reader *reader = target->reader;
    uint32_t size = kith_kind_size(target->field->kind);
    uint32_t length = target->field->size / size;
    if (!parse_at(reader, '[')) {
        return kith_read_expected(reader, "a list in [ ] of %u values for " PARSE_FORMAT, length,
                                  PARSE_NAMES(target));
    }
    for (uint32_t i = 0; i < length; i++) {
        KI_TRY(kith_read_token(reader));
        KI_TRY(parse_one(target));
        if (target->bytes != NULL) {
            target->bytes += size;
        }
        KI_TRY(kith_read_token(reader));
        char mark = i + 1 < length ? ',' : ']';
        if (!parse_at(reader, mark)) {
            return kith_read_expected(reader, "\"%c\" after value %u of %u for " PARSE_FORMAT, mark,
                                      i + 1, length, PARSE_NAMES(target));
        }
    }
    return KITH_OK;
}

kith_result kith_read_name(kith_reader *reader, const char *expected, char *name, size_t size)
{
    if (KI_CHECKED && (reader == NULL || expected == NULL || name == NULL || size == 0)) {
        return ki_misuse(NULL, "kith_read_name: the reader, what is expected or the name is NULL");
    }
    size_t length = reader->token.length;
    size_t most = size - 1;
    bool word = reader->token.kind == KITH_TOKEN_WORD;
    if (!word && reader->token.kind != KITH_TOKEN_TEXT) {
        return kith_read_expected(reader, "%s", expected);
    }
    if (word) {
        memcpy(name, reader->token.start, length < most ? length : most);
    } else {
        KI_TRY(ki_text_unquote(reader, name, most, &length));
    }
    name[length < most ? length : most] = '\0';
    if (length > most || strlen(name) != length) {
        return kith_read_expected(reader, "%s", expected);
    }
    return KITH_OK;
}

#define PARSE_FEW 32u     /* among so many fields a name is searched one by one */
#define PARSE_SLOTS 8192u /* of a hash table: half full with all fields that a type can have */

/* The fields of a value that is being read. Most often they come in the order of the type. If those
 * of a large type do not, their names are hashed, so that the time stays proportional to their
 * number. */
typedef struct parse_names {
    const kith_type *type;
    uint32_t next;                          /* the field that is expected */
    uint32_t missed;                        /* names that were not the expected one */
    uint64_t seen[KI_TYPE_FIELDS_MAX / 64]; /* a bit for each field that was read */
    uint16_t
        slots[PARSE_SLOTS]; /* numbers of fields, from 1; set up after PARSE_FEW missed names */
} parse_names;

/* The slot of a name, or the empty slot where it would go. */
static uint16_t *parse_slot(parse_names *names, const char *name)
{
    uint32_t mask = PARSE_SLOTS - 1;
    uint32_t at = (uint32_t)ki_hash_text(KI_HASH_SEED, name) & mask;
    while (names->slots[at] != 0 &&
           strcmp(names->type->fields[names->slots[at] - 1].name, name) != 0) {
        at = (at + 1) & mask;
    }
    return &names->slots[at];
}

static void parse_hash_names(parse_names *names)
{
    memset(names->slots, 0, sizeof names->slots);
    for (uint32_t i = 0; i < names->type->field_count; i++) {
        const kith_field *field = &names->type->fields[i];
        uint16_t *slot = field->kind == KITH_PADDING ? NULL : parse_slot(names, field->name);
        if (slot != NULL && *slot == 0) {
            *slot = (uint16_t)(i + 1);
        }
    }
}

/* The field of a name, or NULL. */
static const kith_field *parse_find_field(parse_names *names, const char *name)
{
    const kith_type *type = names->type;
    while (names->next < type->field_count && type->fields[names->next].kind == KITH_PADDING) {
        names->next++;
    }
    const kith_field *field = NULL;
    if (names->next < type->field_count && strcmp(type->fields[names->next].name, name) == 0) {
        field = &type->fields[names->next];
    } else if (type->field_count <= PARSE_FEW || names->missed < PARSE_FEW) {
        names->missed++;
        field = kith_field_find(type, name);
    } else {
        if (names->missed++ == PARSE_FEW) {
            parse_hash_names(names);
        }
        uint16_t number = *parse_slot(names, name);
        field = number == 0 ? NULL : &type->fields[number - 1];
    }
    names->next = field == NULL ? names->next : (uint32_t)(field - type->fields) + 1;
    return field;
}

static kith_result parse_unknown_field(kith_reader *reader, const kith_type *type, const char *name)
{
    kith_hint hint = {.word = name, .length = strlen(name)};
    if (type->field_count == 0) {
        return kith_read_expected(reader, "}, as %s has no fields", type->name);
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].kind != KITH_PADDING) {
            kith_hint_offer(&hint, type->fields[i].name);
        }
    }
    return kith_read_expected(reader, "a field of %s%s", type->name, kith_hint_text(&hint).text);
}

static kith_result parse_field_name(kith_reader *reader, parse_names *names,
                                    const kith_field **field)
{
    const kith_type *type = names->type;
    char name[128];
    KI_TRY(kith_read_name(reader, "the name of a field or }", name, sizeof name));
    *field = parse_find_field(names, name);
    if (*field == NULL) {
        return parse_unknown_field(reader, type, name);
    }
    if ((*field)->kind == KITH_OPAQUE) {
        return kith_read_expected(reader, "a field that text makes (%s.%s is opaque)", type->name,
                                  (*field)->name);
    }
    uint32_t number = (uint32_t)(*field - type->fields);
    uint64_t bit = UINT64_C(1) << number % 64;
    if ((names->seen[number / 64] & bit) != 0) {
        return kith_read_fail(reader, reader->token.start, "expected a field once, found %s again",
                              (*field)->name);
    }
    names->seen[number / 64] |= bit;
    return KITH_OK;
}

/* Reads the value of a field, and the token after it. */
static kith_result parse_field_value(parse_target *target)
{
    const kith_field *field = target->field;
    if (field->size == kith_kind_size(field->kind)) {
        KI_TRY(parse_one(target));
    } else if (field->kind == KITH_CHAR) {
        KI_TRY(parse_chars(target));
    } else {
        KI_TRY(parse_list(target));
    }
    return kith_read_token(target->reader);
}

/* Reads `name = value`, and the token after it. */
static kith_result parse_field(kith_reader *reader, parse_names *names, char *bytes)
{
    const kith_field *field;
    KI_TRY(parse_field_name(reader, names, &field));
    parse_target target = {reader, names->type, field,
                           bytes == NULL ? NULL : bytes + field->offset};
    KI_TRY(kith_read_token(reader));
    if (!parse_at(reader, '=')) {
        return kith_read_expected(reader, "= after " PARSE_FORMAT, PARSE_NAMES(&target));
    }
    KI_TRY(kith_read_token(reader));
    return parse_field_value(&target);
}

static kith_result parse_fields(kith_reader *reader, const kith_type *type, char *bytes)
{
    parse_names names;
    names.type = type;
    names.next = 0;
    names.missed = 0;
    memset(names.seen, 0, (type->field_count + 63) / 64 * sizeof names.seen[0]);
    if (!parse_at(reader, '{')) {
        return kith_read_expected(reader, "{ before the fields of %s", type->name);
    }
    KI_TRY(kith_read_token(reader));
    while (!parse_at(reader, '}')) {
        KI_TRY(parse_field(reader, &names, bytes));
        if (parse_at(reader, ',')) {
            KI_TRY(kith_read_token(reader));
        } else if (!parse_at(reader, '}')) {
            return kith_read_expected(reader, ", or } after a field of %s", type->name);
        }
    }
    return kith_read_token(reader);
}

/* ---- Values */

kith_result kith_read_value(kith_reader *reader, const kith_type *type, void *value)
{
    if (KI_CHECKED && (reader == NULL || type == NULL)) {
        return ki_misuse(NULL, "kith_read_value: the reader or the type is NULL");
    }
    if (reader->world != NULL && reader->keep_text == NULL && value != NULL) {
        KI_TRY(ki_world_require_owner(reader->world, "kith_read_value"));
    }
    return parse_fields(reader, type, value);
}

/* Leaves the reader's error for kith_error. */
static kith_result parse_result(ki_context *context, const char *call, const kith_text_error *error,
                                kith_result result)
{
    return result != KITH_ERR_INPUT ? result
                                    : ki_fail(context, result, "%s: line %u, column %u: %s", call,
                                              error->line, error->column, error->message);
}

static kith_result parse_end(kith_reader *reader)
{
    return reader->token.kind == KITH_TOKEN_END ? KITH_OK
                                                : kith_read_expected(reader, "the end of the text");
}

static kith_result parse_value(kith_reader reader, const kith_type *type, char *bytes)
{
    KI_TRY(kith_read_token(&reader));
    KI_TRY(parse_fields(&reader, type, bytes));
    return parse_end(&reader);
}

static kith_result parse_only_field(parse_target *target)
{
    KI_TRY(kith_read_token(target->reader));
    KI_TRY(parse_field_value(target));
    return parse_end(target->reader);
}

kith_result ki_text_parse_field(kith_world *world, const char *call, const kith_type *type,
                                const kith_field *field, const char *text, char *bytes)
{
    kith_text_error error;
    kith_reader reader = {.text = text, .length = strlen(text), .error = &error, .world = world};
    parse_target target = {&reader, type, field, bytes};
    return parse_result(&world->store.context, call, &error, parse_only_field(&target));
}

static bool parse_interns(const kith_type *type)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].kind == KITH_TEXT) {
            return true;
        }
    }
    return false;
}

/* Reads a text that is known to be right. Interning may run out of memory half-way, so a value with
 * texts is completed elsewhere, and copied to `value` as a whole. */
static kith_result parse_into(kith_reader reader, const kith_type *type, void *value)
{
    if (!parse_interns(type)) {
        memset(value, 0, type->size);
        return parse_value(reader, type, value);
    }
    ki_heap *heap = &reader.world->store.context.heap;
    char *bytes = ki_heap_alloc_zeroed(heap, type->size, 1);
    if (bytes == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = parse_value(reader, type, bytes);
    if (result == KITH_OK) {
        memcpy(value, bytes, type->size);
    }
    ki_heap_free(heap, bytes, type->size, 1);
    return result;
}

kith_result kith_parse_value(kith_world *world, const kith_type *type, const char *text,
                             void *value)
{
    KI_TRY(ki_world_require_owner(world, "kith_parse_value"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && (type == NULL || text == NULL)) {
        return ki_misuse(context, "kith_parse_value: the type or the text is NULL");
    }
    const ki_component *component = ki_world_component(world, type);
    if (component == NULL) {
        size_t texts;
        KI_TRY(ki_type_validate(context, "kith_parse_value", type, &texts));
    } else {
        type = component->type; /* it was checked when it was registered */
    }
    if (ki_type_opaque(type) != NULL) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_parse_value: %s.%s is opaque, and cannot be made of text", type->name,
                       ki_type_opaque(type)->name);
    }
    kith_text_error error;
    const kith_reader reader = {
        .text = text, .length = strlen(text), .error = &error, .world = world};
    KI_TRY(parse_result(context, "kith_parse_value", &error, parse_value(reader, type, NULL)));
    return value == NULL || type->size == 0 ? KITH_OK : parse_into(reader, type, value);
}

/* ---- Entities */

/* The components that a text names. */
typedef struct parse_entity {
    kith_world *world;
    uint64_t naming;    /* see ki_component_name */
    kith_value *values; /* NULL, as is `bytes`, while the text is only checked */
    char *bytes;
    uint32_t count;
    uint64_t size; /* bytes of all values */
} parse_entity;

/* The component that a token names; each may be named once. */
static kith_result parse_component_name(kith_reader *reader, parse_entity *all,
                                        const kith_type **type)
{
    char name[128];
    KI_TRY(kith_read_name(reader, "the name of a component", name, sizeof name));
    *type = kith_type_find(all->world, name);
    if (*type == NULL) {
        kith_hint hint = {.word = name, .length = strlen(name)};
        for (uint32_t i = 0; i < kith_type_count(all->world); i++) {
            kith_hint_offer(&hint, kith_type_at(all->world, i)->name);
        }
        return kith_read_expected(reader, "a component that is registered%s",
                                  kith_hint_text(&hint).text);
    }
    ki_component *component;
    KI_TRY(ki_world_use(all->world, "kith_parse_entity", *type, &component));
    if (component->hooks != NULL) {
        return kith_read_expected(reader, "a component without hooks");
    }
    return ki_component_name(component, all->naming)
               ? KITH_OK
               : kith_read_fail(reader, reader->token.start,
                                "expected a component once, found %s again", (*type)->name);
}

/* Reads `Name`, or `Name { name = value, ... }`, and the token after it. */
static kith_result parse_component(kith_reader *reader, parse_entity *all)
{
    const kith_type *type;
    KI_TRY(parse_component_name(reader, all, &type));
    KI_TRY(kith_read_token(reader));
    char *bytes = all->bytes == NULL ? NULL : all->bytes + all->size;
    if (bytes != NULL) {
        memset(bytes, 0, type->size);
        all->values[all->count] = (kith_value){type, type->size == 0 ? NULL : bytes};
    }
    all->count++;
    all->size += type->size;
    return parse_at(reader, '{') ? parse_fields(reader, type, bytes) : KITH_OK;
}

static kith_result parse_components(kith_reader reader, parse_entity *all)
{
    all->naming = ki_store_begin_names(&all->world->store);
    all->count = 0;
    all->size = 0;
    KI_TRY(kith_read_token(&reader));
    while (reader.token.kind != KITH_TOKEN_END) {
        KI_TRY(parse_component(&reader, all));
    }
    return KITH_OK;
}

/* Reads the values of a text that is known to be right, and sets them. */
static kith_result parse_and_set(kith_world *world, kith_entity entity, kith_reader reader,
                                 parse_entity *all)
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
    all->values = ki_heap_alloc(heap, size, _Alignof(kith_value));
    if (all->values == NULL) {
        return KITH_ERR_MEMORY;
    }
    all->bytes = (char *)(all->values + count);
    kith_result result = parse_components(reader, all);
    if (result == KITH_OK) {
        KI_ASSERT(all->count == count);
        result = ki_world_set_values(world, "kith_parse_entity", entity, all->values, count);
    }
    ki_heap_free(heap, all->values, size, _Alignof(kith_value));
    return result;
}

kith_result kith_parse_entity(kith_world *world, kith_entity entity, const char *text)
{
    KI_TRY(ki_world_require_writer(world, "kith_parse_entity"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && text == NULL) {
        return ki_misuse(context, "kith_parse_entity: the text is NULL");
    }
    if (ki_record_of(&world->store.entities, entity) == NULL) {
        return ki_without_message(&world->store.context.heap, KITH_ERR_DEAD);
    }
    parse_entity all = {.world = world};
    kith_text_error error;
    const kith_reader reader = {
        .text = text, .length = strlen(text), .error = &error, .world = world};
    kith_result result =
        parse_result(context, "kith_parse_entity", &error, parse_components(reader, &all));
    return result == KITH_OK ? parse_and_set(world, entity, reader, &all) : result;
}
