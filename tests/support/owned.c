#include "owned.h"

#include <stdlib.h>
#include <string.h>

#include "test.h"

static uint32_t *make_number(owned_record *record, uint32_t number)
{
    const kith_allocator *allocator = &record->allocator;
    uint32_t *made = allocator->allocate == NULL
                         ? malloc(sizeof(*made))
                         : allocator->allocate(allocator->context, sizeof(*made), 4);
    if (made != NULL) {
        *made = number;
        record->live++;
    }
    return made;
}

static void end_number(owned_record *record, Owned *value)
{
    CHECK(record->live > 0);
    record->live--;
    *value->number += 1;
    const kith_allocator *allocator = &record->allocator;
    if (allocator->allocate == NULL) {
        free(value->number);
    } else {
        allocator->release(allocator->context, value->number, sizeof(*value->number), 4);
    }
    memset(value, 0xDD, sizeof(*value));
}

/* A number for a value that a hook makes; NULL if it fails. */
static uint32_t *hook_number(owned_record *record, uint32_t number)
{
    return ++record->calls == record->fail_at ? NULL : make_number(record, number);
}

/* Ends what a hook has made before it failed. */
static kith_result end_some(owned_record *record, Owned *values, uint32_t count, kith_result result)
{
    while (count > 0) {
        end_number(record, &values[--count]);
    }
    return record->allocator.allocate == NULL ? result : KITH_ERR_MEMORY;
}

static void call_inside(owned_record *record)
{
    if (record->world != NULL) {
        record->inner = kith_despawn(record->world, (kith_entity){1, 0});
    }
    if (record->inside != NULL) {
        record->inside(record->context);
    }
}

static kith_result owned_init(void *values, uint32_t count, void *user)
{
    owned_record *record = user;
    Owned *owned = values;
    call_inside(record);
    for (uint32_t i = 0; i < count; i++) {
        owned[i] = (Owned){hook_number(record, OWNED_INITIAL), OWNED_INITIAL, 0};
        if (owned[i].number == NULL) {
            return end_some(record, owned, i, KITH_ERR_SYSTEM);
        }
    }
    return KITH_OK;
}

static kith_result owned_copy(void *to, const void *from, uint32_t count, void *user)
{
    owned_record *record = user;
    Owned *copies = to;
    const Owned *owned = from;
    call_inside(record);
    for (uint32_t i = 0; i < count; i++) {
        copies[i] = owned[i];
        copies[i].number = hook_number(record, *owned[i].number);
        if (copies[i].number == NULL) {
            return end_some(record, copies, i, KITH_ERR_MEMORY);
        }
    }
    return KITH_OK;
}

static void owned_move(void *to, void *from, uint32_t count, void *user)
{
    owned_record *record = user;
    call_inside(record);
    record->moved += count;
    for (uint32_t i = 0; i < count; i++) {
        CHECK(((const Owned *)from)[i].number != NULL);
    }
    memcpy(to, from, count * sizeof(Owned));
    memset(from, 0xDD, count * sizeof(Owned));
}

static void owned_destroy(void *values, uint32_t count, void *user)
{
    owned_record *record = user;
    call_inside(record);
    for (uint32_t i = 0; i < count; i++) {
        end_number(record, (Owned *)values + i);
    }
}

static uint64_t owned_hash(const void *value, void *user)
{
    call_inside(user);
    const Owned *owned = value;
    return (uint64_t)*owned->number << 32 | owned->tag;
}

kith_hooks owned_hooks(owned_record *record)
{
    return (kith_hooks){.init = owned_init,
                        .copy = owned_copy,
                        .move = owned_move,
                        .destroy = owned_destroy,
                        .hash = owned_hash,
                        .user = record};
}

kith_hooks owned_hooks_without_copy(owned_record *record)
{
    kith_hooks hooks = owned_hooks(record);
    hooks.copy = NULL;
    return hooks;
}

Owned owned_new(owned_record *record, uint32_t number)
{
    Owned value = {make_number(record, number), number, 0};
    CHECK_PTR_NOT_NULL(value.number);
    return value;
}

void owned_end(owned_record *record, Owned *value)
{
    end_number(record, value);
}

void owned_fail(owned_record *record, uint64_t nth)
{
    record->fail_at = nth == 0 ? 0 : record->calls + nth;
}
