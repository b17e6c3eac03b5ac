/* The hashes of a world: kith_world_hash of all that later steps can depend on, kith_content_hash
 * of what the world says. What has no order of its own (tables, entities) is summed, so that none
 * is needed. */
#include <string.h>

#include "base/hash.h"
#include "inspect/inspect.h"

/* Texts by their bytes: the numbers tell in which order they were interned. */
static uint64_t hash_texts(uint64_t hash, const ki_texts *texts, const char *bytes, uint32_t size)
{
    for (uint32_t at = 0; at < size; at += (uint32_t)sizeof(kith_text)) {
        kith_text text;
        memcpy(&text, bytes + at, sizeof text);
        const ki_text *known = ki_texts_at(texts, text.number);
        hash = ki_hash_u64(hash, known == NULL ? text.number : known->hash);
    }
    return hash;
}

/* A value by its fields, so that padding has no say, nor what only hooks know; or as its hook says. */
static uint64_t hash_value(uint64_t hash, const kith_world *world, const kith_type *type,
                           const ki_hooks *hooks, const void *value)
{
    if (hooks != NULL && hooks->calls.hash != NULL) {
        return ki_hash_u64(hash, ki_hooks_hash(hooks, value));
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        const char *bytes = (const char *)value + field->offset;
        if (field->kind == KITH_TEXT) {
            hash = hash_texts(hash, &world->texts, bytes, field->size);
        } else if (field->kind != KITH_PADDING && field->kind != KITH_OPAQUE) {
            hash = ki_hash_bytes(hash, bytes, field->size);
        }
    }
    return hash;
}

static uint64_t hash_entity(uint64_t hash, kith_entity entity)
{
    return ki_hash_u64(hash, (uint64_t)entity.index1 << 32 | entity.generation);
}

KI_RARE static uint64_t hash_type(uint64_t hash, const kith_type *type)
{
    hash = ki_hash_text(hash, type->name);
    hash = ki_hash_u64(hash, (uint64_t)type->version << 32 | type->size);
    hash = ki_hash_u64(hash, (uint64_t)type->align << 32 | type->field_count);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        hash = ki_hash_text(hash, field->name == NULL ? "" : field->name);
        hash = ki_hash_u64(hash, (uint64_t)field->offset << 32 | field->size);
        hash = ki_hash_u64(hash, (uint64_t)field->kind);
    }
    return hash;
}

static uint64_t hash_rows(uint64_t hash, const kith_world *world, const kith_type *type,
                          const ki_column *column, uint32_t count)
{
    for (uint32_t row = 0; column->size != 0 && row < count; row++) {
        hash = hash_value(hash, world, type, column->hooks, ki_column_at(column, row));
    }
    return hash;
}

static uint64_t hash_handles(uint64_t hash, const ki_column *entities, uint32_t count)
{
    hash = ki_hash_u64(hash, count);
    for (uint32_t row = 0; row < count; row++) {
        hash = hash_entity(hash, *(const kith_entity *)ki_column_at(entities, row));
    }
    return hash;
}

KI_RARE static uint64_t hash_registry(uint64_t hash, const ki_entities *entities)
{
    hash = ki_hash_u64(hash, (uint64_t)entities->slots << 32 | entities->free_head);
    for (uint32_t index = 0; index < entities->slots; index++) {
        const ki_record *record = ki_record_at(entities, index);
        bool dead = record->table >= KI_RETIRED_TABLE;
        hash = ki_hash_u64(hash, (uint64_t)record->generation << 32 | (dead ? record->row + 1 : 0));
        hash = ki_hash_u64(hash, dead ? record->table : 0);
    }
    return hash;
}

static uint64_t hash_table(const kith_world *world, const ki_table *table)
{
    uint64_t hash = KI_HASH_SEED;
    for (uint32_t i = 0; i < table->column_count; i++) {
        hash = ki_hash_u64(hash, table->ids[i]);
    }
    hash = hash_handles(hash, &table->entities, table->row_count);
    for (uint32_t i = 0; i < table->column_count; i++) {
        const kith_type *type = ki_store_component(&world->store, table->ids[i])->type;
        hash = hash_rows(hash, world, type, &table->columns[i], table->row_count);
    }
    return hash;
}

KI_RARE static uint64_t hash_slots(uint64_t hash, const kith_world *world,
                                   const ki_component *component)
{
    const ki_slots *slots = &component->in.slots;
    hash = ki_hash_u64(hash, slots->count);
    for (uint32_t index = ki_slots_next(slots, 0, UINT32_MAX); index != UINT32_MAX;
         index = ki_slots_next(slots, index + 1, UINT32_MAX)) {
        hash = ki_hash_u64(hash, index);
        if (slots->values.size != 0) {
            hash = hash_value(hash, world, component->type, component->hooks,
                              ki_column_at(&slots->values, index));
        }
    }
    return hash;
}

KI_RARE static uint64_t hash_components(uint64_t hash, const kith_world *world)
{
    const ki_store *store = &world->store;
    for (uint32_t i = 0; i < store->component_count; i++) {
        const ki_component *component = store->components[i];
        hash = ki_hash_u64(hash_type(hash, component->type), (uint64_t)component->layout);
        if (component->layout == KITH_SPARSE) {
            const ki_sparse *set = &component->in.sparse;
            hash = hash_handles(hash, &set->entities, set->count);
            hash = hash_rows(hash, world, component->type, &set->values, set->count);
        } else if (component->layout == KITH_SLOT) {
            hash = hash_slots(hash, world, component);
        }
    }
    return hash;
}

KI_RARE static uint64_t hash_resources(uint64_t hash, const kith_world *world)
{
    hash = ki_hash_u64(hash, world->resource_count);
    for (uint32_t i = 0; i < world->resource_count; i++) {
        const ki_kept *resource = world->resources[i];
        hash = hash_type(hash, resource->type);
        hash = hash_value(hash, world, resource->type, resource->values.hooks,
                          ki_column_at(&resource->values, 0));
    }
    return hash;
}

/* Queues are summed: the order in which types were first sent decides nothing. */
static uint64_t hash_events(const kith_world *world)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->queue_count; i++) {
        const ki_queue *queue = (const ki_queue *)world->queues[i];
        uint64_t hash = hash_type(ki_hash_u64(KI_HASH_SEED, queue->keep), queue->kept.type);
        hash = ki_hash_u64(hash, queue->dropped);
        for (uint64_t age = 0; age < ki_queue_ring(queue); age++) {
            hash = ki_hash_u64(hash, queue->sent[(world->tick + age) % ki_queue_ring(queue)]);
        }
        for (uint32_t row = queue->head; queue->kept.values.size != 0 && row < queue->count;
             row++) {
            hash = hash_value(hash, world, queue->kept.type, queue->kept.values.hooks,
                              ki_column_at(&queue->kept.values, row));
        }
        sum += hash;
    }
    return sum;
}

KI_RARE uint64_t kith_world_hash(const kith_world *world)
{
    KI_REQUIRE_OPEN(world, "kith_world_hash", 0);
    const ki_store *store = &world->store;
    uint64_t tables = 0;
    for (uint32_t id = 0; id < store->table_slots; id++) {
        if (store->tables[id] != NULL && store->tables[id]->row_count != 0) {
            tables += hash_table(world, store->tables[id]);
        }
    }
    uint64_t hash = hash_registry(KI_HASH_SEED, &store->entities);
    hash = ki_hash_u64(hash, tables);
    hash = hash_components(hash, world);
    hash = hash_resources(hash, world);
    hash = ki_hash_u64(hash, hash_events(world));
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        if (world->parts[part].calls != NULL) {
            hash = world->parts[part].calls->hash(hash, world->parts[part].data);
        }
    }
    return ki_hash_u64(hash, world->tick);
}

KI_RARE uint64_t kith_content_hash(const kith_world *world)
{
    KI_REQUIRE_OPEN(world, "kith_content_hash", 0);
    const ki_store *store = &world->store;
    uint64_t sum = 0;
    for (uint32_t index = 0; index < store->entities.slots; index++) {
        const ki_record *record = ki_record_at(&store->entities, index);
        if (record->table >= KI_RETIRED_TABLE) {
            continue;
        }
        uint64_t own = hash_entity(KI_HASH_SEED, ki_entity_at(&store->entities, index));
        sum += own;
        for (uint32_t i = 0; i < store->component_count; i++) {
            const ki_component *component = store->components[i];
            const void *value = ki_store_value(store, component, index, record);
            if (value != NULL) {
                sum += hash_value(ki_hash_text(own, component->type->name), world, component->type,
                                  component->hooks, value);
            }
        }
    }
    return hash_resources(sum, world);
}
