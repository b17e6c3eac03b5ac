/* Transient components: values that are made anew from the rest, and are no part of the state. */
#include <kith/kith.h>

#include "components.h"
#include "test.h"

static const kith_component_def transient_sparse = {.layout = KITH_SPARSE, .transient = true};
static const kith_component_def transient_slot = {.layout = KITH_SLOT, .transient = true};

static const kith_component_def *const transient_defs[] = {&transient_sparse, &transient_slot};

TEST(hashes_leave_transient_values_out)
{
    for (int i = 0; i < 2; i++) {
        fixture f = fixture_new();
        CHECK_RESULT(kith_register(f.world, &Velocity_type, transient_defs[i]), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Frozen_type, transient_defs[i]), KITH_OK);
        CHECK(kith_is_transient(f.world, &Velocity_type));
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        CHECK(!kith_is_transient(f.world, &Position_type));
        CHECK(!kith_is_transient(f.world, &Extra_type));
        uint64_t world_hash = kith_world_hash(f.world);
        uint64_t content_hash = kith_content_hash(f.world);
        CHECK_RESULT(KITH_SET(f.world, e, Velocity, {3, 4}), KITH_OK);
        CHECK_RESULT(KITH_ADD(f.world, e, Frozen), KITH_OK);
        CHECK(KITH_GET(f.world, e, Velocity)->dx == 3 && KITH_HAS(f.world, e, Frozen));
        CHECK_UINT(kith_world_hash(f.world), world_hash);
        CHECK_UINT(kith_content_hash(f.world), content_hash);
        CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 3}), KITH_OK);
        CHECK(kith_world_hash(f.world) != world_hash);
        CHECK(kith_content_hash(f.world) != content_hash);
        fixture_free(&f);
    }
}

TEST(a_table_component_cannot_be_transient)
{
    fixture f = fixture_new();
    const kith_component_def def = {.transient = true};
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "'Position' has layout KITH_TABLE, which a transient");
    CHECK_RESULT(kith_layout_of(f.world, &Position_type, NULL), KITH_ERR_UNKNOWN);
    CHECK_RESULT(kith_register(f.world, &Position_type, &transient_slot), KITH_OK);
    fixture_free(&f);
}

/* Names are unique among siblings, and who the siblings are would be lost. */
TEST(parents_cannot_be_transient)
{
    for (size_t i = 0; i < ROWS_OF(transient_defs); i++) {
        fixture f = fixture_new();
        CHECK_RESULT(kith_register(f.world, &kith_child_of_type, transient_defs[i]),
                     KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(f.world), "'ChildOf' cannot be transient");
        CHECK_WORLD(f.world);
        fixture_free(&f);
        /* Once it is registered, too. */
        f = fixture_new();
        const kith_entity ship = kith_spawn_empty(f.world);
        const kith_entity child = kith_spawn_empty(f.world);
        CHECK_RESULT(kith_set_parent(f.world, child, ship), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &kith_child_of_type, transient_defs[i]),
                     KITH_ERR_INPUT);
        CHECK(!kith_is_transient(f.world, &kith_child_of_type));
        CHECK_SAME(kith_parent(f.world, child), ship);
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

TEST(whether_a_type_is_transient_is_said_first)
{
    fixture f = fixture_new();
    const kith_component_def lasting = {.layout = KITH_SPARSE};
    CHECK_RESULT(kith_register(f.world, &Position_type, &lasting), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Position_type, &transient_sparse), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "'Position' is registered as not transient");
    CHECK(!kith_is_transient(f.world, &Position_type));

    CHECK_RESULT(kith_register(f.world, &Velocity_type, &transient_sparse), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Velocity_type, &transient_sparse), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Velocity_type, &lasting), KITH_OK);
    CHECK(kith_is_transient(f.world, &Velocity_type));
    fixture_free(&f);
}

TEST(a_transient_type_stays_so_in_another_world)
{
    fixture f = fixture_new();
    fixture to = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Velocity_type, &transient_slot), KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Velocity, {1, 2}));
    CHECK_RESULT(kith_transfer(f.world, &e, 1, to.world, &e), KITH_OK);
    CHECK(kith_is_transient(to.world, &Velocity_type));
    CHECK(KITH_GET(to.world, e, Velocity)->dy == 2);
    fixture_free(&to);
    fixture_free(&f);
}
