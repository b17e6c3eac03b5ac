/* Finds what names in a query in text mean: components and fields. */
#include "reflect/query_text_compile.h"

#include <kith/hierarchy.h>
#include <kith/name.h>

#include <string.h>

#include "reflect/text.h"
#include "store/field_names.h"
#include "world/first_use.h"

kith_result ki_compile_bytes(ki_compiler *c, kith_token token, char **bytes, size_t *length)
{
    *bytes = c->next_byte;
    if (token.kind == KITH_TOKEN_TEXT || token.kind == KITH_TOKEN_CHAR) {
        c->syntax.reader.token = token;
        KI_TRY(ki_text_unquote(&c->syntax.reader, *bytes, token.length, length));
    } else {
        memcpy(*bytes, token.start, token.length);
        *length = token.length;
    }
    (*bytes)[*length] = '\0';
    c->next_byte += *length + 1;
    return KITH_OK;
}

static kith_result name_unknown_component(ki_compiler *c, kith_token token, const char *what,
                                          const char *name, size_t length)
{
    kith_hint hint = {.word = name, .length = length};
    for (uint32_t i = 0; i < kith_type_count(c->world); i++) {
        kith_hint_offer(&hint, kith_type_at(c->world, i)->name);
    }
    return ki_syntax_fail_at(&c->syntax, token, "%s%s", what,
                             kith_type_count(c->world) == 0
                                 ? " (none is yet; KITH_TYPES registers types)"
                                 : kith_hint_text(&hint).text);
}

kith_result ki_compile_component(ki_compiler *c, kith_token token, const kith_type **type)
{
    char *name;
    size_t length = 0;
    KI_TRY(ki_compile_bytes(c, token, &name, &length));
    *type = strlen(name) == length ? kith_type_find(c->world, name) : NULL;
    ki_component *component; /* one of Kith's own is registered by being named */
    return *type != NULL
               ? ki_world_use(c->world, c->selects ? "kith_select_new" : "kith_query_text", *type,
                             &component)
               : name_unknown_component(c, token, "a component that is registered", name, length);
}

static kith_result name_unknown_field(ki_compiler *c, kith_token token, const kith_type *type,
                                      const char *name)
{
    const char *end = strchr(name, '[');
    kith_hint hint = {.word = name, .length = end == NULL ? strlen(name) : (size_t)(end - name)};
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].kind != KITH_PADDING) {
            kith_hint_offer(&hint, type->fields[i].name);
        }
    }
    const kith_field *field = end == NULL ? NULL : ki_field_find(type, name, hint.length);
    if (field != NULL) {
        return ki_syntax_fail_at(&c->syntax, token, "a number below %u in [ ] after %s.%s",
                                 field->size / kith_kind_size(field->kind), type->name,
                                 field->name);
    }
    return type->field_count == 0
               ? ki_syntax_fail_at(&c->syntax, token, "a component with fields")
               : ki_syntax_fail_at(&c->syntax, token, "a field of %s%s", type->name,
                                   kith_hint_text(&hint).text);
}

/* Where `name` is T.field for a type T that has the field, finds both. Both may have points in them: the
 * shortest T counts. `*type` becomes the first T that is a type, or NULL. */
static bool name_split(ki_compiler *c, char *name, const kith_type **type, char **rest,
                       ki_named_field *found)
{
    ki_context *context = &c->world->store.context;
    *type = NULL;
    for (char *point = strchr(name, '.'); point != NULL; point = strchr(point + 1, '.')) {
        *point = '\0';
        found->type = kith_type_find(c->world, name);
        *point = '.';
        if (found->type != NULL) {
            *rest = *type == NULL ? point + 1 : *rest;
            *type = *type == NULL ? found->type : *type;
            if (ki_field_locate(context, "", KITH_ERR_INPUT, found->type, point + 1,
                                &found->field) == KITH_OK) {
                return true;
            }
        }
    }
    return false;
}

/* Finds the field `target` of a relation; false: the type is none. */
static bool name_target(ki_compiler *c, const kith_type *type, ki_named_field *found)
{
    found->type = type;
    return type != NULL && type->relation != 0 &&
           ki_field_locate(&c->world->store.context, "", KITH_ERR_INPUT, type, "target",
                           &found->field) == KITH_OK;
}

kith_result ki_compile_step(ki_compiler *c, kith_token token, ki_named_field *step)
{
    char *name;
    size_t length = 0;
    KI_TRY(ki_compile_bytes(c, token, &name, &length));
    const kith_type *type = strlen(name) == length ? kith_type_find(c->world, name) : NULL;
    c->next_byte = name; /* a field's name is copied again */
    if (name_target(c, type, step)) {
        return KITH_OK;
    }
    if (type == NULL && strchr(name, '.') == NULL) {
        return name_unknown_component(c, token, "a component that is registered", name, length);
    }
    if (type == NULL) {
        KI_TRY(ki_compile_field(c, token, step));
    }
    return type == NULL && step->field.kind == KITH_ENTITY &&
                   step->field.size == sizeof(kith_entity)
               ? KITH_OK
               : ki_syntax_fail_at(&c->syntax, token,
                                   "a relation, or a field that is an entity, before ->");
}

/* The component that a term names; NULL: there is none, or the term is of another kind. */
static const kith_type *name_type_of(const ki_compiler *c, const ki_syntax_node *term)
{
    const kith_type *found = NULL;
    for (uint32_t i = 0; term->kind == KI_SYNTAX_TERM && i < kith_type_count(c->world); i++) {
        const kith_type *type = kith_type_at(c->world, i);
        if (strlen(type->name) == term->name.length &&
            memcmp(type->name, term->name.start, term->name.length) == 0) {
            found = type;
        }
    }
    return found;
}

/* A word without a point names no field. Perhaps it is one of a component that the query asks for. */
static kith_result name_no_field(ki_compiler *c, kith_token token, const char *name)
{
    for (uint32_t i = c->syntax.terms; i != 0; i = ki_syntax_at(&c->syntax, i)->next) {
        const kith_type *type = name_type_of(c, ki_syntax_at(&c->syntax, i));
        if (type != NULL && ki_field_find(type, name, strlen(name)) != NULL) {
            return ki_syntax_fail_at(&c->syntax, token, "a field (did you mean %s.%s?)", type->name,
                                     name);
        }
    }
    return ki_syntax_fail_at(&c->syntax, token, "a field, like Health.current");
}

kith_result ki_compile_field(ki_compiler *c, kith_token token, ki_named_field *found)
{
    char *name;
    char *rest = NULL;
    size_t length = 0;
    const kith_type *type;
    KI_TRY(ki_compile_bytes(c, token, &name, &length));
    if (strlen(name) != length) {
        return name_no_field(c, token, name);
    }
    if (token.kind == KITH_TOKEN_WORD && strcmp(name, "name") == 0) {
        found->type = &kith_name_type;
        return ki_field_locate(&c->world->store.context, "", KITH_ERR_INPUT, found->type, "text",
                               &found->field);
    }
    if (!name_split(c, name, &type, &rest, found)) {
        const kith_type *relation = type == NULL ? kith_type_find(c->world, name) : NULL;
        if (name_target(c, relation, found)) {
            KI_ASSERT(relation != NULL);
            return (relation->relation & KITH_MANY) == 0
                       ? KITH_OK
                       : ki_syntax_fail_at(&c->syntax, token, "%s.source or %s.target",
                                           relation->name, relation->name);
        }
        const char *point = strchr(name, '.');
        if (type == NULL && point == NULL) {
            type = kith_type_find(c->world, name);
            rest = "";
        }
        return type != NULL    ? name_unknown_field(c, token, type, rest)
               : point == NULL ? name_no_field(c, token, name)
                               : name_unknown_component(c, token, "a field of a component", name,
                                                        (size_t)(point - name));
    }
    if (found->field.kind == KITH_OPAQUE) {
        return ki_syntax_fail_at(&c->syntax, token, "a field that is not opaque");
    }
    return KITH_OK;
}
