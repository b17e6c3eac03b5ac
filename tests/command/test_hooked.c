/* Values with hooks in command buffers: each is made when it is queued and ended once, whatever becomes
 * of its command: applied, overruled, for the dead, forgotten, failed. */
#include <stdalign.h>
#include <string.h>

#include "queuing.h"

TEST_EACH_LAYOUT(a_queued_value_is_a_copy_which_moves_into_the_world, layout)
{
    queuing q;
    queuing_new(&q, layout);
    CHECK_RESULT(queue_number(&q, q.bare, 1), KITH_OK);
    CHECK_RESULT(queue_number(&q, q.owner, 2), KITH_OK);
    uint32_t three = 3;
    const Owned value = {&three, 3, 0};
    const kith_value values[] = {{&Owned_type, &value}, KITH_VALUE(Position, {1, 2})};
    kith_entity made = kith_commands_spawn_values(q.commands, values, 2);
    kith_entity added = kith_commands_spawn(q.commands);
    CHECK_RESULT(KITH_ADD(q.commands, added, Owned), KITH_OK);
    CHECK_RESULT(kith_commands_set(q.commands, q.gone, &Owned_type, NULL), KITH_OK);
    kith_entity several = kith_commands_spawn(q.commands);
    CHECK_RESULT(kith_commands_set_values(q.commands, several, values, 2), KITH_OK);
    check_live(&q.o, 1 + 6);
    uint64_t made_so_far = q.o.record.calls;
    apply(&q, 1);
    CHECK_UINT(q.o.record.calls, made_so_far); /* nothing is made once more */
    check_live(&q.o, 5);
    CHECK_UINT(number_of(&q.o, q.bare), 1);
    CHECK_UINT(number_of(&q.o, q.owner), 2);
    CHECK_UINT(number_of(&q.o, kith_commands_real(q.commands, made)), 3);
    CHECK_UINT(number_of(&q.o, kith_commands_real(q.commands, added)), OWNED_INITIAL);
    CHECK_UINT(number_of(&q.o, kith_commands_real(q.commands, several)), 3);
    owners_free(&q.o);
}

TEST_EACH_LAYOUT(what_is_overruled_ends, layout)
{
    queuing q;
    queuing_new(&q, layout);
    queue_number(&q, q.bare, 1);
    queue_number(&q, q.owner, 1);
    queue_number(&q, q.bare, 2);         /* overwritten */
    KITH_ADD(q.commands, q.bare, Owned); /* is there */
    KITH_REMOVE(q.commands, q.owner, Owned);
    KITH_ADD(q.commands, q.owner, Owned); /* anew */
    kith_entity spawned = kith_commands_spawn(q.commands);
    queue_number(&q, spawned, 3);
    kith_commands_remove_all(q.commands, spawned);
    kith_entity never = kith_commands_spawn(q.commands);
    queue_number(&q, never, 4);
    kith_commands_despawn(q.commands, never);
    queue_number(&q, never, 5); /* for the dead */
    check_live(&q.o, 1 + 8);
    apply(&q, 1);
    check_live(&q.o, 2);
    CHECK_UINT(number_of(&q.o, q.bare), 2);
    CHECK_UINT(number_of(&q.o, q.owner), OWNED_INITIAL);
    CHECK(!KITH_HAS(q.world, kith_commands_real(q.commands, spawned), Owned));
    KITH_ADD(q.commands, q.bare, Owned); /* is there, in the world */
    apply(&q, 0);
    check_live(&q.o, 2);
    CHECK_UINT(number_of(&q.o, q.bare), 2);
    queue_number(&q, q.bare, 6);
    kith_commands_despawn(q.commands, q.bare);
    apply(&q, 0);
    check_live(&q.o, 1);
    owners_free(&q.o);
}

TEST_EACH_LAYOUT(what_is_forgotten_ends, layout)
{
    queuing q;
    queuing_new(&q, layout);
    for (uint32_t round = 0; round < 3; round++) {
        queue_number(&q, q.bare, 1);
        queue_number(&q, kith_commands_spawn(q.commands), 2);
        check_live(&q.o, 3);
        kith_commands_discard(q.commands);
        check_live(&q.o, 1);
    }
    kith_commands *other = q.commands;
    queue_number(&q, q.bare, 1);
    q.commands = kith_commands_new(q.world, NULL);
    queue_number(&q, q.bare, 1);
    check_live(&q.o, 3);
    kith_commands_free(other);
    check_live(&q.o, 2);
    owners_free(&q.o); /* with what is queued */
}

/* Runs of many entities, blocks of them, in all the ways in which values get to their rows. */
TEST_EACH_LAYOUT_WITHIN(8, many_values, layout)
{
    queuing q;
    queuing_new(&q, layout);
    enum { COUNT = 3000 };
    static kith_entity e[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        e[i] = kith_commands_spawn(q.commands);
        queue_number(&q, e[i], i);
    }
    apply(&q, 0);
    check_live(&q.o, 1 + COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        e[i] = kith_commands_real(q.commands, e[i]);
        CHECK_UINT(number_of(&q.o, e[i]), i);
    }
    for (uint32_t i = 0; i < COUNT; i++) { /* one move for some of them, none for others */
        uint32_t at = i * 7 % COUNT;
        queue_number(&q, e[at], at + 1);
        if (at % 3 == 0) {
            KITH_SET(q.commands, e[at], Velocity, {1, 2});
        }
    }
    apply(&q, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        CHECK_UINT(number_of(&q.o, e[i]), i + 1);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        KITH_REMOVE(q.commands, e[i], Owned);
        KITH_SET(q.commands, e[i], Position, {1, 2});
    }
    apply(&q, 0);
    check_live(&q.o, 1);
    for (uint32_t i = 0; i < COUNT; i++) {
        KITH_ADD(q.commands, e[i], Owned);
    }
    apply(&q, 0);
    check_live(&q.o, 1 + COUNT);
    CHECK_UINT(number_of(&q.o, e[COUNT - 1]), OWNED_INITIAL);
    owners_free(&q.o);
}

/* ---- Clones */

TEST_EACH_LAYOUT(each_clone_has_a_copy, layout)
{
    queuing q;
    queuing_new(&q, layout);
    kith_entity c[8];
    c[0] = kith_commands_clone(q.commands, q.owner); /* twice, of the world's value */
    c[1] = kith_commands_clone(q.commands, q.owner);
    queue_number(&q, q.owner, 6);
    c[2] = kith_commands_clone(q.commands, q.owner); /* of what is queued for it */
    c[3] = kith_commands_clone(q.commands, c[1]);    /* of a clone */
    KITH_ADD(q.commands, q.bare, Owned);
    c[4] = kith_commands_clone(q.commands, q.bare);
    queue_number(&q, c[0], 7); /* over what was cloned */
    c[5] = kith_commands_clone(q.commands, c[0]);
    c[6] = kith_commands_clone(q.commands, q.owner);
    kith_commands_despawn(q.commands, c[6]);
    c[7] = kith_commands_clone(q.commands, c[6]); /* of the dead: none */
    check_live(&q.o, 1 + 3);
    apply(&q, 1);
    check_live(&q.o, 2 + 6);
    const uint32_t expected[] = {7, 5, 6, 5, OWNED_INITIAL, 7};
    for (uint32_t i = 0; i < 6; i++) {
        CHECK_UINT(number_of(&q.o, kith_commands_real(q.commands, c[i])), expected[i]);
    }
    CHECK_UINT(number_of(&q.o, q.owner), 6);
    CHECK_UINT(number_of(&q.o, q.bare), OWNED_INITIAL);
    owners_free(&q.o);
}

TEST_EACH_LAYOUT(what_cannot_be_copied_is_not_cloned, layout)
{
    queuing q;
    queuing_new_without_copy(&q, layout);
    kith_commands_clone(q.commands, q.owner);
    uint64_t hash = kith_world_hash(q.world);
    for (uint32_t round = 0; round < 2; round++) {
        CHECK_RESULT(kith_commands_apply(q.commands, NULL), KITH_ERR_TYPE);
        CHECK_CONTAINS(kith_error(q.world),
                       " is to be cloned, but the hooks of 'Owned' cannot copy its values");
        CHECK_STR(kith_commands_error(q.commands), kith_error(q.world));
        CHECK(kith_world_hash(q.world) == hash);
        check_live(&q.o, 1);
    }
    kith_commands_discard(q.commands);
    CHECK_STR(kith_commands_error(q.commands), "");
    owners_free(&q.o);
}

/* ---- Values that are taken over */

TEST_EACH_LAYOUT(without_copy_the_buffer_takes_values_over, layout)
{
    queuing q;
    queuing_new_without_copy(&q, layout);
    Owned value = owned_new(&q.o.record, 6);
    uint32_t *number = value.number;
    CHECK_RESULT(kith_commands_set(q.commands, q.owner, &Owned_type, &value), KITH_OK);
    memset(&value, 0xEE, sizeof(value)); /* it is the buffer's now */
    check_live(&q.o, 2);
    apply(&q, 0);
    check_live(&q.o, 1);
    CHECK(KITH_GET(q.world, q.owner, Owned)->number == number);
    value = owned_new(&q.o.record, 7);
    CHECK_RESULT(kith_commands_set(q.commands, q.owner, &Owned_type, &value), KITH_OK);
    kith_commands_discard(q.commands);
    check_live(&q.o, 1);
    owners_free(&q.o);
}

/* What a call queues of several, wherever it fails, is the caller's again. */
TEST_EACH_LAYOUT(a_call_that_fails_takes_nothing_over, layout)
{
    queuing q;
    queuing_new_without_copy(&q, layout);
    Owned mine[2] = {owned_new(&q.o.record, 1), owned_new(&q.o.record, 2)};
    const kith_value values[] = {KITH_VALUE(Position, {1, 2}),
                                 {&Owned_type, &mine[0]},
                                 KITH_VALUE(Bond),
                                 {&Owned_type, &mine[1]}};
    for (size_t nth = 1;; nth++) {
        fail_allocation(&q.o.f, nth);
        kith_entity made = kith_commands_spawn_values(q.commands, values, 4);
        bool reached = fail_nothing(&q.o.f);
        CHECK_INT(kith_is_none(made), reached);
        if (!reached) {
            break; /* they are the buffer's */
        }
        kith_commands_discard(q.commands);
        check_live(&q.o, 3);
        CHECK_UINT(*mine[0].number + *mine[1].number, 3);
    }
    kith_commands_discard(q.commands);
    check_live(&q.o, 1);

    Owned last = owned_new(&q.o.record, 3);
    const Bond lost = {last.number, {0, 77}};
    const kith_value both[] = {{&Owned_type, &last}, {&Bond_type, &lost}};
    CHECK_RESULT(KITH_ADD(q.commands, q.bare, Bond), KITH_OK);         /* stays the buffer's */
    CHECK(kith_is_none(kith_commands_spawn_values(q.commands, both, 2))); /* nobody's handle */
    check_live(&q.o, 3);
    CHECK_CONTAINS(kith_commands_error(q.commands), "is a provisional handle of another");
    kith_commands_discard(q.commands);
    check_live(&q.o, 2);
    owned_end(&q.o.record, &last);
    owners_free(&q.o);
}

/* ---- Handles in values */

TEST_EACH_LAYOUT(handles_in_values_become_real, layout)
{
    queuing q;
    queuing_new(&q, layout);
    kith_entity a = kith_commands_spawn(q.commands);
    kith_entity b = kith_commands_spawn(q.commands);
    kith_entity never = kith_commands_spawn(q.commands);
    CHECK_RESULT(queue_bond(&q, a, b), KITH_OK);
    CHECK_RESULT(queue_bond(&q, b, a), KITH_OK);
    CHECK_RESULT(queue_bond(&q, q.owner, a), KITH_OK);
    CHECK_RESULT(queue_bond(&q, q.bare, never), KITH_OK);
    kith_entity clone = kith_commands_clone(q.commands, q.owner);
    kith_commands_despawn(q.commands, never);
    apply(&q, 0);
    a = kith_commands_real(q.commands, a);
    b = kith_commands_real(q.commands, b);
    clone = kith_commands_real(q.commands, clone);
    CHECK_SAME(KITH_GET(q.world, a, Bond)->to, b);
    CHECK_SAME(KITH_GET(q.world, b, Bond)->to, a);
    CHECK_SAME(KITH_GET(q.world, q.owner, Bond)->to, a);
    CHECK_SAME(KITH_GET(q.world, clone, Bond)->to, a);
    CHECK(kith_is_none(KITH_GET(q.world, q.bare, Bond)->to));
    CHECK_RESULT(queue_bond(&q, q.bare, (kith_entity){0, 5}), KITH_ERR_INPUT);
    check_live(&q.o, 7);
    kith_commands_discard(q.commands);
    owners_free(&q.o);
}

/* A value of the world's that has what looks like the buffer's handle keeps it, as plain ones do. */
TEST_EACH_LAYOUT(handles_that_the_world_has_stay, layout)
{
    queuing q;
    queuing_new(&q, layout);
    kith_entity a = kith_commands_spawn(q.commands);
    uint32_t number = 1;
    const Bond bond = {&number, a};
    CHECK_RESULT(kith_set(q.world, q.owner, &Bond_type, &bond), KITH_OK);
    CHECK_RESULT(queue_bond(&q, q.bare, a), KITH_OK);
    kith_entity clone = kith_commands_clone(q.commands, q.owner);
    kith_entity again = kith_commands_clone(q.commands, clone);
    apply(&q, 0);
    clone = kith_commands_real(q.commands, clone);
    again = kith_commands_real(q.commands, again);
    CHECK_SAME(KITH_GET(q.world, clone, Bond)->to, a);
    CHECK_SAME(KITH_GET(q.world, again, Bond)->to, a);
    CHECK_SAME(KITH_GET(q.world, q.bare, Bond)->to, kith_commands_real(q.commands, a));
    owners_free(&q.o);
}

/* ---- Places */

/* A value that must stand on 128 bytes, or its hooks complain. */
typedef struct Wide {
    alignas(128) uint64_t number;
    uint64_t rest[15];
} Wide;
KITH_TYPE(Wide, KITH_FIELD(Wide, number), KITH_FIELD(Wide, rest));

static uint32_t wide_live;

static kith_result wide_copy(void *to, const void *from, uint32_t count, void *user)
{
    (void)user;
    CHECK((uintptr_t)to % alignof(Wide) == 0 && count == 1);
    memcpy(to, from, sizeof(Wide));
    wide_live++;
    return KITH_OK;
}

static void wide_move(void *to, void *from, uint32_t count, void *user)
{
    (void)user;
    CHECK((uintptr_t)to % alignof(Wide) == 0 && (uintptr_t)from % alignof(Wide) == 0);
    memcpy(to, from, count * sizeof(Wide));
}

static void wide_destroy(void *values, uint32_t count, void *user)
{
    (void)user;
    CHECK((uintptr_t)values % alignof(Wide) == 0);
    wide_live -= count;
}

TEST_EACH_LAYOUT(values_stand_where_their_type_wants, layout)
{
    queuing q;
    queuing_new(&q, layout);
    const kith_hooks hooks = {.copy = wide_copy, .move = wide_move, .destroy = wide_destroy};
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(q.world, &Wide_type, &def), KITH_OK);
    wide_live = 0;
    kith_entity e[100];
    for (uint32_t i = 0; i < 100; i++) {
        e[i] =
            KITH_SPAWN(q.commands, KITH_VALUE(Wide, {.number = i}), KITH_VALUE(Position, {1, 2}));
        queue_number(&q, e[i], i);
    }
    kith_entity clone = kith_commands_clone(q.commands, e[1]);
    apply(&q, 0);
    CHECK_UINT(wide_live, 101);
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_UINT(KITH_GET(q.world, kith_commands_real(q.commands, e[i]), Wide)->number, i);
    }
    CHECK_UINT(KITH_GET(q.world, kith_commands_real(q.commands, clone), Wide)->number, 1);
    owners_free(&q.o);
    CHECK_UINT(wide_live, 0);
}

/* Entries are split and begun anew, among plain values, without a move of what they hold. */
TEST_EACH_LAYOUT(the_log_moves_no_value, layout)
{
    queuing q;
    queuing_new(&q, layout);
    kith_entity e[200];
    for (uint32_t i = 0; i < 200; i++) {
        e[i] = kith_commands_spawn(q.commands);
        KITH_SET(q.commands, e[i], Position, {(float)i, 1});
        if (i % 3 != 0) {
            queue_number(&q, e[i], i);
        }
        if (i % 5 != 0) {
            KITH_SET(q.commands, e[i], Velocity, {(float)i, 2});
        }
        if (i % 7 != 0) {
            KITH_ADD(q.commands, e[i], Bond);
        }
    }
    uint64_t moved = q.o.record.moved;
    CHECK_UINT(moved, 1); /* the fixture's */
    apply(&q, 0);
    for (uint32_t i = 0; i < 200; i++) {
        kith_entity real = kith_commands_real(q.commands, e[i]);
        CHECK_FLOAT(KITH_GET(q.world, real, Position)->x, i);
        CHECK_INT(KITH_HAS(q.world, real, Velocity), i % 5 != 0);
        CHECK_INT(KITH_HAS(q.world, real, Bond), i % 7 != 0);
        CHECK(i % 3 == 0 ? !KITH_HAS(q.world, real, Owned) : number_of(&q.o, real) == i);
    }
    CHECK(q.o.record.moved >= moved + 133 + 171);
    owners_free(&q.o);
}
