/* Uses: what each system declares to read and write. */
#ifndef KI_SYSTEM_USE_H
#define KI_SYSTEM_USE_H

#include <kith/query.h>

#include "base/heap.h"
#include "base/map.h"

struct ki_system;
struct ki_systems;
struct ki_use;

typedef enum ki_use_kind { KI_USE_COMPONENT, KI_USE_RESOURCE, KI_USE_EVENT } ki_use_kind;

/* Something that systems use: a component, a resource, an event, or the world as a whole. */
typedef struct ki_thing {
    uint32_t defined; /* index of its use in the system that is being defined */
    /* Scratch of one pass over the systems; see ki_thing_now. */
    uint64_t round;
    struct ki_use *reader; /* the last reader and writer that the pass has met */
    struct ki_use *writer;
    uint32_t after_readers; /* the first stage after all of its readers; 0: there are none yet */
    uint32_t after_writers;
} ki_thing;

typedef struct ki_things {
    ki_map by_key; /* by kind and type number */
    ki_thing world;
    uint64_t round; /* number of the current pass */
} ki_things;

/* The two directions in the order of systems. */
enum { KI_BEFORE, KI_AFTER };

/* One thing that a system declares to use. */
typedef struct ki_use {
    const kith_type *type; /* the register's copy */
    uint32_t number;       /* the type's number */
    uint8_t kind;          /* ki_use_kind */
    uint8_t access;        /* kith_access: the strongest that is declared */
    bool reads;     /* KITH_READ is declared: for an event, KITH_WRITE does not include reading */
    bool looked;    /* a further query looks for its changes */
    bool aside;     /* a component that is written by other means than the first query */
    bool by_handle; /* kith_system_get may read it: all except what a parallel system writes */
    bool before;    /* what that reads is as it was before the stage */
    struct ki_kept_values *kept; /* for that; NULL: the system does not write it */
    uint32_t sent;  /* scratch: events of this type in a system's outputs */
    struct ki_system *system;
    ki_thing *thing;
    struct ki_use *readers[2]; /* the nearest in both directions; ki_uses_link sets them */
    struct ki_use *writers[2];
} ki_use;

/* Whether a use reads its thing, and whether it writes it. Writing a component or a resource
 * includes reading. Of two systems, one waits for the other if one writes what the other reads. */
static inline bool ki_use_reads(const ki_use *use)
{
    return use->kind == KI_USE_EVENT ? use->reads : use->access != KITH_ACCESS_NONE;
}

static inline bool ki_use_writes(const ki_use *use)
{
    return use->access == KITH_ACCESS_WRITE;
}

/* Keeps the values that the system is to read as they are before its stage. KITH_ERR_MEMORY: those that
 * are kept then are let go of in the same way. */
kith_result ki_uses_keep(kith_world *world, struct ki_system *system);

/* Lets go of them, after the stage. */
void ki_uses_let_go(kith_world *world, struct ki_system *system);

/* Frees what a system declares. */
void ki_uses_free(ki_heap *heap, struct ki_system *system);

/* "component", "resource" or "event". */
const char *ki_use_kind_name(ki_use_kind kind);

/* What a system declares about a type; NULL: nothing. */
const ki_use *ki_use_find(const struct ki_system *system, ki_use_kind kind, const kith_type *type);

/* The thing of that kind and type number, made if it is missing; NULL: out of memory. */
ki_thing *ki_thing_make(ki_heap *heap, ki_things *things, ki_use_kind kind, uint32_t number);
void ki_things_free(ki_heap *heap, ki_things *things);

/* Clears the scratch of a thing when the current pass meets it first. */
static inline ki_thing *ki_thing_now(const ki_things *things, ki_thing *thing)
{
    if (thing->round != things->round) {
        *thing = (ki_thing){.round = things->round};
    }
    return thing;
}

/* Links each use to the nearest uses of the same thing, with the systems in the given order. Links
 * stay within a phase, or with `by_priority` within a priority of a phase. */
void ki_uses_link(struct ki_systems *systems, struct ki_system *const *order, bool by_priority);

#endif
