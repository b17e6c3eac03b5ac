/* Worlds for the tests of the game kit. */
#ifndef TEST_GAME_WORLDS_H
#define TEST_GAME_WORLDS_H

#define KITH_GAME_NAMES
#include <kith/game.h>
#include <kith/schedule.h>

#include "test.h"

/* A world with systems of the kit, and its components in one layout. */
static inline fixture game_new(kith_layout layout, uint32_t systems)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_game_register(f.world, &(kith_component_def){.layout = layout}), KITH_OK);
    CHECK_RESULT(kith_game_add_systems(f.world, systems), KITH_OK);
    return f;
}

/* A tick, and a look at whether all is well behind it. */
static inline void game_tick(fixture *f, float dt)
{
    CHECK_RESULT(kith_run(f->world, dt), KITH_OK);
    CHECK_WORLD(f->world);
}

#endif
