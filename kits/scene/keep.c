/* A scene that is saved as its text: all but what changed stays byte for byte. */
#include "scene/keep.h"

#include <kith/resource.h>
#include <string.h>

/* ---- What is saved --------------------------------------------------------------------------- */

/* The entities of the scene that live. */
static kith_result choose_living(ki_scene_keep *keep)
{
    ki_scene_save *task = keep->task;
    for (uint32_t i = 0; i < keep->scene->handles.count; i++) {
        kith_entity entity = ki_scene_handle(keep->scene, i);
        if (kith_alive(task->world, entity)) {
            ki_scene_saved *added =
                ki_scene_list_add(&task->allocator, &task->entries, 1, sizeof *added);
            if (added == NULL) {
                return KITH_ERR_MEMORY;
            }
            *added = (ki_scene_saved){.entity = entity, .number = i};
        }
    }
    ki_scene_sort_saved(task);
    return ki_scene_keep_names(task);
}

/* Whether all values can be written, and what needs a name. */
static kith_result check_entity(ki_scene_keep *keep, const ki_scene_saved *entry)
{
    ki_scene_save *task = keep->task;
    const ki_scene_block *block = ki_scene_entity_block(keep->scene, entry->number);
    kith_result result = KITH_OK;
    const kith_type *type = NULL;
    while (result == KITH_OK &&
           (type = ki_scene_next_kept(task->world, entry->entity, type)) != NULL) {
        bool has;
        const char *inherited = ki_scene_expect(keep, block->base, type, &has);
        const void *value = type->size == 0 ? NULL : kith_get(task->world, entry->entity, type);
        result = ki_scene_check_value(task, entry->entity, type, value, inherited);
    }
    return result;
}

static kith_result check_blocks(ki_scene_keep *keep)
{
    const kith_scene *scene = keep->scene;
    kith_result result = KITH_OK;
    uint32_t entity = 0;
    for (uint32_t i = 0; result == KITH_OK && i < scene->blocks.count; i++) {
        const ki_scene_block *block = ki_scene_block_at(scene, i);
        bool waits = block->kind == KI_SCENE_PREFAB;
        if (block->kind == KI_SCENE_ENTITY) {
            waits = kith_is_none(ki_scene_handle(scene, entity++)) && block->map == 0;
        }
        if (block->kind == KI_SCENE_RESOURCE && scene->made) {
            const kith_type *type = ki_scene_values_of(scene, block)->type;
            const void *value = kith_resource_get(keep->task->world, type);
            result = value == NULL ? KITH_OK
                                   : ki_scene_check_value(keep->task, KITH_NONE, type, value, NULL);
        } else if (waits && block->start != NULL && block->place.file == keep->file) {
            result = ki_scene_mark_block(keep, i);
        }
    }
    for (uint32_t i = 0; result == KITH_OK && i < keep->task->entries.count; i++) {
        result = check_entity(keep, ki_scene_saved_at(keep->task, i));
    }
    return result;
}

/* ---- Maps -------------------------------------------------------------------------------------- */

/* Whether an entity is just what its sign and its place say. */
static bool is_as_drawn(ki_scene_keep *keep, uint32_t number, const ki_scene_saved *entry)
{
    const ki_scene_block *block = ki_scene_block_at(keep->scene, number);
    const kith_world *world = keep->task->world;
    const kith_type *type = NULL;
    uint32_t count = 0;
    bool same = entry->name == NULL && !entry->referred;
    while (same && (type = ki_scene_next_kept(world, entry->entity, type)) != NULL) {
        const char *expected = ki_scene_expect(keep, number, type, &same);
        same = same && (type->size == 0 || expected == NULL ||
                        !ki_scene_value_changed(keep, type, kith_get(world, entry->entity, type),
                                                expected));
        count++;
    }
    return same && count == block->value_count;
}

/* What a place without a sign is drawn as: like the one beside it, if that is empty. A point may be
 * a sign itself; a space never is. */
static char empty_beside(const ki_scene_keep *keep, uint32_t number)
{
    const char *sign = ki_scene_block_at(keep->scene, number)->start;
    bool before = sign[-1] == '.' &&
                  (number == 0 || ki_scene_block_at(keep->scene, number - 1)->start != sign - 1);
    bool after = sign[1] == '.' && (number + 1 == keep->scene->blocks.count ||
                                    ki_scene_block_at(keep->scene, number + 1)->start != sign + 1);
    return before || after ? '.' : ' ';
}

/* Takes an entity out of its map, unless it is as drawn there. What lives on is one of its own. */
static void keep_cell(ki_scene_keep *keep, uint32_t number, uint32_t entity)
{
    const ki_scene_block *block = ki_scene_block_at(keep->scene, number);
    kith_entity handle = ki_scene_handle(keep->scene, entity);
    const ki_scene_saved *entry = ki_scene_saved_of(keep->task, handle);
    if (kith_is_none(handle) || (entry != NULL && is_as_drawn(keep, number, entry))) {
        return;
    }
    const char empty[] = {empty_beside(keep, number), '\0'};
    ki_scene_replace(keep, block->start, block->start + 1);
    ki_scene_add_text(keep, empty);
    if (entry == NULL) {
        return;
    }
    const char *end = ((const char *const *)keep->scene->map_ends.items)[block->map - 1];
    const char *next = ki_scene_line_next(keep->source, end);
    ki_scene_insert_lines(keep, next);
    ki_scene_add_text(keep, keep->newline);
    ki_scene_add_entity(keep, entry, block->base);
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* What was added follows at the end of the text. */
static void add_entities(ki_scene_keep *keep)
{
    const kith_scene *scene = keep->scene;
    const ki_scene_source *source = keep->source;
    const char *end = source->text + source->length;
    bool first = source->length == source->mark;
    for (uint32_t i = scene->text_entities; i < scene->handles.count; i++) {
        const ki_scene_saved *entry = ki_scene_saved_of(keep->task, ki_scene_handle(scene, i));
        if (entry != NULL) {
            ki_scene_insert_lines(keep, end);
            ki_scene_add_text(keep, first ? "" : keep->newline);
            ki_scene_add_entity(keep, entry, ki_scene_entity_block(scene, i)->base);
            first = false;
        }
    }
}

static kith_result edit_text(ki_scene_keep *keep)
{
    const kith_scene *scene = keep->scene;
    kith_result result = choose_living(keep);
    result = result == KITH_OK ? check_blocks(keep) : result;
    uint32_t entity = 0;
    for (uint32_t i = 0; result == KITH_OK && i < scene->blocks.count; i++) {
        const ki_scene_block *block = ki_scene_block_at(scene, i);
        uint32_t number = entity;
        entity += block->kind == KI_SCENE_ENTITY;
        if (block->start == NULL || block->place.file != keep->file) {
            continue;
        }
        if (block->map != 0) {
            keep_cell(keep, i, number);
        } else {
            result = ki_scene_keep_block(keep, i, number);
        }
    }
    if (result == KITH_OK && keep->file == 0) {
        add_entities(keep);
    }
    return result == KITH_OK ? ki_scene_write_edits(keep) : result;
}

kith_result ki_scene_save_text(ki_scene_save *task)
{
    const kith_scene *scene = task->def->scene;
    ki_scene_keep keep = {.task = task,
                          .scene = scene,
                          .source = ki_scene_source_at(scene, task->def->file),
                          .file = task->def->file};
    const char *line = ki_scene_line_end(keep.source, keep.source->text);
    bool marked = line < keep.source->text + keep.source->length && *line == '\r';
    keep.newline = marked ? "\r\n" : "\n";
    kith_result result = edit_text(&keep);
    result = result == KITH_OK && keep.failed ? KITH_ERR_MEMORY : result;
    const kith_allocator *allocator = &task->allocator;
    ki_scene_list_free(allocator, &keep.edits, sizeof(ki_scene_edit));
    ki_scene_list_free(allocator, &keep.bytes, 1);
    ki_scene_list_free(allocator, &keep.printed, 1);
    ki_scene_list_free(allocator, &keep.expected, 1);
    ki_scene_list_free(allocator, &keep.fields, sizeof(ki_scene_field));
    return result;
}
