/* Kith: queries: the entities that have some components and lack others, and their values in a loop.
 *
 *     kith_query *moving = KITH_QUERY(world, KITH_WRITE(Position), KITH_READ(Velocity));
 *     for (kith_iter it = kith_query_iter(moving); kith_next(&it);) {
 *         Position *position = KITH_COLUMN_MUT(&it, Position);
 *         const Velocity *velocity = KITH_COLUMN(&it, Velocity);
 *         for (uint32_t i = 0; i < it.count; i++) {
 *             position[i].x += velocity[i].dx;
 *         }
 *     }
 *     kith_query_free(moving);
 *
 * A query is open from kith_query_iter until kith_next has returned false, or kith_iter_close. While a
 * query is open, changes of structure in its world (spawn, despawn, add, remove ...) are misuse and
 * change nothing; overwriting values is fine. Queries may be open inside one another.
 *
 * Threads: only the owner thread calls. On the iterator that a system was given, only that system
 * calls. KITH_COLUMN, KITH_AT and most calls of kith_next are inline, and do not check the thread. */
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
struct kith_observed;  /* <kith/observer.h> */
struct kith_condition; /* <kith/condition.h> */

typedef enum kith_access {
    KITH_ACCESS_NONE = 0, /* only whether the entity has it */
    KITH_ACCESS_READ,
    KITH_ACCESS_WRITE
} kith_access;

typedef enum kith_role {
    KITH_MUST = 0, /* the entity must have it */
    KITH_MUST_NOT, /* it must not have it */
    KITH_MAY,      /* it may have it; if not, the value is NULL */
    KITH_ONE_OF,   /* it must have at least one of the terms with this role and this group number */
    KITH_MUST_CHANGED, /* it must have it, and the value may have changed since this query's last look */
    KITH_AS_BEFORE /* in a system's `lookups`: values as they were before its stage */
} kith_role;

typedef struct kith_term {
    const kith_type *type;
    kith_access access;
    kith_role role;
    uint32_t group; /* for KITH_ONE_OF; otherwise 0 */
    const struct kith_condition
        *condition; /* about values, see KITH_IF, or about another entity, see <kith/via.h>; NULL:
                       about the component */
} kith_term;

#define KITH_READ(T)                                                                               \
    {                                                                                              \
        &T##_type, KITH_ACCESS_READ, KITH_MUST, 0, NULL                                            \
    }
#define KITH_WRITE(T)                                                                              \
    {                                                                                              \
        &T##_type, KITH_ACCESS_WRITE, KITH_MUST, 0, NULL                                           \
    }
#define KITH_WITH(T)                                                                               \
    {                                                                                              \
        &T##_type, KITH_ACCESS_NONE, KITH_MUST, 0, NULL                                            \
    }
#define KITH_WITHOUT(T)                                                                            \
    {                                                                                              \
        &T##_type, KITH_ACCESS_NONE, KITH_MUST_NOT, 0, NULL                                        \
    }
#define KITH_OPTIONAL(T)                                                                           \
    {                                                                                              \
        &T##_type, KITH_ACCESS_READ, KITH_MAY, 0, NULL                                             \
    }
#define KITH_OPTIONAL_MUT(T)                                                                       \
    {                                                                                              \
        &T##_type, KITH_ACCESS_WRITE, KITH_MAY, 0, NULL                                            \
    }
/* KITH_ANY_OF(Player, 0), KITH_ANY_OF(Ally, 0): at least one of group 0; values are read. Some may be of
 * other entities: KITH_VIA(Targets, KITH_ANY_OF(Player, 0)), see <kith/via.h>. */
#define KITH_ANY_OF(T, group_number)                                                               \
    {                                                                                              \
        &T##_type, KITH_ACCESS_READ, KITH_ONE_OF, (group_number), NULL                             \
    }

/* KITH_CHANGED(Position): the value may have changed since this query's last look; it is read. */
#define KITH_CHANGED(T)                                                                            \
    {                                                                                              \
        &T##_type, KITH_ACCESS_READ, KITH_MUST_CHANGED, 0, NULL                                    \
    }

/* The order in which a query visits entities. Depth is what kith_depth tells: all ancestors count,
 * whether they match or not. Within a depth the order is that of the scan, see kith_query_iter.
 *
 * No batch has entities of two depths: when an entity is visited, its ancestors that match were in
 * batches before, or with KITH_CHILDREN_FIRST its descendants were. kith_query_iter brings the order up
 * to date: that takes a pass over all rows of the storage that drives, and memory, if a parent changed
 * or an entity came, went or moved there since the order was needed before. */
typedef enum kith_order {
    KITH_SCAN_ORDER = 0,
    KITH_PARENTS_FIRST, /* roots, then their children, then theirs, and so on */
    KITH_CHILDREN_FIRST /* the other way round: the deepest, then those a level higher, and so on */
} kith_order;

/* What to ask for. */
typedef struct kith_query_def {
    const kith_term *terms;  /* KITH_TERMS; NULL, or a list without terms, matches every entity */
    const char *name;        /* for messages; NULL is fine. Copied */
    const kith_type *driver; /* a required term's type: its storage drives, and gives the order of
                                entities; NULL: the smallest required storage drives */
    kith_order order;        /* 0: as they are stored */
} kith_query_def;

/* A list of terms: an array that ends with a term of zeros, {0}. It has up to 4,096.
 *     .query.terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity))
 *     .resources = KITH_TERMS(KITH_READ(Score))
 * It lives until the end of the enclosing block. The call that takes it copies it. */
#define KITH_TERMS(...) ((const kith_term[]){__VA_ARGS__, {0}})

/* Makes a query, to be used any number of times. It learns of new tables without a search. It is freed
 * by kith_query_free, or with its world.
 *
 * KITH_ERR_CONFLICT   two terms have the same type
 * KITH_ERR_INPUT      a term makes no sense (an unknown access or role, access to what must be
 *                     absent), `driver` is not a required term's type, or `order` is none;
 *                     kith_error tells which
 * KITH_ERR_MEMORY
 * Misuse: a list of terms without an end, as far as that can be noticed.
 * Registers types that the world does not know: see kith_register. Allowed while queries are open. */
KITH_API kith_result kith_query_new(kith_world *world, const kith_query_def *def,
                                    kith_query **query);

/* The same in one expression, for a world and terms:
 *     kith_query *able = KITH_QUERY(world, KITH_READ(Health), KITH_WITHOUT(Frozen));
 *     kith_query *all = KITH_QUERY(world);
 * NULL on failure, with kith_error. */
#define KITH_QUERY(...) KITH_QUERY_(__VA_ARGS__, {0})
#define KITH_QUERY_(world, ...)                                                                    \
    kith_query_new_or_null((world),                                                                \
                           &(const kith_query_def){.terms = (const kith_term[]){__VA_ARGS__}})
KITH_API kith_query *kith_query_new_or_null(kith_world *world, const kith_query_def *def);

/* Looks. A query with KITH_MUST_CHANGED terms visits what may have changed since its last look. A look
 * starts at kith_query_iter, and counts when kith_next has returned false: an iteration that ends early
 * does not count as a look. The first look sees everything. Each query has looks of its own.
 *
 * Changes are tracked by block: up to 1,024 values that are stored together; for a KITH_SLOT tag, 8,192
 * slots. A whole block counts as changed when one of its values was set, handed out for writing (by
 * kith_get_mut, or in a batch of a query that declares a write), added, or moved there by a removal.
 * Setting a tag that is present counts as a change; adding what is present does not. So a look may see
 * values that did not change, and never misses one that did.
 *
 * For a type that is registered with `exact_changes`, a look sees exactly the values whose bytes,
 * except padding, differ from those at the last look of any query, and new values. (They are compared
 * with a copy, at a cost that follows the blocks that were written.) A component that was removed and
 * added again is new, whatever its value. Reading changes nothing. What is written within the loop of a
 * look is seen by the next look.
 *
 * kith_query_count, first, single and contains answer for what the next look would see. With
 * `exact_changes`, blocks that were written since the last look count as a whole.
 *
 * Opening such a query while another open query writes is misuse: what the other writes after the look
 * would be missed. */

/* Marks everything as seen, as if the query had looked at it. With `exact_changes`, memory for that may
 * run out: then the next look may see more than what changed since. */
KITH_API void kith_query_skip_changes(kith_query *query);

/* NULL is fine. Misuse while this query is open. */
KITH_API void kith_query_free(kith_query *query);

/* For objects that hold a query and may outlive its world: `*holder`, their pointer to the query,
 * becomes NULL when the query is freed, also with its world. A query has one holder; NULL removes
 * it. Allowed in any state of the world. */
KITH_API void kith_query_set_holder(kith_query *query, kith_query **holder);

/* The world of a query. Any thread may call this. */
KITH_API kith_world *kith_query_world(const kith_query *query);

/* How many entities match. If all terms are KITH_TABLE, a table is counted in one step. */
KITH_API uint32_t kith_query_count(kith_query *query);

/* The entity that an iteration would visit first; KITH_NONE if none matches. With an `order` it goes
 * through those that match until there is none that could come before. */
KITH_API kith_entity kith_query_first(kith_query *query);

/* The only entity that matches.
 * KITH_ERR_ABSENT   none matches; KITH_ERR_AMBIGUOUS   more than one does */
KITH_API kith_result kith_query_single(kith_query *query, kith_entity *entity);

/* Whether this entity is alive and matches. */
KITH_API bool kith_query_contains(kith_query *query, kith_entity entity);

/* ---- Iteration ----------------------------------------------------------------------------- */

/* Which calls may have a term's values: the type's number for those that may, otherwise
 * KITH_NO_NUMBER_. Private, as is what follows. */
#define KITH_AT_KEY_ 0     /* KITH_AT; plus 1: KITH_AT_MUT */
#define KITH_COLUMN_KEY_ 2 /* KITH_COLUMN; plus 1: KITH_COLUMN_MUT */
typedef struct kith_access_key {
    uint32_t number[4];
} kith_access_key;

/* Where one term's values are: KITH_COLUMN and KITH_AT read it. */
typedef struct kith_bind {
    void *base; /* of arrays: the value of the entity that the batch's `first` counts from, or NULL:
                   they are absent. Of rows: an array of addresses, or NULL: not found yet */
    kith_access_key key;        /* to `base`; no type's if that is NULL, or the iterator void */
    kith_access_key stored_key; /* to `base`, while there is one */
    uint32_t via_number; /* of a term of another entity: the number of the type of the values whose
                            addresses `base` is an array of, from the entity on that `first` counts
                            from; KITH_NO_NUMBER_: they are not found yet, or it is another term */
} kith_bind;

#define KITH_NO_NUMBER_ UINT32_MAX

/* What an iterator and its copies share. Private: kith_next reads it. */
typedef struct kith_iter_token {
    uint64_t serial;       /* of the current iterator, which may move on */
    uint64_t time;         /* the write clock when the terms were bound */
    const uint64_t *clock; /* the world's write clock: once it moves on, values may have moved */
} kith_iter_token;

/* An open query. Keep it on the stack, and pass its address. Of an iterator and its copies, the
 * first that moves on or closes the query voids the others. */
typedef struct kith_iter {
    uint32_t count;                 /* entities in this batch */
    float dt;                       /* seconds, as given to kith_run; 0 outside of systems */
    void *user;                     /* the system's; NULL outside of systems */
    struct kith_commands *commands; /* the system's, applied after its stage; NULL outside */
    kith_result result;             /* why iteration ended early; a system fails by setting it */
    uint32_t term_count;            /* private from here on */
    const struct kith_bind *binds;  /* while open: one a term, and at least two */
    struct kith_cursor *cursor;     /* starts with a kith_iter_token */
    uint64_t serial;
    const void *context;    /* for reports of misuse, also after the end */
    struct kith_task *task; /* the call of a system that this iterator was made for; or NULL */
    uint32_t first; /* the batch's first entity, counted from the one that the terms are bound to */
    uint32_t from;  /* where `pending` starts, counted from the same one */
    bool rows;      /* batches are of rows, not of arrays */
    bool plain;     /* of a plain system: calls do what those on the world do */
    uint64_t
        pending; /* which of the entities from there on match, as far as kith_next may hand them
                         out inline; the highest bit is 0 */
} kith_iter;

/* Opens the query. Call kith_next until it returns false, or kith_iter_close.
 *
 * Opening may need memory: the first time, and after new tables were made; with an `order` also after
 * what decides it changed. If memory runs out, the query is not open, the first kith_next returns
 * false, and `result` is KITH_ERR_MEMORY.
 *
 * Order: tables lexicographically by the names of their component types (each table's sorted, bytes
 * compared), then rows; sparse sets in the order of their values; slots by the entity's slot. The
 * same state gives the same order, whenever types were registered. With a kith_order, that is the order
 * within each depth. */
#define kith_query_iter(query) kith_query_iter_at((query), __FILE__, __LINE__)
KITH_API kith_iter kith_query_iter_at(kith_query *query, const char *file, int line);

/* Opens the query for one entity: one batch with it, or none if it does not match. */
#define kith_query_iter_one(query, ...)                                                            \
    kith_query_iter_one_at((query), (__VA_ARGS__), __FILE__, __LINE__)
KITH_API kith_iter kith_query_iter_one_at(kith_query *query, kith_entity entity, const char *file,
                                          int line);

/* The part of kith_next that is not inline. Private. */
KITH_API bool kith_next_slow(kith_iter *it);

/* Hands out the next of the runs that are already known: filters leave short ones, within 64 entities.
 * There must be some; false: they are not to be handed out as things are. Private. */
static inline bool kith_next_pending(kith_iter *it)
{
    kith_iter_token *token = (kith_iter_token *)(void *)it->cursor;
    uint64_t pending = it->pending;
    if (KITH_LIKELY_(token->serial == it->serial && *token->clock == token->time)) {
        /* Adding its lowest bit carries through the first run, to the bit after it. */
        uint64_t after = pending + (pending & (~pending + 1));
        uint32_t first = KITH_CTZ64_(pending);
        it->pending = pending & after;
        it->first = it->from + first;
        it->count = KITH_CTZ64_(after) - first;
        it->serial = ++token->serial;
        return true;
    }
    return false;
}

/* Moves on to the next batch of arrays: a run of at most 1,024 entities that match, for which the values
 * of every term are consecutive in memory, or absent throughout. KITH_COLUMN works for every term, on
 * every layout. Filters, and storages in different orders, make the runs shorter.
 *
 * Returns false at the end, which closes the query. If the end came early, `result` tells why:
 * KITH_ERR_MEMORY   values that are written had to be copied first, and memory ran out
 *
 * One iteration uses either kith_next or kith_next_rows: a change from one to the other is misuse. */
static inline bool kith_next(kith_iter *it)
{
    return (it != NULL && it->pending != 0 && kith_next_pending(it)) || kith_next_slow(it);
}

/* Moves on to the next batch of rows: at most 1,024 entities that match, wherever their values are.
 * KITH_AT finds one value, KITH_POINTERS the addresses of all; KITH_COLUMN is misuse. For filters and
 * mixed layouts, where arrays would be short. The entities and their order are those of kith_next.
 *
 * Values that are written are found when the batch is handed out, and count as written with their
 * blocks; those of other entities do not. Values that are read are found when the first of a batch is
 * asked for, all of the batch at once.
 *
 * Returns false at the end, as kith_next does. KITH_ERR_MEMORY also if there is no room for the
 * addresses: 16 KB, and 8 KB a term, which the query keeps. */
KITH_API bool kith_next_rows(kith_iter *it);

/* Closes the query before its end, after a `break`. Does nothing if it is closed. */
KITH_API void kith_iter_close(kith_iter *it);

/* Closes all open queries of the world, and returns how many there were. It is for loops that were left
 * without kith_iter_close, and whose iterators are gone. Iterators that still exist are void. */
KITH_API uint32_t kith_queries_close(kith_world *world);

/* The handles of this batch: `it->count` of them, valid until the next kith_next. */
KITH_API const kith_entity *kith_entities(const kith_iter *it);

/* The function for a batch of an iterator, or for what an observer is told. Private. */
#ifndef __cplusplus
#define KITH_OF_BATCH_(batch, in_iter, in_observed)                                                \
    _Generic((batch), struct kith_observed * : (in_observed),                                      \
             const struct kith_observed * : (in_observed), default : (in_iter))
#else
#define KITH_OF_BATCH_(batch, in_iter, in_observed) in_iter
#endif
KITH_API void *kith_observed_column_(const struct kith_observed *observed, const kith_type *type,
                                     kith_access access);
KITH_API void *kith_observed_at_(const struct kith_observed *observed, uint32_t i,
                                 const kith_type *type, size_t size, kith_access access);

/* The values of a component in this batch as an array: `it->count` of them, valid until the next
 * kith_next. NULL if the term is optional, or one of several, and absent from this batch.
 *     const Velocity *velocity = KITH_COLUMN(it, Velocity);
 *
 * In an observer's function, KITH_COLUMN(observed, Body) is kith_observed_values.
 *
 * Misuse: a type that the query has no term for, a tag, writing what is declared as read, and a batch of
 * kith_next_rows. */
#define KITH_COLUMN(it, T)                                                                         \
    ((const T *)KITH_OF_BATCH_(it, kith_column_at, kith_observed_column_)((it), &T##_type,         \
                                                                          KITH_ACCESS_READ))
#define KITH_COLUMN_MUT(it, T) ((T *)kith_column_at((it), &T##_type, KITH_ACCESS_WRITE))
KITH_API const void *kith_column(const kith_iter *it, const kith_type *type);
KITH_API void *kith_column_mut(const kith_iter *it, const kith_type *type);

/* The bind of a type, for a call with this key; NULL: there is none. The iterator has binds, as always
 * while it has a batch. Private. */
static inline const kith_bind *kith_find_bind(const kith_iter *it, uint32_t key, uint32_t number)
{
    const kith_bind *binds = it->binds;
    if (binds[0].key.number[key] == number) {
        return binds;
    }
    if (binds[1].key.number[key] == number) {
        return &binds[1];
    }
    for (uint32_t term = 2; term < it->term_count; term++) {
        if (binds[term].key.number[key] == number) {
            return &binds[term];
        }
    }
    return NULL;
}

/* The inline part of KITH_COLUMN. The type's number is loaded atomically: another thread may be
 * registering the type in its own world. */
static inline void *kith_column_at(const kith_iter *it, const kith_type *type, kith_access access)
{
    if (KITH_LIKELY_(it != NULL && it->binds != NULL && type->number != NULL)) {
        uint32_t number = KITH_LOAD_(type->number);
        const kith_bind *bind =
            kith_find_bind(it, KITH_COLUMN_KEY_ + (access == KITH_ACCESS_WRITE), number);
        if (KITH_LIKELY_(bind != NULL)) {
            return (char *)bind->base + (size_t)it->first * type->size;
        }
    }
    return access == KITH_ACCESS_WRITE ? kith_column_mut(it, type)
                                       : (void *)(uintptr_t)kith_column(it, type);
}

/* One value, for entity number `i` of the batch, on every layout and in batches of both kinds. NULL if
 * the term is optional, or one of several, and absent. In an observer's function, KITH_AT(observed, i,
 * T) is kith_observed_value.
 * Misuse: a type that the query has no term for, a tag, `i` not below `it->count`, writing what is
 * declared as read. */
#define KITH_AT(it, i, T)                                                                          \
    ((const T *)KITH_OF_BATCH_(it, kith_at, kith_observed_at_)((it), (i), &T##_type, sizeof(T),    \
                                                               KITH_ACCESS_READ))
#define KITH_AT_MUT(it, i, T) ((T *)kith_at((it), (i), &T##_type, sizeof(T), KITH_ACCESS_WRITE))

/* The part of KITH_AT that is not inline. `term` KITH_TERM_OF_TYPE_: the one with the type. Private. */
#define KITH_TERM_OF_TYPE_ UINT32_MAX
KITH_API void *kith_at_slow(const kith_iter *it, uint32_t term, uint32_t i, const kith_type *type,
                            kith_access access);

/* The value that `bind` has for entity `i`. Private. */
static inline void *kith_bind_at(const kith_iter *it, const kith_bind *bind, uint32_t i,
                                 size_t size)
{
    return it->rows ? ((void *const *)bind->base)[i]
                    : (char *)bind->base + ((size_t)it->first + i) * size;
}

static inline void *kith_at(const kith_iter *it, uint32_t i, const kith_type *type, size_t size,
                            kith_access access)
{
    if (KITH_LIKELY_(it != NULL && i < it->count && type->number != NULL)) {
        uint32_t number = KITH_LOAD_(type->number);
        const kith_bind *bind =
            kith_find_bind(it, KITH_AT_KEY_ + (access == KITH_ACCESS_WRITE), number);
        if (KITH_LIKELY_(bind != NULL)) {
            return kith_bind_at(it, bind, i, size);
        }
    }
    return kith_at_slow(it, KITH_TERM_OF_TYPE_, i, type, access);
}

/* The same by the number of a term, counted from 0 among those that are no conditions. It is how values
 * of other entities are read, which <kith/via.h> is about, and works for all terms.
 *     const Health *health = KITH_TERM_AT(it, 2, i, Health);
 *
 * Misuse: no term has that number, or it is about another type; and as for KITH_AT. */
#define KITH_TERM_AT(it, term, i, T)                                                               \
    ((const T *)kith_term_at((it), (term), (i), &T##_type, sizeof(T), KITH_ACCESS_READ))

/* The inline part of that. Private. */
static inline void *kith_term_at(const kith_iter *it, uint32_t term, uint32_t i,
                                 const kith_type *type, size_t size, kith_access access)
{
    if (KITH_LIKELY_(it != NULL && term < it->term_count && i < it->count &&
                     type->number != NULL)) {
        const kith_bind *bind = &it->binds[term];
        uint32_t number = KITH_LOAD_(type->number);
        if (KITH_LIKELY_(bind->key.number[KITH_AT_KEY_ + (access == KITH_ACCESS_WRITE)] ==
                         number)) {
            return kith_bind_at(it, bind, i, size);
        }
        if (bind->via_number == number && access == KITH_ACCESS_READ) {
            return ((void *const *)bind->base)[it->first + i];
        }
    }
    return kith_at_slow(it, term, i, type, access);
}

/* The addresses of a component's values, one for each entity of a batch of kith_next_rows, valid until
 * the next one; NULL for an entity that lacks it, where the term is optional or one of several.
 *     Health *const *health = KITH_POINTERS_MUT(it, Health);
 *
 * Misuse as for KITH_AT, and in a batch of kith_next. */
#define KITH_POINTERS(it, T) ((const T *const *)kith_pointers((it), &T##_type, KITH_ACCESS_READ))
#define KITH_POINTERS_MUT(it, T) ((T *const *)kith_pointers((it), &T##_type, KITH_ACCESS_WRITE))
KITH_API const void *kith_pointers(const kith_iter *it, const kith_type *type, kith_access access);

/* The same by the number of a term, to read; of other entities (see KITH_TERM_AT) also in a batch of
 * kith_next.
 *     const Health *const *health = KITH_TERM_POINTERS(it, 2, Health); */
#define KITH_TERM_POINTERS(it, term, T)                                                            \
    ((const T *const *)kith_term_pointers((it), (term), &T##_type))
KITH_API const void *kith_term_pointers(const kith_iter *it, uint32_t term, const kith_type *type);

#ifdef __cplusplus
}
#endif
#endif
