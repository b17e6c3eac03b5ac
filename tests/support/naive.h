/* The naive evaluation of terms about several entities: of whole rows, by handles, by going through all
 * links. It knows neither layouts nor lists of sources, and reads values from wherever its caller has
 * them: a world that is asked by handles, or a model of one. */
#ifndef KITH_TEST_NAIVE_H
#define KITH_TEST_NAIVE_H

#include <kith/kith.h>

/* A link, which is an entity of its own or, unless KITH_LINKS declares the relation, its source. */
typedef struct naive_link {
    kith_entity link;
    kith_entity source;
    kith_entity target;
} naive_link;

typedef struct naive_links {
    const naive_link *list;
    uint32_t count;
} naive_links;

/* Where values and links come from. */
typedef struct naive_world {
    const void *context;
    bool (*alive)(const void *context, kith_entity e);
    /* A value; of a tag any address. NULL: the entity lacks it, or is dead. */
    const void *(*get)(const void *context, kith_entity e, const kith_type *type);
    /* All links of a relation, those to each target in the order of its list or, if `from`, those from
     * each source. */
    naive_links (*links)(const void *context, const kith_type *relation, bool from);
} naive_world;

/* A row, by numbers; KITH_NONE after its last one. */
typedef struct naive_row {
    kith_entity e[KITH_ROW_ENTITIES];
} naive_row;

/* Rows that were found, in their order. */
typedef struct naive_rows {
    naive_row *list;
    uint32_t count;
    uint32_t room;
    bool more; /* there are more, which had no room */
} naive_rows;

/* Whether what follows in a term is about another entity. */
bool naive_leads(const kith_term *term);

/* The entity that a term is about in the end; `*asked` becomes what that is asked, `*lacks` whether the
 * nearest one may be missing, and is. */
kith_entity naive_reach(const naive_world *w, const kith_entity *row, kith_entity e,
                        const kith_term *term, const kith_term **asked, bool *lacks);

/* Whether a term that finds no entities holds of one, in a row whose first entity is the query's. */
bool naive_holds(const naive_world *w, const kith_entity *row, kith_entity e,
                 const kith_term *term);

/* The value that a term reads in a row; `*reads`: whether it reads one. */
const void *naive_value(const naive_world *w, const kith_entity *row, const kith_term *term,
                        const kith_type **type, bool *reads);

/* Adds the rows that begin with an entity, by the terms of a query. */
void naive_expand(const naive_world *w, const kith_term *terms, kith_entity first,
                  naive_rows *rows);

/* Checks a batch of rows: the entities by their numbers, and the values that terms read, by their
 * addresses or, if `copied`, by their bytes. */
void naive_check_batch(const naive_world *w, const kith_iter *it, const kith_term *terms,
                       uint32_t numbers, const naive_row *rows, bool copied);

#endif
