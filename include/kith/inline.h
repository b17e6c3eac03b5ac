/* Kith: private: what inline calls read of a world. Not for programs; it may change at any time. */
#ifndef KITH_INLINE_H
#define KITH_INLINE_H

#include <kith/base.h>

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

/* log2 of the rows in a block of records and in a page of KITH_SPARSE, and of the words in a page of
 * KITH_SLOT. */
#define KITH_RECORD_SHIFT_ 10
#define KITH_SPARSE_SHIFT_ 10
#define KITH_SLOT_SHIFT_ 7

#endif
