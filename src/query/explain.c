/* Explains how queries find their entities. */
#include <kith/floats.h>

#include <kith/clock.h>
#include <kith/query_text.h>

#include "query/explain.h"

#include <string.h>

#include "base/text_out.h"
#include "query/condition.h"
#include "query/levels.h"
#include "query/pair_walk.h"
#include "query/plan.h"
#include "store/relation.h"

static void explain_source(ki_text_out *out, const ki_source *source)
{
    char name[512];
    source->calls->print(source, name, sizeof name);
    ki_text_add_string(out, name);
}

/* The source that is used, and what it is asked, if it says so. */
static void explain_chosen(ki_text_out *out, const ki_plan *plan)
{
    const ki_source_calls *calls = plan->best->calls;
    char asked[256];
    explain_source(out, plan->best);
    if (calls->print_asked != NULL) {
        calls->print_asked(plan->best, &plan->wants, asked, sizeof asked);
        ki_text_add(out, ": ");
        ki_text_add_string(out, asked);
    }
}

/* Which rows are visited, and how many of them are asked. */
static void explain_rows(ki_text_out *out, const ki_plan *plan, const ki_driver *driver)
{
    bool chosen = plan->reason == KI_PLAN_CHOSEN;
    ki_text_add(out, "rows: ");
    if (chosen) {
        ki_text_add(out, "about %u of ", plan->offer.rows);
    }
    ki_text_add(out, "%u%s", plan->rows,
                driver->kind == KI_DRIVE_TABLES   ? ", in tables"
                : driver->kind == KI_DRIVE_SPARSE ? ", in the sparse set of "
                                                  : ", in the slots of ");
    if (driver->kind != KI_DRIVE_TABLES) {
        ki_text_add_string(out, ki_driver_component(driver)->type->name);
    }
}

static bool explain_skips(const ki_source *source)
{
    return source->calls->kind == KI_SOURCE_BLOCKS;
}

/* Why a source is not used that is up to date. */
static void explain_many(ki_text_out *out, const ki_plan *plan)
{
    explain_source(out, plan->best);
    if (explain_skips(plan->best)) {
        ki_text_add(out, " leaves about %u of them, which is not faster than asking all",
                    plan->offer.rows);
        return;
    }
    ki_text_add(out, " has about %u of them or more, too many to find faster than by asking all",
                plan->offer.rows);
}

/* The component of a condition that is not asked of indexes, since values may be written meanwhile;
 * NULL: there is none. */
static const ki_component *explain_written(const kith_query *query)
{
    const ki_conditions *conditions = query->conditions;
    for (uint32_t i = 0; i < conditions->count; i++) {
        if (conditions->nodes[i].written) {
            return conditions->nodes[i].field.component;
        }
    }
    return NULL;
}

static void explain_no_source(ki_text_out *out, const kith_query *query)
{
    const ki_component *written = explain_written(query);
    ki_text_add(out, "no index serves the conditions");
    if (written != NULL) {
        ki_text_add(out, "; the system may write %s of any entity meanwhile", written->type->name);
    }
}

/* Whether a query asks for values, and not only for components, others and links. */
static bool explain_asks_values(const kith_query *query)
{
    const ki_conditions *conditions = query->conditions;
    for (uint32_t i = 0; conditions != NULL && i < conditions->count; i++) {
        const ki_condition_form form = conditions->nodes[i].form;
        if (form != KI_CONDITION_GROUP && form < KI_CONDITION_VIA) {
            return true;
        }
    }
    return false;
}

/* Why the rows are found in this way. */
static void explain_reason(ki_text_out *out, const ki_plan *plan, const kith_query *query)
{
    ki_text_add(out, "\nwhy: ");
    const bool asks = explain_asks_values(query);
    switch (asks ? plan->reason : KI_PLAN_NO_CONDITION) {
    case KI_PLAN_NO_CONDITION: ki_text_add(out, "no condition is about a value"); return;
    case KI_PLAN_NO_SOURCE: explain_no_source(out, query); return;
    case KI_PLAN_FEW_ROWS: ki_text_add(out, "so few rows are asked faster than an index"); return;
    case KI_PLAN_FAILED:
        explain_source(out, plan->best);
        ki_text_add(out, " was not brought up to date: memory ran out");
        return;
    case KI_PLAN_MANY_MATCH: explain_many(out, plan); return;
    case KI_PLAN_STALE:
        explain_source(out, plan->best);
        ki_text_add(out, " has to look at about %u rows first, which takes longer than asking all",
                    plan->offer.stale);
        return;
    case KI_PLAN_CHOSEN: break;
    }
    ki_text_add(out, "asking all takes longer");
    if (plan->offer.stale != 0) {
        ki_text_add(out, ", also after it has looked at about %u rows", plan->offer.stale);
    }
}

/* The name of the field at an offset, unless it is that of a relation's target. */
static void explain_step(ki_text_out *out, const ki_via_step *step)
{
    const kith_type *type = step->component->type;
    ki_text_add_string(out, type->name);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        bool usual = type->relation != 0 && strcmp(field->name, "target") == 0;
        uint32_t at = step->offset - field->offset;
        if (step->offset >= field->offset && at < field->size && !usual) {
            ki_text_add(out, ".%s", field->name);
            if (field->size != sizeof(kith_entity)) {
                ki_text_add(out, "[%u]", at / (uint32_t)sizeof(kith_entity));
            }
        }
    }
    ki_text_add(out, " -> ");
}

/* What one term or condition asks of another entity, as a text has it. */
static void explain_via(ki_text_out *out, const ki_via *via)
{
    if (via->entity != 0) {
        ki_text_add(out, "%u -> ", via->entity);
    }
    for (uint32_t i = 0; i + via->nearest < via->step_count; i++) {
        explain_step(out, &via->steps[i]);
    }
    ki_text_add(out, "%s%s%s%s%s", via->nearest ? "up(" : "",
                via->role == KITH_MAY        ? "?"
                : via->role == KITH_MUST_NOT ? "!"
                                             : "",
                via->component == NULL ? "a condition" : via->component->type->name,
                via->component != NULL && via->conditional ? " with a condition" : "",
                via->nearest ? ")" : "");
}

/* Whether a via is only for a value, and another one asks for the same component of the same entity: so
 * it is for each member of a group of KITH_ANY_OF. */
static bool explain_is_repeated(const ki_conditions *conditions, const ki_via *via)
{
    for (uint32_t i = 0; via->role == KITH_MAY && i < conditions->via_count; i++) {
        const ki_via *other = &conditions->vias[i];
        bool same = other->role == KITH_MUST && !other->conditional &&
                    other->component == via->component && other->entity == via->entity &&
                    other->nearest == via->nearest && other->step_count == via->step_count;
        for (uint32_t k = 0; same && k < via->step_count; k++) {
            same = other->steps[k].component == via->steps[k].component &&
                   other->steps[k].offset == via->steps[k].offset;
        }
        if (same) {
            return true;
        }
    }
    return false;
}

/* In which order, if not as the rows are stored. */
static void explain_order(ki_text_out *out, const ki_levels *levels)
{
    if (levels != NULL) {
        ki_text_add(out, "\norder: %s first", levels->children_first ? "children" : "parents");
    }
}

/* How the other entities of rows are found. */
static void explain_pairs(ki_text_out *out, const ki_pairs *pairs)
{
    for (uint32_t i = 0; pairs != NULL && i < pairs->count; i++) {
        const ki_pair *pair = &pairs->list[i];
        const bool backward = !pair->knows_source && !pair->knows_link;
        ki_text_add(out, "%s%s", i == 0 ? "\npairs: " : ", ", pair->component->type->name);
        if (pair->component->relation->other != NULL && pair->link < KITH_ROW_ENTITIES) {
            ki_text_add(out, " %u%s", pair->link, pair->knows_link ? ", known," : "");
        }
        ki_text_add(out, backward ? " to %u from %u%s" : " from %u to %u%s",
                    backward ? pair->target : pair->source, backward ? pair->source : pair->target,
                    pair->knows_source && pair->knows_target ? ", both known" : "");
    }
}

/* Which entities have to be linked with any, or must not be: for each row, by its lists of links. */
static void explain_linked(ki_text_out *out, const ki_conditions *conditions)
{
    const char *before = "\nlinks: ";
    for (uint32_t i = 0; conditions != NULL && i < conditions->count; i++) {
        const ki_condition_node *node = &conditions->nodes[i];
        if (node->form == KI_CONDITION_LINKED) {
            ki_text_add(out, "%s%s from ", before, node->field.component->type->name);
            ki_text_add(out, node->from ? "%u to any" : "any to %u", node->entity);
            before = ", ";
        }
    }
}

/* What is asked of other entities: for each row, by its links. */
static void explain_vias(ki_text_out *out, const ki_conditions *conditions)
{
    const char *before = "\nfollows: ";
    for (uint32_t i = 0; conditions != NULL && i < conditions->via_count; i++) {
        if (!explain_is_repeated(conditions, &conditions->vias[i])) {
            ki_text_add_string(out, before);
            explain_via(out, &conditions->vias[i]);
            before = ", ";
        }
    }
}

static void explain_plan(ki_text_out *out, const ki_plan *plan, const ki_driver *driver)
{
    ki_text_add(out, "plan: ");
    if (plan->reason == KI_PLAN_CHOSEN) {
        explain_chosen(out, plan);
        ki_text_add_string(out, explain_skips(plan->best) ? ", which skips blocks" : "");
    } else {
        ki_text_add(out, "scan");
    }
    ki_text_add(out, "\n");
    explain_rows(out, plan, driver);
    explain_reason(out, plan, driver->query);
    explain_pairs(out, ki_query_pairs(driver->query));
    explain_linked(out, driver->query->conditions);
    explain_vias(out, driver->query->conditions);
    explain_order(out, driver->query->levels);
}

/* Runs the query, and tells what it met. */
static void explain_run(ki_text_out *out, kith_query *query, const ki_driver *driver, ki_plan *plan)
{
    double start = kith_clock_now();
    uint32_t met = kith_query_count(query);
    double seconds = kith_clock_now() - start;
    if (query->plan != NULL && query->plan->best != NULL) {
        *plan = *query->plan; /* as it was made */
    } else if (plan->reason == KI_PLAN_CHOSEN) {
        plan->reason = KI_PLAN_FAILED; /* there was no memory for a plan */
    }
    explain_plan(out, plan, driver);
    bool named = plan->source != NULL && plan->named;
    bool skips = plan->source != NULL && !plan->named;
    const bool several = ki_query_pairs(query) != NULL; /* there may be more than rows asked */
    ki_text_add(out, "\nmet: %u %s %s%u rows asked, in %.3f ms", met,
                several ? "combinations of entities in" : "of", skips ? "about " : "",
                named   ? plan->place_count
                : skips ? plan->offer.rows
                        : plan->rows,
                seconds * 1e3);
}

size_t ki_query_explain(kith_query *query, uint32_t threads, bool analyze, char *text, size_t size)
{
    ki_plan plan = {.source = NULL};
    ki_driver driver;
    ki_query_refresh_derived(query);
    ki_driver_pick(&driver, query);
    ki_plan_choose(&plan, query, &driver, threads);
    ki_text_out out = ki_text_start(text, size);
    if (analyze) {
        explain_run(&out, query, &driver, &plan);
    } else {
        explain_plan(&out, &plan, &driver);
    }
    return out.length;
}

kith_result kith_query_explain(kith_query *query, bool analyze, char *text, size_t size,
                               size_t *length)
{
    if (KI_CHECKED && query == NULL) {
        return ki_misuse(NULL, "kith_query_explain: the query is NULL");
    }
    const ki_context *context = &query->store->context;
    KI_TRY(ki_context_require_thread(context, "kith_query_explain"));
    if (KI_CHECKED && text == NULL && size != 0) {
        return ki_misuse(context, "kith_query_explain: the room for the text is NULL");
    }
    if (query->conditions != NULL) {
        KI_TRY(ki_conditions_require_bound(query, "kith_query_explain"));
    }
    const size_t all = ki_query_explain(query, 1, analyze, text, size);
    if (length != NULL) {
        *length = all;
    }
    return KITH_OK;
}
