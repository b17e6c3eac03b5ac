/* The store: entities, components and tables of one world, and the few ways to change them
 * together.
 *
 * Everything follows one pattern: reserve all that is needed, which may fail and changes nothing
 * that can be seen; then commit, which cannot fail. */
#ifndef KI_STORE_STORE_H
#define KI_STORE_STORE_H

#include "base/context.h"
#include "store/component.h"
#include "store/entities.h"
#include "store/table.h"

#define KI_TABLES_MAX (1u << 24)

struct kith_query;
struct kith_cursor;

typedef struct ki_store {
    ki_context context;
    ki_space space;
    ki_entities entities;

    ki_component **components; /* by id - 1 */
    uint32_t component_count;
    uint32_t component_capacity;
    ki_component **others; /* those that are not KITH_TABLE */
    uint32_t other_count;
    uint32_t other_capacity;
    bool hooked;                /* values of a component have hooks */
    ki_component **tracked;     /* those that are, in no order */
    uint32_t track_count;       /* how many they are */
    uint32_t table_track_count; /* of them, those that are KITH_TABLE */
    uint32_t track_capacity;
    ki_component *expected; /* of which a call counts what it will change; NULL outside of it */

    ki_table **tables; /* by id; NULL where one was reclaimed */
    ki_table *root;    /* number 0, which has no components, and stays */
    uint32_t table_slots;
    uint32_t table_capacity;
    uint32_t table_count;
    uint32_t free_table; /* no id below is free */
    ki_bitset live_tables;
    ki_table **by_set; /* open addressing by hash of the set of components; NULL where empty */
    uint32_t by_set_capacity;
    uint64_t hash_mask; /* all ones; a test makes sets collide */

    ki_table **created; /* tables in the order in which they came, since table_epoch began */
    uint32_t created_count;
    uint32_t created_capacity;
    uint64_t table_epoch; /* grows when tables go */

    uint64_t merge_pass;     /* times that commands were merged */
    uint32_t expected_slots; /* room that the host asked for, and keeps */
    uint32_t *ids;           /* scratch for a set of ids */
    uint32_t ids_capacity;
    uint64_t namings; /* lists of components that were looked at for one that is named twice */

    struct kith_query *queries; /* all, in no order that matters */
    struct kith_cursor *open;   /* the open ones, the last opened first */
} ki_store;

/* KITH_ERR_MEMORY; the store is then to be freed. The context is there already. */
kith_result ki_store_init(ki_store *store);

/* Frees all but the context and the queries. */
void ki_store_free(ki_store *store);

/* ---- Components */

/* Adds a component, of which there are fewer than KI_COMPONENTS_MAX; `type` lives until the process
 * ends. NULL `hooks`: values are plain bytes. KITH_ERR_MEMORY. */
kith_result ki_store_add_component(ki_store *store, const kith_type *type, kith_layout layout,
                                   const kith_hooks *hooks, ki_component **component);

static inline ki_component *ki_store_component(const ki_store *store, uint32_t id)
{
    return store->components[id - 1];
}

/* Whether the living entity with this record has the component. */
bool ki_store_has(const ki_store *store, const ki_component *component, uint32_t index,
                  const ki_record *record);

/* The first of the entity's components that was registered after the one with this id; NULL if there is
 * none. */
const ki_component *ki_store_next(const ki_store *store, uint32_t index, const ki_record *record,
                                  uint32_t id);

/* The column and row of its value; NULL if it is absent. The column of a slot tag is that of its values,
 * which has no blocks. */
ki_column *ki_locate(const ki_store *store, const ki_component *component, uint32_t index,
                     const ki_record *record, uint32_t *row);

/* Its value, to read; NULL if it is absent. For a tag that is there: not NULL, and not to be
 * followed. */
const void *ki_store_value(const ki_store *store, const ki_component *component, uint32_t index,
                           const ki_record *record);

/* Makes the value ready to be written. KITH_ERR_ABSENT, KITH_ERR_MEMORY. */
kith_result ki_store_touch_value(ki_store *store, ki_component *component, uint32_t index,
                                 const ki_record *record, void **value);

/* When the block of the value of an entity that has the component was last written. */
uint64_t ki_store_stamp(const ki_store *store, const ki_component *component, uint32_t index);

/* How many entities have the component. */
uint32_t ki_store_count(const ki_store *store, const ki_component *component);

/* ---- Tables */

/* The table of a sorted set of components, made if need be. */
kith_result ki_store_table(ki_store *store, const uint32_t *ids, uint32_t count, ki_table **table);

/* The edge that leads from a table to the one with a component more, or less if it has it. */
kith_result ki_store_step(ki_store *store, ki_table *from, uint32_t id, const ki_edge **edge);

/* A scratch array of `count` ids, good until the next call; NULL if memory ran out. */
uint32_t *ki_store_ids(ki_store *store, uint32_t count);

/* Adds ids that are not there to `count` sorted ones, after which there is room; `more` are in any
 * order, and stand after that room. Returns how many there are then. */
uint32_t ki_ids_add(uint32_t *ids, uint32_t count, uint32_t *more, uint32_t more_count);

/* Begins a list of components. */
static inline uint64_t ki_store_begin_names(ki_store *store)
{
    return ++store->namings;
}

/* Names a component in a list; false if it is named there already. */
static inline bool ki_component_name(ki_component *component, uint64_t naming)
{
    bool first = component->named != naming;
    component->named = naming;
    return first;
}

/* Gives back blocks and pages that hold nothing. */
void ki_store_trim(ki_store *store);

/* Frees tables without rows, and trims. */
void ki_store_reclaim(ki_store *store);

/* Whether nobody has looked at the world so far, or follows what is in its tables: what is about to be
 * written needs no touch then, and nothing has to be noted. */
static inline bool ki_store_is_unwatched(const ki_store *store)
{
    return ki_space_is_unseen(&store->space) && store->table_track_count == 0;
}

/* The same for what is in one table. */
static inline bool ki_table_is_unwatched(const ki_store *store, const ki_table *table)
{
    return ki_space_is_unseen(&store->space) && table->tracked == 0;
}

/* ---- Moves between tables */

/* Makes a move along `edge` certain: a row in the new table, and nothing shared with a snapshot
 * among what the commit will write (the new row's blocks, those of the hole and of the last row,
 * both records). */
kith_result ki_move_reserve(ki_store *store, const ki_edge *edge, uint32_t index);

/* Appends the entity's row to the new table and copies what both have; cannot fail. Columns that
 * only the new table has are the caller's to write, before ki_move_end: until then the old row
 * stands, and values that the caller was given may be in it. Returns the new row. */
uint32_t ki_move_begin(ki_store *store, const ki_edge *edge, uint32_t index);

/* Takes the old row away and makes the record lead to the new one. */
void ki_move_end(ki_store *store, const ki_edge *edge, uint32_t index, uint32_t row);

/* All of a reserved move to a table that has one more component at most; its value is written, NULL as
 * zero bytes. */
void ki_move(ki_store *store, const ki_edge *edge, uint32_t index, const void *value);

/* Adds a KITH_TABLE component that the entity lacks, with a value that may stand anywhere (NULL: zero
 * bytes), or takes one that it has: all of the move. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
kith_result ki_move_step(ki_store *store, kith_entity entity, uint32_t id, const void *value);

/* The edge that adds a component or takes it, if ki_move_along is all that a move along it takes:
 * nobody looks at the world, and there is room. Else NULL. That its component may be tracked is the
 * caller's to note. */
static inline const ki_edge *ki_move_plain(const ki_store *store, const ki_table *from, uint32_t id)
{
    const ki_known_step *step = &from->steps[id & from->step_mask];
    while (KI_UNLIKELY(step->id != id)) {
        if (step->id == 0) {
            return NULL;
        }
        step = &from->steps[(uint32_t)(step - from->steps + 1) & from->step_mask];
    }
    const ki_edge *edge = step->edge;
    return KI_LIKELY(edge->is_step && ki_table_has_room(edge->to) &&
                     ki_space_is_unseen(&store->space))
               ? edge
               : NULL;
}

/* Moves an entity along such an edge. Before, the column that only the new table has is written, in the
 * row to come, and the hole in the one that only the old table has is filled with the last row. */
kith_result ki_move_along(ki_store *store, kith_entity entity, const ki_edge *edge,
                          ki_record *record, ki_table *from);

/* Makes the removal of any of these entities certain, in any order: for ki_row_touch_removal,
 * ki_others_touch_removal and ki_record_touch there is then nothing left to copy. The dead are
 * passed over. */
bool ki_touch_removals(ki_store *store, const kith_entity *entities, uint32_t count);

/* Makes ki_row_remove certain. */
bool ki_row_touch_removal(ki_store *store, uint32_t index);

/* Takes the entity's row out of its table, which is certain, and ends the life in its slot. Always
 * KITH_OK, for calls that end so. */
kith_result ki_entity_end(ki_store *store, ki_record *record, uint32_t index);

/* ---- Many rows of one column at once */

/* Writes one value each into rows `first` and up, from places `stride` bytes apart; NULL writes zero
 * bytes. */
void ki_rows_write(ki_column *column, uint32_t first, const uint8_t *values, size_t stride,
                   uint32_t count);

/* ---- Tracks (tracks.c): entities that come from one table into another, either of which may be NULL
 *
 * Each is one compare where neither has a component that is tracked. */

/* Follows a component from here on, and no more if nobody wants to know. KITH_ERR_MEMORY. */
kith_result ki_tracks_begin(ki_store *store, ki_component *component);
void ki_tracks_end_unread(ki_store *store, ki_component *component);

/* Has a new table know which of its components are tracked. */
void ki_tracks_mark(const ki_store *store, ki_table *table);

/* What is wrong with what it knows, or NULL. */
const char *ki_tracks_check(const ki_store *store, const ki_table *table);

static inline bool ki_tables_are_tracked(const ki_table *from, const ki_table *to)
{
    return ((from == NULL ? 0 : from->tracked) | (to == NULL ? 0 : to->tracked)) != 0;
}

kith_result ki_tracks_prepare(ki_store *store, const ki_table *from, const ki_table *to,
                              uint32_t count, bool later);
void ki_tracks_note_slow(ki_store *store, const ki_table *from, const ki_table *to,
                         const kith_entity *entities, const uint32_t *rows, uint32_t count);

/* Makes ki_tracks_note certain for `count` entities. */
static inline kith_result ki_tracks_reserve(ki_store *store, const ki_table *from,
                                            const ki_table *to, uint32_t count)
{
    return KI_LIKELY(!ki_tables_are_tracked(from, to))
               ? KITH_OK
               : ki_tracks_prepare(store, from, to, count, false);
}

/* Notes what entities got and lose. They still stand in these rows of `from`, which are ready to be
 * left; NULL `rows` if that is NULL. */
static inline void ki_tracks_note(ki_store *store, const ki_table *from, const ki_table *to,
                                  const kith_entity *entities, const uint32_t *rows, uint32_t count)
{
    if (KI_UNLIKELY(ki_tables_are_tracked(from, to))) {
        ki_tracks_note_slow(store, from, to, entities, rows, count);
    }
}

/* For calls that note many changes: counts what ki_expected_reserve will reserve. */
static inline void ki_tracks_expect(ki_store *store, const ki_table *from, const ki_table *to,
                                    uint32_t count)
{
    if (KI_UNLIKELY(ki_tables_are_tracked(from, to))) {
        ki_tracks_prepare(store, from, to, count, true);
    }
}

/* ---- Many changes in one call: what they need of a component is counted in its track and its
 * sparse set, and reserved once for all */

/* Notes that a component has such counts, so that those that have none need no look. */
static inline void ki_expect(ki_store *store, ki_component *component)
{
    if (!component->expected) {
        component->expected = true;
        component->of.next_expected = store->expected;
        store->expected = component;
    }
}

/* Counts entities that get a component of another layout, and those that lose it. */
void ki_expect_arriving(ki_store *store, ki_component *component, uint32_t count);

static inline void ki_expect_lost(ki_store *store, ki_component *component, uint32_t count)
{
    if (KI_UNLIKELY(component->track != NULL)) {
        ki_expect(store, component);
        component->track->pending += count;
        component->track->pending_lost += count;
    }
}

/* Reserves what was counted: KITH_ERR_MEMORY, KITH_ERR_LIMIT; and makes all counts 0 again. */
kith_result ki_expected_reserve(ki_store *store);
void ki_expected_forget(ki_store *store);

/* ---- Components of other layouts */

/* Makes ki_other_insert certain, for an entity that does not have the component. */
kith_result ki_other_reserve(ki_store *store, ki_component *component, uint32_t index);

/* The same but for the row that a sparse set needs: see ki_other_reserve_rows. */
kith_result ki_other_reserve_index(ki_store *store, ki_component *component, uint32_t index);

/* The same for slots that follow one another. */
kith_result ki_other_reserve_slots(ki_store *store, ki_component *component, uint32_t first,
                                   uint32_t count);

/* The slots that one page of each of the component's columns is good for, as their log2. */
uint32_t ki_other_page_shift(const ki_store *store, const ki_component *component);

/* Whether ki_other_insert is certain as things are, for values without hooks. */
bool ki_other_is_ready(const ki_store *store, const ki_component *component, uint32_t index);

/* Takes the component from a living entity. KITH_ERR_ABSENT, KITH_ERR_MEMORY. */
kith_result ki_other_unset(ki_store *store, ki_component *component, uint32_t index);

void ki_other_insert(ki_store *store, ki_component *component, kith_entity entity,
                     const void *value);

/* Makes ki_other_remove certain, for an entity that has the component. */
bool ki_other_touch_removal(ki_store *store, ki_component *component, uint32_t index);
void ki_other_remove(ki_store *store, ki_component *component, uint32_t index);

/* Makes one of several removals certain, which may happen in any order: counts in `leaving`, which
 * is the caller's to make 0 again. */
bool ki_other_touch_leaving(ki_store *store, ki_component *component, uint32_t index);

/* Makes the value of an entity that has the component ready to be overwritten, and does that. */
bool ki_other_touch_value(ki_store *store, ki_component *component, uint32_t index);
void ki_other_write(ki_component *component, uint32_t index, const void *value);

/* Room for `count` more entities in a sparse set; nothing for a slot array. */
kith_result ki_other_reserve_rows(ki_store *store, ki_component *component, uint32_t count);

/* All of an entity's components of other layouts at once, after which its lanes tell of none. */
bool ki_others_touch_removal(ki_store *store, uint32_t index);
void ki_others_remove(ki_store *store, uint32_t index);

/* The first number of a component of another layout, from `from` on, that these lanes tell of. At least
 * `count`, which is how many there are, if it is none of them. */
uint32_t ki_lanes_next(uint64_t lanes, uint32_t from, uint32_t count);

/* Makes an entity's lanes ready to be written, if there are any. */
bool ki_lanes_touch(ki_store *store, uint32_t index);

/* ---- The same for many entities at once (others.c); all is reserved */

/* Gives each the component, from values `stride` bytes apart (NULL: zero bytes). Where it is there, it
 * is overwritten, or with `keeps` left alone. */
void ki_other_put(ki_store *store, ki_component *component, const kith_entity *entities,
                  uint32_t count, const uint8_t *values, size_t stride, bool keeps);

/* How many of the slots that follow one another have the component. */
uint32_t ki_other_count_in(const ki_component *component, uint32_t first, uint32_t count);

/* Takes the component from those that have it, and stamps what that changes. */
void ki_other_take(ki_store *store, ki_component *component, const kith_entity *entities,
                   uint32_t count);

/* The same with all components of other layouts. */
void ki_others_take(ki_store *store, const kith_entity *entities, uint32_t count);

/* Whether an entity has the component. */
bool ki_other_has(const ki_component *component, uint32_t index);

/* The column and row of its value, or NULL. */
ki_column *ki_other_locate(const ki_component *component, uint32_t index, uint32_t *row);

/* The entity's first component of another layout at or behind number `from` of `others`; NULL
 * behind the last. */
ki_component *ki_others_next(const ki_store *store, uint32_t index, uint32_t from);

/* ---- The whole */

/* Calls `visit` for every column, in an order that is the same for the same state. */
void ki_store_each_column(ki_store *store, void (*visit)(ki_column *column, void *context),
                          void *context);

#endif
