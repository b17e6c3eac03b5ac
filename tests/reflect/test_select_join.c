/* Selections that give out fields of other entities, beside loops by handles. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_RELATION(Targets, KITH_CLEAR);
KITH_LINKS(Likes, KITH_CLEAR, (int32_t, strength));
KITH_COMPONENT(Turret, (int32_t, number), (kith_entity, owner));
KITH_COMPONENT(Team, (int32_t, number));
KITH_TAG(Wreck);

#define SHIPS 30
#define TURRETS 1500 /* more than a batch */

typedef struct fleet {
    fixture f;
    uint64_t random;
    kith_entity ships[SHIPS];
    kith_entity turrets[TURRETS];
} fleet;

static fleet *fleet_new(uint32_t seed)
{
    fleet *w = calloc(1, sizeof *w);
    CHECK_PTR_NOT_NULL(w);
    w->f = fixture_new();
    w->random = seed;
    kith_world *world = w->f.world;
    const kith_type *types[] = {&Targets_type, &Turret_type,        &Team_type,
                                &Health_type,  &kith_child_of_type, &Likes_type};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        kith_component_def def = {.layout = (kith_layout)random_below(&w->random, LAYOUT_COUNT)};
        CHECK_RESULT(kith_register(world, types[i], &def), KITH_OK);
    }
    CHECK_RESULT(KITH_TYPES(world, Name, Wreck), KITH_OK);
    for (int32_t i = 0; i < SHIPS; i++) {
        w->ships[i] =
            KITH_SPAWN(world, KITH_VALUE(Health, {(int32_t)random_below(&w->random, 50), 50}));
        if (i % 2 == 0) {
            KITH_SET(world, w->ships[i], Team, {i % 5});
        }
        if (i >= 10) {
            KITH_SET(world, w->ships[i], kith_child_of, {w->ships[i - 10]});
        }
    }
    for (int32_t i = 0; i < TURRETS; i++) {
        kith_entity owner = w->ships[random_below(&w->random, SHIPS)];
        w->turrets[i] = KITH_SPAWN(world, KITH_VALUE(Turret, {i, owner}));
        if (random_below(&w->random, 4) != 0) {
            KITH_SET(world, w->turrets[i], Targets, {w->ships[random_below(&w->random, SHIPS)]});
        }
        if (random_below(&w->random, 4) != 0) {
            KITH_SET(world, w->turrets[i], kith_child_of,
                     {w->ships[random_below(&w->random, SHIPS)]});
        }
    }
    kith_despawn(world, w->ships[3]); /* owners may be dead */
    return w;
}

static void fleet_free(fleet *w)
{
    CHECK_WORLD(w->f.world);
    fixture_free(&w->f);
    free(w);
}

static kith_select *run(kith_world *world, const char *text)
{
    kith_select *select = NULL;
    kith_text_error error = {.line = 0};
    kith_result result = kith_select_new(world, text, &error, &select);
    CHECK_STR(error.message, "");
    CHECK_RESULT(result, KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    return select;
}

/* Checks one value: that at `expected`, or none. */
static void check_value(const kith_select *select, uint32_t row, uint32_t column,
                        const int32_t *expected)
{
    const int32_t *value = kith_select_value(select, row, column);
    CHECK_INT(value == NULL, expected == NULL);
    CHECK_INT(value == NULL ? 0 : *value, expected == NULL ? 0 : *expected);
}

static const int32_t *team_above(kith_world *world, kith_entity e)
{
    for (e = kith_parent(world, e); !kith_is_none(e); e = kith_parent(world, e)) {
        const Team *team = KITH_GET(world, e, Team);
        if (team != NULL) {
            return &team->number;
        }
    }
    return NULL;
}

static const int32_t *health_of(kith_world *world, kith_entity e)
{
    const Health *health = KITH_GET(world, e, Health);
    return health == NULL ? NULL : &health->current;
}

TEST(columns_are_those_of_other_entities)
{
    for (uint32_t seed = 0; seed < 6; seed++) {
        fleet *w = fleet_new(seed);
        kith_world *world = w->f.world;
        kith_select *select =
            run(world, "Turret select entity, Targets -> Health.current, up(Team.number),"
                       " Turret.owner -> Health.current, Targets -> ChildOf -> Health.current,"
                       " Turret.owner -> up(Team.number)");
        CHECK(kith_select_row_count(select) > 1024); /* some went with a ship */
        CHECK_STR(kith_select_column(select, 1)->name, "Targets -> Health.current");
        CHECK_STR(kith_select_column(select, 2)->name, "up(Team.number)");
        CHECK_STR(kith_select_column(select, 5)->name, "Turret.owner -> up(Team.number)");
        for (uint32_t row = 0; row < kith_select_row_count(select); row++) {
            kith_entity e = *(const kith_entity *)kith_select_value(select, row, 0);
            kith_entity target = kith_target(world, e, &Targets_type);
            kith_entity owner = KITH_GET(world, e, Turret)->owner;
            check_value(select, row, 1, health_of(world, target));
            check_value(select, row, 2, team_above(world, e));
            check_value(select, row, 3, health_of(world, owner));
            check_value(select, row, 4, health_of(world, kith_parent(world, target)));
            check_value(select, row, 5, team_above(world, owner));
        }
        fleet_free(w);
    }
}

/* Both ends of a link lead to other values. */
TEST(columns_are_told_apart_by_the_ends_of_links)
{
    fleet *w = fleet_new(5);
    kith_world *world = w->f.world;
    for (int32_t i = 0; i < 6; i++) {
        KITH_SPAWN(world, KITH_VALUE(Likes, {w->ships[4 + i], w->ships[14 + i], i}));
    }
    kith_select *select = run(world, "Likes select entity, Likes.source -> Health.current,"
                                     " Likes.target -> Health.current");
    CHECK_UINT(kith_select_row_count(select), 6);
    for (uint32_t row = 0; row < 6; row++) {
        const kith_entity e = *(const kith_entity *)kith_select_value(select, row, 0);
        const Likes *link = KITH_GET(world, e, Likes);
        check_value(select, row, 1, health_of(world, link->source));
        check_value(select, row, 2, health_of(world, link->target));
    }
    fleet_free(w);
}

/* One component, read of the entity itself, of its target and of its ancestors. */
TEST(columns_of_one_component_are_told_apart_by_their_ways)
{
    fleet *w = fleet_new(8);
    kith_world *world = w->f.world;
    KITH_SET(world, w->ships[20], Targets, {w->ships[12]});
    kith_select *select =
        run(world,
            "Health, ChildOf select entity, Team.number, up(Team.number), ChildOf -> Team.number,"
            " Targets -> Team.number, ChildOf -> up(Team.number)");
    CHECK_UINT(kith_select_row_count(select), 18); /* two went with a ship */
    for (uint32_t row = 0; row < kith_select_row_count(select); row++) {
        kith_entity e = *(const kith_entity *)kith_select_value(select, row, 0);
        const Team *own = KITH_GET(world, e, Team);
        const Team *of_parent = KITH_GET(world, kith_parent(world, e), Team);
        const Team *of_target = KITH_GET(world, kith_target(world, e, &Targets_type), Team);
        check_value(select, row, 1, own == NULL ? NULL : &own->number);
        check_value(select, row, 2, team_above(world, e));
        check_value(select, row, 3, of_parent == NULL ? NULL : &of_parent->number);
        check_value(select, row, 4, of_target == NULL ? NULL : &of_target->number);
        check_value(select, row, 5, team_above(world, kith_parent(world, e)));
    }
    fleet_free(w);
}

TEST(order_groups_and_sums_are_about_other_entities)
{
    for (uint32_t seed = 10; seed < 14; seed++) {
        fleet *w = fleet_new(seed);
        kith_world *world = w->f.world;

        /* By the health of the target; those without one come first. */
        kith_select *ordered =
            run(world, "Turret select Targets -> Health.current"
                       " order by Targets -> Health.current desc, Turret.number limit 1000");
        CHECK_UINT(kith_select_row_count(ordered), 1000);
        for (uint32_t row = 1; row < 1000; row++) {
            const int32_t *before = kith_select_value(ordered, row - 1, 0);
            const int32_t *value = kith_select_value(ordered, row, 0);
            CHECK(value == NULL || (before != NULL && *before >= *value));
        }

        kith_select *groups =
            run(world, "Turret where Targets -> has(Health) group by Targets -> Team.number"
                       " select Targets -> Team.number, count, sum(Targets -> Health.current),"
                       " max(up(Team.number)) order by sum(Targets -> Health.current)");
        uint32_t all = 0;
        for (uint32_t row = 0; row < kith_select_row_count(groups); row++) {
            const int32_t *team = kith_select_value(groups, row, 0);
            uint64_t count = 0;
            int64_t sum = 0;
            int32_t most = -1;
            for (uint32_t i = 0; i < TURRETS; i++) {
                kith_entity target = kith_target(world, w->turrets[i], &Targets_type);
                const Team *own = KITH_GET(world, target, Team);
                if (health_of(world, target) == NULL || (own == NULL) != (team == NULL) ||
                    (own != NULL && own->number != *team)) {
                    continue;
                }
                const int32_t *above = team_above(world, w->turrets[i]);
                count++;
                sum += *health_of(world, target);
                most = above != NULL && *above > most ? *above : most;
            }
            CHECK_UINT(*(const uint64_t *)kith_select_value(groups, row, 1), count);
            CHECK_INT(*(const int64_t *)kith_select_value(groups, row, 2), sum);
            CHECK_INT(*(const int32_t *)kith_select_value(groups, row, 3), most);
            all += (uint32_t)count;
        }
        CHECK(all > 500 && kith_select_row_count(groups) > 2);
        fleet_free(w);
    }
}

/* Links have two ends, and both give columns. */
TEST(columns_of_links_are_of_either_end)
{
    fleet *w = fleet_new(20);
    kith_world *world = w->f.world;
    KITH_SPAWN(world, KITH_VALUE(Likes, {w->ships[0], w->ships[4], 7}));
    kith_select *select = run(world, "Likes, Likes.source -> Team, Likes.target -> ?Health");
    const char *names[] = {"entity",
                           "Likes.source",
                           "Likes.target",
                           "Likes.strength",
                           "Likes.source -> Team.number",
                           "Likes -> Health.current",
                           "Likes -> Health.max"};
    CHECK_UINT(kith_select_column_count(select), 7);
    for (uint32_t i = 0; i < 7; i++) {
        CHECK_STR(kith_select_column(select, i)->name, names[i]);
    }
    CHECK_UINT(kith_select_row_count(select), 1);
    CHECK_INT(*(const int32_t *)kith_select_value(select, 0, 4), 0);
    CHECK_INT(*(const int32_t *)kith_select_value(select, 0, 5), *health_of(world, w->ships[4]));
    kith_select *all = run(world, "Likes select Likes.target -> Health, Targets -> Targets");
    CHECK_UINT(kith_select_column_count(all), 3);
    CHECK_STR(kith_select_column(all, 2)->name, "Targets -> Targets.target");
    CHECK_PTR_NULL(kith_select_value(all, 0, 2));
    fleet_free(w);
}

TEST(mistakes_in_outputs_have_a_place)
{
    fleet *w = fleet_new(30);
    static const struct {
        const char *text;
        uint32_t column;
        const char *message;
    } cases[] = {
        {"Turret select Health -> Team.number", 15, "expected a relation, or a field that is an"},
        {"Turret select Target -> Team.number", 15, "did you mean Targets?"},
        {"Turret select Targets -> Team.numbr", 26,
         "expected a field of Team (did you mean number"},
        {"Turret select Targets -> Wreck", 26, "a component that has fields"},
        {"Turret select Targets -> ", 26, "expected a field or a component, found the end"},
        {"Turret select up(Targets -> Team.number)", 18, "a field or a component, in up"},
        {"Turret select sum(Targets -> Health)", 30, "expected a field of Health"},
        {"Turret select sum(Targets -> Name.text)", 30, "a field with a number, to be added"},
        {"Turret select Targets -> Targets -> Targets -> Targets -> Targets -> Team.number", 59,
         "at most 4 relations on a way"},
        {"Turret group by Targets -> Team.number select up(Team.number)", 47,
         "a sum, or a field that the query groups by"},
        {"Turret order by Targets -> Helth.current", 28, "did you mean Health?"},
        {"Turret where Turret.number = Targets -> Name.text", 30, "expected a number for Turret"},
        {"Turret where Turret.number = this", 30, "expected a number for Turret.number"},
        {"Turret where Targets = this -> Team.number", 24, "expected an entity"},
        {"Turret where Targets = up(Targets -> ChildOf)", 27, "one field, in up as a value"},
        {"Turret where Targets = this -> this -> ChildOf", 32, "a component that is registered"},
        {"Turret where Likes = this", 14, "expected Likes.source or Likes.target"},
        {"Turret where Turret.number -> has(Team)", 14, "expected a relation, or a field that is"},
        {"Turret where Turret.ownr -> has(Team)", 14, "did you mean owner?"},
        {"Turret where Targets = Targets -> Targets -> Targets -> Targets -> Targets -> Targets",
         68, "at most 4 relations in one term"},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        kith_select *select = NULL;
        kith_text_error error = {.line = 0};
        CHECK_RESULT(kith_select_new(w->f.world, cases[i].text, &error, &select), KITH_ERR_INPUT);
        CHECK_CONTAINS(error.message, cases[i].message);
        CHECK_UINT(error.column, cases[i].column);
    }
    fleet_free(w);
}

TEST(tidy_outputs_are_read_as_the_same)
{
    fixture f = fixture_new();
    static const struct {
        const char *text;
        const char *tidy;
    } cases[] = {
        {"* select A->B.c,up(D),sum( A.e->B.c ) order by max(up(D.f)) desc",
         "* select A -> B.c, up(D), sum(A.e -> B.c) order by max(up(D.f)) desc"},
        {"* where A.b=this->C.d->E.f and A.g in(1,up(H.i)) group by J->K.l",
         "* where A.b = this -> C.d -> E.f and A.g in (1, up(H.i)) group by J -> K.l"},
        {"* where A->B=this or not A.c between B->C.d and this -> E.f",
         "* where A -> B = this or not A.c between B -> C.d and this -> E.f"},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        char tidy[200];
        CHECK_RESULT(kith_query_text_tidy(f.world, cases[i].text, tidy, sizeof tidy, NULL, NULL),
                     KITH_OK);
        CHECK_STR(tidy, cases[i].tidy);
        CHECK_RESULT(kith_query_text_tidy(f.world, cases[i].tidy, tidy, sizeof tidy, NULL, NULL),
                     KITH_OK);
        CHECK_STR(tidy, cases[i].tidy);
    }
    fixture_free(&f);
}

TEST(selections_of_others_survive_every_allocation_failure)
{
    for (size_t nth = 1;; nth++) {
        fleet *w = fleet_new(40);
        kith_select *select = NULL;
        fail_allocation(&w->f, nth);
        kith_result result = kith_select_new(
            w->f.world,
            "Turret, Targets -> Health where Turret.number < Targets -> Health.max group by"
            " Targets -> Team.number, up(Team.number) order by sum(Turret.owner -> Health.max)",
            NULL, &select);
        if (result == KITH_OK) {
            result = kith_select_run(select);
        }
        bool reached = fail_nothing(&w->f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        fleet_free(w);
        if (!reached) {
            break;
        }
    }
}
