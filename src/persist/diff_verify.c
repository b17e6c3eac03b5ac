/* Whether entities and components that were edited fit together. What did not change is as it was: so
 * only blocks that two views do not share are looked at, and where entities were that moved or ended. */
#include "persist/diff_edit.h"
#include "store/view_pair.h"

static const char verify_place[] = "each entity in one row";
static const char verify_free[] = "a list of all free slots";
static const char verify_dead[] = "components of living entities only";

/* Rows of a table or a sparse set, in both views. */
typedef struct verified_rows {
    const ki_storage_view *a; /* NULL: nothing */
    const ki_storage_view *b;
    uint32_t entities; /* which column has them */
    uint32_t table;    /* its id, */
    const ki_storage_view
        *index; /* or what a sparse set has in `b`, whose first column is the index */
} verified_rows;

static kith_entity verify_entity(const ki_storage_view *view, uint32_t entities, uint32_t row)
{
    return *(const kith_entity *)ki_column_view_at(&view->columns[entities], row);
}

static bool verify_lives(const ki_store_view *view, kith_entity entity)
{
    const ki_record *record = ki_store_view_living(view, entity.index1 - 1);
    return record != NULL && record->generation == entity.generation;
}

/* The row plus one of a slot in a sparse set. */
static uint32_t verify_row1(const ki_storage_view *set, uint32_t index)
{
    const uint32_t *row1 = set == NULL ? NULL : ki_column_view_at(&set->columns[0], index);
    return row1 == NULL ? 0 : *row1;
}

/* Whether a living entity is known to be in a row of the newer view. */
static bool verify_leads_to(const ki_store_view *b, const verified_rows *rows, kith_entity entity,
                            uint32_t row)
{
    if (!verify_lives(b, entity)) {
        return false;
    }
    if (rows->index != NULL) {
        return verify_row1(rows->index, entity.index1 - 1) == row + 1;
    }
    const ki_record *record = ki_store_view_living(b, entity.index1 - 1);
    return record->table == rows->table && record->row == row;
}

/* The entities in rows that changed lead to them, and those in rows that went to none of these. */
static bool verify_rows(const ki_store_view *b, const verified_rows *rows)
{
    uint32_t was = rows->a == NULL ? 0 : rows->a->number;
    uint32_t is = rows->b == NULL ? 0 : rows->b->number;
    bool right = true;
    const ki_column_view *before = rows->a == NULL ? NULL : &rows->a->columns[rows->entities];
    const ki_column_view *after = rows->b == NULL ? NULL : &rows->b->columns[rows->entities];
    for (ki_view_run run = {0}; right && ki_view_pair_next(before, after, &run);) {
        uint32_t end = ki_min_u32(run.first + run.b_count, is);
        for (uint32_t row = run.first; row < end && right; row++) {
            right = verify_leads_to(b, rows, verify_entity(rows->b, rows->entities, row), row);
        }
    }
    for (uint32_t row = is; row < was && right; row++) {
        right = !verify_leads_to(b, rows, verify_entity(rows->a, rows->entities, row), row);
    }
    return right;
}

/* Whether a row of the newer view is there and has the entity. */
static bool verify_has(const ki_storage_view *view, uint32_t entities, uint32_t row,
                       kith_entity entity)
{
    return view != NULL && row < view->number &&
           kith_entity_equal(verify_entity(view, entities, row), entity);
}

/* ---- Tables, by slot ----------------------------------------------------------------------------- */

/* Whether a slot has none of the components that an entity had that ended in it. */
static bool verify_left(const ki_store *store, const ki_store_view *b, uint32_t index,
                        kith_entity ended)
{
    for (uint32_t other = 0; other < b->other_count; other++) {
        const ki_component *component = store->storages[other];
        const ki_storage_view *set = ki_store_view_other(b, other);
        if (set == NULL) {
            continue;
        }
        if (component->layout == KITH_SLOT) {
            if (ki_store_view_has(store, b, component, index) &&
                ki_store_view_living(b, index) == NULL) {
                return false;
            }
        } else {
            uint32_t row1 = verify_row1(set, index);
            if (row1 != 0 && verify_has(set, 1, row1 - 1, ended)) {
                return false;
            }
        }
    }
    return true;
}

/* A slot whose record may have changed. */
static const char *verify_slot(const ki_store *store, const ki_store_view *a,
                               const ki_store_view *b, uint32_t index)
{
    const ki_record *was = ki_store_view_living(a, index);
    const ki_record *is = ki_store_view_living(b, index);
    if (is != NULL) {
        kith_entity entity = {index + 1, is->generation};
        if (is->table >= b->table_count ||
            !verify_has(ki_store_view_table(b, is->table), 0, is->row, entity)) {
            return verify_place;
        }
    }
    if (was == NULL) {
        return NULL;
    }
    kith_entity old = {index + 1, was->generation};
    bool stays = is != NULL && is->generation == was->generation;
    if (!(stays && is->table == was->table && is->row == was->row) &&
        verify_has(ki_store_view_table(b, was->table), 0, was->row, old)) {
        return verify_place;
    }
    return stays || verify_left(store, b, index, old) ? NULL : verify_dead;
}

static const char *verify_records(const ki_store *store, const ki_store_view *a,
                                  const ki_store_view *b)
{
    const char *wrong = NULL;
    uint32_t slots = a->slots > b->slots ? a->slots : b->slots;
    for (ki_view_run run = {0};
         ki_view_pair_next(&a->entities->columns[0], &b->entities->columns[0], &run);) {
        uint32_t end = ki_min_u32(run.first + run.count, slots);
        for (uint32_t index = run.first; index < end && wrong == NULL; index++) {
            wrong = verify_slot(store, a, b, index);
        }
    }
    for (uint32_t index = b->slots; index < a->slots && wrong == NULL; index++) {
        wrong = verify_slot(store, a, b, index);
    }
    return wrong;
}

/* Whether the list of free slots has each once. It ends, and is as long as there are free ones. */
static bool verify_free_list(const ki_store_view *b)
{
    uint32_t listed = 0;
    uint32_t index1 = b->free_head;
    while (index1 != 0) {
        const ki_diff_slot slot = ki_diff_slot_of(b, index1 - 1);
        if (slot.state != KI_DIFF_FREE || listed == b->empty - b->retired) {
            return false;
        }
        listed++;
        index1 = slot.next;
    }
    return listed == b->empty - b->retired;
}

static bool verify_tables(const ki_store_view *a, const ki_store_view *b)
{
    bool right = true;
    for (uint32_t id = 0; id < b->table_count && right; id++) {
        const verified_rows rows = {
            .a = ki_store_view_table(a, id), .b = ki_store_view_table(b, id), .table = id};
        right = rows.a == rows.b || verify_rows(b, &rows);
    }
    return right;
}

/* ---- Other layouts ------------------------------------------------------------------------------- */

/* What the index of a sparse set has changed leads to rows that lead back. */
static bool verify_index(const ki_store_view *b, const ki_storage_view *was,
                         const ki_storage_view *is)
{
    bool right = true;
    for (ki_view_run run = {0}; right && ki_view_pair_next(was == NULL ? NULL : &was->columns[0],
                                                           &is->columns[0], &run);) {
        for (uint32_t i = 0; i < run.count && right; i++) {
            uint32_t row1 = verify_row1(is, run.first + i);
            uint32_t before = verify_row1(was, run.first + i);
            if (row1 != 0) {
                right = row1 <= is->number &&
                        verify_entity(is, 1, row1 - 1).index1 == run.first + i + 1 &&
                        verify_lives(b, verify_entity(is, 1, row1 - 1));
            }
            if (right && before != 0 && before != row1 && before <= is->number) {
                right = verify_entity(is, 1, before - 1).index1 != run.first + i + 1;
            }
        }
    }
    return right;
}

static bool verify_bits(const ki_store_view *b, const ki_storage_view *was,
                        const ki_storage_view *is)
{
    for (ki_view_run run = {0};
         ki_view_pair_next(was == NULL ? NULL : &was->columns[0], &is->columns[0], &run);) {
        const uint64_t *words = (const void *)run.b;
        for (uint32_t i = 0; i < run.b_count; i++) {
            for (uint64_t bits = words[i]; bits != 0; bits &= bits - 1) {
                uint32_t index = (run.first + i) * 64 + ki_lowest_bit(bits);
                if (ki_store_view_living(b, index) == NULL) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool verify_others(const ki_store *store, const ki_store_view *a, const ki_store_view *b)
{
    bool right = true;
    for (uint32_t other = 0; other < b->other_count && right; other++) {
        const ki_storage_view *was = ki_store_view_other(a, other);
        const ki_storage_view *is = ki_store_view_other(b, other);
        if (was == is || is == NULL) {
            continue;
        }
        if (store->storages[other]->layout == KITH_SLOT) {
            right = verify_bits(b, was, is);
        } else {
            const verified_rows rows = {.a = was, .b = is, .entities = 1, .index = is};
            right = verify_rows(b, &rows) && verify_index(b, was, is);
        }
    }
    return right;
}

const char *ki_diff_verify(const ki_store *store, const ki_store_view *a, const ki_store_view *b)
{
    ki_view_run run = {0};
    bool same = a->slots == b->slots && a->free_head == b->free_head &&
                !ki_view_pair_next(&a->entities->columns[0], &b->entities->columns[0], &run);
    if (!same && !verify_free_list(b)) {
        return verify_free;
    }
    const char *wrong = verify_records(store, a, b);
    if (wrong != NULL) {
        return wrong;
    }
    return !verify_tables(a, b) ? verify_place : !verify_others(store, a, b) ? verify_dead : NULL;
}
