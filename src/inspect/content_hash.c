/* kith_content_hash: what the world says, whatever its layout, the order of rows and the slots. */
#include "inspect/inspect.h"
#include "inspect/value_hash.h"
#include "store/relation.h"

/* The values of one storage, each hashed with its entity, and summed. */
typedef struct content {
    ki_hasher by;
    uint64_t name; /* the hash of the type's name */
    const ki_column *values;
} content;

static content content_of(const kith_world *world, const ki_component *component,
                          const ki_column *values)
{
    return (content){.by = ki_hasher_of(world, component->type, component->hooks),
                     .name = ki_hash_text(KI_HASH_SEED, component->type->name),
                     .values = values};
}

static uint64_t content_row(const content *of, kith_entity entity, uint32_t row)
{
    uint64_t hash = ki_hash_entity(of->name, entity);
    return of->values->size == 0 ? hash
                                 : ki_hash_value(hash, &of->by, ki_column_at(of->values, row));
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
        sum += ki_hash_entity(KI_HASH_SEED, *entity);
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

/* The order of the sources of a relation: each with the one after it. */
static uint64_t content_order(const kith_world *world, const ki_relation *relation)
{
    const ki_entities *entities = &world->store.entities;
    const uint64_t name =
        ki_hash_u64(ki_hash_text(KI_HASH_SEED, relation->component->type->name), relation->offset);
    uint64_t sum = 0;
    for (uint32_t index = 0; index < entities->slots; index++) {
        const uint32_t next1 = ki_relation_link(relation, index).next1;
        if (next1 != 0) {
            sum += ki_hash_entity(ki_hash_entity(~name, ki_entity_at(entities, index)),
                                  ki_entity_at(entities, next1 - 1));
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
            const ki_relation *relation = store->components[i]->relation;
            for (; relation != NULL; relation = relation->other) {
                sum += content_order(world, relation);
            }
        }
    }
    return ki_hash_resources(sum, world);
}
