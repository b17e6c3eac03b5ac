/* Fields by name, for calls that take one. */
#ifndef KI_STORE_FIELD_NAMES_H
#define KI_STORE_FIELD_NAMES_H

#include <kith/type.h>

#include "base/context.h"

/* The field of a name of so many bytes; NULL: there is none. */
const kith_field *ki_field_find(const kith_type *type, const char *name, size_t length);

/* The same, but fails with KITH_ERR_UNKNOWN if there is none. */
kith_result ki_field_require(ki_context *context, const char *call, const kith_type *type,
                             const char *name, const kith_field **found);

/* The field of a name, or the one value in it that "color[2]" names: `found->name` is `name`, and the
 * rest tells where it is. If there is none, fails with `unknown`. */
kith_result ki_field_locate(ki_context *context, const char *call, kith_result unknown,
                            const kith_type *type, const char *name, kith_field *found);

/* Fails with KITH_ERR_INPUT if a list of fields of a type, which NULL ends, has a name after a NULL. */
kith_result ki_field_list_check(ki_context *context, const char *call, const kith_type *type,
                                const char *const *names, uint32_t room);

#endif
