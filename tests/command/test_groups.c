/* Commands that are equal for many entities are applied by the group. Whatever makes that impossible
 * must not be seen: the world is the same, bit by bit, as when each entity is taken by itself. */
#include "components.h"
#include "random.h"
#include "test.h"

enum { ROWS = 2300, SOME = 40 };

/* One of two worlds in which the same happens. */
typedef struct twin {
    fixture f;
    kith_commands *commands;
    kith_tracker *trackers[3]; /* NULL where nobody follows */
    kith_entity e[ROWS];
    uint64_t random;
} twin;

/* Makes this filling of the buffer one that is not applied by groups: an entity that never comes to
 * be changes nothing else. */
static void take_one_by_one(kith_commands *commands)
{
    CHECK_RESULT(kith_commands_despawn(commands, kith_commands_spawn(commands)), KITH_OK);
}

static void twin_open(twin *t, kith_layout layout, uint64_t seed, bool followed)
{
    t->f = fixture_new();
    t->random = seed;
    kith_world *world = t->f.world;
    if (seed % 2 == 0) {
        register_mixed(world, seed);
    } else {
        register_all(world, layout);
    }
    t->commands = kith_commands_new(world, NULL);
    const kith_type *types[] = {&Extra_type, &Frozen_type, &Position_type};
    for (int i = 0; i < 3; i++) {
        t->trackers[i] = NULL;
        CHECK_RESULT(followed ? kith_tracker_new(world, types[i], &t->trackers[i]) : KITH_OK,
                     KITH_OK);
    }
    for (uint32_t i = 0; i < ROWS; i++) {
        t->e[i] = KITH_SPAWN(world, KITH_VALUE(Position, {(float)i, 1}), KITH_VALUE(Byte, {7}));
        if (i % 700 < 300) {
            CHECK_RESULT(KITH_SET(world, t->e[i], Velocity, {1, (float)i}), KITH_OK);
        }
    }
}

/* One or two commands, one behind the other. */
static void queue_step(kith_commands *c, kith_entity e, uint32_t kind, uint32_t i)
{
    const float number = (float)i;
    switch (kind) {
    case 0: KITH_SET(c, e, Extra, {number, 2, 3}); break;
    case 1: KITH_REMOVE(c, e, Extra); break;
    case 2: KITH_ADD(c, e, Frozen); break;
    case 3: kith_commands_despawn(c, e); break;
    case 4: kith_commands_remove_all(c, e); break;
    case 5: KITH_SET(c, e, Position, {number, 9}); break;
    case 6:
        KITH_REMOVE(c, e, Velocity);
        KITH_SET(c, e, Aligned, {.words = {[2] = i}});
        break;
    case 7:
        KITH_SET_VALUES(c, e, KITH_VALUE(Byte, {1}), KITH_VALUE(Extra, {1, 1, number}),
                        KITH_VALUE(Name, {"several"}), KITH_VALUE(Frozen));
        break;
    case 8:
        KITH_SET(c, e, Velocity, {number, 3});
        KITH_REMOVE(c, e, Velocity);
        KITH_ADD(c, e, Velocity);
        KITH_SET(c, e, Byte, {(uint8_t)(i & 255)});
        break;
    case 9:
        kith_commands_remove_all(c, e);
        KITH_ADD(c, e, Position);
        KITH_REMOVE(c, e, Frozen);
        break;
    case 10:
        KITH_ADD(c, e, Byte);
        kith_commands_despawn(c, e);
        KITH_ADD(c, e, Name);
        break;
    case 11: KITH_SET(c, e, Target, {e}); break;
    case 12: KITH_SPAWN(c, KITH_VALUE(Position, {number, 4}), KITH_VALUE(Frozen)); break;
    case 13: KITH_SET(c, kith_commands_spawn(c), Target, {kith_commands_spawn(c)}); break;
    default: KITH_REMOVE(c, e, Frozen); break;
    }
}
enum { STEPS = 15 };

/* The entity that comes as number `i` in one of the orders; each but the last names nobody twice. */
static uint32_t in_order(uint32_t order, uint32_t i, uint32_t count, uint32_t salt)
{
    switch (order) {
    case 0: return i;
    case 1: return count - 1 - i;
    case 2: return (uint32_t)((uint64_t)(i + salt) * 1009 % ROWS); /* all if count is ROWS */
    default: return i * 7 % SOME;
    }
}

/* Queues something for a part of the entities; the same for the same state of `random`. */
static void queue_part(twin *t)
{
    uint32_t order = random_below(&t->random, 8);
    order = order < 4 ? 0 : order < 7 ? order - 4 : 3;
    uint32_t salt = random_below(&t->random, ROWS);
    uint32_t first = random_below(&t->random, 2) == 0 ? 0 : random_below(&t->random, ROWS);
    uint32_t count = order == 3 ? SOME * 2 : order == 2 ? ROWS : ROWS - first;
    uint32_t kinds[3];
    for (int k = 0; k < 3; k++) {
        kinds[k] = random_below(&t->random, STEPS);
    }
    uint32_t how = random_below(&t->random, 4);
    uint32_t every = 1 + (random_below(&t->random, 3) == 0 ? random_below(&t->random, 9) : 0);
    for (uint32_t i = 0; i < count; i += every) {
        uint32_t number = order <= 1 ? first % ROWS : 0;
        number = (number + in_order(order, i, count, salt)) % ROWS;
        uint32_t kind = how < 2   ? kinds[0]
                        : how < 3 ? kinds[random_below(&t->random, 3)]
                                  : kinds[i / 1030 % 3];
        queue_step(t->commands, t->e[number], kind, i);
    }
}

/* Some that the buffer made take the place of others in the list. */
static void keep_some(twin *t, const kith_entity *made, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        kith_entity real = kith_commands_real(t->commands, made[i]);
        CHECK(kith_alive(t->f.world, real));
        t->e[random_below(&t->random, ROWS)] = real;
    }
}

static uint32_t play_round(twin *t, bool one_by_one)
{
    kith_entity made[SOME];
    uint32_t made_count = random_below(&t->random, 2) * SOME;
    for (uint32_t parts = 1 + random_below(&t->random, 3); parts > 0; parts--) {
        queue_part(t);
    }
    for (uint32_t i = 0; i < made_count; i++) {
        made[i] = KITH_SPAWN(t->commands, KITH_VALUE(Position, {(float)i, 0}));
    }
    CHECK_WORLD(t->f.world);
    if (one_by_one) {
        take_one_by_one(t->commands);
    }
    uint32_t dead = 0;
    CHECK_RESULT(kith_commands_apply(t->commands, &dead), KITH_OK);
    CHECK_WORLD(t->f.world);
    keep_some(t, made, made_count);
    return dead;
}

static void compare_tracks(twin *a, twin *b)
{
    for (int i = 0; i < 3 && a->trackers[i] != NULL; i++) {
        kith_change x;
        kith_change y;
        while (kith_tracker_next(a->trackers[i], &x)) {
            CHECK(kith_tracker_next(b->trackers[i], &y));
            CHECK_SAME(x.entity, y.entity);
            CHECK_INT(x.kind, y.kind);
        }
        CHECK(!kith_tracker_next(b->trackers[i], &y));
    }
}

TEST_EACH_LAYOUT_WITHIN(30, groups_come_to_the_same_as_one_by_one, layout)
{
    static twin a;
    static twin b;
    for (uint64_t seed = 1; seed <= (test_long() ? 300 : 14); seed++) {
        twin_open(&a, layout, seed, seed / 2 % 2 == 0);
        twin_open(&b, layout, seed, seed / 2 % 2 == 0);
        for (int round = 0; round < 5; round++) {
            uint32_t dead = play_round(&a, false);
            CHECK_UINT(play_round(&b, true), dead);
            CHECK(kith_world_hash(a.f.world) == kith_world_hash(b.f.world));
            compare_tracks(&a, &b);
        }
        fixture_free(&b.f);
        fixture_free(&a.f);
    }
}

/* Whoever is followed costs more, and comes to the same. */
TEST_EACH_LAYOUT_WITHIN(30, trackers_change_nothing, layout)
{
    static twin a;
    static twin b;
    for (uint64_t seed = 1; seed <= (test_long() ? 300 : 8); seed++) {
        twin_open(&a, layout, seed, false);
        twin_open(&b, layout, seed, true);
        for (int round = 0; round < 5; round++) {
            uint32_t dead = play_round(&a, false);
            CHECK_UINT(play_round(&b, false), dead);
            CHECK(kith_world_hash(a.f.world) == kith_world_hash(b.f.world));
        }
        fixture_free(&b.f);
        fixture_free(&a.f);
    }
}

/* Rows that stood side by side when the commands were looked at, and no longer do once others have left
 * the table and the last have taken their places. */
TEST_EACH_LAYOUT(rows_that_move_before_their_turn, layout)
{
    fixture f = fixture_with_all(layout);
    static kith_entity e[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
    }
    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (uint32_t i = 0; i < 100; i++) {
        kith_commands_despawn(commands, e[i]);
    }
    for (uint32_t i = ROWS - 150; i < ROWS - 50; i++) {
        KITH_SET(commands, e[i], Position, {(float)i, 1});
    }
    for (uint32_t i = ROWS - 50; i < ROWS; i++) {
        KITH_SET(commands, e[i], Extra, {(float)i, 1, 2});
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_WORLD(f.world);
    for (uint32_t i = 0; i < ROWS; i++) {
        const Position *position = KITH_GET(f.world, e[i], Position);
        CHECK_INT(position != NULL, i >= 100);
        if (i >= 100) {
            CHECK_FLOAT(position->x, i);
            CHECK_FLOAT(position->y, i >= ROWS - 150 && i < ROWS - 50);
        }
        CHECK_INT(KITH_HAS(f.world, e[i], Extra), i >= ROWS - 50);
        CHECK(i < ROWS - 50 || KITH_GET(f.world, e[i], Extra)->a == (float)i);
    }
    fixture_free(&f);
}

/* What a test of spans queues for an entity, and what the entity then has. */
typedef enum span_op {
    SPAN_DESPAWN,
    SPAN_CLEAR,
    SPAN_REMOVE,
    SPAN_ADD,
    SPAN_SET,
    SPAN_OPS
} span_op;

static void queue_span(kith_commands *commands, span_op op, kith_entity e, uint32_t i)
{
    switch (op) {
    case SPAN_DESPAWN: kith_commands_despawn(commands, e); break;
    case SPAN_CLEAR: kith_commands_remove_all(commands, e); break;
    case SPAN_REMOVE: KITH_REMOVE(commands, e, Velocity); break;
    case SPAN_ADD: KITH_SET(commands, e, Extra, {(float)i, 1, 2}); break;
    case SPAN_SET: KITH_SET(commands, e, Velocity, {(float)i, 2}); break;
    case SPAN_OPS: break;
    }
}

static void check_span(kith_world *world, span_op op, kith_entity e, uint32_t i, bool queued)
{
    bool gone = queued && op == SPAN_DESPAWN;
    bool cleared = gone || (queued && op == SPAN_CLEAR);
    CHECK_INT(kith_alive(world, e), !gone);
    CHECK_INT(KITH_HAS(world, e, Position), !cleared);
    CHECK_INT(KITH_HAS(world, e, Velocity), !cleared && !(queued && op == SPAN_REMOVE));
    CHECK_INT(KITH_HAS(world, e, Extra), queued && op == SPAN_ADD);
    if (KITH_HAS(world, e, Position)) {
        CHECK_FLOAT(KITH_GET(world, e, Position)->x, i);
    }
    if (KITH_HAS(world, e, Velocity)) {
        CHECK_FLOAT(KITH_GET(world, e, Velocity)->dx, i);
        CHECK_FLOAT(KITH_GET(world, e, Velocity)->dy, queued && op == SPAN_SET ? 2 : 1);
    }
    if (KITH_HAS(world, e, Extra)) {
        CHECK_FLOAT(KITH_GET(world, e, Extra)->a, i);
    }
}

/* Two groups of the same commands, told apart by one for a dead entity between them: before, beside and
 * after each other, and across the end of a block. */
TEST_EACH_LAYOUT(groups_with_rows_between_them_leave_those_alone, layout)
{
    static const uint32_t spans[][4] = {
        {10, 20, 30, 40}, {30, 40, 10, 20},       {10, 20, 20, 30},      {10, 20, 21, 30},
        {20, 30, 10, 20}, {0, 2, ROWS - 2, ROWS}, {5, 1024, 1030, 2060}, {1030, 2060, 5, 1024}};
    static kith_entity e[ROWS];
    for (size_t k = 0; test_row(k, ROWS_OF(spans)); k++) {
        for (int op = 0; op < SPAN_OPS; op++) {
            fixture f = fixture_with_all(layout);
            kith_entity dead = kith_spawn_empty(f.world);
            for (uint32_t i = 0; i < ROWS; i++) {
                e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}),
                                  KITH_VALUE(Velocity, {(float)i, 1}));
            }
            CHECK_RESULT(kith_despawn(f.world, dead), KITH_OK);
            kith_commands *commands = kith_commands_new(f.world, NULL);
            for (uint32_t i = spans[k][0]; i < spans[k][1]; i++) {
                queue_span(commands, (span_op)op, e[i], i);
            }
            queue_span(commands, (span_op)op, dead, 0);
            for (uint32_t i = spans[k][2]; i < spans[k][3]; i++) {
                queue_span(commands, (span_op)op, e[i], i);
            }
            uint32_t skipped = 0;
            CHECK_RESULT(kith_commands_apply(commands, &skipped), KITH_OK);
            CHECK_UINT(skipped, 1);
            CHECK_WORLD(f.world);
            for (uint32_t i = 0; i < ROWS; i++) {
                bool queued =
                    (i >= spans[k][0] && i < spans[k][1]) || (i >= spans[k][2] && i < spans[k][3]);
                check_span(f.world, (span_op)op, e[i], i, queued);
            }
            fixture_free(&f);
        }
    }
}

/* Rows that follow one another, of slots that do not ascend: those of them who are named once more are
 * found all the same. */
TEST_EACH_LAYOUT(rows_against_slots, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e[SOME];
    for (uint32_t i = 0; i < SOME; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
    }
    for (uint32_t i = SOME; i-- > 0;) {
        CHECK_RESULT(KITH_SET(f.world, e[i], Velocity, {(float)i, 0}), KITH_OK);
    }
    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (uint32_t i = SOME; i-- > 0;) {
        KITH_SET(commands, e[i], Extra, {(float)i, 1, 1});
    }
    for (uint32_t i = SOME / 2; i < SOME; i++) {
        KITH_REMOVE(commands, e[i], Extra);
        KITH_SET(commands, e[i], Velocity, {(float)i, 2});
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_WORLD(f.world);
    for (uint32_t i = 0; i < SOME; i++) {
        CHECK_FLOAT(KITH_GET(f.world, e[i], Position)->x, i);
        CHECK_FLOAT(KITH_GET(f.world, e[i], Velocity)->dx, i);
        CHECK_FLOAT(KITH_GET(f.world, e[i], Velocity)->dy, i < SOME / 2 ? 0 : 2);
        CHECK_INT(KITH_HAS(f.world, e[i], Extra), i < SOME / 2);
    }
    fixture_free(&f);
}

/* The first page of a storage starts small, and the highest slot comes first. */
TEST_EACH_LAYOUT(a_few_from_the_last_to_the_first, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e[200];
    for (uint32_t i = 0; i < 200; i++) {
        e[i] = kith_spawn_empty(f.world);
    }
    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (uint32_t i = 200; i-- > 0;) {
        KITH_SET(commands, e[i], Extra, {(float)i, 1, 1});
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_WORLD(f.world);
    for (uint32_t i = 0; i < 200; i++) {
        CHECK_FLOAT(KITH_GET(f.world, e[i], Extra)->a, i);
    }
    fixture_free(&f);
}

/* A handle that is dead now, and would be alive once the buffer has made its entities. */
TEST_EACH_LAYOUT(a_handle_that_comes_to_life_meanwhile_is_dead, layout)
{
    for (int one_by_one = 0; one_by_one < 2; one_by_one++) {
        fixture f = fixture_with_all(layout);
        kith_entity e[3];
        for (int i = 0; i < 3; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Byte, {1}));
        }
        CHECK_RESULT(kith_despawn(f.world, e[1]), KITH_OK);
        kith_commands *commands = kith_commands_new(f.world, NULL);
        kith_entity next = {e[1].index1, e[1].generation + 1};
        KITH_SET(commands, e[0], Byte, {2});
        KITH_SET(commands, next, Byte, {2});
        KITH_SET(commands, e[2], Byte, {2});
        kith_entity made = KITH_SPAWN(commands, KITH_VALUE(Byte, {3}));
        if (one_by_one != 0) {
            take_one_by_one(commands);
        }
        uint32_t dead = 0;
        CHECK_RESULT(kith_commands_apply(commands, &dead), KITH_OK);
        CHECK_WORLD(f.world);
        CHECK_UINT(dead, 1);
        CHECK_SAME(kith_commands_real(commands, made), next);
        CHECK_UINT(KITH_GET(f.world, next, Byte)->value, 3);
        CHECK_UINT(KITH_GET(f.world, e[0], Byte)->value, 2);
        CHECK_UINT(KITH_GET(f.world, e[2], Byte)->value, 2);
        fixture_free(&f);
    }
}
