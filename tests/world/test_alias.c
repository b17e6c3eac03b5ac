/* Values that come from within the world itself: what is read must be what was there before the call,
 * also where the call moves rows or grows a storage. Memory that is given back is overwritten here, so
 * that a value read too late shows. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

/* Overwriting with a neighbour's value, or with one's own. */
TEST_EACH_LAYOUT(set_from_another_entity, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Position, {3, 4}));
    CHECK_RESULT(kith_set(f.world, a, &Position_type, KITH_GET(f.world, b, Position)), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, a, Position)->y, 4);
    CHECK_RESULT(kith_set(f.world, b, &Position_type, KITH_GET(f.world, b, Position)), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, b, Position)->y, 4);
    fixture_free(&f);
}

/* The add moves the entity's row, and the last row of its table into the hole: the value may stand in
 * either, or in a block that grows. At every size, since each grows something else. */
TEST_EACH_LAYOUT(set_that_adds_from_another_entity, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity source = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 7}));
    for (uint32_t i = 0; i < 1200; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Byte, {1}));
        KITH_GET_MUT(f.world, source, Position)->x = (float)i;
        CHECK_RESULT(kith_set(f.world, e, &Position_type, KITH_GET(f.world, source, Position)),
                     KITH_OK);
        CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, (float)i);
        CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 7);
        CHECK_FLOAT(KITH_GET(f.world, source, Position)->x, (float)i);
        source = e;
    }
    fixture_free(&f);
}

/* Velocity is made of the bytes of the entity's own Position, which is on its way to another table. */
TEST_EACH_LAYOUT(set_that_adds_from_the_entity_itself, layout)
{
    for (int rows = 1; rows < 4; rows++) {
        for (int which = 0; which < rows; which++) {
            fixture f = fixture_with_all(layout);
            kith_entity e[4];
            for (int i = 0; i < rows; i++) {
                e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i + 1, (float)i + 10}));
            }
            const void *own = KITH_GET(f.world, e[which], Position);
            CHECK_RESULT(kith_set(f.world, e[which], &Velocity_type, own), KITH_OK);
            CHECK_FLOAT(KITH_GET(f.world, e[which], Velocity)->dx, (float)which + 1);
            CHECK_FLOAT(KITH_GET(f.world, e[which], Velocity)->dy, (float)which + 10);
            CHECK_FLOAT(KITH_GET(f.world, e[which], Position)->y, (float)which + 10);
            fixture_free(&f);
        }
    }
}

/* From the row that fills the hole. */
TEST_EACH_LAYOUT(set_that_adds_from_the_last_row, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 5}));
    }
    const void *last = KITH_GET(f.world, e[2], Position);
    CHECK_RESULT(kith_set(f.world, e[0], &Velocity_type, last), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e[0], Velocity)->dx, 2);
    CHECK_FLOAT(KITH_GET(f.world, e[0], Velocity)->dy, 5);
    fixture_free(&f);
}

/* From a column of another type that does not come along. */
TEST_EACH_LAYOUT(spawn_from_values_of_the_world, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity, {3, 4}));
    for (int i = 0; i < 1200; i++) {
        const Position *position = KITH_GET(f.world, e, Position);
        const Velocity *velocity = KITH_GET(f.world, e, Velocity);
        kith_entity next =
            KITH_SPAWN(f.world, {&Position_type, position}, {&Velocity_type, velocity});
        CHECK_FLOAT(KITH_GET(f.world, next, Position)->y, 2);
        CHECK_FLOAT(KITH_GET(f.world, next, Velocity)->dy, 4);
        e = next;
    }
    fixture_free(&f);
}

TEST_EACH_LAYOUT(spawn_many_from_values_of_the_world, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    for (uint32_t count = 1; count < 2000; count = count * 2 + 1) {
        const kith_values values[] = {
            {&Position_type, KITH_GET(f.world, e, Position), false},
            {&Velocity_type, KITH_GET(f.world, e, Position), false},
        };
        kith_entity made[2000];
        CHECK_RESULT(kith_spawn_many(f.world, count, values, 2, made), KITH_OK);
        for (uint32_t i = 0; i < count; i++) {
            CHECK_FLOAT(KITH_GET(f.world, made[i], Position)->y, 2);
            CHECK_FLOAT(KITH_GET(f.world, made[i], Velocity)->dy, 2);
        }
        e = made[count - 1];
        CHECK_WORLD(f.world);
    }
    /* A whole column as the source of another. */
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position), KITH_WITHOUT(Byte));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    const Position *column = KITH_COLUMN(&it, Position);
    const uint32_t count = it.count;
    kith_iter_close(&it);
    const kith_values values[] = {{&Position_type, column, true}, KITH_VALUE(Byte, {1})};
    static kith_entity made[1024];
    CHECK_RESULT(kith_spawn_many(f.world, count, values, 2, made), KITH_OK);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_FLOAT(KITH_GET(f.world, made[i], Position)->y, 2);
    }
    fixture_free(&f);
}

/* From values that the same call moves along, and does not set. */
TEST_EACH_LAYOUT(set_several_from_the_entity_itself, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Health, {7, 8}));
    KITH_SPAWN(f.world, KITH_VALUE(Position, {90, 91}), KITH_VALUE(Health, {92, 93}));
    const kith_value values[] = {
        {&Velocity_type, KITH_GET(f.world, e, Position)},
        {&Name_type, NULL},
        {&Target_type, KITH_GET(f.world, e, Health)},
    };
    CHECK_RESULT(kith_set_values(f.world, e, values, 3), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Velocity)->dy, 2);
    CHECK_UINT(KITH_GET(f.world, e, Target)->entity.index1, 7);
    CHECK_UINT(KITH_GET(f.world, e, Target)->entity.generation, 8);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    CHECK_INT(KITH_GET(f.world, e, Health)->max, 8);
    fixture_free(&f);
}

/* From the middle of another value, at an address that no Position could have. */
TEST_EACH_LAYOUT(set_from_bytes_that_overlap, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e[4];
    for (int i = 0; i < 4; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Name, {"0123456789abcde"}));
    }
    Name *name = KITH_GET_MUT(f.world, e[0], Name);
    CHECK_RESULT(kith_set(f.world, e[0], &Position_type, name->text + 3), KITH_OK);
    CHECK(memcmp(KITH_GET(f.world, e[0], Position), "3456789a", 8) == 0);
    fixture_free(&f);
}

TEST(resources_and_events_from_the_world)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(kith_resource_set(f.world, &Position_type, KITH_GET(f.world, e, Position)),
                 KITH_OK);
    CHECK_RESULT(kith_resource_set(f.world, &Velocity_type, KITH_RESOURCE(f.world, Position)),
                 KITH_OK);
    CHECK_RESULT(kith_resource_set(f.world, &Position_type, KITH_RESOURCE(f.world, Position)),
                 KITH_OK);
    CHECK_FLOAT(KITH_RESOURCE(f.world, Velocity)->dy, 2);
    CHECK_RESULT(kith_event_send(f.world, &Position_type, KITH_RESOURCE(f.world, Position)),
                 KITH_OK);
    /* The queue grows while its own event is sent again. */
    for (uint32_t i = 0; i < 3000; i++) {
        CHECK_RESULT(kith_event_send(f.world, &Position_type, KITH_EVENT(f.world, i, Position)),
                     KITH_OK);
        CHECK_FLOAT(KITH_EVENT(f.world, i + 1, Position)->y, 2);
    }
    fixture_free(&f);
}

/* ---- At any address ---------------------------------------------------------------------------- */

/* Values of 8 and of 64 bytes, `shift` bytes off their alignment. */
typedef struct shifted {
    _Alignas(64) char bytes[256];
    void *position;
    void *aligned;
} shifted;

static void shift_values(shifted *to, size_t shift, float number)
{
    const Position position = {number, number};
    const Aligned aligned = {.words = {(uint64_t)number, [7] = (uint64_t)number}};
    to->position = to->bytes + shift;
    to->aligned = to->bytes + 128 + shift;
    memcpy(to->position, &position, sizeof(position));
    memcpy(to->aligned, &aligned, sizeof(aligned));
}

static void check_number(kith_world *world, kith_entity e, float number)
{
    CHECK_FLOAT(KITH_GET(world, e, Position)->y, number);
    CHECK_UINT(KITH_GET(world, e, Aligned)->words[0], (uint64_t)number);
    CHECK_UINT(KITH_GET(world, e, Aligned)->words[7], (uint64_t)number);
    CHECK_WORLD(world);
}

TEST_EACH_LAYOUT(values_need_no_alignment, layout)
{
    for (size_t shift = 1; shift < 16; shift++) {
        shifted v;
        fixture f = fixture_with_all(layout);
        kith_commands *commands = kith_commands_new(f.world, NULL);
        shift_values(&v, shift, 1);
        const kith_value both[] = {{&Position_type, v.position}, {&Aligned_type, v.aligned}};
        const kith_values many[] = {{&Position_type, v.position, false},
                                    {&Aligned_type, v.aligned, false}};
        kith_entity e[4];
        CHECK_RESULT(kith_spawn(f.world, both, 2, &e[0]), KITH_OK);
        CHECK_RESULT(kith_spawn_many(f.world, 2, many, 2, &e[1]), KITH_OK);
        e[3] = kith_commands_spawn_values(commands, both, 2);
        CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
        e[3] = kith_commands_real(commands, e[3]);
        for (int i = 0; i < 4; i++) {
            check_number(f.world, e[i], 1);
        }
        shift_values(&v, shift, 2);
        CHECK_RESULT(kith_set(f.world, e[0], &Position_type, v.position), KITH_OK);
        CHECK_RESULT(kith_set(f.world, e[0], &Aligned_type, v.aligned), KITH_OK);
        CHECK_RESULT(kith_set_values(f.world, e[1], both, 2), KITH_OK);
        CHECK_RESULT(kith_commands_set(commands, e[2], &Position_type, v.position), KITH_OK);
        CHECK_RESULT(kith_commands_set(commands, e[2], &Aligned_type, v.aligned), KITH_OK);
        CHECK_RESULT(kith_commands_set_values(commands, e[3], both, 2), KITH_OK);
        CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
        for (int i = 0; i < 4; i++) {
            check_number(f.world, e[i], 2);
        }
        CHECK_RESULT(kith_resource_set(f.world, &Aligned_type, v.aligned), KITH_OK);
        CHECK_UINT(KITH_RESOURCE(f.world, Aligned)->words[7], 2);
        CHECK_RESULT(kith_event_send(f.world, &Aligned_type, v.aligned), KITH_OK);
        CHECK_UINT(KITH_EVENT(f.world, 0, Aligned)->words[7], 2);
        kith_commands_free(commands);
        fixture_free(&f);
    }
}
