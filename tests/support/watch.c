#include "watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const kith_type *const watch_types[WATCH_TYPES] = {
    &Owned_type,   &Note_type, &Byte_type,   &Position_type, &Extra_type,
    &Aligned_type, &Big_type,  &Frozen_type, &Burning_type,
};

const kith_type *watch_filler(uint32_t number)
{
    static kith_type fillers[WATCH_FILLERS];
    static char names[WATCH_FILLERS][16];
    static uint32_t numbers[WATCH_FILLERS];
    CHECK(number < WATCH_FILLERS);
    snprintf(names[number], sizeof(names[number]), "Filler_%u", (unsigned)number);
    fillers[number] = (kith_type){.name = names[number], .align = 1, .number = &numbers[number]};
    return &fillers[number];
}

/* ---- Values -------------------------------------------------------------------------------------- */

void watch_value_write(uint32_t type, uint32_t number, void *value)
{
    if (type == WATCH_OWNED) {
        Owned *owned = value;
        *owned->number = number;
        owned->tag = number;
    } else if (type == WATCH_NOTE) {
        *((Note *)value)->number = number;
    } else {
        memset(value, (int)number, watch_types[type]->size);
    }
}

void watch_value_make(watch *w, uint32_t type, uint32_t number, void *value)
{
    if (type == WATCH_OWNED) {
        *(Owned *)value = owned_new(&w->owned, number);
    } else if (type == WATCH_NOTE) {
        CHECK_RESULT(note_hooks.init(value, 1, NULL), KITH_OK);
    }
    watch_value_write(type, number, value);
}

void watch_value_end(watch *w, uint32_t type, void *value)
{
    if (type == WATCH_OWNED) {
        owned_end(&w->owned, value);
    } else if (type == WATCH_NOTE) {
        note_hooks.destroy(value, 1, NULL);
    }
}

uint32_t watch_value_read(uint32_t type, const void *value)
{
    if (watch_types[type]->size == 0) {
        return 0;
    }
    CHECK_PTR_NOT_NULL(value);
    CHECK_UINT((uintptr_t)value % watch_types[type]->align, 0);
    if (type == WATCH_OWNED) {
        const Owned *owned = value;
        CHECK_UINT(*owned->number, owned->tag);
        return owned->tag;
    }
    if (type == WATCH_NOTE) {
        return *((const Note *)value)->number;
    }
    const unsigned char *bytes = value;
    for (uint32_t i = 1; i < watch_types[type]->size; i++) {
        CHECK_UINT(bytes[i], bytes[0]);
    }
    return bytes[0];
}

uint32_t watch_initial(uint32_t type)
{
    return type == WATCH_OWNED ? OWNED_INITIAL : type == WATCH_NOTE ? 7 : 0;
}

/* ---- What happened ------------------------------------------------------------------------------- */

void watch_push(watch_events *events, watch_event event)
{
    if (events->count == events->capacity) {
        events->capacity = events->capacity * 2 + 16;
        events->list = realloc(events->list, events->capacity * sizeof(*events->list));
        CHECK_PTR_NOT_NULL(events->list);
    }
    events->list[events->count++] = event;
}

watch_entity *watch_find(watch *w, kith_entity handle)
{
    if (kith_is_none(handle) || kith_entity_slot(handle) >= WATCH_SLOTS) {
        return NULL;
    }
    watch_entity *entity = &w->entities[kith_entity_slot(handle)];
    return entity->alive && kith_entity_equal(entity->handle, handle) ? entity : NULL;
}

watch_entity *watch_choose(watch *w)
{
    uint32_t start = input_below(&w->in, w->cap);
    for (uint32_t i = 0; i < WATCH_SLOTS; i++) {
        watch_entity *entity = &w->entities[(start + i) % WATCH_SLOTS];
        if (entity->alive) {
            return entity;
        }
    }
    return NULL;
}

watch_entity *watch_spawned(watch *w, kith_entity handle)
{
    CHECK(!kith_is_none(handle) && kith_entity_slot(handle) < WATCH_SLOTS);
    watch_entity *entity = &w->entities[kith_entity_slot(handle)];
    CHECK(!entity->alive);
    *entity = (watch_entity){.handle = handle, .alive = true};
    w->count++;
    return entity;
}

void watch_gained(watch *w, watch_entity *entity, uint32_t type, uint32_t number)
{
    if (!entity->has[type]) {
        entity->has[type] = true;
        watch_note_change(w, entity->handle, type, false, 0);
    }
    entity->numbers[type] = number;
}

void watch_gained_all_of(watch *w, watch_entity *entity, const watch_entity *source)
{
    for (uint32_t type = 0; type < WATCH_TYPES; type++) {
        if (source->has[type]) {
            watch_gained(w, entity, type, source->numbers[type]);
        }
    }
}

void watch_lost(watch *w, watch_entity *entity, uint32_t type)
{
    if (entity->has[type]) {
        entity->has[type] = false;
        watch_note_change(w, entity->handle, type, true, entity->numbers[type]);
    }
}

void watch_cleared(watch *w, watch_entity *entity)
{
    for (uint32_t type = 0; type < WATCH_TYPES; type++) {
        watch_lost(w, entity, type);
    }
}

/* What an entity had is kept until the next delivery. */
static void keep_ended(watch *w, const watch_entity *entity)
{
    if (w->ended_count == w->ended_capacity) {
        w->ended_capacity = w->ended_capacity == 0 ? 64 : 2 * w->ended_capacity;
        w->ended = realloc(w->ended, w->ended_capacity * sizeof(*w->ended));
        CHECK_PTR_NOT_NULL(w->ended);
    }
    w->ended[w->ended_count++] = *entity;
}

void watch_ended(watch *w, watch_entity *entity)
{
    keep_ended(w, entity);
    watch_cleared(w, entity);
    entity->alive = false;
    w->count--;
}

void watch_check(watch *w)
{
    CHECK_WORLD(w->world);
    CHECK_UINT(kith_entity_count(w->world), w->count);
    for (uint32_t slot = 0; slot < WATCH_SLOTS; slot++) {
        const watch_entity *entity = &w->entities[slot];
        CHECK_INT(kith_alive(w->world, entity->handle), entity->alive);
        for (uint32_t type = 0; entity->alive && type < WATCH_TYPES; type++) {
            CHECK_INT(kith_has(w->world, entity->handle, watch_types[type]), entity->has[type]);
            if (entity->has[type]) {
                const void *value = kith_get(w->world, entity->handle, watch_types[type]);
                CHECK_UINT(watch_value_read(type, value), entity->numbers[type]);
            }
        }
    }
}

void watch_name(watch *w, const char *name)
{
    snprintf(w->note, sizeof(w->note), "seed %" PRIu64 ", step %" PRIu64 ", %s", w->seed, w->number,
             name);
}

/* ---- Attempts ------------------------------------------------------------------------------------ */

static void fail_some(watch *w, uint32_t nth)
{
    switch (input_below(&w->in, 3)) {
    case 0: owned_fail(&w->owned, nth); break;
    case 1: fail_from(&w->f, nth); break;
    default: fail_allocation(&w->f, nth); break;
    }
}

/* Ends that; whether something failed. */
static bool fail_no_more(watch *w)
{
    bool hook_failed = w->owned.fail_at != 0 && w->owned.calls >= w->owned.fail_at;
    owned_fail(&w->owned, 0);
    return fail_nothing(&w->f) || hook_failed;
}

/* The call, the nth allocation or hook of which fails. What fails leaves all as it was; but the tick of
 * a kith_run counts. */
static kith_result attempt_failing(watch *w, watch_step *s, uint32_t nth)
{
    uint64_t hash = kith_world_hash(w->world);
    w->calm = false;
    fail_some(w, nth);
    kith_result result = s->act(w, s);
    bool reached = fail_no_more(w);
    if (result != KITH_OK) {
        CHECK(reached && (result == KITH_ERR_MEMORY || result == KITH_ERR_SYSTEM));
        CHECK_WORLD(w->world);
        CHECK(s->run || kith_world_hash(w->world) == hash);
    }
    return result;
}

void watch_attempt(watch *w, watch_step *s)
{
    watch_name(w, s->name);
    kith_result result = KITH_ERR_MEMORY;
    bool one = input_chance(&w->in, s->once ? 80 : 20);
    bool tried = one || input_chance(&w->in, 15);
    if (one) {
        uint32_t most = input_chance(&w->in, 50) ? 3 : 12; /* many calls need few */
        result = attempt_failing(w, s, 1 + input_below(&w->in, most));
    } else if (tried) {
        for (uint32_t nth = 1; nth <= 16 && result != KITH_OK; nth++) {
            result = attempt_failing(w, s, nth);
        }
    }
    w->calm = true;
    if (result != KITH_OK && (!s->once || !tried)) {
        result = s->act(w, s);
        CHECK_RESULT(result, KITH_OK);
    }
    if (result == KITH_OK && s->expect != NULL) {
        s->expect(w, s);
    }
}
