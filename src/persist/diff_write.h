/* Writing the difference of two snapshots as bytes. For the format see diff_format.h. */
#ifndef KI_PERSIST_DIFF_WRITE_H
#define KI_PERSIST_DIFF_WRITE_H

#include <kith/bytes.h>

#include "persist/diff_slots.h"
#include "persist/packed_value.h"

typedef struct ki_diff_writer {
    ki_diff *diff;
    const char *call; /* for messages */
    ki_pack body; /* all but the header */
    ki_value_packer values;
    const kith_type **types; /* that the body names */
    uint32_t type_count;
    uint32_t type_capacity;
    ki_map type_places; /* their places plus one, by number of the type */
    const kith_type
        *owner; /* a type whose values have hooks, and would have to travel; NULL: none */
} ki_diff_writer;

/* Where a part begins that is taken back if it turns out to have nothing. */
typedef struct ki_diff_mark {
    uint32_t size;
    uint32_t types;
    uint64_t before;
} ki_diff_mark;

ki_diff_mark ki_diff_writer_mark(const ki_diff_writer *to);
void ki_diff_writer_return(ki_diff_writer *to, ki_diff_mark mark);

/* The place of a type in the list of those that are named. */
uint32_t ki_diff_writer_type(ki_diff_writer *to, const kith_type *type);

/* Whether a value has to travel; NULL `before`: there was none. If it cannot, notes its type. */
bool ki_diff_writer_differs(ki_diff_writer *to, const kith_type *type, const void *before,
                            const void *after);

/* Writes what differs of two snapshots into `bytes`, whose room is used again, and may have grown on
 * failure too. NULL `before`: all of the other one, as a saved world. KITH_ERR_TYPE, KITH_ERR_LIMIT,
 * KITH_ERR_MEMORY. */
kith_result ki_diff_write(const char *call, const kith_snapshot *before, const kith_snapshot *after,
                          kith_bytes *bytes);

/* What follows the numbers: clocks of systems; entities and components; the order of sources; resources
 * and events. */
void ki_diff_write_clocks(ki_diff_writer *to);
void ki_diff_write_store(ki_diff_writer *to);
void ki_diff_write_links(ki_diff_writer *to);
void ki_diff_write_kept(ki_diff_writer *to);

#endif
