/* Commands are packed into entries, and read from there when they are applied. */
#include "command/entries.h"

/* ---- Appending ------------------------------------------------------------------------------- */

/* The bytes of an entry with these commands; `*stride` is the distance to the next, at least 1. */
static inline uint32_t entries_entry_end(const kith_commands *commands, const ki_op *ops,
                                         uint32_t op_count, uint32_t *stride)
{
    ki_value_scan scan = ki_value_scan_start(ops, op_count);
    while (ki_value_scan_next(commands, &scan) != NULL) {
    }
    *stride = scan.size == 0 ? 1 : (uint32_t)ki_round_up(scan.size, scan.align);
    return scan.size;
}

static uint32_t entries_op_count(const ki_batch *batch)
{
    return batch->ops[0].more + 1u;
}

static size_t entries_head_bytes(uint32_t op_count)
{
    return ki_round_up(sizeof(ki_batch) + op_count * sizeof(ki_op), 8);
}

/* The entry that is begun, or else the last one. */
static uint8_t *entries_last_entry(const kith_commands *commands)
{
    return commands->begun != 0 ? commands->log.at : commands->log.at - commands->stride;
}

/* The entity of that entry. */
static kith_entity entries_last_entity(const kith_commands *commands)
{
    if (ki_command_makes(commands->batch->ops[0].kind)) {
        return (kith_entity){0, commands->tag << 24 | commands->spawns};
    }
    kith_entity entity;
    memcpy(&entity, entries_last_entry(commands), sizeof entity);
    return entity;
}

/* Room for a batch of `bytes` bytes where the log is to go on at `at`. */
static kith_result entries_alloc_batch(kith_commands *commands, uint8_t *at, size_t bytes,
                                       ki_batch **batch)
{
    ki_log *log = &commands->log;
    size_t gap = -(uintptr_t)at & 7;
    if ((size_t)(log->end - at) >= gap + bytes) {
        *batch = (ki_batch *)(void *)(at + gap);
        return KITH_OK;
    }
    if (ki_commands_count(commands) > KI_COMMANDS_MAX) {
        return KITH_ERR_LIMIT;
    }
    uint8_t *before = log->at;
    log->at = at;
    *batch = ki_log_alloc_slow(&commands->context.heap, log, bytes);
    if (*batch == NULL) {
        log->at = before;
        return KITH_ERR_MEMORY;
    }
    return KITH_OK;
}

static uint32_t entries_op_key(const ki_op *op)
{
    return ki_op_key(op->kind, (op->is_new ? KI_NEW_TYPE : 0) + op->component);
}

static uint64_t entries_hot_key(const kith_commands *commands, const ki_op *op)
{
    if (op->kind < KI_COMMAND_SET) {
        return ki_hot_key(op->kind, 0);
    }
    const ki_component *component =
        op->is_new ? ki_new_type_of(commands, op)
                   : ki_store_component(&commands->world->store, op->component);
    return ki_hot_key(op->kind, ki_type_number(component->type));
}

/* Notes what is expected of the open batch's next entries. One command that needs no second look is
 * the hot one. */
static void entries_expect(kith_commands *commands, const ki_op *ops, uint32_t op_count)
{
    const ki_component *component = NULL;
    uint32_t end = ki_entry_head(ops);
    for (uint32_t i = 0; i < op_count; i++) {
        ki_expected_op *step = &commands->expected[i];
        *step = (ki_expected_op){entries_op_key(&ops[i]), end};
        component = ki_op_component(commands, &ops[i]);
        if (component != NULL) {
            step->place = ki_value_place(component, &end);
            step->key = component->has_handles || component->hooks != NULL ? 0 : step->key;
        }
    }
    commands->op_count = op_count;
    commands->hot.key = 0;
    if (op_count == 1 && !ki_command_makes(ops->kind) && commands->expected[0].key != 0) {
        commands->hot = (ki_hot_op){.key = entries_hot_key(commands, ops),
                                    .size = component == NULL ? 0 : component->type->size,
                                    .stride = commands->stride,
                                    .last = commands->log.end - commands->stride};
    }
}

/* Opens a batch at `at` with one entry. Its first `kept` bytes are at `entry`. The batch that was open
 * keeps the entries before `at`. */
static kith_result entries_open(kith_commands *commands, uint8_t *at, const ki_op *ops,
                                uint32_t op_count, const uint8_t *entry, uint32_t kept)
{
    uint32_t stride;
    entries_entry_end(commands, ops, op_count, &stride);
    bool closes = commands->batch != NULL && at > commands->first;
    uint32_t closed = closes ? (uint32_t)(at - commands->first) / commands->stride : 0;
    size_t head = entries_head_bytes(op_count);
    ki_batch *batch;
    KI_TRY(entries_alloc_batch(commands, at, head + stride, &batch));
    uint8_t *first = (uint8_t *)batch + head;
    if (kept != 0) {
        memmove(first, entry, kept);
    }
    if (closes) {
        commands->batch->count = closed;
        commands->count += closed * commands->op_count;
    }
    memcpy(batch->ops, ops, op_count * sizeof *ops);
    batch->ops[0].more = (op_count - 1) & 0x7f;
    commands->batch = batch;
    commands->stride = stride;
    commands->begun = 0;
    commands->first = first;
    commands->log.at = first + stride;
    entries_expect(commands, ops, op_count);
    return KITH_OK;
}

/* Where the value of the last command in the log goes, which ends its entry. */
static uint8_t *entries_last_value(const kith_commands *commands)
{
    return commands->log.at - commands->stride + commands->expected[commands->op_count - 1].place;
}

/* Gives the open batch's entry that is begun, or else its last one, a batch of its own, with
 * `op` after its commands if it is not NULL. */
static kith_result entries_split(kith_commands *commands, const ki_op *op)
{
    ki_batch *open = commands->batch;
    bool whole = commands->begun == 0;
    uint32_t op_count = whole ? commands->op_count : commands->begun;
    ki_op ops[KI_ENTRY_OPS_MAX];
    memcpy(ops, open->ops, op_count * sizeof *ops);
    uint32_t stride;
    uint32_t kept = entries_entry_end(commands, ops, op_count, &stride);
    if (op != NULL) {
        ops[op_count++] = *op;
    }
    uint8_t *entry = entries_last_entry(commands);
    bool alone = entry == commands->first;
    return entries_open(commands, alone ? (uint8_t *)open : entry, ops, op_count, entry, kept);
}

/* Whether a command may join the entry that is begun, or else the last one. */
static bool entries_may_join(const kith_commands *commands)
{
    const ki_batch *open = commands->batch;
    uint32_t stride;
    uint32_t op_count = commands->begun != 0 ? commands->begun : commands->op_count;
    return op_count < KI_ENTRY_OPS_MAX &&
           entries_entry_end(commands, open->ops, op_count, &stride) <= KI_ENTRY_BYTES_MAX;
}

/* Whether the command is the next of the open batch's entries. */
static bool entries_expects(const kith_commands *commands, const ki_op *op)
{
    const ki_op *expected = &commands->batch->ops[commands->begun];
    return entries_op_key(expected) == entries_op_key(op);
}

/* Begins an entry; `entity` is what is at its head. */
static kith_result entries_begin_entry(kith_commands *commands, const ki_op *op, kith_entity entity,
                                       uint8_t **value)
{
    if (commands->batch != NULL && entries_expects(commands, op) &&
        (size_t)(commands->log.end - commands->log.at) >= commands->stride) {
        kith_entity made = {0, commands->tag << 24 | (commands->spawns + 1)};
        *value = ki_log_go_on(commands, ki_command_makes(op->kind) ? made : entity);
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
                .is_new = component != NULL && component->id >= KI_NEW_TYPE,
                .component = component == NULL ? 0 : (uint16_t)component->id};
    bool same = commands->batch != NULL && !ki_command_makes(kind) &&
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

/* Goes on to the next batch; false after the last. */
static bool entries_next_batch(ki_log_scan *scan)
{
    size_t gap = -(uintptr_t)scan->at & 7;
    scan->at = gap == 0 ? scan->at : scan->at + gap;
    while (scan->at >= scan->end) {
        ki_chunk *next = ki_log_next_chunk(&scan->commands->log, scan->chunk, &scan->end);
        if (next == NULL) {
            return false;
        }
        scan->chunk = next;
        scan->at = (uint8_t *)(next + 1);
    }
    return true;
}

/* Goes on to the log that is joined to this one; false if there is none. */
static bool entries_next_buffer(ki_log_scan *scan)
{
    if (scan->commands->more == NULL) {
        return false;
    }
    *scan = (ki_log_scan){.commands = scan->commands->more, .made = scan->made};
    return true;
}

bool ki_log_scan_next(ki_log_scan *scan, ki_entries *entries)
{
    const kith_commands *commands = scan->commands;
    if (entries_next_batch(scan)) {
        ki_batch *batch = (ki_batch *)(void *)scan->at;
        entries->ops = batch->ops;
        entries->op_count = entries_op_count(batch);
        entries->count = batch == commands->batch ? ki_commands_open_count(commands) : batch->count;
        entries->first = scan->at + entries_head_bytes(entries->op_count);
    } else if (commands->begun != 0 && !scan->past_begun) {
        scan->past_begun = true;
        entries->ops = commands->batch->ops;
        entries->op_count = commands->begun;
        entries->count = 1;
        entries->first = commands->log.at;
    } else {
        return entries_next_buffer(scan) && ki_log_scan_next(scan, entries);
    }
    entries_entry_end(commands, entries->ops, entries->op_count, &entries->stride);
    if (!scan->past_begun) {
        scan->at = entries->first + (size_t)entries->count * entries->stride;
    }
    entries->number = scan->made + 1;
    scan->made += ki_entries_make(entries) ? entries->count : 0;
    return true;
}
