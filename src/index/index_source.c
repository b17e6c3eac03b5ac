/* What a hash or an ordered index can do for a query's conditions: a hash where all of its fields are
 * asked for equality, an ordered index where the first ones are, and the next one for a range or a
 * prefix. Lists of values serve indexes of one field. */
#include <kith/floats.h>

#include "index/index_source.h"

#include <stdio.h>

#include "base/text_out.h"
#include "index/hash_index.h"
#include "index/key.h"
#include "index/ordered_index.h"
#include "index/refresh.h"
#include "index/want.h"
#include "query/plan.h"

/* What a query asks of an index. */
typedef struct source_ask {
    kith_index *index;
    const ki_condition_node *equal[KITH_INDEX_FIELDS]; /* by field; a list in the first one only */
    uint32_t equal_count;                              /* fields from the first on */
    /* Of the field after these, in an ordered index; or NULL. */
    const ki_condition_node *from;
    const ki_condition_node *to;
    const ki_condition_node *prefix;
} source_ask;

/* ---- Which conditions an index serves */

/* Whether all values of a list, or the only one, can be told by the key of a field. */
static bool source_has_keys(const ki_condition_node *want, const ki_texts *texts)
{
    bool list = ki_want_is_list(want);
    const ki_condition_node *end = want + 1 + (list ? ki_want_values(want) : 0);
    for (want += list; want < end; want++) {
        if (want->field.kind == KITH_BOOL) {
            return false; /* any byte but 0 is true, and keys are bytes */
        }
        if (want->form != KI_CONDITION_STRING) {
            continue;
        }
        bool in_array = want->length <= want->field.size &&
                        (want->length == 0 || memchr(want->text, 0, want->length) == NULL);
        bool interned = want->op == KITH_OP_EQUAL &&
                        ki_texts_find(texts, want->text, want->length) != UINT32_MAX;
        bool begins = want->op == KITH_OP_PREFIX; /* ranks tell that, numbers do not */
        if (!(want->field.kind == KITH_TEXT ? interned || begins : in_array)) {
            return false;
        }
    }
    return true;
}

/* The want about a field that has one of two operators; NULL: there is none. */
static const ki_condition_node *source_find(const ki_wants *wants, const kith_field *field,
                                            kith_op op, kith_op or_op)
{
    for (uint32_t i = 0; i < wants->count; i++) {
        const ki_condition_node *want = wants->nodes[i];
        kith_op its = ki_want_is_list(want) ? KITH_OP_IN : want->op;
        if ((its == op || its == or_op) && ki_want_is_about(want, field) &&
            source_has_keys(want, wants->texts)) {
            return want;
        }
    }
    return NULL;
}

/* Whether an index lacks entities for a field that is not asked: those with a NaN in it. */
static bool source_lacks(const source_ask *ask, const ki_wants *wants)
{
    for (uint32_t i = ask->equal_count; i < ask->index->field_count; i++) {
        const kith_field *field = &ask->index->fields[i];
        bool asked = false;
        for (uint32_t k = 0; k < wants->count; k++) {
            asked = asked || ki_want_is_about(wants->nodes[k], field);
        }
        if (!asked && (field->kind == KITH_F32 || field->kind == KITH_F64)) {
            return true;
        }
    }
    return false;
}

/* Finds out what a query asks; false: nothing that the index serves. */
static bool source_read(source_ask *ask, kith_index *index, const ki_wants *wants)
{
    *ask = (source_ask){.index = index};
    while (ask->equal_count < index->field_count) {
        const kith_field *field = &index->fields[ask->equal_count];
        const ki_condition_node *equal = source_find(wants, field, KITH_OP_EQUAL, KITH_OP_EQUAL);
        if (equal == NULL && index->field_count == 1) {
            equal = source_find(wants, field, KITH_OP_IN, KITH_OP_IN);
        }
        if (equal == NULL) {
            break;
        }
        ask->equal[ask->equal_count++] = equal;
    }
    if (ask->equal_count == index->field_count) {
        return true;
    }
    if (index->kind == KITH_INDEX_HASH) {
        return false;
    }
    const kith_field *next = &index->fields[ask->equal_count];
    ask->from = source_find(wants, next, KITH_OP_GREATER, KITH_OP_GREATER_EQUAL);
    ask->to = source_find(wants, next, KITH_OP_LESS, KITH_OP_LESS_EQUAL);
    ask->prefix =
        ask->equal_count == 0 ? source_find(wants, next, KITH_OP_PREFIX, KITH_OP_PREFIX) : NULL;
    bool asked =
        ask->equal_count != 0 || ask->from != NULL || ask->to != NULL || ask->prefix != NULL;
    return asked && !source_lacks(ask, wants);
}

/* ---- Values */

/* Writes what a field is compared with into a value. */
static void source_write(const ki_condition_node *want, const ki_texts *texts, uint8_t *value)
{
    ki_want_write(want, texts, value + want->field.offset);
}

/* Room for the values that bounds are made of: twice the size of the type. */
static uint8_t *source_values(kith_index *index)
{
    if (index->wanted == NULL) {
        ki_heap *heap = ki_index_heap(index);
        index->wanted =
            ki_heap_alloc_zeroed(heap, (size_t)2 * index->type->size, _Alignof(max_align_t));
        if (index->wanted == NULL) {
            ki_without_message(heap, KITH_ERR_MEMORY);
        }
    }
    return index->wanted;
}

/* ---- Finding: one value of a list after the other, or all at once */

/* Bounds in an ordered index; false: nothing is between them. */
static bool source_bounds(const source_ask *ask, const ki_texts *texts, ki_ordered_bounds *bounds)
{
    if (ask->prefix != NULL) {
        return ki_ordered_prefix_bounds(ask->index, ask->prefix->text, ask->prefix->length, bounds);
    }
    uint8_t *from = ask->index->wanted;
    uint8_t *to = from + ask->index->type->size;
    for (uint32_t i = 0; i < ask->equal_count; i++) {
        source_write(ask->equal[i], texts, from);
        source_write(ask->equal[i], texts, to);
    }
    if (ask->from != NULL) {
        source_write(ask->from, texts, from);
    }
    if (ask->to != NULL) {
        source_write(ask->to, texts, to);
    }
    uint32_t low = ask->equal_count + (ask->from != NULL);
    uint32_t high = ask->equal_count + (ask->to != NULL);
    const kith_range lower = {.from = low == 0 ? NULL : from,
                              .after_from = ask->from != NULL && ask->from->op == KITH_OP_GREATER,
                              .fields = low};
    const kith_range upper = {.to = high == 0 ? NULL : to,
                              .before_to = ask->to != NULL && ask->to->op == KITH_OP_LESS,
                              .fields = high};
    ki_ordered_bounds above;
    bool some = ki_ordered_bounds_of(ask->index, &lower, bounds) &&
                ki_ordered_bounds_of(ask->index, &upper, &above);
    memcpy(bounds->high, above.high, sizeof bounds->high);
    return some;
}

/* Counts up to `enough` entities with one value or in one range, and appends their slots to a list that
 * is not NULL. */
static kith_result source_find_one(const source_ask *ask, const ki_texts *texts, uint32_t enough,
                                   ki_slot_list *list, uint32_t *count)
{
    kith_index *index = ask->index;
    if (index->kind == KITH_INDEX_ORDERED) {
        ki_ordered_bounds bounds;
        *count = 0;
        return source_bounds(ask, texts, &bounds)
                   ? ki_ordered_index_slots(index, &bounds, enough, list, count)
                   : KITH_OK;
    }
    for (uint32_t i = 0; i < ask->equal_count; i++) {
        source_write(ask->equal[i], texts, index->wanted);
    }
    return ki_hash_index_slots(index, index->wanted, enough, list, count);
}

/* The same for all that is asked; `*count` is at most `enough`. */
static kith_result source_find_all(source_ask *ask, const ki_texts *texts, uint32_t enough,
                                   ki_slot_list *list, uint32_t *count)
{
    const ki_condition_node *want = ask->equal[0];
    if (want == NULL || !ki_want_is_list(want)) {
        return source_find_one(ask, texts, enough, list, count);
    }
    *count = 0;
    uint32_t values = ki_want_values(want);
    for (uint32_t i = 1; i <= values && *count < enough; i++) {
        uint32_t more = 0;
        ask->equal[0] = &want[i];
        KI_TRY(source_find_one(ask, texts, enough - *count, list, &more));
        *count += more;
    }
    return KITH_OK;
}

/* ---- The calls */

static bool source_offer(ki_source *source, const ki_wants *wants, uint32_t enough, ki_offer *offer)
{
    source_ask ask;
    kith_index *index = ki_index_of_source(source);
    if (!source_read(&ask, index, wants) || source_values(index) == NULL) {
        return false;
    }
    offer->stale = ki_index_stale_rows(index);
    offer->fields = 1; /* several take little longer: rows are compared with what they were */
    offer->rows = 0;
    return source_find_all(&ask, wants->texts, enough, NULL, &offer->rows) == KITH_OK;
}

kith_result ki_index_refresh_source(ki_source *source)
{
    return ki_index_refresh(ki_index_of_source(source));
}

static kith_result source_list(ki_source *source, const ki_wants *wants, uint32_t limit,
                               ki_slot_list *list)
{
    source_ask ask;
    kith_index *index = ki_index_of_source(source);
    if (!source_read(&ask, index, wants) || source_values(index) == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t enough = limit == UINT32_MAX ? limit : limit + 1;
    KI_TRY(source_find_all(&ask, wants->texts, enough, list, &enough));
    return enough > limit ? KITH_ERR_LIMIT : KITH_OK;
}

/* Values of an ordered index come as selections sort them; for floats, that is so without NaNs, which
 * come last. */
static bool source_orders(const ki_source *source, const ki_source_order *order, uint32_t *stale)
{
    const ki_place_of_field *field = &order->fields[0];
    const kith_index *index = ki_index_of_source(source);
    const kith_field *first = &index->fields[0];
    *stale = ki_index_stale_rows(index);
    return index->kind == KITH_INDEX_ORDERED && order->field_count == 1 &&
           first->kind == field->kind && first->offset == field->offset &&
           first->size == field->size;
}

/* An index that lacks an entity, since there is a NaN, is not asked. */
static kith_result source_next(ki_source *source, const ki_source_order *order,
                               ki_source_place *place, uint32_t limit, ki_slot_list *list)
{
    const kith_index *index = ki_index_of_source(source);
    const bool lacks =
        index->calls->count(index) != ki_store_count(ki_index_store(index), index->component);
    return lacks ? KITH_ERR_LIMIT
                 : ki_ordered_index_next(index, place, order->descending, limit, list);
}

size_t ki_index_print(const ki_source *source, char *text, size_t size)
{
    const kith_index *index = ki_index_of_source(source);
    static const char *const names[] = {[KITH_INDEX_HASH] = "hash",
                                        [KITH_INDEX_SPATIAL] = "spatial index",
                                        [KITH_INDEX_ORDERED] = "ordered index",
                                        [KITH_INDEX_FILTER] = "filter"};
    char fields[256];
    ki_text_out list = ki_text_start(fields, sizeof fields);
    for (uint32_t i = 0; i < index->field_count; i++) {
        ki_text_add(&list, "%s%s", i == 0 ? "" : ", ", index->fields[i].name);
    }
    const bool computed = index->function.call != NULL;
    return (size_t)snprintf(text, size, "%s of %s (%s)%s%s", names[index->kind], index->type->name,
                            fields, computed ? ", computed from " : "",
                            computed ? index->component->type->name : "");
}

static const ki_source_calls source_calls = {.kind = KI_SOURCE_SLOTS,
                                             .offer = source_offer,
                                             .refresh = ki_index_refresh_source,
                                             .list = source_list,
                                             .orders = source_orders,
                                             .next = source_next,
                                             .print = ki_index_print};

/* What queries find an index by. */
static const ki_source_calls *source_calls_of(const kith_index *index)
{
    switch (index->kind) {
    case KITH_INDEX_FILTER: return &ki_filter_source_calls;
    case KITH_INDEX_SPATIAL: return &ki_spatial_source_calls;
    default: return &source_calls;
    }
}

void ki_index_offer(kith_index *index)
{
    index->source.calls = source_calls_of(index);
    index->source.component = index->component;
    if (index->function.call != NULL) {
        index->source.key = (ki_key_of){index->component, index->function.call,
                                        index->function.user, index->type};
    }
    ki_source_add(&index->source);
}

void ki_index_withdraw(kith_index *index)
{
    if (index->source.calls != NULL) {
        ki_plans_drop_source(ki_index_store(index), &index->source);
        ki_source_remove(&index->source);
    }
    ki_heap_free(ki_index_heap(index), index->wanted, (size_t)2 * index->type->size,
                 _Alignof(max_align_t));
}
