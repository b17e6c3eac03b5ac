#include "store/log_state.h"

/* Where a reader that is rewound was. */
typedef struct log_reader {
    uint64_t number; /* the reader's */
    uint32_t chunk;  /* index among the copies */
    uint32_t place;
    uint32_t lost;
} log_reader;

struct ki_log_state {
    const ki_component *component;
    ki_change_log_chunk *unread; /* copies, from the first that such a reader was in to the last */
    log_reader *readers;
    uint32_t reader_count;
};

struct ki_log_ready {
    ki_component *component;
    const ki_log_state *taken;   /* NULL: there was no log, or none of its readers is left */
    ki_change_log_chunk *unread; /* copies of those in `taken` */
    ki_change_log_chunk *difference; /* what trackers are told; NULL: nothing */
    ki_change_log_chunk *told;       /* its last chunk */
    ki_change_log_chunk *next;       /* for what comes then, if that needs another kind of chunk */
};

/* What chunks of a component's log are freed by, which may have ended before them. */
static ki_change_log log_kind(const ki_component *component)
{
    return (ki_change_log){
        .size = component->type->size, .align = component->type->align, .hooks = component->hooks};
}

/* ---- Copies of chunks ------------------------------------------------------------------------ */

static void log_free_copies(ki_heap *heap, const ki_change_log *change_log,
                            ki_change_log_chunk **first)
{
    while (*first != NULL) {
        ki_change_log_chunk *chunk = *first;
        *first = chunk->next;
        ki_change_log_free_chunk(heap, change_log, chunk);
    }
}

/* Copies the values that a chunk holds, from the first that was not destroyed on. */
static kith_result log_copy_values(ki_heap *heap, const ki_change_log *change_log,
                                   const ki_change_log_chunk *from, ki_change_log_chunk *to)
{
    size_t size = change_log->size;
    to->values = ki_heap_alloc(heap, (size_t)to->room * size, change_log->align);
    if (to->values == NULL) {
        return KITH_ERR_MEMORY;
    }
    size_t first = from->ended * size;
    uint32_t count = from->lost_count - from->ended;
    if (change_log->hooks == NULL) {
        memcpy(to->values + first, from->values + first, count * size);
        return KITH_OK;
    }
    return count == 0
               ? KITH_OK
               : ki_hooks_copy(change_log->hooks, to->values + first, from->values + first, count);
}

/* Copies a chunk, with its entries from `place` on. */
static kith_result log_copy_chunk(ki_heap *heap, const ki_change_log *change_log,
                                  const ki_change_log_chunk *from, uint32_t place,
                                  ki_change_log_chunk **copy)
{
    ki_change_log_chunk *chunk = ki_heap_alloc(heap, sizeof *chunk, _Alignof(ki_change_log_chunk));
    if (chunk == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(chunk, from, offsetof(ki_change_log_chunk, entities));
    memcpy(chunk->entities + place, from->entities + place,
           (from->count - place) * sizeof *from->entities);
    memcpy(chunk->despawned, from->despawned, sizeof chunk->despawned);
    chunk->room = from->room;
    chunk->restored = from->count;
    chunk->next = NULL;
    chunk->readers = 0;
    chunk->values = NULL;
    if (from->values != NULL) {
        kith_result result = log_copy_values(heap, change_log, from, chunk);
        if (result != KITH_OK) {
            chunk->ended = chunk->lost_count; /* there are none to destroy */
            ki_change_log_free_chunk(heap, change_log, chunk);
            return result;
        }
    }
    *copy = chunk;
    return KITH_OK;
}

/* Copies a list of chunks, the first with its entries from `place` on. */
static kith_result log_copy_chunks(ki_heap *heap, const ki_change_log *change_log,
                                   const ki_change_log_chunk *from, const ki_change_log_chunk *last,
                                   uint32_t place, ki_change_log_chunk **copies)
{
    ki_change_log_chunk **link = copies;
    *copies = NULL;
    for (const ki_change_log_chunk *chunk = from; chunk != NULL; chunk = chunk->next) {
        kith_result result = log_copy_chunk(heap, change_log, chunk, place, link);
        if (result != KITH_OK) {
            log_free_copies(heap, change_log, copies);
            return result;
        }
        link = &(*link)->next;
        place = 0;
        if (chunk == last) {
            break; /* spare ones come after it */
        }
    }
    return KITH_OK;
}

/* Drops copied values that no reader is left for. */
static void log_drop_copied_values(ki_heap *heap, const ki_change_log *change_log,
                                   ki_change_log_chunk *chunk)
{
    for (; chunk != NULL && change_log->valued == 0; chunk = chunk->next) {
        if (change_log->hooks != NULL && chunk->values != NULL) {
            ki_hooks_destroy(change_log->hooks,
                             chunk->values + (size_t)chunk->ended * change_log->size,
                             chunk->lost_count - chunk->ended);
        }
        ki_heap_free(heap, chunk->values, (size_t)chunk->room * change_log->size,
                     change_log->align);
        memset(chunk->despawned, 0, sizeof chunk->despawned);
        chunk->values = NULL;
        chunk->valued = false;
        chunk->lost_count = 0;
        chunk->ended = 0;
    }
}

/* ---- Taking ---------------------------------------------------------------------------------- */

static void log_free_taken(ki_heap *heap, ki_log_state *taken)
{
    const ki_change_log kind = log_kind(taken->component);
    log_free_copies(heap, &kind, &taken->unread);
    ki_heap_free(heap, taken->readers, taken->reader_count * sizeof *taken->readers,
                 _Alignof(log_reader));
}

static uint32_t log_count_rewound(const ki_change_log *change_log)
{
    uint32_t count = 0;
    for (const kith_tracker *reader = change_log->readers; reader != NULL; reader = reader->next) {
        count += reader->rewound;
    }
    return count;
}

/* Where the slowest reader that is rewound is in a chunk; UINT32_MAX: none is in it. */
static uint32_t log_slowest(const ki_change_log *change_log, const ki_change_log_chunk *chunk)
{
    uint32_t place = UINT32_MAX;
    for (const kith_tracker *reader = change_log->readers; reader != NULL; reader = reader->next) {
        if (reader->rewound && reader->chunk == chunk) {
            place = ki_min_u32(place, reader->place);
        }
    }
    return place;
}

static void log_note_readers(const ki_change_log *change_log, const ki_change_log_chunk *first,
                             ki_log_state *taken)
{
    uint32_t count = 0;
    for (const kith_tracker *reader = change_log->readers; reader != NULL; reader = reader->next) {
        if (!reader->rewound) {
            continue;
        }
        uint32_t index = 0;
        for (const ki_change_log_chunk *chunk = first; chunk != reader->chunk;
             chunk = chunk->next) {
            index++;
        }
        taken->readers[count++] = (log_reader){
            .number = reader->number, .chunk = index, .place = reader->place, .lost = reader->lost};
    }
}

static kith_result log_take(ki_heap *heap, const ki_component *component, ki_log_state *taken)
{
    const ki_change_log *change_log = component->change_log;
    uint32_t count = log_count_rewound(change_log);
    const ki_change_log_chunk *first = change_log->first;
    while (log_slowest(change_log, first) == UINT32_MAX) {
        first = first->next;
    }
    *taken = (ki_log_state){.component = component};
    taken->readers = ki_heap_alloc(heap, count * sizeof *taken->readers, _Alignof(log_reader));
    if (taken->readers == NULL) {
        return KITH_ERR_MEMORY;
    }
    taken->reader_count = count;
    kith_result result = log_copy_chunks(heap, change_log, first, change_log->last,
                                         log_slowest(change_log, first), &taken->unread);
    if (result != KITH_OK) {
        log_free_taken(heap, taken);
        return result;
    }
    log_note_readers(change_log, first, taken);
    return KITH_OK;
}

void ki_logs_free_taken(ki_store *store, ki_logs_state *taken)
{
    ki_heap *heap = &store->context.heap;
    for (uint32_t i = 0; i < taken->count; i++) {
        log_free_taken(heap, &taken->logs[i]);
    }
    ki_heap_free(heap, taken->logs, taken->capacity * sizeof *taken->logs, _Alignof(max_align_t));
    *taken = (ki_logs_state){0};
}

kith_result ki_logs_take(ki_store *store, ki_logs_state *taken)
{
    ki_heap *heap = &store->context.heap;
    *taken = (ki_logs_state){0};
    kith_result result = ki_heap_grow(heap, &taken->logs, &taken->capacity, store->log_count,
                                      sizeof *taken->logs, 1);
    for (uint32_t i = 0; i < store->log_count && result == KITH_OK; i++) {
        const ki_component *component = store->logged[i];
        if (!component->transient && log_count_rewound(component->change_log) != 0) {
            result = log_take(heap, component, &taken->logs[taken->count]);
            taken->count += result == KITH_OK;
        }
    }
    if (result != KITH_OK) {
        ki_logs_free_taken(store, taken);
    }
    return result;
}

/* ---- Restoring ------------------------------------------------------------------------------- */

/* What was taken of a component's log; NULL: nothing. The search goes on after the last one that was
 * found, `*at`, since logs are nearly always in the same order. */
static const ki_log_state *log_find_taken(const ki_logs_state *taken, const ki_component *component,
                                          uint32_t *at)
{
    for (uint32_t i = 0; i < taken->count; i++) {
        *at = *at + 1 < taken->count ? *at + 1 : 0;
        if (taken->logs[*at].component->type == component->type) { /* a fork has its own */
            return &taken->logs[*at];
        }
    }
    return NULL;
}

/* Where a reader was at the take; NULL: it was not there, or is not rewound. Readers are asked for in
 * the order of the log, the last made first: `*next` goes on from one call to the next. */
static const log_reader *log_find_reader(const ki_log_state *taken, const kith_tracker *reader,
                                         uint32_t *next)
{
    if (!reader->rewound) {
        return NULL;
    }
    while (taken != NULL && *next < taken->reader_count &&
           taken->readers[*next].number > reader->number) {
        ++*next;
    }
    return taken != NULL && *next < taken->reader_count &&
                   taken->readers[*next].number == reader->number
               ? &taken->readers[*next]
               : NULL;
}

/* The living entity in a slot if it has a component; otherwise KITH_NONE. */
static kith_entity log_holder(const ki_store *store, const ki_component *component, uint32_t index)
{
    const ki_record *record =
        index < store->entities.slots ? ki_record_at(&store->entities, index) : NULL;
    return record != NULL && record->table < KI_RETIRED_TABLE &&
                   ki_store_has(store, component, index, record)
               ? ki_entity_at(&store->entities, index)
               : KITH_NONE;
}

/* Adds an entry to the difference. */
static kith_result log_tell(ki_heap *heap, ki_log_ready *ready, kith_entity entity, bool lost)
{
    ki_change_log_chunk *chunk = ready->told;
    if (chunk == NULL || chunk->count == KI_CHANGE_LOG_ENTRIES) {
        chunk = ki_change_log_new_chunk(heap, ready->component->change_log);
        if (chunk == NULL) {
            return KITH_ERR_MEMORY;
        }
        chunk->limit = KI_CHANGE_LOG_ENTRIES;
        chunk->valued = false;
        *(ready->told == NULL ? &ready->difference : &ready->told->next) = chunk;
        ready->told = chunk;
    }
    chunk->entities[chunk->count] = entity;
    chunk->lost[chunk->count / 64] |= (uint64_t)lost << chunk->count % 64;
    chunk->count++;
    return KITH_OK;
}

/* The first slot from `slot` on that may have a component, or lack it, other than in a view: the block
 * that tells of it is another one. UINT32_MAX: there is none. */
static uint32_t log_next_other(const ki_store *store, const ki_store_view *view,
                               const ki_component *component, uint32_t slot)
{
    if (component->layout == KITH_TABLE) {
        return ki_column_view_next_other(&store->entities.records, &view->entities->columns[0],
                                         slot);
    }
    const ki_storage_view *was = ki_store_view_other(view, component->other);
    const ki_column_view *index = was == NULL ? NULL : &was->columns[0];
    if (component->layout == KITH_SPARSE) {
        return ki_column_view_next_other(&component->in.sparse.index, index, slot);
    }
    const uint32_t word = ki_column_view_next_other(&component->in.slots.bits, index, slot / 64);
    return word == UINT32_MAX ? UINT32_MAX : word == slot / 64 ? slot : word * 64;
}

/* Finds the difference for trackers, by slot: which entities lose the component, and which get it. */
static kith_result log_tell_all(ki_store *store, const ki_store_view *view, ki_log_ready *ready)
{
    ki_heap *heap = &store->context.heap;
    const uint32_t slots =
        view->slots > store->entities.slots ? view->slots : store->entities.slots;
    for (uint32_t index = log_next_other(store, view, ready->component, 0); index < slots;
         index = log_next_other(store, view, ready->component, index + 1)) {
        kith_entity was = log_holder(store, ready->component, index);
        kith_entity becomes = ki_store_view_holder(store, view, ready->component, index);
        if (kith_entity_equal(was, becomes)) {
            continue;
        }
        KI_TRY(was.index1 == 0 ? KITH_OK : log_tell(heap, ready, was, true));
        KI_TRY(becomes.index1 == 0 ? KITH_OK : log_tell(heap, ready, becomes, false));
    }
    return KITH_OK;
}

static kith_result log_reserve(ki_store *store, const ki_logs_state *taken,
                               const ki_store_view *view, uint32_t *at, ki_log_ready *ready)
{
    ki_heap *heap = &store->context.heap;
    const ki_change_log *change_log = ready->component->change_log;
    const ki_log_state *was = log_find_taken(taken, ready->component, at);
    bool tells = false;
    uint32_t next = 0;
    for (const kith_tracker *reader = change_log->readers; reader != NULL; reader = reader->next) {
        tells = tells || !reader->rewound;
        ready->taken = log_find_reader(was, reader, &next) != NULL ? was : ready->taken;
    }
    KI_TRY(tells ? log_tell_all(store, view, ready) : KITH_OK);
    if (ready->taken != NULL) {
        const ki_change_log_chunk *first = was->unread;
        uint32_t place = first->count;
        for (uint32_t i = 0; i < was->reader_count; i++) {
            place = was->readers[i].chunk == 0 ? ki_min_u32(place, was->readers[i].place) : place;
        }
        KI_TRY(log_copy_chunks(heap, change_log, first, NULL, place, &ready->unread));
        log_drop_copied_values(heap, change_log, ready->unread);
    }
    ready->next = ki_change_log_new_chunk(heap, change_log);
    return ready->next == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

kith_result ki_logs_reserve(ki_store *store, const ki_logs_state *taken, const ki_store_view *view,
                            ki_logs_ready *ready)
{
    ki_heap *heap = &store->context.heap;
    *ready = (ki_logs_ready){0};
    if (store->log_count == 0) {
        return KITH_OK;
    }
    ready->logs =
        ki_heap_alloc_zeroed(heap, store->log_count * sizeof *ready->logs, _Alignof(max_align_t));
    if (ready->logs == NULL) {
        return KITH_ERR_MEMORY;
    }
    ready->count = store->log_count;
    for (uint32_t i = 0; i < ready->count; i++) {
        ready->logs[i].component = store->logged[i];
    }
    uint32_t at = taken->count - 1;
    for (uint32_t i = 0; i < ready->count; i++) {
        kith_result result = log_reserve(store, taken, view, &at, &ready->logs[i]);
        if (result != KITH_OK) {
            ki_logs_free_ready(store, ready);
            return result;
        }
    }
    return KITH_OK;
}

void ki_logs_free_ready(ki_store *store, ki_logs_ready *ready)
{
    ki_heap *heap = &store->context.heap;
    for (uint32_t i = 0; i < ready->count; i++) {
        ki_log_ready *log = &ready->logs[i];
        const ki_change_log kind = log_kind(log->component);
        log_free_copies(heap, &kind, &log->unread);
        log_free_copies(heap, &kind, &log->difference);
        log_free_copies(heap, &kind, &log->next);
    }
    ki_heap_free(heap, ready->logs, ready->count * sizeof *ready->logs, _Alignof(max_align_t));
    *ready = (ki_logs_ready){0};
}

/* Adds chunks at the end of a log, without spare ones. What is at the end now ends there. */
static void log_link(ki_change_log *change_log, ki_change_log_chunk *chunk)
{
    while (chunk != NULL) {
        chunk->first = ki_change_log_written(change_log);
        change_log->last->limit = change_log->last->count;
        change_log->last->next = chunk;
        change_log->last = chunk;
        change_log->end = chunk;
        change_log->chunk_count++;
        chunk = chunk->next;
    }
}

/* Puts a reader that is rewound where it was at the take, or after all that there is. */
static void log_rewind(const ki_log_ready *ready, ki_change_log_chunk *unread, uint32_t *next,
                       kith_tracker *reader)
{
    const ki_change_log *change_log = ready->component->change_log;
    const log_reader *was = log_find_reader(ready->taken, reader, next);
    ki_change_log_chunk *chunk = was == NULL ? change_log->last : unread;
    for (uint32_t i = 0; was != NULL && i < was->chunk; i++) {
        chunk = chunk->next;
    }
    reader->chunk->readers--;
    chunk->readers++;
    reader->chunk = chunk;
    reader->place = was == NULL ? chunk->count : was->place;
    reader->lost = was == NULL ? chunk->lost_count : was->lost;
}

static void log_restore(ki_store *store, ki_log_ready *ready)
{
    ki_heap *heap = &store->context.heap;
    ki_change_log *change_log = ready->component->change_log;
    ki_change_log_chunk *unread = ready->unread;
    ki_change_log_trim(heap, change_log);
    log_link(change_log, ready->difference);
    log_link(change_log, unread);
    ready->difference = NULL;
    ready->unread = NULL;
    if (change_log->last->valued != (change_log->valued != 0)) {
        log_link(change_log, ready->next);
        ready->next = NULL;
    }
    uint32_t next = 0;
    for (kith_tracker *reader = change_log->readers; reader != NULL; reader = reader->next) {
        if (reader->rewound) {
            log_rewind(ready, unread, &next, reader);
        }
    }
    ki_change_log_settle(change_log);
    ki_change_log_forget(heap, change_log);
}

void ki_logs_restore(ki_store *store, ki_logs_ready *ready)
{
    for (uint32_t i = 0; i < ready->count; i++) {
        log_restore(store, &ready->logs[i]);
    }
    ki_logs_free_ready(store, ready);
}
