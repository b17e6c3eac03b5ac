#include "note.h"

#include <stdlib.h>

#include "test.h"

atomic_uint notes_live;

static void note_make(Note *note, uint32_t number, kith_entity about)
{
    *note = (Note){malloc(sizeof(uint32_t)), about};
    CHECK_PTR_NOT_NULL(note->number);
    *note->number = number;
    notes_live++;
}

static kith_result note_init(void *values, uint32_t count, void *user)
{
    (void)user;
    for (uint32_t i = 0; i < count; i++) {
        note_make((Note *)values + i, 7, KITH_NONE);
    }
    return KITH_OK;
}

static kith_result note_copy(void *to, const void *from, uint32_t count, void *user)
{
    (void)user;
    const Note *notes = from;
    for (uint32_t i = 0; i < count; i++) {
        note_make((Note *)to + i, *notes[i].number, notes[i].about);
    }
    return KITH_OK;
}

static void note_destroy(void *values, uint32_t count, void *user)
{
    (void)user;
    for (uint32_t i = 0; i < count; i++) {
        free(((Note *)values + i)->number);
        notes_live--;
    }
}

static uint64_t note_hash(const void *value, void *user)
{
    (void)user;
    const Note *note = value;
    return (uint64_t)*note->number << 32 ^ note->about.index1 ^
           (uint64_t)note->about.generation << 16;
}

const kith_hooks note_hooks = {
    .init = note_init, .copy = note_copy, .destroy = note_destroy, .hash = note_hash};
