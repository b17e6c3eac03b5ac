/* Bytes that are not a difference from what a world is, or none at all. */
#ifndef KITH_TEST_WRONG_BYTES_H
#define KITH_TEST_WRONG_BYTES_H

#include <stdlib.h>
#include <string.h>

#include "follower.h"

/* Puts the hash that the world asked for in its place: 5 is that of what a difference begins from, 13
 * that of what it replaces. */
static inline bool set_hash(const kith_world *world, unsigned char *bytes, uint32_t size)
{
    const char *error = kith_error(world);
    const char *here = strstr(error, "there, ");
    if (here == NULL || size < 21) {
        return false;
    }
    unsigned long long hash = strtoull(here + 7, NULL, 16);
    for (int i = 0; i < 8; i++) {
        bytes[(strstr(error, "random") != NULL ? 5 : 13) + i] = (unsigned char)(hash >> 8 * i);
    }
    return true;
}

/* Applies bytes as they are and, where only a hash is wrong, with that set right. */
static inline uint32_t apply_wrong(kith_world *world, const kith_snapshot *before, uint64_t hash,
                            unsigned char *bytes, uint32_t size)
{
    kith_result result = kith_diff_apply(world, bytes, size);
    for (int i = 0; i < 2 && result == KITH_ERR_CONFLICT && set_hash(world, bytes, size); i++) {
        CHECK(kith_world_hash(world) == hash);
        result = kith_diff_apply(world, bytes, size);
    }
    CHECK_WORLD(world);
    if (result == KITH_OK) {
        CHECK_RESULT(kith_snapshot_restore(world, before), KITH_OK);
        return 1;
    }
    CHECK(result == KITH_ERR_INPUT || result == KITH_ERR_CONFLICT || result == KITH_ERR_UNKNOWN ||
          result == KITH_ERR_MEMORY);
    CHECK(result != KITH_ERR_INPUT || strstr(kith_error(world), "expected") != NULL);
    CHECK(kith_world_hash(world) == hash);
    return 0;
}

/* Each byte of a difference is changed in turn, and each beginning of it is applied. */
static inline void apply_all_wrong(pair *p)
{
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(p->g.world, &before), KITH_OK);
    uint64_t hash = kith_world_hash(p->g.world);
    unsigned char *bytes = malloc(p->bytes.size + 1);
    CHECK_PTR_NOT_NULL(bytes);
    uint32_t applied = 0;
    for (uint32_t size = 0; size < p->bytes.size; size++) {
        unsigned char *copy = malloc(size + (size == 0)); /* so that reading on is seen */
        CHECK_PTR_NOT_NULL(copy);
        memcpy(copy, p->bytes.data, size);
        CHECK_UINT(apply_wrong(p->g.world, before, hash, copy, size), 0);
        free(copy);
    }
    for (uint32_t at = 0; at < p->bytes.size; at++) {
        for (uint32_t value = 1; value < 256; value += test_short() ? 7 : 1) {
            memcpy(bytes, p->bytes.data, p->bytes.size);
            bytes[at] ^= (unsigned char)value;
            applied += apply_wrong(p->g.world, before, hash, bytes, p->bytes.size);
        }
    }
    CHECK(applied > 50); /* values that are other ones */
    free(bytes);
    kith_snapshot_free(before);
    CHECK_RESULT(apply(p), KITH_OK);
    CHECK(kith_world_hash(p->g.world) == kith_world_hash(p->f.world));
}

#endif
