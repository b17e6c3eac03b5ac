/* The slots whose entities may differ in two snapshots, and the components that they may have. */
#ifndef KI_PERSIST_DIFF_SLOTS_H
#define KI_PERSIST_DIFF_SLOTS_H

#include <kith/diff.h>

#include "persist/snapshot_parts.h"

typedef struct ki_diff {
    kith_world *world;
    const kith_snapshot *before; /* NULL: nothing */
    const kith_snapshot *after;
    const ki_store_view *a;    /* of `before` */
    const ki_store_view *b;    /* of `after` */
    ki_component **components; /* those that count, in order of their names */
    uint32_t component_count;
    uint32_t component_capacity;
    uint32_t *queue_order;     /* the queues of `before` in order of names, then those of `after` */
    uint32_t queue_count;      /* of both together */
    ki_column_context columns; /* of `slots` */
    ki_slots slots;            /* a bit each */
} ki_diff;

/* Visits a slot. What it fails with ends the visit. */
typedef kith_result (*ki_diff_slot_fn)(void *context, uint32_t index);

/* Visits the slots whose entities may differ: their records do, or values of `only`; NULL: of any
 * component. A slot may be visited several times. */
kith_result ki_diff_each_slot(const ki_store *store, const ki_store_view *a,
                              const ki_store_view *b, const ki_component *only,
                              ki_diff_slot_fn visit, void *context);

/* What a snapshot has of resources and of queues. NULL: a snapshot of nothing. */
const ki_kept_list *ki_diff_resources(const kith_snapshot *snapshot);
const ki_kept_list *ki_diff_queues(const kith_snapshot *snapshot);

/* Lists components and queues. They have to be freed, also on failure. KITH_ERR_MEMORY. */
kith_result ki_diff_begin(ki_diff *diff, const kith_snapshot *before, const kith_snapshot *after);

/* Finds the slots. KITH_ERR_MEMORY. */
kith_result ki_diff_find_slots(ki_diff *diff);

void ki_diff_end(ki_diff *diff);

/* The entity that lived in a slot of a view; KITH_NONE: none did. */
kith_entity ki_diff_entity(const ki_store_view *view, uint32_t index);

/* Whether a field of two values differs in a way that counts. NULL `field`: the values do, by the hook
 * `hash` of `hooked`. */
bool ki_diff_differs(const ki_component *hooked, const kith_field *field, const void *before,
                     const void *after);

/* The component that hashes values of a type, or NULL. */
const ki_component *ki_diff_hasher(const kith_world *world, const kith_type *type);

#endif
