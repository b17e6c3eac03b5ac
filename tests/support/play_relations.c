/* The part of the play that is about relations: calls that only they have, and the lists of sources. */
#include <kith/reflect.h>
#include <string.h>

#include "components.h"
#include "play.h"

static const kith_type *child_of(void)
{
    return play_same_type(&kith_child_of_type);
}

/* ---- Looks ------------------------------------------------------------------------------------- */

/* A scan over the sources of each entity, which is compared with links in the order of the model. */
static void look_at_links(play *p, const played *w, const model_relation *relation)
{
    const bool many = (relation->type->relation & KITH_MANY) != 0;
    const uint32_t count = p->m.entity_count;
    kith_sources *scans = play_scratch(p, count * sizeof(*scans));
    kith_entity *last = play_scratch(p, count * sizeof(*last));
    uint32_t *sources = play_scratch(p, count * sizeof(*sources));
    for (uint32_t i = 0; i < count; i++) {
        kith_entity target = p->m.entities[i].handle;
        scans[i] = !many                   ? kith_sources_of(w->world, target, relation->type)
                   : relation->offset == 0 ? kith_links_from(w->world, target, relation->type)
                                           : kith_links_to(w->world, target, relation->type);
        if (!many) {
            CHECK_SAME(kith_target(w->world, target, relation->type),
                       model_target(relation, &p->m.entities[i]));
        }
    }
    for (uint32_t i = 0; i < relation->count; i++) {
        const model_link *link = &relation->list[i];
        const uint32_t at = (uint32_t)(model_find(&p->m, link->target) - p->m.entities);
        CHECK(kith_sources_next(&scans[at]));
        CHECK_SAME(scans[at].entity, link->source);
        if (!many) {
            CHECK_SAME(kith_source_previous(w->world, link->source, relation->type), last[at]);
            CHECK_SAME(kith_is_none(last[at])
                           ? kith_source_first(w->world, link->target, relation->type)
                           : kith_source_next(w->world, last[at], relation->type),
                       link->source);
        }
        last[at] = link->source;
        sources[at]++;
    }
    for (uint32_t i = 0; i < count; i++) {
        kith_entity target = p->m.entities[i].handle;
        CHECK(!kith_sources_next(&scans[i]));
        if (!many) {
            CHECK_SAME(kith_source_last(w->world, target, relation->type), last[i]);
            CHECK_UINT(kith_source_count(w->world, target, relation->type), sources[i]);
            CHECK(kith_is_none(last[i]) ||
                  kith_is_none(kith_source_next(w->world, last[i], relation->type)));
        }
    }
}

/* Whether links that are searched for by both ends are found. */
static void look_for_links(play *p, const played *w, const model_relation *relation)
{
    const model_relation *second = model_relation_of(&p->m, relation->type, true);
    for (uint32_t tries = 0; tries < 4 && relation->offset == 0 && second != NULL; tries++) {
        kith_entity source = play_entity(p);
        kith_entity target = play_entity(p);
        if (relation->count != 0 && input_chance(&p->in, 60)) {
            const uint32_t at = input_below(&p->in, relation->count);
            const model_entity *link = model_find(&p->m, relation->list[at].source);
            source = model_target(relation, link);
            target = model_target(second, link);
        }
        kith_entity found = kith_link_find(w->world, source, target, relation->type);
        bool there = false;
        for (uint32_t i = 0; i < p->m.entity_count; i++) {
            const model_entity *link = &p->m.entities[i];
            there = there || (model_get(&link->values, relation->type) != NULL &&
                              kith_entity_equal(model_target(relation, link), source) &&
                              kith_entity_equal(model_target(second, link), target));
        }
        const model_entity *link = model_find(&p->m, found);
        CHECK_INT(link != NULL, there);
        CHECK(link == NULL || kith_entity_equal(model_target(relation, link), source));
        CHECK(link == NULL || kith_entity_equal(model_target(second, link), target));
    }
}

void play_look_relations(play *p)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        for (uint32_t i = 0; i < p->m.relation_count; i++) {
            look_at_links(p, &p->worlds[world], &p->m.relations[i]);
        }
    }
}

/* ---- Places among sources ---------------------------------------------------------------------- */

static kith_result act_place(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_source_place(w->world, op->entity, op->type, op->source);
}

static kith_result expect_place(play *p, const operation *op, outcome *out)
{
    (void)out;
    model_relation *relation = model_relation_of(&p->m, op->type, false);
    const model_entity *source = model_find(&p->m, op->entity);
    const model_entity *before = model_find(&p->m, op->source);
    const kith_entity target = model_target(relation, source);
    if (source == NULL || (before == NULL && !kith_is_none(op->source))) {
        return KITH_ERR_DEAD;
    }
    if (kith_is_none(target)) {
        return KITH_ERR_ABSENT;
    }
    if (before != NULL &&
        (source == before || !kith_entity_equal(model_target(relation, before), target))) {
        return KITH_ERR_INPUT;
    }
    model_place(relation, op->entity, op->source);
    return KITH_OK;
}

/* An entity that has the relation, more often than not. */
static kith_entity choose_source(play *p, const kith_type *type)
{
    const model_relation *relation = model_relation_of(&p->m, type, false);
    return relation == NULL || relation->count == 0 || input_chance(&p->in, 10)
               ? play_entity(p)
               : relation->list[input_below(&p->in, relation->count)].source;
}

/* Another source of the same target, more often than not. */
static kith_entity choose_sibling(play *p, const kith_type *type, kith_entity source)
{
    const model_relation *relation = model_relation_of(&p->m, type, false);
    const kith_entity target = model_target(relation, model_find(&p->m, source));
    for (uint32_t tries = 0; tries < 8 && relation->count != 0; tries++) {
        const model_link *link = &relation->list[input_below(&p->in, relation->count)];
        if (kith_entity_equal(link->target, target)) {
            return link->source;
        }
    }
    return play_entity(p);
}

/* A relation that is not one of KITH_LINKS; NULL: none is registered. */
static const kith_type *choose_relation(play *p)
{
    const model_relation *relation =
        p->m.relation_count == 0 ? NULL : &p->m.relations[input_below(&p->in, p->m.relation_count)];
    return relation == NULL || (relation->type->relation & KITH_MANY) != 0 ? NULL : relation->type;
}

static void place(play *p)
{
    const kith_type *type = choose_relation(p);
    if (type != NULL) {
        operation op = {.name = "kith_source_place",
                        .act = act_place,
                        .expect = expect_place,
                        .entity = choose_source(p, type),
                        .type = type};
        op.source = input_chance(&p->in, 20) ? KITH_NONE : choose_sibling(p, type, op.entity);
        play_attempt(p, &op);
    }
}

/* ---- Parents ----------------------------------------------------------------------------------- */

static kith_result act_set_parent(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_set_parent(w->world, op->entity, op->source);
}

/* Gives an entity a parent in the model, or takes it away. */
static void give_parent(play *p, kith_entity child, kith_entity parent)
{
    model_values *values = &model_find(&p->m, child)->values;
    model_register(&p->m, child_of());
    if (kith_is_none(parent)) {
        model_remove(values, child_of());
    } else {
        model_set(values, child_of(), &parent);
    }
}

static kith_result expect_set_parent(play *p, const operation *op, outcome *out)
{
    (void)out;
    if (model_find(&p->m, op->entity) == NULL ||
        (model_find(&p->m, op->source) == NULL && !kith_is_none(op->source))) {
        return KITH_ERR_DEAD;
    }
    give_parent(p, op->entity, op->source);
    return KITH_OK;
}

static kith_result act_insert(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_insert_child(w->world, op->entity, op->source);
}

static kith_result expect_insert(play *p, const operation *op, outcome *out)
{
    (void)out;
    const kith_entity parent = model_parent(&p->m, op->source);
    if (model_find(&p->m, op->entity) == NULL || model_find(&p->m, op->source) == NULL) {
        return KITH_ERR_DEAD;
    }
    if (kith_entity_equal(op->entity, op->source)) {
        return KITH_ERR_INPUT;
    }
    if (kith_is_none(parent)) {
        return KITH_ERR_ABSENT;
    }
    give_parent(p, op->entity, parent);
    p->wrong = model_settle(&p->m);
    if (p->wrong == 0) {
        model_place(model_relation_of(&p->m, child_of(), false), op->entity, op->source);
    }
    return KITH_OK;
}

void play_set_parent(play *p)
{
    operation op = {.name = "kith_set_parent",
                    .act = act_set_parent,
                    .expect = expect_set_parent,
                    .type = child_of(),
                    .entity = input_chance(&p->in, 40) ? play_parent(p) : play_entity(p),
                    .source = input_chance(&p->in, 25) ? KITH_NONE : play_entity(p)};
    if (input_chance(&p->in, 40) && model_relation_of(&p->m, child_of(), false) != NULL) {
        op.name = "kith_insert_child";
        op.act = act_insert;
        op.expect = expect_insert;
        op.source = choose_source(p, child_of());
    }
    play_attempt(p, &op);
}

/* By a number that many have in common. */
static uint32_t sort_key(kith_entity entity, uint32_t salt)
{
    return (entity.index1 * 31 + salt) % 5;
}

static int compare_children(const kith_world *world, kith_entity a, kith_entity b, void *user)
{
    const operation *op = user;
    CHECK_SAME(kith_parent(world, a), op->entity);
    return (int)sort_key(a, op->number) - (int)sort_key(b, op->number);
}

static kith_result act_sort(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_sort_children(w->world, op->entity, compare_children, (void *)(uintptr_t)op);
}

static kith_result expect_sort(play *p, const operation *op, outcome *out)
{
    (void)out;
    model_relation *relation = model_relation_of(&p->m, child_of(), false);
    if (model_find(&p->m, op->entity) == NULL) {
        return KITH_ERR_DEAD;
    }
    /* Those with a key go behind all others, one key after another: which sorts them. */
    for (uint32_t key = 0; relation != NULL && key < 5; key++) {
        kith_entity *children = play_scratch(p, (relation->count + 1) * sizeof(*children));
        uint32_t count = 0;
        for (uint32_t i = 0; i < relation->count; i++) {
            const model_link *link = &relation->list[i];
            if (kith_entity_equal(link->target, op->entity) &&
                sort_key(link->source, op->number) == key) {
                children[count++] = link->source;
            }
        }
        for (uint32_t i = 0; i < count; i++) {
            model_place(relation, children[i], KITH_NONE);
        }
    }
    return KITH_OK;
}

static void sort_children(play *p)
{
    operation op = {.name = "kith_sort_children",
                    .act = act_sort,
                    .expect = expect_sort,
                    .type = child_of(),
                    .entity = play_entity(p),
                    .number = input_below(&p->in, 5)};
    const kith_entity child = choose_source(p, child_of());
    op.entity = model_find(&p->m, child) != NULL && !kith_is_none(model_parent(&p->m, child))
                    ? model_parent(&p->m, child)
                    : op.entity;
    play_attempt(p, &op);
}

/* ---- Targets by name of the field -------------------------------------------------------------- */

static kith_result act_set_target(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_set_field(w->world, op->entity, op->type, "target", KITH_ENTITY, &op->source,
                          sizeof(op->source));
}

static kith_result expect_set_target(play *p, const operation *op, outcome *out)
{
    (void)out;
    model_entity *entity = model_find(&p->m, op->entity);
    model_value *value = entity == NULL ? NULL : model_get(&entity->values, op->type);
    if (value == NULL) {
        return entity == NULL ? KITH_ERR_DEAD : KITH_ERR_ABSENT;
    }
    memcpy(value->bytes, &op->source, sizeof(op->source));
    return KITH_OK;
}

static void set_target(play *p)
{
    const kith_type *type = choose_relation(p);
    if (type != NULL) {
        const operation op = {.name = "kith_set_field of a target",
                              .act = act_set_target,
                              .expect = expect_set_target,
                              .type = type,
                              .entity = choose_source(p, type),
                              .source = play_entity(p)};
        play_attempt(p, &op);
    }
}

/* ---- Reading ----------------------------------------------------------------------------------- */

static void read_hierarchy(play *p)
{
    play_name(p, "reading of a hierarchy");
    const kith_entity a = play_entity(p);
    const kith_entity b = play_entity(p);
    uint32_t depth = 0;
    kith_entity root = model_find(&p->m, a) == NULL ? KITH_NONE : a;
    bool above = false;
    for (kith_entity at = model_parent(&p->m, a); !kith_is_none(at); depth++) {
        above = above || kith_entity_equal(at, b);
        root = at;
        at = model_parent(&p->m, at);
    }
    for (int world = 0; world < WORLD_COUNT; world++) {
        const played *w = &p->worlds[world];
        CHECK_UINT(kith_depth(w->world, a), depth);
        CHECK_SAME(kith_root(w->world, a), root);
        CHECK_INT(kith_is_ancestor(w->world, b, a), above);
        uint32_t below = 0;
        uint32_t by_level = 0;
        for (kith_entity e = kith_descendant_next(w->world, a, a); !kith_is_none(e);
             e = kith_descendant_next(w->world, a, e)) {
            CHECK(kith_is_ancestor(w->world, a, e));
            below++;
        }
        for (kith_entity e = kith_descendant_next_by_level(w->world, a, a); !kith_is_none(e);
             e = kith_descendant_next_by_level(w->world, a, e)) {
            by_level++;
        }
        CHECK_UINT(below, by_level);
        for (uint32_t i = 0; i < p->m.relation_count; i++) {
            look_for_links(p, w, &p->m.relations[i]);
        }
    }
}

void play_relations(play *p)
{
    switch (input_below(&p->in, 8)) {
    case 0:
    case 1: place(p); break;
    case 2:
    case 3: play_set_parent(p); break;
    case 4: sort_children(p); break;
    case 5: set_target(p); break;
    default: read_hierarchy(p); break;
    }
}
