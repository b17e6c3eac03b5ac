#include "command/handles.h"

#include "command/entries.h"

static void handle_replace(uint8_t *place, const ki_handle_change *change)
{
    kith_entity entity;
    memcpy(&entity, place, sizeof entity);
    if (!ki_is_provisional(entity)) {
        return;
    }
    uint32_t number = ki_spawn_number(entity);
    if (change->spawned == NULL) {
        entity.generation = change->tag << 24 | (number + change->base);
    } else if (entity.generation >> 24 == change->tag && number - 1 < change->count) {
        entity = change->spawned[number - 1].real;
    }
    memcpy(place, &entity, sizeof entity);
}

void ki_handles_replace_in(const kith_type *type, uint8_t *value, const ki_handle_change *change)
{
    KI_EACH_HANDLE (place, type) {
        handle_replace(value + place, change);
    }
}

static void handles_in_entries(const kith_commands *commands, const ki_entries *entries,
                               const ki_handle_change *change)
{
    uint8_t *end = entries->first + (size_t)entries->count * entries->stride;
    for (uint8_t *entry = entries->first; ki_entry_head(entries->ops) != 0 && entry < end;
         entry += entries->stride) {
        handle_replace(entry, change);
    }
    ki_value_scan scan = ki_value_scan_start(entries->ops, entries->op_count);
    const ki_component *component;
    while ((component = ki_value_scan_next(commands, &scan)) != NULL) {
        bool has = component->has_handles && component->hooks == NULL;
        for (uint8_t *entry = entries->first; has && entry < end; entry += entries->stride) {
            ki_handles_replace_in(component->type, entry + scan.place, change);
        }
    }
}

static void handles_in_owned(const ki_owned_values *values, const ki_handle_change *change)
{
    for (const ki_owned_value *owned = values->first; owned != NULL; owned = owned->next) {
        if (owned->component != NULL && !owned->of_the_world) {
            ki_handles_replace_in(owned->component->type, ki_owned_value_bytes(owned), change);
        }
    }
}

void ki_handles_replace(const kith_commands *commands, const ki_handle_change *change)
{
    ki_log_scan scan = ki_log_scan_start(commands);
    for (ki_entries entries; ki_log_scan_next(&scan, &entries);) {
        handles_in_entries(scan.commands, &entries, change);
    }
    for (const kith_commands *part = commands; part != NULL; part = part->more) {
        handles_in_owned(&part->owned, change);
        handles_in_owned(&part->cloned, change);
    }
}
