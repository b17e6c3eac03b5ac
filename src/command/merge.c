/* Merges entries into groups. If no entity has more than one entry, there is nothing to merge
 * except within entries: each batch is a group, or several where its entities are in several
 * tables. An entity that is named again, a clone, or a command for an entity that is yet to be made
 * begins the merge anew: then each entity gets a group of its own. */
#include "command/merge_pass.h"

#define MERGE_ROWS 512u /* rows that a page has bits for */

/* ---- Entities that were named ---------------------------------------------------------------- */

/* Goes to the page of some rows, or makes it. KITH_ERR_MEMORY. */
static kith_result merge_turn(ki_merge *m, uint64_t page)
{
    m->page = page;
    m->bits = ki_map_find(&m->named, page);
    if (m->bits != NULL) {
        return KITH_OK;
    }
    KI_TRY(ki_map_reserve(&m->commands->context.heap, &m->named));
    m->bits = ki_merge_alloc(m, MERGE_ROWS / 8);
    if (m->bits == NULL) {
        return KITH_ERR_MEMORY;
    }
    memset(m->bits, 0, MERGE_ROWS / 8);
    ki_map_insert(&m->named, page, m->bits);
    return KITH_OK;
}

/* Notes that the entities in `count` rows of a table are named, which have their bits in one word,
 * and whether one was before. KITH_ERR_MEMORY. */
static inline kith_result merge_name(ki_merge *m, uint32_t table, uint32_t row, uint32_t count)
{
    uint64_t page = (uint64_t)table << 32 | row / MERGE_ROWS;
    if (m->bits == NULL || page != m->page) {
        KI_TRY(merge_turn(m, page));
    }
    uint64_t *word = &m->bits[row % MERGE_ROWS / 64];
    uint64_t bits = UINT64_MAX >> (64 - count) << row % 64;
    m->again = m->again || (*word & bits) != 0;
    *word |= bits;
    return KITH_OK;
}

/* The same for rows that follow one another. */
static kith_result merge_name_rows(ki_merge *m, uint32_t table, uint32_t row, uint32_t count)
{
    for (uint32_t step; count > 0; row += step, count -= step) {
        step = ki_min_u32(count, 64 - row % 64);
        KI_TRY(merge_name(m, table, row, step));
    }
    return KITH_OK;
}

/* ---- Commands -------------------------------------------------------------------------------- */

static kith_result merge_command(ki_merge *m, ki_command_group *group, const ki_op *op,
                                 const uint8_t *value)
{
    if (ki_command_makes(op->kind)) {
        return KITH_OK; /* that is what began the group */
    }
    if ((group->state & KI_GROUP_GONE) != 0) {
        m->dead++;
        return KITH_OK;
    }
    if (op->is_new) {
        return KITH_OK; /* it removes what nobody can have */
    }
    if (op->kind == KI_COMMAND_DESPAWN || op->kind == KI_COMMAND_CLEAR) {
        group->state |= op->kind == KI_COMMAND_DESPAWN ? KI_GROUP_GONE : KI_GROUP_BARE;
        group->list = NULL;
        group->end = &group->list;
        group->length = 0;
        group->long_list = 0;
        return KITH_OK;
    }
    const ki_pending command = {.component = op->component, .kind = op->kind, .value = value};
    return ki_merge_component(m, group, &command);
}

/* Notes what a command about a component did, for clones of trees. */
static kith_result merge_note(ki_merge *m, ki_command_group *group, const ki_component *component)
{
    const ki_pending *pending = !m->commands->clones_trees || component == NULL
                                    ? NULL
                                    : ki_merge_pending(m, group, component->id);
    return pending == NULL ? KITH_OK : ki_merge_note_source(m, group, pending);
}

/* Merges all commands of an entry into a group. */
static kith_result merge_entry(ki_merge *m, ki_command_group *group, const ki_entries *entries,
                               const uint8_t *entry)
{
    uint32_t end = ki_entry_head(entries->ops);
    for (uint32_t i = 0; i < entries->op_count; i++) {
        const ki_op *op = &entries->ops[i];
        const ki_component *component = ki_op_component(m->commands, op);
        const uint8_t *value = component == NULL ? NULL : entry + ki_value_place(component, &end);
        KI_TRY(merge_command(m, group, op, value));
        KI_TRY(merge_note(m, group, component));
    }
    return KITH_OK;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* Entities to be made, from entry number `i` on. */
static kith_result merge_made(ki_merge *m, const ki_entries *entries, uint32_t i, uint32_t *count)
{
    const uint8_t *entry = entries->first + (size_t)i * entries->stride;
    const ki_command_kind kind = entries->ops[0].kind;
    *count = m->each ? 1 : entries->count;
    if (kind != KI_COMMAND_SPAWN && !m->each) {
        m->again = true;
        return KITH_OK;
    }
    ki_command_group *group = ki_merge_begin(m, entry, entries->stride);
    if (group == NULL) {
        return KITH_ERR_MEMORY;
    }
    group->state = KI_GROUP_MADE;
    group->number = entries->number + i;
    group->count = *count;
    if (m->each) {
        m->commands->spawned[group->number - 1].group = group;
    }
    KI_TRY(kind == KI_COMMAND_CLONE        ? ki_merge_clone(m, group, false)
           : kind == KI_COMMAND_CLONE_TREE ? ki_merge_clone_tree(m, group)
                                           : KITH_OK);
    if (kind == KI_COMMAND_CLONE && m->commands->clones_trees) {
        KI_TRY(ki_merge_note_sources(m, group));
    }
    return merge_entry(m, group, entries, entry);
}

/* How many of `count` entries are for the entities in the rows from `row` on. */
static uint32_t merge_match_rows(const ki_rows *rows, uint32_t row, const uint8_t *entry,
                                 size_t stride, uint32_t count)
{
    if (row >= rows->count) {
        return 0;
    }
    count = ki_min_u32(count, rows->count - row);
    count = ki_min_u32(count, KI_BLOCK_ROWS_MAX - row % KI_BLOCK_ROWS_MAX);
    const kith_entity *here = KI_COLUMN_AT(const kith_entity, &rows->entities, row);
    uint32_t same = 0;
    while (same < count && memcmp(&here[same], entry + same * stride, sizeof *here) == 0) {
        same++;
    }
    return same;
}

/* Takes as many of the next entries into a group as are for living entities in the same table. What
 * is queued in a loop over rows is compared with them, and needs no look at records. */
static kith_result merge_extend(ki_merge *m, ki_command_group *group, kith_entity entity,
                                uint32_t row, uint32_t most)
{
    const ki_store *store = &m->commands->world->store;
    const ki_rows *rows = &store->tables[group->table]->rows;
    for (uint32_t step; group->count < most; group->count += step) {
        const uint8_t *next = group->entry + (size_t)group->count * group->stride;
        uint32_t index1 = entity.index1 + 1;
        step = merge_match_rows(rows, row + 1, next, group->stride, most - group->count);
        if (step != 0) {
            const kith_entity *here = KI_COLUMN_AT(const kith_entity, &rows->entities, row + 1);
            group->consecutive_slots = group->consecutive_slots && here->index1 == index1 &&
                                       ki_entities_span(here, step) == step;
            KI_TRY(merge_name_rows(m, group->table, row + 1, step));
            entity = here[step - 1];
            row += step;
            continue;
        }
        memcpy(&entity, next, sizeof entity);
        const ki_record *record = ki_record_match(&store->entities, entity);
        if (record == NULL || record->table != group->table) {
            return KITH_OK;
        }
        step = 1;
        row = record->row;
        group->consecutive_rows = false;
        group->consecutive_slots = group->consecutive_slots && entity.index1 == index1;
        KI_TRY(merge_name(m, group->table, row, 1));
    }
    return KITH_OK;
}

/* A group of living entities, from one entry on. */
static kith_result merge_living(ki_merge *m, const ki_entries *entries, const uint8_t *entry,
                                kith_entity entity, uint32_t most, uint32_t *count)
{
    const ki_record *record = ki_record_of(&m->commands->world->store.entities, entity);
    if (record == NULL) {
        m->dead += entries->op_count;
        return KITH_OK;
    }
    ki_command_group *group = ki_merge_begin(m, entry, entries->stride);
    if (group == NULL) {
        return KITH_ERR_MEMORY;
    }
    group->table = record->table;
    uint32_t dead = m->dead;
    KI_TRY(merge_entry(m, group, entries, entry));
    if (m->each) {
        KI_TRY(ki_map_reserve(&m->commands->context.heap, &m->groups));
        ki_map_insert(&m->groups, entity.index1, group);
        return KITH_OK;
    }
    KI_TRY(merge_name(m, record->table, record->row, 1));
    KI_TRY(merge_extend(m, group, entity, record->row, most));
    *count = group->count;
    m->dead += (m->dead - dead) * (group->count - 1); /* commands after a despawn */
    return KITH_OK;
}

/* Merges the next entries, from number `i` on; `*count` tells how many. */
static kith_result merge_next(ki_merge *m, const ki_entries *entries, uint32_t i, uint32_t *count)
{
    if (ki_entries_make(entries)) {
        return merge_made(m, entries, i, count);
    }
    const uint8_t *entry = entries->first + (size_t)i * entries->stride;
    kith_entity entity;
    memcpy(&entity, entry, sizeof entity);
    *count = 1;
    if (m->each) {
        ki_command_group *group = ki_merge_find(m, entity);
        if (group != NULL) {
            return merge_entry(m, group, entries, entry);
        }
    } else if (ki_is_provisional(entity)) {
        m->again = true;
        return KITH_OK;
    }
    return merge_living(m, entries, entry, entity, entries->count - i, count);
}

static kith_result merge_all(ki_merge *m)
{
    m->last = &m->first;
    m->commands->tree_spawns = 0;
    ki_log_scan scan = ki_log_scan_start(m->commands);
    for (ki_entries entries; ki_log_scan_next(&scan, &entries);) {
        for (uint32_t i = 0, count; i < entries.count; i += count) {
            KI_TRY(merge_next(m, &entries, i, &count));
            if (m->again) {
                return KITH_OK;
            }
        }
    }
    return KITH_OK;
}

static void merge_free(ki_merge *m)
{
    ki_heap *heap = &m->commands->context.heap;
    ki_map_free(heap, &m->named);
    ki_map_free(heap, &m->groups);
    ki_map_free(heap, &m->index);
    ki_map_free(heap, &m->sources);
}

kith_result ki_groups_make(kith_commands *commands, ki_command_group **groups, uint32_t *dead)
{
    ki_merge m = {.commands = commands};
    kith_result result = merge_all(&m);
    merge_free(&m);
    if (result == KITH_OK && m.again) {
        ki_log_rewind(&commands->context.heap, &commands->groups);
        m = (ki_merge){.commands = commands, .each = true};
        result = merge_all(&m);
        merge_free(&m);
    }
    *groups = m.first;
    *dead = m.dead;
    return result;
}
