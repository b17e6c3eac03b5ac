/* The invariants of a store: those that no single part can check. */
#include "inspect/inspect.h"
#include "store/disabled.h"
#include "store/table_logs.h"
#include "store/unique_map.h"

static const char *check_table(const ki_store *store, const ki_table *table)
{
    const char *wrong = ki_table_check(&store->columns, table);
    wrong = wrong != NULL ? wrong : ki_table_logs_check(store, table);
    if (wrong != NULL) {
        return wrong;
    }
    if (!ki_bitset_has(&store->live_tables, table->id)) {
        return "a table is not among the living ones";
    }
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        const ki_component *component = ki_store_component(store, table->ids[i]);
        if (component->layout != KITH_TABLE || !ki_bitset_has(&component->in.tables, table->id)) {
            return "a component does not know of a table that has it";
        }
        if (table->rows.columns[i].size != component->type->size) {
            return "a column's size is not its type's";
        }
    }
    for (uint32_t row = 0; row < table->rows.count; row++) {
        kith_entity entity = ki_rows_entity(&table->rows, row);
        const ki_record *record = ki_record_of(&store->entities, entity);
        if (record == NULL) {
            return "a table has a row of a dead entity";
        }
        if (record->table != table->id || record->row != row) {
            return "an entity's record does not lead to its row";
        }
    }
    for (uint32_t i = 0; i < table->edge_count; i++) {
        const ki_table *to = table->edges[i]->to;
        if (to->id >= store->table_slots || store->tables[to->id] != to) {
            return "an edge leads to a table that is gone";
        }
    }
    return NULL;
}

static const char *check_tables(const ki_store *store)
{
    uint64_t rows = 0;
    uint32_t count = 0;
    for (uint32_t id = 0; id < store->table_slots; id++) {
        const ki_table *table = store->tables[id];
        if (table == NULL) {
            continue;
        }
        const char *wrong = check_table(store, table);
        if (wrong != NULL) {
            return wrong;
        }
        if (table->id != id) {
            return "a table has another's id";
        }
        uint32_t at;
        const ki_table *found = ki_map_first(&store->by_set, table->hash, &at);
        while (found != NULL && found != table) {
            found = ki_map_next(&store->by_set, table->hash, &at);
        }
        if (found == NULL) {
            return "a table is not found by its components";
        }
        rows += table->rows.count;
        count++;
    }
    if (count != store->table_count) {
        return "the number of tables is wrong";
    }
    return rows == ki_entities_alive(&store->entities)
               ? NULL
               : "there are not as many rows as living entities";
}

static const char *check_tracks(const ki_store *store)
{
    uint32_t tracks = 0;
    uint32_t of_tables = 0;
    for (uint32_t i = 0; i < store->component_count; i++) {
        const ki_component *component = store->components[i];
        const char *wrong = NULL;
        if (component->value_diff != NULL) {
            wrong = ki_column_check(&store->columns, &component->value_diff->seen);
        }
        if (component->change_log != NULL) {
            wrong = wrong != NULL ? wrong : ki_change_log_check(component->change_log);
            tracks++;
            of_tables += component->layout == KITH_TABLE;
        }
        if (wrong != NULL) {
            return wrong;
        }
    }
    return tracks == store->log_count && of_tables == store->table_log_count
               ? NULL
               : "there are not as many tracks as were counted";
}

/* A set with pages has its own one among them; a single page needs no array. */
static bool check_pages(const ki_bitset *set)
{
    uint32_t own = 0;
    for (uint32_t i = 0; i < set->page_count; i++) {
        own += set->pages[i] == set->own;
    }
    return own == (set->page_count != 0) && (set->page_count == 1) == (set->pages == &set->only);
}

/* Components that have a unique key, or are relations. */
static const char *check_guarded(const ki_store *store)
{
    uint32_t unique = 0;
    uint32_t relations = 0;
    const char *wrong = NULL;
    for (uint32_t i = 0; wrong == NULL && i < store->component_count; i++) {
        const ki_component *component = store->components[i];
        bool guarded = component->unique != NULL || component->relation != NULL;
        unique += component->unique != NULL;
        if (component->guarded != guarded ||
            component->checked != (guarded || component->hooks != NULL) ||
            component->simple != (component->hooks == NULL && component->type->size <= 16)) {
            wrong = "a component is not checked as its unique key or its relation asks";
        }
        if (wrong == NULL && component->unique != NULL) {
            wrong = ki_unique_check(store, component->unique);
        }
        const ki_relation *relation = component->relation;
        for (; wrong == NULL && relation != NULL; relation = relation->other) {
            relations++;
            wrong = relation->component == component ? ki_relation_check(store, relation)
                                                     : "a relation is that of another component";
        }
    }
    return wrong != NULL || (unique == store->unique_count && relations == store->relation_count)
               ? wrong
               : "there are not as many unique keys or relations as were counted";
}

static const char *check_component(const ki_store *store, const ki_component *component)
{
    if (component->layout == KITH_TABLE) {
        if (!check_pages(&component->in.tables)) {
            return "a component's set of tables has lost a page";
        }
        for (uint32_t id = 0; id < ki_bitset_page_end(&component->in.tables) * KI_BITSET_PAGE_BITS;
             id++) {
            if (ki_bitset_has(&component->in.tables, id) &&
                (id >= store->table_slots || store->tables[id] == NULL ||
                 !ki_table_has(store->tables[id], component->id))) {
                return "a component is said to be in a table where it is not";
            }
        }
        return NULL;
    }
    if (component->layout == KITH_SPARSE) {
        const ki_sparse *set = &component->in.sparse;
        const char *wrong = ki_sparse_check(&store->columns, set);
        for (uint32_t row = 0; wrong == NULL && row < set->rows.count; row++) {
            if (ki_record_of(&store->entities, ki_rows_entity(&set->rows, row)) == NULL) {
                wrong = "a sparse set has a dead entity";
            }
        }
        return wrong;
    }
    return ki_slots_check(&store->columns, &component->in.slots);
}

/* Lanes may have too many bits, never too few; slot arrays have no bits for dead entities. */
static const char *check_lanes(const ki_store *store)
{
    for (uint32_t i = 0; i < store->storage_count; i++) {
        const ki_component *component = store->storages[i];
        if (component->other != i) {
            return "a component is not where its number says";
        }
        uint32_t end = component->layout == KITH_SLOT ? UINT32_MAX : store->entities.slots;
        for (uint32_t index = 0;; index++) {
            if (component->layout == KITH_SLOT) {
                index = ki_slots_next(&component->in.slots, index, end);
            }
            if (index >= end) {
                break;
            }
            if (!ki_storage_has(component, index)) {
                continue;
            }
            if (index >= store->entities.slots ||
                ki_record_at(&store->entities, index)->table >= KI_RETIRED_TABLE) {
                return "a slot array has a dead entity";
            }
            if ((~ki_summary_at(&store->entities, index) & component->summary) != 0) {
                return "an entity's lanes lack a component";
            }
        }
    }
    return NULL;
}

static const char *check_names(const ki_store *store)
{
    const ki_component *here = ki_names_at(store->names, 0);
    for (uint32_t i = 0; i < store->component_count; i++) {
        const ki_component *next = ki_names_at(store->names, i + 1);
        if (here == NULL || here->by_name.next != next ||
            (next != NULL && strcmp(here->type->name, next->type->name) >= 0)) {
            return "the components are not in order of their names";
        }
        here = next;
    }
    return here == NULL ? NULL : "there are more components by name than by number";
}

const char *ki_store_check(const ki_store *store)
{
    const char *wrong = ki_entities_check(&store->columns, &store->entities);
    if (wrong != NULL) {
        return wrong;
    }
    for (uint32_t i = 0; i < store->component_count; i++) {
        if (store->components[i]->id != i + 1) {
            return "a component is not where its id says";
        }
        wrong = check_component(store, store->components[i]);
        if (wrong != NULL) {
            return wrong;
        }
    }
    wrong = check_names(store);
    wrong = wrong != NULL ? wrong : check_tables(store);
    wrong = wrong != NULL ? wrong : check_lanes(store);
    wrong = wrong != NULL ? wrong : check_guarded(store);
    wrong = wrong != NULL ? wrong : ki_disabled_check(store);
    wrong = wrong != NULL || store->link_changes.count == 0
                ? wrong
                : "changes of links are neither kept nor taken back";
    wrong = wrong != NULL || ki_bitset_next(&store->ended, 0) == UINT32_MAX
                ? wrong
                : "a cascade left marks";
    return wrong != NULL ? wrong : check_tracks(store);
}
