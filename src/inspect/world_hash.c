/* kith_world_hash covers everything that later steps can depend on; kith_content_hash (content_hash.c)
 * what the world says. Whatever has no order of its own (tables, columns, components, queues) is summed,
 * each hashed with the name of its type. */
#include "inspect/block_hash.h"
#include "inspect/inspect.h"
#include "store/store_view.h"

/* The hash of a table or a component that `make` makes. It is kept for as long as the storage is what a
 * snapshot has of it, `view`; NULL: it is not. */
static uint64_t hash_kept(ki_hashing *hashing, ki_storage_view *view, const void *of,
                          uint64_t (*make)(ki_hashing *hashing, const void *of))
{
    const bool kept = view != NULL && view->hashed;
    if (kept && !hashing->checks) {
        return view->hash;
    }
    const uint64_t hash = make(hashing, of);
    if (kept) {
        ki_hashing again = {.world = hashing->world};
        hashing->wrong = hashing->wrong || make(&again, of) != view->hash;
    } else if (view != NULL && !hashing->checks) {
        view->hash = hash;
        view->hashed = true;
    }
    return hash;
}

static uint64_t hash_table(ki_hashing *hashing, const void *of)
{
    const ki_table *table = of;
    const kith_world *world = hashing->world;
    uint64_t columns = 0;
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        const ki_column *column = &table->rows.columns[i];
        const kith_type *type = ki_store_component(&world->store, table->ids[i])->type;
        ki_hasher by = ki_hasher_of(world, type, column->hooks);
        columns += ki_hash_u64(ki_hash_text(KI_HASH_SEED, type->name),
                               ki_hash_rows(hashing, &by, column, table->rows.count));
    }
    return ki_hash_u64(ki_hash_handles(hashing, &table->rows.entities, table->rows.count), columns);
}

static uint64_t hash_component(ki_hashing *hashing, const void *of)
{
    const ki_component *component = of;
    uint64_t hash = ki_hash_type(KI_HASH_SEED, component->type);
    hash = ki_hash_u64(hash, (uint64_t)component->layout);
    if (component->layout == KITH_SPARSE) {
        const ki_sparse *set = &component->in.sparse;
        ki_hasher by = ki_hasher_of(hashing->world, component->type, set->values.hooks);
        hash = ki_hash_u64(hash, ki_hash_handles(hashing, &set->rows.entities, set->rows.count));
        hash = ki_hash_u64(hash, ki_hash_rows(hashing, &by, &set->values, set->rows.count));
    } else if (component->layout == KITH_SLOT) {
        hash = ki_hash_u64(hash, ki_hash_slots(hashing, component));
    }
    return hash;
}

/* Components are summed, so the order in which types were registered does not matter. Nor do types
 * that no entity has: whether, and when, one was first used. */
static uint64_t hash_components(ki_hashing *hashing)
{
    const ki_store *store = &hashing->world->store;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < store->component_count; i++) {
        const ki_component *component = store->components[i];
        if (!component->transient && ki_store_has_any(store, component)) {
            ki_storage_view *view = component->layout == KITH_TABLE
                                        ? NULL
                                        : ki_store_other_as_viewed(store, component->other);
            sum += hash_kept(hashing, view, component, hash_component);
        }
    }
    return sum;
}

/* Adds the order of sources to a hash; without any it stays as it is. */
static uint64_t hash_relations(uint64_t hash, ki_hashing *hashing)
{
    const ki_store *store = &hashing->world->store;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < store->relation_count; i++) {
        const ki_relation *relation = store->relations[i];
        uint64_t links = relation->component->transient ? 0 : ki_hash_links(hashing, relation);
        if (links != 0) {
            uint64_t name = ki_hash_type(KI_HASH_SEED, relation->component->type);
            sum += ki_hash_u64(ki_hash_u64(name, relation->offset), links);
        }
    }
    return sum == 0 ? hash : ki_hash_u64(hash, sum);
}

uint64_t ki_hash_resources(uint64_t hash, const kith_world *world)
{
    hash = ki_hash_u64(hash, world->resource_count);
    for (uint32_t i = 0; i < world->resource_count; i++) {
        const ki_kept *resource = world->resources[i];
        ki_hasher by = ki_hasher_of(world, resource->type, resource->values.hooks);
        hash = ki_hash_value(ki_hash_type(hash, resource->type), &by,
                             ki_column_at(&resource->values, 0));
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
        uint64_t hash = ki_hash_type(ki_hash_u64(KI_HASH_SEED, queue->keep), queue->kept.type);
        hash = ki_hash_u64(hash, queue->dropped);
        for (uint64_t age = 0; age < ki_queue_ring(queue); age++) {
            hash = ki_hash_u64(hash, queue->sent[(world->tick + age) % ki_queue_ring(queue)]);
        }
        const ki_column *values = &queue->kept.values;
        ki_hasher by = ki_hasher_of(world, queue->kept.type, values->hooks);
        for (uint32_t row = queue->head; values->size != 0 && row < queue->count; row++) {
            hash = ki_hash_value(hash, &by, ki_column_at(values, row));
        }
        sum += hash;
    }
    return sum;
}

static uint64_t hash_tables(ki_hashing *hashing)
{
    const ki_store *store = &hashing->world->store;
    uint64_t sum = 0;
    for (uint32_t id = 0; id < store->table_slots; id++) {
        if (store->tables[id] != NULL && store->tables[id]->rows.count != 0) {
            sum += hash_kept(hashing, ki_store_table_as_viewed(store, id), store->tables[id],
                             hash_table);
        }
    }
    return sum;
}

uint64_t kith_world_hash(const kith_world *world)
{
    if (ki_world_require_owner(world, "kith_world_hash") != KITH_OK) {
        return 0;
    }
    ki_hashing hashing = {.world = world};
    const ki_entities *entities = &world->store.entities;
    uint64_t hash =
        ki_hash_u64(KI_HASH_SEED, (uint64_t)entities->slots << 32 | entities->free_head);
    hash = ki_hash_u64(hash, ki_hash_records(&hashing, entities));
    hash = ki_hash_u64(hash, hash_tables(&hashing));
    hash = ki_hash_u64(hash, hash_components(&hashing));
    hash = hash_relations(hash, &hashing);
    hash = ki_hash_resources(hash, world);
    hash = ki_hash_u64(hash, hash_events(world));
    for (uint32_t part = 0; part < KI_PART_COUNT; part++) {
        const ki_attachment *of = &world->parts[part];
        if (of->calls != NULL && of->calls->hash != NULL) {
            hash = of->calls->hash(hash, of->data);
        }
    }
    hash = ki_hash_u64(hash, world->random.state);
    return ki_hash_u64(hash, world->tick);
}

const char *ki_kept_hashes_check(const kith_world *world)
{
    ki_hashing hashing = {.world = world, .checks = true};
    ki_hash_records(&hashing, &world->store.entities);
    hash_tables(&hashing);
    hash_components(&hashing);
    hash_relations(0, &hashing);
    return hashing.wrong ? "a block or a table is not what its hash was made of" : NULL;
}
