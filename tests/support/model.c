#include "model.h"

#include <stdlib.h>
#include <string.h>

#include "model_links.h"
#include "model_trees.h"
#include "test.h"

static void *resized(void *memory, size_t size)
{
    void *result = realloc(memory, size > 0 ? size : 1);
    CHECK_PTR_NOT_NULL(result);
    return result;
}

static unsigned char *copied(const kith_type *type, const void *bytes)
{
    unsigned char *copy = resized(NULL, type->size);
    if (bytes == NULL) {
        memset(copy, 0, type->size);
    } else {
        memcpy(copy, bytes, type->size);
    }
    return copy;
}

void model_free(model *m)
{
    for (uint32_t i = 0; i < m->entity_count; i++) {
        model_clear(&m->entities[i].values);
    }
    for (uint32_t i = 0; i < m->queue_count; i++) {
        model_clear_events(&m->queues[i]);
        free(m->queues[i].events);
    }
    model_clear(&m->resources);
    model_free_relations(m);
    free(m->types);
    free(m->entities);
    free(m->ended);
    free(m->queues);
    *m = (model){0};
}

/* ---- Types --------------------------------------------------------------------------------- */

void model_register(model *m, const kith_type *type)
{
    if (model_rank(m, type) == UINT32_MAX) {
        m->types = resized(m->types, (m->type_count + 1) * sizeof(*m->types));
        m->types[m->type_count++] = type;
        m->name_type = strcmp(type->name, kith_name_type.name) == 0 ? type : m->name_type;
        m->disabled_type =
            strcmp(type->name, kith_disabled_type.name) == 0 ? type : m->disabled_type;
        model_add_relations(m, type);
    }
}

uint32_t model_rank(const model *m, const kith_type *type)
{
    for (uint32_t i = 0; i < m->type_count; i++) {
        if (m->types[i] == type) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* ---- Values -------------------------------------------------------------------------------- */

model_value *model_get(const model_values *values, const kith_type *type)
{
    for (uint32_t i = 0; i < values->count; i++) {
        if (values->list[i].type == type) {
            return &values->list[i];
        }
    }
    return NULL;
}

void model_set(model_values *values, const kith_type *type, const void *bytes)
{
    model_value *value = model_get(values, type);
    if (value == NULL) {
        values->list = resized(values->list, (values->count + 1) * sizeof(*values->list));
        value = &values->list[values->count++];
        value->type = type;
    } else {
        free(value->bytes);
    }
    value->bytes = copied(type, bytes);
    value->order = 0;
}

bool model_remove(model_values *values, const kith_type *type)
{
    model_value *value = model_get(values, type);
    if (value == NULL) {
        return false;
    }
    free(value->bytes);
    *value = values->list[--values->count];
    return true;
}

void model_clear(model_values *values)
{
    for (uint32_t i = 0; i < values->count; i++) {
        free(values->list[i].bytes);
    }
    free(values->list);
    *values = (model_values){0};
}

/* ---- Entities ------------------------------------------------------------------------------ */

/* The first entity whose slot is not below. */
static uint32_t lower_bound(const model *m, uint32_t index1)
{
    uint32_t low = 0;
    uint32_t high = m->entity_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (m->entities[middle].handle.index1 < index1) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

model_entity *model_find(const model *m, kith_entity handle)
{
    uint32_t at = lower_bound(m, handle.index1);
    return at < m->entity_count && kith_entity_equal(m->entities[at].handle, handle)
               ? &m->entities[at]
               : NULL;
}

model_entity *model_spawn_as(model *m, kith_entity handle)
{
    if (m->entity_count == m->entity_capacity) {
        m->entity_capacity = m->entity_capacity == 0 ? 64 : m->entity_capacity * 2;
        m->entities = resized(m->entities, m->entity_capacity * sizeof(*m->entities));
    }
    uint32_t at = lower_bound(m, handle.index1);
    memmove(&m->entities[at + 1], &m->entities[at], (m->entity_count - at) * sizeof(*m->entities));
    m->entity_count++;
    m->entities[at] = (model_entity){.handle = handle};
    return &m->entities[at];
}

void model_despawn_as(model *m, kith_entity handle)
{
    model_entity *entity = model_find(m, handle);
    model_clear(&entity->values);
    uint32_t at = (uint32_t)(entity - m->entities);
    m->entity_count--;
    memmove(entity, entity + 1, (m->entity_count - at) * sizeof(*m->entities));
}

model_entity *model_spawn(model *m)
{
    return model_spawn_as(m, m->ended_count > 0 ? m->ended[--m->ended_count]
                                                : (kith_entity){++m->slots, 0});
}

bool model_despawn(model *m, kith_entity handle)
{
    if (model_find(m, handle) == NULL) {
        return false;
    }
    model_despawn_as(m, handle);
    if (m->ended_count == m->ended_capacity) {
        m->ended_capacity = m->ended_capacity == 0 ? 64 : m->ended_capacity * 2;
        m->ended = resized(m->ended, m->ended_capacity * sizeof(*m->ended));
    }
    m->ended[m->ended_count++] = (kith_entity){handle.index1, handle.generation + 1};
    return true;
}

bool model_matches(const model *m, const model_entity *entity, const kith_term *terms,
                   uint32_t term_count)
{
    for (uint32_t i = 0; i < term_count; i++) {
        bool has = model_has(m, entity, terms[i].type);
        if ((terms[i].role == KITH_MUST && !has) || (terms[i].role == KITH_MUST_NOT && has)) {
            return false;
        }
        if (terms[i].role == KITH_ONE_OF) {
            bool any = false;
            for (uint32_t k = 0; k < term_count; k++) {
                any = any || (terms[k].role == KITH_ONE_OF && terms[k].group == terms[i].group &&
                              model_has(m, entity, terms[k].type));
            }
            if (!any) {
                return false;
            }
        }
    }
    return true;
}

/* ---- Events -------------------------------------------------------------------------------- */

model_queue *model_queue_of(const model *m, const kith_type *type)
{
    for (uint32_t i = 0; i < m->queue_count; i++) {
        if (m->queues[i].type == type) {
            return &m->queues[i];
        }
    }
    return NULL;
}

model_queue *model_queue_add(model *m, const kith_type *type, uint32_t keep)
{
    m->queues = resized(m->queues, (m->queue_count + 1) * sizeof(*m->queues));
    m->queues[m->queue_count] = (model_queue){.type = type, .keep = keep};
    return &m->queues[m->queue_count++];
}

void model_send(model *m, const kith_type *type, const void *bytes)
{
    model_queue *queue = model_queue_of(m, type);
    if (queue == NULL) {
        queue = model_queue_add(m, type, 0);
    }
    queue->events = resized(queue->events, (queue->count + 1) * sizeof(*queue->events));
    queue->events[queue->count++] =
        (model_event){m->running ? m->tick : m->tick + 1, copied(type, bytes)};
}

static void drop_oldest(model_queue *queue, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        free(queue->events[i].bytes);
    }
    queue->count -= count;
    queue->dropped += count;
    if (queue->count > 0) {
        memmove(queue->events, queue->events + count, queue->count * sizeof(*queue->events));
    }
}

void model_clear_events(model_queue *queue)
{
    drop_oldest(queue, queue->count);
}

void model_run(model *m)
{
    m->tick++;
    m->running = true;
    for (uint32_t i = 0; i < m->queue_count; i++) {
        model_queue *queue = &m->queues[i];
        uint32_t due = 0;
        while (due < queue->count && queue->events[due].run + 1 + queue->keep <= m->tick) {
            due++;
        }
        drop_oldest(queue, due);
    }
}

/* ---- Going back ---------------------------------------------------------------------------- */

/* NULL is fine where there are no bytes. */
static void *duplicate(const void *from, size_t size)
{
    void *copy = resized(NULL, size);
    if (size > 0) {
        memcpy(copy, from, size);
    }
    return copy;
}

static model_values copy_values(const model_values *from)
{
    model_values to = {0};
    for (uint32_t i = 0; i < from->count; i++) {
        model_set(&to, from->list[i].type, from->list[i].bytes);
    }
    return to;
}

static model_queue copy_queue(const model_queue *from)
{
    model_queue to = *from;
    to.events = resized(NULL, from->count * sizeof(*to.events));
    for (uint32_t i = 0; i < from->count; i++) {
        const model_event *event = &from->events[i];
        to.events[i] = (model_event){event->run, copied(from->type, event->bytes)};
    }
    return to;
}

model model_copy(const model *m)
{
    model copy = *m;
    copy.types = duplicate(m->types, m->type_count * sizeof(*copy.types));
    copy.entities = resized(NULL, m->entity_count * sizeof(*copy.entities));
    copy.entity_capacity = m->entity_count;
    for (uint32_t i = 0; i < m->entity_count; i++) {
        copy.entities[i] =
            (model_entity){m->entities[i].handle, copy_values(&m->entities[i].values)};
    }
    copy.ended = duplicate(m->ended, m->ended_count * sizeof(*copy.ended));
    copy.ended_capacity = m->ended_count;
    model_copy_relations(&copy, m);
    copy.resources = copy_values(&m->resources);
    copy.queues = resized(NULL, m->queue_count * sizeof(*copy.queues));
    for (uint32_t i = 0; i < m->queue_count; i++) {
        copy.queues[i] = copy_queue(&m->queues[i]);
    }
    return copy;
}

model model_empty_like(const model *m)
{
    return (model){.unique_type = m->unique_type,
                   .transients = m->transients,
                   .names = m->names,
                   .name_count = m->name_count};
}

bool model_is_transient(const model *m, const kith_type *type)
{
    for (uint32_t i = 0; m->transients != NULL && m->transients[i] != NULL; i++) {
        if (m->transients[i] == type) {
            return true;
        }
    }
    return false;
}

void model_forget_transients(model *m)
{
    for (uint32_t i = 0; m->transients != NULL && m->transients[i] != NULL; i++) {
        for (uint32_t k = 0; k < m->entity_count; k++) {
            model_remove(&m->entities[k].values, m->transients[i]);
        }
    }
    CHECK_UINT(model_settle(m), 0);
}

void model_rewind(model *m, const model *was)
{
    model now = *m;
    *m = model_copy(was);
    m->unique_type = now.unique_type;
    for (uint32_t i = 0; i < now.type_count; i++) {
        model_register(m, now.types[i]);
    }
    for (uint32_t i = 0; i < now.queue_count; i++) {
        if (model_queue_of(m, now.queues[i].type) == NULL) {
            model_queue_add(m, now.queues[i].type, now.queues[i].keep);
        }
    }
    model_free(&now);
}
