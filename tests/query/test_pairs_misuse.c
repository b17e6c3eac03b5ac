/* Pairs that make no sense, calls that do not fit rows of several entities, and too little memory. */
#include "components.h"
#include "rejects.h"

KITH_LINKS(Likes, KITH_CLEAR, (float, strength));
KITH_RELATION(Targets, KITH_CLEAR);

static fixture fixture_of_friends(kith_layout layout)
{
    fixture f = fixture_new();
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Likes_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Health_type, &def), KITH_OK);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Health, {1, 10}));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Health, {2, 10}));
    KITH_SPAWN(f.world, KITH_VALUE(Likes, {a, b, 1}));
    KITH_SPAWN(f.world, KITH_VALUE(Likes, {b, a, 2}));
    return f;
}

/* No query has these two terms. */
static void rejects_two(fixture *f, kith_term first, kith_term second, const char *part)
{
    kith_query *query = NULL;
    const kith_term terms[] = {first, second, {0}};
    CHECK_RESULT(kith_query_new(f->world, &(kith_query_def){.terms = terms}, &query),
                 KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f->world), part);
    CHECK_PTR_NULL(query);
}

TEST(pairs_that_make_no_sense)
{
    fixture f = fixture_of_friends(KITH_TABLE);
    const kith_term pair = KITH_PAIR(Likes, 0, 1);
    rejects(&f, (kith_term)KITH_PAIR(Health, 0, 1), "KITH_PAIR: Health is no relation");
    rejects(&f, (kith_term)KITH_PAIR(Likes, 1, 2), "it is followed from an entity that is known");
    rejects(&f, (kith_term)KITH_PAIR(Likes, 0, 2),
            "is about number 2 of a row, and none about number 1");
    rejects(&f, (kith_term)KITH_PAIR(Likes, 0, 8), "whose numbers are below 8");
    rejects(&f, (kith_term)KITH_PAIR_BY(Targets, 2, 0, 1), "is not of KITH_LINKS");
    rejects_two(&f, pair, (kith_term)KITH_IF_NOT(KITH_PAIR_BY(Likes, 2, 0, 1)),
                "finds no link within a group");
    rejects_two(&f, pair, (kith_term)KITH_IF_NOT(KITH_PAIR(Likes, 0, 2)),
                "a term is about number 2 of a row, which no pair finds");
    rejects_two(&f, pair, (kith_term)KITH_OTHER(2, KITH_READ(Health)),
                "a term is about number 2 of a row, which no pair finds");
    rejects(&f, (kith_term)KITH_OTHER(1, KITH_READ(Health)),
            "number 1 of a row, which no pair finds");
    rejects(&f, (kith_term)KITH_IF(Health, current, <, KITH_OF_OTHER(1, KITH_ITS(Health, max))),
            "number 1 of a row, which no pair finds");
    rejects(&f, (kith_term)KITH_IF(Health, current, <, KITH_OF_OTHER(8, KITH_ITS(Health, max))),
            "number in a row that is not below 8");
    rejects_two(&f, pair, (kith_term)KITH_OTHER(0, KITH_READ(Health)), "is about number 0");
    rejects_two(&f, pair, (kith_term)KITH_OTHER(9, KITH_READ(Health)), "is not below 8");
    rejects_two(&f, pair, (kith_term)KITH_OTHER(1, KITH_OTHER(1, KITH_READ(Health))),
                "is not in KITH_VIA, KITH_UP or another KITH_OTHER");
    rejects_two(&f, pair, (kith_term)KITH_VIA(Targets, KITH_OTHER(1, KITH_READ(Health))),
                "is not in KITH_VIA, KITH_UP or another KITH_OTHER");
    rejects_two(&f, pair, (kith_term)KITH_OTHER(1, KITH_CHANGED(Health)), "is not KITH_READ");
    rejects_two(&f, pair, (kith_term)KITH_IF(Health, current, ==, KITH_THE_OTHER(1)),
                "cannot be compared with KITH_THE_OTHER");
    kith_query *query = NULL;
    const kith_query_def writes = {
        .terms = KITH_TERMS(KITH_PAIR(Likes, 0, 1), KITH_OTHER(1, KITH_WRITE(Health)))};
    CHECK_RESULT(kith_query_new(f.world, &writes, &query), KITH_ERR_MISUSE);
    expect_misuse(&f, "a term of another entity writes Health");
    /* As many as there may be. */
    kith_term many[KITH_ROW_PAIRS + 2] = {{.type = NULL}};
    for (uint32_t i = 0; i <= KITH_ROW_PAIRS; i++) {
        many[i] = pair;
    }
    CHECK_RESULT(kith_query_new(f.world, &(kith_query_def){.terms = many}, &query), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "at most 16 pairs");
    many[KITH_ROW_PAIRS] = (kith_term){.type = NULL};
    CHECK_RESULT(kith_query_new(f.world, &(kith_query_def){.terms = many}, &query), KITH_OK);
    CHECK_UINT(kith_query_count(query), 2);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(lists_of_numbers_that_make_no_sense)
{
    fixture f = fixture_of_friends(KITH_TABLE);
    const kith_operand number = kith_other_(0, NULL);
    const kith_operand plain = kith_operand_i64_(0);
    const kith_operand field = kith_operand_field_(&Health_type, "max", 0);
    const kith_operand of_field = kith_other_(0, &field);
    const kith_operand lists[][5] = {
        {number}, {number, plain}, {number, of_field}, {number, number, number, number}};
    for (size_t i = 0; test_row(i, ROWS_OF(lists)); i++) {
        const kith_condition condition = {.op = KITH_OP_PAIR, .values = lists[i]};
        rejects(&f, (kith_term){.type = &Likes_type, .condition = &condition}, "KITH_PAIR: Likes");
    }
    const kith_condition none = {.op = KITH_OP_PAIR};
    rejects(&f, (kith_term){.type = &Likes_type, .condition = &none}, "KITH_PAIR: Likes");
    fixture_free(&f);
}

static void ignore(const kith_observed *observed)
{
    (void)observed;
}

TEST(calls_that_do_not_fit_rows)
{
    fixture f = fixture_of_friends(KITH_TABLE);
    kith_query *friends = KITH_QUERY(f.world, KITH_READ(Health), KITH_PAIR(Likes, 0, 1),
                                     KITH_OTHER(1, KITH_READ(Health)));
    kith_iter it = kith_query_iter(friends);
    CHECK_PTR_NULL(kith_others(&it, 1));
    expect_misuse(&f, "kith_others: there is no batch; kith_next_rows has to return true first");
    CHECK(!kith_next(&it));
    CHECK_RESULT(it.result, KITH_ERR_MISUSE);
    expect_misuse(&f, "have several entities, as KITH_PAIR says, and are no arrays");
    it = kith_query_iter(friends);
    CHECK(kith_next_rows(&it));
    CHECK_PTR_NULL(kith_others(&it, 2));
    expect_misuse(&f, " have no entity number 2; there are 2");
    CHECK_PTR_NULL(kith_term_at(&it, 1, 0, &Health_type, sizeof(Health), KITH_ACCESS_WRITE));
    expect_misuse(&f, "only reads Health of another entity");
    kith_iter_close(&it);
    kith_live *live = NULL;
    CHECK_RESULT(kith_live_new(f.world, friends, &live), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "has KITH_PAIR, so that its rows have several entities");
    const kith_observer_def observer = {
        .kind = KITH_ON_ENTER,
        .query = {.terms = KITH_TERMS(KITH_READ(Health), KITH_PAIR(Likes, 0, 1))},
        .run = ignore};
    CHECK_RESULT(kith_observer_new(f.world, &observer, NULL), KITH_ERR_INPUT);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Other queries have rows of one entity. */
TEST(the_entities_of_usual_batches)
{
    fixture f = fixture_of_friends(KITH_TABLE);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Health));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK(kith_others(&it, 0) == kith_entities(&it));
        CHECK_PTR_NULL(kith_others(&it, 1));
        expect_misuse(&f, " have no entity number 1; there are 1");
    }
    fixture_free(&f);
}

TEST_EACH_LAYOUT(pairs_survive_every_allocation_failure, layout)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_of_friends(layout);
        fail_allocation(&f, nth);
        kith_query *query =
            KITH_QUERY(f.world, KITH_WRITE(Health), KITH_PAIR_BY(Likes, 2, 0, 1),
                       KITH_OTHER(2, KITH_IF(Likes, strength, <, kith_bound("limit"))),
                       KITH_OTHER(1, KITH_READ(Health)), KITH_IF_NOT(KITH_IF_SAME(0, 1)));
        kith_result result = query == NULL ? KITH_ERR_MEMORY : KITH_OK;
        if (query != NULL) {
            result = kith_query_bind(query, "limit", 20);
        }
        uint32_t count = 0;
        if (result == KITH_OK) {
            CHECK_UINT(kith_query_count(query), 2);
            kith_iter it = kith_query_iter(query);
            for (; kith_next_rows(&it); count += it.count) {
                CHECK_INT(KITH_TERM_AT(&it, 1, 0, Health)->max, 10);
            }
            result = it.result;
            CHECK_UINT(count, result == KITH_OK ? 2 : 0);
        }
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_WORLD(f.world);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}
