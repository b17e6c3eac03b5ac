/* What a spatial index can do for a query's conditions: name the points in a box that ranges of its
 * fields leave, and around the place that KITH_IF_WITHIN asks about, or the boxes that reach into such
 * a box. */
#include <kith/floats.h>

#include "index/index_source.h"

#include <string.h>

#include "base/roots.h"
#include "base/text_out.h"
#include "index/refresh.h"
#include "index/spatial_find.h"
#include "index/spatial_index.h"
#include "index/want.h"
#include "query/plan.h"

/* Where fewer named entities cost as much as the scan, finding out how many there are takes too much
 * of its time. */
#define PLACE_ENOUGH 3u

/* What a query asks of an index. */
typedef struct place_ask {
    ki_spatial_key box;              /* between the ranges; infinite where there is none */
    const ki_condition_node *around; /* KITH_IF_WITHIN of a finite distance; NULL: none */
    bool bounded; /* what satisfies it has finite coordinates, so that the index has it */
} place_ask;

/* A search for what is in the box, up to `enough` entities and some more. It looks at up to `most`
 * entries, and as many empty cells. */
typedef struct place_search {
    ki_spatial_search search; /* first */
    ki_spatial_area area;
    double point[3]; /* of the place */
    double square;   /* of the distance from there */
    uint32_t found;  /* so far */
    uint32_t enough;
    uint64_t most;
    ki_slot_list *list; /* gets their slots; NULL: they are counted */
    ki_heap *heap;
    kith_result result;
} place_search;

/* ---- What is asked */

static ki_spatial_shape place_shape(const kith_index *index)
{
    const ki_spatial_data *data = index->data;
    return data->tree.shape;
}

/* Whether a want is about the place that an index has. */
static bool place_is_about(const ki_condition_node *want, const kith_index *index)
{
    bool about = want->form == KI_CONDITION_WITHIN && want->length == index->field_count;
    for (uint32_t i = 0; about && i < index->field_count; i++) {
        about = ki_want_is_about(&want[1 + i], &index->fields[i]);
    }
    return about;
}

static double place_distance(const ki_condition_node *want)
{
    return want[1 + want->length].constant.f64;
}

/* Makes a box narrower by what a comparison leaves of an axis. Both corners of a box narrow the same
 * axis: if the low corner is at least a number, the high corner is too; if the high corner is at most a
 * number, the low corner is too. */
static void place_narrow(ki_spatial_key *box, uint32_t axis, const ki_condition_node *want)
{
    const double number =
        want->field.kind == KITH_F32 ? (double)want->constant.f32 : want->constant.f64;
    const bool equal = (want->op & KITH_OP_EQUAL) != 0;
    const double low = equal ? number : ki_next_up(number);
    const double high = equal ? number : ki_next_down(number);
    if ((want->op & KITH_OP_LESS) == 0 && low > box->low[axis]) {
        box->low[axis] = low;
    }
    if ((want->op & KITH_OP_GREATER) == 0 && high < box->high[axis]) {
        box->high[axis] = high;
    }
}

/* Ends a box that was made narrower. A box with its low corner at most at `high` and its high corner at
 * least at `low` reaches over all between these, if `high` is lower: so it is enough to look for `high`.
 * True if there is a limit. */
static bool place_close(place_ask *ask, ki_spatial_shape shape)
{
    bool asked = false, closed = true;
    for (uint32_t axis = 0; axis < shape.dims; axis++) {
        double *low = &ask->box.low[axis], high = ask->box.high[axis];
        const bool from = *low > -INFINITY, to = high < INFINITY;
        asked = asked || from || to;
        closed = closed && from && to;
        *low = shape.boxes && *low > high ? high : *low;
    }
    ask->bounded = (closed && !shape.boxes) || ask->around != NULL;
    return asked;
}

/* Finds out what a query asks; false: nothing that the index serves. A distance whose square is infinite
 * narrows nothing. */
static bool place_read(place_ask *ask, const kith_index *index, const ki_wants *wants)
{
    const ki_spatial_shape shape = place_shape(index);
    *ask = (place_ask){.around = NULL};
    for (uint32_t axis = 0; axis < shape.dims; axis++) {
        ask->box.low[axis] = -INFINITY;
        ask->box.high[axis] = INFINITY;
    }
    for (uint32_t k = 0; k < wants->count; k++) {
        const ki_condition_node *want = wants->nodes[k];
        if (ask->around == NULL && place_is_about(want, index) &&
            kith_mul_f64(place_distance(want), place_distance(want)) <= DBL_MAX) {
            ask->around = want;
        }
        for (uint32_t i = 0; i < index->field_count; i++) {
            if (want->form == KI_CONDITION_NUMBER && ki_want_is_about(want, &index->fields[i])) {
                place_narrow(&ask->box, i < shape.dims ? i : i - shape.dims, want);
            }
        }
    }
    return place_close(ask, shape) || ask->around != NULL;
}

/* ---- Finding */

static void place_add(place_search *self, kith_entity entity)
{
    if (self->list != NULL) {
        self->list->slots[self->list->count++] = entity.index1 - 1;
    }
    self->found++;
}

static void place_leaf(ki_spatial_search *search, const unsigned char *entries, uint32_t count)
{
    place_search *self = (place_search *)search;
    const ki_spatial_shape shape = search->tree->shape;
    kith_entity found[KI_SPATIAL_LEAF];
    double squares[KI_SPATIAL_LEAF];
    if (self->list != NULL) {
        self->result = ki_slot_list_reserve(self->heap, self->list, count);
    }
    if (self->result == KITH_OK && self->square < INFINITY) {
        ki_spatial_squares(shape, entries, count, self->point, squares);
        for (uint32_t i = 0; i < count; i++) {
            if (squares[i] <= self->square) {
                place_add(self, ki_spatial_entity(entries + (size_t)i * shape.stride));
            }
        }
    } else if (self->result == KITH_OK) {
        count = ki_spatial_overlapping(shape, entries, count, &self->area, found);
        for (uint32_t i = 0; i < count; i++) {
            place_add(self, found[i]);
        }
    }
    search->ended =
        self->found >= self->enough || search->met >= self->most || self->result != KITH_OK;
}

/* Narrows a search to the surroundings of a place. At a place that is not a number nothing is found. */
static void place_narrow_around(place_search *self, const ki_condition_node *want,
                                ki_spatial_key *box)
{
    const double distance = place_distance(want);
    ki_spatial_key near_by = {.low = {0}};
    for (uint32_t axis = 0; axis < want->length; axis++) {
        self->point[axis] = near_by.low[axis] = want[1 + axis].constant.f64;
    }
    self->square = kith_mul_f64(distance, distance);
    memcpy(near_by.high, near_by.low, sizeof near_by.high);
    ki_spatial_grow_box(&near_by, distance);
    for (uint32_t axis = 0; axis < want->length; axis++) {
        box->low[axis] = near_by.low[axis] > box->low[axis] ? near_by.low[axis] : box->low[axis];
        box->high[axis] =
            near_by.high[axis] < box->high[axis] ? near_by.high[axis] : box->high[axis];
    }
}

/* Runs a search, whose bounds are set. */
static void place_find(const place_ask *ask, const kith_index *index, place_search *self)
{
    const ki_spatial_data *data = index->data;
    ki_spatial_key box = ask->box;
    self->search =
        (ki_spatial_search){.tree = &data->tree, .leaf = place_leaf, .empty_left = self->most};
    self->heap = ki_index_heap(index);
    self->square = INFINITY;
    if (ask->around != NULL) {
        place_narrow_around(self, ask->around, &box);
    }
    bool some = true;
    for (uint32_t axis = 0; axis < data->tree.shape.dims; axis++) {
        some = some && box.low[axis] <= box.high[axis];
    }
    if (some) {
        self->area = ki_spatial_area_of(&box);
        ki_spatial_search_box(&self->search, &box);
    }
}

/* ---- The calls */

/* Whether the index, as of its last refresh, lacks entities that may satisfy what is asked: places that
 * are not finite, and boxes with their corners the wrong way round. */
static bool place_lacks(const place_ask *ask, const kith_index *index)
{
    const ki_spatial_data *data = index->data;
    return !ask->bounded && data->known != data->tree.count;
}

static bool place_offer(ki_source *source, const ki_wants *wants, uint32_t enough, ki_offer *offer)
{
    place_ask ask;
    const kith_index *index = ki_index_of_source(source);
    if (enough < PLACE_ENOUGH || !place_read(&ask, index, wants)) {
        return false;
    }
    offer->stale = ki_index_stale_rows(index);
    offer->fields = 1;
    offer->rows = enough;
    if (place_lacks(&ask, index)) {
        return offer->stale != 0; /* it may lack none by now */
    }
    place_search self = {.enough = enough, .most = (uint64_t)enough * KI_PLAN_SEARCHED};
    place_find(&ask, index, &self);
    offer->rows = self.search.ended ? enough : self.found;
    return true;
}

static kith_result place_list(ki_source *source, const ki_wants *wants, uint32_t limit,
                              ki_slot_list *list)
{
    place_ask ask;
    const kith_index *index = ki_index_of_source(source);
    if (!place_read(&ask, index, wants) || place_lacks(&ask, index)) {
        return KITH_ERR_LIMIT;
    }
    const uint32_t enough = limit == UINT32_MAX ? limit : limit + 1;
    place_search self = {
        .enough = enough, .most = (uint64_t)enough * KI_PLAN_SEARCHED, .list = list};
    place_find(&ask, index, &self);
    return self.result != KITH_OK ? self.result : self.search.ended ? KITH_ERR_LIMIT : KITH_OK;
}

/* ---- The nearest */

/* How many are looked for first; each time later on, as many as were found. */
#define PLACE_FIRST 16u

static bool place_orders(const ki_source *source, const ki_source_order *order, uint32_t *stale)
{
    const kith_index *index = ki_index_of_source(source);
    bool same = order->field_count == index->field_count;
    for (uint32_t i = 0; same && i < index->field_count; i++) {
        same = order->fields[i].offset == index->fields[i].offset &&
               order->fields[i].size == index->fields[i].size &&
               order->fields[i].kind == index->fields[i].kind;
    }
    *stale = ki_index_stale_rows(index);
    return same;
}

/* Appends the slots of the nearest `all`, without the first `listed` of them. */
static kith_result place_list_nearest(const kith_index *index, const double *point, uint32_t listed,
                                      uint32_t all, ki_slot_list *list)
{
    const ki_spatial_data *data = index->data;
    ki_heap *heap = ki_index_heap(index);
    const size_t bytes = ki_heap_bytes(all, sizeof(kith_near));
    ki_spatial_nearest nearest = {.list = ki_heap_alloc(heap, bytes, _Alignof(kith_near)),
                                  .capacity = all};
    kith_result result = nearest.list == NULL ? ki_without_message(heap, KITH_ERR_MEMORY)
                                              : ki_slot_list_reserve(heap, list, all - listed);
    if (result == KITH_OK) {
        ki_spatial_find_nearest(&data->tree, point, INFINITY, (ki_spatial_filter){.accepts = NULL},
                                &nearest);
        result = nearest.count < all ? KITH_ERR_LIMIT : KITH_OK; /* some are too far for squares */
    }
    for (uint32_t i = listed; i < all && result == KITH_OK; i++) {
        list->slots[list->count++] = nearest.list[i].entity.index1 - 1;
    }
    ki_heap_free(heap, nearest.list, bytes, _Alignof(kith_near));
    return result;
}

/* Entities with a coordinate that is not finite, which the index lacks, come after all that it lists. */
static kith_result place_next(ki_source *source, const ki_source_order *order,
                              ki_source_place *place, uint32_t limit, ki_slot_list *list)
{
    const kith_index *index = ki_index_of_source(source);
    const ki_spatial_data *data = index->data;
    const uint32_t listed = place->at[0];
    const uint32_t left = data->tree.count - listed;
    if (left == 0) {
        return data->known == data->tree.count ? KITH_OK : KITH_ERR_LIMIT;
    }
    uint32_t more = listed < PLACE_FIRST ? PLACE_FIRST : listed;
    more = more < limit ? more : limit;
    more = more < left ? more : left;
    place->at[0] += more;
    return place_list_nearest(index, order->point, listed, listed + more, list);
}

/* ---- What is asked, for people */

/* "x from 10 to 20", "left..right from 10 to 20"; nothing if there is no range. */
static void place_print_range(ki_text_out *out, const kith_index *index, const ki_spatial_key *box,
                              uint32_t axis)
{
    const ki_spatial_shape shape = place_shape(index);
    const double low = box->low[axis], high = box->high[axis];
    if (!(low > -INFINITY) && !(high < INFINITY)) {
        return;
    }
    ki_text_add(out, "%s%s%s%s", out->length == 0 ? "" : ", ", index->fields[axis].name,
                shape.boxes ? ".." : "", shape.boxes ? index->fields[shape.dims + axis].name : "");
    if (low == high) {
        ki_text_add(out, " at %g", low);
        return;
    }
    if (low > -INFINITY) {
        ki_text_add(out, " from %g", low);
    }
    if (high < INFINITY) {
        ki_text_add(out, " to %g", high);
    }
}

static size_t place_print_asked(const ki_source *source, const ki_wants *wants, char *text,
                                size_t size)
{
    place_ask ask;
    const kith_index *index = ki_index_of_source(source);
    ki_text_out out = ki_text_start(text, size);
    place_read(&ask, index, wants);
    for (uint32_t axis = 0; axis < place_shape(index).dims; axis++) {
        place_print_range(&out, index, &ask.box, axis);
    }
    const ki_condition_node *want = ask.around;
    if (want != NULL) {
        ki_text_add(&out, "%sat most %g from (%g, %g", out.length == 0 ? "" : ", ",
                    place_distance(want), want[1].constant.f64, want[2].constant.f64);
        if (want->length == 3) {
            ki_text_add(&out, ", %g", want[3].constant.f64);
        }
        ki_text_add(&out, ")");
    }
    return out.length;
}

const ki_source_calls ki_spatial_source_calls = {.kind = KI_SOURCE_SLOTS,
                                                 .offer = place_offer,
                                                 .refresh = ki_index_refresh_source,
                                                 .list = place_list,
                                                 .orders = place_orders,
                                                 .next = place_next,
                                                 .print = ki_index_print,
                                                 .print_asked = place_print_asked};
