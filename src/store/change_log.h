/* A change log: which entities got a component and which lost it, in order, kept until every
 * reader has seen it. On demand with the values that were lost. */
#ifndef KI_STORE_CHANGE_LOG_H
#define KI_STORE_CHANGE_LOG_H

#include <kith/tracker.h>

#include "store/column.h"

#define KI_CHANGE_LOG_ENTRIES 500u /* 4 KB a chunk */
#define KI_CHANGE_LOG_WORDS ((KI_CHANGE_LOG_ENTRIES + 63) / 64)
#define KI_CHANGE_LOG_VALUES 16384u /* bytes of values a chunk, but one value at least */

typedef struct ki_change_log_chunk {
    struct ki_change_log_chunk *next;
    uint64_t first;      /* entries there ever were before this chunk; of spare ones nothing */
    uint32_t count;      /* entries that are written */
    uint32_t limit;      /* and that may be */
    uint32_t lost_count; /* of those written, how many tell of a loss; counted where `valued` */
    uint32_t ended;   /* and how many of the values that these lost were destroyed by their hook */
    uint32_t readers; /* that have come to this chunk */
    bool valued;      /* holds the values that were lost: of the last chunk and of spare ones, just
                            if anybody wants them */
    uint8_t *values;  /* of those entries that tell of a loss, in a row; NULL: none was reserved */
    uint64_t lost[KI_CHANGE_LOG_WORDS]; /* a bit an entry: it tells of a loss */
    kith_entity entities[KI_CHANGE_LOG_ENTRIES];
    /* A bit an entry: it tells of a despawn; noted where `valued`. At the end: in front of `entities`
     * it costs one instruction more for each entry. */
    uint64_t despawned[KI_CHANGE_LOG_WORDS];
    uint32_t room;     /* of `values` */
    uint32_t restored; /* its first entries, which only readers that a restore rewinds read: see
                          log_state.h */
} ki_change_log_chunk;

typedef struct ki_change_log {
    ki_change_log_chunk *first; /* the oldest that a reader may still be in */
    ki_change_log_chunk *last;  /* the one that is written to */
    ki_change_log_chunk *end;   /* of the list: after `last` come spare ones */
    uint32_t spare;             /* empty chunks after `last` */
    uint32_t keep;              /* how many of them outlast the next time that all is read */
    uint32_t passed;            /* chunks that became spare since the last time */
    uint32_t chunk_count;       /* all */
    uint32_t valued;            /* readers that want values */
    uint32_t undelivered; /* of them, in this delivery: observers that have not been told yet */
    uint32_t place;       /* of its component among those that are tracked */
    uint32_t size;        /* of a value */
    uint32_t align;
    const struct ki_hooks *hooks;     /* NULL: values are plain bytes */
    const bool *despawning;           /* whether those that lose it now are being despawned */
    struct ki_value_diff *value_diff; /* is told of losses; NULL: nobody is */
    kith_tracker *readers;            /* without any, entries need not be kept */
} ki_change_log;

struct kith_tracker {
    struct ki_store *store;
    struct ki_component *component;
    kith_tracker *next; /* among the log's readers */
    kith_tracker *previous;
    kith_tracker **holder; /* becomes NULL with the tracker; NULL: nobody's */
    ki_change_log_chunk *chunk;
    uint32_t place; /* of the next entry in the chunk */
    uint32_t lost;  /* losses before it in the chunk; counted where `valued` */
    bool valued;
    bool rewound;    /* an observer's: a restored snapshot takes it back. Others are told the
                        difference */
    uint64_t number; /* of one that is rewound: such trackers that the world made before, and itself */
};

/* Frees a tracker that is among no readers any more. */
void ki_tracker_free(ki_heap *heap, kith_tracker *tracker);

/* Entries of one kind, side by side. */
typedef struct ki_change_log_run {
    const kith_entity *entities;
    const uint8_t *values; /* what they lost, in a row; NULL: it is not kept */
    uint32_t count;
    bool lost;
} ki_change_log_run;

/* A change log without readers, for values of this kind; NULL if memory ran out. */
ki_change_log *ki_change_log_new(ki_heap *heap, uint32_t size, uint32_t align,
                                 const struct ki_hooks *hooks, const bool *despawning);

/* Ends the values with hooks that are kept. */
void ki_change_log_end_values(ki_change_log *change_log);

/* Frees a chunk that is in no log, with the values of entries that were lost. */
void ki_change_log_free_chunk(ki_heap *heap, const ki_change_log *change_log,
                              ki_change_log_chunk *chunk);

/* An empty chunk that is in no log yet, for what comes; NULL if memory ran out. */
ki_change_log_chunk *ki_change_log_new_chunk(ki_heap *heap, const ki_change_log *change_log);

/* Frees the log with its readers. */
void ki_change_log_free(ki_heap *heap, ki_change_log *change_log);

/* Adds a reader, which sees what comes from here on. KITH_ERR_MEMORY if it wants values. */
kith_result ki_change_log_enter(ki_heap *heap, ki_change_log *change_log, kith_tracker *reader);
void ki_change_log_leave(ki_heap *heap, ki_change_log *change_log, kith_tracker *reader);

/* Destroys values with hooks that all readers have seen. */
void ki_change_log_settle(const ki_change_log *change_log);

/* Frees chunks that no reader needs, and spare ones. */
void ki_change_log_forget(ki_heap *heap, ki_change_log *change_log);

/* Passes over all that there is. */
void ki_change_log_pass(ki_heap *heap, ki_change_log *change_log, kith_tracker *reader);

/* Entries there ever were, and how many of them a reader has read. */
static inline uint64_t ki_change_log_written(const ki_change_log *change_log)
{
    return change_log->last->first + change_log->last->count;
}

static inline uint64_t ki_change_log_place(const kith_tracker *reader)
{
    return reader->chunk->first + reader->place;
}

/* How many entries there are for a reader. */
uint64_t ki_change_log_pending(const ki_change_log *change_log, const kith_tracker *reader);

/* Brings a reader that has read its chunk to the one with the next entry; false if there is none yet. */
bool ki_change_log_turn(ki_heap *heap, ki_change_log *change_log, kith_tracker *reader);

/* Whether an entry tells of a loss. */
static inline bool ki_change_log_is_loss(const ki_change_log_chunk *chunk, uint32_t place)
{
    return (chunk->lost[place / 64] >> place % 64 & 1) != 0;
}

/* The next entry for a reader; false if there is none yet. */
static inline bool ki_change_log_read(ki_heap *heap, ki_change_log *change_log,
                                      kith_tracker *reader, kith_change *change)
{
    if (reader->place == reader->chunk->count && !ki_change_log_turn(heap, change_log, reader)) {
        return false;
    }
    uint32_t place = reader->place++;
    bool lost = ki_change_log_is_loss(reader->chunk, place);
    change->entity = reader->chunk->entities[place];
    change->kind = lost ? KITH_REMOVED : KITH_ADDED;
    reader->lost += lost;
    return true;
}

/* The next entries for a reader that has not read all: as many as there are side by side, and good
 * until the reader is told to step over the last of its chunk and looks again. */
ki_change_log_run ki_change_log_look(ki_heap *heap, ki_change_log *change_log,
                                     kith_tracker *reader);

/* Steps over the entries of a run that ki_change_log_look has shown, and that may have been cut
 * short. */
void ki_change_log_step(kith_tracker *reader, const ki_change_log_run *run);

/* A place in the log, for looking ahead. */
typedef struct ki_change_log_scan {
    const ki_change_log_chunk *chunk;
    uint32_t place;
    uint32_t lost; /* losses before it in the chunk */
} ki_change_log_scan;

/* From where a reader that wants values has read to. */
static inline ki_change_log_scan ki_change_log_scan_from(const kith_tracker *reader)
{
    return (ki_change_log_scan){reader->chunk, reader->place, reader->lost};
}

/* Whether a scan has come to entry number `end`, or beyond. */
static inline bool ki_change_log_scan_is_at(const ki_change_log_scan *scan, uint64_t end)
{
    return scan->chunk->first + scan->place >= end;
}

/* Steps over entries until after one that a despawn wrote, before entry number `end`. Returns its value,
 * of a tag an address without bytes; or NULL if there is none left. */
const void *ki_change_log_next_despawned(const ki_change_log *change_log, ki_change_log_scan *scan,
                                         uint64_t end, kith_entity *entity);

/* The part of ki_change_log_reserve that is not a few compares. */
kith_result ki_change_log_reserve_slow(ki_heap *heap, ki_change_log *change_log, uint32_t count,
                                       bool lost);

/* Whether `count` appends are certain as things are; some may tell of a loss. */
static inline bool ki_change_log_is_ready(const ki_change_log *change_log, uint32_t count,
                                          bool lost)
{
    const ki_change_log_chunk *last = change_log->last;
    return count <= last->limit - last->count && (!lost || !last->valued || last->values != NULL);
}

/* Makes them certain. KITH_ERR_MEMORY. */
static inline kith_result ki_change_log_reserve(ki_heap *heap, ki_change_log *change_log,
                                                uint32_t count, bool lost)
{
    return ki_change_log_is_ready(change_log, count, lost)
               ? KITH_OK
               : ki_change_log_reserve_slow(heap, change_log, count, lost);
}

/* Whether one append is certain as things are, of an entity that gets the component. */
static inline bool ki_change_log_has_room(const ki_change_log *change_log)
{
    return change_log->last->count != change_log->last->limit;
}

/* Writes one entry if nothing has to be reserved for it, no value to be kept, and nobody to be told.
 * False: that takes more, and nothing was done. */
static inline bool ki_change_log_append_ready(ki_change_log *change_log, kith_entity entity,
                                              bool lost)
{
    ki_change_log_chunk *last = change_log->last;
    uint32_t place = last->count;
    if (place == last->limit || (lost && (last->valued || change_log->value_diff != NULL))) {
        return false;
    }
    last->entities[place] = entity;
    last->lost[place / 64] |= (uint64_t)lost << place % 64;
    last->count = place + 1;
    return true;
}

/* ki_change_log_append_ready for a component that may be followed by nobody. */
static inline bool ki_change_log_note_ready(ki_change_log *change_log, kith_entity entity,
                                            bool lost)
{
    return change_log == NULL || ki_change_log_append_ready(change_log, entity, lost);
}

/* The part of ki_change_log_append that is not one entry in a chunk with room. */
void ki_change_log_append_slow(ki_change_log *change_log, const kith_entity *entities,
                               uint32_t count);

/* Writes entries, which were reserved: entities that got the component. */
static inline void ki_change_log_append(ki_change_log *change_log, const kith_entity *entities,
                                        uint32_t count)
{
    if (count != 1 || !ki_change_log_append_ready(change_log, *entities, false)) {
        ki_change_log_append_slow(change_log, entities, count);
    }
}

/* The same for entities that lose it: their values are still in these rows of `column`, whose
 * blocks are ready to be written. Values with hooks are moved out of it. */
void ki_change_log_append_lost(ki_change_log *change_log, const kith_entity *entities,
                               uint32_t count, ki_column *column, const uint32_t *rows);

/* The part of ki_change_log_note that is not one entry in a chunk with room. */
void ki_change_log_note_slow(ki_change_log *change_log, kith_entity entity, bool lost,
                             ki_column *column, uint32_t row);

/* Either of them for one entity. */
static inline void ki_change_log_note(ki_change_log *change_log, kith_entity entity, bool lost,
                                      ki_column *column, uint32_t row)
{
    if (!ki_change_log_append_ready(change_log, entity, lost)) {
        ki_change_log_note_slow(change_log, entity, lost, column, row);
    }
}

/* Gives back spare chunks. */
void ki_change_log_trim(ki_heap *heap, ki_change_log *change_log);

#endif
