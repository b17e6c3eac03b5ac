/* Finds nearest values in an ordered index: from the value on, one cursor goes up and one down, and the
 * nearer of their entries is taken. */
#include <kith/floats.h>

#include <float.h>

#include "index/ordered_index.h"

/* A distance that is not negative: as a whole number; or as a float, with what rounding took away. */
typedef struct nearest_distance {
    uint64_t whole;
    double rounded;
    double rest;
} nearest_distance;

typedef struct nearest_search {
    const ki_ordered_runs *runs;
    kith_kind kind;
    uint32_t key_words;
    const uint32_t *value;  /* an entry */
    ki_ordered_place above; /* the next entry with the value, or a greater one */
    ki_ordered_place below; /* the next one with a lesser value: those of one value in slot order */
    ki_ordered_place below_end;   /* after the entries with that value */
    ki_ordered_place below_start; /* where they begin */
} nearest_search;

static bool nearest_is_same(ki_ordered_place a, ki_ordered_place b)
{
    return a.run == b.run && a.row == b.row;
}

/* ---- Distances */

static uint64_t nearest_key(const nearest_search *search, const uint32_t *entry)
{
    return search->key_words == 1 ? entry[0] : (uint64_t)entry[0] << 32 | entry[1];
}

/* The number that an order key was made from. */
static double nearest_float(const nearest_search *search, const uint32_t *entry)
{
    uint64_t key = nearest_key(search, entry);
    if (search->kind == KITH_F32) {
        uint32_t bits = (key & 0x80000000u) != 0 ? (uint32_t)key & 0x7fffffffu : ~(uint32_t)key;
        float number;
        memcpy(&number, &bits, sizeof number);
        return (double)number;
    }
    uint64_t sign = UINT64_C(1) << 63;
    uint64_t bits = (key & sign) != 0 ? key & ~sign : ~key;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* The distance between two numbers; `high` is not the lesser. What rounding takes from a difference is
 * a double as well (T. J. Dekker, "A floating-point technique for extending the available precision",
 * 1971; D. E. Knuth's form, for operands of any size). */
static nearest_distance nearest_between(double high, double low)
{
    double rounded = high - low;
    if (high == low) {
        return (nearest_distance){0};
    }
    if (rounded > DBL_MAX) {
        return (nearest_distance){.rounded = rounded};
    }
    double part = rounded - high;
    double back = rounded - part;
    return (nearest_distance){.rounded = rounded, .rest = (high - back) - (low + part)};
}

static nearest_distance nearest_measure(const nearest_search *search, const uint32_t *low,
                                        const uint32_t *high)
{
    if (search->kind == KITH_F32 || search->kind == KITH_F64) {
        return nearest_between(nearest_float(search, high), nearest_float(search, low));
    }
    return (nearest_distance){.whole = nearest_key(search, high) - nearest_key(search, low)};
}

/* Less than 0: `a` is shorter. */
static int nearest_compare(const nearest_distance *a, const nearest_distance *b)
{
    if (a->whole != b->whole) {
        return a->whole < b->whole ? -1 : 1;
    }
    if (a->rounded != b->rounded) {
        return a->rounded < b->rounded ? -1 : 1;
    }
    return (a->rest > b->rest) - (a->rest < b->rest);
}

/* ---- Cursors */

/* The entry at a place, or after it in the next run; NULL: it is the end. */
static const uint32_t *nearest_entry(const ki_ordered_runs *runs, ki_ordered_place *place)
{
    if (place->run < runs->count && place->row == runs->list[place->run].count) {
        *place = (ki_ordered_place){.run = place->run + 1};
    }
    return place->run < runs->count ? ki_ordered_entry(runs, place->run, place->row) : NULL;
}

/* Goes down to the entries with the next lesser value. False: there are none. */
static bool nearest_descend(nearest_search *search)
{
    const ki_ordered_runs *runs = search->runs;
    ki_ordered_place last = search->below_start;
    if (last.row == 0) {
        if (last.run == 0) {
            return false;
        }
        last.run--;
        last.row = runs->list[last.run].count;
    }
    uint32_t first[KI_ORDERED_WORDS_MAX] = {0};
    memcpy(first, ki_ordered_entry(runs, last.run, last.row - 1),
           search->key_words * sizeof *first);
    search->below_end = last;
    search->below_start = ki_ordered_seek(runs, first);
    search->below = search->below_start;
    return true;
}

/* The next entry with a lesser value, or NULL. */
static const uint32_t *nearest_below(nearest_search *search)
{
    if (nearest_is_same(search->below, search->below_end) && !nearest_descend(search)) {
        return NULL;
    }
    return nearest_entry(search->runs, &search->below);
}

/* Whether the entry above comes before the one below. */
static bool nearest_is_above(const nearest_search *search, const uint32_t *above,
                             const uint32_t *below)
{
    if (above == NULL || below == NULL) {
        return below == NULL;
    }
    nearest_distance up = nearest_measure(search, search->value, above);
    nearest_distance down = nearest_measure(search, below, search->value);
    int order = nearest_compare(&up, &down);
    return order != 0 ? order < 0 : above[search->key_words] < below[search->key_words];
}

kith_result ki_ordered_nearest(kith_index *index, const uint32_t *entry, uint32_t limit,
                               uint32_t *count)
{
    const ki_ordered_runs *runs = index->data;
    *count = 0;
    if (runs->count == 0) {
        return KITH_OK;
    }
    limit = ki_min_u32(limit, runs->entries);
    KI_TRY(ki_index_reserve_found(index, limit));
    ki_ordered_place start = ki_ordered_seek(runs, entry);
    nearest_search search = {.runs = runs,
                             .kind = index->fields[0].kind,
                             .key_words = runs->width - 2,
                             .value = entry,
                             .above = start,
                             .below = start,
                             .below_end = start,
                             .below_start = start};
    for (; *count < limit; ++*count) {
        const uint32_t *above = nearest_entry(runs, &search.above);
        const uint32_t *below = nearest_below(&search);
        bool up = nearest_is_above(&search, above, below);
        const uint32_t *words = (up ? above : below) + search.key_words;
        ki_ordered_place *place = up ? &search.above : &search.below;
        place->row++;
        index->found[*count] = (kith_entity){words[0], words[1]};
    }
    return KITH_OK;
}
