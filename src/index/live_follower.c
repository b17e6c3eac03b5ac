#include "index/live_follower.h"

#include "index/refresh.h"
#include "store/relation.h"

static const ki_follower *follower_of(const kith_index *index)
{
    return index->data;
}

/* Copies what is not padding of the part of a value that is followed; the rest of the key is 0. */
static void follower_read_fields(const kith_index *index, const uint8_t *value, uint8_t *key)
{
    const ki_follower *follower = follower_of(index);
    const kith_type *type = index->component->type;
    uint32_t end = follower->offset + follower->size;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        uint32_t from = field->offset > follower->offset ? field->offset : follower->offset;
        uint32_t to = ki_min_u32(field->offset + field->size, end);
        if (from < to) {
            memcpy(key + (from - follower->offset), value + from, to - from);
        }
    }
}

static void follower_read_keys(const kith_index *index, const uint8_t *values, size_t stride,
                               uint32_t count, void *keys)
{
    const ki_follower *follower = follower_of(index);
    if (!follower->padded && stride == index->key_size) {
        memcpy(keys, values, count * stride);
        return;
    }
    uint8_t *key = keys;
    memset(key, 0, (size_t)count * index->key_size);
    for (uint32_t i = 0; i < count; i++, values += stride, key += index->key_size) {
        if (follower->padded) {
            follower_read_fields(index, values, key);
        } else {
            memcpy(key, values + follower->offset, follower->size);
        }
    }
}

/* Notes an entity, or what it leads to by this key. */
static void follower_note(const kith_index *index, const void *key, kith_entity entity)
{
    const ki_follower *follower = follower_of(index);
    if (follower->ends != NULL) {
        memcpy(&entity, (const uint8_t *)key + follower->ends->offset - follower->offset,
               sizeof entity);
    }
    ki_live_note(follower->notes, entity.index1 - 1, follower->ends == NULL);
}

static kith_result follower_insert(kith_index *index, const void *key, kith_entity entity)
{
    follower_note(index, key, entity);
    return KITH_OK;
}

static kith_result follower_change(kith_index *index, const void *from, const void *to,
                                   kith_entity entity)
{
    follower_note(index, from, entity);
    return follower_insert(index, to, entity);
}

static void follower_remove(kith_index *index, const void *key, kith_entity entity)
{
    follower_note(index, key, entity);
}

static kith_result follower_fill(kith_index *index)
{
    (void)index;
    return KITH_OK;
}

static void follower_clear(kith_index *index)
{
    (void)index;
}

/* Followers are made, counted, checked and freed by their live queries. */
static const ki_index_calls follower_calls = {.read_keys = follower_read_keys,
                                              .insert = follower_insert,
                                              .change = follower_change,
                                              .remove = follower_remove,
                                              .fill = follower_fill,
                                              .clear = follower_clear,
                                              .resumes = true};

uint32_t ki_followers_count(const ki_component *component)
{
    size_t size = component->type->size;
    return (uint32_t)(size / KI_KEY_BYTES_MAX + (size % KI_KEY_BYTES_MAX != 0));
}

/* Whether a type has padding. Fields are apart from one another. */
static bool follower_is_padded(const kith_type *type)
{
    size_t covered = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        covered += type->fields[i].size;
    }
    return covered != type->size;
}

kith_result ki_follower_begin(ki_follower *follower, kith_world *world, ki_component *component,
                              uint32_t part, const ki_relation *ends, ki_live_notes *notes)
{
    uint32_t offset = part * KI_KEY_BYTES_MAX;
    uint32_t size = ki_min_u32((uint32_t)component->type->size - offset, KI_KEY_BYTES_MAX);
    *follower = (ki_follower){.notes = notes,
                              .ends = ends,
                              .offset = offset,
                              .size = size,
                              .padded = follower_is_padded(component->type)};
    follower->index = (kith_index){.askable.world = world,
                                   .component = component,
                                   .calls = &follower_calls,
                                   .data = follower,
                                   .key_size = (uint32_t)ki_round_up(size, sizeof(uint32_t))};
    return ki_index_begin(&follower->index);
}

void ki_follower_end(ki_follower *follower)
{
    ki_index_end(&follower->index);
}

kith_result ki_follower_refresh(ki_follower *follower)
{
    return ki_index_refresh(&follower->index);
}
