/* Clones of trees. All below the source is cloned as it is by then: the children that it has in the
 * world, and those that commands before gave it. For the latter, each command that makes an entity a
 * child is noted with the parent.
 * Where a value of a clone names one of the tree, it is made to name the clone of that. A handle leads
 * nowhere until all are cloned, so this comes last. */
#include "command/merge_pass.h"
#include "command/runs.h"
#include "store/relation.h"

/* An entity that a command made a child. */
typedef struct ki_queued_child {
    struct ki_queued_child *next; /* that was made one before this */
    ki_command_group *group;
    uint32_t order; /* of the command: what the last one says counts */
} ki_queued_child;

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

/* ---- Children ---------------------------------------------------------------------------------- */

/* Whether an entity stays at its place among the children that a parent has in the world. */
static bool tree_child_stays(const ki_merge *merge, const ki_relation *parents,
                             ki_command_group *group, kith_entity parent)
{
    if (group == NULL) {
        return true;
    }
    if (group->state != 0) {
        return false;
    }
    const ki_pending *pending = ki_merge_pending(merge, group, parents->component->id);
    return pending == NULL || ki_pending_keeps(pending) ||
           (pending->kind == KI_COMMAND_SET &&
            kith_entity_equal(ki_relation_target(parents, pending->value), parent));
}

kith_result ki_merge_note_child(ki_merge *merge, ki_command_group *group)
{
    const ki_relation *parents = merge->commands->world->store.child_of;
    const ki_pending *pending =
        parents == NULL ? NULL : ki_merge_pending(merge, group, parents->component->id);
    if (pending == NULL || pending->kind != KI_COMMAND_SET || pending->order < merge->noted) {
        return KITH_OK;
    }
    uint64_t key = tree_key(ki_relation_target(parents, pending->value));
    ki_queued_child *head = ki_map_find(&merge->children, key);
    if (head == NULL) {
        KI_TRY(ki_map_reserve(&merge->commands->context.heap, &merge->children));
        head = ki_merge_alloc(merge, sizeof *head);
        if (head == NULL) {
            return KITH_ERR_MEMORY;
        }
        *head = (ki_queued_child){0};
        ki_map_insert(&merge->children, key, head);
    }
    ki_queued_child *noted = ki_merge_alloc(merge, sizeof *noted);
    if (noted == NULL) {
        return KITH_ERR_MEMORY;
    }
    *noted = (ki_queued_child){.next = head->next, .group = group, .order = pending->order};
    head->next = noted;
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

/* Has the children that commands gave a parent wait, the last one first. Those that stay where they were
 * wait twice: their place in the world counts. */
static kith_result tree_wait_queued(clone_tree *tree, kith_entity parent)
{
    const ki_merge *merge = tree->merge;
    const ki_queued_child *child = ki_map_find(&merge->children, tree_key(parent));
    for (child = child == NULL ? NULL : child->next; child != NULL; child = child->next) {
        const ki_pending *pending =
            ki_merge_pending(merge, child->group, tree->parents->component->id);
        if (pending != NULL && pending->order == child->order) { /* no other overruled this one */
            KI_TRY(tree_wait(tree, tree_handle(merge, child->group)));
        }
    }
    return KITH_OK;
}

/* The same with those that it has in the world. */
static kith_result tree_wait_linked(clone_tree *tree, kith_entity parent)
{
    const ki_entities *entities = &tree->merge->commands->world->store.entities;
    if (ki_record_of(entities, parent) == NULL) {
        return KITH_OK;
    }
    const ki_link link = ki_relation_link(tree->parents, parent.index1 - 1);
    for (uint32_t at1 = ki_relation_last(tree->parents, link); at1 != 0;) {
        const kith_entity child = ki_entity_at(entities, at1 - 1);
        ki_command_group *group = ki_merge_find(tree->merge, child);
        if (tree_child_stays(tree->merge, tree->parents, group, parent)) {
            KI_TRY(tree_wait(tree, child));
        }
        at1 = at1 == link.first1 ? 0 : ki_relation_link(tree->parents, at1 - 1).previous1;
    }
    return KITH_OK;
}

/* ---- Cloning ----------------------------------------------------------------------------------- */

/* Notes that an entity of the tree is cloned, and has its children wait. */
static kith_result tree_enter(clone_tree *tree, kith_entity source, const ki_command_group *clone)
{
    KI_TRY(ki_map_reserve(&tree->merge->commands->context.heap, &tree->numbers));
    ki_map_insert(&tree->numbers, tree_key(source), (void *)(uintptr_t)clone->number);
    if (tree->parents == NULL) {
        return KITH_OK;
    }
    KI_TRY(tree_wait_queued(tree, source)); /* these come after those */
    return tree_wait_linked(tree, source);
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

/* Clones what waits, and what is below it. */
static kith_result tree_clone_waiting(clone_tree *tree)
{
    while (tree->waiting_count > 0) {
        const kith_entity source = tree->waiting[--tree->waiting_count];
        if (ki_map_find(&tree->numbers, tree_key(source)) != NULL) {
            continue; /* it stays where it was, or commands made a circle */
        }
        ki_command_group *clone = NULL;
        KI_TRY(tree_begin(tree, source, &clone));
        KI_TRY(ki_merge_clone(tree->merge, clone, true));
        KI_TRY(tree_enter(tree, source, clone));
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

/* Has the values of a clone name clones. */
static kith_result tree_map(const clone_tree *tree, ki_command_group *clone)
{
    const ki_store *store = &tree->merge->commands->world->store;
    for (ki_pending *pending = clone->list; pending != NULL; pending = pending->next) {
        const ki_component *component = ki_store_component(store, pending->component);
        if (component->has_handles && pending->value != NULL) {
            KI_TRY(tree_map_value(tree, clone, pending, component));
        }
    }
    return KITH_OK;
}

/* ---- The whole --------------------------------------------------------------------------------- */

static kith_result tree_clone(clone_tree *tree, ki_command_group *root)
{
    kith_entity source;
    memcpy(&source, root->entry, sizeof source);
    KI_TRY(ki_merge_clone(tree->merge, root, false));
    if ((root->state & KI_GROUP_GONE) != 0) {
        return KITH_OK;
    }
    KI_TRY(tree_enter(tree, source, root));
    KI_TRY(tree_clone_waiting(tree));
    for (ki_command_group *clone = root; clone != NULL; clone = clone->next) {
        KI_TRY(tree_map(tree, clone));
        KI_TRY(clone == root ? KITH_OK : ki_merge_note_child(tree->merge, clone));
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
