#include "index/reader.h"

#include "index/refresh.h"
#include "store/disabled.h"

/* Makes room for readers; those that are there keep their answers' memory. */
static kith_result readers_reserve(kith_index *index, uint32_t count)
{
    if (count <= index->reader_count) {
        return KITH_OK;
    }
    ki_heap *heap = ki_index_heap(index);
    kith_index *readers = ki_heap_alloc_zeroed(heap, count * sizeof *readers, _Alignof(kith_index));
    if (readers == NULL) {
        return ki_without_message(heap, KITH_ERR_MEMORY);
    }
    for (uint32_t i = 0; i < index->reader_count; i++) {
        readers[i] = index->readers[i];
    }
    ki_heap_free(heap, index->readers, index->reader_count * sizeof *readers, _Alignof(kith_index));
    index->readers = readers;
    index->reader_count = count;
    return KITH_OK;
}

static bool reader_begin(ki_askable *askable)
{
    return ki_index_refresh_begin((kith_index *)askable);
}

static void reader_work(ki_askable *askable)
{
    ki_index_refresh_work((kith_index *)askable);
}

static kith_result reader_end(ki_askable *askable)
{
    return ki_index_refresh_end((kith_index *)askable);
}

static kith_result reader_prepare(ki_askable *askable, uint32_t threads)
{
    kith_index *index = (kith_index *)askable;
    KI_TRY(ki_index_refresh(index));
    ki_disabled_refresh(ki_index_store(index)); /* for queries that filter what is found */
    KI_TRY(readers_reserve(index, threads));
    for (uint32_t i = 0; i < threads; i++) {
        kith_index copy = *index;
        copy.found = index->readers[i].found;
        copy.found_capacity = index->readers[i].found_capacity;
        index->readers[i] = copy;
    }
    return KITH_OK;
}

static void reader_lend(ki_askable *askable, uint32_t thread, const void *key)
{
    KI_STORE(&((kith_index *)askable)->readers[thread].reads_for, key);
}

void ki_index_make_askable(kith_index *index)
{
    index->askable.begin = reader_begin;
    index->askable.work = reader_work;
    index->askable.end = reader_end;
    index->askable.prepare = reader_prepare;
    index->askable.lend = reader_lend;
}

void ki_index_free_readers(kith_index *index)
{
    ki_heap *heap = ki_index_heap(index);
    for (uint32_t i = 0; i < index->reader_count; i++) {
        const kith_index *reader = &index->readers[i];
        ki_heap_free(heap, reader->found, reader->found_capacity * sizeof *reader->found,
                     _Alignof(max_align_t));
    }
    ki_heap_free(heap, index->readers, index->reader_count * sizeof *index->readers,
                 _Alignof(kith_index));
}

size_t ki_index_readers_bytes(const kith_index *index)
{
    size_t bytes = index->reader_count * sizeof *index->readers;
    for (uint32_t i = 0; i < index->reader_count; i++) {
        bytes += index->readers[i].found_capacity * sizeof *index->found;
    }
    return bytes;
}

/* The reader of what the thread runs, which may not use the world itself. */
static kith_result ask_as_system(kith_index **index, const ki_inside *inside, const char *call)
{
    for (uint32_t i = 0; i < (*index)->reader_count; i++) {
        kith_index *reader = &(*index)->readers[i];
        if (KI_LOAD(&reader->reads_for) == inside->key) { /* others come and go meanwhile */
            *index = reader;
            return KITH_OK;
        }
    }
    return ki_misuse(inside->context,
                     "%s: called from within query system \"%s\", which does not declare the index"
                     " of %s: .indexes = KITH_INDEXES(...) in its definition, in C++"
                     " kith::named(...).indexes(...)",
                     call, inside->name, (*index)->component->type->name);
}

kith_result ki_index_ask(kith_index **index, const char *call)
{
    if (*index != NULL) {
        const ki_inside *inside = ki_context_inside(ki_world_context((*index)->askable.world));
        if (inside != NULL && inside->key != NULL) {
            return ask_as_system(index, inside, call);
        }
    }
    KI_TRY(ki_index_require(*index, call));
    return ki_index_refresh(*index);
}
