/* Pairs in text: they are those of a query in C, with names instead of numbers. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "test.h"

KITH_LINKS(Likes, KITH_CLEAR, (int32_t, strength));
KITH_RELATION(Targets, KITH_CLEAR);
KITH_COMPONENT(Person, (int32_t, age));

/* ann likes bob, bob cat and ann, cat ann, dan bob and dan; cat and dan are children of ann. */
static fixture fixture_of_village(void)
{
    static const char *const names[] = {"ann", "bob", "cat", "dan"};
    static const uint32_t ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {3, 1}, {3, 3}};
    fixture f = fixture_new();
    KITH_TYPES(f.world, Person, Likes, Targets, kith_child_of, Health);
    kith_entity e[4];
    for (int32_t i = 0; i < 4; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Person, {20 + i}));
        CHECK_RESULT(kith_set_name(f.world, e[i], names[i]), KITH_OK);
    }
    for (int32_t i = 0; i < 6; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Likes, {e[ends[i][0]], e[ends[i][1]], i}));
    }
    kith_set_parent(f.world, e[2], e[0]);
    kith_set_parent(f.world, e[3], e[0]);
    KITH_SET(f.world, e[1], Targets, {e[3]});
    return f;
}

TEST(pairs_in_text_are_those_of_a_query_in_c)
{
    fixture f = fixture_of_village();
    const struct {
        const char *text;
        uint32_t entities;
        const kith_term *terms;
    } cases[] = {
        {"Person, Likes(this, b)", 2, KITH_TERMS(KITH_READ(Person), KITH_PAIR(Likes, 0, 1))},
        {"Person, Likes ( b , this )", 2, KITH_TERMS(KITH_READ(Person), KITH_PAIR(Likes, 1, 0))},
        {"Likes(this, b), Likes(b, this)", 2,
         KITH_TERMS(KITH_PAIR(Likes, 0, 1), KITH_PAIR(Likes, 1, 0))},
        {"Person, Likes(this, b), \"Likes\"(b, c), Likes(c, this) where b != this", 3,
         KITH_TERMS(KITH_READ(Person), KITH_PAIR(Likes, 0, 1), KITH_PAIR(Likes, 1, 2),
                    KITH_PAIR(Likes, 2, 0), KITH_IF_NOT(KITH_IF_SAME(1, 0)))},
        {"Likes(a, b) as this, a -> Person, b -> with Person", 3,
         KITH_TERMS(KITH_PAIR_BY(Likes, 0, 1, 2), KITH_OTHER(1, KITH_READ(Person)),
                    KITH_OTHER(2, KITH_WITH(Person)))},
        {"b -> ?Targets, Likes(this, b) as link, link -> Likes, b -> !Health", 3,
         KITH_TERMS(KITH_OTHER(1, KITH_OPTIONAL(Targets)), KITH_PAIR_BY(Likes, 2, 0, 1),
                    KITH_OTHER(2, KITH_READ(Likes)), KITH_OTHER(1, KITH_WITHOUT(Health)))},
        {"Likes(this, b), b -> Targets -> Person", 2,
         KITH_TERMS(KITH_PAIR(Likes, 0, 1), KITH_OTHER(1, KITH_VIA(Targets, KITH_READ(Person))))},
        {"Likes(this, b) where b -> up(Person.age > 3)", 2,
         KITH_TERMS(KITH_PAIR(Likes, 0, 1), KITH_OTHER(1, KITH_UP(KITH_IF(Person, age, >, 3))))},
        {"Person, ChildOf(part, this), part -> Person", 2,
         KITH_TERMS(KITH_READ(Person), KITH_PAIR(kith_child_of, 1, 0),
                    KITH_OTHER(1, KITH_READ(Person)))},
        {"ChildOf(this, parent), ChildOf(sibling, parent) where not sibling = this", 3,
         KITH_TERMS(KITH_PAIR(kith_child_of, 0, 1), KITH_PAIR(kith_child_of, 2, 1),
                    KITH_IF_NOT(KITH_IF_SAME(2, 0)))},
        {"Likes(this, b) where Person.age < b -> Person.age and this != b", 2,
         KITH_TERMS(KITH_PAIR(Likes, 0, 1),
                    KITH_IF(Person, age, <, KITH_OF_OTHER(1, KITH_ITS(Person, age))),
                    KITH_IF_NOT(KITH_IF_SAME(0, 1)))},
        {"Likes(this, b) where b -> (Person.age > 21 or Person.age < this -> Person.age)", 2,
         KITH_TERMS(KITH_PAIR(Likes, 0, 1),
                    KITH_OTHER(1, KITH_IF_ANY(KITH_IF(Person, age, >, 21),
                                              KITH_IF(Person, age, <,
                                                      KITH_OF_THIS(KITH_ITS(Person, age))))))},
        {"Likes(this, b) where not Likes(b, this)", 2,
         KITH_TERMS(KITH_PAIR(Likes, 0, 1), KITH_IF_NOT(KITH_PAIR(Likes, 1, 0)))},
        {"Likes(this, b) where Likes(b, this) and b -> has(Person)", 2,
         KITH_TERMS(KITH_PAIR(Likes, 0, 1), KITH_IF_ALL(KITH_PAIR(Likes, 1, 0)),
                    KITH_OTHER(1, KITH_WITH(Person)))},
        {"Likes(this, b), Likes(b, c) where c -> Targets = b or b -> Targets != this", 3,
         KITH_TERMS(KITH_PAIR(Likes, 0, 1), KITH_PAIR(Likes, 1, 2),
                    KITH_IF_ANY(KITH_OTHER(2, KITH_IF(Targets, target, ==, KITH_THE_OTHER(1))),
                                KITH_OTHER(1, KITH_IF(Targets, target, !=, KITH_THIS))))},
        {"Likes(this, b) where Person.age != b -> Targets -> Person.age", 2,
         KITH_TERMS(KITH_PAIR(Likes, 0, 1),
                    KITH_IF(Person, age, !=,
                            KITH_OF_OTHER(1, KITH_ITS_VIA(Targets, KITH_ITS(Person, age)))))},
        {"Person where not Likes(any, this) or Likes(this, any)", 1,
         KITH_TERMS(KITH_READ(Person),
                    KITH_IF_ANY(KITH_IF_NOT(KITH_PAIR(Likes, KITH_ANY, 0)),
                                KITH_PAIR(Likes, 0, KITH_ANY)))},
        {"Person, !ChildOf(any, this), Likes(any, this)", 1,
         KITH_TERMS(KITH_READ(Person), KITH_IF_NOT(KITH_PAIR(kith_child_of, KITH_ANY, 0)),
                    KITH_PAIR(Likes, KITH_ANY, 0))},
        {"!Likes(b, this), Likes(this, b), !Targets(any, b) where Likes(b, any)", 2,
         KITH_TERMS(KITH_IF_NOT(KITH_PAIR(Likes, 1, 0)), KITH_PAIR(Likes, 0, 1),
                    KITH_IF_NOT(KITH_PAIR(Targets, KITH_ANY, 1)), KITH_PAIR(Likes, 1, KITH_ANY))},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        char plans[2][500];
        char tidy[300];
        kith_query *written =
            kith_query_new_or_null(f.world, &(kith_query_def){.terms = cases[i].terms});
        CHECK_PTR_NOT_NULL(written);
        kith_query *read = kith_query_text(f.world, cases[i].text, NULL);
        CHECK_STR(kith_error(f.world), "");
        CHECK_RESULT(kith_query_text_tidy(f.world, cases[i].text, tidy, sizeof tidy, NULL, NULL),
                     KITH_OK);
        kith_query *tidied = kith_query_text(f.world, tidy, NULL);
        CHECK_PTR_NOT_NULL(tidied);
        CHECK_RESULT(kith_query_explain(written, false, plans[0], sizeof plans[0], NULL), KITH_OK);
        CHECK_RESULT(kith_query_explain(read, false, plans[1], sizeof plans[1], NULL), KITH_OK);
        CHECK_STR(plans[1], plans[0]);
        CHECK(kith_query_count(read) > 0);
        CHECK_UINT(kith_query_count(tidied), kith_query_count(read));
        kith_iter left = kith_query_iter(written);
        kith_iter right = kith_query_iter(read);
        while (kith_next_rows(&left)) {
            CHECK(kith_next_rows(&right));
            CHECK_UINT(left.count, right.count);
            for (uint32_t k = 0; k < cases[i].entities; k++) {
                CHECK(memcmp(kith_others(&left, k), kith_others(&right, k),
                             left.count * sizeof(kith_entity)) == 0);
            }
        }
        CHECK(!kith_next_rows(&right));
        kith_query_free(read);
        kith_query_free(tidied);
        kith_query_free(written);
    }
    fixture_free(&f);
}

/* What a selection prints, rows one after the other. */
static const char *select_rows(fixture *f, const char *text)
{
    static char rows[2000];
    kith_select *select = NULL;
    size_t length = 0;
    rows[0] = '\0';
    if (kith_select_new(f->world, text, NULL, &select) != KITH_OK) {
        return kith_error(f->world);
    }
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    for (uint32_t i = 0; i < kith_select_column_count(select); i++) {
        length += (size_t)snprintf(rows + length, sizeof rows - length, "%s%s", i == 0 ? "" : "|",
                                   kith_select_column(select, i)->name);
    }
    for (uint32_t i = 0; i < kith_select_row_count(select); i++) {
        char row[300];
        kith_select_print(select, i, KITH_SELECT_TEXT, row, sizeof row);
        for (char *tab = row; (tab = strchr(tab, '\t')) != NULL;) {
            *tab = '|';
        }
        length += (size_t)snprintf(rows + length, sizeof rows - length, "; %s", row);
    }
    kith_select_free(select);
    return rows;
}

TEST(selections_of_rows)
{
    fixture f = fixture_of_village();
    CHECK_STR(select_rows(&f, "Person, Likes(this, b), Likes(b, this) select name, b -> name"),
              "name|b -> name; \"ann\"|\"bob\"; \"dan\"|\"dan\"; \"bob\"|\"ann\"");
    CHECK_STR(select_rows(&f, "Person, Likes(this, b) as l select this -> name, b -> Person,"
                              " l -> Likes.strength order by l -> Likes.strength desc limit 2"),
              "this -> name|b -> Person.age|l -> Likes.strength; \"dan\"|23|5; \"dan\"|21|4");
    CHECK_STR(select_rows(&f, "Person, Likes(this, b), b -> Person where Person.age = 20"),
              "entity|b|Person.age|b -> Person.age; Entity(0v0)|Entity(1v0)|20|21");
    CHECK_STR(select_rows(&f, "Person, Likes(this, b) group by b -> name"
                              " select b -> name, count, max(Person.age)"),
              "b -> name|count|max(Person.age); \"ann\"|2|22; \"bob\"|2|23; \"cat\"|1|21;"
              " \"dan\"|1|23");
    CHECK_STR(select_rows(&f, "Person, ChildOf(part, this) select name, part -> name,"
                              " part -> Targets, part order by part desc limit 1"),
              "name|part -> name|part -> Targets.target|part; \"ann\"|\"dan\"|-|Entity(3v0)");
    CHECK_STR(select_rows(&f, "Person, !ChildOf(any, this) where Likes(any, this) select name"),
              "name; \"dan\"; \"cat\"; \"bob\"");
    CHECK_STR(select_rows(&f, "Person where not Targets(any, this) group by name select name, count"
                              " order by name desc limit 1"),
              "name|count; \"cat\"|1");
    CHECK_STR(select_rows(&f, "explain Person, Likes(this, b) as l, Likes(b, this)"),
              "plan; \"plan: scan\"; \"rows: 4, in tables\"; \"why: no condition is about a"
              " value\"; \"pairs: Likes 2 from 0 to 1, Likes from 1 to 0, both known\"");
    fixture_free(&f);
}

TEST(mistakes_in_pairs_have_a_place)
{
    fixture f = fixture_of_village();
    const struct {
        const char *text;
        uint32_t column;
        const char *message;
    } cases[] = {
        {"Likes(a, b)", 1, "expected a pair with this, or with an entity of a pair before"},
        {"Likes(this, b), Likes(c, d)", 17, "or with an entity of a pair before"},
        {"Person(this, b)", 1, "expected a relation, which links two entities"},
        {"Likes(this, name)", 13, "a name for an entity that is not a word of queries"},
        {"Likes(this, Person)", 13, "a name for an entity that no component has"},
        {"Likes(this)", 11, "expected \",\" after the first entity of a pair"},
        {"Likes(this, b", 14, "expected \")\" after the second entity of a pair"},
        {"Likes(this, b.c)", 13, "expected this, or a name for an entity of the row"},
        {"Likes(this, 'b')", 13, "expected this, or a name for an entity of the row"},
        {"Targets(this, b) as l", 21, "expected no `as` after Targets"},
        {"Likes(this, b) where Likes(b, c)", 31,
         "this, or an entity that a pair among the terms names"},
        {"Likes(this, b) where b < this", 22, "a field, or = or != after an entity"},
        {"Likes(this, b) where b = 3", 26, "this, or an entity of the row"},
        {"Likes(this, b) where c -> Person.age = 3", 22, "a component that is registered"},
        {"Likes(this, b) where Targets -> b -> Person.age = 3", 33,
         "a component that is registered"},
        {"Likes(this, b) where Person.age = b", 35, "a number for Person.age"},
        {"Likes(this, b) as l, Likes(b, this) as l, write Person select l", 49, "is read"},
        {"Likes(any, any)", 12, "expected this, or an entity that a pair among the terms names"},
        {"Likes(any, b)", 12, "expected this, or an entity that a pair among the terms names"},
        {"Likes(any, this) as l", 21, "expected no `as` after a pair with any"},
        {"Likes(this, b) as any", 19, "a name for an entity that is not a word of queries"},
        {"!Likes(this, b) as l", 17, "expected a comma"},
        {"!Person(any, this)", 2, "expected a relation, which links two entities"},
        {"Likes(this, b) where any = this", 22, "expected"},
        {"Likes(this, b), Likes(b, c), Likes(b, d), Likes(b, e), Likes(b, f), Likes(b, g),"
         " Likes(b, h), Likes(b, i)",
         104, "at most 8 entities in a row"},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_text_error error;
        kith_select *select = NULL;
        CHECK_RESULT(kith_select_new(f.world, cases[i].text, &error, &select), KITH_ERR_INPUT);
        CHECK_CONTAINS(error.message, cases[i].message);
        CHECK_UINT(error.column, cases[i].column);
    }
    char many[400] = "Likes(this, b)";
    for (uint32_t i = 0; i < 16; i++) {
        strcat(many, ", Likes(this, b)");
    }
    CHECK_PTR_NULL(kith_query_text(f.world, many, NULL));
    CHECK_CONTAINS(kith_error(f.world), "at most 16 pairs");
    fixture_free(&f);
}

TEST(selections_of_rows_survive_every_allocation_failure)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_of_village();
        kith_select *select = NULL;
        fail_allocation(&f, nth);
        kith_result result = kith_select_new(
            f.world, "Person, Likes(this, b) as l where b != this select name, b, l -> Likes", NULL,
            &select);
        result = result == KITH_OK ? kith_select_run(select) : result;
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_UINT(select == NULL ? 0 : kith_select_row_count(select), reached ? 0 : 5);
        CHECK_WORLD(f.world);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}
