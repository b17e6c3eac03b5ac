/* The part of the play that adds, sets, removes and reads components. */
#include <string.h>

#include "play.h"

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

static void set(play *p)
{
    operation op = {.name = "kith_set",
                    .act = act_set,
                    .act_other = input_chance(&p->in, 30) ? act_set_bytes : NULL,
                    .expect = expect_set,
                    .entity = play_entity(p),
                    .type = play_small(p, play_size_limit(p))};
    op.bytes = play_bytes(p, op.type, 1);
    op.size = op.type->size;
    /* Bytes that come from elsewhere are there, unless it is a tag. */
    if ((op.bytes == NULL && op.size > 0) || play_is_hooked(op.type)) {
        op.act_other = NULL;
    }
    op.never_fails = play_has(p, op.entity, op.type) && !play_is_hooked(op.type) &&
                     !play_is_guarded(op.type);
    play_attempt(p, &op);
}

static void set_from_other(play *p)
{
    operation op = {.name = "kith_set from kith_get",
                    .act = act_set_from,
                    .expect = expect_set,
                    .entity = play_entity(p),
                    .source = play_living(p)};
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

/* A type that nobody registered is absent; then it is used, with the layout that this world gives it. */
static kith_result act_first_use(played *w, const operation *op, outcome *out)
{
    (void)out;
    kith_type type = *op->type;
    type.layout = play_layout(w, op->type);
    const bool alive = kith_alive(w->world, op->entity);
    CHECK(!kith_has(w->world, op->entity, &type));
    CHECK_PTR_NULL(kith_get(w->world, op->entity, &type));
    CHECK_RESULT(kith_remove(w->world, op->entity, &type), alive ? KITH_ERR_ABSENT : KITH_ERR_DEAD);
    const kith_value value = {&type, op->bytes};
    switch (op->number) {
    case 0: return kith_set(w->world, op->entity, &type, op->bytes);
    case 1: return kith_set_values(w->world, op->entity, &value, 1);
    case 2: return kith_set_bytes(w->world, op->entity, &type, op->bytes, op->size);
    default: return kith_add(w->world, op->entity, &type);
    }
}

static kith_result expect_first_use(play *p, const operation *op, outcome *out)
{
    model_entity *entity = model_find(&p->m, op->entity);
    if (entity != NULL) {
        model_register(&p->m, op->type);
    }
    return expect_set(p, op, out);
}

static void use_first(play *p, const kith_type *type)
{
    operation op = {.name = "the first use of a type",
                    .act = act_first_use,
                    .expect = expect_first_use,
                    .entity = play_entity(p),
                    .type = type,
                    .size = type->size,
                    .number = input_below(&p->in, 4)};
    op.bytes = op.number == 3 ? NULL : play_bytes(p, type, 1);
    if (op.bytes == NULL && op.number == 2 && op.size > 0) {
        op.number = 0; /* bytes that come from elsewhere are there */
    }
    play_attempt(p, &op);
}

/* Bytes of a size that is wrong; or a type that nobody registered. */
static void set_wrong_bytes(play *p)
{
    operation op = {.name = "kith_set_bytes",
                    .act = act_set_bytes,
                    .expect = expect_wrong_size,
                    .entity = play_living(p),
                    .type = play_registered(p)};
    if (kith_is_none(op.entity)) {
        return;
    }
    op.size = op.type->size + 1;
    const kith_type *other = play_any_type(p);
    if (model_rank(&p->m, other) == UINT32_MAX && !play_is_hooked(other)) {
        use_first(p, other);
        return;
    }
    op.bytes = play_scratch(p, op.size);
    play_attempt(p, &op);
}

static kith_result act_set_several(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_set_values(w->world, op->entity, op->values, op->value_count);
}

static kith_result act_set_several_apart(played *w, const operation *op, outcome *out)
{
    if (play_named_twice(op)) {
        return act_set_several(w, op, out);
    }
    for (uint32_t i = 0; i < op->value_count; i++) {
        kith_result result = kith_set(w->world, op->entity, op->values[i].type, op->values[i].data);
        if (result != KITH_OK) {
            return result;
        }
    }
    return kith_alive(w->world, op->entity) ? KITH_OK : KITH_ERR_DEAD;
}

kith_result play_expect_several(play *p, const operation *op, outcome *out)
{
    (void)out;
    if (play_named_twice(op)) {
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
    operation op = {.name = "kith_set_values",
                    .act = act_set_several,
                    .act_other = act_set_several_apart,
                    .expect = play_expect_several};
    play_choose_values(p, &op, play_size_limit(p));
    /* Which of two mistakes is told is not promised. */
    op.entity = play_named_twice(&op) ? play_living(p) : play_entity(p);
    if (play_named_twice(&op) && kith_is_none(op.entity)) {
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
    return play_has(p, op->entity, op->type) ? KITH_OK : expect_set(p, op, out);
}

static void add(play *p)
{
    operation op = {.name = "kith_add",
                    .act = act_add,
                    .expect = expect_add,
                    .entity = play_entity(p),
                    .type = play_small(p, play_size_limit(p))};
    op.never_fails = play_has(p, op.entity, op.type);
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
    operation op = {.name = "kith_remove",
                    .act = act_remove,
                    .expect = expect_remove,
                    .entity = play_entity(p),
                    .type = play_registered(p)};
    model_entity *entity = model_find(&p->m, op.entity);
    if (entity != NULL && entity->values.count > 0 && input_chance(&p->in, 70)) {
        op.type = entity->values.list[input_below(&p->in, entity->values.count)].type;
    }
    play_attempt(p, &op);
}

static kith_result act_clear(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_remove_all(w->world, op->entity);
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
    model_unlink(&p->m, op->entity);
    return KITH_OK;
}

static void clear(play *p)
{
    operation op = {.name = "kith_remove_all",
                    .act = act_clear,
                    .act_other = act_clear_apart,
                    .expect = expect_clear,
                    .entity = play_entity(p)};
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
    void *value = kith_get_mut_(w->world, op->entity, op->type);
    CHECK(value == NULL || value == kith_get_mut_or_null(w->world, op->entity, op->type));
    if (value == NULL) {
        return w->f.memory->failed && w->f.memory->fail_at != 0 ? KITH_ERR_MEMORY
               : kith_alive(w->world, op->entity)               ? KITH_ERR_ABSENT
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
    operation op = {.name = "kith_get_mut",
                    .act = input_chance(&p->in, 50) ? act_get_mut : act_get_mut_or_null,
                    .act_other = act_get_mut,
                    .expect = expect_get_mut,
                    .never_fails = true,
                    .entity = play_entity(p),
                    .type = play_writable(p)};
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
            CHECK((values[i] != NULL) == (type->size > 0 && play_has(p, entities[i], type)));
            there += values[i] != NULL;
        }
        CHECK_UINT(got, there);
    }
}

static void check_lookup(play *p, played *w, const kith_type *type, kith_entity handle)
{
    if (w->looked_up == NULL || input_below(&p->in, 16) == 0) {
        w->lookup = kith_lookup_new(w->world, type);
        w->looked_up = type;
        CHECK_RESULT(w->lookup.result, KITH_OK);
    }
    type = w->looked_up;
    CHECK(kith_lookup_has(&w->lookup, handle) == kith_has(w->world, handle, type));
    CHECK(kith_lookup_get(&w->lookup, handle, type) == kith_get(w->world, handle, type));
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
        CHECK(kith_get_(w, handle, type) == got);
        CHECK_INT(kith_has_(w, handle, type), value != NULL);
        CHECK(got == NULL || memcmp(got, value->bytes, type->size) == 0);
        memset(bytes, 0xEE, type->size + 1);
        if (type->size > 0 && !play_is_hooked(type)) {
            CHECK_RESULT(kith_get_bytes(w, handle, type, bytes, type->size), expected);
            CHECK(value == NULL || memcmp(bytes, value->bytes, type->size) == 0);
            CHECK_INT(bytes[type->size], 0xEE);
        }
        check_lookup(p, &p->worlds[world], type, handle);
    }
}

void play_components(play *p, uint32_t choice)
{
    switch (choice) {
    case 0:
    case 1:
    case 2: set(p); break;
    case 3:
    case 4: set_from_other(p); break;
    case 5: set_wrong_bytes(p); break;
    case 6:
    case 7: set_several(p); break;
    case 8:
    case 9:
    case 10: add(p); break;
    case 11:
    case 12:
    case 13:
    case 14: remove_component(p); break;
    case 15: clear(p); break;
    case 16:
    case 17: get_mut(p); break;
    case 18: get_many(p); break;
    default: get(p); break;
    }
}
