/* Any bytes as the difference of two snapshots: applying ends, and gives an error that changes nothing
 * or a world that is sound, from which the difference back is written and applied. Those that begin as a
 * saved world are loaded, and what comes is saved and loaded again.
 *
 * The first byte chooses the world. Where only one of the two hashes is wrong, it is set right: else
 * hardly anything would come further than those. So it is with the hash of a saved world. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

KITH_COMPONENT(Position, (float, x), (float, y));
KITH_COMPONENT(Mixed, (int8_t, small), (int64_t, large), (kith_entity, entity), (kith_text, text),
               (char, name, 8), (bool, flag));
KITH_COMPONENT(Count, KITH_SPARSE, (uint32_t, count));
KITH_COMPONENT(Mood, KITH_SLOT, (int16_t, mood));
KITH_TAG(Frozen);
KITH_TAG(Burning, KITH_SLOT);
KITH_TAG(Wet, KITH_SPARSE);
KITH_COMPONENT(Hit, (kith_entity, target));
KITH_RELATION(Marks, KITH_CLEAR, (uint8_t, how));
KITH_RELATION(Hangs, KITH_CASCADE | KITH_ACYCLIC, KITH_SPARSE);
KITH_RELATION(Docked, KITH_REFUSE, KITH_SLOT);
KITH_LINKS(Likes, KITH_CASCADE, (uint8_t, much));

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* Has living entities lead to one another. */
static void link(kith_world *world, const kith_entity *entities, uint32_t count)
{
    for (uint32_t i = 2; i < count; i++) {
        KITH_SET(world, entities[i], Marks, {entities[0], 1});
        KITH_SET(world, entities[i], Hangs, {entities[i % 2 == 0 ? 0 : i - 1]});
        KITH_SET(world, entities[0], Docked, {entities[i]});
        KITH_SET(world, entities[i], Likes, {entities[0], entities[i], 1});
        require(i < 4 || kith_set_parent(world, entities[i], entities[i - 2]) == KITH_OK);
        require(kith_set_name(world, entities[i], i % 2 == 0 ? "even" : "odd") == KITH_OK);
    }
}

static kith_result beat(kith_world *world, kith_iter *it)
{
    (void)world, (void)it;
    return KITH_OK;
}

/* Entities of several tables, dead ones among them, and one of all else. */
static kith_world *new_world(uint32_t kind)
{
    kith_world *world = kith_world_new(NULL);
    require(world != NULL);
    KITH_TYPES(world, Position, Mixed, Count, Mood, Frozen, Burning, Wet, Hit);
    KITH_TYPES(world, Marks, Hangs, Docked, Likes, kith_child_of, kith_name);
    kith_entity entities[8];
    for (uint32_t i = 0; i < 2 + kind % 7; i++) {
        entities[i] = KITH_SPAWN(world, KITH_VALUE(Position, {(float)i, 1}));
        if ((kind >> i & 1) != 0) {
            KITH_SET(world, entities[i], Count, {i});
            KITH_ADD(world, entities[i], Burning);
        }
        if (i % 3 == 1) {
            KITH_SET(world, entities[i], Mixed, {-1, 5, entities[0], {0}, "name", true});
            KITH_SET(world, entities[i], Mood, {3});
            KITH_ADD(world, entities[i], Wet);
        }
    }
    kith_despawn(world, entities[1]);
    if (kind % 7 == 6) {
        link(world, entities, 2 + kind % 7);
    }
    KITH_RESOURCE_SET(world, Count, {7});
    KITH_SEND(world, Hit, {entities[0]});
    const kith_system_def system = {.name = "beat", .update = beat, .interval = 0.5f};
    require(kind % 2 != 0 || kith_system_add(world, &system) == KITH_OK);
    return world;
}

/* Puts the hash that the world has in its place. */
static bool set_hash(const kith_world *world, uint8_t *bytes, size_t size)
{
    const char *error = kith_error(world);
    const char *here = strstr(error, "there, ");
    if (here == NULL || size < 21) {
        return false;
    }
    unsigned long long hash = strtoull(here + 7, NULL, 16);
    for (int i = 0; i < 8; i++) {
        bytes[(strstr(error, "random") != NULL ? 5 : 13) + i] = (uint8_t)(hash >> 8 * i);
    }
    return true;
}

static void go_back(kith_world *world, const kith_snapshot *before, uint64_t hash)
{
    kith_snapshot *after;
    kith_bytes bytes = {0};
    uint64_t applied = kith_world_hash(world);
    require(kith_snapshot_take(world, &after) == KITH_OK);
    require(kith_snapshot_diff_bytes(after, before, &bytes) == KITH_OK);
    kith_result result = kith_diff_apply(world, bytes.data, bytes.size);
    require(result == KITH_OK);
    require(kith_world_check(world) == KITH_OK);
    require(kith_world_hash(world) == hash);
    require(kith_snapshot_diff_bytes(before, after, &bytes) == KITH_OK);
    require(kith_diff_apply(world, bytes.data, bytes.size) == KITH_OK);
    require(kith_world_hash(world) == applied);
    kith_bytes_free(world, &bytes);
}

/* Saves the world, which is sound, and loads that; and goes back to what it was. */
static void load_again(kith_world *world, const kith_snapshot *before, uint64_t hash)
{
    kith_bytes bytes = {0};
    const uint64_t loaded = kith_world_hash(world);
    require(kith_world_save(world, &bytes) == KITH_OK);
    require(kith_snapshot_restore(world, before) == KITH_OK);
    require(kith_world_hash(world) == hash);
    require(kith_world_load(world, bytes.data, bytes.size) == KITH_OK);
    require(kith_world_check(world) == KITH_OK);
    require(kith_world_hash(world) == loaded);
    kith_bytes_free(world, &bytes);
}

static kith_result apply_difference(kith_world *world, uint8_t *bytes, size_t size)
{
    kith_result result = kith_diff_apply(world, bytes, size);
    for (int i = 0; i < 2 && result == KITH_ERR_CONFLICT && set_hash(world, bytes, size); i++) {
        result = kith_diff_apply(world, bytes, size);
    }
    return result;
}

static kith_result load(kith_world *world, uint8_t *bytes, size_t size)
{
    const uint64_t hash = ki_hash_bytes(KI_HASH_SEED, bytes + 13, size - 13);
    for (int i = 0; i < 8; i++) {
        bytes[5 + i] = (uint8_t)(hash >> 8 * i);
    }
    return kith_world_load(world, bytes, size);
}

static void apply(kith_world *world, uint8_t *bytes, size_t size)
{
    uint64_t hash = kith_world_hash(world);
    kith_snapshot *before;
    require(kith_snapshot_take(world, &before) == KITH_OK);
    const bool saved = size >= 13 && memcmp(bytes, "KTHS", 4) == 0;
    kith_result result =
        saved ? load(world, bytes, size) : apply_difference(world, bytes, size);
    require(kith_world_check(world) == KITH_OK);
    if (result == KITH_OK) {
        saved ? load_again(world, before, hash) : go_back(world, before, hash);
        return;
    }
    require(kith_world_hash(world) == hash);
    require(result == KITH_ERR_CONFLICT || result == KITH_ERR_UNKNOWN ||
            result == KITH_ERR_MEMORY || result == KITH_ERR_LIMIT ||
            (result == KITH_ERR_INPUT && strstr(kith_error(world), "expected") != NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    kith_world *world = new_world(data[0]);
    /* A copy, so that reading one byte too far is seen. */
    uint8_t *bytes = malloc(size - 1 + (size == 1));
    require(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    apply(world, bytes, size - 1);
    free(bytes);
    kith_world_free(world);
    return 0;
}
