/* References: names of entities in values become handles. */
#include "scene/scene_link.h"

#include <string.h>

/* The handle of an entity that a value names. */
static kith_entity linked(const kith_scene *scene, const ki_scene_value *value,
                          const ki_scene_handles *handles, kith_entity named)
{
    uint32_t entity;
    if (named.generation == KI_SCENE_BY_NODE) {
        uint32_t node = value->frame + named.index1 - 1;
        if (handles->nodes != NULL) {
            return handles->nodes[node];
        }
        entity = ki_scene_block_at(scene, ki_scene_node(scene, handles->root, node))->entity;
    } else {
        const ki_scene_name *name = ki_scene_names_at(&scene->names, named.index1 - 1);
        if (name->stands_for == KI_SCENE_OUTSIDE) {
            return name->outside;
        }
        entity = name->stands_for;
    }
    return handles->entities == NULL || entity == KI_SCENE_NOTHING ? KITH_NONE
                                                                   : handles->entities[entity];
}

void ki_scene_link_value(const kith_scene *scene, const ki_scene_value *value,
                         const ki_scene_handles *handles, void *bytes)
{
    const kith_type *type = value->type;
    memcpy(bytes, value->bytes, type->size);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        uint32_t count =
            field->kind == KITH_ENTITY ? field->size / (uint32_t)sizeof(kith_entity) : 0;
        for (uint32_t k = 0; k < count; k++) {
            kith_entity entity;
            char *at = (char *)bytes + field->offset + k * sizeof entity;
            memcpy(&entity, at, sizeof entity);
            if (entity.index1 != 0) {
                entity = linked(scene, value, handles, entity);
                memcpy(at, &entity, sizeof entity);
            }
        }
    }
}

static bool has_end(const kith_scene *scene, const ki_scene_value *value, const char *bytes,
                    uint32_t end)
{
    kith_entity named = KITH_NONE;
    kith_entity target = KITH_NONE;
    if (value->bytes != NULL) {
        memcpy(&named, value->bytes + end * sizeof named, sizeof named);
        memcpy(&target, bytes + end * sizeof target, sizeof target);
    }
    bool outside =
        named.index1 != 0 && named.generation == KI_SCENE_BY_NAME &&
        ki_scene_names_at(&scene->names, named.index1 - 1)->stands_for == KI_SCENE_OUTSIDE;
    return outside ? kith_alive(scene->world, target) : !kith_is_none(target);
}

bool ki_scene_has_ends(const kith_scene *scene, const ki_scene_value *value, const void *bytes)
{
    bool has = true;
    for (uint32_t i = 0; i < ki_scene_ends(value->type); i++) {
        has = has && has_end(scene, value, bytes, i);
    }
    return has;
}

void ki_scene_link_prefabs(kith_scene *scene)
{
    const kith_entity *handles = scene->handles.count == 0 ? NULL : scene->handles.items;
    const kith_prefab *prefabs = scene->prefabs.items;
    for (uint32_t i = 0; i < scene->prefabs.count; i++) {
        const ki_scene_value *values =
            ki_scene_values_of(scene, ki_scene_block_at(scene, prefabs[i].block));
        const ki_scene_handles linked_with = {handles, NULL, prefabs[i].block};
        for (uint32_t k = 0; k < prefabs[i].value_count; k++) {
            if (values[k].refers) {
                /* The prefab's own bytes: calls see only their address. */
                ki_scene_link_value(scene, &values[k], &linked_with,
                                    (void *)(uintptr_t)prefabs[i].values[k].data);
            }
        }
    }
}
