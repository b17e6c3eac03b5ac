/* Edits of a text. */
#include <stdlib.h>
#include <string.h>

#include <kith/reflect.h>

#include "scene/keep.h"
#include "scene/scene_link.h"

/* Empties a list of bytes and gives it `size`; NULL if memory ran out. */
static char *resize(ki_scene_keep *keep, ki_scene_list *list, size_t size)
{
    list->count = 0;
    char *bytes = size > UINT32_MAX
                      ? NULL
                      : ki_scene_list_add(&keep->task->allocator, list, (uint32_t)size, 1);
    keep->failed = keep->failed || bytes == NULL;
    return bytes;
}

void ki_scene_replace(ki_scene_keep *keep, const char *from, const char *to)
{
    ki_scene_edit *edit = ki_scene_list_add(&keep->task->allocator, &keep->edits, 1, sizeof *edit);
    if (edit == NULL) {
        keep->failed = true;
        return;
    }
    *edit = (ki_scene_edit){.at = (size_t)(from - keep->source->text),
                            .length = (size_t)(to - from),
                            .added = keep->bytes.count,
                            .order = keep->edits.count};
}

void ki_scene_insert_lines(ki_scene_keep *keep, const char *place)
{
    const char *first = keep->source->text + keep->source->mark;
    ki_scene_replace(keep, place, place);
    if (place > first && place[-1] != '\n' && !keep->broken) {
        ki_scene_add_text(keep, keep->newline);
        keep->broken = true;
    }
}

void ki_scene_remove_lines(ki_scene_keep *keep, const char *from, const char *to)
{
    ki_scene_replace(keep, from, to);
    keep->broken = keep->broken || to == keep->source->text + keep->source->length;
}

void ki_scene_add_bytes(ki_scene_keep *keep, const char *bytes, size_t count)
{
    if (keep->failed || count == 0) {
        return;
    }
    char *added = count > UINT32_MAX
                      ? NULL
                      : ki_scene_list_add(&keep->task->allocator, &keep->bytes, (uint32_t)count, 1);
    if (added == NULL) {
        keep->failed = true;
        return;
    }
    memcpy(added, bytes, count);
    ((ki_scene_edit *)keep->edits.items)[keep->edits.count - 1].added_length += count;
}

void ki_scene_add_text(ki_scene_keep *keep, const char *text)
{
    ki_scene_add_bytes(keep, text, strlen(text));
}

const char *ki_scene_print(ki_scene_keep *keep, const kith_type *type, const void *value)
{
    ki_scene_save *task = keep->task;
    size_t length =
        kith_print_value_named(task->world, type, value, ki_scene_name_saved, task, NULL, 0);
    char *text = resize(keep, &keep->printed, length + 1);
    if (text == NULL || task->failed) {
        return "{ }"; /* of a name without memory, the length is not that which it may have now */
    }
    kith_print_value_named(task->world, type, value, ki_scene_name_saved, task, text, length + 1);
    return text;
}

const char *ki_scene_expect(ki_scene_keep *keep, uint32_t block, const kith_type *type, bool *has)
{
    *has = false;
    if (block == KI_SCENE_NOTHING) {
        return NULL;
    }
    const ki_scene_block *of = ki_scene_block_at(keep->scene, block);
    const ki_scene_value *values = ki_scene_values_of(keep->scene, of);
    uint32_t i = 0;
    while (i < of->value_count && !ki_scene_same_type(values[i].type, type)) {
        i++;
    }
    *has = i < of->value_count;
    if (!*has || type->size == 0 || (values[i].bytes != NULL && !values[i].refers)) {
        return *has ? values[i].bytes : NULL;
    }
    char *bytes = resize(keep, &keep->expected, type->size); /* zeros */
    if (bytes != NULL && values[i].bytes != NULL) {
        const ki_scene_handles handles = {keep->scene->handles.items, NULL, of->root};
        ki_scene_link_value(keep->scene, &values[i], &handles, bytes);
    }
    return bytes;
}

/* ---- Writing ------------------------------------------------------------------------------- */

static int compare_edits(const void *a, const void *b)
{
    const ki_scene_edit *first = a;
    const ki_scene_edit *second = b;
    if (first->at != second->at) {
        return first->at < second->at ? -1 : 1;
    }
    return (first->order > second->order) - (first->order < second->order);
}

kith_result ki_scene_write_edits(ki_scene_keep *keep)
{
    const ki_scene_source *source = keep->source;
    ki_scene_edit *edits = keep->edits.items;
    if (keep->failed) {
        return KITH_ERR_MEMORY;
    }
    if (keep->edits.count > 1) {
        qsort(edits, keep->edits.count, sizeof *edits, compare_edits);
    }
    size_t done = 0;
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < keep->edits.count; i++) {
        const ki_scene_edit *edit = &edits[i];
        if (edit->at > done) {
            result = ki_scene_save_bytes(keep->task, source->text + done, edit->at - done);
        }
        if (result == KITH_OK && edit->added_length > 0) {
            result = ki_scene_save_bytes(keep->task, (const char *)keep->bytes.items + edit->added,
                                         edit->added_length);
        }
        size_t end = edit->at + edit->length;
        done = end > done ? end : done;
    }
    return result == KITH_OK && done < source->length
               ? ki_scene_save_bytes(keep->task, source->text + done, source->length - done)
               : result;
}
