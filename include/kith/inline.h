/* Kith: private: what inline calls read of a world. Not for programs; it may change at any time.
 *
 * A program compiles this in, so it must be linked with the library of these very headers. */
#ifndef KITH_INLINE_H
#define KITH_INLINE_H

#include <kith/entity.h>
#include <kith/type.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A block of a column. */
struct kith_block_ {
    unsigned char *data; /* NULL in columns of size 0, and for a page that is not there */
    uint64_t stamp;      /* when it was last written */
};

/* The record of a slot. */
struct kith_record_ {
    uint32_t generation; /* of the entity that lives here or, in a dead slot, of the next one */
    uint32_t table;      /* id of the entity's table, or that the slot is dead */
    uint32_t row; /* in that table; in a dead slot index1 of the next dead one, 0 at the end */
};

/* What a slot is in a relation, as a source and as a target. Numbers of slots are plus one; 0: none. */
struct kith_link_ {
    uint32_t target1;
    uint32_t first1;    /* the first of its sources */
    uint32_t next1;     /* the source after it, of the same target */
    uint32_t previous1; /* the one before it; of the first source: the last */
};

/* log2 of the rows in a block of records, of links, of values of up to 16 bytes and in a page of
 * KITH_SPARSE, and of the words in a page of KITH_SLOT. */
#define KITH_RECORD_SHIFT_ 10
#define KITH_SPARSE_SHIFT_ 10
#define KITH_SLOT_SHIFT_ 7

/* Tables' ids are smaller; the record of a dead slot has one that is not. */
#define KITH_DEAD_TABLES_ 0xFFFFFFFEu

/* A table. From byte 8 on it tells for each component with a small id where its column is: a uint16_t,
 * bytes from the table on, or 0. A column begins with its list of blocks. */
struct kith_table_;
#define KITH_DIRECT_IDS_ 64u
#define KITH_TABLE_DIRECT_ 8u

/* Where a component's values are. Each component of a world has one, which never moves nor changes; the
 * pointers lead to members of the world that do. */
struct kith_place_ {
    uint32_t size; /* of a value */
    uint16_t id;
    uint8_t layout; /* kith_layout */
    uint8_t shift;  /* log2 of the rows in a block of values */
    const char
        *entities; /* how many slots there are, a uint32_t; from byte 8 on their records' blocks */
    const uint64_t *clock; /* a block with this stamp may be written */
    union {
        struct kith_table_ **const *tables; /* for KITH_TABLE; otherwise */
        struct kith_block_ *const *values;
    } in;
    struct kith_block_ *const
        *index; /* not for KITH_TABLE: rows by slot, or a bit for each slot; how
                                         many rows or words there may be follows, a uint32_t */
};

/* What a world begins with: the places of its components, by the numbers of their types; NULL where it
 * does not know a type. */
struct kith_known_ {
    struct kith_place_ **places;
    uint32_t count;
};

/* What the call of a system begins with: types that it was found to declare, and how; by the last bits
 * of their numbers. */
#define KITH_GRANTS_ 4u
struct kith_grant_ {
    const kith_type *type; /* NULL: none */
    const struct kith_place_ *place;
    uint32_t access; /* kith_access: what it may do by an entity's handle */
};
struct kith_grants_ {
    struct kith_grant_ last[KITH_GRANTS_];
};

/* What the calling thread may use. Windows does not let programs read a thread's variable of a library,
 * so that there all calls are functions. */
struct kith_thread_ {
    const void *key; /* the world, or the call of a system, that the last check found it may use */
    const struct ki_inside *inside; /* what it is running; NULL: nothing of Kith's */
};
#if defined(__GNUC__) && !defined(_WIN32)
#define KITH_INLINE_KEY_ 1
/* The calling thread's; one load without a call. */
KITH_API extern KITH_THREAD_VARIABLE_ struct kith_thread_ kith_thread_;
#else
#define KITH_INLINE_KEY_ 0
#endif

/* The blocks of a component's column in a table; NULL: the table does not have it. */
KITH_API struct kith_block_ *const *kith_table_find_(const struct kith_table_ *table, uint32_t id);

static inline uint32_t kith_number_(const kith_type *type)
{
    return type != NULL && type->number != NULL ? KITH_LOAD_(type->number) : 0;
}

/* The place of a type in a world, if that is sure to be usual: the world is the thread's, and it knows
 * this descriptor. NULL: a function looks again, and reports what is wrong. */
static inline const struct kith_place_ *kith_place_of_(const void *world, const kith_type *type)
{
#if KITH_INLINE_KEY_
#ifndef KITH_NO_MISUSE_CHECKS
    if (!KITH_LIKELY_(kith_thread_.key == world)) {
        return NULL;
    }
#endif
    uint32_t number = kith_number_(type);
    const struct kith_known_ *known = (const struct kith_known_ *)world;
    return KITH_LIKELY_(number < known->count) ? known->places[number] : NULL;
#else
    (void)world;
    (void)type;
    return NULL;
#endif
}

/* The same for the call of a system, if it did such a thing with this descriptor before. `call` may be
 * NULL: no call has that key. */
static inline const struct kith_place_ *kith_granted_(const void *call, const kith_type *type,
                                                      uint32_t access)
{
#if KITH_INLINE_KEY_
    if (KITH_LIKELY_(kith_thread_.key == call)) {
        const struct kith_grants_ *grants = (const struct kith_grants_ *)call;
        const struct kith_grant_ *grant = &grants->last[kith_number_(type) % KITH_GRANTS_];
        return KITH_LIKELY_(grant->type == type && grant->access >= access) ? grant->place : NULL;
    }
#else
    (void)call;
    (void)type;
    (void)access;
#endif
    return NULL;
}

/* Where a value is, or would be if the component had values: a row of a list of blocks. */
struct kith_spot_ {
    struct kith_block_ *const
        *blocks; /* NULL: the entity is dead, or does not have the component */
    uint32_t row;
};

/* The record of a slot. A made-up handle may have the next generation of a dead slot. */
static inline const struct kith_record_ *kith_record_at_(const struct kith_place_ *place,
                                                         uint32_t slot)
{
    const void *list = place->entities + 8;
    const void *block = (*(struct kith_block_ *const *)list)[slot >> KITH_RECORD_SHIFT_].data;
    return (const struct kith_record_ *)block + slot % (1u << KITH_RECORD_SHIFT_);
}

static inline bool kith_is_current_(const struct kith_place_ *place, kith_entity entity)
{
    return kith_record_at_(place, entity.index1 - 1)->generation == entity.generation;
}

/* The page of an index that has a number; NULL: none has. */
static inline const void *kith_index_page_(const struct kith_place_ *place, uint32_t number,
                                           uint32_t shift)
{
    return number < *(const uint32_t *)(const void *)(place->index + 1)
               ? (*place->index)[number >> shift].data
               : NULL;
}

/* For KITH_SLOT: whether a slot has the component, which no dead slot has. */
static inline bool kith_slot_bit_(const struct kith_place_ *place, uint32_t slot)
{
    const void *page = kith_index_page_(place, slot / 64, KITH_SLOT_SHIFT_);
    uint32_t word = slot / 64 % (1u << KITH_SLOT_SHIFT_);
    return page != NULL && (((const uint64_t *)page)[word] >> slot % 64 & 1) != 0;
}

/* For KITH_SPARSE: the row of a slot plus one; 0 if it does not have the component, as no dead slot. */
static inline uint32_t kith_set_row1_(const struct kith_place_ *place, uint32_t slot)
{
    const void *page = kith_index_page_(place, slot, KITH_SPARSE_SHIFT_);
    return page == NULL ? 0 : ((const uint32_t *)page)[slot % (1u << KITH_SPARSE_SHIFT_)];
}

/* For KITH_TABLE: the blocks of the component's column in the table with an id; NULL: it has none. */
static inline struct kith_block_ *const *kith_table_blocks_(const struct kith_place_ *place,
                                                            uint32_t id)
{
    const struct kith_table_ *table = (*place->in.tables)[id];
    if (!KITH_LIKELY_(place->id < KITH_DIRECT_IDS_)) {
        return kith_table_find_(table, place->id);
    }
    const char *bytes = (const char *)table;
    uint32_t direct = ((const uint16_t *)(const void *)(bytes + KITH_TABLE_DIRECT_))[place->id];
    return direct == 0 ? NULL : (struct kith_block_ *const *)(const void *)(bytes + direct);
}

/* Whether the entity is alive and has the component. The generation comes first: that it is another is
 * rare, while a component may well be there or not, which the result tells without a branch. */
static inline bool kith_is_at_(const struct kith_place_ *place, kith_entity entity)
{
    uint32_t slot = entity.index1 - 1;
    if (slot >= *(const uint32_t *)(const void *)place->entities ||
        !kith_is_current_(place, entity)) {
        return false;
    }
    if (place->layout == KITH_TABLE) {
        uint32_t table = kith_record_at_(place, slot)->table;
        return table < KITH_DEAD_TABLES_ && kith_table_blocks_(place, table) != NULL;
    }
    return place->layout == KITH_SLOT ? kith_slot_bit_(place, slot)
                                      : kith_set_row1_(place, slot) != 0;
}

/* Where the value of an entity is. For KITH_TABLE: */
static inline struct kith_spot_ kith_find_in_table_(const struct kith_place_ *place,
                                                    kith_entity entity)
{
    struct kith_spot_ spot = {NULL, 0};
    uint32_t slot = entity.index1 - 1;
    if (slot < *(const uint32_t *)(const void *)place->entities &&
        kith_is_current_(place, entity)) {
        const struct kith_record_ *record = kith_record_at_(place, slot);
        spot.row = record->row;
        if (record->table < KITH_DEAD_TABLES_) {
            spot.blocks = kith_table_blocks_(place, record->table);
        }
    }
    return spot;
}

/* For KITH_SLOT, where a bit tells that there is such a slot; */
static inline struct kith_spot_ kith_find_in_slots_(const struct kith_place_ *place,
                                                    kith_entity entity)
{
    struct kith_spot_ spot = {NULL, entity.index1 - 1};
    if (kith_slot_bit_(place, spot.row) && kith_is_current_(place, entity)) {
        spot.blocks = place->in.values;
    }
    return spot;
}

/* and for KITH_SPARSE, where a row does. */
static inline struct kith_spot_ kith_find_in_set_(const struct kith_place_ *place,
                                                  kith_entity entity)
{
    uint32_t row1 = kith_set_row1_(place, entity.index1 - 1);
    struct kith_spot_ spot = {NULL, row1 - 1};
    if (row1 != 0 && kith_is_current_(place, entity)) {
        spot.blocks = place->in.values;
    }
    return spot;
}

/* The value in a spot; NULL if it has no blocks, and with `written` if its block may not be written yet.
 * A size that the compiler knows makes it shorter. */
static inline void *kith_value_in_(const struct kith_place_ *place, struct kith_spot_ spot,
                                   uint32_t size, bool written)
{
    if (spot.blocks == NULL) {
        return NULL;
    }
    uint32_t shift = size <= 16 ? KITH_RECORD_SHIFT_ : place->shift;
    const struct kith_block_ *block = &(*spot.blocks)[spot.row >> shift];
    return written && block->stamp != *place->clock
               ? NULL
               : block->data + (size_t)(spot.row & ((1u << shift) - 1)) * size;
}

/* The same for an entity; NULL also if it is dead or has no value. `size` is the component's, not 0. */
static inline void *kith_value_(const struct kith_place_ *place, kith_entity entity, uint32_t size,
                                bool written)
{
    if (place->layout == KITH_TABLE) {
        return kith_value_in_(place, kith_find_in_table_(place, entity), size, written);
    }
    if (place->layout == KITH_SLOT) {
        return kith_value_in_(place, kith_find_in_slots_(place, entity), size, written);
    }
    return kith_value_in_(place, kith_find_in_set_(place, entity), size, written);
}

#ifdef __cplusplus
}
#endif
#endif
