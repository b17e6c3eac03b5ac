/* Queries that find indexes by themselves: they visit what they would visit without, in the same batches
 * and with the same marks. Two worlds are treated alike, and only one of them has indexes. */
#include <kith/floats.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "all_ways.h"
#include "components.h"
#include "random.h"
#include "test.h"

#define PAIR_ENTITIES 6000u
#define PAIR_VALUES 3000u /* numbers that entities have: about two each */
#define PAIR_QUERIES 13
#define PAIR_INDEXES 7

/* What is asked for this time. */
typedef struct asked {
    int32_t number;
    int32_t other;
    char text[16];
    kith_entity entity;
} asked;

typedef struct side {
    fixture f;
    kith_world *world;
    kith_query *queries[PAIR_QUERIES];
    kith_query *writer;
    kith_index *indexes[PAIR_INDEXES];
} side;

typedef struct pair {
    side sides[2]; /* with indexes, and without */
    kith_entity entities[PAIR_ENTITIES];
    uint64_t random;
    uint32_t by_index; /* queries that an index served */
} pair;

static void side_make_queries(side *s)
{
    kith_world *world = s->world;
    kith_query *queries[PAIR_QUERIES] = {
        KITH_QUERY(world, KITH_READ(Health), KITH_IF(Health, current, ==, kith_bound("number"))),
        KITH_QUERY(world, KITH_WRITE(Health), KITH_IF(Health, current, >=, kith_bound("number")),
                   KITH_IF(Health, current, <, kith_bound("other"))),
        KITH_QUERY(world, KITH_READ(Position), KITH_WITHOUT(Frozen),
                   KITH_IF(Health, current, ==, kith_bound("number"))),
        KITH_QUERY(world, KITH_READ(Position), KITH_OPTIONAL(Velocity),
                   KITH_IF_PREFIX(Name, text, kith_bound("text"))),
        KITH_QUERY(world, KITH_IF_IN(Health, current, 7, kith_bound("number"), 7)),
        KITH_QUERY(world, KITH_READ(Health),
                   KITH_IF_ALL(KITH_IF(Position, x, >, kith_bound("number")),
                               KITH_IF(Position, x, <=, kith_bound("other")))),
        KITH_QUERY(world, KITH_WRITE(Position), KITH_IF(Name, text, ==, kith_bound("text"))),
        KITH_QUERY(world, KITH_READ(Health), KITH_IF(Health, max, >, 2),
                   KITH_IF(Health, current, ==, kith_bound("number"))),
        KITH_QUERY(world, KITH_CHANGED(Health), KITH_IF(Health, current, ==, kith_bound("number"))),
        KITH_QUERY(world, KITH_IF(Target, entity, ==, kith_bound("entity"))),
        KITH_QUERY(world, KITH_READ(Health), KITH_IF(Health, current, >, kith_bound("number")),
                   KITH_IF(Position, x, <, kith_bound("other")),
                   KITH_IF_NOT(KITH_IF(Health, max, ==, 3))),
        KITH_QUERY(world, KITH_READ(Health),
                   KITH_IF_WITHIN(Position, kith_bound("number"), 3, kith_bound("near"))),
        KITH_QUERY(world, KITH_WRITE(Position), KITH_WITHOUT(Frozen),
                   KITH_IF_ALL(KITH_IF_WITHIN(Position, kith_bound("other"), 0, 7),
                               KITH_IF(Health, max, <, 4))),
    };
    for (int i = 0; i < PAIR_QUERIES; i++) {
        CHECK(queries[i] != NULL);
        s->queries[i] = queries[i];
    }
    s->writer = KITH_QUERY(world, KITH_WRITE(Health));
}

static pair *pair_new(kith_layout layout, bool mixed)
{
    pair *p = calloc(1, sizeof *p);
    CHECK(p != NULL);
    p->random = 1 + (uint64_t)layout + 10 * mixed;
    for (int i = 0; i < 2; i++) {
        side *s = &p->sides[i];
        s->f = mixed ? fixture_new() : fixture_with_all(layout);
        s->world = s->f.world;
        if (mixed) {
            register_mixed(s->world, 7 + (uint64_t)layout);
        }
        side_make_queries(s);
    }
    return p;
}

static void pair_free(pair *p)
{
    for (int i = 0; i < 2; i++) {
        fixture_free(&p->sides[i].f);
    }
    free(p);
}

/* Makes or frees an index of the first world. */
static void pair_toggle_index(pair *p, uint32_t number)
{
    static const kith_index_def defs[PAIR_INDEXES] = {
        {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Health, current)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Position, x)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Name, text)},
        {.kind = KITH_INDEX_HASH, KITH_FIELDS(Target, entity)},
        {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Health, current, max)},
        {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)},
    };
    side *s = &p->sides[0];
    if (s->indexes[number] != NULL) {
        kith_index_free(s->indexes[number]);
        s->indexes[number] = NULL;
    } else {
        CHECK_RESULT(kith_index_new(s->world, &defs[number], &s->indexes[number]), KITH_OK);
    }
}

/* ---- Changing both worlds */

static Health some_health(pair *p)
{
    return (Health){(int32_t)random_below(&p->random, PAIR_VALUES),
                    (int32_t)random_below(&p->random, 5)};
}

static Name some_name(pair *p)
{
    Name name = {{0}};
    snprintf(name.text, sizeof name.text, "n%u", random_below(&p->random, PAIR_VALUES));
    return name;
}

static Position some_position(pair *p)
{
    uint32_t number = random_below(&p->random, PAIR_VALUES);
    return (Position){number % 50 == 0   ? NAN
                      : number % 51 == 0 ? -INFINITY
                                         : (float)number,
                      (float)(number % 5)};
}

static void pair_spawn(pair *p, uint32_t at)
{
    const Health health = some_health(p);
    const Name name = some_name(p);
    const Position position = some_position(p);
    const Target target = {p->entities[random_below(&p->random, PAIR_ENTITIES)]};
    uint32_t shape = random_below(&p->random, 8);
    kith_value values[4] = {{&Health_type, &health},
                            {&Position_type, &position},
                            {&Name_type, &name},
                            {&Target_type, &target}};
    kith_entity made[2];
    for (int i = 0; i < 2; i++) {
        made[i] = kith_spawn_or_none(p->sides[i].world, values, shape == 0 ? 1 : shape < 3 ? 2 : 4);
    }
    CHECK_SAME(made[0], made[1]);
    p->entities[at] = made[0];
}

/* One change, the same in both worlds. */
static void pair_change(pair *p)
{
    uint32_t at = random_below(&p->random, PAIR_ENTITIES);
    kith_entity entity = p->entities[at];
    const Health health = some_health(p);
    const Name name = some_name(p);
    const Position position = some_position(p);
    uint32_t what = random_below(&p->random, 7);
    for (int i = 0; i < 2; i++) {
        kith_world *world = p->sides[i].world;
        switch (what) {
        case 0: KITH_SET(world, entity, Health, health); break;
        case 1: KITH_SET(world, entity, Name, name); break;
        case 2: KITH_SET(world, entity, Position, position); break;
        case 3: KITH_ADD(world, entity, Frozen); break;
        case 4: KITH_REMOVE(world, entity, Frozen); break;
        case 5: kith_despawn(world, entity); break;
        default: KITH_REMOVE(world, entity, Health); break;
        }
    }
    if (what == 5) {
        pair_spawn(p, at);
    }
}

/* Writes to one value in a batch of some loop. */
static void pair_write_in_loop(pair *p)
{
    const Health health = some_health(p);
    for (int i = 0; i < 2; i++) {
        uint32_t batch = 0;
        for (kith_iter it = kith_query_iter(p->sides[i].writer); kith_next(&it); batch++) {
            Health *values = KITH_COLUMN_MUT(&it, Health);
            if (batch % 3 == 0) {
                values[it.count / 2] = health;
            }
        }
    }
}

/* ---- Asking both */

static void side_bind(side *s, kith_query *query, const asked *a)
{
    (void)s;
    (void)kith_query_bind(query, "number", a->number);
    (void)kith_query_bind(query, "other", a->other);
    static const double near[] = {5, 0.5, -1, 1e154, 1e160, (double)INFINITY, (double)NAN, 40};
    (void)kith_query_bind(query, "near", near[a->number % 8]);
    (void)kith_query_bind(query, "text", (const char *)a->text);
    (void)kith_query_bind(query, "entity", a->entity);
}

static void pair_compare(pair *p)
{
    asked a = {.number = (int32_t)random_below(&p->random, PAIR_VALUES)};
    a.other = a.number + (int32_t)random_below(&p->random, 4);
    snprintf(a.text, sizeof a.text, "n%u", random_below(&p->random, PAIR_VALUES));
    a.entity = p->entities[random_below(&p->random, PAIR_ENTITIES)];
    for (int i = 0; i < PAIR_QUERIES; i++) {
        uint64_t answers[2];
        for (int k = 0; k < 2; k++) {
            side *s = &p->sides[k];
            side_bind(s, s->queries[i], &a);
            answers[k] = ask_all_ways(s->queries[i]);
        }
        if (answers[0] != answers[1]) {
            char text[700] = "";
            kith_query_explain(p->sides[0].queries[i], true, text, sizeof text, NULL);
            test_fail(__FILE__, __LINE__, "query %d found other entities: %s", i, text);
        }
        p->by_index += is_planned(p->sides[0].queries[i]);
    }
    CHECK(kith_world_hash(p->sides[0].world) == kith_world_hash(p->sides[1].world));
    CHECK_WORLD(p->sides[0].world);
}

static void pair_play(pair *p)
{
    for (uint32_t i = 0; i < PAIR_ENTITIES; i++) {
        pair_spawn(p, i);
    }
    for (uint32_t i = 0; i < PAIR_INDEXES; i++) {
        pair_toggle_index(p, i);
    }
    for (uint32_t step = 0; step < 60; step++) {
        for (uint32_t changes = random_below(&p->random, 12); changes > 0; changes--) {
            pair_change(p);
        }
        if (random_below(&p->random, 8) == 0) {
            pair_write_in_loop(p);
        }
        if (random_below(&p->random, 6) == 0) {
            pair_toggle_index(p, random_below(&p->random, PAIR_INDEXES));
        }
        pair_compare(p);
    }
    CHECK(p->by_index > 60);
}

TEST_EACH_LAYOUT_WITHIN(60, an_index_changes_nothing_that_is_met, layout)
{
    pair *p = pair_new(layout, false);
    pair_play(p);
    pair_free(p);
}

TEST_EACH_LAYOUT_WITHIN(60, nor_where_layouts_are_mixed, seed)
{
    pair *p = pair_new(seed, true);
    pair_play(p);
    pair_free(p);
}
