/* Merging: the commands for one entity become its leader (the first of them) and a list of what
 * counts, at most one command about each component. Nothing of the world is changed. */
#include "command/buffer.h"

/* Leaders by the slots of their entities: open addressing, in groups of neighbours, since entities
 * that are changed together often have slots side by side. Made only if slots do not ascend: as
 * long as they do, each entity is new. */
#define MERGE_GROUP 8u

typedef struct merging {
    kith_commands *commands;
    ki_command **map;
    uint32_t map_capacity;
    uint32_t map_count;
    uint32_t last_index1; /* while slots ascend, and there is no map */
    uint32_t dead;
    kith_entity source; /* whose values `source_values` are: aliases, as a list */
    ki_command *source_values;
} merging;

static uint32_t merge_slot(const merging *m, uint32_t index1)
{
    uint32_t group = (index1 / MERGE_GROUP * 0x9e3779b1u) >> 7;
    return (group * MERGE_GROUP + index1 % MERGE_GROUP) & (m->map_capacity - 1);
}

static ki_command **merge_place(const merging *m, uint32_t index1)
{
    uint32_t slot = merge_slot(m, index1);
    while (m->map[slot] != NULL && m->map[slot]->entity.index1 != index1) {
        slot = (slot + 1) & (m->map_capacity - 1);
    }
    return &m->map[slot];
}

static void merge_free_map(merging *m)
{
    ki_heap_give(&m->commands->context.heap, m->map, m->map_capacity * sizeof *m->map,
                 _Alignof(max_align_t));
}

static kith_result merge_map_add(merging *m, ki_command *leader)
{
    if (m->map_count >= m->map_capacity / 2) {
        merging larger = *m;
        larger.map_capacity = m->map_capacity == 0 ? 256 : m->map_capacity * 2;
        larger.map =
            ki_heap_take_zeroed(&m->commands->context.heap,
                                larger.map_capacity * sizeof *larger.map, _Alignof(max_align_t));
        if (larger.map == NULL) {
            return KITH_ERR_MEMORY;
        }
        for (uint32_t i = 0; i < m->map_capacity; i++) {
            if (m->map[i] != NULL) {
                *merge_place(&larger, m->map[i]->entity.index1) = m->map[i];
            }
        }
        merge_free_map(m);
        *m = larger;
    }
    *merge_place(m, leader->entity.index1) = leader;
    m->map_count++;
    return KITH_OK;
}

/* Puts the leaders before `end` into the map: from here on slots need not ascend. */
static kith_result merge_make_map(merging *m, const ki_command *end)
{
    ki_log_walk walk = ki_log_walk_start(&m->commands->log);
    for (ki_command *command = ki_log_walk_next(&walk); command != end;
         command = ki_log_walk_next(&walk)) {
        if ((command->flags & KI_COMMAND_LEADS) != 0 && command->entity.index1 != 0) {
            KI_TRY(merge_map_add(m, command));
        }
    }
    m->last_index1 = UINT32_MAX;
    return KITH_OK;
}

/* The leader of a handle's entity so far; NULL if there is none. `now` is the command at hand. */
static kith_result merge_find(merging *m, kith_entity entity, const ki_command *now,
                              ki_command **leader)
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
        KI_TRY(merge_make_map(m, now));
    }
    if (m->map != NULL) {
        ki_command *found = *merge_place(m, entity.index1);
        /* Another generation of the same slot is dead: the leader's is alive. */
        *leader = found != NULL && kith_same(found->entity, entity) ? found : NULL;
    }
    return KITH_OK;
}

/* Makes `command` the first for its entity, which is alive. */
static kith_result merge_lead(merging *m, ki_command *command, const ki_record *record)
{
    command->flags |= KI_COMMAND_LEADS;
    command->table = record->table;
    if (m->last_index1 != UINT32_MAX) {
        m->last_index1 = command->entity.index1;
        return KITH_OK;
    }
    return merge_map_add(m, command);
}

/* Takes a command about a component into the list of its leader. */
static void merge_component(ki_command *leader, ki_command *command)
{
    ki_command *before = NULL; /* the last in the list but the one about this component */
    ki_command *found = NULL;
    ki_command *before_found = NULL;
    for (ki_command *other = ki_leader_first(leader); other != NULL; other = other->next) {
        if (other->component == command->component) {
            found = other;
            before_found = before;
        } else {
            before = other;
        }
    }
    bool bare = (leader->flags & (KI_COMMAND_MADE | KI_COMMAND_BARE)) != 0;
    if (command->kind == KI_COMMAND_ADD) {
        if (found != NULL && found->kind != KI_COMMAND_REMOVE) {
            return; /* it will be there */
        }
        command->flags |= found != NULL || bare ? KI_COMMAND_FRESH : 0;
    }
    if (found == leader) {
        leader->flags |= KI_COMMAND_VOID;
    } else if (found != NULL) {
        (before_found == NULL ? leader : before_found)->next = found->next;
    }
    if (command->kind == KI_COMMAND_REMOVE && bare) {
        return; /* it would not be there anyway */
    }
    command->next = NULL;
    (before == NULL ? leader : before)->next = command;
}

/* Nothing that was queued for the entity before counts any more. */
static void merge_reset(ki_command *leader, uint8_t state)
{
    leader->flags |= (uint8_t)(state | KI_COMMAND_VOID);
    leader->next = NULL;
}

/* ---- Clones ---------------------------------------------------------------------------------- */

/* A command to set a component, whose value is elsewhere, in front of a list; NULL if memory ran
 * out. */
static ki_command *merge_alias(merging *m, kith_entity entity, uint32_t component,
                               const void *value, ki_command *next)
{
    ki_command *alias = ki_log_take(&m->commands->context.heap, &m->commands->aliases,
                                    ki_command_bytes(sizeof value));
    if (alias != NULL) {
        *alias = (ki_command){.kind = KI_COMMAND_SET,
                              .flags = KI_COMMAND_ALIAS,
                              .component = (uint16_t)component,
                              .size = sizeof value,
                              .entity = entity,
                              .next = next};
        memcpy(alias + 1, &value, sizeof value);
    }
    return alias;
}

/* Copies one value of the source, which later commands may change before the clone is made. */
static kith_result merge_copy_value(merging *m, const ki_component *component,
                                    const ki_record *record)
{
    if (KI_UNLIKELY(component->hooks != NULL)) {
        return ki_fail(&m->commands->context, KITH_ERR_TYPE,
                       "kith_commands_apply: an entity to be cloned has '%s', which has hooks and"
                       " cannot be queued; clone it by kith_clone when the loop is over",
                       component->type->name);
    }
    uint32_t size = component->type->size;
    void *copy = NULL;
    if (size != 0) {
        copy = ki_log_take(&m->commands->context.heap, &m->commands->aliases, ki_round_up(size, 8));
        if (copy == NULL) {
            return KITH_ERR_MEMORY;
        }
        memcpy(copy,
               ki_store_value(&m->commands->world->store, component, m->source.index1 - 1, record),
               size);
    }
    ki_command *alias = merge_alias(m, m->source, component->id, copy, m->source_values);
    m->source_values = alias != NULL ? alias : m->source_values;
    return alias != NULL ? KITH_OK : KITH_ERR_MEMORY;
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

static const ki_command *merge_about(const ki_command *list, uint32_t component)
{
    while (list != NULL && list->component != component) {
        list = list->next;
    }
    return list;
}

static kith_result merge_clone_value(merging *m, ki_command *clone, uint32_t component,
                                     const void *value)
{
    ki_command *alias = merge_alias(m, clone->entity, component, value, clone->next);
    clone->next = alias != NULL ? alias : clone->next;
    return alias != NULL ? KITH_OK : KITH_ERR_MEMORY;
}

/* Gives the clone what the source has: by itself, if that lives and was not cleared, and by the
 * commands for it so far. */
static kith_result merge_clone(merging *m, ki_command *clone)
{
    const ki_store *store = &m->commands->world->store;
    kith_entity source;
    memcpy(&source, clone + 1, sizeof source);
    ki_command *leader;
    KI_TRY(merge_find(m, source, clone, &leader));
    const ki_record *record = ki_record_of(&store->entities, source);
    clone->flags |= KI_COMMAND_LEADS | KI_COMMAND_MADE;
    clone->next = NULL;
    m->commands->spawned[ki_spawn_number(clone->entity) - 1].leader = clone;
    if (leader == NULL ? record == NULL : (leader->flags & KI_COMMAND_GONE) != 0) {
        clone->flags |= KI_COMMAND_GONE;
        m->dead++;
        return KITH_OK;
    }
    const ki_command *changes = leader == NULL ? NULL : ki_leader_first(leader);
    bool bare = leader != NULL && (leader->flags & (KI_COMMAND_MADE | KI_COMMAND_BARE)) != 0;
    const ki_command *values = NULL;
    if (!bare) {
        KI_TRY(merge_copy_source(m, source, record));
        values = m->source_values;
    }
    for (const ki_command *own = values; own != NULL; own = own->next) {
        const ki_command *change = merge_about(changes, own->component);
        bool keeps = change == NULL ||
                     (change->kind == KI_COMMAND_ADD && (change->flags & KI_COMMAND_FRESH) == 0);
        if (keeps) {
            KI_TRY(merge_clone_value(m, clone, own->component, ki_command_value(own)));
        }
    }
    for (const ki_command *change = changes; change != NULL; change = change->next) {
        bool fresh =
            change->kind == KI_COMMAND_ADD && ((change->flags & KI_COMMAND_FRESH) != 0 ||
                                               merge_about(values, change->component) == NULL);
        if (change->kind == KI_COMMAND_SET || fresh) {
            KI_TRY(merge_clone_value(m, clone, change->component, ki_command_value(change)));
        }
    }
    return KITH_OK;
}

/* ---- All ------------------------------------------------------------------------------------- */

/* Takes in a command for an entity that is there or that a command before makes. */
static kith_result merge_change(merging *m, ki_command *command)
{
    ki_command *leader;
    KI_TRY(merge_find(m, command->entity, command, &leader));
    if (leader == NULL) {
        const ki_record *record =
            ki_record_of(&m->commands->world->store.entities, command->entity);
        if (record == NULL) {
            m->dead++;
            return KITH_OK;
        }
        KI_TRY(merge_lead(m, command, record));
        leader = command;
    } else if ((leader->flags & KI_COMMAND_GONE) != 0) {
        m->dead++;
        return KITH_OK;
    }
    if (command->kind == KI_COMMAND_DESPAWN) {
        merge_reset(leader, KI_COMMAND_GONE);
    } else if (command->kind == KI_COMMAND_CLEAR) {
        merge_reset(leader, KI_COMMAND_BARE);
    } else if (leader != command) {
        merge_component(leader, command);
    }
    return KITH_OK;
}

/* Takes one command in. */
static inline kith_result merge_command(merging *m, const ki_entities *entities,
                                        ki_command *command)
{
    command->flags &= KI_COMMAND_REFERS;
    command->next = NULL;
    if (KI_LIKELY(command->kind >= KI_COMMAND_SET && command->entity.index1 > m->last_index1)) {
        /* The usual case: about a component of an entity that was not named before. */
        const ki_record *record = ki_record_of(entities, command->entity);
        if (KI_LIKELY(record != NULL)) {
            command->flags |= KI_COMMAND_LEADS;
            command->table = record->table;
            m->last_index1 = command->entity.index1;
            return KITH_OK;
        }
    }
    if (command->kind == KI_COMMAND_SPAWN) {
        command->flags |= KI_COMMAND_LEADS | KI_COMMAND_MADE;
        m->commands->spawned[ki_spawn_number(command->entity) - 1].leader = command;
        return KITH_OK;
    }
    return command->kind == KI_COMMAND_CLONE ? merge_clone(m, command) : merge_change(m, command);
}

kith_result ki_commands_merge(kith_commands *commands, uint32_t *dead)
{
    merging m = {.commands = commands};
    ki_log_walk walk = ki_log_walk_start(&commands->log);
    kith_result result = KITH_OK;
    for (ki_command *command = ki_log_walk_next(&walk); command != NULL && result == KITH_OK;
         command = ki_log_walk_next(&walk)) {
        result = merge_command(&m, &commands->world->store.entities, command);
    }
    merge_free_map(&m);
    *dead = m.dead;
    return result;
}
