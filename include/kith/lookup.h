/* Kith: lookups: values of one component by entity, for loops that follow many handles.
 *
 *     kith_lookup health = KITH_LOOKUP(world, Health);             or KITH_LOOKUP(it, Health)
 *     for (uint32_t i = 0; i < n; i++) {
 *         const Health *h = KITH_LOOKUP_GET(&health, targets[i], Health);
 *         if (h != NULL) ...                                       NULL: dead, or without Health
 *     }
 *
 * What KITH_GET checks in each call, the thread, the world and what a system declares, is checked once,
 * when the lookup is made. The handle is checked each time, and what happens to entities and tables
 * meanwhile is seen.
 *
 * A lookup is a struct on the stack of the thread that made it. Two threads must not share one. It must
 * not be used after its world was freed, nor after the system that made it returned. */
#ifndef KITH_LOOKUP_H
#define KITH_LOOKUP_H

#include <kith/inline.h>
#include <kith/query.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Private: the column of the component in a table. */
struct kith_lookup_table_ {
    uint32_t id;
    struct kith_block_ *const *values; /* NULL: the table does not have the component */
};
#define KITH_LOOKUP_TABLES_ 8u /* a power of two */

typedef struct kith_lookup {
    kith_result result; /* KITH_OK, or why it could not be made: then it finds nothing */
    uint32_t size_;     /* private from here on: of a value, */
    uint32_t shift_;    /* log2 of the rows in a block of values */
    kith_layout layout_;
    uint32_t component_;
    const kith_type *type_; /* NULL: there are no values */
    const kith_world *world_;
    struct kith_block_ *const *records_; /* by slot; for how many slots: */
    const uint32_t *slots_;
    struct kith_block_ *const *values_; /* of KITH_SPARSE and KITH_SLOT; where they are: */
    struct kith_block_ *const *index_;  /* rows by slot, or a bit for each slot */
    const uint32_t *index_count_;
    const uint64_t *epoch_; /* moves on when ids of tables may be used again */
    uint64_t seen_epoch_;
    struct kith_lookup_table_ tables_[KITH_LOOKUP_TABLES_]; /* those used last, by id */
} kith_lookup;

/* A lookup of one component. A type that is not registered is: see kith_register.
 *
 * If it could not be made, `result` says why: KITH_ERR_MISUSE, or what registering returned. */
KITH_API kith_lookup kith_lookup_new(kith_world *world, const kith_type *type);

/* The same in a system, which must declare the component, as for kith_system_get: otherwise misuse. For
 * an iterator that the program opened itself it is kith_lookup_new of its world. */
KITH_API kith_lookup kith_system_lookup(const kith_iter *it, const kith_type *type);

/* Private: the parts that are not inline. */
KITH_API const struct kith_lookup_table_ *kith_lookup_in_table_(kith_lookup *lookup, uint32_t id);
KITH_API bool kith_lookup_fits_(const kith_lookup *lookup, const kith_type *type);

/* Private: the record of the handle's slot; NULL: it is not the handle's any more. A made-up handle may
 * have the next generation of a dead slot, which has no table and no values. */
static inline const struct kith_record_ *kith_lookup_record_(const kith_lookup *lookup,
                                                             kith_entity entity)
{
    uint32_t slot = entity.index1 - 1;
    if (slot >= *lookup->slots_) {
        return NULL;
    }
    const void *block = (*lookup->records_)[slot >> KITH_RECORD_SHIFT_].data;
    const struct kith_record_ *record =
        (const struct kith_record_ *)block + slot % (1u << KITH_RECORD_SHIFT_);
    return record->generation == entity.generation ? record : NULL;
}

/* Private: the page of the index that has a place; NULL: none has. */
static inline const void *kith_lookup_page_(const kith_lookup *lookup, uint32_t place,
                                            uint32_t shift)
{
    return place < *lookup->index_count_ ? (*lookup->index_)[place >> shift].data : NULL;
}

/* Private: the blocks of the column that has the entity's value, and its row there; NULL: there is
 * none. */
static inline struct kith_block_ *const *kith_lookup_find_(kith_lookup *lookup, kith_entity entity,
                                                           uint32_t *row)
{
    const struct kith_record_ *record = kith_lookup_record_(lookup, entity);
    uint32_t slot = entity.index1 - 1;
    if (record == NULL) {
        return NULL;
    }
    if (lookup->layout_ == KITH_TABLE) {
        *row = record->row;
        const struct kith_lookup_table_ *table =
            &lookup->tables_[record->table % KITH_LOOKUP_TABLES_];
        bool known = table->id == record->table && *lookup->epoch_ == lookup->seen_epoch_;
        return KITH_LIKELY_(known) ? table->values
                                   : kith_lookup_in_table_(lookup, record->table)->values;
    }
    if (lookup->layout_ == KITH_SLOT) {
        *row = slot;
        const uint64_t *words =
            (const uint64_t *)kith_lookup_page_(lookup, slot / 64, KITH_SLOT_SHIFT_);
        uint32_t word = slot / 64 % (1u << KITH_SLOT_SHIFT_);
        return words != NULL && (words[word] >> slot % 64 & 1) != 0 ? lookup->values_ : NULL;
    }
    const uint32_t *rows = (const uint32_t *)kith_lookup_page_(lookup, slot, KITH_SPARSE_SHIFT_);
    uint32_t row1 = rows == NULL ? 0 : rows[slot % (1u << KITH_SPARSE_SHIFT_)];
    *row = row1 - 1;
    return row1 != 0 ? lookup->values_ : NULL;
}

/* Whether the entity is alive and has the component. */
static inline bool kith_lookup_has(kith_lookup *lookup, kith_entity entity)
{
    uint32_t row;
    return kith_lookup_find_(lookup, entity, &row) != NULL;
}

/* The value, to read; NULL if the entity is dead or has none, and for a tag. It lives as long as one
 * from kith_get. Misuse: `type` is not the lookup's. */
static inline const void *kith_lookup_get(kith_lookup *lookup, kith_entity entity,
                                          const kith_type *type)
{
    if (!KITH_LIKELY_(lookup->type_ == type) && !kith_lookup_fits_(lookup, type)) {
        return NULL;
    }
    uint32_t row;
    struct kith_block_ *const *values = kith_lookup_find_(lookup, entity, &row);
    if (values == NULL) {
        return NULL;
    }
    const unsigned char *block = (*values)[row >> lookup->shift_].data;
    return block + (size_t)(row & ((1u << lookup->shift_) - 1)) * lookup->size_;
}

#ifdef __cplusplus
}
#endif
#endif
