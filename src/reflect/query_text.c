/* Queries in text: the calls. */
#include <string.h>

#include "reflect/query_text_compile.h"
#include "world/queries.h"

/* A query has only terms and conditions, and an order by depth. */
static kith_result query_text_refuse(ki_syntax *syntax)
{
    if (syntax->explain.start != NULL) {
        return ki_syntax_fail_at(syntax, syntax->explain,
                                 "a query, since only a selection (kith_select_new) explains one");
    }
    for (int i = KI_CLAUSE_GROUP; i <= KI_CLAUSE_LIMIT; i++) {
        bool by_depth = i == KI_CLAUSE_ORDER && syntax->order != KITH_SCAN_ORDER;
        if (syntax->clauses[i].start != NULL && !by_depth) {
            return ki_syntax_fail_at(syntax, syntax->clauses[i],
                                     "the end of the query, since only a selection"
                                     " (kith_select_new) has group by, select, order by and limit");
        }
    }
    return KITH_OK;
}

static kith_result query_text_make(ki_compiler *compiler, const char *text, kith_text_error *error,
                                   kith_query **query)
{
    KI_TRY(ki_compile(compiler, text, error));
    KI_TRY(query_text_refuse(&compiler->syntax));
    const kith_query_def def = {.terms = compiler->terms, .order = compiler->syntax.order};
    return ki_query_new(compiler->world, "kith_query_text", &def, query);
}

kith_query *kith_query_text(kith_world *world, const char *text, kith_text_error *error)
{
    if (ki_world_require_owner(world, "kith_query_text") != KITH_OK) {
        return NULL;
    }
    ki_context *context = &world->store.context;
    if (KI_CHECKED && text == NULL) {
        ki_misuse(context, "kith_query_text: the text is NULL");
        return NULL;
    }
    ki_compiler compiler = {.world = world, .syntax = {.heap = &context->heap}};
    kith_text_error own = {.line = 0};
    kith_query *query = NULL;
    kith_result result = query_text_make(&compiler, text, &own, &query);
    ki_text_result(context, "kith_query_text", &own, error, result);
    ki_compiler_free(&compiler);
    return query;
}

kith_result kith_query_text_tidy(kith_world *world, const char *text, char *tidy, size_t size,
                                 size_t *length, kith_text_error *error)
{
    KI_TRY(ki_world_require_owner(world, "kith_query_text_tidy"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && (text == NULL || (tidy == NULL && size != 0))) {
        return ki_misuse(context, "kith_query_text_tidy: the text, or the room for the tidy one, is"
                                  " NULL");
    }
    ki_syntax syntax;
    kith_text_error own = {.line = 0};
    kith_result result = ki_syntax_read(&syntax, &context->heap, text, strlen(text), &own);
    size_t printed = result == KITH_OK ? ki_syntax_print(&syntax, tidy, size) : 0;
    ki_syntax_free(&syntax);
    if (result == KITH_OK && length != NULL) {
        *length = printed;
    }
    return ki_text_result(context, "kith_query_text_tidy", &own, error, result);
}
