#include "persist/diff_kept.h"

#include <string.h>

ki_kept_pair ki_kept_pair_resources(const ki_diff *diff)
{
    return (ki_kept_pair){
        .lists = {ki_diff_resources(diff->before), ki_diff_resources(diff->after)}};
}

ki_kept_pair ki_kept_pair_queues(const ki_diff *diff)
{
    ki_kept_pair pair = {.lists = {ki_diff_queues(diff->before), ki_diff_queues(diff->after)}};
    pair.orders[0] = diff->queue_order;
    pair.orders[1] = diff->queue_order + pair.lists[0]->count;
    return pair;
}

/* The next of one of the lists; NULL after the last. */
static const ki_kept *pair_peek(const ki_kept_pair *pair, uint32_t list)
{
    uint32_t next = pair->next[list];
    if (next == pair->lists[list]->count) {
        return NULL;
    }
    const uint32_t *order = pair->orders[list];
    return pair->lists[list]->items[order == NULL ? next : order[next]];
}

bool ki_kept_pair_next(ki_kept_pair *pair)
{
    const ki_kept *a = pair_peek(pair, 0);
    const ki_kept *b = pair_peek(pair, 1);
    if (a == NULL && b == NULL) {
        return false;
    }
    int order = a == NULL ? 1 : b == NULL ? -1 : strcmp(a->type->name, b->type->name);
    pair->a = order <= 0 ? a : NULL;
    pair->b = order >= 0 ? b : NULL;
    pair->type = order <= 0 ? a->type : b->type;
    pair->next[0] += order <= 0;
    pair->next[1] += order >= 0;
    return true;
}

/* How many events are in a queue that were sent in one of the last runs. */
static uint32_t pair_sent(const ki_queue *queue, uint64_t tick, uint64_t age)
{
    return queue->sent[(tick + age) % ki_queue_ring(queue)];
}

static bool pair_is_empty(const ki_queue *queue)
{
    return queue == NULL || (queue->count == queue->head && queue->dropped == 0);
}

static bool pair_values_differ(const ki_diff *diff, const ki_queue *a, const ki_queue *b,
                               uint32_t row)
{
    const kith_type *type = a->kept.type;
    if (type->size == 0) {
        return false;
    }
    const void *was = ki_column_at(&a->kept.values, a->head + row);
    const void *is = ki_column_at(&b->kept.values, b->head + row);
    const ki_component *hashed = ki_diff_hasher(diff->world, type);
    if (hashed != NULL) {
        return ki_diff_differs(hashed, NULL, was, is);
    }
    bool differ = false;
    for (uint32_t i = 0; i < type->field_count && !differ; i++) {
        differ = ki_diff_differs(NULL, &type->fields[i], was, is);
    }
    return differ;
}

/* Whether they stay for as long. */
static bool pair_ages_differ(const ki_diff *diff, const ki_queue *a, const ki_queue *b)
{
    const ki_snapshot_numbers *was = diff->before->states[KI_SNAPSHOT_NUMBERS];
    const ki_snapshot_numbers *is = diff->after->states[KI_SNAPSHOT_NUMBERS];
    bool differ = a->keep != b->keep;
    for (uint64_t age = 0; age < ki_queue_ring(a) && !differ; age++) {
        differ = pair_sent(a, was->tick, age) != pair_sent(b, is->tick, age);
    }
    return differ;
}

bool ki_kept_pair_events_differ(const ki_diff *diff, const ki_kept_pair *pair)
{
    const ki_queue *a = (const ki_queue *)pair->a;
    const ki_queue *b = (const ki_queue *)pair->b;
    if (pair_is_empty(a) || pair_is_empty(b)) {
        return pair_is_empty(a) != pair_is_empty(b);
    }
    uint32_t count = b->count - b->head;
    bool differ =
        a->count - a->head != count || a->dropped != b->dropped || pair_ages_differ(diff, a, b);
    for (uint32_t row = 0; row < count && !differ; row++) {
        differ = pair_values_differ(diff, a, b, row);
    }
    return differ;
}
