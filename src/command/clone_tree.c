/* Clones of trees. All below the source is cloned as it is by then: the children that it has in the
 * world, and those that commands before gave it. After that the links of KITH_LINKS that lead from
 * what is cloned, each with all below it, until there are no more. For what commands gave, each command
 * that makes an entity a child or a link is noted with what it hangs on.
 * Where a value of a clone names one of the tree, it is made to name the clone of that. A handle leads
 * nowhere until all are cloned, so this comes last. */
#include "command/merge_pass.h"
#include "command/runs.h"
#include "store/relation.h"

/* An entity that a command made a child, or a link. */
typedef struct ki_queued_source {
    struct ki_queued_source *next; /* that was made one before this */
    ki_command_group *group;
    uint32_t order; /* of the command: what the last one says counts */
} ki_queued_source;

typedef struct clone_tree {
    ki_merge *merge;
    const ki_relation *parents; /* kith_child_of; NULL: the world does not know it */
    ki_map numbers;             /* handles in the tree → the numbers of their clones */
    kith_entity *waiting;       /* what is to be cloned, the next one last */
    uint32_t waiting_count;
    uint32_t waiting_capacity;
} clone_tree;

static uint64_t tree_key(kith_entity entity)
{
    return (uint64_t)entity.generation << 32 | entity.index1;
}

/* The handle by which commands name a group's entity. */
static kith_entity tree_handle(const ki_merge *merge, const ki_command_group *group)
{
    return (group->state & KI_GROUP_MADE) != 0
               ? (kith_entity){0, merge->commands->tag << 24 | group->number}
               : ki_group_entity(merge->commands, group, 0);
}

/* ---- Sources: children, and links -------------------------------------------------------------- */

/* Whether clones of trees take the sources of a relation along: children, and links of the entity that
 * they lead from. */
static bool tree_takes_sources(const ki_store *store, const ki_relation *relation)
{
    return relation == store->child_of || relation->other != NULL;
}

/* Whether an entity stays at its place among the sources that a target has in the world. */
static bool tree_source_stays(const ki_merge *merge, const ki_relation *relation,
                              ki_command_group *group, kith_entity target)
{
    if (group == NULL) {
        return true;
    }
    if (group->state != 0) {
        return false;
    }
    const ki_pending *pending = ki_merge_pending(merge, group, relation->component->id);
    return pending == NULL || ki_pending_keeps(pending) ||
           (pending->kind == KI_COMMAND_SET &&
            kith_entity_equal(ki_relation_target(relation, pending->value), target));
}

kith_result ki_merge_note_source(ki_merge *merge, ki_command_group *group,
                                 const ki_pending *pending)
{
    const ki_store *store = &merge->commands->world->store;
    const ki_relation *relation = ki_store_component(store, pending->component)->relation;
    if (relation == NULL || pending->kind != KI_COMMAND_SET ||
        !tree_takes_sources(store, relation)) {
        return KITH_OK;
    }
    uint64_t key = tree_key(ki_relation_target(relation, pending->value));
    ki_queued_source *head = ki_map_find(&merge->sources, key);
    if (head == NULL) {
        KI_TRY(ki_map_reserve(&merge->commands->context.heap, &merge->sources));
        head = ki_merge_alloc(merge, sizeof *head);
        if (head == NULL) {
            return KITH_ERR_MEMORY;
        }
        *head = (ki_queued_source){0};
        ki_map_insert(&merge->sources, key, head);
    }
    ki_queued_source *noted = ki_merge_alloc(merge, sizeof *noted);
    if (noted == NULL) {
        return KITH_ERR_MEMORY;
    }
    *noted = (ki_queued_source){head->next, group, pending->order};
    head->next = noted;
    return KITH_OK;
}

kith_result ki_merge_note_sources(ki_merge *merge, ki_command_group *group)
{
    for (const ki_pending *next = group->list; next != NULL; next = next->next) {
        KI_TRY(ki_merge_note_source(merge, group, next));
    }
    return KITH_OK;
}

static kith_result tree_wait(clone_tree *tree, kith_entity entity)
{
    KI_TRY(ki_heap_grow(&tree->merge->commands->context.heap, &tree->waiting,
                        &tree->waiting_capacity, tree->waiting_count + 1, sizeof *tree->waiting,
                        16));
    tree->waiting[tree->waiting_count++] = entity;
    return KITH_OK;
}

/* Has the sources that commands gave a target wait, the last one first. Those that stay where they were
 * wait twice: their place in the world counts. What another command overruled is not the last one about
 * its relation, and what is noted for another relation is none about this one. */
static kith_result tree_wait_queued(clone_tree *tree, const ki_relation *relation,
                                    kith_entity target)
{
    const ki_merge *merge = tree->merge;
    const ki_queued_source *source = ki_map_find(&merge->sources, tree_key(target));
    for (source = source == NULL ? NULL : source->next; source != NULL; source = source->next) {
        const ki_pending *pending =
            ki_merge_pending(merge, source->group, relation->component->id);
        if (pending != NULL && pending->order == source->order) {
            KI_TRY(tree_wait(tree, tree_handle(merge, source->group)));
        }
    }
    return KITH_OK;
}

/* The same with those that it has in the world. */
static kith_result tree_wait_linked(clone_tree *tree, const ki_relation *relation,
                                    kith_entity target)
{
    const ki_entities *entities = &tree->merge->commands->world->store.entities;
    if (ki_record_of(entities, target) == NULL) {
        return KITH_OK;
    }
    const ki_link link = ki_relation_link(relation, target.index1 - 1);
    for (uint32_t at1 = ki_relation_last(relation, link); at1 != 0;) {
        const kith_entity source = ki_entity_at(entities, at1 - 1);
        ki_command_group *group = ki_merge_find(tree->merge, source);
        if (tree_source_stays(tree->merge, relation, group, target)) {
            KI_TRY(tree_wait(tree, source));
        }
        at1 = at1 == link.first1 ? 0 : ki_relation_link(relation, at1 - 1).previous1;
    }
    return KITH_OK;
}

static kith_result tree_wait_sources(clone_tree *tree, const ki_relation *relation,
                                     kith_entity target)
{
    KI_TRY(tree_wait_queued(tree, relation, target)); /* these come after those */
    return tree_wait_linked(tree, relation, target);
}

/* Has the links that lead from an entity wait. */
static kith_result tree_wait_links(clone_tree *tree, kith_entity entity)
{
    const ki_relation *relation = tree->merge->commands->world->store.last_relation;
    for (; relation != NULL; relation = relation->previous) {
        if (relation->other != NULL) {
            KI_TRY(tree_wait_sources(tree, relation, entity));
        }
    }
    return KITH_OK;
}

/* ---- Cloning ----------------------------------------------------------------------------------- */

static kith_entity tree_source(const ki_command_group *clone)
{
    kith_entity source;
    memcpy(&source, clone->entry, sizeof source);
    return source;
}

/* The next one that waits, if more than `count` do, and is not cloned yet; else KITH_NONE. Those wait
 * again that stay where they were, links below the root, and what commands made a circle of. */
static kith_entity tree_next(clone_tree *tree, uint32_t count)
{
    while (tree->waiting_count > count) {
        const kith_entity next = tree->waiting[--tree->waiting_count];
        if (ki_map_find(&tree->numbers, tree_key(next)) == NULL) {
            return next;
        }
    }
    return KITH_NONE;
}

/* Notes that an entity of the tree is cloned, and has its children wait. */
static kith_result tree_enter(clone_tree *tree, const ki_command_group *clone)
{
    const kith_entity source = tree_source(clone);
    KI_TRY(ki_map_reserve(&tree->merge->commands->context.heap, &tree->numbers));
    ki_map_insert(&tree->numbers, tree_key(source), (void *)(uintptr_t)clone->number);
    return tree->parents == NULL ? KITH_OK : tree_wait_sources(tree, tree->parents, source);
}

/* Begins the clone of an entity below the root. */
static kith_result tree_begin(clone_tree *tree, kith_entity source, ki_command_group **begun)
{
    kith_commands *commands = tree->merge->commands;
    const uint32_t number = commands->spawns + commands->tree_spawns + 1;
    if (number > KI_SPAWNS_MAX) {
        return ki_fail(&commands->context, KITH_ERR_LIMIT,
                       "kith_commands_apply: a tree is to be cloned, but %u entities are to be made"
                       " already, which is all",
                       KI_SPAWNS_MAX);
    }
    KI_TRY(ki_heap_grow(&commands->context.heap, &commands->spawned, &commands->spawn_capacity,
                        number, sizeof *commands->spawned, 16));
    uint8_t *entry = ki_merge_alloc(tree->merge, sizeof source);
    ki_command_group *clone = entry == NULL ? NULL : ki_merge_begin(tree->merge, entry, 0);
    if (clone == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(entry, &source, sizeof source);
    clone->state = KI_GROUP_MADE;
    clone->number = number;
    commands->spawned[number - 1].group = clone;
    commands->tree_spawns++;
    *begun = clone;
    return KITH_OK;
}

/* Clones an entity that is not the root, and has its children wait. */
static kith_result tree_clone_one(clone_tree *tree, kith_entity source, bool named)
{
    ki_command_group *clone = NULL;
    KI_TRY(tree_begin(tree, source, &clone));
    KI_TRY(ki_merge_clone(tree->merge, clone, named));
    return tree_enter(tree, clone);
}

/* Clones what waits until `count` are left, and what is below it. */
static kith_result tree_clone_waiting(clone_tree *tree, uint32_t count)
{
    for (kith_entity next; !kith_is_none(next = tree_next(tree, count));) {
        KI_TRY(tree_clone_one(tree, next, true));
    }
    return KITH_OK;
}

/* Clones the links from all clones since the root, and what is below them: also of these. A link may
 * have siblings, as the root, and so its clone has no name. */
static kith_result tree_clone_links(clone_tree *tree, const ki_command_group *root)
{
    for (const ki_command_group *clone = root; clone != NULL; clone = clone->next) {
        KI_TRY(tree_wait_links(tree, tree_source(clone)));
        for (kith_entity link; !kith_is_none(link = tree_next(tree, 0));) {
            const uint32_t others = tree->waiting_count;
            KI_TRY(tree_clone_one(tree, link, false));
            KI_TRY(tree_clone_waiting(tree, others));
        }
    }
    return KITH_OK;
}

/* ---- Handles ----------------------------------------------------------------------------------- */

/* Whether a value names an entity of the tree. With `change` it is made to name the clone of that. */
static bool tree_names(const clone_tree *tree, const kith_type *type, uint8_t *value, bool change)
{
    bool names = false;
    KI_EACH_HANDLE (place, type) {
        kith_entity entity;
        memcpy(&entity, value + place, sizeof entity);
        uintptr_t number = (uintptr_t)ki_map_find(&tree->numbers, tree_key(entity));
        if (number != 0) {
            names = true;
            entity = (kith_entity){0, tree->merge->commands->tag << 24 | (uint32_t)number};
            memcpy(value + place, &entity, change ? sizeof entity : 0);
        }
    }
    return names;
}

static kith_result tree_map_value(const clone_tree *tree, ki_command_group *clone,
                                  ki_pending *pending, const ki_component *component)
{
    if (component->hooks != NULL) {
        ki_owned_value *owned = ki_owned_value_at(pending->value);
        bool names = tree_names(tree, component->type, ki_owned_value_bytes(owned), true);
        owned->of_the_world = owned->of_the_world && !names;
        return KITH_OK;
    }
    uint8_t *value = (uint8_t *)(uintptr_t)pending->value;
    if (!tree_names(tree, component->type, value, false)) {
        return KITH_OK;
    }
    kith_commands *commands = tree->merge->commands;
    uint32_t size = component->type->size;
    uint8_t *copy = ki_log_alloc(&commands->context.heap, &commands->copies, ki_round_up(size, 8));
    if (copy == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(copy, value, size);
    tree_names(tree, component->type, copy, true);
    pending->value = copy;
    clone->refers = true;
    return KITH_OK;
}

/* Has the values of a clone name clones. The root stays with its parent, which is cloned too if it is
 * a link from the tree. */
static kith_result tree_map(const clone_tree *tree, ki_command_group *clone, bool root)
{
    const ki_store *store = &tree->merge->commands->world->store;
    for (ki_pending *pending = clone->list; pending != NULL; pending = pending->next) {
        const ki_component *component = ki_store_component(store, pending->component);
        const bool stays = root && component->relation != NULL &&
                           component->relation == tree->parents;
        if (component->has_handles && pending->value != NULL && !stays) {
            KI_TRY(tree_map_value(tree, clone, pending, component));
        }
    }
    return KITH_OK;
}

/* ---- The whole --------------------------------------------------------------------------------- */

static kith_result tree_clone(clone_tree *tree, ki_command_group *root)
{
    KI_TRY(ki_merge_clone(tree->merge, root, false));
    if ((root->state & KI_GROUP_GONE) != 0) {
        return KITH_OK;
    }
    KI_TRY(tree_enter(tree, root));
    KI_TRY(tree_clone_waiting(tree, 0));
    KI_TRY(tree_clone_links(tree, root));
    for (ki_command_group *clone = root; clone != NULL; clone = clone->next) {
        KI_TRY(tree_map(tree, clone, clone == root));
        KI_TRY(ki_merge_note_sources(tree->merge, clone));
    }
    return KITH_OK;
}

kith_result ki_merge_clone_tree(ki_merge *merge, ki_command_group *clone)
{
    clone_tree tree = {.merge = merge, .parents = merge->commands->world->store.child_of};
    ki_heap *heap = &merge->commands->context.heap;
    kith_result result = tree_clone(&tree, clone);
    ki_map_free(heap, &tree.numbers);
    ki_heap_free(heap, tree.waiting, tree.waiting_capacity * sizeof *tree.waiting,
                 _Alignof(max_align_t));
    return result;
}
