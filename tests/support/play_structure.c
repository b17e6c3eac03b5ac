/* The part of the play that spawns, despawns, adds, sets and removes. */
#include <string.h>

#include "play.h"

/* ---- Spawning ------------------------------------------------------------------------------ */

static bool named_twice(const operation *op)
{
    for (uint32_t i = 0; i < op->value_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (op->values[i].type == op->values[k].type) {
                return true;
            }
        }
    }
    return false;
}

/* The components of a kind, as far as they are no larger. */
static void choose_kind_of_values(play *p, operation *op, uint32_t size)
{
    const play_kind *kind = &p->kinds[input_below(&p->in, PLAY_KINDS)];
    for (uint32_t i = 0; i < kind->count; i++) {
        if (kind->types[i]->size <= size) {
            op->values[op->value_count++] =
                (kith_value){ kind->types[i], play_bytes(p, kind->types[i], 1) };
        }
    }
}

/* Components for a new entity or several; now and then one of them twice. */
static void choose_values(play *p, operation *op, uint32_t size)
{
    if (input_chance(&p->in, 60)) {
        choose_kind_of_values(p, op, size);
        return;
    }
    uint32_t wanted = input_below(&p->in, PLAY_VALUES);
    for (uint32_t i = 0; i < wanted; i++) {
        const kith_type *type = play_small(p, size);
        op->values[op->value_count].type = type;
        op->value_count++;
        if (named_twice(op) && !input_chance(&p->in, 1)) {
            op->value_count--;
            continue;
        }
        op->values[op->value_count - 1].data = play_bytes(p, type, 1);
    }
}

/* Large values are for small worlds. */
static uint32_t size_limit(play *p)
{
    return p->m.entity_count < 60 || input_chance(&p->in, 2) ? UINT32_MAX
           : p->m.entity_count < 400                         ? 2000
                                                             : 256;
}

static kith_result act_spawn(played *w, const operation *op, outcome *out)
{
    return kith_spawn(w->world, op->value_count > 0 ? op->values : NULL, op->value_count,
                      &out->entity);
}

static kith_result act_spawn_apart(played *w, const operation *op, outcome *out)
{
    if (named_twice(op)) {
        return act_spawn(w, op, out);
    }
    out->entity = kith_spawn_empty(w->world);
    for (uint32_t i = 0; i < op->value_count; i++) {
        CHECK_RESULT(
            kith_set(w->world, out->entity, op->values[i].type, op->values[i].data), KITH_OK);
    }
    return kith_is_none(out->entity) ? KITH_ERR_MEMORY : KITH_OK;
}

static kith_result act_spawn_or_none(played *w, const operation *op, outcome *out)
{
    if (named_twice(op)) {
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
    if (named_twice(op)) {
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
    operation op = { .name = "kith_spawn",
                     .act = act_spawn,
                     .act_other = act_spawn_apart,
                     .expect = expect_spawn };
    choose_values(p, &op, size_limit(p));
    if (input_chance(&p->in, 25)) {
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
        values[i] = (kith_value){ op->values[i].type,
                                  kith_get(w->world, op->source, op->values[i].type) };
    }
    return kith_spawn(w->world, values, op->value_count, &out->entity);
}

static void spawn_from_other(play *p)
{
    operation op = { .name = "kith_spawn from kith_get",
                     .act = act_spawn_from,
                     .expect = expect_spawn,
                     .source = play_living(p) };
    const model_entity *source = model_find(&p->m, op.source);
    for (uint32_t i = 0; source != NULL && i < source->values.count && i < PLAY_VALUES; i++) {
        const kith_type *type = source->values.list[i].type;
        unsigned char *copy = play_scratch(p, type->size);
        memcpy(copy, source->values.list[i].bytes, type->size);
        op.values[op.value_count++] = (kith_value){ type, copy };
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
    return (const char *)many->data + (many->repeat ? 0 : (size_t)many->type->size * k);
}

static kith_result act_spawn_many_apart(played *w, const operation *op, outcome *out)
{
    if (named_twice(op)) {
        return act_spawn_many(w, op, out);
    }
    for (uint32_t k = 0; k < op->count; k++) {
        kith_value values[PLAY_VALUES];
        for (uint32_t i = 0; i < op->value_count; i++) {
            values[i] = (kith_value){ op->values[i].type, value_of_many(op, i, k) };
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
    if (named_twice(op)) {
        return KITH_ERR_CONFLICT;
    }
    for (uint32_t k = 0; k < op->count; k++) {
        model_entity *entity = model_spawn(&p->m);
        for (uint32_t i = 0; i < op->value_count; i++) {
            model_set(&entity->values, op->values[i].type, value_of_many(op, i, k));
        }
        if (out->entities != NULL) {
            out->entities[k] = entity->handle;
        }
    }
    return KITH_OK;
}

static void spawn_many(play *p)
{
    operation op = { .name = "kith_spawn_many",
                     .act = act_spawn_many,
                     .act_other = act_spawn_many_apart,
                     .expect = expect_spawn_many,
                     .wants_entities = input_chance(&p->in, 70) };
    op.count = input_below(&p->in, 24);
    uint32_t size = 2000;
    if (p->cap > 1000 && input_chance(&p->in, 60)) {
        op.count = 200 + input_below(&p->in, 1800);
        size = 24;
    }
    choose_values(p, &op, size);
    for (uint32_t i = 0; i < op.value_count; i++) {
        kith_values *many = &op.many[i];
        many->type = op.values[i].type;
        many->repeat = input_chance(&p->in, 40);
        many->data = play_bytes(p, many->type, many->repeat ? 1 : op.count);
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
        model_set(&to->values, from->values.list[i].type, from->values.list[i].bytes);
    }
    out->entity = clone;
    return KITH_OK;
}

static void clone(play *p)
{
    operation op = { .name = "kith_clone",
                     .act = act_clone,
                     .expect = expect_clone,
                     .entity = play_entity(p) };
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
    return model_despawn(&p->m, op->entity) ? KITH_OK : KITH_ERR_DEAD;
}

static void despawn(play *p)
{
    operation op = { .name = "kith_despawn",
                     .act = act_despawn,
                     .expect = expect_despawn,
                     .never_fails = true,
                     .entity = play_entity(p) };
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
    for (uint32_t i = 0; i < op->count; i++) {
        ended += model_despawn(&p->m, op->entities[i]);
    }
    if (op->number != 0) {
        out->count = ended;
    }
    return KITH_OK;
}

/* Ends up to `count` entities, some of them dead, some twice. */
static void despawn_many(play *p, uint32_t count)
{
    operation op = { .name = "kith_despawn_many",
                     .act = act_despawn_many,
                     .act_other = act_despawn_many_apart,
                     .expect = expect_despawn_many,
                     .number = input_below(&p->in, 4),
                     .count = count };
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

/* ---- Components ---------------------------------------------------------------------------- */

static kith_result act_set(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_set(w->world, op->entity, op->type, op->bytes);
}

static kith_result act_set_bytes(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_set_bytes(w->world, op->entity, op->type, op->bytes, op->size);
}

/* The value comes from the world itself. */
static kith_result act_set_from(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_set(w->world, op->entity, op->type, kith_get(w->world, op->source, op->type));
}

static kith_result expect_set(play *p, const operation *op, outcome *out)
{
    (void)out;
    model_entity *entity = model_find(&p->m, op->entity);
    if (entity == NULL) {
        return KITH_ERR_DEAD;
    }
    model_set(&entity->values, op->type, op->bytes);
    return KITH_OK;
}

static bool has(const play *p, kith_entity handle, const kith_type *type)
{
    model_entity *entity = model_find(&p->m, handle);
    return entity != NULL && model_get(&entity->values, type) != NULL;
}

static void set(play *p)
{
    operation op = { .name = "kith_set",
                     .act = act_set,
                     .act_other = input_chance(&p->in, 30) ? act_set_bytes : NULL,
                     .expect = expect_set,
                     .entity = play_entity(p),
                     .type = play_small(p, size_limit(p)) };
    op.bytes = play_bytes(p, op.type, 1);
    op.size = op.type->size;
    /* Bytes that come from elsewhere are there, unless it is a tag. */
    if (op.bytes == NULL && op.size > 0) {
        op.act_other = NULL;
    }
    op.never_fails = has(p, op.entity, op.type);
    play_attempt(p, &op);
}

static void set_from_other(play *p)
{
    operation op = { .name = "kith_set from kith_get",
                     .act = act_set_from,
                     .expect = expect_set,
                     .entity = play_entity(p),
                     .source = play_living(p) };
    model_entity *source = model_find(&p->m, op.source);
    if (source == NULL || source->values.count == 0) {
        return;
    }
    op.type = source->values.list[input_below(&p->in, source->values.count)].type;
    if (op.type->size == 0) {
        return;
    }
    const model_value *value = model_get(&source->values, op.type);
    if (value == NULL) {
        return;
    }
    /* The model may let go of the value while it sets it. */
    void *copy = play_scratch(p, op.type->size);
    memcpy(copy, value->bytes, op.type->size);
    op.bytes = copy;
    play_attempt(p, &op);
}

static kith_result expect_wrong_size(play *p, const operation *op, outcome *out)
{
    (void)p;
    (void)op;
    (void)out;
    return KITH_ERR_TYPE;
}

static kith_result expect_unknown(play *p, const operation *op, outcome *out)
{
    (void)p;
    (void)op;
    (void)out;
    return KITH_ERR_UNKNOWN;
}

/* Bytes of a size that is wrong, or of a type that nobody registered. */
static void set_wrong_bytes(play *p)
{
    operation op = { .name = "kith_set_bytes",
                     .act = act_set_bytes,
                     .expect = expect_wrong_size,
                     .entity = play_living(p),
                     .type = play_registered(p) };
    if (kith_is_none(op.entity)) {
        return;
    }
    op.size = op.type->size + 1;
    const kith_type *other = play_type(input_below(&p->in, PLAY_TYPES));
    if (model_rank(&p->m, other) == UINT32_MAX) {
        op.type = other;
        op.size = other->size;
        op.expect = expect_unknown;
    }
    op.bytes = play_scratch(p, op.size);
    play_attempt(p, &op);
}

static kith_result act_set_several(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_set_several(w->world, op->entity, op->values, op->value_count);
}

static kith_result act_set_several_apart(played *w, const operation *op, outcome *out)
{
    if (named_twice(op)) {
        return act_set_several(w, op, out);
    }
    for (uint32_t i = 0; i < op->value_count; i++) {
        kith_result result =
            kith_set(w->world, op->entity, op->values[i].type, op->values[i].data);
        if (result != KITH_OK) {
            return result;
        }
    }
    return kith_alive(w->world, op->entity) ? KITH_OK : KITH_ERR_DEAD;
}

static kith_result expect_set_several(play *p, const operation *op, outcome *out)
{
    (void)out;
    if (named_twice(op)) {
        return KITH_ERR_CONFLICT;
    }
    model_entity *entity = model_find(&p->m, op->entity);
    if (entity == NULL) {
        return KITH_ERR_DEAD;
    }
    for (uint32_t i = 0; i < op->value_count; i++) {
        model_set(&entity->values, op->values[i].type, op->values[i].data);
    }
    return KITH_OK;
}

static void set_several(play *p)
{
    operation op = { .name = "kith_set_several",
                     .act = act_set_several,
                     .act_other = act_set_several_apart,
                     .expect = expect_set_several };
    choose_values(p, &op, size_limit(p));
    /* Which of two mistakes is told is not promised. */
    op.entity = named_twice(&op) ? play_living(p) : play_entity(p);
    if (named_twice(&op) && kith_is_none(op.entity)) {
        return;
    }
    play_attempt(p, &op);
}

static kith_result act_add(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_add(w->world, op->entity, op->type);
}

static kith_result expect_add(play *p, const operation *op, outcome *out)
{
    return has(p, op->entity, op->type) ? KITH_OK : expect_set(p, op, out);
}

static void add(play *p)
{
    operation op = { .name = "kith_add",
                     .act = act_add,
                     .expect = expect_add,
                     .entity = play_entity(p),
                     .type = play_small(p, size_limit(p)) };
    op.never_fails = has(p, op.entity, op.type);
    play_attempt(p, &op);
}

static kith_result act_remove(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_remove(w->world, op->entity, op->type);
}

static kith_result expect_remove(play *p, const operation *op, outcome *out)
{
    (void)out;
    model_entity *entity = model_find(&p->m, op->entity);
    if (entity == NULL) {
        return KITH_ERR_DEAD;
    }
    return model_remove(&entity->values, op->type) ? KITH_OK : KITH_ERR_ABSENT;
}

static void remove_component(play *p)
{
    operation op = { .name = "kith_remove",
                     .act = act_remove,
                     .expect = expect_remove,
                     .entity = play_entity(p),
                     .type = play_registered(p) };
    model_entity *entity = model_find(&p->m, op.entity);
    if (entity != NULL && entity->values.count > 0 && input_chance(&p->in, 70)) {
        op.type = entity->values.list[input_below(&p->in, entity->values.count)].type;
    }
    play_attempt(p, &op);
}

static kith_result act_clear(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_clear(w->world, op->entity);
}

static kith_result act_clear_apart(played *w, const operation *op, outcome *out)
{
    (void)out;
    const kith_type *type;
    while ((type = kith_component_next(w->world, op->entity, NULL)) != NULL) {
        CHECK_RESULT(kith_remove(w->world, op->entity, type), KITH_OK);
    }
    return kith_alive(w->world, op->entity) ? KITH_OK : KITH_ERR_DEAD;
}

static kith_result expect_clear(play *p, const operation *op, outcome *out)
{
    (void)out;
    model_entity *entity = model_find(&p->m, op->entity);
    if (entity == NULL) {
        return KITH_ERR_DEAD;
    }
    model_clear(&entity->values);
    return KITH_OK;
}

static void clear(play *p)
{
    operation op = { .name = "kith_clear",
                     .act = act_clear,
                     .act_other = act_clear_apart,
                     .expect = expect_clear,
                     .entity = play_entity(p) };
    play_attempt(p, &op);
}

/* ---- Writing in place ---------------------------------------------------------------------- */

static kith_result act_get_mut(played *w, const operation *op, outcome *out)
{
    (void)out;
    void *value = NULL;
    kith_result result = kith_get_mut(w->world, op->entity, op->type, &value);
    CHECK((result == KITH_OK) == (value != NULL));
    if (result == KITH_OK && op->bytes != NULL) {
        memcpy(value, op->bytes, op->type->size);
    }
    return result;
}

static kith_result act_get_mut_or_null(played *w, const operation *op, outcome *out)
{
    (void)out;
    void *value = kith_get_mut_or_null(w->world, op->entity, op->type);
    if (value == NULL) {
        return w->f.memory->failed && w->f.memory->fail_at != 0 ? KITH_ERR_MEMORY
               : kith_alive(w->world, op->entity)              ? KITH_ERR_ABSENT
                                                                : KITH_ERR_DEAD;
    }
    if (op->bytes != NULL) {
        memcpy(value, op->bytes, op->type->size);
    }
    return KITH_OK;
}

static kith_result expect_get_mut(play *p, const operation *op, outcome *out)
{
    (void)out;
    model_entity *entity = model_find(&p->m, op->entity);
    if (entity == NULL) {
        return KITH_ERR_DEAD;
    }
    if (op->type->size == 0 || model_get(&entity->values, op->type) == NULL) {
        return KITH_ERR_ABSENT;
    }
    if (op->bytes != NULL) {
        model_set(&entity->values, op->type, op->bytes);
    }
    return KITH_OK;
}

/* With no bytes, nothing is written: the stamp moves, and nothing else. */
static void get_mut(play *p)
{
    operation op = { .name = "kith_get_mut",
                     .act = input_chance(&p->in, 50) ? act_get_mut : act_get_mut_or_null,
                     .act_other = act_get_mut,
                     .expect = expect_get_mut,
                     .never_fails = true,
                     .entity = play_entity(p),
                     .type = play_registered(p) };
    op.bytes = play_bytes(p, op.type, 1);
    play_attempt(p, &op);
}

/* ---- Reading ------------------------------------------------------------------------------- */

static void get_many(play *p)
{
    play_name(p, "kith_get_many");
    const kith_type *type = play_registered(p);
    uint32_t count = input_below(&p->in, 40);
    kith_entity *entities = play_scratch(p, (count + 1) * sizeof(*entities));
    const void **values = play_scratch(p, (count + 1) * sizeof(*values));
    for (uint32_t i = 0; i < count; i++) {
        entities[i] = play_entity(p);
    }
    for (int world = 0; world < WORLD_COUNT; world++) {
        const kith_world *w = p->worlds[world].world;
        memset(values, 0xEE, (count + 1) * sizeof(*values));
        uint32_t there = 0;
        uint32_t got = kith_get_many(w, type, entities, count, values);
        for (uint32_t i = 0; i < count; i++) {
            CHECK(values[i] == kith_get(w, entities[i], type));
            CHECK((values[i] != NULL) == (type->size > 0 && has(p, entities[i], type)));
            there += values[i] != NULL;
        }
        CHECK_UINT(got, there);
    }
}

static void get(play *p)
{
    play_name(p, "kith_get");
    const kith_type *type = play_registered(p);
    kith_entity handle = play_entity(p);
    model_entity *entity = model_find(&p->m, handle);
    const model_value *value = entity != NULL ? model_get(&entity->values, type) : NULL;
    unsigned char *bytes = play_scratch(p, type->size + 1);
    kith_result expected = entity == NULL  ? KITH_ERR_DEAD
                           : value == NULL ? KITH_ERR_ABSENT
                                           : KITH_OK;
    for (int world = 0; world < WORLD_COUNT; world++) {
        const kith_world *w = p->worlds[world].world;
        CHECK_INT(kith_alive(w, handle), entity != NULL);
        CHECK_INT(kith_has(w, handle, type), value != NULL);
        const void *got = kith_get(w, handle, type);
        CHECK_INT(got != NULL, value != NULL && type->size > 0);
        CHECK(got == NULL || memcmp(got, value->bytes, type->size) == 0);
        memset(bytes, 0xEE, type->size + 1);
        if (type->size > 0) {
            CHECK_RESULT(kith_get_bytes(w, handle, type, bytes, type->size), expected);
            CHECK(value == NULL || memcmp(bytes, value->bytes, type->size) == 0);
            CHECK_INT(bytes[type->size], 0xEE);
        }
    }
}

/* ---- The world ----------------------------------------------------------------------------- */

/* TWIN keeps its empty tables. */
static void reclaim(play *p)
{
    play_name(p, "kith_reclaim");
    bool fail = play_wants_failure(p);
    if (fail) {
        fail_from(&p->worlds[SUBJECT].f, 1);
    }
    kith_reclaim(p->worlds[SUBJECT].world);
    if (fail) {
        fail_nothing(&p->worlds[SUBJECT].f);
    }
    if (input_chance(&p->in, 50)) {
        kith_reclaim(p->worlds[OTHER].world);
    }
    CHECK_WORLD(p->worlds[OTHER].world);
}

static kith_result act_register(played *w, const operation *op, outcome *out)
{
    (void)out;
    kith_layout layout = (kith_layout)((play_layout(w, op->type) + op->number) % LAYOUT_COUNT);
    return kith_register(w->world, op->type, &(kith_component_def){ .layout = layout });
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
    operation op = { .name = "kith_register",
                     .act = act_register,
                     .expect = expect_register,
                     .type = play_type(input_below(&p->in, PLAY_TYPES)) };
    if (model_rank(&p->m, op.type) != UINT32_MAX) {
        op.number = input_below(&p->in, LAYOUT_COUNT);   /* the same layout, or another */
    }
    play_attempt(p, &op);
}

static void yield_and_claim(play *p)
{
    play_name(p, "kith_world_claim");
    kith_world_yield(p->worlds[SUBJECT].world);
    kith_world_claim(p->worlds[SUBJECT].world);
}

void play_structure(play *p, uint32_t choice)
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
    case 6:
        if (crowded) {
            despawn(p);
        } else {
            input_chance(&p->in, 50) ? clone(p) : spawn_from_other(p);
        }
        break;
    case 7:
    case 8: despawn(p); break;
    case 9: despawn_many(p, input_below(&p->in, 6)); break;
    case 10:
    case 11:
    case 12:
        set(p);
        break;
    case 13:
    case 14: set_from_other(p); break;
    case 15: set_wrong_bytes(p); break;
    case 16:
    case 17: set_several(p); break;
    case 18:
    case 19:
    case 20: add(p); break;
    case 21:
    case 22:
    case 23:
    case 24: remove_component(p); break;
    case 25: clear(p); break;
    case 26:
    case 27: get_mut(p); break;
    case 28: get_many(p); break;
    case 29: get(p); break;
    case 30: reclaim(p); break;
    default: input_chance(&p->in, 85) ? register_type(p) : yield_and_claim(p); break;
    }
}
