/* What changes is stamped, whatever changes it: an index will look at blocks with new stamps alone.
 *
 * The play looks at stamps as well, but its worlds are seldom large and uniform enough for columns of
 * several blocks; here all are. */
#include "components.h"
#include "stamps.h"
#include "test.h"

enum { ROWS = 1100 };

typedef struct crowd {
    fixture f;
    kith_world *world;
    kith_entity entities[ROWS]; /* Position, Extra, Burning */
    kith_entity large[4];       /* Position, Big */
    kith_query *query;          /* KITH_WRITE(Position), KITH_WRITE(Extra) */
} crowd;

static void act_set(crowd *c)
{
    CHECK_RESULT(KITH_SET(c->world, c->entities[3], Position, {77, 78}), KITH_OK);
    CHECK_RESULT(KITH_SET(c->world, c->entities[1050], Extra, {77, 78, 79}), KITH_OK);
}

static void act_get_mut(crowd *c)
{
    KITH_GET_MUT(c->world, c->entities[1050], Position)->x = 77;
    KITH_GET_MUT(c->world, c->large[2], Big)->words[3] = 77;
}

static void act_set_several(crowd *c)
{
    const kith_value values[] = {KITH_VALUE(Position, {77, 78}), KITH_VALUE(Name, {"new"})};
    CHECK_RESULT(kith_set_values(c->world, c->entities[5], values, 2), KITH_OK);
    CHECK_RESULT(kith_set_values(c->world, c->entities[5], values, 1), KITH_OK);
}

static void act_add(crowd *c)
{
    CHECK_RESULT(KITH_ADD(c->world, c->entities[2], Frozen), KITH_OK);
    CHECK_RESULT(KITH_ADD(c->world, c->large[0], Byte), KITH_OK);
}

static void act_remove(crowd *c)
{
    CHECK_RESULT(KITH_REMOVE(c->world, c->entities[2], Position), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(c->world, c->large[0], Position), KITH_OK);
}

static void act_remove_tag(crowd *c)
{
    CHECK_RESULT(KITH_REMOVE(c->world, c->entities[2], Burning), KITH_OK);
}

static void act_clear(crowd *c)
{
    CHECK_RESULT(kith_remove_all(c->world, c->entities[9]), KITH_OK);
    CHECK_RESULT(kith_remove_all(c->world, c->large[1]), KITH_OK);
}

static void act_despawn(crowd *c)
{
    CHECK_RESULT(kith_despawn(c->world, c->entities[9]), KITH_OK);
    CHECK_RESULT(kith_despawn(c->world, c->large[0]), KITH_OK);
}

static void act_despawn_last(crowd *c)
{
    CHECK_RESULT(kith_despawn(c->world, c->entities[ROWS - 1]), KITH_OK);
    CHECK_RESULT(kith_despawn(c->world, c->large[3]), KITH_OK);
}

static void act_despawn_many(crowd *c)
{
    CHECK_RESULT(kith_despawn_many(c->world, c->entities + 20, 200, NULL), KITH_OK);
    CHECK_RESULT(kith_despawn_many(c->world, c->large, 2, NULL), KITH_OK);
}

static void act_spawn(crowd *c)
{
    CHECK(!kith_is_none(KITH_SPAWN(c->world, KITH_VALUE(Position, {1, 2}),
                                   KITH_VALUE(Extra, {1, 2, 3}), KITH_VALUE(Burning))));
    CHECK(!kith_is_none(KITH_SPAWN(c->world, KITH_VALUE(Position), KITH_VALUE(Big))));
}

static void act_spawn_many(crowd *c)
{
    const kith_values values[] = {
        KITH_VALUE(Position, {1, 2}), KITH_VALUE(Extra, {1, 2, 3}), {&Burning_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(c->world, 1500, values, 3, NULL), KITH_OK);
}

static void act_clone(crowd *c)
{
    kith_entity clone;
    CHECK_RESULT(kith_clone(c->world, c->entities[4], &clone), KITH_OK);
    CHECK_RESULT(kith_clone(c->world, c->large[1], &clone), KITH_OK);
}

static void act_query(crowd *c)
{
    for (kith_iter it = kith_query_iter(c->query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            KITH_AT_MUT(&it, i, Position)->x += 1000;
            KITH_AT_MUT(&it, i, Extra)->c += 1000;
        }
    }
}

static void act_query_one(crowd *c)
{
    kith_iter it = kith_query_iter_one(c->query, c->entities[1060]);
    CHECK(kith_next(&it));
    KITH_AT_MUT(&it, 0, Extra)->a += 1000;
    kith_iter_close(&it);
}

/* Two rows change places, in a block of 1,024; of the large ones, all do. */
static void act_sort(crowd *c)
{
    KITH_SET(c->world, c->entities[1040], Position, {1041.5f, 0});
    const kith_sort_def def = {.type = &Position_type, .field = "x"};
    const kith_sort_def large = {.type = &Big_type, .field = "words[0]", .descending = true};
    kith_layout layout;
    CHECK_RESULT(kith_layout_of(c->world, &Big_type, &layout), KITH_OK);
    kith_result expected = layout == KITH_SLOT ? KITH_ERR_INPUT : KITH_OK;
    CHECK_RESULT(kith_sort(c->world, &def), expected);
    CHECK_RESULT(kith_sort(c->world, &large), expected);
}

static void (*const acts[])(crowd *c) = {
    act_set,          act_get_mut,      act_set_several, act_add,   act_remove,
    act_remove_tag,   act_clear,        act_despawn,     act_spawn, act_spawn_many,
    act_despawn_last, act_despawn_many, act_clone,       act_query, act_query_one,
    act_sort,
};

static crowd *crowd_new(kith_layout layout)
{
    static crowd c;
    c.f = fixture_with_all(layout);
    c.world = c.f.world;
    static Position positions[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        positions[i] = (Position){(float)i, 1};
    }
    const kith_values values[] = {KITH_VALUES(Position, positions),
                                  KITH_VALUE(Extra, {1, 2, 3}),
                                  {&Burning_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(c.world, ROWS, values, 3, c.entities), KITH_OK);
    for (uint32_t i = 0; i < 4; i++) {
        Big big = {.words = {i}};
        c.large[i] = KITH_SPAWN(c.world, KITH_VALUE(Big, big), KITH_VALUE(Position));
    }
    c.query = KITH_QUERY(c.world, KITH_WRITE(Position), KITH_WRITE(Extra));
    CHECK_PTR_NOT_NULL(c.query);
    return &c;
}

TEST_EACH_LAYOUT_WITHIN(10, what_changes_is_stamped, layout)
{
    static char note[32];
    test_note(note);
    for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
        note[0] = (char)('a' + (int)i);
        crowd *c = crowd_new(layout);
        test_stamps *stamps = test_stamps_take(c->world);
        acts[i](c);
        test_stamps_free(stamps);
        fixture_free(&c->f);
    }
    test_note(NULL);
}

/* The last row goes to fill a hole, in a block that nothing else stamps: all other rows and slots that
 * this touches are in blocks that were stamped just before. */
TEST_EACH_LAYOUT(a_row_that_went_is_stamped, layout)
{
    enum { COUNT = 2 * 1024 + 1 };
    fixture f = fixture_with_all(layout);
    static kith_entity entities[COUNT];
    CHECK_RESULT(kith_spawn_many(f.world, COUNT, NULL, 0, entities), KITH_OK);
    kith_entity first[] = {entities[0], entities[1]};
    kith_entity last[] = {entities[2], entities[3]};
    for (uint32_t i = 0; i < 3; i++) { /* so that both edges were used recently */
        CHECK_RESULT(KITH_SET(f.world, entities[0], Position, {1, 2}), KITH_OK);
        CHECK_RESULT(KITH_REMOVE(f.world, entities[0], Position), KITH_OK);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        kith_entity entity = i < 2           ? first[i]
                             : i < COUNT - 2 ? entities[i + 2]
                                             : last[i - (COUNT - 2)];
        CHECK_RESULT(KITH_SET(f.world, entity, Position, {1, 2}), KITH_OK);
    }
    test_stamps *stamps = test_stamps_take(f.world);
    for (uint32_t i = 0; i < 2; i++) { /* filled from the third block, and then from the second */
        CHECK_RESULT(KITH_REMOVE(f.world, first[i], Position), KITH_OK);
    }
    test_stamps_free(stamps);
    fixture_free(&f);
}

static void read_all(kith_query *query)
{
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK_PTR_NOT_NULL(KITH_AT(&it, i, Position));
        }
    }
}

/* What only reads stamps nothing: an index would look in vain. */
TEST_EACH_LAYOUT(reading_stamps_nothing, layout)
{
    crowd *c = crowd_new(layout);
    kith_query *query = KITH_QUERY(c->world, KITH_READ(Position), KITH_OPTIONAL(Extra));
    test_stamps *stamps = test_stamps_take(c->world);
    read_all(query);
    CHECK_UINT(kith_query_count(c->query), ROWS);
    CHECK_SAME(kith_query_first(c->query), c->entities[0]);
    CHECK(kith_query_contains(c->query, c->entities[1]));
    CHECK_PTR_NOT_NULL(KITH_GET(c->world, c->entities[7], Extra));
    CHECK_RESULT(KITH_ADD(c->world, c->entities[7], Extra), KITH_OK);
    CHECK_RESULT(kith_set_bytes(c->world, KITH_NONE, &Frozen_type, NULL, 0), KITH_ERR_DEAD);
    CHECK_WORLD(c->world);
    kith_world_hash(c->world);
    kith_content_hash(c->world);
    test_stamps_check_none(stamps);
    test_stamps_free(stamps);
    fixture_free(&c->f);
}
