/* Kith: pools: structs of one type, found by ids that detect whether the struct is still alive.
 * Pools need no world and no components: for entities that are one large struct, for bullets,
 * particles, sounds.
 *
 *     typedef struct Enemy { float x, y; int health; } Enemy;
 *     KITH_POOL(enemy_pool, Enemy);
 *
 *     enemy_pool *enemies = enemy_pool_new(NULL);
 *     enemy_pool_id e = enemy_pool_create(enemies, &(Enemy){ .health = 10 });
 *     Enemy *enemy = enemy_pool_get_mut(enemies, e);   NULL as soon as it is dead
 *
 * A pool is a slot map: create, get and kill take the same small time for any number of values.
 *
 * Pointers: a value never moves. A pointer is valid until its own value is killed, or the pool is
 * cleared or freed. Other creates and kills do not matter.
 *
 * Ids: any bit pattern may be passed. If it does not name a living value, the answer is NULL, false
 * or KITH_ERR_DEAD. An id from another pool of the same pool type is not detected.
 *
 * Threads: a pool does not belong to a thread. Calls that take a const pool may run in parallel.
 * Any other call must not run in parallel with a call on the same pool; the program ensures that.
 *
 * The same calls give the same ids. */
#ifndef KITH_POOL_H
#define KITH_POOL_H

#include <kith/base.h>

#ifdef __cplusplus
#include <type_traits>
extern "C" {
#endif

/* ---- Typed pools --------------------------------------------------------------------------- */

/* KITH_POOL(P, T); makes a pool type P of values of struct T, copied as plain bytes, and an id type
 * P_id. Mixing up pools or ids of two P does not compile. The macro may be used in a header. An id
 * of zero bytes is "none". The calls, each with the contract of kith_pool_NAME below:
 *
 *     P         *P_new(const kith_pool_def *def)
 *     void       P_free(P *pool)
 *     P_id       P_create(P *pool, const T *value)       none: want of memory, or of slots
 *     kith_result P_try_create(P *pool, const T *value, P_id *id)
 *     kith_result P_kill(P *pool, P_id id)
 *     bool       P_alive(const P *pool, P_id id)
 *     const T   *P_get(const P *pool, P_id id)           NULL: dead
 *     T         *P_get_mut(P *pool, P_id id)             NULL: dead
 *     const T   *P_next(const P *pool, P_id *cursor)     NULL: no more
 *     T         *P_next_mut(P *pool, P_id *cursor)       NULL: no more
 *     uint32_t   P_count(const P *pool)
 *     void       P_clear(P *pool)
 *     kith_result P_reserve(P *pool, uint32_t count)
 *     kith_pool_stats P_memory(const P *pool)
 *     kith_result P_check(const P *pool, const char **wrong)
 *     bool       P_is_none(P_id id)
 *     bool       P_same(P_id a, P_id b)
 *
 * KITH_POOL(P, T, plain); makes the same calls with plain ids: P_id is the number of the slot plus
 * one, in four bytes, and zero is "none". A dead id gives NULL at once, as above. But it has no
 * generation: when its slot is used again, it names the new value. Slots are used again in the order
 * in which they were freed (`oldest_first`), to delay that. It suits programs that forget an id when
 * they kill the value. Ids that are kept elsewhere, such as a missile's target, must not be plain. */
#define KITH_POOL(P, ...)                                                                          \
    KITH_POOL_BY_IDS_(__VA_ARGS__, KITH_POOL_PLAIN_, KITH_POOL_CHECKED_, ~)                        \
    (P, __VA_ARGS__) KITH_POOL_COMMON_(P, __VA_ARGS__, ~)

/* ---- Untyped pools ------------------------------------------------------------------------- */

/* The typed calls call these. Use them for scripts, and for sizes that are known at run time only. */
typedef struct kith_pool kith_pool;

/* Names a value in a pool. `index1` is the number of its slot plus one; `generation` counts how
 * often the slot was used before, and changes at death. A slot that has used all its 2^32
 * generations is retired, so a stale id is always detected. */
typedef struct kith_pool_id {
    uint32_t index1;
    uint32_t generation;
} kith_pool_id;

/* How to make a pool. All zero is a good default. */
typedef struct kith_pool_def {
    kith_allocator allocator; /* where all memory comes from; without functions: the C library */
    size_t memory_limit;      /* bytes that the pool may hold at once; 0: no limit */
    uint32_t expected;        /* values to make room for at once; a hint, not a limit */
    bool
        oldest_first; /* reuse the slot first that was freed first; otherwise the one that was freed
                          last, which is in the cache */
    kith_misuse_fn on_misuse; /* NULL: print the message to stderr and abort */
    void *misuse_context;     /* handed to on_misuse */
} kith_pool_def;

/* A new, empty pool of values of `size` bytes (1 to 1 MiB, a multiple of `align`), aligned to
 * `align` (a power of two, up to 4,096). NULL `def` is a def of zeros.
 *
 * Values are in blocks of a power of two values, at most 1,024 and 16 KB, or of one larger value.
 * The first create allocates the first block.
 *
 * NULL if memory ran out, if `expected` is more than a pool can hold, if the allocator has only one
 * of its two functions, or if size or alignment is out of range. */
KITH_API kith_pool *kith_pool_new(const kith_pool_def *def, size_t size, size_t align);

/* Frees the pool with all values in it. NULL is fine. */
KITH_API void kith_pool_free(kith_pool *pool);

/* Copies `*value` (NULL: zero bytes) into a slot of the pool; `*id` becomes its id. `*value` may be
 * in the pool.
 *
 * KITH_ERR_MEMORY   the pool is as it was
 * KITH_ERR_LIMIT    2^32 - 3 slots are alive or retired */
KITH_API kith_result kith_pool_create(kith_pool *pool, const void *value, kith_pool_id *id);

/* Ends a value. Its id, and pointers to it, are dead after this. Needs no memory.
 *
 * KITH_ERR_DEAD   it is not alive */
KITH_API kith_result kith_pool_kill(kith_pool *pool, kith_pool_id id);

/* Whether the id names a living value. */
KITH_API bool kith_pool_alive(const kith_pool *pool, kith_pool_id id);

/* The value, to read or to write; NULL if it is dead. Overwriting is always allowed. */
KITH_API const void *kith_pool_get(const kith_pool *pool, kith_pool_id id);
KITH_API void *kith_pool_get_mut(kith_pool *pool, kith_pool_id id);

/* Visits the living values in the order of their slots: finds the first one after `*cursor`, puts
 * its id there, and returns the value. Start with an id of zero bytes. After the last one it
 * returns NULL, and the cursor is zero again.
 *     for (enemy_pool_id e = {0}; (enemy = enemy_pool_next_mut(enemies, &e)) != NULL;)
 *
 * In C++ write `enemy_pool_id e = {}`. Creating and killing is allowed during the loop, also
 * killing the visited value. A value that dies before its turn is not visited. A new value is
 * visited if its slot lies ahead, so a loop that creates one value for each that it visits may
 * never end. No value is visited twice. The time is proportional to the slots, also dead ones. */
KITH_API const void *kith_pool_next(const kith_pool *pool, kith_pool_id *cursor);
KITH_API void *kith_pool_next_mut(kith_pool *pool, kith_pool_id *cursor);

/* The id of the living value in slot number `slot`, counted from 0; all zero if there is none. Any
 * number may be passed. */
KITH_API kith_pool_id kith_pool_at(const kith_pool *pool, uint32_t slot);

/* How many values are alive. */
KITH_API uint32_t kith_pool_count(const kith_pool *pool);

/* Kills all values. Of the slots that this frees, the lowest is used again first. Memory is kept:
 * it holds the generations, which detect stale ids. */
KITH_API void kith_pool_clear(kith_pool *pool);

/* Makes sure that the next `count` creates do not fail.
 *
 * KITH_ERR_MEMORY   the pool is as it was; room that was already made stays
 * KITH_ERR_LIMIT    more than 2^32 - 3 slots */
KITH_API kith_result kith_pool_reserve(kith_pool *pool, uint32_t count);

typedef struct kith_pool_stats {
    size_t used;        /* bytes held now, without the allocator's own overhead */
    size_t peak;        /* the most ever held */
    size_t limit;       /* 0: none */
    size_t allocations; /* held now */
    uint32_t alive;
    uint32_t slots;   /* used so far, also dead and retired ones */
    uint32_t retired; /* slots that ran out of generations */
} kith_pool_stats;

/* What the pool holds now. In constant time. */
KITH_API kith_pool_stats kith_pool_memory(const kith_pool *pool);

/* Checks every invariant of the pool, in time proportional to its slots.
 * KITH_ERR_CORRUPT   one does not hold: `*wrong`, if `wrong` is not NULL, is a static string that
 *                    names it. Please report it */
KITH_API kith_result kith_pool_check(const kith_pool *pool, const char **wrong);

#ifdef __cplusplus
}
#endif

/* From here on: the parts of the macros. Names in them end in _, so that they do not hide yours. */

#ifdef __cplusplus
#define KITH_POOL_ALIGNOF_(T) alignof(T)
#define KITH_POOL_ASSERT_(T)                                                                       \
    static_assert(std::is_trivially_copyable<T>::value,                                            \
                  "a pool copies values as plain bytes: " #T " must be trivially copyable");       \
    static_assert(sizeof(T) <= 1048576, "a value in a pool has at most 1 MiB")
#else
#define KITH_POOL_ALIGNOF_(T) _Alignof(T)
#define KITH_POOL_ASSERT_(T)                                                                       \
    _Static_assert(sizeof(T) > 0 && sizeof(T) <= 1048576,                                          \
                   "a value in a pool has at least a byte and at most 1 MiB")
#endif

#define KITH_POOL_BY_IDS_(T, ids, macro, ...) macro

/* With ids that have a generation. */
#define KITH_POOL_CHECKED_(P, T)                                                                   \
    typedef struct P P;                                                                            \
    typedef struct P##_id {                                                                        \
        kith_pool_id raw;                                                                          \
    } P##_id;                                                                                      \
    enum { P##_has_plain_ids_ = 0 };                                                               \
    KITH_UNUSED_ static inline kith_result P##_try_create(P *pool_, const T *value_, P##_id *id_)  \
    {                                                                                              \
        return kith_pool_create((kith_pool *)pool_, value_, (kith_pool_id *)id_);                  \
    }                                                                                              \
    KITH_UNUSED_ static inline P##_id P##_create(P *pool_, const T *value_)                        \
    {                                                                                              \
        P##_id id_ = {{0, 0}};                                                                     \
        kith_pool_create((kith_pool *)pool_, value_, &id_.raw);                                    \
        return id_;                                                                                \
    }                                                                                              \
    KITH_UNUSED_ static inline const T *P##_next(const P *pool_, P##_id *cursor_)                  \
    {                                                                                              \
        return (const T *)kith_pool_next((const kith_pool *)pool_, (kith_pool_id *)cursor_);       \
    }                                                                                              \
    KITH_UNUSED_ static inline T *P##_next_mut(P *pool_, P##_id *cursor_)                          \
    {                                                                                              \
        return (T *)kith_pool_next_mut((kith_pool *)pool_, (kith_pool_id *)cursor_);               \
    }                                                                                              \
    KITH_UNUSED_ static inline bool P##_is_none(P##_id id_)                                        \
    {                                                                                              \
        return id_.raw.index1 == 0 && id_.raw.generation == 0;                                     \
    }                                                                                              \
    KITH_UNUSED_ static inline bool P##_same(P##_id a_, P##_id b_)                                 \
    {                                                                                              \
        return a_.raw.index1 == b_.raw.index1 && a_.raw.generation == b_.raw.generation;           \
    }                                                                                              \
    KITH_POOL_BY_ID_(P, T, id_.raw)

/* With plain ids. What comes after T has to be `plain`. */
enum { kith_pool_ids_are_plain };
#define KITH_POOL_PLAIN_(P, T, ids)                                                                \
    typedef struct P P;                                                                            \
    typedef struct P##_id {                                                                        \
        uint32_t index1;                                                                           \
    } P##_id;                                                                                      \
    enum { P##_has_plain_ids_ = 1, P##_ids_are_ = kith_pool_ids_are_##ids };                       \
    KITH_UNUSED_ static inline kith_result P##_try_create(P *pool_, const T *value_, P##_id *id_)  \
    {                                                                                              \
        kith_pool_id raw_ = {0, 0};                                                                \
        kith_result result_ =                                                                      \
            kith_pool_create((kith_pool *)pool_, value_, id_ == NULL ? NULL : &raw_);              \
        if (result_ == KITH_OK) {                                                                  \
            id_->index1 = raw_.index1;                                                             \
        }                                                                                          \
        return result_;                                                                            \
    }                                                                                              \
    KITH_UNUSED_ static inline P##_id P##_create(P *pool_, const T *value_)                        \
    {                                                                                              \
        P##_id id_ = {0};                                                                          \
        P##_try_create(pool_, value_, &id_);                                                       \
        return id_;                                                                                \
    }                                                                                              \
    KITH_UNUSED_ static inline const T *P##_next(const P *pool_, P##_id *cursor_)                  \
    {                                                                                              \
        kith_pool_id raw_ = {cursor_ == NULL ? 0 : cursor_->index1, 0};                            \
        const T *value_ =                                                                          \
            (const T *)kith_pool_next((const kith_pool *)pool_, cursor_ == NULL ? NULL : &raw_);   \
        if (cursor_ != NULL) {                                                                     \
            cursor_->index1 = raw_.index1;                                                         \
        }                                                                                          \
        return value_;                                                                             \
    }                                                                                              \
    KITH_UNUSED_ static inline T *P##_next_mut(P *pool_, P##_id *cursor_)                          \
    {                                                                                              \
        return (T *)(uintptr_t)P##_next(pool_, cursor_);                                           \
    }                                                                                              \
    KITH_UNUSED_ static inline bool P##_is_none(P##_id id_)                                        \
    {                                                                                              \
        return id_.index1 == 0;                                                                    \
    }                                                                                              \
    KITH_UNUSED_ static inline bool P##_same(P##_id a_, P##_id b_)                                 \
    {                                                                                              \
        return a_.index1 == b_.index1;                                                             \
    }                                                                                              \
    KITH_POOL_BY_ID_(P, T, kith_pool_at((const kith_pool *)pool_, id_.index1 - 1))

/* The calls that do not depend on the kind of id. The pool type stays incomplete: it is a kith_pool
 * under another name, so that two pool types do not mix. */
#define KITH_POOL_COMMON_(P, T, ...)                                                               \
    KITH_UNUSED_ static inline P *P##_new(const kith_pool_def *def_)                               \
    {                                                                                              \
        kith_pool_def own_ = {{NULL, NULL, NULL}, 0, 0, false, NULL, NULL};                        \
        if (def_ != NULL) {                                                                        \
            own_ = *def_;                                                                          \
        }                                                                                          \
        own_.oldest_first = own_.oldest_first || P##_has_plain_ids_;                               \
        return (P *)kith_pool_new(&own_, sizeof(T), KITH_POOL_ALIGNOF_(T));                        \
    }                                                                                              \
    KITH_UNUSED_ static inline void P##_free(P *pool_)                                             \
    {                                                                                              \
        kith_pool_free((kith_pool *)pool_);                                                        \
    }                                                                                              \
    KITH_UNUSED_ static inline uint32_t P##_count(const P *pool_)                                  \
    {                                                                                              \
        return kith_pool_count((const kith_pool *)pool_);                                          \
    }                                                                                              \
    KITH_UNUSED_ static inline void P##_clear(P *pool_)                                            \
    {                                                                                              \
        kith_pool_clear((kith_pool *)pool_);                                                       \
    }                                                                                              \
    KITH_UNUSED_ static inline kith_result P##_reserve(P *pool_, uint32_t count_)                  \
    {                                                                                              \
        return kith_pool_reserve((kith_pool *)pool_, count_);                                      \
    }                                                                                              \
    KITH_UNUSED_ static inline kith_pool_stats P##_memory(const P *pool_)                          \
    {                                                                                              \
        return kith_pool_memory((const kith_pool *)pool_);                                         \
    }                                                                                              \
    KITH_UNUSED_ static inline kith_result P##_check(const P *pool_, const char **wrong_)          \
    {                                                                                              \
        return kith_pool_check((const kith_pool *)pool_, wrong_);                                  \
    }                                                                                              \
    KITH_POOL_ASSERT_(T)

/* The calls that take an id; `raw` makes a kith_pool_id of `id`. */
#define KITH_POOL_BY_ID_(P, T, raw)                                                                \
    KITH_UNUSED_ static inline kith_result P##_kill(P *pool_, P##_id id_)                          \
    {                                                                                              \
        return kith_pool_kill((kith_pool *)pool_, raw);                                            \
    }                                                                                              \
    KITH_UNUSED_ static inline bool P##_alive(const P *pool_, P##_id id_)                          \
    {                                                                                              \
        return kith_pool_alive((const kith_pool *)pool_, raw);                                     \
    }                                                                                              \
    KITH_UNUSED_ static inline const T *P##_get(const P *pool_, P##_id id_)                        \
    {                                                                                              \
        return (const T *)kith_pool_get((const kith_pool *)pool_, raw);                            \
    }                                                                                              \
    KITH_UNUSED_ static inline T *P##_get_mut(P *pool_, P##_id id_)                                \
    {                                                                                              \
        return (T *)kith_pool_get_mut((kith_pool *)pool_, raw);                                    \
    }
#endif
