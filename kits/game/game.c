/* What a program asks for first: the components, and the systems. */
#include <kith/floats.h>
#include <kith/resource.h>
#include <string.h>

#include "game/systems.h"

static const kith_type *const components[] = {
    &kith_position_type, &kith_velocity_type, &kith_gravity_type,    &kith_health_type,
    &kith_sprite_type,   &kith_collider_type, &kith_damage_type,     &kith_lifetime_type,
    &kith_timer_type,    &kith_player_type,   &kith_controller_type, &kith_bounds_type,
    &kith_local2_type,   &kith_global2_type,  &kith_local3_type,     &kith_global3_type,
};

static const struct system_part {
    uint32_t bit;
    const char *name;
    kith_result (*add)(kith_world *world);
} system_parts[] = {
    {KITH_GAME_CONTROL, "control", ki_game_add_control},
    {KITH_GAME_GRAVITY, "gravity", ki_game_add_gravity},
    {KITH_GAME_MOVEMENT, "movement", ki_game_add_movement},
    {KITH_GAME_BOUNDS, "bounds", ki_game_add_bounds},
    {KITH_GAME_COLLISION, "collision", ki_game_add_collision},
    {KITH_GAME_DAMAGE, "damage", ki_game_add_damage},
    {KITH_GAME_LIFETIME, "lifetime", ki_game_add_lifetime},
    {KITH_GAME_TIMER, "timer", ki_game_add_timer},
    {KITH_GAME_TRANSFORMS, "transforms", ki_game_add_transforms},
};

kith_result kith_game_register(kith_world *world, const kith_component_def *def)
{
    if (world == NULL) {
        return kith_misuse(NULL, "kith_game_register: the world is NULL");
    }
    if (kith_require_change(world, "kith_game_register") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    for (size_t i = 0; i < sizeof components / sizeof components[0]; i++) {
        if (kith_layout_of(world, components[i], NULL) == KITH_OK) {
            continue;
        }
        kith_result result = kith_register(world, components[i], def);
        if (result != KITH_OK) {
            return result;
        }
    }
    return KITH_OK;
}

kith_result ki_game_require_resource(kith_world *world, const kith_type *type)
{
    const kith_type *other;
    for (uint32_t i = 0; (other = kith_resource_at(world, i)) != NULL; i++) {
        if (strcmp(other->name, type->name) == 0 && kith_resource_get(world, type) == NULL) {
            return kith_resource_set(world, type, NULL); /* fails, and tells why */
        }
    }
    return KITH_OK;
}

kith_result kith_game_add_systems(kith_world *world, uint32_t systems)
{
    if (world == NULL) {
        return kith_misuse(NULL, "kith_game_add_systems: the world is NULL");
    }
    if (kith_require_change(world, "kith_game_add_systems") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    if ((systems & ~KITH_GAME_ALL) != 0) {
        return kith_fail(
            world, KITH_ERR_INPUT,
            "kith_game_add_systems: there is no system for one of the bits; see KITH_GAME_ALL");
    }
    kith_result result = kith_game_register(world, NULL);
    size_t added = 0;
    for (; result == KITH_OK && added < sizeof system_parts / sizeof system_parts[0]; added++) {
        if ((systems & system_parts[added].bit) != 0) {
            result = system_parts[added].add(world);
        }
    }
    if (result != KITH_OK && added > 0) {
        for (added--; added > 0; added--) { /* the last of them is the one that failed */
            if ((systems & system_parts[added - 1].bit) != 0) {
                kith_system_remove(world, system_parts[added - 1].name);
            }
        }
    }
    return result;
}
