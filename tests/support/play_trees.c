/* The part of the play that clones trees: single calls, on the worlds and on the model. Those that are
 * queued are in play_commands.c. */
#include "model_trees.h"
#include "play.h"

#define MOST_BELOW 200u /* an entity that is cloned: larger trees fill the world at once */

kith_entity play_parent(play *p)
{
    const model_relation *children =
        model_relation_of(&p->m, play_same_type(&kith_child_of_type), false);
    if (children == NULL || children->count == 0 || input_chance(&p->in, 20)) {
        return play_entity(p);
    }
    kith_entity parent = children->list[input_below(&p->in, children->count)].target;
    while (input_chance(&p->in, 40) && !kith_is_none(model_parent(&p->m, parent))) {
        parent = model_parent(&p->m, parent);
    }
    return parent;
}

kith_entity play_child(play *p, kith_entity parent)
{
    const model_relation *children =
        model_relation_of(&p->m, play_same_type(&kith_child_of_type), false);
    kith_entity child = KITH_NONE;
    for (uint32_t i = 0; children != NULL && i < children->count; i++) {
        const model_link *link = &children->list[i];
        if (kith_entity_equal(link->target, parent) &&
            (kith_is_none(child) || input_chance(&p->in, 40))) {
            child = link->source;
        }
    }
    return child;
}

static kith_result act_clone_tree(played *w, const operation *op, outcome *out)
{
    return kith_clone_tree(w->world, op->entity, &out->entity);
}

static kith_result act_clone_tree_or_none(played *w, const operation *op, outcome *out)
{
    const kith_entity clone = kith_clone_tree_or_none(w->world, op->entity);
    if (kith_is_none(clone)) {
        return kith_alive(w->world, op->entity) ? KITH_ERR_MEMORY : KITH_ERR_DEAD;
    }
    out->entity = clone;
    return KITH_OK;
}

static kith_result expect_clone_tree(play *p, const operation *op, outcome *out)
{
    if (model_find(&p->m, op->entity) == NULL) {
        return KITH_ERR_DEAD;
    }
    out->entity = model_clone_tree(&p->m, op->entity);
    return KITH_OK;
}

void play_clone_tree(play *p)
{
    operation op = {.name = "kith_clone_tree",
                    .act = act_clone_tree,
                    .expect = expect_clone_tree,
                    .entity = play_parent(p)};
    if (p->m.unique_type == NULL && input_chance(&p->in, 20)) { /* it tells no reason */
        op.act = act_clone_tree_or_none;
    }
    kith_entity *tree = play_scratch(p, p->m.entity_count * sizeof(*tree));
    bool *named = play_scratch(p, p->m.entity_count * sizeof(*named));
    if (model_find(&p->m, op.entity) == NULL ||
        model_tree(&p->m, op.entity, tree, named) <= MOST_BELOW) {
        play_attempt(p, &op);
    }
}
