#include "query/pair_walk.h"

#include "query/condition.h"
#include "store/relation.h"

ki_pairs *ki_pairs_new(ki_heap *heap)
{
    ki_pairs *pairs = ki_heap_alloc_zeroed(heap, sizeof *pairs, _Alignof(ki_pairs));
    if (pairs != NULL) {
        pairs->entity_count = 1;
        memset(pairs->found, 0xff, sizeof pairs->found);
        pairs->found[0] = 0;
    }
    return pairs;
}

void ki_pairs_free(ki_heap *heap, ki_pairs *pairs)
{
    ki_heap_free(heap, pairs, sizeof *pairs, _Alignof(ki_pairs));
}

const ki_pairs *ki_query_pairs(const kith_query *query)
{
    return query->conditions == NULL ? NULL : query->conditions->pairs;
}

/* ---- Making */

static bool pairs_has(const ki_pairs *pairs, uint32_t number)
{
    return pairs->found[number] != KI_NOT_FOUND;
}

static void pairs_add_step(ki_pairs *pairs, ki_pair_way way, const ki_relation *relation,
                           uint32_t from, uint32_t to)
{
    const uint32_t number = pairs->step_count++;
    const uint32_t before = number == 0 ? KI_NO_STEP : pairs->steps[number - 1].retry;
    pairs->steps[number] =
        (ki_pair_step){way, relation, from, to, way == KI_PAIR_SOURCES ? number : before};
    if (!pairs_has(pairs, to)) {
        pairs->found[to] = pairs->step_count;
    }
}

/* Adds the step along one relation, of which an end is known. */
static void pairs_add_end(ki_pairs *pairs, const ki_relation *relation, uint32_t source,
                          uint32_t target)
{
    if (!pairs_has(pairs, source)) {
        pairs_add_step(pairs, KI_PAIR_SOURCES, relation, target, source);
    } else {
        pairs_add_step(pairs, pairs_has(pairs, target) ? KI_PAIR_CHECK : KI_PAIR_FOLLOW, relation,
                       source, target);
    }
}

/* Adds the steps of links: the end that is known comes first, and of two the source. */
static void pairs_add_links(ki_pairs *pairs, const ki_pair *pair)
{
    const ki_relation *from = pair->component->relation;
    const ki_relation *to = from->other;
    const bool backward = !pair->knows_source;
    pairs_add_end(pairs, backward ? to : from, pair->link, backward ? pair->target : pair->source);
    pairs_add_end(pairs, backward ? from : to, pair->link, backward ? pair->source : pair->target);
}

kith_result ki_pairs_add(ki_context *context, const char *call, ki_pairs *pairs,
                         ki_component *component, uint32_t source, uint32_t target, uint32_t link)
{
    const char *name = component->type->name;
    const bool many = component->relation->other != NULL;
    if (pairs->count == KITH_ROW_PAIRS) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: a query has at most %u pairs", call,
                       KITH_ROW_PAIRS);
    }
    ki_pair *pair = &pairs->list[pairs->count];
    const bool numbered = link != KI_NOT_FOUND;
    link = numbered ? link : KITH_ROW_ENTITIES + pairs->count;
    *pair = (ki_pair){component,
                      source,
                      target,
                      link,
                      pairs_has(pairs, source),
                      pairs_has(pairs, target),
                      many && pairs_has(pairs, link)};
    if (!pair->knows_source && !pair->knows_target && !pair->knows_link) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: KITH_PAIR(%s, %u, %u): it is followed from an entity that is known,"
                       " number 0 or one in a pair before, to the other",
                       call, name, source, target);
    }
    pairs->count++;
    if (many) {
        pairs_add_links(pairs, pair);
    } else {
        pairs_add_end(pairs, component->relation, source, target);
    }
    const uint32_t numbers[] = {source, target, numbered ? link : 0};
    for (uint32_t i = 0; i < 3; i++) {
        pairs->entity_count =
            numbers[i] >= pairs->entity_count ? numbers[i] + 1 : pairs->entity_count;
    }
    return KITH_OK;
}

kith_result ki_pairs_check(ki_context *context, const char *call, const ki_pairs *pairs)
{
    for (uint32_t i = 0; i < pairs->entity_count; i++) {
        if (!pairs_has(pairs, i)) {
            return ki_fail(
                context, KITH_ERR_INPUT,
                "%s: a pair is about number %u of a row, and none about number %u; numbers"
                " have no gaps",
                call, pairs->entity_count - 1, i);
        }
    }
    return KITH_OK;
}

/* ---- Rows */

void ki_pair_walk_begin(ki_pair_walk *walk, uint32_t index)
{
    walk->found = false;
    walk->row[0] = index;
}

/* Takes a step from what those before it found. With `again`, a KI_PAIR_SOURCES step goes on to its next
 * source; the others are not taken again. False: it finds nothing. */
static inline bool walk_step(ki_pair_walk *walk, const ki_pair_step *step, uint32_t number,
                             bool again)
{
    const ki_link from =
        again ? (ki_link){0} : ki_relation_link(step->relation, walk->row[step->from]);
    if (step->way == KI_PAIR_CHECK) {
        return from.target1 == walk->row[step->to] + 1;
    }
    if (step->way == KI_PAIR_FOLLOW) {
        walk->row[step->to] = from.target1 - 1;
        return from.target1 != 0;
    }
    const uint32_t at1 = again ? walk->next1[number] : from.first1;
    if (at1 == 0) {
        return false;
    }
    walk->row[step->to] = at1 - 1;
    walk->next1[number] = ki_relation_link(step->relation, at1 - 1).next1;
    return true;
}

bool ki_pair_walk_next(const kith_query *query, ki_pair_walk *walk)
{
    const ki_pairs *pairs = query->conditions->pairs;
    bool again = walk->found;
    uint32_t number = again ? pairs->steps[pairs->step_count - 1].retry : 0;
    while (number != KI_NO_STEP) {
        if (!walk_step(walk, &pairs->steps[number], number, again)) {
            number = number == 0 ? KI_NO_STEP : pairs->steps[number - 1].retry;
            again = true;
            continue;
        }
        again = (pairs->asked >> (number + 1) & 1) != 0 &&
                !ki_conditions_hold_of_row(query, number + 1, walk->row);
        number = again ? pairs->steps[number].retry : number + 1;
        if (number == pairs->step_count) {
            walk->found = true;
            return true;
        }
    }
    walk->found = false;
    return false;
}

uint64_t ki_pair_count(const kith_query *query, uint32_t index, uint64_t enough)
{
    ki_pair_walk walk;
    uint64_t count = 0;
    ki_pair_walk_begin(&walk, index);
    while (count < enough && ki_pair_walk_next(query, &walk)) {
        count++;
    }
    return count;
}
