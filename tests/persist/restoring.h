/* Snapshots of fixtures, taken and restored with all checks. */
#ifndef KITH_TEST_RESTORING_H
#define KITH_TEST_RESTORING_H

#include <kith/kith.h>

#include "test.h"

static inline kith_snapshot *take(const fixture *f)
{
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(f->world, &snapshot), KITH_OK);
    CHECK_WORLD(f->world);
    return snapshot;
}

static inline void restore(const fixture *f, const kith_snapshot *snapshot)
{
    CHECK_RESULT(kith_snapshot_restore(f->world, snapshot), KITH_OK);
    CHECK_WORLD(f->world);
}

static inline void run(const fixture *f)
{
    CHECK_RESULT(kith_run(f->world, 1), KITH_OK);
    CHECK_WORLD(f->world);
}

#endif
