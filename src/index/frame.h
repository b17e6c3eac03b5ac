/* An index: the entities that have a component, found by some of its values.
 *
 * The frame (frame.c, refresh.c) keeps what the index saw last by position: a key and an entity for
 * each row of each storage of the component, in mirrors. An index is brought up to date by comparing
 * blocks that were written since with their mirrors, front to end, and telling the kind what differs.
 * A kind (hash_index.c) finds entities by keys; it never sees rows. But one kind finds no entities, and
 * summarises blocks: filter_index.h.
 *
 * If memory runs out in between, the index is emptied, and filled anew when it is asked again; kinds
 * that need not be right in between go on instead. */
#ifndef KI_INDEX_FRAME_H
#define KI_INDEX_FRAME_H

#include <kith/index.h>

#include "index/key_function.h"
#include "index/mirror.h"
#include "index/moves.h"
#include "query/query_source.h"
#include "store/write_log.h"
#include "world/askable.h"
#include "world/world.h"

/* What the frame asks of a kind. A key is `index->key_size` bytes; all zero is a key like others. An
 * entity is in an index once at most, and what is removed or changed is there. Where KITH_ERR_MEMORY
 * is returned, the frame calls `clear` next. */
typedef struct ki_index_calls {
    /* Checks the index's fields, sets `key_size` (up to KI_KEY_BYTES_MAX, in steps of 4) and makes
     * `data`. KITH_ERR_INPUT, KITH_ERR_MEMORY: then `free` is not called. */
    kith_result (*make)(kith_index *index);
    void (*free)(kith_index *index);

    /* Writes the keys of `count` values, `stride` bytes apart. Values that are the same for the index
     * have keys with the same bytes. */
    void (*read_keys)(const kith_index *index, const uint8_t *values, size_t stride, uint32_t count,
                      void *keys);

    /* KITH_ERR_MEMORY. */
    kith_result (*insert)(kith_index *index, const void *key, kith_entity entity);
    kith_result (*change)(kith_index *index, const void *from, const void *to, kith_entity entity);
    void (*remove)(kith_index *index, const void *key, kith_entity entity);
    /* Does what is left of the calls above, which are the last ones for now. An entity was in one of
     * them at most. KITH_ERR_MEMORY. NULL: nothing is. */
    kith_result (*settle)(kith_index *index);

    /* Fills an empty index with all that the mirrors hold, see ki_mirrors_next. KITH_ERR_MEMORY. */
    kith_result (*fill)(kith_index *index);

    /* Of a kind without mirrors, which has none of the calls above from `read_keys` on: it reads what
     * was written since the last look itself; all, if the index is not filled. NULL: the kind has
     * mirrors. KITH_ERR_MEMORY. */
    kith_result (*look)(kith_index *index);

    /* Empties it, and gives its memory back. */
    void (*clear)(kith_index *index);

    /* The first thing wrong with `data`, or NULL. `*entries` is how many entities are in there. */
    const char *(*check)(const kith_index *index, uint32_t *entries);
    uint32_t (*count)(const kith_index *index); /* entities in there */
    size_t (*bytes)(const kith_index *index);   /* that `data` holds */
    /* After a refresh that ran out of memory, the next one goes on where it stopped. Being told of a
     * change twice does no harm. */
    bool resumes;
} ki_index_calls;

struct kith_index {
    ki_askable askable; /* first: systems know an index by it */
    ki_component *component;
    kith_index *next; /* of the world's indexes */
    kith_index_kind kind;
    const ki_index_calls *calls;
    void *data; /* the kind's */
    const kith_type *type; /* whose fields are indexed: the component's, or of a function's keys */
    ki_key_function function;
    kith_field fields[KITH_INDEX_FIELDS];
    uint32_t field_count;
    uint32_t key_size; /* bytes */
    struct ki_text_ranks *texts; /* of an ordered index of interned texts; or NULL */

    ki_mirrors mirrors;
    ki_moves moves;         /* rows that changed their entities, until the end of a refresh */
    ki_write_reader reader; /* what it has seen */
    bool filled;            /* the kind holds what the mirrors do */
    struct {
        uint64_t began; /* the write clock */
        kith_result result;
    } refresh; /* the one that is under way */
    kith_index_counts counts;

    ki_source source; /* as which queries find it */
    uint8_t *wanted;  /* room for two values that a query asks for; or NULL */

    kith_entity *found; /* room for an answer */
    uint32_t found_capacity;

    kith_index *readers; /* copies for threads that run systems, each with its own `found` */
    uint32_t reader_count;
    const void *reads_for; /* of a reader: what its thread runs, which may ask it; NULL: nothing */
};

static inline ki_store *ki_index_store(const kith_index *index)
{
    return &index->askable.world->store;
}

static inline ki_heap *ki_index_heap(const kith_index *index)
{
    return &index->askable.world->store.context.heap;
}

/* What a snapshot keeps of what is derived from a world: nothing. */
kith_result ki_derived_take(kith_world *world, void **state);
kith_result ki_derived_reserve(kith_world *world, const void *state,
                               const struct ki_store_view *store);
void ki_derived_free(kith_world *world, void *state);

/* Whether the caller may ask; at the start of each call. KITH_ERR_MISUSE. */
kith_result ki_index_require(const kith_index *index, const char *call);

/* ki_fail of the index's world. Other threads may do so too, in systems. */
kith_result ki_index_fail(const kith_index *index, kith_result result, const char *format, ...)
    KITH_FORMAT_(3, 4);

/* Room for `count` entities in `found`. KITH_ERR_MEMORY. */
kith_result ki_index_reserve_found(kith_index *index, uint32_t count);

/* Sorts the first `count` of `found` in the order of a loop over the component. KITH_ERR_MEMORY. */
kith_result ki_index_sort_found(kith_index *index, uint32_t count);

/* Begins to follow the component, as soon as the kind is known: mirrors, and what is set one by one. The
 * index may not move until its end. KITH_ERR_MEMORY. */
kith_result ki_index_begin(kith_index *index);

/* Frees all but the struct and what the kind has. */
void ki_index_end(kith_index *index);

/* Empties it: it knows nothing of the world. */
void ki_index_clear(kith_index *index);

/* The world was restored: what is there may have been written before the last look, and yet be other
 * than what was seen. The next refresh asks what was seen. */
static inline void ki_index_distrust(kith_index *index)
{
    index->reader.looked = 0;
}

#endif
