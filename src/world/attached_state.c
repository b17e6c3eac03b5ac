/* What snapshots keep of what is attached to a world: what its own functions make of it. */
#include "world/attached.h"

/* What an item had to be kept. */
typedef struct attached_kept {
    uint64_t number; /* of the item */
    void *state;
    kith_result (*take)(void *thing, void **state); /* that made it */
    void (*free)(void *state);
} attached_kept;

typedef struct attached_states {
    uint32_t count;
    attached_kept kept[]; /* in the order of their items, from the last one on */
} attached_states;

static size_t attached_states_size(uint32_t count)
{
    return sizeof(attached_states) + count * sizeof(attached_kept);
}

/* Frees what was kept so far. The world is closed. */
static void attached_states_drop(ki_heap *heap, attached_states *states, uint32_t room)
{
    for (uint32_t i = 0; i < states->count; i++) {
        states->kept[i].free(states->kept[i].state);
    }
    ki_heap_free(heap, states, attached_states_size(room), _Alignof(attached_states));
}

static void attached_states_free(kith_world *world, void *state)
{
    attached_states *states = state;
    ki_world_close(world, "a snapshot is being freed; what it calls for attached things must not"
                          " call into the world");
    attached_states_drop(&world->store.context.heap, states, states->count);
    ki_world_open(world);
}

static uint32_t attached_states_count(const ki_attached_items *items)
{
    uint32_t count = 0;
    for (const ki_attached_item *item = items->last; item != NULL; item = item->next) {
        count += item->state.take != NULL;
    }
    return count;
}

/* Has all items keep what is theirs; fails at the first one that cannot. */
static kith_result attached_states_fill(const ki_attached_items *items, attached_states *states)
{
    for (const ki_attached_item *item = items->last; item != NULL; item = item->next) {
        if (item->state.take != NULL) {
            attached_kept *kept = &states->kept[states->count];
            *kept = (attached_kept){
                .number = item->number, .take = item->state.take, .free = item->state.free};
            KI_TRY(item->state.take(item->thing, &kept->state));
            states->count++;
        }
    }
    return KITH_OK;
}

static kith_result attached_states_take(kith_world *world, void **state)
{
    const ki_attached_items *items = world->parts[KI_PART_ATTACHED].data;
    ki_heap *heap = &world->store.context.heap;
    uint32_t count = attached_states_count(items);
    if (count == 0) {
        return KITH_OK;
    }
    attached_states *states =
        ki_heap_alloc_zeroed(heap, attached_states_size(count), _Alignof(attached_states));
    if (states == NULL) {
        return KITH_ERR_MEMORY;
    }
    ki_world_close(world, "kith_snapshot_take is under way; what it calls for attached things must"
                          " not call into the world");
    kith_result result = attached_states_fill(items, states);
    if (result != KITH_OK) {
        attached_states_drop(heap, states, count);
    }
    ki_world_open(world);
    if (result != KITH_OK) {
        return ki_without_message(heap, result);
    }
    *state = states;
    return KITH_OK;
}

static kith_result attached_states_reserve(kith_world *world, const void *state,
                                           const struct ki_store_view *store)
{
    (void)world, (void)state, (void)store;
    return KITH_OK;
}

/* What was kept of an item; NULL: it was not there yet, or had no functions, or others. Both lists have
 * the same order: the search goes on where the last one ended. */
static const void *attached_states_find(const attached_states *states, const ki_attached_item *item,
                                        uint32_t *next)
{
    uint32_t count = states == NULL ? 0 : states->count;
    while (*next < count && states->kept[*next].number > item->number) {
        (*next)++;
    }
    const attached_kept *kept = *next < count ? &states->kept[*next] : NULL;
    bool own = kept != NULL && kept->number == item->number && kept->take == item->state.take;
    return own ? kept->state : NULL;
}

static void attached_states_restore(kith_world *world, const void *state)
{
    const ki_attached_items *items = world->parts[KI_PART_ATTACHED].data;
    uint32_t next = 0;
    ki_world_close(world, "kith_snapshot_restore is under way; what it calls for attached things"
                          " must not call into the world");
    for (const ki_attached_item *item = items->last; item != NULL; item = item->next) {
        if (item->state.take != NULL) {
            item->state.restore(item->thing, attached_states_find(state, item, &next));
        }
    }
    ki_world_open(world);
}

const ki_state_calls ki_attached_state_calls = {.take = attached_states_take,
                                                .reserve = attached_states_reserve,
                                                .restore = attached_states_restore,
                                                .free = attached_states_free};

kith_result kith_attach_state(kith_world *world, const void *key, const kith_attached_state *state)
{
    KI_TRY(ki_world_require_owner(world, "kith_attach_state"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && state != NULL &&
        (state->take == NULL || state->restore == NULL || state->free == NULL)) {
        return ki_misuse(context, "kith_attach_state: `%s` is NULL",
                         state->take == NULL      ? "take"
                         : state->restore == NULL ? "restore"
                                                  : "free");
    }
    const ki_attached_items *items = world->parts[KI_PART_ATTACHED].data;
    ki_attached_item *item = items == NULL ? NULL : ki_map_find(&items->by_key, (uintptr_t)key);
    if (item == NULL) {
        return ki_fail(context, KITH_ERR_ABSENT,
                       "kith_attach_state: nothing is attached by that key");
    }
    item->state = state == NULL ? (kith_attached_state){0} : *state;
    return KITH_OK;
}
