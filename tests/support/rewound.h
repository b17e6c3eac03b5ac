/* A world that has all kinds of state that a snapshot holds: systems with intervals, random numbers and
 * looks for changes, events, resources, observers, values with hooks. All that systems and observers see
 * goes into a resource, and so into the world's hash. */
#ifndef KITH_TEST_REWOUND_H
#define KITH_TEST_REWOUND_H

#include "owned.h"
#include "test.h"

typedef struct rewound {
    fixture f;
    kith_world *world;
    owned_record owned;
    uint64_t seed;
    kith_query *all; /* the entities with a Position */
} rewound;

/* A world whose layouts, systems and observers differ with the seed. It is not to be moved. */
void rewound_begin(rewound *r, uint64_t seed);
void rewound_end(rewound *r);

/* A fork of a snapshot of one, with the same systems and observers; KITH_OK, or what kith_fork_new
 * returned, and then `fork` is not begun. It is not to be moved. */
kith_result rewound_fork(rewound *fork, const rewound *of, const kith_snapshot *snapshot);
void rewound_end_fork(rewound *fork);

/* Has so many threads run systems. */
void rewound_set_workers(rewound *r, uint32_t threads);

/* What the program does before a tick: it depends on the world, its tick and the seed. Then the tick.
 * Returns the world's hash after it. */
uint64_t rewound_step(rewound *r);

/* Only what the program does. */
void rewound_act(rewound *r);

#endif
