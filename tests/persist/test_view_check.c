/* kith_world_check finds what is wrong with what snapshots share, and names it. */
#include <kith/kith.h>

#include "components.h"
#include "store/block.h"
#include "store/store_view.h"
#include "test.h"
#include "world/world.h"

static void check_wrong(fixture *f, const char *message)
{
    CHECK_RESULT(kith_world_check(f->world), KITH_ERR_CORRUPT);
    CHECK_CONTAINS(kith_error(f->world), message);
}

/* Tries another number there. */
static void break_count(fixture *f, uint32_t *count, uint32_t wrong, const char *message)
{
    uint32_t right = *count;
    *count = wrong;
    check_wrong(f, message);
    CHECK_UINT(*count, wrong);
    *count = right;
    CHECK_WORLD(f->world);
}

static fixture fixture_with_rows(uint32_t rows, kith_snapshot **first, kith_snapshot **second)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_values values = {&Position_type, NULL, false};
    CHECK_RESULT(kith_spawn_many(f.world, rows, &values, 1, NULL), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(f.world, first), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, kith_entity_next(f.world, KITH_NONE), Position, {1, 2}),
                 KITH_OK);
    CHECK_RESULT(kith_snapshot_take(f.world, second), KITH_OK);
    CHECK_WORLD(f.world);
    return f;
}

TEST(a_storage_has_a_wrong_number_of_holders)
{
    kith_snapshot *first, *second;
    fixture f = fixture_with_rows(10, &first, &second);
    ki_storage_view *entities = f.world->store.views->entities;
    CHECK_UINT(entities->owners, 2);
    break_count(&f, &entities->owners, 1, "more or fewer holders");
    break_count(&f, &entities->owners, 3, "more or fewer holders");
    fixture_free(&f);
}

TEST(a_chunk_has_a_wrong_number_of_holders)
{
    kith_snapshot *first, *second;
    fixture f = fixture_with_rows(40000, &first, &second);
    const ki_record *record = ki_record_at(&f.world->store.entities, 0);
    ki_column_view *positions =
        &ki_store_view_table(f.world->store.views, record->table)->columns[1];
    CHECK_UINT(positions->chunks[0]->owners, 1); /* a block of it was written in between */
    CHECK_UINT(positions->chunks[1]->owners, 2);
    break_count(&f, &positions->chunks[1]->owners, 1, "more or fewer holders");
    break_count(&f, &positions->chunks[1]->owners, 3, "more or fewer holders");
    break_count(&f, &positions->chunks[0]->owners, 2, "more or fewer holders");
    fixture_free(&f);
}

/* Two snapshots without a change of a table between them have one list of tables. */
TEST(a_list_of_tables_has_a_wrong_number_of_holders)
{
    kith_snapshot *first, *second, *third;
    fixture f = fixture_with_rows(10, &first, &second);
    CHECK_RESULT(kith_snapshot_take(f.world, &third), KITH_OK);
    ki_tables_view *tables = f.world->store.views->tables[0];
    CHECK_UINT(tables->owners, 2);
    break_count(&f, &tables->owners, 1, "more or fewer holders");
    break_count(&f, &tables->owners, 3, "more or fewer holders");
    fixture_free(&f);
}

TEST(a_table_that_changed_is_not_noted)
{
    kith_snapshot *first, *second;
    fixture f = fixture_with_rows(10, &first, &second);
    kith_entity e = kith_entity_next(f.world, KITH_NONE);
    const uint32_t table = ki_record_of(&f.world->store.entities, e)->table;
    ki_bitset *changed = &f.world->store.columns.changed;
    CHECK(!ki_bitset_has(changed, table));
    CHECK_RESULT(KITH_SET(f.world, e, Position, {3, 4}), KITH_OK);
    CHECK(ki_bitset_has(changed, table));
    ki_bitset_remove(changed, table);
    check_wrong(&f, "a table changed since the last view, and is not noted");
    ki_bitset_insert(changed, table);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(a_block_has_fewer_holders_than_it_should)
{
    kith_snapshot *first, *second;
    fixture f = fixture_with_rows(10, &first, &second);
    const ki_column *records = &f.world->store.entities.records;
    ki_block_tail *tail =
        ki_block_tail_of(records, records->blocks[0].data, ki_block_rows(records));
    CHECK_UINT(tail->owners, 2); /* the column, and the one view that both snapshots have */
    break_count(&f, &tail->owners, 1, "a block has more holders than it counts");
    fixture_free(&f);
}

TEST(a_view_is_not_where_it_should_be)
{
    kith_snapshot *first, *second;
    fixture f = fixture_with_rows(10, &first, &second);
    ki_store *store = &f.world->store;
    ki_store_view *last = store->views;
    CHECK(store->viewed == last);
    store->viewed = (const ki_store_view *)(const void *)&f;
    check_wrong(&f, "the view that was last taken or restored is gone");
    store->viewed = last;
    kith_snapshot_free(second);
    CHECK_PTR_NULL(store->viewed);
    CHECK_WORLD(f.world);
    last = store->views;
    store->views = NULL;
    check_wrong(&f, "a snapshot has no view of its world, or a view no snapshot");
    store->views = last;
    fixture_free(&f);
}
