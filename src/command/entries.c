/* Commands are packed as they are queued, and walked over when they are applied. */
#include "command/entries.h"

/* ---- Appending ------------------------------------------------------------------------------- */

/* The bytes of an entry with these commands; `*stride` is the distance to the next. */
static inline uint32_t entries_entry_end(const kith_commands *commands, const ki_op *ops,
                                         uint32_t op_count, uint32_t *stride)
{
    ki_value_walk walk = ki_value_walk_start(ops, op_count);
    while (ki_value_walk_next(&commands->world->store, &walk) != NULL) {
    }
    *stride = (uint32_t)ki_round_up(walk.size, walk.align);
    return walk.size;
}

static uint32_t entries_op_count(const ki_stretch *stretch)
{
    return stretch->ops[0].more + 1u;
}

static size_t entries_head_bytes(uint32_t op_count)
{
    return ki_round_up(sizeof(ki_stretch) + op_count * sizeof(ki_op), 8);
}

/* Where the entry stands that is begun or else the last one. */
static uint8_t *entries_last_entry(const kith_commands *commands)
{
    return commands->begun != 0 ? commands->log.at : commands->log.at - commands->stride;
}

/* Whose it is. */
static kith_entity entries_last_entity(const kith_commands *commands)
{
    if (commands->stretch->ops[0].kind <= KI_COMMAND_CLONE) {
        return (kith_entity){0, commands->tag << 24 | commands->spawns};
    }
    kith_entity entity;
    memcpy(&entity, entries_last_entry(commands), sizeof entity);
    return entity;
}

/* Room for a stretch of `bytes` bytes where the log is to go on at `at`. */
static kith_result entries_take_stretch(kith_commands *commands, uint8_t *at, size_t bytes,
                                        ki_stretch **stretch)
{
    ki_log *log = &commands->log;
    size_t gap = -(uintptr_t)at & 7;
    if (KI_LIKELY((size_t)(log->end - at) >= gap + bytes)) {
        *stretch = (ki_stretch *)(void *)(at + gap);
        return KITH_OK;
    }
    if (commands->count > KI_COMMANDS_MAX) {
        return KITH_ERR_LIMIT;
    }
    uint8_t *before = log->at;
    log->at = at;
    *stretch = ki_log_take_slow(&commands->context.heap, log, bytes);
    if (*stretch == NULL) {
        log->at = before;
        return KITH_ERR_MEMORY;
    }
    return KITH_OK;
}

/* Notes what is expected of the open stretch's next entries. One command that needs no second look is the
 * usual one. */
static void entries_make_steps(kith_commands *commands, const ki_op *ops, uint32_t op_count)
{
    const ki_store *store = &commands->world->store;
    const ki_component *component = NULL;
    uint32_t end = ki_entry_head(ops);
    for (uint32_t i = 0; i < op_count; i++) {
        ki_step *step = &commands->steps[i];
        *step = (ki_step){ki_op_key(ops[i].kind, ops[i].component), end};
        component = ki_op_component(store, &ops[i]);
        if (component != NULL) {
            step->place = ki_value_place(component, &end);
            step->key = component->has_handles || component->hooks != NULL ? 0 : step->key;
        }
    }
    commands->step_count = op_count;
    commands->usual.key = 0;
    if (op_count == 1 && ops->kind > KI_COMMAND_CLONE && commands->steps[0].key != 0) {
        uint32_t number = ops->component == 0
                              ? 0
                              : ki_type_number(ki_store_component(store, ops->component)->type);
        commands->usual = (ki_usual){.key = ki_usual_key(ops->kind, number),
                                     .size = component == NULL ? 0 : component->type->size,
                                     .stride = commands->stride,
                                     .last = commands->log.end - commands->stride};
    }
}

/* Brings the counts up to date: of the open stretch's entries, and of all commands. */
static void entries_count(kith_commands *commands)
{
    uint32_t entries = ki_commands_uncounted(commands);
    if (entries != 0) {
        commands->stretch->count += entries;
        commands->count += entries;
        commands->counted = commands->log.at;
    }
}

/* Opens a stretch at `at` with one entry, whose first `kept` bytes are at `entry`. */
static kith_result entries_open(kith_commands *commands, uint8_t *at, const ki_op *ops,
                                uint32_t op_count, const uint8_t *entry, uint32_t kept)
{
    entries_count(commands);
    uint32_t stride;
    entries_entry_end(commands, ops, op_count, &stride);
    size_t head = entries_head_bytes(op_count);
    ki_stretch *stretch;
    KI_TRY(entries_take_stretch(commands, at, head + stride, &stretch));
    uint8_t *first = (uint8_t *)stretch + head;
    if (kept != 0) {
        memmove(first, entry, kept);
    }
    stretch->count = 1;
    memcpy(stretch->ops, ops, op_count * sizeof *ops);
    stretch->ops[0].more = (uint8_t)(op_count - 1);
    commands->stretch = stretch;
    commands->stride = stride;
    commands->begun = 0;
    commands->log.at = first + stride;
    commands->counted = commands->log.at;
    entries_make_steps(commands, ops, op_count);
    return KITH_OK;
}

/* Where the value of the last command in the log goes, which ends its entry. */
static uint8_t *entries_last_value(const kith_commands *commands)
{
    return commands->log.at - commands->stride + commands->steps[commands->step_count - 1].place;
}

/* Gives the open stretch's entry that is begun, or else its last one, a stretch of its own, with
 * `op` after its commands if it is not NULL. */
static kith_result entries_split(kith_commands *commands, const ki_op *op)
{
    entries_count(commands);
    ki_stretch *open = commands->stretch;
    bool whole = commands->begun == 0;
    uint32_t op_count = whole ? commands->step_count : commands->begun;
    ki_op ops[KI_ENTRY_OPS_MAX];
    memcpy(ops, open->ops, op_count * sizeof *ops);
    uint32_t stride;
    uint32_t kept = entries_entry_end(commands, ops, op_count, &stride);
    if (op != NULL) {
        ops[op_count++] = *op;
    }
    uint8_t *entry = entries_last_entry(commands);
    bool alone = whole && open->count == 1;
    KI_TRY(entries_open(commands, alone ? (uint8_t *)open : entry, ops, op_count, entry, kept));
    open->count -= whole && !alone;
    return KITH_OK;
}

/* Whether a command may join the entry that is begun, or else the last one. */
static bool entries_may_join(const kith_commands *commands)
{
    const ki_stretch *open = commands->stretch;
    uint32_t stride;
    uint32_t op_count = commands->begun != 0 ? commands->begun : commands->step_count;
    return op_count < KI_ENTRY_OPS_MAX &&
           entries_entry_end(commands, open->ops, op_count, &stride) <= KI_ENTRY_BYTES_MAX;
}

/* Whether the command is the next of the open stretch's entries. */
static bool entries_expects(const kith_commands *commands, const ki_op *op)
{
    const ki_op *expected = &commands->stretch->ops[commands->begun];
    return expected->kind == op->kind && expected->component == op->component;
}

/* Begins an entry; `entity` is what is at its head. */
static kith_result entries_begin_entry(kith_commands *commands, const ki_op *op, kith_entity entity,
                                       uint8_t **value)
{
    if (commands->stretch != NULL && entries_expects(commands, op) &&
        (size_t)(commands->log.end - commands->log.at) >= commands->stride) {
        kith_entity made = {0, commands->tag << 24 | (commands->spawns + 1)};
        *value = ki_log_go_on(commands, op->kind <= KI_COMMAND_CLONE ? made : entity);
    } else {
        KI_TRY(entries_open(commands, commands->log.at, op, 1, NULL, 0));
        *value = entries_last_value(commands);
    }
    if (ki_entry_head(op) != 0) {
        memcpy(entries_last_entry(commands), &entity, sizeof entity);
    }
    return KITH_OK;
}

kith_result ki_log_append(kith_commands *commands, ki_command_kind kind, kith_entity entity,
                          const ki_component *component, uint8_t **value)
{
    ki_op op = {.kind = (uint8_t)kind,
                .component = component == NULL ? 0 : (uint16_t)component->id};
    bool same = commands->stretch != NULL && kind > KI_COMMAND_CLONE &&
                kith_entity_equal(entity, entries_last_entity(commands));
    if (same && commands->begun != 0 && entries_expects(commands, &op)) {
        *value = ki_log_go_on(commands, entity);
        return KITH_OK;
    }
    if (same && entries_may_join(commands)) {
        KI_TRY(entries_split(commands, &op));
        *value = entries_last_value(commands);
        return KITH_OK;
    }
    if (commands->begun != 0) {
        KI_TRY(entries_split(commands, NULL));
    }
    return entries_begin_entry(commands, &op, entity, value);
}

/* ---- Walking --------------------------------------------------------------------------------- */

/* Goes on to the next stretch; false after the last. */
static bool entries_next_stretch(ki_log_walk *walk)
{
    size_t gap = -(uintptr_t)walk->at & 7;
    walk->at = gap == 0 ? walk->at : walk->at + gap;
    while (walk->at >= walk->end) {
        ki_chunk *next = ki_log_next_chunk(&walk->commands->log, walk->chunk, &walk->end);
        if (next == NULL) {
            return false;
        }
        walk->chunk = next;
        walk->at = (uint8_t *)(next + 1);
    }
    return true;
}

/* Goes on to the log that is joined to this one; false if there is none. */
static bool entries_next_buffer(ki_log_walk *walk)
{
    if (walk->commands->more == NULL) {
        return false;
    }
    *walk = (ki_log_walk){.commands = walk->commands->more, .made = walk->made};
    return true;
}

bool ki_log_walk_next(ki_log_walk *walk, ki_entries *entries)
{
    const kith_commands *commands = walk->commands;
    if (entries_next_stretch(walk)) {
        const ki_stretch *stretch = (const ki_stretch *)(void *)walk->at;
        entries->ops = stretch->ops;
        entries->op_count = entries_op_count(stretch);
        entries->count =
            stretch->count + (stretch == commands->stretch ? ki_commands_uncounted(commands) : 0);
        entries->first = walk->at + entries_head_bytes(entries->op_count);
    } else if (commands->begun != 0 && !walk->past_begun) {
        walk->past_begun = true;
        entries->ops = commands->stretch->ops;
        entries->op_count = commands->begun;
        entries->count = 1;
        entries->first = commands->log.at;
    } else {
        return entries_next_buffer(walk) && ki_log_walk_next(walk, entries);
    }
    entries_entry_end(commands, entries->ops, entries->op_count, &entries->stride);
    if (!walk->past_begun) {
        walk->at = entries->first + (size_t)entries->count * entries->stride;
    }
    entries->number = walk->made + 1;
    walk->made += ki_entries_make(entries) ? entries->count : 0;
    return true;
}
