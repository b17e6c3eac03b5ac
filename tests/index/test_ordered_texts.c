/* Ordered indexes of interned texts: by what the texts are, whenever they were interned. */
#include <kith/fork.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all_ways.h"
#include "components.h"
#include "random.h"
#include "test.h"

KITH_COMPONENT(Title, (kith_text, text), (int32_t, rank));

#define ROWS 3000u
#define TEN_LETTERS "aaaaaaaaaa"
#define LONG_PREFIX                                                                                \
    TEN_LETTERS TEN_LETTERS TEN_LETTERS TEN_LETTERS TEN_LETTERS TEN_LETTERS TEN_LETTERS TEN_LETTERS

typedef struct titled {
    fixture f;
    kith_world *world;
    kith_index *index;
    uint64_t random;
} titled;

static const kith_index_def by_text = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Title, text)};

static kith_text interned(kith_world *world, const char *bytes, size_t length)
{
    kith_text text;
    CHECK_RESULT(kith_text_intern_bytes(world, bytes, length, &text), KITH_OK);
    return text;
}

/* Texts of up to 12 bytes, of few letters, among them zero bytes: many begin with one another, and half
 * with the same seven. */
static kith_text random_text(titled *t)
{
    static const char letters[] = {'a', 'b', 'z', '\0', (char)0xff};
    char bytes[12];
    const uint32_t same = random_below(&t->random, 2) * 7;
    const uint32_t length = random_below(&t->random, sizeof bytes + 1);
    for (uint32_t i = 0; i < length; i++) {
        bytes[i] = i < same ? 'a' : letters[random_below(&t->random, sizeof letters)];
    }
    return interned(t->world, bytes, length);
}

static void titled_new(titled *t, kith_layout layout)
{
    memset(t, 0, sizeof *t);
    t->f = fixture_with_all(layout);
    t->world = t->f.world;
    t->random = 5;
    kith_register(t->world, &Title_type, &(kith_component_def){.layout = layout});
    for (uint32_t i = 0; i < ROWS; i++) {
        const kith_entity e = KITH_SPAWN(t->world, KITH_VALUE(Health, {(int32_t)i, 0}));
        const Title title = {random_text(t), (int32_t)(i % 7)};
        if (i % 5 != 2) {
            kith_set(t->world, e, &Title_type, &title);
        }
    }
    CHECK_RESULT(kith_index_new(t->world, &by_text, &t->index), KITH_OK);
}

static int compare(const kith_world *world, kith_text a, kith_text b)
{
    size_t left_length;
    size_t right_length;
    const char *left = kith_text_get(world, a, &left_length);
    const char *right = kith_text_get(world, b, &right_length);
    const int order =
        memcmp(left, right, left_length < right_length ? left_length : right_length);
    return order != 0 ? order : (left_length > right_length) - (left_length < right_length);
}

static bool begins(const kith_world *world, kith_text text, const char *prefix)
{
    size_t length;
    const char *bytes = kith_text_get(world, text, &length);
    return length >= strlen(prefix) && memcmp(bytes, prefix, strlen(prefix)) == 0;
}

/* All entities with a title that begins so are found, by their texts, then by slot. */
static void check_prefix(const titled *t, const char *prefix)
{
    kith_index_found found;
    uint32_t count = 0;
    CHECK_RESULT(kith_index_prefix(t->index, prefix, &found), KITH_OK);
    for (kith_entity e = kith_entity_next(t->world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(t->world, e)) {
        const Title *title = KITH_GET(t->world, e, Title);
        count += title != NULL && begins(t->world, title->text, prefix);
    }
    CHECK_UINT(found.count, count);
    for (uint32_t i = 0; i < found.count; i++) {
        const kith_text text = KITH_GET(t->world, found.entities[i], Title)->text;
        CHECK(begins(t->world, text, prefix));
        if (i > 0) {
            const int order =
                compare(t->world, KITH_GET(t->world, found.entities[i - 1], Title)->text, text);
            CHECK(order < 0 || (order == 0 && found.entities[i - 1].index1 <
                                                  found.entities[i].index1));
        }
    }
}

static void check_all(const titled *t)
{
    static const char *const prefixes[] = {
        "",         "a",         "ab",        "abz",        "z",          "\xff",  "\xff\xff", "c",
        "aaaaaaaa", "aaaaaaa\xff", "aaaaaaaab", "aaaaaaaaaa", "aaaaaaazzb"};
    for (size_t i = 0; i < ROWS_OF(prefixes); i++) {
        check_prefix(t, prefixes[i]);
    }
    CHECK_WORLD(t->world);
}

TEST_EACH_LAYOUT_WITHIN(60, texts_are_in_order_whenever_they_were_interned, layout)
{
    static titled t;
    titled_new(&t, layout);
    check_all(&t);
    for (uint32_t turn = 0; turn < 40; turn++) {
        for (uint32_t i = 0, count = random_below(&t.random, 40); i < count; i++) {
            kith_entity e =
                kith_entity_next(t.world, (kith_entity){random_below(&t.random, ROWS), 0});
            e = kith_is_none(e) ? kith_entity_next(t.world, KITH_NONE) : e;
            const Title title = {random_text(&t), 0};
            if (random_below(&t.random, 5) == 0) {
                kith_remove(t.world, e, &Title_type);
            } else {
                kith_set(t.world, e, &Title_type, &title);
            }
        }
        check_all(&t);
    }
    fixture_free(&t.f);
}

/* A text, and all from it on, are found by its handle; also one that came after the index was asked. */
TEST_EACH_LAYOUT(texts_are_found_by_their_handles, layout)
{
    static titled t;
    titled_new(&t, layout);
    check_all(&t);
    const Title late = {interned(t.world, "aardvark", 8), 0};
    kith_index_found found;
    CHECK_RESULT(kith_index_find(t.index, &late, &found), KITH_OK);
    CHECK_UINT(found.count, 0);
    kith_entity e = KITH_SPAWN(t.world, KITH_VALUE(Health, {0, 0}));
    kith_set(t.world, e, &Title_type, &late);
    CHECK_RESULT(kith_index_find(t.index, &late, &found), KITH_OK);
    CHECK_UINT(found.count, 1);
    CHECK_SAME(found.entities[0], e);
    CHECK_RESULT(kith_index_range(t.index, &(kith_range){.from = &late, .limit = 50}, &found),
                 KITH_OK);
    CHECK_UINT(found.count, 50);
    CHECK_SAME(found.entities[0], e);
    for (uint32_t i = 1; i < found.count; i++) {
        CHECK(compare(t.world, late.text, KITH_GET(t.world, found.entities[i], Title)->text) < 0);
    }
    CHECK_RESULT(kith_index_nearest(t.index, &late, 1, &found), KITH_ERR_INPUT);
    fixture_free(&t.f);
}

/* Again and again a text comes between the same two, until no number is left between theirs. */
TEST_EACH_LAYOUT(texts_may_come_between_two_for_ever, layout)
{
    static titled t;
    titled_new(&t, layout);
    char text[202] = "b";
    for (uint32_t i = 1; i < 200; i++) {
        memset(text + 1, 'a', i);
        text[i + 1] = '\0'; /* "ba", "baa", "baaa": each after the one before, and before "bb" */
        const Title title = {interned(t.world, text, strlen(text)), 0};
        kith_entity e = KITH_SPAWN(t.world, KITH_VALUE(Health, {0, 0}));
        kith_set(t.world, e, &Title_type, &title);
        check_prefix(&t, "b");
    }
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* A value may have a number that no text has, and later one gets it. */
TEST_EACH_LAYOUT(a_number_may_get_its_text_later, layout)
{
    static titled t;
    titled_new(&t, layout);
    const kith_text last = interned(t.world, "the last one", 12);
    const Title none = {{last.number + 1}, 0};
    kith_entity e = KITH_SPAWN(t.world, KITH_VALUE(Health, {0, 0}));
    kith_set(t.world, e, &Title_type, &none);
    kith_index_found found;
    CHECK_RESULT(kith_index_range(t.index, &(kith_range){.limit = 1}, &found), KITH_OK);
    CHECK_SAME(found.entities[0], e); /* before all texts */
    CHECK_UINT(interned(t.world, "zzz of all", 10).number, none.text.number);
    CHECK_RESULT(kith_index_prefix(t.index, "zzz of", &found), KITH_OK);
    CHECK_UINT(found.count, 1);
    CHECK_SAME(found.entities[0], e);
    check_all(&t);
    fixture_free(&t.f);
}

/* ---- Queries and selections -------------------------------------------------------------------- */

TEST_EACH_LAYOUT_WITHIN(60, queries_find_texts_by_how_they_begin, layout)
{
    static titled t;
    titled_new(&t, layout);
    kith_index_free(t.index);
    kith_query *query = KITH_QUERY(t.world, KITH_READ(Health),
                                   KITH_IF_PREFIX(Title, text, kith_bound("prefix")));
    static const char *const prefixes[] = {"abz", "abza", "zzzz", "", LONG_PREFIX, "c"};
    uint64_t scanned[ROWS_OF(prefixes)];
    for (size_t i = 0; i < ROWS_OF(prefixes); i++) {
        CHECK_RESULT(kith_query_bind(query, "prefix", prefixes[i]), KITH_OK);
        scanned[i] = ask_all_ways(query);
    }
    CHECK_RESULT(kith_index_new(t.world, &by_text, &t.index), KITH_OK);
    uint32_t planned = 0;
    for (size_t i = 0; i < ROWS_OF(prefixes); i++) {
        CHECK_RESULT(kith_query_bind(query, "prefix", prefixes[i]), KITH_OK);
        CHECK(ask_all_ways(query) == scanned[i]);
        planned += is_planned(query);
    }
    CHECK(planned >= 4);
    fixture_free(&t.f);
}

static void print_first(titled *t, const char *text, char *all, size_t size)
{
    kith_select *select;
    size_t length = 0;
    all[0] = '\0';
    CHECK_RESULT(kith_select_new(t->world, text, NULL, &select), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    for (uint32_t row = 0; row < kith_select_row_count(select); row++) {
        length += kith_select_print(select, row, KITH_SELECT_JSON, all + length, size - length);
    }
    CHECK(length != 0 && length < size);
    kith_select_free(select);
}

TEST_EACH_LAYOUT_WITHIN(60, the_first_texts_are_those_of_a_sort, layout)
{
    static titled t;
    static const char *const texts[] = {
        "Title order by Title.text limit 20",
        "Title select entity order by Title.text desc limit 20",
        "Title, Health where Health.current > 1000 order by Title.text desc, Title.rank limit 5",
    };
    titled_new(&t, layout);
    for (size_t i = 0; test_row(i, ROWS_OF(texts)); i++) {
        char scanned[5000];
        char found[5000];
        kith_index_free(t.index);
        print_first(&t, texts[i], scanned, sizeof scanned);
        CHECK_RESULT(kith_index_new(t.world, &by_text, &t.index), KITH_OK);
        print_first(&t, texts[i], found, sizeof found);
        CHECK_STR(found, scanned);
        CHECK(kith_index_stats(t.index).refreshes == 1);
    }
    fixture_free(&t.f);
}

/* Several fields, one of them a text. */
TEST_EACH_LAYOUT(a_text_is_one_of_several_fields, layout)
{
    static titled t;
    titled_new(&t, layout);
    kith_index *both;
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Title, rank, text)};
    CHECK_RESULT(kith_index_new(t.world, &def, &both), KITH_OK);
    kith_index_found found;
    const Title three = {.rank = 3};
    CHECK_RESULT(kith_index_range(both, &(kith_range){.from = &three, .to = &three, .fields = 1},
                                  &found),
                 KITH_OK);
    CHECK(found.count > 100);
    for (uint32_t i = 0; i < found.count; i++) {
        const Title *title = KITH_GET(t.world, found.entities[i], Title);
        CHECK_INT(title->rank, 3);
        CHECK(i == 0 || compare(t.world, KITH_GET(t.world, found.entities[i - 1], Title)->text,
                                title->text) <= 0);
    }
    CHECK_RESULT(kith_index_prefix(both, "a", &found), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(t.world),
                   "Title.rank is neither an array of char nor an interned text");
    CHECK_WORLD(t.world);
    fixture_free(&t.f);
}

/* ---- Other worlds, and no memory ---------------------------------------------------------------- */

TEST_EACH_LAYOUT(a_fork_has_ranks_of_its_own, layout)
{
    static titled t;
    titled_new(&t, layout);
    check_all(&t);
    kith_snapshot *snapshot;
    kith_world *fork;
    CHECK_RESULT(kith_snapshot_take(t.world, &snapshot), KITH_OK);
    CHECK_RESULT(kith_fork_new(snapshot, NULL, &fork), KITH_OK);
    titled in_fork = {.world = fork, .random = 9};
    CHECK_RESULT(kith_index_new(fork, &by_text, &in_fork.index), KITH_OK);
    check_all(&in_fork);
    const Title title = {random_text(&t), 0};
    kith_set(t.world, kith_entity_next(t.world, KITH_NONE), &Title_type, &title);
    check_all(&t);
    check_all(&in_fork);
    CHECK_RESULT(kith_snapshot_restore(t.world, snapshot), KITH_OK);
    check_all(&t);
    kith_world_free(fork);
    kith_snapshot_free(snapshot);
    fixture_free(&t.f);
}

TEST_EACH_LAYOUT_WITHIN(60, texts_without_memory, layout)
{
    for (size_t nth = 1;; nth++) {
        static titled t;
        titled_new(&t, layout);
        kith_index_found found;
        if (nth % 2 == 0) {
            check_all(&t);
            interned(t.world, "one more", 8);
        }
        fail_allocation(&t.f, (nth + 1) / 2);
        const kith_result result = kith_index_prefix(t.index, "a", &found);
        const bool reached = fail_nothing(&t.f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        check_all(&t);
        fixture_free(&t.f);
        if (!reached && nth % 2 != 0) {
            break;
        }
    }
}
