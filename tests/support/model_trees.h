/* The part of the naive model that is about trees of entities: what children inherit, and clones of all
 * that is below an entity. */
#ifndef KITH_TEST_MODEL_TREES_H
#define KITH_TEST_MODEL_TREES_H

#include "model.h"

/* Whether neither the entity nor an ancestor has kith_disabled. */
bool model_is_enabled(const model *m, const model_entity *entity);

/* Whether it has what a term with this type asks for: the component, or what is inherited. */
bool model_has(const model *m, const model_entity *entity, const kith_type *type);

/* The entity and all below it, each before its children: first those that are linked, in their order,
 * then those whose value names the parent, though there is no link yet, by `order`. After these the
 * links of KITH_LINKS from all that is listed, each with all below it. Returns how many. `list` and
 * `named`, whether the clone has a name, have room for all of the model's. */
uint32_t model_tree(const model *m, kith_entity root, kith_entity *list, bool *named);

/* Has a clone get what an entity has, by values of `order`; its name only with `named`. */
void model_copy_values(model *m, kith_entity from, kith_entity to, bool named, uint32_t order);

/* What names one of `from` in the values of an entity names the one in that place of `to` instead; but
 * the `root` stays with its parent. */
void model_rename(model_entity *entity, bool root, const kith_entity *from, const kith_entity *to,
                  uint32_t count);

/* kith_clone_tree. Returns the clone of the root, which is alive. */
kith_entity model_clone_tree(model *m, kith_entity root);

#endif
