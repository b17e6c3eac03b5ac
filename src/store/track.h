/* A track: who got a component and who lost it, in order, kept until every reader has seen it. */
#ifndef KI_STORE_TRACK_H
#define KI_STORE_TRACK_H

#include <kith/tracker.h>

#include "base/compiler.h"
#include "base/heap.h"

#define KI_TRACK_ENTRIES 340u /* 4 KB a chunk */

typedef struct ki_track_chunk {
    struct ki_track_chunk *next;
    uint32_t count;   /* entries that are written */
    uint32_t readers; /* that have come to this chunk */
    kith_change entries[KI_TRACK_ENTRIES];
} ki_track_chunk;

typedef struct ki_track {
    ki_track_chunk *first; /* the oldest that a reader may still be in */
    ki_track_chunk *last;  /* the one that is written to */
    ki_track_chunk *end;   /* of the list: behind `last` stand spare ones */
    uint32_t spare;        /* empty chunks behind `last` */
    uint32_t chunk_count;  /* all */
    uint64_t written;      /* entries there ever were */
    uint32_t pending;      /* scratch: entries that one call will write; 0 outside of it */
    kith_tracker *readers;
} ki_track;

struct kith_tracker {
    struct ki_store *store;
    struct ki_component *component;
    kith_tracker *next; /* among the track's readers */
    ki_track_chunk *chunk;
    uint32_t place; /* of the next entry in the chunk */
    uint64_t read;  /* `written` as far as this one has read */
};

/* A track without readers; NULL if memory ran out. */
ki_track *ki_track_new(ki_heap *heap);

/* Frees the track with its readers. */
void ki_track_free(ki_heap *heap, ki_track *track);

/* Lets a reader in, who sees what comes from here on; or takes it out of the list. */
void ki_track_enter(ki_track *track, kith_tracker *reader);
void ki_track_leave(ki_heap *heap, ki_track *track, kith_tracker *reader);

/* The next entry for a reader; false if there is none yet. */
bool ki_track_read(ki_heap *heap, ki_track *track, kith_tracker *reader, kith_change *change);

/* Makes ki_track_append certain `count` times. KITH_ERR_MEMORY. */
kith_result ki_track_reserve(ki_heap *heap, ki_track *track, uint32_t count);

/* Writes an entry, which was reserved. */
void ki_track_append(ki_track *track, kith_entity entity, kith_change_kind kind);

/* Gives back spare chunks. */
void ki_track_trim(ki_heap *heap, ki_track *track);

/* Bytes of the entries that some reader has yet to see; 0 for NULL. */
size_t ki_track_kept(const ki_track *track);

/* The first thing wrong, or NULL. */
const char *ki_track_check(const ki_track *track);

#endif
