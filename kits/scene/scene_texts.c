#include "scene/scene_texts.h"

#include <string.h>

typedef struct texts_value {
    const kith_type *type;
    char *bytes;
} texts_value;

kith_result ki_scene_texts_keep(ki_scene_texts *texts, const char *bytes, size_t length,
                                kith_text *text)
{
    if (length == 0) {
        *text = (kith_text){0};
        return KITH_OK;
    }
    uint32_t number = ki_scene_names_find(&texts->texts, bytes, length);
    if (number == KI_SCENE_NOTHING) {
        number = ki_scene_names_add(&texts->texts, &texts->arena, bytes, length);
    }
    if (number == KI_SCENE_NOTHING) {
        return KITH_ERR_MEMORY;
    }
    *text = (kith_text){number + 1};
    return KITH_OK;
}

static bool has_texts(const kith_type *type)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].kind == KITH_TEXT) {
            return true;
        }
    }
    return false;
}

kith_result ki_scene_texts_note(ki_scene_texts *texts, const kith_type *type, char *bytes)
{
    if (!has_texts(type)) {
        return KITH_OK;
    }
    texts_value *value =
        ki_scene_list_add(&texts->arena.allocator, &texts->values, 1, sizeof *value);
    if (value == NULL) {
        return KITH_ERR_MEMORY;
    }
    *value = (texts_value){type, bytes};
    return KITH_OK;
}

static void put_texts(const ki_scene_texts *texts, const texts_value *value)
{
    for (uint32_t i = 0; i < value->type->field_count; i++) {
        const kith_field *field = &value->type->fields[i];
        uint32_t count = field->kind == KITH_TEXT ? field->size / (uint32_t)sizeof(kith_text) : 0;
        for (uint32_t k = 0; k < count; k++) {
            kith_text text;
            char *place = value->bytes + field->offset + k * sizeof text;
            memcpy(&text, place, sizeof text);
            if (text.number != 0) {
                text.number = ki_scene_names_at(&texts->texts, text.number - 1)->stands_for;
                memcpy(place, &text, sizeof text);
            }
        }
    }
}

kith_result ki_scene_texts_intern(ki_scene_texts *texts, kith_world *world)
{
    for (uint32_t i = 0; i < texts->texts.names.count; i++) {
        ki_scene_name *name = ki_scene_names_at(&texts->texts, i);
        kith_text text;
        kith_result result = kith_text_intern_bytes(world, name->text, name->length, &text);
        if (result != KITH_OK) {
            return result;
        }
        name->stands_for = text.number;
    }
    const texts_value *values = texts->values.items;
    for (uint32_t i = 0; i < texts->values.count; i++) {
        put_texts(texts, &values[i]);
    }
    return KITH_OK;
}

void ki_scene_texts_free(ki_scene_texts *texts)
{
    ki_scene_names_free(&texts->texts, &texts->arena.allocator);
    ki_scene_list_free(&texts->arena.allocator, &texts->values, sizeof(texts_value));
    ki_scene_arena_free(&texts->arena);
}
