#include "index/key_function.h"

#include "index/frame.h"
#include "world/first_use.h"

static kith_result function_require(const kith_index *index, const ki_component *keys)
{
    ki_context *context = ki_world_context(index->askable.world);
    const kith_type *type = index->component->type;
    if (type->size == 0) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_index_new: %s has no value to make a key from",
                       type->name);
    }
    return keys->hooks == NULL
               ? KITH_OK
               : ki_fail(context, KITH_ERR_INPUT,
                         "kith_index_new: keys are plain values, and %s has hooks",
                         keys->type->name);
}

kith_result ki_key_function_init(kith_index *index, const kith_index_def *def)
{
    index->type = index->component->type;
    if (def->key == NULL) {
        return KITH_OK;
    }
    ki_component *keys;
    KI_TRY(ki_world_use(index->askable.world, "kith_index_new", def->type, &keys));
    KI_TRY(function_require(index, keys));
    ki_heap *heap = ki_index_heap(index);
    void *key = ki_heap_alloc(heap, keys->type->size, keys->type->align);
    if (key == NULL) {
        return ki_without_message(heap, KITH_ERR_MEMORY);
    }
    index->type = keys->type;
    index->function = (ki_key_function){
        .call = def->key,
        .user = def->user,
        .key = key,
        .copied = index->component->hooks == NULL ? index->component->type : NULL};
    return KITH_OK;
}

void ki_key_function_free(kith_index *index)
{
    ki_heap_free(ki_index_heap(index), index->function.key, index->type->size, index->type->align);
    index->function = (ki_key_function){0};
}

size_t ki_key_function_bytes(const kith_index *index)
{
    return index->function.key == NULL ? 0 : index->type->size;
}

/* ---- Calling it */

/* Neither the function nor what it calls may use the world meanwhile. */
static void function_enter(const kith_index *index, ki_guard *guard)
{
    ki_context *context = ki_world_context(index->askable.world);
    guard->inside = (ki_inside){.context = context,
                                .before = "the key function of an index of '",
                                .name = index->component->type->name,
                                .after = "' is running; it must not call into the world"};
    ki_guard_enter(context, guard);
}

static void function_leave(const kith_index *index, const ki_guard *guard)
{
    ki_guard_leave(ki_world_context(index->askable.world), guard);
}

/* Makes the key of a value. False: the entity is left out, and the key is zero. */
static bool function_call(const kith_index *index, const uint8_t *value, void *key)
{
    const ki_key_function *function = &index->function;
    memset(function->key, 0, index->type->size);
    if (!function->call(value, function->key, function->user)) {
        memset(key, 0, index->key_size);
        return false;
    }
    index->calls->read_keys(index, function->key, 0, 1, key);
    return true;
}

/* Whether a mirror knows what the function says of a value. */
static bool function_knows(const kith_index *index, const ki_mirror *mirror, uint32_t row,
                           const uint8_t *value)
{
    return index->filled && index->mirrors.copied != NULL &&
           !kith_entity_equal(*ki_mirror_entity(mirror, row), KITH_NONE) &&
           memcmp(ki_mirror_copy(mirror, row), value, index->component->type->size) == 0;
}

static bool function_read_row(const kith_index *index, const ki_mirror *mirror, uint32_t row,
                              const uint8_t *value, void *key)
{
    if (function_knows(index, mirror, row, value)) {
        memcpy(key, ki_mirror_key(mirror, row), index->key_size);
        return ki_mirror_entity(mirror, row)->index1 != 0;
    }
    if (index->mirrors.copied != NULL) {
        memcpy(ki_mirror_copy(mirror, row), value, index->component->type->size);
    }
    return function_call(index, value, key);
}

void ki_key_function_read(const kith_index *index, const ki_mirror *mirror, uint32_t row,
                          const uint8_t *values, uint32_t count, kith_entity *entities, void *keys)
{
    ki_guard guard;
    function_enter(index, &guard);
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *key = (uint8_t *)keys + (size_t)i * index->key_size;
        if (entities[i].index1 == 0) {
            memset(key, 0, index->key_size);
        } else if (!function_read_row(index, mirror, row + i,
                                      values + (size_t)i * index->component->type->size, key)) {
            entities[i] = KI_LEFT_OUT;
        }
    }
    function_leave(index, &guard);
}

/* ---- Looking at the whole */

/* Whether the function says the same of a copy as it said before. */
static bool function_agrees(const kith_index *index, const ki_mirror *mirror, uint32_t row)
{
    uint64_t key[KI_KEY_BYTES_MAX / sizeof(uint64_t)];
    bool in = function_call(index, ki_mirror_copy(mirror, row), key);
    return in == (ki_mirror_entity(mirror, row)->index1 != 0) &&
           memcmp(key, ki_mirror_key(mirror, row), index->key_size) == 0;
}

const char *ki_key_function_check(const kith_index *index)
{
    if (!index->filled || index->mirrors.copied == NULL) {
        return NULL;
    }
    bool right = true;
    ki_guard guard;
    function_enter(index, &guard);
    for (uint32_t number = 0; number < index->mirrors.capacity; number++) {
        const ki_mirror *mirror = index->mirrors.list[number];
        for (uint32_t row = 0; mirror != NULL && right && row < mirror->count; row++) {
            right = kith_entity_equal(*ki_mirror_entity(mirror, row), KITH_NONE) ||
                    function_agrees(index, mirror, row);
        }
    }
    function_leave(index, &guard);
    return right ? NULL : "the key function of an index says something else of the same value";
}
