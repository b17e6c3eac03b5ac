/* Selections of the first few rows in an order: an ordered index finds these. The rows are those that a
 * sort of all has, to the bit, also where values are equal. */
#include <kith/floats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "kinds.h"
#include "random.h"
#include "test.h"

#define ROWS 4000u
#define PRINTED 150000u

static const char *const field_names[] = {"i8",  "u8",  "i16", "u16",    "i32", "u32",    "i64",
                                          "u64", "f64", "f32", "entity", "letter", "text",
                                          "flag"};

/* Some values are far apart, some are equal, 0 has both signs; with `nan` one is not a number. */
static Kinds random_kinds(uint64_t *random, uint32_t number, bool nan)
{
    const uint32_t few = random_below(random, 400);
    const uint64_t any = (uint64_t)random_below(random, UINT32_MAX) << 32 | few;
    Kinds kinds = {.i8 = (int8_t)any,
                   .u8 = (uint8_t)few,
                   .i16 = (int16_t)(few * 163),
                   .u16 = (uint16_t)(few * 163),
                   .i32 = (int32_t)(any >> 32),
                   .u32 = (uint32_t)(any >> 32),
                   .i64 = (int64_t)any,
                   .u64 = any,
                   .f64 = ((double)few - 200) / 3,
                   .entity = {few, few / 3},
                   .f32 = few % 50 == 0 ? -0.0f : (float)few - 200,
                   .flag = few % 2 != 0,
                   .letter = (char)any};
    if (nan && number % 1000 == 7) {
        kinds.f32 = NAN;
        kinds.f64 = NAN;
    }
    snprintf(kinds.text, sizeof kinds.text, "%x", few * 7919 % 3000);
    return kinds;
}

static kith_world *kinds_new(fixture *f, kith_layout layout, bool nan)
{
    *f = fixture_with_all(layout);
    kith_register(f->world, &Kinds_type, &(kith_component_def){.layout = layout});
    uint64_t random = 3;
    for (uint32_t i = 0; i < ROWS; i++) {
        const kith_entity e =
            KITH_SPAWN(f->world, KITH_VALUE(Health, {(int32_t)i, (int32_t)(i % 3)}));
        const Kinds kinds = random_kinds(&random, i, nan);
        if (i % 4 != 1) {
            kith_set(f->world, e, &Kinds_type, &kinds);
        }
        if (i % 5 == 0) {
            KITH_ADD(f->world, e, Frozen);
        }
    }
    return f->world;
}

/* All rows of a selection. */
static void print_selection(kith_select *select, char *all)
{
    size_t length = 0;
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    all[0] = '\0';
    for (uint32_t row = 0; row < kith_select_row_count(select); row++) {
        length += kith_select_print(select, row, KITH_SELECT_JSON, all + length, PRINTED - length);
    }
    CHECK(length < PRINTED);
}

static kith_select *select_new(kith_world *world, const char *text)
{
    kith_select *select = NULL;
    kith_text_error error;
    const kith_result result = kith_select_new(world, text, &error, &select);
    if (result != KITH_OK) {
        test_fail(__FILE__, __LINE__, "\"%s\": %s", text, kith_error(world));
    }
    return select;
}

/* Whether an index would be asked for the first rows. */
static bool finds_first(kith_world *world, const char *text)
{
    char explained[400];
    char all[2000] = "";
    snprintf(explained, sizeof explained, "explain %s", text);
    kith_select *select = select_new(world, explained);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    for (uint32_t row = 0; row < kith_select_row_count(select); row++) {
        strcat(strcat(all, kith_select_value(select, row, 0)), "\n");
    }
    kith_select_free(select);
    return strstr(all, "\nfirst: ordered index of ") != NULL;
}

static char scanned[PRINTED];
static char found[PRINTED];

/* Runs a selection without and with an index; `first`: whether that is asked. */
static void compare(kith_world *world, const char *text, const kith_index_def *def, bool first)
{
    kith_select *select = select_new(world, text);
    print_selection(select, scanned);
    kith_index *index;
    CHECK_RESULT(kith_index_new(world, def, &index), KITH_OK);
    for (int turn = 0; turn < 2; turn++) {
        print_selection(select, found);
        if (strcmp(scanned, found) != 0) {
            test_fail(__FILE__, __LINE__, "\"%s\" has other rows by an index:\n%.800s\n%.800s",
                      text, scanned, found);
        }
    }
    if (finds_first(world, text) != first) {
        test_fail(__FILE__, __LINE__, "\"%s\": an index is %s", text,
                  first ? "not asked" : "asked in vain");
    }
    CHECK_UINT(kith_index_stats(index).refreshes != 0, first);
    kith_select_free(select);
    kith_index_free(index);
}

/* ---- All kinds of fields ---------------------------------------------------------------------- */

TEST_EACH_LAYOUT_WITHIN(60, the_first_rows_are_those_of_a_sort, layout)
{
    static const char *const forms[] = {
        "Kinds order by Kinds.%s%s limit %u",
        "Kinds, !Frozen order by Kinds.%s%s, Health.current desc limit %u",
        "Health where Kinds.u8 < 200 select Health.max order by Kinds.%s%s, Health.max limit %u",
    };
    for (int nan = 0; nan < 2; nan++) {
        fixture f;
        kith_world *world = kinds_new(&f, layout, nan != 0);
        for (uint32_t i = 0; i < ROWS_OF(field_names) * 2 * ROWS_OF(forms); i++) {
            const char *field = field_names[i % ROWS_OF(field_names)];
            const char *descending = i / ROWS_OF(field_names) % 2 == 0 ? "" : " desc";
            const uint32_t limit = (uint32_t[]){1, 3, 10, 0}[i % 4];
            char text[300];
            snprintf(text, sizeof text, forms[i / ROWS_OF(field_names) / 2], field, descending,
                     limit);
            const kith_index_def def = {
                .kind = KITH_INDEX_ORDERED, .type = &Kinds_type, .fields = {field}};
            compare(world, text, &def, true);
        }
        CHECK_WORLD(world);
        fixture_free(&f);
    }
}

/* Where entities may lack the value, where rows are not entities, or come in another order, an index
 * tells nothing. */
TEST_EACH_LAYOUT(other_orders_need_all_rows, layout)
{
    const kith_index_def by_i32 = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Kinds, i32)};
    const kith_index_def by_hash = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Kinds, i32)};
    const kith_index_def by_both = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Kinds, i32, u8)};
    const kith_index_def by_other = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Kinds, u8, i32)};
    const struct {
        const char *text;
        const kith_index_def *def;
        bool first;
    } cases[] = {
        {"Kinds order by Kinds.i32 limit 5", &by_i32, true},
        {"Kinds order by Kinds.i32 limit 5", &by_both, true},
        {"Kinds order by Kinds.i32, Kinds.u8 desc limit 5", &by_both, true},
        {"Kinds order by Kinds.i32 limit 5", &by_other, false},
        {"Kinds order by Kinds.u8 limit 5", &by_other, true},
        {"Kinds order by Kinds.u8 desc, Kinds.i32 limit 5", &by_other, true},
        {"Kinds order by Kinds.i32 limit 5", &by_hash, false},
        {"Kinds select Kinds.i32 order by Kinds.i32", &by_i32, false},
        {"Kinds order by Kinds.u32 limit 5", &by_i32, false},
        {"Kinds select entity order by entity limit 5", &by_i32, false},
        {"Health, ?Kinds order by Kinds.i32 limit 5", &by_i32, false},
        {"Health order by Kinds.i32 limit 5", &by_i32, false},
        {"Health, Kinds order by Health.current, Kinds.i32 limit 5", &by_i32, false},
        {"Kinds order by Kinds.i32, Health.current limit 5", &by_i32, true},
        {"Kinds group by Kinds.i32 order by Kinds.i32 limit 5", &by_i32, false},
        {"Kinds order by parents first limit 5", &by_i32, false},
        {"Kinds where Kinds.u8 != 3 order by Kinds.i32 limit 5", &by_i32, true},
        {"Kinds where Kinds.letter = 'q' and Kinds.u8 = 3 order by Kinds.i32 limit 5", &by_i32,
         true},
    };
    fixture f;
    kith_world *world = kinds_new(&f, layout, false);
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        compare(world, cases[i].text, cases[i].def, cases[i].first);
    }
    kith_index *index;
    CHECK_RESULT(kith_index_new(world, &by_i32, &index), KITH_OK);
    CHECK(!finds_first(world, "changed(Kinds) order by Kinds.i32 limit 5"));
    fixture_free(&f);
}

/* ---- Values that change ------------------------------------------------------------------------ */

/* Values and entities come and go between two runs of one selection. */
TEST_EACH_LAYOUT_WITHIN(60, the_first_rows_follow_what_changes, layout)
{
    fixture f;
    kith_world *world = kinds_new(&f, layout, false);
    fixture g;
    kith_world *plain = kinds_new(&g, layout, false);
    kith_index *index;
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Kinds, f32)};
    CHECK_RESULT(kith_index_new(world, &def, &index), KITH_OK);
    static const char text[] = "Kinds, !Frozen select entity, Kinds.f32 order by "
                               "Kinds.f32 desc limit $count";
    kith_select *by_index = select_new(world, text);
    kith_select *by_scan = select_new(plain, text);
    uint64_t random = 11;
    for (uint32_t turn = 0; turn < 150; turn++) {
        for (uint32_t i = 0, count = random_below(&random, 30); i < count; i++) {
            kith_entity e = {1 + random_below(&random, ROWS), 0};
            for (kith_entity at = kith_entity_next(world, KITH_NONE); !kith_is_none(at) &&
                                                                      at.index1 <= e.index1;
                 at = kith_entity_next(world, at)) {
                e = at;
            }
            const Kinds kinds = random_kinds(&random, turn == 100 ? 7 : i, turn == 100);
            const uint32_t what = random_below(&random, 4);
            for (int k = 0; k < 2; k++) {
                kith_world *in = k == 0 ? world : plain;
                if (what == 0) {
                    kith_despawn(in, e);
                } else if (what == 1) {
                    kith_remove(in, e, &Kinds_type);
                } else {
                    kith_set(in, e, &Kinds_type, &kinds);
                }
            }
        }
        const uint32_t count = random_below(&random, 12);
        for (int k = 0; k < 2; k++) {
            kith_select *select = k == 0 ? by_index : by_scan;
            CHECK_RESULT(kith_select_bind(select, "count", count), KITH_OK);
            print_selection(select, k == 0 ? found : scanned);
        }
        CHECK_STR(found, scanned);
    }
    CHECK(kith_index_stats(index).refreshes > 50);
    CHECK_WORLD(world);
    fixture_free(&f);
    fixture_free(&g);
}

/* Without memory for the index, or for what it names, all rows are read. */
TEST_EACH_LAYOUT_WITHIN(60, the_first_rows_need_no_memory_for_an_index, layout)
{
    fixture f;
    kith_world *world = kinds_new(&f, layout, false);
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Kinds, i16)};
    kith_select *select = select_new(world, "Kinds select entity order by Kinds.i16 limit 9");
    print_selection(select, scanned);
    for (size_t nth = 1;; nth++) {
        kith_index *index;
        CHECK_RESULT(kith_index_new(world, &def, &index), KITH_OK);
        fail_allocation(&f, nth);
        const kith_result result = kith_select_run(select);
        const bool reached = fail_nothing(&f);
        CHECK(result == KITH_OK || (reached && result == KITH_ERR_MEMORY));
        if (result == KITH_OK) {
            CHECK_UINT(kith_select_row_count(select), 9);
        }
        print_selection(select, found);
        CHECK_STR(found, scanned);
        CHECK_WORLD(world);
        kith_index_free(index);
        if (!reached) {
            break;
        }
    }
    fixture_free(&f);
}

/* ---- Explained --------------------------------------------------------------------------------- */

TEST(the_index_for_the_first_rows_is_explained)
{
    fixture f;
    kith_world *world = kinds_new(&f, KITH_TABLE, false);
    kith_index *index;
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Kinds, i32)};
    CHECK_RESULT(kith_index_new(world, &def, &index), KITH_OK);
    kith_select *select = select_new(world, "explain Kinds order by Kinds.i32 desc limit $count");
    CHECK_RESULT(kith_select_bind(select, "count", 10), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), 4);
    CHECK_STR(kith_select_value(select, 0, 0), "plan: scan");
    CHECK_STR(kith_select_value(select, 3, 0),
              "first: ordered index of Kinds (i32), from the greatest on until 10 match, if that is"
              " faster");
    fixture_free(&f);
}
