/* What other languages write in queries: the message says what to write here. */
#include <kith/kith.h>

#include "components.h"
#include "test.h"

KITH_COMPONENT(from, (int32_t, x));
KITH_TAG(where);

typedef struct misspelt {
    const char *text;
    uint32_t column;
    const char *message;
} misspelt;

static void check_misspelt(kith_world *world, misspelt m)
{
    kith_text_error error = {.line = 99};
    kith_select *select = NULL;
    CHECK_RESULT(kith_select_new(world, m.text, &error, &select), KITH_ERR_INPUT);
    CHECK_STR(error.message, m.message);
    CHECK_UINT(error.column, m.column);
    CHECK_PTR_NULL(select);
}

#define OUTPUT                                                                                     \
    "expected a field, a component, entity, count, sum(...), min(...), max(...) or avg(...)"
#define OPERATOR "expected one of < <= > >= = != between in prefix contains like, after a field"
#define AFTER_TERMS                                                                                \
    "expected a comma, where, group by, select, order by, limit, or the end of the query"
#define AFTER_WHERE "expected and, or, group by, select, order by, limit, or the end of the query"

TEST(other_languages_are_told_what_to_write)
{
    static const misspelt all[] = {
        {"Health select count(*)", 20, "expected count without brackets, found \"(\""},
        {"Health select COUNT(*)", 15, OUTPUT " (did you mean count?), found \"COUNT\""},
        {"Health select SUM(Health.max)", 15, OUTPUT " (did you mean sum?), found \"SUM\""},
        {"Health select total(Health.max)", 15, OUTPUT ", found \"total\""},
        {"Health select *", 15, OUTPUT " (without select, there are all fields), found \"*\""},
        {"Health where Health.max <> 3", 25, OPERATOR " (write !=), found \"<>\""},
        {"Health where name <> 'a'", 19, OPERATOR " (write !=), found \"<>\""},
        {"Health where Health.max =< 3", 25, OPERATOR " (write <=), found \"=<\""},
        {"Health where Health.max => 3", 25, OPERATOR " (write >=), found \"=>\""},
        {"Health where Health.max ! 3", 25, OPERATOR ", found \"!\""},
        {"Health where Health.max BETWEEN 1 and 2", 25,
         OPERATOR " (did you mean between?), found \"BETWEEN\""},
        {"Health where Health.max IS NULL", 25,
         OPERATOR " (write has(T), or not has(T)), found \"IS\""},
        {"Health where Health.max < 3 && Health.max > 1", 29,
         AFTER_WHERE " (write and), found \"&&\""},
        {"Health where Health.max < 3 & Health.max > 1", 29,
         AFTER_WHERE " (write and), found \"&\""},
        {"Health where Health.max < 3 || Health.max > 5", 29,
         AFTER_WHERE " (write or), found \"||\""},
        {"Health where Health.max < 3 AND Health.max > 1", 29,
         AFTER_WHERE " (did you mean and?), found \"AND\""},
        {"Health where Health.max < 3;", 28,
         AFTER_WHERE " (there is no ; at the end), found \";\""},
        {"Health where Health.max < 3 -- few", 29,
         AFTER_WHERE " (comments begin with #), found --"},
        {"Health where !has(Frozen)", 14,
         "expected not before a condition that must not hold, found \"!\""},
        {"Health where NOT has(Frozen)", 14,
         "expected a condition, like has(T), T.field < 20 or name = 'a' (did you mean not?), found "
         "\"NOT\""},
        {"Health && Position", 8, AFTER_TERMS " (write a comma), found \"&&\""},
        {"Health and Position", 8, AFTER_TERMS " (write a comma), found \"and\""},
        {"Health || Position", 8, AFTER_TERMS " (write any(A, B)), found \"||\""},
        {"Health.max < 3", 12, AFTER_TERMS " (conditions come after where), found \"<\""},
        {"Health from Health", 8,
         AFTER_TERMS " (there is no from: the components come first), found \"from\""},
        {"SELECT * FROM Health", 1,
         "expected the components, and then select, as in Health select Health.current, found "
         "\"SELECT\""},
        {"from Health", 1, "expected the components, without from, found \"from\""},
        {"where Health.max < 3", 1,
         "expected the components, or * for all entities, before where, found \"where\""},
        {"Health, NOT Frozen", 9,
         "expected ! before a component that must not be there, found \"NOT\""},
        {"Health order by Health.max DESC", 28,
         "expected limit, or the end of the query (did you mean desc?), found \"DESC\""},
        {"Health order by Health.max asc", 28,
         "expected limit, or the end of the query (without a word, the least come first), found "
         "\"asc\""},
    };
    fixture f = fixture_with_all(KITH_TABLE);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        check_misspelt(f.world, all[i]);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Hints do not take the names of components away. */
TEST(components_may_be_called_as_words_of_other_languages)
{
    static const char *const texts[] = {"from", "from, where", "where where from.x = 3",
                                        "from select from.x", "!where", "* where has(where)"};
    fixture f = fixture_new();
    KITH_TYPES(f.world, from, where);
    KITH_SPAWN(f.world, KITH_VALUE(from, {3}));
    KITH_SPAWN(f.world, KITH_VALUE(from, {3}), KITH_VALUE(where));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        kith_select *select = NULL;
        CHECK_RESULT(kith_select_new(f.world, texts[i], NULL, &select), KITH_OK);
        CHECK_RESULT(kith_select_run(select), KITH_OK);
        CHECK_UINT(kith_select_row_count(select), i == 0 || i == 3 ? 2 : 1);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}
