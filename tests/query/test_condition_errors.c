/* Conditions that make no sense, and values that are bound: what is refused, and what is said. */
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "rejects.h"
#include "test.h"

KITH_COMPONENT(Unit, (float, speed), (char, name, 8), (kith_text, title), (kith_entity, target),
               (int32_t, marks, 4), (bool, awake), (char, grade));

static kith_term term_of(const kith_type *type, const kith_condition *condition)
{
    return (kith_term){type, KITH_ACCESS_NONE, KITH_MUST, 0, condition};
}

TEST(fields_that_are_not_there_are_refused)
{
    fixture f = fixture_new();
    kith_condition condition = {
        .op = KITH_OP_LESS, .field = "sped", .value = {.kind = KITH_OPERAND_I64}};
    const kith_term terms[] = {term_of(&Unit_type, &condition), {0}};
    rejects_all(&f, terms, "Unit has no field 'sped' (did you mean speed?)");
    condition.field = "marks[4]";
    rejects_all(&f, terms, "the last value of marks is number 3");
    condition.field = "marks";
    rejects_all(&f, terms, "Unit.marks is 4 values of i32; name one of them, as in marks[0]");
    condition.field = "speed";
    condition.size = 8;
    rejects_all(&f, terms, "Unit.speed has 4 bytes in this world, and 8 in the condition");
    condition =
        (kith_condition){.op = KITH_OP_LESS, .offset = 4000, .value = {.kind = KITH_OPERAND_I64}};
    rejects_all(&f, terms, "Unit has no field 4000 bytes from its start");
    fixture_free(&f);
}

TEST(values_that_do_not_fit_are_refused)
{
    fixture f = fixture_new();
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, speed, <, "fast")),
                  "Unit.speed is f32, and is compared with numbers, not with the text \"fast\"");
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, marks[2], ==, KITH_NONE)),
                  "Unit.marks[2] is i32, and is compared with numbers, not with the entity 0v0");
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, name, ==, 7)),
                  "Unit.name is char, and is compared with texts, not with the number 7");
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, name, ==, (const char *)NULL)), "Unit.name");
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, title, ==, (kith_text){77})),
                  "texts of its own world, not with interned text number 77");
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, target, ==, 1)),
                  "Unit.target is entity, and is compared with entities, not with the number 1");
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, name, <, "b")),
                  "Unit.name holds texts, which are equal or not");
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, title, >=, kith_bound("x"))), "holds texts");
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, target, <, KITH_NONE)), "holds entities");
    rejects_all(&f, KITH_TERMS(KITH_IF_PREFIX(Unit, speed, "f")),
                  "Unit.speed is f32; only texts begin");
    /* A single char is no text, however short the text is. */
    const char *letter = "Unit.grade is char, and is compared with one letter, as 'a', or a number,"
                         " not with the text \"a\"";
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, grade, ==, "a")), letter);
    rejects_all(&f, KITH_TERMS(KITH_IF_IN(Unit, grade, 'b', "a")), letter);
    rejects_all(&f, KITH_TERMS(KITH_IF_PREFIX(Unit, grade, "a")), "only texts begin");
    rejects_all(&f, KITH_TERMS(KITH_IF_PREFIX(Unit, name, KITH_ITS(Unit, name))),
                "of a given text, not of another field");
    rejects_all(&f, KITH_TERMS(KITH_IF_PREFIX(Unit, grade, kith_bound("x"))), "only texts begin");
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, speed, <, KITH_ITS(Unit, name))),
                  "Unit.speed is f32, and cannot be compared with Unit.name, which is char");
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, title, <, KITH_ITS(Unit, title))), "holds texts");
    rejects_all(&f, KITH_TERMS(KITH_IF(Unit, speed, <, kith_bound(""))), "without a name");
    fixture_free(&f);
}

TEST(conditions_without_sense_are_refused)
{
    fixture f = fixture_new();
    const kith_term *no_terms = NULL;
    kith_condition condition = {.op = (kith_op)9, .field = "speed"};
    kith_term terms[] = {term_of(&Unit_type, &condition), {0}};
    rejects_all(&f, terms, "a condition about Unit has an operator that compares nothing");
    condition.op = KITH_OP_LESS;
    rejects_all(&f, terms, "a condition about Unit has nothing to compare with");
    condition.op = KITH_OP_IN;
    rejects_all(&f, terms, "a condition about Unit has no list of values");
    terms[0].type = NULL;
    rejects_all(&f, terms, "has no type");
    condition = (kith_condition){.op = KITH_OP_ANY, .terms = no_terms};
    rejects_all(&f, terms, "has no list of terms");
    rejects_all(&f, KITH_TERMS(KITH_IF_ANY(KITH_READ(Unit))), "a term is in a group");
    rejects_all(&f, KITH_TERMS(KITH_IF_ANY(KITH_OPTIONAL(Unit))), "a term is in a group");
    /* A group in itself has no end. */
    kith_term circle[] = {term_of(NULL, &condition), {0}};
    condition.terms = circle;
    rejects_all(&f, circle, "more than 16 times");
    fixture_free(&f);
}

/* Nothing can be asked before all names have values; then the last one that fitted counts. */
TEST_EACH_LAYOUT(values_are_bound, layout)
{
    fixture f = fixture_new();
    kith_register(f.world, &Unit_type, &(kith_component_def){.layout = layout});
    for (uint32_t i = 0; i < 100; i++) {
        Unit unit = {.speed = (float)i, .name = {'a', (char)('a' + i % 3)}, .marks = {(int32_t)i}};
        kith_entity e = kith_spawn_empty(f.world);
        CHECK_RESULT(kith_set(f.world, e, &Unit_type, &unit), KITH_OK);
    }
    kith_query *query = KITH_QUERY(f.world, KITH_IF(Unit, speed, <, kith_bound("limit")),
                                   KITH_IF(Unit, marks[0], <=, kith_bound("limit")),
                                   KITH_IF_PREFIX(Unit, name, kith_bound("name")));
    kith_entity only;
    CHECK_RESULT(kith_query_bind(query, "limit", 30), KITH_OK);
    CHECK_UINT(kith_query_count(query), 0);
    CHECK_CONTAINS(kith_error(f.world),
                   "kith_query_count: kith_bound(\"name\") of the query of Unit, in text $name,"
                   " has no value yet");
    CHECK_RESULT(kith_query_single(query, &only), KITH_ERR_INPUT);
    kith_iter it = kith_query_iter(query);
    CHECK(!kith_next(&it));
    CHECK_RESULT(it.result, KITH_ERR_INPUT);
    char name[] = "ab";
    CHECK_RESULT(kith_query_bind(query, "name", name), KITH_OK);
    name[1] = 'c'; /* it was copied */
    CHECK_UINT(kith_query_count(query), 10);
    CHECK_RESULT(kith_query_bind(query, "limit", 15.5), KITH_OK);
    CHECK_UINT(kith_query_count(query), 5);
    CHECK_RESULT(kith_query_bind(query, "limit", "far"), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_query_bind: Unit.speed is f32");
    CHECK_RESULT(kith_query_bind(query, "name", 3), KITH_ERR_INPUT);
    CHECK_UINT(kith_query_count(query), 5);
    CHECK_RESULT(kith_query_bind(query, "limmit", 15), KITH_ERR_UNKNOWN);
    CHECK_STR(kith_error(f.world),
              "kith_query_bind: the query of Unit has no kith_bound(\"limmit\"), in text $limmit"
              " (did you mean limit?)");
    CHECK_RESULT(kith_query_bind(query, "limit", kith_bound("other")), KITH_ERR_INPUT);
    CHECK_RESULT(kith_query_bind(query, "name", ""), KITH_OK);
    CHECK_UINT(kith_query_count(query), 16);
    kith_query_free(query);
    fixture_free(&f);
}
