/* Relations of what is applied. Links are made first, where all is as it was, and taken back if the rest
 * fails. So circles and cascades are found by following links, as for single calls. */
#include "command/link_wants.h"

#include "base/sort.h"
#include "command/entries.h"
#include "world/cascade.h"
#include "world/guard.h"

#define LINK_CALL "kith_commands_apply"

/* A link that a command asks for. */
typedef struct link_want {
    ki_relation *relation;
    uint32_t index;
    uint32_t target1;
    uint32_t order; /* of the command; what one command asks for is in order */
} link_want;

typedef struct linking {
    const ki_runs *runs;
    kith_commands *commands;
    kith_world *world;
    ki_heap *heap;
    link_want *wants;
    uint32_t want_count;
    uint32_t want_capacity;
    ki_cascade cascade;
    uint32_t *ends; /* slots of sources that end, since their targets are not there */
    uint32_t end_count;
    uint32_t end_capacity;
    ki_bitset gone;      /* slots whose entities commands end */
    ki_map numbers;      /* slot of an entity to be made → its number */
    kith_commands *more; /* commands for what follows from these; NULL: nothing yet */
} linking;

/* ---- What follows from the commands ----------------------------------------------------------- */

/* Notes the numbers of entities to be made, by their slots. */
static kith_result link_number_all(linking *l)
{
    const uint32_t count = l->commands->spawns + l->commands->tree_spawns;
    for (uint32_t number = 1; number <= count; number++) {
        uint32_t index1 = l->commands->spawned[number - 1].real.index1;
        if (index1 != 0) {
            KI_TRY(ki_map_reserve(l->heap, &l->numbers));
            ki_map_insert(&l->numbers, index1 - 1, (void *)(uintptr_t)number);
        }
    }
    return KITH_OK;
}

/* The handle by which commands name the entity in a slot. */
static kith_result link_handle(linking *l, uint32_t index, kith_entity *entity)
{
    const ki_entities *entities = &l->world->store.entities;
    *entity = ki_world_entity_in(l->world, index);
    if (ki_record_of(entities, *entity) != NULL) {
        return KITH_OK;
    }
    if (l->numbers.count == 0) {
        KI_TRY(link_number_all(l));
    }
    uintptr_t number = (uintptr_t)ki_map_find(&l->numbers, index);
    *entity = (kith_entity){0, l->commands->tag << 24 | (uint32_t)number};
    return KITH_OK;
}

/* Adds a command about an entity that no command of the program's asked for. */
static kith_result link_follow(linking *l, ki_command_kind kind, uint32_t index,
                               const ki_component *component)
{
    if (l->more == NULL) {
        l->more = kith_commands_new(l->world, NULL);
    }
    uint8_t *value;
    kith_entity entity;
    KI_TRY(l->more == NULL ? KITH_ERR_MEMORY : link_handle(l, index, &entity));
    return ki_log_append(l->more, kind, entity, component, &value);
}

/* A source whose target is dead, or is spawned and despawned by the buffer. A target that never was
 * one is left out; but a link that lacks one of its ends is despawned. */
static kith_result link_end(linking *l, const ki_relation *relation, uint32_t index, bool was)
{
    bool many = (relation->component->type->relation & KITH_MANY) != 0;
    if (!many && (!was || (relation->rules & KITH_CASCADE) == 0)) {
        return link_follow(l, KI_COMMAND_REMOVE, index, relation->component);
    }
    KI_TRY(
        ki_heap_grow(l->heap, &l->ends, &l->end_capacity, l->end_count + 1, sizeof *l->ends, 16));
    l->ends[l->end_count++] = index;
    return KITH_OK;
}

/* ---- What the commands ask for ----------------------------------------------------------------- */

/* The slot plus one of a target; 0: it is not there. `*was`: it was an entity once, or was to be one. */
static uint32_t link_target1(const linking *l, kith_entity target, bool *was)
{
    *was = !kith_is_none(target);
    if (ki_is_provisional(target)) {
        return l->commands->spawned[ki_spawn_number(target) - 1].real.index1;
    }
    return ki_record_of(&l->world->store.entities, target) == NULL ? 0 : target.index1;
}

static kith_result link_cut(linking *l, ki_relation *relation, uint32_t index)
{
    return ki_relation_link(relation, index).target1 == 0
               ? KITH_OK
               : ki_link_changes_add(&l->world->store, relation, index, 0, 0);
}

/* Notes what a command asks for about a relation of an entity. */
static kith_result link_want_one(linking *l, ki_relation *relation, const ki_command_group *group,
                                 const ki_pending *pending, uint32_t i, uint32_t index)
{
    const ki_link link = ki_relation_link(relation, index);
    if (pending->kind == KI_COMMAND_REMOVE) {
        return link_cut(l, relation, index);
    }
    if (ki_pending_keeps(pending) && link.target1 != 0) {
        return KITH_OK;
    }
    bool was;
    const uint8_t *value = ki_group_value(group, pending, i);
    uint32_t target1 = link_target1(l, ki_relation_target(relation, value), &was);
    if (target1 != 0 && target1 == link.target1) {
        return KITH_OK;
    }
    KI_TRY(link_cut(l, relation, index));
    if (target1 == 0) {
        return link_end(l, relation, index, was);
    }
    KI_TRY(ki_heap_grow(l->heap, &l->wants, &l->want_capacity, l->want_count + 1, sizeof *l->wants,
                        16));
    l->wants[l->want_count++] = (link_want){relation, index, target1, pending->order};
    return KITH_OK;
}

/* Unlinks what an entity of a group loses, and notes what it asks for. */
static kith_result link_read(linking *l, const ki_command_group *group, uint32_t i, uint32_t index)
{
    if ((group->state & (KI_GROUP_GONE | KI_GROUP_BARE)) != 0) {
        KI_TRY(ki_link_changes_cut_all(&l->world->store, index));
    }
    if ((group->state & KI_GROUP_GONE) != 0) {
        KI_TRY(ki_bitset_reserve(&l->gone, l->heap, index));
        ki_bitset_insert(&l->gone, index);
        return KITH_OK;
    }
    for (const ki_pending *next = group->list; next != NULL; next = next->next) {
        ki_relation *relation = ki_store_component(&l->world->store, next->component)->relation;
        for (; relation != NULL; relation = relation->other) {
            KI_TRY(link_want_one(l, relation, group, next, i, index));
        }
    }
    return KITH_OK;
}

/* Whether a group's commands can concern relations. */
static bool link_concerns(const linking *l, const ki_command_group *group)
{
    bool concerns = (group->state & (KI_GROUP_GONE | KI_GROUP_BARE)) != 0;
    for (const ki_pending *next = group->list; next != NULL && !concerns; next = next->next) {
        concerns = ki_store_component(&l->world->store, next->component)->relation != NULL;
    }
    return concerns && !ki_group_is_void(group);
}

static kith_result link_read_all(linking *l)
{
    for (const ki_command_group *group = l->runs->groups; group != NULL; group = group->next) {
        bool concerns = link_concerns(l, group);
        for (uint32_t i = 0; concerns && i < group->count; i++) {
            uint32_t index = ki_group_entity(l->commands, group, i).index1 - 1;
            KI_TRY(link_read(l, group, i, index));
        }
    }
    return KITH_OK;
}

/* ---- Linking ----------------------------------------------------------------------------------- */

static bool link_is_before(const void *context, uint32_t a, uint32_t b)
{
    const link_want *wants = context;
    return wants[a].order != wants[b].order ? wants[a].order < wants[b].order : a < b;
}

/* Links all in the order in which it was queued. Groups are in that order, unless an entity was named
 * several times. */
static kith_result link_make(linking *l)
{
    uint32_t count = l->want_count;
    size_t bytes = count * sizeof(uint32_t);
    uint32_t *order = ki_heap_alloc(l->heap, bytes, _Alignof(uint32_t));
    if (order == NULL) {
        return KITH_ERR_MEMORY;
    }
    bool sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
        sorted = sorted && (i == 0 || l->wants[i - 1].order <= l->wants[i].order);
    }
    if (!sorted) {
        ki_sort(order, count, link_is_before, l->wants);
    }
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < count && result == KITH_OK; i++) {
        const link_want *want = &l->wants[order[i]];
        result =
            ki_link_changes_add(&l->world->store, want->relation, want->index, want->target1, 0);
    }
    ki_heap_free(l->heap, order, bytes, _Alignof(uint32_t));
    return result;
}

/* Of the links that a walk passed and that are a circle, the one that was queued last. The walk was
 * from `first1` to `at1`, which is in the circle; what leads there is not. */
static const link_want *link_closing(const linking *l, const ki_relation *relation, uint32_t first1,
                                     uint32_t at1, uintptr_t walk, ki_map *walked)
{
    for (; first1 != at1; first1 = ki_relation_link(relation, first1 - 1).target1) {
        ki_map_remove(walked, first1, (void *)walk);
    }
    const link_want *last = NULL;
    for (uint32_t i = 0; i < l->want_count; i++) {
        const link_want *want = &l->wants[i];
        if (want->relation == relation && (last == NULL || want->order >= last->order) &&
            (uintptr_t)ki_map_find(walked, want->index + 1) == walk) {
            last = want;
        }
    }
    return last;
}

/* Whether the targets from a source on lead in a circle. `walked` has the slots that were passed, each
 * with the number of the first walk that did: those of walks before lead to no circle. */
static kith_result link_walk(const linking *l, const ki_relation *relation, uint32_t first1,
                             uintptr_t walk, ki_map *walked)
{
    for (uint32_t at1 = first1; at1 != 0; at1 = ki_relation_link(relation, at1 - 1).target1) {
        uintptr_t before = (uintptr_t)ki_map_find(walked, at1);
        if (before == walk) {
            const link_want *want = link_closing(l, relation, first1, at1, walk, walked);
            return ki_relation_reject_circle(l->world, &l->commands->context, LINK_CALL, relation,
                                             ki_world_entity_in(l->world, want->index),
                                             ki_world_entity_in(l->world, want->target1 - 1));
        }
        if (before != 0) {
            return KITH_OK;
        }
        KI_TRY(ki_map_reserve(l->heap, walked));
        ki_map_insert(walked, at1, (void *)walk);
    }
    return KITH_OK;
}

/* Makes sure that no link of an acyclic relation closes a circle. Only those can whose source is a
 * target too. */
static kith_result link_check_circles(linking *l, const ki_relation *relation)
{
    ki_map walked = {0};
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < l->want_count && result == KITH_OK; i++) {
        const link_want *want = &l->wants[i];
        if (want->relation == relation && ki_relation_link(relation, want->index).first1 != 0) {
            result = link_walk(l, relation, want->index + 1, (uintptr_t)i + 1, &walked);
        }
    }
    ki_map_free(l->heap, &walked);
    return result;
}

static kith_result link_check(linking *l)
{
    const ki_relation *relation = l->world->store.last_relation;
    for (; relation != NULL; relation = relation->previous) {
        if ((relation->rules & KITH_ACYCLIC) != 0) {
            KI_TRY(link_check_circles(l, relation));
        }
    }
    return KITH_OK;
}

/* ---- The whole --------------------------------------------------------------------------------- */

/* Finds what ends with what the commands end. */
static kith_result link_cascade(linking *l)
{
    for (const ki_command_group *group = l->runs->groups; group != NULL; group = group->next) {
        bool gone = (group->state & (KI_GROUP_GONE | KI_GROUP_MADE)) == KI_GROUP_GONE;
        for (uint32_t i = 0; gone && i < group->count; i++) {
            uint32_t index = ki_group_entity(l->commands, group, i).index1 - 1;
            KI_TRY(ki_cascade_add(&l->cascade, index));
        }
    }
    for (uint32_t i = 0; i < l->end_count; i++) {
        KI_TRY(ki_cascade_add(&l->cascade, l->ends[i]));
    }
    KI_TRY(ki_cascade_finish(&l->cascade));
    for (uint32_t i = 0; i < l->cascade.end_count; i++) {
        if (!ki_bitset_has(&l->gone, l->cascade.ends[i])) {
            KI_TRY(link_follow(l, KI_COMMAND_DESPAWN, l->cascade.ends[i], NULL));
        }
    }
    for (uint32_t i = 0; i < l->cascade.cleared_count; i++) {
        const ki_cleared *cleared = &l->cascade.cleared[i];
        KI_TRY(link_follow(l, KI_COMMAND_REMOVE, cleared->index, cleared->relation->component));
    }
    return KITH_OK;
}

static kith_result link_all(linking *l)
{
    KI_TRY(link_read_all(l));
    if (l->want_count != 0) {
        KI_TRY(link_make(l));
        KI_TRY(link_check(l));
    }
    return link_cascade(l);
}

kith_result ki_runs_link(const ki_runs *runs, kith_commands **more)
{
    kith_commands *commands = runs->commands;
    *more = NULL;
    if (commands->world->store.relation_count == 0) {
        return KITH_OK;
    }
    linking l = {.runs = runs,
                 .commands = commands,
                 .world = commands->world,
                 .heap = &commands->context.heap};
    const uint32_t begin = ki_link_changes_begin(&l.world->store);
    ki_cascade_begin(&l.cascade, l.world, LINK_CALL, &commands->context);
    kith_result result = link_all(&l);
    ki_cascade_free(&l.cascade);
    ki_bitset_free(&l.gone, l.heap);
    ki_map_free(l.heap, &l.numbers);
    ki_heap_free(l.heap, l.wants, l.want_capacity * sizeof *l.wants, _Alignof(max_align_t));
    ki_heap_free(l.heap, l.ends, l.end_capacity * sizeof *l.ends, _Alignof(max_align_t));
    if (result != KITH_OK) {
        kith_commands_free(l.more);
        return result;
    }
    *more = l.more;
    if (l.more != NULL) {
        ki_link_changes_undo(&l.world->store, begin);
    }
    return KITH_OK;
}
