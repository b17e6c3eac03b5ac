#include "store/relation.h"

/* Makes one, without a component. NULL: no memory. */
static ki_relation *relation_new(ki_store *store, uint32_t offset, uint32_t rules)
{
    ki_relation *made =
        ki_heap_alloc_zeroed(&store->context.heap, sizeof *made, _Alignof(ki_relation));
    if (made != NULL) {
        made->offset = offset;
        made->rules = rules;
        ki_column_init_paged(&made->links, sizeof(ki_link), _Alignof(ki_link), KI_SMALL_SHIFT);
    }
    return made;
}

kith_result ki_relations_new(ki_store *store, const kith_type *type, ki_relation **relations)
{
    const bool many = (type->relation & KITH_MANY) != 0;
    KI_TRY(ki_heap_grow(&store->context.heap, &store->relations, &store->relation_capacity,
                        store->relation_count + 2, sizeof(ki_relation *), 2));
    ki_relation *first = relation_new(store, 0, many ? KITH_CASCADE : type->relation);
    if (first != NULL && many) {
        uint32_t refuses = type->relation & KITH_REFUSE;
        first->other =
            relation_new(store, sizeof(kith_entity), refuses != 0 ? refuses : KITH_CASCADE);
        if (first->other == NULL) {
            ki_relations_free(store, first);
            return KITH_ERR_MEMORY;
        }
        first->other->pulls = (type->relation & KITH_CASCADE) != 0;
    }
    *relations = first;
    return first == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

void ki_relations_add(ki_store *store, ki_component *component, ki_relation *relations)
{
    component->relation = relations;
    for (ki_relation *relation = relations; relation != NULL; relation = relation->other) {
        ki_relation **place = &store->last_relation;
        while (*place != NULL &&
               strcmp((*place)->component->type->name, component->type->name) > 0) {
            place = &(*place)->previous;
        }
        relation->component = component;
        relation->previous = *place;
        *place = relation;
        relation->number = store->relation_count;
        store->relations[store->relation_count++] = relation;
    }
}

void ki_relations_free(ki_store *store, ki_relation *relations)
{
    while (relations != NULL) {
        ki_relation *other = relations->other;
        ki_column_free(&store->columns, &relations->links);
        ki_heap_free(&store->context.heap, relations, sizeof *relations, _Alignof(ki_relation));
        relations = other;
    }
}

bool ki_relation_links(const ki_relation *relation, uint32_t source, uint32_t target)
{
    const ki_relation *to = relation->other;
    if (to == NULL) {
        return ki_relation_link(relation, source).target1 == target + 1;
    }
    /* A step in each list: the shorter one tells. */
    uint32_t out1 = ki_relation_link(relation, source).first1;
    uint32_t in1 = ki_relation_link(to, target).first1;
    while (out1 != 0 && in1 != 0) {
        if (ki_relation_link(to, out1 - 1).target1 == target + 1 ||
            ki_relation_link(relation, in1 - 1).target1 == source + 1) {
            return true;
        }
        out1 = ki_relation_link(relation, out1 - 1).next1;
        in1 = ki_relation_link(to, in1 - 1).next1;
    }
    return false;
}

bool ki_relation_leads(const ki_relation *relation, uint32_t from1, uint32_t index)
{
    uint32_t at1 = from1;
    while (at1 != 0 && at1 - 1 != index) {
        at1 = ki_relation_link(relation, at1 - 1).target1;
    }
    return at1 != 0;
}

uint32_t ki_relation_next_below(const ki_relation *relation, uint32_t root1, uint32_t at1)
{
    uint32_t next1 = ki_relation_link(relation, at1 - 1).first1;
    while (next1 == 0 && at1 != 0 && at1 != root1) {
        const ki_link link = ki_relation_link(relation, at1 - 1);
        next1 = link.next1;
        at1 = link.target1;
    }
    return next1;
}

/* ---- Lists: links are marked before any of them is written ------------------------------------ */

static inline ki_link *relation_at(const ki_relation *relation, uint32_t index1)
{
    return KI_COLUMN_AT(ki_link, &relation->links, index1 - 1);
}

/* Makes the link of a slot, whose page is there, ready to be written. False: no memory. */
static inline bool relation_mark(ki_store *store, ki_relation *relation, uint32_t index1)
{
    return ki_column_is_marked_by(&store->columns, &relation->links, index1 - 1, KI_SMALL_SHIFT) ||
           ki_column_mark(&store->columns, &relation->links, index1 - 1);
}

/* Takes a source, whose link is marked, out of the list of its target. False: no memory. */
static inline bool relation_cut(ki_store *store, ki_relation *relation, uint32_t index1,
                                ki_link *link)
{
    const ki_link was = *link;
    const uint32_t first1 = relation_at(relation, was.target1)->first1;
    const bool first = first1 == index1;
    const uint32_t before1 = first ? was.target1 : was.previous1;
    /* The link that knows the one before it; the first knows the last. */
    const uint32_t after1 = was.next1 != 0 ? was.next1 : first1;
    if (!relation_mark(store, relation, before1) || !relation_mark(store, relation, after1)) {
        return false;
    }
    ki_link *before = relation_at(relation, before1);
    *(first ? &before->first1 : &before->next1) = was.next1;
    relation_at(relation, after1)->previous1 = was.previous1;
    link->target1 = 0;
    link->next1 = 0;
    link->previous1 = 0;
    return true;
}

/* Puts a source, whose link is marked, into the list of a target, before the source `before1`; 0: at the
 * end. False: no memory. */
static inline bool relation_put(ki_store *store, ki_relation *relation, uint32_t index1,
                                ki_link *link, uint32_t target1, uint32_t before1)
{
    const uint32_t first1 = relation_at(relation, target1)->first1;
    if (first1 == 0) {
        if (!relation_mark(store, relation, target1)) {
            return false;
        }
        relation_at(relation, target1)->first1 = index1;
        link->previous1 = index1;
    } else {
        const uint32_t after1 = before1 != 0 ? before1 : first1;
        if (!relation_mark(store, relation, after1)) {
            return false;
        }
        ki_link *after = relation_at(relation, after1);
        const uint32_t previous1 = after->previous1;
        const bool first = first1 == before1;
        const uint32_t leads1 = first ? target1 : previous1;
        if (!relation_mark(store, relation, leads1)) {
            return false;
        }
        ki_link *leads = relation_at(relation, leads1);
        *(first ? &leads->first1 : &leads->next1) = index1;
        after->previous1 = index1;
        link->previous1 = previous1;
    }
    link->target1 = target1;
    link->next1 = before1;
    return true;
}

/* relation_set where the link is marked, and the page of the target is there. */
static inline kith_result relation_set_ready(ki_store *store, ki_relation *relation,
                                             uint32_t index1, uint32_t target1, uint32_t before1,
                                             ki_link *was)
{
    ki_link *link = relation_at(relation, index1);
    *was = *link;
    if (was->target1 != 0 && !relation_cut(store, relation, index1, link)) {
        return KITH_ERR_MEMORY;
    }
    if (target1 != 0 && !relation_put(store, relation, index1, link, target1, before1)) {
        /* What was cut is marked, so that it can be put back. */
        bool undone = was->target1 == 0 ||
                      relation_put(store, relation, index1, link, was->target1, was->next1);
        KI_ASSERT(undone);
        (void)undone;
        return KITH_ERR_MEMORY;
    }
    return KITH_OK;
}

/* relation_set, whatever it takes. */
static kith_result relation_set_slow(ki_store *store, ki_relation *relation, uint32_t index,
                                     uint32_t target1, uint32_t before1, ki_link *was)
{
    KI_TRY(ki_column_reserve_row(&store->columns, &relation->links, index));
    if (target1 != 0) {
        KI_TRY(ki_column_reserve_page(&store->columns, &relation->links, target1 - 1));
    }
    return relation_set_ready(store, relation, index + 1, target1, before1, was);
}

/* ki_relation_set_link, which also tells what the link was. */
static inline kith_result relation_set(ki_store *store, ki_relation *relation, uint32_t index,
                                       uint32_t target1, uint32_t before1, ki_link *was)
{
    const ki_column *links = &relation->links;
    return ki_column_is_ready(&store->columns, links, index, KI_SMALL_SHIFT) &&
                   (target1 == 0 || ki_column_find(links, target1 - 1, KI_SMALL_SHIFT, 0) != NULL)
               ? relation_set_ready(store, relation, index + 1, target1, before1, was)
               : relation_set_slow(store, relation, index, target1, before1, was);
}

kith_result ki_relation_set_link(ki_store *store, ki_relation *relation, uint32_t index,
                                 uint32_t target1, uint32_t before1)
{
    ki_link was;
    return relation_set(store, relation, index, target1, before1, &was);
}

/* ---- Changes --------------------------------------------------------------------------------- */

/* Makes room for one more where there is none. */
static kith_result link_changes_grow(ki_store *store)
{
    ki_link_changes *changes = &store->link_changes;
    const bool own = changes->list == changes->own;
    ki_link_change *list = own ? NULL : changes->list;
    uint32_t capacity = own ? 0 : changes->capacity;
    KI_TRY(ki_heap_grow(&store->context.heap, &list, &capacity, changes->count + 1, sizeof *list,
                        4 * KI_LINK_CHANGES_OWN));
    if (own) {
        memcpy(list, changes->own, sizeof changes->own);
    }
    changes->list = list;
    changes->capacity = capacity;
    return KITH_OK;
}

static inline kith_result link_changes_reserve(ki_store *store)
{
    const ki_link_changes *changes = &store->link_changes;
    return changes->count < changes->capacity ? KITH_OK : link_changes_grow(store);
}

/* ki_link_changes_add where there is room. */
static inline kith_result link_changes_add(ki_store *store, ki_relation *relation, uint32_t index,
                                           uint32_t target1, uint32_t before1)
{
    ki_link_changes *changes = &store->link_changes;
    ki_link was;
    KI_TRY(relation_set(store, relation, index, target1, before1, &was));
    changes->list[changes->count++] = (ki_link_change){relation, index, was.target1, was.next1};
    return KITH_OK;
}

kith_result ki_link_changes_add(ki_store *store, ki_relation *relation, uint32_t index,
                                uint32_t target1, uint32_t before1)
{
    KI_TRY(link_changes_reserve(store));
    return link_changes_add(store, relation, index, target1, before1);
}

kith_result ki_link_changes_lead(ki_store *store, ki_relation *relation, uint32_t index,
                                 kith_entity target)
{
    KI_TRY(link_changes_reserve(store));
    if (ki_record_of(&store->entities, target) == NULL) {
        return KITH_ERR_DEAD;
    }
    const ki_link link = ki_relation_link(relation, index);
    if (link.target1 == target.index1) {
        return KITH_OK;
    }
    /* Without sources there is no way back to it. */
    if ((relation->rules & KITH_ACYCLIC) != 0 && (link.first1 != 0 || target.index1 - 1 == index) &&
        ki_relation_leads(relation, target.index1, index)) {
        return KITH_ERR_CYCLE;
    }
    return link_changes_add(store, relation, index, target.index1, 0);
}

kith_result ki_link_changes_cut(ki_store *store, const ki_component *component, uint32_t index)
{
    ki_relation *relation = component->relation;
    for (; relation != NULL; relation = relation->other) {
        if (ki_relation_link(relation, index).target1 != 0) {
            KI_TRY(ki_link_changes_add(store, relation, index, 0, 0));
        }
    }
    return KITH_OK;
}

kith_result ki_link_changes_cut_all(ki_store *store, uint32_t index)
{
    for (uint32_t i = 0; i < store->relation_count; i++) {
        ki_relation *relation = store->relations[i];
        if (ki_relation_link(relation, index).target1 != 0) {
            KI_TRY(ki_link_changes_add(store, relation, index, 0, 0));
        }
    }
    return KITH_OK;
}

/* Takes the last change back. All that it wrote is marked, so that it cannot fail. */
static void link_changes_undo_last(ki_store *store)
{
    const ki_link_change change = store->link_changes.list[--store->link_changes.count];
    kith_result undone = ki_relation_set_link(store, change.relation, change.index, change.target1,
                                              change.next1);
    KI_ASSERT(undone == KITH_OK);
    (void)undone;
}

void ki_link_changes_undo(ki_store *store, uint32_t begin)
{
    while (store->link_changes.count > begin) {
        link_changes_undo_last(store);
    }
}

void ki_link_changes_free(ki_store *store)
{
    ki_link_changes *changes = &store->link_changes;
    if (changes->list != changes->own) {
        ki_heap_free(&store->context.heap, changes->list, changes->capacity * sizeof *changes->list,
                     _Alignof(max_align_t));
    }
    ki_link_changes_init(changes);
}
