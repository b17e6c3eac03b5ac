/* Any-of groups that ask other entities, in random worlds, beside loops over all entities by handles. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_RELATION(Targets, KITH_CLEAR);
KITH_COMPONENT(Level, (int32_t, number));
KITH_COMPONENT(Hull, (int32_t, number), (uint8_t, rest, 36));
KITH_COMPONENT(Mark, (uint32_t, rest), (kith_entity, of)); /* may be of one that is dead */
KITH_COMPONENT(Count, (uint32_t, met));
KITH_TAG(Wreck);

#define ENTITIES 300u
#define MEMBERS 6u

static const kith_type *const asked_types[] = {&Level_type, &Hull_type, &Wreck_type};

typedef enum step { STEP_END, STEP_TARGET, STEP_MARK, STEP_UP } step;

static const step ways[][3] = {
    {STEP_END},
    {STEP_TARGET},
    {STEP_UP},
    {STEP_MARK},
    {STEP_TARGET, STEP_UP},
    {STEP_TARGET, STEP_TARGET},
    {STEP_MARK, STEP_TARGET, STEP_UP},
};

/* One of a group. */
typedef struct member {
    const step *way;
    const kith_type *type;
    uint32_t group;
    kith_term lists[3][2];
    kith_condition conditions[3];
} member;

typedef struct world_of_any {
    fixture f;
    uint64_t random;
    kith_entity e[ENTITIES];
    member members[MEMBERS];
    uint32_t member_count;
    uint32_t group_count;
    char text[500]; /* the same query */
} world_of_any;

static uint32_t below(world_of_any *w, uint32_t end)
{
    return random_below(&w->random, end);
}

/* ---- Worlds */

static void change_one(world_of_any *w)
{
    kith_world *world = w->f.world;
    const uint32_t i = below(w, ENTITIES);
    const kith_entity e = w->e[i];
    if (!kith_alive(world, e)) {
        return;
    }
    switch (below(w, 9)) {
    case 0: KITH_SET(world, e, Level, {(int32_t)below(w, 100)}); break;
    case 1: KITH_SET(world, e, Hull, {.number = (int32_t)below(w, 100)}); break;
    case 2: KITH_ADD(world, e, Wreck); break;
    case 3: KITH_SET(world, e, Targets, {w->e[below(w, ENTITIES)]}); break;
    case 4: KITH_SET(world, e, Mark, {1, w->e[below(w, ENTITIES)]}); break;
    case 5:
        if (i != 0) {
            kith_set_parent(world, e, w->e[below(w, i)]);
        }
        break;
    case 6: kith_remove(world, e, asked_types[below(w, 3)]); break;
    case 7:
        if (below(w, 10) == 0) {
            kith_despawn(world, e);
        }
        break;
    default: kith_remove(world, e, &Targets_type); break;
    }
}

static void fill(world_of_any *w, uint64_t seed)
{
    static const kith_type *const all[] = {&Level_type, &Hull_type,  &Wreck_type,        &Mark_type,
                                           &Count_type, &Targets_type, &kith_child_of_type};
    *w = (world_of_any){.f = fixture_new(), .random = seed};
    for (size_t i = 0; i < ROWS_OF(all); i++) {
        const kith_component_def def = {.layout = (kith_layout)below(w, LAYOUT_COUNT)};
        CHECK_RESULT(kith_register(w->f.world, all[i], &def), KITH_OK);
    }
    for (uint32_t i = 0; i < ENTITIES; i++) {
        w->e[i] = KITH_SPAWN(w->f.world, KITH_VALUE(Count, {0}));
    }
    for (uint32_t i = 0; i < ENTITIES * 4; i++) {
        change_one(w);
    }
}

/* ---- Groups */

/* The term of a member, which points into it. */
static kith_term term_of(member *m)
{
    kith_term term = {m->type, KITH_ACCESS_READ, KITH_ONE_OF, m->group, NULL};
    for (int i = 2; i >= 0; i--) {
        if (m->way[i] == STEP_END) {
            continue;
        }
        m->lists[i][0] = term;
        m->lists[i][1] = (kith_term){.type = NULL};
        m->conditions[i] =
            (kith_condition){.op = m->way[i] == STEP_UP ? KITH_OP_NEAREST : KITH_OP_TARGET,
                             .field = m->way[i] == STEP_MARK ? "of" : NULL,
                             .size = m->way[i] == STEP_MARK ? sizeof(kith_entity) : 0,
                             .terms = m->lists[i]};
        term = (kith_term){.type = m->way[i] == STEP_UP       ? &kith_child_of_type
                                   : m->way[i] == STEP_TARGET ? &Targets_type
                                                              : &Mark_type,
                           .condition = &m->conditions[i]};
    }
    return term;
}

static void add_text(world_of_any *w, const member *m, bool first, bool last)
{
    char *text = w->text;
    strcat(text, !first ? ", " : m->group == 0 ? "any(" : ", any(");
    uint32_t ups = 0;
    for (uint32_t i = 0; i < 3; i++) {
        strcat(text, m->way[i] == STEP_TARGET ? "Targets -> "
                     : m->way[i] == STEP_MARK ? "Mark.of -> "
                     : m->way[i] == STEP_UP   ? "up("
                                              : "");
        ups += m->way[i] == STEP_UP;
    }
    strcat(text, m->type->name);
    strcat(text, ups != 0 ? ")" : "");
    strcat(text, last ? ")" : "");
}

/* Makes one or two groups, each type of the entity itself being in one of them at most. */
static void some_groups(world_of_any *w)
{
    bool own[3] = {false};
    w->text[0] = '\0';
    w->group_count = 1 + below(w, 2);
    w->member_count = 0;
    for (uint32_t group = 0; group < w->group_count; group++) {
        const uint32_t count = 1 + below(w, 3);
        for (uint32_t i = 0; i < count; i++) {
            member *m = &w->members[w->member_count++];
            const uint32_t type = below(w, 3);
            const bool other = own[type] || below(w, 3) != 0;
            *m = (member){.way = ways[other ? 1 + below(w, ROWS_OF(ways) - 1) : 0],
                          .type = asked_types[type],
                          .group = group};
            own[type] = own[type] || !other;
            add_text(w, m, i == 0, i == count - 1);
        }
    }
}

static kith_query *make_query(world_of_any *w, const kith_term *more)
{
    kith_term terms[MEMBERS + 2] = {{0}};
    for (uint32_t i = 0; i < w->member_count; i++) {
        terms[i] = term_of(&w->members[i]);
    }
    if (more != NULL) {
        terms[w->member_count] = *more;
    }
    kith_query *query = NULL;
    const kith_query_def def = {.terms = terms};
    CHECK_RESULT(kith_query_new(w->f.world, &def, &query), KITH_OK);
    return query;
}

/* ---- The naive evaluation */

static kith_entity reach(const kith_world *world, const member *m, kith_entity e)
{
    for (uint32_t i = 0; i < 3 && m->way[i] != STEP_END; i++) {
        if (m->way[i] == STEP_UP) {
            do {
                e = kith_parent(world, e);
            } while (!kith_is_none(e) && !kith_has(world, e, m->type));
        } else if (m->way[i] == STEP_TARGET) {
            const Targets *targets = KITH_GET(world, e, Targets);
            e = targets == NULL ? KITH_NONE : targets->target;
        } else {
            const Mark *mark = KITH_GET(world, e, Mark);
            e = mark == NULL ? KITH_NONE : mark->of;
        }
        if (!kith_alive(world, e)) {
            return KITH_NONE;
        }
    }
    return kith_has(world, e, m->type) ? e : KITH_NONE;
}

static bool matches(const world_of_any *w, kith_entity e)
{
    bool found[2] = {false, w->group_count == 1};
    for (uint32_t i = 0; kith_alive(w->f.world, e) && i < w->member_count; i++) {
        const member *m = &w->members[i];
        found[m->group] = found[m->group] || !kith_is_none(reach(w->f.world, m, e));
    }
    return kith_alive(w->f.world, e) && found[0] && found[1];
}

static uint32_t count_matches(const world_of_any *w)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        count += matches(w, w->e[i]);
    }
    return count;
}

/* The value of a member in a batch is that of the entity which it reaches. */
static void check_values(const world_of_any *w, const kith_iter *it, uint32_t i)
{
    for (uint32_t k = 0; k < w->member_count; k++) {
        const member *m = &w->members[k];
        if (m->type == &Wreck_type) {
            continue;
        }
        const kith_entity from = reach(w->f.world, m, kith_entities(it)[i]);
        const int32_t *value = m->type == &Level_type
                                   ? (const void *)KITH_TERM_AT(it, k, i, Level)
                                   : (const void *)KITH_TERM_AT(it, k, i, Hull);
        const int32_t *expected =
            kith_is_none(from) ? NULL : kith_get(w->f.world, from, m->type);
        CHECK_INT(value == NULL, expected == NULL);
        CHECK(value == NULL || *value == *expected);
    }
}

static void check(const world_of_any *w, kith_query *query)
{
    test_note(w->text);
    const uint32_t count = count_matches(w);
    uint32_t met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it); met += it.count) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK(matches(w, kith_entities(&it)[i]));
            check_values(w, &it, i);
        }
    }
    CHECK_UINT(met, count);
    met = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it); met += it.count) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK(matches(w, kith_entities(&it)[i]));
            check_values(w, &it, i);
        }
    }
    CHECK_UINT(met, count);
    CHECK_UINT(kith_query_count(query), count);
    CHECK_INT(kith_is_none(kith_query_first(query)), count == 0);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        CHECK_INT(kith_query_contains(query, w->e[i]), matches(w, w->e[i]));
    }
}

TEST_WITHIN(60, groups_of_other_entities_match_as_loops_by_handles_do)
{
    uint32_t rounds = test_short() ? 5 : 60;
    for (uint32_t round = 0; round < rounds; round++) {
        static world_of_any w;
        fill(&w, 100 + round);
        for (uint32_t i = 0; i < 6; i++) {
            some_groups(&w);
            kith_query *query = make_query(&w, NULL);
            kith_query *text = kith_query_text(w.f.world, w.text, NULL);
            CHECK_PTR_NOT_NULL(text);
            char tidy[500];
            CHECK_RESULT(
                kith_query_text_tidy(w.f.world, w.text, tidy, sizeof tidy, NULL, NULL), KITH_OK);
            CHECK_STR(tidy, w.text);
            check(&w, query);
            check(&w, text);
            for (uint32_t k = 0; k < 60; k++) {
                change_one(&w);
            }
            check(&w, query);
            CHECK_WORLD(w.f.world);
            kith_query_free(query);
            kith_query_free(text);
        }
        fixture_free(&w.f);
    }
}

TEST_WITHIN(60, live_queries_follow_groups_of_other_entities)
{
    uint32_t rounds = test_short() ? 5 : 40;
    for (uint32_t round = 0; round < rounds; round++) {
        static world_of_any w;
        fill(&w, 300 + round);
        some_groups(&w);
        test_note(w.text);
        const kith_term counted = KITH_WITH(Count);
        kith_live *live = NULL;
        CHECK_RESULT(kith_live_new(w.f.world, make_query(&w, &counted), &live), KITH_OK);
        for (uint32_t k = 0; k < 20; k++) {
            kith_live_changes changes;
            CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
            for (uint32_t i = 0; i < ENTITIES; i++) {
                CHECK_INT(kith_live_has(live, w.e[i]), matches(&w, w.e[i]));
            }
            for (uint32_t n = 0; n < 10; n++) {
                change_one(&w);
            }
            CHECK_WORLD(w.f.world);
        }
        fixture_free(&w.f);
    }
}

/* What changed, and is in the group: all that was written, and nothing that is not. */
TEST_WITHIN(20, changes_are_looked_for_beside_groups)
{
    for (uint32_t round = 0; round < 20; round++) {
        static world_of_any w;
        fill(&w, 500 + round);
        some_groups(&w);
        test_note(w.text);
        const kith_term changed = KITH_CHANGED(Count);
        kith_query *query = make_query(&w, &changed);
        for (uint32_t look = 0; look < 4; look++) {
            bool met[ENTITIES] = {false};
            for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
                for (uint32_t i = 0; i < it.count; i++) {
                    const kith_entity e = kith_entities(&it)[i];
                    CHECK(matches(&w, e));
                    for (uint32_t k = 0; k < ENTITIES; k++) {
                        met[k] = met[k] || kith_entity_equal(w.e[k], e);
                    }
                }
            }
            for (uint32_t k = 0; k < ENTITIES; k++) {
                const Count *count = KITH_GET(w.f.world, w.e[k], Count);
                CHECK(met[k] || count == NULL || count->met != look || !matches(&w, w.e[k]));
            }
            for (uint32_t k = 0; k < 5; k++) {
                const kith_entity e = w.e[below(&w, ENTITIES)];
                if (kith_alive(w.f.world, e)) {
                    KITH_SET(w.f.world, e, Count, {look + 1});
                }
            }
        }
        fixture_free(&w.f);
    }
}

/* ---- Systems */

static void count_each(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Count)->met++;
        }
    }
}

TEST_WITHIN(20, systems_ask_groups_of_other_entities)
{
    for (uint32_t round = 0; round < 20; round++) {
        static world_of_any w;
        fill(&w, 700 + round);
        some_groups(&w);
        test_note(w.text);
        kith_term terms[MEMBERS + 2] = {{0}};
        for (uint32_t i = 0; i < w.member_count; i++) {
            terms[i] = term_of(&w.members[i]);
        }
        terms[w.member_count] = (kith_term)KITH_WRITE(Count);
        const kith_system_def def = {
            .name = "count", .run = count_each, .parallel = true, .query.terms = terms};
        CHECK_RESULT(kith_system_add(w.f.world, &def), KITH_OK);
        CHECK_RESULT(kith_run(w.f.world, 1), KITH_OK);
        for (uint32_t i = 0; i < ENTITIES; i++) {
            const Count *count = KITH_GET(w.f.world, w.e[i], Count);
            CHECK(count == NULL || count->met == matches(&w, w.e[i]));
        }
        CHECK_WORLD(w.f.world);
        fixture_free(&w.f);
    }
}

/* What a member reads of others counts as KITH_READ does. */
TEST(systems_may_not_write_what_a_member_reads_of_others)
{
    fixture f = fixture_new();
    const kith_system_def def = {
        .name = "wrong",
        .run = count_each,
        .parallel = true,
        .query.terms = KITH_TERMS(KITH_WRITE(Level), KITH_VIA(Targets, KITH_ANY_OF(Level, 0)),
                                  KITH_ANY_OF(Hull, 0))};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "cannot read another entity's Level too");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- Rows of several entities */

TEST_EACH_LAYOUT(groups_ask_other_entities_of_a_row, layout)
{
    static world_of_any w;
    fill(&w, 40 + (uint64_t)layout);
    kith_world *world = w.f.world;
    kith_query *query = KITH_QUERY(world, KITH_ANY_OF(Hull, 3), KITH_PAIR(Targets, 0, 1),
                                   KITH_OTHER(1, KITH_ANY_OF(Level, 3)));
    uint32_t expected = 0;
    for (uint32_t i = 0; i < ENTITIES; i++) {
        const Targets *targets = KITH_GET(world, w.e[i], Targets);
        expected += targets != NULL && kith_alive(world, targets->target) &&
                    (KITH_HAS(world, w.e[i], Hull) || KITH_HAS(world, targets->target, Level));
    }
    CHECK(expected != 0);
    CHECK_UINT(kith_query_count(query), expected);
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            const kith_entity target = KITH_GET(world, kith_entities(&it)[i], Targets)->target;
            CHECK(KITH_TERM_AT(&it, 1, i, Level) == KITH_GET(world, target, Level));
            CHECK(KITH_AT(&it, i, Hull) == KITH_GET(world, kith_entities(&it)[i], Hull));
        }
    }
    kith_query *text =
        kith_query_text(world, "Targets(this, b), any(Hull, b -> Level)", NULL);
    CHECK_PTR_NOT_NULL(text);
    CHECK_UINT(kith_query_count(text), expected);
    CHECK_WORLD(world);
    fixture_free(&w.f);
}

/* ---- Failures */

TEST(groups_of_other_entities_survive_every_allocation_failure)
{
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        fixture f = fixture_new();
        CHECK_RESULT(KITH_TYPES(f.world, Level, Hull, Targets, kith_child_of), KITH_OK);
        const kith_query_def def = {
            .terms = KITH_TERMS(KITH_ANY_OF(Level, 7), KITH_VIA(Targets, KITH_ANY_OF(Hull, 7)),
                                KITH_UP(KITH_ANY_OF(Hull, 7)))};
        fail_allocation(&f, nth);
        kith_query *query = NULL;
        const kith_result result = kith_query_new(f.world, &def, &query);
        reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

TEST(groups_of_other_entities_are_explained)
{
    fixture f = fixture_new();
    char plan[500];
    kith_query *query =
        KITH_QUERY(f.world, KITH_ANY_OF(Hull, 0), KITH_VIA(Targets, KITH_ANY_OF(Level, 0)),
                   KITH_UP(KITH_ANY_OF(Level, 0)), KITH_VIA(Targets, KITH_OPTIONAL(Hull)));
    CHECK_RESULT(kith_query_explain(query, false, plan, sizeof plan, NULL), KITH_OK);
    /* Each member is told once, although it is asked for whether it is there and for its value. */
    CHECK_CONTAINS(plan, "why: no condition is about a value\n"
                         "follows: Targets -> ?Hull, Targets -> Level, up(Level)");
    CHECK_UINT(strlen(strstr(plan, "up(Level)")), strlen("up(Level)"));
    fixture_free(&f);
}

TEST(what_groups_of_other_entities_do_not_take)
{
    fixture f = fixture_new();
    CHECK_RESULT(KITH_TYPES(f.world, Level, Hull, Targets), KITH_OK);
    CHECK_PTR_NULL(KITH_QUERY(f.world, KITH_IF_ANY(KITH_VIA(Targets, KITH_ANY_OF(Level, 0)))));
    CHECK_CONTAINS(kith_error(f.world), "within a group of conditions, is not KITH_WITH");
    CHECK_CONTAINS(kith_error(f.world), "KITH_ANY_OF is for the query's own list");
    kith_live *live = NULL;
    kith_query *query =
        KITH_QUERY(f.world, KITH_ANY_OF(Hull, 0), KITH_VIA(Targets, KITH_ANY_OF(Level, 0)));
    CHECK_RESULT(kith_live_new(f.world, query, &live), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "has no component that an entity must have");
    static const struct {
        const char *text;
        uint32_t column;
        const char *message;
    } cases[] = {
        {"any(Targets -> !Level)", 16, "expected a component, found \"!\""},
        {"any(Hull, up(?Level))", 14, "expected a component, found \"?\""},
        {"any(Hull, Targets -> any(Level))", 25, "after a component of any"},
        {"Targets -> any(Level, Hull)", 12, "write any(Targets -> A, Targets -> B)"},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_text_error error = {.line = 0};
        CHECK_PTR_NULL(kith_query_text(f.world, cases[i].text, &error));
        CHECK_CONTAINS(error.message, cases[i].message);
        CHECK_UINT(error.column, cases[i].column);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}
