#include "store/write_log.h"

static void write_log_look(ki_write_log *log)
{
    log->looked = UINT64_MAX;
    for (const ki_write_reader *reader = log->readers; reader != NULL; reader = reader->next) {
        log->looked = reader->looked < log->looked ? reader->looked : log->looked;
    }
}

kith_result ki_write_log_enter(ki_heap *heap, ki_write_log **log, ki_write_reader *reader)
{
    if (*log == NULL) {
        *log = ki_heap_alloc_zeroed(heap, sizeof **log, _Alignof(ki_write_log));
        if (*log == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    *reader = (ki_write_reader){.next = (*log)->readers};
    (*log)->readers = reader;
    write_log_look(*log);
    return KITH_OK;
}

void ki_write_log_leave(ki_heap *heap, ki_write_log **log, ki_write_reader *reader)
{
    ki_write_reader **link = &(*log)->readers;
    while (*link != reader) {
        link = &(*link)->next;
    }
    *link = reader->next;
    if ((*log)->readers != NULL) {
        write_log_look(*log);
        return;
    }
    ki_heap_free(heap, (*log)->slots, (*log)->capacity * sizeof(uint32_t), _Alignof(max_align_t));
    ki_heap_free(heap, *log, sizeof **log, _Alignof(ki_write_log));
    *log = NULL;
}

void ki_write_log_read(ki_write_log *log, ki_write_reader *reader)
{
    reader->place = log->count;
    bool all = true;
    for (const ki_write_reader *other = log->readers; other != NULL; other = other->next) {
        all = all && other->place == log->count;
    }
    if (all) {
        log->count = 0;
        for (ki_write_reader *other = log->readers; other != NULL; other = other->next) {
            other->place = 0;
        }
    }
    write_log_look(log);
}

bool ki_write_log_note(ki_column_context *columns, ki_write_log *log, ki_block *block,
                       uint32_t slot)
{
    uint64_t stamp = block->stamp;
    bool whole = (stamp & KI_LOGGED) == 0 && stamp > log->looked;
    if ((stamp & KI_SHARED) != 0 || whole || log->count == KI_WRITE_LOG_MAX ||
        ki_heap_grow(columns->heap, &log->slots, &log->capacity, log->count + 1, sizeof *log->slots,
                     64) != KITH_OK) {
        return false;
    }
    log->slots[log->count++] = slot;
    block->stamp = columns->write_clock | KI_LOGGED;
    return true;
}
