/* kith_world_check finds links that were broken by hand, names what is wrong, and ends whatever they
 * hold. */
#include <kith/kith.h>

#include "kept_relations.h"
#include "store/relation.h"
#include "store/slots.h"
#include "world/world.h"

enum { FAMILY = 6 };

/* Slots 1 to 3 lead to 0, and 4 and 5 to 1, by a relation. */
typedef struct family {
    fixture f;
    kith_entity list[FAMILY];
    ki_relation *relation;
} family;

static family family_new(const kith_type *type)
{
    static const uint32_t targets[FAMILY] = {0, 0, 0, 0, 1, 1};
    family m = {.f = fixture_new()};
    CHECK_RESULT(kith_register(m.f.world, type, NULL), KITH_OK);
    for (uint32_t i = 0; i < FAMILY; i++) {
        m.list[i] = KITH_SPAWN(m.f.world, KITH_VALUE(Position, {1, 2}));
        if (i > 0) {
            CHECK_RESULT(link_by(m.f.world, m.list[i], type, m.list[targets[i]]), KITH_OK);
        }
    }
    m.relation = m.f.world->store.relations[0];
    CHECK_WORLD(m.f.world);
    return m;
}

static ki_link *link_at(const family *m, uint32_t index)
{
    return ki_column_at(&m->relation->links, index);
}

/* Checks that something is wrong, puts the links back, and checks that nothing is then. */
static void check_wrong(family *m, const ki_link *right, const char *message)
{
    CHECK_RESULT(kith_world_check(m->f.world), KITH_ERR_CORRUPT);
    CHECK_CONTAINS(kith_error(m->f.world), message);
    memcpy(link_at(m, 0), right, FAMILY * sizeof *right);
    CHECK_WORLD(m->f.world);
}

static const char not_what[] = "a relation's link is not what the value says, or leads to the dead";
static const char no_source[] = "a relation's list goes on from what is no source";
static const char of_another[] = "a relation's list has the source of another target";
static const char backwards[] = "a relation's list is not the same backwards";
static const char no_last[] = "a relation's list does not know its last source";
static const char no_list[] = "a relation's source is in no list";
static const char circle[] = "a relation's targets lead in a circle";

/* One number of one link is another one. */
TEST(each_number_of_a_link_is_looked_at)
{
    static const struct {
        uint32_t index;
        uint32_t number; /* of ki_link */
        uint32_t wrong;
        const char *message;
    } cases[] = {
        {1, 0, 0, of_another},         {1, 0, 3, of_another},      {0, 0, 3, not_what},
        {1, 0, UINT32_MAX, of_another}, {0, 1, 0, no_list},         {0, 1, 3, no_last},
        {0, 1, 1, of_another},         {0, 1, 5, of_another},      {0, 1, UINT32_MAX, of_another},
        {2, 1, 4, of_another},         {1, 1, 6, no_last},         {1, 2, 0, no_last},
        {1, 2, 4, backwards},          {2, 2, 5, of_another},      {3, 2, 2, backwards},
        {3, 2, 4, backwards},          {2, 2, 3, backwards},       {1, 2, 2, backwards},
        {3, 2, UINT32_MAX, of_another}, {1, 3, 0, no_last},        {1, 3, 3, no_last},
        {2, 3, 4, backwards},          {3, 3, 0, backwards},       {3, 3, 3, NULL},
        {0, 2, 2, no_source},          {0, 3, 1, no_source},       {4, 2, 0, no_last},
        {5, 3, 0, backwards},          {4, 3, 1, no_last},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        family m = family_new(&Follows_type);
        ki_link right[FAMILY];
        memcpy(right, link_at(&m, 0), sizeof right);
        ((uint32_t *)link_at(&m, cases[i].index))[cases[i].number] = cases[i].wrong;
        if (cases[i].message == NULL) {
            CHECK_WORLD(m.f.world); /* it is that already */
        } else {
            check_wrong(&m, right, cases[i].message);
        }
        fixture_free(&m.f);
    }
}

/* Lists that go round: the check has to end. */
TEST(lists_that_go_round_are_found)
{
    family m = family_new(&Follows_type);
    ki_link right[FAMILY];
    memcpy(right, link_at(&m, 0), sizeof right);
    link_at(&m, 3)->next1 = 2; /* the last before the first, which knows it as the last */
    check_wrong(&m, right, backwards);
    link_at(&m, 1)->next1 = 2; /* one alone */
    link_at(&m, 1)->previous1 = 2;
    check_wrong(&m, right, backwards);
    link_at(&m, 0)->first1 = 2; /* two go round beside the list */
    link_at(&m, 1)->next1 = 0;
    link_at(&m, 1)->previous1 = 2;
    link_at(&m, 2)->next1 = 4;
    link_at(&m, 2)->previous1 = 4;
    link_at(&m, 3)->next1 = 3;
    link_at(&m, 3)->previous1 = 3;
    check_wrong(&m, right, no_list);
    link_at(&m, 2)->next1 = 3; /* the second goes round itself */
    link_at(&m, 2)->previous1 = 3;
    check_wrong(&m, right, backwards);
    link_at(&m, 5)->next1 = 5; /* in the list below */
    check_wrong(&m, right, backwards);
    fixture_free(&m.f);
}

/* Writes a value where it lies, and the links that it asks for. */
static void write_target(family *m, uint32_t index, kith_entity target)
{
    void *value = (void *)(uintptr_t)kith_get(m->f.world, m->list[index],
                                              m->relation->component->type);
    memcpy(value, &target, sizeof target);
}

TEST(targets_that_lead_in_a_circle_are_found)
{
    static const kith_type *const types[] = {&Hangs_type, &kith_child_of_type};
    for (size_t i = 0; test_row(i, ROWS_OF(types)); i++) {
        family m = family_new(types[i]);
        ki_link right[FAMILY];
        memcpy(right, link_at(&m, 0), sizeof right);
        /* 1 leads to 4, which leads to 1. */
        write_target(&m, 1, m.list[4]);
        *link_at(&m, 0) = (ki_link){.first1 = 3};
        *link_at(&m, 2) = (ki_link){.target1 = 1, .next1 = 4, .previous1 = 4};
        *link_at(&m, 4) = (ki_link){.target1 = 2, .first1 = 2, .next1 = 6, .previous1 = 6};
        *link_at(&m, 1) = (ki_link){.target1 = 5, .first1 = 5, .previous1 = 2};
        CHECK_RESULT(kith_world_check(m.f.world), KITH_ERR_CORRUPT);
        CHECK_CONTAINS(kith_error(m.f.world), circle);
        /* 1 leads to itself. */
        write_target(&m, 1, m.list[1]);
        *link_at(&m, 4) = (ki_link){.target1 = 2, .next1 = 6, .previous1 = 2};
        *link_at(&m, 1) = (ki_link){.target1 = 2, .first1 = 2, .next1 = 5, .previous1 = 6};
        CHECK_RESULT(kith_world_check(m.f.world), KITH_ERR_CORRUPT);
        CHECK_CONTAINS(kith_error(m.f.world), circle);
        write_target(&m, 1, m.list[0]);
        check_wrong(&m, right, not_what);
        fixture_free(&m.f);
    }
    family m = family_new(&Follows_type); /* which may */
    CHECK_RESULT(KITH_SET(m.f.world, m.list[1], Follows, {m.list[4], 1}), KITH_OK);
    CHECK_RESULT(KITH_SET(m.f.world, m.list[0], Follows, {m.list[0], 1}), KITH_OK);
    CHECK_WORLD(m.f.world);
    fixture_free(&m.f);
}

TEST(values_that_the_links_do_not_know_are_found)
{
    static const kith_type *const types[] = {&Follows_type, &Hangs_type, &Docked_type};
    for (size_t i = 0; test_row(i, ROWS_OF(types)); i++) {
        family m = family_new(types[i]);
        ki_link right[FAMILY];
        memcpy(right, link_at(&m, 0), sizeof right);
        const kith_entity wrong[] = {m.list[2],
                                     KITH_NONE,
                                     {m.list[0].index1, m.list[0].generation + 1},
                                     {FAMILY + 1, 0},
                                     {UINT32_MAX, 0}};
        for (size_t k = 0; k < ROWS_OF(wrong); k++) {
            write_target(&m, 3, wrong[k]);
            CHECK_RESULT(kith_world_check(m.f.world), KITH_ERR_CORRUPT);
            CHECK_CONTAINS(kith_error(m.f.world), not_what);
            write_target(&m, 3, m.list[0]);
            CHECK_WORLD(m.f.world);
        }
        CHECK_RESULT(kith_remove(m.f.world, m.list[5], types[i]), KITH_OK);
        memcpy(right, link_at(&m, 0), sizeof right);
        link_at(&m, 5)->target1 = 2; /* which has no value any more */
        check_wrong(&m, right, not_what);
        fixture_free(&m.f);
    }
}

/* Where nobody lives, and beyond the last slot, there is nothing. */
TEST(links_of_nobody_are_found)
{
    family m = family_new(&Follows_type);
    CHECK_RESULT(kith_despawn(m.f.world, m.list[5]), KITH_OK);
    ki_link right[FAMILY];
    memcpy(right, link_at(&m, 0), sizeof right);
    link_at(&m, 5)->first1 = 3;
    check_wrong(&m, right, not_what);
    link_at(&m, 5)->target1 = 1;
    check_wrong(&m, right, not_what);
    link_at(&m, 5)->next1 = 1;
    check_wrong(&m, right, no_source);
    CHECK(m.relation->links.capacity > FAMILY);
    link_at(&m, FAMILY)->target1 = 1;
    CHECK_RESULT(kith_world_check(m.f.world), KITH_ERR_CORRUPT);
    CHECK_CONTAINS(kith_error(m.f.world), not_what);
    link_at(&m, FAMILY)->target1 = 0;
    CHECK_WORLD(m.f.world);
    fixture_free(&m.f);
}

TEST(what_a_component_knows_of_its_relation_is_looked_at)
{
    family m = family_new(&Follows_type);
    ki_store *store = &m.f.world->store;
    ki_component *component = m.relation->component;
    static const char asks[] =
        "a component is not checked as its unique key or its relation asks";
    bool *flags[] = {&component->guarded, &component->checked, &component->simple};
    for (size_t i = 0; test_row(i, ROWS_OF(flags)); i++) {
        *flags[i] = !*flags[i];
        CHECK_RESULT(kith_world_check(m.f.world), KITH_ERR_CORRUPT);
        CHECK_CONTAINS(kith_error(m.f.world), asks);
        *flags[i] = !*flags[i];
    }
    CHECK_WORLD(m.f.world);
    store->relation_count--;
    CHECK_RESULT(kith_world_check(m.f.world), KITH_ERR_CORRUPT);
    CHECK_CONTAINS(kith_error(m.f.world), "not as many unique keys or relations as were counted");
    store->relation_count++;
    m.relation->component = store->components[0] == component ? store->components[1]
                                                              : store->components[0];
    CHECK_RESULT(kith_world_check(m.f.world), KITH_ERR_CORRUPT);
    CHECK_CONTAINS(kith_error(m.f.world), "a relation is that of another component");
    m.relation->component = component;
    CHECK_WORLD(m.f.world);
    fixture_free(&m.f);
}

/* Lists and targets at random: the check ends, and only what is right passes. */
TEST_WITHIN(20, any_links_at_all_are_checked)
{
    uint64_t random = 3;
    for (uint32_t round = 0; round < (test_short() ? 20000u : 400000u); round++) {
        static family m;
        static ki_link right[FAMILY];
        if (round % 1000 == 0) {
            m = family_new(&Hangs_type);
            memcpy(right, link_at(&m, 0), sizeof right);
        }
        uint32_t *numbers = &link_at(&m, 0)->target1;
        for (uint32_t k = 1 + random_below(&random, 6); k > 0; k--) {
            numbers[random_below(&random, 4 * FAMILY)] = random_below(&random, FAMILY + 2);
        }
        bool same = memcmp(right, link_at(&m, 0), sizeof right) == 0;
        kith_result result = kith_world_check(m.f.world);
        /* Another order of sources is right too. */
        CHECK(result == KITH_OK || !same);
        if (result == KITH_OK) {
            write_sources(m.f.world, m.list[0], &Hangs_type, (char[64]){0}, 64);
            CHECK_UINT(kith_source_count(m.f.world, m.list[0], &Hangs_type), 3);
            CHECK_UINT(kith_source_count(m.f.world, m.list[1], &Hangs_type), 2);
        }
        memcpy(link_at(&m, 0), right, sizeof right);
        if (round % 1000 == 999) {
            fixture_free(&m.f);
        }
    }
}
