/* An index of a million values beside a structure that is written by hand for just this. Each kind
 * of index is asked while nothing changes, after changes of several sorts, and in turns with them:
 * refresh.c has the rows, and a kind tells what is indexed and how it is done by hand. */
#ifndef BENCH_REFRESH_H
#define BENCH_REFRESH_H

#include "bench.h"

enum { REFRESH_VALUES = 1000000 };

typedef struct Number {
    uint32_t value;
} Number;
KITH_TYPE(Number, KITH_FIELD(Number, value));

/* Values that change, by their numbers, in the order in which they do; one may be named twice. */
typedef struct refresh_list {
    const uint32_t *who;
    const void *to; /* as many values */
    uint32_t count;
} refresh_list;

/* Value number i is that of the entity in slot i. */
static inline kith_entity refresh_entity(uint32_t i)
{
    return (kith_entity){i + 1, 0};
}

typedef struct refresh_kind {
    const kith_type *type; /* of the values, in tables */
    kith_index_def def;
    void (*draw)(uint64_t *random, void *value);
    void (*change)(uint64_t *random, void *value);
    /* The entities that an index finds where a value is: the sum of their slots. */
    uint64_t (*ask)(kith_index *index, const void *at);

    /* The structure by hand, which keeps values of its own. */
    void *(*fill_hand)(const void *values);
    void (*free_hand)(void *hand);
    void (*apply)(void *hand, const refresh_list *list);
    void (*read)(void *hand, const void *values); /* finds those that differ from what is kept */
    void (*remove)(void *hand, const uint32_t *who, uint32_t count);
    uint64_t (*ask_hand)(const void *hand, const void *at);
} refresh_kind;

extern const refresh_kind refresh_hash;
extern const refresh_kind refresh_ordered;
extern const refresh_kind refresh_function; /* ordered by what a function makes of values */
extern const refresh_kind refresh_places;

void refresh_draw_number(uint64_t *random, void *value);

#endif
