/* Conditions of a query, compiled: which field of which component is compared with what.
 *
 * They are nodes of trees in pre-order: those of a group, and of one about another entity, follow it up
 * to its `end`. */
#ifndef KI_QUERY_CONDITION_H
#define KI_QUERY_CONDITION_H

#include <kith/pair.h>

#include "query/condition_key.h"
#include "query/via.h"
#include "store/store.h"
#include "store/texts.h"

#define KI_NO_PARAMETER UINT32_MAX
#define KI_CONDITIONS_DEPTH 16u /* groups within groups, so that walking them needs little stack */

typedef enum ki_condition_form {
    KI_CONDITION_GROUP,  /* of what `op` says: KITH_OP_ANY, ALL or NOT */
    KI_CONDITION_NUMBER, /* a number, a bool or a char against `constant`; `op` is a comparison */
    KI_CONDITION_ENTITY, /* a handle against `constant.entity` */
    KI_CONDITION_STRING, /* a text against `text` */
    KI_CONDITION_WITHIN, /* a point that `length` fields of the component are, against a place: those of
                            the KI_CONDITION_COORDINATE that follow it, of which the last one is the
                            distance. `field` is the whole value */
    KI_CONDITION_COORDINATE, /* a number of that, `constant.f64`, for `field`; of a distance, none */
    KI_CONDITION_KEY, /* what `key` computes from the value satisfies the nodes that follow it, up to its
                          `end`. `field` is the whole value */
    KI_CONDITION_FIELDS, /* a field against the one of `other` */
    KI_CONDITION_JOIN,   /* the same, where the other field is that of another entity: the one that
                            `via` leads to, from the query's entity if `of_this`; or, without a
                            component in `other`, against the handle of the query's entity */
    KI_CONDITION_PATH,   /* the path of names against `text` */

    /* From here on, what is asked entity by entity. */
    KI_CONDITION_VIA, /* another entity has the component of `via`, or lacks it, or satisfies the nodes
                          that follow it, up to its `end` */
    KI_CONDITION_HAS,   /* the entity has the component */
    KI_CONDITION_LACKS, /* it does not */
    KI_CONDITION_PAIR,  /* the relation of `field` links entity `entity` of the row to entity `to`;
                           without one, they are the same */
    KI_CONDITION_LINKED /* the relation of `field` links entity `entity` of the row to any one, or any
                           one to it, as `from` says */
} ki_condition_form;

/* A value of the field's kind. */
typedef union ki_constant {
    int64_t i64;  /* KITH_I8 to KITH_I64 */
    uint64_t u64; /* KITH_BOOL, KITH_BYTES, KITH_CHAR, KITH_U8 to KITH_U64 */
    float f32;
    double f64;
    kith_entity entity;
} ki_constant;

/* A field in a component's values. */
typedef struct ki_place_of_field {
    ki_component *component;
    uint32_t offset;
    uint32_t size;
    kith_kind kind;
} ki_place_of_field;

/* Whether it holds a text: interned, or in an array of chars. A single char is a number too. */
static inline bool ki_condition_is_text(const ki_place_of_field *field)
{
    return field->kind == KITH_TEXT || (field->kind == KITH_CHAR && field->size > 1);
}

typedef struct ki_condition_node {
    ki_condition_form form;
    kith_op op;         /* of numbers: as `constant` needs, which may differ from what was given */
    kith_op asked;      /* as it was given */
    uint32_t end;       /* number of the node after this one and what is in it */
    uint32_t parameter; /* what it is compared with is given by this one, or KI_NO_PARAMETER */
    ki_place_of_field field;
    ki_place_of_field other;
    ki_key_of key;     /* of KI_CONDITION_KEY, and of the nodes in it: `field` is one of the type that is
                           computed */
    const ki_via *via; /* one of the conditions'; or NULL */
    bool of_this;      /* of KI_CONDITION_JOIN: the other field is found from the row, */
    uint32_t entity;   /* from the entity with this number; 0 is the query's */
    uint32_t to;       /* of KI_CONDITION_PAIR */
    bool from;         /* of KI_CONDITION_LINKED: the link leads from the entity, not to it */
    uint32_t after;    /* of one that is in no other: the step of pairs that finds what it asks, the
                          first one being 1; 0: it is about the query's entity */
    bool written;      /* the component may be written while the query is open, for any entity: so no
                           source tells which ones satisfy it */
    ki_constant constant;
    const char *text; /* of `length` bytes; its own, or the parameter's */
    struct ki_path_memo *memo; /* of KI_CONDITION_PATH with KITH_OP_PATH_LIKE; or NULL */
    uint32_t length;  /* of KI_CONDITION_WITHIN: two or three */
    uint32_t number; /* of `text`, once it is interned; UINT32_MAX: not yet, as far as known */
} ki_condition_node;

/* A name that values are bound to. */
typedef struct ki_parameter {
    char *name;
    char *text; /* a copy of the text that was bound last; or NULL */
    uint32_t length;
    bool bound;
} ki_parameter;

typedef struct ki_conditions {
    ki_texts *const *texts; /* the world's */
    uint32_t count;         /* of nodes */
    uint32_t room;          /* for nodes */
    uint32_t parameter_count;
    uint32_t parameter_room;
    uint32_t bindings; /* how often a value was bound */
    ki_parameter *parameters;
    uint32_t via_count; /* terms that reach other entities, also those that ask for nothing */
    uint32_t via_room;
    ki_via *vias;           /* after the nodes */
    struct ki_pairs *pairs; /* what rows of several entities are found by; or NULL */
    bool nested;  /* one begins at an entity that another one leads to */
    bool paths;   /* there are some about paths of names */
    ki_condition_node nodes[];
} ki_conditions;

/* Whether a node is about what another one, a KI_CONDITION_KEY, computes. */
static inline bool ki_condition_is_of_key(const ki_condition_node *node)
{
    return node->key.component != NULL && node->form != KI_CONDITION_KEY;
}

/* Whether an operand is a field, the query's entity, or a field on the way from that. */
static inline bool ki_operand_is_field(const kith_operand *operand)
{
    return operand->kind == KITH_OPERAND_FIELD || operand->kind >= KITH_OPERAND_THIS;
}

/* Whether an operator is for texts, and takes one. */
static inline bool ki_op_is_of_text(kith_op op)
{
    return op == KITH_OP_PREFIX || op == KITH_OP_CONTAINS || op == KITH_OP_LIKE;
}

static inline bool ki_op_is_of_path(kith_op op)
{
    return op == KITH_OP_PATH || op == KITH_OP_PATH_LIKE;
}

/* Whether a condition has a list of values, instead of one. */
static inline bool ki_condition_has_list(const kith_condition *condition)
{
    return condition->op == KITH_OP_IN || condition->op == KITH_OP_WITHIN ||
           condition->op == KITH_OP_PAIR;
}

/* The operands of a condition: those of its list, or the one. */
const kith_operand *ki_condition_operands(const kith_condition *condition, uint32_t *count);

/* Whether a term is a pair which finds no entity, but asks for a link of any one to one of the row. */
static inline bool ki_pair_is_of_any(const kith_condition *condition)
{
    return condition->op == KITH_OP_PAIR && (condition->values[0].length == KITH_ANY ||
                                             condition->values[1].length == KITH_ANY);
}

/* Whether a condition is a group of others. */
static inline bool ki_condition_is_group(const kith_condition *condition)
{
    return condition->op == KITH_OP_ANY || condition->op == KITH_OP_ALL ||
           condition->op == KITH_OP_NOT;
}

/* ---- Checks: condition_check.c */

/* Checks the conditions among a list of terms, before anything in them is used. KITH_ERR_INPUT;
 * KITH_ERR_MISUSE: another entity's component would be written. */
kith_result ki_conditions_check(ki_context *context, const char *call, const kith_term *terms);

/* ---- Types: condition_types.c */

/* Lists the types in conditions in the order in which they come; the same may come several times.
 * Returns how many they are. With `required` only those that an entity must have to satisfy the
 * conditions. */
uint32_t ki_conditions_types(const kith_term *terms, bool required, const kith_type **types);

/* ---- Making: condition_make.c */

/* Compiles the conditions among the terms, and how terms reach other entities. `components` are those of
 * the types as listed above. NULL where there are none. KITH_ERR_INPUT, KITH_ERR_MEMORY. */
kith_result ki_conditions_make(ki_store *store, const char *call, ki_texts *const *texts,
                               const kith_term *terms, ki_component *const *components,
                               ki_conditions **made);
void ki_conditions_free(ki_heap *heap, ki_conditions *conditions);

/* ---- Operands: condition_operand.c */

/* Sets what a node is compared with, which may not be a field or bound. The node points to the text of
 * the operand. KITH_ERR_INPUT: it does not fit the field. */
kith_result ki_condition_set_operand(ki_context *context, const char *call, ki_condition_node *node,
                                     const kith_operand *operand, const ki_texts *texts);

/* Whether what the field holds can be compared by the node's `op`. KITH_ERR_INPUT. */
kith_result ki_condition_check_op(ki_context *context, const char *call,
                                  const ki_condition_node *node);

/* The name of a node's field, as it was given: "current", "marks[2]". */
enum { KI_CONDITION_FIELD_NAME = 128 };
void ki_condition_name_field(const ki_condition_node *node, char *text, size_t size);

/* The comparison of values of a kind with `constant` that is the same as the comparison `op` with the
 * operand, which is a number. Nothing is rounded: that 2.5 is more than a whole number is said by a
 * whole number. */
kith_op ki_condition_number(kith_op op, kith_kind kind, const kith_operand *operand,
                            ki_constant *constant);

/* ---- Matching: condition_match.c */

/* A value of a kind that is a number, or KITH_BOOL, as a double. */
double ki_number_read(kith_kind kind, const void *value);

/* Which of `count` values satisfy a node that is neither a group nor about two fields; `values` is the
 * first one, each is `stride` bytes after the one before. The masks of 64 values each; the bits after
 * the last value are 0. */
void ki_condition_match(const ki_condition_node *node, const ki_texts *texts, const uint8_t *values,
                        size_t stride, uint32_t count, uint64_t *masks);

/* The same for a node about two fields. */
void ki_condition_match_fields(const ki_condition_node *node, const ki_texts *texts,
                               const uint8_t *values, size_t stride, const uint8_t *others,
                               size_t other_stride, uint32_t count, uint64_t *masks);

/* ---- Keys: condition_key.c */

/* Which of `count` values, `stride` bytes apart, satisfy a KI_CONDITION_KEY; masks as above. */
void ki_condition_match_keys(const kith_query *query, const ki_condition_node *node,
                             const uint8_t *values, size_t stride, uint32_t count,
                             uint64_t *masks);

/* ---- Paths: condition_paths.c */

/* Readies conditions about paths to be asked, by the thread of the owner. */
void ki_conditions_refresh_paths(ki_store *store, const ki_conditions *conditions);

/* Names and parents may be others, with stamps that are older. */
void ki_conditions_forget_paths(const ki_conditions *conditions);

/* Whether the living entity in slot `index` satisfies a node about its path. */
bool ki_condition_holds_of_path(const kith_query *query, const ki_condition_node *node,
                                uint32_t index);

/* ---- Filtering: condition_filter.c */

/* Drops from masks of 64 rows each the rows that do not satisfy the conditions: `count` rows of the
 * driving storage from `row` on, in one chunk. Unless `via_values` is NULL, it has KI_CHUNK_ROWS
 * addresses for each via, by the place of the row in its chunk, and gets those of the values that
 * entities must reach, for the rows that are left. */
void ki_conditions_filter(const kith_query *query, const ki_driver *driver, uint32_t row,
                          uint32_t count, const void **via_values, uint64_t *masks);

/* Whether the living entity in slot `index` satisfies those that are about it. */
bool ki_conditions_hold(const kith_query *query, uint32_t index);

/* Whether a row satisfies those that are asked after a step of the query's pairs. `row` has the slots of
 * its entities, by number. */
bool ki_conditions_hold_of_row(const kith_query *query, uint32_t after, const uint32_t *row);

/* ---- Binding: condition_bind.c */

struct kith_hint;

/* A value that fits wherever a query is bound to a name. */
typedef struct ki_bound_value {
    uint32_t parameter;
    kith_operand operand;
    char *text; /* a copy of its text; or NULL */
} ki_bound_value;

/* The number of a name; KI_NO_PARAMETER: the query does not have it, and those that it has are offered
 * for a hint. */
uint32_t ki_conditions_find_parameter(const kith_query *query, const char *name,
                                      struct kith_hint *hint);

/* KITH_ERR_INPUT: it does not fit; KITH_ERR_MEMORY. */
kith_result ki_bound_value_make(const kith_query *query, const char *call, uint32_t parameter,
                                const kith_operand *operand, ki_bound_value *value);
void ki_bound_value_free(const kith_query *query, ki_bound_value *value);

/* Binds a value of this query, which takes it over. */
void ki_conditions_bind(kith_query *query, const ki_bound_value *value);

/* kith_query_bind_operand for a call of this name. */
kith_result ki_query_bind(kith_query *query, const char *call, const char *name,
                          const kith_operand *operand);

/* Whether all parameters have values; if not, KITH_ERR_INPUT. */
kith_result ki_conditions_require_bound(const kith_query *query, const char *call);

#endif
