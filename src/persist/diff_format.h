/* The difference of two snapshots as bytes: what is in them, and in which order. docs/snapshots.md has
 * the same for readers elsewhere. Numbers are those of ki_pack_number unless a number of
 * bytes is named. A list ends with a zero where its next item would begin (ki_pack_next).
 *
 *   4 bytes "KTHD", 1 byte KI_DIFF_VERSION
 *   8 bytes   a hash of what the older snapshot has of ticks, random numbers and slots
 *   8 bytes   a hash of all that the difference replaces
 *
 * Or of a saved world, which is the difference to a world that has nothing:
 *
 *   4 bytes "KTHS", 1 byte KI_DIFF_VERSION
 *   8 bytes   ki_hash_bytes of all that follows, from KI_HASH_SEED on
 *
 * And then:
 *
 *   types     their number; each: the length of the name, the name, 8 bytes of ki_packed_type_hash
 *   texts     their number; each: its length, its bytes
 *   numbers   tick, run; 8 bytes of the state of random numbers
 *   systems   each that differs: the length of its name plus one, the name; how many seconds ago it
 *             ran, and was due, 8 bytes each, as doubles; ticks since it ran; whether it is enabled, 0
 *             or 1; 0 ends them
 *   slots     their number; the first free one plus one; a list of slots that differ: its
 *             ki_diff_slot_state, its generation and, of a free slot, the next free one plus one
 *   tables    each: the number of its components plus one, their types, rows; 0 ends them
 *   sparse    each: the type plus one, rows; 0 ends them
 *   slot      each: the type plus one; a list of slots: 0 for one that lost the component, or 1 and,
 *             unless it is a tag, its value; 0 ends them
 *   links     each relation: the type plus one; a list of slots that lead nowhere any more; and those
 *             that lead elsewhere, or come elsewhere in the list of their target: the slot plus one,
 *             and 0: it comes after all, 1: before the one that was named last, or the slot plus 2 of
 *             the one that it comes before; 0 ends them. Of KITH_LINKS the same again, for the second
 *             end. 0 ends all
 *   resources each: the type plus one, 0 if there is none any more, or 1 and its value; 0 ends them
 *   events    each: the type plus one, `keep`, `dropped`, how many are of each run, from the oldest on,
 *             and the value of each; 0 ends them
 *
 *   rows      their number; a list of rows whose entity is another one: its slot. Then for each
 *             component that is no tag a list of rows with another value: the value
 *
 * A value is relative to the one that the same entity had of the component (in the same slot, for
 * KITH_SLOT; of the same resource), or to zeros if it had none.
 *
 * Links are read when values are what they become: these tell the targets. A source is put into the list
 * before another one that is in it, so that lists are whole whatever the bytes are. */
#ifndef KI_PERSIST_DIFF_FORMAT_H
#define KI_PERSIST_DIFF_FORMAT_H

#include <stdint.h>

#include "base/hash.h"
#include "persist/snapshot_parts.h"

#define KI_DIFF_MAGIC "KTHD"
#define KI_SAVE_MAGIC "KTHS"
#define KI_DIFF_MAGIC_BYTES 4u
#define KI_DIFF_VERSION 3u
#define KI_SAVE_HEAD_BYTES (KI_DIFF_MAGIC_BYTES + 1 + 8) /* what is not hashed */

typedef enum ki_diff_slot_state {
    KI_DIFF_FREE,
    KI_DIFF_LIVING,
    KI_DIFF_RETIRED,
    KI_DIFF_NO_SLOT /* does not travel: it is for hashes */
} ki_diff_slot_state;

/* What a view has of a slot. */
typedef struct ki_diff_slot {
    ki_diff_slot_state state;
    uint32_t generation;
    uint32_t next; /* of a free one: the next free one plus one */
} ki_diff_slot;

static inline ki_diff_slot ki_diff_slot_of(const ki_store_view *view, uint32_t index)
{
    const ki_record *record =
        index < view->slots ? ki_column_view_at(&view->entities->columns[0], index) : NULL;
    if (record == NULL) {
        return (ki_diff_slot){.state = KI_DIFF_NO_SLOT};
    }
    ki_diff_slot slot = {.state = KI_DIFF_LIVING, .generation = record->generation};
    if (record->table == KI_DEAD_TABLE) {
        slot.state = KI_DIFF_FREE;
        slot.next = record->row;
    } else if (record->table == KI_RETIRED_TABLE) {
        slot.state = KI_DIFF_RETIRED;
    }
    return slot;
}

static inline uint64_t ki_diff_hash_slot(uint64_t hash, ki_diff_slot slot)
{
    hash = ki_hash_u64(hash, (uint64_t)slot.state << 32 | slot.generation);
    return ki_hash_u64(hash, slot.next);
}

static inline uint64_t ki_diff_hash_entity(uint64_t hash, kith_entity entity)
{
    return ki_hash_u64(hash, (uint64_t)entity.generation << 32 | entity.index1);
}

/* Where a source was. */
static inline uint64_t ki_diff_hash_link(uint64_t hash, ki_link link)
{
    return ki_hash_u64(hash, (uint64_t)link.target1 << 32 | link.next1);
}

/* The first of the two hashes. */
static inline uint64_t ki_diff_hash_begin(const ki_snapshot_numbers *numbers,
                                          const ki_store_view *view)
{
    uint64_t hash = ki_hash_u64(KI_HASH_SEED, numbers->tick);
    hash = ki_hash_u64(hash, numbers->run);
    hash = ki_hash_u64(hash, numbers->random.state);
    hash = ki_hash_u64(hash, (uint64_t)view->slots << 32 | view->empty);
    return ki_hash_u64(hash, (uint64_t)view->retired << 32 | view->free_head);
}

#endif
