/* The part of the play that carries out commands on the model, one after another. While that goes on,
 * those that the buffer makes have handles that nobody else has. When all is done, those that stay get
 * the handles that they have in a world. */
#include <string.h>

#include "model_trees.h"
#include "play_commands.h"

#define MADE_MAX 8192u          /* by one buffer, with what is below the roots of cloned trees */
#define MADE_INDEX1 0xF0000000u /* of the handle of the first one, in the meantime */
#define MADE_GENERATION 0xFEEDBEEFu /* of all of them */

/* A link to this one is a link to a dead entity, and not to none. */
static const kith_entity dead_target = {UINT32_MAX, 0};

/* The state of carrying out commands one by one. */
typedef struct carrying {
    play *p;
    const command_list *all;
    kith_entity own[COMMANDS_MAX]; /* of the list's spawns; also clones of the dead */
    kith_entity made[MADE_MAX];    /* all that were made, in their order, and what they are */
    kith_entity real[MADE_MAX];    /* when all is done; KITH_NONE: they never came to be */
    bool doomed[MADE_MAX];         /* end with what they lead to, and so never come to be */
    uint32_t made_count;
    kith_entity named[MADE_MAX + COMMANDS_MAX]; /* in the order in which commands name them */
    uint32_t named_count;
    kith_entity ended[COMMANDS_MAX]; /* of those that were there before */
    uint32_t ended_count;
    uint32_t dead;  /* commands for the dead */
    uint32_t order; /* of the last value that was set */
} carrying;

static bool is_in(const kith_entity *list, uint32_t count, kith_entity entity)
{
    for (uint32_t i = 0; i < count; i++) {
        if (kith_entity_equal(list[i], entity)) {
            return true;
        }
    }
    return false;
}

static bool is_ended(const carrying *c, kith_entity entity)
{
    return is_in(c->ended, c->ended_count, entity);
}

static kith_entity handle_of(const carrying *c, const party *who)
{
    return who->spawned != NOT_SPAWNED ? c->own[who->spawned] : who->entity;
}

static bool is_dead(const carrying *c, kith_entity entity)
{
    return model_find(&c->p->m, entity) == NULL || is_ended(c, entity);
}

static void name(carrying *c, kith_entity entity)
{
    c->named[c->named_count++] = entity;
}

/* ---- Commands -------------------------------------------------------------------------------- */

/* The handle of one that is to be made, or that never comes to be. */
static kith_entity next_made(carrying *c)
{
    CHECK(c->made_count < MADE_MAX);
    c->made[c->made_count] = (kith_entity){MADE_INDEX1 + c->made_count, MADE_GENERATION};
    return c->made[c->made_count++];
}

static kith_entity make_one(carrying *c)
{
    const kith_entity made = next_made(c);
    name(c, made);
    return model_spawn_as(&c->p->m, made)->handle;
}

static void clone(carrying *c, kith_entity from, kith_entity to, bool named)
{
    model_copy_values(&c->p->m, from, to, named, ++c->order);
}

static void clone_tree(carrying *c, kith_entity root, kith_entity first)
{
    model *m = &c->p->m;
    kith_entity *from = play_scratch(c->p, m->entity_count * sizeof(*from));
    kith_entity *to = play_scratch(c->p, m->entity_count * sizeof(*to));
    bool *named = play_scratch(c->p, m->entity_count * sizeof(*named));
    const uint32_t count = model_tree(m, root, from, named);
    for (uint32_t i = 0; i < count; i++) {
        to[i] = i == 0 ? first : make_one(c);
        clone(c, from[i], to[i], named[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        model_rename(model_find(m, to[i]), i == 0, from, to, count);
    }
}

/* Sets a value as a command does. A link to the handle that an entity of the buffer will get, which
 * nobody has yet, leads to the dead: see resolve. */
static void put(carrying *c, kith_entity entity, const kith_value *value)
{
    told place;
    model_values *values = &model_find(&c->p->m, entity)->values;
    model_set(values, value->type, play_told_value(value, c->own, &place));
    model_get(values, value->type)->order = ++c->order;
}

static void despawn(carrying *c, kith_entity entity)
{
    if (is_in(c->made, c->made_count, entity)) {
        model_despawn_as(&c->p->m, entity);
        return;
    }
    model_unlink(&c->p->m, entity);
    model_clear(&model_find(&c->p->m, entity)->values);
    c->ended[c->ended_count++] = entity;
}

static void change(carrying *c, const play_command *command, kith_entity target)
{
    model_values *values = &model_find(&c->p->m, target)->values;
    switch (command->kind) {
    case DESPAWN: despawn(c, target); break;
    case CLEAR:
        model_clear(values);
        model_unlink(&c->p->m, target);
        break;
    case ADD:
        if (model_get(values, command->type) == NULL) {
            put(c, target, &(kith_value){command->type, NULL});
        }
        break;
    case REMOVE: model_remove(values, command->type); break;
    default:
        for (uint32_t i = 0; i < command->value_count; i++) {
            put(c, target, &command->values[i]);
        }
        break;
    }
}

static void carry_out(carrying *c, const play_command *command)
{
    const kith_entity source = handle_of(c, &command->source);
    if ((command->kind == CLONE || command->kind == CLONE_TREE) && is_dead(c, source)) {
        c->own[command->target.spawned] = next_made(c);
        c->dead++;
        return;
    }
    if (command->kind <= CLONE_TREE) {
        c->own[command->target.spawned] = make_one(c);
    }
    const kith_entity target = handle_of(c, &command->target);
    if (command->kind == CLONE) {
        clone(c, source, target, false);
    } else if (command->kind == CLONE_TREE) {
        clone_tree(c, source, target);
    } else {
        name(c, command->kind == SET_SEVERAL && command->value_count == 0 ? KITH_NONE : target);
        if (is_dead(c, target)) {
            c->dead += command->kind == SET_SEVERAL ? command->value_count : 1;
            return;
        }
        change(c, command, target);
    }
}

/* ---- Real handles ---------------------------------------------------------------------------- */

/* What became of a handle. A link to a handle that was not there yet when it was set leads to the
 * dead. */
static kith_entity resolved(const carrying *c, kith_entity entity, bool links)
{
    for (uint32_t i = 0; i < c->made_count; i++) {
        if (kith_entity_equal(c->made[i], entity)) {
            return links && kith_is_none(c->real[i]) ? dead_target : c->real[i];
        }
    }
    return links && !kith_is_none(entity) && is_in(c->real, c->made_count, entity) ? dead_target
                                                                                   : entity;
}

static void resolve_values(const carrying *c, const model_entity *entity)
{
    for (uint32_t i = 0; i < entity->values.count; i++) {
        const model_value *value = &entity->values.list[i];
        kith_entity named[2];
        const size_t size = play_handles_in(value->type) * sizeof(*named);
        CHECK(size <= sizeof(named));
        memcpy(named, value->bytes, size);
        for (uint32_t k = 0; k < play_handles_in(value->type); k++) {
            named[k] = resolved(c, named[k], value->type->relation != 0);
        }
        memcpy(value->bytes, named, size);
    }
}

/* Gives those that stay the handles that they have in a world. */
static void resolve(carrying *c)
{
    model *m = &c->p->m;
    for (uint32_t i = 0; i < c->made_count; i++) {
        const bool stays = model_find(m, c->made[i]) != NULL && !c->doomed[i];
        c->real[i] = stays ? model_spawn(m)->handle : KITH_NONE;
    }
    for (uint32_t i = 0; i < m->entity_count; i++) {
        resolve_values(c, &m->entities[i]);
    }
    for (uint32_t i = 0; i < c->made_count; i++) {
        model_entity *made = model_find(m, c->made[i]);
        if (made != NULL && !kith_is_none(c->real[i])) {
            model_values *values = &model_find(m, c->real[i])->values;
            *values = made->values;
            made->values = (model_values){0};
        }
        if (made != NULL) {
            model_despawn_as(m, c->made[i]);
        }
    }
    for (uint32_t i = 0; i < c->all->spawns; i++) {
        c->own[i] = resolved(c, c->own[i], false);
    }
    for (uint32_t i = 0; i < c->named_count; i++) {
        c->named[i] = resolved(c, c->named[i], false);
    }
}

/* Carries out all commands except those that end entities. */
static void make_all(carrying *c)
{
    c->made_count = 0;
    c->named_count = 0;
    c->ended_count = 0;
    c->dead = 0;
    c->order = 0;
    for (uint32_t i = 0; i < c->all->count; i++) {
        carry_out(c, &c->all->list[i]);
    }
    resolve(c);
}

/* ---- Links of what was carried out ----------------------------------------------------------- */

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

/* Takes away links to those that are dead. For each that was named: itself, if it ends by that; else
 * KITH_NONE. Returns what is wrong. */
static uint32_t unlink_all(carrying *c, kith_entity *lost)
{
    for (uint32_t i = 0; i < c->named_count; i++) {
        lost[i] = lose_dead(c, c->named[i]) ? c->named[i] : KITH_NONE;
    }
    return model_settle(&c->p->m);
}

/* Finds what ends, in the order in which that follows from one another. False: it is forbidden. */
static bool follow_links(carrying *c, kith_entity *lost, model_ends *ends)
{
    const model *m = &c->p->m;
    c->p->wrong = unlink_all(c, lost) & 1u << KITH_ERR_CYCLE;
    for (uint32_t i = 0; i < c->named_count; i++) {
        if (is_ended(c, c->named[i])) {
            model_ends_add(m, ends, c->named[i]);
        }
    }
    for (uint32_t i = 0; i < c->named_count; i++) {
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
        for (uint32_t k = 0; k < c->made_count; k++) {
            if (kith_entity_equal(c->real[k], ends->list[i])) {
                c->doomed[k] = true;
                ends->list[i] = KITH_NONE;
                some = true;
                break;
            }
        }
    }
    return some;
}

/* Those that were ended go in the order in which the commands first named them, and then those that
 * follow. */
static void end_all(carrying *c, const model_ends *ends)
{
    model *m = &c->p->m;
    model_clear_sources(m, ends);
    for (uint32_t i = 0; i < c->named_count; i++) {
        if (is_in(ends->list, ends->count, c->named[i])) {
            model_despawn(m, c->named[i]);
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

kith_result play_expect_commands(play *p, const operation *op, outcome *out)
{
    carrying *c = play_scratch(p, sizeof(*c));
    c->p = p;
    c->all = op->bytes;
    for (uint32_t i = 0; i < c->all->count; i++) {
        register_added(p, &c->all->list[i]);
    }
    kith_entity *lost = play_scratch(p, sizeof(c->named));
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
    memcpy(out->entities, c->own, c->all->spawns * sizeof(*c->own));
    out->count = c->dead;
    return KITH_OK;
}
