/* The hashes of a world: kith_world_hash covers everything that later steps can depend on,
 * kith_content_hash what the world says. Whatever has no order of its own (tables, columns,
 * components, queues) is summed, each hashed with the name of its type. */
#include <string.h>

#include "base/hash.h"
#include "inspect/inspect.h"

/* Hashes texts by their bytes: their numbers depend on the order in which they were interned. */
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

/* How to hash values of a type: by its hook, or by its fields, without padding and KITH_OPAQUE. */
typedef struct hasher {
    const kith_world *world;
    const kith_type *type;
    const ki_hooks *hooks; /* NULL unless they hash */
    bool plain;            /* every byte of a value is hashed as it is */
} hasher;

/* On machines with the highest byte first, numbers are hashed with the lowest byte first. */
static uint64_t hash_fields(uint64_t hash, const kith_field *fields, uint32_t count,
                            const void *values, size_t bytes)
{
    return KI_BIG_ENDIAN ? ki_hash_swapped(hash, fields, count, values, bytes)
                         : ki_hash_bytes(hash, values, bytes);
}

static bool is_plain(const kith_field *field)
{
    return field->kind != KITH_TEXT && field->kind != KITH_PADDING && field->kind != KITH_OPAQUE;
}

static hasher hasher_of(const kith_world *world, const kith_type *type, const ki_hooks *hooks)
{
    hasher by = {.world = world, .type = type};
    by.hooks = hooks != NULL && hooks->calls.hash != NULL ? hooks : NULL;
    uint32_t end = 0; /* of the fields so far that have no gap between them */
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        end += is_plain(field) && field->offset == end ? field->size : 0;
    }
    by.plain = by.hooks == NULL && end == type->size;
    return by;
}

static uint64_t hash_value(uint64_t hash, const hasher *by, const void *value)
{
    if (by->plain) {
        return hash_fields(hash, by->type->fields, by->type->field_count, value, by->type->size);
    }
    if (by->hooks != NULL) {
        return ki_hash_u64(hash, ki_hooks_hash(by->hooks, value));
    }
    for (uint32_t i = 0; i < by->type->field_count; i++) {
        const kith_field *field = &by->type->fields[i];
        const char *bytes = (const char *)value + field->offset;
        if (field->kind == KITH_TEXT) {
            hash = hash_texts(hash, by->world->texts, bytes, field->size);
        } else if (is_plain(field)) {
            hash = hash_fields(hash, field, 1, bytes, field->size);
        }
    }
    return hash;
}

static uint64_t hash_entity(uint64_t hash, kith_entity entity)
{
    return ki_hash_u64(hash, (uint64_t)entity.index1 << 32 | entity.generation);
}

/* The alignment that a type has where numbers of 8 bytes are aligned to 8; on 32-bit x86 it is 4. */
static uint32_t hash_align(const kith_type *type)
{
    bool wide = type->size % 8 == 0 && type->align == 4;
    for (uint32_t i = 0; wide && i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if ((field->kind == KITH_F64 || field->kind == KITH_I64 || field->kind == KITH_U64) &&
            field->offset % 8 == 0) {
            return 8;
        }
    }
    return type->align;
}

static uint64_t hash_type(uint64_t hash, const kith_type *type)
{
    hash = ki_hash_text(hash, type->name);
    hash = ki_hash_u64(hash, (uint64_t)type->version << 32 | type->size);
    hash = ki_hash_u64(hash, (uint64_t)hash_align(type) << 32 | type->field_count);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        hash = ki_hash_text(hash, field->name == NULL ? "" : field->name);
        hash = ki_hash_u64(hash, (uint64_t)field->offset << 32 | field->size);
        hash = ki_hash_u64(hash, (uint64_t)field->kind);
    }
    return hash;
}

/* Adds the hash of a block to those of the others. They are summed, so that a block that did not change
 * need not be hashed again. */
static uint64_t add_block(uint64_t sum, uint64_t hash, uint32_t first)
{
    return sum + ki_hash_u64(hash, first);
}

/* The values of `count` rows of one block. */
static uint64_t hash_block(const hasher *by, const ki_column *column, uint32_t first,
                           uint32_t count)
{
    if (by->plain) {
        return hash_fields(KI_HASH_SEED, by->type->fields, by->type->field_count,
                           ki_column_at(column, first), (size_t)count * column->size);
    }
    uint64_t hash = KI_HASH_SEED;
    for (uint32_t i = 0; i < count; i++) {
        hash = hash_value(hash, by, ki_column_at(column, first + i));
    }
    return hash;
}

/* The values of the first `count` rows. */
static uint64_t hash_rows(const hasher *by, const ki_column *column, uint32_t count)
{
    uint64_t sum = 0;
    uint32_t run;
    for (uint32_t row = 0; column->size != 0 && row < count; row += run) {
        run = ki_column_run(column, row, count - row);
        sum = add_block(sum, hash_block(by, column, row, run), row);
    }
    return sum;
}

/* The entities of the first `count` rows. */
static uint64_t hash_handles(const ki_column *entities, uint32_t count)
{
    static const kith_field handle = {.size = sizeof(kith_entity), .kind = KITH_ENTITY};
    uint64_t sum = 0;
    uint32_t run;
    for (uint32_t row = 0; row < count; row += run) {
        run = ki_column_run(entities, row, count - row);
        sum = add_block(sum,
                        hash_fields(KI_HASH_SEED, &handle, 1, ki_column_at(entities, row),
                                    (size_t)run * sizeof(kith_entity)),
                        row);
    }
    return ki_hash_u64(sum, count);
}

/* Hashes each slot by itself, so that none waits for the one before. A slot's number and that of
 * the next free slot are both small: without the multiplication, two orders of free slots could
 * have one sum. */
static uint64_t hash_registry(uint64_t hash, const ki_entities *entities)
{
    uint64_t sum = 0;
    for (uint32_t index = 0; index < entities->slots; index++) {
        const ki_record *record = ki_record_at(entities, index);
        bool dead = record->table >= KI_RETIRED_TABLE;
        uint64_t slot = ki_hash_u64(index * KI_HASH_SEED, (uint64_t)record->generation << 32 |
                                                              (dead ? record->row + 1 : 0));
        sum += dead ? ki_hash_u64(slot, record->table) : slot;
    }
    hash = ki_hash_u64(hash, (uint64_t)entities->slots << 32 | entities->free_head);
    return ki_hash_u64(hash, sum);
}

static uint64_t hash_table(const kith_world *world, const ki_table *table)
{
    uint64_t columns = 0;
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        const ki_column *column = &table->rows.columns[i];
        const kith_type *type = ki_store_component(&world->store, table->ids[i])->type;
        hasher by = hasher_of(world, type, column->hooks);
        columns += ki_hash_u64(ki_hash_text(KI_HASH_SEED, type->name),
                               hash_rows(&by, column, table->rows.count));
    }
    return ki_hash_u64(hash_handles(&table->rows.entities, table->rows.count), columns);
}

/* The slots from `first` to `end` that have the component, and their values. */
static uint64_t hash_page(const hasher *by, const ki_slots *slots, uint32_t first, uint32_t end)
{
    uint64_t hash = KI_HASH_SEED;
    for (uint32_t index = ki_slots_next(slots, first, end); index != end;
         index = ki_slots_next(slots, index + 1, end)) {
        hash = hash_value(ki_hash_u64(hash, index), by, ki_column_at(&slots->values, index));
    }
    return hash;
}

/* A page in which no slot has the component counts like one that is missing. */
static uint64_t hash_slot_values(const hasher *by, const ki_slots *slots)
{
    uint64_t sum = 0;
    uint64_t end;
    for (uint32_t index = ki_slots_next(slots, 0, UINT32_MAX); index != UINT32_MAX;
         index = ki_slots_next(slots, (uint32_t)end, UINT32_MAX)) {
        uint32_t first = index & ~slots->values.mask;
        end = ki_column_block_end(&slots->values, index);
        end = end < UINT32_MAX ? end : UINT32_MAX;
        sum += hash_page(by, slots, first, (uint32_t)end);
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

static uint64_t hash_slots(const kith_world *world, const ki_component *component)
{
    const ki_slots *slots = &component->in.slots;
    hasher by = hasher_of(world, component->type, component->hooks);
    uint64_t sum = slots->values.size == 0 ? hash_slot_bits(slots) : hash_slot_values(&by, slots);
    return ki_hash_u64(sum, slots->count);
}

static uint64_t hash_component(const kith_world *world, const ki_component *component)
{
    uint64_t hash = hash_type(KI_HASH_SEED, component->type);
    hash = ki_hash_u64(hash, (uint64_t)component->layout);
    if (component->layout == KITH_SPARSE) {
        const ki_sparse *set = &component->in.sparse;
        hasher by = hasher_of(world, component->type, set->values.hooks);
        hash = ki_hash_u64(hash, hash_handles(&set->rows.entities, set->rows.count));
        hash = ki_hash_u64(hash, hash_rows(&by, &set->values, set->rows.count));
    } else if (component->layout == KITH_SLOT) {
        hash = ki_hash_u64(hash, hash_slots(world, component));
    }
    return hash;
}

/* Components are summed, so the order in which types were registered does not matter. Nor do types
 * that no entity has: whether, and when, one was first used. */
static uint64_t hash_components(const kith_world *world)
{
    const ki_store *store = &world->store;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < store->component_count; i++) {
        const ki_component *component = store->components[i];
        if (!component->transient && ki_store_count(store, component) != 0) {
            sum += hash_component(world, component);
        }
    }
    return sum;
}

static uint64_t hash_resources(uint64_t hash, const kith_world *world)
{
    hash = ki_hash_u64(hash, world->resource_count);
    for (uint32_t i = 0; i < world->resource_count; i++) {
        const ki_kept *resource = world->resources[i];
        hasher by = hasher_of(world, resource->type, resource->values.hooks);
        hash = hash_value(hash_type(hash, resource->type), &by, ki_column_at(&resource->values, 0));
    }
    return hash;
}

/* Queues are summed: the order in which types were first sent does not matter. A queue that never
 * had an event does not count. */
static uint64_t hash_events(const kith_world *world)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->queue_count; i++) {
        const ki_queue *queue = (const ki_queue *)world->queues[i];
        if (queue->count == queue->head && queue->dropped == 0) {
            continue;
        }
        uint64_t hash = hash_type(ki_hash_u64(KI_HASH_SEED, queue->keep), queue->kept.type);
        hash = ki_hash_u64(hash, queue->dropped);
        for (uint64_t age = 0; age < ki_queue_ring(queue); age++) {
            hash = ki_hash_u64(hash, queue->sent[(world->tick + age) % ki_queue_ring(queue)]);
        }
        const ki_column *values = &queue->kept.values;
        hasher by = hasher_of(world, queue->kept.type, values->hooks);
        for (uint32_t row = queue->head; values->size != 0 && row < queue->count; row++) {
            hash = hash_value(hash, &by, ki_column_at(values, row));
        }
        sum += hash;
    }
    return sum;
}

uint64_t kith_world_hash(const kith_world *world)
{
    if (ki_world_require_owner(world, "kith_world_hash") != KITH_OK) {
        return 0;
    }
    const ki_store *store = &world->store;
    uint64_t tables = 0;
    for (uint32_t id = 0; id < store->table_slots; id++) {
        if (store->tables[id] != NULL && store->tables[id]->rows.count != 0) {
            tables += hash_table(world, store->tables[id]);
        }
    }
    uint64_t hash = hash_registry(KI_HASH_SEED, &store->entities);
    hash = ki_hash_u64(hash, tables);
    hash = ki_hash_u64(hash, hash_components(world));
    hash = hash_resources(hash, world);
    hash = ki_hash_u64(hash, hash_events(world));
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        if (world->parts[part].calls != NULL) {
            hash = world->parts[part].calls->hash(hash, world->parts[part].data);
        }
    }
    hash = ki_hash_u64(hash, world->random.state);
    return ki_hash_u64(hash, world->tick);
}

/* The values of one storage, each hashed with its entity, and summed. */
typedef struct content {
    hasher by;
    uint64_t name; /* the hash of the type's name */
    const ki_column *values;
} content;

static content content_of(const kith_world *world, const ki_component *component,
                          const ki_column *values)
{
    return (content){.by = hasher_of(world, component->type, component->hooks),
                     .name = ki_hash_text(KI_HASH_SEED, component->type->name),
                     .values = values};
}

static uint64_t content_row(const content *of, kith_entity entity, uint32_t row)
{
    uint64_t hash = hash_entity(of->name, entity);
    return of->values->size == 0 ? hash : hash_value(hash, &of->by, ki_column_at(of->values, row));
}

static uint64_t content_rows(const content *of, const ki_column *entities, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t row = 0; row < count; row++) {
        sum += content_row(of, *(const kith_entity *)ki_column_at(entities, row), row);
    }
    return sum;
}

/* The entities of a table, and their values. */
static uint64_t content_table(const kith_world *world, const ki_table *table)
{
    uint64_t sum = 0;
    for (uint32_t row = 0; row < table->rows.count; row++) {
        const kith_entity *entity = ki_column_at(&table->rows.entities, row);
        sum += hash_entity(KI_HASH_SEED, *entity);
    }
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        const ki_component *component = ki_store_component(&world->store, table->ids[i]);
        const content of = content_of(world, component, &table->rows.columns[i]);
        sum += content_rows(&of, &table->rows.entities, table->rows.count);
    }
    return sum;
}

/* The values of a component that is not KITH_TABLE. */
static uint64_t content_component(const kith_world *world, const ki_component *component)
{
    if (component->layout == KITH_SPARSE) {
        const ki_sparse *set = &component->in.sparse;
        const content of = content_of(world, component, &set->values);
        return content_rows(&of, &set->rows.entities, set->rows.count);
    }
    uint64_t sum = 0;
    if (component->layout == KITH_SLOT) {
        const ki_slots *slots = &component->in.slots;
        const content of = content_of(world, component, &slots->values);
        for (uint32_t index = ki_slots_next(slots, 0, UINT32_MAX); index != UINT32_MAX;
             index = ki_slots_next(slots, index + 1, UINT32_MAX)) {
            sum += content_row(&of, ki_entity_at(&world->store.entities, index), index);
        }
    }
    return sum;
}

uint64_t kith_content_hash(const kith_world *world)
{
    if (ki_world_require_owner(world, "kith_content_hash") != KITH_OK) {
        return 0;
    }
    const ki_store *store = &world->store;
    uint64_t sum = 0;
    for (uint32_t id = 0; id < store->table_slots; id++) {
        if (store->tables[id] != NULL) {
            sum += content_table(world, store->tables[id]);
        }
    }
    for (uint32_t i = 0; i < store->component_count; i++) {
        if (!store->components[i]->transient) {
            sum += content_component(world, store->components[i]);
        }
    }
    return hash_resources(sum, world);
}
