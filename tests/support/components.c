#include "components.h"

#include "random.h"

const kith_type *const component_types[COMPONENT_COUNT] = {
    &Position_type, &Velocity_type, &Health_type, &Extra_type,  &Name_type,   &Big_type,
    &Byte_type,     &Aligned_type,  &Target_type, &Padded_type, &Frozen_type, &Burning_type,
};

void register_all(kith_world *world, kith_layout layout)
{
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        CHECK_RESULT(
            kith_register(world, component_types[i], &(kith_component_def){.layout = layout}),
            KITH_OK);
    }
}

fixture fixture_with_all(kith_layout layout)
{
    fixture f = fixture_new();
    register_all(f.world, layout);
    return f;
}

void register_mixed(kith_world *world, uint64_t seed)
{
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        kith_layout layout = (kith_layout)random_below(&seed, LAYOUT_COUNT);
        CHECK_RESULT(
            kith_register(world, component_types[i], &(kith_component_def){.layout = layout}),
            KITH_OK);
    }
}
