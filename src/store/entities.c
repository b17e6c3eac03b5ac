#include "store/entities.h"

void ki_entities_init(ki_entities *entities)
{
    *entities = (ki_entities){0};
    ki_column_init(&entities->records, sizeof(ki_record), _Alignof(ki_record));
    ki_column_init_paged(&entities->summary, sizeof(uint64_t), _Alignof(uint64_t), 10);
}

void ki_entities_free(ki_column_context *columns, ki_entities *entities)
{
    ki_column_free(columns, &entities->records);
    ki_column_free(columns, &entities->summary);
}

kith_result ki_entities_reserve_slow(ki_column_context *columns, ki_entities *entities,
                                     uint32_t count)
{
    uint32_t index1 = entities->free_head;
    while (count > 0 && index1 != 0) {
        if (!ki_record_mark(columns, entities, index1 - 1)) {
            return KITH_ERR_MEMORY;
        }
        index1 = ki_record_at(entities, index1 - 1)->row;
        count--;
    }
    if (count == 0) {
        return KITH_OK;
    }
    const bool fits = count <= KI_SLOTS_MAX - entities->slots;
    /* First: a record that there is room for is taken without asking for more. */
    KI_TRY(fits ? ki_entities_reserve_bits(columns, entities, entities->slots + count) : KITH_OK);
    return ki_column_reserve_rows(columns, &entities->records, entities->slots, count);
}

kith_result ki_entities_reserve_bits(ki_column_context *columns, const ki_entities *entities,
                                     uint32_t slots)
{
    ki_column *bits = entities->bits;
    if (bits == NULL || slots == 0) {
        return KITH_OK;
    }
    const uint32_t last = (slots - 1) / KI_BLOCK_ROWS_MAX; /* records come in blocks */
    const uint32_t words = (last + 1) * (KI_BLOCK_ROWS_MAX / 64);
    /* The last page may be a short one, or not be there: then memory ran out for it. */
    uint32_t page = bits->block_count == 0 ? 0 : bits->block_count - 1;
    for (; page << bits->shift < words; page++) {
        uint32_t word = ki_min_u32(page << bits->shift | bits->mask, words - 1);
        KI_TRY(ki_column_reserve_page(columns, bits, word));
    }
    return KITH_OK;
}

uint32_t ki_entities_span(const kith_entity *entities, uint32_t count)
{
    uint32_t first = entities->index1;
    const kith_entity *end = entities + count;
    const kith_entity *next = entities + 1;
    uint32_t wanted = first + 1;
    for (; end - next >= 8; next += 8, wanted += 8) { /* eight at once, as a compiler likes it */
        uint32_t differ = 0;
        for (uint32_t i = 0; i < 8; i++) {
            differ |= next[i].index1 ^ (wanted + i);
        }
        if (differ != 0) {
            break;
        }
    }
    while (next < end && next->index1 == wanted) {
        next++;
        wanted++;
    }
    return wanted - first;
}
