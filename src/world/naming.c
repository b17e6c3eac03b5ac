/* Names of entities: set, written as paths, and found by them. */
#include <kith/name.h>
#include <string.h>

#include "store/unique_map.h"
#include "world/change.h"
#include "world/entity_name.h"

/* ---- One entity -------------------------------------------------------------------------------- */

kith_result kith_set_name(kith_world *world, kith_entity entity, const char *name)
{
    KI_TRY(ki_world_require_writer(world, "kith_set_name"));
    if (ki_record_of(&world->store.entities, entity) == NULL) {
        return ki_world_dead(world, "kith_set_name", entity);
    }
    if (name == NULL || *name == '\0') {
        kith_result result = kith_remove(world, entity, &kith_name_type);
        return result == KITH_ERR_ABSENT ? KITH_OK : result;
    }
    /* Before it is interned, which lasts. */
    KI_TRY(ki_entity_name_accept_bytes(&world->store.context, "kith_set_name", name, strlen(name)));
    kith_name value;
    KI_TRY(kith_text_intern(world, name, &value.text));
    return ki_world_set(world, "kith_set_name", entity, &kith_name_type, &value);
}

const char *kith_name_of(const kith_world *world, kith_entity entity)
{
    uint32_t text;
    if (ki_world_require_reader(world, "kith_name_of") != KITH_OK ||
        ki_record_of(&world->store.entities, entity) == NULL) {
        return NULL;
    }
    return ki_entity_name_in(world, entity.index1 - 1, &text);
}

/* ---- Paths ------------------------------------------------------------------------------------- */

/* How long the path of an entity is; 0: there is none. */
static size_t naming_path_length(const kith_world *world, uint32_t index1)
{
    size_t length = 0;
    for (uint32_t at1 = index1; at1 != 0; at1 = ki_entity_parent1(&world->store, at1 - 1)) {
        uint32_t text;
        const char *name = ki_entity_name_in(world, at1 - 1, &text);
        if (name == NULL) {
            return 0;
        }
        length += ki_texts_at(world->texts, text)->length + (at1 != index1);
    }
    return length;
}

/* Copies those bytes of a part of a path that are to be in the buffer. */
static void naming_put(char *buffer, size_t size, size_t at, const char *bytes, size_t length)
{
    if (at < size) {
        memcpy(buffer + at, bytes, length < size - at ? length : size - at);
    }
}

size_t kith_path(const kith_world *world, kith_entity entity, char *buffer, size_t size)
{
    if (ki_world_require_reader(world, "kith_path") != KITH_OK) {
        return 0;
    }
    if (KI_CHECKED && buffer == NULL && size != 0) {
        ki_misuse(ki_world_error_context(world),
                  "kith_path: the buffer is NULL, but its size is not 0");
        return 0;
    }
    const bool lives = ki_record_of(&world->store.entities, entity) != NULL;
    const size_t length = lives ? naming_path_length(world, entity.index1) : 0;
    size_t at = length; /* the path is written from its end */
    for (uint32_t at1 = length == 0 ? 0 : entity.index1; at1 != 0;) {
        uint32_t text;
        const char *name = ki_entity_name_in(world, at1 - 1, &text);
        const size_t bytes = ki_texts_at(world->texts, text)->length;
        at -= bytes;
        naming_put(buffer, size, at, name, bytes);
        at1 = ki_entity_parent1(&world->store, at1 - 1);
        if (at1 != 0) {
            naming_put(buffer, size, --at, "/", 1);
        }
    }
    if (size != 0) {
        buffer[length < size ? length : size - 1] = '\0';
    }
    return length;
}

/* ---- Finding ----------------------------------------------------------------------------------- */

uint32_t ki_entity_find_child(const kith_world *world, uint32_t parent1, const char *name,
                              size_t length)
{
    const ki_store *store = &world->store;
    if (store->entity_names == NULL || length == 0 || length >= UINT32_MAX) {
        return 0;
    }
    const uint32_t text = ki_texts_find(world->texts, name, (uint32_t)length);
    if (text == UINT32_MAX) {
        return 0;
    }
    const uint64_t key = ki_sibling_key(parent1, text);
    return ki_unique_find(store, store->entity_names->unique, &key);
}

/* What one part of a path leads to from `at1`, which is 0 above those without a parent; 0: nothing. */
static uint32_t naming_step(const kith_world *world, uint32_t at1, const char *part, size_t length)
{
    if (part[0] == '.' && length == 1) {
        return at1;
    }
    if (part[0] == '.' && part[1] == '.' && length == 2) {
        return at1 == 0 ? 0 : ki_entity_parent1(&world->store, at1 - 1);
    }
    return ki_entity_find_child(world, at1, part, length);
}

/* Follows a path from a living entity, or with 0 from those without a parent. */
static kith_entity naming_follow(const kith_world *world, uint32_t at1, const char *path)
{
    if (*path == '/') {
        at1 = 0;
        path++;
    }
    for (;;) {
        const size_t length = strcspn(path, "/");
        at1 = naming_step(world, at1, path, length);
        if (at1 == 0 || path[length] == '\0') {
            break;
        }
        path += length + 1;
    }
    return at1 == 0 ? KITH_NONE : ki_entity_at(&world->store.entities, at1 - 1);
}

/* Whether a call that looks for a name may go on. */
static bool naming_may_look(const kith_world *world, const char *call, const char *name)
{
    if (ki_world_require_reader(world, call) != KITH_OK) {
        return false;
    }
    if (KI_CHECKED && name == NULL) {
        ki_misuse(ki_world_error_context(world), "%s: the name is NULL", call);
        return false;
    }
    return true;
}

/* Whether an entity is none, or alive. */
static bool naming_may_begin(const kith_world *world, kith_entity entity)
{
    return kith_is_none(entity) || ki_record_of(&world->store.entities, entity) != NULL;
}

kith_entity kith_find(const kith_world *world, const char *path)
{
    return naming_may_look(world, "kith_find", path) ? naming_follow(world, 0, path) : KITH_NONE;
}

kith_entity kith_find_from(const kith_world *world, kith_entity entity, const char *path)
{
    return naming_may_look(world, "kith_find_from", path) && naming_may_begin(world, entity)
               ? naming_follow(world, entity.index1, path)
               : KITH_NONE;
}

kith_entity kith_find_child(const kith_world *world, kith_entity parent, const char *name)
{
    if (!naming_may_look(world, "kith_find_child", name) || !naming_may_begin(world, parent)) {
        return KITH_NONE;
    }
    const uint32_t found1 = ki_entity_find_child(world, parent.index1, name, strlen(name));
    return found1 == 0 ? KITH_NONE : ki_entity_at(&world->store.entities, found1 - 1);
}
