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

/* Makes the link of a slot ready to be written; of no slot: nothing. */
static inline bool relation_mark(ki_store *store, ki_relation *relation, uint32_t index1)
{
    return index1 == 0 ||
           KI_LIKELY(ki_column_is_marked_by(&store->columns, &relation->links, index1 - 1,
                                            KI_SMALL_SHIFT)) ||
           ki_column_mark(&store->columns, &relation->links, index1 - 1);
}

/* Takes a source, which is marked, out of the list of its target. False: no memory. */
static bool relation_cut(ki_store *store, ki_relation *relation, uint32_t index1)
{
    const ki_link was = *relation_at(relation, index1);
    const uint32_t first1 = relation_at(relation, was.target1)->first1;
    const bool first = first1 == index1;
    const uint32_t before1 = first ? was.target1 : was.previous1;
    /* The link that knows the one before it; the first knows the last. */
    const uint32_t after1 = was.next1 != 0 ? was.next1 : first ? 0 : first1;
    if (!relation_mark(store, relation, before1) || !relation_mark(store, relation, after1)) {
        return false;
    }
    if (first) {
        relation_at(relation, before1)->first1 = was.next1;
    } else {
        relation_at(relation, before1)->next1 = was.next1;
    }
    if (after1 != 0) {
        relation_at(relation, after1)->previous1 = was.previous1;
    }
    ki_link *link = relation_at(relation, index1);
    link->target1 = 0;
    link->next1 = 0;
    link->previous1 = 0;
    return true;
}

/* Puts a source, which is marked, into the list of a target, before the source `before1`; 0: at the end.
 * False: no memory. */
static bool relation_put(ki_store *store, ki_relation *relation, uint32_t index1, uint32_t target1,
                         uint32_t before1)
{
    const uint32_t first1 = relation_at(relation, target1)->first1;
    const uint32_t after1 = before1 != 0 ? before1 : first1;
    const uint32_t previous1 = after1 == 0 ? index1 : relation_at(relation, after1)->previous1;
    const bool first = first1 == before1; /* also if there was none */
    if (!relation_mark(store, relation, first ? target1 : previous1) ||
        !relation_mark(store, relation, after1)) {
        return false;
    }
    if (first) {
        relation_at(relation, target1)->first1 = index1;
    } else {
        relation_at(relation, previous1)->next1 = index1;
    }
    if (after1 != 0) {
        relation_at(relation, after1)->previous1 = index1;
    }
    ki_link *link = relation_at(relation, index1);
    link->target1 = target1;
    link->next1 = before1;
    link->previous1 = previous1;
    return true;
}

kith_result ki_relation_set_link(ki_store *store, ki_relation *relation, uint32_t index,
                                 uint32_t target1, uint32_t before1)
{
    KI_TRY(ki_column_reserve_row(&store->columns, &relation->links, index));
    if (target1 != 0) {
        KI_TRY(ki_column_reserve_page(&store->columns, &relation->links, target1 - 1));
    }
    const ki_link was = *relation_at(relation, index + 1);
    if (was.target1 != 0 && !relation_cut(store, relation, index + 1)) {
        return KITH_ERR_MEMORY;
    }
    if (target1 != 0 && !relation_put(store, relation, index + 1, target1, before1)) {
        /* What was cut is marked, so that it can be put back. */
        bool undone =
            was.target1 == 0 || relation_put(store, relation, index + 1, was.target1, was.next1);
        KI_ASSERT(undone);
        (void)undone;
        return KITH_ERR_MEMORY;
    }
    return KITH_OK;
}

/* ---- Changes --------------------------------------------------------------------------------- */

void ki_link_changes_begin(ki_link_changes *changes, ki_store *store, ki_heap *heap)
{
    changes->store = store;
    changes->heap = heap;
    changes->list = changes->own;
    changes->count = 0;
    changes->capacity = KI_LINK_CHANGES_OWN;
}

/* Makes room for one more. */
static kith_result changes_reserve(ki_link_changes *changes)
{
    if (changes->count < changes->capacity) {
        return KITH_OK;
    }
    bool own = changes->list == changes->own;
    ki_link_change *list = own ? NULL : changes->list;
    uint32_t capacity = own ? 0 : changes->capacity;
    KI_TRY(ki_heap_grow(changes->heap, &list, &capacity, changes->count + 1, sizeof *list,
                        4 * KI_LINK_CHANGES_OWN));
    if (own) {
        memcpy(list, changes->own, sizeof changes->own);
    }
    changes->list = list;
    changes->capacity = capacity;
    return KITH_OK;
}

/* Takes the last change back. All that it wrote is marked, so that it cannot fail. */
static void changes_undo_last(ki_link_changes *changes)
{
    const ki_link_change change = changes->list[--changes->count];
    changes->store->unsettled--;
    const uint32_t index1 = change.index + 1;
    bool undone = true;
    if (relation_at(change.relation, index1)->target1 != 0) {
        undone = relation_cut(changes->store, change.relation, index1);
    }
    if (change.target1 != 0) {
        undone = undone && relation_put(changes->store, change.relation, index1, change.target1,
                                        change.next1);
    }
    KI_ASSERT(undone);
    (void)undone;
}

kith_result ki_link_changes_add(ki_link_changes *changes, ki_relation *relation, uint32_t index,
                                uint32_t target1, uint32_t before1)
{
    KI_TRY(changes_reserve(changes));
    const ki_link was = ki_relation_link(relation, index);
    KI_TRY(ki_relation_set_link(changes->store, relation, index, target1, before1));
    changes->list[changes->count++] = (ki_link_change){relation, index, was.target1, was.next1};
    changes->store->unsettled++;
    return KITH_OK;
}

kith_result ki_link_changes_cut(ki_link_changes *changes, const ki_component *component,
                                uint32_t index)
{
    ki_relation *relation = component->relation;
    for (; relation != NULL; relation = relation->other) {
        if (ki_relation_link(relation, index).target1 != 0) {
            KI_TRY(ki_link_changes_add(changes, relation, index, 0, 0));
        }
    }
    return KITH_OK;
}

kith_result ki_link_changes_cut_all(ki_link_changes *changes, uint32_t index)
{
    for (uint32_t i = 0; i < changes->store->relation_count; i++) {
        ki_relation *relation = changes->store->relations[i];
        if (ki_relation_link(relation, index).target1 != 0) {
            KI_TRY(ki_link_changes_add(changes, relation, index, 0, 0));
        }
    }
    return KITH_OK;
}

void ki_link_changes_undo(ki_link_changes *changes)
{
    while (changes->count > 0) {
        changes_undo_last(changes);
    }
}

kith_result ki_link_changes_end(ki_link_changes *changes, kith_result result)
{
    if (result != KITH_OK) {
        ki_link_changes_undo(changes);
    }
    changes->store->unsettled -= changes->count;
    if (changes->list != changes->own) {
        ki_heap_free(changes->heap, changes->list, changes->capacity * sizeof *changes->list,
                     _Alignof(max_align_t));
    }
    return result;
}
