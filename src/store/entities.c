#include "store/entities.h"

KI_RARE void ki_entities_init(ki_entities *entities)
{
    *entities = (ki_entities){0};
    ki_column_init(&entities->records, sizeof(ki_record), _Alignof(ki_record));
    ki_column_init_paged(&entities->lanes, sizeof(uint64_t), _Alignof(uint64_t), 10);
}

void ki_entities_free(ki_space *space, ki_entities *entities)
{
    ki_column_free(space, &entities->records);
    ki_column_free(space, &entities->lanes);
}

kith_result ki_entities_reserve_slow(ki_space *space, ki_entities *entities, uint32_t count)
{
    uint32_t index1 = entities->free_head;
    while (count > 0 && index1 != 0) {
        if (!ki_record_touch(space, entities, index1 - 1)) {
            return KITH_ERR_MEMORY;
        }
        index1 = ki_record_at(entities, index1 - 1)->row;
        count--;
    }
    if (KI_LIKELY(count == 0)) {
        return KITH_OK;
    }
    if (count > KI_SLOTS_MAX - entities->slots) {
        return KITH_ERR_LIMIT;
    }
    uint32_t slots = entities->slots + count;
    KI_TRY(ki_column_reserve(space, &entities->records, slots));
    for (uint64_t row = entities->slots; row < slots;
         row = ki_column_block_end(&entities->records, (uint32_t)row)) {
        if (!ki_record_touch(space, entities, (uint32_t)row)) {
            return KITH_ERR_MEMORY;
        }
        entities->ready_slots = (uint32_t)ki_column_block_end(&entities->records, (uint32_t)row);
    }
    entities->ready_slots = ki_min_u32(entities->ready_slots, entities->records.capacity);
    entities->ready_stamp = space->now;
    return KITH_OK;
}

KI_RARE const char *ki_entities_check(const ki_space *space, const ki_entities *entities)
{
    const char *wrong = ki_column_check(space, &entities->records);
    wrong = wrong != NULL ? wrong : ki_column_check(space, &entities->lanes);
    if (wrong != NULL) {
        return wrong;
    }
    if (entities->slots > entities->records.capacity) {
        return "there are more slots than records";
    }
    uint32_t alive = 0;
    uint32_t dead = 0;
    uint32_t retired = 0;
    for (uint32_t index = 0; index < entities->slots; index++) {
        uint32_t table = ki_record_at(entities, index)->table;
        alive += table < KI_RETIRED_TABLE;
        dead += table == KI_DEAD_TABLE;
        retired += table == KI_RETIRED_TABLE;
        if (table >= KI_RETIRED_TABLE && ki_lanes_at(entities, index) != 0) {
            return "a dead slot has components";
        }
    }
    if (alive != entities->alive || retired != entities->retired) {
        return "the number of living or of retired slots is wrong";
    }
    uint32_t listed = 0;
    for (uint32_t index1 = entities->free_head; index1 != 0; listed++) {
        if (index1 > entities->slots || listed > dead ||
            ki_record_at(entities, index1 - 1)->table != KI_DEAD_TABLE) {
            return "the list of free slots leads to one that is not free";
        }
        index1 = ki_record_at(entities, index1 - 1)->row;
    }
    return listed == dead ? NULL : "a free slot is not in the list of free slots";
}
