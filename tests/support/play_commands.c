/* The part of the play that is about command buffers: some commands, queued and applied, against a
 * model that carries them out one after another. */
#include <string.h>

#include "components.h"
#include "play.h"

#define COMMANDS_MAX 512u
#define NOT_SPAWNED UINT32_MAX

typedef enum command_kind {
    SPAWN,
    CLONE,
    DESPAWN,
    CLEAR,
    SET,
    SET_BYTES,
    SET_SEVERAL,
    ADD,
    REMOVE,
    KIND_COUNT
} command_kind;

/* Whom a command is about: one of the buffer's own, by its number, or somebody else. */
typedef struct party {
    uint32_t spawned; /* NOT_SPAWNED: `entity` it is */
    kith_entity entity;
} party;

typedef struct play_command {
    command_kind kind;
    party target;
    party source; /* of a clone */
    const kith_type *type;
    kith_value
        values[PLAY_VALUES]; /* one for SET; with the handles {0, number + 1} for the own */
    uint32_t value_count;
} play_command;

typedef struct command_list {
    play_command list[COMMANDS_MAX];
    uint32_t count;
    uint32_t spawns;
} command_list;

/* ---- On a world ------------------------------------------------------------------------------ */

static kith_entity handle_of(const party *who, const kith_entity *spawned)
{
    return who->spawned == NOT_SPAWNED ? who->entity : spawned[who->spawned];
}

/* A value with up to two handles, and a little more. */
typedef struct told {
    kith_entity handles[4];
} told;

/* The value with the handles that stand for those of the buffer's own. */
static const void *told_value(const kith_value *value, const kith_entity *spawned, told *place)
{
    const uint32_t count = play_handles_in(value->type);
    if (value->data == NULL || count == 0) {
        return value->data;
    }
    CHECK(value->type->size <= sizeof(*place));
    memcpy(place, value->data, value->type->size);
    for (uint32_t i = 0; i < count; i++) {
        const kith_entity *handle = &place->handles[i];
        if (handle->index1 == 0 && handle->generation != 0) {
            place->handles[i] = spawned[handle->generation - 1];
        }
    }
    return place;
}

/* A type as this world would register it. */
static const kith_type *told_type(const played *w, const kith_type *type, kith_type *place)
{
    *place = *type;
    place->layout = play_layout(w, type);
    return place;
}

static void queue(const played *w, const play_command *c, kith_entity *spawned)
{
    kith_commands *commands = w->commands;
    kith_type types[PLAY_VALUES + 1];
    kith_entity target = c->kind <= CLONE ? KITH_NONE : handle_of(&c->target, spawned);
    told places[PLAY_VALUES];
    kith_value values[PLAY_VALUES];
    for (uint32_t i = 0; i < c->value_count; i++) {
        values[i].type = told_type(w, c->values[i].type, &types[i]);
        values[i].data = told_value(&c->values[i], spawned, &places[i]);
    }
    const kith_type *type = told_type(w, c->type, &types[PLAY_VALUES]);
    switch (c->kind) {
    case SPAWN:
        spawned[c->target.spawned] =
            c->value_count == 0 ? kith_commands_spawn(commands)
                                : kith_commands_spawn_values(commands, values, c->value_count);
        break;
    case CLONE:
        spawned[c->target.spawned] = kith_commands_clone(commands, handle_of(&c->source, spawned));
        break;
    case DESPAWN: kith_commands_despawn(commands, target); break;
    case CLEAR: kith_commands_remove_all(commands, target); break;
    case SET: kith_commands_set(commands, target, type, values[0].data); break;
    case SET_BYTES:
        kith_commands_set_bytes(commands, target, type, values[0].data,
                                values[0].data == NULL ? 0 : c->type->size);
        break;
    case SET_SEVERAL: kith_commands_set_values(commands, target, values, c->value_count); break;
    case ADD: kith_commands_add(commands, target, type); break;
    default: kith_commands_remove(commands, target, type); break;
    }
}

static kith_result act_commands(played *w, const operation *op, outcome *out)
{
    const command_list *all = op->bytes;
    kith_entity spawned[COMMANDS_MAX];
    for (uint32_t i = 0; i < all->count; i++) {
        queue(w, &all->list[i], spawned);
    }
    uint32_t dead = 0;
    kith_result result = kith_commands_apply(w->commands, &dead);
    if (result != KITH_OK && op->number == 1) {
        result = kith_commands_apply(w->commands, &dead);
    }
    if (result != KITH_OK) {
        kith_commands_discard(w->commands);
        return result;
    }
    CHECK_UINT(kith_commands_memory(w->commands).commands, 0);
    out->count = dead;
    for (uint32_t i = 0; i < all->spawns; i++) {
        out->entities[i] = kith_commands_real(w->commands, spawned[i]);
    }
    return result;
}

/* ---- On the model ---------------------------------------------------------------------------- */

/* The state of carrying out commands one by one. */
typedef struct carrying {
    play *p;
    const command_list *all;
    bool made; /* those to be made are there: a handle that is one of theirs was dead before */
    bool spawned_dead[COMMANDS_MAX]; /* despawned, or a clone of the dead */
    bool doomed[COMMANDS_MAX];       /* ends with what it leads to, and so never comes to be */
    kith_entity ended[COMMANDS_MAX]; /* of those that were there before */
    uint32_t ended_count;
    uint32_t dead; /* commands for the dead */
    kith_entity real[COMMANDS_MAX];
    kith_entity linked[COMMANDS_MAX];  /* the same for relations: never KITH_NONE */
    uint32_t order;                    /* of the last value that was set */
    model_values values[COMMANDS_MAX]; /* of those to be made */
} carrying;

static bool is_ended(const carrying *c, kith_entity entity)
{
    for (uint32_t i = 0; i < c->ended_count; i++) {
        if (kith_entity_equal(c->ended[i], entity)) {
            return true;
        }
    }
    return false;
}

static bool is_made(const carrying *c, kith_entity entity)
{
    for (uint32_t i = 0; i < c->all->spawns; i++) {
        if (kith_entity_equal(c->real[i], entity)) {
            return true;
        }
    }
    return false;
}

static bool is_dead(const carrying *c, const party *who)
{
    return who->spawned != NOT_SPAWNED
               ? c->spawned_dead[who->spawned]
               : model_find(&c->p->m, who->entity) == NULL || is_ended(c, who->entity) ||
                     (c->made && is_made(c, who->entity));
}

static model_values *values_of(carrying *c, const party *who)
{
    return who->spawned != NOT_SPAWNED ? &c->values[who->spawned]
                                       : &model_find(&c->p->m, who->entity)->values;
}

/* Sets a value as a command does. */
static void put(carrying *c, model_values *values, const kith_value *value)
{
    told place;
    const kith_entity *handles = value->type->relation != 0 ? c->linked : c->real;
    model_set(values, value->type, told_value(value, handles, &place));
    model_get(values, value->type)->order = ++c->order;
}

/* The value of a command. A link to the handle that an entity of the buffer gets, which nobody has yet,
 * leads to the dead. */
static void put_told(carrying *c, model_values *values, const kith_value *value)
{
    told place;
    kith_value untimely = *value;
    const bool linked = value->type->relation != 0 && value->data != NULL;
    if (linked) {
        memcpy(&place, value->data, value->type->size);
        untimely.data = &place;
    }
    for (uint32_t i = 0; linked && i < play_handles_in(value->type); i++) {
        place.handles[i] =
            !kith_is_none(place.handles[i]) && is_made(c, place.handles[i])
                ? (kith_entity){UINT32_MAX, 0}
                : place.handles[i];
    }
    put(c, values, &untimely);
}

/* Who lives and who dies; with `change` what they have, too. */
static void carry_out(carrying *c, const play_command *command, bool change)
{
    if (command->kind == CLONE && is_dead(c, &command->source)) {
        c->spawned_dead[command->target.spawned] = true;
        c->dead++;
        return;
    }
    if (command->kind > CLONE && is_dead(c, &command->target)) {
        c->dead += command->kind == SET_SEVERAL ? command->value_count : 1;
        return;
    }
    if (command->kind == DESPAWN) {
        if (command->target.spawned != NOT_SPAWNED) {
            c->spawned_dead[command->target.spawned] = true;
        } else {
            c->ended[c->ended_count++] = command->target.entity;
        }
        return;
    }
    if (!change) {
        return;
    }
    model_values *values = values_of(c, &command->target);
    switch (command->kind) {
    case CLONE: {
        const model_values *source = values_of(c, &command->source);
        for (uint32_t i = 0; i < source->count; i++) {
            if (source->list[i].type != c->p->m.name_type) {
                put(c, values, &(kith_value){source->list[i].type, source->list[i].bytes});
            }
        }
        break;
    }
    case CLEAR:
        model_clear(values);
        if (command->target.spawned == NOT_SPAWNED) {
            model_unlink(&c->p->m, command->target.entity);
        }
        break;
    case ADD:
        if (model_get(values, command->type) == NULL) {
            put(c, values, &(kith_value){command->type, NULL});
        }
        break;
    case REMOVE: model_remove(values, command->type); break;
    default:
        for (uint32_t i = 0; i < command->value_count; i++) {
            put_told(c, values, &command->values[i]);
        }
        break;
    }
}

static void carry_out_all(carrying *c, bool change)
{
    c->ended_count = 0;
    c->dead = 0;
    memset(c->spawned_dead, 0, sizeof(c->spawned_dead));
    for (uint32_t i = 0; i < c->all->count; i++) {
        carry_out(c, &c->all->list[i], change);
    }
}

/* ---- Links of what was carried out ----------------------------------------------------------- */

/* The entity that a command is the first to name, or one of the first; KITH_NONE: none. */
static kith_entity named_by(const carrying *c, const play_command *command)
{
    bool names =
        command->kind <= CLONE || command->kind != SET_SEVERAL || command->value_count != 0;
    if (!names) {
        return KITH_NONE;
    }
    return command->target.spawned != NOT_SPAWNED ? c->real[command->target.spawned]
                                                  : command->target.entity;
}

/* Takes away what leads to the dead. Returns whether the entity ends for that. */
static bool lose_dead(carrying *c, kith_entity handle)
{
    model *m = &c->p->m;
    bool ends = false;
    model_entity *entity = model_find(m, handle);
    for (uint32_t i = 0; entity != NULL && i < m->relation_count; i++) {
        const model_relation *relation = &m->relations[i];
        const kith_entity target = model_target(relation, entity);
        if (model_get(&entity->values, relation->type) == NULL || model_find(m, target) != NULL) {
            continue;
        }
        if ((relation->type->relation & KITH_MANY) != 0 ||
            ((relation->rules & KITH_CASCADE) != 0 && !kith_is_none(target))) {
            ends = true;
        } else {
            model_remove(&entity->values, relation->type);
        }
    }
    return ends;
}

/* Takes away links of those that end, and to those that are dead. For each command: the entity that it
 * names, if that ends by it; else KITH_NONE. Returns what is wrong. */
static uint32_t unlink_all(carrying *c, kith_entity *lost)
{
    model *m = &c->p->m;
    for (uint32_t i = 0; i < c->ended_count; i++) {
        model_unlink(m, c->ended[i]);
        model_clear(&model_find(m, c->ended[i])->values);
    }
    for (uint32_t i = 0; i < c->all->count; i++) {
        const kith_entity entity = named_by(c, &c->all->list[i]);
        lost[i] = lose_dead(c, entity) ? entity : KITH_NONE;
    }
    return model_settle(m);
}

/* Finds what ends, in the order in which that follows from one another. False: it is forbidden. */
static bool follow_links(carrying *c, kith_entity *lost, model_ends *ends)
{
    const model *m = &c->p->m;
    c->p->wrong = unlink_all(c, lost) & 1u << KITH_ERR_CYCLE;
    for (uint32_t i = 0; i < c->all->count; i++) {
        const kith_entity entity = named_by(c, &c->all->list[i]);
        if (is_ended(c, entity)) {
            model_ends_add(m, ends, entity);
        }
    }
    for (uint32_t i = 0; i < c->all->count; i++) {
        model_ends_add(m, ends, lost[i]);
    }
    if (c->p->wrong == 0 && !model_may_end(m, ends)) {
        c->p->wrong = 1u << KITH_ERR_CONFLICT;
    }
    return c->p->wrong == 0;
}

/* Notes those that never come to be, since they would end, and takes them out of those that end.
 * Returns whether there are some. */
static bool find_doomed(carrying *c, model_ends *ends)
{
    bool some = false;
    for (uint32_t i = 0; i < ends->count; i++) {
        for (uint32_t k = 0; k < c->all->spawns; k++) {
            bool doomed = kith_entity_equal(c->real[k], ends->list[i]);
            c->doomed[k] = c->doomed[k] || doomed;
            some = some || doomed;
        }
        ends->list[i] = is_made(c, ends->list[i]) ? KITH_NONE : ends->list[i];
    }
    return some;
}

/* Those that were ended go in the order in which the commands first named them, and then those that
 * follow. */
static void end_all(carrying *c, const model_ends *ends)
{
    model *m = &c->p->m;
    bool *gone = play_scratch(c->p, c->all->count);
    model_clear_sources(m, ends);
    for (uint32_t i = 0; i < c->all->count; i++) {
        const kith_entity entity = named_by(c, &c->all->list[i]);
        for (uint32_t k = 0; k < ends->count; k++) {
            gone[i] = gone[i] || kith_entity_equal(ends->list[k], entity);
        }
    }
    for (uint32_t i = 0; i < c->all->count; i++) {
        if (gone[i]) {
            model_despawn(m, named_by(c, &c->all->list[i]));
        }
    }
    for (uint32_t k = 0; k < ends->count; k++) {
        model_despawn(m, ends->list[k]);
    }
}

/* What commands add is registered, also for the dead. */
static void register_added(play *p, const play_command *command)
{
    if (command->kind == ADD) {
        model_register(&p->m, command->type);
    }
    for (uint32_t i = 0; i < command->value_count; i++) {
        model_register(&p->m, command->values[i].type);
    }
}

/* Carries all out, but for ends. */
static void make_all(carrying *c)
{
    model *m = &c->p->m;
    c->made = false;
    carry_out_all(c, false);
    for (uint32_t i = 0; i < c->all->spawns; i++) {
        bool made = !c->spawned_dead[i] && !c->doomed[i];
        c->real[i] = made ? model_spawn(m)->handle : KITH_NONE;
        c->linked[i] = made ? c->real[i] : (kith_entity){UINT32_MAX, 0};
    }
    c->made = true;
    carry_out_all(c, true);
    for (uint32_t i = 0; i < c->all->spawns; i++) {
        model_entity *entity = model_find(m, c->real[i]);
        for (uint32_t k = 0; entity != NULL && k < c->values[i].count; k++) {
            const model_value *value = &c->values[i].list[k];
            model_set(&entity->values, value->type, value->bytes);
            model_get(&entity->values, value->type)->order = value->order;
        }
        model_clear(&c->values[i]);
    }
}

static kith_result expect_commands(play *p, const operation *op, outcome *out)
{
    carrying *c = play_scratch(p, sizeof(*c));
    memset(c, 0, sizeof(*c));
    c->p = p;
    c->all = op->bytes;
    for (uint32_t i = 0; i < c->all->count; i++) {
        register_added(p, &c->all->list[i]);
    }
    kith_entity *lost = play_scratch(p, c->all->count * sizeof(*lost));
    model before = model_copy(&p->m);
    model_ends ends = {0};
    make_all(c);
    if (follow_links(c, lost, &ends) && find_doomed(c, &ends)) {
        model_free(&p->m);
        p->m = before;
        before = (model){0};
        make_all(c);
        unlink_all(c, lost);
        model_ends_again(&p->m, &ends);
    }
    model_free(&before);
    end_all(c, &ends);
    model_ends_free(&ends);
    memcpy(out->entities, c->real, c->all->spawns * sizeof(*c->real));
    out->count = c->dead;
    return KITH_OK;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

/* Mostly somebody who is there; often one whom the list has named before. */
static party choose_party(play *p, const command_list *all)
{
    party who = {NOT_SPAWNED, KITH_NONE};
    uint32_t choice = input_below(&p->in, 100);
    if (choice < 30 && all->spawns > 0) {
        who.spawned = input_below(&p->in, all->spawns);
    } else if (choice < 65 && all->count > 0) {
        who =
            all->list[all->count - 1 - input_below(&p->in, all->count < 6 ? all->count : 6)].target;
    } else {
        who.entity = play_entity(p);
        /* A provisional handle of another buffer is another matter. */
        if (who.entity.index1 == 0) {
            who.entity = KITH_NONE;
        }
    }
    return who;
}

static kith_value choose_value(play *p, const command_list *all, const kith_type *type)
{
    const void *bytes = play_bytes(p, type, 1);
    const uint32_t count = play_handles_in(type);
    if (count == 0 || (bytes == NULL && type->relation != 0)) {
        return (kith_value){type, bytes};
    }
    told *value = play_scratch(p, sizeof(*value));
    if (type->relation != 0) {
        memcpy(value, bytes, type->size);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (type->relation == 0) {
            value->handles[i] = play_living(p);
        } else if (value->handles[i].index1 == 0) { /* no handle of another buffer */
            value->handles[i] = KITH_NONE;
        }
        if (all->spawns > 0 && input_chance(&p->in, type->relation == 0 ? 70 : 40)) {
            value->handles[i] = (kith_entity){0, 1 + input_below(&p->in, all->spawns)};
        }
    }
    return (kith_value){type, value};
}

/* Mostly one that is registered. */
static const kith_type *choose_type(play *p, uint32_t size)
{
    const kith_type *type = play_type(input_below(&p->in, PLAY_TYPES));
    return input_chance(&p->in, 10) && type->size <= size && !play_is_hooked(type)
               ? type
               : play_small(p, size);
}

static void choose_command(play *p, command_list *all, uint32_t size)
{
    play_command *c = &all->list[all->count];
    *c = (play_command){.kind = (command_kind)input_below(&p->in, KIND_COUNT)};
    if (p->m.entity_count >= p->cap * 2 && c->kind <= CLONE) {
        c->kind = DESPAWN;
    }
    c->target = choose_party(p, all);
    c->source = choose_party(p, all);
    c->type = choose_type(p, size);
    if (input_chance(&p->in, 15)) {
        c->type = play_same_type(&Target_type);
        c->type = model_rank(&p->m, c->type) == UINT32_MAX ? play_small(p, size) : c->type;
    }
    if (c->kind == SET_BYTES && play_is_hooked(c->type)) {
        c->kind = SET; /* bytes from elsewhere are no value of theirs */
    }
    if (c->kind <= CLONE) {
        c->target = (party){.spawned = all->spawns};
    }
    if (c->kind == SET || c->kind == SET_BYTES) {
        c->values[c->value_count++] = choose_value(p, all, c->type);
        if (c->kind == SET_BYTES && c->values[0].data == NULL && c->type->size != 0) {
            c->kind = SET;
        }
    } else if (c->kind == SPAWN || c->kind == SET_SEVERAL) {
        for (uint32_t i = input_below(&p->in, 5); i > 0; i--) {
            c->values[c->value_count++] = choose_value(p, all, choose_type(p, size));
        }
    }
    all->spawns += c->kind <= CLONE;
    all->count++;
}

/* The same for many who stand side by side. */
static void choose_run(play *p, command_list *all, uint32_t size)
{
    uint32_t most = p->m.entity_count < COMMANDS_MAX / 2 ? p->m.entity_count : COMMANDS_MAX / 2;
    uint32_t count = most == 0 ? 0 : 1 + input_below(&p->in, most);
    uint32_t first = input_below(&p->in, p->m.entity_count - count + 1);
    static const command_kind kinds[] = {SET, SET, ADD, REMOVE, DESPAWN, CLEAR};
    command_kind kind = kinds[input_below(&p->in, 6)];
    const kith_type *type = choose_type(p, size);
    uint32_t step = 1 + input_below(&p->in, 3);
    for (uint32_t i = 0; i < count; i += step) {
        play_command *c = &all->list[all->count++];
        *c = (play_command){
            .kind = kind, .type = type, .target = {NOT_SPAWNED, p->m.entities[first + i].handle}};
        if (kind == SET) {
            c->values[c->value_count++] = choose_value(p, all, type);
        }
    }
}

void play_commands(play *p, uint32_t choice)
{
    command_list *all = play_scratch(p, sizeof(*all));
    all->count = 0;
    all->spawns = 0;
    uint32_t size = play_size_limit(p);
    if (choice < 2) {
        choose_run(p, all, size < 256 ? size : 256);
    }
    uint32_t singles = choice == 0 ? 0 : 1 + input_below(&p->in, choice < 4 ? 8 : 60);
    for (uint32_t i = 0; i < singles; i++) {
        choose_command(p, all, size);
    }
    operation op = {.name = "kith_commands_apply",
                    .act = act_commands,
                    .expect = expect_commands,
                    .judged = true,
                    .bytes = all,
                    .count = all->spawns,
                    .wants_entities = true,
                    .number = input_below(&p->in, 2)};
    p->mixed = true;
    play_attempt(p, &op);
}
