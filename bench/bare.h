/* The bare prototype: Kith's design and nothing else, written by hand for a handful of types of plain
 * bytes. An entity is found by handle -> record -> table -> block of 1,024 rows; components may also be
 * sparse or in slots; a world is opaque and its calls are not inlined, as those of a library are.
 *
 * It makes the checks that protect a user, and only those: whether a handle lives, whether the world
 * knows the type and the entity has it, that the thread owns the world where it is changed, that nothing
 * changes its structure while a query is open, that an iterator was not moved on through a copy, and
 * every failed allocation, which leaves all as it was. It knows no hooks, snapshots, texts, errors in
 * words, or threads that work for a world; of change tracking there is one store for a block that is
 * written, or for the blocks of a move one look at whether anybody asks, and of observers one that is
 * told who got a component.
 *
 * So it tells what the design itself costs: a workload of Kith's that is beyond its target while the
 * prototype is within has something to gain, and one that the prototype misses as well has not. */
#ifndef BENCH_BARE_H
#define BENCH_BARE_H

#include "bench.h"

#define BARE_KINDS 26u /* types of 4 bytes, for worlds of many small tables */
#define BARE_TYPES (5u + BARE_KINDS)
#define BARE_TERMS 3u

typedef struct bare_type {
    uint32_t id; /* below BARE_TYPES */
    uint32_t size;
} bare_type;

extern const bare_type bare_position, bare_velocity, bare_extra, bare_marker, bare_data;
extern const bare_type bare_kinds[BARE_KINDS];

typedef struct bare_value {
    const bare_type *type;
    const void *value; /* NULL: zero bytes; for bare_spawn_many as many of them as entities */
} bare_value;

typedef struct bare_world bare_world;

/* A world with Position, Velocity, Extra and Marker in one layout; or NULL. */
bare_world *bare_world_new(kith_layout layout);
void bare_world_free(bare_world *world);
kith_result bare_register(bare_world *world, const bare_type *type, kith_layout layout);

/* Results as those of Kith's calls of these names. */
uint32_t bare_count(const bare_world *world);
kith_entity bare_spawn(bare_world *world, const bare_value *values, uint32_t count);
kith_entity bare_spawn_empty(bare_world *world);
kith_result bare_spawn_many(bare_world *world, uint32_t count, const bare_value *values,
                            uint32_t value_count);
kith_result bare_despawn(bare_world *world, kith_entity entity);
kith_result bare_set(bare_world *world, kith_entity entity, const bare_type *type,
                     const void *value);
kith_result bare_remove(bare_world *world, kith_entity entity, const bare_type *type);
bool bare_has(const bare_world *world, kith_entity entity, const bare_type *type);
const void *bare_get(const bare_world *world, kith_entity entity, const bare_type *type);
kith_result bare_get_many(const bare_world *world, const bare_type *type,
                          const kith_entity *entities, uint32_t count, const void **values);

/* ---- Queries: all terms in one layout -------------------------------------------------------- */

typedef struct bare_term {
    const bare_type *type;
    bool write;
} bare_term;

typedef struct bare_query bare_query;

/* `without` is NULL, or a type in slots that what the query visits must not have. Freed with its
 * world. */
bare_query *bare_query_new(bare_world *world, const bare_term *terms, uint32_t count,
                           const bare_type *without);

/* Where one term's values of a batch are, and for which accesses they are there: its type, or NULL
 * where the values do not stand in a row or are only read. So one comparison tells all. */
typedef struct bare_bind {
    void *base;
    const bare_type *read, *write;
} bare_bind;

/* What tells an iterator that it is void: its query was moved on through a copy, or opened anew. */
typedef struct bare_pace {
    uint64_t serial;       /* of the iterator that may move on */
    uint64_t time;         /* when the blocks of its batch were stamped, by the world's clock */
    const uint64_t *clock; /* after that, those that are written are to be stamped again */
} bare_pace;

typedef struct bare_iter {
    uint32_t count;              /* entities in this batch */
    uint32_t first;              /* the first of them, from where the binds are */
    uint64_t rest;               /* more to be visited, from there on: up to 64 rows of one block */
    uint64_t serial;             /* as the pace has it */
    bare_pace *pace;             /* its query's */
    const kith_entity *entities; /* where the binds are; NULL in slots */
    bare_bind binds[BARE_TERMS];
    bare_query *query;
    kith_result result;
    uint32_t row;
    uint32_t rows;     /* in the table, when it was come to */
    uint32_t table;    /* its place in the query's list */
    uint32_t kept_end; /* rows that `kept` tells about end here */
    uint64_t kept[16]; /* of the block, those rows that are to be visited */
} bare_iter;

/* A query is open just once at a time. */
void bare_iter_open(bare_query *query, bare_iter *it);
bool bare_next_slow(bare_iter *it);
void *bare_at_slow(const bare_iter *it, uint32_t term, uint32_t i, const bare_type *type,
                   bool write);

/* What a filter leaves is short runs: the next one of up to 64 rows takes no call. */
static inline bool bare_next(bare_iter *it)
{
    uint64_t rest = it->rest;
    if (rest != 0 && it->pace->serial == it->serial && *it->pace->clock == it->pace->time) {
        uint64_t behind = rest + (rest & -rest); /* never 0: the highest bit is not set */
        it->rest = rest & behind;
        it->first = (uint32_t)__builtin_ctzll(rest);
        it->count = (uint32_t)__builtin_ctzll(behind) - it->first;
        it->serial = ++it->pace->serial;
        return true;
    }
    return bare_next_slow(it);
}

static inline void *bare_column(const bare_iter *it, uint32_t term, const bare_type *type,
                                size_t size, bool write)
{
    if (term < BARE_TERMS && (write ? it->binds[term].write : it->binds[term].read) == type) {
        return (char *)it->binds[term].base + it->first * size;
    }
    return bare_at_slow(it, term, UINT32_MAX, type, write);
}

static inline void *bare_at(const bare_iter *it, uint32_t term, uint32_t i, const bare_type *type,
                            size_t size, bool write)
{
    if (i < it->count && term < BARE_TERMS &&
        (write ? it->binds[term].write : it->binds[term].read) == type) {
        return (char *)it->binds[term].base + ((size_t)it->first + i) * size;
    }
    return bare_at_slow(it, term, i, type, write);
}

/* ---- Commands: setting a component, once for an entity --------------------------------------- */

typedef struct bare_commands bare_commands;

bare_commands *bare_commands_new(bare_world *world);
void bare_commands_free(bare_commands *commands);
kith_result bare_queue_set(bare_commands *commands, kith_entity entity, const bare_type *type,
                           const void *value);

/* All of it or nothing; what dead entities were to get is left out. */
kith_result bare_apply(bare_commands *commands);

/* ---- Observers: one of a type, told who gets it by a bare_set that adds it ------------------- */

typedef void bare_told(const kith_entity *entities, uint32_t count, void *user);

kith_result bare_observe_adds(bare_world *world, const bare_type *type, bare_told *run, void *user);

/* Tells what happened since the last time. */
kith_result bare_observe(bare_world *world);

/* n entities with Position and Velocity, as bench_filled_world makes them. */
bare_world *bare_filled_world(kith_layout layout, uint32_t n, kith_entity *handles);

#endif
