/* kith_world_check finds what is broken, and names it: each invariant is broken in memory, told, and
 * mended again. Without this, a check that looks at nothing would let every other test pass. */
#include <kith/kith.h>
#include <string.h>

#include "command/buffer.h"
#include "components.h"
#include "nothing.h"
#include "owned.h"
#include "query/matches.h"
#include "share.h"
#include "system/system_state.h"
#include "test.h"
#include "world/world.h"

/* A world with something everywhere: entities alive, dead and retired, all layouts, a query, a system,
 * events. */
typedef struct stage {
    fixture f;
    ki_store *store;
    kith_query *query;
    kith_entity e[4]; /* 0 and 1 are alike, 2 has more, 3 is dead */
} stage;

static void look(kith_iter *it)
{
    while (kith_next(it)) {
    }
}

static stage stage_new(void)
{
    static const kith_type *const types[] = {&Position_type, &Velocity_type, &Health_type,
                                             &Frozen_type,   &Extra_type,    &Byte_type};
    stage s = {.f = fixture_new()};
    kith_world *w = s.f.world;
    s.store = &w->store;
    for (uint32_t i = 0; i < 6; i++) {
        const kith_component_def def = {.layout = (kith_layout)(i % LAYOUT_COUNT)};
        CHECK_RESULT(kith_register(w, types[i], &def), KITH_OK);
    }
    /* Position and Frozen in tables, Velocity and Extra sparse, Health and Byte by slot. */
    for (int i = 0; i < 4; i++) {
        s.e[i] = KITH_SPAWN(w, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(Velocity),
                            KITH_VALUE(Health, {i, i}));
    }
    CHECK_RESULT(KITH_ADD(w, s.e[2], Frozen), KITH_OK);
    CHECK_RESULT(kith_despawn(w, s.e[3]), KITH_OK);
    s.query = KITH_QUERY(w, KITH_READ(Position));
    kith_iter it = kith_query_iter(s.query);
    while (kith_next(&it)) {
    }
    const kith_system_def systems[] = {{.name = "first", .update = update_nothing},
                                       {.name = "second", .priority = 1, .update = update_nothing}};
    CHECK_RESULT(kith_system_add(w, &systems[0]), KITH_OK);
    CHECK_RESULT(kith_system_add(w, &systems[1]), KITH_OK);
    CHECK_RESULT(KITH_SEND(w, Name, {"event"}), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(w, Name, {"resource"}), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(w, Extra, {1, 2, 3}), KITH_OK);
    CHECK_WORLD(w);
    return s;
}

static void check_broken(const char *file, int line, stage *s, void *at, const void *value,
                         size_t size, const char *message)
{
    unsigned char old[1024];
    CHECK(size <= sizeof old);
    memcpy(old, at, size);
    memcpy(at, value, size);
    kith_result result = kith_world_check(s->f.world);
    memcpy(at, old, size);
    test_check_result(file, line, "kith_world_check", result, KITH_ERR_CORRUPT);
    test_check_contains(file, line, "kith_error", kith_error(s->f.world), "kith_world_check");
    test_check_contains(file, line, "kith_error", kith_error(s->f.world), message);
    test_check_world(file, line, s->f.world);
}

#define BREAK(s, place, number, message)                                                           \
    check_broken(__FILE__, __LINE__, (s), &(place), &(const uint32_t){number}, sizeof(uint32_t),   \
                 (message))
#define BREAK_64(s, place, number, message)                                                        \
    check_broken(__FILE__, __LINE__, (s), &(place), &(const uint64_t){number}, sizeof(uint64_t),   \
                 (message))
#define BREAK_BYTE(s, place, number, message)                                                      \
    check_broken(__FILE__, __LINE__, (s), &(place), &(const uint8_t){number}, 1, (message))
#define BREAK_16(s, place, number, message)                                                        \
    check_broken(__FILE__, __LINE__, (s), &(place), &(const uint16_t){number}, sizeof(uint16_t),   \
                 (message))
#define BREAK_BOOL(s, place, number, message)                                                      \
    check_broken(__FILE__, __LINE__, (s), &(place), &(const bool){number}, sizeof(bool), (message))
#define BREAK_POINTER(s, place, pointer, message)                                                  \
    check_broken(__FILE__, __LINE__, (s), &(place), &(void *){pointer}, sizeof(void *), (message))

TEST(entities_and_their_slots)
{
    stage s = stage_new();
    ki_entities *entities = &s.store->entities;
    BREAK(&s, entities->empty, entities->empty - 1, "living");
    BREAK(&s, entities->empty, entities->empty + 1, "living");
    BREAK(&s, entities->retired, 1, "retired");
    BREAK(&s, entities->free_head, 0, "a free slot is not in the list of free slots");
    BREAK(&s, entities->free_head, 1, "leads to one that is not free");
    BREAK(&s, entities->free_head, 77, "leads to one that is not free");
    BREAK(&s, entities->slots, 1 << 20, "more slots than records");
    ki_record *dead = ki_record_at(entities, 3);
    BREAK(&s, dead->row, 4, "leads to one that is not free"); /* a ring */
    BREAK(&s, dead->row, 2, "leads to one that is not free");
    ki_record *living = ki_record_at(entities, 1);
    BREAK(&s, living->row, 0, "does not lead to its row");
    BREAK(&s, living->table, 0, "does not lead to its row");
    BREAK(&s, living->generation, 1, "dead entity");
    uint64_t *lanes = ki_column_at(&entities->summary, 1);
    BREAK_64(&s, *lanes, 0, "lanes lack a component");
    lanes = ki_column_at(&entities->summary, 3);
    BREAK_64(&s, *lanes, 1, "a dead slot has components");
    fixture_free(&s.f);
}

TEST(tables_and_their_rows)
{
    stage s = stage_new();
    ki_table *table = s.store->tables[ki_record_at(&s.store->entities, 2)->table];
    CHECK_UINT(table->rows.column_count, 2);
    kith_entity *row = ki_column_at(&table->rows.entities, 0);
    BREAK(&s, row->index1, 2, "does not lead to its row");
    BREAK(&s, row->index1, 4, "dead entity");
    BREAK(&s, row->generation, 9, "dead entity");
    BREAK(&s, table->rows.count, 0, "as many rows as living entities");
    BREAK(&s, table->rows.count, 1 << 20, "more rows than room");
    BREAK(&s, table->id, 0, "table");
    BREAK(&s, s.store->root->id, table->id, "a table has another's id");
    BREAK_64(&s, table->hash, table->hash + 1, "not found by its components");
    BREAK(&s, s.store->table_count, 2, "the number of tables is wrong");
    uint32_t *ids = (uint32_t *)(uintptr_t)table->ids;
    BREAK(&s, ids[0], 5, "component");
    ki_table *from = s.store->tables[ki_record_at(&s.store->entities, 0)->table];
    CHECK(from->edge_count > 0);
    ki_table gone = *from->edges[0]->to;
    BREAK_POINTER(&s, from->edges[0]->to, &gone, "an edge");
    ki_bitset *set = &s.store->components[0]->in.tables;
    BREAK(&s, set->page_count, 0, "set of tables has lost a page");
    BREAK_POINTER(&s, set->only, NULL, "set of tables has lost a page");

    /* A table that no edge leads to. */
    CHECK_RESULT(kith_register(s.f.world, &Name_type, NULL), KITH_OK);
    kith_entity e = KITH_SPAWN(s.f.world, KITH_VALUE(Name), KITH_VALUE(Position, {0, 0}));
    table = s.store->tables[ki_record_at(&s.store->entities, e.index1 - 1)->table];
    CHECK_UINT(table->rows.column_count, 2);
    ids = (uint32_t *)(uintptr_t)table->ids;
    BREAK(&s, ids[1], ids[0], "a table's components are out of order");
    fixture_free(&s.f);
}

/* By bits, hash tables and lists. */
TEST(what_is_known_of_tables)
{
    stage s = stage_new();
    ki_table *from = s.store->tables[ki_record_at(&s.store->entities, 0)->table];
    ki_table *table = s.store->tables[ki_record_at(&s.store->entities, 2)->table];
    ki_bitset *set = &s.store->components[0]->in.tables;
    const uint64_t bit = UINT64_C(1) << table->id;
    BREAK_64(&s, set->own[0], set->own[0] & ~bit,
             "a component does not know of a table that has it");
    uint64_t *live = &s.store->live_tables.own[0];
    BREAK_64(&s, *live, *live & ~bit, "a table is not among the living ones");
    kith_type smaller = *s.store->components[0]->type;
    smaller.size = 1;
    BREAK_POINTER(&s, s.store->components[0]->type, &smaller, "a column's size is not its type's");
    BREAK_16(&s, table->direct[table->ids[0]], 1, "a table does not find its column");
    BREAK_16(&s, table->direct[table->ids[0]], 0,
             "a component is said to be in a table where it is not");
    const uint32_t missing = ki_world_component(s.f.world, &Velocity_type)->id;
    CHECK(!ki_table_has(table, missing));
    BREAK_16(&s, table->direct[missing], sizeof(ki_table),
             "a table finds a column that it does not have");

    ki_map_slot *step = from->edge_map.slots;
    while (step->item == NULL) {
        step++;
    }
    CHECK(step < from->edge_map.slots + from->edge_map.capacity);
    CHECK_UINT(step->key, ki_world_component(s.f.world, &Frozen_type)->id);
    BREAK_64(&s, step->key, ki_world_component(s.f.world, &Position_type)->id,
             "a step neither adds nor removes its component");

    CHECK_RESULT(KITH_REMOVE(s.f.world, s.e[1], Position), KITH_OK);
    CHECK_UINT(from->edge_count, 2);
    ki_edge *frozen = from->edges[1];
    CHECK(frozen->to == table);
    CHECK_UINT(frozen->copy_count, 1);
    BREAK_POINTER(&s, frozen->copies[0].to, &table->rows.columns[1],
                  "an edge copies one component onto another");
    BREAK(&s, frozen->copy_count, 0, "an edge does not copy what both tables have");
    BREAK_POINTER(&s, frozen->added, &table->rows.columns[0], "an edge adds what both tables have");
    BREAK_POINTER(&s, frozen->added, NULL, "an edge adds what both tables have");
    BREAK_BOOL(&s, frozen->simple, false, "an edge is not as simple as its tables");
    ki_edge *other_way[2] = {from->edges[1], from->edges[0]};
    check_broken(__FILE__, __LINE__, &s, from->edges, other_way, sizeof other_way,
                 "a table's edges are out of order");
    fixture_free(&s.f);
}

TEST(the_memory_of_a_table)
{
    stage s = stage_new();
    ki_table *table = s.store->tables[ki_record_at(&s.store->entities, 0)->table];
    ki_table *other = s.store->tables[ki_record_at(&s.store->entities, 2)->table];
    CHECK_UINT(table->slab.users, 3); /* the table, and the first blocks of two columns */
    BREAK(&s, table->slab.users, 2, "users of a table's memory");
    BREAK(&s, table->slab.users, 4, "users of a table's memory");
    ki_column *column = &table->rows.columns[0];
    BREAK(&s, table->rows.capacity, column->capacity + 1, "for larger than they are");
    BREAK_POINTER(&s, column->blocks[0].data, other->rows.columns[0].blocks[0].data,
                  "in the memory of another");

    kith_query *changed = KITH_QUERY(s.f.world, KITH_CHANGED(Position));
    kith_query_skip_changes(changed); /* so that time goes on */
    CHECK_RESULT(kith_despawn(s.f.world, s.e[1]), KITH_OK);
    const uint64_t now = s.store->columns.write_clock;
    CHECK(ki_rows_is_marked(&s.store->columns, &table->rows, 0));
    BREAK_64(&s, column->blocks[0].stamp, now - 1, "rows take a block for marked that is not");
    BREAK_BOOL(&s, table->rows.uniform, false, "rows are not as simple as their columns");
    BREAK_BOOL(&s, table->rows.hooked, true, "rows are not as simple as their columns");
    BREAK_BOOL(&s, table->rows.simple, false, "rows are not as simple as their columns");
    fixture_free(&s.f);
}

TEST(columns_and_their_blocks)
{
    stage s = stage_new();
    ki_table *table = s.store->tables[ki_record_at(&s.store->entities, 0)->table];
    ki_column *column = &table->rows.columns[0];
    BREAK(&s, column->block_count, 3, "more blocks than room");
    BREAK(&s, column->capacity, 0, "capacity");
    BREAK(&s, column->capacity, 5000, "capacity does not fit");
    BREAK_64(&s, column->blocks[0].stamp, s.store->columns.write_clock + 1,
             "written in the future");
    BREAK_POINTER(&s, column->blocks[0].data, NULL, "a block is missing");
    BREAK_POINTER(&s, column->blocks[0].data, column->blocks[0].data + 1, "not aligned");
    ki_block elsewhere = column->first;
    BREAK_POINTER(&s, column->blocks, &elsewhere, "header is not its own");
    test_share *shared = test_share_world(s.f.world);
    CHECK_PTR_NOT_NULL(shared);
    BREAK_64(&s, column->blocks[0].stamp, column->blocks[0].stamp & ~KI_SHARED,
             "a shared block is not marked as shared");
    test_share_free(shared);
    fixture_free(&s.f);
}

TEST(sparse_sets_and_slots)
{
    stage s = stage_new();
    ki_component *velocity = s.store->components[1];
    ki_component *health = s.store->components[2];
    ki_sparse *set = &velocity->in.sparse;
    BREAK(&s, set->rows.count, 2, "finds an entity that it does not hold");
    BREAK(&s, set->rows.count, 1 << 20, "more rows than room");
    kith_entity *dense = ki_column_at(&set->rows.entities, 0);
    BREAK(&s, dense->index1, 2, "not found through its entity");
    BREAK(&s, dense->index1, 4, "not found through its entity");
    BREAK(&s, dense->generation, 3, "a sparse set has a dead entity");
    uint32_t *row1 = ki_column_at(&set->index, 0);
    BREAK(&s, *row1, 2, "not found through its entity");
    BREAK(&s, *row1, 0, "not found through its entity");
    row1 = ki_column_at(&set->index, 3);
    BREAK(&s, *row1, 1, "finds an entity that it does not hold");

    ki_slots *slots = &health->in.slots;
    BREAK(&s, slots->count, 2, "count is not that of its bits");
    uint64_t *bits = ki_column_at(&slots->bits, 0);
    BREAK_64(&s, *bits, 3, "count is not that of its bits");
    BREAK_64(&s, *bits, 0xB, "dead entity");
    BREAK_64(&s, *bits, UINT64_C(7) << 61, "slot");
    BREAK_POINTER(&s, slots->values.blocks[0].data, NULL, "where it has no value");
    BREAK(&s, velocity->id, 1, "not where its id says");
    BREAK(&s, velocity->other, 1, "not where its number says");
    fixture_free(&s.f);
}

TEST(queries_systems_and_events)
{
    stage s = stage_new();
    CHECK_UINT(s.query->matches.count, 2);
    ki_match *first = ki_query_match(s.query, 0);
    BREAK_POINTER(&s, first->table, s.store->tables[0], "that it does not match");
    BREAK(&s, s.query->matches.count, 1, "does not know of a table that it matches");
    kith_query other = {.epoch = UINT64_MAX};
    BREAK_POINTER(&s, s.query->previous, &other, "the list of queries is broken");
    BREAK(&s, s.query->open_count, 1, "a query is not open as often as it says");
    BREAK_POINTER(&s, first->columns[0], &first->table->rows.entities,
                  "not where its tables have them");
    uint8_t swapped[64];
    size_t bytes = ki_match_bytes(s.query);
    CHECK(2 * bytes <= sizeof swapped);
    memcpy(swapped, ki_query_match(s.query, 1), bytes);
    memcpy(swapped + bytes, first, bytes);
    check_broken(__FILE__, __LINE__, &s, first, swapped, 2 * bytes, "out of order");

    CHECK_RESULT(kith_schedule_build(s.f.world), KITH_OK);
    ki_systems *systems = ki_systems_of(s.f.world);
    BREAK(&s, systems->in_order[0]->priority, 2, "the systems are out of order");
    BREAK(&s, systems->in_order[1]->stage, 9, "a system is in no stage");
    BREAK(&s, systems->in_order[1]->stage, 0, "a system does not run after one that it waits for");
    static ki_phase lost = {.number = 2};
    BREAK_POINTER(&s, systems->in_order[1]->phase, &lost,
                  "a system is in a phase that does not exist");
    BREAK_POINTER(&s, s.f.world->store.columns.lock, &systems->lock,
                  "the world is marked as running query systems");
    BREAK(&s, systems->in_order[0]->stage, 1, "a system runs later than it needs to");
    BREAK(&s, systems->stage_count, 3, "there are more stages than systems need");
    ki_system *by_stage[2] = {systems->by_stage[1], systems->by_stage[0]};
    check_broken(__FILE__, __LINE__, &s, systems->by_stage, by_stage, sizeof by_stage,
                 "the systems of the stages are out of order");
    BREAK(&s, systems->in_order[0]->place, 1, "a system is not in its place");
    static char unknown[] = "unknown";
    BREAK_POINTER(&s, systems->in_order[0]->name, unknown, "a system is not found by its name");

    ki_queue *queue = (ki_queue *)s.f.world->queues[0];
    BREAK(&s, queue->head, 1, "counted by the runs");
    BREAK(&s, queue->count, 0, "counted by the runs");
    BREAK(&s, queue->sent[1], 0, "counted by the runs");
    ki_queue crowded = *queue;
    uint32_t sent[4] = {1 << 20};
    CHECK(ki_queue_ring(queue) <= 4);
    crowded.count = sent[0];
    crowded.sent = sent;
    check_broken(__FILE__, __LINE__, &s, queue, &crowded, sizeof crowded,
                 "there are more events than room");
    fixture_free(&s.f);
}

/* What systems have sent has arrived when kith_run has returned. */
TEST(events_of_systems)
{
    stage s = stage_new();
    const kith_system_def def = {
        .name = "looking", .run = look, .query.terms = KITH_TERMS(KITH_READ(Position))};
    CHECK_RESULT(kith_system_add(s.f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(s.f.world, 1), KITH_OK);
    ki_systems *systems = ki_systems_of(s.f.world);
    CHECK(systems->outputs.count > 0);
    BREAK_POINTER(&s, systems->outputs.list[0]->sent.filling, &s,
                  "an event that a system sent has not arrived");
    fixture_free(&s.f);
}

TEST(tracks)
{
    stage s = stage_new();
    kith_tracker *tracker;
    CHECK_RESULT(kith_tracker_new(s.f.world, &Position_type, &tracker), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(s.f.world, s.e[0], Position), KITH_OK);
    CHECK_RESULT(KITH_ADD(s.f.world, s.e[0], Position), KITH_OK);
    kith_change change;
    CHECK(kith_tracker_next(tracker, &change));
    ki_change_log *track = s.store->components[0]->change_log;
    ki_table *table = s.store->tables[ki_record_at(&s.store->entities, 1)->table];
    BREAK_64(&s, table->logged, 0, "does not know which components are tracked");
    BREAK_64(&s, table->logged, 3, "does not know which components are tracked");
    BREAK(&s, s.store->log_count, 2, "as many tracks as were counted");
    BREAK(&s, track->chunk_count, 2, "lost a chunk");
    BREAK(&s, track->last->count, 1001, "more entries than room");
    BREAK(&s, track->last->lost_count, 1, "another number of losses");
    BREAK_64(&s, track->last->lost[0], 4, "another number of losses");
    BREAK(&s, track->last->readers, 2, "another number of readers");
    BREAK(&s, tracker->place, 3, "is not where it has read to");
    check_broken(__FILE__, __LINE__, &s, &tracker->valued, &(const bool){true}, sizeof(bool),
                 "a tracker that wants values is where none are kept");
    BREAK(&s, track->valued, 1, "keeps values that nobody wants, or none");
    BREAK_POINTER(&s, track->last->values, &s, "keeps no values, or some that nobody wanted");
    BREAK(&s, track->last->ended, 1, "has destroyed values that it does not hold");

    while (track->first == track->last) {
        CHECK_RESULT(KITH_REMOVE(s.f.world, s.e[0], Position), KITH_OK);
        CHECK_RESULT(KITH_ADD(s.f.world, s.e[0], Position), KITH_OK);
    }
    BREAK_64(&s, track->last->first, track->last->first + 1,
             "has a wrong number of entries before it");
    BREAK_POINTER(&s, track->last, track->first, "chunks are not filled one after another");
    fixture_free(&s.f);
}

TEST(what_the_world_keeps_beside_the_store)
{
    stage s = stage_new();
    kith_world *w = s.f.world;
    ki_kept *swapped[2] = {w->resources[1], w->resources[0]};
    check_broken(__FILE__, __LINE__, &s, w->resources, swapped, sizeof(swapped), "out of order");
    BREAK(&s, w->resources[0]->number, 1, "a resource is not one of its type");
    BREAK(&s, w->resources[0]->values.capacity, 0, "a resource");
    BREAK_64(&s, w->resources[0]->values.blocks[0].stamp, s.store->columns.write_clock + 1,
             "in the future");

    uint32_t number = ki_type_number(s.store->components[0]->type);
    struct kith_place_ **place = &w->store.context.known.places[number];
    CHECK(*place == &s.store->components[0]->place);
    BREAK_POINTER(&s, *place, s.store->components[1], "leads to another type");
    BREAK_POINTER(&s, *place, NULL, "not found by its type's number");
    ki_component *first = ki_names_at(s.store->names, 0);
    BREAK_POINTER(&s, first->by_name.next, NULL, "not in order of their names");
    BREAK_POINTER(&s, first->by_name.next, first, "not in order of their names");
    BREAK_POINTER(&s, s.store->names, first, "not in order of their names");
    ki_component copy;
    memcpy(&copy, *place, ki_component_bytes(KITH_TABLE));
    BREAK_POINTER(&s, *place, &copy, "leads to a component that is not there");

    ki_cached_bundle *cached = NULL;
    for (uint32_t i = 0; i < KI_BUNDLE_CACHE; i++) {
        if (w->bundles[i].bundle.table != NULL && w->bundles[i].bundle.count == 3) {
            cached = &w->bundles[i];
        }
    }
    CHECK_PTR_NOT_NULL(cached);
    ki_bundle *plan = &cached->bundle;
    BREAK(&s, plan->entries[0].number, 0, "number of another type");
    BREAK(&s, plan->entries[0].column, 7, "a column of another type");
    BREAK(&s, plan->storage_count, 1, "other layouts");
    BREAK_BOOL(&s, plan->simple, true, "a plan is not as simple as what it makes");
    BREAK_BOOL(&s, plan->hooked, true, "a plan is not as simple as what it makes");
    ki_table elsewhere = *plan->table;
    BREAK_POINTER(&s, plan->table, &elsewhere, "leads to a table of other components");
    ki_cached_bundle larger = *cached; /* to one that has another component as well */
    larger.bundle.table = s.store->tables[ki_record_at(&s.store->entities, 2)->table];
    CHECK(larger.entries[0].component->type == s.store->components[0]->type);
    larger.entries[0].column = &larger.bundle.table->rows.columns[0];
    check_broken(__FILE__, __LINE__, &s, cached, &larger, sizeof larger,
                 "leads to a table of other components");
    fixture_free(&s.f);
}

/* Each text is found under its own number: not under another one, and not under none. */
TEST(interned_texts)
{
    stage s = stage_new();
    kith_text sword;
    kith_text shield;
    CHECK_RESULT(kith_text_intern(s.f.world, "sword", &sword), KITH_OK);
    CHECK_RESULT(kith_text_intern(s.f.world, "shield", &shield), KITH_OK);
    CHECK_WORLD(s.f.world);
    ki_texts *texts = s.f.world->texts;
    ki_text *first = ki_column_at(&texts->items, sword.number - 1);
    ki_text *second = ki_column_at(&texts->items, shield.number - 1);

    ki_text both[2] = {*first, *first};
    CHECK(second == first + 1);
    both[1].next = second->next;
    check_broken(__FILE__, __LINE__, &s, first, both, sizeof both,
                 "a text is not found under its number");
    CHECK_UINT(texts->count, 2);
    const uint32_t none[2] = {0, 0};
    check_broken(__FILE__, __LINE__, &s, ki_column_at(&texts->buckets, 0), none, sizeof none,
                 "a text is not found under its number");
    BREAK_POINTER(&s, second->bytes, (void *)(uintptr_t)(second->bytes + 1),
                  "a text is not what it was");
    BREAK(&s, second->length, second->length - 1, "a text is not what it was");
    BREAK_64(&s, second->hash, second->hash + 1, "a text is not what it was");
    BREAK(&s, texts->count, 1 << 20, "more than there is room for");
    fixture_free(&s.f);
}

/* Values with hooks are where their slots and events are, and nowhere else. */
TEST(values_with_hooks)
{
    stage s = stage_new();
    kith_world *w = s.f.world;
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.layout = KITH_SLOT, .hooks = &hooks};
    CHECK_RESULT(kith_register(w, &Owned_type, &def), KITH_OK);
    CHECK_RESULT(KITH_ADD(w, s.e[1], Owned), KITH_OK);
    ki_slots *slots = &((ki_component *)(uintptr_t)ki_world_component(w, &Owned_type))->in.slots;
    uint64_t *bits = ki_column_at(&slots->bits, 0);
    BREAK_64(&s, *bits, 0, "a value of a type with hooks outlived its slot");
    BREAK_64(&s, *bits, *bits | 1, "a slot holds no value, of a type with hooks");

    for (int sent = 0; sent < 3; sent++) {
        CHECK_RESULT(kith_event_send(w, &Owned_type, NULL), KITH_OK);
    }
    CHECK_RESULT(kith_run(w, 1), KITH_OK);
    for (int sent = 0; sent < 4; sent++) {
        CHECK_RESULT(kith_event_send(w, &Owned_type, NULL), KITH_OK);
    }
    CHECK_RESULT(kith_run(w, 1), KITH_OK);
    ki_queue *queue = (ki_queue *)w->queues[1];
    CHECK_UINT(queue->count, 7);
    CHECK_UINT(queue->head, 3); /* the first three are over, and ended */
    CHECK_UINT(queue->ended, 3);
    BREAK(&s, queue->ended, 4, "the values of events do not end with them");
    BREAK(&s, queue->ended, 2, "the values of events do not end with them");
    fixture_free(&s.f);
    CHECK_UINT(record.live, 0);
}

/* In tables each row has one. */
TEST(rows_of_values_with_hooks)
{
    stage s = stage_new();
    kith_world *w = s.f.world;
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    CHECK_RESULT(kith_register(w, &Owned_type, &(kith_component_def){.hooks = &hooks}), KITH_OK);
    kith_entity e = KITH_SPAWN(w, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(KITH_ADD(w, e, Owned), KITH_OK);
    ki_table *table = s.store->tables[ki_record_at(&s.store->entities, e.index1 - 1)->table];
    CHECK_UINT(table->rows.count, 1);
    BREAK(&s, table->rows.count, 0, "a value of a type with hooks outlived its row");
    BREAK(&s, table->rows.count, 2, "a row holds no value, of a type with hooks");
    fixture_free(&s.f);
    CHECK_UINT(record.live, 0);
}

TEST(queued_commands)
{
    stage s = stage_new();
    kith_world *w = s.f.world;
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    CHECK_RESULT(kith_register(w, &Owned_type, &(kith_component_def){.hooks = &hooks}), KITH_OK);
    kith_commands *commands = kith_commands_new(w, NULL);
    kith_commands *last = kith_commands_new(w, NULL);
    CHECK(commands != NULL && last != NULL);
    BREAK_POINTER(&s, commands->previous, NULL, "the list of command buffers is broken");

    KITH_SPAWN(commands, KITH_VALUE(Position, {1, 1}));
    BREAK(&s, commands->count, commands->count + 1, "count is not that of its commands");
    BREAK(&s, commands->spawns, commands->spawns + 1, "gave out other handles than it has");
    CHECK_RESULT(KITH_ADD(commands, s.e[1], Owned), KITH_OK);
    BREAK_POINTER(&s, commands->owned.first->component, NULL, "value with hooks is not there");
    CHECK_RESULT(KITH_SET(commands, s.e[0], Position, {1, 1}), KITH_OK);
    CHECK_RESULT(kith_commands_despawn(commands, s.e[0]), KITH_OK);
    ki_op *op = &commands->batch->ops[1];
    CHECK_UINT(op->kind, KI_COMMAND_DESPAWN);
    BREAK_BYTE(&s, op->kind, 0, "a command is about a component that is none");
    BREAK_BYTE(&s, op->kind, KI_COMMAND_SPAWN, "makes an entity that another one has made");
    fixture_free(&s.f);
    CHECK_UINT(record.live, 0);
}

/* What kith_set_values keeps of its last change. */
TEST(the_last_change_of_several_components)
{
    stage s = stage_new();
    kith_world *w = s.f.world;
    CHECK_RESULT(KITH_SET_VALUES(w, s.e[0], KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen)),
                 KITH_OK);
    ki_last_transition *known = &w->last_transition;
    CHECK(known->to.bundle.epoch == s.store->table_epoch);
    CHECK(known->from != known->to.bundle.table->id && known->edge != NULL);
    BREAK(&s, known->from, known->to.bundle.table->id, "kith_set_values leads elsewhere");
    BREAK_POINTER(&s, known->edge, NULL, "kith_set_values leads elsewhere");
    BREAK(&s, known->to.entries[0].number, 0, "number of another type");
    fixture_free(&s.f);
}
