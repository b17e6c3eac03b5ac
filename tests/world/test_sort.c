/* kith_sort: which rows move, what follows them, and who is told. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "owned.h"
#include "random.h"
#include "share.h"
#include "test.h"

KITH_COMPONENT(Rank, (uint32_t, key), (uint32_t, number));

#define ROWS_MAX 3000

/* Entities with Rank, some of them with other components too, so that they are in several tables. */
typedef struct ranked {
    fixture f;
    kith_world *world;
    kith_layout layout;
    owned_record owned;
    uint32_t count;
    kith_entity entities[ROWS_MAX]; /* by number */
    uint32_t keys[ROWS_MAX];
    uint32_t visited[ROWS_MAX]; /* numbers, as loops over Rank visit them */
    uint32_t expected[ROWS_MAX];
} ranked;

/* What else entity number `i` has, a bit each: Position, Extra, Aligned, Owned, Frozen. */
static uint32_t others_of(uint32_t i)
{
    return i % 7 == 0 ? 31 : i % 5 == 0 ? 3 : i % 2 == 0 ? 1 : 0;
}

static void add_others(ranked *r, uint32_t i)
{
    kith_entity e = r->entities[i];
    uint32_t others = others_of(i);
    if ((others & 1) != 0) {
        CHECK_RESULT(KITH_SET(r->world, e, Position, {(float)i, 1}), KITH_OK);
    }
    if ((others & 2) != 0) {
        CHECK_RESULT(KITH_SET(r->world, e, Extra, {1, 2, (float)i}), KITH_OK);
    }
    if ((others & 4) != 0) {
        CHECK_RESULT(KITH_SET(r->world, e, Aligned, {{i, 0, 0, 0, 0, 0, 0, i}}), KITH_OK);
    }
    if ((others & 8) != 0) {
        Owned value = owned_new(&r->owned, i);
        CHECK_RESULT(KITH_SET(r->world, e, Owned, value), KITH_OK);
    }
    if ((others & 16) != 0) {
        CHECK_RESULT(KITH_ADD(r->world, e, Frozen), KITH_OK);
    }
}

static ranked *ranked_new(kith_layout layout, uint32_t count, uint32_t keys)
{
    ranked *r = calloc(1, sizeof *r);
    CHECK_PTR_NOT_NULL(r);
    r->f = fixture_new();
    r->world = r->f.world;
    r->layout = layout;
    r->count = count;
    const kith_hooks hooks = owned_hooks_without_copy(&r->owned);
    CHECK_RESULT(kith_register(r->world, &Rank_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    CHECK_RESULT(kith_register(r->world, &Owned_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_OK);
    uint64_t seed = count + keys;
    for (uint32_t i = 0; i < count; i++) {
        r->keys[i] = random_below(&seed, keys);
        r->entities[i] = KITH_SPAWN(r->world, KITH_VALUE(Rank, {r->keys[i], i}));
        add_others(r, i);
    }
    return r;
}

static void ranked_free(ranked *r)
{
    fixture_free(&r->f);
    CHECK_UINT(r->owned.live, 0);
    free(r);
}

/* Notes the order in which a loop visits them. */
static void look(ranked *r)
{
    kith_query *query = KITH_QUERY(r->world, KITH_READ(Rank));
    uint32_t visited = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        const Rank *ranks = KITH_COLUMN(&it, Rank);
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_SAME(kith_entities(&it)[i], r->entities[ranks[i].number]);
            CHECK_UINT(ranks[i].key, r->keys[ranks[i].number]);
            r->visited[visited++] = ranks[i].number;
        }
    }
    CHECK_UINT(visited, r->count);
    kith_query_free(query);
}

/* Whether number `a` is to come before number `b`, if they are in one table. */
static bool is_before(const ranked *r, uint32_t a, uint32_t b, bool descending)
{
    return descending ? r->keys[a] > r->keys[b] : r->keys[a] < r->keys[b];
}

/* Sorts what was seen by hand: each table by itself, a sparse set as a whole. */
static void expect_sorted(ranked *r, bool descending)
{
    memcpy(r->expected, r->visited, sizeof r->expected);
    for (uint32_t i = 1; i < r->count; i++) {
        uint32_t number = r->expected[i];
        uint32_t at = i;
        while (at > 0 && is_before(r, number, r->expected[at - 1], descending) &&
               (r->layout == KITH_SPARSE || others_of(number) == others_of(r->expected[at - 1]))) {
            r->expected[at] = r->expected[at - 1];
            at--;
        }
        r->expected[at] = number;
    }
}

static void check_others(const ranked *r)
{
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t others = others_of(i);
        kith_entity e = r->entities[i];
        const Position *position = KITH_GET(r->world, e, Position);
        const Extra *extra = KITH_GET(r->world, e, Extra);
        const Aligned *aligned = KITH_GET(r->world, e, Aligned);
        const Owned *owned = KITH_GET(r->world, e, Owned);
        CHECK_UINT(KITH_GET(r->world, e, Rank)->number, i);
        CHECK((others & 1) != 0 ? position->x == (float)i : position == NULL);
        CHECK((others & 2) != 0 ? extra->c == (float)i : extra == NULL);
        CHECK((others & 4) != 0 ? aligned->words[7] == i : aligned == NULL);
        CHECK((others & 8) != 0 ? *owned->number == i : owned == NULL);
        CHECK_INT(KITH_HAS(r->world, e, Frozen), (others & 16) != 0);
    }
    CHECK_WORLD(r->world);
}

static void check_sorted(ranked *r)
{
    look(r);
    for (uint32_t i = 0; i < r->count; i++) {
        CHECK_UINT(r->visited[i], r->expected[i]);
    }
    check_others(r);
}

static int compare_ranks(const void *a, const void *b, void *user)
{
    uint32_t left = ((const Rank *)a)->key;
    uint32_t right = ((const Rank *)b)->key;
    *(uint32_t *)user += 1;
    return (left > right) - (left < right);
}

/* Sorts by the field or by comparing. */
static kith_result sort_ranks(ranked *r, bool compares, bool descending)
{
    uint32_t compared = 0;
    const kith_sort_def def = {.type = &Rank_type,
                               .field = compares ? NULL : "key",
                               .descending = descending,
                               .compare = compares ? compare_ranks : NULL,
                               .user = &compared};
    return kith_sort(r->world, &def);
}

static void check_sorting(kith_layout layout, uint32_t count, uint32_t keys, bool compares,
                          bool descending)
{
    ranked *r = ranked_new(layout, count, keys);
    look(r);
    expect_sorted(r, descending);
    uint64_t content = kith_content_hash(r->world);
    uint64_t live = r->owned.live;
    CHECK_RESULT(sort_ranks(r, compares, descending), KITH_OK);
    CHECK_UINT(kith_content_hash(r->world), content);
    CHECK_UINT(r->owned.live, live);
    check_sorted(r);
    ranked_free(r);
}

TEST_WITHIN(20, tables_and_sets_are_sorted_as_by_hand)
{
    static const uint32_t counts[] = {0, 1, 2, 5, 63, 64, 400, ROWS_MAX};
    static const uint32_t keys[] = {1, 3, 300, UINT32_MAX};
    for (size_t i = 0; i < ROWS_OF(counts); i++) {
        for (size_t j = 0; j < ROWS_OF(keys); j++) {
            for (int how = 0; how < 4; how++) {
                check_sorting(KITH_TABLE, counts[i], keys[j], how % 2 != 0, how / 2 != 0);
                check_sorting(KITH_SPARSE, counts[i], keys[j], how % 2 != 0, how / 2 != 0);
            }
        }
    }
}

/* Sorting by the last key first sorts by all of them. */
TEST(several_keys_are_sorted_in_turn)
{
    ranked *r = ranked_new(KITH_TABLE, 500, 7);
    CHECK_RESULT(KITH_SORT(r->world, Rank, number, .descending = true), KITH_OK);
    CHECK_RESULT(KITH_SORT(r->world, Rank, key), KITH_OK);
    look(r);
    for (uint32_t i = 1; i < r->count; i++) {
        uint32_t a = r->visited[i - 1];
        uint32_t b = r->visited[i];
        if (others_of(a) == others_of(b)) {
            CHECK(r->keys[a] < r->keys[b] || (r->keys[a] == r->keys[b] && a > b));
        }
    }
    ranked_free(r);
}

/* Values of 20,000 bytes have a block each. */
static void check_large_values(kith_layout layout)
{
    fixture f = fixture_with_all(layout);
    for (uint32_t i = 0; i < 40; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Big), KITH_VALUE(Position));
        KITH_GET_MUT(f.world, e, Big)->words[1] = i * 7 % 40;
        KITH_GET_MUT(f.world, e, Big)->words[4999] = i;
        KITH_GET_MUT(f.world, e, Position)->x = (float)i;
    }
    CHECK_RESULT(KITH_SORT(f.world, Big, words[1]), KITH_OK);
    uint32_t visited = 0;
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Big));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++, visited++) {
            const Big *big = &KITH_COLUMN(&it, Big)[i];
            CHECK_UINT(big->words[1], visited);
            CHECK_UINT(big->words[4999] * 7 % 40, visited);
            CHECK_FLOAT(KITH_GET(f.world, kith_entities(&it)[i], Position)->x, big->words[4999]);
        }
    }
    CHECK_UINT(visited, 40);
    fixture_free(&f);
}

TEST(large_values_move)
{
    check_large_values(KITH_TABLE);
    check_large_values(KITH_SPARSE);
}

/* ---- What sorting does not do ------------------------------------------------------------------ */

/* What is in order is looked at, and that is all: nothing is written, and no memory is asked for. */
static void check_untouched(kith_layout layout, bool compares)
{
    ranked *r = ranked_new(layout, ROWS_MAX, 50);
    CHECK_RESULT(sort_ranks(r, compares, false), KITH_OK);
    kith_query *changed = KITH_QUERY(r->world, KITH_CHANGED(Rank));
    CHECK(kith_query_count(changed) > 0);
    for (kith_iter it = kith_query_iter(changed); kith_next(&it);) {
    }
    uint64_t hash = kith_world_hash(r->world);
    size_t allocations = r->f.memory->allocations;
    CHECK_RESULT(sort_ranks(r, compares, false), KITH_OK);
    CHECK_UINT(r->f.memory->allocations, allocations);
    CHECK_UINT(kith_world_hash(r->world), hash);
    CHECK_UINT(kith_query_count(changed), 0);
    ranked_free(r);
}

TEST(what_is_in_order_is_not_touched)
{
    check_untouched(KITH_TABLE, false);
    check_untouched(KITH_TABLE, true);
    check_untouched(KITH_SPARSE, false);
    check_untouched(KITH_SPARSE, true);
}

/* How many entities a look at changes finds. */
static uint32_t look_at_changes(kith_query *query)
{
    uint32_t found = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        found += it.count;
    }
    return found;
}

/* Two neighbours are exchanged, in the second of three blocks. */
static void check_changes(kith_layout layout, bool exact)
{
    fixture f = fixture_new();
    const kith_component_def def = {.layout = layout, .exact_changes = exact};
    CHECK_RESULT(kith_register(f.world, &Rank_type, &def), KITH_OK);
    kith_tracker *tracker;
    CHECK_RESULT(kith_tracker_new(f.world, &Rank_type, &tracker), KITH_OK);
    for (uint32_t i = 0; i < ROWS_MAX; i++) {
        uint32_t key = i == 1500 ? 1501 : i == 1501 ? 1500 : i;
        KITH_SPAWN(f.world, KITH_VALUE(Rank, {key, i}), KITH_VALUE(Position, {1, 2}));
    }
    kith_query *ranks = KITH_QUERY(f.world, KITH_CHANGED(Rank));
    kith_query *positions = KITH_QUERY(f.world, KITH_CHANGED(Position));
    CHECK_UINT(look_at_changes(ranks), ROWS_MAX);
    CHECK_UINT(look_at_changes(positions), ROWS_MAX);
    kith_tracker_skip_changes(tracker);
    CHECK_RESULT(KITH_SORT(f.world, Rank, key), KITH_OK);
    CHECK_UINT(look_at_changes(ranks), exact ? 0 : 1024);
    CHECK_UINT(look_at_changes(positions), layout == KITH_TABLE ? 1024 : 0);
    CHECK_UINT(kith_tracker_pending(tracker), 0);
    fixture_free(&f);
}

TEST(only_blocks_of_rows_that_move_are_written)
{
    check_changes(KITH_TABLE, false);
    check_changes(KITH_SPARSE, false);
    check_changes(KITH_TABLE, true);
    check_changes(KITH_SPARSE, true);
}

/* ---- Want of memory ---------------------------------------------------------------------------- */

/* Whichever allocation fails, nothing moved. */
static void check_failures(kith_layout layout, bool compares)
{
    for (size_t nth = 1;; nth++) {
        ranked *r = ranked_new(layout, 1200, 1000);
        look(r);
        expect_sorted(r, false);
        uint64_t hash = kith_world_hash(r->world);
        fail_allocation(&r->f, nth);
        kith_result result = sort_ranks(r, compares, false);
        bool reached = fail_nothing(&r->f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_STR(kith_error(r->world), "");
        if (reached) {
            CHECK_UINT(kith_world_hash(r->world), hash);
            check_others(r);
        } else {
            check_sorted(r);
        }
        ranked_free(r);
        if (!reached) {
            CHECK(nth > 3);
            break;
        }
    }
}

TEST_WITHIN(20, all_or_nothing_moves)
{
    check_failures(KITH_TABLE, false);
    check_failures(KITH_TABLE, true);
    check_failures(KITH_SPARSE, false);
    check_failures(KITH_SPARSE, true);
}

/* Blocks that are shared with a snapshot are copied first, and those that it has stay as they were. */
static bool sort_shared(kith_layout layout, size_t nth)
{
    fixture f = fixture_with_all(layout);
    for (int32_t i = 0; i < ROWS_MAX; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {i / 8 * 331 % ROWS_MAX, i}), KITH_VALUE(Extra));
    }
    test_share *share = test_share_world(f.world);
    CHECK_PTR_NOT_NULL(share);
    uint64_t hash = kith_world_hash(f.world);
    fail_allocation(&f, nth);
    kith_result result = KITH_SORT(f.world, Health, current);
    bool reached = fail_nothing(&f);
    CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
    CHECK_INT(kith_world_hash(f.world) == hash, reached);
    CHECK_WORLD(f.world);
    test_share_free(share);
    fixture_free(&f);
    return reached;
}

TEST_WITHIN(20, shared_blocks_stay_as_they_were)
{
    for (int layout = KITH_TABLE; layout <= KITH_SPARSE; layout++) {
        size_t nth = 1;
        while (sort_shared((kith_layout)layout, nth)) {
            nth++;
        }
        CHECK(nth > 8);
    }
}

/* ---- Comparing --------------------------------------------------------------------------------- */

static int compare_at_random(const void *a, const void *b, void *user)
{
    (void)a;
    (void)b;
    return (int)random_below(user, 3) - 1;
}

TEST(nonsense_gives_some_order)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        ranked *r = ranked_new(seed % 2 == 0 ? KITH_TABLE : KITH_SPARSE, 300, 1000);
        uint64_t state = seed;
        uint64_t content = kith_content_hash(r->world);
        const kith_sort_def def = {
            .type = &Rank_type, .compare = compare_at_random, .user = &state};
        CHECK_RESULT(kith_sort(r->world, &def), KITH_OK);
        CHECK_UINT(kith_content_hash(r->world), content);
        check_others(r);
        ranked_free(r);
    }
}

/* What a comparison tries to do to the world that is being sorted. */
static int compare_and_call(const void *a, const void *b, void *user)
{
    fixture *f = user;
    CHECK_RESULT(KITH_ADD(f->world, ((const Target *)a)->entity, Frozen), KITH_ERR_MISUSE);
    expect_misuse(f, "kith_add: kith_sort is under way; its `compare` must not call");
    CHECK_RESULT(KITH_SORT(f->world, Target, entity), KITH_ERR_MISUSE);
    expect_misuse(f, "kith_sort: kith_sort is under way");
    CHECK(KITH_GET(f->world, ((const Target *)b)->entity, Target) == NULL);
    expect_misuse(f, "kith_get: kith_sort is under way");
    kith_world_free(f->world);
    expect_misuse(f, "kith_world_free: kith_sort is under way");
    return -1;
}

TEST(a_comparison_must_not_use_the_world)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_entity first = KITH_SPAWN(f.world, KITH_VALUE(Target));
    kith_entity second = KITH_SPAWN(f.world, KITH_VALUE(Target));
    KITH_SET(f.world, first, Target, {first});
    KITH_SET(f.world, second, Target, {second});
    const kith_sort_def def = {.type = &Target_type, .compare = compare_and_call, .user = &f};
    CHECK_RESULT(kith_sort(f.world, &def), KITH_OK);
    uint32_t row = 0;
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Target));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_SAME(KITH_COLUMN(&it, Target)[i].entity, row++ == 0 ? second : first);
        }
    }
    CHECK_UINT(row, 2);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- In systems -------------------------------------------------------------------------------- */

static kith_result sort_in_system(kith_world *world, kith_iter *it)
{
    (void)it;
    return KITH_SORT(world, Byte, value, .descending = true);
}

static kith_result sort_result;
static void sort_in_query_system(kith_iter *it)
{
    while (kith_next(it)) {
        sort_result = KITH_SORT(it->user, Byte, value);
    }
}

TEST(a_plain_system_may_sort)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Byte, {1}));
    kith_entity second = KITH_SPAWN(f.world, KITH_VALUE(Byte, {2}));
    const kith_system_def plain = {.name = "sort", .update = sort_in_system};
    CHECK_RESULT(kith_system_add(f.world, &plain), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    kith_iter it = kith_query_iter(KITH_QUERY(f.world, KITH_READ(Byte)));
    CHECK(kith_next(&it));
    CHECK_SAME(kith_entities(&it)[0], second);
    kith_iter_close(&it);
    const kith_system_def query = {.name = "sort too",
                                   .run = sort_in_query_system,
                                   .user = f.world,
                                   .query.terms = KITH_TERMS(KITH_READ(Byte))};
    CHECK_RESULT(kith_system_add(f.world, &query), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    CHECK_RESULT(sort_result, KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_sort: ");
    fixture_free(&f);
}

/* ---- Mistakes ---------------------------------------------------------------------------------- */

KITH_COMPONENT(Mixed, (uint32_t, layer), (uint8_t, color, 4), (char, name, 8));
typedef struct Blob {
    unsigned char bytes[12];
} Blob;
KITH_TYPE(Blob, KITH_FIELD(Blob, bytes, KITH_BYTES));

static void check_refused(fixture *f, const kith_sort_def *def, kith_result expected,
                          const char *message)
{
    CHECK_RESULT(kith_sort(f->world, def), expected);
    CHECK_CONTAINS(kith_error(f->world), message);
    CHECK_CONTAINS(kith_error(f->world), "kith_sort: ");
}

static void check_mistakes(fixture *f)
{
    uint32_t compared = 0;
    check_refused(f, &(kith_sort_def){.type = &Mixed_type}, KITH_ERR_INPUT,
                  "Mixed: give `field`, `compare` or `order`, one of them");
    check_refused(
        f,
        &(kith_sort_def){
            .type = &Mixed_type, .field = "layer", .compare = compare_ranks, .user = &compared},
        KITH_ERR_INPUT, "Mixed: give `field`, `compare` or `order`, not several");
    check_refused(f, &(kith_sort_def){.type = &Mixed_type, .field = "layre"}, KITH_ERR_UNKNOWN,
                  "did you mean layer?");
    check_refused(
        f, &(kith_sort_def){.type = &Mixed_type, .field = "color"}, KITH_ERR_INPUT,
        "Mixed.color is 4 values of u8, which have no order together; name one of them, as"
        " in \"color[0]\"");
    check_refused(f, &(kith_sort_def){.type = &Mixed_type, .field = "color[4]"}, KITH_ERR_UNKNOWN,
                  "the last value of color is number 3");
    check_refused(f, &(kith_sort_def){.type = &Blob_type, .field = "bytes"}, KITH_ERR_INPUT,
                  "Blob.bytes is bytes, which has no order");
    check_refused(f, &(kith_sort_def){.type = &Burning_type, .compare = compare_ranks},
                  KITH_ERR_INPUT, "Burning is a tag, and has no values");
    CHECK_RESULT(KITH_SORT(f->world, Mixed, color[3]), KITH_OK);
    CHECK_RESULT(KITH_SORT(f->world, Mixed, name), KITH_OK);
    CHECK_RESULT(KITH_SORT(f->world, Mixed, name[1]), KITH_OK);
}

TEST(mistakes_are_told)
{
    fixture f = fixture_new();
    check_mistakes(&f);
    CHECK_UINT(kith_type_count(f.world), 0); /* sorting looks, and registers nothing */
    KITH_SPAWN(f.world, KITH_VALUE(Mixed, {3, {1}, "b"}), KITH_VALUE(Blob), KITH_VALUE(Burning));
    KITH_SPAWN(f.world, KITH_VALUE(Mixed, {1, {1}, "a"}), KITH_VALUE(Blob), KITH_VALUE(Burning));
    uint64_t hash = kith_world_hash(f.world);
    check_mistakes(&f);
    CHECK(kith_world_hash(f.world) != hash);
    owned_record owned = {0};
    const kith_hooks hooks = owned_hooks(&owned);
    CHECK_RESULT(kith_register(f.world, &Owned_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_OK);
    check_refused(&f, &(kith_sort_def){.type = &Owned_type, .field = "number"}, KITH_ERR_INPUT,
                  "Owned.number is opaque, which has no order");
    kith_register(f.world, &Health_type, &(kith_component_def){.layout = KITH_SLOT});
    check_refused(&f, &(kith_sort_def){.type = &Health_type, .field = "max"}, KITH_ERR_INPUT,
                  "Health is KITH_SLOT");
    fixture_free(&f);
}

TEST(misuse_is_reported)
{
    ranked *r = ranked_new(KITH_TABLE, 20, 1000);
    look(r);
    uint64_t hash = kith_world_hash(r->world);
    CHECK_RESULT(kith_sort(r->world, NULL), KITH_ERR_MISUSE);
    expect_misuse(&r->f, "kith_sort: the definition is NULL");
    CHECK_RESULT(kith_sort(r->world, &(kith_sort_def){.field = "key"}), KITH_ERR_MISUSE);
    expect_misuse(&r->f, "kith_sort: the type is NULL");
    kith_query *query = KITH_QUERY(r->world, KITH_READ(Rank));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    CHECK_RESULT(KITH_SORT(r->world, Rank, key), KITH_ERR_MISUSE);
    expect_misuse(&r->f, "kith_sort");
    kith_iter_close(&it);
    CHECK_UINT(kith_world_hash(r->world), hash);
    ranked_free(r);
}
