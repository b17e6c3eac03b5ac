/* What a spatial index of points can do for a query's conditions: name the entities around the place
 * that KITH_IF_WITHIN asks about. */
#include <kith/floats.h>

#include "index/index_source.h"
#include "index/refresh.h"
#include "index/spatial_find.h"
#include "index/spatial_index.h"
#include "index/want.h"

typedef struct place_search {
    ki_spatial_search search; /* first */
    double point[3];
    double square;  /* of the distance */
    uint32_t found; /* so far, */
    uint32_t enough;
    ki_slot_list *list; /* gets their slots; NULL: they are counted */
    ki_heap *heap;
    kith_result result;
} place_search;

static void place_leaf(ki_spatial_search *search, const unsigned char *entries, uint32_t count)
{
    place_search *self = (place_search *)search;
    const ki_spatial_shape shape = search->tree->shape;
    double squares[KI_SPATIAL_LEAF];
    ki_spatial_squares(shape, entries, count, self->point, squares);
    if (self->list != NULL) {
        self->result = ki_slot_list_reserve(self->heap, self->list, count);
    }
    for (uint32_t i = 0; i < count && self->result == KITH_OK; i++) {
        if (squares[i] <= self->square) {
            if (self->list != NULL) {
                self->list->slots[self->list->count++] =
                    ki_spatial_entity(entries + (size_t)i * shape.stride).index1 - 1;
            }
            self->found++;
        }
    }
    search->ended = self->found >= self->enough || self->result != KITH_OK;
}

/* Whether a want is about the coordinates that an index has. */
static bool place_is_about(const ki_condition_node *want, const kith_index *index)
{
    bool about = want->form == KI_CONDITION_WITHIN && want->length == index->field_count;
    for (uint32_t i = 0; about && i < index->field_count; i++) {
        about = ki_want_is_about(&want[1 + i], &index->fields[i]);
    }
    return about;
}

/* The want that an index serves; NULL: none. One for any distance also holds for places that no index
 * has: those that are infinite. */
static const ki_condition_node *place_find_want(const kith_index *index, const ki_wants *wants)
{
    for (uint32_t i = 0; i < wants->count; i++) {
        const ki_condition_node *want = wants->nodes[i];
        if (place_is_about(want, index)) {
            const double distance = want[1 + want->length].constant.f64;
            return kith_mul_f64(distance, distance) > DBL_MAX ? NULL : want;
        }
    }
    return NULL;
}

/* Counts those that satisfy a want, up to `enough` and some more, and appends their slots to a list that
 * is not NULL. */
static kith_result place_find(const kith_index *index, const ki_condition_node *want,
                               uint32_t enough, ki_slot_list *list, uint32_t *count)
{
    const double distance = want[1 + want->length].constant.f64;
    const ki_spatial_data *data = index->data;
    place_search self = {.search = {.tree = &data->tree, .leaf = place_leaf},
                          .square = kith_mul_f64(distance, distance),
                          .enough = enough,
                          .list = list,
                          .heap = ki_index_heap(index)};
    ki_spatial_key box = {.low = {0}};
    bool real = distance >= 0;
    for (uint32_t i = 0; i < want->length; i++) {
        self.point[i] = box.low[i] = want[1 + i].constant.f64;
        real = real && self.point[i] == self.point[i];
    }
    if (real) {
        memcpy(box.high, box.low, sizeof box.high);
        ki_spatial_grow_box(&box, distance);
        ki_spatial_search_box(&self.search, &box);
    }
    *count = self.found;
    return self.result;
}

/* ---- The calls */

static bool place_offer(ki_source *source, const ki_wants *wants, uint32_t enough, ki_offer *offer)
{
    const kith_index *index = ki_index_of_source(source);
    const ki_condition_node *want = place_find_want(index, wants);
    if (want == NULL) {
        return false;
    }
    offer->stale = ki_index_stale_rows(index);
    offer->fields = 1;
    return place_find(index, want, enough, NULL, &offer->rows) == KITH_OK;
}

static kith_result place_list(ki_source *source, const ki_wants *wants, uint32_t limit,
                               ki_slot_list *list)
{
    const kith_index *index = ki_index_of_source(source);
    const ki_condition_node *want = place_find_want(index, wants);
    uint32_t found = 0;
    KI_ASSERT(want != NULL);
    KI_TRY(place_find(index, want, limit == UINT32_MAX ? limit : limit + 1, list, &found));
    return found > limit ? KITH_ERR_LIMIT : KITH_OK;
}

const ki_source_calls ki_spatial_source_calls = {.kind = KI_SOURCE_SLOTS,
                                                 .offer = place_offer,
                                                 .refresh = ki_index_refresh_source,
                                                 .list = place_list,
                                                 .print = ki_index_print};
