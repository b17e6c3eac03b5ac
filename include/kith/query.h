/* Kith: queries: which entities have this but not that, and their values in a loop.
 *
 *     kith_query *moving = KITH_QUERY(world, KITH_WRITE(Position), KITH_READ(Velocity));
 *     for (kith_iter it = kith_query_iter(moving); kith_next(&it);) {
 *         Position *position = KITH_COLUMN_MUT(&it, 0, Position);
 *         const Velocity *velocity = KITH_COLUMN(&it, 1, Velocity);
 *         for (uint32_t i = 0; i < it.count; i++) {
 *             position[i].x += velocity[i].dx;
 *         }
 *     }
 *     kith_query_free(moving);
 *
 * A query is open from kith_query_iter until kith_next has returned false, or kith_iter_end. While
 * one is open, changes of structure on its world (spawn, despawn, add, remove ...) are misuse and
 * change nothing; overwriting values is fine. Queries may be open inside one another. All calls are
 * the owner thread's; those on an iterator that a system was given are that system's. KITH_COLUMN,
 * KITH_AT and most calls of kith_next are compiled into your code, and do not look at the thread. */
#ifndef KITH_QUERY_H
#define KITH_QUERY_H

#include <kith/base.h>
#include <kith/entity.h>
#include <kith/type.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_query kith_query;

typedef enum kith_access {
    KITH_ACCESS_NONE = 0, /* only whether it is there */
    KITH_ACCESS_READ,
    KITH_ACCESS_WRITE
} kith_access;

typedef enum kith_role {
    KITH_MUST = 0, /* the entity must have it */
    KITH_MUST_NOT, /* it must not */
    KITH_MAY,      /* it may; the value is NULL where it is absent */
    KITH_ONE_OF, /* it must have at least one of the terms of this role with the same group number */
    KITH_MUST_CHANGED /* it must have it, and it may have changed since this query's last look */
} kith_role;

typedef struct kith_term {
    const kith_type *type;
    kith_access access;
    kith_role role;
    uint32_t group; /* for KITH_ONE_OF; otherwise 0 */
} kith_term;

#define KITH_READ(T)                                                                               \
    {                                                                                              \
        &T##_type, KITH_ACCESS_READ, KITH_MUST, 0                                                  \
    }
#define KITH_WRITE(T)                                                                              \
    {                                                                                              \
        &T##_type, KITH_ACCESS_WRITE, KITH_MUST, 0                                                 \
    }
#define KITH_WITH(T)                                                                               \
    {                                                                                              \
        &T##_type, KITH_ACCESS_NONE, KITH_MUST, 0                                                  \
    }
#define KITH_WITHOUT(T)                                                                            \
    {                                                                                              \
        &T##_type, KITH_ACCESS_NONE, KITH_MUST_NOT, 0                                              \
    }
#define KITH_MAY_READ(T)                                                                           \
    {                                                                                              \
        &T##_type, KITH_ACCESS_READ, KITH_MAY, 0                                                   \
    }
#define KITH_MAY_WRITE(T)                                                                          \
    {                                                                                              \
        &T##_type, KITH_ACCESS_WRITE, KITH_MAY, 0                                                  \
    }
/* KITH_EITHER(Player, 0), KITH_EITHER(Ally, 0): at least one of group 0, values to read. */
#define KITH_EITHER(T, group_number)                                                               \
    {                                                                                              \
        &T##_type, KITH_ACCESS_READ, KITH_ONE_OF, (group_number)                                   \
    }

/* KITH_CHANGED(Position): values to read that may have changed since this query's last look. */
#define KITH_CHANGED(T)                                                                            \
    {                                                                                              \
        &T##_type, KITH_ACCESS_READ, KITH_MUST_CHANGED, 0                                          \
    }

/* What to ask for. */
typedef struct kith_query_def {
    const kith_term *terms;
    uint32_t term_count;     /* any number; 0 matches every entity */
    const char *name;        /* for messages; NULL is fine. Copied */
    const kith_type *driver; /* a required term's type whose storage is to be walked, in whose order
                                entities then come; NULL: the smallest required storage */
    bool columns; /* KITH_COLUMN shall work for all that must be there, on every layout: batches end
                     where the values of one term do not stand in a row */
} kith_query_def;

/* .query = { KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity)) }
 * The terms live as long as the block that this stands in, and are copied by the call that takes
 * them. */
#define KITH_TERMS(...)                                                                            \
    .terms = (const kith_term[]){__VA_ARGS__},                                                     \
    .term_count = (uint32_t)(sizeof((const kith_term[]){__VA_ARGS__}) / sizeof(kith_term))

/* A query, to be used as often as you like. Tables that come later reach it without a search. Freed
 * by kith_query_free, or with its world.
 *
 * KITH_ERR_CONFLICT   a type stands in two terms
 * KITH_ERR_INPUT      a term makes no sense (an access or role that is none, access to what must
 * not
 *                     be there), or `driver` is no required term's type; kith_error tells which
 * KITH_ERR_MEMORY
 * Misuse if a type is not registered. Allowed while queries are open. */
KITH_API kith_result kith_query_new(kith_world *world, const kith_query_def *def,
                                    kith_query **query);

/* The same in one expression: KITH_QUERY(world, KITH_READ(Health), KITH_WITHOUT(Frozen)); NULL on
 * failure, with kith_error. */
#define KITH_QUERY(world, ...)                                                                     \
    kith_query_new_or_null((world), &(const kith_query_def){KITH_TERMS(__VA_ARGS__)})
KITH_API kith_query *kith_query_new_or_null(kith_world *world, const kith_query_def *def);

/* Looks. A query with KITH_MUST_CHANGED terms visits what may have changed since it last looked: since
 * the last kith_query_iter whose loop went on until kith_next returned false; a loop that was left
 * early was no look. The first look sees everything. Each query looks for itself.
 *
 * What may have changed is told by the block (up to 1,024 values that stand together; of a
 * KITH_SLOT tag 8,192 slots): all of a block counts as changed when one of its values was set,
 * handed out for writing (by kith_get_mut, in a batch of a query that declares a write), added, or
 * moved there by a removal. Setting a tag that is there counts, and adding what is there does not.
 * So a look may see values that are as they were, and never misses one that is not. For a type that
 * is registered with `exact_changes` a look sees just the values whose bytes, but for padding, are
 * not those that they were when any query last looked (compared with a copy, at a cost that follows
 * the blocks that were written), and those that are new: a component that was taken away and came
 * back is, whatever its value. Reading changes nothing. What is written within a look's own loop is
 * seen by the next one.
 *
 * kith_query_count and the other questions answer for what the next look would see; with
 * `exact_changes` they count blocks that no look has been at as a whole.
 *
 * Opening such a query while another one is open that writes is misuse: what that writes after the
 * look would be lost. */

/* Makes what is there now seen, as if the query had looked at all of it. Where memory for that runs
 * out, which it can with `exact_changes` alone, the next look may see more than what changed since. */
KITH_API void kith_query_mark_seen(kith_query *query);

/* NULL is fine. Misuse while this query is open. */
KITH_API void kith_query_free(kith_query *query);

/* For code that keeps the query in an object of its own, which may outlive the world: `*holder`, where
 * its pointer to the query is, becomes NULL when the query is freed, with its world too. A query has one
 * holder; NULL: none. Allowed in any state of the world. */
KITH_API void kith_query_set_holder(kith_query *query, kith_query **holder);

/* The world that a query is of. Any thread may ask. */
KITH_API kith_world *kith_query_world(const kith_query *query);

/* How many entities match. Counts rows of tables in one step where no other storage has a say. */
KITH_API uint32_t kith_query_count(kith_query *query);

/* The entity that iteration would visit first; KITH_NONE if none matches. */
KITH_API kith_entity kith_query_first(kith_query *query);

/* The only entity that matches.
 * KITH_ERR_ABSENT   none does; KITH_ERR_AMBIGUOUS   more than one does */
KITH_API kith_result kith_query_single(kith_query *query, kith_entity *entity);

/* Whether this entity is alive and matches. */
KITH_API bool kith_query_contains(kith_query *query, kith_entity entity);

/* ---- Iteration ----------------------------------------------------------------------------- */

/* Type numbers that may read or write a term. Private, as is what follows. */
typedef struct kith_access_key {
    uint32_t at[2];     /* the type's number if KITH_AT may have it to read, to write; or
                           KITH_NO_NUMBER_ */
    uint32_t column[2]; /* the same for KITH_COLUMN */
} kith_access_key;

/* Where one term's values are: KITH_COLUMN and KITH_AT read it. */
typedef struct kith_bind {
    void *base; /* the value of the entity that a batch's `first` counts from; NULL if the values of
                   the batch are absent, or not consecutive */
    kith_access_key key;        /* to `base`; no type's if that is NULL, or the iterator void */
    kith_access_key stored_key; /* to `base`, while there is one */
} kith_bind;

#define KITH_NO_NUMBER_ UINT32_MAX

/* What an iterator and its copies share. Private: kith_next reads it. */
typedef struct kith_iter_token {
    uint64_t serial;       /* of the iterator that may move on */
    uint64_t time;         /* when the terms were bound, by the world's write clock: */
    const uint64_t *clock; /* after that, values may stand elsewhere */
} kith_iter_token;

/* An open query. Kept on the stack, and passed by its address: a copy is void as soon as the query
 * is moved on or closed through the other. */
typedef struct kith_iter {
    uint32_t count;                 /* entities in this batch */
    float dt;                       /* seconds, as given to kith_run; 0 outside of systems */
    void *user;                     /* the system's; NULL outside of systems */
    struct kith_commands *commands; /* the system's, applied behind its stage; NULL outside */
    kith_result result;             /* why iteration ended early; a system fails by setting it */
    uint32_t term_count;            /* private from here on */
    const struct kith_bind *binds;  /* one a term, while open */
    struct kith_cursor *cursor;     /* starts with a kith_iter_token */
    uint64_t serial;
    const void *context;    /* for reports of misuse, also after the end */
    struct kith_task *task; /* the call of a system that this iterator was made for; or NULL */
    uint32_t first; /* the batch's first entity, counted from the one that the terms are bound to */
    uint32_t from;  /* where `pending` starts, counted from the same one */
    uint64_t
        pending; /* which of the entities from there on match, as far as kith_next may hand them
                         out inline; the highest bit is 0 */
} kith_iter;

/* Opens the query: to be followed by kith_next until that returns false, or by kith_iter_end.
 *
 * Opening may need memory: the first time, when tables have come since the last time, and to make
 * storages that the query writes by look-up ready for that. If there is none, the query is not
 * open, the first kith_next returns false, and `result` is KITH_ERR_MEMORY.
 *
 * Order: tables lexicographically by their component types' order of registration, then rows;
 * sparse sets in the order of their values; slots by the entity's slot. The same state gives the
 * same order. */
#define kith_query_iter(query) kith_query_iter_at((query), __FILE__, __LINE__)
KITH_API kith_iter kith_query_iter_at(kith_query *query, const char *file, int line);

/* Opens the query for one entity: one batch with it, or none if it does not match. */
#define kith_query_iter_one(query, ...)                                                            \
    kith_query_iter_one_at((query), (__VA_ARGS__), __FILE__, __LINE__)
KITH_API kith_iter kith_query_iter_one_at(kith_query *query, kith_entity entity, const char *file,
                                          int line);

/* The part of kith_next that has to look at the world. */
KITH_API bool kith_next_slow(kith_iter *it);

/* Moves on to the next batch: a run of at most 1,024 entities that match, whose values in the
 * driving storage stand in a row. False at the end, which closes the query; `result` tells if it
 * came early:
 * KITH_ERR_MEMORY   values shared with a snapshot could not be copied for writing */
static inline bool kith_next(kith_iter *it)
{
    /* A filter leaves short runs: where the next of them is, is known for up to 64 entities. */
    if (KITH_LIKELY_(it != NULL && it->pending != 0)) {
        kith_iter_token *token = (kith_iter_token *)(void *)it->cursor;
        if (KITH_LIKELY_(token->serial == it->serial && *token->clock == token->time)) {
            uint64_t pending = it->pending;
            /* Adding its lowest bit carries through the first run, to the bit after it. */
            uint64_t after = pending + (pending & (~pending + 1));
            uint32_t first = KITH_CTZ64_(pending);
            it->pending = pending & after;
            it->first = it->from + first;
            it->count = KITH_CTZ64_(after) - first;
            it->serial = ++token->serial;
            return true;
        }
    }
    return kith_next_slow(it);
}

/* Closes the query before its end, after a `break`. Closing what is closed does nothing. */
KITH_API void kith_iter_end(kith_iter *it);

/* Closes all queries of the world that are open, and returns how many there were: for loops that were
 * left without kith_iter_end, and whose iterators are gone. Iterators that are still there are void. */
KITH_API uint32_t kith_queries_close(kith_world *world);

/* The handles of this batch: `it->count` of them, until the next kith_next. */
KITH_API const kith_entity *kith_entities(const kith_iter *it);

/* A term's values of this batch as an array: `it->count` of them, until the next kith_next. NULL
 * for an absent optional term.
 *
 * Only for terms that are sure to live in the storage that drives the query: all of a query whose
 * required terms are KITH_TABLE; what must be there of one whose required terms are KITH_SLOT; or
 * the one required term of another layout, or the term that `driver` names. In a query with
 * `columns`, for all terms that must be there. For others it is misuse in every batch; use
 * KITH_AT. Also misuse: another type than the term's, a tag, writing what is declared as read. */
#define KITH_COLUMN(it, term, T)                                                                   \
    ((const T *)kith_column_at((it), (term), &T##_type, KITH_ACCESS_READ))
#define KITH_COLUMN_MUT(it, term, T)                                                               \
    ((T *)kith_column_at((it), (term), &T##_type, KITH_ACCESS_WRITE))
KITH_API const void *kith_column(const kith_iter *it, uint32_t term, const kith_type *type);
KITH_API void *kith_column_mut(const kith_iter *it, uint32_t term, const kith_type *type);

/* The part of KITH_COLUMN that is a few compares. Another thread may be registering the same type in a
 * world of its own. */
static inline void *kith_column_at(const kith_iter *it, uint32_t term, const kith_type *type,
                                   kith_access access)
{
    if (KITH_LIKELY_(it != NULL && term < it->term_count)) {
        const kith_bind *bind = &it->binds[term];
        if (KITH_LIKELY_(type->number != NULL && bind->key.column[access == KITH_ACCESS_WRITE] ==
                                                     KITH_LOAD_(type->number))) {
            return (char *)bind->base + (size_t)it->first * type->size;
        }
    }
    return access == KITH_ACCESS_WRITE ? kith_column_mut(it, term, type)
                                       : (void *)(uintptr_t)kith_column(it, term, type);
}

/* One value of a term, for the batch's entity number `i`, on every layout. NULL for an absent
 * optional term. Misuse: another type than the term's, a tag, `i` not below `it->count`, writing
 * what is declared as read. */
#define KITH_AT(it, term, i, T)                                                                    \
    ((const T *)kith_at((it), (term), (i), &T##_type, sizeof(T), KITH_ACCESS_READ))
#define KITH_AT_MUT(it, term, i, T)                                                                \
    ((T *)kith_at((it), (term), (i), &T##_type, sizeof(T), KITH_ACCESS_WRITE))

/* The part of KITH_AT that is not a matter of two compares. */
KITH_API void *kith_at_slow(const kith_iter *it, uint32_t term, uint32_t i, const kith_type *type,
                            kith_access access);

static inline void *kith_at(const kith_iter *it, uint32_t term, uint32_t i, const kith_type *type,
                            size_t size, kith_access access)
{
    if (KITH_LIKELY_(it != NULL && term < it->term_count && i < it->count)) {
        const kith_bind *bind = &it->binds[term];
        if (KITH_LIKELY_(type->number != NULL &&
                         bind->key.at[access == KITH_ACCESS_WRITE] == KITH_LOAD_(type->number))) {
            return (char *)bind->base + ((size_t)it->first + i) * size;
        }
    }
    return kith_at_slow(it, term, i, type, access);
}

#ifdef __cplusplus
}
#endif
#endif
