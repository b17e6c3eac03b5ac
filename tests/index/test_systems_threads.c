/* Indexes that systems ask while they run, side by side, and write what the indexes are made of. */
#include <kith/floats.h>

#include <kith/spatial.h>
#include <stdlib.h>
#include <string.h>

#include "../world/trips.h"
#include "components.h"
#include "memory.h"
#include "test.h"

/* Some blocks of each storage. */
static uint32_t row_count(void)
{
    return test_short() ? 2200 : 5000;
}

/* What each finds: how many near it, with its number, and before it in order. */
typedef struct Seen {
    uint32_t near, same, less, first;
} Seen;
KITH_TYPE(Seen, KITH_FIELD(Seen, near), KITH_FIELD(Seen, same), KITH_FIELD(Seen, less),
          KITH_FIELD(Seen, first));

typedef struct crowd {
    fixture f;
    kith_index *places;  /* of Position */
    kith_index *numbers; /* of Health.current */
    kith_index *order;   /* of Health.max */
    kith_query *fast;    /* filters: those with a Velocity */
} crowd;

static crowd crowd_new(kith_layout layout)
{
    crowd c = {.f = fixture_with_all(layout)};
    kith_world *world = c.f.world;
    const kith_index_def places = {.kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Position, x, y)};
    const kith_index_def numbers = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current)};
    const kith_index_def order = {.kind = KITH_INDEX_ORDERED, KITH_FIELDS(Health, max)};
    CHECK_RESULT(kith_index_new(world, &places, &c.places), KITH_OK);
    CHECK_RESULT(kith_index_new(world, &numbers, &c.numbers), KITH_OK);
    CHECK_RESULT(kith_index_new(world, &order, &c.order), KITH_OK);
    c.fast = KITH_QUERY(world, KITH_WITH(Velocity));
    for (uint32_t i = 0; i < row_count(); i++) {
        const kith_entity e = KITH_SPAWN(
            world, KITH_VALUE(Position, {(float)(i * 37 % 100), (float)(i * 11 % 90)}),
            KITH_VALUE(Health, {(int32_t)(i % 1500), (int32_t)(i * 7 % 1301)}), KITH_VALUE(Seen));
        if (i % 3 == 0) {
            KITH_ADD(world, e, Velocity);
        }
    }
    return c;
}

/* Asks for one's own values as they were, and moves on at once. */
static void look(kith_iter *it)
{
    const crowd *c = it->user;
    kith_index_found found;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Position *position = KITH_AT_MUT(it, i, Position);
            Health *health = KITH_AT_MUT(it, i, Health);
            Seen *seen = KITH_AT_MUT(it, i, Seen);
            const kith_point at = KITH_POINT((double)position->x, (double)position->y);
            CHECK_RESULT(kith_within_radius(c->places, at, 1.5, c->fast, &found), KITH_OK);
            seen->near = found.count;
            CHECK_RESULT(kith_index_find(c->numbers, &(Health){.current = health->current}, &found),
                         KITH_OK);
            seen->same = found.count;
            seen->first = found.entities[0].index1;
            CHECK_RESULT(
                kith_index_range(c->order, &(kith_range){.to = health, .before_to = true}, &found),
                KITH_OK);
            seen->less = found.count;
            *position = (Position){position->y, position->x};
            *health = (Health){health->max, health->current};
        }
    }
}

static Seen seen_by_loop(const kith_world *world, const kith_entity *all, uint32_t count,
                         kith_entity self)
{
    Seen seen = {0};
    const Position *at = KITH_GET(world, self, Position);
    const Health *health = KITH_GET(world, self, Health);
    for (uint32_t i = 0; i < count; i++) {
        const Position *other = KITH_GET(world, all[i], Position);
        const Health *others = KITH_GET(world, all[i], Health);
        const float dx = other->x - at->x, dy = other->y - at->y;
        seen.near += dx * dx + dy * dy <= 2.25f && KITH_HAS(world, all[i], Velocity);
        if (others->current == health->current && seen.same++ == 0) {
            seen.first = all[i].index1;
        }
        seen.less += others->max < health->max;
    }
    return seen;
}

static void add_look(crowd *c)
{
    const kith_system_def def = {
        .name = "look",
        .run = look,
        .parallel = true,
        .user = c,
        .query.terms = KITH_TERMS(KITH_WRITE(Position), KITH_WRITE(Health), KITH_WRITE(Seen)),
        .indexes = KITH_INDEXES(c->places, c->numbers, c->order)};
    CHECK_RESULT(kith_system_add(c->f.world, &def), KITH_OK);
}

/* All entities, in the order of a loop over Health. */
static uint32_t list_all(kith_world *world, kith_entity *all)
{
    uint32_t count = 0;
    kith_query *query = KITH_QUERY(world, KITH_READ(Health));
    for (kith_iter it = kith_query_iter(query); kith_next(&it); count += it.count) {
        memcpy(all + count, kith_entities(&it), it.count * sizeof *all);
    }
    kith_query_free(query);
    return count;
}

TEST_EACH_LAYOUT_WITHIN(60, each_sees_what_was_before_the_stage, layout)
{
    kith_entity *all = malloc(row_count() * sizeof *all);
    uint64_t hash = 0;
    for (uint32_t threads = 1; threads <= 4; threads += threads) {
        crowd c = crowd_new(layout);
        add_look(&c);
        CHECK_RESULT(kith_workers_set(c.f.world, &(kith_workers_def){.threads = threads}), KITH_OK);
        for (uint32_t tick = 0; tick < 3; tick++) {
            const uint32_t count = list_all(c.f.world, all);
            CHECK_UINT(count, row_count());
            Seen expected[50];
            for (uint32_t i = 0; i < 50; i++) {
                expected[i] = seen_by_loop(c.f.world, all, count, all[(i * 97 + tick) % count]);
            }
            CHECK_RESULT(kith_run(c.f.world, 1), KITH_OK);
            CHECK_WORLD(c.f.world);
            for (uint32_t i = 0; i < 50; i++) {
                const Seen *seen = KITH_GET(c.f.world, all[(i * 97 + tick) % count], Seen);
                CHECK_UINT(seen->near, expected[i].near);
                CHECK_UINT(seen->same, expected[i].same);
                CHECK_UINT(seen->less, expected[i].less);
                CHECK_UINT(seen->first, expected[i].first);
            }
        }
        hash = threads == 1 ? kith_world_hash(c.f.world) : hash;
        CHECK_UINT(kith_world_hash(c.f.world), hash);
        fixture_free(&c.f);
    }
    free(all);
}

/* ---- Order ------------------------------------------------------------------------------------- */

static void grow(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Health)->current++;
        }
    }
}

static void count_sevens(kith_iter *it)
{
    const crowd *c = it->user;
    kith_index_found found;
    CHECK_RESULT(kith_index_find(c->numbers, &(Health){.current = 7}, &found), KITH_OK);
    KITH_RESOURCE_MUT(it, Byte)->value = (uint8_t)found.count;
}

/* A system sees what those before it wrote, since declaring an index is to read. */
TEST_EACH_LAYOUT(an_index_is_asked_after_those_who_write, layout)
{
    crowd c = {.f = fixture_with_all(layout)};
    kith_world *world = c.f.world;
    const kith_index_def numbers = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current)};
    CHECK_RESULT(kith_index_new(world, &numbers, &c.numbers), KITH_OK);
    KITH_SPAWN(world, KITH_VALUE(Health, {6, 0}));
    KITH_SPAWN(world, KITH_VALUE(Health, {5, 0}));
    CHECK_RESULT(KITH_RESOURCE_SET(world, Byte, {9}), KITH_OK);
    CHECK_RESULT(KITH_SYSTEM(world, grow, KITH_WRITE(Health), .parallel = true), KITH_OK);
    const kith_system_def def = {.name = "count",
                                 .run = count_sevens,
                                 .user = &c,
                                 .resources = KITH_TERMS(KITH_WRITE(Byte)),
                                 .indexes = KITH_INDEXES(c.numbers)};
    CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
    static const uint8_t expected[] = {1, 1, 0};
    for (int tick = 0; tick < 3; tick++) {
        CHECK_RESULT(kith_run(world, 1), KITH_OK);
        CHECK_UINT(KITH_RESOURCE(world, Byte)->value, expected[tick]);
    }
    fixture_free(&c.f);
}

/* ---- Want of memory ------------------------------------------------------------------------------ */

static void ask_all(kith_iter *it)
{
    const crowd *c = it->user;
    kith_index_found found;
    it->result = kith_index_range(c->order, &(kith_range){0}, &found);
    if (it->result == KITH_OK) {
        CHECK_UINT(found.count, row_count());
        it->result = kith_index_find(c->numbers, &(Health){.current = 7}, &found);
    }
    if (it->result == KITH_OK) {
        CHECK_UINT(found.count, (row_count() + 1492) / 1500);
    }
}

static void sweep_ticks(kith_layout layout, uint32_t threads)
{
    for (size_t nth = 1;; nth++) {
        crowd c = crowd_new(layout);
        const kith_system_def def = {.name = "asks",
                                     .run = ask_all,
                                     .user = &c,
                                     .indexes = KITH_INDEXES(c.order, c.numbers, c.places)};
        CHECK_RESULT(kith_system_add(c.f.world, &def), KITH_OK);
        CHECK_RESULT(kith_workers_set(c.f.world, &(kith_workers_def){.threads = threads}), KITH_OK);
        test_memory_fail(c.f.memory, nth, true);
        const kith_result result = kith_run(c.f.world, 1);
        const bool failed = test_memory_fail_nothing(c.f.memory);
        CHECK_RESULT(result, failed ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_WORLD(c.f.world);
        CHECK_RESULT(kith_run(c.f.world, 1), KITH_OK);
        CHECK_WORLD(c.f.world);
        fixture_free(&c.f);
        if (!failed) {
            CHECK(nth > 12);
            return;
        }
    }
}

/* The tick fails, and the next one has an answer. */
TEST_EACH_LAYOUT_WITHIN(30, a_tick_without_memory_fails, layout)
{
    sweep_ticks(layout, 1);
    sweep_ticks(layout, 3);
}

/* ---- What is refused ----------------------------------------------------------------------------- */

static void ask_wrongly(kith_iter *it)
{
    crowd *c = it->user;
    kith_index_found found;
    CHECK_RESULT(kith_index_range(c->order, &(kith_range){.fields = 2}, &found), KITH_ERR_INPUT);
    CHECK_RESULT(kith_index_find(c->numbers, &(Health){.current = 7}, &found), KITH_ERR_MISUSE);
    expect_misuse(
        &c->f, "kith_index_find: called from within query system \"asks\", which does"
               " not declare the index of Health: .indexes = KITH_INDEXES(...) in its definition");
    CHECK_RESULT(kith_within_radius(c->places, KITH_POINT(0, 0), 1, c->fast, &found),
                 KITH_ERR_MISUSE);
    expect_misuse(&c->f,
                  "kith_within_radius: in a system, the query must not have conditions on values");
    kith_index_free(c->order);
    expect_misuse(&c->f, "kith_index_free: called from within query system \"asks\"");
}

TEST(what_a_system_must_not_ask)
{
    crowd c = crowd_new(KITH_TABLE);
    const kith_system_def before = {.name =
                                        "before", /* whose call may be where the next one's is */
                                    .run = ask_all,
                                    .user = &c,
                                    .priority = -1,
                                    .indexes = KITH_INDEXES(c.numbers, c.order)};
    CHECK_RESULT(kith_system_add(c.f.world, &before), KITH_OK);
    kith_query_free(c.fast);
    c.fast = KITH_QUERY(c.f.world, KITH_IF(Health, current, <, 20));
    const kith_system_def def = {
        .name = "asks", .run = ask_wrongly, .user = &c, .indexes = KITH_INDEXES(c.order, c.places)};
    CHECK_RESULT(kith_system_add(c.f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(c.f.world, 1), KITH_OK);
    CHECK_CONTAINS(kith_error(c.f.world), "kith_index_range: a range of 2 fields was asked");
    kith_index_free(c.order);
    expect_misuse(&c.f, "kith_index_free: systems declare the index of Health (.indexes): remove"
                        " them first");
    CHECK_RESULT(kith_system_replace(c.f.world, &def), KITH_OK);
    CHECK_RESULT(kith_system_remove(c.f.world, "asks"), KITH_OK);
    CHECK_RESULT(kith_system_remove(c.f.world, "before"), KITH_OK);
    kith_index_free(c.order);
    CHECK_WORLD(c.f.world);
    fixture_free(&c.f);
}

static kith_result update_nothing(kith_world *world, kith_iter *it)
{
    (void)world, (void)it;
    return KITH_OK;
}

/* Declarations that are refused leave the index free. */
TEST(what_cannot_be_declared)
{
    crowd c = crowd_new(KITH_TABLE);
    fixture other = fixture_with_all(KITH_TABLE);
    const kith_index_def both = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, current, max)};
    kith_index *compares;
    CHECK_RESULT(kith_index_new(c.f.world, &both, &compares), KITH_OK);
    kith_system_def def = {.name = "x",
                           .run = grow,
                           .query.terms = KITH_TERMS(KITH_WRITE(Health)),
                           .indexes = KITH_INDEXES(compares)};
    CHECK_RESULT(kith_system_add(c.f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(c.f.world), "'x' writes Health, and asks a hash of it that compares");
    kith_index_free(compares);
    CHECK_RESULT(kith_system_add(other.world, &(kith_system_def){.name = "x",
                                                                 .run = grow,
                                                                 .indexes = KITH_INDEXES(c.order)}),
                 KITH_ERR_MISUSE);
    expect_misuse(&other, "kith_system_add: 'x': index number 0 of `indexes` is of another world");
    def =
        (kith_system_def){.name = "x", .update = update_nothing, .indexes = KITH_INDEXES(c.order)};
    CHECK_RESULT(kith_system_add(c.f.world, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(c.f.world), "'x' is a plain system (`update`), and has a list");
    kith_index_free(c.order);
    fixture_free(&other);
    fixture_free(&c.f);
}
