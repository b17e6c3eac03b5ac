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
    ki_scene_find_places(keep);
    if (keep->told != KITH_OK || keep->failed) {
        return keep->told != KITH_OK ? keep->told : KITH_ERR_MEMORY;
    }
    return ki_scene_keep_names(task);
}

static kith_result check_blocks(ki_scene_keep *keep)
{
    const kith_scene *scene = keep->scene;
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < scene->blocks.count; i++) {
        const ki_scene_block *block = ki_scene_block_at(scene, i);
        bool waits = block->kind == KI_SCENE_PREFAB;
        if (block->within != KI_SCENE_NOTHING && block->kind == KI_SCENE_ENTITY) {
            ki_scene_name_path(keep, i, ki_scene_block_at(scene, block->within)->node);
        }
        if (block->kind == KI_SCENE_ENTITY) {
            waits = kith_is_none(ki_scene_handle(scene, block->entity)) && block->map == 0;
        }
        if (block->kind == KI_SCENE_RESOURCE && scene->made) {
            const kith_type *type = ki_scene_values_of(scene, block)->type;
            const void *value = kith_resource_get(keep->task->world, type);
            result = value == NULL ? KITH_OK
                                   : ki_scene_check_value(keep->task, KITH_NONE, type, value, NULL);
        } else if (waits && block->start != NULL) { /* in other files, too */
            result = ki_scene_mark_block(keep, i);
        }
    }
    for (uint32_t i = 0; result == KITH_OK && i < keep->task->entries.count; i++) {
        result = ki_scene_check_entity(keep, ki_scene_saved_at(keep->task, i));
    }
    return result;
}

/* ---- Maps -------------------------------------------------------------------------------------- */

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
    if (kith_is_none(handle) || (entry != NULL && ki_scene_is_as_drawn(keep, number))) {
        return;
    }
    const char empty[] = {empty_beside(keep, number), '\0'};
    ki_scene_replace(keep, block->start, block->start + 1);
    ki_scene_add_text(keep, empty);
    if (entry == NULL || !ki_scene_stays(keep, entity)) {
        return;
    }
    const char *end = ((const char *const *)keep->scene->map_ends.items)[block->map - 1];
    const char *next = ki_scene_line_next(keep->source, end);
    ki_scene_insert_lines(keep, next);
    ki_scene_add_text(keep, keep->newline);
    ki_scene_add_entity(keep, entry, block->base);
}

/* ---- The whole ----------------------------------------------------------------------------- */

/* Edits what the file has. Lines about what is inherited come after all others: at the end of a text
 * without a line break they have the same place as those of its last child. */
static kith_result edit_blocks(ki_scene_keep *keep)
{
    const kith_scene *scene = keep->scene;
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < scene->blocks.count; i++) {
        const ki_scene_block *block = ki_scene_block_at(scene, i);
        if (block->start == NULL || block->place.file != keep->file) {
            continue;
        }
        if (block->map != 0) {
            keep_cell(keep, i, block->entity);
        } else {
            result = ki_scene_keep_block(keep, i, block->entity);
        }
    }
    for (uint32_t i = 0; result == KITH_OK && i < scene->blocks.count; i++) {
        const ki_scene_block *block = ki_scene_block_at(scene, i);
        if (block->start != NULL && block->place.file == keep->file && block->map == 0 &&
            block->root == i && ki_scene_stays(keep, block->entity)) {
            ki_scene_keep_inherited(keep, i);
        }
    }
    return result;
}

static kith_result edit_text(ki_scene_keep *keep)
{
    kith_result result = choose_living(keep);
    result = result == KITH_OK ? check_blocks(keep) : result;
    result = result == KITH_OK ? ki_scene_check_root_names(keep->task) : result;
    if (result == KITH_OK) {
        ki_scene_find_places(keep); /* some need names now */
        result = keep->told;
    }
    result = result == KITH_OK ? edit_blocks(keep) : result;
    if (result == KITH_OK && keep->file == 0) {
        ki_scene_add_leaving(keep);
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
    result = result == KITH_OK && (keep.failed || task->failed) ? KITH_ERR_MEMORY : result;
    const kith_allocator *allocator = &task->allocator;
    ki_scene_list_free(allocator, &keep.edits, sizeof(ki_scene_edit));
    ki_scene_list_free(allocator, &keep.bytes, 1);
    ki_scene_list_free(allocator, &keep.printed, 1);
    ki_scene_list_free(allocator, &keep.expected, 1);
    ki_scene_list_free(allocator, &keep.fields, sizeof(ki_scene_field));
    ki_scene_list_free(allocator, &keep.places, 1);
    ki_scene_list_free(allocator, &keep.path, 1);
    return result;
}
