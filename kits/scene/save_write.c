/* Where the bytes of a text that is saved go. */
#include <string.h>

#include <kith/reflect.h>

#include "scene/save_task.h"

kith_result ki_scene_save_flush(ki_scene_save *task)
{
    bool written = task->length == 0 || task->write(task->context, task->buffer, task->length);
    task->length = 0;
    return written ? KITH_OK : KITH_ERR_IO;
}

/* Room for `size` more bytes in the buffer, which is written out first if need be. */
static kith_result make_room(ki_scene_save *task, size_t size)
{
    if (task->capacity - task->length >= size) {
        return KITH_OK;
    }
    kith_result result = ki_scene_save_flush(task);
    if (result != KITH_OK || task->capacity >= size) {
        return result;
    }
    char *bigger = task->allocator.allocate(task->allocator.context, size, 1);
    if (bigger == NULL) {
        return KITH_ERR_MEMORY;
    }
    task->allocator.release(task->allocator.context, task->buffer, task->capacity, 1);
    task->buffer = bigger;
    task->capacity = size;
    return KITH_OK;
}

kith_result ki_scene_save_bytes(ki_scene_save *task, const char *bytes, size_t count)
{
    kith_result result = make_room(task, count);
    if (result == KITH_OK && count > 0) {
        memcpy(task->buffer + task->length, bytes, count);
        task->length += count;
    }
    return result;
}

kith_result ki_scene_save_put(ki_scene_save *task, const char *text)
{
    return ki_scene_save_bytes(task, text, strlen(text));
}

kith_result ki_scene_save_value(ki_scene_save *task, const kith_type *type, const void *value)
{
    size_t room = task->capacity - task->length;
    size_t length = kith_print_value_named(task->world, type, value, ki_scene_name_saved, task,
                                           task->buffer + task->length, room);
    if (length >= room) { /* the zero at the end needs a place as well */
        kith_result result = make_room(task, length + 1);
        if (result != KITH_OK) {
            return result;
        }
        kith_print_value_named(task->world, type, value, ki_scene_name_saved, task,
                               task->buffer + task->length, length + 1);
    }
    task->length += length;
    return task->failed ? KITH_ERR_MEMORY : KITH_OK;
}

kith_result ki_scene_save_line(ki_scene_save *task, const char *before, const kith_type *type,
                               const void *value)
{
    const char *quote = ki_scene_needs_quotes(type->name) ? "\"" : "";
    const char *const parts[] = {before, quote, type->name, quote, type->size == 0 ? "" : " "};
    kith_result result = KITH_OK;
    for (size_t i = 0; result == KITH_OK && i < sizeof parts / sizeof *parts; i++) {
        result = ki_scene_save_put(task, parts[i]);
    }
    if (result == KITH_OK && type->size > 0) {
        result = ki_scene_save_value(task, type, value);
    }
    return result == KITH_OK ? ki_scene_save_put(task, "\n") : result;
}

bool ki_scene_needs_quotes(const char *name)
{
    kith_reader reader = {.text = name, .length = strlen(name)};
    bool word = kith_read_token(&reader) == KITH_OK && reader.token.kind == KITH_TOKEN_WORD &&
                reader.token.length == reader.length;
    return !word || strcmp(name, "entity") == 0 || strcmp(name, "prefab") == 0 ||
           strcmp(name, "map") == 0 || strcmp(name, "include") == 0 ||
           strcmp(name, "resource") == 0 || strcmp(name, "child") == 0;
}
