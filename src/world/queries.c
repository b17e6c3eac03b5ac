/* Queries of a world: finds the components for the types in a definition. */
#include "world/queries.h"

#include <kith/hierarchy.h>

#include "query/any_of.h"
#include "query/condition.h"
#include "query/cursor.h"
#include "query/term_list.h"
#include "world/first_use.h"
#include "world/guard.h"
#include "world/link_source.h"
#include "world/name_source.h"

#define QUERIES_USUAL 16u /* terms, and types in conditions, that take no memory */

/* What a definition's terms become. */
typedef struct queries_draft {
    kith_world *world;
    const char *call;
    const kith_query_def *def;
    const kith_term *given; /* its terms, see query/any_of.h */
    uint32_t type_count;    /* in conditions */
    kith_term *terms;    /* those without conditions, and those that conditions ask for */
    ki_component **components;
    const kith_type **types;      /* in conditions, */
    ki_component **in_conditions; /* and their components */
} queries_draft;

/* Finds the component of a type that a term or a condition names. Of kith_disabled, queries ask what it
 * comes to, which follows parents: so the world is to know of these too. */
static kith_result queries_use(const queries_draft *draft, const kith_type *type,
                               ki_query_parts *parts, ki_component **component)
{
    KI_TRY(ki_world_use(draft->world, draft->call, type, component));
    ki_component *asked = ki_disabled_asked(&draft->world->store, *component);
    if (asked != *component) {
        ki_component *child_of;
        KI_TRY(ki_world_use(draft->world, draft->call, &kith_child_of_type, &child_of));
        parts->inherits = true;
        *component = asked;
    }
    return KITH_OK;
}

/* Adds a term for each component that conditions ask for, if no other term does. */
static kith_result queries_add_required(const queries_draft *draft, ki_query_parts *parts)
{
    uint32_t count = ki_conditions_types(draft->given, true, draft->types);
    for (uint32_t i = 0; i < count; i++) {
        ki_component *component;
        bool there = false;
        KI_TRY(queries_use(draft, draft->types[i], parts, &component));
        for (uint32_t k = 0; k < parts->term_count; k++) {
            kith_role role = draft->terms[k].role;
            there = there || (draft->components[k] == component &&
                              (role == KITH_MUST || role == KITH_MUST_CHANGED));
        }
        if (!there) {
            draft->terms[parts->term_count] =
                (kith_term){component->type, KITH_ACCESS_NONE, KITH_MUST, 0, NULL};
            draft->components[parts->term_count++] = component;
        }
    }
    return KITH_OK;
}

static kith_result queries_make(const queries_draft *draft, kith_query **query)
{
    ki_store *store = &draft->world->store;
    const kith_query_def *def = draft->def;
    ki_query_parts parts = {.call = draft->call,
                            .name = def->name,
                            .driver = def->driver,
                            .order = def->order,
                            .terms = draft->terms,
                            .components = draft->components};
    for (uint32_t i = 0, count = ki_terms_count(draft->given); i < count; i++) {
        if (!ki_term_is_numbered(&draft->given[i])) {
            continue;
        }
        ki_component **component = &draft->components[parts.term_count];
        kith_term *term = &draft->terms[parts.term_count++];
        *term = draft->given[i];
        if (ki_via_is_condition(term->condition)) {
            term->type = ki_via_innermost(term)->type;
            term->role = KITH_MAY;
        }
        KI_TRY(queries_use(draft, term->type, &parts, component));
        if (KI_CHECKED && (*component)->guarded && term->access == KITH_ACCESS_WRITE) {
            return ki_reject_guarded(draft->world, draft->call, *component);
        }
    }
    parts.given_count = parts.term_count;
    if (def->order != KITH_SCAN_ORDER) {
        ki_component *child_of;
        KI_TRY(ki_world_use(draft->world, draft->call, &kith_child_of_type, &child_of));
    }
    if (draft->type_count != 0) {
        ki_conditions_types(draft->given, false, draft->types);
        for (uint32_t i = 0; i < draft->type_count; i++) {
            KI_TRY(queries_use(draft, draft->types[i], &parts, &draft->in_conditions[i]));
        }
        KI_TRY(queries_add_required(draft, &parts));
    }
    KI_TRY(ki_conditions_make(store, draft->call, &draft->world->texts, draft->given,
                              draft->in_conditions, &parts.conditions));
    bool paths = parts.conditions != NULL && parts.conditions->paths;
    kith_result result = paths ? ki_name_source_offer(draft->world) : KITH_OK;
    result = result == KITH_OK ? ki_link_sources_offer(draft->world, parts.conditions) : result;
    result = result == KITH_OK ? ki_query_make(store, &parts, query) : result;
    if (result != KITH_OK) {
        ki_conditions_free(&store->context.heap, parts.conditions);
    }
    return result;
}

/* The first type that a term writes, where the world is a view; otherwise NULL. */
static const kith_type *queries_forbidden(const kith_world *world, const kith_term *terms)
{
    for (uint32_t i = 0, count = ki_terms_count(terms); i < count; i++) {
        if (ki_world_is_view(world) && terms[i].access == KITH_ACCESS_WRITE) {
            return terms[i].type;
        }
    }
    return NULL;
}

/* Makes a query of a definition whose terms were checked, and written out. */
static kith_result queries_make_given(const queries_draft *given, kith_query **query)
{
    queries_draft draft = *given;
    ki_heap *heap = &draft.world->store.context.heap;
    struct {
        kith_term terms[QUERIES_USUAL];
        ki_component *components[QUERIES_USUAL];
        const kith_type *types[QUERIES_USUAL];
        ki_component *in_conditions[QUERIES_USUAL];
    } usual;
    draft.terms = usual.terms;
    draft.components = usual.components;
    draft.types = usual.types;
    draft.in_conditions = usual.in_conditions;
    /* Conditions may ask for a term for each of their types. */
    size_t most = (size_t)ki_terms_count(draft.given) + draft.type_count;
    if (most <= QUERIES_USUAL) {
        return queries_make(&draft, query);
    }
    size_t bytes = most * sizeof usual / QUERIES_USUAL;
    draft.terms = ki_heap_alloc(heap, bytes, _Alignof(max_align_t));
    if (draft.terms == NULL) {
        return KITH_ERR_MEMORY;
    }
    draft.components = (ki_component **)(void *)(draft.terms + most);
    draft.types = (const kith_type **)(void *)(draft.components + most);
    draft.in_conditions = (ki_component **)(void *)(draft.types + most);
    kith_result result = queries_make(&draft, query);
    ki_heap_free(heap, draft.terms, bytes, _Alignof(max_align_t));
    return result;
}

kith_result ki_query_new(kith_world *world, const char *call, const kith_query_def *def,
                         kith_query **query)
{
    KI_TRY(ki_world_require_owner(world, call));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && (def == NULL || query == NULL)) {
        return ki_misuse(context, "%s: the definition, or the place for the query, is NULL", call);
    }
    if ((uint32_t)def->order > KITH_CHILDREN_FIRST) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: there is no order %u; see kith_order", call,
                       (uint32_t)def->order);
    }
    KI_TRY(ki_terms_check(context, call, "terms", def->terms));
    KI_TRY(ki_conditions_check(context, call, def->terms));
    const kith_type *written = queries_forbidden(world, def->terms);
    if (KI_CHECKED && written != NULL) {
        return ki_misuse(context,
                         "%s: the query writes '%s', but the world is a view of a snapshot, which"
                         " is only read",
                         call, written->name);
    }
    ki_any_of any;
    KI_TRY(ki_any_of_begin(&context->heap, def->terms, &any));
    queries_draft draft = {.world = world,
                           .call = call,
                           .def = def,
                           .given = any.terms,
                           .type_count = ki_conditions_types(any.terms, false, NULL)};
    kith_result result = queries_make_given(&draft, query);
    ki_any_of_end(&context->heap, &any);
    return result;
}

kith_result kith_query_new(kith_world *world, const kith_query_def *def, kith_query **query)
{
    return ki_query_new(world, "kith_query_new", def, query);
}

kith_world *kith_query_world(const kith_query *query)
{
    if (KI_CHECKED && query == NULL) {
        ki_misuse(NULL, "kith_query_world: the query is NULL");
        return NULL;
    }
    _Static_assert(offsetof(kith_world, store) == 0, "a store is the start of its world");
    return (kith_world *)(void *)query->store;
}

uint32_t kith_queries_close(kith_world *world)
{
    if (ki_world_require_owner(world, "kith_queries_close") != KITH_OK) {
        return 0;
    }
    const char *holder = ki_query_holder(&world->store);
    if (KI_CHECKED && holder != NULL) {
        ki_misuse(&world->store.context,
                  "kith_queries_close: %s is under way; call it when that has returned", holder);
        return 0;
    }
    return ki_queries_close(&world->store);
}

kith_query *kith_query_new_or_null(kith_world *world, const kith_query_def *def)
{
    kith_query *query = NULL;
    kith_result result = kith_query_new(world, def, &query);
    if (world != NULL) {
        ki_tell_memory(&world->store.context, result, "kith_query_new");
    }
    return query;
}
