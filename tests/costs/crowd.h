/* A world with a few things of the test's own among many others of one kind. */
#ifndef KITH_TEST_CROWD_H
#define KITH_TEST_CROWD_H

#include <kith/kith.h>
#include <kith/scene.h>

#include "components.h"
#include "test.h"

#define CROWD_FRESH 11u /* tags, of whose sets no entity has more than one */
#define CROWD_TRIES 6u  /* of each call */

/* Something that was made before all others; made for each try, to be freed. */
typedef struct crowd_old {
    kith_commands *commands;
    kith_tracker *tracker;
    kith_observer *observer;
    kith_query *query;
    kith_scene *scene;
    kith_entity entity;
    kith_pool *pool;
    char system[16];
} crowd_old;

typedef struct crowd {
    kith_world *world;
    uint32_t try;            /* of the call */
    uint32_t turn;           /* times that something was tried */
    kith_entity own;         /* Position, Velocity, Name, Health, Frozen, Byte */
    kith_entity plain;       /* Position */
    kith_entity parent;      /* with few children, before all others */
    kith_entity child;       /* its last one, after all others */
    kith_entity family;      /* has a child, and no parent */
    kith_query *query;       /* KITH_READ(Position), KITH_READ(Name): `own` alone */
    kith_query *mixed;       /* KITH_READ(Byte), KITH_READ(Position): `own` alone */
    kith_query *wide;        /* KITH_READ(Position) */
    kith_query *changed;     /* KITH_CHANGED(Name), exact */
    kith_tracker *tracker;   /* of Velocity */
    kith_observer *observer; /* of Velocity */
    kith_commands *commands;
    kith_scene *scene;        /* two entities and a prefab */
    kith_pool *pool;          /* of Extra */
    const kith_type *fresh;   /* CROWD_FRESH tags, registered */
    const kith_type *strange; /* types that are not, of which each turn may take one */
    crowd_old old[CROWD_TRIES];
    void (*within)(struct crowd *c, kith_iter *it); /* what the system "own" does in kith_run */
    uint64_t within_work;

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
 * there are. */
typedef struct crowd_call {
    const char *names; /* of functions */
    void (*act)(crowd *c);
    void (*prepare)(crowd *c);               /* before each try, or NULL */
    void (*undo)(crowd *c);                  /* after it, or NULL */
    void (*within)(crowd *c, kith_iter *it); /* instead of `act`: by a system of a query */
} crowd_call;

#define CALL(...) .names = #__VA_ARGS__

extern const crowd_call crowd_calls_entities[];
extern const uint32_t crowd_calls_entities_count;
extern const crowd_call crowd_calls_world[];
extern const uint32_t crowd_calls_world_count;
extern const crowd_call crowd_calls_beside[];
extern const uint32_t crowd_calls_beside_count;
extern const crowd_call crowd_calls_systems[];
extern const uint32_t crowd_calls_systems_count;
extern const crowd_call crowd_calls_relations[];
extern const uint32_t crowd_calls_relations_count;

/* Writes a scene to nowhere. */
bool crowd_write_nowhere(void *context, const char *bytes, size_t count);

/* Spawns an entity into a table that was not there; and ends it. */
void crowd_spawn_new(crowd *c);
void crowd_undo_entity(crowd *c);

/* A world with so many others. Ended by kith_world_free alone: the rest lives as long as the process. */
crowd *crowd_new(const crowd_kind *kind, uint32_t count);

#endif
