#include "inspect/block_hash.h"

#include "store/block.h"

/* What is hashed of one block. */
typedef struct block_part {
    const ki_hasher *by; /* of values; else NULL */
    const ki_column *column;
    const ki_slots *slots; /* that the column is of; or NULL */
    uint32_t first;        /* of the rows */
    uint32_t count;
} block_part;

/* The end of the block that the rows are in; NULL: it is not shared, is another world's, or has no
 * memory. */
static ki_block_tail *block_shared_tail(const ki_column *column, uint32_t row)
{
    const ki_block *block = &column->blocks[row >> column->shift];
    return (block->stamp & KI_SHARED) == 0 || block->data == NULL || ki_block_is_borrowed(block)
               ? NULL
               : ki_block_tail_of(column, block->data, ki_block_rows(column));
}

/* The hash of a part of a block, as it is kept or made by `make`. `as` says what it depends on besides
 * the bytes of the block; 0: on something that may change. */
static uint64_t block_hash(ki_hashing *hashing, const block_part *part, uint64_t as,
                           uint64_t (*make)(const block_part *part))
{
    ki_block_tail *tail = as != 0 ? block_shared_tail(part->column, part->first) : NULL;
    const bool kept = tail != NULL && tail->hashed_as == as;
    if (kept != hashing->checks) {
        return kept ? tail->hash : 0;
    }
    const uint64_t hash = make(part);
    if (kept) {
        hashing->wrong = hashing->wrong || hash != tail->hash;
    } else if (tail != NULL) {
        tail->hash = hash;
        tail->hashed_as = as;
    }
    return hash;
}

/* ---- Rows ---------------------------------------------------------------------------------------- */

static uint64_t hash_block_values(const block_part *part)
{
    const ki_hasher *by = part->by;
    if (by->plain) {
        return ki_hash_fields(KI_HASH_SEED, by->type->fields, by->type->field_count,
                              ki_column_at(part->column, part->first),
                              (size_t)part->count * part->column->size);
    }
    uint64_t hash = KI_HASH_SEED;
    for (uint32_t i = 0; i < part->count; i++) {
        hash = ki_hash_value(hash, by, ki_column_at(part->column, part->first + i));
    }
    return hash;
}

static uint64_t hash_block_handles(const block_part *part)
{
    static const kith_field handle = {.size = sizeof(kith_entity), .kind = KITH_ENTITY};
    return ki_hash_fields(KI_HASH_SEED, &handle, 1, ki_column_at(part->column, part->first),
                          (size_t)part->count * sizeof(kith_entity));
}

/* Hashes each slot by itself, so that none waits for the one before. A slot's number and that of the
 * next free slot are both small: without the multiplication, two orders of free slots could have one
 * sum. */
static uint64_t hash_block_records(const block_part *part)
{
    uint64_t sum = 0;
    for (uint32_t index = part->first; index < part->first + part->count; index++) {
        const ki_record *record = ki_column_at(part->column, index);
        bool dead = record->table >= KI_RETIRED_TABLE;
        uint64_t slot = ki_hash_u64(index * KI_HASH_SEED, (uint64_t)record->generation << 32 |
                                                              (dead ? record->row + 1 : 0));
        sum += dead ? ki_hash_u64(slot, record->table) : slot;
    }
    return sum;
}

/* Sums what `make` tells of the blocks of the first `count` rows; each with its place if `placed`. */
static uint64_t sum_blocks(ki_hashing *hashing, block_part part, uint32_t count, bool placed,
                           uint64_t (*make)(const block_part *part))
{
    uint64_t sum = 0;
    for (uint32_t row = 0; row < count; row += part.count) {
        part.first = row;
        part.count = ki_column_run(part.column, row, count - row);
        const uint64_t hash = block_hash(hashing, &part, part.count, make);
        sum += placed ? ki_hash_u64(hash, row) : hash;
    }
    return sum;
}

uint64_t ki_hash_rows(ki_hashing *hashing, const ki_hasher *by, const ki_column *column,
                      uint32_t count)
{
    const block_part part = {.by = by, .column = column};
    return column->size == 0 ? 0 : sum_blocks(hashing, part, count, true, hash_block_values);
}

uint64_t ki_hash_handles(ki_hashing *hashing, const ki_column *entities, uint32_t count)
{
    const block_part part = {.column = entities};
    return ki_hash_u64(sum_blocks(hashing, part, count, true, hash_block_handles), count);
}

uint64_t ki_hash_records(ki_hashing *hashing, const ki_entities *entities)
{
    const block_part part = {.column = &entities->records};
    return sum_blocks(hashing, part, entities->slots, false, hash_block_records);
}

/* Which source is the first of a slot, and which comes after it as a source. The rest follows from these
 * and from the values. */
static uint64_t hash_block_links(const block_part *part)
{
    uint64_t sum = 0;
    for (uint32_t index = part->first; index < part->first + part->count; index++) {
        const ki_link *link = ki_column_at(part->column, index);
        if ((link->first1 | link->next1) != 0) {
            sum += ki_hash_u64(index * KI_HASH_SEED, (uint64_t)link->first1 << 32 | link->next1);
        }
    }
    return sum;
}

uint64_t ki_hash_links(ki_hashing *hashing, const ki_relation *relation)
{
    block_part part = {.column = &relation->links};
    const uint32_t rows = part.column->capacity;
    uint64_t sum = 0;
    for (uint32_t row = 0; row < rows; row += part.count) {
        part.first = row;
        part.count = ki_column_run(part.column, row, rows - row); /* the only page may be small */
        if (ki_column_has_page(part.column, row)) {
            sum += block_hash(hashing, &part, 1, hash_block_links);
        }
    }
    return sum;
}

/* ---- Slots --------------------------------------------------------------------------------------- */

/* The slots of a page that have the component, and their values. */
static uint64_t hash_page(const block_part *part)
{
    uint64_t hash = KI_HASH_SEED;
    const uint32_t end = part->first + part->count;
    for (uint32_t index = ki_slots_next(part->slots, part->first, end); index != end;
         index = ki_slots_next(part->slots, index + 1, end)) {
        hash = ki_hash_value(ki_hash_u64(hash, index), part->by, ki_column_at(part->column, index));
    }
    return hash;
}

/* When the bits of a slot and its neighbours were written; 0: they may be written at that time still. */
static uint64_t slots_bits_time(const ki_slots *slots, uint32_t index)
{
    const uint64_t stamp = slots->bits.blocks[index / 64 >> slots->bits.shift].stamp;
    return (stamp & KI_SHARED) == 0 ? 0 : stamp & ~KI_STAMP_FLAGS;
}

/* A page in which no slot has the component counts like one that is missing. */
static uint64_t hash_slot_values(ki_hashing *hashing, const ki_hasher *by, const ki_slots *slots)
{
    uint64_t sum = 0;
    uint64_t end;
    for (uint32_t index = ki_slots_next(slots, 0, UINT32_MAX); index != UINT32_MAX;
         index = ki_slots_next(slots, (uint32_t)end, UINT32_MAX)) {
        end = ki_column_block_end(&slots->values, index);
        end = end < UINT32_MAX ? end : UINT32_MAX;
        block_part part = {.by = by, .column = &slots->values, .slots = slots};
        part.first = index & ~slots->values.mask;
        part.count = (uint32_t)end - part.first;
        sum += block_hash(hashing, &part, slots_bits_time(slots, index), hash_page);
    }
    return sum;
}

/* Which slots have a tag. */
static uint64_t hash_slot_bits(const ki_slots *slots)
{
    uint64_t sum = 0;
    for (uint32_t index = ki_slots_next(slots, 0, UINT32_MAX); index != UINT32_MAX;
         index = ki_slots_next(slots, (index | 63) + 1, UINT32_MAX)) {
        uint64_t bits = ki_slots_word(slots, index / 64);
        sum += ki_hash_u64(ki_hash_u64(KI_HASH_SEED, index / 64), bits);
    }
    return sum;
}

uint64_t ki_hash_slots(ki_hashing *hashing, const ki_component *component)
{
    const ki_slots *slots = &component->in.slots;
    const ki_hasher by = ki_hasher_of(hashing->world, component->type, component->hooks);
    uint64_t sum =
        slots->values.size == 0 ? hash_slot_bits(slots) : hash_slot_values(hashing, &by, slots);
    return ki_hash_u64(sum, slots->count);
}
