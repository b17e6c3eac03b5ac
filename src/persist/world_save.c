/* Saves and loads whole worlds: as the difference to a world that has nothing. */
#include "persist/world_save.h"

#include <kith/save.h>
#include <kith/snapshot.h>

#include "persist/diff_edit.h"
#include "persist/diff_write.h"

kith_result ki_world_save(kith_world *world, const char *call, kith_bytes *bytes)
{
    KI_TRY(ki_snapshot_begin(world, call));
    if (KI_CHECKED && bytes == NULL) {
        return ki_misuse(&world->store.context, "%s: the place for the bytes is NULL", call);
    }
    bytes->size = 0;
    kith_snapshot *now;
    KI_TRY(ki_snapshot_take(world, call, &now));
    kith_result result = ki_diff_write(call, NULL, now, bytes);
    kith_snapshot_free(now);
    return result;
}

kith_result kith_world_save(kith_world *world, kith_bytes *bytes)
{
    return ki_world_save(world, "kith_world_save", bytes);
}

kith_result kith_world_load(kith_world *world, const void *bytes, size_t size)
{
    return ki_diff_apply(world, "kith_world_load", true, bytes, size);
}
