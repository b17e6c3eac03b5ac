/* The tree of a spatial index finds what a look at all entries finds, in the same order, whatever
 * was added, moved and removed before, wherever things are and however large. */
#include <kith/floats.h>

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "index/spatial_fill.h"
#include "index/spatial_find.h"
#include "index/spatial_tree.h"
#include "random.h"
#include "test.h"

enum { ENTITIES = 600 };

/* Where things are. */
typedef enum places {
    EVENLY,       /* in a square or cube */
    IN_TOWNS,     /* mostly in a few small places */
    IN_ONE_PLACE, /* all in the same, or nearly */
    SCALES,       /* at all distances from the origin, from tiny to huge */
    ON_A_LATTICE, /* at whole numbers, so that many touch or are at the same distance */
    PLACES
} places;

/* A tree beside an array. */
typedef struct model {
    test_memory *memory;
    ki_heap heap;
    ki_spatial_tree tree;
    ki_spatial_shape shape;
    places places;
    uint64_t seed;
    bool present[ENTITIES];
    kith_entity entities[ENTITIES];
    ki_spatial_key keys[ENTITIES];
} model;

/* An entry as the tree has it. */
static void write_entry(ki_spatial_shape shape, unsigned char *entry, kith_entity entity,
                        const ki_spatial_key *key)
{
    memcpy(entry, &entity, sizeof entity);
    unsigned char *at = entry + sizeof entity;
    for (uint32_t corner = 0; corner <= (uint32_t)shape.boxes; corner++) {
        const double *numbers = corner == 0 ? key->low : key->high;
        for (uint32_t axis = 0; axis < shape.dims; axis++) {
            const float narrow = (float)numbers[axis];
            const size_t size = shape.wide ? sizeof(double) : sizeof(float);
            memcpy(at, shape.wide ? (const void *)&numbers[axis] : (const void *)&narrow, size);
            at += size;
        }
    }
}

static kith_result insert_at(ki_spatial_tree *tree, kith_entity entity, const ki_spatial_key *key)
{
    double entry[7];
    write_entry(tree->shape, (unsigned char *)entry, entity, key);
    return ki_spatial_tree_insert(tree, (unsigned char *)entry);
}

static void remove_at(ki_spatial_tree *tree, kith_entity entity, const ki_spatial_key *key)
{
    double entry[7];
    write_entry(tree->shape, (unsigned char *)entry, entity, key);
    ki_spatial_tree_remove(tree, (unsigned char *)entry);
}

static kith_result move_to(ki_spatial_tree *tree, kith_entity entity, const ki_spatial_key *from,
                           const ki_spatial_key *to)
{
    double old[7], new[7];
    write_entry(tree->shape, (unsigned char *)old, entity, from);
    write_entry(tree->shape, (unsigned char *)new, entity, to);
    return ki_spatial_tree_move_many(tree, (unsigned char *)old, (unsigned char *)new, 1);
}

static model model_new(ki_spatial_shape shape, places where, uint64_t seed)
{
    model m = {.memory = test_memory_new(), .shape = shape, .places = where, .seed = seed};
    const kith_allocator allocator = test_memory_allocator(m.memory);
    CHECK(ki_heap_init(&m.heap, &allocator, 0));
    for (uint32_t i = 0; i < ENTITIES; i++) {
        m.entities[i] = (kith_entity){i + 1, 7 + i % 3};
    }
    return m;
}

static void model_start(model *m)
{
    ki_spatial_tree_init(&m->tree, &m->heap, m->shape);
}

static void model_free(model *m)
{
    ki_spatial_tree_end(&m->tree);
    test_memory_free(m->memory);
}

static double unit(model *m)
{
    return (double)(random_next(&m->seed) >> 11) * 0x1p-53;
}

static double scale_of(model *m)
{
    static const double scales[] = {0, 1e-40, 1e-20, 1e-6, 1, 1e3, 1e15, 1e30};
    return scales[random_below(&m->seed, (uint32_t)ROWS_OF(scales))];
}

static double random_coordinate(model *m)
{
    const double number = unit(m);
    const uint32_t town = random_below(&m->seed, 4);
    switch (m->places) {
    case IN_TOWNS: return town == 0 ? number * 1000 : town * 300 + number * 0.5;
    case IN_ONE_PLACE: return random_below(&m->seed, 20) == 0 ? number : -3.25;
    case SCALES: return (number - 0.5) * scale_of(m);
    case ON_A_LATTICE: return random_below(&m->seed, 12);
    default: return number * 100 - 50;
    }
}

static double random_length(model *m)
{
    const double number = unit(m);
    switch (m->places) {
    case ON_A_LATTICE: return random_below(&m->seed, 3);
    case SCALES: return number * scale_of(m);
    default: return random_below(&m->seed, 50) == 0 ? number * 500 : number * 2;
    }
}

/* As precise as an entry is. */
static double as_kept(const model *m, double number)
{
    return m->shape.wide ? number : (double)(float)number;
}

static ki_spatial_key random_key(model *m)
{
    ki_spatial_key key = {{0}, {0}};
    for (uint32_t axis = 0; axis < m->shape.dims; axis++) {
        key.low[axis] = as_kept(m, random_coordinate(m));
        key.high[axis] =
            m->shape.boxes ? as_kept(m, key.low[axis] + random_length(m)) : key.low[axis];
    }
    if (random_below(&m->seed, 40) == 0) {
        key.low[random_below(&m->seed, 2)] = random_below(&m->seed, 2) == 0 ? NAN : -INFINITY;
    }
    if (!m->shape.boxes) {
        memcpy(key.high, key.low, sizeof key.high);
    }
    return key;
}

/* ---- What is found ------------------------------------------------------------------------------- */

static bool model_overlaps(const ki_spatial_key *a, const ki_spatial_key *b)
{
    bool overlap = ki_spatial_key_is_found(a);
    for (uint32_t axis = 0; axis < 3; axis++) {
        overlap = overlap && a->low[axis] <= b->high[axis] && b->low[axis] <= a->high[axis];
    }
    return overlap;
}

/* Infinity for what is not found. */
static double model_square(const ki_spatial_key *key, const double *point)
{
    double square = 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        double away = key->low[axis] - point[axis];
        if (away < 0) {
            away = point[axis] - key->high[axis] > 0 ? point[axis] - key->high[axis] : 0;
        }
        square += kith_mul_f64(away, away);
    }
    return ki_spatial_key_is_found(key) ? square : INFINITY;
}

static bool accepts_odd(void *context, kith_entity entity)
{
    (void)context;
    return entity.index1 % 2 == 1;
}

static const ki_spatial_filter odd = {accepts_odd, NULL}, all = {NULL, NULL};

static void check_entities(const kith_entity *found, uint32_t count, uint32_t capacity,
                           const kith_entity *expected, uint32_t expected_count)
{
    CHECK_UINT(count, expected_count);
    for (uint32_t i = 0; i < count && count <= capacity; i++) {
        CHECK_SAME(found[i], expected[i]);
    }
}

static void check_box(model *m, ki_spatial_filter filter, uint32_t capacity)
{
    ki_spatial_key box = random_key(m);
    for (uint32_t axis = 0; axis < m->shape.dims; axis++) {
        box.high[axis] = box.low[axis] + random_length(m) * 5;
    }
    kith_entity expected[ENTITIES], found[ENTITIES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        if (m->present[i] && model_overlaps(&m->keys[i], &box) &&
            ki_spatial_accepts(&filter, m->entities[i])) {
            expected[count++] = m->entities[i];
        }
    }
    ki_spatial_entities results = {found, capacity, 0};
    ki_spatial_find_box(&m->tree, &box, filter, &results);
    check_entities(found, results.found, capacity, expected, count);
}

static void random_point(model *m, double *point)
{
    const ki_spatial_key key = m->keys[random_below(&m->seed, ENTITIES)];
    for (uint32_t axis = 0; axis < 3; axis++) {
        const double number = random_below(&m->seed, 2) == 0 ? random_coordinate(m) : key.low[axis];
        point[axis] = axis < m->shape.dims && ki_spatial_is_finite(number) ? number : 0;
    }
}

static void check_radius(model *m, ki_spatial_filter filter, uint32_t capacity)
{
    double point[3];
    random_point(m, point);
    const double radius = random_below(&m->seed, 9) == 0 ? 0 : random_length(m) * 4;
    kith_entity expected[ENTITIES], found[ENTITIES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        if (m->present[i] && model_square(&m->keys[i], point) <= kith_mul_f64(radius, radius) &&
            ki_spatial_accepts(&filter, m->entities[i])) {
            expected[count++] = m->entities[i];
        }
    }
    ki_spatial_entities results = {found, capacity, 0};
    ki_spatial_find_radius(&m->tree, point, radius, filter, &results);
    check_entities(found, results.found, capacity, expected, count);
}

static int compare_nears(const void *a, const void *b)
{
    const kith_near *one = a, *other = b;
    if (one->distance != other->distance) {
        return one->distance < other->distance ? -1 : 1;
    }
    return one->entity.index1 < other->entity.index1 ? -1 : 1;
}

static void check_nearest(model *m, ki_spatial_filter filter, uint32_t capacity)
{
    double point[3];
    random_point(m, point);
    const double within = random_below(&m->seed, 2) == 0 ? INFINITY : random_length(m) * 8;
    kith_near expected[ENTITIES], found[ENTITIES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        const double square = model_square(&m->keys[i], point);
        if (m->present[i] && square < INFINITY && square <= kith_mul_f64(within, within) &&
            ki_spatial_accepts(&filter, m->entities[i])) {
            expected[count++] = (kith_near){m->entities[i], square};
        }
    }
    qsort(expected, count, sizeof *expected, compare_nears);
    ki_spatial_nearest results = {found, capacity, 0};
    ki_spatial_find_nearest(&m->tree, point, within, filter, &results);
    CHECK_UINT(results.count, count < capacity ? count : capacity);
    for (uint32_t i = 0; i < results.count; i++) {
        CHECK_SAME(found[i].entity, expected[i].entity);
        CHECK(found[i].distance == expected[i].distance);
    }
}

static void check_all(model *m)
{
    const char *broken = ki_spatial_tree_check(&m->tree);
    CHECK_STR(broken == NULL ? "" : broken, "");
    const ki_spatial_filter filter = random_below(&m->seed, 2) == 0 ? odd : all;
    static const uint32_t capacities[] = {0, 1, 5, ENTITIES};
    const uint32_t capacity = capacities[random_below(&m->seed, 4)];
    check_box(m, filter, capacity);
    check_radius(m, filter, capacity);
    check_nearest(m, filter, capacity);
}

/* ---- What is done -------------------------------------------------------------------------------- */

static void change_one(model *m)
{
    const uint32_t i = random_below(&m->seed, ENTITIES);
    const ki_spatial_key key = random_key(m);
    if (!m->present[i]) {
        CHECK_RESULT(insert_at(&m->tree, m->entities[i], &key), KITH_OK);
    } else if (random_below(&m->seed, 3) == 0) {
        remove_at(&m->tree, m->entities[i], &m->keys[i]);
        m->present[i] = false;
        return;
    } else {
        CHECK_RESULT(move_to(&m->tree, m->entities[i], &m->keys[i], &key), KITH_OK);
    }
    m->present[i] = true;
    m->keys[i] = key;
}

/* Moves some at once that are there, one after the other. */
static void move_some(model *m)
{
    double from[ENTITIES * 7], to[ENTITIES * 7];
    uint32_t count = 0;
    const uint32_t first = random_below(&m->seed, ENTITIES);
    const uint32_t last = first + random_below(&m->seed, 100);
    for (uint32_t i = first; i < ENTITIES && i < last; i++) {
        const ki_spatial_key key = random_key(m);
        if (m->present[i]) {
            const size_t at = (size_t)count++ * m->shape.stride;
            write_entry(m->shape, (unsigned char *)from + at, m->entities[i], &m->keys[i]);
            write_entry(m->shape, (unsigned char *)to + at, m->entities[i], &key);
            m->keys[i] = key;
        }
    }
    CHECK_RESULT(ki_spatial_tree_move_many(&m->tree, (const unsigned char *)from,
                                           (const unsigned char *)to, count),
                 KITH_OK);
}

/* Fills the tree from three runs, one of them empty. */
static kith_result fill_tree(model *m, const unsigned char *entries, uint32_t count)
{
    const uint32_t stride = m->shape.stride, first = count / 3;
    const unsigned char *rest = entries + (size_t)first * stride;
    const ki_spatial_run runs[] = {
        {entries, entries + sizeof(kith_entity), first},
        {NULL, NULL, 0},
        {rest, rest + sizeof(kith_entity), count - first},
    };
    const ki_spatial_source source = {runs, 3, stride, stride, count};
    return ki_spatial_tree_fill(&m->tree, &source);
}

static void fill(model *m, uint32_t count)
{
    double bytes[ENTITIES * 7];
    unsigned char *entry = (unsigned char *)bytes;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        m->present[i] = i < count;
        m->keys[i] = random_key(m);
        if (m->present[i]) {
            write_entry(m->shape, entry, m->entities[i], &m->keys[i]);
            entry += m->shape.stride;
        }
    }
    CHECK_RESULT(fill_tree(m, (const unsigned char *)bytes, count), KITH_OK);
}

static void remove_all(model *m)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        if (m->present[i]) {
            remove_at(&m->tree, m->entities[i], &m->keys[i]);
            m->present[i] = false;
        }
    }
    CHECK_UINT(m->tree.count, 0);
    check_all(m);
}

/* Each way of placing things, points and boxes, floats and doubles, in 2-D and 3-D. */
static void play(ki_spatial_shape shape)
{
    const uint32_t steps = test_long() ? 20000 : test_short() ? 60 : 400;
    for (uint32_t where = 0; where < PLACES; where++) {
        model m = model_new(shape, (places)where, test_number("KITH_TEST_SEED", 1) + where);
        model_start(&m);
        for (uint32_t round = 0; round < 3; round++) {
            for (uint32_t step = 0; step < steps; step++) {
                for (uint32_t i = 0; i < 4; i++) {
                    change_one(&m);
                }
                if (step % 8 == 0) {
                    move_some(&m);
                }
                check_all(&m);
            }
            if (round == 0) {
                m.places = (places)((where + 1) % PLACES); /* all go somewhere else */
            } else if (round == 1) {
                remove_all(&m);
                fill(&m, random_below(&m.seed, ENTITIES));
                check_all(&m);
            }
        }
        model_free(&m);
    }
}

TEST_WITHIN(20, points_of_floats)
{
    play(ki_spatial_shape_of(2, false, false));
    play(ki_spatial_shape_of(3, false, false));
}

TEST_WITHIN(20, boxes_of_floats)
{
    play(ki_spatial_shape_of(2, true, false));
    play(ki_spatial_shape_of(3, true, false));
}

TEST_WITHIN(20, points_of_doubles)
{
    play(ki_spatial_shape_of(2, false, true));
    play(ki_spatial_shape_of(3, false, true));
}

TEST_WITHIN(20, boxes_of_doubles)
{
    play(ki_spatial_shape_of(2, true, true));
    play(ki_spatial_shape_of(3, true, true));
}

/* ---- Memory that runs out ------------------------------------------------------------------------ */

/* Fills a tree with one allocation failing: the first that is not there ends the test. */
static bool fill_fails(model *m, size_t nth)
{
    const uint32_t before = m->tree.count;
    double bytes[ENTITIES * 7];
    for (uint32_t i = 0; i < ENTITIES; i++) {
        write_entry(m->shape, (unsigned char *)bytes + i * m->shape.stride, m->entities[i],
                    &m->keys[i]);
    }
    test_memory_fail(m->memory, nth, false);
    kith_result result = fill_tree(m, (const unsigned char *)bytes, ENTITIES / 2 + 100);
    const bool failed = test_memory_fail_nothing(m->memory);
    CHECK_RESULT(result, failed ? KITH_ERR_MEMORY : KITH_OK);
    if (failed) {
        CHECK_UINT(m->tree.count, before);
        check_all(m);
    }
    return failed;
}

TEST(a_tree_that_cannot_be_filled_is_as_it_was)
{
    for (uint32_t where = 0; where < PLACES; where++) {
        model m = model_new(ki_spatial_shape_of(2, where % 2 == 1, false), (places)where, 5);
        model_start(&m);
        fill(&m, ENTITIES / 2);
        for (size_t nth = 1; fill_fails(&m, nth); nth++) {
        }
        model_free(&m);
    }
}

/* Every allocation of all changes fails once: the change is refused, or was none of the tree's
 * needs. */
TEST_WITHIN(20, a_change_that_fails_changes_nothing)
{
    const uint32_t steps = test_short() ? 200 : 3000;
    for (uint32_t where = 0; where < PLACES; where++) {
        model m = model_new(ki_spatial_shape_of(2, where % 2 == 1, false), (places)where, 9);
        model_start(&m);
        for (uint32_t step = 0; step < steps; step++) {
            const uint32_t i = random_below(&m.seed, ENTITIES);
            const ki_spatial_key key = random_key(&m);
            test_memory_fail(m.memory, 1, random_below(&m.seed, 2) == 0);
            kith_result result =
                m.present[i] ? move_to(&m.tree, m.entities[i], &m.keys[i], &key)
                             : insert_at(&m.tree, m.entities[i], &key);
            const bool failed = test_memory_fail_nothing(m.memory);
            CHECK(result == KITH_OK || (failed && result == KITH_ERR_MEMORY));
            if (result == KITH_OK) {
                m.present[i] = true;
                m.keys[i] = key;
            }
            if (step % 16 == 0) {
                check_all(&m);
            }
            change_one(&m);
        }
        model_free(&m);
    }
}

/* ---- How much is looked at ----------------------------------------------------------------------- */

enum { MANY = 30000 };

static void meet(ki_spatial_search *search, const unsigned char *entries, uint32_t count)
{
    (void)search, (void)entries, (void)count;
}

/* Searches boxes around entries, and checks that not many more are looked at than are found: up to
 * 100 times as many, and in each level some that are in the same cells. */
static void check_effort(model *m, const ki_spatial_key *keys, double reach)
{
    const char *broken = ki_spatial_tree_check(&m->tree);
    CHECK_STR(broken == NULL ? "" : broken, "");
    for (uint32_t i = 0; i < MANY; i += 97) {
        ki_spatial_key box = keys[i];
        for (uint32_t axis = 0; axis < m->shape.dims; axis++) {
            box.low[axis] -= reach;
            box.high[axis] += reach;
        }
        ki_spatial_entities results = {NULL, 0, 0};
        ki_spatial_find_box(&m->tree, &box, all, &results);
        ki_spatial_search search = {.tree = &m->tree, .leaf = meet};
        ki_spatial_search_box(&search, &box);
        uint32_t expected = 0;
        for (uint32_t k = 0; k < MANY; k++) {
            expected += model_overlaps(&keys[k], &box);
        }
        CHECK_UINT(results.found, expected);
        CHECK(search.met < 100 * (uint64_t)expected + 200 * (uint64_t)m->tree.level_count + 200);
    }
}

/* Few far away, most in towns of towns, and every eighth in one place: each eighth so that those
 * of which a grid is made may all be there. */
static ki_spatial_key skewed_key(model *m, uint32_t i)
{
    ki_spatial_key key = {{0}, {0}};
    for (uint32_t axis = 0; axis < m->shape.dims && i % 8 != 0; axis++) {
        const double town = random_below(&m->seed, 4) * 1e4, house = random_below(&m->seed, 4) * 50;
        key.low[axis] = i % 501 == 0 ? unit(m) * 1e12 : town + house + unit(m);
        key.low[axis] = as_kept(m, key.low[axis]);
    }
    key.high[0] = m->shape.boxes ? as_kept(m, key.low[0] + unit(m) * 0.1) : key.low[0];
    key.high[1] = key.low[1];
    key.high[2] = key.low[2];
    if (m->shape.boxes && i % 1000 == 1) {
        key.high[0] += 1e6;
    }
    key.high[0] = as_kept(m, key.high[0]);
    return key;
}

/* Filled at once, then moved one by one to another place, and removed: crowds and far ones cost
 * little. */
static void check_crowds(ki_spatial_shape shape)
{
    model m = model_new(shape, EVENLY, 3);
    model_start(&m);
    ki_spatial_key *keys = malloc(MANY * sizeof *keys);
    unsigned char *entries = malloc((size_t)MANY * shape.stride);
    CHECK(keys != NULL && entries != NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        keys[i] = skewed_key(&m, i);
        write_entry(shape, entries + (size_t)i * shape.stride, (kith_entity){i + 1, 1}, &keys[i]);
    }
    CHECK_RESULT(fill_tree(&m, entries, MANY), KITH_OK);
    check_effort(&m, keys, 0.05);
    for (uint32_t i = 0; i < MANY; i++) {
        ki_spatial_key to = skewed_key(&m, i);
        to.low[1] -= 7e5;
        to.low[1] = to.high[1] = as_kept(&m, to.low[1]);
        CHECK_RESULT(move_to(&m.tree, (kith_entity){i + 1, 1}, &keys[i], &to), KITH_OK);
        keys[i] = to;
    }
    check_effort(&m, keys, 0.05);
    for (uint32_t i = 0; i < MANY; i++) {
        remove_at(&m.tree, (kith_entity){i + 1, 1}, &keys[i]);
    }
    CHECK_UINT(m.tree.count, 0);
    free(keys);
    free(entries);
    model_free(&m);
}

TEST_WITHIN(20, crowds_and_far_ones_cost_little)
{
    check_crowds(ki_spatial_shape_of(2, false, true));
    check_crowds(ki_spatial_shape_of(2, true, true));
    check_crowds(ki_spatial_shape_of(3, false, false));
}
