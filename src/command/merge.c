/* Merging: what is queued for an entity becomes a list of what counts, at most one command about each
 * component, whose first is the leader. Nothing of the world is changed.
 *
 * If no entity has more than one entry, there is nothing to merge but within entries, and a stretch
 * is merged as a whole: its entities in one table are a group, for which the first one's list stands.
 * Otherwise each entity gets a list of its own. */
#include "command/marks.h"

typedef struct merging {
    kith_commands *commands;
    uint64_t pass;   /* what tables have that these commands named */
    bool distinct;   /* no entity has two entries */
    bool slots_turn; /* slots do not ascend */
    bool rows_turn;  /* nor do rows, in each table */
    bool unknown;    /* so whether no entity has two is to be found out in another way */
    uint32_t before; /* the entry before was about this slot: index1 */
    ki_leader_map map;
    uint32_t last_index1; /* while slots ascend, and there is no map */
    uint32_t dead;
    kith_entity source; /* whose values `source_values` are, as a list */
    ki_command *source_values;
    ki_marks marks;
} merging;

/* Puts all leaders into the map: from here on slots need not ascend. */
static kith_result merge_make_map(merging *m)
{
    ki_leader_walk walk = ki_leader_walk_start(m->commands);
    for (ki_command *leader = ki_leader_walk_next(&walk); leader != NULL;
         leader = ki_leader_walk_next(&walk)) {
        if ((leader->flags & KI_COMMAND_MADE) == 0) {
            KI_TRY(ki_leaders_add(&m->map, leader));
        }
    }
    m->last_index1 = UINT32_MAX;
    return KITH_OK;
}

/* The leader of a handle's entity so far; NULL if there is none. */
static kith_result merge_find(merging *m, kith_entity entity, ki_command **leader)
{
    *leader = NULL;
    if (ki_is_provisional(entity)) {
        *leader = m->commands->spawned[ki_spawn_number(entity) - 1].leader;
        return KITH_OK;
    }
    if (entity.index1 > m->last_index1) {
        return KITH_OK;
    }
    if (m->last_index1 != UINT32_MAX) {
        KI_TRY(merge_make_map(m));
    }
    ki_command *found = ki_leaders_find(&m->map, entity.index1);
    /* Another generation of the same slot is dead: the leader's is alive. */
    if (found != NULL && kith_same(ki_leader_entity(m->commands, found, 0), entity)) {
        *leader = found;
    }
    return KITH_OK;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static ki_command *merge_take(merging *m)
{
    return ki_log_take(&m->commands->context.heap, &m->commands->groups, sizeof(ki_command));
}

/* Begins a group with an entry, whose first command leads it. */
static kith_result merge_lead(merging *m, const ki_entries *entries, const uint8_t *entry,
                              ki_command **leader)
{
    static const uint8_t states[] = {[KI_COMMAND_SPAWN] = KI_COMMAND_MADE,
                                     [KI_COMMAND_CLONE] = KI_COMMAND_MADE,
                                     [KI_COMMAND_DESPAWN] = KI_COMMAND_GONE,
                                     [KI_COMMAND_CLEAR] = KI_COMMAND_BARE,
                                     [KI_COMMAND_REMOVE] = 0};
    ki_command *command = merge_take(m);
    if (command == NULL) {
        return KITH_ERR_MEMORY;
    }
    const ki_op *op = &entries->ops[0];
    *command = (ki_command){.kind = op->kind,
                            .flags = KI_COMMAND_LEADS | states[op->kind],
                            .component = op->component,
                            .count = 1,
                            .stride = entries->stride,
                            .entry = entry};
    *leader = command;
    return KITH_OK;
}

/* Takes a command about a component into the list of its leader. */
static kith_result merge_component(merging *m, ki_command *leader, const ki_op *op,
                                   const uint8_t *value)
{
    ki_store *store = ki_world_store(m->commands->world);
    ki_marks_leader(store, &m->marks, leader);
    ki_command *found = ki_marks_about(store, op->component);
    bool bare = (leader->flags & (KI_COMMAND_MADE | KI_COMMAND_BARE)) != 0;
    uint8_t flags = 0;
    if (op->kind == KI_COMMAND_ADD) {
        if (found != NULL && found->kind != KI_COMMAND_REMOVE) {
            return KITH_OK; /* it will be there */
        }
        flags = found != NULL || bare ? KI_COMMAND_FRESH : 0;
    }
    if (found != NULL) {
        ki_marks_remove(store, &m->marks, found);
    }
    if (found == leader) {
        leader->flags |= KI_COMMAND_VOID;
        found = NULL;
    }
    if (op->kind == KI_COMMAND_REMOVE && bare) {
        return KITH_OK; /* it would not be there anyway */
    }
    ki_command *command = found != NULL ? found : merge_take(m);
    if (command == NULL) {
        return KITH_ERR_MEMORY;
    }
    *command =
        (ki_command){.kind = op->kind, .flags = flags, .component = op->component, .value = value};
    ki_marks_append(store, &m->marks, command);
    return KITH_OK;
}

/* Nothing that was queued for the entity before counts any more. */
static void merge_reset(merging *m, ki_command *leader, uint8_t state)
{
    leader->flags |= (uint8_t)(state | KI_COMMAND_VOID);
    leader->next = NULL;
    m->marks.leader = NULL;
}

static kith_result merge_command(merging *m, ki_command *leader, const ki_op *op,
                                 const uint8_t *value)
{
    if ((leader->flags & KI_COMMAND_GONE) != 0) {
        m->dead++;
        return KITH_OK;
    }
    if (op->kind == KI_COMMAND_DESPAWN) {
        merge_reset(m, leader, KI_COMMAND_GONE);
        return KITH_OK;
    }
    if (op->kind == KI_COMMAND_CLEAR) {
        merge_reset(m, leader, KI_COMMAND_BARE);
        return KITH_OK;
    }
    return merge_component(m, leader, op, value);
}

/* Takes in all commands of an entry: its leader's own, or another one. */
static kith_result merge_entry(merging *m, ki_command *leader, const ki_entries *entries,
                               const uint8_t *entry)
{
    if (entries->op_count == 1 && leader->entry == entry) { /* the usual case */
        bool valued = ki_op_component(&m->commands->world->store, &entries->ops[0]) != NULL;
        leader->value = valued ? entry + ki_entry_head(entries->ops) : NULL;
        return KITH_OK;
    }
    uint32_t end = ki_entry_head(entries->ops);
    for (uint32_t i = 0; i < entries->op_count; i++) {
        const ki_op *op = &entries->ops[i];
        const uint8_t *value = NULL;
        const ki_component *component = ki_op_component(&m->commands->world->store, op);
        if (component != NULL) {
            value = entry + ki_value_place(component, &end);
        }
        if (i == 0 && leader->entry == entry) {
            leader->value = value;
        } else {
            KI_TRY(merge_command(m, leader, op, value));
        }
    }
    return KITH_OK;
}

/* ---- Clones ---------------------------------------------------------------------------------- */

/* A command to set a component in front of a list. */
static kith_result merge_set(merging *m, uint32_t component, const uint8_t *value,
                             ki_command **list)
{
    ki_command *command = merge_take(m);
    if (command == NULL) {
        return KITH_ERR_MEMORY;
    }
    *command = (ki_command){
        .kind = KI_COMMAND_SET, .component = (uint16_t)component, .value = value, .next = *list};
    *list = command;
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
    uint8_t *copy = NULL;
    if (size != 0 && component->hooks == NULL) {
        copy = ki_log_take(&m->commands->context.heap, &m->commands->copies, ki_round_up(size, 8));
        if (copy == NULL) {
            return KITH_ERR_MEMORY;
        }
        memcpy(copy, value, size);
        value = copy;
    }
    return merge_set(m, component->id, size == 0 ? NULL : value, &m->source_values);
}

/* Tells that a value for a clone was not copied. */
KI_COLD static kith_result merge_refuse_copy(merging *m, const ki_component *component,
                                             kith_result result)
{
    return ki_fail(&m->commands->context, result,
                   component->hooks->calls.copy == NULL
                       ? "kith_commands_apply: an entity to be cloned has '%s', whose hooks cannot"
                         " copy its values (%s)"
                       : "kith_commands_apply: copying the '%s' of an entity to be cloned: %s",
                   component->type->name, kith_result_name(result));
}

/* merge_give for a value with hooks. */
KI_COLD static kith_result merge_give_hooked(merging *m, const ki_command *from, bool queued,
                                             ki_command **list)
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
static inline kith_result merge_give(merging *m, const ki_command *from, bool queued,
                                     ki_command **list)
{
    const ki_store *store = &m->commands->world->store;
    if (KI_UNLIKELY(store->hooked) && ki_store_component(store, from->component)->hooks != NULL) {
        return merge_give_hooked(m, from, queued, list);
    }
    return merge_set(m, from->component, from->value, list);
}

/* Makes `source_values` those of a living entity, if they are not. */
static kith_result merge_copy_source(merging *m, kith_entity source, const ki_record *record)
{
    if (kith_same(m->source, source)) {
        return KITH_OK;
    }
    const ki_store *store = &m->commands->world->store;
    m->source = source;
    m->source_values = NULL;
    const ki_table *table = store->tables[record->table];
    for (uint32_t i = 0; i < table->column_count; i++) {
        KI_TRY(merge_copy_value(m, ki_store_component(store, table->ids[i]), record));
    }
    uint32_t index = source.index1 - 1;
    for (const ki_component *other = ki_others_next(store, index, 0); other != NULL;
         other = ki_others_next(store, index, other->other + 1)) {
        KI_TRY(merge_copy_value(m, other, record));
    }
    return KITH_OK;
}

/* Gives the clone what the source has: by itself, if that lives and was not cleared, and by the
 * commands for it so far. */
static kith_result merge_clone(merging *m, ki_command *clone)
{
    ki_store *store = ki_world_store(m->commands->world);
    kith_entity source;
    memcpy(&source, clone->entry, sizeof source);
    ki_command *leader;
    KI_TRY(merge_find(m, source, &leader));
    const ki_record *record = ki_record_of(&store->entities, source);
    if (leader == NULL ? record == NULL : (leader->flags & KI_COMMAND_GONE) != 0) {
        clone->flags |= KI_COMMAND_GONE;
        m->dead++;
        return KITH_OK;
    }
    ki_command *changes = leader == NULL ? NULL : ki_leader_first(leader);
    bool bare = leader != NULL && (leader->flags & (KI_COMMAND_MADE | KI_COMMAND_BARE)) != 0;
    ki_command *values = NULL;
    if (!bare) {
        KI_TRY(merge_copy_source(m, source, record));
        values = m->source_values;
    }
    ki_marks_list(store, &m->marks, changes);
    for (const ki_command *own = values; own != NULL; own = own->next) {
        const ki_command *change = ki_marks_about(store, own->component);
        bool keeps = change == NULL ||
                     (change->kind == KI_COMMAND_ADD && (change->flags & KI_COMMAND_FRESH) == 0);
        if (keeps) {
            KI_TRY(merge_give(m, own, false, &clone->next));
        }
    }
    ki_marks_list(store, &m->marks, values);
    for (const ki_command *change = changes; change != NULL; change = change->next) {
        bool fresh =
            change->kind == KI_COMMAND_ADD && ((change->flags & KI_COMMAND_FRESH) != 0 ||
                                               ki_marks_about(store, change->component) == NULL);
        if (change->kind == KI_COMMAND_SET || fresh) {
            KI_TRY(merge_give(m, change, true, &clone->next));
        }
    }
    return KITH_OK;
}

/* ---- Entities with several entries ----------------------------------------------------------- */

/* Makes `leader` the first for its entity, which is alive. */
static kith_result merge_enter(merging *m, ki_command *leader, const ki_record *record)
{
    leader->in.table = record->table;
    if (m->last_index1 != UINT32_MAX) {
        m->last_index1 = ki_leader_entity(m->commands, leader, 0).index1;
        return KITH_OK;
    }
    return ki_leaders_add(&m->map, leader);
}

/* Takes in an entry for an entity that is there or that an entry before makes. */
static kith_result merge_named(merging *m, const ki_entries *entries, const uint8_t *entry)
{
    kith_entity entity;
    memcpy(&entity, entry, sizeof entity);
    ki_command *leader;
    KI_TRY(merge_find(m, entity, &leader));
    if (leader == NULL) {
        const ki_record *record = ki_record_of(&m->commands->world->store.entities, entity);
        if (record == NULL) {
            m->dead += entries->op_count;
            return KITH_OK;
        }
        KI_TRY(merge_lead(m, entries, entry, &leader));
        KI_TRY(merge_enter(m, leader, record));
    }
    return merge_entry(m, leader, entries, entry);
}

static kith_result merge_made(merging *m, const ki_entries *entries, const uint8_t *entry,
                              uint32_t number)
{
    ki_command *leader;
    KI_TRY(merge_lead(m, entries, entry, &leader));
    leader->in.number = number;
    m->commands->spawned[number - 1].leader = leader;
    if (entries->ops[0].kind == KI_COMMAND_CLONE) {
        KI_TRY(merge_clone(m, leader));
    }
    return merge_entry(m, leader, entries, entry);
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

/* ---- Entities with one entry each ------------------------------------------------------------ */

/* Notes rows of entities that are named. As long as they ascend in each table, or slots do, nobody is
 * named twice. */
static inline void merge_note_rows(merging *m, ki_table *table, uint32_t row, uint32_t count)
{
    m->rows_turn = m->rows_turn || (table->named_pass == m->pass && row < table->named);
    table->named_pass = m->pass;
    table->named = row + count;
    m->unknown = m->slots_turn && m->rows_turn && !m->distinct;
}

/* Notes the slot of one. */
static inline void merge_note_slot(merging *m, uint32_t index1)
{
    m->slots_turn = m->slots_turn || index1 <= m->before;
    m->before = index1;
}

/* Notes the slots of entities that join a group. */
static void merge_note_slots(merging *m, ki_command *group, const kith_entity *entities,
                             uint32_t count)
{
    if (entities->index1 == m->before + 1 && ki_entities_span(entities, count) == count) {
        m->before += count;
        return;
    }
    group->flags |= KI_COMMAND_SCATTERED;
    uint32_t before = m->before;
    for (uint32_t i = 0; i < count && !m->slots_turn; i++) {
        m->slots_turn = entities[i].index1 <= before;
        before = entities[i].index1;
    }
    m->before = before;
}

static inline uint64_t merge_handle(const void *at)
{
    uint64_t handle;
    memcpy(&handle, at, sizeof handle);
    return handle;
}

/* How many of `count` entries are about these entities, one after another. */
static uint32_t merge_same(const kith_entity *here, const uint8_t *entry, size_t stride,
                           uint32_t count)
{
    uint32_t same = 0;
    for (; count - same >= 4; same += 4) {
        uint64_t differ = merge_handle(here + same) ^ merge_handle(entry);
        differ |= merge_handle(here + same + 1) ^ merge_handle(entry + stride);
        differ |= merge_handle(here + same + 2) ^ merge_handle(entry + 2 * stride);
        differ |= merge_handle(here + same + 3) ^ merge_handle(entry + 3 * stride);
        if (differ != 0) {
            break;
        }
        entry += 4 * stride;
    }
    while (same < count && merge_handle(here + same) == merge_handle(entry)) {
        same++;
        entry += stride;
    }
    return same;
}

/* Takes in the next entries of a group, `count` at most, as long as they are about those who stand in
 * the rows from `row` on, as the first is. They live, and need no look at their records. Returns how
 * many. */
static uint32_t merge_in_a_row(merging *m, ki_command *group, ki_table *table, uint32_t row,
                               const uint8_t *entry, uint32_t count)
{
    uint32_t found = 0;
    count = ki_min_u32(count, table->row_count - row);
    while (found < count) {
        const kith_entity *here = KI_COLUMN_AT(const kith_entity, &table->entities, row + found);
        uint32_t step =
            ki_min_u32(count - found, KI_BLOCK_ROWS_MAX - (row + found) % KI_BLOCK_ROWS_MAX);
        uint32_t same =
            merge_same(here, entry + (size_t)found * group->stride, group->stride, step);
        if (same != 0) {
            merge_note_slots(m, group, here, same);
        }
        found += same;
        if (same < step) {
            break;
        }
    }
    merge_note_rows(m, table, row, found);
    return found;
}

/* Takes as many of the next entries into a group as have a living entity in the same table. */
static void merge_extend(merging *m, ki_command *group, uint32_t row, uint32_t most)
{
    const ki_store *store = &m->commands->world->store;
    ki_table *table = store->tables[group->in.table];
    const uint8_t *next = group->entry + group->stride;
    for (uint32_t step; group->count < most && !m->unknown; group->count += step) {
        kith_entity entity;
        memcpy(&entity, next, sizeof entity);
        if (row + 1 < table->row_count && kith_same(entity, ki_table_entity(table, row + 1))) {
            step = merge_in_a_row(m, group, table, row + 1, next, most - group->count);
            row += step;
            next += (size_t)step * group->stride;
            continue;
        }
        const ki_record *record = ki_record_of(&store->entities, entity);
        if (record == NULL || record->table != table->id) {
            break;
        }
        row = record->row;
        group->flags |= KI_COMMAND_APART;
        group->flags |= entity.index1 != m->before + 1 ? KI_COMMAND_SCATTERED : 0;
        merge_note_slot(m, entity.index1);
        merge_note_rows(m, table, row, 1);
        next += group->stride;
        step = 1;
    }
}

/* Makes groups of the stretch's entities that live: those in one table, one behind another. Stops where
 * it is no longer known that no entity is named twice. */
static kith_result merge_groups(merging *m, const ki_entries *entries)
{
    const ki_store *store = &m->commands->world->store;
    const uint8_t *entry = entries->first;
    for (uint32_t left = entries->count, step; left > 0 && !m->unknown; left -= step) {
        step = 1;
        kith_entity entity;
        memcpy(&entity, entry, sizeof entity);
        const ki_record *record = ki_record_of(&store->entities, entity);
        if (record == NULL) {
            m->dead += entries->op_count;
        } else {
            uint32_t dead = m->dead;
            ki_command *group;
            KI_TRY(merge_lead(m, entries, entry, &group));
            group->in.table = record->table;
            KI_TRY(merge_entry(m, group, entries, entry));
            merge_note_slot(m, entity.index1);
            merge_note_rows(m, store->tables[record->table], record->row, 1);
            if (left > 1) {
                merge_extend(m, group, record->row, left);
            }
            step = group->count;
            m->dead += (m->dead - dead) * (step - 1); /* commands behind a despawn */
        }
        entry += (size_t)step * entries->stride;
    }
    return KITH_OK;
}

static kith_result merge_stretch(merging *m, const ki_entries *entries)
{
    if (!ki_entries_make(entries)) {
        return merge_groups(m, entries);
    }
    ki_command *group;
    KI_TRY(merge_lead(m, entries, entries->first, &group));
    group->in.number = entries->number;
    group->count = entries->count;
    return merge_entry(m, group, entries, entries->first);
}

/* ---- All ------------------------------------------------------------------------------------- */

static kith_result merge_all(merging *m,
                             kith_result (*take_in)(merging *m, const ki_entries *entries))
{
    ki_log_walk walk = ki_log_walk_start(m->commands);
    for (ki_entries entries; !m->unknown && ki_log_walk_next(&walk, &entries);) {
        KI_TRY(take_in(m, &entries));
    }
    return KITH_OK;
}

kith_result ki_commands_merge(kith_commands *commands, uint32_t *dead)
{
    ki_store *store = ki_world_store(commands->world);
    merging m = {.commands = commands, .pass = ++store->merge_pass, .unknown = commands->tangled};
    kith_result result = merge_all(&m, merge_stretch);
    if (m.unknown) {
        ki_log_rewind(&commands->context.heap, &commands->groups);
        ki_slots_named named = ki_commands_slots(commands);
        bool distinct = !commands->tangled && ki_commands_distinct(commands, &named);
        m = (merging){.commands = commands,
                      .pass = ++store->merge_pass,
                      .distinct = distinct,
                      .map = {.commands = commands}};
        result = distinct ? KITH_OK : ki_leaders_reserve(&m.map, &named);
        m.last_index1 = m.map.direct ? UINT32_MAX : 0;
        result = result != KITH_OK ? result : merge_all(&m, distinct ? merge_stretch : merge_each);
        ki_leaders_free(&m.map);
    }
    *dead = m.dead;
    return result;
}
