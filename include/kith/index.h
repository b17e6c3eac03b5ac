/* Kith: indexes: entities by the values of their components.
 *
 *     kith_index *teams = KITH_INDEX(world, KITH_INDEX_HASH, Team, number);
 *     ...
 *     kith_index_found found;
 *     if (kith_index_find(teams, &(Team){.number = 3}, &found) == KITH_OK) {
 *         for (uint32_t i = 0; i < found.count; i++) {
 *             cheer(found.entities[i]);
 *         }
 *     }
 *
 * An index is never stale: before it answers, it is brought up to date with all that was written, also
 * through pointers and arrays, and in a loop that is still open. What did not change since it was
 * asked last costs nothing: if nothing at all was written, a compare.
 *
 * Only the thread of the world's owner asks; and systems that declare it, see `indexes` in
 * kith_system_def. */
#ifndef KITH_INDEX_H
#define KITH_INDEX_H

#include <kith/type.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_index kith_index;

typedef enum kith_index_kind {
    KITH_INDEX_HASH = 1, /* finds equal values: kith_index_find */
    KITH_INDEX_SPATIAL,  /* finds by place: <kith/spatial.h> */
    KITH_INDEX_ORDERED,  /* finds ranges, and the least and the greatest: kith_index_range */
    KITH_INDEX_FILTER    /* finds nothing by itself: loops skip blocks where nothing can match */
} kith_index_kind;

#define KITH_INDEX_FIELDS 6

/* Computes the key of a component's value, see kith_index_def. False: the entity is not in the index. */
typedef bool (*kith_index_key_fn)(const void *value, void *key, void *user);

typedef struct kith_index_def {
    kith_index_kind kind;
    /* KITH_FIELDS(T, a, b) fills in these two: one to six fields, in order, and NULL after them. */
    const kith_type *type;
    const char *fields[KITH_INDEX_FIELDS];

    /* An index by a function: both are given, or neither. The entities that have a component of
     * the type `of` are indexed by what `key` computes from its value: `key` writes a value of
     * `type`, which has the fields of the index, and which the index is asked with.
     *
     *     static bool danger_of(const void *value, void *key, void *user)
     *     {
     *         const Health *health = value;
     *         ((Danger *)key)->level = 1 - (float)health->current / (float)health->most;
     *         return health->current > 0;
     *     }
     *     kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Danger, level),
     *                           .of = &Health_type, .key = danger_of};
     *
     * The key is all zero bytes when `key` is called. It may depend on nothing but the value (and
     * on `user`, if that never changes), and may not call into the world. It is called on the
     * thread that asks the index; where systems declare it, on that which calls kith_run or on a
     * worker, perhaps while a function of another index is called on another thread. It is called
     * once for each value that is new, has changed or came to another row since the index was asked
     * last. Nothing changed: no calls. To tell, the index keeps a copy of each value. Values with
     * hooks have none: then it is called for up to 1,024 beside one that was written, too. The
     * first time, and after memory ran out, it is called for all. kith_world_check calls it too. */
    const kith_type *of;
    kith_index_key_fn key;
    void *user; /* the function gets it; not used otherwise */
} kith_index_def;

/* Makes an index of the entities that have a component, in any layout, by some of its fields.
 *
 * A hash takes numbers, bools, enums, entities, interned texts and texts in arrays of char, one or
 * several of them. -0 and 0 are the same value. An entity with a NaN in such a field is not in the
 * index. An ordered index takes the same, up to 48 bytes of them together, of which an interned text has
 * 8; these are in the order of their bytes, whenever they were interned, and a handle of no text comes
 * first. A spatial index takes two to six floats or doubles, see <kith/spatial.h>. A hash of several
 * fields or texts that a function computes has up to 40 bytes of them.
 *
 * Queries, also those of systems, find hashes, ordered indexes, filters and spatial indexes of points by
 * themselves; those by functions where they have a condition about what that function computes, see
 * KITH_IF_KEY in <kith/condition.h>.
 *
 * A filter takes what a hash takes, and serves conditions about each of its fields by itself. It keeps
 * nothing of single entities: of each block of up to 1,024 of them the least and the greatest value, and
 * 16 bits a value that tell which other values are not there. None of the calls below asks it, which is
 * misuse; and no function computes it.
 *
 * It is filled when it is asked first. It may be made and freed at any time, also while queries are
 * open; it changes nothing that a program can see of the world, and does not count for
 * kith_world_hash. A type that is not registered is registered, which may fail: see kith_register.
 * KITH_ERR_INPUT    the kind is none, or there is no field, or one after a NULL, or a field is of a
 *                   kind that it cannot take; `of` has no values, or `type`, of keys, has hooks; a
 *                   filter by a function
 * KITH_ERR_UNKNOWN  there is no such field
 * KITH_ERR_MEMORY
 * Freed by kith_index_free, or with its world. */
KITH_API kith_result kith_index_new(kith_world *world, const kith_index_def *def,
                                    kith_index **index);

/* The same in one expression. NULL on failure, with kith_error. KITH_INDEX is shorter. */
KITH_API kith_index *kith_index_new_or_null(kith_world *world, const kith_index_def *def);

/* NULL is fine. Misuse while a system declares it. */
KITH_API void kith_index_free(kith_index *index);

/* What an index found. */
typedef struct kith_index_found {
    const kith_entity *entities; /* good until the index is asked again, or freed */
    uint32_t count;
} kith_index_found;

/* Finds the entities whose indexed fields have the same values as those of `*value`, which is a value
 * of the index's type; its other fields do not count. They come in the order of a loop over the
 * component. The index is a hash, or ordered.
 *
 * Brings the index up to date first: pointers from kith_get_mut into the component's values die. The
 * arrays and rows of a loop that is open stay good, and what is written there later is seen later.
 * KITH_ERR_MEMORY: nothing was found; a later call does what is left. */
KITH_API kith_result kith_index_find(kith_index *index, const void *value, kith_index_found *found);

/* Which values to find, and how. {0}: all, the least first. */
typedef struct kith_range {
    const void *from; /* a value of the index's type: this and greater ones; NULL: from the least */
    const void *to;   /* this and lesser ones; NULL: to the greatest */
    bool after_from;  /* without `from` itself */
    bool before_to;   /* without `to` itself */
    bool descending;  /* the greatest first */
    uint32_t fields;  /* of the indexed ones that `from` and `to` give, from the first on; 0: all */
    uint32_t limit;   /* how many entities at most; 0: all */
} kith_range;

/* Finds the entities with values in a range, in an ordered index. They come by value, the first field
 * first, then by slot; or the other way round. -0 is 0, and a bound that is a NaN finds nothing. Texts
 * are ordered by their bytes.
 *
 *     Health weak = {.current = 20};
 *     kith_index_range(index, &(kith_range){.to = &weak, .limit = 10}, &found);
 *
 * Brings the index up to date first, as kith_index_find does.
 * KITH_ERR_INPUT   `fields` is more than the index has
 * KITH_ERR_MEMORY  nothing was found; a later call does what is left */
KITH_API kith_result kith_index_range(kith_index *index, const kith_range *range,
                                      kith_index_found *found);

/* Finds the entities with a text that begins with `prefix`, by text, then by slot. The first field of
 * the ordered index is an array of char or an interned text. An empty prefix finds all.
 * KITH_ERR_INPUT   the first field is something else
 * KITH_ERR_MEMORY  nothing was found; a later call does what is left */
KITH_API kith_result kith_index_prefix(kith_index *index, const char *prefix,
                                       kith_index_found *found);

/* Finds the `count` entities whose values are nearest to that of `*value`, which is a value of the
 * index's type: all, if there are fewer. The nearest come first, of those at the same distance the one
 * in the lowest slot. The ordered index has one field, which is a number. Distances are compared
 * exactly; those above the greatest double, as to infinity, are the same for a greater and a lesser
 * value, and among values on one side the closer one comes first. A NaN finds nothing.
 *
 *     kith_index_nearest(prices, &(Price){.gold = 50}, 3, &found);
 *
 * Brings the index up to date first, as kith_index_find does.
 * KITH_ERR_INPUT   the index has several fields, or its field is not a number
 * KITH_ERR_MEMORY  nothing was found; a later call does what is left */
KITH_API kith_result kith_index_nearest(kith_index *index, const void *value, uint32_t count,
                                        kith_index_found *found);

#ifndef __cplusplus
/* An index of one to six fields of a component:
 *     kith_index *places = KITH_INDEX(world, KITH_INDEX_SPATIAL, Position, x, y);
 * NULL on failure, with kith_error: see kith_index_new. An index that only queries are to find need not
 * be kept. */
#define KITH_INDEX(world, kind_, T, ...)                                                           \
    kith_index_new_or_null(                                                                        \
        (world), &(const kith_index_def){.kind = (kind_), KITH_FIELDS(T, __VA_ARGS__)})

/* KITH_FIELDS(Team, number): for a descriptor. A field that T does not have does not compile. */
#define KITH_FIELDS(T, ...)                                                                        \
    .type = &T##_type,                                                                             \
    .fields = {KITH_BY_COUNT_(__VA_ARGS__, KITH_FIELDS_6_, KITH_FIELDS_5_, KITH_FIELDS_4_,         \
                              KITH_FIELDS_3_, KITH_FIELDS_2_, KITH_FIELDS_1_, ~)(T, __VA_ARGS__)}
#define KITH_BY_COUNT_(a, b, c, d, e, f, macro, ...) macro
#define KITH_FIELD_NAME_(T, field) sizeof(((T *)0)->field) != 0 ? #field : ""
#define KITH_FIELDS_1_(T, a) KITH_FIELD_NAME_(T, a)
#define KITH_FIELDS_2_(T, a, b) KITH_FIELD_NAME_(T, a), KITH_FIELD_NAME_(T, b)
#define KITH_FIELDS_3_(T, a, b, c) KITH_FIELDS_2_(T, a, b), KITH_FIELD_NAME_(T, c)
#define KITH_FIELDS_4_(T, a, b, c, d) KITH_FIELDS_2_(T, a, b), KITH_FIELDS_2_(T, c, d)
#define KITH_FIELDS_5_(T, a, b, c, d, e) KITH_FIELDS_3_(T, a, b, c), KITH_FIELDS_2_(T, d, e)
#define KITH_FIELDS_6_(T, a, b, c, d, e, f) KITH_FIELDS_3_(T, a, b, c), KITH_FIELDS_3_(T, d, e, f)
#endif

/* What an index holds, and what it did since it was made. */
typedef struct kith_index_counts {
    uint32_t entries;       /* entities in it, or that a filter knows of, as of when it was asked last */
    uint64_t bytes;         /* memory that it holds */
    uint64_t refreshes;     /* how often it had to look for what changed */
    uint64_t rows_compared; /* rows in blocks that were written, and values that were set */
    uint64_t rows_moved;    /* entities that were found in another place, with the same value */
} kith_index_counts;

KITH_API kith_index_counts kith_index_stats(const kith_index *index);

#ifdef __cplusplus
}
#endif
#endif
