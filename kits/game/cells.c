#include <kith/floats.h>

#include "game/cells.h"

#include <math.h>
#include <string.h>

#include "game/game_memory.h"

/* Sizes are sorted by the exponent of a float: from the least normal one to infinity, and then
 * those that are in no cell. */
enum { SIZE_LEAST = -126, SIZES = 256, SIZE_ENDLESS = SIZES - 1 };

/* A float at a distance from 0 has 24 bits. Cells are no smaller than that is exact, which also
 * keeps their numbers far within those of int32_t. */
enum { COORDINATE_BITS = 24 };

/* The arrays of cells, together, may be so many times as long as there are boxes, and a bit. */
enum { CELLS_PER_BOX = 4, CELLS_BESIDES = 64, BUCKETS_MOST = 1 << 30 };

/* So many boxes before its turn comes, the place of one is fetched. */
enum { FILL_AHEAD = 8 };

/* Boxes of one size, and where they begin. */
typedef struct size_class {
    uint32_t count;
    uint32_t level;
    float left, top, right, bottom;
} size_class;

/* What is needed while bodies are arranged. */
typedef struct cells_draft {
    uint32_t *slots; /* of each body, among those of all levels */
    uint8_t *sizes;  /* the same */
    size_class classes[SIZES];
} cells_draft;

/* ---- Sizes ------------------------------------------------------------------------------------- */

/* The least power of two that is at least `value`, which is not negative. */
static int exponent_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(bits >> 23) - 127 + ((bits & 0x7fffff) != 0);
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

/* Which of SIZES a box is of. What is infinite has the highest exponent, and so has what is almost. */
static uint8_t size_of(const ki_game_box *box)
{
    float side = larger(box->right - box->left, box->bottom - box->top);
    float farthest = larger(larger(fabsf(box->left), fabsf(box->right)),
                            larger(fabsf(box->top), fabsf(box->bottom)));
    int exponent = exponent_of(side);
    int least = exponent_of(farthest) - COORDINATE_BITS;
    if (exponent_of(farthest) > 127 || exponent > 127) {
        return SIZE_ENDLESS;
    }
    exponent = exponent < least ? least : exponent;
    return (uint8_t)(exponent < SIZE_LEAST ? 0 : exponent - SIZE_LEAST);
}

static void measure_bodies(const ki_game_bodies *bodies, cells_draft *draft)
{
    for (uint32_t size = 0; size < SIZES; size++) {
        draft->classes[size] = (size_class){0, 0, INFINITY, INFINITY, -INFINITY, -INFINITY};
    }
    for (uint32_t i = 0; i < bodies->count; i++) {
        const ki_game_box hull = ki_game_body_hull(bodies, i);
        uint8_t size = size_of(&hull);
        draft->sizes[i] = size;
        size_class *class = &draft->classes[size];
        class->count++;
        class->left = hull.left < class->left ? hull.left : class->left;
        class->right = hull.left > class->right ? hull.left : class->right;
        class->top = hull.top < class->top ? hull.top : class->top;
        class->bottom = hull.top > class->bottom ? hull.top : class->bottom;
    }
}

/* ---- Levels ------------------------------------------------------------------------------------ */

/* A size that has no more boxes than the next larger size is joined to it: that at most doubles the
 * boxes in a cell, and saves a level. */
static void join_sizes(cells_draft *draft)
{
    size_class *before = NULL;
    for (uint32_t size = 0; size < SIZE_ENDLESS; size++) {
        size_class *class = &draft->classes[size];
        if (class->count == 0) {
            continue;
        }
        if (before != NULL && before->count <= class->count) {
            class->count += before->count;
            class->left = before->left < class->left ? before->left : class->left;
            class->right = larger(before->right, class->right);
            class->top = before->top < class->top ? before->top : class->top;
            class->bottom = larger(before->bottom, class->bottom);
            before->count = 0;
        }
        before = class;
    }
}

/* Decides how the cells of a level are found. */
static void shape_level(ki_game_level *level, uint64_t *most)
{
    uint64_t columns = (uint64_t)((int64_t)level->right - level->left) + 3;
    uint64_t rows = (uint64_t)((int64_t)level->bottom - level->top) + 2;
    if (columns * rows <= *most) {
        *most -= columns * rows;
        level->columns = (uint32_t)columns;
        level->slots = (uint32_t)(columns * rows);
        return;
    }
    level->slots = 1;
    while (level->slots < BUCKETS_MOST &&
           level->slots < 2 * (uint64_t)(level->end - level->first)) {
        level->slots *= 2;
    }
}

/* Makes a level of each class that is left. Those of large boxes get their cells first: they need
 * few. */
static void make_levels(ki_game_cells *cells, cells_draft *draft)
{
    uint32_t first = 0;
    for (uint32_t size = 0; size < SIZE_ENDLESS; size++) {
        size_class *class = &draft->classes[size];
        class->level = cells->level_count; /* for those that went with larger ones, too */
        if (class->count == 0) {
            continue;
        }
        int exponent = (int)size + SIZE_LEAST;
        double scale = ldexp(1, -exponent);
        cells->levels[cells->level_count++] =
            (ki_game_level){.exponent = exponent,
                            .scale = scale,
                            .first = first,
                            .end = first + class->count,
                            .left = ki_game_first_cell(class->left, scale),
                            .top = ki_game_first_cell(class->top, scale),
                            .right = ki_game_first_cell(class->right, scale),
                            .bottom = ki_game_first_cell(class->bottom, scale)};
        first += class->count;
    }
    cells->endless_count = draft->classes[SIZE_ENDLESS].count;
    uint64_t most = (uint64_t)cells->bodies->count * CELLS_PER_BOX + CELLS_BESIDES;
    for (uint32_t i = cells->level_count; i-- > 0;) {
        shape_level(&cells->levels[i], &most);
        cells->slots += cells->levels[i].slots;
    }
}

/* ---- Cells ------------------------------------------------------------------------------------- */

/* Where the starts of each level begin among those of all: the end of one is the start of the next. */
static kith_result make_starts(ki_game_cells *cells)
{
    cells->starts =
        ki_game_alloc(&cells->bodies->allocator, cells->slots + 1, sizeof *cells->starts);
    if (cells->starts == NULL) {
        return KITH_ERR_MEMORY;
    }
    memset(cells->starts, 0, (cells->slots + 1) * sizeof *cells->starts);
    uint32_t *starts = cells->starts;
    for (uint32_t i = 0; i < cells->level_count; i++) {
        cells->levels[i].starts = starts;
        starts += cells->levels[i].slots;
    }
    return KITH_OK;
}

/* Finds the slot of each box, and counts what is in each. */
static void place_bodies(ki_game_cells *cells, cells_draft *draft)
{
    const ki_game_bodies *bodies = cells->bodies;
    for (uint32_t i = 0; i < bodies->count; i++) {
        if (draft->sizes[i] == SIZE_ENDLESS) {
            draft->slots[i] = 0;
            continue;
        }
        const ki_game_level *level = &cells->levels[draft->classes[draft->sizes[i]].level];
        const ki_game_box hull = ki_game_body_hull(bodies, i);
        uint32_t *start =
            &level->starts[ki_game_level_slot(level, ki_game_first_cell(hull.left, level->scale),
                                              ki_game_first_cell(hull.top, level->scale))];
        draft->slots[i] = (uint32_t)(start - cells->starts);
        ++*start;
    }
}

/* Has the memory of a box brought in that is filled in soon: its place, and before that where it is
 * told. Slots are anywhere, one box after the other, and the processor itself does not look as far
 * ahead. */
static inline void fetch_slot(const ki_game_cells *cells, const cells_draft *draft, uint32_t body)
{
    if (body >= 2 * FILL_AHEAD) {
        KITH_PREFETCH_(&cells->starts[draft->slots[body - 2 * FILL_AHEAD]]);
        uint32_t at = cells->starts[draft->slots[body - FILL_AHEAD]];
        KITH_PREFETCH_(&cells->boxes[at], 1);
        KITH_PREFETCH_(&cells->owners[at], 1);
    }
}

/* The counts become the ends of slots. Filling the slots from their ends makes these the starts.
 * Within a slot, boxes are in the order of the bodies. */
static void fill_slots(ki_game_cells *cells, const cells_draft *draft)
{
    uint32_t sum = 0;
    for (size_t i = 0; i <= cells->slots; i++) {
        sum += cells->starts[i];
        cells->starts[i] = sum;
    }
    uint32_t endless = cells->bodies->count;
    for (uint32_t i = cells->bodies->count; i-- > 0;) {
        fetch_slot(cells, draft, i);
        uint32_t slot = draft->slots[i];
        uint32_t at = draft->sizes[i] == SIZE_ENDLESS ? --endless : --cells->starts[slot];
        cells->boxes[at] = ki_game_body_hull(cells->bodies, i);
        cells->owners[at] = (ki_game_owner){i, slot, cells->bodies->tags[i]};
    }
}

_Static_assert(sizeof(ki_game_box) + sizeof(ki_game_owner) + sizeof(uint32_t) + sizeof(uint8_t) <=
                   KI_GAME_BODY_ROOM,
               "what cells keep of each body fits into its room");

kith_result ki_game_cells_build(ki_game_cells *cells, const ki_game_bodies *bodies)
{
    *cells = (ki_game_cells){.bodies = bodies, .boxes = bodies->room};
    size_t count = (size_t)bodies->count + KI_GAME_BODIES_SPARE;
    memset(cells->boxes + bodies->count, 0, KI_GAME_BODIES_SPARE * sizeof *cells->boxes);
    cells->owners = (ki_game_owner *)(void *)(cells->boxes + count);
    memset(cells->owners + bodies->count, 0, KI_GAME_BODIES_SPARE * sizeof *cells->owners);
    cells->numbers = (uint32_t *)(void *)(cells->owners + count);
    cells_draft draft = {.slots = cells->numbers};
    draft.sizes = (uint8_t *)(void *)(draft.slots + count);
    measure_bodies(bodies, &draft);
    join_sizes(&draft);
    make_levels(cells, &draft);
    kith_result result = make_starts(cells);
    if (result == KITH_OK) {
        place_bodies(cells, &draft);
        fill_slots(cells, &draft);
    } else {
        ki_game_cells_free(cells);
    }
    return result;
}

void ki_game_cells_free(ki_game_cells *cells)
{
    if (cells->bodies == NULL) {
        return;
    }
    const kith_allocator *allocator = &cells->bodies->allocator;
    ki_game_free(allocator, cells->starts, cells->slots + 1, sizeof *cells->starts);
    *cells = (ki_game_cells){0};
}

/* ---- Looking ----------------------------------------------------------------------------------- */

/* Narrows `first` to `last` to the cells from `low` to `high`, and one before. Any numbers are
 * fine. */
static void narrow_cells(float low, float high, double scale, int32_t *first, int32_t *last)
{
    double from = floor((double)low * scale) - 1;
    double to = ceil((double)high * scale) - 1;
    if (from > *first) {
        *first = from > *last ? *last : (int32_t)from;
    }
    if (to < *last) {
        *last = to < *first ? *first - 1 : (int32_t)to;
    }
}

ki_game_range ki_game_level_range(const ki_game_level *level, const ki_game_box *box)
{
    ki_game_range range = {level->left, level->top, level->right, level->bottom};
    narrow_cells(box->left, box->right, level->scale, &range.left, &range.right);
    narrow_cells(box->top, box->bottom, level->scale, &range.top, &range.bottom);
    return range;
}
