#include "model_trees.h"

#include <stdlib.h>
#include <string.h>

#include "model_links.h"
#include "test.h"

bool model_is_enabled(const model *m, const model_entity *entity)
{
    for (; entity != NULL; entity = model_find(m, model_parent(m, entity->handle))) {
        if (m->disabled_type != NULL && model_get(&entity->values, m->disabled_type) != NULL) {
            return false;
        }
    }
    return true;
}

bool model_has(const model *m, const model_entity *entity, const kith_type *type)
{
    return type == m->disabled_type ? !model_is_enabled(m, entity)
                                    : model_get(&entity->values, type) != NULL;
}

/* ---- What is below ----------------------------------------------------------------------------- */

/* A tree while it is listed. */
typedef struct tree {
    const model *m;
    const model_relation *children; /* NULL: nobody has any */
    kith_entity *list;
    uint32_t count;
} tree;

static bool is_listed(const tree *t, kith_entity entity)
{
    for (uint32_t i = 0; i < t->count; i++) {
        if (kith_entity_equal(t->list[i], entity)) {
            return true;
        }
    }
    return false;
}

static bool is_child(const tree *t, kith_entity child, kith_entity parent)
{
    return kith_entity_equal(model_target(t->children, model_find(t->m, child)), parent);
}

/* The child that comes next by the `order` of its value; NULL: there is none. */
static const model_entity *next_by_order(const tree *t, kith_entity parent, uint32_t *order)
{
    const model_entity *next = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < t->m->entity_count; i++) {
        const model_entity *entity = &t->m->entities[i];
        const model_value *value = model_get(&entity->values, t->children->type);
        if (value != NULL && value->order > *order && value->order < least &&
            is_child(t, entity->handle, parent)) {
            next = entity;
            least = value->order;
        }
    }
    *order = least;
    return next;
}

static void list_tree(tree *t, kith_entity entity)
{
    if (is_listed(t, entity)) { /* linked, or in a circle that values make */
        return;
    }
    t->list[t->count++] = entity;
    for (uint32_t i = 0; t->children != NULL && i < t->children->count; i++) {
        const model_link *link = &t->children->list[i];
        if (kith_entity_equal(link->target, entity) && is_child(t, link->source, entity)) {
            list_tree(t, link->source);
        }
    }
    uint32_t order = 0;
    const model_entity *child = NULL;
    while (t->children != NULL && (child = next_by_order(t, entity, &order)) != NULL) {
        list_tree(t, child->handle);
    }
}

uint32_t model_tree(const model *m, kith_entity root, kith_entity *list)
{
    tree t = {.m = m, .list = list};
    for (uint32_t i = 0; i < m->relation_count; i++) {
        if (strcmp(m->relations[i].type->name, kith_child_of_type.name) == 0) {
            t.children = &m->relations[i];
        }
    }
    list_tree(&t, root);
    return t.count;
}

/* ---- Clones ------------------------------------------------------------------------------------ */

void model_copy_values(model *m, kith_entity from, kith_entity to, bool named, uint32_t order)
{
    const model_values *source = &model_find(m, from)->values;
    model_values *values = &model_find(m, to)->values;
    for (uint32_t i = 0; i < source->count; i++) {
        const model_value *value = &source->list[i];
        if (named || value->type != m->name_type) {
            model_set(values, value->type, value->bytes);
            model_get(values, value->type)->order = order;
        }
    }
}

/* What a handle is renamed to. */
static kith_entity renamed(kith_entity named, const kith_entity *from, const kith_entity *to,
                           uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (kith_entity_equal(named, from[i])) {
            return to[i];
        }
    }
    return named;
}

void model_rename(model_entity *entity, const kith_entity *from, const kith_entity *to,
                  uint32_t count)
{
    for (uint32_t i = 0; i < entity->values.count; i++) {
        const model_value *value = &entity->values.list[i];
        for (uint32_t k = 0; k < value->type->field_count; k++) {
            const kith_field *field = &value->type->fields[k];
            const uint32_t size = field->kind == KITH_ENTITY ? field->size : 0;
            for (uint32_t at = 0; at < size; at += (uint32_t)sizeof(kith_entity)) {
                kith_entity named;
                memcpy(&named, value->bytes + field->offset + at, sizeof(named));
                named = renamed(named, from, to, count);
                memcpy(value->bytes + field->offset + at, &named, sizeof(named));
            }
        }
    }
}

kith_entity model_clone_tree(model *m, kith_entity root)
{
    kith_entity *from = calloc(m->entity_count + 1, sizeof(*from));
    kith_entity *to = calloc(m->entity_count + 1, sizeof(*to));
    CHECK(from != NULL && to != NULL);
    const uint32_t count = model_tree(m, root, from);
    for (uint32_t i = 0; i < count; i++) {
        to[i] = model_spawn(m)->handle;
        model_copy_values(m, from[i], to[i], i != 0, i + 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        model_rename(model_find(m, to[i]), from, to, count);
    }
    const kith_entity clone = to[0];
    free(from);
    free(to);
    return clone;
}
