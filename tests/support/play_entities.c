/* The part of the play that is about entities and the world as a whole. */
#include <string.h>

#include "play.h"

/* ---- Spawning ------------------------------------------------------------------------------ */

static kith_result act_spawn(played *w, const operation *op, outcome *out)
{
    return kith_spawn(w->world, op->value_count > 0 ? op->values : NULL, op->value_count,
                      &out->entity);
}

static kith_result act_spawn_apart(played *w, const operation *op, outcome *out)
{
    if (play_named_twice(op)) {
        return act_spawn(w, op, out);
    }
    out->entity = kith_spawn_empty(w->world);
    for (uint32_t i = 0; i < op->value_count; i++) {
        CHECK_RESULT(kith_set(w->world, out->entity, op->values[i].type, op->values[i].data),
                     KITH_OK);
    }
    return kith_is_none(out->entity) ? KITH_ERR_MEMORY : KITH_OK;
}

static kith_result act_spawn_or_none(played *w, const operation *op, outcome *out)
{
    if (play_named_twice(op)) {
        return act_spawn(w, op, out);
    }
    kith_entity entity = op->value_count > 0
                             ? kith_spawn_or_none(w->world, op->values, op->value_count)
                             : kith_spawn_empty(w->world);
    if (kith_is_none(entity)) {
        return KITH_ERR_MEMORY;
    }
    out->entity = entity;
    return KITH_OK;
}

static kith_result expect_spawn(play *p, const operation *op, outcome *out)
{
    if (play_named_twice(op)) {
        return KITH_ERR_CONFLICT;
    }
    model_entity *entity = model_spawn(&p->m);
    for (uint32_t i = 0; i < op->value_count; i++) {
        model_set(&entity->values, op->values[i].type, op->values[i].data);
    }
    out->entity = entity->handle;
    return KITH_OK;
}

static void spawn(play *p)
{
    operation op = {.name = "kith_spawn",
                    .act = act_spawn,
                    .act_other = act_spawn_apart,
                    .expect = expect_spawn};
    play_choose_values(p, &op, play_size_limit(p));
    if (input_chance(&p->in, 25) && !play_concerns_links(p, &op)) { /* which tells no reason */
        op.name = "kith_spawn_or_none";
        op.act = act_spawn_or_none;
    }
    play_attempt(p, &op);
}

/* The values are those of another entity, where they stand. */
static kith_result act_spawn_from(played *w, const operation *op, outcome *out)
{
    kith_value values[PLAY_VALUES];
    for (uint32_t i = 0; i < op->value_count; i++) {
        values[i] =
            (kith_value){op->values[i].type, kith_get(w->world, op->source, op->values[i].type)};
    }
    return kith_spawn(w->world, values, op->value_count, &out->entity);
}

static void spawn_from_other(play *p)
{
    operation op = {.name = "kith_spawn from kith_get",
                    .act = act_spawn_from,
                    .expect = expect_spawn,
                    .source = play_living(p)};
    const model_entity *source = model_find(&p->m, op.source);
    for (uint32_t i = 0; source != NULL && i < source->values.count && i < PLAY_VALUES; i++) {
        const kith_type *type = source->values.list[i].type;
        unsigned char *copy = play_scratch(p, type->size);
        memcpy(copy, source->values.list[i].bytes, type->size);
        op.values[op.value_count++] = (kith_value){type, copy};
    }
    if (source != NULL) {
        play_attempt(p, &op);
    }
}

static kith_result act_spawn_many(played *w, const operation *op, outcome *out)
{
    return kith_spawn_many(w->world, op->count, op->many, op->value_count, out->entities);
}

/* What entity number `k` of many gets of value number `i`. */
static const void *value_of_many(const operation *op, uint32_t i, uint32_t k)
{
    const kith_values *many = &op->many[i];
    if (many->data == NULL) {
        return NULL;
    }
    return (const char *)many->data + (many->each ? (size_t)many->type->size * k : 0);
}

static kith_result act_spawn_many_apart(played *w, const operation *op, outcome *out)
{
    if (play_named_twice(op)) {
        return act_spawn_many(w, op, out);
    }
    for (uint32_t k = 0; k < op->count; k++) {
        kith_value values[PLAY_VALUES];
        for (uint32_t i = 0; i < op->value_count; i++) {
            values[i] = (kith_value){op->values[i].type, value_of_many(op, i, k)};
        }
        kith_entity entity = kith_spawn_or_none(w->world, values, op->value_count);
        CHECK(!kith_is_none(entity));
        if (out->entities != NULL) {
            out->entities[k] = entity;
        }
    }
    return KITH_OK;
}

static kith_result expect_spawn_many(play *p, const operation *op, outcome *out)
{
    if (play_named_twice(op)) {
        return KITH_ERR_CONFLICT;
    }
    for (uint32_t k = 0; k < op->count; k++) {
        model_entity *entity = model_spawn(&p->m);
        for (uint32_t i = 0; i < op->value_count; i++) {
            model_set(&entity->values, op->values[i].type, value_of_many(op, i, k));
            model_get(&entity->values, op->values[i].type)->order = k + 1;
        }
        if (out->entities != NULL) {
            out->entities[k] = entity->handle;
        }
    }
    return KITH_OK;
}

static void spawn_many(play *p)
{
    operation op = {.name = "kith_spawn_many",
                    .act = act_spawn_many,
                    .act_other = act_spawn_many_apart,
                    .expect = expect_spawn_many,
                    .wants_entities = input_chance(&p->in, 70)};
    op.count = input_below(&p->in, 24);
    uint32_t size = 2000;
    if (p->cap > 1000 && input_chance(&p->in, 60)) {
        op.count = 200 + input_below(&p->in, 1800);
        size = 24;
    }
    play_choose_values(p, &op, size);
    for (uint32_t i = 0; i < op.value_count; i++) {
        kith_values *many = &op.many[i];
        many->type = op.values[i].type;
        many->each = !input_chance(&p->in, 40);
        many->data = play_bytes(p, many->type, many->each ? op.count : 1);
    }
    play_attempt(p, &op);
}

static kith_result act_clone(played *w, const operation *op, outcome *out)
{
    return kith_clone(w->world, op->entity, &out->entity);
}

static kith_result expect_clone(play *p, const operation *op, outcome *out)
{
    if (model_find(&p->m, op->entity) == NULL) {
        return KITH_ERR_DEAD;
    }
    kith_entity clone = model_spawn(&p->m)->handle;
    model_entity *from = model_find(&p->m, op->entity);
    model_entity *to = model_find(&p->m, clone);
    for (uint32_t i = 0; i < from->values.count; i++) {
        if (from->values.list[i].type != p->m.name_type) {
            model_set(&to->values, from->values.list[i].type, from->values.list[i].bytes);
        }
    }
    out->entity = clone;
    return KITH_OK;
}

static void clone(play *p)
{
    operation op = {
        .name = "kith_clone", .act = act_clone, .expect = expect_clone, .entity = play_entity(p)};
    play_attempt(p, &op);
}

/* ---- Despawning ---------------------------------------------------------------------------- */

static kith_result act_despawn(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_despawn(w->world, op->entity);
}

static kith_result expect_despawn(play *p, const operation *op, outcome *out)
{
    (void)out;
    uint32_t ended;
    if (model_find(&p->m, op->entity) == NULL) {
        return KITH_ERR_DEAD;
    }
    return model_despawn_all(&p->m, &op->entity, 1, &ended) ? KITH_OK : KITH_ERR_CONFLICT;
}

static void despawn(play *p)
{
    operation op = {.name = "kith_despawn",
                    .act = act_despawn,
                    .expect = expect_despawn,
                    .never_fails = p->m.relation_count == 0,
                    .entity = play_entity(p)};
    play_attempt(p, &op);
}

static kith_result act_despawn_many(played *w, const operation *op, outcome *out)
{
    return kith_despawn_many(w->world, op->entities, op->count,
                             op->number == 0 ? NULL : &out->count);
}

static kith_result act_despawn_many_apart(played *w, const operation *op, outcome *out)
{
    uint32_t ended = 0;
    for (uint32_t i = 0; i < op->count; i++) {
        ended += kith_despawn(w->world, op->entities[i]) == KITH_OK;
    }
    if (op->number != 0) {
        out->count = ended;
    }
    return KITH_OK;
}

static kith_result expect_despawn_many(play *p, const operation *op, outcome *out)
{
    uint32_t ended = 0;
    if (!model_despawn_all(&p->m, op->entities, op->count, &ended)) {
        return KITH_ERR_CONFLICT;
    }
    if (op->number != 0) {
        out->count = ended;
    }
    return KITH_OK;
}

/* Ends up to `count` entities, some of them dead, some twice. */
static void despawn_many(play *p, uint32_t count)
{
    operation op = {.name = "kith_despawn_many",
                    .act = act_despawn_many,
                    .act_other = act_despawn_many_apart,
                    .expect = expect_despawn_many,
                    .number = input_below(&p->in, 4),
                    .count = count};
    kith_entity *entities = play_scratch(p, (count + 1) * sizeof(*entities));
    for (uint32_t i = 0; i < count; i++) {
        entities[i] = play_entity(p);
        if (i > 0 && input_chance(&p->in, 5)) {
            entities[i] = entities[input_below(&p->in, i < 65536 ? i : 65536)];
        }
    }
    op.entities = entities;
    play_attempt(p, &op);
}

/* Makes room in a world that is too large for its phase. */
static void despawn_surplus(play *p)
{
    uint32_t surplus = p->m.entity_count - p->cap;
    despawn_many(p, surplus < 8 ? 8 : surplus + surplus / 8);
}

/* ---- The world ----------------------------------------------------------------------------- */

/* TWIN keeps its empty tables. */
static void reclaim(play *p)
{
    play_name(p, "kith_world_trim");
    bool fail = play_wants_failure(p);
    if (fail) {
        fail_from(&p->worlds[SUBJECT].f, 1);
    }
    kith_world_trim(p->worlds[SUBJECT].world);
    if (fail) {
        fail_nothing(&p->worlds[SUBJECT].f);
    }
    if (input_chance(&p->in, 50)) {
        kith_world_trim(p->worlds[OTHER].world);
    }
    CHECK_WORLD(p->worlds[OTHER].world);
}

static kith_result act_register(played *w, const operation *op, outcome *out)
{
    (void)out;
    kith_layout layout = (kith_layout)((play_layout(w, op->type) + op->number) % LAYOUT_COUNT);
    return play_register(w, op->type, layout);
}

static kith_result expect_register(play *p, const operation *op, outcome *out)
{
    (void)out;
    if (op->number != 0 && model_rank(&p->m, op->type) != UINT32_MAX) {
        return KITH_ERR_CONFLICT;
    }
    model_register(&p->m, op->type);
    return KITH_OK;
}

static void register_type(play *p)
{
    operation op = {.name = "kith_register",
                    .act = act_register,
                    .expect = expect_register,
                    .type = play_any_type(p)};
    if (model_rank(&p->m, op.type) != UINT32_MAX) {
        op.number = input_below(&p->in, LAYOUT_COUNT); /* the same layout, or another */
        const bool one_layout = op.type == p->m.name_type || op.type == p->m.disabled_type ||
                                model_is_transient(&p->m, op.type);
        op.number = one_layout ? 0 : op.number;
    }
    play_attempt(p, &op);
}

static void yield_and_claim(play *p)
{
    play_name(p, "kith_world_claim");
    kith_world_release(p->worlds[SUBJECT].world);
    kith_world_claim(p->worlds[SUBJECT].world);
}

void play_entities(play *p, uint32_t choice)
{
    bool crowded = p->m.entity_count >= p->cap;
    if (p->m.entity_count > p->cap * 2 && p->m.entity_count > p->cap + 20) {
        despawn_surplus(p);
        return;
    }
    switch (choice) {
    case 0:
    case 1:
    case 2:
    case 3: crowded ? despawn(p) : spawn(p); break;
    case 4:
    case 5: crowded ? despawn_many(p, input_below(&p->in, 12)) : spawn_many(p); break;
    case 6: crowded ? despawn(p) : clone(p); break;
    case 7: crowded ? despawn(p) : spawn_from_other(p); break;
    case 8: despawn(p); break;
    case 9: despawn_many(p, input_below(&p->in, 6)); break;
    case 10: reclaim(p); break;
    case 11: crowded ? despawn(p) : play_clone_tree(p); break;
    default: input_chance(&p->in, 85) ? register_type(p) : yield_and_claim(p); break;
    }
}
