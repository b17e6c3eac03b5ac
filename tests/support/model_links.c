#include "model_links.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

/* ---- The lists --------------------------------------------------------------------------------- */

/* By name, as cascades go. */
static model_relation *insert_relation(model *m, const kith_type *type)
{
    m->relations = realloc(m->relations, (m->relation_count + 1) * sizeof(*m->relations));
    CHECK_PTR_NOT_NULL(m->relations);
    uint32_t at = m->relation_count++;
    for (; at > 0 && strcmp(m->relations[at - 1].type->name, type->name) > 0; at--) {
        m->relations[at] = m->relations[at - 1];
    }
    m->relations[at] = (model_relation){.type = type, .rules = type->relation};
    return &m->relations[at];
}

void model_add_relations(model *m, const kith_type *type)
{
    if (type->relation == 0) {
        return;
    }
    bool many = (type->relation & KITH_MANY) != 0;
    insert_relation(m, type)->rules = many ? KITH_CASCADE : type->relation;
    if (many) {
        model_relation *second = insert_relation(m, type);
        second->offset = sizeof(kith_entity);
        second->rules = (type->relation & KITH_REFUSE) != 0 ? KITH_REFUSE : KITH_CASCADE;
        second->pulls = (type->relation & KITH_CASCADE) != 0;
    }
}

void model_copy_relations(model *to, const model *from)
{
    to->relations = calloc(from->relation_count + 1, sizeof(*to->relations));
    CHECK_PTR_NOT_NULL(to->relations);
    to->relation_count = from->relation_count;
    for (uint32_t i = 0; i < from->relation_count; i++) {
        model_relation *copy = &to->relations[i];
        *copy = from->relations[i];
        copy->capacity = copy->count;
        copy->list = calloc(copy->count + 1, sizeof(*copy->list));
        CHECK_PTR_NOT_NULL(copy->list);
        if (copy->count > 0) {
            memcpy(copy->list, from->relations[i].list, copy->count * sizeof(*copy->list));
        }
    }
}

void model_free_relations(model *m)
{
    for (uint32_t i = 0; i < m->relation_count; i++) {
        free(m->relations[i].list);
    }
    free(m->relations);
}

model_relation *model_relation_of(const model *m, const kith_type *type, bool second)
{
    for (uint32_t i = 0; i < m->relation_count; i++) {
        if (m->relations[i].type == type && (m->relations[i].offset != 0) == second) {
            return &m->relations[i];
        }
    }
    return NULL;
}

static void insert_link(model_relation *relation, model_link link, uint32_t at)
{
    if (relation->count == relation->capacity) {
        relation->capacity = relation->capacity == 0 ? 16 : relation->capacity * 2;
        relation->list = realloc(relation->list, relation->capacity * sizeof(*relation->list));
        CHECK_PTR_NOT_NULL(relation->list);
    }
    memmove(&relation->list[at + 1], &relation->list[at],
            (relation->count - at) * sizeof(*relation->list));
    relation->list[at] = link;
    relation->count++;
}

/* The place of a link; `count`: there is none. */
static uint32_t find_link(const model_relation *relation, kith_entity source)
{
    uint32_t at = 0;
    while (at < relation->count && !kith_entity_equal(relation->list[at].source, source)) {
        at++;
    }
    return at;
}

static model_link take_link(model_relation *relation, uint32_t at)
{
    model_link link = relation->list[at];
    relation->count--;
    memmove(&relation->list[at], &relation->list[at + 1],
            (relation->count - at) * sizeof(*relation->list));
    return link;
}

void model_unlink(model *m, kith_entity source)
{
    for (uint32_t i = 0; i < m->relation_count; i++) {
        uint32_t at = find_link(&m->relations[i], source);
        if (at < m->relations[i].count) {
            take_link(&m->relations[i], at);
        }
    }
}

void model_place(model_relation *relation, kith_entity source, kith_entity before)
{
    model_link link = take_link(relation, find_link(relation, source));
    insert_link(relation, link,
                kith_is_none(before) ? relation->count : find_link(relation, before));
}

kith_entity model_target(const model_relation *relation, const model_entity *entity)
{
    kith_entity target = KITH_NONE;
    const model_value *value = entity == NULL ? NULL : model_get(&entity->values, relation->type);
    if (value != NULL) {
        memcpy(&target, value->bytes + relation->offset, sizeof(target));
    }
    return target;
}

/* ---- What values say --------------------------------------------------------------------------- */

/* Keeps the links that are what values say. */
static void drop_links(const model *m, model_relation *relation, bool *linked)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < relation->count; i++) {
        const model_link link = relation->list[i];
        const model_entity *source = model_find(m, link.source);
        if (source != NULL && model_get(&source->values, relation->type) != NULL &&
            kith_entity_equal(model_target(relation, source), link.target) &&
            model_find(m, link.target) != NULL) {
            linked[source - m->entities] = true;
            relation->list[kept++] = link;
        }
    }
    relation->count = kept;
}

/* Adds the links that values say besides. False: a target is not alive. */
static bool add_links(const model *m, model_relation *relation, const bool *linked)
{
    bool alive = true;
    uint32_t last = 0;
    for (uint32_t order = 0; order != UINT32_MAX; order = last) {
        last = UINT32_MAX; /* the next order that there is */
        for (uint32_t i = 0; i < m->entity_count; i++) {
            const model_value *value = model_get(&m->entities[i].values, relation->type);
            if (value == NULL || linked[i]) {
                continue;
            }
            if (value->order > order && value->order < last) {
                last = value->order;
            }
            if (value->order == order) {
                model_link link = {m->entities[i].handle, model_target(relation, &m->entities[i])};
                bool lives = model_find(m, link.target) != NULL;
                alive = alive && lives;
                if (lives) {
                    insert_link(relation, link, relation->count);
                }
            }
        }
    }
    return alive;
}

/* Whether targets lead from an entity back to it. */
static bool has_circle(const model *m, const model_relation *relation)
{
    for (uint32_t i = 0; i < relation->count; i++) {
        kith_entity at = relation->list[i].source;
        for (uint32_t steps = 0; !kith_is_none(at); steps++) {
            if (steps > m->entity_count + 1) {
                return true;
            }
            at = model_target(relation, model_find(m, at));
        }
    }
    return false;
}

kith_entity model_parent(const model *m, kith_entity entity)
{
    for (uint32_t i = 0; i < m->relation_count; i++) {
        if (strcmp(m->relations[i].type->name, kith_child_of_type.name) == 0) {
            return model_target(&m->relations[i], model_find(m, entity));
        }
    }
    return KITH_NONE;
}

/* ---- Names ------------------------------------------------------------------------------------- */

typedef struct named {
    kith_entity entity;
    kith_entity parent;
    kith_text name;
} named;

/* All that have a name. */
static named *find_named(const model *m, uint32_t *count)
{
    named *all = calloc(m->entity_count + 1, sizeof(*all));
    CHECK_PTR_NOT_NULL(all);
    *count = 0;
    for (uint32_t i = 0; m->name_type != NULL && i < m->entity_count; i++) {
        const model_value *value = model_get(&m->entities[i].values, m->name_type);
        if (value != NULL) {
            named *one = &all[(*count)++];
            one->entity = m->entities[i].handle;
            one->parent = model_parent(m, one->entity);
            memcpy(&one->name, value->bytes, sizeof(one->name));
        }
    }
    return all;
}

static bool may_be_name(const model *m, kith_text name)
{
    for (uint32_t i = 0; i < m->name_count; i++) {
        if (kith_text_equal(m->names[i], name)) {
            return true;
        }
    }
    return false;
}

/* What is wrong with names. */
static uint32_t judge_names(const model *m)
{
    uint32_t count;
    uint32_t wrong = 0;
    named *all = find_named(m, &count);
    for (uint32_t i = 0; i < count; i++) {
        wrong |= may_be_name(m, all[i].name) ? 0 : 1u << KITH_ERR_INPUT;
        for (uint32_t k = 0; k < i; k++) {
            if (kith_text_equal(all[i].name, all[k].name) &&
                kith_entity_equal(all[i].parent, all[k].parent)) {
                wrong |= 1u << KITH_ERR_CONFLICT;
            }
        }
    }
    free(all);
    return wrong;
}

/* ---- Unique keys ------------------------------------------------------------------------------- */

bool model_keys_are_unique(const model *m, const kith_type *type)
{
    for (uint32_t i = 0; i < m->entity_count; i++) {
        const model_value *value = model_get(&m->entities[i].values, type);
        for (uint32_t k = 0; value != NULL && k < i; k++) {
            const model_value *other = model_get(&m->entities[k].values, type);
            if (other != NULL && memcmp(value->bytes, other->bytes, type->fields[0].size) == 0) {
                return false;
            }
        }
    }
    return true;
}

/* ---- The whole --------------------------------------------------------------------------------- */

uint32_t model_settle(model *m)
{
    uint32_t wrong = 0;
    bool *linked = malloc(m->entity_count + 1);
    CHECK_PTR_NOT_NULL(linked);
    for (uint32_t i = 0; i < m->relation_count; i++) {
        model_relation *relation = &m->relations[i];
        memset(linked, 0, m->entity_count);
        drop_links(m, relation, linked);
        wrong |= add_links(m, relation, linked) ? 0 : 1u << KITH_ERR_DEAD;
        if ((relation->rules & KITH_ACYCLIC) != 0 && has_circle(m, relation)) {
            wrong |= 1u << KITH_ERR_CYCLE;
        }
    }
    free(linked);
    for (uint32_t i = 0; i < m->entity_count; i++) {
        for (uint32_t k = 0; k < m->entities[i].values.count; k++) {
            m->entities[i].values.list[k].order = 0;
        }
    }
    if (m->unique_type != NULL && !model_keys_are_unique(m, m->unique_type)) {
        wrong |= 1u << KITH_ERR_CONFLICT;
    }
    return wrong | judge_names(m);
}

/* ---- Cascades ---------------------------------------------------------------------------------- */

static bool is_gone(const model *m, const model_ends *ends, kith_entity entity)
{
    const model_entity *found = model_find(m, entity);
    return found != NULL && ends->gone != NULL && ends->gone[found - m->entities];
}

void model_ends_add(const model *m, model_ends *ends, kith_entity entity)
{
    const model_entity *found = model_find(m, entity);
    if (ends->gone == NULL) {
        ends->gone = calloc(m->entity_count + 1, sizeof(*ends->gone));
        ends->list = calloc(m->entity_count + 1, sizeof(*ends->list));
        CHECK(ends->gone != NULL && ends->list != NULL);
    }
    if (found == NULL || is_gone(m, ends, entity)) {
        return;
    }
    ends->gone[found - m->entities] = true;
    ends->list[ends->count++] = entity;
    for (uint32_t r = 0; r < m->relation_count; r++) {
        const model_relation *relation = &m->relations[r];
        for (uint32_t i = 0; (relation->rules & KITH_CASCADE) != 0 && i < relation->count; i++) {
            if (kith_entity_equal(relation->list[i].target, entity)) {
                kith_entity source = relation->list[i].source;
                const model_relation *first = model_relation_of(m, relation->type, false);
                model_ends_add(m, ends, source);
                if (relation->pulls) {
                    model_ends_add(m, ends, model_target(first, model_find(m, source)));
                }
            }
        }
    }
}

void model_ends_again(const model *m, model_ends *ends)
{
    free(ends->gone);
    ends->gone = calloc(m->entity_count + 1, sizeof(*ends->gone));
    CHECK_PTR_NOT_NULL(ends->gone);
    for (uint32_t i = 0; i < ends->count; i++) {
        const model_entity *found = model_find(m, ends->list[i]);
        if (found != NULL) {
            ends->gone[found - m->entities] = true;
        }
    }
}

bool model_may_end(const model *m, const model_ends *ends)
{
    for (uint32_t r = 0; r < m->relation_count; r++) {
        const model_relation *relation = &m->relations[r];
        for (uint32_t i = 0; (relation->rules & KITH_REFUSE) != 0 && i < relation->count; i++) {
            if (is_gone(m, ends, relation->list[i].target) &&
                !is_gone(m, ends, relation->list[i].source)) {
                return false;
            }
        }
    }
    return true;
}

void model_clear_sources(model *m, const model_ends *ends)
{
    for (uint32_t r = 0; r < m->relation_count; r++) {
        const model_relation *relation = &m->relations[r];
        for (uint32_t i = 0; (relation->rules & KITH_CLEAR) != 0 && i < relation->count; i++) {
            kith_entity source = relation->list[i].source;
            if (is_gone(m, ends, relation->list[i].target) && !is_gone(m, ends, source)) {
                model_remove(&model_find(m, source)->values, relation->type);
            }
        }
    }
}

void model_ends_free(model_ends *ends)
{
    free(ends->list);
    free(ends->gone);
    *ends = (model_ends){0};
}

bool model_despawn_all(model *m, const kith_entity *entities, uint32_t count, uint32_t *ended)
{
    model_ends ends = {0};
    for (uint32_t i = 0; i < count; i++) {
        model_ends_add(m, &ends, entities[i]);
    }
    bool may = model_may_end(m, &ends);
    if (may) {
        model_clear_sources(m, &ends);
        for (uint32_t i = 0; i < ends.count; i++) {
            model_despawn(m, ends.list[i]);
        }
    }
    *ended = ends.count;
    model_ends_free(&ends);
    return may;
}
