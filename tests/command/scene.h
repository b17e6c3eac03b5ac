/* A small world with a command buffer. */
#ifndef COMMAND_SCENE_H
#define COMMAND_SCENE_H

#include <kith/kith.h>

#include "components.h"
#include "test.h"

/* Handles side by side, and one alone. */
typedef struct Party {
    uint32_t size;
    kith_entity leader;
    kith_entity members[3];
} Party;
KITH_TYPE(Party, KITH_FIELD(Party, size), KITH_FIELD(Party, leader), KITH_FIELD(Party, members));

/* A world with three entities, and an empty buffer. */
typedef struct scene {
    fixture f;
    kith_world *world;
    kith_commands *commands;
    kith_entity plain;  /* Position {1, 2}, Byte {3} */
    kith_entity frozen; /* Position {5, 6}, Frozen */
    kith_entity gone;
} scene;

static inline scene scene_new(kith_layout layout)
{
    scene s = {.f = fixture_with_all(layout)};
    s.world = s.f.world;
    CHECK_RESULT(kith_register(s.world, &Party_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    s.plain = KITH_SPAWN(s.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte, {3}));
    s.frozen = KITH_SPAWN(s.world, KITH_VALUE(Position, {5, 6}), KITH_VALUE(Frozen));
    s.gone = kith_spawn_empty(s.world);
    CHECK_RESULT(kith_despawn(s.world, s.gone), KITH_OK);
    s.commands = kith_commands_new(s.world, NULL);
    CHECK_PTR_NOT_NULL(s.commands);
    return s;
}

/* Applies, without commands for the dead. */
static inline void scene_apply(scene *s)
{
    uint32_t dead = 77;
    CHECK_RESULT(kith_commands_apply(s->commands, &dead), KITH_OK);
    CHECK_UINT(dead, 0);
    CHECK_UINT(kith_commands_memory(s->commands).commands, 0);
    CHECK_STR(kith_commands_error(s->commands), "");
    CHECK_WORLD(s->world);
}

#endif
