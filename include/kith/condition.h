/* Kith: conditions: terms of a query that ask for values.
 *
 *     KITH_QUERY(world, KITH_READ(Position), KITH_IF(Health, current, <, 20));
 *     KITH_QUERY(world, KITH_IF(Health, current, <, KITH_ITS(Health, maximum)));
 *     KITH_QUERY(world, KITH_IF_ANY(KITH_IF(Unit, level, >=, 7), KITH_IF_IN(Unit, kind, 2, 3, 5)),
 *                KITH_IF_NOT(KITH_IF_PREFIX(Unit, name, "old "), KITH_WITH(Frozen)));
 *
 *     kith_query *found = KITH_QUERY(world, KITH_IF(Name, text, ==, kith_bound("name")));
 *     kith_query_bind(found, "name", "ziggy");
 *
 * A condition asks one field of one component. It gives no values to the loop, so it does not count in
 * the numbers of terms, and a query may have any number of conditions, also several about one type, and
 * about types that it has other terms for.
 *
 * An entity without the component does not satisfy a condition about it. So KITH_IF(Health, ...) in the
 * list of a query's terms also asks for Health, as KITH_WITH does. KITH_IF_NOT is about what is in
 * there: KITH_IF_NOT(KITH_IF(Health, current, <, 20)) holds for entities without Health too.
 *
 * Numbers are compared as what they are, whatever their types: a field of uint8_t is never equal to 256
 * or 2.5, and always greater than -1. A single char is a number from 0 to 255, and no text: compare it
 * with 'a', not with "a". A float that is not a number satisfies no condition, not even !=; KITH_IF_NOT
 * is the only way to find it.
 *
 * Values are asked as the loop goes on, up to 1,024 entities ahead of it: it may write what a condition
 * asks about, of the entities of the batch that it has.
 *
 * Pointers from KITH_GET_MUT to values of types that a query's conditions are about die when the query
 * is opened or asked: it may bring an index up to date, which sees only what was written by then.
 *
 * In C++, use kith::field of <kith/condition.hpp>. */
#ifndef KITH_CONDITION_H
#define KITH_CONDITION_H

#include <kith/index.h>
#include <kith/query.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a field is compared with. */
typedef enum kith_operand_kind {
    KITH_OPERAND_NONE = 0, /* the end of a list */
    KITH_OPERAND_BOOL,     /* as.boolean */
    KITH_OPERAND_I64,      /* as.i64 */
    KITH_OPERAND_U64,      /* as.u64 */
    KITH_OPERAND_F64,      /* as.f64 */
    KITH_OPERAND_STRING, /* as.string, of `length` bytes: for fields of chars, and interned texts */
    KITH_OPERAND_TEXT,   /* as.text, one of the world's */
    KITH_OPERAND_ENTITY, /* as.entity */
    KITH_OPERAND_FIELD,  /* the field `as.string` of the same entity's component `type`; `length`
                              is its size in bytes, for a check; 0: no check */
    KITH_OPERAND_BOUND,  /* given later, by kith_query_bind, under the name `as.string` */
    KITH_OPERAND_THIS,   /* what `of` says of the entity that the query is about; NULL: the entity */
    KITH_OPERAND_TARGET, /* what `of` says of the entity that the field `as.string` of the component
                              `type` leads to; NULL: the field `target` */
    KITH_OPERAND_NEAREST, /* what `of` says of the nearest entity along the relation `type` that has
                              its component */
    KITH_OPERAND_OTHER    /* what `of` says of the entity with the number `length` in a row of
                              several, see <kith/pair.h>; NULL: the entity */
} kith_operand_kind;

typedef struct kith_operand {
    kith_operand_kind kind;
    uint32_t length;
    union {
        bool boolean;
        int64_t i64;
        uint64_t u64;
        double f64;
        const char *string; /* copied by the call that takes it */
        kith_text text;
        kith_entity entity;
    } as;
    const kith_type *type;
    const struct kith_operand *of; /* the rest of the way to a field of another entity: <kith/via.h> */
} kith_operand;

/* What has to hold. A comparison is the sum of its outcomes: less is 1, equal 2, greater 4. */
typedef enum kith_op {
    KITH_OP_LESS = 1,
    KITH_OP_EQUAL = 2,
    KITH_OP_LESS_EQUAL = 3,
    KITH_OP_GREATER = 4,
    KITH_OP_NOT_EQUAL = 5,
    KITH_OP_GREATER_EQUAL = 6,
    KITH_OP_IN = 16,  /* equal to one of `values` */
    KITH_OP_PREFIX,   /* the text begins with `value` */
    KITH_OP_CONTAINS, /* `value` is somewhere in the text */
    KITH_OP_ANY,      /* at least one of `terms` holds */
    KITH_OP_ALL,      /* all of `terms` hold */
    KITH_OP_NOT,      /* none of `terms` holds */
    KITH_OP_TARGET, /* what `terms` has, one term, holds of another entity: see <kith/via.h>. The type
                         that the condition is about is the relation which leads there, by `field`
                         or, if that is NULL and `size` is 0, by its field `target` */
    KITH_OP_NEAREST,  /* the same of the nearest one along the relation that has its component */
    KITH_OP_LIKE,     /* the text is as `value` says, in which "*" is for any bytes */
    KITH_OP_PATH,     /* the path of names of the entity is `value`; the type is kith_name */
    KITH_OP_PATH_LIKE, /* it is as `value` says: KITH_IF_PATH_LIKE of <kith/name.h> */
    KITH_OP_WITHIN,    /* the fields x and y, or x, y and z, are a point that is at most a distance
                          from a place: `values` are the numbers of the place, and the distance */
    KITH_OP_PAIR,      /* the type is a relation that links two entities of a row: see <kith/pair.h>;
                          NULL: they are the same. `values` are KITH_OPERAND_OTHER: the source, the
                          target and, if it is one of the row, the link. The number of the source or
                          of the target may be KITH_ANY */
    KITH_OP_OTHER,     /* what `terms` has, one term, holds of the entity of a row whose number is
                          `offset`; the type is NULL */
    KITH_OP_KEY        /* what `terms` has, one term, holds of what `key` computes from the value */
} kith_op;

/* Bytes of a type that KITH_OP_KEY computes, at most. */
#define KITH_KEY_BYTES 256

/* A condition, as a kith_term points to it: {type, KITH_ACCESS_NONE, KITH_MUST, 0, condition}. That of
 * KITH_OP_ANY, ALL and NOT has the type NULL. The call that takes it copies it. */
typedef struct kith_condition {
    kith_op op;
    const char
        *field; /* its name: "current", "velocity.x", "marks[2]"; NULL: the value at `offset` */
    uint32_t offset;               /* bytes from the start of the struct */
    uint32_t size;                 /* bytes of the field, for a check; 0: no check */
    kith_operand value;            /* of comparisons, and of what is asked of texts and paths */
    const kith_operand *values;    /* of KITH_OP_IN, WITHIN and PAIR: a list that ends with an
                                       operand of zeros */
    const struct kith_term *terms; /* of KITH_OP_ANY, ALL and NOT: conditions, KITH_WITH and
                                       KITH_WITHOUT; of KITH_OP_TARGET, NEAREST, OTHER and KEY:
                                       one term; the list ends with a term of zeros */
    kith_index_key_fn key;         /* of KITH_OP_KEY, */
    void *user;                    /* with what it is called with */
} kith_condition;

/* A value that is given later: KITH_IF(Health, current, <, kith_bound("limit")). */
static inline kith_operand kith_bound(const char *name)
{
    kith_operand operand;
    memset(&operand, 0, sizeof operand);
    operand.kind = KITH_OPERAND_BOUND;
    operand.as.string = name;
    return operand;
}

/* Gives all places of a query that are kith_bound to `name` this value, until the next call. A query
 * cannot be opened or asked before each of its names has a value: that fails with KITH_ERR_INPUT.
 *     kith_query_bind(query, "limit", 20);
 *
 * KITH_ERR_UNKNOWN   the query has no such name; kith_error tells the nearest
 * KITH_ERR_INPUT     the value does not fit a field that it is compared with; kith_error tells both
 * KITH_ERR_MEMORY    for the copy of a text
 * After an error the former value is kept. Misuse while this query is open. */
KITH_API kith_result kith_query_bind_operand(kith_query *query, const char *name,
                                             kith_operand operand);

/* What makes an operand of a value. Private, as all with a `_` at the end. */

static inline kith_operand kith_operand_bool_(bool value)
{
    kith_operand operand;
    memset(&operand, 0, sizeof operand);
    operand.kind = KITH_OPERAND_BOOL;
    operand.as.boolean = value;
    return operand;
}

static inline kith_operand kith_operand_i64_(int64_t value)
{
    kith_operand operand;
    memset(&operand, 0, sizeof operand);
    operand.kind = KITH_OPERAND_I64;
    operand.as.i64 = value;
    return operand;
}

static inline kith_operand kith_operand_u64_(uint64_t value)
{
    kith_operand operand;
    memset(&operand, 0, sizeof operand);
    operand.kind = KITH_OPERAND_U64;
    operand.as.u64 = value;
    return operand;
}

static inline kith_operand kith_operand_char_(char value)
{
    return kith_operand_u64_((unsigned char)value);
}

static inline kith_operand kith_operand_f64_(double value)
{
    kith_operand operand;
    memset(&operand, 0, sizeof operand);
    operand.kind = KITH_OPERAND_F64;
    operand.as.f64 = value;
    return operand;
}

static inline kith_operand kith_operand_f32_(float value)
{
    return kith_operand_f64_((double)value);
}

static inline kith_operand kith_operand_string_(const char *value)
{
    kith_operand operand;
    memset(&operand, 0, sizeof operand);
    operand.kind = KITH_OPERAND_STRING;
    operand.length = value == NULL ? 0 : (uint32_t)strlen(value);
    operand.as.string = value;
    return operand;
}

static inline kith_operand kith_operand_text_(kith_text value)
{
    kith_operand operand;
    memset(&operand, 0, sizeof operand);
    operand.kind = KITH_OPERAND_TEXT;
    operand.as.text = value;
    return operand;
}

static inline kith_operand kith_operand_entity_(kith_entity value)
{
    kith_operand operand;
    memset(&operand, 0, sizeof operand);
    operand.kind = KITH_OPERAND_ENTITY;
    operand.as.entity = value;
    return operand;
}

static inline kith_operand kith_operand_of_(kith_operand_kind kind, const kith_type *type,
                                            const char *field, uint32_t size,
                                            const kith_operand *of)
{
    kith_operand operand;
    memset(&operand, 0, sizeof operand);
    operand.kind = kind;
    operand.length = size;
    operand.as.string = field;
    operand.type = type;
    operand.of = of;
    return operand;
}

static inline kith_operand kith_operand_field_(const kith_type *type, const char *field,
                                               uint32_t size)
{
    kith_operand operand;
    memset(&operand, 0, sizeof operand);
    operand.kind = KITH_OPERAND_FIELD;
    operand.length = size;
    operand.as.string = field;
    operand.type = type;
    return operand;
}

#ifdef __cplusplus
}
#else

/* KITH_IF(Health, current, <, 20): the field is less than 20. The operators are < <= == != > >=, of
 * texts, bools and entities == and !=. The value is a number, a bool, a text, a kith_text, a
 * kith_entity, KITH_ITS or kith_bound. The field may be part of another, as KITH_FIELD names it:
 * KITH_IF(Body, velocity.x, >, 0), or one of an array: KITH_IF(Bag, marks[2], ==, 7). One that the
 * struct does not have does not compile. */
#define KITH_IF(T, its_field, op, ...)                                                             \
    KITH_IF_(T, its_field, #its_field, KITH_OP_(op), .value = KITH_OPERAND_((__VA_ARGS__)))

/* KITH_IF_IN(Unit, kind, 2, 3, 5): the field is equal to one of up to 16 values. */
#define KITH_IF_IN(T, its_field, ...)                                                              \
    KITH_IF_(T, its_field, #its_field, KITH_OP_IN,                                                 \
             .values = KITH_OPERANDS_(__VA_ARGS__, KITH_NO_OPERANDS_16_, ~))

/* The text, in an array of chars or interned, begins with another one, or contains it. */
#define KITH_IF_PREFIX(T, its_field, ...)                                                          \
    KITH_IF_(T, its_field, #its_field, KITH_OP_PREFIX, .value = KITH_OPERAND_((__VA_ARGS__)))
#define KITH_IF_CONTAINS(T, its_field, ...)                                                        \
    KITH_IF_(T, its_field, #its_field, KITH_OP_CONTAINS, .value = KITH_OPERAND_((__VA_ARGS__)))

/* KITH_IF_LIKE(Unit, name, "zig*y"): the text is as that says; "*" is for any bytes, or none. */
#define KITH_IF_LIKE(T, its_field, ...)                                                            \
    KITH_IF_(T, its_field, #its_field, KITH_OP_LIKE, .value = KITH_OPERAND_((__VA_ARGS__)))

/* KITH_IF_WITHIN(Position, 3, 4, 10): the point of the fields x and y is at most 10 away from (3, 4).
 * With one number more, KITH_IF_WITHIN(Position, 3, 4, 5, 10), it is the point of x, y and z. The
 * fields are numbers; distances are computed in double. The values are numbers or kith_bound. Nothing
 * is within a distance that is negative, or a NaN. A spatial index of these fields, <kith/spatial.h>,
 * is found by the query. */
#define KITH_IF_WITHIN(T, ...)                                                                     \
    {                                                                                              \
        &T##_type, KITH_ACCESS_NONE, KITH_MUST, 0, &(const kith_condition)                         \
        {                                                                                          \
            .op = KITH_OP_WITHIN,                                                                  \
            .values = KITH_OPERANDS_(__VA_ARGS__, KITH_NO_OPERANDS_16_, ~)                         \
        }                                                                                          \
    }

/* KITH_IF_KEY(Health, danger_of, NULL, KITH_IF(Danger, level, >, 0.5f)): what a function computes from
 * the component's value satisfies a condition: KITH_IF, KITH_IF_IN and the like about fields of one
 * type, or a group of these. It is not satisfied where the function returns false. The function is like
 * that of an index, and may do no more: kith_index_def says what. The third argument is its `user`.
 *
 * An index by this function, with this `user`, is found by the query. Without one, the function is
 * called for each entity that the other terms leave, perhaps several times; in a system on whatever
 * thread runs it, and on several at once where its loops are parallel. The type that is computed has up
 * to KITH_KEY_BYTES bytes, and no hooks. No text of a query has such a condition. */
#define KITH_IF_KEY(T, its_key, its_user, ...)                                                     \
    {                                                                                              \
        &T##_type, KITH_ACCESS_NONE, KITH_MUST, 0, &(const kith_condition)                         \
        {                                                                                          \
            .op = KITH_OP_KEY, .key = (its_key), .user = (its_user),                               \
            .terms = KITH_TERMS(__VA_ARGS__)                                                       \
        }                                                                                          \
    }

/* At least one, all, none of these holds. They may have KITH_WITH, KITH_WITHOUT, and one another. */
#define KITH_IF_ANY(...) KITH_IF_GROUP_(KITH_OP_ANY, __VA_ARGS__)
#define KITH_IF_ALL(...) KITH_IF_GROUP_(KITH_OP_ALL, __VA_ARGS__)
#define KITH_IF_NOT(...) KITH_IF_GROUP_(KITH_OP_NOT, __VA_ARGS__)

/* KITH_IF(Health, current, <, KITH_ITS(Health, maximum)): another field of the same entity, of this
 * component or another, which the entity must have as well. */
#define KITH_ITS(T, its_field)                                                                     \
    kith_operand_field_(&T##_type, #its_field, (uint32_t)sizeof(((T *)0)->its_field))

#define kith_query_bind(query, name, value)                                                        \
    kith_query_bind_operand((query), (name), KITH_OPERAND_(value))

#define KITH_IF_(T, its_field, its_name, its_op, ...)                                              \
    {                                                                                              \
        &T##_type, KITH_ACCESS_NONE, KITH_MUST, 0, &(const kith_condition)                         \
        {                                                                                          \
            .op = (its_op), .field = (its_name), .size = (uint32_t)sizeof(((T *)0)->its_field),    \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define KITH_IF_GROUP_(its_op, ...)                                                                \
    {                                                                                              \
        NULL, KITH_ACCESS_NONE, KITH_MUST, 0, &(const kith_condition)                              \
        {                                                                                          \
            .op = (its_op), .terms = KITH_TERMS(__VA_ARGS__)                                       \
        }                                                                                          \
    }

/* The kith_op of an operator, from what it makes of a lesser, an equal and a greater number. Of
 * operators that do not compare, it makes what is no kith_op. */
#define KITH_OP_(op) ((kith_op)((5 op 13) | (7 op 7) << 1 | (13 op 5) << 2))

#define KITH_OPERAND_(value)                                                                       \
    _Generic((value),                                                                              \
        _Bool: kith_operand_bool_,                                                                 \
        char: kith_operand_char_,                                                                  \
        signed char: kith_operand_i64_,                                                            \
        short: kith_operand_i64_,                                                                  \
        int: kith_operand_i64_,                                                                    \
        long: kith_operand_i64_,                                                                   \
        long long: kith_operand_i64_,                                                              \
        unsigned char: kith_operand_u64_,                                                          \
        unsigned short: kith_operand_u64_,                                                         \
        unsigned int: kith_operand_u64_,                                                           \
        unsigned long: kith_operand_u64_,                                                          \
        unsigned long long: kith_operand_u64_,                                                     \
        float: kith_operand_f32_,                                                                  \
        double: kith_operand_f64_,                                                                 \
        char *: kith_operand_string_,                                                              \
        const char *: kith_operand_string_,                                                        \
        kith_text: kith_operand_text_,                                                             \
        kith_entity: kith_operand_entity_,                                                         \
        kith_operand: kith_operand_same_,                                                          \
        kith_no_operand_: kith_operand_none_)(value)

/* A value that is not there, to come after those that are. */
typedef struct kith_no_operand_ {
    char unused;
} kith_no_operand_;

static inline kith_operand kith_operand_same_(kith_operand operand)
{
    return operand;
}

static inline kith_operand kith_operand_none_(kith_no_operand_ none)
{
    (void)none;
    return (kith_operand){.kind = KITH_OPERAND_NONE};
}

#define KITH_NO_OPERANDS_4_                                                                        \
    ((kith_no_operand_){0}), ((kith_no_operand_){0}), ((kith_no_operand_){0}),                     \
        ((kith_no_operand_){0})
#define KITH_NO_OPERANDS_16_                                                                       \
    KITH_NO_OPERANDS_4_, KITH_NO_OPERANDS_4_, KITH_NO_OPERANDS_4_, KITH_NO_OPERANDS_4_
#define KITH_OPERANDS_(...) KITH_OPERANDS_16_(__VA_ARGS__)
#define KITH_OPERANDS_16_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, more, ...)               \
    (const kith_operand[])                                                                         \
    {                                                                                              \
        KITH_OPERAND_(a), KITH_OPERAND_(b), KITH_OPERAND_(c), KITH_OPERAND_(d), KITH_OPERAND_(e),  \
            KITH_OPERAND_(f), KITH_OPERAND_(g), KITH_OPERAND_(h), KITH_OPERAND_(i),                \
            KITH_OPERAND_(j), KITH_OPERAND_(k), KITH_OPERAND_(l), KITH_OPERAND_(m),                \
            KITH_OPERAND_(n), KITH_OPERAND_(o), KITH_OPERAND_(p),                                  \
        {                                                                                          \
            .kind =                                                                                \
                (kith_operand_kind)(0 * sizeof(struct {                                            \
                                        char unused;                                               \
                                        _Static_assert(                                            \
                                            _Generic((more), kith_no_operand_ : 1, default : 0),   \
                                            "KITH_IF_IN takes up to 16 values; put more "          \
                                            "into an array, and point `values` of a "              \
                                            "kith_condition to it");                               \
                                    }))                                                            \
        }                                                                                          \
    }

#endif
#endif
