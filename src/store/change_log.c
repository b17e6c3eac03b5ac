#include "store/change_log.h"

#include "store/hooks.h"
#include "store/seen.h"

/* ---- Chunks ---------------------------------------------------------------------------------- */

/* How many entries a chunk is good for. */
static uint32_t log_limit(const ki_change_log *change_log)
{
    if (change_log->valued == 0 || change_log->size == 0) {
        return KI_CHANGE_LOG_ENTRIES;
    }
    uint32_t values = KI_CHANGE_LOG_VALUES / change_log->size;
    return values == 0 ? 1 : ki_min_u32(values, KI_CHANGE_LOG_ENTRIES);
}

ki_change_log_chunk *ki_change_log_new_chunk(ki_heap *heap, const ki_change_log *change_log)
{
    ki_change_log_chunk *chunk = ki_heap_alloc(heap, sizeof *chunk, _Alignof(ki_change_log_chunk));
    if (chunk != NULL) {
        memset(chunk, 0, offsetof(ki_change_log_chunk, entities));
        memset(chunk->despawned, 0, sizeof chunk->despawned);
        chunk->restored = 0;
        chunk->limit = log_limit(change_log);
        chunk->valued = change_log->valued != 0;
    }
    return chunk;
}

static ki_change_log_chunk *log_take_chunk(ki_heap *heap, ki_change_log *change_log)
{
    ki_change_log_chunk *chunk = ki_change_log_new_chunk(heap, change_log);
    change_log->chunk_count += chunk != NULL;
    return chunk;
}

static bool log_take_values(ki_heap *heap, const ki_change_log *change_log,
                            ki_change_log_chunk *chunk)
{
    if (chunk->valued && chunk->values == NULL) {
        chunk->room = chunk->limit;
        chunk->values =
            ki_heap_alloc(heap, (size_t)chunk->room * change_log->size, change_log->align);
        return chunk->values != NULL;
    }
    return true;
}

/* Ends the values of a chunk before a place. */
static void log_end_values(const ki_change_log *change_log, ki_change_log_chunk *chunk,
                           uint32_t place)
{
    if (change_log->hooks != NULL && place > chunk->ended) {
        ki_hooks_destroy(change_log->hooks, chunk->values + (size_t)chunk->ended * change_log->size,
                         place - chunk->ended);
        chunk->ended = place;
    }
}

/* Takes out entries that nobody will read any more. */
static void log_wipe_chunk(const ki_change_log *change_log, ki_change_log_chunk *chunk)
{
    log_end_values(change_log, chunk, chunk->lost_count);
    memset(chunk->lost, 0, sizeof chunk->lost);
    memset(chunk->despawned, 0, sizeof chunk->despawned);
    chunk->count = 0;
    chunk->lost_count = 0;
    chunk->ended = 0;
    chunk->restored = 0;
}

static void log_empty_chunk(const ki_change_log *change_log, ki_change_log_chunk *chunk)
{
    log_wipe_chunk(change_log, chunk);
    chunk->limit =
        chunk->valued ? chunk->limit : KI_CHANGE_LOG_ENTRIES; /* it may have been cut short */
    chunk->next = NULL;
}

static void log_give_values(ki_heap *heap, const ki_change_log *change_log,
                            ki_change_log_chunk *chunk)
{
    ki_heap_free(heap, chunk->values, (size_t)chunk->room * change_log->size, change_log->align);
    chunk->values = NULL;
}

static void log_give_chunk(ki_heap *heap, ki_change_log *change_log, ki_change_log_chunk *chunk)
{
    change_log->chunk_count--;
    log_give_values(heap, change_log, chunk);
    ki_heap_free(heap, chunk, sizeof *chunk, _Alignof(ki_change_log_chunk));
}

void ki_change_log_free_chunk(ki_heap *heap, const ki_change_log *change_log,
                              ki_change_log_chunk *chunk)
{
    log_end_values(change_log, chunk, chunk->lost_count);
    log_give_values(heap, change_log, chunk);
    ki_heap_free(heap, chunk, sizeof *chunk, _Alignof(ki_change_log_chunk));
}

static void log_give_spare(ki_heap *heap, ki_change_log *change_log, uint32_t keep)
{
    while (change_log->spare > keep) {
        ki_change_log_chunk *chunk = change_log->last->next;
        change_log->last->next = chunk->next;
        change_log->end = chunk == change_log->end ? change_log->last : change_log->end;
        change_log->spare--;
        log_give_chunk(heap, change_log, chunk);
    }
}

void ki_change_log_trim(ki_heap *heap, ki_change_log *change_log)
{
    log_give_spare(heap, change_log, 0);
    change_log->keep = 0;
}

/* Chunks that every reader has read are kept for what comes: as many as were needed from one time that
 * all was read to the next, and half of those that were kept before. */
static void log_forget(ki_heap *heap, ki_change_log *change_log)
{
    bool any = false;
    while (change_log->first != change_log->last && change_log->first->readers == 0) {
        ki_change_log_chunk *chunk = change_log->first;
        change_log->first = chunk->next;
        log_empty_chunk(change_log, chunk);
        any = true;
        if (chunk->valued != (change_log->valued != 0) || chunk->limit != log_limit(change_log)) {
            log_give_chunk(heap, change_log, chunk);
            continue;
        }
        change_log->end->next = chunk;
        change_log->end = chunk;
        change_log->spare++;
        change_log->passed++;
    }
    if (any && change_log->first == change_log->last) {
        change_log->keep =
            change_log->passed > change_log->keep / 2 ? change_log->passed : change_log->keep / 2;
        change_log->passed = 0;
        log_give_spare(heap, change_log, change_log->keep);
    }
}

void ki_change_log_forget(ki_heap *heap, ki_change_log *change_log)
{
    log_forget(heap, change_log);
    ki_change_log_trim(heap, change_log);
}

/* ---- Coming and going ------------------------------------------------------------------------ */

ki_change_log *ki_change_log_new(ki_heap *heap, uint32_t size, uint32_t align,
                                 const ki_hooks *hooks, const bool *despawning)
{
    ki_change_log *change_log =
        ki_heap_alloc_zeroed(heap, sizeof *change_log, _Alignof(ki_change_log));
    if (change_log == NULL) {
        return NULL;
    }
    change_log->size = size;
    change_log->align = align;
    change_log->hooks = hooks;
    change_log->despawning = despawning;
    change_log->first = log_take_chunk(heap, change_log);
    if (change_log->first == NULL) {
        ki_heap_free(heap, change_log, sizeof *change_log, _Alignof(ki_change_log));
        return NULL;
    }
    change_log->last = change_log->first;
    change_log->end = change_log->first;
    return change_log;
}

void ki_tracker_free(ki_heap *heap, kith_tracker *tracker)
{
    if (tracker->holder != NULL) {
        *tracker->holder = NULL;
    }
    ki_heap_free(heap, tracker, sizeof *tracker, _Alignof(kith_tracker));
}

void ki_change_log_end_values(ki_change_log *change_log)
{
    for (ki_change_log_chunk *chunk = change_log->first; chunk != NULL; chunk = chunk->next) {
        log_end_values(change_log, chunk, chunk->lost_count);
    }
}

void ki_change_log_free(ki_heap *heap, ki_change_log *change_log)
{
    if (change_log == NULL) {
        return;
    }
    while (change_log->readers != NULL) {
        kith_tracker *reader = change_log->readers;
        change_log->readers = reader->next;
        ki_tracker_free(heap, reader);
    }
    while (change_log->first != NULL) {
        ki_change_log_chunk *chunk = change_log->first;
        change_log->first = chunk->next;
        log_empty_chunk(change_log, chunk);
        log_give_chunk(heap, change_log, chunk);
    }
    ki_heap_free(heap, change_log, sizeof *change_log, _Alignof(ki_change_log));
}

/* Has the next entry begin a chunk, which keeps values if anybody wants them. */
static kith_result log_begin_chunk(ki_heap *heap, ki_change_log *change_log)
{
    ki_change_log_chunk *chunk = log_take_chunk(heap, change_log);
    if (chunk == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_change_log_trim(heap, change_log);
    chunk->first = ki_change_log_written(change_log);
    change_log->last->limit = change_log->last->count;
    change_log->last->next = chunk;
    change_log->last = chunk;
    change_log->end = chunk;
    log_forget(heap, change_log);
    return KITH_OK;
}

static void log_place(ki_change_log *change_log, kith_tracker *reader)
{
    reader->chunk = change_log->last;
    reader->place = change_log->last->count;
    reader->lost = change_log->last->lost_count;
    change_log->last->readers++;
}

void ki_change_log_settle(const ki_change_log *change_log)
{
    bool waits = change_log->hooks == NULL;
    for (ki_change_log_chunk *chunk = change_log->first; !waits; chunk = chunk->next) {
        uint32_t message = chunk->lost_count;
        for (const kith_tracker *reader = change_log->readers; reader != NULL;
             reader = reader->next) {
            if (reader->valued && reader->chunk == chunk) {
                message = ki_min_u32(message, reader->lost);
                waits = true;
            }
        }
        log_end_values(change_log, chunk, message);
        waits = waits || chunk == change_log->last;
    }
}

/* Keeps values no more, and ends those that were kept. */
static void log_drop_values(ki_heap *heap, ki_change_log *change_log)
{
    ki_change_log_trim(heap, change_log);
    ki_change_log_settle(change_log);
    for (ki_change_log_chunk *chunk = change_log->first; chunk != NULL; chunk = chunk->next) {
        log_give_values(heap, change_log, chunk);
        memset(chunk->despawned, 0, sizeof chunk->despawned);
        chunk->valued = false;
        chunk->lost_count = 0;
        chunk->ended = 0;
    }
    change_log->last->limit = KI_CHANGE_LOG_ENTRIES;
}

kith_result ki_change_log_enter(ki_heap *heap, ki_change_log *change_log, kith_tracker *reader)
{
    change_log->valued += reader->valued;
    if (reader->valued && change_log->valued == 1 && log_begin_chunk(heap, change_log) != KITH_OK) {
        change_log->valued--;
        return KITH_ERR_MEMORY;
    }
    log_place(change_log, reader);
    reader->next = change_log->readers;
    if (reader->next != NULL) {
        reader->next->previous = reader;
    }
    change_log->readers = reader;
    return KITH_OK;
}

/* Whether there is a reader that wants values and has read no more than one that has left. */
static bool log_has_other_as_slow(const ki_change_log *change_log, const kith_tracker *reader)
{
    const kith_tracker *other = change_log->readers;
    while (other != NULL &&
           !(other->valued && ki_change_log_place(other) <= ki_change_log_place(reader))) {
        other = other->next;
    }
    return other != NULL;
}

void ki_change_log_leave(ki_heap *heap, ki_change_log *change_log, kith_tracker *reader)
{
    if (reader->previous != NULL) {
        reader->previous->next = reader->next;
    } else {
        change_log->readers = reader->next;
    }
    if (reader->next != NULL) {
        reader->next->previous = reader->previous;
    }
    reader->chunk->readers--;
    if (reader->valued && --change_log->valued == 0) {
        log_drop_values(heap, change_log);
    } else if (reader->valued && change_log->hooks != NULL &&
               !log_has_other_as_slow(change_log, reader)) {
        ki_change_log_settle(change_log);
    }
    log_forget(heap, change_log);
}

/* ---- Reading --------------------------------------------------------------------------------- */

void ki_change_log_pass(ki_heap *heap, ki_change_log *change_log, kith_tracker *reader)
{
    reader->chunk->readers--;
    log_place(change_log, reader);
    log_forget(heap, change_log);
}

/* How many entries from `place` on are of the kind of the first. */
static uint32_t log_run_length(const ki_change_log_chunk *chunk, uint32_t place)
{
    uint64_t flip = ki_change_log_is_loss(chunk, place) ? UINT64_MAX : 0;
    uint32_t end = place;
    while (end < chunk->count) {
        uint64_t storages = (chunk->lost[end / 64] ^ flip) >> end % 64;
        if (storages != 0) {
            return ki_min_u32(end + ki_lowest_bit(storages), chunk->count) - place;
        }
        end = (end / 64 + 1) * 64;
    }
    return chunk->count - place;
}

/* How many of the first entries tell of a loss. */
static uint32_t log_count_lost(const ki_change_log_chunk *chunk, uint32_t place)
{
    uint32_t lost = 0;
    for (uint32_t i = 0; i < place; i++) {
        lost += ki_change_log_is_loss(chunk, i);
    }
    return lost;
}

uint64_t ki_change_log_pending(const ki_change_log *change_log, const kith_tracker *reader)
{
    uint64_t pending = ki_change_log_written(change_log) - ki_change_log_place(reader);
    const ki_change_log_chunk *chunk = reader->chunk;
    while (!reader->rewound && chunk != change_log->last) {
        chunk = chunk->next;
        pending -= chunk->restored;
    }
    return pending;
}

bool ki_change_log_turn(ki_heap *heap, ki_change_log *change_log, kith_tracker *reader)
{
    while (reader->place == reader->chunk->count) {
        if (reader->chunk == change_log->last) {
            return false;
        }
        reader->chunk->readers--;
        reader->chunk = reader->chunk->next;
        reader->chunk->readers++;
        reader->place = reader->rewound ? 0 : reader->chunk->restored;
        reader->lost = log_count_lost(reader->chunk, reader->place);
        log_forget(heap, change_log);
    }
    return true;
}

ki_change_log_run ki_change_log_look(ki_heap *heap, ki_change_log *change_log, kith_tracker *reader)
{
    bool is_there = ki_change_log_turn(heap, change_log, reader);
    KI_ASSERT(is_there);
    (void)is_there;
    const ki_change_log_chunk *chunk = reader->chunk;
    uint32_t place = reader->place;
    bool lost = ki_change_log_is_loss(chunk, place);
    return (ki_change_log_run){
        .entities = chunk->entities + place,
        .values =
            lost && reader->valued ? chunk->values + (size_t)reader->lost * change_log->size : NULL,
        .count = log_run_length(chunk, place),
        .lost = lost};
}

void ki_change_log_step(kith_tracker *reader, const ki_change_log_run *run)
{
    KI_ASSERT(run->count <= reader->chunk->count - reader->place);
    reader->place += run->count;
    reader->lost += run->lost ? run->count : 0;
}

const void *ki_change_log_next_despawned(const ki_change_log *change_log, ki_change_log_scan *scan,
                                         uint64_t end, kith_entity *entity)
{
    for (;;) {
        const ki_change_log_chunk *chunk = scan->chunk;
        if (ki_change_log_scan_is_at(scan, end)) {
            return NULL;
        }
        if (scan->place == chunk->count) {
            *scan = (ki_change_log_scan){.chunk = chunk->next};
            continue;
        }
        uint32_t place = scan->place++;
        uint32_t lost = scan->lost;
        scan->lost += ki_change_log_is_loss(chunk, place);
        if ((chunk->despawned[place / 64] >> place % 64 & 1) != 0) {
            *entity = chunk->entities[place];
            return chunk->values + (size_t)lost * change_log->size;
        }
    }
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* What was written and has no reader makes room. */
static void log_drop_unread(ki_change_log *change_log)
{
    change_log->last->first += change_log->last->count;
    log_wipe_chunk(change_log, change_log->last);
}

kith_result ki_change_log_reserve_slow(ki_heap *heap, ki_change_log *change_log, uint32_t count,
                                       bool lost)
{
    if (change_log->readers == NULL) {
        log_drop_unread(change_log);
        return KITH_OK;
    }
    ki_change_log_chunk *chunk = change_log->last;
    uint64_t room = chunk->limit - chunk->count;
    if (lost && room != 0 && !log_take_values(heap, change_log, chunk)) {
        return KITH_ERR_MEMORY;
    }
    for (; room < count; room += chunk->limit) {
        if (chunk->next == NULL) {
            chunk->next = log_take_chunk(heap, change_log);
            if (chunk->next == NULL) {
                return KITH_ERR_MEMORY;
            }
            change_log->end = chunk->next;
            change_log->spare++;
        }
        chunk = chunk->next;
        if (lost && !log_take_values(heap, change_log, chunk)) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

/* The chunk for the next entries. */
static inline ki_change_log_chunk *log_room(ki_change_log *change_log)
{
    while (change_log->last->count == change_log->last->limit) {
        KI_ASSERT(change_log->spare != 0);
        change_log->last->next->first = ki_change_log_written(change_log);
        change_log->last = change_log->last->next;
        change_log->spare--;
    }
    return change_log->last;
}

void ki_change_log_append_slow(ki_change_log *change_log, const kith_entity *entities,
                               uint32_t count)
{
    if (change_log->readers == NULL) {
        return;
    }
    while (count > 0) {
        ki_change_log_chunk *chunk = log_room(change_log);
        uint32_t step = ki_min_u32(count, chunk->limit - chunk->count);
        memcpy(chunk->entities + chunk->count, entities, step * sizeof *entities);
        chunk->count += step;
        entities += step;
        count -= step;
    }
}

/* Sets the bits of `count` entries from `place` on. */
static void log_mark(uint64_t *words, uint32_t place, uint32_t count)
{
    uint32_t end = place + count;
    while (place < end) {
        uint32_t bits = ki_min_u32(end - place, 64 - place % 64);
        words[place / 64] |= UINT64_MAX >> (64 - bits) << place % 64;
        place += bits;
    }
}

/* Keeps the values of entities that are about to be noted. */
static void log_keep_values(const ki_change_log *change_log, ki_change_log_chunk *chunk,
                            uint32_t count, ki_column *column, const uint32_t *rows)
{
    uint8_t *to = chunk->values + (size_t)chunk->lost_count * change_log->size;
    chunk->lost_count += count;
    if (*change_log->despawning) {
        log_mark(chunk->despawned, chunk->count, count);
    }
    for (uint32_t i = 0; change_log->size != 0 && i < count; i++) {
        if (change_log->hooks != NULL) {
            ki_column_take(column, rows[i], to);
        } else {
            ki_copy_value(to, ki_column_at(column, rows[i]), change_log->size);
        }
        to += change_log->size;
    }
}

void ki_change_log_append_lost(ki_change_log *change_log, const kith_entity *entities,
                               uint32_t count, ki_column *column, const uint32_t *rows)
{
    if (change_log->value_diff != NULL) {
        ki_value_diff_forget(change_log->value_diff, entities, count);
    }
    if (change_log->readers == NULL) {
        return;
    }
    while (count > 0) {
        ki_change_log_chunk *chunk = log_room(change_log);
        uint32_t step = ki_min_u32(count, chunk->limit - chunk->count);
        if (chunk->valued) {
            log_keep_values(change_log, chunk, step, column, rows);
        }
        log_mark(chunk->lost, chunk->count, step);
        ki_change_log_append(change_log, entities, step);
        entities += step;
        rows += step;
        count -= step;
    }
}

void ki_change_log_note_slow(ki_change_log *change_log, kith_entity entity, bool lost,
                             ki_column *column, uint32_t row)
{
    if (lost) {
        ki_change_log_append_lost(change_log, &entity, 1, column, &row);
    } else {
        ki_change_log_append_slow(change_log, &entity, 1);
    }
}
