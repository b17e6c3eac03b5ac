/* Whether a type's description makes sense. */
#include <stdio.h>
#include <string.h>

#include "base/bits.h"
#include "base/sort.h"
#include "store/register.h"

#define TYPE_NAME_MAX 127
#define TYPE_SIZE_MAX (1u << 20)
#define TYPE_ALIGN_MAX 4096u

uint32_t kith_kind_size(kith_kind kind)
{
    switch (kind) {
    case KITH_BYTES:
    case KITH_OPAQUE:
    case KITH_PADDING:
    case KITH_BOOL:
    case KITH_CHAR:
    case KITH_I8:
    case KITH_U8: return 1;
    case KITH_I16:
    case KITH_U16: return 2;
    case KITH_I32:
    case KITH_U32:
    case KITH_F32:
    case KITH_TEXT: return 4;
    case KITH_I64:
    case KITH_U64:
    case KITH_F64:
    case KITH_ENTITY: return 8;
    }
    return 0;
}

const char *kith_kind_name(kith_kind kind)
{
    static const char *const names[] = {"bytes", "padding", "bool",   "char", "i8",    "u8",
                                        "i16",   "u16",     "i32",    "u32",  "i64",   "u64",
                                        "f32",   "f64",     "entity", "text", "opaque"};
    uint32_t number = (uint32_t)kind;
    return number < sizeof names / sizeof names[0] ? names[number] : "unknown";
}

/* The bytes of a type's name, with its end; 0 if it is none. Not compiled to be small: once for each
 * byte of a name. */
static size_t validate_name(const char *name)
{
    static const uint64_t allowed[4] = {UINT64_C(0x07ff400000000000),  /* . 0 to 9 : */
                                        UINT64_C(0x07fffffe87fffffe)}; /* A to Z _ a to z */
    size_t length = 0;
    for (; name[length] != '\0'; length++) {
        uint8_t byte = (uint8_t)name[length];
        if (length == TYPE_NAME_MAX || (allowed[byte / 64] >> byte % 64 & 1) == 0) {
            return 0;
        }
    }
    return length == 0 || (name[0] >= '0' && name[0] <= '9') ? 0 : length + 1;
}

static const char *validate_field_name(const kith_type *type, uint32_t field)
{
    return type->fields[field].name != NULL ? type->fields[field].name : "(unnamed)";
}

/* The bytes of a field's name, with its end; 0 if it has none that will do. */
static size_t validate_name_bytes(const kith_field *field)
{
    size_t length = field->name == NULL ? 0 : strlen(field->name);
    return length == 0 || length > TYPE_NAME_MAX ? 0 : length + 1;
}

/* Padding up to the next field, which has no size. */
static bool validate_reaches_on(const kith_field *field)
{
    return field->kind == KITH_PADDING && field->size == 0;
}

/* Where a field starts: KITH_GAP where the one before it in the list ends. If that overflows, the one
 * before it is found to end outside the struct. */
static uint32_t validate_offset(const kith_type *type, uint32_t number)
{
    const kith_field *field = &type->fields[number];
    bool gap = field->offset == UINT32_MAX && validate_reaches_on(field) && number > 0;
    return gap ? field[-1].offset + field[-1].size : field->offset;
}

static kith_result validate_field(ki_context *context, const char *call, const kith_type *type,
                                  uint32_t number, uint64_t end)
{
    const kith_field *field = &type->fields[number];
    const char *name = validate_field_name(type, number);
    uint32_t kind_size = kith_kind_size(field->kind); /* a power of two */
    if (kind_size == 0) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: %s.%s: %u is no kind of field", call,
                       type->name, name, (unsigned)field->kind);
    }
    if (field->kind == KITH_PADDING) {
        if (validate_offset(type, number) > type->size) {
            return ki_fail(context, KITH_ERR_INPUT, "%s: %s.%s: starts after the struct's end",
                           call, type->name, name);
        }
    } else if (validate_name_bytes(field) == 0) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: %s: field number %u has no name of 1 to %d bytes", call, type->name,
                       number, TYPE_NAME_MAX);
    } else if (field->size == 0 || (field->size & (kind_size - 1)) != 0) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: %s.%s: %u bytes are not one or more values of kind %s (%u bytes)", call,
                       type->name, name, field->size, kith_kind_name(field->kind), kind_size);
    }
    if (end > type->size) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: %s.%s: ends at byte %llu of a struct of %u bytes", call, type->name,
                       name, (unsigned long long)end, type->size);
    }
    return KITH_OK;
}

static kith_result validate_pair(ki_context *context, const char *call, const kith_type *type,
                                 const uint64_t *ends, uint32_t a, uint32_t b)
{
    const kith_field *first = &type->fields[a];
    const kith_field *second = &type->fields[b];
    bool both_named = first->kind != KITH_PADDING && second->kind != KITH_PADDING;
    if (both_named && strcmp(first->name, second->name) == 0) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: %s: two fields are named '%s'", call,
                       type->name, first->name);
    }
    if (validate_offset(type, a) < ends[b] && validate_offset(type, b) < ends[a]) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: %s: fields %s and %s overlap", call,
                       type->name, validate_field_name(type, a), validate_field_name(type, b));
    }
    return KITH_OK;
}

/* The fields of a type, and what is found out about them. */
typedef struct validation {
    const kith_type *type;
    uint64_t *ends;    /* of each field */
    uint32_t *numbers; /* the fields in an order: by offset, or by name */
} validation;

#define VALIDATE_FEW 32u /* fields that are compared in pairs */

static bool validate_comes_before(const void *context, uint32_t a, uint32_t b)
{
    uint32_t a_offset = validate_offset(context, a);
    uint32_t b_offset = validate_offset(context, b);
    return a_offset != b_offset ? a_offset < b_offset : a < b;
}

/* Padding comes last: it may have any name. */
static int validate_compare_names(const kith_field *a, const kith_field *b)
{
    bool a_is_padding = a->kind == KITH_PADDING;
    bool b_is_padding = b->kind == KITH_PADDING;
    return a_is_padding || b_is_padding ? a_is_padding - b_is_padding : strcmp(a->name, b->name);
}

static bool validate_is_named_less(const void *context, uint32_t a, uint32_t b)
{
    const kith_field *fields = ((const kith_type *)context)->fields;
    return validate_compare_names(&fields[a], &fields[b]) < 0;
}

static void validate_sort(const validation *v,
                          bool (*before)(const void *context, uint32_t a, uint32_t b))
{
    for (uint32_t i = 0; i < v->type->field_count; i++) {
        v->numbers[i] = i;
    }
    ki_sort(v->numbers, v->type->field_count, before, v->type);
}

/* Finds where fields end, which are in order of offsets; padding without a size reaches to the next
 * field that has one, or to the end. */
static void validate_find_ends(const validation *v)
{
    const kith_field *fields = v->type->fields;
    uint32_t next = v->type->size; /* the least offset so far of a field with a size */
    for (uint32_t last = v->type->field_count; last > 0;) {
        uint32_t first = last;
        uint32_t offset = validate_offset(v->type, v->numbers[last - 1]);
        while (first > 0 && validate_offset(v->type, v->numbers[first - 1]) == offset) {
            first--;
            bool sized = !validate_reaches_on(&fields[v->numbers[first]]);
            next = sized && offset < next ? offset : next;
        }
        for (; last > first; last--) {
            uint32_t field = v->numbers[last - 1];
            v->ends[field] =
                validate_reaches_on(&fields[field]) ? next : (uint64_t)offset + fields[field].size;
        }
    }
}

/* Whether no two fields overlap, which are in order of offsets. */
static bool validate_lie_apart(const validation *v)
{
    uint64_t end = 0;      /* of those that start before `offset`: there is none that ends later */
    uint64_t same_end = 0; /* of those that start there */
    uint32_t offset = 0;
    for (uint32_t i = 0; i < v->type->field_count; i++) {
        uint32_t field = v->numbers[i];
        uint32_t start = validate_offset(v->type, field);
        if (start != offset) {
            end = same_end;
            same_end = 0;
            offset = start;
        }
        bool empty = v->ends[field] == offset;
        if (end > offset || (!empty && same_end > offset)) {
            return false;
        }
        same_end = v->ends[field] > same_end ? v->ends[field] : same_end;
    }
    return true;
}

/* Whether no two fields have one name, which are in order of names. */
static bool validate_differ(const validation *v)
{
    const kith_field *fields = v->type->fields;
    for (uint32_t i = 1; i < v->type->field_count; i++) {
        const kith_field *field = &fields[v->numbers[i]];
        if (field->kind != KITH_PADDING &&
            validate_compare_names(&fields[v->numbers[i - 1]], field) == 0) {
            return false;
        }
    }
    return true;
}

/* Tells of the first pair that does not go together. There is one, so it may take its time. */
static kith_result validate_pairs(ki_context *context, const char *call, const validation *v)
{
    for (uint32_t i = 0; i < v->type->field_count; i++) {
        for (uint32_t k = i + 1; k < v->type->field_count; k++) {
            KI_TRY(validate_pair(context, call, v->type, v->ends, i, k));
        }
    }
    return KITH_OK;
}

/* Fields that lie inside and do not overlap cover every byte just if their sizes add up. They are
 * in order of offsets. */
static kith_result validate_coverage(ki_context *context, const char *call, const validation *v)
{
    const kith_type *type = v->type;
    uint64_t at = 0;
    const char *before = NULL;
    for (uint32_t i = 0; i < type->field_count; i++) {
        uint32_t field = v->numbers[i];
        if (validate_offset(type, field) == at && v->ends[field] > at) {
            at = v->ends[field];
            before = validate_field_name(type, field);
        }
    }
    if (at == type->size || type->padded) {
        return KITH_OK;
    }
    if (before == NULL) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: %s: no field covers byte 0 of %u", call,
                       type->name, type->size);
    }
    return ki_fail(
        context, KITH_ERR_INPUT,
        "%s: %s: no field covers byte %llu of %u, after %s: name the field that is missing,"
        " or write KITH_GAP after %s if the compiler leaves these bytes",
        call, type->name, (unsigned long long)at, type->size, before, before);
}

static kith_result validate_fields(ki_context *context, const char *call, const validation *v,
                                   size_t *texts)
{
    const kith_type *type = v->type;
    validate_sort(v, validate_comes_before);
    validate_find_ends(v);
    for (uint32_t i = 0; i < type->field_count; i++) {
        KI_TRY(validate_field(context, call, type, i, v->ends[i]));
        *texts += type->fields[i].name != NULL ? strlen(type->fields[i].name) + 1 : 0;
    }
    bool apart = validate_lie_apart(v);
    validate_sort(v, validate_is_named_less);
    if (!apart || !validate_differ(v)) {
        KI_TRY(validate_pairs(context, call, v));
    }
    validate_sort(v, validate_comes_before);
    return validate_coverage(context, call, v);
}

static bool validate_is_named_before(const kith_type *type, uint32_t field)
{
    const char *name = type->fields[field].name;
    uint32_t before = 0;
    while (before < field && (type->fields[before].name[0] != name[0] ||
                              strcmp(type->fields[before].name, name) != 0)) {
        before++;
    }
    return before < field;
}

/* Whether the fields follow one another and fill the struct, each of a kind, a size and a name that make
 * sense: most types are so, and pass with one look at each field. Then adds the bytes of their names. */
static bool validate_is_plain(const kith_type *type, size_t *texts)
{
    uint32_t end = 0;
    size_t names = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        uint32_t unit = kith_kind_size(field->kind);
        size_t name = validate_name_bytes(field);
        if (field->kind == KITH_PADDING || unit == 0 || (field->size & (unit - 1)) != 0 ||
            field->offset != end || field->size == 0 || field->size > type->size - end ||
            name == 0 || validate_is_named_before(type, i)) {
            return false;
        }
        end += field->size;
        names += name;
    }
    *texts += end == type->size ? names : 0;
    return end == type->size;
}

/* For a type of many fields. */
static kith_result validate_many(ki_context *context, const char *call, const kith_type *type,
                                 size_t *texts)
{
    size_t bytes = type->field_count * (sizeof(uint64_t) + sizeof(uint32_t));
    uint64_t *ends = ki_heap_alloc(&context->heap, bytes, _Alignof(uint64_t));
    if (ends == NULL) {
        return KITH_ERR_MEMORY;
    }
    const validation v = {type, ends, (uint32_t *)(ends + type->field_count)};
    kith_result result = validate_fields(context, call, &v, texts);
    ki_heap_free(&context->heap, ends, bytes, _Alignof(uint64_t));
    return result;
}

/* The kith_relation_rule bits of a relation: one of three, and what may be added to it. */
static kith_result validate_relation(ki_context *context, const char *call, const kith_type *type)
{
    bool many = (type->relation & KITH_MANY) != 0;
    uint32_t rule = type->relation & ~(uint32_t)(many ? KITH_MANY : KITH_ACYCLIC);
    if (rule != KITH_CASCADE && rule != KITH_CLEAR && rule != KITH_REFUSE) {
        return ki_fail(
            context, KITH_ERR_INPUT,
            "%s: %s: the rules of a relation are one of KITH_CASCADE, KITH_CLEAR and"
            " KITH_REFUSE, and KITH_ACYCLIC where it is wanted (not with KITH_LINKS); %u is"
            " none of these",
            call, type->name, type->relation);
    }
    uint32_t ends = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        bool end = field->offset == 0 || (many && field->offset == sizeof(kith_entity));
        ends += end && field->kind == KITH_ENTITY && field->size == sizeof(kith_entity);
    }
    return ends == (many ? 2u : 1u) && !type->hooked
               ? KITH_OK
               : ki_fail(context, KITH_ERR_INPUT,
                         "%s: %s is a relation, and so its first field is one kith_entity%s, and it"
                         " has no hooks; see KITH_RELATION and KITH_LINKS",
                         call, type->name, many ? ", and its second another" : "");
}

static kith_result validate_all_fields(ki_context *context, const char *call,
                                       const kith_type *type, size_t *texts)
{
    if (type->field_count > VALIDATE_FEW) {
        return validate_many(context, call, type, texts);
    }
    if (validate_is_plain(type, texts)) {
        return KITH_OK;
    }
    uint64_t ends[VALIDATE_FEW];
    uint32_t numbers[VALIDATE_FEW];
    return validate_fields(context, call, &(validation){type, ends, numbers}, texts);
}

kith_result ki_type_validate(ki_context *context, const char *call, const kith_type *type,
                             size_t *texts)
{
    *texts = type->name == NULL ? 0 : validate_name(type->name);
    if (*texts == 0) {
        return ki_fail(
            context, KITH_ERR_INPUT,
            "%s: '%.200s' is no name for a type: 1 to %d letters, digits, '_', '.' and ':',"
            " not starting with a digit",
            call, type->name == NULL ? "(null)" : type->name, TYPE_NAME_MAX);
    }
    if (type->size > TYPE_SIZE_MAX) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: %s: %u bytes are more than %u", call,
                       type->name, type->size, TYPE_SIZE_MAX);
    }
    if (!ki_is_power_of_two(type->align) || type->align > TYPE_ALIGN_MAX ||
        type->size % type->align != 0) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: %s: alignment %u is no power of two up to %u that divides the size %u",
                       call, type->name, type->align, TYPE_ALIGN_MAX, type->size);
    }
    if (type->field_count > KI_TYPE_FIELDS_MAX ||
        (type->field_count != 0 && type->fields == NULL)) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: %s: %u fields, at %s; at most %u are allowed",
                       call, type->name, type->field_count,
                       type->fields == NULL ? "NULL" : "an address", KI_TYPE_FIELDS_MAX);
    }
    KI_TRY(validate_all_fields(context, call, type, texts));
    return type->relation == 0 ? KITH_OK : validate_relation(context, call, type);
}

/* The field of that name, or NULL. */
static const kith_field *validate_same_name(const kith_type *type, const char *name)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].name != NULL && strcmp(type->fields[i].name, name) == 0) {
            return &type->fields[i];
        }
    }
    return NULL;
}

/* How many fields a type has without padding. */
static uint32_t validate_count_fields(const kith_type *type)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        count += type->fields[i].kind != KITH_PADDING;
    }
    return count;
}

void ki_type_difference(const kith_type *there, const kith_type *here, char *text, size_t size)
{
    if (there->size != here->size) {
        snprintf(text, size, "%u bytes there, %u here", there->size, here->size);
        return;
    }
    if (there->version != here->version) {
        snprintf(text, size, "version %u there, %u here", there->version, here->version);
        return;
    }
    if (there->relation != here->relation) {
        snprintf(text, size, "relation with rules %u there, %u here", there->relation,
                 here->relation);
        return;
    }
    for (uint32_t i = 0; i < here->field_count; i++) {
        const kith_field *field = &here->fields[i];
        if (field->kind == KITH_PADDING) {
            continue;
        }
        const char *name = validate_field_name(here, i);
        const kith_field *other = validate_same_name(there, name);
        if (other == NULL) {
            snprintf(text, size, "it has no field '%.100s' there", name);
            return;
        }
        if (other->kind != field->kind || other->size != field->size) {
            snprintf(text, size, "%.100s is %u bytes of %s there, %u of %s here", name, other->size,
                     kith_kind_name(other->kind), field->size, kith_kind_name(field->kind));
            return;
        }
        if (other->offset != field->offset) {
            snprintf(text, size, "%.100s is at byte %u there, %u here", name, other->offset,
                     field->offset);
            return;
        }
    }
    uint32_t count = validate_count_fields(here);
    if (there->field_count != count) {
        snprintf(text, size, "%u fields there, %u here", there->field_count, count);
    } else if (there->align != here->align) {
        snprintf(text, size, "alignment %u there, %u here", there->align, here->align);
    } else {
        snprintf(text, size, "the fields are in another order");
    }
}
