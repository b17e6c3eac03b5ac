/* Keeps the set of a live query: finds which entities to test, and tests them. */
#include "index/live.h"

#include "query/admission.h"
#include "query/condition.h"
#include "store/change_log.h"
#include "store/relation.h"

/* ---- What to follow */

/* A component that the query asks for. */
typedef struct live_interest {
    ki_component *component;
    const ki_relation *ends; /* what its values lead to by it is noted, not what has them; or NULL */
    bool other;  /* that of entities which others reach by relations */
    bool valued; /* its values count */
} live_interest;

/* The components that a query asks for, each once; those of the entities themselves come first. */
typedef struct live_interests {
    const ki_store *store;
    live_interest *list;
    uint32_t count;
} live_interests;

static void live_add_one(live_interests *interests, ki_component *component,
                         const ki_relation *ends, bool other, bool valued)
{
    live_interest *interest = interests->list;
    const live_interest *end = interest + interests->count;
    while (interest != end && (interest->component != component || interest->ends != ends ||
                               interest->other != other)) {
        interest++;
    }
    if (interest == end) {
        *interest = (live_interest){.component = component, .ends = ends, .other = other};
        interests->count++;
    }
    interest->valued = interest->valued || (valued && component->type->size != 0);
}

/* What is disabled is followed as a whole. But of a new entity in a slot that was disabled before, only
 * its own tag and parent tell. */
static void live_add_interest(live_interests *interests, ki_component *component, bool other,
                              bool valued)
{
    const ki_store *store = interests->store;
    if (!ki_disabled_is(store, component)) {
        live_add_one(interests, component, NULL, other, valued);
        return;
    }
    live_add_one(interests, store->disabled->own, NULL, other, false);
    live_add_one(interests, store->child_of->component, NULL, other, false);
}

static uint32_t live_most_interests(const kith_query *query)
{
    const ki_conditions *conditions = query->conditions;
    uint32_t named =
        query->term_count +
        (conditions == NULL
             ? 0
             : 2 * conditions->count + conditions->via_count * (KI_VIA_STEPS_MAX + 2));
    return query->inherits ? 2 * named : named;
}

/* Adds the links that lead from any to an entity, or from it to any: of what has a relation they are a
 * value of its own. */
static void live_add_linked(const ki_condition_node *node, live_interests *interests)
{
    const ki_relation *relation = node->field.component->relation;
    if (node->from && relation->other == NULL) {
        live_add_interest(interests, node->field.component, false, false);
    } else {
        const ki_relation *ends =
            relation->other != NULL && !node->from ? relation->other : relation;
        live_add_one(interests, node->field.component, ends, false, true);
    }
}

/* Adds what conditions ask of the entities themselves, or of those that they reach. */
static void live_add_conditions(const ki_conditions *conditions, bool other,
                                live_interests *interests)
{
    uint32_t others_end = 0; /* of the nodes that are about another entity */
    for (uint32_t i = 0; i < conditions->count; i++) {
        const ki_condition_node *node = &conditions->nodes[i];
        bool of_other = i < others_end;
        if (node->form == KI_CONDITION_VIA && node->end > others_end) {
            others_end = node->end;
        }
        if (ki_condition_is_of_key(node)) {
            continue; /* it is about what is computed */
        }
        if (node->form == KI_CONDITION_LINKED) {
            live_add_linked(node, interests);
        } else if (of_other == other && node->field.component != NULL) {
            live_add_interest(interests, node->field.component, other,
                              node->form < KI_CONDITION_VIA);
        }
        if (node->form == KI_CONDITION_JOIN) {
            of_other = node->via != NULL || (of_other && !node->of_this);
        }
        if (of_other == other && node->other.component != NULL) {
            live_add_interest(interests, node->other.component, other, true);
        }
    }
}

/* Adds what it takes to reach others, and to know them. The first relation is the entity's own, if the
 * way to others does not begin at another one. */
static void live_add_vias(const ki_conditions *conditions, bool other, live_interests *interests)
{
    for (uint32_t i = 0; i < conditions->via_count; i++) {
        const ki_via *via = &conditions->vias[i];
        for (uint32_t k = 0; k < via->step_count; k++) {
            if (other || k == 0) {
                live_add_interest(interests, via->steps[k].component, other, true);
            }
        }
        if (other && via->component != NULL) {
            live_add_interest(interests, via->component, true, via->valued);
        }
    }
}

static void live_find_interests(const kith_query *query, live_interests *interests)
{
    const ki_conditions *conditions = query->conditions;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->via == NULL) {
            live_add_interest(interests, term->component, false, term->valued);
        }
    }
    for (uint32_t other = 0; conditions != NULL && other < 2; other++) {
        live_add_conditions(conditions, other != 0, interests);
        live_add_vias(conditions, other != 0, interests);
    }
}

/* Whether a step is by a field that may name what is dead. What a relation leads to lives. */
static bool live_is_field(const ki_via_step *step)
{
    const ki_relation *relation = step->component->relation;
    while (relation != NULL && relation->offset != step->offset) {
        relation = relation->other;
    }
    return relation == NULL;
}

/* Finds if vias lead on by fields, and if an entity that one leads to by its own field may end
 * unnoticed: what must have a component loses that. */
static void live_find_fields(kith_live *live, const ki_conditions *conditions)
{
    for (uint32_t i = 0; conditions != NULL && i < conditions->via_count; i++) {
        const ki_via *via = &conditions->vias[i];
        const uint32_t steps = via->step_count - via->nearest;
        for (uint32_t k = 0; k < via->step_count; k++) {
            live->by_field = live->by_field || live_is_field(&via->steps[k]);
        }
        live->mortal =
            live->mortal || (steps != 0 && (via->role == KITH_MUST_NOT || via->component == NULL) &&
                             live_is_field(&via->steps[steps - 1]));
    }
}

/* How many followers it takes. The ends of links are in the first part of a value. */
static uint32_t live_parts(const live_interest *interest)
{
    return !interest->valued        ? 0
           : interest->ends != NULL ? 1
                                    : ki_followers_count(interest->component);
}

/* Makes room for followers, trackers and notes. */
static kith_result live_make_room(kith_live *live, const live_interests *interests)
{
    ki_heap *heap = &live->world->store.context.heap;
    ki_live_room *room = &live->room;
    *room = (ki_live_room){.trackers = interests->count, .others = 1};
    for (uint32_t i = 0; i < interests->count; i++) {
        const uint32_t parts = live_parts(&interests->list[i]);
        room->followers += parts;
        room->others += parts != 0 && interests->list[i].other;
    }
    live->followers = ki_heap_alloc_zeroed(heap, room->followers * sizeof *live->followers,
                                           _Alignof(ki_follower));
    live->trackers = ki_heap_alloc_zeroed(heap, room->trackers * sizeof(kith_tracker *),
                                          _Alignof(kith_tracker *));
    live->others =
        ki_heap_alloc_zeroed(heap, room->others * sizeof *live->others, _Alignof(ki_live_other));
    live->other_count = live->others != NULL;
    return (room->followers == 0 || live->followers != NULL) && live->trackers != NULL &&
                   live->others != NULL
               ? KITH_OK
               : KITH_ERR_MEMORY;
}

/* Makes the followers and trackers; how many there will be is known once they have room. */
static kith_result live_follow(kith_live *live, const live_interests *interests)
{
    KI_TRY(live_make_room(live, interests));
    for (uint32_t i = 0; i < interests->count; i++) {
        const live_interest *interest = &interests->list[i];
        const uint32_t parts = live_parts(interest);
        ki_live_notes *notes = &live->notes;
        if (parts != 0 && interest->other) {
            ki_live_other *other = &live->others[live->other_count++];
            other->component = interest->component;
            notes = &other->notes;
        }
        for (uint32_t part = 0; part < parts; part++) {
            KI_TRY(ki_follower_begin(&live->followers[live->follower_count], live->world,
                                     interest->component, part, interest->ends, notes));
            live->follower_count++;
        }
        if (parts == 0) {
            KI_TRY(ki_tracker_new(&live->world->store, interest->component, false,
                                  &live->trackers[live->tracker_count]));
            live->tracker_count++;
            live->own_tracker_count += !interest->other;
        }
    }
    return KITH_OK;
}

kith_result ki_live_begin(kith_live *live)
{
    ki_heap *heap = &live->world->store.context.heap;
    size_t bytes = live_most_interests(live->query) * sizeof(live_interest);
    live_interests interests = {.store = live->query->store,
                                .list = ki_heap_alloc(heap, bytes, _Alignof(live_interest))};
    if (interests.list == NULL) {
        return KITH_ERR_MEMORY;
    }
    live_find_interests(live->query, &interests);
    live_find_fields(live, live->query->conditions);
    kith_result result = live_follow(live, &interests);
    ki_heap_free(heap, interests.list, bytes, _Alignof(live_interest));
    return result;
}

static void live_free_notes(ki_heap *heap, ki_live_notes *notes)
{
    ki_slot_marks_free(heap, &notes->touched);
    ki_slot_marks_free(heap, &notes->altered);
}

void ki_live_end(kith_live *live)
{
    ki_heap *heap = &live->world->store.context.heap;
    for (uint32_t i = 0; i < live->follower_count; i++) {
        ki_follower_end(&live->followers[i]);
    }
    for (uint32_t i = 0; i < live->tracker_count; i++) {
        kith_tracker_free(live->trackers[i]);
    }
    ki_heap_free(heap, live->followers, live->room.followers * sizeof *live->followers,
                 _Alignof(ki_follower));
    ki_heap_free(heap, live->trackers, live->room.trackers * sizeof(kith_tracker *),
                 _Alignof(kith_tracker *));
    for (uint32_t i = 0; i < live->other_count; i++) {
        live_free_notes(heap, &live->others[i].notes);
    }
    ki_heap_free(heap, live->others, live->room.others * sizeof *live->others,
                 _Alignof(ki_live_other));
    live_free_notes(heap, &live->notes);
    ki_slot_marks_free(heap, &live->members);
    ki_slot_marks_free(heap, &live->disabled);
    ki_lifetimes_free(heap, &live->lifetimes);
    ki_heap_free(heap, live->generations, live->generation_capacity * sizeof *live->generations,
                 _Alignof(max_align_t));
    ki_heap_free(heap, live->told, live->told_capacity * sizeof *live->told, _Alignof(max_align_t));
}

/* ---- Which entities to test */

static kith_result live_reserve_notes(ki_heap *heap, ki_live_notes *notes, uint32_t slots)
{
    KI_TRY(ki_slot_marks_reserve(heap, &notes->touched, slots));
    return ki_slot_marks_reserve(heap, &notes->altered, slots);
}

/* Room for all slots, so that nothing is noted in vain. */
static kith_result live_reserve(kith_live *live)
{
    ki_heap *heap = &live->world->store.context.heap;
    uint32_t slots = live->world->store.entities.slots;
    KI_TRY(live_reserve_notes(heap, &live->notes, slots));
    if (live->query->conditions != NULL && live->query->conditions->via_count != 0) {
        for (uint32_t i = 0; i < live->other_count; i++) {
            KI_TRY(live_reserve_notes(heap, &live->others[i].notes, slots));
        }
    }
    if (live->by_field) {
        KI_TRY(ki_lifetimes_reserve(&live->lifetimes, &live->world->store));
    }
    KI_TRY(ki_slot_marks_reserve(heap, &live->members, slots));
    if (live->query->inherits) {
        KI_TRY(ki_slot_marks_reserve(heap, &live->disabled, slots));
    }
    return ki_heap_grow(heap, &live->generations, &live->generation_capacity, slots,
                        sizeof *live->generations, 64);
}

/* Notes who got a component and who lost it. */
static void live_read_tracker(kith_live *live, kith_tracker *tracker, ki_live_notes *notes)
{
    ki_heap *heap = &live->world->store.context.heap;
    kith_change change;
    while (ki_change_log_read(heap, tracker->component->change_log, tracker, &change)) {
        ki_live_note(notes, change.entity.index1 - 1, false);
    }
}

/* Notes which entities were switched off or on, with what is above them. */
static void live_note_disabled(kith_live *live)
{
    ki_store *store = &live->world->store;
    ki_slot_marks *seen = &live->disabled;
    ki_disabled_refresh(store);
    if (live->turned == store->disabled->turned) {
        return;
    }
    const ki_slots *bits = &store->disabled->inherited.in.slots;
    for (uint32_t word = 0; word < seen->words; word++) {
        uint64_t differ = seen->bits[word] ^ ki_slots_word(bits, word);
        for (; differ != 0; differ &= differ - 1) {
            uint32_t slot = word * 64 + ki_lowest_bit(differ);
            if (ki_slot_marks_has(seen, slot)) {
                ki_slot_marks_remove(seen, slot);
            } else {
                ki_slot_marks_add(seen, slot);
            }
            ki_live_note(&live->notes, slot, false);
            ki_live_note(&live->others->notes, slot, false); /* has room if it reaches others */
        }
    }
    live->turned = store->disabled->turned;
}

/* Whether a query reads values of a component of the entity that a via leads to. */
static bool live_reads(const ki_conditions *conditions, const ki_via *via,
                       const ki_component *component)
{
    uint32_t end = 0; /* of the nodes that are about that entity */
    for (uint32_t i = 0; i < conditions->count; i++) {
        const ki_condition_node *node = &conditions->nodes[i];
        const bool asked = i < end;
        if (node->form == KI_CONDITION_VIA && node->via == via) {
            end = node->end;
        }
        const bool of_via = node->form != KI_CONDITION_JOIN ? asked
                            : node->via != NULL             ? node->via == via
                                                            : asked && !node->of_this;
        if (!ki_condition_is_of_key(node) &&
            ((asked && node->form < KI_CONDITION_VIA && node->field.component == component) ||
             (of_via && node->other.component == component))) {
            return true;
        }
    }
    return via->valued && via->component == component;
}

/* Whether values of a component count for what reaches an entity, which is number `step` of the path.
 * A link that leads on from it counts; of the last one, what is read of it; of one that is not the
 * nearest now but may have been, what is read of that. */
static bool live_counts(const ki_conditions *conditions, const ki_via *via, uint32_t step,
                        kith_entity entity, const ki_component *component)
{
    const bool may_end = step >= via->step_count;
    const bool ends = may_end && (!via->nearest || kith_is_at_(&via->component->place, entity));
    const ki_via_step *next = &via->steps[may_end ? via->step_count - 1 : step];
    if (!ends && next->component == component) {
        return true;
    }
    return may_end && (ends || component == via->component) &&
           live_reads(conditions, via, component);
}

/* Whether a handle leads to nothing now, and did not when that was asked before: values in its slot are
 * those of another entity. */
static bool live_is_long_dead(const kith_live *live, kith_entity entity)
{
    return live->by_field && ki_record_of(&live->world->store.entities, entity) == NULL &&
           !ki_lifetimes_saw(&live->lifetimes, entity);
}

/* Notes the entity in a slot if something has changed of one that it reaches. */
static void live_note_reaching(kith_live *live, const ki_conditions *conditions, uint32_t slot)
{
    for (uint32_t i = 0; i < conditions->via_count; i++) {
        const ki_via *via = &conditions->vias[i];
        kith_entity entity = ki_entity_at(&live->world->store.entities, slot);
        for (uint32_t step = 0; !kith_is_none(entity); step++) {
            entity = ki_via_next(via, entity, step);
            const uint32_t reached = entity.index1 - 1;
            for (uint32_t k = 0; k < live->other_count; k++) {
                const ki_live_other *other = &live->others[k];
                if (ki_slot_marks_has(&other->notes.touched, reached)) {
                    ki_live_note(&live->notes, slot,
                                 ki_slot_marks_has(&other->notes.altered, reached) &&
                                     !live_is_long_dead(live, entity) &&
                                     live_counts(conditions, via, step + 1, entity,
                                                 other->component));
                }
            }
        }
    }
}

static void live_clear(ki_slot_marks *marks)
{
    for (uint32_t slot = ki_slot_marks_next(marks, 0); slot != UINT32_MAX;
         slot = ki_slot_marks_next(marks, slot + 1)) {
        ki_slot_marks_remove(marks, slot);
    }
}

/* Notes all entities that reach one that has changed. Only their own links tell what they reach, so all
 * are asked. */
static void live_note_all_reaching(kith_live *live)
{
    bool any = false;
    for (uint32_t i = 0; i < live->other_count; i++) {
        any = any || ki_slot_marks_next(&live->others[i].notes.touched, 0) != UINT32_MAX;
    }
    for (uint32_t slot = 0; any && slot < live->world->store.entities.slots; slot++) {
        live_note_reaching(live, live->query->conditions, slot);
    }
    for (uint32_t i = 0; any && i < live->other_count; i++) {
        live_clear(&live->others[i].notes.touched);
        live_clear(&live->others[i].notes.altered);
    }
}

kith_result ki_live_refresh(kith_live *live)
{
    KI_TRY(live_reserve(live));
    for (uint32_t i = 0; i < live->follower_count; i++) {
        KI_TRY(ki_follower_refresh(&live->followers[i]));
    }
    for (uint32_t i = 0; i < live->tracker_count; i++) {
        live_read_tracker(live, live->trackers[i],
                          i < live->own_tracker_count ? &live->notes : &live->others->notes);
    }
    if (live->query->inherits) {
        live_note_disabled(live);
    }
    if (live->mortal) {
        ki_lifetimes_look(&live->lifetimes, &live->world->store, &live->others->notes);
    }
    live_note_all_reaching(live);
    if (live->by_field) {
        ki_lifetimes_keep(&live->lifetimes, &live->world->store);
    }
    const ki_conditions *conditions = live->query->conditions;
    if (!live->complete || (conditions != NULL && conditions->bindings != live->bindings)) {
        for (uint32_t slot = 0; slot < live->world->store.entities.slots; slot++) {
            ki_live_note(&live->notes, slot, false);
        }
    }
    return KITH_OK;
}

/* ---- Testing them */

/* The entity that lives in a slot, or KITH_NONE. */
static kith_entity live_entity_in(const kith_live *live, uint32_t slot)
{
    const ki_entities *entities = &live->world->store.entities;
    return slot < entities->slots && ki_record_at(entities, slot)->table < KI_RETIRED_TABLE
               ? ki_entity_at(entities, slot)
               : KITH_NONE;
}

/* Where the lists are written. */
typedef struct live_lists {
    kith_entity *entered;
    kith_entity *left;
    kith_entity *changed;
    uint32_t entered_count;
    uint32_t left_count;
    uint32_t changed_count;
} live_lists;

static void live_test(kith_live *live, uint32_t slot, bool altered, live_lists *lists)
{
    kith_entity now = live_entity_in(live, slot);
    bool matches = now.index1 != 0 && ki_query_has(live->query, now);
    bool was = ki_slot_marks_has(&live->members, slot);
    if (was && matches && live->generations[slot] == now.generation) {
        if (altered) {
            lists->changed[lists->changed_count++] = now;
        }
        return;
    }
    if (was) {
        lists->left[lists->left_count++] = (kith_entity){slot + 1, live->generations[slot]};
        ki_slot_marks_remove(&live->members, slot);
    }
    if (matches) {
        lists->entered[lists->entered_count++] = now;
        ki_slot_marks_add(&live->members, slot);
        live->generations[slot] = now.generation;
    }
}

kith_result ki_live_settle(kith_live *live, kith_live_changes *changes)
{
    ki_heap *heap = &live->world->store.context.heap;
    uint32_t room = ki_slot_marks_count(&live->notes.touched);
    uint64_t needed = room == 0 ? 1 : UINT64_C(3) * room; /* so that there is a list */
    KI_TRY(needed > UINT32_MAX ? KITH_ERR_MEMORY
                               : ki_heap_grow(heap, &live->told, &live->told_capacity,
                                              (uint32_t)needed, sizeof *live->told, 64));
    live_lists lists = {
        .entered = live->told, .left = live->told + room, .changed = live->told + 2 * (size_t)room};
    for (uint32_t slot = ki_slot_marks_next(&live->notes.touched, 0); slot != UINT32_MAX;
         slot = ki_slot_marks_next(&live->notes.touched, slot + 1)) {
        bool altered = ki_slot_marks_has(&live->notes.altered, slot);
        ki_slot_marks_remove(&live->notes.touched, slot);
        if (altered) {
            ki_slot_marks_remove(&live->notes.altered, slot);
        }
        live_test(live, slot, altered, &lists);
    }
    const ki_conditions *conditions = live->query->conditions;
    live->bindings = conditions == NULL ? 0 : conditions->bindings;
    live->complete = true;
    live->tested += room;
    live->count += lists.entered_count - lists.left_count;
    *changes = (kith_live_changes){.entered = lists.entered,
                                   .left = lists.left,
                                   .changed = lists.changed,
                                   .entered_count = lists.entered_count,
                                   .left_count = lists.left_count,
                                   .changed_count = lists.changed_count};
    return KITH_OK;
}
