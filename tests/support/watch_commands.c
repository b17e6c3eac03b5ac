/* The part of the watch that is about command buffers. */
#include <string.h>

#include "watch.h"

typedef enum command_kind {
    SET,
    ADD,
    REMOVE,
    CLEAR,
    DESPAWN,
    SPAWN,
    CLONE,
    COMMAND_KINDS
} command_kind;

#define COMMANDS 40u

typedef struct watch_command {
    command_kind kind;
    kith_entity entity; /* of those to be made, the provisional handle */
    kith_entity source; /* of a clone */
    uint32_t type;
    uint32_t number;
} watch_command;

/* What the commands of a buffer have changed. A component that one buffer takes away and gives back may
 * be told as both or not at all; so that there is one answer, each is changed once. (Or more often, and
 * the answer is compared loosely.) */
typedef struct touched {
    bool types[WATCH_SLOTS][WATCH_TYPES];
} touched;

static bool touch_all(touched *t, kith_entity entity)
{
    bool *types = t->types[kith_entity_slot(entity)];
    for (uint32_t i = 0; i < WATCH_TYPES; i++) {
        if (types[i]) {
            return false;
        }
    }
    memset(types, true, WATCH_TYPES * sizeof(*types));
    return true;
}

/* A command that may follow those before it; false if there is none. */
static bool choose_command(watch *w, touched *t, watch_command *c)
{
    *c = (watch_command){.kind = (command_kind)input_below(&w->in, COMMAND_KINDS),
                         .type = watch_choose_type(w)};
    c->number = watch_choose_number(w, c->type);
    c->source = watch_choose(w)->handle;
    c->entity = c->source;
    if (c->kind >= SPAWN || w->loose) {
        return true;
    }
    if (c->kind >= CLEAR) {
        return input_chance(&w->in, 30) && touch_all(t, c->entity);
    }
    bool *type = &t->types[kith_entity_slot(c->entity)][c->type];
    bool before = *type;
    *type = true;
    return !before;
}

static void queue(watch *w, watch_command *c)
{
    static watch_room room;
    const kith_type *type = watch_types[c->type];
    const kith_value value = {type, type->size == 0 ? NULL : &room};
    watch_value_make(w, c->type, c->number, &room);
    switch (c->kind) {
    case SET: kith_commands_set(w->commands, c->entity, type, value.data); break;
    case ADD: kith_commands_add(w->commands, c->entity, type); break;
    case REMOVE: kith_commands_remove(w->commands, c->entity, type); break;
    case CLEAR: kith_commands_remove_all(w->commands, c->entity); break;
    case DESPAWN: kith_commands_despawn(w->commands, c->entity); break;
    case SPAWN: c->entity = kith_commands_spawn_values(w->commands, &value, 1); break;
    default: c->entity = kith_commands_clone(w->commands, c->source); break;
    }
    watch_value_end(w, c->type, &room);
}

static kith_result act_apply(watch *w, watch_step *s)
{
    (void)s;
    return kith_commands_apply(w->commands, NULL);
}

static void expect_command(watch *w, const watch_command *c)
{
    watch_entity *entity = watch_find(w, c->entity);
    if (entity == NULL && c->kind < SPAWN) {
        return; /* ended by one before */
    }
    switch (c->kind) {
    case SET: watch_gained(w, entity, c->type, c->number); return;
    case ADD:
        if (!entity->has[c->type]) {
            watch_gained(w, entity, c->type, watch_initial(c->type));
        }
        return;
    case REMOVE: watch_lost(w, entity, c->type); return;
    case CLEAR: watch_cleared(w, entity); return;
    case DESPAWN: watch_ended(w, entity); return;
    default: break;
    }
    const watch_entity *source = watch_find(w, c->source);
    if (c->kind == SPAWN) {
        entity = watch_spawned(w, kith_commands_real(w->commands, c->entity));
        watch_gained(w, entity, c->type, c->number);
    } else if (source != NULL) {
        entity = watch_spawned(w, kith_commands_real(w->commands, c->entity));
        watch_gained_all_of(w, entity, source);
    }
}

/* One after another; in which order that is told is not promised. */
static void expect_apply(watch *w, const watch_step *s)
{
    w->call++;
    w->unordered = true;
    for (uint32_t i = 0; i < s->count; i++) {
        expect_command(w, &s->commands[i]);
    }
    w->unordered = false;
}

void watch_commands(watch *w, watch_step *s)
{
    static touched t;
    static watch_command commands[COMMANDS];
    memset(&t, 0, sizeof(t));
    if (input_chance(&w->in, 30)) {
        CHECK_RESULT(watch_deliver(w, false), KITH_OK);
        watch_delivered(w);
        w->loose = true;
    }
    s->name = "kith_commands_apply";
    s->act = act_apply;
    s->expect = expect_apply;
    s->commands = commands;
    for (uint32_t tries = input_below(&w->in, COMMANDS + 1); tries > 0; tries--) {
        if (choose_command(w, &t, &commands[s->count])) {
            queue(w, &commands[s->count++]);
        }
    }
    watch_attempt(w, s);
    if (w->loose) {
        CHECK_RESULT(watch_deliver(w, false), KITH_OK);
        watch_delivered(w);
    }
}
