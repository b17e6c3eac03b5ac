/* A world with a few things of the test's own among many others of one kind. */
#ifndef KITH_TEST_CROWD_H
#define KITH_TEST_CROWD_H

#include <kith/kith.h>
#include <kith/observer.h>
#include <kith/profile.h>
#include <kith/reflect.h>
#include <kith/scene.h>
#include <kith/schedule.h>

#include "components.h"
#include "test.h"

#define CROWD_FRESH 10u /* tags, of whose sets no entity has more than one */

typedef struct crowd {
    kith_world *world;
    uint32_t turn;           /* times that something was tried */
    kith_entity own;         /* Position, Velocity, Health, Frozen */
    kith_entity plain;       /* Position */
    kith_query *query;       /* KITH_READ(Position), KITH_READ(Velocity) */
    kith_query *mixed;       /* KITH_READ(Health), KITH_READ(Position) */
    kith_query *wide;        /* KITH_READ(Position) and whatever has it: it was open before */
    kith_tracker *tracker;   /* of Velocity */
    kith_observer *observer; /* of Velocity */
    kith_commands *commands;
    kith_scene *scene;        /* two entities and a prefab */
    const kith_type *fresh;   /* CROWD_FRESH tags, registered */
    const kith_type *strange; /* types that are not, of which each turn may take one */

    void *made; /* by what was tried: to be undone */
    kith_entity made_entity;
} crowd;

/* What there may be many of. */
typedef struct crowd_kind {
    const char *name;
    uint32_t count; /* to compare with eight times as many */
    void (*fill)(crowd *c, uint32_t count);
} crowd_kind;

extern const crowd_kind crowd_kinds[];
extern const uint32_t crowd_kind_count;

/* A call in such a world. What it takes may depend on what it is about, not on how many others
 * there are; except for those of the kinds that `grows` names, for the reason that is given. */
typedef struct crowd_call {
    const char *name; /* of the function */
    void (*act)(crowd *c);
    void (*prepare)(crowd *c); /* before each try, or NULL */
    void (*undo)(crowd *c);    /* after it, or NULL */
    const char *grows;         /* "systems events": or NULL */
    const char *reason;
} crowd_call;

#define CALL(function) .name = #function

/* Calls that are not tried, for the reason that is given, have no `act`. */
extern const crowd_call crowd_calls_world[];
extern const uint32_t crowd_calls_world_count;
extern const crowd_call crowd_calls_beside[];
extern const uint32_t crowd_calls_beside_count;

/* A world with so many others; NULL `kind`: with none. It lives as long as the process. */
crowd crowd_new(const crowd_kind *kind, uint32_t count);

#endif
