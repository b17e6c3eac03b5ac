/* kith_disabled: what is switched off with what is above it. */
#include <kith/scene.h>
#include <string.h>

#include "components.h"
#include "test.h"

KITH_COMPONENT(Gun, (float, wait));
KITH_RELATION(Targets, KITH_CLEAR);

/* A ship with two turrets, one of which has barrels, and a rock. */
typedef struct fleet {
    fixture f;
    kith_entity ship, left, right, barrel, muzzle, rock;
} fleet;

static fleet fleet_new(kith_layout layout)
{
    fleet t = {.f = fixture_new()};
    kith_world *w = t.f.world;
    CHECK_RESULT(kith_register(w, &Gun_type, &(kith_component_def){.layout = layout}), KITH_OK);
    t.rock = KITH_SPAWN(w, KITH_VALUE(Gun, {1}));
    t.barrel = KITH_SPAWN(w, KITH_VALUE(Gun, {2}));
    t.muzzle = KITH_SPAWN(w, KITH_VALUE(Gun, {3}), KITH_VALUE(kith_child_of, {t.barrel}));
    t.ship = KITH_SPAWN(w, KITH_VALUE(Gun, {4}));
    t.left = KITH_SPAWN(w, KITH_VALUE(Gun, {5}), KITH_VALUE(kith_child_of, {t.ship}));
    t.right = KITH_SPAWN(w, KITH_VALUE(Gun, {6}), KITH_VALUE(kith_child_of, {t.ship}));
    CHECK_RESULT(kith_set_parent(w, t.barrel, t.left), KITH_OK);
    return t;
}

/* Fails unless the query visits just those whose letter is in `expected`: s, l, r, b, m, o (the
 * rock). */
#define CHECK_VISITED(t, query, expected)                                                          \
    check_visited(__FILE__, __LINE__, (t), (query), (expected))
static void check_visited(const char *file, int line, const fleet *t, kith_query *query,
                          const char *expected)
{
    const kith_entity all[] = {t->ship, t->left, t->right, t->barrel, t->muzzle, t->rock};
    char visited[2][8] = {"", ""};
    char contained[8] = "";
    char alone[8] = "";
    char wanted[8] = "";
    for (size_t i = 0; i < ROWS_OF(all); i++) {
        const char letter[] = {"slrbmo"[i], '\0'};
        for (int rows = 0; rows < 2; rows++) {
            kith_iter it = kith_query_iter(query);
            while (rows != 0 ? kith_next_rows(&it) : kith_next(&it)) {
                for (uint32_t k = 0; k < it.count; k++) {
                    if (kith_entity_equal(kith_entities(&it)[k], all[i])) {
                        strcat(visited[rows], letter);
                    }
                }
            }
        }
        kith_iter one = kith_query_iter_one(query, all[i]);
        strcat(alone, kith_next(&one) ? letter : "");
        kith_iter_close(&one);
        strcat(contained, kith_query_contains(query, all[i]) ? letter : "");
        strcat(wanted, strchr(expected, *letter) != NULL ? letter : "");
    }
    test_check_str(file, line, "visited", "expected", visited[0], wanted);
    test_check_str(file, line, "by rows", "expected", visited[1], wanted);
    test_check_str(file, line, "contained", "expected", contained, wanted);
    test_check_str(file, line, "alone", "expected", alone, wanted);
    test_check_uint(file, line, "count", "expected", kith_query_count(query), strlen(wanted));
    test_check_int(file, line, "first", "expected", kith_is_none(kith_query_first(query)),
                   *wanted == '\0');
    kith_entity single;
    test_check_result(file, line, "single", kith_query_single(query, &single),
                      strlen(wanted) == 1 ? KITH_OK
                      : *wanted == '\0'   ? KITH_ERR_ABSENT
                                          : KITH_ERR_AMBIGUOUS);
}

/* The promise: a ship is switched off with its parts, and on again, except what was off itself. */
TEST_EACH_LAYOUT(parts_are_switched_off_and_on_with_their_ship, layout)
{
    fleet t = fleet_new(layout);
    kith_world *w = t.f.world;
    kith_query *on = KITH_QUERY(w, KITH_READ(Gun), KITH_WITHOUT(kith_disabled));
    kith_query *off = KITH_QUERY(w, KITH_READ(Gun), KITH_WITH(kith_disabled));
    CHECK_VISITED(&t, on, "slrbmo");
    CHECK_VISITED(&t, off, "");
    KITH_ADD(w, t.barrel, kith_disabled);
    CHECK_VISITED(&t, on, "slro");
    KITH_ADD(w, t.ship, kith_disabled);
    CHECK_VISITED(&t, on, "o");
    CHECK_VISITED(&t, off, "slrbm");
    CHECK(KITH_HAS(w, t.ship, kith_disabled) && !KITH_HAS(w, t.left, kith_disabled));
    CHECK(!kith_is_enabled(w, t.left) && !kith_is_enabled(w, t.muzzle));
    CHECK(kith_is_enabled(w, t.rock) && !kith_is_enabled(w, KITH_NONE));
    KITH_REMOVE(w, t.ship, kith_disabled);
    CHECK_VISITED(&t, on, "slro");
    CHECK_VISITED(&t, off, "bm");
    CHECK(kith_is_enabled(w, t.left) && !kith_is_enabled(w, t.muzzle));
    /* Another parent, none, and a parent that is despawned. */
    KITH_ADD(w, t.rock, kith_disabled);
    CHECK_RESULT(kith_set_parent(w, t.right, t.rock), KITH_OK);
    CHECK_VISITED(&t, on, "sl");
    CHECK_RESULT(kith_set_parent(w, t.muzzle, t.ship), KITH_OK);
    CHECK_VISITED(&t, on, "slm");
    CHECK_RESULT(kith_set_parent(w, t.right, KITH_NONE), KITH_OK);
    CHECK_VISITED(&t, on, "slmr");
    kith_despawn(w, t.barrel);
    CHECK_VISITED(&t, off, "o");
    t.barrel = KITH_SPAWN(w, KITH_VALUE(Gun, {7})); /* in its slot */
    CHECK_VISITED(&t, on, "slmrb");
    fixture_free(&t.f);
}

/* Every way to name it in a query. */
TEST_EACH_LAYOUT(any_term_may_name_it, layout)
{
    fleet t = fleet_new(layout);
    kith_world *w = t.f.world;
    kith_register(w, &Targets_type, &(kith_component_def){.layout = layout});
    KITH_SET(w, t.rock, Targets, {t.right});
    KITH_SET(w, t.ship, Targets, {t.rock});
    const struct {
        kith_query *query;
        const char *before, *after; /* the left turret is switched off */
    } cases[] = {
        {KITH_QUERY(w, KITH_WITHOUT(kith_disabled)), "slrbmo", "sro"},
        {KITH_QUERY(w, KITH_WITH(kith_disabled)), "", "lbm"},
        {KITH_QUERY(w, KITH_OPTIONAL(kith_disabled), KITH_READ(Gun)), "slrbmo", "slrbmo"},
        {KITH_QUERY(w, KITH_ANY_OF(kith_disabled, 1), KITH_ANY_OF(Targets, 1)), "so", "lbmso"},
        {KITH_QUERY(w, KITH_READ(Gun),
                    KITH_IF_ANY(KITH_WITH(kith_disabled), KITH_IF(Gun, wait, <, 2))),
         "o", "olbm"},
        {KITH_QUERY(w, KITH_IF_NOT(KITH_WITHOUT(kith_disabled))), "", "lbm"},
        {KITH_QUERY(w, KITH_VIA(Targets, KITH_WITHOUT(kith_disabled))), "so", "so"},
        {KITH_QUERY(w, KITH_VIA(kith_child_of, KITH_WITH(kith_disabled))), "", "bm"},
        {KITH_QUERY(w, KITH_VIA(kith_child_of, KITH_WITHOUT(kith_disabled))), "lrbm", "lr"},
        {KITH_QUERY(w, KITH_UP(KITH_WITH(kith_disabled))), "", "bm"},
        {KITH_QUERY(w, KITH_UP(KITH_WITHOUT(kith_disabled))), "slrbmo", "slro"},
        {kith_query_text(w, "Gun, !Disabled", NULL), "slrbmo", "sro"},
        {kith_query_text(w, "Gun where has(Disabled) or Gun.wait > 5", NULL), "r", "lbmr"},
        {kith_query_text(w, "up(Disabled)", NULL), "", "bm"},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        CHECK_PTR_NOT_NULL(cases[i].query);
        CHECK_VISITED(&t, cases[i].query, cases[i].before);
        KITH_ADD(w, t.left, kith_disabled);
        CHECK_VISITED(&t, cases[i].query, cases[i].after);
        KITH_REMOVE(w, t.left, kith_disabled);
        CHECK_VISITED(&t, cases[i].query, cases[i].before);
    }
    kith_query *by_level;
    CHECK_RESULT(kith_query_new(w,
                                &(kith_query_def){.terms = KITH_TERMS(KITH_WITHOUT(kith_disabled)),
                                                  .order = KITH_PARENTS_FIRST},
                                &by_level),
                 KITH_OK);
    CHECK_VISITED(&t, by_level, "slrbmo");
    KITH_ADD(w, t.left, kith_disabled);
    CHECK_VISITED(&t, by_level, "sro");
    KITH_REMOVE(w, t.left, kith_disabled);
    kith_query *seen = KITH_QUERY(w, KITH_CHANGED(kith_disabled));
    KITH_ADD(w, t.left, kith_disabled);
    CHECK_UINT(kith_query_count(seen), 3);
    kith_query_skip_changes(seen);
    CHECK_UINT(kith_query_count(seen), 0);
    KITH_ADD(w, t.right, kith_disabled);
    CHECK_UINT(kith_query_count(seen), 4); /* of one block */
    char text[512];
    CHECK_RESULT(kith_query_explain(cases[1].query, true, text, sizeof text, NULL), KITH_OK);
    CHECK_CONTAINS(text, "in the slots of Disabled");
    CHECK_CONTAINS(text, "met: 4 of");
    fixture_free(&t.f);
}

/* A chain of a million, and a million children, need no stack, and no more than a step each. */
TEST_WITHIN(30, deep_and_wide_trees_are_switched)
{
    enum { COUNT = 1000000 };
    static kith_entity e[COUNT];
    fixture f = fixture_new();
    kith_world *w = f.world;
    const uint32_t count = test_short() ? 5000 : COUNT;
    CHECK_RESULT(kith_spawn_many(w, count, NULL, 0, e), KITH_OK);
    kith_query *on = KITH_QUERY(w, KITH_WITHOUT(kith_disabled));
    for (int wide = 0; wide < 2; wide++) {
        for (uint32_t i = count - 1; i > 0; i--) {
            CHECK_RESULT(kith_set_parent(w, e[i], wide != 0 ? e[0] : e[i - 1]), KITH_OK);
        }
        CHECK_UINT(kith_query_count(on), count);
        KITH_ADD(w, e[count / 2], kith_disabled);
        CHECK_UINT(kith_query_count(on), wide != 0 ? count - 1 : count / 2);
        KITH_ADD(w, e[0], kith_disabled);
        CHECK_UINT(kith_query_count(on), 0);
        CHECK(!kith_is_enabled(w, e[count - 1]));
        CHECK_WORLD(w);
        KITH_REMOVE(w, e[0], kith_disabled);
        CHECK_UINT(kith_query_count(on), wide != 0 ? count - 1 : count / 2);
        KITH_REMOVE(w, e[count / 2], kith_disabled);
        CHECK_UINT(kith_query_count(on), count);
    }
    kith_despawn(w, e[0]);
    CHECK_UINT(kith_query_count(on), 0);
    fixture_free(&f);
}

TEST(observers_and_trackers_are_about_the_tag_itself)
{
    fleet t = fleet_new(KITH_TABLE);
    kith_world *w = t.f.world;
    kith_tracker *tracker;
    CHECK_RESULT(kith_tracker_new(w, &kith_disabled_type, &tracker), KITH_OK);
    kith_change change;
    KITH_ADD(w, t.ship, kith_disabled);
    CHECK(kith_tracker_next(tracker, &change));
    CHECK_SAME(change.entity, t.ship);
    CHECK(!kith_tracker_next(tracker, &change));
    fixture_free(&t.f);
}

static void tell_nothing(const kith_observed *observed)
{
    (void)observed;
}

TEST(what_would_not_be_inherited_is_rejected)
{
    fixture f = fixture_new();
    kith_world *w = f.world;
    CHECK_RESULT(
        kith_register(w, &kith_disabled_type, &(kith_component_def){.layout = KITH_SPARSE}),
        KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(w), "'Disabled' is the tag of <kith/hierarchy.h>");
    static const kith_type other = {.name = "Disabled", .align = 1, .layout = KITH_TABLE};
    CHECK_RESULT(kith_register(w, &other, NULL), KITH_ERR_INPUT);
    fixture_free(&f);
    f = fixture_new();
    w = f.world;
    CHECK_RESULT(kith_observer_new(w,
                                   &(kith_observer_def){.kind = KITH_ON_ENTER,
                                                        .name = "rest",
                                                        .query.terms = KITH_TERMS(
                                                            KITH_WITH(Gun),
                                                            KITH_WITHOUT(kith_disabled)),
                                                        .run = tell_nothing},
                                   NULL),
                 KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(w), "'rest' has Disabled in its query");
    CHECK_RESULT(kith_observer_new(w,
                                   &(kith_observer_def){.kind = KITH_ON_ADD,
                                                        .type = &kith_disabled_type,
                                                        .run = tell_nothing},
                                   NULL),
                 KITH_OK);
    fixture_free(&f);
}

/* Whether a query has asked, and when, is no part of the state. */
TEST(hashes_and_snapshots_know_nothing_of_what_is_inherited)
{
    fleet t = fleet_new(KITH_SLOT);
    kith_world *w = t.f.world;
    KITH_ADD(w, t.left, kith_disabled);
    kith_query *on = KITH_QUERY(w, KITH_WITHOUT(kith_disabled));
    const uint64_t state = kith_world_hash(w);
    const uint64_t content = kith_content_hash(w);
    CHECK_VISITED(&t, on, "sro");
    CHECK_UINT(kith_world_hash(w), state);
    CHECK_UINT(kith_content_hash(w), content);
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(w, &snapshot), KITH_OK);
    KITH_REMOVE(w, t.left, kith_disabled);
    KITH_ADD(w, t.rock, kith_disabled);
    CHECK_VISITED(&t, on, "slrbm");
    CHECK_RESULT(kith_snapshot_restore(w, snapshot), KITH_OK);
    CHECK_VISITED(&t, on, "sro");
    CHECK_UINT(kith_world_hash(w), state);
    kith_snapshot_free(snapshot);
    fixture_free(&t.f);
}

/* Room for new entities is made with them, so that no question fails for want of memory. */
/* A restore changes the tag, or who is whose child, or neither; among few, and among so many that there
 * are lists of blocks. */
TEST(restores_change_what_is_inherited)
{
    for (uint32_t others = 0; others <= 20000; others += 20000) {
        fleet t = fleet_new(KITH_TABLE);
        kith_world *w = t.f.world;
        kith_snapshot *before;
        kith_query *on = KITH_QUERY(w, KITH_READ(Gun), KITH_WITHOUT(kith_disabled));
        for (uint32_t i = 0; i < others; i++) {
            kith_spawn_empty(w);
        }
        CHECK_RESULT(KITH_ADD(w, t.left, kith_disabled), KITH_OK);
        CHECK_RESULT(kith_snapshot_take(w, &before), KITH_OK);
        for (int asked = 0; asked < 2; asked++) {
            CHECK_RESULT(kith_set_parent(w, t.barrel, t.right), KITH_OK);
            if (asked == 1) {
                CHECK_VISITED(&t, on, "srbmo");
            }
            CHECK_RESULT(kith_snapshot_restore(w, before), KITH_OK);
            CHECK_VISITED(&t, on, "sro");
            CHECK_RESULT(KITH_REMOVE(w, t.left, kith_disabled), KITH_OK);
            if (asked == 1) {
                CHECK_VISITED(&t, on, "slrbmo");
            }
            CHECK_RESULT(kith_snapshot_restore(w, before), KITH_OK);
            CHECK_VISITED(&t, on, "sro");
            CHECK_RESULT(KITH_SET(w, t.left, Gun, {9}), KITH_OK);
            CHECK_RESULT(kith_snapshot_restore(w, before), KITH_OK);
            CHECK_VISITED(&t, on, "sro");
            CHECK_WORLD(w);
        }
        kith_snapshot_free(before);
        fixture_free(&t.f);
    }
}

TEST(no_question_needs_memory)
{
    for (size_t nth = 1;; nth++) {
        fixture f = fixture_new();
        kith_world *w = f.world;
        kith_entity ship = kith_spawn_empty(w);
        CHECK_RESULT(KITH_TYPES(w, kith_child_of), KITH_OK);
        fail_allocation(&f, nth);
        bool done = KITH_TYPES(w, kith_disabled) == KITH_OK;
        for (uint32_t end = 1024; done && end <= 16384; end *= 4) { /* the last one alone */
            uint32_t count = end - 1 - kith_entity_count(w);
            done = kith_spawn_many(w, count, NULL, 0, NULL) == KITH_OK;
            for (uint32_t i = 0; done && i < 3; i++) {
                kith_spawn_empty(w);
            }
        }
        kith_entity part = done ? KITH_SPAWN(w, KITH_VALUE(kith_child_of, {ship})) : KITH_NONE;
        bool reached = fail_nothing(&f);
        CHECK_WORLD(w);
        kith_query *off = KITH_QUERY(w, KITH_WITH(kith_disabled));
        CHECK_RESULT(KITH_ADD(w, ship, kith_disabled), KITH_OK);
        fail_from(&f, 1);
        CHECK_UINT(kith_query_count(off), kith_is_none(part) ? 1 : 2);
        CHECK_INT(kith_query_contains(off, part), !kith_is_none(part));
        fail_nothing(&f);
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
}

/* A snapshot of more entities than there are, restored, forked and applied as a difference. */
TEST(any_way_to_more_entities_makes_room_for_them)
{
    for (int way = 0; way < 3; way++) {
        for (size_t nth = 1;; nth++) {
            fixture f = fixture_new();
            kith_world *w = f.world;
            kith_world *asked = w;
            kith_snapshot *few, *many;
            kith_bytes bytes = {0};
            kith_entity e[20000];
            KITH_TYPES(w, kith_child_of);
            if (way == 2) {
                KITH_TYPES(w, kith_disabled);
            }
            kith_entity ship = kith_spawn_empty(w);
            CHECK_RESULT(kith_snapshot_take(w, &few), KITH_OK);
            CHECK_RESULT(kith_spawn_many(w, ROWS_OF(e), NULL, 0, e), KITH_OK);
            kith_set_parent(w, e[ROWS_OF(e) - 1], ship);
            CHECK_RESULT(kith_snapshot_take(w, &many), KITH_OK);
            CHECK_RESULT(kith_snapshot_diff_bytes(few, many, &bytes), KITH_OK);
            CHECK_RESULT(kith_snapshot_restore(w, few), KITH_OK);
            CHECK_RESULT(KITH_TYPES(w, kith_disabled), KITH_OK);
            const kith_fork_def fork = {.world = {.allocator = test_memory_allocator(f.memory)}};
            if (way == 2) { /* which never had room for more */
                CHECK_RESULT(kith_fork_new(few, &fork, &asked), KITH_OK);
            }
            kith_result result;
            fail_allocation(&f, nth);
            switch (way) {
            case 0: result = kith_snapshot_restore(w, many); break;
            case 1: result = kith_fork_new(many, &fork, &asked); break;
            default: result = kith_diff_apply(asked, bytes.data, bytes.size);
            }
            bool reached = fail_nothing(&f);
            CHECK(result == KITH_OK || (reached && result == KITH_ERR_MEMORY));
            CHECK_WORLD(w);
            kith_query *off = KITH_QUERY(asked, KITH_WITH(kith_disabled));
            CHECK_RESULT(KITH_ADD(asked, ship, kith_disabled), KITH_OK);
            CHECK_UINT(kith_query_count(off), result == KITH_OK ? 2 : 1);
            CHECK_WORLD(asked);
            if (asked != w) {
                kith_world_free(asked);
            }
            kith_bytes_free(w, &bytes);
            kith_snapshot_free(few);
            kith_snapshot_free(many);
            fixture_free(&f);
            if (!reached) {
                break;
            }
        }
    }
}

static void check_told(kith_live *live, uint32_t entered, uint32_t left)
{
    kith_live_changes changes;
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    CHECK_UINT(changes.entered_count, entered);
    CHECK_UINT(changes.left_count, left);
}

/* Also where an entity that was off makes room in its slot for another one that is off; and of those
 * that lead to one. */
TEST_EACH_LAYOUT(live_queries_tell_what_was_switched, layout)
{
    fleet t = fleet_new(layout);
    kith_world *w = t.f.world;
    kith_register(w, &Targets_type, &(kith_component_def){.layout = layout});
    KITH_SET(w, t.rock, Targets, {t.muzzle});
    kith_query *queries[] = {
        KITH_QUERY(w, KITH_WITH(kith_disabled)),
        KITH_QUERY(w, KITH_WITH(Targets), KITH_VIA(Targets, KITH_WITHOUT(kith_disabled)))};
    kith_live *off, *aims;
    CHECK_RESULT(kith_live_new(w, queries[0], &off), KITH_OK);
    CHECK_RESULT(kith_live_new(w, queries[1], &aims), KITH_OK);
    check_told(off, 0, 0);
    check_told(aims, 1, 0);
    KITH_ADD(w, t.ship, kith_disabled);
    check_told(off, 5, 0);
    check_told(aims, 0, 1);
    kith_despawn(w, t.right);
    kith_entity next = KITH_SPAWN(w, KITH_VALUE(kith_child_of, {t.ship}));
    CHECK_UINT(next.index1, t.right.index1);
    check_told(off, 1, 1);
    kith_despawn(w, next);
    kith_entity last = KITH_SPAWN(w, KITH_VALUE(kith_disabled));
    CHECK_UINT(last.index1, next.index1);
    check_told(off, 1, 1);
    kith_despawn(w, last);
    CHECK_UINT(KITH_SPAWN(w, KITH_VALUE(kith_disabled)).index1, last.index1);
    check_told(off, 1, 1);
    KITH_REMOVE(w, t.ship, kith_disabled);
    check_told(off, 0, 4);
    check_told(aims, 1, 0);
    fixture_free(&t.f);
}

/* What explains and what asks an index are up to date, whoever asks first. */
TEST(explaining_and_indexes_know_what_is_on)
{
    fleet t = fleet_new(KITH_TABLE);
    kith_world *w = t.f.world;
    kith_query *off = KITH_QUERY(w, KITH_READ(Gun), KITH_WITH(kith_disabled));
    kith_query *on = KITH_QUERY(w, KITH_READ(Position), KITH_WITHOUT(kith_disabled));
    kith_index *places;
    const kith_index_def def = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    CHECK_RESULT(kith_index_new(w, &def, &places), KITH_OK);
    for (uint32_t i = 0; i < 20; i++) {
        KITH_SPAWN(w, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(kith_child_of, {t.ship}));
    }
    char text[512];
    CHECK_RESULT(kith_query_explain(off, false, text, sizeof text, NULL), KITH_OK);
    CHECK_CONTAINS(text, "in the slots of Disabled"); /* there is nothing */
    KITH_ADD(w, t.ship, kith_disabled);
    CHECK_RESULT(kith_query_explain(off, false, text, sizeof text, NULL), KITH_OK);
    CHECK_CONTAINS(text, "in tables"); /* there are fewer guns */
    kith_index_found found;
    CHECK_RESULT(kith_within_radius(places, KITH_POINT(0, 0), 100, on, &found), KITH_OK);
    CHECK_UINT(found.count, 0);
    KITH_REMOVE(w, t.ship, kith_disabled);
    CHECK_RESULT(kith_within_radius(places, KITH_POINT(0, 0), 100, on, &found), KITH_OK);
    CHECK_UINT(found.count, 20);
    fixture_free(&t.f);
}

/* Commands, clones and prefabs treat it like any tag, and a text need not have it registered. */
TEST(it_is_a_tag_like_others)
{
    fleet t = fleet_new(KITH_TABLE);
    kith_world *w = t.f.world;
    kith_query *on = KITH_QUERY(w, KITH_WITHOUT(kith_disabled), KITH_READ(Gun));
    kith_commands *commands = kith_commands_new(w, NULL);
    KITH_ADD(commands, t.ship, kith_disabled);
    KITH_ADD(commands, t.rock, kith_disabled);
    CHECK_VISITED(&t, on, "slrbmo");
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_VISITED(&t, on, "");
    kith_entity clone = kith_clone_or_none(w, t.left);
    CHECK(!kith_is_enabled(w, clone) && !KITH_HAS(w, clone, kith_disabled));
    clone = kith_clone_or_none(w, t.rock);
    CHECK(KITH_HAS(w, clone, kith_disabled));
    fixture_free(&t.f);
}

TEST(texts_know_it_before_it_is_registered)
{
    static const char text[] = "entity ship\n"
                               "    Disabled\n"
                               "    child turret {\n"
                               "        child barrel\n"
                               "    }\n"
                               "entity rock\n";
    fixture f = fixture_new();
    kith_query *on = kith_query_text(f.world, "!Disabled", NULL);
    CHECK_PTR_NOT_NULL(on);
    CHECK_UINT(kith_query_count(on), 0);
    fixture_free(&f);
    f = fixture_new();
    kith_scene *scene;
    CHECK_RESULT(kith_scene_load(f.world, text, strlen(text), &scene, NULL), KITH_OK);
    on = kith_query_text(f.world, "!Disabled", NULL);
    CHECK_UINT(kith_query_count(on), 1);
    kith_scene_free(scene);
    fixture_free(&f);
}

/* What a loop that writes has at hand stays good while another query is asked. */
TEST(it_may_be_asked_within_a_loop)
{
    fleet t = fleet_new(KITH_TABLE);
    kith_world *w = t.f.world;
    kith_query *all = KITH_QUERY(w, KITH_WRITE(Gun));
    kith_query *on = KITH_QUERY(w, KITH_READ(Gun), KITH_WITHOUT(kith_disabled));
    kith_query *changed = KITH_QUERY(w, KITH_CHANGED(Gun));
    kith_query_skip_changes(changed);
    KITH_ADD(w, t.ship, kith_disabled);
    uint32_t visited = 0;
    for (kith_iter it = kith_query_iter(all); kith_next(&it); visited += it.count) {
        Gun *guns = KITH_COLUMN_MUT(&it, Gun);
        CHECK_UINT(kith_query_count(on), 1);
        for (uint32_t i = 0; i < it.count; i++) {
            guns[i].wait = 9;
        }
    }
    CHECK_UINT(visited, 6);
    CHECK_UINT(kith_query_count(changed), 6);
    fixture_free(&t.f);
}
