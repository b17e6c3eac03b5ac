/* Fields by name. */
#include "store/field_names.h"

#include <stdio.h>
#include <string.h>

#include <kith/reader.h>

#include "base/text_out.h"

const kith_field *ki_field_find(const kith_type *type, const char *name, size_t length)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (field->kind != KITH_PADDING && strncmp(field->name, name, length) == 0 &&
            field->name[length] == '\0') {
            return field;
        }
    }
    return NULL;
}

/* Splits "color[2]" into the length of "color" and 2; false if no index is at the end. An index that is
 * too large stays too large. */
static bool fields_split(const char *text, size_t *length, uint32_t *index)
{
    size_t end = strlen(text);
    if (end == 0 || text[end - 1] != ']') {
        return false;
    }
    size_t start = end - 1;
    while (start > 0 && text[start - 1] >= '0' && text[start - 1] <= '9') {
        start--;
    }
    if (start == end - 1 || start == 0 || text[start - 1] != '[') {
        return false;
    }
    uint64_t number = 0;
    for (size_t i = start; i < end - 1 && number <= UINT32_MAX; i++) {
        number = number * 10 + (uint64_t)(text[i] - '0');
    }
    *length = start - 1;
    *index = number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
    return true;
}

/* " (did you mean charge?)", or "; it has level, charge" where no name is near. */
static void fields_hint(const kith_type *type, const char *name, char *text, size_t size)
{
    kith_hint hint = {.word = name};
    uint32_t index;
    if (name != NULL && !fields_split(name, &hint.length, &index)) {
        hint.length = strlen(name);
    }
    ki_text_out out = ki_text_start(text, size);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (field->kind != KITH_PADDING) {
            kith_hint_offer(&hint, field->name);
            ki_text_add(&out, "%s%s", out.length == 0 ? "; it has " : ", ", field->name);
        }
    }
    if (out.length == 0) {
        snprintf(text, size, ", and no other");
    } else if (hint.best != NULL) {
        snprintf(text, size, "%s", kith_hint_text(&hint).text);
    } else if (out.length >= size) {
        memcpy(text + size - 4, "...", 4);
    }
}

static kith_result fields_fail(ki_context *context, const char *call, kith_result unknown,
                               const kith_type *type, const char *name)
{
    char hint[200];
    fields_hint(type, name, hint, sizeof hint);
    return ki_fail(context, unknown, "%s: %s has no field '%.100s'%s", call, type->name,
                   name == NULL ? "(null)" : name, hint);
}

kith_result ki_field_require(ki_context *context, const char *call, const kith_type *type,
                             const char *name, const kith_field **found)
{
    *found = ki_field_find(type, name, strlen(name));
    return *found != NULL ? KITH_OK : fields_fail(context, call, KITH_ERR_UNKNOWN, type, name);
}

kith_result ki_field_locate(ki_context *context, const char *call, kith_result unknown,
                            const kith_type *type, const char *name, kith_field *found)
{
    const kith_field *field = name == NULL ? NULL : ki_field_find(type, name, strlen(name));
    size_t length;
    uint32_t index = 0;
    bool one = false;
    if (field == NULL && name != NULL && fields_split(name, &length, &index)) {
        field = ki_field_find(type, name, length);
        one = true;
    }
    if (field == NULL) {
        return fields_fail(context, call, unknown, type, name);
    }
    uint32_t kind_size = kith_kind_size(field->kind);
    if (one && index >= field->size / kind_size) {
        return ki_fail(context, unknown,
                       "%s: %s has no field '%.100s': the last value of %s is number %u", call,
                       type->name, name, field->name, field->size / kind_size - 1);
    }
    *found = (kith_field){.name = name,
                          .offset = field->offset + index * kind_size,
                          .size = one ? kind_size : field->size,
                          .kind = field->kind};
    return KITH_OK;
}

kith_result ki_field_list_check(ki_context *context, const char *call, const kith_type *type,
                                const char *const *names, uint32_t room)
{
    uint32_t end = 0;
    while (end < room && names[end] != NULL) {
        end++;
    }
    for (uint32_t i = end; i < room; i++) {
        if (names[i] != NULL) {
            return ki_fail(context, KITH_ERR_INPUT,
                           "%s: fields[%u] of %s is \"%.100s\", but fields[%u] is NULL, which ends"
                           " the list",
                           call, i, type->name, names[i], end);
        }
    }
    return KITH_OK;
}
