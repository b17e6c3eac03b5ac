#include "live_model.h"

#include <stdlib.h>
#include <string.h>

/* What was seen in a slot. */
typedef struct live_seen {
    kith_entity entity;                /* KITH_NONE: none that matches */
    uint8_t *values[LIVE_MODEL_TYPES]; /* NULL: absent */
} live_seen;

/* A copy of a value, without what is in its padding. */
static uint8_t *copy_value(const kith_type *type, const uint8_t *value)
{
    if (value == NULL) {
        return NULL;
    }
    uint8_t *copy = calloc(1, type->size);
    CHECK_PTR_NOT_NULL(copy);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (field->kind != KITH_PADDING) {
            memcpy(copy + field->offset, value + field->offset, field->size);
        }
    }
    return copy;
}

static void free_seen(live_seen *seen, uint32_t slots)
{
    for (uint32_t slot = 0; slot < slots; slot++) {
        for (uint32_t i = 0; i < LIVE_MODEL_TYPES; i++) {
            free(seen[slot].values[i]);
        }
    }
    free(seen);
}

live_model live_model_new(kith_world *world, kith_query *query, const kith_type *const *types)
{
    live_model model = {.world = world, .query = query};
    for (uint32_t i = 0; types[i] != NULL; i++) {
        CHECK(i < LIVE_MODEL_TYPES);
        model.types[i] = types[i];
    }
    CHECK_RESULT(kith_live_new(world, query, &model.live), KITH_OK);
    CHECK_UINT(kith_live_count(model.live), 0);
    return model;
}

void live_model_forget(live_model *model)
{
    free_seen(model->seen, model->slots);
    *model = (live_model){0};
}

void live_model_free(live_model *model)
{
    kith_live_free(model->live);
    live_model_forget(model);
}

/* Looks at all entities. */
static live_seen *look(const live_model *model, uint32_t slots)
{
    live_seen *seen = calloc((size_t)slots + 1, sizeof *seen);
    CHECK_PTR_NOT_NULL(seen);
    for (kith_entity e = kith_entity_next(model->world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(model->world, e)) {
        if (!kith_query_contains(model->query, e)) {
            continue;
        }
        live_seen *one = &seen[kith_entity_slot(e)];
        one->entity = e;
        for (uint32_t i = 0; i < LIVE_MODEL_TYPES && model->types[i] != NULL; i++) {
            const kith_type *type = model->types[i];
            one->values[i] = copy_value(type, kith_get(model->world, e, type));
        }
    }
    return seen;
}

static bool is_changed(const live_model *model, const live_seen *was, const live_seen *now)
{
    for (uint32_t i = 0; i < LIVE_MODEL_TYPES && model->types[i] != NULL; i++) {
        const uint8_t *one = was->values[i];
        const uint8_t *two = now->values[i];
        if ((one == NULL) != (two == NULL) ||
            (one != NULL && memcmp(one, two, model->types[i]->size) != 0)) {
            return true;
        }
    }
    return false;
}

/* Steps over one entity of a list, which has to be the next one. */
static void expect_next(const char *file, int line, const char *list, kith_entity entity,
                        const kith_entity *entities, uint32_t count, uint32_t *at)
{
    if (*at == count) {
        test_fail(file, line, "entity %u is not told as %s", kith_entity_slot(entity), list);
    }
    test_check_same(file, line, list, "expected", entities[(*at)++], entity);
}

void live_model_check_at(const char *file, int line, live_model *model)
{
    kith_live_changes changes;
    CHECK_RESULT(kith_live_next(model->live, &changes), KITH_OK);
    live_model_compare_at(file, line, model, &changes);
}

void live_model_compare_at(const char *file, int line, live_model *model,
                           const kith_live_changes *changes)
{
    uint32_t slots = kith_memory(model->world).slots;
    slots = slots < model->slots ? model->slots : slots;
    live_seen *now = look(model, slots);
    uint32_t entered = 0, left = 0, changed = 0, count = 0;
    kith_entity member = KITH_NONE;
    for (uint32_t slot = 0; slot < slots; slot++) {
        const live_seen none = {.entity = KITH_NONE};
        const live_seen *was = slot < model->slots ? &model->seen[slot] : &none;
        const live_seen *is = &now[slot];
        bool stayed = kith_entity_equal(was->entity, is->entity);
        if (!stayed && !kith_is_none(was->entity)) {
            expect_next(file, line, "left", was->entity, changes->left, changes->left_count, &left);
        }
        if (!stayed && !kith_is_none(is->entity)) {
            expect_next(file, line, "entered", is->entity, changes->entered, changes->entered_count,
                        &entered);
        }
        if (stayed && is_changed(model, was, is)) {
            expect_next(file, line, "changed", is->entity, changes->changed, changes->changed_count,
                        &changed);
        }
        if (!kith_is_none(is->entity)) {
            count++;
            member = kith_live_after(model->live, member);
            test_check_same(file, line, "member", "expected", member, is->entity);
            CHECK(kith_live_has(model->live, is->entity));
        }
        CHECK(stayed || !kith_live_has(model->live, was->entity));
    }
    if (entered != changes->entered_count || left != changes->left_count ||
        changed != changes->changed_count) {
        test_fail(file, line, "too many: entered %u of %u, left %u of %u, changed %u of %u",
                  entered, changes->entered_count, left, changes->left_count, changed,
                  changes->changed_count);
    }
    CHECK_UINT(kith_live_count(model->live), count);
    CHECK(kith_is_none(kith_live_after(model->live, member)));
    free_seen(model->seen, model->slots);
    model->seen = now;
    model->slots = slots;
}
