/* Key functions: the program computes keys from the values of a component.
 *
 * It is called for values that are new or have changed. What it said of others is in the mirrors: the
 * key, KI_LEFT_OUT, and a copy of the value to compare with. Values with hooks are not copied, since
 * what they own may change while their bytes do not: of these it is called for each value in a block
 * that was written. */
#ifndef KI_INDEX_KEY_FUNCTION_H
#define KI_INDEX_KEY_FUNCTION_H

#include <kith/index.h>

#include "index/mirror.h"

typedef struct ki_key_function {
    kith_index_key_fn call; /* NULL: the index is of the component's own fields */
    void *user;
    void *key;               /* room for one */
    const kith_type *copied; /* of the values that mirrors keep; NULL: they keep none */
} ki_key_function;

/* Sets `type` and `function` of an index. KITH_ERR_INPUT, KITH_ERR_MEMORY, or what fails in registering
 * the type of keys: then there is nothing to free. */
kith_result ki_key_function_init(kith_index *index, const kith_index_def *def);
void ki_key_function_free(kith_index *index);
size_t ki_key_function_bytes(const kith_index *index);

/* Computes the keys of some rows that follow one another, from row `row` of a mirror on. The key of a
 * row without an entity is zero. An entity that the function leaves out becomes KI_LEFT_OUT. If the
 * index is filled, keys of values that did not change are taken from the mirror. All of its rows that
 * were read have to be brought up to date then, or the mirrors emptied. */
void ki_key_function_read(const kith_index *index, const ki_mirror *mirror, uint32_t row,
                          const uint8_t *values, uint32_t count, kith_entity *entities, void *keys);

/* Calls the function for all copies: the first thing wrong with what the mirrors know, or NULL. */
const char *ki_key_function_check(const kith_index *index);

#endif
