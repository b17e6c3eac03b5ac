/* What a snapshot holds of observers: what they saw match, when they looked for changes, and what a
 * failed delivery left over. For what they have to read in change logs see store/log_state.h. */
#include <string.h>

#include "command/buffer.h"
#include "query/admission.h"
#include "store/clone_column.h"
#include "store/view.h"
#include "system/system_state.h"

typedef struct ki_observer_state {
    uint64_t
        number; /* the observer's; 0: what is ready is for one that the snapshot does not know */
    uint64_t looked;       /* KITH_ON_CHANGE */
    ki_column_view taken;  /* of its marks, in a snapshot */
    ki_column matched;     /* its marks, in what is ready */
    kith_entity *entities; /* left over */
    uint32_t count;
    uint32_t capacity;
} ki_observer_state;

static void rewind_free_list(ki_systems *systems, ki_observers_state *list)
{
    kith_world *world = systems->world;
    ki_heap *heap = &world->store.context.heap;
    for (uint32_t i = 0; i < list->count; i++) {
        ki_observer_state *state = &list->list[i];
        ki_column_view_free(&world->store.columns, &state->taken);
        ki_column_free(&world->store.columns, &state->matched);
        ki_heap_free(heap, state->entities, state->capacity * sizeof *state->entities,
                     _Alignof(max_align_t));
    }
    ki_heap_free(heap, list->list, list->count * sizeof *list->list, _Alignof(max_align_t));
    *list = (ki_observers_state){0};
}

void ki_observers_free_taken(ki_systems *systems, ki_observers_state *taken)
{
    rewind_free_list(systems, taken);
}

/* A list for all observers that there are. */
static kith_result rewind_make_list(ki_systems *systems, ki_observers_state *list)
{
    ki_store *store = &systems->world->store;
    uint32_t count = 0;
    for (const kith_observer *o = systems->observers.first; o != NULL; o = o->next) {
        count++;
    }
    *list = (ki_observers_state){.world = systems->world};
    if (count == 0) {
        return KITH_OK;
    }
    list->list = ki_heap_alloc_zeroed(&store->context.heap, count * sizeof *list->list,
                                      _Alignof(max_align_t));
    if (list->list == NULL) {
        return KITH_ERR_MEMORY;
    }
    list->count = count;
    uint32_t i = 0;
    for (const kith_observer *o = systems->observers.first; o != NULL; o = o->next) {
        const ki_column *matched = &o->matched;
        ki_column_init_paged(&list->list[i++].matched, matched->size, matched->align,
                             matched->shift);
    }
    return KITH_OK;
}

/* Copies the state of an observer, except its marks. */
static kith_result rewind_copy(ki_systems *systems, uint64_t number, uint64_t looked,
                               const kith_entity *entities, uint32_t count, ki_observer_state *to)
{
    to->number = number;
    to->looked = looked;
    if (count != 0) {
        KI_TRY(ki_heap_grow(&systems->world->store.context.heap, &to->entities, &to->capacity,
                            count, sizeof *to->entities, 64));
        memcpy(to->entities, entities, count * sizeof *entities);
    }
    to->count = count;
    return KITH_OK;
}

static kith_result rewind_take_observer(ki_systems *systems, kith_observer *o,
                                        ki_observer_state *taken)
{
    uint64_t looked = o->query == NULL ? 0 : o->query->looked;
    KI_TRY(rewind_copy(systems, o->number, looked, o->entities, o->count, taken));
    return ki_column_view_take(&systems->world->store.columns, &o->matched, NULL, &taken->taken);
}

kith_result ki_observers_take(ki_systems *systems, ki_observers_state *taken)
{
    KI_TRY(rewind_make_list(systems, taken));
    uint32_t i = 0;
    for (kith_observer *o = systems->observers.first; o != NULL; o = o->next) {
        kith_result result = rewind_take_observer(systems, o, &taken->list[i++]);
        if (result != KITH_OK) {
            rewind_free_list(systems, taken);
            return result;
        }
    }
    return KITH_OK;
}

/* What the snapshot holds of an observer; NULL: it does not know it. Observers are asked for in the
 * order in which they were made, which is that of the list: `*next` goes on from one call to the
 * next. */
static const ki_observer_state *rewind_find_observer(const ki_observers_state *taken,
                                                     uint64_t number, uint32_t *next)
{
    while (taken != NULL && *next < taken->count && taken->list[*next].number < number) {
        ++*next;
    }
    return taken != NULL && *next < taken->count && taken->list[*next].number == number
               ? &taken->list[*next]
               : NULL;
}

/* Makes room for the marks of an observer that starts anew. */
static kith_result rewind_reserve_new(ki_systems *systems, const kith_observer *observer,
                                      uint32_t slots, ki_observer_state *to)
{
    for (uint64_t index = 0; ki_observer_compares(observer) && index < slots;
         index += ki_column_block_rows(&to->matched)) {
        uint64_t last = index + to->matched.mask;
        KI_TRY(ki_column_reserve_page(&systems->world->store.columns, &to->matched,
                                      last < slots ? (uint32_t)last : slots - 1));
    }
    return KITH_OK;
}

/* What is ready has the blocks of the snapshot; a fork's borrows them. */
static kith_result rewind_reserve_taken(ki_systems *systems, const ki_observer_state *was,
                                        bool borrows, ki_observer_state *to)
{
    ki_column_context *columns = &systems->world->store.columns;
    KI_TRY(rewind_copy(systems, was->number, was->looked, was->entities, was->count, to));
    if (borrows) {
        return ki_column_borrow(columns, &to->matched, &was->taken);
    }
    KI_TRY(ki_column_view_reserve(columns, &to->matched, &was->taken));
    ki_column_view_restore(columns, &to->matched, &was->taken);
    return KITH_OK;
}

/* Whether what an observer saw match is of no use after a restore: no entity has a transient component
 * then. */
static bool rewind_starts_anew(const kith_observer *observer)
{
    for (uint32_t i = 0; ki_observer_compares(observer) && i < observer->tracker_count; i++) {
        if (observer->trackers[i]->component->transient) {
            return true;
        }
    }
    return false;
}

kith_result ki_observers_reserve(ki_systems *systems, const ki_observers_state *taken,
                                 uint32_t slots, ki_observers_state *ready)
{
    KI_TRY(rewind_make_list(systems, ready));
    uint32_t i = 0;
    uint32_t next = 0;
    for (const kith_observer *o = systems->observers.first; o != NULL; o = o->next) {
        ki_observer_state *to = &ready->list[i++];
        const ki_observer_state *was = rewind_find_observer(taken, o->number, &next);
        kith_result result =
            was == NULL || rewind_starts_anew(o)
                ? rewind_reserve_new(systems, o, slots, to)
                : rewind_reserve_taken(systems, was, taken->world != systems->world, to);
        if (result != KITH_OK) {
            rewind_free_list(systems, ready);
            return result;
        }
    }
    return KITH_OK;
}

/* Has an observer know what matches now, and what was written so far. */
static void rewind_begin(kith_observer *observer)
{
    ki_store *store = &observer->systems->world->store;
    if (observer->def.kind == KITH_ON_CHANGE) {
        observer->query->looked = store->columns.write_clock++;
    }
    for (uint32_t index = 0; ki_observer_compares(observer) && index < store->entities.slots;
         index++) {
        kith_entity entity = ki_entity_at(&store->entities, index);
        ki_observer_mark(observer, entity, ki_query_has(observer->query, entity));
    }
}

static void rewind_observer(kith_observer *observer, ki_observer_state *state)
{
    ki_columns_exchange(&observer->matched, &state->matched);
    kith_entity *entities = observer->entities;
    uint32_t capacity = observer->capacity;
    observer->entities = state->entities;
    observer->capacity = state->capacity;
    observer->count = state->count;
    state->entities = entities;
    state->capacity = capacity;
    for (uint32_t i = 0; i < observer->also_count; i++) {
        /* What a delivery that failed has left points into logs that were rewound. */
        ki_map_free(ki_observer_heap(observer), &observer->also[i].values);
    }
    if (state->number == 0) {
        rewind_begin(observer);
    } else if (observer->query != NULL) {
        observer->query->looked = state->looked;
    }
}

void ki_observers_restore(ki_systems *systems, ki_observers_state *ready)
{
    kith_commands *queued = systems->observers.commands;
    if (queued != NULL && ki_commands_count(queued) != 0) {
        kith_commands_discard(queued); /* of a delivery that failed, of what is no longer */
    }
    uint32_t i = 0;
    for (kith_observer *o = systems->observers.first; o != NULL; o = o->next) {
        rewind_observer(o, &ready->list[i++]);
    }
    rewind_free_list(systems, ready);
}
