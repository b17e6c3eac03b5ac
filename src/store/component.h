/* A component of one world: a type, its id, and where its values are kept. */
#ifndef KI_STORE_COMPONENT_H
#define KI_STORE_COMPONENT_H

#include <kith/type.h>
#include <kith/world.h>

#include "base/bitset.h"
#include "store/change_log.h"
#include "store/hooks.h"
#include "store/names.h"
#include "store/slots.h"
#include "store/sparse.h"
#include "store/value_diff.h"

/* Lanes tell by a word for each slot which components of other layouts it may have: the first of them
 * by a bit each, later ones by two, one for a group of neighbours and one for the place in it. So few
 * have to be asked, however many there are. */
#define KI_LANES 64u
#define KI_SUMMARY_GROUP 32u

typedef struct ki_component {
    struct kith_place_
        place;             /* for inline calls; first, as the world's list of places leads to it */
    const kith_type *type; /* lives until the process ends */
    uint32_t id;           /* order of registration, from 1 */
    uint32_t other; /* order among those that are not KITH_TABLE, which gives its summary bits */
    struct ki_value_diff
        *value_diff; /* NULL: that its values may have changed is told by the block */
    struct ki_change_log *change_log; /* NULL: nothing follows which entities get and lose it */
    struct ki_write_log *write_log;   /* NULL: nothing follows which values are set one by one */
    struct ki_source *sources;        /* what finds entities by its values: see query/query_source.h */
    struct ki_hooks *hooks;           /* NULL: values are plain bytes */
    struct ki_unique *unique;         /* NULL: values may have equal keys */
    struct ki_relation *relation;     /* NULL: it is no relation */
    uint64_t named;                   /* the list that named it last: see ki_component_name */
    ki_name_place by_name;
    kith_layout layout;
    bool simple;          /* values are up to 16 plain bytes */
    bool guarded;         /* it has a unique key, or is a relation: values are not written in place */
    bool checked;         /* setting a value is more than writing it: hooks, or it is guarded */
    bool has_handles;     /* a field of kind KITH_ENTITY */
    bool by_use;          /* registered by its first use, not by kith_register */
    bool transient;       /* no part of the state */
    uint64_t summary;     /* its bits in summaries; 0 for KITH_TABLE */
    union {               /* only as large as the layout needs: see ki_component_bytes */
        ki_bitset tables; /* KITH_TABLE: ids of the tables that have it */
        ki_sparse sparse;
        ki_slots slots;
    } in;
} ki_component;

static inline bool ki_type_has_handles(const kith_type *type)
{
    bool has = false;
    for (uint32_t i = 0; i < type->field_count; i++) {
        has = has || type->fields[i].kind == KITH_ENTITY;
    }
    return has;
}

/* The summary bits of a component of another layout. */
static inline uint64_t ki_summary_of(uint32_t other)
{
    uint32_t group = other / KI_SUMMARY_GROUP;
    return other < KI_LANES ? (uint64_t)1 << other
                            : (uint64_t)1 << other % KI_SUMMARY_GROUP |
                                  (uint64_t)1 << (KI_SUMMARY_GROUP + group % KI_SUMMARY_GROUP);
}

static inline size_t ki_component_bytes(kith_layout layout)
{
    size_t base = offsetof(ki_component, in);
    size_t size = layout == KITH_TABLE    ? sizeof(ki_bitset)
                  : layout == KITH_SPARSE ? sizeof(ki_sparse)
                                          : sizeof(ki_slots);
    return base + size;
}

#endif
