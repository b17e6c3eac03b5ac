/* Values as bytes that travel: the fields that differ from those of an older value, and of an array the
 * elements that do. Padding and KITH_OPAQUE do not travel.
 *
 *   a value   a bit for each of its other fields, eight a byte, and then the fields whose bit is set
 *   a field   its element. Of an array: runs of elements, each as the number of elements that are passed
 *             over, plus one, the number in the run, and these; zero ends the list
 *   an element of one byte: itself. An integer: the difference to the older one, as a number with
 *             the sign in its lowest bit. A float: its bits. An entity: its slot and its generation.
 *             A text: its number in the list of texts */
#ifndef KI_PERSIST_PACKED_VALUE_H
#define KI_PERSIST_PACKED_VALUE_H

#include <kith/type.h>

#include "base/map.h"
#include "persist/packed_bytes.h"
#include "store/texts.h"

/* Texts that values refer to, by their place in a list. */
typedef struct ki_packed_texts {
    const ki_texts *known; /* the world's */
    uint32_t *numbers;     /* of the world's texts */
    uint32_t count;
    uint32_t capacity;
    ki_map places; /* writing: places in `numbers` plus one, by number */
} ki_packed_texts;

typedef struct ki_value_packer {
    ki_pack *to;
    ki_packed_texts texts;
    uint64_t before; /* a hash of the older values of all that was packed */
} ki_value_packer;

typedef struct ki_value_unpacker {
    ki_unpack *from;
    ki_packed_texts texts;
    uint64_t before;
} ki_value_unpacker;

/* What is the same for a type on all machines: its name, version, and fields without their places. */
uint64_t ki_packed_type_hash(const kith_type *type);

/* Whether fields that travel differ. NULL `before`: zero bytes. */
bool ki_packed_values_differ(const kith_type *type, const void *before, const void *after);

void ki_pack_value(ki_value_packer *to, const kith_type *type, const void *before,
                   const void *after);

/* Turns the older value into the newer one. */
void ki_unpack_value(ki_value_unpacker *from, const kith_type *type, void *value);

#endif
