/* A write log: which values of a component were set one by one. Whoever follows values need not
 * compare the blocks of those with what was there before.
 *
 * A block that was written in no other way since every reader looked has KI_LOGGED in its stamp. The
 * log may be full, or memory may have run out: then a block that is written is marked as any other. */
#ifndef KI_STORE_WRITE_LOG_H
#define KI_STORE_WRITE_LOG_H

#include "store/column.h"

#define KI_WRITE_LOG_MAX 65536u /* entries; a reader that never looks makes it no longer */

typedef struct ki_write_reader {
    uint64_t
        looked; /* write clock of the last look; 0: there was none, or the world was restored since */
    uint32_t place; /* entries that it has read */
    struct ki_write_reader *next;
} ki_write_reader;

typedef struct ki_write_log {
    uint32_t *slots;
    uint32_t count;
    uint32_t capacity;
    uint64_t looked; /* the least of the readers' */
    ki_write_reader *readers;
} ki_write_log;

/* Adds a reader, which has not looked yet. The log is made with the first one. KITH_ERR_MEMORY. */
kith_result ki_write_log_enter(ki_heap *heap, ki_write_log **log, ki_write_reader *reader);

/* Takes a reader out. The log is freed with the last one. */
void ki_write_log_leave(ki_heap *heap, ki_write_log **log, ki_write_reader *reader);

/* A reader has looked at all that there is. */
void ki_write_log_read(ki_write_log *log, ki_write_reader *reader);

/* Notes that the value of a slot is about to be written in a block. False: mark the block instead. */
bool ki_write_log_note(ki_column_context *columns, ki_write_log *log, ki_block *block,
                       uint32_t slot);

#endif
