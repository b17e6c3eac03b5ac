#include "system/constraint.h"

#include <string.h>

#include "system/name.h"
#include "system/system.h"

/* The first name of a list such as "gravity, input", without the spaces around it. Returns the rest of
 * the list; NULL: it was the last one. */
static const char *constraint_next_name(const char *names, const char **name, size_t *size)
{
    names += strspn(names, " ");
    size_t length = strcspn(names, ",");
    *name = names;
    *size = length;
    while (*size > 0 && names[*size - 1] == ' ') {
        --*size;
    }
    return names[length] == ',' ? names + length + 1 : NULL;
}

/* How many names a list has. Adds their bytes, with the zeros that end them. */
static uint32_t constraint_count_names(const char *names, size_t *bytes)
{
    uint32_t count = 0;
    for (; names != NULL; count++) {
        const char *name;
        size_t size;
        names = constraint_next_name(names, &name, &size);
        *bytes += size + 1;
    }
    return count;
}

/* Copies the names to `text`, and fills the list. Returns where the next text goes. */
static char *constraint_copy_names(ki_system *system, ki_constraint *list, const char *names,
                                   char *text)
{
    while (names != NULL) {
        const char *name;
        size_t size;
        names = constraint_next_name(names, &name, &size);
        memcpy(text, name, size);
        text[size] = '\0';
        *list++ = (ki_constraint){.name = text, .owner = system};
        text += size + 1;
    }
    return text;
}

static kith_result constraint_check_names(ki_context *context, const char *call, const char *system,
                                          const char *list, const char *names)
{
    const char *rest = names;
    for (uint32_t number = 1; rest != NULL; number++) {
        const char *name;
        size_t size;
        rest = constraint_next_name(rest, &name, &size);
        if (size == 0 || size > KI_SYSTEM_NAME_MAX) {
            return ki_fail(context, KITH_ERR_INPUT,
                           "%s: '%s' has `%s` \"%.140s\": name %u %s; it is a list such as"
                           " \"gravity, input\"",
                           call, system, list, names, number,
                           size == 0 ? "is empty" : "has more than 127 bytes");
        }
    }
    return KITH_OK;
}

kith_result ki_constraints_check(ki_context *context, const char *call, const kith_system_def *def)
{
    KI_TRY(constraint_check_names(context, call, def->name, "before", def->before));
    return constraint_check_names(context, call, def->name, "after", def->after);
}

kith_result ki_constraints_init(ki_heap *heap, const kith_system_def *def, ki_system *system)
{
    ki_constraints *own = &system->constraints;
    size_t bytes = 0;
    uint32_t before = constraint_count_names(def->before, &bytes);
    uint32_t after = constraint_count_names(def->after, &bytes);
    size_t count = (size_t)before + after;
    if (count == 0) {
        return KITH_OK;
    }
    own->bytes = count * sizeof *own->list + bytes;
    own->list = ki_heap_alloc(heap, own->bytes, _Alignof(ki_constraint));
    if (own->list == NULL) {
        return KITH_ERR_MEMORY;
    }
    own->before_count = before;
    own->after_count = after;
    char *text = (char *)(own->list + count);
    text = constraint_copy_names(system, own->list, def->before, text);
    constraint_copy_names(system, own->list + before, def->after, text);
    return KITH_OK;
}

void ki_constraints_free(ki_heap *heap, ki_constraints *constraints)
{
    ki_heap_free(heap, constraints->list, constraints->bytes, _Alignof(ki_constraint));
}

bool ki_constraint_is_after(const ki_system *system, const ki_constraint *constraint)
{
    return constraint >= system->constraints.list + system->constraints.before_count;
}

bool ki_constraint_orders(const ki_system *a, const ki_system *b)
{
    const ki_constraints *first = &a->constraints;
    const ki_constraints *second = &b->constraints;
    for (uint32_t i = 0; i < first->before_count; i++) {
        if (first->list[i].target == b) {
            return true;
        }
    }
    for (uint32_t i = 0; i < second->after_count; i++) {
        if (second->list[second->before_count + i].target == a) {
            return true;
        }
    }
    return false;
}

/* The system's own list comes first, then the constraints of others that name it. */
ki_constraint *ki_constraint_next(const ki_system *system, int side, ki_constraint *constraint)
{
    const ki_constraints *own = &system->constraints;
    ki_constraint *begin = own->list;
    ki_constraint *end = begin;
    if (begin != NULL && side == KI_BEFORE) {
        begin += own->before_count;
        end = begin + own->after_count;
    } else if (begin != NULL) {
        end = begin + own->before_count;
    }
    bool in_own = constraint == NULL ||
                  (constraint->owner == system && constraint >= begin && constraint < end);
    if (!in_own) {
        return constraint->next;
    }
    for (constraint = constraint == NULL ? begin : constraint + 1; constraint != end;
         constraint++) {
        if (constraint->target != NULL) {
            return constraint;
        }
    }
    return side == KI_BEFORE ? own->in_before : own->in_after;
}
