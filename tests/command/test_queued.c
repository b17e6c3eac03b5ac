/* What a buffer holds until it is applied: entries, lists of them, handles, memory. */
#include "command/buffer.h"
#include "components.h"
#include "queuing.h"
#include "test.h"

/* An entry may be begun when the buffer is looked at, applied or cleared, and at the end of a chunk. */
TEST_EACH_LAYOUT(entries_that_are_not_whole, layout)
{
    for (uint32_t count = 1; count < 140; count++) {
        fixture f = fixture_with_all(layout);
        kith_commands *commands = kith_commands_new(f.world, NULL);
        kith_entity e[140];
        for (uint32_t i = 0; i < count; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 0}), KITH_VALUE(Frozen));
            KITH_SET(commands, e[i], Position, {(float)i, 1});
            if (i + 1 < count) {
                KITH_REMOVE(commands, e[i], Frozen);
                KITH_SET(commands, e[i], Target, {e[0]});
            }
        }
        CHECK_WORLD(f.world);
        CHECK_UINT(kith_commands_memory(commands).commands, count * 3 - 2);
        CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
        CHECK_WORLD(f.world);
        for (uint32_t i = 0; i < count; i++) {
            CHECK_FLOAT(KITH_GET(f.world, e[i], Position)->x, i);
            CHECK_INT(KITH_HAS(f.world, e[i], Frozen), i + 1 == count);
            CHECK_INT(KITH_HAS(f.world, e[i], Target), i + 1 < count);
        }
        fixture_free(&f);
    }
}

/* A command for the source of a clone is not one for the clone, though the clone's is expected. */
TEST_EACH_LAYOUT(a_clone_and_its_source_are_told_apart, layout)
{
    fixture f = fixture_with_all(layout);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    kith_entity source = KITH_SPAWN(f.world, KITH_VALUE(Byte, {1}));
    kith_entity clones[4];
    for (uint8_t i = 0; i < 4; i++) {
        clones[i] = kith_commands_clone(commands, source);
        KITH_SET(commands, i % 2 == 0 ? clones[i] : source, Byte, {(uint8_t)(10 + i)});
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    static const uint8_t expected[] = {10, 1, 12, 11};
    for (int i = 0; i < 4; i++) {
        kith_entity real = kith_commands_real(commands, clones[i]);
        CHECK_UINT(KITH_GET(f.world, real, Byte)->value, expected[i]);
    }
    CHECK_UINT(KITH_GET(f.world, source, Byte)->value, 13);
    fixture_free(&f);
}

/* A handle and a value each is what many equal commands take, and little more when they are applied. */
TEST_EACH_LAYOUT(equal_commands_take_little_memory, layout)
{
    enum { COUNT = 100000 };
    static kith_entity e[COUNT];
    fixture f = fixture_with_all(layout);
    const kith_values values = KITH_VALUE(Position, {1, 2});
    CHECK_RESULT(kith_spawn_many(f.world, COUNT, &values, 1, e), KITH_OK);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t k = shuffled == 0 ? i : (uint32_t)((uint64_t)i * 77773 % COUNT);
            KITH_SET(commands, e[k], Extra, {(float)k, 1, 2});
        }
        CHECK(kith_commands_memory(commands).used < (size_t)COUNT * 21);
        CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
        CHECK_WORLD(f.world);
        CHECK(kith_commands_memory(commands).peak < (size_t)COUNT * 25);
        for (uint32_t i = 0; i < COUNT; i += 501) {
            CHECK_FLOAT(KITH_GET(f.world, e[i], Extra)->a, i);
        }
    }
    fixture_free(&f);
}

/* The place of each command in a long list is known, and no longer once the list was emptied. */
TEST_EACH_LAYOUT(long_lists, layout)
{
    fixture f = fixture_new();
    register_all(f.world, layout);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    const kith_type *types[] = {&Position_type, &Velocity_type, &Health_type, &Extra_type,
                                &Name_type,     &Big_type,      &Byte_type,   &Aligned_type,
                                &Target_type,   &Frozen_type,   &Burning_type};
    enum { TYPES = sizeof types / sizeof *types };
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    for (uint32_t k = 0; k < TYPES; k++) {
        /* Each in turn is taken out of the middle, and comes back after the others. */
        for (int round = 0; round < 3; round++) {
            for (uint32_t i = 0; i < TYPES; i++) {
                kith_commands_add(commands, e, types[i]);
            }
            kith_commands_remove(commands, e, types[k]);
            kith_commands_remove(commands, e, types[(k + 1) % TYPES]);
            kith_commands_add(commands, e, types[k]);
            if (round == 1) {
                kith_commands_remove_all(commands, e);
            }
        }
        CHECK_RESULT(KITH_SET(commands, e, Position, {(float)k, 7}), KITH_OK);
        CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
        CHECK_WORLD(f.world);
        for (uint32_t i = 0; i < TYPES; i++) {
            bool there = i != (k + 1) % TYPES || types[i] == &Position_type;
            CHECK_INT(kith_has(f.world, e, types[i]), there);
        }
        CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, k);
    }
    fixture_free(&f);
}

/* Commands after the end of their entity are counted for each of many equal entries. */
TEST_EACH_LAYOUT(commands_after_the_end_are_counted_in_groups, layout)
{
    enum { COUNT = 100 };
    fixture f = fixture_new();
    register_all(f.world, layout);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    kith_entity e[COUNT];
    for (int i = 0; i < COUNT; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    }
    for (int i = 0; i < COUNT; i++) {
        KITH_ADD(commands, e[i], Byte);
        kith_commands_despawn(commands, e[i]);
        KITH_SET(commands, e[i], Position, {3, 4});
        KITH_REMOVE(commands, e[i], Byte);
    }
    uint32_t dead = 0;
    CHECK_RESULT(kith_commands_apply(commands, &dead), KITH_OK);
    CHECK_UINT(dead, 2 * COUNT);
    CHECK_UINT(kith_entity_count(f.world), 0);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Entities that are cleared and get the same again come in one order, in a group or each by itself. */
TEST(what_is_cleared_and_set_comes_in_one_order)
{
    enum { COUNT = 12, CLEARED = 5 };
    kith_entity order[2][COUNT];
    for (int each = 0; each < 2; each++) {
        fixture f = fixture_new();
        register_all(f.world, KITH_SPARSE);
        kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
        kith_commands *commands = kith_commands_new(f.world, NULL);
        kith_entity e[COUNT];
        for (int i = 0; i < COUNT; i++) {
            e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        }
        KITH_ADD(commands, e[COUNT - 1], Byte);
        for (int i = 0; i < CLEARED; i++) {
            kith_commands_remove_all(commands, e[i]);
            KITH_SET(commands, e[i], Position, {3, 4});
        }
        if (each != 0) { /* an entity that is named again */
            KITH_ADD(commands, e[COUNT - 1], Byte);
        }
        CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
        CHECK_WORLD(f.world);
        uint32_t found = 0;
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            for (uint32_t i = 0; i < it.count; i++) {
                order[each][found++] = kith_entities(&it)[i];
            }
        }
        CHECK_UINT(found, COUNT);
        fixture_free(&f);
    }
    for (int i = 0; i < COUNT; i++) {
        CHECK(kith_entity_equal(order[0][i], order[1][i]));
    }
}

/* Entities of several buffers that name each other, after these were joined. */
TEST_EACH_LAYOUT(joined_buffers_keep_their_handles_apart, layout)
{
    queuing q;
    queuing_new(&q, layout);
    CHECK_RESULT(kith_register(q.world, &Target_type, NULL), KITH_OK);
    enum { BUFFERS = 3, EACH = 4 };
    kith_commands *buffers[BUFFERS];
    kith_entity bearer[BUFFERS][EACH];
    for (uint32_t b = 0; b < BUFFERS; b++) {
        buffers[b] = b == 0 ? q.commands : kith_commands_new(q.world, NULL);
        kith_entity made[EACH];
        for (uint32_t i = 0; i < EACH; i++) {
            bearer[b][i] = kith_spawn_empty(q.world);
            made[i] = KITH_SPAWN(buffers[b], KITH_VALUE(Position, {(float)b, (float)i}));
        }
        q.commands = buffers[b];
        for (uint32_t i = 0; i < EACH; i++) {
            KITH_SET(buffers[b], bearer[b][i], Target, {made[i]});
            queue_bond(&q, bearer[b][i], made[EACH - 1 - i]);
            KITH_SET(buffers[b], made[i], Velocity, {(float)i, (float)b});
        }
    }
    q.commands = buffers[0];
    CHECK_RESULT(ki_commands_join(buffers, BUFFERS), KITH_OK);
    CHECK_RESULT(kith_commands_apply(q.commands, NULL), KITH_OK);
    ki_commands_part(buffers, BUFFERS);
    CHECK_WORLD(q.world);
    for (uint32_t b = 0; b < BUFFERS; b++) {
        for (uint32_t i = 0; i < EACH; i++) {
            kith_entity plain = KITH_GET(q.world, bearer[b][i], Target)->entity;
            kith_entity hooked = KITH_GET(q.world, bearer[b][i], Bond)->to;
            CHECK_FLOAT(KITH_GET(q.world, plain, Position)->x, b);
            CHECK_FLOAT(KITH_GET(q.world, plain, Position)->y, i);
            CHECK_FLOAT(KITH_GET(q.world, plain, Velocity)->dx, i);
            CHECK_FLOAT(KITH_GET(q.world, plain, Velocity)->dy, b);
            CHECK_FLOAT(KITH_GET(q.world, hooked, Position)->x, b);
            CHECK_FLOAT(KITH_GET(q.world, hooked, Position)->y, EACH - 1 - i);
        }
    }
    owners_free(&q.o);
}

/* The count of commands has a limit; nobody waits for it in earnest. */
TEST(too_many_commands)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_entity e[2] = {kith_spawn_empty(f.world), kith_spawn_empty(f.world)};
    kith_commands *commands = kith_commands_new(f.world, NULL);
    CHECK_RESULT(KITH_ADD(commands, e[0], Byte), KITH_OK);
    commands->count = KI_COMMANDS_MAX + 1;
    kith_result result = KITH_OK;
    uint32_t taken = 0;
    for (; taken < 200000 && result == KITH_OK; taken++) {
        result = KITH_ADD(commands, e[taken % 2], Byte);
    }
    CHECK_RESULT(result, KITH_ERR_LIMIT);
    CHECK_PTR_NOT_NULL(strstr(kith_commands_error(commands), "kith_commands_add"));
    CHECK(commands->count > KI_COMMANDS_MAX);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_ERR_LIMIT);
    CHECK(!KITH_HAS(f.world, e[0], Byte));
    kith_commands_discard(commands);
    CHECK_RESULT(KITH_ADD(commands, e[0], Byte), KITH_OK);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK(KITH_HAS(f.world, e[0], Byte));
    fixture_free(&f);
}
