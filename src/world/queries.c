/* Queries of a world: finds the components for the types in a definition. */
#include "query/cursor.h"
#include "world/first_use.h"

static kith_result queries_make(kith_world *world, const kith_query_def *def,
                                ki_component **components, kith_query **query)
{
    for (uint32_t i = 0; i < def->term_count; i++) {
        KI_TRY(ki_world_use(world, "kith_query_new", def->terms[i].type, &components[i]));
    }
    return ki_query_make(&world->store, def, components, query);
}

kith_result kith_query_new(kith_world *world, const kith_query_def *def, kith_query **query)
{
    KI_TRY(ki_world_require_owner(world, "kith_query_new"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && (def == NULL || query == NULL)) {
        return ki_misuse(context,
                         "kith_query_new: the definition, or the place for the query, is NULL");
    }
    if (KI_CHECKED && def->terms == NULL && def->term_count != 0) {
        return ki_misuse(context, "kith_query_new: %u terms, but their address is NULL",
                         def->term_count);
    }
    ki_component *usual[16];
    ki_component **components = usual;
    size_t bytes = def->term_count * sizeof *components;
    if (def->term_count > sizeof usual / sizeof usual[0]) {
        components = ki_heap_alloc(&context->heap, bytes, _Alignof(ki_component *));
        if (components == NULL) {
            return KITH_ERR_MEMORY;
        }
    }
    kith_result result = queries_make(world, def, components, query);
    if (components != usual) {
        ki_heap_free(&context->heap, components, bytes, _Alignof(ki_component *));
    }
    return result;
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
    if (result == KITH_ERR_MEMORY && world->store.context.error[0] == '\0') {
        ki_fail(&world->store.context, result, "kith_query_new: memory ran out");
    }
    return query;
}
