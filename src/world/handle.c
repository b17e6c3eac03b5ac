/* Handles as text. */
#include <stdio.h>
#include <string.h>

#include <kith/entity.h>

#include "base/compiler.h"

kith_entity_text kith_entity_to_text(kith_entity entity)
{
    kith_entity_text printed = {"Entity(null)"};
    if (entity.index1 != 0) {
        snprintf(printed.text, sizeof printed.text, "Entity(%uv%u)", entity.index1 - 1,
                 entity.generation);
    } else if (entity.generation != 0) {
        snprintf(printed.text, sizeof printed.text, "Entity(~%u)", entity.generation);
    }
    return printed;
}

/* Reads digits without a leading zero; NULL if there are none, or the number is too large. */
static const char *handle_number(const char *text, uint32_t largest, uint32_t *number)
{
    if (*text < '0' || *text > '9' || (text[0] == '0' && text[1] >= '0' && text[1] <= '9')) {
        return NULL;
    }
    uint64_t value = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        value = value * 10 + (uint64_t)(*text - '0');
        if (value > largest) {
            return NULL;
        }
    }
    *number = (uint32_t)value;
    return text;
}

/* Reads the rest of a handle, after "Entity(". */
static bool handle_parse(const char *text, kith_entity *entity)
{
    if (strcmp(text, "null)") == 0) {
        *entity = KITH_NONE;
        return true;
    }
    uint32_t index = UINT32_MAX;
    if (*text != '~') {
        text = handle_number(text, UINT32_MAX - 1, &index);
        if (text == NULL || *text != 'v') {
            return false;
        }
    }
    uint32_t generation;
    text = handle_number(text + 1, UINT32_MAX, &generation);
    if (text == NULL || strcmp(text, ")") != 0 || (index == UINT32_MAX && generation == 0)) {
        return false;
    }
    *entity = (kith_entity){index + 1, generation};
    return true;
}

kith_result kith_entity_from_text(const char *text, kith_entity *entity)
{
    kith_entity parsed;
    if (text == NULL || strncmp(text, "Entity(", 7) != 0 || !handle_parse(text + 7, &parsed)) {
        return KITH_ERR_INPUT;
    }
    if (entity != NULL) {
        *entity = parsed;
    }
    return KITH_OK;
}
