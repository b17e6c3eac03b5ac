/* Random trees whose entities are switched off and on, beside a naive walk to the root. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

KITH_COMPONENT(Level, (int32_t, number));

#define ENTITIES 300u
#define SNAPSHOTS 3u

typedef struct disabled_model {
    fixture f;
    kith_entity e[ENTITIES];
    uint32_t between; /* other entities after each, so that slots are in many blocks */
    uint64_t random;
    kith_commands *commands;
    kith_query *on, *off, *some, *driven;
    kith_live *live_on, *live_off;
    kith_snapshot *snapshots[SNAPSHOTS];
    kith_entity then[SNAPSHOTS][ENTITIES];
} disabled_model;

static uint32_t below(disabled_model *m, uint32_t end)
{
    return random_below(&m->random, end);
}

static bool naive_is_enabled(const kith_world *world, kith_entity e)
{
    for (; !kith_is_none(e); e = kith_parent(world, e)) {
        if (KITH_HAS(world, e, kith_disabled)) {
            return false;
        }
    }
    return true;
}

/* ---- What is done */

static kith_entity model_spawn(disabled_model *m)
{
    kith_world *world = m->f.world;
    kith_entity e = KITH_SPAWN(world, KITH_VALUE(Level, {1}));
    if (m->between != 0) {
        CHECK_RESULT(kith_spawn_many(world, m->between, NULL, 0, NULL), KITH_OK);
    }
    return e;
}

static void change_one(disabled_model *m)
{
    kith_world *world = m->f.world;
    uint32_t i = below(m, ENTITIES);
    kith_entity e = m->e[i];
    if (!kith_alive(world, e)) {
        m->e[i] = below(m, 3) != 0 ? KITH_SPAWN(world, KITH_VALUE(Level, {1})) : model_spawn(m);
        return;
    }
    kith_entity other = m->e[below(m, ENTITIES)];
    switch (below(m, 12)) {
    case 0:
        if (below(m, 8) == 0) { /* with all below it */
            kith_despawn(world, e);
        }
        break;
    case 1: KITH_ADD(world, e, kith_disabled); break;
    case 2:
    case 3: KITH_REMOVE(world, e, kith_disabled); break;
    case 4: kith_set_parent(world, e, KITH_NONE); break;
    case 5: KITH_REMOVE(world, e, Level); break;
    case 6: KITH_SET(world, e, Level, {2}); break;
    case 7: kith_clone_or_none(world, e); break;
    default:
        if (kith_alive(world, other)) {
            kith_result result = kith_set_parent(world, e, other);
            CHECK(result == KITH_OK || result == KITH_ERR_CYCLE);
        }
    }
}

/* The same kinds of changes, queued; what cannot be is not queued, so that the buffer is applied. */
static void queue_some(disabled_model *m)
{
    for (uint32_t k = 0; k < 12; k++) {
        uint32_t i = 1 + below(m, ENTITIES - 1);
        switch (below(m, 5)) {
        case 0: KITH_ADD(m->commands, m->e[i], kith_disabled); break;
        case 1: KITH_REMOVE(m->commands, m->e[i], kith_disabled); break;
        case 2: KITH_REMOVE(m->commands, m->e[i], kith_child_of); break;
        case 3:
            KITH_SPAWN(m->commands, KITH_VALUE(Level, {3}), KITH_VALUE(kith_child_of, {m->e[i]}));
            break;
        default:
            KITH_SPAWN(m->commands, KITH_VALUE(Level, {3}), KITH_VALUE(kith_disabled));
        }
    }
    uint32_t dead;
    CHECK_RESULT(kith_commands_apply(m->commands, &dead), KITH_OK);
}

static void take_or_restore(disabled_model *m)
{
    uint32_t which = below(m, SNAPSHOTS);
    kith_world *world = m->f.world;
    if (m->snapshots[which] == NULL || below(m, 3) == 0) {
        kith_snapshot_free(m->snapshots[which]);
        CHECK_RESULT(kith_snapshot_take(world, &m->snapshots[which]), KITH_OK);
        memcpy(m->then[which], m->e, sizeof m->e);
    } else {
        CHECK_RESULT(kith_snapshot_restore(world, m->snapshots[which]), KITH_OK);
        memcpy(m->e, m->then[which], sizeof m->e);
    }
}

/* ---- What is found */

static uint32_t loop(kith_query *query, const kith_world *world, bool on, bool rows)
{
    uint32_t count = 0;
    kith_iter it = kith_query_iter(query);
    while (rows ? kith_next_rows(&it) : kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_INT(naive_is_enabled(world, kith_entities(&it)[i]), on);
        }
        count += it.count;
    }
    CHECK_RESULT(it.result, KITH_OK);
    return count;
}

static void check_query(kith_query *query, kith_world *world, bool on, bool rows, uint32_t expected)
{
    CHECK_UINT(kith_query_count(query), expected);
    CHECK_UINT(loop(query, world, on, rows), expected);
    kith_entity first = kith_query_first(query);
    CHECK_INT(kith_is_none(first), expected == 0);
    CHECK(kith_is_none(first) || naive_is_enabled(world, first) == on);
}

static void check_live(kith_live *live, kith_query *query, uint32_t expected)
{
    kith_live_changes changes;
    CHECK_RESULT(kith_live_next(live, &changes), KITH_OK);
    CHECK_UINT(kith_live_count(live), expected);
    for (kith_entity e = kith_live_after(live, KITH_NONE); !kith_is_none(e);
         e = kith_live_after(live, e)) {
        CHECK(kith_query_contains(query, e));
    }
}

/* Compares with all that queries tell; `asked` decides which of them is the first to notice. */
static void check_all(disabled_model *m, uint32_t asked)
{
    kith_world *world = m->f.world;
    uint32_t on = 0, off = 0, some = 0;
    if (asked % 4 == 0) {
        kith_query_contains(m->off, m->e[0]);
    } else if (asked % 4 == 1) {
        kith_iter it = kith_query_iter_one(m->on, m->e[1]);
        CHECK_INT(kith_next(&it), kith_alive(world, m->e[1]) && KITH_HAS(world, m->e[1], Level) &&
                                      naive_is_enabled(world, m->e[1]));
        kith_iter_close(&it);
    }
    for (kith_entity e = kith_entity_next(world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(world, e)) {
        bool enabled = naive_is_enabled(world, e);
        bool level = KITH_HAS(world, e, Level);
        CHECK_INT(kith_is_enabled(world, e), enabled);
        CHECK_INT(kith_query_contains(m->on, e), enabled && level);
        on += enabled && level;
        off += !enabled;
        some += !enabled || level;
    }
    check_query(m->on, world, true, asked % 2 != 0, on);
    check_query(m->off, world, false, asked % 2 != 0, off);
    check_query(m->driven, world, false, asked % 2 == 0, off);
    CHECK_UINT(kith_query_count(m->some), some);
    check_live(m->live_on, m->on, on);
    check_live(m->live_off, m->off, off);
    CHECK_WORLD(world);
}

/* A view and a fork tell of a snapshot what its world told then; a fork goes on. */
static void check_copies(disabled_model *m)
{
    uint32_t which = below(m, SNAPSHOTS);
    if (m->snapshots[which] == NULL) {
        return;
    }
    kith_world *copies[2];
    CHECK_RESULT(kith_fork_new(m->snapshots[which], NULL, &copies[0]), KITH_OK);
    CHECK_RESULT(kith_view_new(m->snapshots[which], NULL, &copies[1]), KITH_OK);
    for (uint32_t k = 0; k < 2; k++) {
        kith_query *on = KITH_QUERY(copies[k], KITH_WITHOUT(kith_disabled));
        for (uint32_t step = 0; step < 3 - 2 * k; step++) {
            uint32_t expected = 0;
            for (kith_entity e = kith_entity_next(copies[k], KITH_NONE); !kith_is_none(e);
                 e = kith_entity_next(copies[k], e)) {
                expected += naive_is_enabled(copies[k], e);
            }
            CHECK_UINT(kith_query_count(on), expected);
            CHECK_WORLD(copies[k]);
            kith_entity e = m->then[which][below(m, ENTITIES)];
            if (k == 0 && kith_alive(copies[k], e)) {
                KITH_ADD(copies[k], e, kith_disabled);
                kith_set_parent(copies[k], m->then[which][below(m, ENTITIES)], e);
                kith_spawn_many(copies[k], 1500, NULL, 0, NULL);
            }
        }
        kith_world_free(copies[k]);
    }
}

static void model_run(uint64_t seed, kith_layout layout)
{
    disabled_model m = {.f = fixture_new(), .random = seed, .between = seed % 2 == 0 ? 0 : 40};
    kith_world *world = m.f.world;
    kith_register(world, &Level_type, &(kith_component_def){.layout = layout});
    if (seed % 3 == 0) {
        CHECK_RESULT(KITH_TYPES(world, kith_disabled), KITH_OK);
    }
    for (uint32_t i = 0; i < ENTITIES; i++) {
        m.e[i] = model_spawn(&m);
        if (seed % 4 < 2 && i != 0) {
            kith_set_parent(world, m.e[i], m.e[i - 1 - below(&m, i < 4 ? i : 4)]);
        }
    }
    if (seed % 3 != 0) {
        take_or_restore(&m); /* of a world that does not know the tag */
    }
    m.on = KITH_QUERY(world, KITH_READ(Level), KITH_WITHOUT(kith_disabled));
    m.off = KITH_QUERY(world, KITH_WITH(kith_disabled));
    CHECK_RESULT(kith_query_new(world,
                                &(kith_query_def){.terms = KITH_TERMS(KITH_OPTIONAL(Level),
                                                                      KITH_WITH(kith_disabled)),
                                                  .driver = &kith_disabled_type},
                                &m.driven),
                 KITH_OK);
    m.some = KITH_QUERY(world, KITH_ANY_OF(Level, 0), KITH_ANY_OF(kith_disabled, 0));
    kith_query *on = KITH_QUERY(world, KITH_READ(Level), KITH_WITHOUT(kith_disabled));
    kith_query *off = KITH_QUERY(world, KITH_WITH(kith_disabled));
    CHECK_RESULT(kith_live_new(world, on, &m.live_on), KITH_OK);
    CHECK_RESULT(kith_live_new(world, off, &m.live_off), KITH_OK);
    m.commands = kith_commands_new(world, NULL);
    for (uint32_t step = 0; step < (m.between != 0 ? 25u : 60u); step++) {
        for (uint32_t k = below(&m, 40); k > 0; k--) {
            change_one(&m);
        }
        switch (below(&m, 5)) {
        case 0: take_or_restore(&m); break;
        case 1: queue_some(&m); break;
        case 2: kith_world_trim(world); break;
        default: break;
        }
        if (below(&m, 6) == 0) {
            for (uint32_t i = 0; i < ENTITIES; i++) { /* so that pages go */
                if (kith_alive(world, m.e[i])) {
                    KITH_REMOVE(world, m.e[i], kith_disabled);
                    kith_set_parent(world, m.e[i], KITH_NONE);
                }
            }
            kith_world_trim(world);
        }
        check_all(&m, step);
        if (step % 8 == 0) {
            check_copies(&m);
        }
    }
    for (uint32_t i = 0; i < SNAPSHOTS; i++) {
        kith_snapshot_free(m.snapshots[i]);
    }
    fixture_free(&m.f);
}

TEST_EACH_LAYOUT_WITHIN(20, what_is_off_is_what_a_walk_to_the_root_finds, layout)
{
    uint64_t first = test_number("KITH_TEST_SEED", 0);
    uint64_t count = test_long() ? 200 : test_short() ? 2 : 12;
    for (uint64_t seed = first; seed < first + count; seed++) {
        char note[64];
        snprintf(note, sizeof note, "KITH_TEST_SEED=%llu", (unsigned long long)seed);
        test_note(note);
        model_run(seed, layout);
        test_note(NULL);
    }
}
