/* The part of the play that is about command buffers: some commands, queued and applied, against a
 * model that carries them out one after another. */
#include <string.h>

#include "components.h"
#include "play_commands.h"

/* ---- On a world ------------------------------------------------------------------------------ */

static kith_entity handle_of(const party *who, const kith_entity *spawned)
{
    return who->spawned == NOT_SPAWNED ? who->entity : spawned[who->spawned];
}

const void *play_told_value(const kith_value *value, const kith_entity *spawned, told *place)
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
    kith_entity target = c->kind <= CLONE_TREE ? KITH_NONE : handle_of(&c->target, spawned);
    told places[PLAY_VALUES];
    kith_value values[PLAY_VALUES];
    for (uint32_t i = 0; i < c->value_count; i++) {
        values[i].type = told_type(w, c->values[i].type, &types[i]);
        values[i].data = play_told_value(&c->values[i], spawned, &places[i]);
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
    case CLONE_TREE:
        spawned[c->target.spawned] =
            kith_commands_clone_tree(commands, handle_of(&c->source, spawned));
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

/* ---- Choosing -------------------------------------------------------------------------------- */

#define MOST_TREES 2u /* of a buffer, since clones of trees may be cloned */
#define MOST_IN_TREES 400u

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
    const kith_type *type = play_any_type(p);
    return input_chance(&p->in, 10) && type->size <= size && !play_is_hooked(type)
               ? type
               : play_small(p, size);
}

static void choose_command(play *p, command_list *all, uint32_t size)
{
    play_command *c = &all->list[all->count];
    *c = (play_command){.kind = (command_kind)input_below(&p->in, KIND_COUNT)};
    if (p->m.entity_count >= p->cap * 2 && c->kind <= CLONE_TREE) {
        c->kind = DESPAWN;
    }
    if (c->kind == CLONE_TREE && (all->trees == MOST_TREES || p->m.entity_count > MOST_IN_TREES)) {
        c->kind = CLONE;
    }
    all->trees += c->kind == CLONE_TREE;
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
    if (c->kind <= CLONE_TREE) {
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
    all->spawns += c->kind <= CLONE_TREE;
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

static play_command *add_command(command_list *all, command_kind kind, party target)
{
    play_command *c = &all->list[all->count++];
    *c = (play_command){
        .kind = kind, .target = target, .type = play_same_type(&kith_child_of_type)};
    if (kind <= CLONE_TREE) {
        c->target = (party){.spawned = all->spawns++};
    }
    return c;
}

/* The value that makes it a child of another one. */
static void add_parent(play *p, play_command *c, party parent)
{
    told *value = play_scratch(p, sizeof(*value));
    value->handles[0] =
        parent.spawned == NOT_SPAWNED ? parent.entity : (kith_entity){0, parent.spawned + 1};
    c->values[c->value_count++] = (kith_value){c->type, value};
}

/* Children of one parent come and go, and then it is cloned with those that it has. */
static void choose_family(play *p, command_list *all)
{
    const party parent = {NOT_SPAWNED, play_parent(p)};
    party child = {NOT_SPAWNED, play_living(p)};
    if (model_find(&p->m, parent.entity) == NULL || p->m.entity_count > MOST_IN_TREES) {
        return;
    }
    for (uint32_t i = 2 + input_below(&p->in, 8); i > 0; i--) {
        if (!input_chance(&p->in, 40)) { /* or else the one of before again */
            child.entity =
                input_chance(&p->in, 50) ? play_child(p, parent.entity) : play_living(p);
        }
        switch (input_below(&p->in, 6)) {
        case 0: add_command(all, REMOVE, child); break;
        case 1: add_command(all, input_chance(&p->in, 50) ? CLEAR : DESPAWN, child); break;
        case 2: add_parent(p, add_command(all, SET, child), choose_party(p, all)); break;
        case 3: add_parent(p, add_command(all, SPAWN, child), parent); break;
        default: add_parent(p, add_command(all, SET, child), parent); break;
        }
    }
    add_command(all, CLONE_TREE, child)->source = parent;
    all->trees++;
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
    if (model_rank(&p->m, play_same_type(&kith_child_of_type)) != UINT32_MAX &&
        input_chance(&p->in, 20)) {
        choose_family(p, all);
    }
    uint32_t singles = choice == 0 ? 0 : 1 + input_below(&p->in, choice < 4 ? 8 : 60);
    for (uint32_t i = 0; i < singles; i++) {
        choose_command(p, all, size);
    }
    operation op = {.name = "kith_commands_apply",
                    .act = act_commands,
                    .expect = play_expect_commands,
                    .judged = true,
                    .bytes = all,
                    .count = all->spawns,
                    .wants_entities = true,
                    .number = input_below(&p->in, 2)};
    p->asked.mixed = true;
    play_attempt(p, &op);
}
