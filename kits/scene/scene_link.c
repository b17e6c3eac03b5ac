/* References: names of entities in values become handles. */
#include <string.h>

#include "scene/scene.h"

void ki_scene_link_value(const kith_scene *scene, const ki_scene_value *value,
                         const kith_entity *handles, void *bytes)
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
                const ki_scene_name *name = ki_scene_names_at(&scene->names, entity.index1 - 1);
                entity = name->stands_for == KI_SCENE_OUTSIDE ? name->outside
                         : handles == NULL                    ? KITH_NONE
                                                              : handles[name->stands_for];
                memcpy(at, &entity, sizeof entity);
            }
        }
    }
}

void ki_scene_link_prefabs(kith_scene *scene)
{
    const kith_entity *handles = scene->handles.count == 0 ? NULL : scene->handles.items;
    const kith_prefab *prefabs = scene->prefabs.items;
    for (uint32_t i = 0; i < scene->prefabs.count; i++) {
        const ki_scene_value *values =
            ki_scene_values_of(scene, ki_scene_block_at(scene, prefabs[i].block));
        for (uint32_t k = 0; k < prefabs[i].value_count; k++) {
            if (values[k].refers) {
                /* The prefab's own bytes: calls see only their address. */
                ki_scene_link_value(scene, &values[k], handles,
                                    (void *)(uintptr_t)prefabs[i].values[k].data);
            }
        }
    }
}
