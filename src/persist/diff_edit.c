/* Shared by all parts that read the difference of two snapshots: mistakes, and types that it names. */
#include "persist/diff_edit.h"

#include <string.h>

#include "world/first_use.h"

kith_result ki_diff_edit_status(ki_diff_edit *edit)
{
    const ki_unpack *from = &edit->from;
    return from->expected == NULL
               ? KITH_OK
               : ki_fail(&edit->world->store.context, KITH_ERR_INPUT, "%s: byte %u: expected %s",
                         edit->call, from->wrong_at, from->expected);
}

const kith_type *ki_diff_edit_type(ki_diff_edit *edit)
{
    uint64_t number1 = ki_unpack_number(&edit->from, edit->type_count, "the number of a type");
    return number1 == 0 ? NULL : edit->types[number1 - 1];
}

/* A type of that name and hash that the world has for anything; `*named` is the last of the name. */
static const kith_type *edit_match_type(const kith_type *candidate, const char *name,
                                        uint32_t length, uint64_t hash, const kith_type **named)
{
    if (candidate == NULL || strlen(candidate->name) != length ||
        memcmp(candidate->name, name, length) != 0) {
        return NULL;
    }
    *named = candidate;
    return ki_packed_type_hash(candidate) == hash ? candidate : NULL;
}

static const kith_type *edit_find_kept_type(ki_kept *const *items, uint32_t count, const char *name,
                                            uint32_t length, uint64_t hash, const kith_type **named)
{
    const kith_type *found = NULL;
    for (uint32_t i = 0; i < count && found == NULL; i++) {
        found = edit_match_type(items[i]->type, name, length, hash, named);
    }
    return found;
}

static kith_result edit_find_type(ki_diff_edit *edit, const char *name, uint32_t length,
                                  uint64_t hash, const kith_type **type)
{
    const kith_world *world = edit->world;
    char text[128]; /* names are shorter */
    if (length >= sizeof text || memchr(name, '\0', length) != NULL) {
        ki_unpack_wrong(&edit->from, edit->from.at, "the name of a type");
        return ki_diff_edit_status(edit);
    }
    memcpy(text, name, length);
    text[length] = '\0';
    const kith_type *named = NULL;
    *type = edit_match_type(kith_type_find(world, text), name, length, hash, &named);
    if (*type != NULL) { /* one of Kith's own may not be registered here */
        ki_component *component;
        KI_TRY(ki_world_use(edit->world, edit->call, *type, &component));
    }
    if (*type == NULL) {
        *type = edit_find_kept_type(world->resources, world->resource_count, name, length, hash,
                                    &named);
    }
    if (*type == NULL) {
        *type = edit_find_kept_type(world->queues, world->queue_count, name, length, hash, &named);
    }
    if (*type != NULL) {
        return KITH_OK;
    }
    return named != NULL
               ? ki_fail(&edit->world->store.context, KITH_ERR_CONFLICT,
                         "%s: '%s' has other fields, or another version, there than here",
                         edit->call, text)
               : ki_fail(&edit->world->store.context, KITH_ERR_UNKNOWN,
                         "%s: the type '%s' is not known here; register it with KITH_TYPES",
                         edit->call, text);
}

kith_result ki_diff_edit_types(ki_diff_edit *edit)
{
    ki_unpack *from = &edit->from;
    uint64_t count = ki_unpack_number(from, ki_unpack_rest(from), "a number of types");
    KI_TRY(ki_diff_edit_status(edit));
    KI_TRY(ki_heap_grow(&edit->world->store.context.heap, &edit->types, &edit->type_capacity,
                        (uint32_t)count + 1, sizeof *edit->types, 1));
    for (uint64_t i = 0; i < count; i++) {
        uint64_t length = ki_unpack_number(from, ki_unpack_rest(from), "the length of a name");
        const char *name = (const char *)ki_unpack_bytes(from, (uint32_t)length);
        uint64_t hash = ki_unpack_fixed(from, 8);
        KI_TRY(ki_diff_edit_status(edit));
        const kith_type *type = NULL;
        KI_TRY(edit_find_type(edit, name, (uint32_t)length, hash, &type));
        edit->types[edit->type_count++] = type;
    }
    return KITH_OK;
}
