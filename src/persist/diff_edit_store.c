/* Writes what differs of entities and components into a world. Whether it all fits together is looked
 * at afterwards (diff_verify.c): here nothing is written where there is no room. */
#include <stddef.h>
#include <string.h>

#include "base/sort.h"
#include "persist/diff_edit.h"

#define EDIT_NO_TABLE (KI_RETIRED_TABLE - 1) /* of a slot whose row is still to come */

static bool edit_failed(const ki_diff_edit *edit)
{
    return edit->from.expected != NULL;
}

/* ---- Slots --------------------------------------------------------------------------------------- */

/* A slot in which nobody lives has no components. */
static kith_result edit_clear_summary(ki_store *store, uint32_t index)
{
    if (ki_summary_at(&store->entities, index) == 0) {
        return KITH_OK;
    }
    if (!ki_column_mark(&store->columns, &store->entities.summary, index)) {
        return KITH_ERR_MEMORY;
    }
    *ki_summary_place(&store->entities, index) = 0;
    return KITH_OK;
}

/* Counts what a slot was out of the numbers of slots. */
static void edit_uncount(ki_entities *entities, const ki_record *record)
{
    entities->empty -= record->table >= KI_RETIRED_TABLE;
    entities->retired -= record->table == KI_RETIRED_TABLE;
}

/* Adds free slots, which are all listed. */
static kith_result edit_add_slots(ki_store *store, uint32_t slots)
{
    ki_entities *entities = &store->entities;
    KI_TRY(ki_column_reserve_rows(&store->columns, &entities->records, entities->slots,
                                  slots - entities->slots));
    for (; entities->slots < slots; entities->slots++) {
        *ki_record_at(entities, entities->slots) = (ki_record){.table = KI_DEAD_TABLE};
        entities->empty++;
    }
    return KITH_OK;
}

/* Their records are marked: what two views share of records has to be the same slots in both. */
static kith_result edit_drop_slots(ki_store *store, uint32_t slots)
{
    ki_entities *entities = &store->entities;
    while (entities->slots > slots) {
        uint32_t index = entities->slots - 1;
        if (!ki_record_mark(&store->columns, entities, index)) {
            return KITH_ERR_MEMORY;
        }
        KI_TRY(edit_clear_summary(store, index));
        edit_uncount(entities, ki_record_at(entities, index));
        entities->slots--;
    }
    return KITH_OK;
}

/* Marks what the entity in a slot has by slots, for another one that comes in its place: that may have
 * the same bits, which the difference does not tell, but they are new. */
static kith_result edit_mark_by_slot(ki_store *store, uint32_t index)
{
    ki_component *other = ki_storages_next(store, index, 0);
    for (; other != NULL; other = ki_storages_next(store, index, other->other + 1)) {
        if (other->layout == KITH_SLOT &&
            !ki_slots_mark_removal(&store->columns, &other->in.slots, index)) {
            return KITH_ERR_MEMORY;
        }
    }
    return KITH_OK;
}

static kith_result edit_slot(ki_diff_edit *edit, uint32_t index)
{
    ki_store *store = &edit->world->store;
    ki_entities *entities = &store->entities;
    uint64_t state = ki_unpack_number(&edit->from, KI_DIFF_RETIRED, "what a slot is: 0, 1 or 2");
    uint64_t generation = ki_unpack_number(&edit->from, UINT32_MAX, "a generation");
    uint64_t next = state != KI_DIFF_FREE ? 0
                                          : ki_unpack_number(&edit->from, entities->slots,
                                                             "the next free slot plus one");
    if (edit_failed(edit)) {
        return KITH_OK;
    }
    edit->values.before = ki_diff_hash_slot(edit->values.before, ki_diff_slot_of(edit->a, index));
    if (!ki_record_mark(&store->columns, entities, index)) {
        return KITH_ERR_MEMORY;
    }
    ki_record *record = ki_record_at(entities, index);
    edit_uncount(entities, record);
    *record = (ki_record){.generation = (uint32_t)generation,
                          .table = state == KI_DIFF_FREE     ? KI_DEAD_TABLE
                                   : state == KI_DIFF_LIVING ? EDIT_NO_TABLE
                                                             : KI_RETIRED_TABLE,
                          .row = (uint32_t)next};
    if (state == KI_DIFF_LIVING) {
        return edit_mark_by_slot(store, index);
    }
    entities->empty++;
    entities->retired += state == KI_DIFF_RETIRED;
    return edit_clear_summary(store, index);
}

static kith_result edit_slots(ki_diff_edit *edit)
{
    ki_store *store = &edit->world->store;
    uint32_t at = edit->from.at;
    uint32_t slots = (uint32_t)ki_unpack_number(&edit->from, KI_SLOTS_MAX, "the number of slots");
    if (slots > store->entities.slots &&
        slots - store->entities.slots > ki_unpack_rest(&edit->from)) {
        ki_unpack_wrong(&edit->from, at, "no more new slots than are listed");
    }
    uint32_t head = (uint32_t)ki_unpack_number(&edit->from, slots, "the first free slot plus one");
    KI_TRY(ki_diff_edit_status(edit));
    KI_TRY(slots > store->entities.slots ? edit_add_slots(store, slots)
                                         : edit_drop_slots(store, slots));
    store->entities.free_head = head;
    uint32_t next = 0;
    while (ki_unpack_next(&edit->from, &next, slots, "a slot")) {
        KI_TRY(edit_slot(edit, next - 1));
    }
    return ki_diff_edit_status(edit);
}

/* ---- Rows of tables and sparse sets -------------------------------------------------------------- */

typedef struct edited_rows {
    ki_rows *rows;
    uint32_t table;       /* its id, */
    ki_component *sparse; /* or the component of a sparse set */
    const uint32_t *ids;  /* of the components, in the order of the difference */
    uint32_t count;
} edited_rows;

static ki_column *edit_column(const ki_store *store, const edited_rows *to, uint32_t i)
{
    return to->sparse != NULL ? to->rows->columns
                              : ki_table_column(store->tables[to->table], to->ids[i]);
}

/* The value of a component that an entity had; NULL: none. */
static const void *edit_base(const ki_diff_edit *edit, const ki_component *component,
                             kith_entity entity)
{
    const ki_record *was = ki_store_view_living(edit->a, entity.index1 - 1);
    return was != NULL && was->generation == entity.generation
               ? ki_store_view_value(&edit->world->store, edit->a, component, entity.index1 - 1)
               : NULL;
}

/* Puts a copy of a value with hooks into a row that is marked. */
static kith_result edit_copy_hooked(ki_diff_edit *edit, ki_column *column, uint32_t row,
                                    const void *value)
{
    ki_heap *heap = &edit->world->store.context.heap;
    size_t align = column->align > _Alignof(max_align_t) ? column->align : _Alignof(max_align_t);
    void *copy = ki_heap_alloc(heap, column->size, align);
    if (copy == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = ki_hooks_copy(column->hooks, copy, value, 1);
    if (result == KITH_OK) {
        ki_column_put(column, row, copy);
    }
    ki_heap_free(heap, copy, column->size, align);
    return result;
}

/* Gives a row the values that its entity had elsewhere. */
static kith_result edit_copy_row(ki_diff_edit *edit, const edited_rows *to, uint32_t row,
                                 kith_entity entity)
{
    const ki_store *store = &edit->world->store;
    for (uint32_t i = 0; i < to->count; i++) {
        ki_column *column = edit_column(store, to, i);
        const void *base = column->size == 0
                               ? NULL
                               : edit_base(edit, ki_store_component(store, to->ids[i]), entity);
        if (column->hooks == NULL) {
            ki_column_write(column, row, base);
        } else if (base != NULL) {
            KI_TRY(edit_copy_hooked(edit, column, row, base));
        } else {
            ki_unpack_wrong(&edit->from, edit->from.at,
                            "no new value of a type that has hooks here");
        }
    }
    return KITH_OK;
}

/* Forgets that an entity is in a row of a sparse set, unless it is known to be in another. */
static kith_result edit_unplace(ki_store *store, const edited_rows *to, uint32_t row)
{
    if (to->sparse == NULL) {
        return KITH_OK;
    }
    ki_sparse *set = &to->sparse->in.sparse;
    uint32_t index = ki_rows_entity(to->rows, row).index1 - 1;
    if (ki_sparse_row1(set, index) == row + 1) {
        if (!ki_column_mark(&store->columns, &set->index, index)) {
            return KITH_ERR_MEMORY;
        }
        *ki_sparse_row1_at(set, index) = 0;
    }
    return KITH_OK;
}

/* Has the entity in a slot know that its row is this. */
static kith_result edit_place(ki_store *store, const edited_rows *to, uint32_t row, uint32_t index)
{
    if (to->sparse == NULL) {
        if (!ki_record_mark(&store->columns, &store->entities, index)) {
            return KITH_ERR_MEMORY;
        }
        ki_record *record = ki_record_at(&store->entities, index);
        record->table = to->table;
        record->row = row;
        return KITH_OK;
    }
    KI_TRY(ki_storage_reserve_index(&store->columns, &store->entities, to->sparse, index));
    *ki_sparse_row1_at(&to->sparse->in.sparse, index) = row + 1;
    *ki_summary_place(&store->entities, index) |= to->sparse->summary;
    return KITH_OK;
}

/* Reads which entity has a row from now on. `old`: the row was there, with another. */
static kith_result edit_row(ki_diff_edit *edit, const edited_rows *to, uint32_t row, bool old)
{
    ki_store *store = &edit->world->store;
    uint32_t at = edit->from.at;
    uint64_t index = ki_unpack_number(&edit->from, UINT32_MAX, "the slot of an entity");
    if (index >= store->entities.slots ||
        ki_record_at(&store->entities, (uint32_t)index)->table >= KI_RETIRED_TABLE) {
        ki_unpack_wrong(&edit->from, at, "the slot of a living entity");
        return KITH_OK;
    }
    edit->values.before =
        ki_diff_hash_entity(edit->values.before, old ? ki_rows_entity(to->rows, row) : KITH_NONE);
    if (old && !ki_rows_mark(&store->columns, to->rows, row)) {
        return KITH_ERR_MEMORY;
    }
    KI_TRY(old ? edit_unplace(store, to, row) : KITH_OK);
    kith_entity entity = ki_entity_at(&store->entities, (uint32_t)index);
    *KI_COLUMN_AT(kith_entity, &to->rows->entities, row) = entity;
    KI_TRY(edit_place(store, to, row, (uint32_t)index));
    return edit_copy_row(edit, to, row, entity);
}

/* Takes the rows from `count` on away. They are marked: what two views share has to be the same rows in
 * both. */
static kith_result edit_drop_rows(ki_store *store, const edited_rows *to, uint32_t count)
{
    ki_rows *rows = to->rows;
    for (uint32_t row = count; row < rows->count; row++) {
        if (!ki_rows_mark(&store->columns, rows, row)) {
            return KITH_ERR_MEMORY;
        }
        KI_TRY(edit_unplace(store, to, row));
        if (rows->hooked) {
            ki_rows_destroy(rows, row);
        }
    }
    rows->count = ki_min_u32(rows->count, count);
    return KITH_OK;
}

static kith_result edit_entities(ki_diff_edit *edit, const edited_rows *to)
{
    ki_store *store = &edit->world->store;
    ki_rows *rows = to->rows;
    uint32_t at = edit->from.at;
    uint32_t old = rows->count;
    uint32_t count =
        (uint32_t)ki_unpack_number(&edit->from, KI_COLUMN_ROWS_MAX, "a number of rows");
    if (count > old && count - old > ki_unpack_rest(&edit->from)) {
        ki_unpack_wrong(&edit->from, at, "no more new rows than are listed");
    }
    KI_TRY(ki_diff_edit_status(edit));
    edit->values.before = ki_hash_u64(edit->values.before, old);
    KI_TRY(count > old ? ki_rows_reserve(&store->columns, rows, count - old)
                       : edit_drop_rows(store, to, count));
    uint32_t listed = 0; /* new ones */
    uint32_t next = 0;
    while (ki_unpack_next(&edit->from, &next, count, "a row")) {
        listed += next > old;
        KI_TRY(edit_row(edit, to, next - 1, next <= old));
    }
    if (count > old && listed != count - old) {
        ki_unpack_wrong(&edit->from, edit->from.at, "all new rows in the list");
    }
    KI_TRY(ki_diff_edit_status(edit));
    rows->count = count;
    return KITH_OK;
}

/* Writes the values of one component that differ. */
static kith_result edit_values(ki_diff_edit *edit, const edited_rows *to, uint32_t i)
{
    ki_store *store = &edit->world->store;
    ki_column *column = edit_column(store, to, i);
    const kith_type *type = ki_store_component(store, to->ids[i])->type;
    uint32_t next = 0;
    while (type->size != 0 && ki_unpack_next(&edit->from, &next, to->rows->count, "a row")) {
        if (column->hooks != NULL) {
            ki_unpack_wrong(&edit->from, edit->from.at, "no value of a type that has hooks here");
            break;
        }
        if (!ki_column_mark(&store->columns, column, next - 1)) {
            return KITH_ERR_MEMORY;
        }
        ki_unpack_value(&edit->values, type, ki_column_at(column, next - 1));
    }
    return ki_diff_edit_status(edit);
}

static kith_result edit_rows(ki_diff_edit *edit, const edited_rows *to)
{
    KI_TRY(edit_entities(edit, to));
    for (uint32_t i = 0; i < to->count; i++) {
        KI_TRY(edit_values(edit, to, i));
    }
    return KITH_OK;
}

/* ---- Components ---------------------------------------------------------------------------------- */

/* The component of a type, which has to have a layout. */
static kith_result edit_component(ki_diff_edit *edit, const kith_type *type, kith_layout layout,
                                  ki_component **component)
{
    ki_context *context = &edit->world->store.context;
    *component = ki_world_component(edit->world, type);
    if (*component == NULL) {
        return ki_fail(
            context, KITH_ERR_UNKNOWN,
            "%s: '%s' is not registered as a component here; use KITH_TYPES", edit->call,
            type->name);
    }
    return (*component)->layout == layout && !(*component)->transient
               ? KITH_OK
               : ki_fail(context, KITH_ERR_CONFLICT,
                         "%s: '%s' has another layout here, or is transient", edit->call,
                     type->name);
}

static bool edit_is_before(const void *list, uint32_t a, uint32_t b)
{
    (void)list;
    return a < b;
}

/* The table of the components in `edit->ids`. */
static kith_result edit_find_table(ki_diff_edit *edit, uint32_t at, uint32_t count,
                                   ki_table **table)
{
    ki_store *store = &edit->world->store;
    uint32_t *sorted = ki_store_ids(store, count);
    if (sorted == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(sorted, edit->ids, count * sizeof *sorted);
    ki_sort(sorted, count, edit_is_before, NULL);
    for (uint32_t i = 1; i < count; i++) {
        if (sorted[i - 1] == sorted[i]) {
            ki_unpack_wrong(&edit->from, at, "a table that names each component once");
        }
    }
    KI_TRY(ki_diff_edit_status(edit));
    KI_TRY(ki_store_table(store, sorted, count, table));
    KI_TRY(ki_map_reserve(&store->context.heap, &edit->tables));
    if (ki_map_find(&edit->tables, (*table)->id) != NULL) {
        ki_unpack_wrong(&edit->from, at, "each table once");
        return ki_diff_edit_status(edit);
    }
    ki_map_insert(&edit->tables, (*table)->id, *table);
    return KITH_OK;
}

static kith_result edit_table(ki_diff_edit *edit, uint32_t at, uint32_t count)
{
    ki_store *store = &edit->world->store;
    KI_TRY(ki_heap_grow(&store->context.heap, &edit->ids, &edit->id_capacity, count + 1,
                        sizeof *edit->ids, 16));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = edit->from.at;
        uint64_t number = ki_unpack_number(&edit->from, UINT32_MAX, "the number of a type");
        if (number >= edit->type_count) {
            ki_unpack_wrong(&edit->from, place, "the number of a type");
        }
        KI_TRY(ki_diff_edit_status(edit));
        ki_component *component;
        KI_TRY(edit_component(edit, edit->types[number], KITH_TABLE, &component));
        edit->ids[i] = component->id;
    }
    ki_table *table;
    KI_TRY(edit_find_table(edit, at, count, &table));
    const edited_rows to = {
        .rows = &table->rows, .table = table->id, .ids = edit->ids, .count = count};
    return edit_rows(edit, &to);
}

static kith_result edit_tables(ki_diff_edit *edit)
{
    for (;;) {
        uint32_t at = edit->from.at;
        uint64_t count1 = ki_unpack_number(&edit->from, (uint64_t)edit->type_count + 1,
                                           "a number of components plus one");
        KI_TRY(ki_diff_edit_status(edit));
        if (count1 == 0) {
            return KITH_OK;
        }
        KI_TRY(edit_table(edit, at, (uint32_t)count1 - 1));
    }
}

/* Takes a KITH_SLOT component from a slot that has it. */
static kith_result edit_take_slot(ki_store *store, ki_component *component, uint32_t index)
{
    if (!ki_slots_mark_removal(&store->columns, &component->in.slots, index)) {
        return KITH_ERR_MEMORY;
    }
    ki_slots_remove(&component->in.slots, index);
    return KITH_OK;
}

/* Gives the entity in a slot a KITH_SLOT component, if it has none, and reads the value. */
static kith_result edit_put_slot(ki_diff_edit *edit, ki_component *component, uint32_t index)
{
    ki_store *store = &edit->world->store;
    ki_slots *slots = &component->in.slots;
    uint32_t size = component->type->size;
    KI_TRY(ki_storage_reserve_index(&store->columns, &store->entities, component, index));
    *ki_summary_place(&store->entities, index) |= component->summary;
    if (!ki_slots_has(slots, index)) {
        ki_slots_insert(slots, index);
        if (size != 0) {
            memset(ki_column_at(&slots->values, index), 0, size);
        }
    }
    if (size != 0) {
        ki_unpack_value(&edit->values, component->type, ki_column_at(&slots->values, index));
    }
    return KITH_OK;
}

static kith_result edit_by_slot(ki_diff_edit *edit, ki_component *component)
{
    ki_store *store = &edit->world->store;
    const ki_slots *slots = &component->in.slots;
    uint32_t most = edit->a->slots > store->entities.slots ? edit->a->slots : store->entities.slots;
    uint32_t next = 0;
    while (ki_unpack_next(&edit->from, &next, most, "a slot")) {
        uint32_t index = next - 1;
        uint32_t at = edit->from.at;
        bool had = ki_slots_has(slots, index);
        bool has = ki_unpack_number(&edit->from, 1, "0 or 1") != 0;
        bool lives = index < store->entities.slots &&
                     ki_record_at(&store->entities, index)->table < KI_RETIRED_TABLE;
        if (has ? !lives || slots->values.hooks != NULL : !had) {
            ki_unpack_wrong(&edit->from, at,
                            has ? "a living entity, and a type without hooks"
                                : "a slot that has the component");
        }
        KI_TRY(ki_diff_edit_status(edit));
        edit->values.before = ki_hash_u64(edit->values.before, had);
        KI_TRY(has ? edit_put_slot(edit, component, index)
                   : edit_take_slot(store, component, index));
    }
    return ki_diff_edit_status(edit);
}

static kith_result edit_sparse(ki_diff_edit *edit, ki_component *component)
{
    const edited_rows to = {
        .rows = &component->in.sparse.rows, .sparse = component, .ids = &component->id, .count = 1};
    return edit_rows(edit, &to);
}

/* All components of a layout, in order of names: each comes once. */
static kith_result edit_layout(ki_diff_edit *edit, kith_layout layout)
{
    const kith_type *last = NULL;
    for (;;) {
        uint32_t at = edit->from.at;
        const kith_type *type = ki_diff_edit_type(edit);
        if (type != NULL && last != NULL && strcmp(last->name, type->name) >= 0) {
            ki_unpack_wrong(&edit->from, at, "components in order of their names");
        }
        KI_TRY(ki_diff_edit_status(edit));
        if (type == NULL) {
            return KITH_OK;
        }
        last = type;
        ki_component *component;
        KI_TRY(edit_component(edit, type, layout, &component));
        KI_TRY(layout == KITH_SPARSE ? edit_sparse(edit, component)
                                     : edit_by_slot(edit, component));
    }
}

/* Takes all entities out of the storage of a component. */
static kith_result edit_empty_component(ki_store *store, ki_component *component)
{
    if (component->layout == KITH_SPARSE) {
        const edited_rows rows = {.rows = &component->in.sparse.rows, .sparse = component};
        return edit_drop_rows(store, &rows, 0);
    }
    const ki_slots *slots = &component->in.slots;
    for (uint32_t index = ki_slots_next(slots, 0, UINT32_MAX); index != UINT32_MAX;
         index = ki_slots_next(slots, index + 1, UINT32_MAX)) {
        KI_TRY(edit_take_slot(store, component, index));
    }
    return KITH_OK;
}

/* Takes no slots away: a saved world names each of them. Where hostile bytes do not, the entity in the
 * slot is in no row, which ki_diff_verify finds. */
kith_result ki_diff_empty_store(ki_diff_edit *edit)
{
    ki_store *store = &edit->world->store;
    for (uint32_t id = 0; id < store->table_slots; id++) {
        if (store->tables[id] != NULL) {
            const edited_rows rows = {.rows = &store->tables[id]->rows, .table = id};
            KI_TRY(edit_drop_rows(store, &rows, 0));
        }
    }
    for (uint32_t other = 0; other < store->storage_count; other++) {
        if (!store->storages[other]->transient) {
            KI_TRY(edit_empty_component(store, store->storages[other]));
        }
    }
    return KITH_OK;
}

kith_result ki_diff_edit_store(ki_diff_edit *edit)
{
    KI_TRY(edit_slots(edit));
    KI_TRY(edit_tables(edit));
    KI_TRY(edit_layout(edit, KITH_SPARSE));
    return edit_layout(edit, KITH_SLOT);
}
