/* Finds what names of entities in a query in text mean, and makes terms of pairs. */
#include <string.h>

#include "reflect/query_text_compile.h"

/* Words that mean something where the name of an entity may be. */
static const char *const pairs_words[] = {"entity", "count", "name", "path", "none", "true",
                                          "false",  "inf",   "nan",  "up",   "this", "any"};

static bool pairs_is_word(kith_token token, const char *word)
{
    return token.kind == KITH_TOKEN_WORD && token.length == strlen(word) &&
           memcmp(token.start, word, token.length) == 0;
}

uint32_t ki_compile_entity(const ki_compiler *c, kith_token token)
{
    if (pairs_is_word(token, "this")) {
        return 0;
    }
    for (uint32_t i = 1; i < c->entity_count; i++) {
        const kith_token *name = &c->entities[i];
        if (token.kind == KITH_TOKEN_WORD && token.length == name->length &&
            memcmp(token.start, name->start, token.length) == 0) {
            return i;
        }
    }
    return KI_NO_ENTITY;
}

/* Gives the next number to a name, which has none yet. */
static kith_result pairs_add_name(ki_compiler *c, kith_token token)
{
    for (size_t i = 0; i < sizeof pairs_words / sizeof pairs_words[0]; i++) {
        if (pairs_is_word(token, pairs_words[i])) {
            return ki_syntax_fail_at(&c->syntax, token,
                                     "a name for an entity that is not a word of queries");
        }
    }
    for (uint32_t i = 0; i < kith_type_count(c->world); i++) {
        if (pairs_is_word(token, kith_type_at(c->world, i)->name)) {
            return ki_syntax_fail_at(&c->syntax, token,
                                     "a name for an entity that no component has");
        }
    }
    if (c->entity_count == KITH_ROW_ENTITIES) {
        return ki_syntax_fail_at(&c->syntax, token, "at most %u entities in a row",
                                 KITH_ROW_ENTITIES);
    }
    c->entities[c->entity_count++] = token;
    return KITH_OK;
}

/* Whether a pair finds entities: it is not one with `any`, or one after `!`. */
static bool pairs_finds(const ki_compiler *c, const ki_syntax_node *pair)
{
    const ki_syntax_node *source = ki_syntax_at(&c->syntax, pair->first);
    return pair->role == KITH_MUST && !pairs_is_word(source->name, "any") &&
           !pairs_is_word(ki_syntax_at(&c->syntax, source->next)->name, "any");
}

kith_result ki_compile_names(ki_compiler *c)
{
    uint32_t pairs = 0;
    c->entity_count = 1;
    for (uint32_t i = c->syntax.terms; i != 0; i = ki_syntax_at(&c->syntax, i)->next) {
        const ki_syntax_node *pair = ki_syntax_at(&c->syntax, i);
        if (pair->kind != KI_SYNTAX_PAIR || !pairs_finds(c, pair)) {
            continue;
        }
        if (pairs++ == KITH_ROW_PAIRS) {
            return ki_syntax_fail_at(&c->syntax, pair->name, "at most %u pairs", KITH_ROW_PAIRS);
        }
        bool known = false;
        for (uint32_t k = pair->first; k != 0; k = ki_syntax_at(&c->syntax, k)->next) {
            known =
                known || ki_compile_entity(c, ki_syntax_at(&c->syntax, k)->name) != KI_NO_ENTITY;
        }
        if (!known) {
            return ki_syntax_fail_at(&c->syntax, pair->name,
                                     "a pair with this, or with an entity of a pair before");
        }
        for (uint32_t k = pair->first; k != 0; k = ki_syntax_at(&c->syntax, k)->next) {
            kith_token name = ki_syntax_at(&c->syntax, k)->name;
            KI_TRY(ki_compile_entity(c, name) == KI_NO_ENTITY ? pairs_add_name(c, name) : KITH_OK);
        }
    }
    return KITH_OK;
}

/* Makes `to` a term that compares or links the entities that are listed from node `first` on. With a
 * type, one of them may be `any`. */
static kith_result pairs_make(ki_compiler *c, const kith_type *type, uint32_t first, kith_term *to)
{
    kith_operand *numbers = c->next_operand;
    bool any = type == NULL;
    for (uint32_t i = first; i != 0; i = ki_syntax_at(&c->syntax, i)->next) {
        const kith_token name = ki_syntax_at(&c->syntax, i)->name;
        uint32_t number = ki_compile_entity(c, name);
        if (!any && pairs_is_word(name, "any")) {
            number = KITH_ANY;
            any = true;
        } else if (number == KI_NO_ENTITY) {
            return ki_syntax_fail_at(&c->syntax, name,
                                     "this, or an entity that a pair among the terms names");
        }
        *c->next_operand++ = kith_other_(number, NULL);
    }
    c->next_operand++; /* the end of the list */
    *c->next_condition = (kith_condition){.op = KITH_OP_PAIR, .values = numbers};
    *to = (kith_term){.type = type, .condition = c->next_condition++};
    return KITH_OK;
}

kith_result ki_compile_pair(ki_compiler *c, const ki_syntax_node *node, kith_term *to)
{
    const kith_type *type;
    KI_TRY(ki_compile_component(c, node->name, &type));
    const ki_syntax_node *target =
        ki_syntax_at(&c->syntax, ki_syntax_at(&c->syntax, node->first)->next);
    if (type->relation == 0) {
        return ki_syntax_fail_at(&c->syntax, node->name, "a relation, which links two entities");
    }
    if (target->next != 0 && !pairs_finds(c, node)) {
        return ki_syntax_fail_at(&c->syntax, ki_syntax_at(&c->syntax, target->next)->name,
                                 "no `as` after a pair with any, which finds no link");
    }
    if (target->next != 0 && (type->relation & KITH_MANY) == 0) {
        return ki_syntax_fail_at(&c->syntax, ki_syntax_at(&c->syntax, target->next)->name,
                                 "no `as` after %s, as only links of many-valued relations are"
                                 " entities",
                                 type->name);
    }
    return pairs_make(c, type, node->first, to);
}

bool ki_compile_is_same(const ki_compiler *c, const ki_syntax_node *node)
{
    return ki_compile_entity(c, ki_syntax_at(&c->syntax, node->first)->name) != KI_NO_ENTITY;
}

kith_result ki_compile_same(ki_compiler *c, const ki_syntax_node *node, kith_term *to)
{
    const ki_syntax_node *entity = ki_syntax_at(&c->syntax, node->first);
    const ki_syntax_node *other = ki_syntax_at(&c->syntax, entity->next);
    if (node->kind != KI_SYNTAX_COMPARE ||
        (node->op != KITH_OP_EQUAL && node->op != KITH_OP_NOT_EQUAL)) {
        return ki_syntax_fail_at(&c->syntax, entity->name, "a field, or = or != after an entity");
    }
    if ((other->kind != KI_SYNTAX_FIELD && other->kind != KI_SYNTAX_THIS) || other->first != 0) {
        return ki_syntax_fail_at(&c->syntax, other->name, "this, or an entity of the row");
    }
    return pairs_make(c, NULL, node->first, to);
}
