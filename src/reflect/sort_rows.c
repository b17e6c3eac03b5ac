/* Sorts rows: first finds out for each table whether it is in order, and if not, in which order its rows
 * shall be, which moves nothing; then marks all that will move; then moves it. */
#include "base/sort.h"
#include "reflect/sort_keys.h"
#include "reflect/sort_places.h"
#include "store/field_names.h"
#include "store/permute.h"
#include "world/first_use.h"

#define SORT_CHUNK 256u      /* keys on the stack */
#define SORT_BY_KEYS_MIN 64u /* for fewer rows it is faster to compare */

/* A table, or a set, that is not in order. */
typedef struct sort_part {
    ki_permutation permutation;
    const ki_column *values;
} sort_part;

typedef struct sorting {
    ki_store *store;
    ki_component *component; /* NULL: the world does not know it */
    ki_sort_by by;
    kith_order order; /* along the hierarchy; KITH_SCAN_ORDER: by values */
    ki_sort_places places; /* for that */
    sort_part *parts;
    uint32_t part_count;
    uint32_t part_capacity;
    uint64_t rows;      /* of all parts, */
    uint32_t rows_most; /* and of the largest */
    uint32_t *orders;   /* of all parts */
    void *scratch;      /* for one of them */
    void *value;        /* room for a value of any column that moves */
    uint32_t value_size;
    uint32_t value_align;
} sorting;

/* ---- What is asked for ------------------------------------------------------------------------- */

static kith_result sort_find_field(sorting *s, const kith_type *type, const kith_sort_def *def)
{
    ki_context *context = &s->store->context;
    kith_field *field = &s->by.field;
    KI_TRY(ki_field_locate(context, "kith_sort", KITH_ERR_UNKNOWN, type, def->field, field));
    if (field->kind == KITH_BYTES || field->kind == KITH_OPAQUE) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_sort: %s.%s is %s, which has no order; give `compare` instead",
                       type->name, def->field, kith_kind_name(field->kind));
    }
    uint32_t one = kith_kind_size(field->kind);
    if (field->size != one && field->kind != KITH_CHAR) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_sort: %s.%s is %u values of %s, which have no order together; name one"
                       " of them, as in \"%s[0]\", or give `compare`",
                       type->name, def->field, field->size / one, kith_kind_name(field->kind),
                       def->field);
    }
    return KITH_OK;
}

static kith_result sort_read_def(sorting *s, const kith_sort_def *def)
{
    ki_context *context = &s->store->context;
    const kith_type *type = s->component != NULL ? s->component->type : def->type;
    kith_layout layout = s->component != NULL ? s->component->layout : type->layout;
    const int given =
        (def->field != NULL) + (def->compare != NULL) + (def->order != KITH_SCAN_ORDER);
    if (given != 1) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_sort: %s: give `field`, `compare` or `order`, %s", type->name,
                       given == 0 ? "one of them" : "not several");
    }
    if ((uint32_t)def->order > KITH_CHILDREN_FIRST) {
        return ki_fail(context, KITH_ERR_INPUT, "kith_sort: %s: `order` is no kith_order",
                       type->name);
    }
    if (layout == KITH_SLOT) {
        return ki_fail(
            context, KITH_ERR_INPUT,
            "kith_sort: %s is KITH_SLOT: its values stay where their entities' slots are;"
            " sort by a KITH_TABLE or KITH_SPARSE component",
            type->name);
    }
    if (type->size == 0 && def->order == KITH_SCAN_ORDER) {
        return ki_fail(context, KITH_ERR_INPUT, "kith_sort: %s is a tag, and has no values",
                       type->name);
    }
    return def->field != NULL ? sort_find_field(s, type, def) : KITH_OK;
}

/* ---- What is not in order ---------------------------------------------------------------------- */

static bool sort_keys_ascend(const sorting *s, const ki_column *values, uint32_t count)
{
    uint64_t keys[SORT_CHUNK];
    uint64_t last = 0;
    for (uint32_t first = 0, step; first < count; first += step) {
        step = ki_min_u32(SORT_CHUNK, count - first);
        ki_sort_keys(&s->by, values, first, step, keys);
        for (uint32_t i = 0; i < step; i++) {
            if (keys[i] < last) {
                return false;
            }
            last = keys[i];
        }
    }
    return true;
}

static bool sort_is_in_order(const sorting *s, const ki_column *values, uint32_t count)
{
    if (ki_sort_has_keys(&s->by)) {
        return sort_keys_ascend(s, values, count);
    }
    for (uint32_t row = 1; row < count; row++) {
        if (ki_sort_is_before(&s->by, ki_column_at(values, row), ki_column_at(values, row - 1))) {
            return false;
        }
    }
    return true;
}

static void sort_make_room_for(sorting *s, const ki_column *column)
{
    s->value_size = column->size > s->value_size ? column->size : s->value_size;
    s->value_align = column->align > s->value_align ? column->align : s->value_align;
}

/* Adds a table, or a set, unless it is in order. */
static kith_result sort_add_part(sorting *s, ki_rows *rows, ki_sparse *set, const ki_column *values)
{
    values = s->order != KITH_SCAN_ORDER ? &rows->entities : values;
    if (sort_is_in_order(s, values, rows->count)) {
        return KITH_OK;
    }
    KI_TRY(ki_heap_grow(&s->store->context.heap, &s->parts, &s->part_capacity, s->part_count + 1,
                        sizeof *s->parts, 4));
    s->parts[s->part_count++] =
        (sort_part){.permutation = {.rows = rows, .set = set}, .values = values};
    s->rows += rows->count;
    s->rows_most = rows->count > s->rows_most ? rows->count : s->rows_most;
    sort_make_room_for(s, &rows->entities);
    for (uint32_t i = 0; i < rows->column_count; i++) {
        sort_make_room_for(s, &rows->columns[i]);
    }
    return KITH_OK;
}

static bool sort_table_is_before(const void *context, uint32_t a, uint32_t b)
{
    const ki_store *store = context;
    return ki_table_compare(store->tables[a], store->tables[b]) < 0;
}

/* Adds the entities of all tables that have no parent, in the order in which loops visit the tables. The
 * numbers of tables tell none: a call that fails may leave a table. */
static kith_result sort_add_roots(sorting *s)
{
    ki_heap *heap = &s->store->context.heap;
    const ki_bitset *tables = &s->component->in.tables;
    uint32_t count = 0;
    for (uint32_t id = ki_bitset_next(tables, 0); id != UINT32_MAX;
         id = ki_bitset_next(tables, id + 1)) {
        count++;
    }
    const size_t bytes = ki_heap_bytes(count, sizeof(uint32_t));
    uint32_t *ids = ki_heap_alloc(heap, bytes, _Alignof(uint32_t));
    if (ids == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t id = 0;
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = ki_bitset_next(tables, id);
        id = ids[i] + 1;
    }
    ki_sort(ids, count, sort_table_is_before, s->store);
    for (uint32_t i = 0; i < count; i++) {
        ki_sort_places_add_roots(&s->places, s->store, &s->store->tables[ids[i]]->rows);
    }
    ki_heap_free(heap, ids, bytes, _Alignof(uint32_t));
    return KITH_OK;
}

/* Finds the place of each entity in the hierarchy. */
static kith_result sort_find_places(sorting *s)
{
    KI_TRY(ki_sort_places_begin(&s->places, s->store));
    if (s->component->layout == KITH_SPARSE) {
        ki_sort_places_add_roots(&s->places, s->store, &s->component->in.sparse.rows);
    } else {
        KI_TRY(sort_add_roots(s));
    }
    ki_sort_places_end(&s->places, s->store, s->order);
    s->by.places = s->places.of;
    return KITH_OK;
}

static kith_result sort_find_parts(sorting *s)
{
    ki_component *component = s->component;
    if (component->layout == KITH_SPARSE) {
        ki_sparse *set = &component->in.sparse;
        return sort_add_part(s, &set->rows, set, &set->values);
    }
    const ki_bitset *tables = &component->in.tables;
    for (uint32_t id = ki_bitset_next(tables, 0); id != UINT32_MAX;
         id = ki_bitset_next(tables, id + 1)) {
        ki_table *table = s->store->tables[id];
        KI_TRY(sort_add_part(s, &table->rows, NULL, ki_table_column(table, component->id)));
    }
    return KITH_OK;
}

/* ---- In which order it shall be ---------------------------------------------------------------- */

static uint64_t sort_scratch_bytes(const sorting *s)
{
    uint64_t keyed = ki_sort_has_keys(&s->by)
                         ? (uint64_t)s->rows_most * (sizeof(uint64_t) + 2 * sizeof(ki_keyed_number))
                         : 0;
    uint64_t moves = ki_permute_scratch(s->rows_most) * sizeof(uint32_t);
    return keyed > moves ? keyed : moves;
}

static kith_result sort_take_room(sorting *s)
{
    ki_heap *heap = &s->store->context.heap;
    s->orders =
        ki_heap_alloc(heap, ki_heap_bytes(s->rows, sizeof(uint32_t)), _Alignof(max_align_t));
    s->scratch =
        ki_heap_alloc(heap, ki_heap_bytes(sort_scratch_bytes(s), 1), _Alignof(max_align_t));
    s->value = ki_heap_alloc(heap, s->value_size, s->value_align);
    return s->orders != NULL && s->scratch != NULL && s->value != NULL ? KITH_OK : KITH_ERR_MEMORY;
}

static bool sort_key_is_less(const void *context, uint32_t a, uint32_t b)
{
    const uint64_t *keys = context;
    return keys[a] < keys[b];
}

/* What rows are compared with. */
typedef struct sort_rows {
    const ki_sort_by *by;
    const ki_column *values;
} sort_rows;

static bool sort_row_is_before(const void *context, uint32_t a, uint32_t b)
{
    const sort_rows *rows = context;
    return ki_sort_is_before(rows->by, ki_column_at(rows->values, a),
                             ki_column_at(rows->values, b));
}

/* Finds the order of one part. */
static void sort_find_order(const sorting *s, const sort_part *part)
{
    uint32_t count = part->permutation.rows->count;
    uint32_t *order = part->permutation.order;
    uint64_t *keys = s->scratch;
    bool keyed = ki_sort_has_keys(&s->by);
    if (keyed) {
        ki_sort_keys(&s->by, part->values, 0, count, keys);
    }
    if (keyed && count >= SORT_BY_KEYS_MIN) {
        ki_sort_by_keys(order, keys, count, (ki_keyed_number *)(void *)(keys + count));
        return;
    }
    for (uint32_t row = 0; row < count; row++) {
        order[row] = row;
    }
    if (keyed) {
        ki_sort_stable(order, (uint32_t *)(void *)(keys + count), count, sort_key_is_less, keys);
    } else {
        sort_rows rows = {&s->by, part->values};
        ki_sort_stable(order, s->scratch, count, sort_row_is_before, &rows);
    }
}

/* Finds what is not in order, and the order that it shall have. Nobody may call into the world
 * meanwhile, since `compare` is the program's. */
static kith_result sort_find_orders(sorting *s)
{
    KI_TRY(s->order != KITH_SCAN_ORDER ? sort_find_places(s) : KITH_OK);
    KI_TRY(sort_find_parts(s));
    if (s->part_count == 0) {
        return KITH_OK;
    }
    KI_TRY(sort_take_room(s));
    uint32_t *order = s->orders;
    for (uint32_t i = 0; i < s->part_count; i++) {
        s->parts[i].permutation.order = order;
        order += s->parts[i].permutation.rows->count;
        sort_find_order(s, &s->parts[i]);
    }
    return KITH_OK;
}

/* ---- Moving it --------------------------------------------------------------------------------- */

static kith_result sort_move(const sorting *s)
{
    ki_store *store = s->store;
    for (uint32_t i = 0; i < s->part_count; i++) {
        if (!ki_permute_mark(&store->columns, &store->entities, &s->parts[i].permutation)) {
            return KITH_ERR_MEMORY;
        }
    }
    for (uint32_t i = 0; i < s->part_count; i++) {
        ki_permute(&store->entities, &s->parts[i].permutation, s->scratch, s->value);
    }
    return KITH_OK;
}

static void sort_end(sorting *s)
{
    ki_heap *heap = &s->store->context.heap;
    ki_sort_places_free(&s->places, s->store);
    ki_heap_free(heap, s->value, s->value_size, s->value_align);
    ki_heap_free(heap, s->scratch, ki_heap_bytes(sort_scratch_bytes(s), 1), _Alignof(max_align_t));
    ki_heap_free(heap, s->orders, ki_heap_bytes(s->rows, sizeof(uint32_t)), _Alignof(max_align_t));
    ki_heap_free(heap, s->parts, s->part_capacity * sizeof *s->parts, _Alignof(max_align_t));
}

kith_result kith_sort(kith_world *world, const kith_sort_def *def)
{
    KI_TRY(ki_world_begin_change(world, "kith_sort"));
    if (KI_CHECKED && def == NULL) {
        return ki_misuse(&world->store.context, "kith_sort: the definition is NULL");
    }
    sorting s = {.store = &world->store,
                 .order = def->order,
                 .by = {.compare = def->compare,
                        .user = def->user,
                        .texts = world->texts,
                        .descending = def->descending}};
    kith_result found = ki_world_look_up(world, "kith_sort", def->type, &s.component);
    if (found == KITH_ERR_MISUSE) {
        return found;
    }
    KI_TRY(sort_read_def(&s, def));
    if (s.component == NULL) {
        return KITH_OK; /* nobody has one yet */
    }
    ki_world_close(world, "kith_sort is under way; its `compare` must not call into the world");
    kith_result result = sort_find_orders(&s);
    ki_world_open(world);
    if (result == KITH_OK) {
        result = sort_move(&s);
    }
    sort_end(&s);
    return result == KITH_OK ? KITH_OK : ki_without_message(&world->store.context.heap, result);
}
