/* The value of a field: tokens in, bytes out. */
#ifndef EXAMPLES_SCENE_VALUE_H
#define EXAMPLES_SCENE_VALUE_H

#include "scene_draft.h"

/* Reads the value that reader->token begins into `bytes`, the bytes of a whole value of `type`, and
 * reads on. An entity's name becomes a reference of the draft's last entity.
 * KITH_ERR_INPUT   it is none for this field; KITH_ERR_MEMORY */
kith_result scene_read_value(scene_draft *draft, scene_reader *reader, const kith_type *type,
                             const kith_field *field, char *bytes);

#endif
