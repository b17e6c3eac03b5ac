/* The part of the play that moves entities to empty worlds, goes on there, and moves some of them
 * back. */
#include <kith/transfer.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"

/* One transfer, by the models and for all worlds. */
typedef struct crossing {
    model *from;
    model *to;
    kith_entity *entities;
    uint32_t count;
    kith_entity *moved; /* what the model says; where it fails, what they are before */
    bool in_place;      /* the new handles take the place of the old ones */
} crossing;

/* ---- On the model ------------------------------------------------------------------------------ */

/* The place of an entity among those that move; `count`: it does not. */
static uint32_t moving(const crossing *c, kith_entity entity)
{
    uint32_t i = 0;
    while (i < c->count && !kith_entity_equal(c->entities[i], entity)) {
        i++;
    }
    return i;
}

/* What each has is registered in the other world, up to where it goes wrong. */
static kith_result check_entities(const crossing *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (model_find(c->from, c->entities[i]) == NULL) {
            return KITH_ERR_DEAD;
        }
        if (moving(c, c->entities[i]) != i) {
            return KITH_ERR_CONFLICT;
        }
        const model_values *values = &model_find(c->from, c->entities[i])->values;
        for (uint32_t k = 0; k < values->count; k++) {
            model_register(c->to, values->list[k].type);
        }
    }
    return KITH_OK;
}

/* The order in which a link comes in its list: links in the order in which they are named, sources in
 * that in which they are. */
static uint32_t order_of(const crossing *c, const kith_type *type, uint32_t number)
{
    const model_relation *relation = model_relation_of(c->from, type, false);
    uint32_t at = 0;
    while (relation != NULL && (type->relation & KITH_MANY) == 0 &&
           !kith_entity_equal(relation->list[at].source, c->entities[number])) {
        at++;
    }
    return 1 + ((type->relation & KITH_MANY) != 0 ? number : at);
}

/* Gives an entity one of its values in the other world, unless that is a link which is lost. */
static void move_value(const crossing *c, uint32_t number, const model_value *value)
{
    model_values *values = &model_find(c->to, c->moved[number])->values;
    const uint32_t handles = play_handles_in(value->type);
    kith_entity ends[2] = {KITH_NONE, KITH_NONE};
    bool whole = true;
    for (uint32_t i = 0; i < handles; i++) {
        memcpy(&ends[i], value->bytes + i * sizeof(*ends), sizeof(*ends));
        const uint32_t at = moving(c, ends[i]);
        ends[i] = at == c->count ? KITH_NONE : c->moved[at];
        whole = whole && at != c->count;
    }
    if (whole || value->type->relation == 0) {
        model_set(values, value->type, value->bytes);
        model_value *made = model_get(values, value->type);
        if (handles > 0) {
            memcpy(made->bytes, ends, handles * sizeof(*ends));
        }
        made->order = value->type->relation == 0 ? 0 : order_of(c, value->type, number);
    }
}

/* Makes those that move in the other world. False: their names are there already. */
static bool arrive(const crossing *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        c->moved[i] = model_spawn(c->to)->handle;
    }
    for (uint32_t i = 0; i < c->count; i++) {
        const model_values *values = &model_find(c->from, c->entities[i])->values;
        for (uint32_t k = 0; k < values->count; k++) {
            move_value(c, i, &values->list[k]);
        }
    }
    const uint32_t wrong = model_settle(c->to);
    CHECK(wrong == 0 || wrong == 1u << KITH_ERR_CONFLICT);
    return wrong == 0;
}

static kith_result expect_transfer(const crossing *c)
{
    kith_result result = check_entities(c);
    if (result != KITH_OK) {
        return result;
    }
    model to_before = model_copy(c->to);
    model from_before = model_copy(c->from);
    uint32_t ended = 0;
    if (!arrive(c) || !model_despawn_all(c->from, c->entities, c->count, &ended)) {
        result = KITH_ERR_CONFLICT;
        model_free(c->from);
        model_free(c->to);
        *c->from = from_before;
        *c->to = to_before;
    } else {
        model_free(&from_before);
        model_free(&to_before);
        CHECK_UINT(model_settle(c->from), 0);
    }
    return result;
}

/* ---- On worlds --------------------------------------------------------------------------------- */

static kith_result transfer_once(const crossing *c, kith_world *from, kith_world *to,
                                 kith_entity *moved)
{
    memcpy(moved, c->entities, c->count * sizeof(*moved));
    const kith_result result =
        kith_transfer(from, c->in_place ? moved : c->entities, c->count, to, moved);
    CHECK(result == KITH_OK || memcmp(moved, c->entities, c->count * sizeof(*moved)) == 0);
    CHECK_WORLD(from);
    CHECK_WORLD(to);
    return result;
}

/* With SUBJECT's allocations failing at first: then nothing has changed. */
static kith_result transfer(play *p, const crossing *c, int world, kith_world *from,
                            kith_world *to, kith_entity *moved)
{
    fixture *f = &p->worlds[world].f;
    for (uint32_t tries = 0; world == SUBJECT && tries < 3 && play_wants_failure(p); tries++) {
        const uint64_t from_hash = kith_world_hash(from);
        const uint64_t to_hash = kith_world_hash(to);
        play_fail_some(p);
        const kith_result result = transfer_once(c, from, to, moved);
        const bool failed = fail_nothing(f);
        if (result != KITH_ERR_MEMORY) {
            return result;
        }
        CHECK(failed);
        CHECK(kith_world_hash(from) == from_hash);
        CHECK(kith_world_hash(to) == to_hash);
    }
    return transfer_once(c, from, to, moved);
}

static void transfer_all(play *p, crossing *c, kith_world *const *from, kith_world *const *to)
{
    kith_entity *moved = play_scratch(p, c->count * sizeof(*moved));
    kith_result results[WORLD_COUNT];
    c->moved = play_scratch(p, c->count * sizeof(*moved));
    kith_entity *all = play_scratch(p, WORLD_COUNT * c->count * sizeof(*moved));
    for (int world = 0; world < WORLD_COUNT; world++) {
        results[world] = transfer(p, c, world, from[world], to[world], moved);
        memcpy(all + (uint32_t)world * c->count, moved, c->count * sizeof(*moved));
    }
    const kith_result expected = expect_transfer(c);
    for (int world = 0; world < WORLD_COUNT; world++) {
        CHECK_RESULT(results[world], expected);
        for (uint32_t i = 0; expected == KITH_OK && i < c->count; i++) {
            CHECK_SAME(all[(uint32_t)world * c->count + i], c->moved[i]);
        }
    }
}

/* ---- Choosing ---------------------------------------------------------------------------------- */

/* An entity with all below it. */
static void add_tree(const model *m, crossing *c, kith_entity entity, uint32_t limit)
{
    const model_relation *children =
        model_relation_of(m, play_same_type(&kith_child_of_type), false);
    if (c->count == limit || moving(c, entity) != c->count) {
        return;
    }
    c->entities[c->count++] = entity;
    for (uint32_t i = 0; children != NULL && i < children->count; i++) {
        if (kith_entity_equal(children->list[i].target, entity)) {
            add_tree(m, c, children->list[i].source, limit);
        }
    }
}

/* Trees, single ones, and seldom one that is dead or named twice. */
static crossing choose(play *p, model *from, model *to)
{
    const uint32_t limit = 1 + input_below(&p->in, input_chance(&p->in, 50) ? 12 : 100);
    crossing c = {.from = from,
                  .to = to,
                  .entities = play_scratch(p, limit * sizeof(*c.entities)),
                  .in_place = input_chance(&p->in, 30)};
    const bool trees = input_chance(&p->in, 50);
    while (c.count < limit && p->m.entity_count > 0 && !input_chance(&p->in, 6)) {
        if (input_chance(&p->in, 1)) {
            c.entities[c.count++] = play_entity(p);
            continue;
        }
        const kith_entity entity = play_living(p);
        if (trees) {
            add_tree(from, &c, entity, limit);
        } else if (moving(&c, entity) == c.count) {
            c.entities[c.count++] = entity;
        }
    }
    for (uint32_t i = c.count; i > 1 && input_chance(&p->in, 40); i--) { /* in another order */
        const uint32_t other = input_below(&p->in, i);
        const kith_entity last = c.entities[i - 1];
        c.entities[i - 1] = c.entities[other];
        c.entities[other] = last;
    }
    return c;
}

/* Some types that the other worlds know already, and slots that are in use or free. */
static void begin(play *p, model *m, kith_world **worlds)
{
    *m = model_empty_like(&p->m);
    m->unique_type = input_chance(&p->in, 70) ? m->unique_type : NULL;
    if (m->unique_type != NULL) {
        model_register(m, m->unique_type);
    }
    model_register(m, play_same_type(&kith_name_type)); /* which calls would register elsewhere */
    model_register(m, play_same_type(&kith_child_of_type));
    for (uint32_t i = 0; i < p->m.type_count; i++) {
        if (input_chance(&p->in, 50)) {
            model_register(m, p->m.types[i]);
        }
    }
    for (int world = 0; world < WORLD_COUNT; world++) {
        worlds[world] = play_new_world(p, world, m);
    }
    for (uint32_t i = input_below(&p->in, 6); i > 0; i--) {
        const kith_entity made = model_spawn(m)->handle;
        const bool ends = input_chance(&p->in, 40);
        for (int world = 0; world < WORLD_COUNT; world++) {
            CHECK_SAME(kith_spawn_empty(worlds[world]), made);
            CHECK(!ends || kith_despawn(worlds[world], made) == KITH_OK);
        }
        if (ends) {
            model_despawn(m, made);
        }
    }
}

/* What the worlds do not know, they do from now on. */
static void register_rest(play *p, kith_world *const *worlds)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        kith_world *kept = w->world;
        w->world = worlds[world];
        for (uint32_t i = 0; i < p->m.type_count; i++) {
            CHECK_RESULT(play_register(w, p->m.types[i], play_layout(w, p->m.types[i])), KITH_OK);
        }
        w->world = kept;
    }
}

void play_transfers(play *p)
{
    play_name(p, "kith_transfer");
    kith_world *here[WORLD_COUNT];
    kith_world *there[WORLD_COUNT];
    model m;
    begin(p, &m, there);
    for (int world = 0; world < WORLD_COUNT; world++) {
        here[world] = p->worlds[world].world;
    }
    p->asked.mixed = true; /* two transfers are not attempts, here and there */
    crossing away = choose(p, &p->m, &m);
    transfer_all(p, &away, here, there);
    play_look_relations(p);
    register_rest(p, there);
    play_aside *kept = play_put_aside(p, m, there);
    play_look_aside(p);
    play_go_on(p);
    play_name(p, "kith_transfer back");
    p->asked.mixed = true;
    crossing back = choose(p, &p->m, &kept->m);
    transfer_all(p, &back, there, here);
    play_look_aside(p);
    play_take_back(p, kept);
    play_look_relations(p);
    play_look_hashes(p);
}
