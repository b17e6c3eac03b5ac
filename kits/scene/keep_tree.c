/* Children in a text that is saved: those that are not where they were read are written at its end, by
 * themselves, each with a line that names its parent. */
#include "scene/keep.h"

#include <string.h>

static uint8_t *place_of(const ki_scene_keep *keep, uint32_t entity)
{
    return (uint8_t *)keep->places.items + entity;
}

bool ki_scene_stays(const ki_scene_keep *keep, uint32_t entity)
{
    return entity < keep->places.count && ki_scene_saved_number(keep->task, entity) != NULL &&
           *place_of(keep, entity) == KI_SCENE_STAYS;
}

uint32_t ki_scene_base_alone(const ki_scene_keep *keep, uint32_t block)
{
    uint32_t base = ki_scene_block_at(keep->scene, block)->base;
    bool alone = base != KI_SCENE_NOTHING && !ki_scene_is_child(keep->scene, base) &&
                 ki_scene_block_at(keep->scene, base)->node_count == 0;
    return alone ? base : KI_SCENE_NOTHING;
}

bool ki_scene_entity_changed(ki_scene_keep *keep, uint32_t block)
{
    const ki_scene_block *of = ki_scene_block_at(keep->scene, block);
    const kith_world *world = keep->task->world;
    kith_entity entity = ki_scene_handle(keep->scene, of->entity);
    const kith_type *type = NULL;
    uint32_t count = 0;
    bool same = true;
    while (same && (type = ki_scene_next_kept(world, entity, type)) != NULL) {
        const char *expected = ki_scene_expect(keep, block, type, &same);
        same =
            same && (type->size == 0 || expected == NULL ||
                     !ki_scene_value_changed(keep, type, kith_get(world, entity, type), expected));
        count++;
    }
    return !same || count != of->value_count;
}

bool ki_scene_is_as_drawn(ki_scene_keep *keep, uint32_t root)
{
    const kith_scene *scene = keep->scene;
    bool same = true;
    for (uint32_t i = 0; same && i <= ki_scene_block_at(scene, root)->node_count; i++) {
        uint32_t block = ki_scene_node(scene, root, i);
        const ki_scene_block *of = ki_scene_block_at(scene, block);
        const ki_scene_saved *entry =
            of->removed ? NULL : ki_scene_saved_number(keep->task, of->entity);
        same = of->removed || (entry != NULL && *place_of(keep, of->entity) == KI_SCENE_STAYS &&
                               (i != 0 || entry->name == NULL) && !entry->referred &&
                               !ki_scene_entity_changed(keep, block));
    }
    return same;
}

/* Whether the text has no line about an entity, and needs none. */
static bool is_unsaid(ki_scene_keep *keep, uint32_t number)
{
    const ki_scene_block *block = ki_scene_block_at(keep->scene, number);
    bool inherited = block->root != number && block->within == KI_SCENE_NOTHING;
    return (inherited || block->map != 0) && ki_scene_stays(keep, block->entity) &&
           !ki_scene_entity_changed(keep, number);
}

kith_result ki_scene_check_entity(ki_scene_keep *keep, const ki_scene_saved *entry)
{
    ki_scene_save *task = keep->task;
    uint32_t block = ki_scene_block_number(keep->scene, entry->number);
    bool stays = ki_scene_stays(keep, entry->number);
    uint32_t base =
        stays ? ki_scene_block_at(keep->scene, block)->base : ki_scene_base_alone(keep, block);
    const ki_scene_block *of = ki_scene_block_at(keep->scene, block);
    bool lines = stays && of->start != NULL && of->map == 0;
    kith_result result = lines ? ki_scene_mark_living(keep, block) : KITH_OK;
    const kith_type *type = NULL;
    bool unsaid = is_unsaid(keep, block);
    while (!unsaid && result == KITH_OK &&
           (type = ki_scene_next_kept(task->world, entry->entity, type)) != NULL) {
        bool has;
        const void *value = type->size == 0 ? NULL : kith_get(task->world, entry->entity, type);
        const char *said = lines ? ki_scene_expect(keep, block, type, &has) : NULL;
        if (said != NULL && !kith_has_hooks(task->world, type) &&
            !ki_scene_value_changed(keep, type, value, said)) {
            continue; /* as its lines say, or what it extends */
        }
        const char *inherited = ki_scene_expect(keep, base, type, &has);
        if (!ki_scene_is_implied(entry, type)) {
            result = ki_scene_check_value(task, entry->entity, type, value, inherited);
        }
    }
    return result;
}

/* ---- Moving away -------------------------------------------------------------------------------- */

/* An entity leaves its place; its parent needs a name. */
static bool leave(ki_scene_keep *keep, uint32_t entity)
{
    ki_scene_saved *entry = ki_scene_saved_number(keep->task, entity);
    if (entry == NULL || *place_of(keep, entity) == KI_SCENE_LEAVES) {
        return false;
    }
    *place_of(keep, entity) = KI_SCENE_LEAVES;
    entry->parent = 0;
    if (ki_scene_is_child(keep->scene, ki_scene_block_number(keep->scene, entity))) {
        entry->name = NULL; /* others may have it */
    }
    kith_result result = ki_scene_check_entity(keep, entry);
    keep->told = keep->told == KITH_OK ? result : keep->told;
    return true;
}

/* The entity that a child is written in; KI_SCENE_NOTHING: it is not a child. */
static uint32_t parent_in_text(const ki_scene_keep *keep, uint32_t entity)
{
    uint32_t number = ki_scene_block_number(keep->scene, entity);
    const ki_scene_block *block = ki_scene_block_at(keep->scene, number);
    return block->root == number
               ? KI_SCENE_NOTHING
               : ki_scene_block_at(keep->scene,
                                   ki_scene_node(keep->scene, block->root, block->parent))
                     ->entity;
}

/* Children whose parent is another one now, or has left. */
static bool leave_parents(ki_scene_keep *keep)
{
    bool changed = false;
    for (uint32_t i = 0; i < keep->places.count; i++) {
        uint32_t parent =
            i < keep->scene->text_entities ? parent_in_text(keep, i) : KI_SCENE_NOTHING;
        ki_scene_saved *entry =
            parent == KI_SCENE_NOTHING ? NULL : ki_scene_saved_number(keep->task, i);
        if (entry == NULL || *place_of(keep, i) == KI_SCENE_LEAVES) {
            continue;
        }
        kith_entity now = kith_parent(keep->task->world, entry->entity);
        if (ki_scene_stays(keep, parent) &&
            kith_entity_equal(now, ki_scene_handle(keep->scene, parent))) {
            ki_scene_saved *above = ki_scene_saved_number(keep->task, parent);
            entry->parent = (uint32_t)(above - ki_scene_saved_at(keep->task, 0)) + 1;
            if (entry->referred) { /* by what was looked at before its parent was known */
                ki_scene_refer(keep->task, above);
            }
        } else {
            changed = leave(keep, i) || changed;
        }
    }
    return changed;
}

/* The children of an entity that stay come first, in the order of the text. */
static bool leave_order(ki_scene_keep *keep, const ki_scene_saved *parent)
{
    const kith_world *world = keep->task->world;
    bool changed = false;
    bool all = false;
    uint32_t last = 0;
    kith_entity child = kith_child_first(world, parent->entity);
    for (; !kith_is_none(child); child = kith_child_next(world, child)) {
        const ki_scene_saved *entry = ki_scene_saved_of(keep->task, child);
        if (entry == NULL) {
            continue;
        }
        all = all || *place_of(keep, entry->number) == KI_SCENE_LEAVES || entry->number < last;
        last = entry->number;
        changed = (all && leave(keep, entry->number)) || changed;
    }
    return changed;
}

static const ki_scene_block *parent_block(const ki_scene_keep *keep, const ki_scene_block *block)
{
    return ki_scene_block_at(keep->scene, ki_scene_node(keep->scene, block->root, block->parent));
}

/* Whether a node and all above it have names, up to the root, or get them if they need them. */
static bool has_path(const ki_scene_keep *keep, const ki_scene_block *block)
{
    while (block->node != 0 && (block->shift == block->node || *block->name != '\0')) {
        block = parent_block(keep, block);
    }
    return block->node == 0;
}

void ki_scene_name_path(const ki_scene_keep *keep, uint32_t number, uint32_t from)
{
    const ki_scene_block *at = ki_scene_block_at(keep->scene, number);
    while (at->parent != from) {
        at = parent_block(keep, at);
        ki_scene_saved *entry = ki_scene_saved_number(keep->task, at->entity);
        if (entry != NULL) {
            entry->referred = entry->referred || at->shift == at->node;
        }
    }
}

/* Whether the text can say what the world has of an inherited child, or does not need to. What its path
 * goes through needs names then. */
static bool can_say(ki_scene_keep *keep, uint32_t number)
{
    const ki_scene_block *block = ki_scene_block_at(keep->scene, number);
    uint32_t parent = parent_block(keep, block)->entity;
    bool inherited = block->within == KI_SCENE_NOTHING && !block->removed;
    if (!inherited || !ki_scene_stays(keep, parent)) {
        return true;
    }
    ki_scene_saved *entry = ki_scene_saved_number(keep->task, block->entity);
    if (ki_scene_stays(keep, block->entity) && !ki_scene_entity_changed(keep, number) &&
        (*block->name != '\0' || !entry->referred)) {
        return true;
    }
    if (!has_path(keep, block)) {
        return false;
    }
    ki_scene_name_path(keep, number, 0);
    return true;
}

/* Trees in which a child without a name was replaced or is gone, and trees drawn in a map. */
static bool leave_roots(ki_scene_keep *keep)
{
    const kith_scene *scene = keep->scene;
    bool changed = false;
    for (uint32_t i = 0; i < scene->text_entities && i < keep->places.count; i++) {
        uint32_t root = ki_scene_block_number(keep->scene, i);
        const ki_scene_block *of = ki_scene_block_at(scene, root);
        if (of->root != root || of->node_count == 0 || !ki_scene_stays(keep, i)) {
            continue;
        }
        bool whole = of->map == 0 || ki_scene_is_as_drawn(keep, root);
        for (uint32_t k = 1; whole && of->map == 0 && k <= of->node_count; k++) {
            whole = can_say(keep, ki_scene_node(scene, root, k));
        }
        changed = (!whole && leave(keep, i)) || changed;
    }
    return changed;
}

void ki_scene_find_places(ki_scene_keep *keep)
{
    const kith_scene *scene = keep->scene;
    if (keep->places.count == 0 && scene->handles.count != 0) {
        if (ki_scene_list_add(&keep->task->allocator, &keep->places, scene->handles.count, 1) ==
            NULL) {
            keep->failed = true;
            return;
        }
        for (uint32_t i = scene->text_entities; i < scene->handles.count; i++) {
            leave(keep, i);
        }
    }
    bool changed = true;
    while (changed && !keep->failed && keep->told == KITH_OK) {
        changed = leave_parents(keep);
        changed = leave_roots(keep) || changed;
        for (uint32_t i = 0; i < keep->task->entries.count; i++) {
            changed = leave_order(keep, ki_scene_saved_at(keep->task, i)) || changed;
        }
    }
}

/* ---- Paths --------------------------------------------------------------------------------------- */

/* The name of a node as it is now. */
static const char *name_of_node(const ki_scene_keep *keep, const ki_scene_block *block)
{
    const ki_scene_saved *entry = ki_scene_saved_number(keep->task, block->entity);
    bool own = block->shift == block->node; /* not that of what is inherited */
    bool named = own && entry != NULL && (entry->name != NULL || entry->referred);
    return named ? ki_scene_saved_name(keep->task, entry) : block->name;
}

const char *ki_scene_child_path(ki_scene_keep *keep, uint32_t number, uint32_t from)
{
    const ki_scene_block *block = ki_scene_block_at(keep->scene, number);
    size_t length = 0;
    for (const ki_scene_block *at = block; at->node != from; at = parent_block(keep, at)) {
        length += strlen(name_of_node(keep, at)) + 1;
    }
    keep->path.count = 0;
    char *path = length > UINT32_MAX
                     ? NULL
                     : ki_scene_list_add(&keep->task->allocator, &keep->path, (uint32_t)length, 1);
    if (path == NULL) {
        keep->failed = true;
        return "";
    }
    char *end = path + length; /* after the zero */
    for (const ki_scene_block *at = block; at->node != from; at = parent_block(keep, at)) {
        const char *name = name_of_node(keep, at);
        *--end = at == block ? '\0' : '/';
        end -= strlen(name);
        memcpy(end, name, strlen(name));
    }
    return path;
}
