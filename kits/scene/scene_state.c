#include "scene/scene_state.h"

#include <string.h>

#include "scene/scene_link.h"
#include "scene/scene_tree.h"

/* An entity of a scene. */
typedef struct state_entity {
    kith_entity handle; /* KITH_NONE: it was not made */
    uint32_t block;
    const char *name; /* in the arena */
} state_entity;

/* A copy of what is kept. Snapshots between which nothing changed share it. */
struct ki_scene_kept {
    kith_allocator allocator;
    uint32_t owners;
    uint32_t entity_count;
    uint32_t handle_count;
    bool made;
    state_entity entities[];
};

static size_t state_size(uint32_t entities)
{
    return sizeof(ki_scene_kept) + entities * sizeof(state_entity);
}

static void let_go(void *kept)
{
    ki_scene_kept *state = kept;
    if (state != NULL && --state->owners == 0) {
        kith_allocator allocator = state->allocator;
        allocator.release(allocator.context, state, state_size(state->entity_count),
                          _Alignof(ki_scene_kept));
    }
}

void ki_scene_state_changed(kith_scene *scene)
{
    let_go(scene->kept);
    scene->kept = NULL;
}

/* ---- Keeping ----------------------------------------------------------------------------------- */

static ki_scene_kept *copy_of(const kith_scene *scene)
{
    const kith_allocator *allocator = &scene->arena.allocator;
    const uint32_t count = scene->entities.count;
    ki_scene_kept *state =
        allocator->allocate(allocator->context, state_size(count), _Alignof(ki_scene_kept));
    if (state == NULL) {
        return NULL;
    }
    *state = (ki_scene_kept){.allocator = *allocator,
                             .owners = 1, /* the scene */
                             .entity_count = count,
                             .handle_count = scene->handles.count,
                             .made = scene->made};
    const uint32_t *blocks = scene->entities.items;
    for (uint32_t i = 0; i < count; i++) {
        state->entities[i] = (state_entity){ki_scene_handle(scene, i), blocks[i],
                                            ki_scene_block_at(scene, blocks[i])->name};
    }
    return state;
}

static kith_result take_state(void *thing, void **state)
{
    kith_scene *scene = thing;
    if (scene->kept == NULL) {
        scene->kept = copy_of(scene);
    }
    if (scene->kept == NULL) {
        return KITH_ERR_MEMORY;
    }
    scene->kept->owners++;
    *state = scene->kept;
    return KITH_OK;
}

/* ---- Going back -------------------------------------------------------------------------------- */

/* No list ever gets smaller, so there is room for all that was in it once. */
static void take_entities(kith_scene *scene, const ki_scene_kept *kept)
{
    uint32_t *blocks = scene->entities.items;
    kith_entity *handles = scene->handles.items;
    for (uint32_t i = 0; i < kept->entity_count; i++) {
        const state_entity *entity = &kept->entities[i];
        blocks[i] = entity->block;
        ((ki_scene_block *)scene->blocks.items)[entity->block].name = entity->name;
        if (i < kept->handle_count) {
            handles[i] = entity->handle;
        }
    }
    scene->entities.count = kept->entity_count;
    scene->handles.count = kept->handle_count;
    scene->made = kept->made;
}

/* Names belong to the entities that have them. */
static void take_names(kith_scene *scene)
{
    for (uint32_t i = 0; i < scene->names.names.count; i++) {
        ki_scene_names_at(&scene->names, i)->owner = KI_SCENE_NOTHING;
    }
    for (uint32_t i = 0; i < scene->children.names.count; i++) {
        ki_scene_names_at(&scene->children, i)->owner = KI_SCENE_NOTHING;
    }
    const uint32_t *blocks = scene->entities.items;
    for (uint32_t i = 0; i < scene->entities.count; i++) {
        const char *name = ki_scene_entity_block(scene, i)->name;
        if (*name != '\0' && ki_scene_is_child(scene, blocks[i])) {
            ki_scene_child_name(scene, blocks[i])->owner = i;
        } else if (*name != '\0') {
            uint32_t number = ki_scene_names_find(&scene->names, name, strlen(name));
            ki_scene_names_at(&scene->names, number)->owner = i;
        }
    }
}

static void restore_state(void *thing, const void *state)
{
    kith_scene *scene = thing;
    const ki_scene_kept *kept = state;
    if (kept != NULL && kept == scene->kept) {
        return;
    }
    ki_scene_state_changed(scene);
    if (kept == NULL) { /* it was not read yet: none of its entities is there */
        scene->entities.count = scene->text_entities;
        scene->handles.count = 0;
        scene->made = false;
    } else {
        take_entities(scene, kept);
        scene->kept = (ki_scene_kept *)(uintptr_t)kept;
        scene->kept->owners++;
    }
    take_names(scene);
    ki_scene_link_prefabs(scene);
}

kith_result ki_scene_state_begin(kith_scene *scene)
{
    static const kith_attached_state calls = {take_state, restore_state, let_go};
    kith_result result = kith_attach(scene->world, scene, scene, NULL);
    return result == KITH_OK ? kith_attach_state(scene->world, scene, &calls) : result;
}

void ki_scene_state_end(kith_scene *scene, kith_world *world)
{
    if (world != NULL) {
        kith_attach(world, scene, NULL, NULL);
    }
    ki_scene_state_changed(scene);
}
