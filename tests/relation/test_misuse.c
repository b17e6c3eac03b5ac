/* Misuse of relations and hierarchies: each rule is broken once. */
#include "../world/trips.h"

#include "links.h"

static void write_link(kith_iter *it)
{
    while (kith_next(it)) {
        CHECK_PTR_NOT_NULL(KITH_COLUMN_MUT(it, Follows));
    }
}

TEST(relations_are_not_written_in_place)
{
    stage s = stage_open();
    void *value = NULL;
    kith_query *query = NULL;
    const kith_term terms[] = {KITH_WRITE(Follows), {0}};
    const kith_query_def writes = {.terms = terms};
    const kith_system_def system = {
        .name = "write", .run = write_link, .query.terms = KITH_TERMS(KITH_WRITE(Follows))};
    CHECK_RESULT(KITH_SET(s.world, s.e, Follows, {s.e, 1}), KITH_OK);
    s.content = kith_content_hash(s.world);
    static const char rule[] = "%s: %s %s, and its values are not written in place; set the"
                               " whole value (KITH_SET)";
    CHECK_TOLD(&s, kith_get_mut(s.world, s.e, &Follows_type, &value) == KITH_ERR_MISUSE, rule);
    CHECK_TOLD(&s, KITH_GET_MUT(s.world, s.e, Follows) == NULL, rule);
    CHECK_TOLD(&s, kith_query_new(s.world, &writes, &query) == KITH_ERR_MISUSE, rule);
    CHECK_TOLD(&s, kith_system_add(s.world, &system) != KITH_OK,
               "%s: Follows is a relation, and its values are not written in place; set the"
               " whole value (KITH_SET)");
    stage_close(&s);
}

TEST(what_is_not_a_relation_has_no_targets)
{
    stage s = stage_open();
    static const char rule[] = "%s: %s is not a relation; see KITH_RELATION";
    const kith_type *const strange[] = {&Position_type, &Frozen_type, NULL};
    for (uint32_t i = 0; i < ROWS_OF(strange); i++) {
        const kith_type *type = strange[i];
        CHECK_TOLD(&s, kith_is_none(kith_target(s.world, s.e, type)), rule);
        CHECK_TOLD(&s, kith_is_none(kith_source_first(s.world, s.e, type)), rule);
        CHECK_TOLD(&s, kith_is_none(kith_source_last(s.world, s.e, type)), rule);
        CHECK_TOLD(&s, kith_is_none(kith_source_next(s.world, s.e, type)), rule);
        CHECK_TOLD(&s, kith_is_none(kith_source_previous(s.world, s.e, type)), rule);
        CHECK_TOLD(&s, kith_source_count(s.world, s.e, type) == 0, rule);
        CHECK_TOLD(&s, kith_source_place(s.world, s.e, type, KITH_NONE) == KITH_ERR_MISUSE, rule);
        CHECK_TOLD(&s, kith_sources_of(s.world, s.e, type).links_ == NULL, rule);
    }
    CHECK_RESULT(kith_source_place(s.world, s.e, &Position_type, KITH_NONE), KITH_ERR_MISUSE);
    expect_misuse(&s.f, "kith_source_place: Position is not a relation; see KITH_RELATION");
    stage_close(&s);
}

KITH_LINKS(Bond, KITH_CLEAR);

TEST(links_and_other_relations_are_asked_by_calls_of_their_own)
{
    stage s = stage_open();
    static const char one[] = "%s: %s has many targets; ask kith_links_from and kith_links_to";
    CHECK_TOLD(&s, kith_is_none(kith_target(s.world, s.e, &Bond_type)), one);
    CHECK_TOLD(&s, kith_sources_of(s.world, s.e, &Bond_type).links_ == NULL, one);
    CHECK_TOLD(&s, kith_source_place(s.world, s.e, &Bond_type, KITH_NONE) == KITH_ERR_MISUSE, one);
    static const char many[] = "%s: %s does not have links; see KITH_LINKS";
    const kith_type *const strange[] = {&kith_child_of_type, &Position_type, NULL};
    for (uint32_t i = 0; i < ROWS_OF(strange); i++) {
        CHECK_TOLD(&s, kith_links_from(s.world, s.e, strange[i]).links_ == NULL, many);
        CHECK_TOLD(&s, kith_links_to(s.world, s.e, strange[i]).links_ == NULL, many);
        CHECK_TOLD(&s, kith_is_none(kith_link_find(s.world, s.e, s.e, strange[i])), many);
    }
    stage_close(&s);
}

static int by_slot(const kith_world *world, kith_entity a, kith_entity b, void *user)
{
    (void)world, (void)user;
    return a.index1 < b.index1 ? -1 : a.index1 > b.index1;
}

/* While a query is open, and without a way to compare. */
TEST(links_are_not_changed_in_a_loop)
{
    stage s = stage_open();
    kith_entity first = KITH_SPAWN(s.world, KITH_VALUE(kith_child_of, {s.e}));
    kith_entity second = KITH_SPAWN(s.world, KITH_VALUE(kith_child_of, {s.e}));
    s.content = kith_content_hash(s.world);
    CHECK_TOLD(&s, kith_sort_children(s.world, s.e, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_sort_children: `compare` is NULL");
    s.it = kith_query_iter(s.query);
    static const char queue[] = "kith_set_parent: the world is being iterated (%s); queue it on a"
                                " kith_commands (in a system it->commands), or do it when the loop"
                                " has ended (kith_iter_close)";
    CHECK_TOLD(&s, kith_set_parent(s.world, first, second) == KITH_ERR_MISUSE, queue);
    CHECK_TOLD(&s, kith_set_parent(s.world, first, s.e) == KITH_ERR_MISUSE, queue);
    CHECK_TOLD(&s, kith_set_parent(s.world, first, KITH_NONE) == KITH_ERR_MISUSE, queue);
    CHECK_TOLD(&s, kith_set_parent(s.world, s.e, KITH_NONE) == KITH_ERR_MISUSE, queue);
    static const char wait[] =
        "%s: the world is being iterated (%s); do it when the loop has ended (kith_iter_close)";
    CHECK_TOLD(&s, kith_insert_child(s.world, second, first) == KITH_ERR_MISUSE, wait);
    CHECK_TOLD(&s, kith_sort_children(s.world, s.e, by_slot, NULL) == KITH_ERR_MISUSE, wait);
    CHECK_TOLD(&s,
               kith_source_place(s.world, first, &kith_child_of_type, KITH_NONE) == KITH_ERR_MISUSE,
               wait);
    kith_iter_close(&s.it);
    stage_close(&s);
}
