/* The components of a store in order of the names of their types: a tree. How far up each is goes by the
 * hash of its id, so that the tree is about as deep as the logarithm of their number. */
#ifndef KI_STORE_NAMES_H
#define KI_STORE_NAMES_H

#include <stdint.h>

struct ki_component;

/* A component's place in the order. */
typedef struct ki_name_place {
    struct ki_component *before; /* the subtrees; NULL: they are empty */
    struct ki_component *after;
    struct ki_component *next; /* the next one in order; NULL: it is the last */
    uint64_t height;           /* at least those in the subtrees */
    uint32_t count;            /* components in its subtrees, and itself */
} ki_name_place;

/* Puts a component in its place. No other one has its name. */
void ki_names_insert(struct ki_component **root, struct ki_component *added);

/* The component that `number` others come before; NULL if there are not so many. */
struct ki_component *ki_names_at(struct ki_component *root, uint32_t number);

#endif
