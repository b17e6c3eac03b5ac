/* Entities become a text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/reader.h>
#include <kith/reflect.h>
#include <kith/text.h>

#include "scene/scene.h"
#include "scene/scene_error.h"

enum { SAVE_BUFFER = 4096, SAVE_NAME = 32 };

/* An entity that is saved. */
typedef struct save_entry {
    kith_entity entity;
    const char *name; /* that a scene gave it; NULL: none */
    bool referred;
} save_entry;

typedef struct save_task {
    kith_world *world;
    kith_allocator allocator;
    const kith_scene *names; /* NULL: none */
    ki_scene_list entries;   /* save_entry, in order of their slots */
    ki_scene_arena arena;    /* of the names that are kept */
    ki_scene_names kept;
    char name[SAVE_NAME]; /* the last one that was made up */

    kith_scene_write_fn write;
    void *context;
    char *buffer;
    size_t capacity;
    size_t length;
} save_task;

/* ---- Which entities ---------------------------------------------------------------------------- */

static save_entry *entry_at(const save_task *task, uint32_t number)
{
    return (save_entry *)task->entries.items + number;
}

/* The entry of an entity; NULL if it is not saved. */
static save_entry *entry_of(const save_task *task, kith_entity entity)
{
    uint32_t low = 0;
    for (uint32_t high = task->entries.count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (kith_slot(entry_at(task, middle)->entity) < kith_slot(entity)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < task->entries.count && kith_entity_equal(entry_at(task, low)->entity, entity)
               ? entry_at(task, low)
               : NULL;
}

static int compare_slots(const void *a, const void *b)
{
    uint32_t first = kith_slot(((const save_entry *)a)->entity);
    uint32_t second = kith_slot(((const save_entry *)b)->entity);
    return (first > second) - (first < second);
}

static kith_result choose(save_task *task, const kith_entity *entities, uint32_t count)
{
    save_entry *added =
        ki_scene_list_add(&task->allocator, &task->entries, count, sizeof(save_entry));
    for (uint32_t i = 0; added != NULL && i < count; i++) {
        added[i].entity = entities[i];
    }
    return added == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

static kith_result choose_all(save_task *task, kith_query *query)
{
    kith_result result = KITH_OK;
    if (query == NULL) {
        kith_entity entity = KITH_NONE;
        while (result == KITH_OK && !kith_is_none(entity = kith_entity_next(task->world, entity))) {
            result = choose(task, &entity, 1);
        }
        return result;
    }
    kith_iter it = kith_query_iter(query);
    while (result == KITH_OK && kith_next(&it)) {
        result = choose(task, kith_entities(&it), it.count);
    }
    kith_iter_end(&it);
    if (task->entries.count != 0) {
        qsort(task->entries.items, task->entries.count, sizeof(save_entry), compare_slots);
    }
    return result == KITH_OK ? it.result : result;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static kith_result keep_names(save_task *task, const kith_scene *scene)
{
    for (uint32_t i = 0; scene != NULL && i < kith_scene_count(scene); i++) {
        const char *name = kith_scene_name(scene, i);
        save_entry *entry = entry_of(task, kith_scene_at(scene, i));
        if (entry == NULL || *name == '\0') {
            continue;
        }
        uint32_t number = ki_scene_names_add(&task->kept, &task->arena, name, strlen(name));
        if (number == KI_SCENE_NOTHING) {
            return KITH_ERR_MEMORY;
        }
        entry->name = ki_scene_names_at(&task->kept, number)->text;
    }
    return KITH_OK;
}

/* The name of a saved entity: the one that it had, or `e` and its number, and as many `_` after it
 * as make it another than those that are kept. */
static const char *name_of(save_task *task, const save_entry *entry)
{
    if (entry->name != NULL) {
        return entry->name;
    }
    uint32_t number = (uint32_t)(entry - entry_at(task, 0)) + 1;
    int length = snprintf(task->name, sizeof task->name, "e%" PRIu32, number);
    while (ki_scene_names_find(&task->kept, task->name, (size_t)length) != KI_SCENE_NOTHING &&
           length + 1 < SAVE_NAME) {
        task->name[length++] = '_';
        task->name[length] = '\0';
    }
    return task->name;
}

static const char *name_entity(void *context, kith_entity entity)
{
    save_task *task = context;
    const save_entry *entry = entry_of(task, entity);
    return entry == NULL ? "none" : name_of(task, entry);
}

/* ---- References ------------------------------------------------------------------------------ */

/* An entity for a message: also by the name that its scene gave it, be it alive or not. */
typedef struct described {
    char text[128];
} described;

static described describe(const save_task *task, kith_entity entity)
{
    described d;
    uint32_t count = task->names == NULL ? 0 : kith_scene_count(task->names);
    uint32_t i = 0;
    while (i < count && !kith_entity_equal(kith_scene_at(task->names, i), entity)) {
        i++;
    }
    const char *name = i < count ? kith_scene_name(task->names, i) : "";
    if (*name == '\0') {
        snprintf(d.text, sizeof d.text, "%s", kith_entity_to_text(entity).text);
    } else {
        snprintf(d.text, sizeof d.text, "\"%.80s\" (%s)", name, kith_entity_to_text(entity).text);
    }
    return d;
}

static kith_result lost_reference(const save_task *task, kith_entity entity, const char *type,
                                  const char *field, kith_entity target, kith_scene_error *error)
{
    bool alive = kith_alive(task->world, target);
    char message[sizeof error->message];
    snprintf(message, sizeof message,
             "expected an entity that is saved in %s.%s of %s, found %s, which is %s; %sclear the"
             " field, or set `lose_references`",
             type, field, describe(task, entity).text, describe(task, target).text,
             alive ? "not among them" : "dead", alive ? "save that one too, " : "");
    return ki_scene_fail(task->world, error, NULL, KITH_ERR_INPUT, message);
}

/* A text would not make such a value again, whatever its fields. */
static kith_result hooked_value(const save_task *task, kith_entity entity, const char *type,
                                kith_scene_error *error)
{
    char message[sizeof error->message];
    snprintf(message, sizeof message,
             "expected what can be read from text again, found %s of %s, whose values have hooks",
             type, describe(task, entity).text);
    return ki_scene_fail(task->world, error, NULL, KITH_ERR_INPUT, message);
}

/* A text of another world, say. */
static kith_result unknown_text(const save_task *task, kith_entity entity, const char *type,
                                const char *field, kith_text text, kith_scene_error *error)
{
    char message[sizeof error->message];
    snprintf(message, sizeof message,
             "expected texts of this world, found number %" PRIu32 " in %s.%s of %s, which is none",
             text.number, type, field, describe(task, entity).text);
    return ki_scene_fail(task->world, error, NULL, KITH_ERR_INPUT, message);
}

static kith_result look_at_texts(const save_task *task, kith_entity entity, const kith_type *type,
                                 const kith_field *field, const char *bytes,
                                 kith_scene_error *error)
{
    for (uint32_t at = 0; at < field->size; at += (uint32_t)sizeof(kith_text)) {
        kith_text text;
        memcpy(&text, bytes + at, sizeof text);
        if (kith_text_get(task->world, text, NULL) == NULL) {
            return unknown_text(task, entity, type->name, field->name, text, error);
        }
    }
    return KITH_OK;
}

/* Marks what the entities in a value are, or fails at the first one that has no name, and at the
 * first text that there is not. */
static kith_result look_at_value(save_task *task, kith_entity entity, const kith_type *type,
                                 const char *value, bool lose, kith_scene_error *error)
{
    if (kith_has_hooks(task->world, type)) {
        return hooked_value(task, entity, type->name, error);
    }
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (field->kind == KITH_TEXT &&
            look_at_texts(task, entity, type, field, value + field->offset, error) != KITH_OK) {
            return KITH_ERR_INPUT;
        }
        uint32_t count = field->kind == KITH_ENTITY ? field->size / (uint32_t)sizeof entity : 0;
        for (uint32_t k = 0; k < count; k++) {
            kith_entity target;
            memcpy(&target, value + field->offset + k * sizeof target, sizeof target);
            save_entry *found = entry_of(task, target);
            if (found != NULL) {
                found->referred = true;
            } else if (!kith_is_none(target) && !lose) {
                return lost_reference(task, entity, type->name, field->name, target, error);
            }
        }
    }
    return KITH_OK;
}

static kith_result look_at_all(save_task *task, bool lose, kith_scene_error *error)
{
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < task->entries.count; i++) {
        kith_entity entity = entry_at(task, i)->entity;
        const kith_type *type = NULL;
        while (result == KITH_OK &&
               (type = kith_component_next(task->world, entity, type)) != NULL) {
            result = type->size == 0
                         ? KITH_OK
                         : look_at_value(task, entity, type, kith_get(task->world, entity, type),
                                         lose, error);
        }
    }
    return result;
}

/* ---- Writing ------------------------------------------------------------------------------- */

static kith_result flush(save_task *task)
{
    bool written = task->length == 0 || task->write(task->context, task->buffer, task->length);
    task->length = 0;
    return written ? KITH_OK : KITH_ERR_IO;
}

/* Room for `size` more bytes in the buffer, which is written out first if need be. */
static kith_result make_room(save_task *task, size_t size)
{
    if (task->capacity - task->length >= size) {
        return KITH_OK;
    }
    kith_result result = flush(task);
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

static kith_result put(save_task *task, const char *text)
{
    size_t length = strlen(text);
    kith_result result = make_room(task, length);
    if (result == KITH_OK) {
        memcpy(task->buffer + task->length, text, length);
        task->length += length;
    }
    return result;
}

static kith_result put_value(save_task *task, const kith_type *type, const void *value)
{
    size_t room = task->capacity - task->length;
    size_t length = kith_print_value_named(task->world, type, value, name_entity, task,
                                           task->buffer + task->length, room);
    if (length >= room) { /* the zero at the end needs a place as well */
        kith_result result = make_room(task, length + 1);
        if (result != KITH_OK) {
            return result;
        }
        kith_print_value_named(task->world, type, value, name_entity, task,
                               task->buffer + task->length, length + 1);
    }
    task->length += length;
    return KITH_OK;
}

/* Words that begin something else, and what is not a word, are written in quotes. */
static bool needs_quotes(const char *name)
{
    kith_reader reader = {.text = name, .length = strlen(name)};
    bool word = kith_read_token(&reader) == KITH_OK && reader.token.kind == KITH_TOKEN_WORD &&
                reader.token.length == reader.length;
    return !word || strcmp(name, "entity") == 0 || strcmp(name, "prefab") == 0 ||
           strcmp(name, "map") == 0 || strcmp(name, "include") == 0 ||
           strcmp(name, "resource") == 0;
}

static kith_result put_component(save_task *task, kith_entity entity, const kith_type *type)
{
    const char *quote = needs_quotes(type->name) ? "\"" : "";
    const char *const parts[] = {"    ", quote, type->name, quote, type->size == 0 ? "" : " "};
    kith_result result = KITH_OK;
    for (size_t i = 0; result == KITH_OK && i < sizeof parts / sizeof *parts; i++) {
        result = put(task, parts[i]);
    }
    if (result == KITH_OK && type->size > 0) {
        result = put_value(task, type, kith_get(task->world, entity, type));
    }
    return result == KITH_OK ? put(task, "\n") : result;
}

static kith_result put_entity(save_task *task, uint32_t number)
{
    const save_entry *entry = entry_at(task, number);
    kith_entity entity = entry->entity;
    bool named = entry->name != NULL || entry->referred;
    kith_result result = put(task, number == 0 ? "entity" : "\nentity");
    if (result == KITH_OK && named) {
        result = put(task, " ");
        result = result == KITH_OK ? put(task, name_of(task, entry)) : result;
    }
    result = result == KITH_OK ? put(task, "\n") : result;
    const kith_type *type = NULL;
    while (result == KITH_OK && (type = kith_component_next(task->world, entity, type)) != NULL) {
        result = put_component(task, entity, type);
    }
    return result;
}

/* ---- The whole ----------------------------------------------------------------------------- */

static kith_result save(save_task *task, const kith_scene_save_def *def, kith_scene_error *error)
{
    task->buffer = task->allocator.allocate(task->allocator.context, SAVE_BUFFER, 1);
    if (task->buffer == NULL) {
        return KITH_ERR_MEMORY;
    }
    task->capacity = SAVE_BUFFER;
    kith_result result = choose_all(task, def->query);
    result = result == KITH_OK ? keep_names(task, def->names) : result;
    result = result == KITH_OK ? look_at_all(task, def->lose_references, error) : result;
    for (uint32_t i = 0; result == KITH_OK && i < task->entries.count; i++) {
        result = put_entity(task, i);
    }
    return result == KITH_OK ? flush(task) : result;
}

static void end_task(save_task *task)
{
    ki_scene_list_free(&task->allocator, &task->entries, sizeof(save_entry));
    if (task->buffer != NULL) {
        task->allocator.release(task->allocator.context, task->buffer,
                                task->capacity > 0 ? task->capacity : SAVE_BUFFER, 1);
    }
    ki_scene_names_free(&task->kept, &task->allocator);
    ki_scene_arena_free(&task->arena);
}

/* With a query open, so that the structure of the world stays what it is, whatever `write` does. */
static kith_result save_locked(save_task *task, const kith_scene_save_def *def,
                               kith_scene_error *error)
{
    kith_query *all;
    kith_result result =
        kith_query_new(task->world, &(kith_query_def){.name = "kith_scene_save"}, &all);
    if (result != KITH_OK) {
        return result;
    }
    /* Of one entity, which is none: it need not know which tables there are. */
    kith_iter it = kith_query_iter_one_at(all, KITH_NONE, "kith_scene_save", 0);
    result = it.result == KITH_OK ? save(task, def, error) : it.result;
    kith_iter_end(&it);
    kith_query_free(all);
    return result;
}

kith_result kith_scene_save(kith_world *world, const kith_scene_save_def *def,
                            kith_scene_write_fn write, void *context, kith_scene_error *error)
{
    if (world == NULL || write == NULL) {
        return kith_misuse(world, "kith_scene_save: the world or the function is NULL");
    }
    static const kith_scene_save_def usual = {0};
    def = def == NULL ? &usual : def;
    if (kith_require_owner(world, "kith_scene_save") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    if (def->query != NULL && kith_query_world(def->query) != world) {
        return kith_misuse(world, "kith_scene_save: the query is of another world than the one"
                                  " that is saved; make one with kith_query_new for this world");
    }
    if (def->names != NULL && def->names->world != world) {
        return kith_misuse(world, "kith_scene_save: the scene in `names` is of another world than"
                                  " the one that is saved, and knows nobody there");
    }
    kith_allocator allocator = kith_world_allocator(world);
    save_task task = {.world = world,
                      .allocator = allocator,
                      .names = def->names,
                      .arena = {.allocator = allocator},
                      .write = write,
                      .context = context};
    kith_result result = save_locked(&task, def, error);
    end_task(&task);
    bool told = result == KITH_OK || result == KITH_ERR_INPUT; /* the latter with its reason */
    return told ? result
                : ki_scene_fail(world, error, NULL, result,
                                result == KITH_ERR_IO ? "the text could not be written" : NULL);
}
