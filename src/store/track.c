#include "store/track.h"

static ki_track_chunk *track_take_chunk(ki_heap *heap, ki_track *track)
{
    ki_track_chunk *chunk = ki_heap_take(heap, sizeof *chunk, _Alignof(ki_track_chunk));
    if (chunk != NULL) {
        chunk->next = NULL;
        chunk->count = 0;
        chunk->readers = 0;
        track->chunk_count++;
    }
    return chunk;
}

static void track_give_first(ki_heap *heap, ki_track *track)
{
    ki_track_chunk *chunk = track->first;
    track->first = chunk->next;
    track->chunk_count--;
    ki_heap_give(heap, chunk, sizeof *chunk, _Alignof(ki_track_chunk));
}

ki_track *ki_track_new(ki_heap *heap)
{
    ki_track *track = ki_heap_take_zeroed(heap, sizeof *track, _Alignof(ki_track));
    if (track == NULL) {
        return NULL;
    }
    track->first = track_take_chunk(heap, track);
    if (track->first == NULL) {
        ki_heap_give(heap, track, sizeof *track, _Alignof(ki_track));
        return NULL;
    }
    track->last = track->first;
    track->end = track->first;
    return track;
}

void ki_track_free(ki_heap *heap, ki_track *track)
{
    if (track == NULL) {
        return;
    }
    while (track->readers != NULL) {
        kith_tracker *reader = track->readers;
        track->readers = reader->next;
        ki_heap_give(heap, reader, sizeof *reader, _Alignof(kith_tracker));
    }
    while (track->first != NULL) {
        track_give_first(heap, track);
    }
    ki_heap_give(heap, track, sizeof *track, _Alignof(ki_track));
}

/* Gives back what every reader has read. */
static void track_forget(ki_heap *heap, ki_track *track)
{
    while (track->first != track->last && track->first->readers == 0) {
        track_give_first(heap, track);
    }
}

void ki_track_enter(ki_track *track, kith_tracker *reader)
{
    reader->chunk = track->last;
    reader->place = track->last->count;
    reader->read = track->written;
    track->last->readers++;
    reader->next = track->readers;
    track->readers = reader;
}

void ki_track_leave(ki_heap *heap, ki_track *track, kith_tracker *reader)
{
    kith_tracker **link = &track->readers;
    while (*link != reader) {
        link = &(*link)->next;
    }
    *link = reader->next;
    reader->chunk->readers--;
    track_forget(heap, track);
}

bool ki_track_read(ki_heap *heap, ki_track *track, kith_tracker *reader, kith_change *change)
{
    if (reader->read == track->written) {
        return false;
    }
    if (reader->place == reader->chunk->count) {
        reader->chunk->readers--;
        reader->chunk = reader->chunk->next;
        reader->chunk->readers++;
        reader->place = 0;
        track_forget(heap, track);
    }
    *change = reader->chunk->entries[reader->place++];
    reader->read++;
    return true;
}

kith_result ki_track_reserve(ki_heap *heap, ki_track *track, uint32_t count)
{
    uint64_t room = KI_TRACK_ENTRIES - track->last->count;
    for (room += (uint64_t)track->spare * KI_TRACK_ENTRIES; room < count;
         room += KI_TRACK_ENTRIES) {
        track->end->next = track_take_chunk(heap, track);
        if (track->end->next == NULL) {
            return KITH_ERR_MEMORY;
        }
        track->end = track->end->next;
        track->spare++;
    }
    return KITH_OK;
}

void ki_track_trim(ki_heap *heap, ki_track *track)
{
    for (; track->spare != 0; track->spare--) {
        ki_track_chunk *chunk = track->last->next;
        track->last->next = chunk->next;
        track->chunk_count--;
        ki_heap_give(heap, chunk, sizeof *chunk, _Alignof(ki_track_chunk));
    }
    track->end = track->last;
}

size_t ki_track_kept(const ki_track *track)
{
    uint64_t read = track == NULL ? 0 : track->written;
    for (const kith_tracker *reader = track == NULL ? NULL : track->readers; reader != NULL;
         reader = reader->next) {
        read = reader->read < read ? reader->read : read;
    }
    return track == NULL ? 0 : (size_t)(track->written - read) * sizeof(kith_change);
}

void ki_track_append(ki_track *track, kith_entity entity, kith_change_kind kind)
{
    if (track->last->count == KI_TRACK_ENTRIES) {
        KI_ASSERT(track->spare != 0);
        track->last = track->last->next;
        track->spare--;
    }
    track->last->entries[track->last->count++] = (kith_change){entity, kind};
    track->written++;
}

KI_RARE const char *ki_track_check(const ki_track *track)
{
    if (track->pending != 0) {
        return "a track expects changes outside of a call";
    }
    uint64_t behind = 0; /* entries up to and with the chunk at hand, counted from the first */
    uint32_t chunks = 0;
    bool past_last = false;
    uint64_t kept = 0;
    for (const ki_track_chunk *chunk = track->first; chunk != NULL; chunk = chunk->next) {
        kept += chunk->count;
    }
    for (const ki_track_chunk *chunk = track->first; chunk != NULL; chunk = chunk->next) {
        chunks++;
        if (past_last ? chunk->count != 0
                      : chunk != track->last && chunk->count != KI_TRACK_ENTRIES) {
            return "a track's chunks are not filled one after another";
        }
        past_last = past_last || chunk == track->last;
        uint32_t readers = 0;
        for (const kith_tracker *reader = track->readers; reader != NULL; reader = reader->next) {
            if (reader->chunk != chunk) {
                continue;
            }
            readers++;
            if (track->written - reader->read != kept - behind - reader->place) {
                return "a tracker stands elsewhere than it has read";
            }
        }
        if (readers != chunk->readers) {
            return "a track's chunk has another number of readers";
        }
        behind += chunk->count;
    }
    return chunks == track->chunk_count && track->end->next == NULL ? NULL
                                                                    : "a track has lost a chunk";
}
