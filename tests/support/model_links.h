/* The part of the naive model that is about relations, names and unique keys: for each relation the
 * links in the order in which they were made, so that those to one target are its sources in order.
 * Targets are what values say. */
#ifndef KITH_TEST_MODEL_LINKS_H
#define KITH_TEST_MODEL_LINKS_H

#include "model.h"

typedef struct model_link {
    kith_entity source;
    kith_entity target;
} model_link;

/* A type that KITH_LINKS declares has two. */
typedef struct model_relation {
    const kith_type *type;
    uint32_t offset; /* of the target in a value */
    uint32_t rules;
    bool pulls; /* with the target, what the first relation of the type leads to ends too */
    model_link *list;
    uint32_t count;
    uint32_t capacity;
} model_relation;

/* Those that end together. */
typedef struct model_ends {
    kith_entity *list; /* in the order in which they end */
    uint32_t count;
    bool *gone; /* by the place of an entity among the model's */
} model_ends;

/* Adds the relations of a type that is one; done by model_register. */
void model_add_relations(model *m, const kith_type *type);
void model_copy_relations(model *to, const model *from);
void model_free_relations(model *m);

/* The target that a value leads to; KITH_NONE: there is no value. */
kith_entity model_target(const model_relation *relation, const model_entity *entity);

/* The relation of a type, and its second one of KITH_LINKS; NULL: it is not registered. */
model_relation *model_relation_of(const model *m, const kith_type *type, bool second);

/* Forgets the links from an entity: those that it gets from now on come last. */
void model_unlink(model *m, kith_entity source);

/* Puts a link before the one from `before`; KITH_NONE: after all. */
void model_place(model_relation *relation, kith_entity source, kith_entity before);

/* Makes links what values say, new ones by `order` of their values and then by slot. Returns what is
 * wrong with it, as bits 1 << kith_result; 0: nothing. */
uint32_t model_settle(model *m);

/* Whether no two entities have a value with the same first field. */
bool model_keys_are_unique(const model *m, const kith_type *type);

/* Adds what ends with an entity, depth first. `ends` begins as zeros; model_ends_free frees it. */
void model_ends_add(const model *m, model_ends *ends, kith_entity entity);
/* The same entities end, where those of the model have other places. */
void model_ends_again(const model *m, model_ends *ends);
/* Whether no source that stays refuses. */
bool model_may_end(const model *m, const model_ends *ends);
/* Removes the relations that sources lose, as far as they stay. */
void model_clear_sources(model *m, const model_ends *ends);
void model_ends_free(model_ends *ends);

/* kith_despawn_many. False: refused, and nothing changed. */
bool model_despawn_all(model *m, const kith_entity *entities, uint32_t count, uint32_t *ended);

/* The parent; KITH_NONE: there is none. */
kith_entity model_parent(const model *m, kith_entity entity);

#endif
