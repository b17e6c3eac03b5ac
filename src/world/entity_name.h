/* Names of entities, as calls that write values and messages need them. */
#ifndef KI_WORLD_ENTITY_NAME_H
#define KI_WORLD_ENTITY_NAME_H

#include "store/relation.h"
#include "world/world.h"

/* Makes sure that some bytes can be a name. KITH_ERR_INPUT, with a message in `context` that names
 * `call`. */
kith_result ki_entity_name_accept_bytes(ki_context *context, const char *call, const char *bytes,
                                        size_t length);

/* The same for a value; NULL is zero bytes. */
kith_result ki_entity_name_accept(const kith_world *world, ki_context *context, const char *call,
                                  const void *value);

/* The name of the entity in a slot; NULL: it is dead, or has none. `*text` is its number. */
const char *ki_entity_name_in(const kith_world *world, uint32_t index, uint32_t *text);

/* The slot plus one of the child of a slot, or with 0 of the entity without a parent, that has a name;
 * 0: there is none. */
uint32_t ki_entity_find_child(const kith_world *world, uint32_t parent1, const char *name,
                              size_t length);

/* The name of an entity for a message, with as many of its ancestors' as fit into `size` bytes, of
 * which there are at least 8; NULL: it has none. Links may be such as are still to be checked. */
const char *ki_entity_name_describe(const kith_world *world, kith_entity entity, char *text,
                                    size_t size);

#endif
