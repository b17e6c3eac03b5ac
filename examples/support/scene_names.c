#include "scene_names.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
static uint64_t hash(const char *text, size_t length)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < length; i++) {
        h = (h ^ (unsigned char)text[i]) * 1099511628211u;
    }
    return h ^ h >> 32;
}

/* Where the name is, or where it would go: at most half of the places are taken. */
static scene_name *place_of(const scene_names *names, const char *text, size_t length)
{
    size_t mask = names->place_count - 1;
    for (size_t i = (size_t)hash(text, length) & mask;; i = (i + 1) & mask) {
        scene_name *place = &names->places[i];
        if (place->text == NULL ||
            (place->length == length && memcmp(place->text, text, length) == 0)) {
            return place;
        }
    }
}

const scene_name *scene_names_find(const scene_names *names, const char *text, size_t length)
{
    if (names->place_count == 0) {
        return NULL;
    }
    const scene_name *place = place_of(names, text, length);
    return place->text != NULL ? place : NULL;
}

static bool grow(scene_names *names)
{
    scene_names bigger = {
        .place_count = names->place_count > 0 ? names->place_count * 2 : 16,
        .count = names->count,
    };
    bigger.places = calloc(bigger.place_count, sizeof *bigger.places);
    if (bigger.places == NULL) {
        return false;
    }
    for (size_t i = 0; i < names->place_count; i++) {
        const scene_name *name = &names->places[i];
        if (name->text != NULL) {
            *place_of(&bigger, name->text, name->length) = *name;
        }
    }
    free(names->places);
    *names = bigger;
    return true;
}

bool scene_names_add(scene_names *names, scene_name name)
{
    if ((names->count + 1) * 2 > names->place_count && !grow(names)) {
        return false;
    }
    *place_of(names, name.text, name.length) = name;
    names->count++;
    return true;
}

void scene_names_free(scene_names *names)
{
    free(names->places);
    *names = (scene_names){ 0 };
}
