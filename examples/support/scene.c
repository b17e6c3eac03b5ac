#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene_draft.h"

static kith_result spawn_one(kith_world *world, const scene_draft *draft,
                             const draft_entity *entity, kith_value *values, kith_entity *handle)
{
    const draft_value *drafts = draft->values.items;
    for (uint32_t i = 0; i < entity->value_count; i++) {
        const draft_value *value = &drafts[entity->first_value + i];
        values[i].type = value->type;
        values[i].data = value->zero ? NULL : (const char *)draft->bytes.items + value->byte;
    }
    return kith_spawn(world, values, entity->value_count, handle);
}

/* Handles exist once their entities do, so they are written afterwards, over the zeros. */
static kith_result write_references(kith_world *world, const scene_draft *draft,
                                    const kith_entity *handles)
{
    const draft_reference *references = draft->references.items;
    for (size_t i = 0; i < draft->references.count; i++) {
        const draft_reference *reference = &references[i];
        const scene_name *name =
            scene_names_find(&draft->names, reference->name.start, reference->name.length);
        void *value;
        kith_result result =
            kith_get_mut(world, handles[reference->entity], reference->type, &value);
        if (result != KITH_OK) {
            return result;
        }
        memcpy((char *)value + reference->byte, &handles[name->entity], sizeof *handles);
    }
    return KITH_OK;
}

/* Backwards, so that the slots are free in the order in which they were. */
static void undo(kith_world *world, const kith_entity *handles, uint32_t count)
{
    while (count > 0) {
        kith_despawn(world, handles[--count]);
    }
}

static kith_result make_all(kith_world *world, const scene_draft *draft, kith_entity *handles,
                            kith_value *values)
{
    const draft_entity *entities = draft->entities.items;
    uint32_t count = (uint32_t)draft->entities.count;
    kith_result result = KITH_OK;
    uint32_t made = 0;
    while (result == KITH_OK && made < count) {
        result = spawn_one(world, draft, &entities[made], values, &handles[made]);
        if (result == KITH_OK) {
            made++;
        }
    }
    if (result == KITH_OK) {
        result = write_references(world, draft, handles);
    }
    if (result != KITH_OK) {
        undo(world, handles, made);
    }
    return result;
}

static kith_result make_scene(kith_world *world, const scene_draft *draft)
{
    const draft_entity *entities = draft->entities.items;
    uint32_t most = 0;
    for (size_t i = 0; i < draft->entities.count; i++) {
        most = entities[i].value_count > most ? entities[i].value_count : most;
    }
    kith_entity *handles = calloc(draft->entities.count + 1, sizeof *handles);
    kith_value *values = calloc((size_t)most + 1, sizeof *values);
    kith_result result = handles != NULL && values != NULL
                             ? make_all(world, draft, handles, values)
                             : KITH_ERR_MEMORY;
    free(values);
    free(handles);
    return result;
}

kith_result scene_load(kith_world *world, const char *text, size_t length, uint32_t *count,
                       scene_error *error)
{
    scene_error ignored;
    if (error == NULL) {
        error = &ignored;
    }
    scene_draft draft = { .world = world };
    kith_result result =
        length <= UINT32_MAX ? scene_draft_read(&draft, text, length, error) : KITH_ERR_LIMIT;
    if (result == KITH_OK) {
        result = make_scene(world, &draft);
    }
    if (result == KITH_OK && count != NULL) {
        *count = (uint32_t)draft.entities.count;
    }
    if (result != KITH_OK && result != KITH_ERR_INPUT) {
        error->line = error->column = 0;
        snprintf(error->message, sizeof error->message, "%s",
                 result == KITH_ERR_MEMORY  ? "the memory ran out"
                 : result == KITH_ERR_LIMIT ? "the scene is too large"
                                            : kith_result_name(result));
    }
    scene_draft_free(&draft);
    return result;
}
