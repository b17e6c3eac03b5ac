/* Drops the rows whose values do not satisfy a query's conditions.
 *
 * Values in the driving storage's order are matched block by block, 64 rows a mask. All others are found
 * by their entities, one by one. */
#include "query/condition.h"

#include "query/filter.h"
#include "query/query.h"
#include "store/relation.h"

/* So few values of a word are matched one by one. */
enum { ROWS_ALONE = 2 };

/* The rows that are asked about: those of the driving storage from `row` on. */
typedef struct condition_chunk {
    const kith_query *query;
    const ki_driver *driver;
    uint32_t row;
    uint32_t count;
    uint32_t words;
    const void **via_values; /* where values of other entities are left; or NULL */
} condition_chunk;

/* ---- One entity */

static const uint8_t *condition_locate(const kith_query *query, const ki_place_of_field *field,
                                       uint32_t index, const ki_record *record)
{
    uint32_t row;
    const ki_column *column = ki_locate(query->store, field->component, index, record, &row);
    return column == NULL ? NULL : (const uint8_t *)ki_column_at(column, row) + field->offset;
}

/* The value that a join compares with, for the entity in slot `index`; NULL: there is none. `row` has
 * the slots of the row's entities, of which the first one is the query's; `*room` is for a handle. */
static const uint8_t *condition_joined(const kith_query *query, const ki_condition_node *node,
                                       uint32_t index, const uint32_t *row, kith_entity *room)
{
    const ki_entities *entities = &query->store->entities;
    *room = ki_entity_at(entities, node->of_this ? row[node->entity] : index);
    if (node->via != NULL) {
        *room = ki_via_find(query->store, node->via, *room);
    }
    if (kith_is_none(*room) || node->other.component == NULL) {
        return kith_is_none(*room) ? NULL : (const uint8_t *)room;
    }
    uint32_t other = room->index1 - 1;
    return condition_locate(query, &node->other, other, ki_record_at(entities, other));
}

static bool condition_holds(const kith_query *query, uint32_t number, uint32_t index,
                            const uint32_t *row);

/* Whether an entity satisfies a node about another one. */
static bool condition_holds_of_other(const kith_query *query, const ki_condition_node *node,
                                     uint32_t index, const uint32_t *row)
{
    const ki_via *via = node->via;
    const ki_condition_node *nodes = query->conditions->nodes;
    kith_entity entity =
        ki_entity_at(&query->store->entities, via->entity != 0 ? row[via->entity] : index);
    if (via->role == KITH_MUST_NOT) {
        return ki_via_lacks(query->store, via, entity);
    }
    kith_entity found = via->step_count == 0 ? entity : ki_via_find(query->store, via, entity);
    if (kith_is_none(found) ||
        (via->component != NULL && !kith_is_at_(&via->component->place, found))) {
        return false;
    }
    for (uint32_t i = (uint32_t)(node - nodes) + 1; i < node->end; i = nodes[i].end) {
        if (!condition_holds(query, i, found.index1 - 1, row)) {
            return false;
        }
    }
    return true;
}

/* Whether an entity satisfies a node that is not a group; `row` is as above. */
static bool condition_holds_alone(const kith_query *query, const ki_condition_node *node,
                                  uint32_t index, const uint32_t *row)
{
    if (node->form == KI_CONDITION_VIA) {
        return condition_holds_of_other(query, node, index, row);
    }
    if (node->form == KI_CONDITION_LINKED) {
        return ki_relation_is_linked(node->field.component->relation, row[node->entity],
                                     node->from);
    }
    if (node->form == KI_CONDITION_PAIR) {
        const uint32_t from = row[node->entity];
        const uint32_t to = row[node->to];
        return node->field.component == NULL ? from == to
                                             : ki_relation_links(node->field.component->relation,
                                                                 from, to);
    }
    const ki_record *record = ki_record_at(&query->store->entities, index);
    if (node->form == KI_CONDITION_HAS || node->form == KI_CONDITION_LACKS) {
        return ki_store_has(query->store, node->field.component, index, record) ==
               (node->form == KI_CONDITION_HAS);
    }
    if (node->form == KI_CONDITION_PATH) {
        return ki_condition_holds_of_path(query, node, index);
    }
    const ki_texts *texts = *query->conditions->texts;
    const uint8_t *value = condition_locate(query, &node->field, index, record);
    uint64_t mask = 0;
    bool joins = node->form == KI_CONDITION_JOIN;
    if (value != NULL && node->form == KI_CONDITION_KEY) {
        ki_condition_match_keys(query, node, value, 0, 1, &mask);
    } else if (value != NULL && node->form != KI_CONDITION_FIELDS && !joins) {
        ki_condition_match(node, texts, value, 0, 1, &mask);
    } else if (value != NULL) {
        kith_entity room;
        const uint8_t *other = joins ? condition_joined(query, node, index, row, &room)
                                     : condition_locate(query, &node->other, index, record);
        if (other != NULL) {
            ki_condition_match_fields(node, texts, value, 0, other, 0, 1, &mask);
        }
    }
    return mask != 0;
}

static bool condition_holds(const kith_query *query, uint32_t number, uint32_t index,
                            const uint32_t *row)
{
    const ki_condition_node *nodes = query->conditions->nodes;
    const ki_condition_node *node = &nodes[number];
    if (node->form != KI_CONDITION_GROUP) {
        return condition_holds_alone(query, node, index, row);
    }
    bool all = node->op == KITH_OP_ALL;
    for (uint32_t i = number + 1; i < node->end; i = nodes[i].end) {
        if (condition_holds(query, i, index, row) != all) {
            return node->op == KITH_OP_ANY;
        }
    }
    return node->op != KITH_OP_ANY;
}

bool ki_conditions_hold_of_row(const kith_query *query, uint32_t after, const uint32_t *row)
{
    const ki_conditions *conditions = query->conditions;
    for (uint32_t i = 0; i < conditions->count; i = conditions->nodes[i].end) {
        if (conditions->nodes[i].after == after && !condition_holds(query, i, row[0], row)) {
            return false;
        }
    }
    return true;
}

bool ki_conditions_hold(const kith_query *query, uint32_t index)
{
    return ki_conditions_hold_of_row(query, 0, &index);
}

/* ---- Chunks of rows */

/* Drops the rows that lack a component, where its column is that of the driving storage. */
static void condition_drop_absent(const condition_chunk *chunk, const ki_component *component,
                                  uint64_t *asked)
{
    for (uint32_t word = 0; word < chunk->words; word++) {
        asked[word] &= ki_slots_word(&component->in.slots, chunk->row / 64 + word);
    }
}

/* How many rows from word `word` on, in words that have a row that is asked about, are in one block of
 * the columns. `other` may be NULL. */
static uint32_t condition_run(const condition_chunk *chunk, const ki_column *column,
                              const ki_column *other, uint32_t word, const uint64_t *asked)
{
    uint32_t end = word + 1;
    while (end < chunk->words && asked[end] != 0) {
        end++;
    }
    uint32_t row = chunk->row + word * 64;
    uint32_t count = ki_min_u32((end - word) * 64, chunk->count - word * 64);
    count = ki_column_run(column, row, count);
    return other == NULL ? count : ki_column_run(other, row, count);
}

/* Matches `count` values from `row` on, which are in one block of each column. */
static void condition_match_run(const condition_chunk *chunk, const ki_condition_node *node,
                                const ki_column *column, const ki_column *other, uint32_t row,
                                uint32_t count, uint64_t *masks)
{
    const ki_texts *texts = *chunk->query->conditions->texts;
    const uint8_t *values = (const uint8_t *)ki_column_at(column, row) + node->field.offset;
    if (node->form == KI_CONDITION_KEY) {
        ki_condition_match_keys(chunk->query, node, values, column->size, count, masks);
    } else if (other == NULL) {
        ki_condition_match(node, texts, values, column->size, count, masks);
    } else {
        const uint8_t *others = (const uint8_t *)ki_column_at(other, row) + node->other.offset;
        ki_condition_match_fields(node, texts, values, column->size, others, other->size, count,
                                  masks);
    }
}

/* The same for the rows of one word that are asked about, one by one. */
static uint64_t condition_match_word(const condition_chunk *chunk, const ki_condition_node *node,
                                     const ki_column *column, const ki_column *other, uint32_t word,
                                     uint64_t asked)
{
    uint64_t found = 0;
    for (uint64_t rest = asked; rest != 0; rest &= rest - 1) {
        uint32_t i = ki_lowest_bit(rest);
        uint64_t mask;
        condition_match_run(chunk, node, column, other, chunk->row + word * 64 + i, 1, &mask);
        found |= mask << i;
    }
    return found;
}

/* Matches values that are in the order of the driving storage, of the rows `asked`, which have them.
 * Bits of other rows in `found` mean nothing. */
static void condition_by_columns(const condition_chunk *chunk, const ki_condition_node *node,
                                 const ki_column *column, const ki_column *other,
                                 const uint64_t *asked, uint64_t *found)
{
    for (uint32_t word = 0; word < chunk->words;) {
        if (asked[word] == 0) {
            found[word++] = 0;
            continue;
        }
        uint32_t count = condition_run(chunk, column, other, word, asked);
        /* Blocks may be smaller than a word. No function is called for values that are not asked about,
         * or are none. Few values take less time one by one. */
        if (node->form == KI_CONDITION_KEY || ki_bit_count(asked[word]) <= ROWS_ALONE ||
            count < ki_min_u32(64, chunk->count - word * 64)) {
            found[word] = condition_match_word(chunk, node, column, other, word, asked[word]);
            word++;
            continue;
        }
        condition_match_run(chunk, node, column, other, chunk->row + word * 64, count,
                            found + word);
        word += (count + 63) / 64;
    }
}

/* How many rows of a chunk a column has room for: its first block may be for the first slots alone. */
static uint32_t condition_room(const condition_chunk *chunk, const ki_column *column)
{
    uint32_t room = column->capacity > chunk->row ? column->capacity - chunk->row : 0;
    return ki_min_u32(chunk->count, room);
}

/* The same where slots drive, and some rows may lack the components. */
static void condition_by_slots(const condition_chunk *chunk, const ki_condition_node *node,
                               const ki_column *column, const ki_column *other,
                               const uint64_t *asked, uint64_t *found)
{
    condition_chunk there = *chunk;
    there.count = condition_room(&there, column);
    there.count = other == NULL ? there.count : condition_room(&there, other);
    there.words = (there.count + 63) / 64;
    uint64_t present[KI_CHUNK_WORDS];
    memcpy(present, asked, there.words * sizeof *present);
    condition_drop_absent(&there, node->field.component, present);
    if (other != NULL) {
        condition_drop_absent(&there, node->other.component, present);
    }
    condition_by_columns(&there, node, column, other, present, found);
    for (uint32_t word = 0; word < chunk->words; word++) {
        found[word] = word < there.words ? found[word] & present[word] : 0;
    }
}

/* Matches values that are found by entity. */
static void condition_by_entities(const condition_chunk *chunk, const ki_condition_node *node,
                                  const uint64_t *asked, uint64_t *found)
{
    const kith_entity *handles = ki_driver_entities(chunk->driver, chunk->row);
    for (uint32_t word = 0; word < chunk->words; word++) {
        found[word] = 0;
        for (uint64_t rest = asked[word]; rest != 0; rest &= rest - 1) {
            uint32_t i = word * 64 + ki_lowest_bit(rest);
            uint32_t index = handles == NULL ? chunk->row + i : handles[i].index1 - 1;
            bool holds = condition_holds_alone(chunk->query, node, index, &index);
            found[word] |= holds ? rest & -rest : 0;
        }
    }
}

/* Finds the other entities that have what a node asks for, and nothing but that, and their values. */
static void condition_by_vias(const condition_chunk *chunk, const ki_via *via,
                              const uint64_t *asked, uint64_t *found)
{
    const void *unwanted[64];
    const void **kept = NULL;
    if (chunk->via_values != NULL && via->valued) {
        kept = chunk->via_values + (size_t)via->number * KI_CHUNK_ROWS + chunk->row % KI_CHUNK_ROWS;
    }
    for (uint32_t word = 0; word < chunk->words; word++) {
        const void **values = kept == NULL ? unwanted : kept + (size_t)word * 64;
        found[word] =
            ki_via_values(via, chunk->driver, chunk->row + word * 64, asked[word], values);
    }
}

/* Copies a number or a handle; of sizes that the compiler knows, that takes no call. */
static inline void condition_copy(uint8_t *to, const void *value, const ki_place_of_field *field)
{
    const uint8_t *from = (const uint8_t *)value + field->offset;
    switch (field->size) {
    case 1: *to = *from; break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    default: memcpy(to, from, 8); break;
    }
}

/* Whether a node asks other entities for one number or handle, or to compare a field with one that is
 * found from the query's own entity. */
static bool condition_asks_one(const ki_condition_node *node)
{
    const ki_condition_node *asked = node + 1;
    return node->via->conditional && asked->end == node->end &&
           (asked->form == KI_CONDITION_NUMBER || asked->form == KI_CONDITION_ENTITY ||
            (asked->form == KI_CONDITION_JOIN && asked->of_this));
}

/* Matches values of other entities, 64 at a time, next to one another. */
static void condition_by_via_values(const condition_chunk *chunk, const ki_condition_node *node,
                                    const uint64_t *asked, uint64_t *found)
{
    const ki_condition_node *leaf = node + 1;
    const ki_texts *texts = *chunk->query->conditions->texts;
    const void *values[64];
    uint64_t gathered[64] = {0};
    for (uint32_t word = 0; word < chunk->words; word++) {
        uint64_t has =
            ki_via_values(node->via, chunk->driver, chunk->row + word * 64, asked[word], values);
        found[word] = 0;
        for (uint64_t rest = has; rest != 0; rest &= rest - 1) {
            uint32_t i = ki_lowest_bit(rest);
            condition_copy((uint8_t *)gathered + (size_t)i * leaf->field.size, values[i],
                           &leaf->field);
        }
        if (has != 0) {
            ki_condition_match(leaf, texts, (const uint8_t *)gathered, leaf->field.size, 64,
                               &found[word]);
        }
        found[word] &= has;
    }
}

/* Up to 64 rows of a chunk. */
typedef struct condition_word {
    const condition_chunk *chunk;
    uint32_t word;
    uint64_t asked;
    kith_entity handles[64]; /* of the rows that are asked about */
} condition_word;

static void condition_begin_word(condition_word *rows)
{
    const condition_chunk *chunk = rows->chunk;
    const kith_entity *handles = ki_driver_entities(chunk->driver, chunk->row);
    for (uint64_t rest = rows->asked; rest != 0; rest &= rest - 1) {
        uint32_t i = ki_lowest_bit(rest);
        uint32_t row = rows->word * 64 + i;
        rows->handles[i] = handles != NULL ? handles[row]
                                           : ki_entity_at(&chunk->query->store->entities,
                                                          chunk->row + row);
    }
}

/* Finds where a field of each row is, of another entity if `via` is not NULL; returns the bits of those
 * that have it. */
static uint64_t condition_find_fields(const condition_word *rows, const ki_via *via,
                                      const ki_place_of_field *field, uint64_t asked,
                                      const void **values)
{
    const condition_chunk *chunk = rows->chunk;
    const ki_entities *entities = &chunk->query->store->entities;
    uint64_t has = asked;
    if (via != NULL) {
        has = ki_via_values(via, chunk->driver, chunk->row + rows->word * 64, asked, values);
    }
    for (uint64_t rest = has; rest != 0; rest &= rest - 1) {
        uint32_t i = ki_lowest_bit(rest);
        uint32_t index = rows->handles[i].index1 - 1;
        if (via != NULL) {
            values[i] = (const uint8_t *)values[i] + field->offset;
        } else if (field->component == NULL) {
            values[i] = &rows->handles[i];
        } else {
            values[i] =
                condition_locate(chunk->query, field, index, ki_record_at(entities, index));
            has &= ~((uint64_t)(values[i] == NULL) << i);
        }
    }
    return has;
}

/* Matches a join: a field of the rows, or of what `via` leads to, with one that is found from the rows.
 */
static void condition_by_joins(const condition_chunk *chunk, const ki_via *via,
                               const ki_condition_node *node, const uint64_t *asked,
                               uint64_t *found)
{
    const ki_texts *texts = *chunk->query->conditions->texts;
    const void *left[64];
    const void *right[64];
    for (uint32_t word = 0; word < chunk->words; word++) {
        condition_word rows = {.chunk = chunk, .word = word, .asked = asked[word]};
        found[word] = 0;
        if (asked[word] == 0) {
            continue;
        }
        condition_begin_word(&rows);
        uint64_t has = condition_find_fields(&rows, via, &node->field, asked[word], left);
        has = condition_find_fields(&rows, node->via, &node->other, has, right);
        for (uint64_t rest = has; rest != 0; rest &= rest - 1) {
            uint32_t i = ki_lowest_bit(rest);
            uint64_t mask;
            ki_condition_match_fields(node, texts, left[i], 0, right[i], 0, 1, &mask);
            found[word] |= mask << i;
        }
    }
}

/* Whether all entities of the chunk lack a component, as their table does. */
static bool condition_is_absent(const condition_chunk *chunk, const ki_component *component)
{
    return chunk->driver->kind == KI_DRIVE_TABLES && component->layout == KITH_TABLE &&
           !ki_table_has(chunk->driver->table, component->id);
}

/* Which of the rows `asked` satisfy a node that is not a group. */
static void condition_ask_alone(const condition_chunk *chunk, const ki_condition_node *node,
                                const uint64_t *asked, uint64_t *found)
{
    bool both = node->form == KI_CONDITION_FIELDS;
    if (node->form == KI_CONDITION_VIA && node->via->role == KITH_MUST && !node->via->conditional) {
        condition_by_vias(chunk, node->via, asked, found);
        return;
    }
    if (node->form == KI_CONDITION_VIA && condition_asks_one(node)) {
        if (node[1].form == KI_CONDITION_JOIN) {
            condition_by_joins(chunk, node->via, node + 1, asked, found);
        } else {
            condition_by_via_values(chunk, node, asked, found);
        }
        return;
    }
    if (node->form >= KI_CONDITION_PATH) {
        condition_by_entities(chunk, node, asked, found);
        return;
    }
    if (node->form == KI_CONDITION_JOIN) {
        condition_by_joins(chunk, NULL, node, asked, found);
        return;
    }
    if (condition_is_absent(chunk, node->field.component) ||
        (both && condition_is_absent(chunk, node->other.component))) {
        memset(found, 0, chunk->words * sizeof *found);
        return;
    }
    const ki_column *column = ki_driver_column(chunk->driver, node->field.component);
    const ki_column *other = both ? ki_driver_column(chunk->driver, node->other.component) : NULL;
    if (column == NULL || (both && other == NULL)) {
        condition_by_entities(chunk, node, asked, found);
    } else if (chunk->driver->kind == KI_DRIVE_SLOTS) {
        condition_by_slots(chunk, node, column, other, asked, found);
    } else {
        condition_by_columns(chunk, node, column, other, asked, found);
    }
}

/* Which of the rows `asked` satisfy a node. */
static void condition_ask(const condition_chunk *chunk, uint32_t number, const uint64_t *asked,
                          uint64_t *found)
{
    const ki_condition_node *nodes = chunk->query->conditions->nodes;
    const ki_condition_node *node = &nodes[number];
    if (node->form != KI_CONDITION_GROUP) {
        condition_ask_alone(chunk, node, asked, found);
        return;
    }
    /* `rest` are the rows that the nodes so far leave open: those that satisfied all, or none. */
    bool all = node->op == KITH_OP_ALL;
    uint64_t rest[KI_CHUNK_WORDS];
    memcpy(rest, asked, chunk->words * sizeof *rest);
    for (uint32_t i = number + 1; i < node->end; i = nodes[i].end) {
        condition_ask(chunk, i, rest, found);
        for (uint32_t word = 0; word < chunk->words; word++) {
            rest[word] &= all ? found[word] : ~found[word];
        }
    }
    for (uint32_t word = 0; word < chunk->words; word++) {
        found[word] = node->op == KITH_OP_ANY ? asked[word] & ~rest[word] : rest[word];
    }
}

void ki_conditions_filter(const kith_query *query, const ki_driver *driver, uint32_t row,
                          uint32_t count, const void **via_values, uint64_t *masks)
{
    const condition_chunk chunk = {query, driver, row, count, (count + 63) / 64, via_values};
    const ki_conditions *conditions = query->conditions;
    uint64_t found[KI_CHUNK_WORDS];
    for (uint32_t i = 0; i < conditions->count; i = conditions->nodes[i].end) {
        if (conditions->nodes[i].after != 0) {
            continue; /* of a row */
        }
        condition_ask(&chunk, i, masks, found);
        for (uint32_t word = 0; word < chunk.words; word++) {
            masks[word] &= found[word];
        }
    }
}
