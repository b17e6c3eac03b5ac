/* Wants, as indexes read them: which field each is about, and what that is compared with. */
#ifndef KI_INDEX_WANT_H
#define KI_INDEX_WANT_H

#include "query/source_wants.h"

static inline bool ki_want_is_about(const ki_condition_node *want, const kith_field *field)
{
    const ki_place_of_field *asked = ki_want_field(want);
    return asked->offset == field->offset && asked->size == field->size &&
           asked->kind == field->kind;
}

/* Writes what a field is compared with, as the field would hold it; `want` is not a list. An interned
 * text becomes its number, which is UINT32_MAX if there is none. Another text fits in its array. */
void ki_want_write(const ki_condition_node *want, const ki_texts *texts, uint8_t *at);

#endif
