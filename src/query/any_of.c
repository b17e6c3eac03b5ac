#include "query/any_of.h"

#include "query/term_list.h"

/* Where what is made is put. */
typedef struct any_draft {
    kith_term *next_term;
    kith_condition *next_condition;
} any_draft;

/* What there has to be room for. */
typedef struct any_counts {
    uint32_t terms;
    uint32_t conditions;
} any_counts;

static bool any_is_member(const kith_term *term)
{
    return ki_via_innermost(term)->role == KITH_ONE_OF;
}

static bool any_is_of_other(const kith_term *term)
{
    return ki_via_is_condition(term->condition) && any_is_member(term);
}

/* Whether two terms are in the same group. */
static bool any_are_together(const kith_term *a, const kith_term *b)
{
    return any_is_member(a) && any_is_member(b) &&
           ki_via_innermost(a)->group == ki_via_innermost(b)->group;
}

/* Whether a term is in a group that asks other entities. */
static bool any_is_written_out(const kith_term *terms, const kith_term *term)
{
    for (uint32_t i = 0; !ki_term_is_end(&terms[i]); i++) {
        if (any_is_of_other(&terms[i]) && any_are_together(&terms[i], term)) {
            return true;
        }
    }
    return false;
}

/* Whether a term is the first one of its group, and that is to be written out. */
static bool any_begins_group(const kith_term *terms, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++) {
        if (any_are_together(&terms[i], &terms[number])) {
            return false;
        }
    }
    return any_is_written_out(terms, &terms[number]);
}

static any_counts any_count(const kith_term *terms)
{
    any_counts counts = {.terms = ki_terms_count(terms) + 1};
    for (uint32_t i = 0; !ki_term_is_end(&terms[i]); i++) {
        if (!any_is_written_out(terms, &terms[i])) {
            continue;
        }
        counts.terms++; /* in the group of conditions */
        if (any_begins_group(terms, i)) {
            counts.terms += 2; /* the group, and the end of its list */
            counts.conditions++;
        }
        for (const kith_term *at = &terms[i]; ki_via_is_condition(at->condition);
             at = at->condition->terms) {
            counts.terms += 4; /* a list of one, and its end, in either place */
            counts.conditions += 2;
        }
    }
    return counts;
}

/* A term with another role, wherever the entity is that it asks. */
static kith_term any_copy(any_draft *draft, const kith_term *term, kith_role role,
                          kith_access access)
{
    kith_term copy = *term;
    if (!ki_via_is_condition(term->condition)) {
        copy.role = role;
        copy.access = access;
        copy.group = 0;
        return copy;
    }
    kith_term *list = draft->next_term;
    kith_condition *condition = draft->next_condition++;
    draft->next_term += 2;
    list[0] = any_copy(draft, term->condition->terms, role, access);
    list[1] = (kith_term){.type = NULL};
    *condition = *term->condition;
    condition->terms = list;
    copy.condition = condition;
    return copy;
}

/* The group of conditions for the terms that are in the same group as term `number`. */
static kith_term any_make_group(any_draft *draft, const kith_term *terms, uint32_t number)
{
    uint32_t count = 0;
    for (uint32_t i = number; !ki_term_is_end(&terms[i]); i++) {
        count += any_are_together(&terms[i], &terms[number]);
    }
    kith_term *list = draft->next_term;
    kith_condition *condition = draft->next_condition++;
    draft->next_term += count + 1;
    *condition = (kith_condition){.op = KITH_OP_ANY, .terms = list};
    for (uint32_t i = number; !ki_term_is_end(&terms[i]); i++) {
        if (any_are_together(&terms[i], &terms[number])) {
            *list++ = any_copy(draft, &terms[i], KITH_MUST, KITH_ACCESS_NONE);
        }
    }
    *list = (kith_term){.type = NULL};
    return (kith_term){.condition = condition};
}

kith_result ki_any_of_begin(ki_heap *heap, const kith_term *terms, ki_any_of *made)
{
    *made = (ki_any_of){.terms = terms};
    const uint32_t count = ki_terms_count(terms);
    bool others = false;
    for (uint32_t i = 0; i < count; i++) {
        others = others || any_is_of_other(&terms[i]);
    }
    if (!others) {
        return KITH_OK;
    }
    const any_counts counts = any_count(terms);
    made->size = counts.terms * sizeof(kith_term) + counts.conditions * sizeof(kith_condition);
    made->memory = ki_heap_alloc(heap, made->size, _Alignof(max_align_t));
    if (made->memory == NULL) {
        return KITH_ERR_MEMORY;
    }
    any_draft draft = {.next_condition = made->memory};
    kith_term *to = (kith_term *)(void *)(draft.next_condition + counts.conditions);
    made->terms = to;
    uint32_t groups = 0;
    for (uint32_t i = 0; i < count; i++) {
        groups += any_begins_group(terms, i);
    }
    draft.next_term = to + count + groups + 1;
    for (uint32_t i = 0; i < count; i++) {
        *to++ = any_is_written_out(terms, &terms[i])
                    ? any_copy(&draft, &terms[i], KITH_MAY, ki_via_innermost(&terms[i])->access)
                    : terms[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        if (any_begins_group(terms, i)) {
            *to++ = any_make_group(&draft, terms, i);
        }
    }
    *to = (kith_term){.type = NULL};
    KI_ASSERT((uint8_t *)draft.next_term == (uint8_t *)made->memory + made->size);
    return KITH_OK;
}

void ki_any_of_end(ki_heap *heap, ki_any_of *made)
{
    ki_heap_free(heap, made->memory, made->size, _Alignof(max_align_t));
}
