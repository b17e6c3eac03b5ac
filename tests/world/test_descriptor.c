/* A descriptor that was copied and altered claims the number of another type. */
#include <kith/kith.h>

#include "components.h"
#include "nothing.h"
#include "test.h"

/* Position's descriptor, but for a larger struct. */
static kith_type altered(kith_field *fields)
{
    kith_type type = Position_type;
    fields[0] = Position_type.fields[0];
    fields[1] = (kith_field){"rest", 4, 4092, KITH_BYTES};
    type.size = 4096;
    type.fields = fields;
    return type;
}

TEST_EACH_LAYOUT(bytes_are_counted_by_the_world, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_field fields[2];
    const kith_type type = altered(fields);
    static uint8_t bytes[4096];
    CHECK_RESULT(kith_get_bytes(f.world, e, &type, bytes, sizeof(bytes)), KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(f.world), "Position has 8 bytes, not 4096");
    CHECK_RESULT(kith_set_bytes(f.world, e, &type, bytes, sizeof(bytes)), KITH_ERR_TYPE);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    fixture_free(&f);
}

TEST(no_call_takes_a_number_away_from_its_type)
{
    fixture f = fixture_with_all(KITH_TABLE);
    CHECK_RESULT(kith_register(f.world, &Position_type, NULL), KITH_OK);
    const uint32_t number = *Position_type.number;
    CHECK(number != 0);
    const uint64_t before = kith_world_hash(f.world);
    kith_field fields[2];
    const kith_type type = altered(fields);
    CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_register: 'Position': its `number`");
    CHECK_RESULT(kith_resource_set(f.world, &type, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_resource_set: 'Position': its `number`");
    CHECK_RESULT(kith_event_send(f.world, &type, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "kith_event_send: 'Position': its `number`");
    CHECK_RESULT(kith_event_register(f.world, &type, NULL), KITH_ERR_INPUT);
    CHECK_UINT(*Position_type.number, number);
    CHECK_UINT(kith_world_hash(f.world), before);
    fixture_free(&f);
}

TEST(the_hash_sees_which_systems_run)
{
    fixture f = fixture_new();
    const uint64_t without = kith_world_hash(f.world);
    const kith_system_def def = {.name = "one", .update = update_nothing};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    const uint64_t on = kith_world_hash(f.world);
    CHECK(on != without);
    CHECK_RESULT(kith_system_enable(f.world, "one", false), KITH_OK);
    CHECK(kith_world_hash(f.world) != on);
    CHECK_RESULT(kith_system_enable(f.world, "one", true), KITH_OK);
    CHECK_UINT(kith_world_hash(f.world), on);
    CHECK_RESULT(kith_system_remove(f.world, "one"), KITH_OK);
    CHECK_UINT(kith_world_hash(f.world), without);
    fixture_free(&f);
}

TEST(room_that_was_asked_for_is_kept)
{
    const kith_world_def def = {.expected_entities = 100000, .expected_types = 100};
    fixture f = fixture_new_with(&def);
    register_all(f.world, KITH_TABLE);
    const size_t used = kith_memory(f.world).used;
    CHECK(used > 100000 * 12);
    kith_world_trim(f.world);
    CHECK(kith_memory(f.world).used >= 100000 * 12);
    fixture_free(&f);
}
