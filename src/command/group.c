/* If no entity has more than one entry, there is nothing to merge except within entries, and each
 * stretch is a group, or several where its entities are in several tables. Otherwise each entity
 * becomes a group of its own. */
#include "command/group.h"

#define MERGE_CHUNK 512u /* rows that a chunk has bits for */
#define MERGE_FEW 8u     /* commands of a list among which one is searched for without a map */

typedef struct merging {
    kith_commands *commands;
    ki_command_group *first;
    ki_command_group **last;
    ki_map named;   /* table and row / MERGE_CHUNK → a chunk of bits: entities that were named */
    uint64_t chunk; /* the key of the one that was used last, */
    uint64_t *bits; /* and itself; NULL: none was */
    ki_map groups;  /* or index1 → the group, while each entity gets its own */
    ki_map about;   /* component id → its command in one list: */
    const ki_pending_list *about_list;
    bool duplicate; /* an entity was named twice */
    uint32_t dead;
    kith_entity source; /* of a clone, whose values `source_values` are */
    ki_pending_list source_values;
} merging;

static void *merge_take(merging *m, size_t size)
{
    return ki_log_take(&m->commands->context.heap, &m->commands->groups, ki_round_up(size, 8));
}

/* ---- Entities that were named ----------------------------------------------------------------- */

/* Goes to a chunk, or makes it. KITH_ERR_MEMORY. */
static kith_result merge_turn(merging *m, uint64_t chunk)
{
    m->chunk = chunk;
    m->bits = ki_map_find(&m->named, chunk);
    if (m->bits != NULL) {
        return KITH_OK;
    }
    KI_TRY(ki_map_reserve(&m->commands->context.heap, &m->named));
    m->bits = merge_take(m, MERGE_CHUNK / 8);
    if (m->bits == NULL) {
        return KITH_ERR_MEMORY;
    }
    memset(m->bits, 0, MERGE_CHUNK / 8);
    ki_map_insert(&m->named, chunk, m->bits);
    return KITH_OK;
}

/* Notes that the entities in some rows of a table are named, which lie in one word of bits. Sets
 * `duplicate` if one was before. KITH_ERR_MEMORY. */
static inline kith_result merge_name(merging *m, uint32_t table, uint32_t row, uint64_t bits)
{
    uint64_t chunk = (uint64_t)table << 32 | row / MERGE_CHUNK;
    if (m->bits == NULL || chunk != m->chunk) {
        KI_TRY(merge_turn(m, chunk));
    }
    uint64_t *named = &m->bits[row % MERGE_CHUNK / 64];
    bits <<= row % 64;
    m->duplicate = m->duplicate || (*named & bits) != 0;
    *named |= bits;
    return KITH_OK;
}

/* The same for rows that follow one another. */
static kith_result merge_name_rows(merging *m, uint32_t table, uint32_t row, uint32_t count)
{
    while (count > 0) {
        uint32_t step = ki_min_u32(count, 64 - row % 64);
        KI_TRY(merge_name(m, table, row, UINT64_MAX >> (64 - step)));
        row += step;
        count -= step;
    }
    return KITH_OK;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Makes the map one of this list. KITH_ERR_MEMORY. */
static kith_result merge_index(merging *m, const ki_pending_list *list)
{
    ki_heap *heap = &m->commands->context.heap;
    m->about_list = NULL;
    ki_map_free(heap, &m->about);
    for (ki_pending *pending = list->first; pending != NULL; pending = pending->next) {
        KI_TRY(ki_map_reserve(heap, &m->about));
        ki_map_insert(&m->about, pending->component, pending);
    }
    m->about_list = list;
    return KITH_OK;
}

/* The command of a list about a component, or NULL. KITH_ERR_MEMORY. */
static kith_result merge_about(merging *m, const ki_pending_list *list, uint32_t component,
                               ki_pending **about)
{
    if (list->count > MERGE_FEW) {
        KI_TRY(m->about_list == list ? KITH_OK : merge_index(m, list));
        *about = ki_map_find(&m->about, component);
        return KITH_OK;
    }
    ki_pending *pending = list->first;
    while (pending != NULL && pending->component != component) {
        pending = pending->next;
    }
    *about = pending;
    return KITH_OK;
}

/* Empties a list. */
static void merge_forget(merging *m, ki_pending_list *list)
{
    *list = (ki_pending_list){0};
    m->about_list = m->about_list == list ? NULL : m->about_list;
}

/* Puts a command at the end of a list, which has none about its component. KITH_ERR_MEMORY. */
static kith_result merge_append(merging *m, ki_pending_list *list, ki_pending *pending)
{
    if (m->about_list == list) {
        KI_TRY(ki_map_reserve(&m->commands->context.heap, &m->about));
        ki_map_insert(&m->about, pending->component, pending);
    }
    pending->previous = list->last;
    *(list->last == NULL ? &list->first : &list->last->next) = pending;
    list->last = pending;
    list->count++;
    return KITH_OK;
}

/* Takes a command out of a list. */
static void merge_remove(merging *m, ki_pending_list *list, const ki_pending *pending)
{
    if (m->about_list == list) {
        ki_map_remove(&m->about, pending->component, pending);
    }
    *(pending->previous == NULL ? &list->first : &pending->previous->next) = pending->next;
    *(pending->next == NULL ? &list->last : &pending->next->previous) = pending->previous;
    list->count--;
}

/* Begins a group with an entry. */
static kith_result merge_begin(merging *m, const ki_entries *entries, const uint8_t *entry,
                               ki_command_group **begun)
{
    ki_command_group *group = merge_take(m, sizeof *group);
    if (group == NULL) {
        return KITH_ERR_MEMORY;
    }
    *group = (ki_command_group){.entry = entry,
                                .stride = entries->stride,
                                .count = 1,
                                .consecutive_rows = true,
                                .consecutive_slots = true,
                                .state = ki_entries_make(entries) ? KI_GROUP_MADE : 0};
    *m->last = group;
    m->last = &group->next;
    *begun = group;
    return KITH_OK;
}

/* Takes a command about a component into a group's list: the last one about each counts. */
static kith_result merge_component(merging *m, ki_command_group *group, const ki_op *op,
                                   const uint8_t *value)
{
    ki_pending *pending;
    KI_TRY(merge_about(m, &group->list, op->component, &pending));
    bool bare = (group->state & (KI_GROUP_MADE | KI_GROUP_BARE)) != 0;
    bool fresh = op->kind == KI_COMMAND_ADD && (pending != NULL || bare);
    if (pending != NULL && op->kind == KI_COMMAND_ADD && pending->kind != KI_COMMAND_REMOVE) {
        return KITH_OK; /* it will be there */
    }
    if (pending != NULL) {
        merge_remove(m, &group->list, pending);
    }
    if (op->kind == KI_COMMAND_REMOVE && bare) {
        return KITH_OK; /* it would not be there anyway */
    }
    pending = pending != NULL ? pending : merge_take(m, sizeof *pending);
    if (pending == NULL) {
        return KITH_ERR_MEMORY;
    }
    *pending =
        (ki_pending){.value = value, .component = op->component, .kind = op->kind, .fresh = fresh};
    return merge_append(m, &group->list, pending);
}

static kith_result merge_command(merging *m, ki_command_group *group, const ki_op *op,
                                 const uint8_t *value)
{
    if (op->kind <= KI_COMMAND_CLONE) {
        return KITH_OK; /* that is what began the group */
    }
    if ((group->state & KI_GROUP_GONE) != 0) {
        m->dead++;
        return KITH_OK;
    }
    switch ((ki_command_kind)op->kind) {
    case KI_COMMAND_DESPAWN:
        group->state |= KI_GROUP_GONE;
        merge_forget(m, &group->list);
        return KITH_OK;
    case KI_COMMAND_CLEAR:
        group->state |= KI_GROUP_BARE;
        merge_forget(m, &group->list);
        return KITH_OK;
    default: return merge_component(m, group, op, value);
    }
}

/* Takes all commands of an entry in. */
static kith_result merge_entry(merging *m, ki_command_group *group, const ki_entries *entries,
                               const uint8_t *entry)
{
    uint32_t end = ki_entry_head(entries->ops);
    for (uint32_t i = 0; i < entries->op_count; i++) {
        const ki_op *op = &entries->ops[i];
        const ki_component *component = ki_op_component(&m->commands->world->store, op);
        const uint8_t *value = component == NULL ? NULL : entry + ki_value_place(component, &end);
        KI_TRY(merge_command(m, group, op, value));
    }
    return KITH_OK;
}

/* ---- Entities with one entry each ------------------------------------------------------------ */

static inline uint64_t merge_bits(const void *entity)
{
    uint64_t bits;
    memcpy(&bits, entity, sizeof bits);
    return bits;
}

/* How many of `count` entries are about the entities in the rows from `row` on. */
static uint32_t merge_rows_named(const ki_rows *rows, uint32_t row, const uint8_t *entry,
                                 size_t stride, uint32_t count)
{
    if (row >= rows->count) {
        return 0;
    }
    const kith_entity *here = KI_COLUMN_AT(const kith_entity, &rows->entities, row);
    if (merge_bits(here) != merge_bits(entry)) {
        return 0;
    }
    count = ki_min_u32(count, rows->count - row);
    count = ki_min_u32(count, KI_BLOCK_ROWS_MAX - row % KI_BLOCK_ROWS_MAX);
    uint32_t same = 0;
    for (; count - same >= 4; same += 4, entry += 4 * stride) { /* four at once, while all are */
        uint64_t differ = 0;
        for (uint32_t i = 0; i < 4; i++) {
            differ |= merge_bits(here + same + i) ^ merge_bits(entry + i * stride);
        }
        if (differ != 0) {
            break;
        }
    }
    while (same < count && merge_bits(here + same) == merge_bits(entry)) {
        same++;
        entry += stride;
    }
    return same;
}

/* Takes as many of the next entries into a group as have a living entity in the same table. What is
 * queued in a loop over rows is compared with them, and needs no look at records. */
static kith_result merge_extend(merging *m, ki_command_group *group, kith_entity entity,
                                uint32_t row, uint32_t most)
{
    const ki_store *store = &m->commands->world->store;
    const ki_rows *rows = &store->tables[group->table]->rows;
    while (group->count < most) {
        const uint8_t *next = group->entry + (size_t)group->count * group->stride;
        uint32_t step = merge_rows_named(rows, row + 1, next, group->stride, most - group->count);
        if (step != 0) {
            const kith_entity *here = KI_COLUMN_AT(const kith_entity, &rows->entities, row + 1);
            KI_TRY(merge_name_rows(m, group->table, row + 1, step));
            group->count += step;
            group->consecutive_slots = group->consecutive_slots &&
                                       here->index1 == entity.index1 + 1 &&
                                       ki_entities_span(here, step) == step;
            row += step;
            entity = here[step - 1];
            continue;
        }
        uint32_t before = entity.index1;
        memcpy(&entity, next, sizeof entity);
        const ki_record *record = ki_record_match(&store->entities, entity);
        if (record == NULL || record->table != group->table) {
            break;
        }
        row = record->row;
        group->count++;
        group->consecutive_rows = false;
        group->consecutive_slots = group->consecutive_slots && entity.index1 == before + 1;
        KI_TRY(merge_name(m, group->table, row, 1));
    }
    return KITH_OK;
}

/* Makes groups of a stretch. */
static kith_result merge_stretch(merging *m, const ki_entries *entries)
{
    const ki_entities *all = &m->commands->world->store.entities;
    const uint8_t *entry = entries->first;
    for (uint32_t left = entries->count, step; left > 0 && !m->duplicate; left -= step) {
        kith_entity entity;
        memcpy(&entity, entry, sizeof entity);
        const ki_record *record = ki_record_of(all, entity);
        step = 1;
        if (record == NULL) {
            m->dead += entries->op_count;
        } else {
            uint32_t dead = m->dead;
            ki_command_group *group;
            KI_TRY(merge_begin(m, entries, entry, &group));
            group->table = record->table;
            KI_TRY(merge_entry(m, group, entries, entry));
            KI_TRY(merge_name(m, record->table, record->row, 1));
            KI_TRY(merge_extend(m, group, entity, record->row, left));
            step = group->count;
            m->dead += (m->dead - dead) * (step - 1); /* commands after a despawn */
        }
        entry += (size_t)step * entries->stride;
    }
    return KITH_OK;
}

static kith_result merge_group(merging *m, const ki_entries *entries)
{
    if (!ki_entries_make(entries)) {
        return merge_stretch(m, entries);
    }
    ki_command_group *group;
    KI_TRY(merge_begin(m, entries, entries->first, &group));
    group->number = entries->number;
    group->count = entries->count;
    return merge_entry(m, group, entries, entries->first);
}

/* ---- Clones ---------------------------------------------------------------------------------- */

/* A command to set a component, before the others of a list. */
static kith_result merge_set(merging *m, uint32_t component, const uint8_t *value,
                             ki_pending_list *list)
{
    ki_pending *pending = merge_take(m, sizeof *pending);
    if (pending == NULL) {
        return KITH_ERR_MEMORY;
    }
    KI_ASSERT(m->about_list != list);
    *pending = (ki_pending){.next = list->first,
                            .value = value,
                            .component = (uint16_t)component,
                            .kind = KI_COMMAND_SET};
    *(list->first == NULL ? &list->last : &list->first->previous) = pending;
    list->first = pending;
    list->count++;
    return KITH_OK;
}

/* Copies one value of the source, which later commands may change before the clone is made. Of one with
 * hooks each clone gets a copy of its own: merge_give makes it. */
static kith_result merge_copy_value(merging *m, const ki_component *component,
                                    const ki_record *record)
{
    const uint8_t *value =
        ki_store_value(&m->commands->world->store, component, m->source.index1 - 1, record);
    uint32_t size = component->type->size;
    if (size != 0 && component->hooks == NULL) {
        uint8_t *copy =
            ki_log_take(&m->commands->context.heap, &m->commands->copies, ki_round_up(size, 8));
        if (copy == NULL) {
            return KITH_ERR_MEMORY;
        }
        memcpy(copy, value, size);
        value = copy;
    }
    return merge_set(m, component->id, size == 0 ? NULL : value, &m->source_values);
}

/* Makes `source_values` those of a living entity, if they are not. */
static kith_result merge_copy_source(merging *m, kith_entity source, const ki_record *record)
{
    if (kith_entity_equal(m->source, source)) {
        return KITH_OK;
    }
    const ki_store *store = &m->commands->world->store;
    m->source = source;
    merge_forget(m, &m->source_values);
    const ki_table *table = store->tables[record->table];
    for (uint32_t i = 0; i < table->rows.column_count; i++) {
        KI_TRY(merge_copy_value(m, ki_store_component(store, table->ids[i]), record));
    }
    uint32_t index = source.index1 - 1;
    for (ki_component *other = ki_storages_next(store, index, 0); other != NULL;
         other = ki_storages_next(store, index, other->other + 1)) {
        KI_TRY(merge_copy_value(m, other, record));
    }
    return KITH_OK;
}

/* Tells that a value for a clone was not copied. */
static kith_result merge_refuse_copy(merging *m, const ki_component *component, kith_result result)
{
    return ki_fail(&m->commands->context, result,
                   component->hooks->calls.copy == NULL
                       ? "kith_commands_apply: an entity to be cloned has '%s', whose hooks cannot"
                         " copy its values (%s)"
                       : "kith_commands_apply: copying the '%s' of an entity to be cloned: %s",
                   component->type->name, kith_result_name(result));
}

/* merge_give for a value with hooks. */
static kith_result merge_give_hooked(merging *m, const ki_pending *from, bool queued,
                                     ki_pending_list *list)
{
    kith_commands *commands = m->commands;
    const ki_component *component = ki_store_component(&commands->world->store, from->component);
    ki_heap *heap = &commands->context.heap;
    const ki_held *other = queued ? ki_held_at(from->value) : NULL;
    const void *value = queued ? ki_held_value(other) : from->value;
    if (component->hooks->calls.copy == NULL) {
        return merge_refuse_copy(m, component, KITH_ERR_TYPE);
    }
    uint8_t *place = ki_log_take(heap, &commands->copies, ki_round_up(sizeof(ki_held *), 8));
    if (place == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_held *held;
    kith_result result = ki_holder_take(heap, &commands->cloned, component, value, &held);
    if (result != KITH_OK) {
        return merge_refuse_copy(m, component, result);
    }
    held->of_the_world = !queued || other->of_the_world;
    memcpy(place, &held, sizeof held);
    return merge_set(m, component->id, place, list);
}

/* Gives a clone a value of its source, or one that is `queued` for it. */
static kith_result merge_give(merging *m, const ki_pending *from, bool queued,
                              ki_pending_list *list)
{
    const ki_store *store = &m->commands->world->store;
    return ki_store_component(store, from->component)->hooks != NULL
               ? merge_give_hooked(m, from, queued, list)
               : merge_set(m, from->component, from->value, list);
}

/* The group of a handle's entity so far; NULL if there is none. */
static ki_command_group *merge_find(const merging *m, kith_entity entity)
{
    if (ki_is_provisional(entity)) {
        return m->commands->spawned[ki_spawn_number(entity) - 1].group;
    }
    ki_command_group *found = ki_map_find(&m->groups, entity.index1);
    /* Another generation of the same slot is dead: the group's is alive. */
    return found != NULL && kith_entity_equal(ki_group_entity(m->commands, found, 0), entity)
               ? found
               : NULL;
}

/* Gives the clone what the source has: by itself, if that lives and was not cleared, and by the commands
 * for it so far. */
static kith_result merge_clone(merging *m, ki_command_group *clone)
{
    kith_entity source;
    memcpy(&source, clone->entry, sizeof source);
    const ki_command_group *group = merge_find(m, source);
    const ki_record *record = ki_record_of(&m->commands->world->store.entities, source);
    if (group == NULL ? record == NULL : (group->state & KI_GROUP_GONE) != 0) {
        clone->state |= KI_GROUP_GONE;
        m->dead++;
        return KITH_OK;
    }
    static const ki_pending_list none;
    const ki_pending_list *changes = group == NULL ? &none : &group->list;
    const ki_pending_list *values = &none;
    if (group == NULL || (group->state & (KI_GROUP_MADE | KI_GROUP_BARE)) == 0) {
        KI_TRY(merge_copy_source(m, source, record));
        values = &m->source_values;
    }
    for (const ki_pending *own = values->first; own != NULL; own = own->next) {
        ki_pending *change;
        KI_TRY(merge_about(m, changes, own->component, &change));
        if (change == NULL || (change->kind == KI_COMMAND_ADD && !change->fresh)) {
            KI_TRY(merge_give(m, own, false, &clone->list));
        }
    }
    for (const ki_pending *change = changes->first; change != NULL; change = change->next) {
        ki_pending *own;
        KI_TRY(merge_about(m, values, change->component, &own));
        bool added = change->kind == KI_COMMAND_ADD && (change->fresh || own == NULL);
        if (change->kind == KI_COMMAND_SET || added) {
            KI_TRY(merge_give(m, change, true, &clone->list));
        }
    }
    return KITH_OK;
}

/* ---- Entities with several entries ----------------------------------------------------------- */

/* Takes in an entry for an entity that is there or that an entry before makes. */
static kith_result merge_named(merging *m, const ki_entries *entries, const uint8_t *entry)
{
    kith_entity entity;
    memcpy(&entity, entry, sizeof entity);
    ki_command_group *group = merge_find(m, entity);
    if (group == NULL) {
        const ki_record *record = ki_record_of(&m->commands->world->store.entities, entity);
        if (record == NULL) {
            m->dead += entries->op_count;
            return KITH_OK;
        }
        KI_TRY(ki_map_reserve(&m->commands->context.heap, &m->groups));
        KI_TRY(merge_begin(m, entries, entry, &group));
        group->table = record->table;
        ki_map_insert(&m->groups, entity.index1, group);
    }
    return merge_entry(m, group, entries, entry);
}

static kith_result merge_made(merging *m, const ki_entries *entries, const uint8_t *entry,
                              uint32_t number)
{
    ki_command_group *group;
    KI_TRY(merge_begin(m, entries, entry, &group));
    group->number = number;
    m->commands->spawned[number - 1].group = group;
    if (entries->ops[0].kind == KI_COMMAND_CLONE) {
        KI_TRY(merge_clone(m, group));
    }
    return merge_entry(m, group, entries, entry);
}

static kith_result merge_each(merging *m, const ki_entries *entries)
{
    bool make = ki_entries_make(entries);
    const uint8_t *entry = entries->first;
    for (uint32_t i = 0; i < entries->count; i++, entry += entries->stride) {
        KI_TRY(make ? merge_made(m, entries, entry, entries->number + i)
                    : merge_named(m, entries, entry));
    }
    return KITH_OK;
}

/* ---- All ------------------------------------------------------------------------------------- */

static kith_result merge_all(merging *m,
                             kith_result (*take_in)(merging *m, const ki_entries *entries))
{
    m->last = &m->first;
    ki_log_walk walk = ki_log_walk_start(m->commands);
    for (ki_entries entries; !m->duplicate && ki_log_walk_next(&walk, &entries);) {
        KI_TRY(take_in(m, &entries));
    }
    return KITH_OK;
}

static void merge_free(merging *m)
{
    ki_heap *heap = &m->commands->context.heap;
    ki_map_free(heap, &m->named);
    ki_map_free(heap, &m->groups);
    ki_map_free(heap, &m->about);
}

kith_result ki_groups_make(kith_commands *commands, ki_command_group **groups, uint32_t *dead)
{
    merging m = {.commands = commands, .duplicate = commands->tangled};
    kith_result result = merge_all(&m, merge_group);
    merge_free(&m);
    if (result == KITH_OK && m.duplicate) {
        ki_log_rewind(&commands->context.heap, &commands->groups);
        m = (merging){.commands = commands};
        result = merge_all(&m, merge_each);
        merge_free(&m);
    }
    *groups = m.first;
    *dead = m.dead;
    return result;
}
