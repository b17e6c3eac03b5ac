/* Entities and their children become a text. */
#include "scene/save_task.h"

/* Lines that are deeper than SAVE_DEEPEST are not indented further. */
enum { SAVE_INDENT = 4, SAVE_DEEPEST = 16 };

static const char *indent_at(uint32_t depth)
{
    static const char spaces[SAVE_INDENT * SAVE_DEEPEST + 1] =
        "                                                                ";
    return spaces +
           (size_t)SAVE_INDENT * (SAVE_DEEPEST - (depth < SAVE_DEEPEST ? depth : SAVE_DEEPEST));
}

void ki_scene_nest(ki_scene_save *task)
{
    for (uint32_t i = 0; i < task->entries.count; i++) {
        ki_scene_saved *entry = ki_scene_saved_at(task, i);
        const ki_scene_saved *parent =
            kith_is_transient(task->world, &kith_child_of_type)
                ? NULL
                : ki_scene_saved_of(task, kith_parent(task->world, entry->entity));
        entry->parent = parent == NULL ? 0 : (uint32_t)(parent - ki_scene_saved_at(task, 0)) + 1;
    }
}

/* The first of a child and its siblings after it that is saved; NULL: none is. */
static const ki_scene_saved *saved_from(const ki_scene_save *task, kith_entity child)
{
    const ki_scene_saved *found = NULL;
    while (!kith_is_none(child) && (found = ki_scene_saved_of(task, child)) == NULL) {
        child = kith_child_next(task->world, child);
    }
    return found;
}

static const ki_scene_saved *first_saved_child(const ki_scene_save *task,
                                               const ki_scene_saved *entry)
{
    const ki_scene_saved *child = saved_from(task, kith_child_first(task->world, entry->entity));
    return child == NULL || child->parent == 0 ? NULL : child;
}

/* The first line, without its end. */
static kith_result put_heading(ki_scene_save *task, const ki_scene_saved *entry, uint32_t depth)
{
    bool named = entry->name != NULL || entry->referred;
    const char *const parts[] = {depth > 0 || task->entities_written == 0 ? "" : "\n",
                                 indent_at(depth), depth == 0 ? "entity" : "child",
                                 named ? " " : "", named ? ki_scene_saved_name(task, entry) : ""};
    kith_result result = KITH_OK;
    for (size_t i = 0; result == KITH_OK && i < sizeof parts / sizeof *parts; i++) {
        result = ki_scene_save_put(task, parts[i]);
    }
    task->entities_written++;
    return result;
}

/* Writes what is in one entity, without its children. `*opened` tells whether a } has to follow. */
static kith_result put_lines(ki_scene_save *task, const ki_scene_saved *entry, uint32_t depth,
                             bool *opened)
{
    kith_result result = put_heading(task, entry, depth);
    const kith_type *type = NULL;
    *opened = false;
    while (result == KITH_OK &&
           (type = ki_scene_next_kept(task->world, entry->entity, type)) != NULL) {
        const void *value = type->size == 0 ? NULL : kith_get(task->world, entry->entity, type);
        if (ki_scene_is_implied(entry, type) || ki_scene_is_lost(task, type, value)) {
            continue;
        }
        if (!*opened) {
            result = ki_scene_save_put(task, depth == 0 ? "\n" : " {\n");
            *opened = true;
        }
        result = result == KITH_OK ? ki_scene_save_line(task, indent_at(depth + 1), type, value)
                                   : result;
    }
    if (result == KITH_OK && !*opened) {
        *opened = first_saved_child(task, entry) != NULL;
        result = ki_scene_save_put(task, depth > 0 && *opened ? " {\n" : "\n");
    }
    return result;
}

static kith_result put_end(ki_scene_save *task, uint32_t depth)
{
    kith_result result = depth == 0 ? KITH_OK : ki_scene_save_put(task, indent_at(depth));
    return result == KITH_OK && depth > 0 ? ki_scene_save_put(task, "}\n") : result;
}

kith_result ki_scene_save_entity(ki_scene_save *task, uint32_t number)
{
    const ki_scene_saved *at = ki_scene_saved_at(task, number);
    uint32_t depth = 0;
    kith_result result = KITH_OK;
    while (result == KITH_OK && at != NULL) {
        bool opened;
        result = put_lines(task, at, depth, &opened);
        const ki_scene_saved *next = first_saved_child(task, at);
        if (next != NULL) {
            at = next;
            depth++;
            continue;
        }
        if (opened && result == KITH_OK) {
            result = put_end(task, depth);
        }
        while (result == KITH_OK && next == NULL && depth > 0) {
            next = saved_from(task, kith_child_next(task->world, at->entity));
            if (next == NULL) {
                at = ki_scene_saved_at(task, at->parent - 1);
                depth--;
                result = put_end(task, depth);
            }
        }
        at = next;
    }
    return result;
}
