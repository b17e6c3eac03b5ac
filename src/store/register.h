/* The register of types: the one thing that worlds share. Process-wide, locked, and append-only: it
 * gives each definition of a type a small number and keeps a copy of it until the process ends. It
 * never influences order or hash. */
#ifndef KI_STORE_REGISTER_H
#define KI_STORE_REGISTER_H

#include <kith/type.h>

#include "base/context.h"

#define KI_TYPE_FIELDS_MAX 4096u

/* Tells in a few words where two types of one name differ: "x is f32 there, i32 here". */
void ki_type_difference(const kith_type *there, const kith_type *here, char *text, size_t size);

/* What makes no sense about a type: KITH_ERR_INPUT, with kith_error telling which field and why. If all
 * does, `*texts` is the bytes of its names, with the zeros that end them. */
kith_result ki_type_validate(ki_context *context, const char *call, const kith_type *type,
                             size_t *texts);

/* The register's own copy of a type, which is found valid first and added if need be. Two
 * definitions are the same if all that they say is, except for padding and layout. `*alone` (or NULL)
 * tells that no other definition has the name. KITH_ERR_MEMORY; KITH_ERR_INPUT, with kith_error, also if
 * the descriptor's `number` belongs to another type. */
kith_result ki_register_add(ki_context *context, const char *call, const kith_type *type,
                            const kith_type **kept, bool *alone);

/* The number of a type, from 1; 0 if it is not in the register. */
uint32_t ki_register_number_slow(const kith_type *type);

/* The definition of that name for whose number `known` answers true; NULL if there is none. */
const kith_type *ki_register_find_name(const char *name,
                                       bool (*known)(const void *context, uint32_t number),
                                       const void *context);

/* The same for the name of a type that the register keeps, whose hash it has. */
const kith_type *ki_register_find_namesake(const kith_type *kept,
                                           bool (*known)(const void *context, uint32_t number),
                                           const void *context);

/* The number that a descriptor remembers; 0 if it has none yet. Another thread may be writing it.
 * */
static inline uint32_t ki_type_number(const kith_type *type)
{
    return type->number != NULL ? KI_LOAD(type->number) : 0;
}

/* The number, searched for if need be; 0 if the type is not in the register. */
static inline uint32_t ki_type_number_found(const kith_type *type)
{
    uint32_t number = ki_type_number(type);
    return number != 0 ? number : ki_register_number_slow(type);
}

/* Where the register gets its memory; the tests make it fail. */
extern void *(*ki_register_allocate)(size_t size);

#endif
