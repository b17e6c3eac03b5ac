/* The part of the play that is about resources and events. */
#include <string.h>

#include "play.h"

/* ---- Resources ----------------------------------------------------------------------------- */

static kith_result act_resource_set(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_resource_set(w->world, op->type, op->bytes);
}

static kith_result expect_resource_set(play *p, const operation *op, outcome *out)
{
    (void)out;
    if (op->type->size == 0) {
        return KITH_ERR_INPUT;
    }
    model_set(&p->m.resources, op->type, op->bytes);
    return KITH_OK;
}

static void resource_set(play *p, const kith_type *type)
{
    operation op = {.name = "kith_resource_set",
                    .act = act_resource_set,
                    .expect = expect_resource_set,
                    .type = type};
    op.bytes = play_bytes(p, type, 1);
    op.never_fails = model_get(&p->m.resources, type) != NULL && !play_is_hooked(type);
    play_attempt(p, &op);
}

static kith_result act_resource_get_mut(played *w, const operation *op, outcome *out)
{
    (void)out;
    void *value = NULL;
    kith_result result = kith_resource_get_mut(w->world, op->type, &value);
    CHECK((result == KITH_OK) == (value != NULL));
    if (value != NULL && op->bytes != NULL) {
        memcpy(value, op->bytes, op->type->size);
    }
    return result;
}

static kith_result act_resource_mut_or_null(played *w, const operation *op, outcome *out)
{
    (void)out;
    void *value = kith_resource_mut_or_null(w->world, op->type);
    if (value == NULL) {
        return w->f.memory->failed && w->f.memory->fail_at != 0 ? KITH_ERR_MEMORY : KITH_ERR_ABSENT;
    }
    if (op->bytes != NULL) {
        memcpy(value, op->bytes, op->type->size);
    }
    return KITH_OK;
}

static kith_result expect_resource_get_mut(play *p, const operation *op, outcome *out)
{
    (void)out;
    if (model_get(&p->m.resources, op->type) == NULL) {
        return KITH_ERR_ABSENT;
    }
    if (op->bytes != NULL) {
        model_set(&p->m.resources, op->type, op->bytes);
    }
    return KITH_OK;
}

static void resource_get_mut(play *p, const kith_type *type)
{
    operation op = {.name = "kith_resource_get_mut",
                    .act =
                        input_chance(&p->in, 50) ? act_resource_get_mut : act_resource_mut_or_null,
                    .act_other = act_resource_get_mut,
                    .expect = expect_resource_get_mut,
                    .never_fails = true,
                    .type = type};
    op.bytes = play_bytes(p, type, 1);
    play_attempt(p, &op);
}

static kith_result act_resource_remove(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_resource_remove(w->world, op->type);
}

static kith_result expect_resource_remove(play *p, const operation *op, outcome *out)
{
    (void)out;
    return model_remove(&p->m.resources, op->type) ? KITH_OK : KITH_ERR_ABSENT;
}

static void resource_remove(play *p, const kith_type *type)
{
    operation op = {.name = "kith_resource_remove",
                    .act = act_resource_remove,
                    .expect = expect_resource_remove,
                    .type = type};
    play_attempt(p, &op);
}

static void look_at_resources(play *p, const played *w)
{
    const char *previous = "";
    for (uint32_t i = 0; i < p->m.resources.count; i++) {
        const kith_type *type = play_same_type(kith_resource_at(w->world, i));
        CHECK_PTR_NOT_NULL(type);
        CHECK(strcmp(previous, type->name) < 0);
        previous = type->name;
        const model_value *value = model_get(&p->m.resources, type);
        CHECK_PTR_NOT_NULL(value);
        const void *got = kith_resource_get(w->world, type);
        CHECK_PTR_NOT_NULL(got);
        CHECK_INT((uintptr_t)got % type->align, 0);
        CHECK(memcmp(got, value->bytes, type->size) == 0);
    }
    CHECK_PTR_NULL(kith_resource_at(w->world, p->m.resources.count));
}

/* ---- Events -------------------------------------------------------------------------------- */

static kith_result act_event_register(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_event_register(w->world, op->type, &(kith_event_def){.keep = op->number});
}

static kith_result expect_event_register(play *p, const operation *op, outcome *out)
{
    (void)out;
    const model_queue *queue = model_queue_of(&p->m, op->type);
    if (queue == NULL) {
        model_queue_add(&p->m, op->type, op->number);
    }
    return queue == NULL || queue->keep == op->number ? KITH_OK : KITH_ERR_CONFLICT;
}

static void event_register(play *p, const kith_type *type)
{
    operation op = {.name = "kith_event_register",
                    .act = act_event_register,
                    .expect = expect_event_register,
                    .type = type,
                    .number = input_below(&p->in, 4)};
    play_attempt(p, &op);
}

static kith_result act_event_send(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_event_send(w->world, op->type, op->bytes);
}

static kith_result expect_event_send(play *p, const operation *op, outcome *out)
{
    (void)out;
    model_send(&p->m, op->type, op->bytes);
    return KITH_OK;
}

static void event_send(play *p, const kith_type *type)
{
    operation op = {.name = "kith_event_send",
                    .act = act_event_send,
                    .expect = expect_event_send,
                    .type = type};
    uint32_t count = input_chance(&p->in, 5) ? 60 : 1 + input_below(&p->in, 4);
    for (uint32_t i = 0; i < count; i++) {
        op.bytes = play_bytes(p, type, 1);
        play_attempt(p, &op);
    }
}

/* An event that is a copy of one in the queue, which may have to grow for it. */
static kith_result act_event_again(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_event_send(w->world, op->type, kith_event_at(w->world, op->type, op->number));
}

static void event_again(play *p, const kith_type *type)
{
    const model_queue *queue = model_queue_of(&p->m, type);
    if (queue == NULL || queue->count == 0 || type->size == 0) {
        return;
    }
    operation op = {.name = "kith_event_send from kith_event_at",
                    .act = act_event_again,
                    .expect = expect_event_send,
                    .type = type};
    for (uint32_t i = 1 + input_below(&p->in, 6); i > 0; i--) {
        op.number = input_below(&p->in, queue->count < 65536 ? queue->count : 65536);
        op.bytes = queue->events[op.number].bytes;
        play_attempt(p, &op);
    }
}

static void event_clear(play *p, const kith_type *type)
{
    play_name(p, "kith_event_clear");
    for (int world = 0; world < WORLD_COUNT; world++) {
        bool fail = world == SUBJECT && p->share_count == 0;
        if (fail) {
            fail_from(&p->worlds[world].f, 1);
        }
        kith_event_clear(p->worlds[world].world, type);
        if (fail) {
            fail_nothing(&p->worlds[world].f);
        }
    }
    model_queue *queue = model_queue_of(&p->m, type);
    if (queue != NULL) {
        model_clear_events(queue);
    }
}

/* Reads on, on all worlds, up to `limit` events. */
static void event_read(play *p, const kith_type *type, uint32_t limit)
{
    play_name(p, "kith_event_next");
    const model_queue *queue = model_queue_of(&p->m, type);
    if (queue == NULL) {
        return;
    }
    uint32_t number = play_number(type);
    uint64_t end = p->readers[number];
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        uint64_t missed = 0;
        uint64_t at = p->readers[number];
        uint64_t first = queue->dropped;
        for (uint32_t i = 0; i < limit; i++) {
            const void *got = kith_event_next(w->world, type, &w->readers[number], &missed);
            uint64_t passed = at < first ? first - at : 0;
            at += passed;
            CHECK_UINT(missed, passed);
            missed = 0;
            if (at == first + queue->count) {
                CHECK_PTR_NULL(got);
                break;
            }
            CHECK_PTR_NOT_NULL(got);
            CHECK(memcmp(got, queue->events[at - first].bytes, type->size) == 0);
            at++;
        }
        end = at;
    }
    p->readers[number] = end;
}

static void look_at_events(const play *p, const played *w)
{
    for (uint32_t i = 0; i < p->m.queue_count; i++) {
        const model_queue *queue = &p->m.queues[i];
        CHECK_UINT(kith_event_count(w->world, queue->type), queue->count);
        for (uint32_t k = 0; k < queue->count; k++) {
            const void *got = kith_event_at(w->world, queue->type, k);
            CHECK_PTR_NOT_NULL(got);
            CHECK_INT((uintptr_t)got % queue->type->align, 0);
            CHECK(memcmp(got, queue->events[k].bytes, queue->type->size) == 0);
        }
        CHECK_PTR_NULL(kith_event_at(w->world, queue->type, queue->count));
    }
}

/* ---- The whole ----------------------------------------------------------------------------- */

void play_look_values(play *p)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        look_at_resources(p, &p->worlds[world]);
        look_at_events(p, &p->worlds[world]);
    }
}

void play_values(play *p, uint32_t choice)
{
    /* A few types only, so that they meet again. */
    const kith_type *type = play_type(input_below(&p->in, 20));
    if (play_is_hooked(type) && model_rank(&p->m, type) == UINT32_MAX) {
        type = play_type(0); /* hooks come before values */
    }
    switch (choice) {
    case 0:
    case 1: resource_set(p, type); break;
    case 2: resource_get_mut(p, type); break;
    case 3: resource_remove(p, type); break;
    case 4: event_register(p, type); break;
    case 5:
    case 6: input_chance(&p->in, 70) ? event_send(p, type) : event_again(p, type); break;
    case 7: event_read(p, type, 1 + input_below(&p->in, 8)); break;
    case 8: event_read(p, type, UINT32_MAX); break;
    default: event_clear(p, type); break;
    }
}
