/* Types in a buffer that the world did not know when they were queued. Commands name them by their place
 * here. Applying registers them. */
#ifndef KI_COMMAND_NEW_TYPES_H
#define KI_COMMAND_NEW_TYPES_H

#include <kith/commands.h>

#include "base/map.h"
#include "store/component.h"

/* From here on a command's component is not an id: it is KI_NEW_TYPE plus the place of a new type. */
#define KI_NEW_TYPE 0x10000u

typedef struct ki_new_type {
    ki_component component; /* of it type, id, layout, and whether it has handles */
    bool added;             /* some command adds it; false: those that name it only remove it */
} ki_new_type;

typedef struct ki_new_types {
    ki_new_type *list; /* in the order of their first commands */
    uint32_t count;
    uint32_t capacity;
    ki_map by_number; /* the type's number → place in the list plus one */
} ki_new_types;

/* The component for a type that the world does not know. `adds`: the command adds it. NULL: the buffer
 * has failed, with KITH_ERR_MEMORY, KITH_ERR_LIMIT or KITH_ERR_INPUT (the type makes no sense, or needs
 * hooks). The component is good until the next new type. */
const ki_component *ki_new_type_use(kith_commands *commands, const char *call,
                                    const kith_type *type, bool adds);

/* Registers the types that commands add, of this buffer and of those that are joined to it, and has
 * their commands name what is registered. Commands that remove a type which nobody registered stay. On
 * failure the buffer's error names the type. */
kith_result ki_new_types_register(kith_commands *commands);

#endif
