/* Ordered indexes: ranges, in order, whatever was done since the index was asked last. */
#include <stdlib.h>

#include "indexes.h"
#include "random.h"

typedef struct aged {
    int32_t value;
    kith_entity entity;
} aged;

static int compare_aged(const void *a, const void *b)
{
    const aged *left = a;
    const aged *right = b;
    if (left->value != right->value) {
        return left->value < right->value ? -1 : 1;
    }
    return kith_entity_slot(left->entity) < kith_entity_slot(right->entity) ? -1 : 1;
}

/* Compares a range with what a loop finds and qsort puts in order. */
#define expect_range(t, ...) check_range(__LINE__, (t), __VA_ARGS__)
static void check_range(int line, const indexed *t, const kith_range *range)
{
    static aged all[FOUND_MAX];
    uint32_t count = 0;
    const Health *from = range->from;
    const Health *to = range->to;
    for (kith_iter it = kith_query_iter(t->all); kith_next(&it);) {
        const Health *health = KITH_COLUMN(&it, Health);
        for (uint32_t i = 0; i < it.count; i++) {
            int32_t value = health[i].current;
            bool above = from == NULL || value > from->current ||
                         (value == from->current && !range->after_from);
            bool below =
                to == NULL || value < to->current || (value == to->current && !range->before_to);
            if (above && below) {
                CHECK(count < FOUND_MAX);
                all[count++] = (aged){value, kith_entities(&it)[i]};
            }
        }
    }
    qsort(all, count, sizeof all[0], compare_aged);
    uint32_t expected = range->limit != 0 && range->limit < count ? range->limit : count;
    kith_index_found found;
    CHECK_RESULT(kith_index_range(t->index, range, &found), KITH_OK);
    if (found.count != expected) {
        test_fail(__FILE__, line, "%u entities are in the range, and there are %u", found.count,
                  expected);
    }
    for (uint32_t i = 0; i < expected; i++) {
        kith_entity entity = all[range->descending ? count - 1 - i : i].entity;
        test_check_same(__FILE__, line, "found", "scanned", found.entities[i], entity);
    }
}

/* Ranges of all kinds between two values. */
static void expect_ranges(const indexed *t, int32_t low, int32_t high)
{
    const Health from = {low, 0};
    const Health to = {high, 0};
    for (uint32_t bits = 0; bits < 64; bits++) {
        kith_range range = {.from = (bits & 1) != 0 ? &from : NULL,
                            .to = (bits & 2) != 0 ? &to : NULL,
                            .after_from = (bits & 4) != 0,
                            .before_to = (bits & 8) != 0,
                            .descending = (bits & 16) != 0,
                            .limit = (bits & 32) != 0 ? 3 : 0};
        expect_range(t, &range);
    }
}

TEST_EACH_LAYOUT(each_way_of_changing_is_followed_in_order, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_ORDERED);
    expect_ranges(&t, 0, 3);
    kith_entity a = KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 9}));
    kith_entity b = KITH_SPAWN(t.world, KITH_VALUE(Health, {-2, 9}), KITH_VALUE(Position, {1, 1}));
    KITH_SPAWN(t.world, KITH_VALUE(Health, {1, 9}), KITH_VALUE(Position, {1, 1}));
    expect_ranges(&t, 1, 2);
    CHECK_RESULT(KITH_SET(t.world, a, Health, {2, 9}), KITH_OK);
    expect_ranges(&t, 1, 2);
    KITH_GET_MUT(t.world, b, Health)->current = 3;
    expect_ranges(&t, 2, 3);
    CHECK_RESULT(KITH_ADD(t.world, a, Position), KITH_OK);
    expect_ranges(&t, 2, 3);
    CHECK_RESULT(KITH_REMOVE(t.world, b, Health), KITH_OK);
    expect_ranges(&t, 2, 3);
    CHECK_RESULT(kith_despawn(t.world, a), KITH_OK);
    KITH_SPAWN(t.world, KITH_VALUE(Health, {2, 9}));
    expect_ranges(&t, 2, 2);
    expect_ranges(&t, 3, 1);
    expect_all_found(&t, 4);
    CHECK_UINT(kith_index_stats(t.index).entries, 2);
    kith_index_free(t.index);
    fixture_free(&t.f);
}

/* Many entities, so that runs split and join: all at once, one by one, and few again. */
static void play(kith_layout layout, int32_t values, uint64_t seed)
{
    indexed t = indexed_new(layout, KITH_INDEX_ORDERED);
    static kith_entity entities[3000];
    uint32_t count = 0;
    uint64_t random = seed;
    for (uint32_t step = 0; step < 6000; step++) {
        Health health = {(int32_t)random_below(&random, (uint32_t)values) - values / 2, 1};
        uint32_t at = count == 0 ? 0 : random_below(&random, count);
        uint32_t what = random_below(&random, 8);
        bool grows = step < 4000;
        if (count == 0 || (grows && what < 5 && count < 3000)) {
            entities[count++] = KITH_SPAWN(t.world, KITH_VALUE(Health, {health.current, 1}));
        } else if (what < 6) {
            if (!grows || what == 5) {
                CHECK_RESULT(kith_despawn(t.world, entities[at]), KITH_OK);
                entities[at] = entities[--count];
            }
        } else if (what == 6) {
            CHECK_RESULT(kith_add(t.world, entities[at], &Position_type), KITH_OK);
        } else {
            CHECK_RESULT(kith_set(t.world, entities[at], &Health_type, &health), KITH_OK);
        }
        const Health to = {health.current + 20, 0};
        kith_range range = {
            .from = &health, .to = &to, .before_to = step % 2 == 0, .descending = step % 3 == 0};
        if (step % 8 == 0) {
            expect_range(&t, &range);
        }
        if (step % 500 == 0) {
            expect_ranges(&t, health.current, health.current + values / 4);
            expect_found(&t, health.current);
            CHECK_WORLD(t.world);
        }
    }
    CHECK(count > 0);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_RESULT(kith_despawn(t.world, entities[i]), KITH_OK);
        if (i % 16 == 0) {
            expect_range(&t, &(kith_range){.limit = 5, .descending = i % 32 == 0});
            CHECK_WORLD(t.world);
        }
    }
    expect_ranges(&t, -values, values);
    CHECK_UINT(kith_index_stats(t.index).entries, 0);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT(random_changes_are_followed_in_order, layout)
{
    play(layout, 3, 1);
    play(layout, 5000, 2);
}

/* Memory follows what is left, whether the least or the greatest leave first. The index is asked often
 * enough that each run becomes short before its neighbour does. */
static void leave_few(bool descending)
{
    indexed t = indexed_new(KITH_TABLE, KITH_INDEX_ORDERED);
    static kith_entity entities[10000];
    kith_index_found found;
    for (int32_t i = 0; i < 10000; i++) {
        entities[i] = KITH_SPAWN(t.world, KITH_VALUE(Health, {i, 9}));
    }
    CHECK_RESULT(kith_index_range(t.index, &(kith_range){0}, &found), KITH_OK);
    uint64_t full = kith_index_stats(t.index).bytes;
    for (uint32_t i = 0; i < 10000; i++) {
        if (i % 100 != 0) {
            CHECK_RESULT(kith_despawn(t.world, entities[descending ? 9999 - i : i]), KITH_OK);
        }
        if (i % 20 == 0) {
            CHECK_RESULT(kith_index_range(t.index, &(kith_range){.limit = 1}, &found), KITH_OK);
        }
    }
    expect_range(&t, &(kith_range){0});
    CHECK_UINT(kith_index_stats(t.index).entries, 100);
    CHECK(kith_index_stats(t.index).bytes < full / 2);
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

TEST(runs_with_few_entries_are_joined)
{
    leave_few(false);
    leave_few(true);
}

/* A limit counts what was found in all runs. */
TEST_EACH_LAYOUT(a_limit_is_kept_across_runs, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_ORDERED);
    for (int32_t i = 0; i < 2000; i++) {
        KITH_SPAWN(t.world, KITH_VALUE(Health, {i * 7 % 2000, 9}));
    }
    for (uint32_t limit = 1; limit < 1000; limit += 83) {
        expect_range(&t, &(kith_range){.limit = limit});
        expect_range(&t, &(kith_range){.limit = limit, .descending = true});
    }
    fixture_free(&t.f);
}

/* ---- Kinds of values */

KITH_COMPONENT(Sorted, (double, wide), (float, single), (int64_t, number), (uint8_t, byte),
               (_Bool, flag));

static kith_index *sorted_index(kith_world *world, const char *a, const char *b)
{
    kith_index *index = NULL;
    kith_index_def def = {.kind = KITH_INDEX_ORDERED, .type = &Sorted_type, .fields = {a, b}};
    CHECK_RESULT(kith_index_new(world, &def, &index), KITH_OK);
    return index;
}

static void expect_order(kith_index *index, const kith_range *range, const kith_entity *entities,
                         const char *order)
{
    kith_index_found found;
    CHECK_RESULT(kith_index_range(index, range, &found), KITH_OK);
    CHECK_UINT(found.count, strlen(order));
    for (uint32_t i = 0; i < found.count; i++) {
        CHECK_SAME(found.entities[i], entities[order[i] - '0']);
    }
}

TEST(values_of_each_kind_are_in_order)
{
    fixture f = fixture_new();
    const double nan = strtod("nan", NULL);
    kith_entity e[5];
    e[0] = KITH_SPAWN(f.world, KITH_VALUE(Sorted, {-1e300, 0.0f, INT64_MAX, 1, true}));
    e[1] = KITH_SPAWN(f.world, KITH_VALUE(Sorted, {1e300, -0.0f, INT64_MIN, 255, false}));
    e[2] = KITH_SPAWN(f.world, KITH_VALUE(Sorted, {-0.0, -1.5f, -1, 1, false}));
    e[3] = KITH_SPAWN(f.world, KITH_VALUE(Sorted, {nan, 7.0f, 0, 1, true}));
    e[4] = KITH_SPAWN(f.world, KITH_VALUE(Sorted, {1.0, (float)nan, 1, 0, true}));
    kith_index *index = sorted_index(f.world, "wide", NULL);
    expect_order(index, &(kith_range){0}, e, "0241");
    expect_order(index, &(kith_range){.from = &(Sorted){.wide = 0}}, e, "241");
    expect_order(index, &(kith_range){.from = &(Sorted){.wide = nan}}, e, "");
    index = sorted_index(f.world, "single", NULL);
    expect_order(index, &(kith_range){0}, e, "2013");
    expect_order(index, &(kith_range){.descending = true}, e, "3102");
    expect_order(index, &(kith_range){.from = &(Sorted){0}, .after_from = true}, e, "3");
    index = sorted_index(f.world, "number", NULL);
    expect_order(index, &(kith_range){0}, e, "12340");
    expect_order(index, &(kith_range){.to = &(Sorted){.number = -1}}, e, "12");
    index = sorted_index(f.world, "byte", "number");
    expect_order(index, &(kith_range){0}, e, "42301");
    Sorted one = {.byte = 1, .number = 0};
    expect_order(index, &(kith_range){.from = &one, .to = &one}, e, "3");
    expect_order(index, &(kith_range){.from = &one, .to = &one, .fields = 1}, e, "230");
    expect_order(index, &(kith_range){.from = &one, .after_from = true, .fields = 1}, e, "1");
    expect_order(index, &(kith_range){.to = &one, .before_to = true, .fields = 1}, e, "4");
    expect_order(index, &(kith_range){.to = &one, .before_to = true}, e, "42");
    index = sorted_index(f.world, "byte", "single");
    expect_order(index, &(kith_range){0}, e, "2031");
    kith_index_found found;
    CHECK_RESULT(kith_index_range(index, &(kith_range){.fields = 3}, &found), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "a range of 3 fields");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

typedef struct Labelled {
    char text[6];
    char pad[50];
    kith_text words[2];
} Labelled;
KITH_TYPE(Labelled, KITH_FIELD(Labelled, text), KITH_FIELD(Labelled, pad),
          KITH_FIELD(Labelled, words));

static void expect_prefix(kith_index *index, const char *prefix, const kith_entity *entities,
                          const char *order)
{
    kith_index_found found;
    CHECK_RESULT(kith_index_prefix(index, prefix, &found), KITH_OK);
    CHECK_UINT(found.count, strlen(order));
    for (uint32_t i = 0; i < found.count; i++) {
        CHECK_SAME(found.entities[i], entities[order[i] - '0']);
    }
}

TEST(texts_are_found_by_how_they_begin)
{
    fixture f = fixture_new();
    kith_entity e[6];
    e[0] = KITH_SPAWN(f.world, KITH_VALUE(Labelled, {.text = "ziggy"}));
    e[1] = KITH_SPAWN(f.world, KITH_VALUE(Labelled, {.text = {'z', 'i', 'g', 'g', 'y', '2'}}));
    e[2] = KITH_SPAWN(f.world, KITH_VALUE(Labelled, {.text = "zap"}));
    e[3] = KITH_SPAWN(f.world, KITH_VALUE(Labelled, {.text = {0, 'z', 'i'}}));
    e[4] = KITH_SPAWN(f.world, KITH_VALUE(Labelled, {.text = "zig\xff"}));
    e[5] = KITH_SPAWN(f.world, KITH_VALUE(Labelled, {.text = {'z', 'a', 'p', 0, 'x'}}));
    kith_index *index = NULL;
    kith_index_def def = {
        .kind = KITH_INDEX_ORDERED, .type = &Labelled_type, .fields = {"text", NULL}};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    expect_prefix(index, "", e, "325014");
    expect_prefix(index, "z", e, "25014");
    expect_prefix(index, "zig", e, "014");
    expect_prefix(index, "zigg", e, "01");
    expect_prefix(index, "ziggy2", e, "1");
    expect_prefix(index, "ziggy2x", e, "");
    expect_prefix(index, "y", e, "");
    expect_prefix(index, "zig\xff", e, "4");
    expect_order(index, &(kith_range){.from = &(Labelled){.text = "zb"}}, e, "014");
    kith_index_found found;
    CHECK_RESULT(kith_index_find(index, &(Labelled){.text = "zap"}, &found), KITH_OK);
    CHECK_UINT(found.count, 2);
    def.fields[0] = "pad";
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "takes up to 48 bytes");
    def.fields[0] = "words";
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Labelled.words is none");
    index = sorted_index(f.world, "byte", NULL);
    CHECK_RESULT(kith_index_prefix(index, "z", &found), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world),
                   "Sorted.byte is neither an array of char nor an interned text");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- Large keys */

KITH_COMPONENT(Phrase, (char, text, 48)); /* as much as a key may have */

/* Six words of the key for six bytes of the value: blocks of keys have fewer rows. */
KITH_COMPONENT(Digits, (uint8_t, a), (uint8_t, b), (uint8_t, c), (uint8_t, d), (uint8_t, e),
               (uint8_t, f));

/* All values are found, in the order of their bytes. */
static void expect_all_in_order(kith_world *world, kith_index *index, const kith_type *type,
                                uint32_t count)
{
    kith_index_found found;
    CHECK_RESULT(kith_index_range(index, &(kith_range){0}, &found), KITH_OK);
    CHECK_UINT(found.count, count);
    for (uint32_t i = 1; i < count; i++) {
        const void *before = kith_get(world, found.entities[i - 1], type);
        const void *after = kith_get(world, found.entities[i], type);
        int order = memcmp(before, after, type->size);
        CHECK(order < 0 || (order == 0 && kith_entity_slot(found.entities[i - 1]) <
                                              kith_entity_slot(found.entities[i])));
    }
    CHECK_WORLD(world);
}

static Phrase make_phrase(uint64_t *random)
{
    Phrase phrase = {.text = "the first forty letters are the same: ...."};
    for (size_t i = 42; i < sizeof phrase.text; i++) {
        phrase.text[i] = (char)('a' + random_below(random, 3));
    }
    return phrase;
}

static Digits make_digits(uint64_t *random)
{
    Digits digits = {0};
    digits.b = (uint8_t)random_below(random, 4);
    digits.f = (uint8_t)random_below(random, 200);
    return digits;
}

/* Many at once, then one by one in between, set anew one by one and through arrays, and gone. */
static void play_large(kith_layout layout, const kith_type *type, bool phrases)
{
    enum { MANY = 3000, MORE = 600 };
    static kith_entity entities[MANY + MORE];
    fixture f = fixture_new();
    const kith_component_def component = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, type, &component), KITH_OK);
    kith_index *index = NULL;
    const kith_index_def by_text = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Phrase, text)};
    const kith_index_def by_digits = {.kind = KITH_INDEX_ORDERED,
                                      KITH_FIELDS(Digits, a, b, c, d, e, f)};
    CHECK_RESULT(kith_index_new(f.world, phrases ? &by_text : &by_digits, &index), KITH_OK);
    uint64_t random = 3;
    for (uint32_t i = 0; i < MANY + MORE; i++) {
        Phrase phrase = make_phrase(&random);
        Digits digits = make_digits(&random);
        const kith_value value = {.type = type, .data = phrases ? (const void *)&phrase : &digits};
        CHECK_RESULT(kith_spawn(f.world, &value, 1, &entities[i]), KITH_OK);
        if (i + 1 == MANY || (i > MANY && i % 100 == 0)) {
            expect_all_in_order(f.world, index, type, i + 1);
        }
    }
    for (uint32_t i = 0; i < MANY; i += 7) {
        Phrase phrase = make_phrase(&random);
        Digits digits = make_digits(&random);
        const void *value = phrases ? (const void *)&phrase : &digits;
        CHECK_RESULT(kith_set(f.world, entities[i], type, value), KITH_OK);
    }
    expect_all_in_order(f.world, index, type, MANY + MORE);
    for (uint32_t i = 0; i < MANY; i += 2) {
        void *place = NULL;
        CHECK_RESULT(kith_get_mut(f.world, entities[i], type, &place), KITH_OK);
        uint8_t *value = place;
        value[type->size - 1] = (uint8_t)('a' + random_below(&random, 26));
    }
    expect_all_in_order(f.world, index, type, MANY + MORE);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK_RESULT(kith_despawn(f.world, entities[i]), KITH_OK);
        if (i % 500 == 0) {
            expect_all_in_order(f.world, index, type, MANY + MORE - 1 - i);
        }
    }
    expect_all_in_order(f.world, index, type, MORE);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(keys_of_48_bytes_are_in_order, layout)
{
    play_large(layout, &Phrase_type, true);
}

TEST_EACH_LAYOUT(keys_may_be_larger_than_values, layout)
{
    play_large(layout, &Digits_type, false);
}

/* Whichever allocation fails, the answer is an error, and then it is right. */
TEST_EACH_LAYOUT(an_ordered_refresh_survives_every_allocation_failure, layout)
{
    indexed t = indexed_new(layout, KITH_INDEX_ORDERED);
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        for (int32_t i = 0; i < 300; i++) {
            KITH_SPAWN(t.world, KITH_VALUE(Health, {i, 9}));
        }
        fail_allocation(&t.f, nth);
        kith_index_found found;
        kith_result result = kith_index_range(t.index, &(kith_range){0}, &found);
        reached = fail_nothing(&t.f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        expect_range(&t, &(kith_range){0});
        CHECK_WORLD(t.world);
    }
    fixture_free(&t.f);
}
