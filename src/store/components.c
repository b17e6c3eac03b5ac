/* The components of a store: each is added once, with all that its type asks for. */
#include <kith/hierarchy.h>
#include <kith/name.h>

#include "store/disabled.h"
#include "store/register.h"
#include "store/relation.h"
#include "store/unique_map.h"

_Static_assert(KITH_RECORD_SHIFT_ == KI_SMALL_SHIFT && sizeof(ki_record) <= 16 &&
                   KITH_DEAD_TABLES_ == KI_RETIRED_TABLE && offsetof(ki_entities, slots) == 0 &&
                   offsetof(ki_entities, records.blocks) == 8 && offsetof(ki_column, blocks) == 0 &&
                   offsetof(ki_column, capacity) == sizeof(ki_block *),
               "inline calls find records and values by this");

/* Tells inline calls where a component's values are. */
static struct kith_place_ store_place(const ki_store *store, const ki_component *component)
{
    struct kith_place_ place = {.size = component->type->size,
                                .id = (uint16_t)component->id,
                                .layout = (uint8_t)component->layout,
                                .shift = (uint8_t)ki_block_shift(component->type->size),
                                .entities = (const char *)&store->entities,
                                .clock = &store->columns.write_clock};
    if (component->layout == KITH_TABLE) {
        place.in.tables = &store->tables;
    } else if (component->layout == KITH_SPARSE) {
        place.in.values = &component->in.sparse.values.blocks;
        place.index = &component->in.sparse.index.blocks;
    } else {
        place.in.values = &component->in.slots.values.blocks;
        place.index = &component->in.slots.bits.blocks;
    }
    return place;
}

static ki_component *store_new_component(ki_store *store, const kith_type *type, kith_layout layout,
                                         const kith_hooks *hooks)
{
    ki_heap *heap = &store->context.heap;
    ki_component *added =
        ki_heap_alloc_zeroed(heap, ki_component_bytes(layout), _Alignof(ki_component));
    if (added == NULL || hooks == NULL) {
        return added;
    }
    added->hooks = ki_heap_alloc(heap, sizeof(ki_hooks), _Alignof(ki_hooks));
    if (added->hooks == NULL) {
        ki_heap_free(heap, added, ki_component_bytes(layout), _Alignof(ki_component));
        return NULL;
    }
    *added->hooks = (ki_hooks){*hooks, type, &store->context};
    return added;
}

/* Whether a type, which the register keeps, is one that a header of Kith declares. */
static bool store_is_type(const kith_type *type, const kith_type *declared)
{
    return ki_type_number_found(declared) == ki_type_number(type);
}

/* Notes what a component is to hierarchies. KITH_ERR_MEMORY. */
static kith_result store_note_hierarchy(ki_store *store, ki_component *added)
{
    const bool names = store_is_type(added->type, &kith_name_type);
    if (names) {
        KI_TRY(ki_unique_begin_names(store, added));
        store->entity_names = added;
    }
    if (store_is_type(added->type, &kith_child_of_type)) {
        store->child_of = added->relation;
    }
    if (store_is_type(added->type, &kith_disabled_type)) {
        KI_TRY(ki_disabled_new(store, added));
        store->disabled->inherited.place = store_place(store, &store->disabled->inherited);
    }
    return KITH_OK;
}

kith_result ki_store_add_component(ki_store *store, const kith_type *type, kith_layout layout,
                                   const kith_hooks *hooks, ki_component **component)
{
    ki_heap *heap = &store->context.heap;
    KI_ASSERT(store->component_count < KI_COMPONENTS_MAX);
    KI_TRY(ki_heap_grow(heap, &store->components, &store->component_capacity,
                        store->component_count + 1, sizeof(ki_component *), 8));
    if (layout != KITH_TABLE) {
        KI_TRY(ki_heap_grow(heap, &store->storages, &store->other_capacity,
                            store->storage_count + 1, sizeof(ki_component *), 4));
    }
    ki_relation *relation = NULL;
    if (type->relation != 0) {
        KI_TRY(ki_relations_new(store, type, &relation));
    }
    ki_component *added = store_new_component(store, type, layout, hooks);
    if (added == NULL) {
        ki_relations_free(store, relation);
        return KITH_ERR_MEMORY;
    }
    added->type = type;
    added->relation = relation;
    if (store_note_hierarchy(store, added) != KITH_OK) {
        ki_relations_free(store, relation);
        ki_heap_free(heap, added, ki_component_bytes(layout), _Alignof(ki_component));
        return KITH_ERR_MEMORY;
    }
    ki_relations_add(store, added, relation);
    added->layout = layout;
    added->has_handles = ki_type_has_handles(type);
    if (layout == KITH_SPARSE) {
        ki_sparse_init(&added->in.sparse, type->size, type->align, added->hooks);
    } else if (layout == KITH_SLOT) {
        ki_slots_init(&added->in.slots, type->size, type->align, added->hooks);
    }
    if (layout != KITH_TABLE) {
        added->other = store->storage_count;
        added->summary = ki_summary_of(added->other);
        store->storages[store->storage_count++] = added;
    }
    store->components[store->component_count++] = added;
    store->hooked = store->hooked || hooks != NULL;
    added->id = store->component_count;
    added->place = store_place(store, added);
    ki_store_guard(store, added);
    ki_names_insert(&store->names, added);
    *component = added;
    return KITH_OK;
}
