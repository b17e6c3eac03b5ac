/* Relations of a scene: what they link to. */
#include <string.h>

#include "scene/draft_block.h"
#include "scene/scene_link.h"
#include "scene/source.h"

/* The block that an end of a relation is, by its number; KI_SCENE_NOTHING: none, or one of another
 * scene, which `*outside` tells. */
static uint32_t end_block(const kith_scene *scene, uint32_t block, const ki_scene_value *value,
                          uint32_t end, bool *outside)
{
    kith_entity target = KITH_NONE;
    *outside = false;
    if (value->bytes != NULL) {
        memcpy(&target, value->bytes + end * sizeof target, sizeof target);
    }
    if (target.index1 == 0) {
        return KI_SCENE_NOTHING;
    }
    if (target.generation == KI_SCENE_BY_NODE) {
        uint32_t node = value->frame + target.index1 - 1;
        uint32_t found = ki_scene_node(scene, ki_scene_block_at(scene, block)->root, node);
        return ki_scene_block_at(scene, found)->removed ? KI_SCENE_NOTHING : found;
    }
    uint32_t entity = ki_scene_names_at(&scene->names, target.index1 - 1)->stands_for;
    *outside = entity == KI_SCENE_OUTSIDE;
    return *outside || entity == KI_SCENE_NOTHING ? KI_SCENE_NOTHING
                                                  : ki_scene_block_number(scene, entity);
}

/* The last token is the line of a value, or what begins its block. */
static void point_at_line(ki_scene_draft *draft, uint32_t block, const ki_scene_value *value)
{
    const ki_scene_block *of = ki_scene_block_at(draft->scene, block);
    const char *start = value->line != NULL ? value->line
                        : of->start != NULL ? of->start
                                            : ki_scene_block_at(draft->scene, of->root)->start;
    ki_scene_point_at(draft, start, 0);
}

/* The block that the target of a relation is. The relation is not one of KITH_LINKS. */
static uint32_t target_block(const kith_scene *scene, uint32_t block, const ki_scene_value *value)
{
    bool outside;
    return end_block(scene, block, value, 0, &outside);
}

/* Every relation of an entity has a target, and every link both ends. */
static kith_result check_targets(ki_scene_draft *draft, uint32_t block)
{
    const kith_scene *scene = draft->scene;
    const ki_scene_block *of = ki_scene_block_at(scene, block);
    const ki_scene_value *values = ki_scene_values_of(scene, of);
    for (uint32_t i = 0; i < of->value_count; i++) {
        const uint32_t ends = ki_scene_ends(values[i].type);
        for (uint32_t end = 0; end < ends; end++) {
            bool outside;
            if (end_block(scene, block, &values[i], end, &outside) != KI_SCENE_NOTHING || outside) {
                continue;
            }
            point_at_line(draft, block, &values[i]);
            return kith_read_fail(&draft->reader, draft->reader.token.start,
                                  "expected an entity as the %s of %s, found none: a %s, or is not"
                                  " there",
                                  end + 1 == ends ? "target" : "source", values[i].type->name,
                                  ends == 2 ? "link has both" : "relation has one");
        }
    }
    return KITH_OK;
}

/* ---- Circles ------------------------------------------------------------------------------------- */

static const ki_scene_value *value_of_type(const kith_scene *scene, uint32_t block,
                                           const kith_type *type)
{
    const ki_scene_block *of = ki_scene_block_at(scene, block);
    const ki_scene_value *values = ki_scene_values_of(scene, of);
    for (uint32_t i = 0; i < of->value_count; i++) {
        if (values[i].type == type) {
            return &values[i];
        }
    }
    return NULL;
}

/* Follows targets from a block, and marks the way with its number. The block at which the way comes back
 * to itself; KI_SCENE_NOTHING: it does not. */
static uint32_t follow(const kith_scene *scene, const kith_type *type, uint32_t start,
                       uint32_t *marks)
{
    uint32_t at = start;
    while (at != KI_SCENE_NOTHING && marks[at] == 0) {
        const ki_scene_value *value = value_of_type(scene, at, type);
        marks[at] = start + 1;
        at = value == NULL ? KI_SCENE_NOTHING : target_block(scene, at, value);
    }
    return at != KI_SCENE_NOTHING && marks[at] == start + 1 ? at : KI_SCENE_NOTHING;
}

static kith_result check_circles(ki_scene_draft *draft, const kith_type *type, uint32_t *marks)
{
    const kith_scene *scene = draft->scene;
    memset(marks, 0, scene->blocks.count * sizeof *marks);
    for (uint32_t i = 0; i < scene->entities.count; i++) {
        uint32_t block = ki_scene_block_number(scene, i);
        uint32_t found = marks[block] == 0 ? follow(scene, type, block, marks) : KI_SCENE_NOTHING;
        if (found != KI_SCENE_NOTHING) {
            const char *name = ki_scene_block_at(scene, found)->name;
            point_at_line(draft, found, value_of_type(scene, found, type));
            return kith_read_fail(&draft->reader, draft->reader.token.start,
                                  "expected targets of %s that never come back, found a circle"
                                  " through \"%.80s\"",
                                  type->name, name);
        }
    }
    return KITH_OK;
}

/* Notes the acyclic relations that the text gives targets of. */
static bool list_relations(ki_scene_draft *draft, ki_scene_list *types)
{
    const kith_scene *scene = draft->scene;
    const ki_scene_value *values = scene->values.items;
    for (uint32_t i = 0; i < scene->values.count; i++) {
        const kith_type *type = values[i].type;
        const kith_type *const *known = types->items;
        uint32_t k = 0;
        if (values[i].line == NULL || (type->relation & KITH_ACYCLIC) == 0) {
            continue;
        }
        while (k < types->count && known[k] != type) {
            k++;
        }
        const kith_type **added =
            k < types->count ? NULL
                             : ki_scene_list_add(&scene->arena.allocator, types, 1, sizeof *added);
        if (k == types->count && added == NULL) {
            return false;
        }
        if (added != NULL) {
            *added = type;
        }
    }
    return true;
}

kith_result ki_scene_check_relations(ki_scene_draft *draft)
{
    const kith_scene *scene = draft->scene;
    const kith_allocator *allocator = &scene->arena.allocator;
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < scene->entities.count; i++) {
        result = check_targets(draft, ki_scene_block_number(scene, i));
    }
    ki_scene_list types = {0};
    ki_scene_list marks = {0};
    if (result == KITH_OK && !list_relations(draft, &types)) {
        result = KITH_ERR_MEMORY;
    }
    if (result == KITH_OK && types.count != 0 &&
        ki_scene_list_add(allocator, &marks, scene->blocks.count, sizeof(uint32_t)) == NULL) {
        result = KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; result == KITH_OK && i < types.count; i++) {
        result = check_circles(draft, ((const kith_type *const *)types.items)[i], marks.items);
    }
    ki_scene_list_free(allocator, &marks, sizeof(uint32_t));
    ki_scene_list_free(allocator, &types, sizeof(const kith_type *));
    return result;
}
