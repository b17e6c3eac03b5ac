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
    bool *named; /* of each: it is below the root, or below a link */
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

static bool leads_to(const tree *t, const model_relation *relation, kith_entity source,
                     kith_entity target)
{
    return kith_entity_equal(model_target(relation, model_find(t->m, source)), target);
}

/* The source that comes next by the `order` of its value; NULL: there is none. */
static const model_entity *next_by_order(const tree *t, const model_relation *relation,
                                         kith_entity target, uint32_t *order)
{
    const model_entity *next = NULL;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < t->m->entity_count; i++) {
        const model_entity *entity = &t->m->entities[i];
        const model_value *value = model_get(&entity->values, relation->type);
        if (value != NULL && value->order > *order && value->order < least &&
            leads_to(t, relation, entity->handle, target)) {
            next = entity;
            least = value->order;
        }
    }
    *order = least;
    return next;
}

static void list_tree(tree *t, kith_entity entity, bool named);

/* Lists the sources of a relation that lead to an entity, each with all below it: those that are linked
 * first. */
static void list_sources(tree *t, const model_relation *relation, kith_entity target, bool named)
{
    for (uint32_t i = 0; i < relation->count; i++) {
        const model_link *link = &relation->list[i];
        if (kith_entity_equal(link->target, target) &&
            leads_to(t, relation, link->source, target)) {
            list_tree(t, link->source, named);
        }
    }
    uint32_t order = 0;
    const model_entity *source = NULL;
    while ((source = next_by_order(t, relation, target, &order)) != NULL) {
        list_tree(t, source->handle, named);
    }
}

static void list_tree(tree *t, kith_entity entity, bool named)
{
    if (is_listed(t, entity)) { /* linked, or in a circle that values make */
        return;
    }
    t->list[t->count] = entity;
    t->named[t->count++] = named;
    if (t->children != NULL) {
        list_sources(t, t->children, entity, true);
    }
}

/* Whether a relation leads from the links of KITH_LINKS to what they come from. */
static bool is_of_links(const model_relation *relation)
{
    return (relation->type->relation & KITH_MANY) != 0 && relation->offset == 0;
}

uint32_t model_tree(const model *m, kith_entity root, kith_entity *list, bool *named)
{
    tree t = {.m = m, .list = list, .named = named};
    for (uint32_t i = 0; i < m->relation_count; i++) {
        if (strcmp(m->relations[i].type->name, kith_child_of_type.name) == 0) {
            t.children = &m->relations[i];
        }
    }
    list_tree(&t, root, false);
    for (uint32_t i = 0; i < t.count; i++) {
        for (uint32_t k = 0; k < m->relation_count; k++) {
            if (is_of_links(&m->relations[k])) {
                list_sources(&t, &m->relations[k], list[i], false);
            }
        }
    }
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

void model_rename(model_entity *entity, bool root, const kith_entity *from, const kith_entity *to,
                  uint32_t count)
{
    for (uint32_t i = 0; i < entity->values.count; i++) {
        const model_value *value = &entity->values.list[i];
        if (root && strcmp(value->type->name, kith_child_of_type.name) == 0) {
            continue;
        }
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
    bool *named = calloc(m->entity_count + 1, sizeof(*named));
    CHECK(from != NULL && to != NULL && named != NULL);
    const uint32_t count = model_tree(m, root, from, named);
    for (uint32_t i = 0; i < count; i++) {
        to[i] = model_spawn(m)->handle;
        model_copy_values(m, from[i], to[i], named[i], i + 1);
    }
    for (uint32_t i = 0; i < count; i++) {
        model_rename(model_find(m, to[i]), i == 0, from, to, count);
    }
    const kith_entity clone = to[0];
    free(from);
    free(to);
    free(named);
    return clone;
}
