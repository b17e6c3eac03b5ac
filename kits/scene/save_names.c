/* Which entities are saved, how they are called, and what refers to them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/name.h>
#include <kith/text.h>

#include "scene/save_task.h"
#include "scene/scene_error.h"
#include "scene/scene_link.h"

ki_scene_saved *ki_scene_saved_of(const ki_scene_save *task, kith_entity entity)
{
    uint32_t low = 0;
    for (uint32_t high = task->entries.count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (kith_entity_slot(ki_scene_saved_at(task, middle)->entity) < kith_entity_slot(entity)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < task->entries.count &&
                   kith_entity_equal(ki_scene_saved_at(task, low)->entity, entity)
               ? ki_scene_saved_at(task, low)
               : NULL;
}

ki_scene_saved *ki_scene_saved_number(const ki_scene_save *task, uint32_t number)
{
    return ki_scene_saved_of(task, ki_scene_handle(task->def->scene, number));
}

static int compare_slots(const void *a, const void *b)
{
    uint32_t first = kith_entity_slot(((const ki_scene_saved *)a)->entity);
    uint32_t second = kith_entity_slot(((const ki_scene_saved *)b)->entity);
    return (first > second) - (first < second);
}

void ki_scene_sort_saved(ki_scene_save *task)
{
    if (task->entries.count != 0) {
        qsort(task->entries.items, task->entries.count, sizeof(ki_scene_saved), compare_slots);
    }
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* Adds a name; its record, or NULL if memory ran out. */
static ki_scene_name *keep_name(ki_scene_save *task, const char *name)
{
    uint32_t number = ki_scene_names_find(&task->kept, name, strlen(name));
    if (number == KI_SCENE_NOTHING) {
        number = ki_scene_names_add(&task->kept, &task->arena, name, strlen(name));
    }
    return number == KI_SCENE_NOTHING ? NULL : ki_scene_names_at(&task->kept, number);
}

/* Whether a child of a parent is the first of that name; false, with `task->failed`, if memory ran
 * out. */
static bool is_first_sibling(ki_scene_save *task, uint32_t parent, const ki_scene_name *name)
{
    const uint32_t key[] = {parent, (uint32_t)(name - ki_scene_names_at(&task->kept, 0))};
    if (ki_scene_names_find(&task->siblings, (const char *)key, sizeof key) != KI_SCENE_NOTHING) {
        return false;
    }
    task->failed = ki_scene_names_add(&task->siblings, &task->arena, (const char *)key,
                                      sizeof key) == KI_SCENE_NOTHING;
    return !task->failed;
}

/* Which names come first: where two cannot both stay, the later one goes. */
typedef enum kept_class {
    KEPT_ROOT,  /* of an entity that the scene has by itself */
    KEPT_MOVED, /* of a child that is one no more */
    KEPT_CHILD,
    KEPT_CLASSES
} kept_class;

static kept_class class_of(const ki_scene_save *task, uint32_t number, const ki_scene_saved *entry)
{
    const ki_scene_block *block = ki_scene_entity_block(task->names, number);
    bool child = ki_scene_block_at(task->names, block->root) != block;
    if (entry == NULL) {
        return child ? KEPT_CHILD : KEPT_ROOT;
    }
    return entry->parent != 0 ? KEPT_CHILD : child ? KEPT_MOVED : KEPT_ROOT;
}

static bool keep_name_of(ki_scene_save *task, ki_scene_saved *entry, kept_class class,
                         const char *name)
{
    ki_scene_name *record = keep_name(task, name);
    if (record == NULL) {
        return false;
    }
    bool taken = record->stands_for == KI_SCENE_KEPT_ROOT ||
                 /* A word of the text might mean a child that is nearer. */
                 (class == KEPT_MOVED && task->def->scene != NULL);
    if (class != KEPT_CHILD) {
        record->stands_for = KI_SCENE_KEPT_ROOT;
    } else if (entry != NULL && task->def->scene == NULL) { /* else the text has it */
        taken = taken || !is_first_sibling(task, entry->parent, record);
    } else {
        taken = false;
    }
    if (entry != NULL && !taken) {
        entry->name = record->text;
    }
    return !task->failed;
}

kith_result ki_scene_keep_names(ki_scene_save *task)
{
    const kith_scene *scene = task->names;
    uint32_t count = scene == NULL ? 0 : kith_scene_count(scene);
    for (kept_class class = KEPT_ROOT; count != 0 && class < KEPT_CLASSES; class ++) {
        for (uint32_t i = 0; i < count; i++) {
            const char *name = kith_scene_name(scene, i);
            ki_scene_saved *entry = ki_scene_saved_of(task, kith_scene_at(scene, i));
            bool waits = task->def->scene != NULL && kith_is_none(kith_scene_at(scene, i));
            if ((entry == NULL && !waits) || *name == '\0' || class_of(task, i, entry) != class) {
                continue;
            }
            if (!keep_name_of(task, entry, class, name)) {
                return KITH_ERR_MEMORY;
            }
        }
    }
    return KITH_OK;
}

const char *ki_scene_saved_name(ki_scene_save *task, const ki_scene_saved *entry)
{
    if (entry->name != NULL) {
        return entry->name;
    }
    uint32_t number = (uint32_t)(entry - ki_scene_saved_at(task, 0)) + 1;
    int length = snprintf(task->name, sizeof task->name, "e%" PRIu32, number);
    while (ki_scene_names_find(&task->kept, task->name, (size_t)length) != KI_SCENE_NOTHING &&
           length + 1 < KI_SCENE_SAVE_NAME) {
        task->name[length++] = '_';
        task->name[length] = '\0';
    }
    return task->name;
}

const char *ki_scene_name_saved(void *context, kith_entity entity)
{
    ki_scene_save *task = context;
    const ki_scene_saved *entry = ki_scene_saved_of(task, entity);
    return entry == NULL ? "none" : ki_scene_saved_path(task, entry);
}

const char *ki_scene_saved_path(ki_scene_save *task, const ki_scene_saved *entry)
{
    if (entry->parent == 0) {
        return ki_scene_saved_name(task, entry);
    }
    size_t length = 0;
    for (const ki_scene_saved *at = entry;; at = ki_scene_saved_at(task, at->parent - 1)) {
        length += strlen(ki_scene_saved_name(task, at)) + 1;
        if (at->parent == 0) {
            break;
        }
    }
    task->path.count = 0;
    char *path = length > UINT32_MAX
                     ? NULL
                     : ki_scene_list_add(&task->allocator, &task->path, (uint32_t)length, 1);
    if (path == NULL) {
        task->failed = true;
        return "none";
    }
    char *end = path + length - 1; /* the zero */
    for (const ki_scene_saved *at = entry;; at = ki_scene_saved_at(task, at->parent - 1)) {
        const char *name = ki_scene_saved_name(task, at);
        end -= strlen(name);
        memcpy(end, name, strlen(name));
        if (at->parent == 0) {
            return path;
        }
        *--end = '/';
    }
}

void ki_scene_refer(const ki_scene_save *task, ki_scene_saved *entry)
{
    while (!entry->referred) {
        entry->referred = true;
        entry = entry->parent == 0 ? entry : ki_scene_saved_at(task, entry->parent - 1);
    }
}

bool ki_scene_is_implied(const ki_scene_saved *entry, const kith_type *type)
{
    return entry->parent != 0 && ki_scene_is_relation(type) &&
           ki_scene_same_type(type, &kith_child_of_type);
}

bool ki_scene_is_lost(const ki_scene_save *task, const kith_type *type, const char *value)
{
    bool lost = false;
    for (uint32_t i = 0; i < ki_scene_ends(type); i++) {
        kith_entity end;
        memcpy(&end, value + i * sizeof end, sizeof end);
        lost = lost || ki_scene_saved_of(task, end) == NULL;
    }
    return lost;
}

/* ---- References ------------------------------------------------------------------------------ */

/* What holds a value, for a message. */
static kith_entity_description describe(const ki_scene_save *task, kith_entity entity)
{
    return kith_is_none(entity) ? (kith_entity_description){"a resource"}
                                : kith_entity_describe(task->world, entity);
}

static kith_result lost_reference(const ki_scene_save *task, kith_entity entity, const char *type,
                                  const char *field, kith_entity target)
{
    bool alive = kith_alive(task->world, target);
    char message[sizeof task->error->message];
    snprintf(message, sizeof message,
             "expected an entity that is saved in %s.%s of %s, found %s, which is %s; %sclear the"
             " field, or set `lose_references`",
             type, field, describe(task, entity).text, describe(task, target).text,
             alive ? "not among them" : "dead", alive ? "save that one too, " : "");
    return ki_scene_fail(task->world, task->error, NULL, KITH_ERR_INPUT, message);
}

static kith_result same_name(const ki_scene_save *task, const ki_scene_saved *one,
                             const ki_scene_saved *other, const char *name)
{
    char message[sizeof task->error->message];
    snprintf(message, sizeof message,
             "expected other names for entities whose parents are not saved, found \"%.80s\" twice,"
             " of %s and %s; save their parents, or name one of them anew",
             name, describe(task, one->entity).text, describe(task, other->entity).text);
    return ki_scene_fail(task->world, task->error, NULL, KITH_ERR_INPUT, message);
}

kith_result ki_scene_check_root_names(ki_scene_save *task)
{
    for (uint32_t i = 0; task->def->lose_references && i < task->entries.count; i++) {
        const ki_scene_saved *entry = ki_scene_saved_at(task, i);
        const kith_entity parent = kith_parent(task->world, entry->entity);
        const char *name =
            ki_scene_saved_of(task, parent) != NULL ||
                    !ki_scene_keeps(task->world, entry->entity, &kith_name_type)
                ? ""
                : kith_name_of(task->world, entry->entity);
        if (*name == '\0') {
            continue;
        }
        uint32_t number = ki_scene_names_find(&task->roots, name, strlen(name));
        if (number != KI_SCENE_NOTHING) {
            const uint32_t first = ki_scene_names_at(&task->roots, number)->stands_for;
            return same_name(task, ki_scene_saved_at(task, first), entry, name);
        }
        number = ki_scene_names_add(&task->roots, &task->arena, name, strlen(name));
        if (number == KI_SCENE_NOTHING) {
            return KITH_ERR_MEMORY;
        }
        ki_scene_names_at(&task->roots, number)->stands_for = i;
    }
    return KITH_OK;
}

/* A text would not make such a value again, whatever its fields. */
static kith_result hooked_value(const ki_scene_save *task, kith_entity entity, const char *type)
{
    char message[sizeof task->error->message];
    snprintf(message, sizeof message,
             "expected what can be read from text again, found %s of %s, whose values have hooks",
             type, describe(task, entity).text);
    return ki_scene_fail(task->world, task->error, NULL, KITH_ERR_INPUT, message);
}

/* A text of another world, say. */
static kith_result unknown_text(const ki_scene_save *task, kith_entity entity, const char *type,
                                const char *field, kith_text text)
{
    char message[sizeof task->error->message];
    snprintf(message, sizeof message,
             "expected texts of this world, found number %" PRIu32 " in %s.%s of %s, which is none",
             text.number, type, field, describe(task, entity).text);
    return ki_scene_fail(task->world, task->error, NULL, KITH_ERR_INPUT, message);
}

static kith_result look_at_texts(const ki_scene_save *task, kith_entity entity,
                                 const kith_type *type, const kith_field *field, const char *bytes)
{
    for (uint32_t at = 0; at < field->size; at += (uint32_t)sizeof(kith_text)) {
        kith_text text;
        memcpy(&text, bytes + at, sizeof text);
        if (kith_text_get(task->world, text, NULL) == NULL) {
            return unknown_text(task, entity, type->name, field->name, text);
        }
    }
    return KITH_OK;
}

/* Whether a name of another scene's entity means this entity. */
static bool is_outside(const kith_scene *scene, kith_entity entity)
{
    for (uint32_t i = 0; i < scene->names.names.count; i++) {
        const ki_scene_name *name = ki_scene_names_at(&scene->names, i);
        if (name->stands_for == KI_SCENE_OUTSIDE && kith_entity_equal(name->outside, entity)) {
            return true;
        }
    }
    return false;
}

bool ki_scene_can_refer(const ki_scene_save *task, kith_entity target, const kith_entity *inherited)
{
    return kith_is_none(target) || ki_scene_saved_of(task, target) != NULL ||
           (inherited != NULL && kith_entity_equal(target, *inherited) &&
            is_outside(task->def->scene, target));
}

/* The same for the entities of one field. */
static kith_result check_entities(ki_scene_save *task, kith_entity entity, const kith_type *type,
                                  const kith_field *field, const char *value, const char *inherited)
{
    for (uint32_t at = 0; at < field->size; at += (uint32_t)sizeof entity) {
        kith_entity target;
        kith_entity before = KITH_NONE;
        memcpy(&target, value + field->offset + at, sizeof target);
        if (inherited != NULL) {
            memcpy(&before, inherited + field->offset + at, sizeof before);
        }
        ki_scene_saved *found = ki_scene_saved_of(task, target);
        if (found != NULL) {
            ki_scene_refer(task, found);
        } else if (!task->def->lose_references &&
                   !ki_scene_can_refer(task, target, inherited == NULL ? NULL : &before)) {
            return lost_reference(task, entity, type->name, field->name, target);
        }
    }
    return KITH_OK;
}

kith_result ki_scene_check_value(ki_scene_save *task, kith_entity entity, const kith_type *type,
                                 const char *value, const char *inherited)
{
    if (type->size > 0 && kith_has_hooks(task->world, type)) {
        return hooked_value(task, entity, type->name);
    }
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (field->kind == KITH_TEXT) {
            result = look_at_texts(task, entity, type, field, value + field->offset);
        } else if (field->kind == KITH_ENTITY) {
            result = check_entities(task, entity, type, field, value, inherited);
        }
    }
    return result;
}

kith_result ki_scene_fail_dead(const ki_scene_save *task, const ki_scene_source *source,
                               const kith_type *type, const char *field, const char *name,
                               size_t length)
{
    kith_text_error mistake;
    kith_reader reader = {.text = source->text + source->mark,
                          .length = source->length - source->mark,
                          .error = &mistake};
    kith_read_fail(&reader, name,
                   "expected an entity that is saved in %s.%s, found \"%.*s\", which is dead or has"
                   " no name; give that name to another one, or set `lose_references`",
                   type->name, field, length < 80 ? (int)length : 80, name);
    const char *path = *source->path == '\0' ? NULL : source->path;
    return ki_scene_fail_in_text(task->world, task->error, path, KITH_ERR_INPUT, &mistake);
}
