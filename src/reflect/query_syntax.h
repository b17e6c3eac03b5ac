/* Queries in text: the syntax tree. <kith/query_text.h> has the grammar. */
#ifndef KI_REFLECT_QUERY_SYNTAX_H
#define KI_REFLECT_QUERY_SYNTAX_H

#include <kith/query_text.h>

#include "base/context.h"

/* Brackets and `not` that may be around a condition. */
#define KI_SYNTAX_DEPTH 64u

typedef enum ki_syntax_kind {
    KI_SYNTAX_TERM,  /* a component, with role and access */
    KI_SYNTAX_GROUP, /* any(...): terms of role KITH_ONE_OF */
    KI_SYNTAX_VIA, /* a relation, and the term, condition, value or output about its target */
    KI_SYNTAX_UP,   /* up(...): the same about an ancestor */
    KI_SYNTAX_PAIR, /* a relation, and two or three names of entities of a row; its role is
                        KITH_MUST or KITH_MUST_NOT */

    KI_SYNTAX_OR, /* two or more conditions; so has AND */
    KI_SYNTAX_AND,
    KI_SYNTAX_NOT,
    KI_SYNTAX_COMPARE, /* a field and a value; `op` is a kith_op; so have the next three */
    KI_SYNTAX_PREFIX,
    KI_SYNTAX_CONTAINS,
    KI_SYNTAX_LIKE,
    KI_SYNTAX_BETWEEN, /* a field and two values */
    KI_SYNTAX_IN,      /* a field and one or more values */
    KI_SYNTAX_HAS,     /* a component */
    KI_SYNTAX_WITHIN,  /* a component, two or three coordinates, and a distance */

    KI_SYNTAX_FIELD, /* values and outputs: Position.x; of outputs also Position */
    KI_SYNTAX_NUMBER,
    KI_SYNTAX_STRING,
    KI_SYNTAX_BOOL,
    KI_SYNTAX_ENTITY, /* a value: Entity(2v1), none; an output: entity */
    KI_SYNTAX_PARAMETER,
    KI_SYNTAX_THIS, /* a value: the query's entity; or the field that is its child, from there */

    KI_SYNTAX_DISTANCE, /* of an order: a component, and two or three coordinates */

    KI_SYNTAX_COUNT, /* outputs */
    KI_SYNTAX_SUM,   /* of a field; so have MIN, MAX and AVG */
    KI_SYNTAX_MIN,
    KI_SYNTAX_MAX,
    KI_SYNTAX_AVG
} ki_syntax_kind;

/* A node of the tree. Nodes are told by number; 0 is none. */
typedef struct ki_syntax_node {
    ki_syntax_kind kind;
    uint32_t op;    /* of a comparison */
    uint32_t first; /* child */
    uint32_t next;  /* sibling */
    kith_token
        name; /* of a component, field or parameter; of a value: the value; of others: where it
                        begins */
    kith_role role;
    kith_access access;
    bool descending;
} ki_syntax_node;

/* A text as a tree. The text must outlive it. */
typedef struct ki_syntax {
    kith_reader reader;
    ki_heap *heap;
    ki_syntax_node *nodes;
    uint32_t count;
    uint32_t capacity;
    uint32_t depth;     /* while the text is read */
    uint32_t terms;     /* the first of each clause; 0: no such clause, or terms `*` */
    uint32_t condition; /* one */
    uint32_t groups;
    uint32_t outputs;
    uint32_t orders;
    kith_order order;   /* that by depth, which has no outputs; 0: there is none */
    uint32_t limit;     /* one */
    kith_token explain; /* the word that it begins with, if it asks how it is run; */
    bool analyzes;      /* and for a run */
    kith_token clauses[6];
} ki_syntax;

/* The clauses in order, for `clauses`: the word that each one starts with. */
enum { KI_CLAUSE_WHERE, KI_CLAUSE_GROUP, KI_CLAUSE_SELECT, KI_CLAUSE_ORDER, KI_CLAUSE_LIMIT };

/* Reads a text. Free the tree also after a failure.
 * KITH_ERR_INPUT, which the reader's error explains; KITH_ERR_MEMORY */
kith_result ki_syntax_read(ki_syntax *syntax, ki_heap *heap, const char *text, size_t length,
                           kith_text_error *error);
void ki_syntax_free(ki_syntax *syntax);

static inline const ki_syntax_node *ki_syntax_at(const ki_syntax *syntax, uint32_t number)
{
    return &syntax->nodes[number];
}

/* Reports a mistake at a token that was read before. */
kith_result ki_syntax_fail_at(ki_syntax *syntax, kith_token token, const char *format, ...)
    KITH_FORMAT_(3, 4);

/* Writes the tree as a text, like snprintf. */
size_t ki_syntax_print(const ki_syntax *syntax, char *text, size_t size);

/* Writes one output, without `desc`: the name of a column. */
size_t ki_syntax_print_output(const ki_syntax *syntax, uint32_t output, char *text, size_t size);

#endif
