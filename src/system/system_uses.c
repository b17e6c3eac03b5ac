/* What a system uses, from its def. Types that the world does not know are registered. */
#include "system/system_uses.h"

#include "query/condition.h"
#include "query/pair_walk.h"
#include "query/plan.h"
#include "query/term_list.h"
#include "store/kept_values.h"
#include "store/register.h"
#include "store/relation.h"
#include "system/system_state.h"
#include "world/askable.h"
#include "world/first_use.h"

/* One of the lists in which a def declares what the system uses. */
typedef struct uses_list {
    const kith_term *terms;
    ki_use_kind kind;
    bool by_query;    /* the terms of a query */
    uint32_t further; /* its number, if it is not the first one; else 0 */
} uses_list;

/* The register's copy of a type that a list names. */
static kith_result uses_find_type(kith_world *world, const char *call, ki_use_kind kind,
                                  const kith_type *type, const kith_type **kept)
{
    if (KI_CHECKED && type == NULL) {
        ki_misuse(&world->store.context, "%s: a type in the lists of what the system uses is NULL",
                  call);
        return KITH_ERR_MISUSE;
    }
    if (kind != KI_USE_COMPONENT) {
        return ki_register_add(&world->store.context, call, type, kept, NULL);
    }
    ki_component *component;
    KI_TRY(ki_world_use(world, call, type, &component));
    *kept = component->type;
    return KITH_OK;
}

/* Checks a term KITH_BEFORE of `lookups`: that there is a value, which can be copied, and that no other
 * term of the list is about it. */
static kith_result uses_check_before(kith_world *world, const char *call, const ki_system *system,
                                     const kith_term *lookups, const kith_type *type)
{
    ki_context *context = &world->store.context;
    const ki_component *component = ki_world_component(world, type);
    if (type->size == 0) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: '%s': KITH_BEFORE(%s): it is a tag, which has no value; use KITH_READ",
                       call, system->name, type->name);
    }
    if (component->hooks != NULL && component->hooks->calls.copy == NULL) {
        return ki_fail(context, KITH_ERR_TYPE,
                       "%s: '%s': KITH_BEFORE(%s): its values cannot be copied, as its hooks have"
                       " no `copy`",
                       call, system->name, type->name);
    }
    uint32_t terms = 0;
    for (uint32_t i = 0, count = ki_terms_count(lookups); i < count; i++) {
        terms += lookups[i].type != NULL &&
                 ki_type_number_found(lookups[i].type) == ki_type_number(type);
    }
    return terms == 1 ? KITH_OK
                      : ki_fail(context, KITH_ERR_INPUT,
                                "%s: '%s': KITH_BEFORE(%s) is not the only term of %s in `lookups`;"
                                " handles find one value, that before the stage or that of now",
                                call, system->name, type->name, type->name);
}

/* Checks a term of a list by itself. */
static kith_result uses_check_term(kith_world *world, const char *call, const ki_system *system,
                                   const uses_list *list, const kith_term *term,
                                   const kith_type *type)
{
    ki_context *context = &world->store.context;
    bool lookup = !list->by_query && list->kind == KI_USE_COMPONENT;
    bool before = lookup && term->role == KITH_AS_BEFORE && term->access == KITH_ACCESS_READ;
    bool declared = term->access == KITH_ACCESS_READ || term->access == KITH_ACCESS_WRITE;
    if (!list->by_query &&
        (!declared || (term->role != KITH_MUST && !before) || term->group != 0)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: '%s': what it uses besides its query is declared by KITH_READ(%s) or"
                       " KITH_WRITE(%s)%s",
                       call, system->name, type->name, type->name,
                       lookup ? ", or KITH_BEFORE for values before the stage" : "");
    }
    if (before) {
        KI_TRY(uses_check_before(world, call, system, list->terms, type));
    }
    if (list->kind == KI_USE_RESOURCE && type->size == 0) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: '%s': '%s' is a tag, which has no value, so there is no such resource;"
                       " entities' tags are declared in `lookups`",
                       call, system->name, type->name);
    }
    return KITH_OK;
}

/* Checks a term of a further query. `use` has what the system declared about the type before. */
static kith_result uses_check_further(ki_context *context, const char *call,
                                      const ki_system *system, const uses_list *list,
                                      const kith_term *term, const ki_use *use)
{
    const char *name = use->type->name;
    bool writes = term->access == KITH_ACCESS_WRITE;
    bool looks = term->role == KITH_MUST_CHANGED;
    if (system->parallel && writes) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: '%s' is parallel, and its query number %u writes %s, which another of"
                       " its calls may be using; only its first query may write, or do without"
                       " `parallel`",
                       call, system->name, list->further, name);
    }
    if ((looks && use->access == KITH_ACCESS_WRITE) || (writes && use->looked)) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: '%s': one of its queries looks for changes of %s, which another one"
                       " writes; look for them in a system of their own",
                       call, system->name, name);
    }
    if (system->parallel && use->access == KITH_ACCESS_WRITE && term->access == KITH_ACCESS_READ) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: '%s' is parallel and its first query writes %s: its query number %u"
                       " cannot read what another of its calls may be writing; read it in a system"
                       " before this one, or do without `parallel`",
                       call, system->name, name, list->further);
    }
    return KITH_OK;
}

/* Checks that the calls of a parallel system could not disturb each other. `use` has what the system
 * declared about the type before. */
static kith_result uses_check_parallel(ki_context *context, const char *call,
                                       const ki_system *system, const uses_list *list,
                                       const kith_term *term, const ki_use *use)
{
    const char *name = use->type->name;
    if (!system->parallel || list->kind == KI_USE_EVENT || list->by_query) {
        return KITH_OK;
    }
    if (term->access == KITH_ACCESS_WRITE) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: '%s' is parallel: one of its calls would write %s %s while other calls"
                       " use it; queue commands, or do without `parallel`",
                       call, system->name,
                       list->kind == KI_USE_RESOURCE ? "resource" : "any entity's", name);
    }
    if (use->access == KITH_ACCESS_WRITE && term->role != KITH_AS_BEFORE) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: '%s' is parallel and its query writes %s: it cannot read any"
                       " entity's %s too, which another of its calls may be writing; declare"
                       " KITH_BEFORE(%s) to read the values before the stage",
                       call, system->name, name, name, name);
    }
    return KITH_OK;
}

/* The system's use of a thing, made if it is missing; there is room for it. */
static ki_use *uses_use(ki_system *system, ki_use_kind kind, const kith_type *type, ki_thing *thing)
{
    uint32_t index = thing->defined;
    if (index < system->use_count && system->uses[index].thing == thing) {
        return &system->uses[index]; /* otherwise it was the index in another system */
    }
    thing->defined = system->use_count;
    ki_use *use = &system->uses[system->use_count++];
    *use = (ki_use){.type = type,
                    .number = ki_type_number(type),
                    .kind = (uint8_t)kind,
                    .system = system,
                    .thing = thing};
    return use;
}

/* Adds one term to the uses of a system, which has room for it. */
static kith_result uses_add_use(kith_world *world, const char *call, ki_system *system,
                                const uses_list *list, const kith_term *term)
{
    ki_context *context = &world->store.context;
    ki_things *things = &ki_systems_of(world)->things;
    const kith_type *type;
    KI_TRY(uses_find_type(world, call, list->kind, term->type, &type));
    KI_TRY(uses_check_term(world, call, system, list, term, type));
    ki_thing *thing = ki_thing_make(&context->heap, things, list->kind, ki_type_number(type));
    if (thing == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_use *use = uses_use(system, list->kind, type, thing);
    KI_TRY(list->further != 0 ? uses_check_further(context, call, system, list, term, use)
                              : uses_check_parallel(context, call, system, list, term, use));
    use->aside = use->aside || (term->access == KITH_ACCESS_WRITE &&
                                (!list->by_query || list->further != 0));
    use->looked = use->looked || (list->further != 0 && term->role == KITH_MUST_CHANGED);
    use->access = term->access > use->access ? (uint8_t)term->access : use->access;
    use->reads = use->reads || term->access == KITH_ACCESS_READ;
    use->before = use->before || term->role == KITH_AS_BEFORE;
    use->by_handle = !system->parallel || use->access != KITH_ACCESS_WRITE || use->before;
    return KITH_OK;
}

static kith_result uses_add_list(kith_world *world, const char *call, ki_system *system,
                                 const uses_list *list)
{
    for (uint32_t i = 0, count = ki_terms_count(list->terms); i < count; i++) {
        if (!list->by_query || list->terms[i].condition == NULL) {
            KI_TRY(uses_add_use(world, call, system, list, &list->terms[i]));
        }
    }
    return KITH_OK;
}

/* Whom a query asks for a component. */
typedef enum uses_asked { ASKED_ITSELF, ASKED_ANCESTOR, ASKED_OTHER } uses_asked;

/* Whom a via leads to. Of a system that goes by levels the ancestors are those that no other call writes
 * meanwhile. */
static uses_asked uses_leads_to(const kith_query *query, const ki_via *via)
{
    const ki_relation *child_of = query->store->child_of;
    bool ancestor = query->levels != NULL && via->entity == 0;
    for (uint32_t i = 0; ancestor && i < via->step_count; i++) {
        ancestor = via->steps[i].component == child_of->component;
    }
    return ancestor ? ASKED_ANCESTOR : ASKED_OTHER;
}

/* Whom the second field of a condition is asked of, whose first one is asked of `asked`. */
static uses_asked uses_compared(const kith_query *query, const ki_condition_node *node,
                                uses_asked asked)
{
    if (node->form != KI_CONDITION_JOIN) {
        return asked;
    }
    const uses_asked from = !node->of_this      ? asked
                            : node->entity == 0 ? ASKED_ITSELF
                                                : ASKED_OTHER;
    const uses_asked leads = node->via == NULL ? ASKED_ITSELF : uses_leads_to(query, node->via);
    return leads > from ? leads : from;
}

/* Adds that a query uses a component. */
static kith_result uses_add_asked(kith_world *world, const char *call, ki_system *system,
                                  const uses_list *list, const ki_component *component, bool reads,
                                  uses_asked asked)
{
    const kith_term term = {.type = component->type,
                            .access = reads ? KITH_ACCESS_READ : KITH_ACCESS_NONE};
    KI_TRY(uses_add_use(world, call, system, list, &term));
    const ki_use *use = ki_use_find(system, KI_USE_COMPONENT, component->type);
    const bool beside = system->parallel && reads && use->access == KITH_ACCESS_WRITE;
    system->reads_parents = system->reads_parents || (beside && asked == ASKED_ANCESTOR);
    if (beside && asked == ASKED_OTHER) {
        return ki_fail(&world->store.context, KITH_ERR_INPUT,
                       "%s: '%s' is parallel and its query writes %s: it cannot read another"
                       " entity's %s too, by KITH_VIA or KITH_UP, which another of its calls may be"
                       " writing; read it by a handle that is declared as KITH_BEFORE(%s), or of"
                       " ancestors with `.order = KITH_PARENTS_FIRST`",
                       call, system->name, component->type->name, component->type->name,
                       component->type->name);
    }
    return KITH_OK;
}

/* Adds what the conditions of a query read. */
static kith_result uses_add_conditions(kith_world *world, const char *call, ki_system *system,
                                       const uses_list *list, const kith_query *query)
{
    const ki_conditions *conditions = query->conditions;
    uint32_t others_end = 0; /* of the nodes that are about another entity */
    uses_asked asked = ASKED_ITSELF;
    for (uint32_t i = 0; conditions != NULL && i < conditions->count; i++) {
        const ki_condition_node *node = &conditions->nodes[i];
        bool reads = node->form < KI_CONDITION_VIA;
        asked = i < others_end ? asked : ASKED_ITSELF;
        if (node->form == KI_CONDITION_VIA) {
            const uses_asked leads = uses_leads_to(query, node->via);
            asked = leads > asked ? leads : asked;
            others_end = node->end > others_end ? node->end : others_end;
        }
        if (ki_condition_is_of_key(node)) {
            continue; /* it reads what is computed */
        }
        if (node->field.component != NULL) {
            KI_TRY(uses_add_asked(world, call, system, list, node->field.component, reads, asked));
        }
        if (node->other.component != NULL) {
            KI_TRY(uses_add_asked(world, call, system, list, node->other.component, reads,
                                  uses_compared(query, node, asked)));
        }
    }
    return KITH_OK;
}

/* Adds what a query reads to reach other entities, and of these. */
static kith_result uses_add_vias(kith_world *world, const char *call, ki_system *system,
                                 const uses_list *list, const kith_query *query)
{
    const ki_conditions *conditions = query->conditions;
    for (uint32_t i = 0; conditions != NULL && i < conditions->via_count; i++) {
        const ki_via *via = &conditions->vias[i];
        const uses_asked asked = uses_leads_to(query, via);
        for (uint32_t k = 0; k < via->step_count; k++) {
            KI_TRY(uses_add_asked(world, call, system, list, via->steps[k].component, true,
                                  k == 0 && !conditions->nested && via->entity == 0 ? ASKED_ITSELF
                                                                                    : asked));
        }
        if (via->component != NULL) {
            KI_TRY(uses_add_asked(world, call, system, list, via->component, via->valued, asked));
        }
    }
    return KITH_OK;
}

/* Adds the relations that find the other entities of rows. */
static kith_result uses_add_pairs(kith_world *world, const char *call, ki_system *system,
                                  const uses_list *list, const kith_query *query)
{
    const ki_pairs *pairs = ki_query_pairs(query);
    for (uint32_t i = 0; pairs != NULL && i < pairs->count; i++) {
        KI_TRY(uses_add_asked(world, call, system, list, pairs->list[i].component, true,
                              ASKED_OTHER));
    }
    return KITH_OK;
}

static kith_result uses_add_query(kith_world *world, const char *call, ki_system *system,
                                  const uses_list *list, const kith_query *query)
{
    KI_TRY(uses_add_list(world, call, system, list));
    KI_TRY(uses_add_conditions(world, call, system, list, query));
    KI_TRY(uses_add_vias(world, call, system, list, query));
    return uses_add_pairs(world, call, system, list, query);
}

/* Adds that it reads what its indexes are made of, as it was before its stage. */
static kith_result uses_add_indexes(kith_world *world, const char *call, ki_system *system)
{
    const uses_list list = {NULL, KI_USE_COMPONENT, true, 0};
    for (uint32_t i = 0; i < system->asked_count; i++) {
        const ki_askable *askable = system->asked[i];
        const kith_term term = {.type = askable->type, .access = KITH_ACCESS_READ};
        KI_TRY(uses_add_use(world, call, system, &list, &term));
        const ki_use *use = ki_use_find(system, KI_USE_COMPONENT, askable->type);
        if (askable->compares && use->access == KITH_ACCESS_WRITE) {
            return ki_fail(&world->store.context, KITH_ERR_INPUT,
                           "%s: '%s' writes %s, and asks a hash of it that compares values, as it"
                           " is by texts or by several fields; use KITH_INDEX_ORDERED",
                           call, system->name, askable->type->name);
        }
    }
    return KITH_OK;
}

static kith_result uses_add_lists(kith_world *world, const char *call, const kith_system_def *def,
                                  ki_system *system)
{
    const uses_list first = {def->query.terms, KI_USE_COMPONENT, true, 0};
    const uses_list lists[] = {
        {def->lookups, KI_USE_COMPONENT, false, 0},
        {def->resources, KI_USE_RESOURCE, false, 0},
        {def->events, KI_USE_EVENT, false, 0},
    };
    KI_TRY(uses_add_query(world, call, system, &first, system->query));
    for (uint32_t i = 0; i < system->query_count; i++) {
        const uses_list list = {def->queries[i].terms, KI_USE_COMPONENT, true, i + 1};
        KI_TRY(uses_add_query(world, call, system, &list, system->queries[i].query));
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        KI_TRY(uses_add_list(world, call, system, &lists[i]));
    }
    return uses_add_indexes(world, call, system);
}

/* How many uses a query may come to. */
static size_t uses_most_uses(const kith_query *query)
{
    const ki_conditions *conditions = query->conditions;
    const ki_pairs *pairs = ki_query_pairs(query);
    return query->term_count + (pairs == NULL ? 0 : pairs->count) +
           (conditions == NULL
                ? 0
                : conditions->count * 2 + conditions->via_count * (KI_VIA_STEPS_MAX + 1));
}

static kith_result uses_add_all(kith_world *world, const char *call, const kith_system_def *def,
                                ki_system *system)
{
    ki_heap *heap = &world->store.context.heap;
    size_t most = uses_most_uses(system->query) + ki_terms_count(def->lookups) +
                  ki_terms_count(def->resources) + ki_terms_count(def->events) +
                  system->asked_count;
    for (uint32_t i = 0; i < system->query_count; i++) {
        most += uses_most_uses(system->queries[i].query);
    }
    if (most == 0) {
        return KITH_OK;
    }
    system->uses = ki_heap_alloc(heap, most * sizeof *system->uses, _Alignof(ki_use));
    if (system->uses == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = uses_add_lists(world, call, def, system);
    /* A type may be in several lists. Freeing goes by `use_count`, so the array must have that
     * size. */
    ki_use *uses = NULL;
    if (result == KITH_OK) {
        uses = ki_heap_alloc(heap, system->use_count * sizeof *uses, _Alignof(ki_use));
        result = uses == NULL ? KITH_ERR_MEMORY : KITH_OK;
    }
    if (uses != NULL) {
        memcpy(uses, system->uses, system->use_count * sizeof *uses);
    }
    ki_heap_free(heap, system->uses, most * sizeof *uses, _Alignof(ki_use));
    system->uses = uses;
    system->use_count = uses == NULL ? 0 : system->use_count;
    return result;
}

/* Makes room for the values that it reads as they are before its stage, if it writes them. */
static kith_result uses_make_kept(ki_heap *heap, ki_system *system)
{
    for (uint32_t i = 0; i < system->use_count; i++) {
        ki_use *use = &system->uses[i];
        if (use->before && use->access == KITH_ACCESS_WRITE) {
            use->kept = ki_heap_alloc_zeroed(heap, sizeof *use->kept, _Alignof(ki_kept_values));
            if (use->kept == NULL) {
                return KITH_ERR_MEMORY;
            }
            system->keeps = true;
        }
    }
    return KITH_OK;
}

/* Queries of a system go by an index where the index tells what a scan would find.
 *
 * A plan is made before the stage, when nothing is being written. It names the rows that satisfied a
 * condition then; the scan asks these again when it comes to them, and no others. So it finds what a
 * scan finds if no row that is not named begins to satisfy the condition before a scan comes there. Who
 * could write it meanwhile?
 * - Other systems: they are in other stages, since a condition counts as reading.
 * - Commands, and hooks that they call: they are applied after the stage.
 * - The first query, if it writes the component. It writes rows that it was handed, and a scan asks a
 *   row once, before it hands it out; this goes for each of its parts, whose rows are apart.
 * - Lookups and further queries that write it. They write any row, also one that a scan comes to later.
 *   So does the first query, for a further one, which is opened at any time and any number of times.
 * The last ones are those for which a query scans. */
static void uses_avoid_written(kith_world *world, const ki_system *system)
{
    for (uint32_t i = 0; i < system->use_count; i++) {
        const ki_use *use = &system->uses[i];
        if (use->kind != KI_USE_COMPONENT || use->access != KITH_ACCESS_WRITE) {
            continue;
        }
        const ki_component *component = ki_world_component(world, use->type);
        if (use->aside) {
            ki_plan_avoid(system->query, component);
        }
        for (uint32_t k = 0; k < system->query_count; k++) {
            ki_plan_avoid(system->queries[k].query, component);
        }
    }
}

kith_result ki_system_uses_make(kith_world *world, const char *call, const kith_system_def *def,
                                ki_system *system)
{
    KI_TRY(uses_add_all(world, call, def, system));
    uses_avoid_written(world, system);
    return uses_make_kept(&world->store.context.heap, system);
}
