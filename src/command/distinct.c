/* Which slots are named; and whether anybody is named twice, where neither slots nor rows ascend: a
 * mark for each slot, if they are not too far apart. */
#include "command/buffer.h"

ki_slots_named ki_commands_slots(const kith_commands *commands)
{
    ki_slots_named named = {.lowest = UINT32_MAX};
    ki_log_walk walk = ki_log_walk_start(commands);
    for (ki_entries entries; ki_log_walk_next(&walk, &entries);) {
        const uint8_t *entry = entries.first;
        for (uint32_t i = ki_entries_make(&entries) ? entries.count : 0; i < entries.count; i++) {
            uint32_t index1 = ki_entry_index1(entry);
            named.lowest = ki_min_u32(index1, named.lowest);
            named.highest = index1 > named.highest ? index1 : named.highest;
            entry += entries.stride;
        }
        named.entries += entries.count;
    }
    return named;
}

/* Marks the slots that are named; false if one is already. */
static bool distinct_mark(const kith_commands *commands, uint32_t lowest, uint64_t *marks)
{
    ki_log_walk walk = ki_log_walk_start(commands);
    for (ki_entries entries; ki_log_walk_next(&walk, &entries);) {
        const uint8_t *entry = entries.first;
        for (uint32_t i = ki_entries_make(&entries) ? entries.count : 0; i < entries.count; i++) {
            uint32_t place = ki_entry_index1(entry) - lowest;
            uint64_t mark = (uint64_t)1 << place % 64;
            if ((marks[place / 64] & mark) != 0) {
                return false;
            }
            marks[place / 64] |= mark;
            entry += entries.stride;
        }
    }
    return true;
}

bool ki_commands_distinct(kith_commands *commands, const ki_slots_named *named)
{
    size_t words = (size_t)(named->highest - named->lowest) / 64 + 1;
    if (words > named->entries + 64) {
        return false;
    }
    ki_heap *heap = &commands->context.heap;
    uint64_t *marks = ki_heap_take_zeroed(heap, words * sizeof *marks, _Alignof(uint64_t));
    bool distinct = marks != NULL && distinct_mark(commands, named->lowest, marks);
    ki_heap_give(heap, marks, words * sizeof *marks, _Alignof(uint64_t));
    return distinct;
}
