/* A way: from the entities of a selection to those whose component it reads: themselves, or others. */
#ifndef KI_REFLECT_SELECT_WAY_H
#define KI_REFLECT_SELECT_WAY_H

#include "query/via.h"
#include "reflect/query_text_compile.h"

typedef struct ki_select_way {
    uint32_t entity; /* the number in the row of the one that it begins at */
    const kith_type *type;                  /* of the component in the end */
    ki_named_field steps[KI_VIA_STEPS_MAX]; /* the fields that lead to the next entity */
    uint32_t step_count;
    bool nearest; /* then it leads up to the nearest ancestor that has the component */
} ki_select_way;

/* Finds the way that a node tells, except for its type, and the node at its end, which is a name.
 * KITH_ERR_INPUT */
kith_result ki_select_find_way(ki_compiler *compiler, uint32_t number, ki_select_way *way,
                               uint32_t *leaf);

/* The way of a compiled term that reads a component. */
kith_result ki_select_term_way(ki_compiler *compiler, const kith_term *term, ki_select_way *way);

bool ki_select_is_same_way(const ki_select_way *a, const ki_select_way *b);

/* Writes a way to a field, as a text has it, like snprintf. */
size_t ki_select_print_way(const ki_compiler *compiler, const ki_select_way *way, const char *field,
                           char *text, size_t size);

/* Finds the values of the component that a way leads to from `count` entities, where it begins; NULL:
 * there is none. `others` is room for as many handles. */
void ki_select_follow(const kith_world *world, const ki_select_way *way,
                      const kith_entity *entities, uint32_t count, kith_entity *others,
                      const void **values);

#endif
