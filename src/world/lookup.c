/* Lookups: the parts that are not inline. */
#include "world/lookup.h"

#include "world/first_use.h"

_Static_assert(KI_SMALL_SHIFT == KITH_RECORD_SHIFT_ && sizeof(ki_record) <= 16,
               "inline calls find records by this");

static const uint32_t lookup_no_slots;

/* An id that no table has, and no record of a dead slot. */
#define LOOKUP_NO_TABLE (KI_RETIRED_TABLE - 1)

static void lookup_forget_tables(kith_lookup *lookup)
{
    lookup->seen_epoch_ = lookup->world_->store.table_epoch;
    for (uint32_t i = 0; i < KITH_LOOKUP_TABLES_; i++) {
        lookup->tables_[i] = (struct kith_lookup_table_){LOOKUP_NO_TABLE, NULL};
    }
}

static void lookup_find_storage(kith_lookup *lookup, const ki_component *component)
{
    const ki_column *index = &component->in.sparse.index;
    const ki_column *values = &component->in.sparse.values;
    if (component->layout == KITH_SLOT) {
        index = &component->in.slots.bits;
        values = &component->in.slots.values;
    }
    lookup->index_ = &index->blocks;
    lookup->index_count_ = &index->capacity;
    lookup->values_ = &values->blocks;
}

kith_lookup ki_lookup_make(const kith_world *world, const ki_component *component,
                           const kith_type *type, kith_result result)
{
    kith_lookup lookup = {.result = result, .slots_ = &lookup_no_slots};
    if (result != KITH_OK) {
        return lookup;
    }
    const ki_store *store = &world->store;
    lookup.world_ = world;
    lookup.component_ = component->id;
    lookup.layout_ = component->layout;
    lookup.type_ = type->size == 0 ? NULL : type;
    lookup.size_ = type->size;
    lookup.shift_ = ki_block_shift(type->size);
    lookup.records_ = &store->entities.records.blocks;
    lookup.slots_ = &store->entities.slots;
    lookup.epoch_ = &store->table_epoch;
    lookup_forget_tables(&lookup);
    if (component->layout != KITH_TABLE) {
        lookup_find_storage(&lookup, component);
    }
    return lookup;
}

kith_lookup kith_lookup_new(kith_world *world, const kith_type *type)
{
    ki_component *component = NULL;
    kith_result result = ki_world_require_owner(world, "kith_lookup_new");
    if (result == KITH_OK) {
        result = ki_world_use(world, "kith_lookup_new", type, &component);
    }
    return ki_lookup_make(world, component, type, result);
}

const struct kith_lookup_table_ *kith_lookup_in_table_(kith_lookup *lookup, uint32_t id)
{
    static const struct kith_lookup_table_ nowhere = {LOOKUP_NO_TABLE, NULL};
    const ki_store *store = &lookup->world_->store;
    if (lookup->seen_epoch_ != store->table_epoch) {
        lookup_forget_tables(lookup);
    }
    if (id >= KI_RETIRED_TABLE) {
        return &nowhere;
    }
    const ki_column *column = ki_table_column(store->tables[id], lookup->component_);
    struct kith_lookup_table_ *table = &lookup->tables_[id % KITH_LOOKUP_TABLES_];
    *table = (struct kith_lookup_table_){id, column == NULL ? NULL : &column->blocks};
    return table;
}

bool kith_lookup_fits_(const kith_lookup *lookup, const kith_type *type)
{
    const kith_type *own = lookup->type_;
    if (lookup->result != KITH_OK || own == NULL) {
        return false;
    }
    const ki_component *component = type == NULL ? NULL : ki_world_component(lookup->world_, type);
    if (component != NULL && component->id == lookup->component_) {
        return true; /* another file's descriptor */
    }
    if (KI_CHECKED) {
        ki_misuse(&lookup->world_->store.context, "kith_lookup_get: the lookup is of %s, not of %s",
                  own->name, type == NULL || type->name == NULL ? "(null)" : type->name);
    }
    return false;
}
