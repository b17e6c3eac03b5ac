/* Trees: the children of a block, those that are inherited first. */
#include <string.h>

#include "scene/draft_block.h"
#include "scene/scene_tree.h"
#include "scene/source.h"

/* More blocks than these are not inherited: a few lines of text can ask for any number. */
enum { TREE_MOST = 1 << 24 };

/* ---- Nodes ------------------------------------------------------------------------------------- */

/* Gives a child its name, by which it is found. */
static kith_result name_child(ki_scene_draft *draft, uint32_t block, const char *name,
                              size_t length)
{
    kith_scene *scene = draft->scene;
    uint32_t word = ki_scene_names_find(&scene->words, name, length);
    if (word == KI_SCENE_NOTHING) {
        word = ki_scene_names_add(&scene->words, &scene->arena, name, length);
    }
    if (word == KI_SCENE_NOTHING) {
        return KITH_ERR_MEMORY;
    }
    ki_scene_block *of = ki_scene_draft_block(draft, block);
    of->name = ki_scene_names_at(&scene->words, word)->text;
    uint32_t number = ki_scene_add_child_name(scene, of->root, of->parent, word);
    if (number == KI_SCENE_NOTHING) {
        return KITH_ERR_MEMORY;
    }
    ki_scene_names_at(&scene->children, number)->stands_for = block;
    return KITH_OK;
}

static kith_result add_node(ki_scene_draft *draft, uint32_t block)
{
    kith_scene *scene = draft->scene;
    if (!ki_scene_list_number(&scene->arena.allocator, &scene->nodes, block)) {
        return KITH_ERR_MEMORY;
    }
    ki_scene_block *of = ki_scene_draft_block(draft, block);
    of->node = ++ki_scene_draft_block(draft, of->root)->node_count;
    return KITH_OK;
}

/* ---- What is inherited --------------------------------------------------------------------------- */

/* Adds a copy of a node of another tree, whose root is node `at` of this one. */
static kith_result inherit_node(ki_scene_draft *draft, uint32_t root, uint32_t from, uint32_t at)
{
    uint32_t block;
    kith_result result = ki_scene_add_block(draft, ki_scene_draft_block(draft, root)->kind, &block);
    if (result != KITH_OK) {
        return result;
    }
    ki_scene_block *of = ki_scene_draft_block(draft, block);
    const ki_scene_block *original = ki_scene_draft_block(draft, from);
    of->start = NULL;
    of->place.file = ki_scene_draft_block(draft, root)->place.file;
    of->base = from;
    of->root = root;
    of->shift = at;
    of->parent = at + original->parent;
    of->removed = original->removed;
    of->first_value = original->first_value; /* they are shared, unless their frame is another */
    of->value_count = original->value_count;
    ki_scene_plan_at(draft, block)->state = KI_SCENE_READY;
    const char *name = original->name;
    if (at != 0 && !ki_scene_copy_values(draft->scene, block, from)) {
        return KITH_ERR_MEMORY;
    }
    result = add_node(draft, block);
    of = ki_scene_draft_block(draft, block);
    return result == KITH_OK && *name != '\0' && !of->removed
               ? name_child(draft, block, name, strlen(name))
               : result;
}

/* Adds the children of what a node extends. */
static kith_result inherit_nodes(ki_scene_draft *draft, uint32_t root, uint32_t base, uint32_t at)
{
    kith_scene *scene = draft->scene;
    uint32_t count = base == KI_SCENE_NOTHING ? 0 : ki_scene_block_at(scene, base)->node_count;
    if (scene->blocks.count + (uint64_t)count > TREE_MOST) {
        const ki_scene_plan *plan = ki_scene_plan_at(draft, root);
        kith_read_fail(&draft->reader, plan->base == NULL ? draft->reader.text : plan->base,
                       "expected fewer children that are inherited: there are more than %d",
                       TREE_MOST);
        return KITH_ERR_LIMIT;
    }
    kith_result result = KITH_OK;
    for (uint32_t i = 1; result == KITH_OK && i <= count; i++) {
        result = inherit_node(draft, root, ki_scene_node(scene, base, i), at);
    }
    return result;
}

/* ---- What is written --------------------------------------------------------------------------- */

static kith_result unknown_child(ki_scene_draft *draft, uint32_t root, uint32_t parent,
                                 const char *name, size_t length)
{
    const kith_scene *scene = draft->scene;
    kith_hint hint = {.word = name, .length = length};
    const ki_scene_block *of = ki_scene_block_at(scene, root);
    for (uint32_t i = 1; i <= of->node_count; i++) {
        const ki_scene_block *child = ki_scene_block_at(scene, ki_scene_node(scene, root, i));
        if (child->parent == parent && !child->removed && *child->name != '\0') {
            kith_hint_offer(&hint, child->name);
        }
    }
    ki_scene_point_at(draft, name, length);
    return kith_read_expected(&draft->reader, "a child that is inherited%s",
                              kith_hint_text(&hint).text);
}

/* What a path of a child in the text means: a child that is there, or a new one of `*parent`, with a
 * name of `*length` bytes. */
static kith_result find_child(ki_scene_draft *draft, uint32_t block, uint32_t *parent,
                              const char **name, size_t *length, uint32_t *found)
{
    const kith_scene *scene = draft->scene;
    const ki_scene_plan *plan = ki_scene_plan_at(draft, block);
    const ki_scene_block *of = ki_scene_block_at(scene, block);
    const char *end = plan->name == NULL ? NULL : plan->name + plan->name_length;
    *parent = ki_scene_block_at(scene, of->within)->node;
    *found = KI_SCENE_NOTHING;
    *name = plan->name;
    *length = 0;
    while (*name != NULL) {
        const char *slash = memchr(*name, '/', (size_t)(end - *name));
        *length = (size_t)((slash == NULL ? end : slash) - *name);
        *found = ki_scene_find_child(scene, of->root, *parent, *name, *length);
        bool must = slash != NULL || of->removed || *name != plan->name;
        if (*found == KI_SCENE_NOTHING && must) {
            return unknown_child(draft, of->root, *parent, *name, *length);
        }
        if (slash == NULL) {
            break;
        }
        *parent = ki_scene_block_at(scene, *found)->node;
        *name = slash + 1;
    }
    return KITH_OK;
}

/* A child that is inherited, and changed or removed. */
static kith_result change_child(ki_scene_draft *draft, uint32_t block, uint32_t found)
{
    kith_scene *scene = draft->scene;
    ki_scene_block *of = ki_scene_draft_block(draft, block);
    const ki_scene_block *inherited = ki_scene_block_at(scene, found);
    const ki_scene_plan *plan = ki_scene_plan_at(draft, block);
    if (inherited->start != NULL) {
        ki_scene_point_at(draft, plan->name, plan->name_length);
        return ki_scene_name_taken(draft, inherited->start);
    }
    if (plan->base != NULL) {
        return kith_read_fail(&draft->reader, plan->base,
                              "expected no prefab: the child \"%.80s\" is inherited, with what it"
                              " extends",
                              inherited->name);
    }
    of->name = inherited->name;
    of->base = inherited->base;
    of->shift = inherited->shift;
    of->node = inherited->node;
    of->parent = inherited->parent;
    ((uint32_t *)
         scene->nodes.items)[ki_scene_block_at(scene, of->root)->first_node + of->node - 1] = block;
    ki_scene_set_child(scene, block, of->removed ? KI_SCENE_NOTHING : block);
    return KITH_OK;
}

static kith_result new_child(ki_scene_draft *draft, uint32_t block, uint32_t parent,
                             const char *name, size_t length)
{
    ki_scene_draft_block(draft, block)->parent = parent;
    kith_result result = add_node(draft, block);
    if (result == KITH_OK && length != 0) {
        result = name_child(draft, block, name, length);
    }
    if (result == KITH_OK && ki_scene_plan_at(draft, block)->base != NULL) {
        ki_scene_base_of(draft, block);
    }
    ki_scene_block *of = ki_scene_draft_block(draft, block);
    of->shift = of->node;
    return result;
}

/* Reads the lines of a block whose base is ready. */
static kith_result read_lines_of(ki_scene_draft *draft, uint32_t block, uint32_t base)
{
    const ki_scene_plan *plan = ki_scene_plan_at(draft, block);
    const ki_scene_block *of = ki_scene_block_at(draft->scene, block);
    if (of->map == 0 && plan->body == NULL) {
        return ki_scene_start_block(draft, block, base);
    }
    kith_result result = KITH_OK;
    if (of->map == 0) {
        ki_scene_enter(draft, of->place.file);
        draft->reader.next = plan->body;
        result = kith_read_token(&draft->reader);
    }
    return result == KITH_OK ? ki_scene_read_lines(draft, block, base) : result;
}

static kith_result place_child(ki_scene_draft *draft, uint32_t block)
{
    uint32_t parent;
    uint32_t found;
    const char *name;
    size_t length;
    ki_scene_enter(draft, ki_scene_block_at(draft->scene, block)->place.file);
    kith_result result = find_child(draft, block, &parent, &name, &length, &found);
    bool is_new = found == KI_SCENE_NOTHING;
    if (result == KITH_OK) {
        result = is_new ? new_child(draft, block, parent, name, length)
                        : change_child(draft, block, found);
    }
    const ki_scene_block *of = ki_scene_block_at(draft->scene, block);
    uint32_t base = of->base;
    uint32_t root = of->root;
    uint32_t node = of->node;
    if (result == KITH_OK && !of->removed) {
        result = read_lines_of(draft, block, base);
        result = result == KITH_OK && is_new ? inherit_nodes(draft, root, base, node) : result;
    }
    ki_scene_plan_at(draft, block)->state = KI_SCENE_READY;
    return result;
}

/* What is below a child that is removed is gone with it. */
static void remove_below(ki_scene_draft *draft, uint32_t root)
{
    const kith_scene *scene = draft->scene;
    for (uint32_t i = 1; i <= ki_scene_block_at(scene, root)->node_count; i++) {
        ki_scene_block *of = ki_scene_draft_block(draft, ki_scene_node(scene, root, i));
        bool gone = ki_scene_block_at(scene, ki_scene_node(scene, root, of->parent))->removed;
        of->removed = of->removed || gone;
    }
}

kith_result ki_scene_make_tree(ki_scene_draft *draft, uint32_t root)
{
    kith_scene *scene = draft->scene;
    uint32_t base = ki_scene_block_at(scene, root)->base;
    kith_result result =
        ki_scene_plan_at(draft, root)->read ? KITH_OK : read_lines_of(draft, root, base);
    ki_scene_draft_block(draft, root)->first_node = scene->nodes.count;
    result = result == KITH_OK ? inherit_nodes(draft, root, base, 0) : result;
    uint32_t end = root + ki_scene_plan_at(draft, root)->extent;
    for (uint32_t i = root + 1; result == KITH_OK && i < end; i++) {
        if (ki_scene_block_at(scene, i)->root == root) { /* and not an import */
            result = place_child(draft, i);
        }
    }
    if (result == KITH_OK) {
        remove_below(draft, root);
        result = ki_scene_resolve_words(draft);
    }
    ki_scene_plan_at(draft, root)->state = KI_SCENE_READY;
    return result;
}

/* ---- Entities ------------------------------------------------------------------------------------ */

static kith_result number_entity(kith_scene *scene, uint32_t block)
{
    ki_scene_block *of = (ki_scene_block *)scene->blocks.items + block;
    if (of->removed) {
        return KITH_OK;
    }
    of->entity = scene->entities.count;
    return ki_scene_list_number(&scene->arena.allocator, &scene->entities, block) ? KITH_OK
                                                                                  : KITH_ERR_MEMORY;
}

kith_result ki_scene_number_entities(ki_scene_draft *draft)
{
    kith_scene *scene = draft->scene;
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < scene->blocks.count; i++) {
        const ki_scene_block *block = ki_scene_block_at(scene, i);
        bool is_entity = block->kind == KI_SCENE_ENTITY && block->root == i;
        for (uint32_t k = 0; is_entity && result == KITH_OK && k <= block->node_count; k++) {
            result = number_entity(scene, ki_scene_node(scene, i, k));
        }
    }
    return result;
}
