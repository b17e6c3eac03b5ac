#include "world/link_source.h"

#include <stdio.h>

#include "query/query_source.h"

/* That of one component, which has one relation, or of KITH_LINKS two. */
typedef struct link_source {
    ki_source source;
    kith_world *world;
    struct link_source *previous; /* of the world's */
} link_source;

/* ---- What is asked */

/* The relation whose targets are in a field; NULL: there is none. */
static const ki_relation *link_relation(const ki_place_of_field *field)
{
    const ki_relation *relation = field->component == NULL ? NULL : field->component->relation;
    while (relation != NULL && (field->kind != KITH_ENTITY || relation->offset != field->offset)) {
        relation = relation->other;
    }
    return relation;
}

/* Counts the sources of a target, until they are more than `most`, and appends them to a list that is
 * not NULL. Targets live: a handle of the dead, or none, has no sources. */
static kith_result link_find_one(kith_world *world, const ki_condition_node *want, uint32_t most,
                                 ki_slot_list *list, uint32_t *count)
{
    const ki_relation *relation = link_relation(&want->field);
    const kith_entity target = want->constant.entity;
    uint32_t at1 = ki_record_of(&world->store.entities, target) == NULL
                       ? 0
                       : ki_relation_link(relation, target.index1 - 1).first1;
    for (; at1 != 0 && *count <= most; at1 = ki_relation_link(relation, at1 - 1).next1) {
        ++*count;
        if (list != NULL) {
            KI_TRY(ki_slot_list_reserve(&world->store.context.heap, list, 1));
            list->slots[list->count++] = at1 - 1;
        }
    }
    return KITH_OK;
}

/* The same for all targets of one want, which is one or a list. */
static kith_result link_find(const ki_source *source, const ki_condition_node *want, uint32_t most,
                             ki_slot_list *list, uint32_t *count)
{
    kith_world *world = ((const link_source *)(const void *)source)->world;
    const bool many = ki_want_is_list(want);
    const ki_condition_node *node = want + many;
    const ki_condition_node *end = node + (many ? ki_want_values(want) : 1);
    *count = 0;
    for (; node < end && *count <= most; node++) {
        KI_TRY(link_find_one(world, node, most, list, count));
    }
    return KITH_OK;
}

/* The want whose targets have the fewest sources; NULL: none is about targets. */
static const ki_condition_node *link_choose(const ki_source *source, const ki_wants *wants,
                                            uint32_t enough, uint32_t *count)
{
    const ki_condition_node *best = NULL;
    for (uint32_t i = 0; i < wants->count; i++) {
        uint32_t its = 0;
        if (link_relation(ki_want_field(wants->nodes[i])) != NULL &&
            link_find(source, wants->nodes[i], enough, NULL, &its) == KITH_OK &&
            (best == NULL || its < *count)) {
            best = wants->nodes[i];
            *count = its;
        }
    }
    return best;
}

/* ---- The source */

static bool link_offer(ki_source *source, const ki_wants *wants, uint32_t enough, ki_offer *offer)
{
    *offer = (ki_offer){0};
    return link_choose(source, wants, enough, &offer->rows) != NULL;
}

/* The lists are always up to date. */
static kith_result link_refresh(ki_source *source)
{
    (void)source;
    return KITH_OK;
}

static kith_result link_list(ki_source *source, const ki_wants *wants, uint32_t limit,
                             ki_slot_list *list)
{
    uint32_t count = 0;
    const ki_condition_node *want = link_choose(source, wants, limit, &count);
    KI_TRY(link_find(source, want, limit, list, &count));
    return count > limit ? KITH_ERR_LIMIT : KITH_OK;
}

static size_t link_print(const ki_source *source, char *text, size_t size)
{
    return (size_t)snprintf(text, size, "sources of %s", source->component->type->name);
}

static const ki_source_calls link_calls = {.kind = KI_SOURCE_SLOTS,
                                           .offer = link_offer,
                                           .refresh = link_refresh,
                                           .list = link_list,
                                           .print = link_print};

/* ---- The part of the world */

static void links_free(kith_world *world, void *data)
{
    for (link_source *at = data; at != NULL;) {
        link_source *previous = at->previous;
        ki_heap_free(&world->store.context.heap, at, sizeof *at, _Alignof(link_source));
        at = previous;
    }
}

static const char *links_check(const kith_world *world, const void *data)
{
    for (const link_source *at = data; at != NULL; at = at->previous) {
        if (at->world != world || at->source.component->relation == NULL) {
            return "a source of the targets of a relation is of something else";
        }
    }
    return NULL;
}

static const ki_attachment_calls links_part = {.free = links_free, .check = links_check};

/* Whether a component has its source. */
static bool link_is_there(const ki_component *component)
{
    const ki_source *source = component->sources;
    while (source != NULL && source->calls != &link_calls) {
        source = source->next;
    }
    return source != NULL;
}

static kith_result link_offer_for(kith_world *world, ki_component *component)
{
    ki_attachment *part = &world->parts[KI_PART_LINKS];
    ki_heap *heap = &world->store.context.heap;
    link_source *made = ki_heap_alloc_zeroed(heap, sizeof *made, _Alignof(link_source));
    if (made == NULL) {
        return KITH_ERR_MEMORY;
    }
    made->source.calls = &link_calls;
    made->source.component = component;
    made->world = world;
    made->previous = part->data;
    ki_source_add(&made->source);
    *part = (ki_attachment){&links_part, made};
    return KITH_OK;
}

kith_result ki_link_sources_offer(kith_world *world, const ki_conditions *conditions)
{
    for (uint32_t i = 0; conditions != NULL && i < conditions->count; i++) {
        const ki_condition_node *node = &conditions->nodes[i];
        if (node->form == KI_CONDITION_ENTITY && node->op == KITH_OP_EQUAL &&
            link_relation(&node->field) != NULL && !link_is_there(node->field.component)) {
            KI_TRY(link_offer_for(world, node->field.component));
        }
    }
    return KITH_OK;
}
