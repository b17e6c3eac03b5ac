/* Writes what differs of entities and components as bytes. */
#include <string.h>

#include "persist/diff_format.h"
#include "persist/diff_write.h"
#include "store/view_pair.h"

/* ---- Rows that may differ ---------------------------------------------------------------------- */

#define SCAN_ROWS 16u /* that are compared at once */

/* Goes through rows of two views of a column whose bytes differ, or that only the second has. */
typedef struct row_scan {
    const ki_column_view *a;
    const ki_column_view *b;
    ki_view_run run;
    uint32_t rows_a; /* rows that hold something */
    uint32_t rows_b;
    uint32_t next;
    uint32_t row; /* the one that was found; UINT32_MAX: there are no more */
} row_scan;

static bool scan_differs(const row_scan *scan, uint32_t row)
{
    size_t size = scan->b->shape.size;
    uint32_t i = row - scan->run.first;
    return row >= scan->rows_a || i >= scan->run.a_count ||
           memcmp(scan->run.a + i * size, scan->run.b + i * size, size) != 0;
}

/* The first row from `row` to `end` on whose bytes may differ: many that are equal are passed over at
 * once. */
static uint32_t scan_pass_equal(const row_scan *scan, uint32_t row, uint32_t end)
{
    size_t size = scan->b->shape.size;
    end = ki_min_u32(ki_min_u32(end, scan->rows_a), scan->run.first + scan->run.a_count);
    for (; row < end && end - row >= SCAN_ROWS; row += SCAN_ROWS) {
        size_t at = (row - scan->run.first) * size;
        if (memcmp(scan->run.a + at, scan->run.b + at, SCAN_ROWS * size) != 0) {
            break;
        }
    }
    return row;
}

static void scan_next(row_scan *scan)
{
    for (;;) {
        uint32_t end = ki_min_u32(scan->run.first + scan->run.b_count, scan->rows_b);
        uint32_t row = scan->next > scan->run.first ? scan->next : scan->run.first;
        for (; row < end; row++) {
            row = row % SCAN_ROWS == 0 ? scan_pass_equal(scan, row, end) : row;
            if (row < end && scan_differs(scan, row)) {
                scan->row = row;
                scan->next = row + 1;
                return;
            }
        }
        if (!ki_view_pair_next(scan->a, scan->b, &scan->run)) {
            scan->row = UINT32_MAX;
            scan->rows_b = 0;
            return;
        }
    }
}

/* NULL: a view of nothing. */
static row_scan scan_begin(const ki_column_view *a, uint32_t rows_a, const ki_column_view *b,
                           uint32_t rows_b)
{
    row_scan scan = {
        .a = a, .b = b, .rows_a = a == NULL ? 0 : rows_a, .rows_b = rows_b, .row = UINT32_MAX};
    if (b != NULL && rows_b != 0) {
        scan_next(&scan);
    }
    return scan;
}

/* The first row that one of the two has next, which is taken from both; UINT32_MAX: none. */
static uint32_t scan_next_of(row_scan *one, row_scan *other)
{
    uint32_t row = ki_min_u32(one->row, other->row);
    if (row != UINT32_MAX && one->row == row) {
        scan_next(one);
    }
    if (row != UINT32_MAX && other->row == row) {
        scan_next(other);
    }
    return row;
}

/* ---- Slots ------------------------------------------------------------------------------------- */

static bool slots_equal(ki_diff_slot a, ki_diff_slot b)
{
    return a.state == b.state && a.generation == b.generation && a.next == b.next;
}

static void write_slot(ki_diff_writer *to, uint32_t *next, uint32_t index)
{
    ki_diff_slot was = ki_diff_slot_of(to->diff->a, index);
    ki_diff_slot is = ki_diff_slot_of(to->diff->b, index);
    if (slots_equal(was, is)) {
        return;
    }
    ki_pack_next(&to->body, next, index);
    ki_pack_number(&to->body, is.state);
    ki_pack_number(&to->body, is.generation);
    if (is.state == KI_DIFF_FREE) {
        ki_pack_number(&to->body, is.next);
    }
    to->values.before = ki_diff_hash_slot(to->values.before, was);
}

static void write_slots(ki_diff_writer *to)
{
    const ki_store_view *a = to->diff->a;
    const ki_store_view *b = to->diff->b;
    ki_pack_number(&to->body, b->slots);
    ki_pack_number(&to->body, b->free_head);
    uint32_t next = 0;
    row_scan scan = scan_begin(ki_store_view_records(a), a->slots, ki_store_view_records(b),
                               a->entities == b->entities ? 0 : b->slots);
    for (; scan.row != UINT32_MAX; scan_next(&scan)) {
        write_slot(to, &next, scan.row);
    }
    ki_pack_number(&to->body, 0);
}

/* ---- Rows of tables and sparse sets -------------------------------------------------------------- */

/* What two views have of a table or a sparse set. */
typedef struct rows_pair {
    const ki_storage_view *a; /* NULL: nothing */
    const ki_storage_view *b;
    uint32_t entities; /* which column has the entities; those of values follow it */
    uint32_t rows_a;
    uint32_t rows_b;
} rows_pair;

static rows_pair rows_pair_of(const ki_storage_view *a, const ki_storage_view *b, uint32_t entities)
{
    return (rows_pair){.a = a,
                       .b = b,
                       .entities = entities,
                       .rows_a = a == NULL ? 0 : a->number,
                       .rows_b = b == NULL ? 0 : b->number};
}

static row_scan rows_scan(const rows_pair *rows, uint32_t column)
{
    return scan_begin(rows->a == NULL ? NULL : &rows->a->columns[column], rows->rows_a,
                      rows->b == NULL ? NULL : &rows->b->columns[column], rows->rows_b);
}

static kith_entity rows_entity(const ki_storage_view *view, const rows_pair *rows, uint32_t row)
{
    return *(const kith_entity *)ki_column_view_at(&view->columns[rows->entities], row);
}

/* The rows whose entities differ. Returns whether there are any. */
static bool write_entities(ki_diff_writer *to, const rows_pair *rows)
{
    uint32_t next = 0;
    for (row_scan scan = rows_scan(rows, rows->entities); scan.row != UINT32_MAX;
         scan_next(&scan)) {
        kith_entity was =
            scan.row < rows->rows_a ? rows_entity(rows->a, rows, scan.row) : KITH_NONE;
        ki_pack_next(&to->body, &next, scan.row);
        ki_pack_number(&to->body, rows_entity(rows->b, rows, scan.row).index1 - 1);
        to->values.before = ki_diff_hash_entity(to->values.before, was);
    }
    ki_pack_number(&to->body, 0);
    return next != 0;
}

/* The value that the entity of a row had in the older snapshot; NULL: none. */
static const void *write_base(const ki_diff_writer *to, const rows_pair *rows, uint32_t column,
                              const ki_component *component, uint32_t row)
{
    kith_entity entity = rows_entity(rows->b, rows, row);
    if (row < rows->rows_a && kith_entity_equal(rows_entity(rows->a, rows, row), entity)) {
        return ki_column_view_at(&rows->a->columns[column], row);
    }
    uint32_t index = entity.index1 - 1;
    return kith_entity_equal(ki_diff_entity(to->diff->a, index), entity)
               ? ki_store_view_value(&to->diff->world->store, to->diff->a, component, index)
               : NULL;
}

/* The rows with other values: where bytes differ, or entities do, which some do with `moved`. */
static bool write_values(ki_diff_writer *to, const rows_pair *rows, bool moved, uint32_t column,
                         const ki_component *component)
{
    uint32_t next = 0;
    row_scan entities = moved ? rows_scan(rows, rows->entities) : scan_begin(NULL, 0, NULL, 0);
    row_scan values = rows_scan(rows, column);
    for (uint32_t row; (row = scan_next_of(&entities, &values)) != UINT32_MAX;) {
        const void *was = write_base(to, rows, column, component, row);
        const void *is = ki_column_view_at(&rows->b->columns[column], row);
        if (ki_diff_writer_differs(to, component->type, was, is)) {
            ki_pack_next(&to->body, &next, row);
            ki_pack_value(&to->values, component->type, was, is);
        }
    }
    ki_pack_number(&to->body, 0);
    return next != 0;
}

/* Returns whether anything differs. `ids` are those of the components. */
static bool write_rows(ki_diff_writer *to, const rows_pair *rows, const uint32_t *ids,
                       uint32_t count)
{
    ki_pack_number(&to->body, rows->rows_b);
    to->values.before = ki_hash_u64(to->values.before, rows->rows_a);
    bool moved = write_entities(to, rows);
    bool differ = moved || rows->rows_a != rows->rows_b;
    for (uint32_t i = 0; i < count; i++) {
        const ki_component *component = ki_store_component(&to->diff->world->store, ids[i]);
        if (component->type->size != 0) {
            differ = write_values(to, rows, moved, rows->entities + 1 + i, component) || differ;
        }
    }
    return differ;
}

static void write_table(ki_diff_writer *to, uint32_t id)
{
    const ki_storage_view *a = ki_store_view_table(to->diff->a, id);
    const ki_storage_view *b = ki_store_view_table(to->diff->b, id);
    if (a == b) {
        return;
    }
    const ki_diff_mark mark = ki_diff_writer_mark(to);
    const ki_store *store = &to->diff->world->store;
    const ki_table *table = store->tables[id];
    uint32_t count = table->rows.column_count;
    ki_pack_number(&to->body, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const kith_type *type = ki_store_component(store, table->ids[i])->type;
        ki_pack_number(&to->body, ki_diff_writer_type(to, type));
    }
    const rows_pair rows = rows_pair_of(a, b, 0);
    if (!write_rows(to, &rows, table->ids, count)) {
        ki_diff_writer_return(to, mark);
    }
}

static void write_sparse(ki_diff_writer *to, const ki_component *component,
                         const ki_storage_view *a, const ki_storage_view *b)
{
    const ki_diff_mark mark = ki_diff_writer_mark(to);
    ki_pack_number(&to->body, ki_diff_writer_type(to, component->type) + 1);
    const rows_pair rows = rows_pair_of(a, b, 1);
    if (!write_rows(to, &rows, &component->id, 1)) {
        ki_diff_writer_return(to, mark);
    }
}

/* ---- Components by slot -------------------------------------------------------------------------- */

/* Goes through slots whose presence differs. */
typedef struct bit_scan {
    const ki_column_view *a;
    const ki_column_view *b;
    ki_view_run run;
    uint32_t word;
    uint64_t bits; /* those that differ, of the word before `word` */
    uint32_t slot; /* the one that was found; UINT32_MAX: there are no more */
} bit_scan;

static void bits_next(bit_scan *scan)
{
    while (scan->bits == 0) {
        if (scan->word >= scan->run.first + scan->run.count) {
            if (!ki_view_pair_next(scan->a, scan->b, &scan->run)) {
                scan->slot = UINT32_MAX;
                return;
            }
            scan->word = scan->run.first;
        }
        uint32_t i = scan->word++ - scan->run.first;
        const uint64_t *was = (const void *)scan->run.a;
        const uint64_t *is = (const void *)scan->run.b;
        scan->bits = (i < scan->run.a_count ? was[i] : 0) ^ (i < scan->run.b_count ? is[i] : 0);
    }
    scan->slot = (scan->word - 1) * 64 + ki_lowest_bit(scan->bits);
    scan->bits &= scan->bits - 1;
}

static void write_slot_value(ki_diff_writer *to, const ki_component *component, uint32_t *next,
                             uint32_t slot)
{
    const ki_store *store = &to->diff->world->store;
    const void *was = ki_store_view_value(store, to->diff->a, component, slot);
    const void *is = ki_store_view_value(store, to->diff->b, component, slot);
    bool differs = is != NULL && component->type->size != 0 &&
                   ki_diff_writer_differs(to, component->type, was, is);
    if ((was == NULL) == (is == NULL) && !differs) {
        return;
    }
    ki_pack_next(&to->body, next, slot);
    to->values.before = ki_hash_u64(to->values.before, was != NULL);
    ki_pack_number(&to->body, is != NULL);
    if (is != NULL && component->type->size != 0) {
        ki_pack_value(&to->values, component->type, was, is);
    }
}

static void write_by_slot(ki_diff_writer *to, const ki_component *component,
                          const ki_storage_view *a, const ki_storage_view *b)
{
    const ki_diff_mark mark = ki_diff_writer_mark(to);
    bool tag = component->type->size == 0;
    bit_scan bits = {.a = a == NULL ? NULL : &a->columns[0],
                     .b = b == NULL ? NULL : &b->columns[0]};
    row_scan values = scan_begin(a == NULL || tag ? NULL : &a->columns[1], UINT32_MAX,
                                 b == NULL || tag ? NULL : &b->columns[1], UINT32_MAX);
    uint32_t next = 0;
    ki_pack_number(&to->body, ki_diff_writer_type(to, component->type) + 1);
    bits_next(&bits);
    for (;;) {
        uint32_t slot = ki_min_u32(bits.slot, values.row);
        if (slot == UINT32_MAX) {
            break;
        }
        if (values.row == slot) {
            scan_next(&values);
        }
        if (bits.slot == slot) {
            bits_next(&bits);
        }
        write_slot_value(to, component, &next, slot);
    }
    ki_pack_number(&to->body, 0);
    if (next == 0) {
        ki_diff_writer_return(to, mark);
    }
}

/* All components of a layout, in order of names. */
static void write_layout(ki_diff_writer *to, kith_layout layout)
{
    for (uint32_t i = 0; i < to->diff->component_count; i++) {
        const ki_component *component = to->diff->components[i];
        if (component->layout != layout || component->transient) {
            continue;
        }
        const ki_storage_view *a = ki_store_view_other(to->diff->a, component->other);
        const ki_storage_view *b = ki_store_view_other(to->diff->b, component->other);
        if (a != b && layout == KITH_SPARSE) {
            write_sparse(to, component, a, b);
        } else if (a != b) {
            write_by_slot(to, component, a, b);
        }
    }
    ki_pack_number(&to->body, 0);
}

void ki_diff_write_store(ki_diff_writer *to)
{
    uint32_t tables = to->diff->a->table_count > to->diff->b->table_count
                          ? to->diff->a->table_count
                          : to->diff->b->table_count;
    write_slots(to);
    for (uint32_t id = 0; id < tables; id++) {
        write_table(to, id);
    }
    ki_pack_number(&to->body, 0);
    write_layout(to, KITH_SPARSE);
    write_layout(to, KITH_SLOT);
}
