#include "system/constraint.h"

#include <string.h>

#include "system/system.h"

/* How many names a list has. Adds their bytes, with the zeros that end them. */
static uint32_t constraint_count_names(const char *const *names, size_t *bytes)
{
    uint32_t count = 0;
    for (; names != NULL && names[count] != NULL; count++) {
        *bytes += strlen(names[count]) + 1;
    }
    return count;
}

/* Copies a list, and its texts to `text`. Returns where the next text goes. */
static char *constraint_copy_names(ki_system *system, ki_constraint *list, const char *const *names,
                                   uint32_t count, char *text)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t size = strlen(names[i]) + 1;
        memcpy(text, names[i], size);
        list[i] = (ki_constraint){.name = text, .owner = system};
        text += size;
    }
    return text;
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
    text = constraint_copy_names(system, own->list, def->before, before, text);
    constraint_copy_names(system, own->list + before, def->after, after, text);
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
