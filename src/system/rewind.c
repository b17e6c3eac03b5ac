/* What a snapshot holds of systems and observers. A system is known by its name. */
#include <kith/floats.h>

#include <string.h>

#include "base/hash.h"
#include "store/store_view.h"
#include "system/order.h"

typedef struct rewound_system {
    ki_system_times times;
    uint32_t look_count;   /* queries that it has */
    const uint64_t *looks; /* when each of them last looked for changes, the driving one first */
} rewound_system;

typedef struct systems_state {
    size_t bytes; /* of this with all that it points to, except the observers */
    rewound_system *list;
    uint32_t count;
    uint32_t next; /* where the next clock to be set is looked for first */
    ki_observers_state observers;
} systems_state;

static uint32_t rewind_count_looks(const ki_system *system)
{
    return system->query_count + (system->query != NULL);
}

/* The query of a look. */
static kith_query *rewind_query(const ki_system *system, uint32_t look)
{
    return system->query == NULL ? system->queries[look].query
           : look == 0           ? system->query
                                 : system->queries[look - 1].query;
}

/* The state of the systems without values, with room for these: the list, the looks, the names. */
static systems_state *rewind_make(const ki_systems *systems, uint64_t **looks, char **names)
{
    size_t look_count = 0;
    size_t chars = 0;
    for (uint32_t i = 0; i < systems->count; i++) {
        look_count += rewind_count_looks(systems->in_order[i]);
        chars += strlen(systems->in_order[i]->name) + 1;
    }
    size_t list = ki_round_up(sizeof(systems_state), _Alignof(max_align_t));
    size_t at_looks = list + systems->count * sizeof(rewound_system);
    size_t at_names = at_looks + look_count * sizeof(uint64_t);
    char *memory = ki_heap_alloc_zeroed(&systems->world->store.context.heap, at_names + chars,
                                        _Alignof(max_align_t));
    systems_state *state = (systems_state *)(void *)memory;
    if (state != NULL) {
        state->bytes = at_names + chars;
        state->list = (rewound_system *)(void *)(memory + list);
        state->count = systems->count;
        *looks = (uint64_t *)(void *)(memory + at_looks);
        *names = memory + at_names;
    }
    return state;
}

static void rewind_fill(const ki_systems *systems, systems_state *state, uint64_t *looks,
                        char *names)
{
    for (uint32_t i = 0; i < systems->count; i++) {
        const ki_system *system = systems->in_order[i];
        state->list[i] = (rewound_system){.times = ki_system_times_of(system),
                                          .look_count = rewind_count_looks(system),
                                          .looks = looks};
        state->list[i].times.name = names;
        for (uint32_t look = 0; look < rewind_count_looks(system); look++) {
            *looks++ = rewind_query(system, look)->looked;
        }
        size_t length = strlen(system->name) + 1;
        memcpy(names, system->name, length);
        names += length;
    }
}

static void rewind_free(kith_world *world, void *data)
{
    systems_state *state = data;
    if (state != NULL) {
        ki_systems *systems = ki_systems_of(world);
        ki_observers_free_taken(systems, &state->observers);
        ki_heap_free(&world->store.context.heap, state, state->bytes, _Alignof(max_align_t));
    }
}

static kith_result rewind_take(kith_world *world, void **taken)
{
    ki_systems *systems = ki_systems_of(world);
    ki_order_sort(systems); /* they are hashed in order */
    uint64_t *looks;
    char *names;
    systems_state *state = rewind_make(systems, &looks, &names);
    if (state == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = ki_observers_take(systems, &state->observers);
    if (result != KITH_OK) {
        rewind_free(world, state);
        return result;
    }
    rewind_fill(systems, state, looks, names);
    *taken = state;
    return KITH_OK;
}

static kith_result rewind_reserve(kith_world *world, const void *data,
                                  const struct ki_store_view *store)
{
    ki_systems *systems = ki_systems_of(world);
    const systems_state *state = data;
    ki_observers_free_taken(systems, &systems->ready); /* of a restore that failed after this */
    return ki_observers_reserve(systems, state == NULL ? NULL : &state->observers, store->slots,
                                &systems->ready);
}

/* A system that the snapshot does not know starts anew: it has seen nothing, and its time begins now. */
static void rewind_system(ki_system *system, const rewound_system *was)
{
    system->since = was == NULL ? 0 : was->times.since;
    system->due = was == NULL ? 0 : was->times.due;
    system->ticks = was == NULL ? 0 : was->times.ticks;
    system->enabled = was == NULL ? system->enabled : was->times.enabled;
    for (uint32_t look = 0; look < rewind_count_looks(system); look++) {
        rewind_query(system, look)->looked =
            was != NULL && look < was->look_count ? was->looks[look] : 0;
    }
}

static void rewind_restore(kith_world *world, const void *data)
{
    ki_systems *systems = ki_systems_of(world);
    const systems_state *state = data;
    for (uint32_t i = 0; i < systems->count; i++) {
        rewind_system(systems->in_order[i], NULL);
    }
    for (uint32_t i = 0; state != NULL && i < state->count; i++) {
        ki_system *system = ki_system_find(systems, state->list[i].times.name);
        if (system != NULL) {
            rewind_system(system, &state->list[i]);
        }
    }
    ki_observers_restore(systems, &systems->ready);
}

static uint64_t rewind_hash(uint64_t hash, uint64_t seed, const void *data)
{
    const systems_state *state = data;
    hash = state->count == 0 ? hash : ki_hash_u64(hash, seed);
    for (uint32_t i = 0; i < state->count; i++) {
        hash = ki_system_times_hash(hash, &state->list[i].times);
    }
    return hash;
}

static void rewind_forget(kith_world *world, void *data)
{
    systems_state *state = data;
    ki_observers_free_taken(ki_systems_of(world), &state->observers);
}

static bool rewind_clock(const void *data, uint32_t i, ki_state_clock *clock)
{
    const systems_state *state = data;
    if (i >= state->count) {
        return false;
    }
    const ki_system_times *times = &state->list[i].times;
    *clock = (ki_state_clock){.name = times->name,
                              .length = (uint32_t)strlen(times->name),
                              .since = times->since,
                              .due = times->due,
                              .ticks = times->ticks,
                              .enabled = times->enabled};
    return true;
}

static void rewind_set_clock(void *data, const ki_state_clock *clock)
{
    systems_state *state = data;
    for (uint32_t tries = 0; tries < state->count; tries++) {
        state->next = state->next < state->count ? state->next : 0;
        ki_system_times *times = &state->list[state->next++].times;
        if (strlen(times->name) == clock->length &&
            memcmp(times->name, clock->name, clock->length) == 0) {
            times->since = clock->since;
            times->due = clock->due;
            times->ticks = clock->ticks;
            times->enabled = clock->enabled;
            return;
        }
    }
}

const ki_state_calls ki_systems_state_calls = {.take = rewind_take,
                                               .reserve = rewind_reserve,
                                               .restore = rewind_restore,
                                               .free = rewind_free,
                                               .hash = rewind_hash,
                                               .forget = rewind_forget,
                                               .clock = rewind_clock,
                                               .set_clock = rewind_set_clock};
