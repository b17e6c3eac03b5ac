/* Relations in command buffers. */
#include <stdlib.h>

#include "links.h"

typedef struct queued {
    fixture f;
    kith_commands *later;
    kith_entity a, b, c, d;
} queued;

static queued queued_new(kith_layout layout)
{
    queued q = {.f = links_world(layout)};
    q.a = KITH_SPAWN(q.f.world, KITH_VALUE(Position, {1, 0}));
    q.b = KITH_SPAWN(q.f.world, KITH_VALUE(Position, {2, 0}));
    q.c = KITH_SPAWN(q.f.world, KITH_VALUE(Position, {3, 0}));
    q.d = KITH_SPAWN(q.f.world, KITH_VALUE(Position, {4, 0}));
    q.later = kith_commands_new(q.f.world, NULL);
    return q;
}

static void queued_apply(queued *q, uint32_t dead)
{
    uint32_t found = 0;
    CHECK_RESULT(kith_commands_apply(q->later, &found), KITH_OK);
    CHECK_UINT(found, dead);
    CHECK_WORLD(q->f.world);
}

/* The buffer fails, the world stays as it was, and so does what is queued. */
static void queued_fail(queued *q, kith_result expected, const char *says)
{
    const uint64_t hash = kith_world_hash(q->f.world);
    const uint32_t count = kith_commands_memory(q->later).commands;
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_RESULT(kith_commands_apply(q->later, NULL), expected);
        CHECK_CONTAINS(kith_error(q->f.world), says);
        CHECK_UINT(kith_world_hash(q->f.world), hash);
        CHECK_UINT(kith_commands_memory(q->later).commands, count);
        CHECK_WORLD(q->f.world);
    }
    kith_commands_discard(q->later);
}

static void queued_free(queued *q)
{
    fixture_free(&q->f);
}

/* Also where others were named in between. */
TEST_EACH_LAYOUT(links_are_made_in_the_order_of_the_queue, layout)
{
    queued q = queued_new(layout);
    CHECK_RESULT(KITH_SET(q.later, q.c, Health, {1, 2}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.b, Owns, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.d, Owns, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.c, Owns, {q.a}), KITH_OK);
    queued_apply(&q, 0);
    CHECK_SOURCES(q.f.world, q.a, Owns, q.b, q.d, q.c);
    CHECK_INT(KITH_GET(q.f.world, q.c, Health)->current, 1);
    /* The last command about an entity counts, at its place; the same target keeps the old place. */
    CHECK_RESULT(KITH_SET(q.later, q.b, Follows, {q.a, 1}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.d, Owns, {q.b}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.c, Follows, {q.a, 2}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.b, Follows, {q.a, 3}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.d, Owns, {q.a}), KITH_OK);
    queued_apply(&q, 0);
    CHECK_SOURCES(q.f.world, q.a, Owns, q.b, q.d, q.c);
    CHECK_SOURCES(q.f.world, q.a, Follows, q.c, q.b);
    CHECK_FLOAT(KITH_GET(q.f.world, q.b, Follows)->distance, 3);
    queued_free(&q);
}

/* Only the target after the last command counts, not the way to it. */
TEST_EACH_LAYOUT(the_same_target_in_the_end_keeps_the_place, layout)
{
    queued q = queued_new(layout);
    CHECK_RESULT(KITH_SET(q.f.world, q.b, Owns, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.f.world, q.c, Owns, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.f.world, q.d, Owns, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(q.later, q.b, Owns), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.b, Owns, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.c, Owns, {q.b}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.c, Owns, {q.a}), KITH_OK);
    queued_apply(&q, 0);
    CHECK_SOURCES(q.f.world, q.a, Owns, q.b, q.c, q.d);
    /* In two buffers it does. */
    CHECK_RESULT(KITH_REMOVE(q.later, q.b, Owns), KITH_OK);
    queued_apply(&q, 0);
    CHECK_RESULT(KITH_SET(q.later, q.b, Owns, {q.a}), KITH_OK);
    queued_apply(&q, 0);
    CHECK_SOURCES(q.f.world, q.a, Owns, q.c, q.d, q.b);
    queued_free(&q);
}

TEST_EACH_LAYOUT(new_entities_are_linked_both_ways, layout)
{
    queued q = queued_new(layout);
    kith_entity parent = KITH_SPAWN(q.later, KITH_VALUE(Position, {5, 0}));
    kith_entity child = KITH_SPAWN(q.later, KITH_VALUE(PartOf, {parent}));
    CHECK_RESULT(KITH_SET(q.later, q.a, PartOf, {child}), KITH_OK);
    kith_entity second = KITH_SPAWN(q.later, KITH_VALUE(PartOf, {parent}));
    CHECK_RESULT(KITH_SET(q.later, parent, Owns, {q.b}), KITH_OK);
    queued_apply(&q, 0);
    parent = kith_commands_real(q.later, parent);
    child = kith_commands_real(q.later, child);
    second = kith_commands_real(q.later, second);
    CHECK_SOURCES(q.f.world, parent, PartOf, child, second);
    CHECK_SOURCES(q.f.world, child, PartOf, q.a);
    CHECK_SOURCES(q.f.world, q.b, Owns, parent);
    queued_free(&q);
}

TEST_EACH_LAYOUT(what_is_removed_and_cleared_is_unlinked, layout)
{
    queued q = queued_new(layout);
    CHECK_RESULT(KITH_SET(q.f.world, q.b, Owns, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.f.world, q.c, Owns, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.f.world, q.d, Owns, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.f.world, q.d, Follows, {q.a, 1}), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(q.later, q.b, Owns), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(q.later, q.b, Follows), KITH_OK);
    CHECK_RESULT(KITH_REMOVE_ALL(q.later, q.d), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.c, Health, {1, 1}), KITH_OK);
    queued_apply(&q, 0);
    CHECK_SOURCES(q.f.world, q.a, Owns, q.c);
    CHECK_SOURCES(q.f.world, q.a, Follows, KITH_NONE);
    /* Cleared, and then linked again: at the end. */
    CHECK_RESULT(KITH_SET(q.f.world, q.d, Owns, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_REMOVE_ALL(q.later, q.c), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.c, Owns, {q.a}), KITH_OK);
    queued_apply(&q, 0);
    CHECK_SOURCES(q.f.world, q.a, Owns, q.d, q.c);
    queued_free(&q);
}

/* Despawns count as if they came last. */
TEST_EACH_LAYOUT(cascades_follow_links_of_the_same_buffer, layout)
{
    queued q = queued_new(layout);
    CHECK_RESULT(KITH_DESPAWN(q.later, q.a), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.b, Owns, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.c, Follows, {q.b, 1}), KITH_OK);
    kith_entity made = KITH_SPAWN(q.later, KITH_VALUE(Owns, {q.b}));
    kith_entity clear =
        KITH_SPAWN(q.later, KITH_VALUE(Follows, {made, 2}), KITH_VALUE(Health, {7, 7}));
    queued_apply(&q, 0);
    CHECK(!kith_alive(q.f.world, q.a) && !kith_alive(q.f.world, q.b));
    CHECK(kith_alive(q.f.world, q.c) && !KITH_HAS(q.f.world, q.c, Follows));
    CHECK_SAME(kith_commands_real(q.later, made), KITH_NONE); /* it never came to be */
    clear = kith_commands_real(q.later, clear);
    CHECK_INT(KITH_GET(q.f.world, clear, Health)->current, 7);
    CHECK(!KITH_HAS(q.f.world, clear, Follows));
    CHECK_UINT(kith_entity_count(q.f.world), 3);
    queued_free(&q);
}

TEST_EACH_LAYOUT(links_to_the_dead_end_by_their_rule, layout)
{
    queued q = queued_new(layout);
    CHECK_RESULT(kith_despawn(q.f.world, q.a), KITH_OK);
    kith_entity lost = kith_commands_spawn(q.later);
    CHECK_RESULT(KITH_SET(q.f.world, q.d, Follows, {q.c, 1}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.b, Owns, {q.a}), KITH_OK); /* with KITH_CASCADE it ends */
    CHECK_RESULT(KITH_SET(q.later, q.c, Guards, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.d, Follows, {q.a, 2}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.c, PartOf, {KITH_NONE}), KITH_OK);
    CHECK_RESULT(KITH_ADD(q.later, q.c, Owns), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.d, Before, {lost}), KITH_OK);
    CHECK_RESULT(KITH_DESPAWN(q.later, lost), KITH_OK);
    queued_apply(&q, 0);
    CHECK(!kith_alive(q.f.world, q.b));
    CHECK(kith_alive(q.f.world, q.c) && kith_alive(q.f.world, q.d));
    CHECK(!KITH_HAS(q.f.world, q.c, Guards) && !KITH_HAS(q.f.world, q.c, PartOf));
    CHECK(!KITH_HAS(q.f.world, q.c, Owns));
    CHECK(!KITH_HAS(q.f.world, q.d, Follows) && !KITH_HAS(q.f.world, q.d, Before));
    CHECK_SOURCES(q.f.world, q.c, Follows, KITH_NONE);
    queued_free(&q);
}

TEST_EACH_LAYOUT(circles_fail_the_buffer, layout)
{
    queued q = queued_new(layout);
    CHECK_RESULT(KITH_SET(q.f.world, q.b, PartOf, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.f.world, q.c, PartOf, {q.b}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.d, Health, {1, 2}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.a, PartOf, {q.c}), KITH_OK);
    queued_fail(&q, KITH_ERR_CYCLE, "PartOf");
    CHECK_RESULT(KITH_SET(q.later, q.a, PartOf, {q.a}), KITH_OK);
    queued_fail(&q, KITH_ERR_CYCLE, "they are the same entity");
    kith_entity one = kith_commands_spawn(q.later);
    kith_entity two = KITH_SPAWN(q.later, KITH_VALUE(PartOf, {one}));
    CHECK_RESULT(KITH_SET(q.later, one, PartOf, {two}), KITH_OK);
    queued_fail(&q, KITH_ERR_CYCLE, "PartOf");
    /* A circle on the way is none at the end. */
    CHECK_RESULT(KITH_SET(q.later, q.a, PartOf, {q.c}), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.b, PartOf, {q.d}), KITH_OK);
    queued_apply(&q, 0);
    CHECK_SAME(kith_target(q.f.world, q.a, &PartOf_type), q.c);
    queued_free(&q);
}

/* By the command that was queued last of those that close it, wherever it is looked for from. */
TEST_EACH_LAYOUT(circles_of_commands_are_named, layout)
{
    queued q = queued_new(layout);
    CHECK_RESULT(KITH_SET(q.f.world, q.b, PartOf, {q.a}), KITH_OK);
    for (uint32_t way = 0; way < 3; way++) {
        kith_entity lead = q.d; /* which leads into the circle, or is a part of it */
        if (way == 1) {
            CHECK_RESULT(KITH_SET(q.later, q.d, Health, {1, 2}), KITH_OK);
            KITH_SPAWN(q.later, KITH_VALUE(PartOf, {q.d}));
        } else if (way == 2) {
            lead = kith_commands_spawn(q.later);
            CHECK_RESULT(KITH_SET(q.later, q.d, PartOf, {lead}), KITH_OK);
            CHECK_RESULT(KITH_SET(q.later, lead, PartOf, {q.c}), KITH_OK);
        }
        CHECK_RESULT(KITH_SET(q.later, q.c, PartOf, {q.b}), KITH_OK);
        CHECK_RESULT(KITH_SET(q.later, q.a, PartOf, {way == 2 ? q.d : q.c}), KITH_OK);
        if (way == 1) {
            CHECK_RESULT(KITH_SET(q.later, q.d, PartOf, {q.b}), KITH_OK);
        }
        CHECK_RESULT(kith_commands_apply(q.later, NULL), KITH_ERR_CYCLE);
        CHECK_CONTAINS(kith_error(q.f.world), kith_entity_to_text(q.a).text);
        if (way < 2) {
            check_circle(q.f.world, (kith_entity[]){q.a, q.c, q.b}, 3, true);
        } else {
            const kith_entity next = kith_commands_real(q.later, lead);
            CHECK(kith_is_none(next));
            check_circle(q.f.world, (kith_entity[]){q.a, q.d, {5, 0}, q.c, q.b}, 5, true);
        }
        CHECK_WORLD(q.f.world);
        kith_commands_discard(q.later);
    }
    CHECK_SOURCES(q.f.world, q.a, PartOf, q.b);
    queued_free(&q);
}

TEST_EACH_LAYOUT(a_refused_despawn_fails_the_buffer, layout)
{
    queued q = queued_new(layout);
    CHECK_RESULT(KITH_SET(q.f.world, q.b, Guards, {q.a}), KITH_OK);
    CHECK_RESULT(KITH_DESPAWN(q.later, q.a), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.c, Health, {1, 2}), KITH_OK);
    queued_fail(&q, KITH_ERR_CONFLICT, "which has the relation Guards");
    CHECK_RESULT(KITH_DESPAWN(q.later, q.a), KITH_OK);
    CHECK_RESULT(KITH_SET(q.later, q.b, Guards, {q.c}), KITH_OK);
    queued_apply(&q, 0);
    CHECK_SOURCES(q.f.world, q.c, Guards, q.b);
    CHECK_RESULT(KITH_DESPAWN(q.later, q.c), KITH_OK);
    CHECK_RESULT(KITH_DESPAWN(q.later, q.b), KITH_OK);
    queued_apply(&q, 0);
    CHECK_UINT(kith_entity_count(q.f.world), 1);
    queued_free(&q);
}

TEST_EACH_LAYOUT(clones_have_the_same_target, layout)
{
    queued q = queued_new(layout);
    CHECK_RESULT(KITH_SET(q.f.world, q.b, PartOf, {q.a}), KITH_OK);
    kith_entity clone = KITH_CLONE(q.later, q.b);
    CHECK_RESULT(KITH_SET(q.later, q.c, PartOf, {q.a}), KITH_OK);
    kith_entity of_clone = KITH_CLONE(q.later, clone);
    queued_apply(&q, 0);
    CHECK_SOURCES(q.f.world, q.a, PartOf, q.b, kith_commands_real(q.later, clone), q.c,
                  kith_commands_real(q.later, of_clone));
    queued_free(&q);
}

/* Much of the same, and in one move. */
TEST_EACH_LAYOUT(many_are_linked_and_end_together, layout)
{
    enum { MANY = 3000 };
    queued q = queued_new(layout);
    for (uint32_t i = 0; i < MANY; i++) {
        KITH_SPAWN(q.later, KITH_VALUE(Owns, {i % 2 == 0 ? q.a : q.b}), KITH_VALUE(Health, {1, 1}));
    }
    queued_apply(&q, 0);
    CHECK_UINT(kith_source_count(q.f.world, q.a, &Owns_type), MANY / 2);
    kith_entity at = kith_source_first(q.f.world, q.a, &Owns_type);
    for (uint32_t i = 0; !kith_is_none(at); at = kith_source_next(q.f.world, at, &Owns_type), i++) {
        CHECK_UINT(at.index1, 5 + 2 * i);
    }
    CHECK_RESULT(KITH_DESPAWN(q.later, q.a), KITH_OK);
    queued_apply(&q, 0);
    CHECK_UINT(kith_entity_count(q.f.world), 3 + MANY / 2);
    queued_free(&q);
}

/* A chain that is queued from its end costs no more than one from its start. */
TEST_WITHIN(20, long_chains_are_queued_in_any_order)
{
    enum { LENGTH = 100000 };
    for (uint32_t way = 0; way < 2; way++) {
        queued q = queued_new(KITH_SLOT);
        kith_entity *made = malloc(LENGTH * sizeof(*made));
        CHECK_PTR_NOT_NULL(made);
        for (uint32_t i = 0; i < LENGTH; i++) {
            made[i] = kith_commands_spawn(q.later);
        }
        for (uint32_t i = 1; i < LENGTH; i++) {
            uint32_t k = way == 0 ? i : LENGTH - i;
            CHECK_RESULT(KITH_SET(q.later, made[k], PartOf, {made[k - 1]}), KITH_OK);
        }
        CHECK_RESULT(kith_commands_apply(q.later, NULL), KITH_OK);
        CHECK_RESULT(KITH_SET(q.later, kith_commands_real(q.later, made[0]), PartOf,
                              {kith_commands_real(q.later, made[LENGTH - 1])}),
                     KITH_OK);
        CHECK_RESULT(kith_commands_apply(q.later, NULL), KITH_ERR_CYCLE);
        kith_commands_discard(q.later);
        free(made);
        queued_free(&q);
    }
}
