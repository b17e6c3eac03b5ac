/* A type whose hooks may run in several threads at a time: a number of its own, and a handle. */
#ifndef KITH_TEST_NOTE_H
#define KITH_TEST_NOTE_H

#include <kith/kith.h>
#include <stdatomic.h>

typedef struct Note {
    uint32_t *number;
    kith_entity about;
} Note;
KITH_TYPE(Note, KITH_FIELD(Note, number, KITH_OPAQUE), KITH_FIELD(Note, about));

/* All of them. `init` writes 7. */
extern const kith_hooks note_hooks;

/* Values that live, in all worlds. */
extern atomic_uint notes_live;

#endif
