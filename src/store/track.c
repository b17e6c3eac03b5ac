#include "store/track.h"

#include "store/hooks.h"
#include "store/seen.h"

/* ---- Chunks ---------------------------------------------------------------------------------- */

/* How many entries a chunk is good for. */
static uint32_t track_limit(const ki_track *track)
{
    if (track->valued == 0) {
        return KI_TRACK_ENTRIES;
    }
    uint32_t values = KI_TRACK_VALUES / track->size;
    return values == 0 ? 1 : ki_min_u32(values, KI_TRACK_ENTRIES);
}

static ki_track_chunk *track_take_chunk(ki_heap *heap, ki_track *track)
{
    ki_track_chunk *chunk = ki_heap_take(heap, sizeof *chunk, _Alignof(ki_track_chunk));
    if (chunk != NULL) {
        memset(chunk, 0, offsetof(ki_track_chunk, entities));
        chunk->limit = track_limit(track);
        chunk->valued = track->valued != 0;
        track->chunk_count++;
    }
    return chunk;
}

static bool track_take_values(ki_heap *heap, const ki_track *track, ki_track_chunk *chunk)
{
    if (chunk->valued && chunk->values == NULL) {
        chunk->values = ki_heap_take(heap, (size_t)chunk->limit * track->size, track->align);
        return chunk->values != NULL;
    }
    return true;
}

/* Ends the values of a chunk that stand before a place. */
static void track_end_values(const ki_track *track, ki_track_chunk *chunk, uint32_t place)
{
    if (track->hooks != NULL && place > chunk->ended) {
        ki_hooks_destroy(track->hooks, chunk->values + (size_t)chunk->ended * track->size,
                         place - chunk->ended);
        chunk->ended = place;
    }
}

/* Takes out entries that nobody will read any more. */
static void track_wipe_chunk(const ki_track *track, ki_track_chunk *chunk)
{
    track_end_values(track, chunk, chunk->lost_count);
    memset(chunk->lost, 0, sizeof chunk->lost);
    chunk->count = 0;
    chunk->lost_count = 0;
    chunk->ended = 0;
}

static void track_empty_chunk(const ki_track *track, ki_track_chunk *chunk)
{
    track_wipe_chunk(track, chunk);
    chunk->limit = chunk->valued ? chunk->limit : KI_TRACK_ENTRIES; /* it may have been cut short */
    chunk->next = NULL;
}

static void track_give_values(ki_heap *heap, const ki_track *track, ki_track_chunk *chunk)
{
    ki_heap_give(heap, chunk->values, (size_t)chunk->limit * track->size, track->align);
    chunk->values = NULL;
}

static void track_give_chunk(ki_heap *heap, ki_track *track, ki_track_chunk *chunk)
{
    track->chunk_count--;
    track_give_values(heap, track, chunk);
    ki_heap_give(heap, chunk, sizeof *chunk, _Alignof(ki_track_chunk));
}

static void track_give_spare(ki_heap *heap, ki_track *track, uint32_t keep)
{
    while (track->spare > keep) {
        ki_track_chunk *chunk = track->last->next;
        track->last->next = chunk->next;
        track->end = chunk == track->end ? track->last : track->end;
        track->spare--;
        track_give_chunk(heap, track, chunk);
    }
}

void ki_track_trim(ki_heap *heap, ki_track *track)
{
    track_give_spare(heap, track, 0);
    track->keep = 0;
}

/* Chunks that every reader has read are kept for what comes: as many as were needed from one time that
 * all was read to the next, and half of those that were kept before. */
static void track_forget(ki_heap *heap, ki_track *track)
{
    bool any = false;
    while (track->first != track->last && track->first->readers == 0) {
        ki_track_chunk *chunk = track->first;
        track->first = chunk->next;
        track_empty_chunk(track, chunk);
        any = true;
        if (chunk->valued != (track->valued != 0)) {
            track_give_chunk(heap, track, chunk);
            continue;
        }
        track->end->next = chunk;
        track->end = chunk;
        track->spare++;
        track->passed++;
    }
    if (any && track->first == track->last) {
        track->keep = track->passed > track->keep / 2 ? track->passed : track->keep / 2;
        track->passed = 0;
        track_give_spare(heap, track, track->keep);
    }
}

/* ---- Coming and going ------------------------------------------------------------------------ */

ki_track *ki_track_new(ki_heap *heap, uint32_t size, uint32_t align, const ki_hooks *hooks)
{
    ki_track *track = ki_heap_take_zeroed(heap, sizeof *track, _Alignof(ki_track));
    if (track == NULL) {
        return NULL;
    }
    track->size = size;
    track->align = align;
    track->hooks = hooks;
    track->first = track_take_chunk(heap, track);
    if (track->first == NULL) {
        ki_heap_give(heap, track, sizeof *track, _Alignof(ki_track));
        return NULL;
    }
    track->last = track->first;
    track->end = track->first;
    return track;
}

void ki_tracker_give(ki_heap *heap, kith_tracker *tracker)
{
    if (tracker->holder != NULL) {
        *tracker->holder = NULL;
    }
    ki_heap_give(heap, tracker, sizeof *tracker, _Alignof(kith_tracker));
}

void ki_track_end_values(ki_track *track)
{
    for (ki_track_chunk *chunk = track->first; chunk != NULL; chunk = chunk->next) {
        track_end_values(track, chunk, chunk->lost_count);
    }
}

void ki_track_free(ki_heap *heap, ki_track *track)
{
    if (track == NULL) {
        return;
    }
    while (track->readers != NULL) {
        kith_tracker *reader = track->readers;
        track->readers = reader->next;
        ki_tracker_give(heap, reader);
    }
    while (track->first != NULL) {
        ki_track_chunk *chunk = track->first;
        track->first = chunk->next;
        track_empty_chunk(track, chunk);
        track_give_chunk(heap, track, chunk);
    }
    ki_heap_give(heap, track, sizeof *track, _Alignof(ki_track));
}

/* Has the next entry begin a chunk, which keeps values if anybody wants them. */
static kith_result track_begin_chunk(ki_heap *heap, ki_track *track)
{
    ki_track_chunk *chunk = track_take_chunk(heap, track);
    if (chunk == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_track_trim(heap, track);
    chunk->first = ki_track_written(track);
    track->last->limit = track->last->count;
    track->last->next = chunk;
    track->last = chunk;
    track->end = chunk;
    track_forget(heap, track);
    return KITH_OK;
}

static void track_place(ki_track *track, kith_tracker *reader)
{
    reader->chunk = track->last;
    reader->place = track->last->count;
    reader->lost = track->last->lost_count;
    track->last->readers++;
}

void ki_track_settle(const ki_track *track)
{
    bool waits = track->hooks == NULL;
    for (ki_track_chunk *chunk = track->first; !waits; chunk = chunk->next) {
        uint32_t told = chunk->lost_count;
        for (const kith_tracker *reader = track->readers; reader != NULL; reader = reader->next) {
            if (reader->valued && reader->chunk == chunk) {
                told = ki_min_u32(told, reader->lost);
                waits = true;
            }
        }
        track_end_values(track, chunk, told);
        waits = waits || chunk == track->last;
    }
}

/* Keeps values no more, and ends those that were kept. */
static void track_drop_values(ki_heap *heap, ki_track *track)
{
    ki_track_trim(heap, track);
    ki_track_settle(track);
    for (ki_track_chunk *chunk = track->first; chunk != NULL; chunk = chunk->next) {
        track_give_values(heap, track, chunk);
        chunk->valued = false;
        chunk->lost_count = 0;
        chunk->ended = 0;
    }
    track->last->limit = KI_TRACK_ENTRIES;
}

kith_result ki_track_enter(ki_heap *heap, ki_track *track, kith_tracker *reader)
{
    track->valued += reader->valued;
    if (reader->valued && track->valued == 1 && track_begin_chunk(heap, track) != KITH_OK) {
        track->valued--;
        return KITH_ERR_MEMORY;
    }
    track_place(track, reader);
    reader->next = track->readers;
    if (reader->next != NULL) {
        reader->next->previous = reader;
    }
    track->readers = reader;
    return KITH_OK;
}

/* Whether there is a reader that wants values and has read no more than one that has left. */
static bool track_has_other_as_slow(const ki_track *track, const kith_tracker *reader)
{
    const kith_tracker *other = track->readers;
    while (other != NULL &&
           !(other->valued && ki_track_place(other) <= ki_track_place(reader))) {
        other = other->next;
    }
    return other != NULL;
}

void ki_track_leave(ki_heap *heap, ki_track *track, kith_tracker *reader)
{
    if (reader->previous != NULL) {
        reader->previous->next = reader->next;
    } else {
        track->readers = reader->next;
    }
    if (reader->next != NULL) {
        reader->next->previous = reader->previous;
    }
    reader->chunk->readers--;
    if (reader->valued && --track->valued == 0) {
        track_drop_values(heap, track);
    } else if (reader->valued && track->hooks != NULL &&
               !track_has_other_as_slow(track, reader)) {
        ki_track_settle(track);
    }
    track_forget(heap, track);
}

/* ---- Reading --------------------------------------------------------------------------------- */

void ki_track_pass(ki_heap *heap, ki_track *track, kith_tracker *reader)
{
    reader->chunk->readers--;
    track_place(track, reader);
    track_forget(heap, track);
}

/* How many entries from `place` on are of the kind of the first. */
static uint32_t track_run_length(const ki_track_chunk *chunk, uint32_t place)
{
    uint64_t flip = ki_track_is_loss(chunk, place) ? UINT64_MAX : 0;
    uint32_t end = place;
    while (end < chunk->count) {
        uint64_t others = (chunk->lost[end / 64] ^ flip) >> end % 64;
        if (others != 0) {
            return ki_min_u32(end + ki_lowest_bit(others), chunk->count) - place;
        }
        end = (end / 64 + 1) * 64;
    }
    return chunk->count - place;
}

bool ki_track_turn(ki_heap *heap, ki_track *track, kith_tracker *reader)
{
    while (reader->place == reader->chunk->count) {
        if (reader->chunk == track->last) {
            return false;
        }
        reader->chunk->readers--;
        reader->chunk = reader->chunk->next;
        reader->chunk->readers++;
        reader->place = 0;
        reader->lost = 0;
        track_forget(heap, track);
    }
    return true;
}

ki_track_run ki_track_look(ki_heap *heap, ki_track *track, kith_tracker *reader)
{
    bool is_there = ki_track_turn(heap, track, reader);
    KI_ASSERT(is_there);
    (void)is_there;
    const ki_track_chunk *chunk = reader->chunk;
    uint32_t place = reader->place;
    bool lost = ki_track_is_loss(chunk, place);
    return (ki_track_run){.entities = chunk->entities + place,
                          .values = lost && reader->valued
                                        ? chunk->values + (size_t)reader->lost * track->size
                                        : NULL,
                          .count = track_run_length(chunk, place),
                          .lost = lost};
}

void ki_track_step(kith_tracker *reader, const ki_track_run *run)
{
    KI_ASSERT(run->count <= reader->chunk->count - reader->place);
    reader->place += run->count;
    reader->lost += run->lost ? run->count : 0;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* What was written and has no reader makes room. */
static void track_drop_unread(ki_track *track)
{
    track->last->first += track->last->count;
    track_wipe_chunk(track, track->last);
}

kith_result ki_track_reserve_slow(ki_heap *heap, ki_track *track, uint32_t count, bool lost)
{
    if (track->readers == NULL) {
        track_drop_unread(track);
        return KITH_OK;
    }
    ki_track_chunk *chunk = track->last;
    uint64_t room = chunk->limit - chunk->count;
    if (lost && room != 0 && !track_take_values(heap, track, chunk)) {
        return KITH_ERR_MEMORY;
    }
    for (; room < count; room += chunk->limit) {
        if (chunk->next == NULL) {
            chunk->next = track_take_chunk(heap, track);
            if (chunk->next == NULL) {
                return KITH_ERR_MEMORY;
            }
            track->end = chunk->next;
            track->spare++;
        }
        chunk = chunk->next;
        if (lost && !track_take_values(heap, track, chunk)) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

/* The chunk for the next entries. */
static inline ki_track_chunk *track_room(ki_track *track)
{
    while (KI_UNLIKELY(track->last->count == track->last->limit)) {
        KI_ASSERT(track->spare != 0);
        track->last->next->first = ki_track_written(track);
        track->last = track->last->next;
        track->spare--;
    }
    return track->last;
}

void ki_track_append_slow(ki_track *track, const kith_entity *entities, uint32_t count)
{
    if (track->readers == NULL) {
        return;
    }
    while (count > 0) {
        ki_track_chunk *chunk = track_room(track);
        uint32_t step = ki_min_u32(count, chunk->limit - chunk->count);
        memcpy(chunk->entities + chunk->count, entities, step * sizeof *entities);
        chunk->count += step;
        entities += step;
        count -= step;
    }
}

/* Sets the bits of `count` entries from `place` on. */
static void track_mark_lost(ki_track_chunk *chunk, uint32_t place, uint32_t count)
{
    uint32_t end = place + count;
    while (place < end) {
        uint32_t bits = ki_min_u32(end - place, 64 - place % 64);
        chunk->lost[place / 64] |= UINT64_MAX >> (64 - bits) << place % 64;
        place += bits;
    }
}

/* Keeps the values of entities that are about to be noted. */
static void track_keep_values(const ki_track *track, ki_track_chunk *chunk, uint32_t count,
                              ki_column *column, const uint32_t *rows)
{
    uint8_t *to = chunk->values + (size_t)chunk->lost_count * track->size;
    chunk->lost_count += count;
    for (uint32_t i = 0; i < count; i++) {
        if (track->hooks != NULL) {
            ki_column_take(column, rows[i], to);
        } else {
            ki_copy_value(to, ki_column_at(column, rows[i]), track->size);
        }
        to += track->size;
    }
}

void ki_track_append_lost(ki_track *track, const kith_entity *entities, uint32_t count,
                          ki_column *column, const uint32_t *rows)
{
    if (KI_UNLIKELY(track->exact != NULL)) {
        ki_exact_forget(track->exact, entities, count);
    }
    if (track->readers == NULL) {
        return;
    }
    while (count > 0) {
        ki_track_chunk *chunk = track_room(track);
        uint32_t step = ki_min_u32(count, chunk->limit - chunk->count);
        if (KI_UNLIKELY(chunk->valued)) {
            track_keep_values(track, chunk, step, column, rows);
        }
        track_mark_lost(chunk, chunk->count, step);
        ki_track_append(track, entities, step);
        entities += step;
        rows += step;
        count -= step;
    }
}
