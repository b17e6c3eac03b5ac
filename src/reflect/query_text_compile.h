/* What queries in text become: terms and conditions, as a program would write them in C. */
#ifndef KI_REFLECT_QUERY_TEXT_COMPILE_H
#define KI_REFLECT_QUERY_TEXT_COMPILE_H

#include <kith/pair.h>

#include "reflect/query_syntax.h"
#include "world/world.h"

/* A text that is being compiled. */
typedef struct ki_compiler {
    kith_world *world;
    ki_syntax syntax;
    bool selects;     /* for a selection, in which writes are mistakes */
    uint32_t depth;   /* of groups of conditions */
    uint64_t naming;  /* see ki_component_name */
    kith_token entities[KITH_ROW_ENTITIES]; /* names of the entities of a row; the first is `this` */
    uint32_t entity_count;
    kith_term *terms; /* ends with a term of zeros; NULL: not compiled yet */
    char *memory;     /* of all that `terms` refers to */
    size_t size;
    kith_term *next_term; /* where there is room in `memory` */
    kith_condition *next_condition;
    kith_operand *next_operand;
    char *next_byte;
} ki_compiler;

/* A field that a text names. */
typedef struct ki_named_field {
    const kith_type *type;
    kith_field field; /* a field, or one value of it; its name is the compiler's */
} ki_named_field;

/* Reads and compiles a text, for a compiler of zeros with a world. Free it also after a failure.
 * KITH_ERR_INPUT, which `error` explains; KITH_ERR_MEMORY */
kith_result ki_compile(ki_compiler *compiler, const char *text, kith_text_error *error);
void ki_compiler_free(ki_compiler *compiler);

/* ---- Names: query_text_names.c */

/* Copies the bytes of a word, or those that a text in quotes means, with a zero after them. */
kith_result ki_compile_bytes(ki_compiler *compiler, kith_token token, char **bytes, size_t *length);

/* Finds the component, or the field, that a token names. KITH_ERR_INPUT */
kith_result ki_compile_component(ki_compiler *compiler, kith_token token, const kith_type **type);
kith_result ki_compile_field(ki_compiler *compiler, kith_token token, ki_named_field *found);

/* Finds the field that a token leads to another entity by: that of a relation, or any that is an entity.
 * KITH_ERR_INPUT */
kith_result ki_compile_step(ki_compiler *compiler, kith_token token, ki_named_field *step);

/* ---- Entities of rows: query_text_pairs.c */

#define KI_NO_ENTITY UINT32_MAX

/* Finds the names that the pairs among the terms give, in their order. KITH_ERR_INPUT */
kith_result ki_compile_names(ki_compiler *compiler);

/* The number of the entity that a token names, 0 for `this`; KI_NO_ENTITY: it names none. */
uint32_t ki_compile_entity(const ki_compiler *compiler, kith_token token);

/* Makes `to` the term of a pair. KITH_ERR_INPUT */
kith_result ki_compile_pair(ki_compiler *compiler, const ki_syntax_node *node, kith_term *to);

/* Whether a comparison is about an entity of the row itself, as `b != c`; makes `to` its term, which for
 * `!=` is to be taken for the opposite. */
bool ki_compile_is_same(const ki_compiler *compiler, const ki_syntax_node *node);
kith_result ki_compile_same(ki_compiler *compiler, const ki_syntax_node *node, kith_term *to);

/* ---- Values: query_text_values.c */

/* What can be compared with what. */
typedef enum ki_compile_sort {
    KI_COMPILE_NUMBER,
    KI_COMPILE_BOOL,
    KI_COMPILE_TEXT,
    KI_COMPILE_ENTITY,
    KI_COMPILE_LIST /* has no order, and is not equal to anything */
} ki_compile_sort;

ki_compile_sort ki_compile_sort_of(const kith_field *field);

/* Whether one more relation may come after so many. KITH_ERR_INPUT */
kith_result ki_compile_check_steps(ki_compiler *compiler, const ki_syntax_node *node,
                                   uint32_t steps);

/* The value that the node of a number means. Its text is the compiler's. KITH_ERR_INPUT */
kith_result ki_compile_value(ki_compiler *compiler, uint32_t number, kith_operand *operand);

/* The same for a value that is compared with a field, if it can be. KITH_ERR_INPUT */
kith_result ki_compile_operand(ki_compiler *compiler, const ki_named_field *field, uint32_t value,
                               kith_operand *operand);

/* ---- Places: query_text_compile.c */

/* The fields x, y and z of a type, or the first two of them, which are numbers. KITH_ERR_INPUT */
kith_result ki_compile_coordinates(ki_compiler *compiler, kith_token component,
                                   const kith_type *type, uint32_t count,
                                   const kith_field *fields[3]);

/* ---- All of it */

/* Returns `result`. Leaves its reason for kith_error and, unless that is NULL, in `to`: what `error`
 * says, or, if its line is 0, what kith_error says already. */
kith_result ki_text_result(ki_context *context, const char *call, kith_text_error *error,
                           kith_text_error *to, kith_result result);

#endif
