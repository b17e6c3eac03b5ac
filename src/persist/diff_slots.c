#include "persist/diff_slots.h"

#include <string.h>

#include "base/sort.h"
#include "store/view_pair.h"

/* Visits slots of two views. */
typedef struct slot_visit {
    const ki_store *store;
    const ki_store_view *a;
    const ki_store_view *b;
    const ki_component *only; /* the component that counts; NULL: all do */
    ki_diff_slot_fn visit;
    void *context;
} slot_visit;

static kith_result diff_note(const slot_visit *diff, uint32_t index)
{
    return diff->visit(diff->context, index);
}

/* Notes the slots whose records differ: another entity, another table, another row. */
static kith_result diff_note_records(const slot_visit *diff)
{
    const ki_column_view *a = ki_store_view_records(diff->a);
    const ki_column_view *b = ki_store_view_records(diff->b);
    for (ki_view_run run = {0};
         diff->a->entities != diff->b->entities && ki_view_pair_next(a, b, &run);) {
        for (uint32_t index = run.first; index < run.first + run.count; index++) {
            const ki_record *was = ki_store_view_living(diff->a, index);
            const ki_record *is = ki_store_view_living(diff->b, index);
            if (was != is && (was == NULL || is == NULL || memcmp(was, is, sizeof *was) != 0)) {
                KI_TRY(diff_note(diff, index));
            }
        }
    }
    return KITH_OK;
}

/* Whether one of the values of a block has to be looked at: equal bytes are equal values. */
static bool diff_may_differ(const ki_column *shape, const ki_view_run *run, uint32_t i)
{
    size_t at = (size_t)i * shape->size;
    return memcmp(run->a + at, run->b + at, shape->size) != 0;
}

/* Notes the entities whose values differ where they were. Those that came, went or moved have other
 * records, or other places in a sparse set. */
static kith_result diff_note_rows(const slot_visit *diff, const ki_storage_view *a,
                                  const ki_storage_view *b,
                                  const ki_column_view *entities, uint32_t column)
{
    uint32_t rows = ki_min_u32(a->number, b->number);
    const ki_column *shape = &b->columns[column].shape;
    for (ki_view_run run = {0};
         ki_view_pair_next(&a->columns[column], &b->columns[column], &run) && run.first < rows;) {
        uint32_t count = ki_min_u32(run.count, rows - run.first);
        for (uint32_t i = 0; i < count; i++) {
            if (diff_may_differ(shape, &run, i)) {
                const kith_entity *entity = ki_column_view_at(entities, run.first + i);
                KI_TRY(diff_note(diff, entity->index1 - 1));
            }
        }
    }
    return KITH_OK;
}

/* Whether the column of a table is that of a component which counts. */
static bool diff_has_column(const slot_visit *diff, uint32_t table, uint32_t column)
{
    return diff->only == NULL || diff->store->tables[table]->ids[column - 1] == diff->only->id;
}

static kith_result diff_note_tables(const slot_visit *diff)
{
    uint32_t count = ki_min_u32(diff->a->table_count, diff->b->table_count);
    for (uint32_t id = 0; id < count; id++) {
        const ki_storage_view *a = ki_store_view_table(diff->a, id);
        const ki_storage_view *b = ki_store_view_table(diff->b, id);
        for (uint32_t i = 1; a != b && a != NULL && b != NULL && i < b->column_count; i++) {
            if (diff_has_column(diff, id, i)) {
                KI_TRY(diff_note_rows(diff, a, b, &b->columns[0], i));
            }
        }
    }
    return KITH_OK;
}

/* The columns of a view of a sparse set or a slot array, or nothing. */
static const ki_column_view *diff_column(const ki_storage_view *view, uint32_t column)
{
    return view == NULL ? NULL : &view->columns[column];
}

/* Notes the slots that have another row in the set. */
static kith_result diff_note_index(const slot_visit *diff, const ki_storage_view *a,
                                   const ki_storage_view *b)
{
    for (ki_view_run run = {0}; ki_view_pair_next(diff_column(a, 0), diff_column(b, 0), &run);) {
        const uint32_t *was = (const void *)run.a;
        const uint32_t *is = (const void *)run.b;
        for (uint32_t i = 0; i < run.count; i++) {
            if ((i < run.a_count ? was[i] : 0) != (i < run.b_count ? is[i] : 0)) {
                KI_TRY(diff_note(diff, run.first + i));
            }
        }
    }
    return KITH_OK;
}

static kith_result diff_note_sparse(const slot_visit *diff, const ki_storage_view *a,
                                    const ki_storage_view *b)
{
    KI_TRY(diff_note_index(diff, a, b));
    return a == NULL || b == NULL ? KITH_OK : diff_note_rows(diff, a, b, &b->columns[1], 2);
}

/* Notes the slots that got or lost the component. */
static kith_result diff_note_bits(const slot_visit *diff, const ki_storage_view *a,
                                  const ki_storage_view *b)
{
    for (ki_view_run run = {0}; ki_view_pair_next(diff_column(a, 0), diff_column(b, 0), &run);) {
        const uint64_t *was = (const void *)run.a;
        const uint64_t *is = (const void *)run.b;
        for (uint32_t i = 0; i < run.count; i++) {
            uint64_t bits = (i < run.a_count ? was[i] : 0) ^ (i < run.b_count ? is[i] : 0);
            for (; bits != 0; bits &= bits - 1) {
                KI_TRY(diff_note(diff, (run.first + i) * 64 + ki_lowest_bit(bits)));
            }
        }
    }
    return KITH_OK;
}

static kith_result diff_note_slots(const slot_visit *diff, const ki_component *component,
                                   const ki_storage_view *a, const ki_storage_view *b)
{
    KI_TRY(diff_note_bits(diff, a, b));
    const ki_store *store = diff->store;
    for (ki_view_run run = {0};
         a != NULL && b != NULL && ki_view_pair_next(&a->columns[1], &b->columns[1], &run);) {
        for (uint32_t i = 0; i < ki_min_u32(run.a_count, run.b_count); i++) {
            uint32_t index = run.first + i;
            if (ki_store_view_has(store, diff->b, component, index) &&
                diff_may_differ(&b->columns[1].shape, &run, i)) {
                KI_TRY(diff_note(diff, index));
            }
        }
    }
    return KITH_OK;
}

static kith_result diff_note_others(const slot_visit *diff)
{
    const ki_store *store = diff->store;
    for (uint32_t other = 0; other < store->storage_count; other++) {
        const ki_component *component = store->storages[other];
        const ki_storage_view *a = ki_store_view_other(diff->a, other);
        const ki_storage_view *b = ki_store_view_other(diff->b, other);
        if (a != b && (diff->only == NULL || diff->only == component)) {
            KI_TRY(component->layout == KITH_SPARSE ? diff_note_sparse(diff, a, b)
                                                    : diff_note_slots(diff, component, a, b));
        }
    }
    return KITH_OK;
}

kith_result ki_diff_each_slot(const ki_store *store, const ki_store_view *a,
                              const ki_store_view *b, const ki_component *only,
                              ki_diff_slot_fn visit, void *context)
{
    const slot_visit diff = {store, a, b, only, visit, context};
    KI_TRY(diff_note_records(&diff));
    KI_TRY(diff_note_tables(&diff));
    return diff_note_others(&diff);
}

/* ---- Differences that are visited or written ----------------------------------------------------- */

/* Whether an entity may have had the component, in either view. */
static bool diff_counts(const ki_diff *diff, const ki_component *component)
{
    const ki_storage_view *a = NULL;
    const ki_storage_view *b = NULL;
    if (component->layout != KITH_TABLE) {
        a = ki_store_view_other(diff->a, component->other);
        b = ki_store_view_other(diff->b, component->other);
    }
    return component->layout == KITH_TABLE || (a != NULL && a->number != 0) ||
           (b != NULL && b->number != 0);
}

static kith_result diff_list_components(ki_diff *diff)
{
    ki_store *store = &diff->world->store;
    KI_TRY(ki_heap_grow(&store->context.heap, &diff->components, &diff->component_capacity,
                        store->component_count, sizeof(ki_component *), 4));
    for (ki_component *component = ki_names_at(store->names, 0); component != NULL;
         component = component->by_name.next) {
        if (diff_counts(diff, component)) {
            diff->components[diff->component_count++] = component;
        }
    }
    return KITH_OK;
}

static bool diff_is_before(const void *list, uint32_t a, uint32_t b)
{
    const ki_kept_list *kept = list;
    return strcmp(kept->items[a]->type->name, kept->items[b]->type->name) < 0;
}

static void diff_sort(const ki_kept_list *list, uint32_t *order)
{
    for (uint32_t i = 0; i < list->count; i++) {
        order[i] = i;
    }
    ki_sort(order, list->count, diff_is_before, list);
}

static const ki_kept_list diff_no_list;

const ki_kept_list *ki_diff_resources(const kith_snapshot *snapshot)
{
    return snapshot == NULL ? &diff_no_list
                            : ki_world_state_resources(snapshot->states[KI_SNAPSHOT_WORLD]);
}

const ki_kept_list *ki_diff_queues(const kith_snapshot *snapshot)
{
    return snapshot == NULL ? &diff_no_list
                            : ki_world_state_queues(snapshot->states[KI_SNAPSHOT_WORLD]);
}

static kith_result diff_sort_queues(ki_diff *diff)
{
    const ki_kept_list *a = ki_diff_queues(diff->before);
    const ki_kept_list *b = ki_diff_queues(diff->after);
    KI_TRY(ki_heap_grow(&diff->world->store.context.heap, &diff->queue_order, &diff->queue_count,
                        a->count + b->count + 1, sizeof(uint32_t), 1)); /* never NULL */
    diff_sort(a, diff->queue_order);
    diff_sort(b, diff->queue_order + a->count);
    return KITH_OK;
}

kith_result ki_diff_begin(ki_diff *diff, const kith_snapshot *before, const kith_snapshot *after)
{
    kith_world *world = after->world;
    *diff =
        (ki_diff){.world = world,
                  .before = before,
                  .after = after,
                  .a = before == NULL ? &ki_store_view_none : before->states[KI_SNAPSHOT_STORE],
                  .b = after->states[KI_SNAPSHOT_STORE],
                  .columns = {.heap = &world->store.context.heap, .write_clock = KI_CLOCK_START}};
    ki_slots_init(&diff->slots, 0, 1, NULL);
    KI_TRY(diff_list_components(diff));
    return diff_sort_queues(diff);
}

static kith_result diff_add_slot(void *context, uint32_t index)
{
    ki_diff *diff = context;
    if (!ki_slots_has(&diff->slots, index)) {
        KI_TRY(ki_slots_reserve(&diff->columns, &diff->slots, index));
        ki_slots_insert(&diff->slots, index);
    }
    return KITH_OK;
}

kith_result ki_diff_find_slots(ki_diff *diff)
{
    return ki_diff_each_slot(&diff->world->store, diff->a, diff->b, NULL, diff_add_slot, diff);
}

void ki_diff_end(ki_diff *diff)
{
    ki_slots_free(&diff->columns, &diff->slots);
    ki_columns_free_deferred(&diff->columns);
    ki_heap *heap = &diff->world->store.context.heap;
    ki_heap_free(heap, diff->components, diff->component_capacity * sizeof(ki_component *),
                 _Alignof(max_align_t));
    ki_heap_free(heap, diff->queue_order, diff->queue_count * sizeof(uint32_t),
                 _Alignof(max_align_t));
}

kith_entity ki_diff_entity(const ki_store_view *view, uint32_t index)
{
    const ki_record *record = ki_store_view_living(view, index);
    return record == NULL ? KITH_NONE : (kith_entity){index + 1, record->generation};
}

const ki_component *ki_diff_hasher(const kith_world *world, const kith_type *type)
{
    const ki_component *hooked = ki_world_hooked(world, type);
    return hooked == NULL || hooked->hooks->calls.hash == NULL ? NULL : hooked;
}

bool ki_diff_differs(const ki_component *hooked, const kith_field *field, const void *before,
                     const void *after)
{
    if (field == NULL) {
        return ki_hooks_hash(hooked->hooks, before) != ki_hooks_hash(hooked->hooks, after);
    }
    return field->kind != KITH_OPAQUE && /* types of a world leave padding out */
           memcmp((const char *)before + field->offset, (const char *)after + field->offset,
                  field->size) != 0;
}
