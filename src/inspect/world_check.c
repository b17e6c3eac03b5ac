/* kith_world_check: the store, and everything else that a world has. */
#include <string.h>

#include "base/hash.h"
#include "inspect/inspect.h"
#include "world/bundle.h"

/* The numbers of types lead to all components, and to nothing else. */
static const char *check_numbers(const kith_world *world)
{
    uint32_t known = 0;
    for (uint32_t number = 0; number < world->store.context.known.count; number++) {
        const ki_component *component = ki_world_numbered(world, number);
        if (component == NULL) {
            continue;
        }
        known++;
        if (ki_type_number(component->type) != number) {
            return "a type's number leads to another type";
        }
        if (component->id > world->store.component_count ||
            ki_store_component(&world->store, component->id) != component) {
            return "a type's number leads to a component that is not there";
        }
    }
    return known == world->store.component_count ? NULL
                                                 : "a component is not found by its type's number";
}

/* Checks the entries of a bundle, or of the one that kith_set_values keeps. */
static const char *check_entries(const ki_bundle *bundle, uint32_t *in_table)
{
    bool hooked = false;
    bool guarded = false;
    *in_table = 0;
    for (uint32_t i = 0; i < bundle->count; i++) {
        const ki_bundle_entry *entry = &bundle->entries[i];
        hooked = hooked || entry->component->hooks != NULL;
        guarded = guarded || entry->component->guarded;
        if (entry->number != ki_type_number(entry->component->type)) {
            return "a plan has the number of another type";
        }
        if (entry->component->layout != KITH_TABLE) {
            continue;
        }
        ++*in_table;
        uint32_t column = ki_table_lookup(bundle->table, entry->component->id);
        if (column == KI_NO_COLUMN || entry->column != &bundle->table->rows.columns[column]) {
            return "a plan writes to a column of another type";
        }
    }
    if (bundle->storage_count != bundle->count - *in_table) {
        return "a plan counts its components of other layouts wrong";
    }
    return bundle->hooked == hooked && bundle->guarded == guarded &&
                   bundle->simple ==
                       (bundle->storage_count == 0 && !guarded && bundle->table->rows.simple)
               ? NULL
               : "a plan is not as simple as what it makes";
}

static const char *check_plan(const kith_world *world, const ki_bundle *bundle)
{
    uint32_t in_table;
    const char *wrong = check_entries(bundle, &in_table);
    if (wrong != NULL) {
        return wrong;
    }
    return world->store.tables[bundle->table->id] == bundle->table &&
                   bundle->table->rows.column_count == in_table
               ? NULL
               : "a spawn plan leads to a table of other components";
}

static const char *check_several(const kith_world *world)
{
    const ki_last_transition *known = &world->last_transition;
    const ki_bundle *bundle = &known->to.bundle;
    uint32_t in_table;
    if (bundle->epoch != world->store.table_epoch) {
        return NULL;
    }
    const char *wrong = check_entries(bundle, &in_table);
    if (wrong != NULL) {
        return wrong;
    }
    const ki_table *from = world->store.tables[known->from];
    bool found = known->edge == NULL && from == bundle->table;
    for (uint32_t i = 0; known->edge != NULL && i < from->edge_count; i++) {
        found |= from->edges[i] == known->edge && known->edge->to == bundle->table;
    }
    return found ? NULL : "the way of kith_set_values leads elsewhere";
}

static const char *check_plans(const kith_world *world)
{
    const char *wrong = NULL;
    for (uint32_t i = 0; world->bundles != NULL && i < KI_BUNDLE_CACHE && wrong == NULL; i++) {
        const ki_bundle *bundle = &world->bundles[i].bundle;
        if (bundle->epoch == world->store.table_epoch) {
            wrong = check_plan(world, bundle);
        }
    }
    return wrong != NULL ? wrong : check_several(world);
}

static const char *check_resources(const kith_world *world)
{
    const char *wrong = NULL;
    for (uint32_t i = 0; i < world->resource_count && wrong == NULL; i++) {
        const ki_kept *resource = world->resources[i];
        if (i > 0 && strcmp(world->resources[i - 1]->type->name, resource->type->name) >= 0) {
            return "the resources are out of order";
        }
        if (resource->number != ki_type_number(resource->type) || resource->values.capacity == 0 ||
            resource->values.size != resource->type->size) {
            return "a resource is not one of its type";
        }
        wrong = ki_column_check(&world->store.columns, &resource->values);
        wrong = wrong != NULL ? wrong : ki_column_check_live(&resource->values, 1);
    }
    return wrong;
}

/* Values with hooks are alive from row `ended` on, and nowhere else. */
static bool check_live_events(const ki_queue *queue)
{
    uint32_t row = queue->ended;
    while (row < queue->count && ki_column_is_constructed(&queue->kept.values, row)) {
        row++;
    }
    return row == queue->count &&
           ki_column_live_count(&queue->kept.values) == queue->count - queue->ended;
}

static const char *check_events(const kith_world *world)
{
    for (uint32_t i = 0; i < world->queue_count; i++) {
        const ki_queue *queue = (const ki_queue *)world->queues[i];
        uint64_t sent = 0;
        for (size_t run = 0; run < ki_queue_ring(queue); run++) {
            sent += queue->sent[run];
        }
        if (queue->head > queue->count || sent != queue->count - queue->head) {
            return "events are not counted by the runs that they belong to";
        }
        const char *wrong = ki_column_check(&world->store.columns, &queue->kept.values);
        if (wrong != NULL || queue->count > queue->kept.values.capacity) {
            return wrong != NULL ? wrong : "there are more events than room";
        }
        if (queue->ended > queue->head ||
            (queue->kept.values.hooks != NULL && !check_live_events(queue))) {
            return "the values of events do not end with them";
        }
    }
    return NULL;
}

static const char *check_texts(const ki_texts *texts)
{
    if (texts == NULL) {
        return NULL;
    }
    if (texts->count > texts->items.capacity || texts->count > texts->buckets.capacity) {
        return "interned texts: more than there is room for";
    }
    for (uint32_t number = 1; number <= texts->count; number++) {
        const ki_text *text = ki_texts_at(texts, number);
        if (text->bytes[text->length] != '\0' ||
            text->hash != ki_hash_bytes(KI_HASH_SEED, text->bytes, text->length)) {
            return "interned texts: a text is not what it was";
        }
        if (ki_texts_find(texts, text->bytes, text->length) != number) {
            return "interned texts: a text is not found under its number";
        }
    }
    return NULL;
}

kith_result kith_world_check(kith_world *world)
{
    KI_TRY(ki_world_require_owner(world, "kith_world_check"));
    const char *wrong = ki_store_check(&world->store);
    wrong = wrong != NULL ? wrong : ki_store_views_check(&world->store);
    wrong = wrong != NULL ? wrong : ki_kept_hashes_check(world);
    wrong = wrong != NULL ? wrong : ki_queries_check(&world->store);
    wrong = wrong != NULL ? wrong : check_numbers(world);
    wrong = wrong != NULL ? wrong : check_plans(world);
    wrong = wrong != NULL ? wrong : check_resources(world);
    wrong = wrong != NULL ? wrong : check_events(world);
    wrong = wrong != NULL ? wrong : check_texts(world->texts);
    for (uint32_t part = 0; part < KI_PART_COUNT && wrong == NULL; part++) {
        if (world->parts[part].calls != NULL) {
            wrong = world->parts[part].calls->check(world, world->parts[part].data);
        }
    }
    if (wrong != NULL) {
        return ki_fail(&world->store.context, KITH_ERR_CORRUPT, "kith_world_check: %s", wrong);
    }
    return KITH_OK;
}
