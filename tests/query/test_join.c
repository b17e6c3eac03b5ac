/* Conditions that compare what two entities have, and terms that lead by any field that is a handle. */
#include "components.h"
#include "rejects.h"

KITH_RELATION(Targets, KITH_CLEAR);
KITH_LINKS(Likes, KITH_CLEAR, (float, strength));
KITH_COMPONENT(Team, (int32_t, number));
KITH_COMPONENT(Bullet, (int32_t, damage), (kith_entity, shooter), (kith_entity, hit, 2));
KITH_COMPONENT(Title, (char, text, 12));

/* Two ships with turrets, which aim at one another, a bullet, and links. */
typedef struct battle {
    fixture f;
    kith_entity red, blue;         /* ships: red aims at blue, blue at its own turret */
    kith_entity eager, idle, turn; /* turrets of red, red and blue */
    kith_entity bullet;
    kith_entity friendly, hostile; /* links */
} battle;

static battle battle_with(kith_layout links, kith_layout others)
{
    battle w = {.f = fixture_new()};
    kith_world *world = w.f.world;
    const kith_component_def of_links = {.layout = links};
    const kith_component_def of_others = {.layout = others};
    const kith_type *relations[] = {&Targets_type, &Likes_type, &kith_child_of_type};
    const kith_type *components[] = {&Team_type, &Bullet_type, &Title_type, &Health_type};
    for (size_t i = 0; i < 3; i++) {
        CHECK_RESULT(kith_register(world, relations[i], &of_links), KITH_OK);
    }
    for (size_t i = 0; i < 4; i++) {
        CHECK_RESULT(kith_register(world, components[i], &of_others), KITH_OK);
    }
    w.red = KITH_SPAWN(world, KITH_VALUE(Team, {1}), KITH_VALUE(Title, {"ship"}));
    w.blue = KITH_SPAWN(world, KITH_VALUE(Team, {2}), KITH_VALUE(Title, {"ship"}));
    w.eager = KITH_SPAWN(world, KITH_VALUE(Team, {1}), KITH_VALUE(kith_child_of, {w.red}));
    w.idle = KITH_SPAWN(world, KITH_VALUE(Team, {3}), KITH_VALUE(kith_child_of, {w.red}),
                        KITH_VALUE(Health, {3, 10}));
    w.turn = KITH_SPAWN(world, KITH_VALUE(Team, {2}), KITH_VALUE(kith_child_of, {w.blue}),
                        KITH_VALUE(Title, {"turn"}));
    KITH_SET(world, w.red, Targets, {w.blue});
    KITH_SET(world, w.blue, Targets, {w.turn});
    KITH_SET(world, w.eager, Targets, {w.blue});
    KITH_SET(world, w.turn, Targets, {w.blue});
    w.bullet = KITH_SPAWN(world, KITH_VALUE(Bullet, {5, w.eager, {KITH_NONE, w.turn}}));
    w.friendly = KITH_SPAWN(world, KITH_VALUE(Likes, {w.red, w.eager, 1}));
    w.hostile = KITH_SPAWN(world, KITH_VALUE(Likes, {w.eager, w.turn, 2}));
    return w;
}

/* The entities that a query visits, in either kind of batches, and by questions about one. */
static uint32_t visit(kith_query *query, kith_entity *found, uint32_t most)
{
    uint32_t arrays = 0;
    uint32_t rows = 0;
    CHECK_PTR_NOT_NULL(query);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        arrays += it.count;
    }
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++, rows++) {
            CHECK(kith_query_contains(query, kith_entities(&it)[i]));
            if (rows < most) {
                found[rows] = kith_entities(&it)[i];
            }
        }
    }
    CHECK_UINT(arrays, rows);
    CHECK_UINT(kith_query_count(query), rows);
    return rows;
}

static bool finds(kith_query *query, kith_entity a, kith_entity b)
{
    kith_entity found[2] = {{0}};
    uint32_t count = visit(query, found, 2);
    uint32_t expected = !kith_is_none(a) + !kith_is_none(b);
    bool same = (kith_entity_equal(found[0], a) && kith_entity_equal(found[1], b)) ||
                (kith_entity_equal(found[0], b) && kith_entity_equal(found[1], a));
    kith_query_free(query);
    return count == expected && same;
}

static bool finds_text(kith_world *world, const char *text, kith_entity a, kith_entity b)
{
    test_note(text);
    kith_query *query = kith_query_text(world, text, NULL);
    CHECK_PTR_NOT_NULL(query);
    return finds(query, a, b);
}

TEST(what_programs_ask_about_two_entities)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * LAYOUT_COUNT; i++) {
        battle w = battle_with((kith_layout)(i / LAYOUT_COUNT), (kith_layout)(i % LAYOUT_COUNT));
        kith_world *world = w.f.world;
        test_note(layout_name((kith_layout)(i % LAYOUT_COUNT)));

        /* Pairs that aim at each other. */
        CHECK(finds(KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(Targets, target, ==, KITH_THIS))),
                    w.blue, w.turn));
        CHECK(finds_text(world, "* where Targets -> Targets = this", w.blue, w.turn));

        /* Whose target is that of its parent. */
        CHECK(finds(
            KITH_QUERY(world, KITH_IF(Targets, target, ==,
                                      KITH_ITS_VIA(kith_child_of, KITH_ITS(Targets, target)))),
            w.eager, KITH_NONE));
        CHECK(finds_text(world, "* where Targets = ChildOf -> Targets", w.eager, KITH_NONE));
        CHECK(
            finds_text(world, "* where ChildOf -> Targets = this -> Targets", w.eager, KITH_NONE));

        /* Who aims at its own parent. */
        CHECK(
            finds(KITH_QUERY(world, KITH_IF(Targets, target, ==, KITH_ITS(kith_child_of, target))),
                  w.turn, KITH_NONE));
        CHECK(finds_text(world, "* where Targets = ChildOf", w.turn, KITH_NONE));

        /* Who aims at somebody of its own team, and of another one. */
        CHECK(finds(KITH_QUERY(world, KITH_IF(Team, number, ==,
                                              KITH_ITS_VIA(Targets, KITH_ITS(Team, number)))),
                    w.blue, w.turn));
        CHECK(finds(
            KITH_QUERY(world, KITH_VIA(Targets, KITH_IF(Team, number, <,
                                                        KITH_OF_THIS(KITH_ITS(Team, number))))),
            KITH_NONE, KITH_NONE));
        CHECK(finds_text(world, "* where Team.number < Targets -> Team.number", w.red, w.eager));
        CHECK(finds_text(world, "* where Targets -> Team.number > this -> Team.number", w.red,
                         w.eager));

        /* Who is of another team than its ship. */
        CHECK(
            finds(KITH_QUERY(world, KITH_IF(Team, number, !=, KITH_ITS_UP(KITH_ITS(Team, number)))),
                  w.idle, KITH_NONE));
        CHECK(finds_text(world, "* where Team.number != up(Team.number)", w.idle, KITH_NONE));
        CHECK(
            finds_text(world, "* where up(Team.number != this -> Team.number)", w.idle, KITH_NONE));

        /* Who aims at somebody who aims at its parent. */
        CHECK(finds_text(world, "* where Targets -> Targets = this -> ChildOf", KITH_NONE,
                         KITH_NONE));
        KITH_SET(world, w.blue, Targets, {w.red});
        CHECK(
            finds_text(world, "* where Targets -> Targets = this -> ChildOf", w.eager, KITH_NONE));
        CHECK(finds_text(world, "* where ChildOf = Targets -> Targets", w.eager, KITH_NONE));
        KITH_SET(world, w.blue, Targets, {w.turn});

        /* Triangles: a aims at b, b at c, c at a. */
        CHECK(finds_text(world, "* where Targets -> Targets -> Targets = this", KITH_NONE,
                         KITH_NONE));
        KITH_SET(world, w.turn, Targets, {w.red});
        kith_query *triangles = KITH_QUERY(
            world, KITH_VIA(Targets, KITH_VIA(Targets, KITH_IF(Targets, target, ==, KITH_THIS))));
        CHECK_UINT(visit(triangles, NULL, 0), 3);
        CHECK(kith_query_contains(triangles, w.red) && !kith_query_contains(triangles, w.eager));
        KITH_SET(world, w.turn, Targets, {w.blue});

        /* Children of one that are damaged; who aims at one. */
        kith_query *damaged =
            kith_query_text(world, "* where ChildOf = $ship and Health.current < Health.max", NULL);
        CHECK_RESULT(kith_query_bind(damaged, "ship", w.red), KITH_OK);
        CHECK(finds(damaged, w.idle, KITH_NONE));
        kith_query *aiming = kith_query_text(world, "* where Targets -> Targets = $who", NULL);
        CHECK_RESULT(kith_query_bind(aiming, "who", w.turn), KITH_OK);
        CHECK_UINT(visit(aiming, NULL, 0), 3);

        /* Fields that are not the first of their components, on either side. */
        KITH_SET(world, w.eager, Health, {20, 30});
        KITH_SET(world, w.blue, Health, {30, 20});
        CHECK(finds_text(world, "* where Health.max = Targets -> Health.current", w.eager,
                         KITH_NONE));
        CHECK(finds_text(world, "* where Health.current = Targets -> Health.max", w.eager,
                         KITH_NONE));
        CHECK(finds_text(world, "* where Targets -> Health.max = this -> Health.current", w.eager,
                         KITH_NONE));
        CHECK(finds_text(world, "* where Targets -> Health.current = this -> Health.max", w.eager,
                         KITH_NONE));
        CHECK(
            finds_text(world, "* where Health.max < Targets -> Health.max", KITH_NONE, KITH_NONE));

        /* Lists may have both. */
        kith_query *listed = kith_query_text(
            world, "* where Team.number in (3, Targets -> Team.number, 9, up(Team.number), 8)",
            NULL);
        CHECK_UINT(visit(listed, NULL, 0), 4);
        CHECK(kith_query_contains(listed, w.idle) && kith_query_contains(listed, w.blue));
        CHECK(kith_query_contains(listed, w.turn) && kith_query_contains(listed, w.eager));

        /* Texts. */
        CHECK(finds_text(world, "* where Title.text = Targets -> Title.text", w.red, KITH_NONE));
        CHECK(finds_text(world, "* where Targets -> Title.text != this -> Title.text", w.blue,
                         w.turn));
        CHECK_WORLD(world);
        fixture_free(&w.f);
    }
}

TEST(links_lead_by_either_end)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * LAYOUT_COUNT; i++) {
        battle w = battle_with((kith_layout)(i / LAYOUT_COUNT), (kith_layout)(i % LAYOUT_COUNT));
        kith_world *world = w.f.world;
        CHECK(finds(KITH_QUERY(world, KITH_VIA_FIELD(Likes, source, KITH_WITH(Title))), w.friendly,
                    KITH_NONE));
        CHECK(finds(KITH_QUERY(world, KITH_VIA_FIELD(Likes, target, KITH_WITH(Title))), w.hostile,
                    KITH_NONE));
        CHECK(finds(KITH_QUERY(world, KITH_VIA(Likes, KITH_WITH(Title))), w.hostile, KITH_NONE));
        CHECK(finds(
            KITH_QUERY(world, KITH_VIA_FIELD(Likes, source,
                                             KITH_IF(Team, number, ==,
                                                     KITH_OF_THIS(KITH_ITS_VIA_FIELD(
                                                         Likes, target, KITH_ITS(Team, number)))))),
            w.friendly, KITH_NONE));
        CHECK(finds_text(
            world, "* where Likes.source -> Team.number = this -> Likes.target -> Team.number",
            w.friendly, KITH_NONE));
        CHECK(finds_text(
            world, "* where Likes.source -> Team.number < this -> Likes.target -> Team.number",
            w.hostile, KITH_NONE));
        kith_query *ends = kith_query_text(
            world, "Likes, Likes.source -> Team, Likes.target -> Team where Likes.strength = 2",
            NULL);
        CHECK_UINT(visit(ends, NULL, 0), 1);
        for (kith_iter it = kith_query_iter(ends); kith_next(&it);) {
            CHECK_INT(KITH_TERM_AT(&it, 1, 0, Team)->number, 1);
            CHECK_INT(KITH_TERM_AT(&it, 2, 0, Team)->number, 2);
        }
        CHECK_WORLD(world);
        fixture_free(&w.f);
    }
}

TEST(any_field_that_is_a_handle_leads_on)
{
    for (uint32_t i = 0; i < LAYOUT_COUNT * LAYOUT_COUNT; i++) {
        battle w = battle_with((kith_layout)(i / LAYOUT_COUNT), (kith_layout)(i % LAYOUT_COUNT));
        kith_world *world = w.f.world;
        kith_query *shots = KITH_QUERY(
            world, KITH_READ(Bullet), KITH_VIA_FIELD(Bullet, shooter, KITH_READ(Team)),
            KITH_VIA_FIELD(Bullet, shooter, KITH_VIA(kith_child_of, KITH_WITH(Targets))));
        CHECK_UINT(visit(shots, NULL, 0), 1);
        for (kith_iter it = kith_query_iter(shots); kith_next(&it);) {
            CHECK_INT(KITH_TERM_AT(&it, 1, 0, Team)->number, 1);
        }
        CHECK(finds(KITH_QUERY(world, KITH_VIA_FIELD(Bullet, hit[1], KITH_WITH(Title))), w.bullet,
                    KITH_NONE));
        CHECK(finds(KITH_QUERY(world, KITH_VIA_FIELD(Bullet, hit[0], KITH_WITHOUT(Title))),
                    KITH_NONE, KITH_NONE));
        CHECK(finds_text(world, "* where Bullet.hit[1] -> has(Title)", w.bullet, KITH_NONE));
        CHECK(finds_text(
            world, "* where Bullet.shooter -> Team.number != this -> Bullet.hit[1] -> Team.number",
            w.bullet, KITH_NONE));

        /* Unlike a relation, a handle may be of a dead entity, also once its slot is used again. */
        kith_despawn(world, w.eager);
        CHECK_UINT(visit(shots, NULL, 0), 0);
        KITH_SPAWN(world, KITH_VALUE(Team, {1}), KITH_VALUE(kith_child_of, {w.red}));
        CHECK_UINT(visit(shots, NULL, 0), 0);
        KITH_SET(world, w.bullet, Bullet, {5, {UINT32_MAX, 3}, {{0, 7}, KITH_NONE}});
        CHECK_UINT(visit(shots, NULL, 0), 0);
        CHECK(finds(KITH_QUERY(world, KITH_VIA_FIELD(Bullet, hit[0], KITH_WITHOUT(Title))),
                    KITH_NONE, KITH_NONE));
        fixture_free(&w.f);
    }
}

/* ---- Mistakes */

static kith_term compares(const kith_condition *condition)
{
    return (kith_term){.type = &Team_type, .condition = condition};
}

TEST(comparisons_with_others_that_make_no_sense_are_refused)
{
    fixture f = fixture_new();
    const kith_operand number = KITH_ITS(Team, number);
    rejects(&f, (kith_term)KITH_VIA_FIELD(Bullet, damage, KITH_WITH(Team)),
            "a field of Bullet is i32, and does not lead to another entity");
    rejects(&f, (kith_term)KITH_VIA_FIELD(Bullet, hit, KITH_WITH(Team)), "name one of them");
    rejects(&f, (kith_term)KITH_IF(Team, number, ==, KITH_THIS),
            "Team.number is i32, and cannot be compared with KITH_THIS");
    rejects(&f, (kith_term)KITH_IF(Team, number, ==, KITH_ITS_VIA(Targets, KITH_ITS(Title, text))),
            "cannot be compared with Title.text");
    rejects(&f, (kith_term)KITH_IF(Targets, target, <, KITH_THIS), "but not less or greater");
    rejects(&f, (kith_term)KITH_IF(Team, number, ==, KITH_ITS_VIA(Health, KITH_ITS(Team, number))),
            "the type there is not a relation");
    rejects(&f,
            (kith_term)KITH_IF(Team, number, ==,
                               KITH_ITS_VIA_FIELD(Bullet, damage, KITH_ITS(Team, number))),
            "does not lead to another entity");
    rejects(&f, (kith_term)KITH_IF(Team, number, ==, KITH_ITS_VIA(Targets, kith_bound("x"))),
            "is compared with what is no field of another entity");
    rejects(&f, (kith_term)KITH_IF(Targets, target, ==, KITH_ITS_VIA(Targets, KITH_THIS)),
            "is compared with what is no field of another entity");
    rejects(&f, (kith_term)KITH_IF(Team, number, ==, KITH_OF_THIS(KITH_OF_THIS(number))),
            "is compared with what is no field of another entity");
    rejects(&f, (kith_term)KITH_IF(Team, number, ==, KITH_ITS_UP(KITH_ITS_VIA(Targets, number))),
            "which is only KITH_ITS");
    rejects(
        &f,
        (kith_term)KITH_IF_IN(
            Team, number, 3,
            KITH_ITS_VIA(
                Targets,
                KITH_ITS_VIA(
                    Targets,
                    KITH_ITS_VIA(Targets, KITH_ITS_VIA(Targets, KITH_ITS_VIA(Targets, number)))))),
        "more than four relations away");
    const kith_operand circle =
        kith_operand_of_(KITH_OPERAND_NEAREST, &Targets_type, NULL, 0, &number);
    rejects(&f,
            compares(&(kith_condition){.op = KITH_OP_EQUAL, .field = "number", .value = circle}),
            "the type there is not a relation");
    const kith_operand nowhere = kith_operand_of_(KITH_OPERAND_TARGET, NULL, NULL, 0, &number);
    rejects(&f,
            compares(&(kith_condition){.op = KITH_OP_EQUAL, .field = "number", .value = nowhere}),
            "the type there is not a relation");
    const kith_operand endless =
        kith_operand_of_(KITH_OPERAND_TARGET, &Targets_type, NULL, 0, NULL);
    rejects(&f,
            compares(&(kith_condition){.op = KITH_OP_EQUAL, .field = "number", .value = endless}),
            "is compared with what is no field of another entity");
    const kith_operand untyped = kith_operand_of_(KITH_OPERAND_FIELD, NULL, "number", 0, NULL);
    rejects(&f,
            compares(&(kith_condition){.op = KITH_OP_EQUAL, .field = "number", .value = untyped}),
            "is compared with a field that has no type");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(explained_queries_tell_by_which_field_they_follow)
{
    battle w = battle_with(KITH_TABLE, KITH_TABLE);
    kith_query *query = KITH_QUERY(
        w.f.world, KITH_VIA_FIELD(Likes, source, KITH_READ(Team)),
        KITH_VIA_FIELD(Bullet, hit[1], KITH_WITH(Team)),
        KITH_IF(Team, number, ==, KITH_ITS_VIA(Likes, KITH_ITS_UP(KITH_ITS(Team, number)))));
    char text[500];
    CHECK_RESULT(kith_query_explain(query, false, text, sizeof text, NULL), KITH_OK);
    CHECK_CONTAINS(text, "\nfollows: Likes.source -> Team, Bullet.hit[1] -> Team, Likes ->"
                         " up(Team)");
    fixture_free(&w.f);
}

TEST(comparisons_with_others_survive_every_allocation_failure)
{
    for (size_t nth = 1;; nth++) {
        battle w = battle_with(KITH_TABLE, KITH_SPARSE);
        fail_allocation(&w.f, nth);
        kith_query *query =
            KITH_QUERY(w.f.world, KITH_VIA(Targets, KITH_IF(Targets, target, ==, KITH_THIS)),
                       KITH_IF_IN(Team, number, kith_bound("team"),
                                  KITH_OF_THIS(KITH_ITS_VIA(Targets, KITH_ITS(Team, number)))));
        kith_result result = query == NULL ? KITH_ERR_MEMORY : kith_query_bind(query, "team", 7);
        uint32_t count = 0;
        if (result == KITH_OK) {
            kith_iter it = kith_query_iter(query);
            for (; kith_next_rows(&it); count += it.count) {
            }
            result = it.result;
            CHECK_UINT(count, result == KITH_OK ? 2 : 0);
        }
        bool reached = fail_nothing(&w.f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_WORLD(w.f.world);
        fixture_free(&w.f);
        if (!reached) {
            break;
        }
    }
}
