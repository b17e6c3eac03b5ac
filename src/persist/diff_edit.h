/* Reading the difference of two snapshots: it is written into the world itself and, for clocks,
 * resources and events, into a snapshot of the world. Nobody sees that: the world is put back as it was,
 * and what it was made is kept as a view, until all is known to be right. For the format see
 * diff_format.h. */
#ifndef KI_PERSIST_DIFF_EDIT_H
#define KI_PERSIST_DIFF_EDIT_H

#include "persist/diff_format.h"
#include "persist/packed_value.h"

typedef struct ki_diff_edit {
    kith_world *world;
    const char *call;       /* for messages */
    bool whole;             /* all is replaced: it is a saved world */
    kith_snapshot *taken;   /* of what the world was */
    const ki_store_view *a; /* of `taken`; of nothing with `whole` */
    ki_unpack from;
    ki_value_unpacker values;
    const kith_type **types; /* that the difference names */
    uint32_t type_count;
    uint32_t type_capacity;
    uint32_t *ids; /* of the components of a table, in the order of the difference */
    uint32_t id_capacity;
    ki_map tables; /* those that were edited, by id */
} ki_diff_edit;

/* Applies bytes that may be anything; with `whole`, those of a saved world. Errors as of kith_diff_apply
 * and kith_world_load. */
kith_result ki_diff_apply(kith_world *world, const char *call, bool whole, const void *bytes,
                          size_t size);

/* KITH_ERR_INPUT, with the message, if something was wrong. */
kith_result ki_diff_edit_status(ki_diff_edit *edit);

/* Reads the list of types that the difference names. KITH_ERR_INPUT; KITH_ERR_UNKNOWN, KITH_ERR_CONFLICT
 * if the world does not have one as it is there; KITH_ERR_MEMORY. */
kith_result ki_diff_edit_types(ki_diff_edit *edit);

/* Reads one of these types, or the end of a list, which is NULL. */
const kith_type *ki_diff_edit_type(ki_diff_edit *edit);

/* Clocks of systems that the world does not have are left out. KITH_ERR_INPUT. */
kith_result ki_diff_edit_clocks(ki_diff_edit *edit);

/* KITH_ERR_INPUT, KITH_ERR_CONFLICT, KITH_ERR_UNKNOWN, KITH_ERR_LIMIT, KITH_ERR_MEMORY, and what hooks
 * fail with: all that was written has to be put back. */
kith_result ki_diff_edit_store(ki_diff_edit *edit);
kith_result ki_diff_edit_links(ki_diff_edit *edit);
kith_result ki_diff_edit_kept(ki_diff_edit *edit);

/* Make the world one that has nothing: it loses its entities, and `taken` its resources and events.
 * KITH_ERR_MEMORY: all that was written has to be put back. */
kith_result ki_diff_empty_links(ki_diff_edit *edit);
kith_result ki_diff_empty_store(ki_diff_edit *edit);
void ki_diff_empty_kept(ki_diff_edit *edit);

/* What is wrong with entities and components that were valid as `a` and then edited: what was expected
 * instead; NULL: nothing. The time follows what differs; and the number of free slots, if slots do. */
const char *ki_diff_verify(const ki_store *store, const ki_store_view *a, const ki_store_view *b);

/* The same for relations, after that, where the store is as `b`. KITH_ERR_INPUT: `*wrong` says what was
 * expected; KITH_ERR_MEMORY. The time follows what differs, and how many are above what has another
 * target in an acyclic relation. */
kith_result ki_diff_verify_links(ki_store *store, const ki_store_view *a, const ki_store_view *b,
                                 const char **wrong);

#endif
