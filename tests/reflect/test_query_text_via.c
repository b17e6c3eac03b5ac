/* Terms and conditions about other entities in text: they are those of a query in C. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

KITH_RELATION(Targets, KITH_CLEAR);
KITH_RELATION(DockedAt, KITH_CLEAR);
KITH_COMPONENT(Turret, (int32_t, number));

static fixture fixture_of_fleet(void)
{
    fixture f = fixture_new();
    KITH_TYPES(f.world, Targets, DockedAt, Turret, Health, Position, Frozen, Name);
    CHECK_RESULT(kith_register(f.world, &kith_child_of_type, NULL), KITH_OK);
    kith_entity ships[10];
    for (int32_t i = 0; i < 10; i++) {
        ships[i] = KITH_SPAWN(f.world, KITH_VALUE(Health, {5 * i, 40}));
        if (i % 2 == 0) {
            KITH_SET(f.world, ships[i], Position, {(float)i, 0});
        }
        if (i % 3 == 0) {
            KITH_ADD(f.world, ships[i], Frozen);
        }
        if (i > 5) {
            KITH_SET(f.world, ships[i], DockedAt, {ships[i - 5]});
        }
    }
    for (int32_t i = 0; i < 100; i++) {
        kith_entity turret = KITH_SPAWN(f.world, KITH_VALUE(Turret, {i}));
        if (i % 4 != 0) {
            KITH_SET(f.world, turret, Targets, {ships[i % 10]});
        }
        if (i % 5 != 0) {
            KITH_SET(f.world, turret, kith_child_of, {ships[i % 9]});
        }
    }
    return f;
}

/* Checks that two queries give the same entities, and explain themselves in the same words. */
static void check_same(kith_query *a, kith_query *b)
{
    char of_a[500];
    char of_b[500];
    uint32_t all = 0;
    CHECK_RESULT(kith_query_explain(a, false, of_a, sizeof of_a, NULL), KITH_OK);
    CHECK_RESULT(kith_query_explain(b, false, of_b, sizeof of_b, NULL), KITH_OK);
    CHECK_STR(of_a, of_b);
    kith_iter left = kith_query_iter(a);
    kith_iter right = kith_query_iter(b);
    for (bool more = true; more;) {
        more = kith_next_rows(&left);
        CHECK_INT(kith_next_rows(&right), more);
        CHECK_UINT(more ? left.count : 0, more ? right.count : 0);
        for (uint32_t i = 0; more && i < left.count; i++, all++) {
            CHECK_SAME(kith_entities(&left)[i], kith_entities(&right)[i]);
        }
    }
    CHECK(all > 0 && all < 110);
}

TEST(terms_of_other_entities_are_those_of_a_query_in_c)
{
    fixture f = fixture_of_fleet();
    const struct {
        const char *text;
        const kith_term *terms;
    } cases[] = {
        {"Turret, Targets -> Health",
         KITH_TERMS(KITH_READ(Turret), KITH_VIA(Targets, KITH_READ(Health)))},
        {"Targets->with Frozen", KITH_TERMS(KITH_VIA(Targets, KITH_WITH(Frozen)))},
        {"Turret, Targets -> !Frozen",
         KITH_TERMS(KITH_READ(Turret), KITH_VIA(Targets, KITH_WITHOUT(Frozen)))},
        {"write Turret, Targets -> ?Position",
         KITH_TERMS(KITH_WRITE(Turret), KITH_VIA(Targets, KITH_OPTIONAL(Position)))},
        {"Targets -> DockedAt -> Health",
         KITH_TERMS(KITH_VIA(Targets, KITH_VIA(DockedAt, KITH_READ(Health))))},
        {"Turret, up(Position)", KITH_TERMS(KITH_READ(Turret), KITH_UP(KITH_READ(Position)))},
        {"Turret, up(!Frozen)", KITH_TERMS(KITH_READ(Turret), KITH_UP(KITH_WITHOUT(Frozen)))},
        {"\"Targets\" -> \"Health\"", KITH_TERMS(KITH_VIA(Targets, KITH_READ(Health)))},
        {"Turret where Targets->Health.current < 20",
         KITH_TERMS(KITH_READ(Turret), KITH_VIA(Targets, KITH_IF(Health, current, <, 20)))},
        {"Turret where Targets -> DockedAt -> Health.current between 5 and 10",
         KITH_TERMS(
             KITH_READ(Turret),
             KITH_VIA(Targets, KITH_VIA(DockedAt, KITH_IF_ALL(KITH_IF(Health, current, >=, 5),
                                                              KITH_IF(Health, current, <=, 10)))))},
        {"Turret where not Targets -> has(Position)",
         KITH_TERMS(KITH_READ(Turret), KITH_IF_NOT(KITH_VIA(Targets, KITH_WITH(Position))))},
        {"* where Targets -> (has(Frozen) or Health.current = 5) and Turret.number > 20",
         KITH_TERMS(
             KITH_VIA(Targets, KITH_IF_ANY(KITH_WITH(Frozen), KITH_IF(Health, current, ==, 5))),
             KITH_IF(Turret, number, >, 20))},
        {"* where Targets -> not Health.current in (5, 15)",
         KITH_TERMS(KITH_VIA(Targets, KITH_IF_NOT(KITH_IF_IN(Health, current, 5, 15))))},
        {"* where up(Health.current >= 15) or Targets -> has(Frozen)",
         KITH_TERMS(KITH_IF_ANY(KITH_UP(KITH_IF(Health, current, >=, 15)),
                                KITH_VIA(Targets, KITH_WITH(Frozen))))},
        {"* where up(has(Position))", KITH_TERMS(KITH_UP(KITH_WITH(Position)))},
        {"* where Targets -> Health.current < Health.max",
         KITH_TERMS(KITH_VIA(Targets, KITH_IF(Health, current, <, KITH_ITS(Health, max))))},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_query *written =
            kith_query_new_or_null(f.world, &(kith_query_def){.terms = cases[i].terms});
        CHECK_PTR_NOT_NULL(written);
        kith_query *read = kith_query_text(f.world, cases[i].text, NULL);
        CHECK_STR(kith_error(f.world), "");
        CHECK_PTR_NOT_NULL(read);
        check_same(read, written);
        kith_query_free(read);
        kith_query_free(written);
    }
    fixture_free(&f);
}

/* The numbers are those of the terms in the text. */
TEST(values_are_read_by_the_number_of_the_term_in_the_text)
{
    fixture f = fixture_of_fleet();
    kith_query *query = kith_query_text(
        f.world, "with Targets, Turret, up(Position), Targets -> Health where Targets->has(Frozen)",
        NULL);
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it); count += it.count) {
        int32_t number = KITH_TERM_AT(&it, 1, 0, Turret)->number;
        CHECK_FLOAT(KITH_TERM_AT(&it, 2, 0, Position)->x, number % 9);
        CHECK_INT(KITH_TERM_AT(&it, 3, 0, Health)->current, number % 10 * 5);
    }
    CHECK(count > 5);
    fixture_free(&f);
}

TEST(tidy_texts_are_read_as_the_same)
{
    fixture f = fixture_new();
    static const struct {
        const char *text;
        const char *tidy;
    } cases[] = {
        {"Turret,Targets->Health", "Turret, Targets -> Health"},
        {"Targets->DockedAt -> with Frozen", "Targets -> DockedAt -> with Frozen"},
        {"up ( ?Position ),Targets -> up(!A)", "up(?Position), Targets -> up(!A)"},
        {"up, up(up)", "up, up(up)"},
        {"* where Targets->A.b<20 and up(A.b=3)", "* where Targets -> A.b < 20 and up(A.b = 3)"},
        {"* where Targets->(A.b<20 and not A.c=3)",
         "* where Targets -> (A.b < 20 and not A.c = 3)"},
        {"* where (Targets->(A.b<20)) or not up(has(A))",
         "* where Targets -> A.b < 20 or not up(has(A))"},
        {"* where not(A->B->not C->D.e>-3)", "* where not A -> B -> not C -> D.e > -3"},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        char tidy[200];
        size_t length;
        CHECK_RESULT(kith_query_text_tidy(f.world, cases[i].text, tidy, sizeof tidy, &length, NULL),
                     KITH_OK);
        CHECK_STR(tidy, cases[i].tidy);
        CHECK_RESULT(kith_query_text_tidy(f.world, cases[i].tidy, tidy, sizeof tidy, &length, NULL),
                     KITH_OK);
        CHECK_STR(tidy, cases[i].tidy);
    }
    fixture_free(&f);
}

TEST(mistakes_about_other_entities_have_a_place)
{
    fixture f = fixture_of_fleet();
    static const struct {
        const char *text;
        uint32_t column;
        const char *message;
    } cases[] = {
        {"Turret, Health -> Position", 9,
         "expected a relation, or a field that is an entity, before ->, found \"Health\""},
        {"Turret, Target -> Health", 9, "(did you mean Targets?)"},
        {"Targets -> write Health", 18, "which is not written, found \"Health\""},
        {"Targets -> changed(Health)", 20, "expected a component that another entity has"},
        {"Targets -> any(Health, Position)", 12, "write any(Targets -> A, Targets -> B)"},
        {"Targets -> ", 12, "expected a component"},
        {"Targets - > Health", 9, "found -"},
        {"Targets -> Targets -> Targets -> Targets -> Targets -> Health", 45,
         "at most 4 relations"},
        {"up(Targets -> Health)", 4, "expected one component, or one comparison"},
        {"up(up(Health))", 4, "expected one component, or one comparison"},
        {"up(any(Health))", 4, "expected one component, or one comparison"},
        {"up(Health", 10, "expected \")\" after what up asks for"},
        {"* where up(Health.current between 1 and 2)", 12, "one comparison of a field, in up"},
        {"* where up(not Health.current = 1)", 12, "one comparison of a field, in up"},
        {"* where Targets -> within(Health, 1, 2, 3)", 27, "a component with fields x, y that"},
        {"* where up(within(Position, 1, 2, 3))", 12, "one comparison of a field, in up"},
        {"* where Turret -> Health.current < 3", 9,
         "expected a relation, or a field that is an entity, before ->"},
        {"* where Targets -> Helth.current < 3", 20, "did you mean Health?"},
        {"* where Targets -> Targets -> Targets -> Targets -> Targets -> has(Health)", 53,
         "at most 4 relations"},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_text_error error;
        CHECK_PTR_NULL(kith_query_text(f.world, cases[i].text, &error));
        CHECK_CONTAINS(error.message, cases[i].message);
        CHECK_UINT(error.line, 1);
        CHECK_UINT(error.column, cases[i].column);
    }
    fixture_free(&f);
}

/* However deep a text is, it is read or refused. */
TEST(deep_texts_are_refused)
{
    fixture f = fixture_of_fleet();
    for (uint32_t in_terms = 0; in_terms < 2; in_terms++) {
        char text[8000] = "* where ";
        kith_text_error error;
        size_t length = in_terms == 0 ? strlen(text) : 0;
        for (uint32_t i = 0; i < 400; i++, length += 11) {
            memcpy(text + length, "Targets -> ", 11);
        }
        strcpy(text + length, in_terms == 0 ? "Health.current < 3" : "Health");
        CHECK_PTR_NULL(kith_query_text(f.world, text, &error));
        CHECK_CONTAINS(error.message, "at most 64 levels of brackets");
    }
    char text[2000] = "* where ";
    size_t length = strlen(text);
    for (uint32_t i = 0; i < 12; i++, length += 15) {
        memcpy(text + length, "Targets -> not ", 15);
    }
    strcpy(text + length, "Health.current < 3");
    kith_text_error error;
    CHECK_PTR_NULL(kith_query_text(f.world, text, &error));
    CHECK_CONTAINS(error.message, "at most 16 groups");
    fixture_free(&f);
}

TEST(explained_queries_tell_what_they_follow)
{
    fixture f = fixture_of_fleet();
    kith_query *query = kith_query_text(
        f.world,
        "Turret, Targets -> Health, up(?Position), Targets -> DockedAt -> !Frozen where"
        " Targets -> (has(Frozen) or Health.current < 3) and up(Health.current > 2)",
        NULL);
    char text[500];
    CHECK_RESULT(kith_query_explain(query, true, text, sizeof text, NULL), KITH_OK);
    CHECK_CONTAINS(text, "\nfollows: Targets -> Health, up(?Position), Targets -> DockedAt ->"
                         " !Frozen, Targets -> a condition, up(Health with a condition)\nmet: ");
    fixture_free(&f);
}

/* Without outputs of its own, a selection shows what its terms read, also of other entities. */
TEST(selections_follow_relations)
{
    fixture f = fixture_of_fleet();
    kith_select *select = NULL;
    CHECK_RESULT(kith_select_new(f.world,
                                 "Turret, Targets -> Health where Targets -> Health.current = 35",
                                 NULL, &select),
                 KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_column_count(select), 4);
    CHECK_STR(kith_select_column(select, 2)->name, "Targets -> Health.current");
    CHECK_UINT(kith_select_row_count(select), 10);
    CHECK_INT(*(const int32_t *)kith_select_value(select, 9, 2), 35);
    fixture_free(&f);
}

TEST(texts_about_others_survive_every_allocation_failure)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_of_fleet();
        fail_allocation(&f, nth);
        kith_query *query = kith_query_text(
            f.world,
            "Targets -> DockedAt -> Health where up(Position.x > 1) or Targets -> has(Name)", NULL);
        bool reached = fail_nothing(&f);
        CHECK_INT(query == NULL, reached);
        CHECK_WORLD(f.world);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}
