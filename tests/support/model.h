/* The naive model of a world: lists of entities, lists of values, no layouts, no tables. It is slow and
 * plain, and shares no idea with the library, so that the two do not go wrong together.
 *
 * Types are told apart by their address: the model is only ever asked about one copy of each. */
#ifndef KITH_TEST_MODEL_H
#define KITH_TEST_MODEL_H

#include <kith/kith.h>

typedef struct model_value {
    const kith_type *type;
    unsigned char *bytes; /* the type's size, and never NULL */
    uint32_t order;       /* of relations that are set together: see model_settle */
} model_value;

typedef struct model_values {
    model_value *list;
    uint32_t count;
} model_values;

typedef struct model_entity {
    kith_entity handle;
    model_values values; /* in the order in which they were added */
} model_entity;

typedef struct model_event {
    uint64_t run; /* the number of the kith_run that it belongs to, from 1 */
    unsigned char *bytes;
} model_event;

typedef struct model_queue {
    const kith_type *type;
    uint32_t keep;
    model_event *events; /* oldest first */
    uint32_t count;
    uint64_t dropped; /* before the oldest */
} model_queue;

typedef struct model {
    const kith_type **types; /* in the order of registration */
    uint32_t type_count;
    model_entity *entities; /* by slot */
    uint32_t entity_count;
    uint32_t entity_capacity;
    kith_entity *ended; /* free slots with the generation they will have; the last is used next */
    uint32_t ended_count;
    uint32_t ended_capacity;
    uint32_t slots;
    struct model_relation *relations; /* model_links.h; by name */
    uint32_t relation_count;
    const kith_type *name_type; /* kith_name; NULL: it is not registered */
    const kith_type *disabled_type; /* the same of kith_disabled */
    const kith_type *unique_type; /* whose first field is a unique key; NULL: it is not */
    const kith_type *const *transients; /* that snapshots and scenes leave out; the last one is NULL */
    const kith_text *names;     /* that entities may have */
    uint32_t name_count;
    model_values resources;
    model_queue *queues;
    uint32_t queue_count;
    uint64_t tick;
    bool running; /* within a kith_run */
} model;

void model_free(model *m);

/* An empty model with the same names, unique key and transient types, of which none is registered. */
model model_empty_like(const model *m);

/* A copy of all there is. */
model model_copy(const model *m);

bool model_is_transient(const model *m, const kith_type *type);
/* Removes what is transient, as from a snapshot. */
void model_forget_transients(model *m);

/* Makes the model what it was when a copy was made of it, as a restore does: types and queues that came
 * since stay, without entities and events, and so does the unique key. */
void model_rewind(model *m, const model *was);

/* Types. */
void model_register(model *m, const kith_type *type);
/* The number of types that were registered before; UINT32_MAX if it is not registered. */
uint32_t model_rank(const model *m, const kith_type *type);

/* Values. NULL bytes are zero bytes. */
model_value *model_get(const model_values *values, const kith_type *type);
void model_set(model_values *values, const kith_type *type, const void *bytes);
bool model_remove(model_values *values, const kith_type *type);
void model_clear(model_values *values);

/* Entities. A pointer to one is good until the next spawn or despawn. */
model_entity *model_find(const model *m, kith_entity handle);
model_entity *model_spawn(model *m);
/* The same with a handle that is not one of the world's, and its end. */
model_entity *model_spawn_as(model *m, kith_entity handle);
void model_despawn_as(model *m, kith_entity handle);
bool model_despawn(model *m, kith_entity handle);
/* Whether it has what the terms ask for; kith_disabled also from an ancestor. */
bool model_matches(const model *m, const model_entity *entity, const kith_term *terms,
                   uint32_t term_count);

/* Events. */
model_queue *model_queue_of(const model *m, const kith_type *type);
model_queue *model_queue_add(model *m, const kith_type *type, uint32_t keep);
void model_send(model *m, const kith_type *type, const void *bytes);
void model_clear_events(model_queue *queue);
/* A kith_run begins: drops what is due. Ended by setting `running` to false. */
void model_run(model *m);

#endif
