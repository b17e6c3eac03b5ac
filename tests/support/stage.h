/* A world in the middle of its life, for tests that try one call on it: rows up to the brim of their
 * blocks, a resource, events, systems, queries. The same arguments give equal worlds. */
#ifndef KITH_TEST_STAGE_H
#define KITH_TEST_STAGE_H

#include <kith/kith.h>

#include "components.h"
#include "owned.h"
#include "share.h"
#include "test.h"

/* The smallest value that has a block to itself. */
typedef struct Crate {
    uint32_t words[2050];
} Crate;
KITH_TYPE(Crate, KITH_FIELD(Crate, words));

/* Has a unique key. */
typedef struct Pass {
    uint32_t number;
} Pass;
KITH_TYPE(Pass, KITH_FIELD(Pass, number));

KITH_RELATION(Aims, KITH_CLEAR, (float, since));

typedef struct stage_def {
    kith_layout layout; /* of all types */
    uint32_t rows;      /* entities that have Position and Velocity */
    uint32_t dead;      /* slots that wait to be used again */
    bool shared;        /* all blocks are shared */
} stage_def;

typedef struct stage {
    stage_def def;
    fixture f;
    kith_world *world;
    kith_entity plain;     /* Position, Velocity: among the `rows` */
    kith_entity empty;     /* nothing */
    kith_entity full;      /* Position, Velocity, Health, Extra, Byte, Big, Frozen */
    kith_entity frozen;    /* Position, Frozen */
    kith_entity crates[5]; /* Crate */
    kith_entity owner;     /* Owned, whose numbers are from the world's allocator; Position */
    owned_record *owned;
    kith_entity parent;      /* of `children` and of more, one for eight rows */
    kith_entity target;      /* at which all of them aim */
    kith_entity children[4]; /* kith_child_of, Aims */
    kith_entity gone;        /* dead */
    kith_query *query;       /* KITH_WRITE(Position), KITH_OPTIONAL_MUT(Health) */
    kith_query *other;       /* KITH_READ(Health), KITH_WITH(Frozen) */
    kith_query *all;         /* KITH_READ(Position); these three were open before */
    kith_query *fresh;       /* KITH_READ(Position), which was not */
    kith_query *changed;     /* KITH_CHANGED(Position) */
    kith_observer *observer; /* of Burning, which it removes */
    kith_tracker *tracker;   /* of Burning, which one entity got and lost */
    kith_snapshot *snapshot; /* of all of this; NULL if nothing is shared */
    test_share *shared;
} stage;

/* Registered: Position, Velocity, Health, Extra, Name, Big, Byte, Frozen, Burning, Crate, Owned,
 * Pass, kith_child_of, Aims. Not: Target, Padded, Aligned. Resource: Health. Events: Position. System:
 * "look", which reads Position. */
stage stage_new(stage_def def);

/* Looks at what was shared, checks the world, and frees it. */
void stage_free(stage *s);

#endif
